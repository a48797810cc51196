"""Guesses ranked once, and the curves of many reweightings of them.

A resample changes how often each item counts, never its confidence, so guesses are
ranked once; the curve of a resample is two cumulative sums of reweighted items.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Sample
from demur.errors import InputError

ERROR_TOLERANCE = 1e-9
"""An error rate this close to the wanted one is the wanted one."""


@dataclass(frozen=True, eq=False, slots=True)
class Ranking:
    """Guesses of one system in the order in which a rising cutoff withholds them.

    Made by `rank`.

    Parameters
    ----------
    rows : array of int64, shape (n_guesses,)
        Items with a guess, by rising confidence.
    silent : array of int64, shape (n_silent,)
        Items without a guess.
    first : array of int64, shape (n_blocks,)
        Where in ``rows`` each block of equal confidences begins.
    weight : array of float64, shape (n_items,), or None
        None if every item weighs 1.
    loss : array of float64, shape (n_guesses,)
        Losses of ``rows``, unweighted.
    """

    rows: Positions
    silent: Positions
    first: Positions
    weight: Floats | None
    loss: Floats

    @property
    def n_items(self) -> int:
        """How many items there are, with or without a guess."""
        return len(self.rows) + len(self.silent)

    def weights(self) -> Floats:
        """Weights of all items, shape (n_items,)."""
        return np.ones(self.n_items) if self.weight is None else self.weight

    def block(self) -> Positions:
        """Number of the block that each guess of ``rows`` is in."""
        sizes = np.diff(self.first, append=len(self.rows))
        return np.repeat(np.arange(len(self.first)), sizes)


def rank(sample: Sample) -> Ranking:
    """Rank the guesses of a sample; equal confidences form one block.

    Parameters
    ----------
    sample : Sample

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If the sample is empty, or the confidence of a guess is NaN.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(
    ...     guess=np.array([True, True, False, True]),
    ...     confidence=np.array([0.9, 0.5, 0.0, 0.5]),
    ...     loss=np.array([0.0, 1.0, 0.0, 0.0]))
    >>> ranking = rank(sample)
    >>> ranking.rows, ranking.first, ranking.silent
    (array([1, 3, 0]), array([0, 2]), array([2]))
    """
    if not len(sample):
        raise InputError("rank", "a sample", "hold at least one item", "none")
    rows = np.flatnonzero(sample.guess)
    value = sample.confidence[rows]
    if np.isnan(value).any():
        hint = "Mark those items unanswered or give a confidence."
        raise InputError("rank", "confidence", "not hold NaN", "NaN", hint)
    order = np.argsort(value, kind="stable")
    value = value[order]
    fresh = np.ones(len(value), bool)
    np.not_equal(value[1:], value[:-1], out=fresh[1:])
    return Ranking(
        rows=rows[order],
        silent=np.flatnonzero(~sample.guess),
        first=np.flatnonzero(fresh),
        weight=sample.weight,
        loss=np.asarray(sample.loss, np.float64)[rows[order]],
    )


def coarsened(ranking: Ranking, cells: int) -> Ranking:
    """The ranking with neighbouring blocks merged into at most so many cells.

    Every cell begins where a block begins, and cells weigh about the same.
    """
    n_blocks = len(ranking.first)
    if n_blocks <= cells:
        return ranking
    weight = ranking.weights()[ranking.rows]
    below = np.cumsum(weight) - weight
    marks = np.arange(cells) * (weight.sum() / cells)
    chosen = np.searchsorted(below[ranking.first], marks, "left")
    first = ranking.first[np.unique(np.minimum(chosen, n_blocks - 1))]
    return replace(ranking, first=first)


# -- curves of resamples -----------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class DrawnCurves:
    """Error-return curves of many resamples of one system, linear between vertices.

    Parameters
    ----------
    withheld : array of float64, shape (n_replicates, n_blocks + 1)
        Weight not answered at each vertex, from forced choice to silence.
    avoided : array of float64, shape (n_replicates, n_blocks + 1)
        Weighted loss of the withheld guesses at each vertex.
    """

    withheld: Floats
    avoided: Floats

    @property
    def total(self) -> Floats:
        """Weight of all items, shape (n_replicates,)."""
        return self.withheld[:, -1]

    @property
    def start(self) -> Floats:
        """Nonreturn at the left end, shape (n_replicates,)."""
        return self.withheld[:, 0] / self.total

    def error_at(self, nonreturn: Any) -> Floats:
        """Error at nonreturn rates; left of a curve's start, the error at its start.

        Parameters
        ----------
        nonreturn : float, or array of float64, shape (n_rates,)

        Returns
        -------
        array of float64, shape (n_replicates,) or (n_replicates, n_rates)
        """
        rows = zip(self.total, self.withheld, self.avoided, strict=True)
        avoided = np.array([np.interp(nonreturn * all_, x, y) for all_, x, y in rows])
        shape = (-1,) + (1,) * (avoided.ndim - 1)
        lost = self.avoided[:, -1].reshape(shape) - avoided
        error: Floats = np.maximum(lost, 0.0) / self.total.reshape(shape)
        return error

    def nonreturn_at(self, error: float) -> Floats:
        """Least nonreturn with error at most ``error``, shape (n_replicates,)."""
        goal = self.avoided[:, -1] - error * self.total
        near = goal - ERROR_TOLERANCE * self.total
        rows = zip(near, self.avoided, strict=True)
        after = np.array([np.searchsorted(y, wanted) for wanted, y in rows])
        before = np.maximum(after - 1, 0)
        each = np.arange(len(after))
        x, y = self.withheld, self.avoided
        rise = y[each, after] - y[each, before]
        share = (goal - y[each, before]) / np.where(rise > 0, rise, 1.0)
        run = x[each, after] - x[each, before]
        found: Floats = (x[each, before] + np.clip(share, 0, 1) * run) / self.total
        return found

    def area_from(self, nonreturn: Any) -> Floats:
        """Area from a nonreturn rate, at or right of the start, to 1.

        Parameters
        ----------
        nonreturn : float, or array of float64, shape (n_replicates,)

        Returns
        -------
        array of float64, shape (n_replicates,)
        """
        left = np.broadcast_to(nonreturn * self.total, self.total.shape)
        x, y = self.withheld, self.avoided
        if (left > x[:, 0]).any():
            rows = zip(left, x, y, strict=True)
            edge = np.array([np.interp(at, row, lost) for at, row, lost in rows])
            x, y = np.maximum(x, left[:, None]), np.maximum(y, edge[:, None])
        middle = (x[:, 1:] + x[:, :-1]) / 2 - left[:, None]
        area: Floats = np.einsum("ij,ij->i", np.diff(y), middle) / self.total**2
        return area


def reweighted(ranking: Ranking, counts: Numbers) -> DrawnCurves:
    """The curves of resamples in which item i counts ``counts[r, i]`` times.

    Parameters
    ----------
    ranking : Ranking
    counts : array, shape (n_replicates, n_items)

    Returns
    -------
    DrawnCurves

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(
    ...     np.array([True, True]), np.array([0.9, 0.5]), np.array([0.0, 1.0]))
    >>> curves = reweighted(rank(sample), np.array([[1, 1], [2, 0]]))
    >>> curves.error_at(0.0)
    array([0.5, 0. ])
    """
    drawn = counts if ranking.weight is None else counts * ranking.weight
    silent = drawn[:, ranking.silent].sum(1)
    ranked = drawn[:, ranking.rows]
    withheld = _by_block(ranked, ranking.first)
    withheld[:, 0] = silent
    avoided = _by_block(ranked * ranking.loss, ranking.first)
    np.cumsum(withheld, axis=1, out=withheld)
    np.cumsum(avoided, axis=1, out=avoided)
    return DrawnCurves(withheld, avoided)


def _by_block(amounts: Numbers, first: Positions) -> Floats:
    sums = np.zeros((len(amounts), len(first) + 1))
    if len(first) == amounts.shape[1]:
        sums[:, 1:] = amounts
    elif len(first):
        sums[:, 1:] = np.add.reduceat(amounts, first, axis=1)
    return sums


def observed(ranking: Ranking) -> DrawnCurves:
    """The one curve of the sample itself."""
    return reweighted(ranking, np.ones((1, ranking.n_items)))
