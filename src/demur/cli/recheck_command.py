"""``demur recheck``: whether a locked cutoff still holds."""

from argparse import Namespace
from typing import Any

from demur import formats
from demur.cli import say, shared
from demur.cli.kept_locks import locks_at
from demur.decisions.rechecking import recheck
from demur.decisions.rechecks import Recheck, Rechecks
from demur.errors import InputError
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.results.gates import NAMELESS, Gate


def _parts(arguments: Namespace) -> dict[str, Any]:
    """The new outcomes of each system, read or counted."""
    files = arguments.outcomes
    counted = shared.counted(arguments, files, ("log", "anytime", "max_cluster"))
    if counted is not None:
        return shared.counted_systems(counted)
    outcomes = formats.read_outcomes(*files, **shared.how_counted(arguments))
    return dict(named_parts(outcomes))


def _rows(part: Any) -> int:
    """How many outcomes a system has."""
    if isinstance(part, Outcomes):
        return len(part)
    items: int = part.counts().parts[part.system or 0].totals.items
    return items


def run(arguments: Namespace) -> int:
    """Recheck every locked system that the new outcomes hold; then the gates."""
    path, files = arguments.lock, arguments.outcomes
    shared.check_asked(arguments, Recheck.KINDS, [path, *files])
    locks = {lock.system: lock for lock in locks_at(path)}
    parts = _parts(arguments)
    absent = [name or NAMELESS for name in locks if name not in parts]
    others = {name: _rows(part) for name, part in parts.items() if name not in locks}
    how = shared.named(arguments, "anytime", "max_cluster")
    checked = [
        recheck(lock, parts[name], **how)
        for name, lock in locks.items()
        if name in parts
    ]
    if not checked:
        need = f"hold a locked system ({', '.join(absent)})"
        raise InputError("recheck", "the outcomes", need, ", ".join(parts) or "none")
    gated = {
        gate.system
        for gate in arguments.fail_if
        if isinstance(gate, Gate) and gate.name == "broken"
    }
    tested = [check for check in checked if gated & {None, check.system or NAMELESS}]
    without = [check.system or NAMELESS for check in tested if check.broken is None]
    if without:
        need, got = "have locks with a target", f"none for {', '.join(without)}"
        hint = "Lock a cutoff of --max-error."
        raise InputError("recheck", "--fail-if broken", need, got, hint)
    for name, rows in others.items():
        say(f"not locked, so not checked: {name or NAMELESS} ({rows} outcomes)")
    if absent and not arguments.fail_if:
        say(f"locked but not among the outcomes: {', '.join(absent)}")
    for check in tested:
        if check.verdict == "inconclusive" and not check.broken:
            name = check.system or "the system"
            say(f"{name}: inconclusive; the gate passes  [--fail-if broken]")
    result = Rechecks(checked, absent=absent, not_locked=others)
    return shared.finish(result, arguments)
