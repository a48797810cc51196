"""What is a query's own: parts, tables and columns, without the queries within it."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlglot import exp


def own_nodes(start: Any) -> Iterator[Any]:
    """A node and what is in it, without the queries within it.

    The types of sqlglot's nodes have other names in other versions.
    """

    def nested(node: Any) -> bool:
        return node is not start and isinstance(node, (exp.Query, exp.CTE))

    for node in start.walk(prune=nested):
        if not nested(node):
            yield node


def tables_of(query: exp.Select) -> tuple[Mapping[str, str], Mapping[str, Any]]:
    """The tables of a query by the names that it gives them, and these names."""
    tables, aliases = dict[str, str](), dict[str, Any]()
    for node in own_nodes(query):
        source = node.this if isinstance(node, (exp.From, exp.Join)) else None
        if isinstance(source, exp.Table):
            alias = source.alias_or_name.lower()
            tables[alias] = source.name.lower()
            named = source.args.get("alias")
            aliases[alias] = (named or source).this
    return tables, aliases


def aliases_of(query: exp.Select) -> set[str]:
    """The names that a query gives to what it shows."""
    return {item.alias.lower() for item in query.expressions if item.alias}


def own_columns(query: exp.Select, dialect: str) -> Iterator[exp.Column]:
    """The columns that a query names itself."""
    aliases = aliases_of(query)
    for node in own_nodes(query):
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            alias = not node.table and node.name.lower() in aliases
            if not (alias and _sorts_by_alias(node, dialect)):
                yield node
        elif isinstance(node, exp.Join):
            for shared in node.args.get("using") or ():
                yield exp.column(shared.name)


def _sorts_by_alias(column: exp.Column, dialect: str) -> bool:
    """Whether a name that an alias bears is that alias: nowhere but in a sort key.

    In PostgreSQL it must be the whole key. A grouped query may sort and choose groups
    by it.
    """
    if dialect == "postgres":
        return isinstance(column.parent, exp.Ordered)
    return column.find_ancestor(exp.Order, exp.Having, exp.Group) is not None


def correlated_columns(query: exp.Select) -> Iterator[exp.Column]:
    """Columns of a query's own tables that queries within it name."""
    for nested in query.find_all(exp.Select):
        if nested is query:
            continue
        for node in own_nodes(nested):
            named = isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
            if named and _scope(node, nested) is query:
                yield node


def _scope(column: exp.Column, query: exp.Select) -> Any:
    # Without a table it is of the query that it stands in, also where that has no name.
    scope: Any = query if column.table else None
    while scope is not None and column.table.lower() not in sources_of(scope):
        scope = scope.parent_select
    return scope


def sources_of(query: exp.Select) -> set[str]:
    """What a query takes rows from, as it calls it."""
    return {
        node.this.alias_or_name.lower()
        for node in own_nodes(query)
        if isinstance(node, (exp.From, exp.Join))
    }
