"""Whether the tests of a room notice small faults planted in it at random.

    python -m pip install coverage
    python benchmarks/planted_faults.py --faults 40 curves statistics decisions

One fault at a time is planted in a copy of the repository: a comparison turned round,
a constant moved by one, a sign dropped. The tests of the room that run the line are
run, the shortest first, until one fails. What no test notices is printed: either the
fault changes nothing that can be seen, or an assertion is missing.
"""

import argparse
import ast
import contextlib
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.remove(str(ROOT / "benchmarks"))  # its coverage.py is another one
SWAPPED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
NAMES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "minimum": "maximum",
    "maximum": "minimum",
    "low": "high",
    "high": "low",
    "lower": "upper",
    "upper": "lower",
    "floor": "ceil",
    "ceil": "floor",
}
WORDS = {"left": "right", "right": "left"}
MEMORY = 6 << 30


class Fault(NamedTuple):
    """A replacement in one file."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    code: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it, wherever its line has moved to."""
        return self.path, self.code, f"{self.old} -> {self.new}".strip()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} -> {self.new}"


class Planter(ast.NodeVisitor):
    """Finds the places of one file where a fault can be planted."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text.encode()
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Fault] = []

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        return (
            self.at(node.lineno, node.col_offset),
            self.at(node.end_lineno or 0, node.end_col_offset or 0),
        )

    def plant(self, start: int, end: int, new: str) -> None:
        line = self.text.count(b"\n", 0, start) + 1
        old = self.text[start:end].decode()
        code = self.text.split(b"\n")[line - 1].decode().strip()
        self.found.append(Fault(self.path, line, start, end, old, new, code))

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.text.find(old.encode(), start, end)
        if at >= 0:
            self.plant(at, at + len(old), new)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for left, right, sign in zip(sides, sides[1:], node.ops, strict=False):
            if type(sign) in SWAPPED:
                self.between(left, right, *SWAPPED[type(sign)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        text = isinstance(node.left, (ast.JoinedStr, ast.Constant)) and isinstance(
            getattr(node.left, "value", ""), str
        )
        if type(node.op) in SWAPPED and not text:
            self.between(node.left, node.right, *SWAPPED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between(left, right, *SWAPPED[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        start, end = self.span(node)[0], self.span(node.operand)[0]
        bracket = self.text.find(b"(", start, end)  # belongs to the operand
        self.plant(start, end if bracket < 0 else bracket, "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        start, end = self.span(node)
        if isinstance(node.value, bool):
            self.plant(start, end, str(not node.value))
        elif isinstance(node.value, int):
            self.plant(start, end, str(node.value + 1))
        elif isinstance(node.value, float):
            self.plant(start, end, repr(node.value + 1))
        elif isinstance(node.value, str) and node.value in WORDS:
            self.plant(start, end, repr(WORDS[node.value]))

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in NAMES:
            self.plant(*self.span(node), NAMES[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Load) and node.attr in NAMES:
            end = self.span(node)[1]
            self.plant(end - len(node.attr), end, NAMES[node.attr])
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Nothing: it is a message."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """The value, but for ``zip(strict=True)``, which is a check of its own."""
        if node.arg != "strict":
            self.visit(node.value)

    visit_JoinedStr = visit_Raise  # type: ignore[assignment]  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arguments(self, node: ast.arguments) -> None:
        for default in (*node.defaults, *node.kw_defaults):
            if default is not None:
                self.visit(default)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if not node.name.endswith(("_table", "__repr__", "__str__")):
            self.visit(node.args)
            for statement in node.body:
                self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)


def faults_of(room: str, copy: Path, names: set[str]) -> list[Fault]:
    """All faults that can be planted in a room, or in some of its files."""
    place = copy / "src" / "demur" / room
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    found = []
    for path in files:
        if names and path.name not in names:
            continue
        text = path.read_text()
        planter = Planter(str(path.relative_to(copy)), text)
        planter.visit(ast.parse(text))
        found += planter.found
    return found


class Recorder:
    """Which lines of some files each test runs, and how long it takes."""

    def __init__(self, files: list[str]) -> None:
        import coverage

        self.coverage = coverage.Coverage(include=files, data_file=None)
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        begun = time.monotonic()
        result = yield
        self.seconds[item.nodeid] = time.monotonic() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


class Chosen:
    """Runs some tests only, in this order."""

    def __init__(self, nodes: list[str]) -> None:
        self.nodes = nodes

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items_by_node = {item.nodeid: item for item in items}
        chosen = [items_by_node[node] for node in self.nodes if node in items_by_node]
        items[:] = chosen or items  # a fault may change the names of the tests


ALSO = {
    "outcomes": ["tests/formats", "tests/curves/test_pooling.py"],
    "statistics": ["tests/comparisons/test_comparing.py"],
    "calibration": ["tests/cli/test_curve_calibration.py"],
    "decisions": [
        "tests/cli/test_cli.py",
        "tests/statistics/test_correcting_curves.py",
    ],
    "curves": ["tests/cli/test_cli.py"],
    "judging": ["tests/cli/test_cli.py", "tests/cli/test_answer_commands.py"],
    "pipelines": ["tests/cli/test_pipeline_command.py"],
    "cli": ["tests/comparisons/test_comparing.py"],
    "results": ["tests/test_results.py", "tests/test_ranking_sentences.py"],
    "sql": ["tests/references/test_linting.py"],
    "checks.py": ["tests/test_arguments.py", "tests/comparisons/test_comparing.py"],
    "calls.py": ["tests/answers/test_answers.py", "tests/logs/test_readers.py"],
    "files.py": ["tests/test_files.py"],
    "patterns.py": ["tests/test_patterns.py"],
    "arrays.py": ["tests/outcomes", "tests/test_arguments.py"],
}
"""Further tests of a room, which reach it through what stands on it."""


def paths_of(room: str) -> list[str]:
    """Where the tests of a room are."""
    paths = [f"tests/{room}", f"src/demur/{room}", *ALSO.get(room, ())]
    paths += ["tests/test_defaults.py", "tests/test_kept.py"]
    return [path for path in paths if Path(path).exists()]


def options(paths: list[str]) -> list[str]:
    quiet = [
        "-q",
        "-x",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--ignore-glob=*/test_browser.py",  # a browser wants more than MEMORY
    ]
    return [*quiet, *paths]


def recorded(
    room: str, copy: Path, files: list[str]
) -> dict[str, dict[int, list[str]]]:
    """For each line of some files the tests that run it, the shortest first."""
    recorder = Recorder([str(copy / path) for path in files])
    recorder.coverage.start()
    code = pytest.main(options(paths_of(room)), plugins=[recorder])
    recorder.coverage.stop()
    if code:
        return {"failed": {0: recorder.failed or [f"exit status {code}"]}}
    data = recorder.coverage.get_data()
    lines: dict[str, dict[int, list[str]]] = {}
    for path in data.measured_files():
        by_line = data.contexts_by_lineno(path)
        lines[str(Path(path).relative_to(copy))] = {
            line: sorted((node for node in nodes if node), key=recorder.seconds.get)
            for line, nodes in by_line.items()
        }
    lines["seconds"] = recorder.seconds  # type: ignore[assignment]
    return lines


def in_child(copy: Path, work: Callable[[], int], limit: float) -> int:
    """The exit status of some work in a forked process; -1 if it does not end."""
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(copy)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.path[:0] = [str(copy / "src"), str(copy / "tests")]
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # for their processes
        sys.dont_write_bytecode = True
        with open(os.devnull, "w") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            code = 70
            with contextlib.suppress(BaseException):
                code = int(work())
            os._exit(code)
    end = time.monotonic() + limit
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def copied(folder: str) -> Path:
    """The files of the repository, in another place."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True)
    copy = Path(folder) / "copy"
    for name in names.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src", "tests"], cwd=copy)
    return copy


def equivalent() -> set[tuple[str, ...]]:
    """The faults that cannot be noticed, by their keys."""
    path = ROOT / "benchmarks" / "equivalent_faults.txt"
    lines = path.read_text().splitlines()
    parts = (line.split(" || ") for line in lines if line and line[0] != "#")
    return {tuple(part.strip() for part in each[:3]) for each in parts}


def judged(room: str, copy: Path, wanted: argparse.Namespace) -> None:
    """Plant faults in one room, and print those that no test notices."""
    everything = faults_of(room, copy, set(wanted.file))
    many = min(wanted.faults, len(everything))
    some = random.Random(wanted.seed).sample(everything, many)
    if wanted.again:
        told = wanted.again.read_text().splitlines()
        some = [fault for fault in everything if " || ".join(fault.key) in told]
    notes = copy.parent / f"{room}.json"
    files = sorted({fault.path for fault in some})
    status = in_child(
        copy,
        lambda: bool(notes.write_text(json.dumps(recorded(room, copy, files)))) - 1,
        3600,
    )
    if status:
        print(f"{room}: the tests without a fault end with {status}", flush=True)
        return
    tests = json.loads(notes.read_text())
    if "failed" in tests:
        failed = ", ".join(tests["failed"]["0"])
        print(f"{room}: without a fault this fails: {failed}", flush=True)
        return
    seconds = tests.pop("seconds")
    set_aside, caught, tried = equivalent(), 0, 0
    for fault in sorted(some):
        if fault.key in set_aside:
            continue
        tried += 1
        lines = tests.get(fault.path, {})
        inside = {node for nodes in lines.values() for node in nodes}
        nodes = lines.get(str(fault.line)) or sorted(  # run at import, or elsewhere
            inside | {node for node in seconds if not inside or "defaults" in node},
            key=seconds.get,
        )
        path = copy / fault.path
        before, times = path.read_bytes(), path.stat()
        path.write_bytes(
            before[: fault.start] + fault.new.encode() + before[fault.end :]
        )
        limit = 30 + 4 * sum(seconds[node] for node in nodes)
        status = 0
        if nodes:
            holding = list(dict.fromkeys(node.split("::")[0] for node in nodes))
            chosen = partial(pytest.main, options(holding), plugins=[Chosen(nodes)])
            status = in_child(copy, chosen, limit)
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        if status:
            caught += 1
        else:
            print(" || ".join(fault.key), flush=True)
    share = 100 * caught / max(1, tried)
    aside = len(some) - tried
    print(
        f"{room}: {caught} of {tried} noticed, {share:.0f} %, {aside} set aside",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="+", metavar="ROOM")
    parser.add_argument("--faults", type=int, default=40, help="in each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", default=[], help="only in these")
    parser.add_argument("--again", type=Path, help="only those that this output names")
    arguments = parser.parse_args()
    with contextlib.redirect_stderr(io.StringIO()):
        import hypothesis  # noqa: F401
        import numpy as np  # noqa: F401
        import scipy.stats  # noqa: F401  (loaded once, for all children)
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(folder)
        for room in arguments.rooms:
            judged(room, copy, arguments)


if __name__ == "__main__":
    main()
