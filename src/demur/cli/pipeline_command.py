"""``demur pipeline``: which module is to blame, and what a perfect one would buy."""

import argparse
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from demur import formats
from demur.checks import names_shown
from demur.cli import shared
from demur.cli.streams import progress, say
from demur.cli.usage import WrongUsage, check_outputs
from demur.errors import shown
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes
from demur.pipelines.attributing import HISTORY, Attribution, attribute_loss
from demur.pipelines.configs import PipelineSetup, read_pipeline
from demur.pipelines.engine import STATES
from demur.pipelines.evaluating import ACTUAL, CLUSTERS, evaluate_pipeline
from demur.pipelines.evaluations import PipelineEvaluation
from demur.pipelines.explaining import explain_turn
from demur.pipelines.matching import MEASURES
from demur.pipelines.pipeline_reports import PipelineReport
from demur.pipelines.planting import plant_errors
from demur.pipelines.runs import MATCHES, TARGETS, PipelineRuns, run_pipeline
from demur.pipelines.sweeping import sweep_cutoff
from demur.pipelines.turn_parts import Running
from demur.statistics.ratio_tests import TESTS

BOTH: Final = "both"

_EXAMPLE: Final = """\
CONFIG.toml, for example:

  dialogues = "dialogues.jsonl"
  declines = ["request.repeat"]

  [[module]]
  name = "nlu"
  call = "nlu.py:classify"

  [[module]]
  name = "dm"
  character = "porter"

Each line of the dialogues: {"dialogue": "d1", "turns": [{"input": "Who was it?",
"target": {"nlu": "whq.thief", "dm": ["refuse"]}, "acceptable": {"dm": [["ask"]]},
"annotations": {"human1": {"nlu": "whq.name"}}}]}
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur pipeline``."""
    command.description = (
        "Runs a pipeline over target dialogues, with each module replaced by each "
        "source of annotations, in corrected state and free-running: what matches, how "
        "sure that is, and which module the loss is due to. The config names Python "
        "files whose code is run."
    )
    command.epilog = _EXAMPLE
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("config", metavar="CONFIG.toml", help="modules and dialogues")
    command.add_argument(
        "--dialogues",
        action="append",
        default=[],
        metavar="FILE",
        help="target dialogues in place of those of the config; may be repeated",
    )
    _add_what(command)
    _add_how(command)
    shared.add_level(command, "of intervals")
    shared.add_seed(command, "random exchanges and orders")
    command.add_argument(
        "--plot",
        type=shared.picture,
        metavar="FILE",
        help="draw the tables, the sweep or the planted errors (png, svg, pdf)",
    )
    command.add_argument(
        "-o",
        "--output",
        type=shared.target,
        metavar="OUTCOMES",
        help="write the turns as outcomes, a system for each module and source: weight "
        "target acts, credit the share of them that was put out",
    )
    shared.add_max_size(command)
    shared.add_result_options(command, "'strict < 0.5', 'blame_nlu > 0.1'")


def _add_what(command: argparse.ArgumentParser) -> None:
    only = command.add_mutually_exclusive_group()
    only.add_argument(
        "--explain",
        metavar="DIALOGUE:TURN",
        help="only show what each source makes of this turn",
    )
    only.add_argument(
        "--sweep",
        metavar="MODULE",
        help="only sweep the cutoff of this module inside the pipeline",
    )
    only.add_argument(
        "--plant",
        metavar="MODULE",
        help="only plant errors of this module, and see how far they reach",
    )
    command.add_argument(
        "--replace",
        action="append",
        metavar="MODULE",
        help="replace this module; all but the last if left out; may be repeated",
    )
    command.add_argument(
        "--source",
        action="append",
        metavar="SOURCE",
        help="by this source; all that there are if left out; may be repeated. With "
        "--plant, whose output is planted (nothing if left out)",
    )
    command.add_argument(
        "--given",
        action="append",
        default=[],
        type=_given,
        metavar="MODULE=SOURCE",
        help="replace this module by this source in every run; may be repeated",
    )
    command.add_argument(
        "--no-attribution",
        action="store_true",
        help="leave out where the loss comes from, which takes 2^k runs for k modules",
    )
    command.add_argument(
        "--cutoff",
        action="append",
        type=float,
        metavar="T",
        help="a cutoff of a free-running sweep; may be repeated",
    )


def _add_how(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--state",
        choices=[*STATES, BOTH],
        help="each turn from the state of the target dialogue, or free-running "
        "(default: both; corrected for --explain and --sweep)",
    )
    command.add_argument(
        "--measure",
        choices=MEASURES,
        default="recall",
        help="matched acts over target acts, over acts put out, or turns with equal "
        "sets (default: %(default)s)",
    )
    command.add_argument(
        "--match",
        choices=MATCHES,
        help="the target alone, or any acceptable output: for attribution, sweep and "
        "-o (default: strict; multiple for --sweep)",
    )
    command.add_argument(
        "--target",
        choices=[name.replace("_", "-") for name in TARGETS],
        default="wizard",
        help="the targets of the dialogues, or what the pipeline itself puts out from "
        "target inputs (default: %(default)s)",
    )
    command.add_argument(
        "--test",
        choices=[name.replace("_", "-") for name in TESTS],
        default="sign-flip",
        help="of differences (default: %(default)s)",
    )
    command.add_argument(
        "--cluster",
        choices=CLUSTERS,
        default=CLUSTERS[0],
        help="what is independent (default: %(default)s)",
    )
    command.add_argument(
        "--replicates",
        type=shared.count,
        default=2000,
        metavar="N",
        help="of random exchanges (default: %(default)s)",
    )
    command.add_argument(
        "--concurrency",
        type=shared.count,
        metavar="N",
        help="turns or dialogues at a time (default: what the config says, or 1)",
    )
    command.add_argument(
        "--repeats",
        type=shared.count,
        metavar="N",
        help="runs of each turn if a module is stochastic (default: what the config "
        "says, or 1)",
    )
    command.add_argument(
        "--cache",
        metavar="FILE",
        help="keeps what modules said, for this run if it is interrupted and for later "
        "ones (default: what the config says, or none)",
    )


def _given(text: str) -> tuple[str, str]:
    module, equals, source = text.partition("=")
    if not (module and equals and source):
        raise argparse.ArgumentTypeError(f"must read MODULE=SOURCE; got {text!r}")
    return module, source


@dataclass
class _Task:
    """What was asked for, read."""

    arguments: Namespace
    setup: PipelineSetup
    running: Running
    given: dict[str, str]
    output: shared.Output

    @property
    def common(self) -> dict[str, Any]:
        """What every verb is told."""
        return {
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
            must = f"be one state with {option}"
            raise WrongUsage("pipeline", "--state", must, state)
        return str(state)


def run(arguments: Namespace) -> int:
    """Run the pipeline, print, write, draw; then the gates."""
    output = shared.output_of(arguments, PipelineReport.KINDS)
    _check(arguments)
    cache = {"--cache": arguments.cache}
    outputs = {"--output": arguments.output, "--plot": arguments.plot, **cache}
    outputs["--page"] = arguments.page
    check_outputs("pipeline", outputs, [arguments.config, *arguments.dialogues])
    with redirect_stdout(sys.stderr):  # what a module prints is no result
        setup = read_pipeline(
            arguments.config, dialogues=arguments.dialogues, max_size=arguments.max_size
        )
    running = Running(
        concurrency=arguments.concurrency or setup.concurrency,
        cache=arguments.cache or setup.cache,
        repeats=arguments.repeats or setup.repeats,
        progress=progress("turns"),
    )
    task = _Task(arguments, setup, running, dict(arguments.given), output)
    _check_blame(output.gates, setup.pipeline.names)
    for option, body in _ONLY.items():
        if getattr(arguments, option):
            with redirect_stdout(sys.stderr):
                result = body(task)
            _draw(arguments.plot, [result])
            return shared.finish(result, output)
    return _evaluate(task)


def _check_blame(gates: Sequence[Any], names: Sequence[str]) -> None:
    """Refuse a gate on the blame of a module that there is not, before any runs."""
    known = [f"blame_{name}" for name in (*names, HISTORY)]
    for gate in gates:
        if gate.name.startswith("blame_") and gate.name not in known:
            must = f"be one of {names_shown(known)}"
            raise WrongUsage("pipeline: --fail-if", "a figure", must, shown(gate.name))


def _check(arguments: Namespace) -> None:
    only = [name for name in _ONLY if getattr(arguments, name)]
    for option in ("replace", "output", "fail_if"):
        if only and getattr(arguments, option):
            flag = f"--{option.replace('_', '-')}"
            must, got = f"not stand with --{only[0]}", "both"
            raise WrongUsage("pipeline", flag, must, got, "Run it twice.")
    for option in ("plot", "page"):
        if getattr(arguments, option) and arguments.explain:
            must, hint = "not stand with --explain", "There is nothing to draw."
            raise WrongUsage("pipeline", f"--{option}", must, "both", hint)
    if arguments.source and only and only != ["plant"]:
        must = "come with --replace or --plant"
        raise WrongUsage("pipeline", "--source", must, f"--{only[0]}")
    if arguments.cutoff and not (arguments.sweep and arguments.state == "free"):
        must = "come with --sweep and --state free"
        hint = "In corrected state every cutoff is there."
        raise WrongUsage("pipeline", "--cutoff", must, "without", hint)


def _explained(task: _Task) -> Any:
    return explain_turn(
        task.setup.pipeline,
        task.setup.dialogues,
        task.arguments.explain,
        state=task.state,
        **task.common,
    )


def _swept(task: _Task) -> Any:
    return sweep_cutoff(
        task.setup.pipeline,
        task.setup.dialogues,
        module=task.arguments.sweep,
        state=task.state,
        cutoffs=task.arguments.cutoff,
        match=task.arguments.match or "multiple",
        **task.common,
    )


def _planted(task: _Task) -> Any:
    sources = task.arguments.source or [None]
    if len(sources) > 1 or task.given:
        option = "--source" if len(sources) > 1 else "--given"
        must = "be one with --plant" if len(sources) > 1 else "not stand with --plant"
        raise WrongUsage("pipeline", option, must, str(len(sources)))
    return plant_errors(
        task.setup.pipeline,
        task.setup.dialogues,
        module=task.arguments.plant,
        source=sources[0],
        target=task.common["target"],
        level=task.arguments.level,
        running=task.running,
    )


_ONLY: Final = {"explain": _explained, "sweep": _swept, "plant": _planted}
"""What is shown in place of the tables."""


def _evaluate(task: _Task) -> int:
    arguments, setup = task.arguments, task.setup
    state = arguments.state or BOTH
    names = arguments.replace or [
        name for name in setup.pipeline.names[:-1] if name not in task.given
    ]
    if not names:
        return _run_alone(task, STATES if state == BOTH else [state])
    with redirect_stdout(sys.stderr):
        found = _tables(task, names, STATES if state == BOTH else [state])
        shared_out = state != "free" and not arguments.no_attribution
        blame = _blame(task, names, history=state == BOTH) if shared_out else None
    if arguments.output:
        match = arguments.match or "strict"
        _write(_outcomes(match, found), arguments.output)
    _draw(arguments.plot, [*found, *([blame] if blame else [])])
    return shared.finish(PipelineReport(tuple(found), blame), task.output)


def _run_alone(task: _Task, states: Sequence[str]) -> int:
    """A pipeline in which there is nothing to replace, as it is."""
    arguments, setup = task.arguments, task.setup
    with redirect_stdout(sys.stderr):
        runs = [
            run_pipeline(setup.pipeline, setup.dialogues, state=state, **task.common)
            for state in states
        ]
    if arguments.output:
        match = arguments.match or "strict"
        tables = [r.outcomes(match, system=f"{ACTUAL}, {r.state}") for r in runs]
        _write(stacked(tables), arguments.output)
    return shared.finish(PipelineRuns(runs), task.output)


def _tables(
    task: _Task, names: Sequence[str], states: Sequence[str]
) -> list[PipelineEvaluation]:
    arguments, setup = task.arguments, task.setup
    return [
        evaluate_pipeline(
            setup.pipeline,
            setup.dialogues,
            replace=name,
            sources=arguments.source,
            states=states,
            measure=arguments.measure,
            test=arguments.test.replace("-", "_"),
            cluster=arguments.cluster,
            level=arguments.level,
            replicates=arguments.replicates,
            seed=arguments.seed,
            **task.common,
        )
        for name in names
    ]


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
        task.setup.pipeline,
        task.setup.dialogues,
        better=better,
        history=history,
        measure=task.arguments.measure,
        match=task.arguments.match or "strict",
        level=task.arguments.level,
        seed=task.arguments.seed,
        **task.common,
    )


def _outcomes(match: str, found: list[PipelineEvaluation]) -> Outcomes:
    tables = [
        run.outcomes(
            match,
            f"{each.module}={source}, {state}"
            if source != ACTUAL
            else f"{ACTUAL}, {state}",
            each.recipe,
        )
        for number, each in enumerate(found)
        for (source, state), run in each.runs.items()
        if run.counts and not (number and source == ACTUAL)
    ]
    return stacked(tables)


def _write(outcomes: Outcomes, path: str) -> None:
    formats.write_outcomes(outcomes, path)
    if path != "-":
        say(f"wrote {path}")


def _draw(path: str | None, found: list[Any]) -> None:
    """The picture, if it is asked for."""
    if path is None:
        return
    from demur.plots.drawing import plot_pipeline
    from demur.plots.pens import save_picture

    save_picture(plot_pipeline(found), path)
    say(f"wrote {path}")
