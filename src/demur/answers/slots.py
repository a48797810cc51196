"""Sets of acts, or of slots and values: equal, or matched in part."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

from demur.answers.answer_parts import AnswerPart, lacking, unasked, with_own_names
from demur.answers.comparators import BOTH_EMPTY, EQUAL, Match
from demur.answers.values import json_text
from demur.calls import call_text, unusual
from demur.checks import choice
from demur.outcomes.gaps import is_absent
from demur.outcomes.reasons import BAD_REFERENCE
from demur.outcomes.value_kinds import value_text
from demur.spellings import plain_quotes, small

NONE_WORDS: Final = ("none", "not mentioned", "")
DONTCARE_WORDS: Final = ("dontcare", "don't care", "do n't care", "any", "dont care")
POLICIES: Final = ("value", "empty")
"""What ``none`` and ``dontcare`` are: values like others, or no value."""
CREDITS: Final = ("exact", "f1", "recall")
TYPES: Final = ("loose", "strict")
"""Whether a number or a flag is the text that it is written as, or another value."""

_TYPED: Final = "\0"
"""What stands before a value that is no text, where types count."""

_SHORT: Final = 200
"""Characters of an act that is remembered."""


@dataclass(frozen=True)
class Policy:
    """What counts as an empty slot.

    Parameters
    ----------
    none, dontcare : {"value", "empty"}
        Whether a slot with such a word has a value like others, or none.
    """

    none: str = "empty"
    dontcare: str = "value"

    def is_empty(self, value: Any) -> bool:
        """Whether a value fills no slot."""
        if is_absent(value):
            return True
        text = value_text(value).strip().lower()
        return _fills_nothing(text, self.none == "empty", self.dontcare == "empty")

    @property
    def text(self) -> str:
        """The policy in words, for signatures."""
        return f"none is {self.none}, dontcare is {self.dontcare}"


@dataclass(frozen=True, slots=True, repr=False)
class Slots:
    """The comparator that `slots` makes."""

    credit: str = "exact"
    policy: Policy = Policy()
    types: str = "loose"
    version: ClassVar[str] = "slots/3"

    def __str__(self) -> str:
        credit = {"credit": self.credit} if self.credit != CREDITS[0] else {}
        types = {"types": self.types} if self.types != TYPES[0] else {}
        return call_text("slots", credit | unusual(self.policy) | types)

    __repr__ = __str__

    def read(self, value: Any) -> frozenset[tuple[str, ...]] | None:
        """The acts or slots, each with its arguments or value.

        None if it is neither an object nor a list of names and of such lists.
        """
        listed = _listed(value)
        if listed is None:
            return None
        none, dontcare = self.policy.none == "empty", self.policy.dontcare == "empty"
        acts: set[tuple[str, ...] | None] = set()
        for act in listed:
            if (type(act) is list or type(act) is tuple) and len(act) == 2:
                name, value = act  # the most frequent form, without further looks
                if type(name) is type(value) is str and len(name) + len(value) < _SHORT:
                    acts.add(_kept_act(none, dontcare, name, value))
                    continue
            parts = (act, "") if isinstance(act, str) else self._parts(act)
            if parts is None:
                return None
            if isinstance(act, str) or not isinstance(act[-1], str):
                empty = not isinstance(act, str) and self.policy.is_empty(act[-1])
                acts.add(None if empty else tuple(map(_small, parts)))
            elif sum(map(len, parts)) <= _SHORT:
                acts.add(_kept_act(none, dontcare, *parts))
            else:
                acts.add(_act(none, dontcare, *parts))
        acts.discard(None)
        return frozenset(acts)  # type: ignore[arg-type]  # None is gone

    def _parts(self, act: Any) -> Sequence[str] | None:
        """The texts of a name with arguments, the last of which is a value."""
        if not isinstance(act, (list, tuple)) or len(act) < 2:
            return None
        *names, value = act
        if not all(isinstance(part, str) for part in names):
            return None
        if isinstance(value, str):
            return act
        return [*names, (_TYPED if self.types == "strict" else "") + json_text(value)]

    def compare(self, response: Any, reference: Any) -> Match:
        """Equal sets match; else as much as the credit says."""
        if reference is None:
            return _NO_REFERENCE
        if response is None:
            return _NO_SLOTS
        if response == reference:
            return EQUAL if reference else BOTH_EMPTY
        both = len(response & reference)
        reason = f"{both} of {len(reference)}, and {len(response) - both} others"
        if self.credit == "exact" or not both:
            return Match(0.0, reason, "partly_equal" if both else "differs")
        if self.credit == "recall":
            return Match(both / len(reference), reason, "partly_equal")
        credit = 2 * both / (len(response) + len(reference))
        return Match(credit, reason, "partly_equal")

    # -- parts: see `demur.answers.answer_parts.Separable` --------------------------

    of_parts: ClassVar[str] = ""

    def taken_apart(
        self, *, response: Any, reference: frozenset[tuple[str, ...]]
    ) -> list[AnswerPart] | None:
        """Each slot or act: the same as in the reference, another, or lacking."""
        listed = [] if response is None else _listed(response)
        if listed is None:
            return None
        given: dict[tuple[str, ...], tuple[tuple[int, ...], Any]] = {}
        for place, element in enumerate(listed):
            acts = self.read([element])
            if acts is None:
                return None
            for act in acts:
                places, value = given.get(act, ((), _said(element)))
                given[act] = ((*places, place), value)
        return [*with_own_names(_apart(given, reference))]

    def n_elements(self, response: Any) -> int:
        """How many slots or acts there are."""
        return len(_listed(response) or ())

    def part_name(self, text: str) -> str:
        """The name of a slot as slots are compared."""
        return _small(text)


def _said(element: Any) -> Any:
    """The value of a slot; an act with arguments, or without, as it stands."""
    is_pair = isinstance(element, (list, tuple)) and len(element) == 2
    return element[1] if is_pair else element


def _apart(
    given: Mapping[tuple[str, ...], tuple[tuple[int, ...], Any]],
    reference: frozenset[tuple[str, ...]],
) -> Iterator[AnswerPart]:
    """Parts in the order of the answer, then those that it lacks.

    A slot with one value on either side is one part, also where the two differ.
    """
    values = [Counter(act[:-1] for act in acts) for acts in (given, reference)]
    several = {slot for counts in values for slot, n in counts.items() if n > 1}
    asked = {act[:-1] for act in reference}
    for act, (places, value) in given.items():
        name = _named(act, several)
        if act in reference:
            yield AnswerPart(name, True, places, "equal", "equal", value)
        elif act[:-1] in asked - several:
            reason = "another value than in the reference"
            yield AnswerPart(name, False, places, reason, "differs", value)
        else:
            yield unasked(name, places, value)
    answered = {act[:-1] for act in given} - several
    for act in sorted(reference - given.keys()):
        if act[:-1] not in answered:
            yield lacking(_named(act, several))


def _named(act: tuple[str, ...], several: Set[tuple[str, ...]]) -> str:
    """The slot; with its value, if it has several."""
    *names, value = act
    name = " ".join(names)
    return f"{name}={value.removeprefix(_TYPED)}" if act[:-1] in several else name


_NO_REFERENCE: Final = Match(
    None, "the reference is no set of acts or slots", BAD_REFERENCE
)
_NO_SLOTS: Final = Match(0.0, "no set of acts or slots", "not_an_answer")


def _listed(value: Any) -> Sequence[Any] | None:
    """Names and pairs, of an object, a list, one name, or one of these as JSON."""
    if type(value) is list:
        return value
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, Mapping):
        return list(map(list, value.items()))
    return list(value) if isinstance(value, (list, tuple, set, frozenset)) else None


def _act(none: bool, dontcare: bool, *parts: str) -> tuple[str, ...] | None:  # noqa: FBT001
    """An act or a slot as it is compared; None if its value fills nothing."""
    if _fills_nothing(parts[-1].strip().lower(), none, dontcare):
        return None
    return tuple(map(_small, parts))


_kept_act = lru_cache(1 << 14)(_act)
"""Most acts stand many times; long ones are not kept."""


def _fills_nothing(text: str, none: bool, dontcare: bool) -> bool:  # noqa: FBT001
    """Whether a text is no value, where none, and dontcare, are none."""
    if not text or (none and text in NONE_WORDS):
        return True
    return dontcare and plain_quotes(text) in DONTCARE_WORDS


def _small(text: str) -> str:
    return " ".join(plain_quotes(small(text)).split())


def slots(
    *,
    credit: str = "exact",
    none: str = "empty",
    dontcare: str = "value",
    types: str = "loose",
) -> Slots:
    """Equality of sets of acts, or of slots with values, in any order.

    Rule (``slots/3``): a value is an object of slots and values, or a list of acts
    (texts), pairs of a slot and a value, and acts with arguments (lists whose last part
    is the value, as in ``["hotel-inform", "area", "west"]``), or such as JSON in a
    text. Names and values are compared in small letters with single spaces, composed,
    and with one sign for apostrophes; what stands twice counts once. A value that is no
    text is the text that JSON writes for it: 3 is "3", as in files of dialogues.

    Parameters
    ----------
    credit : {"exact", "f1", "recall"}
        All or nothing; 2 matched / (said + asked); or matched / asked. With the last,
        saying everything is always right: show precision beside it.
    none, dontcare : {"empty", "value"}
        Whether ``none`` (and "not mentioned") and ``dontcare`` are values like others.
    types : {"loose", "strict"}
        Whether 3 is "3" and true is "true", or each another value. Where that alone
        makes an answer right, a note says so.

    Returns
    -------
    Slots

    Raises
    ------
    InputError
        If an option is not one of these.

    Examples
    --------
    >>> from demur.answers import read_all, slots, verdict
    >>> def judged(response, reference, **options):
    ...     same = slots(**options)
    ...     return verdict(same, response, read_all(same, [(reference, 1)]))
    >>> judged({"city": "Rome", "day": None}, [["city", "rome"]]).credit
    1.0
    >>> asked = ["greet", ["city", "Rome"]]
    >>> [judged(["greet"], asked, credit=credit).credit for credit in ("f1", "recall")]
    [0.6666666666666666, 0.5]
    >>> judged(["greet"], asked).reason
    '1 of 2, and 0 others'
    >>> judged({"n": 3}, {"n": "3"}).reason
    'equal'
    >>> judged({"n": 3}, {"n": "3"}, types="strict").reason
    '0 of 1, and 1 others'
    """
    choice("slots", "credit", credit, CREDITS)
    choice("slots", "none", none, POLICIES)
    choice("slots", "dontcare", dontcare, POLICIES)
    choice("slots", "types", types, TYPES)
    return Slots(credit, Policy(none, dontcare), types)
