"""Calibration without bins: what stated confidences are worth.

The isotonic estimate of P(right | confidence), fitted by pooling adjacent violators,
is read off the lower convex hull of the error-return curve: a segment that falls by a
share s of what it declines holds answers that are wrong with probability s. Comparing
it with the stated confidences needs no bins and no choice of their number.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Positions, Sample, frozen
from demur.calibration.isotonic import (
    chance_outside,
    graded_guesses,
    isotonic,
    isotonic_draws,
)
from demur.checks import decimal_fraction
from demur.curves.counting import Ladder
from demur.curves.curves import Curve, vertex_at
from demur.curves.rates import Point, amounts_at
from demur.decisions.costs import least_cost
from demur.errors import UndefinedRate
from demur.results import Column, Result, Table

_CELLS = 200  # levels of confidence that a band tells apart


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReliabilityBlock(Result):
    """Neighbouring confidences with one estimate.

    Parameters
    ----------
    low, high : float
        The least and the greatest confidence.
    estimate : float
        Credit / weight of the guesses: how often they are right.
    count : int
        Guesses.
    weight : float
        Their weight.
    """

    low: float
    high: float
    estimate: float
    count: int
    weight: float


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Reliability(Result):
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

    @property
    def blocks(self) -> tuple[ReliabilityBlock, ...]:
        """Runs of equal estimates, by rising confidence."""
        first = np.flatnonzero(np.diff(self.estimate, prepend=-1.0) > 0)
        last = np.append(first[1:], len(self.estimate)) - 1
        count, weight = (
            np.add.reduceat(amount, first) for amount in (self.count, self.weight)
        )
        columns = (
            *(self.confidence[first], self.confidence[last], self.estimate[first]),
            *(count, weight),
        )
        rows = zip(*[column.tolist() for column in columns], strict=True)
        return tuple(ReliabilityBlock(*row) for row in rows)

    def sentence(self) -> str:
        """Over which confidences the estimate rises, and from where to where."""
        low, high = self.estimate[0], self.estimate[-1]
        ends = f"{self.confidence[0]:.4g} to {self.confidence[-1]:.4g}"
        return (
            f"From confidence {ends} guesses are right with a chance of {low:.3f} to "
            f"{high:.3f}, in {len(self.blocks)} steps ({self.count.sum()} guesses)."
        )

    def tables(self) -> tuple[Table]:
        """A row for each run of equal estimates."""
        columns = (
            Column("low", cells="number", explained="least confidence of the run"),
            Column("high", cells="number", explained="the greatest"),
            Column("estimate", cells="share", explained="how often guesses are right"),
            Column("count", cells="count", explained="guesses"),
            Column("weight", cells="number", wide=True),
        )
        return (Table.of("", columns, self.blocks),)

    def to_dict(self) -> dict[str, Any]:
        """The diagram as plain values for JSON, block by block."""
        return {
            "blocks": [block.to_dict() for block in self.blocks],
            "stated": self.stated,
            "no_guess": self.no_guess,
            "ungraded": self.ungraded,
        }


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ConsistencyBand(Result):
    """Where the reliability curve of calibrated confidences lies.

    Pointwise: at each confidence by itself, with a chance of ``level``.

    Parameters
    ----------
    confidence : array of float64, shape (n,)
        Rising; at most 200, neighbours being merged.
    low, high : array of float64, shape (n,)
        Ends of the band.
    level : float
        Of the band.
    replicates, seed : int
        Of the draws.
    """

    confidence: Floats
    low: Floats
    high: Floats
    level: float
    replicates: int
    seed: int

    def sentence(self) -> str:
        """What the band is for."""
        return (
            f"Calibrated confidences would put the estimate within this band at any "
            f"one confidence ({100 * self.level:g} %, {self.replicates} draws)."
        )

    def tables(self) -> tuple[Table]:
        """The edges at each confidence."""
        columns = (
            Column("confidence", cells="number"),
            Column("low", cells="share"),
            Column("high", cells="share"),
        )
        return (Table.of_arrays(columns, self),)

    def to_dict(self) -> dict[str, Any]:
        """The band as plain values for JSON."""
        return Result.to_dict(self) | {"kind": "consistency, pointwise"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trust(Result):
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

    SAYS = (
        "Answering from confidence {target} on costs {cost} for each item; the best "
        "cutoff costs {best_cost}."
    )

    target: float
    cost_ratio: float
    trusted: Point
    best: Point
    cost: float
    best_cost: float
    difference: float


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
    graded = graded_guesses("reliability", sample, ungraded)
    weight, credit = graded.sums(), graded.sums(graded.credit)
    return Reliability(
        confidence=frozen(graded.level),
        estimate=frozen(isotonic(credit, weight)),
        observed=frozen(credit / weight),
        count=frozen(np.add.reduceat(graded.count, graded.first)),
        weight=frozen(weight),
        stated=graded.stated,
        no_guess=graded.no_guess,
        ungraded=graded.ungraded,
    )


def consistency_band(
    sample: Sample,
    *,
    ungraded: Flags | None = None,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> ConsistencyBand:
    """Where the reliability curve would lie if the confidences were calibrated.

    In each replicate every guess is right with its confidence for a chance; guesses of
    one cluster stand and fall together, which is the most that they can depend on each
    other and makes the band wide.

    Parameters
    ----------
    sample : Sample
        One system's answers; confidences from 0 to 1.
    ungraded : array of bool, shape (n_items,), optional
        Guesses that nobody could judge; they are left out.
    level : float
        Of the band at each confidence.
    replicates : int
        How often to draw; at least 1.
    seed : int
        Of the draws.

    Returns
    -------
    ConsistencyBand

    Raises
    ------
    UndefinedRate
        If there is no graded guess, no confidence, or one outside of [0, 1].
    InputError
        If an argument is not what it must be.

    References
    ----------
    T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (8), e2016191118: consistency bands.

    Examples
    --------
    Half of 100 guesses at 0.5 are right, give or take ten:

    >>> import numpy as np
    >>> sample = Sample(
    ...     guess=np.ones(100, bool), confidence=np.full(100, 0.5),
    ...     loss=np.repeat([0.0, 1.0], 50))
    >>> band = consistency_band(sample)
    >>> band.low, band.high
    (array([0.4]), array([0.6]))
    """
    where = "consistency_band"
    graded = graded_guesses(where, sample, ungraded)
    if not graded.stated:
        raise UndefinedRate("the confidences are no probabilities.", where=where)
    chance = chance_outside(where, level, replicates, least=1)
    # Merged first: each draw is fitted anew, and a picture has no room for more.
    cells, rng = graded.coarse(_CELLS), np.random.default_rng(seed)
    weight = cells.sums()
    credit = np.array([cells.sums(cells.kept(rng)) for _ in range(replicates)])
    drawn = isotonic_draws(credit, weight)
    ends = [float(chance / 2), float(1 - chance / 2)]
    low, high = np.quantile(drawn, ends, axis=0)
    return ConsistencyBand(
        confidence=frozen(cells.level),
        low=frozen(low),
        high=frozen(high),
        level=float(level),
        replicates=replicates,
        seed=seed,
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
        best=replace(vertex_at(curve, best), how="exact"),
        cost=float(cost),
        best_cost=float(least),
        difference=max(float(cost - least), 0.0),
    )


# -- trust -------------------------------------------------------------------------


def _stated(curve: Curve) -> Ladder:
    """The ladder of a system whose confidences can be probabilities."""
    name = curve.system or "the system"
    if curve.ladder is None:
        raise UndefinedRate(
            f"{name} states no confidences to trust.", where="cost_of_trust"
        )
    ranked = curve.ladder.ranked
    ranked = ranked[ranked > -np.inf]  # what could not be executed states nothing
    if not (len(ranked) and ranked[0] >= 0 and ranked[-1] <= 1):
        low, high = curve.ladder.ranked[[0, -1]]
        raise UndefinedRate(
            f"confidences of {name} run from {low:g} to {high:g}, so "
            "they are no probabilities. Choose a cutoff by cost.",
            where="cost_of_trust",
        )
    return curve.ladder


def _costs(
    curve: Curve, ladder: Ladder, position: Positions, ratio: Fraction
) -> list[Fraction]:
    """Error, with ungraded answers, + ratio x nonreturn at vertices, exactly."""
    withheld, lost, _, _, unclear = amounts_at(ladder, curve.totals, position)
    weight = Fraction(curve.totals.weight)
    rates = zip(withheld.tolist(), (lost + unclear).tolist(), strict=True)
    return [(Fraction(y) + ratio * Fraction(x)) / weight for x, y in rates]
