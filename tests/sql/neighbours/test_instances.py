"""Instances: constraints hold in each, and a seed gives the same again."""

import sqlite3
from contextlib import closing
from random import Random

import pytest

from builders import refuses
from demur.sql.neighbours.blueprints import CATALOGUES, blueprint_of, quoted
from demur.sql.neighbours.fuzzing import Fuzzer
from demur.sql.neighbours.mentions import mentions_in
from demur.sql.neighbours.writing import write_instance
from neighbour_cases import AIR, TEXTS, air, dump

duckdb = pytest.importorskip("duckdb")
MOST = 9
SEEDS = range(25)


def of_sqlite(path):
    """How a database is built, and what it holds."""
    with closing(sqlite3.connect(path)) as connection:
        return read(connection, "sqlite")


def read(connection, engine):
    catalogue = connection.execute(CATALOGUES[engine]).fetchall()
    blueprint = blueprint_of(engine, catalogue, "air")
    contents = {
        table.name: connection.execute(
            f"SELECT {', '.join(map(quoted, table.columns))} FROM {quoted(table.name)}"
        ).fetchall()
        for table in blueprint.tables
    }
    return blueprint, contents


def drawn(blueprint, contents, seed):
    """The rows of one instance."""
    fuzzer = Fuzzer(blueprint, contents, MOST)
    plans = [fuzzer.plan(mentions_in(sql, blueprint.engine)) for sql in TEXTS]
    return fuzzer.rows([plan for plan in plans if plan], Random(seed))


def test_what_must_hold_in_a_database_holds_in_its_neighbours(tmp_path):
    blueprint, contents = of_sqlite(air(tmp_path))
    for seed in SEEDS:
        path = tmp_path / f"{seed}.sqlite"
        count = write_instance(path, blueprint, drawn(blueprint, contents, seed))
        with closing(sqlite3.connect(path)) as made:
            assert made.execute("PRAGMA foreign_key_check").fetchall() == []
            assert made.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            names = [table.name for table in blueprint.tables]
            counts = [
                made.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for name in names
            ]
            assert sum(counts) == count > 0
            assert max(counts) <= MOST
            # No column gets NULL, and no column of names one name twice.
            asked = "SELECT count(*) FROM flight WHERE cents IS NULL OR origin IS NULL"
            assert made.execute(asked).fetchone() == (0,)
            asked = "SELECT count(city) = count(DISTINCT city) FROM airport"
            assert made.execute(asked).fetchone() == (1,)


def test_instances_differ_from_the_original_and_from_each_other(tmp_path):
    blueprint, contents = of_sqlite(air(tmp_path))
    dumps = {str(drawn(blueprint, contents, seed)) for seed in SEEDS}
    assert len(dumps) == len(SEEDS)
    changed = [drawn(blueprint, contents, seed)["flight"] for seed in SEEDS]
    cents = {row[3] for rows in changed for row in rows}
    assert {9999, 10000, 10001, 15001} <= cents  # what the queries name
    assert any(len(rows) > 6 for rows in changed)
    assert any({*range(1, 7)} - {row[0] for row in rows} for rows in changed)
    assert any(row[4] is None for rows in changed for row in rows)


def test_one_seed_gives_the_same_data_again(tmp_path):
    blueprint, contents = of_sqlite(air(tmp_path))
    for name in ("one", "two"):
        rows = drawn(blueprint, contents, 3)
        write_instance(tmp_path / name, blueprint, rows)
    assert dump(tmp_path / "one") == dump(tmp_path / "two")


def test_rows_that_lead_nowhere_are_left_out_with_those_that_lead_to_them(tmp_path):
    blueprint, contents = of_sqlite(air(tmp_path))
    contents["airport"] = [row for row in contents["airport"] if row[0] != "ATL"]
    write_instance(tmp_path / "new", blueprint, contents)
    with closing(sqlite3.connect(tmp_path / "new")) as made:
        kept = made.execute("SELECT id FROM flight ORDER BY id").fetchall()
        assert kept == [(3,), (4,), (5,), (6,)]  # that without a target stays, too
        assert made.execute("SELECT flight FROM crew").fetchall() == [(4,), (5,)]


def test_keys_of_one_column_or_several_generated_columns_and_views(tmp_path):
    script = """
    CREATE TABLE a (x INTEGER, y INTEGER AS (x + 1), z TEXT, PRIMARY KEY (z, x))
      WITHOUT ROWID;
    CREATE TABLE "b c" ("d""e" INTEGER UNIQUE, p REFERENCES A);
    CREATE UNIQUE INDEX i ON "b c" (p);
    CREATE VIEW v AS SELECT x FROM a;
    CREATE TRIGGER w AFTER INSERT ON a BEGIN DELETE FROM a; END;
    INSERT INTO "b c" VALUES (1, NULL);
    """
    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.execute("INSERT INTO a (x, z) VALUES (1, 'm')")
        blueprint, contents = read(connection, "sqlite")
    first, second = blueprint.tables
    assert (first.columns, first.keys) == (("x", "z"), ((0, 1),))
    assert (second.columns, second.keys, second.links) == (
        *(('d"e', "p"), ((1,), (0,)), ()),
    )
    contents["a"] = [(1, "m"), (1, "m"), (2, "n\udcff")]
    assert write_instance(tmp_path / "new", blueprint, contents) == 3
    with closing(sqlite3.connect(tmp_path / "new")) as made:
        made.text_factory = bytes
        assert made.execute("SELECT * FROM v").fetchall() == [(1,), (2,)]
        assert made.execute("SELECT z, typeof(z) FROM a WHERE x = 2").fetchall() == [
            (b"n\xff", b"text")
        ]


def test_a_duckdb_file_has_neighbours_too(tmp_path):
    types = ("code TEXT", "code VARCHAR")
    with duckdb.connect(str(tmp_path / "air.duckdb")) as connection:
        for statement in AIR.replace(*types).split(";")[:-1]:
            connection.execute(statement)
        connection.execute("ALTER TABLE airport ADD COLUMN opened DATE")
        connection.execute(
            "UPDATE airport SET opened = '1990-01-01' WHERE code = 'ATL'"
        )
        blueprint, contents = read(connection, "duckdb")
    assert [len(table.links) for table in blueprint.tables] == [0, 2, 1]
    for seed in SEEDS[:2]:
        path = tmp_path / f"{seed}.duckdb"
        assert write_instance(path, blueprint, drawn(blueprint, contents, seed)) > 3
        with duckdb.connect(str(path), read_only=True) as made:
            lost = "SELECT count(*) FROM flight ANTI JOIN airport ON origin = code"
            assert made.execute(lost).fetchone() == (0,)
            assert made.execute("SELECT min(runways) > 0 FROM airport").fetchone()[0]


def test_what_cannot_be_made_anew_is_refused():
    rows = [("table", "f", "CREATE VIRTUAL TABLE f USING fts5 (x)")]
    message = "a.sqlite: the database must hold tables, indexes and views alone"
    refuses(message, blueprint_of, "sqlite", rows, "a.sqlite")
    rows = [("table", "t", "CREATE TABLE t (a REFERENCES")]
    message = "a.sqlite: the database must be made anew from its catalogue; got "
    refuses(message, blueprint_of, "sqlite", rows, "a.sqlite")
    rows = [("table", "t", "CREATE TABLE t AS SELECT 1; ATTACH 'x' AS y")]
    refuses(message, blueprint_of, "sqlite", rows, "a.sqlite")
