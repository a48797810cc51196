"""The verb that compares two systems: where each is better, and whether it is luck."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from demur.checks import decimal_fraction
from demur.choosing import sample_of
from demur.comparisons import (
    CostComparison,
    Geometry,
    PointComparison,
    compare_curves,
    compare_points,
    cost_regions,
)
from demur.curves import Curve
from demur.errors import InputError
from demur.outcomes import Outcomes
from demur.paired_tests import Difference, difference
from demur.pairing import paired
from demur.pairs import PairDifference, all_pairs
from demur.power import Plan, items_needed
from demur.quantities import Quantity
from demur.verbs import error_return
from demur.version import __version__


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same items; differences are b less a.

    Parameters
    ----------
    a, b : str
        The systems' names.
    at : float
        The nonreturn at which errors are compared.
    error_a, error_b : float or None
        Errors there, linear between cutoffs; None if a curve is missing or begins
        further right.
    difference : Difference or None
        Of these errors, with interval and p value.
    area : Difference or None
        Of the areas over the common range.
    linear, step : Geometry or None
        Dominance, crossings and regions, in both readings; None if a system has no
        curve.
    points : PointComparison
        The systems as they decide themselves.
    costs : CostComparison
        Which is cheaper at which price of a non-return.
    at_error : float or None
        The error at which nonreturns are compared, if asked for.
    nonreturn_a, nonreturn_b : float or None
        Least nonreturns with an error that low.
    nonreturn : Difference or None
        Of these.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    a: str
    b: str
    at: float
    error_a: float | None
    error_b: float | None
    difference: Difference | None
    area: Difference | None
    linear: Geometry | None
    step: Geometry | None
    points: PointComparison
    costs: CostComparison
    at_error: float | None = None
    nonreturn_a: float | None = None
    nonreturn_b: float | None = None
    nonreturn: Difference | None = None
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The recipe of the comparison, one line."""
        parts = {"demur": __version__, **self.recipe}
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    @property
    def better(self) -> str | None:
        """Who is better at `at` by the test: "a", "b", or None if luck may do it."""
        found = self.difference
        if found is None or found.p_value > 1 - found.level or found.value == 0:
            return None
        return "a" if found.value > 0 else "b"

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values for JSON."""
        found, linear = self.difference, self.linear
        return {
            "a": self.a,
            "b": self.b,
            "at": self.at,
            "error_a": self.error_a,
            "error_b": self.error_b,
            "difference": found and found.value,
            "interval": [found.low, found.high] if found else None,
            "level": found and found.level,
            "p_value": found and found.p_value,
            "method": found and found.method,
            "better": self.better,
            "dominates": linear and linear.dominates,
            "crossings": [each.to_dict() for each in linear.crossings]
            if linear
            else [],
            "regions": [each.to_dict() for each in linear.regions] if linear else [],
            "step": self.step and self.step.to_dict(),
            "area": self.area and self.area.to_dict(),
            "at_error": self.at_error,
            "nonreturn_a": self.nonreturn_a,
            "nonreturn_b": self.nonreturn_b,
            "nonreturn": self.nonreturn and self.nonreturn.to_dict(),
            "points": self.points.to_dict(),
            "costs": self.costs.to_dict(),
            "notes": list(self.notes),
            "signature": self.signature,
        }


def compare(  # noqa: PLR0913  (the recipe of a comparison has independent parts)
    a: Outcomes,
    b: Outcomes,
    *,
    at: float = 0.2,
    at_error: float | None = None,
    items: str = "equal",
    method: str = "auto",
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Which of two systems is better, where, and whether that is luck.

    Parameters
    ----------
    a, b : Outcomes
        Each of one system and setting; joined by item and repeat.
    at : float
        The nonreturn at which the systems would run.
    at_error : float, optional
        Also compare how many inputs each must decline to have an error this low.
    items : {"equal", "common"}
        Whether both must have answered the same items, or the common ones count.
    method : {"auto", "bootstrap", "permutation", "influence"}
        Of the test; see `demur.paired_tests.difference`.
    level : float
        Of the intervals; a p value below 1 - level decides who is better.
    seed : int
        Of resampling.

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
    (first, second), notes = paired([a, b], items=items)
    curves = error_return(first), error_return(second)
    both = all(curve.ladder is not None for curve in curves)
    errors = [_error_at(curve, at) for curve in curves]
    nonreturns = [_nonreturn_at(curve, at_error) for curve in curves]
    samples = sample_of(first), sample_of(second)
    tested = dict.fromkeys(("area", "error", "nonreturn"))
    if both and min(sample.n_clusters for sample in samples) < 2:
        notes += ("one item or cluster alone: no test",)
    elif both:
        wanted = [Quantity("area")]
        wanted += [] if None in errors else [Quantity("error", at)]
        wanted += [] if at_error is None else [Quantity("nonreturn", at_error)]
        recipe: Any = {"method": method, "level": level, "seed": seed}
        for quantity in wanted:
            tested[quantity.name] = difference(*samples, quantity=quantity, **recipe)
    return Comparison(
        a=curves[0].system or "a",
        b=curves[1].system or "b",
        at=float(decimal_fraction("compare", "at", at)),
        error_a=errors[0],
        error_b=errors[1],
        difference=tested["error"],
        area=tested["area"],
        linear=compare_curves(*curves) if both else None,
        step=compare_curves(*curves, how="step") if both else None,
        points=compare_points(*curves),
        costs=cost_regions(*curves, of="curves" if both else "points"),
        at_error=None if at_error is None else float(at_error),
        nonreturn_a=nonreturns[0],
        nonreturn_b=nonreturns[1],
        nonreturn=tested["nonreturn"],
        notes=(*notes, *_notes(curves, at)),
        recipe=_recipe(curves, items, tested["error"] or tested["area"]),
    )


def compare_all(
    tables: Sequence[Outcomes],
    *,
    quantity: str = "error",
    at: float | None = 0.2,
    items: str = "equal",
    method: str = "auto",
    level: float = 0.95,
    seed: int = 0,
) -> tuple[list[PairDifference], tuple[str, ...]]:
    """One number of many systems, all pairs, corrected by Holm.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    quantity : {"error", "nonreturn", "area"}
        The error at a nonreturn, the least nonreturn with an error that low, or the
        area over the range that all curves have.
    at : float or None
        That nonreturn, or that error; None for the area.
    items, method, level, seed
        As for `compare`.

    Returns
    -------
    (list of PairDifference, notes)

    Raises
    ------
    InputError
        If a system has no confidences, or the items do not fit.
    """
    aligned, notes = paired(list(tables), items=items)
    wanted = Quantity(quantity, at)
    left = float(at or 0) if quantity == "error" else 1.0
    curves = [error_return(table) for table in aligned]
    for curve in curves:
        if _error_at(curve, left) is None:
            must = f"have a curve at nonreturn {left:g}"
            raise InputError(
                "compare", "every system", must, f"none for {curve.system}"
            )
    samples = {
        curve.system: sample_of(table)
        for curve, table in zip(curves, aligned, strict=True)
    }
    recipe: Any = {"method": method, "level": level, "seed": seed}
    return all_pairs(samples, quantity=wanted, **recipe), notes


def plan(a: Outcomes, b: Outcomes, *, difference: float, at: float = 0.2) -> Plan:
    """How many items would show a difference of errors, judging from these as a pilot.

    Parameters
    ----------
    a, b : Outcomes
        Each of one system and setting, on the same items.
    difference : float
        The true difference, of either sign, that should be shown.
    at : float
        The nonreturn at which.

    Returns
    -------
    Plan
        For a test at 5 % that shows it with chance 0.8.

    Raises
    ------
    InputError
        If the items do not fit, or the difference is 0 or not a rate.
    """
    (first, second), _ = paired([a, b], items="common")
    quantity = Quantity("error", at)
    samples = sample_of(first), sample_of(second)
    return items_needed(*samples, quantity=quantity, difference=difference)


def _error_at(curve: Curve, at: float) -> float | None:
    return None if curve.ladder is None else curve.at(nonreturn=at).error


def _nonreturn_at(curve: Curve, error: float | None) -> float | None:
    none = curve.ladder is None or error is None
    return None if none else curve.at(error=error).nonreturn


def _notes(curves: Sequence[Curve], at: float) -> list[str]:
    notes = list(dict.fromkeys(note for curve in curves for note in curve.notes))
    for curve, name in zip(curves, "ab", strict=True):
        if curve.ladder is None:
            notes.append(
                f"{curve.system or name} gives no confidences: the systems are "
                "compared at their own operating points only"
            )
        elif at < curve.start:
            notes.append(
                f"the curve of {curve.system or name} begins at nonreturn "
                f"{curve.start:g}, right of {at:g}: no test there"
            )
    return notes


def _recipe(
    curves: Sequence[Curve], items: str, found: Difference | None
) -> dict[str, str]:
    recipe = {**curves[0].recipe, "compare": "error at nonreturn", "items": items}
    recipe["n"] = str(curves[0].items)
    if found is not None:
        recipe["test"] = found.method
        if found.replicates is not None:
            recipe |= {"replicates": str(found.replicates), "seed": str(found.seed)}
        if found.n_clusters is not None:
            recipe["clusters"] = str(found.n_clusters)
    return recipe
