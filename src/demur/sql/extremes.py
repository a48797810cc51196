"""The rows that a single max or min is of: all of them where several are greatest."""

from typing import Any, Final

from sqlglot import exp

from demur.sql.clauses import clauses_of, tokens_of, tree_of

_SAME: Final = {
    "sqlite": "IS",
    "duckdb": "IS NOT DISTINCT FROM",
    "postgres": "IS NOT DISTINCT FROM",
}
"""How each dialect says that two values are equal or both missing."""

_CHOOSING: Final = (
    *("distinct", "having", "order", "limit", "offset", "windows", "qualify"),
)


def rows_of_extreme(sql: str, dialect: str = "sqlite") -> str | None:
    """The query of all rows, with their value and the greatest or least beside it.

    Parameters
    ----------
    sql : str
        A query that shows one max or min of a column, and perhaps what it groups by.
    dialect : str
        Of SQL, as sqlglot names it.

    Returns
    -------
    str or None
        None if it is another query.

    Examples
    --------
    >>> print(rows_of_extreme("SELECT max(size) FROM city WHERE land = 'IT'"))
    SELECT size AS at_row, MAX(size) OVER () AS at_extreme
    FROM city WHERE land = 'IT'
    """
    query, clauses = tree_of(sql, dialect), clauses_of(sql, dialect)
    if not isinstance(query, exp.Select) or clauses is None or clauses.from_at < 0:
        return None
    if dialect not in _SAME or any(query.args.get(clause) for clause in _CHOOSING):
        return None
    keys = _keys(query)
    shown = [item.unalias() for item in query.expressions]
    extremes = [node for node in shown if isinstance(node, (exp.Max, exp.Min))]
    if len(extremes) != 1 or not all(map(_is_plain, keys)):
        return None
    [extreme] = extremes
    known = {key.sql(dialect).lower() for key in keys}
    others = (node.sql(dialect).lower() for node in shown if node is not extreme)
    if (
        not _is_plain(extreme.this)
        or extreme.expressions
        or not known.issuperset(others)
    ):
        return None
    items = [
        f"{node.this.sql(dialect)} AS at_row" if node is extreme else node.sql(dialect)
        for node in shown
    ]
    groups = ", ".join(key.sql(dialect) for key in keys)
    window = f"PARTITION BY {groups}" if groups else ""
    items.append(f"{extreme.sql(dialect)} OVER ({window}) AS at_extreme")
    head, rest = (
        sql[: clauses.list_at].rstrip(),
        sql[clauses.from_at : _end(sql, dialect)],
    )
    return f"{head} {', '.join(items)}\n{rest.rstrip()}"


def at_extreme(rows: str, dialect: str) -> str:
    """Those of the rows of `rows_of_extreme` that are greatest or least.

    Examples
    --------
    >>> print(at_extreme("SELECT a AS at_row, max(a) OVER () AS at_extreme", "sqlite"))
    SELECT * FROM (SELECT a AS at_row, max(a) OVER () AS at_extreme
    ) AS all_rows WHERE at_row IS at_extreme
    """
    same = f"at_row {_SAME[dialect]} at_extreme"
    return f"SELECT * FROM ({rows}\n) AS all_rows WHERE {same}"


def _keys(query: exp.Select) -> list[Any]:
    """What it groups by; None among them for what is more than a list."""
    group = query.args.get("group")
    if group is None:
        return []
    more = any(value for name, value in group.args.items() if name != "expressions")
    return [None] if more else group.expressions


def _is_plain(node: Any) -> bool:
    return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)


def _end(sql: str, dialect: str) -> int:
    """Where GROUP BY begins, or the text ends."""
    top = [token for token in tokens_of(sql, dialect) if token.depth == 0]
    ends = [token.start for token in top if token.upper == "GROUP" or token.text == ";"]
    return min(ends, default=len(sql))
