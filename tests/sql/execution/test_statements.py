"""The first guard of SQL that is run: how long it may be, and how it begins."""

import pytest

from demur.sql.execution.queries import QueryFailed
from demur.sql.execution.statements import LONGEST, checked_statement


def test_a_text_may_have_a_hundred_thousand_characters():
    assert LONGEST == 100_000
    assert checked_statement("SELECT 1".ljust(LONGEST, ";")) == "SELECT 1"
    with pytest.raises(QueryFailed, match="it has 100,001 characters; at most 100,000"):
        checked_statement("SELECT 1".ljust(LONGEST + 1, ";"))


@pytest.mark.parametrize(
    ("sql", "run"),
    [
        (";; SELECT 1 ;; -- end", "SELECT 1 "),
        ("-- a\n(/* b */ SELECT 1)", "-- a\n(/* b */ SELECT 1)"),
        ("SELECT ';' ; SELECT 2", "SELECT ';' ; SELECT 2"),
        ("SELECT '$' ; -- $", "SELECT '$' ; -- $"),
        ("values (1)", "values (1)"),
        ("WITH a AS (SELECT 1) SELECT 1", "WITH a AS (SELECT 1) SELECT 1"),
    ],
)
def test_what_is_run_has_no_empty_statements_around_it(sql, run):
    assert checked_statement(sql) == run


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("", "error: it holds no statement"),
        (" ; -- nothing", "error: it holds no statement"),
        ("DROP TABLE t", "forbidden: DROP is not allowed"),
        ("; drop table t", "forbidden: DROP is not allowed"),
        ("SELECT 1\0", "forbidden: it holds a NUL"),
        ("SELECTED", "error: it begins with 'SELECTED'"),
        ("42", "error: it begins with '4'"),
    ],
)
def test_other_texts_are_refused_with_their_reason(sql, why):
    with pytest.raises(QueryFailed, match=why):
        checked_statement(sql)


def test_an_engine_may_let_other_words_pass():
    assert checked_statement("FROM t", ("select", "from")) == "FROM t"
    with pytest.raises(QueryFailed, match="only SELECT and FROM are run"):
        checked_statement("VALUES (1)", ("select", "from"))
