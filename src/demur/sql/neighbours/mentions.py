"""The values that a query names, and those beside them, where a fault would show."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sqlglot import exp

from demur.sql.clauses import LONGEST, tree_of

_COMPARED: Final = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)

Value = int | float | str


class Mention(NamedTuple):
    """A column that a query compares, and with what.

    Parameters
    ----------
    table : str
        In small letters; "" if the query does not say which.
    column : str
        In small letters.
    values : tuple
        Those at the borders: 19, 20 and 21 of ``> 20``.
    """

    table: str
    column: str
    values: tuple[Value, ...]


def mentions_in(sql: str, dialect: str) -> tuple[Mention, ...]:
    """The columns that a query compares with values, in the order of its tree.

    Parameters
    ----------
    sql : str
        The query.
    dialect : str
        Of SQL, as sqlglot names it.

    Examples
    --------
    >>> text = "SELECT * FROM city c WHERE c.size > 20 AND name LIKE '%burg'"
    >>> for mention in mentions_in(text, "sqlite"):
    ...     print(*mention)
    city size (19, 20, 21)
    city name ('burg', 'burg x', 'x burg')
    """
    tree = tree_of(sql, dialect) if len(sql) <= LONGEST else None
    if tree is None:
        return ()
    tables = {
        table.alias_or_name.lower(): table.name.lower()
        for table in tree.find_all(exp.Table)
    }
    alone = next(iter(tables.values())) if len(set(tables.values())) == 1 else ""
    kept_values: dict[tuple[str, str], dict[Value, None]] = {}
    for column, values in _compared(tree):
        table = tables.get(column.table.lower(), alone)
        kept = kept_values.setdefault((table, column.name.lower()), {})
        kept.update(dict.fromkeys(values))
    return tuple(Mention(*key, tuple(values)) for key, values in kept_values.items())


def _compared(tree: Any) -> Iterator[tuple[Any, list[Value]]]:
    """Columns of a query, each with the values at the borders of a comparison."""
    for node in tree.walk():
        if isinstance(node, _COMPARED):
            for column, other in ((node.left, node.right), (node.right, node.left)):
                value = _value(other)
                if isinstance(column, exp.Column) and value is not None:
                    yield column, _near(value)
                    break
        elif isinstance(node.this, exp.Column):
            yield node.this, [near for value in _listed(node) for near in _near(value)]


def _listed(node: Any) -> Iterator[Value]:
    """The values of IN and BETWEEN, and what a pattern of LIKE holds."""
    if isinstance(node, exp.In):
        values = node.expressions
    elif isinstance(node, exp.Between):
        values = [node.args["low"], node.args["high"]]
    elif isinstance(node, exp.Like | exp.ILike):
        text = str(node.expression.name).strip("%").replace("%", " ").replace("_", "x")
        yield from (text, f"{text} x", f"x {text}") if text else ()
        return
    else:
        return
    yield from (value for value in map(_value, values) if value is not None)


def _near(value: Value) -> list[Value]:
    """A value; of a number also those beside it."""
    return [value] if isinstance(value, str) else [value - 1, value, value + 1]


def _value(node: Any) -> Value | None:
    if isinstance(node, exp.Neg):
        value = _value(node.this)
        return None if value is None or isinstance(value, str) else -value
    if isinstance(node, exp.Cast | exp.Date):  # such as DATE '2024-05-01'
        text = node.this
        dated = isinstance(text, exp.Literal) and text.is_string
        return str(text.this) if dated else None
    if isinstance(node, exp.Literal):
        if node.is_string:
            return str(node.this)
        return int(node.this) if node.is_int else float(node.this)
    # SQLite reads double quotes as a text where they name no column.
    if isinstance(node, exp.Column) and not node.table and node.this.args.get("quoted"):
        return str(node.name)
    return None
