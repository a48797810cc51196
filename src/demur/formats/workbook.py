"""Excel workbooks (``.xlsx``), by way of openpyxl; the sheet with the table is read."""

import datetime
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Final

from demur.checks import not_a_choice
from demur.errors import InputError, ParseError, extra_module, shown
from demur.formats.streams import (
    ZIP,
    RecordFile,
    RowBlock,
    Stream,
    Wanted,
    nothing,
    too_large,
)
from demur.outcomes.fields import FIELDS
from demur.results import printable

_LOOKED_AT: Final = 20
_LEAST: Final = 2
_WORDS: Final = frozenset(
    word for name, field in FIELDS.items() for word in (name, *field.also)
)
_MAIN: Final = "xl/workbook.xml"

_Row = tuple[Any, ...]


class Workbook(RecordFile):
    """A workbook, open for reading once.

    Parameters
    ----------
    stream : Stream
        Whose file is a zip archive.
    sheet : str
        The name of the sheet, or its number; the one with the table if empty.
    columns : sequence of sequences of str
        Of each, one is a column of the table that is meant, if a sheet has them all.

    Raises
    ------
    MissingExtra
        If openpyxl is not installed.
    InputError
        If several sheets may be meant, or there is none of that name.
    ParseError
        If it is no workbook, damaged, or has no table.
    """

    words: ClassVar[str] = "Excel (.xlsx)"
    of_texts: ClassVar[bool] = True

    def __init__(
        self, stream: Stream, sheet: str = "", columns: Sequence[Sequence[str]] = ()
    ) -> None:
        self.name = stream.name
        if sheet:
            self.recipe = {"log": f"workbook(sheet={sheet})"}
        has_formulas, merged = _checked(stream)
        self._notes: list[str] = []
        from demur.formats.written_cells import WrittenCells

        self._written = WrittenCells()
        sheets = self._sheets(stream, sheet, values=True)
        title, self._rows, self._start = self._table(sheets, columns)
        self._fill(merged.get(self._parts[title], ()))
        self.prefix = f"{stream.name}:{title}:"
        header = self._rows[self._start]
        self._columns = _columns(header, f"{self.prefix}{self._start + 1}")
        self._formulas: list[_Row] = []
        if has_formulas:
            self._formulas = dict(self._sheets(stream, sheet, values=False))[title]

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so; whether the archive is a workbook is seen then."""
        return head.startswith(ZIP)

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """Which sheet was read, and cells that are written in other ways."""
        return [*self._notes, *self._written.notes]

    def names(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns.values())

    def beginning(self) -> list[dict[str, Any]]:
        """All rows."""
        return [record for _, record in self.cells()]

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns."""
        from demur.formats.record_blocks import blocks_of

        return blocks_of(self.records(), wanted, self.prefix)

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, texts read as cells of delimited text are."""
        return self._written.records(self.cells(), self.prefix, self.beginning)

    def cells(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows down to the first that is empty, as they stand.

        Raises
        ------
        InputError
            If rows like these follow below it: they would be lost.
        """
        body = self._rows[self._start + 1 :]
        rows = list(takewhile(lambda row: any(v is not None for v in row), body))
        if not rows:
            raise nothing(self.name, "a header and no rows")
        below = body[len(rows) :]
        left = sum(any(v is not None for v in row) for row in below)
        alike = sum(map(self._is_full, below))
        if alike:
            place = f"{self.prefix}{self._start + 2 + len(rows)}"
            are = (
                "1 row like those above it stands"
                if alike == 1
                else (f"{alike:,} rows like those above it stand")
            )
            got = f"none, and {are} below"
            hint = "Delete this row, or what is below it and not to be read."
            raise InputError(place, "the row", "hold values", got, hint)
        if left:
            are = "1 row" if left == 1 else f"{left:,} rows"
            verb = "is" if left == 1 else "are"
            self._notes.append(f"{are} below the first empty one {verb} not read")
        for number, row in enumerate(rows, self._start + 2):
            yield (
                number,
                {
                    name: self._value(row, at, name, number)
                    for at, name in self._columns.items()
                },
            )

    def _is_full(self, row: _Row) -> bool:
        """Whether half of the columns are filled, as in no sum or legend of a table."""
        filled = sum(at < len(row) and row[at] is not None for at in self._columns)
        return filled >= max(2, len(self._columns) / 2)

    def _value(self, row: _Row, at: int, name: str, number: int) -> Any:
        value = row[at] if at < len(row) else None
        place = f"{self.prefix}{number}"
        if value is None and self._is_formula(number, at):
            need, hint = "have a value", "Open it in Excel and save it: that counts."
            raise InputError(place, name, need, "a formula without one", hint)
        if isinstance(value, str) and value.startswith("#") and value in _ERRORS:
            need = "be a value"
            hint = "Mend the formula, or empty the cell."
            raise InputError(place, name, need, f"the error {value}", hint)
        if isinstance(value, float) and value.is_integer() and name == "item":
            return int(value)
        if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
            return value.isoformat().removesuffix("T00:00:00")
        return value

    def _is_formula(self, number: int, at: int) -> bool:
        if number > len(self._formulas):
            return False
        row = self._formulas[number - 1]
        value = row[at] if at < len(row) else None
        return value is not None

    # -- the sheet ---------------------------------------------------------------------

    def _sheets(
        self, stream: Stream, wanted: str, *, values: bool
    ) -> list[tuple[str, list[_Row]]]:
        """The sheets that can be meant: the wanted one, or all that can be seen."""
        openpyxl = extra_module("openpyxl", "excel", f"reading {stream.name}")
        stream.file.seek(0)
        try:
            book = openpyxl.load_workbook(stream.file, read_only=True, data_only=values)
            sheets = _meant(stream.name, book.worksheets, wanted)
            # What openpyxl calls a sheet's part only itself needs to know, but no sheet
            # that is read row by row says which of its cells are merged.
            self._parts = {sheet.title: sheet._worksheet_path for sheet in sheets}
            return [(sheet.title, _held_rows(sheet, stream)) for sheet in sheets]
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001  (it raises whatever its parts do)
            raise _damaged(stream.name, error) from None

    def _fill(self, merged: Sequence[str]) -> None:
        """Give what stands in a merged cell to each of its rows below the header."""
        rows = [list(row) for row in self._rows]
        filled = False
        for cells in merged:
            left, top, _, bottom = _bounds(cells)
            if not self._start < top - 1 < len(rows) or bottom == top:
                continue
            value = next(iter(rows[top - 1][left - 1 : left]), None)
            for row in rows[top:bottom]:
                row += [None] * (left - len(row))
                row[left - 1] = value
            filled |= value is not None
        self._rows = [tuple(row) for row in rows]
        if filled:
            self._notes.append("what stands in a merged cell is read in all its rows")

    def _table(
        self, sheets: list[tuple[str, list[_Row]]], columns: Sequence[Sequence[str]]
    ) -> tuple[str, list[_Row], int]:
        """The sheet with these columns or most words of ours, and where they stand."""
        named = [(0, _named(rows, columns), title, rows) for title, rows in sheets]
        tables = [table for table in named if table[1] >= 0] or [
            (*_header(rows), title, rows) for title, rows in sheets
        ]
        tables = [table for table in tables if table[1] >= 0]
        if not tables:
            raise nothing(self.name, "a workbook without a table")
        most = max(known for known, *_ in tables)
        best = [table for table in tables if table[0] == most]
        if len(best) > 1:
            listed = ", ".join(title for _, _, title, _ in best)
            hint = f"Say which one: --log '{_sheet_text(best[0][2], sheets)}'."
            need = "stand on one visible sheet"
            raise InputError(self.name, "the table", need, listed, hint)
        _, start, title, rows = best[0]
        others = [other for other, _ in sheets if other != title]
        if others:
            listed = ", ".join(map(shown, others))
            self._notes.append(f"the sheet {shown(title)} is read, not {listed}")
        return title, rows, start


def _meant(name: str, sheets: Sequence[Any], wanted: str) -> list[Any]:
    """The sheet of a name or number, or all that can be seen."""
    visible = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
    if not wanted:
        return visible
    titles = {sheet.title: sheet for sheet in sheets}
    numbered = {str(number): sheet for number, sheet in enumerate(visible, 1)}
    sheet = {**numbered, **titles}.get(wanted)
    if sheet is None:
        raise not_a_choice(name, "the sheet", wanted, list(titles))
    return [sheet]


def _sheet_text(title: str, sheets: Sequence[tuple[str, Any]]) -> str:
    """How a sheet is named, by its number if its name cannot be typed."""
    number = [other for other, _ in sheets].index(title) + 1
    typed = title if re.fullmatch(r"[\w .-]+", title) else str(number)
    return f"workbook(sheet={typed})"


def _bounds(cells: str) -> tuple[int, int, int, int]:
    """The first column and row of a range of cells, and the last ones.

    Examples
    --------
    >>> _bounds("A2:AB3")
    (1, 2, 28, 3)
    """
    found = re.findall(r"([A-Z]+)(\d+)", cells)
    (left, top), (right, bottom) = found[0], found[-1]
    return _column(left), int(top), _column(right), int(bottom)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


_ERRORS: Final = frozenset(
    ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"]
)


def _held_rows(sheet: Any, stream: Stream) -> list[_Row]:
    """The rows of a sheet without empty cells at their ends, within limits.

    A sheet may name a row or a column far away in a few bytes; all before it are empty.
    """
    rows: list[_Row] = []
    held = 0
    for row in sheet.iter_rows(values_only=True):
        width = len(row)
        while width and row[width - 1] is None:
            width -= 1
        rows.append(row[:width])
        held += _OF_ROW + _OF_CELL * width
        if held > stream.at_once:
            where = f"{stream.name}:{printable(sheet.title)}"
            raise too_large(where, "a sheet", stream.at_once)
    return rows


_OF_ROW, _OF_CELL = 64, 8
"""Bytes that a row and a cell take in memory, at least."""


def _header(rows: Sequence[_Row]) -> tuple[int, int]:
    """How many names of a header are known, and its row; -1 if there is none.

    Below the first row that may be one, only names count that are no values: those are
    written again in their column, or stand beside numbers.
    """
    best = (-1, -1)
    for at, row in enumerate(rows[:_LOOKED_AT]):
        texts = {cell: text for cell, text in enumerate(row) if _is_text(text)}
        if len(texts) < _LEAST:
            continue
        if best[1] >= 0:
            numbers = any(isinstance(cell, (bool, int, float)) for cell in row)
            beside = [other for other in rows[:_LOOKED_AT] if other is not row]
            texts = {
                cell: text
                for cell, text in texts.items()
                if not numbers and (text,) not in [r[cell : cell + 1] for r in beside]
            }
        known = len({text.strip().casefold() for text in texts.values()} & _WORDS)
        if known > best[0]:
            best = (known, at)
    return best


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str) and bool(cell.strip())


def _named(rows: Sequence[_Row], columns: Sequence[Sequence[str]]) -> int:
    """The row in which one of each of these stands; -1 if there is none."""
    for at, row in enumerate(rows[:_LOOKED_AT]):
        names = {cell.strip() for cell in row if _is_text(cell)}
        if columns and all(not names.isdisjoint(among) for among in columns):
            return at
    return -1


def _columns(header: _Row, place: str) -> dict[int, str]:
    """The names of columns by position; those without one are not read."""
    columns: dict[int, str] = {}
    for at, value in enumerate(header):
        name = "" if value is None else str(value).strip()
        if name and name in columns.values():
            need, got = "name every column, each differently", f"{shown(name)} twice"
            raise ParseError(place, "the header", need, got, "Rename one.")
        if name:
            columns[at] = name
    return columns


def _checked(stream: Stream) -> tuple[bool, dict[str, list[str]]]:
    """Whether a workbook has formulas, and the merged cells of each of its parts.

    Its parts are unpacked once, within limits.
    """
    from demur.formats.zips import Archive

    archive = Archive(stream)
    names = archive.names()
    if _MAIN not in names:
        need, got = "be a workbook (.xlsx) or a log", "a zip archive that is neither"
        hint = "Unpack it, and name the files in it."
        raise ParseError(stream.name, "the file", need, got, hint)
    extra_module("openpyxl", "excel", f"reading {stream.name}")
    # All are unpacked, whatever their names: openpyxl reads what the book names.
    has_formulas, merged = False, {}
    for name in names:
        part = archive.read(name)
        has_formulas |= b"<f>" in part or b"<f " in part
        merged[name] = [cells.decode() for cells in _MERGED.findall(part)]
    return has_formulas, merged


_MERGED: Final = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]+\d+:[A-Z]+\d+)"')


def _damaged(name: str, error: Exception) -> ParseError:
    got = shown(str(error).splitlines()[0] if str(error) else "damage")
    hint = "It may be cut off or damaged: copy it again."
    return ParseError(name, "the file", "be a whole workbook (.xlsx)", got, hint)
