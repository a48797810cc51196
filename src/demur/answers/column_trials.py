"""Which columns may match where numbers may be near: found with a few rows.

Under a mapping that is right each row has a partner. So a mapping under which one of a
few rows has none is out, long before all rows are compared.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np

from demur.answers.cells import distinct
from demur.answers.column_matching import Mapping, Steps, assignments
from demur.answers.relation_values import Mask
from demur.answers.row_tables import Table

_MOST_CELLS: Final = 2 * 10**7
_LEAST_ROWS, _MOST_ROWS = 4, 64
_PER_TRIAL: Final = 100
_PER_ROW: Final = 10
_PER_COLUMN: Final = 300
_BITS_PER_STEP: Final = 2000
_MOST_BITS: Final = 10**9
_SAMPLE: Final = 1000
_ROUNDING: Final = 1 + 1e-6

_Partners = tuple[int, ...]


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


class _Trial:
    """A few rows of the first table, and what each of them may have as partner.

    Sets of rows of the other table are whole numbers, one bit for each row.
    """

    def __init__(self, one: Table, other: Table, relative: float, steps: Steps) -> None:
        self.one, self.other, self.relative, self.steps = one, other, relative, steps
        cells = len(other.rows) * len(other.columns)
        count = min(max(_MOST_CELLS // max(cells, 1), _LEAST_ROWS), _MOST_ROWS)
        spread = np.linspace(0, len(one.rows) - 1, count).astype(np.intp)
        self.rows = [int(row) for row in distinct(spread)]
        self._per_row = _PER_ROW + len(other.rows) // _BITS_PER_STEP
        self._kept: dict[tuple[int, int, int], int] = {}

    def start(self) -> _Partners:
        """The rows of the other table that are in the place of each."""
        return tuple(_bits(self.other.rows == self.one.rows[row]) for row in self.rows)

    def assigned(self, partners: _Partners, own: int, at: int) -> _Partners | None:
        """The possible partners with one pair of columns more, if each row has some."""
        found = []
        for row, possible in zip(self.rows, partners, strict=True):
            left = possible & self._alike(own, row, at)
            if not left:
                break
            found.append(left)
        self.steps.spend(_PER_TRIAL + self._per_row * (len(found) + 1))
        return tuple(found) if len(found) == len(partners) else None

    def _alike(self, own: int, row: int, at: int) -> int:
        """The rows of the other table whose cell may match one cell of the first."""
        pair = own, row, at
        if pair not in self._kept:
            n_rows = len(self.other.rows)
            self.steps.spend(_PER_COLUMN + n_rows)
            if len(self._kept) * n_rows > _MOST_BITS:
                self._kept.clear()
            self._kept[pair] = _bits(self._may_match(own, row, at))
        return self._kept[pair]

    def _may_match(self, own: int, row: int, at: int) -> Mask:
        column, its = self.one.columns[own], self.other.columns[at]
        may = its.cells.codes == column.cells.codes[row]
        number = column.numbers[row]
        if self.relative and np.isfinite(number):
            reach = abs(number) * (self.relative / (1 - self.relative) * _ROUNDING)
            may |= np.abs(its.numbers - number) <= reach
        return np.asarray(may, bool)


def _bits(rows: Mask) -> int:
    return int.from_bytes(np.packbits(rows).tobytes())
