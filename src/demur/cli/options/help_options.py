"""The options of ``demur help``."""

from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur help``."""
    command.description = (
        "Say which command answers a question: all questions, one topic, or whatever "
        "has to do with the words that are typed."
    )
    command.examples = ("demur help", "demur help threshold", "demur help curve")
    command.option(
        "TOPIC: a topic, a command, or any words (default: all questions)", nargs="*"
    )
