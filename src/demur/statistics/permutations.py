"""The p value of a difference when results are swapped at random."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Ranking, Sample, rank
from demur.statistics.quantities import Quantity, observed, reweighted
from demur.statistics.resampling import of_blocks, swaps_of_kinds
from demur.statistics.units import ROUNDING

if TYPE_CHECKING:
    from concurrent.futures import Executor


def permuted(
    rankings: Sequence[Ranking],
    cluster: Positions | None,
    quantity: Quantity,
    recipe: tuple[int, int],
    executor: "Executor | None",
) -> float:
    """The p value of the difference when results are swapped at random."""
    pooled, number = pool(rankings[0], rankings[1]), rankings[0].number
    n_rows = rankings[0].n_rows
    whole = np.ones(n_rows, np.int64) if number is None else number
    size = whole if cluster is None else np.ones(int(cluster.max()) + 1, np.int64)
    as_it_is = _swapped_apart(pooled, quantity, whole, np.zeros((1, n_rows), np.int64))
    wanted = float(abs(as_it_is[0])) - ROUNDING
    extreme = partial(_as_extreme, pooled, cluster, quantity, whole, wanted)
    drawn = swaps_of_kinds(size, *recipe, width=2 * n_rows)
    beyond = sum(of_blocks(extreme, drawn, executor))
    return (beyond + 1) / (recipe[0] + 1)


def _as_extreme(
    pooled: Ranking,
    cluster: Positions | None,
    quantity: Quantity,
    whole: Numbers,
    wanted: float,
    swapped: Numbers,
) -> int:
    """How many replicates of a block are at least so far apart."""
    swapped = swapped if cluster is None else swapped[:, cluster]
    apart = np.abs(_swapped_apart(pooled, quantity, whole, swapped))
    return int(np.count_nonzero(apart >= wanted))


def _swapped_apart(
    pooled: Ranking, quantity: Quantity, whole: Numbers, swapped: Numbers
) -> Floats:
    """The difference where the results of some items are swapped."""
    stays = whole - swapped
    pair = np.hstack([stays, swapped]), np.hstack([swapped, stays])
    a, b = quantity.values([reweighted(pooled, counts) for counts in pair])
    return b - a


def pool(a: Ranking, b: Ranking) -> Ranking:
    """One ranking of the items of A followed by those of B.

    Confidences of different systems are not on one scale: a guess is placed by the
    nonreturn at which its own system withholds it (the middle of its block).
    """
    places = np.concatenate([_places(a), _places(b)])
    loss = np.zeros(len(places))
    for ranking, shift in ((a, 0), (b, a.n_rows)):
        loss[ranking.rows + shift] = ranking.loss
    weight = None if a.weight is None else np.tile(a.weight, 2)
    number = None if a.number is None else np.tile(a.number, 2)
    return rank(Sample(places >= 0, places, loss, weight, number=number))


def _places(ranking: Ranking) -> Floats:
    """Nonreturn at the middle of each item's block; -1 without a guess."""
    curve = observed(ranking).withheld[0]
    places = np.full(ranking.n_rows, -1.0)
    middle = (curve[1:] + curve[:-1]) / (2 * curve[-1])
    places[ranking.rows] = middle[ranking.block()]
    return places
