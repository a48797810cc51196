"""Scalability: scores of methods against the difficulty of versions of a task."""

from collections.abc import Sequence

import numpy as np

from demur.difficulty.scaling import Scalability
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import Picture
from demur.plots.difficulty_pictures import AXES
from demur.results import NONE, rate

_ROOM = 0.05


def section(found: Sequence[Scalability], source: Source) -> Section:
    """The first in a picture, all as tables."""
    first = found[0]
    systems = list(dict.fromkeys(point.system for point in first.points))
    names, looks = names_of(systems), source.looks_of(systems)
    return Section(
        heading="Scalability",
        sentence=_sentence(first),
        pictures=(str(_picture(first, systems, looks)),),
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


def _picture(
    found: Scalability, systems: Sequence[str], looks: Sequence[int]
) -> Picture:
    known = [point for point in found.points if point.score is not None]
    x = [getattr(point, found.x) for point in known]
    y = [end for p in known for end in (*(p.interval or ()), p.score or 0.0)]
    picture = Picture(
        name="scalability",
        title="Scores against difficulty",
        description=f"{found.y} of each system against {found.x} of each version of "
        "the task. The table has the numbers.",
        x_label=AXES[found.x],
        y_label=found.y,
        x_range=_range(x),
        y_range=_range(y),
    )
    for system, look in zip(systems, looks, strict=True):
        own = sorted(
            (getattr(p, found.x), p.score or 0.0, p.interval)
            for p in known
            if p.system == system
        )
        along = np.array([each[0] for each in own])
        picture.line(along, np.array([each[1] for each in own]), look)
        for place, score, ends in own:
            picture.dot(place, score, look)
            if ends is not None:
                picture.plain_line(np.array([place, place]), np.array(ends))
    return picture


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = _ROOM * (high - low or 1.0)
    return low - room, high + room


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
