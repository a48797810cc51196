"""Small databases, and what tests of execution have in common."""

import os
import sqlite3
from pathlib import Path

from demur.sql.execution import Query, run_all

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


def ask(database, *texts, **options):
    """Results or failures of some texts on one database, with small limits."""
    options = {"timeout": 5.0, "workers": 1, "max_memory": 1 << 28, **options}
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
