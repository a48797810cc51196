"""Whether the rows of two tables agree once it is said which columns stand for which.

Here values decide, not codes. Where equal codes mean equal or mutually near cells, one
partner per row is looked at. Where nearness is not transitive, all rows that could be
near are, and a bag needs a perfect matching.
"""

from collections import deque
from itertools import compress
from typing import Final

import numpy as np

from demur.answers.tables.cells import Rows
from demur.answers.tables.column_matching import Agreement, Steps, row_codes
from demur.answers.tables.near_rows import Partners, most_varied, near_rows
from demur.answers.tables.row_tables import (
    CodedTable,
    SharedCodes,
    SortedRows,
    Tolerance,
    equal_rows,
    part,
)

_PER_PAIR: Final = 5


def pair_up(
    one: CodedTable, other: CodedTable, tolerance: Tolerance, steps: Steps
) -> bool:
    """Whether all rows can be paired one to one: simple ways first."""
    if len(one.rows) != len(other.rows):
        return False
    partners = Partners(one, other, tolerance, steps)
    if partners.one_to_one():
        return True
    if any(map(len, partners.lacking())):
        return False
    ours, theirs = partners.beyond_equal()
    if _alike_in_order(part(one, ours), part(other, theirs), tolerance, steps):
        return True
    return _perfect(one, other, tolerance, steps)


def _alike_in_order(
    one: CodedTable, other: CodedTable, tolerance: Tolerance, steps: Steps
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
        for table, numbers in zip((one, other), most_varied(one, other), strict=True)
    ]
    return bool(equal_rows(one, orders[0], other, orders[1], tolerance, steps).all())


def _perfect(
    one: CodedTable, other: CodedTable, tolerance: Tolerance, steps: Steps
) -> bool:
    """Whether as many rows can be paired one to one (augmenting paths)."""
    partners: list[list[int]] = [[] for _ in range(len(one.rows))]
    for rows, others in near_rows(one, other, tolerance, steps):
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


def agree(
    one: CodedTable,
    other: CodedTable,
    how: Agreement,
    tolerance: Tolerance,
    steps: Steps,
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
    """
    if _aligned(one, other):
        rows = np.arange(len(one.rows))
        return bool(equal_rows(one, rows, other, rows, tolerance, steps).all())
    if tolerance.transitive and how != "subset":
        return _agree_by_codes(one, other, how, tolerance, steps)
    if how == "bag":
        return pair_up(one, other, tolerance, steps)
    ours, theirs = lacking(one, other, tolerance, steps)
    return not len(ours) and (how == "subset" or not len(theirs))


def lacking(
    one: CodedTable, other: CodedTable, tolerance: Tolerance, steps: Steps
) -> tuple[Rows, Rows]:
    """Rows of either table without a partner in the other, in their order."""
    if _aligned(one, other):
        rows = np.arange(len(one.rows))
        left = np.flatnonzero(~equal_rows(one, rows, other, rows, tolerance, steps))
        return left, left
    if not tolerance.transitive:
        return Partners(one, other, tolerance, steps).lacking()
    return _lacking_by_codes(one, other, tolerance, steps)


def _aligned(one: CodedTable, other: CodedTable) -> bool:
    """Whether each row has a place of its own, and a row of the other beside it."""
    begins = one.rows[1:] > one.rows[:-1]
    return (
        len(one.rows) > 1
        and bool(begins.all())
        and np.array_equal(one.rows, other.rows)
    )


def _agree_by_codes(
    one: CodedTable,
    other: CodedTable,
    how: Agreement,
    tolerance: Tolerance,
    steps: Steps,
) -> bool:
    ours, theirs = SortedRows(one.row_codes), SortedRows(other.row_codes)
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
    if not equal_rows(one, rows, other, other_rows, tolerance, steps).all():
        raise SharedCodes
    return True


def _lacking_by_codes(
    one: CodedTable, other: CodedTable, tolerance: Tolerance, steps: Steps
) -> tuple[Rows, Rows]:
    steps.spend(8 * (len(one.rows) + len(other.rows)))
    ours, theirs = SortedRows(one.row_codes), SortedRows(other.row_codes)
    partners = ours.among(theirs)
    alone, back = partners < 0, np.full(len(theirs.heads), -1, np.intp)
    back[partners[~alone]] = np.flatnonzero(~alone)
    # Each of our rows beside one of theirs, and their repeated rows beside one of ours.
    held = np.flatnonzero(~alone[ours.group])
    again = theirs.repeated[back[theirs.group[theirs.repeated]] >= 0]
    rows = [ours.order[held], ours.heads[back[theirs.group[again]]]]
    others = [theirs.heads[partners[ours.group[held]]], theirs.order[again]]
    pairs = np.concatenate(rows), np.concatenate(others)
    if not equal_rows(one, pairs[0], other, pairs[1], tolerance, steps).all():
        raise SharedCodes
    return ours.rows(alone), theirs.rows(back < 0)
