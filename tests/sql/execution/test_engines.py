"""DuckDB files and a PostgreSQL server: what they give, and what they refuse."""

import importlib.util
import subprocess
import sys

import pytest

from demur import MissingExtra
from demur.sql.execution.databases import find_database, public_name
from sql_cases import (
    AGES,
    COUNT,
    EXPECTED,
    FARES,
    ask,
    contents,
    only_late,
    sqlite_file,
)

duckdb = pytest.importorskip("duckdb")

DUCKDB_HOSTILE = [
    ("DELETE FROM fare", "forbidden", "DELETE"),
    ("DROP TABLE fare", "forbidden", "DROP"),
    ("COPY fare TO 'fare.csv'", "forbidden", "COPY"),
    ("INSTALL httpfs", "forbidden", "INSTALL"),
    ("LOAD httpfs", "forbidden", "LOAD"),
    ("ATTACH 'other.db'", "forbidden", "ATTACH"),
    ("SET memory_limit = '90GB'", "forbidden", "SET"),
    ("PRAGMA database_size", "forbidden", "PRAGMA"),
    ("EXPORT DATABASE 'out'", "forbidden", "EXPORT"),
    ("WITH x AS (DELETE FROM fare RETURNING *) SELECT * FROM x", "forbidden", "read"),
    ("WITH x AS (SELECT 1) DELETE FROM fare", "forbidden", "not a SELECT"),
    ("SELECT 1; DROP TABLE fare", "forbidden", "several"),
    ("SELECT 1 /* ; */; /* */ DROP TABLE fare", "forbidden", "several"),
    ("SELECT * FROM read_csv('/etc/passwd')", "forbidden", "disabled"),
    ("SELECT * FROM read_text('/etc/passwd')", "forbidden", "disabled"),
    ("SELECT * FROM 'file.csv'", "forbidden", "disabled"),
    ("FROM 'file.csv'", "forbidden", "disabled"),
    ("SELECT * FROM glob('/*')", "forbidden", "disabled"),
    ("SELECT getenv('HOME')", "error", "getenv"),
    ("SELECT * FROM settings", "error", "settings"),  # a variable of the process
    ("SELECT repeat('x', 1000000000)", "memory", "llocate"),
    ("SELECT list(r) FROM range(1000000000) t(r)", "memory", "llocate"),
    ("SELECT r, repeat('x', 100000) FROM range(100000) t(r)", "memory", "bytes"),
    ("SELECT altitude FROM fare", "error", "altitude"),
    ("SELEC 1", "error", "only SELECT, WITH, VALUES and FROM are run"),
    ("SELECT 1 FROM", "error", "syntax"),
    ("SELECT 1\0; DROP TABLE fare", "forbidden", "NUL character"),
    ("SELECT SetSeed(0.3)", "forbidden", "SetSeed"),
    ("SELECT * FROM (PIVOT fare ON meal USING sum(cents))", "forbidden", "PIVOT with"),
]


@pytest.fixture
def duck(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "fares.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(FARES)
    return path


@pytest.mark.parametrize(("sql", "kind", "word"), DUCKDB_HOSTILE)
def test_hostile_sql_on_duckdb_changes_nothing(duck, sql, kind, word):
    before = contents(duck.parent)
    first, failure, after = ask(duck, COUNT, sql, f"{COUNT} -- again")
    assert first.rows() == after.rows() == EXPECTED
    assert failure.kind == kind
    assert word in failure.message
    assert contents(duck.parent) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(1000000) a, range(1000000) b",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
        "SELECT count(*) FROM r",
    ],
)
def test_duckdb_is_stopped_at_the_time_limit(duck, monkeypatch, sql):
    only_late(monkeypatch, sql)
    failure, after = ask(duck, sql, COUNT, timeout=1.0)
    assert str(failure) == "timeout: it ran for more than 1 s"
    assert after.rows() == EXPECTED


def test_one_query_leaves_nothing_of_random_to_the_next(duck):
    hidden = "SELECT * FROM query('SELECT set' || 'seed(0.3)')"
    drawn = [ask(duck, hidden, "SELECT random()")[1].rows() for _ in range(2)]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("sql", [f"{COUNT};;", f"; {COUNT} ; ;", f"FROM ({COUNT})"])
def test_empty_statements_and_from_are_read(duck, sql):
    assert ask(duck, sql)[0].rows() == EXPECTED


def test_duckdb_streams_so_that_long_results_are_cut_early(duck):
    long, after = ask(duck, "SELECT * FROM range(100000000000)", COUNT, max_rows=10)
    assert long.truncated
    assert long.columns[0].tolist() == list(range(10))
    assert after.rows() == EXPECTED


def test_types_of_duckdb(duck):
    (result,) = ask(
        duck,
        "SELECT sum(cents) AS total, avg(cents) AS mean, 1.50 AS price, true AS yes, "
        "DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 07:30:00' AS time, "
        "NULL AS none, 'x'::BLOB AS bytes FROM fare",
    )
    assert result.names == (
        *("total", "mean", "price", "yes", "day", "time", "none", "bytes"),
    )
    assert result.rows() == [
        (30000, 10000.0, 1.5, True, "2026-01-31", "2026-01-31 07:30:00", None, b"x")
    ]
    kinds = ["int64", "float64", "float64", "bool", *["object"] * 4]
    assert [str(column.dtype) for column in result.columns] == kinds


def test_times_with_a_zone_are_in_utc(duck):
    pytest.importorskip("pytz")
    (result,) = ask(duck, "SELECT TIMESTAMPTZ '2026-01-31 07:30:00+02'")
    assert result.rows() == [("2026-01-31 05:30:00+00:00",)]


@pytest.mark.parametrize("name", ["a b.duckdb", "50%41", "what?.duckdb", "#1.duckdb"])
def test_odd_names_of_duckdb_files(duck, name):
    path = duck.rename(duck.parent / name)
    assert ask(path, COUNT)[0].rows() == EXPECTED
    assert [each.name for each in path.parent.iterdir()] == [name]


def test_two_workers_read_one_duckdb_file(duck):
    texts = [f"{COUNT} -- {number}" for number in range(130)]
    found = ask(duck, *texts, workers=2)
    assert [each.rows() for each in found] == [EXPECTED] * 130


def test_what_a_writer_left_beside_duckdb_counts(duck):
    code = (
        "import duckdb, os, sys; connection = duckdb.connect(sys.argv[1])\n"
        "connection.execute(\"INSERT INTO fare VALUES ('UA 1', 1, 'S')\")\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(duck)], check=True)
    before = contents(duck.parent)
    assert "fares.duckdb.wal" in before
    assert ask(duck, COUNT)[0].rows() == [(4, 30001)]
    assert contents(duck.parent) == before


def test_a_damaged_duckdb_file_is_unreadable(duck):
    data = bytearray(duck.read_bytes())
    data[8192:8392] = b"\xff" * 200
    duck.write_bytes(data)
    (failure,) = ask(duck, COUNT)
    assert failure.kind == "unreadable"
    assert "orrupt" in failure.message
    assert duck.read_bytes() == bytes(data)


# -- what is not installed --------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "extra"), [("duckdb", "sql"), ("psycopg", "postgres")]
)
def test_a_missing_driver_is_named_with_its_extra(duck, monkeypatch, missing, extra):
    def find_spec(name):
        return None if name == missing else importlib.util.find_spec(name)

    monkeypatch.setattr("demur.sql.execution.databases.find_spec", find_spec)
    name = str(duck)
    if missing == "psycopg":
        name = "postgresql://u:secret/secret@host/name?password=secret"
    with pytest.raises(MissingExtra, match=rf'pip install "demur\[{extra}\]"') as told:
        find_database(name)
    assert "secret" not in str(told.value)


def test_sqlite_needs_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr("demur.sql.execution.databases.find_spec", lambda _: None)
    path = sqlite_file(tmp_path / "fares.sqlite")
    assert ask(path, COUNT)[0].rows() == EXPECTED


# -- PostgreSQL -------------------------------------------------------------------

POSTGRES_HOSTILE = [
    ("DELETE FROM fare", "forbidden", "DELETE"),
    ("COPY fare TO '/tmp/fare.csv'", "forbidden", "COPY"),
    ("COPY fare TO PROGRAM 'cat'", "forbidden", "COPY"),
    ("WITH x AS (DELETE FROM fare RETURNING *) SELECT * FROM x", "forbidden", "WITH"),
    ("SELECT 1; DROP TABLE fare", "forbidden", "multiple"),
    ("SELECT 1 /* /* */ ; */; DROP TABLE fare", "forbidden", "multiple"),
    ("SELECT * INTO other FROM fare", "forbidden", "INTO"),
    ("SELECT * FROM fare FOR UPDATE", "forbidden", "FOR UPDATE"),
    ("SELECT nextval('counter')", "forbidden", "sequence"),
    ("SELECT pg_read_file('/etc/passwd')", "forbidden", "pg_read_file"),
    ("SELECT \"pg_read_file\" /* */ ('/etc/passwd')", "forbidden", "pg_read_file"),
    ("SELECT U&\"\\0070g_read_file\"('/etc/passwd')", "forbidden", "not allowed"),
    ("SELECT pg_ls_dir('/')", "forbidden", "pg_ls_dir"),
    ("SELECT lo_import('/etc/passwd')", "forbidden", "lo_import"),
    ("SELECT lo_export(1, '/tmp/x')", "forbidden", "lo_export"),
    ("SELECT set_config('role', 'none', false)", "forbidden", "set_config"),
    ("SELECT query_to_xml('DROP TABLE fare', true, true, '')", "forbidden", "query"),
    ("SELECT pg_terminate_backend(1)", "forbidden", "pg_terminate_backend"),
    ("SELECT pg_advisory_lock(1)", "forbidden", "pg_advisory_lock"),
    ("SELECT * FROM pg_authid", "forbidden", "pg_authid"),
    ("SELECT * FROM pg_shadow", "forbidden", "pg_shadow"),
    ("SELECT", "error", "no columns"),
    ("SELECT altitude FROM fare", "error", "altitude"),
    ("SELECT 1 / 0", "error", "zero"),
    ("SELECT count(*) FROM read_csv('/etc/passwd')", "error", "read_csv"),
    ("SELECT 1\0; DROP TABLE fare", "forbidden", "NUL character"),
    ("SELECT setseed(0.3)", "forbidden", "setseed"),
    ("SELECT " + ", ".join("1" * 1665), "error", "1664"),
    ("SELECT " + "+".join("1" * 30_000), "error", "stack depth"),
]


@pytest.fixture(scope="module")
def after_hostile(server):
    """Each hostile text, its failure, and the next answer."""
    texts = [sql for sql, _, _ in POSTGRES_HOSTILE]
    pairs = [(sql, f"{COUNT} -- {number}") for number, sql in enumerate(texts)]
    found = ask(server, *[text for pair in pairs for text in pair])
    return dict(zip(texts, zip(found[::2], found[1::2], strict=True), strict=True))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("sql", "kind", "word"), POSTGRES_HOSTILE)
def test_hostile_sql_on_postgresql_changes_nothing(after_hostile, sql, kind, word):
    failure, after = after_hostile[sql]
    assert failure.kind == kind
    assert word in failure.message
    assert after.rows() == EXPECTED


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "sql", ["SELECT pg_sleep(60)", "SELECT count(*) FROM generate_series(1, 1e12)"]
)
def test_postgresql_is_stopped_at_the_time_limit(server, monkeypatch, sql):
    only_late(monkeypatch, sql)
    failure, after = ask(server, sql, COUNT, timeout=1.0)
    assert str(failure) == "timeout: it ran for more than 1 s"
    assert after.rows() == EXPECTED


@pytest.mark.filterwarnings("ignore")
def test_the_guards_of_postgresql_hold_without_the_list_of_words(server, monkeypatch):
    import re

    from demur.sql.execution import postgres_engine
    from demur.sql.execution.queries import Limits

    monkeypatch.setattr(postgres_engine, "_REFUSED", re.compile("(?!)"))
    limits = Limits(timeout=AGES, max_rows=10, max_memory=1 << 28)
    engine = postgres_engine.PostgresEngine(server, limits, "")
    for sql in ("SELECT pg_read_file('/etc/passwd')", "SELECT lo_export(1, '/tmp/x')"):
        with pytest.raises(Exception, match="permission denied") as caught:
            engine.select(sql)
        assert engine.explain(caught.value)[0] == "forbidden"
        engine.finish()
    names, chunks = engine.select("SELECT current_user")
    assert [tuple(row) for chunk in chunks for row in chunk] == [("pg_read_all_data",)]
    assert names == ["current_user"]
    engine._connection.close()
    engine._connection.engine.dispose()


@pytest.mark.filterwarnings("ignore")
def test_types_of_postgresql(server):
    found = ask(
        server,
        "SELECT sum(cents), avg(cents), 1.50, true, DATE '2026-01-31', NULL, "
        "TIMESTAMPTZ '2026-01-31 07:30+02', 'x'::bytea, ARRAY[1, 2], 'a' LIKE 'a%' "
        "FROM fare",
        "SELECT 1 AS a, 2 AS a",
        "VALUES (1), (2)",
        "SELECT * FROM generate_series(1, 20000)",
        "SELECT '%s %(x)s', 5 % 2",
        max_rows=10_000,
    )
    assert found[0].rows() == [
        (
            *(30000, 10000.0, 1.5, True, "2026-01-31", None),
            *("2026-01-31 05:30:00+00:00", b"x", "[1, 2]", True),
        )
    ]
    assert found[1].names == ("a", "a")
    assert found[2].rows() == [(1,), (2,)]
    assert found[3].truncated
    assert found[3].n_rows == 10_000
    assert found[4].rows() == [("%s %(x)s", 1)]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("postgresql://me:p@ss/w@host/air?a=b", "postgresql://host/air"),
        ("postgresql://me:p?ss@host/air", "postgresql://" + "..."),
        ("postgresql://host/air?password=p@ss", "postgresql://" + "..."),
        ("a@b?c.sqlite", "a@b?c.sqlite"),
    ],
)
def test_no_part_of_a_password_is_shown(name, shown):
    assert public_name(name) == shown


@pytest.mark.parametrize(
    ("place", "word"),
    [
        ("postgresql://user:secret@127.0.0.1:1/name", "refused"),
        ("postgres://user:secret@host:port/name", "URL cannot be read"),
        ("oracle://user:secret@host/name", "it is none of postgresql://"),
        ("postgresql://user:p@secret@127.0.0.1:1/name", "@ is written %40"),
        ("postgresql://user:secret?secret@127.0.0.1:1/name", "refused"),
        ("postgresql://user@host:1/x?host=a@b&password=secret", "@ is written %40"),
    ],
)
def test_a_server_that_is_not_there_is_unreadable(place, word):
    pytest.importorskip("psycopg")
    pytest.importorskip("sqlalchemy")
    (failure,) = ask(place, COUNT)
    assert failure.kind == "unreadable"
    assert word in failure.message
    assert "secret" not in failure.message
