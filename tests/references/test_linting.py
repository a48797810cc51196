"""Lints of references: each check has a case that it finds and one that it does not."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, read_records, refuses, run, stderr_of
from demur import InputError, Stipulation, read_signs
from demur.references.linting import CHECKS
from demur.sql.clauses import clauses_of, queries_within, tokens_of
from demur.sql.conditions import comparisons_in
from demur.sql.execution.results import ResultWriter
from demur.sql.unstable import is_random, reads_clock
from sql_cases import FARES, sqlite_file

pytestmark = pytest.mark.usefixtures("kept_workers")

ROOT = Path(__file__).resolve().parents[2]
AIR = ROOT / "examples" / "air_travel"
SPIDER = Path(os.environ.get("DEMUR_DATA", "")) / "spider-dev19"
DEAREST = "SELECT id FROM fare ORDER BY price DESC LIMIT 1"
DEAREST_OF_F = "SELECT id FROM f ORDER BY price DESC LIMIT 1"
MEANINGS = [
    Stipulation("M1", "Before 1200.", "morning, early"),
    Stipulation("M2", "A snack is a meal."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with one small database."""
    path = tmp_path_factory.mktemp("lint")
    with sqlite3.connect(path / "air.sqlite") as made:
        made.executescript("""
            CREATE TABLE fare
                (id INTEGER, price REAL, code TEXT, note TEXT, twin INTEGER,
                mixed TEXT);
            INSERT INTO fare VALUES
                (1, 10.0, '9', NULL, 1, '9'), (2, 20.0, '10', NULL, 2, '10'),
                (3, 20.0, '100', NULL, 3, 'N/A'), (4, NULL, '11', NULL, 4, '70');
        """)
    made.close()
    return path


def query(sql, **rest):
    return {"item": "q1", "db": "air.sqlite", "sql": sql, **rest}


def queries(sqls, **rest):
    return {"item": "q1", "db": "air.sqlite", "sqls": sqls, **rest}


def value(reference, **rest):
    return {"item": "q1", "reference": reference, **rest}


def two(first, second):
    return [{"item": "q1", "cluster": "d1", **first}, {"cluster": "d1", **second}]


def alternatives(*values):
    return {"item": "q1", "references": list(values)}


def weighted(*weights):
    return alternatives(
        *({"value": at, "weight": each} for at, each in enumerate(weights))
    )


def referred(**fields):
    return demur.Reference(item="q1", **fields)


def asking(sql, item="q1", **rest):
    return query(sql) | {"item": item, "input": "Which fares?", **rest}


OF_D, OF_X = {"class": "D"}, {"class": "X"}
LEANING = {"item": "q2", "reference": 1, "context": ["q1"]}
EARLY = [
    {"item": f"m{at}", "reference": 1, "meanings": ["M1"], "input": f"Morning {at}?"}
    for at in range(2)
]
LISTED = "List the id, price and code of all fares."
THREE_IDS = ("SELECT id FROM fare", "What are the id, friends and colours of a fare?")
TABLE = "((1) (2))"
TWO = "SELECT 1, 2"
NAMES = (
    "SELECT id, name n FROM (SELECT 1 id, 'ann' name UNION SELECT 2, 'Ann' "
    "UNION SELECT 3, 'zoe')"
)
# Of each pair of queries the first is found by the check, the second is not.
QUERIES = {
    "tie-at-limit": """
+ SELECT id FROM fare ORDER BY price DESC LIMIT (0 + 2) - 1
- SELECT id FROM fare ORDER BY price DESC LIMIT (1) * 2
+ SELECT id FROM fare ORDER BY price DESC LIMIT -1 OFFSET 1
- SELECT id FROM fare ORDER BY price DESC LIMIT -1
+ SELECT 1 a, 'x ' b UNION SELECT 2, 'x' ORDER BY b COLLATE RTRIM LIMIT 1
- SELECT 1 a, 'x ' b UNION SELECT 2, 'x' ORDER BY b COLLATE NOCASE LIMIT 1
# DISTINCT does not show the key, so that its rows cannot be counted
+ SELECT code FROM fare ORDER BY price DESC LIMIT 1
- SELECT DISTINCT code FROM fare ORDER BY price DESC LIMIT 1
# 20.0 twice
+ SELECT id FROM fare ORDER BY price DESC LIMIT 1
- SELECT id FROM fare ORDER BY price DESC LIMIT 2
+ SELECT id, price p FROM fare ORDER BY p DESC LIMIT 1
- SELECT price FROM fare ORDER BY price DESC LIMIT 1
+ SELECT id FROM fare ORDER BY price DESC LIMIT 9 OFFSET 1
- SELECT id FROM fare ORDER BY price DESC LIMIT 9 OFFSET 2
+ SELECT id FROM fare ORDER BY price DESC LIMIT 1, 9;
- SELECT id FROM fare ORDER BY price DESC LIMIT 0, 9;
+ SELECT id, price p FROM fare ORDER BY p DESC, note LIMIT 1
- SELECT id p, price FROM fare ORDER BY p DESC, note LIMIT 1
+ SELECT id, price FROM fare ORDER BY 2 DESC, note LIMIT 1
- SELECT id, price FROM fare ORDER BY 1 DESC, note LIMIT 1
+ SELECT * FROM fare ORDER BY price DESC LIMIT 1
- SELECT * FROM fare ORDER BY price DESC, id LIMIT 1
+ SELECT code FROM fare GROUP BY code ORDER BY count(*) LIMIT 1
- SELECT code FROM fare GROUP BY code ORDER BY max(id) LIMIT 1
+ SELECT id, 1 FROM fare UNION SELECT 9, 1 ORDER BY 2 LIMIT 1
- SELECT id, 1 FROM fare UNION SELECT 9, 1 ORDER BY 1 LIMIT 1
# inside
+ SELECT 7 FROM fare WHERE id = (SELECT id FROM fare ORDER BY price DESC LIMIT 1)
- SELECT 7 FROM fare WHERE id = (SELECT id FROM fare ORDER BY price , id LIMIT 1)
+ SELECT 7 IN (SELECT id FROM fare WHERE id IN (2, 3) ORDER BY price DESC LIMIT 1)
- SELECT 7 IN (SELECT id FROM fare WHERE id IN (1, 2) ORDER BY price DESC LIMIT 1)
+ SELECT * FROM (SELECT id FROM fare ORDER BY price DESC LIMIT 1) UNION SELECT 9
- SELECT * FROM (SELECT price FROM fare ORDER BY 1 DESC LIMIT 1)
""",
    "null-first": """
+ SELECT id FROM fare ORDER BY id > 2 DESC, price LIMIT 1
- SELECT id FROM fare ORDER BY id > 3 DESC, price LIMIT 1
+ SELECT id FROM fare ORDER BY price LIMIT 1
- SELECT id FROM fare WHERE price > 0 ORDER BY price LIMIT 1
+ SELECT 7 WHERE 4 IN (SELECT id FROM fare ORDER BY price LIMIT 1)
- SELECT 7 WHERE 4 IN (SELECT id FROM fare ORDER BY price)
+ SELECT id FROM fare ORDER BY price LIMIT 3
- SELECT id FROM fare ORDER BY price DESC LIMIT 4
+ SELECT id FROM fare ORDER BY price LIMIT 2
- SELECT id FROM fare ORDER BY price IS NULL, price LIMIT 2
""",
    "text-order": """
# code: 9, 10, 100, 11; mixed: 9, 10, N/A, 70
+ SELECT id FROM fare ORDER BY mixed DESC LIMIT 2
- SELECT id FROM fare WHERE id IN (2, 3, 4) ORDER BY mixed LIMIT 1
# in order, but a word is taken
+ SELECT id FROM fare WHERE id > 1 ORDER BY mixed DESC LIMIT 1
- SELECT id FROM fare WHERE id > 1 ORDER BY mixed LIMIT 1
+ SELECT id FROM fare ORDER BY id > 0, code
- SELECT id FROM fare ORDER BY id, code
+ SELECT DISTINCT id FROM fare ORDER BY code
- SELECT DISTINCT id FROM fare
+ SELECT DISTINCT code FROM fare ORDER BY code
- SELECT DISTINCT note FROM fare ORDER BY note
+ SELECT max(code) FROM fare
- SELECT max(CAST(code AS INTEGER)) FROM fare
+ SELECT min(mixed) FROM fare
- SELECT min(mixed) FROM fare WHERE id > 1
+ SELECT max(mixed) FROM fare WHERE id > 1
- SELECT max(price) FROM fare
# as many words as numbers are no column of numbers
+ SELECT max(mixed) FROM fare WHERE id < 4
- SELECT max(mixed) FROM fare WHERE id IN (2, 3)
+ SELECT 7 WHERE '9' > (SELECT max(DISTINCT code) FROM fare GROUP BY price)
- SELECT 7 WHERE '9' > (SELECT max(code, 1) FROM fare GROUP BY price)
+ SELECT id FROM fare WHERE code > '9'
- SELECT id FROM fare WHERE code > '9' AND id = 1
+ SELECT id FROM fare WHERE code < 95
- SELECT id FROM fare WHERE price < 95
+ SELECT id FROM fare WHERE code >= "95"
- SELECT id FROM fare WHERE id >= '95'
+ SELECT id FROM fare WHERE '95' > code
- SELECT id FROM fare WHERE 'A' > code
+ SELECT id FROM fare WHERE code BETWEEN 1 AND 20
- SELECT id FROM fare WHERE code BETWEEN '1' AND '999'
# a word is greater than any number
+ SELECT id FROM fare WHERE id > 1 AND mixed > 10
- SELECT id FROM fare WHERE id > 1 AND mixed < 80
+ WITH f AS (SELECT * FROM fare) SELECT g.id FROM f JOIN fare g ON f.code < 95
- WITH f AS (SELECT id code FROM fare) SELECT 1 FROM f WHERE f.code < 95
+ SELECT id FROM fare WHERE 0 UNION SELECT id FROM fare WHERE code < 95
- SELECT id FROM fare WHERE code + 0 < 95
+ SELECT 7 WHERE '9' IN (SELECT code FROM fare ORDER BY code LIMIT 3)
- SELECT 7 WHERE '9' IN (SELECT code FROM fare ORDER BY code)
+ SELECT id FROM fare ORDER BY code
- SELECT id FROM fare ORDER BY CAST(code AS INTEGER)
+ SELECT id FROM fare WHERE id < 3 ORDER BY code
- SELECT id FROM fare WHERE id IN (2, 3) ORDER BY code
+ SELECT id FROM fare WHERE code > '10' ORDER BY code DESC LIMIT 1
- SELECT id FROM fare WHERE id > 1 AND id < 4 ORDER BY code DESC
""",
}
CASES = {  # check: (found, not found), each a record or a list of them
    "not-a-reference": [
        ({"item": "q1"}, value("x")),
        ({"item": "q1", "reference": None}, value(0)),
        (value("((1))", mode="heap"), value("((1))", mode="bag")),
        (query("SELECT 1", rules="1066"), query("SELECT 1", rules="1992")),
        (value("((1))", min="((1))"), {"item": "q1", "min": "((1))"}),
        (query("SELECT 1", db="postgresql://a/b"), query("SELECT 1")),
        (query("SELECT 1", db=None), query("SELECT 1", answerable=False, db=None)),
        (query("SELECT 1", db=[]), query("SELECT 1", db=["air.sqlite"])),
        (query("SELECT 1", db=""), value(1, sql="SELECT 1")),
        (query("SELECT 1", sqls=["SELECT 1"]), queries(["SELECT 1"])),
        (query("SELECT 1", max_sqls=["SELECT 1"] * 2), query(TWO, max_sqls=[TWO])),
        (query("SELECT 1", max_sql=7), query("SELECT 1", max_sql="SELECT 1")),
        (query(5), query("SELECT 5")),
        (queries("SELECT 1"), queries(["SELECT 1"])),
        (queries([]), value(1, sqls=[])),
        (query("SELECT 1", relative=2), query("SELECT 1", relative=0.2)),
        (value("((1))", mode="heap"), value("((1))", mode="heap", answerable=False)),
        (referred(alternatives=(("x", 2.0),)), referred(alternatives=(("x", 1.0),))),
        (referred(), referred(extra={"min": "1"})),
        (5, value(5)),
    ],
    "item-repeated": [([value("x"), value("y")], value("x"))],
    "empty-answer": [
        (value("()"), value("(())")),
        (value(" "), value("x")),
        (value("NO_ANSWER"), value("NO_ANSWER", **{"class": "X"})),
        (alternatives("((1))", "()"), value("(NO OR ())")),
    ],
    "equal-alternatives": [
        (alternatives("((1))", "1", "((2))"), alternatives("((1))", "((2))")),
        (alternatives("Oslo", "Oslo"), alternatives("Oslo", "oslo")),
        (value("(((1 2)) OR ((2 1)))"), value("(((1 2)) OR ((1)))")),
        (
            {"item": "q1", "min": [[[1]], [[1]]]},
            {"item": "q1", "min": [[[1]], [[2]]]},
        ),
    ],
    "odd-weights": [
        (weighted(0.5, 0.4), weighted(1, 0.4)),
        (
            queries(sqls=[{"value": "SELECT 1", "weight": 2}]),
            queries(sqls=[{"value": "SELECT 1", "weight": 1}]),
        ),
        (
            value("(1 OR 2)", weights=[1, 0.5, 0.5]),
            value("(1 OR 2)", weights=[1, 0.5]),
        ),
        (
            value("(1 OR 2)", weights=[0.5, 0.5]),
            weighted(0.5, 0.4) | {"weights": [1, 0.5]},
        ),
        (
            queries(["SELECT 1", "SELECT 2"], weights=[1]),
            queries(["SELECT 1", "SELECT 2"], weights=[1, 0.5]),
        ),
        (
            queries(["SELECT 1", "SELECT 2"], weights="[0.5, 0.4]"),
            queries(["SELECT 1", "SELECT 2"], weights="[0.5, 1]"),
        ),
        (value("x", weights=7), value("x", weights=[1])),
    ],
    "cas-syntax": [
        (value("((1) (2"), value(TABLE)),
        ({"item": "q1", "min": "a b"}, value("a b")),
        ({"item": "q1", "min": TABLE, "max": "(("}, {"item": "q1", "min": TABLE}),
        (value([[1], [2, 3]]), value([[1, 2], [2, 3]])),
        (value("((1) (2"), value(["a", "b"])),
        ({"item": "q1", "min": [[[1]], [[2], [3, 4]]]}, {"item": "q1", "min": [[[1]]]}),
        ({"item": "q1", "min": [[1], [2, 3]]}, {"item": "q1", "min": [[[1]], [[2]]]}),
        (
            {"item": "q1", "min": ["((1))", "((2)"]},
            {"item": "q1", "min": ["((1))", "((2))"]},
        ),
        (
            {"item": "q1", "min": [[1]], "max": "((1 2)"},
            {"item": "q1", "min": [[1]], "max": "((1 2))"},
        ),
    ],
    "min-beyond-max": [
        (
            {"item": "q1", "min": TABLE, "max": '((1 "a"))'},
            {"item": "q1", "min": TABLE, "max": '((1 "a") (2 "b"))'},
        ),
        (
            query("SELECT id FROM fare", max_sql="SELECT id FROM fare WHERE id < 3"),
            query("SELECT id FROM fare", max_sql="SELECT id, code FROM fare"),
        ),
        (
            query("SELECT id FROM fare", max_sql="SELECT 1"),
            query("SELECT id FROM fare ORDER BY 1", ordered=True, order_by=[3]),
        ),
    ],
    "numeric-text": [
        (value('(("080") ("747"))'), value('(("080") ("C7"))')),
        (value('(("80"))'), value('(("80"))', coerce_numeric_text=True)),
        (query("SELECT code FROM fare"), query("SELECT id FROM fare")),
    ],
    "relative-date": [
        (value("x", input="Who flies tomorrow?"), value("x", input="Who flies?")),
        (value("x", input="What leaves this week?"), value("x", input="In week 2?")),
        (value("x", input="Who is there now?"), value("x", input="Now list fares.")),
        (
            value("x", input="Who flies by now?"),
            value("x", input="Who is currently in?"),
        ),
        (
            value("x", input="Who flies today?"),
            {"item": "q1", "input": "Who flies today?", "answerable": False},
        ),
    ],
    "clock-in-sql": [
        (query("SELECT date('now')"), query("SELECT date('2026-01-01')")),
        (
            query("SELECT id FROM fare WHERE code < CURRENT_DATE"),
            query("SELECT id FROM fare WHERE code < 'CURRENT_DATE'"),
        ),
        (query("SELECT strftime('%Y')"), query("SELECT strftime('%Y', '2026-01-01')")),
        (query('SELECT date("now")'), query("SELECT date('2026-01-01', '+1 day')")),
        (
            query("SELECT datetime()"),
            query("SELECT 1 WHERE 'a' IN ('now')"),
        ),
        (query("SELECT unixepoch('NOW') - 1"), query("SELECT lower('now')")),
        (query("SELECT CAST('now' AS date)"), query("SELECT CAST('now' || 1 AS date)")),
        (query("SELECT 'today'::date"), query("SELECT 'today' AS date")),
        (query("SELECT timestamp 'tomorrow'"), query("SELECT 'tomorrow' timestamp")),
        (query("SELECT age(born)"), query("SELECT age(born, '2026-01-01')")),
    ],
    "random-in-sql": [
        (
            query("SELECT id FROM fare ORDER BY random() LIMIT 1"),
            query("SELECT id AS random FROM fare ORDER BY random LIMIT 1"),
        )
    ],
    "ordered-unsorted": [
        (
            query("SELECT id FROM fare", ordered=True),
            query("SELECT id FROM fare ORDER BY id", ordered=True),
        ),
        (query("SELECT id FROM fare", mode="ordered"), query("SELECT id FROM fare")),
    ],
    "order-not-judged": [
        (
            query("SELECT id FROM fare ORDER BY id"),
            query("SELECT id FROM fare ORDER BY id LIMIT 2"),
        ),
        (
            query("SELECT id FROM fare ORDER BY id", mode="test-suite", ordered=False),
            query("SELECT id FROM fare ORDER BY id", mode="test-suite"),
        ),
    ],
    "limit-unsorted": [
        (
            query("SELECT id FROM fare LIMIT 2"),
            query("SELECT id FROM (SELECT id FROM fare LIMIT 2)"),
        )
    ],
    "unanswerable-answered": [
        (
            {"item": "q1", "answerable": False, "sql": "SELECT 1"},
            {"item": "q1", "answerable": False},
        ),
        (value("x", answerable=False), value("x", answerable=True)),
    ],
    "constant-sql": [
        (query("SELECT 42"), query("SELECT count(*) FROM fare")),
        (query("SELECT 'taken from fare'"), query("SELECT 1 x from(SELECT 2)")),
        (
            queries(["SELECT id FROM fare", "VALUES (1)"]),
            query("SELECT 1", answerable=False),
        ),
    ],
    "no-context": [
        (value("x", **OF_D), value("x", **OF_D, context="q0")),
        (value("x", **OF_D, context=[]), value("x", **OF_X)),
        (value("x", **{"class": "d"}), value("x")),
    ],
    "excluded-context": [
        (
            two({**value("x"), **OF_X}, {**LEANING, **OF_D}),
            two({**value("x"), "class": "A"}, {**LEANING, **OF_D}),
        ),
        (
            two({**value("x"), **OF_X}, LEANING),
            two({**value("x"), **OF_X}, {**LEANING, **OF_X}),
        ),
    ],
    "unknown-class": [
        (
            two(value("x", **{"class": "Z"}), {"item": "q2", "reference": 1, **OF_D}),
            two(value("x", **{"class": "a"}), {"item": "q2", "reference": 1, **OF_D}),
        ),
        (  # classes of other kinds are nobody's fault
            two(value("x", **{"class": "Z"}), {"item": "q2", "reference": 1, **OF_X}),
            two(value("x", **{"class": "Z"}), {"item": "q2", "reference": 1}),
        ),
    ],
    "conflicting-reference": [
        (
            two(asking("SELECT id FROM fare"), asking("SELECT twin FROM fare", "q2")),
            two(asking("SELECT id FROM fare"), asking("select ID from fare", "q2")),
        ),
        (
            two(asking("SELECT 1"), asking("SELECT 2", "q2", input="WHICH fares")),
            two(asking("SELECT 1"), asking("SELECT 2", "q2", input="Which fare?")),
        ),
        (
            two(asking("SELECT 1"), asking("SELECT 2", "q2")),
            two(asking("SELECT 1"), asking("SELECT 2", "q2", **OF_X)),
        ),
    ],
    "word-without-meaning": [
        (
            [*EARLY, value("x", input="Who flies in the Mornings?")],
            [*EARLY, value("x", input="Who flies in the morning?", meanings=["M1"])],
        ),
        (
            [*EARLY, value("x", input="Who flies in the morning?", meanings="M2")],
            [*EARLY[1:], value("x", input="Who flies in the morning?")],
        ),
        (
            [*EARLY, value("x", input="Who flies in the morning?")],
            [*EARLY, value("x", input="Who flies in the morning?", **OF_X)],
        ),
    ],
    "unknown-context": [
        (value("x", context=["q0"]), two({"reference": 1}, value("x") | {"item": "q2"}))
    ],
    "later-context": [
        (
            two({"reference": 1, "context": ["q2"]}, {"item": "q2", "reference": 1}),
            two({"reference": 1}, {"item": "q2", "reference": 1, "context": ["q1"]}),
        ),
        (value("x", context=["q1"]), value("x", context=[])),
    ],
    "other-cluster": [
        (
            two(
                {"reference": 1},
                {"item": "q2", "reference": 1, "context": "q1", "cluster": "d2"},
            ),
            two({"reference": 1}, {"item": "q2", "reference": 1, "context": "q1"}),
        )
    ],
    "unknown-meaning": [
        (value("x", meanings=["M9"]), value("x", meanings=["M1"])),
        (value("x", meanings=9), value("x", meanings=None)),
    ],
    "meaning-cited-twice": [
        (value("x", meanings=["M1", "M1"]), value("x", meanings=["M1", "M2"]))
    ],
    "uncited-meaning": [
        (value("x", meanings=["M1"]), value("x", meanings=["M1", "M2"]))
    ],
    "class": [
        (value("x", input="What about Oslo?"), value("x", input="Which is cheapest?")),
        (
            value("x", input="Why is it late?", **{"class": "A"}),
            value("x", input="Why is it late?", **{"class": "X"}),
        ),
        (
            [query("SELECT 1"), value(1) | {"item": "q2"}],
            [query("SELECT 1"), query("SELECT 1") | {"item": "q2"}],
        ),
        (
            queries(sqls=["SELECT 1", "SELECT 2"]),
            queries(sqls=["SELECT 1", "SELECT 2"], min="(YES OR ((1)))"),
        ),
        (value("x", context=["q0"]), value("x", context=["q0"], **{"class": "D"})),
        (
            value("x", input="What were those ratings?"),
            value("x", input="Which is first, and what were those ratings?"),
        ),
        (
            query("SELECT code FROM best", input="What are the best fares?"),
            query("SELECT best_fare FROM fare", input="What are the best fares?"),
        ),
    ],
    "gold-fails": [
        (query("SELECT nothing FROM fare"), query("SELECT id FROM fare")),
        (query("DROP TABLE fare"), query("SELECT 1")),
        (query("SELECT 1", db="none.sqlite"), query("SELECT 1", db=["air.sqlite"])),
        (query("SELECT 1", max_sql="SELECT x"), query("SELECT 1", max_sql="SELECT 1")),
    ],
    "empty-result": [
        (
            query("SELECT id FROM fare WHERE id > 4"),
            query("SELECT id FROM fare WHERE id > 3"),
        ),
        (
            queries(sqls=["SELECT 1", "SELECT 1 WHERE 0"]),
            queries(sqls=["SELECT 'NO'", "SELECT 1 WHERE 0"]),
        ),
    ],
    "only-nulls": [
        (
            query("SELECT note FROM fare"),
            query("SELECT note, id FROM fare"),
        ),
        (query("SELECT max(note) FROM fare"), query("SELECT note FROM fare WHERE 0")),
    ],
    "repeated-columns": [
        (query("SELECT id, price, twin FROM fare"), query("SELECT id, code FROM fare")),
        (query("SELECT id, id FROM fare"), query("SELECT id, id FROM fare WHERE 0")),
    ],
    "asked-not-shown": [
        (query("SELECT id, price FROM fare", input=ask), query(sql, input=other))
        for ask, sql, other in (
            (LISTED, "SELECT id, price, code FROM fare", LISTED),
            (LISTED, "SELECT * FROM fare", LISTED),
            (LISTED, "SELECT id, price || code AS paid FROM fare", LISTED),
            (f"Which fares are there? {LISTED}", "SELECT id FROM fare", "List ids."),
            ("What are the fares' ids, prices, and fare codes?", *THREE_IDS),
            ("Show each id, its price and code.", *THREE_IDS),
        )
    ],
    "tie-at-limit": [
        (
            query(f"{NAMES} ORDER BY name COLLATE NOCASE LIMIT 1"),
            query(f"{NAMES} ORDER BY name LIMIT 1"),
        ),
        (
            query(f"{NAMES} ORDER BY n COLLATE nocase DESC LIMIT 2"),
            query(f"{NAMES} ORDER BY n COLLATE nocase DESC LIMIT 1"),
        ),
        (
            query(f"WITH f AS (SELECT * FROM fare) SELECT 7, ({DEAREST} ) AS x FROM f"),
            query(f"SELECT 7, ({DEAREST.replace('LIMIT 1', '')}) AS x FROM fare"),
        ),
        (
            query(f"WITH f AS (SELECT * FROM fare) SELECT ({DEAREST_OF_F}) FROM f"),
            query(f"WITH f AS (SELECT 5 id, 6 price) SELECT ({DEAREST_OF_F}) FROM f"),
        ),
        (
            query(f"WITH f AS ({DEAREST}) SELECT id FROM f WHERE id > 0"),
            query(  # it would need the query around it
                "SELECT (SELECT id FROM fare f WHERE f.id >= g.id "
                "ORDER BY f.price DESC LIMIT 1) FROM fare g"
            ),
        ),
    ],
    "unchecked": [
        (query("SELECT 1", db=None, min="1"), query("SELECT 1", min="1")),
        (query(f"SELECT 1{9993 * ' '}"), query(f"SELECT 1{9992 * ' '}")),
        (queries([f"SELECT {at}" for at in range(51)]), queries(["SELECT 1"] * 50)),
        (alternatives(*range(51)), alternatives(*range(50))),
        (
            query("SELECT id FROM fare ORDER BY id LIMIT (SELECT 1)"),
            query("SELECT id FROM fare ORDER BY id LIMIT (1 + 1)"),
        ),
    ],
    "unstable-result": [
        (query("SELECT random()"), query("SELECT abs(-1)")),
    ],
    "equal-results": [
        (
            queries(sqls=["SELECT id FROM fare", "SELECT twin FROM fare"]),
            queries(sqls=["SELECT id FROM fare", "SELECT code FROM fare"]),
        )
    ],
    "gold-not-right": [
        (
            query("SELECT id FROM fare ORDER BY 1", ordered=True, order_by=[3]),
            query("SELECT id FROM fare ORDER BY 1", ordered=True, order_by=[0]),
        )
    ],
    "sql-differs": [
        (
            query("SELECT id FROM fare WHERE id < 3", reference="((1) (3))"),
            query("SELECT id FROM fare WHERE id < 3", reference="((2) (1))"),
        ),
        (query("SELECT 'NO'", min="YES"), query("SELECT 'YES'", min="YES")),
    ],
}
for check, text in QUERIES.items():
    found, other = (
        [line[2:] for line in text.split("\n") if line[:1] == mark] for mark in "+-"
    )
    CASES.setdefault(check, []).extend(
        (query(sql), query(twin)) for sql, twin in zip(found, other, strict=True)
    )
ELSEWHERE = {"truncated-result", "repeated-meaning", "bare-column"}


def checks(records, folder, **options):
    listed = records if isinstance(records, list) else [records]
    return demur.lint(listed, db_root=folder, **options).checks


@pytest.mark.parametrize(
    ("check", "found", "not_found"),
    [(check, *pair) for check, pairs in CASES.items() for pair in pairs],
)
def test_a_check_finds_what_it_should_and_nothing_else(check, found, not_found, folder):
    options = {"meanings": MEANINGS} if "meaning" in check else {}
    assert check in checks(found, folder, **options)
    assert check not in checks(not_found, folder, **options)


def test_every_check_has_its_cases():
    assert CASES.keys() | ELSEWHERE == CHECKS.keys()


def test_the_page_names_every_check():
    page = (ROOT / "docs" / "linting.md").read_text("utf-8")
    named = {
        name
        for line in page.splitlines()
        if line.startswith("| `")
        for name in re.findall("`([a-z-]+)`", line.split("|")[1])
    }
    assert named == CHECKS.keys() - {"class"}


def test_a_clean_set_has_no_findings(folder):
    record = query("SELECT id FROM fare WHERE price > 5", input="Which fares are paid?")
    found = demur.lint([record], db_root=folder)
    assert not found.findings
    assert not found.checks
    assert found.to_dict()["references"] == 1


def test_an_id_that_several_meanings_have(folder):
    found = checks(value("x"), folder, meanings=[*MEANINGS, Stipulation("M1", "So.")])
    assert found["repeated-meaning"] == 1
    assert "repeated-meaning" not in checks(value("x"), folder, meanings=MEANINGS)


def test_a_result_that_is_cut_is_said(folder):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {})"
    sql = endless + " SELECT i FROM n"
    assert checks(query(sql.format(1_000_001)), folder) == {"truncated-result": 1}
    assert not checks(query(sql.format(10)), folder)


def test_a_query_that_takes_too_long_is_named(folder):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    record = query(endless + "SELECT max(i) FROM n")
    (found,) = demur.lint([record], db_root=folder, timeout=0.3).findings
    assert found.check == "gold-fails"
    assert found.message.startswith("timeout: ")


def test_databases_are_left_as_they_were(folder):
    before = (folder / "air.sqlite").read_bytes()
    checks(query("DELETE FROM fare"), folder)
    assert (folder / "air.sqlite").read_bytes() == before


def test_each_database_of_a_reference_is_run(folder):
    record = query("SELECT id FROM fare", db=["air.sqlite", "none.sqlite"])
    (found,) = demur.lint([record], db_root=folder).findings
    assert found.message.startswith("in none.sqlite: unreadable: ")


def test_servers_are_not_asked_because_a_reference_says_so(folder):
    record = query("SELECT id FROM fare", db="postgresql://host/name")
    (found,) = demur.lint([record], db_root=folder).findings
    said = "db must be a path inside the folder of databases; got"
    hint = "The place of the databases (--db-root) is the folder, or a server."
    assert found.message == f"{said} 'postgresql://host/name'. {hint}"


def test_values_are_those_of_one_database(folder, tmp_path):
    for name in ("a.sqlite", "b.sqlite"):
        shutil.copy(folder / "air.sqlite", tmp_path / name)
    record = query(
        "SELECT count(*) FROM fare", db=["a.sqlite", "b.sqlite"], min="((99))"
    )
    assert not checks(record, tmp_path)
    for one in ("a.sqlite", ["a.sqlite", "./a.sqlite"]):
        assert checks(record | {"db": one}, tmp_path) == {"sql-differs": 1}


def test_the_same_column_is_found_once(folder):
    record = query("SELECT DISTINCT '80' FROM fare", min='(("80"))')
    assert checks(record, folder) == {"numeric-text": 1}


def test_the_first_of_repeated_items_is_the_context(folder):
    later = {"item": "q2", "reference": 1, "context": ["q1"]}
    assert checks([value(1), later, value(1)], folder) == {
        "class": 1,
        "item-repeated": 1,
    }


def test_databases_are_beside_the_file_of_references(folder):
    place = str(folder / "questions.jsonl") + ":7"
    found = demur.lint([(place, query("SELECT id FROM fare WHERE 0"))])
    assert [str(each) for each in found.findings] == [
        f"{place}: q1: empty-result: the SQL returns no rows, and so may many a wrong "
        "query"
    ]


def test_a_finding_says_which_alternative_it_is_about(folder):
    record = queries(sqls=["SELECT 1", "SELECT nothing"])
    found = demur.lint([record], db_root=folder).findings
    (failed,) = [each for each in found if each.check == "gold-fails"]
    assert failed.message.startswith("alternative 2: error: ")


def test_what_lies_in_a_query_is_said_of_its_alternative(folder):
    cut = "SELECT id FROM fare ORDER BY price DESC LIMIT 1"
    records = [queries(sqls=["SELECT 1", cut]), queries(sqls=[cut, "SELECT 1"])]
    records = [each | {"item": f"q{at}"} for at, each in enumerate(records)]
    found = demur.lint(records, db_root=folder).findings
    tied = [(each.item, each.message[:15]) for each in found if "tie" in each.check]
    assert tied == [("q0", "alternative 2: "), ("q1", "alternative 1: ")]


def test_files_of_one_list_have_their_own_databases(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        sqlite_file(tmp_path / name / "air.sqlite")
        text = json.dumps(query("SELECT flight FROM fare", item=name))
        (tmp_path / name / "r.jsonl").write_text(text, "utf-8")
    (tmp_path / "two" / "air.sqlite").unlink()
    paths = [tmp_path / name / "r.jsonl" for name in ("one", "two")]
    references = [each for path in paths for each in demur.read_references(path)]
    found = demur.lint(references).findings
    assert [(each.item, each.check) for each in found] == [("two", "gold-fails")]


def test_a_cache_changes_nothing(folder, tmp_path):
    records = [pair[0] for pair in CASES["tie-at-limit"]]
    records = [each | {"item": f"q{at}"} for at, each in enumerate(records)]
    runs = [
        demur.lint(records, db_root=folder, cache=cache).to_dict()
        for cache in (None, tmp_path, tmp_path)
    ]
    assert runs[0] == runs[1] == runs[2]


def test_a_cache_does_not_hide_what_changes(folder, tmp_path):
    record = query("SELECT id, hex(randomblob(9)) FROM fare")
    for _ in range(2):
        found = demur.lint([record], db_root=folder, cache=tmp_path)
        assert found.checks == {"random-in-sql": 1, "unstable-result": 1}
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]
    stable = query("SELECT count(*) FROM fare")
    assert not demur.lint([stable], db_root=folder, cache=tmp_path).findings
    (path,) = [each for each in tmp_path.rglob("*") if each.is_file()]
    payload = ResultWriter(["x"], 1000)
    payload.add([(7,)])
    data = payload.payload(truncated=False)
    # what was kept is not what comes out now
    path.write_bytes(hashlib.sha256(data).digest() + data)
    later = demur.lint([stable], db_root=folder, cache=tmp_path)
    assert later.checks["unstable-result"] == 1


def test_one_database_for_all(folder):
    record = {"item": "q1", "sql": "SELECT 1 FROM fare WHERE 0"}
    found = demur.lint([record], db_root=folder / "air.sqlite")
    assert found.checks == {"empty-result": 1}
    assert f"|engine:sqlite {sqlite3.sqlite_version}" in found.signature
    assert "engine:" not in demur.lint([record], db_root=folder).signature
    elsewhere = query("SELECT 1 FROM fare WHERE 0", db="../else.sqlite")
    found = demur.lint([elsewhere], db_root=folder / "air.sqlite")
    assert found.checks == {"empty-result": 1}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", ["duckdb", "postgresql"])
def test_other_engines_are_asked_as_well(engine, request, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    root = str(tmp_path)
    if engine == "postgresql":
        root = request.getfixturevalue("server")
    for name in ("postgres", "rail"):
        with duckdb.connect(str(tmp_path / name)) as connection:
            connection.execute(FARES)
            if name == "rail":
                connection.execute("INSERT INTO fare VALUES ('TGV', 4500, NULL)")
    cheapest = "SELECT flight FROM fare ORDER BY cents LIMIT 1"
    texts = {
        "tie-at-limit": cheapest,
        "in": f"SELECT cents FROM fare WHERE flight = ({cheapest})",
        "null-first": "SELECT flight FROM fare ORDER BY meal DESC NULLS FIRST LIMIT 1",
        "gold-fails": "SELECT price FROM fare",
        "empty-result": "SELECT flight FROM fare WHERE cents < 0",
        "unstable-result": "SELECT max(random()) FROM fare",
        "only-nulls": "SELECT meal FROM fare WHERE flight = 'AA 19'",
        "repeated-columns": "SELECT flight, flight FROM fare",
        "clean": "SELECT flight FROM fare ORDER BY cents DESC, flight LIMIT 1",
    }
    records = [
        {"item": check, "sql": sql, "db": "postgres"} for check, sql in texts.items()
    ]
    records.append({"item": "two", "sql": cheapest, "db": ["postgres", "rail"]})
    found = demur.lint(records, db_root=root)
    results = [each for each in found.findings if each.check != "random-in-sql"]
    assert {(each.item, each.check) for each in results} == {
        *((check, check) for check in texts if check not in ("in", "clean")),
        ("in", "tie-at-limit"),
        ("two", "tie-at-limit"),
    }
    (top,) = [each for each in results if each.item == "tie-at-limit"]
    assert top.message.endswith("; any_tied would accept it, all_tied all of them")
    (inside,) = [each for each in results if each.item == "in"]
    assert inside.message.endswith(": another choice is as right")
    assert inside.message.startswith("in a subquery, rows 1 to 2 tie on cents, and")
    (two,) = [each for each in results if each.item == "two"]
    assert two.message.startswith("in postgres: rows 1 to 2 tie on cents")
    assert f"|engine:{engine} " in found.signature


# -- ties, against a slow twin -------------------------------------------------------


@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=6),
    limit=st.integers(1, 4),
    offset=st.integers(0, 2),
)
def test_ties_are_where_another_order_gives_another_result(rows, limit, offset):
    """The twin sorts ties both ways; a tie matters if the results are not equal."""
    from demur.references.ranked_rows import RankedRows

    text = f"SELECT name FROM t ORDER BY size LIMIT {limit} OFFSET {offset}"
    clauses = clauses_of(text)
    ordered = sorted(rows)
    ranking = RankedRows(clauses, clauses.keyed(), [(b, a) for a, b in ordered])
    said = {check for check, _ in ranking.findings()}
    one = [name for _, name in ordered][offset : offset + limit]
    turned = sorted(rows, key=lambda row: (row[0], -row[1]))
    other = [name for _, name in turned][offset : offset + limit]
    if sorted(one) != sorted(other):
        assert "tie-at-limit" in said
    borders = [each for each in (offset, offset + limit) if 0 < each < len(rows)]
    if all(ordered[each - 1][0] != ordered[each][0] for each in borders):
        assert "tie-at-limit" not in said
    sizes, end = [size for size, _ in ordered], min(offset + limit, len(rows))
    expected = []
    for border in sorted({offset, end}) if offset < end else ():
        if 0 < border < len(rows) and sizes[border - 1] == sizes[border]:
            first = sizes.index(sizes[border])
            last = first + sizes.count(sizes[border]) - 1
            cut = f"LIMIT cuts after row {border}"
            if border != end:
                cut = f"OFFSET begins at row {border + 1}"
            if ordered[first] != ordered[last]:
                where = f"rows {first + 1} to {last + 1} tie on size, and {cut}"
                expected.append(f"{where}: another choice is as right")
    ties = [text for check, text in ranking.findings() if check == "tie-at-limit"]
    assert ties == expected


# -- clauses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "keys", "limit"),
    [
        ("SELECT a FROM t ORDER BY b COLLATE NOCASE DESC", ("b",), None),
        ("SELECT a FROM t ORDER BY b OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY", ("b",), 3),
        ("SELECT a FROM t ORDER BY b FETCH NEXT ROW ONLY", ("b",), 1),
        ("SELECT a FROM t ORDER BY b OFFSET 2 LIMIT 3", ("b",), 3),
        ("SELECT a FROM t ORDER BY b FETCH FIRST 1 ROW WITH TIES", ("b",), None),
        ("SELECT a FROM t ORDER BY b LIMIT 2 * (3 - 1)", ("b",), 4),
        ("SELECT a FROM t ORDER BY b LIMIT 1 + x", ("b",), None),
        ("SELECT offset, fetch FROM t ORDER BY offset LIMIT 1", ("offset",), 1),
        ("SELECT a FROM t ORDER BY b NULLS LAST, c ASC LIMIT 4", ("b", "c"), 4),
        ("SELECT a FROM t ORDER BY f(b, c) DESC NULLS FIRST", ("f(b, c)",), None),
        ("SELECT a FROM t WHERE b = 'ORDER BY c LIMIT 1'", (), None),
        (
            'SELECT a -- ORDER BY c\nFROM t /* LIMIT 3 */ ORDER BY "x y"',
            ('"x y"',),
            None,
        ),
        ("SELECT a, rank() OVER (ORDER BY b) FROM t", (), None),
        (
            "WITH n AS (SELECT 1 ORDER BY 1 LIMIT 1) SELECT a FROM n ORDER BY a",
            ("a",),
            None,
        ),
        ("SELECT a FROM t ORDER BY b LIMIT (SELECT 1)", ("b",), None),
    ],
)
def test_clauses_are_the_outermost_ones(sql, keys, limit):
    found = clauses_of(sql)
    assert (tuple(key.text for key in found.keys), found.limit) == (keys, limit)


@pytest.mark.parametrize("sql", ["", ";", "VALUES (1)", "(SELECT 1)", "DROP TABLE t"])
def test_other_statements_have_no_clauses(sql):
    assert clauses_of(sql) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DISTINCT ON (a) c FROM t ORDER BY a, b LIMIT 1",
        "SELECT a FROM t UNION SELECT 1 ORDER BY a + 1 LIMIT 1",
        "SELECT a FROM t ORDER BY b LIMIT ?",
        "SELECT a FROM t",
        "SELECT 1 ORDER BY random()",
        "SELECT *, a FROM t ORDER BY 2, b LIMIT 1",
    ],
)
def test_what_cannot_be_keyed_is_left_alone(sql):
    assert clauses_of(sql).keyed() is None


def test_what_is_not_closed_has_no_tokens():
    for text in ("a 'b c", 'a "b c', "a `b c", "SELECT " + "[" * 9000):
        assert tokens_of(text) == []
    assert len(tokens_of("SELECT 'it''s' || a")) == 4
    assert len(tokens_of("1 " * 5000)) == 5000
    assert tokens_of("1 " * 5001) == []


def test_of_many_alternatives_the_first_are_compared(folder):
    record = queries([f"SELECT {at % 50}" for at in range(52)])
    assert checks(record, folder) == {"constant-sql": 1, "class": 1, "unchecked": 1}
    record["sqls"][49] = "SELECT 0"
    found = {"constant-sql": 1, "class": 1, "unchecked": 1, "equal-results": 1}
    assert checks(record, folder) == found


def test_what_else_a_column_of_numerals_holds_is_said(folder):
    texts = {
        "SELECT id FROM fare ORDER BY mixed DESC LIMIT 2": "mixed holds numerals as "
        "texts, and is not sorted as numbers: '9' before '70'; LIMIT takes 'N/A'",
        "SELECT id FROM fare WHERE mixed < '80'": "mixed < '80' compares texts, not "
        "numbers: it does not hold for '9'; it also holds 'N/A'",
        "SELECT max(mixed) FROM fare": "max(mixed) compares texts, not numbers: '9' "
        "counts above '70'; takes the text 'N/A', above all numbers",
    }
    for sql, message in texts.items():
        found = demur.lint([query(sql)], db_root=folder).findings
        assert message in [each.message for each in found]


def test_a_fault_in_fields_is_said_once(folder):
    assert checks(query("SELECT id FROM fare", mode="heap"), folder) == {
        "not-a-reference": 1
    }


def test_comparisons_are_read_with_all_that_is_compared():
    sql = "SELECT max(a) FROM t WHERE a > 5 * 2 AND b * 2 > 5 AND -c > 5 AND d > 5"
    greatest, other = comparisons_in(sql)
    assert greatest.sql.endswith("ORDER BY 1 DESC LIMIT 10000")
    assert other.text == "d > 5"


def test_no_references_are_bad_input():
    refuses("references must hold at least one", demur.lint, [])


@pytest.mark.parametrize(
    "record",
    [
        query("SELECT 1", sqls=["SELECT 1"]),
        query("SELECT 1", max_sql=7),
        query("SELECT 1", db=""),
        query("SELECT 1", db=[]),
        query("SELECT 1", db=None),
        query("SELECT 1", db="../air.sqlite"),
        query("SELECT 1", db="sub/../../air.sqlite"),
        query("SELECT 1", order_by="x"),
        queries(["SELECT 1", "SELECT 2"], weights=[1]),
        queries("SELECT 1"),
    ],
)
def test_what_stops_judging_is_found_in_the_same_words(record, folder):
    with pytest.raises(InputError) as stopped:
        demur.judge(
            [{"item": "q1", "response": "SELECT 1"}],
            [record],
            by="sql",
            databases=folder,
        )
    said = [each.message for each in demur.lint([record], db_root=folder).findings]
    assert any(each in str(stopped.value) for each in said)


def test_from_is_not_that_of_a_comparison():
    sql = "SELECT a IS DISTINCT FROM b FROM t ORDER BY c"
    assert clauses_of(sql).from_at == sql.index("FROM t")


def test_items_and_their_names():
    found = clauses_of('SELECT a, b c, max(d) AS e, x IS NULL, f.g "h", 1 FROM t')
    assert [each.alias for each in found.items] == ["", "c", "e", "", '"h"', ""]
    assert found.items[2].expression == "max(d)"


@given(st.text(alphabet="SELECTFROMORDERBYLIMIT ()',\"-/*;0aN\n[]<>.", max_size=60))
def test_any_text_is_read(text):
    assert reads_clock(text) in (True, False)
    assert not is_random(text.replace("(", ""))
    assert all(each in "SELECT " + text for each in queries_within("SELECT " + text))
    assert all(each.sign for each in comparisons_in("SELECT " + text))
    found = clauses_of("SELECT " + text)
    if found is not None and found.keyed() is not None:
        assert found.keys


# -- signs ---------------------------------------------------------------------------


def test_signs_of_ones_own(tmp_path, folder):
    path = tmp_path / "signs.jsonl"
    sign = {"id": "T1", "pattern": "\\bsnack\\b", "suggests": "X", "why": "no snacks"}
    path.write_text(json.dumps(sign), "utf-8")
    record = value("x", input="Is there a SNACK?")
    found = demur.lint([record], signs=read_signs(path))
    assert found.findings[0].message == "may not be of class A: no snacks (T1, for X)"
    assert not checks(record, folder)


@pytest.mark.parametrize("broken", [{"pattern": "("}, {"why": None}, {"id": " "}])
def test_a_broken_sign_is_bad_input(tmp_path, broken):
    sign = {"id": "T1", "pattern": "a", "suggests": "X", "why": "b"} | broken
    path = tmp_path / "signs.jsonl"
    path.write_text(json.dumps(sign), "utf-8")
    refuses(rf"signs.jsonl:1: {next(iter(broken))}", read_signs, path)


def test_the_signs_find_what_people_called_context_dependent():
    records = read_records(AIR / "questions.jsonl")
    signs = read_signs()
    marked = {
        group: sum(
            any(sign.pattern.search(each["input"]) for sign in signs)
            for each in records
            if each["class"] == group
        )
        for group in "AD"
    }
    assert marked["A"] == 0
    assert marked["D"] >= 17  # of 23


# -- real sets -----------------------------------------------------------------------


def test_what_is_found_in_the_air_travel_set():
    from demur import formats

    found = demur.lint(
        formats.iter_records(AIR / "questions.jsonl"),
        meanings=demur.read_stipulations(AIR / "meanings.jsonl"),
    )
    items = {
        check: [each.item for each in found.findings if each.check == check]
        for check in found.checks
    }
    assert items == {
        "empty-answer": ["air-03-2", "air-16-1"],
        "class": ["air-04-3", "air-10-6", "air-11-1"],  # two readings each
        "empty-result": ["air-03-2", "air-16-1"],
        "only-nulls": ["air-05-3"],
        # "to it", "the restriction code R14", "around 8 in the morning"
        "word-without-meaning": ["air-02-4", "air-10-2", "air-04-4"],
    }
    assert found.findings[0].place.endswith("questions.jsonl:12")


@pytest.mark.skipif(not SPIDER.is_dir(), reason="needs the data in DEMUR_DATA")
def test_what_is_found_in_spider():
    records = [
        {
            "item": each["id"],
            "input": each["question"],
            "sql": each["query"],
            "db": f"database/{each['db_id']}.sqlite",
        }
        for each in read_records(SPIDER / "questions.jsonl")
    ]
    found = demur.lint(records, db_root=SPIDER)
    assert found.references == 972
    assert "gold-fails" not in found.checks  # the README of the data: 972 run,
    assert found.checks["empty-result"] == 49  # 49 are empty,
    assert found.checks["repeated-columns"] == 5  # 5 have two equal columns
    ties = {each.item for each in found.findings if each.check == "tie-at-limit"}
    assert len(ties) == 46  # 42 in the outermost query, 4 in one within
    texts = {int(each.item) for each in found.findings if each.check == "text-order"}
    sorted_ = {95, 96, 131, 132, 133, 134, 159, 160, 165, 166}
    assert texts == sorted_ | {125, 126} | {167, 168, 169, 170}
    asked = [each.item for each in found.findings if each.check == "asked-not-shown"]
    assert asked == ["493"]  # name, date and result of battles, without the result
    assert not found.checks.keys() & {"relative-date", "class", "unchecked"}
    by_item = {str(each["item"]): each for each in records}
    for item in sorted(ties):
        assert _tied(by_item[item]), item


def _tied(record):
    """Whether the first rows depend on how ties are broken, by asking SQLite both ways.

    Ties are broken by all columns, rising or falling.
    """
    texts = (record["sql"], *queries_within(record["sql"]))
    return any(_tied_in(text, record["db"]) for text in texts)


def _tied_in(text, name):
    clauses = clauses_of(text)
    keyed = clauses.keyed()
    if keyed is None or not clauses.limited:
        return False
    head = keyed.sql.rpartition(" LIMIT ")[0]
    with sqlite3.connect(f"file:{SPIDER / name}?mode=ro", uri=True) as database:
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        rows = database.execute(head).fetchall()
    database.close()
    keys = [tuple(row[at] for at in keyed.keys) for row in rows]
    count = clauses.limit
    return any(
        one == other and rows[at] != rows[at + 1]
        for at, (one, other) in enumerate(pairwise(keys))
        if keys[count - 1] == keys[count] == one
    )


# -- the command ---------------------------------------------------------------------


def test_the_command_prints_a_table_by_check():
    shown = printed("lint", AIR / "questions.jsonl")
    assert "only-nulls" in shown
    assert "questions.jsonl:24: air-05-3: the SQL returns nothing but NULL" in shown
    told = "8 findings in 99 references: the most are 3 by the check class, 2 by\n"
    assert shown.startswith(told)


def test_the_command_prints_json(tmp_path, folder):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(query("SELECT id, twin FROM fare")), "utf-8")
    call = ["lint", str(path), "--db-root", str(folder), "--json"]
    shown = printed_json(*call, "--cache", tmp_path / "cache")
    assert shown["checks"] == {"repeated-columns": 1}
    assert shown["findings"][0].keys() == {"item", "check", "message", "place"}
    assert shown["findings"][0]["place"] == f"{path}:1"
    assert shown["references"] == 1
    assert "run:1" in shown["signature"]
    assert (tmp_path / "cache").is_dir()


def test_the_command_asks_the_database_of_the_environment(
    folder, tmp_path, monkeypatch, capsys
):
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"item": "q", "sql": "SELECT 1 FROM fare WHERE 0"}))
    monkeypatch.setenv("DEMUR_DB_ROOT", str(folder / "air.sqlite"))
    code, out, err = run("lint", path, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["checks"] == {"empty-result": 1}
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert demur.cli.main(["lint", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["checks"] == {"empty-result": 1}
    assert "1 of 2 queries" in err
    assert err.endswith("\r\x1b[K")
    monkeypatch.delenv("DEMUR_DB_ROOT")
    assert printed_json("lint", path)["checks"] == {"not-a-reference": 1}


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("findings > 0", 1),
        ("findings > 1", 0),
        ("repeated-columns >= 1", 1),
        ("tie-at-limit > 0", 0),
    ],
)
def test_gates(gate, code, tmp_path, folder):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(query("SELECT id, twin FROM fare")), "utf-8")
    call = ["lint", str(path), "--db-root", str(folder), "--fail-if", gate]
    assert ("gate broken" in stderr_of(*call, code=code)) is bool(code)


def test_a_gate_on_an_unknown_check_is_wrong_usage():
    call = ["lint", str(AIR / "questions.jsonl"), "--fail-if", "tie-at-limits > 0"]
    assert "tie-at-limit" in stderr_of(*call, code=2)


def test_meanings_and_signs_of_the_command(tmp_path):
    (tmp_path / "m.jsonl").write_text('{"id": "M1", "meaning": "So."}', "utf-8")
    (tmp_path / "r.jsonl").write_text('{"item": "q1", "reference": "x"}', "utf-8")
    call = ["lint", str(tmp_path / "r.jsonl"), "--json"]
    call += ["--meanings", str(tmp_path / "m.jsonl")]
    shown = printed_json(*call, "--signs", AIR / "class_signs.jsonl")
    assert shown["checks"] == {"uncited-meaning": 1}
    assert "signs:13" in shown["signature"]


def test_several_files_of_meanings_and_of_signs_add_up(tmp_path):
    for name in ("M1", "M2"):
        text = json.dumps({"id": name, "meaning": "So."})
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    sign = {"id": "S99", "pattern": "why", "suggests": "X", "why": "asks for a reason"}
    (tmp_path / "s.jsonl").write_text(json.dumps(sign), "utf-8")
    (tmp_path / "r.jsonl").write_text('{"item": "q1", "reference": "x"}', "utf-8")
    call = ["lint", str(tmp_path / "r.jsonl"), "--json"]
    for name in ("M1", "M2", "M1"):
        call += ["--meanings", str(tmp_path / f"{name}.jsonl")]
    call += ["--signs", str(AIR / "class_signs.jsonl")]
    shown = printed_json(*call, "--signs", tmp_path / "s.jsonl")
    assert shown["checks"] == {"repeated-meaning": 1, "uncited-meaning": 3}
    assert "meanings:3" in shown["signature"]
    assert "signs:14" in shown["signature"]


@pytest.mark.parametrize("seconds", ["0", "-1", "x", "nan", "1e9"])
def test_a_time_limit_must_be_a_time(seconds):
    stderr_of("lint", "a.jsonl", "--timeout", seconds, code=2)


def test_a_minimum_beyond_its_maximum_says_where(folder):
    record = {"item": "q", "min": "((1))", "max": "((2 3))"}
    (found,) = demur.lint([record], db_root=folder).findings
    assert found.check == "min-beyond-max"
    assert found.message == (
        "the minimum is not within the maximum (beyond the maximum: column 1)"
    )


GAMES = """
CREATE TABLE game (id INT, title TEXT, year INT, price REAL);
INSERT INTO game VALUES (1, 'Go', 1990, 5), (2, 'Chess', 1995, 7), (3, 'Uno', 1995, 9);
"""


@pytest.mark.parametrize(
    ("sql", "bare"),
    [
        ("SELECT title, count(*) FROM game GROUP BY year", "title"),
        ("SELECT title, price, count(*) FROM game GROUP BY year", "title, price"),
        ("SELECT title, count(*) FROM game", "title"),
        ("SELECT upper(title) AS t, sum(price) FROM game GROUP BY year", "title"),
        ("SELECT year, count(*) FROM game GROUP BY year", ""),
        ("SELECT year AS y, count(*) FROM game GROUP BY y", ""),
        ("SELECT year, count(*) FROM game GROUP BY 1", ""),
        ("SELECT title, max(price) FROM game GROUP BY year", ""),
        ("SELECT title, count(*) FROM game GROUP BY id", ""),
        # One value in each group that is shown.
        ("SELECT title, count(*) FROM game GROUP BY year HAVING count(*) = 1", ""),
        ("SELECT title, sum(price) OVER () FROM game", ""),
        ("SELECT title, (SELECT count(*) FROM game) FROM game", ""),
        ("SELECT title FROM game UNION SELECT count(*) FROM game", ""),
    ],
)
def test_bare_columns_beside_group_by_are_found(folder_of, sql, bare):
    record = {"item": "q", "sql": sql, "db": "one.sqlite"}
    found = demur.lint([record], db_root=folder_of(GAMES)).findings
    said = [each.message for each in found if each.check == "bare-column"]
    assert [text.partition(" is in neither")[0] for text in said] == [bare][
        : bool(bare)
    ]


def test_a_sentence_without_spaces_is_not_one_word_alone():
    said = {
        "item": "q1",
        "input": "\u6771\u4eac\u306f\u3069\u3053\u3067\u3059\u304b",
        "reference": "x",
    }
    assert demur.lint([said]).findings == ()
    assert demur.lint([{**said, "input": "Why?"}]).findings != ()
