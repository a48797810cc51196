"""``demur pipeline``: which module is to blame, and what a perfect one would buy."""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from demur import formats
from demur.checks import check_recipe, names_shown
from demur.cli import say, shared, stop_if_told
from demur.cli.compared_pipelines import compare_line
from demur.cli.shared import WrongUsage
from demur.cli.streams import progress
from demur.errors import InputError, shown
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes
from demur.pipelines.attributing import attribute_loss
from demur.pipelines.attributions import HISTORY, Attribution
from demur.pipelines.configs import PipelineSetup, read_pipeline
from demur.pipelines.engine import STATES
from demur.pipelines.evaluating import ACTUAL, evaluate_pipeline
from demur.pipelines.evaluations import PipelineEvaluation
from demur.pipelines.explaining import explain_turn
from demur.pipelines.pipeline_reports import PipelineReport
from demur.pipelines.planting import plant_errors
from demur.pipelines.runs import (
    MATCHES,
    PipelineRuns,
    figure_kind,
    run_pipeline,
    state_name,
)
from demur.pipelines.sweeping import sweep_cutoff
from demur.pipelines.turn_parts import Running
from demur.results import FigureKind

BOTH: Final = "both"


@dataclass
class _Task:
    """What was asked for, read."""

    arguments: Namespace
    setup: PipelineSetup
    running: Running
    given: dict[str, str]

    @property
    def common(self) -> dict[str, Any]:
        """What every verb is told."""
        return {
            "pipeline": self.setup.pipeline,
            "dialogues": self.setup.dialogues,
            "given": self.given,
            "target": self.arguments.target.replace("-", "_"),
            "running": self.running,
        }

    @property
    def state(self) -> str:
        """The state of what is run in one state only."""
        state = self.arguments.state or STATES[0]
        if state == BOTH:
            option = "--explain" if self.arguments.explain else "--sweep"
            need = f"be one state with {option}"
            raise WrongUsage("pipeline", "--state", need, state)
        return str(state)


def run(arguments: Namespace) -> int:
    """Run the pipeline, print, write, draw; then the gates."""
    reads = [arguments.config, *arguments.dialogues]
    writes = ("output", "plot", "cache")
    shared.check_asked(arguments, _kinds(arguments), reads, writes)
    _check(arguments)
    with redirect_stdout(sys.stderr):  # what a module prints is no result
        setup = read_pipeline(
            arguments.config, dialogues=arguments.dialogues, max_size=arguments.max_size
        )
    for note in setup.notes:
        say(note)
    running = Running(
        concurrency=arguments.concurrency or setup.concurrency,
        cache=arguments.cache or setup.cache,
        repeats=arguments.repeats or setup.repeats,
        progress=_watched(progress("turns")),
    )
    task = _Task(arguments, setup, running, dict(arguments.given))
    _check_blame(arguments.fail_if, setup.pipeline.names)
    body = next((_ONLY[name] for name in _ONLY if getattr(arguments, name)), None)
    if body is None:
        return _evaluate(task)
    with redirect_stdout(sys.stderr):
        result = body(task)
    stop_if_told()
    shared.draw(result.plot, arguments.plot)
    return shared.finish(result, arguments)


def _watched(
    progress: Callable[[int, int], None] | None,
) -> Callable[[int, int], None]:
    """Progress that ends the run soon, also where a module catches every exception."""

    def went_on(done: int, total: int) -> None:
        stop_if_told()
        if progress is not None:
            progress(done, total)

    return went_on


def _kinds(arguments: Namespace) -> list[FigureKind]:
    """The figures of the states that are run, and the blame where it is shared out."""
    states = STATES if arguments.state in (None, BOTH) else [arguments.state]
    kinds = [figure_kind(match, state) for state in states for match in MATCHES]
    blamed = "corrected" in states and not arguments.no_attribution
    return [*kinds, *(Attribution.KINDS if blamed else ())]


def _check_blame(gates: Sequence[Any], names: Sequence[str]) -> None:
    """Refuse a gate on the blame of a module that there is not, before any runs."""
    known = [f"blame_{name}" for name in (*names, HISTORY)]
    for gate in gates:
        if gate.name.startswith("blame_") and gate.name not in known:
            need = f"be one of {names_shown(known)}"
            raise WrongUsage("pipeline: --fail-if", "a figure", need, shown(gate.name))


def _check(arguments: Namespace) -> None:
    _check_replicates(arguments)
    only = [name for name in _ONLY if getattr(arguments, name)]
    for option in ("replace", "output", "fail_if"):
        if only and getattr(arguments, option):
            need, flag = f"not stand with --{only[0]}", shared.option_name(option)
            raise WrongUsage("pipeline", flag, need, "both", "Run it twice.")
    for option in ("plot", "page"):
        if getattr(arguments, option) and arguments.explain:
            need, hint = "not stand with --explain", "There is nothing to draw."
            raise WrongUsage("pipeline", f"--{option}", need, "both", hint)
    if arguments.source and only and only != ["plant"]:
        need = "come with --replace or --plant"
        raise WrongUsage("pipeline", "--source", need, f"--{only[0]}")
    if only == ["plant"]:
        _check_planted(arguments)
    if arguments.cutoff and not (arguments.sweep and arguments.state == "free"):
        need = "come with --sweep and --state free"
        hint = "In corrected state every cutoff is there."
        raise WrongUsage("pipeline", "--cutoff", need, "without", hint)


def _check_replicates(arguments: Namespace) -> None:
    try:
        check_recipe("pipeline", arguments.level, arguments.replicates)
    except InputError as problem:
        option = f"--{problem.what}"
        raise WrongUsage("pipeline", option, problem.must, problem.got) from None


def _check_planted(arguments: Namespace) -> None:
    if len(arguments.source or ()) > 1:
        need, got = "be one with --plant", str(len(arguments.source))
        raise WrongUsage("pipeline", "--source", need, got)
    if arguments.given:
        raise WrongUsage("pipeline", "--given", "not stand with --plant", "both")


def _explained(task: _Task) -> Any:
    return explain_turn(turn=task.arguments.explain, state=task.state, **task.common)


def _swept(task: _Task) -> Any:
    return sweep_cutoff(
        module=task.arguments.sweep,
        state=task.state,
        cutoffs=task.arguments.cutoff,
        match=task.arguments.match or "multiple",
        **task.common,
    )


def _planted(task: _Task) -> Any:
    sources = task.arguments.source or [None]
    how = {name: value for name, value in task.common.items() if name != "given"}
    level, module = task.arguments.level, task.arguments.plant
    return plant_errors(module=module, source=sources[0], level=level, **how)


_ONLY: Final = {"explain": _explained, "sweep": _swept, "plant": _planted}
"""What is shown in place of the tables."""


def _evaluate(task: _Task) -> int:
    """What replacing modules changes; or the pipeline as it is, if none can be."""
    arguments, state = task.arguments, task.arguments.state or BOTH
    states = STATES if state == BOTH else [state]
    match = arguments.match or "strict"
    names = arguments.replace or [
        name for name in task.setup.pipeline.names[:-1] if name not in task.given
    ]
    with redirect_stdout(sys.stderr):
        evaluations = [_table(task, name, states) for name in names]
        runs = [run_pipeline(state=one, **task.common) for one in states if not names]
        shared_out = names and state != "free" and not arguments.no_attribution
        blame = _blame(task, names, history=state == BOTH) if shared_out else None
    stop_if_told()
    if arguments.output:
        alone = [
            run.outcomes(match, system=f"{ACTUAL}, {state_name(run.state)}")
            for run in runs
        ]
        formats.write_outcomes(
            stacked(alone) if runs else _outcomes(match, evaluations), arguments.output
        )
        if arguments.output != "-":
            as_it_is = f"{ACTUAL}, {state_name(states[-1])}"
            say(f"wrote {arguments.output}; to compare it with another run:")
            say(compare_line([arguments.output, "OTHER"], as_it_is))
    if runs:
        return shared.finish(PipelineRuns(runs), arguments)
    drawn = [*evaluations, *([blame] if blame else [])]
    shared.draw(lambda: _drawn(drawn), arguments.plot)
    return shared.finish(PipelineReport(tuple(evaluations), blame), arguments)


def _table(task: _Task, name: str, states: Sequence[str]) -> PipelineEvaluation:
    how = ("measure", "cluster", "level", "replicates", "seed")
    return evaluate_pipeline(
        replace=name,
        sources=task.arguments.source,
        states=states,
        test=task.arguments.test.replace("-", "_"),
        match=task.arguments.match or "strict",
        **shared.named(task.arguments, *how),
        **task.common,
    )


def _blame(task: _Task, names: list[str], *, history: bool) -> Attribution | None:
    """The loss shared among the replaced modules, if they have targets."""
    targets = {
        name
        for dialogue in task.setup.dialogues
        for turn in dialogue.turns
        for name in turn.target
    }
    better = {name: "target" for name in names if name in targets}
    if not better:
        return None
    return attribute_loss(
        better=better,
        history=history,
        match=task.arguments.match or "strict",
        **shared.named(task.arguments, "measure", "level", "seed"),
        **task.common,
    )


def _outcomes(match: str, evaluations: list[PipelineEvaluation]) -> Outcomes:
    tables = [
        run.outcomes(
            match,
            f"{ACTUAL if source == ACTUAL else f'{evaluation.module}={source}'}, "
            f"{state_name(state)}",
            evaluation.recipe,
        )
        for number, evaluation in enumerate(evaluations)
        for (source, state), run in evaluation.runs.items()
        if run.counts and not (number and source == ACTUAL)
    ]
    return stacked(tables)


def _drawn(results: list[Any]) -> Any:
    from demur.plots.drawing_tasks import plot_pipeline

    return plot_pipeline(results)
