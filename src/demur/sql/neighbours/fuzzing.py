"""Other rows for the same tables: what is there, drawn again and changed.

Rows are dropped and doubled, values exchanged, and those planted that queries mention.
Keys stay unique, and foreign keys lead to rows; what else must hold is seen when the
rows are written. A column gets values of the form that all of its own have. NULL comes
only where there is one, and a text comes twice only in a column where one does: no
query need expect it elsewhere.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from demur.sql.neighbours.blueprints import Blueprint, ForeignKey, StoredTable
from demur.sql.neighbours.mentions import Mention, Value
from demur.sql.neighbours.moments import (
    fresh_moment,
    is_moment,
    is_other_date,
    moments_near,
)

Row = list[Any]
Contents = dict[str, list[Row]]
"""The rows of each table."""


class ColumnValues(NamedTuple):
    """Values that a column shall have.

    Parameters
    ----------
    at : int
        Which column.
    values : list
        Any of them.
    planted : bool
        Whether they are put there; if not, a row is taken that has one.
    """

    at: int
    values: list[Any]
    planted: bool


Plan = dict[str, list[ColumnValues]]
"""For some tables, what one query compares with its columns."""

_SHARES: Final = (1.0, 1.0, 1.0, 0.8, 0.5)
_PLANTED: Final = 60
"""How often, at most, values of a query are planted in one instance."""

_NAMES: Final = 5
"""So many texts, all different, are taken for names that stay different."""

_NUMERAL: Final = re.compile(
    r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE
)
"""A text that SQLite stores as a number in a column that is not declared as text."""

_CHANGED: Final = (0.02, 0.1, 0.25)
_DOUBLED: Final = (0.0, 0.05, 0.2)


class _Place(NamedTuple):
    """A column of a table."""

    table: str
    at: int


@dataclass(frozen=True, slots=True)
class _Known:
    """The values of a column, and what they have in common.

    Parameters
    ----------
    values : tuple
        All that differ, without NULL.
    null, repeated : bool
        Whether NULL is among them, and any of them twice.
    moments : bool
        Whether all are dates or times.
    closed : bool
        Whether all are dates in a form of which no others are made.
    numerals : frozenset of bool
        Whether there are texts that are numerals, and such that are not.
    """

    values: tuple[Any, ...]
    null: bool
    repeated: bool
    moments: bool
    closed: bool
    numerals: frozenset[bool]

    @property
    def are_names(self) -> bool:
        """Whether they look like names: texts of which none is there twice."""
        several = len(self.values) >= _NAMES and not (self.repeated or self.closed)
        return several and all(isinstance(value, str) for value in self.values)

    @property
    def kind(self) -> type | None:
        """What most of them are."""
        kinds = [type(value) for value in self.values]
        return max(dict.fromkeys(kinds), key=kinds.count) if kinds else None

    def fitting(self, given: Sequence[Value]) -> list[Any]:
        """Values of a query as the column holds its own; none that are not of its form.

        Examples
        --------
        >>> _known(["2024-05-07", "2024-05-08"]).fitting(["2024-06-01", "x 2024"])
        ['2024-05-31', '2024-06-01', '2024-06-02']
        """
        kind = self.kind
        if self.moments:
            texts = [value for value in given if isinstance(value, str)]
            near = (one for text in texts for one in moments_near(text, self.values))
            return list(dict.fromkeys(near))
        fitting = [_fitting(value, kind) for value in given]
        if self.closed:
            return [value for value in fitting if value in self.values]
        return [
            value
            for value in fitting
            if value is not None
            and (not isinstance(value, str) or _is_numeral(value) in self.numerals)
        ]

    def fresh(self, taken: Sequence[Any]) -> Any:
        """A value that is not there, nor taken."""
        if self.moments:
            return fresh_moment(self.values, {*taken, *self.values})
        return None if self.closed else _fresh([*taken, *self.values])


class Fuzzer:
    """Draws rows for new instances of one database.

    Parameters
    ----------
    blueprint : Blueprint
        Its tables.
    contents : Contents
        The rows that it has, or some of them.
    most : int
        Rows of a table.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        contents: Mapping[str, Sequence[Sequence[Any]]],
        most: int,
    ) -> None:
        self.blueprint = blueprint
        self._tables = {table.name: table for table in blueprint.tables}
        self._contents = contents
        self._most = most
        self._known = {
            _Place(name, at): _known([row[at] for row in contents[name]])
            for name, table in self._tables.items()
            for at in range(len(table.columns))
        }
        named = {
            _Place(link.parent, at)
            for _, link in blueprint.links
            for at in link.parent_columns
        }
        # Rows of these may be lacked by others already; no more shall be.
        self._kept_whole = {link.parent for _, link in blueprint.links if not link.held}
        self._free = {
            name: [
                at
                for at in range(len(table.columns))
                if at not in table.fixed and _Place(name, at) not in named
            ]
            for name, table in self._tables.items()
        }
        self._names = {
            name: [at for at in places if self._known[_Place(name, at)].are_names]
            for name, places in self._free.items()
        }

    def plan(self, query: Sequence[Mention]) -> Plan:
        """For each table the columns that a query compares, and values for them."""
        plan: Plan = {}
        for mention in query:
            for name, table in self._tables.items():
                columns = [column.lower() for column in table.columns]
                if mention.table in ("", name.lower()) and mention.column in columns:
                    at = columns.index(mention.column)
                    known = self._known[_Place(name, at)]
                    fitting = known.fitting(mention.values)
                    # A name that is there stays with what belongs to it; a day not.
                    name_like = at in self._names[name] and not known.moments
                    taken = name_like and {*fitting} & {*known.values}
                    if fitting:
                        planted = at in self._free[name] and not taken
                        wanted = ColumnValues(at, fitting, planted)
                        plan.setdefault(name, []).append(wanted)
        # Rows that must have a value come first; others are taken that go with them.
        return dict(sorted(plan.items(), key=lambda pair: _all_planted(pair[1])))

    def rows(self, plans: Sequence[Plan], random: Random) -> Contents:
        """The rows of a new instance, in the order in which they are to be written.

        Parameters
        ----------
        plans : sequence of Plan
            Of the queries whose values are planted.
        random : Random
            What draws.
        """
        contents = self._drawn(random)
        if plans:
            for plan in random.choices(plans, k=min(_PLANTED, 4 * len(plans))):
                self._plant(plan, contents, random)
        for name, table in self._tables.items():
            self._change(table, contents, random)
            self._double(table, contents, random)
            del contents[name][self._most :]
        return contents

    def _drawn(self, random: Random) -> Contents:
        """Some of the rows of each table, in their order."""
        contents = {}
        for name in self._tables:
            rows = self._contents[name]
            share = 1.0 if name in self._kept_whole else random.choice(_SHARES)
            count = min(self._most, round(share * len(rows)) or len(rows))
            places = sorted(random.sample(range(len(rows)), count))
            contents[name] = [list(rows[at]) for at in places]
        return contents

    def _plant(
        self,
        plan: Plan,
        contents: Contents,
        random: Random,
    ) -> None:
        """Give rows that belong together the values that one query compares."""
        near: dict[str, Row] = {}
        for name, columns in plan.items():
            rows = contents[name]
            if not rows:
                continue
            row = random.choice(_with_values(self._beside(name, near, rows), columns))
            if random.random() < 0.3 and len(rows) < self._most:
                row = self._copy(self._tables[name], row, contents, random)
                rows.append(row)
            for at, values, planted in columns:
                value = random.choice(values)
                there = at in self._names[name] and any(r[at] == value for r in rows)
                if planted and random.random() < 0.8 and not there:
                    row[at] = value
            near[name] = row

    def _beside(
        self, name: str, near: Mapping[str, Row], rows: Sequence[Row]
    ) -> Sequence[Row]:
        """The rows that foreign keys join with one that is planted; all if none."""
        for other, row in near.items():
            for here, there in self._joins(name, other):
                key = _cells(row, there)
                joined = [one for one in rows if _cells(one, here) == key]
                if joined:
                    return joined
        return rows

    def _joins(
        self, one: str, other: str
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The columns of two tables that foreign keys join, also by a third table."""
        for link in self._tables[one].links:
            if link.parent == other:
                yield link.columns, link.parent_columns
        for link in self._tables[other].links:
            if link.parent == one:
                yield link.parent_columns, link.columns
            for sibling in self._tables[one].links:
                if sibling[1:3] == link[1:3]:
                    yield sibling.columns, link.columns

    def _change(self, table: StoredTable, contents: Contents, random: Random) -> None:
        """Put other values into some cells."""
        share = random.choice(_CHANGED)
        names = self._names[table.name]
        free = [at for at in self._free[table.name] if at not in names]
        for row in contents[table.name]:
            for at in free:
                if random.random() < share:
                    row[at] = self._other(_Place(table.name, at), row[at], random)
            for link in table.links:
                if random.random() < share and not _is_key(table, link):
                    self._relink(row, link, contents, random)

    def _other(self, place: _Place, value: Any, random: Random) -> Any:
        """Another value for a cell: of another row, beside it, or NULL."""
        known = self._known[place]
        if known.null and random.random() < 0.2:
            return None
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and not known.closed and random.random() < 0.3:
            return value + random.choice((-1, 1))
        return random.choice(known.values) if known.values else value

    def _relink(
        self, row: Row, link: ForeignKey, contents: Contents, random: Random
    ) -> None:
        """Let a foreign key lead to another row."""
        parents = contents[link.parent]
        if parents:
            _set(row, link.columns, _cells(random.choice(parents), link.parent_columns))

    def _double(self, table: StoredTable, contents: Contents, random: Random) -> None:
        """Add some rows again, with keys of their own."""
        share = random.choice(_DOUBLED)
        for row in [*contents[table.name]]:
            if random.random() < share:
                copy = self._copy(table, row, contents, random)
                contents[table.name].append(copy)

    def _copy(
        self, table: StoredTable, row: Row, contents: Contents, random: Random
    ) -> Row:
        """A copy of a row with keys of its own."""
        copy = list(row)
        linked = {at for link in table.links for at in link.columns}
        for key in (*table.keys, *((at,) for at in self._names[table.name])):
            free = [at for at in key if at not in linked]
            if free:
                place = _Place(table.name, free[-1])
                taken = [one[free[-1]] for one in contents[table.name]]
                copy[free[-1]] = self._known[place].fresh(taken)
            else:
                for link in table.links:
                    if set(link.columns) & set(key):
                        self._relink(copy, link, contents, random)
        return copy


def _all_planted(columns: Sequence[ColumnValues]) -> bool:
    return all(wanted.planted for wanted in columns)


def _with_values(rows: Sequence[Row], columns: Sequence[ColumnValues]) -> Sequence[Row]:
    """The rows that have the values that are not planted, as far as there are any."""
    for at, values, planted in columns:
        if not planted:
            rows = [row for row in rows if row[at] in values] or rows
    return rows


def _known(cells: Sequence[Any]) -> _Known:
    held = [cell for cell in cells if cell is not None]
    values = tuple(dict.fromkeys(held))
    return _Known(
        values,
        null=len(held) < len(cells),
        repeated=len(values) < len(held),
        moments=bool(values) and all(map(is_moment, values)),
        closed=bool(values) and all(map(is_other_date, values)),
        numerals=frozenset(_is_numeral(one) for one in values if isinstance(one, str)),
    )


def _is_numeral(text: str) -> bool:
    return _NUMERAL.fullmatch(text) is not None


def _fitting(value: Value, kind: type | None) -> Any:
    """A value as a column holds its values; None if it does not fit there."""
    if kind is not None and isinstance(value, kind):
        return value
    if kind is str:
        return str(value)
    if kind not in (int, float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return math.floor(number) if kind is int else number


def _fresh(taken: Sequence[Any]) -> Any:
    """A value that is not taken."""
    numbers = [one for one in taken if isinstance(one, int | float)]
    if len(numbers) * 2 > len(taken):
        return max(numbers) + 1
    texts = [one for one in taken if isinstance(one, str)]
    if not texts:
        return None
    numerals = [int(text) for text in texts if text.isascii() and text.isdigit()]
    if len(numerals) * 2 > len(texts):
        return str(max(numerals) + 1)
    used = set(texts)
    return next(
        text
        for number in range(2, len(taken) + 3)
        if (text := f"{texts[0]} {number}") not in used
    )


def _cells(row: Sequence[Any], columns: Sequence[int]) -> tuple[Any, ...]:
    return tuple(row[at] for at in columns)


def _set(row: Row, columns: Sequence[int], cells: Sequence[Any]) -> None:
    for at, cell in zip(columns, cells, strict=True):
        row[at] = cell


def _is_key(table: StoredTable, link: ForeignKey) -> bool:
    """Whether it is itself a key of its table, so that no two rows may share it."""
    return any(set(key) <= set(link.columns) for key in table.keys)
