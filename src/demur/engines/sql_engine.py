"""Counting by SQL, in whatever engine runs it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from demur.arrays import Floats
from demur.curves.blocks import AMOUNTS, Cut
from demur.curves.counted import CountedPart, Identity, Sums
from demur.curves.paired_counts import PairedKinds
from demur.engines.combinations import Locate, refused_rows
from demur.engines.readings import RelationReading, key_of, read
from demur.engines.selecting import AnswerTable, check_values
from demur.engines.sql_clusters import SqlUnits
from demur.engines.sql_counts import (
    clusters_query,
    common_query,
    count_query,
    distinct_query,
    is_value,
    items_query,
    name,
    repeated_query,
    sample_query,
)
from demur.engines.sql_hashes import identity_of
from demur.engines.sql_pairs import SqlPairs, relation_beside
from demur.errors import InputError, shown
from demur.formats.column_mappings import mapping_text
from demur.formats.selection import Selection
from demur.outcomes.building import KEY_NAMED
from demur.outcomes.table import NO_VALUE

ROW_NAMES = ("item", "system", "setting", "repeat")
"""Fields that together tell rows apart."""

SURE = 0.9
"""Of fewer different items than this share of the rows it is said that they repeat;
the number is known to about a twentieth."""

FEW_ENOUGH = 2_000_000
"""Of so many rows it is always counted exactly whether items repeat."""

SAMPLED = 100_000
"""About how many confidences are looked at before they are cut into blocks."""


class Connection(Protocol):
    """What runs SQL that is written in DuckDB's dialect."""

    @property
    def name(self) -> str:
        """What the engine is called."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of an answer that is short."""

    def columns(self, query: str) -> Mapping[str, Any]:
        """The columns of an answer, numbers as arrays."""

    def sampled(self, relation: str, share: float) -> str:
        """A relation of about that share of the rows of another one."""


class SqlEngine:
    """Counts the rows of a relation.

    Parameters
    ----------
    connection : Connection
        What runs SQL.
    table : AnswerTable
        The relation.
    recipe : mapping of str to str
        Where it comes from, for signatures.
    notes : tuple of str
        What a reader must know of that.
    check_rows : callable, optional
        Is given how many rows were read, and raises if there must be more.
    checked : bool
        Whether rows and items have been checked already, and the notes are all that
        there is to say: these are some of the rows of another engine.
    """

    def __init__(
        self,
        connection: Connection,
        table: AnswerTable,
        *,
        recipe: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
        check_rows: Callable[[int], None] | None = None,
        checked: bool = False,
    ) -> None:
        self.connection, self.table = connection, table
        self.recipe, self._said = dict(recipe or {}), list(notes)
        if table.forms:
            self.recipe["columns"] = mapping_text(table.forms)
        self._check_rows = check_rows
        self._checked = self._of_another = checked
        self._readings: dict[tuple[str, ...], RelationReading] = {}

    @property
    def name(self) -> str:
        """What the engine is called."""
        engine: str = self.connection.name
        return engine

    @property
    def units(self) -> SqlUnits:
        """What lists items and clusters that are alike."""
        return SqlUnits(self)

    def restricted(self, values: Mapping[str, str]) -> "SqlEngine":
        """The same, of the rows of one system, setting and group."""
        only = {one: "" if text == NO_VALUE else text for one, text in values.items()}
        return SqlEngine(
            self.connection,
            replace(self.table, only={**self.table.only, **only}),
            recipe=self.recipe,
            notes=self.notes,
            checked=True,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of what was read."""
        if self._of_another:
            return tuple(self._said)
        read_ = next(iter(self._readings.values()), None)
        return (*self._said, *(read_.notes if read_ else ()))

    def _check(self) -> None:
        """Hold the rows against what files tell, and doubt items that repeat."""
        if self._checked:
            return
        self._checked = True
        n_rows = self.items
        if self.table.where:
            check_values(self.table, self.connection.rows)
            query = f"SELECT COUNT(*) FROM {self.table.relation}"
            ((n_rows,),) = self.connection.rows(query)
        if self._check_rows is not None:
            self._check_rows(int(n_rows))
        if self.table.where:
            text = Selection(self.table.where).text()
            self.recipe["where"] = text
            self._said.append(f"{self.items} of {n_rows} rows selected by {text}")
        self._said += self._doubt()

    @property
    def _key(self) -> list[str]:
        """The columns that tell rows apart."""
        columns = map(self.table.column, ROW_NAMES)
        kept = [name(column) for column in columns if column is not None]
        if self.table.form == "json":  # 5 and "5" are one item
            return [f"TRIM(CAST({column} AS VARCHAR), '\"')" for column in kept]
        return kept

    def _doubt(self) -> list[str]:
        """A note where there seem to be fewer items than rows."""
        if self.items <= FEW_ENOUGH:
            self.check_items()
            return []
        rows = self._any_reading.rows
        query = items_query(rows.relation, rows.where, self._key)
        about = int(self.connection.rows(query)[0][0] or 0)
        if about >= SURE * self.items:
            return []
        if self.table.sources > 1 and self.table.column("system") is None:
            need = "hold different items, or have a column system"
            got = f"about {about} different items in {self.items} rows"
            hint = "--engine memory names systems by their files."
            raise InputError(self.table.place, "the files", need, got, hint)
        return [
            f"about {about} different items among {self.items} rows: rows seem to be "
            "repeated, or several systems have no column system; --check-items counts "
            "exactly"
        ]

    @property
    def _locate(self) -> Locate | None:
        """What finds rows and where they stand, if the engine can."""
        return getattr(self.connection, "located", None)

    def check_items(self) -> None:
        """Raise `InputError` if two rows have the same item, system and repeat."""
        rows = self._any_reading.rows
        query = repeated_query(rows.relation, rows.where, self._key)
        answer = self.connection.rows(query)
        if not answer:
            return
        *values, count = answer[0]
        if self._locate is not None:
            its = [*map(is_value, self._key, values), *filter(None, [rows.where])]
            where = " AND ".join(its)
            error = refused_rows(self.table, where, self._locate, most=2)
            if error is not None:
                raise self._with_systems(error)
        kept = [one for one in ROW_NAMES if self.table.column(one) is not None]
        named = ", ".join(
            f"{one} {shown(value)}" for one, value in zip(kept, values, strict=True)
        )
        got = f"{named} {count} times"
        hint = "A column setting or repeat tells rows apart; or select some."
        error = InputError(self.table.place, KEY_NAMED, "be given once", got, hint)
        raise self._with_systems(error)

    def _with_systems(self, error: InputError) -> InputError:
        """What is said of a repeated key; of files also that they may be systems."""
        n_files = len(getattr(self.connection, "files", ()))
        if max(n_files, self.table.sources) < 2 or self.table.column("system"):
            return error
        further = (
            "Files of one system each need a column system, or fit in memory and are "
            "named one by one with --engine memory."
        )
        return error.with_hint(f"{error.hint} {further}")

    def reading(self, by: Sequence[str] = ()) -> RelationReading:
        """How rows read, and which parts they make up."""
        key = tuple(by)
        if key not in self._readings:
            ordered = getattr(self.connection, "ordered", None)
            self._readings[key] = read(
                self.table, self.connection.rows, key, ordered, self._locate
            )
            self._check()
        return self._readings[key]

    @property
    def _any_reading(self) -> RelationReading:
        return next(iter(self._readings.values()), None) or self.reading()

    def parts(self, by: Sequence[str]) -> list[CountedPart]:
        """The systems, settings and groups, with their totals."""
        return self.reading(by).parts

    @property
    def items(self) -> int:
        """How many rows there are."""
        return sum(part.totals.items for part in self._any_reading.parts)

    def distinct(self, low: float, high: float) -> int:
        """About how many different confidences there are from one up to another."""
        query = distinct_query(self._any_reading.rows, low, high)
        return int(self.connection.rows(query)[0][0] or 0)

    def sample(self) -> Floats:
        """Confidences of some guesses."""
        return self._sample

    @cached_property
    def _sample(self) -> Floats:
        rows, share = self._any_reading.rows, min(SAMPLED / max(self.items, 1), 1.0)
        values = np.empty(0)
        while not len(values):
            relation = self.connection.sampled(rows.relation, share)
            answer = self.connection.columns(sample_query(rows, relation))
            values = np.asarray(answer["confidence_"], np.float64)
            if share == 1:
                break
            share = min(share * 16, 1.0)
        return np.sort(values)

    def ends(self) -> tuple[float, float] | None:
        """The least and greatest confidence, where that is known."""
        return self._any_reading.ends

    def count(self, by: Sequence[str], cuts: Sequence[Cut]) -> Sums:
        """The guesses whose confidences are in the cuts, by part and block."""
        reading = self.reading(by)
        answer = self.connection.columns(count_query(reading.rows, cuts, reading.ends))
        low = np.asarray(answer["block_"], np.float64)
        part = self._part_of(reading, answer, len(low))
        return Sums(part, low, _amounts(reading, answer, part))

    def pairs(self, other: "SqlEngine", cuts: Sequence[Sequence[Cut]]) -> PairedKinds:
        """Kinds of the items that both have, joined by item and repeat."""
        return self._beside(other).kinds(cuts)

    def in_common(self, other: "SqlEngine") -> list["SqlEngine"]:
        """Both, of the items alone that both have."""
        pairs = self._beside(other)
        return [
            SqlEngine(
                self.connection,
                replace(table, relation=pairs.common(place)),
                recipe=one.recipe,
                notes=one.notes,
                checked=True,
            )
            for place, (one, table) in enumerate(
                zip((self, other), pairs.tables, strict=True)
            )
        ]

    def item(self, other: "SqlEngine", *, alone: bool = False) -> str | None:
        """One of the items, which another engine has not if it is to be alone."""
        return self._beside(other).item(0, alone=alone)

    def _beside(self, other: "SqlEngine") -> SqlPairs:
        taken = relation_beside(self.connection, other.connection, other.table.relation)
        ours, theirs = self.reading(), other.reading()
        theirs = replace(theirs, rows=replace(theirs.rows, relation=taken))
        tables = self.table, replace(other.table, relation=taken)
        return SqlPairs(self.connection, (ours, theirs), tables)

    def common(self) -> int | None:
        """How many items all systems have, of very many about; None if all the same."""
        reading, item = self.reading(), self.table.column("item")
        sizes = [part.totals.items for part in reading.parts]
        if len(sizes) < 2 or item is None:
            return None
        rows = reading.rows
        if self.items <= FEW_ENOUGH:
            query = common_query(rows, self._key[0], len(sizes))
            shared = int(self.connection.rows(query)[0][0])
            return None if set(sizes) == {shared} else shared
        query = items_query(rows.relation, rows.where, self._key[:1])
        about = int(self.connection.rows(query)[0][0] or 0)
        if len(set(sizes)) == 1 and about <= sizes[0] / SURE:
            return None
        return max(round((sum(sizes) - about) / (len(sizes) - 1)), 0)

    def clusters(self, by: Sequence[str]) -> list[int | None]:
        """How many clusters the items of each part fall into."""
        reading, column = self.reading(by), self.table.column("cluster")
        if column is None and self.table.column("repeat") is not None:
            column = self.table.column("item")
        if column is None:
            return [None] * len(reading.parts)
        query = clusters_query(reading.rows, name(column))
        answer = self.connection.columns(query)
        part = self._part_of(reading, answer, len(answer["rows_"]))
        rows, clusters = np.zeros((2, len(reading.parts)), np.int64)
        # Of parts that several keys make up no cluster is in two, or they are fewer.
        np.add.at(rows, part, np.asarray(answer["rows_"], np.int64))
        np.add.at(clusters, part, np.asarray(answer["clusters_"], np.int64))
        both = zip(clusters.tolist(), rows.tolist(), strict=True)
        return [few if few < many else None for few, many in both]

    def identity(self) -> Identity:
        """What tells the rows from others, without naming an item."""
        rows = self._any_reading.rows
        return identity_of(self.table, rows.where, self.items, self.connection.rows)

    def _part_of(
        self, reading: RelationReading, answer: Mapping[str, Any], n_rows: int
    ) -> Any:
        names = reading.rows.keys
        if not names or len(reading.parts) == 1:
            return np.zeros(n_rows, np.int64)
        columns = [answer[one].tolist() for one in names]
        keys = (key_of(row) for row in zip(*columns, strict=True))
        return np.fromiter((reading.part_of[key] for key in keys), np.int64, n_rows)


def _amounts(reading: RelationReading, answer: Mapping[str, Any], part: Any) -> Any:
    """The sums named in `AMOUNTS`, from those that the query has given."""

    def summed(one: str, usual: Any) -> Any:
        if f"{one}_" not in answer:
            return usual
        return np.array([int(value or 0) for value in answer[f"{one}_"]], np.int64)

    guesses = summed("guesses", 0)
    none = np.zeros(len(part), np.int64)
    wrong, ungraded = summed("wrong", none), summed("ungraded", none)
    listed = {
        "right": guesses - wrong - ungraded,
        "wrong": wrong,
        "ungraded": ungraded,
        "partial": summed("partial", none),
        "weight": summed("weight", guesses),
        "loss": summed("loss", wrong),
        "unclear": summed("unclear", none if reading.rows.weight else ungraded),
        "hopeless": summed("hopeless", none),
    }
    unit = np.array(reading.unit, np.int64)[part]
    for one in ("weight", "loss", "unclear", "hopeless"):
        if reading.rows.weight:
            listed[one] = listed[one] // unit
    return np.stack([listed[one] for one in AMOUNTS], axis=1)
