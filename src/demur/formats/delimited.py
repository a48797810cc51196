"""Delimited text with a header: comma, tab or semicolon."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, ClassVar, Final

from demur.errors import ParseError, shown
from demur.formats.streams import RowBlock, Stream, Wanted, block, nothing
from demur.outcomes.columns import from_cells
from demur.outcomes.values import cell_rule
from demur.results import printable

DELIMITERS: Final = {",": "comma", "\t": "tab", ";": "semicolon"}

_AT_ONCE: Final = 8192
_LONGEST_CELL: Final = 2**31 - 1
_Rows = list[list[str]]


class DelimitedTable:
    """Delimited text, open for reading once.

    Parameters
    ----------
    stream : Stream
        With a header in its first line.

    Raises
    ------
    ParseError
        If a column has no name, or two have the same.
    """

    words: ClassVar[str] = "CSV, TSV"

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:"
        lines = _lines(stream)
        self._longest = stream.at_once
        self._skipped, first = _first_line(lines)
        delimiter = _delimiter(first)
        text = chain([first], lines)
        self._reader = csv.reader(text, delimiter=delimiter, strict=True)
        self._delimiter = DELIMITERS[delimiter]
        self._names = self._header()

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so."""
        return bool(head)  # any text: the last of the formats

    def names(self) -> list[str]:
        """Names of the columns."""
        return self._names

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, each with its line number; empty cells are None."""
        rules = [(name, cell_rule(name)) for name in self._names]
        for numbers, rows in self._rows():
            for number, row in zip(numbers, rows, strict=True):
                place = f"{self.prefix}{number}"
                yield (
                    number,
                    {
                        name: cell or None if rule is None else rule(name, cell, place)
                        for (name, rule), cell in zip(rules, row, strict=True)
                    },
                )

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns."""
        kept = [
            (at, name)
            for at, name in enumerate(self._names)
            if wanted.keeps(name) or name in wanted.selecting()
        ]
        for numbers, rows in self._rows():
            columns = list(zip(*rows, strict=True))
            raw = {name: columns[at] for at, name in kept}
            yield block(raw, numbers, wanted, self.prefix, from_cells)

    # -- rows ----------------------------------------------------------------------

    def _header(self) -> list[str]:
        numbers, rows = self._some(1)
        self._again = _repeats(rows[0])
        names = [cell.strip() for cell in rows[0]]
        place = f"{self.prefix}{numbers[0]}"
        seen: set[str] = set()
        for at, name in enumerate(names):
            need = "name every column, each differently"
            if not name:
                hint = "Name it, or leave it out (pandas: index=False)."
                got = f"no name for column {at + 1}"
                raise ParseError(place, "the header", need, got, hint)
            if name in seen:
                got = f"{shown(name)} twice"
                raise ParseError(place, "the header", need, got, "Rename one.")
            seen.add(name)
        return names

    def _rows(self) -> Iterator[tuple[Sequence[int], _Rows]]:
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
        # The limit is one for the whole process, so it is put back at once.
        limit = csv.field_size_limit(min(_LONGEST_CELL, self._longest))
        try:
            for row in islice(self._reader, most):
                numbers.append(begins)
                rows.append(row)
                begins = self._next_line()
        except csv.Error as error:
            hint = "Quotes around a cell come in pairs; double those within."
            need = f"be delimited text ({self._delimiter})"
            got = printable(str(error))
            place = f"{self.prefix}{begins}"
            raise ParseError(place, "the row", need, got, hint) from None
        finally:
            csv.field_size_limit(limit)
        return numbers, rows

    def _next_line(self) -> int:
        return self._skipped + self._reader.line_num + 1

    def _checked(
        self, numbers: Sequence[int], rows: _Rows
    ) -> tuple[Sequence[int], _Rows]:
        for header in self._again:
            if header in rows:
                place = f"{self.prefix}{numbers[rows.index(header)]}"
                need, got = "be data", "the header again"
                hint = "Two files were joined: leave out the header of the second."
                raise ParseError(place, "the row", need, got, hint)
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
                need = f"have {n_columns} cells, as the header has ({self._delimiter})"
                hint = "A cell that holds the delimiter or a line break needs quotes."
                place, got = f"{self.prefix}{number}", str(len(row))
                raise ParseError(place, "the row", need, got, hint)
        return [number for number, _ in kept], [row for _, row in kept]


def _repeats(header: list[str]) -> tuple[list[str], ...]:
    """Rows that are a header again, from a file that was appended, maybe with a mark.

    A file of one column may well hold the name of it.
    """
    if len(header) < 2:
        return ()
    return header, [f"\ufeff{header[0]}", *header[1:]]


def _lines(stream: Stream) -> Iterator[str]:
    for _, text in stream.blocks():
        yield from io.StringIO(text.decode(), newline="")


def _first_line(lines: Iterator[str]) -> tuple[int, str]:
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
