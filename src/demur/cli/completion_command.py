"""``demur completion``: a shell's completion script."""

from argparse import Namespace

from demur.cli import build_parser, show
from demur.errors import MissingExtra


def run(arguments: Namespace) -> int:
    """Print the script that shtab makes of the parser."""
    try:
        import shtab
    except ImportError:
        raise MissingExtra("completion", "shell completion") from None
    show(shtab.complete(build_parser(), arguments.shell))
    return 0
