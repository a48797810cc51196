"""Tables row by row, as they are compared: cells, codes, and equal rows together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from demur.answers.tables.cells import Codes, Rows
from demur.answers.tables.closeness import Tolerant, equal_pairs
from demur.answers.tables.column_matching import Mapping, Steps, row_codes
from demur.answers.tables.relation_values import Array, Mask
from demur.errors import DemurError


class SharedCodes(DemurError):
    """Cells that differ were found to share a code.

    Whatever compares the rows of a `CodedTable` may raise it; the comparison then
    begins again with numbers as codes.
    """


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
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

    def at(self, rows: Rows) -> "CodedTable":
        """Only some rows."""
        columns = [column.at(rows) for column in self.columns]
        return CodedTable(
            columns, [codes[rows] for codes in self.codes], self.rows[rows]
        )

    def taken(self, mapping: Mapping) -> "CodedTable":
        """Only some columns, in the order of a mapping."""
        columns = [self.columns[column] for column in mapping]
        return replace(self, columns=columns, codes=[self.codes[c] for c in mapping])

    @property
    def exact(self) -> "CodedTable":
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
    integers : bool
        Whether it also applies between an integer and a real.
    """

    relative: Fraction = Fraction(0)
    transitive: bool = True
    first_is_canonical: bool = True
    integers: bool = False

    def turned(self) -> "Tolerance":
        """The same with the two tables exchanged."""
        return replace(self, first_is_canonical=not self.first_is_canonical)


class Beside(NamedTuple):
    """Two tables of equal width, and how their rows are compared.

    Parameters
    ----------
    one, other : CodedTable
        The tables.
    tolerance : Tolerance
        How far cells may differ.
    steps : Steps
        What it may cost.
    """

    one: CodedTable
    other: CodedTable
    tolerance: Tolerance
    steps: Steps

    def spend(self, per_row: int) -> None:
        """Count steps for each row of either table."""
        self.steps.spend(per_row * (len(self.one.rows) + len(self.other.rows)))

    def turned(self) -> "Beside":
        """The same with the two tables exchanged."""
        return Beside(self.other, self.one, self.tolerance.turned(), self.steps)

    def among(self, rows: Rows, other_rows: Rows) -> "Beside":
        """Some rows of either table, each once; no copy if they are all."""
        one, other = self.one, self.other
        if len(rows) < len(one.rows):
            one = one.at(rows)
        if len(other_rows) < len(other.rows):
            other = other.at(other_rows)
        return self._replace(one=one, other=other)

    def equal(self, rows: Rows, other_rows: Rows) -> Mask:
        """Whether rows match in all columns, pair by pair."""
        one, other, tolerance, steps = self
        steps.spend(len(rows) * (len(one.columns) + 1))
        equal = np.asarray(one.rows[rows] == other.rows[other_rows], bool)
        for ours, theirs in zip(one.columns, other.columns, strict=True):
            left = np.flatnonzero(equal)
            pair = (ours, rows[left]), (theirs, other_rows[left])
            first, second = pair if tolerance.first_is_canonical else pair[::-1]
            equal[left] = equal_pairs(
                *first, *second, tolerance.relative, integers=tolerance.integers
            )
        return equal

    def check_codes(self, rows: Rows, other_rows: Rows) -> None:
        """Raise `SharedCodes` unless rows match that have equal codes."""
        if not self.equal(rows, other_rows).all():
            raise SharedCodes


def grouped(codes: Codes, table: CodedTable, steps: Steps) -> "SortedRows":
    """Rows by codes that only equal ones share."""
    groups = SortedRows(codes)
    again = groups.repeated
    rows, heads = groups.order[again], groups.heads[groups.group[again]]
    Beside(table, table, Tolerance(), steps).check_codes(rows, heads)
    return groups


def n_different(table: CodedTable, steps: Steps) -> int:
    """How many rows there are if equal ones count once."""
    steps.spend(4 * len(table.rows))
    return len(grouped(table.exact.row_codes, table, steps).heads)


class SortedRows:
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

    def among(self, others: "SortedRows") -> Rows:
        """For each group the one with the same code among others, or -1."""
        known = others.distinct
        at = np.searchsorted(known, self.distinct)
        at[at == len(known)] = 0
        return np.where(known[at] == self.distinct, at, -1)

    def rows(self, groups: Mask) -> Rows:
        """The rows of some groups, in their order."""
        return np.sort(self.order[groups[self.group]])
