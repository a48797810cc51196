"""The options of ``demur diff``."""

from demur.cli.options import shared, stores
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
    stores.add_error_and_items(
        command,
        declines="systems without confidences",
        equal="no test of runs on other data",
        common="test them on the items that both have with the same reference",
    )
    shared.add_level(command, "of intervals")
    shared.add_result_options(command, "'changed > 0' or 'difference > 0.02'")
