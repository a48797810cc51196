"""What is labelled together: an item, with each different response to it once."""

import json
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Flags, Positions
from demur.outcomes.table import Outcomes
from demur.outcomes.values import as_text
from demur.sampling.priorities import uniforms

LABEL_KEY: Final = "label_key"
"""The column of drawn outcomes that says which row of the sheet labels them."""


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
    """

    keys: list[str]
    unit: Positions
    label: Positions
    unit_of: Positions
    cost: Positions

    @property
    def needed(self) -> Flags:
        """Which units need a label."""
        needed: Flags = self.cost > 0
        return needed

    def any_of(self, rows: Flags) -> Flags:
        """Which units have a row where something holds."""
        return np.bincount(self.unit, rows, len(self.keys)) > 0

    def in_order(self, drawn: Flags, seed: int) -> Positions:
        """The labels of drawn units, in random order; those of one stay together."""
        labels = np.flatnonzero(drawn[self.unit_of])
        units = [self.keys[unit] for unit in self.unit_of[labels].tolist()]
        first = uniforms(units, seed, "order")
        # Labels stand by unit and response, so that their place is a name of each.
        within = np.arange(len(labels)) - np.searchsorted(
            self.unit_of[labels], self.unit_of[labels]
        )
        names = [f"{key} {at}" for key, at in zip(units, within.tolist(), strict=True)]
        ordered: Positions = labels[np.lexsort((uniforms(names, seed, "in"), first))]
        return ordered


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
    return LabelUnits(keys, unit, label, unit_of, cost)


def _response(
    unit: Positions, texts: list[str | None], outcomes: Outcomes, row: int
) -> tuple[int, str]:
    """What a label is about: an item and a response, or the system if none is known."""
    text = texts[row]
    if text is None:
        return int(unit[row]), f"system {outcomes.system[row]}"
    return int(unit[row]), f"response {text}"
