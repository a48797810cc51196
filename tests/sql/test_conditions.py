"""What a query compares with numerals: each with the query that shows its values."""

import pytest

from demur.sql.conditions import comparisons_in


def conditions(sql):
    """Text, sign and numerals of each, with the query less what all of them have."""
    return [
        (
            f"{each.text} | {' '.join((each.sign, *each.literals))}",
            each.sql.removesuffix(" LIMIT 10000").replace("SELECT DISTINCT ", ""),
        )
        for each in comparisons_in(sql)
    ]


@pytest.mark.parametrize(
    ("where", "read", "column"),
    [
        ("b > 5", "> 5", "b"),
        ("b > -5", "> -5", "b"),
        ("b > +5.5", "> +5.5", "b"),
        ("t.b >= '5'", ">= 5", "t.b"),
        ("s.t.b < 5", "< 5", "s.t.b"),
        ("5 < b", "> 5", "b"),
        ("-5 >= b", "<= -5", "b"),
        ("b BETWEEN 1 AND 2", "BETWEEN 1 2", "b"),
    ],
)
@pytest.mark.parametrize("end", ["", " ORDER BY 1", " GROUP BY a", ";"])
def test_a_column_a_sign_and_a_numeral(where, read, column, end):
    asked = f"{column}, {where} FROM t WHERE 1 = 1"
    found = conditions(f"SELECT a FROM t WHERE {where}{end}")
    assert found == [(f"{where} | {read}", asked)]


@pytest.mark.parametrize(
    "where",
    [
        *("b BETWEEN 1 AND c", "b BETWEEN 1", "b NOT BETWEEN 1 AND 2", "b + 1 > 5"),
        *("b > 5 + 1", "f(b) > 5", "b > f(5)", "b = 5", "b > c", "5 > 4", "'b' > 5"),
        *("b >", "-b > 5", "b * 2 > 5", "b > '5 km'", "b > 5(1)"),
    ],
)
def test_what_is_no_such_comparison(where):
    assert conditions(f"SELECT a FROM t WHERE {where}") == []


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT a FROM t GROUP BY a HAVING b > 5", "SELECT a FROM t ORDER BY b > 5"),
        *("SELECT max(a, 1) FROM t", "SELECT max(a) OVER (ORDER BY b) FROM t"),
        *("SELECT max(a) FILTER (WHERE b) FROM t", "SELECT max() FROM t", "VALUES (1)"),
        *("SELECT max FROM t", "SELECT a FROM t WHERE max", "SELECT 1", "", ";"),
    ],
)
def test_what_holds_no_comparison_of_rows(sql):
    assert conditions(sql) == []


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT b > 5 FROM t", [("b > 5 | > 5", "b, b > 5 FROM t")]),
        ("SELECT max(a) FROM t", [("max(a) | MAX", "a FROM t ORDER BY 1 DESC")]),
        ("SELECT MIN(DISTINCT a) FROM t", [("MIN(a) | MIN", "a FROM t ORDER BY 1")]),
        (
            "SELECT max(f(a, 1)) FROM t",
            [("max(f(a, 1)) | MAX", "f(a, 1) FROM t ORDER BY 1 DESC")],
        ),
        (
            "WITH w AS (SELECT a FROM t WHERE b > 5) SELECT max(a) FROM w WHERE c < 3",
            [
                ("b > 5 | > 5", "b, b > 5 FROM t WHERE 1 = 1"),
                (
                    "max(a) | MAX",
                    "WITH w AS (SELECT a FROM t WHERE b > 5) "
                    "a FROM w WHERE c < 3 ORDER BY 1 DESC",
                ),
                (
                    "c < 3 | < 3",
                    "WITH w AS (SELECT a FROM t WHERE b > 5) c, c < 3 FROM w "
                    "WHERE 1 = 1",
                ),
            ],
        ),
        (
            "SELECT a FROM t WHERE b > 5 UNION SELECT max(c) FROM u WHERE d < 6",
            [
                ("b > 5 | > 5", "b, b > 5 FROM t WHERE 1 = 1"),
                ("max(c) | MAX", "c FROM u WHERE d < 6 ORDER BY 1 DESC"),
                ("d < 6 | < 6", "d, d < 6 FROM u WHERE 1 = 1"),
            ],
        ),
        (
            "SELECT a FROM t WHERE c IN (SELECT c FROM u WHERE d < 6) AND e > 7",
            [
                ("d < 6 | < 6", "d, d < 6 FROM u WHERE 1 = 1"),
                (
                    "e > 7 | > 7",
                    "e, e > 7 FROM t WHERE c IN (SELECT c FROM u WHERE d < 6) "
                    "AND 1 = 1",
                ),
            ],
        ),
    ],
)
def test_each_comparison_has_the_rows_of_its_own_query(sql, found):
    assert conditions(sql) == found
