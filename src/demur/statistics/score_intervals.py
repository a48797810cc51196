"""Intervals of means that hold where few items differ, or none.

A standard error as seen is tiny where nearly all items agree. The score interval asks
each of its ends how much luck there would be if it were the truth: the variance is that
of the items reweighted until their mean is that end, by empirical likelihood. For the
difference of two systems' errors this is the interval of Tango (1998), for one error
that of Wilson (1927).
"""

import math
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from demur.arrays import Floats, Positions
from demur.statistics.units import (
    ROUNDING,
    effective_items,
    left_out,
    spread,
    t_quantile,
    unit_sums,
)

BINS: Final = 512
"""Values are taken together in so many classes of equal width."""

UNSEEN: Final = 0.5
"""How many clusters that differ as a whole are added to learn how alike items are."""

STEPS: Final = 50
"""Halvings of the range of a tilt."""


@dataclass(frozen=True, eq=False)
class ItemValues:
    """Items whose mean is asked for.

    Parameters
    ----------
    value : array of float64, shape (n_items,)
        Such as the loss of system B less that of A.
    weight : array of float64, shape (n_items,)
        Above 0.
    cluster : array of int64, shape (n_items,), or None
        The independent units, numbered from 0.
    smallest, largest : float
        What an item that was not seen may have.
    beside : float
        The variance of what is added to the mean and does not depend on these items.
    """

    value: Floats
    weight: Floats
    cluster: Positions | None = None
    smallest: float = -1.0
    largest: float = 1.0
    beside: float = 0.0

    @property
    def share(self) -> Floats:
        """What each item weighs of all."""
        share: Floats = self.weight / self.weight.sum()
        return share

    @property
    def mean(self) -> float:
        """The mean as seen."""
        return float(self.share @ self.value)

    @property
    def n_units(self) -> int:
        """Independent units."""
        return len(self.value if self.cluster is None else np.unique(self.cluster))

    def independent_items(self) -> float:
        """How many items that count alike and are independent would tell as much.

        Kish's number of items for the weights, divided by the design effect of the
        clusters. Where nearly all items agree, the design effect is hardly known: half
        a cluster is added to what was seen that differs in all its items as much as
        single ones do.
        """
        share, mean = self.share, self.mean
        n_items = effective_items(self.weight, len(share))
        if self.cluster is None and np.ptp(self.weight) == 0:
            return n_items
        apart = self.value - mean
        together = spread(left_out(share * apart, self.weight, self.cluster)) ** 2
        alone = float(share @ apart**2) / n_items
        size = float(np.square(unit_sums(share, self.cluster)).sum())
        squares = self.value**2
        square = float(share @ squares)
        differs = UNSEEN * (float(share @ squares**2) / square if square else 1.0)
        together += differs * size**2
        alone += differs * size / n_items
        return n_items / max(together / alone, 1.0)


class Score(NamedTuple):
    """What items say of a difference where few of them differ.

    ``low`` and ``high`` are the score interval; ``discordant`` counts the items on
    which only A is wrong, and only B, where every item counts the same and is right or
    wrong, and is None elsewhere.
    """

    low: float
    high: float
    discordant: tuple[int, int] | None


def score_of(items: ItemValues, *, level: float) -> Score:
    """The score interval of a difference of errors, with the items it rests on.

    Examples
    --------
    >>> score_of(ItemValues(np.repeat([0.0, 1.0], [9, 1]), np.ones(10)), level=0.9)[2]
    (0, 1)
    """
    low, high = score_interval(items, level=level)
    whole = np.rint(items.value)
    alike = items.cluster is None and np.ptp(items.weight) == 0
    if not alike or np.abs(items.value - whole).max() > ROUNDING:
        return Score(low, high, None)
    only_a, only_b = np.count_nonzero(whole < 0), np.count_nonzero(whole > 0)
    return Score(low, high, (int(only_a), int(only_b)))


def score_interval(items: ItemValues, *, level: float) -> tuple[float, float]:
    """The score interval of a mean.

    An end is where (mean - end) ** 2 is Student's t squared times the variance of the
    mean if the end were true.

    Parameters
    ----------
    items : ItemValues
        Of at least two independent units.
    level : float
        The share of intervals that hold the truth.

    Returns
    -------
    (low, high) : tuple of float

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22, 209-212. Tango
    (1998), Statistics in Medicine 17, 891-908. Owen (2001), Empirical Likelihood, on
    the weights of a constrained mean.

    Examples
    --------
    B fails on 2 of 100 items, A on none; by the spread as seen the upper end is .048:

    >>> loss = np.r_[np.ones(2), np.zeros(98)]
    >>> low, high = score_interval(ItemValues(loss, np.ones(100)), level=0.95)
    >>> round(low, 4), round(high, 4)
    (-0.0186, 0.0709)
    """
    n_items = items.independent_items()
    reach = t_quantile(level, items.n_units) / math.sqrt(n_items)
    beside = items.beside * n_items
    turned = replace(
        items, value=-items.value, smallest=-items.largest, largest=-items.smallest
    )
    return -_upper_end(turned, reach, beside), _upper_end(items, reach, beside)


def _upper_end(items: ItemValues, reach: float, beside: float) -> float:
    """The largest mean that lies at most ``reach`` standard deviations above."""
    largest = max(items.largest, float(items.value.max()))
    value, weight = _classes(items.value, items.share, largest)
    mean = float(weight @ value)
    if not (value < largest).any():
        return largest
    least, most = 0.0, 2.0
    for _ in range(STEPS):
        tilt = (least + most) / 2
        end, variance = _tilted(value, weight, largest, tilt)
        near = end - mean <= reach * math.sqrt(max(variance, 0.0) + beside) + ROUNDING
        least, most = (tilt, most) if near else (least, tilt)
    return _tilted(value, weight, largest, least)[0]


def _classes(value: Floats, share: Floats, largest: float) -> tuple[Floats, Floats]:
    """Mean and weight of the items in each class of nearly equal values."""
    lowest = float(value.min())
    width = (largest - lowest) / BINS or 1.0
    classes = np.rint((value - lowest) / width).astype(np.intp)
    weights: Floats = np.bincount(classes, share).astype(np.float64)
    taken = weights > 0
    means: Floats = np.bincount(classes, share * value)[taken] / weights[taken]
    return np.minimum(means, largest), weights[taken]


def _tilted(
    value: Floats, weight: Floats, largest: float, tilt: float
) -> tuple[float, float]:
    """Mean and variance of the values reweighted by empirical likelihood.

    Weight goes as 1 / (a + b room), where room is how far a value is below the largest:
    from 0 to 1 the tilt raises b against a, from 1 to 2 it gives weight to the largest
    value that there can be, whether it was seen or not.
    """
    room = largest - value
    if tilt < 1:
        weight = weight / ((1 - tilt) * room.max() + tilt * room)
        unseen = 0.0
    elif room.min() > 0:
        weight = weight / room
        unseen = tilt - 1
    else:
        return largest, 0.0
    weight = (1 - unseen) * weight / weight.sum()
    mean = float(weight @ value) + unseen * largest
    square = float(weight @ value**2) + unseen * largest**2
    return mean, square - mean**2
