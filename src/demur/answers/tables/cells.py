"""Cells in the form in which they are compared: exact keys, and codes that find them.

Equal cells have equal codes, whatever types of column they stand in, so codes may
exclude a match. Unequal ones seldom share a code; keys have the last word, and where
codes turn out to be shared, `numbered` gives others that are not.
"""

import math
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from demur.answers.tables.relation_values import Array, Mask, RelationColumn, column_of

Codes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.intp]

_NUMERAL = re.compile(r"[+-]?[0-9]{1,300}(?:\.[0-9]{0,300})?")
_MOMENT = re.compile(
    r"\s*(?:(\d{4}-\d\d-\d\d)[T ])?(\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?"
    r"(?:Z|[+-]00(?::?00)?)?\s*",
    re.ASCII,
)
_SHORTEST: Final = len("00:00")
_A_DAY: Final = "2000-01-01"
_MIDNIGHT: Final = "00:00:00"
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_WHOLE: Final = np.uint64(0xD1B54A32D192ED03)
_REAL: Final = np.uint64(0x8CB92BA72F3D8DD7)
_OTHER: Final = np.uint64(0xABC98388FB8FAC03)
_NAMED: Final = np.uint64(0x589965CC75374CC3)
_TWO_63: Final = 2.0**63
_TWO_53: Final = 2.0**53  # above it a float has no digits after the point
_FEW: Final = 10_000
_SHIFTS: Final = (np.uint64(30), np.uint64(27), np.uint64(31))
_FACTORS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_BLOCK: Final = 1 << 14  # cells that stay in the fast memory of a processor


class _CellToken:
    """A value that equals nothing but itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


_TOKENS: Final = [*map(_CellToken, ("NULL", "TRUE", "FALSE", "NAN"))]
_NULL, _TRUE, _FALSE, _NAN = _TOKENS


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One column, ready to be compared.

    Parameters
    ----------
    keys : array of int64, float64, bool or object
        Cells are equal if their keys are. Object keys hold every NULL as one token.
    null : array of bool, optional
        Which cells are NULL, unless the keys are objects of several types.
    codes : array of uint64
        Equal for equal cells.
    text : bool
        Whether all keys are texts, whose outer white space does not count.
    """

    keys: Array
    null: Mask | None
    codes: Codes
    text: bool = False

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, rows: Rows) -> list[Any]:
        """Keys of some rows as Python values that compare across types of column."""
        listed: list[Any] = self.keys[rows].tolist()
        if self.text:
            listed = [key.strip() for key in listed]
        elif self.keys.dtype == bool:
            listed = [_TRUE if key else _FALSE for key in listed]
        if self.null is not None:
            for place in np.flatnonzero(self.null[rows]).tolist():
                listed[place] = _NULL
        return listed


def cells_of(column: RelationColumn, *, strict: bool) -> Cells:
    """A column's keys and codes.

    Parameters
    ----------
    column : RelationColumn
        As a relation holds it.
    strict : bool
        True for CAS: true and false are no numbers, outer white space of texts does
        not count. False for the equality of Python.

    Examples
    --------
    >>> whole = cells_of(column_of([1, None]), strict=True)
    >>> mixed_types = cells_of(column_of([1.0, "x "]), strict=True)
    >>> (whole.codes == mixed_types.codes).tolist()
    [True, False]
    """
    values, null = column.values, column.null
    if column.text and strict:
        return _texts(values, null)
    if values.dtype == bool and not strict:
        values = values.astype(np.int64)
    if values.dtype == np.float64 and np.isnan(values).any():
        values = np.fromiter(column.tolist(), object, len(values))  # with its NULLs
    if values.dtype == object:
        keys = [_key(cell, strict=strict) for cell in values.tolist()]
        return Cells(np.fromiter(keys, object, len(keys)), None, _object_codes(keys))
    if values.dtype == bool:
        codes = _of_tokens([_TRUE if value else _FALSE for value in (False, True)])
        codes = codes[values.astype(np.intp)]
    elif values.dtype == np.float64:
        codes = _of_floats(values)
    else:
        codes = _of_integers(values)
    if null is not None:
        codes[null] = _of_tokens([_NULL])[0]
    return Cells(values, null, codes)


def _texts(values: Array, null: Mask | None) -> Cells:
    if null is not None:
        values = values.copy()
        values[null] = ""
    codes = _of_hashes(map(hash, map(str.strip, values.tolist())), len(values))
    if null is not None:
        codes[null] = _of_tokens([_NULL])[0]
    return Cells(values, null, codes, text=True)


def same(one: Cells, rows: Rows, other: Cells, other_rows: Rows) -> Mask:
    """Whether cells are equal, pair by pair.

    Examples
    --------
    >>> import numpy as np
    >>> column = cells_of(column_of([1, None]), strict=True)
    >>> same(column, np.array([0, 1, 1]), column, np.array([0, 1, 0])).tolist()
    [True, True, False]
    """
    if one.keys.dtype != other.keys.dtype or one.text != other.text:
        pairs = map(operator.eq, one.at(rows), other.at(other_rows))
        return np.fromiter(map(bool, pairs), bool, len(rows))
    equal = np.asarray(one.keys[rows] == other.keys[other_rows], bool)
    if one.text and not equal.all():
        left = np.flatnonzero(~equal)
        pairs = map(operator.eq, one.at(rows[left]), other.at(other_rows[left]))
        equal[left] = np.fromiter(pairs, bool, len(left))
    if one.null is None and other.null is None:
        return equal
    nulls = [
        np.zeros(len(rows), bool) if cells.null is None else cells.null[taken]
        for cells, taken in ((one, rows), (other, other_rows))
    ]
    return np.asarray((nulls[0] & nulls[1]) | (equal & ~nulls[0] & ~nulls[1]), bool)


def numbered(columns: Sequence[Cells]) -> list[Cells]:
    """The same columns with codes that no two different cells share.

    Examples
    --------
    >>> one = cells_of(column_of([("a", -1), ("a", -2)]), strict=True)
    >>> len(set(one.codes.tolist())), len(set(numbered([one])[0].codes.tolist()))
    (1, 2)
    """
    known: dict[Any, int] = {}
    recoded = []
    for cells in columns:
        keys = cells.at(np.arange(len(cells)))
        numbers = [known.setdefault(key, len(known)) for key in keys]
        codes = mixed(np.array(numbers, np.uint64) + _OTHER)
        recoded.append(replace(cells, codes=codes))
    return recoded


def with_numbers(column: RelationColumn) -> RelationColumn:
    """The column with texts that are numerals as the numbers that they write.

    Examples
    --------
    >>> with_numbers(column_of(["3", " 4.50 ", "3rd"])).tolist()
    [3, 4.5, '3rd']
    """
    if column.values.dtype != object:
        return column
    return column_of([_number(cell) for cell in column.tolist()])


def _number(cell: Any) -> Any:
    if not isinstance(cell, str) or not _NUMERAL.fullmatch(cell.strip()):
        return cell
    return float(cell) if "." in cell else int(cell)


def in_one_form(
    column: RelationColumn, decimals: int | None, *, days: bool
) -> RelationColumn:
    """The column with each cell in one form, or itself if nothing changes.

    A moment has a blank before its time, with seconds, and no time at midnight: it is a
    day then. Of UTC it does not say so. A real has at most so many digits after the
    point, unless it would be nothing. With days every moment is its day. A time alone
    is in the form that it has beside a day.

    Examples
    --------
    >>> column = column_of(["2024-05-01T00:00", "2024-05-01T09:30", 5.066, 0.001])
    >>> in_one_form(column, 2, days=False).tolist()
    ['2024-05-01', '2024-05-01 09:30:00', 5.07, 0.001]
    """
    rounds = decimals is not None and column.values.dtype == np.float64
    if not (rounds or column.values.dtype == object):
        return column
    cells = column.tolist()
    formed = [
        cell
        if type(cell) is str and (len(cell) < _SHORTEST or ":" not in cell)
        else _formed(cell, decimals, days=days)
        for cell in cells
    ]
    changed = any(new is not old for new, old in zip(formed, cells, strict=True))
    return column_of(formed) if changed else column


def _formed(cell: Any, decimals: int | None, *, days: bool) -> Any:
    if isinstance(cell, str):
        return _moment(cell, days=days)
    if decimals is not None and isinstance(cell, (float, Decimal)):
        return _rounded(cell, decimals)
    return cell


def _moment(text: str, *, days: bool) -> str:
    read = _MOMENT.fullmatch(text)
    if read is None:
        return text
    day, clock, seconds = read.groups()
    time = f"{clock}:{seconds or '00'}"
    try:
        datetime.fromisoformat(f"{day or _A_DAY} {time[:8]}")
    except ValueError:
        return text
    time = time.rstrip("0").rstrip(".") if "." in time else time
    if day is None:
        formed = time
    else:
        formed = day if days or time == _MIDNIGHT else f"{day} {time}"
    return text if formed == text else formed


def _rounded(number: float | Decimal, decimals: int) -> float | Decimal:
    """As people round: half away from zero, of the digits that are written."""
    if not math.isfinite(number) or abs(float(number)) >= _TWO_53:
        return number
    written = Decimal(str(number))
    rounded = written.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return number if rounded in (0, written) else float(rounded)


# -- keys --------------------------------------------------------------------------


def _key(cell: Any, *, strict: bool) -> Any:
    if cell is None:
        return _NULL
    if isinstance(cell, str):
        return cell.strip() if strict else cell
    if isinstance(cell, bool):
        return (_TRUE if cell else _FALSE) if strict else cell
    if isinstance(cell, (float, Decimal)):
        return _real_key(cell, strict=strict)
    if isinstance(cell, (list, tuple)):
        return ("list", *(_key(part, strict=strict) for part in cell))
    if isinstance(cell, dict):
        pairs = ((str(name), _key(part, strict=strict)) for name, part in cell.items())
        return ("object", *sorted(pairs, key=operator.itemgetter(0)))
    if isinstance(cell, (bytearray, memoryview)):
        return bytes(cell)
    return cell if type(cell).__hash__ is not None else (type(cell), repr(cell))


def _real_key(number: float | Decimal, *, strict: bool) -> Any:
    """A decimal with digits after the point is the float that is written like it."""
    if isinstance(number, float):
        return _NAN if math.isnan(number) else number
    if number.is_nan():
        return _NAN
    exponent = number.as_tuple().exponent
    if not (strict and isinstance(exponent, int) and exponent < 0):
        return number
    nearest = float(number)
    return nearest if Decimal(repr(nearest)) == number else number


# -- codes -------------------------------------------------------------------------


def mixed(codes: Codes) -> Codes:
    """Codes scattered over 64 bits, different ones staying different.

    Source: the finaliser of SplitMix64, Steele, Lea and Flood (2014).
    """
    if len(codes) <= _BLOCK:
        return _scattered(codes)
    mixture = np.empty_like(codes)
    for start in range(0, len(codes), _BLOCK):
        part = slice(start, start + _BLOCK)
        mixture[part] = _scattered(codes[part])
    return mixture


def _scattered(codes: Codes) -> Codes:
    scattered = codes >> _SHIFTS[0]
    scattered ^= codes
    # The finaliser of SplitMix64 (Steele, Lea, Flood 2014), which is a bijection.
    scattered *= _FACTORS[0]
    scattered ^= scattered >> _SHIFTS[1]
    scattered *= _FACTORS[1]
    scattered ^= scattered >> _SHIFTS[2]
    return scattered


def joined(codes: Codes, more: Codes) -> Codes:
    """Codes of pairs.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.array([1, 2], np.uint64)
    >>> joined(one, one[::-1])[0] == joined(one[::-1], one)[0]
    np.False_
    """
    return mixed(codes * _ODD + more)


def total(codes: Codes) -> int:
    """A code of the codes as a bag: equal for equal bags, in whatever order."""
    # A sum does not depend on order; mixed, so that 1 + 4 is not 2 + 3.
    return int(np.add.reduce(mixed(codes + _ODD), dtype=np.uint64))


def distinct(values: Array) -> Array:
    """The different values, sorted; faster on large arrays than ``np.unique``.

    Examples
    --------
    >>> import numpy as np
    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    values = np.sort(values)
    begins = np.ones(len(values), bool)
    begins[1:] = values[1:] != values[:-1]
    return values[begins]


def places(values: Array, wanted: Array, side: Literal["left", "right"]) -> Rows:
    """Where values belong in a sorted array; much faster if they are many.

    Examples
    --------
    >>> import numpy as np
    >>> places(np.array([1, 3, 5]), np.array([5, 0, 3]), "left")
    array([2, 0, 1])
    """
    if len(wanted) < _FEW:
        return np.searchsorted(values, wanted, side)
    order = np.argsort(wanted)
    positions = np.empty(len(wanted), np.intp)
    positions[order] = np.searchsorted(values, wanted[order], side)
    return positions


def among(values: Array, known: Array) -> Mask:
    """Which values are in a sorted array.

    Examples
    --------
    >>> import numpy as np
    >>> among(np.array([7, 3]), np.array([1, 3, 5])).tolist()
    [False, True]
    """
    if not len(known):
        return np.zeros(len(values), bool)
    at = places(known, values, "left")
    at[at == len(known)] = 0
    return np.asarray(known[at] == values, bool)


def _of_integers(values: Array) -> Codes:
    return mixed(values.view(np.uint64) ^ _WHOLE)


def _of_floats(values: Array) -> Codes:
    """Whole numbers as integers of 64 bits have them, where they fit."""
    codes = mixed(values.view(np.uint64) ^ _REAL)
    fits = (values >= -_TWO_63) & (values < _TWO_63)
    whole = np.flatnonzero(fits & (values == np.floor(values)))
    if len(whole):
        codes[whole] = _of_integers(values[whole].astype(np.int64))
    return codes


def _of_tokens(tokens: list[_CellToken]) -> Codes:
    numbers = np.array([_TOKENS.index(token) for token in tokens], np.uint64)
    return mixed(numbers + _NAMED)


def _of_hashes(hashes: Iterator[int], count: int) -> Codes:
    return mixed(np.fromiter(hashes, np.int64, count).view(np.uint64) ^ _OTHER)


def _object_codes(keys: list[Any]) -> Codes:
    codes = _of_hashes(map(hash, keys), len(keys))
    kinds = set(map(type, keys))
    if any(issubclass(kind, (int, float, Decimal)) for kind in kinds):
        _number_codes(keys, codes)
    if _CellToken in kinds:
        rows = [row for row, key in enumerate(keys) if type(key) is _CellToken]
        codes[rows] = _of_tokens([keys[row] for row in rows])
    return codes


def _number_codes(keys: list[Any], codes: Codes) -> None:
    """Let numbers among objects have the codes that numeric columns give them."""
    whole: dict[int, int] = {}
    real: dict[int, float] = {}
    for row, key in enumerate(keys):
        if not isinstance(key, (int, float, Decimal)):
            continue
        if isinstance(key, int) and -(2**63) <= key < 2**63:
            whole[row] = int(key)
            continue
        nearest = as_float(key)
        if nearest == key:
            real[row] = nearest
    if whole:
        codes[list(whole)] = _of_integers(np.array(list(whole.values()), np.int64))
    if real:
        codes[list(real)] = _of_floats(np.array(list(real.values()), np.float64))


def as_float(number: Any) -> float:
    """The nearest float; infinite for what is too large."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
