"""One column made an array: checked value by value only where a fault is likely.

Nothing is None among texts, NaN among numbers, and the usual answer among flags. What
a value must be is said in `demur.outcomes.fields`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.checks import choice
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
_MOST_SHARED: Final = 1 << 20


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
    if its in fields.NUMERIC:
        return np.full(n_rows, np.nan)
    if its == "flag":
        return np.full(n_rows, fields.FIELDS[name].usual)
    if its == "outcome":
        return np.full(n_rows, fields.UNGRADED, np.uint8)
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
        return objects(map(self.__getitem__, texts.tolist()), len(texts))


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


def _one_by_one(
    read: Callable[[str, Any, str], Any], name: str, values: Iterable[Any], place: Place
) -> list[Any]:
    """Values one by one, the slow way: an error says where one is wrong."""
    listed = list(values)
    try:
        return [read(name, value, place(row)) for row, value in enumerate(listed)]
    except InputError as error:
        from demur.outcomes.proposed_forms import with_forms

        raise with_forms(error, listed) from None


def are_known(its: str, values: Sequence[Any]) -> bool:
    """Whether values are texts, or None, that a column of a type may hold."""
    kinds = set(map(type, values))
    if its == "item":
        return kinds == {str} and "" not in values
    if not kinds <= _NOTHING:
        return False
    if its == "kind":
        return set(values) <= {None, *fields.KINDS}
    return its != "code" or all(map(is_code, set(values) - {None}))


def _words(name: str, values: Sequence[Any], place: Place) -> Column:
    """Texts; each as its field has it, the slow way, where some are odd."""
    if not are_known(fields.column_type(name), values):
        values = _one_by_one(checked, name, values, place)
    return objects(values, len(values))


def _outcomes(name: str, values: Sequence[Any], place: Place) -> Column:
    try:
        codes = map(fields.READ_AS.__getitem__, values)
        return np.fromiter(codes, np.uint8, len(values))
    except (KeyError, TypeError):
        _one_by_one(outcome, name, values, place)
        raise


def _numbers(name: str, values: Sequence[Any], place: Place) -> Column:
    # All at once where every value is a plain number; else one by one, for the place.
    if set(map(type, values)) <= _NUMERIC[name == "correct"]:
        try:
            numbers = np.array(values, np.float64)
        except OverflowError:
            numbers = np.array([np.inf])
        if are_plain(name, numbers, values.count(None)):
            return numbers
    return np.array(_one_by_one(number, name, values, place), np.float64)


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
        values = _one_by_one(flag, name, values, place)
    usual = fields.FIELDS[name].usual
    return np.array([usual if value is None else value for value in values], bool)


def _texts(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects(map(as_text, values), len(values))


def _any(name: str, values: Sequence[Any], place: Place) -> Column:  # noqa: ARG001
    return objects(values, len(values))


_Reader = Callable[[str, Sequence[Any], Place], Column]

_FROM_VALUES: Final[dict[str, _Reader]] = {
    **dict.fromkeys(("item", "label", "kind", "code"), _words),
    **dict.fromkeys(fields.NUMERIC, _numbers),
    "outcome": _outcomes,
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
    return np.array(_one_by_one(number_cell, name, cells, place))


def _cell_flags(name: str, cells: Sequence[str], place: Place) -> Column:
    return _flags(name, _one_by_one(flag_cell, name, cells, place), place)


_FROM_CELLS: Final[dict[str, _Reader]] = {
    **dict.fromkeys(("kind", "code"), _cell_words),
    **dict.fromkeys(fields.NUMERIC, _cell_numbers),
    "item": _words,
    "outcome": _cell_outcomes,
    "flag": _cell_flags,
}

# -- arrays ------------------------------------------------------------------------


def is_missing(column: Column) -> Column:
    """Where a column holds nothing: masked, or None."""
    if column.dtype != object or isinstance(column, np.ma.MaskedArray):
        return np.ma.getmaskarray(column)
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
    if its in fields.NUMERIC:
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
        values = (None if v != v else v for v in as_objects(column).tolist())
        numbers = np.array(_one_by_one(number, name, values, place), np.float64)
    if its.kind == "O" or isinstance(column, np.ma.MaskedArray):
        numbers[is_missing(column)] = np.nan
    return numbers


# -- codes -------------------------------------------------------------------------


class OutcomeName(str):
    """The name of an outcome, which is also equal to its code, and indexes by it.

    Examples
    --------
    >>> wrong = OutcomeName("wrong")
    >>> wrong == "wrong", wrong == 1, fields.OUTCOMES[wrong]
    (True, True, 'wrong')
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, np.integer)) and not isinstance(other, bool):
            return bool(fields.CODES[self] == other)
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __index__(self) -> int:
        return fields.CODES[self]


_OUTCOME_NAMES: Final = tuple(map(OutcomeName, fields.OUTCOMES))


@dataclass(frozen=True, eq=False, repr=False)
class OutcomeColumn(Sequence[OutcomeName]):
    """Outcomes by their names, kept as codes; what is made of it has names, too.

    No array of numpy, which would become one of codes in pandas and elsewhere, where
    nothing is equal to a name.

    Parameters
    ----------
    codes : array of uint8, shape (n_rows,)
        Positions in `demur.outcomes.fields.OUTCOMES`.

    Examples
    --------
    >>> import demur
    >>> outcome = demur.Outcomes.from_arrays(correct=[True, False, None]).outcome
    >>> (outcome == "wrong").tolist(), outcome[1] == "wrong", outcome.codes.tolist()
    ([False, True, False], True, [0, 1, 2])
    >>> np.array(outcome).tolist(), outcome.count("wrong")
    (['right', 'wrong', 'unanswered'], 1)
    >>> outcome == "incorrect"
    Traceback (most recent call last):
    ...
    demur.errors.InputError: outcomes: outcome must be one of right, wrong, unanswered,
    ungraded; got 'incorrect'. Choose one of these.
    """

    codes: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Any:
        chosen = self.codes[rows]
        if isinstance(chosen, np.ndarray):
            return OutcomeColumn(chosen)
        return _OUTCOME_NAMES[chosen]

    def __iter__(self) -> Iterator[OutcomeName]:
        return map(_OUTCOME_NAMES.__getitem__, self.codes.tolist())

    def __contains__(self, name: object) -> bool:
        return bool(np.any(self == name))

    def __eq__(self, other: object) -> Any:
        return np.equal(self.codes, _codes(other))

    def __ne__(self, other: object) -> Any:
        return np.not_equal(self.codes, _codes(other))

    __hash__ = None  # type: ignore[assignment]  # as of any array

    def __repr__(self) -> str:
        names = np.array2string(np.asarray(self), separator=", ", threshold=20)
        return f"OutcomeColumn({names})"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Column:
        """An array of the names; codes are not theirs."""
        names = objects(_OUTCOME_NAMES, len(_OUTCOME_NAMES))[self.codes]
        return names if dtype is None else names.astype(dtype)

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        """As of any array of names; those that are looked for must be some."""
        del types
        if function is np.isin and args[0] is self:
            return np.isin(self.codes, _codes(args[1]), *args[2:], **options)
        return function(*_arrays(args), **options)

    def tolist(self) -> list[OutcomeName]:
        """The names as a list."""
        return list(self)


def _arrays(values: Any) -> Any:
    """Columns of outcomes as arrays, also in lists; anything else as it is."""
    if isinstance(values, (list, tuple)):
        return type(values)(map(_arrays, values))
    return np.asarray(values) if isinstance(values, OutcomeColumn) else values


def _codes(other: Any) -> Any:
    """Names as their codes; anything else as it is."""
    if isinstance(other, OutcomeColumn):
        return other.codes
    if isinstance(other, (str, bool)):
        return fields.CODES[choice("outcomes", "outcome", other, fields.OUTCOMES)]
    if hasattr(other, "__len__"):
        values = np.asarray(other)
        if values.dtype.kind in "UO" and values.size:
            listed = [_codes(value) for value in values.ravel().tolist()]
            return np.array(listed).reshape(values.shape)
    return other


def masked(column: Column) -> Column:
    """Numbers with their gaps masked; other columns as they are."""
    if column.dtype.kind == "f" and np.isnan(column).any():
        gapped: Column = np.ma.masked_array(column, np.isnan(column))
        return gapped
    return column
