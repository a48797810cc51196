"""One bound for what waits, and no idle thread while there is work."""

import errno
import threading
from pathlib import Path

import pytest

from demur import InputError
from demur.sql.execution import Query, crew, run_all, waiting
from demur.sql.execution.results import ResultWriter
from demur.sql.execution.waiting import Waiting
from sql_cases import AGES, sqlite_file

TABLE = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x');"


@pytest.fixture
def databases(tmp_path):
    for name in "ab":
        sqlite_file(tmp_path / f"{name}.sqlite", TABLE)
    return [str(tmp_path / f"{name}.sqlite") for name in "ab"]


def payload(text):
    writer = ResultWriter(["a"], 1 << 30)
    writer.add([(text,)])
    return writer.payload(truncated=False)


def test_what_waits_is_bounded_and_nothing_is_lost(databases, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_WAITING", 1 << 20)
    most = []
    put = Waiting.put

    def watched(self, query, payload):
        put(self, query, payload)
        most.append(self._waiting)

    monkeypatch.setattr(Waiting, "put", watched)
    large = "SELECT printf('%.400000c', 'x') FROM t WHERE {} = {}"
    queries = [Query(name, large.format(n, n)) for name in databases for n in range(20)]
    seen = 0
    for answer in run_all(queries, workers=2):
        assert answer.result.rows() == [("x" * 400_000,)]
        seen += 1
    assert seen == 40
    # The bound, and what each of two threads had begun before it was reached.
    assert max(most) < (1 << 20) + 3 * 410_000


def test_the_query_that_is_wanted_is_begun_beyond_the_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_WAITING", 10)
    queries = [Query("a", "1"), Query("a", "2"), Query("b", "3")]
    room = Waiting([queries[2], *queries[:2]], Path(tmp_path))
    first = room.take("")
    assert first == queries[2]
    other = room.take("")  # of the database that nobody reads
    assert other == queries[0]
    room.put(other, payload("one"))  # too much waits now, and is not wanted yet
    taken = []
    thread = threading.Thread(target=lambda: taken.append(room.take("a")))
    thread.start()
    thread.join(0.2)
    assert not taken
    results = room.in_order()
    room.put(first, payload("three"))
    assert next(results).rows() == [("three",)]
    assert next(results).rows() == [("one",)]
    thread.join(AGES)
    assert taken == [queries[1]]
    room.put(taken[0], payload("two"))
    assert next(results).rows() == [("two",)]
    assert room.take("a") is None


def test_idle_threads_share_the_work_of_one_database(databases, monkeypatch):
    """Each of three waits until all three have a query of the same database."""
    queries = [Query(databases[0], f"SELECT {n}") for n in range(12)]
    together, asking = threading.Barrier(3), set()
    ask = crew.Worker.ask

    def meet(self, sql):
        if self not in asking:
            asking.add(self)
            together.wait(AGES)
        return ask(self, sql)

    monkeypatch.setattr(crew.Worker, "ask", meet)
    answers = list(run_all(queries, workers=3))
    assert [answer.result.rows() for answer in answers] == [[(n,)] for n in range(12)]
    assert len(asking) == 3


@pytest.mark.parametrize("where", ["cache", "waiting"])
def test_a_full_disk_is_one_line_and_the_run_resumes(
    databases, tmp_path, monkeypatch, where
):
    cache = tmp_path / "cache"
    queries = [
        Query(databases[0], f"SELECT printf('%.100000c', 'x'), {n}") for n in range(6)
    ]
    full = OSError(errno.ENOSPC, "No space left on device")
    written = []

    def write(self, data):
        written.append(self)
        if len(written) > 3:
            raise full
        return len(data)

    write_bytes = Path.write_bytes

    def write_part(self, data):
        write(self, data)
        return write_bytes(self, data)

    with monkeypatch.context() as patch:
        if where == "cache":
            patch.setattr(Path, "write_bytes", write_part)
        else:

            def named(**options):
                write(None, b"")
                return temporary(**options)

            temporary = waiting.tempfile.NamedTemporaryFile
            patch.setattr(waiting.tempfile, "NamedTemporaryFile", named)
        with pytest.raises(
            InputError, match=r"must have room; got 'No space left"
        ) as e:
            list(run_all(queries, cache=cache, workers=1))
        assert "\n" not in str(e.value)
    kept = [each for each in cache.rglob("*") if each.is_file()]
    assert len(kept) >= 3
    answers = list(run_all(queries, cache=cache, workers=1))
    assert all(each.failure is None for each in answers)


def test_all_that_is_done_is_shown_to_who_asks_for_no_more(tmp_path):
    queries, shown = [Query("a", "1"), Query("a", "2")], []
    room = Waiting(queries, Path(tmp_path), lambda *counts: shown.append(counts))
    for query in queries:
        room.take("")
        room.put(query, payload("one"))
    answers = room.in_order()
    assert [next(answers).rows() for _ in queries] == [[("one",)]] * 2  # as zip asks
    assert shown == [(1, 2), (2, 2)]
