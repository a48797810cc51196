"""What all servers have in common that are asked through SQLAlchemy."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from demur.sql.execution.queries import QueryFailed
from demur.sql.execution.statements import READING

CHUNK: Final = 4096


class ServerEngine:
    """A connection to one database of a server.

    Parameters
    ----------
    url : str
        As SQLAlchemy takes it, with its driver.
    refused : re.Pattern
        What must not occur in a query at all.

    Raises
    ------
    QueryFailed
        If the URL is none.
    """

    reading: Sequence[str] = READING
    _connection: Any

    def __init__(self, url: str, refused: re.Pattern[str]) -> None:
        import sqlalchemy

        self._refused = refused
        self._timers: list[threading.Timer] = []
        try:
            self._target = sqlalchemy.make_url(url)
        except (sqlalchemy.exc.ArgumentError, ValueError):  # it may show the password
            raise QueryFailed("unreadable", "the URL cannot be read") from None

    def _connect(self, **options: Any) -> Any:
        """Connect; gives what makes further connections."""
        import sqlalchemy

        pool = sqlalchemy.NullPool
        engine = sqlalchemy.create_engine(self._target, poolclass=pool, **options)
        self._connection = engine.connect()
        return engine

    def _ends(self) -> dict[float, Callable[[], None]]:
        """After how many seconds a query is ended, and how."""
        raise NotImplementedError

    def select(self, sql: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of the columns, and the rows in chunks."""
        if refused := self._refused.search(sql):
            raise QueryFailed("forbidden", f"{refused.group()} is not allowed")
        for seconds, end in self._ends().items():
            timer = threading.Timer(seconds, end)
            timer.daemon = True
            timer.start()
            self._timers.append(timer)
        options = {"stream_results": True, "max_row_buffer": CHUNK}
        result = self._connection.exec_driver_sql(
            sql, execution_options={**options, "no_parameters": True}
        )
        names = list(result.keys())
        if not names:
            raise QueryFailed("error", "it returns no columns")
        return names, iter(lambda: result.fetchmany(CHUNK), [])

    def finish(self) -> None:
        """After each query: stop its clocks, and end its transaction."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        with suppress(Exception):  # the server may be gone
            self._connection.rollback()

    def _cancel(self) -> None:
        """Ask the driver to stop the query, where it can."""
        with suppress(Exception):  # it may have ended this moment, or be gone
            self._connection.connection.dbapi_connection.cancel()
