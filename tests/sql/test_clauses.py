"""The clauses of a query, read from its tokens: items, keys, limits, brackets."""

import pytest

from demur.sql.clauses import (
    LONGEST,
    Item,
    Key,
    Keyed,
    clauses_of,
    queries_within,
    tokens_of,
)

UNLIMITED = 1 << 40


@pytest.mark.parametrize(
    ("written", "expression", "alias"),
    [
        ("a", "a", ""),
        ("a b", "a", "b"),
        ("a AS b", "a", "b"),
        ('a "b c"', "a", '"b c"'),
        ("f(a) b", "f(a)", "b"),
        ("(a) b", "(a)", "b"),
        ("a + b", "a + b", ""),
        ("a - (b) c", "a - (b)", "c"),
        ("1 b", "1", "b"),
        ("'x' b", "'x'", "b"),
        ("a IS NULL", "a IS NULL", ""),
        ("a AND b", "a AND b", ""),
        ("NOT a", "NOT a", ""),
        ("CASE a WHEN 1 THEN 2 END", "CASE a WHEN 1 THEN 2 END", ""),
        ("CASE a WHEN 1 THEN 2 END b", "CASE a WHEN 1 THEN 2 END", "b"),
        ("max(a, b)", "max(a, b)", ""),
        ("t.a", "t.a", ""),
    ],
)
def test_an_item_has_an_expression_and_maybe_an_alias(written, expression, alias):
    found = clauses_of(f"SELECT {written}, z FROM t")
    assert found.items == (Item(expression, alias), Item("z", ""))


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("a", Key("a")),
        ("a ASC", Key("a")),
        ("a DESC", Key("a", falling=True)),
        ("a + b DESC", Key("a + b", falling=True)),
        ("a NULLS LAST", Key("a")),
        ("a DESC NULLS FIRST", Key("a", falling=True)),
        ("a COLLATE nocase", Key("a", collation="NOCASE")),
        ("a + b COLLATE nocase DESC", Key("a + b", falling=True, collation="NOCASE")),
        ("max(a, b)", Key("max(a, b)")),
        ("desc", Key("desc", falling=True)),
    ],
)
def test_a_key_says_which_way_and_by_which_collation(written, key):
    found = clauses_of(f"SELECT a FROM t ORDER BY {written}, z")
    assert found.keys == (key, Key("z"))


@pytest.mark.parametrize(
    ("tail", "limit", "offset"),
    [
        ("", None, 0),
        ("LIMIT 3", 3, 0),
        ("LIMIT 0", 0, 0),
        ("LIMIT 3 OFFSET 2", 3, 2),
        ("LIMIT 2, 3", 3, 2),
        ("LIMIT 2 + 1", 3, 0),
        ("LIMIT 2 * (4 - 1)", 6, 0),
        ("LIMIT -1", UNLIMITED, 0),
        ("LIMIT ALL OFFSET 4", UNLIMITED, 4),
        ("LIMIT 3 OFFSET -1", 3, 0),
        ("OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY", 3, 2),
        ("OFFSET 1 ROW FETCH FIRST ROW ONLY", 1, 1),
        ("FETCH FIRST 2 ROWS ONLY", 2, 0),
        ("LIMIT :n", None, 0),
        ("LIMIT 3 OFFSET :n", None, 0),
        ("LIMIT 7 / 2", None, 0),
    ],
)
def test_a_limit_is_a_number_of_rows_after_others(tail, limit, offset):
    found = clauses_of(f"SELECT a FROM t ORDER BY a {tail}", "postgres")
    assert (found.limit, found.offset, found.limited) == (limit, offset, bool(tail))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT fetch FROM t",
        "SELECT a FROM t WHERE offset = 1",
        "SELECT offset, a FROM t",
        "SELECT a FROM t WHERE b = offset",
        "SELECT a FROM (SELECT b FROM u LIMIT 2)",
        "SELECT t.offset, 1 FROM t",
    ],
)
def test_a_column_or_a_query_in_brackets_is_no_limit(sql):
    assert not clauses_of(sql, "postgres").limited


@pytest.mark.parametrize(
    ("sql", "first", "distinct", "compound"),
    [
        ("SELECT a FROM t", "a", False, False),
        ("SELECT DISTINCT a FROM t", "a", True, False),
        ("SELECT a FROM t WHERE a IS DISTINCT FROM 1", "a", False, False),
        ("SELECT a FROM t UNION SELECT b FROM u", "a", False, True),
        (
            "SELECT (SELECT 1 UNION SELECT 2) FROM t",
            "(SELECT 1 UNION SELECT 2)",
            False,
            False,
        ),
        ("WITH u AS (SELECT DISTINCT 1) SELECT a FROM u", "a", False, False),
    ],
)
def test_only_the_outermost_query_counts(sql, first, distinct, compound):
    found = clauses_of(sql)
    assert (found.distinct, found.compound) == (distinct, compound)
    assert found.items == (Item(first, ""),)


@pytest.mark.parametrize(
    ("sql", "keyed"),
    [
        ("SELECT a FROM t", None),
        ("SELECT a FROM t ORDER BY a", Keyed("SELECT a FROM t ORDER BY a", (0,), 0)),
        ("SELECT b, a FROM t ORDER BY 2", Keyed("", (1,), 0)),
        ("SELECT b, a FROM t ORDER BY a, b", Keyed("", (1, 0), 0)),
        ("SELECT b, a n FROM t ORDER BY n", Keyed("", (1,), 0)),
        (
            "SELECT b FROM t ORDER BY a DESC",
            Keyed("SELECT b\n, (a)\nFROM t ORDER BY a DESC", (-1,), 1),
        ),
        (
            "SELECT b FROM t ORDER BY b, a LIMIT 2 OFFSET 3",
            Keyed(
                "SELECT b\n, (b)\n, (a)\nFROM t ORDER BY b, a LIMIT 10005", (-2, -1), 2
            ),
        ),
        (
            "SELECT DISTINCT b FROM t ORDER BY a",
            Keyed("SELECT  b\n, (a)\nFROM t ORDER BY a", (-1,), 1, distinct=False),
        ),
        ("SELECT * FROM t ORDER BY 1", None),
        ("SELECT b FROM t ORDER BY 2", None),
        ("SELECT b FROM t ORDER BY 0", None),
        ("SELECT b FROM t ORDER BY b LIMIT :n", None),
        ("SELECT b FROM t UNION SELECT c FROM u ORDER BY a", None),
        ("SELECT DISTINCT ON (c) b FROM t ORDER BY a", None),
    ],
)
def test_a_sorted_query_shows_its_keys(sql, keyed):
    found = clauses_of(sql, "postgres").keyed()
    assert found == (keyed and keyed._replace(sql=keyed.sql or sql))


@pytest.mark.parametrize(
    "sql", ["", ";", "VALUES (1)", "(SELECT 1)", "FROM t SELECT a"]
)
def test_what_is_of_another_form_has_no_clauses(sql):
    assert clauses_of(sql) is None


def test_duckdb_may_begin_with_from() -> None:
    assert clauses_of("FROM t SELECT a", "duckdb").items == (Item("a", ""),)


def test_semicolons_at_the_end_are_cut_off() -> None:
    assert clauses_of("SELECT a FROM t ; ;").sql.rstrip() == "SELECT a FROM t"


@pytest.mark.parametrize("more", [0, 1])
def test_a_long_text_is_not_cut_into_tokens(more: int) -> None:
    text = "SELECT 1 --".ljust(LONGEST + more, "x")
    assert len(tokens_of(text)) == (0 if more else 2)


def test_tokens_know_their_place_and_their_brackets() -> None:
    found = tokens_of("f((a), 'x)') ORDER  BY b")
    told = [(token.text, token.start, token.end, token.depth) for token in found]
    assert told == [
        ("f", 0, 1, 0),
        ("(", 1, 2, 0),
        ("(", 2, 3, 1),
        ("a", 3, 4, 2),
        (")", 4, 5, 1),
        (",", 5, 6, 1),
        ("'x)'", 7, 11, 1),
        (")", 11, 12, 0),
        ("ORDER", 13, 18, 0),
        ("BY", 20, 22, 0),
        ("b", 23, 24, 0),
    ]
    assert [token.kind for token in found if token.depth == 0][-3:] == ["word"] * 3


@pytest.mark.parametrize(
    ("sql", "inner"),
    [
        ("SELECT 1", []),
        ("SELECT (1)", []),
        ("SELECT (SELECT (SELECT 1))", ["SELECT (SELECT 1)", "SELECT 1"]),
        ("SELECT (SELECT 1) + (SELECT 2)", ["SELECT 1", "SELECT 2"]),
        ("SELECT (SELECT 1", ["SELECT 1"]),
        ("SELECT 1) + (SELECT 2)", ["SELECT 2"]),
    ],
)
def test_queries_in_brackets_are_listed_as_they_begin(sql, inner):
    assert queries_within(sql) == tuple(inner)
