"""Differences of error rates on the same items, where few errors or none are seen.

A standard error as seen is tiny where both systems are nearly perfect. The score
interval asks each end of itself how much luck there would be if it were the truth: the
variance is that of the data reweighted until their mean is that end, by empirical
likelihood. For right and wrong answers this is the interval of Tango (1998).
"""

import math
from dataclasses import dataclass
from typing import Final

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
"""Differences of items are taken together in so many classes of equal width."""

UNSEEN: Final = 0.5
"""How many clusters that differ as a whole are added to learn how alike items are."""

STEPS: Final = 50
"""Halvings of the range of a tilt."""


@dataclass(frozen=True, eq=False)
class PairedLosses:
    """By how much system B loses more than system A, item by item.

    Parameters
    ----------
    loss : array of float64, shape (n_items,)
        Loss of B less that of A, about from -1 to 1.
    weight : array of float64, shape (n_items,)
        Above 0.
    cluster : array of int64, shape (n_items,), or None
        The independent units.
    largest : float
        By how much an item that was not seen may differ: 1 for right and wrong answers.
    """

    loss: Floats
    weight: Floats
    cluster: Positions | None = None
    largest: float = 1.0

    @property
    def share(self) -> Floats:
        """What each item weighs of all."""
        return self.weight / self.weight.sum()

    @property
    def mean(self) -> float:
        """B's error less A's."""
        return float(self.share @ self.loss)

    def independent_items(self) -> float:
        """How many items that count alike and are independent would tell as much.

        Kish's number of items for the weights, divided by the design effect of the
        clusters. Where nearly all items agree, the design effect is hardly known: half
        a cluster that differs in all its items is added to what was seen.
        """
        share, mean = self.share, self.mean
        n_items = effective_items(self.weight, len(share))
        if self.cluster is None and np.ptp(self.weight) == 0:
            return n_items
        apart = self.loss - mean
        together = spread(left_out(share * apart, self.weight, self.cluster)) ** 2
        alone = float(share @ apart**2) / n_items
        size = float(np.square(unit_sums(share, self.cluster)).sum())
        together += UNSEEN * size**2
        alone += UNSEEN * size / n_items
        return n_items / max(together / alone, 1.0)


def score_interval(losses: PairedLosses, *, level: float) -> tuple[float, float]:
    """The score interval of the mean difference.

    An end is where (mean - end) ** 2 is Student's t squared times the variance of the
    mean if the end were true.

    Parameters
    ----------
    losses : PairedLosses
        Of at least two independent units.
    level : float

    Returns
    -------
    (low, high) : tuple of float

    References
    ----------
    Tango (1998), Statistics in Medicine 17, 891-908. Owen (2001), Empirical
    Likelihood, on the weights of a constrained mean.

    Examples
    --------
    B fails on 2 of 100 items, A on none; by the spread as seen the upper end is .048:

    >>> loss = np.r_[np.ones(2), np.zeros(98)]
    >>> low, high = score_interval(PairedLosses(loss, np.ones(100)), level=0.95)
    >>> round(low, 4), round(high, 4)
    (-0.0186, 0.0709)
    """
    n_units = (
        len(losses.loss) if losses.cluster is None else int(losses.cluster.max()) + 1
    )
    reach = t_quantile(level, n_units) / math.sqrt(losses.independent_items())
    low, high = (_upper_end(losses, sign, reach) for sign in (-1, 1))
    return -low, high


def _upper_end(losses: PairedLosses, sign: int, reach: float) -> float:
    """The largest mean that lies at most ``reach`` standard deviations above."""
    loss, share = sign * losses.loss, losses.share
    largest = max(losses.largest, float(loss.max()))
    value, weight = _classes(loss, share, largest)
    mean = float(weight @ value)
    least, most = 0.0, 2.0
    for _ in range(STEPS):
        tilt = (least + most) / 2
        end, variance = _tilted(value, weight, largest, tilt)
        near = end - mean <= reach * math.sqrt(max(variance, 0.0)) + ROUNDING
        least, most = (tilt, most) if near else (least, tilt)
    return _tilted(value, weight, largest, least)[0]


def _classes(loss: Floats, share: Floats, largest: float) -> tuple[Floats, Floats]:
    """Mean and weight of the items in each class of nearly equal losses."""
    lowest = float(loss.min())
    width = (largest - lowest) / BINS or 1.0
    classes = np.rint((loss - lowest) / width).astype(np.intp)
    weight = np.bincount(classes, share)
    taken = weight > 0
    value = np.bincount(classes, share * loss)[taken] / weight[taken]
    return value, weight[taken]


def _tilted(
    value: Floats, weight: Floats, largest: float, tilt: float
) -> tuple[float, float]:
    """Mean and variance of the values reweighted by empirical likelihood.

    From 0 to 1 the tilt moves weight towards high values; from 1 to 2 it gives weight
    to the largest value that there can be, whether it was seen or not.
    """
    if tilt < 1:
        weight = weight / (largest - tilt * value)
        weight, unseen = weight / weight.sum(), 0.0
    else:
        room = largest - value
        if not room.min() > 0:
            return largest, 0.0
        unseen = tilt - 1
        weight = weight / room
        weight = (1 - unseen) * weight / weight.sum()
    mean = float(weight @ value) + unseen * largest
    square = float(weight @ value**2) + unseen * largest**2
    return mean, square - mean**2
