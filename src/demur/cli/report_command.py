"""``demur report``: everything about outcomes on one offline page."""

from argparse import Namespace

from demur import formats
from demur.cli import Parser, as_json, say, shared, show, typed
from demur.cli.shared import WrongUsage
from demur.pages.parts import Source
from demur.pages.reporting import BUDGET, report
from demur.results import printable
from demur.version import __version__


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur report``."""
    command.description = (
        "One HTML file with curves, a cutoff to move, items, comparisons, prices and "
        "calibration; it needs no network."
    )
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
        default=BUDGET,
    )
    command.option("--title TITLE: of the page (default: from the systems)")
    shared.add_selection(command, "outcomes")
    shared.add_hiding(command)
    shared.add_json(command)


def run(arguments: Namespace) -> int:
    """Write the page, and say what is in it."""
    shared.check_outputs("report", {"--output": arguments.output}, arguments.outcomes)
    shared.check_hiding(arguments)
    for pair in arguments.compare:
        if len(pair) != 2:
            need, got = "be two systems", ",".join(pair)
            raise WrongUsage("report", "--compare", need, got, "Write A,B.")
    groups = [*arguments.by, *filter(None, [arguments.gold])]
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        groups=groups,
        display=True,
        **shared.how_read(arguments),
    )
    outcomes = shared.hiding(arguments, outcomes, *groups)
    selected = [f"{column}={value}" for column, value in arguments.where]
    words = [word for condition in selected for word in ("--where", condition)]
    page = report(
        outcomes,
        path=arguments.output,
        title=arguments.title or "",
        compare=[(a, b) for a, b in arguments.compare],
        **shared.named(arguments, "against", "by", "gold", "at", "max_text"),
        source=Source(tuple(map(str, arguments.outcomes)), tuple(words)),
    )
    if arguments.json:
        show(as_json({"demur": __version__, **page.to_dict()}))
    else:
        show("\n".join(map(printable, page.lead)))
        for note in page.notes:
            show(printable(f"note: {note}"))
    say(f"wrote {arguments.output} ({page.size / 1e6:.1f} MB); open it in a browser")
    return 0
