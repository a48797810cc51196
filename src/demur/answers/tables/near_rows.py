"""Rows that are near each other, where nearness is not transitive.

All rows that could be near are looked at: those in one cell of a grid, and of many in
one cell those whose most varied number is within the tolerance.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from demur.answers.tables.cells import Codes, Rows, distinct, joined, places
from demur.answers.tables.closeness import Floats, Tolerant
from demur.answers.tables.relation_values import Array
from demur.answers.tables.row_tables import (
    Beside,
    CodedTable,
    SortedRows,
    Tolerance,
    grouped,
)

_WIDTH: Final = 64.0  # of a cell, in tolerances

_LOG_ROUNDING: Final = 1e-12  # far above that of logarithms of floats

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
    >>> from demur.answers.tables.cells import cells_of
    >>> from demur.answers.tables.relation_values import column_of
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
        # A number near the border of its cell may be near one in the next cell.
        low, high = (np.floor(scaled + way / _WIDTH) for way in (-1, 1))
        border = low < high  # never where it is no number
        if not left or np.count_nonzero(border) > _MOST_AT_BORDERS * len(border):
            continue
        left -= 1
        again = np.flatnonzero(border[rows])
        rows = np.append(rows, rows[again])
        cells = _cells(one, low)[rows]
        added = rows[len(codes) :]
        cells[len(codes) :] = _cells(one.at(added), high[added])
        codes = joined(np.append(codes, codes[again]), cells)
        cells = _cells(other, np.floor(_scaled(other.numbers, reach)))
        others = joined(others, cells)
    return Grid(rows, codes, others)


def _reach(relative: float) -> float:
    """How far logarithms of near numbers are apart at most, whichever is canonical."""
    return -math.log1p(-min(relative, _BELOW_1)) * (1 + 1e-6) + _LOG_ROUNDING


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


_ROUNDING: Final = 1 + 1e-6
_PER_ROUND: Final = 500  # steps for each column beside the rows looked at
_FEW: Final = 16  # rows in a cell of the grid, all of which are looked at


class Partners:
    """Rows that are equal, and of those that are not one that is near.

    Parameters
    ----------
    tables : Beside
        Of equal width.
    """

    def __init__(self, tables: Beside) -> None:
        tables.spend(8)
        self.tables = tables
        self.ours, self.theirs = map(self._groups, tables[:2])
        self.equal = self._equal_groups()
        self.near = np.full(len(tables.one.rows), -1, np.intp)
        left = np.sort(self.ours.heads[self.equal < 0])
        for rows, partners in _near(tables, left, np.sort(self.theirs.heads)):
            self.near[rows] = partners

    def _groups(self, table: CodedTable) -> SortedRows:
        """Equal rows together, unless one has an integer where another has a real."""
        table = table.exact
        codes = table.row_codes
        for column in table.columns:
            if column.any_real and not column.all_real:
                codes = joined(codes, column.real.astype(np.uint64))
        return grouped(codes, table, self.tables.steps)

    def _equal_groups(self) -> Rows:
        """For each group of ours the equal one of theirs, or -1."""
        partners = self.ours.among(self.theirs)
        paired = np.flatnonzero(partners >= 0)
        rows, others = self.ours.heads[paired], self.theirs.heads[partners[paired]]
        self.tables._replace(tolerance=Tolerance()).check_codes(rows, others)
        return partners

    def lacking(self) -> tuple[Rows, Rows]:
        """Rows of either table without a partner, in their order."""
        ours, theirs = self.ours, self.theirs
        alone = (self.equal < 0) & (self.near[ours.heads] < 0)
        others = np.ones(len(theirs.order), bool)
        others[theirs.heads[self.equal[self.equal >= 0]]] = False
        others[self.near[self.near >= 0]] = False
        left = np.sort(theirs.heads[others[theirs.heads]])
        # Ours without a partner have been compared with all of theirs.
        held = np.sort(ours.heads[~alone])
        for rows, _ in _near(self.tables.turned(), left, held):
            others[rows] = False
        return ours.rows(alone), theirs.rows(others[theirs.heads])

    def beyond_equal(self) -> tuple[Rows, Rows]:
        """Rows that are left once equal ones are paired one to one."""
        back = np.full(len(self.theirs.heads), -1, np.intp)
        rows = np.flatnonzero(self.equal >= 0)
        back[self.equal[rows]] = rows
        left = []
        for groups, partners, others in (
            (self.ours, self.equal, self.theirs),
            (self.theirs, back, self.ours),
        ):
            held = np.where(partners >= 0, others.counts[partners], 0)
            left.append(np.sort(groups.order[groups.rank >= held[groups.group]]))
        return left[0], left[1]

    def one_to_one(self) -> bool:
        """Whether equal rows, and the first near ones, are pairs already."""
        if len(self.ours.repeated) or len(self.theirs.repeated):
            return False
        equal = self.equal >= 0
        partners = self.near[self.ours.heads]
        partners[equal] = self.theirs.heads[self.equal[equal]]
        taken = np.zeros(len(self.theirs.order), bool)
        taken[partners[partners >= 0]] = True
        return bool(taken.all())


def _near(tables: Beside, rows: Rows, others: Rows) -> Iterator[tuple[Rows, Rows]]:
    """For some rows of the first table a near one among some rows of the other."""
    if len(rows) and len(others):
        for matched, partners in near_rows(tables.among(rows, others), once=True):
            yield rows[matched], others[partners]


def near_rows(tables: Beside, *, once: bool = False) -> Iterator[tuple[Rows, Rows]]:
    """Pairs of rows that match, each pair once; or for each row one pair."""
    one = tables.one
    rows, begins, ends, order = _windows(tables)
    near = np.zeros(len(one.rows), bool)
    while True:
        left = begins < ends
        if once:
            left &= ~near[rows]
        if not left.all():
            rows, begins, ends = rows[left], begins[left], ends[left]
        if not len(rows):
            return
        tables.steps.spend(_PER_ROUND * len(one.columns))
        others = order[begins]
        equal = tables.equal(rows, others)
        near[rows[equal]] = True
        yield rows[equal], others[equal]
        begins = begins + 1


def _windows(tables: Beside) -> tuple[Rows, Rows, Rows, Rows]:
    """Rows of the first table, and where their possible partners begin and end.

    The places are those in an order of the other table's rows, which comes last. A row
    stands there several times if its partners may be in several places.
    """
    one, other, tolerance, steps = tables
    relative = float(tolerance.relative)
    columns = list(zip(one.columns, other.columns, strict=True))
    cells = grid(columns, (one.rows, other.rows), relative)
    rows, codes = cells.rows, cells.codes
    steps.spend(8 * (len(rows) + len(other.rows)))
    order: Rows = np.argsort(cells.others)
    known = cells.others[order]
    by_code = np.argsort(codes)
    rows, codes = rows[by_code], codes[by_code]
    begins = np.searchsorted(known, codes)
    held = begins < len(known)
    held[held] = known[begins[held]] == codes[held]
    rows, begins = rows[held], begins[held]
    ends = np.searchsorted(known, codes[held], "right")
    if not len(rows) or int((ends - begins).max()) <= _FEW:
        return rows, begins, ends, order
    near, far = most_varied(one, other)
    values = distinct(far)
    reach = np.abs(near) * (relative / (1 - relative) * _ROUNDING)
    low = places(values, near - reach, "left")
    high = places(values, near + reach, "right")
    size = len(values) + 1
    starts = np.append(True, known[1:] != known[:-1])
    group = np.cumsum(starts) - 1
    keys = group * size + places(values, far[order], "left")
    within = np.argsort(keys)
    order, keys = order[within], keys[within]
    group = group[begins] * size
    begins = places(keys, group + low[rows], "left")
    return rows, begins, places(keys, group + high[rows], "left"), order


def most_varied(one: CodedTable, other: CodedTable) -> tuple[Array, Array]:
    """Both sides' numbers in the column that tells most of them apart."""
    best = max(
        range(len(one.columns)),
        key=lambda column: len(distinct(_finite(other.columns[column]))),
    )
    return _finite(one.columns[best]), _finite(other.columns[best])


def _finite(column: Tolerant) -> Array:
    numbers = column.numbers
    return np.where(np.isfinite(numbers), numbers, 0.0)
