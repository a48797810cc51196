"""Pipelines: modules replaced by sources, where the loss comes from, and cutoffs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from demur.decisions.declining import Rate
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import Picture
from demur.pipelines.attributing import Attribution
from demur.pipelines.cutoff_sweeps import CutoffSweep
from demur.pipelines.engine import STATE_WORDS
from demur.pipelines.evaluations import PipelineEvaluation, cell, state_name
from demur.pipelines.planting import PlantedErrors
from demur.results import NONE, p_text

_SHOWN = 40


def evaluations(found: Sequence[PipelineEvaluation], source: Source) -> Section:
    """Sources in the place of modules: a picture of the first, tables of all."""
    first = found[0]
    systems = list(dict.fromkeys(row.source for row in first.rows))
    names, looks = names_of(systems), source.looks_of(systems)
    return Section(
        heading="Sources in the place of modules",
        sentence=" ".join(map(_sentence, found)),
        pictures=(str(_matched(first, systems, looks)),),
        grids=tuple(grid for each in found for grid in (_rows(each), _tests(each))),
        notes=distinct([each.notes for each in found]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line(
            "pipeline", "demur.evaluate_pipeline(pipeline, dialogues, replace=...)"
        ),
        lines=tuple(zip(names, looks, strict=True)),
    )


def _sentence(found: PipelineEvaluation) -> str:
    last = found.rows[-1]
    return (
        f"With its own {found.module} the pipeline puts out "
        f"{_percent(last.strict)} of the target acts by {found.measure} "
        f"({STATE_WORDS[last.state]}), {_percent(last.multiple)} if other acceptable "
        "responses count."
    )


def _percent(rate: Rate) -> str:
    return NONE if rate.share is None else f"{100 * rate.share:.1f} %"


def _matched(
    found: PipelineEvaluation, systems: Sequence[str], looks: Sequence[int]
) -> Picture:
    picture = Picture(
        name=f"pipeline-{_safe(found.module)}",
        title=f"Sources in the place of {found.module}",
        description=f"For each source, how often its outputs are the target of "
        f"{found.module}, and how much of the target response follows. Above the line "
        "the response is right more often than the module. The table has the numbers.",
        x_label=f"outputs of {found.module} that are the target (share of turns)",
        y_label=f"P_strict ({found.measure})",
        diagonal=True,
    )
    state = found.rows[0].state
    for system, look in zip(systems, looks, strict=True):
        for row in found.rows:
            x, y = row.identical, row.strict
            if row.source != system or row.state != state:
                continue
            if x.share is None or y.share is None:
                continue
            if y.low is not None and y.high is not None:
                ends = np.array([y.low, y.high])
                picture.plain_line(np.array([x.share, x.share]), ends)
            picture.dot(x.share, y.share, look)
    return picture


def _safe(name: str) -> str:
    return "".join(mark if mark.isascii() and mark.isalnum() else "-" for mark in name)


def _rows(found: PipelineEvaluation) -> PageTable:
    rows = tuple(
        (
            row.source,
            state_name(row.state),
            cell(row.identical),
            cell(row.acceptable),
            cell(row.strict),
            cell(row.multiple),
            cell(row.measures["precision"]["strict"]),
            cell(row.measures["exact"]["multiple"]),
            str(row.missing),
            str(row.silent),
        )
        for row in found.rows
    )
    header = ("source", "state", f"{found.module} = target", "acceptable", "P_strict")
    more = ("P_multiple", "act precision", "acceptable set", "missing", "no response")
    caption = f"{found.module} replaced; counts and {100 * found.level:g} % intervals"
    return PageTable(caption, (*header, *more), rows)


def _tests(found: PipelineEvaluation) -> PageTable:
    rows = tuple(
        (
            each.question,
            each.source,
            state_name(each.state),
            f"{100 * each.difference:+.1f}",
            NONE if each.low is None else f"{100 * each.low:+.1f}",
            NONE if each.high is None else f"{100 * each.high:+.1f}",
            p_text(each.adjusted),
        )
        for each in found.tests
    )
    header = ("question", "source", "state", "points", "from", "to", "by Holm")
    return PageTable(f"Differences, {found.module} replaced", header, rows)


def attributions(found: Sequence[Attribution], source: Source) -> Section:
    """Where the loss comes from, one set of tables for each attribution."""
    return Section(
        heading="Where the loss comes from",
        sentence=" ".join(
            f"{100 * each.now:.1f} % now and {100 * each.better:.1f} % with all of "
            f"these better ({each.measure}, {each.match}); "
            f"{100 * each.remaining:.1f} points are lost even then."
            for each in found
        ),
        grids=tuple(grid for each in found for grid in _blame(each)),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line("pipeline", "demur.attribute_loss(pipeline, dialogues)"),
    )


def _blame(found: Attribution) -> list[PageTable]:
    def points(value: float | None) -> str:
        return NONE if value is None else f"{100 * value:+.2f}"

    shares = tuple(
        (
            each.name,
            each.better,
            points(each.shapley),
            points(each.low),
            points(each.high),
            points(each.alone),
            points(each.last),
        )
        for each in found.shares
    )
    header = ("to blame", "better", "Shapley", "from", "to", "alone", "last")
    turns = tuple((each.turn, each.name, f"{each.lost:.2f}") for each in found.first)
    unit = "turns" if found.measure == "exact" else "acts"
    grids = [
        PageTable("In points of the measure", header, shares),
        PageTable(
            "Turns to look at first", ("turn", "to blame", f"{unit} lost"), turns
        ),
    ]
    return [grid for grid in grids if grid.rows]


def sweeps(found: Sequence[CutoffSweep], source: Source) -> Section:
    """Cutoffs of a module inside the pipeline: points, and the best for each price."""
    return Section(
        heading="Cutoffs inside the pipeline",
        sentence=" ".join(map(_swept, found)),
        pictures=tuple(str(_points(each, number)) for number, each in enumerate(found)),
        grids=tuple(_priced(each) for each in found),
        notes=(
            "Nothing is read between the points, and there is no area: errors need not "
            "fall as the cutoff rises.",
            "Cutoffs are chosen and judged on the same turns.",
        ),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line(
            "pipeline", "demur.sweep_cutoff(pipeline, dialogues, module=...)"
        ),
    )


def _swept(found: CutoffSweep) -> str:
    apart = [f"{each.price:g}" for each in found.best if not each.agree]
    if not apart:
        return f"The best cutoffs of {found.module} alone are the pipeline's too."
    return (
        f"At price {', '.join(apart)} the best cutoff of {found.module} alone is not "
        "the pipeline's."
    )


def _points(found: CutoffSweep, number: int) -> Picture:
    x = np.array([each.nonreturn for each in found.points])
    y = np.array([each.error for each in found.points])
    picture = Picture(
        name=f"sweep-{number}-{_safe(found.module)}",
        title=f"Cutoffs of {found.module} in the pipeline",
        description="Error against nonreturn of the pipeline, a small line for each "
        "cutoff, a sign for those that are best at some price. The table has the "
        "numbers of the best.",
        x_label="nonreturn (share of target acts)",
        y_label="error (share of target acts)",
        x_range=_range(x),
        y_range=_range(y),
    )
    wide = 0.004 * (picture.x_range[1] - picture.x_range[0])
    kept = np.unique(np.round(np.array([x, y]).T, 4), axis=0)
    for across, up in kept[:: max(1, len(kept) // 500)].tolist():
        picture.plain_line(np.array([across - wide, across + wide]), np.array([up, up]))
    for at in found.hull:
        picture.dot(float(x[at]), float(y[at]), 0)
    return picture


def _range(values: Any) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low or 1.0)
    return low - room, high + room


def _priced(found: CutoffSweep) -> PageTable:
    def text(value: float | None) -> str:
        return "none" if value is None else f"{value:.4g}"

    rows = tuple(
        (
            f"{each.price:g}",
            text(each.cutoff),
            f"{each.cost:.4f}",
            text(each.module_cutoff),
            NONE if each.module_cost is None else f"{each.module_cost:.4f}",
        )
        for each in found.best
    )
    header = ("price", "best cutoff", "cost", f"best for {found.module} alone")
    caption = f"Cutoffs of {found.module}, {STATE_WORDS[found.state]}"
    return PageTable(caption, (*header, "its cost to the pipeline"), rows)


def planted(found: Sequence[PlantedErrors], source: Source) -> Section:
    """How far errors of modules reach."""
    return Section(
        heading="How far an error reaches",
        sentence=" ".join(
            f"Of {len(each.errors):,} errors of {each.module} ({each.source}), planted "
            f"one at a time, {each.without_effect:,} change no response and "
            f"{each.only_here:,} only that to their own turn."
            for each in found
        ),
        grids=tuple(map(_later, found)),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line(
            "pipeline", "demur.plant_errors(pipeline, dialogues, module=...)"
        ),
    )


def _later(found: PlantedErrors) -> PageTable:
    rows = tuple(
        (
            str(each.later),
            f"{each.turns:,}",
            cell(each.changed),
            NONE if each.lost is None else f"{100 * each.lost:+.1f}",
        )
        for each in found.effects[:_SHOWN]
    )
    header = ("turns later", "turns", "response changed", "points lost")
    return PageTable(f"Errors of {found.module}, free-running", header, rows)
