"""Two error-return curves: who is lower where, where they cross, and at which price.

Verdicts are reached on whole numbers: counts are brought to one denominator and
compared by cross-multiplication, so two curves that only touch are never said to
cross. Only where weights or credits are no short decimals, and sums of them are
rounded anyway, differences too small to tell from rounding count as none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from demur import checks
from demur.arrays import Floats, frozen
from demur.checks import choice
from demur.comparisons.polylines import (
    READINGS,
    Polyline,
    PolylinePair,
    excess,
    pair_of,
    pieces,
)
from demur.curves.counting import lower_hull
from demur.curves.curves import Curve
from demur.curves.rates import amounts_at, exact
from demur.errors import UndefinedRate
from demur.results import Column, Result, Table, rate

Better: TypeAlias = Literal["a", "b"] | None

_APART = 1e-9  # prices that are closer are one, if amounts are rounded sums


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Crossing(Result):
    """Where two curves change sides.

    Parameters
    ----------
    nonreturn, error : float
        Rates over all items, at the left end if the curves run together for a while.
        In the step reading, where both curves may jump at once, the error is the
        greater of the two from there on.
    """

    SAYS = "The two cross at nonreturn {nonreturn}, where both errors are {error}."

    nonreturn: float
    error: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Region(Result):
    """A stretch over which one system is better, or both are equal.

    Parameters
    ----------
    start, end : float
        The stretch: of nonreturn, or of the cost of a non-return.
    better : "a", "b" or None
        None if they are equal all along. At single points inside, where the two
        touch, they are equal too.
    """

    start: float
    end: float
    better: Better

    def sentence(self) -> str:
        """Who is better there."""
        who = f"{self.better} is better" if self.better else "neither is better"
        return f"From {self.start:.4g} to {self.end:.4g} {who}."

    def to_dict(self) -> dict[str, Any]:
        """The region as plain values for JSON."""
        return {"from": self.start, "to": self.end, "better": self.better}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Geometry(Result):
    """How two error-return curves lie to each other.

    Parameters
    ----------
    reading : {"linear", "step"}
        How the curves are read between vertices.
    start : float
        Nonreturn from which on both curves exist; everything is about [start, 1].
    dominates : "a", "b" or None
        "a" if a is nowhere above b and somewhere below; with ungraded answers, only
        if that holds whatever they are: a's high bound is nowhere above b's low one.
    identical : bool
        Whether the curves are the same; with ungraded answers, in both bounds.
    crossings : tuple of Crossing
        From left to right. Curves that touch and part again do not cross.
    regions : tuple of Region
        They cover the range from left to right; neighbours differ in ``better``.
    high : Geometry or None
        With ungraded answers, `crossings` and `regions` are those of the low bounds,
        as if the answers were right, and this is the comparison of the high bounds,
        as if they were wrong. None if everything is graded.
    """

    reading: str
    start: float
    dominates: Better
    identical: bool
    crossings: tuple[Crossing, ...]
    regions: tuple[Region, ...]
    high: "Geometry | None" = None

    def sentence(self) -> str:
        """Whether one curve is nowhere above the other, and how often they cross."""
        if self.identical:
            return "The curves are the same."
        if self.dominates:
            return f"{self.dominates} is somewhere better and nowhere worse."
        times = len(self.crossings)
        return f"Neither is better everywhere; the curves cross {times} times."


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointComparison(Result):
    """How the operating points of two systems lie to each other.

    Parameters
    ----------
    dominates : "a", "b" or None
        "a" if neither rate of a is worse and one is better; with ungraded answers,
        whatever they are.
    identical : bool
        Whether both rates are the same; with ungraded answers, in both bounds.
    change : float or None
        The cost of a non-return, over the cost of an error, at which the two cost
        the same: below it the one that declines more is cheaper, above it the other.
        Ungraded answers count as errors. None if one is cheaper (or both are equal)
        at every price; more than 1 if only a non-return dearer than an error would
        change the verdict.
    """

    dominates: Better
    identical: bool
    change: float | None

    def untested(
        self, names: Sequence[str], where: str, errors: Any, decided: Any, base: str
    ) -> str:
        """The errors where there is no test, or what is known in their place."""
        (a, b), (first, second) = names, map(rate, errors)
        if None not in errors:
            known = f"Errors {where} are {first} of all {base} for {a} and {second}"
            return f"{known} for {b}; there is no test."
        declined = "parts" if base == "wholes" else base
        first, second = (
            f"{name} declines {rate(point.nonreturn)} of the {declined} and errs on "
            f"{rate(point.error)} of all{'' if base == declined else f' {base}'}"
            for name, point in zip(names, decided, strict=True)
        )
        return (
            f"Errors {where} are not known of both, so there is no test: by their own "
            f"decisions {first}, {second}."
        )

    def sentence(self) -> str:
        """Whether one is better in both rates, or at which price the better changes."""
        if self.identical:
            return "Both operating points are the same."
        if self.dominates:
            return f"{self.dominates} is better in one rate and worse in none."
        if self.change is None:
            return "Neither operating point is better in both rates."
        return (
            "Neither operating point is better in both rates; which is cheaper changes "
            f"where no answer costs {self.change:.4g} errors."
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CostComparison(Result):
    """Which of two systems is cheaper, by the price of a non-return.

    Parameters
    ----------
    of : {"curves", "points"}
        Whether each system is at its own best cutoff, or as it decides itself.
    regions : tuple of Region
        They cover the prices from 0 to 1: cost of a non-return / cost of an error.
    changes : tuple of float
        Prices at which the verdict goes from one system to the other.
    """

    of: str
    regions: tuple[Region, ...]
    changes: tuple[float, ...]

    def sentence(self) -> str:
        """Who is cheaper at which price of no answer."""
        return "By the price of no answer: " + " ".join(
            region.sentence() for region in self.regions
        )


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceCurve(Result):
    """Error of b less error of a along the common range, for drawing.

    Parameters
    ----------
    reading : {"linear", "step"}
        Linear values are joined by straight lines; a step value holds up to the next.
    nonreturn : array of float64, shape (n,)
        Rising; wherever one of the curves has a corner.
    difference : array of float64, shape (n,)
        Positive where a is better; ungraded answers taken as right.
    low, high : arrays of float64, shape (n,)
        Bounds of the difference, whatever ungraded answers are.
    """

    reading: str
    nonreturn: Floats
    difference: Floats
    low: Floats
    high: Floats

    def tables(self) -> tuple[Table]:
        """A row for each nonreturn."""
        columns = (
            Column("nonreturn", cells="share"),
            Column("difference", cells="difference", explained="error of b less of a"),
            *(
                Column(end, cells="difference", explained=_END)
                for end in ("low", "high")
            ),
        )
        cells = (getattr(self, column.key).tolist() for column in columns)
        return (Table("", columns, tuple(zip(*cells, strict=True))),)


_END: Final = "bound, whatever ungraded answers are"


def compare_curves(a: Curve, b: Curve, *, how: str = "linear") -> Geometry:
    """Dominance, crossings and regions of two error-return curves.

    The curves are compared as they lie; that they are of the same items is up to the
    caller.

    Parameters
    ----------
    a, b : Curve
        Two systems.
    how : {"linear", "step"}
        Linear: a tied block may be answered in part, at random. Step: at each
        nonreturn the one deterministic cutoff that declines at most that much.

    Returns
    -------
    Geometry
        On the range where both curves exist.

    Raises
    ------
    UndefinedRate
        If a system has no curve; see `compare_points`.

    References
    ----------
    R. Artstein (2011), "Error Return Plots", section 5: dominance, and the part of
    the curves where operation is expected.

    Examples
    --------
    The case "G20" of the test suite: a has four tied answers with three errors, b has
    one error among four that are ranked.

    >>> import demur
    >>> rest = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9]
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         confidence=confidence + rest, correct=correct + [1] * 6))
    ...     for confidence, correct in (
    ...         ([0.1, 0.1, 0.1, 0.1], [0, 0, 1, 0]),
    ...         ([0.1, 0.2, 0.3, 0.4], [1, 1, 1, 0])))
    >>> found = compare_curves(a, b)
    >>> found.dominates, found.crossings
    (None, (Crossing(nonreturn=0.2667, error=0.1),))
    >>> [(round(each.start, 3), each.end, each.better) for each in found.regions[1:]]
    [(0.267, 0.4, 'a'), (0.4, 1.0, None)]
    >>> compare_curves(a, b, how="step").dominates
    'b'
    """
    choice("compare_curves", "how", how, READINGS)
    low = _geometry(_pair(a, b), how)
    if not (a.totals.unclear or b.totals.unclear):
        return low
    high = _geometry(_pair(a, b, high="ab"), how)
    # Sure is only who wins with its own ungraded answers wrong, the other's right.
    worst_a = _dominates(pieces(_pair(a, b, high="a"), how)[2])
    worst_b = _dominates(pieces(_pair(a, b, high="b"), how)[2])
    sure: Better = "a" if worst_a == "a" else "b" if worst_b == "b" else None
    identical = low.identical and high.identical
    return replace(low, dominates=sure, identical=identical, high=high)


def difference_curve(a: Curve, b: Curve, *, how: str = "linear") -> DifferenceCurve:
    """Error of b less error of a at every corner of the two curves.

    Parameters
    ----------
    a, b : Curve
        Two systems.
    how : {"linear", "step"}
        As in `compare_curves`.

    Returns
    -------
    Difference
        On the range where both curves exist.

    Raises
    ------
    UndefinedRate
        If a system has no curve.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         confidence=[0.9, 0.7, 0.4, 0.2], correct=correct))
    ...     for correct in ([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> demur.difference_curve(a, b).difference
    array([0.25, 0.25, 0.25, 0.  , 0.  ])
    """
    for name, curve in (("a", a), ("b", b)):
        checks.of_kind("difference_curve", name, curve, Curve)
    choice("difference_curve", "how", how, READINGS)
    nonreturn, difference = _differences(_pair(a, b), how)
    low = high = difference
    if a.totals.unclear or b.totals.unclear:
        low = _differences(_pair(a, b, high="a"), how)[1]
        high = _differences(_pair(a, b, high="b"), how)[1]
    arrays = map(frozen, (nonreturn, difference, low, high))
    return DifferenceCurve(how, *arrays)


def compare_points(a: Curve, b: Curve) -> PointComparison:
    """Dominance of two operating points, and the price at which the verdict changes.

    Parameters
    ----------
    a, b : Curve
        Two systems, compared as they decide themselves to decline.

    Returns
    -------
    PointComparison

    Examples
    --------
    Half as many errors, for one more answer in four withheld:

    >>> import demur
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(correct=correct))
    ...     for correct in ([1, 1, 0, None], [1, 1, 0, 0]))
    >>> compare_points(a, b)
    PointComparison(dominates=None, identical=False, change=1.0)
    """
    slack = _slack(a, b)
    # Of rounded sums those of b are taken for a's where they differ by no more.
    rates_a = _rates(a)
    rates_b = [
        first if abs(first - second) <= slack else second
        for first, second in zip(rates_a, _rates(b), strict=True)
    ]
    (xa, low_a, high_a), (xb, low_b, high_b) = rates_a, rates_b
    sure: Better = None
    if xa <= xb and high_a <= low_b and (xa, high_a) != (xb, low_b):
        sure = "a"
    elif xb <= xa and high_b <= low_a and (xb, high_b) != (xa, low_a):
        sure = "b"
    declined, errors = xa - xb, high_b - high_a
    change = float(errors / declined) if declined * errors > 0 else None
    return PointComparison(sure, rates_a == rates_b, change)


def cost_regions(a: Curve, b: Curve, *, of: str = "curves") -> CostComparison:
    """Which system is cheaper, for each price of a non-return.

    The cost is ``error + r * nonreturn`` with r, the cost of a non-return over the
    cost of an error, from 0 to 1. Ungraded answers count as errors.

    Parameters
    ----------
    a, b : Curve
        Two systems.
    of : {"curves", "points"}
        Curves: for each r, each system is at its own best cutoff; a system without
        confidences only has its operating point. Points: each declines as it decides
        itself, whatever r.

    Returns
    -------
    CostComparison

    Notes
    -----
    Choosing each cutoff on the data it is judged on flatters both systems.

    References
    ----------
    R. Artstein (2011), "Error Return Plots", section 5: a weighted average in which
    non-understanding weighs less than misunderstanding.

    Examples
    --------
    An error is better hidden by a, but b makes only one:

    >>> import demur
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         confidence=[0.9, 0.7, 0.4, 0.2], correct=correct))
    ...     for correct in ([1, 1, 0, 0], [0, 1, 1, 1]))
    >>> [each.to_dict() for each in cost_regions(a, b).regions]
    [{'from': 0.0, 'to': 0.5, 'better': 'a'}, {'from': 0.5, 'to': 1.0, 'better': 'b'}]
    """
    choice("cost_regions", "of", of, ("curves", "points"))
    hulls = [_hull(curve) if of == "curves" else [_point(curve)] for curve in (a, b)]
    slack = _slack(a, b)
    prices = _prices(hulls, apart=_APART if slack else 0)
    costs = (_least_costs(hull, prices) for hull in hulls)
    gaps = [first - second for first, second in zip(*costs, strict=True)]
    gaps = [gap if abs(gap) > slack else Fraction(0) for gap in gaps]
    regions = _regions(*_price_pieces(prices, gaps))
    changes = tuple(regions[index].start for index in _changes(regions))
    return CostComparison(of, regions, changes)


# -- curves ------------------------------------------------------------------------


def _pair(a: Curve, b: Curve, *, high: str = "") -> PolylinePair:
    """Both curves in one unit; ungraded answers are errors for those in ``high``."""
    lines = (_polyline(a, high="a" in high), _polyline(b, high="b" in high))
    weights = a.totals.weight, b.totals.weight
    return pair_of(*lines, over=weights, slack=_slack(a, b))


def _polyline(curve: Curve, *, high: bool) -> Polyline:
    if curve.ladder is None:
        silent = curve.totals.unanswered == curve.items
        why = "answers nothing" if silent else "gives no confidences"
        raise UndefinedRate(
            f"{curve.system or 'a system'} {why}: it has an operating point, "
            "but no curve. demur.compare compares the points; or look the other curve "
            f"up at nonreturn {curve.operating_point.nonreturn:.4g}.",
            where="compare",
        )
    position = curve.ladder.corners()
    withheld, lost, _, _, unclear = amounts_at(curve.ladder, curve.totals, position)
    return Polyline(withheld, lost + unclear if high else lost)


def _slack(a: Curve, b: Curve) -> float:
    """How far apart rates may be and still be equal: 0 if they are whole counts."""
    if all(isinstance(curve.totals.weight, int) for curve in (a, b)):
        return 0.0
    return float(4 * np.finfo(float).eps * max(a.items, b.items))


def _geometry(pair: PolylinePair, how: str) -> Geometry:
    nonreturn, error, signs = pieces(pair, how)
    regions = _regions(nonreturn, signs)
    crossings = (Crossing(regions[at].start, error[at]) for at in _changes(regions))
    return Geometry(
        reading=how,
        start=nonreturn[0],
        dominates=_dominates(signs),
        identical=signs == [0],
        crossings=tuple(crossings),
        regions=regions,
    )


def _dominates(signs: Sequence[int]) -> Better:
    """The curve that is never above and somewhere below the other."""
    if min(signs) == max(signs) == 0:
        return None
    return "a" if max(signs) <= 0 else "b" if min(signs) >= 0 else None


def _differences(pair: PolylinePair, how: str) -> tuple[Floats, Floats]:
    x, top, bottom = excess(pair, how)
    nonreturn, above = x / pair.unit, top / (bottom * pair.unit)
    return nonreturn.astype(float), 0.0 - above.astype(float)


def _regions(starts: Sequence[float], signs: Sequence[int]) -> tuple[Region, ...]:
    """Regions up to 1, from where each begins and the sign of a's excess there."""
    names: dict[int, Better] = {-1: "a", 0: None, 1: "b"}
    ends = [*starts[1:], 1.0]
    return tuple(
        Region(start, end, names[sign])
        for start, end, sign in zip(starts, ends, signs, strict=True)
    )


def _changes(regions: Sequence[Region]) -> Iterator[int]:
    """Which regions begin a change of sides; a stretch of equality begins it early."""
    last: Better = None
    for index, region in enumerate(regions):
        if region.better is None:
            continue
        if last and last != region.better:
            yield index - (regions[index - 1].better is None)
        last = region.better


# -- points and prices -------------------------------------------------------------

_Vertex: TypeAlias = tuple[Fraction, Fraction]


def _rates(curve: Curve) -> list[Fraction]:
    point, weight = curve.operating_point, curve.totals.weight
    rates = (point.nonreturn, *point.bounds)
    if isinstance(weight, int):
        return [Fraction(round(Fraction(rate) * weight), weight) for rate in rates]
    return [Fraction(rate) for rate in rates]


def _point(curve: Curve) -> _Vertex:
    nonreturn, _, error = _rates(curve)
    return nonreturn, error


def _hull(curve: Curve) -> list[_Vertex]:
    """The vertices at which one system can be cheapest, from left to right."""
    if curve.ladder is None:
        return [_point(curve)]
    position = lower_hull(curve.ladder, curve.totals).position
    withheld, lost, _, _, unclear = amounts_at(curve.ladder, curve.totals, position)
    weight = exact(curve.totals.weight)
    rates = zip(withheld.tolist(), (lost + unclear).tolist(), strict=True)
    return [(Fraction(x) / weight, Fraction(y) / weight) for x, y in rates]


def _prices(hulls: Sequence[Sequence[_Vertex]], *, apart: float) -> list[Fraction]:
    """0, 1 and the prices between at which neighbours on a hull cost the same."""
    prices = [Fraction(0)]
    slopes = {
        (y - lower) / (right - x)
        for hull in hulls
        for (x, y), (right, lower) in pairwise(hull)
    }
    for price in sorted(slopes):
        if prices[-1] + apart < price < 1 - apart:
            prices.append(price)
    return [*prices, Fraction(1)]


def _cost(vertex: _Vertex, price: Fraction) -> Fraction:
    return vertex[1] + price * vertex[0]


def _least_costs(hull: Sequence[_Vertex], prices: Iterable[Fraction]) -> list[Fraction]:
    """Cost at the best vertex for each price; prices rise, so the best moves left."""
    # The dearer a non-return, the more is answered: the best never moves back.
    at, costs = len(hull) - 1, []
    for price in prices:
        while at and _cost(hull[at - 1], price) <= _cost(hull[at], price):
            at -= 1
        costs.append(_cost(hull[at], price))
    return costs


def _price_pieces(
    prices: Sequence[Fraction], gaps: Sequence[Fraction]
) -> tuple[list[float], list[int]]:
    """Where each stretch of prices with one verdict begins, and the sign of the gap."""
    starts: list[float] = []
    signs: list[int] = []
    for (left, before), (right, after) in pairwise(zip(prices, gaps, strict=True)):
        pieces = [(left, before or after)]
        if before * after < 0:  # costs are straight lines in the price: they meet once
            pieces.append((left + (right - left) * before / (before - after), after))
        for start, gap in pieces:
            sign = (gap > 0) - (gap < 0)
            if not signs or signs[-1] != sign:
                starts.append(float(start))
                signs.append(sign)
    return starts, signs
