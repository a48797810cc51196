"""One subset of SQL on SQLite and on PostgreSQL.

Statements are written once, with ``?`` for values; what the two say differently is
translated here and nowhere else.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

from demur.errors import InputError, extra_module, masked
from demur.results import printable

Row = Sequence[Any]

_WAITED: Final = 60.0
"""Seconds that a writer waits for another one."""

_LOCK: Final = 0x64656D7572
"""The number by which writers of one PostgreSQL database lock each other out."""

_SCHEMES: Final = ("postgresql://", "postgres://", "postgresql+psycopg://")


class StoreConnection(Protocol):
    """What a store asks of its database."""

    name: str
    notes: tuple[str, ...]

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; its rows."""

    def add(self, sql: str, rows: Sequence[Row]) -> None:
        """Run one statement for each of several rows of values."""

    def writing(self) -> Any:
        """A transaction that writes, one at a time: all of it or nothing."""

    def tables(self) -> set[str]:
        """Names of the tables that there are."""

    def close(self) -> None:
        """Let go."""


def connected(address: str, *, make: bool = False) -> StoreConnection:
    """The database behind an address.

    Parameters
    ----------
    address : str
        A file of SQLite, or ``postgresql://USER@HOST/NAME``.
    make : bool
        Whether a file that is not there is made.

    Raises
    ------
    InputError
        If there is none, or it cannot be opened.
    MissingExtra
        If psycopg is not installed.
    """
    if address.startswith(_SCHEMES):
        return PostgresConnection(address)
    return SqliteConnection(address, make=make)


class SqliteConnection:
    """One file of SQLite, with a log of what is being written beside it (WAL)."""

    def __init__(self, path: str, *, make: bool) -> None:
        self.name = printable(path)
        self.notes: tuple[str, ...] = ()
        file = Path(path)
        if not file.exists() and not make:
            hint = "demur keep makes one; --store or DEMUR_STORE names another."
            raise InputError(self.name, "the store", "be there", "no such file", hint)
        address = f"file:{quote(str(file.absolute()))}?mode={'rwc' if make else 'rw'}"
        with self._saying():
            self._connection = sqlite3.connect(
                address, uri=True, timeout=_WAITED, isolation_level=None
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _saying(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            need = "be a database that can be read and written"
            raise InputError(self.name, "the store", need, str(error)) from None

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; its rows."""
        with self._saying():
            return self._connection.execute(sql, values).fetchall()

    def add(self, sql: str, rows: Sequence[Row]) -> None:
        """Run one statement for each of several rows of values."""
        with self._saying():
            self._connection.executemany(sql, rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that writes, one at a time: all of it or nothing."""
        self.rows("BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def tables(self) -> set[str]:
        """Names of the tables that there are."""
        listed = "SELECT name FROM sqlite_master WHERE type = 'table'"
        return {name for (name,) in self.rows(listed)}

    def close(self) -> None:
        """Let go."""
        with suppress(sqlite3.Error):
            self._connection.close()


class PostgresConnection:
    """A database of a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        self.name = masked(address)
        self.notes: tuple[str, ...] = ()
        self._psycopg = extra_module("psycopg", "postgres", f"opening {self.name}")
        plain = address.replace("+psycopg", "", 1)
        with self._saying():
            self._connection = self._psycopg.connect(plain, autocommit=True)

    @contextmanager
    def _saying(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.Error as error:
            text = " ".join(str(error).split())
            need = "be a database that can be read and written"
            raise InputError(self.name, "the store", need, masked(text)) from None

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; its rows."""
        with self._saying():
            cursor = self._connection.execute(_of_postgres(sql), values)
            return cursor.fetchall() if cursor.description else []

    def add(self, sql: str, rows: Sequence[Row]) -> None:
        """Run one statement for each of several rows of values."""
        with self._saying(), self._connection.cursor() as cursor:
            cursor.executemany(_of_postgres(sql), rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that writes, one at a time: all of it or nothing."""
        with self._saying(), self._connection.transaction():
            self.rows("SELECT pg_advisory_xact_lock(?)", _LOCK)
            yield

    def tables(self) -> set[str]:
        """Names of the tables that there are."""
        listed = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        return {name for (name,) in self.rows(listed)}

    def close(self) -> None:
        """Let go."""
        self._connection.close()


def _of_postgres(sql: str) -> str:
    """A statement of ours as PostgreSQL takes it.

    Examples
    --------
    >>> _of_postgres("INSERT INTO a (b BLOB) VALUES (?)")
    'INSERT INTO a (b BYTEA) VALUES (%s)'
    """
    return sql.replace(" BLOB", " BYTEA").replace("?", "%s")
