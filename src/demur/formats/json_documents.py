"""JSON as other programs write it: NaN too, in lines, lists, or one after another."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from demur.errors import ParseError
from demur.formats.json_lines import (
    RAISED,
    array_elements,
    key_twice,
    objects_in_a_row,
)
from demur.formats.streams import Stream, nothing
from demur.results import printable


def json_value(place: str, data: bytes, kind: Any = dict[str, Any]) -> Any:
    r"""A JSON text as a value; NaN and Infinity too, which other tools write.

    Parameters
    ----------
    place : str
        Where it stands, for messages.
    data : bytes
    kind : type
        What is read of it, as msgspec takes it.

    Raises
    ------
    ParseError
        If it is no JSON, or none of that kind.

    Examples
    --------
    >>> json_value("a.json", b'{"value": NaN}')
    {'value': nan}
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return msgspec.convert(json.loads(data), kind)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        hint = "It may be cut off or damaged: copy it again."
        got = printable(str(error)) or "values nested too deeply"
        raise ParseError(place, "the text", "be JSON of this log", got, hint) from None


def json_mapping(place: str, data: bytes) -> dict[str, Any]:
    r"""A JSON object whose keys are names, of which each must stand once.

    Raises
    ------
    ParseError
        If it is no JSON object, or one within it has a key twice.

    Examples
    --------
    >>> json_mapping("a.json", b'{"q1": "Oslo", "q2": "Rome"}')
    {'q1': 'Oslo', 'q2': 'Rome'}
    >>> json_mapping("a.json", b'{"q1": "Oslo", "q1": "Rome"}')
    Traceback (most recent call last):
    ...
    demur.errors.ParseError: a.json: the key 'q1' must stand once in an object; got it
    twice. Rename one.
    """
    held: dict[str, Any] = json_value(place, data)
    twice: list[str] = []

    def count(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(name for name, _ in pairs)
        if len(counts) < len(pairs):
            twice.append(counts.most_common(1)[0][0])

    with suppress(ValueError, RecursionError):  # what one reader reads and one does not
        json.loads(data, object_pairs_hook=count)
    if twice:
        raise key_twice(place, twice[0])
    return held


def json_objects(
    stream: Stream, kind: Any = dict[str, Any]
) -> Iterator[tuple[int, Any]]:
    r"""The objects of a file, each with the line that it begins on.

    They stand one on each line, in a list, or one after another over several lines.
    Lines are read block by block; all else is held in memory.

    Parameters
    ----------
    stream : Stream
    kind : type
        What each is, as msgspec takes it; a Struct skips fields that it does not have.

    Raises
    ------
    ParseError
        If one is no JSON, or none of that type.

    Examples
    --------
    >>> import io
    >>> from demur.formats.streams import opened
    >>> def read(text):
    ...     with opened(io.BytesIO(text)) as stream:
    ...         return list(json_objects(stream))
    >>> read(b'{"id": 1}\n\n{"id": NaN}')
    [(1, {'id': 1}), (3, {'id': nan})]
    >>> read(b'[{"id": 1}]') == read(b'{\n"id": 1\n}') == [(1, {"id": 1})]
    True
    """
    prefix = f"{stream.name}:"
    if not stream.head.startswith(b"[") and _is_lines(stream.head):
        yield from _of_lines(stream, prefix, kind)
        return
    in_list = stream.head.startswith(b"[")
    elements = (
        _listed(stream, prefix) if in_list else objects_in_a_row(stream.whole(), prefix)
    )
    decoder = msgspec.json.Decoder(kind)
    for number, element in elements:
        try:
            value = decoder.decode(element)
        except RAISED:
            value = json_value(f"{prefix}{number}", element, kind)
        yield number, value


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a whole object, as far as it can be seen."""
    first, end, _ = head.lstrip().partition(b"\n")
    return not end or first.rstrip().endswith(b"}")


def _of_lines(stream: Stream, prefix: str, kind: Any) -> Iterator[tuple[int, Any]]:
    decoder = msgspec.json.Decoder(kind)
    for first, payload in stream.blocks():
        try:
            rows = decoder.decode_lines(payload)
        except RAISED:
            rows = []
        if len(rows) == payload.count(b"\n") + (not payload.endswith(b"\n")):
            yield from enumerate(rows, first)
            continue
        for number, line in enumerate(payload.split(b"\n"), first):
            if line.strip():
                yield number, json_value(f"{prefix}{number}", line, kind)


def _listed(stream: Stream, prefix: str) -> Iterator[tuple[int, bytes]]:
    data = stream.whole()
    try:
        elements = list(array_elements(data, prefix))
    except ParseError:  # as for NaN, of which only the whole list can be read
        values = json_value(stream.name, data, list[Any])
        elements = [(n, json.dumps(v).encode()) for n, v in enumerate(values, 1)]
    if not elements:
        raise nothing(stream.name, "an empty array")
    yield from elements
