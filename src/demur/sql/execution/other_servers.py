"""MySQL, Snowflake and BigQuery through SQLAlchemy: written by their manuals, untested.

No such server was at hand: the statements below are what the manuals name, and tests
hold them against stubs. A role that may only read is the guard to rely on here.
"""

import math
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from demur.sql.execution.databases import kind_of
from demur.sql.execution.queries import Limits
from demur.sql.execution.server_engine import ServerEngine


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


class OtherServer(ServerEngine):
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

    def __init__(self, url: str, limits: Limits, folder: str) -> None:
        del folder
        kind = KINDS[kind_of(url)]
        refused = re.compile(rf"\b(?:{kind.refused})\b", re.IGNORECASE)
        super().__init__(_with_driver(url), refused)
        self._seconds = limits.timeout
        self._connect()
        for statement in kind.session(max(1, math.ceil(limits.timeout))):
            self._connection.exec_driver_sql(statement)
        self._connection.rollback()

    def _ends(self) -> dict[float, Callable[[], None]]:
        """The driver is asked to stop; the process is killed soon after."""
        return {self._seconds: self._cancel}

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""
        message = str(getattr(error, "orig", None) or error).partition("\n")[0]
        invalid = getattr(error, "connection_invalidated", False)
        if invalid or _LOST.search(message.lower()):
            return "lost", message
        if _TIMEOUTS.search(message):
            return "timeout", message
        if "read only" in message.lower() or "read-only" in message.lower():
            return "forbidden", message
        return "error", message


def _with_driver(url: str) -> str:
    """The URL with a driver whose licence lets it be used, if it names none."""
    return f"mysql+pymysql{url[5:]}" if url.startswith("mysql://") else url
