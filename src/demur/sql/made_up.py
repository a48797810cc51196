"""Answers that show nothing of a table: constants, wherever they say they are from."""

import re
from typing import Any, Final

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope

from demur.sql.clauses import LONGEST, tree_of
from demur.sql.sources import reads_table

_CONSTANT: Final = re.compile(
    r"\bselect\b(?:(?!\b(?:from|select)\b).)*?(?:['\"]|(?<![\w.])\.?\d|\bnull\b)",
    re.I | re.S,
)
"""A constant between SELECT and FROM: without one everything that is shown is data."""

_OF_VALUES: Final = (exp.Max, exp.Min, exp.Avg)
"""Of a constant these are that constant; any other aggregate counts rows, too."""


def shows_data(sql: str, dialect: str = "sqlite") -> bool:
    """Whether a column that a query shows is of a table, or counts its rows.

    Which rows it takes does not matter: who shows a constant made it up. What cannot be
    read is taken for data.

    Examples
    --------
    >>> [shows_data(text) for text in (
    ...     "SELECT 3", "SELECT 3 FROM city WHERE size > 9 LIMIT 1",
    ...     "SELECT a FROM (SELECT 3 AS a), city", "SELECT count(*), 3 FROM city")]
    [False, False, False, True]
    """
    if not reads_table(sql):
        return False
    if len(sql) > LONGEST or not _CONSTANT.search(sql):
        return True
    try:
        scope = build_scope(tree_of(sql, dialect))
        return scope is None or _shows_data(scope, dialect)
    except (sqlglot.errors.SqlglotError, RecursionError):
        return True


def _shows_data(scope: Scope, dialect: str) -> bool:
    if parts := _parts(scope):
        return any(_shows_data(part, dialect) for part in parts)
    return any(_is_data(item, scope, dialect) for item in _shown(scope))


def _parts(scope: Any) -> list[Scope]:
    """Those of a set operation; they have other names in other versions of sqlglot."""
    names = ("set_operation_scopes", "union_scopes")
    return next(filter(None, (getattr(scope, name, None) for name in names)), [])


def _shown(scope: Any) -> list[Any]:
    made = isinstance(scope.expression, exp.Values)
    return [] if made else scope.expression.selects


def _is_data(item: Any, scope: Scope, dialect: str) -> bool:
    for node in item.walk(prune=lambda node: isinstance(node, exp.Query)):
        if isinstance(node, exp.Query):
            is_data = shows_data(node.unnest().sql(dialect), dialect)
        elif isinstance(node, exp.AggFunc):
            is_data = not isinstance(node, _OF_VALUES)
        elif isinstance(node, exp.Column):
            is_data = _is_of_table(node, scope, dialect)
        else:
            is_data = isinstance(node, (exp.Star, exp.Window, exp.Exists))
        if is_data:
            return True
    return False


def _is_of_table(column: exp.Column, scope: Scope, dialect: str) -> bool:
    """Whether a column is no constant of a query that this one reads."""
    if column.table:
        sources = [scope.sources.get(column.table)]
    else:
        sources = [*scope.sources.values()]
    made = [source for source in sources if isinstance(source, Scope)]
    for source in made:
        for item in () if _parts(source) else _shown(source):
            if item.alias_or_name == column.name:
                return _is_data(item, source, dialect)
    return len(made) < len(sources) or any(_shows_data(part, dialect) for part in made)
