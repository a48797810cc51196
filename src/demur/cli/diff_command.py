"""``demur diff``: what changed between two kept runs."""

from argparse import Namespace

from demur.cli import shared, stores_opened
from demur.store.run_diffing import diff_runs
from demur.store.run_diffs import RunDiff


def run(arguments: Namespace) -> int:
    """Look both up, compare, print."""
    shared.check_asked(arguments, RunDiff.KINDS, [arguments.store])
    how = shared.named(arguments, "at", "of", "items", "level")
    with stores_opened.opened(arguments) as store:
        changes = diff_runs(store, *arguments.run, **how)
    return shared.finish(changes, arguments)
