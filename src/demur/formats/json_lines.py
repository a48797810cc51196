"""JSON Lines, JSON arrays of objects, and objects over several lines."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, UnsetType

from demur.errors import ParseError, shown
from demur.formats import headings
from demur.formats.streams import RecordFile, RowBlock, Stream, Wanted, block, nothing
from demur.outcomes.columns import Column, Place, from_values
from demur.outcomes.fields import NUMERIC, column_type
from demur.outcomes.values import LONG, LongDecimal

_AT_ONCE: Final = 10_000
_NUMERIC: Final = (*NUMERIC, "any")
NEEDED: Final = ("item", "outcome", "correct")
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any], float_hook=LongDecimal.read)
SKETCH: Final = b'{"demur-sketch":'
"""How a file of counts begins, which are no answers."""

_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])

_OF_NUMBERS: Final = bytes(
    48 if sign in b"0123456789+-.eE" else 32 for sign in range(256)
)
"""Makes one sign of all that numbers are written with, and a blank of others."""

_Rows = list[Any]
_Columns = dict[str, Sequence[Any]]
_Decoded = tuple[Sequence[int], _Rows, bytes]
"""Numbers of lines, records, and their text with nothing but blanks between them."""

RawBlock = tuple[Sequence[int], dict[str, Sequence[Any]]]
"""Numbers of lines or rows, and columns as they stand, UNSET where there is nothing."""


_LIST: Final = re.compile(rb'"parts"\s*:\s*\[\s*[\]{]')


def lists_parts(head: bytes) -> bool:
    """Whether the beginning of a file has a list of parts.

    Examples
    --------
    >>> lists_parts(b'{"item": "r1", "parts": [{"part": "pay"}]}')
    True
    """
    return _LIST.search(head) is not None


class JsonTable(RecordFile):
    """JSON Lines, a JSON array or objects over lines, open for reading once.

    JSON Lines are read in blocks, however long the file; all else is held in memory.

    Parameters
    ----------
    stream : Stream
        Whose text begins with a brace or a bracket.
    """

    words: ClassVar[str] = "JSON Lines, JSON"

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:"
        self.answers: tuple[str, ...] = ("response",)
        self._stream = stream
        self._first = b""
        self._mended: list[int] = []

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """How many answers were read that JSON cannot hold."""
        if not self._mended:
            return []
        from demur.outcomes.refusals import several

        count = several(len(self._mended), "response")
        return [
            f"{count} with a number that JSON does not have, or with half a character: "
            f"read as text, and NaN as null (line {self._mended[0]} first)"
        ]

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so."""
        return head[:1] in (b"{", b"[")

    def names(self) -> list[str]:
        """Names of the fields in the first records."""
        records = _FIELDS.decode_lines(self._first)
        return list(dict.fromkeys(chain.from_iterable(records)))

    def beginning(self) -> list[dict[str, Any]]:
        """The first records."""
        with suppress(*RAISED):  # it may hold what is no value of JSON
            return _OBJECT.decode_lines(self._first)
        return []

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects one by one, each with its line number."""
        for numbers, rows, payload in self._decoded(_OBJECT):
            check_keys(payload, numbers, counted_keys(rows), self.prefix)
            yield from zip(numbers, rows, strict=True)

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The objects as columns; fields that are not wanted cost next to nothing."""
        for numbers, raw in self.columns(wanted):
            for name in raw.keys() & set(wanted.selecting()):
                raw[name] = _nulls(raw[name])
            yield block(raw, numbers, wanted, self.prefix, column_of)

    def columns(
        self,
        wanted: Wanted,
        names: Collection[str] = (),
        entered: Collection[str] = (),
    ) -> Iterator[RawBlock]:
        """The wanted fields as they stand.

        Parameters
        ----------
        wanted : Wanted
            Which are read.
        names : collection of str
            Those that hold names, beside those that do by what they are called.
        entered : collection of str
            Those into whose values a path leads.
        """
        known = wanted.groups is not None
        plain = known and all(map(_can_rename, _struct_names(wanted)))
        record, transposed = _by_struct(wanted) if plain else _by_mapping(wanted)
        decoder = msgspec.json.Decoder(record)
        exactly = msgspec.json.Decoder(record, float_hook=LongDecimal.read)
        for numbers, rows, payload in self._decoded(decoder):
            raw = _with_values(transposed(rows, payload))
            types = {name: set(map(type, values)) for name, values in raw.items()}
            named = [name for name in raw if name in names or _names(name)]
            # Decoding anew costs as much as all else: only if a number may be so long.
            if any(float in types[name] for name in named) and _may_be_long(payload):
                raw = _with_values(transposed(exactly.decode_lines(payload), payload))
            counts = Counter(
                {
                    name: len(values) - values.count(UNSET)
                    if UnsetType in types[name]
                    else len(values)
                    for name, values in raw.items()
                }
            )
            for name in entered:
                if name in raw and {dict, list} & types[name]:
                    nested = [v for v in raw[name] if isinstance(v, (dict, list))]
                    counts += counted_keys(nested)
            check_keys(payload, numbers, counts, self.prefix)
            yield numbers, raw

    def _decoded(self, decoder: Any) -> Iterator[_Decoded]:
        head = self._stream.head
        if head.startswith(b"{") and not _goes_on(head):
            return self._from_lines(decoder)
        elements = array_elements if head.startswith(b"[") else objects_in_a_row
        return self._from_elements(elements(self._stream.whole(), self.prefix), decoder)

    def _from_lines(self, decoder: Any) -> Iterator[_Decoded]:
        for first, payload in self._stream.blocks():
            rows = _rows(decoder, payload)
            n_lines = payload.count(b"\n") + (not payload.endswith(b"\n"))
            numbers: Sequence[int] = range(first, first + n_lines)
            if rows is None:
                lines = list(enumerate(payload.split(b"\n"), start=first))
                payload = b"\n".join(self._in_order(lines))
                rows = _rows(decoder, payload)
            if rows is None or len(rows) != n_lines:
                lines = _not_blank(first, payload)
                if rows is None or len(rows) != len(lines):
                    from demur.formats.json_faults import in_records

                    raise in_records(lines, self.prefix)
                numbers = [number for number, _ in lines]
            self._first = self._first or payload
            if rows:
                yield numbers, rows, payload

    def _from_elements(
        self, elements: Iterator[tuple[int, bytes]], decoder: Any
    ) -> Iterator[_Decoded]:
        while some := list(islice(elements, _AT_ONCE)):
            payload = b"\n".join(element for _, element in some)
            rows = _rows(decoder, payload)
            if rows is None:
                payload = b"\n".join(self._in_order(some))
                rows = _rows(decoder, payload)
            if rows is None:
                from demur.formats.json_faults import in_records

                raise in_records(some, self.prefix)
            self._first = self._first or payload
            yield [number for number, _ in some], rows, payload
        if not self._first:
            raise nothing(self.name, "an empty array")

    def _in_order(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
        """The records, those with answers that JSON cannot hold mended."""
        from demur.formats.broken_values import mended

        for number, line in lines:
            whole = None
            if line.strip() and _rows(_OBJECT, line) is None:
                whole = mended(line, self.answers)
            if whole is not None:
                self._mended.append(number)
            yield line if whole is None else whole


def _rows(decoder: Any, payload: bytes) -> _Rows | None:
    """Decoded records, or None if one of them is at fault."""
    try:
        rows: _Rows = decoder.decode_lines(payload)
    except RAISED:
        return None
    return rows


def _not_blank(first: int, payload: bytes) -> list[tuple[int, bytes]]:
    lines = enumerate(payload.split(b"\n"), start=first)
    return [(number, line) for number, line in lines if line.strip()]


def array_elements(data: bytes, prefix: str) -> Iterator[tuple[int, bytes]]:
    r"""Elements of an array, each with the number of the line it begins on.

    Raises
    ------
    ParseError
        If it is no JSON array, with the place of the fault.

    Examples
    --------
    >>> list(array_elements(b'[{"item": 1},\n 2]', "a.json:"))
    [(1, b'{"item": 1}'), (2, b'2')]
    """
    try:
        elements = msgspec.json.decode(data, type=list[msgspec.Raw])
    except RAISED:
        yield from _odd_elements(data, prefix)
        return
    line, before = 1, 0
    for element in map(bytes, elements):
        # Only blanks and a comma lie between the end of the last one and this one.
        start = data.index(element, before)
        line += data.count(b"\n", before, start)
        yield line, element
        before = start + len(element)
        line += element.count(b"\n")


def _odd_elements(data: bytes, prefix: str) -> Iterator[tuple[int, bytes]]:
    """Elements of an array with numbers that JSON does not have."""
    from demur.formats.broken_values import LENIENT
    from demur.formats.json_faults import in_array, rough_elements

    text = data.decode()
    try:
        LENIENT.decode(text)
    except (RecursionError, ValueError):
        raise in_array(data, prefix) from None
    yield from rough_elements(text)


def _goes_on(head: bytes) -> bool:
    """Whether the first object ends in a later line than it begins."""
    first, end, _ = head.partition(b"\n")
    try:
        json.loads(first)
    except json.JSONDecodeError as error:
        return bool(end) and error.pos >= len(first.rstrip().decode())
    except (ValueError, RecursionError):
        pass
    return False


def objects_in_a_row(data: bytes, prefix: str) -> Iterator[tuple[int, bytes]]:
    r"""Objects one after another, each with the number of the line it begins on.

    Raises
    ------
    ParseError
        If one is not whole, with the place of the fault.

    Examples
    --------
    >>> list(objects_in_a_row(b'{\n"item": 1\n}\n{"item": 2}', "a.json:"))
    [(1, b'{\n"item": 1\n}'), (4, b'{"item": 2}')]
    """
    from demur.formats.broken_values import LENIENT

    text = data.decode().rstrip()
    at, line = 0, 1
    while at < len(text):
        start = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        line += text.count("\n", at, start)
        try:
            _, at = LENIENT.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            from demur.formats.json_faults import not_whole

            raise not_whole(text, error, f"{prefix}{line}", prefix) from None
        yield line, text[start:at].encode()
        line += text.count("\n", start, at)


# -- columns -----------------------------------------------------------------------


def _by_struct(wanted: Wanted) -> tuple[Any, Callable[[_Rows, bytes], _Columns]]:
    """A type that skips all but the wanted fields, and what makes them columns."""
    names = list(_struct_names(wanted))
    rename = {f"field_{at}": name for at, name in enumerate(names)}
    typed: list[Any] = [(field, Any, UNSET) for field in rename]
    record = msgspec.defstruct("Record", typed, rename=rename, gc=False)

    getters = {name: attrgetter(field) for field, name in rename.items()}
    keys = {name: msgspec.json.encode(name) for name in names}

    def transposed(rows: _Rows, payload: bytes) -> _Columns:
        # Most fields are in no record; with a backslash a key may be written otherwise.
        any_key = b"\\" in payload
        there = [name for name in names if any_key or keys[name] in payload]
        return {name: tuple(map(getters[name], rows)) for name in there}

    return record, transposed


def _struct_names(wanted: Wanted) -> dict[str, None]:
    return dict.fromkeys([*wanted.own(), *(wanted.groups or ()), *wanted.selecting()])


def _can_rename(name: str) -> bool:
    return name.isprintable() and "\\" not in name and '"' not in name


def _by_mapping(wanted: Wanted) -> tuple[Any, Callable[[_Rows, bytes], _Columns]]:
    """A type with all fields, and what makes the wanted ones columns."""

    def transposed(rows: _Rows, payload: bytes) -> _Columns:  # noqa: ARG001
        return {
            name: [row.get(name, UNSET) for row in rows]
            for name in dict.fromkeys(chain.from_iterable(rows))
            if wanted.keeps(name) or name in wanted.selecting()
        }

    return dict[str, Any], transposed


def _may_be_long(payload: bytes) -> bool:
    """Whether a number in a text may have more digits than a float holds."""
    return b"0" * LONG in payload.translate(_OF_NUMBERS)


def _with_values(columns: _Columns) -> _Columns:
    return {name: values for name, values in columns.items() if _present(values)}


def _names(name: str) -> bool:
    """Whether what the column holds are names, which must not lose digits."""
    return column_type(name) not in _NUMERIC


def column_of(name: str, values: Sequence[Any], place: Place) -> Column:
    """Values as an array; a field that each record needs may not be left out (UNSET).

    Raises
    ------
    InputError
        If it is, or a value is not what the column must hold.

    Examples
    --------
    >>> column_of("confidence", [0.5, UNSET], "row {}".format).tolist()
    [0.5, nan]
    """
    if UnsetType in set(map(type, values)):
        if name in NEEDED:
            raise headings.absent(place(values.index(UNSET)), name)
        values = _nulls(values)
    return from_values(name, values, place)


def _present(values: Sequence[Any]) -> bool:
    return values[0] is not UNSET or values.count(UNSET) < len(values)


def _nulls(values: Sequence[Any]) -> list[Any]:
    """The same values, None for what was left out."""
    return [None if value is UNSET else value for value in values]


# -- keys --------------------------------------------------------------------------


def counted_keys(rows: Sequence[Any]) -> Counter[str]:
    """How often each key occurs in records, those within their values included."""
    counts: Counter[str] = Counter()
    within = list(rows)
    while within:
        value = within.pop()
        if isinstance(value, dict):
            counts.update(value.keys())
            value = value.values()
        within.extend(element for element in value if isinstance(element, (dict, list)))
    return counts


def check_keys(
    payload: bytes, numbers: Sequence[int], counts: Mapping[str, int], prefix: str
) -> None:
    r"""Raise if an object has a key twice, of which decoders would lose the first.

    Parameters
    ----------
    payload : bytes
        The text of the records, with nothing but blanks between them.
    numbers : sequence of int
        The line number of each record.
    counts : mapping of key to int
        How often each key was found; keys that do not matter may be left out.
    prefix : str
        What stands before the line number.

    Raises
    ------
    ParseError
        With the line and the key.

    Examples
    --------
    >>> check_keys(b'{"item": 1, "item": 2}', [7], {"item": 1}, "a.jsonl:")
    Traceback (most recent call last):
    ...
    demur.errors.ParseError: a.jsonl:7: the key 'item' must stand once in an object;
    got it twice. Rename one.
    """
    keys = {msgspec.json.encode(name): count for name, count in counts.items()}
    # Counting the bytes of a key is far faster than reading all objects again, and
    # finds at least as many: a key may also stand in a text.
    plain = b"\\u" not in payload or (
        all(map(bytes.isascii, keys)) and not _ESCAPED.search(payload)
    )
    few = len(keys) <= _MOST_SOUGHT  # for more it is as fast to read all again
    counts_fit = (payload.count(key) <= count for key, count in keys.items())
    if plain and few and all(counts_fit):
        return
    text, at = payload.decode(), 0
    for number in numbers:
        once = partial(_once, f"{prefix}{number}", counts)
        start = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        _, at = json.JSONDecoder(object_pairs_hook=once).raw_decode(text, start)


def _once(place: str, counts: Mapping[str, int], pairs: list[tuple[str, Any]]) -> None:
    names = [name for name, _ in pairs]
    if len(set(names)) == len(names):
        return
    for name, count in Counter(names).items():
        if count > 1 and name in counts:
            raise key_twice(place, name)


def key_twice(place: str, name: str) -> ParseError:
    """The error for a key that an object has twice."""
    what, need = f"the key {shown(name)}", "stand once in an object"
    return ParseError(place, what, need, "it twice", "Rename one.")


RAISED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)
"""What decoding may raise."""

_ESCAPED: Final = re.compile(rb"\\u00[2-7]")
"""A plain character that is written as an escape, as no program does."""

_MOST_SOUGHT: Final = 50

_BETWEEN: Final = re.compile(r"[\s,]*")

_BLANKS: Final = re.compile(r"\s*")
