"""The rows of a sorted query with their keys: what LIMIT takes, and in which order."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from demur.errors import shown
from demur.references.text_numbers import Numerals
from demur.sql.clauses import Clauses, Keyed
from demur.sql.ranked_results import collated_rows

_Found = Iterator[tuple[str, str]]


class RankedRows:
    """The rows of a sorted query with their keys, and some rows after the last.

    Parameters
    ----------
    clauses : Clauses
        Of the query.
    keyed : Keyed
        The query as it was run.
    rows : sequence
        What it returned.

    Examples
    --------
    >>> from demur.sql.clauses import clauses_of
    >>> clauses = clauses_of("SELECT name FROM t ORDER BY size DESC LIMIT 1")
    >>> rows = [("a", "9"), ("b", "9"), ("c", "10")]
    >>> for check, text in RankedRows(clauses, clauses.keyed(), rows).findings():
    ...     print(f"{check}: {text}")
    tie-at-limit: rows 1 to 2 tie on size, and LIMIT cuts after row 1: another choice
    is as right
    text-order: size holds numerals as texts, and is not sorted as numbers: '9' before
    '10'
    """

    def __init__(self, clauses: Clauses, keyed: Keyed, rows: Sequence[Any]) -> None:
        width = len(rows[0]) - keyed.added if rows else 0
        self.clauses = clauses
        self.shown = [row[:width] for row in rows]
        self.columns = [[row[at] for row in rows] for at in keyed.keys]
        self.keys = collated_rows(self.columns, clauses.keys)
        self.begin = clauses.offset
        limit = clauses.limit
        self.end = len(rows) if limit is None else min(self.begin + limit, len(rows))
        self.cut = clauses.limited and keyed.distinct and self.begin < self.end

    def findings(self) -> _Found:
        """Ties at the limit, NULL before values, and numbers sorted as texts."""
        # A tie matters only where rows are cut off.
        if self.cut:
            for border in sorted({self.begin, self.end}):
                yield from self._tie(border)
        for at, cells in enumerate(self.columns):
            groups = self._groups(at)
            if self.cut:
                yield from self._null_first(at, cells, groups)
            yield from self._text_order(at, cells, groups)

    def _tie(self, border: int) -> _Found:
        keys = self.keys
        if not 0 < border < len(keys) or keys[border - 1] != keys[border]:
            return
        first, last = border - 1, border
        while first > 0 and keys[first - 1] == keys[border]:
            first -= 1
        while last + 1 < len(keys) and keys[last + 1] == keys[border]:
            last += 1
        if any(row != self.shown[border] for row in self.shown[first : last + 1]):
            by = ", ".join(_one_line(key.text) for key in self.clauses.keys)
            where = f"rows {first + 1} to {last + 1} tie on {by}"
            cut = f"LIMIT cuts after row {border}"
            if border != self.end:
                cut = f"OFFSET begins at row {border + 1}"
            yield "tie-at-limit", f"{where}, and {cut}: another choice is as right"

    def _groups(self, at: int) -> list[range]:
        """Rows that are equal in all keys before one; it alone sorts them."""
        groups, start = [], 0
        for _, group in groupby(self.keys, lambda key: key[:at]):
            stop = start + sum(1 for _ in group)
            groups.append(range(start, stop))
            start = stop
        return groups

    def _null_first(
        self, at: int, cells: Sequence[Any], groups: Sequence[range]
    ) -> _Found:
        for group in groups:
            taken = range(max(group.start, self.begin), min(group.stop, self.end))
            nulls = [row for row in taken if cells[row] is None]
            rest = range(nulls[0], group.stop) if nulls else ()
            if any(cells[row] is not None for row in rest):
                text = f"NULL in {self._by(at)} sorts before values, so LIMIT takes "
                yield "null-first", text + "rows without a value"
                return

    def _text_order(
        self, at: int, cells: Sequence[Any], groups: Sequence[range]
    ) -> _Found:
        numerals = Numerals(cells)
        if not numerals.found:
            return
        falling = self.clauses.keys[at].falling
        word = self._word_taken(cells, numerals)
        for group in groups:
            inside = cells[group.start : group.stop]
            pair = numerals.out_of_order(inside, falling=falling)
            if pair is not None:
                text = f"{self._by(at)} holds numerals as texts, and is not sorted as "
                text += f"numbers: {pair[0]} before {pair[1]}"
                text += f"; LIMIT takes {word}" if word else numerals.also()
                yield "text-order", text
                return
        if word:
            text = f"{self._by(at)} holds numbers and texts, and LIMIT takes {word}"
            yield "text-order", text

    def _word_taken(self, cells: Sequence[Any], numerals: Numerals) -> str:
        """The first text within the limit that is no numeral, as a message shows it."""
        for cell in cells[self.begin : self.end] if self.cut else ():
            if isinstance(cell, str) and numerals.number(cell) is None:
                return shown(cell)
        return ""

    def _by(self, at: int) -> str:
        return _one_line(self.clauses.keys[at].text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
