"""Rows paired one to one, where nearness is not transitive: a perfect matching."""

from collections import deque
from itertools import compress
from typing import Final

import numpy as np

from demur.answers.column_matching import Steps, row_codes
from demur.answers.near_rows import Partners, most_varied, near_rows
from demur.answers.row_tables import Table, Tolerance, equal_rows, part

_PER_PAIR: Final = 5


def pair_up(one: Table, other: Table, tolerance: Tolerance, steps: Steps) -> bool:
    """Whether all rows can be paired one to one: simple ways first.

    Raises
    ------
    OutOfSteps
    SharedCodes
    """
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
        for table, numbers in zip((one, other), most_varied(one, other), strict=True)
    ]
    return bool(equal_rows(one, orders[0], other, orders[1], tolerance, steps).all())


def _perfect(one: Table, other: Table, tolerance: Tolerance, steps: Steps) -> bool:
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
