"""``demur diff``: what changed between two kept runs."""

from argparse import Namespace

from demur.cli import Parser, shared, store_options, typed
from demur.store.run_diffing import diff_runs
from demur.store.run_diffs import RunDiff


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur diff``."""
    command.description = (
        "How two kept runs were judged, their items, verdicts that changed with the "
        "first items by name, and their errors with a paired test."
    )
    command.option("RUN: two runs: each a number, or a tag: the newest of it", nargs=2)
    store_options.add_store(command)
    what = command.add_mutually_exclusive_group()
    what.option(
        "--at RATE: the error at this nonreturn rate (default: 0.2, and own decisions "
        "of systems without confidences)",
        type=typed.rate,
    )
    what.option(
        "--of WHAT: in place of a rate: own, the error of own decisions, or forced, "
        "that of all guesses",
        choices=["own", "forced"],
    )
    command.option(
        "--items WHICH: equal, no test of runs on other data; or common, test them on "
        "the items that both have with the same reference",
        choices=["equal", "common"],
        usual="equal",
    )
    shared.add_level(command, "of intervals")
    shared.add_result_options(command, "'changed > 0' or 'difference > 0.02'")


def run(arguments: Namespace) -> int:
    """Look both up, compare, print."""
    shared.check_asked(arguments, RunDiff.KINDS, [arguments.store])
    how = shared.named(arguments, "at", "of", "items", "level")
    with store_options.opened(arguments) as store:
        changes = diff_runs(store, *arguments.run, **how)
    return shared.finish(changes, arguments)
