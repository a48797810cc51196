"""JSON Lines and JSON arrays of another program, read one by one as one type."""

from collections.abc import Iterator
from typing import Any

import msgspec

from demur.formats.json_lines import RAISED, array_elements
from demur.formats.streams import Stream
from demur.formats.zips import json_value


def typed_records(stream: Stream, kind: Any) -> Iterator[tuple[int, Any]]:
    r"""The objects of a file, each with the line that it begins on.

    Lines are read block by block; an array is held in memory.

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
    >>> with opened(io.BytesIO(b'{"id": 1}\n\n{"id": NaN}')) as stream:
    ...     list(typed_records(stream, dict))
    [(1, {'id': 1}), (3, {'id': nan})]
    """
    prefix = f"{stream.name}:"
    if stream.head.startswith(b"["):
        for number, element in array_elements(stream.whole(), prefix):
            yield number, json_value(f"{prefix}{number}", element, kind)
        return
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
