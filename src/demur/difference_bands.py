"""Bands around the difference of two curves on the same items."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.bands import band_rates
from demur.counting import Floats
from demur.influence import ROUNDING, error_estimate, left_out, spread
from demur.intervals import (
    FEW_DRAWN,
    check_level,
    effective_items,
    no_spread,
    t_quantile,
)
from demur.paired_tests import check_paired
from demur.rankings import Ranking, observed, rank
from demur.rates import frozen
from demur.samples import Sample

DRAWS = 10_000
"""Normal vectors drawn for the quantile of the largest deviation."""

ALL_RATES = "simultaneous (sup-t, by influence)"
ONE_RATE = "pointwise (t, by influence)"


@dataclass(frozen=True, eq=False)
class DifferenceBand:
    """A band around the error of b less that of a, at fixed nonreturn rates.

    Parameters
    ----------
    nonreturn : array of float64, shape (n_rates,)
        Rising, from where both curves exist.
    difference, low, high : arrays of float64, shape (n_rates,)
        Error of b less error of a (linear between vertices), and the band's edges.
    level : float
        Pointwise: the share of samples in which the band holds the true difference at
        any one rate. Simultaneous: at all of the rates together.
    simultaneous : bool
    method : str
        "influence".
    seed : int or None
        Of the draws for a simultaneous band.
    n_items : int
    n_clusters : int or None
        None if every item stands alone.
    signature : str
        The recipe, if made from outcomes.
    """

    nonreturn: Floats
    difference: Floats
    low: Floats
    high: Floats
    level: float
    simultaneous: bool
    method: str
    seed: int | None
    n_items: int
    n_clusters: int | None
    signature: str = ""

    @property
    def text(self) -> str:
        """Level, scope and method in words, for a legend."""
        scope = ALL_RATES if self.simultaneous else ONE_RATE
        return f"{100 * self.level:g} % vertical band, {scope}"

    def surely(self) -> list[tuple[float, float, str]]:
        """Stretches of rates at which the band does not hold 0.

        Returns
        -------
        list of tuple (from, to, better)
            The first and the last rate of each stretch, and who is better there: "a"
            or "b". With a simultaneous band all of it holds together.
        """
        sign = (self.low > 0).astype(int) - (self.high < 0)
        edges = np.flatnonzero(np.diff(sign)) + 1
        starts = [0, *edges.tolist()]
        ends = [*edges.tolist(), len(sign)]
        return [
            (
                float(self.nonreturn[start]),
                float(self.nonreturn[end - 1]),
                "a" if sign[start] > 0 else "b",
            )
            for start, end in zip(starts, ends, strict=True)
            if end > start and sign[start] != 0
        ]

    def to_dict(self) -> dict[str, Any]:
        """The band as plain values for JSON."""
        arrays = ("nonreturn", "difference", "low", "high")
        size = ("n_items", "n_clusters", "signature")
        recipe = ("level", "simultaneous", "method", "seed", *size)
        listed = [
            {"from": start, "to": end, "better": better}
            for start, end, better in self.surely()
        ]
        return (
            {name: getattr(self, name).tolist() for name in arrays}
            | {name: getattr(self, name) for name in recipe}
            | {"surely": listed}
        )


def difference_band(
    a: Sample,
    b: Sample,
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    grid: Floats | None = None,
    seed: int = 0,
) -> DifferenceBand:
    """Confidence band of the difference of two error-return curves, B - A.

    At each rate the difference has a standard error from the influence of the items
    (of whole clusters, if there are any) on both curves. The edges of a pointwise band
    are as many standard errors away as Student's t says; those of a simultaneous one
    as many as the largest deviation over all rates seldom exceeds, in draws with the
    same correlations (and, for few clusters, as few of them); there one error more in
    each system is counted in, because rare errors are skewed. No edge is nearer than
    what would be possible if no item had shown a difference. Approximate; its coverage
    is shown by simulation.

    Parameters
    ----------
    a, b : Sample
        Of the same items in the same order, with the same weights and clusters.
    level : float
    simultaneous : bool
    grid : array of float64, shape (n_rates,), optional
        Rising nonreturn rates, those left of a curve's start are dropped; by default
        the later start and every hundredth.
    seed : int
        Of the draws for a simultaneous band.

    Returns
    -------
    DifferenceBand

    Raises
    ------
    InputError
        If the samples cannot be paired.
    UndefinedRate
        If there is one item or cluster only.

    References
    ----------
    Montiel Olea and Plagborg-Møller (2019), Journal of Applied Econometrics 34, for
    the plug-in sup-t band.

    Examples
    --------
    B is as sure as A, and right where A is not, for 10 of 100 items:

    >>> confidence, guess = np.linspace(0, 1, 100), np.ones(100, bool)
    >>> a = Sample(guess, confidence, 1.0 * (np.arange(100) % 5 == 0))
    >>> b = Sample(guess, confidence, 1.0 * (np.arange(100) % 10 == 0))
    >>> found = difference_band(a, b, grid=np.array([0.0, 0.5]))
    >>> found.difference.round(2), found.high.round(3)
    (array([-0.1 , -0.05]), array([-0.028,  0.005]))
    """
    check_level("difference_band", level)
    check_paired([a, b])
    rankings = rank(a), rank(b)
    start = max(float(observed(each).start[0]) for each in rankings)
    rates = band_rates(grid, start)
    moved = np.empty((len(rates), a.n_clusters), np.float32)
    difference, deviation = np.empty((2, len(rates)))
    for row, rate in enumerate(rates.tolist()):
        difference[row], exact = _moved(rankings, rate, a)
        deviation[row] = spread(exact)
        moved[row] = exact
    factor, added = t_quantile(level, a.n_clusters), 0.0
    if simultaneous:
        factor = max(factor, _largest(moved, deviation, level, seed))
        added = 2 / effective_items(a.weight, len(a)) ** 2
    spreads = np.sqrt(deviation**2 + added)
    reach = np.maximum(factor * spreads, _least_reach(a, level, deviation))
    return DifferenceBand(
        nonreturn=frozen(rates),
        difference=frozen(difference),
        low=frozen(np.minimum(np.maximum(difference - reach, rates - 1), difference)),
        high=frozen(np.maximum(np.minimum(difference + reach, 1 - rates), difference)),
        level=level,
        simultaneous=simultaneous,
        method="influence",
        seed=seed if simultaneous else None,
        n_items=len(a),
        n_clusters=None if a.cluster is None else a.n_clusters,
    )


def _moved(
    rankings: tuple[Ranking, Ranking], rate: float, sample: Sample
) -> tuple[float, Floats]:
    """The difference at a rate, and by how much it would change without each unit."""
    first, second = (error_estimate(each, rate) for each in rankings)
    apart = second - first
    return apart.value, left_out(apart.influence, rankings[0], sample.cluster)


def _least_reach(sample: Sample, level: float, deviation: Floats) -> Floats:
    """What would be possible if no item, or no cluster, had shown a difference."""
    items = effective_items(sample.weight, len(sample))
    sizes = sample.n_clusters, items
    none = [no_spread(0.0, level=level, n_units=size)[1] for size in sizes]
    return np.where(deviation <= ROUNDING, *none)


def _largest(moved: Any, deviation: Floats, level: float, seed: int) -> float:
    """Quantile of the largest standardized deviation at any of the rates."""
    seen = deviation > ROUNDING
    if not seen.any():
        return 0.0
    units = moved[seen] / np.linalg.norm(moved[seen], axis=1, keepdims=True)
    values, vectors = np.linalg.eigh((units @ units.T).astype(np.float64))
    root = vectors * np.sqrt(np.maximum(values, 0))
    rng = np.random.default_rng(seed)
    n_units = moved.shape[1]
    if n_units >= FEW_DRAWN:
        drawn = np.abs(rng.standard_normal((DRAWS, len(root))) @ root.T)
        return float(np.quantile(drawn.max(axis=1), level))
    largest = np.empty(DRAWS)
    for draw in range(DRAWS):
        units = rng.standard_normal((n_units, len(root))) @ root.T
        error = units.std(axis=0, ddof=1) / math.sqrt(n_units)
        largest[draw] = np.abs(units.mean(axis=0) / error).max()
    return float(np.quantile(largest, level))
