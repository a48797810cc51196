"""What is wrong with JSON that could not be decoded, said in one line."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from demur.errors import ParseError, shown
from demur.formats.fields import nan_hint
from demur.formats.headings import printable

RAISED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)
"""What decoding may raise."""

_BETWEEN: Final = re.compile(r"[\s,]*")
_UNFINISHED: Final = (
    "It ends too early: write each object on one line (jq -c . FILE does that), "
    "or the file is cut off."
)


class _NotJson:
    """A number that JSON does not have: NaN, Infinity, 1e999."""

    def __init__(self, text: str) -> None:
        self.text = text


def in_records(records: Sequence[tuple[int, bytes]], prefix: str) -> ParseError:
    """The error for the first of some records that is no JSON object.

    Parameters
    ----------
    records : sequence of (line number, text)
        Not empty; one of them is at fault.
    prefix : str
        What stands before the line number.

    Examples
    --------
    >>> print(in_records([(1, b'{"item": 1}'), (2, b'[1]')], "a.jsonl:"))
    a.jsonl:2: the line must be a JSON object; got [1].
    """
    for number, text in records:
        try:
            msgspec.json.decode(text, type=dict[str, Any])
        except RAISED as error:
            return _fault(text.decode(), f"{prefix}{number}", str(error))
    got = "objects that share lines"
    return ParseError(f"{prefix}{records[0][0]}", "a line", "be an object", got)


def in_array(data: bytes, prefix: str) -> ParseError:
    r"""The error for a text that begins like an array and is none.

    Examples
    --------
    >>> print(in_array(b'[{"item": 1},\n {"item"]', "a.json:"))
    a.json:2: the file must be one JSON array of objects; got ' {"item"]'.
    Expecting ':' delimiter at column 9.
    """
    text = data.decode()
    must = "be one JSON array of objects"
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        got = shown(text.split("\n")[error.lineno - 1])
        where = f"{prefix}{error.lineno}"
        return ParseError(where, "the file", must, got, _said(error))
    except (RecursionError, ValueError) as error:
        return ParseError(f"{prefix}1", "the file", must, _beyond(error))
    return in_records(list(_elements(text)), prefix)


def _elements(text: str) -> Iterator[tuple[int, bytes]]:
    """Elements of a sound array, with the lines they begin on."""
    at = text.index("[") + 1
    line = 1 + text.count("\n", 0, at)
    while True:
        start = at + len(_BETWEEN.match(text, at)[0])  # type: ignore[index]
        if text[start] == "]":
            return
        line += text.count("\n", at, start)
        _, at = _DECODER.raw_decode(text, start)
        yield line, text[start:at].encode()
        line += text.count("\n", start, at)


def _finite(digits: str) -> Any:
    number = float(digits)
    return number if math.isfinite(number) else _NotJson(digits)


_DECODER: Final = json.JSONDecoder(parse_constant=_NotJson, parse_float=_finite)
"""Reads JSON with marks where a number is none that JSON has."""


def _fault(text: str, place: str, message: str) -> ParseError:
    try:
        record = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        early = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        hint = _UNFINISHED if early else _said(error)
        must = "be a whole JSON object"
        return ParseError(place, "the line", must, shown(text), hint)
    except (RecursionError, ValueError) as error:
        return ParseError(place, "the line", "be a JSON object", _beyond(error))
    if not isinstance(record, dict):
        return ParseError(place, "the line", "be a JSON object", _shortened(text))
    for name, value in record.items():
        number = _found(value)
        if number is not None:
            return _not_json(place, name, number)
    if "\\ud" in text.lower():
        hint = "An escape such as \\ud83d needs its second half."
        must = "hold whole characters"
        return ParseError(place, "the text", must, shown(text), hint)
    return ParseError(place, "the line", "be a JSON object", shown(text), message)


def _said(error: json.JSONDecodeError) -> str:
    return f"{error.msg} at column {error.colno}."


def _beyond(error: Exception) -> str:
    """What is sound JSON and still cannot be read."""
    deep = isinstance(error, RecursionError)
    return "values nested too deeply" if deep else "a number of too many digits"


def _shortened(text: str) -> str:
    text = printable(text.strip())
    return text if len(text) < 60 else text[:57] + "..."


def _found(value: Any) -> str | None:
    """The text of a number in a value, at any depth, that is none."""
    within = [value]
    while within:
        value = within.pop()
        if isinstance(value, _NotJson):
            return value.text
        if isinstance(value, (dict, list)):
            within.extend(value.values() if isinstance(value, dict) else value)
    return None


def _not_json(place: str, name: str, number: str) -> ParseError:
    name = printable(name)
    if number == "NaN":
        return ParseError(place, name, "be a number", number, nan_hint(name))
    hint = 'JSON has no infinity: write "inf" or "-inf".'
    hint = hint if name == "confidence" else ""
    return ParseError(place, name, "be a finite number", number, hint)
