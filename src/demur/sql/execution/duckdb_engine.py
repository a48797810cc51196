"""DuckDB: a read-only connection without files, extensions or settings."""

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from demur.sql.execution.queries import Limits, QueryFailed
from demur.sql.execution.results import from_json
from demur.sql.execution.statements import READING

CHUNK: Final = 4096

_SETTINGS: Final = {
    "access_mode": "READ_ONLY",
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "temp_directory": "",
    "threads": "1",
    "lock_configuration": "true",
}


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "JSON": from_json,
    "BIGNUM": int,
    "VARINT": int,
}
"""What the driver gives as text: the types, and what reads them."""

_REFUSED: Final = re.compile(r"\bsetseed\b", re.IGNORECASE)


class DuckdbEngine:
    """One open DuckDB file.

    Parameters
    ----------
    path : str
        The file.
    limits : Limits
        Of each query.
    folder : str
        For a copy, if DuckDB cannot take the name of the file.

    Raises
    ------
    duckdb.Error
        If it cannot be opened; `explain` says why.
    """

    reading: Sequence[str] = (*READING, "from")

    def __init__(self, path: str, limits: Limits, folder: str) -> None:
        import duckdb

        copied = "?" in path  # what follows would be taken for options
        if copied:
            path = _copied(path, folder)
        memory = f"{max(1, limits.max_memory >> 21)}MiB"
        settings: dict[str, Any] = {**_SETTINGS, "memory_limit": memory}
        self._seconds = limits.timeout
        self._timer: threading.Timer | None = None
        self._connection = duckdb.connect(path, config=settings)
        self._cursor = self._connection
        if copied:
            Path(path).unlink()  # it stays readable as long as it is open

    def select(self, sql: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of the columns, and the rows in chunks.

        Each query has a connection of its own, so that none leaves anything to the
        next, such as the state of random().
        """
        import duckdb

        if refused := _REFUSED.search(sql):
            raise QueryFailed("forbidden", f"{refused.group()} is not allowed")
        self._cursor = self._connection.cursor()
        statements = self._cursor.extract_statements(sql)
        if len(statements) != 1:
            raise QueryFailed(
                "forbidden", "it holds several statements; one is allowed"
            )
        if statements[0].type != duckdb.StatementType.SELECT:
            raise QueryFailed("forbidden", _other_kind(statements[0].type))
        self._timer = threading.Timer(self._seconds, self._cursor.interrupt)
        self._timer.daemon = True
        self._timer.start()
        cursor = self._cursor.execute(statements[0])
        names = [column[0] for column in cursor.description]
        readers = {
            at: _READERS[str(column[1])]
            for at, column in enumerate(cursor.description)
            if str(column[1]) in _READERS
        }
        chunks = iter(lambda: cursor.fetchmany(CHUNK), [])
        return names, _decoded_rows(chunks, readers) if readers else chunks

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""
        import duckdb

        message = str(error).partition("\n")[0]
        kinds = {
            duckdb.InterruptException: "timeout",
            duckdb.OutOfMemoryException: "memory",
            duckdb.PermissionException: "forbidden",
            duckdb.IOException: "unreadable",
            duckdb.FatalException: "crashed",
            duckdb.InternalException: "crashed",
        }
        for exception, kind in kinds.items():
            if isinstance(error, exception):
                return kind, message
        if "read-only mode" in message:
            return "forbidden", message
        if message.startswith("Invalid Input Error: Required module"):
            return "unreadable", message  # the fault of this machine
        return "unreadable" if "Corrupt database" in message else "error", message

    def finish(self) -> None:
        """After each query: stop its clock, and end its connection."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None
        if self._cursor is not self._connection:
            self._cursor.close()
            self._cursor = self._connection


def _other_kind(kind: Any) -> str:
    import duckdb

    if kind == duckdb.StatementType.MULTI:
        return "it stands for several statements, as PIVOT without IN (...) does"
    return "it is not a SELECT"


def _decoded_rows(
    chunks: Iterator[Sequence[Any]], readers: Mapping[int, Callable[[str], Any]]
) -> Iterator[Sequence[Any]]:
    """Rows in which what comes as text, but is none, is what it says."""
    for rows in chunks:
        listed = [list(row) for row in rows]
        for row in listed:
            for at, reader in readers.items():
                row[at] = None if row[at] is None else reader(row[at])
        yield listed


def _copied(path: str, folder: str) -> str:
    copy = str(Path(folder) / f"{os.getpid()}.duckdb")
    shutil.copyfile(path, copy)
    if Path(path + ".wal").exists():
        shutil.copyfile(path + ".wal", copy + ".wal")
    return copy
