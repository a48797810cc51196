"""JSON Lines, and JSON arrays of objects."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from demur.formats import arrays, headings, json_faults
from demur.formats.arrays import Column, Place
from demur.formats.streams import Stream
from demur.formats.tables import Block, Wanted, block, nothing

_AT_ONCE: Final = 10_000
_NEEDED: Final = ("item", "outcome", "correct")
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])

_Rows = list[Any]
_Columns = dict[str, Sequence[Any]]


class JsonTable:
    """JSON Lines or a JSON array, open for reading once.

    JSON Lines are read in blocks, however long the file; an array is held in memory.

    Parameters
    ----------
    stream : Stream
        Of the form ``json_lines`` or ``json``.
    """

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:"
        self._stream = stream
        self._first = b""

    def found(self) -> list[str]:
        """Names of the fields in the first records."""
        records = _FIELDS.decode_lines(self._first)
        return list(dict.fromkeys(chain.from_iterable(records)))

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects one by one, each with its line number."""
        for numbers, rows in self._decoded(_OBJECT):
            yield from zip(numbers, rows, strict=True)

    def blocks(self, wanted: Wanted) -> Iterator[Block]:
        """The objects as columns; fields that are not wanted cost next to nothing."""
        known = wanted.groups is not None
        plain = known and all(map(_can_rename, _struct_names(wanted)))
        decoder, transposed = _by_struct(wanted) if plain else _by_mapping(wanted)
        for numbers, rows in self._decoded(decoder):
            raw = {
                name: values
                for name, values in transposed(rows).items()
                if _present(values)
            }
            for name in wanted.selection.wanted.keys() & raw.keys():
                raw[name] = _nulls(raw[name])
            yield block(raw, numbers, wanted, self.prefix, _converted)

    def _decoded(self, decoder: Any) -> Iterator[tuple[Sequence[int], _Rows]]:
        """Line numbers and decoded records, some thousand at a time."""
        if self._stream.form == "json_lines":
            return self._from_lines(decoder)
        return self._from_array(decoder)

    def _from_lines(self, decoder: Any) -> Iterator[tuple[Sequence[int], _Rows]]:
        for first, payload in self._stream.blocks():
            self._first = self._first or payload
            rows = _rows(decoder, payload)
            n_lines = payload.count(b"\n") + (not payload.endswith(b"\n"))
            numbers: Sequence[int] = range(first, first + n_lines)
            if rows is None or len(rows) != n_lines:
                lines = _not_blank(first, payload)
                if rows is None or len(rows) != len(lines):
                    raise json_faults.in_records(lines, self.prefix)
                numbers = [number for number, _ in lines]
            if rows:
                yield numbers, rows

    def _from_array(self, decoder: Any) -> Iterator[tuple[Sequence[int], _Rows]]:
        elements = _elements(self._stream.whole(), self.prefix)
        while some := list(islice(elements, _AT_ONCE)):
            payload = b"\n".join(element for _, element in some)
            self._first = self._first or payload
            rows = _rows(decoder, payload)
            if rows is None:
                raise json_faults.in_records(some, self.prefix)
            yield [number for number, _ in some], rows
        if not self._first:
            raise nothing(self.name, "an empty array")


def _rows(decoder: Any, payload: bytes) -> _Rows | None:
    """Decoded records, or None if one of them is at fault."""
    try:
        rows: _Rows = decoder.decode_lines(payload)
    except json_faults.RAISED:
        return None
    return rows


def _not_blank(first: int, payload: bytes) -> list[tuple[int, bytes]]:
    """Lines that hold something, with their numbers."""
    lines = enumerate(payload.split(b"\n"), start=first)
    return [(number, line) for number, line in lines if line.strip()]


def _elements(data: bytes, prefix: str) -> Iterator[tuple[int, bytes]]:
    """Elements of an array, each with the number of the line it begins on."""
    try:
        elements = msgspec.json.decode(data, type=list[msgspec.Raw])
    except json_faults.RAISED:
        raise json_faults.in_array(data, prefix) from None
    line, before = 1, 0
    for element in map(bytes, elements):
        # Only blanks and a comma lie between the end of the last one and this one.
        start = data.index(element, before)
        line += data.count(b"\n", before, start)
        yield line, element
        before = start + len(element)
        line += element.count(b"\n")


# -- columns -----------------------------------------------------------------------


def _by_struct(wanted: Wanted) -> tuple[Any, Callable[[_Rows], _Columns]]:
    """A decoder that skips all but the wanted fields, and what makes them columns."""
    names = list(_struct_names(wanted))
    rename = {f"field_{at}": name for at, name in enumerate(names)}
    typed: list[Any] = [(field, Any, UNSET) for field in rename]
    record = msgspec.defstruct("Record", typed, rename=rename, gc=False)

    def transposed(rows: _Rows) -> _Columns:
        columns = zip(*map(msgspec.structs.astuple, rows), strict=True)
        return dict(zip(names, columns, strict=True))

    return msgspec.json.Decoder(record), transposed


def _struct_names(wanted: Wanted) -> dict[str, None]:
    return dict.fromkeys(
        [*wanted.own(), *(wanted.groups or ()), *wanted.selection.wanted]
    )


def _can_rename(name: str) -> bool:
    """Whether a struct's field may have this name in JSON."""
    return name.isprintable() and "\\" not in name and '"' not in name


def _by_mapping(wanted: Wanted) -> tuple[Any, Callable[[_Rows], _Columns]]:
    """A decoder of all fields, and what makes the wanted ones columns."""

    def transposed(rows: _Rows) -> _Columns:
        return {
            name: [row.get(name, UNSET) for row in rows]
            for name in dict.fromkeys(chain.from_iterable(rows))
            if wanted.keeps(name) or name in wanted.selection.wanted
        }

    return _OBJECT, transposed


def _converted(name: str, values: Sequence[Any], place: Place) -> Column:
    """A column as an array; a field that each record needs may not be left out."""
    if UnsetType in set(map(type, values)):
        if name in _NEEDED:
            raise headings.absent(place(values.index(UNSET)), name)
        values = _nulls(values)
    return arrays.from_values(name, values, place)


def _present(values: Sequence[Any]) -> bool:
    return values[0] is not UNSET or values.count(UNSET) < len(values)


def _nulls(values: Sequence[Any]) -> list[Any]:
    """The same values, None for what was left out."""
    return [None if value is UNSET else value for value in values]
