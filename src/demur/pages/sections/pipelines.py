"""Pipelines: modules replaced by sources, where the loss comes from, and cutoffs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from demur.decisions.declining import Rate
from demur.figures.pipelines import pipeline_picture
from demur.pages.parts import PageTable, Section, Source, distinct
from demur.pages.svg import drawn
from demur.pipelines.attributing import Attribution
from demur.pipelines.cutoff_sweeps import CutoffSweep
from demur.pipelines.engine import STATE_WORDS
from demur.pipelines.evaluations import PipelineEvaluation, cell
from demur.pipelines.planting import PlantedErrors
from demur.pipelines.runs import state_name
from demur.results import NONE, p_text

_SHOWN = 40


def evaluations(found: Sequence[PipelineEvaluation], source: Source) -> Section:
    """Sources in the place of modules: a picture of the first, tables of all."""
    first = found[0]
    return Section(
        heading="Sources in the place of modules",
        sentence=" ".join(map(_sentence, found)),
        pictures=_drawn(first, f"pipeline-{first.module}"),
        grids=tuple(grid for each in found for grid in (_rows(each), _tests(each))),
        notes=distinct([each.notes for each in found]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line(
            "pipeline", "demur.evaluate_pipeline(pipeline, dialogues, replace=...)"
        ),
    )


def _drawn(result: Any, name: str) -> tuple[str, ...]:
    safe = (mark if mark.isascii() and mark.isalnum() else "-" for mark in name)
    return drawn(replace(pipeline_picture(result), name="".join(safe)))


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
        pictures=tuple(
            svg
            for number, blame in enumerate(found)
            for svg in _drawn(blame, f"blame-{number}")
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
        pictures=tuple(
            svg
            for number, sweep in enumerate(found)
            for svg in _drawn(sweep, f"sweep-{number}-{sweep.module}")
        ),
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
        pictures=tuple(
            svg
            for number, echoes in enumerate(found)
            for svg in _drawn(echoes, f"planted-{number}")
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
