"""The most that an answer may hold, derived from a canonical query.

An answer may show what its question names: the columns of the output, and those that
conditions are put on. Source: the maximal answers of MADCOW (1992), section 2.2.2.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from demur.sql.clauses import clauses_of

if TYPE_CHECKING:
    from sqlglot import exp

_AGGREGATES: Final = frozenset(
    {
        *("total", "jsonb_group_array", "jsonb_group_object", "percentile"),
        *("percentile_cont", "percentile_disc", "geopoly_group_bbox"),
    }
)
"""Those of SQLite that sqlglot does not know; it alone lets other columns beside."""


def derived_maximum(sql: str, dialect: str = "sqlite") -> str | None:
    """A query for the output of another, with all columns that the other names.

    Columns in output, joins, conditions and the sort key count, and what nested queries
    say of this query's tables by their names (``c.id``). The further columns are put
    into the text as it stands, since writing it anew can change what it means.

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
        GROUP BY, set operations, and DISTINCT with LIMIT or OFFSET; and where the text
        cannot be parsed.

    Notes
    -----
    Of ``SELECT name FROM city WHERE size > 9`` it is
    ``SELECT name, size FROM city WHERE size > 9``. The columns that a NATURAL JOIN
    joins by are not in the text, so they are not added; nor are columns of this query
    that a nested one names without their table.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        query = sqlglot.parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(query, exp.Select) or _sums_up(query):
        return None
    clauses = clauses_of(sql, dialect)
    if clauses is None or clauses.list_end < 0:
        return None
    at = clauses.list_end
    return sql[:at] + "".join(_further(query, dialect)) + sql[at:]


def _further(query: "exp.Select", dialect: str) -> Iterator[str]:
    """What a select list lacks of the columns that its query names, as text.

    A name that another column of the output has already is not given twice, so that a
    sort key means what it meant.
    """
    shown = {expression.sql(dialect).lower() for expression in query.expressions}
    names = {expression.alias_or_name.lower() for expression in query.expressions}
    for column in (*_named(query, dialect), *_correlated(query)):
        text = column.sql(dialect)
        if text.lower() in shown:
            continue
        shown.add(text.lower())
        name = column.name.lower()
        if name in names:
            name = f"column_{len(shown)}"
            text = f"{text} AS {name}"
        names.add(name)
        yield f", {text}"


def _sums_up(query: "exp.Select") -> bool:
    """Whether a row of the result stands for several rows of the tables."""
    from sqlglot import exp

    has = query.args.get
    if has("group") or has("having"):
        return True
    if has("distinct") and (has("limit") or has("offset")):
        return True
    sums = (exp.AggFunc, exp.Window, exp.JSONArrayAgg, exp.JSONObjectAgg)
    return any(
        isinstance(each, sums)
        or (isinstance(each, exp.Anonymous) and each.name.lower() in _AGGREGATES)
        for each in _own(query)
    )


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


def _named(query: "exp.Select", dialect: str) -> "Iterator[exp.Column]":
    from sqlglot import exp

    aliases = {
        expression.alias.lower() for expression in query.expressions if expression.alias
    }
    for node in _own(query):
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            alias = not node.table and node.name.lower() in aliases
            if not (alias and _sorts_by_alias(node, dialect)):
                yield node
        elif isinstance(node, exp.Join):
            for each in node.args.get("using") or ():
                yield exp.column(each.name)


def _sorts_by_alias(column: "exp.Column", dialect: str) -> bool:
    """Whether a name that an alias bears is that alias: nowhere but in a sort key.

    In PostgreSQL it must be the whole key.
    """
    from sqlglot import exp

    if dialect == "postgres":
        return isinstance(column.parent, exp.Ordered)
    return column.find_ancestor(exp.Order) is not None


def _correlated(query: "exp.Select") -> "Iterator[exp.Column]":
    """Columns of a query's own tables that queries within it name."""
    from sqlglot import exp

    for nested in query.find_all(exp.Select):
        if nested is query:
            continue
        for node in _own(nested):
            named = isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
            if named and _scope(node, nested) is query:
                yield node


def _scope(column: "exp.Column", query: "exp.Select") -> Any:
    scope: Any = query
    while scope is not None and column.table.lower() not in _sources(scope):
        scope = scope.parent_select
    return scope


def _sources(query: "exp.Select") -> set[str]:
    from sqlglot import exp

    return {
        node.this.alias_or_name.lower()
        for node in _own(query)
        if isinstance(node, (exp.From, exp.Join))
    }
