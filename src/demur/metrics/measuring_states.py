"""The verbs about dialogue states: slots, goals, and Higashinaka's 13 measures."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur.answers.slots import POLICIES, Policy
from demur.arrays import Flags
from demur.checks import by_name, check_level, choice
from demur.errors import InputError, shown
from demur.metrics.counted_items import (
    CountedItems,
    CountedResult,
    answered_of,
    two_sides,
)
from demur.metrics.slot_states import (
    StateTurns,
    check_lists,
    differing,
    state_turns,
    turn_counts,
    update_counts,
    with_alternatives,
)
from demur.outcomes.named_columns import NamedColumns, name_text
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
from demur.statistics.ratios import no_intervals, ratio_interval

_ACTS: Final = ("ref_act", "hyp_act")
_UNDERSTOOD: Final = "10 speech understanding rate"
_COLUMNS: Final = ("dialogue", "turn", "item", "system", "confidence", "declined")


@dataclass(frozen=True, eq=False, repr=False)
class StateRate(Result):
    """One measure of states: a ratio of sums over turns.

    Parameters
    ----------
    name : str
        One of `STATE_KINDS`.
    value : float or None
        None if nothing is counted below.
    interval : (float, float) or None
        Over dialogues (turns, if no column says which they are of).
    above, below : float
        What is divided.
    answered : float or None
        The same over turns that the system did not decline.
    """

    SAYS = "The {name} is {value}: {above} of {below}."

    name: str
    value: float | None
    interval: tuple[float, float] | None
    above: float
    below: float
    answered: float | None


_UNBOUNDED: Final = ("slot error rate", "5 slot error rate")
"""Slots may be inserted without end where few are filled."""

STATE_KINDS: Final = tuple(
    FigureKind(
        *(name, name),
        most=math.inf if name in _UNBOUNDED else 1.0,
        better="lower" if "error" in name else "higher",
    )
    for name in (
        *("slot error rate", "slot precision", "slot recall", "joint goal accuracy"),
        *("average goal accuracy", "relative slot accuracy"),
        *("1 slot accuracy", "2 insertion error rate", "3 deletion error rate"),
        *("4 substitution error rate", "5 slot error rate", "6 update precision"),
        *("7 update insertion error rate", "8 update deletion error rate"),
        *("9 update substitution error rate", "10 speech understanding rate"),
        *("11 slot accuracy, filled slots", "12 deletion error rate, filled slots"),
        "13 substitution error rate, filled slots",
    )
)
"""The measures of `slot_scores`, and the 13 of `discourse_measures`."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StateScores(CountedResult):
    """Measures of the dialogue states of one system.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    turns, declined : int
        All; those without a state, where the state before stays.
    slots : tuple of str
        All that there are.
    measures : tuple of StateRate
        Those of `slot_scores`, or the 13 of `discourse_measures`.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        With the policies.
    counted : CountedItems
        Of each turn: slots that are inserted, deleted or substituted, and filled ones.
    """

    KINDS = (
        *STATE_KINDS,
        count("turns", "turns"),
        count("declined", "turns without a state", better="lower"),
    )

    turns: int
    declined: int
    slots: tuple[str, ...]
    measures: tuple[StateRate, ...]
    level: float
    by_dialogue: Any = field(repr=False, compare=False, default=None)

    def value(self, name: str) -> float | None:
        """A measure by name."""
        known = {measure.name: measure.value for measure in self.measures}
        return known[choice("slot_scores", "the measure", name, known)]

    def sentence(self) -> str:
        """The share of turns with the whole state right, and the slot error rate."""
        name = f"{self.system}: " if self.system else ""
        listed = {measure.name: measure for measure in self.measures}
        first = listed.get("joint goal accuracy", self.measures[0])
        second = listed.get("slot error rate", listed.get("5 slot error rate"))
        words = [
            f"{measure.name.lstrip('0123456789 ')} is {measure.value:.3f}"
            f"{interval_text(measure.interval, self.level)}"
            for measure in (first, second)
            if measure is not None and measure.value is not None
        ]
        answer = "; ".join(words) or "no measure is defined"
        start = name or "The "
        return f"{start}{answer}, over {with_noun(self.turns, 'turn')}."

    def figures(self) -> Iterator[Figure]:
        """Each measure by its name."""
        kinds = {kind.name: kind for kind in self.KINDS}
        for measure in self.measures:
            yield self.figure(kinds[measure.name], measure.value, measure.interval)
        for name in ("turns", "declined"):
            yield self.figure(kinds[name], getattr(self, name))

    def tables(self) -> tuple[Table]:
        """Measures one below the other."""
        cells = attrgetter("name", "value", "interval", "answered", "above", "below")
        rows = [(self.system, *cells(measure)) for measure in self.measures]
        return (Table("", _RATE_COLUMNS, tuple(rows), key=2),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What becomes of declined turns, and what lacks acts or an interval."""
        notes = []
        if self.declined:
            are = "is" if self.declined == 1 else "are"
            many = with_noun(self.declined, "turn")
            notes.append(f"{many} {are} declined: there the state before stays")
        for measure in self.measures:
            if measure.name == _UNDERSTOOD and not measure.below:
                notes.append(f"{_UNDERSTOOD}: needs the columns {' and '.join(_ACTS)}")
        rates = ((rate.name, rate.value, rate.interval) for rate in self.measures)
        return (*notes, *no_intervals(rates, self.recipe["intervals"]))


_VALUE: Final = "what is counted / what it is a share of, which --wide shows"
_RATE_COLUMNS: Final = (
    Column("system"),
    Column("measure"),
    Column("value", cells="share", explained=_VALUE),
    Column("interval", cells="share", explained="over dialogues, or turns"),
    Column("answered", cells="share", explained="over turns that were not declined"),
    Column("above", cells="number", explained="what is counted", wide=True),
    Column("below", cells="number", explained="what it is a share of", wide=True),
)


@by_name("references", "hypotheses", turns="references")
def slot_scores(  # noqa: PLR0913  (a table, or both sides)
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    slots: Sequence[str] | None = None,
    none: str = "empty",
    dontcare: str = "value",
    alternatives: str | None = None,
    system: str = "",
    level: float = 0.95,
) -> StateScores:
    """Slot error rate, joint and average goal accuracy, relative slot accuracy.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``dialogue``, ``turn``, ``item``,
        ``confidence`` and ``declined``, the turns of a dialogue one after the other. Or
        both of the next two are given by name.
    hypotheses : sequence, optional
        The system's state after each turn; None where it declined: its state stays as
        it was.
    references : sequence, optional
        The true state after each turn, an object of slots and values.
    slots : sequence of str, optional
        All slots that there are; by default those of the table.
    none, dontcare : {"empty", "value"}
        Whether ``none`` (and "not mentioned") and ``dontcare`` are values like others.
        Published figures differ by this.
    alternatives : str, optional
        Signs that part values of a reference of which each is right, such as ``|``, as
        MultiWOZ 2.4 has them; by default none does. Lists are then such values too.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    StateScores
        With the measures ``slot error rate`` (Makhoul et al. 1999: inserted, deleted
        and substituted / filled), ``slot precision``, ``slot recall``, ``joint goal
        accuracy`` (turns with every slot right), ``average goal accuracy`` (the mean
        over turns of filled slots that are right), ``relative slot accuracy`` (Kim et
        al. 2022: right / slots of either).

    Raises
    ------
    InputError
        If a state is none, or turns of a dialogue do not stand together.

    Examples
    --------
    >>> import demur
    >>> found = demur.slot_scores(
    ...     hypotheses=[{"room": "A", "date": "Sun"}],
    ...     references=[{"room": "A", "date": "Mon"}])
    >>> found.value("slot error rate"), found.value("joint goal accuracy")
    (0.5, 0.0)
    """
    where = "slot_scores"
    check_level(where, level)
    policy = _policy(where, none, dontcare)
    if alternatives is not None and not _are_signs(alternatives):
        need = "be signs that part values, no letters or digits"
        raise InputError(where, "alternatives", need, shown(alternatives), "Such as |.")
    sides = two_sides(where, table, hypotheses, references, _COLUMNS)
    states = state_turns(sides, policy, slots, signs=alternatives)
    if alternatives is None:
        check_lists(sides, states, policy)
    else:
        states = with_alternatives(states, alternatives, policy)
    counts = _counts(states)
    errors = counts[:, 1:4].sum(axis=1)
    filled, right = counts[:, 4], counts[:, 5]
    given = filled - counts[:, 2] + counts[:, 1]
    either = filled + counts[:, 1]
    ones = np.ones(len(states))
    some, any_slot = (filled > 0).astype(float), (either > 0).astype(float)
    rows = [
        ("slot error rate", errors, filled),
        ("slot precision", right, given),
        ("slot recall", right, filled),
        ("joint goal accuracy", errors == 0, ones),
        ("average goal accuracy", right / np.maximum(filled, 1), some),
        ("relative slot accuracy", right / np.maximum(either, 1), any_slot),
    ]
    recipe = {"measure": "slots", "policy": policy.text}
    if alternatives is not None:
        recipe["alternatives"] = f"parted at {alternatives}"
    return _scores(sides, states, rows, counts, (system, level, recipe))


def _are_signs(text: Any) -> bool:
    return isinstance(text, str) and bool(text) and not any(map(str.isalnum, text))


@by_name("references", "hypotheses", turns="references")
def discourse_measures(  # noqa: PLR0913  (those of slot_scores, and one)
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    slots: Sequence[str] | None = None,
    update_prior: str = "system",
    none: str = "empty",
    dontcare: str = "value",
    system: str = "",
    level: float = 0.95,
) -> StateScores:
    """The 13 measures of discourse understanding of Higashinaka et al.

    Their names are published; denominators are reconstructed from a patent and a later
    paper, and marked so in the signature. With R and H the true state and the system's
    after a turn, N slots x turns, F filled slots of R:

    1 to 4, slot accuracy, insertion, deletion and substitution error rates, are shares
    of N and add up to 1; 5, the slot error rate, is over F; 11 to 13, slot accuracy,
    deletion and substitution error rates of filled slots, are shares of F and add up to
    1. 6, 7 and 9, update precision, insertion and substitution error rates, are shares
    of the slots that the system changed and add up to 1; 8, the update deletion error
    rate, is a share of the slots that had to change. 10, the speech understanding rate,
    is the share of turns whose own dialogue act is understood, and needs the columns
    ``ref_act`` and ``hyp_act``: objects of slots and values, as a state is.

    Parameters
    ----------
    table, hypotheses, references, slots, none, dontcare, system, level
        As for `slot_scores`.
    update_prior : {"system", "own"}
        A slot had to change if the true state differs from the system's state before
        the turn; or from the true state before it, as state tracking has it.

    Returns
    -------
    StateScores

    Raises
    ------
    InputError
        As for `slot_scores`.

    References
    ----------
    Higashinaka et al. (2002, ICSLP; 2003, Eurospeech), as Porzel and Malaka (2004,
    table 1) list them.

    Examples
    --------
    >>> import demur
    >>> found = demur.discourse_measures(
    ...     hypotheses=[{"room": "A", "date": "Sun"}],
    ...     references=[{"room": "A", "date": "Mon"}])
    >>> found.value("1 slot accuracy"), found.value("6 update precision")
    (0.5, 0.5)
    """
    where = "discourse_measures"
    check_level(where, level)
    choice(where, "update_prior", update_prior, ["system", "own"])
    policy = _policy(where, none, dontcare)
    sides = two_sides(where, table, hypotheses, references, [*_COLUMNS, *_ACTS])
    states = state_turns(sides, policy, slots)
    check_lists(sides, states, policy)
    counts = _counts(states)
    updates = _updates(states, update_prior)
    total, filled = np.full(len(states), len(states.slots)), counts[:, 4]
    changed, needed = updates[:, 0], updates[:, 5]
    understood = _understood(sides, policy)
    rows: list[Counted] = [
        ("1 slot accuracy", counts[:, 0], total),
        ("2 insertion error rate", counts[:, 1], total),
        ("3 deletion error rate", counts[:, 2], total),
        ("4 substitution error rate", counts[:, 3], total),
        ("5 slot error rate", counts[:, 1:4].sum(axis=1), filled),
        ("6 update precision", updates[:, 1], changed),
        ("7 update insertion error rate", updates[:, 2], changed),
        ("8 update deletion error rate", updates[:, 4], needed),
        ("9 update substitution error rate", updates[:, 3], changed),
        (_UNDERSTOOD, *understood),
        ("11 slot accuracy, filled slots", counts[:, 5], filled),
        ("12 deletion error rate, filled slots", counts[:, 2], filled),
        ("13 substitution error rate, filled slots", counts[:, 3], filled),
    ]
    recipe = {
        "measure": "discourse understanding, denominators reconstructed",
        "update prior": update_prior,
        "policy": policy.text,
    }
    return _scores(sides, states, rows, counts, (system, level, recipe))


def _counts(states: StateTurns) -> Any:
    turns = zip(states.reference, states.system, strict=True)
    return np.array([turn_counts(a, b, len(states.slots)) for a, b in turns])


def _updates(states: StateTurns, update_prior: str) -> Any:
    system, reference = states.system, states.reference
    before = states.before(system)
    origin = before if update_prior == "system" else states.before(reference)
    turns = zip(reference, system, before, origin, strict=True)
    return np.array(
        [update_counts(a, b, prior, differing(a, old)) for a, b, prior, old in turns]
    )


def _policy(where: str, none: str, dontcare: str) -> Policy:
    choice(where, "none", none, POLICIES)
    choice(where, "dontcare", dontcare, POLICIES)
    return Policy(none, dontcare)


def _understood(sides: NamedColumns, policy: Policy) -> tuple[Any, Any]:
    """Turns whose own act is understood, of those that have one."""
    if not all(map(sides.has, _ACTS)):
        return np.zeros(len(sides)), np.zeros(len(sides))
    acts = NamedColumns({name: sides.columns[name] for name in _ACTS}, sides.places)
    # An act is read as a state is: an object of slots and values.
    turns = state_turns(acts, policy, None, _ACTS)
    pairs = zip(turns.reference, turns.hypothesis, strict=True)
    return np.array([a == b for a, b in pairs], float), np.ones(len(sides))


Counted = tuple[str, Any, Any]
"""The name of a measure, and what it divides by what, of each turn."""


def _scores(
    sides: NamedColumns,
    states: StateTurns,
    rows: Sequence[Counted],
    counts: Any,
    asked: tuple[str, float, Mapping[str, str]],
) -> StateScores:
    system, level, recipe = asked
    answered, dialogue = answered_of(sides, states.hypothesis), states.dialogue
    items = np.arange(len(states))
    if sides.has("item"):
        items = np.array([name_text(name) for name in sides.columns["item"]], object)
    return StateScores(
        system=system,
        turns=len(states),
        declined=int((~answered).sum()),
        slots=tuple(states.slots),
        measures=tuple(_rate(row, dialogue, answered, level) for row in rows),
        level=level,
        recipe={
            **recipe,
            "slots": ",".join(states.slots),
            "declined": "the state before stays",
            "intervals": "turns" if dialogue is None else "dialogues",
            "level": exactly(level),
            "n": str(len(states)),
        },
        counted=CountedItems(
            errors=counts[:, 1:4].sum(axis=1),
            units=counts[:, 4],
            answered=answered,
            cluster=dialogue,
            item=items,
            system=system,
            cluster_names=None if dialogue is None else sides.codes("dialogue")[1],
        ),
        by_dialogue=_by_dialogue(rows, dialogue),
    )


def _by_dialogue(rows: Sequence[Counted], dialogue: Any) -> Any:
    """Each measure of each dialogue, for regressions; NaN where it is undefined."""
    if dialogue is None:
        return None
    columns = {}
    for name, above, below in rows:
        tops, under = (np.bincount(dialogue, amounts) for amounts in (above, below))
        with np.errstate(invalid="ignore", divide="ignore"):
            columns[name] = np.where(under > 0, tops / under, np.nan)
    return columns


def _rate(row: Counted, dialogue: Any, answered: Flags, level: float) -> StateRate:
    name, *sides = row
    tops, under = (np.asarray(amounts, float) for amounts in sides)
    above, below = float(tops.sum()), float(under.sum())
    heard = float(under[answered].sum())
    share = name not in _UNBOUNDED
    return StateRate(
        name=name,
        value=above / below if below else None,
        interval=ratio_interval(tops, under, dialogue, level, share=share),
        above=above,
        below=below,
        answered=float(tops[answered].sum()) / heard if heard else None,
    )
