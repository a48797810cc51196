"""Ratios of sums over items, such as a word error rate, and means, with intervals."""

from collections.abc import Callable
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.statistics.intervals import wilson
from demur.statistics.units import (
    FEWEST_UNITS,
    ROUNDING,
    left_out,
    spread,
    t_interval,
    t_quantile,
)

Ends = tuple[float, float] | None
"""An interval; None where there are too few independent units."""


def cluster_interval(
    sums: Floats, function: Callable[[Floats], Any], level: float
) -> Ends:
    """The interval of any figure made of sums over independent units.

    Each unit is left out once; how far that moves the figure says how much luck there
    is in it.

    Parameters
    ----------
    sums : array of float64, shape (n_units, n_sums)
        What each item or cluster adds.
    function : callable
        The figure of sums, shape (..., n_sums).
    level : float

    Returns
    -------
    (low, high) or None
        None where there are too few units.

    Examples
    --------
    >>> import numpy as np
    >>> sums = np.column_stack([np.tile([0.0, 1.0], 20), np.ones(40)])
    >>> low, high = cluster_interval(sums, lambda s: s[..., 0] / s[..., 1], 0.95)
    >>> round(low, 3), round(high, 3)
    (0.338, 0.662)
    """
    if len(sums) < FEWEST_UNITS:
        return None
    total = sums.sum(axis=0)
    value = float(function(total))
    return t_interval(value, value - function(total - sums), level=level)


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
    cluster : array of int, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    level : float
    share : bool
        Whether it is a share, from 0 to 1: then Wilson's interval with as many items as
        would give the standard error, so that it holds near 0 and 1; else Student's t.

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
    if not share:
        low, high = t_interval(ratio, moved, level=level)
        return max(low, 0.0) if (above >= 0).all() else low, high
    deviation = spread(moved)
    n = ratio * (1 - ratio) / deviation**2 if deviation > ROUNDING else float(n_units)
    return wilson(ratio, n, t_quantile(level, n_units))


def mean_interval(
    figures: Floats, cluster: Positions | None, level: float, *, share: bool = False
) -> Ends:
    """The interval of a mean over items, over clusters.

    Examples
    --------
    >>> ends = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), None, 0.95)
    >>> [round(end, 2) for end in ends]
    [1.04, 4.96]
    """
    return ratio_interval(figures, np.ones(len(figures)), cluster, level, share=share)
