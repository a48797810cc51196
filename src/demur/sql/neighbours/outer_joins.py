"""Outer joins whose further rows a condition drops: they are inner joins."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from sqlglot import exp

_NEVER_OF_NULL: Final = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE),
    *(exp.Like, exp.ILike, exp.Between, exp.In),
)
"""Comparisons that are true of no NULL."""


def drops_outer_rows(join: Any, side: str) -> bool:
    """Whether a join shows the same if it is made LEFT or RIGHT, whatever the rows.

    The rows that an outer join adds hold NULL for all columns of one side. They are
    dropped by a comparison of such a column in WHERE, or in a join that follows.

    Parameters
    ----------
    join : Join
        As sqlglot reads it.
    side : str
        LEFT or RIGHT.

    Examples
    --------
    >>> import sqlglot
    >>> text = "SELECT a.x FROM a JOIN b ON a.id = b.id WHERE b.y > 3"
    >>> join = sqlglot.parse_one(text).args["joins"][0]
    >>> drops_outer_rows(join, "LEFT"), drops_outer_rows(join, "RIGHT")
    (True, False)
    """
    query = join.parent
    if not isinstance(query, exp.Select) or side not in ("LEFT", "RIGHT"):
        return False
    joins = query.args["joins"]
    at = next(number for number, one in enumerate(joins) if one is join)
    if any(one.side for one in joins if one is not join):
        return False
    source: Any = query.args.get("from_") or query.args.get("from")
    before = [source.this, *(one.this for one in joins[:at])]
    without = [join.this] if side == "LEFT" else before
    names = {table.alias_or_name.lower() for table in without} - {""}
    where = query.args.get("where")
    conditions = [one.args.get("on") for one in joins[at + 1 :]]
    conditions.append(where.this if where else None)
    return any(_is_never_of_null(one, names) for one in conditions if one is not None)


def _is_never_of_null(condition: Any, names: AbstractSet[str]) -> bool:
    """Whether a condition holds for no row whose columns of some tables are NULL."""
    if isinstance(condition, exp.Paren):
        return _is_never_of_null(condition.this, names)
    if isinstance(condition, exp.And | exp.Or):
        sides = (_is_never_of_null(one, names) for one in _sides(condition))
        return any(sides) if isinstance(condition, exp.And) else all(sides)
    if isinstance(condition, exp.Not):
        return _is_never_false_of_null(condition.this, names)
    if not isinstance(condition, _NEVER_OF_NULL):
        return False
    operands = [condition.this]
    if isinstance(condition, exp.Binary):
        operands.append(condition.expression)
    return any(_is_of(operand, names) for operand in operands)


def _is_never_false_of_null(condition: Any, names: AbstractSet[str]) -> bool:
    """Whether a condition is false for no row whose columns of some tables are NULL.

    A comparison with NULL is neither true nor false, and ``x IS NULL`` is true. In
    nothing at all there is no NULL either, and a query may return nothing.
    """
    condition = condition.unnest()
    if isinstance(condition, exp.Is):
        compared = isinstance(condition.expression, exp.Null)
        return compared and _is_of(condition.this, names)
    if isinstance(condition, exp.In) and not condition.expressions:
        return False
    return isinstance(condition, _NEVER_OF_NULL) and _is_never_of_null(condition, names)


def _sides(condition: Any) -> Iterator[Any]:
    yield from (condition.left, condition.right)


def _is_of(node: Any, names: AbstractSet[str]) -> bool:
    return isinstance(node, exp.Column) and node.table.lower() in names
