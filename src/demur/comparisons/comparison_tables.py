"""Comparisons as text for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demur import results
from demur.comparisons.geometry import Geometry, Region
from demur.comparisons.own_decisions import OWN_RATES
from demur.comparisons.pairs import PairDifference
from demur.comparisons.power import ComparisonPlan
from demur.results import printable
from demur.statistics.bands import DifferenceBand
from demur.statistics.influence import Quantity
from demur.statistics.paired_tests import Difference

if TYPE_CHECKING:
    from demur.comparisons.comparing import Comparison


def pairs_table(pairs: Sequence[PairDifference]) -> str:
    """One row for each pair of systems."""
    header = ["a", "b", "b less a", "from", "to", "p", "p of all pairs"]
    rows = []
    for pair in pairs:
        found = pair.difference
        ends = [
            results.NONE if end is None else f"{end:+.4f}"
            for end in (found.low, found.high)
        ]
        p_values = f"{found.p_value:.3g}", f"{pair.adjusted_p:.3g}"
        rows.append([pair.a, pair.b, f"{found.value:+.4f}", *ends, *p_values])
    first = pairs[0].difference
    own = first.quantity in OWN_RATES
    what = first.quantity if own else Quantity(first.quantity, first.at).text
    head = f"difference of {what} ({first.method}, {100 * first.level:g} % interval)"
    return f"{head}\n\n{results.table(header, rows)}"


def comparison_table(
    found: "Comparison",
    band: DifferenceBand | None = None,
    planned: ComparisonPlan | None = None,
) -> str:
    """The rates of two systems, their differences, and where each is better."""
    lines = [_rates_table(found), ""]
    for each in (found.difference, found.nonreturn, found.area, *found.own):
        if each is not None:
            lines.append(f"{each.quantity}, {found.b} less {found.a}: {_tested(each)}")
            for name, bound in zip(
                ("at least", "at most"),
                found.bounds.get(each.quantity, ()),
                strict=False,
            ):
                lines.append(f"  {name}, whatever is ungraded: {_tested(bound)}")
    if band is not None:
        lines.append(_surely(found, band))
    if found.linear is not None and found.step is not None:
        lines += [_geometry(found, found.linear), _geometry(found, found.step)]
    lines.append(_costs(found))
    if planned is not None:
        lines.append(_planned(planned))
    lines += [f"note: {note}" for note in found.notes]
    lines.append(f"signature: {found.signature}")
    return "\n".join([lines[0], *(printable(line) for line in lines[1:])])


def _tested(found: Difference) -> str:
    """A difference with its interval and p value."""
    interval = ""
    if found.low is not None and found.high is not None:
        interval = f" [{found.low:+.4f}, {found.high:+.4f}]"
    how = f"{found.method}, {100 * found.level:g} % interval"
    return f"{found.value:+.4f}{interval}, p = {found.p_value:.3g} ({how})"


def _rates_table(found: "Comparison") -> str:
    """The rates that are compared, one row for each system."""
    header = ["system", f"error@{found.at:g}"]
    ends = (found.a, found.bounds_a), (found.b, found.bounds_b)
    rows = [
        [name, results.NONE if bounds is None else results.span(*bounds)]
        for name, bounds in ends
    ]
    if found.at_error is not None:
        header.append(f"nonreturn for error {found.at_error:g}")
        rows[0].append(results.rate(found.nonreturn_a))
        rows[1].append(results.rate(found.nonreturn_b))
    if found.own:
        header += ["own nonreturn", "own error"]
        for row, point in zip(rows, (found.point_a, found.point_b), strict=True):
            row += [results.rate(point.nonreturn), results.span(*point.bounds)]
    return results.table(header, rows)


def _surely(found: "Comparison", band: DifferenceBand) -> str:
    """Where the band says who is better."""
    said = []
    for side, name in (("a", found.a), ("b", found.b)):
        spans = [each[:2] for each in band.surely() if each[2] == side]
        if spans:
            ends = ", ".join(f"{start:.2f} to {end:.2f}" for start, end in spans)
            said.append(f"{name} is better at nonreturns {ends}")
    none = "at no nonreturn is one surely better"
    return f"{band.text}, of the difference: {'; '.join(said) or none}"


def _planned(planned: ComparisonPlan) -> str:
    clusters = f" in {planned.clusters} clusters" if planned.clusters else ""
    return (
        f"plan: to show a difference of {planned.difference:g} at nonreturn "
        f"{planned.at:g} with chance {planned.power:g} by a test at "
        f"{100 * (1 - planned.level):.3g} %, about {planned.items} items{clusters} are "
        "needed"
    )


def _geometry(found: "Comparison", geometry: Geometry) -> str:
    names = {"a": found.a, "b": found.b, None: "equal"}
    if geometry.identical:
        return f"{geometry.reading} curves: identical"
    regions = ", ".join(
        f"{names[each.better]} from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(geometry.regions)
    )
    more = len(geometry.regions) - len(_most_telling(geometry.regions))
    also = f" and {more} shorter stretches" if more else ""
    if geometry.dominates:
        return f"{geometry.reading} curves: {names[geometry.dominates]} is never above"
    n_crossings = len(geometry.crossings)
    plural = "s" if n_crossings != 1 else ""
    return (
        f"{geometry.reading} curves: {n_crossings} crossing{plural}; better: "
        f"{regions}{also}"
    )


def _most_telling(regions: Sequence[Region]) -> list[Region]:
    """The six longest stretches, from left to right."""
    longest = sorted(regions, key=lambda each: each.start - each.end)[:6]
    return sorted(longest, key=lambda each: each.start)


def _costs(found: "Comparison") -> str:
    names = {"a": found.a, "b": found.b, None: "either"}
    regions = ", ".join(
        f"{names[each.better]} for r from {each.start:.3f} to {each.end:.3f}"
        for each in _most_telling(found.costs.regions)
    )
    how = "best cutoffs" if found.costs.of == "curves" else "own decisions"
    return (
        "cheaper, r being the cost of a non-return over that of an error "
        f"({how}): {regions}"
    )
