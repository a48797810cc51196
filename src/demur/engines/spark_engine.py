"""Counting on Spark: the same queries, on a cluster or on threads of one machine."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from demur.engines.selecting import AnswerTable
from demur.engines.spark_frames import (
    SparkRelation,
    relation_of,
    source_of,
    viewed,
)
from demur.engines.spark_sessions import check_runs, counting_session, failures
from demur.engines.sql_engine import SqlEngine
from demur.formats.column_mappings import mapping_of_all
from demur.formats.reading import Columns

ROWS: Final = "outcomes_"
"""What queries call the rows."""

ACCURACY: Final = 0.02
"""Of approximate numbers: Spark's own may be a tenth too low."""


class SparkConnection:
    """A session of Spark that counts the rows of one relation.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        From `demur.engines.spark_sessions.counting_session`.
    relation : SparkRelation
        The rows.
    place : str
        What messages call them.
    """

    name = "spark"

    def __init__(self, session: Any, relation: SparkRelation, place: str) -> None:
        self.session, self.place = session, place
        self._names, self._frame = relation.names, relation.frame
        self._frame.createOrReplaceTempView(ROWS)
        self._taken: dict[SparkConnection, str] = {}

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of an answer that is short."""
        table = self._asked(query)[1]
        return list(zip(*(one.to_pylist() for one in table.columns), strict=True))

    def columns(self, query: str) -> Mapping[str, Any]:
        """The columns of an answer, numbers as arrays."""
        named, table = self._asked(query)
        return {
            one: _array(column)
            for one, column in zip(named, table.columns, strict=True)
        }

    def sampled(self, relation: str, share: float) -> str:
        """About that share of the rows, the same whenever it is asked for."""
        if share >= 1:
            return relation
        return f"(SELECT * FROM {relation} WHERE RANDOM() < {share:.9f}) AS some_"

    def taken_over(self, other: Any, relation: str) -> str | None:
        """The rows of another connection as a view of this one; None if none is."""
        if other is self:
            return relation
        if not isinstance(other, SparkConnection) or relation != ROWS:
            return None
        if other not in self._taken:
            self._taken[other] = f"beside_{len(self._taken)}_"
            with failures(other.place), viewed(other._frame) as view:
                ours = self.session.table(view)
            for column in other._names:  # a name is one column in all queries
                self._names.setdefault(column, f"c{len(self._names)}")
            listed = (
                f"{theirs} AS {self._names[column]}"
                for column, theirs in other._names.items()
            )
            ours.selectExpr(*listed).createOrReplaceTempView(self._taken[other])
        return self._taken[other]

    def _asked(self, query: str) -> tuple[list[str], Any]:
        """The names of an answer's columns, and the answer."""
        check_runs(self.session)
        named, text = rendered(query, self._names)
        with failures(self.place):
            return named, self.session.sql(text).toArrow()


def _array(column: Any) -> Any:
    """A column of Arrow: numbers as numbers if none is missing, else objects."""
    import numpy as np
    from pyarrow import types

    number = types.is_integer(column.type) or types.is_floating(column.type)
    if number and not column.null_count:
        return column.to_numpy()
    return np.array([*column.to_pylist(), None], object)[:-1]


def rendered(query: str, names: Mapping[str, str]) -> tuple[list[str], str]:
    """A query of DuckDB as Spark reads it, and the names of its columns.

    Parameters
    ----------
    query : str
        In DuckDB's dialect.
    names : mapping of str to str
        What quoted names are called in Spark.

    Examples
    --------
    >>> rendered('SELECT CAST("a.b" AS VARCHAR) AS x FROM t', {"a.b": "c0"})
    (['x'], 'SELECT CAST(c0 AS STRING) AS x FROM t')
    """
    import sqlglot
    from sqlglot import exp

    def renamed(node: Any) -> Any:
        if isinstance(node, exp.Identifier) and node.quoted and node.this in names:
            return exp.to_identifier(names[node.this])
        if isinstance(node, exp.ApproxDistinct):
            node.set("accuracy", exp.Literal.number(ACCURACY))
        return exp.Rand(this=exp.Literal.number(1)) if node == exp.Rand() else node

    def floored(node: Any) -> Any:
        if not isinstance(node, exp.Floor):
            return node
        text = node.this.sql(dialect="spark")
        return sqlglot.parse_one(_FLOOR.format(text), read="spark")

    tree: Any = sqlglot.parse_one(query, read="duckdb")
    named = [one.alias_or_name for one in tree.selects]
    for change in (renamed, floored, _of_digits):
        tree = tree.transform(change)
    return named, tree.sql(dialect="spark")


def _of_digits(node: Any) -> Any:
    """The number that hexadecimal digits behind 0x are."""
    import sqlglot
    from sqlglot import exp

    if not isinstance(node, exp.DPipe) or node.this != exp.Literal.string("0x"):
        return node
    digits = node.expression.sql(dialect="spark")
    return sqlglot.parse_one(f"CONV({digits}, 16, 10)", read="spark")


_FLOOR: Final = "CASE WHEN ABS({0}) < 9e15 THEN FLOOR({0}) ELSE {0} END"
"""Of doubles: Spark's own is a whole number, which great ones overflow."""


def spark_engine(
    sources: Sequence[Any],
    *,
    session: Any = None,
    master: str | None = None,
    columns: Columns = None,
    where: Mapping[str, Any] | None = None,
) -> SqlEngine:
    """An engine that counts on Spark.

    Parameters
    ----------
    sources : sequence of pyspark.sql.DataFrame, str or path
        Frames, tables by name, and paths of files, folders and patterns among them,
        that Spark itself reads.
    session : pyspark.sql.SparkSession, optional
        What it runs on; that of the first frame if left out.
    master : str, optional
        Where a session is started if there is none, such as ``"local[4]"``.
    columns, where
        As in `demur.read_outcomes`.

    Raises
    ------
    MissingExtra
        If PySpark is not installed.
    InputError
        If Spark does not work here, or a source cannot be counted.
    """
    frames = (one.sparkSession for one in sources if hasattr(one, "sparkSession"))
    counting = counting_session(session or next(frames, None), master)
    read = [source_of(one, counting) for one in sources]
    place = read[0].place if len(read) == 1 else f"{len(read)} sources"
    with failures(place):
        relation = relation_of(read, counting)
        connection = SparkConnection(counting, relation, place)
    named = mapping_of_all(columns, [path for one in read for path in one.paths])
    table = AnswerTable(
        ROWS, relation.types, relation.form, place, named, dict(where or {})
    )
    return SqlEngine(connection, table, check_rows=relation.check_rows)
