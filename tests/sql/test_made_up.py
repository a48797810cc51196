"""Answers whose columns are constants, though they read a table."""

import pytest

pytest.importorskip("sqlglot")

from demur.sql.made_up import shows_data


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 3",
        "SELECT 3 FROM sqlite_master LIMIT 1",
        "SELECT 'Oslo', -1.5, NULL FROM city WHERE name IS NOT NULL",
        "SELECT DISTINCT upper('x') || 'y' FROM city, land",
        "SELECT max(3) FROM city",
        "SELECT a FROM (SELECT 3 AS a) JOIN city",
        "SELECT q.a FROM city, (SELECT 3 AS a FROM land) q",
        "WITH u AS (SELECT name FROM city) SELECT 3 FROM u",
        "WITH u AS (SELECT 3 AS a FROM city) SELECT a FROM u",
        "SELECT 3 FROM city UNION SELECT 4 FROM land",
        "SELECT (SELECT 3 FROM city)",
        "SELECT 3 FROM city WHERE size = (SELECT max(size) FROM city)",
    ],
)
def test_it_shows_constants(sql):
    assert not shows_data(sql)
    assert not shows_data(sql.lower())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM city",
        "SELECT name, 3 FROM city",
        "SELECT 3, * FROM city",
        "SELECT count(*) > 3 FROM city",
        "SELECT sum(1) FROM city",
        "SELECT CASE WHEN size > 3 THEN 'big' END FROM city",
        "SELECT EXISTS (SELECT 1 FROM city WHERE size > 3)",
        "SELECT 3 IN (SELECT size FROM city)",
        "SELECT row_number() OVER () + 1 FROM city",
        "SELECT name AS name FROM (SELECT name, 3 AS a FROM city)",
        "SELECT n FROM (SELECT count(*) AS n, 3 AS a FROM city)",
        "SELECT a FROM (SELECT 3 AS a UNION SELECT size FROM city)",
        "WITH u(a) AS (SELECT size + 1 FROM city) SELECT a FROM u",
        "SELECT 3 FROM city UNION SELECT size FROM city",
        "SELECT (SELECT max(size) + 1 FROM city)",
        "SELECT 3 +",
        "SELECT 3 FROM city WHERE ((",
    ],
)
def test_it_shows_data(sql):
    assert shows_data(sql) is ("FROM" in sql)
