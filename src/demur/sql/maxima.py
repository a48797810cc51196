"""The most that an answer may hold, derived from a canonical query.

An answer may show what its question names: the columns of the output, those that
conditions are put on, what rows are grouped and sorted by, and the names and keys of
what was asked for. Source: the maximal answers of MADCOW (1992), section 2.2.2.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlglot import exp

from demur.sql.clauses import Clauses, branches_of, clauses_of, tree_of
from demur.sql.schemas import Link, Schema, TableColumns

_AGGREGATES: Final = frozenset(
    {
        *("total", "jsonb_group_array", "jsonb_group_object", "percentile"),
        *("percentile_cont", "percentile_disc", "geopoly_group_bbox"),
    }
)
"""Those of SQLite that sqlglot does not know; it alone lets other columns beside."""

_UNKNOWN: Final = TableColumns(())

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

_LINKED: Final = "linked"
"""What a table is called to which a foreign key points."""


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
      min the key and names are those of its row.

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
    further = _further(sql, dialect, schema or {})
    for at, texts in reversed(further or ()):
        sql = sql[:at] + "".join(texts) + sql[at:]
    return sql if further else None


def n_further(sql: str, dialect: str = "sqlite", schema: Schema | None = None) -> int:
    """How many columns a derived maximum has beyond those of its query.

    Examples
    --------
    >>> n_further("SELECT name FROM city WHERE size > 9")
    1
    """
    further = _further(sql, dialect, schema or {})
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
        self._schema = schema
        self._tables, self._aliases = _tables(query)
        self._shown = set(map(self._mark, query.expressions))
        columns = _own_columns(query, dialect)
        self._called = {(self._owner(node), node.name.lower()) for node in columns}
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
            alias = self._owner(column) if isinstance(column, exp.Column) else ""
            if not alias:
                continue
            table, name = self._tables[alias], column.name.lower()
            for link in self._schema.get(table, _UNKNOWN).links:
                linked = self._linked(alias, link) if link.column == name else ()
                to = link.table.lower()
                named |= {(place, to, key): node for key, node in linked}
            naming = self._naming_of(table)
            if conditions or name in map(str.lower, naming):
                named |= {
                    (place, table, key): self._column(alias, key) for key in naming
                }
        for column in _own_columns(self._query, self._dialect) if conditions else ():
            if alias := self._owner(column):
                named.setdefault((self._tables[alias], column.name.lower()), column)
        texts = {mark: node.sql(self._dialect) for mark, node in named.items()}
        if self._is_grouped():
            return {mark: self._one_value(text) for mark, text in texts.items()}
        return texts

    def _is_grouped(self) -> bool:
        grouped = bool(self._query.args.get("group"))
        return grouped or any(map(self._sums_up, _own(self._query)))

    def _of_groups(self) -> Iterator[str]:
        """What may be shown beside rows that each stand for several."""
        yield from self._group_keys()
        for node in self._aggregates():
            yield from self._plain(node)
            starred = isinstance(node, exp.Count) and isinstance(node.this, exp.Star)
            for key in self._keys() if starred else ():
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
        sums = [*filter(self._sums_up, _own(self._query))]
        extremes = [node for node in sums if isinstance(node, (exp.Max, exp.Min))]
        form = _AT_EXTREME.get(self._dialect)
        if form is None or len({*map(self._mark, extremes)}) != 1:
            return
        column = extremes[0].this
        alias = self._owner(column) if isinstance(column, exp.Column) else ""
        of, by = ("max", "DESC") if isinstance(extremes[0], exp.Max) else ("min", "ASC")
        for node in self._names_of_table(alias) if alias else ():
            if self._is_new(node):
                texts = (part.sql(self._dialect) for part in (node, column))
                yield f", {form.format(*texts, of, by)}"

    def _mark(self, node: Any) -> tuple[str, ...]:
        """By what equal expressions are known: of a column its table and name."""
        if isinstance(node, exp.Alias):
            node = node.this
        if isinstance(node, exp.Column) and (owner := self._owner(node)):
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
        known = {*self._tables.values()} <= self._schema.keys()
        known &= self._tables.keys() == _sources(self._query)
        for column in (
            *_own_columns(self._query, self._dialect),
            *_correlated(self._query),
        ):
            if not known or column.table or self._owners(column):
                yield column

    def _names_of_rows(self) -> Iterator[Any]:
        """Keys and names of the tables, and of rows that foreign keys point to.

        Those keys count that the query names, and all of a table without names.
        """
        for alias in self._tables:
            yield from self._names_of_table(alias)

    def _names_of_table(self, alias: str) -> Iterator[Any]:
        table = self._tables[alias]
        for name in self._naming_of(table):
            yield self._column(alias, name)
        columns = self._schema.get(table, _UNKNOWN)
        keys = {*columns.key} | {link.column for link in columns.links}
        nameless = {*columns.called(table)} <= keys
        for link in columns.links:
            named = nameless or (alias, link.column) in self._called
            if named and link.table.lower() not in self._tables.values():
                yield from (node for _, node in self._linked(alias, link))

    def _naming_of(self, table: str) -> tuple[str, ...]:
        return self._schema.get(table, _UNKNOWN).naming(table)

    def _linked(self, alias: str, link: Link) -> Iterator[tuple[str, Any]]:
        """The names in the row that a foreign key points to, as queries of one value.

        That there is one row is certain only where it points to the primary key.
        """
        table = link.table.lower()
        key = self._schema.get(table, _UNKNOWN).key
        if len(key) != 1 or link.target not in ("", key[0].lower()):
            return
        names = self._schema.get(self._tables[alias], _UNKNOWN).names
        held = next((name for name in names if name.lower() == link.column), None)
        if held is None or _LINKED in self._tables:
            return
        target = exp.column(exp.to_identifier(key[0], quoted=True), table=_LINKED)
        for name in self._naming_of(table):
            if name == key[0]:
                yield name, self._column(alias, held)
                continue
            shown = exp.column(exp.to_identifier(name, quoted=True), table=_LINKED)
            table_name = exp.to_identifier(link.table, quoted=True)
            place = exp.alias_(exp.Table(this=table_name), _LINKED, table=True)
            row = target.eq(self._column(alias, held))
            yield name, exp.select(shown).from_(place).where(row).subquery()

    def _keys(self) -> Iterator[exp.Column]:
        """The primary keys of this query's tables: rows are counted by them, too."""
        for alias, table in self._tables.items():
            for name in self._schema.get(table, _UNKNOWN).key:
                yield self._column(alias, name)

    def _column(self, alias: str, name: str) -> exp.Column:
        within = exp.to_identifier(self._aliases[alias])
        return exp.column(exp.to_identifier(name, quoted=True), table=within)

    def _owner(self, column: exp.Column) -> str:
        """The table that a column is of, as this query calls it; "" if that is open."""
        if column.table:
            alias = column.table.lower()
            return alias if self._tables.get(alias) in self._schema else ""
        owners = self._owners(column)
        return owners[0] if len(owners) == 1 else ""

    def _owners(self, column: exp.Column) -> list[str]:
        """The tables of this query that have a column of that name."""
        tables = self._tables.items()
        name = column.name.lower()
        return [
            alias
            for alias, table in tables
            if name in map(str.lower, self._schema.get(table, _UNKNOWN).names)
        ]

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
        aliases = _aliases(self._query)
        columns = node.find_all(exp.Column)
        return any(not one.table and one.name.lower() in aliases for one in columns)

    def _aggregates(self) -> Iterator[Any]:
        """Sums that HAVING and ORDER BY name."""
        for clause in ("having", "order"):
            part = self._query.args.get(clause)
            for node in _own(part) if part is not None else ():
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


def _own(start: Any) -> Iterator[Any]:
    """A node and what is in it, without the queries within it.

    The types of sqlglot's nodes have other names in other versions.
    """

    def nested(node: Any) -> bool:
        return node is not start and isinstance(node, (exp.Query, exp.CTE))

    for node in start.walk(prune=nested):
        if not nested(node):
            yield node


def _tables(query: exp.Select) -> tuple[Mapping[str, str], Mapping[str, Any]]:
    """The tables of a query by the names that it gives them, and these names."""
    tables, aliases = dict[str, str](), dict[str, Any]()
    for node in _own(query):
        source = node.this if isinstance(node, (exp.From, exp.Join)) else None
        if isinstance(source, exp.Table):
            alias = source.alias_or_name.lower()
            tables[alias] = source.name.lower()
            named = source.args.get("alias")
            aliases[alias] = (named or source).this
    return tables, aliases


def _aliases(query: exp.Select) -> set[str]:
    return {item.alias.lower() for item in query.expressions if item.alias}


def _own_columns(query: exp.Select, dialect: str) -> Iterator[exp.Column]:
    aliases = _aliases(query)
    for node in _own(query):
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


def _correlated(query: exp.Select) -> Iterator[exp.Column]:
    """Columns of a query's own tables that queries within it name."""
    for nested in query.find_all(exp.Select):
        if nested is query:
            continue
        for node in _own(nested):
            named = isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
            if named and _scope(node, nested) is query:
                yield node


def _scope(column: exp.Column, query: exp.Select) -> Any:
    # Without a table it is of the query that it stands in, also where that has no name.
    scope: Any = query if column.table else None
    while scope is not None and column.table.lower() not in _sources(scope):
        scope = scope.parent_select
    return scope


def _sources(query: exp.Select) -> set[str]:
    return {
        node.this.alias_or_name.lower()
        for node in _own(query)
        if isinstance(node, (exp.From, exp.Join))
    }
