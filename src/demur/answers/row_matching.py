"""Whether the rows of two tables agree once it is said which columns stand for which.

Here values decide, not codes. Where equal codes mean equal or mutually near cells, one
partner per row is looked at. Where nearness is not transitive, all rows that could be
near are, and a bag needs a perfect matching.
"""

import numpy as np

from demur.answers.cells import Rows
from demur.answers.column_matching import Agreement, Steps
from demur.answers.near_rows import Partners
from demur.answers.row_pairings import pair_up
from demur.answers.row_tables import (
    SharedCodes,
    SortedRows,
    Table,
    Tolerance,
    equal_rows,
)


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
        return bool(equal_rows(one, rows, other, rows, tolerance, steps).all())
    if tolerance.transitive and how != "subset":
        return _agree_by_codes(one, other, how, tolerance, steps)
    if how == "bag":
        return pair_up(one, other, tolerance, steps)
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
        left = np.flatnonzero(~equal_rows(one, rows, other, rows, tolerance, steps))
        return left, left
    if not tolerance.transitive:
        return Partners(one, other, tolerance, steps).lacking()
    return _lacking_by_codes(one, other, tolerance, steps)


def _aligned(one: Table, other: Table) -> bool:
    """Whether each row has a place of its own, and a row of the other beside it."""
    begins = one.rows[1:] > one.rows[:-1]
    return (
        len(one.rows) > 1
        and bool(begins.all())
        and np.array_equal(one.rows, other.rows)
    )


def _agree_by_codes(
    one: Table, other: Table, how: Agreement, tolerance: Tolerance, steps: Steps
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
    one: Table, other: Table, tolerance: Tolerance, steps: Steps
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
