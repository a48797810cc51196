"""PostgreSQL: a read-only transaction of a role that may only read.

Every text runs as ``DECLARE CURSOR FOR ...`` in the extended protocol, where the
server itself accepts one SELECT or VALUES without writing parts, and nothing else.
"""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from demur.sql.execution.queries import Limits, QueryFailed
from demur.sql.execution.server_engine import ServerEngine

_READER: Final = "pg_read_all_data"

# Words that must not occur at all, not even in a string: what reaches files, secrets,
# other servers or other sessions, changes what later queries return, or runs a text as
# SQL or changes the role, so that what the role may not do could come back. No parser,
# hence nothing to hide from it.
_REFUSED: Final = re.compile(
    r"\b(set_config|setseed"
    r"|(?:query|cursor|table|schema|database)_to_xml\w*|ts_stat|ts_rewrite"
    r"|pg_(?:read_\w*file|read_server_files|ls_\w*dir\w*|ls_dir|stat_file|file_\w+"
    r"|terminate_backend|cancel_backend|reload_conf|rotate_logfile\w*|promote"
    r"|switch_wal|notify|logical_emit_message|(?:try_)?advisory_\w+"
    r"|authid|shadow)|lo_\w+|loread|lowrite|dblink\w*)\b"
    r'|\bu&"',
    re.IGNORECASE,
)

_HOST: Final = re.compile(r"[\w.,:%/-]*")

_CLASSES: Final = {  # by the first characters of the SQLSTATE
    "57014": "timeout",
    "42501": "forbidden",
    "25": "forbidden",
    "53": "memory",
    "54000": "memory",
    "08P01": "error",  # such as a parameter, $1
    "08": "lost",
    "57P": "lost",
    "58": "unreadable",
    "XX001": "unreadable",
    "XX002": "unreadable",
}
_FORBIDDEN: Final = ("multiple commands", "data-modifying", "INTO is not allowed")


class PostgresEngine(ServerEngine):
    """A connection to one PostgreSQL database.

    Parameters
    ----------
    url : str
        As SQLAlchemy takes it.
    limits : Limits
        Of each query. Of the server's memory, a session limits that of each sort and
        hash table; the rest is the server's own.
    folder : str
        Not used.

    Raises
    ------
    QueryFailed
        If the URL is none, or the role is a superuser that cannot be left.
    sqlalchemy.exc.SQLAlchemyError
        If the server cannot be reached; `explain` says why.
    """

    def __init__(self, url: str, limits: Limits, folder: str) -> None:
        del folder
        super().__init__(_with_driver(url), _REFUSED)
        self._seconds = limits.timeout
        target = self._target
        if not _HOST.fullmatch(target.host or ""):  # it may hold part of the password
            message = "the URL cannot be read: in a password, @ is written %40"
            raise QueryFailed("unreadable", message)
        milliseconds = max(1, math.ceil(limits.timeout * 1000))
        settings = {
            "default_transaction_read_only": "on",
            "statement_timeout": milliseconds,
            "timezone": "UTC",
        }
        asked = target.query.get("options", "")  # such as a search_path
        options = [asked] if isinstance(asked, str) else list(asked)
        options += [f"-c {name}={value}" for name, value in settings.items()]
        seconds = math.ceil(limits.timeout)
        connect = {"options": " ".join(options), "connect_timeout": seconds}
        self._engine = self._connect(connect_args=connect)
        self._limit_session(limits)
        self._leave_superuser()
        ask = self._connection.exec_driver_sql
        self._backend = int(ask("SELECT pg_backend_pid()").scalar() or 0)
        self._connection.rollback()

    def _limit_session(self, limits: Limits) -> None:
        """Limit what a session can, as far as this version and this role know it."""
        kilobytes = max(1024, limits.max_memory >> 14)
        wanted = {
            "work_mem": str(kilobytes),
            "hash_mem_multiplier": "1",
            "max_parallel_workers_per_gather": "0",
            "jit": "off",
            "temp_file_limit": str(limits.max_memory >> 10),
            "client_connection_check_interval": "1000",
            "lock_timeout": str(max(1, math.ceil(limits.timeout * 1000))),
        }
        listed = ", ".join(f"('{name}', '{value}')" for name, value in wanted.items())
        self._connection.exec_driver_sql(
            "SELECT set_config(v.name, v.value, false) "
            f"FROM (VALUES {listed}) AS v (name, value) "
            "JOIN pg_settings s USING (name) WHERE s.context = 'user' "
            "OR current_setting('is_superuser') = 'on'"
        )
        self._connection.commit()

    def _leave_superuser(self) -> None:
        """Read as a role that can do no more; then row security cannot hide rows."""
        ask = self._connection.exec_driver_sql
        super_ = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        reader = f"SELECT count(*) FROM pg_roles WHERE rolname = '{_READER}'"
        if ask(super_).scalar():
            if not ask(reader).scalar():
                message = "the role is a superuser; connect as one that can only read"
                raise QueryFailed("unreadable", message)
            ask("SET row_security = off")
            ask(f"SET ROLE {_READER}")
        self._connection.commit()

    def _ends(self) -> dict[float, Callable[[], None]]:
        """In case the server's own clock has not stopped the query."""
        return {self._seconds + 0.3: self._cancel, self._seconds + 0.9: self._terminate}

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""
        import psycopg

        cause = getattr(error, "orig", None) or error
        message = str(cause).partition("\n")[0]
        state = getattr(cause, "sqlstate", None)
        if state is None and isinstance(cause, psycopg.DataError):
            return "unsupported", f"a value cannot be read: {message}"
        if state is None and "out of memory" in message:  # on this side
            return "memory", message
        if state is None and hasattr(error, "orig"):  # no word from the server
            return "lost", message
        if "row-level security" in message:
            return "unreadable", f"{message}; connect as a role that may read it"
        if any(words in message for words in _FORBIDDEN):
            return "forbidden", message
        for start, kind in _CLASSES.items():
            if (state or "").startswith(start):
                return kind, message
        return "error", message

    def _terminate(self) -> None:
        """End the session on the server, before this process is killed."""
        with suppress(Exception), self._engine.connect() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({self._backend})")


def _with_driver(url: str) -> str:
    """The URL with the driver named, so that another one is never looked for."""
    return "postgresql+psycopg" + url[url.index(":") :]
