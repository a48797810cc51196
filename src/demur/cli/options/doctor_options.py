"""The options of ``demur doctor``."""

from demur.cli.options import shared
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur doctor``."""
    command.description = (
        "Versions in one line for a bug report; each extra with what it is for, "
        "whether it is installed, and what to type if not. Nothing is sent anywhere."
    )
    command.common = ("--json", "--fail-if")
    command.examples = ("demur doctor",)
    shared.add_result_options(command, "'missing > 0'")
