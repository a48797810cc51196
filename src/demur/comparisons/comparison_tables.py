"""Comparisons as text for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demur import results
from demur.comparisons.geometry import Geometry, Region
from demur.comparisons.own_decisions import OWN_RATES
from demur.comparisons.pairs import PairDifference
from demur.results import printable
from demur.statistics.bands import DifferenceBand
from demur.statistics.paired_tests import Difference
from demur.statistics.quantities import Quantity

if TYPE_CHECKING:
    from demur.comparisons.comparison_results import Comparison
    from demur.comparisons.power import ComparisonPlan


def pairs_table(pairs: Sequence[PairDifference]) -> str:
    """One row for each pair of systems."""
    header = ["a", "b", "b less a", "from", "to", "p", "p of all pairs"]
    rows = []
    for pair in pairs:
        difference = pair.difference
        ends = [
            results.NONE if end is None else f"{end:+.4f}"
            for end in (difference.low, difference.high)
        ]
        p_values = [
            results.p_text(value).removeprefix("p ").removeprefix("= ")
            for value in (difference.p_value, pair.adjusted_p)
        ]
        rows.append([pair.a, pair.b, f"{difference.value:+.4f}", *ends, *p_values])
    first = pairs[0].difference
    own = first.quantity in OWN_RATES
    what = first.quantity if own else Quantity(first.quantity, first.at).text
    head = f"difference of {what} ({first.method}, {100 * first.level:g} % interval)"
    return f"{head}\n\n{results.table(header, rows)}"


def comparison_table(
    comparison: "Comparison",
    band: DifferenceBand | None = None,
    planned: "ComparisonPlan | None" = None,
) -> str:
    """Who is better, the rates, their differences, and where each is better."""
    lines = [printable(verdict(comparison)), "", _rates_table(comparison), ""]
    lines += _differences(comparison)
    if comparison.margin is not None:
        lines.append(_margin(comparison, comparison.margin))
    if band is not None:
        lines.append(_surely(comparison, band))
    if comparison.linear is not None and comparison.step is not None:
        lines += [
            _geometry(comparison, comparison.linear),
            _geometry(comparison, comparison.step),
        ]
    lines.append(_costs(comparison))
    if planned is not None:
        lines.append(_planned(planned))
    lines += [f"note: {note}" for note in comparison.notes]
    lines.append(f"signature: {comparison.signature}")
    return "\n".join([*lines[:3], *(printable(line) for line in lines[3:])])


def _differences(comparison: "Comparison") -> list[str]:
    """Each difference that was tested, and that by the verdicts as they stand."""
    lines: list[str] = []
    for each in (
        comparison.difference,
        comparison.nonreturn,
        comparison.area,
        *comparison.own,
    ):
        if each is not None:
            lines.append(
                f"{_name(each)}, {comparison.b} less {comparison.a}: {_tested(each)}"
            )
            corrected = each.method == "prediction-powered"
            if comparison.by_judge is not None and corrected:
                stands = comparison.by_judge.difference
                lines += [] if stands is None else [_as_they_stand(stands)]
            for name, bound in zip(
                ("at least", "at most"),
                comparison.bounds.get(each.quantity, ()),
                strict=False,
            ):
                lines.append(f"  {name}, whatever is ungraded: {_tested(bound)}")
    return lines


def _as_they_stand(difference: Difference) -> str:
    return f"  by the verdicts as they stand: {_tested(difference)}"


def verdict(comparison: "Comparison") -> str:
    """The comparison in one sentence."""
    a, b = comparison.a, comparison.b
    found, where = comparison.difference, f"at nonreturn {comparison.at:g}"
    errors = comparison.error_a, comparison.error_b
    if found is None and comparison.own:
        found, where = comparison.own[0], "as the systems decide themselves"
        points = comparison.point_a.error, comparison.point_b.error
        errors = comparison.own_errors or points
    first, second = (results.rate(each) for each in errors)
    if found is None:
        return (
            f"Errors {where} are {first} of all items for {a} and {second} for {b}; "
            "there is no test."
        )
    p_value = results.p_text(found.p_value)
    if found.value == 0:
        return f"{a} and {b} have the same error {where}: {first} of all items."
    better, worse = (b, a) if found.value < 0 else (a, b)
    rates = (second, first) if found.value < 0 else (first, second)
    shares = f"{rates[0]} of all items against {rates[1]}"
    if found.p_value > 1 - found.level:
        return (
            f"{better} errs less than {worse} {where}, {shares}, but luck may explain "
            f"that ({p_value})."
        )
    bounds = comparison.bounds.get(found.quantity, ())
    if any(each.p_value > 1 - found.level for each in bounds) or any(
        each.value * found.value <= 0 for each in bounds
    ):
        return (
            f"{better} errs less than {worse} {where}, {shares} ({p_value}), but the "
            "ungraded answers might turn that."
        )
    return (
        f"{better} errs less than {worse} {where}, {shares}, beyond luck ({p_value})."
    )


def _name(difference: Difference) -> str:
    return difference.quantity if difference.what is None else difference.what


def _margin(comparison: "Comparison", margin: float) -> str:
    names = comparison.a, comparison.b
    shown = comparison.not_worse(margin)
    parts = [
        f"{name} is {'shown' if good else 'not shown'} not to be worse than {other}"
        for name, other, good in zip(names, names[::-1], shown, strict=True)
    ]
    return f"margin {margin:g} at nonreturn {comparison.at:g}: {'; '.join(parts)}"


def _tested(difference: Difference) -> str:
    interval = ""
    if difference.low is not None and difference.high is not None:
        interval = f" [{difference.low:+.4f}, {difference.high:+.4f}]"
    how = f"{difference.method}, {100 * difference.level:g} % interval"
    p_value = results.p_text(difference.p_value)
    return f"{difference.value:+.4f}{interval}, {p_value}{_luck(difference)} ({how})"


def _luck(difference: Difference) -> str:
    """How far other random draws may move p, where that may change the verdict."""
    if not difference.drawn_closely:
        return ""
    return (
        f" ± {difference.p_error:.2g} by the draws, which another seed may turn "
        f"at {1 - difference.level:.3g}"
    )


def _rates_table(comparison: "Comparison") -> str:
    header = ["system", f"error@{comparison.at:g}"]
    ends = (comparison.a, comparison.bounds_a), (comparison.b, comparison.bounds_b)
    rows = [
        [name, results.NONE if bounds is None else results.span(*bounds)]
        for name, bounds in ends
    ]
    if comparison.by_judge is not None:
        header.append("by the judge")
        if comparison.own_errors is not None:
            header.insert(-1, "own error, corrected")
            for row, error in zip(rows, comparison.own_errors, strict=True):
                row.append(results.rate(error))
        rows[0].append(results.rate(comparison.by_judge.error_a))
        rows[1].append(results.rate(comparison.by_judge.error_b))
    if comparison.at_error is not None:
        header.append(f"nonreturn for error {comparison.at_error:g}")
        rows[0].append(results.rate(comparison.nonreturn_a))
        rows[1].append(results.rate(comparison.nonreturn_b))
    if comparison.own:
        header += ["own nonreturn", "own error"]
        for row, point in zip(
            rows, (comparison.point_a, comparison.point_b), strict=True
        ):
            row += [results.rate(point.nonreturn), results.span(*point.bounds)]
    return results.table(header, rows)


def _surely(comparison: "Comparison", band: DifferenceBand) -> str:
    sentences = []
    for side, name in (("a", comparison.a), ("b", comparison.b)):
        spans = [each[:2] for each in band.surely() if each[2] == side]
        if spans:
            ends = ", ".join(f"{start:.2f} to {end:.2f}" for start, end in spans)
            sentences.append(f"{name} is better at nonreturns {ends}")
    none = "at no nonreturn is one surely better"
    p_value = (
        "" if band.p_value is None else f"; whole curve: {results.p_text(band.p_value)}"
    )
    found = "; ".join(sentences) or none
    return f"{band.text}, of the difference: {found}{p_value}"


def _planned(planned: "ComparisonPlan") -> str:
    clusters = f" in {planned.clusters} clusters" if planned.clusters else ""
    return (
        f"plan: to show a difference of {planned.difference:g} at nonreturn "
        f"{planned.at:g} with chance {planned.power:g} by a test at "
        f"{100 * (1 - planned.level):.3g} %, about {planned.items} items{clusters} are "
        "needed"
    )


def _geometry(comparison: "Comparison", geometry: Geometry) -> str:
    names = {"a": comparison.a, "b": comparison.b, None: "equal"}
    if geometry.identical:
        return f"{geometry.reading} curves: identical"
    regions = ", ".join(
        f"{names[each.better]} from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(geometry.regions)
    )
    also = _shorter(geometry.regions)
    if geometry.dominates:
        return f"{geometry.reading} curves: {names[geometry.dominates]} is never above"
    n_crossings = len(geometry.crossings)
    plural = "s" if n_crossings != 1 else ""
    return (
        f"{geometry.reading} curves: {n_crossings} crossing{plural}; better: "
        f"{regions}{also}"
    )


SHORT = 0.001
"""Stretches shorter than this are gathered."""


def _most_telling(regions: Sequence[Region]) -> list[Region]:
    longest = sorted(regions, key=lambda each: each.start - each.end)[:6]
    long = [each for each in longest if each.end - each.start >= SHORT] or longest[:1]
    return sorted(long, key=lambda each: each.start)


def _shorter(regions: Sequence[Region]) -> str:
    """How many stretches are not listed, and how short they are."""
    kept = _most_telling(regions)
    if len(kept) == len(regions):
        return ""
    longest = max(each.end - each.start for each in regions if each not in kept)
    limit = SHORT if longest < SHORT else round(longest, 3)
    count = len(regions) - len(kept)
    what = "stretch" if count == 1 else "stretches"
    most = "less than" if longest < SHORT else "up to"
    return f", and {count} {what} of {most} {limit:g}"


def _costs(comparison: "Comparison") -> str:
    names = {"a": comparison.a, "b": comparison.b, None: "either"}
    regions = ", ".join(
        f"{names[each.better]} for r from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(comparison.costs.regions)
    )
    how = "best cutoffs" if comparison.costs.of == "curves" else "own decisions"
    return (
        "cheaper, r being the cost of a non-return over that of an error "
        f"({how}): {regions}{_shorter(comparison.costs.regions)}"
    )
