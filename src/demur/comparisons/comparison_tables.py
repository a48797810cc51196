"""Tables of a comparison: errors of both, their differences, where each is better."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from demur.comparisons.geometry import CostComparison, Geometry, Region
from demur.results import Column, Table, between
from demur.statistics.paired_tests import Difference

if TYPE_CHECKING:
    from demur.comparisons.comparison_results import Comparison

SHORT: Final = 0.001
"""Stretches shorter than this are not listed in tables for people."""

_MOST_STRETCHES: Final = 6


def rates_table(comparison: "Comparison") -> Table:
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


def differences_of(comparison: "Comparison") -> Table:
    """A row for each tested difference; with bounds, three."""
    rows = [row for one in comparison.tested() for row in readings(comparison, one)]
    return differences_table(f"{comparison.b} less {comparison.a}", rows)


def readings(
    comparison: "Comparison", difference: Difference
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


def stretches_table(geometries: Iterable[Geometry], names: Mapping[str, str]) -> Table:
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


def costs_table(costs: CostComparison, names: Mapping[str, str]) -> Table:
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
