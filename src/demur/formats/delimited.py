"""Delimited text with a header: comma, tab or semicolon."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final

from demur.errors import ParseError, shown
from demur.formats import headings, raw_columns
from demur.formats.streams import Stream
from demur.formats.tables import RowBlock, Wanted, block, nothing
from demur.outcomes import fields

DELIMITERS: Final = {",": "comma", "\t": "tab", ";": "semicolon"}

_AT_ONCE: Final = 8192
_LONGEST_CELL: Final = 2**31 - 1
_Rows = list[list[str]]


class DelimitedTable:
    """Delimited text, open for reading once.

    Parameters
    ----------
    stream : Stream
        Of the form ``delimited``.

    Raises
    ------
    ParseError
        If a column has no name, or two have the same.
    """

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:"
        lines = _lines(stream)
        self._skipped, first = _first_line(lines)
        delimiter = _delimiter(first)
        self._reader = csv.reader(
            chain([first], lines), delimiter=delimiter, strict=True
        )
        self._delimiter = DELIMITERS[delimiter]
        self._names = self._header()

    def found(self) -> list[str]:
        """Names of the columns."""
        return self._names

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, each with its line number; empty cells are None."""
        readers = [_RECORD_CELLS.get(name, _text) for name in self._names]
        named = list(zip(self._names, readers, strict=True))
        for numbers, rows in self._rows():
            for number, row in zip(numbers, rows, strict=True):
                place = f"{self.prefix}{number}"
                yield (
                    number,
                    {
                        name: read(name, cell, place)
                        for (name, read), cell in zip(named, row, strict=True)
                    },
                )

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns."""
        kept = [
            (at, name)
            for at, name in enumerate(self._names)
            if wanted.keeps(name) or name in wanted.selection.wanted
        ]
        for numbers, rows in self._rows():
            columns = list(zip(*rows, strict=True))
            raw = {name: columns[at] for at, name in kept}
            yield block(raw, numbers, wanted, self.prefix, raw_columns.from_cells)

    # -- rows ----------------------------------------------------------------------

    def _header(self) -> list[str]:
        numbers, rows = self._some(1)
        names = [cell.strip() for cell in rows[0]]
        place = f"{self.prefix}{numbers[0]}"
        for at, name in enumerate(names):
            must = "name every column, each differently"
            if not name:
                hint = "Name it, or leave it out (pandas: index=False)."
                got = f"no name for column {at + 1}"
                raise ParseError(place, "the header", must, got, hint)
            if name in names[:at]:
                got = f"{shown(name)} twice"
                raise ParseError(place, "the header", must, got)
        return names

    def _rows(self) -> Iterator[tuple[Sequence[int], _Rows]]:
        """Line numbers and rows, some thousand at a time."""
        empty = True
        while (read := self._some(_AT_ONCE))[0]:
            numbers, rows = self._checked(*read)
            if rows:
                empty = False
                yield numbers, rows
        if empty:
            raise nothing(self.name, "a header and no rows")

    def _some(self, most: int) -> tuple[list[int], _Rows]:
        """The next rows, blank ones too, and the lines they begin on."""
        numbers, rows = [], []
        begins = self._next_line()
        limit = csv.field_size_limit(_LONGEST_CELL)
        try:
            for row in islice(self._reader, most):
                numbers.append(begins)
                rows.append(row)
                begins = self._next_line()
        except csv.Error as error:
            hint = "Quotes around a cell come in pairs; double those within."
            must = f"be delimited text ({self._delimiter})"
            got = headings.printable(str(error))
            raise ParseError(
                f"{self.prefix}{begins}", "the row", must, got, hint
            ) from None
        finally:
            csv.field_size_limit(limit)
        return numbers, rows

    def _next_line(self) -> int:
        return self._skipped + self._reader.line_num + 1

    def _checked(
        self, numbers: Sequence[int], rows: _Rows
    ) -> tuple[Sequence[int], _Rows]:
        """The rows that are not blank, all of the right length."""
        n_columns = len(self._names)
        if {len(row) for row in rows} == {n_columns}:
            return numbers, rows
        kept = [
            (number, row)
            for number, row in zip(numbers, rows, strict=True)
            if len(row) == n_columns or any(cell.strip() for cell in row)
        ]
        for number, row in kept:
            if len(row) != n_columns:
                must = f"have {n_columns} cells, as the header has ({self._delimiter})"
                hint = "A cell that holds the delimiter or a line break needs quotes."
                place, got = f"{self.prefix}{number}", str(len(row))
                raise ParseError(place, "the row", must, got, hint)
        return [number for number, _ in kept], [row for _, row in kept]


def _lines(stream: Stream) -> Iterator[str]:
    for _, text in stream.blocks():
        yield from io.StringIO(text.decode(), newline="")


def _first_line(lines: Iterator[str]) -> tuple[int, str]:
    """How many blank lines there are, and the first that is not."""
    for n_blank, line in enumerate(lines):
        if line.strip():
            return n_blank, line
    return 0, ""


def _delimiter(header: str) -> str:
    """The delimiter that makes most of a header.

    Examples
    --------
    >>> _delimiter("item;outcome;a, b, c, d")
    ';'
    """

    def made(delimiter: str) -> tuple[bool, int]:
        names = [name.strip() for name in header.strip("\r\n").split(delimiter)]
        return any(name.strip('"') in _COMMON for name in names), len(names)

    return max(DELIMITERS, key=made)


_COMMON: Final = ("item", "outcome", "correct", "response", "reference", "references")

# -- cells of single records -------------------------------------------------------


def _number(name: str, cell: str, place: str) -> float | None:
    return fields.number_cell(name, cell, place) if cell.strip() else None


def _text(name: str, cell: str, place: str) -> str | None:  # noqa: ARG001
    return cell or None


def _array(name: str, cell: str, place: str) -> Any:
    """A JSON array in a cell."""
    if not cell.strip():
        return None
    value = _json(name, cell, place)
    if isinstance(value, list):
        return value
    hint = 'Write ["one", "another"], or name the column reference.'
    raise ParseError(place, name, "be a JSON array", shown(cell), hint)


def _json(name: str, cell: str, place: str) -> Any:  # noqa: ARG001
    """What JSON in a cell holds; any other text as it is."""
    try:
        return json.loads(cell, parse_constant=_refuse) if cell else None
    except (ValueError, RecursionError):
        return cell


def _table(name: str, cell: str, place: str) -> Any:
    """A JSON array or number in a cell; any other text as it is, with its quotes."""
    value = _json(name, cell, place)
    return cell if isinstance(value, (str, dict)) else value


def _list(name: str, cell: str, place: str) -> Any:
    """A JSON array in a cell; any other text as it is."""
    value = _json(name, cell, place)
    return value if isinstance(value, list) else cell or None


def _refuse(constant: str) -> None:
    """NaN and Infinity, which Python reads, are no JSON."""
    raise ValueError(constant)


_CellReader = Callable[[str, str, str], Any]

_RECORD_CELLS: Final[Mapping[str, _CellReader]] = {
    "confidence": _number,
    "weight": _number,
    "declined": fields.flag_cell,
    "answerable": fields.flag_cell,
    "references": _array,
    "sqls": _list,
    "max_sqls": _list,
    "db": _list,
    "min": _table,
    "max": _table,
}
"""How cells are read that are more than text, in responses and references."""
