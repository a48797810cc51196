"""Bands around a curve: what the errors at fixed nonreturn rates may truly be."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.arrays import Floats, Ranking, Sample, effective_items, frozen, rank
from demur.checks import check_level, check_recipe, choice
from demur.errors import InputError, shown
from demur.results import Column, Result, Table, p_text
from demur.statistics.equal_units import (
    equal_units,
    equal_units_of,
    worth_notes,
    worth_of,
)
from demur.statistics.error_intervals import error_interval
from demur.statistics.intervals import FEW_DRAWN, percentiles
from demur.statistics.paired_tests import check_paired
from demur.statistics.quantities import error_estimate, observed
from demur.statistics.rare_errors import FEW_ERRORS, rising_factor
from demur.statistics.resampling import cell_curves
from demur.statistics.units import (
    ROUNDING,
    check_units,
    left_out,
    no_spread,
    spread,
    t_quantile,
    unit_sums,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

METHODS = {
    "influence": "pointwise (Clopper-Pearson, by influence)",
    "bootstrap": "pointwise (bootstrap)",
    "sup-t": "simultaneous (sup-t, bootstrap)",
    "dkw": "simultaneous (DKW)",
}

REPLICATES = 1000


def _worth_notes(band: Any) -> tuple[str, ...]:
    """How few equal clusters these are worth, if they are."""
    return worth_notes(band.n_clusters, band.worth)


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result):
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
        Whether it holds at all rates together.
    method : str
        "influence", "bootstrap", "sup-t" or "dkw".
    replicates, seed : int or None
        None without resampling.
    n_clusters : int or None
        None if every item stands alone.
    worth : float or None
        How many equal clusters these are worth, if less than half of their number.
    system : str
        Its name, if made from outcomes.
    recipe : mapping of str to str
        How it came about, if made from outcomes.
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
    n_clusters: int | None = None
    worth: float | None = None
    system: str = ""
    recipe: Mapping[str, str] = field(default_factory=dict)

    notes = property(_worth_notes)

    @property
    def text(self) -> str:
        """Level, scope and method in words, for a legend."""
        return f"{100 * self.level:g} % {self.kind} band, {METHODS[self.method]}"

    def sentence(self) -> str:
        """What the error may truly be near a nonreturn of a fifth."""
        if not len(self.nonreturn):
            return "There is no rate at which the curve exists, so there is no band."
        near = int(np.argmin(np.abs(self.nonreturn - _SHOWN)))
        whose = f" of {self.system}" if self.system else ""
        low, high = self.low[near], self.high[near]
        return (
            f"At nonreturn {self.nonreturn[near]:g} the error{whose} is "
            f"{self.error[near]:.3f}, and truly from {low:.3f} to {high:.3f} "
            f"({self.text})."
        )

    def tables(self) -> tuple[Table]:
        """The curve and the edges at each rate."""
        return (band_table(self, "error"),)

    def __repr__(self) -> str:
        whose = f"{self.system!r}: " if self.system else ""
        return f"Band({whose}{self.text}, {len(self.nonreturn)} rates)"


_SHOWN: Final = 0.2


def band_table(band: Any, middle: str) -> Table:
    """A row for each rate: the line in the middle, and the edges."""
    cells = "share" if middle == "error" else "difference"
    columns = (
        Column("nonreturn", cells="share"),
        Column(middle, cells=cells),
        Column("low", cells=cells, explained="from low to high: the band"),
        Column("high", cells=cells),
    )
    return Table.of_arrays(columns, band)


def sample_band(
    sample: Sample,
    *,
    method: str = "sup-t",
    level: float = 0.95,
    grid: Floats | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Band:
    """Confidence band of the error-return curve in its linear reading.

    For a `Sample`; what it rests on and what the arguments mean is said in
    `demur.band`.

    Examples
    --------
    >>> confidence = np.linspace(0, 1, 1000)
    >>> sample = Sample(np.ones(1000, bool), confidence, 1.0 * (confidence < 0.3))
    >>> edges = sample_band(sample, method="dkw", grid=np.array([0.1, 0.2]))
    >>> edges.low.round(4), edges.high.round(4)
    (array([0.1571, 0.0571]), array([0.2429, 0.1429]))
    """
    choice("band", "method", method, METHODS)
    resampling = method in ("sup-t", "bootstrap")
    check_recipe("band", level, replicates if resampling else None)
    if method != "dkw":
        check_units("band", sample)
    ranking = rank(sample)
    curve = observed(ranking)
    rates = band_rates(grid, float(curve.start[0]))
    error = curve.error_at(rates)[0]
    if method == "dkw":
        edges = _dkw(sample, error, level)
    elif method == "influence":
        pairs = [
            error_interval(sample, ranking, float(rate), level, curve) for rate in rates
        ]
        low, high = np.array(pairs).reshape(-1, 2).T
        edges = low, high
    else:
        how: Any = {"replicates": replicates, "seed": seed, "executor": executor}
        drawn = _replicated(ranking, rates, sample.cluster, how)
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
        n_clusters=None if sample.cluster is None else sample.n_clusters,
        worth=worth_of(sample),
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
        need = "hold rising nonreturn rates from 0 to 1"
        raise InputError("band", "grid", need, shown(rates.tolist()))
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
            need = "be of independent items of equal weight, right or wrong, for dkw"
            hint = 'Use method="sup-t", which takes them into account.'
            raise InputError("band", "the sample", need, reason, hint)
    reach = math.sqrt(math.log(2 / (1 - level)) / (2 * sample.n_items))
    return error - reach, error + reach


def _replicated(ranking: Ranking, rates: Floats, cluster: Any, how: Any) -> Floats:
    """Errors at the rates in each resample, shape (n_replicates, n_rates)."""
    drawn, real = cell_curves(ranking, cluster, **how)
    gap = observed(ranking).error_at(rates) - real.error_at(rates)
    errors: Floats = np.clip(drawn.error_at(rates) + gap, 0.0, 1.0)
    return errors


def _percentile(
    sample: Sample, error: Floats, drawn: Floats, level: float
) -> tuple[Floats, Floats]:
    n_units = equal_units_of(sample)
    ends = [percentiles(errors, level=level, n_units=n_units) for errors in drawn.T]
    low, high = np.array(ends).reshape(len(error), 2).T
    return low, high


def _sup_t(
    sample: Sample, error: Floats, drawn: Floats, level: float
) -> tuple[Floats, Floats]:
    """Edges that hold ``level`` of the resampled curves, equally wide in deviations."""
    clusters = equal_units_of(sample)
    items = effective_items(sample.weight, sample.n_items, sample.number)
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
    size = np.where(seen <= ROUNDING, clusters, items)
    # The deviation is never below that of the rarest error that could be seen.
    deviation = np.maximum(seen, 1 / (2 * np.sqrt(size)))
    largest = np.max(np.abs(angles - middle) / deviation, axis=1, initial=0.0)
    widening = _widening(clusters, level)
    factor = float(np.quantile(largest, level)) * widening
    # Errors as of independent answers that would vary as much: copies are not counted.
    errors = error / (4 * deviation**2)
    rare = errors <= FEW_ERRORS
    most = int(np.rint(errors[rare].max(initial=0.0)))
    upper = np.where(rare, max(factor, rising_factor(level, most) * widening), factor)
    low, high = back(middle - factor * deviation), back(middle + upper * deviation)
    # Nor are the edges nearer than no error at all, or no other, would leave possible.
    reach = [no_spread(0.0, level=level, n_units=n)[1] for n in (clusters, items)]
    least = np.where(seen <= ROUNDING, *reach)
    low = np.where(seen <= ROUNDING, np.minimum(low, error - least), low)
    return low, np.maximum(high, np.where(seen <= ROUNDING, error + least, least))


def _widening(n_units: float, level: float) -> float:
    """What few units add to a bootstrap deviation: as for `intervals.percentiles`."""
    from scipy.special import ndtri

    if n_units >= FEW_DRAWN:
        return 1.0
    normal = float(ndtri((1 + level) / 2))
    return t_quantile(level, n_units) / normal * math.sqrt(n_units / (n_units - 1))


DRAWS = 10_000
"""Normal vectors drawn for the quantile of the largest deviation."""

AT_ONCE = 250

STRETCHED_AT = 0.95

SMALL_SHARE = 1 / 64
"""Units with less than this share of all weight are drawn as if of equal size."""

SOME_ERRORS = 10
"""The test of the whole curve looks where so many answers make the difference."""

ALL_RATES = "simultaneous (sup-t, by influence)"

ONE_RATE = "pointwise (t, by influence)"


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceBand(Result):
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
        Whether it holds at all rates together.
    method : str
        "influence".
    seed : int or None
        Of the draws for a simultaneous band.
    n_items : int
        That both systems have.
    n_clusters : int or None
        None if every item stands alone.
    worth : float or None
        How many equal clusters these are worth, if less than half of their number.
    p_value : float or None
        Two-sided, of "the curves do not differ at any of the rates": the largest
        deviation over the rates at which the difference rests on about ten answers or
        more, against draws. At most 1 - level where the band leaves out 0 somewhere;
        the band, which allows for rare errors too, may hold 0 where p is lower. None
        for a pointwise band.
    a, b : str
        The systems.
    recipe : mapping of str to str
        How it came about, if made from outcomes.
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
    worth: float | None = None
    p_value: float | None = None
    a: str = ""
    b: str = ""
    recipe: Mapping[str, str] = field(default_factory=dict)

    notes = property(_worth_notes)

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

    def sentence(self) -> str:
        """Where one is surely better."""
        names = {"a": self.a or "a", "b": self.b or "b"}
        where: dict[str, list[str]] = {}
        for start, end, better in self.surely():
            where.setdefault(names[better], []).append(f"from {start:g} to {end:g}")
        rests = self.text
        if self.p_value is not None:
            rests += f"; test of the whole curve: {p_text(self.p_value)}"
        if not where:
            return (
                f"At no nonreturn is it sure that {names['a']} or {names['b']} errs "
                f"less ({rests})."
            )
        surely = [
            f"{name} surely errs less at nonreturns {' and '.join(stretches)}"
            for name, stretches in where.items()
        ]
        return f"{'; '.join(surely)} ({rests})."

    def tables(self) -> tuple[Table]:
        """The difference and the edges at each rate."""
        return (band_table(self, "difference"),)

    def __repr__(self) -> str:
        names = f"{self.b!r} less {self.a!r}: " if self.a or self.b else ""
        p_value = "" if self.p_value is None else f", p_value={self.p_value:.4g}"
        return f"DifferenceBand({names}{self.text}{p_value})"

    def to_dict(self) -> dict[str, Any]:
        """The band as plain values for JSON, with where one is surely better."""
        listed = [
            {"from": start, "to": end, "better": better}
            for start, end, better in self.surely()
        ]
        return super().to_dict() | {"surely": listed}


def paired_band(
    a: Sample,
    b: Sample,
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    grid: Floats | None = None,
    seed: int = 0,
) -> DifferenceBand:
    """Confidence band of the difference of two error-return curves, B - A.

    For two samples; what it rests on and what the arguments mean is said in
    `demur.difference_band`.

    Examples
    --------
    B is as sure as A, and right where A is not, for 10 of 100 items:

    >>> confidence, guess = np.linspace(0, 1, 100), np.ones(100, bool)
    >>> a = Sample(guess, confidence, 1.0 * (np.arange(100) % 5 == 0))
    >>> b = Sample(guess, confidence, 1.0 * (np.arange(100) % 10 == 0))
    >>> found = paired_band(a, b, grid=np.array([0.0, 0.5]))
    >>> found.difference.round(2), found.high.round(3)
    (array([-0.1 , -0.05]), array([-0.028,  0.005]))
    """
    check_level("difference_band", level)
    check_paired([a, b])
    rankings = rank(a), rank(b)
    start = max(float(observed(ranking).start[0]) for ranking in rankings)
    rates = band_rates(grid, start)
    difference, deviation, moved = _differences(rankings, rates, a)
    weight = unit_sums(rankings[0].weights(), a.cluster)
    worth, items = equal_units(weight), effective_items(a.weight, len(a))
    factor, added, p_value = t_quantile(level, worth), 0.0, None
    seen = deviation > ROUNDING
    if simultaneous:
        p_value, added = 1.0, 2 / items**2
    if simultaneous and seen.any():
        drawn = _by_luck(moved if seen.all() else moved[seen], weight, seed)
        del moved
        factor = max(factor, float(np.quantile(drawn.max(axis=1), level)))
        least = math.sqrt(SOME_ERRORS) / items
        p_value = _whole(difference[seen], deviation[seen], drawn, least)
    spreads = np.sqrt(deviation**2 + added)
    reach = np.maximum(factor * spreads, _least_reach((worth, items), level, deviation))
    if p_value is not None and (np.abs(difference) > reach).any():
        p_value = min(p_value, 1 - level)
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
        worth=worth_of(a),
        p_value=p_value,
    )


def _differences(
    rankings: tuple[Ranking, Ranking], rates: Floats, sample: Sample
) -> tuple[Floats, Floats, Any]:
    """At each rate the difference, its deviation, and what each unit moves it by.

    The last, shape (n_rates, n_units), is by far the largest, so in single precision.
    """
    moved = np.empty((len(rates), sample.n_clusters), np.float32)
    difference, deviation = np.empty((2, len(rates)))
    for row, rate in enumerate(rates.tolist()):
        first, second = (
            error_estimate(ranking, rate, cluster=sample.cluster)
            for ranking in rankings
        )
        apart = second - first
        exact = left_out(apart.influence, rankings[0].weights(), sample.cluster)
        difference[row], deviation[row] = apart.value, spread(exact)
        moved[row] = exact
    return difference, deviation, moved


def _least_reach(sizes: tuple[float, float], level: float, deviation: Floats) -> Floats:
    """What would be possible if no cluster, or no item, had shown a difference."""
    none = [no_spread(0.0, level=level, n_units=size)[1] for size in sizes]
    return np.where(deviation <= ROUNDING, *none)


def _by_luck(moved: Any, weight: Floats, seed: int) -> Floats:
    """Standardized deviations by luck alone, shape (n_draws, n_rates).

    Of few units each is drawn with its share of all weight as its variance, and the
    spread of the draws is that of `units.left_out`. Large units may vary by more than
    their share; so that at any one rate a deviation is as rare as Student's t has it,
    deviations are stretched. What is given is overwritten: it is by far the largest
    array of all.
    """
    share = weight / weight.sum()
    for row in moved:
        row /= np.linalg.norm(row)
    values, vectors = np.linalg.eigh((moved @ moved.T).astype(np.float64))
    # Of all square roots the symmetric one: eigenvectors, and with them the draws of a
    # seed, would differ from one processor to the next.
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    rng = np.random.default_rng(seed)
    n_rates, worth = len(root), equal_units(share)
    drawn: Floats
    if worth >= FEW_DRAWN:
        drawn = np.abs(rng.standard_normal((DRAWS, n_rates)) @ root)
        return drawn
    drawn, share = np.empty((DRAWS, n_rates)), _drawn_shares(share)
    for begin in range(0, DRAWS, AT_ONCE):
        normal = rng.standard_normal((AT_ONCE, len(share), n_rates)) @ root
        normal *= np.sqrt(share)[:, None]
        total = normal.sum(axis=1)
        normal -= share[:, None] * total[:, None]
        square = np.einsum("dur,dur,u->dr", normal, normal, 1 / (1 - share))
        drawn[begin : begin + AT_ONCE] = np.abs(total) / np.sqrt(square)
    if worth < len(share):
        wanted = t_quantile(STRETCHED_AT, worth)
        drawn *= max(wanted / float(np.quantile(drawn, STRETCHED_AT)), 1.0)
    return drawn


def _drawn_shares(share: Floats) -> Floats:
    """Shares of the units that are drawn: the many small ones in fewer of one size."""
    large = share[share > SMALL_SHARE]
    rest = 1 - float(large.sum())
    if len(large) == len(share) or rest <= 0:
        return share
    n_small = math.ceil(rest / SMALL_SHARE)
    return np.append(large, np.full(n_small, rest / n_small))


def _whole(difference: Floats, deviation: Floats, drawn: Floats, least: float) -> float:
    """P value of the largest standardized difference, over rates with some errors."""
    kept = deviation >= least
    if not kept.any():
        return 1.0
    most = np.max(np.abs(difference[kept]) / deviation[kept])
    beyond = np.count_nonzero(drawn[:, kept].max(axis=1) >= most)
    return float((beyond + 1) / (len(drawn) + 1))
