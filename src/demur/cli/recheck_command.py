"""``demur recheck``: whether a locked cutoff still holds."""

import argparse
from argparse import Namespace
from collections.abc import Sequence

from demur import formats
from demur.cli import shared
from demur.cli.shared import how_read
from demur.cli.streams import as_json, say, show
from demur.decisions.gates import NAMELESS
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
    outcomes = formats.read_outcomes(*arguments.outcomes, **how_read(arguments))
    parts = dict(named_parts(outcomes))
    checked = [
        recheck(lock, parts[lock.system], anytime=arguments.anytime)
        for lock in locks
        if lock.system in parts
    ]
    absent = [lock.system or NAMELESS for lock in locks if lock.system not in parts]
    others = {name: len(part) for name, part in parts.items()}
    for lock in locks:
        others.pop(lock.system, None)
    if not checked:
        must = f"hold a locked system ({', '.join(absent)})"
        raise InputError("recheck", "the outcomes", must, ", ".join(parts) or "none")
    _check_targets(checked, arguments.fail_if)
    notes = _several(checked)
    if arguments.json:
        systems = [check.to_dict() for check in checked]
        head = {"demur": __version__, "notes": notes, "absent": absent}
        show(as_json({**head, "not_locked": others, "systems": systems}))
    else:
        show(rechecks_table(checked, notes))
    for name, rows in others.items():
        say(f"not locked, so not checked: {name or NAMELESS} ({rows} outcomes)")
    if arguments.fail_if:
        return _gated(checked, absent)
    if absent:
        say(f"locked but not among the outcomes: {', '.join(absent)}")
    return 0


def _check_targets(checked: Sequence[Recheck], fail_if: str | None) -> None:
    without = [check.lock.system or NAMELESS for check in checked if not _tests(check)]
    if fail_if and without:
        must, got = "have locks with a target", f"none for {', '.join(without)}"
        hint = "Lock a cutoff of --max-error."
        raise InputError("recheck", f"--fail-if {fail_if}", must, got, hint)


def _tests(check: Recheck) -> bool:
    return check.lock.target is not None


def _gated(checked: Sequence[Recheck], absent: Sequence[str]) -> int:
    """Say what the tests mean for a gate; 1 if a target is broken, or not tested."""
    for name in absent:
        say(
            f"gate broken: {name}: locked but not among the outcomes  "
            "[--fail-if broken]"
        )
    broken = [_is_broken(check) for check in checked]
    return int(any(broken) or bool(absent))


def _is_broken(check: Recheck) -> bool:
    """Whether the target is broken, or nothing was there to test it with; said."""
    name = check.lock.system or "the system"
    if check.verdict == SAME_ITEMS:
        why = "not tested, these are the items that the cutoff was chosen on"
    elif check.error is None and check.lock.cutoff is not None:
        why = "not tested, nothing is answered at the cutoff"
    elif check.verdict == "broken":
        why = f"error at least {check.lower:.6g}, target {check.lock.target:g}"
    else:
        if check.verdict != "holds":
            say(f"{name}: {check.verdict}; the gate passes  [--fail-if broken]")
        return False
    say(f"gate broken: {name}: {why}  [--fail-if broken]")
    return True


def _several(checked: Sequence[Recheck]) -> list[str]:
    tests = [check for check in checked if check.verdict is not None]
    if len(tests) < 2:
        return []
    chance = min(1.0, sum(1 - check.lock.certainty for check in tests))
    return [
        f"{len(tests)} targets are tested, each by itself: if all hold, the chance "
        f'that at least one is called "broken" is up to {chance:.2g}'
    ]
