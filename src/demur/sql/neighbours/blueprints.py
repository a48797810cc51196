"""How a database is built: its tables, what holds among their rows, an empty copy.

What a catalogue says is asked for like any other query. The statements that made the
tables are then run on an empty database of our own, which says how they are read.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from demur.errors import InputError

CATALOGUES: Final = {
    "sqlite": (
        "SELECT type, name, sql FROM sqlite_master "
        "WHERE type <> 'trigger' AND sql IS NOT NULL ORDER BY type = 'view', rowid"
    ),
    "duckdb": (
        "SELECT kind, name, sql FROM ("
        "SELECT 'sequence' AS kind, sequence_name AS name, sql, 0 AS step, "
        "sequence_oid AS place FROM duckdb_sequences() UNION ALL "
        "SELECT 'table', table_name, sql, 1, table_oid "
        "FROM duckdb_tables() WHERE NOT internal UNION ALL "
        "SELECT 'index', index_name, sql, 2, index_oid FROM duckdb_indexes() UNION ALL "
        "SELECT 'view', view_name, sql, 3, view_oid "
        "FROM duckdb_views() WHERE NOT internal) ORDER BY step, place"
    ),
}
"""A query for the statements that made what is in a database."""

_MAKING: Final = re.compile(
    r"\s*CREATE\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|VIEW|SEQUENCE)\b", re.IGNORECASE
)
_DUCKDB_COLUMNS: Final = (
    "SELECT table_name, column_name FROM information_schema.columns "
    "WHERE is_generated = 'NEVER' ORDER BY table_name, ordinal_position"
)
_DUCKDB_CONSTRAINTS: Final = (
    "SELECT table_name, constraint_column_names, referenced_table, "
    "referenced_column_names, constraint_type FROM duckdb_constraints() "
    "WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')"
)
_DUCKDB_SETTINGS: Final[dict[str, Any]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": "1",
}


class ForeignKey(NamedTuple):
    """A foreign key.

    Parameters
    ----------
    columns : tuple of int
        Positions in the table.
    parent : str
        The table whose rows they name.
    parent_columns : tuple of int
        Positions there.
    held : bool
        Whether all rows keep it.
    """

    columns: tuple[int, ...]
    parent: str
    parent_columns: tuple[int, ...]
    held: bool = True


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table, as far as rows must fit into it.

    Parameters
    ----------
    name : str
        As its catalogue spells it.
    columns : tuple of str
        Those that are stored, so without generated ones.
    keys : tuple of tuple of int
        The columns of each key: no two rows have the same values there.
    links : tuple of ForeignKey
        Its foreign keys.
    """

    name: str
    columns: tuple[str, ...]
    keys: tuple[tuple[int, ...], ...] = ()
    links: tuple[ForeignKey, ...] = ()

    @property
    def fixed(self) -> frozenset[int]:
        """Columns that are keys by themselves, and those of foreign keys."""
        links = (link.columns for link in self.links)
        keys = (key for key in self.keys if len(key) == 1)
        return frozenset().union(*keys, *links)


@dataclass(frozen=True, slots=True)
class Blueprint:
    """How a database is built.

    Parameters
    ----------
    engine : str
        sqlite or duckdb.
    statements : tuple of str
        What makes its tables, indexes and views, in this order.
    tables : tuple of StoredTable
        In the order in which they are made.
    """

    engine: str
    statements: tuple[str, ...]
    tables: tuple[StoredTable, ...]

    @property
    def links(self) -> tuple[tuple[StoredTable, ForeignKey], ...]:
        """All foreign keys, each with its table."""
        return tuple((table, link) for table in self.tables for link in table.links)

    def without(self, broken: Collection[tuple[str, ForeignKey]]) -> "Blueprint":
        """The same, where some foreign keys are not held, each given with its table."""
        tables = (
            replace(
                table,
                links=tuple(
                    link._replace(held=(table.name, link) not in broken)
                    for link in table.links
                ),
            )
            for table in self.tables
        )
        return replace(self, tables=tuple(tables))


def blueprint_of(
    engine: str, catalogue: Sequence[Sequence[Any]], place: str
) -> Blueprint:
    """How a database is built, as its catalogue says.

    Parameters
    ----------
    engine : str
        sqlite or duckdb.
    catalogue : sequence of tuples
        The result of the query in `CATALOGUES`.
    place : str
        The database, for messages.

    Raises
    ------
    InputError
        If it holds what cannot be made anew, such as virtual tables.

    Examples
    --------
    >>> made = "CREATE TABLE city (id INTEGER PRIMARY KEY, land REFERENCES land (id))"
    >>> rows = [("table", "land", "CREATE TABLE land (id INTEGER UNIQUE)")]
    >>> rows.append(("table", "city", made))
    >>> for table in blueprint_of("sqlite", rows, "a.sqlite").tables:
    ...     print(table.name, table.keys, [link.parent for link in table.links])
    land ((0,),) []
    city ((0,),) ['land']
    """
    kept = [
        (str(kind), str(name), str(sql))
        for kind, name, sql in catalogue
        if not str(name).startswith("sqlite_")
    ]
    for _, name, sql in kept:
        if not _MAKING.match(sql):
            need = "hold tables, indexes and views alone"
            raise InputError(place, "the database", need, f"{name} as {sql[:40]!r}")
    names = [name for kind, name, _ in kept if kind == "table"]
    statements = tuple(sql for _, _, sql in kept)
    try:
        read = _of_sqlite if engine == "sqlite" else _of_duckdb
        return Blueprint(engine, statements, read(statements, names))
    except Exception as problem:  # noqa: BLE001  (of drivers that may not be installed)
        need, got = "be made anew from its catalogue", str(problem).partition("\n")[0]
        raise InputError(place, "the database", need, got) from None


def quoted(name: str) -> str:
    """A name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


# -- SQLite ----------------------------------------------------------------------------


def new_sqlite(path: str) -> sqlite3.Connection:
    """A connection that writes one file, and reaches no other."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA foreign_keys=OFF")
    return connection


def _of_sqlite(
    statements: Sequence[str], names: Sequence[str]
) -> tuple[StoredTable, ...]:
    with closing(new_sqlite(":memory:")) as empty:
        for statement in statements:
            empty.execute(statement)
        columns = {name: _sqlite_columns(empty, name) for name in names}
        return tuple(
            StoredTable(
                *(name, tuple(columns[name])),
                _sqlite_keys(empty, name, columns[name]),
                tuple(_sqlite_links(empty, name, columns)),
            )
            for name in names
        )


def _sqlite_columns(empty: sqlite3.Connection, name: str) -> dict[str, int]:
    """The stored columns of a table, each with its place in the primary key."""
    rows = empty.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    return {str(row[1]): int(row[5]) for row in rows if not row[6]}


def _sqlite_keys(
    empty: sqlite3.Connection, name: str, columns: dict[str, int]
) -> tuple[tuple[int, ...], ...]:
    listed = list(columns)
    primary = sorted((place, at) for at, place in enumerate(columns.values()) if place)
    keys = [tuple(at for _, at in primary)] if primary else []
    for _, index, unique, _, partial in empty.execute(
        f"PRAGMA index_list({quoted(name)})"
    ).fetchall():
        rows = empty.execute(f"PRAGMA index_info({quoted(index)})").fetchall()
        within = [str(row[2]) for row in rows]
        if unique and not partial and set(within) <= columns.keys():
            keys.append(tuple(map(listed.index, within)))
    return tuple(dict.fromkeys(tuple(sorted(key)) for key in keys))


def _sqlite_links(
    empty: sqlite3.Connection, name: str, columns: dict[str, dict[str, int]]
) -> Iterable[ForeignKey]:
    spelt = {table.lower(): table for table in columns}
    pairs: dict[int, list[tuple[str, str, Any]]] = {}
    for row in empty.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall():
        pairs.setdefault(row[0], []).append((str(row[2]), str(row[3]), row[4]))
    for _, listed in sorted(pairs.items()):
        parent = spelt.get(listed[0][0].lower())
        if parent is None:
            continue
        key = sorted((at, one) for one, at in columns[parent].items() if at)
        here = _places(columns[name], [column for _, column, _ in listed])
        named = [
            str(name_there) if name_there is not None else key[at][1]
            for at, (_, _, name_there) in enumerate(listed)
            if name_there is not None or len(key) == len(listed)
        ]
        there = _places(columns[parent], named)
        if here and there and len(here) == len(there):
            yield ForeignKey(here, parent, there)


def _places(columns: Iterable[str], named: Sequence[str]) -> tuple[int, ...]:
    """Where some columns stand; nothing if one of them is not there."""
    listed = [column.lower() for column in columns]
    known = all(name.lower() in listed for name in named)
    return tuple(listed.index(name.lower()) for name in named) if known else ()


# -- DuckDB ----------------------------------------------------------------------------


def new_duckdb(path: str) -> Any:
    """A connection that writes one file, and reaches no other."""
    import duckdb

    return duckdb.connect(path, config=_DUCKDB_SETTINGS)


def _of_duckdb(
    statements: Sequence[str], names: Sequence[str]
) -> tuple[StoredTable, ...]:
    with closing(new_duckdb(":memory:")) as empty:
        for statement in statements:
            empty.execute(statement)
        columns: dict[str, list[str]] = {name: [] for name in names}
        for name, column in empty.execute(_DUCKDB_COLUMNS).fetchall():
            if name in columns:  # those of views are none
                columns[name].append(column)
        keys: dict[str, list[tuple[int, ...]]] = {name: [] for name in names}
        links: dict[str, list[ForeignKey]] = {name: [] for name in names}
        for name, within, parent, there, kind in empty.execute(
            _DUCKDB_CONSTRAINTS
        ).fetchall():
            here = _places(columns[name], within)
            if kind == "FOREIGN KEY":
                links[name].append(
                    ForeignKey(here, parent, _places(columns[parent], there))
                )
            else:
                keys[name].append(tuple(sorted(here)))
        return tuple(
            StoredTable(
                *(name, tuple(columns[name])),
                tuple(dict.fromkeys(keys[name])),
                tuple(dict.fromkeys(links[name])),
            )
            for name in names
        )
