"""Scores: right, wrong and not answered, weighed, and how they are shown and held."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from demur.comparisons.selective_scores import named_score
from demur.comparisons.system_scores import (
    OF_CURVES,
    NamedScore,
    Score,
    score_figures,
    score_kinds,
    weighted_names,
)
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.of_outcomes import counted_curves, named_curve
from demur.outcomes.parts import named_parts
from demur.outcomes.reasons import with_failures
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    Contender,
    Figure,
    Result,
    Standings,
    Table,
    between,
    span,
)
from demur.results.gates import Gate
from demur.results.several import NO_COMMON_ITEM, common_items
from demur.results.text import significant


def group_label(group: Mapping[str, str]) -> str:
    """A group's name in notes.

    Examples
    --------
    >>> group_label({"class": "A", "site": "s1"}), group_label({})
    ('A, s1', 'all')
    """
    return ", ".join(group.values()) or ALL_ITEMS


ALL_ITEMS: Final = "all"
"""What stands in a group's column for all items together."""


@dataclass(frozen=True, eq=False, repr=False)
class Exchange(Result):
    """The weight at which two systems change places.

    Parameters
    ----------
    group : mapping of column to value
        Empty for all items together.
    a, b : str
        Two systems.
    weight : float or None
        At which their weighted errors are equal; None if there is none.
    below, above : str or None
        Who has the smaller weighted error at smaller and at greater weights; the
        same without a weight. None if they are equal at every weight.
    """

    group: Mapping[str, str]
    a: str
    b: str
    weight: float | None
    below: str | None
    above: str | None


@dataclass(frozen=True, eq=False, repr=False)
class BestRange(Result):
    """A range of weights over which one system has the smallest weighted error.

    Parameters
    ----------
    group : mapping of column to value
        Empty for all items together.
    start, end : float
        The range; the last one is without end (infinity). Neighbours are equal
        where they meet.
    systems : tuple of str
        Several if they answer and err equally often.
    """

    group: Mapping[str, str]
    start: float
    end: float
    systems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The range as plain values for JSON; null is without end."""
        return {
            "group": dict(self.group),
            "from": self.start,
            "to": None if np.isinf(self.end) else self.end,
            "systems": list(self.systems),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result):
    """Scores of all systems and groups, and who is better at which weight.

    Parameters
    ----------
    scores : tuple of Score
        By group, then by system in order of appearance; all items come last.
    exchanges : tuple of Exchange
        Of each pair of systems with the same items; where there are more than 50
        systems, of those that are best at some weight.
    best : tuple of BestRange
        Per group, from small weights to great ones.
    by : tuple of str
        The columns of the groups.
    level : float
        Of the intervals.
    left_out : int
        How many rows were left out.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    outcomes : Outcomes, CountedOutcomes or None
        What was scored, for gates that look figures up on curves.
    """

    KINDS: ClassVar = score_kinds([1.0])

    scores: tuple[Score, ...]
    exchanges: tuple[Exchange, ...]
    best: tuple[BestRange, ...]
    by: tuple[str, ...]
    level: float
    left_out: int
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)
    outcomes: Outcomes | CountedOutcomes | None = field(
        default=None, repr=False, compare=False
    )

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; all items of one system also flat."""
        plain = super().to_dict()
        whole = [score.to_dict() for score in self.scores if not score.group]
        flat = whole[0] if len(whole) == 1 else {"systems": whole}
        return flat | plain

    def sentence(self) -> str:
        """Who is best at each weight, and by each named score; all items together."""
        whole = [score for score in self.scores if not score.group]
        answering = [score for score in whole if not score.gave_nothing]
        lines = [self.weighted_words(at) for at in range(len(whole[0].weighted))]
        lines += [
            self._named_words(answering, place)
            for place in range(len(whole[0].named) if len(whole) > 1 else 0)
        ]
        first = f"{whole[0].sentence()} " if len(whole) == 1 else ""
        text = f"{first}{' '.join(lines)}" if answering else "Nothing was answered."
        failed = {score.system: (score.failed, score.items) for score in whole}
        return with_failures(failed, text)

    @property
    def _common(self) -> int | None:
        """How many items all systems have in common; None if they have the same."""
        if self.outcomes is None:
            return None
        if isinstance(self.outcomes, CountedOutcomes):
            return self.outcomes.common
        parts = (part for _, part in named_parts(self.outcomes))
        return common_items([part.item.tolist() for part in parts])

    def _named_words(self, whole: Sequence[Score], place: int) -> str:
        """Who is best by a named score."""
        name = whole[0].named[place].name
        better = "lower" if named_score(name).is_cost else "higher"
        held = [(_name(score.system), score.named[place]) for score in whole]
        ranking = Standings(
            (Contender(name, named.low, named.high) for name, named in held),
            better=better,
            shown=significant,
        )
        left_out = ranking.left_out(f"{name} is undefined there")
        if all(contender.low is None for contender in ranking.ranked):
            return f"There is no {name}; the notes say why."
        if self._common == 0:
            return f"By {name} {ranking.listed('{} has {}', '{} {}')}."
        who = ranking.who("is best", "are best", "the best value")
        if not ranking.known:
            rivals = ranking.rivals_text("{} has {}", "{} {}")
            return f"By {name} {who}: {rivals}.{left_out}"
        return f"By {name} {who}: {ranking.value}.{left_out}"

    def weighted_words(self, place: int = 0) -> str:
        """Who has the least weighted error at a weight.

        Parameters
        ----------
        place : int
            Which of the weights.
        """
        listed = [score for score in self.scores if not score.group]
        whole = [score for score in listed if not score.gave_nothing] or listed
        weight = whole[0].weighted[place].weight
        price = f"At weight {weight:g}"
        if place == 0:
            price = (
                f"If a wrong answer costs as much as {weight:g} "
                f"answer{'' if weight == 1 else 's'} not given"
            )
        held = [(_name(score.system), score.weighted[place]) for score in whole]
        ranking = Standings(
            (Contender(name, error.low, error.high) for name, error in held),
            shown=_percent,
        )
        if len(listed) == 1:
            error = f"{ranking.value}{self._interval_words(whole[0], place)}"
            return f"{price}, the weighted error is {error}."
        common = self._common
        if common == 0:
            errors = ranking.listed("{} has a weighted error of {}", "{} {}")
            return f"{NO_COMMON_ITEM}: {price[0].lower()}{price[1:]}, {errors}."
        least = "the least weighted error"
        who = ranking.who(f"has {least}", f"have {least}", least)
        if not ranking.known:
            errors = ranking.rivals_text("{} {}", "{} {}")
            errors += f", as ungraded answers are{self._never(ranking)}"
            return f"{price}, {who}: {errors}."
        error = ranking.value
        if len(ranking.best) == 1:
            best = next(s for s in whole if _name(s.system) == ranking.best[0].name)
            error += self._interval_words(best, place)
        if common is not None:
            return f"{price}, {who}, {error}, but the systems' items differ."
        if all((contender.low or 0.0) >= 1 for contender in ranking.ranked):
            return (
                f"{price}, no system is worth running: {who}, {error}, and never to "
                "answer costs 100 %."
            )
        return f"{price}, {who}: {error}{self._never(ranking)}."

    @staticmethod
    def _never(ranking: Standings) -> str:
        """What to say if ungraded answers decide whether one is worth running."""
        if any((contender.high or 0.0) < 1 for contender in ranking.ranked):
            return ""
        return "; never to answer costs 100 %, so whether one is worth running is open"

    def _interval_words(self, score: Score, place: int) -> str:
        interval = score.weighted[place].interval
        if interval is None:
            return ""
        low, high = (100 * end for end in interval)
        return f" ({100 * self.level:g} % interval {low:.1f} % to {high:.1f} %)"

    def figures(self) -> Iterator[Figure]:
        """Counts and rates by own decisions, weighted errors and named scores."""
        weights = [weighted.weight for weighted in self.scores[0].weighted]
        names = [named.name for named in self.scores[0].named]
        kinds = {kind.name: kind for kind in score_kinds(weights, names)}
        for score in self.scores:
            yield from score_figures(score, kinds, weighted_names(weights))

    def figures_for(self, gate: Gate) -> Iterable[Figure]:
        """Of curves what is looked up; else as `figures`."""
        of_curves = gate.name in {kind.name for kind in OF_CURVES}
        if gate.look_up is None and not of_curves:
            return self.figures()
        if self.outcomes is None:
            return ()
        if isinstance(self.outcomes, CountedOutcomes):
            return self._counted_figures(self.outcomes, gate)
        from demur.decisions.judged_curves import JudgedCurves

        parts = named_parts(self.outcomes)
        if self.by:  # a gate on groups names the part as the scores do
            parts += named_parts(self.outcomes, groups=self.by)
        curves = [named_curve(name, part) for name, part in parts]
        return JudgedCurves(curves, parts=[part for _, part in parts]).figures_for(gate)

    def _counted_figures(
        self, outcomes: CountedOutcomes, gate: Gate
    ) -> Iterator[Figure]:
        """What is looked up on the curves of counted outcomes."""
        from demur.decisions.counted_certificates import CountedTests
        from demur.decisions.judged_curves import JudgedCurves

        look_ups = [dict([gate.look_up])] if gate.look_up else []
        listed = [(), self.by] if self.by else [()]
        how: Any = {"look_ups": look_ups, "areas": gate.name == "area"}
        curves = [counted_curves(outcomes, by, **how) for by in listed]
        tests = [
            CountedTests(outcomes.counts(by), part)
            for by, made in zip(listed, curves, strict=True)
            for part in range(len(made))
        ]
        every = [curve for made in curves for curve in made]
        return JudgedCurves(every, parts=tests).figures_for(gate)

    def __repr__(self) -> str:
        whole = [score for score in self.scores if not score.group]
        errors = [
            f"{score.system or 'error'}={span(error.low, error.high, 4, 'g')}"
            for score in whole
            for error in score.weighted[:1]
        ]
        more = f", ... {len(errors)} in all" if len(errors) > 3 else ""
        weight = whole[0].weighted[0].weight
        return f"Scores(weight={weight:g}, {', '.join(errors[:3])}{more})"

    def tables(self) -> tuple[Table, ...]:
        """Counts, weighted errors, named scores, and who is best at which weight."""
        listed = (
            self._counts_table(),
            self._weighted_table(),
            self._named_table(),
            self._best_table(),
            self._exchanges_table(),
        )
        return tuple(table.without_empty() for table in listed if table.rows)

    def _start(self, group: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(group.get(column, ALL_ITEMS) for column in self.by)

    @property
    def _groups(self) -> tuple[Column, ...]:
        return tuple(map(Column, self.by))

    def _counts_table(self) -> Table:
        empty = any(score.both_empty for score in self.scores)
        ungraded = any(score.ungraded for score in self.scores)
        failed = any(score.failed for score in self.scores)
        columns = (
            Column("items", cells="count"),
            Column("right", cells="count", explained="right by the system's decisions"),
            *([Column("both_empty", "", "count", _EMPTY)] if empty else []),
            Column("wrong", cells="count"),
            Column("unanswered", cells="count", explained="no answer, or it declined"),
            *([Column("ungraded", cells="count")] if ungraded else []),
            *([Column("failed", cells="count", explained=_FAILED)] if failed else []),
            Column("right_rate", "right %", "percent", "of all items, as all %"),
            Column("error", "wrong %", "percent"),
            Column("nonreturn", "unanswered %", "percent"),
            *([Column("ungraded_rate", "ungraded %", "percent")] if ungraded else []),
            Column("correct_declines", "", "count", _RIGHTLY, wide=True),
        )
        rows = tuple(
            (
                score.system or None,
                *self._start(score.group),
                *(getattr(score, column.key) for column in columns),
            )
            for score in self.scores
        )
        start = (Column("system"), *self._groups)
        return Table("Counts", (*start, *columns), rows, key=len(start))

    def _weighted_table(self) -> Table:
        """A row for each system, group and weight; in each group the best first."""
        groups = list(dict.fromkeys(self._start(score.group) for score in self.scores))
        held = [(score, error) for score in self.scores for error in score.weighted]
        held.sort(
            key=lambda pair: (
                *(groups.index(self._start(pair[0].group)), pair[1].weight),
                *(pair[0].gave_nothing, pair[1].high, pair[1].low),
            )
        )
        columns = (
            *(Column("system"), *self._groups),
            Column("weight", cells="number", explained="of a wrong answer"),
            Column("weighted_error", cells="percent", explained=self._weighted_text),
            Column("interval", "", "percent", f"{100 * self.level:g} %"),
            Column("score", cells="percent", explained="100 % less the weighted error"),
        )
        rows = tuple(
            (
                *(score.system or None, *self._start(score.group), error.weight),
                *(
                    (None, None, None)
                    if score.gave_nothing
                    else (
                        *(between(error.low, error.high), error.interval),
                        between(1 - error.high, 1 - error.low),
                    )
                ),
            )
            for score, error in held
        )
        return Table("Weighted errors", columns, rows, key=1 + len(self.by))

    @property
    def _weighted_text(self) -> str:
        text = "weight x wrong % + unanswered %"
        if any(score.ungraded for score in self.scores):
            text += " (a to b: what ungraded answers leave open; the best is by b)"
        return text

    def _named_table(self) -> Table:
        columns = (
            *(Column("system"), *self._groups),
            Column("score"),
            Column("value", cells="number", explained=_sources(self.scores[0].named)),
            Column("best_value", "at best", "number", "the best value that there is"),
        )
        rows = tuple(
            (
                *(score.system or None, *self._start(score.group), named.name),
                None
                if score.gave_nothing or named.low is None or named.high is None
                else between(named.low, named.high),
                named_score(named.name).best,
            )
            for score, named in self._ranked_named()
        )
        return Table("Named scores", columns, rows, key=1 + len(self.by))

    def _ranked_named(self) -> list[tuple[Score, NamedScore]]:
        """Named scores by group, then by name, the best system first."""
        groups = list(dict.fromkeys(self._start(score.group) for score in self.scores))
        held = [(score, named) for score in self.scores for named in score.named]
        names = list(dict.fromkeys(named.name for _, named in held))

        def place(pair: tuple[Score, NamedScore]) -> tuple[int, int, bool, float]:
            score, named = pair
            merit = _merit(named, cost=named_score(named.name).is_cost)
            group = groups.index(self._start(score.group))
            last = score.gave_nothing or named.low is None
            return group, names.index(named.name), last, merit

        return sorted(held, key=place)

    def _best_table(self) -> Table:
        columns = (
            *self._groups,
            Column("from", cells="number", explained=_FROM),
            Column("to", cells="number"),
            Column("best", explained="as observed; demur compare tests differences"),
        )
        rows = tuple(
            (
                *(*self._start(best.group), best.start, best.end),
                ", ".join(_name(name) for name in best.systems),
            )
            for best in self.best
        )
        return Table("Best by the weight of a wrong answer", columns, rows)

    def _exchanges_table(self) -> Table:
        columns = (
            *(*self._groups, Column("a"), Column("b")),
            Column(
                *("weight", "same at weight", "number"),
                "at which both weighted errors are the same",
            ),
            *(Column("below", "better below"), Column("above", "better above")),
        )
        rows = tuple(
            (
                *(*self._start(change.group), change.a, change.b),
                *(change.weight, change.below, change.above),
            )
            for change in self.exchanges
            if change.weight is not None
        )
        return Table("Where two systems change places", columns, rows)


_FAILED: Final = "of those unanswered: nothing came"
_EMPTY: Final = "right answers, among right, that are empty like their references"
_RIGHTLY: Final = "unanswerable items not answered"
_FROM: Final = "weights from which and to which; inf is without end"


def _name(system: str) -> str:
    return system or "the system"


def _percent(value: float, more: int) -> str:
    return f"{100 * value:.{1 + more}f} %"


def _merit(named: NamedScore, *, cost: bool) -> float:
    """What is least for the best, with ungraded answers as they harm it."""
    end = named.high if cost else named.low
    return 0.0 if end is None else end if cost else -end


def _sources(named: Iterable[NamedScore]) -> str:
    sources = [f"{score.name} of {score.source}" for score in named]
    return "; ".join(sources)
