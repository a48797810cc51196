"""Numbers read off a curve: an error, a nonreturn, an area; and what each item adds.

Influence values say by how much each item moves an estimate, to first order: a curve's
estimate is its true value plus about the sum of these values over the items, so that
their spread gives standard errors, tests and plans. Those of a sample add up to 0, and
those of clusters are sums over their items. Guesses are ranked once: a resample changes
how often each item counts, so its curve is two cumulative sums of reweighted items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Clusters, Floats, Numbers, Positions, Ranking, interpolated
from demur.checks import choice, decimal_fraction, number, pair
from demur.errors import InputError, UndefinedRate, shown
from demur.results import exactly
from demur.statistics.units import ROUNDING, left_out, spread, units_counted

NAMES = ("error", "nonreturn", "area")

ERROR_TOLERANCE = 1e-9
"""An error rate this close to the wanted one is the wanted one."""

SMALLEST = 1e-9
"""Of differences that are asked for: less takes more items than there are."""

WIDTH, SHIFT = 0.7, 0.5
"""The slope at a cutoff is taken over the rates at which that cutoff may truly stand:
weighted by a normal curve WIDTH standard errors wide, there and SHIFT to both sides."""

REACH = 7.0
"""So many widths away nothing counts."""

WIDE = 0.29
"""Where nonreturns are estimated, WIDE * n_items ** -1/4 is the width."""


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
        # Few long rows are searched faster one by one.
        if np.ndim(nonreturn) == 0 and self.withheld.shape[1] < 64 * len(self.total):
            at = nonreturn * self.total
            avoided = interpolated(at, self.withheld, self.avoided)
        else:
            rows = zip(self.total, self.withheld, self.avoided, strict=True)
            avoided = np.array([np.interp(nonreturn * n, x, y) for n, x, y in rows])
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
    >>> from demur.arrays import Sample
    >>> from demur.arrays import rank
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
    number = np.ones(ranking.n_rows) if ranking.number is None else ranking.number
    return reweighted(ranking, number[None])


# -- what is read off ----------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Estimate:
    """A number estimated from a sample, with what each item contributes to it.

    Parameters
    ----------
    value : float
        The number itself.
    influence : array of float64, shape (n_items,)
        Sums to 0, over all items that are counted.
    """

    value: float
    influence: Floats

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference of two estimates from the same items."""
        return Estimate(self.value - other.value, self.influence - other.influence)


@dataclass(frozen=True)
class Quantity:
    """A number read off a curve.

    Parameters
    ----------
    name : {"error", "nonreturn", "area"}
        The error at a nonreturn rate (linear between vertices); the least nonreturn
        with an error that low; or the area under the curve, of several systems over
        the range that all their curves have.
    at : float, optional
        The nonreturn or the error rate; none for an area.
    between : tuple (low, high), optional
        Nonreturn rates between which the area is taken; every curve must reach the
        lower one.

    Examples
    --------
    >>> Quantity("error", 0.2).text
    'error at nonreturn 0.2'
    """

    name: str
    at: float | None = None
    between: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        where = "the quantity"
        choice(where, "name", self.name, NAMES)
        if self.name != "area":
            decimal_fraction(where, "at", self.at)
        elif self.at is not None:
            hint = "An area is over a range, not at a rate."
            raise InputError(where, "at", "be None", repr(self.at), hint)
        if self.between is not None:
            ends = pair("area", "between", self.between)
            low, high = (decimal_fraction("area", "between", end) for end in ends)
            if self.name != "area" or not low < high:
                need = "be two rising nonreturn rates, of an area"
                raise InputError(where, "between", need, shown(self.between))

    @property
    def text(self) -> str:
        """The quantity in words."""
        if self.between is not None:
            return "area from nonreturn " + " to ".join(map(exactly, self.between))
        other = {"error": "nonreturn", "nonreturn": "error"}.get(self.name)
        return f"{self.name} at {other} {exactly(self.at)}" if other else "area"

    @property
    def largest(self) -> float:
        """The most that the number, or a difference of two of them, can be."""
        if self.name == "area":
            low, high = self.between or (0.0, 1.0)
            return (high - low) * (1 - (low + high) / 2)
        return 1.0 - float(self.at or 0) if self.name == "error" else 1.0

    def check_difference(self, where: str, what: str, size: Any) -> None:
        """Refuse a size that no difference of two such numbers has."""
        number(where, what, size, SMALLEST, round(self.largest, 9))

    def values(self, curves: Sequence[DrawnCurves]) -> list[Floats]:
        """The number for each system, in each replicate.

        Parameters
        ----------
        curves : sequence of DrawnCurves
            One for each system, of the same replicates.

        Returns
        -------
        list of arrays of float64, shape (n_replicates,)
            A replicate that starts right of the wanted nonreturn has the error at its
            start.
        """
        if self.between is not None:
            low, high = self.between
            return [curve.area_from(low) - curve.area_from(high) for curve in curves]
        if self.name == "area":
            left = np.maximum.reduce([curve.start for curve in curves])
            return [curve.area_from(left) for curve in curves]
        if self.name == "error":
            return [curve.error_at(self.at) for curve in curves]
        return [curve.nonreturn_at(float(self.at or 0)) for curve in curves]

    def estimates(
        self, rankings: Sequence[Ranking], cluster: Clusters = None
    ) -> list[Estimate]:
        """The number for each system, with the influence of the items on it.

        Parameters
        ----------
        rankings : sequence of Ranking
            One for each system, of the same items.
        cluster : array of int64, shape (n_items,), or AlikeClusters, or None
            The independent units.

        Raises
        ------
        UndefinedRate
            If a curve does not reach the wanted nonreturn.
        """
        if self.between is not None:
            return [_part(ranking, *self.between) for ranking in rankings]
        if self.name == "area":
            return _areas(rankings)
        rate = float(self.at or 0)
        if self.name == "nonreturn":
            return [nonreturn_estimate(ranking, rate) for ranking in rankings]
        return [error_estimate(ranking, rate, cluster=cluster) for ranking in rankings]


def _areas(rankings: Sequence[Ranking]) -> list[Estimate]:
    """Areas over the range of all curves; its left end is estimated too."""
    starts = [float(observed(ranking).start[0]) for ranking in rankings]
    latest = int(np.argmax(starts))
    moving = start_influence(rankings[latest])
    return [
        area_estimate(ranking, starts[latest], moving=moving) for ranking in rankings
    ]


def _part(ranking: Ranking, low: float, high: float) -> Estimate:
    """The area between two fixed nonreturn rates."""
    start = float(observed(ranking).start[0])
    if low < start - ROUNDING:
        raise UndefinedRate(
            f"area from nonreturn {low:g}: the curve starts at nonreturn {start:.4g}. "
            "Take a range at or right of the start."
        )
    return area_estimate(ranking, low) - area_estimate(ranking, high)


# -- estimates and their influence -----------------------------------------------------


def error_estimate(
    ranking: Ranking,
    nonreturn: float,
    *,
    cluster: Clusters = None,
    slope: float | None = None,
    near: DrawnCurves | None = None,
) -> Estimate:
    """Error at a nonreturn rate, tied block answered at random in part.

    With weights summing to 1, an item moves the error by its weight times
    ``loss * answered - error + slope * (withheld - nonreturn)``: what it adds where
    the cutoff stands, and, through the cutoff it moves, the loss of the guesses that
    stand there.

    Parameters
    ----------
    nonreturn : float
        At or right of the curve's start.
    cluster : array of int64, shape (n_items,), or AlikeClusters, or None
        The independent units, which say how far the cutoff may move.
    slope : float, optional
        Loss per weight of the guesses at the cutoff. By default that of the guesses
        among which the true cutoff may stand (`local_loss`): the curve may bend there,
        so of three such slopes the one that gives the largest standard error.
    near : DrawnCurves, optional
        The curve of the same items by more cutoffs, whose slope it is.

    Returns
    -------
    Estimate

    Raises
    ------
    UndefinedRate
        Left of the curve's start, or with a single independent unit.
    """
    curves = observed(ranking)
    error = float(curves.error_at(nonreturn)[0])
    answered = answered_shares(ranking, nonreturn, curves)
    fixed = np.full(ranking.n_rows, -error)
    fixed[ranking.rows] += ranking.loss * answered[ranking.rows]
    stays = _weighted(ranking, fixed)
    moves = cutoff_moves(ranking, nonreturn, answered)
    if slope is None:
        how = ranking.weights(), cluster, ranking.number
        loss = left_out(stays, *how), left_out(moves, *how)
        units = units_counted(cluster, ranking.number)
        slope = _widest_slope(near or curves, nonreturn, *loss, units)
    return Estimate(error, stays + slope * moves)


def answered_shares(
    ranking: Ranking, nonreturn: float, curves: DrawnCurves | None = None
) -> Floats:
    """The share of each item that is answered at a nonreturn rate.

    Parameters
    ----------
    nonreturn : float
        At or right of the curve's start.
    curves : DrawnCurves, optional
        `observed` of the ranking, if it is at hand.

    Returns
    -------
    array of float64, shape (n_items,)
        Between 0 and 1 for the guesses of one block of equal confidences only.

    Raises
    ------
    UndefinedRate
        Left of the curve's start.
    """
    curves = curves or observed(ranking)
    start = float(curves.start[0])
    if nonreturn < start - ROUNDING:
        raise UndefinedRate(
            f"error at nonreturn {nonreturn:g}: the curve starts at nonreturn "
            f"{start:.4g}, where every guess is answered; further left its error is "
            "not known. Ask for a nonreturn at or right of the start."
        )
    x = curves.withheld[0] / curves.total[0]
    share = (x[1:] - nonreturn) / np.diff(x)
    answered = np.zeros(ranking.n_rows)
    answered[ranking.rows] = np.clip(share, 0.0, 1.0)[ranking.block()]
    return answered


def _widest_slope(
    curves: DrawnCurves,
    nonreturn: float,
    stays: Floats,
    moves: Floats,
    number: Positions | None,
) -> float:
    """The slope near a cutoff that makes the standard error of the error largest."""
    slopes = slopes_near(curves, nonreturn, spread(moves, number))
    return max(slopes, key=lambda slope: spread(stays + slope * moves, number))


def slopes_near(curves: DrawnCurves, nonreturn: float, reach: float) -> list[float]:
    """Loss per weight of the guesses at a cutoff, and to both sides of it.

    Parameters
    ----------
    curves : DrawnCurves
        Of the sample itself.
    nonreturn : float
        Where the cutoff stands.
    reach : float
        The standard error of the nonreturn at a given cutoff.
    """
    return [
        local_loss(curves, nonreturn + shift * reach, width=WIDTH * reach)
        for shift in (0.0, -SHIFT, SHIFT)
    ]


def cutoff_moves(ranking: Ranking, nonreturn: float, answered: Floats) -> Floats:
    """Influence on the share withheld at the cutoff of a nonreturn rate."""
    return _weighted(ranking, 1 - nonreturn - answered)


def nonreturn_estimate(
    ranking: Ranking, error: float, *, slope: float | None = None
) -> Estimate:
    """Least nonreturn at which the error is low enough.

    Parameters
    ----------
    error : float
        The wanted error rate.
    slope : float, optional
        Loss per weight of the guesses at the cutoff; by default from a window.

    Returns
    -------
    Estimate
        If even forced choice has so low an error, that of the curve's start.
    """
    curves = observed(ranking)
    nonreturn = float(curves.nonreturn_at(error)[0])
    start = float(curves.start[0])
    if nonreturn <= start:
        effect = np.full(ranking.n_rows, 1 - start)
        effect[ranking.rows] = -start
        return Estimate(start, _weighted(ranking, effect))
    width = WIDE * ranking.n_items**-0.25
    if slope is None:
        slope = local_loss(curves, nonreturn, width=width)
    # A window without errors has no slope: less than about a third of one is not seen.
    least = 0.3 / (ranking.n_items * width)
    moved = error_estimate(ranking, nonreturn, slope=slope).influence
    return Estimate(nonreturn, moved / max(slope, least))


def area_estimate(
    ranking: Ranking, nonreturn: float | None = None, *, moving: Floats | None = None
) -> Estimate:
    """Area under the curve from a nonreturn rate (by default its start) to 1.

    Parameters
    ----------
    nonreturn : float, optional
        Left end, at or right of the curve's start.
    moving : array of float64, shape (n_items,), optional
        Influence on the left end, if that is estimated too; by default 0 where a
        left end is given.

    Returns
    -------
    Estimate
    """
    curves = observed(ranking)
    start = float(curves.start[0])
    if nonreturn is None:
        nonreturn, moving = start, start_influence(ranking)
    area = float(curves.area_from(nonreturn)[0])
    level = float(curves.error_at(nonreturn)[0])
    stays, later = _integrals(curves, nonreturn)
    # Both come from integrating the influence on the error over nonreturn.
    effect = np.full(ranking.n_rows, level - nonreturn * level - 2 * area)
    block = ranking.block()
    effect[ranking.rows] += ranking.loss * stays[block] + later[block] - level
    influence = _weighted(ranking, effect)
    return Estimate(area, influence if moving is None else influence - level * moving)


def start_influence(ranking: Ranking) -> Floats:
    """Influence on the nonreturn at the curve's left end."""
    effect = np.zeros(ranking.n_rows)
    effect[ranking.silent] = 1.0
    weight = ranking.weights_together()
    effect -= (effect * weight).sum() / weight.sum()
    return _weighted(ranking, effect)


def local_loss(curves: DrawnCurves, nonreturn: float, *, width: float) -> float:
    """Loss per weight of the guesses near a cutoff: minus the curve's mean slope.

    Rates count by a normal curve around the nonreturn, cut where the error-return
    curve ends.

    Parameters
    ----------
    curves : DrawnCurves
        Of the sample itself.
    nonreturn : float
        Where the cutoff stands.
    width : float
        Standard deviation of the normal curve.

    Returns
    -------
    float
        0 without any width, or where there is no guess.
    """
    from scipy.special import ndtr

    if width <= 0:
        return 0.0
    total, every = curves.total[0], curves.withheld[0]
    middle = min(max(nonreturn, float(every[0] / total)), 1.0)
    ends = np.array([middle - REACH * width, middle + REACH * width]) * total
    begin, end = np.searchsorted(every, ends)
    near = slice(max(int(begin) - 1, 0), int(end) + 1)
    x = every[near] / total
    error = (curves.avoided[0, -1] - curves.avoided[0, near]) / total
    share = np.diff(ndtr((x - middle) / width))
    run = np.diff(x)
    some = (share > ROUNDING) & (run > 0)
    if not some.any():
        return 0.0
    slope = (error[:-1] - error[1:])[some] / run[some]
    return float(slope @ share[some] / share[some].sum())


def _integrals(curves: DrawnCurves, left: float) -> tuple[Floats, Floats]:
    """For each block: how long its guesses stay, and the error they still see.

    The integral, over nonreturn from ``left`` to 1, of the answered share of the
    block, and of the withheld share times minus the curve's slope.
    """
    x = curves.withheld[0] / curves.total[0]
    error = curves.error_at(x)[0]
    begin, end = x[:-1], x[1:]
    width = end - begin
    cut = np.clip(left, begin, end)
    stays = np.maximum(begin - left, 0) + (end - cut) ** 2 / (2 * width)
    slope = (error[:-1] - error[1:]) / width
    later = slope * (width**2 - (cut - begin) ** 2) / (2 * width)
    edge = float(curves.error_at(left)[0])
    later += np.where(end > left, error[1:], edge)
    return stays, later


def _weighted(ranking: Ranking, effect: Any) -> Floats:
    total = ranking.weights_together().sum()
    influence: Floats = effect * (ranking.weights() / total)
    return influence
