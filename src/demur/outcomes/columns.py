"""One column made an array: checked value by value only where a fault is likely.

Nothing is None among texts, NaN among numbers, and the usual answer among flags. What
a value must be is said in `demur.outcomes.fields`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown
from demur.outcomes import fields
from demur.outcomes.fields import in_range
from demur.outcomes.reasons import is_code
from demur.outcomes.values import (
    EXACT,
    as_text,
    checked,
    flag,
    flag_cell,
    number,
    number_cell,
    outcome,
)

Column = npt.NDArray[Any]
Place = Callable[[int], str]
"""From a position in the column to ``FILE:LINE``, or whatever messages name."""

_LARGEST_EXACT: Final = 2**53 - 1  # beyond it, integers share floats
_NUMERIC: Final = ({float, int, type(None)}, {float, int, type(None), bool})
_NOTHING: Final = {str, type(None)}


def objects(values: Iterable[Any], count: int) -> Column:
    """Values of any kind, lists included, as a column of objects.

    Examples
    --------
    >>> objects([[1, 2], None], 2).tolist()
    [[1, 2], None]
    """
    return np.fromiter(values, dtype=object, count=count)


def constant(value: Any, n_rows: int) -> Column:
    """A column of one value, which is held once: read-only, and no step to the next.

    Examples
    --------
    >>> constant("a", 3).tolist()
    ['a', 'a', 'a']
    """
    return np.broadcast_to(objects([value], 1), (n_rows,))


def is_constant(column: Column) -> bool:
    """Whether a column of objects has rows, and the same in all of them.

    Examples
    --------
    >>> is_constant(objects(["a", "a"], 2)), is_constant(objects(["a", "b"], 2))
    (True, False)
    """
    if not len(column) or column.dtype != object:
        return False
    return column.strides == (0,) or bool((column == column[:1]).all())


def missing(name: str, n_rows: int) -> Column:
    """A column that says nothing."""
    its = fields.column_type(name)
    if its in ("number", "weight", "correct"):
        return np.full(n_rows, np.nan)
    if its == "flag":
        return np.full(n_rows, fields.FIELDS[name].usual)
    if its == "outcome":
        return np.full(n_rows, fields.UNGRADED, np.uint8)
    return np.full(n_rows, None, object)


# -- values, as JSON, Parquet or Python have them ----------------------------------


def from_values(name: str, values: Sequence[Any], place: Place) -> Column:
    """A column of plain values.

    Parameters
    ----------
    name : str
        Name of the column, which decides its type.
    values : sequence
        Plain values, None where there is nothing.
    place : callable
        Where each stands.

    Returns
    -------
    array, shape (n_values,)

    Raises
    ------
    InputError
        If a value is not what the column holds.

    Examples
    --------
    >>> from_values("confidence", [0.5, None, "-inf"], "a.jsonl:{}".format)
    array([ 0.5,  nan, -inf])
    """
    return _FROM_VALUES[fields.column_type(name)](name, values, place)


def _checked(name: str, values: Sequence[Any], place: Place) -> Column:
    """Each value as its field has it; the slow way, for columns with odd values."""
    return objects(
        (checked(name, value, place(row)) for row, value in enumerate(values)),
        len(values),
    )


def _items(name: str, values: Sequence[Any], place: Place) -> Column:
    if set(map(type, values)) == {str} and "" not in values:
        return objects(values, len(values))
    return _checked(name, values, place)


def _labels(name: str, values: Sequence[Any], place: Place) -> Column:
    if set(map(type, values)) <= _NOTHING:
        return objects(values, len(values))
    return _checked(name, values, place)


def _kinds(name: str, values: Sequence[Any], place: Place) -> Column:
    known = set(map(type, values)) <= _NOTHING and set(values) <= {None, *fields.KINDS}
    return objects(values, len(values)) if known else _checked(name, values, place)


def _codes(name: str, values: Sequence[Any], place: Place) -> Column:
    known = set(map(type, values)) <= _NOTHING
    known = known and all(map(is_code, set(values) - {None}))
    return objects(values, len(values)) if known else _checked(name, values, place)


def _outcomes(name: str, values: Sequence[Any], place: Place) -> Column:
    try:
        codes = map(fields.CODES.__getitem__, values)
        return np.fromiter(codes, np.uint8, len(values))
    except (KeyError, TypeError):
        for row, value in enumerate(values):
            outcome(name, value, place(row))
        raise


def _numbers(name: str, values: Sequence[Any], place: Place) -> Column:
    if set(map(type, values)) <= _NUMERIC[name == "correct"]:
        try:
            numbers = np.array(values, np.float64)
        except OverflowError:
            numbers = np.array([np.inf])
        if are_plain(name, numbers, values.count(None)):
            return numbers
    return np.array(
        [number(name, value, place(row)) for row, value in enumerate(values)],
        np.float64,
    )


def are_plain(name: str, numbers: Column, n_missing: int) -> bool:
    """Whether numbers need no look at each: no NaN but missing ones, exact, in range.

    Examples
    --------
    >>> are_plain("confidence", np.array([0.5, np.nan]), 1)
    True
    """
    rest = numbers[~np.isnan(numbers)]
    if len(numbers) - len(rest) != n_missing:
        return False
    exact = (rest >= -_LARGEST_EXACT) & (rest <= _LARGEST_EXACT)
    return bool((exact & in_range(name, rest)).all())


def _flags(name: str, values: Sequence[Any], place: Place) -> Column:
    if not set(map(type, values)) <= {bool, type(None)}:
        values = [flag(name, each, place(row)) for row, each in enumerate(values)]
    usual = fields.FIELDS[name].usual
    return np.array([usual if value is None else value for value in values], bool)


def _texts(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects(map(as_text, values), len(values))


def _any(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects(values, len(values))


_Reader = Callable[[str, Sequence[Any], Place], Column]

_FROM_VALUES: Final[dict[str, _Reader]] = {
    "item": _items,
    "label": _labels,
    "kind": _kinds,
    "code": _codes,
    "outcome": _outcomes,
    "number": _numbers,
    "weight": _numbers,
    "correct": _numbers,
    "flag": _flags,
    "text": _texts,
    "any": _any,
}

# -- cells of delimited text -------------------------------------------------------


def from_cells(name: str, cells: Sequence[str], place: Place) -> Column:
    """A column of cells; an empty cell holds nothing.

    Parameters, returns and raises as for `from_values`.

    Examples
    --------
    >>> from_cells("declined", ["yes", "no", ""], "a.csv:{}".format)
    array([ True, False, False])
    """
    return _FROM_CELLS.get(fields.column_type(name), _cell_texts)(name, cells, place)


def _cell_texts(name: str, cells: Sequence[str], place: Place) -> Column:  # noqa: ARG001
    return objects((cell or None for cell in cells), len(cells))


def _cell_words(name: str, cells: Sequence[str], place: Place) -> Column:
    return from_values(name, [cell or None for cell in cells], place)


def _cell_outcomes(name: str, cells: Sequence[str], place: Place) -> Column:
    return _outcomes(name, [cell.strip() for cell in cells], place)


def _cell_numbers(name: str, cells: Sequence[str], place: Place) -> Column:
    joined = "".join(cells)
    if joined.isascii() and "_" not in joined:
        try:
            numbers = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            numbers = np.array([np.inf])
        if are_plain(name, numbers, cells.count("")):
            return numbers
    return np.array(
        [number_cell(name, cell, place(row)) for row, cell in enumerate(cells)]
    )


def _cell_flags(name: str, cells: Sequence[str], place: Place) -> Column:
    flags = [flag_cell(name, cell, place(row)) for row, cell in enumerate(cells)]
    return _flags(name, flags, place)


_FROM_CELLS: Final[dict[str, _Reader]] = {
    "item": _items,
    "outcome": _cell_outcomes,
    "kind": _cell_words,
    "code": _cell_words,
    "number": _cell_numbers,
    "weight": _cell_numbers,
    "correct": _cell_numbers,
    "flag": _cell_flags,
}

# -- arrays ------------------------------------------------------------------------


def is_missing(column: Column) -> Column:
    """Where a column holds nothing: masked, or None."""
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.getmaskarray(column)
    if column.dtype != object:
        return np.zeros(len(column), bool)
    return np.fromiter((value is None for value in column), bool, len(column))


def as_objects(column: Column) -> Column:
    """A column of anything, None where there is nothing."""
    values = np.array(np.ma.getdata(column), dtype=object)
    if isinstance(column, np.ma.MaskedArray):
        values[np.ma.getmaskarray(column)] = None
    return values


def from_array(name: str, column: Column, place: Place) -> Column:
    """A column that is an array already, masked or not, as its field has it.

    Numbers keep the precision of float32, and NaN, which is for `build` to judge.

    Raises
    ------
    InputError
        If a value is not what the column holds.

    Examples
    --------
    >>> from_array("cluster", np.array([7, 8]), "row {}".format).tolist()
    ['7', '8']
    """
    its = fields.column_type(name)
    if its in ("number", "weight", "correct"):
        return _as_floats(name, column, place)
    masked = isinstance(column, np.ma.MaskedArray)
    if its == "flag" and column.dtype == bool and not masked:
        return column.copy()
    if its == "any":
        return as_objects(column)
    return from_values(name, as_objects(column).tolist(), place)


def _as_floats(name: str, column: Column, place: Place) -> Column:
    """A column of numbers, NaN where there is nothing; float32 stays float32."""
    data, its = np.ma.getdata(column), column.dtype
    if its.kind == "f" and its.itemsize in (4, 8):
        numbers: Column = np.array(data, its.newbyteorder("="))
    elif its.kind in "iuf" or (its.kind == "b" and name == "correct"):
        numbers = np.array(data, np.float64)
        lost = (numbers.astype(data.dtype) != data) & (data == data)
        if lost.any():
            row = int(np.argmax(lost))
            raise InputError(place(row), name, EXACT, shown(data[row]))
    else:
        values = as_objects(column).tolist()
        numbers = np.array(
            [
                np.nan if value != value else number(name, value, place(row))
                for row, value in enumerate(values)
            ],
            np.float64,
        )
    if its.kind == "O" or isinstance(column, np.ma.MaskedArray):
        numbers[is_missing(column)] = np.nan
    return numbers
