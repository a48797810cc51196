"""Tables as data; results as text of 80 columns; and who is best of several, in words.

Every sentence that ranks asks `Standings`, so that none names a winner who shares the
place, or who may not be one.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final

from demur.errors import escaped

NONE: Final = "-"
"""What a table shows where there is no value."""

WIDTH: Final = 80
MOST_PLACES: Final = 20
"""How many rows text shows of what is as long as a curve."""

DIGITS: Final = {"share": 3, "difference": 4, "bits": 4, "percent": 1, "points": 1}
"""Decimals of the cells of a column, unless it says otherwise."""

_GAP = 2
_NAME_LENGTHS = (32, 48, 72)
_WORD = re.compile(r"(\s*)(\S+)")
_LONG_NAME, _LONG_WORDS = 44, 64


# -- tables as data --------------------------------------------------------------------

CELLS: Final = (
    *("text", "count", "share", "difference", "p", "bits", "percent", "points"),
    *("number", "value"),
)
"""How the cells of a column are read: see `Column`."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    key : str
        Its name in dataframes and CSV.
    title : str
        Its head in text and HTML; the key if left out.
    cells : str
        What it holds: "text"; "count", a whole number; "share", from 0 to 1;
        "difference", with its sign; "p", a p value; "bits"; "percent", a share that is
        printed in percent; "points", a difference of two, with its sign; "number";
        "value", printed with as few digits as tell it from its neighbours, such as a
        cutoff. None is shown as undefined. A pair of numbers is a range.
    explained : str
        What it is, in a few words, said once below all tables.
    wide : bool
        Whether it is only shown where there is room (``--wide``, HTML, dataframes).
    digits : int or None
        Decimals, where those of the cells (`DIGITS`) do not fit.
    of : str
        Which attribute of a result `Table.of` reads, such as ``changed.share``; the
        key if left out.
    """

    key: str
    title: str = ""
    cells: str = "text"
    explained: str = ""
    wide: bool = False
    digits: int | None = None
    of: str = ""

    def value_in(self, result: object) -> Any:
        """What a result has of it; None for an empty text, or where a part is None."""
        value: Any = result
        for name in (self.of or self.key).split("."):
            value = None if value is None else getattr(value, name)
        return None if isinstance(value, str) and not value else value

    @property
    def head(self) -> str:
        """What stands above it."""
        return self.title or self.key.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, as plain values: rounding and signs are the printer's.

    Parameters
    ----------
    title : str
        What it shows; "" for the only table of a result.
    columns : tuple of Column
        From left to right.
    rows : tuple of tuple
        As many values as columns.
    key : int
        How many first columns say what a row is about: they stand again where a table
        is too wide for one block.
    most : int or None
        How many rows are printed as text; how many are left out is said.
    listed : bool
        Whether text shows a line for each row, with ": " between what is there, under
        its first cell; for rows that are words.
    wide : bool
        Whether text leaves it out where there is no room, as a column that is wide.

    Examples
    --------
    >>> import demur
    >>> table = demur.Table("", (demur.Column("system"),), (("a",), ("b",)))
    >>> table.to_columns()
    {'system': ['a', 'b']}
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    key: int = 1
    most: int | None = None
    listed: bool = False
    wide: bool = False

    @classmethod
    def of(
        cls,
        title: str,
        columns: Iterable[Column],
        results: Iterable[object],
        key: int = 1,
    ) -> "Table":
        """A row for each result, with what it has under the names of the columns."""
        shown = tuple(columns)
        rows = (tuple(column.value_in(row) for column in shown) for row in results)
        return cls(title, shown, tuple(rows), key)

    @classmethod
    def of_arrays(cls, columns: Iterable[Column], result: object) -> "Table":
        """A row for each place in the arrays of a result; text shows the first few."""
        shown = tuple(columns)
        arrays = [column.value_in(result).tolist() for column in shown]
        return cls("", shown, tuple(zip(*arrays, strict=True)), most=MOST_PLACES)

    def to_columns(self) -> dict[str, list[Any]]:
        """Columns as plain lists, by their keys; a range gets two."""
        table: dict[str, list[Any]] = {}
        for place, column in enumerate(self.columns):
            values = [row[place] for row in self.rows]
            if any(isinstance(value, tuple) for value in values):
                table[f"{column.key}_low"] = [_end(value, 0) for value in values]
                table[f"{column.key}_high"] = [_end(value, -1) for value in values]
            else:
                table[column.key] = values
        return table

    def without_empty(self) -> "Table":
        """The table without columns of text in which nothing stands."""
        kept = [
            place
            for place, column in enumerate(self.columns)
            if column.cells != "text"
            or any(row[place] not in (None, "") for row in self.rows)
        ]
        return replace(
            self,
            columns=tuple(self.columns[place] for place in kept),
            rows=tuple(tuple(row[place] for place in kept) for row in self.rows),
            key=sum(place < self.key for place in kept),
        )


def between(low: float, high: float) -> Any:
    """A number for a table, or the pair of its bounds if they differ."""
    return low if low == high else (low, high)


def ends_of(result: Any) -> tuple[float, float] | None:
    """From where to where a result goes that has ``low`` and ``high``, if it has."""
    known = result.low is not None and result.high is not None
    return (result.low, result.high) if known else None


def _end(value: Any, place: int) -> Any:
    return value[place] if isinstance(value, tuple) and value else value


def merged(tables: Sequence[Sequence[Table]], names: Sequence[str]) -> list[Table]:
    """Tables of several results, those with one title and the same columns as one.

    Parameters
    ----------
    tables : sequence of sequences of Table
        Of each result.
    names : sequence of str
        Of each result: a first column ``system`` says whose a row is, where no column
        of that name stands there already.
    """
    gathered: dict[tuple[str, tuple[str, ...]], Table] = {}
    for name, listed in zip(names, tables, strict=True):
        for table in listed:
            table = _of_system(table, name)
            place = table.title, tuple(column.key for column in table.columns)
            first = gathered.get(place)
            gathered[place] = (
                table if first is None else replace(first, rows=first.rows + table.rows)
            )
    return list(gathered.values())


def _of_system(table: Table, name: str) -> Table:
    if any(column.key == "system" for column in table.columns):
        return table
    return replace(
        table,
        columns=(Column("system"), *table.columns),
        rows=tuple((name, *row) for row in table.rows),
        key=table.key + 1,
    )


# -- numbers and words -----------------------------------------------------------------


def rate(value: float | None) -> str:
    """A rate with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def decimals(value: float, more: int = 0) -> str:
    """A number with three decimals, or more."""
    return f"{value:.{3 + more}f}"


def significant(value: float, more: int = 0) -> str:
    """A number with four significant digits, or more."""
    return f"{value:.{4 + more}g}"


def p_text(p_value: float) -> str:
    """A p value as precise as it deserves.

    Examples
    --------
    >>> p_text(0.03456), p_text(0.0002), p_text(1.0)
    ('p = 0.035', 'p < 0.001', 'p = 1')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"


def span(low: float, high: float, digits: int = 3, form: str = "f") -> str:
    """A rate, or its bounds if they differ in what is shown.

    Parameters
    ----------
    low, high : float
        The ends, which may be equal.
    digits : int
        Decimals, or with ``form="g"`` significant digits.
    form : {"f", "g"}
        How a number is written, as format strings have it.
    """
    shown = [f"{end:.{digits}{form}}" for end in (low, high)]
    return " to ".join(dict.fromkeys(shown))


def interval_text(interval: tuple[float, float] | None, level: float) -> str:
    """An interval behind its value, in brackets; nothing where there is none.

    Examples
    --------
    >>> interval_text((0.1, 0.2), 0.95)
    ' (95 % interval 0.100 to 0.200)'
    """
    if interval is None:
        return ""
    return f" ({100 * level:g} % interval {interval[0]:.3f} to {interval[1]:.3f})"


def printable(text: str) -> str:
    r"""Text on one line, without the control characters that a terminal obeys.

    Examples
    --------
    >>> printable("a\x1b[31mb\n")
    'a\\x1b[31mb\\n'
    """
    words = str(text)
    return words if words.isprintable() else escaped(words)


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes: two for what East Asia writes wide.

    Examples
    --------
    >>> width_of("Tokyo"), width_of("東京")
    (5, 4)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(mark: str) -> int:
    if unicodedata.category(mark) in ("Mn", "Me"):  # such as accents, drawn over
        return 0
    return 2 if unicodedata.east_asian_width(mark) in "WF" else 1


def short_names(names: Sequence[str]) -> list[str]:
    r"""Names on one line each, cut in the middle; different ones stay different.

    Examples
    --------
    >>> short_names(["two\nlines", "a-very-long-name-of-a-system-and-its-prompt"])
    ['two\\nlines', 'a-very-long-nam…m-and-its-prompt']
    """
    lines = [printable(name) for name in names]
    short = lines
    for length in _NAME_LENGTHS:
        short = [cut(line, length) for line in lines]
        if len(set(short)) == len(set(lines)):
            return short
    return [f"{number} {name}" for number, name in enumerate(short, 1)]


def short_words(line: str) -> str:
    """A line in which very long names are cut in the middle, as in tables.

    Examples
    --------
    >>> len(short_words(f"{'x' * 300} errs less than b"))
    89
    """
    longest = _NAME_LENGTHS[-1]
    return _WORD.sub(lambda match: match[1] + cut(match[2], longest), line)


def cut(line: str, length: int) -> str:
    """A line without its middle, if it takes more columns than so many."""
    if width_of(line) <= length:
        return line
    half = length // 2  # the end stays too: versions of a model differ there
    end = _beginning(line[::-1], half)[::-1]
    return f"{_beginning(line, half - 1)}…{end}"


def _beginning(line: str, width: int) -> str:
    """As much of a line as fits."""
    taken = accumulate(map(_columns_of, line))
    return line[: sum(columns <= width for columns in taken)]


# -- tables as text --------------------------------------------------------------------


def cell_text(value: Any, column: Column) -> str:
    """A value as it stands in a table.

    Examples
    --------
    >>> cell_text(0.25, Column("error", cells="share"))
    '0.250'
    >>> cell_text((0.25, 0.5), Column("error", cells="share"))
    '0.250 to 0.500'
    >>> cell_text(None, Column("error", cells="share"))
    '-'
    """
    if value is None or value != value:
        return NONE
    if isinstance(value, tuple):
        ends = [cell_text(end, column) for end in value]
        return ends[0] if ends[0] == ends[-1] else " to ".join(ends)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return printable(value)
    return _number_text(value, column)


def _number_text(value: Any, column: Column) -> str:
    digits = DIGITS.get(column.cells, 3) if column.digits is None else column.digits
    if column.cells == "p":
        return p_text(value).removeprefix("p ").removeprefix("= ")
    if column.cells in ("difference", "points"):
        return f"{value * (100 if column.cells == 'points' else 1):+.{digits}f}"
    if column.cells == "percent":
        return f"{100 * value:.{digits}f} %"
    if column.cells in ("share", "bits"):
        return f"{value:.{digits}f}"
    if column.cells == "number":
        return f"{value:.4g}" if column.digits is None else f"{value:.{digits}f}"
    if column.cells == "count" and float(value).is_integer():
        return str(int(value))
    return printable(str(value))


def table_text(table: Table, *, wide: bool = False) -> str:
    """A table as lines of text, its title above.

    Parameters
    ----------
    table : Table
        Columns of text in which nothing stands are left out.
    wide : bool
        Show all columns and whole names in one block, however wide it gets.

    Examples
    --------
    >>> import demur
    >>> columns = demur.Column("system"), demur.Column("error", cells="share")
    >>> print(table_text(demur.Table("Errors", columns, (("a", 0.25), ("b", None)))))
    Errors
    <BLANKLINE>
    system  error
    ------  -----
    a       0.250
    b           -
    """
    table = table.without_empty()
    if table.listed:
        return _list_text(table)
    shown = _cells(table, wide=wide)
    blocks = [list(range(len(shown)))] if wide else _blocks(shown, table.key)
    lines = [_block([shown[at] for at in block]) for block in blocks]
    text = "\n\n".join(lines)
    if table.most is not None and len(table.rows) > table.most:
        text += f"\n... and {len(table.rows) - table.most} more rows"
    title = printable(table.title if wide else short_words(table.title))
    return f"{title}\n\n{text}" if title else text


def _list_text(table: Table) -> str:
    """A line for each row below its first cell, which is said once."""
    groups: dict[str, list[str]] = {}
    for first, *others in table.rows:
        words = ": ".join(printable(str(cell)) for cell in others if cell)
        groups.setdefault(printable(str(first)), []).append(f"  {words}")
    return "\n\n".join("\n".join([name, *lines]) for name, lines in groups.items())


def _cells(table: Table, *, wide: bool) -> list[tuple[Column, list[str]]]:
    """The columns that are shown, each with its head and its cells as text."""
    rows = table.rows if table.most is None else table.rows[: table.most]
    shown = []
    for place, column in enumerate(table.columns):
        if column.wide and not wide:
            continue
        cells = [cell_text(row[place], column) for row in rows]
        longest = _LONG_NAME if place < table.key else _LONG_WORDS
        if not wide and max(map(width_of, cells), default=0) > longest:
            distinct = list(dict.fromkeys(cells))
            short = dict(zip(distinct, short_names(distinct), strict=True))
            cells = [short[cell] for cell in cells]
        shown.append((column, [printable(column.head), *cells]))
    return shown


def _blocks(shown: Sequence[tuple[Column, list[str]]], key: int) -> list[list[int]]:
    """Which columns stand beside each other; the key columns begin every block."""
    taken = [max(map(width_of, cells)) + _GAP for _, cells in shown]
    keys = list(range(min(key, len(shown))))
    start = WIDTH + _GAP - sum(taken[at] for at in keys)
    blocks, room = [list(keys)], start
    for columns in _together(shown, len(keys)):
        needed = sum(taken[at] for at in columns)
        if needed > room and len(blocks[-1]) > len(keys):
            blocks.append(list(keys))
            room = start
        blocks[-1] += columns
        room -= needed
    return blocks


def _together(shown: Sequence[tuple[Column, list[str]]], key: int) -> list[list[int]]:
    """The columns behind the key, an interval with the one that it is of."""
    groups: list[list[int]] = []
    for at in range(key, len(shown)):
        # An interval in another block than its number would be read as another's.
        if groups and shown[at][0].key.endswith("interval"):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _block(columns: Sequence[tuple[Column, list[str]]]) -> str:
    widths = [max(map(width_of, cells)) for _, cells in columns]
    lines = []
    for row in zip(*(cells for _, cells in columns), strict=True):
        cells = (
            padded(cell, width, left=column.cells == "text")
            for cell, width, (column, _) in zip(row, widths, columns, strict=True)
        )
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))  # below the heads
    return "\n".join(lines)


def padded(text: str, width: int, *, left: bool = True) -> str:
    """A text with blanks behind it, or before it, so that it takes so many columns."""
    blanks = " " * (width - width_of(text))
    return text + blanks if left else blanks + text


# -- a whole result --------------------------------------------------------------------


def wrapped(text: str, start: str = "") -> str:
    """Words in lines of 80 columns; a word is never cut.

    Examples
    --------
    >>> wrapped("It answers.", "note: ")
    'note: It answers.'
    """
    lines, line = [], start
    for gap, word in _WORD.findall(printable(text)):
        longer = f"{line}{gap}{word}"
        if line != start and width_of(longer) > WIDTH:
            lines.append(line)
            longer = " " * min(len(start), 2) + word
        line = longer
    return "\n".join([*lines, line] if line != start else [])


def explanations(tables: Iterable[Table], *, wide: bool = False) -> list[str]:
    """What the shown columns of all tables are, each once, as "head: words"."""
    shown: dict[str, str] = {}
    for table in tables:
        for column in table.columns:
            if column.explained and (wide or not column.wide):
                shown.setdefault(column.head, column.explained)
    return [f"{head}: {words}" for head, words in shown.items()]


def result_text(
    sentence: str,
    tables: Sequence[Table],
    notes: Sequence[str],
    signature: str,
    *,
    wide: bool = False,
) -> str:
    """A result for people: the answer, tables, what their columns mean, notes, recipe.

    Parameters
    ----------
    sentence : str
        What was asked, answered.
    tables : sequence of Table
        Those without rows are left out.
    notes : sequence of str
        What a reader must know.
    signature : str
        The recipe on one line.
    wide : bool
        Show every column and whole names.
    """
    short = sentence if wide else short_words(sentence)
    parts = [wrapped(line) for line in short.split("\n") if line]
    shown = [table for table in tables if table.rows and (wide or not table.wide)]
    for table in shown:
        parts += ["", table_text(table, wide=wide)]
    full = (table.without_empty() for table in shown)
    explained = explanations(full, wide=wide)
    last = [wrapped("; ".join(explained) + ".")] if explained else []
    last += [wrapped(note, "note: ") for note in dict.fromkeys(notes)]
    last += [f"signature: {printable(signature)}"] if signature else []
    return "\n".join([*parts, *([""] if parts and last else []), *last])


_NUMBER = re.compile(r"[-+]?(\d|inf\b|$)|less than ")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of text under a header: words and the first column left, numbers right.

    Examples
    --------
    >>> print(table(["system", "items"], [["a", "10"], ["longer", "9"]]))
    system  items
    ------  -----
    a          10
    longer      9
    """
    cells = [[printable(cell) for cell in row] for row in [header, *rows]]
    columns = list(zip(*cells, strict=True))
    words = [
        place == 0 or not all(map(_NUMBER.match, column[1:]))
        for place, column in enumerate(columns)
    ]
    return _block(
        [
            (Column("", cells="text" if word else "count"), list(column))
            for column, word in zip(columns, words, strict=True)
        ]
    )
