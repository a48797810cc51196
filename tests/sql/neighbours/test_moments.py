"""Columns of one form, such as dates, get values of that form alone."""

import re
import sqlite3
from contextlib import closing
from random import Random

import pytest

from demur.sql.neighbours.blueprints import CATALOGUES, blueprint_of
from demur.sql.neighbours.fuzzing import Fuzzer
from demur.sql.neighbours.mentions import mentions_in
from demur.sql.neighbours.writing import write_instance
from neighbour_cases import rows_of
from sql_cases import sqlite_file

DAYS = "2024-01-10", "2024-03-05", "2024-12-30", "2025-01-03", "2025-02-11"
SEEDS = range(4)

IN_2025 = "SELECT id FROM o WHERE d LIKE '2025%'"
SINCE = "SELECT id FROM o WHERE d >= '2025-01-01'"
HONEST = {
    IN_2025: (
        "SELECT id FROM o WHERE strftime('%Y', d) = '2025'",
        "SELECT id FROM o WHERE substr(d, 1, 4) = '2025'",
        "SELECT id FROM o WHERE d BETWEEN '2025-01-01' AND '2025-12-31'",
        "SELECT id FROM o WHERE date(d) >= '2025-01-01' AND d < '2026-01-01'",
    ),
    SINCE: (
        "SELECT id FROM o WHERE date(d) >= date('2025-01-01')",
        "SELECT id FROM o WHERE julianday(d) >= julianday('2025-01-01')",
        "SELECT id FROM o WHERE CAST(strftime('%Y', d) AS INTEGER) >= 2025",
        "SELECT id FROM o WHERE NOT d <= '2024-12-31'",
    ),
}
WRONG = {
    IN_2025: ("SELECT id FROM o WHERE d >= '2025-01-01'",),
    SINCE: (
        "SELECT id FROM o WHERE d > '2025-01-01'",
        "SELECT id FROM o WHERE d >= '2024-12-31'",
    ),
}


def instances(folder, script, texts, seeds=SEEDS):
    """Paths of instances of a database, one of each seed."""
    original = sqlite_file(folder / "o.sqlite", script)
    with closing(sqlite3.connect(original)) as connection:
        catalogue = connection.execute(CATALOGUES["sqlite"]).fetchall()
        contents = {"o": connection.execute("SELECT * FROM o").fetchall()}
    blueprint = blueprint_of("sqlite", catalogue, "o")
    fuzzer = Fuzzer(blueprint, contents, 40)
    planned = [fuzzer.plan(mentions_in(text, "sqlite")) for text in texts]
    plans = [plan for plan in planned if plan]
    paths = [folder / f"o-{seed}.sqlite" for seed in seeds]
    for seed, path in zip(seeds, paths, strict=True):
        write_instance(path, blueprint, fuzzer.rows(plans, Random(seed)))
    return paths


def column(kind, values):
    """A table with one column beside its key."""
    listed = ", ".join(f"({value!r})" for value in values)
    made = f"CREATE TABLE o (id INTEGER PRIMARY KEY, d {kind})"
    return f"{made}; INSERT INTO o (d) VALUES {listed};"


def cells(paths):
    return [cell for path in paths for (cell,) in rows_of(path, "SELECT d FROM o")]


@pytest.mark.parametrize("repeated", [(), DAYS[:1]], ids=["once", "twice"])
@pytest.mark.parametrize("kind", ["DATE NOT NULL", "TEXT", "DATE UNIQUE"])
def test_honest_queries_of_dates_stay_right_and_wrong_ones_fall(
    kind, repeated, tmp_path
):
    if repeated and "UNIQUE" in kind:
        repeated = ()
    script = column(kind, [*DAYS, *repeated])
    paths = instances(tmp_path, script, HONEST)
    for reference, variants in HONEST.items():
        for path in paths:
            right = rows_of(path, reference)
            assert [rows_of(path, one) for one in variants] == [right] * len(variants)
    if "UNIQUE" in kind:  # such a column only gets new values of its own
        return
    for reference, variants in WRONG.items():
        for one in variants:
            assert any(rows_of(path, one) != rows_of(path, reference) for path in paths)


@pytest.mark.parametrize(
    ("values", "texts", "planted"),
    [
        (DAYS, ["d LIKE '2023%'"], {"2023-01-01", "2022-12-31", "2023-01-02"}),
        (DAYS, ["d LIKE '2026-02-%'"], {"2026-02-01", "2026-01-31"}),
        (DAYS, ["d = '2024-02-29'"], {"2024-02-28", "2024-02-29", "2024-03-01"}),
        (
            ["2024-01-10 10:30:00", "2024-03-05 00:00:00"],
            ["d >= '2025-01-01'", "d LIKE '%soon%'", "d = '2024-13-01'", "d > 7"],
            {"2025-01-01 00:00:00", "2024-12-31 00:00:00"},
        ),
        (["2024-01-10T10:30Z"] * 2, ["d < '2025'"], {"2025-01-01T00:00Z"}),
        (["10:30", "23:59"], ["d > '08:00'"], {"07:59", "08:00", "08:01"}),
    ],
)
def test_a_column_of_moments_gets_moments_of_its_form(values, texts, planted, tmp_path):
    queries = [f"SELECT id FROM o WHERE {text}" for text in texts]
    found = cells(instances(tmp_path, column("TEXT", values), queries, range(16)))
    shapes = {re.sub(r"\d", "9", str(cell)) for cell in found}
    assert shapes == {re.sub(r"\d", "9", values[0])}
    assert planted <= {*found}
    with closing(sqlite3.connect(":memory:")) as connection:
        asked = "SELECT julianday(?) IS NOT NULL"
        assert all(connection.execute(asked, [one]).fetchone()[0] for one in found)


@pytest.mark.parametrize(
    ("kind", "values", "texts", "held"),
    [
        ("DATE", ["early", "late", "late"], ["d LIKE '2025%'"], str),
        ("", [1, 2, 2], ["d > 2.5", "d LIKE '7%'", "d = 'x'", "d < 9e999"], int),
        ("", [1.5, 2.5, 2.5], ["d > 2", "d = 'x'"], float),
    ],
)
def test_a_column_of_one_type_gets_that_type_alone(kind, values, texts, held, tmp_path):
    queries = [f"SELECT id FROM o WHERE {text}" for text in texts]
    found = cells(instances(tmp_path, column(kind, values), queries))
    assert {type(cell) for cell in found} == {held}


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("INTEGER", [20240110, 20240331, 20241231, 20250103, 20250228]),
        ("TEXT", ["20240110", "20240331", "20241231"]),
        ("TEXT", ["1/10/2024", "3/31/2024", "12/31/2024", "1/3/2025", "2/28/2025"]),
        ("TEXT", ["31 Mar 2024", "28 February 2025", "3 May 2025 10:30"]),
    ],
)
def test_dates_of_other_forms_get_none_that_are_no_dates(kind, values, tmp_path):
    texts = ["d > 20250101", "d LIKE '2025%'", "d = '7/7/2025'", "d <> 20241231"]
    queries = [f"SELECT id FROM o WHERE {text}" for text in texts]
    found = cells(instances(tmp_path, column(kind, values), queries, range(8)))
    assert {*found} <= {*values}


def test_a_key_of_days_gets_days_that_are_new(tmp_path):
    made = "CREATE TABLE o (d DATE PRIMARY KEY)"
    listed = ", ".join(f"('{day}')" for day in DAYS)
    script = f"{made}; INSERT INTO o VALUES {listed};"
    found = cells(instances(tmp_path, script, [], range(16)))
    assert {*found} > {*DAYS}
    assert min({*found} - {*DAYS}) == "2025-02-12"
    assert {len(cell) for cell in found} == {10}


def test_a_column_of_numerals_gets_numerals_alone(tmp_path):
    queries = ["SELECT id FROM o WHERE d LIKE '7%'", "SELECT id FROM o WHERE d = '30'"]
    found = cells(instances(tmp_path, column("TEXT", ["12", "19", "19"]), queries))
    assert {"7", "30"} <= {*found}
    assert all(isinstance(cell, str) and cell.isdigit() for cell in found)
