"""Dialogue states slot by slot: what is right, inserted, deleted, substituted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from demur.answers.slots import Policy
from demur.arrays import Positions
from demur.errors import InputError, shown
from demur.outcomes.gaps import is_absent
from demur.outcomes.named_columns import (
    NamedColumns,
    cluster_codes,
    name_text,
    unpacked,
)
from demur.outcomes.value_kinds import kind_of, reread, value_text

State = dict[str, str]


@dataclass(frozen=True, eq=False)
class StateTurns:
    """Turns with the true and the system's state after each.

    Parameters
    ----------
    reference, hypothesis : list of dict of slot to value
        Without empty slots; None for a turn that the system declined.
    first : list of bool
        Whether a turn is the first of its dialogue.
    dialogue : array of int, shape (n_turns,), or None
        Which dialogue each turn is of; None if no column says so.
    slots : sequence of str
        All that there are.
    kinds : mapping of str to set of str
        Of slots with other values than texts, what kinds these are.
    """

    reference: list[State]
    hypothesis: list[State | None]
    first: list[bool]
    dialogue: Positions | None
    slots: Sequence[str]
    kinds: Mapping[str, set[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def system(self) -> list[State]:
        """The system's states; of a declined turn, the one before it."""
        states: list[State] = []
        for state, first in zip(self.hypothesis, self.first, strict=True):
            before = {} if first else states[-1]
            states.append(before if state is None else state)
        return states

    def before(self, states: list[State]) -> list[State]:
        """The state before each turn: empty at the beginning of a dialogue."""
        return [
            {} if first else states[place - 1] for place, first in enumerate(self.first)
        ]


def state_turns(
    table: NamedColumns,
    policy: Policy,
    slots: Sequence[str] | None,
    sides: tuple[str, str] = ("ref", "hyp"),
    signs: str | None = None,
) -> StateTurns:
    """Turns of the columns of both sides and maybe ``dialogue``, in their order.

    Lists are values parted by the first of the signs, if there are any.
    """
    reading = _Reading(policy, signs)
    rows, (ref, hyp) = range(len(table)), sides
    reference = [_state(table, row, ref, reading) or {} for row in rows]
    hypothesis = [_state(table, row, hyp, reading) for row in rows]
    reading.reread((*reference, *hypothesis))
    dialogue = cluster_codes(table, "dialogue" if table.has("dialogue") else None)
    first = [True] * len(table)
    if dialogue is not None:
        listed = dialogue.tolist()
        seen: set[int] = set()
        for row, code in enumerate(listed):
            first[row] = row == 0 or listed[row - 1] != code
            if first[row] and code in seen:
                need, hint = "stand together", "Sort the table by dialogue and turn."
                what, got = "turns of one dialogue", "another one between"
                raise InputError(table.place(row), what, need, got, hint)
            seen.add(code)
        _check_turns(table, listed)
    named = sorted(
        {slot for state in (*reference, *hypothesis) if state for slot in state}
    )
    if slots is not None:
        unknown = set(named) - set(slots)
        if unknown:
            need = f"be among {', '.join(slots)}"
            raise InputError("slots", "a slot", need, shown(sorted(unknown)[0]))
        named = list(slots)
    return StateTurns(reference, hypothesis, first, dialogue, named, reading.typed)


def with_alternatives(states: StateTurns, signs: str, policy: Policy) -> StateTurns:
    """References with the value that the system has, where it is one of several.

    Parameters
    ----------
    states : StateTurns
    signs : str
        Each of which parts values, such as ``|`` in "centre|south".
    policy : Policy
        Where one of them is none, a slot without a value is right as well.
    """
    parted = re.compile(f"[{re.escape(signs)}]")
    reference = []
    for true, given in zip(states.reference, states.system, strict=True):
        state = dict(true)
        for slot, value in true.items():
            if not parted.search(value):
                continue
            kinds = sorted(states.kinds.get(slot, ()))
            values = [reread(part.strip(), kinds) for part in parted.split(value)]
            if given.get(slot) in values:
                state[slot] = given[slot]
            elif slot not in given and any(map(policy.is_empty, values)):
                del state[slot]
        reference.append(state)
    return replace(states, reference=reference)


def _check_turns(table: NamedColumns, dialogue: Sequence[int]) -> None:
    """Refuse a turn that stands twice in its dialogue, if turns have numbers."""
    turns = [name_text(turn) for turn in table.columns.get("turn", ())]
    if not all(turn.isdigit() for turn in turns):
        return
    seen: set[tuple[int, str]] = set()
    for row, key in enumerate(zip(dialogue, turns, strict=False)):
        if key in seen:
            need, hint = "be there once in its dialogue", "Leave repeated rows out."
            raise InputError(table.place(row), f"turn {key[1]}", need, "again", hint)
        seen.add(key)


def check_lists(table: NamedColumns, turns: StateTurns, policy: Policy) -> None:
    """Refuse a list on one side and no list on the other, which are never equal."""
    slots = [slot for slot, kinds in turns.kinds.items() if "list" in kinds]
    for row in range(len(table)) if slots else ():
        states = [dict(_pairs(table, row, column) or ()) for column in ("ref", "hyp")]
        for slot in slots:
            values = [state[slot] for state in states if slot in state]
            lists = [isinstance(value, (list, tuple)) for value in values]
            if len({*lists}) > 1 and not any(map(policy.is_empty, values)):
                need = "have lists on both sides, or on none"
                got = " and ".join(map(shown, values))
                hint = "If each of a list is right: metrics slots --alternatives '|'."
                raise InputError(table.place(row), f"slot {slot}", need, got, hint)


@dataclass
class _Reading:
    """How values are read, those that were, and kinds in slots beside texts."""

    policy: Policy
    signs: str | None = None
    known: dict[str, str | None] = field(default_factory=dict)
    typed: dict[str, set[str]] = field(default_factory=dict)

    def text(self, slot: str, filler: Any) -> str:
        """The text of a value that is none; its kind is kept for the slot."""
        if filler is not None:
            self.typed.setdefault(slot, set()).add(kind_of(filler))
        return value_text(filler)

    def alternatives(self, slot: str, filler: Any) -> Any:
        """A list as one text, its values parted by the first sign."""
        if not self.signs or not isinstance(filler, (list, tuple)):
            return filler
        return self.signs[0].join(self.text(slot, part) for part in filler)

    def reread(self, states: Sequence[State | None]) -> None:
        """Read texts as numbers and flags in slots that somewhere hold such."""
        for slot, kinds in self.typed.items():
            for state in states:
                if state and slot in state:
                    state[slot] = reread(state[slot], sorted(kinds))


def _pairs(table: NamedColumns, row: int, column: str) -> list[Any] | None:
    """Slots with their values, as they stand; None if the state is absent."""
    value = unpacked(table.place(row), column, table.columns[column][row])
    if is_absent(value):
        return None
    if isinstance(value, (list, tuple)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in value
    ):
        if len({str(slot) for slot, _ in value}) < len(value):
            need = "name each slot once"
            raise InputError(table.place(row), column, need, shown(value))
        return list(value)
    if isinstance(value, Mapping):
        return list(value.items())
    need = "be an object of slots and values, or pairs of these"
    hint = 'Such as {"city": "Rome"}; {} is an empty state.'
    raise InputError(table.place(row), column, need, shown(value), hint)


def _state(
    table: NamedColumns, row: int, column: str, reading: _Reading
) -> State | None:
    pairs = _pairs(table, row, column)
    if pairs is None:
        return None
    policy, known = reading.policy, reading.known
    state: State = {}
    for slot, filler in pairs:
        if not isinstance(filler, str):
            filler = reading.alternatives(str(slot), filler)
        key = filler if isinstance(filler, str) else reading.text(str(slot), filler)
        # Few values fill most slots, so each is read once.
        if key not in known:
            known[key] = None if policy.is_empty(filler) else key.strip().lower()
        text = known[key]
        if text is not None:
            state[str(slot)] = text
    return state


def turn_counts(reference: State, hypothesis: State, n_slots: int) -> list[int]:
    """Slots that are right (empty ones too), inserted, deleted, substituted; filled."""
    both = len(reference.keys() & hypothesis.keys())
    right = len(reference.items() & hypothesis.items())
    inserted, deleted = len(hypothesis) - both, len(reference) - both
    wrong = both - right
    rest = n_slots - inserted - deleted - wrong
    return [rest, inserted, deleted, wrong, len(reference), right]


def update_counts(
    reference: State, hypothesis: State, before: State, needed: Sequence[str]
) -> list[int]:
    """Slots that were changed; rightly, needlessly, wrongly; needed and not changed.

    Parameters
    ----------
    reference, hypothesis : dict
        After the turn.
    before : dict
        The system's own, before it.
    needed : sequence of str
        Slots that had to change.
    """
    slots = {*before, *hypothesis}
    changed = {slot for slot in slots if before.get(slot) != hypothesis.get(slot)}
    right = {slot for slot in changed if hypothesis.get(slot) == reference.get(slot)}
    wanted = set(needed)
    wrong = changed - right
    return [
        len(changed),
        len(right),
        len(wrong - wanted),
        len(wrong & wanted),
        len(wanted - changed),
        len(wanted),
    ]


def differing(first: State, second: State) -> list[str]:
    """Slots with different values."""
    slots = dict.fromkeys([*first, *second])
    return [slot for slot in slots if first.get(slot) != second.get(slot)]
