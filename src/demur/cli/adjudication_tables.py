"""What ``demur judge --adjudications`` adds: whose verdicts change, and the ranks."""

from collections.abc import Iterable, Iterator
from typing import Any

from demur.cli import tables
from demur.errors import printable
from demur.outcomes import Outcomes
from demur.records import Reference
from demur.references.adjudicating import Adjudicated, Standing, adjudicate
from demur.references.adjudications import (
    changed_references,
    hash_of,
    read_adjudications,
)

_COUNTED = ("items", "right", "wrong", "unanswered", "ungraded")


class Rejudging:
    """Stands in for `demur.judge`, and remembers what adjudications have changed.

    Parameters
    ----------
    path : str
        The file of adjudications.
    """

    def __init__(self, path: str) -> None:
        self._adjudications = read_adjudications(path)
        self._found: Adjudicated | None = None

    def __call__(self, responses: Any, references: Any, **how: Any) -> Outcomes:
        """Judge with the references as they are and as changed; give the latter."""
        found = adjudicate(responses, references, self._adjudications, **how)
        self._found = found
        return found.outcomes

    def changed(self, references: Iterable[Reference]) -> Iterator[Reference]:
        """References as they are after the changes."""
        return changed_references(references, self._adjudications)

    def to_dict(self) -> dict[str, Any]:
        """What has changed, as plain values for JSON."""
        return {} if self._found is None else {"adjudicated": self._found.to_dict()}

    def tables(self) -> Iterator[str]:
        """What has changed, for people."""
        if self._found is not None:
            if self._found.changes:
                yield _changes(self._found)
            yield _standings(self._found)
            yield "\n".join(map(printable, _remarks(self._found)))


def _changes(found: Adjudicated) -> str:
    header = ["item", "system", "before", "after", "by", "why"]
    rows = [
        [
            each.item,
            each.system or tables.NONE,
            _outcome(each.before, each.credit_before),
            _outcome(each.after, each.credit_after),
            each.by,
            each.why,
        ]
        for each in found.changes
    ]
    return tables.table(header, rows)


def _outcome(name: str, credit: float) -> str:
    return f"{name} ({credit:g})" if name == "right" and credit < 1 else name


def _standings(found: Adjudicated) -> str:
    shown = [
        name
        for name in _COUNTED
        if any(each.before[name] or each.after[name] for each in found.standings)
    ]
    rows = [
        [
            each.system or tables.NONE,
            *(_change(each.before[name], each.after[name]) for name in shown),
            _percents(each),
            _change(each.rank_before, each.rank_after),
        ]
        for each in found.standings
    ]
    return tables.table(["system", *shown, "right %", "rank"], rows)


def _change(before: int, after: int) -> str:
    return str(before) if before == after else f"{before} -> {after}"


def _percents(each: Standing) -> str:
    before, after = f"{100 * each.right_before:.1f}", f"{100 * each.right_after:.1f}"
    return before if before == after else f"{before} -> {after}"


def _remarks(found: Adjudicated) -> Iterator[str]:
    yield (
        f"adjudications: {len(found.adjudications)}, of "
        f"{len({each.item for each in found.adjudications})} items (hash "
        f"{hash_of(found.adjudications)}); verdicts changed: {len(found.changes)}, "
        "before -> after; the rank is by right %."
    )
    if found.without_effect:
        items = ", ".join(found.without_effect)
        yield f"neither a verdict nor a weight changed by those of: {items}"
    yield from (f"note: {note}" for note in found.notes)
