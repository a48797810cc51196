"""The rows of a sorted query with their keys: which tie, and which LIMIT may take."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from demur.answers import Relation, TableSettings
from demur.answers.tables.cells import Codes, among, distinct, joined
from demur.answers.tables.column_matching import (
    CodedSide,
    OutOfSteps,
    Steps,
    assignments,
    row_codes,
)
from demur.answers.tables.relations import shared_codes
from demur.sql.clauses import MORE_ROWS, Clauses, Key, Keyed, clauses_of

_MOST_MAPPINGS: Final = 100  # of columns, each with a choice of tied rows that fits
_PER_TRIAL: Final = 1000  # steps that a pair of columns costs beside the rows

_RowCodes = tuple[Codes, Codes]

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
    FROM t ORDER BY b LIMIT 10001
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
        read_all = not result.truncated and result.n_rows < last_row + MORE_ROWS
        full = clauses.limited and not read_all
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
    def is_open(self) -> bool:
        """Whether LIMIT cuts through rows that tie and do not show the same."""
        rows = self.rows.rows()
        return self.more or any(
            len({repr(rows[at]) for at in tied}) > 1 for tied, _ in self._cut_groups()
        )

    def choices(
        self, result: Relation, settings: TableSettings, *, ordered: bool
    ) -> Iterator[tuple[Relation, NDArray[np.int64]]]:
        """Answers that are as right, since LIMIT cuts through a tie, and like a result.

        Each with the group of each of its rows: for each mapping of columns under which
        the result holds all rows that are sure, and no others but tied ones, as many as
        the query returns.

        Parameters
        ----------
        result : Relation
            What an answer returns.
        settings : TableSettings
            How it is compared.
        ordered : bool
            Whether its rows must stand where those of their group do.
        """
        cut = self._cut_groups()
        if not cut or (ordered and result.n_rows != self.end - self.begin):
            return
        free = [row for rows, _ in cut for row in rows]
        pool = np.union1d(np.arange(self.begin, self.end), free)
        theirs, ours = shared_codes(
            response=result, reference=self.rows.taken(pool.tolist()), settings=settings
        )
        places = np.zeros(len(pool), np.uint64), np.zeros(result.n_rows, np.uint64)
        if ordered:
            groups = self.groups.astype(np.uint64)
            places = groups[pool], groups[self.begin : self.end]
        sides = CodedSide(ours, places[0]), CodedSide(theirs, places[1])
        tied = [(np.isin(pool, rows), count) for rows, count in cut]
        sure = ~np.isin(pool, free)
        once = settings.rows == "set" and not ordered
        fitting = (
            chosen
            for codes in _mapped(*sides, sure, Steps(settings.steps))
            if (chosen := _chosen(*codes, tied, once=once)) is not None
        )
        for chosen in itertools.islice(fitting, _MOST_MAPPINGS):
            taken = pool[chosen].tolist()
            yield self.rows.taken(taken), self.groups[taken]

    def _cut_groups(self) -> list[tuple[Sequence[int], int]]:
        """The groups of which only some rows are returned: all rows, and how many."""
        cut: list[tuple[Sequence[int], int]] = []
        inside = self.groups[self.begin : self.end].tolist()
        for group in sorted({*inside[:1], *inside[-1:]}):
            rows = np.flatnonzero(self.groups == group).tolist()
            count = sum(self.begin <= row < self.end for row in rows)
            if count < len(rows):
                cut.append((rows, count))
        return cut


def _mapped(
    ours: CodedSide, theirs: CodedSide, sure: NDArray[np.bool_], steps: Steps
) -> Iterator[tuple[Codes, Codes]]:
    """The codes of either side's rows, for each mapping of columns that may do.

    Their rows are then all among ours, and our sure ones among theirs.
    """

    def assigned(rows: _RowCodes, column: int, other: int) -> _RowCodes | None:
        steps.spend(_PER_TRIAL + 2 * (len(rows[0]) + len(rows[1])))
        pair = joined(rows[0], ours.columns[column]), joined(rows[1], columns[other])
        within = among(distinct(pair[1]), distinct(pair[0])).all()
        held = among(distinct(pair[0][sure]), distinct(pair[1])).all()
        return pair if within and held else None

    columns = theirs.columns
    width = range(len(columns))
    first = {codes.tobytes(): at for at, codes in reversed([*enumerate(columns)])}
    twins = [first[codes.tobytes()] for codes in columns]
    variety = [-len(distinct(codes)) for codes in ours.columns]
    candidates = [
        (column, sorted(width, key=lambda at: abs(at - column)))
        for column in sorted(range(len(variety)), key=variety.__getitem__)
    ]
    if len(candidates) > len(width):
        return
    start = ours.rows, theirs.rows
    try:
        for mapping in assignments(candidates, start, assigned, lambda: twins):
            yield (
                row_codes(ours.columns, ours.rows),
                row_codes([columns[at] for at in mapping], theirs.rows),
            )
    except OutOfSteps:
        return


def _chosen(
    codes: Codes,
    wanted: Codes,
    cut: Sequence[tuple[NDArray[np.bool_], int]],
    *,
    once: bool,
) -> list[int] | None:
    """The sure rows and some of each cut group that together are the wanted ones.

    Parameters
    ----------
    codes, wanted : array of uint64
        Of all rows, and of those that must be there.
    cut : sequence of (mask, int)
        The rows of each cut group, and how many of them are taken.
    once : bool
        Whether rows that are repeated count once.
    """
    sure = np.flatnonzero(~np.any([rows for rows, _ in cut], axis=0)).tolist()
    allowed, held = Counter(wanted.tolist()), Counter(codes[sure].tolist())
    need = Counter(allowed.keys() - held.keys()) if once else allowed - held
    if held.keys() - allowed.keys() or (not once and held - allowed):
        return None
    taken = sure
    groups = [np.flatnonzero(rows).tolist() for rows, _ in cut]
    for at, (rows, (_, count)) in enumerate(zip(groups, cut, strict=True)):
        later = Counter(codes[list(itertools.chain(*groups[at + 1 :]))].tolist())
        alone = need - later  # what no later group can give
        chosen: dict[int, None] = {}
        for wants in (alone, need):
            for row in rows:
                code = int(codes[row])
                if row not in chosen and wants[code] > 0 and len(chosen) < count:
                    chosen[row] = None
                    alone[code] -= 1
                    need[code] -= 1
        if once:
            spare = (r for r in rows if r not in chosen and int(codes[r]) in allowed)
            chosen |= dict.fromkeys(itertools.islice(spare, count - len(chosen)))
        if len(chosen) < count:
            return None
        taken = [*taken, *chosen]
    return None if +need else sorted(taken)


def firsts(values: Iterable[Any]) -> list[int]:
    """Where each of some values stands first, by how it is written."""
    first: dict[str, int] = {}
    for at, value in enumerate(values):
        first.setdefault(repr(value), at)
    return list(first.values())


def _marked(cell: Any) -> Any:
    """A cell that equals itself: NaN does not."""
    return "NaN" if isinstance(cell, float) and math.isnan(cell) else cell
