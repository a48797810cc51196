"""The options of ``demur pipeline``."""

from typing import Final

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser

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

Each line of the dialogues:

  {"dialogue": "d1", "turns": [{"input": "Who was it?",
  "target": {"nlu": "whq.thief", "dm": ["refuse"]},
  "acceptable": {"dm": [["ask"]]},
  "annotations": {"human1": {"nlu": "whq.name"}}}]}
"""


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur pipeline``."""
    command.description = (
        "Runs a pipeline over target dialogues, with each module replaced by each "
        "source of annotations, in corrected state and free-running: what matches, how "
        "sure that is, and which module the loss is due to. A config runs code: the "
        "Python files of call, the programs of system = 'cmd:PROGRAM', and what else "
        "system names. Run only configs that you trust."
    )
    command.common = ("--replace", "--source", "--plot", "--output", "--cache")
    command.examples = ("demur pipeline pipeline.toml --measure exact",)
    command.epilog = _EXAMPLE
    command.option("CONFIG.toml: modules and dialogues")
    command.option(
        "--dialogues FILE: target dialogues in place of those of the config; may be "
        "repeated",
        several=True,
    )
    _add_what(command)
    _add_how(command)
    shared.add_level(command, "of intervals")
    shared.add_seed(command, "random exchanges and orders")
    command.option(
        "--plot FILE: draw the tables, the sweep or the planted errors (png, svg, pdf)",
        type=typed.picture,
    )
    command.option(
        "-o --output OUTCOMES: write the turns as outcomes, a system for each module "
        "and source: weight target acts, credit the share of them that was put out",
        type=typed.target,
    )
    shared.add_max_size(command)
    shared.add_result_options(command, "'strict < 0.5', 'blame_nlu > 0.1'")


def _add_what(command: Parser) -> None:
    part = command.part("what is replaced and shown")
    only = part.add_mutually_exclusive_group()
    only.option(
        "--explain DIALOGUE:TURN: only show what each source makes of this turn"
    )
    only.option(
        "--sweep MODULE: only sweep the cutoff of this module inside the pipeline"
    )
    only.option(
        "--plant MODULE: only plant errors of this module, and see how far they reach"
    )
    part.option(
        "--replace MODULE: replace this module; all but the last if left out; may be "
        "repeated",
        action="append",
    )
    part.option(
        "--source SOURCE: by this source; all that there are if left out; may be "
        "repeated. With --plant, whose output is planted (nothing if left out)",
        action="append",
    )
    part.option(
        "--given MODULE=SOURCE: replace this module by this source in every run; may "
        "be repeated",
        several=True,
        type=typed.given,
    )
    part.option(
        "--no-attribution: leave out where the loss comes from, which takes 2^k runs "
        "for k modules"
    )
    part.option(
        "--cutoff T: a cutoff of a free-running sweep; may be repeated",
        action="append",
        type=float,
    )


def _add_how(command: Parser) -> None:
    part = command.part("how it is run and counted")
    part.option(
        "--state: each turn from the state of the target dialogue, or free-running "
        "(default: both; corrected for --explain and --sweep)",
        choices=choices.STATES,
    )
    part.option(
        "--measure: matched acts over target acts, over acts put out, or turns with "
        "equal sets",
        choices=choices.ACT_MEASURES,
        usual="recall",
    )
    part.option(
        "--match: the target alone, or any acceptable output: for what is said "
        "first, tests, attribution, sweep and -o (default: strict; multiple for "
        "--sweep)",
        choices=choices.ACT_MATCHES,
    )
    part.option(
        "--target: the targets of the dialogues, or what the pipeline itself puts out "
        "from target inputs",
        choices=choices.TARGETS,
        usual="wizard",
    )
    part.option(
        "--test: of differences",
        choices=choices.RATIO_TESTS,
        usual="sign-flip",
    )
    part.option(
        "--cluster: what is independent",
        choices=choices.TURN_CLUSTERS,
        usual=choices.TURN_CLUSTERS[0],
    )
    part.option("--replicates N: of random exchanges", type=typed.count, usual=2000)
    part.option(
        "--concurrency N: turns or dialogues at a time (default: what the config says, "
        "or 1)",
        type=typed.count,
    )
    part.option(
        "--repeats N: runs of each turn if a module is stochastic (default: what the "
        "config says, or 1)",
        type=typed.count,
    )
    part.option(
        "--cache FILE: keeps what modules said, for this run if it is interrupted and "
        "for later ones (default: what the config says, or none)"
    )
