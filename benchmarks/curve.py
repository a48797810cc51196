"""The exact curve against one plain sort, scikit-learn and polars.

    python benchmarks/curve.py [--rows 1000,100000,1000000,10000000]
    python benchmarks/curve.py --rows "" --tables 1000,10000,100000

The job of demur is the whole one: checks, integer blocks, area and one look-up, first
as users call it, from a table of outcomes, then inside the core function.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine, peak_bytes, ratio, seconds, show

from demur import Outcomes, error_return
from demur.curves.curves import build_curve

_KINDS = ("distinct", "101 levels")


def jobs(
    confidence: np.ndarray[Any, Any], correct: np.ndarray[Any, Any]
) -> dict[str, Callable[[], Any]]:
    """The same curve by each candidate."""
    import polars
    from sklearn import metrics

    outcome = (~correct).astype(np.uint8)
    frame = polars.DataFrame({"confidence": confidence, "wrong": ~correct})

    def demur_job() -> Any:
        curve = build_curve(outcome, confidence=confidence)
        return curve.area(), curve.at(nonreturn=0.2)

    def polars_job() -> Any:
        # Row by row, ties not merged: less than the curve needs.
        return frame.sort("confidence").with_columns(polars.col("wrong").cum_sum())

    return {
        "np.sort": lambda: np.sort(confidence),
        "demur": demur_job,
        "sklearn det_curve": lambda: metrics.det_curve(correct, confidence),
        "sklearn confusion_matrix_at_thresholds": lambda: (
            metrics.confusion_matrix_at_thresholds(correct, confidence)
        ),
        "polars sort + cum_sum": polars_job,
    }


def public_jobs(
    confidence: np.ndarray[Any, Any], correct: np.ndarray[Any, Any]
) -> dict[str, Callable[[], Any]]:
    """The whole job with public names only; the first is the one that has a bar."""
    from sklearn.metrics import det_curve

    outcomes = Outcomes.from_arrays(correct=correct, confidence=confidence)

    def from_table(table: Outcomes = outcomes) -> Any:
        curve = error_return(table)
        return curve.area(), curve.at(nonreturn=0.2)

    def from_arrays() -> Any:
        table = Outcomes.from_arrays(correct=correct, confidence=confidence)
        return from_table(table)

    return {
        "demur, table made before": from_table,
        "sklearn det_curve": lambda: det_curve(correct, confidence),
        "demur, from arrays": from_arrays,
        "sklearn det_curve again": lambda: det_curve(correct, confidence),
    }


def compare_public(n_rows: int, kind: str) -> None:
    """How many times as long as the whole job `det_curve` takes, one call in turn.

    In processor seconds, which other processes disturb least. One call at a time is the
    hardest for demur: each begins where the other has left the processor's fast memory,
    as in a program that does something else in between.
    """
    taken = seconds(
        public_jobs(*data(n_rows, kind)),
        rounds=max(50, min(1000, 10**6 // n_rows)),
        clock=time.thread_time,
    )
    peer = taken["sklearn det_curve"]
    rows = [("job", "median ms", "faster by", "fastest ms", "faster by")]
    for name, spent in taken.items():
        rows.append(
            (
                name,
                f"{statistics.median(spent) * 1000:.3f}",
                f"{ratio(peer, spent):.1f}",
                f"{min(spent) * 1000:.3f}",
                f"{min(peer) / min(spent):.1f}",
            )
        )
    show(f"whole job, {n_rows:,} items, {kind}; bar: faster by 5 at 1,000", rows)


def data(n_rows: int, kind: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Confidences, and whether answers are right: the surer, the more often."""
    rng = np.random.default_rng(0)
    confidence = rng.random(n_rows)
    if kind != "distinct":
        confidence = np.round(confidence, 2)
    return confidence, rng.random(n_rows) < 0.4 + 0.5 * confidence


def main() -> None:
    """Run all sizes and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1000,10000,100000,1000000,10000000")
    parser.add_argument("--tables", default="1000,10000,100000")
    arguments = parser.parse_args()
    print(machine())
    for n_rows in map(int, filter(None, arguments.tables.split(","))):
        for kind in _KINDS:
            compare_public(n_rows, kind)
    for n_rows in map(int, filter(None, arguments.rows.split(","))):
        for kind in _KINDS:
            confidence, correct = data(n_rows, kind)
            candidates = jobs(confidence, correct)
            rounds, inner = (5, 1) if n_rows > 10**6 else (9, max(1, 10**5 // n_rows))
            taken = seconds(candidates, rounds=rounds, inner=inner)
            rows = [("candidate", "median ms", "x np.sort", "demur is faster by")]
            for name, spent in taken.items():
                rows.append(
                    (
                        name,
                        f"{statistics.median(spent) * 1000:.3f}",
                        f"{ratio(spent, taken['np.sort']):.2f}",
                        f"{ratio(spent, taken['demur']):.1f}",
                    )
                )
            extra = peak_bytes(candidates["demur"]) / n_rows
            show(
                f"{n_rows:,} items, {kind}, {(~correct).mean():.0%} wrong; demur's "
                f"peak extra memory {extra:.1f} bytes/item",
                rows,
            )


if __name__ == "__main__":
    main()
