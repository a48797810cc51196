"""A server that goes down during a run: opened again, and the guilty query named."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from builders import refuses
from demur.sql.execution import Query, run_all
from demur.sql.execution.queries import Limits
from demur.sql.execution.turns import Turns
from sql_cases import AGES, only_late

pytestmark = pytest.mark.filterwarnings("ignore")  # what starts the server forks


class Killer(threading.Thread):
    """Kills server processes that sleep by how often the server has fallen.

    As a system does that lacks memory; how often it has is in the table ``fallen``.
    """

    def __init__(self, url, times):
        super().__init__(daemon=True)
        import psycopg

        self.connect = lambda: psycopg.connect(
            url.replace("+psycopg", ""), autocommit=True, connect_timeout=60
        )
        self.left = times
        self.over = threading.Event()
        with self.connect() as connection:
            connection.execute("CREATE TABLE fallen (number INT)")

    def run(self):
        while self.left and not self.over.wait(0.05):
            with suppress(Exception), self.connect() as connection:
                while self.left and not self.over.wait(0.02):
                    self.look(connection)

    def look(self, connection):
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity JOIN pg_locks USING (pid) "
            "WHERE wait_event = 'PgSleep' AND relation = 'fallen'::regclass"
        ).fetchall()
        for (pid,) in found[:1]:
            connection.execute("INSERT INTO fallen VALUES (%s)", (self.left,))
            self.left -= 1
            os.kill(pid, signal.SIGKILL)
            self.over.wait(0.1)


@pytest.fixture
def killer(server):
    threads = []

    def start(times):
        threads.append(Killer(server, times))
        threads[-1].start()
        return threads[-1]

    yield start
    for thread in threads:
        thread.over.set()
        thread.join()
    for _ in range(60):  # it recovers
        [answer] = run_all([Query(server, "SELECT 1")])
        if answer.failure is None:
            break
        time.sleep(1)
    else:
        pytest.fail(str(answer.failure))
    with threads[0].connect() as connection:
        connection.execute("DROP TABLE fallen")


SLEEPS = (
    "SELECT pg_sleep(CASE WHEN count(*) < {} THEN 300 ELSE 0 END), '{}' FROM fallen"
)
"""Until the server has fallen so many times."""


def test_honest_queries_outlive_a_server_that_falls_once(server, killer):
    thread = killer(1)
    texts = [SLEEPS.format(1, "first")]
    texts += [f"SELECT {n} FROM fare LIMIT 1" for n in range(60)]
    queries = [Query(server, text) for text in texts]
    answers = list(run_all(queries, workers=2, timeout=AGES))
    assert [each.failure for each in answers] == [None] * len(texts)
    assert [each.result.rows() for each in answers[1:]] == [[(n,)] for n in range(60)]
    assert thread.left == 0


def test_a_query_that_takes_its_server_down_is_named(server, killer):
    killer(9)
    texts = [SLEEPS.format(9, "guilty")]
    texts += [f"SELECT pg_sleep(0.05), {n}" for n in range(30)]
    queries = [Query(server, text) for text in texts]
    answers = list(run_all(queries, workers=2, timeout=AGES))
    assert answers[0].failure.kind == "crashed"
    assert answers[0].failure.message.startswith("the server went down 3 times while")
    assert [each.failure for each in answers[1:]] == [None] * 30


def test_a_server_that_does_not_come_back_is_lost(server, monkeypatch):
    from demur.sql.execution import crew

    monkeypatch.setattr(crew, "_PAUSES", (0.01, 0.02))
    opened = crew.Crew.start
    started = []

    def start(self, database):
        started.append(database)
        if len(started) > 1:  # nobody is there any more
            nowhere = server.replace("?host=", "?host=/nowhere")
            database = type(database)(nowhere, database.engine)
        return opened(self, database)

    monkeypatch.setattr(crew.Crew, "start", start)
    ask = crew.Worker.ask

    def lose(self, sql):
        if sql == "SELECT 2":
            return crew.failure_payload(crew.SqlFailure("lost", "gone"))
        return ask(self, sql)

    monkeypatch.setattr(crew.Worker, "ask", lose)
    texts = [f"SELECT {n}" for n in range(6)]
    answers = list(run_all([Query(server, each) for each in texts], workers=1))
    kinds = [each.failure and each.failure.kind for each in answers]
    assert kinds == [None, None, "lost", "lost", "lost", "lost"]
    message = answers[3].failure.message
    assert message.startswith("the server went down and did not come back: ")
    assert len(started) == 4  # the first, and three in vain


def test_a_server_that_falls_while_a_second_worker_opens_it_is_given_time(
    server, monkeypatch
):
    from demur.sql.execution import crew

    monkeypatch.setattr(crew, "_PAUSES", (0.01, 0.02))
    opened, started = crew.Crew.start, []

    def start(self, database):
        started.append(database)
        if len(started) == 1:
            nowhere = server.replace("?host=", "?host=/nowhere")
            database = type(database)(nowhere, database.engine)
            self.source(server).opened = True  # by the first, and then it fell
        return opened(self, database)

    monkeypatch.setattr(crew.Crew, "start", start)
    [answer] = run_all([Query(server, "SELECT 1")], workers=1)
    assert answer.failure is None
    assert answer.result.rows() == [(1,)]
    assert len(started) == 2


def test_threads_that_come_at_once_share_a_database(tmp_path, monkeypatch):
    from demur.sql.execution import crew

    (tmp_path / "a.sqlite").touch()
    find, both = crew.find_database, threading.Barrier(2)

    def slow(name):
        both.wait(AGES)
        return find(name)

    monkeypatch.setattr(crew, "find_database", slow)
    shared = crew.Crew(
        Limits(timeout=AGES, max_rows=9, max_memory=1 << 27), None, str(tmp_path)
    )
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(shared.source, [str(tmp_path / "a.sqlite")] * 2)
    assert one is other


def test_a_turn_alone_is_alone():
    turns, seen = Turns(), []

    def work(number):
        alone = number % 4 == 0
        with turns.turn(alone=alone):
            seen.append((number, alone, "in"))
            time.sleep(0.005)
            seen.append((number, alone, "out"))

    threads = [threading.Thread(target=work, args=(each,)) for each in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    inside = set()
    for number, alone, what in seen:
        if what == "out":
            inside.remove(number)
            continue
        assert not (alone and inside)
        assert all(each % 4 for each in inside)
        inside.add(number)
    assert not inside


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT * FROM fare WHERE flight = $1", "error"),
        ("SELECT " + "+".join(["1"] * 1_000_000), "error"),
        ("SELECT 'infinity'::date", "unsupported"),
        ("SELECT pg_sleep(300)", "timeout"),
        ("SELECT repeat('x', 400000000)", "memory"),
        ("SELECT set_config('work_mem', '4GB', false)", "forbidden"),
        (
            "SELECT (repeat('[', 4000) || repeat(']', 4000))::json",
            "unsupported",
        ),
    ],
)
def test_what_a_query_does_is_its_own_fault(server, monkeypatch, sql, kind):
    # Only what never ends may run out of time, however slow the machine is.
    only_late(monkeypatch, "pg_sleep(300)")
    queries = [Query(server, sql), Query(server, "SELECT 1")]
    found, after = run_all(queries, workers=1, timeout=2, max_memory=1 << 27)
    assert found.failure.kind == kind
    assert after.result.rows() == [(1,)]


def test_a_late_query_ends_on_the_server_too(server):
    import psycopg

    late = "SELECT count(*) FROM generate_series(1, 4000000000) AS late"
    list(run_all([Query(server, late)], timeout=1))
    with psycopg.connect(server) as connection:
        for _ in range(600):  # by itself it takes far longer
            [(left,)] = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
                "AND query LIKE '%%AS late%%' AND pid <> pg_backend_pid()"
            ).fetchall()
            if not left:
                break
            time.sleep(0.1)
    assert not left


def test_a_session_is_limited_as_far_as_it_goes(server):
    names = ("work_mem", "hash_mem_multiplier", "max_parallel_workers_per_gather")
    shown = ", ".join(f"current_setting('{name}')" for name in names)
    shown += ", current_setting('temp_file_limit'), current_setting('row_security')"
    [answer] = run_all([Query(server, f"SELECT {shown}")], max_memory=1 << 26)
    assert answer.result.rows() == [("4MB", "1", "0", "64MB", "off")]


@pytest.mark.parametrize(
    ("timeout", "shown"), [(90, "90s"), (80.5, "80500ms"), (90.0004, "90001ms")]
)
def test_a_session_waits_no_longer_than_a_query_may_take(server, timeout, shown):
    names = ("statement_timeout", "lock_timeout", "client_connection_check_interval")
    asked = ", ".join(f"current_setting('{name}')" for name in (*names, "jit"))
    [answer] = run_all([Query(server, f"SELECT {asked}")], timeout=timeout)
    assert answer.result.rows() == [(shown, shown, "1s", "off")]


def test_options_of_a_url_are_kept(server):
    url = server + "&options=-csearch_path%3Dpg_catalog"
    text = "SELECT current_setting('search_path'), current_setting('TimeZone')"
    [answer] = run_all([Query(url, text)])
    assert answer.result.rows() == [("pg_catalog", "UTC")]


def test_row_security_hides_no_rows_in_silence(server):
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE TABLE guarded (a INT)")
        connection.execute("INSERT INTO guarded VALUES (1)")
        connection.execute("ALTER TABLE guarded ENABLE ROW LEVEL SECURITY")
        try:
            [answer] = run_all([Query(server, "SELECT * FROM guarded")])
        finally:
            connection.execute("DROP TABLE guarded")
    assert answer.failure.kind == "unreadable"
    assert "row-level security" in answer.failure.message


# -- a run that does not end ---------------------------------------------------------


def records(n=20):
    references = [{"item": str(at), "sql": f"SELECT {at}"} for at in range(n)]
    responses = [{"item": str(at), "response": f"SELECT {at} "} for at in range(n)]
    return responses, references


def test_too_many_lost_answers_end_a_run_that_resumes(server, tmp_path, monkeypatch):
    import demur
    from demur.sql.execution import crew

    ask, down, asked = crew.Worker.ask, {"SELECT 7 "}, []

    def lose(self, sql):
        asked.append(sql)
        if sql in down:
            return crew.failure_payload(crew.SqlFailure("lost", "gone"))
        return ask(self, sql)

    monkeypatch.setattr(crew.Worker, "ask", lose)
    monkeypatch.setattr(crew, "_LOSSES", 1)
    refused = crew.failure_payload
    monkeypatch.setattr(
        crew,
        "failure_payload",
        lambda failure: refused(crew.SqlFailure("lost", failure.message)),
    )
    responses, references = records()
    cache = tmp_path / "cache"
    given = {"root": server, "cache": cache, "workers": 1}

    def judge(**more):
        databases = demur.Databases(**given, **more)
        return demur.judge(responses, references, by="sql", databases=databases)

    said = r"the server must be up for all but 1 % .*; got 1 of 20 ungraded"
    refuses(said, judge)
    outcomes = judge(max_lost=0.1)
    assert outcomes.counts() == {
        "right": 19,
        "wrong": 0,
        "unanswered": 0,
        "ungraded": 1,
    }
    assert outcomes.reason[7].startswith("lost: ")
    assert any(note.startswith("resumed: ") for note in outcomes.notes)
    assert "1 answer ungraded: the server went down" in outcomes.notes
    refuses("the server must be up", judge)
    asked.clear()
    down.clear()
    outcomes = judge()
    assert outcomes.counts()["right"] == 20
    fresh = [each for each in asked if "current_setting" not in each]
    assert fresh == ["SELECT 7 "]  # the rest was kept
    assert not [each for each in cache.rglob("*") if each.is_file()]
    asked.clear()
    assert judge().counts()["right"] == 20
    assert len(asked) > 20


def test_the_share_that_may_be_lost_is_one():
    import demur

    for given in (-0.1, 1.5, "much"):
        refuses(
            "max_lost must be a number from 0 to 1", demur.Databases, max_lost=given
        )
