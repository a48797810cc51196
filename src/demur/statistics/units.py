"""Independent units of a sample, and intervals of means that hold where few differ.

Units are clusters, or items without them; by how much each moves an estimate gives its
standard error, and where few of them differ what may have been missed widens it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur.arrays import (
    Clusters,
    Flags,
    Floats,
    Positions,
    Sample,
    effective_items,
    summed,
)
from demur.arrays import (
    unit_sums as unit_sums,
)
from demur.arrays import (
    units_counted as units_counted,
)
from demur.errors import UndefinedRate
from demur.statistics.equal_units import equal_units

ROUNDING = 1e-12

FEWEST_UNITS = 5
"""With fewer there is no interval and no test: their spread says next to nothing."""

LEAST_EFFECTIVE = 1.5
"""Nor if their weights make them worth so few by Kish (one has 80 % of all)."""


# -- independent units -----------------------------------------------------------------


def check_units(where: str, sample: Sample) -> None:
    """Raise `UndefinedRate` if there are too few independent units.

    Examples
    --------
    >>> check_units("interval", Sample(np.ones(3, bool), np.ones(3), np.ones(3)))
    Traceback (most recent call last):
    ...
    demur.errors.UndefinedRate: interval: too few items (3): how much they vary is not
    known. At least 5 independent ones are needed.
    """
    cluster = sample.clusters
    n_units, clustered = sample.n_clusters, cluster is not None
    if n_units < FEWEST_UNITS:
        raise UndefinedRate(f"{too_few(n_units, clustered=clustered)}", where=where)
    if sample.weight is None and not clustered:
        return
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    weight, number = unit_sums(weight, cluster), units_counted(cluster, sample.number)
    if effective_items(weight, n_units, number) < LEAST_EFFECTIVE:
        unit = "cluster" if clustered else "item"
        share = weight.max() / summed(weight, number)
        what = "items" if sample.weight is None else "weight"
        raise UndefinedRate(
            f"one {unit} has {100 * share:.3g} % of all {what}, so how much the others "
            f"vary says nothing. {unit.capitalize()}s more alike are needed.",
            where=where,
        )


def too_few(n_units: int, *, clustered: bool) -> str:
    """What to say of so few units."""
    return (
        f"too few {'clusters' if clustered else 'items'} ({n_units}): how much they "
        f"vary is not known. At least {FEWEST_UNITS} independent ones are needed."
    )


def left_out(
    influence: Floats,
    weight: Floats,
    cluster: Clusters,
    number: Positions | None = None,
) -> Floats:
    """By how much each unit moves the estimate, its own pull undone.

    A unit with a large share of all weight pulls the estimate towards itself, so its
    influence is less than what it differs by; by the root of 1 - share if its variance
    goes as its share (Bell and McCaffrey). Of equal units it is what leaving each out
    would change; of unequal ones that would overstate the large.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
        By how much each item moves the estimate, to first order.
    weight : array of float64, shape (n_items,)
        Of the items in the estimate.
    cluster : array of int64, shape (n_items,), or AlikeClusters, or None
        Numbers from 0; None if every item stands alone.
    number : array of int64, shape (n_items,), or None
        How many items are like each, where they are counted.

    Returns
    -------
    array of float64, shape (n_units,)
    """
    share = unit_sums(weight / summed(weight, number), cluster)
    units = units_counted(cluster, number)
    n_units = len(share) if units is None else int(units.sum())
    if n_units < 2:
        raise UndefinedRate(
            "one item or cluster alone shows no spread. At least two "
            "independent ones are needed.",
            where="standard_error",
        )
    kept = (1 - share) * (n_units - 1) / n_units
    moved: Floats = unit_sums(influence, cluster) / np.sqrt(kept)
    return moved


def spread(moved: Floats, number: Positions | None = None) -> float:
    """Standard error from the units' `left_out` values, or from those of the jackknife.

    With units of equal weight it is sqrt(C/(C-1) sum of squared influences); number
    says how many units have each value, where they are counted.
    """
    n_units = len(moved) if number is None else int(number.sum())
    return math.sqrt((n_units - 1) / n_units * summed(np.square(moved), number))


# -- few units -----------------------------------------------------------------------


def t_quantile(level: float, n_units: float) -> float:
    """Two-sided quantile of Student's t with n_units - 1 degrees of freedom.

    Of unequal units, as many as `equal_units.equal_units` says.

    Examples
    --------
    >>> round(t_quantile(0.95, 10), 3)
    2.262
    """
    from scipy.special import stdtrit

    return float(stdtrit(n_units - 1, (1 + level) / 2))


def agreeing(
    ends: tuple[float, float], value: float, *, rejects: bool
) -> tuple[float, float]:
    """An interval of a difference that holds 0 just where its test does not reject.

    Examples
    --------
    >>> agreeing((-0.3, 0.1), -0.1, rejects=True)
    (-0.3, 0.0)
    >>> agreeing((0.1, 0.3), 0.2, rejects=False)
    (0.0, 0.3)
    """
    low, high = ends
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if value > 0 else (low, min(high, 0.0))


def t_interval(
    value: float,
    moved: Floats,
    *,
    level: float,
    worth: float | None = None,
    bounded: bool = True,
) -> tuple[float, float]:
    """A number ± t standard errors, from the units' `left_out` values.

    Where all units agree it is that of `no_spread`, which says what `bounded` is.
    ``worth`` is how many equal units they are worth, by default as many as there are.

    Examples
    --------
    >>> [round(end, 4) for end in t_interval(0.0, np.array([0.1, -0.1]), level=0.95)]
    [-1.2706, 1.2706]
    """
    deviation, worth = spread(moved), len(moved) if worth is None else worth
    if deviation <= ROUNDING:
        return no_spread(value, level=level, n_units=worth, bounded=bounded)
    reach = t_quantile(level, worth) * deviation
    return value - reach, value + reach


def no_spread(
    value: float, *, level: float, n_units: float, bounded: bool = True
) -> tuple[float, float]:
    """Interval of a number when all units agree.

    A share of units that behave otherwise, and was missed, is at most
    1 - ((1 - level) / 2) ** (1 / n_units).

    Parameters
    ----------
    value : float
        What all units agree on.
    level : float
        Of the intervals.
    n_units : float
        How many; effective ones need not be whole.
    bounded : bool
        Whether it is from -1 to 1, as shares and their differences are. What nothing
        bounds (a word error rate, bits, seconds) might be anything in a missed unit;
        it is taken to differ there by as much as the number itself, at least by 1.

    Examples
    --------
    >>> [round(end, 4) for end in no_spread(0.0, level=0.95, n_units=100)]
    [-0.0362, 0.0362]
    """
    reach = -math.expm1(math.log((1 - level) / 2) / n_units)
    if not bounded:
        reach *= max(1.0, abs(value))
        return value - reach, value + reach
    return max(value - reach, -1.0), min(value + reach, 1.0)


# -- few items that differ -----------------------------------------------------------
#
# A standard error as seen is tiny where nearly all items agree. The score interval asks
# each of its ends how much luck there would be if it were the truth: the variance is
# that of the items reweighted until their mean is that end, by empirical likelihood.

BINS: Final = 512  # classes of equal width in which values are taken together
STEPS: Final = 50  # halvings of the range of a tilt
FEW_CLASSES: Final = 64  # of these many tilts are tried at once
UNSEEN: Final = 0.5
"""How many clusters that differ as a whole are added to learn how alike items are."""


@dataclass(frozen=True, eq=False)
class ItemValues:
    """Items whose mean is asked for.

    Parameters
    ----------
    value : array of float64, shape (n_items,)
        Such as the loss of system B less that of A.
    weight : array of float64, shape (n_items,)
        Above 0.
    cluster : array of int64, shape (n_items,), or AlikeClusters, or None
        The independent units, numbered from 0.
    smallest, largest : float
        What an item that was not seen may have.
    beside : float
        The variance of what is added to the mean and does not depend on these items.
    seen : float, optional
        The variance of the mean as the clusters show it; by default that of `left_out`.
    units : float, optional
        How many equal units they are worth; by default as `equal_units` says.
    items : float, optional
        How many items of equal weight they are, where each stands for several of one
        cluster; by default Kish's number.
    number : array of int64, shape (n_items,), or None
        How many items are like each, where they are counted.
    """

    value: Floats
    weight: Floats
    cluster: Clusters = None
    smallest: float = -1.0
    largest: float = 1.0
    beside: float = 0.0
    seen: float | None = None
    units: float | None = None
    items: float | None = None
    number: Positions | None = None

    @property
    def share(self) -> Floats:
        """What each item, or all that are counted as one, weighs of all."""
        weight = self.weight if self.number is None else self.weight * self.number
        share: Floats = weight / weight.sum()
        return share

    @property
    def mean(self) -> float:
        """The mean as seen."""
        return float(self.share @ self.value)

    @property
    def n_units(self) -> int:
        """Independent units."""
        units = units_counted(self.cluster, self.number)
        if units is not None:
            return int(units.sum())
        cluster = self.cluster
        return len(
            np.unique(cluster) if isinstance(cluster, np.ndarray) else self.value
        )

    @property
    def worth(self) -> float:
        """How many equal units they are worth; at least two."""
        units = self.units
        if units is None and self.cluster is None and np.ptp(self.weight) == 0:
            units = float(self.n_units)
        if units is None:
            number = units_counted(self.cluster, self.number)
            units = equal_units(self.weight, self.cluster, number=number)
        return max(units, 2.0)

    @property
    def turned(self) -> "ItemValues":
        """The same with the other sign."""
        ends = -self.largest, -self.smallest
        return replace(self, value=-self.value, smallest=ends[0], largest=ends[1])

    def independent_items(self) -> float:
        """How many items that count alike and are independent would tell as much.

        Kish's number of items for the weights, divided by the design effect of the
        clusters. Where nearly all items agree, the design effect is hardly known: half
        a cluster is added to what was seen that differs in all its items as much as
        single ones do, and the less of it the more of the clusters differ somewhere.
        """
        number, units = self.number, units_counted(self.cluster, self.number)
        n_items = self.items or effective_items(self.weight, len(self.value), number)
        if self.cluster is None and np.ptp(self.weight) == 0:
            return n_items
        if self.n_units < 2:
            return 1.0
        share, apart = self.share, self.value - self.mean
        squares = share @ apart**2, share @ self.value**2, share @ self.value**4
        share = share if number is None else share / number
        seen = self.seen
        if seen is None:
            moved = left_out(share * apart, self.weight, self.cluster, number)
            seen = spread(moved, units) ** 2
        size = summed(np.square(unit_sums(share, self.cluster)), units)
        unseen = UNSEEN
        if self.seen is None and squares[0] > 0:
            differing = unit_sums(share * apart**2, self.cluster) / squares[0]
            unseen *= max(1 - size / summed(np.square(differing), units), 0.0) ** 2
        return float(independent(n_items, seen, size, *squares, unseen=unseen))


def independent(
    n_items: Any,
    seen: Any,
    size: Any,
    apart: Any,
    square: Any,
    fourth: Any,
    *,
    unseen: float = UNSEEN,
) -> Any:
    """How many independent items tell as much: see `ItemValues.independent_items`.

    Parameters
    ----------
    n_items, seen, size : float or array
        Kish's number, for the weights; the variance of the mean, as clusters show it;
        the sum of squares of the clusters' shares.
    apart, square, fourth : float or array
        Means of the values' squares about their mean and about 0, and of fourth powers.
    unseen : float
        How many clusters that differ as a whole are added.
    """
    differs = unseen * np.where(square > 0, fourth / np.where(square > 0, square, 1), 1)
    together = seen + differs * size**2
    alone = (apart + differs * size) / n_items
    return n_items / np.maximum(together / alone, 1.0)


class ScoreEnds(NamedTuple):
    """What items say of a difference where few of them differ.

    ``low`` and ``high`` are the score interval; ``discordant`` counts the items on
    which only A is wrong, and only B, where every item counts the same and is right or
    wrong, and is None elsewhere.
    """

    low: float
    high: float
    discordant: tuple[int, int] | None


def score_of(items: ItemValues, *, level: float) -> ScoreEnds:
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
        return ScoreEnds(low, high, None)
    only_a, only_b = (summed(flags, items.number) for flags in (whole < 0, whole > 0))
    return ScoreEnds(low, high, (int(only_a), int(only_b)))


def score_interval(items: ItemValues, *, level: float) -> tuple[float, float]:
    """The score interval of a mean.

    An end is where (mean - end) ** 2 is Student's t squared times the variance of the
    mean if the end were true.

    Parameters
    ----------
    items : ItemValues
        Of independent units, taken for as many equal ones as they are worth; one alone
        for two.
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
    reach = t_quantile(level, items.worth) / math.sqrt(n_items)
    beside = items.beside * n_items
    return -_upper_end(items.turned, reach, beside), _upper_end(items, reach, beside)


def score_p(items: ItemValues, *, mean: float = 0.0) -> float:
    """The two-sided p value that items have a mean, as their score interval has it.

    Parameters
    ----------
    items : ItemValues
        Of at least two independent units.
    mean : float
        What the mean truly is, if there is only luck.

    Returns
    -------
    float
        1 - level for the level whose `score_interval` ends at the mean.

    Examples
    --------
    Wilson's test that a rate of 8 in 10 is truly a half, by Student's t:

    >>> right = np.repeat([1.0, 0.0], [8, 2])
    >>> round(score_p(ItemValues(right, np.ones(10), smallest=0.0), mean=0.5), 3)
    0.09
    """
    from scipy.special import stdtr

    if mean < items.mean:
        items, mean = items.turned, -mean
    classes = _classes(items)
    tilt = _last_tilt(lambda tilt: tilted(*classes, tilt)[0] <= mean, len(classes[0]))
    variance = tilted(*classes, np.array([tilt]))[1][0]
    n_items = items.independent_items()
    apart = mean - items.mean
    error = math.sqrt(max(float(variance), 0.0) / n_items + items.beside)
    if apart <= ROUNDING:
        return 1.0
    return 2 * float(stdtr(items.worth - 1, -apart / error)) if error else 0.0


def _upper_end(items: ItemValues, reach: float, beside: float) -> float:
    """The largest mean that lies at most ``reach`` standard deviations above."""
    classes = _classes(items)
    near = _nearness(*classes, np.array([reach]), np.array([beside]))
    tilt = np.array([_last_tilt(near, len(classes[0]))])
    return float(tilted(*classes, tilt)[0][0])


def _last_tilt(near: Callable[[Floats], Flags], n_classes: int) -> float:
    """The largest tilt that is near, where all that are smaller are near."""
    # Many tilts of few classes cost no more than one, and fewer rounds are needed.
    bits = 5 if n_classes <= FEW_CLASSES else 2
    steps = np.arange(1, 2**bits)
    least, width = 0.0, 2.0
    for _ in range(0, STEPS, bits):
        width /= 2**bits
        is_near = near(least + width * steps)
        least += width * (len(steps) if is_near.all() else int(is_near.argmin()))
    return least


def _classes(items: ItemValues) -> tuple[Floats, Floats, Floats]:
    """Mean and weight of the items in classes of nearly equal values, and the largest.

    The shapes are those of one column of `upper_ends`.
    """
    value, share = items.value, items.share
    largest, lowest = max(items.largest, float(value.max())), float(value.min())
    width = (largest - lowest) / BINS or 1.0
    classes = np.rint((value - lowest) / width).astype(np.intp)
    weights: Floats = np.bincount(classes, share).astype(np.float64)
    taken = weights > 0
    means: Floats = np.bincount(classes, share * value)[taken] / weights[taken]
    means = np.minimum(means, largest)
    return means[:, None], weights[taken][:, None], np.array([largest])


def upper_ends(
    value: Floats, weight: Floats, largest: Floats, reach: Floats, beside: Floats
) -> Floats:
    """The largest means at most ``reach`` standard deviations above those seen.

    Parameters
    ----------
    value, weight : array of float64, shape (n_classes, n_means)
        Of each class of items, for each mean; the weights add up to 1.
    largest : array of float64, shape (n_means,)
        Values that are not exceeded.
    reach : array of float64, shape (n_means,)
        Student's t over the root of the number of independent items.
    beside : array of float64, shape (n_means,)
        The variance of what is added, times that number.

    Returns
    -------
    array of float64, shape (n_means,)
    """
    near = _nearness(value, weight, largest, reach, beside)
    least, most = np.zeros(len(largest)), np.full(len(largest), 2.0)
    for _ in range(STEPS):
        tilt = (least + most) / 2
        is_near = near(tilt)
        least, most = np.where(is_near, tilt, least), np.where(is_near, most, tilt)
    return tilted(value, weight, largest, least)[0]


def _nearness(
    value: Floats, weight: Floats, largest: Floats, reach: Floats, beside: Floats
) -> Callable[[Floats], Flags]:
    """Whether tilted means lie within reach of those seen, as `upper_ends` has it."""
    mean = (weight * value).sum(axis=0)

    def near(tilt: Floats) -> Flags:
        end, variance = tilted(value, weight, largest, tilt)
        deviation = np.sqrt(np.maximum(variance, 0.0) + beside)
        is_near: Flags = end - mean <= reach * deviation + ROUNDING
        return is_near

    return near


def tilted(
    value: Floats, weight: Floats, largest: Floats, tilt: Floats
) -> tuple[Floats, Floats]:
    """Means and variances of values reweighted by empirical likelihood.

    Weight goes as 1 / (a + b room), where room is how far a value is below the largest:
    from 0 to 1 the tilt raises b against a, from 1 to 2 it gives weight to the largest
    value that there can be, whether it was seen or not. The shapes are those of
    `upper_ends`.
    """
    room = np.where(weight > 0, largest - value, 0.0)
    by_room = np.minimum(tilt, 1.0)
    divisor = (1 - by_room) * room.max(axis=0) + by_room * room
    at_largest = (weight > 0) & (divisor <= 0)
    tilted_weight = weight / np.where(divisor > 0, divisor, 1.0)
    total = tilted_weight.sum(axis=0)
    # Where the largest value was seen, it has all weight from a tilt of 1 on.
    full = at_largest.any(axis=0)
    unseen = np.where(full, 1.0, np.maximum(tilt - 1, 0.0))
    part = (1 - unseen) / np.where(total > 0, total, 1.0) * tilted_weight
    mean = (part * value).sum(axis=0) + unseen * largest
    square = (part * value**2).sum(axis=0) + unseen * largest**2
    return mean, square - mean**2
