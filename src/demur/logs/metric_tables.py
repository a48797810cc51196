"""Tables of answers in which each metric has a column."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from msgspec import UNSET

from demur.errors import InputError, shown
from demur.formats.delimited import DelimitedTable
from demur.formats.json_documents import json_objects
from demur.formats.paths import nothing_at, path_reader
from demur.formats.streams import PARQUET, Stream
from demur.logs.readers import LogNotes
from demur.outcomes.fields import also_called
from demur.outcomes.values import plain_float

ROW: Final = "row"
_INDEX: Final = "Unnamed: 0"
_LISTED: Final = 5
IDS: Final = ("item", *also_called("item"))


def table_rows(stream: Stream, notes: LogNotes) -> Iterator[Mapping[str, Any]]:
    """The rows of a table, delimited, JSON or Parquet; a nameless index is left out."""
    table = None
    rows: Iterator[tuple[int, Mapping[str, Any]]]
    if stream.head[:1] in (b"{", b"["):
        rows = json_objects(stream)
    elif stream.head.startswith(PARQUET):
        from demur.formats.parquet import ParquetTable

        rows = ParquetTable(stream).records()
    else:
        if stream.head.startswith(b","):  # as pandas writes an index
            named = chain([_INDEX.encode()], stream.chunks)
            head = _INDEX.encode() + stream.head
            stream = replace(stream, head=head, chunks=named)
        table = DelimitedTable(stream)
        rows = ((n, _with_numbers(row)) for n, row in table.cells())
    for _, row in rows:
        yield {name: value for name, value in row.items() if name != _INDEX}
    for note in table.notes if table is not None else ():
        notes.add(note)


def _with_numbers(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of texts, in which what is called confidence is a number if it is one."""
    sure = {
        name: None if value == "" else plain_float(value)
        for name, value in row.items()
        if name.lower().endswith("confidence") and isinstance(value, str)
    }
    return {
        name: value if sure.get(name) is None and value != "" else sure.get(name, value)
        for name, value in row.items()
    }


def first_of(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """What stands in the first of some columns that the row has; None if in none.

    Examples
    --------
    >>> first_of({"outputs": "Oslo", "answer": "x"}, ("outputs", "answer"))
    'Oslo'
    """
    return next((row[name] for name in names if row.get(name) is not None), None)


def check_columns(name: str, columns: Iterable[str], known: Sequence[str]) -> None:
    """Raise if a table has none of the columns that one of this kind is made of.

    Raises
    ------
    InputError
        Which lists what there is.
    """
    listed = list(columns)
    if not set(known) & set(listed):
        need = f"include one of {', '.join(dict.fromkeys(known))}"
        got = ", ".join(map(shown, listed[:_LISTED])) or "none"
        raise InputError(name, "the columns", need, got)


class ItemColumn:
    """Where the items of a table stand, decided by its first row.

    Parameters
    ----------
    reader, path : str
        The reader, for messages, and its option: a path, ``row`` or nothing.
    names : sequence of str
        What the column may be called.
    notes : LogNotes
        Takes what was chosen.
    """

    def __init__(
        self, reader: str, path: str, names: Sequence[str], notes: LogNotes
    ) -> None:
        self.reader, self.path, self.names, self.notes = reader, path, names, notes
        self._none_yet = False  # rows are counted since the first names no item

    def item(self, row: Mapping[str, Any], number: int, place: str) -> Any:
        """The item of a row.

        Raises
        ------
        InputError
            If it has none, or is the first to have one.
        """
        if not self.path:
            held = (name for name in self.names if row.get(name) not in (None, ""))
            self.path = self.notes.chosen["item"] = next(held, ROW)
            if self.path == ROW:
                self._none_yet = True
                self.notes.add(
                    "the rows name no items: these are their numbers "
                    f"(--log '{self.reader}(item=...)' names a column)"
                )
        if self.path == ROW:
            named = (name for name in self.names if row.get(name) not in (None, ""))
            if self._none_yet and (late := next(named, "")):
                need = "be in the first row too, or in none"
                hint = (
                    f"Such as: --log '{self.reader}(item=row)', to take their numbers."
                )
                raise InputError(place, "an item", need, f"{late} in this one", hint)
            return number
        value = path_reader(f"{self.reader}: item", self.path)(row)
        if value is UNSET:
            raise nothing_at(place, self.path, row)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            need, hint = "be an item, a text or a whole number", "item=row counts rows."
            raise InputError(place, self.path, need, shown(value), hint)
        return value
