"""Writers that are killed, that are several, or whose disk is full: nothing is lost."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import demur
from builders import graded, printed, python, refuses, run, stderr_of, storm
from demur.store import migrations
from demur.store.stores import Store

WRITER = """
import sys
from datetime import UTC, datetime
import numpy as np
import demur
address, name, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
with demur.Store(address, make=True) as store:
    for number in range(runs):
        rng = np.random.default_rng(number)
        outcomes = demur.Outcomes.from_arrays(
            item=[f"q{row}" for row in range(3000)],
            system=name,
            correct=rng.random(3000) < 0.7,
            confidence=rng.random(3000),
            response=[f"{name} {number} {value}" for value in rng.random(3000)],
        )
        now = datetime(2027, 3, 1, tzinfo=UTC)
        run = store.keep(outcomes, when=now, tags=[name], note=str(number))
        print(run.number, flush=True)
"""


def writing(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def check_whole(address: str, least: int = 0) -> list[demur.KeptRun]:
    """Every run is there with all that belongs to it, and nothing beside that."""
    with Store(address, make=True) as store:
        runs = store.runs()
        assert [run.number for run in runs] == [*range(1, len(runs) + 1)]
        assert len(runs) >= least
        for run in runs:
            outcomes = store.outcomes(run)
            (name,) = run.tags
            assert outcomes.response[0].startswith(f"{name} {run.note} ")
            assert outcomes.counts()["right"] == run.systems[0].right
        rows = store.connection.rows
        assert not rows(
            "SELECT 1 FROM blobs WHERE hash NOT IN (SELECT hash FROM run_columns)"
        )
    return runs


# -- killed ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", storm(range(40), sample=3))
def test_a_writer_that_is_killed_leaves_whole_runs(seed, tmp_path):
    path = str(tmp_path / "runs.sqlite")
    draw, told = random.Random(seed), 0
    for name in ("first", "second"):
        process = writing(path, name, 1000)
        try:
            if draw.random() < 0.8:  # else it is killed while it makes the tables
                for _ in range(draw.randrange(1, 4)):
                    told = int(process.stdout.readline())
            time.sleep(draw.random() * 0.1)
        finally:
            process.kill()
            rest = process.communicate()[0].split()
        told = max([told, *map(int, rest)])
        check_whole(path, least=told)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_writer_on_a_server_that_is_killed_leaves_whole_runs(fresh_schema):
    address = fresh_schema()
    process = writing(address, "first", 1000)
    told = [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    told += map(int, process.communicate()[0].split())
    check_whole(address, least=max(told))


# -- several at once -------------------------------------------------------------------


def test_writers_at_once_wait_for_each_other(address):
    processes = [writing(address, f"writer{number}", 5) for number in range(3)]
    numbers = [
        int(number)
        for process in processes
        for number in process.communicate()[0].split()
    ]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert sorted(numbers) == [*range(1, 16)]
    runs = check_whole(address, least=15)
    for name in ("writer0", "writer1", "writer2"):
        assert [run.note for run in runs if run.tags == (name,)] == [*"01234"]


def test_readers_read_while_somebody_writes(tmp_path, now):
    path = tmp_path / "runs.sqlite"
    with Store(path, make=True) as store, Store(path) as reader:
        store.keep(graded([1, 0]), when=now)
        with store.connection.writing():
            store.connection.rows("UPDATE runs SET note = 'other'")
            assert reader.run(1).note == ""
            assert len(reader.outcomes(1)) == 2
        assert reader.run(1).note == "other"


def test_a_writer_that_waits_too_long_says_so(tmp_path, now, monkeypatch):
    monkeypatch.setattr("demur.store.connections._WAITED", 0.05)
    path = tmp_path / "runs.sqlite"
    with Store(path, make=True) as store, Store(path) as other:
        with store.connection.writing():
            refuses(
                "must be free within a minute; got another process that writes",
                *(other.keep, graded([1])),
                when=now,
            )
        assert other.keep(graded([1]), when=now).number == 1


# -- disks -----------------------------------------------------------------------------


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path):
    path, file = tmp_path / "runs.sqlite", tmp_path / "outcomes.jsonl"
    tables = [
        graded([right] * 4000, response=[os.urandom(40).hex() for _ in range(4000)])
        for right in (1, 0)
    ]
    demur.write_outcomes(tables[0], file)
    printed("keep", file, "--store", path)
    size = path.stat().st_size

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    demur.write_outcomes(tables[1], file)
    done = python("-m", "demur", "keep", file, "--store", path, preexec_fn=limit)
    assert done.returncode == 4, done.stderr
    assert "must have room on its disk; got a" in done.stderr
    assert done.stderr.count("\n") == 1
    assert path.stat().st_size == size
    with Store(path) as store:
        assert [run.number for run in store.runs()] == [1]
        assert store.outcomes(1).counts()["right"] == 4000
    printed("keep", file, "--store", path)
    with Store(path) as store:
        assert store.outcomes(2).counts()["wrong"] == 4000


def test_a_disk_that_fills_up_in_the_middle(tmp_path, now):
    with Store(tmp_path / "runs.sqlite", make=True) as store:
        store.keep(graded([1]), when=now)
        store.connection.rows("PRAGMA max_page_count = 20")
        large = graded([1] * 9000, response=[os.urandom(20).hex() for _ in range(9000)])
        refuses("got a full disk .* Nothing was changed", store.keep, large, when=now)
        assert [run.number for run in store.runs()] == [1]
        store.connection.rows("PRAGMA max_page_count = 20000")
        assert store.keep(large, when=now).number == 2
        assert store.outcomes(2) == large


def test_a_file_that_may_only_be_read_is_read(tmp_path, now, monkeypatch):
    path = tmp_path / "runs.sqlite"
    outcomes = graded([1, 0])
    with Store(path, make=True) as store:
        store.keep(outcomes, when=now, tags=["main"])
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda _, mode: mode == os.R_OK)
    with Store(path) as store:
        assert store.outcomes("main") == outcomes
        refuses(
            "must be writable; got a read-only file", store.untag, 1, "main", when=now
        )
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_on_a_network_gets_a_journal_and_says_so(tmp_path, now, monkeypatch):
    path = tmp_path / "runs.sqlite"
    with Store(path, make=True) as store:
        store.keep(graded([1]), when=now)
    monkeypatch.setattr("demur.store.connections.network_of", lambda _: "nfs4")
    with Store(path, make=True) as store:
        (note,) = store.notes
        assert "lies on a network (nfs4): it is written with a journal" in note
        assert store.connection.rows("PRAGMA journal_mode") == [("delete",)]
        store.keep(graded([0]), when=now)
    assert path.read_bytes()[18:20] == b"\1\1"  # the versions of a file without WAL
    monkeypatch.undo()
    with Store(path) as store:
        assert store.notes == ()
        assert len(store.runs()) == 2


# -- damage ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole_store(tmp_path_factory) -> bytes:
    """The bytes of a store with three runs and a lock."""
    path = tmp_path_factory.mktemp("whole") / "runs.sqlite"
    when = datetime(2027, 3, 1, tzinfo=UTC)
    with Store(path, make=True) as store:
        for number in range(3):
            outcomes = graded(
                [1, 0, None] * 9,
                item=[f"q{row}" for row in range(27)],
                response=[f"{number} {row}" for row in range(27)],
                groups={"topic": ["x", "y", None] * 9},
            )
            store.keep(outcomes, when=when, tags=["main"], note="a note", lock="[]")
    return path.read_bytes()


@pytest.mark.parametrize("seed", storm(range(200), sample=6))
def test_a_damaged_file_gives_what_was_kept_or_one_line(seed, whole_store, tmp_path):
    draw, path = random.Random(seed), tmp_path / "runs.sqlite"
    content = bytearray(whole_store)
    for _ in range(draw.choice([1, 4, 40])):
        at = draw.randrange(len(content))
        content[at] = draw.choice([0, 255, content[at] ^ 1, draw.randrange(256)])
    if draw.random() < 0.2:
        del content[draw.randrange(len(content)) :]
    path.write_bytes(bytes(content))
    expected = tmp_path / "expected.jsonl"
    for words in (["show"], ["show", "2", "-o", expected], ["show", "main", "--json"]):
        code, _, err = run(*words, "--store", path)
        assert code in (0, 4), err
        assert err.count("\n") == 1 or code == 0
    if expected.exists():
        kept = demur.read_outcomes(expected, display=True)
        assert kept.response.tolist() == [f"1 {row}" for row in range(27)]


# -- files that are no store -----------------------------------------------------------


def made_by(script: str, path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


@pytest.mark.parametrize("command", ["show", "keep"])
def test_what_is_no_store_is_one_line(command, tmp_path):
    outcomes = tmp_path / "o.jsonl"
    outcomes.write_text('{"item": "a", "outcome": "right"}\n')
    words = [command] if command == "show" else [command, outcomes]
    text = tmp_path / "text"
    text.write_text("no database at all, but longer than the head of one " * 9)
    made_by("CREATE TABLE fare (flight TEXT)", tmp_path / "other")
    newer = "CREATE TABLE demur_store (version); INSERT INTO demur_store VALUES (999)"
    made_by(newer, tmp_path / "newer")
    made_by(newer.replace("999", "0"), tmp_path / "none")
    whole = (tmp_path / "other").read_bytes()
    (tmp_path / "torn").write_bytes(whole[:1000])
    expected = {
        text: "got a file that is none (file is not a database)",
        tmp_path / "other": "something else, with the table fare. Name another file",
        tmp_path / "newer": "version 1 or older; got version 999. A newer demur has",
        tmp_path / "none": "got the table demur_store with the version 0. It is of",
        tmp_path / "torn": "the store must be",
        tmp_path: "must be a file; got a directory",
        tmp_path / "no" / "a": "must be there" if command == "show" else "must lie in",
        "http://a": "must be a file of SQLite, or postgresql://USER@HOST/NAME",
    }
    for path, words_of_error in expected.items():
        error = stderr_of(*words, "--store", path)
        assert words_of_error in error
        assert error.count("\n") == 1
    assert text.read_text().startswith("no database")
    assert (tmp_path / "other").read_bytes() == whole


def test_an_empty_file_becomes_a_store_only_when_something_is_kept(tmp_path, now):
    path = tmp_path / "empty"
    path.touch()
    refuses("must hold runs; got an empty database", Store, path)
    with Store(path, make=True) as store:
        assert store.keep(graded([1]), when=now).number == 1


def test_a_store_that_is_not_there_is_not_made_by_reading(tmp_path):
    refuses("must be there; got no file", Store, tmp_path / "none")
    assert [*tmp_path.iterdir()] == []


# -- servers ---------------------------------------------------------------------------


def test_passwords_of_servers_are_masked(tmp_path):
    outcomes = tmp_path / "o.jsonl"
    outcomes.write_text('{"item": "a", "outcome": "right"}\n')
    for address in (
        "postgresql://me:SECRET@localhost:1/runs",
        "postgresql://me:SEC@RET@localhost:1/runs?password=SECRET",
        "postgresql://me:SEC/RET@localhost:1/runs",
        "postgresql://me:SEC?RET@localhost:1/runs",
        "postgresql://me:SECRET@localhost:1/runs?no_such_option=SECRET",
    ):
        error = stderr_of("keep", outcomes, "--store", address)
        assert "SEC" not in error
        assert "RET" not in error
        assert error.count("\n") == 1


def test_a_missing_driver_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(demur.MissingExtra, match=r'pip install "demur\[postgres\]"'):
        Store("postgresql://localhost/runs")


def test_a_server_with_tables_of_something_else_is_refused(server):
    refuses("must be one of demur; got a database of something else", Store, server)


# -- steps -----------------------------------------------------------------------------

GOLDEN = Path(__file__).parents[1] / "golden/store/version_1.sqlite"


def test_the_first_version_opens_for_ever(tmp_path):
    path = tmp_path / "runs.sqlite"
    path.write_bytes(GOLDEN.read_bytes())
    with Store(path) as store:
        one, two = store.runs()
        assert (one.number, one.tags, one.note) == (1, ("main",), "the first one")
        assert two.judged_from == 1
        assert store.run("main").systems[0].right == 2
        outcomes = store.outcomes(1)
        assert outcomes.item.tolist() == ["q1", "q2", "q3"]
        assert outcomes.response.tolist() == ["Oslo", {"city": None}, None]
        assert outcomes.confidence.tolist()[:2] == [0.75, 0.5]
        assert outcomes.groups["topic"].tolist() == ["x", None, "y"]
        assert demur.judge(*store.records(1), by="json") == outcomes
        assert one.lock == "[]\n"


STEP = (
    "ALTER TABLE runs ADD COLUMN extra TEXT",
    "UPDATE runs SET extra = 'new'",
    "CREATE TABLE more (name TEXT)",
)


def test_an_older_version_is_brought_up_step_by_step(store, now, monkeypatch):
    store.keep(graded([1]), when=now)
    monkeypatch.setattr(migrations, "STEPS", [*migrations.STEPS, STEP, ()])
    migrations.migrate(store.connection)
    assert migrations.version_of(store.connection) == 3
    assert [row[0] for row in store.connection.rows("SELECT extra FROM runs")] == [
        "new"
    ]
    monkeypatch.undo()
    refuses("version 1 or older; got version 3", migrations.migrate, store.connection)


def test_a_step_that_fails_changes_nothing(store, now, monkeypatch):
    store.keep(graded([1]), when=now)
    monkeypatch.setattr(
        migrations, "STEPS", [*migrations.STEPS, (*STEP, "CREATE NONSENSE")]
    )
    refuses("got .*NONSENSE", migrations.migrate, store.connection)
    assert migrations.version_of(store.connection) == 1
    assert "more" not in store.connection.tables()
    assert len(store.outcomes(1)) == 1


MIGRATING = """
import os, signal, sys
from demur.store import migrations
from demur.store.stores import Store
steps, when = eval(sys.argv[2]), int(sys.argv[3])
migrations.STEPS.append(steps)
with_kill = Store.__init__
from demur.store import connections
rows = connections.SqliteConnection.rows
def killed(self, sql, *values):
    if sql == steps[when]:
        os.kill(os.getpid(), signal.SIGKILL)
    return rows(self, sql, *values)
if when >= 0:
    connections.SqliteConnection.rows = killed
with Store(sys.argv[1]) as store:
    print(migrations.version_of(store.connection), len(store.runs()))
"""


@pytest.mark.parametrize("when", range(len(STEP)))
def test_a_process_killed_in_the_middle_of_a_step_has_changed_nothing(
    when, tmp_path, now
):
    path = tmp_path / "runs.sqlite"
    with Store(path, make=True) as store:
        store.keep(graded([1, 0]), when=now)
    done = python("-c", MIGRATING, path, repr(STEP), when)
    assert done.returncode == -signal.SIGKILL
    with Store(path) as store:
        assert migrations.version_of(store.connection) == 1
        assert store.outcomes(1) == graded([1, 0])
    done = python("-c", MIGRATING, path, repr(STEP), -1)
    assert done.stdout.split() == ["2", "1"], done.stderr


def test_processes_that_migrate_at_once_take_each_step_once(address, now):
    with Store(address, make=True) as store:
        store.keep(graded([1]), when=now)
    command = [sys.executable, "-c", MIGRATING, address, repr(STEP), "-1"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for process in processes:
        out, err = process.communicate()
        assert out.split() == ["2", "1"], err
