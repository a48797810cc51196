"""Two tables beside each other: which columns match, and which rows have no partner.

Cells are first taken as equal or not. Only if no mapping works so, and reals are near
each other, are they compared with the tolerance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from demur.answers.tables.cells import Codes, Rows, distinct, same, total
from demur.answers.tables.closeness import chains
from demur.answers.tables.column_matching import (
    Agreement,
    CodedSide,
    Mapping,
    Steps,
    assignments,
    mappings,
    promise,
)
from demur.answers.tables.near_rows import rough_codes
from demur.answers.tables.relation_values import Mask
from demur.answers.tables.row_matching import agree, lacking
from demur.answers.tables.row_tables import Beside, CodedTable, Tolerance, n_different

_MOST_CELLS: Final = 2 * 10**7

_LEAST_ROWS, _MOST_ROWS = 4, 64

_PER_CHECK: Final = 100

_PER_ROW: Final = 10

_PER_COLUMN: Final = 300

_BITS_PER_STEP: Final = 2000

_MOST_BITS: Final = 10**9

_SAMPLE: Final = 1000

_ROUNDING: Final = 1 + 1e-6

_Partners = tuple[int, ...]


def tried_mappings(
    one: CodedTable,
    other: CodedTable,
    relative: float,
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
    prefer : sequence of int
        For each column of ``one`` a column of ``other`` to try first, or -1.
    steps : Steps
        What the search may cost.
    """
    width = len(other.columns)
    if len(one.columns) > width:
        return
    trial = _Trial(one, other, relative, steps)
    variety = [len(distinct(codes[:_SAMPLE])) for codes in one.codes]
    candidates = [
        (column, sorted(range(width), key=lambda at: promise(column, at, prefer)))
        for column in sorted(range(len(variety)), key=lambda column: -variety[column])
    ]
    twins = cache(partial(_twins, other))
    yield from assignments(candidates, trial.start(), trial.assigned, twins)


class _Trial:
    """A few rows of the first table, and what each of them may have as partner.

    Sets of rows of the other table are whole numbers, one bit for each row.
    """

    def __init__(
        self, one: CodedTable, other: CodedTable, relative: float, steps: Steps
    ) -> None:
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

    def assigned(
        self, partners: _Partners, column: int, other: int
    ) -> _Partners | None:
        """The possible partners with one pair of columns more, if each row has some."""
        assignments = []
        for row, possible in zip(self.rows, partners, strict=True):
            left = possible & self._alike(column, row, other)
            if not left:
                break
            assignments.append(left)
        self.steps.spend(_PER_CHECK + self._per_row * (len(assignments) + 1))
        return tuple(assignments) if len(assignments) == len(partners) else None

    def _alike(self, column: int, row: int, other: int) -> int:
        """The rows of the other table whose cell may match one cell of the first."""
        pair = column, row, other
        if pair not in self._kept:
            n_rows = len(self.other.rows)
            self.steps.spend(_PER_COLUMN + n_rows)
            if len(self._kept) * n_rows > _MOST_BITS:
                self._kept.clear()
            self._kept[pair] = _bits(self._may_match(*pair))
        return self._kept[pair]

    def _may_match(self, column: int, row: int, other: int) -> Mask:
        ours, theirs = self.one.columns[column], self.other.columns[other]
        may = theirs.cells.codes == ours.cells.codes[row]
        number = ours.numbers[row]
        if self.relative and np.isfinite(number):
            reach = abs(number) * (self.relative / (1 - self.relative) * _ROUNDING)
            may |= np.abs(theirs.numbers - number) <= reach
        return np.asarray(may, bool)


def _bits(rows: Mask) -> int:
    return int.from_bytes(np.packbits(rows).tobytes())


_MANY: Final = 10**6
_LARGE: Final = 10**5
_PER_PAIR: Final = 500  # of columns, in cells looked at
_MOST_LOOKS: Final = 10**7


class _View(NamedTuple):
    """The two tables with the codes of one way to compare cells."""

    one: CodedTable
    other: CodedTable
    tolerance: Tolerance

    def of(self, column: int) -> "_View":
        """Only one column of the first table."""
        return self._replace(one=self.one.taken((column,)))

    def under(self, mapping: Mapping, steps: Steps) -> Beside:
        """With the columns of the other table that stand for those of the first."""
        return Beside(self.one, self.other.taken(mapping), self.tolerance, steps)


class TablePair:
    """Two tables, the columns of one of which are sought in the other.

    Parameters
    ----------
    one, other : Table
        The other may have further columns.
    prefer : sequence of int
        For each column of ``one`` a column of ``other`` to try first, or -1.
    relative : Fraction
        The tolerance of reals.
    first_is_canonical : bool
        Whether the tolerance is a fraction of the first table's numbers.
    integers : bool
        Whether it also applies between an integer and a real.
    """

    def __init__(
        self,
        one: CodedTable,
        other: CodedTable,
        prefer: Sequence[int],
        relative: Fraction,
        *,
        first_is_canonical: bool = True,
        integers: bool = False,
    ) -> None:
        tolerance = Tolerance(first_is_canonical=first_is_canonical, integers=integers)
        self.exact = _View(one, other, tolerance)
        self._relative = relative
        self._prefer = prefer
        self._closest: tuple[Mapping, tuple[Rows, Rows]] | None = None

    @cached_property
    def loose(self) -> _View | None:
        """With the tolerance; None if no two different numbers are near.

        Codes that near numbers share are sought only in tables that are not large, and
        used only where all that share one are near each other.
        """
        one, other, tolerance = self.exact
        columns = [*one.columns, *other.columns]
        if not (self._relative and any(column.any_real for column in columns)):
            return None
        tolerance = replace(tolerance, relative=self._relative, transitive=False)
        if sum(len(column.cells) for column in columns) > _MANY:
            return _View(one, other, tolerance)
        near = chains(columns, float(self._relative), integers=tolerance.integers)
        if near is None:
            return None
        if near.clean:
            tolerance = replace(tolerance, transitive=True)
            one, other = (
                replace(table, codes=[near.codes(column) for column in table.columns])
                for table in (one, other)
            )
        return _View(one, other, tolerance)

    def mapping(self, how: Agreement, steps: Steps) -> Mapping | None:
        """A mapping of columns under which the rows agree, if there is one."""
        mapping = None
        if self._some_rows_equal(steps):
            if how == "set":  # equal bags are equal sets, and quicker to find
                mapping = self._agreeing(self.exact, "bag", steps)
            if mapping is None:
                mapping = self._agreeing(self.exact, how, steps)
        if mapping is None and self.loose is not None:
            mapping = self._agreeing(self.loose, how, steps)
        return mapping

    def _some_rows_equal(self, steps: Steps) -> bool:
        """Whether a few rows have equal ones under some mapping; only if it pays."""
        one, other, _ = self.exact
        if len(one.rows) < _LARGE:
            return True
        return any(map(bool, tried_mappings(one, other, 0.0, (), steps)))

    def _agreeing(self, view: _View, how: Agreement, steps: Steps) -> Mapping | None:
        one, other, tolerance = view
        if how == "bag" and len(one.rows) != len(other.rows):
            return None
        for mapping in self._tried(view, how, steps):
            tables = view.under(mapping, steps)
            if how == "set" and not tolerance.transitive:
                left = lacking(tables)
                if not any(map(len, left)):
                    return mapping
                self._closest = self._closest or (mapping, left)
            elif agree(tables, how):
                return mapping
        return None

    def _tried(self, view: _View, how: Agreement, steps: Steps) -> Iterator[Mapping]:
        """Mappings to try: the columns as they stand, if that looks good, then all."""
        one, other, tolerance = view
        width = len(one.columns)
        steps.spend((width + 1) * (len(one.rows) + len(other.rows)))
        if not tolerance.transitive:
            relative = float(tolerance.relative)
            yield from tried_mappings(one, other, relative, self._prefer, steps)
            return
        # Most answers have the columns as the reference has them.
        if width <= len(other.columns) and len(one.rows) == len(other.rows):
            plain = tuple(range(width))
            if total(one.row_codes) == total(other.taken(plain).row_codes):
                yield plain
        ours = CodedSide(one.codes, one.rows)
        theirs = CodedSide(other.codes, other.rows, partial(_twins, other))
        yield from mappings(ours, theirs, how, steps, self._prefer)

    def anywhere(self) -> "TablePair":
        """The same tables with rows that may come in any order."""
        one, other = (
            replace(table, rows=np.zeros(len(table.rows), np.uint64))
            for table in self.exact[:2]
        )
        how = self.exact.tolerance
        made = self._prefer, self._relative
        return TablePair(
            *(one, other, *made),
            first_is_canonical=how.first_is_canonical,
            integers=how.integers,
        )

    def lacking(self, mapping: Mapping, steps: Steps) -> tuple[Rows, Rows]:
        """Rows of either table without a partner in the other, under a mapping."""
        if self._closest and self._closest[0] == mapping:
            return self._closest[1]
        return lacking((self.loose or self.exact).under(mapping, steps))

    def different(
        self, mapping: Mapping, rows: tuple[Rows, Rows], steps: Steps
    ) -> list[int]:
        """How many different rows there are among some of either table."""
        tables = self.exact.under(mapping, steps)[:2]
        parts = map(CodedTable.at, tables, rows)
        return [n_different(part, steps) for part in parts]

    def parted(self, mapping: Mapping, steps: Steps) -> tuple[int, int] | None:
        """Rows of either table in the first place whose rows do not match."""
        places = self.exact.one.rows
        firsts = [int(rows[0]) for rows in self.lacking(mapping, steps) if len(rows)]
        if not firsts:
            return None
        ours, theirs = firsts[0], firsts[-1]
        if places[ours] == places[theirs]:
            return ours, theirs
        return min(firsts), min(firsts)

    def nowhere(self, steps: Steps) -> tuple[int, ...]:
        """Columns of the first table that none of the other has all values of."""
        view = self.loose or self.exact
        return tuple(
            column
            for column in range(len(view.one.columns))
            if self._agreeing(view.of(column), "subset", steps) is None
        )

    def likeliest(self) -> Mapping:
        """The mapping whose columns have most in common, for an explanation."""
        if self._closest:
            return self._closest[0]
        one, other, _ = self.loose or self.exact
        ours, theirs = (
            [distinct(codes[:_SAMPLE]) for codes in self._rough(table)]
            for table in (one, other)
        )
        prefer = self._prefer
        chosen = _holding_the_same(ours, theirs, prefer)
        left = [column for column in range(len(ours)) if column not in chosen]
        free = sorted({*range(len(theirs))} - {*chosen.values()})
        cells = sum(len(ours[column]) for column in left) * len(free)
        cells += sum(len(theirs[other]) for other in free) * len(left)
        if cells + _PER_PAIR * len(left) * len(free) > _MOST_LOOKS:
            chosen |= _one_by_one(left, free, prefer)
        else:

            def unlikeness(pair: tuple[int, int]) -> Any:
                shared = _shared(ours[pair[0]], theirs[pair[1]])
                return -shared, promise(*pair, prefer), pair

            for column, at in sorted(product(left, free), key=unlikeness):
                if column not in chosen and at in free:
                    chosen[column] = at
                    free.remove(at)
        return tuple(chosen[column] for column in range(len(ours)))

    def _rough(self, table: CodedTable) -> Sequence[Codes]:
        if self.loose is None or self.loose.tolerance.transitive:
            return table.codes
        first = np.arange(min(len(table.rows), _SAMPLE))
        relative = float(self._relative)
        return [rough_codes(column.at(first), relative) for column in table.columns]


def _twins(table: CodedTable) -> list[int]:
    """For each column the first that is equal to it, cell by cell."""
    first: dict[int, int] = {}
    twins = []
    rows = np.arange(len(table.rows))
    heads = [
        total(codes[:_SAMPLE] + rows[:_SAMPLE].astype(np.uint64))
        for codes in table.codes
    ]
    for at, (column, codes) in enumerate(zip(table.columns, table.codes, strict=True)):
        if heads.count(heads[at]) == 1:
            twins.append(at)
            continue
        earlier = first.setdefault(total(codes + rows.astype(np.uint64)), at)
        twin = table.columns[earlier]
        equal = earlier != at and bool(
            same(twin.cells, rows, column.cells, rows).all()
            and np.array_equal(twin.real, column.real)  # 1 and 1.0 have other near ones
        )
        twins.append(earlier if equal else at)
    return twins


def by_name(names: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each column the one of the same name, or -1; nothing without names."""
    at = {name.casefold(): position for position, name in enumerate(others)}
    return [at.get(name.casefold(), -1) for name in names] if at else []


def _holding_the_same(
    ours: Sequence[Codes], theirs: Sequence[Codes], prefer: Sequence[int]
) -> dict[int, int]:
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for side, columns in enumerate((ours, theirs)):
        for at, codes in enumerate(columns):
            alike.setdefault(total(codes), ([], []))[side].append(at)
    chosen: dict[int, int] = {}
    for left, free in alike.values():
        chosen |= _one_by_one(left, free, prefer)
    return chosen


def _one_by_one(
    columns: Sequence[int], others: Sequence[int], prefer: Sequence[int]
) -> dict[int, int]:
    """Columns paired by name, else by position, else in their order."""
    chosen: dict[int, int] = {}
    free = dict.fromkeys(others)
    for wanted in (dict(enumerate(prefer)), {at: at for at in columns}):
        for at in columns:
            other = wanted.get(at, -1)
            if at not in chosen and other in free:
                chosen[at] = other
                del free[other]
    left = [at for at in columns if at not in chosen]
    return chosen | dict(zip(left, free, strict=False))


def _shared(codes: Codes, others: Codes) -> float:
    """How much two sets of codes have in common, as a share of both together."""
    common = len(np.intersect1d(codes, others, assume_unique=True))
    return common / max(1, len(codes) + len(others) - common)
