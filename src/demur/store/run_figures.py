"""Errors of many runs on the same items at once: values, intervals, what items add.

The numbers are those of `statistics.error_intervals` and `statistics.quantities` for
each run by itself; where items count the same and stand alone, all runs are computed
together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Sample, rank
from demur.errors import UndefinedRate
from demur.statistics.error_intervals import HALVINGS, NO_ITEM, error_interval
from demur.statistics.quantities import (
    REACH,
    SHIFT,
    WIDTH,
    error_estimate,
    observed,
)
from demur.statistics.units import ROUNDING, UNSEEN

BEGINS = "begins at nonreturn"
"""Why there is no figure where a system declines more by itself."""

_ROUNDS = 12
_SETTLED = 1e-13
_SMALL_PART = 0.25


@dataclass(frozen=True, eq=False)
class RunFigures:
    """The error of each of several runs, NaN where there is none.

    Parameters
    ----------
    value, low, high : array of float64, shape (n_runs,)
        The error and the ends of its interval.
    parts : array of float64, shape (n_runs, n_items)
        What each item adds, through the cutoff too: their mean, by weight, is the
        error, and their spread its standard error.
    why : tuple of str
        For each run why there is none; "" where there is one.
    """

    value: Floats
    low: Floats
    high: Floats
    parts: Floats
    why: tuple[str, ...]


def run_figures(samples: Sequence[Sample], rate: float, level: float) -> RunFigures:
    """The error at a nonreturn rate of each run, with intervals.

    Parameters
    ----------
    samples : sequence of Sample
        Of the same items in the same order.
    rate : float
        Nonreturn.
    level : float
        Of the intervals.

    Examples
    --------
    >>> sample = Sample(np.ones(40, bool), np.arange(40.0), np.zeros(40))
    >>> found = run_figures([sample, sample], 0.9, 0.95)
    >>> found.value, found.high.round(4)
    (array([0., 0.]), array([0.0602, 0.0602]))
    """
    n_runs, n_items = len(samples), len(samples[0])
    made = RunFigures(
        value=np.full(n_runs, np.nan),
        low=np.full(n_runs, np.nan),
        high=np.full(n_runs, np.nan),
        parts=np.full((n_runs, n_items), np.nan),
        why=(),
    )
    why = [""] * n_runs
    together = []
    for row, sample in enumerate(samples):
        why[row] = _undefined(sample, rate)
        if why[row]:
            continue
        if _is_plain(sample):
            together.append(row)
            continue
        try:
            one = _by_itself(sample, rate, level)
        except UndefinedRate as problem:
            why[row] = str(problem)
            continue
        made.value[row], made.low[row], made.high[row], made.parts[row] = one
    if together:
        arrays = [
            np.stack([getattr(samples[row], name) for row in together])
            for name in ("guess", "confidence", "loss")
        ]
        value, low, high, parts = _together(arrays, rate, level)
        made.value[together], made.low[together] = value, low
        made.high[together], made.parts[together] = high, parts
    return replace(made, why=tuple(why))


def _undefined(sample: Sample, rate: float) -> str:
    if np.isnan(sample.confidence[sample.guess]).any():
        return "no confidences"
    start: float
    if sample.weight is None:
        start = np.count_nonzero(~sample.guess) / len(sample)
    else:
        start = float(sample.weight[~sample.guess].sum()) / float(sample.weight.sum())
    if rate < start - ROUNDING:
        return f"{BEGINS} {start:.4g}"
    return ""


def _is_plain(sample: Sample) -> bool:
    """Whether items count the same and stand alone, and silence ranks below all."""
    if sample.weight is not None or sample.clusters is not None or len(sample) < 2:
        return False
    return not np.isneginf(sample.confidence[sample.guess]).any()


def _by_itself(
    sample: Sample, rate: float, level: float
) -> tuple[float, float, float, Floats]:
    ranking = rank(sample)
    curves = observed(ranking)
    estimate = error_estimate(ranking, rate, cluster=sample.clusters)
    low, high = error_interval(sample, ranking, rate, level, curves)
    weight = ranking.weights()
    parts = estimate.influence / (weight / weight.sum()) + estimate.value
    return estimate.value, low, high, parts


# -- all runs together -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _RankedRuns:
    """Runs whose items are sorted by rising confidence, those without a guess first.

    All arrays have shape (n_runs, n_items). ``loss`` is the items' own, ``level_loss``
    the mean of their block of equal confidences, ``answered`` the share of each that is
    answered.
    """

    order: Numbers
    guess: Flags
    loss: Floats
    level_loss: Floats
    answered: Floats


def _ranked(guess: Flags, confidence: Floats, loss: Floats, rate: float) -> _RankedRuns:
    n_runs, n_items = loss.shape
    key = np.where(guess, confidence, -np.inf)
    order = np.argsort(key, axis=1)
    key = np.take_along_axis(key, order, axis=1)
    loss = np.take_along_axis(loss, order, axis=1)
    guess = np.take_along_axis(guess, order, axis=1)
    fresh = np.ones((n_runs, n_items), bool)
    np.not_equal(key[:, 1:], key[:, :-1], out=fresh[:, 1:])
    first = np.flatnonzero(fresh)
    size = np.diff(first, append=fresh.size)
    block = np.repeat(np.arange(len(first)), size)
    level_loss = (np.add.reduceat(loss.ravel(), first) / size)[block]
    begin = first % n_items
    low, high = begin / n_items, (begin + size) / n_items
    answered = np.clip((high - rate) / (high - low), 0.0, 1.0)[block]
    shape = n_runs, n_items
    return _RankedRuns(
        order, guess, loss, level_loss.reshape(shape), answered.reshape(shape) * guess
    )


def _together(
    arrays: Sequence[Numbers], rate: float, level: float
) -> tuple[Floats, Floats, Floats, Floats]:
    guess, confidence, loss = arrays
    ranked = _ranked(guess, confidence, loss, rate)
    n_runs, n_items = ranked.loss.shape
    value = (ranked.loss * ranked.answered).sum(1) / n_items
    moves = 1 - rate - ranked.answered
    # Standard errors of the nonreturn at the cutoff: items are equal, so that leaving
    # one out changes all of them by the same factor.
    reach = np.sqrt(np.square(moves).sum(1) / (n_items * (n_items - 1)))
    slopes = _slopes(ranked, rate, reach)
    mean, items = _answers_left(ranked)
    apart = np.abs(slopes - mean).max(axis=0)
    room = 1 - rate
    beside = np.square(reach * apart / room) if room else np.zeros(n_runs)
    low = room * (1 - _upper_ends(1 - mean, items, beside, level))
    high = room * _upper_ends(mean, items, beside, level)
    slope = _widest(ranked, value, moves, slopes)
    parts = np.empty_like(ranked.loss)
    adds = ranked.loss * ranked.answered + slope[:, None] * moves
    np.put_along_axis(parts, ranked.order, adds, axis=1)
    return value, low, high, parts


def _slopes(ranked: _RankedRuns, rate: float, reach: Floats) -> Floats:
    """`quantities.slopes_near` of each run, shape (3, n_runs)."""
    from scipy.special import ndtr

    n_runs, n_items = ranked.loss.shape
    start = (~ranked.guess).sum(1) / n_items
    width = WIDTH * reach
    slopes = np.zeros((3, n_runs))
    some = width > 0
    if not some.any():
        return slopes
    # No cutoff moves further than that of items without ties, so that what is looked at
    # is the same for a run by itself and among others.
    furthest = (REACH * WIDTH + SHIFT) * math.sqrt(rate * (1 - rate) / (n_items - 1))
    begin = max(math.floor((rate - furthest) * n_items) - 1, 0)
    end = min(math.ceil((rate + furthest) * n_items) + 1, n_items)
    edges = np.arange(begin, end + 1) / n_items
    scale = np.where(some, width, 1.0)[:, None]
    for at, shift in enumerate((0.0, -SHIFT, SHIFT)):
        middle = np.clip(rate + shift * reach, start, 1.0)
        share = np.diff(ndtr((edges - middle[:, None]) / scale), axis=1)
        share = np.where(share > ROUNDING, share, 0.0) * ranked.guess[:, begin:end]
        total = share.sum(1)
        near = (share * ranked.level_loss[:, begin:end]).sum(1)
        slopes[at] = np.where(some & (total > 0), near / np.where(total, total, 1), 0)
    return slopes


def _widest(
    ranked: _RankedRuns, value: Floats, moves: Floats, slopes: Floats
) -> Floats:
    """Of the three slopes of each run the one with the largest standard error."""
    stays = ranked.loss * ranked.answered - value[:, None]
    both, square = (stays * moves).sum(1), np.square(moves).sum(1)
    spread = 2 * slopes * both + slopes**2 * square
    chosen: Floats = np.take_along_axis(slopes, spread.argmax(axis=0)[None], axis=0)[0]
    return chosen


def _answers_left(ranked: _RankedRuns) -> tuple[Floats, Floats]:
    """Mean loss of the answers that are left, and how many items tell as much.

    As `error_intervals.answers_left` has it for items that stand alone; 0 items where
    none is left.
    """
    answered, loss = ranked.answered, ranked.loss
    number = np.count_nonzero(answered > 0, axis=1)
    total = answered.sum(1)
    share = answered / np.where(total, total, 1.0)[:, None]
    mean = (share * loss).sum(1)
    apart = loss - mean[:, None]
    squares = share * np.square(apart)
    seen = squares.sum(1)
    size = np.square(share).sum(1)
    items = 1 / np.where(size, size, 1.0)
    uneven = (answered > 0) & (answered < answered.max(axis=1)[:, None])
    rows = np.flatnonzero(uneven.any(axis=1))
    if len(rows):  # a tied block is answered in part
        part = share[rows], loss[rows], squares[rows], number[rows], items[rows]
        items[rows] = _uneven_items(*part)
    mean = np.minimum(mean, 1.0)
    whole = items * (items * mean * (1 - mean) + 1) / (items * seen + 1)
    return mean, np.where(number > 0, whole, 0.0)


def _uneven_items(
    share: Floats, loss: Floats, squares: Floats, number: Numbers, items: Floats
) -> Floats:
    """`units.ItemValues.independent_items` of answers that count differently."""
    seen, size = squares.sum(1), np.square(share).sum(1)
    squared = loss * loss
    square = np.einsum("ij,ij->i", share, squared)
    fourth = np.einsum("ij,ij,ij->i", share, squared, squared)
    left = np.where(share < 1, 1 - share, 1.0)
    spread = (squares * share / left).sum(1)
    differing = np.square(squares).sum(1) / np.where(seen > 0, seen, 1.0) ** 2
    alike = 1 - size / np.where(differing > 0, differing, 1.0)
    unseen = UNSEEN * np.where(seen > 0, np.maximum(alike, 0.0) ** 2, 1.0)
    differs = unseen * np.where(
        square > 0, fourth / np.where(square > 0, square, 1.0), 1.0
    )
    together = spread + differs * size**2
    alone = (seen + differs * size) / items
    independent: Floats = items / np.maximum(together / alone, 1.0)
    return np.where(number < 2, 1.0, independent)


def _upper_ends(loss: Floats, items: Floats, beside: Floats, level: float) -> Floats:
    """Upper ends of `error_intervals.AnswersLeft` for many at once."""
    from scipy.special import betainccinv

    ends = np.ones(len(loss))
    chance = (1 - level) / 2
    inside = (loss < 1) & (items > 0)
    plain = inside & (beside == 0)
    right = (1 - loss) * items
    ends[plain] = betainccinv((loss * items)[plain] + 1, right[plain], chance)
    rows = np.flatnonzero(inside & (beside > 0))
    if len(rows):
        ends[rows] = _settled(loss[rows], items[rows], beside[rows], chance)
    return ends


def _settled(loss: Floats, items: Floats, beside: Floats, chance: float) -> Floats:
    """Ends of rates through which the cutoff varies too.

    An end says how many items the answers are worth, and that says where the end is:
    going to and fro settles at once. Where the cutoff has a large part in it the end is
    searched for, since there it may settle twice.
    """
    from scipy.special import betainccinv

    rate: Floats = betainccinv(loss * items + 1, (1 - loss) * items, chance)
    moving = np.ones(len(loss), bool)
    for _ in range(_ROUNDS):
        alike = _alike(rate, items, beside)
        right = np.maximum((1 - loss) * alike, NO_ITEM)
        after = betainccinv(loss * alike + 1, right, chance)
        moving = ~(np.abs(after - rate) <= _SETTLED * after)
        rate = after
        if not moving.any():
            break
    moving |= items * beside > _SMALL_PART * rate * (1 - rate)
    if moving.any():
        rate[moving] = _searched(loss[moving], items[moving], beside[moving], chance)
    return rate


def _alike(rate: Floats, items: Floats, beside: Floats) -> Floats:
    """How many items have the variance of such a rate, and that of the cutoff."""
    variance = rate * (1 - rate)
    alike: Floats = items * variance / (variance + items * beside)
    return alike


def _searched(loss: Floats, items: Floats, beside: Floats, chance: float) -> Floats:
    from scipy.special import betaincc

    low, high = loss.copy(), np.ones(len(loss))
    for _ in range(HALVINGS):
        rate = (low + high) / 2
        alike = _alike(rate, items, beside)
        right = np.maximum((1 - loss) * alike, NO_ITEM)
        near = betaincc(loss * alike + 1, right, rate) >= chance
        low, high = np.where(near, rate, low), np.where(near, high, rate)
    return low
