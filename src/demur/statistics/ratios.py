"""Ratios of sums over items, such as a word error rate, and means, with intervals."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.units import (
    FEWEST_UNITS,
    ROUNDING,
    left_out,
    spread,
    t_interval,
    t_quantile,
    unit_sums,
)

Ends = tuple[float, float] | None
"""An interval; None where there are too few independent units."""


def ratio_interval(
    numerator: Any,
    denominator: Any,
    cluster: Positions | None,
    level: float,
    *,
    share: bool,
) -> Ends:
    """The interval of sum(numerator) / sum(denominator), over clusters of items.

    Parameters
    ----------
    numerator, denominator : array, shape (n_items,)
        What each item adds above and below.
    cluster : array of int, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    level : float
        Of the interval.
    share : bool
        Whether it is a share, from 0 to 1: then Wilson's interval with as many items as
        would give the standard error, so that it holds near 0 and 1. Else Student's t,
        of the logarithm where nothing is below 0: see `positive_ends`.

    Returns
    -------
    (low, high) or None
        None for a sum of 0, and for fewer than five units that count.

    Examples
    --------
    >>> ends = ratio_interval(np.arange(10) < 2, np.ones(10), None, 0.95, share=True)
    >>> [round(end, 2) for end in ends]
    [0.04, 0.57]
    """
    above, below = np.asarray(numerator, float), np.asarray(denominator, float)
    counted = below > 0 if cluster is None else np.bincount(cluster, below) > 0
    n_units, total = int(counted.sum()), float(below.sum())
    if n_units < FEWEST_UNITS:
        return None
    ratio = float(above.sum() / total)
    moved = left_out((above - ratio * below) / total, below, cluster)
    worth = equal_units(unit_sums(below, cluster)[counted])
    deviation = spread(moved)
    if not share and deviation > ROUNDING and (above >= 0).all():
        rates = unit_sums(above, cluster) / np.maximum(unit_sums(below, cluster), 1.0)
        most = 2 * max(float(rates.max()), ratio, 0.5)
        return positive_ends(ratio, deviation, level=level, worth=worth, most=most)
    if not share:
        low, high = t_interval(ratio, moved, level=level, worth=worth, bounded=False)
        return max(low, 0.0) if (above >= 0).all() else low, high
    n = ratio * (1 - ratio) / deviation**2 if deviation > ROUNDING else worth
    return wilson(ratio, n, t_quantile(level, worth))


def no_intervals(
    rates: Iterable[tuple[str, float | None, Ends]], units: str
) -> Iterator[str]:
    """A note about those, of names with values and intervals, that have no interval.

    Examples
    --------
    >>> [*no_intervals([("turns", 2.0, (1, 3)), ("seconds", 4.0, None)], "dialogues")]
    ['no interval of seconds: fewer than 5 dialogues count']
    """
    ends = {name: interval for name, value, interval in rates if value is not None}
    without = [name for name, interval in ends.items() if interval is None]
    if without:
        of = f" of {', '.join(without)}" if len(without) < len(ends) else ""
        yield f"no interval{of}: fewer than {FEWEST_UNITS} {units} count"


def positive_ends(
    value: float, deviation: float, *, level: float, worth: float, most: float
) -> tuple[float, float]:
    """The interval of a positive number from its standard error, by its logarithm.

    Where some units have many errors and most have few, samples that missed those show
    too small a number along with too small a standard error. Relative to the number it
    hardly shrinks. The logarithm is too low by half of its variance, which is added to
    the upper end alone.

    Parameters
    ----------
    value, deviation : float
        Above 0.
    level, worth : float
        As for `units.t_interval`.
    most : float
        What the upper end does not exceed, at least the value.

    Examples
    --------
    >>> ends = positive_ends(0.05, 0.02, level=0.95, worth=20, most=1.0)
    >>> [round(end, 3) for end in ends]
    [0.022, 0.125]
    """
    relative = deviation / value
    reach = t_quantile(level, worth) * relative
    upwards = reach + relative**2 / 2
    high = value * math.exp(upwards) if upwards < math.log(most / value) else most
    return value * math.exp(-reach), high


def mean_interval(
    figures: Floats, cluster: Positions | None, level: float, *, share: bool = False
) -> Ends:
    """The interval of a mean over items, over clusters.

    Examples
    --------
    >>> ends = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), None, 0.95)
    >>> [round(end, 2) for end in ends]
    [1.56, 5.93]
    """
    return ratio_interval(figures, np.ones(len(figures)), cluster, level, share=share)
