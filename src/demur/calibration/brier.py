"""The Brier score of stated confidences in three parts, with intervals and tests."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from demur.arrays import Flags, Floats, Sample
from demur.calibration.brier_intervals import brier_intervals
from demur.calibration.isotonic import (
    Graded,
    chance_outside,
    graded_guesses,
    isotonic,
    isotonic_draws,
)
from demur.errors import UndefinedRate
from demur.results import Result
from demur.statistics.units import FEWEST_UNITS

PARTS = ("brier", "miscalibration", "discrimination", "uncertainty")

_Intervals: TypeAlias = dict[str, tuple[float, float]]
_PValues: TypeAlias = tuple[float | None, float | None]
_SAME = 1e-12  # a replicate this close to the data is as extreme
_CELLS = 1000  # levels of confidence that replicates tell apart
_AT_ONCE = 250  # replicates that are fitted together


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BrierSplit(Result):
    """The Brier score of stated confidences, in three parts.

    ``brier = miscalibration - discrimination + uncertainty``.

    Parameters
    ----------
    brier : float
        Mean of (confidence - credit) squared over graded guesses.
    miscalibration : float
        How much recalibrating, by the isotonic estimate, would take off; 0 is best.
    discrimination : float
        How much the recalibrated confidences are better than one and the same for
        all; the more the better.
    uncertainty : float
        The score of that one best confidence, the mean credit.
    intervals : mapping of part to (low, high), or None
        None without replicates, or with fewer than five items (clusters).
    p_calibrated, p_uninformative : float or None
        P value of "the confidences are calibrated" and of "they say nothing about
        the answers"; of tests that look for rising estimates.
    level : float
        Of the intervals, each on its own.
    replicates, seed : int
        Of the resampling.
    items : int
        Graded guesses.
    units : int
        Items, or clusters, that are drawn.
    no_guess, ungraded : int
        Items left out.
    """

    SAYS = (
        "The Brier score is {brier}: {miscalibration} for miscalibration, less "
        "{discrimination} for discrimination, plus {uncertainty} for uncertainty."
    )

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    intervals: dict[str, tuple[float, float]] | None
    p_calibrated: float | None
    p_uninformative: float | None
    level: float
    replicates: int
    seed: int
    items: int
    units: int
    no_guess: int
    ungraded: int


def brier_split(
    sample: Sample,
    *,
    ungraded: Flags | None = None,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> BrierSplit:
    """Miscalibration, discrimination and uncertainty of stated confidences.

    The score is the mean of (confidence - credit) squared over graded guesses, by
    weight; with credits between 0 and 1 a confidence is a forecast of the credit.

    Parameters
    ----------
    sample : Sample
        One system's answers; confidences from 0 to 1. Items without a guess are left
        out.
    ungraded : array of bool, shape (n_items,), optional
        Guesses that nobody could judge; they are left out. Without it they count as
        wrong, as in `Sample`.
    level : float
        Of the intervals.
    replicates : int
        How often to draw for the p values, and half as often as for the ends of the
        interval of discrimination where there are few levels; 0 for neither p values
        nor intervals.
    seed : int
        Of the draws.

    Returns
    -------
    BrierSplit

    Raises
    ------
    UndefinedRate
        If there is no graded guess, no confidence, or one outside of [0, 1].
    InputError
        If an argument is not what it must be.

    Notes
    -----
    How the intervals are made is said in `brier_intervals`. Those of miscalibration
    and discrimination reach down to 0 unless the p value of "calibrated"
    ("uninformative") is at most 1 - level. The p value of "calibrated" comes from
    drawing each credit with the confidence that was stated, the items of a cluster as
    much alike as they are; where credits are shares, and for "uninformative", from
    flipping the signs of what items (clusters) deviate from the stated confidence (the
    mean). There replicates of more than 1,000 distinct confidences merge neighbours
    into as many.

    References
    ----------
    T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (8), e2016191118: the CORP decomposition.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(
    ...     guess=np.ones(4, bool), confidence=np.array([0.5, 0.5, 1.0, 1.0]),
    ...     loss=np.array([1.0, 1.0, 0.0, 1.0]))
    >>> split = brier_split(sample, replicates=0)
    >>> split.brier, split.miscalibration, split.discrimination, split.uncertainty
    (0.375, 0.25, 0.0625, 0.1875)
    """
    where = "brier_split"
    graded = graded_guesses(where, sample, ungraded)
    if not graded.stated:
        raise UndefinedRate(
            f"confidences run from {graded.level[0]:g} to "
            f"{graded.level[-1]:g}, so they are no probabilities and have no Brier "
            "score. Use reliability, which recalibrates any scale.",
            where=where,
        )
    chance = chance_outside(where, level, replicates, least=0)
    split, units = _split(graded, graded.weight), graded.units
    intervals: _Intervals | None = None
    p_values: _PValues = None, None
    if replicates and units >= FEWEST_UNITS:
        tested = _tested(graded.coarse(_CELLS), replicates, seed)
        intervals = _ends(graded, split, tested, float(chance), (replicates, seed))
        p_values = tested
    return BrierSplit(
        brier=float(split[0]),
        miscalibration=float(split[1]),
        discrimination=float(split[2]),
        uncertainty=float(split[3]),
        intervals=intervals,
        p_calibrated=p_values[0],
        p_uninformative=p_values[1],
        level=float(level),
        replicates=replicates,
        seed=seed,
        items=graded.items,
        units=units,
        no_guess=graded.no_guess,
        ungraded=graded.ungraded,
    )


# -- resampling --------------------------------------------------------------------


def _split(graded: Graded, weight: Floats) -> Floats:
    """The four `PARTS` if the rows weigh this much, some perhaps nothing."""
    per_level = np.add.reduceat(weight, graded.first)
    credit = np.add.reduceat(weight * graded.credit, graded.first)
    kept = per_level > 0
    level, per_level, credit = graded.level[kept], per_level[kept], credit[kept]
    total = per_level.sum()
    brier = np.sum(weight * (graded.confidence - graded.credit) ** 2) / total
    mean = credit.sum() / total
    uncertainty = np.sum(weight * (graded.credit - mean) ** 2) / total
    fitted = isotonic(credit, per_level)
    off = _excess(level, fitted, credit, per_level)
    gain = _excess(np.full(len(level), mean), fitted, credit, per_level)
    return np.array([brier, off, gain, uncertainty])


def _excess(level: Floats, fitted: Floats, credit: Floats, weight: Floats) -> Any:
    """How much worse a forecast scores than the fitted one; never negative."""
    # (level - c)^2 - (fitted - c)^2, summed over the credits c of each level
    gap = level - fitted
    more = gap * (weight * (level + fitted) - 2 * credit)
    return np.maximum(more.sum(axis=-1) / weight.sum(), 0.0)


def _tested(graded: Graded, replicates: int, seed: int) -> tuple[float, float]:
    """P values: how often chance alone makes the two middle parts as large."""
    rng = np.random.default_rng(seed)
    weight = graded.sums()
    mean = np.sum(graded.weight * graded.credit) / weight.sum()
    # Near 1 a confidence that is kept errs seldom and by much: signs cannot be flipped.
    whole = bool(np.isin(graded.credit, (0.0, 1.0)).all())
    alike = graded.alike()
    forecasts = graded.confidence, mean
    apart = [graded.credit - forecast for forecast in forecasts]
    nulls = np.empty((replicates, 2))
    for start in range(0, replicates, _AT_ONCE):
        part = nulls[start : start + _AT_ONCE]
        drawn = np.empty((2, len(part), len(weight)))
        for row in range(len(part)):
            sign = graded.flipped(rng)
            for column in range(2):
                if whole and column == 0:
                    credit = graded.kept(rng, alike=alike)
                else:
                    credit = forecasts[column] + sign * apart[column]
                drawn[column, row] = graded.sums(credit)
        for column, credits_ in enumerate(drawn):
            flat = credits_.sum(axis=1, keepdims=True) / weight.sum()
            part[:, column] = _excess(
                flat if column else graded.level,
                isotonic_draws(credits_, weight),
                credits_,
                weight,
            )
    seen = _split(graded, graded.weight)[1:3]
    # The data count as one of the replicates, so that no p value is 0.
    as_extreme = np.count_nonzero(nulls >= seen - _SAME, axis=0)
    calibrated, uninformative = ((as_extreme + 1) / (replicates + 1)).tolist()
    return calibrated, uninformative


def _ends(
    graded: Graded,
    split: Floats,
    p_values: tuple[float, float],
    chance: float,
    recipe: tuple[int, int],
) -> _Intervals:
    """Intervals of all parts, which hold the values; down to 0 where p says so."""
    replicates, seed = recipe
    # The end of an interval takes more draws than a p value.
    intervals = brier_intervals(
        graded, level=1 - chance, draws=2 * replicates, seed=seed
    )
    for part, value in zip(PARTS, split.tolist(), strict=True):
        low, high = intervals[part]
        intervals[part] = min(low, value), max(high, value)
    for part, p_value in zip(PARTS[1:3], p_values, strict=True):
        if p_value > chance:
            intervals[part] = 0.0, intervals[part][1]
    return intervals
