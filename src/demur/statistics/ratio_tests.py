"""Differences of two ratios of sums over the same items, such as act precisions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers, Positions
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.sign_tests import (
    mcnemar_exact,
    share_of_flips,
    wilcoxon_signed_rank,
)
from demur.statistics.units import (
    FEWEST_UNITS,
    ROUNDING,
    agreeing,
    spread,
    t_interval,
    t_quantile,
    unit_sums,
)

TESTS = ("sign_flip", "mcnemar", "wilcoxon")


@dataclass(frozen=True)
class RatioDifference:
    """How far apart two ratios are, and whether that is luck.

    Parameters
    ----------
    difference : float
        The second less the first.
    interval : (float, float) or None
        By influence, over units; None with fewer than five.
    p_value : float
        Two-sided.
    n_units : int
        Independent units: clusters, or items that count.
    """

    difference: float
    interval: tuple[float, float] | None
    p_value: float
    n_units: int
    n_items: int


Ratio = tuple[Floats, Floats]
"""Numerators and denominators of the items."""


def ratio_difference(
    a: Ratio,
    b: Ratio,
    cluster: Positions | None,
    *,
    level: float = 0.95,
    test: str = "sign_flip",
    replicates: int = 2000,
    seed: int = 0,
) -> RatioDifference:
    """Compare two ratios of sums over the same items.

    Parameters
    ----------
    a, b : (array, array), each of shape (n_items,)
        Numerators and denominators.
    cluster : array of int, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    level : float
        Of the interval.
    test : {"sign_flip", "mcnemar", "wilcoxon"}
        ``sign_flip`` exchanges the two within units and takes both ratios anew, which
        is a flip of signs if the denominators agree; exact up to 12 units. ``mcnemar``
        is exact, for items that are 0 or 1. ``wilcoxon`` ranks the units' differences
        of numerators, and needs equal denominators.
    replicates, seed : int
        Of random exchanges, of more than 12 units.

    Returns
    -------
    RatioDifference

    Examples
    --------
    >>> one = np.ones(8)
    >>> found = ratio_difference((one * 0, one), (one, one), None)
    >>> found.difference, found.p_value
    (1.0, 0.0078125)
    """
    (top_a, below_a), (top_b, below_b) = a, b
    used = (below_a != 0) | (below_b != 0)
    ratio_a = float(top_a.sum() / below_a.sum())
    ratio_b = float(top_b.sum() / below_b.sum())
    amounts = top_a, below_a, top_b, below_b
    units = [_of_units(items, cluster, used) for items in amounts]
    n_units = len(units[0])
    shares = units[1] / units[1].sum(), units[3] / units[3].sum()
    interval = None
    # A unit that has all of a denominator cannot be left out.
    if max(float(share.max()) for share in shares) < 1:
        interval = cluster_interval(
            np.column_stack(units), _apart, level, weight=shares[0] + shares[1]
        )
    if test == "mcnemar":
        apart = top_b - top_a
        p_value = mcnemar_exact(int((apart > 0).sum()), int((apart < 0).sum()))
    elif test == "wilcoxon":
        p_value = wilcoxon_signed_rank(units[2] - units[0])
    else:
        p_value = _exchanged(units, abs(ratio_b - ratio_a), replicates, seed)
    if interval is not None:
        interval = agreeing(interval, ratio_b - ratio_a, rejects=p_value <= 1 - level)
    return RatioDifference(
        ratio_b - ratio_a, interval, p_value, n_units, int(np.count_nonzero(used))
    )


def cluster_interval(
    sums: Floats,
    function: Callable[[Floats], Any],
    level: float,
    *,
    weight: Floats | None = None,
    bounded: bool = True,
    share: bool = False,
) -> tuple[float, float] | None:
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
        Of the intervals.
    weight : array of float64, shape (n_units,), optional
        What each counts in the figure, less than all; by default the same.
    bounded : bool
        As for `no_spread`.
    share : bool
        As for `ratios.ratio_interval`: Wilson's, of a figure from 0 to 1.

    Returns
    -------
    (low, high) or None
        None where there are too few units, or where a share of 0 or 1 rests on one.

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
    total, n_units = sums.sum(axis=0), len(sums)
    value, weight = (
        float(function(total)),
        np.ones(n_units) if weight is None else weight,
    )
    # Leaving one out overstates what a large one moves: see `left_out`.
    kept = (1 - weight / weight.sum()) * n_units / (n_units - 1)
    moved = (value - function(total - sums)) * np.sqrt(kept)
    worth = equal_units(weight)
    if share:
        deviation = spread(moved)
        if value in (0, 1) and deviation > ROUNDING:
            return None
        n = value * (1 - value) / deviation**2 if deviation > ROUNDING else worth
        return wilson(value, n, t_quantile(level, worth))
    return t_interval(value, moved, level=level, worth=worth, bounded=bounded)


def _apart(sums: Floats) -> Any:
    """The second ratio less the first."""
    return sums[..., 2] / sums[..., 3] - sums[..., 0] / sums[..., 1]


def _of_units(amounts: Floats, cluster: Positions | None, used: Floats) -> Floats:
    """Sums over clusters that hold an item which counts, or such items."""
    counted = unit_sums(used.astype(float), cluster) > 0
    sums: Floats = unit_sums(amounts, cluster)[counted]
    return sums


def _exchanged(units: list[Floats], apart: float, replicates: int, seed: int) -> float:
    """Share of exchanges of a and b within units that set the ratios as far apart."""
    top_a, below_a, top_b, below_b = units

    def extreme(flips: Numbers) -> int:
        more, longer = flips @ (top_b - top_a), flips @ (below_b - below_a)
        first = _over(top_a.sum() + more, below_a.sum() + longer)
        second = _over(top_b.sum() - more, below_b.sum() - longer)
        return int(np.count_nonzero(np.abs(second - first) >= apart - ROUNDING))

    return share_of_flips(extreme, len(top_a), replicates, seed)


def _over(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return ratio
