"""Which columns may match where numbers may be near: found with a few rows.

Under a mapping that is right each row has a partner. So a mapping under which one of a
few rows has none is out, long before all rows are compared.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from demur.answers.cells import Rows, distinct
from demur.answers.closeness import Tolerant
from demur.answers.column_matching import Mapping, Steps, assignments
from demur.answers.relation_values import Mask
from demur.answers.row_matching import Table

_MOST_CELLS: Final = 2 * 10**7
_LEAST_ROWS, _MOST_ROWS = 4, 64
_PER_TRIAL: Final = 100
_SAMPLE: Final = 1000
_ROUNDING: Final = 1 + 1e-6

_Partners = tuple[Rows, ...]


def tried_mappings(
    one: Table,
    other: Table,
    relative: float,
    twins: Callable[[], Sequence[int]],
    prefer: Sequence[int],
    steps: Steps,
) -> Iterator[Mapping]:
    """Mappings of columns under which some rows of the first table have partners.

    Parameters
    ----------
    one, other : Table
        The other may have further columns.
    relative : float
        The tolerance, whichever of the two is canonical.
    twins : callable
        Gives for each column of the other the first that is equal to it.
    prefer : sequence of int
        For each column of ``one`` a column of ``other`` to try first, or -1.
    steps : Steps
        What the search may cost.

    Raises
    ------
    OutOfSteps
    """
    width = len(other.columns)
    if len(one.columns) > width:
        return
    trial = _Trial(one, other, relative, steps)
    candidates = [
        (own, sorted(range(width), key=lambda at: _promise(own, at, prefer)))
        for own in _most_varied_first(one)
    ]
    yield from assignments(candidates, trial.start(), trial.assigned, cache(twins))


def _promise(own: int, at: int, prefer: Sequence[int]) -> tuple[bool, int]:
    return (prefer[own] != at if prefer else True, abs(own - at))


def _most_varied_first(table: Table) -> list[int]:
    variety = [len(distinct(codes[:_SAMPLE])) for codes in table.codes]
    return sorted(range(len(variety)), key=lambda column: -variety[column])


@dataclass(frozen=True, slots=True)
class _Trial:
    """A few rows of the first table, and what each of them may have as partner."""

    one: Table
    other: Table
    relative: float
    steps: Steps

    @property
    def rows(self) -> list[int]:
        """Rows from the first to the last, evenly spread."""
        cells = len(self.other.rows) * len(self.other.columns)
        count = min(max(_MOST_CELLS // max(cells, 1), _LEAST_ROWS), _MOST_ROWS)
        spread = np.linspace(0, len(self.one.rows) - 1, count).astype(np.intp)
        return [int(row) for row in distinct(spread)]

    def start(self) -> _Partners:
        """The rows of the other table that are in the place of each."""
        return tuple(
            np.flatnonzero(self.other.rows == self.one.rows[row]) for row in self.rows
        )

    def assigned(self, partners: _Partners, own: int, at: int) -> _Partners | None:
        """The possible partners with one pair of columns more, if each row has some."""
        column, its, found = self.one.columns[own], self.other.columns[at], []
        for row, rows in zip(self.rows, partners, strict=True):
            self.steps.spend(_PER_TRIAL + len(rows))
            left = rows[self._may_match(column, row, its, rows)]
            if not len(left):
                return None
            found.append(left)
        return tuple(found)

    def _may_match(self, column: Tolerant, row: int, its: Tolerant, rows: Rows) -> Mask:
        whole = len(rows) == len(its.numbers)
        codes = its.cells.codes if whole else its.cells.codes[rows]
        may = codes == column.cells.codes[row]
        number = column.numbers[row]
        if self.relative and np.isfinite(number):
            numbers = its.numbers if whole else its.numbers[rows]
            reach = abs(number) * (self.relative / (1 - self.relative) * _ROUNDING)
            may |= np.abs(numbers - number) <= reach
        return np.asarray(may, bool)
