"""Delimited text with a header: comma, tab or semicolon."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, ClassVar, Final, NamedTuple

from demur.errors import InputError, ParseError, shown
from demur.formats.json_lines import SKETCH
from demur.formats.streams import (
    RecordFile,
    RowBlock,
    Stream,
    Wanted,
    block,
    nothing,
    places,
)
from demur.outcomes.columns import from_cells
from demur.results import printable

DELIMITERS: Final = {",": "comma", "\t": "tab", ";": "semicolon"}

_EXPORT: Final = "Unpack it, or export it as one of these."

FOREIGN: Final = {
    b"BZh": ("a bzip2 file", _EXPORT),
    b"\xfd7zXZ\x00": ("an xz file", _EXPORT),
    b"SQLite format 3": (
        "an SQLite database",
        f"{_EXPORT} Of a store of demur keep name a run: FILE.sqlite:RUN.",
    ),
    b"ARROW1": (
        "an Arrow file",
        "pandas.read_feather(FILE).to_parquet(NEW) makes one of these.",
    ),
    b"\xff\xff\xff\xff": (
        "an Arrow stream, as in a saved data set",
        "datasets.Dataset.from_file(FILE).to_parquet(NEW) makes one of these.",
    ),
    b"%PDF": ("a PDF file", _EXPORT),
    SKETCH: ("a sketch", "demur curve, choose, score and recheck take FILE.sketch."),
}
"""How files begin that are no text, though nothing else reads them; what to do."""

_AT_ONCE: Final = 8192
_LEAST_BESIDE_INDEX: Final = 3
"""A first column without a name, as pandas writes its index, stands beside others."""
_STATED: Final = re.compile(r'"?sep=([,;\t])"?')
"""The first line of Excel that says what stands between cells."""
_LONGEST_CELL: Final = 2**31 - 1
_Rows = list[list[str]]


class Layout(NamedTuple):
    """How delimited text is laid out, before the first row is read.

    Parameters
    ----------
    delimiter : str
        What stands between cells.
    columns : tuple of str
        Their names, in order; empty for a first one without a name.
    n_rows : int
        Rows above those of data: blank lines, one that states the delimiter, and the
        header, which may go over several lines.
    """

    delimiter: str
    columns: tuple[str, ...]
    n_rows: int


class DelimitedTable(RecordFile):
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
    of_texts: ClassVar[bool] = True
    _begun: _Rows = []  # noqa: RUF012  (the first rows, never changed)

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:"
        stream.legacy = True
        lines = _lines(stream)
        self._longest = stream.at_once
        self._skipped, first = _first_line(lines)
        above, begun = _above_header(first, lines)
        self._skipped += len(above)
        lines, first = chain(begun[1:], lines), begun[0]
        delimiter = _delimiter(first)
        if stated := _STATED.fullmatch(first.strip("\r\n")):
            delimiter, self._skipped = stated[1], self._skipped + 1
            text = lines
        else:
            text = chain([first], lines)
        self._reader = csv.reader(text, delimiter=delimiter, strict=True)
        self._delimiter = DELIMITERS[delimiter]
        self._columns = self._header()
        self._names = [name for name in self._columns if name]
        titles = tuple(
            f"a line above the header is left out: {shown(_cells(line)[0].strip())}"
            for line in above
            if any(_filled(line))
        )
        unnamed = len(self._names) < len(self._columns)
        self._unread = titles + ("column 1 has no name and is not read",) * unnamed
        from demur.formats.written_cells import WrittenCells

        self._stream, self._written = stream, WrittenCells()

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """How it was decoded, and cells read that are written in other ways."""
        return [*self._unread, *self._stream.notes, *self._written.notes]

    @property
    def layout(self) -> "Layout":
        """How its text is laid out, for other readers."""
        delimiter = next(
            sign for sign, name in DELIMITERS.items() if name == self._delimiter
        )
        return Layout(delimiter, tuple(self._columns), self._skipped + 1)

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so."""
        return bool(head)  # any text: the last of the formats

    def names(self) -> list[str]:
        """Names of the columns."""
        return self._names

    def beginning(self) -> list[dict[str, str]]:
        """The first rows, every value a text."""
        rows = (zip(self._columns, row, strict=True) for row in self._begun)
        return [{name: cell for name, cell in row if name} for row in rows]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, each with its line number; empty cells are None."""
        return self._written.records(self.cells(), self.prefix, self.beginning)

    def cells(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, every value a text; empty cells are None."""
        for numbers, rows in self._rows():
            for number, row in zip(numbers, rows, strict=True):
                cells = (cell or None for cell in row)
                record = dict(zip(self._columns, cells, strict=True))
                record.pop("", None)
                yield number, record

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns."""
        kept = [
            (at, name)
            for at, name in enumerate(self._columns)
            if name and (wanted.keeps(name) or name in wanted.selecting())
        ]
        for numbers, rows in self._rows():
            columns = list(zip(*rows, strict=True))
            place = places(self.prefix, numbers)
            try:
                raw = {
                    name: self._written.column(name, columns[at], place)
                    for at, name in kept
                }
                rows_block = block(raw, numbers, wanted, self.prefix, from_cells)
            except InputError as error:
                raise self._with_cells(error, columns) from None
            yield rows_block

    def _with_cells(
        self, error: InputError, columns: Sequence[Sequence[str]]
    ) -> InputError:
        """The error for a cell, with what the cells of its column may mean."""
        if error.what not in self._columns:
            return error
        from demur.outcomes.proposed_forms import with_forms

        return with_forms(error, columns[self._columns.index(error.what)])

    def columns(
        self, wanted: Wanted
    ) -> Iterator[tuple[Sequence[int], dict[str, Sequence[Any]]]]:
        """The wanted columns as they stand: texts, None for empty cells."""
        kept = [
            (at, name)
            for at, name in enumerate(self._columns)
            if name and (wanted.keeps(name) or name in wanted.selecting())
        ]
        for numbers, rows in self._rows():
            yield (
                numbers,
                {name: [row[at] or None for row in rows] for at, name in kept},
            )

    # -- rows ----------------------------------------------------------------------

    def _header(self) -> list[str]:
        numbers, rows = self._some(1)
        self._again = _repeats(rows[0])
        names = [cell.strip() for cell in rows[0]]
        place = f"{self.prefix}{numbers[0]}"
        seen: set[str] = set()
        for at, name in enumerate(names):
            need = "name every column, each differently"
            if not name and (at or len(names) < _LEAST_BESIDE_INDEX):
                hint = "Name it, or leave it out (pandas: index=False)."
                got = f"no name for column {at + 1}"
                raise ParseError(place, "the header", need, got, hint)
            if name and name in seen:
                got = f"{shown(name)} twice"
                raise ParseError(place, "the header", need, got, "Rename one.")
            seen.add(name)
        return names

    def _rows(self) -> Iterator[tuple[Sequence[int], _Rows]]:
        held: tuple[list[int], _Rows] = [], []  # empty, unless others follow
        while (read := self._some(_AT_ONCE))[0]:
            numbers, rows = self._checked(*read)
            n_filled = len(rows) if len(self._columns) == 1 else _n_filled(rows)
            if n_filled:
                filled = [*held[0], *numbers[:n_filled]], [*held[1], *rows[:n_filled]]
                held = [], []
                self._begun = self._begun or filled[1]
                yield filled
            held[0].extend(numbers[n_filled:])
            held[1].extend(rows[n_filled:])
        if not self._begun:
            raise nothing(self.name, "a header and no rows")
        if held[0]:
            rows_are = (
                "1 empty row" if len(held[0]) == 1 else f"{len(held[0])} empty rows"
            )
            self._unread += (f"{rows_are} at the end left out (line {held[0][0]} on)",)

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
        n_columns = len(self._columns)
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


def _n_filled(rows: _Rows) -> int:
    """How many rows there are down to the last one that holds something."""
    n_rows = len(rows)
    while n_rows and not any(map(str.strip, rows[n_rows - 1])):
        n_rows -= 1
    return n_rows


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


def _above_header(
    first: str, lines: Iterator[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """The title of a table and what else stands above its header, and what follows.

    A title is a line with one cell, above one with more; several are titles if a blank
    line is below them.

    Examples
    --------
    >>> _above_header("Autumn 2024;;", iter(["", "item;correct", "q1;true"]))
    (['Autumn 2024;;', ''], ['item;correct'])
    >>> _above_header("item;correct", iter(["q1;true"]))
    ([], ['item;correct'])
    """
    read = [first]
    n_titles = 0
    for _ in range(_MOST_TITLES):
        is_blank = not any(_filled(read[-1]))
        if not (is_blank or _is_title(read[-1])):
            break
        n_titles += not is_blank
        following = next(lines, None)
        if following is None:
            return [], read
        read.append(following)
    is_table = sum(_filled(read[-1])) > 1
    if n_titles and is_table and (n_titles == 1 or not any(_filled(read[-2]))):
        return read[:-1], read[-1:]
    return [], read


_MOST_TITLES: Final = 8


def _cells(line: str) -> list[str]:
    return max((line.strip("\r\n").split(sign) for sign in DELIMITERS), key=len)


def _filled(line: str) -> list[bool]:
    return [bool(cell.strip(' "')) for cell in _cells(line)]


def _is_title(line: str) -> bool:
    """Whether only the first cell of a line is filled, and with no name of ours."""
    first, *others = _filled(line)
    if _STATED.fullmatch(line.strip("\r\n")):
        return False
    return first and not any(others) and _cells(line)[0].strip(' "') not in _COMMON


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
