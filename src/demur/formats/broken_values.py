"""Responses that JSON has no words for: one such value is the fault of one record."""

import json
import math
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from demur.outcomes.values import whole_text

_BLANKS: Final = re.compile(r"\s*")


class _Written(str):
    """A number that cannot be read as one, as it is written."""

    __slots__ = ()


def _finite(digits: str) -> Any:
    number = float(digits)
    return number if math.isfinite(number) else _Written(digits)


def _whole(digits: str) -> Any:
    try:
        return int(digits)
    except ValueError:  # of more digits than are turned into a number
        return _Written(digits)


LENIENT: Final = json.JSONDecoder(
    parse_constant=_Written, parse_float=_finite, parse_int=_whole
)
"""Reads JSON with any number, those that JSON does not have as texts."""


def mended(line: bytes, names: Collection[str]) -> bytes | None:
    r"""A record whose answers can be read; None if its fault lies elsewhere.

    Numbers that JSON does not have become texts, NaN alone becomes null, and half a
    character becomes the sign for one that is not known.

    Parameters
    ----------
    line : bytes
        An object that cannot be decoded.
    names : collection of str
        The fields that hold what a model has said.

    Examples
    --------
    >>> mended(b'{"item": "q", "response": 1e999}', ["response"])
    b'{"item": "q", "response": "1e999"}'
    >>> mended(b'{"item": "q", "response": "Oslo \\ud83d"}', ["response"]).decode()
    '{"item": "q", "response": "Oslo \\ufffd"}'
    >>> mended(b'{"item": NaN, "response": "Oslo"}', ["response"])
    """
    try:
        text = line.decode()
        parts, before = [], 0
        for name, start, end, value in _members(text):
            if name in names and _is_broken(value):
                parts += [text[before:start], json.dumps(_readable(value))]
                before = end
    except (ValueError, RecursionError):
        return None
    return "".join([*parts, text[before:]]).encode() if parts else None


def _members(text: str) -> Iterator[tuple[str, int, int, Any]]:
    """Names of an object, where each value begins and ends, and the value."""
    at = _past(text, 0, "{")
    while True:
        name, at = LENIENT.raw_decode(text, at)
        at = _past(text, at, ":")
        value, end = LENIENT.raw_decode(text, at)
        yield name, at, end, value
        if text.startswith("}", _past(text, end, "")):
            return
        at = _past(text, end, ",")


def _past(text: str, at: int, sign: str) -> int:
    """The place behind a sign and the blanks around it."""
    at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    if not text.startswith(sign, at):
        raise ValueError(sign)
    return _BLANKS.match(text, at + len(sign)).end()  # type: ignore[union-attr]


def _is_broken(value: Any) -> bool:
    if isinstance(value, str):
        return isinstance(value, _Written) or whole_text(value) is not value
    if isinstance(value, dict):
        return any(map(_is_broken, (*value, *value.values())))
    return isinstance(value, list) and any(map(_is_broken, value))


def _readable(value: Any) -> Any:
    """A value that JSON has; nothing in place of NaN."""
    return None if value == "NaN" and isinstance(value, _Written) else _texts(value)


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, dict):
        return {_texts(name): _texts(within) for name, within in value.items()}
    return [_texts(within) for within in value] if isinstance(value, list) else value
