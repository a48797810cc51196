"""Queries of references: in one field or its plural, with their weights."""

import pytest

from builders import refuses
from demur import Relation
from demur.sql.reference_fields import credits_of, required_columns, texts_of


@pytest.mark.parametrize(
    ("extra", "texts"),
    [
        ({}, []),
        ({"max_sql": "a"}, [("a", 1.0)]),
        ({"max_sqls": [None, "a"]}, [(None, 1.0), ("a", 1.0)]),
        ({"max_sqls": [{"value": "a", "weight": 0.5}, "b"]}, [("a", 0.5), ("b", 1.0)]),
    ],
)
def test_queries_and_their_weights(extra, texts):
    assert texts_of(extra, "max_sql", "p") == texts


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"sql": "a", "sqls": ["a"]}, "give sql or sqls"),
        ({"sqls": "a"}, "be a list of queries"),
        ({"sqls": [None]}, "hold SQL as text"),
        ({"sql": " "}, "hold SQL as text"),
        ({"sqls": [{"value": "a", "weight": 0}]}, "above 0 and at most 1"),
        ({"sqls": [{"value": "a", "weight": 1.5}]}, "above 0 and at most 1"),
    ],
)
def test_what_holds_no_queries(extra, words):
    refuses(words, texts_of, extra, "sql", "p")


def test_weights_are_one_for_each_query():
    texts = [("a", 1.0), ("b", 0.5)]
    assert credits_of({}, texts, "p") == [1.0, 0.5]
    assert credits_of({"weights": [0.2, 1]}, texts, "p") == [0.2, 1.0]
    refuses("one for each of 2", credits_of, {"weights": [1]}, texts, "p")


@pytest.mark.parametrize(
    ("given", "columns"),
    [
        (None, [None, None]),
        (0, [(0,), (0,)]),
        ([1, 0, 1], [(1, 0), (1, 0)]),
        ([[0], []], [(0,), None]),
        ("[[1], [0]]", [(1,), (0,)]),
        ([2], "from 0 to 1"),
        ([-1], "from 0 to 1"),
        ([True], "from 0 to 1"),
        ([[0]], "a list for each of 2 tables"),
    ],
)
def test_columns_that_must_be_there(given, columns):
    tables = [Relation.from_rows([[1, 2]])] * 2
    extra = {"condition_cols": given}
    if isinstance(columns, str):
        refuses(columns, required_columns, extra, tables, "p")
    else:
        assert required_columns(extra, tables, "p") == columns
