"""The options of ``demur diff``."""

from demur.cli.options import shared, stores, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur diff``."""
    command.description = (
        "How two kept runs were judged, their items, verdicts that changed with the "
        "first items by name, and their errors with a paired test."
    )
    command.common = ("--at", "--of", "--items", "--store", "--fail-if")
    command.examples = ("demur diff 1 2",)
    command.option("RUN: two runs: each a number, or a tag: the newest of it", nargs=2)
    stores.add_store(command)
    what = command.add_mutually_exclusive_group()
    what.option(
        "--at RATE: the error at this nonreturn rate (default: 0.2, and own decisions "
        "of systems without confidences)",
        type=typed.rate,
    )
    what.option(
        "--of WHAT: in place of a rate: own, the error of own decisions, or forced, "
        "that of all guesses",
        choices=["own", "forced"],
    )
    command.option(
        "--items WHICH: equal, no test of runs on other data; or common, test them on "
        "the items that both have with the same reference",
        choices=["equal", "common"],
        usual="equal",
    )
    shared.add_level(command, "of intervals")
    shared.add_result_options(command, "'changed > 0' or 'difference > 0.02'")
