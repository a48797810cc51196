"""What is wrong with a text that should be JSON, and in which line."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from demur.errors import ParseError, shown
from demur.formats.broken_values import LENIENT
from demur.outcomes.values import nan_hint
from demur.results import printable

_NOT_DATA: Final = "No record needs that: the file may be damaged."

_UNFINISHED: Final = (
    "It ends too early: the file is cut off, or the object goes on in the next line. "
    "Write each on one line, as the first is."
)
_WORDS: Final = ("true", "false", "null")


_BETWEEN: Final = re.compile(r"[\s,]*")


class _NotJson(str):
    """A number that JSON does not have: NaN, Infinity, 1e999."""

    __slots__ = ()


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
    a.jsonl:2: the line must be a JSON object; got [1]. Such as {"item": "q1"}, one on
    each line.
    """
    for number, text in records:
        try:
            msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            return _fault(text.decode(), f"{prefix}{number}", str(error))
    got = "objects that share lines"
    hint = "Write each on its own line."
    return ParseError(f"{prefix}{records[0][0]}", "a line", "be an object", got, hint)


def in_array(data: bytes, prefix: str) -> ParseError:
    r"""The error for a text that begins like an array and is none.

    Examples
    --------
    >>> print(in_array(b'[{"item": 1},\n {"item"]', "a.json:"))
    a.json:2: the file must be one JSON array of objects; got ' {"item"]'.
    Expecting ':' delimiter at column 9.
    """
    text = data.decode()
    need = "be one JSON array of objects"
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        got = shown(text.split("\n")[error.lineno - 1])
        where = f"{prefix}{error.lineno}"
        return ParseError(where, "the file", need, got, _decode_fault(error))
    except (RecursionError, ValueError) as error:
        return ParseError(f"{prefix}1", "the file", need, _beyond(error), _NOT_DATA)
    return in_records(list(rough_elements(text)), prefix)


def rough_elements(text: str) -> Iterator[tuple[int, bytes]]:
    r"""Elements of a sound array, with the lines they begin on.

    Examples
    --------
    >>> list(rough_elements('[{"item": NaN},\n 2]'))
    [(1, b'{"item": NaN}'), (2, b'2')]
    """
    at = text.index("[") + 1
    line = 1 + text.count("\n", 0, at)
    while True:
        start = at + len(_BETWEEN.match(text, at)[0])  # type: ignore[index]
        if text[start] == "]":
            return
        line += text.count("\n", at, start)
        _, at = LENIENT.raw_decode(text, start)
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
        early = error.pos >= len(text.rstrip()) or _is_cut(error)
        hint = _UNFINISHED if early else _decode_fault(error)
        need = "be a whole JSON object"
        return ParseError(place, "the line", need, shown(text), hint)
    except (RecursionError, ValueError) as error:
        got = _beyond(error)
        return ParseError(place, "the line", "be a JSON object", got, _NOT_DATA)
    if not isinstance(record, dict):
        got, hint = _shortened(text), 'Such as {"item": "q1"}, one on each line.'
        return ParseError(place, "the line", "be a JSON object", got, hint)
    for name, value in record.items():
        number = _unknown_number(value)
        if number is not None:
            return _not_json(place, name, number, _of_item(record))
    if "\\ud" in text.lower():
        hint = f"An escape such as \\ud83d needs its second half.{_of_item(record)}"
        need = "hold whole characters"
        return ParseError(place, "the text", need, shown(text), hint)
    return ParseError(place, "the line", "be a JSON object", shown(text), message)


def _is_cut(error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated")


def _decode_fault(error: json.JSONDecodeError) -> str:
    return f"{error.msg} at column {error.colno}."


def _beyond(error: Exception) -> str:
    deep = isinstance(error, RecursionError)
    return "values nested too deeply" if deep else "a number of too many digits"


def _shortened(text: str) -> str:
    text = printable(text.strip())
    return text if len(text) < 60 else text[:57] + "..."


def _unknown_number(value: Any) -> str | None:
    within = [value]
    while within:
        value = within.pop()
        if isinstance(value, _NotJson):
            return value
        if isinstance(value, (dict, list)):
            within.extend(value.values() if isinstance(value, dict) else value)
    return None


def _of_item(record: dict[str, Any]) -> str:
    """Which item a record is about, if it can be said."""
    item = record.get("item")
    plain = type(item) is int or (type(item) is str and item.isprintable())
    return f" It is of item {shown(item)}." if plain else ""


def _not_json(place: str, name: str, number: str, item: str) -> ParseError:
    name = printable(name)
    if number == "NaN":
        return ParseError(place, name, "be a number", number, nan_hint(name) + item)
    hint = 'JSON has no infinity: write "inf" or "-inf".'
    hint = hint if name == "confidence" else "JSON has no such number."
    return ParseError(place, name, "be a finite number", number, hint + item)


def not_whole(text: str, error: Exception, place: str, prefix: str) -> ParseError:
    """The error for an object over several lines.

    Parameters
    ----------
    text : str
        All of the file.
    error : Exception
        What decoding it raised.
    place : str
        Where the object begins.
    prefix : str
        What stands before the number of a line.

    Examples
    --------
    >>> error = json.JSONDecodeError("Expecting value", '{"item": x}', 9)
    >>> print(not_whole('{"item": x}', error, "a.json:1", "a.json:"))
    a.json:1: the text must be a whole JSON object; got '{"item": x}'. Expecting value
    at column 10.
    """
    if not isinstance(error, json.JSONDecodeError):
        got = _beyond(error)
        return ParseError(place, "the object", "be a JSON object", got, _NOT_DATA)
    at_fault = text.split("\n")[error.lineno - 1]
    rest = text[error.pos :]
    if any(word.startswith(rest) for word in _WORDS) or _is_cut(error):
        hint = "It ends too early: the file is cut off. Copy it again."
    else:
        hint = _decode_fault(error)
    need = "be a whole JSON object"
    where = f"{prefix}{error.lineno}"
    return ParseError(where, "the text", need, shown(at_fault), hint)
