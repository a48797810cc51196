"""The verb that compares two systems: where each is better, and whether it is luck."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, Union, Unpack

import numpy as np

from demur.arrays import Sample, rank, summed
from demur.checks import choice, decimal_fraction, whole
from demur.comparisons.comparison_results import Comparison, without_prices
from demur.comparisons.geometry import compare_curves, compare_points, cost_regions
from demur.comparisons.own_decisions import (
    OWN_RATES,
    WEIGHTED,
    own_difference,
    own_readings,
)
from demur.comparisons.weighted_errors import check_weights
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.curves import Curve
from demur.curves.of_outcomes import curve_notes, error_return, point_at
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import (
    check_one_system,
    labelled_in_part,
    paired,
    refuse_nothing,
    sample_of,
)
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import joined_recipes
from demur.statistics.equal_units import worth_notes, worth_of
from demur.statistics.paired_tests import (
    UNTESTED,
    Difference,
    draw_notes,
    paired_difference,
    rates_of,
    tests_recipe,
)
from demur.statistics.quantities import Quantity, answered_shares
from demur.statistics.units import check_units

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from demur.comparisons.counted_pairs import CountedSystems
    from demur.comparisons.paired_wholes import PairedWholes

    Systems = Union["PairedSystems", CountedSystems, PairedWholes]  # noqa: UP007


WHOLES: Final = "wholes"
"""What errors may be of, where answers are made of parts."""

FEW_LEFT: Final = 10
"""Of fewer answers, or clusters of answers, a difference says little."""


class Testing(TypedDict):
    """How differences are tested: the options of `demur.compare` about that."""

    method: str
    level: float
    seed: int
    executor: "Executor | None"


def testing_of(
    where: str, method: str, level: float, seed: int, executor: "Executor | None"
) -> Testing:
    """How a verb tests; what no test would check is checked here."""
    whole(where, "seed", seed)
    if executor is not None:
        from demur.executors import check_executor

        check_executor(where, executor)
    return Testing(method=method, level=level, seed=seed, executor=executor)


def later(testing: Testing) -> Testing:
    """The same for a test that is made when an executor may be gone."""
    return {**testing, "executor": None}


@dataclass(frozen=True)
class PairedSystems:
    """Systems on the same items in the same order, each with its curve.

    Parameters
    ----------
    tables : tuple of Outcomes
        Each of one system and setting.
    curves : tuple of Curve
        Of these.
    items : {"equal", "common"}
        Whether these are all items of each, or those that all have.
    notes : tuple of str
        What was left out, and how few equal clusters there are.
    """

    tables: tuple[Outcomes, ...]
    curves: tuple[Curve, ...]
    items: str
    notes: tuple[str, ...]

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """What tests read of a system; ungraded answers are wrong, or right."""
        return sample_of(self.tables[place], ungraded=ungraded)

    def difference(
        self, a: Sample, b: Sample, *, quantity: Quantity, **testing: Any
    ) -> Difference:
        """The paired test of a number of two of its samples."""
        return paired_difference(a, b, quantity=quantity, **testing)

    def near(self, _rates: Sequence[float]) -> "PairedSystems":
        """The same, to be compared at other rates."""
        return self

    @property
    def whole(self) -> bool:
        """Whether the whole curves can be compared, not only their errors at rates."""
        return True

    @property
    def ungraded(self) -> bool:
        """Whether there are answers that nobody could judge."""
        return any((part.outcome == UNGRADED).any() for part in self.tables)

    @property
    def declines(self) -> bool:
        """Whether a system decides itself which guesses to give."""
        return any(part.declined is not None for part in self.tables)

    @property
    def by_people(self) -> bool:
        """Whether people have looked at a part of the answers."""
        return labelled_in_part(*self.tables)

    def own_tests(
        self, level: float, seed: int, weight: float | None = None
    ) -> dict[str, list[Difference]]:
        """The tests of what the systems decide, for all readings of what is unknown."""
        a, b = self.tables
        how: Any = {"level": level, "seed": seed, "weight": weight}
        return {
            rate: [
                own_difference(a, b, quantity=rate, unknown=reading, **how)
                for reading in own_readings(self.tables)
            ]
            for rate in (*OWN_RATES, *([] if weight is None else [WEIGHTED]))
        }


def paired_systems(
    tables: Sequence[Outcomes], *, items: str = "equal"
) -> PairedSystems:
    """Join systems by item, and draw their curves, once for all that compares them.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    items : {"equal", "common"}
        As for `demur.compare`.

    Raises
    ------
    InputError
        If the systems have no items in common, or differ in what belongs to an item.
    """
    check_outcomes("compare", *tables)
    for table in tables:
        refuse_nothing(table)
    aligned, notes = paired(tables, items=items)
    curves = tuple(map(error_return, aligned))
    named = [curve.system for curve in curves if curve.system]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        hint = "Rename one: the column system."
        raise InputError("compare", "the systems", "differ in name", shown(twice), hint)
    sample = sample_of(aligned[0])
    if sample.cluster is not None:
        notes += worth_notes(sample.n_clusters, worth_of(sample))
    return PairedSystems(tuple(aligned), curves, items, notes)


@dataclass(frozen=True)
class Compared:
    """What is compared: the options of `demur.compare` about that.

    At one of several rates, what no test can be made of is left out with a note.
    """

    at: float = 0.2
    at_error: float | None = None
    area: tuple[float, float] | None = None
    margin: float | None = None
    gold: str | None = None
    weight: float | None = None
    several: bool = False

    def __post_init__(self) -> None:
        error = Quantity("error", self.at)
        if self.at_error is not None:
            Quantity("nonreturn", self.at_error)
        if self.area is not None:
            Quantity("area", between=self.area)
        if self.margin is not None:
            error.check_difference("compare", "margin", self.margin)
        if self.weight is not None:
            check_weights("compare", [self.weight])


def compare(  # noqa: PLR0913  (the recipe of a comparison has independent parts)
    a: Outcomes | CountedOutcomes,
    b: Outcomes | CountedOutcomes,
    *,
    at: float | Sequence[float] = 0.2,
    at_error: float | None = None,
    area: tuple[float, float] | None = None,
    margin: float | None = None,
    gold: str | None = None,
    weight: float | None = None,
    of: str = "all",
    items: str = "equal",
    method: str = "auto",
    correction: str = "holm",
    level: float = 0.95,
    seed: int = 0,
    executor: "Executor | None" = None,
) -> Comparison:
    """Which of two systems is better, where, and whether that is luck.

    ``bootstrap`` draws items (whole clusters, if there are any), the same for both
    systems, and reads the difference off the curves of each resample, so that cutoffs
    are derived anew. Null hypothesis: the two true numbers are equal. With fewer than
    50 units its percentiles are expanded, because they would reject too often.

    ``influence`` compares the difference with its standard error from influence
    values (by the jackknife over clusters), by Student's t with as many degrees of
    freedom as there are units, less one. Null hypothesis: the two true numbers are
    equal. It needs some errors at the rate in question if the quantity is a nonreturn.

    ``permutation`` swaps the systems' results, item by item or cluster by cluster,
    each with probability 1/2. Null hypothesis: the two systems are exchangeable, that
    is, their guesses, ranks of confidence and losses have the same joint
    distribution; the scales of the confidences do not matter. It gives no interval.

    ``auto`` takes influence for errors and areas; for a nonreturn only if more than
    20,000 items have at least 50 losses at the wanted error, else the bootstrap. The
    slope at the cutoff, which influence needs, is that of the guesses among which the
    true cutoff may stand, so that the level holds where the loss jumps there.

    What is drawn depends on the items alone, never on the order of rows, and
    ``compare(a, b)`` is minus ``compare(b, a)``. Fewer than five items or clusters
    are not tested. The interval holds 0 just where p is above 1 - level.

    Parameters
    ----------
    a, b : Outcomes
        Each of one system and setting; joined by item and repeat.
    at : float or sequence of float
        The nonreturn at which the systems would run. Of several rates there is a
        `ComparisonAtRates`: the tests of the errors there are corrected together.
    at_error : float, optional
        Also compare how many inputs each must decline to have an error this low.
    area : tuple (low, high), optional
        Nonreturns between which areas are compared; by default all that both curves
        have.
    margin : float, optional
        How much more error would do: also say whether it is shown that neither system
        is worse than the other by so much (`Comparison.not_worse`).
    gold : str, optional
        The column with people's verdicts on a part of the items, as for
        `demur.corrected_error`: the errors at `at` and their difference are then
        corrected ones, by Student's t; all else is by the verdicts as they stand. So
        are those of answers that are labelled in part, without a column.
    weight : float, optional
        What a wrong answer costs, if one not given costs 1: also compare the weighted
        errors of `demur.score`, by the systems' own decisions.
    of : {"all", "wholes"}
        What errors are a share of: all items, or, where answers are made of parts, all
        wholes, of which one errs if a wrong part is returned (`demur.whole_curve`).
        The nonreturn is that of parts, and wholes are the units of the tests.
    items : {"equal", "common"}
        Whether both must have answered the same items, or the common ones count.
    method : {"auto", "bootstrap", "permutation", "influence"}
        Of the test.
    correction : {"holm", "bonferroni", "none"}
        Of p values for the number of rates. A rate at which nothing can be tested
        counts too, with p = 1, so that the data do not decide how much is corrected.
    level : float
        Of the intervals; a p value below 1 - level decides who is better.
    seed : int
        Of resampling.
    executor : Executor, optional
        Of `concurrent.futures`: draws are made by its workers, and the numbers are the
        same, whatever their number.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If the systems have no items in common, or differ in what belongs to an item.

    References
    ----------
    Artstein (2011), section 5, on curves that dominate or intersect.

    Examples
    --------
    >>> import demur
    >>> a = demur.Outcomes.from_arrays(system="a", correct=[1, 1, 0, 1, 0, 1, 1, 0],
    ...     confidence=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> b = demur.Outcomes.from_arrays(system="b", correct=[1, 1, 1, 1, 1, 1, 0, 0],
    ...     confidence=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> found = demur.compare(a, b, at=0.25)
    >>> found.error_a, found.error_b, found.linear.dominates, found.better
    (0.25, 0.0, 'b', None)
    """
    testing = testing_of("compare", method, level, seed, executor)
    rates = rates_of(at)
    wanted = Compared(rates[0], at_error, area, margin, gold, weight)
    systems: Systems
    if isinstance(a, CountedOutcomes) or isinstance(b, CountedOutcomes):
        from demur.comparisons.counted_pairs import counted_systems
        from demur.statistics.counted_samples import READ

        if weight is not None:
            need = "come without counted outcomes"
            raise InputError("compare", "weight", need, shown(weight), READ)
        if of != "all":
            need = "be all where outcomes are counted"
            raise InputError("compare", "of", need, shown(of), READ)
        systems = counted_systems(a, b, wanted, rates, items=items)
    else:
        check_one_system("compare", a, b)
        how = {"items": items, "of": of, "method": method}
        systems = joined([a, b], wanted, **how)
    return compared(systems, wanted, rates, correction, testing)


def joined(
    tables: Sequence[Outcomes], asked: Compared, *, items: str, of: str, method: str
) -> "Systems":
    """Two systems on the same items, or on the same wholes."""
    if choice("compare", "of", of, ["all", WHOLES]) == "all":
        return paired_systems(tables, items=items)
    from demur.comparisons.paired_wholes import check_of_wholes, paired_wholes

    check_of_wholes(asked, method)
    return paired_wholes(tables, items=items)


def compared(
    systems: "Systems",
    asked: Compared,
    rates: Sequence[float],
    correction: str,
    testing: Testing,
) -> Comparison:
    """`compare` of two systems that are paired already, at one rate or several."""
    if len(rates) == 1 and correction == "holm":
        return compare_pair(systems, asked, **testing)
    from demur.comparisons.several_rates import at_rates, check_correction

    check_correction(correction, len(rates), testing["method"])
    wanted = [replace(asked, at=rate, several=len(rates) > 1) for rate in rates]
    comparisons = [compare_pair(systems, at_rate, **testing) for at_rate in wanted]
    return at_rates(comparisons, correction) if len(rates) > 1 else comparisons[0]


def compare_pair(
    systems: "Systems",
    asked: Compared,
    **testing: Unpack[Testing],
) -> Comparison:
    """`compare` of two systems that are paired already."""
    _check_weight(systems, asked)
    curves = systems.curves
    lines = _Lines.of(curves, asked)
    tested, notes = _all_tested(systems, asked, lines, testing)
    main = {name: readings[0] for name, readings in tested.items()}
    both, level = lines.both, testing["level"]
    compared = Comparison(
        a=curves[0].system or "a",
        b=curves[1].system or "b",
        at=float(asked.at),
        error_a=lines.errors[0],
        error_b=lines.errors[1],
        difference=main.get("error"),
        area=main.get("area"),
        linear=compare_curves(*curves) if both else None,
        step=compare_curves(*curves, how="step") if both else None,
        points=compare_points(*curves),
        point_a=curves[0].operating_point,
        point_b=curves[1].operating_point,
        costs=cost_regions(*curves, of="curves" if both else "points"),
        bounds={name: (f[1], f[2]) for name, f in tested.items() if len(f) > 1},
        bounds_a=lines.bounds[0],
        bounds_b=lines.bounds[1],
        own=tuple(main[rate] for rate in (*OWN_RATES, WEIGHTED) if rate in main),
        weight=None if asked.weight is None else float(asked.weight),
        at_error=None if asked.at_error is None else float(asked.at_error),
        nonreturn_a=lines.nonreturns[0],
        nonreturn_b=lines.nonreturns[1],
        nonreturn=main.get("nonreturn"),
        margin=asked.margin,
        notes=(*notes, *curve_notes(curves, asked.at), *_pair_notes(systems, asked)),
        curves=curves,
        again=partial(_compare_at, systems, asked.gold, later(testing)),
    )
    compared = without_prices(compared)
    if asked.gold is not None or systems.by_people:
        from demur.comparisons.comparing_by_people import by_people

        compared = by_people(compared, systems.tables, asked, level)
    return replace(
        compared,
        notes=(*compared.notes, *draw_notes(compared.tested())),
        recipe=_recipe(systems, asked, compared, level),
    )


def _check_weight(systems: "Systems", asked: Compared) -> None:
    if asked.weight is not None and (asked.gold is not None or systems.by_people):
        need = "come without people's verdicts on a part of the items"
        raise InputError("compare", "weight", need, shown(asked.weight))


def _pair_notes(systems: "Systems", asked: Compared) -> Iterator[str]:
    from demur.outcomes.parts import judged_by_model

    recipes = [curve.recipe for curve in systems.curves]
    if any("context" in recipe for recipe in recipes):
        from demur.outcomes.context_rules import mixed_rules

        yield from mixed_rules(recipes)
    if judged_by_model(systems.tables):
        from demur.comparisons.comparing_by_people import unchecked_notes

        yield from unchecked_notes(asked.gold)
    yield from _few_left(systems, asked.at)


class _Lines(NamedTuple):
    """What the two curves say where they are looked up; None without a curve there."""

    both: bool
    errors: list[float | None]
    bounds: list[tuple[float, float] | None]
    nonreturns: list[float | None]

    @classmethod
    def of(cls, curves: Sequence[Curve], asked: Compared) -> "_Lines":
        """Look both up."""
        rate = float(decimal_fraction("compare", "at", asked.at))
        points = [point_at(curve, rate) for curve in curves]
        return cls(
            both=all(curve.ladder is not None for curve in curves),
            errors=[None if point is None else point.error for point in points],
            bounds=[None if point is None else point.bounds for point in points],
            nonreturns=[_nonreturn_at(curve, asked.at_error) for curve in curves],
        )


def _compare_at(
    systems: "Systems",
    gold: str | None,
    testing: Testing,
    at: float,
    weight: float | None = None,
) -> Comparison:
    """The same systems at another nonreturn, where errors are all that is asked."""
    asked = Compared(at, gold=gold, weight=weight)
    return compare_pair(systems.near([at]), asked, **testing)


def _quantities(asked: Compared, lines: _Lines, *, whole: bool) -> list[Quantity]:
    areas = lines.both and whole
    wanted = [Quantity("area", between=asked.area)] if areas else []
    if None not in lines.errors:
        wanted.append(Quantity("error", asked.at))
    if lines.both and asked.at_error is not None:
        wanted.append(Quantity("nonreturn", asked.at_error))
    return wanted


def _all_tested(
    systems: "Systems",
    asked: Compared,
    lines: _Lines,
    testing: Testing,
) -> tuple[dict[str, list[Difference]], tuple[str, ...]]:
    """The tests of all quantities, or a note on why there is none."""
    wanted = _quantities(asked, lines, whole=systems.whole)
    try:
        for place in range(2):
            check_units(UNTESTED, systems.sample(place))
    except UndefinedRate as error:
        return {}, (*systems.notes, str(error))
    tested = _tested(systems, wanted, testing)
    # Where a curve begins to the right, what the systems decide is all there is.
    level, seed = testing["level"], testing["seed"]
    if isinstance(systems, PairedSystems) and asked.weight is not None:
        tested |= systems.own_tests(level, seed, asked.weight)
    elif not lines.both or systems.declines or None in lines.errors:
        tested |= systems.own_tests(level, seed)
    return tested, systems.notes


def _tested(
    systems: "Systems",
    wanted: Sequence[Quantity],
    testing: Testing,
) -> dict[str, list[Difference]]:
    """Each difference; with ungraded answers also the least and the most it may be."""
    samples = [
        [systems.sample(place, taken) for place, taken in enumerate(reading)]
        for reading in readings_of(ungraded=systems.ungraded)
    ]
    return {
        quantity.name: [
            systems.difference(a, b, quantity=quantity, **testing) for a, b in samples
        ]
        for quantity in wanted
    }


def readings_of(*, ungraded: bool) -> list[tuple[str, str]]:
    """What the ungraded answers of both are taken for: as shown, least, most."""
    if ungraded:
        return [("right", "right"), ("wrong", "right"), ("right", "wrong")]
    return [("right", "right")]


def _nonreturn_at(curve: Curve, error: float | None) -> float | None:
    none = curve.ladder is None or error is None
    return None if none else curve.at(error=error).nonreturn


def _few_left(systems: "Systems", at: float) -> Iterator[str]:
    """Where declining leaves few answers, or answers of few clusters."""
    for place, (curve, name) in enumerate(zip(systems.curves, "ab", strict=True)):
        if point_at(curve, at) is None:
            continue
        sample = systems.sample(place)
        kept = answered_shares(rank(sample), at) > 0
        left = units = int(summed(kept, sample.number))
        if sample.cluster is not None:
            units = len(np.unique(sample.cluster[kept]))
        if 0 < units < FEW_LEFT <= sample.n_clusters:
            who = curve.system or name
            what = f"{left} answer{'s' * (left > 1)} of {who}"
            if sample.cluster is not None:
                what += f" of {units} cluster{'s' * (units > 1)}"
            are = "is" if left == 1 else "are"
            yield f"at nonreturn {at:g} only {what} {are} left: so few show little"


def _recipe(
    systems: "Systems",
    asked: Compared,
    compared: Comparison,
    level: float,
) -> dict[str, str]:
    """Everything that the numbers depend on."""
    recipe = joined_recipes(curve.recipe for curve in systems.curves)
    recipe["compare"] = f"error at nonreturn {compared.at}"
    if compared.at_error is not None:
        recipe["nonreturn at error"] = f"{compared.at_error}"
    if asked.area is not None:
        recipe["area"] = " to ".join(f"{float(end)}" for end in asked.area)
    if asked.margin is not None:
        recipe["margin"] = f"{float(asked.margin)}"
    if asked.gold is not None:
        recipe["gold"] = asked.gold
    if asked.weight is not None:
        recipe["weight"] = f"{float(asked.weight)}"
    recipe |= {"items": systems.items, "n": str(systems.curves[0].items)}
    return recipe | {"level": f"{float(level)}"} | tests_recipe(compared.tested())
