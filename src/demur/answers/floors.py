"""What a blind guesser gets: one answer to every item, the best that there is.

It is a lower bound, since answers count as one only if they are written or read alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, Final, Protocol, runtime_checkable

from demur.answers.tables.relation_values import Relation, shown_cell
from demur.answers.values import json_text
from demur.outcomes.records import Reference
from demur.results import printable

EMPTY: Final = "the empty answer"
"""What an answer without rows is called."""

COLUMN: Final = "right_constant"
"""The column of outcomes that says which answers would be right without a look.

Only where references are more than values: those of SQL are known by their results.
"""

BEGINS: Final = "floor: "
"""How the note begins that says what a blind guesser gets."""

_LONGEST: Final = 60


@runtime_checkable
class Guessable(Protocol):
    """What a comparator also has if its references are more than values."""

    def constants(self, reference: Reference) -> Iterable[str]:
        """The answers, as they are called, that would be right without a look."""


def constant_of(table: Any) -> str | None:
    """What a table is called that somebody might guess: the empty one, one value.

    Examples
    --------
    >>> constant_of(Relation.from_rows([[3.0]])), constant_of(Relation.from_rows([]))
    ('3', 'the empty answer')
    >>> constant_of(Relation.from_rows([[3], [4]]))
    """
    if not isinstance(table, Relation) or table.truncated:
        return None
    if not table.n_rows:
        return EMPTY
    if table.n_rows > 1 or table.n_columns > 1:
        return None
    [[cell]] = table.rows()
    whole = isinstance(cell, float) and cell.is_integer()
    return shown_cell(int(cell) if whole else cell)


def values_called(values: Iterable[Any]) -> set[str]:
    """What acceptable values are called.

    Examples
    --------
    >>> sorted(values_called(["yes", 3]))
    ['3', 'yes']
    """
    return {*map(json_text, values)}


def floor_note(items: Iterable[Iterable[str]], databases: Iterable[str] = ()) -> str:
    """What the best answer for all items gets; nothing if it is right for one alone.

    Parameters
    ----------
    items : iterable of iterable of str
        For each item what answers to it are called.
    databases : iterable of str, optional
        That of each item: one who knows it may give each its own best answer.

    Examples
    --------
    >>> floor_note([["yes"], ["no"], ["yes"], [EMPTY], [EMPTY], [EMPTY]])
    'floor: the empty answer to every item is right on 3 of 6 (50.0 %), yes on 2'
    >>> note = floor_note([["3"], ["3"], ["5"], ["5"]], ["a", "a", "b", "b"])
    >>> note.partition("; ")[2]
    'the best answer for each database on 4'
    """
    counts, total = Counter[str](), 0
    parts = defaultdict[str, Counter[str]](Counter)
    for names, database in zip_longest(items, databases, fillvalue=""):
        counts.update({*names})
        parts[str(database)].update({*names})
        total += 1
    empty = counts.pop(EMPTY, 0)
    name, count = min(
        counts.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0)
    )
    ranked = sorted([(empty, EMPTY), (count, name)], reverse=True)
    (most, best), (fewer, other) = ranked
    if most < 2:
        return ""
    cut = {name: _shortened(name) for name in (best, other)}
    share = f"{most:,} of {total:,} ({most / total:.1%})".replace("%", " %")
    second = f", {cut[other]} on {fewer:,}" if fewer > 1 else ""
    apart = sum(max(part.values(), default=0) for part in parts.values())
    third = f"; the best answer for each database on {apart:,}" if apart > most else ""
    third = third if len(parts) > 1 else ""
    return f"{BEGINS}{cut[best]} to every item is right on {share}{second}{third}"


def _shortened(name: str) -> str:
    name = printable(name) if name.strip() else "empty text"
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."
