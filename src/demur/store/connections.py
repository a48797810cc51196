"""One subset of SQL on SQLite and on PostgreSQL.

Statements are written once, with ``?`` for values; what the two say differently is
translated here and nowhere else.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote, unquote

from demur.errors import DemurError, InputError, extra_module, masked
from demur.results import printable
from demur.store.network_folders import network_of

Row = Sequence[Any]

NO_STORE: Final = "demur keep makes one; --store or DEMUR_STORE names another."

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

    def settle(self) -> None:
        """Get ready for writing: the database is a store, or empty."""

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
    if "://" in address or "\0" in address or not address:
        need = "be a file of SQLite, or postgresql://USER@HOST/NAME"
        raise InputError("store", "the address", need, printable(address) or "nothing")
    return SqliteConnection(address, make=make)


class SqliteConnection:
    """One file of SQLite, with a log of what is being written beside it (WAL).

    Where the folder is on a network, whose locks WAL cannot use, the file itself is
    written, with a journal, and that is noted.
    """

    def __init__(self, path: str, *, make: bool) -> None:
        self.name = printable(path)
        self.notes: tuple[str, ...] = ()
        file = Path(path)
        self._check(file, make=make)
        places = (file, file.parent) if file.exists() else (file.parent,)
        reading = not make and not all(os.access(place, os.W_OK) for place in places)
        how = "mode=rwc" if make else "mode=ro" if reading else "mode=rw"
        if reading and not file.with_name(f"{file.name}-wal").exists():
            how += "&immutable=1"  # else SQLite would want to write beside it
        with self._saying():
            self._connection = sqlite3.connect(
                f"file:{quote(str(file.absolute()))}?{how}",
                uri=True,
                timeout=_WAITED,
                isolation_level=None,
            )
        self._file, self._reading = file, reading
        try:
            self.rows("PRAGMA synchronous = FULL")
            self.rows("PRAGMA secure_delete = ON")  # what is forgotten is overwritten
        except BaseException:
            self.close()
            raise

    def _check(self, file: Path, *, make: bool) -> None:
        """Refuse what can be no store before SQLite sees it."""
        if file.is_dir():
            raise InputError(self.name, "the store", "be a file", "a directory")
        if not file.exists() and not make:
            raise InputError(self.name, "the store", "be there", "no file", NO_STORE)
        if not file.parent.is_dir():
            need, got = "lie in a directory that exists", printable(str(file.parent))
            raise InputError(self.name, "the store", need, got)

    def settle(self) -> None:
        """Choose WAL, or where that cannot work a journal, which is noted."""
        if self._reading:
            return
        network = network_of(self._file)
        wanted = "delete" if network else "wal"
        ((mode,),) = self._patient("PRAGMA journal_mode")
        if mode != wanted:
            ((mode,),) = self._patient(f"PRAGMA journal_mode = {wanted}")
        if mode != "wal":
            why = f"on a network ({network})" if network else "where WAL cannot work"
            self.notes = (
                f"{self.name} lies {why}: it is written with a journal, slower, and "
                "readers wait for writers",
            )

    def _patient(self, sql: str) -> list[Any]:
        """Run what SQLite does not wait for by itself while others write."""
        ends = time.monotonic() + _WAITED
        while True:
            try:
                return self._connection.execute(sql).fetchall()
            except sqlite3.Error as error:
                if "locked" not in str(error) or time.monotonic() > ends:
                    raise _refused(self.name, str(error)) from None
            time.sleep(0.02)

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """What SQLite refuses, as one line."""
        with damage_named(self.name):
            try:
                yield
            except sqlite3.Error as error:
                raise _refused(self.name, str(error)) from None

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
            with suppress(sqlite3.Error):  # a full disk has rolled it back already
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


_NOTHING_KEPT: Final = "Nothing was changed."

_REFUSALS: Final = (
    ("not a database", "be a database of SQLite", "a file that is none", ""),
    ("malformed", "be whole", "a damaged database", "Take a copy of it from before."),
    ("full", "have room on its disk", "a full disk", _NOTHING_KEPT),
    ("disk I/O", "have room on its disk", "a disk that takes no more", _NOTHING_KEPT),
    ("readonly", "be writable", "a read-only file", ""),
    ("unable to open", "be readable", "a file that cannot be opened", ""),
    (
        *("locked", "be free within a minute", "another process that writes"),
        f"{_NOTHING_KEPT} Try again.",
    ),
)
"""Of messages of SQLite a word, and what is said: what must be, what is, what to do."""


def _refused(name: str, message: str) -> InputError:
    for word, need, got, hint in _REFUSALS:
        if word in message:
            return InputError(name, "the store", need, f"{got} ({message})", hint)
    need = "be a database that can be read and written"
    return InputError(name, "the store", need, printable(message))


@contextmanager
def damage_named(name: str) -> Iterator[None]:
    """What cannot be read of the rows of a store is damage, said in one line.

    Examples
    --------
    >>> with damage_named("runs.sqlite"):
    ...     int("x")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: runs.sqlite: the store must be whole; got damaged rows
    (invalid literal for int() with base 10: 'x'). Take a copy of it from before.
    """
    try:
        yield
    except DemurError:
        raise
    except (ValueError, TypeError, LookupError) as error:
        got = printable(f"damaged rows ({str(error).partition(chr(10))[0]})")
        hint = "Take a copy of it from before."
        raise InputError(name, "the store", "be whole", got, hint) from None


class PostgresConnection:
    """A database of a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        self.name = masked(address)
        self.notes: tuple[str, ...] = ()
        self._psycopg = extra_module("psycopg", "postgres", f"opening {self.name}")
        self._secrets = _secrets_of(address)
        plain = address.replace("+psycopg", "", 1)
        try:
            self._connection = self._psycopg.connect(plain, autocommit=True)
        except (self._psycopg.ProgrammingError, UnicodeError):
            # The message may quote a part of the password.
            need, got = "be one that can be read", "another"
            hint = "In a password, @ is written %40."
            raise InputError(self.name, "the address", need, got, hint) from None
        except self._psycopg.Error as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> InputError:
        text = printable(masked(str(error).strip().partition("\n")[0]))
        for secret in self._secrets:  # a server quotes what it took for a host
            text = text.replace(secret, "...")
        need = "be a database that can be read and written"
        return InputError(self.name, "the store", need, text)

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """What the server refuses, as one line."""
        try:
            yield
        except self._psycopg.Error as error:
            raise self._refusal(error) from None

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Run one statement; its rows."""
        with self._saying():
            cursor = self._connection.execute(of_postgres(sql), values)
            return cursor.fetchall() if cursor.description else []

    def add(self, sql: str, rows: Sequence[Row]) -> None:
        """Run one statement for each of several rows of values."""
        with self._saying(), self._connection.cursor() as cursor:
            cursor.executemany(of_postgres(sql), rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that writes, one at a time: all of it or nothing."""
        with self._saying(), self._connection.transaction():
            self.rows("SELECT pg_advisory_xact_lock(?)", _LOCK)
            yield

    def settle(self) -> None:
        """Do nothing: a server has its own way of writing."""

    def tables(self) -> set[str]:
        """Names of the tables that there are."""
        listed = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        return {name for (name,) in self.rows(listed)}

    def close(self) -> None:
        """Let go."""
        with suppress(self._psycopg.Error):
            self._connection.close()


def _secrets_of(address: str) -> list[str]:
    """What may be a part of a password in an address, however it is misread.

    Examples
    --------
    >>> _secrets_of("postgresql://me:SEC@RET@localhost/runs")
    ['SEC', 'RET']
    """
    before, _, _ = address.partition("://")[2].rpartition("@")
    parts = re.split("[:/@?&=#]", before)[1:]
    return list(dict.fromkeys(filter(None, [*parts, *map(unquote, parts)])))


def of_postgres(sql: str) -> str:
    """A statement of ours as PostgreSQL takes it.

    Examples
    --------
    >>> of_postgres("INSERT INTO a (b BLOB) VALUES (?)")
    'INSERT INTO a (b BYTEA) VALUES (%s)'
    """
    return sql.replace(" BLOB", " BYTEA").replace("?", "%s")
