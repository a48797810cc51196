"""Whether a query reads a table, as far as its words tell; and DISTINCT taken out."""

import pytest

from demur.sql.sources import reads_table, without_distinct


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT a FROM t", "SELECT a FROM (SELECT a FROM t)", "SELECT a FROM ONLY t"),
        *("SELECT a FROM f(1), t", "SELECT a FROM (VALUES (1)), t", "SELECT 1) FROM t"),
        *("SELECT 1 WHERE a IN (SELECT b FROM u)", "SELECT a FROM f(1) JOIN t ON a"),
        "WITH w AS (SELECT 1 a) SELECT a FROM w, t",
        "WITH w AS (SELECT 1) SELECT 1 FROM w JOIN w v ON (a = b), t",
        "WITH w AS (SELECT 1), v AS (SELECT 1 FROM t) SELECT 1 FROM w",
    ],
)
def test_it_reads_a_table(sql):
    assert reads_table(sql)
    assert reads_table(sql.lower())


@pytest.mark.parametrize(
    "sql",
    [
        *(
            "SELECT 1",
            "SELECT a FROM (SELECT 1 a)",
            "SELECT a FROM f(1)",
            "SELECT a, t",
        ),
        *("SELECT a FROM 'x.csv'", "SELECT 1 FROM LATERAL f(1)", "SELECT 'FROM t'"),
        *(
            "SELECT 1 -- FROM t",
            "SELECT 1 /* FROM t */",
            "SELECT a FROM (VALUES (1)) t",
        ),
        "WITH w AS (SELECT 1 a) SELECT a FROM w",
        "WITH w(a) AS (SELECT 1) SELECT a FROM w JOIN W v",
        'WITH w AS NOT MATERIALIZED (SELECT 1 a) SELECT a FROM "w"',
        "WITH w AS (SELECT 1) SELECT 1 FROM w WHERE x, t",
    ],
)
def test_it_makes_up_its_own_rows(sql):
    assert not reads_table(sql)


@pytest.mark.parametrize(
    ("sql", "without"),
    [
        ("SELECT DISTINCT a", "SELECT  a"),
        ("SELECT distinct a, 'distinct'", "SELECT  a, 'distinct'"),
        ('SELECT "distinct", `distinct`, [distinct]',) * 2,
        ("SELECT a -- distinct\n, /* distinct */ distincts",) * 2,
    ],
)
def test_distinct_is_taken_out(sql, without):
    assert without_distinct(sql) == without
