"""Runs as rows of the tables: written in one transaction, and read back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from demur.checks import of_kind, text
from demur.errors import InputError, shown
from demur.outcomes.fields import names_of
from demur.outcomes.table import Outcomes
from demur.store.blobs import Blob, add_blobs, blob_of
from demur.store.connections import StoreConnection, damage_named
from demur.store.kept_runs import KeptRun, KeptSystem, moment_text
from demur.store.packing import Column, packed

SYSTEM_FIELDS: Final = (
    *("system", "setting", "items", "right", "wrong", "unanswered", "ungraded"),
    *("failed", "error_low", "error_high", "own_nonreturn", "own_low", "own_high"),
    *("area_low", "area_high"),
)
"""Of `KeptSystem`, in the order of the table ``run_systems`` behind run and place."""

_RUN: Final = (
    "SELECT number, kept_at, note, signature, recipe, data_hash, lock_text, "
    "judged_from FROM runs WHERE forgotten_at IS NULL"
)

Part = tuple[str, str, Blob]
"""What it is ("column", "group" or "records"), its name, its bytes."""


# -- in --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class NewRun:
    """A run that is about to be kept, checked and packed: what is left is to write."""

    moment: str
    outcomes: Outcomes
    parts: Sequence[Part]
    systems: Sequence[KeptSystem]
    data_hash: str
    tags: Sequence[str] = ()
    note: str = ""
    lock: str | None = None
    judged_from: int | None = None

    def write(self, connection: StoreConnection) -> int:
        """Write all of it, or nothing; the number it got."""
        with connection.writing():
            (newest,) = connection.rows("SELECT MAX(number) FROM runs")[0]
            number: int = (newest or 0) + 1
            self._write_run(connection, number)
            add_blobs(connection, (blob for _, _, blob in self.parts))
            connection.add(
                "INSERT INTO run_columns VALUES (?, ?, ?, ?, ?)",
                [
                    (number, place, part, plain_text(name), digest)
                    for place, (part, name, (digest, _)) in enumerate(self.parts)
                ],
            )
            connection.add(
                f"INSERT INTO run_systems VALUES (?, ?{', ?' * len(SYSTEM_FIELDS)})",
                [
                    (number, place, *_cells(system))
                    for place, system in enumerate(self.systems)
                ],
            )
            connection.add(
                "INSERT INTO run_tags VALUES (?, ?, ?, NULL)",
                [(number, tag, self.moment) for tag in self.tags],
            )
        return number

    def _write_run(self, connection: StoreConnection, number: int) -> None:
        connection.rows(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            *(number, self.moment, self.note, plain_text(self.outcomes.signature)),
            *(json.dumps(dict(self.outcomes.recipe)), json.dumps(self.outcomes.notes)),
            *(self.data_hash, len(self.outcomes), len(self.parts), self.lock),
            self.judged_from,
        )


def _cells(system: KeptSystem) -> list[Any]:
    values = (getattr(system, name) for name in SYSTEM_FIELDS)
    return [plain_text(it) if isinstance(it, str) else it for it in values]


def packed_columns(outcomes: Outcomes) -> list[Part]:
    """All columns of a table as bytes, in the order in which they are read back."""
    held: dict[str, Column] = {
        name: outcomes.outcome.codes if name == "outcome" else getattr(outcomes, name)
        for name in ("outcome", *names_of("outcomes"))
    }
    columns = [("column", *pair) for pair in held.items() if pair[1] is not None]
    groups = [("group", *pair) for pair in outcomes.groups.items()]
    return [
        (part, name, blob_of(packed(name, column)))
        for part, name, column in (*columns, *groups)
    ]


def moment_of(when: object) -> str:
    """A moment as the tables hold it.

    Raises
    ------
    InputError
        If it has no time zone.
    """
    of_kind("keep", "when", when, datetime)
    if not isinstance(when, datetime) or when.tzinfo is None:
        need, hint = "have a time zone", "datetime.now(UTC) has one."
        raise InputError("keep", "when", need, shown(when), hint)
    return moment_text(when.astimezone(UTC))


_LONGEST_TAG: Final = 100


def checked_tags(tags: Iterable[str]) -> list[str]:
    """Tags, each once.

    Raises
    ------
    InputError
        If one is a number, which would name a run, or cannot be typed.

    Examples
    --------
    >>> checked_tags(["main", "nightly", "main"])
    ['main', 'nightly']
    """
    listed = [tags] if isinstance(tags, str) else list(tags)
    for tag in listed:
        text("keep", "a tag", tag)
        plain = tag.isprintable() and not any(map(str.isspace, tag))
        if not plain or not 0 < len(tag) <= _LONGEST_TAG or tag.isdecimal():
            need = "be a word that is no number"
            hint = "A number is that of a run."
            raise InputError("keep", "a tag", need, shown(tag), hint)
    return list(dict.fromkeys(listed))


def plain_text(words: str) -> str:
    r"""A text as any database takes it: NUL and half characters are escaped.

    Examples
    --------
    >>> plain_text("system a"), plain_text("a\0")
    ('system a', 'a\\x00')
    """
    if "\0" not in words and words.isascii():
        return words
    return (
        words.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
    )


# -- out -------------------------------------------------------------------------------


def runs_where(
    connection: StoreConnection,
    conditions: Iterable[str] = (),
    values: Sequence[Any] = (),
) -> list[KeptRun]:
    """Runs for which all conditions hold, in order of number, without their rows."""
    sql = " AND ".join([_RUN, *conditions]) + " ORDER BY number"
    rows = connection.rows(sql, *values)
    if not rows:
        return []
    with damage_named(connection.name):
        parts = _PartsOfRuns(connection, rows[0][0], rows[-1][0])
        return [_kept_run(row, parts) for row in rows]


def _kept_run(row: Sequence[Any], parts: "_PartsOfRuns") -> KeptRun:
    number, kept_at, note, signature, recipe, hashed, lock, judged_from = row
    return KeptRun(
        number=number,
        when=datetime.fromisoformat(kept_at),
        tags=tuple(parts.tags.get(number, ())),
        note=note,
        systems=tuple(parts.systems[number]),
        recipe=json.loads(recipe),
        signature=signature,
        data_hash=hashed,
        lock=lock,
        judged_from=judged_from,
        has_records=number in parts.with_records,
    )


class _PartsOfRuns:
    """Systems and tags by number, of all runs between the first and the last."""

    def __init__(self, connection: StoreConnection, first: int, last: int) -> None:
        between = "run BETWEEN ? AND ?"
        self.systems: dict[int, list[KeptSystem]] = {}
        asked = f"SELECT * FROM run_systems WHERE {between} ORDER BY run, place"
        for run, _, *values in connection.rows(asked, first, last):
            named: Mapping[str, Any] = dict(zip(SYSTEM_FIELDS, values, strict=True))
            self.systems.setdefault(run, []).append(KeptSystem(**named))
        self.tags: dict[int, list[str]] = {}
        asked = f"SELECT run, tag FROM run_tags WHERE {between} AND taken_off IS NULL"
        for run, tag in connection.rows(f"{asked} ORDER BY put_on, tag", first, last):
            self.tags.setdefault(run, []).append(tag)
        asked = f"SELECT DISTINCT run FROM run_columns WHERE {between} AND part = ?"
        rows = connection.rows(asked, first, last, "records")
        self.with_records = {run for (run,) in rows}
