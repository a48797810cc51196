"""The options of ``demur compare``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser

_GATES = (
    "'b worse than a @0.2' (by the test, not by the mere difference), 'b not worse "
    "than a by 0.02 @0.2' (a claim, broken if it is not shown), 'b worse than a "
    "@weight 2' (by the weighted error), 'error_b > 0.1'"
)


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur compare``."""
    command.description = (
        "Compare two systems on the same items, a before b; all pairs if there "
        "are more."
    )
    command.common = ("--at", "--plot", "--margin", "--gold", "--fail-if")
    command.examples = ("demur compare outcomes.jsonl --at 0.2",)
    command.option(
        "OUTCOMES: files of outcomes: one per system, or one with several, in the "
        "order of their first rows, or that of --where system=A --where system=B",
        nargs="+",
    )
    command.option(
        "--at NONRETURN: compare errors at this nonreturn; several with commas are "
        "tested together",
        type=typed.rate_or_rates,
        usual=0.2,
    )
    command.option(
        "--at-error ERROR: also compare how much each must decline to have this error",
        type=typed.rate,
    )
    command.option(
        "--area LOW:HIGH: compare areas between these nonreturns only, e.g. 0.1:0.4",
        type=typed.region,
    )
    command.option(
        "--margin D: also say whether either is as good as the other at that "
        "nonreturn, or worse by less than D",
        type=typed.difference,
    )
    command.option(
        "--weight W: also compare weighted errors: a wrong answer costs W, one that "
        "the system decided not to give 1",
        type=typed.positive,
    )
    command.option(
        "--of: errors of all items, or of all wholes where answers are made of parts "
        "(a whole errs if a wrong part is returned; the nonreturn is that of parts)",
        choices=["all", choices.WHOLES],
        usual="all",
    )
    _how_options(command)
    _answers_options(command)
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_engine(command)
    shared.add_result_options(command, _GATES)


def _how_options(command: Parser) -> None:
    part = command.part("the test")
    part.option(
        "--items: the same items, or those that all have",
        choices=["equal", "common"],
        usual="equal",
    )
    part.option(
        "--method: of the test",
        choices=["auto", "bootstrap", "permutation", "influence"],
        usual="auto",
    )
    part.option(
        "--correction: of p values for the number of rates and of pairs of systems "
        "(default: holm)",
        choices=["holm", "bonferroni", "none"],
    )
    part.option(
        "--against SYSTEM: with more than two systems: compare each with this one, not "
        "all pairs"
    )
    shared.add_seed(command, "of resampling")


def _answers_options(command: Parser) -> None:
    part = command.part("further answers")
    part.option(
        "--gold COLUMN: the column with people's verdicts on a part of the items, "
        "drawn at random: the errors and their difference are corrected by them"
    )
    part.option(
        "--plan D: say how many items would show a difference of D, these being a "
        "pilot",
        type=typed.difference,
    )
    shared.add_level(command, "of intervals, the band and what counts as better")
    part.option(
        "--band: where the one is better beyond doubt: a simultaneous band of the "
        "difference"
    )
    what = "draw both curves and their difference with its band"
    shared.add_picture(command, what)
    shared.add_region(command)
