"""The options of ``demur history``."""

from demur.cli.options import shared, stores
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur history``."""
    command.description = (
        "The error of each system over the runs of a store, with intervals, and where "
        "it changed beyond luck, corrected for looking at every run. Figures that are "
        "not comparable (other items or references, another comparator) are never one "
        "line."
    )
    command.common = ("--at", "--system", "--tag", "--plot", "--fail-if")
    command.examples = ("demur history --system words",)
    stores.add_store(command)
    command.option("--tag TAG: only runs that bear it")
    command.option("--system SYSTEM: only this one")
    stores.add_error_and_items(
        command,
        declines="a system whose first run has no confidences",
        equal="runs of other data begin a line of their own",
        common="a line is of the items that all its runs have with the same reference",
    )
    shared.add_level(command, "of intervals and marks")
    shared.add_picture(command, "draw the errors over time")
    shared.add_result_options(command, "'worse' (the newest run) or 'changes > 0'")
