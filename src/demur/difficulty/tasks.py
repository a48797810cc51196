"""A task as counts: items whose markables have values, one row for each item.

A markable is what has to be decided, such as an ambiguous word; a value is one of the
answers, such as a sense. Everything is read off the pairs of both and their counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.errors import InputError, shown
from demur.outcomes.named_columns import (
    NamedColumns,
    cluster_codes,
    codes_of,
    name_codes,
    named_columns,
)

ORDERS: Final = ("frequency", "appearance")
"""How values of a markable are ranked: the most frequent first, ties by name; or the
one that was seen first."""


@dataclass(frozen=True, eq=False)
class MarkableTask:
    """Items, each a markable with its value; pairs of both are counted.

    Parameters
    ----------
    pair : array of int, shape (n_items,)
        Which pair each item is.
    markable, value : array of int, shape (n_pairs,)
        Positions in the lists below; pairs are sorted by both.
    markables, values : sequence of str
        Their names; a value of two markables is listed once.
    cluster : array of int, shape (n_items,), or None
        Items that belong together, such as those of one document.
    item : array, shape (n_items,), or None
        Names of items, if they have any.
    row : array of int, shape (n_items,), or None
        Where each item stands in the table, of ``n_rows`` rows, that the task is of.
    n_rows : int
        Of the table, before anything was left out.
    """

    pair: Positions
    markable: Positions
    value: Positions
    markables: Sequence[str]
    values: Sequence[str]
    cluster: Positions | None = None
    item: Any = None
    row: Positions | None = None
    n_rows: int = 0

    def __len__(self) -> int:
        return len(self.pair)

    @cached_property
    def count(self) -> Positions:
        """Items of each pair."""
        return np.bincount(self.pair, minlength=len(self.markable))

    @cached_property
    def items(self) -> Positions:
        """Items of each markable."""
        sizes = np.bincount(self.markable, self.count, len(self.markables))
        return sizes.astype(np.int64)

    @cached_property
    def unit(self) -> Positions | None:
        """Clusters, numbered anew; None if every item stands alone."""
        if self.cluster is None:
            return None
        number: Positions = np.cumsum(np.bincount(self.cluster) > 0) - 1
        return number[self.cluster]

    @cached_property
    def share(self) -> Floats:
        """Of each pair, its items / those of its markable."""
        shares: Floats = self.count / self.items[self.markable]
        return shares

    @cached_property
    def surprisal(self) -> Floats:
        """Bits of each pair: minus the logarithm of its share."""
        return np.abs(np.log2(self.share))

    @cached_property
    def rank(self) -> Positions:
        """Of each pair, the place of its value by frequency, from 1; ties by name."""
        return self.ranked("frequency")

    @property
    def majority(self) -> Flags:
        """Whether each pair is the majority value of its markable."""
        first: Flags = self.rank == 1
        return first

    def ranked(self, order: str) -> Positions:
        """The place of each pair's value among those of its markable, from 1."""
        if order == "frequency":
            by_name = np.empty(len(self.values), np.int64)
            names = np.array([str(value) for value in self.values])
            by_name[np.argsort(names, kind="stable")] = np.arange(len(names))
            keys = [by_name[self.value], -self.count, self.markable]
        else:
            first = np.full(len(self.markable), len(self.pair))
            np.minimum.at(first, self.pair, np.arange(len(self.pair)))
            keys = [first, self.markable]
        sequence = np.lexsort(keys)
        owner = self.markable[sequence]
        begins = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
        sizes = np.diff(begins, append=len(owner))
        place = np.empty(len(owner), np.int64)
        place[sequence] = np.arange(len(owner)) - np.repeat(begins, sizes) + 1
        return place

    def take(self, pairs: Flags) -> "MarkableTask":
        """The items of some pairs; markables and values without items are gone."""
        kept = pairs[self.pair]
        number = np.cumsum(pairs) - 1
        markable, value = self.markable[pairs], self.value[pairs]
        markables, markable = np.unique(markable, return_inverse=True)
        values, value = np.unique(value, return_inverse=True)
        return MarkableTask(
            pair=number[self.pair[kept]],
            markable=markable,
            value=value,
            markables=[self.markables[k] for k in markables.tolist()],
            values=[self.values[k] for k in values.tolist()],
            cluster=None if self.cluster is None else self.cluster[kept],
            item=None if self.item is None else np.asarray(self.item)[kept],
            row=None if self.row is None else self.row[kept],
            n_rows=self.n_rows,
        )


def task_of(
    where: str,
    tokens: Any,
    markable: str | Sequence[str],
    value: str,
    *,
    cluster: str | None = None,
    item: str | None = None,
) -> MarkableTask:
    """A task from a table with one row for each item.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    tokens : dataframe, mapping of columns, or records
        A row for each item.
    markable : str or sequence of str
        The columns that say what is decided; several make one together.
    value : str
        The column with the answer.
    cluster, item : str, optional
        The columns of what belongs together, and of names.

    Raises
    ------
    InputError
        If a column is not there, or a row has no markable or no value.
    """
    names = [markable] if isinstance(markable, str) else list(markable)
    if not names:
        raise InputError(where, "markable", "name a column", "none")
    further = [name for name in (cluster, item) if name is not None]
    needed = list(dict.fromkeys([*names, value, *further]))
    table = named_columns(where, tokens, needed)
    if not len(table):
        hint = "Was everything filtered out?"
        raise InputError(where, "the table", "hold at least one row", "none", hint)
    first, markables = _codes(table, names[0])
    for name in names[1:]:
        other, words = _codes(table, name)
        known, first = np.unique(first * len(words) + other, return_inverse=True)
        markables = [
            f"{markables[key // len(words)]}/{words[key % len(words)]}"
            for key in known.tolist()
        ]
    second, values = _codes(table, value)
    return task_of_codes(
        (first, markables),
        (second, values),
        cluster=cluster_codes(table, cluster),
        item=None if item is None else table.columns[item],
    )


def _codes(table: NamedColumns, name: str) -> tuple[Positions, list[str]]:
    hint = "Leave rows out that are not to be decided."
    codes, names = name_codes(table, name, hint)
    return codes, [str(name) for name in names]


def task_of_codes(
    markable: tuple[Positions, Sequence[str]],
    value: tuple[Positions, Sequence[str]],
    *,
    cluster: Positions | None = None,
    item: Any = None,
) -> MarkableTask:
    """A task from numbers and what they stand for."""
    (first, markables), (second, values) = markable, value
    keys, pair = np.unique(first * len(values) + second, return_inverse=True)
    return MarkableTask(
        pair=pair,
        markable=keys // len(values),
        value=keys % len(values),
        markables=markables,
        values=values,
        cluster=cluster,
        item=item,
        row=np.arange(len(pair)),
        n_rows=len(pair),
    )


def task_of_counts(where: str, counts: Mapping[str, Mapping[str, int]]) -> MarkableTask:
    """A task from the counts of values of each markable.

    Raises
    ------
    InputError
        If a count is not a whole number from 1, or there is none.
    """
    rows: list[tuple[str, str, int]] = []
    for markable, counted in counts.items():
        for value, count in counted.items():
            plain = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
            if not plain or count < 0:
                need = "be from 0 upwards" if plain else "be whole numbers"
                raise InputError(where, f"counts of {markable}", need, shown(count))
            rows += [(str(markable), str(value), int(count))] if count else []
    if not rows:
        raise InputError(where, "the counts", "hold at least one item", "none")
    repeats = [count for _, _, count in rows]
    first, markables = codes_of([markable for markable, _, _ in rows])
    second, values = codes_of([value for _, value, _ in rows])
    return task_of_codes(
        (np.repeat(first, repeats), markables), (np.repeat(second, repeats), values)
    )
