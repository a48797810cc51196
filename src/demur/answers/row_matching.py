"""Whether the rows of two tables agree once it is said which columns stand for which.

Here values decide, not codes. Where equal codes mean equal or mutually near cells, one
partner per row is looked at. Where nearness is not transitive, all rows that could be
near are, and a bag needs a perfect matching.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from typing import Final

import numpy as np

from demur.answers.cells import Codes, Rows, distinct, joined, places
from demur.answers.closeness import Tolerant, equal_pairs
from demur.answers.column_matching import (
    Agreement,
    Mapping,
    Steps,
    row_codes,
)
from demur.answers.relation_values import Array, Mask
from demur.answers.row_grids import grid
from demur.errors import DemurError

_ROUNDING: Final = 1 + 1e-6
_PER_ROUND: Final = 500  # steps for each column beside the rows looked at
_PER_PAIR: Final = 5
_FEW: Final = 16  # rows in a cell of the grid, all of which are looked at


class SharedCodes(DemurError):
    """Cells that differ were found to share a code."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One side of a comparison: cells, codes, and a code of each row's place.

    Parameters
    ----------
    columns : sequence of Tolerant
        The cells.
    codes : sequence of arrays of uint64
        Of each column; equal for cells that may match.
    rows : array of uint64
        What rows must agree on beside their cells; equal for all if there is nothing.
    """

    columns: Sequence[Tolerant]
    codes: Sequence[Codes]
    rows: Codes

    def at(self, rows: Rows) -> "Table":
        """Only some rows."""
        columns = [column.at(rows) for column in self.columns]
        return Table(columns, [codes[rows] for codes in self.codes], self.rows[rows])

    def taken(self, mapping: Mapping) -> "Table":
        """Only some columns, in the order of a mapping."""
        columns = [self.columns[column] for column in mapping]
        return replace(self, columns=columns, codes=[self.codes[c] for c in mapping])

    @property
    def exact(self) -> "Table":
        """The same with codes that only equal cells share."""
        return replace(self, codes=[column.cells.codes for column in self.columns])

    @property
    def row_codes(self) -> Codes:
        """A code of each row."""
        return row_codes(self.codes, self.rows)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far cells may differ.

    Parameters
    ----------
    relative : Fraction
        The tolerance; 0 for equality.
    transitive : bool
        Whether cells with equal codes all match each other.
    first_is_canonical : bool
        Whether the tolerance is a fraction of the first table's numbers.
    """

    relative: Fraction = Fraction(0)
    transitive: bool = True
    first_is_canonical: bool = True

    def turned(self) -> "Tolerance":
        """The same with the two tables exchanged."""
        return replace(self, first_is_canonical=not self.first_is_canonical)


def agree(
    one: Table, other: Table, how: Agreement, tolerance: Tolerance, steps: Steps
) -> bool:
    """Whether rows agree, column by column in their order.

    Parameters
    ----------
    one, other : Table
        Of equal width.
    how : {"set", "bag", "subset"}
        ``set``: each row of either has a partner in the other. ``bag``: rows can be
        paired one to one. ``subset``: each row of the first has a partner.
    tolerance : Tolerance
        How far cells may differ.
    steps : Steps
        What it may cost.

    Raises
    ------
    OutOfSteps
    SharedCodes
    """
    if _aligned(one, other):
        rows = np.arange(len(one.rows))
        return bool(_equal(one, rows, other, rows, tolerance, steps).all())
    if tolerance.transitive and how != "subset":
        return _agree_by_codes(one, other, how, tolerance, steps)
    if how == "bag":
        return _pair_up(one, other, tolerance, steps)
    ours, theirs = lacking(one, other, tolerance, steps)
    return not len(ours) and (how == "subset" or not len(theirs))


def lacking(
    one: Table, other: Table, tolerance: Tolerance, steps: Steps
) -> tuple[Rows, Rows]:
    """Rows of either table without a partner in the other, in their order.

    Raises
    ------
    OutOfSteps
    SharedCodes
    """
    if _aligned(one, other):
        rows = np.arange(len(one.rows))
        left = np.flatnonzero(~_equal(one, rows, other, rows, tolerance, steps))
        return left, left
    if not tolerance.transitive:
        return _Partners(one, other, tolerance, steps).lacking()
    return _lacking_by_codes(one, other, tolerance, steps)


def n_different(table: Table, steps: Steps) -> int:
    """How many rows there are if equal ones count once.

    Raises
    ------
    OutOfSteps
    SharedCodes
    """
    steps.spend(4 * len(table.rows))
    return len(_grouped(table.exact.row_codes, table, steps).heads)


def _grouped(codes: Codes, table: Table, steps: Steps) -> "_Sorted":
    """Rows by codes that only equal ones share."""
    groups = _Sorted(codes)
    again = groups.repeated
    rows, heads = groups.order[again], groups.heads[groups.group[again]]
    if not _equal(table, rows, table, heads, Tolerance(), steps).all():
        raise SharedCodes
    return groups


def _aligned(one: Table, other: Table) -> bool:
    """Whether each row has a place of its own, and a row of the other beside it."""
    begins = one.rows[1:] > one.rows[:-1]
    return (
        len(one.rows) > 1
        and bool(begins.all())
        and np.array_equal(one.rows, other.rows)
    )


def _equal(
    one: Table,
    rows: Rows,
    other: Table,
    other_rows: Rows,
    tolerance: Tolerance,
    steps: Steps,
) -> Mask:
    """Whether rows match in all columns, pair by pair."""
    steps.spend(len(rows) * (len(one.columns) + 1))
    equal = np.asarray(one.rows[rows] == other.rows[other_rows], bool)
    for ours, theirs in zip(one.columns, other.columns, strict=True):
        left = np.flatnonzero(equal)
        pair = (ours, rows[left]), (theirs, other_rows[left])
        first, second = pair if tolerance.first_is_canonical else pair[::-1]
        equal[left] = equal_pairs(*first, *second, tolerance.relative)
    return equal


# -- equal codes decide ------------------------------------------------------------


def _agree_by_codes(
    one: Table, other: Table, how: Agreement, tolerance: Tolerance, steps: Steps
) -> bool:
    ours, theirs = _Sorted(one.row_codes), _Sorted(other.row_codes)
    steps.spend(4 * (len(one.rows) + len(other.rows)))
    if not np.array_equal(ours.distinct, theirs.distinct):
        return False
    if how == "bag" and not np.array_equal(ours.counts, theirs.counts):
        return False
    # Each of our rows beside one of theirs, and their repeated rows beside one of ours.
    again = theirs.repeated
    in_place = np.empty(len(one.rows), np.intp)
    in_place[ours.order] = theirs.heads[ours.group]
    rows = np.concatenate([np.arange(len(one.rows)), ours.heads[theirs.group[again]]])
    other_rows = np.concatenate([in_place, theirs.order[again]])
    if not _equal(one, rows, other, other_rows, tolerance, steps).all():
        raise SharedCodes
    return True


def _lacking_by_codes(
    one: Table, other: Table, tolerance: Tolerance, steps: Steps
) -> tuple[Rows, Rows]:
    steps.spend(8 * (len(one.rows) + len(other.rows)))
    ours, theirs = _Sorted(one.row_codes), _Sorted(other.row_codes)
    partners = ours.among(theirs)
    alone, back = partners < 0, np.full(len(theirs.heads), -1, np.intp)
    back[partners[~alone]] = np.flatnonzero(~alone)
    # Each of our rows beside one of theirs, and their repeated rows beside one of ours.
    held = np.flatnonzero(~alone[ours.group])
    again = theirs.repeated[back[theirs.group[theirs.repeated]] >= 0]
    rows = [ours.order[held], ours.heads[back[theirs.group[again]]]]
    others = [theirs.heads[partners[ours.group[held]]], theirs.order[again]]
    pairs = np.concatenate(rows), np.concatenate(others)
    if not _equal(one, pairs[0], other, pairs[1], tolerance, steps).all():
        raise SharedCodes
    return ours.rows(alone), theirs.rows(back < 0)


class _Sorted:
    """Rows sorted by their code: which groups there are, and the first of each."""

    def __init__(self, codes: Codes) -> None:
        self.order: Rows = np.argsort(codes)
        codes = codes[self.order]
        begins = np.ones(len(codes), bool)
        begins[1:] = codes[1:] != codes[:-1]
        self.group = np.cumsum(begins) - 1
        starts = np.flatnonzero(begins)
        self.distinct, self.heads = codes[starts], self.order[starts]
        self.repeated = np.flatnonzero(~begins)
        self._ends = np.append(starts, len(codes))

    @property
    def counts(self) -> Array:
        """How many rows each group has."""
        return np.asarray(np.diff(self._ends))

    @property
    def rank(self) -> Array:
        """How many rows of the same group come before each, in order of codes."""
        return np.asarray(np.arange(len(self.order)) - self._ends[self.group])

    def among(self, others: "_Sorted") -> Rows:
        """For each group the one with the same code among others, or -1."""
        known = others.distinct
        found = np.searchsorted(known, self.distinct)
        found[found == len(known)] = 0
        return np.where(known[found] == self.distinct, found, -1)

    def rows(self, groups: Mask) -> Rows:
        """The rows of some groups, in their order."""
        return np.sort(self.order[groups[self.group]])


# -- nearness that is not transitive -----------------------------------------------


class _Partners:
    """Rows that are equal, and of those that are not one that is near."""

    def __init__(
        self, one: Table, other: Table, tolerance: Tolerance, steps: Steps
    ) -> None:
        steps.spend(8 * (len(one.rows) + len(other.rows)))
        self.one, self.other = one, other
        self.tolerance, self.steps = tolerance, steps
        self.ours, self.theirs = (
            self._groups(table) for table in (one.exact, other.exact)
        )
        self.equal = self._equal_groups()
        self.near = np.full(len(one.rows), -1, np.intp)
        left = np.sort(self.ours.heads[self.equal < 0])
        heads = np.sort(self.theirs.heads)
        for rows, partners in self._near_rows(one, left, other, heads, tolerance):
            self.near[rows] = partners

    def _near_rows(
        self, one: Table, left: Rows, other: Table, heads: Rows, tolerance: Tolerance
    ) -> Iterator[tuple[Rows, Rows]]:
        """For some rows of one table a near one among some rows of the other."""
        if len(left) and len(heads):
            pair = _part(one, left), _part(other, heads)
            for rows, others in _near_rows(*pair, tolerance, self.steps, once=True):
                yield left[rows], heads[others]

    def _groups(self, table: Table) -> "_Sorted":
        """Equal rows together, unless one has an integer where another has a real."""
        codes = table.row_codes
        for column in table.columns:
            if column.any_real and not column.all_real:
                codes = joined(codes, column.real.astype(np.uint64))
        return _grouped(codes, table, self.steps)

    def _equal_groups(self) -> Rows:
        """For each group of ours the equal one of theirs, or -1."""
        partners = self.ours.among(self.theirs)
        found = np.flatnonzero(partners >= 0)
        rows, others = self.ours.heads[found], self.theirs.heads[partners[found]]
        exact = Tolerance()
        if not _equal(self.one, rows, self.other, others, exact, self.steps).all():
            raise SharedCodes
        return partners

    def lacking(self) -> tuple[Rows, Rows]:
        """Rows of either table without a partner, in their order."""
        ours, theirs = self.ours, self.theirs
        alone = (self.equal < 0) & (self.near[ours.heads] < 0)
        others = np.ones(len(self.other.rows), bool)
        others[theirs.heads[self.equal[self.equal >= 0]]] = False
        others[self.near[self.near >= 0]] = False
        left = np.sort(theirs.heads[others[theirs.heads]])
        # Ours without a partner have been compared with all of theirs.
        held, turned = np.sort(ours.heads[~alone]), self.tolerance.turned()
        for rows, _ in self._near_rows(self.other, left, self.one, held, turned):
            others[rows] = False
        return ours.rows(alone), theirs.rows(others[theirs.heads])

    def beyond_equal(self) -> tuple[Rows, Rows]:
        """Rows that are left once equal ones are paired one to one."""
        back = np.full(len(self.theirs.heads), -1, np.intp)
        found = np.flatnonzero(self.equal >= 0)
        back[self.equal[found]] = found
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
        found = self.equal >= 0
        partners = self.near[self.ours.heads]
        partners[found] = self.theirs.heads[self.equal[found]]
        taken = np.zeros(len(self.other.rows), bool)
        taken[partners[partners >= 0]] = True
        return bool(taken.all())


def _part(table: Table, rows: Rows) -> Table:
    """Rows in their order, each once; no copy if they are all."""
    return table if len(rows) == len(table.rows) else table.at(rows)


def _pair_up(one: Table, other: Table, tolerance: Tolerance, steps: Steps) -> bool:
    """Whether all rows can be paired one to one: simple ways first."""
    if len(one.rows) != len(other.rows):
        return False
    partners = _Partners(one, other, tolerance, steps)
    if partners.one_to_one():
        return True
    if any(map(len, partners.lacking())):
        return False
    ours, theirs = partners.beyond_equal()
    if _alike_in_order(_part(one, ours), _part(other, theirs), tolerance, steps):
        return True
    return _perfect(one, other, tolerance, steps)


def _alike_in_order(
    one: Table, other: Table, tolerance: Tolerance, steps: Steps
) -> bool:
    """Whether rows match one by one when sorted by the most varied number."""
    if not len(one.rows):
        return True
    steps.spend(8 * len(one.rows))
    exact = [
        not (ours.any_real or theirs.any_real)
        for ours, theirs in zip(one.columns, other.columns, strict=True)
    ]
    orders = [
        np.lexsort((numbers, row_codes(list(compress(table.codes, exact)), table.rows)))
        for table, numbers in zip((one, other), _most_varied(one, other), strict=True)
    ]
    return bool(_equal(one, orders[0], other, orders[1], tolerance, steps).all())


def _near_rows(
    one: Table,
    other: Table,
    tolerance: Tolerance,
    steps: Steps,
    *,
    once: bool = False,
) -> Iterator[tuple[Rows, Rows]]:
    """Pairs of rows that match, each pair once; or for each row one pair."""
    rows, begins, ends, order = _windows(one, other, float(tolerance.relative), steps)
    found = np.zeros(len(one.rows), bool)
    while True:
        left = begins < ends
        if once:
            left &= ~found[rows]
        if not left.all():
            rows, begins, ends = rows[left], begins[left], ends[left]
        if not len(rows):
            return
        steps.spend(_PER_ROUND * len(one.columns))
        others = order[begins]
        equal = _equal(one, rows, other, others, tolerance, steps)
        found[rows[equal]] = True
        yield rows[equal], others[equal]
        begins = begins + 1


def _windows(
    one: Table, other: Table, relative: float, steps: Steps
) -> tuple[Rows, Rows, Rows, Rows]:
    """Rows of the first table, and where their possible partners begin and end.

    The places are those in an order of the other table's rows, which comes last. A row
    stands there several times if its partners may be in several places.
    """
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
    near, far = _most_varied(one, other)
    values = distinct(far)
    reach = np.abs(near) * (relative / (1 - relative) * _ROUNDING)
    low, high = (
        places(values, near - reach, "left"),
        places(values, near + reach, "right"),
    )
    size = len(values) + 1
    starts = np.append(True, known[1:] != known[:-1])
    group = np.cumsum(starts) - 1
    keys = group * size + places(values, far[order], "left")
    within = np.argsort(keys)
    order, keys = order[within], keys[within]
    group = group[begins] * size
    begins = places(keys, group + low[rows], "left")
    return rows, begins, places(keys, group + high[rows], "left"), order


def _most_varied(one: Table, other: Table) -> tuple[Array, Array]:
    """Both sides' numbers in the column that tells most of them apart."""
    best = max(
        range(len(one.columns)),
        key=lambda column: len(distinct(_finite(other.columns[column]))),
    )
    return _finite(one.columns[best]), _finite(other.columns[best])


def _finite(column: Tolerant) -> Array:
    numbers = column.numbers
    return np.where(np.isfinite(numbers), numbers, 0.0)


def _perfect(one: Table, other: Table, tolerance: Tolerance, steps: Steps) -> bool:
    """Whether as many rows can be paired one to one (augmenting paths)."""
    partners: list[list[int]] = [[] for _ in range(len(one.rows))]
    for rows, others in _near_rows(one, other, tolerance, steps):
        steps.spend(_PER_PAIR * len(rows))
        for row, its in zip(rows.tolist(), others.tolist(), strict=True):
            partners[row].append(its)
    taken: dict[int, int] = {}  # rows by partner
    held: dict[int, int] = {}  # partners by row
    rarest_first = sorted(range(len(partners)), key=lambda row: len(partners[row]))
    return all(_augmented(row, partners, taken, held, steps) for row in rarest_first)


def _augmented(
    row: int,
    partners: list[list[int]],
    taken: dict[int, int],
    held: dict[int, int],
    steps: Steps,
) -> bool:
    """Give a row a partner, perhaps moving others to another one of theirs."""
    came_from: dict[int, int] = {}
    waiting = deque([row])
    while waiting:
        current = waiting.popleft()
        steps.spend(_PER_PAIR * (1 + len(partners[current])))
        for partner in partners[current]:
            if partner in came_from:
                continue
            came_from[partner] = current
            if partner not in taken:
                _move(partner, came_from, taken, held)
                return True
            waiting.append(taken[partner])
    return False


def _move(
    free: int,
    came_from: dict[int, int],
    taken: dict[int, int],
    held: dict[int, int],
) -> None:
    """Follow the path back from a free partner to the row that wants one."""
    partner = free
    while True:
        holder = came_from[partner]
        before = held.get(holder)
        taken[partner], held[holder] = holder, partner
        if before is None:
            return
        partner = before
