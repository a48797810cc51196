"""The verb about failures of agents: which agent, and which step, was decisive."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, Positions
from demur.errors import InputError, shown
from demur.metrics.counted_items import (
    OF_ITEMS,
    CountedResult,
    answered_of,
    clusters_of,
    counted_items,
    two_sides,
)
from demur.outcomes.dressings import Dressings
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import (
    NamedColumns,
    name_text,
    named_columns,
    unpacked,
)
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    exactly,
    with_noun,
)
from demur.results.text import interval_text
from demur.statistics.ratios import ratio_interval

PARTS: Final = ("agent", "step")
_SIDES: Final = ("ref", "hyp")
STEP_COLUMNS: Final = tuple(f"{side}_{part}" for side in _SIDES for part in PARTS)
"""Columns that stand instead of objects in ``ref`` and ``hyp``."""
_LEAST_SHIFTED: Final = 5
_TOLERANCES: Final = 5


@dataclass(frozen=True, eq=False, repr=False)
class AttributionRate(Result):
    """How often one part of what is to blame is named right.

    Parameters
    ----------
    right : int
        Failures of which it is.
    value : float
        Of all failures; what was not named counts as missed.
    interval : (float, float) or None
        Over clusters.
    answered : float or None
        Of the failures for which it was named.
    """

    SAYS = "{right} are right, which is {value}, and {answered} of those named."

    right: int
    value: float
    interval: tuple[float, float] | None
    answered: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DecisiveSteps(CountedResult):
    """What one method says went wrong in failed runs of agents, against people.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    items, declined : int
        All failures; those for which it names neither an agent nor a step.
    agent, step, both : AttributionRate
        The agent is right; the step is; both are.
    within : AttributionRate
        The step is at most ``tolerance`` before or after the true one.
    agent_contained, step_contained : float
        As the program of Who&When counts: the true agent, or the digits of the true
        step, stand somewhere in what is named, and both are named.
    off_by : array of float, shape (n_items,)
        The step that is named less the true one; NaN where none is named.
    tolerance : int
        In steps.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    counted : CountedItems
        For `outcomes`: an item is right if its step is.
    notes : tuple of str
        What was left open, and what looks like another way to count steps.
    """

    KINDS = (
        FigureKind("agent", "the agent accuracy", better="higher"),
        FigureKind("step", "the step accuracy", better="higher"),
        FigureKind("within", "the step accuracy with tolerance", better="higher"),
        FigureKind("both", "the accuracy of agent and step", better="higher"),
        FigureKind("agent_answered", "the agent accuracy of those named"),
        FigureKind("step_answered", "the step accuracy of those named"),
        FigureKind("agent_contained", "the agent accuracy as Who&When counts it"),
        FigureKind("step_contained", "the step accuracy as Who&When counts it"),
        count("items", "failures"),
        count("declined", "failures without an answer", better="lower"),
    )

    items: int
    declined: int
    agent: AttributionRate
    step: AttributionRate
    within: AttributionRate
    both: AttributionRate
    agent_contained: float
    step_contained: float
    off_by: Any = field(repr=False, compare=False)
    tolerance: int
    level: float
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """How often the agent, and the step, is right."""
        name = f"{self.system} names" if self.system else "The method names"
        declined = f", {self.declined} declined" if self.declined else ""
        return (
            f"{name} the right agent for {self.agent.value:.3f}"
            f"{interval_text(self.agent.interval, self.level)} and the decisive step "
            f"for {self.step.value:.3f}"
            f"{interval_text(self.step.interval, self.level)} of "
            f"{with_noun(self.items, 'failure')}{declined}."
        )

    def figures(self) -> Iterator[Figure]:
        """The accuracies, of all and of those named."""
        rates = {name: getattr(self, name) for name in _RATES}
        values: dict[str, Any] = {
            **{name: (rate.value, rate.interval) for name, rate in rates.items()},
            "agent_answered": (self.agent.answered, None),
            "step_answered": (self.step.answered, None),
        }
        for kind in self.KINDS:
            held = values.get(kind.name) or (getattr(self, kind.name), None)
            yield self.figure(kind, *held)

    def tables(self) -> tuple[Table, Table]:
        """Parts of what is to blame; and steps by how far off they may be."""
        contained = {"agent": self.agent_contained, "step": self.step_contained}
        parts = {
            "agent": self.agent,
            "step": self.step,
            f"step within {self.tolerance}": self.within,
            "agent and step": self.both,
        }
        rows = [
            (
                *(self.system, name, self.items, self.declined, rate.right, rate.value),
                *(rate.interval, rate.answered, contained.get(name)),
            )
            for name, rate in parts.items()
        ]
        off = np.abs(self.off_by)
        widths = range(max(_TOLERANCES, self.tolerance) + 1)
        near = [(k, int((off <= k).sum()), float((off <= k).mean())) for k in widths]
        return (
            Table("", _COLUMNS, tuple(rows), key=2),
            Table("Steps with tolerance", _TOLERANCE_COLUMNS, tuple(near)),
        )


_RATES: Final = ("agent", "step", "within", "both")
_COLUMNS: Final = (
    Column("system"),
    Column("part", explained="what is to be named"),
    Column("items", cells="count", explained="failures, also those declined"),
    Column("declined", cells="count", explained="with neither an agent nor a step"),
    Column("right", cells="count"),
    Column("accuracy", cells="share", explained="right / all failures"),
    Column("interval", cells="share", explained="over clusters or items"),
    Column("answered", cells="share", explained="right / those for which it is named"),
    Column(
        "contained",
        "as Who&When",
        "share",
        "the true name, or digits of the true step, stand in what is named: 1 in 12",
    ),
)
_TOLERANCE_COLUMNS: Final = (
    Column("tolerance", cells="count", explained="steps before or after the true one"),
    Column("right", cells="count"),
    Column("accuracy", cells="share", explained="right / all failures"),
)


@checks.by_name("references", "hypotheses")
def decisive_steps(
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    tolerance: int = 1,
    system: str = "",
    level: float = 0.95,
) -> DecisiveSteps:
    """How often a method names the agent and the step that made a run fail.

    Parameters
    ----------
    table : table, optional
        With columns ``ref_agent``, ``ref_step``, ``hyp_agent`` and ``hyp_step``, or
        ``ref`` and ``hyp`` with objects as below, and maybe ``item``, ``cluster``,
        ``confidence`` and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence of mapping or None
        Each with ``agent`` and ``step``, as the method says. None where it declined; a
        part that is None is not named, and missed.
    references : sequence of mapping
        The same, as people say. Steps are whole numbers, counted alike on both sides.
    tolerance : int
        So many steps before or after the true one count as right, in ``within``.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    DecisiveSteps

    Raises
    ------
    InputError
        If there are not as many, a true agent or step is missing, or a step is no whole
        number.

    References
    ----------
    Zhang et al. (2025), "Which agent causes task failures and when?", ICML, section 3:
    agent-level accuracy, step-level accuracy, and the latter with tolerance.

    Examples
    --------
    >>> import demur
    >>> people = [{"agent": "WebSurfer", "step": 12}, {"agent": "Coder", "step": 1}]
    >>> method = [{"agent": "WebSurfer", "step": 11}, {"agent": "Expert", "step": 12}]
    >>> found = demur.decisive_steps(hypotheses=method, references=people)
    >>> found.agent.value, found.step.value, found.within.value, found.step_contained
    (0.5, 0.0, 0.5, 0.5)
    """
    where = "decisive_steps"
    checks.check_level(where, level)
    checks.whole(where, "tolerance", tolerance, 0)
    sides = _sides(where, table, hypotheses, references)
    agents, steps = _agents(sides), _steps(sides)
    named = _named(sides, agents["hyp"], steps["hyp"])
    full = named["agent"] & named["step"]
    same = [a == b for a, b in zip(agents["hyp"], agents["ref"], strict=True)]
    agent_right = named["agent"] & np.array(same, bool)
    off_by = np.where(named["step"], steps["hyp"] - steps["ref"], np.nan)
    step_right, near = off_by == 0, np.abs(off_by) <= tolerance
    rate = _Rates(clusters_of(sides), level)
    return DecisiveSteps(
        system=system,
        items=len(full),
        declined=int((~(named["agent"] | named["step"])).sum()),
        agent=rate.of(agent_right, named["agent"]),
        step=rate.of(step_right, named["step"]),
        within=rate.of(near, named["step"]),
        both=rate.of(agent_right & step_right, full),
        agent_contained=_contained(agents["ref"], agents["hyp"], full),
        step_contained=_contained(_digits(steps["ref"]), _digits(steps["hyp"]), full),
        off_by=off_by,
        tolerance=tolerance,
        level=level,
        recipe={
            "measure": "decisive step",
            "tolerance": str(tolerance),
            "declined": "missed",
            "level": exactly(level),
            "n": str(len(full)),
        },
        counted=counted_items(
            sides, ~step_right, np.ones(len(full)), named["step"], system
        ),
        notes=(*_part_notes(named), *_shift_notes(off_by), *_dress(agents)),
    )


def _named(
    sides: NamedColumns, agents: Sequence[str | None], steps: Floats
) -> dict[str, Flags]:
    """For which failures an agent, and a step, is named."""
    both = zip(agents, steps.tolist(), strict=True)
    answers = [step if agent is None else agent for agent, step in both]
    answered = answered_of(sides, answers)
    return {
        "agent": answered & np.array([agent is not None for agent in agents], bool),
        "step": answered & ~np.isnan(steps),
    }


@dataclass(frozen=True)
class _Rates:
    cluster: Positions | None
    level: float

    def of(self, right: Flags, named: Flags) -> AttributionRate:
        n_right, n_named = int(right.sum()), int(named.sum())
        ones = np.ones(len(right))
        return AttributionRate(
            right=n_right,
            value=n_right / len(right),
            interval=ratio_interval(right, ones, self.cluster, self.level, share=True),
            answered=n_right / n_named if n_named else None,
        )


def _sides(where: str, table: Any, hypotheses: Any, references: Any) -> NamedColumns:
    """Four columns, of a table that has them, or of objects on two sides."""
    if hypotheses is None and table is None:
        table, references = references, None
    if table is not None and references is None and hypotheses is None:
        named = named_columns(where, table, [], [*STEP_COLUMNS, *_SIDES, *OF_ITEMS])
        missing = [name for name in STEP_COLUMNS if not named.has(name)]
        if not missing and len(named):
            return named
        if missing and not all(map(named.has, _SIDES)):
            need, hint = f"have {', '.join(STEP_COLUMNS)}", "Or objects in ref and hyp."
            place, got = (named.places or [where])[0], f"no {', no '.join(missing)}"
            raise InputError(place, "the table", need, got, hint)
        table = named
    sides = two_sides(where, table, hypotheses, references)
    columns = {name: sides.columns[name] for name in OF_ITEMS if sides.has(name)}
    for side in _SIDES:
        parted = [_parts(sides, row, side) for row in range(len(sides))]
        for part, values in zip(PARTS, zip(*parted, strict=True), strict=True):
            columns[f"{side}_{part}"] = list(values)
    return NamedColumns(columns, sides.places)


def _parts(sides: NamedColumns, row: int, side: str) -> tuple[Any, Any]:
    place = sides.place(row)
    value = unpacked(place, side, sides.columns[side][row])
    if is_gap(value):
        return None, None
    if not isinstance(value, Mapping) or not set(PARTS) <= value.keys():
        need = "be an object with agent and step"
        hint = 'Such as {"agent": "Coder", "step": 3}; null for what is not named.'
        raise InputError(place, side, need, shown(value), hint)
    return value["agent"], value["step"]


def _agents(sides: NamedColumns) -> dict[str, list[str | None]]:
    return {
        side: [_agent(sides, row, f"{side}_agent") for row in range(len(sides))]
        for side in _SIDES
    }


def _agent(sides: NamedColumns, row: int, name: str) -> str | None:
    value = sides.columns[name][row]
    if is_gap(value):
        if name.startswith("ref"):
            raise _missing(sides, row, name, value)
        return None
    if isinstance(value, (Mapping, list, tuple, set, frozenset, bool)):
        need, hint = "be a name", "Of several agents name the decisive one."
        raise InputError(sides.place(row), name, need, shown(value), hint)
    return unicodedata.normalize("NFC", name_text(value)).strip()


def _missing(sides: NamedColumns, row: int, name: str, value: Any) -> InputError:
    need = f"be {'a name' if name.endswith('agent') else 'a step'}"
    hint = "Only what the method says may be empty: it was declined."
    return InputError(sides.place(row), name, need, shown(value), hint)


def _steps(sides: NamedColumns) -> dict[str, Floats]:
    return {
        side: np.array(
            [_step(sides, row, f"{side}_step") for row in range(len(sides))], float
        )
        for side in _SIDES
    }


def _step(sides: NamedColumns, row: int, name: str) -> float:
    value = sides.columns[name][row]
    if is_gap(value):
        if name.startswith("ref"):
            raise _missing(sides, row, name, value)
        return float("nan")
    step = None
    if not isinstance(value, (bool, np.bool_)):
        try:
            step = float(value)
        except (TypeError, ValueError, OverflowError):
            step = None
    if step is None or not (step.is_integer() and 0 <= step < _MOST_STEPS):
        need = "be a whole number from 0"
        hint = "The number of the step in the log; empty where none is named."
        raise InputError(sides.place(row), name, need, shown(value), hint)
    return step


_MOST_STEPS: Final = 1e15


def _digits(steps: Floats) -> list[str | None]:
    return [None if np.isnan(step) else str(int(step)) for step in steps.tolist()]


def _contained(
    true: Sequence[str | None], named: Sequence[str | None], full: Flags
) -> float:
    """The share of failures in which what is true stands in what is named."""
    hits = sum(
        bool(counts) and (one or "") in (other or "")
        for one, other, counts in zip(true, named, full.tolist(), strict=True)
    )
    return hits / len(full)


def _part_notes(named: Mapping[str, Flags]) -> Iterator[str]:
    """That an answer names one part alone."""
    for part, other in (PARTS, PARTS[::-1]):
        lacking = int((named[other] & ~named[part]).sum())
        if lacking:
            yield (
                f"{with_noun(lacking, 'answer')} without {part}: it counts as missed, "
                f"and the {other} counts"
            )


def _shift_notes(off_by: Floats) -> Iterator[str]:
    """That steps seem to be counted from 0 on one side, and from 1 on the other."""
    times = Counter(off_by[~np.isnan(off_by)].tolist())
    for shift, words in ((1.0, "after"), (-1.0, "before")):
        many = times[shift]
        if many >= _LEAST_SHIFTED and 2 * many > times.total():
            yield (
                f"{many} of {times.total()} steps are one {words} the true one: count "
                "both sides from 0, or both from 1"
            )


def _dress(agents: Mapping[str, Sequence[str | None]]) -> Iterator[str]:
    """What stands about names that are otherwise right."""
    pairs = Counter(zip(agents["hyp"], agents["ref"], strict=True))
    dressings, known = Dressings(), set(agents["ref"])
    for (named, true), times in pairs.items():
        if named is not None and named not in known:
            dressings.add(named, [true], times)
    yield from dressings.notes(sum(agent is not None for agent in agents["hyp"]))
