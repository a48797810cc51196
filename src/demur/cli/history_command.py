"""``demur history``: errors over the runs that were kept, and where they changed."""

from argparse import Namespace

from demur.cli import shared, stores_opened
from demur.store.histories import History
from demur.store.recounting import history


def run(arguments: Namespace) -> int:
    """Look the errors up, test them, print and draw."""
    shared.check_asked(arguments, History.KINDS, [arguments.store], ["plot"])
    how = shared.named(arguments, "tag", "system", "at", "of", "items", "level")
    with stores_opened.opened(arguments) as store:
        history_asked = history(store, **how)
    shared.draw(lambda: history_asked.plot(), arguments.plot)
    return shared.finish(history_asked, arguments)
