"""What holds for every test and doctest: order, workers and data make no difference."""

import fnmatch
import gc
import linecache
import os
import random
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

BEFORE = pytest.StashKey[set[Path]]()
LEFT = pytest.StashKey[list[Path]]()

# Workers have the cores already: threads of a library would only wait for each other.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
# It is loaded by its own tool alone, which make test does not install.
if find_spec("inspect_ai") is None:
    collect_ignore = ["src/demur/plugs/inspect_metrics.py"]
# What is collected stays to the end; looking at it again and again frees nothing.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # seldom: tests leave few cycles behind
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    # Doctests look whether any file has changed of which lines are known, each time.
    if isinstance(item, pytest.DoctestItem):
        linecache.clearcache()


# -- no test meets the figures of another ------------------------------------------


@pytest.fixture(autouse=True)
def _without_pyplot() -> Iterator[None]:
    """Pyplot is loaded and figures are open only in the test that wants them.

    Pictures are made through pyplot where it is loaded, and pyplot keeps them open.
    """
    put_pyplot_away()
    yield
    put_pyplot_away()


def put_pyplot_away() -> None:
    """Close the figures of pyplot, and unload it."""
    pyplot = sys.modules.pop("matplotlib.pyplot", None)
    if pyplot is not None:
        pyplot.close("all")
        # Else "from matplotlib import pyplot" takes it from here, not loading it.
        del sys.modules["matplotlib"].pyplot  # type: ignore[attr-defined]


# -- many cores, long tests first --------------------------------------------------


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait for a server or a browser."""
    return (os.cpu_count() or 1) + 1


def long_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests, those marked long before the others: none is left alone at the end."""
    return sorted(items, key=lambda item: item.get_closest_marker("long") is None)


# -- any order ---------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "shuffle the files, and the tests within each; the same N, the same order"
    parser.addoption("--order-seed", type=int, metavar="N", help=words)


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("order_seed")
    return None if seed is None else f"order seed: {seed}"


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    seed = config.getoption("order_seed")
    if seed is None:
        items[:] = long_first(items)
        return
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    generator = random.Random(seed)
    paths = list(files)
    generator.shuffle(paths)
    for path in paths:
        generator.shuffle(files[path])
    items[:] = [item for path in paths for item in files[path]]


# -- nothing stays in the checkout -------------------------------------------------


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # a worker's checkout is the same
        session.config.stash[BEFORE] = entries(session.config.rootpath)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The run fails if something new lies in the checkout."""
    config = session.config
    if BEFORE not in config.stash:
        return
    new = entries(config.rootpath) - config.stash[BEFORE]
    config.stash[LEFT] = sorted(path for path in new if path.parent not in new)
    if new and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    left = config.stash.get(LEFT, [])
    if left:
        terminalreporter.section("new in the checkout", red=True)
        for path in left:
            terminalreporter.line(str(path.relative_to(config.rootpath)))
        terminalreporter.line(
            "Tests write below tmp_path only. If you made this yourself during the run,"
            " run again."
        )


def entries(root: Path) -> set[Path]:
    """Files and folders of the checkout, without those that tools may make."""
    file = root / ".gitignore"
    if not file.exists():  # nothing says what tools may make
        return set()
    lines = file.read_text("utf-8").splitlines()
    patterns = [".git", *(line.strip("/") for line in lines if line[:1] not in "#")]
    kept: set[Path] = set()
    for folder, folders, files in os.walk(root):
        paths = {name: Path(folder, name) for name in (*folders, *files)}
        ignored = {
            name
            for name, path in paths.items()
            for pattern in patterns
            if fnmatch.fnmatch(name, pattern)
            or path.relative_to(root).as_posix() == pattern
        }
        folders[:] = [name for name in folders if name not in ignored]
        kept.update(path for name, path in paths.items() if name not in ignored)
    return kept
