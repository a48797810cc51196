"""Columns beside GROUP BY or a sum that are neither grouped by nor summed up.

SQLite shows the value of any row of the group; other engines refuse such a query.
"""

from dataclasses import dataclass

from sqlglot import exp

from demur.sql.clauses import clauses_of, tree_of


@dataclass(frozen=True, slots=True)
class BareColumns:
    """A query that also shows how many values its bare columns have in each group.

    Parameters
    ----------
    sql : str
        The query; the counts are its last columns.
    names : tuple of str
        The bare columns, in the order of the counts.
    """

    sql: str
    names: tuple[str, ...]


def bare_columns(sql: str) -> BareColumns | None:
    """The bare columns of a query's select list; None if it has none.

    With a single min() or max() SQLite takes the row where that stands: then none is
    bare. Nothing is found in set operations, and in DISTINCT with LIMIT.

    Parameters
    ----------
    sql : str
        The canonical query, for SQLite.

    Examples
    --------
    >>> bare_columns("SELECT name, land, count(*) FROM city GROUP BY land")
    BareColumns(sql='SELECT name, land, count(*), count(DISTINCT name) FROM city GROUP
    BY land', names=('name',))
    >>> bare_columns("SELECT name, max(size) FROM city GROUP BY land")
    """
    query, clauses = tree_of(sql), clauses_of(sql)
    if not isinstance(query, exp.Select) or clauses is None or clauses.list_end < 0:
        return None
    group = query.args.get("group")
    aggregates = [
        call
        for part in query.expressions
        for call in part.find_all(exp.AggFunc)
        if not isinstance(call.parent, exp.Window)
        and call.find_ancestor(exp.Select) is query
    ]
    extremes = [call for call in aggregates if isinstance(call, (exp.Min, exp.Max))]
    truncated = query.args.get("distinct") and (clauses.limited or not group)
    # SQLite takes the other columns from the row of a single min() or max().
    if truncated or len(extremes) == 1 or not (group or aggregates):
        return None
    keys = list(group.expressions) if group else []
    aliases = {item.alias: item.this for item in query.expressions if item.alias}
    grouped = {
        _same(form) for key in keys for form in (key, aliases.get(key.name, key))
    }
    places = {int(key.name) for key in keys if isinstance(key, exp.Literal)}
    bare = {
        column.sql("sqlite"): None
        for place, part in enumerate(query.expressions, 1)
        for column in part.find_all(exp.Column)
        if place not in places
        and not isinstance(column.this, exp.Star)
        and _same(part) not in grouped
        and _same(column) not in grouped
        and column.find_ancestor(exp.AggFunc, exp.Select) is query
    }
    if not bare:
        return None
    at = clauses.list_end
    counts = "".join(f", count(DISTINCT {name})" for name in bare)
    return BareColumns(sql[:at] + counts + sql[at:], tuple(bare))


def _same(node: object) -> str:
    """By what a column is known: its name, whichever table it is said to be of."""
    return str(getattr(node, "name", "") or node).lower()
