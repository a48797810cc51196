"""The verb that counts outcomes where they lie, and which engine does when."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.curves.counted import CountingEngine
from demur.curves.counted_outcomes import CountedOutcomes
from demur.engines.selecting import AnswerTable
from demur.engines.sketch_checks import is_sketch
from demur.engines.sql_engine import SqlEngine
from demur.errors import InputError, shown
from demur.formats.column_mappings import mapping_of_all
from demur.formats.reading import Columns, kept_run, read_outcomes

ENGINES: Final = ("memory", "duckdb", "spark")


def count_outcomes(
    *sources: Any,
    engine: Any = "duckdb",
    where: Mapping[str, Any] | None = None,
    columns: Columns = None,
    master: str | None = None,
    memory: str | None = None,
    check_items: bool = False,
) -> CountedOutcomes:
    r"""Outcomes that are counted where they lie: more than memory holds.

    Parameters
    ----------
    *sources : path, folder, glob, URL, table or frame
        Files of answers, as of `demur.read_outcomes`, but for workbooks and logs; or
        what the engine knows by name; or sketches (`demur.sketch`), which are counted
        already, whatever the engine.
    engine : {"duckdb", "memory", "spark"} or a Spark session
        What counts; DuckDB, small files too, unless another is named.
    where : mapping of column to value or list of values, optional
        Only rows whose columns hold these values, as for `demur.read_outcomes`.
    columns : str or mapping, optional
        What columns are called, likewise.
    master : str, optional
        Of Spark: where the cluster is; ``local[*]`` if left out.
    memory : str, optional
        Of DuckDB: what it may hold in memory, such as ``"2GB"``; 400 MB if left out.
        The rest is on disk.
    check_items : bool
        Whether to count exactly how often rows repeat, which takes longer. Else an
        approximate number of different items is held against that of rows.

    Returns
    -------
    CountedOutcomes

    Raises
    ------
    InputError
        If there is nothing to count, a file is damaged, or a value is not what its
        column must hold.
    MissingExtra
        If the engine is not installed.

    Examples
    --------
    >>> import demur, io
    >>> file = io.BytesIO(b"item,correct,confidence\nq1,true,0.9\nq2,false,0.4\n")
    >>> counted = demur.count_outcomes(file, engine="memory")
    >>> demur.error_return(counted).at(nonreturn=0.5).error
    0.0
    """
    where_ = "count_outcomes"
    if not sources:
        raise InputError(where_, "the sources", "be at least one", "none")
    if any(map(is_sketch, sources)):
        _refuse(
            "come without sketches",
            "Sketch the rows that are wanted.",
            where=where,
            columns=columns,
            master=master,
            memory=memory,
            check_items=check_items,
        )
        return _of_sketches(sources)
    _refuse_frames(sources, engine)
    _refuse_kept(sources, engine)
    _refuse_of_others(engine, master, memory)
    how: dict[str, Any] = {"where": dict(where or {}), "columns": columns}
    if not isinstance(engine, str):
        from demur.engines.spark_engine import spark_engine

        return CountedOutcomes(spark_engine(sources, session=engine, **how))
    checks.choice(where_, "engine", engine, ENGINES)
    made: CountingEngine
    if engine == "memory":
        from demur.engines.memory import MemoryEngine

        made = MemoryEngine(read_outcomes(*sources, groups=None, **how))
    elif engine == "spark":
        from demur.engines.spark_engine import spark_engine

        made = spark_engine(sources, master=master, **how)
    else:
        made = _in_duckdb(sources, memory, how)
    if check_items and isinstance(made, SqlEngine):  # rows in memory are always checked
        made.check_items()
    return CountedOutcomes(made)


def _of_sketches(sources: Sequence[Any]) -> CountedOutcomes:
    from demur.engines.merging import SketchEngine, read_sketches

    first = next(filter(is_sketch, sources))
    for source in sources:
        if not is_sketch(source) and Path(str(source)).exists():
            need, got = f"be a sketch, as {first}", "something else"
            hint = "Sketch it too (demur sketch), or count both apart."
            raise InputError(str(source), "the file", need, got, hint)
    place = ", ".join(map(str, sources[:3]))
    return CountedOutcomes(SketchEngine(read_sketches(*sources), place))


def _refuse_of_others(engine: Any, master: str | None, memory: str | None) -> None:
    """Refuse what another engine than the one that counts would take."""
    if not isinstance(engine, str):
        _refuse("come with engine='spark'", "A session has its own.", master=master)
    elif engine != "spark":
        _refuse("come with engine='spark'", "Leave it out.", master=master)
    if engine != "duckdb":
        _refuse("come with engine='duckdb'", "Leave it out.", memory=memory)


def _refuse(need: str, hint: str, **options: Any) -> None:
    for name, value in options.items():
        if value:
            raise InputError("count_outcomes", name, need, shown(value), hint)


def _refuse_kept(sources: Sequence[Any], engine: Any) -> None:
    """Refuse runs of a store, whose rows no engine sees."""
    for source in sources:
        if kept_run(source) and engine != "memory":
            need, hint = "be files or tables", "engine='memory' reads kept runs."
            raise InputError("count_outcomes", "a source", need, shown(source), hint)


def _refuse_frames(sources: Sequence[Any], engine: Any) -> None:
    """Refuse what is in memory already, but for Spark, which has frames of its own."""
    for source in sources if isinstance(engine, str) and engine != "spark" else ():
        if hasattr(type(source), "columns") and not hasattr(source, "sql_query"):
            need, got = "be files, or what the engine has itself", type(source).__name__
            hint = "A frame is in memory: demur.Outcomes.from_frame(frame)."
            raise InputError("count_outcomes", "the sources", need, got, hint)


def _in_duckdb(
    sources: Sequence[Any], memory: str | None, how: Mapping[str, Any]
) -> SqlEngine:
    from demur.engines.cells import can_be_nan
    from demur.engines.duckdb_engine import MEMORY, DuckdbConnection
    from demur.engines.sources import open_sources

    connection = DuckdbConnection(memory=memory or MEMORY)
    relation = open_sources(connection, sources)
    paths = [file.path for file in connection.files] if relation.files else sources
    table = AnswerTable(
        relation=relation.sql,
        types=relation.columns,
        form=relation.form,
        place=", ".join(relation.names[:3]),
        columns=mapping_of_all(how["columns"], paths),
        where=how["where"],
        sources=len(sources),
    )
    amounts = map(table.column, ("weight", "credit", "correct"))
    if any(column and can_be_nan(table, column) for column in amounts):
        connection.distrust_statistics()
    return SqlEngine(connection, table, check_rows=relation.check_rows)
