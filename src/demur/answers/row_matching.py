"""Whether the rows of two tables agree once it is said which columns stand for which.

Here values decide, not codes. Where equal codes mean equal or mutually near cells, one
partner per row is looked at. Where nearness is not transitive, all rows that could be
near are, and a bag needs a perfect matching.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from demur.answers.cells import Codes, Rows, among, distinct, places
from demur.answers.closeness import Tolerant, equal_pairs
from demur.answers.column_matching import (
    Agreement,
    Mapping,
    Steps,
    first_partners,
    row_codes,
)
from demur.answers.relation_values import Array, Mask
from demur.errors import DemurError

_ROUNDING: Final = 1 + 1e-6
_PER_ROUND: Final = 500  # steps beside the rows looked at


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
    if how == "subset":
        return not len(lacking(one, other, tolerance, steps))
    if tolerance.transitive:
        return _agree_by_codes(one, other, how, tolerance, steps)
    if how == "bag":
        return _perfect(one, other, tolerance, steps)
    if len(lacking(one, other, tolerance, steps)):
        return False
    return not len(lacking(other, one, tolerance.turned(), steps))


def lacking(one: Table, other: Table, tolerance: Tolerance, steps: Steps) -> Rows:
    """Rows of the first table without a partner in the other, in their order.

    Raises
    ------
    OutOfSteps
    SharedCodes
    """
    if tolerance.transitive:
        left, shared = _without_partner(one, other, tolerance, steps)
        if shared:
            raise SharedCodes
        return left
    left, _ = _without_partner(one.exact, other.exact, tolerance, steps)
    if not len(left):
        return left
    rest = one.at(left)
    known = distinct(rest.row_codes)
    near = other.at(np.flatnonzero(among(other.row_codes, known)))
    found = np.zeros(len(left), bool)
    for rows, _ in _near_rows(rest, near, tolerance, steps, found):
        found[rows] = True
    return left[~found]


def _without_partner(
    one: Table, other: Table, tolerance: Tolerance, steps: Steps
) -> tuple[Rows, bool]:
    """Rows without a match among those of their code; whether any code misled."""
    steps.spend(4 * (len(one.rows) + len(other.rows)))
    partners = first_partners(one.row_codes, other.row_codes)
    found = partners >= 0
    rows = np.flatnonzero(found)
    found[rows] = _equal(one, rows, other, partners[rows], tolerance, steps)
    return np.flatnonzero(~found), not found[rows].all()


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


class _Sorted:
    """Rows sorted by their code: which groups there are, and the first of each."""

    def __init__(self, codes: Codes) -> None:
        self.order: Rows = np.argsort(codes, kind="stable")
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
        return np.diff(self._ends)


# -- nearness that is not transitive -----------------------------------------------


def _near_rows(
    one: Table,
    other: Table,
    tolerance: Tolerance,
    steps: Steps,
    found: npt.NDArray[np.bool_] | None = None,
) -> Iterator[tuple[Rows, Rows]]:
    """Pairs of rows that match; of rows marked as found no further ones."""
    begins, ends, order = _windows(one, other, float(tolerance.relative), steps)
    rows, offset = np.arange(len(one.rows)), 0
    while True:
        rows = rows[begins[rows] + offset < ends[rows]]
        if found is not None:
            rows = rows[~found[rows]]
        if not len(rows):
            return
        steps.spend(_PER_ROUND)
        others = order[begins[rows] + offset]
        equal = _equal(one, rows, other, others, tolerance, steps)
        yield rows[equal], others[equal]
        offset += 1


def _windows(
    one: Table, other: Table, relative: float, steps: Steps
) -> tuple[Rows, Rows, Rows]:
    """For each row of the first table where its possible partners begin and end."""
    steps.spend(8 * (len(one.rows) + len(other.rows)))
    codes = np.concatenate([one.row_codes, other.row_codes])
    group = np.unique(codes, return_inverse=True)[1].reshape(-1)
    ours, theirs = group[: len(one.rows)], group[len(one.rows) :]
    near, far = _most_varied(one, other)
    values = distinct(far)
    reach = np.abs(near) * (relative / (1 - relative) * _ROUNDING)
    size = len(values) + 1
    keys = theirs * size + places(values, far, "left")
    order: Rows = np.argsort(keys, kind="stable")
    keys = keys[order]
    low = ours * size + places(values, near - reach, "left")
    high = ours * size + places(values, near + reach, "right")
    return places(keys, low, "left"), places(keys, high, "left"), order


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
    """Whether all rows can be paired one to one (augmenting paths)."""
    if len(one.rows) != len(other.rows):
        return False
    partners: list[list[int]] = [[] for _ in range(len(one.rows))]
    for rows, others in _near_rows(one, other, tolerance, steps):
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
        steps.spend(1 + len(partners[current]))
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
