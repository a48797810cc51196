"""Counting by SQL, in whatever engine runs it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from demur.arrays import Floats
from demur.curves.blocks import AMOUNTS, Cut
from demur.curves.counted import Part, Sums
from demur.engines.readings import Reading, key_of, read
from demur.engines.selecting import Table
from demur.engines.sql_counts import count_query, distinct_query, sample_query

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
    table : Table
        The relation.
    recipe : mapping of str to str
        Where it comes from, for signatures.
    notes : tuple of str
        What a reader must know of that.
    """

    def __init__(
        self,
        connection: Connection,
        table: Table,
        *,
        recipe: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.connection, self.table = connection, table
        self.recipe, self._said = dict(recipe or {}), notes
        self._readings: dict[tuple[str, ...], Reading] = {}

    @property
    def name(self) -> str:
        """What the engine is called."""
        return self.connection.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of what was read."""
        read_ = next(iter(self._readings.values()), None)
        return (*self._said, *(read_.notes if read_ else ()))

    def reading(self, by: Sequence[str] = ()) -> Reading:
        """How rows read, and which parts they make up."""
        key = tuple(by)
        if key not in self._readings:
            self._readings[key] = read(self.table, self.connection.rows, key)
        return self._readings[key]

    @property
    def _any_reading(self) -> Reading:
        return next(iter(self._readings.values()), None) or self.reading()

    def parts(self, by: Sequence[str]) -> list[Part]:
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
            found = self.connection.columns(sample_query(rows, relation))
            values = np.asarray(found["confidence_"], np.float64)
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
        found = self.connection.columns(count_query(reading.rows, cuts))
        low = np.asarray(found["block_"], np.float64)
        part = self._part_of(reading, found, len(low))
        return Sums(part, low, _amounts(reading, found, part))

    def _part_of(self, reading: Reading, found: Mapping[str, Any], n_rows: int) -> Any:
        names = [one[1:-1].replace('""', '"') for one in reading.rows.key]
        if not names or len(reading.parts) == 1:
            return np.zeros(n_rows, np.int64)
        columns = [found[one].tolist() for one in names]
        keys = (key_of(row) for row in zip(*columns, strict=True))
        return np.fromiter((reading.part_of[key] for key in keys), np.int64, n_rows)


def _amounts(reading: Reading, found: Mapping[str, Any], part: Any) -> Any:
    """The sums named in `AMOUNTS`, from those that the query has given."""

    def summed(one: str, usual: Any) -> Any:
        if f"{one}_" not in found:
            return usual
        return np.array([int(value or 0) for value in found[f"{one}_"]], np.int64)

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
