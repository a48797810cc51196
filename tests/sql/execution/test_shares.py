"""Queries on an executor: the same answers, and nothing of them is lost unsaid."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import demur
from demur import InputError, RunError
from demur.sql.execution import Query, run_all, shares, waiting
from executor_cases import EXECUTORS, Cancelling, die, processes
from sql_cases import AGES, ENDLESS, children, sqlite_file


@pytest.fixture
def databases(tmp_path):
    """Three files; the n-th has n rows."""
    paths = []
    for number in range(1, 4):
        script = "CREATE TABLE t (a);" + "INSERT INTO t VALUES (1);" * number
        paths.append(str(sqlite_file(tmp_path / f"{number}.sqlite", script)))
    return paths


def queries(databases) -> list[Query]:
    """Good ones, some twice, and all ways to fail."""
    texts = [f"SELECT count(*), {number % 40} FROM t" for number in range(60)]
    texts += ["SELECT b FROM t", "DELETE FROM t", "SELECT", "SELECT x'00'"]
    names = [*databases, "no/such.sqlite"]
    return [Query(names[(7 * place) % 4], text) for place, text in enumerate(texts)]


def told(answers) -> list[object]:
    return [answer.failure or answer.result.rows() for answer in answers]


@pytest.mark.parametrize("name", EXECUTORS)
def test_no_number_of_workers_changes_an_answer(name, databases, monkeypatch):
    monkeypatch.setattr(shares, "SHARE", 16)
    asked, seen = queries(databases), []
    alone = list(run_all(asked, workers=2))
    with EXECUTORS[name]() as executor:
        answers = run_all(
            asked, executor=executor, progress=lambda *now: seen.append(now)
        )
        answers = list(answers)
    assert [answer.query for answer in answers] == asked
    assert told(answers) == told(alone)
    assert len({str(each.failure) for each in answers}) == 4
    assert seen == sorted(seen)
    assert seen[-1] == (64, 64)
    assert len(seen) == len(set(asked))  # equal queries ran once


@pytest.mark.usefixtures("databases")
def test_paths_are_those_of_this_folder(tmp_path, monkeypatch):
    with processes(1) as executor:
        list(executor.map(abs, [1]))  # so that the process has a folder of its own
        monkeypatch.chdir(tmp_path)
        [answer] = run_all(
            [Query("2.sqlite", "SELECT count(*) FROM t")],
            executor=executor,
            cache="kept",
        )
    assert told([answer]) == [[(2,)]]
    assert any((tmp_path / "kept").rglob("*"))


def test_what_is_kept_is_found_again(databases, tmp_path):
    asked, cache = queries(databases), tmp_path / "cache"
    with ThreadPoolExecutor(2) as executor:
        first = told(run_all(asked, executor=executor, cache=cache))
    assert told(run_all(asked, cache=cache)) == first
    for number in range(1, 4):
        (tmp_path / f"{number}.sqlite").chmod(0o444)
    with ThreadPoolExecutor(2) as executor:
        assert told(run_all(asked, executor=executor, cache=cache)) == first


def test_large_results_come_in_parts_and_wait_on_disk(databases, monkeypatch):
    monkeypatch.setattr(shares, "MOST_SENT", 1 << 16)
    monkeypatch.setattr(waiting, "MOST_WAITING", 1 << 17)
    sent, answered = [], shares.Share.answered

    def counted(share):
        payloads = answered(share)
        sent.append((len(share.queries), len(payloads)))
        return payloads

    monkeypatch.setattr(shares.Share, "answered", counted)
    asked = [
        Query(databases[number % 2], f"SELECT hex(zeroblob(50000)), {number}")
        for number in range(8)
    ]
    with ThreadPoolExecutor(2) as executor:
        found = told(run_all(asked, executor=executor))
    assert found == [[("0" * 100_000, number)] for number in range(8)]
    assert sum(n_sent for _, n_sent in sent) == 8
    assert {n_sent for _, n_sent in sent} == {1}


def test_a_worker_that_dies_is_said(databases):
    asked = queries(databases)
    with processes(1) as executor:
        executor.submit(die, None)
        with pytest.raises(RunError, match=r"queries: the executor lost .*\(Broken"):
            list(run_all(asked, executor=executor))


def test_cancelled_shares_are_said(databases):
    with pytest.raises(RunError, match=r"queries: .*\(CancelledError\)"):
        list(run_all(queries(databases), executor=Cancelling()))


def test_a_run_that_is_given_up_ends_its_threads_and_processes(databases, monkeypatch):
    monkeypatch.setattr(shares, "MOST_SECONDS", 0)  # a query each
    before, asked = children(), [Query(databases[0], "SELECT 1")]
    asked += [Query(databases[n % 3], f"{ENDLESS} LIMIT {n}") for n in range(40)]
    with ThreadPoolExecutor(1) as executor:
        answers = run_all(asked, executor=executor, timeout=0.05)
        next(answers)
        answers.close()
    deadline = time.monotonic() + AGES
    while any(thread.name == "demur-sql" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert children() <= before


def test_what_is_no_executor_is_refused():
    with pytest.raises(InputError, match="run_all: executor must be an Executor"):
        run_all([], executor=3)
    with pytest.raises(InputError, match="databases: workers must be left out"):
        demur.Databases(executor=Cancelling(), workers=4)


@pytest.mark.usefixtures("databases")
def test_verdicts_are_the_same(tmp_path):
    references = [
        {"item": number, "db": f"{1 + number % 3}.sqlite", "sql": "SELECT a FROM t"}
        for number in range(30)
    ]
    texts = "SELECT a FROM t", "SELECT 1", "SELECT b FROM t", "SELECT count(*) FROM t"
    responses = [
        {"item": number, "response": texts[number % 4], "confidence": number}
        for number in range(30)
    ]

    def judged(**how):
        there = demur.Databases(root=tmp_path, **how)
        return demur.judge(responses, references, by="sql", databases=there)

    alone = judged(workers=1)
    with ThreadPoolExecutor(2) as executor:
        table = judged(executor=executor)
    assert table.to_dict() == alone.to_dict()
    assert str(table.to_columns()) == str(alone.to_columns())
