"""Counting rows that are in memory: the plain twin of the other engines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers
from demur.curves import counting
from demur.curves.blocks import AMOUNTS, Cut, rounding_unit
from demur.curves.counted import CountedPart, Identity, Sums
from demur.curves.of_outcomes import items_in_common
from demur.curves.paired_counts import PairedKinds
from demur.engines.item_hashes import identity_of_rows
from demur.engines.memory_pairs import cells_of, pairs_of_tables
from demur.engines.memory_units import MemoryUnits
from demur.engines.part_sums import is_partial, part_of_rows, rounding_notes
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.parts import keys_of, paired, sample_of
from demur.outcomes.table import NO_VALUE, Outcomes, grouped_parts


class MemoryEngine:
    """Counts the rows of a table.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.
    """

    name = "memory"

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        ends = (1.0, 1.0)
        if outcomes.weight is not None and len(outcomes):
            ends = float(outcomes.weight.min()), float(outcomes.weight.max())
        self._unit = rounding_unit(len(outcomes), ends[1])
        self._said: list[str] = []
        if len(outcomes) and _rounds(outcomes):
            self._said = rounding_notes("count_outcomes", self._unit, *ends)

    @property
    def units(self) -> MemoryUnits:
        """What lists items and clusters that are alike."""
        weights = partial(_weights, unit=self._unit)
        return MemoryUnits(self._outcomes, weights)

    @property
    def recipe(self) -> Mapping[str, str]:
        """That of the table."""
        return self._outcomes.recipe

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of the table."""
        return (*self._outcomes.notes, *self._said)

    def restricted(self, values: Mapping[str, str]) -> "MemoryEngine":
        """The same, of the rows of one system, setting and group."""
        names, rows = list(values), self._outcomes
        for texts, part in rows.parts(names):
            called = [NO_VALUE if text is None else str(text) for text in texts]
            if called == [values[name] for name in names]:
                return MemoryEngine(part)
        return MemoryEngine(rows.take(np.zeros(len(rows), bool)))

    def parts(self, by: Sequence[str]) -> list[CountedPart]:
        """The systems, settings and groups, with their totals."""
        return [
            _part(system, group, rows, self._unit)
            for system, group, rows in grouped_parts(self._outcomes, groups=by)
        ]

    def distinct(self, low: float, high: float) -> int:
        """How many different confidences there are from one up to another."""
        apart = cells_of(self.sample(), [Cut(low, high)])
        return len(np.unique(apart[~np.isnan(apart)]))

    def sample(self) -> Floats:
        """The confidences of all guesses."""
        values = self._outcomes.confidence
        if values is None:
            return np.empty(0)
        given = (self._outcomes.outcome != UNANSWERED) & ~np.isnan(values)
        return np.asarray(values[given], np.float64)

    def ends(self) -> tuple[float, float] | None:
        """The least and greatest confidence of a guess."""
        values = self.sample()
        return (float(values.min()), float(values.max())) if len(values) else None

    def count(self, by: Sequence[str], cuts: Sequence[Cut]) -> Sums:
        """The guesses whose confidences are in the cuts, by part and block."""
        counted = [
            _sums(rows, cuts, self._unit)
            for _, _, rows in grouped_parts(self._outcomes, groups=by)
        ]
        part = np.repeat(np.arange(len(counted)), [len(low) for low, _ in counted])
        low, amounts = (np.concatenate(listed) for listed in zip(*counted, strict=True))
        return Sums(part, low, amounts)

    def pairs(self, other: Any, cuts: Sequence[Sequence[Cut]]) -> PairedKinds:
        """Kinds of the items that both have, joined by item and repeat."""
        return pairs_of_tables([self._outcomes, other._outcomes], cuts)

    def in_common(self, other: Any) -> "list[MemoryEngine]":
        """Both, of the items alone that both have."""
        tables, _ = paired([self._outcomes, other._outcomes], items="common")
        return [MemoryEngine(table) for table in tables]

    def item(self, other: Any, *, alone: bool = False) -> str | None:
        """One of the items, which another engine has not if it is to be alone."""
        theirs = {*keys_of(other._outcomes)} if alone else set()
        keys = (key for key in keys_of(self._outcomes) if key not in theirs)
        return next((item for item, _ in keys), None)

    def common(self) -> int | None:
        """How many items all systems have; None if all the same."""
        parts = grouped_parts(self._outcomes)
        return items_in_common(rows for _, _, rows in parts)

    def clusters(self, by: Sequence[str]) -> list[int | None]:
        """How many clusters the items of each part fall into."""
        parts = grouped_parts(self._outcomes, groups=by)
        samples = (sample_of(rows) for _, _, rows in parts)
        return [None if one.cluster is None else one.n_clusters for one in samples]

    def identity(self) -> Identity:
        """What tells the rows from others, without naming an item."""
        return identity_of_rows(self._outcomes)


def _part(
    system: str, group: Mapping[str, str], rows: Outcomes, unit: float
) -> CountedPart:
    weight, loss, worth = _weights(rows, unit)
    amounts = np.ones(len(rows), np.int64), weight, loss
    return replace(part_of_rows(system, group, rows, amounts), unit=worth)


def _weighed(rows: Outcomes) -> tuple[Numbers, Numbers]:
    codes, credit = rows.outcome.codes, rows.credit
    weight, loss = counting.weights_and_losses(codes, credit, rows.weight)
    return np.ones(len(rows), np.int64) if weight is None else weight, loss


def _rounds(rows: Outcomes) -> bool:
    """Whether weights or credits are no short decimals, whose sums are exact."""
    return "f" in {amount.dtype.kind for amount in _weighed(rows)}


def _weights(rows: Outcomes, unit: float) -> tuple[Numbers, Numbers, Fraction]:
    """Weights and losses of all rows in one whole unit, and what one of it weighs."""
    weight, loss = _weighed(rows)
    if "f" in (weight.dtype.kind, loss.dtype.kind):  # no short decimals
        given = np.ones(len(rows)) if rows.weight is None else rows.weight
        credit = np.ones(len(rows)) if rows.credit is None else rows.credit
        weight, earned = (
            np.floor(amount * unit + 0.5) for amount in (given, given * credit)
        )
        codes = rows.outcome.codes
        loss = np.where(codes == RIGHT, weight - earned, 0)
        loss = np.where(codes == WRONG, weight, loss)
        worth = 1 / Fraction(unit)
    else:
        heaviest = "1" if rows.weight is None else repr(float(rows.weight.max()))
        worth = Fraction(heaviest) / int(weight.max())
    return weight.astype(np.int64), loss.astype(np.int64), worth


def _sums(rows: Outcomes, cuts: Sequence[Cut], unit: float) -> tuple[Floats, Any]:
    codes = rows.outcome.codes
    if rows.confidence is None:
        return np.empty(0), np.empty((0, len(AMOUNTS)), np.int64)
    weight, loss, _ = _weights(rows, unit)
    value = np.where(codes == UNANSWERED, np.nan, rows.confidence) + 0.0
    amounts = np.stack(
        [
            codes == RIGHT,
            codes == WRONG,
            codes == UNGRADED,
            is_partial(rows),
            weight,
            loss,
            np.where(codes == UNGRADED, weight, 0),
            np.zeros_like(weight)
            if rows.answerable is None
            else np.where(rows.answerable, 0, weight),
        ],
        axis=1,
    ).astype(np.int64)
    low = cells_of(value, cuts)
    held = ~np.isnan(low)
    low, place = np.unique(low[held], return_inverse=True)
    total = np.zeros((len(low), len(AMOUNTS)), np.int64)
    np.add.at(total, place, amounts[held])
    return low, total
