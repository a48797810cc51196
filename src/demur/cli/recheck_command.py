"""``demur recheck``: whether a locked cutoff still holds."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demur import formats
from demur.cli import tables
from demur.cli.shared import as_json, conditions, say, show
from demur.errors import InputError, ParseError, printable
from demur.locks import Lock
from demur.outcomes import Outcomes
from demur.rechecking import Recheck, recheck
from demur.verbs import curve_by
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Recheck every locked system that the new outcomes hold."""
    locks = read_locks(arguments.lock)
    outcomes = formats.read_outcomes(*arguments.outcomes, where=conditions(arguments))
    parts = _parts(outcomes)
    checked = [
        recheck(lock, parts[lock.system]) for lock in locks if lock.system in parts
    ]
    absent = [lock.system or tables.NONE for lock in locks if lock.system not in parts]
    if not checked:
        must = f"hold a locked system ({', '.join(absent)})"
        raise InputError("recheck", "the outcomes", must, ", ".join(parts) or "none")
    if arguments.json:
        show(as_json({"demur": __version__, "systems": [c.to_dict() for c in checked]}))
    else:
        show(_table(checked))
    if absent:
        say(f"locked but not among the outcomes: {', '.join(absent)}")
    return 0


def _parts(outcomes: Outcomes) -> dict[str, Outcomes]:
    by = ["system"] if outcomes.setting is None else ["system", "setting"]
    return {curve_by(part)[0].system: part for _, part in outcomes.parts(by)}


def read_locks(path: str) -> list[Lock]:
    """The locks in a file.

    Raises
    ------
    ParseError
        If the file does not hold what ``demur choose --lock`` writes.
    """
    try:
        content = json.loads(Path(path).read_text("utf-8"))
    except (UnicodeDecodeError, ValueError) as problem:
        must, hint = "be JSON", "demur choose --lock writes it."
        raise ParseError(path, "the file", must, type(problem).__name__, hint) from None
    locks = content.get("locks") if isinstance(content, dict) else None
    if not isinstance(locks, list) or not locks:
        must = "hold a list of locks"
        hint = "demur choose --lock writes it."
        raise ParseError(path, "the file", must, type(content).__name__, hint)
    return [Lock.from_dict(each, where=path) for each in locks]


def _table(checked: Sequence[Recheck]) -> str:
    header = ["system", "cutoff", "target", "items", "answered", "wrong", "error"]
    header += ["at least", "at most", "verdict", "more labels"]
    header += ["declined then", "now", "mix moved by", "p"]
    rows = [
        [
            check.lock.system or tables.NONE,
            "never answer" if check.lock.cutoff is None else str(check.lock.cutoff),
            tables.rate(check.lock.target),
            *map(str, (check.items, check.answered, check.wrong)),
            *map(tables.rate, (check.error, check.lower, check.upper)),
            check.verdict or tables.NONE,
            tables.NONE if check.further_labels is None else str(check.further_labels),
            tables.rate(check.drift.declined_then),
            tables.rate(check.drift.declined_now),
            tables.rate(check.drift.total_variation),
            tables.NONE if check.drift.mix_p is None else f"{check.drift.mix_p:.2g}",
        ]
        for check in checked
    ]
    notes: dict[str, Any] = dict.fromkeys(
        note for check in checked for note in (*check.notes, *check.drift.notes)
    )
    lines = [
        "at least, at most: one-sided bounds of the true error; the verdict is held to "
        "them.",
        *(f"note: {note}" for note in notes),
        f"signature: {checked[0].signature}",
    ]
    return tables.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))
