"""Options of commands on a store: where it is, and what time it is."""

from demur.cli.options import choices, typed
from demur.cli.options.parsing import Parser


def add_store(command: Parser) -> None:
    """``--store``."""
    part = command.part("the store")
    part.option(
        "--store ADDRESS: where runs are kept: a file of SQLite, or "
        "postgresql://USER@HOST/NAME (default: what the environment variable "
        f"DEMUR_STORE says, else {choices.STORE})"
    )


def add_now(command: Parser) -> None:
    """``--now``."""
    part = command.part("the store")
    part.option(
        "--now TIME: take this for the present moment, such as 2027-03-01T12:00:00Z, "
        "for what must come out the same again",
        type=typed.moment,
    )
