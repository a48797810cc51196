"""``demur report``: everything about outcomes on one offline page."""

from argparse import Namespace

from demur import formats
from demur.cli import as_json, say, shared, show
from demur.cli.shared import WrongUsage
from demur.pages.parts import Source
from demur.pages.reporting import report
from demur.results import printable
from demur.version import __version__


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
        **shared.how_counted(arguments),
    )
    outcomes = shared.hiding(arguments, outcomes, *groups)
    page = report(
        outcomes,
        path=arguments.output,
        title=arguments.title or "",
        compare=[(a, b) for a, b in arguments.compare],
        **shared.named(arguments, "against", "by", "gold", "at", "max_text"),
        source=Source(
            tuple(map(str, arguments.outcomes)), shared.reading_words(arguments)
        ),
    )
    if arguments.json:
        show(as_json({"demur": __version__, **page.to_dict()}))
    else:
        show("\n".join(map(printable, page.lead)))
        for note in page.notes:
            show(printable(f"note: {note}"))
    say(f"wrote {arguments.output} ({page.size / 1e6:.1f} MB); open it in a browser")
    return 0
