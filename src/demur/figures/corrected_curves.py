"""Errors against non-returns as a noisy judge has them, and as people correct them."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from demur.figures.curves import ERROR, NONRETURN
from demur.figures.looks import system_entries
from demur.results.pictures import Axis, Entry, Line, Mark, Panel, Picture, Shade
from demur.results.text import short_names
from demur.statistics.correcting_curves import CorrectedCurve

_POINTS: Final = 200
"""So many places of a line are enough."""


def corrected_picture(
    curves: CorrectedCurve | Sequence[CorrectedCurve],
) -> Picture:
    """Corrected errors with their intervals, and dashed those of the judge."""
    listed = [curves] if isinstance(curves, CorrectedCurve) else list(curves)
    names = short_names([curve.system or "system" for curve in listed])
    marks: list[Mark] = []
    highest = 0.0
    for look, (name, curve) in enumerate(zip(names, listed, strict=True)):
        places = np.linspace(0, len(curve.cutoff) - 1, _POINTS).round().astype(int)
        kept = np.unique(places)
        kept = kept[~np.isnan(curve.error[kept])]
        x, raw = curve.nonreturn[kept], curve.raw[kept]
        marks += [
            Shade(x, curve.low[kept], curve.high[kept], look),
            Line(x, curve.error[kept], look, name=name),
        ]
        highest = max([highest, *curve.high[kept]])
        if not np.isnan(raw).any():  # there is a judge
            marks.append(Line(x, raw, look, "missed"))
            highest = max([highest, *raw])
    judged = any(isinstance(mark, Line) and mark.style == "missed" for mark in marks)
    by_judge = Entry("by the judge", (Line(look="note", style="missed"),))
    panel = Panel(
        tuple(marks),
        Axis(NONRETURN),
        Axis(ERROR, 0.0, 1.05 * highest or 0.05),
        names=system_entries(names),
        signs=(
            *([by_judge] if judged else []),
            Entry(
                f"{100 * listed[0].level:g} % at each cutoff",
                (Shade(),),
            ),
        ),
        signs_title="corrected by people\u2019s verdicts"
        if judged
        else "by the labels of a part",
    )
    return Picture(
        "corrected",
        "Corrected errors against non-returns",
        f"Share of wrong answers, corrected, against share not answered, for "
        f"{', '.join(names)}, with intervals. The table has the numbers.",
        (panel,),
        (6.4, 4.8),
        systems=tuple(curve.system for curve in listed),
    )
