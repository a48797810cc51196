"""The most that an answer may hold, derived from a canonical query.

An answer may show what its question names: the columns of the output, and those that
conditions are put on. Source: the maximal answers of MADCOW (1992), section 2.2.2.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from demur.errors import MissingExtra

if TYPE_CHECKING:
    from sqlglot import exp


def derived_maximum(sql: str, dialect: str = "sqlite") -> str | None:
    """A query for the output of another, with all columns that the other names.

    Columns in output, joins, conditions and the sort key count; those of nested queries
    do not, since they are of other tables.

    Parameters
    ----------
    sql : str
        The canonical query.
    dialect : str
        Of SQL, as sqlglot names it.

    Returns
    -------
    str or None
        None where further columns would change what the rows are: with aggregates,
        GROUP BY, set operations, and DISTINCT with LIMIT; and where the text cannot be
        parsed.

    Raises
    ------
    MissingExtra
        If sqlglot is not installed.

    Notes
    -----
    Of ``SELECT name FROM city WHERE size > 9`` it is
    ``SELECT name, size FROM city WHERE size > 9``.
    """
    try:
        import sqlglot
        from sqlglot import exp
        from sqlglot.errors import SqlglotError
    except ImportError as problem:
        raise MissingExtra("sql", "--maximum derived") from problem
    try:
        query = sqlglot.parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(query, exp.Select) or _sums_up(query):
        return None
    shown = {each.sql(dialect).lower() for each in query.expressions}
    for column in _named(query):
        text = column.sql(dialect)
        if text.lower() not in shown:
            shown.add(text.lower())
            query = query.select(column.copy(), copy=False)
    return str(query.sql(dialect))


def _sums_up(query: "exp.Select") -> bool:
    """Whether a row of the result stands for several rows of the tables."""
    from sqlglot import exp

    if query.args.get("group") or query.args.get("having"):
        return True
    if query.args.get("distinct") and query.args.get("limit"):
        return True
    return any(isinstance(each, (exp.AggFunc, exp.Window)) for each in _own(query))


def _own(query: "exp.Select") -> Iterator[Any]:
    """What stands in a query itself, not in a query within it.

    The types of sqlglot's nodes have other names in other versions.
    """
    from sqlglot import exp

    def nested(node: Any) -> bool:
        return node is not query and isinstance(node, (exp.Query, exp.CTE))

    for node in query.walk(prune=nested):
        if not nested(node):
            yield node


def _named(query: "exp.Select") -> "Iterator[exp.Column]":
    from sqlglot import exp

    aliases = {each.alias.lower() for each in query.expressions if each.alias}
    for node in _own(query):
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            if node.table or node.name.lower() not in aliases:
                yield node
        elif isinstance(node, exp.Join):
            for each in node.args.get("using") or ():
                yield exp.column(each.name)
