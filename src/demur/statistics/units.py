"""What a sample is made of: guesses in their order, and independent units.

Guesses are ranked once: a resample changes how often each item counts, never its
confidence, so its curve is two cumulative sums of reweighted items. Units are clusters,
or items without them; by how much each moves an estimate gives its standard error.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Sample
from demur.checks import whole
from demur.errors import InputError, UndefinedRate, shown

ERROR_TOLERANCE = 1e-9
"""An error rate this close to the wanted one is the wanted one."""

ROUNDING = 1e-12

FEWEST_UNITS = 5
"""With fewer there is no interval and no test: their spread says next to nothing."""

LEAST_EFFECTIVE = 1.5
"""Nor if the weights make them worth so few of equal weight (one has 80 % of all)."""


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
            The same in all replicates.

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
        row = np.arange(len(after))
        x, y = self.withheld, self.avoided
        rise = y[row, after] - y[row, before]
        share = (goal - y[row, before]) / np.where(rise > 0, rise, 1.0)
        run = x[row, after] - x[row, before]
        nonreturn: Floats = (x[row, before] + np.clip(share, 0, 1) * run) / self.total
        return nonreturn

    def area_from(self, nonreturn: Any) -> Floats:
        """Area from a nonreturn rate, at or right of the start, to 1.

        Parameters
        ----------
        nonreturn : float, or array of float64, shape (n_replicates,)
            One for all, or one for each replicate.

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
    counts : array, shape (n_replicates, n_items)
        How often each item is drawn.

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


# -- independent units -----------------------------------------------------------------


def check_units(where: str, sample: Sample) -> None:
    """Raise `UndefinedRate` if there are too few independent units.

    Examples
    --------
    >>> check_units("interval", Sample(np.ones(3, bool), np.ones(3), np.ones(3)))
    Traceback (most recent call last):
    ...
    demur.errors.UndefinedRate: interval: too few items (3): how much they vary is not
    known. At least 5 independent ones are needed.
    """
    n_units, clustered = sample.n_clusters, sample.cluster is not None
    if n_units < FEWEST_UNITS:
        raise UndefinedRate(f"{too_few(n_units, clustered=clustered)}", where=where)
    if sample.weight is None:
        return
    weight = unit_sums(sample.weight, sample.cluster)
    if effective_items(weight, n_units) < LEAST_EFFECTIVE:
        unit = "cluster" if clustered else "item"
        share = weight.max() / weight.sum()
        raise UndefinedRate(
            f"one {unit} has {100 * share:.3g} % of all weight, so how much "
            "the others vary says nothing. Lighter weights are needed.",
            where=where,
        )


def too_few(n_units: int, *, clustered: bool) -> str:
    """What to say of so few units."""
    return (
        f"too few {'clusters' if clustered else 'items'} ({n_units}): how much they "
        f"vary is not known. At least {FEWEST_UNITS} independent ones are needed."
    )


def effective_items(weight: Floats | None, n_items: int) -> float:
    """Kish's effective number of items or clusters, given their weights.

    Examples
    --------
    >>> effective_items(np.array([1.0, 1.0, 2.0]), 3)
    2.6666666666666665
    """
    if weight is None:
        return float(n_items)
    return float(weight.sum() ** 2 / np.square(weight).sum())


def unit_sums(influence: Floats, cluster: Positions | None) -> Floats:
    """Influence of the independent units: sums over clusters, or the items' own.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
        By how much each item moves the estimate, to first order.
    cluster : array of int64, shape (n_items,), or None
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
    return np.bincount(cluster, influence).astype(np.float64, copy=False)


def left_out(influence: Floats, weight: Floats, cluster: Positions | None) -> Floats:
    """By how much the estimate would change, to first order, without each unit.

    A unit with a large share of all weight pulls the estimate towards itself, so its
    own influence is less than its absence would show; this undoes that.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
        By how much each item moves the estimate, to first order.
    weight : array of float64, shape (n_items,)
        Of the items in the estimate.
    cluster : array of int64, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.

    Returns
    -------
    array of float64, shape (n_units,)
    """
    share = unit_sums(weight / weight.sum(), cluster)
    if len(share) < 2:
        raise UndefinedRate(
            "one item or cluster alone shows no spread. At least two "
            "independent ones are needed.",
            where="standard_error",
        )
    moved: Floats = unit_sums(influence, cluster) / (1 - share)
    return moved


def spread(moved: Floats) -> float:
    """Standard error from the units' `left_out` values, those of the jackknife.

    With units of equal weight it is sqrt(C/(C-1) sum of squared influences).
    """
    n_units = len(moved)
    return float(np.sqrt((n_units - 1) / n_units * np.square(moved).sum()))


# -- few units -----------------------------------------------------------------------


def t_quantile(level: float, n_units: int) -> float:
    """Two-sided quantile of Student's t with n_units - 1 degrees of freedom.

    Examples
    --------
    >>> round(t_quantile(0.95, 10), 3)
    2.262
    """
    from scipy.special import stdtrit

    return float(stdtrit(n_units - 1, (1 + level) / 2))


def agreeing(
    ends: tuple[float, float], value: float, *, rejects: bool
) -> tuple[float, float]:
    """An interval of a difference that holds 0 just where its test does not reject.

    Examples
    --------
    >>> agreeing((-0.3, 0.1), -0.1, rejects=True)
    (-0.3, 0.0)
    >>> agreeing((0.1, 0.3), 0.2, rejects=False)
    (0.0, 0.3)
    """
    low, high = ends
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if value > 0 else (low, min(high, 0.0))


def t_interval(
    value: float, moved: Floats, *, level: float, bounded: bool = True
) -> tuple[float, float]:
    """A number ± t standard errors, from the units' `left_out` values.

    Where all units agree it is that of `no_spread`, which says what `bounded` is.

    Examples
    --------
    >>> [round(end, 4) for end in t_interval(0.0, np.array([0.1, -0.1]), level=0.95)]
    [-1.2706, 1.2706]
    """
    deviation = spread(moved)
    if deviation <= ROUNDING:
        return no_spread(value, level=level, n_units=len(moved), bounded=bounded)
    reach = t_quantile(level, len(moved)) * deviation
    return value - reach, value + reach


def cluster_interval(
    sums: Floats,
    function: Callable[[Floats], Any],
    level: float,
    *,
    bounded: bool = True,
) -> tuple[float, float] | None:
    """The interval of any figure made of sums over independent units.

    Each unit is left out once; how far that moves the figure says how much luck there
    is in it.

    Parameters
    ----------
    sums : array of float64, shape (n_units, n_sums)
        What each item or cluster adds.
    function : callable
        The figure of sums, shape (..., n_sums).
    level : float
        Of the intervals.
    bounded : bool
        As for `no_spread`.

    Returns
    -------
    (low, high) or None
        None where there are too few units.

    Examples
    --------
    >>> import numpy as np
    >>> sums = np.column_stack([np.tile([0.0, 1.0], 20), np.ones(40)])
    >>> low, high = cluster_interval(sums, lambda s: s[..., 0] / s[..., 1], 0.95)
    >>> round(low, 3), round(high, 3)
    (0.338, 0.662)
    """
    if len(sums) < FEWEST_UNITS:
        return None
    total = sums.sum(axis=0)
    value = float(function(total))
    return t_interval(
        value, value - function(total - sums), level=level, bounded=bounded
    )


def no_spread(
    value: float, *, level: float, n_units: float, bounded: bool = True
) -> tuple[float, float]:
    """Interval of a number when all units agree.

    A share of units that behave otherwise, and was missed, is at most
    1 - ((1 - level) / 2) ** (1 / n_units).

    Parameters
    ----------
    value : float
        What all units agree on.
    level : float
        Of the intervals.
    n_units : float
        How many; effective ones need not be whole.
    bounded : bool
        Whether it is from -1 to 1, as shares and their differences are. What nothing
        bounds (a word error rate, bits, seconds) might be anything in a missed unit;
        it is taken to differ there by as much as the number itself, at least by 1.

    Examples
    --------
    >>> [round(end, 4) for end in no_spread(0.0, level=0.95, n_units=100)]
    [-0.0362, 0.0362]
    """
    reach = -math.expm1(math.log((1 - level) / 2) / n_units)
    if not bounded:
        reach *= max(1.0, abs(value))
        return value - reach, value + reach
    return max(value - reach, -1.0), min(value + reach, 1.0)


def check_level(where: str, level: Any) -> None:
    """Raise `InputError` if a level makes no sense."""
    real = isinstance(level, Real) and not isinstance(level, bool)
    if not real or not 0.5 <= level < 1:
        hint = "It is the share of intervals that hold the truth: 0.95."
        raise InputError(where, "level", "be from 0.5 to below 1", shown(level), hint)


def check_recipe(where: str, level: Any, replicates: int | None) -> None:
    """Raise `InputError` if a level, or a number of replicates, makes no sense."""
    check_level(where, level)
    if replicates is None:
        return
    whole(where, "replicates", replicates, 1)
    least = math.ceil(2 / (1 - level)) - 1
    if replicates < least:
        need = f"be at least {least} for a level of {level:g}"
        raise InputError(where, "replicates", need, shown(replicates))
