"""By what the rows of a query's tables are named: keys, names, and linked rows."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from sqlglot import exp

from demur.sql.own_parts import own_nodes, tables_of
from demur.sql.schemas import Link, Schema, TableColumns

_UNKNOWN: Final = TableColumns(())

_LINKED: Final = "linked"
"""What a table is called to which a foreign key points."""


class RowNames:
    """The tables of a query, and by what their rows are named.

    Parameters
    ----------
    query : Select
        As sqlglot reads it.
    schema : mapping
        The tables of its database.
    """

    def __init__(self, query: exp.Select, schema: Schema) -> None:
        self.query, self.schema = query, schema
        self.tables, self.aliases = tables_of(query)

    def known(self, alias: str) -> TableColumns:
        """The columns of a table, as the query calls it."""
        return self.schema.get(self.tables[alias], _UNKNOWN)

    def of_table(
        self, alias: str, called: AbstractSet[tuple[str, str]]
    ) -> Iterator[Any]:
        """Key and names of a table, and of the rows that its foreign keys point to.

        Those keys count that the query calls, and all of a table without names. What it
        joins by such a key is a table of the query, which has its names already.
        """
        columns = self.known(alias)
        for name in self.naming(alias):
            yield self.column(alias, name)
        keys = {*columns.key} | {link.column for link in columns.links}
        nameless = {*columns.called(self.tables[alias])} <= keys
        for link in columns.links:
            named = nameless or (alias, link.column) in called
            if named and not self._is_joined(alias, link):
                yield from (node for _, node in self.linked(alias, link))

    def naming(self, alias: str) -> tuple[str, ...]:
        """The columns by which people name a row of a table."""
        return self.known(alias).naming(self.tables[alias])

    def linked(self, alias: str, link: Link) -> Iterator[tuple[str, Any]]:
        """The names in the row that a foreign key points to, as queries of one value.

        That there is one row is certain only where it points to the primary key.
        """
        table = self.schema.get(link.table.lower(), _UNKNOWN)
        if len(table.key) != 1 or link.target not in ("", table.key[0].lower()):
            return
        names = self.known(alias).names
        held = next((name for name in names if name.lower() == link.column), None)
        if held is None or _LINKED in self.tables:
            return
        target = exp.column(exp.to_identifier(table.key[0], quoted=True), table=_LINKED)
        for name in table.naming(link.table.lower()):
            if name == table.key[0]:
                yield name, self.column(alias, held)
                continue
            shown = exp.column(exp.to_identifier(name, quoted=True), table=_LINKED)
            table_name = exp.to_identifier(link.table, quoted=True)
            place = exp.alias_(exp.Table(this=table_name), _LINKED, table=True)
            row = target.eq(self.column(alias, held))
            yield name, exp.select(shown).from_(place).where(row).subquery()

    def _is_joined(self, alias: str, link: Link) -> bool:
        """Whether the row that a foreign key points to is a row of the query."""
        others = {a for a, name in self.tables.items() if name == link.table.lower()}
        if not others - {alias}:
            return False
        key = self.schema.get(link.table.lower(), _UNKNOWN).key
        ends = {(other, name.lower()) for other in others for name in key}
        for node in own_nodes(self.query):
            if isinstance(node, exp.EQ):
                sides = [self._end(side) for side in (node.left, node.right)]
                if (alias, link.column) in sides and ends & {*sides}:
                    return True
            elif isinstance(node, exp.Join):
                using = {shared.name.lower() for shared in node.args.get("using") or ()}
                if link.column in using:
                    return True
        return False

    def _end(self, node: Any) -> tuple[str, str]:
        if not isinstance(node, exp.Column):
            return "", ""
        return self.owner(node), node.name.lower()

    def keys(self) -> Iterator[exp.Column]:
        """The primary keys of the tables: rows are counted by them, too."""
        for alias in self.tables:
            for name in self.known(alias).key:
                yield self.column(alias, name)

    def column(self, alias: str, name: str) -> exp.Column:
        """A column of a table, to be put into the query."""
        within = exp.to_identifier(self.aliases[alias])
        return exp.column(exp.to_identifier(name, quoted=True), table=within)

    def owner(self, column: exp.Column) -> str:
        """The table that a column is of, as the query calls it; "" if that is open."""
        if column.table:
            alias = column.table.lower()
            return alias if self.tables.get(alias) in self.schema else ""
        owners = self.owners(column)
        return owners[0] if len(owners) == 1 else ""

    def owners(self, column: exp.Column) -> list[str]:
        """The tables of the query that have a column of that name."""
        name = column.name.lower()
        return [
            alias
            for alias in self.tables
            if name in map(str.lower, self.known(alias).names)
        ]
