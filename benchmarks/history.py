"""How fast a history is told, how often it marks nothing, and how soon a change.

    python benchmarks/history.py [--histories 500] [--seed 0]

First 1,000 runs of 1,000 items are kept and ``demur history`` told, in a process of its
own: every figure is computed from the kept columns each time, none is kept beside them.
Then histories of 20 equal runs: the share that has a mark. Then changes after 20 and
after 200 equal runs: how many are found within so many runs.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from harness import machine, show

import demur
from demur.arrays import Sample
from demur.store.run_figures import run_figures
from demur.store.stretches import Stretches
from demur.store.swap_tests import LineUnits

Rng = np.random.Generator
RATES = (None, 0.2)
SIZES = (100, 500, 2000)
CHANGES = {"half as many again": 1.5, "twice as many": 2.0}


def drawn(rng: Rng, factor: np.ndarray, n_items: int) -> tuple[np.ndarray, np.ndarray]:
    """Confidences and losses of runs; errors are so many times as frequent in each."""
    base = rng.random(n_items)
    confidence = base + rng.normal(0, 0.15, (len(factor), n_items))
    wrong = rng.random(confidence.shape) < 0.2 * factor[:, None] * (1 - base)
    return confidence, wrong


def first_mark(rng: Rng, factor: np.ndarray, n_items: int, rate: float | None) -> int:
    """The first run that is marked; -1 if there is none."""
    confidence, wrong = drawn(rng, factor, n_items)
    guess, nothing = np.ones(n_items, bool), np.zeros(n_items)
    samples = [
        Sample(guess, nothing if rate is None else values, 1.0 * lost)
        for values, lost in zip(confidence, wrong, strict=True)
    ]
    figures = run_figures(samples, rate or 0.0, 0.95)
    line = Stretches(0.05, LineUnits.of(samples[0]))
    tests = line.take([figures.parts], ~np.isnan(figures.value))
    marks = (row for row, test in enumerate(tests) if test and test.marked)
    return next(marks, -1)


def keep_runs(path: Path, n_runs: int, n_items: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    factor = np.repeat([1.0, 1.5], [n_runs - n_runs // 3, n_runs // 3])
    confidence, wrong = drawn(rng, factor, n_items)
    begin = datetime(2027, 1, 1, tzinfo=UTC)
    names = [f"question {number:04d}" for number in range(n_items)]
    with demur.Store(path, make=True) as store:
        for day in range(n_runs):
            outcomes = demur.Outcomes.from_arrays(
                item=names, correct=~wrong[day], confidence=confidence[day]
            )
            store.keep(outcomes, when=begin + timedelta(days=day))


def speed(n_runs: int, n_items: int, seed: int) -> Iterator[tuple[str, ...]]:
    """The least of five processes, by the clock and on the processor."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        keep_runs(path, n_runs, n_items, seed)
        command = [sys.executable, "-m", "demur", "history", "--store", str(path)]
        for words in ([], ["--of", "own"], ["--json"]):
            seconds = []
            for _ in range(5):
                begin, before = time.perf_counter(), _children()
                subprocess.run([*command, *words], check=True, capture_output=True)
                seconds.append((time.perf_counter() - begin, _children() - before))
            typed = " ".join(["history", *words])
            least = (f"{min(column):.2f}" for column in zip(*seconds, strict=True))
            yield typed, f"{n_runs:,}", f"{n_items:,}", *least


def _children() -> float:
    """Seconds that processes begun here have taken of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def equal(histories: int, seed: int) -> Iterator[tuple[str, ...]]:
    for n_items in SIZES:
        for rate in RATES:
            rng = np.random.default_rng(seed)
            marks = [
                first_mark(rng, np.ones(20), n_items, rate) for _ in range(histories)
            ]
            share = np.mean(np.array(marks) >= 0)
            yield f"{n_items}", rate_text(rate), f"{100 * share:.1f} %"


def after_changes(histories: int, seed: int) -> Iterator[tuple[str, ...]]:
    for words, times in CHANGES.items():
        for before in (20, 200):
            for n_items in SIZES:
                for rate in RATES:
                    rng = np.random.default_rng(seed)
                    factor = np.repeat([1.0, times], [before, 20])
                    marks = np.array(
                        [
                            first_mark(rng, factor, n_items, rate)
                            for _ in range(histories)
                        ]
                    )
                    after = np.where(marks >= before, marks - before + 1, 99)
                    shares = [f"{100 * np.mean(after <= n):.0f} %" for n in (1, 5, 20)]
                    yield words, f"{before}", f"{n_items}", rate_text(rate), *shares


def rate_text(rate: float | None) -> str:
    return "own" if rate is None else f"at {rate:g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    how = arguments.histories, arguments.seed
    show(
        ("command", "runs", "items", "seconds", "processor"), speed(1000, 1000, how[1])
    )
    heads = ("command", "runs", "items", "seconds", "of the processor")
    show("A history, the whole process", [heads, *speed(1000, 1000, how[1])])
    heads = ("items", "error", "have a mark")
    show("Histories of 20 equal runs", [heads, *equal(*how)])
    heads = ("errors", "runs before", "items", "error", "next", "in 5", "in 20")
    rows = after_changes(how[0] // 5, how[1])
    show("Changes that are marked within so many runs", [heads, *rows])


if __name__ == "__main__":
    main()
