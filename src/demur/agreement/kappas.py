"""Coefficients of agreement beside alpha: Cohen, Scott, Fleiss, PARADISE."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from demur.agreement.alphas import NO_PAIRS, ONE_VALUE, LabelCounts, disagreement
from demur.agreement.annotations import Annotations
from demur.agreement.unit_parts import UnitParts, alpha_parts
from demur.arrays import Floats, Positions

NOT_TWO: Final = "it is for two annotators"
UNEQUAL: Final = "it needs equally many labels for each unit; alpha does not"

Pair = tuple[int, int]
"""Positions of two annotators."""

Chance = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""From the shares of labels of two annotators: by how much chance agreement grows with
each share of the first, and of the second. It is half of what both add up to."""


@dataclass(frozen=True)
class Kappa:
    """A coefficient.

    Parameters
    ----------
    value : float or None
        None if it is undefined.
    undefined : str
        Why it is.
    parts : UnitParts or None
        What each unit that has two labels or more adds to it.
    """

    value: float | None
    undefined: str = ""
    parts: UnitParts | None = None


def of_each(rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """Cohen's chance: each annotator draws from their own labels."""
    return columns, rows


def of_both(rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """Scott's chance: both draw from the labels of both."""
    mean: Floats = (rows + columns) / 2
    return mean, mean


def of_second(rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """The chance of PARADISE: both draw from the labels of the second, the key."""
    return np.zeros_like(rows), 2 * columns


@dataclass(frozen=True)
class _Compared:
    """Two annotators: disagreement and what chance expects, on the units of both."""

    place: Positions  # of the units, among those with two labels or more
    apart: Floats
    expected: Floats  # of each unit, to first order
    least: float
    greatest: float


def _compared(
    annotations: Annotations, cells: LabelCounts, pair: Pair, chance: Chance
) -> _Compared | None:
    """What two annotators say of the units that both have labelled; None if none."""
    given = np.full((2, len(annotations.units)), -1)
    for row, who in enumerate(pair):
        rows = annotations.annotator == who
        given[row, annotations.unit[rows]] = annotations.label[rows]
    first, second = given[:, cells.units]
    place = np.flatnonzero((first >= 0) & (second >= 0))
    if not len(place):
        return None
    first, second = first[place], second[place]
    rows, columns = (
        np.bincount(labels, minlength=len(annotations.labels)) / len(place)
        for labels in (first, second)
    )
    by_row, by_column = chance(rows, columns)
    agreed = float(rows @ by_row + columns @ by_column) / 2
    used = (rows > 0) | (columns > 0)
    both = by_row[used] + by_column[used]
    return _Compared(
        place=place,
        apart=(first != second).astype(float),
        expected=1 + agreed - by_row[first] - by_column[second],
        least=float(1 + agreed - by_row.max() - by_column.max()),
        greatest=float(1 + agreed - both.min()),
    )


def kappa(
    annotations: Annotations, cells: LabelCounts, pairs: Sequence[Pair], chance: Chance
) -> Kappa:
    """The mean of (observed - expected) / (1 - expected) over pairs of annotators.

    Parameters
    ----------
    annotations : Annotations
    cells : LabelCounts
        Of these annotations.
    pairs : sequence of (int, int)
        Those without a common unit do not count.
    chance : callable
        What two annotators would agree on by chance.
    """
    listed = (_compared(annotations, cells, pair, chance) for pair in pairs)
    compared = [one for one in listed if one is not None]
    if not compared:
        return Kappa(None, NO_PAIRS)
    means = [(one.apart.mean(), one.expected.mean()) for one in compared]
    if any(expected <= _ROUNDING for _, expected in means):
        return Kappa(None, ONE_VALUE)
    ratios = [float(apart / expected) for apart, expected in means]
    value = 1 - float(np.mean(ratios))
    return Kappa(value, "", _mean_parts(compared, len(cells.units)))


_ROUNDING: Final = 1e-12


def _mean_parts(compared: Sequence[_Compared], n_units: int) -> UnitParts:
    """What units add to the mean over pairs, which to first order is one ratio too."""
    observed, expected = np.zeros(n_units), np.zeros(n_units)
    ratios = [float(one.apart.mean() / one.expected.mean()) for one in compared]
    lost = float(np.mean(ratios))
    ends, most = np.zeros(2), 0.0
    for one, ratio in zip(compared, ratios, strict=True):
        # Each pair counts by its ratio; those that all agree, alike.
        part = ratio / lost if lost else 1.0
        scale = 1 / (one.expected.mean() * len(compared))
        units = n_units / len(one.place)
        observed[one.place] += scale * units * one.apart
        expected[one.place] += part * scale * units * one.expected
        ends += part * scale * np.array([one.least, one.greatest])
        most += scale
    most = max(most, float(observed.max()))
    least, greatest = map(float, ends)
    return UnitParts(observed, expected, np.ones(n_units), least, greatest, most)


def _all_pairs(annotations: Annotations) -> Iterator[Pair]:
    return combinations(range(len(annotations.annotators)), 2)


def cohen(annotations: Annotations, cells: LabelCounts) -> Kappa:
    """Cohen's kappa; of more than two annotators the mean over all pairs (Light).

    References
    ----------
    Cohen (1960), "A coefficient of agreement for nominal scales". Light (1971) for
    the mean.
    """
    return kappa(annotations, cells, list(_all_pairs(annotations)), of_each)


def scott(annotations: Annotations, cells: LabelCounts) -> Kappa:
    """Scott's pi, for two annotators: chance from their common distribution.

    References
    ----------
    Scott (1955), "Reliability of content analysis: the case of nominal scale coding".
    """
    if len(annotations.annotators) != 2:
        return Kappa(None, NOT_TWO)
    return kappa(annotations, cells, [(0, 1)], of_both)


def paradise(
    annotations: Annotations, cells: LabelCounts, key: str, judge: str
) -> Kappa:
    """The kappa of PARADISE: chance from the key alone.

    Parameters
    ----------
    annotations : Annotations
    cells : LabelCounts
        Of these annotations.
    key : str
        The annotator whose labels are the scenario's.
    judge : str
        The other one.

    References
    ----------
    Walker et al. (1997), "PARADISE: a framework for evaluating spoken dialogue agents".
    """
    names = list(annotations.annotators)
    pair = names.index(judge), names.index(key)
    return kappa(annotations, cells, [pair], of_second)


def fleiss(annotations: Annotations, cells: LabelCounts) -> Kappa:
    """Fleiss' kappa, for equally many labels of each unit.

    References
    ----------
    Fleiss (1971), "Measuring nominal scale agreement among many raters".
    """
    if not len(cells.size):
        return Kappa(None, NO_PAIRS)
    if (cells.size != cells.size[0]).any():
        return Kappa(None, UNEQUAL)
    apart = disagreement(cells, annotations.labels, "nominal")
    if apart.alpha is None:
        return Kappa(None, ONE_VALUE)
    labels = annotations.labels
    parts = alpha_parts(cells, labels, "nominal", apart, with_itself=True)
    observed, expected = parts.means
    return Kappa(1 - observed / expected, "", parts)
