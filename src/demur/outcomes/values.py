"""What one value of a field, or one cell of delimited text, must be, by its type."""

import json
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

import numpy as np

from demur.checks import choice
from demur.errors import InputError, ParseError, shown
from demur.outcomes.fields import KINDS, NUMERIC, READ, in_range, type_of
from demur.outcomes.reasons import is_code

NO_GUESS_HINT: Final = "Leave confidence out or null where there is no guess."

EXACT: Final = "fit a 64-bit float exactly"

POSITIVE: Final = "be positive and finite"

NULL_HINT: Final = "Null stands for no value."

EMPTY_HINT: Final = "An empty cell stands for no value."

FLAG_HINT: Final = "An empty cell says nothing."

UNKNOWN: Final = "MEANING"
"""What a proposal says in place of what nobody but its reader knows."""

NO_ZERO_HINT: Final = "Leave an item out instead of giving it weight 0."

_FLAG_WORDS: Final = {
    **dict.fromkeys(("true", "1", "yes"), True),
    **dict.fromkeys(("false", "0", "no"), False),
}

LONG: Final = 16
"""Numbers written with fewer characters are told apart by their floats."""
_INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}


class LongDecimal(float):
    """A number of more digits than a float holds, with the text that it was read from.

    It counts as its nearest float, but names what its text says.

    Examples
    --------
    >>> long = LongDecimal.read("0.12345678901234567890")
    >>> long == 0.12345678901234568, as_text(long), LongDecimal.read("0.50")
    (True, '0.12345678901234567890', 0.5)
    """

    __slots__ = ("text",)
    text: str

    @staticmethod
    def read(text: str) -> float:
        """A float where it says all that the text does, else a LongDecimal."""
        number = float(text)
        if math.isinf(number):
            raise ValueError(f"{text} is no finite number")
        if len(text) < LONG or Decimal(repr(number)) == Decimal(text):
            return number
        exact = LongDecimal(number)
        exact.text = text
        return exact


def as_text(value: Any) -> str | None:
    """Any value as text: texts as they are, all else as JSON writes it.

    Examples
    --------
    >>> as_text("a"), as_text(True), as_text(0.5), as_text([1, "é"]), as_text(None)
    ('a', 'true', '0.5', '[1, "é"]', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, LongDecimal):
        return value.text
    if isinstance(value, Decimal) and value.is_finite():
        return as_text(LongDecimal.read(str(value)))
    if not isinstance(value, (bool, int, float, list, tuple, dict)):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        need = "be one that JSON can hold"
        raise InputError("formats", "a value", need, shown_value(value)) from None


MOST_DIGITS: Final = 4_300
"""Digits of a whole number that Python writes."""

_MOST_BITS: Final = MOST_DIGITS * 3
"""Numbers of no more bits have fewer digits."""

_HALVES: Final = re.compile("[\ud800-\udfff]")


def whole_text(value: str | int) -> str | int:
    """What a model said, as it can be written.

    Half a character becomes the sign for one that is not known, and a whole number of
    too many digits its digits.

    Examples
    --------
    >>> whole_text(7), len(whole_text(10**5000)), whole_text("a" + chr(0xD83D))
    (7, 5001, 'a\ufffd')
    """
    if isinstance(value, str):
        halves = not value.isascii() and _HALVES.search(value)
        return _HALVES.sub("\ufffd", value) if halves else value
    if value.bit_length() <= _MOST_BITS or abs(value) < 10**MOST_DIGITS:
        return value
    return str(Decimal(value))


# -- one value ---------------------------------------------------------------------


def checked(name: str, value: Any, place: str) -> Any:
    """What a field holds, checked by its type; None where it holds nothing.

    Parameters
    ----------
    name : str
        The field.
    value : any
        As JSON, Parquet or Python have it.
    place : str
        Where it stands, for messages.

    Raises
    ------
    InputError
        If the field must not hold it.

    Examples
    --------
    >>> checked("repeat", 2, "a.jsonl:1"), checked("declined", None, "a.jsonl:1")
    ('2', None)
    >>> checked("confidence", "0.9", "a.jsonl:1")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: a.jsonl:1: confidence must be a number; got '0.9'.
    Write it without quotes.
    """
    if value is None and type_of(name) != "item":
        return None
    rule = _VALUES.get(type_of(name))
    return value if rule is None else rule(name, value, place)


def item_text(name: str, value: Any, place: str) -> str:
    """An item id: a text or a whole number, kept as text."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(value)
    need = "be a text or a whole number, not empty"
    hint = "It says which item the record is about."
    if isinstance(value, float):
        hint = 'Write it as text, such as "1.0".'
    if isinstance(value, (list, dict)):
        hint = "Of pandas df.to_json(FILE, orient='records', lines=True) writes rows."
    raise InputError(place, name, need, shown_value(value), hint)


def label_text(name: str, value: Any, place: str) -> str | None:
    """A name: a text or a number, kept as text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return as_text(value)
    hint = "Null stands for nothing."
    raise InputError(place, name, "be a text or a number", shown_value(value), hint)


def number(name: str, value: Any, place: str) -> float:
    """A number, NaN for None; infinite confidences may be given as text.

    Examples
    --------
    >>> number("confidence", "-inf", "a.jsonl:1")
    -inf
    """
    if value is None:
        return math.nan
    if name == "confidence" and isinstance(value, str) and value in _INFINITE:
        return _INFINITE[value]
    if isinstance(value, (np.generic, np.bool_)):
        value = value.item()
    if isinstance(value, bool) and name != "correct":
        raise InputError(place, name, "be a number", shown_value(value), NULL_HINT)
    if not isinstance(value, (int, float)) or value != value:
        raise InputError(place, name, must_of(name), *_not_a_number(name, value))
    return _in_range(name, _exact(name, value, place), place)


def outcome(name: str, value: Any, place: str) -> str:
    """One of the four names, or `unlabelled`."""
    if value is None:
        need = "be one of " + ", ".join(READ)
        hint = "An item without an answer is unanswered."
        raise InputError(place, name, need, "null", hint)
    return choice(place, name, value, READ)


def kind(name: str, value: Any, place: str) -> str | None:
    """Why there is no answer, one of `KINDS`."""
    return None if value is None else choice(place, name, value, KINDS)


def code(name: str, value: Any, place: str) -> str | None:
    """The class of a reason: one of `REASONS`, or a word of the same form."""
    if value is None or (isinstance(value, str) and is_code(value)):
        return value
    need = "be one word of small letters, digits and _, such as both_empty"
    hint = "Words for people belong in the column reason."
    raise InputError(place, name, need, shown_value(value), hint)


def flag(name: str, value: Any, place: str) -> bool | None:
    """True, false, or None."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    quoted = str(value).lower() in _FLAG_WORDS
    hint = "Write it without quotes." if quoted else NULL_HINT
    raise InputError(place, name, "be true or false", shown_value(value), hint)


def reason(name: str, value: Any, place: str) -> str | None:
    """Why something went wrong: a text, or the field's name where it just did.

    Examples
    --------
    >>> reason("failed", "timeout", "row 1"), reason("failed", True, "row 2")
    ('timeout', 'failed')
    >>> reason("failed", "no", "row 3"), reason("failed", 0, "row 4")
    (None, None)
    >>> reason("failed", "nan", "row 5"), reason("failed", "n/a", "row 6")
    (None, None)
    """
    if value is None or isinstance(value, (bool, np.bool_)):
        return name if value else None
    if isinstance(value, int) and value in (0, 1):
        return name if value else None
    if not isinstance(value, str):
        need = "be a text that says why, or true or false"
        raise InputError(place, name, need, shown(value), NULL_HINT)
    word = value.strip().lower()
    nothing = ("", "none", "null", "nan", "<na>", "na", "n/a")  # as tables write it
    if word in nothing or _FLAG_WORDS.get(word) is False:
        return None
    return name if word in _FLAG_WORDS else value


_VALUES: Final[Mapping[str, Callable[[str, Any, str], Any]]] = {
    "item": item_text,
    "label": label_text,
    "outcome": outcome,
    "kind": kind,
    "code": code,
    **dict.fromkeys(NUMERIC, number),
    "flag": flag,
    "reason": reason,
}


def _not_a_number(name: str, value: Any) -> tuple[str, str]:
    if isinstance(value, float):
        return "NaN", nan_hint(name)
    quoted = _is_numeric(value) or (name == "correct" and value in ("true", "false"))
    if quoted:
        return shown_value(value), "Write it without quotes."
    return shown_value(value), _fraction_hint(name, value) or NULL_HINT


def nan_hint(name: str) -> str:
    """What to write in place of NaN."""
    return NO_GUESS_HINT if name == "confidence" else "Write null for a missing value."


def _is_numeric(value: Any) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False


def _exact(name: str, value: float, place: str) -> float:
    try:
        exact = float(value)
    except OverflowError:
        exact = math.nan
    # NaN is unequal to all, so a number too large for a float is refused here.
    if exact != value:
        hint = "Round it, or write it as a fraction of something."
        raise InputError(place, name, EXACT, shown(value), hint)
    return exact


def _in_range(name: str, value: float, place: str) -> float:
    if in_range(name, value):
        return value
    raise out_of_range(name, value, place)


def out_of_range(name: str, value: float, place: str) -> InputError:
    """The error for a number that is not `in_range`."""
    if type_of(name) == "weight":
        return InputError(place, name, POSITIVE, shown(value), NO_ZERO_HINT)
    hint = "Rates are fractions: write 0.05 for 5 %."
    if value != value:
        hint = "Write None for no answer; outcome='ungraded' where nobody judged it."
    return InputError(place, name, must_of(name), shown(value), hint)


def must_of(name: str) -> str:
    """What a number in a field must be."""
    if type_of(name) == "correct":
        return "be true, false, a credit from 0 to 1, or nothing for no answer"
    return "be a number"


def shown_value(value: Any) -> str:
    """A value as a message shows it: null, true and false as in JSON."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    try:
        return shown(value)
    except (RecursionError, ValueError):  # too deep, or too many digits
        return f"a {type(value).__name__} too long to show"


# -- one cell of delimited text ----------------------------------------------------


def cell_value(name: str, cell: str, place: str) -> Any:
    """What a cell holds, as JSON would have it; None if it is empty.

    Examples
    --------
    >>> cell_value("declined", "No", "a.csv:2"), cell_value("topic", "", "a.csv:2")
    (False, None)
    >>> cell_value("references", '["Oslo", "Christiania"]', "a.csv:2")
    ['Oslo', 'Christiania']
    """
    rule = cell_rule(name)
    return cell or None if rule is None else rule(name, cell, place)


def cell_rule(name: str) -> Callable[[str, str, str], Any] | None:
    """What reads the cells of a column for `cell_value`; None if they stay text.

    Examples
    --------
    >>> cell_rule("declined")("declined", "No", "a.csv:2"), cell_rule("topic")
    (False, None)
    """
    return _CELLS.get(type_of(name))


def number_cell(name: str, cell: str, place: str) -> float:
    """The number in a cell, NaN for an empty one.

    Examples
    --------
    >>> number_cell("confidence", "1e-3", "a.csv:2")
    0.001
    """
    text = cell.strip()
    if not text:
        return math.nan
    if name == "correct" and text.lower() in _FLAG_WORDS:
        return float(_FLAG_WORDS[text.lower()])
    value = plain_float(text)
    if value is None or value != value:
        need, hint = must_of(name), _cell_hint(name, text)
        raise InputError(place, name, need, shown(cell), hint)
    if math.isinf(value) and (name != "confidence" or "inf" not in text.lower()):
        hint = "It is too large for a 64-bit float."
        raise InputError(place, name, "be a finite number", shown(cell), hint)
    return _in_range(name, value, place)


def _number_or_none(name: str, cell: str, place: str) -> float | None:
    return number_cell(name, cell, place) if cell.strip() else None


def flag_cell(name: str, cell: str, place: str) -> bool | None:
    """True or false as words or digits, None for an empty cell."""
    word = cell.strip().lower()
    if not word:
        return None
    if word not in _FLAG_WORDS:
        need = "be true or false (or 1 or 0, yes or no)"
        raise InputError(place, name, need, shown(cell), FLAG_HINT)
    return _FLAG_WORDS[word]


def _list_cell(name: str, cell: str, place: str) -> Any:
    if not cell.strip():
        return None
    value = json_or_text(cell)
    if isinstance(value, list):
        return value
    hint = 'Write ["one", "another"]'
    hint += ", or name the column reference." if name == "references" else "."
    raise ParseError(place, name, "be a JSON array", shown(cell), hint)


def _texts_cell(name: str, cell: str, place: str) -> Any:  # noqa: ARG001
    """A JSON array in a cell; any other text as it is."""
    value = json_or_text(cell)
    return value if isinstance(value, list) else cell or None


def _table_cell(name: str, cell: str, place: str) -> Any:  # noqa: ARG001
    """A JSON array or number in a cell; any other text as it is, with its quotes."""
    value = json_or_text(cell)
    return cell or None if isinstance(value, (str, dict)) else value


def json_or_text(value: Any) -> Any:
    """What a text holds as JSON; a text that holds none, and all else, as it is."""
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            return json.loads(value, parse_constant=_refuse)
    return value


def _refuse(constant: str) -> None:
    """NaN and Infinity, which Python reads, are no JSON."""
    raise ValueError(constant)


def plain_float(text: str) -> float | None:
    """A float as files write it; Python's underscores are not numbers there."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _cell_hint(name: str, text: str) -> str:
    pointed = text.replace(",", ".")
    if pointed != text and plain_float(pointed) is not None:
        return f"Write a decimal point: {pointed}."
    fraction_hint = _fraction_hint(name, text)
    if fraction_hint:
        return fraction_hint
    if text.lower() in ("nan", "null", "none", "na", "n/a"):
        hint = "Leave the cell empty where there is no guess."
        return hint if name == "confidence" else "Leave the cell empty."
    return EMPTY_HINT


def _fraction_hint(name: str, value: Any) -> str:
    """How to write a confidence that is told in other words, such as 9 of 10."""
    if name != "confidence" or not isinstance(value, str):
        return ""
    from demur.outcomes.written_confidences import written_confidence

    chance = written_confidence(value)
    if chance is None:
        return ""
    return f"Write a fraction with a decimal point: {chance:.12g}."


_CELLS: Final[Mapping[str, Callable[[str, str, str], Any]]] = {
    **dict.fromkeys(NUMERIC, _number_or_none),
    "flag": flag_cell,
    "list": _list_cell,
    "texts": _texts_cell,
    "table": _table_cell,
}
