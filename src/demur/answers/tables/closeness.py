"""Numbers within a relative tolerance of each other, which is not transitive.

A real is right if it differs from the canonical number by at most the tolerance times
that number; only a greater difference is wrong. The tolerance applies where both are
reals, and where it is asked for, where one of them is; two integers must be equal.

To look for matching columns, numbers that any chain of near ones joins get one code.
Where all members of every such chain are near each other, equal codes decide.
Elsewhere they only exclude, and pairs of rows are looked at.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.answers.tables.cells import (
    Cells,
    Codes,
    Rows,
    as_float,
    distinct,
    mixed,
    places,
    same,
)
from demur.answers.tables.relation_values import Array, Mask

Floats = npt.NDArray[np.float64]

_SLACK: Final = 1e-9  # far above rounding errors, far below any tolerance of use
_CHAIN: Final = np.uint64(0xE7037ED1A0B428DB)
_EXACT: Final = 2.0**53


class Tolerant:
    """A column whose numbers may be near others.

    Parameters
    ----------
    cells : Cells
        The column, ready to be compared exactly.
    """

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    def at(self, rows: Rows) -> "Tolerant":
        """Only some rows."""
        cells = self.cells
        null = None if cells.null is None else cells.null[rows]
        return Tolerant(Cells(cells.keys[rows], null, cells.codes[rows], cells.text))

    @cached_property
    def numbers(self) -> Floats:
        """The nearest float of each number, NaN for what is none."""
        keys, null = self.cells.keys, self.cells.null
        if self.cells.text:
            return np.full(len(keys), math.nan)
        if keys.dtype == object:
            listed = (as_float(key) if _is_number(key) else math.nan for key in keys)
            return np.fromiter(listed, np.float64, len(keys))
        if keys.dtype == bool:
            return np.full(len(keys), math.nan)
        numbers = keys.astype(np.float64)
        if null is not None:
            numbers[null] = math.nan
        return numbers

    @cached_property
    def inexact(self) -> bool:
        """Whether a number differs from its nearest float."""
        keys = self.cells.keys
        if keys.dtype != object or self.cells.text:
            return False
        pairs = zip(keys, self.numbers.tolist(), strict=True)
        return any(_is_number(key) and key != nearest for key, nearest in pairs)

    @cached_property
    def real(self) -> Mask:
        """Which cells are reals."""
        keys = self.cells.keys
        if keys.dtype == object and not self.cells.text:
            return np.fromiter(map(_is_real, keys), bool, len(keys))
        return np.full(len(keys), keys.dtype == np.float64)

    @cached_property
    def any_real(self) -> bool:
        """Whether a cell is a real."""
        return bool(self.real.any())

    @cached_property
    def all_real(self) -> bool:
        """Whether all cells are reals."""
        return bool(self.real.all())


def _is_number(key: Any) -> bool:
    return isinstance(key, (int, float, Decimal)) and not isinstance(key, bool)


def _is_real(key: Any) -> bool:
    """Whether a number is no integer by type; a decimal without digits is one."""
    if isinstance(key, Decimal):
        exponent = key.as_tuple().exponent
        return not isinstance(exponent, int) or exponent < 0
    return isinstance(key, float)


# -- chains ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Numbers of both sides, near ones joined.

    Parameters
    ----------
    values : array of float64
        The different numbers, ascending.
    chain : array of int64
        To which chain each belongs.
    loose : array of bool, one per chain
        Whether its members share a code, because a real is among them.
    clean : bool
        Whether the members of each such chain are all near each other.
    integers : bool
        Whether integers may be among them.
    """

    values: Floats
    chain: Array
    loose: Mask
    clean: bool
    integers: bool

    def codes(self, column: Tolerant) -> Codes:
        """Codes of a column that are equal for cells which may match."""
        numbers = column.numbers
        codes = column.cells.codes.copy()
        rows = np.flatnonzero(np.isfinite(numbers) & (self.integers | column.real))
        chain = self.chain[places(self.values, numbers[rows], "left")]
        loose = self.loose[chain]
        codes[rows[loose]] = mixed(chain[loose].astype(np.uint64) ^ _CHAIN)
        return codes


def chains(
    columns: Sequence[Tolerant], relative: float, *, integers: bool = False
) -> Chains | None:
    """The chains of numbers in some columns; None if no two different ones are near.

    Parameters
    ----------
    columns : sequence of Tolerant
        Of both sides.
    relative : float
        The tolerance.
    integers : bool
        Whether it also applies between an integer and a real.
    """
    if relative == 0 or not any(column.any_real for column in columns):
        return None
    values, real, whole = _distinct(columns)
    if not integers:
        values, whole, real = values[real], whole[real], real[real]
    gaps = np.diff(values)
    larger = np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    # Of the larger of two, since either may be the canonical one.
    reach = relative * (1 + _SLACK) * larger
    if not len(values):
        return None
    begins = np.concatenate([[True], gaps > reach])
    chain = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    n_real, n_whole, size = (
        np.add.reduceat(mask.astype(np.int64), starts)
        for mask in (real, whole, np.ones(len(values)))
    )
    loose = (n_real > 0) & (integers | (size > 1))
    last = np.append(starts[1:], len(values)) - 1
    ends = np.abs(values[[starts, last]])
    huge = ends.max(axis=0) >= _EXACT  # there integers may share a float
    joined = loose & ((size > 1) | (huge & (n_whole > 0)))
    if not (joined.any() or any(column.inexact for column in columns)):
        return None
    least = ends.min(axis=0)
    narrow = values[last] - values[starts] <= relative * (1 - _SLACK) * least
    # An integer equals one member of a chain of reals exactly, and is near no other.
    fine = (size == 1) | (narrow & (n_whole <= integers))
    fine &= ~(huge & (n_whole > 0))
    return Chains(values, chain, loose, bool(fine[loose].all()), integers)


def _distinct(columns: Sequence[Tolerant]) -> tuple[Floats, Mask, Mask]:
    """The different finite numbers, and whether each is ever a real, an integer."""
    numbers = np.concatenate([column.numbers for column in columns])
    is_real = np.concatenate([column.real for column in columns])
    finite = np.isfinite(numbers)
    reals = distinct(numbers[finite & is_real])
    integers = distinct(numbers[finite & ~is_real])
    values = distinct(np.concatenate([reals, integers]))
    real, whole = np.zeros((2, len(values)), bool)
    real[places(values, reals, "left")] = True
    whole[places(values, integers, "left")] = True
    return values, real, whole


# -- pairs -------------------------------------------------------------------------


def equal_pairs(
    canonical: Tolerant,
    rows: Rows,
    other: Tolerant,
    other_rows: Rows,
    relative: Fraction,
    *,
    integers: bool = False,
) -> Mask:
    """Whether cells are equal or near, pair by pair.

    Parameters
    ----------
    canonical, other : Tolerant
        The tolerance is a fraction of the numbers of the first.
    rows, other_rows : arrays of int
        Which cells.
    relative : Fraction
        The tolerance.
    integers : bool
        Whether it also applies between an integer and a real.
    """
    equal = same(canonical.cells, rows, other.cells, other_rows)
    left = np.flatnonzero(~equal)
    reals = canonical.any_real, other.any_real
    if not (relative and len(left) and (any(reals) if integers else all(reals))):
        return equal
    ours, theirs = rows[left], other_rows[left]
    r, h = canonical.numbers[ours], other.numbers[theirs]
    finite = np.isfinite(r) & np.isfinite(h)
    if not integers:
        finite &= canonical.real[ours] & other.real[theirs]
    elif not (canonical.all_real or other.all_real):
        finite &= canonical.real[ours] | other.real[theirs]
    judged = np.flatnonzero(finite)
    if not len(judged):
        return equal
    r, h = r[judged], h[judged]
    gap, allowed = np.abs(h - r), float(relative) * np.abs(r)
    near = gap <= allowed * (1 - _SLACK)
    for place in np.flatnonzero(~near & (gap <= allowed * (1 + _SLACK))).tolist():
        row, other_row = ours[judged[place]], theirs[judged[place]]
        pair = canonical.cells.keys[row], other.cells.keys[other_row]
        near[place] = _near(*pair, relative)
    equal[left[judged[near]]] = True
    return equal


def _near(canonical: Any, other: Any, relative: Fraction) -> bool:
    """Whether two numbers are near, in decimal, so that 7.0007 is near 7.0."""
    exact, given = _fraction(canonical), _fraction(other)
    return abs(given - exact) <= relative * abs(exact)


def _fraction(number: Any) -> Fraction:
    return Fraction(str(number.item() if isinstance(number, np.generic) else number))
