"""The tables of a database: their columns and primary keys, as its catalogue says.

A maximum needs them to know by what a row is named. They are asked for by a query like
any other, so that what limits queries limits this one, too.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlglot import exp

from demur.sql.clauses import tree_of

CATALOGUE: Final = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    "duckdb": (
        "SELECT c.table_name, to_json(list(c.column_name ORDER BY c.column_index)), "
        "(SELECT to_json(any_value(k.constraint_column_names)) "
        "FROM duckdb_constraints() k WHERE k.constraint_type = 'PRIMARY KEY' "
        "AND k.table_oid = c.table_oid AND k.database_oid = c.database_oid) "
        "FROM duckdb_columns() c WHERE NOT c.internal "
        "GROUP BY c.table_name, c.table_oid, c.database_oid"
    ),
    "postgres": (
        "SELECT t.relname, json_agg(a.attname ORDER BY a.attnum), "
        "(SELECT json_agg(b.attname) FROM pg_index i JOIN pg_attribute b "
        "ON b.attrelid = i.indrelid AND b.attnum = ANY (i.indkey) "
        "WHERE i.indrelid = t.oid AND i.indisprimary) "
        "FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid "
        "WHERE t.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 "
        "AND NOT a.attisdropped AND pg_table_is_visible(t.oid) "
        "AND t.relnamespace::regnamespace::text "
        "NOT IN ('pg_catalog', 'information_schema') GROUP BY t.oid, t.relname"
    ),
}
"""A query for the tables, for each dialect that has one."""


class TableColumns(NamedTuple):
    """The columns of a table, spelt as its catalogue spells them.

    Parameters
    ----------
    names : tuple of str
        All of them.
    key : tuple of str
        Those of the primary key; none if it has none, or if that is not known.
    """

    names: tuple[str, ...]
    key: tuple[str, ...] = ()


Schema = Mapping[str, TableColumns]
"""The tables of a database by their names in small letters."""


def schema_of(rows: Sequence[Sequence[Any]], dialect: str) -> Schema:
    """What the catalogue query of a dialect has returned.

    Parameters
    ----------
    rows : sequence of tuples
        The result of the query in `CATALOGUE`.
    dialect : str
        sqlite, duckdb or postgres.

    Returns
    -------
    mapping of str to TableColumns

    Examples
    --------
    >>> made = "CREATE TABLE City (Id INTEGER PRIMARY KEY, Name TEXT)"
    >>> schema_of([("City", made)], "sqlite")
    {'city': TableColumns(names=('Id', 'Name'), key=('Id',))}
    """
    if dialect == "sqlite":
        return dict(_created(str(name), str(text)) for name, text in rows)
    return {
        str(name).lower(): TableColumns(_listed(columns), _listed(key))
        for name, columns, key in rows
    }


def _listed(names: str | None) -> tuple[str, ...]:
    if isinstance(names, str):  # one that is read as JSON comes as text
        names = json.loads(names)
    return tuple(map(str, names or ()))


def _created(name: str, text: str) -> tuple[str, TableColumns]:
    """A table as the statement says that made it; SQLite keeps no other catalogue."""
    tree = tree_of(text)
    if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Schema):
        return name.lower(), TableColumns(())
    columns = [one for one in tree.this.expressions if isinstance(one, exp.ColumnDef)]
    key = [one for one in columns if one.find(exp.PrimaryKeyColumnConstraint)]
    apart = tree.find(exp.PrimaryKey)  # PRIMARY KEY (...) after the columns
    if not key and apart is not None:
        key = [one.find(exp.Identifier) for one in apart.expressions]
    names, key_names = (tuple(one.name for one in part) for part in (columns, key))
    return name.lower(), TableColumns(names, key_names)
