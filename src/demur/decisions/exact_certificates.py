"""Certificates of independent items that are right or wrong, by exact binomial tests.

They read a `Ladder` that counts erring items, one each, and need not know what else the
items are: so they serve rows in memory and counts of an engine alike.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from demur.arrays import Floats, Positions
from demur.curves.counting import Ladder
from demur.decisions.betting import least_where

STARTS = 20
"""How many cutoffs share the risk of an error among the answered."""

START_FACTOR = 3
"""What starts leave of the risk goes where this many times the least sample, or half
of the guesses, is answered."""


@dataclass(frozen=True)
class Certificate:
    """A cutoff whose error is bounded, or the news that there is none.

    Parameters
    ----------
    position : int or None
        On the ladder of `erring`; None if no cutoff could be certified.
    bound : float or None
        Upper confidence bound of the error at the cutoff; None without a cutoff.
    method : str
        How the bound was made, for the signature.
    why : str
        Why no cutoff could be certified.
    """

    position: int | None
    bound: float | None
    method: str
    why: str = ""


def exactly_certified(
    ladder: Ladder, items: int, target: Fraction, certainty: float
) -> Certificate:
    """The smallest cutoff whose error over all items is certified.

    Parameters
    ----------
    ladder : Ladder
        Of erring items, one each.
    items : int
        How many there are, with a guess or without.
    target : Fraction
        Error over all items.
    certainty : float
        One-sided.

    Examples
    --------
    >>> import demur
    >>> guesses = demur.curves.counting.count(
    ...     np.arange(100.0), np.arange(100) < 30)
    >>> exactly_certified(guesses, 100, Fraction("0.1"), 0.95).position
    26
    """
    most = most_wrong(items, float(target), 1 - certainty)
    block = len(ladder.loss) - int(np.searchsorted(ladder.loss[::-1], most, "right"))
    if most < 0 or block > len(ladder.end):
        return Certificate(len(ladder.ranked), 0.0, "exact binomial")
    position = 0 if block == 0 else int(ladder.end[block - 1])
    if position == len(ladder.ranked):
        return Certificate(position, 0.0, "exact binomial")
    wrong = int(ladder.loss[block])
    bound = binomial_bound(wrong, items, certainty)
    return Certificate(position, bound, "exact binomial")


def exactly_certified_answered(
    ladder: Ladder, target: Fraction, certainty: float
) -> Certificate:
    """The smallest cutoff that fixed sequences of exact tests reach.

    Parameters are those of `exactly_certified`; the error is that among the answered.
    """
    from scipy.special import bdtr

    method = f"fixed sequences of exact binomial tests from {STARTS} starts"
    rate, risk = float(target), 1 - certainty
    if rate >= 1:
        return Certificate(0, 1.0, method)
    position = ladder.vertices()[:-1][::-1]
    answered = ladder.answered(position)
    brought = shared_risk(answered, rate, risk)
    if not brought.any():
        most = int(ladder.answered(0))
        return Certificate(None, None, method, _too_few(most, rate, risk))
    wrong = ladder.loss[ladder.blocks_before(position)]
    p_values = bdtr(wrong, answered, rate).tolist()
    end = walk_down(brought, p_values.__getitem__)
    few, many = int(wrong[end.place]), int(answered[end.place])
    bound = binomial_bound(few, many, 1 - end.risk)
    if end.passed:
        return Certificate(int(position[end.place]), min(bound, rate), method)
    why = nearest_words(brought, many, f"{few} of them wrong", bound)
    return Certificate(None, None, method, why)


def nearest_words(brought: Floats, answered: int, errors: str, bound: float) -> str:
    """Which cutoff that a sequence of tests starts from came nearest, and its bound."""
    n_starts = np.count_nonzero(brought)
    starts = f"of {n_starts} cutoffs that tests start from, the one that came nearest"
    starts = "the one cutoff that tests start from" if n_starts == 1 else starts
    words = f"{starts} answers {answered} items, {errors}"
    larger = _rounded_up(bound)
    if larger >= 1:
        return f"{words}, of which nothing is certain"
    return (
        f"{words}: at most {bound:.3g} is certain there, so a max_error of {larger:g} "
        "or more may do if it is asked for beforehand"
    )


def _rounded_up(bound: float) -> float:
    """A bound as a target that somebody would type, no smaller."""
    scale = 100 if bound >= 0.1 else 1000
    return math.ceil(bound * scale) / scale


def _too_few(most: int, rate: float, risk: float) -> str:
    if not rate:
        return "no number of items shows that there is no error at all"
    least = _fewest(0, rate, risk)
    return (
        f"it takes at least {least} answered items, all of them right, and there are "
        f"{most} with a guess"
    )


# -- starts that share the risk ----------------------------------------------------


class WalkEnd(NamedTuple):
    """Where a walk down the cutoffs ended.

    Parameters
    ----------
    place : int
        Of the lowest cutoff that passed; if none did, of the one that came nearest.
    risk : float
        With which it was tested.
    passed : bool
        Whether any did.
    """

    place: int
    risk: float
    passed: bool


def walk_down(brought: Floats, p_value: Callable[[int], float]) -> WalkEnd:
    """Test cutoffs from the surest down, with a risk that is carried along.

    A cutoff is tested with the risk that is carried to it and what it brings itself.
    If it passes, all of that goes on to the next; if it fails, that is lost, and the
    walk goes on at the next cutoff that brings some (the fallback procedure). That any
    cutoff passes whose error is above the target has at most the chance that all bring
    together, however the tests depend on each other.

    Parameters
    ----------
    brought : array of float64, shape (n_cutoffs,)
        By something else than labels.
    p_value : callable
        Of the place of a cutoff: how likely so few errors are at the target.

    Examples
    --------
    The first start fails, the second passes and its risk goes on:

    >>> walk_down(np.array([0.02, 0, 0.03, 0]), [0.04, 0.01, 0.02, 0.03].__getitem__)
    WalkEnd(place=3, risk=0.03, passed=True)
    """
    risk, lowest = 0.0, (-1, 0.0)
    nearest, short = math.inf, (0, 0.0)
    for place, more in enumerate(brought.tolist()):
        risk += more
        if not risk:
            continue
        chance = p_value(place)
        if chance <= risk:
            lowest = place, risk
            continue
        if chance / risk < nearest:
            nearest, short = chance / risk, (place, risk)
        risk = 0.0
    passed = lowest[0] >= 0
    return WalkEnd(*(lowest if passed else short), passed)


def starts_at(answered: Positions) -> Positions:
    """Places of the cutoffs that answer a twentieth of the guesses, two, and so on.

    Parameters
    ----------
    answered : array of int64, shape (n_cutoffs,)
        How many guesses each cutoff answers, rising.
    """
    twentieths = -(-answered[-1] * np.arange(1, STARTS + 1) // STARTS)
    return np.unique(np.searchsorted(answered, twentieths))


def shared_risk(answered: Positions, target: float, risk: float) -> Floats:
    """How much of the risk each cutoff brings to exact tests; by counts alone.

    Each of twenty starts may use a twentieth, and errors come in whole numbers: it
    needs no more than the chance to pass just so, and nothing if it would not pass
    without an error. So whatever passes if twenty cutoffs are tested with a twentieth
    each (Bonferroni) passes here too. What is left, often half, goes to one more start
    (`first_tested`).

    Parameters
    ----------
    answered : array of int64, shape (n_cutoffs,)
        How many guesses each cutoff answers, rising.
    target, risk : float
        The error among answered items, and the chance to be wrong about it.

    Examples
    --------
    >>> brought = shared_risk(np.arange(1, 101), 0.05, 0.05)
    >>> np.flatnonzero(brought), brought.sum().round(3)
    (array([58]), np.float64(0.05))
    """
    brought = np.zeros(len(answered))
    if not target or not len(answered):
        return brought
    starts = starts_at(answered)
    brought[starts] = [own_risk(n, target, risk) for n in answered[starts].tolist()]
    left = risk - math.fsum(brought[starts])
    if left > 0:
        first = first_tested(target, left, int(answered[-1]))
        brought[np.searchsorted(answered, first) :][:1] += left
    return brought


def own_risk(items: int, target: float, risk: float) -> float:
    """The chance that so many items pass with a twentieth of the risk, by luck."""
    from scipy.special import bdtr

    wrong = most_wrong(items, target, risk / STARTS)
    return float(bdtr(wrong, items, target)) if wrong >= 0 else 0.0


def first_tested(target: float, risk: float, items: int) -> int:
    """How many items the start that takes what is left answers, at least.

    About three times as many as would pass with none wrong, so that one error among
    them does not end its sequence at once; but no more than half of the items, if
    those are enough with none wrong. Of these as few as pass with as many errors.

    Parameters
    ----------
    target, risk : float
        The error among answered items, and the chance to be wrong about it.
    items : int
        How many guesses there are.

    Examples
    --------
    >>> [first_tested(0.05, 0.05, items) for items in (60, 200, 1000)]
    [59, 93, 153]
    """
    least = _fewest(0, target, risk)
    wanted = max(least, min(START_FACTOR * least, items // 2))
    return _fewest(most_wrong(wanted, target, risk), target, risk)


def most_wrong(items: int, target: float, risk: float) -> int:
    """The most errors with which so many items pass; -1 if not even none does."""
    from scipy.special import bdtr

    return (
        least_where(lambda wrong: bdtr(wrong, items, target) > risk, -1, items + 1) - 1
    )


def _fewest(wrong: int, target: float, risk: float) -> int:
    """The fewest items that pass with so many errors."""
    from scipy.special import bdtr

    def passes(items: int) -> bool:
        return bool(bdtr(wrong, items, target) <= risk)

    high = wrong + 1
    while not passes(high):
        high *= 2
    return least_where(passes, max(high // 2, wrong + 1) - 1, high)


def binomial_bound(wrong: int, items: int, certainty: float) -> float:
    """Upper Clopper-Pearson bound of a rate.

    Parameters
    ----------
    wrong, items : int
        Errors seen, of how many.
    certainty : float
        One-sided.

    Returns
    -------
    float

    Examples
    --------
    None wrong of 59 certifies 5 % with certainty 95 %:

    >>> round(binomial_bound(0, 59, 0.95), 5)
    0.04951
    """
    if wrong >= items:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(wrong + 1, items - wrong, certainty))


def items_for_certificate(target: float, certainty: float, *, wrong: int = 0) -> int:
    """How many items, with so many errors among them, certify a target.

    Parameters
    ----------
    target : float
        Error rate, above 0.
    certainty : float
        One-sided.
    wrong : int
        Errors that are expected.

    Examples
    --------
    >>> items_for_certificate(0.05, 0.95)
    59
    """
    return _fewest(wrong, target, 1 - certainty)
