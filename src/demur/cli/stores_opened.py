"""What commands on a store share: where it is, and what time it is."""

import os
from argparse import Namespace
from datetime import UTC, datetime

from demur.cli import say
from demur.cli.options.choices import STORE
from demur.store.stores import Store


def opened(arguments: Namespace, *, make: bool = False) -> Store:
    """The store that was asked for; what must be known of it is said."""
    address = arguments.store or os.environ.get("DEMUR_STORE") or STORE
    store = Store(address, make=make)
    for note in store.notes:
        say(f"note: {note}")
    return store


def present(arguments: Namespace) -> datetime:
    """The present moment in UTC, or what ``--now`` says."""
    return arguments.now or datetime.now(UTC)
