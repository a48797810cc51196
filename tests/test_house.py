"""How many files a reader follows through a command: counted, so that it stays true."""

import re
from pathlib import Path

import numpy as np
import pytest

import demur
from builders import graded, python

HOUSE = Path(demur.__file__).parent

# Prints every file of the package in which a function runs, other than on import.
COUNTING = """
import sys
ran = set()
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_filename.startswith(sys.argv[1]):
        name, outer = frame.f_code.co_filename, frame
        while outer is not None and outer.f_code.co_name != "<module>":
            outer = outer.f_back
        if outer is None or not outer.f_code.co_filename.startswith(sys.argv[1]):
            ran.add(name[len(sys.argv[1]) + 1:])
from demur.cli import main
sys.setprofile(note)
code = main(sys.argv[2:])
sys.setprofile(None)
print(*sorted(ran), sep="\\n", file=sys.stderr)
sys.exit(code)
"""


def files_of(*words: str) -> list[str]:
    """The files that a command runs through."""
    done = python("-c", COUNTING, HOUSE, *words)
    assert done.returncode == 0, done.stderr
    return done.stderr.split()


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two systems of 200 items each, so that there is a test."""
    rng = np.random.default_rng(0)
    confidence = rng.random(400)
    table = graded(
        rng.random(400) < confidence,
        confidence,
        item=[*range(200)] * 2,
        system=["a"] * 200 + ["b"] * 200,
    )
    path = tmp_path_factory.mktemp("house") / "outcomes.jsonl"
    demur.write_outcomes(table, path)
    return str(path)


@pytest.mark.parametrize(("command", "most"), [("curve", 18), ("compare", 26)])
def test_a_command_runs_through_few_files(command, most, outcomes):
    files = files_of(command, outcomes)
    assert 10 < len(files) <= most, files


def test_the_plan_of_the_house_names_every_room():
    places = [path for path in HOUSE.iterdir() if not path.name.startswith("__")]
    rooms = {path.name for path in places if path.is_dir()}
    rooms |= {path.stem for path in places if path.suffix == ".py"}
    plan = HOUSE.parents[1] / "docs/decisions/0003-rows-of-the-house.md"
    rows = re.findall(r"^\| \d \|.*", plan.read_text("utf-8"), re.M)
    named = set(re.findall(r"`([\w/]+)`", "".join(rows)))
    assert rooms - named == set()
    assert {name.partition("/")[0] for name in named} - rooms == set()
