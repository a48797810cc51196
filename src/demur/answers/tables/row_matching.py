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
from demur.answers.tables.row_tables import Beside, SortedRows

_PER_PAIR: Final = 5


def _pair_up(tables: Beside) -> bool:
    """Whether all rows can be paired one to one: simple ways first."""
    if len(tables.one.rows) != len(tables.other.rows):
        return False
    partners = Partners(tables)
    if partners.one_to_one():
        return True
    if any(map(len, partners.lacking())):
        return False
    return _alike_in_order(tables.among(*partners.beyond_equal())) or _perfect(tables)


def _alike_in_order(tables: Beside) -> bool:
    """Whether rows match one by one when sorted by the most varied number."""
    one, other, _, steps = tables
    if not len(one.rows):
        return True
    steps.spend(8 * len(one.rows))
    exact = [
        not (ours.any_real or theirs.any_real)
        for ours, theirs in zip(one.columns, other.columns, strict=True)
    ]
    orders = (
        np.lexsort((numbers, row_codes(list(compress(table.codes, exact)), table.rows)))
        for table, numbers in zip((one, other), most_varied(one, other), strict=True)
    )
    return bool(tables.equal(*orders).all())


def _perfect(tables: Beside) -> bool:
    """Whether as many rows can be paired one to one (augmenting paths)."""
    steps = tables.steps
    partners: list[list[int]] = [[] for _ in range(len(tables.one.rows))]
    for rows, others in near_rows(tables):
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
    free: int, came_from: dict[int, int], taken: dict[int, int], held: dict[int, int]
) -> None:
    """Follow the path back from a free partner to the row that wants one."""
    partner: int | None = free
    while partner is not None:
        holder = came_from[partner]
        before = held.get(holder)
        taken[partner], held[holder] = holder, partner
        partner = before


def agree(tables: Beside, how: Agreement) -> bool:
    """Whether rows agree, column by column in their order.

    Parameters
    ----------
    tables : Beside
        Of equal width.
    how : {"set", "bag", "subset"}
        ``set``: each row of either has a partner in the other. ``bag``: rows can be
        paired one to one. ``subset``: each row of the first has a partner.
    """
    if not _are_aligned(tables):
        if tables.tolerance.transitive and how != "subset":
            return _agree_by_codes(tables, how)
        if how == "bag":
            return _pair_up(tables)
    ours, theirs = lacking(tables)
    return not len(ours) and (how == "subset" or not len(theirs))


def lacking(tables: Beside) -> tuple[Rows, Rows]:
    """Rows of either table without a partner in the other, in their order."""
    if _are_aligned(tables):
        rows = np.arange(len(tables.one.rows))
        left = np.flatnonzero(~tables.equal(rows, rows))
        return left, left
    if not tables.tolerance.transitive:
        return Partners(tables).lacking()
    return _lacking_by_codes(tables)


def _are_aligned(tables: Beside) -> bool:
    """Whether each row has a place of its own, and a row of the other beside it."""
    ours, theirs = tables.one.rows, tables.other.rows
    rising = len(ours) > 1 and bool((ours[1:] > ours[:-1]).all())
    return rising and np.array_equal(ours, theirs)


def _agree_by_codes(tables: Beside, how: Agreement) -> bool:
    ours, theirs = (SortedRows(table.row_codes) for table in tables[:2])
    tables.spend(4)
    if not np.array_equal(ours.distinct, theirs.distinct):
        return False
    if how == "bag" and not np.array_equal(ours.counts, theirs.counts):
        return False
    # Each of our rows beside one of theirs, and their repeated rows beside one of ours.
    again = theirs.repeated
    in_place = np.empty(len(ours.order), np.intp)
    in_place[ours.order] = theirs.heads[ours.group]
    rows = np.append(np.arange(len(in_place)), ours.heads[theirs.group[again]])
    tables.check_codes(rows, np.append(in_place, theirs.order[again]))
    return True


def _lacking_by_codes(tables: Beside) -> tuple[Rows, Rows]:
    tables.spend(8)
    ours, theirs = (SortedRows(table.row_codes) for table in tables[:2])
    partners = ours.among(theirs)
    alone, back = partners < 0, np.full(len(theirs.heads), -1, np.intp)
    back[partners[~alone]] = np.flatnonzero(~alone)
    # Each of our rows beside one of theirs, and their repeated rows beside one of ours.
    held = np.flatnonzero(~alone[ours.group])
    again = theirs.repeated[back[theirs.group[theirs.repeated]] >= 0]
    rows = np.append(ours.order[held], ours.heads[back[theirs.group[again]]])
    others = np.append(theirs.heads[partners[ours.group[held]]], theirs.order[again])
    tables.check_codes(rows, others)
    return ours.rows(alone), theirs.rows(back < 0)
