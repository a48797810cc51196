"""Errors that a noisy judge has counted, corrected by people's verdicts."""

from collections.abc import Sequence

import numpy as np

from demur.decisions.choice_tables import percent
from demur.figures.corrected_curves import corrected_picture
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import drawn
from demur.results import NONE, rate
from demur.statistics.correcting_curves import CorrectedCurve

RATES = (0.0, 0.1, 0.2, 0.3, 0.5)


def section(curves: Sequence[CorrectedCurve], source: Source) -> Section:
    """The corrected error at every cutoff, and the judge's beside it."""
    systems = [curve.system for curve in curves]
    names, looks = names_of(systems), source.looks_of(systems)
    gold = str(curves[0].recipe.get("gold", ""))
    return Section(
        heading="Errors corrected by people",
        sentence=sentence(curves),
        pictures=drawn(corrected_picture(curves, looks=looks)),
        grids=(_errors(curves, names),),
        notes=(
            "the labelled items must be drawn at random; intervals hold at each cutoff "
            f"by itself, at a level of {curves[0].level:g}",
            *distinct([curve.notes for curve in curves]),
        ),
        signatures=tuple(dict.fromkeys(curve.signature for curve in curves)),
        source=source.line(
            "curve", "demur.corrected_curve(outcomes, gold)", "--gold", gold
        ),
        lines=tuple(zip(names, looks, strict=True)),
    )


def sentence(curves: Sequence[CorrectedCurve]) -> str:
    """How far the judge is off, of the first three systems."""
    said = []
    names = names_of([curve.system for curve in curves])
    for curve, name in list(zip(curves, names, strict=True))[:3]:
        error, raw = (percent(float(each[0])) for each in (curve.error, curve.raw))
        said.append(
            f"{name} answers {error} of all items wrongly if it gives every guess (the "
            f"judge says {raw})"
        )
    return f"As people's verdicts correct the judge's: {', '.join(said)}."


def _errors(curves: Sequence[CorrectedCurve], names: Sequence[str]) -> PageTable:
    rows = []
    for curve, name in zip(curves, names, strict=True):
        for wanted in RATES:
            place = int(np.searchsorted(curve.nonreturn, wanted - 1e-12))
            if place == len(curve.nonreturn):
                continue
            error, low, high = (
                float(each[place]) for each in (curve.error, curve.low, curve.high)
            )
            found = "nobody judged" if error != error else rate(error)
            cells = (rate(float(curve.nonreturn[place])), rate(float(curve.raw[place])))
            ends = (rate(low), rate(high)) if error == error else (NONE, NONE)
            rows.append((name, *cells, found, *ends))
    header = ("system", "not answered", "wrong by the judge", "corrected", "from", "to")
    caption = "At the first cutoff that declines so many or more"
    return PageTable(caption, header, tuple(rows))
