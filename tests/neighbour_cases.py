"""A small database with constraints of every kind, and references on it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sql_cases import sqlite_file

AIR = """
CREATE TABLE airport (
  code TEXT PRIMARY KEY, city TEXT NOT NULL, runways INTEGER CHECK (runways > 0));
CREATE TABLE flight (
  id INTEGER PRIMARY KEY, origin TEXT NOT NULL REFERENCES airport (code),
  target TEXT REFERENCES airport (code), cents INTEGER NOT NULL, meal TEXT,
  UNIQUE (origin, target, cents));
CREATE TABLE crew (
  flight INTEGER REFERENCES flight (id), name TEXT, hours INTEGER,
  PRIMARY KEY (flight, name));
INSERT INTO airport VALUES
  ('ATL', 'Atlanta', 5), ('BOS', 'Boston', 6), ('DAL', 'Dallas', 3),
  ('DFW', 'Fort Worth', 7), ('LGA', 'New York', 2), ('JFK', 'New York City', 4);
INSERT INTO flight VALUES
  (1, 'ATL', 'BOS', 12900, 'S'), (2, 'ATL', 'DAL', 9000, NULL),
  (3, 'BOS', 'DFW', 20000, 'S'), (4, 'DAL', 'LGA', 15000, 'B'),
  (5, 'DFW', 'JFK', 21000, 'B'), (6, 'LGA', NULL, 9900, NULL);
INSERT INTO crew VALUES
  (1, 'Ada', 4), (1, 'Bo', 4), (2, 'Ada', 2), (4, 'Cy', 7), (5, 'Cy', 3);
"""
TEXTS = (
    "SELECT count(*) FROM flight WHERE cents > 10000",
    "SELECT city FROM airport WHERE runways >= 4 AND city LIKE 'New%'",
    "SELECT id FROM flight WHERE meal = 'S' AND cents BETWEEN 9000 AND 15000",
    "SELECT origin FROM flight ORDER BY cents DESC LIMIT 1",
    "SELECT count(DISTINCT name) FROM crew WHERE hours < 5",
    "SELECT city FROM airport JOIN flight ON code = target WHERE cents < 20000",
    "SELECT origin FROM flight WHERE meal = 'S' INTERSECT "
    "SELECT origin FROM flight WHERE meal = 'B'",
    "SELECT name FROM crew GROUP BY name HAVING sum(hours) > 5",
    "SELECT flight, max(hours) FROM crew GROUP BY flight",
)
REFERENCES: list[dict[str, Any]] = [
    {"item": f"q{number}", "db": "air.sqlite", "sql": text}
    for number, text in enumerate(TEXTS)
]


def air(folder: Path) -> Path:
    """The database in a file."""
    return sqlite_file(folder / "air.sqlite", AIR)


def dump(path: Path) -> list[str]:
    """All that is in a database, as statements."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def rows_of(path: Path, sql: str) -> Any:
    """What a query returns, as the set of its rows; its error if it fails."""
    with closing(sqlite3.connect(path)) as connection:
        try:
            return set(connection.execute(sql).fetchall())
        except sqlite3.Error as problem:
            return str(problem)
