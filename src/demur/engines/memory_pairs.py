"""Joining two systems in memory: the plain twin of the join in other engines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats
from demur.curves.blocks import Cut
from demur.curves.paired_counts import PairedKinds, paired_kinds, refuse_clusters
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import paired, sample_of
from demur.outcomes.table import Outcomes

FACTS = 7
"""How many columns `_facts` has."""


def pairs_of_tables(
    tables: Sequence[Outcomes], cuts: Sequence[Sequence[Cut]]
) -> PairedKinds:
    """Kinds of the items that both systems have, joined by item and repeat."""
    tables, _ = paired(tables, items="common")
    first = sample_of(tables[0])
    refuse_clusters(None if first.cluster is None else first.n_clusters)
    facts = [
        *(_facts(rows, cut) for rows, cut in zip(tables, cuts, strict=True)),
        [np.ones(len(first)) if first.weight is None else first.weight],
    ]
    columns = np.stack([fact for listed in facts for fact in listed], axis=1)
    kinds, number = np.unique(columns, axis=0, return_counts=True)
    sides = [
        [np.where(sure > 0, cell, np.nan), *what]
        for sure, cell, *what in (
            kinds[:, place : place + FACTS].T for place in (0, FACTS)
        )
    ]
    declines = any(table.declined is not None for table in tables)
    pairs = paired_kinds(sides, number, kinds[:, 2 * FACTS])
    return replace(pairs, declines=declines)


def _facts(rows: Outcomes, cuts: Sequence[Cut]) -> list[Any]:
    """The cell of each row, its loss, and what else became of it."""
    sample = sample_of(rows, ungraded="right")
    declined = np.zeros(len(rows), bool) if rows.declined is None else rows.declined
    ungraded = rows.outcome.codes == UNGRADED
    sure = sample.guess & ~np.isnan(sample.confidence)
    # Where there is no confidence, 0 stands for none: NaN is not equal to NaN.
    cell = np.where(sure, cells_of(sample.confidence + 0.0, cuts), 0.0)
    return [sure, cell, sample.guess, sample.loss, ungraded, declined, rows.failed]


def cells_of(value: Floats, cuts: Sequence[Cut]) -> Floats:
    """The least confidence that the block of each confidence may hold.

    Parameters
    ----------
    value : array of float64, shape (n_rows,)
        Confidences; NaN, and what no cut counts, is in no block, which is NaN.
    cuts : sequence of Cut
        How they are counted: rising, none in another.

    Examples
    --------
    >>> cuts = [Cut(-np.inf, 0.5, np.inf), Cut(0.5, 1.0, 0.25), Cut(1.0, np.inf)]
    >>> cells_of(np.array([0.2, 0.7, 3.0, np.inf, np.nan]), cuts)
    array([-inf, 0.5,  3. ,  inf,  nan])
    """
    low, high, width = (
        np.array([getattr(cut, name) for cut in cuts], np.float64)
        for name in ("low", "high", "width")
    )
    last = np.array([np.inf if cut.last is None else cut.last for cut in cuts])
    place = np.searchsorted(low, value, "right") - 1
    inside = np.flatnonzero((place >= 0) & ~np.isnan(value))
    inside = inside[_below(value[inside], high[place[inside]])]
    place, held = place[inside], value[inside]
    blocks = np.where(width[place] == np.inf, low[place], held)
    cut_ = (width[place] > 0) & (width[place] < np.inf)
    its, width = place[cut_], width[place[cut_]]
    floor = np.floor(held[cut_] / width) * width
    blocks[cut_] = np.minimum(np.maximum(floor, low[its]), last[its])
    cell = np.full(len(value), np.nan)
    cell[inside] = blocks
    return cell


def _below(value: Floats, high: Floats) -> Flags:
    """Whether confidences are below ends; infinity is below itself."""
    below: Flags = (value < high) | (high == np.inf)
    return below
