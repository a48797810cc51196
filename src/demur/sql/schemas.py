"""The tables of a database: their columns and keys, as its catalogue says.

A maximum needs them to know by what a row is named. They are asked for by a query like
any other, so that what limits queries limits this one, too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlglot import exp

from demur.sql.clauses import tree_of

CATALOGUE: Final = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    "duckdb": (
        "SELECT c.table_name, to_json(list(c.column_name ORDER BY c.column_index)), "
        "(SELECT to_json(any_value(k.constraint_column_names)) "
        "FROM duckdb_constraints() k WHERE k.constraint_type = 'PRIMARY KEY' "
        "AND k.table_oid = c.table_oid AND k.database_oid = c.database_oid), "
        "to_json(list(c.column_name) FILTER (WHERE c.data_type = 'VARCHAR')), "
        "(SELECT to_json(list(k.constraint_text ORDER BY k.constraint_index)) "
        "FROM duckdb_constraints() k WHERE k.constraint_type = 'FOREIGN KEY' "
        "AND k.table_oid = c.table_oid AND k.database_oid = c.database_oid) "
        "FROM duckdb_columns() c WHERE NOT c.internal "
        "GROUP BY c.table_name, c.table_oid, c.database_oid"
    ),
    "postgres": (
        "SELECT t.relname, json_agg(a.attname ORDER BY a.attnum), "
        "(SELECT json_agg(b.attname) FROM pg_index i JOIN pg_attribute b "
        "ON b.attrelid = i.indrelid AND b.attnum = ANY (i.indkey) "
        "WHERE i.indrelid = t.oid AND i.indisprimary), "
        "json_agg(a.attname) FILTER (WHERE y.typcategory = 'S'), "
        "(SELECT json_agg(pg_get_constraintdef(f.oid) ORDER BY f.conname) "
        "FROM pg_constraint f WHERE f.conrelid = t.oid AND f.contype = 'f') "
        "FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid "
        "JOIN pg_type y ON y.oid = a.atttypid "
        "WHERE t.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 "
        "AND NOT a.attisdropped AND pg_table_is_visible(t.oid) "
        "AND t.relnamespace::regnamespace::text "
        "NOT IN ('pg_catalog', 'information_schema') GROUP BY t.oid, t.relname"
    ),
}
"""A query for the tables, for each dialect that has one."""

_NAMING: Final = re.compile(r"(?:^|_)(?:name|title)$|name$")
"""A column by which people name a row: name, last_name, AirportName, title."""

_WORD: Final = re.compile(r"[a-z0-9]+$")


class Link(NamedTuple):
    """A foreign key of one column.

    Parameters
    ----------
    column : str
        That holds it, in small letters.
    table : str
        To which it points, spelt as there.
    target : str
        The column there, in small letters; "" for the primary key.
    """

    column: str
    table: str
    target: str = ""


class TableColumns(NamedTuple):
    """The columns of a table, spelt as its catalogue spells them.

    Parameters
    ----------
    names : tuple of str
        All of them.
    key : tuple of str
        Those of the primary key; none if it has none, or if that is not known.
    texts : tuple of str
        Those that hold texts.
    links : tuple of Link
        The foreign keys of one column.
    """

    names: tuple[str, ...]
    key: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    def called(self, table: str) -> tuple[str, ...]:
        """The columns that are called a name or title, or like the table.

        Examples
        --------
        >>> TableColumns(("id", "airline", "last_name")).called("airlines")
        ('airline', 'last_name')
        """
        word = _WORD.search(table.lower())
        same = {word.group(), word.group().removesuffix("s")} if word else set()
        return tuple(
            name
            for name in self.names
            if _NAMING.search(name.lower()) or name.lower() in same
        )

    def naming(self, table: str) -> tuple[str, ...]:
        """The columns by which people name a row, after the primary key.

        Those that are called a name or title, or like the table; if there is none, and
        the table has a key of its own, the only text beside its keys.

        Examples
        --------
        >>> TableColumns(("id", "airline", "land"), ("id",)).naming("airlines")
        ('id', 'airline')
        >>> kinds = TableColumns(("code", "words"), ("code",), ("code", "words"))
        >>> kinds.naming("kinds")
        ('code', 'words')
        """
        named = [*self.called(table)]
        foreign = {link.column for link in self.links}
        has_own_key = len(self.key) == 1 and self.key[0].lower() not in foreign
        keys = {*foreign, *map(str.lower, self.key)}
        if has_own_key and not {*map(str.lower, named)} - keys:
            texts = [name for name in self.texts if name.lower() not in keys]
            named += texts if len(texts) == 1 else []
        return tuple(n for n in self.names if n in self.key or n in named)


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
    >>> schema_of([("City", made)], "sqlite")["city"][:3]
    (('Id', 'Name'), ('Id',), ('Name',))
    """
    if dialect == "sqlite":
        made = ((str(name).lower(), _created(str(text))) for name, text in rows)
        return {name: table for name, table in made if table is not None}
    return {str(name).lower(): _listed_table(*fields) for name, *fields in rows}


def _listed_table(
    names: str | None, key: str | None, texts: str | None, foreign: str | None
) -> TableColumns:
    """A table as a catalogue with columns of its own tells of it."""
    made = tree_of(f"CREATE TABLE t ({', '.join(_listed(foreign))})")
    links = tuple(_links(made)) if made is not None else ()
    return TableColumns(_listed(names), _listed(key), _listed(texts), links)


def _listed(names: str | None) -> tuple[str, ...]:
    if isinstance(names, str):  # one that is read as JSON comes as text
        names = json.loads(names)
    return tuple(map(str, names or ()))


_NO_COLUMN: Final = re.compile(
    r"\bON\s+CONFLICT\s+\w+|(?<=\))(?:\s*,?\s*(?:WITHOUT\s+ROWID|STRICT)\b)+\s*;?\s*\Z"
    r"|\b(?:ASC|DESC)(?=\s*[,)])",
    re.IGNORECASE,
)
"""What SQLite writes beside columns and keys, and sqlglot does not read."""


@lru_cache(maxsize=1024)  # the tables of a database are read for each of its questions
def _created(text: str) -> TableColumns | None:
    """A table as the statement says that made it; SQLite keeps no other catalogue.

    None if the statement cannot be read: of that table nothing is known.
    """
    tree = tree_of(_NO_COLUMN.sub(" ", text))
    if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Schema):
        return None
    kinds = (exp.ColumnDef, exp.Identifier)  # the latter has no type
    columns = [one for one in tree.this.expressions if isinstance(one, kinds)]
    key = [one for one in columns if one.find(exp.PrimaryKeyColumnConstraint)]
    apart = tree.find(exp.PrimaryKey)  # PRIMARY KEY (...) after the columns
    if not key and apart is not None:
        key = [one.find(exp.Identifier) for one in apart.expressions]
    kinds_of = [(one, one.args.get("kind")) for one in columns]
    texts = [one for one, kind in kinds_of if kind and kind.is_type(*_TEXTS)]
    parts = (columns, key, texts)
    names, key_names, text_names = (tuple(one.name for one in part) for part in parts)
    return TableColumns(names, key_names, text_names, (*_links(tree),))


_TEXTS: Final = exp.DataType.TEXT_TYPES


def _links(tree: Any) -> Iterator[Link]:
    """The foreign keys of one column, beside it or after all columns."""
    for reference in tree.find_all(exp.Reference):
        holder = reference.find_ancestor(exp.ForeignKey, exp.ColumnDef)
        place = reference.this
        targets = place.expressions if isinstance(place, exp.Schema) else []
        table = place.find(exp.Table)
        columns = [holder] if isinstance(holder, exp.ColumnDef) else holder.expressions
        if len(columns) == 1 and len(targets) < 2 and table is not None:
            target = targets[0].name.lower() if targets else ""
            yield Link(columns[0].name.lower(), table.name, target)
