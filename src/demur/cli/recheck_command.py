"""``demur recheck``: whether a locked cutoff still holds."""

import argparse
from argparse import Namespace
from collections.abc import Sequence

from demur import formats, results
from demur.cli import shared
from demur.cli.shared import as_json, conditions, say, show
from demur.decisions.locks import read_locks
from demur.decisions.rechecking import SAME_ITEMS, Recheck, recheck, rechecks_table
from demur.errors import InputError
from demur.outcomes.parts import named_parts
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur recheck``."""
    command.description = (
        "A test of the locked target on new labelled outcomes, how many "
        "labels are still needed, and how far the confidences have moved."
    )
    command.add_argument(
        "lock", metavar="LOCK", help="what demur choose --lock has written"
    )
    command.add_argument(
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of new outcomes"
    )
    command.add_argument(
        "--fail-if",
        choices=["broken"],
        help="exit with 1 if the test finds a locked target broken; an inconclusive "
        "test passes, and is said",
    )
    command.add_argument(
        "--anytime",
        action="store_true",
        help="bounds that hold however often you look while labels come in; rows in "
        "the order in which they came",
    )
    shared.add_selection(command, "outcomes")
    shared.add_json(command)


def run(arguments: Namespace) -> int:
    """Recheck every locked system that the new outcomes hold."""
    locks = read_locks(arguments.lock)
    outcomes = formats.read_outcomes(*arguments.outcomes, where=conditions(arguments))
    parts = dict(named_parts(outcomes))
    checked = [
        recheck(lock, parts[lock.system], anytime=arguments.anytime)
        for lock in locks
        if lock.system in parts
    ]
    absent = [lock.system or results.NONE for lock in locks if lock.system not in parts]
    if not checked:
        must = f"hold a locked system ({', '.join(absent)})"
        raise InputError("recheck", "the outcomes", must, ", ".join(parts) or "none")
    _check_targets(checked, arguments.fail_if)
    notes = _several(checked)
    if arguments.json:
        systems = [check.to_dict() for check in checked]
        head = {"demur": __version__, "notes": notes}
        show(as_json({**head, "systems": systems}))
    else:
        show(rechecks_table(checked, notes))
    if absent:
        say(f"locked but not among the outcomes: {', '.join(absent)}")
    return _gated(checked) if arguments.fail_if else 0


def _check_targets(checked: Sequence[Recheck], fail_if: str | None) -> None:
    if fail_if and all(check.verdict is None for check in checked):
        must, got = "have a lock with a target", "none"
        hint = "Lock a cutoff of --max-error."
        raise InputError("recheck", f"--fail-if {fail_if}", must, got, hint)


def _gated(checked: Sequence[Recheck]) -> int:
    """Say what the tests mean for a gate; 1 if a target is broken."""
    for check in checked:
        name = check.lock.system or "the system"
        if check.verdict == SAME_ITEMS:
            say(
                f"gate broken: {name}: not tested, these are the items that the cutoff "
                "was chosen on  [--fail-if broken]"
            )
        elif check.verdict == "broken":
            say(
                f"gate broken: {name}: error at least {check.lower:.6g}, target "
                f"{check.lock.target:g}  [--fail-if broken]"
            )
        elif check.verdict != "holds":
            why = check.verdict or "the lock has no target"
            say(f"{name}: {why}; the gate passes  [--fail-if broken]")
    return int(any(check.verdict in ("broken", SAME_ITEMS) for check in checked))


def _several(checked: Sequence[Recheck]) -> list[str]:
    tests = [check for check in checked if check.verdict is not None]
    if len(tests) < 2:
        return []
    chance = min(1.0, sum(1 - check.lock.certainty for check in tests))
    return [
        f"{len(tests)} targets are tested, each by itself: if all hold, the chance "
        f'that at least one is called "broken" is up to {chance:.2g}'
    ]
