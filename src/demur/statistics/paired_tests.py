"""Tests whether system B is better than system A on the same items, or lucky.

The difference B - A of an error, a nonreturn or an area, with interval and p value.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.arrays import (
    Floats,
    Numbers,
    Positions,
    Ranking,
    Sample,
    effective_items,
    rank,
    summed,
)
from demur.checks import check_recipe, choice, decimal_fraction, numbers
from demur.errors import InputError, shown
from demur.results import Result, ends_of, joined_recipes
from demur.statistics.equal_units import equal_units_of
from demur.statistics.intervals import FEW_DRAWN, percentiles
from demur.statistics.margin_tests import MOST_ITEMS, margin_p
from demur.statistics.quantities import Estimate, Quantity
from demur.statistics.resampling import (
    drawn_curves,
    draws_of_items,
    of_blocks,
)
from demur.statistics.units import (
    ROUNDING,
    ItemValues,
    ScoreEnds,
    agreeing,
    check_units,
    left_out,
    no_spread,
    score_interval,
    score_of,
    spread,
    t_quantile,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

METHODS = ("auto", "bootstrap", "permutation", "influence")

REPLICATES = 2000

MANY_ITEMS = 20_000
ENOUGH_LOSS = 50
"""Where `default_method` turns from resampling to influence values for a nonreturn."""


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Result):
    """A number of system B less that of system A, and what luck can do to it.

    Parameters
    ----------
    quantity : str
        "error", "nonreturn" or "area".
    at : float or None
        The nonreturn or error rate at which.
    value : float
        B - A.
    low, high : float or None
        Confidence interval of the difference; None for a permutation test.
    level : float
        Of the interval.
    p_value : float
        Two-sided.
    method : str
        "bootstrap", "permutation" or "influence".
    replicates, seed : int or None
        None without resampling.
    n_items : int
        That both systems have.
    n_clusters : int or None
        None if every item stands alone.
    p_error : float or None
        Standard error of the p value from the random draws; None without any.
    what : str or None
        The quantity in words, where it is of a part of the curve.
    score : ScoreEnds or None
        Of errors, the interval that holds where few items differ, whatever the method
        of the test.
    adjusted_p : float or None
        p corrected for all that is tested together with it; None for one test alone.
    """

    SAYS = (
        "The {quantity} of b less that of a is {value}, and truly from {low} to "
        "{high}; p is {p_value}."
    )

    quantity: str
    at: float | None
    value: float
    low: float | None
    high: float | None
    level: float
    p_value: float
    method: str
    replicates: int | None
    seed: int | None
    n_items: int
    n_clusters: int | None
    p_error: float | None = None
    what: str | None = None
    score: ScoreEnds | None = None
    adjusted_p: float | None = field(default=None, repr=False)

    interval = property(ends_of)

    @property
    def final_p(self) -> float:
        """The p value that verdicts go by: the corrected one where there is one."""
        return self.p_value if self.adjusted_p is None else self.adjusted_p

    @property
    def better(self) -> str | None:
        """Who has less of it, "a" or "b"; None if luck may have done it."""
        if self.final_p > 1 - self.level or self.value == 0:
            return None
        return "a" if self.value > 0 else "b"

    def shown_within(self, margin: float) -> tuple[bool, bool]:
        """Whether it is shown that a, and that b, errs by less than a margin more.

        By the exact test where it can be had (`margin_tests`), else by the score
        interval; without one, by the interval.

        Parameters
        ----------
        margin : float
            Above 0.
        """
        if self.score is None:
            low, high = self.interval or (-math.inf, math.inf)
        elif self.score.discordant is None or self.n_items > MOST_ITEMS:
            low, high = self.score[:2]
        else:
            only_a, only_b = self.score.discordant
            p_values = (
                margin_p(only_a, only_b, self.n_items, margin),
                margin_p(only_b, only_a, self.n_items, margin),
            )
            least = (1 - self.level) / 2
            return p_values[0] <= least, p_values[1] <= least
        return -low < margin, high < margin

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; the score is told by the interval."""
        plain = super().to_dict()
        del plain["score"]
        corrected = {} if self.adjusted_p is None else {"adjusted_p": self.adjusted_p}
        return plain | corrected

    @property
    def text(self) -> str:
        """What is compared, with its place, for people."""
        if self.what is not None:
            return self.what
        if self.at is None:
            return self.quantity
        return Quantity(self.quantity, self.at).text

    @property
    def drawn_closely(self) -> bool:
        """Whether other random draws might well have led to another verdict."""
        if self.p_error is None:
            return False
        error = self.p_error
        if self.adjusted_p is not None:  # a correction moves p and its error alike
            error *= self.adjusted_p / self.p_value
        return abs(self.final_p - (1 - self.level)) <= 2 * error


UNTESTED: Final = "no test and no interval"
"""How a note begins that says why nothing could be tested."""


def draw_notes(tested: Iterable[Difference]) -> list[str]:
    """Which p values other random draws may move across the level."""
    return [
        f"p of the {difference.text} is known to ± "
        f"{difference.p_error:.2g} by the draws, which another seed may turn at "
        f"{1 - difference.level:.3g}"
        for difference in tested
        if difference.drawn_closely
    ]


def rates_of(at: Any) -> list[Any]:
    """One rate, or several in their order, each once.

    Examples
    --------
    >>> rates_of(0.2), rates_of([0.1, 0.2, 0.1])
    ([0.2], [0.1, 0.2])
    """
    if not hasattr(at, "__len__") or isinstance(at, str):
        return [at]
    rates = list(dict.fromkeys(numbers("compare", "at", at)))
    if not rates:
        raise InputError("compare", "at", "be one rate at least", shown(at))
    for rate in rates:
        decimal_fraction("compare", "at", rate)
    return [float(rate) for rate in rates]


def tests_recipe(tested: Sequence[Difference]) -> dict[str, str]:
    """How differences were tested: the methods, and what was drawn."""
    recipes = []
    for difference in tested:
        recipe = {"test": difference.method}
        if difference.replicates is not None:
            recipe["replicates"] = str(difference.replicates)
            recipe["seed"] = str(difference.seed)
        if difference.n_clusters is not None:
            recipe["clusters"] = str(difference.n_clusters)
        recipes.append(recipe)
    return joined_recipes(recipes)


def paired_difference(  # noqa: PLR0913  (those of compare, on samples)
    a: Sample,
    b: Sample,
    *,
    quantity: Quantity,
    method: str = "auto",
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Difference:
    """Difference of two systems on the same items, B - A.

    For two samples; what it rests on and what the arguments mean is said in
    `demur.compare`.

    Examples
    --------
    B is as sure as A, and right where A is not, for 10 of 100 items:

    >>> confidence, guess = np.linspace(0, 1, 100), np.ones(100, bool)
    >>> a = Sample(guess, confidence, 1.0 * (np.arange(100) % 5 == 0))
    >>> b = Sample(guess, confidence, 1.0 * (np.arange(100) % 10 == 0))
    >>> found = paired_difference(a, b, quantity=Quantity("error", 0.2))
    >>> round(found.value, 6), found.p_value < 0.05
    (-0.08, True)
    """
    choice("difference", "method", method, METHODS)
    check_paired([a, b])
    rankings = [rank(a), rank(b)]
    first, second = quantity.estimates(rankings, a.cluster)
    value = second.value - first.value
    method = default_method(a, quantity) if method == "auto" else method
    check_recipe("difference", level, None if method == "influence" else replicates)
    drawn = None if method == "influence" else (replicates, seed)
    score = score_between(a, b, second - first, quantity, level=level)
    alone = a.weight is None and a.cluster is None
    worth = float(a.n_items) if alone else equal_units_of(a)
    if method == "influence":
        apart = (second - first).influence
        moved = left_out(apart, rankings[0].weights(), a.cluster, a.number)
        test = by_influence(
            value,
            moved,
            level=level,
            worth=worth,
            least=least_deviation(a, quantity),
            score=score,
            number=a.number,
        )
    elif method == "bootstrap":
        values = replicate_values(
            rankings, a.cluster, quantity, replicates, seed, executor
        )
        apart = values[1] - values[0]
        test = by_bootstrap(apart, level=level, n_units=worth)
    else:
        from demur.statistics.permutations import permuted

        p_value = permuted(rankings, a.cluster, quantity, (replicates, seed), executor)
        error = math.sqrt(p_value * (1 - p_value) / replicates)
        test = DifferenceTest(None, None, p_value, error)
    found = described(a, quantity, value, test, (level, method, drawn))
    return replace(found, score=score)


def score_between(
    a: Sample, b: Sample, difference: Estimate, quantity: Quantity, *, level: float
) -> ScoreEnds | None:
    """The score interval of a difference of errors or of areas; none of nonreturns."""
    if quantity.name == "nonreturn":
        return None
    items = item_values(a, b, difference)
    if quantity.name == "error":
        return score_of(items, level=level)
    low, high = quantity.between or (0.0, 1.0)
    width = high - low  # an item may be wrong over all of it
    items = replace(
        items, smallest=items.smallest * width, largest=items.largest * width
    )
    low, high = score_interval(items, level=level)
    return ScoreEnds(low, high, None)


def item_values(a: Sample, b: Sample, difference: Estimate) -> ItemValues:
    """What each item adds to a difference, for its score interval.

    An item that was not seen may differ by a whole answer; where losses are shares, by
    as much as the item that differs most.
    """
    weight = np.ones(len(a)) if a.weight is None else a.weight
    total = summed(weight, a.number)
    value = difference.influence / (weight / total) + difference.value
    losses = np.stack([a.loss, b.loss])
    graded = bool(((losses > 0) & (losses < 1)).any())
    most = float(np.abs(losses[1] - losses[0]).max()) if graded else 1.0
    return ItemValues(
        value, weight, a.cluster, smallest=-most, largest=most, number=a.number
    )


@dataclass(frozen=True)
class DifferenceTest:
    """What a test finds out about a difference: its interval and p value."""

    low: float | None
    high: float | None
    p_value: float
    p_error: float | None = None

    interval = property(ends_of)


def described(
    sample: Sample,
    quantity: Quantity,
    value: float,
    test: DifferenceTest,
    recipe: tuple[float, str, tuple[int, int] | None],
) -> Difference:
    """A test with the number it is about and how it was made.

    Parameters
    ----------
    sample : Sample
        Either of the two.
    quantity : Quantity
        What the number is.
    value : float
        The difference.
    recipe : tuple (level, method, None or (replicates, seed))
        None without draws.
    """
    level, method, drawn = recipe
    return Difference(
        quantity=quantity.name,
        at=quantity.at,
        value=value,
        low=None if test.low is None else max(test.low, -quantity.largest),
        high=None if test.high is None else min(test.high, quantity.largest),
        level=level,
        p_value=test.p_value,
        method=method,
        replicates=None if drawn is None else drawn[0],
        seed=None if drawn is None else drawn[1],
        n_items=sample.n_items,
        n_clusters=None if sample.cluster is None else sample.n_clusters,
        p_error=test.p_error,
        what=quantity.text if quantity.between else None,
    )


def default_method(sample: Sample, quantity: Quantity) -> str:
    """The method that holds its level best by simulation: see `difference`.

    Examples
    --------
    >>> few = Sample(np.ones(20, bool), np.linspace(0, 1, 20), np.zeros(20))
    >>> default_method(few, Quantity("error", 0.2))
    'influence'
    >>> default_method(few, Quantity("nonreturn", 0.1))
    'bootstrap'
    """
    if quantity.name != "nonreturn":
        return "influence"
    n_items = sample.n_items
    enough = n_items * float(quantity.at or 0) >= ENOUGH_LOSS
    return "influence" if enough and n_items > MANY_ITEMS else "bootstrap"


def check_paired(samples: Sequence[Sample]) -> None:
    """Raise `InputError` unless the samples can be of the same items."""
    first = samples[0]
    for other in samples[1:]:
        if len(other) != len(first):
            got = f"{len(first)} and {len(other)} items"
            hint = "Join the systems by item first."
            raise InputError("difference", "samples", "be of the same items", got, hint)
        for name in ("weight", "cluster", "number"):
            ours, theirs = getattr(first, name), getattr(other, name)
            if not (theirs is ours or np.array_equal(theirs, ours)):
                need = f"have the same {name} for each item"
                raise InputError("difference", "samples", need, f"two {name} columns")
    check_units("difference", first)


def replicate_values(
    rankings: Sequence[Ranking],
    cluster: Positions | None,
    quantity: Quantity,
    replicates: int,
    seed: int,
    executor: "Executor | None" = None,
) -> Floats:
    """The quantity of each system in each resample, the same draws for all.

    Returns
    -------
    array of float64, shape (n_systems, n_replicates)
    """
    drawn = draws_of_items(rankings[0], cluster, replicates, seed)
    values = partial(_values, rankings, cluster, quantity)
    return np.hstack(of_blocks(values, drawn, executor))


def _values(
    rankings: Sequence[Ranking],
    cluster: Positions | None,
    quantity: Quantity,
    counts: Numbers,
) -> Floats:
    """The quantity of each system in each resample of a block."""
    return np.array(quantity.values(drawn_curves(rankings, cluster, counts)))


def least_deviation(sample: Sample, quantity: Quantity) -> float:
    """The standard error of a difference that rests on one item.

    An error that differs at all differs by an answer; where what items add nearly
    cancels, because the systems differ at the cutoff only, no less can be known.
    """
    if quantity.name != "error":
        return 0.0
    return 1 / effective_items(sample.weight, sample.n_items, sample.number)


def by_influence(  # noqa: PLR0913  (what is known of the units, and of the test)
    value: float,
    moved: Floats,
    *,
    level: float,
    worth: float | None = None,
    least: float = 0.0,
    bounded: bool = True,
    score: ScoreEnds | None = None,
    number: Positions | None = None,
) -> DifferenceTest:
    """Student's t test of a difference from its `units.left_out` values.

    ``worth`` is how many equal units they are worth, by default as many as there are.
    Without any spread, p is 1 for no difference; else it is 2 ** (1 - n_units), the
    chance that as many fair coins agree, and the interval that of `units.no_spread`,
    cut at 0 or widened to hold it as p says. ``least`` is the smallest standard error
    that there can be with some spread; ``bounded`` is that of `units.no_spread`;
    ``score`` takes the place of the interval; ``number`` is how many units are alike.

    Examples
    --------
    >>> round(by_influence(1.0, np.array([0.5, -0.5]), level=0.95).p_value, 4)
    0.2952
    """
    n_units = len(moved) if number is None else int(number.sum())
    test = by_deviation(
        value,
        spread(moved, number),
        n_units,
        n_units if worth is None else worth,
        level=level,
        least=least,
        bounded=bounded,
    )
    if score is None:
        return test
    rejects = test.p_value <= 1 - level
    low, high = agreeing((score.low, score.high), value, rejects=rejects)
    return replace(test, low=low, high=high)


def by_deviation(
    value: float,
    deviation: float,
    n_units: int,
    worth: float,
    *,
    level: float,
    least: float = 0.0,
    bounded: bool = True,
) -> DifferenceTest:
    """The same from the standard error.

    Examples
    --------
    >>> round(by_deviation(1.0, 0.5, 2, 2.0, level=0.95).p_value, 4)
    0.2952
    """
    from scipy.special import stdtr

    if deviation > ROUNDING:
        deviation = max(deviation, least)
        reach = t_quantile(level, worth) * deviation
        low, high = value - reach, value + reach
        p_value = 2 * float(stdtr(worth - 1, -abs(value) / deviation))
    else:
        low, high = no_spread(value, level=level, n_units=worth, bounded=bounded)
        p_value = 1.0 if abs(value) <= ROUNDING else 2.0 ** (1 - n_units)
    ends = agreeing((low, high), value, rejects=p_value <= 1 - level)
    return DifferenceTest(*ends, p_value)


def by_bootstrap(
    apart: Floats, *, level: float, n_units: float, bounded: bool = True
) -> DifferenceTest:
    """Percentile interval and p value from replicates of a difference.

    The p value is min(1, 2 (min(#apart <= 0, #apart >= 0) + 1) / (replicates + 1));
    with few units this is taken as the tail of a normal variable and carried over to
    Student's t, as `intervals.percentiles` does.

    Parameters
    ----------
    apart : array of float64, shape (n_replicates,)
        The difference in each replicate.
    level : float
        Of the intervals.
    n_units : float
        Items or clusters drawn, or how many equal ones they are worth.
    bounded : bool
        As in `units.no_spread`.

    Examples
    --------
    >>> by_bootstrap(np.arange(1.0, 1000.0), level=0.95, n_units=100).p_value
    0.002
    """
    low, high = percentiles(apart, level=level, n_units=n_units, bounded=bounded)
    below = np.count_nonzero(apart <= ROUNDING)
    above = np.count_nonzero(apart >= -ROUNDING)
    beyond = (int(min(below, above)) + 1) / (len(apart) + 1)
    luck = math.sqrt(beyond * max(1 - beyond, 0.0) / len(apart))
    p_value, more, less = (
        _two_sided(share, n_units)
        for share in (beyond, beyond + luck, max(beyond - luck, 0.0))
    )
    ends = agreeing((low, high), float(np.median(apart)), rejects=p_value <= 1 - level)
    return DifferenceTest(*ends, p_value, (more - less) / 2)


def _two_sided(beyond: float, n_units: float) -> float:
    """The p value of a share of replicates beyond 0."""
    from scipy.special import ndtri, stdtr

    p_value = min(1.0, 2 * beyond)
    if n_units >= FEW_DRAWN or not 0 < p_value < 1:
        return p_value
    shrink = math.sqrt((n_units - 1) / n_units)
    return 2 * float(stdtr(n_units - 1, shrink * ndtri(p_value / 2)))
