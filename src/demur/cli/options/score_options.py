"""The options of ``demur score``."""

from demur.cli.options import shared, typed
from demur.cli.options.parsing import Parser

_GATES = "'weighted_error > 0.6', 'wrong > 10', 'NAME: error@0.2 > 0.05'"


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur score``."""
    command.description = (
        "Counts and the weighted error of each system, by its own decisions to "
        "answer, and which system is best at which weight."
    )
    command.common = ("--by", "--weights", "--score", "--where", "--json")
    command.examples = ("demur score outcomes.jsonl --by topic --weights 1,4",)
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
    shared.add_repeated(command)
    shared.add_engine(command)
    shared.add_hiding(command)
    shared.add_result_options(command, _GATES)
