"""The options of ``demur completion``."""

from demur.cli.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur completion``."""
    command.description = (
        'Print a completion script; for bash: eval "$(demur completion bash)".'
    )
    command.examples = ("demur completion bash",)
    command.examples = ("demur completion bash",)
    command.add_argument(
        "shell", choices=["bash", "zsh"], help="whose completion script to print"
    )
