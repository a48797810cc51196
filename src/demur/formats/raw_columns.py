"""Columns as read, made arrays: checked value by value only where a fault is likely.

Nothing is None among texts, NaN among numbers, and the usual answer among flags.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.outcomes import fields
from demur.outcomes.records import UNGRADED

Column = npt.NDArray[Any]
Place = Callable[[int], str]
"""From a position in the column to ``FILE:LINE``."""

_MOST_SHARED: Final = 1 << 20
_LARGEST_EXACT: Final = 2**53 - 1  # beyond it, integers share floats
_NUMERIC: Final = ({float, int, type(None)}, {float, int, type(None), bool})


def from_values(name: str, values: Sequence[Any], place: Place) -> Column:
    """A column of values as JSON or Parquet hold them.

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
    return _FROM_VALUES[fields.type_of(name)](name, values, place)


def from_cells(name: str, cells: Sequence[str], place: Place) -> Column:
    """A column of cells of delimited text; an empty cell holds nothing.

    Parameters, returns and raises as for `from_values`.

    Examples
    --------
    >>> from_cells("declined", ["yes", "no", ""], "a.csv:{}".format)
    array([ True, False, False])
    """
    return _FROM_CELLS[fields.type_of(name)](name, cells, place)


def objects(values: Sequence[Any]) -> Column:
    """An array of objects, never one of more dimensions."""
    return np.fromiter(values, dtype=object, count=len(values))


def missing(name: str, n_rows: int) -> Column:
    """A column that says nothing."""
    kind = fields.type_of(name)
    if kind in ("number", "correct"):
        return np.full(n_rows, np.nan)
    if kind == "flag":
        return np.full(n_rows, fields.USUAL[name])
    if kind == "outcome":
        return np.full(n_rows, UNGRADED, np.uint8)
    return np.full(n_rows, None, object)


class SharedTexts(dict[str | None, str | None]):
    """Equal texts as one object, as long as there are not too many.

    Examples
    --------
    >>> shared = SharedTexts()
    >>> first, second = shared.column(np.array(["".join("ab"), "".join("ab")], object))
    >>> first is second
    True
    """

    def __missing__(self, text: str | None) -> str | None:
        self[text] = text
        return text

    def column(self, texts: Column) -> Column:
        """The same texts, equal ones shared."""
        if len(self) > _MOST_SHARED:
            return texts
        return np.fromiter(map(self.__getitem__, texts.tolist()), object, len(texts))


# -- values ------------------------------------------------------------------------


def _items(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    if set(map(type, values)) == {str} and "" not in values:
        return objects(values)
    return objects([fields.item(value, place(row)) for row, value in enumerate(values)])


def _labels(name: str, values: Sequence[Any], place: Place) -> Column:
    if set(map(type, values)) <= {str, type(None)}:
        return objects(values)
    return objects(
        [fields.label(name, value, place(row)) for row, value in enumerate(values)]
    )


def _outcomes(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    try:
        codes = map(fields.CODES.__getitem__, values)
        return np.fromiter(codes, np.uint8, len(values))
    except (KeyError, TypeError):
        for row, value in enumerate(values):
            fields.outcome(value, place(row))
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
        [fields.number(name, value, place(row)) for row, value in enumerate(values)],
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
    least, greatest = (0, 1) if name == "correct" else (-_LARGEST_EXACT, _LARGEST_EXACT)
    in_range = (rest >= least) & (rest <= greatest)
    return len(numbers) - len(rest) == n_missing and bool(in_range.all())


def _flags(name: str, values: Sequence[Any], place: Place) -> Column:
    if not set(map(type, values)) <= {bool, type(None)}:
        for row, value in enumerate(values):
            fields.flag(name, value, place(row))
    usual = fields.USUAL[name]
    return np.array([usual if value is None else value for value in values], bool)


def _texts(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects([fields.as_text(value) for value in values])


def _any(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects(values)


_Reader = Callable[[str, Sequence[Any], Place], Column]

_FROM_VALUES: Final[dict[str, _Reader]] = {
    "item": _items,
    "label": _labels,
    "outcome": _outcomes,
    "number": _numbers,
    "correct": _numbers,
    "flag": _flags,
    "text": _texts,
    "any": _any,
}

# -- cells -------------------------------------------------------------------------


def _cell_texts(name: str, cells: Sequence[str], place: Place) -> Column:  # noqa: ARG001
    return objects([cell or None for cell in cells])


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
        [fields.number_cell(name, cell, place(row)) for row, cell in enumerate(cells)]
    )


def _cell_flags(name: str, cells: Sequence[str], place: Place) -> Column:
    flags = [fields.flag_cell(name, cell, place(row)) for row, cell in enumerate(cells)]
    usual = fields.USUAL[name]
    return np.array([usual if value is None else value for value in flags], bool)


_FROM_CELLS: Final[dict[str, _Reader]] = {
    "item": _items,
    "label": _cell_texts,
    "outcome": _cell_outcomes,
    "number": _cell_numbers,
    "correct": _cell_numbers,
    "flag": _cell_flags,
    "text": _cell_texts,
    "any": _cell_texts,
}
