"""The options of ``demur completion``."""

import argparse

from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur completion``."""
    command.description = (
        "Print a script that completes commands, options, files, and the columns and "
        "systems of files that stand on the line already; for bash: "
        'eval "$(demur completion bash)".'
    )
    command.examples = ("demur completion bash",)
    command.add_argument(
        "shell",
        choices=["bash", "zsh", "fish"],
        help="whose completion script to print",
    )
    for what in (
        "columns",
        "systems",
        "pairs",
        "mappings",
    ):  # what the script asks of the files
        command.add_argument(
            f"--{what}-of", nargs=argparse.REMAINDER, help=argparse.SUPPRESS
        )
