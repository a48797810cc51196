"""Intervals of alpha: units, clusters of units, or annotators drawn again."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.agreement.alphas import LabelCounts, cells_of, disagreement
from demur.agreement.annotations import Annotations
from demur.agreement.distances import Distances, Metric
from demur.arrays import Floats, Positions
from demur.statistics.resampling import draws
from demur.statistics.units import t_quantile

RESAMPLED: Final = ("unit", "cluster", "annotator")
FEW: Final = 2
"""Of fewer units, or annotators, there is no interval."""

_MOST_UNDEFINED: Final = 0.05  # of the draws

Interval = tuple[tuple[float, float] | None, str]
"""The ends of an interval, or None and why there is none."""


def alpha_interval(
    annotations: Annotations,
    metric: Metric,
    *,
    resample: str,
    level: float,
    replicates: int,
    seed: int,
) -> Interval:
    """An interval of alpha, or None and why there is none.

    Units, or whole clusters of them, are drawn with replacement and alpha is computed
    anew, with the chance agreement of the draw (percentiles). Annotators are left out
    one by one (jackknife, Student's t): drawn twice, an annotator would agree with
    himself.

    References
    ----------
    Gwet (2014), "Handbook of inter-rater reliability", and Hughes (2022),
    arXiv:2210.13265: units are drawn. Drawing single pairs of labels, as is customary,
    gives intervals that are far too narrow.
    """
    cells = cells_of(annotations)
    if resample == "annotator":
        return _without_each(annotations, metric, level)
    group = _groups(annotations, cells, resample)
    n_groups = int(group.max()) + 1 if len(group) else 0
    if n_groups < FEW:
        return None, f"{n_groups} {resample}s show no spread"
    parts = _Parts(cells, annotations.labels, metric)
    blocks = draws(n_groups, replicates, seed)
    values = parts.alphas(block[:, group].astype(float) for block in blocks)
    values = values[~np.isnan(values)]
    if len(values) < (1 - _MOST_UNDEFINED) * replicates:
        return None, "in many draws all labels are alike"
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return (float(low), float(high)), ""


def _groups(annotations: Annotations, cells: LabelCounts, resample: str) -> Positions:
    """The group of each unit that has two labels or more."""
    if resample == "unit" or annotations.cluster is None:
        return np.arange(len(cells.units))
    return np.unique(annotations.cluster[cells.units], return_inverse=True)[1]


class _Parts:
    """What alpha is made of, so that weights of units give it again."""

    def __init__(self, cells: LabelCounts, labels: Any, metric: Metric) -> None:
        from scipy import sparse

        self.cells, self.labels, self.metric = cells, labels, metric
        shape = (len(cells.size), cells.n_labels)
        entries = (cells.count, (cells.unit, cells.label))
        self.counts = sparse.csr_matrix(entries, shape)
        self.within = disagreement(cells, labels, metric).within
        self.distances = None
        if metric != "nominal":
            self.distances = Distances(metric, labels, cells.marginals())

    def alphas(self, weights: Iterable[Floats]) -> Floats:
        """Alpha under weights of units; NaN if undefined.

        Parameters
        ----------
        weights : iterable of array, shape (n_draws, n_units)
            How often each unit is drawn, in blocks of draws.
        """
        blocks: list[Any] = []
        for weight in weights:
            marginals = np.asarray((self.counts.T @ weight.T).T)
            n = marginals.sum(axis=1)
            if self.metric == "ordinal":
                rows = zip(weight, marginals, strict=True)
                pairs = np.array([self._ordinal(*row) for row in rows])
                blocks.append((n, pairs[:, 0], pairs[:, 1], None))
                continue
            between = self._between(marginals, n)
            kept = marginals if between is None else None
            blocks.append((n, weight @ self.within, between, kept))
        numbers, withins, betweens, counts = zip(*blocks, strict=True)
        n, within = np.concatenate(numbers), np.concatenate(withins)
        if betweens[0] is None:
            between = self._of_all_pairs(np.concatenate(counts))
        else:
            between = np.concatenate(betweens)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (within / n) / (between / (n * (n - 1)))
        alphas: Floats = np.where(between > 0, 1 - ratio, np.nan)
        return alphas

    def _between(self, marginals: Floats, n: Floats) -> Floats | None:
        """Distances of all ordered pairs, of each draw, where there is a formula."""
        if self.distances is None:
            nominal: Floats = n * n - np.square(marginals).sum(axis=1)
            return nominal
        if self.metric == "interval":
            values = self.distances.values
            total = marginals @ values
            interval: Floats = 2 * (n * (marginals @ values**2) - total**2)
            return interval
        return None

    def _of_all_pairs(self, marginals: Floats) -> Floats:
        """The same from the distances themselves, each computed once."""
        sums: Floats = np.zeros(len(marginals))
        if self.distances is not None:
            for rows, block in self.distances.rows():
                sums += ((marginals[:, rows] @ block) * marginals).sum(axis=1)
        return sums

    def _ordinal(self, weight: Floats, marginals: Floats) -> tuple[float, float]:
        """The ranks are those of the draw."""
        distances = Distances("ordinal", self.labels, marginals)
        values = distances.values
        mean = (marginals @ values) / marginals.sum()
        off = values - mean
        between = 2 * marginals.sum() * (marginals @ (off * off))
        cells = self.cells
        n_units = len(cells.size)
        moments = cells.count * off[cells.label]
        total = np.bincount(cells.unit, moments, n_units)
        squares = np.bincount(cells.unit, moments * off[cells.label], n_units)
        within = 2 * (cells.size * squares - total**2) / (cells.size - 1)
        return float(weight @ within), float(between)


def _without_each(annotations: Annotations, metric: Metric, level: float) -> Interval:
    """Alpha without each annotator in turn."""
    n = len(annotations.annotators)
    if n <= FEW:
        return None, f"{n} annotators: without one there is nobody to agree with"
    others = list(without_each(annotations, metric))
    whole = disagreement(cells_of(annotations), annotations.labels, metric).alpha
    known = [alpha for alpha in others if alpha is not None]
    if whole is None or len(known) < n:
        return None, "without one annotator alpha is undefined"
    # Tukey's pseudo-values, whose mean takes away bias of the order 1 / n.
    pseudo = n * whole - (n - 1) * np.array(known)
    reach = t_quantile(level, n) * float(pseudo.std(ddof=1)) / np.sqrt(n)
    centre = float(pseudo.mean())
    return (centre - reach, min(centre + reach, 1.0)), ""


def without_each(annotations: Annotations, metric: Metric) -> Iterator[float | None]:
    """Alpha without each annotator in turn."""
    for who in range(len(annotations.annotators)):
        kept = annotations.annotator != who
        others = replace(
            annotations,
            unit=annotations.unit[kept],
            annotator=annotations.annotator[kept],
            label=annotations.label[kept],
        )
        yield disagreement(cells_of(others), annotations.labels, metric).alpha
