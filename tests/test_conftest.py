"""Order, workers and data make no difference, and nothing stays in the checkout."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[1]

OPENS = '''"""A module whose example loads pyplot and leaves a figure open.

>>> from matplotlib import pyplot
>>> len([pyplot.figure() for _ in range(15)])
15
"""
'''

TESTS = """
import sys

def test_opens():
    from matplotlib import pyplot

    assert pyplot.get_fignums() == []
    [pyplot.figure() for _ in range(15)]
    assert sys.modules["matplotlib.pyplot"] is pyplot

def test_opens_again():
    test_opens()

def test_is_without():
    import matplotlib

    assert "matplotlib.pyplot" not in sys.modules
    assert not hasattr(matplotlib, "pyplot")

def test_is_without_again():
    test_is_without()
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the same conftest.py, and no tests yet."""
    for name in ("conftest.py", ".gitignore"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    options = "--doctest-modules --import-mode=importlib"
    settings = f"[pytest]\naddopts = {options}\nfilterwarnings = error\n"
    (tmp_path / "pytest.ini").write_text(settings)
    return tmp_path


def run(checkout, *options):
    """Exit code and output of pytest."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:hypothesispytest"]
    environment = {**os.environ, "PYTEST_ADDOPTS": "", "MPLBACKEND": "agg"}
    done = subprocess.run(
        [*command, *options],
        cwd=checkout,
        env={name: environment[name] for name in environment if "XDIST" not in name},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("workers", ["0", "1"])
def test_no_test_meets_the_figures_of_another(checkout, workers):
    pytest.importorskip("matplotlib")
    (checkout / "src").mkdir()
    (checkout / "src" / "opens.py").write_text(OPENS)
    (checkout / "src" / "opens_more.py").write_text(OPENS)
    (checkout / "test_opens.py").write_text(TESTS)
    code, output = run(checkout, "-n", workers, "src", "test_opens.py")
    assert code == 0, output
    assert "6 passed" in output


def test_matplotlib_is_not_loaded_for_those_that_do_without(checkout):
    test = "import sys\ndef test_a(): pass\n"
    test += "def test_b(): assert 'matplotlib' not in sys.modules\n"
    (checkout / "test_nothing.py").write_text(test)
    code, output = run(checkout, "-n", "0")
    assert (code, "2 passed" in output) == (0, True), output


def order(checkout, *options):
    code, output = run(checkout, "-n", "0", *options)
    assert code == 0, output
    return re.findall(r"^(test_\w)\.py::(test_\d) PASSED", output, flags=re.MULTILINE)


def test_an_order_has_a_number(checkout):
    tests = "".join(f"def test_{number}(): pass\n" for number in range(9))
    for name in "abcd":
        (checkout / f"test_{name}.py").write_text(tests)
    written = order(checkout)
    one, again, other = (order(checkout, "--order-seed", seed) for seed in "112")
    assert len(written) == 36
    assert written == sorted(written)
    assert one == again
    assert sorted(one) == sorted(other) == written
    files = [[name for name, _ in run[::9]] for run in (written, one, other)]
    tests = [[test for _, test in run[:9]] for run in (written, one, other)]
    for names in (files, tests):  # both are shuffled, and the files stay whole
        assert len({tuple(drawn) for drawn in names}) == 3
    assert {len(set(drawn)) for drawn in files} == {4}


def test_inputs_are_the_same_whatever_is_loaded(tmp_path, monkeypatch):
    drawn = []

    @settings(max_examples=300)
    @given(st.integers())
    def draw(value):
        drawn.append(value)

    draw()
    before = drawn.copy()
    (tmp_path / "a.py").write_text(f"x = {[10**6 + value for value in range(400)]}")
    spec = importlib.util.spec_from_file_location("loaded", tmp_path / "a.py")
    monkeypatch.setitem(sys.modules, "loaded", importlib.util.module_from_spec(spec))
    drawn.clear()
    draw()
    assert len(set(drawn)) > 100
    assert drawn == before


LEAVES = """
from pathlib import Path

def test_leaves(tmp_path):
    Path("cache").mkdir()
    Path("docs", "deep", "er").mkdir(parents=True)
    Path("docs", "deep", "er", "left.txt").touch()
    Path("docs", "_build").mkdir()
    Path("docs", "__pycache__").mkdir()
    Path(".hypothesis").mkdir()
    (tmp_path / "fine").touch()
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_the_run_fails_if_something_stays_in_the_checkout(checkout, workers):
    (checkout / "docs").mkdir()
    (checkout / "test_leaves.py").write_text(LEAVES)
    options = ("-n", workers, f"--basetemp={checkout.parent / 'elsewhere'}")
    code, output = run(checkout, *options)
    assert code == 1, output
    assert "1 passed" in output
    told = output.partition(" new in the checkout ")[2].splitlines()[1:4]
    assert told[:2] == ["cache", "docs/deep"]
    assert told[2].startswith("Tests write below tmp_path only.")
    (checkout / "test_leaves.py").write_text("def test_leaves_nothing(): pass")
    code, output = run(checkout, *options)
    assert code == 0, output
    assert "new in the checkout" not in output
