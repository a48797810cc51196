"""Runs kept over time, in one file of SQLite or a database of PostgreSQL."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, Self

from demur.errors import InputError, shown
from demur.outcomes.fields import names_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.store.blobs import add_blobs, blob_of, content_of
from demur.store.connections import connected
from demur.store.data_hashes import data_hash
from demur.store.figures_of_systems import kept_systems
from demur.store.kept_runs import KeptRun, KeptSystem, moment_text
from demur.store.migrations import migrate
from demur.store.packing import Column, packed, unpacked

_SYSTEM_FIELDS: Final = (
    *("system", "setting", "items", "right", "wrong", "unanswered", "ungraded"),
    *("failed", "error_low", "error_high", "own_nonreturn", "own_low", "own_high"),
    *("area_low", "area_high"),
)
"""Of `KeptSystem`, in the order of the table ``run_systems`` behind run and place."""

_RUN: Final = (
    "SELECT number, kept_at, note, signature, recipe, data_hash, lock_text, "
    "judged_from FROM runs"
)


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
        self._connection = connected(str(address), make=make)
        try:
            migrate(self._connection, make=make)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """Where it is, without passwords."""
        return self._connection.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of how it was opened."""
        return self._connection.notes

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
        self._connection.close()

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
            Such as "main"; none is a number.
        note : str
            Any text.
        lock : str, optional
            The text of a lock file of demur choose --lock.
        responses, references : iterable of records, optional
            What was judged, so that it can be judged anew.
        judged_from : int, optional
            The number of the run whose responses these are.

        Returns
        -------
        KeptRun

        Raises
        ------
        InputError
            If there are no rows, or the store cannot be written.
        """
        check_outcomes("keep", outcomes)
        moment = moment_text(when.astimezone(UTC))
        columns = columns_of(outcomes)
        blobs = [
            (part, name, blob_of(packed(name, column)))
            for part, name, column in columns
        ]
        systems, hashed = kept_systems(outcomes), data_hash(outcomes)
        connection = self._connection
        with connection.writing():
            (newest,) = connection.rows("SELECT MAX(number) FROM runs")[0]
            number = (newest or 0) + 1
            connection.rows(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(number, moment, note, outcomes.signature),
                *(json.dumps(dict(outcomes.recipe)), json.dumps(outcomes.notes)),
                *(hashed, len(outcomes), lock, judged_from),
            )
            add_blobs(connection, (blob for _, _, blob in blobs))
            connection.add(
                "INSERT INTO run_columns VALUES (?, ?, ?, ?, ?)",
                [
                    (number, place, part, name, digest)
                    for place, (part, name, (digest, _)) in enumerate(blobs)
                ],
            )
            connection.add(
                f"INSERT INTO run_systems VALUES ({', '.join('?' * 17)})",
                [
                    (number, place, *(getattr(system, key) for key in _SYSTEM_FIELDS))
                    for place, system in enumerate(systems)
                ],
            )
            connection.add(
                "INSERT INTO run_tags VALUES (?, ?, ?, NULL)",
                [(number, tag, moment) for tag in dict.fromkeys(tags)],
            )
        return self.run(number)

    # -- out ---------------------------------------------------------------------------

    def run(self, name: int | str) -> KeptRun:
        """One run, by its number, or by a tag: the newest that bears it.

        Raises
        ------
        InputError
            If there is none, with what there is.
        """
        text = str(name)
        if text.isdecimal():
            found = self._runs("WHERE number = ?", int(text))
        else:
            newest = (
                "WHERE number = (SELECT MAX(run) FROM run_tags WHERE tag = ? AND "
                "taken_off IS NULL)"
            )
            found = self._runs(newest, text)
        if not found:
            listed = self._connection.rows("SELECT COUNT(*), MAX(number) FROM runs")[0]
            hint = f"There are {listed[0]} runs, the newest is {listed[1]}."
            need = "be the number of a run, or a tag that one bears"
            raise InputError(self.name, "the run", need, shown(name), hint)
        return found[0]

    def runs(
        self, *, tag: str | None = None, system: str | None = None
    ) -> list[KeptRun]:
        """All runs in order of number, or those with a tag or a system."""
        conditions, values = [], []
        if tag is not None:
            with_tag = "SELECT run FROM run_tags WHERE tag = ? AND taken_off IS NULL"
            conditions.append(f"number IN ({with_tag})")
            values.append(tag)
        if system is not None:
            with_system = "SELECT run FROM run_systems WHERE system = ?"
            conditions.append(f"number IN ({with_system})")
            values.append(system)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        return self._runs(where, *values)

    def _runs(self, where: str, *values: Any) -> list[KeptRun]:
        rows = self._connection.rows(f"{_RUN} {where} ORDER BY number", *values)
        if not rows:
            return []
        systems, tags = self._parts_of([row[0] for row in rows])
        return [
            KeptRun(
                number=number,
                when=datetime.fromisoformat(kept_at),
                note=note,
                signature=signature,
                recipe=json.loads(recipe),
                data_hash=hashed,
                lock=lock,
                judged_from=judged_from,
                systems=tuple(systems.get(number, ())),
                tags=tuple(tags.get(number, ())),
            )
            for (
                *(number, kept_at, note, signature, recipe, hashed, lock, judged_from),
            ) in rows
        ]

    def _parts_of(
        self, numbers: Sequence[int]
    ) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """Systems and tags by number, of all runs between the first and the last."""
        ends = numbers[0], numbers[-1]
        systems: dict[int, list[KeptSystem]] = {}
        asked = (
            "SELECT * FROM run_systems WHERE run BETWEEN ? AND ? ORDER BY run, place"
        )
        for run, _, *values in self._connection.rows(asked, *ends):
            named = dict(zip(_SYSTEM_FIELDS, values, strict=True))
            systems.setdefault(run, []).append(KeptSystem(**named))
        tags: dict[int, list[str]] = {}
        asked = (
            "SELECT run, tag FROM run_tags WHERE run BETWEEN ? AND ? AND taken_off IS "
            "NULL ORDER BY run, put_on, tag"
        )
        for run, tag in self._connection.rows(asked, *ends):
            tags.setdefault(run, []).append(tag)
        return systems, tags

    def outcomes(
        self, run: KeptRun | int | str, *, only: Iterable[str] | None = None
    ) -> Outcomes:
        """The outcomes of a run, exactly as they were kept.

        Parameters
        ----------
        run : KeptRun, int or str
            Itself, its number, or a tag.
        only : iterable of str, optional
            Of the columns that need not be there, read only these; groups too.

        Returns
        -------
        Outcomes

        Raises
        ------
        InputError
            If there is no such run, or a column is damaged.
        """
        number = run.number if isinstance(run, KeptRun) else self.run(run).number
        asked = "SELECT recipe, notes FROM runs WHERE number = ?"
        recipe, notes = map(json.loads, self._connection.rows(asked, number)[0])
        asked = "SELECT part, name, hash FROM run_columns WHERE run = ? ORDER BY place"
        wanted = None if only is None else {*only, *_NEEDED}
        columns: dict[str, dict[str, Column]] = {"column": {}, "group": {}}
        for part, name, digest in self._connection.rows(asked, number):
            if part in columns and (wanted is None or name in wanted):
                what = f"run {number}, {part} {name}"
                content = content_of(self._connection, digest, what)
                column = unpacked(content)
                column.setflags(write=False)
                columns[part][name] = column
        held: Mapping[str, Any] = columns["column"]
        return Outcomes(
            **held, groups=columns["group"], recipe=recipe, notes=tuple(notes)
        )


_NEEDED: Final = ("item", "system", "outcome")


def columns_of(outcomes: Outcomes) -> list[tuple[str, str, Column]]:
    """All columns of a table: "column" or "group", the name, the values."""
    held = [
        ("column", name, getattr(outcomes, name))
        for name in names_of("outcomes")
        if name != "outcome" and getattr(outcomes, name) is not None
    ]
    groups = [("group", name, column) for name, column in outcomes.groups.items()]
    return [("column", "outcome", outcomes.outcome.codes), *held, *groups]
