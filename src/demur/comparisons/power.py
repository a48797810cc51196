"""How many items it takes to see a difference between two systems."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from demur import checks
from demur.arrays import Sample, rank
from demur.checks import check_level
from demur.comparisons.comparing import paired_systems
from demur.curves.of_outcomes import point_at
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import check_one_system, sample_of
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    FigureKind,
    Result,
    Table,
    count,
    exactly,
    joined_recipes,
)
from demur.statistics.paired_tests import check_paired, item_values
from demur.statistics.quantities import Quantity
from demur.statistics.units import ROUNDING, ItemValues, left_out, spread

LARGEST = 2**53


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonPlan(Result):
    """The size of a comparison that is likely to show a difference.

    Parameters
    ----------
    quantity : str
        "error", "nonreturn" or "area".
    at : float or None
        The nonreturn or error rate at which.
    difference : float
        The true difference to be shown.
    level : float
        One less the chance of a false alarm, such as 0.95 for a test at 5 %.
    power : float
        The chance to show the difference.
    items : int
        How many items are needed.
    clusters : int or None
        How many clusters, of the pilot's mean size; None if every item stands alone.
    spread : float
        Standard deviation of what one item (or cluster) says about the difference.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        count("items", "the number of items needed", better="lower"),
        FigureKind("spread", "the spread of one item's difference", most=math.inf),
    )

    quantity: str
    at: float | None
    difference: float
    level: float
    power: float
    items: int
    clusters: int | None
    spread: float
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How many items are needed, and for what."""
        clusters = f" in {self.clusters} clusters" if self.clusters else ""
        where = "" if self.at is None else f" at {_OTHER[self.quantity]} {self.at:g}"
        what = {"error": "", "nonreturn": " of nonreturns", "area": " of areas"}
        return (
            f"To show a difference of {self.difference:g}{what[self.quantity]}{where} "
            f"with chance {self.power:g} by a test at {100 * (1 - self.level):.3g} %, "
            f"about {self.items} items{clusters} are needed."
        )

    def tables(self) -> tuple[Table, ...]:
        """The plan in one row."""
        columns = (
            Column("difference", cells="number", explained="to be shown"),
            Column("power", cells="number", explained="the chance to show it"),
            Column("level", cells="number", explained="1 less the chance of an alarm"),
            Column("items", cells="count", explained="needed"),
            Column("clusters", cells="count", explained="of the pilot's mean size"),
            Column("spread", cells="bits", explained="of what one of them says"),
        )
        return (Table.of("Items needed", columns, [self], key=0).without_empty(),)


_OTHER = {"error": "nonreturn", "nonreturn": "error", "area": ""}


def items_needed(
    a: Sample,
    b: Sample,
    *,
    quantity: Quantity,
    difference: float,
    level: float = 0.95,
    power: float = 0.8,
) -> ComparisonPlan:
    """How many items show a difference, judging from a pilot of both systems.

    The pilot says how much one item (or cluster) tells, by the spread of the paired
    influence values; it need not show the difference itself: a difference of errors
    beyond the one that was seen comes with as many more items on which the systems
    differ, which the plan adds. A pilot with few errors at the rate in question says
    little: the plan is as uncertain as its spread.

    Parameters
    ----------
    a, b : Sample
        Pilot results of two systems on the same items.
    quantity : Quantity
        What the two are to be compared by.
    difference : float
        The true difference, of either sign, that should be shown.
    level : float
        Confidence level of the two-sided test: 0.95 is a test at 5 %.
    power : float
        Wanted chance of showing it.

    Returns
    -------
    ComparisonPlan

    Raises
    ------
    InputError
        If no difference is of that size, or level or power are out of range.
    UndefinedRate
        If the systems do not differ on any item of the pilot.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> guess = np.ones(200, bool)
    >>> a, b = (
    ...     Sample(guess, rng.random(200), 1.0 * (rng.random(200) < 0.2))
    ...     for _ in range(2))
    >>> items_needed(a, b, quantity=Quantity("error", 0.2), difference=0.05).items
    1044
    """
    check_paired([a, b])
    quantity.check_difference(
        "items_needed", "the size of a difference", abs(difference)
    )
    rankings = [rank(a), rank(b)]
    first, second = quantity.estimates(rankings, a.cluster)
    apart = second - first
    moved = left_out(apart.influence, rankings[0].weights(), a.cluster)
    n_units = a.n_clusters
    deviation = spread(moved) * math.sqrt(n_units)
    if quantity.name == "error":
        deviation *= math.sqrt(_growth(item_values(a, b, apart), difference))
    units = _units(deviation**2, difference, level, power)
    clustered = a.cluster is not None
    return ComparisonPlan(
        quantity=quantity.name,
        at=quantity.at,
        difference=difference,
        level=level,
        power=power,
        items=math.ceil(units * len(a) / n_units),
        clusters=units if clustered else None,
        spread=deviation,
    )


def _growth(items: ItemValues, difference: float) -> float:
    """How many times as much items vary if they differ as much as is to be shown."""
    share, mean = items.share, items.mean
    square = float(share @ items.value**2)
    beyond = abs(difference) - abs(mean)
    graded = items.largest < 1  # then a difference need not come by whole answers
    if beyond <= 0 or graded or square - mean**2 <= ROUNDING:
        return 1.0
    return max((square + beyond - difference**2) / (square - mean**2), 1.0)


def _units(variance: float, difference: float, level: float, power: float) -> int:
    """Independent units for a two-sided test, given the variance of one."""
    from scipy.special import ndtri

    check_level("items_needed", level)
    if not 0 < power < 1:
        raise InputError("items_needed", "power", "be between 0 and 1", shown(power))
    if variance <= 0:
        raise UndefinedRate(
            "the systems do not differ on any item at this rate, so "
            "nothing says how much one item tells. A larger pilot is needed.",
            where="items_needed",
        )
    test, reach = float(ndtri((1 + level) / 2)), float(ndtri(power))
    # Student's t costs about test**2 / 2 units more than the normal.
    units = variance * ((test + reach) / difference) ** 2 + test**2 / 2
    return min(math.ceil(units), LARGEST)


def comparison_plan(
    a: Outcomes,
    b: Outcomes,
    *,
    difference: float,
    at: float = 0.2,
    level: float = 0.95,
) -> ComparisonPlan:
    """How many items would show a difference of errors, judging from these as a pilot.

    Parameters
    ----------
    a, b : Outcomes
        Each of one system and setting, on the same items.
    difference : float
        The true difference, of either sign, that should be shown.
    at : float
        The nonreturn at which.
    level : float
        One less the chance of a false alarm.

    Returns
    -------
    ComparisonPlan
        For a test that shows it with chance 0.8.

    Raises
    ------
    InputError
        If the items do not fit, or no difference there is of that size.
    UndefinedRate
        If a system has no curve there, or there are fewer than five items or clusters.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.Outcomes.from_arrays(
    ...         system=name, correct=[k % every > 0 for k in range(100)],
    ...         confidence=range(100))
    ...     for name, every in [("a", 4), ("b", 5)])
    >>> demur.comparison_plan(a, b, difference=0.05).items
    913
    """
    check_one_system("comparison_plan", a, b)
    checks.number("comparison_plan", "difference", difference)
    systems = paired_systems([a, b], items="common")
    quantity = Quantity("error", at)
    for curve in systems.curves:
        if point_at(curve, at) is None:
            name = curve.system or "one system"
            raise UndefinedRate(
                f"{name} has no curve at nonreturn {at:g}.", where="plan"
            )
    first, second = map(sample_of, systems.tables)
    plan = items_needed(
        first, second, quantity=quantity, difference=difference, level=level
    )
    recipe = joined_recipes(curve.recipe for curve in systems.curves) | {
        "plan": f"difference {float(difference)} of {quantity.text}",
        "level": f"{float(level)}",
        "power": exactly(plan.power),
        "pilot": f"{len(first)} items",
    }
    return replace(plan, recipe=recipe)
