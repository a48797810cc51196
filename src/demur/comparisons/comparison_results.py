"""The comparison of two systems: what a verb found, and what to make of it."""

from dataclasses import dataclass, field
from typing import Any

from demur.checks import decimal_fraction
from demur.comparisons.comparison_tables import comparison_table
from demur.comparisons.geometry import CostComparison, Geometry, PointComparison
from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.errors import InputError, shown
from demur.results import Result
from demur.statistics.paired_tests import Difference


@dataclass(frozen=True)
class ByJudge:
    """What a noisy judge says of a comparison that people's verdicts correct.

    Parameters
    ----------
    error_a, error_b : float or None
        Errors at the nonreturn.
    difference : Difference or None
        Of these.
    """

    error_a: float | None
    error_b: float | None
    difference: Difference | None


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
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
    bounds : mapping of str to tuple of two Difference
        With ungraded answers, which the differences take for right: the lowest and the
        highest that each of "error", "area", "nonreturn", "own error" and "own
        nonreturn" may be, whatever they are.
    bounds_a, bounds_b : tuple of float, or None
        The errors' bounds.
    own : tuple of Difference
        Of the errors and of the nonreturns as the systems decide themselves; empty if
        both have curves and none declines.
    linear, step : Geometry or None
        Dominance, crossings and regions, in both readings; None if a system has no
        curve.
    points : PointComparison
        The systems as they decide themselves.
    point_a, point_b : Point
        Where that is.
    costs : CostComparison
        Which is cheaper at which price of a non-return.
    at_error : float or None
        The error at which nonreturns are compared, if asked for.
    nonreturn_a, nonreturn_b : float or None
        Least nonreturns with an error that low.
    nonreturn : Difference or None
        Of these.
    margin : float or None
        How much worse a system may be and still do, if asked for.
    own_errors : tuple of float, or None
        Errors by own decisions as people's verdicts correct them, where a system has no
        curve at that nonreturn.
    by_judge : ByJudge or None
        Errors and their difference without people's verdicts; those above are corrected
        by them. None if that was not asked for.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    curves : tuple of two Curve
        On the items that both have.
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
    point_a: Point
    point_b: Point
    costs: CostComparison
    bounds: dict[str, tuple[Difference, Difference]] = field(default_factory=dict)
    bounds_a: tuple[float, float] | None = None
    bounds_b: tuple[float, float] | None = None
    own: tuple[Difference, ...] = ()
    at_error: float | None = None
    nonreturn_a: float | None = None
    nonreturn_b: float | None = None
    nonreturn: Difference | None = None
    margin: float | None = None
    own_errors: tuple[float, float] | None = None
    by_judge: ByJudge | None = None
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)

    @property
    def better(self) -> str | None:
        """Who is better at `at` by the test: "a", "b", or None if luck may do it.

        With ungraded answers only if it is so whatever they are.
        """
        if self.difference is None:
            return None
        differences = (self.difference, *self.bounds.get("error", ()))
        verdicts = {_verdict(each) for each in differences}
        return verdicts.pop() if len(verdicts) == 1 else None

    def range_of(self, name: str = "error") -> tuple[float, float] | None:
        """The interval of b less a, whatever ungraded answers are.

        Parameters
        ----------
        name : {"error", "area", "nonreturn", "own error", "own nonreturn"}
            Of what.

        Returns
        -------
        (low, high) or None
            None without an interval.
        """
        tested = (self.difference, self.area, self.nonreturn, *self.own)
        found = [each for each in tested if each is not None and each.quantity == name]
        found += self.bounds.get(name, ())
        lows = [each.low for each in found if each.low is not None]
        highs = [each.high for each in found if each.high is not None]
        return (min(lows), max(highs)) if lows and highs else None

    def not_worse(self, margin: float) -> tuple[bool, bool]:
        """Whether it is shown that a, and that b, is not worse by a margin.

        By the interval of the difference of errors at `at`: with a level of 0.95 a
        system that is worse by the margin is let through in at most 2.5 % of samples.

        Parameters
        ----------
        margin : float
            How much more error would do, above 0.

        Examples
        --------
        >>> import demur
        >>> a, b = (
        ...     demur.Outcomes.from_arrays(
        ...         system=name, correct=[k % every > 0 for k in range(400)],
        ...         confidence=range(400))
        ...     for name, every in [("a", 4), ("b", 5)])
        >>> demur.compare(a, b).not_worse(0.02)
        (False, True)
        """
        if not decimal_fraction("compare", "margin", margin) > 0:
            raise InputError("compare", "margin", "be above 0", shown(margin))
        ends = self.range_of()
        if ends is None:
            return False, False
        return -ends[0] < float(margin), ends[1] < float(margin)

    def __str__(self) -> str:
        return comparison_table(self)

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
            "crossings": [crossing.to_dict() for crossing in linear.crossings]
            if linear
            else [],
            "regions": [region.to_dict() for region in linear.regions]
            if linear
            else [],
            "step": self.step and self.step.to_dict(),
            "area": self.area and self.area.to_dict(),
            "bounds_a": self.bounds_a and list(self.bounds_a),
            "bounds_b": self.bounds_b and list(self.bounds_b),
            "bounds": {
                name: [each.to_dict() for each in pair]
                for name, pair in self.bounds.items()
            },
            "own": [each.to_dict() for each in self.own],
            "at_error": self.at_error,
            "nonreturn_a": self.nonreturn_a,
            "nonreturn_b": self.nonreturn_b,
            "nonreturn": self.nonreturn and self.nonreturn.to_dict(),
            "margin": self.margin,
            "own_errors": self.own_errors and list(self.own_errors),
            "by_judge": self.by_judge
            and {
                "error_a": self.by_judge.error_a,
                "error_b": self.by_judge.error_b,
                "difference": self.by_judge.difference
                and self.by_judge.difference.to_dict(),
            },
            "not_worse": self.margin
            and dict(zip("ab", self.not_worse(self.margin), strict=True)),
            "points": {
                **self.points.to_dict(),
                "a": self.point_a.to_dict(),
                "b": self.point_b.to_dict(),
            },
            "costs": self.costs.to_dict(),
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _verdict(difference: Difference) -> str | None:
    """Who is better by one test, or None if luck may have done it."""
    if difference.p_value > 1 - difference.level or difference.value == 0:
        return None
    return "a" if difference.value > 0 else "b"
