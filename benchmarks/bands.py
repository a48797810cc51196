"""Bands, intervals and tests: time and memory, against scipy and scikit-learn.

    python benchmarks/bands.py [--rows 100000] [--rounds 3]

scipy.stats.bootstrap with scikit-learn's AUROC runs a few replicates only; its time is
scaled to the 1,000 of the others.
"""

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine, peak_bytes, ratio, seconds, show

from demur.arrays import Sample
from demur.comparisons.pairs import all_pairs
from demur.statistics.bands import sample_band
from demur.statistics.intervals import sample_interval, standard_error
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity

REPLICATES = 1000
PEER_REPLICATES = 20
SYSTEMS = 20
AREA, ERROR = Quantity("area"), Quantity("error", 0.2)


def simulated(
    rng: np.random.Generator, n_items: int, n_clusters: int | None = None
) -> Sample:
    """Confidence c ~ Beta(2, 1), right with chance 0.1 + 0.9 c."""
    confidence = rng.beta(2, 1, n_items)
    loss = 1.0 * (rng.random(n_items) > 0.1 + 0.9 * confidence)
    cluster = None if n_clusters is None else rng.integers(0, n_clusters, n_items)
    return Sample(np.ones(n_items, bool), confidence, loss, None, cluster)


def peer(sample: Sample) -> Callable[[], Any]:
    """The bootstrap of the area by scipy and scikit-learn."""
    from scipy import stats
    from sklearn import metrics

    right = 1 - sample.loss

    def area(right: Any, confidence: Any) -> float:
        accuracy = right.mean()
        auroc = metrics.roc_auc_score(right, confidence)
        return (1 - auroc) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2

    def job() -> Any:
        return stats.bootstrap(
            (right, sample.confidence),
            area,
            paired=True,
            vectorized=False,
            n_resamples=PEER_REPLICATES,
            method="percentile",
            rng=np.random.default_rng(0),
        )

    return job


def main() -> None:
    """Time everything and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(machine())
    rng = np.random.default_rng(0)
    n_items = arguments.rows
    sample, clustered = simulated(rng, n_items), simulated(rng, n_items, 1000)
    many = {f"system {each}": simulated(rng, n_items) for each in range(SYSTEMS)}
    a, b = simulated(rng, 20_000), simulated(rng, 20_000)
    boot = {"replicates": REPLICATES}
    jobs: dict[str, Callable[[], Any]] = {
        "band, sup-t": lambda: sample_band(sample, method="sup-t", **boot),
        "band, bootstrap": lambda: sample_band(sample, method="bootstrap", **boot),
        "band, sup-t, 1,000 clusters": lambda: sample_band(
            clustered, method="sup-t", **boot
        ),
        "band, dkw": lambda: sample_band(sample, method="dkw"),
        "band, influence": lambda: sample_band(sample, method="influence"),
        "area, bootstrap": lambda: sample_interval(
            sample, quantity=AREA, method="bootstrap", **boot
        ),
        "area, standard error": lambda: standard_error(sample, quantity=AREA),
        f"all pairs of {SYSTEMS}, area": lambda: all_pairs(many, quantity=AREA),
        f"all pairs of {SYSTEMS}, error": lambda: all_pairs(many, quantity=ERROR),
        "two systems, 20,000 items, 2,000 replicates": lambda: paired_difference(
            a, b, quantity=ERROR, method="bootstrap"
        ),
        "the same, area": lambda: paired_difference(
            a, b, quantity=AREA, method="bootstrap"
        ),
        "the same, permutation": lambda: paired_difference(
            a, b, quantity=ERROR, method="permutation"
        ),
        "scipy + scikit-learn, area": peer(sample),
    }
    taken = seconds(jobs, rounds=arguments.rounds)
    scale = REPLICATES / PEER_REPLICATES
    theirs = [scale * each for each in taken.pop("scipy + scikit-learn, area")]
    rows = [("job", "median s", "peak MB", "scipy + scikit-learn is slower by")]
    for name, spent in taken.items():
        alike = name.startswith(("band", "area"))
        compared = f"{ratio(theirs, spent):.0f}" if alike else ""
        peak = peak_bytes(jobs[name]) / 1e6
        rows.append((name, f"{statistics.median(spent):.3f}", f"{peak:.0f}", compared))
    show(
        f"{n_items:,} items, {REPLICATES:,} replicates; scipy.stats.bootstrap of "
        f"scikit-learn's AUROC: {statistics.median(theirs):.1f} s (scaled from "
        f"{PEER_REPLICATES} replicates)",
        rows,
    )


if __name__ == "__main__":
    main()
