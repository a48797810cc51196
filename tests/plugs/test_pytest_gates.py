"""The fixture ``demur_gate``, in a run of pytest of its own."""

import re
from pathlib import Path

import demur
from builders import graded, python

pytest_plugins = ["pytester"]

LINES = "item,correct,confidence\nq1,1,0.9\nq2,0,0.8\nq3,1,0.7\nq4,,\n"

TESTS = """
import demur

def of(correct):
    confidence = [1 - n / 100 for n in range(len(correct))]
    return demur.Outcomes.from_arrays(correct=correct, confidence=confidence)

def test_shown(demur_gate):
    report = demur_gate("outcomes.csv", "error@0.25 <= 0.3", "right >= 2")
    assert report.counts() == {"broken": 0, "inconclusive": 0, "holds": 2}

def test_not_shown(demur_gate):
    outcomes = demur.read_outcomes("outcomes.csv")
    demur_gate(outcomes, "error@0.25 <= 0.2", "right >= 3", "wrong <= 1")

def test_better(demur_gate):
    main, new = of([0, 1] * 30), of([1, 1] * 30)
    demur_gate(new, "not worse than baseline by 0.02 @0.2", against=main)

def test_worse(demur_gate):
    main, new = of([1, 1] * 30), of([0, 1] * 30)
    demur_gate(new, "not worse than baseline by 0.02 @0.2", against=main)

def test_misspelt(demur_gate):
    demur_gate("outcomes.csv", "eror@0.2 <= 0.3")

def test_percent(demur_gate):
    demur_gate("outcomes.csv", "error@0.2 <= 30")

def test_no_condition(demur_gate):
    demur_gate("outcomes.csv")

def test_no_file(demur_gate):
    demur_gate("nowhere.csv", "wrong <= 1")

def test_no_outcomes(demur_gate):
    demur_gate(None, "wrong <= 1")
"""


def test_a_gate_in_a_test_holds_or_fails_it_with_the_numbers(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it may be installed
    pytester.path.joinpath("outcomes.csv").write_text(LINES, "utf-8")
    pytester.makepyfile(TESTS)
    words = ["-p", "demur.plugs.pytest_gates", "-p", "no:cacheprovider"]
    page = (Path(__file__).parents[2] / "docs/plugs.md").read_text("utf-8")
    text = page.split(":caption: test_bot.py\n\n")[1].split("```")[0]
    pytester.path.joinpath("test_bot.py").write_text(text, "utf-8")
    for name, wrong in (("outcomes.jsonl", 2), ("main.jsonl", 20)):
        correct, sure = [1] * (60 - wrong) + [0] * wrong, [*range(60, 0, -1)]
        demur.write_outcomes(graded(correct, sure), pytester.path / name)
    done = pytester.runpytest_subprocess(*words)
    done.assert_outcomes(passed=4, failed=7)
    _, *parts = re.split(r"_{5,} test_(\w+) _{5,}", done.stdout.str())
    failed = dict(zip(parts[::2], parts[1::2], strict=True))

    assert failed.keys() & {"shown", "better"} == set()
    numbers = failed["not_shown"]
    assert "error@0.25 <= 0.2: error@0.25 is 0.25, must not be > 0.2." in numbers
    assert "right >= 3: right is 2, must not be < 3." in numbers
    assert "wrong <= 1:" not in numbers
    assert "pytest_gates.py" not in numbers  # it is the test's own line that fails
    assert "so not worse by 0.02 is not shown" in failed["worse"]
    assert "InputError: demur_gate: a figure must be one of" in failed["misspelt"]
    assert "InputError: demur_gate: the limit must be" in failed["percent"]
    assert "demur_gate: require must hold a condition, " in failed["no_condition"]
    assert "InputError: nowhere.csv: " in failed["no_file"]
    assert "InputError: formats: a source must be" in failed["no_outcomes"]


def test_where_nobody_asks_for_the_fixture_nothing_is_loaded():
    code = "import sys, pytest, demur.plugs.pytest_gates; print(*sys.modules)"
    names = python("-c", code).stdout.split()
    assert {name for name in names if name.partition(".")[0] == "demur"} == {
        *("demur", "demur.version", "demur.plugs", "demur.plugs.pytest_gates")
    }
    assert "numpy" not in names
