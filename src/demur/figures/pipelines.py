"""Pictures of pipelines: sources in the place of modules, blame, sweeps, echoes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.decisions.declining import Rate
from demur.figures.looks import axis_around, row_axis
from demur.pipelines.attributions import Attribution, PlayerShare
from demur.pipelines.cutoff_sweeps import CutoffSweep
from demur.pipelines.engine import STATE_WORDS
from demur.pipelines.evaluations import PipelineEvaluation
from demur.pipelines.planting import PlantedErrors
from demur.results.pictures import (
    Axis,
    Bars,
    Dots,
    Entry,
    Level,
    Line,
    Look,
    Mark,
    Panel,
    Picture,
)

_SERIES: Final[tuple[tuple[str, str, str, Look], ...]] = (
    ("outputs of {module} = target", "identical", "s", "note"),
    ("P_strict", "strict", "o", 1),
    ("P_multiple", "multiple", "^", 2),
)
_SHARES: Final = (("error", 2), ("nonreturn", 1), ("module_error", 0))
_ROW: Final = 0.42
"""Inches for each row."""


def pipeline_picture(results: Any) -> Picture:
    """What the verbs for pipelines find, a panel or two for each result."""
    listed: list[Any] = (
        list(results) if isinstance(results, (list, tuple)) else [results]
    )
    panels = [panel for result in listed for panel in _PANELS[type(result)](result)]
    rows = max(len(panel.y.ticks) or 5 for panel in panels)
    columns = min(2, len(panels))
    down = -(-len(panels) // columns)
    return Picture(
        "pipeline",
        "Modules of a pipeline",
        "Shares with their intervals. The tables have the numbers.",
        tuple(panels),
        (6.2 * columns, max(2.6, 1.3 + _ROW * rows) * down),
        columns,
    )


def _place(x: float, y: float) -> tuple[Any, Any]:
    return np.array([x]), np.array([y])


def _ends(low: float | None, high: float | None, at: float, look: Look) -> list[Mark]:
    """An interval, in percent, if there is one."""
    if low is None or high is None:
        return []
    x = np.array([100 * low, 100 * high])
    return [Line(x, np.array([at, at]), look, "thin")]


def _sources(evaluation: PipelineEvaluation) -> list[Panel]:
    """Sources below one another, a panel for each state."""
    states = list(dict.fromkeys(row.state for row in evaluation.rows))
    panels = [_state(evaluation, state) for state in states]
    # One legend for both states.
    return [*(replace(panel, signs=()) for panel in panels[:-1]), panels[-1]]


def _state(evaluation: PipelineEvaluation, state: str) -> Panel:
    rows = [row for row in evaluation.rows if row.state == state]
    marks: list[Mark] = [
        Level(place + 0.5, "y", "region") for place in range(len(rows) - 1)
    ]
    signs = []
    for number, (words, name, shape, look) in enumerate(_SERIES):
        rates: list[tuple[float, Rate]] = [
            (place + 0.22 * (number - 1), getattr(row, name))
            for place, row in enumerate(rows)
            if getattr(row, name).share is not None
        ]
        for place, rate in rates:
            marks += _ends(rate.low, rate.high, place, look)
        x = np.array([100 * (rate.share or 0.0) for _, rate in rates])
        y = np.array([place for place, _ in rates])
        dots = Dots(x, y, look, shape, 5.5, hollow=look == "note")
        if rates:
            marks.append(dots)
            signs.append(Entry(words.format(module=evaluation.module), (dots,)))
    level = f"{100 * evaluation.level:g} % intervals"
    return Panel(
        tuple(marks),
        Axis(f"% (responses: {evaluation.measure}), {level}", 0.0, 100.0),
        row_axis([row.source for row in rows]),
        title=f"{evaluation.module} by each source, {STATE_WORDS[state]}",
        signs=tuple(signs),
    )


def _blame(attribution: Attribution) -> list[Panel]:
    """Each share between what the module adds alone and last; bounds if undefined."""
    shares = attribution.rows

    def points(name: str) -> tuple[Any, Any]:
        known = [
            (place, 100 * getattr(share, name))
            for place, share in enumerate(shares)
            if getattr(share, name) is not None
        ]
        places = np.array([place for place, _ in known], dtype=float)
        return places, np.array([value for _, value in known], dtype=float)

    bars = Bars(*points("shapley"), 1, lying=True)
    places, x = points("alone")
    alone = Dots(x, places, 2, "D", 5)
    places, x = points("last")
    last = Dots(x, places, "ink", "s", 5, hollow=True)
    spread = [
        mark
        for place, share in enumerate(shares)
        for ends, look in _ranges(share)
        if ends is not None
        for mark in _ends(*ends, place, look)
    ]
    numbers = [0.0, *bars.lengths, *alone.x, *last.x]
    numbers += [end for mark in spread for end in mark.x]  # type: ignore[union-attr]
    return [
        Panel(
            (bars, *spread, alone, last, Level(0.0, "x")),
            axis_around(f"points of {attribution.measure}", numbers),
            row_axis([share.name for share in shares], least=4),
            title=_now_and_better(attribution),
            signs=(
                Entry("Shapley, interval", (bars,)),
                Entry("alone", (alone,)),
                Entry("last", (last,)),
            ),
        )
    ]


def _ranges(share: PlayerShare) -> list[tuple[tuple[float, float] | None, Look]]:
    """What is drawn of a share as a line: its interval, or its bounds."""
    return [(share.interval, "ink"), (share.bounds, "note")]


def _now_and_better(attribution: Attribution) -> str:
    now, better = (
        "not defined" if value is None else f"{100 * value:.1f} %"
        for value in (attribution.now, attribution.better)
    )
    return f"{now} now, {better} with all better"


def _cutoffs(sweep: CutoffSweep) -> list[Panel]:
    """Points and those that are best at a price; errors and nonreturns by cutoff."""
    x = np.array([point.nonreturn for point in sweep.points])
    y = np.array([point.error for point in sweep.points])
    best = list(sweep.hull)
    dots = {
        "a cutoff": Dots(x, y, "note", ".", 3),
        "best at some price": Dots(x[best], y[best], 2, "o", 9, hollow=True),
        "all handed on": Dots(x[:1], y[:1], "ink", ">", 6),
        "none handed on": Dots(x[-1:], y[-1:], "ink", "s", 5),
    }
    # A hollow marker would hide the points inside it.
    order = ["best at some price", "a cutoff", "all handed on", "none handed on"]
    plane = Panel(
        tuple(dots[words] for words in order),
        axis_around("nonreturn (share of target acts)", x, 0.06),
        axis_around("error (share of target acts)", y, 0.06),
        title=f"cutoffs of {sweep.module}, {STATE_WORDS[sweep.state]}",
        note="points only: nothing lies between them",
        signs=tuple(Entry(words, (mark,)) for words, mark in dots.items()),
    )
    return [plane, _by_cutoff(sweep)]


def _by_cutoff(sweep: CutoffSweep) -> Panel:
    points = [point for point in sweep.points if point.cutoff is not None]
    cutoffs = np.array([point.cutoff for point in points], float)
    finite = np.isfinite(cutoffs)
    lines, signs = [], []
    for name, look in _SHARES:
        share = np.array([getattr(point, name) for point in points], float)
        line = Line(cutoffs[finite], share[finite], look, steps="pre")
        words = f"error of {sweep.module} alone" if name == "module_error" else name
        lines.append(line)
        signs.append(Entry(words, (line,)))
    highest = max(
        # A module without targets has no errors of its own: a line of nothing.
        (float(np.nanmax(line.y)) for line in lines if not np.isnan(line.y).all()),
        default=1,
    )
    return Panel(
        tuple(lines),
        axis_around("cutoff (confidence)", cutoffs[finite]),
        Axis("share", 0.0, 1.05 * highest or 0.05),
        title=f"by cutoff of {sweep.module}",
        signs=tuple(signs),
    )


def _echoes(planted: PlantedErrors) -> list[Panel]:
    """How many responses change, by turns after the error."""
    x = np.array([effect.later for effect in planted.effects], float)
    y = np.array([100 * (effect.changed.share or 0) for effect in planted.effects])
    marks: list[Mark] = [Bars(x, y, 1)]
    for effect in planted.effects:
        low, high = effect.changed.low, effect.changed.high
        if low is not None and high is not None:
            ends = np.array([100 * low, 100 * high])
            marks.append(Line(np.full(2, float(effect.later)), ends, "ink", "thin"))
    first, last = (float(x[0]), float(x[-1])) if len(x) else (0.0, 0.0)
    whole = len(x) <= 20
    ticks = tuple((later, f"{later:g}") for later in x.tolist()) if whole else ()
    return [
        Panel(
            tuple(marks),
            Axis("turns after the error", first - 0.6, last + 0.6, ticks),
            Axis("% of responses that change", 0.0, 100.0),
            title=f"one error of {planted.module} ({planted.source}), free-running",
        )
    ]


_PANELS: Final[dict[type, Callable[[Any], Sequence[Panel]]]] = {
    PipelineEvaluation: _sources,
    Attribution: _blame,
    CutoffSweep: _cutoffs,
    PlantedErrors: _echoes,
}
