"""How often intervals of agreement hold the truth, and how wide they are.

Annotators know the true label with some chance, and else draw one. The truth is the
coefficient of very many units. Beside the intervals of `demur` stand those of units, or
clusters, drawn anew (percentiles), which it had before.

Run::

    python benchmarks/agreement_coverage.py [runs] [words of a scenario]
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from harness import machine
from scipy.special import ndtr

from demur.agreement import kappas
from demur.agreement.alphas import cells_of, disagreement
from demur.agreement.annotations import Annotations
from demur.agreement.intervals import clusters_of, score_ends
from demur.agreement.unit_parts import UnitParts, alpha_parts

Array = np.ndarray[Any, Any]
MANY, DRAWS, RUNS = 200_000, 300, 300
SIMPLE = ("nominal", "interval")
KAPPAS = {"Cohen": kappas.cohen, "Fleiss": kappas.fleiss, "Scott": kappas.scott}


@dataclass(frozen=True)
class Scenario:
    """Annotators of units.

    Parameters
    ----------
    name : str
    units : int
    alpha : float
        Of nominal labels that are given by equal annotators.
    shares : tuple of float
        Of labels.
    annotators : int
    clusters : tuple of int
        Their sizes; empty if units are independent.
    missing : float
        Chance that a label is.
    metric : str
    near : bool
        Whether those who do not know say the true label or one beside it.
    coefficient : str
        Which is looked at.
    """

    name: str
    units: int
    alpha: float
    shares: tuple[float, ...] = (0.5, 0.5)
    annotators: int = 2
    clusters: tuple[int, ...] = ()
    missing: float = 0.0
    metric: str = "nominal"
    near: bool = False
    coefficient: str = "alpha"

    def draw(self, rng: np.random.Generator) -> Annotations:
        """One table; labels are numbers from 1."""
        n, cluster = self.units, None
        if self.clusters:
            cluster = np.repeat(np.arange(len(self.clusters)), self.clusters)
        steps = np.cumsum(self.shares)[:-1]
        truth = np.searchsorted(steps, self._luck(rng, cluster))
        rows = []
        for _ in range(self.annotators):
            knows = self._luck(rng, cluster) < np.sqrt(self.alpha)
            guess = np.searchsorted(steps, rng.random(n))
            if self.near:
                guess = truth + rng.integers(-1, 2, n)
                guess = np.clip(guess, 0, len(self.shares) - 1)
            label = np.where(knows, truth, guess)
            rows.append(np.where(rng.random(n) < self.missing, -1, label))
        given = np.array(rows).T >= 0
        unit, annotator = np.nonzero(given)
        return Annotations(
            unit=unit,
            annotator=annotator,
            label=np.array(rows).T[given],
            units=range(n),
            annotators=[f"annotator {k}" for k in range(self.annotators)],
            labels=[label + 1 for label in range(len(self.shares))],
            cluster=cluster,
        )

    def _luck(self, rng: np.random.Generator, cluster: Array | None) -> Array:
        """Uniform numbers, alike within clusters (correlation .3 of normal ones)."""
        if cluster is None:
            return rng.random(self.units)
        common = rng.standard_normal(cluster.max() + 1)[cluster]
        return ndtr(0.3**0.5 * common + 0.7**0.5 * rng.standard_normal(self.units))

    def true(self) -> float:
        """The coefficient of very many units."""
        size = MANY // max(self.units, 1)
        many = replace(self, units=self.units * size, clusters=self.clusters * size)
        found = measured(self, many.draw(np.random.default_rng(99)))
        if found is None:
            raise ValueError(self.name)
        return found[0]


def measured(
    scenario: Scenario, annotations: Annotations
) -> tuple[float, UnitParts] | None:
    """The coefficient of a scenario, and what it is made of; None if undefined."""
    cells = cells_of(annotations)
    if scenario.coefficient != "alpha":
        kappa = KAPPAS[scenario.coefficient](annotations, cells)
        return None if kappa.parts is None else (kappa.value, kappa.parts)
    labels, metric = annotations.labels, scenario.metric
    apart = disagreement(cells, labels, metric)
    if apart.alpha is None:
        return None
    return apart.alpha, alpha_parts(cells, labels, metric, apart)


def drawn_anew(
    scenario: Scenario, annotations: Annotations, rng: np.random.Generator
) -> tuple[float, float] | None:
    """Percentiles of nominal or interval alpha over units, or clusters, drawn anew."""
    cells = cells_of(annotations)
    within = disagreement(cells, annotations.labels, scenario.metric).within
    counts = np.zeros((len(cells.size), cells.n_labels))
    counts[cells.unit, cells.label] = cells.count
    group = np.arange(len(cells.size))
    if annotations.cluster is not None:
        group = np.unique(annotations.cluster[cells.units], return_inverse=True)[1]
    n = group.max() + 1
    weight = rng.multinomial(n, np.full(n, 1 / n), DRAWS)[:, group]
    given = weight @ counts
    total = given.sum(axis=1)
    between = total**2 - np.square(given).sum(axis=1)
    if scenario.metric == "interval":
        values = np.array(annotations.labels, float)
        between = 2 * (total * (given @ values**2) - (given @ values) ** 2)
    with np.errstate(all="ignore"):
        alpha = 1 - (weight @ within / total) / (between / (total * (total - 1)))
    alpha = alpha[between > 1e-9]
    if len(alpha) < 0.95 * DRAWS:
        return None
    low, high = np.quantile(alpha, [0.025, 0.975])
    return float(low), float(high)


FIVE = (0.1, 0.2, 0.4, 0.2, 0.1)
LONG = (0.5, 0.2, 0.1, 0.08, 0.06, 0.04, 0.02)
SCENARIOS = [
    Scenario("alpha .98, 60 units", 60, 0.98),
    Scenario("alpha .95, 30 units", 30, 0.95),
    Scenario("alpha .8, labels 90/10, 30 units", 30, 0.8, (0.9, 0.1)),
    Scenario("alpha .8, labels 97/3, 100 units", 100, 0.8, (0.97, 0.03)),
    Scenario("6 clusters of 10, alpha .8", 60, 0.8, clusters=(10,) * 6),
    Scenario("8 clusters of 10, alpha .6", 80, 0.6, clusters=(10,) * 8),
    Scenario("10 clusters of 10, alpha .9", 100, 0.9, clusters=(10,) * 10),
    Scenario("20 units, mostly all alike (alpha .95)", 20, 0.95),
    Scenario("60 units, alpha .6", 60, 0.6),
    Scenario("60 units, alpha .8", 60, 0.8),
    Scenario("60 units, alpha .9", 60, 0.9),
    Scenario("60 units, alpha .994", 60, 0.994),
    Scenario("8 units, alpha .7", 8, 0.7),
    Scenario("30 units, chance alone", 30, 0.0),
    Scenario("5 annotators, 30 % missing", 40, 0.85, FIVE, 5, missing=0.3),
    Scenario("200 units, 99/1", 200, 0.7, (0.99, 0.01)),
    Scenario("12 clusters of 1 to 30", 102, 0.7,
             clusters=(1, 1, 2, 2, 3, 4, 5, 8, 10, 14, 22, 30)),
    Scenario("interval, 40 units", 40, 0.6, FIVE, metric="interval", near=True),
    Scenario("interval, long tail", 40, 0.8, LONG, metric="interval"),
    Scenario("ordinal, 3 annotators, 40 units", 40, 0.5, LONG, 3, metric="ordinal"),
    Scenario("ordinal, 25 units, near", 25, 0.5, FIVE, metric="ordinal", near=True),
    Scenario("ratio, 40 units", 40, 0.8, LONG, metric="ratio"),
    Scenario("Cohen, 90/10, 40 units", 40, 0.8, (0.9, 0.1), coefficient="Cohen"),
    Scenario("Light, 4 annotators, missing", 40, 0.8, FIVE, 4, missing=0.2,
             coefficient="Cohen"),
    Scenario("Fleiss, 3 annotators, 95/5", 50, 0.8, (0.95, 0.05), 3,
             coefficient="Fleiss"),
    Scenario("Scott, 6 clusters of 10", 60, 0.8, clusters=(10,) * 6,
             coefficient="Scott"),
]  # fmt: skip


def covered(scenario: Scenario, runs: int) -> str:
    """A row of the table: what held, on which side it missed, and widths."""
    rng, truth = np.random.default_rng(1), scenario.true()
    sides, wide, before = np.zeros(3, int), [], []
    while len(wide) < runs:
        annotations = scenario.draw(rng)
        found = measured(scenario, annotations)
        if found is None:  # undefined, and said to be
            continue
        units = cells_of(annotations).units
        cluster = clusters_of(annotations, units, "cluster")
        ends, _ = score_ends(found[1], cluster, 0.95)
        if ends is None:
            raise ValueError(scenario.name)
        sides[int(np.searchsorted([ends[0] - 1e-9, ends[1] + 1e-9], truth))] += 1
        wide.append(ends[1] - ends[0])
        if scenario.coefficient == "alpha" and scenario.metric in SIMPLE:
            old = drawn_anew(scenario, annotations, rng)
            before.append(old or (np.nan, np.nan))
    held = f"{sides[1] / runs:.3f} | {sides[0] / runs:.3f} | {sides[2] / runs:.3f}"
    if not before:
        return (
            f"| {scenario.name} ({truth:.3f}) | - | {held} | -, {np.mean(wide):.3f} |"
        )
    low, high = np.array(before).T
    known = ~np.isnan(low)
    was = np.mean((low[known] <= truth + 1e-9) & (truth - 1e-9 <= high[known]))
    widths = f"{np.mean((high - low)[known]):.3f}, {np.mean(wide):.3f}"
    none = f" ({1 - known.mean():.0%} none)" if not known.all() else ""
    return f"| {scenario.name} ({truth:.3f}) | {was:.3f}{none} | {held} | {widths} |"


def main(runs: int, words: str) -> None:
    """Print a table."""
    print(machine())
    print("| scenario | before | now | too high | too low | width, before and now |")
    print("|---|---|---|---|---|---|")
    wanted: Callable[[Scenario], bool] = lambda one: words in one.name  # noqa: E731
    for scenario in filter(wanted, SCENARIOS):
        print(covered(scenario, runs), flush=True)


if __name__ == "__main__":
    main(int((sys.argv[1:] or [RUNS])[0]), " ".join(sys.argv[2:]))
