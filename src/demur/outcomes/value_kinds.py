"""What a value is, whatever library it comes from: the one rule of the house.

Numbers are compared as numbers, flags as flags, dates as dates; a text is compared with
one of these as what JSON would read it. True is not 1, and what is missing is no value,
whatever sign its library has for it.
"""

import datetime
import json
import re
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from typing import Any, Final

import numpy as np

from demur.errors import shown
from demur.spellings import composed

_NUMERAL: Final = re.compile(
    r"[-\u2212]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?", re.A
)
_PRINTED: Final = re.compile(r"\s*(?:(\['.*\])|\{'.*\})\s*", re.DOTALL)
"""A list or an object as Python prints it, and pandas writes it to CSV files."""

_MINUS: Final = "\u2212"
_FLAGS: Final = ("true", "false")
_LISTS: Final = (list, tuple, np.ndarray)
_DATES: Final = (datetime.date, np.datetime64)
_LARGEST_EXACT: Final = 2**53

PLURALS: Final = {
    "text": "texts",
    "number": "numbers",
    "flag": "flags (true or false)",
    "date": "dates",
    "list": "lists",
    "object": "objects",
}
"""Kinds of values that may be compared, as notes name many of them."""


def bare(value: Any) -> Any:
    """A member of an Enum as its value, or its name if that is none; others as is.

    Examples
    --------
    >>> from enum import Enum
    >>> Act = Enum("Act", {"ASK": "ask", "TELL": 2, "END": object()})
    >>> [bare(value) for value in (Act.ASK, Act.TELL, Act.END, "ask")]
    ['ask', 2, 'END', 'ask']
    """
    if not isinstance(value, Enum):
        return value
    is_scalar = isinstance(value.value, (str, int, float, datetime.date))
    return value.value if is_scalar else value.name


def name_among(member: Enum, texts: Iterable[str]) -> str:
    """The text that names a member of an Enum whose value is another; empty if none.

    Examples
    --------
    >>> from enum import Enum
    >>> Act = Enum("Act", {"ASK": "ask", "END": "END"})
    >>> name_among(Act.ASK, ["ASK"]), name_among(Act.END, ["END"])
    ('ASK', '')
    """
    names = {member.name, f"{type(member).__name__}.{member.name}"} - {bare(member)}
    return next((text for text in texts if text in names), "")


MEMBERS_BY_VALUE: Final = (
    "members of an Enum are compared by their values, and not by their names; where "
    "names are meant, give member.name"
)


def kind_of(value: Any) -> str:
    """What a value is: a key of `PLURALS`, or what can be no value, such as bytes.

    Examples
    --------
    >>> [kind_of(value) for value in ("a", 1, True, [1], {"a": 1}, {1}, b"a")]
    ['text', 'number', 'flag', 'list', 'object', 'set', 'bytes']
    """
    value = bare(value)
    for kind, types in _KINDS:
        if isinstance(value, types):
            return kind
    root = type(value).__module__.partition(".")[0]
    return "text" if root in _WRITTEN else "instance"


_WRITTEN: Final = frozenset(
    {"datetime", "fractions", "ipaddress", "numpy", "pandas", "uuid"}
)
"""Libraries whose other values are their texts; what else prints is a guess."""


_KINDS: Final[tuple[tuple[str, Any], ...]] = (
    ("text", (str, complex)),
    ("flag", (bool, np.bool_)),
    ("number", (int, float, np.integer, np.floating, Decimal)),
    ("date", _DATES),
    ("list", _LISTS),
    ("object", Mapping),
    ("set", Set),
    ("bytes", (bytes, bytearray)),
)


def a_kind(value: Any) -> str:
    """A value of a kind that is not wanted, as a message shows it.

    Examples
    --------
    >>> a_kind(["a", "b"]), a_kind(b"a")
    ("a list, ['a', 'b']", "bytes, b'a'")
    """
    kind = "array" if isinstance(value, np.ndarray) else kind_of(value)
    if kind == "instance":
        return f"an object of class {type(value).__name__}, {shown(value)}"
    article = _ARTICLES.get(kind)
    return shown(value) if article is None else f"{article}{kind}, {shown(value)}"


_ARTICLES: Final = {
    **{"list": "a ", "array": "an ", "object": "an ", "set": "a ", "bytes": ""}
}

ADVICE: Final = {
    "set": "A set has no order: give a list.",
    "bytes": "Decode it: value.decode().",
    "instance": "Give the field of it that is meant, or str(value).",
}
"""What to do about a value of a kind that nothing is compared by."""


def value_text(value: Any) -> str:
    """A value as the text that it is compared by: a text is itself, composed (NFC).

    Examples
    --------
    >>> from decimal import Decimal
    >>> [value_text(value) for value in ("1.0", 1.0, Decimal("1.50"), True, 1e-7)]
    ['1.0', '1', '1.5', 'true', '0.0000001']
    """
    value = bare(value)
    if isinstance(value, str):
        return composed(str(value))
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating, Decimal)):
        # A float32 as it was written; a LongDecimal with all of its digits.
        text = getattr(value, "text", None) or str(value)
        return _decimal_text(Decimal(text))
    if isinstance(value, _DATES):
        return _date_text(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    return str(value)


def _decimal_text(number: Decimal) -> str:
    if not number.is_finite():
        return str(number)
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _date_text(value: Any) -> str:
    """A date in the form of ISO 8601; midnight without a zone is its day.

    With a zone it is a moment, and the same moment in another zone has the same text.
    """
    if isinstance(value, np.datetime64):
        exact = value.astype("datetime64[us]")
        plain = exact.item() if exact == value else None
        value = plain if isinstance(plain, datetime.date) else value
    if isinstance(value, datetime.datetime) and value.utcoffset() is not None:
        with suppress(OverflowError, ValueError):  # moments in years 1 and 9999
            value = value.astimezone(datetime.UTC)
    if not isinstance(value, datetime.date):  # of years or parts that Python lacks
        return str(value)
    return value.isoformat().removesuffix("T00:00:00")


def has_zone(value: Any) -> bool:
    """Whether a date says in which zone it is, and so which moment.

    Examples
    --------
    >>> moment = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    >>> has_zone(moment), has_zone(datetime.date(2020, 1, 1))
    (True, False)
    """
    return getattr(value, "tzinfo", None) is not None


ZONES_APART: Final = (
    "dates with a time zone and dates without one are never the same: give both a zone"
)


def read_as(kind: str, text: str) -> str | None:
    """The `value_text` of the number, flag or date that a text says; None if none.

    Numbers are such as JSON writes them, so that 007 stays a code, the minus being
    Unicode's too; flags have any case.

    Examples
    --------
    >>> read_as("number", "1.0"), read_as("number", "007"), read_as("flag", "TRUE")
    ('1', None, 'true')
    """
    if kind == "number":
        if not _NUMERAL.fullmatch(text):
            return None
        return _decimal_text(Decimal(text.replace(_MINUS, "-")))
    if kind == "flag":
        word = text.strip().lower()
        return word if word in _FLAGS else None
    with suppress(ValueError):
        if kind == "date":
            return _date_text(datetime.datetime.fromisoformat(text.upper()))
    return None


def reread(text: str, kinds: Iterable[str]) -> str:
    """The `read_as` of the first kind that a text says something of; else itself.

    Examples
    --------
    >>> reread("1.0", ["flag", "number"]), reread("a", ["number"])
    ('1', 'a')
    """
    read = (read_as(kind, text) for kind in kinds)
    return next((value for value in read if value is not None), text)


def is_numeral(text: str) -> bool:
    """Whether a text is a number of JSON."""
    return _NUMERAL.fullmatch(text) is not None


def may_be_rounded(value: Any) -> bool:
    """Whether it is a float so large that whole numbers beside it share it.

    Examples
    --------
    >>> may_be_rounded(9007199254740993.0), may_be_rounded(9007199254740993)
    (True, False)
    """
    return isinstance(value, (float, np.floating)) and (
        _LARGEST_EXACT <= abs(float(value)) < np.inf
    )


class TypedText(str):
    """The text by which a value that is none is compared, and what the value is.

    Examples
    --------
    >>> one = TypedText.of(1)
    >>> one == "1", one.is_same("1.0"), one.is_same("true"), TypedText.of(True).kind
    (True, True, False, 'flag')
    """

    __slots__ = ("kind", "value")
    kind: str
    value: str

    @staticmethod
    def of(value: Any) -> "TypedText":
        """That of a value."""
        text = value_text(value)
        return TypedText.called(text, kind_of(value), text)

    @staticmethod
    def called(text: str, kind: str, value: str) -> "TypedText":
        """Another text for a value of a kind, such as one without its signs."""
        typed = TypedText(text)
        typed.kind, typed.value = kind, value
        return typed

    def is_same(self, other: Any) -> bool:
        """Whether another value, or a text read as one of this kind, is the same."""
        if isinstance(other, TypedText):
            return (self.kind, self.value) == (other.kind, other.value)
        return isinstance(other, str) and read_as(self.kind, other) == self.value


def json_kind(value: Any) -> str:
    """The kind of a value, of a text that holds a number, a list or an object theirs.

    Examples
    --------
    >>> [json_kind(value) for value in ("12", "[1]", '{"a": 1}', "[1", "a", [1])]
    ['number', 'list', 'object', 'text', 'text', 'list']
    """
    if not isinstance(value, str):
        return kind_of(value)
    if value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            return kind_of(json.loads(value))
        printed = _PRINTED.fullmatch(value)
        if printed is not None:
            return "list" if printed[1] else "object"
    return "number" if is_numeral(value) else "text"
