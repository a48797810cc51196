"""Random draws: resamples of items or clusters, swaps, and resampled cells.

Draws come in blocks of replicates, so that memory does not grow with their number.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Ranking, coarsened
from demur.statistics.quantities import DrawnCurves, reweighted

BLOCK = 2**15
"""How many draws are held at once: 256 kB stay in the cache."""

CELLS = 512
"""Cells of `cell_curves`; a curve with fewer vertices is resampled exactly."""


def draws(
    n_units: int, replicates: int, seed: int, *, width: int = 0
) -> Iterator[Numbers]:
    """How often each unit is drawn, in blocks of replicates.

    Parameters
    ----------
    n_units : int
        Units (items or clusters), drawn with replacement, as many as there are.
    replicates : int
        How many resamples in all.
    width : int
        Length of the rows that the caller makes of a replicate, if longer.

    Yields
    ------
    array of int64, shape (n_replicates_in_block, n_units)

    Examples
    --------
    >>> [block.sum(axis=1) for block in draws(3, 2, seed=0)]
    [array([3, 3])]
    """
    rng = np.random.default_rng(seed)
    for size in _sizes(replicates, max(n_units, width)):
        unit = rng.integers(0, n_units, (size, n_units))
        unit += np.arange(0, size * n_units, n_units)[:, None]
        counts = np.bincount(unit.ravel(), minlength=size * n_units)
        yield counts.reshape(size, n_units)


def swaps(
    n_units: int, replicates: int, seed: int, *, width: int = 0
) -> Iterator[Numbers]:
    """0 or 1 for each unit, with probability 1/2, in blocks of replicates.

    Parameters and blocks are those of `draws`.

    Examples
    --------
    >>> [block.shape for block in swaps(3, 2, seed=0)]
    [(2, 3)]
    """
    rng = np.random.default_rng(seed)
    for size in _sizes(replicates, max(n_units, width)):
        yield rng.integers(0, 2, (size, n_units), dtype=np.int64)


def _sizes(replicates: int, width: int) -> Iterator[int]:
    size = max(1, BLOCK // max(width, 1))
    for begin in range(0, replicates, size):
        yield min(size, replicates - begin)


def swaps_of_kinds(
    size: Positions, replicates: int, seed: int, *, width: int = 0
) -> Iterator[Numbers]:
    """How many units of each kind are swapped, each with probability 1/2.

    Parameters
    ----------
    size : array of int64, shape (n_kinds,)
        How many units of each kind there are.
    replicates : int
        How many in all.
    width : int
        As in `draws`.

    Yields
    ------
    array of int64, shape (n_replicates_in_block, n_kinds)

    Examples
    --------
    >>> [block.shape for block in swaps_of_kinds(np.array([7, 3]), 2, seed=0)]
    [(2, 2)]
    """
    if (size == 1).all():
        yield from swaps(len(size), replicates, seed, width=width)
        return
    rng = np.random.default_rng(seed)
    for rows in _sizes(replicates, max(len(size), width)):
        yield rng.binomial(size, 0.5, (rows, len(size)))


def resampled(
    rankings: Sequence[Ranking],
    cluster: Positions | None,
    *,
    replicates: int,
    seed: int,
) -> Iterator[list[DrawnCurves]]:
    """Curves of several systems under the same draws of items or of clusters.

    Parameters
    ----------
    rankings : sequence of Ranking
        Of the same items.
    cluster : array of int64, shape (n_items,), or None
        Whole clusters are drawn; None draws items.
    replicates : int
        How many resamples in all.

    Yields
    ------
    list of DrawnCurves
        One for each system, of a block of replicates.

    Examples
    --------
    >>> from demur.arrays import Sample, rank
    >>> sample = Sample(
    ...     np.array([True, True]), np.array([0.9, 0.5]), np.array([0.0, 1.0]))
    >>> [(curves,)] = resampled([rank(sample)], None, replicates=4, seed=0)
    >>> curves.error_at(0.0)
    array([1. , 0.5, 0. , 0. ])
    """
    n_rows, number = rankings[0].n_rows, rankings[0].number
    if number is not None:
        drawings = draws_of_kinds(number, replicates, seed)
    else:
        n_units = n_rows if cluster is None else int(cluster.max()) + 1
        drawings = draws(n_units, replicates, seed, width=n_rows)
    for counts in drawings:
        drawn = counts if cluster is None else counts[:, cluster]
        yield [reweighted(ranking, drawn) for ranking in rankings]


def cell_curves(
    ranking: Ranking, cluster: Positions | None, *, replicates: int, seed: int
) -> tuple[DrawnCurves, DrawnCurves]:
    """Resampled curves with vertices at the edges of at most `CELLS` cells.

    Between fixed cutoffs the numbers of drawn items of each kind are exactly
    multinomial, so the cost does not depend on how many items there are. Exact where
    every vertex has its own cell. Else the curve inside a cell is taken as straight;
    it lies at most a quarter of the cell's share of all weight from that, so use the
    difference between the two results, in which most of this cancels.

    Parameters
    ----------
    cluster : array of int64, shape (n_items,), or None
        Whole clusters are drawn; None draws items.
    replicates : int
        How many resamples in all.

    Returns
    -------
    (DrawnCurves of the resamples, Curves of the sample itself)
        Both with these cells.

    Examples
    --------
    >>> from demur.arrays import Sample, rank
    >>> sample = Sample(
    ...     np.array([True, True]), np.array([0.9, 0.5]), np.array([0.0, 1.0]))
    >>> resamples, own = cell_curves(rank(sample), None, replicates=4, seed=0)
    >>> resamples.error_at(0.0).shape, own.error_at(0.0)
    ((4,), array([0.5]))
    """
    from scipy.sparse import csr_array

    coarse = coarsened(ranking, CELLS)
    weight, loss = ranking.weights(), np.zeros(ranking.n_rows)
    loss[ranking.rows] = ranking.loss
    cell = np.zeros(ranking.n_rows, np.int64)  # cell 0: no guess
    cell[ranking.rows] = 1 + coarse.block()
    shape = ranking.n_rows, len(coarse.first) + 1
    rows = np.arange(ranking.n_rows)
    amounts = [
        csr_array((sums, (rows, cell)), shape) for sums in (weight, weight * loss)
    ]
    if cluster is None:
        first, size = _alike(cell, weight, loss, ranking.number)
        units = [amount[first] for amount in amounts]
    else:
        size = np.ones(int(cluster.max()) + 1, np.int64)
        member = csr_array((np.ones(len(rows)), (cluster, rows)))
        units = [member @ amount for amount in amounts]
    drawn = _sums(units, draws_of_kinds(size, replicates, seed))
    return DrawnCurves(*drawn), DrawnCurves(*_sums(units, [size[None]]))


def _alike(
    cell: Positions, weight: Floats, loss: Floats, number: Positions | None
) -> tuple[Positions, Positions]:
    """One item of each kind (same cell, weight and loss), and the kinds' sizes."""
    order = np.lexsort((loss, weight, cell))
    fresh = np.ones(len(order), bool)
    same = [facts[order[1:]] == facts[order[:-1]] for facts in (cell, weight, loss)]
    fresh[1:] = ~np.logical_and.reduce(same)
    first = np.flatnonzero(fresh)
    if number is not None:
        return order[first], np.add.reduceat(number[order], first)
    return order[first], np.diff(first, append=len(order))


def draws_of_kinds(size: Positions, replicates: int, seed: int) -> Iterator[Numbers]:
    """How often units of each kind are drawn, in blocks of replicates.

    The cost depends on the number of kinds, not on how many units there are.

    Parameters
    ----------
    size : array of int64, shape (n_kinds,)
        How many units of each kind there are; as many are drawn in all.
    replicates : int
        How many resamples in all.

    Yields
    ------
    array of int64, shape (n_replicates_in_block, n_kinds)

    Examples
    --------
    >>> [block.sum(axis=1) for block in draws_of_kinds(np.array([7, 3]), 2, seed=0)]
    [array([10, 10])]
    """
    n_units = int(size.sum())
    if len(size) == n_units:
        yield from draws(n_units, replicates, seed)
        return
    rng = np.random.default_rng(seed)
    for rows in _sizes(replicates, len(size)):
        yield rng.multinomial(n_units, size / n_units, rows)


def _sums(units: Sequence[Any], counts: Iterable[Numbers]) -> list[Floats]:
    """Cumulated amounts of each replicate in each cell; one array for each amount."""
    blocks = [[unit.T @ block.T.astype(float) for unit in units] for block in counts]
    return [
        np.cumsum(np.concatenate(parts, axis=1).T, axis=1)
        for parts in zip(*blocks, strict=True)
    ]
