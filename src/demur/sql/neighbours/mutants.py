"""Mutants of a query: the same with one small fault, as a system might make it."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from sqlglot import exp

from demur.sql.clauses import LONGEST, tree_of
from demur.sql.neighbours.outer_joins import drops_outer_rows

MOST: Final = 100
"""How many mutants are made of one query."""


class Mutant(NamedTuple):
    """A query with one fault.

    Parameters
    ----------
    fault : str
        One of `FAULTS`.
    sql : str
        Its text.
    """

    fault: str
    sql: str


class Telling(NamedTuple):
    """What can tell a mutant from its query, beside the set of rows.

    Parameters
    ----------
    order : bool
        Whether the order of rows counts.
    repeated : bool
        Whether it counts how often a row is there.
    partners : frozenset of (table, column, table, column)
        Columns of which every value is there in a column of another table, so that no
        row is lost where they are joined; in small letters.
    """

    order: bool = False
    repeated: bool = False
    partners: frozenset[tuple[str, str, str, str]] = frozenset()


Edits = Iterator[Any]
"""What may stand in place of a part of a query; None where it is left out."""

_EDGES: Final = {
    **{exp.GT: exp.GTE, exp.GTE: exp.GT},
    **{exp.LT: exp.LTE, exp.LTE: exp.LT},
}
_TURNED: Final = {
    **{exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE},
    **{exp.EQ: exp.NEQ, exp.NEQ: exp.EQ},
}
_NEGATED: Final = (exp.In, exp.Like, exp.ILike, exp.Between, exp.Is, exp.Exists)
_AGGREGATES: Final = {
    **{exp.Max: exp.Min, exp.Min: exp.Max},
    **{exp.Sum: exp.Avg, exp.Avg: exp.Sum},
}


def mutants_of(sql: str, dialect: str, telling: Telling) -> tuple[Mutant, ...]:
    """The mutants of a query, each once; none if it cannot be read.

    Left out is what a comparison cannot tell from the query, such as an order that
    does not count.

    Parameters
    ----------
    sql : str
        The query.
    dialect : str
        Of SQL, as sqlglot names it.
    telling : Telling
        How results are compared.

    Examples
    --------
    >>> text = "SELECT a FROM t WHERE b > 3 ORDER BY c LIMIT 2"
    >>> for mutant in mutants_of(text, "sqlite", Telling()):
    ...     print(f"{mutant.fault:9} {mutant.sql}")
    distinct  SELECT DISTINCT a FROM t WHERE b > 3 ORDER BY c LIMIT 2
    where     SELECT a FROM t ORDER BY c LIMIT 2
    limit     SELECT a FROM t WHERE b > 3 ORDER BY c LIMIT 3
    limit     SELECT a FROM t WHERE b > 3 ORDER BY c LIMIT 1
    edge      SELECT a FROM t WHERE b >= 3 ORDER BY c LIMIT 2
    sign      SELECT a FROM t WHERE b < 3 ORDER BY c LIMIT 2
    order     SELECT a FROM t WHERE b > 3 ORDER BY c DESC LIMIT 2
    constant  SELECT a FROM t WHERE b > 4 ORDER BY c LIMIT 2
    constant  SELECT a FROM t WHERE b > 2 ORDER BY c LIMIT 2
    """
    tree = tree_of(sql, dialect) if len(sql) <= LONGEST else None
    if not isinstance(tree, exp.Query):
        return ()
    seen, mutants = {_text(tree, dialect)}, list[Mutant]()
    for place, node in enumerate(tree.walk()):
        for fault, edits in FAULTS.items():
            for number, _ in enumerate(edits(node, telling)):
                text = _text(_edited(tree, place, edits, number, telling), dialect)
                if text not in seen:
                    seen.add(text)
                    mutants.append(Mutant(fault, text))
    return tuple(mutants[:MOST])


def rewritten(sql: str, dialect: str) -> str | None:
    """A query as its mutants are written, without a fault; None if it has none.

    Examples
    --------
    >>> rewritten("select a from t -- all", "sqlite")
    'SELECT a FROM t'
    """
    tree = tree_of(sql, dialect) if len(sql) <= LONGEST else None
    return _text(tree, dialect) if isinstance(tree, exp.Query) else None


def _text(tree: Any, dialect: str) -> str:
    return str(tree.sql(dialect, comments=False))


def _edited(
    tree: Any,
    place: int,
    edits: Callable[[Any, Telling], Edits],
    number: int,
    telling: Telling,
) -> Any:
    """A copy of a query with one of the edits at a place."""
    copy = tree.copy()
    node = next(node for at, node in enumerate(copy.walk()) if at == place)
    edit = next(edit for at, edit in enumerate(edits(node, telling)) if at == number)
    if node is copy:
        return edit
    if edit is None:
        node.pop()
    else:
        node.replace(edit)
    return copy


# -- the faults ------------------------------------------------------------------------


def _edge(node: Any, _: Telling) -> Edits:
    """``>`` for ``>=``."""
    if type(node) in _EDGES:
        yield _as(_EDGES[type(node)], node)
    elif isinstance(node, exp.Between):
        value, low, high = (node.args[name] for name in ("this", "low", "high"))
        for left, right in ((exp.GT, exp.LTE), (exp.GTE, exp.LT)):
            ends = _pair(left, value, low), _pair(right, value, high)
            yield exp.Paren(this=_pair(exp.And, *ends))


def _sign(node: Any, _: Telling) -> Edits:
    """``<`` for ``>``, ``<>`` for ``=``, NOT added or dropped."""
    if type(node) in _TURNED and not _joins(node):
        yield _as(_TURNED[type(node)], node)
    elif isinstance(node, exp.Not):
        yield node.this.copy()
    elif isinstance(node, _NEGATED) and not isinstance(node.parent, exp.Not):
        yield exp.Not(this=node.copy())


def _condition(node: Any, _: Telling) -> Edits:
    """One of several conditions dropped."""
    if isinstance(node, exp.And | exp.Or):
        yield node.left.copy()
        yield node.right.copy()


def _logic(node: Any, _: Telling) -> Edits:
    """OR for AND."""
    if isinstance(node, exp.And | exp.Or) and not _joins(node):
        other = exp.Or if isinstance(node, exp.And) else exp.And
        yield exp.Paren(this=_pair(other, node.left, node.right))


def _where(node: Any, _: Telling) -> Edits:
    """WHERE dropped."""
    if isinstance(node, exp.Where):
        yield None


def _having(node: Any, _: Telling) -> Edits:
    """HAVING dropped."""
    if isinstance(node, exp.Having):
        yield None


def _group(node: Any, telling: Telling) -> Edits:
    """GROUP BY, or one of its keys, dropped."""
    query = node.parent
    if not isinstance(node, exp.Group) or not isinstance(query, exp.Select):
        return
    if _sums_up(query) or (telling.repeated and not query.args.get("having")):
        yield None
    for key in node.expressions if len(node.expressions) > 1 else ():
        fewer = node.copy()
        fewer.set("expressions", [one for one in fewer.expressions if one != key])
        yield fewer


def _constant(node: Any, _: Telling) -> Edits:
    """Another number, or another pattern."""
    parent = node.parent
    if not isinstance(node, exp.Literal):
        return
    if isinstance(parent, exp.Like | exp.ILike) and node.is_string:
        text = node.name
        begins, ends = text.startswith("%"), text.endswith("%")
        yield exp.Literal.string(text[1:] if begins else f"%{text}")
        yield exp.Literal.string(text[:-1] if ends else f"{text}%")
    elif isinstance(parent, (*_TURNED, exp.Between)) and node.is_int:
        yield from _beside(node)


def _limit(node: Any, _: Telling) -> Edits:
    """One row more, or one less."""
    limits = isinstance(node.parent, exp.Limit | exp.Offset)
    if isinstance(node, exp.Literal) and limits and node.is_int:
        scalar = node.find_ancestor(exp.Subquery)
        if scalar is not None and isinstance(scalar.parent, tuple(_TURNED)):
            return  # one row is taken anyway
        yield from (near for near in _beside(node) if int(near.name) > 0)


def _distinct(node: Any, telling: Telling) -> Edits:
    """DISTINCT dropped or added."""
    if isinstance(node, exp.Select) and _repeated_rows_count(node, telling):
        other = node.copy()
        added = None if node.args.get("distinct") else exp.Distinct()
        other.set("distinct", added)
        yield other
    elif isinstance(node, exp.Count | exp.Sum | exp.Avg):
        counted = node.this
        if isinstance(counted, exp.Distinct) and len(counted.expressions) == 1:
            yield type(node)(this=counted.expressions[0].copy())
        elif isinstance(counted, exp.Column) and not isinstance(counted.this, exp.Star):
            yield type(node)(this=exp.Distinct(expressions=[counted.copy()]))


def _order(node: Any, telling: Telling) -> Edits:
    """DESC for ASC."""
    if not isinstance(node, exp.Ordered):
        return
    query = node.find_ancestor(exp.Query, exp.Window)
    outermost = query is not None and query.parent is None
    cut = isinstance(query, exp.Query) and query.args.get("limit")
    if isinstance(query, exp.Window) or cut or (outermost and telling.order):
        other = node.copy()
        falling = bool(node.args.get("desc"))
        other.set("desc", not falling)
        other.set("nulls_first", falling)
        yield other


def _aggregate(node: Any, _: Telling) -> Edits:
    """The least for the greatest, the mean for the sum."""
    if type(node) in _AGGREGATES and not node.expressions:
        yield _AGGREGATES[type(node)](this=node.this.copy())


def _join(node: Any, telling: Telling) -> Edits:
    """LEFT or RIGHT JOIN for JOIN."""
    if isinstance(node, exp.Join) and (node.args.get("on") or node.args.get("using")):
        for side in [None] if node.side else ["LEFT", "RIGHT"]:
            if drops_outer_rows(node, side or node.side):
                continue
            if side is None or not _finds_all(node, side, telling):
                other = node.copy()
                other.set("side", side)
                other.set("kind", None)
                yield other


def _set(node: Any, telling: Telling) -> Edits:
    """Another set operation, or one of its sides alone."""
    if not isinstance(node, exp.SetOperation):
        return
    for kind in (exp.Union, exp.Intersect, exp.Except):
        if type(node) is not kind:
            swapped = {**node.copy().args, "distinct": True}
            yield kind(**swapped)
    if isinstance(node, exp.Union) and (telling.repeated or node.parent is not None):
        other = node.copy()
        other.set("distinct", not node.args.get("distinct"))
        yield other
    if not (node.args.get("order") or node.args.get("limit") or node.args.get("with_")):
        yield node.left.copy()
        if not isinstance(node, exp.Except):
            yield node.right.copy()


FAULTS: Final[dict[str, Callable[[Any, Telling], Edits]]] = {
    "edge": _edge,
    "sign": _sign,
    "condition": _condition,
    "logic": _logic,
    "where": _where,
    "having": _having,
    "group": _group,
    "constant": _constant,
    "limit": _limit,
    "distinct": _distinct,
    "order": _order,
    "aggregate": _aggregate,
    "join": _join,
    "set": _set,
}
"""The faults, each with what makes it: its docstring says which it is."""


def _as(kind: Any, node: Any) -> Any:
    return _pair(kind, node.left, node.right)


def _pair(kind: Any, left: Any, right: Any) -> Any:
    return kind(this=left.copy(), expression=right.copy())


def _beside(number: Any) -> Edits:
    """One more, and one less."""
    for near in (int(number.name) + 1, int(number.name) - 1):
        yield exp.Literal.number(near)


def _joins(node: Any) -> bool:
    """Whether it says which rows of two tables belong together."""
    scope = node.find_ancestor(exp.Join, exp.Query)
    return isinstance(scope, exp.Join)


def _finds_all(join: Any, side: str, telling: Telling) -> bool:
    """Whether the rows of one side all find one of the other, so that none is lost."""
    on, query = join.args.get("on"), join.find_ancestor(exp.Select)
    sides: list[Any] = [on.left, on.right] if isinstance(on, exp.EQ) else []
    if query is None or not all(isinstance(one, exp.Column) for one in sides):
        return False
    tables = {
        table.alias_or_name.lower(): table.name.lower()
        for table in query.find_all(exp.Table)
    }
    joined = join.alias_or_name.lower()
    sides.sort(key=lambda column: column.table.lower() == joined)
    names = [(tables.get(one.table.lower(), ""), one.name.lower()) for one in sides]
    if side == "RIGHT":
        names.reverse()
        if query.args["joins"][0] is not join:  # others may have lost rows before
            return False
    return bool(names) and (*names[0], *names[1]) in telling.partners


def _sums_up(query: Any) -> bool:
    return any(part.find(exp.AggFunc) for part in query.expressions)


def _repeated_rows_count(query: Any, telling: Telling) -> bool:
    """Whether it matters how often a query shows a row."""
    if limit := query.args.get("limit"):
        return str(limit.expression) != "1"
    if query.parent is None:
        return telling.repeated
    within = isinstance(query.parent, exp.Subquery | exp.CTE)
    return within and query.find_ancestor(exp.From, exp.Join, exp.CTE) is not None
