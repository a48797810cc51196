"""Runs kept over time, in one file of SQLite or a database of PostgreSQL."""

import json
from collections.abc import Iterable
from datetime import datetime
from types import TracebackType
from typing import Any, Final, Self

from demur import checks
from demur.checks import text
from demur.errors import InputError, shown
from demur.outcomes.parts import check_rows
from demur.outcomes.records import Reference, Response
from demur.outcomes.table import Outcomes
from demur.store.blobs import blob_of, content_of
from demur.store.connections import StoreConnection, connected, damage_named
from demur.store.data_hashes import data_hash
from demur.store.figures_of_systems import kept_systems
from demur.store.kept_runs import KeptRun
from demur.store.migrations import migrate
from demur.store.packing import Column, unpacked
from demur.store.records import (
    REFERENCES,
    RESPONSES,
    packed_records,
    unpacked_records,
)
from demur.store.run_rows import (
    NewRun,
    checked_tags,
    moment_of,
    packed_columns,
    plain_text,
    runs_where,
)

_BEARING: Final = "SELECT run FROM run_tags WHERE tag = ? AND taken_off IS NULL"
"""The runs that bear a tag."""

_NEEDED: Final = ("item", "system", "outcome")


class Store:
    """Runs kept over time: a context manager that holds the database open.

    Parameters
    ----------
    address : str or path
        A file of SQLite, such as ``runs.sqlite``, or ``postgresql://USER@HOST/NAME``.
    make : bool
        Whether to make a store where there is none.

    Raises
    ------
    InputError
        If there is no store, it is damaged, or a newer demur has written it.
    MissingExtra
        If the address is one of PostgreSQL and psycopg is not installed.

    Examples
    --------
    >>> import demur, tempfile
    >>> from datetime import UTC, datetime
    >>> outcomes = demur.Outcomes.from_arrays(correct=[True, False, None])
    >>> now = datetime(2027, 3, 1, 12, tzinfo=UTC)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with demur.Store(f"{folder}/runs.sqlite", make=True) as store:
    ...         run = store.keep(outcomes, when=now, tags=["main"])
    ...         run.number, store.run("main").number, store.outcomes(1) == outcomes
    (1, 1, True)
    """

    def __init__(self, address: Any, *, make: bool = False) -> None:
        checks.path("Store", address, "the address")
        self.connection: StoreConnection = connected(str(address), make=make)
        try:
            migrate(self.connection, make=make)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """Where it is, without passwords."""
        return self.connection.name

    def __repr__(self) -> str:
        return f"Store({self.name!r})"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of how it was opened."""
        return self.connection.notes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()

    # -- in ----------------------------------------------------------------------------

    def keep(  # noqa: PLR0913  (what is known of a run)
        self,
        outcomes: Outcomes,
        *,
        when: datetime,
        tags: Iterable[str] = (),
        note: str = "",
        lock: str | None = None,
        responses: Iterable[Any] | None = None,
        references: Iterable[Any] | None = None,
        judged_from: int | None = None,
    ) -> KeptRun:
        """Keep a run: all of it or nothing.

        Parameters
        ----------
        outcomes : Outcomes
            Of any number of systems.
        when : datetime
            With its time zone.
        tags : iterable of str
            Words such as "main"; none is a number.
        note : str
            Any text.
        lock : str, optional
            The text of a lock file of ``demur choose --lock``.
        responses, references : iterable of records, optional
            What was judged, both or neither, so that it can be judged anew.
        judged_from : int, optional
            The number of the run whose responses these are.

        Returns
        -------
        KeptRun

        Raises
        ------
        InputError
            If there are no rows, a value is none of JSON, or the store cannot be
            written; then nothing is kept.
        """
        check_rows("keep", outcomes)
        text("keep", "note", note)
        parts = packed_columns(outcomes)
        if (responses is None) != (references is None):
            got = "references alone" if responses is None else "responses alone"
            need = "come with the other"
            raise InputError("keep", "responses and references", need, got)
        if responses is not None and references is not None:
            for kind, records in ((RESPONSES, responses), (REFERENCES, references)):
                content = packed_records(kind, records)
                parts.append(("records", kind, blob_of(content)))
        new = NewRun(
            moment=moment_of(when),
            outcomes=outcomes,
            parts=parts,
            tags=checked_tags(tags),
            note=plain_text(note),
            lock=None if lock is None else plain_text(lock),
            judged_from=judged_from,
            systems=kept_systems(outcomes),
            data_hash=data_hash(outcomes),
        )
        return self.run(new.write(self.connection))

    def tag(self, run: KeptRun | int | str, tag: str, *, when: datetime) -> KeptRun:
        """Put a tag on a run; where it stood before stays in the history."""
        (tag,), moment = checked_tags([tag]), moment_of(when)
        kept = self._one(run)
        with self.connection.writing():
            if tag not in self._one(kept.number).tags:
                row = (kept.number, tag, moment)
                self.connection.rows(
                    "INSERT INTO run_tags VALUES (?, ?, ?, NULL)", *row
                )
        return self.run(kept.number)

    def untag(self, run: KeptRun | int | str, tag: str, *, when: datetime) -> KeptRun:
        """Take a tag off a run; that it was there stays in the history.

        Raises
        ------
        InputError
            If the run does not bear it.
        """
        kept, moment = self._one(run), moment_of(when)
        if tag not in kept.tags:
            need, got = f"be one that run {kept.number} bears", shown(tag)
            hint = (
                f"It bears {', '.join(kept.tags)}." if kept.tags else "It bears none."
            )
            raise InputError(self.name, "the tag", need, got, hint)
        asked = "UPDATE run_tags SET taken_off = ? WHERE run = ? AND tag = ? AND "
        with self.connection.writing():
            asked += "taken_off IS NULL"
            self.connection.rows(asked, moment, kept.number, tag)
        return self.run(kept.number)

    def forget(self, run: KeptRun | int | str, *, when: datetime) -> int:
        """Remove all that a run holds but its number, which is never given again.

        Columns that other runs share stay.

        Returns
        -------
        int
            The number.
        """
        number, moment = self._one(run).number, moment_of(when)
        rows = self.connection.rows
        with self.connection.writing():
            for table in ("run_columns", "run_systems", "run_tags"):
                rows(f"DELETE FROM {table} WHERE run = ?", number)
            rows("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM run_columns)")
            rows(
                "UPDATE runs SET note = '', signature = '', recipe = '{}', notes = "
                "'[]', data_hash = '', lock_text = NULL, forgotten_at = ? WHERE "
                "number = ?",
                *(moment, number),
            )
        return number

    # -- out ---------------------------------------------------------------------------

    def _one(self, run: KeptRun | int | str) -> KeptRun:
        return self.run(run.number if isinstance(run, KeptRun) else run)

    def run(self, name: int | str) -> KeptRun:
        """One run, by its number, or by a tag: the newest that bears it.

        Raises
        ------
        InputError
            If there is none, with what there is.
        """
        called = str(name)
        number, values = "number = ?", called
        if not called.isdecimal():
            number, values = f"number = (SELECT MAX(run) FROM ({_BEARING}) b)", called
        elif len(called) > 18:  # no number of 64 bits
            values = "0"
        runs = runs_where(
            self.connection, [number], [int(values) if called.isdecimal() else values]
        )
        if not runs:
            raise self._no_run(called)
        return runs[0]

    def _no_run(self, called: str) -> InputError:
        rows = self.connection.rows
        asked = "SELECT COUNT(*), MAX(number) FROM runs WHERE forgotten_at IS NULL"
        (count, newest), hint = rows(asked)[0], "There is none yet: demur keep."
        if count:
            hint = f"There are {count}, the newest is {newest}" if count > 1 else ""
            hint = f"{hint or f'There is only run {newest}'}: demur show lists them."
        need, got = "be the number of a run, or a tag that one bears", shown(called)
        if called.isdecimal() and len(called) <= 18:
            asked = "SELECT forgotten_at FROM runs WHERE number = ?"
            got += "".join(
                f", forgotten at {when}" for (when,) in rows(asked, int(called))
            )
        return InputError(self.name, "the run", need, got, hint)

    def runs(
        self, *, tag: str | None = None, system: str | None = None
    ) -> list[KeptRun]:
        """All runs in order of number, or those with a tag or a system."""
        conditions, values = [], []
        if tag is not None:
            conditions.append(f"number IN ({_BEARING})")
            values.append(tag)
        if system is not None:
            with_system = "SELECT run FROM run_systems WHERE system = ?"
            conditions.append(f"number IN ({with_system})")
            values.append(plain_text(system))
        return runs_where(self.connection, conditions, values)

    def outcomes(
        self, run: KeptRun | int | str, *, only: Iterable[str] | None = None
    ) -> Outcomes:
        """The outcomes of a run, exactly as they were kept.

        Parameters
        ----------
        run : KeptRun, int or str
            Itself, its number, or a tag.
        only : iterable of str, optional
            Of columns and groups read these alone, beside item, system and outcome.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If there is no such run, or a column is damaged; it is named.
        """
        number = run.number if isinstance(run, KeptRun) else self.run(run).number
        asked = "SELECT recipe, notes, n_columns FROM runs WHERE number = ? AND "
        rows = self.connection.rows(f"{asked}forgotten_at IS NULL", number)
        if not rows:  # since it was looked up
            raise self._no_run(str(number))
        with damage_named(self.name):
            return self._outcomes(number, *rows[0], wanted=only)

    def _outcomes(
        self,
        number: int,
        recipe: str,
        notes: str,
        n_columns: int,
        *,
        wanted: Iterable[str] | None,
    ) -> Outcomes:
        columns: dict[str, Any] = {}
        groups: dict[str, Column] = {}
        wanted = None if wanted is None else {*wanted, *_NEEDED}
        asked = "SELECT part, name, hash FROM run_columns WHERE run = ? ORDER BY place"
        parts = self.connection.rows(asked, number)
        if len(parts) != n_columns:
            need, got = f"have {n_columns} columns", str(len(parts))
            raise InputError(self.name, f"run {number}", need, got, "It is damaged.")
        for part, name, digest in parts:
            if part != "records" and (wanted is None or name in wanted):
                what = f"{part} {name} of run {number}"
                column = unpacked(content_of(self.connection, digest, what))
                column.setflags(write=False)
                (groups if part == "group" else columns)[name] = column
        return Outcomes(
            **columns,
            groups=groups,
            recipe=json.loads(recipe),
            notes=tuple(json.loads(notes)),
        )

    def records(
        self, run: KeptRun | int | str
    ) -> tuple[list[Response], list[Reference]]:
        """The responses and references of a run, as they were judged.

        Raises
        ------
        InputError
            If it was kept without them, or they are damaged.
        """
        kept = self._one(run)
        asked = "SELECT name, hash FROM run_columns WHERE run = ? AND part = ?"
        hashes = dict(self.connection.rows(asked, kept.number, "records"))
        if not hashes:
            need = "have been kept with its responses and references"
            hint = "demur keep --responses R --references REF keeps them."
            raise InputError(self.name, f"run {kept.number}", need, "none", hint)
        with damage_named(self.name):
            responses, references = (
                unpacked_records(kind, self._content(kept, kind, hashes[kind]))
                for kind in (RESPONSES, REFERENCES)
            )
        return responses, references

    def _content(self, run: KeptRun, kind: str, digest: str) -> bytes:
        return content_of(self.connection, digest, f"{kind} of run {run.number}")
