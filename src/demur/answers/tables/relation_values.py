"""The value type of tabular answers: rows and columns, from files or from databases."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown
from demur.results import printable

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_NARROW: Final[dict[type, Any]] = {int: np.int64, float: np.float64, bool: np.bool_}
_EXACT: Final = 2**53  # up to here each integer is a float of its own
_INT64: Final = np.iinfo(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RelationColumn:
    """One column of a relation.

    Parameters
    ----------
    values : array of int64, float64, bool or object, one per row
        What stands in an object column: texts, whole numbers beyond 64 bits, decimals,
        dates, bytes, or values of several types. Null cells hold 0 or None.
    null : array of bool, one per row, optional
        Which cells are NULL; None if none is.
    text : bool
        Whether all cells are texts, or NULL.
    """

    values: Array
    null: Mask | None = None
    text: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def tolist(self) -> list[Any]:
        """The cells as Python values, None for NULL.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_rows([[1], [None]]).columns[0].tolist()
        [1, None]
        """
        cells: list[Any] = self.values.tolist()
        if self.null is not None:
            for row in np.flatnonzero(self.null).tolist():
                cells[row] = None
        return cells


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Relation:
    """A table as an answer: the form in which all tabular answers are compared.

    Parameters
    ----------
    names : tuple of str
        Names of the columns; empty if they have none. They never decide a verdict.
    columns : tuple of RelationColumn
        All of the same length.
    n_rows : int
        How many tuples there are, duplicates counted.
    scalar : bool
        Whether it was given as a single value and not as a table.
    truncated : bool
        Whether rows are lacking because there were too many; it is never judged then.

    Examples
    --------
    >>> import demur
    >>> demur.Relation.from_rows([["JET", 3], ["PROP", None]], names=("type", "count"))
    Relation(2 rows of type, count)
    """

    names: tuple[str, ...]
    columns: tuple[RelationColumn, ...]
    n_rows: int
    scalar: bool = False
    truncated: bool = False

    def __repr__(self) -> str:
        named = ", ".join(self.names) or f"{self.n_columns} columns"
        more = ", truncated" if self.truncated else ""
        return f"Relation({self.n_rows} rows of {named}{more})"

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.columns)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[Any]],
        names: Sequence[str] = (),
        *,
        truncated: bool = False,
    ) -> Self:
        """A relation of rows, each a list or tuple of JSON values or database values.

        Parameters
        ----------
        rows : sequence of sequences
            None is NULL.
        names : sequence of str
            Names of the columns, if they have any.
        truncated : bool
            Whether rows are lacking because there were too many.

        Raises
        ------
        InputError
            If it is no list of rows, or they are empty or differ in length.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_rows([(1, "a"), (2, "b")]).rows()
        [(1, 'a'), (2, 'b')]
        >>> demur.Relation.from_rows([[1, "a"], [2]])
        Traceback (most recent call last):
        ...
        demur.errors.InputError: relation: row 2 must have 2 values, as the first has;
        got 1.
        """
        if not isinstance(rows, (list, tuple)):
            need = "be a list of rows, each a list of values"
            raise InputError("relation", "the value", need, shown(rows))
        kinds = set(map(type, rows))
        if not kinds <= {list, tuple} or not all(rows):
            _check_rows(rows)
        width = len(rows[0]) if rows else len(names)
        if len(set(map(len, rows))) > 1:
            odd = next(row for row, cells in enumerate(rows) if len(cells) != width)
            need = f"have {width} values, as the first has"
            raise InputError("relation", f"row {odd + 1}", need, f"{len(rows[odd])}")
        cells = zip(*rows, strict=True) if rows else ((),) * width
        columns = tuple(column_of(list(cell)) for cell in cells)
        return cls(_names(names, width), columns, len(rows), False, truncated=truncated)

    @classmethod
    def from_columns(
        cls,
        names: Sequence[str],
        columns: Sequence[Any],
        nulls: Sequence[Any] | None = None,
        *,
        truncated: bool = False,
    ) -> Self:
        """A relation of columns, as a database delivers them.

        Parameters
        ----------
        names : sequence of str
            Names of the columns; empty if they have none.
        columns : sequence of arrays or lists
            Arrays of any numpy type, masked arrays, or lists of Python values.
        nulls : sequence of (array of bool or None), optional
            Which cells are NULL, beside those that are masked, None or NaT.
        truncated : bool
            Whether rows are lacking because there were too many.

        Raises
        ------
        InputError
            If columns differ in length, or there are not as many names or masks.

        Examples
        --------
        >>> import demur
        >>> import numpy as np
        >>> fares = np.ma.MaskedArray([120.5, 0.0], mask=[False, True])
        >>> columns = [np.array([7, 8]), fares]
        >>> demur.Relation.from_columns(["id", "fare"], columns).rows()
        [(7, 120.5), (8, None)]
        """
        masks = [None] * len(columns) if nulls is None else list(nulls)
        if len(masks) != len(columns):
            need = "be one for each column"
            raise InputError("relation", "nulls", need, f"{len(masks)}")
        made = tuple(map(_column, columns, masks))
        lengths = {len(column) for column in made}
        if len(lengths) > 1:
            got = ", ".join(str(len(column)) for column in made)
            raise InputError("relation", "columns", "be of one length", got)
        n_rows = lengths.pop() if lengths else 0
        return cls(_names(names, len(made)), made, n_rows, False, truncated=truncated)

    @classmethod
    def from_scalar(cls, value: Any) -> Self:
        """A single value as the one-element table that it equals.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_scalar(48).rows()
        [(48,)]
        """
        return cls((), (column_of([value]),), 1, scalar=True)

    def taken(self, rows: Sequence[int]) -> "Relation":
        """Some of its rows, by their number.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_rows([[1, 2], [3, None]]).taken([1]).rows()
        [(3, None)]
        """
        places = np.fromiter(rows, np.intp)
        made = replaced(self, [_taken(column, places) for column in self.columns])
        return made if self.columns else replace(made, n_rows=len(places))

    def with_columns(self, columns: Iterable[int]) -> "Relation":
        """Some of its columns, by their position.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_rows([[1, 2], [3, None]]).with_columns([1]).rows()
        [(2,), (None,)]
        """
        places = list(columns)
        made = replaced(self, [self.columns[at] for at in places])
        return replace(made, names=tuple(self.names[at] for at in places if self.names))

    def rows(self, where: Iterable[int] | None = None) -> list[tuple[Any, ...]]:
        """The tuples, or some of them by their number.

        Examples
        --------
        >>> import demur
        >>> demur.Relation.from_rows([[1, 2], [3, None]]).rows([1])
        [(3, None)]
        """
        if where is not None:
            return self.taken([*where]).rows()
        if not self.columns:
            return [()] * self.n_rows
        return list(zip(*(column.tolist() for column in self.columns), strict=True))


def replaced(relation: Relation, columns: Sequence[RelationColumn]) -> Relation:
    """The same relation with other columns."""
    n_rows = len(columns[0]) if columns else relation.n_rows
    return Relation(
        relation.names, tuple(columns), n_rows, relation.scalar, relation.truncated
    )


def relation_of(value: Any) -> Relation:
    """A relation, a list of rows, or a single value, as a relation.

    Raises
    ------
    InputError
        If it is none of these.

    Examples
    --------
    >>> relation_of([["a", 1]]), relation_of(5).scalar
    (Relation(1 rows of 2 columns), True)
    """
    if isinstance(value, Relation):
        return value
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return Relation.from_rows(value)
    if value is None or isinstance(value, dict):
        need = "be a list of rows, or a single value"
        hint = "NULL as an answer is [[null]]."
        raise InputError("relation", "the value", need, shown(value), hint)
    return Relation.from_scalar(value)


def first_columns(columns: Sequence[RelationColumn]) -> list[int]:
    """The columns that do not repeat an earlier one, cell by cell; 1.0 repeats 1.

    Examples
    --------
    >>> import demur
    >>> first_columns(demur.Relation.from_rows([[1, 2, 1.0], [3, 4, 3.0]]).columns)
    [0, 1]
    """
    first: dict[Any, int] = {}
    for at, column in enumerate(columns):
        first.setdefault(_mark(column), at)
    return list(first.values())


def n_different_columns(columns: Sequence[RelationColumn]) -> int:
    """How many columns do not repeat an earlier one.

    Examples
    --------
    >>> import demur
    >>> n_different_columns(demur.Relation.from_rows([["a", "a", "b"]]).columns)
    2
    """
    return len(first_columns(columns))


def _mark(column: RelationColumn) -> Any:
    """What columns have in common that are equal cell by cell."""
    values, null = column.values, column.null
    if values.dtype == object and not column.text:
        cells = column.tolist()
        kinds = {*map(type, cells)} - {type(None)}
        if not kinds <= {int, float} or any(
            type(cell) is int and abs(cell) > _EXACT for cell in cells
        ):
            return repr([_whole(cell) for cell in cells])
        values = np.array([cell or 0.0 for cell in cells], np.float64)
        null = np.array([cell is None for cell in cells], bool)
    if column.text:
        return repr(column.tolist())
    if values.dtype == np.float64 and _are_whole(values):
        values = values.astype(np.int64)
    elif values.dtype == np.float64:
        values = values + 0.0  # -0.0 is 0.0
    nulls = b"" if null is None or not null.any() else null.tobytes()
    return values.dtype.char, values.tobytes(), nulls


def identical(one: Relation, other: Relation) -> bool:
    """Whether two tables have the same numbers and texts, cell by cell as they stand.

    False also where that would take a closer look: columns of several types.

    Examples
    --------
    >>> table, longer = (Relation.from_rows([[1, "a"]] * times) for times in (1, 2))
    >>> identical(table, table), identical(table, longer)
    (True, False)
    """
    if (one.n_columns, one.n_rows) != (other.n_columns, other.n_rows):
        return False
    return all(map(_same_cells, one.columns, other.columns))


def _same_cells(one: RelationColumn, other: RelationColumn) -> bool:
    if one.text and other.text:
        return one.tolist() == other.tolist()
    mixed = one.values.dtype == object or one.values.dtype != other.values.dtype
    return not mixed and one.tolist() == other.tolist()


def _are_whole(values: Array) -> bool:
    small = np.abs(values) <= _EXACT
    return bool(small.all() and (values == np.floor(values)).all())


def _whole(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


# -- columns -----------------------------------------------------------------------


def _check_rows(rows: Sequence[Any]) -> None:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, (list, tuple)):
            need, hint = "be a list of values", "One column is [[1], [2]]."
            raise InputError("relation", f"row {number}", need, shown(row), hint)
        if not row:
            need, hint = "hold at least one value", "A table without rows is []."
            raise InputError("relation", f"row {number}", need, shown(row), hint)


def _names(names: Sequence[str], width: int) -> tuple[str, ...]:
    if names and len(names) != width:
        need = f"be none, or one for each of the {width} columns"
        raise InputError("relation", "names", need, shown(list(names)))
    return tuple(map(str, names))


def _column(cells: Any, null: Any) -> RelationColumn:
    if isinstance(cells, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(cells)
        null = masked if null is None else masked | np.asarray(null, bool)
        cells = cells.data
    if not isinstance(cells, np.ndarray):
        column = column_of(list(cells))
    elif cells.dtype.kind in "biuf":
        column = _from_numbers(cells)
    else:
        column = column_of(_as_objects(cells))
    if null is None:
        return column
    mask = np.asarray(null, bool)
    if mask.shape != column.values.shape:
        need = f"be one for each of the {len(column)} rows"
        raise InputError("relation", "nulls", need, f"{mask.size}")
    return _with_null(column, mask)


def _with_null(column: RelationColumn, mask: Mask) -> RelationColumn:
    """A column with further cells that are NULL; what lay under them is gone."""
    if column.null is not None:
        mask = mask | column.null
    if not mask.any():
        return column
    if column.values.dtype == object:
        cells = column.tolist()
        pairs = zip(cells, mask, strict=True)
        return column_of([None if gone else cell for cell, gone in pairs])
    values = column.values.copy()
    values[mask] = 0
    return _frozen(values, mask.copy())


def _from_numbers(cells: Array) -> RelationColumn:
    kind = cells.dtype.kind
    if kind == "u" and cells.size and int(cells.max()) > _INT64.max:
        return column_of(cells.tolist())
    return _frozen(cells.astype({"b": bool, "f": float}.get(kind, np.int64)))


def _as_objects(cells: Array) -> list[Any]:
    if cells.dtype.kind in "Mm":  # nanoseconds have no Python type
        unit = np.datetime_data(cells.dtype)[0]
        if unit in ("ns", "ps", "fs", "as"):
            cells = cells.astype(f"{cells.dtype.kind}8[us]")
    listed: list[Any] = cells.tolist()
    return listed


def column_of(cells: list[Any]) -> RelationColumn:
    """Python values as a column of the narrowest type that keeps them.

    Examples
    --------
    >>> column_of([1, None]).values.dtype, column_of([1, 1.5]).values.dtype
    (dtype('int64'), dtype('O'))
    """
    kinds = set(map(type, cells))
    if any(issubclass(kind, (np.generic, np.ndarray)) for kind in kinds):
        cells = [_plain(cell) for cell in cells]
        kinds = set(map(type, cells))
    null = None
    if type(None) in kinds:
        null = np.fromiter((cell is None for cell in cells), bool, len(cells))
        kinds.discard(type(None))
    narrow = _NARROW.get(kinds.copy().pop()) if len(kinds) == 1 else None
    if narrow is not None:
        filled = cells if null is None else [0 if c is None else c for c in cells]
        try:
            return _frozen(np.array(filled, narrow), null)
        except OverflowError:
            pass
    objects = np.fromiter(cells, object, len(cells))
    return _frozen(objects, null, text=kinds == {str})


def _plain(cell: Any) -> Any:
    if isinstance(cell, (np.datetime64, np.timedelta64)):
        return _as_objects(np.array([cell]))[0]
    return cell.tolist() if isinstance(cell, (np.generic, np.ndarray)) else cell


def _frozen(
    values: Array, null: Mask | None = None, *, text: bool = False
) -> RelationColumn:
    values.setflags(write=False)
    if null is not None:
        null.setflags(write=False)
    return RelationColumn(values, null, text)


def _taken(column: RelationColumn, rows: Array) -> RelationColumn:
    null = None if column.null is None else column.null[rows]
    return RelationColumn(column.values[rows], null, column.text)


# -- cells as text -----------------------------------------------------------------


def shown_tuple(cells: Sequence[Any], *, most: int = 8) -> str:
    r"""A tuple as people read it: as in CAS, whatever its values are.

    Examples
    --------
    >>> print(shown_tuple(("A \"B\"", 5.0, None, True)))
    ("A \"B\"" 5.0 NIL TRUE)
    """
    texts = [shown_cell(cell) for cell in cells[:most]]
    more = [f"... {len(cells) - most} more"] if len(cells) > most else []
    return "(" + " ".join(texts + more) + ")"


def shown_cell(cell: Any) -> str:
    r"""One value as people read it: on one line, shortened.

    Examples
    --------
    >>> print(shown_cell("two\nlines, \x1b[31mred"))
    "two\nlines, \x1b[31mred"
    """
    if cell is None:
        return "NIL"
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, str):
        text = cell if len(cell) <= 40 else cell[:37]
        text = printable(text.replace("\\", "\\\\").replace('"', '\\"'))
        return f'"{text}"' if len(cell) <= 40 else f'"{text}..."'
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, int) and abs(cell) >= 10**40:
        return f"{type(cell).__name__} of {cell.bit_length()} bits"
    return shown(cell) if isinstance(cell, (bytes, list, dict)) else printable(cell)
