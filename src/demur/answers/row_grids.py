"""A grid in which rows that may be near each other share a cell.

Cells of the grid are far wider than the tolerance, so that few numbers lie near a
border. A row is looked up in its own cell and, where one of its numbers is near a
border, in the cell beyond it, too. No two rows that match are missed.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from demur.answers.cells import Codes, Rows, joined
from demur.answers.closeness import Floats, Tolerant

_WIDTH: Final = 64.0  # of a cell, in tolerances
_ROUNDING: Final = 1e-12  # far above that of logarithms of floats
_MOST_COLUMNS: Final = 12
_BELOW_1: Final = 1 - 2.0**-53
_MOST_AT_BORDERS: Final = 0.25
_NEGATIVE: Final = np.uint64(0x2545F4914F6CDD1D)


class Grid(NamedTuple):
    """Rows of two tables by their cell of a grid.

    Parameters
    ----------
    rows : array of int
        Rows of the first table, some of them several times.
    codes : array of uint64, one per row
        The cells in which to look for what is near them.
    others : array of uint64
        The cell of each row of the other table.
    """

    rows: Rows
    codes: Codes
    others: Codes


def rough_codes(column: Tolerant, relative: float) -> Codes:
    """Codes that most numbers share with those near them, for a first look.

    Examples
    --------
    >>> import numpy as np
    >>> from demur.answers.cells import cells_of
    >>> from demur.answers.relation_values import column_of
    >>> column = Tolerant(cells_of(column_of([100.0, 100.001, 200.0]), strict=True))
    >>> rough_codes(column, 0.0001)[:2].tolist() == [rough_codes(column, 0.0001)[0]] * 2
    True
    """
    reach = _reach(relative)
    return _cells(column, np.floor(_scaled(column.numbers, reach)))


def grid(
    columns: Sequence[tuple[Tolerant, Tolerant]],
    places: tuple[Codes, Codes],
    relative: float,
) -> Grid:
    """The cells of the rows of two tables.

    Parameters
    ----------
    columns : sequence of pairs of Tolerant
        Columns that stand for each other, of the first table and of the other.
    places : pair of arrays of uint64
        What rows must agree on beside their cells.
    relative : float
        The tolerance.
    """
    rows = np.arange(len(places[0]))
    codes, others = places
    reach, left = _reach(relative), _MOST_COLUMNS
    for one, other in columns:
        if not (one.any_real or other.any_real):
            codes = joined(codes, one.cells.codes[rows])
            others = joined(others, other.cells.codes)
            continue
        scaled = _scaled(one.numbers, reach)
        low, high = (np.floor(scaled + way / _WIDTH) for way in (-1, 1))
        border = low < high  # never where it is no number
        if not left or np.count_nonzero(border) > _MOST_AT_BORDERS * len(border):
            continue
        left -= 1
        again = np.flatnonzero(border[rows])
        rows = np.append(rows, rows[again])
        cells = _cells(one, low)[rows]
        cells[len(codes) :] = _cells(
            one.at(rows[len(codes) :]), high[rows[len(codes) :]]
        )
        codes = joined(np.append(codes, codes[again]), cells)
        cells = _cells(other, np.floor(_scaled(other.numbers, reach)))
        others = joined(others, cells)
    return Grid(rows, codes, others)


def _reach(relative: float) -> float:
    """How far logarithms of near numbers are apart at most, whichever is canonical."""
    return -math.log1p(-min(relative, _BELOW_1)) * (1 + 1e-6) + _ROUNDING


def _scaled(numbers: Floats, reach: float) -> Floats:
    """Logarithms of sizes, a cell wide 1; none of zero and of what is no number."""
    with np.errstate(divide="ignore"):
        scaled = np.log(np.abs(numbers))
    scaled /= _WIDTH * reach
    return np.asarray(scaled)


def _cells(column: Tolerant, floors: Floats) -> Codes:
    """Codes of cells; zero and what is no number keep their own."""
    finite = np.isfinite(floors)
    if not finite.all():
        floors = np.where(finite, floors, 0.0)
    codes = floors.astype(np.int64).view(np.uint64)
    codes[column.numbers < 0] ^= _NEGATIVE
    if not finite.all():
        rows = np.flatnonzero(~finite)
        codes[rows] = column.cells.codes[rows]
    return codes
