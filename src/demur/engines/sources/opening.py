"""Answers opened in DuckDB: of files, tables and relations, with their rows."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demur.checks import names_shown
from demur.engines.sources.addresses import is_remote, read_remote
from demur.engines.sources.packed_files import check_wholeness
from demur.engines.sources.relations import FILE, by_path, groups_of, paths_of, select
from demur.engines.sources.source_files import (
    CELLS,
    JSON,
    TYPED,
    SourceFile,
    find_files,
)
from demur.engines.sql_counts import literal, name
from demur.errors import InputError, ParseError, masked
from demur.files import is_database
from demur.results import printable

if TYPE_CHECKING:
    from demur.engines.duckdb_engine import DuckdbConnection

_FORMS: Final = {TYPED: "typed", CELLS: "cells", JSON: "json"}
_VIEW: Final = "demur_rows"
_DATABASE: Final = "demur_database"
_TABLE: Final = re.compile(r"(.+?):([^:/\\]+)")


@dataclass(frozen=True, eq=False)
class SourceRelation:
    """Rows of answers, wherever they lie.

    Parameters
    ----------
    sql : str
        What stands behind FROM.
    columns : mapping of str to str
        The type of each column, as DuckDB calls it.
    form : {"typed", "cells", "json"}
        Whether values have types, or are all text, or JSON.
    files : tuple of (str, int or None)
        The files and how many rows they say that they have, if they do.
    names : tuple of str
        The sources as given, without keys.
    count_files : callable
        Counts the rows of each file.
    """

    sql: str
    columns: Mapping[str, str]
    form: str
    files: tuple[tuple[str, int | None], ...]
    names: tuple[str, ...]
    count_files: Callable[[], Mapping[str, int]] = dict

    def check_rows(self, n_rows: int) -> None:
        """Hold the rows that were read against those that files say they have.

        Parameters
        ----------
        n_rows : int
            Rows of all files together.

        Raises
        ------
        InputError
            If there are others, or none.
        """
        if not n_rows:
            need, hint = "hold at least one row", "Was all written, or filtered out?"
            raise InputError(self.names[0], "the source", need, "none", hint)
        stated = {file: rows for file, rows in self.files if rows is not None}
        if not stated or sum(stated.values()) == n_rows:
            return
        counted = self.count_files() if len(stated) > 1 else {self.files[0][0]: n_rows}
        for file, rows in stated.items():
            if counted.get(file, 0) != rows:
                need = f"hold the {rows} rows that it tells of"
                hint = "Was it written while it was counted? Count a copy."
                got = str(counted.get(file, 0))
                raise ParseError(file, "the file", need, got, hint)
        need, hint = f"hold {sum(stated.values())} rows, as files tell", "Count a copy."
        raise ParseError(self.names[0], "the source", need, str(n_rows), hint)


def open_sources(
    connection: "DuckdbConnection", sources: Sequence[Any]
) -> SourceRelation:
    """The rows of some sources as one relation.

    Parameters
    ----------
    connection : DuckdbConnection
        What reads them.
    sources : sequence of path, address or relation
        Files of one of the kinds of `SourceFile`, plain or packed with gzip or zstd;
        folders and globs of them; ``FILE:TABLE`` of a database of
        DuckDB; or one relation of DuckDB.

    Returns
    -------
    SourceRelation

    Raises
    ------
    InputError
        If a source is not there, has no rows, or has other columns than the others.
    ParseError
        If a file is damaged.
    MissingExtra
        If an address is to be read and DuckDB has no httpfs.
    """
    if any(hasattr(source, "sql_query") for source in sources):
        return _of_relation(connection, sources)
    tables = [table for source in sources if (table := named_table(source))]
    if tables:
        return _of_table(connection, sources, *tables[0])
    for source in sources:
        if isinstance(source, str | os.PathLike) and is_database(source):
            _of_table(connection, [source], os.fspath(source), "")
    return _of_files(connection, sources)


# -- files -------------------------------------------------------------------------


def _of_files(connection: "DuckdbConnection", sources: Sequence[Any]) -> SourceRelation:
    remote = [str(source) for source in sources if is_remote(str(source))]
    if remote:
        read_remote(connection.connection, f"reading {remote[0]}")
        connection.files = tuple(SourceFile(address, TYPED) for address in remote)

    def list_remote(address: str) -> list[str]:
        query = f"SELECT file FROM glob({literal(address)})"
        return [path for (path,) in connection.rows(query)]

    files = find_files(sources, list_remote)
    check_wholeness(files)
    connection.files = files
    query, types = select(groups_of(files, connection.rows))
    connection.rows(f"CREATE OR REPLACE TEMP VIEW {_VIEW} AS {query}")

    def count_files() -> dict[str, int]:
        query = f"SELECT {FILE}, COUNT(*) FROM {_VIEW} GROUP BY {FILE}"
        counted: dict[str, int] = by_path(files, dict(connection.rows(query)))
        return {printable(masked(path)): rows for path, rows in counted.items()}

    return SourceRelation(
        sql=_VIEW,
        columns=types,
        form=_FORMS[files[0].kind],
        files=_stated(connection, files),
        names=tuple(printable(masked(str(source))) for source in sources),
        count_files=count_files,
    )


def _stated(
    connection: "DuckdbConnection", files: Sequence[SourceFile]
) -> tuple[tuple[str, int | None], ...]:
    """The files, and how many rows those of Parquet say that they have."""
    if files[0].kind != TYPED:
        return tuple((file.name, None) for file in files)
    query = f"SELECT file_name, num_rows FROM parquet_file_metadata({paths_of(files)})"
    stated: dict[str, int] = by_path(files, dict(connection.rows(query)))
    return tuple((file.name, stated[file.path]) for file in files)


# -- tables and relations of DuckDB ------------------------------------------------


class _OnItsConnection:
    """Runs queries where a relation lives, which is seen from nowhere else."""

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def execute(self, query: str) -> Any:
        """The answer to a query; rows of the relation are called ``demur_rows``."""
        return self._relation.query(_VIEW, query)


def _of_relation(
    connection: "DuckdbConnection", sources: Sequence[Any]
) -> SourceRelation:
    if len(sources) > 1:
        need, hint = "be one relation, or files", "Join relations: one.union(other)."
        raise InputError("count_outcomes", "the sources", need, "several", hint)
    (relation,) = sources
    connection.connection = _OnItsConnection(relation)
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    return SourceRelation(_VIEW, types, "typed", (), ("a relation of DuckDB",))


def named_table(source: Any) -> tuple[str, str] | None:
    """The database and the table that a source names; None if it names a file.

    Examples
    --------
    >>> named_table("answers.csv")
    """
    match = _TABLE.fullmatch(str(source))
    if match is None or Path(str(source)).exists() or not is_database(match[1]):
        return None
    return match[1], match[2]


def _of_table(
    connection: "DuckdbConnection", sources: Sequence[Any], path: str, table: str
) -> SourceRelation:
    place = printable(f"{path}:{table}")
    if len(sources) > 1:
        need, hint = "be one table, or files", "Make a view of all: UNION ALL."
        raise InputError(place, "the sources", need, "several", hint)
    connection.files = (SourceFile(path, "a database of DuckDB"),)
    connection.rows(f"ATTACH {literal(path)} AS {_DATABASE} (READ_ONLY)")
    listed = connection.rows(
        "SELECT schema_name, table_name FROM duckdb_tables() "
        f"WHERE database_name = '{_DATABASE}' UNION ALL "
        "SELECT schema_name, view_name FROM duckdb_views() "
        f"WHERE database_name = '{_DATABASE}' AND NOT internal"
    )
    names = {_table_name(*pair): pair for pair in sorted(listed)}
    if not table:
        need, got = f"name a table, as {place}TABLE", names_shown(names) or "no table"
        raise InputError(place.rstrip(":"), "the database", need, got)
    if table not in names:
        need, got = "be in the database", names_shown(names) if names else "no table"
        raise InputError(place, "the table", need, got)
    sql = ".".join(map(name, (_DATABASE, *names[table])))
    described = connection.rows(f"DESCRIBE SELECT * FROM {sql}")
    types = {column: its for column, its, *_ in described}
    return SourceRelation(sql, types, "typed", (), (place,))


def _table_name(schema: str, table: str) -> str:
    return table if schema == "main" else f"{schema}.{table}"
