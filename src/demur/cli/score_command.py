"""``demur score``: right, wrong and not answered, weighed, per system and group."""

from argparse import Namespace

from demur import formats
from demur.cli import Parser, shared, typed
from demur.comparisons.scoring import score
from demur.comparisons.selective_scores import named_score, needs_rows
from demur.comparisons.system_scores import score_kinds

_GATES = "'weighted_error > 0.6', 'wrong > 10', 'NAME: error@0.2 > 0.05'"


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur score``."""
    command.description = (
        "Counts and the weighted error of each system, by its own decisions to "
        "answer, and which system is best at which weight."
    )
    command.option("OUTCOMES: files of outcomes", nargs="+")
    command.option(
        "--by GROUP: a row for each value of this column, such as class; may be "
        "repeated",
        several=True,
    )
    command.option(
        "--weights W,W: what a wrong answer costs, if an answer not given costs 1; "
        "several with commas (default: 2)",
        type=typed.weights,
        default=[2.0],
    )
    command.option(
        "--score NAME: a named score as well, such as omniscience-index, prr, c@1 or "
        "'reliability-score(c=10)'; may be repeated",
        several=True,
        type=typed.named_score,
    )
    command.option(
        "--leave-out COL=VALUE: do not score the outcomes with this value, even if "
        "answered; may be repeated (any suffices)",
        several=True,
        type=typed.condition,
    )
    shared.add_seed(command, "of intervals")
    shared.add_level(command, "of intervals")
    shared.add_selection(command, "outcomes")
    shared.add_engine(command)
    shared.add_hiding(command)
    shared.add_result_options(command, _GATES)


def run(arguments: Namespace) -> int:
    """Score, print, and break gates."""
    weights, named = arguments.weights, arguments.score
    shared.check_asked(arguments, score_kinds(weights, named), arguments.outcomes)
    shared.check_hiding(arguments)
    how = shared.named(arguments, "by", "weights", "level", "seed")
    counted = shared.counted(arguments, arguments.outcomes, _need_rows(arguments))
    if counted is not None:
        return shared.finish(score(counted, named=named, **how), arguments)
    leave_out = shared.by_column(arguments.leave_out)
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        groups=list(dict.fromkeys([*arguments.by, *leave_out])),
        **shared.how_read(arguments),
    )
    outcomes = shared.hiding(arguments, outcomes, *arguments.by, *leave_out)
    scores = score(outcomes, named=named, leave_out=leave_out, **how)
    return shared.finish(scores, arguments)


def _need_rows(arguments: Namespace) -> list[str]:
    """Which options take rows in memory, as they are typed."""
    by_rows = any(map(needs_rows, map(named_score, arguments.score)))
    scored = ["score"] if by_rows else []
    return ["log", "leave_out", *scored]
