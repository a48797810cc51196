"""What is labelled together: an item, with each different response to it once.

Where answers are made of parts, an item is a whole, and each of its parts is labelled.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Positions
from demur.outcomes.table import Outcomes
from demur.outcomes.values import as_text
from demur.sampling.priorities import uniforms

LABEL_KEY: Final = "label_key"
"""The column of drawn outcomes that says which row of the sheet labels them."""

_NAMED: Final = 8
"""Bytes of a name: two of a million labels agree once in thirty million draws."""


@dataclass(frozen=True, eq=False)
class LabelUnits:
    """Rows of outcomes as units that are drawn, and as labels that are bought.

    Parameters
    ----------
    keys : list of str
        What identifies each unit, sorted; nothing hangs on the order of rows.
    unit : array of int64, shape (n_rows,)
        Which unit a row is of.
    label : array of int64, shape (n_rows,)
        Which label a row waits for, -1 for none; rows of an item with the same
        response wait for one.
    unit_of : array of int64, shape (n_labels,)
        Which unit each label is of.
    cost : array of int64, shape (n_units,)
        How many labels each takes.
    group : list of str
        What each unit is labelled together with: its cluster.
    about : list of str
        The response, or the system, that each label is about, with its part.
    parted : bool
        Whether units are wholes, whose labels stay in the order of their parts.
    """

    keys: list[str]
    unit: Positions
    label: Positions
    unit_of: Positions
    cost: Positions
    group: list[str]
    about: list[str]
    parted: bool = False

    @property
    def needed(self) -> Flags:
        """Which units need a label."""
        needed: Flags = self.cost > 0
        return needed

    def any_of(self, rows: Flags) -> Flags:
        """Which units have a row where something holds."""
        return np.bincount(self.unit, rows, len(self.keys)) > 0

    def in_order(self, drawn: Flags, seed: int) -> Positions:
        """The labels of drawn units, in random order; clusters and units together."""
        labels = np.flatnonzero(drawn[self.unit_of])
        units = [self.keys[unit] for unit in self.unit_of[labels].tolist()]
        groups = [self.group[unit] for unit in self.unit_of[labels].tolist()]
        first, then = uniforms(groups, seed, "order"), uniforms(units, seed, "unit")
        # Labels stand by unit and response, so that their place is a name of each.
        within = np.arange(len(labels)) - np.searchsorted(
            self.unit_of[labels], self.unit_of[labels]
        )
        names = [f"{key} {at}" for key, at in zip(units, within.tolist(), strict=True)]
        inside = within if self.parted else uniforms(names, seed, "in")
        ordered: Positions = labels[np.lexsort((inside, then, first))]
        return ordered

    def names_of(self, outcomes: Outcomes, labels: Positions) -> dict[int, str]:
        """A name for each of these labels, which says what is labelled.

        It hangs on item, part, input and response alone: the same answer has the same
        name in every draw, and an answer of another draw another one.
        """
        inputs: dict[int, set[str]] = {at: set() for at in labels.tolist()}
        if outcomes.input is not None:
            texts = outcomes.input.tolist()
            for row, at in enumerate(self.label.tolist()):
                if at in inputs and texts[row] is not None:
                    inputs[at].add(as_text(texts[row]) or "")
        return {
            at: _label_name(
                self.keys[self.unit_of[at]], self.about[at], *sorted(inputs[at])
            )
            for at in inputs
        }


def label_units(outcomes: Outcomes, wanted: Flags) -> LabelUnits:
    """Units and labels of outcomes, where these rows want a label.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q1", "q2", "q2"], system=["a", "b"] * 2,
    ...     outcome="ungraded", response=["x", "x", "x", "y"])
    >>> label_units(outcomes, np.ones(4, bool)).cost
    array([1, 2])
    """
    names = [str(item) for item in outcomes.item.tolist()]
    further = [
        column.tolist()
        for column in (outcomes.setting, outcomes.repeat)
        if column is not None
    ]
    rows = [json.dumps(key) for key in zip(names, *further, strict=True)]
    keys = sorted(set(rows))
    place = {key: at for at, key in enumerate(keys)}
    unit = np.fromiter(map(place.__getitem__, rows), np.int64, len(rows))
    texts: list[str | None] = [None] * len(rows)
    if outcomes.response is not None:
        texts = [as_text(value) for value in outcomes.response.tolist()]
    about = {
        row: _response(unit, texts, outcomes, row)
        for row in np.flatnonzero(wanted).tolist()
    }
    # By unit and response, so that nothing hangs on the order of rows.
    known = {key: at for at, key in enumerate(sorted(set(about.values())))}
    label = np.full(len(rows), -1)
    for row, key in about.items():
        label[row] = known[key]
    unit_of = np.array([key[0] for key in known], np.int64)
    cost = np.bincount(unit_of, minlength=len(keys))
    group: dict[int, str] = {}
    for at, name in zip(unit.tolist(), together(outcomes, rows), strict=True):
        group[at] = min(name, group.get(at, name))
    groups = [group[at] for at in range(len(keys))]
    listed = [key[-1] for key in known]
    parted = outcomes.part is not None
    return LabelUnits(keys, unit, label, unit_of, cost, groups, listed, parted)


def together(outcomes: Outcomes, alone: Sequence[str]) -> list[str]:
    """What each row is labelled together with: its cluster, or of repeats the item.

    Parts of an item are labelled together, too.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     outcome="ungraded", cluster=["c", None, "c"])
    >>> together(outcomes, ["1", "2", "3"])
    ['in c', '2', 'in c']
    """
    names = outcomes.cluster
    if names is None and (outcomes.repeat is not None or outcomes.part is not None):
        names = outcomes.item
    if names is None:
        return [*alone]
    listed = zip(names.tolist(), alone, strict=True)
    return [row if name is None else f"in {name}" for name, row in listed]


def system_places(outcomes: Outcomes) -> Positions:
    """Of each row, which of the systems it is of: they keep their order in all files.

    Examples
    --------
    >>> import demur
    >>> system_places(demur.Outcomes.from_arrays(system=list("bab"), outcome="right"))
    array([0, 1, 0])
    """
    place = {name: number for number, name in enumerate(outcomes.systems)}
    return np.array([place[name] for name in outcomes.system.tolist()])


def _label_name(*texts: str) -> str:
    """Short, and no number to a spreadsheet."""
    hashed = blake2b(json.dumps(texts).encode(), digest_size=_NAMED)
    return f"r{hashed.hexdigest()}"


def _response(
    unit: Positions, texts: list[str | None], outcomes: Outcomes, row: int
) -> tuple[Any, ...]:
    """What a label is about: an item and a response, or the system if none is known.

    Of a part also its name; numbers stand in their order.
    """
    text, part = texts[row], None if outcomes.part is None else outcomes.part[row]
    about = f"system {outcomes.system[row]}" if text is None else f"response {text}"
    if part is None:
        return int(unit[row]), 0, "", about
    return int(unit[row]), len(part), part, f"part {part} {about}"
