"""Array types, samples, ranked guesses, and numbers as people write them."""

from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown


def shortest(value: Any) -> float:
    """A confidence as a short decimal that its own dtype and float64 read alike.

    The shortest that is not above the confidence and reads back as it, so that the
    same items are at or above it whether their confidences are kept as they are, as
    float64, or as text.

    Examples
    --------
    >>> import numpy as np
    >>> shortest(np.float32(0.1)), shortest(np.float32(0.7)), shortest(np.float64(0.7))
    (0.1, 0.69999998, 0.7)
    """
    if value.dtype.itemsize == 8 or not np.isfinite(value) or value == 0:
        return float(value)
    exact = Decimal(float(value))
    for digits in range(1, 18):
        # Rounded down, never up: an item at the cutoff must stay at or above it.
        step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        short = float(exact.quantize(step, rounding=ROUND_FLOOR))
        if value.dtype.type(short) == value and short <= float(value):
            return short
    return float(value)


def plain(cutoff: float | None) -> float | str | None:
    """A cutoff for JSON, which has no infinities."""
    if cutoff is None or np.isfinite(cutoff):
        return cutoff
    return "inf" if cutoff > 0 else "-inf"


def frozen(array: Any) -> Any:
    """The array, set read-only."""
    array.setflags(write=False)
    return array


Floats = npt.NDArray[np.floating[Any]]

Numbers = npt.NDArray[Any]

Positions = npt.NDArray[np.int64]

Flags = npt.NDArray[np.bool_]

_LARGEST_SCALE = 6


def as_integers(values: Floats) -> tuple[npt.NDArray[np.int64], int] | None:
    """Short decimals as integers over one power of ten; None if they are not.

    Parameters
    ----------
    values : array of float64, shape (n,)
        Non-negative.

    Returns
    -------
    (array of int64, scale) or None
        ``values == integers / scale`` exactly, scale at most 10**6.

    Examples
    --------
    >>> import numpy as np
    >>> as_integers(np.array([1, 0.5, 2.25]))
    (array([100,  50, 225]), 100)
    >>> as_integers(np.array([1 / 3])) is None
    True
    """
    if values.max(initial=0) >= 2**40:
        return None
    for scale in (10**power for power in range(_LARGEST_SCALE + 1)):
        if all(
            np.array_equal(np.rint(part * scale) / scale, part)
            for part in (values[:1000], values)
        ):
            scaled = np.rint(values * scale)
            # Sums of products must stay inside 64 bits.
            return (scaled.astype(np.int64), scale) if scaled.sum() < 2**40 else None
    return None


@dataclass(frozen=True, eq=False, slots=True)
class AlikeClusters:
    """Clusters whose items are alike, counted together.

    Parameters
    ----------
    of : array of int64, shape (n_rows,)
        Which kind of clusters each row belongs to, numbers from 0.
    inside : array of int64, shape (n_rows,)
        For how many items of one such cluster the row stands.
    times : array of int64, shape (n_kinds,)
        How many clusters of the kind there are.

    Examples
    --------
    Two clusters of three items each, one of them wrong:

    >>> alike = AlikeClusters(np.array([0, 0]), np.array([2, 1]), np.array([2]))
    >>> alike.sums(np.array([0.0, 1.0])), alike.number
    (array([1.]), array([4, 2]))
    """

    of: Positions
    inside: Positions
    times: Positions

    def sums(self, amounts: Floats) -> Floats:
        """Sums over one cluster of each kind, from the amounts of single items."""
        return np.bincount(self.of, amounts * self.inside, len(self.times)).astype(
            np.float64, copy=False
        )

    @property
    def number(self) -> Positions:
        """For how many items each row stands in all."""
        number: Positions = self.inside * self.times[self.of]
        return number

    def kept(self, rows: Flags) -> "AlikeClusters":
        """Those of which some rows are kept, with these rows."""
        kinds, of = np.unique(self.of[rows], return_inverse=True)
        return AlikeClusters(of, self.inside[rows], self.times[kinds])


Clusters = Positions | AlikeClusters | None
"""Which cluster each row is in, one by one or counted; None if every item is alone."""


def units_counted(cluster: Clusters, number: Positions | None) -> Positions | None:
    """How many independent units are like each, where they are counted."""
    if isinstance(cluster, AlikeClusters):
        return cluster.times
    return number if cluster is None else None


def unit_sums(influence: Floats, cluster: Clusters) -> Floats:
    """Influence of the independent units: sums over clusters, or the items' own.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
        By how much each item moves the estimate, to first order.
    cluster : array of int64, shape (n_items,), or AlikeClusters, or None
        Numbers from 0; None if every item stands alone.

    Returns
    -------
    array of float64, shape (n_units,)

    Examples
    --------
    >>> unit_sums(np.array([0.1, 0.2, -0.3]), np.array([0, 0, 1]))
    array([ 0.3, -0.3])
    """
    if cluster is None:
        return influence
    if isinstance(cluster, AlikeClusters):
        return cluster.sums(influence)
    return np.bincount(cluster, influence).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """The answers of one system to a list of items.

    Two samples can be paired if they are of the same items in the same order.

    Parameters
    ----------
    guess : array of bool, shape (n_items,)
        Whether there is a guess.
    confidence : array of float64, shape (n_items,)
        Higher is surer; not looked at where there is no guess.
    loss : array of float64, shape (n_items,)
        What answering the item costs: 1 - credit, and 1 for an ungraded guess (the
        high bound); 0 where there is no guess.
    weight : array of float64, shape (n_items,), or None
        Positive; None is 1 each.
    cluster : array of int64, shape (n_items,), or None
        Items with the same number are drawn together, numbers from 0 to
        n_clusters - 1; None if every item stands alone.
    number : array of int64, shape (n_items,), or None
        How many items each row stands for in all, where they are counted; None is 1
        each.
    alike : AlikeClusters or None
        Clusters that are counted, in place of ``cluster``.
    """

    guess: Flags
    confidence: Floats
    loss: Floats
    weight: Floats | None = None
    cluster: npt.NDArray[np.int64] | None = None
    number: npt.NDArray[np.int64] | None = None
    alike: AlikeClusters | None = None

    def __len__(self) -> int:
        return len(self.guess)

    @property
    def n_items(self) -> int:
        """How many items there are, those that are counted together each."""
        return len(self) if self.number is None else int(self.number.sum())

    @property
    def n_clusters(self) -> int:
        """How many independent units there are: clusters, or items without them."""
        if self.alike is not None:
            return int(self.alike.times.sum())
        return self.n_items if self.cluster is None else int(self.cluster.max()) + 1

    @property
    def clusters(self) -> Clusters:
        """The clusters, one by one or counted; None if every item stands alone."""
        return self.cluster if self.alike is None else self.alike

    def take(self, rows: npt.NDArray[np.int64]) -> "Sample":
        """The same answers at these items, clusters numbered anew."""
        cluster = None
        if self.cluster is not None:
            cluster = np.unique(self.cluster[rows], return_inverse=True)[1]
        return Sample(
            self.guess[rows],
            self.confidence[rows],
            self.loss[rows],
            None if self.weight is None else self.weight[rows],
            cluster,
            None if self.number is None else self.number[rows],
        )


def answered_at(confidence: Floats, guess: Flags, cutoff: float | None) -> Flags:
    """Guesses at or above a cutoff, compared in the confidences' own precision.

    Parameters
    ----------
    confidence : array of float32 or float64, shape (n_items,)
        Not looked at where there is no guess.
    guess : array of bool, shape (n_items,)
        Whether there is a guess.
    cutoff : float or None
        None answers nothing.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([0.7, 0.8, 0.9], np.float32)
    >>> answered_at(values, np.array([True, True, False]), 0.7)
    array([ True,  True, False])
    """
    if cutoff is None:
        return np.zeros(len(guess), bool)
    if cutoff != cutoff or isinstance(cutoff, bool):
        raise InputError("answered_at", "cutoff", "be a number", shown(cutoff))
    answered: Flags = guess & (confidence >= confidence.dtype.type(cutoff))
    return answered


def effective_items(
    weight: Floats | None, n_items: int, number: Positions | None = None
) -> float:
    """Kish's effective number of items or clusters, given their weights.

    Where they are counted, with how many have each weight.

    Examples
    --------
    >>> effective_items(np.array([1.0, 1.0, 2.0]), 3)
    2.6666666666666665
    """
    if weight is None:
        return float(n_items)
    return summed(weight, number) ** 2 / summed(np.square(weight), number)


# -- ranked guesses --------------------------------------------------------------------


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
    number : array of int64, shape (n_items,), or None
        That of the sample: for how many items each row stands.
    """

    rows: Positions
    silent: Positions
    first: Positions
    weight: Floats | None
    loss: Floats
    number: Positions | None = None

    @property
    def n_rows(self) -> int:
        """How many items there are, with or without a guess; counted ones as one."""
        return len(self.rows) + len(self.silent)

    @property
    def n_items(self) -> int:
        """How many items there are, with or without a guess."""
        return self.n_rows if self.number is None else int(self.number.sum())

    def weights(self) -> Floats:
        """Weights of all items, shape (n_rows,)."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    def weights_together(self) -> Floats:
        """What all items of each row weigh, shape (n_rows,)."""
        weight = self.weights()
        return weight if self.number is None else weight * self.number

    def block(self) -> Positions:
        """Number of the block that each guess of ``rows`` is in."""
        sizes = np.diff(self.first, append=len(self.rows))
        return np.repeat(np.arange(len(self.first)), sizes)


def rank(sample: Sample) -> Ranking:
    """Rank the guesses of a sample; equal confidences form one block.

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
        number=sample.number,
    )


def coarsened(ranking: Ranking, cells: int) -> Ranking:
    """The ranking with neighbouring blocks merged into at most so many cells.

    Every cell begins where a block begins, and cells weigh about the same.
    """
    n_blocks = len(ranking.first)
    if n_blocks <= cells:
        return ranking
    weight = ranking.weights_together()[ranking.rows]
    below = np.cumsum(weight) - weight
    marks = np.arange(cells) * (weight.sum() / cells)
    chosen = np.searchsorted(below[ranking.first], marks, "left")
    first = ranking.first[np.unique(np.minimum(chosen, n_blocks - 1))]
    return replace(ranking, first=first)


def summed(values: Numbers, number: Positions | None = None) -> float:
    """The sum of values, each as many times as is said.

    Examples
    --------
    >>> summed(np.array([0.5, 2.0]), np.array([2, 1]))
    3.0
    """
    return float(values.sum() if number is None else number @ values)


def interpolated(at: Floats, x: Floats, y: Floats) -> Floats:
    """The same as ``np.interp`` of each row at a place of its own, without a loop.

    Parameters
    ----------
    at : array of float64, shape (n_rows,)
        Where.
    x, y : array of float64, shape (n_rows, n_points)
        Within a row x rises.

    Examples
    --------
    >>> interpolated(np.array([0.5, 3.0]), np.array([[0.0, 2], [0, 1]]), np.eye(2))
    array([0.75, 1.  ])
    """
    row, last = np.arange(len(at)), x.shape[1] - 1
    after = (x > at[:, None]).argmax(axis=1)
    after = np.where(at >= x[:, -1], last, np.maximum(after, min(1, last)))
    before = np.maximum(after - 1, 0)
    left, low = x[row, before], y[row, before]
    run = x[row, after] - left
    rise = (y[row, after] - low) / np.where(run > 0, run, 1.0)
    between = np.where(at <= left, low, rise * (at - left) + low)
    inside: Floats = np.where(at >= x[:, -1], y[:, -1], between)
    return inside
