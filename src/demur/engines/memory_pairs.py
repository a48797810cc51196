"""Joining two systems in memory: the plain twin of the join in other engines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Floats
from demur.curves.paired_counts import PairedKinds, paired_kinds, refuse_clusters
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import paired, sample_of
from demur.outcomes.table import Outcomes

FACTS = 6
"""How many columns `_facts` has."""


def pairs_of_tables(
    tables: Sequence[Outcomes], cells: Sequence[Floats], items: str
) -> PairedKinds:
    """Kinds of the items that both systems have, joined by item and repeat."""
    tables, notes = paired(tables, items=items)
    first = sample_of(tables[0])
    refuse_clusters(None if first.cluster is None else first.n_clusters)
    facts = [
        *(_facts(rows, low) for rows, low in zip(tables, cells, strict=True)),
        [np.ones(len(first)) if first.weight is None else first.weight],
    ]
    columns = np.stack([fact for listed in facts for fact in listed], axis=1)
    kinds, number = np.unique(columns, axis=0, return_counts=True)
    sides = []
    for place, low in zip((0, FACTS), cells, strict=True):
        cell, *what = kinds[:, place : place + FACTS].T
        sides.append((np.append(low, np.nan)[cell.astype(np.int64)], *what))
    weight = None if first.weight is None else kinds[:, 2 * FACTS]
    declines = any(table.declined is not None for table in tables)
    pairs = paired_kinds(sides, number, weight)
    return replace(pairs, notes=notes, declines=declines)


def _facts(rows: Outcomes, low: Floats) -> list[Any]:
    """The number of the cell of each row, its loss, and what else became of it."""
    sample = sample_of(rows, ungraded="right")
    declined = np.zeros(len(rows), bool) if rows.declined is None else rows.declined
    ungraded = rows.outcome.codes == UNGRADED
    sure = sample.guess & ~np.isnan(sample.confidence)
    cell = np.where(sure, np.searchsorted(low, sample.confidence, "right") - 1, -1)
    return [cell, sample.guess, sample.loss, ungraded, declined, rows.failed]
