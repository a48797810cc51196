"""``demur items``: the items themselves, by outcome and decision."""

from argparse import Namespace

from demur import formats
from demur.cli import say, shared
from demur.decisions.listing_items import ItemList, list_items


def run(arguments: Namespace) -> int:
    """List, and write."""
    files = arguments.outcomes
    shared.check_asked(arguments, ItemList.KINDS, files, ["output"])
    outcomes = formats.read_outcomes(
        *files, groups=None, display=True, **shared.how_counted(arguments)
    )
    outcomes = shared.hiding(arguments, outcomes)
    how = shared.named(arguments, "outcome", "decision", "cutoff", "against")
    listed = list_items(outcomes, **how)
    code = shared.finish(listed, arguments)
    if arguments.output:
        formats.write_outcomes(listed.outcomes, arguments.output)
        say(f"wrote {arguments.output}")
    return code
