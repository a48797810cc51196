"""A small harness: medians of several runs in turn, ratios in one run, peak memory.

Candidates take turns within a round, so that a machine that slows down slows all of
them; a ratio is the median of the rounds' ratios.
"""

import gc
import os
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Any

Job = Callable[[], Any]


def machine() -> str:
    """One line about the machine and the versions that matter."""
    names = ("numpy", "scikit-learn", "polars", "pyarrow")
    versions = ", ".join(f"{name} {_version(name)}" for name in names)
    disabled = os.environ.get("NPY_DISABLE_CPU_FEATURES")
    simd = f"; NPY_DISABLE_CPU_FEATURES={disabled!r}" if disabled else ""
    return (
        f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{versions}{simd}"
    )


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123
            names = [
                line.partition(":")[2].strip() for line in lines if "model name" in line
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def seconds(
    jobs: Mapping[str, Job],
    *,
    rounds: int,
    inner: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds of each job per round, of the wall or as the clock is; jobs take turns.

    Parameters
    ----------
    jobs : mapping of name to callable
        What to time.
    rounds : int
        Counted rounds, after one that is not.
    inner : int
        Calls per measurement, for jobs shorter than the clock can see.
    clock : callable
        `time.thread_time` leaves out the time that other processes take.
    """
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    gc.disable()
    try:
        for number in range(rounds + 1):
            for name, job in jobs.items():
                begin = clock()
                for _ in range(inner):
                    job()
                spent = (clock() - begin) / inner
                if number:
                    taken[name].append(spent)
    finally:
        gc.enable()
    return taken


def ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """Median of the rounds' ratios."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def peak_bytes(job: Job) -> int:
    """Most extra bytes that a job holds at once."""
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def process_seconds(command: Sequence[str], *, rounds: int) -> list[float]:
    """Wall seconds of a whole process, after one run that is not counted."""
    taken = []
    for number in range(rounds + 1):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        if number:
            taken.append(time.perf_counter() - begin)
    return taken


def show(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a title, columns aligned."""
    print(f"\n{title}")
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  " + "  ".join(cells).rstrip())


PYTHON = sys.executable
