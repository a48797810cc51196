"""The rows of a sorted query with their keys: which tie, and which LIMIT may take."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from demur.answers import Relation
from demur.sql.clauses import MORE_ROWS, Clauses, Key, Keyed, clauses_of

MOST_CHOICES: Final = 1000
"""How many choices of tied rows are tried."""

_UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER: Final = str.maketrans(_UPPER, _UPPER.lower())


def ranking_query(sql: str, dialect: str) -> str | None:
    """The query that also shows sort keys, and rows beyond the limit.

    Parameters
    ----------
    sql : str
        The canonical query.
    dialect : str
        Of SQL, as sqlglot names it.

    Returns
    -------
    str or None
        None if it is not sorted, or if that cannot be written.

    Examples
    --------
    >>> print(ranking_query("SELECT a FROM t ORDER BY b LIMIT 1", "sqlite"))
    SELECT a
    , (b)
    FROM t ORDER BY b LIMIT 1001
    """
    keyed = _keyed(sql, dialect)
    return None if keyed is None else keyed[1].sql


def is_limited(sql: str, dialect: str) -> bool:
    """Whether a query takes only some of its rows.

    Examples
    --------
    >>> is_limited("SELECT a FROM t LIMIT 1", "sqlite")
    True
    """
    clauses = clauses_of(sql, dialect)
    return clauses is not None and clauses.limited


def _keyed(sql: str, dialect: str) -> tuple[Clauses, Keyed] | None:
    clauses = clauses_of(sql, dialect)
    keyed = None if clauses is None else clauses.keyed()
    return None if clauses is None or keyed is None else (clauses, keyed)


def collated(cell: Any, collation: str) -> Any:
    """What a collation of SQLite compares in place of a text.

    Examples
    --------
    >>> collated("Oslo", "NOCASE"), collated("Oslo ", "RTRIM"), collated("Oslo", "")
    ('oslo', 'Oslo', 'Oslo')
    """
    if not isinstance(cell, str):
        return cell
    if collation == "NOCASE":
        return cell.translate(_LOWER)
    return cell.rstrip(" ") if collation == "RTRIM" else cell


def collated_rows(
    columns: Sequence[Sequence[Any]], keys: Sequence[Key]
) -> list[tuple[Any, ...]]:
    """What rows are sorted by, of the columns of their sort keys, as it is compared."""
    compared = [
        [collated(cell, key.collation) for cell in column]
        for column, key in zip(columns, keys, strict=True)
    ]
    return list(zip(*compared, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class RankedResult:
    """The rows of a sorted query in their order, and some after its limit.

    Parameters
    ----------
    rows : Relation
        What the query shows of each row.
    groups : array of int64, shape (n_rows,)
        Rows that tie in all sort keys have the same number.
    begin, end : int
        The rows that OFFSET and LIMIT leave.
    more : bool
        Whether there may be more rows that tie with the last.
    """

    rows: Relation
    groups: NDArray[np.int64]
    begin: int
    end: int
    more: bool

    @classmethod
    def of(cls, sql: str, dialect: str, result: Relation) -> "RankedResult | None":
        """The ranking that the result of `ranking_query` shows; None if it shows none.

        Parameters
        ----------
        sql : str
            The canonical query.
        dialect : str
            Of SQL, as sqlglot names it.
        result : Relation
            Of the ranking query.
        """
        read = _keyed(sql, dialect)
        if read is None or not result.n_rows:
            return None
        clauses, keyed = read
        keys = [result.columns[at].tolist() for at in keyed.keys]
        marks = [[*map(_marked, row)] for row in collated_rows(keys, clauses.keys)]
        changes = [False, *(a != b for a, b in itertools.pairwise(marks))]
        groups = np.cumsum(changes)
        shown = result.with_columns(range(result.n_columns - keyed.added))
        if not keyed.distinct:
            kept = firsts(shown.rows())
            shown, groups = shown.taken(kept), groups[kept]
        end = shown.n_rows
        begin = 0
        last_row = clauses.offset + (clauses.limit or 0)
        if clauses.limited and clauses.limit is not None:
            begin = min(clauses.offset, end)
            end = min(last_row, end)
        full = clauses.limited and result.n_rows >= last_row + MORE_ROWS
        if full and end < last_row:  # the rows that were read are too few that differ
            return None
        # If the rows after the limit all tie with its last one, there may be more such.
        last = bool(groups[-1] == groups[max(end - 1, 0)])
        return cls(shown, groups, begin, end, full and last and end < shown.n_rows)

    def answer(self) -> tuple[Relation, NDArray[np.int64]]:
        """The rows that the query returns, and the group of each."""
        taken = range(self.begin, self.end)
        return self.rows.taken(taken), self.groups[self.begin : self.end]

    def gives(self, minimum: Relation) -> bool:
        """Whether it shows what the query has returned, in any order."""
        rows = self.answer()[0].rows()
        return Counter(map(repr, rows)) == Counter(map(repr, minimum.rows()))

    def holds(self, minimum: Relation) -> bool:
        """Whether the rows that the query has returned are among those it may return.

        By which of its rows DISTINCT sorts one that stands for several, engines choose.
        """
        cut = [row for rows, _ in self._cut_groups() for row in rows]
        taken = [*range(self.begin, self.end), *cut]
        rows = {*map(repr, self.rows.taken(taken).rows())}
        return rows.issuperset(map(repr, minimum.rows()))

    def whole(self) -> tuple[Relation, NDArray[np.int64]] | None:
        """The answer with all rows that tie where it is cut; None if more may tie."""
        cut = [row for rows, _ in self._cut_groups() for row in rows]
        if self.more or not cut:
            return None
        taken = sorted({*range(self.begin, self.end), *cut})
        return self.rows.taken(taken), self.groups[taken]

    @property
    def is_complete(self) -> bool:
        """Whether `choices` gives all answers that are as right."""
        cut = self._cut_groups()
        count = math.prod(math.comb(len(rows), taken) for rows, taken in cut)
        return not self.more and count <= MOST_CHOICES

    @property
    def is_open(self) -> bool:
        """Whether LIMIT cuts through rows that tie and do not show the same."""
        rows = self.rows.rows()
        return self.more or any(
            len({repr(rows[at]) for at in tied}) > 1 for tied, _ in self._cut_groups()
        )

    def choices(self) -> Iterator[tuple[Relation, NDArray[np.int64]]]:
        """Answers that are as right, since LIMIT cuts through a tie.

        Each with the group of each of its rows; no more than `MOST_CHOICES`.
        """
        cut = self._cut_groups()
        free = {row for rows, _ in cut for row in rows}
        sure = [row for row in range(self.begin, self.end) if row not in free]
        for chosen in itertools.islice(_choices(cut), MOST_CHOICES):
            taken = sorted([*sure, *chosen])
            yield self.rows.taken(taken), self.groups[taken]

    def _cut_groups(self) -> list[tuple[Sequence[int], int]]:
        """The groups of which only some rows are returned: all rows, and how many."""
        cut: list[tuple[Sequence[int], int]] = []
        for group in sorted({*self.groups[self.begin : self.end].tolist()}):
            rows = np.flatnonzero(self.groups == group).tolist()
            count = sum(self.begin <= row < self.end for row in rows)
            if count < len(rows):
                cut.append((rows, count))
        return cut


def _choices(groups: Sequence[tuple[Sequence[int], int]]) -> Iterator[tuple[int, ...]]:
    """Some rows of each group, in all ways; one at a time, since they may be many."""
    if not groups:
        yield ()
        return
    (rows, count), *others = groups
    for chosen in itertools.combinations(rows, count):
        for rest in _choices(others):
            yield (*chosen, *rest)


def firsts(values: Iterable[Any]) -> list[int]:
    """Where each of some values stands first, by how it is written."""
    first: dict[str, int] = {}
    for at, value in enumerate(values):
        first.setdefault(repr(value), at)
    return list(first.values())


def _marked(cell: Any) -> Any:
    """A cell that equals itself: NaN does not."""
    return "NaN" if isinstance(cell, float) and math.isnan(cell) else cell
