"""Krippendorff's alpha from counts of labels by unit; nothing here knows of names."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.agreement.annotations import Annotations
from demur.agreement.distances import Distances, Metric
from demur.arrays import Floats, Positions

ONE_VALUE: Final = "all labels are alike, so none could have differed by chance"
NO_PAIRS: Final = "no unit has two labels to compare"


@dataclass(frozen=True)
class LabelCounts:
    """How often each label was given to each unit that has two labels or more.

    Parameters
    ----------
    unit, label : array of int, shape (n_cells,)
        Units in the order in which they stand, numbered anew.
    count : array of float, shape (n_cells,)
        How many annotators gave the unit this label.
    size : array of float, shape (n_units,)
        Labels of each unit.
    units : array of int, shape (n_units,)
        Which of the annotations' units they are.
    n_labels : int
        Different labels in all.
    """

    unit: Positions
    label: Positions
    count: Floats
    size: Floats
    units: Positions
    n_labels: int

    def marginals(self, weight: Floats | None = None) -> Floats:
        """How often each label was given, to units with two labels or more."""
        counted = self.count if weight is None else self.count * weight[self.unit]
        return np.bincount(self.label, counted, self.n_labels).astype(float)


def cells_of(annotations: Annotations) -> LabelCounts:
    """Count labels by unit; a unit with one label has nothing to compare."""
    n_labels = max(len(annotations.labels), 1)
    sizes = np.bincount(annotations.unit, minlength=max(len(annotations.units), 1))
    pairable = sizes >= 2
    # Short integers are sorted in half the time.
    short = len(sizes) * n_labels < 2**31
    number: Any = (np.cumsum(pairable) - 1).astype(np.int32 if short else np.int64)
    number[~pairable] = -1
    key = number[annotations.unit]
    kept = key >= 0
    key *= n_labels
    key += annotations.label
    key = key[kept]
    key.sort()
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(key) else key
    count = np.diff(np.append(starts, len(key)))
    cell = key[starts] if len(key) else key
    return LabelCounts(
        unit=cell // n_labels,
        label=cell % n_labels,
        count=count.astype(float),
        size=sizes[pairable].astype(float),
        units=np.flatnonzero(pairable),
        n_labels=n_labels,
    )


@dataclass(frozen=True)
class Disagreement:
    """What alpha is made of.

    Parameters
    ----------
    within : array, shape (n_units,)
        Of each unit: the distances of all its ordered pairs / (labels - 1).
    n : float
        Labels in all.
    between : float
        The distances of all ordered pairs of labels, whichever unit they are of.
    """

    within: Floats
    n: float
    between: float

    @property
    def observed(self) -> float | None:
        """The mean distance of two labels of one unit."""
        return float(self.within.sum() / self.n) if self.n else None

    @property
    def expected(self) -> float | None:
        """The mean distance of two labels, drawn from all."""
        return float(self.between / (self.n * (self.n - 1))) if self.n > 1 else None

    @property
    def alpha(self) -> float | None:
        """1 - observed / expected; None if that is undefined."""
        if self.observed is None or not self.expected:
            return None
        return 1 - self.observed / self.expected

    @property
    def undefined(self) -> str:
        """Why there is no alpha."""
        if self.alpha is not None:
            return ""
        return ONE_VALUE if self.n else NO_PAIRS


def disagreement(cells: LabelCounts, labels: Any, metric: Metric) -> Disagreement:
    """Observed and expected disagreement under one metric.

    Closed forms for nominal, ordinal and interval; the others look at pairs of labels.

    References
    ----------
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability".
    """
    counts = cells.marginals()
    n = float(counts.sum())
    if metric == "nominal":
        same = np.bincount(cells.unit, cells.count**2, len(cells.size))
        within = (cells.size**2 - same) / (cells.size - 1)
        return Disagreement(within, n, float(n * n - np.square(counts).sum()))
    distances = Distances(metric, labels, counts)
    if metric in ("ordinal", "interval") and n:
        values = distances.values
        within = _spread(cells, values, cells.size) / (cells.size - 1)
        return Disagreement(within, n, _spread_of(values, counts))
    return Disagreement(pair_sums(cells, distances), n, _between(distances, counts))


def _spread(cells: LabelCounts, values: Floats, size: Floats) -> Floats:
    """Of each unit the squared differences of all ordered pairs."""
    n_units = len(size)
    total = np.bincount(cells.unit, cells.count * values[cells.label], n_units)
    off = values[cells.label] - (total / size)[cells.unit]
    squares: Floats = (
        2 * size * np.bincount(cells.unit, cells.count * off * off, n_units)
    )
    squares[np.bincount(cells.unit, minlength=n_units) == 1] = 0.0  # not rounded
    return squares


def _spread_of(values: Floats, counts: Floats) -> float:
    n, given = counts.sum(), counts > 0
    if not np.ptp(values[given]):  # and no rounding of their mean
        return 0.0
    off = values[given] - (counts @ values) / n
    return float(2 * n * (counts[given] @ (off * off)))


def _between(distances: Distances, counts: Floats) -> float:
    blocks = ((counts[rows] @ block) @ counts for rows, block in distances.rows())
    return float(sum(blocks))


def pair_sums(cells: LabelCounts, distances: Distances) -> Floats:
    """Of each unit the distances of all its ordered pairs / (labels - 1)."""
    sums = np.zeros(len(cells.size))
    for first, second in pairs_within(cells.unit):
        apart = distances.pairs(cells.label[first], cells.label[second])
        both = cells.count[first] * cells.count[second] * apart
        sums += np.bincount(cells.unit[first], both, len(sums))
    return 2 * sums / (cells.size - 1)


def pairs_within(unit: Positions) -> Iterator[tuple[Positions, Positions]]:
    """Positions of all pairs of rows of one unit; rows are sorted by unit.

    Neighbours come first, then rows that are two apart, as long as a unit is so long:
    each step is one pass over arrays, however many pairs there are.
    """
    step = 1
    while True:
        first = np.arange(max(len(unit) - step, 0))
        first = first[unit[first] == unit[first + step]]
        if not len(first):
            return
        yield first, first + step
        step += 1
