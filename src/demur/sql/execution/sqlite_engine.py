"""SQLite: an immutable connection whose authorizer lets nothing pass but reading."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from demur.sql.execution.queries import Limits, QueryFailed
from demur.sql.execution.statements import READING

CHUNK: Final = 4096
SIDE_FILES: Final = ("-wal", "-journal")
"""What a writer leaves beside the database until it is merged into it."""

_ALLOWED: Final = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)
_ACTIONS: Final = {
    sqlite3.SQLITE_DELETE: "DELETE",
    sqlite3.SQLITE_INSERT: "INSERT",
    sqlite3.SQLITE_UPDATE: "UPDATE",
    sqlite3.SQLITE_ATTACH: "ATTACH or VACUUM",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
}
# A full-text table asks whether its index is still current.
_FULL_TEXT: Final = (sqlite3.SQLITE_PRAGMA, "data_version", None)
# What connecting a virtual table looks like; those that may be read are connected.
_CONNECTING: Final = (sqlite3.SQLITE_UPDATE, "sqlite_master")
_FUNCTIONS: Final = frozenset(
    {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}
)
_KINDS: Final = {
    sqlite3.SQLITE_INTERRUPT: "timeout",
    sqlite3.SQLITE_NOMEM: "memory",
    sqlite3.SQLITE_TOOBIG: "memory",
    sqlite3.SQLITE_FULL: "memory",
    sqlite3.SQLITE_CORRUPT: "unreadable",
    sqlite3.SQLITE_NOTADB: "unreadable",
    sqlite3.SQLITE_IOERR: "unreadable",
    sqlite3.SQLITE_CANTOPEN: "unreadable",
    sqlite3.SQLITE_PROTOCOL: "unreadable",
}
_LONGEST_TEXT: Final = 1 << 26
_LONGEST_SQL: Final = 1_000_000
_OPERATIONS: Final = 4_000  # between two looks at the clock; some 0.1 ms


class SqliteEngine:
    """One open SQLite file.

    A file without side files is opened as immutable, so that no lock is taken and
    nothing appears beside it, in WAL mode and in read-only folders too. Beside
    unmerged side files it is copied, and the copy is read.

    Parameters
    ----------
    path : str
        The file.
    limits : Limits
        Of each query.
    folder : str
        For the copy.

    Raises
    ------
    sqlite3.Error
        If it cannot be opened; `explain` says why.
    """

    reading: Sequence[str] = READING

    def __init__(self, path: str, limits: Limits, folder: str) -> None:
        self._seconds = limits.timeout
        self._deadline = time.monotonic() + limits.timeout
        self._denied = ""
        changing = any(map(_filled, (path + end for end in SIDE_FILES)))
        place = _merged_copy(path, folder) if changing else Path(path)
        self._connection = _connected(place, "ro&immutable=1")
        self._prepare(limits)
        if changing:
            place.unlink()  # it stays readable as long as it is open

    def _prepare(self, limits: Limits) -> None:
        connection = self._connection
        # Bytes that are no UTF-8 become surrogate escapes, one for each.
        connection.text_factory = partial(
            str, encoding="utf-8", errors="surrogateescape"
        )
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_TEXT)
        connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_SQL)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
        connection.set_progress_handler(self._late, _OPERATIONS)
        connection.execute(f"PRAGMA hard_heap_limit={limits.max_memory // 2}")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute("PRAGMA query_only=1")
        _load_virtual_tables(connection)
        connection.set_authorizer(self._authorize)

    def _late(self) -> bool:
        return time.monotonic() > self._deadline

    def _authorize(
        self, action: int, first: str | None, second: str | None, *_: str | None
    ) -> int:
        if action == sqlite3.SQLITE_FUNCTION and str(second).lower() in _FUNCTIONS:
            self._denied = f"{second}()"
        elif action in _ALLOWED or (action, first, second) == _FULL_TEXT:
            return sqlite3.SQLITE_OK
        elif (action, first) == _CONNECTING:
            self._denied = "a table that SQLite makes up"
        else:
            self._denied = _ACTIONS.get(action, "changing anything")
        return sqlite3.SQLITE_DENY

    def select(self, sql: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of the columns, and the rows in chunks."""
        self._denied = ""
        self._deadline = time.monotonic() + self._seconds
        cursor = self._connection.execute(sql)
        if cursor.description is None:
            raise QueryFailed("error", "it returns no columns")
        names = [column[0] for column in cursor.description]
        return names, iter(lambda: cursor.fetchmany(CHUNK), [])

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""
        if self._denied:
            return "forbidden", f"{self._denied} is not allowed; only reading is"
        code = getattr(error, "sqlite_errorcode", None)
        if code is None and "one statement at a time" in str(error):
            return "forbidden", "it holds several statements; one is allowed"
        kind = "error" if code is None else _KINDS.get(code & 0xFF, "error")
        return kind, str(error)

    def finish(self) -> None:
        """After each query: nothing to do."""


def _filled(path: str) -> bool:
    return Path(path).exists() and Path(path).stat().st_size > 0


def _connected(place: Path, mode: str) -> sqlite3.Connection:
    uri = f"{place.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _merged_copy(path: str, folder: str) -> Path:
    copy = Path(folder) / f"{os.getpid()}.sqlite"
    shutil.copyfile(path, copy)
    for end in SIDE_FILES:
        if _filled(path + end):
            shutil.copyfile(path + end, f"{copy}{end}")
    connection = _connected(copy, "rw")
    try:
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    finally:
        connection.close()
    return copy


def _load_virtual_tables(connection: sqlite3.Connection) -> None:
    """Connect virtual tables while that is allowed: it looks like writing a schema.

    This also reads the schema, which shows a file that is no database.
    """
    wanted = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
    names = [name for (name,) in connection.execute(wanted)]
    for name in (*names, "json_each", "json_tree"):
        quoted = name.replace('"', '""')
        with suppress(sqlite3.OperationalError):  # its module is not in this SQLite
            connection.execute(f'SELECT * FROM "{quoted}" LIMIT 0').fetchall()
