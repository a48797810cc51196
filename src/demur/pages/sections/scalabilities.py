"""Scalability: scores of methods against the difficulty of versions of a task."""

from collections.abc import Sequence

from demur.difficulty.scaling import Scalability
from demur.figures.difficulties import scalability_picture
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import drawn
from demur.results import NONE, rate


def section(found: Sequence[Scalability], source: Source) -> Section:
    """The first in a picture, all as tables."""
    first = found[0]
    systems = list(dict.fromkeys(point.system for point in first.points))
    names, looks = names_of(systems), source.looks_of(systems)
    return Section(
        heading="Scalability",
        sentence=_sentence(first),
        pictures=drawn(scalability_picture(first, looks=looks)),
        grids=tuple(map(_points, found)),
        notes=distinct([each.notes for each in found]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line("difficulty", "demur.scalability(versions)"),
        lines=tuple(zip(names, looks, strict=True)),
    )


def _sentence(found: Scalability) -> str:
    said = [
        f"{name or 'the system'} changes by {slope:+.3f}"
        for name, slope in found.slopes.items()
    ]
    if not said:
        return f"{found.y} against {found.x}."
    return f"As {found.x} rises by 1, {found.y} of {', of '.join(said)}."


def _points(found: Scalability) -> PageTable:
    rows = tuple(
        (
            point.version,
            point.system,
            f"{point.items:,}",
            f"{point.entropy:.3f}",
            rate(point.baseline),
            rate(point.accuracy),
            NONE if point.score is None else f"{point.score:.3f}",
            *(
                [NONE] * 2
                if point.interval is None
                else [f"{end:.3f}" for end in point.interval]
            ),
        )
        for point in found.points
    )
    header = ("version", "system", "items", "bits per item", "baseline", "accuracy")
    return PageTable(f"{found.y} by {found.x}", (*header, found.y, "from", "to"), rows)
