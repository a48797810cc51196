"""Many queries: order, limits, cache, interruption, and nothing left behind."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from builders import DATA, needs_data, python, refuses
from demur import InputError, RunError
from demur.sql.execution import Query, crew, run_all
from demur.sql.execution.statements import checked_statement
from demur.sql.unstable import is_stable
from sql_cases import (
    AGES,
    ENDLESS,
    ONE_STEP,
    ask,
    children,
    contents,
    only_late,
    sabotage,
    sqlite_file,
)

needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")


@pytest.fixture
def databases(tmp_path):
    """Three files; the n-th has n rows."""
    paths = []
    for number in range(1, 4):
        script = "CREATE TABLE t (a);" + "INSERT INTO t VALUES (1);" * number
        paths.append(str(sqlite_file(tmp_path / f"{number}.sqlite", script)))
    return paths


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_answers_come_in_the_order_of_the_queries(databases, workers):
    names = [databases[(7 * number) % 3] for number in range(300)]
    texts = [f"SELECT count(*), {number % 150} FROM t" for number in range(300)]
    queries = list(map(Query, names, texts))
    seen = []
    answers = run_all(
        iter(queries), workers=workers, progress=lambda *now: seen.append(now)
    )
    expected = [
        [(1 + (7 * number) % 3, number % 150)] for number in range(len(queries))
    ]
    answers = list(answers)
    assert [answer.query for answer in answers] == queries
    assert [answer.result.rows() for answer in answers] == expected
    assert seen == sorted(seen)
    assert seen[-1] == (300, 300)
    assert len(seen) == len(set(queries))  # equal queries ran once


def test_no_queries_are_no_answers(tmp_path):
    assert list(run_all([], cache=tmp_path / "cache")) == []


def test_equal_queries_share_their_result(databases):
    first, second = run_all([Query(databases[0], "SELECT 1")] * 2)
    assert first.result is second.result


def test_large_results_wait_on_disk_and_come_back_whole(databases):
    digits = "WITH d(i) AS (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) "
    large = f"{digits} SELECT a.i, hex(zeroblob(500)) FROM d a, d b, d c, d e"
    queries = [Query(databases[0], text) for text in (large, "SELECT 1", large)]
    one, small, two = [answer.result for answer in run_all(queries)]
    assert one.n_rows == two.n_rows == 10_000
    assert set(one.columns[1]) == {"00" * 500}
    assert small.rows() == [(1,)]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("timeout", 0),
        ("timeout", float("nan")),
        ("timeout", float("inf")),
        ("timeout", "5"),
        ("max_rows", 0),
        ("max_rows", 1.5),
        ("max_memory", 1000),
        ("workers", 0),
        ("workers", True),
    ],
)
def test_arguments_are_checked_before_anything_runs(databases, option, value):
    with pytest.raises(InputError, match=f"run_all: {option} must be"):
        run_all([Query(databases[0], "SELECT 1")], **{option: value})


@pytest.mark.parametrize("query", [Query("a", None), Query(Path("a"), "SELECT 1")])
def test_queries_are_text(query):
    refuses("must be text", run_all, [query])


def test_python_that_does_not_start_is_said(databases, monkeypatch):
    monkeypatch.setattr("demur.sql.execution.workers._CODE", "raise SystemExit(3)")
    with pytest.raises(RunError, match="cannot run"):
        list(run_all([Query(databases[0], "SELECT 1")]))


@pytest.mark.parametrize(
    ("code", "timeout", "word"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", AGES, "by SIGSEGV"),
        ("import time; time.sleep(3600)", 0.2, "in time"),
    ],
)
def test_a_process_that_dies_or_hangs_at_once(
    databases, monkeypatch, code, timeout, word
):
    monkeypatch.setattr("demur.sql.execution.workers._CODE", code)
    monkeypatch.setattr("demur.sql.execution.workers.GRACE", 0.1)
    one, two = ask(databases[0], "SELECT 1", "SELECT 2", timeout=timeout)
    assert one.kind == two.kind == "unreadable"
    assert word in one.message


def dying(folder, which, how):
    """Code of workers of which some, by number, die or hang before they open."""
    return "\n".join(
        (
            "import os, signal, time",
            f"folder = {str(folder)!r}",
            "number = len([name for name in os.listdir(folder) if name.isdigit()])",
            "open(f'{folder}/{number}', 'w').close()",
            f"if number in {list(which)}:",
            f"    {how}",
            "from demur.sql.execution.serving import serve",
            "serve()",
        )
    )


def hanging_is_late(monkeypatch, folder):
    """A process is late once it has said that it hangs, and no other ever is."""
    given_up = set()

    def is_late(_, answered):
        while not answered(0.05):
            hanging = set(folder.glob("hangs *")) - given_up
            given_up.update(hanging)
            if hanging:
                return True
        return False

    monkeypatch.setattr("demur.sql.execution.workers.is_late", is_late)


HANGS = "open(f'{folder}/hangs {number}', 'w').close(); time.sleep(3600)"


@pytest.mark.parametrize("how", ["os.kill(os.getpid(), signal.SIGKILL)", HANGS])
@pytest.mark.parametrize("times", [2, 3])
def test_a_database_is_opened_again_if_a_process_dies(
    databases, tmp_path, monkeypatch, times, how
):
    starts = tmp_path / "starts"
    starts.mkdir()
    code = dying(starts, range(times), how)
    monkeypatch.setattr("demur.sql.execution.workers._CODE", code)
    hanging_is_late(monkeypatch, starts)
    found = ask(databases[0], "SELECT 1", "SELECT 2")
    if times == 2:
        assert [each.rows() for each in found] == [[(1,)], [(2,)]]
    else:
        assert {each.kind for each in found} == {"unreadable"}
    assert len(list(starts.glob("[0-9]"))) == 3


def test_deaths_count_only_in_a_row(databases, tmp_path, monkeypatch):
    starts = tmp_path / "starts"
    starts.mkdir()
    code = dying(starts, [0, 1, 3, 4], "os.kill(os.getpid(), signal.SIGKILL)")
    monkeypatch.setattr("demur.sql.execution.workers._CODE", code)
    # What takes too much memory costs its process, whenever it is asked.
    one, large, two = ask(
        databases[0], "SELECT 1", "SELECT randomblob(1e9)", "SELECT 2"
    )
    assert large.kind == "memory"
    assert (one.rows(), two.rows()) == ([(1,)], [(2,)])
    assert len(list(starts.iterdir())) == 6


def test_a_query_that_is_killed_for_its_time_does_not_run_again(
    databases, tmp_path, monkeypatch
):
    starts = tmp_path / "starts"
    starts.mkdir()
    only_late(monkeypatch, ONE_STEP, guarded=True)
    monkeypatch.setattr("demur.sql.execution.workers._CODE", dying(starts, [], "pass"))
    monkeypatch.setattr("demur.sql.execution.workers.GRACE", 0.2)
    (late,) = ask(databases[0], ONE_STEP, timeout=1)
    assert "and was killed" in late.message
    assert len(list(starts.iterdir())) == 1


def test_a_broken_database_is_opened_once(tmp_path, monkeypatch):
    started = []

    class Counted(crew.Worker):
        def open(self):
            started.append(self)
            return super().open()

    monkeypatch.setattr(crew, "Worker", Counted)
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    found = ask(broken, "SELECT 1", "SELECT 2")
    assert {each.kind for each in found} == {"unreadable"}
    assert len(started) == 1


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_query_whose_process_is_killed_runs_again(
    databases, tmp_path, monkeypatch, times, name
):
    place = str(tmp_path / "deaths")
    Path(place).mkdir()
    sabotage(
        monkeypatch,
        f"len(os.listdir({place!r})) < {times} and ("
        f"os.mkdir({place!r} + '/' + str(os.getpid())), "
        f"os.kill(os.getpid(), signal.{name}), time.sleep(9))",
    )
    one, two = ask(databases[0], "SELECT 'sabotage'", "SELECT 2")
    if times == 1:
        assert one.rows() == [("sabotage",)]
    else:
        assert (one.kind, name in one.message) == ("crashed", True)
    assert two.rows() == [(2,)]
    assert len(list(Path(place).iterdir())) == times


def test_a_crash_in_a_query_costs_that_query_only(databases, monkeypatch):
    sabotage(monkeypatch, "os.kill(os.getpid(), signal.SIGABRT)")
    one, two, three = ask(
        databases[2], "SELECT 1", "SELECT 'sabotage'", "SELECT count(*) FROM t"
    )
    assert one.rows() == [(1,)]
    assert two.kind == "crashed"
    assert "SIGABRT" in two.message
    assert three.rows() == [(3,)]


@pytest.mark.parametrize(
    "sql",
    ["select 1", "SELECT 1", " \n\tWith x", "values(1)", "/* a */-- b\n(( SELECT 1"],
)
def test_statements_that_read_pass(sql):
    assert checked_statement(f";{sql};\n;") == sql.strip()


@pytest.mark.parametrize(
    ("sql", "checked"),
    [
        ("SELECT 1; ; -- x", "SELECT 1"),
        ("SELECT 1; /* a */ ; /* b */", "SELECT 1"),
        ("-- c\n;SELECT 1; -- x", "SELECT 1"),
        ("\ufeffSELECT 1", "SELECT 1"),
        ("SELECT '; -- x'", "SELECT '; -- x'"),
        ("SELECT 'it''s; ok';", "SELECT 'it''s; ok'"),
        ('SELECT ";" ; -- x', 'SELECT ";" '),
        ("SELECT 1 /* ; */", "SELECT 1 /* ; */"),
        *(
            (sql, sql)
            for sql in ("SELECT 1; DROP TABLE t", "SELECT 1; -- x\n; SELECT 2")
        ),
        *(
            (sql, sql)
            for sql in ("SELECT $$a;-- $$", r"SELECT E'\';-- '", "SELECT [a;b]")
        ),
    ],
)
def test_only_what_is_empty_is_cut_off(sql, checked):
    assert checked_statement(sql) == checked


def test_a_long_text_is_checked_in_linear_time():
    for piece in ("/*", "(", "--", "/* */", "\n", "'", '"', "`", ";/*", "["):
        with pytest.raises(Exception, match="error"):
            checked_statement(piece * 10**6)


# -- the cache --------------------------------------------------------------------


@pytest.fixture
def no_workers(monkeypatch):
    """Call it, and from then on no process may be started."""

    def forbid():
        def worker(*_):
            pytest.fail("a worker was started")

        monkeypatch.setattr("demur.sql.execution.crew.Worker", worker)

    return forbid


TEXTS = ("SELECT count(*) FROM t", "SELECT b FROM t", "DROP TABLE t", "SELECT 'x'")


def shown(found):
    return [each.rows() if hasattr(each, "rows") else str(each) for each in found]


def test_results_and_lasting_failures_come_from_the_cache(
    databases, tmp_path, no_workers
):
    cache = tmp_path / "deep" / "cache"
    first = ask(databases[1], *TEXTS, cache=cache)
    no_workers()
    assert shown(ask(databases[1], *TEXTS, cache=cache)) == shown(first)
    assert shown(first) == [
        [(2,)],
        "error: no such column: b",
        "forbidden: DROP is not allowed; only SELECT, WITH and VALUES are run",
        [("x",)],
    ]


@pytest.mark.parametrize(
    "change", ["database", "sql", "timeout", "max_rows", "max_memory", "version"]
)
def test_whatever_a_result_depends_on_is_in_its_name(
    databases, tmp_path, monkeypatch, change
):
    def files():
        return sum(path.is_file() for path in cache.rglob("*"))

    cache = tmp_path / "cache"
    text, options = "SELECT count(*) FROM t", {}
    assert shown(ask(databases[0], text, cache=cache)) == [[(1,)]]
    assert files() == 1
    copied = tmp_path / "copy"
    copied.write_bytes(Path(databases[0]).read_bytes())
    ask(copied, text, cache=cache)
    assert files() == 1  # the content counts, not the name
    if change == "database":
        with sqlite3.connect(databases[0]) as connection:
            connection.execute("INSERT INTO t VALUES (5)")
        connection.close()
    elif change == "sql":
        text += " "
    elif change == "version":
        monkeypatch.setattr("sqlite3.sqlite_version", "9.9.9")
    else:
        options = {"timeout": 6.0, "max_rows": 10, "max_memory": 1 << 29}
        options = {change: options[change]}
    expected = 2 if change == "database" else 1
    assert shown(ask(databases[0], text, cache=cache, **options)) == [[(expected,)]]
    assert files() == 2


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:0], lambda data: data[:-1], lambda data: b"x" + data[1:]],
)
def test_a_damaged_entry_is_as_good_as_none(databases, tmp_path, damage):
    cache = tmp_path / "cache"
    first = ask(databases[1], *TEXTS, cache=cache)
    entries = [path for path in cache.rglob("*") if path.is_file()]
    whole = {path: path.read_bytes() for path in entries}
    assert len(entries) == len(TEXTS)
    for path in entries:
        path.write_bytes(damage(path.read_bytes()))
    assert shown(ask(databases[1], *TEXTS, cache=cache)) == shown(first)
    assert {path: path.read_bytes() for path in entries} == whole


def test_what_may_end_otherwise_next_time_is_not_cached(
    databases, tmp_path, monkeypatch
):
    only_late(monkeypatch, ENDLESS)
    cache = tmp_path / "cache"
    found = ask(databases[0], ENDLESS, "SELECT randomblob(1e9)", cache=cache, timeout=1)
    assert [each.kind for each in found] == ["timeout", "memory"]
    assert not [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT strftime('%s','now')",
        "SELECT strftime('%s')",
        "SELECT date(d) FROM (SELECT 'now' AS d)",
        "SELECT datetime ( /* */ )",
        "SELECT unixepoch('subsec')",
        "SELECT CURRENT_TIMESTAMP",
        "SELECT 1 ORDER BY Random()",
        "SELECT hex(randomblob(4))",
    ],
)
def test_what_changes_by_itself_is_not_cached(databases, tmp_path, sql):
    cache = tmp_path / "cache"
    ask(databases[0], sql, "SELECT date('2026-01-31')", cache=cache)
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 1


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT now()", "SELECT today()", "SELECT age(day) FROM t"),
        *("SELECT localtimestamp", "SELECT get_current_time()", "SELECT uuid()"),
        *("SELECT gen_random_uuid()", "FROM t USING SAMPLE 3"),
        *("SELECT clock_timestamp()", "SELECT * FROM t TABLESAMPLE 10%"),
    ],
)
def test_what_other_engines_do_not_repeat_is_not_stable(sql):
    assert not is_stable(sql)
    assert is_stable("SELECT page, knowhow, strftime('%Y', day), updated FROM t")


def test_an_interrupted_run_resumes(databases, tmp_path, no_workers):
    cache = tmp_path / "cache"
    queries = [Query(databases[0], f"SELECT {number}") for number in range(500)]
    answers = run_all(queries, cache=cache, workers=1)
    for _ in range(100):
        next(answers)
    answers.close()
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert 100 <= len(kept) < 500
    assert not [path for path in kept if path.name.startswith(".")]
    again = [answer.result.rows() for answer in run_all(queries, cache=cache)]
    assert again == [[(number,)] for number in range(500)]
    no_workers()
    assert len(list(run_all(queries, cache=cache))) == 500


def test_a_cache_that_cannot_be_made_is_said(databases, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cache must be a folder"):
        run_all([Query(databases[0], "SELECT 1")], cache=tmp_path / "file")


# -- nothing is left behind -------------------------------------------------------


@needs_proc
@pytest.mark.parametrize("end", ["close", "throw", "finish"])
def test_no_process_outlives_its_run(databases, tmp_path, monkeypatch, end):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    only_late(monkeypatch, ENDLESS)
    before = children()
    files = contents(tmp_path).keys()
    queries = [Query(name, ENDLESS) for name in databases]
    queries.insert(0, Query(databases[0], "SELECT 1"))
    answers = run_all(queries, workers=3, timeout=0.5 if end == "finish" else 600.0)
    assert next(answers).result.rows() == [(1,)]
    assert end == "finish" or len(children() - before) >= 1
    if end == "close":
        answers.close()
    elif end == "throw":
        with pytest.raises(KeyboardInterrupt):
            answers.throw(KeyboardInterrupt)
    else:
        assert [each.failure.kind for each in answers] == ["timeout"] * 3
    assert children() == before
    assert contents(tmp_path).keys() == files


def test_an_error_in_a_thread_is_raised(databases, monkeypatch):
    monkeypatch.setattr("demur.sql.execution.waiting.read_payload", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        list(run_all([Query(databases[0], "SELECT 1")]))


SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
from demur.sql.execution import Query, run_all
queries = [Query(sys.argv[1], "SELECT 1"), Query(sys.argv[1], sys.argv[2])]
for answer in run_all(queries, timeout=float(sys.argv[3])):
    print(answer.result.rows(), flush=True)
"""


def running(process):
    try:
        stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return stat[0] != "Z"


@needs_proc
@pytest.mark.parametrize(
    ("number", "sql"),
    [(signal.SIGINT, ENDLESS), (signal.SIGKILL, ENDLESS), (signal.SIGKILL, ONE_STEP)],
)
def test_no_process_outlives_its_parent(databases, number, sql):
    command = [sys.executable, "-c", SCRIPT, databases[0], sql, "3600"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout.readline() == "[(1,)]\n"
        workers = children(parent.pid)
        assert workers
        parent.send_signal(number)
        try:
            _, said = parent.communicate(timeout=AGES)
        finally:
            parent.kill()
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in said
    until = time.monotonic() + AGES
    while any(map(running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(running, workers))


def test_a_script_without_a_main_guard_runs(databases, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = python(path, databases[0], "SELECT 2", str(AGES))
    assert done.stdout == "[(1,)]\n[(2,)]\n"


def test_a_worker_starts_without_numpy():
    code = (
        "import sys, demur.sql.execution.serving, demur.sql.execution.sqlite_engine\n"
        "print('numpy' in sys.modules, 'duckdb' in sys.modules)"
    )
    assert python("-c", code).stdout == "False False\n"


# -- real data --------------------------------------------------------------------


@needs_data
def test_spider_runs_as_counted():
    folder = DATA / "spider-dev19"
    lines = (folder / "questions.jsonl").read_text().splitlines()
    questions = {each["id"]: each for each in map(json.loads, lines)}
    names = {
        key: str(folder / "database" / f"{each['db_id']}.sqlite")
        for key, each in questions.items()
    }
    queries = [Query(names[key], each["query"]) for key, each in questions.items()]
    systems = [""] * len(queries)
    for path in sorted((folder / "predictions").glob("*.jsonl")):
        for each in map(json.loads, path.read_text().splitlines()):
            queries.append(Query(names[each["id"]], each["sql"]))
            systems.append(path.stem)
    before = contents(folder / "database")
    ran, empty, kinds = Counter(), 0, Counter()
    for system, answer in zip(systems, run_all(queries), strict=True):
        if answer.failure is not None:
            kinds[answer.failure.kind] += 1
            continue
        ran[system] += 1
        empty += not system and answer.result.n_rows == 0
        assert not answer.result.truncated
    assert (ran.pop(""), empty) == (972, 49)
    assert kinds == {"error": 272}
    assert ran == {
        "c3_chatgpt": 971,
        "codex_few_shot": 854,
        "dail_sql_gpt4": 958,
        "dail_sql_gpt4_sc": 972,
        "din_sql_codex": 933,
        "din_sql_gpt4": 965,
        "gpt4_few_shot": 911,
        "gpt4_zero_shot": 953,
        "graphix_t5": 959,
    }
    assert sum(ran.values()) == 8476
    assert contents(folder / "database") == before


@needs_data
def test_spider_gives_what_sqlite_itself_gives():
    folder = DATA / "spider-dev19"
    lines = (folder / "questions.jsonl").read_text().splitlines()
    names = sorted({json.loads(line)["db_id"] for line in lines})
    texts = {
        name: [
            each["query"] for each in map(json.loads, lines) if each["db_id"] == name
        ]
        for name in names[::4]
    }
    for name, queries in texts.items():
        path = folder / "database" / f"{name}.sqlite"
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        for query, found in zip(queries, ask(path, *queries), strict=True):
            assert found.rows() == connection.execute(query).fetchall()
        connection.close()
