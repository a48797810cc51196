"""The verb that reserves a test set: whole subjects or dialogues, never parts of them.

Who speaks in the training data should not speak in the test: people tend to keep to
their way of asking. Items that share a value in any of the named columns stay together,
and so does what hangs together through a third item.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from demur.checks import decimal_fraction
from demur.counting import Numbers
from demur.errors import InputError, shown
from demur.records import Reference
from demur.version import __version__

Record: TypeAlias = Reference | Mapping[str, Any]

_ROUNDS = 20


@dataclass(frozen=True)
class Side:
    """What is on one side of a reservation.

    Parameters
    ----------
    rows : tuple of int
        Positions among the references, rising.
    values : mapping of column to int
        How many different values each named column has there.
    strata : mapping of value to int
        How many items have each value of the column by which the draw is stratified.
    """

    rows: tuple[int, ...]
    values: Mapping[str, int]
    strata: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The side as plain values for JSON, without the rows."""
        return {
            "items": len(self.rows),
            "values": dict(self.values),
            "strata": dict(self.strata),
        }


@dataclass(frozen=True)
class Reservation:
    """A cut of references into training and test.

    Parameters
    ----------
    train, test : Side
    groups : int
        How many groups of items cannot be parted.
    largest : int
        Items in the largest of them.
    wanted, share : float
        Share of the items that the test should have, and has.
    recipe : mapping of str to str
        For the signature.
    """

    train: Side
    test: Side
    groups: int
    largest: int
    wanted: float
    share: float
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The recipe of the cut, one line."""
        return "|".join(f"{name}:{value}" for name, value in self.recipe.items())

    def to_dict(self) -> dict[str, Any]:
        """The reservation as plain values for JSON, without the rows."""
        return {
            "share": self.share,
            "share_wanted": self.wanted,
            "groups": self.groups,
            "largest_group": self.largest,
            "train": self.train.to_dict(),
            "test": self.test.to_dict(),
            "signature": self.signature,
        }


def reserve(
    references: Iterable[Record],
    *,
    by: str | Sequence[str],
    share: float = 0.3,
    stratify: str | None = None,
    seed: int = 0,
) -> Reservation:
    """Reserve a share of the items for the test, so that no subject is on both sides.

    Groups are drawn in random order and taken as long as that brings the shares nearer
    to what is wanted; then single groups change sides as long as that helps. Whole
    groups seldom add up to just the share that is wanted: the result says which share
    was reached.

    Parameters
    ----------
    references : iterable of Reference or mapping
        In any order; the draw depends on items and their values only.
    by : str or sequence of str
        Columns: items with the same value in any of them stay together. An item
        without a value shares nothing by that column.
    share : float
        Of the items, for the test; above 0 and below 1.
    stratify : str, optional
        A column; the test should have this share of each of its values.
    seed : int
        Of the draw.

    Returns
    -------
    Reservation

    Raises
    ------
    InputError
        If no item has one of the columns, or all items hang together.

    References
    ----------
    Bates, Boisen and Makhoul (1990), "Developing an Evaluation Methodology for Spoken
    Language Systems", section 4.6: the test set came from subjects who were not in the
    training set.

    Examples
    --------
    >>> import demur
    >>> references = [
    ...     {"item": f"q{number}", "subject": f"s{number // 2}", "reference": "x"}
    ...     for number in range(10)]
    >>> found = demur.reserve(references, by="subject", share=0.4)
    >>> found.test.rows, found.share
    ((4, 5, 8, 9), 0.4)
    """
    listed = list(references)
    wanted = float(decimal_fraction("reserve", "share", share))
    if not 0 < wanted < 1:
        raise InputError("reserve", "share", "be above 0 and below 1", shown(share))
    columns = (by,) if isinstance(by, str) else tuple(by)
    table = {name: _column(listed, name) for name in columns}
    strata = None if stratify is None else _column(listed, stratify)
    group = _hanging_together(list(table.values()), _ranks(listed))
    sizes = _sizes(group, strata)
    if len(sizes) < 2:
        got = f"one group: all {len(listed)} hang together"
        hint = "Fewer columns part more; an item may join two groups."
        must = f"fall into groups by {', '.join(columns)}"
        raise InputError("reserve", "the items", must, got, hint)
    reserved = _drawn(sizes, wanted, seed)[group]
    recipe = {"demur": __version__, "reserve": "+".join(columns), "share": f"{share:g}"}
    recipe |= {} if stratify is None else {"stratify": stratify}
    return Reservation(
        train=_side(np.flatnonzero(~reserved), table, strata),
        test=_side(np.flatnonzero(reserved), table, strata),
        groups=len(sizes),
        largest=int(sizes.sum(axis=1).max()),
        wanted=wanted,
        share=float(reserved.mean()),
        recipe={**recipe, "seed": str(seed), "items": str(len(listed))},
    )


# -- columns -------------------------------------------------------------------------


def _value(record: Record, name: str) -> Any:
    """A field of a reference; an empty text is none."""
    if isinstance(record, Mapping):
        value = record.get(name)
    elif name in record.extra:
        value = record.extra[name]
    else:
        value = getattr(record, name, None)
    return None if value is None or value == "" else str(value)


def _column(records: Sequence[Record], name: str) -> list[str | None]:
    """A column as texts; an error if nobody has it."""
    values = [_value(record, name) for record in records]
    if all(value is None for value in values):
        known: dict[str, None] = {}
        for record in records:
            extra = record if isinstance(record, Mapping) else record.extra
            known |= dict.fromkeys(extra)
        got = f"{name!r}; there are {', '.join(known)}" if known else repr(name)
        raise InputError("reserve", "a column", "be one that items have", got)
    return values


def _ranks(records: Sequence[Record]) -> list[int]:
    """The place of each item among all, by its id: the order of a file is no matter."""
    items = [str(_value(record, "item")) for record in records]
    order = sorted(range(len(items)), key=items.__getitem__)
    ranks = [0] * len(items)
    for rank, row in enumerate(order):
        ranks[row] = rank
    return ranks


# -- groups --------------------------------------------------------------------------


def _hanging_together(
    columns: Sequence[Sequence[str | None]], ranks: Sequence[int]
) -> Numbers:
    """A number for each item, the same for items that must stay together.

    Numbers rise with the least rank in each group.
    """
    parent = list(range(len(ranks)))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for column in columns:
        first: dict[str, int] = {}
        for row, value in enumerate(column):
            if value is not None:
                parent[root(row)] = root(first.setdefault(value, row))
    roots = [root(row) for row in range(len(ranks))]
    by_rank = sorted(range(len(ranks)), key=ranks.__getitem__)
    met = dict.fromkeys(roots[row] for row in by_rank)
    number = {each: at for at, each in enumerate(met)}
    return np.array([number[each] for each in roots], np.int64)


def _sizes(group: Numbers, strata: Sequence[str | None] | None) -> Numbers:
    """How many items of each stratum each group has."""
    values = [None] * len(group) if strata is None else strata
    names = {name: at for at, name in enumerate(dict.fromkeys(values))}
    stratum = np.array([names[each] for each in values], np.int64)
    shape = int(group.max(initial=-1)) + 1, len(names)
    sizes: Numbers = np.zeros(shape, np.int64)
    np.add.at(sizes, (group, stratum), 1)
    return sizes


def _drawn(sizes: Numbers, share: float, seed: int) -> Any:
    """Which groups are reserved: neither none nor all of them."""
    target = share * sizes.sum(axis=0)
    taken = np.zeros(len(sizes), bool)
    so_far = np.zeros(sizes.shape[1])
    order = np.random.default_rng(seed).permutation(len(sizes))
    for _ in range(_ROUNDS):
        moved = False
        for each in order:
            step = -sizes[each] if taken[each] else sizes[each]
            left = taken.sum() + (-1 if taken[each] else 1)
            closer = _distance(so_far + step, target) < _distance(so_far, target)
            if closer and 0 < left < len(sizes):
                taken[each], moved = not taken[each], True
                so_far = so_far + step
        if not moved:
            break
    if not taken.any():  # every group is larger than twice what is wanted
        taken[order[np.argmin(sizes.sum(axis=1)[order])]] = True
    return taken


def _distance(so_far: Any, target: Any) -> float:
    return float(np.square(so_far - target).sum())


def _side(
    rows: Numbers,
    table: Mapping[str, Sequence[str | None]],
    strata: Sequence[str | None] | None,
) -> Side:
    values = {
        name: len({column[row] for row in rows} - {None})
        for name, column in table.items()
    }
    counted = Counter(strata[row] or "(none)" for row in rows) if strata else {}
    return Side(tuple(rows.tolist()), values, dict(sorted(counted.items())))
