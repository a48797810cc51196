"""JSON values as text, so that a table and a JSON file can say the same."""

import json
from decimal import Decimal
from typing import Any

import numpy as np


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
    if isinstance(value, str):
        return value
    value = _plain(value)
    if not isinstance(value, (bool, int, float, list, dict, type(None))):
        return str(value)
    return json.dumps(
        value,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        default=str,
    )


def _plain(value: Any) -> Any:
    """Whole floats as integers and numpy's values as Python's, at any depth."""
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
