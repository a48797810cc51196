"""Comparisons: two curves with bands, their difference with its band, and the tests."""

from collections.abc import Sequence
from dataclasses import replace

from demur.comparisons.comparison_results import Comparison
from demur.figures.comparisons import pair_picture
from demur.pages.collecting import SideBySide
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import drawn
from demur.results import NONE, p_text, rate
from demur.statistics.paired_tests import Difference


def section(pairs: Sequence[SideBySide | Comparison], source: Source) -> Section:
    """Who is better, where, and whether that is luck."""
    listed = [
        SideBySide(each) if isinstance(each, Comparison) else each for each in pairs
    ]
    found = [each.comparison for each in listed]
    pictures: list[str] = []
    for number, each in enumerate(listed):
        systems = [each.comparison.a, each.comparison.b]
        pictures += _pictures(each, number, source.looks_of(systems))
    first = found[0]
    systems = list(dict.fromkeys(name for each in found for name in (each.a, each.b)))
    looks = source.looks_of(systems)
    where = ("--where", f"system={first.a}", "--where", f"system={first.b}")
    return Section(
        heading="Side by side",
        sentence=" ".join(each.sentence() for each in found),
        pictures=tuple(pictures),
        grids=(_tests(found), _stretches(listed)),
        notes=distinct([*map(_shaded, listed), *(each.notes for each in found)]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line(
            "compare",
            f"demur.compare(a, b, at={first.at:g})",
            *(where if first.a and first.b else ()),
            *("--at", f"{first.at:g}"),
        ),
        lines=tuple(zip(names_of(systems), looks, strict=True)) if pictures else (),
    )


def _shaded(pair: SideBySide) -> list[str]:
    """What the shaded areas are."""
    bands = [each for each in pair.bands if each is not None]
    said = [f"Shaded around the curves: {bands[0].text}."] if bands else []
    return [
        *said,
        *([] if pair.band is None else [f"Around the difference: {pair.band.text}."]),
    ]


def _pictures(pair: SideBySide, number: int, looks: Sequence[int]) -> Sequence[str]:
    """The curves, and the difference of their errors, each with its band."""
    curves = pair.comparison.curves
    if not curves or any(curve.ladder is None for curve in curves):
        return []
    picture = pair_picture(*curves, band=pair.band, bands=pair.bands, looks=looks)
    return drawn(replace(picture, name=f"pair{number}"))


def _tests(comparisons: Sequence[Comparison]) -> PageTable:
    rows = []
    for each in comparisons:
        tested = [each.difference, each.nonreturn, each.area, *each.own]
        rows += [_test(each, found) for found in tested if found is not None]
    header = ("b less a", "of", "difference", "from", "to", "p", "method")
    return PageTable("Differences and their tests", header, tuple(rows))


def _test(comparison: Comparison, found: Difference) -> tuple[str, ...]:
    a, b = names_of([comparison.a, comparison.b])
    what = found.quantity if found.what is None else found.what
    ends = (NONE if end is None else f"{end:+.4f}" for end in (found.low, found.high))
    p_value = p_text(found.p_value).removeprefix("p ").removeprefix("= ")
    return f"{b} less {a}", what, f"{found.value:+.4f}", *ends, p_value, found.method


def _stretches(pairs: Sequence[SideBySide]) -> PageTable:
    """Where which curve is lower, and where that is beyond luck."""
    rows = []
    for each in pairs:
        names = dict(
            zip("ab", names_of([each.comparison.a, each.comparison.b]), strict=True)
        )
        linear = each.comparison.linear
        for region in () if linear is None else linear.regions:
            better = names.get(region.better or "", "equal")
            rows.append(
                (f"{rate(region.start)} to {rate(region.end)}", better, "observed")
            )
        for start, end, side in () if each.band is None else each.band.surely():
            rows.append((f"{rate(start)} to {rate(end)}", names[side], "beyond luck"))
    return PageTable(
        "Who errs less, by share not answered",
        ("from, to", "lower", "how sure"),
        tuple(rows),
    )
