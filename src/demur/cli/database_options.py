"""Options of commands that run queries: where, and for how long."""

from argparse import ArgumentTypeError

from demur.cli.options import typed
from demur.cli.shared import WrongUsage
from demur.errors import escaped, masked


def check_folder(command: str, cache: str) -> None:
    """Refuse a ``--cache`` that is no folder, where results of queries are kept.

    Raises
    ------
    WrongUsage
    """
    try:
        typed.folder(cache)
    except ArgumentTypeError:
        need = "be a folder that can be written to"
        got = escaped(masked(repr(cache)))  # whole: it names a place
        raise WrongUsage(command, "--cache", need, got) from None
