"""Databases as users name them: which engine reads them, and what is in them."""

import hashlib
import os
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from demur.errors import InputError, MissingExtra, shown
from demur.results import printable
from demur.sql.execution.queries import QueryFailed

_URL: Final = re.compile(r"postgres(ql)?(\+psycopg)?://")
_PASSWORD: Final = re.compile(
    r"((?:password|passwd|pwd|passfile|sslpassword)\s*=\s*)('(?:[^'\\]|\\.)*'?|[^\s;]+)",
    re.IGNORECASE,
)
SIDE_FILES: Final = ("-wal", "-journal", ".wal")
"""What a writer leaves beside a file until it is merged into it."""

_NEEDS: Final = {
    "sqlite": (),
    "duckdb": ("duckdb",),
    "postgresql": ("sqlalchemy", "psycopg"),
    "mysql": ("sqlalchemy", "pymysql"),
    "snowflake": ("sqlalchemy", "snowflake.sqlalchemy"),
    "bigquery": ("sqlalchemy", "sqlalchemy_bigquery"),
}
OTHER_SERVERS: Final = ("mysql", "snowflake", "bigquery")
"""Kinds of server that could not be tested, by the scheme of their URL."""

_KNOWN: Final = "postgresql://, mysql://, snowflake://, bigquery://"
_EXTRAS: Final = {"duckdb": "sql", "postgresql": "postgres"}


@dataclass(frozen=True, slots=True)
class Database:
    """A database that can be asked.

    Parameters
    ----------
    place : str
        Absolute path, or URL.
    engine : str
        sqlite, duckdb, postgresql, or one of `OTHER_SERVERS`.
    """

    place: str
    engine: str

    @property
    def is_file(self) -> bool:
        """Whether it is a file and not on a server."""
        return "://" not in self.place

    def version(self) -> str:
        """Engine and version, as far as they are known on this side."""
        if self.engine in OTHER_SERVERS:
            return f"{self.engine} untested"
        if self.engine == "sqlite":
            import sqlite3

            return f"sqlite {sqlite3.sqlite_version}"
        from importlib import metadata

        return " ".join(
            f"{name} {metadata.version(name)}" for name in _NEEDS[self.engine]
        )

    def digest(self) -> str:
        """SHA-256 of the file and what a writer left beside it; of a server's URL."""
        if not self.is_file:
            return hashlib.sha256(self.place.encode()).hexdigest()
        total = hashlib.sha256()
        for end in ("", *SIDE_FILES):
            part = Path(self.place + end)
            if part.exists():
                with part.open("rb") as file:
                    total.update(hashlib.file_digest(file, "sha256").digest())
            # A bar for an absent file too: the parts must not run into each other.
            total.update(b"|")
        return total.hexdigest()


def find_database(name: str) -> Database:
    """The database behind a path or URL.

    Parameters
    ----------
    name : str
        A file is recognised by its content, never by its name.

    Raises
    ------
    QueryFailed
        ``unreadable`` if there is no such file, or one of another kind.
    MissingExtra
        If what reads it is not installed.

    Examples
    --------
    >>> find_database("no/such.sqlite")
    Traceback (most recent call last):
    ...
    demur.sql.execution.queries.QueryFailed: unreadable: no/such.sqlite: No such file or
    directory
    """
    if _URL.match(name):
        database = Database(name, "postgresql")
    elif kind_of(name) in OTHER_SERVERS and "://" in name:
        database = Database(name, kind_of(name))
    elif "://" in name:
        message = f"{public_name(name)}: it is none of {_KNOWN}"
        raise QueryFailed("unreadable", message)
    else:
        database = _database_in_file(name)
    if not all(map(_is_installed, _NEEDS[database.engine])):
        extra = _EXTRAS.get(database.engine, database.engine)
        raise MissingExtra(extra, f"reading {public_name(name)}")
    return database


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False


def kind_of(url: str) -> str:
    """The kind of server that a URL names, without its driver.

    Examples
    --------
    >>> kind_of("mysql+pymysql://me@host/air"), kind_of("http://host")
    ('mysql', 'http')
    """
    return url.partition("://")[0].partition("+")[0].lower()


def _database_in_file(name: str) -> Database:
    try:
        path = Path(name).resolve()
        if path.exists() and not path.is_file():  # a pipe would never end
            what = public_name(str(path))
            raise QueryFailed("unreadable", f"{what} is not a file")
        with path.open("rb") as file:
            start = file.read(16)
    except (OSError, ValueError, RuntimeError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise QueryFailed("unreadable", f"{public_name(name)}: {reason}") from problem
    return Database(str(path), _engine_of(start, name))


def _engine_of(start: bytes, path: str) -> str:
    if not start:
        raise QueryFailed("unreadable", f"{path} is empty")
    if start == b"SQLite format 3\0":
        return "sqlite"
    if start[8:12] == b"DUCK":
        return "duckdb"
    raise QueryFailed("unreadable", f"{path} is neither a SQLite nor a DuckDB file")


def check_root(root: str) -> None:
    """Refuse a URL, or a file, of what no engine here reads.

    Raises
    ------
    InputError
        If it is one. A path that leads nowhere is left to those who look for it.

    Examples
    --------
    >>> check_root("databases"), check_root("postgresql://me@host/air")
    (None, None)
    >>> check_root("http://me:secret@host/air")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: databases: the root must be a folder, a SQLite or DuckDB
    file, or postgresql://USER@HOST/NAME; got 'http://host/air'. Also known, but
    untested: mysql://, snowflake://, bigquery://.
    """
    need = "be a folder, a SQLite or DuckDB file, or postgresql://USER@HOST/NAME"
    if "://" in root:
        if not _URL.match(root) and kind_of(root) not in OTHER_SERVERS:
            hint = "Also known, but untested: mysql://, snowflake://, bigquery://."
            got = shown(public_name(root))
            raise InputError("databases", "the root", need, got, hint)
    elif os.path.isfile(root):  # noqa: PTH113 (Path raises where a name holds NUL)
        try:
            _database_in_file(root)
        except QueryFailed as problem:
            got = problem.failure.message
            raise InputError("databases", "the root", need, got) from None


def public_name(name: str) -> str:
    """A database as people may see it: of a URL neither user, password nor options.

    Of what looks like a connection string of libpq, the password is left out.

    Where an unescaped mark leaves open what of it is the password, no more than the
    kind of server.

    Examples
    --------
    >>> public_name("postgresql://me:secret@host/air?sslmode=require")
    'postgresql://host/air'
    >>> public_name("postgresql://me:sec?ret@host/air")
    'postgresql://...'
    >>> public_name("host=db user=me password='se cret' dbname=air")
    'host=db user=me password=... dbname=air'
    """
    kind, mark, rest = name.partition("://")
    if not mark:
        return _PASSWORD.sub(r"\1...", name)
    place, _, options = rest.partition("?")
    shown_part = "..." if "@" in options else place.rpartition("@")[2]
    return printable(f"{kind}://{shown_part}")


_DIALECTS: Final = {"postgresql": "postgres"}
"""Dialects of SQL that sqlglot calls otherwise than their engine."""


def dialect_of(name: str) -> str:
    """The dialect of a database; that of SQLite if there is none to be asked.

    Examples
    --------
    >>> dialect_of("postgresql://me@host/air"), dialect_of("no/such.sqlite")
    ('postgres', 'sqlite')
    """
    try:
        engine = find_database(name).engine
    except QueryFailed:
        return "sqlite"
    return _DIALECTS.get(engine, engine)
