"""Bands around a curve: what the errors at fixed nonreturn rates may truly be."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.checks import choice
from demur.counting import Floats
from demur.errors import InputError, UndefinedRate, shown
from demur.influence import ROUNDING, unit_sums
from demur.intervals import (
    FEW_DRAWN,
    check_recipe,
    effective_items,
    error_interval,
    no_spread,
    percentiles,
    t_quantile,
)
from demur.rankings import Ranking, observed, rank
from demur.rates import frozen
from demur.resampling import cell_curves
from demur.samples import Sample

METHODS = {
    "influence": "pointwise (Wilson, by influence)",
    "bootstrap": "pointwise (bootstrap)",
    "sup-t": "simultaneous (sup-t, bootstrap)",
    "dkw": "simultaneous (DKW)",
}

REPLICATES = 1000


@dataclass(frozen=True, eq=False)
class Band:
    """A band around a curve, vertical: errors at fixed nonreturn rates.

    Parameters
    ----------
    nonreturn : array of float64, shape (n_rates,)
        Rising, from the curve's start.
    error, low, high : arrays of float64, shape (n_rates,)
        The curve (linear between vertices), and the band's edges.
    kind : str
        "vertical".
    level : float
        Pointwise: the share of samples in which the band holds the true error at any
        one rate. Simultaneous: at all of the rates together.
    simultaneous : bool
    method : str
        "influence", "bootstrap", "sup-t" or "dkw".
    replicates, seed : int or None
        None without resampling.
    signature : str
        The recipe, if made from outcomes.
    """

    nonreturn: Floats
    error: Floats
    low: Floats
    high: Floats
    kind: str
    level: float
    simultaneous: bool
    method: str
    replicates: int | None
    seed: int | None
    signature: str = ""

    @property
    def text(self) -> str:
        """Level, scope and method in words, for a legend."""
        return f"{100 * self.level:g} % {self.kind} band, {METHODS[self.method]}"

    def to_dict(self) -> dict[str, Any]:
        """The band as plain values for JSON."""
        arrays = ("nonreturn", "error", "low", "high")
        recipe = (
            "kind",
            "level",
            "simultaneous",
            "method",
            "replicates",
            "seed",
            "signature",
        )
        return {name: getattr(self, name).tolist() for name in arrays} | {
            name: getattr(self, name) for name in recipe
        }


def band(
    sample: Sample,
    *,
    method: str = "sup-t",
    level: float = 0.95,
    grid: Floats | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Band:
    """Confidence band of the error-return curve in its linear reading.

    ``influence`` and ``bootstrap`` are pointwise; percentiles of resamples are too low
    where few errors are left, Wilson's intervals are not. ``sup-t`` is simultaneous
    over the grid and approximate (shown by simulation): its width follows the
    standard error, on the scale of arcsin(sqrt(error)) with 3/8 of an error added.

    ``dkw`` is simultaneous over all rates from the true start on, for samples of any
    size, and proved: items on a line, wrong ones at its left end and right ones at its
    right end, each by falling confidence towards the middle, have one distribution
    function, whose largest deviation is below d = sqrt(ln(2 / (1 - level)) / (2 N))
    with probability ``level``. Then the wrong and the right answers above any cutoff
    are both known to within d. If the cutoff that truly has nonreturn x is above the
    one at which the sample has x, its true error is at most the sample's error at x
    plus d; if it is below, its right answers are at least the sample's minus d, and as
    error + right = 1 - x, the same holds. The lower edge likewise. Needs independent
    items of equal weight, each right or wrong.

    Parameters
    ----------
    sample : Sample
    method : {"sup-t", "dkw", "influence", "bootstrap"}
    level : float
    grid : array of float64, shape (n_rates,), optional
        Rising nonreturn rates, those left of the curve's start are dropped; by
        default the start and every hundredth.
    replicates, seed : int
        Of ``sup-t`` and ``bootstrap``; whole clusters are drawn if there are any.

    Returns
    -------
    Band

    Raises
    ------
    InputError
        If ``dkw`` is asked for with weights, clusters or partial credit.
    UndefinedRate
        If another band is asked for one item or cluster only.

    References
    ----------
    Massart (1990), Annals of Probability 18; Montiel Olea and Plagborg-Møller (2019),
    Journal of Applied Econometrics 34, for sup-t bands; Anscombe (1948), Biometrika
    35, for the scale.

    Examples
    --------
    >>> confidence = np.linspace(0, 1, 1000)
    >>> sample = Sample(np.ones(1000, bool), confidence, 1.0 * (confidence < 0.3))
    >>> edges = band(sample, method="dkw", grid=np.array([0.1, 0.2]))
    >>> edges.low.round(4), edges.high.round(4)
    (array([0.1571, 0.0571]), array([0.2429, 0.1429]))
    """
    choice("band", "method", method, METHODS)
    resampling = method in ("sup-t", "bootstrap")
    check_recipe("band", level, replicates if resampling else None)
    if method != "dkw" and sample.n_clusters < 2:
        raise UndefinedRate(
            "band: one item or cluster alone shows no spread. At least two independent "
            "ones are needed."
        )
    ranking = rank(sample)
    curve = observed(ranking)
    rates = band_rates(grid, float(curve.start[0]))
    error = curve.error_at(rates)[0]
    if method == "dkw":
        edges = _dkw(sample, error, level)
    elif method == "influence":
        pairs = [error_interval(sample, ranking, float(x), level) for x in rates]
        low, high = np.array(pairs).reshape(-1, 2).T
        edges = low, high
    else:
        drawn = _replicated(sample, ranking, rates, replicates, seed)
        make = _sup_t if method == "sup-t" else _percentile
        edges = make(sample, error, drawn, level)
    low, high = _possible(rates, error, edges)
    return Band(
        nonreturn=frozen(rates),
        error=frozen(error),
        low=frozen(low),
        high=frozen(high),
        kind="vertical",
        level=level,
        simultaneous=method in ("sup-t", "dkw"),
        method=method,
        replicates=replicates if resampling else None,
        seed=seed if resampling else None,
    )


def band_rates(grid: Floats | None, start: float) -> Floats:
    """The rates of a band: the start and every hundredth, or a given grid, checked.

    Examples
    --------
    >>> band_rates(np.array([0.1, 0.2, 0.3]), 0.15)
    array([0.2, 0.3])
    """
    if grid is None:
        return np.union1d([start], np.arange(math.ceil(start * 100), 101) / 100)
    rates = np.array(grid, np.float64)
    ordered = rates.ndim == 1 and not (np.diff(rates) < 0).any()
    if not ordered or not ((rates >= 0) & (rates <= 1)).all():
        must = "hold rising nonreturn rates from 0 to 1"
        raise InputError("band", "grid", must, shown(rates.tolist()))
    return rates[rates >= start - ROUNDING]


def _possible(
    rates: Floats, error: Floats, edges: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Edges cut to what an error at these rates can be; it never rises with them."""
    low = np.minimum(np.maximum(edges[0], 0.0), error)
    high = np.maximum(np.minimum(edges[1], 1 - rates), error)
    return low, np.minimum.accumulate(high)


def _dkw(sample: Sample, error: Floats, level: float) -> tuple[Floats, Floats]:
    partial = bool(((sample.loss != 0) & (sample.loss != 1)).any())
    reasons = {
        "clusters": sample.cluster is not None,
        "weights": sample.weight is not None,
        "partial credit": partial,
    }
    for reason, present in reasons.items():
        if present:
            must = "be of independent items of equal weight, right or wrong, for dkw"
            hint = 'Use method="sup-t", which takes them into account.'
            raise InputError("band", "the sample", must, reason, hint)
    reach = math.sqrt(math.log(2 / (1 - level)) / (2 * len(sample)))
    return error - reach, error + reach


def _replicated(
    sample: Sample, ranking: Ranking, rates: Floats, replicates: int, seed: int
) -> Floats:
    """Errors at the rates in each resample, shape (n_replicates, n_rates)."""
    drawn, own = cell_curves(ranking, sample.cluster, replicates=replicates, seed=seed)
    gap = observed(ranking).error_at(rates) - own.error_at(rates)
    errors: Floats = np.clip(drawn.error_at(rates) + gap, 0.0, 1.0)
    return errors


def _percentile(
    sample: Sample, error: Floats, drawn: Floats, level: float
) -> tuple[Floats, Floats]:
    n_units = sample.n_clusters
    ends = [percentiles(each, level=level, n_units=n_units) for each in drawn.T]
    low, high = np.array(ends).reshape(len(error), 2).T
    return low, high


def _sup_t(
    sample: Sample, error: Floats, drawn: Floats, level: float
) -> tuple[Floats, Floats]:
    """Edges that hold ``level`` of the resampled curves, equally wide in deviations."""
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    units = unit_sums(weight, sample.cluster)
    items = effective_items(sample.weight, len(sample))
    added = 0.375 / items

    def scale(rate: Floats) -> Floats:
        angle: Floats = np.arcsin(np.sqrt((rate + added) / (1 + 2 * added)))
        return angle

    def back(angle: Floats) -> Floats:
        inside = np.clip(angle, scale(np.zeros(1)), scale(np.ones(1)))
        rate: Floats = np.sin(inside) ** 2 * (1 + 2 * added) - added
        return rate

    angles, middle = scale(drawn), scale(error)
    seen = angles.std(axis=0)
    # Where no resample differs, clusters that would differ may all have been missed.
    clusters = effective_items(units, len(units))
    size = np.where(seen <= ROUNDING, clusters, items)
    # The deviation is never below that of the rarest error that could be seen.
    deviation = np.maximum(seen, 1 / (2 * np.sqrt(size)))
    largest = np.max(np.abs(angles - middle) / deviation, axis=1, initial=0.0)
    factor = float(np.quantile(largest, level)) * _widening(sample.n_clusters, level)
    low, high = back(middle - factor * deviation), back(middle + factor * deviation)
    # Nor are the edges nearer than no error at all, or no other, would leave possible.
    reach = [no_spread(0.0, level=level, n_units=n)[1] for n in (clusters, items)]
    least = np.where(seen <= ROUNDING, *reach)
    low = np.where(seen <= ROUNDING, np.minimum(low, error - least), low)
    return low, np.maximum(high, np.where(seen <= ROUNDING, error + least, least))


def _widening(n_units: int, level: float) -> float:
    """What few units add to a bootstrap deviation: as for `intervals.percentiles`."""
    from scipy.special import ndtri

    if n_units >= FEW_DRAWN:
        return 1.0
    normal = float(ndtri((1 + level) / 2))
    return t_quantile(level, n_units) / normal * math.sqrt(n_units / (n_units - 1))
