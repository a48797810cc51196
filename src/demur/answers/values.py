"""JSON values as text, so that a table and a JSON file can say the same."""

import json
from decimal import Decimal
from typing import Any, Final

import numpy as np

from demur.errors import InputError
from demur.outcomes.value_kinds import (
    ADVICE,
    PLURALS,
    TypedText,
    a_kind,
    bare,
    kind_of,
    value_text,
)
from demur.spellings import composed


def json_text(value: Any) -> str:
    """A value as compact JSON; a text is itself, without quotes.

    Whole numbers have no decimal point, the keys of objects are sorted. What JSON
    does not know, such as a date, is the text that it prints as.

    Examples
    --------
    >>> json_text("3"), json_text(3), json_text(3.0), json_text(True)
    ('3', '3', '3', 'true')
    >>> json_text({"to": "Řím", "from": [None, 1.5]})
    '{"from":[null,1.5],"to":"Řím"}'
    """
    value = bare(value)
    if isinstance(value, str):
        return value
    value = _plain(value)
    if not isinstance(value, (bool, int, float, list, dict, type(None))):
        return str(value)
    return json.dumps(value, default=str, **_COMPACT)


_COMPACT: Final[dict[str, Any]] = {
    **{"ensure_ascii": False, "sort_keys": True, "separators": (",", ":")}
}


def comparable_text(value: Any) -> str:
    """The text by which a value is compared: `json_text`, and what a scalar is.

    Raises
    ------
    InputError
        If it is, or holds, what has no such text: a set, bytes, an object of Python.

    Examples
    --------
    >>> comparable_text(3.0), comparable_text(3.0).kind, comparable_text([1.0])
    ('3', 'number', '[1]')
    """
    value = bare(value)
    if isinstance(value, str):
        return composed(str(value))
    kind = kind_of(value)
    if kind in ("list", "object"):
        return json.dumps(_plain(value), default=_part, **_COMPACT)
    return TypedText.of(value) if kind in ("number", "flag", "date") else _part(value)


def _part(value: Any) -> str:
    """The text of what JSON has no form for."""
    kind = kind_of(value)
    if kind not in PLURALS:
        need = "be a text, a number, a flag, a list or an object of JSON"
        raise InputError("judge", "a value", need, a_kind(value), ADVICE[kind])
    return value_text(value)


def same(one: Any, other: Any) -> bool:
    """Whether values that were read are the same, of which one is a typed one.

    Examples
    --------
    >>> same("1.0", comparable_text(1)), same(comparable_text(True), "1")
    (True, False)
    """
    if isinstance(one, TypedText):
        return one.is_same(other)
    return isinstance(other, TypedText) and other.is_same(one)


def _plain(value: Any) -> Any:
    """Whole floats as integers and numpy's values as Python's, at any depth."""
    value = bare(value)
    if isinstance(value, np.floating):
        value = float(str(value))  # a float32 as it was written
    if isinstance(value, (np.generic, np.ndarray)):
        return _plain(value.tolist())
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {str(key): _plain(element) for key, element in value.items()}
    return value
