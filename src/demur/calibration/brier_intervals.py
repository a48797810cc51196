"""Intervals of the parts of a Brier score, from what each guess says about them."""

import math
from typing import Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.calibration.isotonic import Graded, isotonic
from demur.statistics.equal_units import equal_units
from demur.statistics.error_intervals import counted
from demur.statistics.intervals import wilson
from demur.statistics.units import (
    ROUNDING,
    ItemValues,
    left_out,
    no_spread,
    score_interval,
    spread,
    t_quantile,
)

FOLDS = 10

MOST_LEVELS: Final = 10
"""Of more confidences the interval of discrimination is by a standard error."""


LARGEST: Final = {"discrimination": 0.25, "uncertainty": 0.25}
"""What these parts can be at most: the variance of right and wrong."""


def brier_intervals(
    graded: Graded, *, level: float, draws: int = 2000, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Intervals of the score and its parts, each on its own.

    The isotonic estimate follows chance: on the guesses that it was made from it has
    too small a score, on others too great a one, by about as much. The interval of
    miscalibration and of discrimination is therefore around the mean of both (others
    by leaving out every tenth guess, or cluster, in turn). Standard errors are
    those of the mean score that each guess, or cluster, adds, with Student's t; ends
    are taken on the scale of the square root, since these parts are squares. That of
    the uncertainty is m (1 - m) over Wilson's interval of the mean credit m, if
    credits are 0 or 1. Then, too, the interval of the score is that of
    `score_interval`, since few errors or none tell little where confidences are near 1,
    and the miscalibration may be what the mean credit allows; and of up to ten levels
    that of discrimination is found by draws (`few_levels`), since a standard error as
    seen is too low where discrimination is.

    Parameters
    ----------
    graded : Graded
        Of at least five items, or clusters.
    level : float
        Of each interval by itself.
    draws, seed : int
        For the discrimination of few levels.

    Returns
    -------
    dict of part to (low, high)

    Examples
    --------
    >>> from demur.arrays import Sample
    >>> from demur.calibration.isotonic import graded_guesses
    >>> stated = np.linspace(0.5, 1, 40)
    >>> sample = Sample(np.ones(40, bool), stated, 1.0 * (np.arange(40) % 4 == 0))
    >>> found = brier_intervals(graded_guesses("example", sample, None), level=0.95)
    >>> [round(end, 3) for end in found["brier"]]
    [0.139, 0.298]
    """
    fitted = isotonic(graded.sums(graded.credit), graded.sums())[_levels(graded)]
    mean = float(graded.weight @ graded.credit / graded.weight.sum())
    stated, constant, by_all, others = (
        np.square(forecast - graded.credit)
        for forecast in (graded.confidence, mean, fitted, _by_others(graded))
    )
    typical = (by_all + others) / 2
    misses = _squares(graded, stated - typical, stated - others, level)
    whole = bool(np.isin(graded.credit, (0.0, 1.0)).all())
    ends = {
        "brier": _brier(graded, stated, level)
        if whole
        else _squares(graded, stated, stated, level),
        "miscalibration": (misses[0], max(misses[1], _at_large(graded, level)))
        if whole
        else misses,
        "discrimination": _of_few_levels(
            graded, constant - others, level, (draws, seed)
        )
        if whole and 1 < len(graded.level) <= MOST_LEVELS
        else _squares(graded, constant - typical, constant - others, level),
        "uncertainty": _uncertainty(graded, mean, constant, level),
    }
    return {
        part: (low, min(high, LARGEST.get(part, 1.0)))
        for part, (low, high) in ends.items()
    }


def _levels(graded: Graded) -> Positions:
    """The level of each row."""
    rows = np.diff(graded.first, append=len(graded.credit))
    return np.repeat(np.arange(len(graded.level)), rows)


def _by_others(graded: Graded) -> Floats:
    """Rising estimate at each row from the guesses of other folds."""
    level, weight = _levels(graded), graded.weight
    unit = np.arange(len(weight)) if graded.unit is None else graded.unit
    estimate = np.empty(len(weight))
    for fold in range(FOLDS):
        inside = unit % FOLDS == fold
        used = np.where(inside, 0.0, weight)
        sums, credit = (
            np.bincount(level, amount).astype(float)
            for amount in (used, used * graded.credit)
        )
        kept = sums > 0
        rising = isotonic(credit[kept], sums[kept])
        at = graded.level[kept]
        estimate[inside] = np.interp(graded.confidence[inside], at, rising)
    return estimate


def _deviation(graded: Graded, values: Floats) -> float:
    """Standard error of the weighted mean of a value of each row."""
    share = graded.weight / graded.weight.sum()
    moved = share * (values - share @ values)
    return spread(left_out(moved, graded.weight, graded.unit))


def _squares(
    graded: Graded, values: Floats, varying: Floats, level: float
) -> tuple[float, float]:
    """Interval of the mean of values, with the standard error of the others."""
    middle = float(graded.weight @ values / graded.weight.sum())
    deviation = _deviation(graded, varying)
    worth = equal_units(graded.weight, graded.unit)
    if deviation <= ROUNDING:
        low, high = no_spread(middle, level=level, n_units=worth)
        return max(low, 0.0), high
    reach = t_quantile(level, worth) * deviation
    if middle <= 0:
        return 0.0, max(middle + reach, 0.0)
    root = math.sqrt(middle)
    low, high = (max(root + side * reach / (2 * root), 0.0) for side in (-1, 1))
    return low**2, high**2


def _brier(graded: Graded, stated: Floats, level: float) -> tuple[float, float]:
    """The score interval of the mean of squares, of which one may be as large as any.

    Confidences near 1 have small squares until one of them is wrong.
    """
    largest = float(np.maximum(graded.confidence, 1 - graded.confidence).max()) ** 2
    items = ItemValues(stated, graded.weight, graded.unit, 0.0, largest)
    low, high = score_interval(items, level=level)
    return max(low, 0.0), min(high, 1.0)


def _of_few_levels(
    graded: Graded, added: Floats, level: float, recipe: tuple[int, int]
) -> tuple[float, float]:
    """The interval of discrimination by draws of as many independent answers.

    As many as tell as much about what each answer adds to it; of clusters, by Student's
    t, fewer.
    """
    from demur.calibration.few_levels import discrimination_interval

    items = ItemValues(added, graded.weight, graded.unit)
    answers = items.independent_items()
    if graded.unit is not None:
        answers *= counted(items.worth, level)
    weight = graded.sums()
    part = answers / weight.sum()
    right = graded.sums(graded.credit)
    draws, seed = recipe
    return discrimination_interval(
        graded.level, part * weight, part * right, level=level, draws=draws, seed=seed
    )


def _at_large(graded: Graded, level: float) -> float:
    """The most by which all confidences together may be off, squared."""
    items = ItemValues(graded.credit, graded.weight, graded.unit, 0.0, 1.0)
    share = graded.weight / graded.weight.sum()
    off = np.array(score_interval(items, level=level)) - share @ graded.confidence
    return float(np.square(off).max())


def _uncertainty(
    graded: Graded, mean: float, constant: Floats, level: float
) -> tuple[float, float]:
    """Interval of the score of the mean credit."""
    if not np.isin(graded.credit, (0.0, 1.0)).all():
        low, high = _squares(graded, constant, constant, level)
        return low, min(high, 0.25)
    n_effective = worth = equal_units(graded.weight, graded.unit)
    deviation = _deviation(graded, graded.credit)
    if deviation > ROUNDING and 0 < mean < 1:
        n_effective = mean * (1 - mean) / deviation**2
    low, high = wilson(mean, n_effective, t_quantile(level, worth))
    ends = low * (1 - low), high * (1 - high)
    # m (1 - m) is greatest inside the interval if that holds 1/2.
    return min(ends), 0.25 if low <= 0.5 <= high else max(ends)
