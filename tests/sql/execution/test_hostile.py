"""Hostile SQL and broken databases: the next answer, the file and the limits hold."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sql_cases import (
    COUNT,
    ENDLESS,
    EXPECTED,
    FARES,
    ONE_STEP,
    ask,
    contents,
    only_late,
    sabotage,
    sqlite_file,
)

NUMBERS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT {})"

# SQL, kind of the failure, a word of its message
HOSTILE = [
    ("DELETE FROM fare", "forbidden", "DELETE"),
    ("UPDATE fare SET cents = 0", "forbidden", "UPDATE"),
    ("DROP TABLE fare", "forbidden", "DROP"),
    ("INSERT INTO fare VALUES ('x', 1, 'y')", "forbidden", "INSERT"),
    ("CREATE TEMP TABLE fare (cents)", "forbidden", "CREATE"),
    ("ATTACH 'other.db' AS other", "forbidden", "ATTACH"),
    ("PRAGMA writable_schema = 1", "forbidden", "PRAGMA"),
    ("COPY fare TO 'fare.csv'", "forbidden", "COPY"),
    ("INSTALL httpfs", "forbidden", "INSTALL"),
    ("LOAD httpfs", "forbidden", "LOAD"),
    ("VACUUM INTO 'other.db'", "forbidden", "VACUUM"),
    ("BEGIN", "forbidden", "BEGIN"),
    ("EXPLAIN SELECT 1", "forbidden", "EXPLAIN"),
    ("/* SELECT */ DROP TABLE fare", "forbidden", "DROP"),
    ("-- SELECT\n DELETE FROM fare", "forbidden", "DELETE"),
    ("WITH x AS (SELECT 1) DELETE FROM fare", "forbidden", "DELETE"),
    ("WITH x AS (SELECT 1) UPDATE fare SET cents = 0", "forbidden", "UPDATE"),
    ("WITH x AS (SELECT 1) INSERT INTO fare SELECT 1,2,3", "forbidden", "INSERT"),
    ("SELECT 1; DELETE FROM fare", "forbidden", "several"),
    ("SELECT 1 /* ; */ ; /* -- */ DROP TABLE fare", "forbidden", "several"),
    ("SELECT 1 --\n; DROP TABLE fare", "forbidden", "several"),
    ("SELECT load_extension('x')", "forbidden", "load_extension"),
    ("SELECT fts3_tokenizer('simple')", "forbidden", "fts3_tokenizer"),
    ("SELECT * FROM pragma_journal_mode('delete')", "forbidden", "table"),
    ("SELECT * FROM dbstat", "forbidden", "table"),
    ("SELECT writefile('out', 'x')", "error", "writefile"),
    ("SELECT * FROM read_csv('/etc/passwd')", "error", "read_csv"),
    ("SELECT * FROM '/etc/passwd'", "error", "/etc/passwd"),
    ("SELECT randomblob(1000000000)", "memory", "too big"),
    ("SELECT zeroblob(1000000000)", "memory", "too big"),
    (f"{NUMBERS.format(10**4)} SELECT randomblob(1000000) FROM r", "memory", "bytes"),
    (
        f"{NUMBERS.format(10**6)} SELECT randomblob(10000) AS b FROM r ORDER BY b",
        "memory",
        "fit",
    ),
    ("", "error", "no statement"),
    (" ;", "error", "no statement"),
    ("-- SELECT 1", "error", "no statement"),
    ("The answer is 42.", "error", "begins with 'The'"),
    ("SELECT 1\0; DROP TABLE fare", "forbidden", "NUL character"),
    ("SELECT '\udcff'", "error", "utf-8"),
    ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "error", "stack"),
    ("SELECT '" + "x" * 2_000_000 + "'", "error", "at most 100,000 are run"),
    ("SELECT altitude FROM fare", "error", "no such column"),
]
SLOW = [
    (ENDLESS, "timeout", "for more than 1 s"),
    (
        f"{NUMBERS.format(10**6)} SELECT count(*) FROM r a, r b",
        "timeout",
        "for more than 1 s",
    ),
    (ONE_STEP, "timeout", "for more than 1 s and was killed"),
]


@pytest.fixture
def fares(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return sqlite_file(folder / "fares.sqlite")


@pytest.fixture(scope="module")
def hostile_answers(tmp_path_factory):
    """What one worker says to each hostile text, and to a sound one after it."""
    path = sqlite_file(tmp_path_factory.mktemp("data") / "fares.sqlite")
    before = contents(path.parent)
    texts = [COUNT]
    for number, (sql, _, _) in enumerate(HOSTILE):
        texts += [sql, f"{COUNT} -- {number}"]
    first, *answers = ask(path, *texts)
    assert first.rows() == EXPECTED
    assert contents(path.parent) == before
    pairs = zip(answers[::2], answers[1::2], strict=True)
    return dict(zip(texts[1::2], pairs, strict=True))


@pytest.mark.parametrize(("sql", "kind", "word"), HOSTILE)
def test_hostile_sql_is_named_and_changes_nothing(hostile_answers, sql, kind, word):
    failure, after = hostile_answers[sql]
    assert failure.kind == kind
    assert word in failure.message
    assert "\n" not in failure.message
    assert len(failure.message) <= 300
    assert after.rows() == EXPECTED


@pytest.mark.parametrize(("sql", "kind", "word"), SLOW)
def test_what_does_not_end_is_ended(fares, monkeypatch, sql, kind, word):
    only_late(monkeypatch, sql, guarded=sql == ONE_STEP)
    before = contents(fares.parent)
    failure, after = ask(fares, sql, COUNT, timeout=1.0)
    assert failure.kind == kind
    assert failure.message.endswith(word)
    assert after.rows() == EXPECTED
    assert contents(fares.parent) == before


def test_more_rows_than_allowed_are_left_out_and_that_is_said(fares):
    many = f"{NUMBERS.format(10**8)} SELECT n FROM r"
    long, exact, after = ask(
        fares, many, f"{NUMBERS.format(1000)} SELECT n FROM r", COUNT, max_rows=1000
    )
    assert long.truncated
    assert long.columns[0].tolist() == list(range(1, 1001))
    assert not exact.truncated
    assert exact.n_rows == 1000
    assert after.rows() == EXPECTED


def test_the_kernel_refuses_what_a_worker_writes(fares, tmp_path, monkeypatch):
    # the guard beneath the guards
    out = tmp_path / "out"
    sabotage(monkeypatch, f"open({str(out)!r}, 'wb', 0).write(b'x')")
    failure, after = ask(fares, "SELECT 'sabotage'", COUNT)
    assert "File too large" in failure.message
    assert out.read_bytes() == b""
    assert after.rows() == EXPECTED


def test_an_interrupt_is_for_the_parent_to_handle(fares, monkeypatch):
    sabotage(monkeypatch, "os.kill(os.getpid(), signal.SIGINT); time.sleep(0.1)")
    assert ask(fares, f"{COUNT} -- sabotage")[0].rows() == EXPECTED


def test_local_time_is_utc_everywhere(fares, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    (result,) = ask(fares, "SELECT datetime('2026-01-31 12:00', 'localtime')")
    assert result.rows() == [("2026-01-31 12:00:00",)]


def test_text_that_is_no_utf8_becomes_surrogate_escapes(tmp_path):
    script = f"{FARES} INSERT INTO fare VALUES (CAST(x'41ff42' AS TEXT), 1, 'S');"
    path = sqlite_file(tmp_path / "a.sqlite", script)
    result, after = ask(path, "SELECT flight FROM fare WHERE cents = 1", COUNT)
    assert result.rows() == [("A\udcffB",)]
    assert result.rows()[0][0].encode("utf-8", "surrogateescape") == b"A\xffB"
    assert after.rows() == [(4, 30001)]


def test_full_text_and_json_tables_can_be_read(tmp_path):
    script = (
        "CREATE VIRTUAL TABLE five USING fts5(x); INSERT INTO five VALUES ('a b');"
        "CREATE VIRTUAL TABLE four USING fts4(x); INSERT INTO four VALUES ('a b');"
        "CREATE VIRTUAL TABLE box USING rtree(id, low, high);"
        "INSERT INTO box VALUES (1, 2, 3);"
    )
    path = sqlite_file(tmp_path / "a.sqlite", script)
    found = ask(
        path,
        "SELECT x FROM five WHERE five MATCH 'b'",
        "SELECT x FROM four WHERE four MATCH 'b'",
        "SELECT id FROM box WHERE low > 1",
        "SELECT value FROM json_each('[4, 5]')",
        "WITH x AS (SELECT 1) INSERT INTO five VALUES ('c')",
    )
    assert [each.rows() for each in found[:4]] == [
        [("a b",)],
        [("a b",)],
        [(1,)],
        [(4,), (5,)],
    ]
    assert found[4].kind == "forbidden"


# -- databases that are not as they should be -------------------------------------


def damaged(start, stop):
    """A file of several pages with bytes overwritten."""

    def make(path):
        rows = ", ".join(f"('{'x' * 90}', {i}, 'S')" for i in range(500))
        sqlite_file(path, f"{FARES} INSERT INTO fare VALUES {rows};")
        data = bytearray(path.read_bytes())
        data[start:stop] = b"\xa5" * (min(stop, len(data)) - start)
        path.write_bytes(data)

    return make


BROKEN = {
    "missing": (Path.exists, "No such file"),
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "other": (lambda path: path.write_bytes(b"hello " * 999), "neither a SQLite"),
    "folder": (lambda path: path.mkdir(), "is not a file"),
    "pipe": (os.mkfifo, "is not a file"),
    "no schema": (damaged(100, 4096), "malformed"),
    "no pages": (damaged(4096, 10**6), "malformed"),
    "only a header": (
        lambda path: path.write_bytes(b"SQLite format 3\0" + b"\1" * 84),
        "not a database",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_database_is_unreadable_and_stays_as_it_is(tmp_path, name):
    make, word = BROKEN[name]
    path = tmp_path / "fares.sqlite"
    make(path)
    plain = path.is_file()
    before = path.read_bytes() if plain else None
    for found in ask(path, COUNT, f"{COUNT} WHERE cents > 0"):
        assert found.kind == "unreadable"
        assert word in found.message
    assert (path.read_bytes() if plain else None) == before
    assert {each.name for each in tmp_path.iterdir()} <= {"fares.sqlite"}


def test_a_broken_database_does_not_touch_the_others(tmp_path):
    from demur.sql.execution import Query, run_all

    damaged(100, 4096)(tmp_path / "bad.sqlite")
    good = sqlite_file(tmp_path / "good.sqlite")
    names = [str(tmp_path / "bad.sqlite"), str(good)] * 3
    texts = [f"{COUNT} -- {number}" for number in range(6)]
    answers = run_all(map(Query, names, texts), workers=2)
    found = [answer.failure or answer.result for answer in answers]
    assert [each.kind for each in found[::2]] == ["unreadable"] * 3
    assert [each.rows() for each in found[1::2]] == [EXPECTED] * 3


@pytest.mark.parametrize("name", ["a b.db", "50%41.db", "what?.db", "#1.db", "ü'\".db"])
def test_odd_names_of_files(tmp_path, name):
    path = sqlite_file(tmp_path / "plain").rename(tmp_path / name)
    assert ask(path, COUNT)[0].rows() == EXPECTED
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_link_is_followed(tmp_path):
    path = sqlite_file(tmp_path / "fares.sqlite")
    (tmp_path / "link").symlink_to(path)
    assert ask(tmp_path / "link", COUNT)[0].rows() == EXPECTED


def test_a_database_in_wal_mode_in_a_read_only_folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    path = sqlite_file(folder / "a.sqlite", f"PRAGMA journal_mode = wal; {FARES}")
    path.chmod(0o444)
    folder.chmod(0o555)
    before = contents(folder)
    assert ask(path, COUNT)[0].rows() == EXPECTED
    assert contents(folder) == before
    folder.chmod(0o755)


def abandoned(path, script):
    """Run statements on a database and die without closing it."""
    code = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for text in sys.argv[2].split(';'): connection.execute(text)\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(path), script], check=True)


def test_what_a_writer_left_in_the_wal_counts(tmp_path, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    path = sqlite_file(tmp_path / "a.sqlite", f"PRAGMA journal_mode = wal; {FARES}")
    assert ask(path, COUNT, cache=cache)[0].rows() == EXPECTED
    abandoned(path, "INSERT INTO fare VALUES ('UA 1', 1, 'S')")
    before = contents(tmp_path)
    assert len(before["a.sqlite-wal"])
    assert ask(path, COUNT, cache=cache)[0].rows() == [(4, 30001)]
    assert contents(tmp_path) == before


def test_what_a_writer_did_not_finish_does_not_count(tmp_path):
    rows = ", ".join(f"('{'x' * 500}', {i}, 'S')" for i in range(500))
    script = f"{FARES} INSERT INTO fare VALUES {rows};"
    path = sqlite_file(tmp_path / "a.sqlite", script)
    (total,) = ask(path, "SELECT sum(length(flight)) FROM fare")
    abandoned(
        path,
        "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;"
        "UPDATE fare SET flight = flight || 'longer'",
    )
    before = contents(tmp_path)
    assert len(before["a.sqlite-journal"])
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as careless:
        wrong = careless.execute("SELECT sum(length(flight)) FROM fare").fetchall()
    careless.close()
    assert wrong != total.rows()  # the file itself does hold unfinished work
    (again,) = ask(path, "SELECT sum(length(flight)) FROM fare")
    assert again.rows() == total.rows()
    assert contents(tmp_path) == before
