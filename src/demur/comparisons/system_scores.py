"""The score of one system: counts, rates, weighted errors, and what gates may hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.comparisons.selective_scores import SelectiveScore, named_score
from demur.comparisons.weighted_errors import WeightedError
from demur.curves.curve_kinds import CURVE_KINDS, FAILURES, OUTCOMES_KINDS
from demur.results import BOUNDS, Figure, FigureKind, Result, count

_COUNTS: Final = (
    count("items", "items"),
    count("right", "right answers", better="higher"),
    count("wrong", "wrong answers", better="lower"),
    count("unanswered", "items not answered", better="lower"),
    count("ungraded", "answers that nobody could judge", better="lower"),
    count("both_empty", "right answers that are empty like their references"),
    count("correct_declines", "unanswerable items not answered", better="higher"),
)
_LOOKED_UP: Final = {kind.name: kind for kind in (*CURVE_KINDS, *OUTCOMES_KINDS)}
_RATES: Final = (
    FigureKind("right_rate", "the share of right answers", better="higher"),
    FigureKind("ungraded_rate", "the share of ungraded answers"),
    _LOOKED_UP["error"],
    _LOOKED_UP["nonreturn"],
)
OF_CURVES: Final = tuple(
    _LOOKED_UP[name]
    for name in ("missed", "area", "forced_choice_error", "certified_error")
)
"""Looked up on curves: they need confidences."""


def score_kinds(
    weights: Sequence[float], named: Sequence[str] = ()
) -> tuple[FigureKind, ...]:
    """What gates may hold, given what `demur.score` is asked for.

    Parameters
    ----------
    weights : sequence of float
        With several each has its figure, such as ``weighted_error_0.5``.
    named : sequence of str
        Named scores; in gates without what stands in brackets.

    Examples
    --------
    >>> [kind.name for kind in score_kinds([1, 2])][-2:]
    ['weighted_error_1', 'weighted_error_2']
    """
    names = weighted_names(weights)
    kinds = [
        FigureKind(
            name, f"the weighted error at weight {weight:g}", most=max(weight, 1)
        )
        for name, weight in zip(names, weights, strict=True)
    ]
    return *_COUNTS, *_RATES, *FAILURES, *OF_CURVES, *map(_named_kind, named), *kinds


def weighted_names(weights: Sequence[float]) -> list[str]:
    """What gates call the weighted error at each weight."""
    if len(weights) == 1:
        return ["weighted_error"]
    return [f"weighted_error_{weight:g}" for weight in weights]


def _named_kind(name: str) -> FigureKind:
    score = named_score(name)
    better = "lower" if score.is_cost else "higher"
    short = score.name.partition("(")[0]
    least, most = -np.inf, np.inf
    if isinstance(score, SelectiveScore):
        least, most = score.form.least, score.form.most
    return FigureKind(
        short, score.name, "number", least=least, most=most, better=better
    )


@dataclass(frozen=True, eq=False, repr=False)
class NamedScore(Result):
    """What one system earns by a named score.

    Parameters
    ----------
    name : str
        With its parameter, such as ``"reliability-score(c=10)"``.
    low, high : float or None
        With ungraded answers taken as they lower it, and as they raise it; equal if
        everything is graded. None where it is undefined.
    source : str
        Who has published the score.
    why_undefined : str
        Why there is no value; "" if there is one.
    """

    name: str
    low: float | None
    high: float | None
    source: str
    why_undefined: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Score(Result):
    """How one system did on all items, or on one group of them.

    Counts are of items by what the system decided to answer: they add up to
    ``items``. Rates are over all items, by credit and weight.

    Parameters
    ----------
    system : str
        Its name; "" if there is only one.
    group : mapping of column to value
        Empty for all items together.
    items, right, wrong, unanswered, ungraded : int
        An answer that the system declined to give is unanswered, whatever it was.
    both_empty : int
        Right answers among ``right`` that are empty like their references.
    correct_declines : int
        Unanswerable items among ``unanswered``.
    right_rate, error, nonreturn, ungraded_rate : float
        Shares of all items; they add up to 1.
    weighted : tuple of WeightedError
        One for each weight.
    named : tuple of NamedScore
        The named scores that were asked for.
    failed : int
        Items among ``unanswered`` of which the system gave nothing.
    """

    system: str
    group: Mapping[str, str]
    items: int
    right: int
    wrong: int
    unanswered: int
    ungraded: int
    both_empty: int
    correct_declines: int
    right_rate: float
    error: float
    nonreturn: float
    ungraded_rate: float
    weighted: tuple[WeightedError, ...]
    named: tuple[NamedScore, ...] = ()
    failed: int = 0

    @property
    def failed_rate(self) -> float:
        """How many items failed / all items."""
        return self.failed / self.items

    @property
    def gave_nothing(self) -> bool:
        """Whether nothing was answered, and not because all was declined."""
        return self.failed > 0 and self.unanswered == self.items

    @property
    def part(self) -> str:
        """The system and the group, as gates call them: ``"a, class = A"``."""
        values = [f"{name} = {value}" for name, value in self.group.items()]
        return ", ".join([self.system, *values] if self.system else values)

    def sentence(self) -> str:
        """How many answers were right, wrong and not given."""
        ungraded = f", {self.ungraded} ungraded" if self.ungraded else ""
        whose = f"{self.part}: " if self.part else ""
        return (
            f"{whose}{self.right} of {self.items} items right, {self.wrong} wrong, "
            f"{self.unanswered} not answered{ungraded}."
        )


# -- for gates -------------------------------------------------------------------------


def score_figures(
    score: Score, kinds: Mapping[str, FigureKind], weighted: Sequence[str]
) -> Iterator[Figure]:
    """Counts and rates by own decisions, weighted errors and named scores."""
    of = score.part
    for kind in (*_COUNTS, *_RATES, *FAILURES):
        value = getattr(score, kind.name)
        if kind.name in ("error", "wrong") and score.nonreturn == 1:
            yield Figure(kind, None, of=of, why_undefined="nothing is answered")
        elif kind.name == "error":
            high = score.error + score.ungraded_rate
            yield Figure(kind, value, value, high, BOUNDS, of=of)
        else:
            yield Figure(kind, value, of=of)
    scored: list[tuple[str, WeightedError | NamedScore]] = [
        *zip(weighted, score.weighted, strict=True)
    ]
    scored += [(named.name.partition("(")[0], named) for named in score.named]
    for name, held in scored:
        if score.gave_nothing:
            failed = f"{score.failed} of {score.items} requests failed"
            why = f"nothing is answered, {failed}"
            yield Figure(kinds[name], None, of=of, why_undefined=why)
        else:
            yield _bounded(kinds[name], held, of)


def _bounded(kind: FigureKind, held: WeightedError | NamedScore, of: str) -> Figure:
    low, high = held.low, held.high
    if isinstance(held, NamedScore) and low is None:
        return Figure(kind, None, of=of, why_undefined=held.why_undefined)
    return Figure(kind, low if low == high else None, low, high, BOUNDS, of=of)
