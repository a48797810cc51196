"""Random draws: resamples of items or clusters, swaps, and resampled cells.

Draws come in blocks of replicates, so that memory does not grow with their number, and
can be cut between blocks, so that an executor makes the same ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Ranking, coarsened
from demur.statistics.quantities import DrawnCurves, reweighted

if TYPE_CHECKING:
    from concurrent.futures import Executor

Made = TypeVar("Made")

BLOCK = 2**15
"""How many draws are held at once: 256 kB stay in the cache."""

CELLS = 512
"""Cells of `cell_curves`; a curve with fewer vertices is resampled exactly."""


PARTS: Final = 32
"""Into how many parts draws are cut for an executor, where there are as many blocks.

Each is sent the data once, and the numbers do not depend on it."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Random draws in blocks of replicates, from some place in the stream of a seed.

    Parameters
    ----------
    draw : callable
        Takes as many random numbers from a generator as so many replicates need.
    count : callable
        Makes a block of these numbers.
    sizes : sequence of int
        How many replicates each block has.
    state : mapping
        Of the generator, before the first block.
    """

    draw: Callable[[np.random.Generator, int], Numbers]
    count: Callable[[Numbers], Numbers]
    sizes: Sequence[int]
    state: Mapping[str, Any]

    def __iter__(self) -> Iterator[Numbers]:
        """Each block, an array of int64 with a row for each replicate."""
        rng = self._generator()
        for size in self.sizes:
            yield self.count(self.draw(rng, size))

    def parts(self, most: int) -> Iterator["Draws"]:
        """The same blocks in up to so many parts, each of which can be made alone."""
        rng, at_once = self._generator(), -(-len(self.sizes) // most)
        for at in range(0, len(self.sizes), at_once):
            sizes = self.sizes[at : at + at_once]
            yield replace(self, sizes=sizes, state=rng.bit_generator.state)
            for size in sizes if at + at_once < len(self.sizes) else ():
                self.draw(rng, size)  # numbers are cheap beside what is made of them

    def _generator(self) -> np.random.Generator:
        rng = np.random.default_rng()
        rng.bit_generator.state = self.state
        return rng


def draws(n_units: int, replicates: int, seed: int, *, width: int = 0) -> Draws:
    """How often each unit is drawn, in blocks of replicates.

    Parameters
    ----------
    n_units : int
        Units (items or clusters), drawn with replacement, as many as there are.
    replicates : int
        How many resamples in all.
    width : int
        Length of the rows that the caller makes of a replicate, if longer.

    Returns
    -------
    Draws
        Each block has the shape (n_replicates_in_block, n_units).

    Examples
    --------
    >>> [block.sum(axis=1) for block in draws(3, 2, seed=0)]
    [array([3, 3])]
    """
    sizes = _sizes(replicates, max(n_units, width))
    count = partial(_counted, n_units)
    return Draws(partial(_units, n_units), count, sizes, _state(seed))


def _units(n_units: int, rng: np.random.Generator, size: int) -> Numbers:
    return rng.integers(0, n_units, (size, n_units))


def _counted(n_units: int, unit: Numbers) -> Numbers:
    size = len(unit)
    unit += np.arange(0, size * n_units, n_units)[:, None]
    counts = np.bincount(unit.ravel(), minlength=size * n_units)
    return counts.reshape(size, n_units)


def swaps(n_units: int, replicates: int, seed: int, *, width: int = 0) -> Draws:
    """0 or 1 for each unit, with probability 1/2, in blocks of replicates.

    Parameters and blocks are those of `draws`.

    Examples
    --------
    >>> [block.shape for block in swaps(3, 2, seed=0)]
    [(2, 3)]
    """
    sizes = _sizes(replicates, max(n_units, width))
    return Draws(partial(_coins, n_units), _as_drawn, sizes, _state(seed))


def _coins(n_units: int, rng: np.random.Generator, size: int) -> Numbers:
    return rng.integers(0, 2, (size, n_units), dtype=np.int64)


def _as_drawn(numbers: Numbers) -> Numbers:
    return numbers


def _state(seed: int) -> Mapping[str, Any]:
    return np.random.default_rng(seed).bit_generator.state


def of_blocks(
    function: Callable[[Numbers], Made], drawn: Draws, executor: "Executor | None"
) -> list[Made]:
    """What a function makes of each block, here or on an executor.

    Parameters
    ----------
    function : callable
        From a block; picklable, as it is sent with each part.
    drawn : Draws
    executor : Executor or None
        None calls the function here.

    Examples
    --------
    >>> of_blocks(len, draws(2**14, 5, seed=0), None)
    [2, 2, 1]
    """
    if executor is None:
        return list(map(function, drawn))
    from demur.executors import in_order

    parts = drawn.parts(PARTS)
    made = in_order("resampling", partial(_of_part, function), parts, executor)
    return [value for part in made for value in part]


def _of_part(function: Callable[[Numbers], Made], part: Draws) -> list[Made]:
    return list(map(function, part))


def _sizes(replicates: int, width: int) -> list[int]:
    size = max(1, BLOCK // max(width, 1))
    return [min(size, replicates - at) for at in range(0, replicates, size)]


def swaps_of_kinds(
    size: Positions, replicates: int, seed: int, *, width: int = 0
) -> Draws:
    """How many units of each kind are swapped, each with probability 1/2.

    Parameters
    ----------
    size : array of int64, shape (n_kinds,)
        How many units of each kind there are.
    replicates : int
        How many in all.
    width : int
        As in `draws`.

    Returns
    -------
    Draws
        Each block has the shape (n_replicates_in_block, n_kinds).

    Examples
    --------
    >>> [block.shape for block in swaps_of_kinds(np.array([7, 3]), 2, seed=0)]
    [(2, 2)]
    """
    if (size == 1).all():
        return swaps(len(size), replicates, seed, width=width)
    sizes = _sizes(replicates, max(len(size), width))
    return Draws(partial(_coins_of_kinds, size), _as_drawn, sizes, _state(seed))


def _coins_of_kinds(size: Positions, rng: np.random.Generator, rows: int) -> Numbers:
    return rng.binomial(size, 0.5, (rows, len(size)))


def draws_of_items(
    ranking: Ranking, cluster: Positions | None, replicates: int, seed: int
) -> Draws:
    """How often each item, each kind of items, or each cluster is drawn.

    Parameters
    ----------
    ranking : Ranking
        Of the items, or of kinds with their numbers.
    cluster : array of int64, shape (n_items,), or None
        Whole clusters are drawn; None draws items.
    replicates, seed : int
        As in `draws`.
    """
    if ranking.number is not None:
        return draws_of_kinds(ranking.number, replicates, seed)
    n_units = ranking.n_rows if cluster is None else int(cluster.max()) + 1
    return draws(n_units, replicates, seed, width=ranking.n_rows)


def drawn_curves(
    rankings: Sequence[Ranking], cluster: Positions | None, counts: Numbers
) -> list[DrawnCurves]:
    """Curves of several systems under the same draws of items or of clusters.

    Parameters
    ----------
    rankings : sequence of Ranking
        Of the same items.
    cluster : array of int64, shape (n_items,), or None
        Whole clusters are drawn; None draws items.
    counts : array of int64, shape (n_replicates, n_units)
        How often each item or cluster is drawn.

    Returns
    -------
    list of DrawnCurves
        One for each system.

    Examples
    --------
    >>> from demur.arrays import Sample, rank
    >>> sample = Sample(
    ...     np.array([True, True]), np.array([0.9, 0.5]), np.array([0.0, 1.0]))
    >>> [counts] = draws(2, 4, seed=0)
    >>> [curves] = drawn_curves([rank(sample)], None, counts)
    >>> curves.error_at(0.0)
    array([1. , 0.5, 0. , 0. ])
    """
    drawn = counts if cluster is None else counts[:, cluster]
    return [reweighted(ranking, drawn) for ranking in rankings]


def cell_curves(
    ranking: Ranking,
    cluster: Positions | None,
    *,
    replicates: int,
    seed: int,
    executor: "Executor | None" = None,
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
    executor : Executor, optional
        As for `of_blocks`.

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
    drawn = draws_of_kinds(size, replicates, seed)
    blocks = of_blocks(partial(_amounts, units), drawn, executor)
    undrawn = [_amounts(units, size[None])]
    return DrawnCurves(*_cumulated(blocks)), DrawnCurves(*_cumulated(undrawn))


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


def draws_of_kinds(size: Positions, replicates: int, seed: int) -> Draws:
    """How often units of each kind are drawn, in blocks of replicates.

    The cost depends on the number of kinds, not on how many units there are.

    Parameters
    ----------
    size : array of int64, shape (n_kinds,)
        How many units of each kind there are; as many are drawn in all.
    replicates : int
        How many resamples in all.

    Returns
    -------
    Draws
        Each block has the shape (n_replicates_in_block, n_kinds).

    Examples
    --------
    >>> [block.sum(axis=1) for block in draws_of_kinds(np.array([7, 3]), 2, seed=0)]
    [array([10, 10])]
    """
    if len(size) == int(size.sum()):
        return draws(len(size), replicates, seed)
    sizes = _sizes(replicates, len(size))
    return Draws(partial(_of_kinds, size), _as_drawn, sizes, _state(seed))


def _of_kinds(size: Positions, rng: np.random.Generator, rows: int) -> Numbers:
    n_units = int(size.sum())
    return rng.multinomial(n_units, size / n_units, rows)


def _amounts(units: Sequence[Any], counts: Numbers) -> list[Floats]:
    """Amounts of each replicate in each cell; one array for each amount."""
    return [unit.T @ counts.T.astype(float) for unit in units]


def _cumulated(blocks: Iterable[Sequence[Floats]]) -> list[Floats]:
    """Of all blocks, cumulated over the cells; one array for each amount."""
    return [
        np.cumsum(np.concatenate(parts, axis=1).T, axis=1)
        for parts in zip(*blocks, strict=True)
    ]
