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


def add_error_and_items(
    command: Parser, *, declines: str, equal: str, common: str
) -> None:
    """Which error of the runs, and over which items: ``--at``, ``--of``, ``--items``.

    ``declines`` names who has own decisions in place of a rate; ``equal`` and
    ``common`` say what the command does with runs of other items.
    """
    what = command.add_mutually_exclusive_group()
    what.option(
        "--at RATE: the error at this nonreturn rate (default: 0.2, and own decisions "
        f"of {declines})",
        type=typed.rate,
    )
    what.option(
        "--of WHAT: in place of a rate: own, the error of own decisions, or forced, "
        "that of all guesses",
        choices=["own", "forced"],
    )
    command.option(
        f"--items WHICH: equal, {equal}; or common, {common}",
        choices=["equal", "common"],
        usual="equal",
    )
