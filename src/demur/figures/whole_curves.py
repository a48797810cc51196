"""Wholes with a wrong part against parts withheld, alone and beside the parts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np

from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.figures.curves import (
    ERROR_AT,
    READINGS,
    curves_panel,
    curves_picture,
    groups_picture,
)
from demur.results.pictures import (
    Axis,
    Dots,
    Entry,
    Line,
    Panel,
    Picture,
)
from demur.wholes.whole_curves import WholeCurve

WITHHELD: Final = "parts withheld (share of all parts)"
WHOLES: Final = "wholes with a wrong part (share of all wholes)"
WRONG_PARTS: Final = "wrong parts (share of all parts)"
_NAMELESS: Final = "a wrong part returned"
_WRONG_AT: Final = "wholes with a wrong part at"
_PEOPLE: Final = "after people\N{RIGHT SINGLE QUOTATION MARK}s work"
_WORDS: Final = {
    **READINGS,
    READINGS["step"]: "step: one cutoff for all parts",
    "if ungraded answers are wrong": "if ungraded parts are wrong",
}
"""What is said of items, in the words of parts."""


def whole_curves_picture(
    curves: WholeCurve | Iterable[WholeCurve],
    *,
    region: tuple[float, float] | None = None,
    at: float | Sequence[float] = (),
    how: str = "linear",
    label: str | None = None,
    labels: Sequence[str] | None = None,
    looks: Sequence[int] | None = None,
) -> Picture:
    """Wholes with a wrong part against parts withheld.

    The options are those of `demur.plot_curves`. A dashed line is the share of wholes
    with an error after people's work, where something is known of people.
    """
    listed = [curves] if isinstance(curves, WholeCurve) else list(curves)
    if len(listed) == 1 and not (listed[0].system or label or labels):
        label = _NAMELESS
    picture = curves_picture(
        [as_items(curve) for curve in listed],
        missed=False,
        region=region,
        at=at,
        how=how,
        label=label,
        labels=labels,
        looks=looks,
    )
    (panel,) = picture.panels
    names = ", ".join(filter(None, (curve.system for curve in listed)))
    return replace(
        picture,
        name="wholes",
        title="Curves of wholes",
        description="Share of wholes with a wrong part against share of parts withheld"
        f"{names and f', for {names}'}. Lower is better. The table has the numbers.",
        panels=(_of_wholes(panel, listed, looks, how),),
    )


def parts_and_wholes_picture(
    curves: Sequence[Curve], wholes: Sequence[WholeCurve], **options: Any
) -> Picture:
    """Wrong parts on the left, and wholes with a wrong part on the right.

    Parameters
    ----------
    curves : sequence of Curve
        Of the parts.
    wholes : sequence of WholeCurve
        Of the same systems, in the same order.
    **options
        ``region``, ``at`` and ``how`` of `demur.plot_curves`, and ``bands`` of the
        parts.
    """
    bands = options.pop("bands", ())
    parts = curves_panel(curves, missed=False, bands=bands, **options)
    picture = whole_curves_picture(wholes, **options)
    (panel,) = picture.panels
    signs = {entry.words: entry for entry in map(_worded, parts.signs)}
    signs |= {entry.words: entry for entry in panel.signs}
    left = Panel(
        parts.marks,
        replace(parts.x, label=WITHHELD),
        replace(parts.y, label=WRONG_PARTS),
    )
    right = replace(
        panel,
        names=panel.names if len(wholes) > 1 else (),
        signs=tuple(signs.values()),
        beside=(),
    )
    return replace(
        picture,
        name="parts-and-wholes",
        title="Curves of parts and of wholes",
        description="Share of wrong parts, and of wholes with a wrong part, against "
        "share of parts withheld. Lower is better. The table has the numbers.",
        panels=(left, right),
        size=(9.4, 4.2),
        across=2,
    )


def whole_groups_picture(
    groups: Mapping[str, Mapping[str, WholeCurve]], **options: Any
) -> Picture:
    """One panel of wholes for each group, with the curves of all systems."""
    made = {
        group: {name: as_items(curve) for name, curve in curves.items()}
        for group, curves in groups.items()
    }
    picture = groups_picture(made, **options)
    panels = (
        replace(
            panel,
            x=Axis("parts withheld"),
            y=replace(panel.y, label="wholes with a wrong part"),
            note=_WORDS.get(panel.note, panel.note),
        )
        for panel in picture.panels
    )
    return replace(
        picture,
        title="Curves of wholes, by group",
        description="Share of wholes with a wrong part against share of parts "
        f"withheld, by {len(groups)} groups.",
        panels=tuple(panels),
    )


def as_items(curve: WholeCurve) -> Curve:
    """The curve with the system's own decisions, as those of items are drawn."""
    decisions = curve.own
    unknown = (None,) * 5  # missed chances and the like are of items
    decided = Point(
        *(decisions.nonreturn, decisions.whole_error, *unknown),
        bounds=decisions.bounds,
        how=decisions.how,
    )
    return replace(curve.scaled, system=curve.system, operating_point=decided)


def _of_wholes(
    panel: Panel,
    curves: Sequence[WholeCurve],
    looks: Sequence[int] | None,
    how: str,
) -> Panel:
    """The panel in the words of wholes, with what people leave as dashed lines."""
    marks = [
        mark
        for look, curve in zip(looks or range(len(curves)), curves, strict=True)
        for mark in _after_people(curve, look, how)
    ]
    highest = max((float(mark.y.max()) for mark in marks), default=0.0)
    signs, beside = panel.signs, panel.beside
    if marks:
        dots = [mark for mark in marks if isinstance(mark, Dots)]
        if len(dots) < len(marks):
            signs = (Entry(_PEOPLE, (Line(look="note", style="missed"),)), *signs)
        if dots:
            decided = f"{_PEOPLE}, by own decisions"
            signs = (*signs, Entry(decided, (Dots(look="note", hollow=True),)))
        beside = (*beside, (_PEOPLE, marks[0])) if beside else ()
    return replace(
        panel,
        marks=(*panel.marks, *marks),
        x=replace(panel.x, label=WITHHELD),
        y=replace(panel.y, label=WHOLES, high=max(panel.y.high, 1.06 * highest)),
        note=_WORDS.get(panel.note, panel.note),
        signs=tuple(map(_worded, signs)),
        signs_title=panel.signs_title.replace(ERROR_AT, _WRONG_AT),
        beside=beside,
    )


def _after_people(curve: WholeCurve, look: int, how: str) -> list[Line | Dots]:
    """What is wrong after people's work: a line, or a dot without confidences."""
    left = curve.error_with_people
    if left is None:
        return []
    if not len(left):
        decisions = curve.own
        place = np.array([decisions.nonreturn]), np.array([decisions.error_with_people])
        return [Dots(*place, look, hollow=True)]
    steps: Literal["post", ""] = "post" if how == "step" else ""
    return [Line(curve.nonreturn, left, look, "missed", steps)]


def _worded(entry: Entry) -> Entry:
    return replace(entry, words=_WORDS.get(entry.words, entry.words))
