"""The numbers of a submission that stand on boards, and the tests that rank by them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Final

import numpy as np

from demur.arrays import Floats, Ranking, Sample, effective_items, rank, unit_sums
from demur.campaigns.rank_ranges import (
    PairedUnits,
    PairTests,
    influence_tests,
    own_tests,
)
from demur.campaigns.rules import BoardRules, ScoringRules
from demur.comparisons.own_decisions import own_amounts
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import paired, sample_of
from demur.outcomes.table import Outcomes
from demur.statistics.equal_units import equal_units_of
from demur.statistics.paired_tests import least_deviation
from demur.statistics.quantities import Quantity, observed
from demur.statistics.units import FEWEST_UNITS, ROUNDING

_OWN: Final = {"error": "own error", "weighted_error": "weighted error"}


@dataclass(frozen=True)
class BoardMeasure:
    """A number that boards show: of own decisions, or off the curve.

    Parameters
    ----------
    name : str
        ``error``, ``weighted_error`` or ``error@RATE``.
    weight : float
        Of a wrong answer, for the weighted error.
    """

    name: str
    weight: float = 2.0

    @property
    def rate(self) -> float | None:
        """The non-return rate, if it is read off the curve."""
        _, _, rate = self.name.partition("@")
        return float(rate) if rate else None

    @property
    def most(self) -> float:
        """What an item can cost at most."""
        return max(self.weight, 1.0) if self.name == "weighted_error" else 1.0

    @property
    def test(self) -> str:
        """Which paired test ranks by it, in words."""
        if self.rate is not None:
            return "Student's t test of influence values"
        if self.name == "error":
            return (
                "McNemar's exact test, or flipped signs of parts, weights or clusters"
            )
        return "flipped signs"

    @property
    def words(self) -> str:
        """What it is, for people."""
        if self.rate is not None:
            return f"error where {100 * self.rate:g} % are not answered"
        if self.name == "error":
            return "error, as the systems decide themselves to decline"
        return f"weighted error, a wrong answer costing {self.weight:g}"

    def value(self, outcomes: Outcomes) -> float | None:
        """The number of one submission; ungraded answers are taken for wrong.

        None where the curve does not reach the rate, or there is none: that depends on
        the submission alone, and not on what is right.
        """
        sample = sample_of(outcomes)
        if self.rate is not None:
            return _error_at(sample, self.rate)
        lost = own_losses(outcomes, sample, self)
        weight = np.ones(len(sample)) if sample.weight is None else sample.weight
        return self.most * float(weight @ lost / weight.sum())


def own_losses(
    outcomes: Outcomes, sample: Sample, measure: BoardMeasure, unknown: str = ""
) -> Floats:
    """What each item costs by the system's own decisions, as a share of the most."""
    name, weight = _OWN[measure.name], measure.weight
    decided = outcomes.declined, outcomes.failed, name, unknown, weight
    return own_amounts(sample, *decided) / measure.most


def lacks_confidences(sample: Sample) -> bool:
    """Whether some guess has none, so that there is no curve."""
    return bool(np.isnan(sample.confidence[sample.guess]).any())


def _error_at(sample: Sample, rate: float) -> float | None:
    if lacks_confidences(sample) or not sample.guess.any():
        return None
    curve = observed(rank(sample))
    if rate < float(curve.start[0]) - ROUNDING:
        return None
    return float(curve.error_at(rate)[0])


def shown_measures(
    scoring: ScoringRules, board: BoardRules
) -> tuple[BoardMeasure, ...]:
    """What an open board shows of a submission; the first ranks.

    Without any rates it shows nothing that depends on what is right.

    Examples
    --------
    >>> scoring = ScoringRules(by="text", measure="error")
    >>> [one.name for one in shown_measures(scoring, BoardRules(rates=(0.2, 0.1)))]
    ['error', 'error@0.2', 'error@0.1']
    >>> shown_measures(scoring, BoardRules(rates=()))
    ()
    """
    if not board.rates:
        return ()
    names = dict.fromkeys(
        [_as_typed(scoring.measure), *(f"error@{rate:g}" for rate in board.rates)]
    )
    return tuple(BoardMeasure(name, scoring.weight) for name in names)


def _as_typed(measure: str) -> str:
    name, _, rate = measure.partition("@")
    return f"{name}@{float(rate):g}" if rate else name


def ranking_measure(scoring: ScoringRules) -> BoardMeasure:
    """What ranks after closing."""
    return BoardMeasure(_as_typed(scoring.measure), scoring.weight)


def shown_figures(
    outcomes: Outcomes, measures: Sequence[BoardMeasure], digits: int
) -> tuple[float | None, ...]:
    """The numbers of a submission as an open board shows them: rounded.

    This is all that leaves the verdicts while a phase is open.
    """
    values = (measure.value(outcomes) for measure in measures)
    return tuple(None if one is None else to_digits(one, digits) for one in values)


def to_digits(value: float, digits: int) -> float:
    """A figure to so many decimals, halves upwards, whatever is behind the ninth.

    So that how floating point has summed, which depends on what is right, shows
    nowhere.

    Examples
    --------
    >>> to_digits(0.075, 2), to_digits(0.07499999999999999, 2), to_digits(0.0749, 2)
    (0.08, 0.08, 0.07)
    """
    step = Decimal(1).scaleb(-digits)
    return float(Decimal(f"{value:.9f}").quantize(step, ROUND_HALF_UP))


def answered_share(outcomes: Outcomes) -> float:
    """Of all items, those with a guess that was not declined: no verdict is in it."""
    guess = sample_of(outcomes).guess
    given = guess if outcomes.declined is None else guess & ~outcomes.declined
    return float(given.mean())


def independent_units(outcomes: Outcomes) -> int:
    """As how many items of equal weight dialogues and weighted items vary at most.

    That is if each dialogue is right or wrong as a whole; no verdict is in it.

    Examples
    --------
    >>> from demur import Outcomes
    >>> table = Outcomes.from_arrays(correct=[1, 0, 1, 1], cluster=["a", "a", "b", "b"])
    >>> independent_units(table)
    2
    """
    sample = sample_of(outcomes)
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    units = unit_sums(weight, sample.cluster)
    return math.floor(effective_items(units, len(units)) + ROUNDING)


def with_ladder(
    figures: Sequence[float | None], step: float | None
) -> list[float | None]:
    """What the Ladder shows after each of a team's submissions, in their order.

    A number changes only if it is better than the best so far by at least the step.

    Parameters
    ----------
    figures : sequence of float or None
        Rounded; less is better.
    step : float or None
        None shows each as it is.

    References
    ----------
    Blum and Hardt (2015), "The Ladder: a reliable leaderboard for machine learning
    competitions", ICML.

    Examples
    --------
    >>> with_ladder([0.4, 0.39, 0.35, None, 0.36], 0.02)
    [0.4, 0.4, 0.35, 0.35, 0.35]
    """
    if step is None:
        return list(figures)
    best: float | None = None
    figures_shown = []
    for figure in figures:
        # Short decimals are compared, so that 0.4 - 0.02 is 0.38.
        if figure is not None and (best is None or round(best - figure, 9) >= step):
            best = figure
        figures_shown.append(best)
    return figures_shown


@dataclass(frozen=True, eq=False)
class RankedSystems:
    """Systems that a measure ranks, on the same items in the same order.

    Parameters
    ----------
    measure : BoardMeasure
    tables : mapping of str to Outcomes
        By name; each has a value of the measure.
    """

    measure: BoardMeasure
    tables: Mapping[str, Outcomes]

    @cached_property
    def _paired(self) -> list[Outcomes]:
        return paired(list(self.tables.values()))[0]

    @cached_property
    def units(self) -> PairedUnits:
        """Their items."""
        first = self._samples("right")[0]
        worth = equal_units_of(first)
        return PairedUnits(len(first), first.weight, first.cluster, worth)

    @property
    def testable(self) -> bool:
        """Whether there are enough systems and independent items for a test."""
        if len(self.tables) < 2:
            return False
        return self._samples("right")[0].n_clusters >= FEWEST_UNITS

    def tests(self) -> list[PairTests]:
        """All pairs, as shown; and where something is unknown, either way."""
        return self._curve_tests() if self.measure.rate is not None else self._own()

    def _samples(self, ungraded: str) -> list[Sample]:
        return [sample_of(table, ungraded=ungraded) for table in self._paired]

    def _own(self) -> list[PairTests]:
        as_shown = self._amounts("")
        tests = [own_tests(self.units, as_shown, as_shown)]
        if self._is_unknown(failed=True):
            ends = self._amounts("wrong"), self._amounts("right")
            tests += [own_tests(self.units, *ends), own_tests(self.units, *ends[::-1])]
        return tests

    def _amounts(self, unknown: str) -> Floats:
        """What each item costs each system, as a share of the most that it can."""
        samples = self._samples(unknown or "right")
        rows = [
            own_losses(table, sample, self.measure, unknown)
            for sample, table in zip(samples, self._paired, strict=True)
        ]
        return np.array(rows)

    def _curve_tests(self) -> list[PairTests]:
        best = self._estimates("right")
        least = least_deviation(
            self._samples("right")[0], Quantity("error", self.measure.rate)
        )
        ends = [(best, best)]
        if self._is_unknown(failed=False):
            worst = self._estimates("wrong")
            ends += [(worst, best), (best, worst)]
        return [
            influence_tests(self.units, (a[0], b[0]), (a[1], b[1]), least=least)
            for a, b in ends
        ]

    def _estimates(self, ungraded: str) -> tuple[Floats, Floats]:
        rankings: list[Ranking] = [rank(one) for one in self._samples(ungraded)]
        quantity = Quantity("error", self.measure.rate)
        estimates = quantity.estimates(rankings, self.units.cluster)
        values = np.array([one.value for one in estimates])
        return values, np.array([one.influence for one in estimates])

    def _is_unknown(self, *, failed: bool) -> bool:
        return any(
            bool((table.outcome == UNGRADED).any())
            or (failed and bool(table.failed.any()))
            for table in self._paired
        )
