"""The size of the house: counted, so that it stays one that a reader can follow."""

import ast
import re
from pathlib import Path

import pytest

import demur
from builders import drawn, python

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
    twice = {"item": [*range(200)] * 2, "system": ["a"] * 200 + ["b"] * 200}
    table = drawn(0, 400, lambda sure: sure, **twice)
    path = tmp_path_factory.mktemp("house") / "outcomes.jsonl"
    demur.write_outcomes(table, path)
    return str(path)


@pytest.mark.parametrize(("command", "most"), [("curve", 18), ("compare", 26)])
def test_a_command_runs_through_few_files(command, most, outcomes):
    files = files_of(command, outcomes)
    declared = [name for name in files if name.startswith("cli/options/")]
    assert len(declared) == 3, declared  # the parser, its options, and shared ones
    assert 10 < len(files) - len(declared) <= most, files


def test_the_plan_of_the_house_names_every_room():
    places = [path for path in HOUSE.iterdir() if not path.name.startswith("__")]
    rooms = {path.name for path in places if path.is_dir()}
    rooms |= {path.stem for path in places if path.suffix == ".py"}
    plan = HOUSE.parents[1] / "docs/decisions/0003-rows-of-the-house.md"
    rows = re.findall(r"^\| \d \|.*", plan.read_text("utf-8"), re.M)
    named = set(re.findall(r"`([\w/]+)`", "".join(rows)))
    assert rooms - named == set()
    assert {name.partition("/")[0] for name in named} - rooms == set()


# -- sizes -------------------------------------------------------------------------

MOST_IN_A_FUNCTION, MOST_IN_A_FILE = 50, 600
NAMELESS = {"each", "must", "found", "own", "told", "said"}
"""Names that say nothing of what they hold."""

MOST_NAMELESS = 20
DESCRIBED = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef


@pytest.fixture(scope="module")
def parsed() -> dict[str, tuple[list[ast.AST], set[int]]]:
    """The nodes of each file of the package, and the numbers of its lines of code.

    Docstrings, comments and blank lines are none.
    """
    files = {}
    for path in sorted(HOUSE.rglob("*.py")):
        text = path.read_text("utf-8")
        nodes, lines = [*ast.walk(ast.parse(text))], enumerate(text.split("\n"), 1)
        code = {number for number, line in lines if line.strip()[:1] not in {"", "#"}}
        for node in nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr):
                code.update(lines_of(node))
        for node in nodes:
            if isinstance(node, DESCRIBED) and ast.get_docstring(node, clean=False):
                code.difference_update(lines_of(node.body[0]))
        files[path.relative_to(HOUSE).as_posix()] = nodes, code
    return files


def lines_of(node: ast.AST) -> range:
    return range(node.lineno, node.end_lineno + 1)


def listed(counts: dict[str, int]) -> str:
    """Names with their counts, a line each, the greatest first."""
    most = sorted(counts.items(), key=lambda pair: -pair[1])
    return "\n".join(["", *(f"{count} {name}" for name, count in most if count)])


def test_no_file_is_too_long_to_be_read_at_once():
    files = {str(path.relative_to(HOUSE)): path for path in HOUSE.rglob("*.py")}
    lengths = {
        name: path.read_text("utf-8").count("\n") for name, path in files.items()
    }
    assert len(lengths) > 100
    long = {name: n for name, n in lengths.items() if n > MOST_IN_A_FILE}
    assert not long, listed(long)


def test_no_function_is_too_long_to_be_seen_at_once(parsed):
    lengths = {
        f"{name}:{node.lineno} {node.name}": len(lines.intersection(lines_of(node)))
        for name, (nodes, lines) in parsed.items()
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(lengths) > 1000
    long = {name: n for name, n in lengths.items() if n > MOST_IN_A_FUNCTION}
    assert not long, listed(long)


def test_few_names_say_nothing(parsed):
    files: dict[str, int] = {}
    for name, (nodes, _) in parsed.items():
        bound = [
            node.id if isinstance(node, ast.Name) else node.arg
            for node in nodes
            if isinstance(node, ast.arg)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        ]
        files[name] = sum(word.strip("_") in NAMELESS for word in bound)
    total = sum(files.values())
    assert total <= MOST_NAMELESS, listed(files)
