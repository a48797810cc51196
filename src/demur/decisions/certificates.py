"""Bounds on errors that hold with a stated certainty."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from demur.arrays import Flags, Floats, Positions, Sample
from demur.curves import counting
from demur.curves.counting import Ladder
from demur.decisions.betting import betting_bound, least_where, log_money
from demur.decisions.exact_certificates import (
    START_FACTOR,
    STARTS,
    Certificate,
    WalkEnd,
    binomial_bound,
    exactly_certified,
    exactly_certified_answered,
    nearest_words,
    starts_at,
)

GIVEN_SIZES = (
    "certified for clusters (or weights) no larger than the largest seen; a larger one "
    "in the traffic is not covered"
)
"""What must be said of every certificate by betting."""


TOO_FEW = "too few items are answered to certify it even without an error"
CUTOFFS = 256
"""About how many cutoffs a fixed sequence of bets tries."""

MOST_MONEY = 500.0
"""The logarithm of money beyond which it does not matter how much there is."""


def erring(sample: Sample) -> Ladder:
    """The ladder that counts erring items, one each; partial credit is an error."""
    chosen = sample.guess
    return counting.count(sample.confidence[chosen], sample.loss[chosen] > 0)


def certified(sample: Sample, target: Fraction, certainty: float) -> Certificate:
    """The smallest cutoff whose error over all items is certified.

    The error over all items falls with the cutoff, so one test suffices: the cutoff
    is the smallest whose exact one-sided bound is at most the target, and the chance
    that its true error is greater is at most ``1 - certainty``. Silence always
    qualifies.

    Parameters
    ----------
    sample : Sample
        From the traffic that will be served, items (or clusters) independent. With
        clusters, weights or partial credit by betting, see `error_bound`; then the
        cutoffs are tried from silence down, in an order that depends on no label, to
        the first that is not certified.
    target : Fraction
        Error over all items.
    certainty : float
        One-sided, such as 0.95.

    Returns
    -------
    Certificate

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, for independent items; Waudby-Smith and
    Ramdas (2024), JRSS B 86, for betting.
    """
    ladder = erring(sample)
    if exact(sample):
        return exactly_certified(ladder, len(sample), target, certainty)
    return certified_by_bets(tried_cutoffs(sample, ladder, "all"), target, certainty)


def exact(sample: Sample) -> bool:
    """Whether items are independent, count the same, and are right or wrong."""
    plain = sample.cluster is None and sample.weight is None
    return plain and bool(np.isin(sample.loss, (0.0, 1.0)).all())


def certified_answered(
    sample: Sample, target: Fraction, certainty: float
) -> Certificate:
    """The smallest cutoff that fixed sequences of tests reach for error of answered.

    They go down from twenty starts, one vertex at a time, and the starts share the
    risk (`shared_risk`, `walk_down`). Where they start and in which order they test
    depends on confidences and counts alone. With clusters, weights or partial credit
    the tests are bets.

    Parameters
    ----------
    sample : Sample
        From the traffic that will be served, items (or clusters) independent.
    target : Fraction
        Error among answered items.
    certainty : float
        One-sided.

    Returns
    -------
    Certificate
        Position None if no start passes, or too few are answered.

    References
    ----------
    Wiens (2003), Pharmaceutical Statistics 2, and Wiens and Dmitrienko (2005), Journal
    of Biopharmaceutical Statistics 15, for the walk; Tarone (1990), Biometrics 46, for
    risk that tests of whole numbers leave.
    """
    ladder = erring(sample)
    if target >= 1 or exact(sample):
        return exactly_certified_answered(ladder, target, certainty)
    tried = tried_cutoffs(sample, ladder, "answered")
    return certified_by_bets(tried, target, certainty)


def walk_by_bets(brought: Floats, money: Callable[[int], float]) -> WalkEnd:
    """The same walk for bets, where a cutoff that fails takes only part of the risk.

    Money that is split among several bets is a bet too (Vovk and Wang 2021): each
    start bets its share on the first of the cutoffs from there down whose error is
    above the target, whichever these are. A cutoff passes if that wins enough for
    every set of such cutoffs that it may belong to.

    Parameters
    ----------
    brought : array of float64, shape (n_cutoffs,)
        By something else than labels.
    money : callable
        Of the place of a cutoff, what is won there for 1 by betting that the error is
        below the target: at most 1 on average, if it is not.

    Returns
    -------
    WalkEnd
        Its risk is what would do for a test of that cutoff alone.

    Examples
    --------
    The second cutoff fails, but the third needs no more than twice as much as it would
    if there were no start but the first:

    >>> won = [50.0, 10.0, 41.0]
    >>> walk_by_bets(np.array([0.025, 0, 0.025]), won.__getitem__).passed
    True
    """
    # What is won in the worst case if one cutoff, or none, is the last of such cutoffs.
    worst, carried = np.zeros(len(brought) + 1), np.cumsum([0.0, *brought])
    lowest, nearest = None, (-1.0, WalkEnd(0, 0.0, passed=False))
    for place, more in enumerate(brought.tolist()):
        won, last = money(place), place + 1
        worst[last] = (worst[:last] + (carried[last] - carried[:last]) * won).min()
        risk = float(worst[last] / won if won else carried[last])
        if worst[last] >= 1:
            lowest = WalkEnd(place, risk, passed=True)
        elif more:
            nearest = max(nearest, (worst[last], WalkEnd(place, risk, passed=False)))
        if worst[last] < 1 and carried[last] == carried[-1]:
            break  # where nothing more is brought, nothing below can pass
    return lowest or nearest[1]


@dataclass(frozen=True)
class TriedCutoffs:
    """The cutoffs that bets try, from the highest down.

    Parameters
    ----------
    of : {"all", "answered"}
        What the size of a unit counts.
    positions : array of int64, shape (n_cutoffs,)
        On the ladder.
    answered : array of int64, shape (n_cutoffs,)
        How many guesses each answers.
    silence : int
        The position that answers nothing.
    units : str
        What is bet on, in words.
    amounts : callable
        Of the place of a cutoff, loss and size of its units, and how many are like
        each, None if each stands for itself.
    """

    of: str
    positions: Positions
    answered: Positions
    silence: int
    units: str
    amounts: Callable[[int], tuple[Floats, Floats, Floats | None]]

    def __len__(self) -> int:
        return len(self.positions)


def tried_cutoffs(sample: Sample, ladder: Ladder, of: str) -> TriedCutoffs:
    """The cutoffs that bets on a sample try."""
    vertices = ladder.vertices()[:-1]
    cutoffs = vertices[few_places(vertices, len(ladder.ranked))]

    def amounts(place: int) -> tuple[Floats, Floats, None]:
        answers = sample.guess & (sample.confidence >= ladder.ranked[cutoffs[place]])
        return (*unit_amounts(sample, answers, of), None)

    silence = len(ladder.ranked)
    units = units_text(None if sample.cluster is None else sample.n_clusters)
    return TriedCutoffs(of, cutoffs, silence - cutoffs, silence, units, amounts)


def certified_by_bets(
    tried: TriedCutoffs, target: Fraction, certainty: float
) -> Certificate:
    """The lowest cutoff that a walk by bets reaches; of all items at least silence."""
    risk, answered, rate = 1 - certainty, tried.answered, float(target)

    def money(place: int) -> float:
        return _money(*tried.amounts(place), rate, certainty)

    def at_best(place: int) -> float:
        # By sizes alone: where to start must not depend on what is wrong.
        _, size, times = tried.amounts(place)
        return _money(np.zeros(len(size)), size, times, rate, certainty)

    if tried.of == "all":
        method = f"fixed sequence of bets over {tried.units}"
        none = Certificate(tried.silence, 0.0, method)
        # Errors of all items rise as the cutoff falls, so one start does, at the top.
        brought = risk * (np.arange(len(tried)) == 0)
    else:
        method = f"fixed sequences of bets over {tried.units} from {STARTS} starts"
        brought = risk_of_bets(answered, at_best, risk)
        none = Certificate(None, None, method, TOO_FEW)
    if not brought.any():
        return none
    end = walk_by_bets(brought, money)
    loss, size, times = tried.amounts(end.place)
    bound = betting_bound(loss, size, certainty=1 - end.risk, times=times)
    if end.passed:
        return Certificate(int(tried.positions[end.place]), min(bound, rate), method)
    if tried.of == "all":
        return none
    errors = f"with an error of {rate_seen(loss, size, times):.3g}"
    return replace(
        none, why=nearest_words(brought, int(answered[end.place]), errors, bound)
    )


def rate_seen(loss: Floats, size: Floats, times: Floats | None) -> float:
    """The error rate of units, each so many times."""
    if times is None:
        return float(loss.sum() / size.sum())
    return float(times @ loss / (times @ size))


def _money(
    loss: Floats,
    size: Floats,
    times: Floats | None,
    target: float,
    certainty: float,
) -> float:
    """What 1 becomes by betting that the error rate is below the target.

    Nothing where the rate that was seen is above it.
    """
    seen = (loss, size) if times is None else (times * loss, times * size)
    if seen[0].sum() > target * seen[1].sum():
        return 0.0
    logarithm = log_money(loss, size, target, certainty=certainty, times=times)
    return math.exp(min(logarithm, MOST_MONEY))


def risk_of_bets(
    answered: Positions, at_best: Callable[[int], float], risk: float
) -> Floats:
    """How much of the risk each cutoff brings to bets; `shared_risk` is their twin.

    Bets do not come in whole numbers, so that nothing is left of a start's share: the
    starts share a quarter, and the rest is for the one more start. ``at_best`` is what
    1 would become without an error, or one over the p value.
    """
    brought = np.zeros(len(answered))
    if not len(answered):
        return brought
    share = risk / 4 / STARTS
    for start in starts_at(answered).tolist():
        brought[start] = share if share * at_best(start) >= 1 else 0.0
    left = risk - float(brought.sum())
    if left < share / 2:  # no more than rounding
        return brought

    def enough(place: int) -> bool:
        won, half = at_best(place), 2 * answered[place] >= answered[-1]
        return won >= left**-START_FACTOR or bool(half and won >= 1 / left)

    brought[least_where(enough, -1, len(answered)) :][:1] += left
    return brought


def few_places(vertices: Positions, n_guesses: int) -> Positions:
    """Which cutoffs bets try, from the highest down: starts, and others in between.

    Parameters
    ----------
    vertices : array of int64, shape (n_cutoffs,)
        How many guesses are below each cutoff, rising.
    n_guesses : int
        How many there are.

    Returns
    -------
    array of int64
        Places among the cutoffs.
    """
    if len(vertices) <= CUTOFFS:
        return np.arange(len(vertices))[::-1]
    between = np.searchsorted(vertices, wanted_below(vertices), "left")
    starts = len(vertices) - 1 - starts_at((n_guesses - vertices)[::-1])
    places: Positions = np.union1d(between, starts)[::-1]
    return places


def wanted_below(vertices: Positions) -> Floats:
    """How many guesses are to be below the cutoffs between the starts, about."""
    return np.linspace(vertices[0], vertices[-1], CUTOFFS - STARTS)


def units_text(n_clusters: int | None) -> str:
    """What is bet on: items, or so many clusters."""
    return "items" if n_clusters is None else f"{n_clusters} clusters"


def unit_amounts(sample: Sample, answers: Flags, of: str) -> tuple[Floats, Floats]:
    """Loss and size of each unit.

    Parameters
    ----------
    sample : Sample
        Its items, or clusters.
    answers : array of bool, shape (n_items,)
        What is answered at the cutoff.
    of : {"all", "answered"}
        What the size counts.

    Returns
    -------
    (loss, size)
        Of the units of any size.
    """
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    loss = np.where(answers, sample.loss, 0.0) * weight
    size = weight if of == "all" else np.where(answers, weight, 0.0)
    if sample.cluster is not None:
        loss, size = (
            np.bincount(sample.cluster, amount).astype(np.float64)
            for amount in (loss, size)
        )
    return loss[size > 0], size[size > 0]


def error_bound(sample: Sample, answers: Flags, certainty: float) -> float:
    """Upper bound of the error over all items at a cutoff fixed beforehand.

    Exact (Clopper-Pearson) for independent items that count the same and are right or
    wrong; else by betting over independent items or clusters, none of them larger or
    heavier than the largest seen: what is not seen cannot be bounded.

    Parameters
    ----------
    sample : Sample
        From the traffic that will be served; it had no part in the choice of the
        cutoff.
    answers : array of bool, shape (n_items,)
        What is answered.
    certainty : float
        One-sided.

    Examples
    --------
    >>> none_wrong = Sample(np.ones(59, bool), np.arange(59.0), np.zeros(59))
    >>> round(error_bound(none_wrong, none_wrong.guess, 0.95), 4)
    0.0495
    """
    if exact(sample):
        wrong = int(np.count_nonzero(sample.loss[answers] > 0))
        return binomial_bound(wrong, len(sample), certainty)
    if not answers.any():
        return 0.0
    return betting_bound(*unit_amounts(sample, answers, "all"), certainty=certainty)
