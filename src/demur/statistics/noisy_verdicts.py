"""Error rates from verdicts that are themselves noisy, and a part that people judged.

Nothing here knows of tables: losses by the judge for all items, and by people for some.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats
from demur.results import Result, ends_of
from demur.statistics.intervals import wilson
from demur.statistics.units import t_quantile, unit_sums

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
    """

    judge: Floats
    people: Floats
    labelled: Flags
    answered: Floats
    cluster: Any
    slope: float = 0.0

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

    def mean(self, values: Floats, rows: Flags) -> tuple[float, Floats]:
        """A mean over some answered items, and what each item moves it by."""
        weight = self.answered * rows
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
        slope = min(self.slope * among * self.share / self.raw, 1.0) if self.raw else 0
        return self.share * moved + (among - slope) * more

    def spread(self, moved: Floats) -> float:
        """The standard error of an estimate, from what each item moves it by."""
        return unit_deviation(unit_sums(moved, self.cluster), self.n_units)

    def rate(self, among: float, moved: Floats, level: float) -> CorrectedRate:
        """The error over all items and its interval, from that among answered ones."""
        among = min(max(among, 0.0), 1.0)
        errors = self.spread(moved), self.spread(self.moved(among, moved))
        low, high = rate_interval(among, self.share, errors, self.n_units, level)
        return CorrectedRate(among * self.share, low, high)


def unit_deviation(moved: Floats, n_units: int) -> float:
    """The standard error, from what each cluster moves an estimate by."""
    return float(np.sqrt(n_units / max(n_units - 1, 1) * (moved @ moved)))


def rate_interval(
    among: float, share: float, errors: tuple[float, float], n: int, level: float
) -> tuple[float, float]:
    """The interval of an error over all items, from that among answered ones.

    Wilson's interval, with as many items as would give the standard error, so that it
    holds where there are few errors.

    Parameters
    ----------
    among, share : float
        The error among answered items, and their share of all.
    errors : tuple of two float
        The standard errors of the first, and of the product. Where all labelled items
        agree, the first is taken for that of a share of half an item.
    n : int
        Independent units that are labelled and answered; of none, nothing is known.
    level : float
        Of the intervals.
    """
    if not n or not share:
        return 0.0, share
    inside = min(max(among, 0.5 / n), 1 - 0.5 / n)
    variance, unseen = errors[1] ** 2, inside * (1 - inside)
    if errors[0] ** 2 <= LEAST_VARIANCE:
        variance += share**2 * unseen / n
    effective = unseen * share**2 / variance
    low, high = wilson(among, effective, t_quantile(level, max(n, 2)))
    return share * low, share * high


def labelled_only(verdicts: Verdicts, level: float) -> CorrectedRate:
    """What people alone say."""
    among, moved = verdicts.mean(verdicts.people, verdicts.labelled)
    return verdicts.rate(among, moved, level)


def prediction_powered(verdicts: Verdicts, level: float) -> tuple[CorrectedRate, float]:
    """The judge's rate, moved by how far it is off where people have judged.

    Among answered items, mean of (people - t judge) over the labelled ones + t times
    the mean of the judge over the others, with the t from 0 to 1 of the least variance
    over clusters: 0 is people alone. Nearly unbiased whatever the judge, if the
    labelled items are drawn at random. Times the share that is answered, which is
    known.

    Returns
    -------
    estimate : CorrectedRate
    trust : float
        The t.

    References
    ----------
    Angelopoulos et al. (2023), "Prediction-powered inference", Science 382; and, for
    the t, "PPI++: efficient prediction-powered inference" (2023).
    """
    among, moved, trust = powered(verdicts)
    return verdicts.rate(among, moved, level), trust


def powered(verdicts: Verdicts) -> tuple[float, Floats, float]:
    """The error among answered items, what each item moves it by, and the trust."""
    rest = ~verdicts.labelled
    people, by_people = verdicts.mean(verdicts.people, verdicts.labelled)
    seen, by_seen = verdicts.mean(verdicts.judge, verdicts.labelled)
    unseen, by_unseen = verdicts.mean(verdicts.judge, rest)
    by_judge = by_unseen - by_seen
    first, second = (
        unit_sums(moved, verdicts.cluster) for moved in (by_people, by_judge)
    )
    # The trust of the least variance: minus the covariance over the variance.
    size = float(second @ second)
    both = bool((verdicts.answered * rest).any()) and size > LEAST_VARIANCE
    trust = min(max(-float(first @ second) / size, 0.0), 1.0) if both else 0.0
    value = people + trust * (unseen - seen)
    return min(max(value, 0.0), 1.0), by_people + trust * by_judge, trust


def rogan_gladen(verdicts: Verdicts, level: float) -> CorrectedRate | None:
    """The rate that a judge of this sensitivity and specificity would see as it does.

    With s and f, the shares of truly wrong and of truly right answers that the judge
    calls wrong, among answered items (judge's rate - f) / (s - f). None if people found
    no right or no wrong answer, or s is not above f. Standard errors by the delta
    method, over clusters.

    References
    ----------
    Rogan and Gladen (1978), "Estimating prevalence from the results of a screening
    test", American Journal of Epidemiology 107; Lang and Reiczigel (2014) for why the
    errors of s and f must be in the interval.
    """
    known = verdicts.labelled & (verdicts.answered > 0)
    wrong, right = known & (verdicts.people > 0.5), known & (verdicts.people <= 0.5)
    if not wrong.any() or not right.any():
        return None
    seen, by_seen = verdicts.mean(verdicts.judge, np.ones(len(known), bool))
    hit, by_hit = verdicts.mean(verdicts.judge, wrong)
    false, by_false = verdicts.mean(verdicts.judge, right)
    if hit <= false:
        return None
    among = (seen - false) / (hit - false)
    moved = by_seen - (1 - among) * by_false - among * by_hit
    return verdicts.rate(float(among), moved / (hit - false), level)


def unlike(verdicts: Verdicts, figures: Floats) -> float:
    """The p value that labelled and other answered items have one mean of a figure.

    By Student's t over clusters; small if the labelled items were not drawn at random.

    Parameters
    ----------
    figures : array of float, shape (n_items,)
        Such as the judge's losses.
    """
    from scipy.special import stdtr

    first, by_first = verdicts.mean(figures, verdicts.labelled)
    second, by_second = verdicts.mean(figures, ~verdicts.labelled)
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
    among, _, trust = powered(verdicts)
    off = verdicts.people - trust * verdicts.judge
    _, by_people = verdicts.mean(off, verdicts.labelled)
    _, by_unseen = verdicts.mean(trust * verdicts.judge, ~verdicts.labelled)
    rest = verdicts.spread(verdicts.moved(among, by_unseen))
    wanted = (half_width / t_quantile(level, max(verdicts.n_units, 2))) ** 2
    left = wanted - rest**2
    if left <= 0:
        return None
    labels = verdicts.share * verdicts.spread(by_people)
    if labels**2 <= LEAST_VARIANCE:
        return None
    return int(np.ceil(int(verdicts.labelled.sum()) * labels**2 / left))
