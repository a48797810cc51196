"""What commands on a store share: where it is, and what time it is."""

import os
from argparse import Namespace
from datetime import UTC, datetime
from typing import Final

from demur.cli import Options, say, typed
from demur.store.stores import Store

USUAL: Final = "demur.sqlite"
"""The store in this folder, if no other is named."""


def add_store(command: Options) -> None:
    """``--store``."""
    command.option(
        "--store ADDRESS: where runs are kept: a file of SQLite, or "
        "postgresql://USER@HOST/NAME (default: what the environment variable "
        f"DEMUR_STORE says, else {USUAL})"
    )


def add_now(command: Options) -> None:
    """``--now``."""
    command.option(
        "--now TIME: take this for the present moment, such as 2027-03-01T12:00:00Z, "
        "for what must come out the same again",
        type=typed.moment,
    )


def opened(arguments: Namespace, *, make: bool = False) -> Store:
    """The store that was asked for; what must be known of it is said."""
    address = arguments.store or os.environ.get("DEMUR_STORE") or USUAL
    store = Store(address, make=make)
    for note in store.notes:
        say(f"note: {note}")
    return store


def present(arguments: Namespace) -> datetime:
    """The present moment in UTC, or what ``--now`` says."""
    return arguments.now or datetime.now(UTC)
