"""Rates of groups of items, with intervals, and how far apart groups are.

A rate is a sum over a group's items divided by another: the items, or those answered.
Where items count the same and stand alone the interval is Wilson's; with weights or
clusters its number of items is the effective one, and its quantile is that of t.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import AlikeClusters, Floats
from demur.statistics.equal_units import equal_units

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Design:
    """Which group, weight and cluster each item has.

    Parameters
    ----------
    group : array of int64, shape (n_items,)
        Numbers from 0 to n_groups - 1.
    n_groups : int
        How many groups.
    weight : array of float64, shape (n_items,), or None
        Positive; None is 1 each.
    cluster : array of int64, shape (n_items,), or None
        Numbers from 0 upwards; None if every item stands alone.
    number : array of int64, shape (n_items,), or None
        How many items each row stands for, where they are counted.
    alike : AlikeClusters or None
        Clusters that are counted, in place of ``cluster``.
    """

    group: Codes
    n_groups: int
    weight: Floats | None = None
    cluster: Codes | None = None
    number: Codes | None = None
    alike: AlikeClusters | None = None

    @property
    def units(self) -> tuple[Codes, Floats, Codes | None]:
        """Of each row its unit, and how often it is in it; how many units are alike."""
        if self.alike is not None:
            return self.alike.of, self.alike.inside.astype(float), self.alike.times
        once = np.ones(len(self.group))
        alone = np.arange(len(self.group)) if self.cluster is None else self.cluster
        return alone, once, self.number

    def sums(self, amount: Floats) -> Floats:
        """Weighted sums by group."""
        weighted = amount if self.weight is None else amount * self.weight
        weighted = weighted if self.number is None else weighted * self.number
        sums: Floats = np.bincount(self.group, weighted, self.n_groups).astype(float)
        return sums


@dataclass(frozen=True, eq=False)
class GroupedRate:
    """One rate in every group.

    Parameters
    ----------
    amount, base : arrays of float64, shape (n_groups,)
        Weighted numerators and denominators.
    share : array of float64, shape (n_groups,)
        The rates; NaN where the denominator is empty.
    size : array of float64, shape (n_groups,)
        Effective number of items.
    freedom : array of float64, shape (n_groups,)
        Degrees of freedom, infinite for independent items that count the same.
    residual : tuple of arrays (group, cluster, value), or None
        What each cluster adds to the deviation of each group's rate; None if no
        cluster reaches into two groups.
    """

    amount: Floats
    base: Floats
    share: Floats
    size: Floats
    freedom: Floats
    residual: tuple[Codes, Codes, Floats] | None = None

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Wilson's interval of each group's rate; [0, 1] where nothing is known.

        Parameters
        ----------
        level : float
            Two-sided, such as 0.95.
        """
        known = (self.base > 0) & (self.freedom > 0)
        share, size = np.where(known, self.share, 0.0), np.where(known, self.size, 1.0)
        square = _quantile(level, np.where(known, self.freedom, 1.0)) ** 2
        middle = (share + square / (2 * size)) / (1 + square / size)
        spread = np.sqrt(square * (share * (1 - share) + square / (4 * size)) / size)
        half = spread / (1 + square / size)
        # At a share of 0 or 1 an end is that share exactly.
        low = np.where(known & (share > 0), np.maximum(middle - half, 0.0), 0.0)
        high = np.where(known & (share < 1), np.minimum(middle + half, 1.0), 1.0)
        return np.minimum(low, share), np.where(known, np.maximum(high, share), 1.0)


def grouped_rate(amount: Floats, counted: Floats, design: Design) -> GroupedRate:
    """A rate in every group.

    Parameters
    ----------
    amount : array of float64, shape (n_items,)
        What each item adds to the numerator, from 0 to ``counted``.
    counted : array of float64, shape (n_items,)
        1 for items in the denominator, else 0.
    design : Design
        Groups, weights and clusters.

    Returns
    -------
    GroupedRate

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22; Korn and
    Graubard (1998), Survey Methodology 24, for the effective number of items.

    Examples
    --------
    >>> import numpy as np
    >>> wrong, group = np.array([1.0, 0, 0, 1, 0, 0]), np.array([0, 0, 0, 1, 1, 1])
    >>> rate = grouped_rate(wrong, np.ones(6), Design(group, 2))
    >>> rate.share.round(3), rate.interval(0.95)[0].round(3)
    (array([0.333, 0.333]), array([0.061, 0.061]))
    """
    base, total = design.sums(counted), design.sums(amount)
    share = np.divide(total, base, out=np.full(len(base), np.nan), where=base > 0)
    alone = design.cluster is None and design.alike is None
    if design.weight is None and alone:
        return GroupedRate(total, base, share, base, np.full(len(base), np.inf))
    return _with_design(total, base, share, (amount, counted), design)


def _with_design(
    total: Floats,
    base: Floats,
    share: Floats,
    items: tuple[Floats, Floats],
    design: Design,
) -> GroupedRate:
    """Effective sizes by the spread of clusters' (or weighted items') residuals."""
    amount, counted = items
    weight = np.ones(len(amount)) if design.weight is None else design.weight
    cluster, inside, times = design.units
    known = np.where(np.isnan(share), 0.0, share)
    inverse = np.divide(1.0, base, out=np.zeros(len(base)), where=base > 0)
    residual = inside * weight * (amount - known[design.group] * counted)
    rows = counted > 0
    wide = int(cluster.max()) + 1
    key, place = np.unique(
        design.group[rows] * wide + cluster[rows], return_inverse=True
    )
    group = key // wide
    residual = np.bincount(place, residual[rows], len(key)) * inverse[group]
    mass: Floats = np.bincount(place, (inside * weight)[rows], len(key)).astype(float)
    order = np.cumsum(np.bincount(group, minlength=len(base)))[:-1]  # keys rise
    often = np.ones(len(key), np.int64) if times is None else times[key % wide]
    both = zip(np.split(mass, order), np.split(often, order), strict=True)
    worth = np.array([equal_units(one, number=number) for one, number in both])
    kept = 1 - mass * inverse[group]  # of a unit's deviation, after the mean is taken
    moved = np.divide(residual**2, kept, out=np.zeros(len(key)), where=kept > 0)
    variance = np.bincount(group, moved * often, len(base))
    squares = np.bincount(group, mass**2 * often, len(base))
    # Where residuals show no spread, count clusters by their weight (Kish).
    size = np.divide(base**2, squares, out=np.ones(len(base)), where=squares > 0)
    spread = known * (1 - known)
    np.divide(spread, variance, out=size, where=(variance > 0) & (spread > 0))
    number = None if design.number is None else design.number[rows]
    size = np.minimum(size, np.bincount(design.group[rows], number, len(base)))
    shared = len(np.unique(key % wide)) < len(key)
    apart = (group, key % wide, residual) if shared else None
    return GroupedRate(total, base, share, size, worth - 1.0, apart)


def _quantile(level: float, freedom: Floats) -> Floats:
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    finite = np.isfinite(freedom)
    t = stdtrit(np.where(finite, np.maximum(freedom, 1.0), 1.0), upper)
    quantiles: Floats = np.where(finite, t, float(ndtri(upper)))
    return quantiles


# -- gaps --------------------------------------------------------------------------


@dataclass(frozen=True)
class Widest:
    """The largest difference between the rates of two groups.

    Parameters
    ----------
    high, low : int
        The groups with the highest and the lowest rate.
    difference : float
        Between their rates.
    interval : tuple (low, high)
        Covers the largest true difference between any two groups.
    pairs : int
        How many pairs of groups it takes into account.
    """

    high: int
    low: int
    difference: float
    interval: tuple[float, float]
    pairs: int


def widest_gap(rate: GroupedRate, groups: Codes, *, level: float) -> Widest | None:
    """The largest gap between groups, with a simultaneous interval.

    Every pair of groups gets an interval at a level that holds for all pairs
    together (Bonferroni); the largest true gap lies between the greatest lower and
    the greatest upper end.

    Parameters
    ----------
    rate : GroupedRate
        One rate in every group.
    groups : array of int64
        The groups to compare.
    level : float
        Two-sided, for all pairs together.

    Returns
    -------
    Widest or None
        None if fewer than two groups have the rate.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, method 10, for the difference of two
    rates; Zou and Donner (2008), Statistics in Medicine 27, for correlated ones.

    Examples
    --------
    >>> import numpy as np
    >>> wrong = np.repeat([1.0, 0, 1, 0], [56, 14, 48, 32])
    >>> group = np.repeat([0, 1], [70, 80])
    >>> rate = grouped_rate(wrong, np.ones(150), Design(group, 2))
    >>> gap = widest_gap(rate, np.arange(2), level=0.95)
    >>> round(gap.difference, 4), [round(end, 4) for end in gap.interval]
    (0.2, [0.0524, 0.3339])
    """
    groups = groups[rate.base[groups] > 0]
    if len(groups) < 2:
        return None
    pairs = len(groups) * (len(groups) - 1) // 2
    low, high = (ends[groups] for ends in rate.interval(1 - (1 - level) / pairs))
    share = rate.share[groups]
    below, above = share - low, high - share
    least, most = 0.0, 0.0  # each pair's interval is that of Zou and Donner's MOVER
    for row in range(len(groups)):
        alike = _correlation(rate, groups, row)
        apart = share[row] - share
        down = below[row] ** 2 + above**2 - 2 * alike * below[row] * above
        up = above[row] ** 2 + below**2 - 2 * alike * above[row] * below
        others = np.arange(len(groups)) != row
        least = max(least, float((apart - np.sqrt(np.maximum(down, 0)))[others].max()))
        most = max(most, float((apart + np.sqrt(np.maximum(up, 0)))[others].max()))
    first, last = int(np.argmax(share)), int(np.argmin(share))
    difference = float(share[first] - share[last])
    interval = (least, min(1.0, most))
    return Widest(int(groups[first]), int(groups[last]), difference, interval, pairs)


def _correlation(rate: GroupedRate, groups: Codes, row: int) -> Floats:
    """How a group's rate varies with each other's, through clusters they share."""
    if rate.residual is None:
        return np.zeros(len(groups))
    group, cluster, value = rate.residual
    n_groups = len(rate.base)
    values_of_group = np.zeros(int(cluster.max()) + 1)
    mine = group == groups[row]
    values_of_group[cluster[mine]] = value[mine]
    with_own = np.bincount(group, value * values_of_group[cluster], n_groups)
    alone = np.sqrt(np.bincount(group, value**2, n_groups))
    product = alone[groups[row]] * alone
    alike = np.divide(with_own, product, out=np.zeros(n_groups), where=product > 0)
    correlations: Floats = np.clip(alike, -1.0, 1.0)[groups]
    return correlations
