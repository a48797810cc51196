"""The options of ``demur curve``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur curve``."""
    command.description = "Errors against non-returns over every cutoff, per system."
    command.common = ("--at", "--cutoff", "--by", "--plot", "--json")
    command.examples = (
        "demur curve outcomes.jsonl --at 0.1,0.2 --plot curves.png",
        "demur curve outcomes.jsonl --by topic --cutoff 0.5",
    )
    command.option(
        f"OUTCOMES: files of outcomes ({choices.READABLE}, compressed too; - is "
        f"standard input); columns: {', '.join(choices.OUTCOME_COLUMNS)}",
        nargs="+",
    )
    command.option(
        "--at NONRETURN: show the error at this nonreturn rate, from 0 to 1; several "
        "with commas; may be repeated (default: 0.2)",
        action="append",
        type=typed.rates,
    )
    _cutoff_options(command)
    _curve_options(command)
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_engine(command)
    _estimates_options(command)
    _pictures_options(command)
    _contrast_options(command)
    _calibration_options(command)
    command.option(
        "--points: which vertices --json lists",
        choices=["all", "corners", "none"],
        usual="all",
    )
    examples = (
        "'error@0.2 > 0.05', 'nonreturn(error=0.05) > 0.3', 'area > 0.1', "
        "'certified_error(cutoff=0.7) > 0.05', 'NAME: ungraded > 10'"
    )
    shared.add_result_options(command, examples)


def _curve_options(command: Parser) -> None:
    command.option(
        "--how: reading between cutoffs: answer a tied block at random in part, or use "
        "the nearest single cutoff",
        choices=["linear", "at_most", "at_least"],
        usual="linear",
    )
    command.option(
        "--by GROUP: a curve for each value of this column; may be repeated",
        several=True,
    )
    command.option(
        "--baseline: with --markable: also the curve of each markable's most frequent "
        "reference, of these items or learned on others, which a system has to beat",
        choices=["majority", "majority-learned"],
    )
    command.option(
        "--markable COLUMN: with --baseline: the column with what is decided, such as "
        "the word"
    )


def _cutoff_options(command: Parser) -> None:
    part = command.part("at cutoffs")
    part.option(
        "--cutoff T: what becomes of the items at this cutoff; several with commas; "
        "may be repeated",
        action="append",
        type=typed.cutoffs,
    )
    part.option(
        "--wrong-costs W,W: with --cutoff: what an item costs there, if a wrong answer "
        "costs W and one that is not given 1; several with commas",
        type=typed.weights,
    )


def _estimates_options(command: Parser) -> None:
    part = command.part("estimates")
    shared.add_whole_options(command)
    part.option(
        "--fold COLUMN: the column that says which of several separately fitted models "
        "has answered: what pooling their confidences costs, and the areas without"
    )
    part.option(
        "--intervals: standard errors and intervals of the errors at --at and of the "
        "area"
    )
    part.option(
        "--gold COLUMN: the column with people's verdicts on a part of the items, "
        "drawn at random: errors corrected for a noisy judge, in forced choice and at "
        "--at; --plot draws them at every cutoff"
    )
    part.option(
        "--band: a band in --plot and --json; the first two hold at all nonreturn "
        "rates together, the others at any one",
        choices=["sup-t", "dkw", "influence", "bootstrap"],
    )
    shared.add_level(command, "of intervals and bands")
    shared.add_seed(command, "of bands")


def _pictures_options(command: Parser) -> None:
    shared.add_picture(command, "draw the curves")
    what = "draw what becomes of the inputs at each cutoff"
    shared.add_picture(command, what, "--plot-split")
    shared.add_region(command)


def _contrast_options(command: Parser) -> None:
    part = command.part("what others print")
    part.option(
        "--contrast: what others print of the same counts: areas under ROC and "
        "risk-coverage curves, the F of SimpleQA and QALD-1"
    )
    what = "draw ROC, DET, precision-recall, risk-coverage and F beside the curves"
    shared.add_picture(command, what, "--plot-contrast")


def _calibration_options(command: Parser) -> None:
    part = command.part("stated confidences")
    part.option(
        "--calibration: the Brier score of stated confidences in three parts, with "
        "intervals"
    )
    part.option(
        "--target T: the same, and what it costs to trust confidences where a guess is "
        "worth giving from this chance of being right on; several with commas; may be "
        "repeated",
        several=True,
        type=typed.rates,
    )
    what = "draw the reliability diagram beside the curves"
    shared.add_picture(command, what, "--plot-calibration")
