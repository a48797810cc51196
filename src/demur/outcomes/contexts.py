"""When context is reset: which turns of its dialogue a question is given.

Bates, Boisen and Makhoul (1990), 7.2.1, leave open "when the context should be reset
(because sentences have been excluded for other reasons)". Here it is a rule with a
name, one of `CONTEXT_RULES`; who packs questions, asks or judges takes it from here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from demur.errors import InputError, shown
from demur.outcomes import values
from demur.outcomes.gaps import is_absent, is_gap
from demur.outcomes.records import Reference, check_once, item_text, with_place

CONTEXT_RULES: Final[Mapping[str, str]] = {
    "dialogue": "all turns before it in its dialogue, those that are not asked, such "
    "as excluded ones, as words only",
    "excluded": "the turns before it in its dialogue, back to the last one that is "
    "not asked, such as an excluded one",
    "alone": "nothing: each question is asked alone",
}
"""What a question is given of the turns before it, by the name of the rule."""

TURN_FIELDS: Final = (
    *("item", "input", "dialogue", "cluster", "class", "context", "excluded", "reset"),
)
"""The fields of a record that count here."""

NOT_ASKED: Final[Mapping[str, str]] = {
    "excluded": "excluded",
    "unknown": "context is no item",
    "later": "context not before it",
    "elsewhere": "context in another dialogue",
    "undivided": "context, but no dialogue",
    "first": "class D with nothing before it",
    "reset": "context before a reset",
    "alone": "context not given",
}
"""Why turns are not asked, by a code, as a count of them is named."""

_BY_ITSELF: Final = {
    "excluded": "it is excluded",
    "unknown": "its context {} is no item",
    "later": "its context {} does not come before it",
    "elsewhere": "its context {} is in another dialogue",
    "undivided": "its context {} and itself name no dialogue",
    "first": "it is of class D, and nothing comes before it",
    "reset": "its context {} lies before a reset",
    "alone": "its context {} is not given",
}


# -- turns, as records have them ------------------------------------------------------


class DialogueTurn(NamedTuple):
    """What counts of a record for the turns that lean on it, and on which it leans.

    Parameters
    ----------
    item : str
        As text.
    dialogue : str or None
        ``dialogue`` of the record, else ``cluster``; None is a dialogue of one turn.
    input : Any
        What was said.
    label : str
        The class: A, D, X or what else stands there; "" if nothing does.
    excluded : bool
        Whether it is of class X, or ``excluded`` is true.
    reset : bool
        Whether ``reset`` is true: by hand, context was reset just before it.
    context : tuple of str
        The items that ``context`` names.
    place : str
        Where it was read.
    """

    item: str
    dialogue: str | None = None
    input: Any = None
    label: str = ""
    excluded: bool = False
    reset: bool = False
    context: tuple[str, ...] = ()
    place: str = ""


def class_of(record: Mapping[str, Any]) -> str:
    """The class of a question: A, D, X, or what else stands there; "" if nothing does.

    Examples
    --------
    >>> class_of({"class": "d"}), class_of({})
    ('D', '')
    """
    given = record.get("class")
    return "" if is_absent(given) else str(given).strip().upper()


def context_of(given: Any) -> tuple[str, ...]:
    """The items that a context names: one, a list, or a list as JSON in a cell.

    Examples
    --------
    >>> context_of("q1"), context_of(["q1", 2]), context_of('["q1", "q2"]')
    (('q1',), ('q1', '2'), ('q1', 'q2'))
    >>> context_of(None), context_of(""), context_of([])
    ((), (), ())
    """
    if isinstance(given, str) and given.lstrip().startswith("["):
        given = values.json_or_text(given)
    listed = given if isinstance(given, (list, tuple)) else [given]
    return tuple(str(name) for name in listed if not is_gap(name))


def dialogue_turn(record: Reference | Mapping[str, Any], place: str) -> DialogueTurn:
    """The turn of a record.

    Raises
    ------
    InputError
        If it has no item, or ``excluded`` or ``reset`` is neither true nor false.

    Examples
    --------
    >>> turn = dialogue_turn(
    ...     {"item": 3, "cluster": "d1", "class": "D", "context": 2}, "a.jsonl:3")
    >>> turn.item, turn.dialogue, turn.label, turn.context, turn.excluded
    ('3', 'd1', 'D', ('2',), False)
    """
    fields: Any = record
    if isinstance(record, Reference):
        place = record.place or place
        plain = {"item": record.item, "input": record.input, "cluster": record.cluster}
        fields = {**record.extra, **plain}
    if not isinstance(fields, Mapping):
        need = "be a Reference or a mapping"
        hint = "With a rule of context inputs are records with item, input, dialogue."
        raise InputError(place, "a turn", need, shown(record), hint)
    if "item" not in fields:
        got = ", ".join(map(str, fields)) or "no fields"
        raise InputError(place, "a turn", "have a field item", got)
    name = "cluster" if is_gap(fields.get("dialogue")) else "dialogue"
    dialogue = None if is_gap(fields.get(name)) else fields[name]
    label = class_of(fields)
    return DialogueTurn(
        item=item_text(fields["item"], place),
        dialogue=values.label_text(name, dialogue, place),
        input=fields.get("input"),
        label=label,
        excluded=_is_marked("excluded", fields, place) or label == "X",
        reset=_is_marked("reset", fields, place),
        context=context_of(fields.get("context")),
        place=place,
    )


def _is_marked(name: str, record: Mapping[str, Any], place: str) -> bool:
    """Whether a turn is marked; a cell of a table says true or false as text."""
    given = record.get(name)
    text = str(given).strip().lower()
    if is_gap(given) or given is False or text in ("false", "0"):
        return False
    if given is True or text in ("true", "1"):
        return True
    raise InputError(place, name, "be true or false", shown(given))


def dialogue_turns(
    records: Iterable[Reference | Mapping[str, Any] | tuple[str, Mapping[str, Any]]],
) -> list[DialogueTurn]:
    """The turns of records, in their order.

    Parameters
    ----------
    records : iterable of Reference, mapping or (place, mapping)
        In the order in which each dialogue was held; dialogues may be interleaved.

    Raises
    ------
    InputError
        If an item stands twice, or a record is not what it must be.
    """
    first: dict[str, str] = {}
    turns = []
    for number, given in enumerate(records, 1):
        place, record = with_place(given, f"record {number}")
        turn = dialogue_turn(record, place)
        hint = "Give repeated questions items of their own."
        check_once(turn.item, turn.place, first, hint)
        turns.append(turn)
    return turns


# -- what a context names -------------------------------------------------------------


class NamedContext(NamedTuple):
    """An item that a context names, and what it is.

    Parameters
    ----------
    name : str
        The item.
    at : int or None
        Its place among the turns; None if there is none.
    fault : str
        Why nobody can be given it, a code of `NOT_ASKED`; "" if it comes before in the
        same dialogue.
    """

    name: str
    at: int | None
    fault: str


def named_contexts(turns: Sequence[DialogueTurn]) -> Iterator[tuple[NamedContext, ...]]:
    """For each turn what its context names; of repeated items the first counts.

    Examples
    --------
    >>> turns = [DialogueTurn("q1", "d1"),
    ...     DialogueTurn("q2", "d1", context=("q1", "q2")),
    ...     DialogueTurn("q3", "d2", context=("q1", "q9"))]
    >>> for named in named_contexts(turns):
    ...     print([(one.name, one.fault) for one in named])
    []
    [('q1', ''), ('q2', 'later')]
    [('q1', 'elsewhere'), ('q9', 'unknown')]
    """
    places: dict[str, int] = {}
    for at, turn in enumerate(turns):
        places.setdefault(turn.item, at)
    for at, turn in enumerate(turns):
        yield tuple(
            NamedContext(name, places.get(name), _fault(name, at, turns, places))
            for name in turn.context
        )


def _fault(
    name: str, at: int, turns: Sequence[DialogueTurn], places: Mapping[str, int]
) -> str:
    there = places.get(name)
    if there is None:
        return "unknown"
    if there >= at:
        return "later"
    if turns[there].dialogue != turns[at].dialogue:
        return "elsewhere"
    return "undivided" if turns[at].dialogue is None else ""


# -- the rules ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TurnInContext:
    """A turn under a rule.

    Parameters
    ----------
    turn : DialogueTurn
        As it was.
    reset : str
        Why context was reset just before it; "" if it was not.
    why : str
        Why it is not asked, a code of `NOT_ASKED`; "" if it is.
    name : str
        The item that this is due to; "" if it is due to none.
    first, end : int
        Which of the turns of its dialogue it is given: from the first, up to the end.
    """

    turn: DialogueTurn
    reset: str
    why: str
    name: str
    first: int
    end: int
    _dialogue: "list[TurnInContext]"

    @property
    def is_asked(self) -> bool:
        """Whether it is a question that can be asked under the rule."""
        return not self.why

    @property
    def before(self) -> "tuple[TurnInContext, ...]":
        """The turns that it is given, in order; made anew for each turn that asks."""
        return tuple(self._dialogue[self.first : self.end])

    @property
    def given(self) -> tuple[str, ...]:
        """Their items."""
        return tuple(one.turn.item for one in self.before)

    @property
    def reason(self) -> str:
        """Why it is not asked, in words."""
        return _BY_ITSELF[self.why].format(shown(self.name)) if self.why else ""


def in_context(turns: Iterable[DialogueTurn], rule: str) -> list[TurnInContext]:
    """Each turn under a rule: what it is given, and whether it can be asked.

    A turn leans on the items that its context names, unless it is of class A; of class
    D without a context on the turn just before it. A question is asked if it is given
    all that it leans on. ``reset: true`` of a turn resets under every rule.

    Parameters
    ----------
    turns : iterable of DialogueTurn
        Of all dialogues, each in the order in which it was held.
    rule : str
        One of `CONTEXT_RULES`.

    Returns
    -------
    list of TurnInContext
        In the order of the turns. Their size is that of the turns, however long the
        dialogues are.

    Raises
    ------
    InputError
        If there is no such rule.

    Examples
    --------
    >>> turns = dialogue_turns([
    ...     {"item": "q1", "dialogue": "d", "class": "A"},
    ...     {"item": "q2", "dialogue": "d", "class": "X"},
    ...     {"item": "q3", "dialogue": "d", "class": "D", "context": "q1"}])
    >>> for rule in CONTEXT_RULES:
    ...     last = in_context(turns, rule)[-1]
    ...     print(rule, last.given, last.reset or "-", last.reason or "asked")
    dialogue ('q1', 'q2') - asked
    excluded () 'q2' before it is excluded its context 'q1' lies before a reset
    alone () each is asked alone its context 'q1' is not given
    """
    check_rule("in_context", rule)
    listed = list(turns)
    dialogues: dict[str | None, _Dialogue] = {}
    under: list[TurnInContext] = []
    for turn, named in zip(listed, named_contexts(listed), strict=True):
        if turn.dialogue is None:
            dialogue = _Dialogue(rule)
        else:
            dialogue = dialogues.setdefault(turn.dialogue, _Dialogue(rule))
        under.append(dialogue.add(turn, named))
    return under


def not_asked_note(under: Iterable[TurnInContext], rule: str, fate: str) -> str:
    """How many turns of the set are left out under a rule, and why; "" if none is.

    Examples
    --------
    >>> turns = dialogue_turns([{"item": 1, "class": "X"}, {"item": 2, "class": "A"}])
    >>> not_asked_note(in_context(turns, "excluded"), "excluded", "not asked")
    'context=excluded: 1 of 2 questions not asked (excluded: 1)'
    """
    listed = list(under)
    why = Counter(one.why for one in listed if one.why)
    if not why:
        return ""
    parts = [f"{NOT_ASKED[name]}: {why[name]}" for name in NOT_ASKED if why[name]]
    of_all = f"{why.total()} of {len(listed)} questions"
    return f"context={rule}: {of_all} {fate} ({'; '.join(parts)})"


def check_rule(where: str, rule: Any) -> None:
    """Refuse what is no name of a rule."""
    if not (isinstance(rule, str) and rule in CONTEXT_RULES):
        need = f"be one of {', '.join(CONTEXT_RULES)}"
        raise InputError(where, "context", need, shown(rule))


class _Dialogue:
    """A dialogue so far, under a rule."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._turns: list[TurnInContext] = []
        self._place_of: dict[str, int] = {}
        self._first = 0

    def add(self, turn: DialogueTurn, named: Sequence[NamedContext]) -> TurnInContext:
        end = len(self._turns)
        reset = self._reset(turn)
        if reset:
            self._first = end
        why, name = self._not_asked(turn, named)
        first = end if why == "excluded" else self._first
        under = TurnInContext(turn, reset, why, name, first, end, self._turns)
        self._place_of.setdefault(turn.item, end)
        self._turns.append(under)
        return under

    def _reset(self, turn: DialogueTurn) -> str:
        if turn.reset:
            return "it is marked"
        if not self._turns:
            return ""
        if self._rule == "alone":
            return "each is asked alone"
        last = self._turns[-1]
        if self._rule == "excluded" and last.why:
            how = "is excluded" if last.why == "excluded" else "is not asked"
            return f"{shown(last.turn.item)} before it {how}"
        return ""

    def _not_asked(
        self, turn: DialogueTurn, named: Sequence[NamedContext]
    ) -> tuple[str, str]:
        """Why it is not asked, and the item to which this is due."""
        if turn.excluded:
            return "excluded", ""
        if turn.label == "A":
            return "", ""
        if turn.label == "D" and not named:
            if not self._turns:
                return "first", ""
            name = self._turns[-1].turn.item
            return self._lacking(name, len(self._turns) - 1)
        for one in named:
            why = (one.fault, one.name) if one.fault else self._lacking(one.name)
            if why[0]:
                return why
        return "", ""

    def _lacking(self, name: str, at: int | None = None) -> tuple[str, str]:
        place = self._place_of[name] if at is None else at
        if place >= self._first:
            return "", ""
        return ("alone" if self._rule == "alone" else "reset"), name
