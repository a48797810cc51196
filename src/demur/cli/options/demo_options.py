"""The options of ``demur demo``."""

from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur demo``."""
    command.description = (
        "Judge two systems that answer the questions of a museum's visitors, "
        "print the error-return table, draw the curves, and put it all on one page."
    )
    command.examples = ("demur demo",)
    command.option("--output FOLDER: where the files go", usual="demur-demo")
