"""Groups: every system on the items of every value of the named columns."""

from collections.abc import Sequence

from demur.curves.rates import area_text
from demur.decisions.choice_tables import percent
from demur.pages.collecting import Explored, by_area
from demur.pages.parts import PageTable, Section, Source, names_of
from demur.results import NONE, rate


def section(explored: Explored, source: Source) -> Section:
    """Every system on the items of every value of the named columns."""
    names = names_of(explored.names)
    rows = []
    for group in explored.groups:
        for curve, name in zip(group.curves, names, strict=True):
            if curve is None:
                continue
            point = None
            if curve.ladder is not None:
                point = curve.at(nonreturn=explored.at)
            own = curve.operating_point
            rows.append(
                (
                    f"{group.column} = {group.value}",
                    name,
                    str(curve.items),
                    NONE if point is None else rate(point.error),
                    area_text(curve),
                    rate(own.nonreturn),
                    rate(own.error),
                )
            )
    columns = dict.fromkeys(group.column for group in explored.groups)
    header = ("group", "system", "items", f"wrong at {explored.at:g} not answered")
    return Section(
        heading="Groups",
        sentence=_worst(explored, names),
        grids=(
            PageTable(
                "Each group by itself",
                (*header, "area", "own: not answered", "own: wrong"),
                tuple(rows),
            ),
        ),
        source=source.line(
            "curve",
            f"demur.curve_by(outcomes, by={list(columns)})",
            *(word for column in columns for word in ("--by", column)),
        ),
    )


def _worst(explored: Explored, names: Sequence[str]) -> str:
    """In which group the best system errs most."""
    best = by_area(explored.curves)[0]
    found = [
        (curve.operating_point.bounds[1], f"{group.column} = {group.value}")
        for group in explored.groups
        for curve in [group.curves[best]]
        if curve is not None
    ]
    if not found:
        return ""
    error, where = max(found, key=lambda each: each[0])
    return (
        f"By its own decisions {names[best]} errs most on {where}: {percent(error)} of "
        "these items."
    )
