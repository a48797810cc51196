"""The verb about what dialogues cost: time, turns, and turns that went wrong."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.checks import check_level
from demur.errors import InputError, shown
from demur.metrics.number_columns import numbers_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns, named_columns
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Standings,
    Table,
    count,
    exactly,
)
from demur.statistics.ratios import mean_interval, no_intervals

EVENTS: Final = ("timeout", "rejection", "help", "cancel", "barge-in")
"""What a turn may be, by the name in the column ``event``."""

_SCORE: Final = "recognition score"


@dataclass(frozen=True, eq=False, repr=False)
class DialogueCost(Result):
    """One cost, over dialogues.

    Parameters
    ----------
    name : str
        Such as ``turns``, ``seconds`` or an event.
    mean : float or None
        Per dialogue.
    interval : (float, float) or None
        Of the mean.
    total : float or None
        Over all dialogues; None of recognition scores, which have no sum.
    share : float or None
        Of events: those turns / all turns.
    """

    SAYS = "A dialogue has {mean} {name} on average, {total} in all."

    name: str
    mean: float | None
    interval: tuple[float, float] | None
    total: float | None
    share: float | None

    def sentence(self) -> str:
        """The mean, and the sum if there is one."""
        if self.total is None and self.mean is not None:
            return f"The {self.name} of a dialogue is {self.mean:.4g} on average."
        return super().sentence()


@dataclass(frozen=True, eq=False, repr=False)
class DialogueCosts(Result):
    """What dialogues cost, counted from a log of turns.

    Parameters
    ----------
    dialogues, turns : int
        How many there are.
    costs : tuple of DialogueCost
        Those that the columns allow.
    by_dialogue : mapping of cost to array, shape (n_dialogues,)
        For `demur.paradise`, with ``dialogue``.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    notes : tuple of str
        What is not known of some dialogues.
    """

    KINDS = (
        *(
            FigureKind(name, f"{name} per dialogue", "number", most=math.inf)
            for name in ("turns", "user turns", "system turns", *EVENTS)
        ),
        FigureKind("seconds", "seconds per dialogue", "seconds", most=math.inf),
        FigureKind(
            *(_SCORE, "the mean recognition score", "number"),
            least=-math.inf,
            most=math.inf,
            better="higher",
        ),
        count("dialogues", "dialogues"),
    )

    dialogues: int
    turns: int
    costs: tuple[DialogueCost, ...]
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    by_dialogue: Any = field(repr=False, compare=False, default=None)

    def sentence(self) -> str:
        """How many turns a dialogue takes, and what goes wrong most."""
        turns = self.costs[0]
        events = [cost for cost in self.costs if cost.share]
        ranking = Standings(
            (Contender(cost.name, cost.share, cost.share) for cost in events),
            better="higher",
        )
        most = ""
        if ranking.best:
            together = "each of " if len(ranking.best) > 1 else ""
            names = ", ".join(event.called for event in ranking.best)
            most = f"; {ranking.value} of the turns end in {together}{names}"
        return (
            f"A dialogue takes {turns.mean:.3g} turns{most} "
            f"({self.dialogues} dialogues, {self.turns} turns)."
        )

    def figures(self) -> Iterator[Figure]:
        """The mean of each cost by its name."""
        kinds = {kind.name: kind for kind in self.KINDS}
        for cost in self.costs:
            yield self.figure(kinds[cost.name], cost.mean, cost.interval)
        yield self.figure(kinds["dialogues"], self.dialogues)

    def tables(self) -> tuple[Table]:
        """Costs one below the other."""
        cells = attrgetter("name", "mean", "interval", "total", "share")
        return (Table("", _COLUMNS, tuple(map(cells, self.costs))),)


_COLUMNS: Final = (
    Column("cost"),
    Column("mean", "per dialogue", "number", "mean over dialogues", digits=3),
    Column(
        "interval", cells="number", explained="of the mean, over dialogues", digits=3
    ),
    Column("total", "in all", "number", "sum over dialogues"),
    Column("share", "share of turns", "share", "turns with the event / all turns"),
)


def dialogue_costs(turns: Any, *, level: float = 0.95) -> DialogueCosts:
    """Time, turns, recognition scores, and turns that went wrong, per dialogue.

    Parameters
    ----------
    turns : dataframe, mapping of columns, or records
        One row for each turn: ``dialogue``; and maybe ``speaker`` (user or system),
        ``seconds`` (what the turn took) or ``start`` and ``end``, ``score`` (of the
        recogniser), ``event`` (timeout, rejection, help, cancel, barge-in, or empty).
    level : float
        Of the intervals.

    Returns
    -------
    DialogueCosts

    Raises
    ------
    InputError
        If a number is none, or an event is not known.

    References
    ----------
    Walker et al. (1997; 2000) on efficiency and quality, as Porzel and Malaka (2004,
    section 2) list them.

    Examples
    --------
    >>> import demur
    >>> found = demur.dialogue_costs(
    ...     {"dialogue": ["d1", "d1", "d2"], "event": ["", "timeout", ""]})
    >>> [(each.name, each.mean) for each in found.costs][:2]
    [('turns', 1.5), ('timeout', 0.5)]
    """
    where = "dialogue_costs"
    check_level(where, level)
    may = ["speaker", "seconds", "start", "end", "score", "event"]
    table = named_columns(where, turns, ["dialogue"], may)
    if not len(table):
        raise InputError(where, "the turns", "be at least one", "none")
    dialogue, names = table.codes("dialogue")
    n = len(names)
    columns: dict[str, Floats] = {"turns": np.bincount(dialogue).astype(float)}
    if table.has("speaker"):
        speakers = [str(name).strip().lower() for name in table.columns["speaker"]]
        for speaker in ("user", "system"):
            spoken = [name == speaker for name in speakers]
            sums = np.bincount(dialogue, spoken, n)
            columns[f"{speaker} turns"] = sums.astype(float)
    seconds = _seconds(table, dialogue, n)
    if seconds is not None:
        columns["seconds"] = seconds
    if table.has("score"):
        columns[_SCORE] = _mean_of(table, "score", dialogue, n)
    if table.has("event"):
        kinds = [_event(table, row) for row in range(len(table))]
        for event in EVENTS:
            ended = [kind == event for kind in kinds]
            columns[event] = np.bincount(dialogue, ended, n).astype(float)
    costs = [_cost(name, sums, level, len(table)) for name, sums in columns.items()]
    rates = ((cost.name, cost.mean, cost.interval) for cost in costs)
    return DialogueCosts(
        dialogues=n,
        turns=len(table),
        costs=tuple(costs),
        level=level,
        recipe={
            "measure": "dialogue costs",
            "level": exactly(level),
            "n": str(len(table)),
        },
        notes=(*_notes(table, columns), *no_intervals(rates, "dialogues")),
        by_dialogue={"dialogue": np.array(names, object), **columns},
    )


def _cost(name: str, amounts: Floats, level: float, turns: int) -> DialogueCost:
    known = amounts[~np.isnan(amounts)]
    return DialogueCost(
        name=name,
        mean=float(known.mean()) if len(known) else None,
        interval=mean_interval(known, None, level),
        total=None if name == _SCORE else float(known.sum()),
        share=float(known.sum() / turns) if name in EVENTS else None,
    )


def _seconds(table: NamedColumns, dialogue: Any, n: int) -> Floats | None:
    """How long each dialogue took: the sum of turns, or from its start to its end.

    NaN where a turn does not say what it took, or the first when it began, or the last
    when it ended: the others are no more than a part.
    """
    if table.has("seconds"):
        return np.bincount(dialogue, numbers_of(table, "seconds"), n).astype(float)
    if not (table.has("start") and table.has("end")):
        return None
    begin, end = np.full(n, np.inf), np.full(n, -np.inf)
    starts, ends = numbers_of(table, "start"), numbers_of(table, "end")
    for row in np.flatnonzero(ends < starts).tolist():
        need, got = "be after start", f"{ends[row]:g} < {starts[row]:g}"
        raise InputError(table.place(row), "end", need, got, "Both in seconds.")
    np.fmin.at(begin, dialogue, starts)
    np.fmax.at(end, dialogue, ends)
    # Between them the first start and the last end hold whatever else is not there.
    first = np.unique(dialogue, return_index=True)[1]
    last = len(dialogue) - 1 - np.unique(dialogue[::-1], return_index=True)[1]
    known = np.isfinite(starts[first]) & np.isfinite(ends[last])
    took: Floats = np.where(known, end - begin, np.nan)
    return took


def _mean_of(table: NamedColumns, name: str, dialogue: Any, n: int) -> Floats:
    numbers = numbers_of(table, name)
    known = ~np.isnan(numbers)
    sums = np.bincount(dialogue[known], numbers[known], n)
    sizes = np.bincount(dialogue[known], minlength=n)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


def _notes(table: NamedColumns, columns: dict[str, Floats]) -> tuple[str, ...]:
    """What is not known of some dialogues or turns, and so left out of means."""
    notes = []
    if "seconds" in columns and (unknown := int(np.isnan(columns["seconds"]).sum())):
        summed = table.has("seconds")
        what = "seconds of a turn" if summed else "the first start or the last end"
        hint = "; write 0 for a turn that takes no time" if summed else ""
        notes.append(f"dialogues without {what}, left out of the mean: {unknown}{hint}")
    if table.has("score"):
        lacking = np.isnan(numbers_of(table, "score"))
        if table.has("speaker"):  # a recogniser scores what users say
            of = table.columns["speaker"]
            lacking &= [str(name).strip().lower() != "system" for name in of]
        if lacking.any():
            turns = f"turns without a score, left out of its mean: {int(lacking.sum())}"
            notes.append(turns)
    return tuple(notes)


def _event(table: NamedColumns, row: int) -> str:
    value = table.columns["event"][row]
    if is_gap(value):
        return ""
    text = str(value).strip().lower().replace("_", "-").replace(" ", "-")
    text = {"time-out": "timeout", "bargein": "barge-in"}.get(text, text)
    if text not in EVENTS:
        need = f"be empty or one of {', '.join(EVENTS)}"
        hint = "Leave it empty for what is none of these."
        raise InputError(table.place(row), "event", need, shown(value), hint)
    return text
