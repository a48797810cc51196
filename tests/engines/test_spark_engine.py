"""Spark, on a thread of this machine: the same counts, and failures in one line."""

import contextlib
import datetime
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.compute
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import compared_rows
import demur
import traps
from demur.curves import counted as counted_
from demur.errors import InputError

pytest.importorskip("pyspark", reason="PySpark is not installed")
from demur.engines import spark_engine, spark_frames, spark_sessions

pytestmark = [
    pytest.mark.long,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java"),
]

QUICK = (
    "--conf spark.sql.adaptive.enabled=false "
    "--conf spark.sql.codegen.wholeStage=false "
    "--conf spark.sql.codegen.factoryMode=NO_CODEGEN "
    "--driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' pyspark-shell"
)
"""Spark that starts sooner, and is slower after minutes that no test takes.

Compiling a query takes longer than running it on so few rows.
"""


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_SUBMIT_ARGS", QUICK)
        session = spark_sessions.started("local[1]")
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    yield session
    with contextlib.suppress(ConnectionError):  # the last test has ended Java
        session.stop()


@pytest.fixture(scope="module")
def trap_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("traps")
    return traps.written(traps.trap_table(), folder / "traps.parquet")


def refusal(call: Any) -> str:
    """The one line that says why it cannot be done."""
    with pytest.raises(InputError) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert "\tat " not in text
    assert "Exception" not in text
    return text


# -- the same numbers --------------------------------------------------------------


def test_every_count_of_the_traps_is_that_of_memory(spark, trap_file):
    counted = demur.count_outcomes(trap_file, engine=spark)
    expected = demur.count_outcomes(trap_file, engine="memory")
    for by in traps.BY:
        traps.assert_same(counted, expected, by)
    known = counted.engine.identity()
    assert known == expected.engine.identity()
    assert known.hashes


@pytest.mark.parametrize("where", traps.WHERE, ids=str)
def test_the_same_rows_are_selected(spark, trap_file, where):
    counted = demur.count_outcomes(trap_file, engine=spark, where=where)
    expected = demur.count_outcomes(trap_file, engine="memory", where=where)
    traps.assert_same(counted, expected)


def test_blocks_of_several_confidences_are_counted_alike(spark, trap_file, monkeypatch):
    monkeypatch.setattr(counted_, "MOST_APART", 5)
    counted = demur.count_outcomes(trap_file, engine=spark, where={"system": "a"})
    expected = demur.count_outcomes(trap_file, engine="memory", where={"system": "a"})
    assert not counted.counts(()).blocks(0).single.all()
    traps.assert_same(counted, expected)


def test_text_of_csv_reads_as_in_memory(spark, tmp_path):
    table = traps.plain_table(3)
    path = traps.written(table, tmp_path / "plain.csv")
    counted = demur.count_outcomes(path, engine=spark)
    traps.assert_same(counted, demur.count_outcomes(path, engine="memory"), ("topic",))


def test_json_lines_frames_and_tables_are_counted(spark, tmp_path):
    lines = (
        '{"item": 9223372036854775807, "correct": true, "confidence": 0.5, "t": "a"}\n'
        '{"item": 1, "correct": false, "confidence": 1, "t": null}\n'
        '{"item": 2, "correct": null, "t": "b"}\n'
    )
    path = tmp_path / "three.jsonl"
    path.write_text(lines)
    expected = demur.count_outcomes(str(path), engine="memory")
    traps.assert_same(demur.count_outcomes(str(path), engine=spark), expected, ("t",))
    frame = spark.read.json(str(path))
    traps.assert_same(demur.count_outcomes(frame, engine=spark), expected, ("t",))
    frame.createOrReplaceGlobalTempView("three")
    name = "global_temp.three"
    traps.assert_same(demur.count_outcomes(name, engine=spark), expected)


def test_the_session_of_the_caller_stays_as_it_is(spark, tmp_path):
    before = {one: spark.conf.get(one) for one in spark_sessions.SETTINGS}
    table = traps.plain_table(1)
    path = traps.written(table, tmp_path / "plain.parquet")
    some = table.filter(pyarrow.compute.equal(table["topic"], "x"))
    expected = demur.count_outcomes(
        traps.written(some, tmp_path / "some.parquet"), engine="memory"
    )
    frame = spark.read.parquet(path).where("topic = 'x'")
    traps.assert_same(demur.count_outcomes(frame, engine=spark), expected)
    assert {one: spark.conf.get(one) for one in spark_sessions.SETTINGS} == before
    listed = spark.sql("SHOW TABLES IN global_temp").collect()
    left = [table.tableName for table in listed]
    assert not [name for name in left if name.startswith("demur")]


def test_times_are_those_of_utc_whatever_the_session_says(spark, tmp_path):
    zone = datetime.timezone.utc  # noqa: UP017
    nights = [  # an hour that New York skips, and one that it has twice
        datetime.datetime(2026, *day, 30, tzinfo=zone)
        for day in ((3, 8, 6), (3, 8, 7), (11, 1, 5), (11, 1, 6))
    ]
    table = traps.plain_table(2, 24)
    instants = pyarrow.array(nights * 6, pyarrow.timestamp("us", "UTC"))
    plain = pyarrow.array([night.replace(tzinfo=None) for night in nights] * 6)
    table = table.append_column("night", instants).append_column("plain", plain)
    path = traps.written(table, tmp_path / "nights.parquet")
    expected = demur.count_outcomes(path, engine="memory")
    frame = spark.read.parquet(path)
    for source in (path, frame):
        counted = demur.count_outcomes(source, engine=spark)
        traps.assert_same(counted, expected, ("night", "plain"))
    times = table.drop_columns(["item"]).append_column("item", instants)
    path = traps.written(times, tmp_path / "times.parquet")
    counted = demur.count_outcomes(path, engine=spark)
    assert "item must be a text or a whole number" in refusal(counted.counts)


def test_folders_and_patterns_are_read_as_duckdb_reads_them(
    spark, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table = traps.plain_table(1, 40)
    for place, day in enumerate(("1", "2", "__HIVE_DEFAULT_PARTITION__", "a%3Ab")):
        file = Path("logs", f"day={day}", f"hour=0{place % 2}", "part [1].parquet")
        file.parent.mkdir(parents=True)
        traps.written(table.slice(10 * place, 10), file)
    Path("logs", "_SUCCESS").write_text("")
    for place, name in enumerate(("a", "inner/b c%20")):
        Path("text/inner").mkdir(parents=True, exist_ok=True)
        traps.written(table.slice(20 * place, 20), Path("text", f"{name}.csv"))

    def held(source: str, by: tuple[str, ...] = ()) -> None:
        # Java stays in the folder in which it was started.
        counted = demur.count_outcomes(f"{tmp_path}/{source}", engine=spark)
        traps.assert_same(counted, demur.count_outcomes(source), by)

    held("logs", ("day", "hour"))
    held("logs/*/hour=0[0-1]/*.parquet", ("hour",))
    held("text/", ("topic",))


def test_frames_of_one_system_are_compared(spark, tmp_path):
    tables, how = compared_rows.hostile(4)
    rows = [compared_rows.as_outcomes(table) for table in tables]
    paths = [
        compared_rows.written(table, tmp_path / f"{place}.parquet")
        for place, table in enumerate(tables)
    ]
    turned = tables[1].select(tables[1].column_names[::-1])
    compared_rows.written(turned, tmp_path / "1.parquet")
    sources = paths[0], spark.read.parquet(paths[1])
    systems = [demur.count_outcomes(source, engine=spark) for source in sources]
    compared_rows.hold(systems, rows, how)
    told = refusal(lambda: demur.compare(*systems))
    assert "items only of" in told


def test_two_systems_of_one_file_are_compared(spark, tmp_path):
    tables, how = compared_rows.hostile(10)
    rows = [compared_rows.as_outcomes(table) for table in tables]
    file = compared_rows.written(pyarrow.concat_tables(tables), tmp_path / "2.csv")
    both = demur.count_outcomes(file, engine=spark)
    of_name = {part.system: both.of_part(part) for part in both.counts().parts}
    compared_rows.hold([of_name[name] for name in compared_rows.SYSTEMS], rows, how)


CONFIDENCES = st.sampled_from([None, -0.0, 0.0, 0.1, 0.3, 1 / 3, 1e300, float("inf")])
ROWS = st.tuples(
    st.sampled_from(["right", "wrong", "unanswered", "ungraded"]),
    CONFIDENCES | st.floats(allow_nan=False),
    st.sampled_from([None, "", " ", "x", "X", "'"]),
)


@settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)
@given(st.lists(st.lists(ROWS, min_size=1, max_size=8), min_size=12, max_size=24))
def test_random_tables_are_counted_alike(spark, tmp_path, drawn):
    # Each is a system of one table: a query on Spark takes as long for all of them.
    rows = [
        {
            "item": f"q{place}",
            "system": f"s{number}",
            "outcome": outcome,
            "confidence": None if outcome == "unanswered" else confidence or 0.0,
            "topic": topic,
        }
        for number, system in enumerate(drawn)
        for place, (outcome, confidence, topic) in enumerate(system)
    ]
    path = traps.written(pyarrow.Table.from_pylist(rows), tmp_path / "drawn.parquet")
    counted = demur.count_outcomes(path, engine=spark)
    traps.assert_same(counted, demur.count_outcomes(path, engine="memory"), ("topic",))


# -- what cannot be counted, in one line -------------------------------------------


def test_sources_that_are_not_there_are_named(spark, tmp_path):
    def count(*sources: Any) -> str:
        return refusal(lambda: demur.count_outcomes(*sources, engine=spark))

    assert count("runs.of_may").startswith("runs.of_may: the source must be a table")
    missing = str(tmp_path / "none" / "*.parquet")
    assert count(missing).startswith(f"{missing}: the source must be there")
    told = count("s3://me:secret@bucket/a.parquet")
    assert "secret" not in told
    assert "s3" in told
    assert count(7).startswith("spark: sources must be Spark frames")


def test_views_of_a_session_and_other_delimiters_say_what_to_give(spark, tmp_path):
    spark.createDataFrame([(1, True)], "item int, correct boolean").createTempView("w")
    told = refusal(lambda: demur.count_outcomes("w", engine=spark))
    assert told.endswith("Of a temporary view give session.table('w').")
    assert demur.count_outcomes(spark.table("w"), engine=spark).counts(())
    (tmp_path / "a.csv").write_text("item;correct;confidence\nq;true;1\n")
    told = refusal(lambda: demur.count_outcomes(tmp_path, engine=spark).counts(()))
    assert "a.csv: the header must part cells by commas, where Spark reads" in told
    assert told.endswith(
        "got 'item;correct;confidence'. DuckDB reads it as it is: --engine duckdb."
    )


def test_columns_by_pattern_of_file_hold_on_spark(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("item,correct,human\nq,0,1\nr,1,0\ns,0,1\n")
    by_file = {"*.csv": {"correct": "human"}}
    counted = demur.count_outcomes(tmp_path, engine=spark, columns=by_file)
    assert counted.counts(()).parts[0].totals.loss == 1


def test_damaged_and_foreign_files_are_named(spark, tmp_path):
    table = traps.plain_table(1)
    for name, first in (("a", 0), ("b", 10)):
        traps.written(table.slice(first, 10), tmp_path / f"{name}.parquet")
    table = table.slice(20)

    def count() -> str:
        counted = demur.count_outcomes(str(tmp_path), engine=spark)
        return str(counted.counts(()).parts[0].totals.items)

    assert int(count()) > 0
    foreign = tmp_path / "c.parquet"
    traps.written(table.drop_columns(["outcome"]), foreign)
    told = refusal(count)
    assert "c.parquet" in told
    assert "(outcome)" in told
    foreign.write_bytes((tmp_path / "a.parquet").read_bytes()[:300])
    assert "c.parquet" in refusal(count)
    foreign.write_bytes(b"")
    assert "c.parquet" in refusal(count)
    foreign.unlink()
    (tmp_path / "d.csv").write_text("item,outcome\n1,right\n")
    assert "d.csv" in refusal(count)
    (tmp_path / "d.csv").unlink()
    damaged = bytearray((tmp_path / "b.parquet").read_bytes())
    damaged[4:400] = bytes(396)
    (tmp_path / "b.parquet").write_bytes(damaged)
    assert "b.parquet" in refusal(count)


def test_files_that_spark_would_pass_over_or_misread_are_named(spark, tmp_path):
    table = traps.plain_table(1, 30).select(["item", "system", "outcome", "topic"])
    inner = tmp_path / "day=1" / "a.csv"
    inner.parent.mkdir()
    traps.written(table.slice(0, 10), inner)
    other = tmp_path / "b.csv"

    def told() -> str:
        return refusal(lambda: demur.count_outcomes(tmp_path, engine=spark).counts())

    traps.written(table.slice(10, 10), other)
    assert "a.csv: the file must be in folders named nothing, as " in told()
    inner.rename(tmp_path / "a.csv")
    traps.written(table.slice(10, 10).select(["topic", *table.column_names[:3]]), other)
    assert "b.csv: CSV header does not conform" in told()
    other.write_text("item,system,outcome,topic\n1,a,right\n")
    assert "b.csv" in told()
    other.unlink()
    (tmp_path / "a.csv").unlink()
    lines = tmp_path / "c.jsonl"
    lines.write_text('{"item": 1, "outcome": "right"}\n{"item": 2, "out')
    assert str(tmp_path) in told()
    lines.unlink()
    inner = tmp_path / "topic=1" / "a.parquet"
    inner.parent.mkdir()
    traps.written(table, inner)
    assert "its folders must name no column that files have; got topic" in told()


def test_columns_of_an_unexpected_type_are_named(spark, tmp_path):
    table = traps.plain_table(1, 4).select(["item", "system", "outcome"])
    for place, value in enumerate(("high", [0.5], datetime.date(2026, 1, 1))):
        path = tmp_path / f"{place}.parquet"
        column = pyarrow.array([value] * 4)
        traps.written(table.append_column("confidence", column), path)
        told = refusal(demur.count_outcomes(path, engine=spark).counts)
        assert told.startswith(f"{path}: confidence must be a number; got ")


def test_rows_are_held_against_what_files_say(spark, tmp_path):
    path = tmp_path / "a.parquet"
    traps.written(traps.plain_table(1), path)
    counted = demur.count_outcomes(str(path), engine=spark)
    path.unlink()
    traps.written(traps.plain_table(1, 20), path)
    told = refusal(lambda: counted.counts(()).blocks(0))
    assert "a.parquet" in told or "must be the" in told


def test_a_stopped_session_and_a_foreign_object_are_refused():
    class Stopped:
        _jvm = None

        class sparkContext:  # noqa: N801  (as Spark calls it)
            _jsc = None

    for engine, said in ((Stopped(), "a stopped one"), (3.5, "a builtins.float")):
        told = refusal(lambda engine=engine: demur.count_outcomes("t", engine=engine))
        assert said in told


@pytest.mark.usefixtures("spark")
def test_a_second_master_in_one_process_is_refused():
    told = refusal(lambda: demur.count_outcomes("t", engine="spark", master="local[7]"))
    assert told == (
        "spark: master must be the one that runs in this process; got local[7], while "
        "local[1] runs. Stop it first."
    )


def test_a_master_that_does_not_answer_is_named_at_once():
    for master in ("spark://me:word@127.0.0.1:9", "sc://127.0.0.1"):
        told = refusal(lambda master=master: spark_sessions.check_master(master))
        assert told.startswith("spark: master must be")
        assert "word" not in told


def test_a_machine_without_java_is_told_what_to_install(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    told = refusal(spark_sessions.check_java)
    assert told.startswith(
        "spark: Spark must find Java; got none on this machine. Install"
    )


def test_what_java_says_is_one_line_without_a_trace_or_a_secret():
    class Java:
        def __init__(self, text: str, cause: Any = None) -> None:
            self.getMessage, self.getCause = lambda: text, lambda: cause

    class Failed(Exception):
        java_exception = Java(
            "Exception thrown in awaitResult:",
            Java(
                "[FAILED_READ_FILE.NO_HINT] Error while reading s3://k:s@b/x?sig=1. \n"
                "\tat org.apache"
            ),
        )

    assert spark_sessions.reason_of(Failed()) == (
        "[FAILED_READ_FILE.NO_HINT] Error while reading s3://...@b/x?sig=..."
    )
    Failed.java_exception = Java(
        "Job aborted due to stage failure: Task 0 failed 4 times: ExecutorLostFailure "
        "(executor 1 exited) password=abc\nDriver stacktrace:"
    )
    assert spark_sessions.reason_of(Failed()).endswith("exited) password=(hidden)")


def test_great_numbers_have_a_floor(spark):
    query = "SELECT FLOOR(x / 0.25) * 0.25 AS low FROM t"
    named, text = spark_engine.rendered(query, {})
    text = text.replace("FROM t", "FROM VALUES (1e300D), (-0.3D), (0.3D) AS t(x)")
    assert named == ["low"]
    assert [row.low for row in spark.sql(text).collect()] == [1e300, -0.5, 0.25]


def test_a_sample_is_the_same_each_time(spark, trap_file):
    source = spark_frames.source_of(trap_file, spark_sessions.counting_session(spark))
    session = source.frame.sparkSession
    relation = spark_frames.relation_of([source], session)
    connection = spark_engine.SparkConnection(session, relation, "traps")
    query = f"SELECT item FROM {connection.sampled('outcomes_', 0.3)}"
    query = query.replace("item", '"item"')
    first, second = connection.rows(query), connection.rows(query)
    assert first == second
    assert 60 < len(first) < 180


# -- the end -----------------------------------------------------------------------


def test_a_session_that_was_stopped_is_refused_and_leaves_nothing(spark, trap_file):
    counted = demur.count_outcomes(trap_file, engine=spark)
    spark.stop()
    for call in (
        counted.counts,
        lambda: demur.count_outcomes(trap_file, engine=spark),
    ):
        told = "spark: engine must be a session that runs; got a stopped one."
        assert refusal(call) == told
    left = {"spark-warehouse", "metastore_db", "derby.log", "artifacts"}
    assert not left & {path.name for path in Path.cwd().iterdir()}


@pytest.mark.usefixtures("spark")
def test_a_driver_that_is_killed_is_told_in_one_line(trap_file, capfd):
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    session = spark_sessions.started("local[1]")
    slow = session.range(4).selectExpr(
        "CONCAT(id, COALESCE(JAVA_METHOD('java.lang.Thread', 'sleep', "
        "CAST(3000 AS BIGINT)), '')) AS item",
        "'right' AS outcome",
    )
    counted = demur.count_outcomes(slow, engine=session)
    process = int(session._jvm.java.lang.ProcessHandle.current().pid())

    def kill_at_work():
        while not session.sparkContext.statusTracker().getActiveStageIds():
            time.sleep(0.01)
        os.kill(process, signal.SIGKILL)

    killing = threading.Thread(target=kill_at_work)
    killing.start()
    told = refusal(counted.counts)
    killing.join()
    assert told.startswith("a Spark frame: the outcomes must be counted by Spark to")
    ended = "got no answer: the driver of Spark has ended. Was it killed, or its memory"
    assert ended in told
    assert ended in refusal(lambda: demur.count_outcomes(trap_file, engine="spark"))
    assert not capfd.readouterr().err
    gateway = SparkContext._gateway
    gateway.proc.stdin.close()
    gateway.proc.wait()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = (
        None
    )
    SparkSession._instantiatedSession = None
