"""The most that an answer may hold, derived from a canonical query.

An answer may show what its question names: the columns of the output, those that
conditions are put on, what rows are grouped and sorted by, and the names and keys of
what was asked for. Source: the maximal answers of MADCOW (1992), section 2.2.2.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlglot import exp

from demur.sql.clauses import Clauses, branches_of, clauses_of, tree_of
from demur.sql.extremes import at_extreme, rows_of_extreme
from demur.sql.own_parts import (
    aliases_of,
    correlated_columns,
    own_columns,
    own_nodes,
    sources_of,
)
from demur.sql.row_names import RowNames
from demur.sql.schemas import Schema

_AGGREGATES: Final = frozenset(
    {
        *("total", "jsonb_group_array", "jsonb_group_object", "percentile"),
        *("percentile_cont", "percentile_disc", "geopoly_group_bbox"),
    }
)
"""Those of SQLite that sqlglot does not know; it alone lets other columns beside."""

_BLANKS: Final = re.compile(r"[\s\"`]")

_ANY: Final = {
    "sqlite": "{}",  # min() would decide from which row other bare columns come
    "postgres": "(array_agg(DISTINCT {}))[1]",
}
"""How each dialect gives the one value of a column in a group."""

_AT_EXTREME: Final = {
    "sqlite": "{0}",  # other columns are from the row of a single min() or max()
    "duckdb": "arg_{2}({0}, {1})",
    "postgres": "(array_agg({0} ORDER BY {1} {3} NULLS LAST))[1]",
}
"""How each dialect gives a column in the row where another is least or greatest."""

_RANKS: Final = ("rank", "row_number")


def derived_maximum(
    sql: str, dialect: str = "sqlite", schema: Schema | None = None
) -> str | None:
    """A query for the output of another, with what else an answer to it may show.

    The further columns are put into the text as it stands, since writing it anew can
    change what it means. They are

    - columns named in output, joins, conditions and sort keys, and those of this
      query's tables that nested queries call by their table (``c.id``);
    - expressions that rows are sorted by, and the rank that they give;
    - the primary key and the names (`TableColumns.naming`) of its tables, and of the
      rows to which their foreign keys point: keys that the query names, and all of a
      table that has no names itself;
    - where rows are grouped or summed up: the group keys, and the aggregates in HAVING
      and ORDER BY, with ``count(*)`` also as the number of different keys. Any other
      column counts only in groups in which it has one value; but beside a single max or
      min key and names are those of its row. Of rows that are all greatest each counts,
      unless HAVING, ORDER BY or LIMIT choose among groups.

    Each part of a set operation gets the keys and names of what it shows, as far as all
    parts have them; of UNION also the columns that all of them name.

    Parameters
    ----------
    sql : str
        The canonical query.
    dialect : str
        Of SQL, as sqlglot names it.
    schema : mapping, optional
        The tables of its database; without them neither keys nor names are added.

    Returns
    -------
    str or None
        None where nothing can be added, so that the canonical answer is itself the
        most: for SELECT DISTINCT and set operations with LIMIT or OFFSET, and a text
        that cannot be parsed.

    Notes
    -----
    Of ``SELECT name FROM city WHERE size > 9`` it is
    ``SELECT name, size FROM city WHERE size > 9``; of
    ``SELECT land FROM city GROUP BY land HAVING count(*) > 2`` it is
    ``SELECT land, COUNT(*) FROM city GROUP BY land HAVING count(*) > 2``. The columns
    that a NATURAL JOIN joins by are not in the text, so they are not added; nor are
    columns of this query that a nested one names without their table.
    """
    rows = rows_of_extreme(sql, dialect)
    text = rows or sql
    further = _further(text, dialect, schema or {})
    for at, texts in reversed(further or ()):
        text = text[:at] + "".join(texts) + text[at:]
    if not further:
        return None
    return at_extreme(text, dialect) if rows else text


def n_further(sql: str, dialect: str = "sqlite", schema: Schema | None = None) -> int:
    """How many columns a derived maximum has beyond those of its query.

    Examples
    --------
    >>> n_further("SELECT name FROM city WHERE size > 9")
    1
    """
    text = rows_of_extreme(sql, dialect) or sql
    further = _further(text, dialect, schema or {})
    return len(further[0][1]) if further else 0


def _further(
    sql: str, dialect: str, schema: Schema
) -> Sequence[tuple[int, list[str]]] | None:
    """Where further columns go, and which they are."""
    query = tree_of(sql, dialect)
    clauses = clauses_of(sql, dialect)
    if clauses is None:
        return None
    # A column more could make rows different that were one, and LIMIT counts rows.
    if clauses.limited and (clauses.distinct or clauses.compound):
        return None
    if isinstance(query, exp.SetOperation):
        return _of_branches(query, sql, dialect, schema)
    if not isinstance(query, exp.Select) or clauses.list_end < 0:
        return None
    further = _Further(query, clauses, dialect, schema)
    return [(clauses.list_end, list(further.texts()))]


def _of_branches(
    query: exp.SetOperation, sql: str, dialect: str, schema: Schema
) -> Sequence[tuple[int, list[str]]] | None:
    """What all parts of a set operation can show beside their columns."""
    operations = query.find_all(exp.SetOperation)
    united = all(isinstance(one, exp.Union) for one in operations)
    places, shown = [], []
    for start, text in branches_of(sql, dialect):
        part, clauses = tree_of(text, dialect), clauses_of(text, dialect)
        if not isinstance(part, exp.Select) or clauses is None or clauses.list_end < 0:
            return None
        further = _Further(part, clauses, dialect, schema)
        places.append(start + clauses.list_end)
        shown.append(further.by_mark(conditions=united))
    if not shown:
        return None
    marks = [mark for mark in shown[0] if all(mark in part for part in shown)]
    new = {shown[0][mark]: mark for mark in reversed(marks)}  # no text stands twice
    if not new:
        return None
    return [
        (at, [f", {part[mark]}" for mark in reversed(new.values())])
        for at, part in zip(places, shown, strict=True)
    ]


class _Further:
    """What a select list lacks of all that may be shown beside it."""

    def __init__(
        self, query: exp.Select, clauses: Clauses, dialect: str, schema: Schema
    ) -> None:
        self._query, self._clauses, self._dialect = query, clauses, dialect
        self._rows = RowNames(query, schema)
        self._shown = set(map(self._mark, query.expressions))
        columns = own_columns(query, dialect)
        self._called = {(self._rows.owner(node), node.name.lower()) for node in columns}
        self._names = {item.alias_or_name.lower() for item in query.expressions}

    def texts(self) -> Iterator[str]:
        """Each as text to be put after the list.

        A name that another column of the output has already is not given twice, so
        that a sort key means what it meant.
        """
        if self._is_grouped():
            yield from self._of_groups()
            return
        for column in self._columns():
            yield from self._plain(column)
        for name in self._names_of_rows():
            yield from self._plain(name)
        yield from self._ranks()

    def by_mark(self, *, conditions: bool) -> dict[tuple[Any, ...], str]:
        """Names and keys of what each column shows, known by its place and their own.

        Parameters
        ----------
        conditions : bool
            Whether columns that are named elsewhere count, too, and names beside a
            column that names nothing.
        """
        named = dict[tuple[Any, ...], Any]()
        for place, part in enumerate(self._query.expressions):
            column = part.unalias()
            alias = self._rows.owner(column) if isinstance(column, exp.Column) else ""
            if not alias:
                continue
            table, name = self._rows.tables[alias], column.name.lower()
            for link in self._rows.known(alias).links:
                linked = self._rows.linked(alias, link) if link.column == name else ()
                to = link.table.lower()
                named |= {(place, to, key): node for key, node in linked}
            naming = self._rows.naming(alias)
            if conditions or name in map(str.lower, naming):
                named |= {
                    (place, table, key): self._rows.column(alias, key) for key in naming
                }
        for column in own_columns(self._query, self._dialect) if conditions else ():
            if alias := self._rows.owner(column):
                mark = self._rows.tables[alias], column.name.lower()
                named.setdefault(mark, column)
        texts = {mark: node.sql(self._dialect) for mark, node in named.items()}
        if self._is_grouped():
            return {mark: self._one_value(text) for mark, text in texts.items()}
        return texts

    def _is_grouped(self) -> bool:
        grouped = bool(self._query.args.get("group"))
        return grouped or any(map(self._sums_up, own_nodes(self._query)))

    def _of_groups(self) -> Iterator[str]:
        """What may be shown beside rows that each stand for several."""
        yield from self._group_keys()
        for node in self._aggregates():
            yield from self._plain(node)
            starred = isinstance(node, exp.Count) and isinstance(node.this, exp.Star)
            for key in self._rows.keys() if starred else ():
                different = exp.Distinct(expressions=[key])
                yield from self._plain(exp.Count(this=different))
        yield from self._ranks()
        yield from self._of_the_extreme()
        for column in self._columns():
            if not self._is_summed_up(column):
                yield from self._one_valued(column)
        for name in self._names_of_rows():
            yield from self._one_valued(name)

    def _ranks(self) -> Iterator[str]:
        """What rows are sorted by, and which place each then has."""
        for key, text in self._sort_keys():
            yield from self._plain(key, text)
        ordering = self._clauses.ordering()
        if ordering and not self._query.args.get("distinct") and not self._is_odd():
            yield from (f", {call}() OVER (ORDER BY {ordering})" for call in _RANKS)

    def _is_odd(self) -> bool:
        """Whether a sort key holds a name of the output, which no window knows."""
        keys = [key.this for key in self._query.args["order"].expressions]
        plain = (exp.Column, exp.Literal)
        return any(self._is_of_output(k) and not isinstance(k, plain) for k in keys)

    def _group_keys(self) -> Iterator[str]:
        group = self._query.args.get("group")
        for key in group.expressions if group else ():
            if not self._is_of_output(key):
                yield from self._plain(key)

    def _of_the_extreme(self) -> Iterator[str]:
        """Whose the greatest or least is: key and names of its row."""
        sums = [*filter(self._sums_up, own_nodes(self._query))]
        extremes = [node for node in sums if isinstance(node, (exp.Max, exp.Min))]
        form = _AT_EXTREME.get(self._dialect)
        if form is None or len({*map(self._mark, extremes)}) != 1:
            return
        column = extremes[0].this
        alias = self._rows.owner(column) if isinstance(column, exp.Column) else ""
        of, by = ("max", "DESC") if isinstance(extremes[0], exp.Max) else ("min", "ASC")
        for node in self._rows.of_table(alias, self._called) if alias else ():
            if self._is_new(node):
                texts = (part.sql(self._dialect) for part in (node, column))
                yield f", {form.format(*texts, of, by)}"

    def _mark(self, node: Any) -> tuple[str, ...]:
        """By what equal expressions are known: of a column its table and name."""
        if isinstance(node, exp.Alias):
            node = node.this
        if isinstance(node, exp.Column) and (owner := self._rows.owner(node)):
            return owner, node.name.lower()
        return (_BLANKS.sub("", node.sql(self._dialect)).lower(),)

    def _is_new(self, node: Any) -> bool:
        mark = self._mark(node)
        new = mark not in self._shown
        self._shown.add(mark)
        return new

    def _plain(self, node: Any, text: str = "") -> Iterator[str]:
        if not self._is_new(node):
            return
        text = text or node.sql(self._dialect)
        name = node.alias_or_name
        if name.lower() in self._names:
            name = f"column_{len(self._shown)}"
            text = f"{text} AS {name}"
        if name:
            self._names.add(name.lower())
        yield f", {text}"

    def _one_valued(self, node: Any) -> Iterator[str]:
        if self._is_new(node):
            yield f", {self._one_value(node.sql(self._dialect))}"

    def _one_value(self, text: str) -> str:
        """A column where all rows of a group have the same value, else NULL."""
        value = _ANY.get(self._dialect, "any_value({})").format(text)
        one = f"count(DISTINCT {text}) = 1 AND count({text}) = count(*)"
        return f"CASE WHEN {one} THEN {value} END"

    def _columns(self) -> Iterator[exp.Column]:
        """Columns that are named.

        What SQLite takes for a text, since no table has such a column, is none.
        """
        known = {*self._rows.tables.values()} <= self._rows.schema.keys()
        known &= self._rows.tables.keys() == sources_of(self._query)
        for column in (
            *own_columns(self._query, self._dialect),
            *correlated_columns(self._query),
        ):
            if not known or column.table or self._rows.owners(column):
                yield column

    def _names_of_rows(self) -> Iterator[Any]:
        """Keys and names of the tables, and of rows that foreign keys point to."""
        for alias in self._rows.tables:
            yield from self._rows.of_table(alias, self._called)

    def _sort_keys(self) -> Iterator[tuple[Any, str]]:
        """Expressions that rows are sorted by, as they stand in the text."""
        order = self._query.args.get("order")
        keys = order.expressions if order else ()
        if len(keys) != len(self._clauses.keys):
            return
        for key, text in zip(keys, self._clauses.keys, strict=True):
            plain = (exp.Column, exp.Literal, exp.Neg, exp.Parameter)
            if not isinstance(key.this, plain) and not self._is_of_output(key.this):
                yield key.this, text.text

    def _is_of_output(self, node: Any) -> bool:
        """Whether it names a place or a column of the output, or holds such a name."""
        if isinstance(node, (exp.Literal, exp.Var)):
            return True
        aliases = aliases_of(self._query)
        columns = node.find_all(exp.Column)
        return any(not one.table and one.name.lower() in aliases for one in columns)

    def _aggregates(self) -> Iterator[Any]:
        """Sums that HAVING and ORDER BY name."""
        for clause in ("having", "order"):
            part = self._query.args.get(clause)
            for node in own_nodes(part) if part is not None else ():
                if self._sums_up(node) and not self._is_of_output(node):
                    yield node

    def _is_summed_up(self, column: exp.Column) -> bool:
        node = column.parent
        while node is not None and node is not self._query:
            if self._sums_up(node):
                return True
            node = node.parent
        return False

    @staticmethod
    def _sums_up(node: Any) -> bool:
        """Whether it makes one value of several rows, and one row of them."""
        if isinstance(node, exp.Anonymous):
            sums = node.name.lower() in _AGGREGATES
        else:
            sums = isinstance(node, (exp.AggFunc, exp.JSONArrayAgg, exp.JSONObjectAgg))
        return (sums and not isinstance(node.parent, (exp.Window, exp.Filter))) or (
            isinstance(node, exp.Filter) and not isinstance(node.parent, exp.Window)
        )
