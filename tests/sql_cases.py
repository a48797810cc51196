"""Small databases, and what tests of execution have in common."""

import os
import sqlite3
from pathlib import Path

from demur.sql.execution import Query, run_all, workers

COUNT = "SELECT count(*), sum(cents) FROM fare"
EXPECTED = [(3, 30000)]
ENDLESS = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
    "SELECT count(*) FROM r"
)
ONE_STEP = (  # of the engine, and it takes for hours
    "SELECT instr(hex(zeroblob(5000000)), hex(zeroblob(1000000)) || '1')"
)
FARES = """
CREATE TABLE fare (flight TEXT, cents INTEGER, meal TEXT);
INSERT INTO fare VALUES ('AA 17', 12000, 'S'), ('AA 19', 9000, NULL),
  ('DL 5', 9000, 'SNACK');
"""


def sqlite_file(path: Path, script: str = FARES) -> Path:
    """A SQLite file made by a script."""
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path


AGES = 600.0
"""Seconds, as many as no query takes, however long the machine stalls."""


def ask(database, *texts, **options):
    """Results or failures of some texts on one database, with small limits."""
    options = {"timeout": AGES, "workers": 1, "max_memory": 1 << 28, **options}
    answers = list(run_all((Query(str(database), text) for text in texts), **options))
    assert [answer.query.sql for answer in answers] == list(texts)
    for answer in answers:
        assert (answer.result is None) != (answer.failure is None)
    return [answer.failure or answer.result for answer in answers]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def children(parent: int | None = None) -> set[int]:
    """Processes that one, this one if none, started and that were not waited for."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == (parent or os.getpid()):
            found.add(int(folder.name))
    return found


_LATE_ONLY = """
from dataclasses import replace
from demur.sql.execution import serving
opened, answered = serving._opened, serving._answer
def open_in_peace(task, limits):
    return opened(task, replace(limits, timeout={ages}))
def answer(engine, sql, limits):
    if not any(word in sql for word in {words}):
        limits = replace(limits, timeout={ages})
    engine._seconds = limits.timeout
    if hasattr(engine, "_backend"):
        milliseconds = int(1000 * limits.timeout)
        engine._connection.exec_driver_sql(f"SET statement_timeout = {{milliseconds}}")
    return answered(engine, sql, limits)
serving._opened, serving._answer = open_in_peace, answer
serving.serve()
"""


def only_late(monkeypatch, *words: str, guarded: bool = False) -> None:
    """Give the time limit of a run to queries that hold one of some words only.

    Others, and the opening of a database, have all the time in the world: a machine
    that stalls makes no sound query late. Who is not guarded is stopped by its engine;
    its process is not killed.
    """
    code = _LATE_ONLY.format(words=words, ages=AGES)
    monkeypatch.setattr(workers, "_CODE", code)
    exchange = workers.Worker._exchange

    def patient(self, message, seconds):
        is_late = any(word.encode() in message for word in words)
        limited = guarded and is_late and message != self._task
        return exchange(self, message, seconds if limited else AGES)

    monkeypatch.setattr(workers.Worker, "_exchange", patient)


def sabotage(monkeypatch, code: str) -> None:
    """Let workers run some code before each query that holds the word sabotage."""
    lines = (
        "import os, signal, time",
        "from demur.sql.execution import serving",
        "selected = serving._selected",
        "def before(engine, sql, limits):",
        f"    if 'sabotage' in sql: {code}",
        "    return selected(engine, sql, limits)",
        "serving._selected = before",
        "serving.serve()",
    )
    monkeypatch.setattr("demur.sql.execution.workers._CODE", "\n".join(lines))
