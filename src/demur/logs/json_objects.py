"""The objects of a JSON file of another tool, whether listed, in lines or in a row."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from demur.errors import ParseError, shown
from demur.formats.json_lines import RAISED
from demur.formats.streams import Stream, nothing
from demur.formats.zips import json_value

_OBJECT: Final[Any] = dict[str, Any]
_BLANKS: Final = re.compile(r"\s*")


def json_objects(stream: Stream, kind: Any = _OBJECT) -> Iterator[tuple[int, Any]]:
    r"""The objects of a list, one on each line, or one after another, with numbers.

    NaN and Infinity are read too. Lines are read block by block.

    Parameters
    ----------
    stream : Stream
    kind : type
        What is read of each, as msgspec takes it.

    Raises
    ------
    ParseError
        If the text is no JSON, or an object is none of that kind.

    Examples
    --------
    >>> import io
    >>> from demur.formats.streams import opened
    >>> def read(text):
    ...     with opened(io.BytesIO(text)) as stream:
    ...         return list(json_objects(stream))
    >>> read(b'{"a": 1}\n\n{"a": NaN}')
    [(1, {'a': 1}), (2, {'a': nan})]
    >>> read(b'[{"a": 1}]') == read(b'{\n"a": 1\n}') == [(1, {"a": 1})]
    True
    """
    if stream.head.startswith(b"["):
        texts: Iterator[bytes] = _elements(stream)
    elif _is_lines(stream.head):
        texts = _lines(stream)
    else:
        texts = _in_a_row(stream)
    decoder = msgspec.json.Decoder(kind)
    for number, text in enumerate(texts, 1):
        try:
            value = decoder.decode(text)
        except RAISED:
            value = json_value(f"{stream.name}: object {number}", text, kind)
        yield number, value


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a whole object, as far as it can be seen."""
    first, end, _ = head.lstrip().partition(b"\n")
    return not end or first.rstrip().endswith(b"}")


def _lines(stream: Stream) -> Iterator[bytes]:
    for _, block in stream.blocks():
        yield from (line for line in block.split(b"\n") if line.strip())


def _elements(stream: Stream) -> Iterator[bytes]:
    data = stream.whole()
    try:
        elements = [*map(bytes, msgspec.json.decode(data, type=list[msgspec.Raw]))]
    except RAISED:
        listed = json_value(stream.name, data, list[Any])
        elements = [json.dumps(value).encode() for value in listed]
    if not elements:
        raise nothing(stream.name, "an empty array")
    yield from elements


def _in_a_row(stream: Stream) -> Iterator[bytes]:
    text = stream.whole().decode().rstrip()
    decoder, at, number = json.JSONDecoder(), 0, 1
    while at < len(text):
        start = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        try:
            _, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            need, hint = "be whole", "It may be cut off or damaged: copy it again."
            where, got = (
                f"{stream.name}: object {number}",
                shown(text[start : start + 60]),
            )
            raise ParseError(where, "a JSON object", need, got, hint) from None
        yield text[start:at].encode()
        number += 1
