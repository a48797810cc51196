"""What each field of a record must be: one place for the checks and their messages.

Columns of an outcomes file are of these types:

- ``item``: text, not empty, or a whole number, kept as text;
- ``label``: text or a number, kept as text;
- ``outcome``: one of the four names;
- ``number``: a number;
- ``correct``: true, false or a credit;
- ``flag``: true or false;
- ``any``: kept as it is, for display.

Further columns (groups) are ``text``: whatever they hold, as it is written in JSON.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.records import OUTCOMES

TYPES: Final[Mapping[str, str]] = {
    "item": "item",
    "system": "label",
    "setting": "label",
    "repeat": "label",
    "outcome": "outcome",
    "correct": "correct",
    "credit": "number",
    "confidence": "number",
    "answered": "flag",
    "declined": "flag",
    "answerable": "flag",
    "weight": "number",
    "cluster": "label",
    "kind": "label",
    "reason": "label",
    "input": "any",
    "response": "any",
    "reference": "any",
}
"""The columns of an outcomes file that have a meaning, and what they hold."""

DISPLAY: Final = ("input", "response", "reference")
"""Columns that are read only to be shown."""

USUAL: Final[Mapping[str, bool]] = {
    "answered": True,
    "declined": False,
    "answerable": True,
}
"""What a flag is where nothing is said."""

CODES: Final[Mapping[str, int]] = {name: code for code, name in enumerate(OUTCOMES)}

_FLAG_WORDS: Final = {
    **dict.fromkeys(("true", "1", "yes"), True),
    **dict.fromkeys(("false", "0", "no"), False),
}
_INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}

NO_GUESS_HINT: Final = "Leave confidence out or null where there is no guess."


def type_of(name: str) -> str:
    """The type of a column; that of a further column is ``text``."""
    return TYPES.get(name, "text")


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
    if not isinstance(value, (bool, int, float, list, tuple, dict)):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        must = "be one that JSON can hold"
        raise InputError("formats", "a value", must, shown_value(value)) from None


# -- one value ---------------------------------------------------------------------


def item(value: Any, place: str) -> str:
    """An item id: a text or a whole number, kept as text."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    must = "be a text or a whole number, not empty"
    hint = 'Write it as text, such as "1.0".' if isinstance(value, float) else ""
    raise InputError(place, "item", must, shown_value(value), hint)


def label(name: str, value: Any, place: str) -> str | None:
    """A name: a text or a number, kept as text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return as_text(value)
    raise InputError(place, name, "be a text or a number", shown_value(value))


def number(name: str, value: Any, place: str) -> float:
    """A number, NaN for None; infinite confidences may be given as text.

    Examples
    --------
    >>> number("confidence", "-inf", "a.jsonl:1")
    -inf
    >>> number("confidence", "0.9", "a.jsonl:1")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: a.jsonl:1: confidence must be a number; got '0.9'.
    Write it without quotes.
    """
    if value is None:
        return math.nan
    if name == "confidence" and isinstance(value, str) and value in _INFINITE:
        return _INFINITE[value]
    if isinstance(value, bool) and name != "correct":
        raise InputError(place, name, "be a number", shown_value(value))
    if not isinstance(value, (int, float)) or value != value:
        raise InputError(place, name, _must(name), *_not_a_number(name, value))
    return _in_range(name, _exact(name, value, place), place)


def outcome(value: Any, place: str) -> str:
    """One of the four names."""
    if value is None:
        must = "be one of " + ", ".join(OUTCOMES)
        raise InputError(place, "outcome", must, "null")
    return choice(place, "outcome", value, OUTCOMES)


def flag(name: str, value: Any, place: str) -> bool | None:
    """True, false, or None."""
    if value is None or isinstance(value, bool):
        return value
    hint = "Write it without quotes." if str(value).lower() in _FLAG_WORDS else ""
    raise InputError(place, name, "be true or false", shown_value(value), hint)


def _not_a_number(name: str, value: Any) -> tuple[str, str]:
    """What was found, and what to do about it."""
    if isinstance(value, float):
        return "NaN", nan_hint(name)
    quoted = _is_numeric(value) or (name == "correct" and value in ("true", "false"))
    return shown_value(value), "Write it without quotes." if quoted else ""


def nan_hint(name: str) -> str:
    """What to write in place of NaN."""
    return NO_GUESS_HINT if name == "confidence" else "Write null for a missing value."


def _is_numeric(value: Any) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False


def _exact(name: str, value: float, place: str) -> float:
    """A number as a float, if that is the same number."""
    try:
        exact = float(value)
    except OverflowError:
        exact = math.nan
    if exact != value:
        raise InputError(place, name, "fit a 64-bit float exactly", shown(value))
    return exact


def _in_range(name: str, value: float, place: str) -> float:
    if name == "correct" and not 0 <= value <= 1:
        raise InputError(place, name, _must(name), shown(value))
    return value


def _must(name: str) -> str:
    """What a number must be."""
    if name == "correct":
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
        raise InputError(place, name, _must(name), shown(cell), _cell_hint(name, text))
    if math.isinf(value) and (name != "confidence" or text[-1:].isdigit()):
        raise InputError(place, name, "be a finite number", shown(cell))
    return _in_range(name, value, place)


def flag_cell(name: str, cell: str, place: str) -> bool | None:
    """True or false as words or digits, None for an empty cell.

    Examples
    --------
    >>> flag_cell("declined", "No", "a.csv:2")
    False
    """
    word = cell.strip().lower()
    if not word:
        return None
    if word not in _FLAG_WORDS:
        must = "be true or false (or 1 or 0, yes or no)"
        raise InputError(place, name, must, shown(cell))
    return _FLAG_WORDS[word]


def plain_float(text: str) -> float | None:
    """A float as files write it; Python's underscores are not numbers there."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _cell_hint(name: str, text: str) -> str:
    if plain_float(text.replace(",", ".", 1)) is not None and "," in text:
        return f"Write a decimal point: {text.replace(',', '.', 1)}."
    if text.lower() in ("nan", "null", "none", "na", "n/a"):
        hint = "Leave the cell empty where there is no guess."
        return hint if name == "confidence" else "Leave the cell empty."
    return ""
