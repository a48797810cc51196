"""Long texts and a stalled process: neither costs another query its time."""

import time

import pytest

import demur
from demur.sql import executed
from demur.sql.execution import crew, workers
from demur.sql.execution.statements import LONGEST
from demur.sql.fences import without_fence
from demur.sql.unstable import is_stable
from sql_cases import (
    AGES,
    COUNT,
    ENDLESS,
    EXPECTED,
    ONE_STEP,
    ask,
    only_late,
    sqlite_file,
)

LONG = "SELECT 1 WHERE " + "1=0 OR " * 1_000_000 + "1=0"
HELD = "SELECT count(*) FROM fare, fare AS b"


def test_a_text_that_is_too_long_is_not_read(tmp_path, monkeypatch):
    def short(reads):
        def read(sql, *dialect):
            assert len(sql) <= LONGEST
            return reads(sql, *dialect)

        return read

    monkeypatch.setattr(crew, "is_stable", short(crew.is_stable))
    monkeypatch.setattr(executed, "shows_data", short(executed.shows_data))
    path = sqlite_file(tmp_path / "fares.sqlite")
    outcomes = judged(path, [LONG, HELD], cache=tmp_path / "cache")
    assert outcomes.reason.tolist() == [
        "sql error: it has 7,000,018 characters; at most 100,000 are run",
        "equal",
    ]


def test_what_stalls_this_process_is_not_the_time_of_a_worker(tmp_path, monkeypatch):
    """The first wait for an answer is longer than all that a worker may take."""
    exchange, is_late = workers.Worker._exchange, workers.is_late

    def stalled(seconds, answered):
        waits = []

        def wait(_):
            waits.append(_)
            if len(waits) == 1:
                time.sleep(2 * seconds)
                return False
            return answered(AGES)

        return is_late(seconds, wait)

    def brief(self, message, _):
        return exchange(self, message, 0.4)

    monkeypatch.setattr(workers.Worker, "_exchange", brief)
    monkeypatch.setattr(workers, "is_late", stalled)
    path = sqlite_file(tmp_path / "fares.sqlite")
    [result] = ask(path, COUNT)
    assert result.rows() == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        *("date" + "(" * 99_000, "date(" * 19_000, "strftime(" * 11_000),
        *("strftime(" * 11_000 + ",)", "_" * 99_000 + "random_uui"),
    ],
)
def test_reading_whether_a_query_is_stable_takes_linear_time(text):
    assert is_stable(text)


def test_what_is_given_no_time_is_still_not_stable():
    for text in ("date ( )", "strftime('%Y')", 'strftime (("%s"', "time(/**/)"):
        assert is_stable(text) == text.endswith('"')


def test_fences_that_do_not_end_take_linear_time():
    assert without_fence("```a\n" * 400_000) == "```a\n" * 400_000
    assert without_fence("~~~\nSELECT 1\n~~~~\nSELECT 2\n~~~") == (
        "SELECT 1\n~~~~\nSELECT 2"
    )
    assert without_fence("```\nSELECT 1\r\n```\n```py\nx\n```") == "SELECT 1"


def judged(path, texts, **limits):
    references = [
        {"item": f"q{number}", "sql": HELD, "db": path.name}
        for number in range(len(texts))
    ]
    responses = [
        {"item": f"q{number}", "response": text} for number, text in enumerate(texts)
    ]
    databases = demur.Databases(root=path.parent, timeout=1, **limits)
    return demur.judge(responses, references, by="sql", databases=databases)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("count", [6, pytest.param(300, marks=pytest.mark.stress)])
def test_hostile_queries_stall_nobody(tmp_path, monkeypatch, engine, count):
    only_late(monkeypatch, ENDLESS, ONE_STEP, guarded=True)
    path = fares(tmp_path, engine)
    hostile = [LONG, "```\n" + LONG, ENDLESS, "DELETE FROM fare", "x" * 200_000]
    hostile += [ONE_STEP] if count > 6 else []
    texts = []
    for number in range(count):
        worst = hostile[number % len(hostile)]
        texts += [worst if number < 40 else f"{worst[:300]} -- {number}"]
        texts += [f"{HELD} -- {number}"]
    outcomes = judged(path, texts)
    right = demur.outcomes.fields.RIGHT
    assert outcomes.outcome.tolist()[1::2] == [right] * count
    assert right not in outcomes.outcome.tolist()[::2]


def fares(folder, engine):
    path = folder / f"fares.{engine}"
    if engine == "sqlite":
        return sqlite_file(path)
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE fare AS SELECT * FROM range(3)")
    return path
