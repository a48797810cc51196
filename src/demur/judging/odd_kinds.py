"""Wrong answers of another kind than what would be right, and what they look like."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final

from demur.answers import Comparator, Label, Number, Text
from demur.errors import shown
from demur.outcomes.value_kinds import (
    MEMBERS_BY_VALUE,
    PLURALS,
    ZONES_APART,
    has_zone,
    json_kind,
    kind_of,
    name_among,
    read_as,
)
from demur.outcomes.values import json_or_text

_PACKED: Final = ("list", "object")
_WIDE: Final = {"flag", "number"}

_UNLIKE_TEXT: Final = frozenset("[{-\u22120123456789 \t\r\n")
"""What a text begins with that may hold a number, a list or an object."""

_CHAT: Final = ("choices", 0, "message", "content")
_PARTS: Final = ("candidates", 0, "content", "parts", 0, "text")
_LOOKS: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("a chat completion", _CHAT),
    ("a chat completion in a batch", ("body", *_CHAT)),
    ("a chat completion in a batch", ("response", "body", *_CHAT)),
    ("a completion", ("choices", 0, "text")),
    ("a chat completion", ("message", "content")),
    ("a chat completion", _PARTS),
    ("a chat completion", ("output", 0, "content", 0, "text")),
    ("a chat message", ("content", 0, "text")),
    ("a chat message", ("content",)),
    *(("", (name,)) for name in ("answer", "text", "value", "output", "label")),
)
"""What objects look like that hold an answer, and where it stands in them."""


class OddKinds:
    """Counts of wrong answers that are of another kind than their references.

    Parameters
    ----------
    comparator : Comparator
        Nothing is counted for those that read lists or objects themselves.

    Examples
    --------
    >>> from demur.answers import label
    >>> kinds = OddKinds(label())
    >>> kinds.add({"answer": "Oslo"}, [("Oslo", 1.0)])
    >>> print(*kinds.notes(1))
    1 wrong answer is an object, its reference a text: the answer may stand under
    answer; give it alone
    """

    def __init__(self, comparator: Comparator) -> None:
        self._looks = isinstance(comparator, (Label, Number, Text))
        self._comparator = comparator
        self._apart: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._written: list[tuple[str, str]] = []
        self._further: Counter[str] = Counter()

    def add(self, guess: Any, alternatives: Any) -> None:
        """Look at a wrong guess, and at what would be right."""
        if not self._looks or not alternatives:
            return
        value = alternatives[0][0]
        if type(guess) is type(value) is str and not (
            guess[:1] in _UNLIKE_TEXT or value[:1] in _UNLIKE_TEXT
        ):
            return
        self._further.update(_apart_within(guess, value))
        kind = json_kind(guess)
        kinds = [json_kind(acceptable) for acceptable, _ in alternatives]
        if kind not in kinds:
            key = (kind, kinds[0])
            self._apart[key] += 1
            self._first.setdefault(key, (guess, value))
        elif kind == "number" and isinstance(guess, str):
            self._look_at_number(guess, alternatives)

    def _look_at_number(self, guess: str, alternatives: Any) -> None:
        for value, _ in alternatives:
            if isinstance(value, str) and read_as("number", value) == read_as(
                "number", guess
            ):
                self._written.append((guess, value))
                return

    def _are_read(self, guess: Any, value: Any) -> bool:
        """Whether the comparator reads numbers in both, also in texts."""
        if not isinstance(self._comparator, Number):
            return False
        return None not in (self._comparator.read(guess), self._comparator.read(value))

    def notes(self, guesses: int, *, is_read: bool = False) -> Iterator[str]:
        """What kinds differ, of all guesses so many, and unless steps read them."""
        for (kind, other), many in self._apart.items():
            guess, value = self._first[kind, other]
            packed = kind in _PACKED or other in _PACKED
            if packed or {kind, other} == _WIDE:
                differ = _differ(kind, other, many)
                yield f"{differ}: {_advice(kind, other, guess, value)}"
            elif many == guesses > 1 and not (is_read or self._are_read(guess, value)):
                yield (
                    f"all {many} answers are {PLURALS[kind]}, and their references "
                    f"{PLURALS[other]}: none can be right; give both in one form"
                )
        if self._written:
            (guess, value), many = self._written[0], len(self._written)
            which = "1 wrong answer is" if many == 1 else f"{many} wrong answers are"
            yield (
                f"{which} the number of the reference, written otherwise "
                f"({shown(guess)}, {shown(value)}): by=number (--by number) compares "
                "numbers"
            )
        for note, many in self._further.items():
            which = "1 wrong answer" if many == 1 else f"{many} wrong answers"
            yield f"{which}: {note}"


def _apart_within(guess: Any, value: Any) -> Iterator[str]:
    """What parts two values of one kind: names of members, dates without zones."""
    for member, text in ((guess, value), (value, guess)):
        named = isinstance(member, Enum) and type(text) is str
        if named and name_among(member, [text]):
            yield MEMBERS_BY_VALUE
    if kind_of(guess) == kind_of(value) == "date" and (
        has_zone(guess) is not has_zone(value)
    ):
        yield ZONES_APART


def _differ(kind: str, other: str, many: int) -> str:
    if many > 1:
        named = f"{PLURALS[kind]}, their references {PLURALS[other]}"
        return f"{many} wrong answers are {named}"
    return f"1 wrong answer is {_a(kind)}, its reference {_a(other)}"


def _a(kind: str) -> str:
    return f"{'an' if kind == 'object' else 'a'} {kind}"


def _advice(kind: str, other: str, guess: Any, value: Any) -> str:
    """What to type instead, of a guess and what would be right."""
    if {kind, other} == _WIDE:
        return "true is not 1; write both as flags, or both as numbers"
    if kind in _PACKED:
        if kind == "object":
            return f"{_look(json_or_text(guess))}; give it alone"
        return "give the one answer, not a list around it"
    if other == "list":
        return "several acceptable answers stand under references, not under reference"
    return f"{_look(json_or_text(value))}; give it alone, or several under references"


def _look(value: Any) -> str:
    """What an object looks like, and where its answer stands."""
    for name, path in _LOOKS:
        if _holds(value, path):
            steps = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path)
            where = steps.removeprefix(".")
            if name:
                return f"it looks like {name}, whose text stands under {where}"
            return f"the answer may stand under {where}"
    return "the answer is one of its fields"


def _holds(value: Any, path: tuple[Any, ...]) -> bool:
    for step in path:
        holder = (list, tuple) if isinstance(step, int) else Mapping
        if not isinstance(value, holder) or (step not in value and step != 0):
            return False
        if not value:
            return False
        value = value[step]
    return True
