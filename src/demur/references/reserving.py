"""The verb that reserves a test set: whole subjects or dialogues, never parts of them.

Who speaks in the training data should not speak in the test: people tend to keep to
their way of asking. Items that share a value in any of the named columns stay together,
and so does what hangs together through a third item.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from demur import checks
from demur.arrays import Numbers
from demur.checks import decimal_fraction, of_kind
from demur.errors import InputError, shown
from demur.outcomes.contexts import context_of
from demur.outcomes.records import Reference, check_once, item_text, with_place
from demur.results import Column, FigureKind, Result, Table, count, exactly

Record: TypeAlias = Reference | Mapping[str, Any]
_Placed = tuple[str, Record]

_ROUNDS = 20


@dataclass(frozen=True, eq=False, repr=False)
class ReservedPart(Result):
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


@dataclass(frozen=True, eq=False, repr=False)
class Reservation(Result):
    """A cut of references into training and test.

    Parameters
    ----------
    train, test : Side
        The two sides; every item is on one of them.
    groups : int
        How many groups of items cannot be parted.
    largest : int
        Items in the largest of them.
    torn : int
        Items of which a ``context`` is on the other side.
    wanted, share : float
        Share of the items that the test should have, and has.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS = (
        FigureKind("share", "the share that is reserved", better="neither"),
        count("groups", "groups that cannot be parted"),
        count("largest", "items of the largest group"),
        count("torn", "items apart from their context", better="lower"),
    )

    train: ReservedPart
    test: ReservedPart
    groups: int
    largest: int
    torn: int
    wanted: float
    share: float
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How much is reserved, and how much was wanted."""
        return (
            f"{len(self.test.rows)} of {len(self.test.rows) + len(self.train.rows)} "
            f"references are reserved for the test, {100 * self.share:.1f} % "
            f"({100 * self.wanted:g} % were wanted)."
        )

    def tables(self) -> tuple[Table]:
        """How much is on which side, and of which strata."""
        stratify = self.recipe.get("stratify", "")
        strata = sorted(self.train.strata.keys() | self.test.strata.keys())
        columns = [
            Column("side"),
            Column("items", cells="count", explained="references"),
            Column("share", "% of items", "percent", "of all references"),
            *(
                Column(f"values_{name}", f"values of {name}", "count", "different ones")
                for name in self.train.values
            ),
        ]
        for value in strata:
            name = f"{stratify} {value}"
            columns += [Column(name, name, "count", "items with this value")]
            columns += [Column(f"{name}_share", "share", "percent", "of its items")]
        rows = [
            (
                name,
                len(side.rows),
                share,
                *side.values.values(),
                *tuple(cell for value in strata for cell in self._stratum(side, value)),
            )
            for name, side, share in (
                ("training", self.train, 1 - self.share),
                ("test", self.test, self.share),
            )
        ]
        return (Table("", tuple(columns), tuple(rows)),)

    def _stratum(self, side: ReservedPart, value: str) -> tuple[int, float]:
        number = side.strata.get(value, 0)
        both = self.train.strata.get(value, 0) + self.test.strata.get(value, 0)
        return number, number / both

    @property
    def notes(self) -> tuple[str, ...]:
        """What cannot be parted, and what was."""
        groups = f"{self.groups} groups cannot be parted"
        groups += f", the largest has {self.largest} items"
        if not self.torn:
            return (groups,)
        items = "1 item leans" if self.torn == 1 else f"{self.torn} items lean"
        torn = f"{items} on a context that is on the other side: a column of whole "
        return groups, f"{torn}dialogues, such as by=cluster (--by cluster), keeps both"

    def to_dict(self) -> dict[str, Any]:
        """The reservation as plain values for JSON, without the rows."""
        return {
            "share": self.share,
            "share_wanted": self.wanted,
            "groups": self.groups,
            "largest_group": self.largest,
            "torn": self.torn,
            "train": self.train.to_dict(),
            "test": self.test.to_dict(),
            "signature": self.signature,
        }


def reserve(
    references: Iterable[Record | tuple[str, Mapping[str, Any]]],
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
        In any order; the draw depends on items and their values only. Or pairs (place,
        mapping), as `demur.formats.iter_records` gives them, so that messages name the
        place.
    by : str or sequence of str
        Columns: items with the same value in any of them stay together. An item
        without a value shares nothing by that column.
    share : float
        Of the items, for the test; above 0, and 1 for all of them.
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
        If an item is listed twice, no item has one of the columns, or all items hang
        together.

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
    references = checks.listed(
        "reserve", "references", references, "demur.read_references reads files."
    )
    by = checks.names("reserve", "by", by)
    checks.whole("reserve", "seed", seed)
    if stratify is not None:
        checks.text("reserve", "stratify", stratify)
    placed: list[_Placed] = [
        with_place(reference, f"references: record {number}")
        for number, reference in enumerate(references, 1)
    ]
    for _, record in placed:
        of_kind("reserve", "each of references", record, Reference, Mapping)
    items = _items(placed)
    listed = [record for _, record in placed]
    wanted = decimal_fraction("reserve", "share", share)
    if not 0 < wanted <= 1:
        raise InputError("reserve", "share", "be above 0 and at most 1", shown(share))
    columns = tuple(by)
    table = {name: _column(listed, name) for name in columns}
    strata = None if stratify is None else _column(listed, stratify)
    group = _hanging_together(list(table.values()), items)
    sizes = _sizes(group, strata)
    if len(sizes) < 2 and wanted < 1:
        got = f"one group: all {len(listed)} hang together"
        hint = "Fewer columns part more; an item may join two groups."
        need = f"fall into groups by {', '.join(columns)}"
        raise InputError("reserve", "the items", need, got, hint)
    whole = np.ones(len(sizes), bool)
    reserved = (_drawn(sizes, wanted, seed) if wanted < 1 else whole)[group]
    recipe = {"reserve": "+".join(columns), "share": exactly(share)}
    recipe |= {} if stratify is None else {"stratify": stratify}
    return Reservation(
        train=_side(np.flatnonzero(~reserved), table, strata),
        test=_side(np.flatnonzero(reserved), table, strata),
        groups=len(sizes),
        largest=max(size.total() for size in sizes),
        torn=_torn(listed, items, reserved),
        wanted=float(wanted),
        share=float(reserved.mean()),
        recipe={**recipe, "seed": str(seed), "items": str(len(listed))},
    )


# -- columns -------------------------------------------------------------------------


def _value(record: Record, name: str) -> Any:
    if isinstance(record, Mapping):
        value = record.get(name)
    elif name in record.extra:
        value = record.extra[name]
    else:
        value = getattr(record, name, None)
    return None if value is None or value == "" else str(value)


def _column(records: Sequence[Record], name: str) -> list[str | None]:
    values = [_value(record, name) for record in records]
    if all(value is None for value in values):
        known: dict[str, None] = {}
        for record in records:
            extra = record if isinstance(record, Mapping) else record.extra
            known |= dict.fromkeys(extra)
        got = f"{name!r}; there are {', '.join(known)}" if known else repr(name)
        raise InputError("reserve", "a column", "be one that items have", got)
    return values


def _items(placed: Iterable[_Placed]) -> list[str]:
    """Ids of the items; an error if one occurs again: it might be on both sides."""
    first: dict[str, str] = {}
    for place, record in placed:
        item = item_text(_value(record, "item"), place)
        hint = "Judging refuses such references, too; keep one of them."
        check_once(item, place, first, hint)
    return list(first)


def _torn(records: Sequence[Record], items: Sequence[str], reserved: Any) -> int:
    """How many items have an item of their context on the other side."""
    side = dict(zip(items, reserved.tolist(), strict=True))
    extras = [one if isinstance(one, Mapping) else one.extra for one in records]
    contexts = [context_of(extra.get("context")) for extra in extras]
    return sum(
        any(side.get(name, side[item]) != side[item] for name in context)
        for item, context in zip(items, contexts, strict=True)
    )


# -- groups --------------------------------------------------------------------------


def _hanging_together(
    columns: Sequence[Sequence[str | None]], items: Sequence[str]
) -> Numbers:
    """A number for each item, the same for items that must stay together.

    Numbers rise with the least rank in each group.
    """
    parent = list(range(len(items)))

    def root(row: int) -> int:
        while parent[row] != row:
            # Halving the path keeps it short (union-find).
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for column in columns:
        first: dict[str, int] = {}
        for row, value in enumerate(column):
            if value is not None:
                parent[root(row)] = root(first.setdefault(value, row))
    roots = list(map(root, range(len(items))))
    in_order = sorted(range(len(items)), key=items.__getitem__)
    met = dict.fromkeys(roots[row] for row in in_order)
    number = {row: at for at, row in enumerate(met)}
    return np.array([number[row] for row in roots], np.int64)


_Sizes: TypeAlias = Sequence[Counter[str | None]]


def _sizes(group: Numbers, strata: Sequence[str | None] | None) -> _Sizes:
    values = [None] * len(group) if strata is None else strata
    sizes: list[Counter[str | None]] = [
        Counter() for _ in range(int(group.max(initial=-1)) + 1)
    ]
    for number, value in zip(group.tolist(), values, strict=True):
        sizes[number][value] += 1
    return sizes


def _drawn(sizes: _Sizes, share: Fraction, seed: int) -> Any:
    """Which groups are reserved: neither none nor all of them."""
    total: Counter[str | None] = Counter()
    for size in sizes:
        total.update(size)
    # In units of one over the denominator of the share, so that all is exact.
    lacking = {value: count * share.numerator for value, count in total.items()}
    unit = share.denominator
    taken = np.zeros(len(sizes), bool)
    order = np.random.default_rng(seed).permutation(len(sizes))
    n_taken = 0
    for _ in range(_ROUNDS):
        moved = False
        for at in order:
            sign = -1 if taken[at] else 1
            step = {value: sign * unit * count for value, count in sizes[at].items()}
            if n_taken + sign < len(sizes) and _closer(lacking, step):
                taken[at], moved, n_taken = not taken[at], True, n_taken + sign
                for value, count in step.items():
                    lacking[value] -= count
        if not moved:
            break
    if not taken.any():  # every group is larger than twice what is wanted
        taken[min(order, key=lambda at: sizes[at].total())] = True
    return taken


def _closer(lacking: Mapping[Any, int], step: Mapping[Any, int]) -> bool:
    """Whether a step makes the sum of the squares of what is lacking smaller."""
    return sum(size * (size - 2 * lacking[value]) for value, size in step.items()) < 0


def _side(
    rows: Numbers,
    table: Mapping[str, Sequence[str | None]],
    strata: Sequence[str | None] | None,
) -> ReservedPart:
    values = {
        name: len({column[row] for row in rows} - {None})
        for name, column in table.items()
    }
    counted = Counter(strata[row] or "(none)" for row in rows) if strata else {}
    return ReservedPart(tuple(rows.tolist()), values, dict(sorted(counted.items())))
