"""Mutants: one fault each, none that comparison cannot tell from its query."""

import sqlite3
from contextlib import closing

import pytest

from demur.sql.neighbours.mentions import mentions_in
from demur.sql.neighbours.mutants import FAULTS, Telling, mutants_of, rewritten
from neighbour_cases import AIR, TEXTS

BAG = Telling(repeated=True)
IN_ORDER = Telling(order=True, repeated=True)
T = "SELECT a FROM t"


def texts(sql, fault, telling=Telling(), dialect="sqlite"):  # noqa: B008
    """The mutants of a query that have one fault."""
    return [one.sql for one in mutants_of(sql, dialect, telling) if one.fault == fault]


@pytest.mark.parametrize(
    ("fault", "sql", "mutants"),
    [
        ("edge", f"{T} WHERE b >= 3", [f"{T} WHERE b > 3"]),
        (
            "edge",
            f"{T} WHERE b BETWEEN 1 AND 2",
            [f"{T} WHERE (b > 1 AND b <= 2)", f"{T} WHERE (b >= 1 AND b < 2)"],
        ),
        ("sign", f"{T} WHERE b = 'x'", [f"{T} WHERE b <> 'x'"]),
        ("sign", f"{T} WHERE NOT b IN (1)", [f"{T} WHERE b IN (1)"]),
        ("sign", f"{T} WHERE b LIKE 'x'", [f"{T} WHERE NOT b LIKE 'x'"]),
        ("condition", f"{T} WHERE b OR c", [f"{T} WHERE b", f"{T} WHERE c"]),
        ("logic", f"{T} WHERE b AND c", [f"{T} WHERE (b OR c)"]),
        ("where", f"{T} WHERE b", [T]),
        ("having", f"{T} GROUP BY a HAVING b", [f"{T} GROUP BY a"]),
        ("constant", f"{T} WHERE b = 7", [f"{T} WHERE b = 8", f"{T} WHERE b = 6"]),
        (
            "constant",
            f"{T} WHERE b LIKE '%x%'",
            [f"{T} WHERE b LIKE 'x%'", f"{T} WHERE b LIKE '%x'"],
        ),
        ("limit", f"{T} LIMIT 1", [f"{T} LIMIT 2"]),
        ("distinct", "SELECT count(a) FROM t", ["SELECT COUNT(DISTINCT a) FROM t"]),
        ("order", f"{T} ORDER BY b LIMIT 2", [f"{T} ORDER BY b DESC LIMIT 2"]),
        ("aggregate", "SELECT max(a) FROM t", ["SELECT MIN(a) FROM t"]),
        (
            "join",
            f"{T} JOIN u ON t.b = u.b",
            [f"{T} LEFT JOIN u ON t.b = u.b", f"{T} RIGHT JOIN u ON t.b = u.b"],
        ),
        ("join", f"{T} LEFT JOIN u ON t.b = u.b", [f"{T} JOIN u ON t.b = u.b"]),
        ("set", f"{T} EXCEPT {T}", [f"{T} UNION {T}", f"{T} INTERSECT {T}", T]),
    ],
)
def test_a_fault_is_one_change(fault, sql, mutants):
    assert texts(sql, fault) == mutants


def test_group_by_is_dropped_whole_and_key_by_key():
    sql = "SELECT a, count(*) FROM t GROUP BY a, b"
    without = ["SELECT a, COUNT(*) FROM t"]
    keys = [f"{without[0]} GROUP BY b", f"{without[0]} GROUP BY a"]
    assert texts(sql, "group") == [*without, *keys]


@pytest.mark.parametrize(
    ("fault", "sql", "telling"),
    [
        ("order", f"{T} ORDER BY b", BAG),
        ("distinct", T, Telling()),
        ("distinct", f"{T} ORDER BY b LIMIT 1", BAG),
        ("distinct", f"{T} WHERE b IN (SELECT b FROM u)", Telling()),
        ("group", f"{T} GROUP BY a", Telling()),
        ("limit", f"{T} WHERE b = (SELECT c FROM u LIMIT 1)", Telling()),
        ("sign", f"{T} JOIN u ON t.b = u.b", Telling()),
    ],
)
def test_what_cannot_be_told_apart_is_no_mutant(fault, sql, telling):
    assert texts(sql, fault, telling) == []


def test_what_a_comparison_tells_apart_is_one():
    assert texts(f"{T} ORDER BY b", "order", IN_ORDER) == [f"{T} ORDER BY b DESC"]
    assert texts(T, "distinct", BAG) == ["SELECT DISTINCT a FROM t"]


def test_a_join_that_loses_no_row_has_no_mutant_on_that_side():
    telling = Telling(partners=frozenset({("t", "b", "u", "c")}))
    sql = f"{T} AS x JOIN u AS y ON x.b = y.c"
    assert texts(sql, "join", telling) == [f"{T} AS x RIGHT JOIN u AS y ON x.b = y.c"]
    turned = "SELECT a FROM u AS y JOIN t AS x ON x.b = y.c"
    assert texts(turned, "join", telling) == [turned.replace("JOIN", "LEFT JOIN")]


NULLS = """
CREATE TABLE a (id INT, x INT); INSERT INTO a VALUES (1, 1), (2, NULL), (3, 5), (7, 0);
CREATE TABLE b (id INT, y INT); INSERT INTO b VALUES (1, 1), (2, 4), (4, NULL), (5, 0);
CREATE TABLE c (id INT, y INT); INSERT INTO c VALUES (1, 1), (4, 4), (8, 5), (2, 0);
"""


@pytest.mark.parametrize(
    ("rest", "sides"),
    [
        ("WHERE b.y > 0", {"RIGHT"}),
        ("WHERE a.x >= 0 AND b.id < 9", set()),
        ("WHERE (a.x = 1 OR a.x = 5) AND 3 > a.id", {"LEFT"}),
        ("WHERE b.y > 0 OR b.id BETWEEN 1 AND 9", {"RIGHT"}),
        ("WHERE b.y > 0 OR a.id > 0", {"LEFT", "RIGHT"}),
        ("WHERE b.y IS NOT NULL", {"RIGHT"}),
        ("WHERE b.y IS NULL", {"LEFT", "RIGHT"}),
        ("WHERE NOT b.y IN (SELECT y FROM c WHERE y > 9)", {"LEFT", "RIGHT"}),
        ("WHERE b.y NOT IN (4)", {"RIGHT"}),
        ("WHERE NOT (b.y = 4)", {"RIGHT"}),
        ("WHERE b.y NOT BETWEEN 4 AND 5", {"RIGHT"}),
        ("WHERE b.y NOT LIKE '4%'", {"RIGHT"}),
        ("WHERE NOT (b.y = 4 AND a.x = 1)", {"LEFT", "RIGHT"}),
        ("WHERE NOT b.y IS NOT NULL", {"LEFT", "RIGHT"}),
        ("WHERE coalesce(b.y, 4) > 0", {"LEFT", "RIGHT"}),
        ("JOIN c ON c.id = b.id", {"RIGHT"}),
        ("JOIN c ON c.id = a.id", {"LEFT"}),
        ("LEFT JOIN c ON c.id = b.id WHERE b.y > 0", {"LEFT", "RIGHT"}),
        ("GROUP BY a.id HAVING count(*) > 0", {"LEFT", "RIGHT"}),
    ],
)
def test_an_outer_join_whose_rows_are_dropped_is_no_mutant(rest, sides):
    sql = f"SELECT a.id, b.id FROM a JOIN b ON a.id = b.id {rest}"
    mutants = [m.sql for m in mutants_of(sql, "sqlite", Telling()) if m.fault == "join"]
    first = [text.partition(" JOIN b")[0].split()[-1] for text in mutants]
    assert {*first} - {"a"} == sides
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(NULLS)
        rows = {*connection.execute(sql)}
        for side in {"LEFT", "RIGHT"} - sides:
            other = sql.replace("JOIN b", f"{side} JOIN b")
            assert {*connection.execute(other)} == rows


@pytest.mark.parametrize("text", ["", "DROP TABLE t", "SELECT (", "x" * 20_000])
def test_what_is_no_query_has_no_mutants(text):
    assert mutants_of(text, "sqlite", Telling()) == ()
    assert rewritten(text, "sqlite") is None
    assert mentions_in(text, "sqlite") == ()


def test_mutants_run_differ_and_are_many():
    connection = sqlite3.connect(":memory:")
    connection.executescript(AIR)
    faults = set()
    for sql in TEXTS:
        listed = mutants_of(sql, "sqlite", BAG)
        assert len({mutant.sql for mutant in listed}) == len(listed)
        assert rewritten(sql, "sqlite") not in {mutant.sql for mutant in listed}
        same = connection.execute(rewritten(sql, "sqlite")).fetchall()
        assert same == connection.execute(sql).fetchall()
        for mutant in listed:
            connection.execute(mutant.sql).fetchall()
            faults.add(mutant.fault)
    connection.close()
    assert faults == set(FAULTS)


@pytest.mark.parametrize(
    ("where", "column", "values"),
    [
        ("b > 3", "b", (2, 3, 4)),
        ("-2 = B", "b", (-3, -2, -1)),
        ("b = 'x'", "b", ("x",)),
        ('b = "x y"', "b", ("x y",)),
        ("b IN (1, 'z')", "b", (0, 1, 2, "z")),
        ("b BETWEEN 1 AND 3", "b", (0, 1, 2, 3, 4)),
        ("b LIKE '%x%'", "b", ("x", "x x")),
        ("b > DATE '2024-05-01'", "b", ("2024-05-01",)),
        ("b BETWEEN date('2024-05-01') AND 3", "b", ("2024-05-01", 2, 3, 4)),
    ],
)
def test_values_at_the_borders_of_what_a_query_names(where, column, values):
    [mention] = mentions_in(f"{T} WHERE {where}", "sqlite")
    assert (mention.table, mention.column) == ("t", column)
    assert mention.values == values


def test_a_mention_says_its_table_as_far_as_it_is_known():
    sql = f"{T} JOIN u AS x ON t.b = x.b WHERE x.c = 1 AND d = 2"
    assert [mention[:2] for mention in mentions_in(sql, "sqlite")] == [
        *(("u", "c"), ("", "d"))
    ]
