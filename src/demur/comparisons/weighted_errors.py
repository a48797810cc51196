"""Weighted error: wrong answers count several times, answers not given once.

``weight * error + nonreturn``, as rates over all items: a wrong answer costs as much
as ``weight`` answers not given. It is the cost ``error + r * nonreturn`` of the other
pages with r = 1 / weight, in other units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.errors import InputError, shown
from demur.results import Result
from demur.results.text import span
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import percentiles
from demur.statistics.resampling import draws_of_kinds
from demur.statistics.units import FEWEST_UNITS, unit_sums

USUAL: Final = 2.0
"""The weight of the evaluations of 1991 to 1993."""


DIGITS: Final = 12
"""To so many digits sums of clusters are compared."""


@dataclass(frozen=True, eq=False, repr=False)
class WeightedError(Result):
    """The weighted error of one system at one weight.

    Parameters
    ----------
    weight : float
        What a wrong answer costs, if an answer not given costs 1.
    low, high : float
        ``weight * error + nonreturn``, if ungraded answers were right, and if they
        were wrong; from 0 to ``max(weight, 1)``. Equal if everything is graded.
    interval : tuple (low, high), or None
        From percentiles of resamples, of both bounds; None with a single item or
        cluster.
    """

    weight: float
    low: float
    high: float
    interval: tuple[float, float] | None

    def sentence(self) -> str:
        """The weighted error, or what it may be."""
        error = span(self.low, self.high)
        return (
            f"If a wrong answer costs {self.weight:g}, the weighted error is {error}."
        )

    def to_dict(self) -> dict[str, Any]:
        """The weighted error and its score, 1 less it, as plain values for JSON."""
        value = self.low if self.low == self.high else None
        return {
            "weight": self.weight,
            "weighted_error": value,
            "low": self.low,
            "high": self.high,
            "score": None if value is None else 1 - value,
            "interval": None if self.interval is None else list(self.interval),
        }


@dataclass(frozen=True, eq=False)
class Decided:
    """What became of each item by a system's own decisions.

    Parameters
    ----------
    lost : array of float64, shape (n_items,)
        1 less the credit of answers given and graded; 0 for all other items.
    unclear : array of bool, shape (n_items,)
        Answers given that nobody could grade.
    withheld : array of bool, shape (n_items,)
        Items without an answer, or with one that the system declined to give.
    weight : array of float64, shape (n_items,), or None
        Positive; None is 1 each.
    cluster : array of int64, shape (n_items,), or None
        Whole clusters are drawn; None draws items.
    """

    lost: Floats
    unclear: Flags
    withheld: Flags
    weight: Floats | None = None
    cluster: Positions | None = None

    @property
    def units(self) -> "UnitSums":
        """The same of each cluster, or of each item without any."""
        weight = np.ones(len(self.lost)) if self.weight is None else self.weight
        amounts = (1.0, self.lost, self.unclear, self.withheld)
        sums = [unit_sums(amount * weight, self.cluster) for amount in amounts]
        return UnitSums(np.column_stack(sums))


@dataclass(frozen=True, eq=False)
class UnitSums:
    """What became of the independent units: clusters, or items that stand alone.

    Parameters
    ----------
    sums : array of float64, shape (n_units, 4)
        Weight, what is lost, weight of ungraded answers, weight not given.
    number : array of int64, shape (n_units,), or None
        How many units are like each; None is 1 each.
    """

    sums: Floats
    number: Positions | None = None


def weighted_errors(
    decided: UnitSums,
    weights: Sequence[float],
    *,
    level: float,
    recipe: tuple[int, int] | None,
) -> tuple[WeightedError, ...]:
    """The weighted error at several weights, with intervals from the same resamples.

    Parameters
    ----------
    decided : UnitSums
        What became of the items of one system.
    weights : sequence of float
        Positive.
    level : float
        Share of samples whose interval holds the true number.
    recipe : tuple (replicates, seed), or None
        Of the bootstrap; None leaves intervals out.

    Returns
    -------
    tuple of WeightedError
        One for each weight.

    References
    ----------
    MADCOW (1992), "Multi-Site Data Collection for a Spoken Language Corpus", and the
    report on the evaluation of February 1991 (ACL Anthology H91-1008): weight 2, and
    the score 100 - weighted error.

    Examples
    --------
    Published in 1992: 331 right, 102 wrong, 254 not answered, weighted error 66.7 %.

    >>> lost = np.repeat([0.0, 1.0, 0.0], [331, 102, 254])
    >>> withheld = np.repeat([False, False, True], [331, 102, 254])
    >>> decided = Decided(lost, np.zeros(687, bool), withheld).units
    >>> (found,) = weighted_errors(decided, [2], level=0.95, recipe=(2000, 0))
    >>> round(found.low, 3), [round(end, 2) for end in found.interval]
    (0.667, [0.61, 0.72])
    """
    units, number = decided.sums, decided.number
    n_units = len(units) if number is None else int(number.sum())
    totals = units.sum(axis=0) if number is None else number @ units
    totals, drawn = totals[np.newaxis], None
    if recipe is not None and n_units >= FEWEST_UNITS:
        drawn = _drawn(units, number, *recipe)
    worth = equal_units(units[:, 0], number=number)
    errors = []
    for weight in weights:
        low, high = (float(bound[0]) for bound in _bounds(totals, weight))
        ends = None if drawn is None else _interval(drawn, weight, level, worth)
        errors.append(WeightedError(float(weight), low, high, ends))
    return tuple(errors)


def check_weights(where: str, weights: Sequence[Any]) -> None:
    """Raise `InputError` unless there are weights, all positive and finite."""
    if not len(weights):
        raise InputError(where, "weights", "hold at least one", "none")
    for weight in weights:
        real = isinstance(weight, Real) and not isinstance(weight, bool)
        if not real or not 0 < weight < float("inf"):
            hint = "2: a wrong answer costs as much as two not given."
            raise InputError(where, "a weight", "be above 0", shown(weight), hint)


def _drawn(
    units: Floats, number: Positions | None, replicates: int, seed: int
) -> Floats:
    """Sums of the amounts in each resample; units alike are drawn together.

    Sums of clusters that differ by rounding alone are alike, so that the order of items
    makes no difference.
    """
    _, first, place, size = np.unique(
        np.round(units / units[:, 0].max(), DIGITS),
        axis=0,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    kinds = units[first]
    if number is not None:
        size = np.zeros(len(kinds), np.int64)
        np.add.at(size, place.ravel(), number)
    blocks = [block @ kinds for block in draws_of_kinds(size, replicates, seed)]
    return np.concatenate(blocks)


def _bounds(sums: Floats, weight: float) -> tuple[Floats, Floats]:
    """Low and high weighted error, from sums of weight, lost, unclear, withheld."""
    whole, lost, unclear, withheld = sums.T
    low = (weight * lost + withheld) / whole
    return low, low + weight * unclear / whole


def _interval(
    drawn: Floats, weight: float, level: float, n_units: float
) -> tuple[float, float]:
    """From the low percentile of the low bound to the high one of the high bound."""
    most = max(weight, 1.0)  # percentiles are those of rates, from 0 to 1
    low, high = (
        percentiles(bound / most, level=level, n_units=n_units)
        for bound in _bounds(drawn, weight)
    )
    return max(low[0], 0.0) * most, min(high[1], 1.0) * most
