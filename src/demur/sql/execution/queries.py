"""What is asked of a database, the limits it is asked under, and how it can fail."""

from dataclasses import dataclass
from typing import Final

from demur.results import printable

FAILURES: Final = (
    *("error", "forbidden", "timeout", "memory", "crashed"),
    *("unsupported", "unreadable", "lost"),
)
"""Why a query gave no result.

``error``: the engine refused the text or could not evaluate it. ``forbidden``: it is
not one reading statement, or uses what only a writer or administrator needs.
``timeout``, ``memory``: a limit was reached. ``crashed``: the engine took its process
down. ``unsupported``: the result holds a value that cannot be read here, such as a date
after the year 9999. ``unreadable``: the database is missing, empty, damaged or cannot
be reached, whatever the query. ``lost``: its server went down during the run, and not
because of the query.
"""

_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL text for one database.

    Parameters
    ----------
    database : str
        Path of a SQLite or DuckDB file, or a URL such as
        ``postgresql://user@host/name``.
    sql : str
        One statement.
    fresh : bool
        Whether it runs even if its result is known from an earlier run.

    Examples
    --------
    >>> Query("flights.sqlite", "SELECT 1").sql
    'SELECT 1'
    """

    database: str
    sql: str
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class SqlFailure:
    """Why a query has no result.

    Parameters
    ----------
    kind : str
        One of `FAILURES`.
    message : str
        The reason, on one line.

    Examples
    --------
    >>> str(SqlFailure("error", "no such table: fare"))
    'error: no such table: fare'
    """

    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one query may take.

    Parameters
    ----------
    timeout : float
        Seconds.
    max_rows : int
        Rows that are kept; a longer result is marked as truncated.
    max_memory : int
        Bytes, beyond what the idle engine needs.
    """

    timeout: float
    max_rows: int
    max_memory: int


class QueryFailed(Exception):
    r"""Ends one query, inside the process that runs it.

    Parameters
    ----------
    kind : str
        One of `FAILURES`.
    message : str
        The reason; it is put on one line and shortened.

    Examples
    --------
    >>> QueryFailed("error", "two\n   lines").failure.message
    'two lines'
    """

    def __init__(self, kind: str, message: str) -> None:
        text = printable(" ".join(message.split()))
        if len(text) > _SHOWN:
            text = text[: _SHOWN - 3] + "..."
        self.failure = SqlFailure(kind, text)
        super().__init__(str(self.failure))
