"""MySQL, Snowflake and BigQuery through SQLAlchemy: written by their manuals, untested.

No such server was at hand: the statements below are what the manuals name, and tests
hold them against stubs. A role that may only read is the guard to rely on here.
"""

import math
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from demur.sql.execution.databases import kind_of
from demur.sql.execution.queries import Limits, QueryFailed
from demur.sql.execution.statements import READING

CHUNK: Final = 4096


class ServerKind(NamedTuple):
    """What must be known of a kind of server.

    Parameters
    ----------
    session : callable
        Statements that make a session read-only and limit it, for a number of seconds.
    refused : str
        Words that may not occur: they reach files, or lead around the limits.
    """

    session: Callable[[int], tuple[str, ...]]
    refused: str


KINDS: Final = {
    "mysql": ServerKind(
        lambda seconds: (
            "SET SESSION TRANSACTION READ ONLY",
            f"SET SESSION max_execution_time = {1000 * seconds}",
            "SET SESSION time_zone = '+00:00'",
        ),
        r"into\s+(?:out|dump)file|load_file|get_lock|release_lock|sleep|benchmark"
        r"|sys_exec|sys_eval|for\s+update|lock\s+in\s+share",
    ),
    "snowflake": ServerKind(
        lambda seconds: (
            f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {seconds}",
            "ALTER SESSION SET TIMEZONE = 'UTC'",
            "ALTER SESSION SET USE_CACHED_RESULT = FALSE",
        ),
        r"system\$\w*|get_presigned_url|result_scan",
    ),
    "bigquery": ServerKind(
        lambda _: (),
        r"external_query|ml\s*\.\s*\w+",
    ),
}
"""Kinds of server by the scheme of their URL."""

_TIMEOUTS: Final = re.compile(
    r"max_execution_time|maximum statement execution|statement_timeout|timed? ?out"
    r"|\b3024\b|\b604\b",
    re.IGNORECASE,
)
_LOST: Final = re.compile(r"lost connection|gone away|can't connect|\b20(?:06|13)\b")


class OtherServer:
    """A connection to one database of such a server.

    Parameters
    ----------
    url : str
        As SQLAlchemy takes it.
    limits : Limits
        Of each query. The memory is the server's own.
    folder : str
        Not used.

    Raises
    ------
    QueryFailed
        If the URL is none.
    sqlalchemy.exc.SQLAlchemyError
        If the server cannot be reached; `explain` says why.
    """

    reading: Sequence[str] = READING

    def __init__(self, url: str, limits: Limits, folder: str) -> None:
        del folder
        import sqlalchemy

        self._kind = KINDS[kind_of(url)]
        self._refused = re.compile(rf"\b(?:{self._kind.refused})\b", re.IGNORECASE)
        self._seconds = limits.timeout
        self._timer: threading.Timer | None = None
        try:
            target = sqlalchemy.make_url(_with_driver(url))
        except (sqlalchemy.exc.ArgumentError, ValueError):  # it may show the password
            raise QueryFailed("unreadable", "the URL cannot be read") from None
        engine = sqlalchemy.create_engine(target, poolclass=sqlalchemy.NullPool)
        self._connection = engine.connect()
        for statement in self._kind.session(max(1, math.ceil(limits.timeout))):
            self._connection.exec_driver_sql(statement)
        self._connection.rollback()

    def select(self, sql: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of the columns, and the rows in chunks."""
        if found := self._refused.search(sql):
            raise QueryFailed("forbidden", f"{found.group()} is not allowed")
        self._timer = threading.Timer(self._seconds, self._cancel)
        self._timer.daemon = True
        self._timer.start()
        options = {"stream_results": True, "max_row_buffer": CHUNK}
        result = self._connection.exec_driver_sql(
            sql, execution_options={**options, "no_parameters": True}
        )
        names = list(result.keys())
        if not names:
            raise QueryFailed("error", "it returns no columns")
        return names, iter(lambda: result.fetchmany(CHUNK), [])

    def _cancel(self) -> None:
        """Ask the driver to stop, where it can; the process is killed soon after."""
        with suppress(Exception):
            driver: Any = self._connection.connection.dbapi_connection
            driver.cancel()

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""
        message = str(getattr(error, "orig", None) or error).partition("\n")[0]
        lost = _LOST.search(message.lower()) or getattr(
            error, "connection_invalidated", False
        )
        if lost:
            return "lost", message
        if _TIMEOUTS.search(message):
            return "timeout", message
        if "read only" in message.lower() or "read-only" in message.lower():
            return "forbidden", message
        return "error", message

    def finish(self) -> None:
        """After each query: stop its clock, and end its transaction."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        with suppress(Exception):  # the server may be gone
            self._connection.rollback()


def _with_driver(url: str) -> str:
    """The URL with a driver whose licence lets it be used, if it names none."""
    return f"mysql+pymysql{url[5:]}" if url.startswith("mysql://") else url
