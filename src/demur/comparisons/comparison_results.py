"""The comparison of two systems: what a verb found, and what to make of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from demur.comparisons.geometry import CostComparison, Geometry, PointComparison, Region
from demur.comparisons.own_decisions import unknown_text
from demur.curves.curve_kinds import FAILURES, failures_figures
from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.outcomes.reasons import with_failures
from demur.results import (
    BOUNDS,
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    between,
    p_text,
    plain_values,
    rate,
)
from demur.results.gates import WorseGate, claim_kind
from demur.statistics.paired_tests import Difference
from demur.statistics.quantities import Quantity

if TYPE_CHECKING:
    from demur.comparisons.comparing_by_people import ByJudge

KINDS: Final = (
    claim_kind(),
    FigureKind("error_a", "the error of the first system"),
    FigureKind("error_b", "the error of the second system"),
    *(
        FigureKind(name, f"the difference of {what}", least=-1.0, better="neither")
        for name, what in (
            ("difference", "errors"),
            ("area", "areas"),
            ("nonreturn", "nonreturns"),
            ("own_error", "errors by own decisions"),
            ("own_nonreturn", "nonreturns by own decisions"),
            ("weighted_error", "weighted errors"),
        )
    ),
    FigureKind("p_value", "p of the difference of errors", better="neither"),
    FigureKind("adjusted_p", "p for all pairs of systems", better="neither"),
    FigureKind("nonreturn_a", "the nonreturn of the first system"),
    FigureKind("nonreturn_b", "the nonreturn of the second system"),
    FigureKind("judge_unusable", "the judge may not be used here", "verdict"),
    *FAILURES,
)
"""The figures of a comparison, and of many: `adjusted_p` is of many only."""


SHORT: Final = 0.001
"""Stretches shorter than this are not listed in tables for people."""

_MOST_STRETCHES: Final = 6


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
        both have curves at that nonreturn and none declines. With a weight also of the
        weighted errors.
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
    weight : float or None
        Of the weighted errors, if asked for.
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
    again : callable or None
        Gives this comparison at another nonreturn or weight, for gates that name one.
    """

    KINDS: ClassVar = tuple(kind for kind in KINDS if kind.name != "adjusted_p")

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
    weight: float | None = None
    own_errors: tuple[float, float] | None = None
    by_judge: "ByJudge | None" = None
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)
    again: Callable[..., "Comparison"] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def better(self) -> str | None:
        """Who is better at `at` by the test: "a", "b", or None if luck may do it.

        With ungraded answers only if it is so whatever they are.
        """
        if self.difference is None:
            return None
        differences = (self.difference, *self.bounds.get("error", ()))
        verdicts = {difference.better for difference in differences}
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
        tested = [one for one in self.tested() if one.quantity == name]
        tested += self.bounds.get(name, ())
        lows = [one.low for one in tested if one.low is not None]
        highs = [one.high for one in tested if one.high is not None]
        return (min(lows), max(highs)) if lows and highs else None

    def not_worse(self, margin: float) -> tuple[bool, bool]:
        """Whether it is shown that a, and that b, is not worse by a margin.

        Of errors at `at`, whatever ungraded answers are. With a level of 0.95 a system
        that is worse by the margin is let through in at most 2.5 % of samples: by an
        exact test of up to 200 items that count the same, all answered, right or wrong
        (Lloyd and Moldovan, 2008), else by the score interval (Tango, 1998), which may
        let through 3 %.

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
        Quantity("error", self.at).check_difference("compare", "margin", margin)
        tested = [one for one in self.tested() if one.quantity == "error"]
        tested += self.bounds.get("error", ())
        shown = [one.shown_within(float(margin)) for one in tested]
        return (
            bool(shown) and all(a for a, _ in shown),
            bool(shown) and all(b for _, b in shown),
        )

    @property
    def base(self) -> str:
        """What errors are a share of: "items", or "wholes" that are made of parts."""
        return "wholes" if self.recipe.get("of") == "wholes" else "items"

    def sentence(self) -> str:
        """Who errs less at the nonreturn, and whether luck may explain that."""
        text = verdict_text(self)
        if self.weight is not None:
            from demur.comparisons.weighted_claims import weighted_text

            text += weighted_text(self)
        text += "" if self.by_judge is None else self.by_judge.use_text()
        text += "" if self.margin is None else f" {self.margin_text()}"
        some = any(curve.failed for curve in self.curves)
        return with_failures(self.failed, text) if some else text

    @property
    def failed(self) -> dict[str, tuple[int, int]]:
        """Of each system how many items failed, and how many there are."""
        pairs = zip((self.a, self.b), self.curves, strict=False)
        return {name: (curve.failed, curve.items) for name, curve in pairs}

    def figures(self) -> Iterator[Figure]:
        """Errors with their bounds, differences with their intervals."""
        kinds = {kind.name: kind for kind in self.KINDS}
        tested = {figure_name(difference): difference for difference in self.tested()}
        difference_of_errors = tested.pop("difference", None)
        yield self._difference_figure(kinds["difference"], difference_of_errors)
        yield self._p_figure(kinds["p_value"], difference_of_errors)
        for side in "ab":
            ends = getattr(self, f"bounds_{side}") or (None, None)
            words = "" if ends[0] == ends[1] else BOUNDS
            low, high = ends if words else (None, None)
            kind = kinds[f"error_{side}"]
            yield Figure(kind, getattr(self, kind.name), low, high, words)
        for name, difference in tested.items():
            yield self._difference_figure(kinds[name], difference)
        if self.at_error is not None:
            for name in ("nonreturn_a", "nonreturn_b"):
                yield Figure(kinds[name], getattr(self, name))
        if self.by_judge is not None:
            yield from self.by_judge.figures()
        yield from failures_figures(self.failed)

    def _difference_figure(self, kind: FigureKind, tested: Difference | None) -> Figure:
        if tested is None:
            return Figure(kind, None)
        bounds = [bound.value for bound in self.bounds.get(tested.quantity, ())]
        if len(set(bounds)) > 1:
            return Figure(kind, tested.value, min(bounds), max(bounds), BOUNDS)
        low, high = self.range_of(tested.quantity) or (None, None)
        words = f"{100 * tested.level:g} % interval"
        return Figure(kind, tested.value, low, high, words)

    def _p_figure(self, kind: FigureKind, difference: Difference | None) -> Figure:
        """P of the difference, and with ungraded answers what it may be."""
        if difference is None:
            return Figure(kind, None)
        bounds = [bound.p_value for bound in self.bounds.get(difference.quantity, ())]
        if len(set(bounds)) < 2:
            return Figure(kind, difference.p_value)
        least, most = min(*bounds, difference.p_value), max(*bounds, difference.p_value)
        return Figure(kind, difference.p_value, least, most, BOUNDS)

    def claim(self, gate: WorseGate) -> tuple[str, str]:
        """What the test says to a gate: see `gate_claims.claimed`."""
        from demur.comparisons.gate_claims import claimed

        return claimed(self, gate)

    def margin_text(self, where: str = "") -> str:
        """Of both systems whether it is shown that they are not worse by the margin."""
        names, margin = (self.a, self.b), self.margin or 0.0
        parts = [
            f"{name} {'is as good as' if good else 'may be worse than'} {other}"
            for name, other, good in zip(
                names, names[::-1], self.not_worse(margin), strict=True
            )
        ]
        return f"By the margin of {margin:g}{where}, {'; '.join(parts)}."

    def tested(self) -> list[Difference]:
        """Each difference that was tested, b less a."""
        tested = (self.difference, self.nonreturn, self.area, *self.own)
        return [difference for difference in tested if difference is not None]

    def tables(self) -> tuple[Table, ...]:
        """The systems' rates, their differences, and where each is better."""
        names = {"a": self.a, "b": self.b}
        lines = [line for line in (self.linear, self.step) if line is not None]
        listed = (
            rates_table(self),
            _differences_table(self),
            _stretches_table(lines, names),
            _costs_table(self.costs, names),
        )
        return tuple(table for table in listed if table.rows)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values for JSON."""
        difference, linear = self.difference, self.linear
        plain = super().to_dict()
        for name in ("linear", "point_a", "point_b"):
            del plain[name]
        return plain | {
            "difference": difference and difference.value,
            "interval": difference and plain_values(difference.interval),
            "level": difference and difference.level,
            "p_value": difference and difference.p_value,
            "method": difference and difference.method,
            "better": self.better,
            "dominates": linear and linear.dominates,
            "crossings": plain_values(linear.crossings) if linear else [],
            "regions": plain_values(linear.regions) if linear else [],
            "failed": {name: counts[0] for name, counts in self.failed.items()},
            "not_worse": self.margin
            and dict(zip("ab", self.not_worse(self.margin), strict=True)),
            "points": {
                **self.points.to_dict(),
                "a": self.point_a.to_dict(),
                "b": self.point_b.to_dict(),
            },
        }


def figure_name(difference: Difference) -> str:
    """What gates call a difference: that of errors is the difference."""
    name = difference.quantity.replace(" ", "_")
    return "difference" if name == "error" else name


def without_prices(comparison: Comparison) -> Comparison:
    """Of wholes without what a withheld part costs: systems have not the same parts."""
    if comparison.curves[0].recipe.get("of") != "wholes":
        return comparison
    return replace(
        comparison,
        costs=replace(comparison.costs, regions=(), changes=()),
        points=replace(comparison.points, change=None),
    )


# -- in words --------------------------------------------------------------------------


def verdict_text(comparison: Comparison) -> str:
    """Who errs less, in one sentence."""
    a, b, base = comparison.a, comparison.b, comparison.base
    difference, where = comparison.difference, f"at nonreturn {comparison.at:g}"
    errors = comparison.error_a, comparison.error_b
    if difference is None and comparison.own:
        difference, where = comparison.own[0], "as the systems decide themselves"
        points = comparison.point_a.error, comparison.point_b.error
        errors = comparison.own_errors or points
    first, second = (rate(error) for error in errors)
    if difference is None:
        decided = comparison.point_a, comparison.point_b
        return comparison.points.untested((a, b), where, errors, decided, base)
    p_value = p_text(difference.final_p)
    if difference.value == 0:
        return f"{a} and {b} have the same error {where}: {first} of all {base}."
    better, worse = (b, a) if difference.value < 0 else (a, b)
    rates = (second, first) if difference.value < 0 else (first, second)
    start = (
        f"{better} errs less than {worse} {where}, {rates[0]} of all {base} against "
        f"{rates[1]}"
    )
    if difference.final_p > 1 - difference.level:
        return f"{start}, but luck may explain that ({p_value})."
    bounds = comparison.bounds.get(difference.quantity, ())
    if any(bound.better != difference.better for bound in bounds):
        unknown = unknown_text(difference.quantity)
        return f"{start} ({p_value}), but {unknown} might turn that."
    return f"{start}, beyond luck ({p_value})."


# -- as tables -------------------------------------------------------------------------


def rates_table(comparison: Comparison) -> Table:
    """A row for each system: its error there, and by its own decisions."""
    bounds = [getattr(comparison, f"bounds_{side}") for side in "ab"]
    wrong = "wrong / all items"
    if comparison.base == "wholes":
        wrong = "wholes with a wrong part returned / all wholes"
    listed = [
        (Column("system"), [comparison.a, comparison.b]),
        (
            Column("error", f"error@{comparison.at:g}", "share", wrong),
            [None if ends is None else between(*ends) for ends in bounds],
        ),
    ]
    if comparison.own_errors is not None:
        words = "wrong by own decisions / all items, by people's verdicts"
        column = Column("own_error_corrected", "own error, corrected", "share", words)
        listed.append((column, list(comparison.own_errors)))
    if comparison.by_judge is not None:
        words = "the same without people's verdicts"
        column = Column("error_by_judge", "by the judge", "share", words)
        judged = [getattr(comparison.by_judge, f"error_{side}") for side in "ab"]
        listed.append((column, judged))
    if comparison.at_error is not None:
        head = f"nonreturn for error {comparison.at_error:g}"
        column = Column("nonreturn", head, "share", "least share not answered")
        listed.append((column, [comparison.nonreturn_a, comparison.nonreturn_b]))
    if comparison.own:
        points = comparison.point_a, comparison.point_b
        words = "not answered, as the system decides itself"
        column = Column("own_nonreturn", "", "share", words)
        listed.append((column, [point.nonreturn for point in points]))
        column = Column("own_error", "", "share", "wrong, as it decides itself")
        listed.append((column, [between(*point.bounds) for point in points]))
    if comparison.weight is not None:
        from demur.comparisons.weighted_claims import both_ends

        words = f"{comparison.weight:g} x own error + own nonreturn"
        column = Column("weighted_error", "", "share", words)
        listed.append((column, [between(*ends) for ends in both_ends(comparison)]))
    columns, cells = zip(*listed, strict=True)
    return Table("", tuple(columns), tuple(zip(*cells, strict=True)))


def _differences_table(comparison: Comparison) -> Table:
    """A row for each tested difference; with bounds, three."""
    rows = [row for one in comparison.tested() for row in readings(comparison, one)]
    return differences_table(f"{comparison.b} less {comparison.a}", rows)


def readings(
    comparison: Comparison, difference: Difference
) -> Iterator[tuple[str | None, Difference]]:
    """A difference as shown, by the judge alone, and with its bounds."""
    yield None, difference
    judged = None if comparison.by_judge is None else comparison.by_judge.difference
    if judged is not None and difference.method == "prediction-powered":
        yield "by the judge", judged
    bounds = comparison.bounds.get(difference.quantity, ())
    yield from zip(("at least", "at most"), bounds, strict=False)


def differences_table(
    title: str, rows: Sequence[tuple[str | None, Difference]]
) -> Table:
    """Differences as a table, each with what reading of the answers it is by."""
    methods = {difference.method for _, difference in rows}
    if alone := len(methods) == 1:
        title += f" (by {', '.join(methods)})"
    columns = (
        Column("quantity"),
        Column("reading", explained=_READING),
        Column("difference", cells="difference", explained="the second less the first"),
        Column("interval", cells="difference", explained=_interval_text(rows)),
        Column("p", cells="p", explained="how often luck alone differs as much"),
        Column("method", wide=alone, explained="how p and the interval are made"),
        Column("level", cells="value", wide=True, explained="of the interval"),
    )
    cells = tuple(
        (
            *(difference.text, reading, difference.value, difference.interval),
            *(difference.p_value, difference.method, difference.level),
        )
        for reading, difference in rows
    )
    return Table(title, columns, cells).without_empty()


_READING: Final = (
    "at least and at most, whatever the ungraded answers are; or by the judge alone, "
    "without people's verdicts"
)


def _interval_text(rows: Sequence[tuple[str | None, Difference]]) -> str:
    levels = dict.fromkeys(difference.level for _, difference in rows)
    return f"{', '.join(f'{100 * level:g}' for level in levels)} %"


# -- where each is better --------------------------------------------------------------

_ENDS: Final = (
    Column("from", cells="share", explained="a nonreturn, or a price"),
    Column("to", cells="share"),
)


def _stretches_table(geometries: Iterable[Geometry], names: Mapping[str, str]) -> Table:
    """Where each of two systems, by their names, is better, in several readings."""
    rows: list[tuple[Any, ...]] = []
    left_out = []
    for geometry in geometries:
        lowest = names[geometry.dominates] if geometry.dominates else None
        start = geometry.reading, len(geometry.crossings), lowest
        for region in _most_telling(geometry.regions):
            better = names[region.better] if region.better else "equal"
            rows.append((*start, region.start, region.end, better))
        if more := _shorter(geometry.regions):
            left_out.append(f"{geometry.reading} {more}")
    more = f"; not listed: {', '.join(left_out)}" if left_out else ""
    columns = (
        Column("curves", explained="how they are read between cutoffs"),
        Column("crossings", cells="count", explained="how often they change sides"),
        Column("never_above", explained="whose curve is nowhere above the other"),
        *_ENDS,
        Column("better", explained=f"who errs less there{more}"),
    )
    table = Table("Where each is better", columns, tuple(rows))
    return table.without_empty() if rows else table


def _costs_table(costs: CostComparison, names: Mapping[str, str]) -> Table:
    """Which of two systems, by their names, is cheaper at which price."""
    more = f"; not listed: {text}" if (text := _shorter(costs.regions)) else ""
    how = "best cutoffs" if costs.of == "curves" else "own decisions"
    words = f"whose errors and non-returns cost less{more}"
    rows = tuple(
        (region.start, region.end, names[region.better] if region.better else "either")
        for region in _most_telling(costs.regions)
    )
    title = f"Cheaper by the price of a non-return, an error costing 1 ({how})"
    return Table(title, (*_ENDS, Column("cheaper", explained=words)), rows, key=0)


def _most_telling(regions: Sequence[Region]) -> list[Region]:
    longest = sorted(regions, key=lambda region: region.start - region.end)
    longest = longest[:_MOST_STRETCHES]
    long = [r for r in longest if r.end - r.start >= SHORT] or longest[:1]
    return sorted(long, key=lambda region: region.start)


def _shorter(regions: Sequence[Region]) -> str:
    """How many stretches are not listed, and how short they are."""
    kept = _most_telling(regions)
    if not (count := len(regions) - len(kept)):
        return ""
    longest = max(region.end - region.start for region in regions if region not in kept)
    limit = SHORT if longest < SHORT else round(longest, 3)
    what = "stretch" if count == 1 else "stretches"
    most = "less than" if longest < SHORT else "up to"
    return f"{count} {what} of {most} {limit:g}"
