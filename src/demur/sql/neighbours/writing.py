"""A new instance, written under the constraints of its tables."""

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from demur.sql.neighbours.blueprints import (
    Blueprint,
    ForeignKey,
    StoredTable,
    new_duckdb,
    new_sqlite,
    quoted,
)


def write_instance(
    path: Path,
    blueprint: Blueprint,
    contents: Mapping[str, Sequence[Sequence[Any]]],
) -> int:
    """Write a database, without the rows that break a constraint.

    Parameters
    ----------
    path : Path
        A file that is not there yet.
    blueprint : Blueprint
        Its tables.
    contents : mapping of table to rows
        As a `Fuzzer` draws them.

    Returns
    -------
    int
        How many rows were written.
    """
    write = _write_sqlite if blueprint.engine == "sqlite" else _write_duckdb
    return write(path, blueprint, contents)


def orphans(table: StoredTable, link: ForeignKey, blueprint: Blueprint) -> str:
    """What is true of the rows whose foreign key leads nowhere.

    Examples
    --------
    >>> key = ForeignKey((1,), "land", (0,))
    >>> city = StoredTable("city", ("id", "land"), links=(key,))
    >>> print(orphans(city, key, Blueprint("sqlite", (), (
    ...     StoredTable("land", ("id",)), city))))
    FROM "city" AS child WHERE child."land" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM
    "land" AS parent WHERE parent."id" = child."land")
    """
    parent = next(one for one in blueprint.tables if one.name == link.parent)
    child_columns = [f"child.{quoted(table.columns[at])}" for at in link.columns]
    parent_columns = [
        f"parent.{quoted(parent.columns[at])}" for at in link.parent_columns
    ]
    given = " AND ".join(f"{column} IS NOT NULL" for column in child_columns)
    equal = " AND ".join(
        f"{a} = {b}" for a, b in zip(parent_columns, child_columns, strict=True)
    )
    return (
        f"FROM {quoted(table.name)} AS child WHERE {given} AND NOT EXISTS "
        f"(SELECT 1 FROM {quoted(parent.name)} AS parent WHERE {equal})"
    )


def _insertion(table: StoredTable, places: Sequence[str]) -> str:
    columns = ", ".join(map(quoted, table.columns))
    values = ", ".join(places)
    return f"INSERT INTO {quoted(table.name)} ({columns}) VALUES ({values})"


def _write_sqlite(
    path: Path,
    blueprint: Blueprint,
    contents: Mapping[str, Sequence[Sequence[Any]]],
) -> int:
    import sqlite3

    with closing(new_sqlite(str(path))) as made:
        made.execute("PRAGMA synchronous=OFF")
        for statement in blueprint.statements:
            made.execute(statement)
        made.execute("BEGIN")
        for table in blueprint.tables:
            for row in contents[table.name]:
                cells = [_bytes_of(cell) for cell in row]
                places = [
                    "?" if read is cell else "CAST(? AS TEXT)"
                    for read, cell in zip(cells, row, strict=True)
                ]
                with suppress(sqlite3.Error, OverflowError):
                    made.execute(_insertion(table, places), cells)
        _drop_orphans(made, blueprint)
        made.execute("COMMIT")
        counts = (
            made.execute(f"SELECT count(*) FROM {quoted(table.name)}").fetchone()[0]
            for table in blueprint.tables
        )
        return sum(counts)


def _drop_orphans(made: Any, blueprint: Blueprint) -> None:
    """Delete rows whose foreign keys lead nowhere, and those that lead to these."""
    deletions = [
        f"DELETE {orphans(table, link, blueprint)}"
        for table, link in blueprint.links
        if link.held
    ]
    while sum([made.execute(deletion).rowcount for deletion in deletions]):
        pass


def _bytes_of(cell: Any) -> Any:
    """A text that is no UTF-8 as its bytes; anything else as it is."""
    if isinstance(cell, str) and not cell.isascii():
        try:
            cell.encode()
        except UnicodeEncodeError:
            return cell.encode(errors="surrogateescape")
    return cell


def _write_duckdb(
    path: Path,
    blueprint: Blueprint,
    contents: Mapping[str, Sequence[Sequence[Any]]],
) -> int:
    import duckdb

    count = 0
    with closing(new_duckdb(str(path))) as made:
        for statement in blueprint.statements:
            made.execute(statement)
        for table in blueprint.tables:
            insertion = _insertion(table, ["?"] * len(table.columns))
            for row in contents[table.name]:
                with suppress(duckdb.Error):
                    made.execute(insertion, row)
                    count += 1
    return count
