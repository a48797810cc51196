"""Influence values: by how much each item moves an estimate, to first order.

An estimate of a curve is its true value plus about the sum of these values over the
items, so that their spread gives standard errors, tests and plans without resampling.
The values of a sample add up to 0. Those of clusters are sums over their items.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice, decimal_fraction
from demur.errors import InputError, UndefinedRate, shown
from demur.statistics.rankings import Curves, Ranking, observed

ROUNDING = 1e-12

WINDOW = 0.5
"""The slope at a point is taken over nonreturn ± WINDOW * n_items ** -1/4."""


@dataclass(frozen=True, eq=False, slots=True)
class Estimate:
    """A number estimated from a sample, with what each item contributes to it.

    Parameters
    ----------
    value : float
    influence : array of float64, shape (n_items,)
        Sums to 0.
    """

    value: float
    influence: Floats

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference of two estimates from the same items."""
        return Estimate(self.value - other.value, self.influence - other.influence)


def error_estimate(
    ranking: Ranking, nonreturn: float, *, slope: float | None = None
) -> Estimate:
    """Error at a nonreturn rate, tied block answered at random in part.

    With weights summing to 1, an item moves the error by its weight times
    ``loss * answered - error + slope * (withheld - nonreturn)``: what it adds where
    the cutoff stands, and, through the cutoff it moves, the loss of the guesses that
    stand there.

    Parameters
    ----------
    ranking : Ranking
    nonreturn : float
        At or right of the curve's start.
    slope : float, optional
        Loss per weight of the guesses at the cutoff; by default from a window around
        it (`local_loss`).

    Returns
    -------
    Estimate

    Raises
    ------
    UndefinedRate
        Left of the curve's start.
    """
    curves = observed(ranking)
    start = float(curves.start[0])
    if nonreturn < start - ROUNDING:
        raise UndefinedRate(
            f"error at nonreturn {nonreturn:g}: the curve starts at nonreturn "
            f"{start:.4g}, where every guess is answered; further left its error is "
            "not known. Ask for a nonreturn at or right of the start."
        )
    error = float(curves.error_at(nonreturn)[0])
    if slope is None:
        slope = local_loss(ranking, nonreturn, curves=curves)
    answered = _answered_share(ranking, curves, nonreturn)
    effect = np.full(ranking.n_items, slope * (1 - nonreturn) - error)
    effect[ranking.rows] += (ranking.loss - slope) * answered
    return Estimate(error, _weighted(ranking, effect))


def nonreturn_estimate(
    ranking: Ranking, error: float, *, slope: float | None = None
) -> Estimate:
    """Least nonreturn at which the error is low enough.

    Parameters
    ----------
    ranking : Ranking
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
        effect = np.full(ranking.n_items, 1 - start)
        effect[ranking.rows] = -start
        return Estimate(start, _weighted(ranking, effect))
    if slope is None:
        slope = local_loss(ranking, nonreturn, curves=curves)
    least = 1 / (ranking.n_items * 2 * _half_window(ranking))
    moved = error_estimate(ranking, nonreturn, slope=slope).influence
    return Estimate(nonreturn, moved / max(slope, least))


def area_estimate(
    ranking: Ranking, nonreturn: float | None = None, *, moving: Floats | None = None
) -> Estimate:
    """Area under the curve from a nonreturn rate (by default its start) to 1.

    Parameters
    ----------
    ranking : Ranking
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
    effect = np.full(ranking.n_items, level - nonreturn * level - 2 * area)
    block = ranking.block()
    effect[ranking.rows] += ranking.loss * stays[block] + later[block] - level
    influence = _weighted(ranking, effect)
    return Estimate(area, influence if moving is None else influence - level * moving)


def start_influence(ranking: Ranking) -> Floats:
    """Influence on the nonreturn at the curve's left end."""
    effect = np.zeros(ranking.n_items)
    effect[ranking.silent] = 1.0
    weight = ranking.weights()
    effect -= (effect * weight).sum() / weight.sum()
    return _weighted(ranking, effect)


def local_loss(
    ranking: Ranking, nonreturn: float, *, curves: Curves | None = None
) -> float:
    """Loss per weight of the guesses that stand at a cutoff: minus the curve's slope.

    Taken over a window, because the slope at one point is that of one item. A tied
    block longer than the window has its own slope.
    """
    curves = observed(ranking) if curves is None else curves
    half = _half_window(ranking)
    low = max(nonreturn - half, float(curves.start[0]))
    high = min(nonreturn + half, 1.0)
    if high <= low:
        return 0.0
    ends = curves.error_at(np.array([low, high]))[0]
    return float((ends[0] - ends[1]) / (high - low))


def _half_window(ranking: Ranking) -> float:
    return WINDOW / math.sqrt(math.sqrt(ranking.n_items))


def _answered_share(ranking: Ranking, curves: Curves, nonreturn: float) -> Floats:
    """Share of each guess of ``rows`` that is answered at a nonreturn rate."""
    x = curves.withheld[0] / curves.total[0]
    share = (x[1:] - nonreturn) / np.diff(x)
    answered: Floats = np.clip(share, 0.0, 1.0)[ranking.block()]
    return answered


def _integrals(curves: Curves, left: float) -> tuple[Floats, Floats]:
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
    weight = ranking.weights()
    influence: Floats = effect * (weight / weight.sum())
    return influence


# -- independent units ---------------------------------------------------------------


def unit_sums(influence: Floats, cluster: Positions | None) -> Floats:
    """Influence of the independent units: sums over clusters, or the items' own.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
    cluster : array of int64, shape (n_items,), or None

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


def left_out(influence: Floats, ranking: Ranking, cluster: Positions | None) -> Floats:
    """By how much the estimate would change, to first order, without each unit.

    A unit with a large share of all weight pulls the estimate towards itself, so its
    own influence is less than its absence would show; this undoes that.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
    ranking : Ranking
        For the weights.
    cluster : array of int64, shape (n_items,), or None

    Returns
    -------
    array of float64, shape (n_units,)
    """
    weight = ranking.weights()
    share = unit_sums(weight / weight.sum(), cluster)
    if len(share) < 2:
        raise UndefinedRate(
            "standard_error: one item or cluster alone shows no spread. At least two "
            "independent ones are needed."
        )
    moved: Floats = unit_sums(influence, cluster) / (1 - share)
    return moved


def spread(moved: Floats) -> float:
    """Standard error from the units' `left_out` values, those of the jackknife.

    With units of equal weight it is sqrt(C/(C-1) sum of squared influences).
    """
    n_units = len(moved)
    return float(np.sqrt((n_units - 1) / n_units * np.square(moved).sum()))


NAMES = ("error", "nonreturn", "area")


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

    Examples
    --------
    >>> Quantity("error", 0.2).text
    'error at nonreturn 0.2'
    """

    name: str
    at: float | None = None

    def __post_init__(self) -> None:
        choice("Quantity", "name", self.name, NAMES)
        if self.name != "area":
            decimal_fraction("Quantity", "at", self.at)
        elif self.at is not None:
            hint = "An area is over a range, not at a rate."
            raise InputError("Quantity", "at", "be None", repr(self.at), hint)

    @property
    def text(self) -> str:
        """The quantity in words."""
        other = {"error": "nonreturn", "nonreturn": "error"}.get(self.name)
        return f"{self.name} at {other} {self.at:g}" if other else "area"

    def values(self, curves: Sequence[Curves]) -> list[Floats]:
        """The number for each system, in each replicate.

        Parameters
        ----------
        curves : sequence of Curves
            One for each system, of the same replicates.

        Returns
        -------
        list of arrays of float64, shape (n_replicates,)
            A replicate that starts right of the wanted nonreturn has the error at its
            start.
        """
        if self.name == "area":
            left = np.maximum.reduce([curve.start for curve in curves])
            return [curve.area_from(left) for curve in curves]
        if self.name == "error":
            return [curve.error_at(self.at) for curve in curves]
        return [curve.nonreturn_at(float(self.at or 0)) for curve in curves]

    def estimates(self, rankings: Sequence[Ranking]) -> list[Estimate]:
        """The number for each system, with the influence of the items on it.

        Parameters
        ----------
        rankings : sequence of Ranking
            One for each system, of the same items.

        Raises
        ------
        UndefinedRate
            If a curve does not reach the wanted nonreturn.
        """
        if self.name == "area":
            return _areas(rankings)
        rate = float(self.at or 0)
        if self.name == "nonreturn":
            return [nonreturn_estimate(ranking, rate) for ranking in rankings]
        return [error_estimate(ranking, rate) for ranking in rankings]


def _areas(rankings: Sequence[Ranking]) -> list[Estimate]:
    """Areas over the range of all curves; its left end is estimated too."""
    starts = [float(observed(ranking).start[0]) for ranking in rankings]
    latest = int(np.argmax(starts))
    moving = start_influence(rankings[latest])
    return [
        area_estimate(ranking, starts[latest], moving=moving) for ranking in rankings
    ]


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


def t_interval(value: float, moved: Floats, *, level: float) -> tuple[float, float]:
    """A number ± t standard errors, from the units' `influence.left_out` values.

    Examples
    --------
    >>> [round(end, 4) for end in t_interval(0.0, np.array([0.1, -0.1]), level=0.95)]
    [-1.2706, 1.2706]
    """
    deviation = spread(moved)
    if deviation <= ROUNDING:
        return no_spread(value, level=level, n_units=len(moved))
    reach = t_quantile(level, len(moved)) * deviation
    return value - reach, value + reach


def no_spread(value: float, *, level: float, n_units: float) -> tuple[float, float]:
    """Interval of a number between -1 and 1 when all units agree.

    A share of units that behave otherwise, and was missed, is at most
    1 - ((1 - level) / 2) ** (1 / n_units).

    Examples
    --------
    >>> [round(end, 4) for end in no_spread(0.0, level=0.95, n_units=100)]
    [-0.0362, 0.0362]
    """
    reach = -math.expm1(math.log((1 - level) / 2) / n_units)
    return max(value - reach, -1.0), min(value + reach, 1.0)


def check_level(where: str, level: float) -> None:
    """Raise `InputError` if a level makes no sense."""
    if not 0.5 <= level < 1:
        hint = "It is the share of intervals that hold the truth: 0.95."
        raise InputError(where, "level", "be from 0.5 to below 1", shown(level), hint)


def check_recipe(where: str, level: float, replicates: int | None) -> None:
    """Raise `InputError` if a level, or a number of replicates, makes no sense."""
    check_level(where, level)
    if replicates is None:
        return
    least = math.ceil(2 / (1 - level)) - 1
    if replicates < least:
        must = f"be at least {least} for a level of {level:g}"
        raise InputError(where, "replicates", must, shown(replicates))
