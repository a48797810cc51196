"""The exact curve against one plain sort, scikit-learn and polars.

    python benchmarks/curve.py [--rows 1000,100000,1000000,10000000]

The job of demur is the whole one: checks, integer blocks, area and one look-up.
"""

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine, peak_bytes, ratio, seconds, show

from demur.curves.curves import build_curve


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


def main() -> None:
    """Run all sizes and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1000,10000,100000,1000000,10000000")
    arguments = parser.parse_args()
    print(machine())
    rng = np.random.default_rng(0)
    for n_rows in map(int, arguments.rows.split(",")):
        for kind in ("distinct", "101 levels"):
            confidence = rng.random(n_rows)
            if kind != "distinct":
                confidence = np.round(confidence, 2)
            correct = rng.random(n_rows) < 0.4 + 0.5 * confidence
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
