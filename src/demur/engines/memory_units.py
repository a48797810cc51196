"""Items and clusters that are alike, of rows in memory: the twin of the engines'."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers
from demur.curves.blocks import Cut
from demur.curves.counted_units import AlikeItems, AlikeUnits, ItemWorth
from demur.engines.memory_pairs import cells_of
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.parts import sample_of
from demur.outcomes.table import Outcomes, grouped_parts


class MemoryUnits:
    """Lists what is alike among the rows of a table.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.
    weights : callable
        Weights and losses of some rows in one whole unit.
    """

    def __init__(
        self, outcomes: Outcomes, weights: Callable[[Outcomes], Sequence[Any]]
    ) -> None:
        self.outcomes, self.weights = outcomes, weights

    def _parts(self, by: Sequence[str]) -> list[Outcomes]:
        return [rows for _, _, rows in grouped_parts(self.outcomes, groups=by)]

    def alike(self, by: Sequence[str], cuts: Sequence[Cut]) -> AlikeItems:
        """Items by block of confidences, weight and loss."""
        listed, low = [], []
        for part, rows in enumerate(self._parts(by)):
            weight, loss = self._amounts(rows)
            number = np.full(len(rows), part)
            ungraded = rows.outcome.codes == UNGRADED
            listed.append(np.stack([number, weight, loss, ungraded], axis=1))
            low.append(cells_of(_sure(rows), cuts) + 0.0)
        block, place = np.unique(np.concatenate(low), return_inverse=True)
        kinds, number = np.unique(
            np.column_stack([np.concatenate(listed).astype(np.int64), place.ravel()]),
            axis=0,
            return_counts=True,
        )
        part_of, weight, loss, ungraded, place = kinds.T
        return AlikeItems(part_of, block[place], weight, loss, ungraded > 0, number)

    def _amounts(self, rows: Outcomes) -> tuple[Numbers, Numbers]:
        weight, loss = self.weights(rows)[:2]
        return weight, np.where(rows.outcome.codes == UNANSWERED, 0, loss)

    def decided(self, by: Sequence[str]) -> AlikeUnits:
        """Units by weight, loss, ungraded weight and weight not given."""
        tables = []
        for rows in self._parts(by):
            weight, loss = self._amounts(rows)
            given = rows.outcome.codes != UNANSWERED
            if rows.declined is not None:
                given &= ~rows.declined
            unclear = given & (rows.outcome.codes == UNGRADED)
            amounts = [weight, loss * given, weight * unclear, weight * ~given]
            tables.append(_by_unit(np.stack(amounts, axis=1), _units(rows)))
        return _alike(tables)

    def above(
        self,
        by: Sequence[str],
        part: int,
        cutoffs: Sequence[float],
        *,
        whole: bool,
        cost: str,
    ) -> AlikeUnits:
        """What units are above each of some cutoffs, as steps from one to the next."""
        rows = self._parts(by)[part]
        weight, loss = self._amounts(rows)
        unit, sure = _units(rows), _sure(rows)
        whole_cost = rows.outcome.codes == UNGRADED
        if cost == "weight":
            whole_cost = rows.outcome.codes != UNANSWERED
        lost = np.where(whole_cost, weight, loss)
        total = _by_unit(weight[:, None], unit)[unit, 0]
        zone = np.searchsorted(np.asarray(cutoffs), sure, "right")
        zone[np.isnan(sure)] = 0
        both, place = np.unique(np.stack([unit, -zone], 1), axis=0, return_inverse=True)
        amounts = np.stack([weight, lost], axis=1)
        inside = _by_unit(amounts, place.ravel())
        first = np.diff(both[:, 0], prepend=-1) != 0
        down = inside.cumsum(axis=0)
        start = (down - inside)[first][np.cumsum(first) - 1]
        after = down - start
        before = after - inside
        if whole:
            size = np.zeros(len(both), np.int64)
            size[place.ravel()] = total
            after[:, 0], before[:, 0] = size, size
        steps = np.column_stack([-both[:, 1], after, before, first])
        alike = _alike([steps])
        return AlikeUnits(np.full(len(alike.number), part), alike.sums, alike.number)

    def cells(
        self,
        by: Sequence[str],
        part: int,
        cutoff: float | None,
        kinds: Sequence[ItemWorth],
    ) -> AlikeUnits:
        """How many items of each kind a unit has below, at and above a cutoff."""
        rows = self._parts(by)[part]
        weight, loss = self._amounts(rows)
        ungraded, sure = rows.outcome.codes == UNGRADED, _sure(rows)
        at = -np.inf if cutoff is None else cutoff
        places = [sure < at, sure == at, sure > at]
        if cutoff is None:
            places = [sure != sure, sure != sure, sure == sure]
            places[:2] = [np.zeros(len(rows), bool)] * 2
        cells = [
            (weight == kind.weight)
            & (loss == kind.loss)
            & (ungraded == kind.ungraded)
            & place
            for kind in kinds
            for place in places
        ]
        silent = np.isnan(sure)
        weights = dict.fromkeys(kind.weight for kind in kinds)
        cells += [silent & (weight == one) for one in weights]
        table = np.stack(cells, axis=1).astype(np.int64)
        alike = _alike([_by_unit(table, _units(rows))])
        return AlikeUnits(np.full(len(alike.number), part), alike.sums, alike.number)


def _sure(rows: Outcomes) -> Floats:
    """Confidences of guesses; NaN where there is none."""
    if rows.confidence is None:
        return np.full(len(rows), np.nan)
    values = np.asarray(rows.confidence, np.float64)
    return np.where(rows.outcome.codes == UNANSWERED, np.nan, values + 0.0)


def _units(rows: Outcomes) -> Any:
    cluster = sample_of(rows).cluster
    return np.arange(len(rows)) if cluster is None else cluster


def _by_unit(amounts: Numbers, unit: Any) -> Numbers:
    sums = np.zeros((int(unit.max(initial=-1)) + 1, amounts.shape[1]), np.int64)
    np.add.at(sums, unit, amounts)
    return sums


def _alike(tables: Sequence[Numbers]) -> AlikeUnits:
    """How often each row is there, in the table of each part."""
    listed = [np.unique(table, axis=0, return_counts=True) for table in tables]
    part = np.repeat(np.arange(len(tables)), [len(number) for _, number in listed])
    return AlikeUnits(
        part,
        np.concatenate([kinds for kinds, _ in listed]),
        np.concatenate([number for _, number in listed]),
    )
