"""Columns of any table by name: dataframes, mappings of columns, records of files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.arrays import Positions
from demur.checks import choice, in_order, names_shown
from demur.errors import InputError, shown
from demur.outcomes.frames import read_columns
from demur.outcomes.gaps import is_gap
from demur.outcomes.row_names import aligned


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """Some columns of a table, as long as each other.

    Parameters
    ----------
    columns : mapping of str to sequence
        A value for each row, by the name of the column.
    places : sequence of str, or None
        Where each row was read.
    """

    columns: Mapping[str, Any]
    places: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def place(self, row: int) -> str:
        """Where a row was read."""
        return f"row {row + 1}" if self.places is None else self.places[row]

    def has(self, name: str) -> bool:
        """Whether there is such a column."""
        return name in self.columns

    def codes(self, name: str) -> tuple[Positions, list[Any]]:
        """`codes_of` a column.

        Raises
        ------
        InputError
            If a row has what is no name, such as a list.
        """
        values = self.columns[name]
        try:
            return codes_of(values)
        except TypeError:
            rows = [r for r, value in enumerate(values) if not _has_hash(value)]
            got, need = shown(values[rows[0]]), "be a text or a number"
            raise InputError(self.place(rows[0]), name, need, got) from None


def _has_hash(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def named_columns(
    where: str,
    source: Any,
    needed: Iterable[str],
    optional: Iterable[str] = (),
    *,
    hint: str = "Name the columns as the table does.",
) -> NamedColumns:
    """Columns of a table by name.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    source : dataframe, mapping of name to sequence, records, or (place, record) pairs
        Records without a place are called by their number in messages.
    needed, optional : iterable of str
        Columns that must, and that may be there; others are not looked at.
    hint : str
        How columns are named, where a record lacks one.

    Returns
    -------
    NamedColumns

    Raises
    ------
    InputError
        If it is no table, a column is not there, or columns differ in length.

    Examples
    --------
    >>> found = named_columns("words", [{"ref": "a"}, {"ref": "b"}], ["ref"])
    >>> list(found.columns["ref"]), found.place(1)
    (['a', 'b'], 'record 2')
    """
    wanted, may = list(needed), list(optional)
    if isinstance(source, NamedColumns):
        for name in wanted:
            choice(where, "a column", name, source.columns)
        return source
    if isinstance(source, Mapping):
        return _of_mapping(where, source, wanted, may)
    if not isinstance(source, (str, bytes)) and hasattr(type(source), "columns"):
        return NamedColumns(read_columns(where, source, wanted, may))
    if isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        need, read = "be a table", "Read files with demur.iter_records."
        raise InputError(where, "the source", need, shown(source), read)
    return _of_records(source, wanted, may, hint)


def _of_mapping(
    where: str, source: Mapping[Any, Any], wanted: list[str], may: list[str]
) -> NamedColumns:
    for name in wanted:
        choice(where, "a column", name, [str(key) for key in source])
    kept = {name: source[name] for name in (*wanted, *may) if name in source}
    for name, values in kept.items():
        in_order(where, f"the column {name}", values)
    sizes = {name: len(values) for name, values in kept.items()}
    if len(set(sizes.values())) > 1:
        hint = "Every column has one value for each row."
        raise InputError(where, "the columns", "be equally long", shown(sizes), hint)
    return NamedColumns(aligned(where, kept))


def _of_records(
    source: Iterable[Any], wanted: list[str], may: list[str], hint: str
) -> NamedColumns:
    names, needed, possible = [*wanted, *may], set(wanted), set(may)
    places: list[str] = []
    rows: list[list[Any]] = []
    seen = set(wanted)
    for number, row in enumerate(source, 1):
        placed = isinstance(row, tuple) and len(row) == 2
        place, record = row if placed else (f"record {number}", row)
        if not isinstance(record, Mapping):
            need, got = "be a record with named fields", shown(record)
            raise InputError(place, "a row", need, got, "Such as {'item': 'q1'}.")
        if not needed <= record.keys():
            name = next(name for name in wanted if name not in record)
            got = names_shown(record) or "nothing"
            raise InputError(place, "a record", f"have {name}", got, hint)
        places.append(place)
        rows.append([*map(record.get, names)])
        if possible:
            seen |= possible & record.keys()
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    kept = {
        name: list(column)
        for name, column in zip(names, columns, strict=True)
        if name in seen
    }
    return NamedColumns(kept, places)


def codes_of(values: Any) -> tuple[Positions, list[Any]]:
    """Values as numbers from 0, and what these stand for, by first appearance.

    Numbers of arrays are sorted instead. True is not 1, as everywhere.

    Examples
    --------
    >>> codes_of(["b", "a", "b"])
    (array([0, 1, 0]), ['b', 'a'])
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        names, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int64), names.tolist()
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    known: dict[Any, int] = {}
    count = len(listed)
    kinds = set(map(type, listed))
    if not kinds.isdisjoint(_FLAGS) and len(kinds - {*_FLAGS, str, type(None)}):
        keys = ((isinstance(value, (bool, np.bool_)), value) for value in listed)
        codes = np.fromiter(
            (known.setdefault(key, len(known)) for key in keys), np.int64, count
        )
        return codes, [value for _, value in known]
    codes = np.fromiter(
        (known.setdefault(value, len(known)) for value in listed), np.int64, count
    )
    return codes, list(known)


_FLAGS: Final = (bool, np.bool_)


def unpacked(place: str, name: str, value: Any) -> Any:
    """A list or an object that stands as JSON in a text, as in CSV files.

    Raises
    ------
    InputError
        If the text begins like one and is none.

    Examples
    --------
    >>> unpacked("row 1", "ref", '[["city", "Rome"]]'), unpacked("row 1", "ref", "O")
    ([['city', 'Rome']], 'O')
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        hint = 'In text files lists and objects are JSON, such as [["city", "Rome"]].'
        raise InputError(place, name, "be JSON", shown(value), hint) from None
    except RecursionError:
        hint = "Write it less deep."
        raise InputError(place, name, "be JSON", "very deep nesting", hint) from None


def name_text(value: Any) -> str:
    """A name or a label as text; a whole number the same, whatever its column holds.

    A column of integers with a gap is one of floats in pandas and in Parquet.

    Examples
    --------
    >>> name_text(1.0), name_text(1), name_text("1.0"), name_text(0.5)
    ('1', '1', '1.0', '0.5')
    """
    whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return str(int(value) if whole else value)


def name_codes(
    table: NamedColumns, name: str, hint: str = ""
) -> tuple[Positions, list[Any]]:
    """`NamedColumns.codes` of a column in which no row may be without a name."""
    codes, names = table.codes(name)
    for number, value in enumerate(names):
        if is_gap(value):
            row = int(np.argmax(codes == number))
            need = f"have {name}"
            raise InputError(table.place(row), "a row", need, shown(value), hint)
    return codes, names


def cluster_codes(table: NamedColumns, name: str | None) -> Positions | None:
    """Which rows belong together; None if no column says so."""
    if name is None:
        return None
    return name_codes(table, name, "Every row is of one cluster.")[0]
