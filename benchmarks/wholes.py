"""The curve of wholes against the curve of as many items.

    python benchmarks/wholes.py [--parts 1000000] [--rounds 15]

Wholes have 1 to 10 parts. Rows stand whole by whole, or shuffled; equal names are one
text in memory, as they are when a file has been read, or each is a text of its own.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine, peak_bytes, ratio, seconds, show

from demur import Outcomes, error_return, whole_curve

BAR = 3.0


def table(n_parts: int, *, shuffled: bool, shared: bool) -> Outcomes:
    """Parts of wholes; the surer, the more often right."""
    rng = np.random.default_rng(0)
    whole = np.repeat(np.arange(n_parts), rng.integers(1, 11, n_parts))[:n_parts]
    part = np.arange(n_parts) - np.searchsorted(whole, whole)
    confidence = rng.random(n_parts)
    correct = rng.random(n_parts) < 0.4 + 0.5 * confidence
    rows = rng.permutation(n_parts) if shuffled else np.arange(n_parts)
    texts: dict[str, str] = {}

    def names(first: str, numbers: Any) -> Any:
        made = [f"{first}{number}" for number in numbers[rows].tolist()]
        if shared:
            made = [texts.setdefault(name, name) for name in made]
        return np.array(made, object)

    return Outcomes.from_arrays(
        item=names("whole ", whole),
        part=names("part ", part),
        confidence=confidence[rows],
        correct=correct[rows],
    )


def job(verb: Callable[[Outcomes], Any], outcomes: Outcomes) -> Callable[[], Any]:
    """The curve, its area and one look-up."""

    def do() -> Any:
        curve = verb(outcomes)
        return curve.area(), curve.at(nonreturn=0.2)

    return do


def main() -> None:
    """Print the times, and how many times that of items each is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    print(machine())
    items = f"curve of {arguments.parts:,} items"
    first = table(arguments.parts, shuffled=False, shared=True)
    alone = Outcomes.from_columns(
        {"outcome": first.outcome.codes, "confidence": first.confidence}
    )
    jobs = {items: job(error_return, alone)}
    for shared, memory in ((True, "as read from a file"), (False, "each its own text")):
        for shuffled, order in ((False, "whole by whole"), (True, "shuffled")):
            made = table(arguments.parts, shuffled=shuffled, shared=shared)
            jobs[f"wholes, {order}, {memory}"] = job(whole_curve, made)
    taken = seconds(jobs, rounds=arguments.rounds, clock=time.thread_time)
    rows = [("job", "median ms", "x items", "fastest ms", "x items", "peak bytes/row")]
    for name, spent in taken.items():
        rows.append(
            (
                name,
                f"{statistics.median(spent) * 1000:.0f}",
                f"{ratio(spent, taken[items]):.2f}",
                f"{min(spent) * 1000:.0f}",
                f"{min(spent) / min(taken[items]):.2f}",
                f"{peak_bytes(jobs[name]) / arguments.parts:.0f}",
            )
        )
    show(f"bar: {BAR:g} times the curve of items", rows)


if __name__ == "__main__":
    main()
