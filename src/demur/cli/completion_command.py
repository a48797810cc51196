"""``demur completion``: a shell's completion script."""

from argparse import Namespace

from demur.cli import Parser, build_parser, show
from demur.errors import MissingExtra


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur completion``."""
    command.description = (
        'Print a completion script; for bash: eval "$(demur completion bash)".'
    )
    command.add_argument(
        "shell", choices=["bash", "zsh"], help="whose completion script to print"
    )


def run(arguments: Namespace) -> int:
    """Print the script that shtab makes of the parser."""
    try:
        import shtab
    except ImportError:
        raise MissingExtra("completion", "shell completion") from None
    show(shtab.complete(build_parser(), arguments.shell))
    return 0
