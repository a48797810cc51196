"""The verb that compares many systems, all pairs of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from demur import checks
from demur.checks import choice
from demur.comparisons.comparing import (
    Compared,
    PairedSystems,
    Testing,
    compared,
    later,
    paired_systems,
    testing_of,
)
from demur.comparisons.comparison_results import Comparison
from demur.comparisons.own_decisions import (
    OWN_RATES,
    WEIGHTED,
    own_difference,
    own_readings,
)
from demur.comparisons.pair_results import Comparisons, PairDifference, listed_rates
from demur.comparisons.pairs import (
    CORRECTIONS,
    adjusted_pairs,
    all_pairs,
    corrected_together,
    pairs_among,
)
from demur.comparisons.weighted_claims import weighted_ends
from demur.comparisons.weighted_errors import check_weights
from demur.curves.curves import Curve
from demur.curves.of_outcomes import point_at
from demur.errors import InputError, shown
from demur.outcomes.context_rules import mixed_rules
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import (
    check_one_system,
    gave_nothing,
    judged_by_model,
    labelled_in_part,
    sample_of,
)
from demur.outcomes.table import Outcomes
from demur.results import joined_recipes
from demur.statistics.correcting_differences import corrected_differences
from demur.statistics.paired_tests import rates_of, tests_recipe
from demur.statistics.quantities import NAMES, Quantity

if TYPE_CHECKING:
    from concurrent.futures import Executor

_OWN: Final = (*OWN_RATES, WEIGHTED)

ALL = "all"
"""The quantity that stands for all numbers that the systems have."""


@dataclass(frozen=True)
class _Number:
    """One number that pairs are compared by.

    Parameters
    ----------
    quantity : str
        As of `compare_all`, but never "all".
    at : float or None
        The nonreturn of an error, or the error of a nonreturn.
    between : tuple (low, high), or None
        Of an area.
    gold : str or None
        The column with people's verdicts.
    weight : float or None
        Of a weighted error.
    """

    quantity: str
    at: float | None = None
    between: tuple[float, float] | None = None
    gold: str | None = None
    weight: float | None = None

    def checked(self, at_error: float | None, rates: Sequence[Any]) -> "_Number":
        """The same, unless something goes with another number."""
        n_rates = len(rates)
        if n_rates > 1 and self.quantity not in ("error", "nonreturn"):
            need, got = "be one rate", f"{n_rates} for {shown(self.quantity)}"
            raise InputError("compare_all", "at", need, got)
        given = (
            ("at_error", at_error, ALL),
            ("area", self.between, "area"),
            ("weight", self.weight, WEIGHTED),
        )
        if self.quantity == WEIGHTED:
            check_weights("compare_all", [self.weight])
        for name, value, fits in given:
            if value is not None and self.quantity != fits:
                need = f"come with quantity={fits!r}"
                raise InputError("compare_all", name, need, shown(self.quantity))
        if self.quantity in NAMES:
            Quantity(self.quantity, self.at, self.between)
        return self


def compare_all(  # noqa: PLR0913  (those of compare, and two)
    tables: Sequence[Outcomes],
    *,
    quantity: str = "error",
    at: float | Sequence[float] | None = 0.2,
    at_error: float | None = None,
    area: tuple[float, float] | None = None,
    items: str = "equal",
    method: str = "auto",
    correction: str = "holm",
    level: float = 0.95,
    seed: int = 0,
    executor: "Executor | None" = None,
    against: str | None = None,
    gold: str | None = None,
    weight: float | None = None,
) -> Comparisons:
    """One number of many systems, or several, all pairs, corrected for their number.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    quantity : str
        "error" at a nonreturn; "nonreturn", the least with an error that low; "area"
        over the range that all curves have; "own error", "own nonreturn" and "weighted
        error", as the systems decide themselves to decline; "all", whatever of these
        the systems have, first the error, or with a weight the weighted error. Ungraded
        answers are taken for right.
    at : float, sequence of float or None
        That nonreturn, or that error; None for the area. All pairs at several rates
        are corrected together, also those that cannot be tested at one.
    at_error : float, optional
        With "all": also compare nonreturns at this error.
    area : tuple (low, high), optional
        Nonreturns between which areas are compared.
    items, method, correction, level, seed, executor
        As for `compare`; the correction is also for the number of pairs.
    against : str, optional
        A system that each other one is compared with, instead of all pairs.
    gold : str, optional
        As for `compare`, with errors at a nonreturn or by own decisions only.
    weight : float, optional
        Of the weighted error, as for `compare`.

    Returns
    -------
    Comparisons

    Raises
    ------
    InputError
        If a system has no curve where one is needed, the items do not fit, or two
        systems have one name.

    Examples
    --------
    >>> import demur
    >>> systems = [
    ...     demur.Outcomes.from_arrays(system=name, item=range(100), correct=[
    ...         number % every > 0 for number in range(100)])
    ...     for name, every in [("a", 2), ("b", 4), ("c", 5)]]
    >>> pairs = demur.compare_all(systems, quantity="own error", at=None)
    >>> [(pair.a, pair.b, pair.adjusted_p < 0.01) for pair in pairs]
    [('a', 'b', True), ('a', 'c', True), ('b', 'c', False)]
    """
    choice("compare_all", "quantity", quantity, [*NAMES, *OWN_RATES, WEIGHTED, ALL])
    tables = checks.all_of_kind("compare_all", "tables", tables, Outcomes)
    check_one_system("compare_all", *tables)
    _check_enough(tables)
    testing = testing_of("compare_all", method, level, seed, executor)
    choice("compare_all", "correction", correction, CORRECTIONS)
    failed, tables = _failures(tables), _answering(tables)
    systems = paired_systems(tables, items=items)
    named = dict(zip(_by_name(systems), tables, strict=True))
    rates: list[Any] = [None] if at is None else rates_of(at)
    family = _Family(correction, tuple(rates) if len(rates) > 1 else ())
    if quantity == ALL:
        first = 0.2 if at is None else rates[0]
        asked = Compared(first, at_error, area, gold=gold, weight=weight)
        listed, notes = _whatever_there_is(systems, tables, asked, family, against)
        listed = [*_named_first(systems, asked), *listed]
    else:
        numbers = [_Number(quantity, rate, area, gold, weight) for rate in rates]
        listed, notes = [(one.checked(at_error, rates), systems) for one in numbers], []
    pairs, n_tests = family.pairs(systems, listed, against, testing)
    alone = _Alone(named, items, gold, later(testing), family)
    return Comparisons(
        pairs,
        at=0.2 if at is None or quantity in ("nonreturn", "area") else float(rates[0]),
        against=against,
        correction=correction,
        rates=family.rates,
        n_tests=n_tests,
        failed=failed,
        notes=(*systems.notes, *_reading_notes(systems, gold), *notes, *family.notes),
        recipe=_recipe(systems, pairs, against, gold) | family.recipe,
        again=alone.compare,
    )


def _check_enough(tables: Sequence[Outcomes]) -> None:
    if len(tables) < 2:
        raise InputError("compare_all", "tables", "be two or more", str(len(tables)))


def _named_first(
    systems: PairedSystems, asked: Compared
) -> list[tuple[_Number, PairedSystems]]:
    """The weighted error, if it is named: it is what ranks then."""
    if asked.weight is None:
        return []
    return [(_Number(WEIGHTED, gold=asked.gold, weight=asked.weight), systems)]


def _failures(tables: Sequence[Outcomes]) -> dict[str, tuple[int, int]]:
    """Of each system how many items failed, and how many there are."""
    return {table.systems[0]: (int(table.failed.sum()), len(table)) for table in tables}


def _answering(tables: Sequence[Outcomes]) -> list[Outcomes]:
    """Those that answered anything; all of them if that is not two, to be refused."""
    left = [table for table in tables if not gave_nothing(table)]
    return left if len(left) > 1 else list(tables)


@dataclass(frozen=True)
class _Family:
    """Which pairs are corrected together, and how.

    Parameters
    ----------
    correction : str
        As of `compare_all`.
    rates : tuple of float
        Of several, those at which all pairs are one family; else empty.
    """

    correction: str
    rates: tuple[float, ...]

    @property
    def recipe(self) -> dict[str, str]:
        """Empty for the usual: Holm's method, within each number."""
        usual = self.correction == "holm" and not self.rates
        return {} if usual else {"correction": self.correction}

    @property
    def notes(self) -> Iterable[str]:
        """What is corrected together, where there are several rates."""
        if self.rates:
            rates, corrected = listed_rates(self.rates), self.correction != "none"
            how = "corrected together" if corrected else "not corrected"
            yield (
                f"all pairs at nonreturns {rates} are {how}; each other table is by "
                "itself, and so are intervals"
            )

    def pairs(
        self,
        systems: PairedSystems,
        listed: Sequence[tuple[_Number, PairedSystems]],
        against: str | None,
        testing: Testing,
    ) -> tuple[list[PairDifference], int]:
        """All pairs by all numbers, and for how many tests the first are corrected."""
        tested: dict[str, list[PairDifference]] = {}
        for number, drawn in listed:
            n_rates = len(self.rates) if number.at in self.rates else 1
            pairs = _pairs_of(drawn, number, against, testing, n_rates)
            tested.setdefault(number.quantity, []).extend(pairs)
        asked = listed[0][0].quantity if listed else ""
        n_tests = len(tested.get(asked, ()))
        if self.rates and asked not in _OWN:
            names = [curve.system for curve in systems.curves if curve.ladder]
            n_tests = len(self.rates) * len(pairs_among(names, against))
        if self.recipe:
            for name, pairs in tested.items():
                untested = n_tests - len(pairs) if name == asked else 0
                pairs[:] = [
                    replace(pair, recipe={**pair.recipe, **self.recipe})
                    for pair in corrected_together(
                        pairs, self.correction, untested=untested
                    )
                ]
        return [pair for pairs in tested.values() for pair in pairs], n_tests


@dataclass(frozen=True)
class _Alone:
    """Two of the systems at a time, on the items that these two have, for gates."""

    tables: Mapping[str, Outcomes]
    items: str
    gold: str | None
    testing: Testing
    family: _Family

    def compare(self, a: str, b: str, at: float) -> Comparison:
        """Two of them at a nonreturn; if it is one of several rates, at all of these.

        The tests of these two are corrected for the rates, but not for other pairs.
        """
        systems = paired_systems([self.tables[a], self.tables[b]], items=self.items)
        asked, family = Compared(at, gold=self.gold), self.family
        rates = family.rates if at in family.rates else (at,)
        how = family.correction if at in family.rates else "holm"
        return compared(systems, asked, rates, how, self.testing)


def _recipe(
    systems: PairedSystems,
    pairs: Sequence[PairDifference],
    against: str | None,
    gold: str | None,
) -> dict[str, str]:
    """Everything that the numbers depend on."""
    recipe = joined_recipes(curve.recipe for curve in systems.curves)
    numbers = dict.fromkeys(pair.difference.text for pair in pairs)
    recipe["compare"] = ", ".join(numbers)
    recipe["systems"] = str(len(systems.tables))
    if against is not None:
        recipe["against"] = against
    if gold is not None:
        recipe["gold"] = gold
    recipe |= {"items": systems.items, "n": str(systems.curves[0].items)}
    if pairs:
        recipe["level"] = f"{float(pairs[0].difference.level)}"
    return recipe | tests_recipe([pair.difference for pair in pairs])


def _reading_notes(systems: PairedSystems, gold: str | None) -> Iterable[str]:
    recipes = [curve.recipe for curve in systems.curves]
    yield from mixed_rules(recipes)
    if judged_by_model(systems.tables):
        from demur.comparisons.comparing_by_people import unchecked_notes

        yield from unchecked_notes(gold)
    if _any_ungraded(systems) and not labelled_in_part(*systems.tables):
        yield (
            "ungraded answers are taken for right, with bounds for whatever they are: "
            "who is better is said only if they cannot turn it"
        )


def _any_ungraded(systems: PairedSystems) -> bool:
    return any((table.outcome == UNGRADED).any() for table in systems.tables)


_OF_LABELS: Final = (
    "errors and their differences are those of the labelled answers; what would take a "
    "verdict on each answer is left out"
)


def _whatever_there_is(
    systems: PairedSystems,
    tables: Sequence[Outcomes],
    asked: Compared,
    family: _Family,
    against: str | None,
) -> tuple[list[tuple[_Number, PairedSystems]], list[str]]:
    """Numbers of curves, and of own decisions; of which systems; what is left out."""
    curves, rates = systems.curves, family.rates or (asked.at,)
    whole = not labelled_in_part(*tables)
    listed = list[tuple[_Number, PairedSystems]]()
    notes = [] if whole else [_OF_LABELS]
    for rate in rates:
        reaching = [curve.system for curve in curves if _reaches(curve, rate)]
        drawn = _these(systems, tables, reaching)
        if len(reaching) > 1 and (not family.rates or against in (None, *reaching)):
            listed.append((_Number("error", rate, gold=asked.gold), drawn))
        notes += _left_out_notes(curves, reaching, rate, family)
    # Of several rates the greatest is one that most curves reach.
    at = max(rates)
    reaching = [curve.system for curve in curves if _reaches(curve, at)]
    if whole and len(reaching) > 1:
        drawn = _these(systems, tables, reaching)
        listed.append((_Number("area", between=asked.area), drawn))
        if asked.at_error is not None:
            listed.append((_Number("nonreturn", asked.at_error), drawn))
    alone = [curve.system for curve in curves if curve.system not in reaching]
    if alone or any(table.declined is not None for table in systems.tables):
        listed.append((_Number(OWN_RATES[0], gold=asked.gold), systems))
        listed.append((_Number(OWN_RATES[1]), systems))
        if not any(curve.operating_point.nonreturn > 0 for curve in curves):
            notes.append("no system declines anything, so own nonreturns are all 0")
    if alone:
        notes.append(
            f"no curve at nonreturn {at:g}, so only their own decisions are compared: "
            f"{', '.join(alone)}"
        )
    return listed, notes


def _these(
    systems: PairedSystems, tables: Sequence[Outcomes], names: Sequence[str]
) -> PairedSystems:
    """Some of the systems, on the items that they have."""
    if len(names) in (0, 1, len(tables)):
        return systems
    chosen = [
        table
        for table, curve in zip(tables, systems.curves, strict=True)
        if curve.system in names
    ]
    return paired_systems(chosen, items=systems.items)


def _left_out_notes(
    curves: Sequence[Curve], reaching: Sequence[str], rate: float, family: _Family
) -> Iterable[str]:
    """Which systems are not tested at one of several rates."""
    late = [c.system for c in curves if c.ladder and c.system not in reaching]
    if family.rates and late:
        counted = " but counted with p = 1" if family.correction != "none" else ""
        names = ", ".join(late)
        yield f"no curve at nonreturn {rate:g}, so not tested there{counted}: {names}"


def _reaches(curve: Curve, at: float) -> bool:
    return curve.ladder is not None and at >= curve.start


def _pairs_of(
    systems: PairedSystems,
    number: _Number,
    against: str | None,
    testing: Testing,
    n_rates: int,
) -> list[PairDifference]:
    """All pairs by one number, with the recipe of that number."""
    parts, quantity = _by_name(systems), number.quantity
    corrected = number.gold is not None or labelled_in_part(*systems.tables)
    if corrected and quantity in ("error", OWN_RATES[0]):
        pairs = _corrected_pairs(parts, number, against, testing["level"])
    elif number.gold is not None or (corrected and quantity != OWN_RATES[1]):
        need = f"be the error or the {OWN_RATES[0]} with gold"
        raise InputError("compare", "the quantity", need, quantity)
    elif quantity in _OWN:
        pairs = _own_pairs(systems, number, against, testing)
    else:
        _check_reach(systems, number)
        wanted = Quantity(quantity, number.at, number.between)
        samples, harmed = (
            {name: sample_of(part, ungraded=taken) for name, part in parts.items()}
            for taken in ("right", "wrong")
        )
        harmed = harmed if _any_ungraded(systems) else {}
        more: Any = {"against": against, "harmed": harmed, "n_rates": n_rates}
        pairs = all_pairs(samples, quantity=wanted, **more, **testing)
    recipe = _recipe(systems, pairs, against, number.gold)
    return [replace(pair, recipe=recipe) for pair in pairs]


def _check_reach(systems: PairedSystems, number: _Number) -> None:
    """Refuse systems without a curve where the number is read off."""
    left = float(number.at or 0) if number.quantity == "error" else 1.0
    left = left if number.between is None else number.between[0]
    for curve in systems.curves:
        if point_at(curve, left) is None:
            need, got = f"have a curve at nonreturn {left:g}", shown(curve.system)
            raise InputError("compare", "every system", need, f"none for {got}")


def _by_name(systems: PairedSystems) -> dict[str, Outcomes]:
    parts = dict[str, Outcomes]()
    for curve, table in zip(systems.curves, systems.tables, strict=True):
        if curve.system in parts:
            need, got = "differ in name", shown(curve.system)
            raise InputError("compare", "the systems", need, got)
        parts[curve.system] = table
    return parts


def _corrected_pairs(
    parts: Mapping[str, Outcomes], number: _Number, against: str | None, level: float
) -> list[PairDifference]:
    """Pairs of errors that people's verdicts have corrected, as for `compare`."""
    pairs, gold = pairs_among(parts, against), number.gold
    at = number.at if number.quantity == "error" else None
    errors, differences = corrected_differences(parts, pairs, gold, at=at, level=level)
    values = {name: (error, error) for name, error in errors.items()}
    return adjusted_pairs(pairs, differences, values)


def _own_pairs(
    systems: PairedSystems, number: _Number, against: str | None, testing: Testing
) -> list[PairDifference]:
    """Pairs of operating points, corrected by Holm."""
    parts, quantity = _by_name(systems), number.quantity
    pairs = pairs_among(parts, against)
    how: Any = {name: testing[name] for name in ("level", "seed")}
    how |= {"quantity": quantity, "weight": number.weight}
    differences, *bounds = (
        [own_difference(parts[a], parts[b], unknown=taken, **how) for a, b in pairs]
        for taken in own_readings(systems.tables)
    )
    points = {curve.system: curve.operating_point for curve in systems.curves}
    if quantity == WEIGHTED:
        values = {
            name: weighted_ends(point, number.weight or 0.0)
            for name, point in points.items()
        }
    else:
        values = {
            name: point.bounds if quantity == OWN_RATES[0] else (point.nonreturn,) * 2
            for name, point in points.items()
        }
    return adjusted_pairs(pairs, differences, values, bounds=bounds)
