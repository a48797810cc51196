"""Whose questions, whose systems: a measure on the items of each contributor and class.

A team that has contributed questions knows them: what it gets on its own and on those
of others stands apart (the challenge set of the 1990 methodology, section 7.1).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.arrays import Flags
from demur.campaigns.board_figures import BoardMeasure, lacks_confidences, own_losses
from demur.errors import UndefinedRate
from demur.outcomes.fields import OUTCOMES
from demur.outcomes.parts import sample_of
from demur.outcomes.table import Outcomes
from demur.results import Column, Result, Table
from demur.statistics.estimating import interval
from demur.statistics.units import FEWEST_UNITS, ItemValues, score_interval, too_few

ALL: Final = "all"
OWN: Final = "own questions"
OTHERS: Final = "questions of others"


@dataclass(frozen=True, eq=False, repr=False)
class GroupFigure(Result):
    """What one system gets on a group of items.

    Parameters
    ----------
    team : str
    group : str
        A contributor or class; or all, the team's own, those of others.
    is_own : bool
        Whether these are the team's own questions.
    items : int
    value : float or None
        Of the measure.
    low, high : float or None
        Of the 95 % interval.
    why : str
        Why there is no value, or no interval.
    """

    team: str
    group: str
    is_own: bool
    items: int
    value: float | None
    low: float | None
    high: float | None
    why: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class SystemsByGroup(Result):
    """A measure of each system on groups of items.

    Parameters
    ----------
    of : str
        What groups the items: "contributor", "class", or "own".
    measure : BoardMeasure
    rows : tuple of GroupFigure
    notes : tuple of str
    recipe : mapping of str to str
    """

    of: str
    measure: BoardMeasure
    rows: tuple[GroupFigure, ...]
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """What is shown."""
        groups = len({row.group for row in self.rows})
        if self.of == "own":
            return "What teams get on their own questions, and on those of others."
        return (
            f"What teams get on the questions of each of {groups} groups by {self.of}."
        )

    def tables(self) -> tuple[Table]:
        """A row for each team and group."""
        name = self.measure.name
        cells = "percent" if self.measure.most == 1 else "number"
        columns = (
            Column("team"),
            Column("group", self.of if self.of != "own" else "questions"),
            Column("own", explained="* the team's own questions"),
            Column("items", cells="count"),
            Column("value", f"{name} %" if cells == "percent" else name, cells),
            Column("interval", "95 %", cells, explained="interval; why there is none"),
            Column("why", "no interval, because"),
        )
        rows = tuple(
            (
                *(
                    row.team,
                    row.group,
                    "*" if row.is_own else None,
                    row.items,
                    row.value,
                ),
                None if row.low is None else (row.low, row.high),
                row.why or None,
            )
            for row in self.rows
        )
        return (Table("", columns, rows),)


@dataclass(frozen=True, eq=False, repr=False)
class ItemDifficulty(Result):
    """What all systems made of an item.

    Parameters
    ----------
    item, contributor, label : str or None
        The item, who contributed it, and its class.
    right, wrong, unanswered, ungraded : int
        Systems, by their guesses.
    difficulty : float
        Share of the systems that are not right.
    """

    item: str
    contributor: str | None
    label: str | None
    right: int
    wrong: int
    unanswered: int
    ungraded: int
    difficulty: float


@dataclass(frozen=True, eq=False, repr=False)
class CampaignItems(Result):
    """All items, the hardest first.

    Parameters
    ----------
    rows : tuple of ItemDifficulty
    """

    rows: tuple[ItemDifficulty, ...]

    def sentence(self) -> str:
        """How many items all or none have answered rightly."""
        easy = sum(row.difficulty == 0 for row in self.rows)
        hard = sum(row.difficulty == 1 for row in self.rows)
        total = f"{len(self.rows):,} items"
        return f"Of {total} {easy:,} were right for every team, {hard:,} for none."

    def tables(self) -> tuple[Table]:
        """A row for each item."""
        columns = (
            Column("item"),
            Column("contributor"),
            Column("class"),
            *(Column(name, cells="count", explained="teams") for name in OUTCOMES),
            Column("difficulty", "not right %", "percent", "of the teams"),
        )
        rows = tuple(
            (
                *(row.item, row.contributor, row.label),
                *(getattr(row, name) for name in OUTCOMES),
                row.difficulty,
            )
            for row in self.rows
        )
        return (Table("", columns, rows),)


@dataclass(frozen=True)
class ItemFacts:
    """What is known of an item beside what is right.

    Parameters
    ----------
    contributor, label : str or None
        Who contributed it; its class.
    """

    contributor: str | None
    label: str | None


def facts_of(references: Any) -> dict[str, ItemFacts]:
    """Contributor and class of each reference, by item."""
    return {
        str(one.item): ItemFacts(
            _text(one.extra.get("contributor")), _text(one.extra.get("class"))
        )
        for one in references
    }


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def by_group(
    tables: Mapping[str, Outcomes],
    facts: Mapping[str, ItemFacts],
    of: str,
    measure: BoardMeasure,
    contributors: Mapping[str, str | None],
) -> SystemsByGroup | None:
    """A measure of each system on the items of each contributor or class.

    Parameters
    ----------
    tables : mapping of str to Outcomes
        By team.
    facts : mapping of str to ItemFacts
        By item.
    of : {"contributor", "class"}
    measure : BoardMeasure
    contributors : mapping of str to str or None
        The contributor whose questions are a team's own.

    Returns
    -------
    SystemsByGroup or None
        None if no item says so.
    """
    name = "label" if of == "class" else of
    value_of = {item: getattr(one, name) for item, one in facts.items()}
    groups = sorted({value for value in value_of.values() if value is not None})
    if not groups:
        return None
    rows = []
    for team, outcomes in tables.items():
        values = np.array([value_of.get(str(one)) for one in outcomes.item], object)
        for group in groups:
            chosen = values == group
            if chosen.any():
                is_own = of == "contributor" and contributors.get(team) == group
                part = team, group, is_own
                rows.append(_figure(part, outcomes, chosen, measure))
    return SystemsByGroup(of, measure, tuple(rows), notes=tuple(_notes(measure)))


def own_and_others(
    tables: Mapping[str, Outcomes],
    facts: Mapping[str, ItemFacts],
    measure: BoardMeasure,
    contributors: Mapping[str, str | None],
) -> SystemsByGroup | None:
    """A measure of each system that has questions of its own, on these and all others.

    Returns
    -------
    SystemsByGroup or None
        None if no team has any.
    """
    rows = []
    for team, outcomes in tables.items():
        whose = contributors.get(team)
        known = (facts.get(str(item)) for item in outcomes.item)
        names = np.array([one and one.contributor for one in known], object)
        mine = names == whose if whose else np.zeros(len(outcomes), bool)
        if mine.any():
            for group, chosen in ((OWN, mine), (OTHERS, ~mine)):
                if chosen.any():
                    part = team, group, group == OWN
                    rows.append(_figure(part, outcomes, chosen, measure))
    if not rows:
        return None
    return SystemsByGroup("own", measure, tuple(rows), notes=tuple(_notes(measure)))


def _notes(measure: BoardMeasure) -> Iterator[str]:
    yield f"{measure.words}; intervals are not corrected for their number"


def _figure(
    part: tuple[str, str, bool],
    outcomes: Outcomes,
    chosen: Flags,
    measure: BoardMeasure,
) -> GroupFigure:
    rows = outcomes if chosen.all() else outcomes.take(chosen)
    value = measure.value(rows)
    ends, why = interval_of(rows, measure) if value is not None else (None, "")
    if value is None:
        why = f"the curve does not reach non-return {measure.rate:g}"
        if lacks_confidences(sample_of(rows)):
            why = "there are no confidences"
    low, high = ends or (None, None)
    return GroupFigure(*part, len(rows), value, low, high, why)


def interval_of(
    outcomes: Outcomes, measure: BoardMeasure
) -> tuple[tuple[float, float] | None, str]:
    """The 95 % interval of a measure, or why there is none."""
    sample = sample_of(outcomes)
    if sample.n_clusters < FEWEST_UNITS:
        clustered = sample.cluster is not None
        return None, too_few(sample.n_clusters, clustered=clustered).partition(":")[0]
    if measure.rate is not None:
        try:
            ends = interval(outcomes, "error", at=measure.rate)
        except UndefinedRate as problem:
            return None, problem.reason.partition(".")[0]
        return (ends.low, ends.high), ""
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    lost = own_losses(outcomes, sample, measure)
    items = ItemValues(lost, weight, sample.cluster, smallest=0.0, largest=1.0)
    low, high = score_interval(items, level=0.95)
    return (max(low, 0.0) * measure.most, min(high, 1.0) * measure.most), ""


def difficulties(
    tables: Sequence[Outcomes], facts: Mapping[str, ItemFacts]
) -> CampaignItems:
    """What all systems made of each item, the hardest first."""
    counts: dict[str, Counter[str]] = {}
    for outcomes in tables:
        items, outcome = outcomes.item.tolist(), outcomes.outcome.tolist()
        for item, code in zip(items, outcome, strict=True):
            counts.setdefault(str(item), Counter())[OUTCOMES[code]] += 1
    nothing = ItemFacts(None, None)
    rows = [
        _difficulty(item, facts.get(item, nothing), count)
        for item, count in counts.items()
    ]
    return CampaignItems(
        tuple(sorted(rows, key=lambda row: (-row.difficulty, row.item)))
    )


def _difficulty(item: str, facts: ItemFacts, count: Counter[str]) -> ItemDifficulty:
    right, wrong, unanswered, ungraded = (count[name] for name in OUTCOMES)
    return ItemDifficulty(
        item,
        facts.contributor,
        facts.label,
        right,
        wrong,
        unanswered,
        ungraded,
        difficulty=1 - right / count.total(),
    )
