"""Tables as data; how they look is the business of `results.text`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

CELLS: Final = (
    *("text", "count", "share", "difference", "p", "bits", "percent", "number"),
    "value",
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
        printed in percent; "number"; "value", printed with as few digits as tell it
        from its neighbours, such as a cutoff. None is shown as undefined. A pair of
        numbers is a range.
    explained : str
        What it is, in a few words, said once below all tables.
    wide : bool
        Whether it is only shown where there is room (``--wide``, HTML, dataframes).
    digits : int or None
        Decimals, where those of the cells (`results.text.DIGITS`) do not fit.
    """

    key: str
    title: str = ""
    cells: str = "text"
    explained: str = ""
    wide: bool = False
    digits: int | None = None

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
            table = _named(table, name)
            place = table.title, tuple(column.key for column in table.columns)
            first = gathered.get(place)
            gathered[place] = (
                table if first is None else replace(first, rows=first.rows + table.rows)
            )
    return list(gathered.values())


def _named(table: Table, name: str) -> Table:
    if any(column.key == "system" for column in table.columns):
        return table
    return replace(
        table,
        columns=(Column("system"), *table.columns),
        rows=tuple((name, *row) for row in table.rows),
        key=table.key + 1,
    )
