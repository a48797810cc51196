"""Error rates from verdicts that are themselves noisy, and a part that people judged.

Nothing here knows of tables: losses by the judge for all items, and by people for some.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, effective_items
from demur.results import Result, ends_of
from demur.statistics.units import (
    ROUNDING,
    ItemValues,
    score_interval,
    t_quantile,
    unit_sums,
)

LEAST_VARIANCE = 1e-15
"""A variance below is rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedRate(Result):
    """A rate with an interval.

    Parameters
    ----------
    value, low, high : float
        From 0 to 1.
    """

    SAYS = "The rate is {value}, and truly from {low} to {high}."

    value: float
    low: float
    high: float

    interval = property(ends_of)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What the judge says of all items, and people of some, at one cutoff.

    Parameters
    ----------
    judge : array of float, shape (n_items,)
        Losses, if answered.
    people : array of float, shape (n_items,)
        Losses; looked at where labelled.
    labelled : array of bool, shape (n_items,)
        Whether people have judged an item.
    answered : array of float, shape (n_items,)
        1 if answered, 0 if not; in between for an item that is answered at random.
    cluster : array of int, shape (n_items,)
        Independent units, numbered from 0.
    slope : float
        What the judge's error changes by as more is declined: 0 for a cutoff that is
        given, the loss of the guesses at the cutoff for one that is read off a
        nonreturn. It counts as much more or less as the error does by people.
    weight : array of float, shape (n_items,), or None
        How many items each labelled one stands for, up to a factor; None if all were
        drawn with one probability.
    alone : bool
        Whether there is no judge: its losses are 0.
    """

    judge: Floats
    people: Floats
    labelled: Flags
    answered: Floats
    cluster: Any
    slope: float = 0.0
    weight: Floats | None = None
    alone: bool = False

    @property
    def n_units(self) -> int:
        """Independent units among the items that are labelled and answered."""
        return len(np.unique(self.cluster[self.labelled & (self.answered > 0)]))

    @property
    def share(self) -> float:
        """Answered items / all items."""
        return float(np.mean(self.answered))

    @property
    def raw(self) -> float:
        """The error over all items as the judge has it."""
        return float(np.mean(self.judge * self.answered))

    @property
    def label_weight(self) -> Floats:
        """How many items each stands for, up to a factor."""
        return np.ones(len(self.judge)) if self.weight is None else self.weight

    @property
    def drawn_unequally(self) -> bool:
        """Whether labels stand for unequal numbers of items."""
        if self.weight is None or not self.labelled.any():
            return False
        return bool(np.ptp(self.weight[self.labelled]))

    def mean(self, values: Floats, weight: Floats) -> tuple[float, Floats]:
        """A weighted mean over items, and what each item moves it by."""
        total = weight.sum()
        if not total:
            return 0.0, np.zeros(len(weight))
        mean = float(values @ weight / total)
        return mean, weight * (values - mean) / total

    def moved(self, among: float, moved: Floats) -> Floats:
        """What each item moves the error over all items by.

        Parameters
        ----------
        among : float
            The error among answered items.
        moved : array of float, shape (n_items,)
            What each item moves that by.
        """
        more = (self.answered - self.share) / len(self.answered)
        raw = among * self.share if self.alone else self.raw
        slope = min(self.slope * among * self.share / raw, 1.0) if raw else 0
        return self.share * moved + (among - slope) * more

    def spread(self, moved: Floats) -> float:
        """The standard error of an estimate, from what each item moves it by."""
        return unit_deviation(unit_sums(moved, self.cluster), self.n_units)

    def values(self, value: Floats, weight: Floats, smallest: float) -> ItemValues:
        """Items with some weight, as their mean is bounded."""
        rows = weight > 0
        names, cluster = np.unique(self.cluster[rows], return_inverse=True)
        units = cluster if len(names) < len(cluster) else None
        items = ItemValues(value[rows], weight[rows], units, smallest, 1.0)
        if not rows.any():
            return items
        items = replace(items, seen=unit_variance(items), units=items.n_units)
        if self.drawn_unequally:
            items = replace(items, items=items_drawn_well(items))
        return items


def unit_deviation(moved: Floats, n_units: int) -> float:
    """The standard error, from what each cluster moves an estimate by."""
    return float(np.sqrt(n_units / max(n_units - 1, 1) * (moved @ moved)))


def items_drawn_well(items: ItemValues) -> float:
    """How many items of one weight tell as much, where weights follow from a draw.

    Kish's number takes heavy items to differ as much as light ones do. Where labels
    were drawn more often among items that differ more, they differ less: then it is
    what the variance as seen says, and may be more than there are labels. Heavy items
    that differ and were not drawn are missing from that;
    `ItemValues.independent_items` adds half of one.

    Examples
    --------
    Heavy labels agree, light ones differ:

    >>> light, heavy = np.tile([0.0, 1.0], 10), np.zeros(20)
    >>> weight = np.repeat([1.0, 9.0], 20)
    >>> found = ItemValues(np.append(light, heavy), weight)
    >>> round(items_drawn_well(found)), round(effective_items(weight, 40))
    (145, 24)
    """
    kish = effective_items(items.weight, len(items.value))
    apart = items.value - items.mean
    square = float(np.square(items.share * apart).sum())
    if square <= ROUNDING**2:
        return kish
    return max(float(items.share @ apart**2) / square, kish)


def unit_variance(items: ItemValues) -> float:
    """The variance of a mean, from what each cluster moves it by."""
    moved = unit_sums(items.share * (items.value - items.mean), items.cluster)
    return unit_deviation(moved, items.n_units) ** 2


@dataclass(frozen=True, eq=False)
class Correction:
    """The error among answered items, as people's labels and the judge have it.

    Parameters
    ----------
    verdicts : Verdicts
        Whose error it is.
    among : float
        The error among answered items.
    moved : array of float, shape (n_items,)
        What each item moves it by.
    items : ItemValues
        The labelled items: the loss by people less as much of the judge's as is known
        for all items.
    trust : float
        How much of the estimate is the judge: 0 is people alone.
    labels : array of float, shape (n_items,)
        How many answered items each labelled one stands for, up to a factor.
    of_labels : array of float, shape (n_items,)
        What each labelled item adds to the error over all items.
    """

    verdicts: Verdicts
    among: float
    moved: Floats
    items: ItemValues
    trust: float
    labels: Floats
    of_labels: Floats

    @property
    def error(self) -> float:
        """The error over all items, from 0 to the share that is answered."""
        return min(max(self.among, 0.0), 1.0) * self.verdicts.share

    @property
    def most(self) -> float:
        """What one labelled item that stands for one can add to that error."""
        return self.verdicts.share / max(float(self.labels.sum()), LEAST_VARIANCE)

    def rate(self, level: float) -> CorrectedRate:
        """The error over all items and its interval.

        The score interval of the labelled items, and beside it the variance of what is
        known of the others and of which items are answered. At a cutoff as many items
        more may be answered as luck has it, so that the error may lie above the share
        that is answered here, though not above it among the answered.
        """
        verdicts, share = self.verdicts, self.verdicts.share
        among = min(max(self.among, 0.0), 1.0)
        if not len(self.items.value) or not share:
            return CorrectedRate(among * share, 0.0, share)
        whole = verdicts.spread(verdicts.moved(among, self.moved)) / share
        items = replace(self.items, beside=self.beside(whole))
        ends = score_interval(items, level=level)
        known = self.among - items.mean
        low, high = (min(max(known + end, 0.0), 1.0) for end in ends)
        low, high = min(low, among), max(high, among)
        if not verdicts.slope:  # a nonreturn says how many are answered
            reach = t_quantile(level, items.worth) * items.beside**0.5
            high = min(max(high, among + reach), 1 / share)
        return CorrectedRate(among * share, share * low, share * high)

    def beside(self, whole: float) -> float:
        """The variance of all that is not in the labelled items."""
        return max(whole**2 - unit_variance(self.items), 0.0)


def corrected(verdicts: Verdicts, trust: float | None = None) -> Correction:
    """The mean of (people - t judge) over labelled items, + t judge over all.

    Items are answered ones, and weigh what they stand for.

    Parameters
    ----------
    verdicts : Verdicts
        At one cutoff.
    trust : float, optional
        The t; by default the slope of people on the judge among labelled items, and
        among two more, on each of which one of both alone is wrong: a judge who agreed
        with few labels is not taken for one who always does.

    Returns
    -------
    Correction
    """
    answered, judge = verdicts.answered, verdicts.judge
    weight = answered * verdicts.label_weight * verdicts.labelled
    total, everything = float(weight.sum()), float(answered.sum())
    others = bool((answered * ~verdicts.labelled).any())
    slope = trust_of(verdicts, weight) if trust is None else trust
    slope *= total > 0 and others
    off, by_off = verdicts.mean(verdicts.people - slope * judge, weight)
    known, by_known = verdicts.mean(slope * judge, answered)
    # What a labelled item adds to the mean of the judge over all items is its own.
    counted = np.divide(total, everything * verdicts.label_weight)
    value = verdicts.people - slope * (1 - counted) * judge
    seen = float((answered * verdicts.labelled).sum()) / everything if everything else 1
    return Correction(
        verdicts,
        among=off + known,
        moved=by_off + by_known,
        items=verdicts.values(value, weight, -slope),
        trust=slope * (1 - seen),
        labels=weight,
        of_labels=weight * value * (verdicts.share / total if total else 0.0),
    )


def trust_of(verdicts: Verdicts, weight: Floats) -> float:
    """The slope of people on the judge, with two items more: see `corrected`."""
    n = int(np.count_nonzero(weight))
    if not n:
        return 0.0
    weight = weight * (n / weight.sum())
    people, judge = verdicts.people, verdicts.judge
    sums = (weight @ people, weight @ judge, weight @ (people * judge))
    return float(slope_of(n, *sums, weight @ judge**2))


def slope_of(n: Any, people: Any, judge: Any, both: Any, square: Any) -> Any:
    """The slope from sums over n labelled items, and two more: see `corrected`."""
    first, second = (people + 1) / (n + 2), (judge + 1) / (n + 2)
    covariance = both / (n + 2) - first * second
    return np.clip(covariance / ((square + 1) / (n + 2) - second**2), 0.0, 1.0)


def labelled_only(verdicts: Verdicts, level: float) -> CorrectedRate:
    """What people alone say."""
    return corrected(verdicts, trust=0.0).rate(level)


def prediction_powered(verdicts: Verdicts, level: float) -> tuple[CorrectedRate, float]:
    """The judge's rate, moved by how far it is off where people have judged.

    That of `corrected`. Nearly unbiased whatever the judge, if the labelled items are
    drawn at random. Times the share that is answered, which is known.

    Returns
    -------
    estimate : CorrectedRate
    trust : float
        How much of it is the judge.

    References
    ----------
    Angelopoulos et al. (2023), "Prediction-powered inference", Science 382; and, for
    the t, "PPI++: efficient prediction-powered inference" (2023).
    """
    found = corrected(verdicts)
    return found.rate(level), found.trust


def rogan_gladen(verdicts: Verdicts, level: float) -> CorrectedRate | None:
    """The rate that a judge of this sensitivity and specificity would see as it does.

    With s and f, the shares of truly wrong and of truly right answers that the judge
    calls wrong, among answered items (judge's rate - f) / (s - f). None if people found
    no right or no wrong answer, or s is not above f. The interval adds to each of the
    three shares what was not seen: a judge who agrees with all labels may still err.

    References
    ----------
    Rogan and Gladen (1978), "Estimating prevalence from the results of a screening
    test", American Journal of Epidemiology 107. Lang and Reiczigel (2014), "Confidence
    limits for prevalence of disease adjusted for estimated sensitivity and
    specificity", Preventive Veterinary Medicine 113, equations for the interval.
    """
    weight = verdicts.answered * verdicts.label_weight * verdicts.labelled
    wrong, right = weight * (verdicts.people > 0.5), weight * (verdicts.people <= 0.5)
    if not wrong.any() or not right.any():
        return None
    parts = [(verdicts.judge, verdicts.answered), (verdicts.judge, wrong)]
    parts.append((1 - verdicts.judge, right))
    shares = [verdicts.mean(*part) for part in parts]
    (seen, by_seen), (hit, by_hit), (passed, by_passed) = shares
    if hit + passed <= 1:
        return None
    among = min(max((seen + passed - 1) / (hit + passed - 1), 0.0), 1.0)
    moved = (by_seen + (1 - among) * by_passed - among * by_hit) / (hit + passed - 1)
    beside = verdicts.spread(verdicts.moved(among, moved)) / verdicts.share
    more = max(beside**2 - verdicts.spread(moved) ** 2, 0.0)
    numbers = [verdicts.values(*part, 0.0).independent_items() for part in parts]
    z = t_quantile(level, max(verdicts.n_units, 2))
    (q, n_q), (s, n_s), (p, n_p) = (
        ((n * rate + add / 2) / (n + add), n + add)
        for (rate, _), n, add in zip(shares, numbers, (z * z, 2, 2), strict=True)
    )
    apart = s + p - 1
    if apart <= 0:
        return CorrectedRate(among * verdicts.share, 0.0, verdicts.share)
    middle = (q + p - 1) / apart
    by_s, by_p = s * (1 - s) / n_s, p * (1 - p) / n_p
    variance = q * (1 - q) / n_q + middle**2 * by_s + (1 - middle) ** 2 * by_p
    moved_middle = middle + 2 * z * z * (middle * by_s - (1 - middle) * by_p)
    reach = z * np.sqrt(variance / apart**2 + more)
    low, high = max(moved_middle - reach, 0.0), min(moved_middle + reach, 1.0)
    low, high = min(float(low), among), max(float(high), among)
    share = verdicts.share
    return CorrectedRate(among * share, low * share, high * share)


def unlike(verdicts: Verdicts, figures: Floats) -> float:
    """The p value that labelled and other answered items have one mean of a figure.

    By Student's t over clusters; small if the labelled items were not drawn at random.

    Parameters
    ----------
    figures : array of float, shape (n_items,)
        Such as the judge's losses.
    """
    from scipy.special import stdtr

    answered = verdicts.answered
    first, by_first = verdicts.mean(figures, answered * verdicts.labelled)
    second, by_second = verdicts.mean(figures, answered * ~verdicts.labelled)
    deviation = verdicts.spread(by_first - by_second)
    others = bool((verdicts.answered * ~verdicts.labelled).any())
    if not others or deviation**2 <= LEAST_VARIANCE or verdicts.n_units < 2:
        return 1.0
    t = abs(first - second) / deviation
    return 2 * float(stdtr(verdicts.n_units - 1, -t))


def labels_for(verdicts: Verdicts, level: float, half_width: float) -> int | None:
    """About how many labels give a prediction-powered interval of this half-width.

    None if no number does, since the unlabelled items alone leave more, or if all
    labelled items agree.
    """
    found = corrected(verdicts)
    items = found.items
    if not len(items.value):
        return None
    labels = verdicts.share**2 * unit_variance(items)
    whole = verdicts.spread(verdicts.moved(found.among, found.moved))
    wanted = (half_width / t_quantile(level, max(verdicts.n_units, 2))) ** 2
    left = wanted - max(whole**2 - labels, 0.0)
    if left <= 0 or labels <= LEAST_VARIANCE:
        return None
    return int(np.ceil(int(verdicts.labelled.sum()) * labels / left))
