"""Curves: the counts, the error at a few rates, the area, and each own decision."""

from collections.abc import Sequence
from dataclasses import replace

from demur.curves.curves import Curve
from demur.curves.rates import area_text, at_point
from demur.figures.curves import curves_picture
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import Canvas, drawn
from demur.results import NONE, rate, span
from demur.results.pictures import Dots, Line

RATES = (0.1, 0.2, 0.3, 0.5)


def section(curves: Sequence[Curve], source: Source) -> Section:
    """What each system does over all cutoffs, and by its own decisions."""
    systems = [curve.system for curve in curves]
    names, looks = names_of(systems), source.looks_of(systems)
    grids = [_counts(curves, names), _errors(curves, names)]
    if any(curve.kinds for curve in curves):
        grids.append(_kinds(curves, names))
    return Section(
        heading="Operating points and errors",
        sentence=_sentence(curves, names),
        pictures=drawn(curves_picture(curves, labels=names, looks=looks, missed=False)),
        grids=tuple(grids),
        notes=distinct([curve.notes for curve in curves]),
        signatures=distinct([[curve.signature] for curve in curves]),
        source=source.line("curve", "demur.curve_by(outcomes)", "--at", "0.1,0.2,0.3"),
        lines=tuple(zip(names, looks, strict=True)),
    )


def picture_of(
    curves: Sequence[Curve],
    names: Sequence[str],
    name: str,
    looks: Sequence[int],
    *,
    size: tuple[int, int] = (640, 380),
) -> Canvas:
    """Lines and operating points alone, each with the number of its system."""
    picture = curves_picture(curves, labels=names, looks=looks, missed=False)
    (panel,) = picture.panels
    marks = tuple(
        mark
        for mark in panel.marks
        if isinstance(mark, Line) or (isinstance(mark, Dots) and not mark.hollow)
    )
    plain = replace(panel, marks=marks, note="")
    words = picture.title, picture.description
    return Canvas(name, *words, plain, size, tagged=True)


def _sentence(curves: Sequence[Curve], names: Sequence[str]) -> str:
    least = min(range(len(curves)), key=lambda i: curves[i].operating_point.bounds[1])
    own = curves[least].operating_point
    first = (
        f"By its own decisions {names[least]} errs least often"
        if len(curves) > 1
        else f"By its own decisions {names[0]} errs"
    )
    return (
        f"{first}: {rate(own.error)} of all items wrong, {rate(own.nonreturn)} not "
        "answered."
    )


def _counts(curves: Sequence[Curve], names: Sequence[str]) -> PageTable:
    rows = []
    for curve, name in zip(curves, names, strict=True):
        total, own = curve.totals, curve.operating_point
        counts = total.items, total.right, total.wrong, total.unanswered, total.ungraded
        rows.append(
            (
                name,
                *map(str, counts),
                rate(own.nonreturn),
                span(*own.bounds),
                rate(own.right),
            )
        )
    header = ("system", "items", "right", "wrong", "no guess", "ungraded")
    own_rates = ("own: not answered", "own: wrong", "own: right")
    caption = "Guesses, counted, and what each system does by its own decisions"
    return PageTable(caption, header + own_rates, tuple(rows))


def _errors(curves: Sequence[Curve], names: Sequence[str]) -> PageTable:
    rows = []
    for curve, name in zip(curves, names, strict=True):
        errors = (
            NONE if curve.ladder is None else at_point(curve.at(nonreturn=wanted))
            for wanted in RATES
        )
        forced = span(*curve.forced_choice_error)
        rows.append((name, forced, *errors, area_text(curve)))
    header = [f"at {wanted:g} not answered" for wanted in RATES]
    header = ["system", "if all were answered", *header, "area"]
    caption = "Share of all items answered wrongly, and the area under the curve"
    return PageTable(caption, tuple(header), tuple(rows))


def _kinds(curves: Sequence[Curve], names: Sequence[str]) -> PageTable:
    kinds = sorted(distinct([list(curve.kinds) for curve in curves]))
    rows = tuple(
        (name, *(str(curve.kinds.get(kind, 0)) for kind in kinds))
        for curve, name in zip(curves, names, strict=True)
    )
    return PageTable("Why there was no answer", ("system", *kinds), rows)
