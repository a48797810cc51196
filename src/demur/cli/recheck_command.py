"""``demur recheck``: whether a locked cutoff still holds."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur import formats
from demur.cli import options, output
from demur.cli.options import conditions
from demur.cli.output import as_json, say, show
from demur.decisions.locks import read_locks
from demur.decisions.rechecking import Recheck, recheck
from demur.errors import InputError, printable
from demur.outcomes.parts import named_parts
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur recheck``."""
    command.description = (
        "One exact test of the locked target on new labelled outcomes, how many "
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
    options.add_selection(command, "outcomes")
    options.add_json(command)


def run(arguments: Namespace) -> int:
    """Recheck every locked system that the new outcomes hold."""
    locks = read_locks(arguments.lock)
    outcomes = formats.read_outcomes(*arguments.outcomes, where=conditions(arguments))
    parts = dict(named_parts(outcomes))
    checked = [
        recheck(lock, parts[lock.system]) for lock in locks if lock.system in parts
    ]
    absent = [lock.system or output.NONE for lock in locks if lock.system not in parts]
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
        show(_table(checked, notes))
    if absent:
        say(f"locked but not among the outcomes: {', '.join(absent)}")
    return _gated(checked) if arguments.fail_if else 0


def _check_targets(checked: Sequence[Recheck], fail_if: str | None) -> None:
    """Refuse a gate that could never be broken."""
    if fail_if and all(check.verdict is None for check in checked):
        must, got = "have a lock with a target", "none"
        hint = "Lock a cutoff of --max-error."
        raise InputError("recheck", f"--fail-if {fail_if}", must, got, hint)


def _gated(checked: Sequence[Recheck]) -> int:
    """Say what the tests mean for a gate; 1 if a target is broken."""
    for check in checked:
        name = check.lock.system or "the system"
        if check.verdict == "broken":
            say(
                f"gate broken: {name}: error at least {check.lower:.6g}, target "
                f"{check.lock.target:g}  [--fail-if broken]"
            )
        elif check.verdict != "holds":
            why = check.verdict or "the lock has no target"
            say(f"{name}: {why}; the gate passes  [--fail-if broken]")
    return int(any(check.verdict == "broken" for check in checked))


def _several(checked: Sequence[Recheck]) -> list[str]:
    """What several tests at once do to the chance of a false alarm."""
    tests = [check for check in checked if check.verdict is not None]
    if len(tests) < 2:
        return []
    chance = min(1.0, sum(1 - check.lock.certainty for check in tests))
    return [
        f"{len(tests)} targets are tested, each by itself: if all hold, the chance "
        f'that at least one is called "broken" is up to {chance:.2g}'
    ]


def _table(checked: Sequence[Recheck], several: Sequence[str]) -> str:
    header = ["system", "cutoff", "target", "items", "answered", "wrong", "error"]
    header += ["at least", "at most", "verdict", "more labels"]
    header += ["declined then", "now", "mix moved by", "p"]
    rows = [
        [
            check.lock.system or output.NONE,
            "never answer" if check.lock.cutoff is None else str(check.lock.cutoff),
            output.rate(check.lock.target),
            *map(str, (check.items, check.answered, check.wrong)),
            *map(output.rate, (check.error, check.lower, check.upper)),
            check.verdict or output.NONE,
            output.NONE if check.further_labels is None else str(check.further_labels),
            output.rate(check.drift.declined_then),
            output.rate(check.drift.declined_now),
            output.rate(check.drift.total_variation),
            output.NONE if check.drift.mix_p is None else f"{check.drift.mix_p:.2g}",
        ]
        for check in checked
    ]
    notes: dict[str, Any] = dict.fromkeys(
        note for check in checked for note in (*check.notes, *check.drift.notes)
    )
    lines = [
        "at least, at most: one-sided bounds of the true error; the verdict is held to "
        "them.",
        *(f"note: {note}" for note in (*several, *notes)),
        f"signature: {checked[0].signature}",
    ]
    return output.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))
