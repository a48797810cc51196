"""The numbers read off a curve: an error, a nonreturn, an area."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice, decimal_fraction, pair
from demur.errors import InputError, UndefinedRate, shown
from demur.statistics.influence import (
    Estimate,
    area_estimate,
    error_estimate,
    nonreturn_estimate,
    start_influence,
)
from demur.statistics.rankings import Curves, Ranking, observed
from demur.statistics.units import ROUNDING

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
                must = "be two rising nonreturn rates, of an area"
                raise InputError(where, "between", must, shown(self.between))

    @property
    def text(self) -> str:
        """The quantity in words."""
        if self.between is not None:
            return f"area from nonreturn {self.between[0]:g} to {self.between[1]:g}"
        other = {"error": "nonreturn", "nonreturn": "error"}.get(self.name)
        return f"{self.name} at {other} {self.at:g}" if other else "area"

    @property
    def largest(self) -> float:
        """The most that the number, or a difference of two of them, can be."""
        if self.name == "area":
            low, high = self.between or (0.0, 1.0)
            return (high - low) * (1 - (low + high) / 2)
        return 1.0 - float(self.at or 0) if self.name == "error" else 1.0

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
        if self.between is not None:
            low, high = self.between
            return [each.area_from(low) - each.area_from(high) for each in curves]
        if self.name == "area":
            left = np.maximum.reduce([curve.start for curve in curves])
            return [curve.area_from(left) for curve in curves]
        if self.name == "error":
            return [curve.error_at(self.at) for curve in curves]
        return [curve.nonreturn_at(float(self.at or 0)) for curve in curves]

    def estimates(
        self, rankings: Sequence[Ranking], cluster: Positions | None = None
    ) -> list[Estimate]:
        """The number for each system, with the influence of the items on it.

        Parameters
        ----------
        rankings : sequence of Ranking
            One for each system, of the same items.
        cluster : array of int64, shape (n_items,), or None
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
