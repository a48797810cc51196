"""Items that several runs share, where a test set has grown between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.arrays import Positions
from demur.outcomes.parts import keys_of, paired
from demur.outcomes.table import Outcomes
from demur.results import with_noun
from demur.store.comparable import judged_otherwise
from demur.store.data_hashes import said
from demur.store.kept_runs import KeptRun
from demur.store.line_samples import Key, SystemRows

NO_COMMON: Final = "no common items"

_MOST_KNOWN: Final = 64
"""Of so many test sets the items are held in memory."""

_USUAL: Final = {"answerable": True, "weight": 1.0, "cluster": None}

Items = Mapping[tuple[str, Any], tuple[str, str | None]]
"""By item and repeat: answerable, weight and cluster as one text; the reference."""


def items_of(outcomes: Outcomes) -> Items:
    """What belongs to each item of one system; no reference where none was kept.

    Examples
    --------
    >>> import demur
    >>> items_of(demur.Outcomes.from_arrays(item=["a"], correct=[1]))
    {('a', None): ('true 1.0 null', None)}
    """
    keys = keys_of(outcomes)
    columns = []
    for name, usual in _USUAL.items():
        column = getattr(outcomes, name)
        values = [usual] * len(keys) if column is None else column.tolist()
        columns.append(said(values, ""))
    references: Sequence[str | None] = [None] * len(keys)
    if outcomes.reference is not None:
        references = said(outcomes.reference.tolist(), "")
    texts = map(" ".join, zip(*columns, strict=True))
    return dict(zip(keys, zip(texts, references, strict=True), strict=True))


def shared_items(one: Items, other: Items) -> Items:
    """The items that both have with the same reference, weight, cluster and answerable.

    A reference that was not kept may be any.

    Examples
    --------
    >>> shared_items({"a": ("", "x"), "b": ("", "y")}, {"a": ("", "x"), "b": ("", "z")})
    {'a': ('', 'x')}
    """
    shared = {}
    for key, (facts, reference) in one.items():
        theirs = other.get(key)
        if theirs is None or theirs[0] != facts:
            continue
        if reference is None:
            shared[key] = theirs
        elif theirs[1] in (None, reference):
            shared[key] = facts, reference
    return shared


def on_common_items(
    tables: Sequence[Outcomes], names: Sequence[str]
) -> tuple[list[Outcomes], str]:
    """The rows of two systems on the items that both have, and what was left out.

    Parameters
    ----------
    tables : sequence of two Outcomes
        Each of one system.
    names : sequence of two str
        What they are called in the words.

    Returns
    -------
    (list of Outcomes, str)
        In one order of items; no table where they have no item in common.

    Examples
    --------
    >>> import demur
    >>> old, new = (
    ...     demur.Outcomes.from_arrays(item=[*names], correct=[1] * len(names))
    ...     for names in ("ab", "abc"))
    >>> on_common_items([old, new], ["main", "the run"])[1]
    'on 2 common items (left out: 0 of main, 1 of the run)'
    """
    listed = [items_of(table) for table in tables]
    shared = shared_items(*listed)
    if not shared:
        return [], NO_COMMON
    parts = [
        table.take(np.array([key in shared for key in keys_of(table)]))
        for table in tables
    ]
    left = ", ".join(
        f"{len(items) - len(shared)} of {name}"
        for items, name in zip(listed, names, strict=True)
    )
    bare = [n for t, n in zip(tables, names, strict=True) if t.reference is None]
    unknown = f"; {bare[0]} has no references to compare" if len(bare) == 1 else ""
    words = f"on {with_noun(len(shared), 'common item')} (left out: {left}{unknown})"
    return paired(parts)[0], words


# -- lines of runs ---------------------------------------------------------------------


@dataclass(eq=False)
class SharingLine:
    """Runs of one system that were judged alike, and the items that all of them have.

    Parameters
    ----------
    first : KeptRun
        Which begins it.
    key : tuple of (item, repeat)
        Those of its first run, in order.
    items : Items
        Those that all runs have so far.
    sizes : dict of int to int
        How many items each run has, by its number.
    bare : list of int
        Runs that were kept without references.
    """

    first: KeptRun
    key: Key
    items: Items
    sizes: dict[int, int] = field(default_factory=dict)
    bare: list[int] = field(default_factory=list)
    _common: Key = ()
    _rows: dict[Key, Positions] = field(default_factory=dict)

    @property
    def common(self) -> Key:
        """The items that all runs have, in order; ask when all runs are in."""
        if not self._common:
            self._common = tuple(key for key in self.key if key in self.items)
        return self._common

    def of(self, rows: SystemRows) -> SystemRows:
        """The rows of a run on these items."""
        if rows.items not in self._rows:
            held = [at for at, key in enumerate(rows.items) if key in self.items]
            self._rows[rows.items] = np.array(held, np.int64)
        outcomes = rows.outcomes.take(self._rows[rows.items])
        return replace(rows, items=self.common, outcomes=outcomes)

    def words(self) -> str:
        """How many items are left of how many; "" where no run has others."""
        left_out = {run: size - len(self.common) for run, size in self.sizes.items()}
        if not any(left_out.values()):
            return ""
        least, most = min(self.sizes.values()), max(self.sizes.values())
        of = f"{least}" if least == most else f"{least} to {most}"
        fewest = min(self.sizes, key=lambda run: (self.sizes[run], run))
        where = "" if least == most else f"; run {fewest} has the fewest"
        words = (
            f"on the {with_noun(len(self.common), 'item')} that all "
            f"{len(self.sizes)} runs of the line share, of {of} in each{where}"
        )
        if self.bare and len(self.bare) < len(self.sizes):
            words += f"; run {self.bare[0]} was kept without references to compare"
        return words


class CommonItems:
    """For each system the lines of runs that share items, found before any figure.

    A run goes on with the first line that was judged as it was and has an item in
    common with it, counting only items that all runs of the line have; else it begins
    one.
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[SharingLine]] = {}
        self._of: dict[tuple[int, str], SharingLine] = {}
        self._known: dict[tuple[str, str, Key], Items] = {}

    def take(self, run: KeptRun, rows: SystemRows) -> None:
        """Note the items of one system of a run; runs come in order of time."""
        what = run.data_hash, rows.name, rows.items
        if what not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[what] = items_of(rows.outcomes)
        items = self._known[what]
        lines = self._lines.setdefault(rows.name, [])
        for line in lines:
            shared = line.items
            if items is not shared:
                shared = shared_items(shared, items)
            if shared and not judged_otherwise(line.first, run):
                line.items = items if shared == items else shared
                break
        else:
            line = SharingLine(run, rows.items, items)
            lines.append(line)
        line.sizes[run.number] = len(items)
        if rows.outcomes.reference is None:
            line.bare.append(run.number)
        self._of[run.number, rows.name] = line

    def line(self, run: KeptRun, rows: SystemRows) -> SharingLine:
        """The line of a system of a run."""
        return self._of[run.number, rows.name]
