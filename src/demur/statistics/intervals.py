"""Standard errors and intervals of one system's numbers, by item or by cluster.

From influence values (no resampling) or from bootstrap replicates. Few independent
units widen both: by Student's t, and by expanding percentiles.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from demur.arrays import Floats, Ranking, Sample, rank, units_counted
from demur.checks import check_recipe, choice
from demur.outcomes.fields import system_alone
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Results,
    Table,
    shared_recipe,
)
from demur.statistics.equal_units import equal_units_of, worth_notes, worth_of
from demur.statistics.error_intervals import (
    AnswersLeft,
    answers_left,
    binomial_ends,
    counted,
    error_ends,
    error_interval,
)
from demur.statistics.quantities import (
    DrawnCurves,
    Estimate,
    Quantity,
    error_estimate,
    observed,
    start_influence,
)
from demur.statistics.resampling import cell_curves
from demur.statistics.units import (
    ROUNDING,
    ItemValues,
    check_units,
    left_out,
    no_spread,
    score_interval,
    spread,
    t_quantile,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

FEW_DRAWN = 50
"""With fewer items or clusters percentiles of replicates are expanded."""

REPLICATES = 2000


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A number of one system with its confidence interval.

    Parameters
    ----------
    quantity : str
        "error", "nonreturn" or "area".
    at : float or None
        The nonreturn or error rate at which.
    value, low, high : float
        The number, and the interval's ends.
    standard_error : float
        By influence, or of the replicates.
    level : float
        Share of samples whose interval holds the true number.
    method : str
        "influence" or "bootstrap".
    replicates, seed : int or None
        None without resampling.
    n_items : int
        Also those without a guess.
    n_clusters : int or None
        None if every item stands alone.
    worth : float or None
        How many equal clusters these are worth, if less than half of their number.
    left : AnswersLeft or None
        Of an error by influence: the answers that tell about it.
    system : str
        With its group, as in ``"a, topic = x"``.
    recipe : mapping of str to str
        How it came about, if made from outcomes.
    group : mapping of str to str
        The values of the columns by which the items were cut, if they were.
    """

    KINDS: ClassVar = (
        FigureKind("error", "the error", at=("nonreturn",), most_at="answered"),
        FigureKind("nonreturn", "the nonreturn", at=("error",)),
        FigureKind("area", "the area under the curve"),
    )

    quantity: str
    at: float | None
    value: float
    low: float
    high: float
    standard_error: float
    level: float
    method: str
    replicates: int | None
    seed: int | None
    n_items: int
    n_clusters: int | None
    worth: float | None = None
    left: AnswersLeft | None = None
    system: str = ""
    recipe: Mapping[str, str] = field(default_factory=dict)
    group: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def number(self) -> str:
        """The quantity as gates name it, such as ``error@0.2``."""
        if self.at is None:
            return self.quantity
        where = "@" if self.quantity == "error" else "(error="
        return f"{self.quantity}{where}{self.at:g}{')' * (where != '@')}"

    def figures(self) -> Iterator[Figure]:
        """The number, with its interval."""
        kind = next(kind for kind in self.KINDS if kind.name == self.quantity)
        yield self.figure_of(kind, self)

    def sentence(self) -> str:
        """The number, its interval, and what that rests on."""
        at = {"error": "nonreturn", "nonreturn": "error"}.get(self.quantity)
        where = f" at {at} {self.at:g}" if at else " under the curve"
        units = f"{self.n_items} items"
        if self.n_clusters is not None:
            units += f" in {self.n_clusters} clusters"
        return (
            f"The {self.quantity}{where}{f' of {self.system}' * bool(self.system)} is "
            f"{self.value:.4f} ({100 * self.level:g} % interval {self.low:.4f} to "
            f"{self.high:.4f}), by {units}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """How few equal clusters these are worth, and how few answers are left."""
        notes = worth_notes(self.n_clusters, self.worth)
        if self.left is None or self.at is None:
            return notes
        return notes + self.left.notes(self.at)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; the notes tell of the answers that are left."""
        plain = super().to_dict()
        del plain["left"]
        return plain

    def tables(self) -> tuple[Table]:
        """The number, its interval and its standard error, in one row."""
        name = system_alone(self.system, self.group) or None
        rest = Table.of("Intervals", _COLUMNS[1:], [self])
        columns = (_COLUMNS[0], *map(Column, self.group), *rest.columns)
        rows = tuple((name, *self.group.values(), *row) for row in rest.rows)
        return (Table("Intervals", columns, rows),)


class Intervals(Results[Interval]):
    """Intervals of several numbers, each by itself."""

    PLURAL: ClassVar = "intervals"
    KINDS: ClassVar = Interval.KINDS
    recipe = property(shared_recipe)

    def sentence(self) -> str:
        """How they are made, and what they rest on."""
        units = ""
        if any(interval.n_clusters is not None for interval in self):
            units = ", by cluster"
        method = "scores for areas, from influence values"
        if self[0].method == "bootstrap":
            method = "percentiles of resamples"
        else:
            method = f"Clopper and Pearson's for errors, {method}"
        return (
            f"{100 * self[0].level:g} % intervals, each by itself{units}: {method}; "
            "ungraded answers count as errors."
        )


_COLUMNS: Final = (
    Column("system"),
    Column("number", explained="error@0.2 is the error at nonreturn 0.2"),
    Column("quantity", wide=True),
    Column("at", cells="number", wide=True),
    Column("value", cells="share", digits=4),
    Column("low", cells="share", digits=4, explained="from low to high: the interval"),
    Column("high", cells="share", digits=4),
    Column("standard_error", cells="share", digits=4),
)


def sample_interval(
    sample: Sample,
    *,
    quantity: Quantity,
    level: float = 0.95,
    method: str = "influence",
    replicates: int = REPLICATES,
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Interval:
    """Confidence interval of an error, a nonreturn, or an area.

    For a `Sample`; what it rests on and what the arguments mean is said in
    `demur.interval`.

    Examples
    --------
    No error among 100 answers does not mean that there are none:

    >>> sample = Sample(np.ones(100, bool), np.linspace(0, 1, 100), np.zeros(100))
    >>> round(sample_interval(sample, quantity=Quantity("error", 0.0)).high, 3)
    0.036
    """
    choice("interval", "method", method, ["influence", "bootstrap"])
    check_recipe("interval", level, replicates if method == "bootstrap" else None)
    ranking = rank(sample)
    check_units("interval", sample)
    (estimate,) = quantity.estimates([ranking], sample.cluster)
    deviation = _deviation(sample, ranking, estimate.influence)
    drawn: int | None = None
    left: AnswersLeft | None = None
    if method == "bootstrap":
        drawn = replicates
        how: Any = {"replicates": replicates, "seed": seed, "executor": executor}
        values = _replicated(ranking, quantity, sample.cluster, how)
        deviation = float(values.std(ddof=1))
        low, high = percentiles(values, level=level, n_units=equal_units_of(sample))
    elif quantity.name == "area":
        low, high = _area_interval(sample, ranking, quantity, estimate, level)
    elif quantity.name == "error":
        rate = float(quantity.at or 0)
        left = answers_left(sample, ranking, rate)
        low, high = error_ends(left, rate, level)
    else:
        low, high = _inverted(sample, ranking, float(quantity.at or 0), level)
    numbers = estimate.value, float(low), float(high), deviation
    how_made = method, drawn, None if drawn is None else seed
    return _interval_of(sample, quantity, numbers, (level, *how_made), left)


def error_of_few(
    sample: Sample, near: DrawnCurves, *, at: float, level: float
) -> Interval:
    """The interval of an error by influence, of a sample that has few cutoffs.

    Parameters
    ----------
    sample : Sample
        Whose guesses are below the cutoff, at it, or above.
    near : DrawnCurves
        The curve of the same items by all cutoffs.
    at : float
        The nonreturn rate.
    level : float
        Share of samples whose interval holds the true number.
    """
    check_recipe("interval", level, None)
    ranking, quantity = rank(sample), Quantity("error", at)
    check_units("interval", sample)
    estimate = error_estimate(ranking, at, cluster=sample.clusters, near=near)
    deviation = _deviation(sample, ranking, estimate.influence)
    left = answers_left(sample, ranking, at, near=near)
    numbers = estimate.value, *error_ends(left, at, level), deviation
    how_made = level, "influence", None, None
    return _interval_of(sample, quantity, numbers, how_made, left)


def _interval_of(
    sample: Sample,
    quantity: Quantity,
    numbers: tuple[float, float, float, float],
    how_made: tuple[float, str, int | None, int | None],
    left: AnswersLeft | None,
) -> Interval:
    """The interval with its value, ends and deviation, within what is possible."""
    value, low, high, deviation = numbers
    return Interval(
        quantity.name,
        quantity.at,
        value,
        max(low, 0.0),
        min(high, quantity.largest),
        deviation,
        *how_made,
        sample.n_items,
        None if sample.clusters is None else sample.n_clusters,
        worth_of(sample),
        left,
    )


def _deviation(sample: Sample, ranking: Ranking, influence: Floats) -> float:
    """The standard error of a number, from what each item adds to it."""
    cluster, number = sample.clusters, sample.number
    moved = left_out(influence, ranking.weights(), cluster, number)
    return spread(moved, units_counted(cluster, number))


def _area_interval(
    sample: Sample,
    ranking: Ranking,
    quantity: Quantity,
    estimate: Estimate,
    level: float,
) -> tuple[float, float]:
    """The score interval of what each item adds to an area, and Clopper and Pearson's.

    It is a mean of that to first order. An item that was not seen may be wrong over the
    whole range. The score interval takes a first error for more than one can know: it
    excludes that a sixth of an error was expected. Clopper and Pearson's does not, of
    as many items, right or wrong, as have the standard error.
    """
    weight = ranking.weights()
    together = ranking.weights_together()
    added = estimate.value + estimate.influence / (weight / together.sum())
    low, high = quantity.between or (0.0, 1.0)
    items = ItemValues(
        added, weight, sample.cluster, 0.0, high - low, number=sample.number
    )
    scores = score_interval(items, level=level)
    start = max(low, float(together[ranking.silent].sum() / together.sum()))
    most = ((1 - start) ** 2 - (1 - high) ** 2) / 2
    variance = _deviation(sample, ranking, estimate.influence) ** 2
    part = min(estimate.value / most, 1.0)
    if not 0 < part < 1 or variance <= ROUNDING**2:
        return scores
    clusters = None if sample.cluster is None else items.worth
    number = part * (1 - part) * most**2 / variance * counted(clusters, level)
    ends = binomial_ends(part * number, (1 - part) * number, level)
    return min(scores[0], most * ends[0]), max(scores[1], most * ends[1])


def _replicated(ranking: Ranking, quantity: Quantity, cluster: Any, how: Any) -> Floats:
    drawn, real = cell_curves(ranking, cluster, **how)
    # By how much cells change the number of the sample itself.
    gap = quantity.values([observed(ranking)])[0] - quantity.values([real])[0]
    return np.clip(quantity.values([drawn])[0] + gap, 0.0, 1.0)


# -- a rate, and a nonreturn --------------------------------------------------------


def wilson(rate: float, n: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval of a rate seen in n items.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0.1, 100, 1.959964)]
    [0.0552, 0.1744]
    """
    extra = quantile**2 / n
    middle = (rate + extra / 2) / (1 + extra)
    half = math.sqrt(extra * (rate * (1 - rate) + extra / 4)) / (1 + extra)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _inverted(
    sample: Sample, ranking: Ranking, error: float, level: float
) -> tuple[float, float]:
    """Nonreturn rates at which the interval of the error holds the wanted error."""
    curves = observed(ranking)
    start = float(curves.start[0])
    earliest, latest = _start_interval(sample, ranking, start, level)

    def ends(nonreturn: float) -> tuple[float, float]:
        return error_interval(sample, ranking, nonreturn, level, curves)

    low = _first(lambda x: ends(x)[0] <= error, start)
    high = _first(lambda x: ends(x)[1] <= error, start)
    return earliest if low == start else low, max(high, latest)


def _start_interval(
    sample: Sample, ranking: Ranking, start: float, level: float
) -> tuple[float, float]:
    """Wilson's interval of the share without a guess; a curve from 0 begins there."""
    if start == 0:
        return 0.0, 0.0
    deviation = _deviation(sample, ranking, start_influence(ranking))
    worth = equal_units_of(sample)
    if deviation <= ROUNDING:
        low, high = no_spread(start, level=level, n_units=worth)
        return max(low, 0.0), high
    n_effective = start * (1 - start) / deviation**2
    return wilson(start, n_effective, t_quantile(level, worth))


def _first(holds: Any, start: float) -> float:
    """Least rate from ``start`` to 1 from which on something holds, by bisection."""
    if holds(start):
        return start
    low, high = start, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def percentiles(
    values: Floats, *, level: float, n_units: float, bounded: bool = True
) -> tuple[float, float]:
    """Percentile interval of replicates; expanded if they come from few units.

    Resamples of C units vary too little, by sqrt((C-1)/C), and know nothing of
    Student's t: both are put right by taking percentiles further out. The ends are
    replicates, so that 0 is inside just where `paired_tests.by_bootstrap` has p above
    1 - level.

    Parameters
    ----------
    values : array of float64, shape (n_replicates,)
        The number in each replicate.
    level : float
        Of the intervals.
    n_units : float
        Items or clusters drawn, or how many equal ones they are worth.
    bounded : bool
        As in `units.no_spread`.

    Returns
    -------
    (low, high)
        Infinite if there are too few replicates to say.

    Examples
    --------
    >>> percentiles(np.arange(999.0), level=0.9, n_units=100)
    (48.0, 950.0)
    """
    if np.ptp(values) <= ROUNDING:
        return no_spread(
            float(values[0]), level=level, n_units=n_units, bounded=bounded
        )
    ordered = np.sort(values)
    out = math.floor(tail(level, n_units) * (len(values) + 1))
    if out < 1:
        return -math.inf, math.inf
    return float(ordered[out - 1]), float(ordered[-out])


def tail(level: float, n_units: float) -> float:
    """Share of replicates beyond either end of an interval.

    Examples
    --------
    >>> round(tail(0.95, 100), 6), round(tail(0.95, 10), 6)
    (0.025, 0.008551)
    """
    from scipy.special import ndtr

    if n_units >= FEW_DRAWN:
        return (1 - level) / 2
    stretch = math.sqrt(n_units / (n_units - 1))
    return float(ndtr(-stretch * t_quantile(level, n_units)))
