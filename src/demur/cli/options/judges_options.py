"""The options of ``demur judges``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur judges``."""
    command.description = (
        "Hold judges against people's verdicts: each is a system that may decline, "
        "with an error, a curve and a cutoff; several vote, or pass on what they are "
        "unsure of, and each arrangement has a price."
    )
    command.common = ("--verdicts", "--gold", "--arrange", "--price", "--plot")
    command.examples = (
        "demur judges judged.csv --verdicts small,large --gold people "
        "\\\n    --price small=0.01 large=0.1 people=2",
    )
    command.option(
        f"JUDGED: what demur judge has written ({choices.READABLE}, compressed too): "
        "a file for each judge, who is called like it; all about the same answers",
        nargs="+",
    )
    command.option(
        "--gold COLUMN: the column with people's verdicts: right or wrong, empty where "
        "they have not judged",
        usual=choices.GOLD,
    )
    command.option(
        "--verdicts A,B: the files are one table, and these columns of it hold the "
        "verdicts of a judge each; A_confidence says how sure A is",
        type=typed.names,
    )
    command.option(
        "--items: whether all judges must have judged the same answers, or only those "
        "that all have judged are kept",
        choices=["equal", "common"],
        usual="equal",
    )
    command.option(
        "--without-confidence: a verdict without a confidence, where others of its "
        "judge have one, is the least sure, or is refused",
        choices=choices.WITHOUT_CONFIDENCE,
        usual="lowest",
    )
    _arrangement_options(command)
    command.option(
        "-o --output VERDICTS: write the outcomes of the judges, which demur curve, "
        "choose, compare and report read like those of any system",
        type=typed.target,
    )
    shared.add_picture(command, "draw errors of arrangements against their prices")
    shared.add_selection(command, "judged answers")
    shared.add_result_options(command, "'judge_error > 0.1', 'best_price > 0.5'")


def _arrangement_options(command: Parser) -> None:
    part = command.part("arrangements of judges")
    part.option(
        "--arrange ARRANGEMENT: vote(A, B, C), by majority; unanimous(A, B); or "
        "cascade(A@0.9, B, people), where B is asked what A is less sure of than 0.9, "
        "and @* tries several cutoffs; may be repeated (default: each judge alone, all "
        "by vote, and cheaper ones before dearer ones)",
        several=True,
        type=typed.arrangement,
    )
    part.option(
        "--price NAME=PRICE: what a verdict of each judge costs, and one of people, "
        "such as small=0.01 large=0.1 people=2; may be repeated",
        nargs="+",
        action="extend",
        type=typed.price,
    )
    part.option(
        "--most-error E: name the cheapest arrangement whose error is not above this, "
        "and certify a cutoff of each judge for it",
        type=typed.share,
    )
    part.option(
        "--of: what bounds are shares of: all answers, or those that judges decide",
        choices=["all", "answered"],
        usual="all",
    )
    part.option(
        "--certainty C: that all bounds hold together", type=typed.share, usual=0.95
    )
    shared.add_level(command, "of intervals, each by itself")
