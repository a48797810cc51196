"""Calibration without bins: what stated confidences are worth.

The isotonic estimate of P(right | confidence), fitted by pooling adjacent violators,
is read off the lower convex hull of the error-return curve: a segment that falls by a
share s of what it declines holds answers that are wrong with probability s. Comparing
it with the stated confidences needs no bins and no choice of their number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from demur.checks import decimal_fraction
from demur.counting import Flags, Floats, Ladder, Positions
from demur.curves import Curve
from demur.decisions import least_cost
from demur.errors import InputError, UndefinedRate, shown
from demur.lookups import amounts
from demur.rates import Point, frozen, shortest
from demur.samples import Sample

PARTS = ("brier", "miscalibration", "discrimination", "uncertainty")

_Intervals: TypeAlias = Mapping[str, tuple[float, float]]
_PValues: TypeAlias = tuple[float | None, float | None]
_NOTHING: tuple[_Intervals | None, _PValues] = None, (None, None)
_SAME = 1e-12  # a replicate this close to the data is as extreme


@dataclass(frozen=True, eq=False, slots=True)
class Reliability:
    """How often answers of each confidence are right: the diagram's points.

    Parameters
    ----------
    confidence : array of float64, shape (n_levels,)
        Distinct confidences of graded guesses, rising.
    estimate : array of float64, shape (n_levels,)
        Isotonic estimate of P(right | confidence); it never falls.
    observed : array of float64, shape (n_levels,)
        Credit / weight at that confidence alone.
    count : array of int64, shape (n_levels,)
        Guesses.
    weight : array of float64, shape (n_levels,)
        Their weight.
    stated : bool
        Whether all confidences are from 0 to 1, so that they may be probabilities.
    no_guess, ungraded : int
        Items left out, because there is no guess or nobody could judge it.
    """

    confidence: Floats
    estimate: Floats
    observed: Floats
    count: Positions
    weight: Floats
    stated: bool
    no_guess: int
    ungraded: int

    def to_dict(self) -> dict[str, Any]:
        """The diagram as plain values for JSON."""
        names = ("confidence", "estimate", "observed", "count", "weight")
        columns = [getattr(self, name).tolist() for name in names]
        rows = zip(*columns, strict=True)
        return {
            "points": [dict(zip(names, row, strict=True)) for row in rows],
            "stated": self.stated,
            "no_guess": self.no_guess,
            "ungraded": self.ungraded,
        }


@dataclass(frozen=True, slots=True)
class BrierSplit:
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
        None without replicates, or with fewer than two items (clusters).
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

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    intervals: Mapping[str, tuple[float, float]] | None
    p_calibrated: float | None
    p_uninformative: float | None
    level: float
    replicates: int
    seed: int
    items: int
    units: int
    no_guess: int
    ungraded: int

    def to_dict(self) -> dict[str, Any]:
        """The split as plain values for JSON."""
        intervals = self.intervals or {}
        return {
            **{name: getattr(self, name) for name in PARTS},
            "intervals": {name: list(ends) for name, ends in intervals.items()} or None,
            "p_calibrated": self.p_calibrated,
            "p_uninformative": self.p_uninformative,
            "level": self.level,
            "replicates": self.replicates,
            "seed": self.seed,
            "items": self.items,
            "units": self.units,
            "no_guess": self.no_guess,
            "ungraded": self.ungraded,
        }


@dataclass(frozen=True, slots=True)
class Trust:
    """What it costs to take stated confidences at their word.

    Parameters
    ----------
    target : float
        Answer if the confidence is at least this.
    cost_ratio : float
        Cost of a non-return over the cost of an error for which that is the best
        rule if confidences are calibrated: 1 - target.
    trusted, best : Point
        The operating points of that rule, and of the best cutoff on the same data.
    cost, best_cost : float
        ``error + cost_ratio * nonreturn`` at each; ungraded answers are errors.
    difference : float
        What trust costs: cost - best_cost, never negative.
    """

    target: float
    cost_ratio: float
    trusted: Point
    best: Point
    cost: float
    best_cost: float
    difference: float

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values for JSON."""
        return {
            "target": self.target,
            "cost_ratio": self.cost_ratio,
            "trusted": self.trusted.to_dict(),
            "best": self.best.to_dict(),
            "cost": self.cost,
            "best_cost": self.best_cost,
            "difference": self.difference,
        }


def reliability(sample: Sample, *, ungraded: Flags | None = None) -> Reliability:
    """The reliability diagram without bins.

    Parameters
    ----------
    sample : Sample
        One system's answers; confidences on any scale.
    ungraded : array of bool, shape (n_items,), optional
        Guesses that nobody could judge; they are left out. Without it they count as
        wrong, as in `Sample`, and the estimates are lower bounds.

    Returns
    -------
    Reliability

    Raises
    ------
    UndefinedRate
        If there is no graded guess, or no confidence.

    References
    ----------
    T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (8), e2016191118.

    Examples
    --------
    The right answer at 0.3 and the wrong one at 0.6 are out of order, so they are
    pooled:

    >>> import numpy as np
    >>> sample = Sample(
    ...     guess=np.ones(4, bool), confidence=np.array([0.1, 0.3, 0.6, 0.9]),
    ...     loss=np.array([1.0, 0.0, 1.0, 0.0]))
    >>> reliability(sample).estimate
    array([0. , 0.5, 0.5, 1. ])
    """
    graded = _graded("reliability", sample, ungraded)
    weight, credit = graded.sums(), graded.sums(graded.credit)
    return Reliability(
        confidence=frozen(graded.level),
        estimate=frozen(_isotonic(credit, weight)),
        observed=frozen(credit / weight),
        count=frozen(np.diff(np.append(graded.first, len(graded.credit)))),
        weight=frozen(weight),
        stated=graded.stated,
        no_guess=graded.no_guess,
        ungraded=graded.ungraded,
    )


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
        How often to draw the items (clusters) anew; 0 for no intervals.
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
    Intervals of the score and the uncertainty are percentiles of the bootstrap. The
    isotonic estimate follows chance, so that both other parts come out too great, in
    a replicate once more than in the data; their intervals are reflected (2 x value -
    percentile), and reach down to 0 unless the p value of "calibrated"
    ("uninformative") is at most 1 - level. Those p values come from flipping the
    signs of what items (clusters) deviate from the stated confidence (the mean).

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
    graded = _graded(where, sample, ungraded)
    if not graded.stated:
        raise UndefinedRate(
            f"{where}: confidences run from {graded.level[0]:g} to "
            f"{graded.level[-1]:g}, so they are no probabilities and have no Brier "
            "score. Use reliability, which recalibrates any scale."
        )
    chance = 1 - decimal_fraction(where, "level", level)
    if chance in (0, 1):
        raise InputError(where, "level", "lie between 0 and 1", shown(level))
    if not isinstance(replicates, int) or replicates < 0:
        raise InputError(where, "replicates", "be 0 or more", shown(replicates))
    split, units = _split(graded, graded.weight), graded.units
    found = _NOTHING
    if replicates and units > 1:
        drawn = _resample(graded, replicates, np.random.default_rng(seed))
        found = _inference(split, *drawn, float(chance))
    intervals, p_values = found
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
        items=len(graded.credit),
        units=units,
        no_guess=graded.no_guess,
        ungraded=graded.ungraded,
    )


def cost_of_trust(curve: Curve, *, target: float) -> Trust:
    """What answering at a stated confidence costs, against the best cutoff.

    A confidence target t says to answer if that is right with probability t or more,
    which is the best rule if a non-return costs 1 - t of an error. Calibrated
    confidences could follow it to the letter.

    Parameters
    ----------
    curve : Curve
        Of one system, with confidences from 0 to 1.
    target : float
        From 0 to 1, read as the decimal it prints as.

    Returns
    -------
    Trust

    Raises
    ------
    UndefinedRate
        If there are no confidences, or one is outside of [0, 1].
    InputError
        If the target is not from 0 to 1.

    Notes
    -----
    The best cutoff is found on the data it is judged on, which flatters it.

    Examples
    --------
    Both answers with a confidence of 0.9 are wrong, so at a target of 0.8 silence
    would be cheaper:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[0, 0, 1, 0], confidence=[0.9, 0.9, 0.4, 0.2])
    >>> trust = cost_of_trust(demur.error_return(outcomes), target=0.8)
    >>> trust.cost, trust.best_cost, trust.best.cutoff
    (0.6, 0.2, None)
    """
    wanted = decimal_fraction("cost_of_trust", "target", target)
    ladder, ratio = _stated(curve), 1 - wanted
    trusted = curve.at(cutoff=float(target))
    stated = np.searchsorted(ladder.ranked, ladder.ranked.dtype.type(target), "left")
    best = least_cost(ladder, curve.totals, ratio)
    cost, least = _costs(curve, ladder, np.array([stated, best]), ratio)
    return Trust(
        target=float(target),
        cost_ratio=float(ratio),
        trusted=trusted,
        best=_vertex(curve, ladder, best),
        cost=float(cost),
        best_cost=float(least),
        difference=max(float(cost - least), 0.0),
    )


# -- graded guesses ----------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _Graded:
    """Graded guesses by rising confidence; each level of it begins at ``first``."""

    level: Floats
    first: Positions
    confidence: Floats
    credit: Floats
    weight: Floats
    unit: Positions
    no_guess: int
    ungraded: int

    @property
    def stated(self) -> bool:
        """Whether all confidences can be probabilities."""
        return bool(self.level[0] >= 0 and self.level[-1] <= 1)

    @property
    def units(self) -> int:
        """How many items, or clusters, can be drawn."""
        return int(self.unit.max()) + 1

    def sums(self, amount: Floats | float = 1.0) -> Floats:
        """Weighted sum of an amount at each level."""
        totals: Floats = np.add.reduceat(self.weight * amount, self.first)
        return totals


def _graded(where: str, sample: Sample, ungraded: Flags | None) -> _Graded:
    guess = sample.guess
    if ungraded is not None:
        if len(ungraded) != len(sample):
            must = f"have one flag for each of the {len(sample)} items"
            raise InputError(where, "ungraded", must, str(len(ungraded)))
        guess = guess & ~np.asarray(ungraded, bool)
    if not guess.any():
        raise UndefinedRate(f"{where}: there is no graded guess to judge.")
    confidence = sample.confidence[guess] + 0.0  # -0.0 becomes 0.0
    if np.isnan(confidence).any():
        raise UndefinedRate(f"{where}: there are guesses without a confidence.")
    every = np.ones(len(sample)) if sample.weight is None else sample.weight
    credit, weight = 1.0 - sample.loss[guess], every[guess]
    order = np.lexsort((weight, credit, confidence))
    confidence = confidence[order]
    unit = np.arange(len(order))
    if sample.cluster is not None:
        unit = np.unique(sample.cluster[guess][order], return_inverse=True)[1]
    first = np.flatnonzero(np.append(True, confidence[1:] != confidence[:-1]))
    return _Graded(
        level=confidence[first],
        first=first,
        confidence=confidence,
        credit=credit[order],
        weight=weight[order],
        unit=unit,
        no_guess=int(np.count_nonzero(~sample.guess)),
        ungraded=int(np.count_nonzero(sample.guess)) - len(confidence),
    )


def _isotonic(credit: Floats, weight: Floats) -> Floats:
    """Rising estimates of credit / weight, from sums at each level.

    Pools come from scipy; their ratios are formed here from whole sums, so that pools
    of equal ratio have the same estimate.
    """
    from scipy.optimize import isotonic_regression

    pools = isotonic_regression(credit / weight, weights=weight).blocks
    first = pools[:-1]
    ratio = np.add.reduceat(credit, first) / np.add.reduceat(weight, first)
    estimate: Floats = np.maximum.accumulate(np.repeat(ratio, np.diff(pools)))
    return estimate


# -- the Brier score ---------------------------------------------------------------


def _split(graded: _Graded, weight: Floats) -> Floats:
    """The four `PARTS` if the guesses weigh this much, some perhaps nothing."""
    per_level = np.add.reduceat(weight, graded.first)
    credit = np.add.reduceat(weight * graded.credit, graded.first)
    kept = per_level > 0
    level, per_level, credit = graded.level[kept], per_level[kept], credit[kept]
    total = per_level.sum()
    brier = np.dot(weight, (graded.confidence - graded.credit) ** 2) / total
    mean = credit.sum() / total
    uncertainty = np.dot(weight, (graded.credit - mean) ** 2) / total
    fitted = _isotonic(credit, per_level)
    off = _excess(level, fitted, credit, per_level)
    gain = _excess(np.full(len(level), mean), fitted, credit, per_level)
    return np.array([brier, off, gain, uncertainty])


def _excess(level: Floats, fitted: Floats, credit: Floats, weight: Floats) -> Any:
    """How much worse a forecast scores than the fitted one; never negative."""
    # (level - c)^2 - (fitted - c)^2, summed over the credits c of each level
    gap = level - fitted
    return max(np.dot(gap, weight * (level + fitted) - 2 * credit) / weight.sum(), 0.0)


def _resample(
    graded: _Graded, replicates: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The four parts with units drawn anew; two of them with nothing to be found.

    Returns
    -------
    parts : array, shape (replicates, 4)
    nulls : array, shape (replicates, 2)
        Miscalibration of calibrated, discrimination of uninformative confidences.
    """
    units, weight = graded.units, graded.sums()
    mean = np.dot(graded.weight, graded.credit) / weight.sum()
    parts, nulls = np.empty((replicates, 4)), np.empty((replicates, 2))
    for row in range(replicates):
        times = np.bincount(rng.integers(0, units, units), minlength=units)
        parts[row] = _split(graded, graded.weight * times[graded.unit])
        sign = (2 * rng.integers(0, 2, units) - 1)[graded.unit]
        for column, forecast in enumerate((graded.confidence, mean)):
            credit = graded.sums(forecast + sign * (graded.credit - forecast))
            flat = np.full(len(weight), credit.sum() / weight.sum())
            level = flat if column else graded.level
            nulls[row, column] = _excess(
                level, _isotonic(credit, weight), credit, weight
            )
    return parts, nulls


def _inference(
    split: Floats, parts: Floats, nulls: Floats, chance: float
) -> tuple[_Intervals, _PValues]:
    """Intervals of all parts, and p values of the two that cannot be negative."""
    as_extreme = np.count_nonzero(nulls >= split[1:3] - _SAME, axis=0)
    p_values = (as_extreme + 1) / (len(nulls) + 1)
    low, high = np.quantile(parts, [chance / 2, 1 - chance / 2], axis=0)
    for part, p_value in zip((1, 2), p_values, strict=True):
        value = split[part]
        low[part], high[part] = 2 * value - high[part], 2 * value - low[part]
        if p_value > chance:
            low[part], high[part] = 0.0, max(value, high[part])
    ends = zip(np.maximum(low, 0).tolist(), high.tolist(), strict=True)
    calibrated, uninformative = p_values.tolist()
    return dict(zip(PARTS, ends, strict=True)), (calibrated, uninformative)


# -- trust -------------------------------------------------------------------------


def _stated(curve: Curve) -> Ladder:
    """The ladder of a system whose confidences can be probabilities."""
    name = curve.system or "the system"
    if curve.ladder is None:
        raise UndefinedRate(f"cost_of_trust: {name} states no confidences to trust.")
    ranked = curve.ladder.ranked
    if not (ranked[0] >= 0 and ranked[-1] <= 1):
        raise UndefinedRate(
            f"cost_of_trust: confidences of {name} run from {ranked[0]:g} to "
            f"{ranked[-1]:g}, so they are no probabilities. Choose a cutoff by cost."
        )
    return curve.ladder


def _costs(
    curve: Curve, ladder: Ladder, position: Positions, ratio: Fraction
) -> list[Fraction]:
    """Error, with ungraded answers, + ratio x nonreturn at vertices, exactly."""
    withheld, lost, _, _, unclear = amounts(ladder, curve.totals, position)
    weight = Fraction(curve.totals.weight)
    rates = zip(withheld.tolist(), (lost + unclear).tolist(), strict=True)
    return [(Fraction(y) + ratio * Fraction(x)) / weight for x, y in rates]


def _vertex(curve: Curve, ladder: Ladder, position: int) -> Point:
    """The point at a vertex; silence has no cutoff to ask for."""
    if position == len(ladder.ranked):
        return replace(curve.at(nonreturn=1.0, how="at_least"), how="exact")
    return curve.at(cutoff=shortest(ladder.ranked[position]))
