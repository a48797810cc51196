"""JSON values with their types: equal as a whole, or as lists in any order."""

import json as json_module
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

import numpy as np

from demur.answers.alternatives import Alternatives, read_all
from demur.answers.comparators import BOTH_EMPTY, DIFFERENT, EQUAL, Match
from demur.answers.json_schemas import KEPT, Schema, schema_of
from demur.answers.normalisations import BUNDLES, Normalisation, normalisation
from demur.answers.values import json_text
from demur.calls import call_text
from demur.checks import choice
from demur.errors import shown
from demur.outcomes.gaps import is_absent
from demur.outcomes.reasons import BAD_REFERENCE
from demur.outcomes.records import Reference
from demur.outcomes.value_kinds import bare, kind_of, value_text
from demur.spellings import composed

_EXACT: Final = Normalisation(BUNDLES["exact"])
_USUAL: Final = Normalisation()
CREDITS: Final = ("exact", "f1")

Key = tuple[str, Hashable]
"""The kind of a value, and what tells it from others of that kind."""


class BadJson(ValueError):
    """A text that begins like JSON and is none."""


class GivenTwice(BadJson):
    """A name that stands twice in an object that may have it once."""


def unpacked(value: Any) -> Any:
    """A value; of a text that begins like a list or an object what it holds.

    Raises
    ------
    BadJson
        If it begins like JSON and is none, or gives a name twice.

    Examples
    --------
    >>> unpacked('[1, "a"]'), unpacked("1")
    ([1, 'a'], '1')
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return _STRICT.decode(value)
    except GivenTwice:
        raise
    except (ValueError, RecursionError) as problem:
        raise BadJson from problem


def unpacked_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON that begins at a place, and where it ends.

    What gives a name twice, or holds NaN, stays the text that it is.

    Raises
    ------
    ValueError, RecursionError
        If it is no JSON.

    Examples
    --------
    >>> unpacked_at('{"a": 1} and', 0), unpacked_at('{"a": 1, "a": 2} and', 0)
    (({'a': 1}, 8), ('{"a": 1, "a": 2}', 16))
    """
    try:
        return _STRICT.raw_decode(text, start)
    except BadJson:
        _, end = json_module.JSONDecoder().raw_decode(text, start)
        return text[start:end], end


def _refuse(name: str) -> NoReturn:
    raise BadJson(name)  # NaN and Infinity, which JSON does not have


_WIDEST: Final = 1000
"""Digits of numbers that a float cannot hold, which stay decimals up to so many."""


def _real(text: str) -> float | Decimal:
    """A number, as a float if it is neither beyond the largest nor near zero."""
    number, decimal = float(text), Decimal(text)
    fits = isfinite(number) and (number != 0 or decimal == 0)
    return number if fits or abs(decimal.adjusted()) > _WIDEST else decimal


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise GivenTwice
    return members


_STRICT: Final = json_module.JSONDecoder(
    parse_constant=_refuse, parse_float=_real, object_pairs_hook=_object
)


def typed_key(value: Any, texts: Callable[[str], str] = _EXACT) -> Key:
    """What two values share if they are the same, types included.

    Numbers are compared as numbers, so that 3.0 is 3; "3" and true are others. The
    order of an object's names does not count, that of a list does.

    Examples
    --------
    >>> typed_key(3) == typed_key(3.0), typed_key(3) == typed_key("3")
    (True, False)
    >>> typed_key({"a": [1], "b": None}) == typed_key({"b": None, "a": [1]})
    True
    """
    value = bare(value)
    if is_absent(value):
        return "nothing", None
    if isinstance(value, str):
        return "text", texts(composed(str(value)))
    if isinstance(value, (bool, np.bool_)):
        return "flag", bool(value)
    kind = kind_of(value)
    if kind == "number":
        number = Decimal(value_text(value))
        return "number", number if number.is_finite() else str(number)
    if kind == "object":
        pairs = ((str(name), typed_key(part, texts)) for name, part in value.items())
        return "object", frozenset(pairs)
    if kind == "list":
        return "list", tuple(typed_key(part, texts) for part in value)
    return kind, value_text(value)


_NO_JSON: Final = Match(0.0, "begins like JSON and is none", "not_an_answer")
_TWICE: Final = Match(0.0, "gives a name twice", "not_an_answer")
_NO_REFERENCE: Final = Match(None, "the reference is no JSON", BAD_REFERENCE)


class _Typed:
    """A value as given and as compared."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, texts: Normalisation) -> None:
        self.value = unpacked(value)
        self.key = typed_key(self.value, texts)

    @property
    def counts(self) -> Counter[Key] | None:
        """How often each element stands in a list; None of what is no list."""
        kind, parts = self.key
        return Counter(parts) if isinstance(parts, tuple) and kind == "list" else None


def _read(value: Any, texts: Normalisation) -> _Typed | Match:
    """A value as it is compared; or why it cannot be read."""
    try:
        return _Typed(value, texts)
    except GivenTwice:
        return _TWICE
    except (BadJson, RecursionError):
        return _NO_JSON


class _Bounded(NamedTuple):
    """A schema, and the value that is also wanted; None where any will do."""

    schema: Schema
    values: tuple[_Typed | Match, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Json:
    """The comparator that `json` makes.

    Parameters
    ----------
    normalise : Normalisation
        Of the texts in values.
    """

    version: ClassVar[str] = "json/1"
    instead: ClassVar[tuple[str, ...]] = ("schema",)
    normalise: Normalisation = _EXACT

    def __str__(self) -> str:
        return call_text("json", _unusual(self.normalise, _EXACT))

    __repr__ = __str__

    def read(self, value: Any) -> _Typed | Match:
        """The value, and what it is compared by; or why it cannot be read."""
        return _read(value, self.normalise)

    def read_reference(self, reference: Reference) -> Alternatives:
        """Each acceptable value, under the ``schema`` if there is one."""
        given = reference.extra.get("schema")
        read = read_all(self, reference.alternatives)
        if is_absent(given):
            return read
        schema = schema_of(given, reference.place)
        if not read:
            return ((_Bounded(schema, ()), 1.0),)
        return tuple((_Bounded(schema, (value,)), weight) for value, weight in read)

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """JSON has no form of its own for declining."""
        return False

    def compare(
        self, response: _Typed | Match, reference: _Typed | _Bounded | Match
    ) -> Match:
        """Equal values match; else the reason says where they part."""
        if isinstance(reference, _Bounded):
            if isinstance(response, Match):
                return response
            broken = reference.schema.broken_by(response.value)
            if broken:
                return Match(0.0, broken, "not_an_answer")
            if not reference.values:
                return KEPT
            [reference] = reference.values
        if isinstance(reference, Match):
            return _NO_REFERENCE
        if isinstance(response, Match):
            return response
        if response.key == reference.key:
            return BOTH_EMPTY if _is_empty(reference.value) else EQUAL
        where = _difference(response.value, reference.value, self.normalise)
        return Match(0.0, next(where, "differs"), "differs")


def _is_empty(value: Any) -> bool:
    return kind_of(value) in ("list", "object") and not len(value)


def _unusual(normalise: Normalisation, usual: Normalisation) -> dict[str, object]:
    return {} if normalise == usual else {"normalise": normalise}


def _difference(  # noqa: C901  (a branch for each kind)
    response: Any, reference: Any, texts: Normalisation, path: str = ""
) -> Iterator[str]:
    """Where two values part, in words."""
    kind, part = typed_key(response, texts)
    wanted, other = typed_key(reference, texts)
    at = f" at {path}" if path else ""
    if (kind, part) == (wanted, other):
        return
    if kind != wanted:
        yield f"{_shown(response)} is a {kind}, not a {wanted}{at}"
    elif kind == "object":
        for name in sorted(reference.keys() - response.keys(), key=str):
            yield f"without {shown(name)}{at}"
        for name in sorted(response.keys() - reference.keys(), key=str):
            yield f"with {shown(name)}{at}"
        for name in reference:
            pair = response[name], reference[name]
            yield from _difference(*pair, texts, f"{path}.{name}")
    elif kind == "list":
        if len(response) != len(reference):
            yield f"{len(response)} elements instead of {len(reference)}{at}"
            return
        for number, pair in enumerate(zip(response, reference, strict=True)):
            yield from _difference(*pair, texts, f"{path}[{number}]")
    else:
        yield f"{_shown(response)} instead of {_shown(reference)}{at}"


def _shown(value: Any) -> str:
    text = json_text(value)
    return shown(text) if isinstance(value, str) or len(text) > 40 else text


@dataclass(frozen=True, slots=True, repr=False)
class Multiset:
    """The comparator that `multiset` makes.

    Parameters
    ----------
    credit : str
        One of `CREDITS`.
    normalise : Normalisation
        Of the texts in values.
    """

    version: ClassVar[str] = "multiset/1"
    credit: str = "exact"
    normalise: Normalisation = _USUAL

    def __str__(self) -> str:
        credit = {"credit": self.credit} if self.credit != CREDITS[0] else {}
        options = credit | _unusual(self.normalise, _USUAL)
        return call_text("multiset", options)

    __repr__ = __str__

    def read(self, value: Any) -> _Typed | Match:
        """The value, and what it is compared by; or why it cannot be read."""
        return _read(value, self.normalise)

    def compare(self, response: _Typed | Match, reference: _Typed | Match) -> Match:
        """Equal numbers of equal elements match; else as much as the credit says."""
        wanted = None if isinstance(reference, Match) else reference.counts
        if response is _TWICE and wanted is not None:
            return _TWICE
        given = None if isinstance(response, Match) else response.counts
        if wanted is None:
            return Match(None, "the reference is no list", BAD_REFERENCE)
        if given is None:
            return Match(0.0, "no list", "not_an_answer")
        if given == wanted:
            return EQUAL if wanted else BOTH_EMPTY
        both, more = (given & wanted).total(), (given - wanted).total()
        reason = f"{both} of {wanted.total()}, and {more} others"
        if not both:
            return Match(0.0, reason, DIFFERENT.code)
        share = 2 * both / (given.total() + wanted.total())
        return Match(share if self.credit == "f1" else 0.0, reason, "partly_equal")


def json(*, normalise: str = "exact") -> Json:
    """Equality of JSON values, with the types of what they hold.

    Rule (``json/1``): two values are equal if they are of one type and hold the same.
    Numbers are compared as numbers (3.0 is 3), and 3 is neither "3" nor true. The order
    of an object's names does not count, that of a list does. A text that begins like a
    list or an object is one, in JSON; other texts are texts. One that begins so and is
    no JSON, or gives a name of an object twice, is wrong, and leaves the item ungraded
    where it is the reference.

    A reference may have a ``schema``, an object in JSON Schema (or JSON text): what
    breaks it is wrong, and its reason says where. It may stand in place of acceptable
    values: whatever keeps to it is right. That needs an extra, ``demur[schema]``.
    References to other documents (``$ref``) are not followed.

    Parameters
    ----------
    normalise : str
        Normalisations of all texts but names, as for `text`.

    Returns
    -------
    Json

    Raises
    ------
    InputError
        If a name of a normalisation is unknown.

    Examples
    --------
    >>> from demur import answers
    >>> def judged(response, reference, **options):
    ...     same = answers.json(**options)
    ...     read = answers.read_all(same, [(reference, 1)])
    ...     found = answers.verdict(same, response, read)
    ...     return found.credit, found.reason
    >>> judged('{"b": [1], "a": "x"}', {"a": "x", "b": [1.0]})
    (1.0, 'equal')
    >>> judged({"a": "3"}, {"a": 3}), judged([1, 2], [2, 1])
    ((0.0, "'3' is a text, not a number at .a"), (0.0, '1 instead of 2 at [0]'))
    >>> judged(["Rome "], ["rome"], normalise="default")
    (1.0, 'equal')
    """
    return Json(normalisation("json", normalise))


def multiset(*, credit: str = "exact", normalise: str = "default") -> Multiset:
    """Equality of lists in any order, where what stands twice counts twice.

    Rule (``multiset/1``): a value is a list, or a text that is one in JSON. Elements
    are equal as by `json`, types included, their texts normalised. Anything else is
    wrong, and leaves the item ungraded where it is the reference.

    Parameters
    ----------
    credit : {"exact", "f1"}
        All or nothing, or 2 matched / (said + asked).
    normalise : str
        Normalisations of texts, as for `text`.

    Returns
    -------
    Multiset

    Raises
    ------
    InputError
        If an option is not one of these.

    Examples
    --------
    >>> from demur.answers import multiset, read_all, verdict
    >>> def judged(response, reference, **options):
    ...     same = multiset(**options)
    ...     found = verdict(same, response, read_all(same, [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> judged('["b", "A", "b"]', ["a", "b", "b"])
    (1.0, 'equal')
    >>> judged(["x", "x"], ["x"]), judged(["x", "x"], ["x"], credit="f1")[0]
    ((0.0, '1 of 1, and 1 others'), 0.6666666666666666)
    """
    choice("multiset", "credit", credit, CREDITS)
    return Multiset(credit, normalisation("multiset", normalise))
