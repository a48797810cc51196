"""The options of ``demur report``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur report``."""
    command.description = (
        "One HTML file with curves, a cutoff to move, items, comparisons, prices and "
        "calibration; it needs no network."
    )
    command.common = ("--output", "--by", "--compare", "--at", "--title")
    command.examples = ("demur report outcomes.jsonl --by topic -o report.html",)
    command.option("OUTCOMES: files of outcomes", nargs="+")
    what = "-o --output FILE: where the page goes"
    command.option(what, type=typed.page, usual="report.html")
    pairs = command.add_mutually_exclusive_group()
    pairs.option(
        "--compare A,B: compare these two systems; may be repeated (default: the first "
        "two by area)",
        several=True,
        type=typed.names,
    )
    pairs.option("--against A: compare every other system with this one")
    command.option(
        "--by GROUP: curves for each value of this column as well; may be repeated",
        several=True,
    )
    command.option(
        "--gold COLUMN: the column with people's verdicts on a part of the items: a "
        "section with corrected errors"
    )
    command.option(
        "--at NONRETURN: where the page opens, and systems are compared",
        type=typed.rate,
        usual=0.2,
    )
    command.option(
        "--max-text SIZE: how much of the items' texts the page may hold (default: "
        "10MB)",
        type=typed.size,
        default=choices.MAX_PAGE_TEXT,
    )
    command.option("--title TITLE: of the page (default: from the systems)")
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_hiding(command)
    shared.add_json(command)
