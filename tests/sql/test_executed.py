"""Answers that are SQL: run, compared, and never blamed for the reference's faults."""

import csv
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

import demur
from builders import (
    judge_files,
    judge_one,
    printed,
    printed_json,
    read_records,
    refuses,
    stderr_of,
)
from demur import Databases, InputError, Reference, Response, answers
from demur.cli import main
from demur.sql.executed import Executed
from demur.sql.execution import QueryAnswer, SqlFailure
from demur.sql.maxima import derived_maximum
from demur.sql.schemas import CATALOGUE, TableColumns
from sql_cases import AGES, children, only_late, sqlite_file

pytestmark = pytest.mark.usefixtures("kept_workers")

AIR = Path(__file__).resolve().parents[2] / "examples" / "air_travel"
SPIDER = Path(os.environ.get("DEMUR_DATA", "no")) / "spider-dev19"
ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    "SELECT count(*) FROM n"
)
TRUE = "SELECT CASE WHEN EXISTS (SELECT * FROM fare) THEN 'YES' ELSE 'NO' END"


def database(path, rows):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE fare (flight TEXT, cents INTEGER, meal TEXT)")
        connection.executemany("INSERT INTO fare VALUES (?, ?, ?)", rows)
        connection.commit()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("databases")
    rows = [("AA 17", 12900, "D"), ("DL 8", 9900, None), ("DL 8", 9900, None)]
    database(folder / "one.sqlite", rows)
    database(folder / "two.sqlite", [("AA 17", 12900, "D"), ("UA 3", 100, "S")])
    (folder / "broken.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    return folder


def judged(root, response, reference, by="sql", **limits):
    """Outcome and reason of one answer."""
    outcomes = judge_one(
        response,
        {"db": "one.sqlite", **reference},
        by=by,
        databases=Databases(root=root, **limits),
    )
    [[outcome], [reason]] = outcomes.outcome, outcomes.reason
    return ("right", "wrong", "unanswered", "ungraded")[outcome], reason


def gold(sql, **more):
    return {"sql": sql, **more}


ALL = gold("SELECT flight, cents FROM fare")
ONE_B = ", CASE WHEN count(DISTINCT b) = 1 AND count(b) = count(*) THEN b END"


# -- verdicts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "reference", "expected"),
    [
        ("SELECT DISTINCT cents, flight FROM fare", ALL, ("right", "equal")),
        (
            "SELECT DISTINCT cents, meal, flight FROM fare",
            ALL,
            ("wrong", "beyond the maximum: column 2"),
        ),
        (
            "SELECT flight, cents + 1 FROM fare",
            ALL,
            ("wrong", 'missing ("AA 17" 12900); extra ("AA 17" 12901)'),
        ),
        ("SELEC 1", ALL, ("wrong", "sql error: it begins with 'SELEC'")),
        ("SELECT price FROM fare", ALL, ("wrong", "sql error: no such column: price")),
        ("DELETE FROM fare", ALL, ("wrong", "forbidden: DELETE is not allowed")),
        ("SELECT 1; SELECT 2", ALL, ("wrong", "forbidden: ")),
        ("", ALL, ("wrong", "sql error: ")),
        ([1], ALL, ("wrong", "not an answer: SQL must be text; got [1]")),
        (None, ALL, ("unanswered", "no guess")),
        ("NO_ANSWER", ALL, ("unanswered", "no guess")),
        (
            "SELECT 1",
            gold("SELECT price FROM fare"),
            ("ungraded", "reference: sql error: no such column: price"),
        ),
        ("SELEC", gold("DROP TABLE fare"), ("ungraded", "reference: forbidden")),
        (
            "SELEC",
            gold("SELECT 1", db=["none.sqlite", "one.sqlite"]),
            ("wrong", "sql error: it begins with 'SELEC'"),
        ),
        ("SELECT 1", gold("SELECT 1", db="broken.sqlite"), ("ungraded", "reference")),
        ("SELECT 2", {"reference": "NO_ANSWER"}, None),
    ],
)
def test_what_a_query_returns_decides(root, response, reference, expected):
    if expected is None:
        with pytest.raises(InputError, match="have sql or sqls for one item at least"):
            judged(root, response, reference)
        return
    outcome, reason = judged(root, response, reference)
    assert outcome == expected[0]
    assert reason.startswith(expected[1])


def test_time_and_rows_are_limited(root, monkeypatch):
    only_late(monkeypatch, ENDLESS)
    assert judged(root, ENDLESS, ALL, timeout=0.2)[0] == "wrong"
    assert judged(root, ENDLESS, ALL, timeout=0.2)[1].startswith("timeout: ")
    late = judged(root, "SELECT 1", gold(ENDLESS), timeout=0.2)
    assert late[0] == "ungraded"
    assert late[1].startswith("reference: timeout: ")
    long = "SELECT flight FROM fare"
    assert judged(root, long, gold("SELECT 1"), max_rows=2) == (
        "wrong",
        "more than 2 rows; the reference has 1",
    )
    assert judged(root, "SELECT 1", gold(long), max_rows=2) == (
        "ungraded",
        "the reference is truncated after 2 rows",
    )


def test_databases_where_both_are_empty_show_nothing_unless_all_are(root):
    asked = "SELECT flight FROM fare WHERE meal = 'S'"  # nothing in one.sqlite
    both = {"db": ["one.sqlite", "two.sqlite"], "sql": asked}
    alike = "SELECT flight FROM fare WHERE meal LIKE 's'"
    for how in ("sql", "sql(empty=wrong)"):
        assert judged(root, alike, both, by=how) == ("right", "equal")
    nothing = "SELECT flight FROM fare WHERE 0"
    assert judged(root, nothing, both)[0] == "wrong"
    everywhere = both | {"sql": nothing}
    assert judged(root, nothing, everywhere) == ("right", "both empty")
    assert judged(root, nothing, everywhere, by="sql(empty=wrong)")[0] == "wrong"


def test_several_databases_must_all_match(root):
    both = {"db": ["one.sqlite", "two.sqlite"], "sql": "SELECT max(cents) FROM fare"}
    assert judged(root, "SELECT max(cents) FROM fare", both) == ("right", "equal")
    no_meal = "SELECT cents FROM fare WHERE meal = 'D'"
    assert judged(root, no_meal, both) == ("right", "equal")
    outcome, reason = judged(
        root, "SELECT max(cents) FROM fare WHERE meal IS NULL", both
    )
    assert outcome == "wrong"
    lucky = "SELECT cents FROM fare WHERE flight = 'AA 17' OR meal = 'S'"
    outcome, reason = judged(root, lucky, both)
    assert (outcome, reason) == ("wrong", "extra (100) (in two.sqlite)")
    gone = both | {"db": ["one.sqlite", "gone.sqlite"]}
    outcome, reason = judged(root, no_meal, gone)
    assert outcome == "ungraded"
    assert reason.startswith("reference: unreadable: ")
    assert reason.endswith("(in gone.sqlite)")


def test_alternatives_have_weights_and_maxima(root):
    reference = {
        "sqls": [
            {"value": "SELECT flight FROM fare WHERE meal IS NULL", "weight": 0.5},
            "SELECT flight FROM fare WHERE meal = 'D'",
        ],
        "max_sqls": ["SELECT flight, cents FROM fare WHERE meal IS NULL", None],
    }
    half = "SELECT flight FROM fare WHERE meal IS NULL"
    said = "alternative 1 of 2, credit 0.5"
    assert judged(root, half, reference) == ("right", said)
    assert judged(root, half.replace("flight", "flight, cents"), reference)[1] == said
    outcome, reason = judged(root, half.replace("flight", "flight, 7"), reference)
    assert outcome == "wrong"
    assert "beyond the maximum: column 2" in reason
    free = "SELECT flight, 7 FROM fare WHERE meal = 'D'"
    assert judged(root, free, reference) == ("right", "alternative 2 of 2")
    other = {**reference, "weights": [1, 0.25]}
    assert judged(root, free, other)[1] == "alternative 2 of 2, credit 0.25"


@pytest.mark.parametrize(
    ("reference", "response", "right"),
    [
        (gold(TRUE), "SELECT 'YES'", True),
        (gold(TRUE), "SELECT 'NO'", False),
        (gold(TRUE), "SELECT 'yes'", False),
        (gold(TRUE), "SELECT flight FROM fare", False),
        (gold(TRUE, rules="1990"), "SELECT flight FROM fare", True),
        (gold(TRUE, rules="1990"), "SELECT flight FROM fare WHERE cents = 0", False),
        (gold(TRUE, rules="1990"), "SELECT 'NO'", False),
        (gold("SELECT 'YES' UNION SELECT 'NO'"), "VALUES ('NO'), ('YES')", True),
        # However often it is said, and with further columns.
        (gold(TRUE), "SELECT 'YES' FROM fare", True),
        (gold(TRUE), "SELECT 'NO' FROM fare", False),
        (gold(TRUE, mode="bag"), "VALUES ('YES'), ('YES')", False),
        (gold(TRUE), "SELECT 'YES', flight FROM fare", False),
        (gold(TRUE), "SELECT 'YES', 'NO'", False),
        (gold(TRUE), "SELECT 'NO', flight FROM fare", False),
        (gold(TRUE, max_sql="SELECT 'YES', 3"), "SELECT 'YES', 3", True),
        (gold(TRUE, max_sql="SELECT 'YES', 3"), "SELECT 'YES', 4", False),
        (gold(TRUE, rules="1990"), "SELECT 'NO' FROM fare", False),
        (gold("SELECT 'NO'", rules="1990"), "SELECT 'NO' FROM fare", True),
        (gold("SELECT 'NO'", rules="1990"), "SELECT flight FROM fare", False),
        (gold(TRUE, rules="1990", max_sql=TRUE), "SELECT flight FROM fare", True),
        (gold(TRUE, rules="1990", max="YES"), "SELECT flight FROM fare", True),
        (gold("SELECT 'OK'"), "SELECT 'YES'", False),
    ],
)
def test_yes_and_no_are_booleans(root, reference, response, right):
    assert (judged(root, response, reference)[0] == "right") is right


def test_old_modes_know_no_booleans(root):
    by = "sql(mode=bird-ex)"
    reference = gold("SELECT 'YES'", rules="1990")
    assert judged(root, "SELECT flight FROM fare", reference, by)[0] == "wrong"
    assert judged(root, "SELECT 'YES'", reference, by) == ("right", "equal")
    assert judged(root, "SELECT 1", reference, by)[0] == "wrong"


def test_order_counts_where_it_is_said(root):
    up, down = (f"SELECT cents FROM fare ORDER BY cents {way}" for way in ("", "DESC"))
    assert judged(root, down, gold(up))[0] == "right"
    assert judged(root, down, gold(up, ordered=True))[0] == "wrong"
    suite = "sql(mode=test-suite)"
    assert judged(root, down, gold(up), by=suite)[0] == "wrong"
    assert judged(root, down, gold("SELECT cents FROM fare"), by=suite)[0] == "right"
    assert judged(root, down, gold(up, ordered=False), by=suite)[0] == "right"
    bag = "sql(mode=bag)"
    assert (
        judged(root, "SELECT DISTINCT cents FROM fare", gold(up), by=bag)[0] == "wrong"
    )


def test_responses_that_are_no_guess_are_not_run(root, monkeypatch):
    asked = []
    run = Databases.run

    def counted(self, queries):
        asked.extend(queries)
        return run(self, asked)

    monkeypatch.setattr(Databases, "run", counted)
    demur.judge(
        [
            {"item": "1", "system": "a", "response": "SELECT 1", "failed": "down"},
            {"item": "1", "system": "b", "response": "SELECT 2"},
            {"item": "1", "system": "c", "response": "SELECT 2"},
            {"item": "2", "system": "b", "response": "SELECT 3"},
            {"item": "3", "system": "b", "response": "SELECT 4"},
        ],
        [
            {"item": 1, "db": "one.sqlite", "sql": "SELECT 2"},
            {"item": 2, "answerable": False, "db": "one.sqlite", "sql": "SELECT 9"},
        ],
        by="sql",
        databases=root,
        missing="leave_out",
        unmatched="leave_out",
    )
    assert {query.sql for query in asked} == {"SELECT 2", CATALOGUE["sqlite"]}


# -- databases ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("db", "problem"),
    [
        ("/etc/passwd", "db must be a path inside the folder"),
        ("../one.sqlite", "db must be a path inside the folder"),
        ("postgresql://evil/x", "db must be a path inside the folder"),
        (7, "db must be a path inside the folder"),
        (None, "db must name a database"),
        ("gone.sqlite", "the databases must exist; got none of 1, such as '.*gon"),
    ],
)
def test_databases_that_a_reference_may_not_name(root, db, problem):
    refuses(problem, judged, root, "SELECT 1", {"sql": "SELECT 1", "db": db})


def test_a_server_comes_from_the_caller_alone():
    server = Databases(root="postgresql://me@host:5432/air?sslmode=require")
    assert server.named(None, "f:1") == "postgresql://me@host:5432/air?sslmode=require"
    assert server.named("rail", "f:1").endswith("@host:5432/rail?sslmode=require")
    for root, named in (
        ("postgresql:///air?host=/run/pg", "postgresql:///rail?host=/run/pg"),
        ("postgresql://me:x@[::1]:5432", "postgresql://me:x@[::1]:5432/rail"),
        ("postgres://host?sslmode=require", "postgres://host/rail?sslmode=require"),
        ("postgresql://me:se/cret@host/air", "postgresql://me:se/cret@host/rail"),
    ):
        assert Databases(root=root).named("rail", "f:1") == named
    with pytest.raises(InputError, match="name of a database of the server"):
        server.named("other/x?host=evil", "f:1")


def test_passwords_of_servers_are_not_shown():
    server = "postgresql://me:secret@host:1/air?password=secret"
    databases = Databases(root=server, timeout=1)
    extra = {"sql": "SELECT 1", "db": ["air", "rail"]}
    reference = Reference(item="q", extra=extra)
    executed = Executed(answers.sql(), databases)
    with pytest.MonkeyPatch.context() as patch:
        answer = SqlFailure("unreadable", "no route")
        patch.setattr(
            Databases,
            "run",
            lambda _, all_: (QueryAnswer(each, None, answer) for each in all_),
        )
        assert "database: postgresql://host:1/rail" in executed.explain("1", reference)
        response = Response(item="q", response="SELECT 2")
        with pytest.raises(InputError) as told:
            demur.judge([response], [reference], by=executed)
        assert "secret" not in executed.explain("SELECT 2", reference)
    said = "judge: postgresql://host:1/air must answer; got unreadable: no route."
    assert str(told.value) == f"{said} Is the URL right, and the server up?"


@pytest.mark.parametrize(
    ("by", "databases", "problem"),
    [
        ("text", "folder", "databases must be given with by='sql'; got by='text'"),
        ("sql", 7, "databases must be a path, a URL or demur.Databases; got 7"),
    ],
)
def test_databases_that_are_none(by, databases, problem):
    refuses(problem, demur.judge, [], [], by=by, databases=databases)


def test_databases_are_beside_the_references_by_default(root):
    assert Databases().named("a/b.db", f"{root}/r.jsonl:3") == str(root / "a/b.db")


def test_one_file_is_the_database_of_all(root):
    one = Databases(root=root / "one.sqlite")
    for db in (None, "other.sqlite", "../x"):
        assert one.named(db, "x:1") == str(root / "one.sqlite")
    assert Databases(root="no.sqlite").named(None, "x:1") == "no.sqlite"
    assert Databases(root="no.sqlite").named("a", "x:1") == "no.sqlite/a"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"sql": 7}, "sqls must hold SQL as text; got 7"),
        ({"sqls": ["SELECT 1", None]}, "sqls must hold SQL as text; got None"),
        ({"sql": "SELECT 1", "sqls": ["SELECT 1"]}, "give sql or sqls; got both"),
        ({"sqls": "SELECT 1"}, "sqls must be a list of queries"),
        ({"sqls": ["SELECT 1"], "max_sqls": []}, None),
        ({"sqls": ["SELECT 1"] * 2, "max_sqls": ["SELECT 1"]}, "one for each of 2"),
        ({"sql": "SELECT 1", "weights": [1, 1]}, "weights must be one for each of 1"),
        ({"sqls": [{"value": "SELECT 1", "weight": 2}]}, "weights must be a list"),
        ({"sql": "SELECT 1", "mode": "set"}, "mode must be one of"),
        ({"sql": "SELECT 1", "max": "(1 OR 2)"}, "max must be one for each of 1"),
        ({"sql": "SELECT 1", "max": "((1) (2"}, "max must be a result, as CAS"),
        ({"sql": "SELECT 1", "max": "NO_ANSWER"}, "max must be a result, as CAS"),
    ],
)
def test_references_that_are_not_what_they_must_be(root, fields, problem):
    if problem is None:
        assert judged(root, "SELECT 1", fields) == ("right", "equal")
        return
    refuses(problem, judged, root, "SELECT 1", fields)


def test_the_comparator_alone_says_who_runs_queries():
    with pytest.raises(InputError, match=r"be used by demur\.judge"):
        answers.verdict(answers.sql(), "SELECT 1", (("SELECT 1", 1.0),))


# -- the derived maximum -----------------------------------------------------------


def without_ranks(sql):
    """A maximum without the place of each row."""
    ranks = r", (?:rank|row_number)\(\) OVER \(ORDER BY (?:[^()]|\([^()]*\))*\)"
    return sql and re.sub(ranks, "", sql)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM t WHERE b > 1", "SELECT a, b FROM t WHERE b > 1"),
        ("SELECT a FROM t ORDER BY c LIMIT 1", "SELECT a, c FROM t ORDER BY c LIMIT 1"),
        (
            "SELECT DISTINCT a FROM t WHERE A = 1",
            "SELECT DISTINCT a FROM t WHERE A = 1",
        ),
        (
            "SELECT x.a FROM x JOIN y ON x.i = y.j WHERE y.c IN (SELECT d FROM z)",
            "SELECT x.a, x.i, y.j, y.c FROM x JOIN y ON x.i = y.j "
            "WHERE y.c IN (SELECT d FROM z)",
        ),
        ("SELECT a FROM x JOIN y USING (i)", "SELECT a, i FROM x JOIN y USING (i)"),
        ("SELECT a AS n FROM t ORDER BY n", "SELECT a AS n FROM t ORDER BY n"),
        ("SELECT count(*) FROM t", "SELECT count(*) FROM t"),
        (
            "SELECT a FROM t WHERE b = (SELECT max(b) FROM t)",
            "SELECT a, b FROM t WHERE b = (SELECT max(b) FROM t)",
        ),
        ("SELECT a FROM t GROUP BY a", "SELECT a FROM t GROUP BY a"),
        (
            "SELECT a FROM t GROUP BY a, b HAVING sum(c) > 1 ORDER BY count(*) LIMIT 1",
            "SELECT a, b, SUM(c), COUNT(*) FROM t "
            "GROUP BY a, b HAVING sum(c) > 1 ORDER BY count(*) LIMIT 1",
        ),
        (
            "SELECT a, count(*) AS n FROM t GROUP BY 1 HAVING n > 1 ORDER BY n",
            "SELECT a, count(*) AS n FROM t GROUP BY 1 HAVING n > 1 ORDER BY n",
        ),
        (
            "SELECT a FROM t ORDER BY b / c",
            "SELECT a, b, c, b / c FROM t ORDER BY b / c",
        ),
        ("SELECT a FROM t UNION SELECT b FROM t", None),
        ("SELECT DISTINCT a FROM t ORDER BY b LIMIT 1", None),
        ("SELECT DISTINCT a FROM t WHERE b LIMIT -1 OFFSET 1", None),
        (
            "SELECT row_number() OVER (ORDER BY a) FROM t",
            "SELECT row_number() OVER (ORDER BY a), a FROM t",
        ),
        *(
            (
                f"SELECT {each} FROM t WHERE b = 1",
                f"SELECT {each}{ONE_B} FROM t WHERE b = 1",
            )
            for each in (
                *("total(a)", "group_concat(a)", "json_group_array(a)"),
                *("json_group_object(a, c)", "jsonb_group_array(a)"),
                *("count(DISTINCT a)", "sum(a) FILTER (WHERE c)"),
            )
        ),
        ("SELECT max(a, 2) FROM t", "SELECT max(a, 2), a FROM t"),
        ("SELECT FROM WHERE", None),
        # The text is not written anew.
        (
            "SELECT x.a FROM x, y WHERE x.i = cast('2' AS DATE) LIMIT 1;",
            "SELECT x.a, x.i FROM x, y WHERE x.i = cast('2' AS DATE) LIMIT 1;",
        ),
        (
            "SELECT 'é', a -- FROM\nFROM t /* b */ WHERE [b c]=1 -- d",
            "SELECT 'é', a, \"b c\" -- FROM\nFROM t /* b */ WHERE [b c]=1 -- d",
        ),
        (
            "WITH u AS (SELECT 1 FROM t) SELECT (SELECT 2 FROM u) FROM t WHERE b",
            "WITH u AS (SELECT 1 FROM t) SELECT (SELECT 2 FROM u), b FROM t WHERE b",
        ),
        (
            "SELECT a IS DISTINCT FROM b FROM t",
            "SELECT a IS DISTINCT FROM b, a, b FROM t",
        ),
        ("SELECT a FROM t ORDER BY b", "SELECT a, b FROM t ORDER BY b"),
        # A name that an alias bears is the alias in a sort key only.
        (
            "SELECT b AS a FROM t WHERE a = 1 ORDER BY a",
            "SELECT b AS a, a AS column_2 FROM t WHERE a = 1 ORDER BY a",
        ),
        (
            "SELECT upper(a) AS a FROM t WHERE a LIKE 'R%'",
            "SELECT upper(a) AS a, a AS column_2 FROM t WHERE a LIKE 'R%'",
        ),
        (
            "SELECT b + 1 AS a FROM t ORDER BY -a",
            "SELECT b + 1 AS a, b FROM t ORDER BY -a",
        ),
        (
            "SELECT x.a FROM x JOIN y ON x.i = y.i",
            "SELECT x.a, x.i, y.i AS column_3 FROM x JOIN y ON x.i = y.i",
        ),
        # Columns of the tables outside that a nested query names.
        (
            "SELECT c.a FROM c WHERE EXISTS (SELECT 1 FROM m WHERE m.i = C.j AND m.k)",
            "SELECT c.a, C.j FROM c WHERE EXISTS "
            "(SELECT 1 FROM m WHERE m.i = C.j AND m.k)",
        ),
        (
            "SELECT c.a FROM t c WHERE c.a IN (SELECT b FROM m WHERE b IN "
            "(SELECT c.j FROM c WHERE c.k = m.l AND d.e) AND m.i IN (SELECT c.n))",
            "SELECT c.a, c.n FROM t c WHERE c.a IN (SELECT b FROM m WHERE b IN "
            "(SELECT c.j FROM c WHERE c.k = m.l AND d.e) AND m.i IN (SELECT c.n))",
        ),
        ("SELECT a FROM x NATURAL JOIN y", "SELECT a FROM x NATURAL JOIN y"),
    ],
)
def test_a_maximum_is_derived(sql, expected):
    pytest.importorskip("sqlglot")
    assert without_ranks(derived_maximum(sql)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "postgres",
            "SELECT f(b) AS a FROM t ORDER BY g(a), a",
            "SELECT f(b) AS a, b, a AS column_3 FROM t ORDER BY g(a), a",
        ),
        (
            "postgres",
            "SELECT b AS a FROM t ORDER BY a",
            "SELECT b AS a FROM t ORDER BY a",
        ),
        ("postgres", "SELECT DISTINCT a FROM t WHERE b OFFSET 1", None),
        ("duckdb", "FROM t SELECT a WHERE b", "FROM t SELECT a, b WHERE b"),
        ("duckdb", "FROM t", None),
        (
            "duckdb",
            "SELECT f(b) a FROM t ORDER BY -a",
            "SELECT f(b) a, b FROM t ORDER BY -a",
        ),
    ],
)
def test_a_maximum_is_derived_as_the_engine_reads_names(dialect, sql, expected):
    pytest.importorskip("sqlglot")
    assert without_ranks(derived_maximum(sql, dialect)) == expected


def test_a_derived_maximum_catches_what_was_not_asked(root):
    pytest.importorskip("sqlglot")
    reference = gold("SELECT flight FROM fare WHERE cents > 0")
    by = "sql(maximum=derived)"
    assert judged(root, "SELECT cents, flight FROM fare", reference, by) == (
        "right",
        "equal",
    )
    wide = "SELECT flight, meal FROM fare"
    said = ("wrong", "beyond the maximum: column 2")
    assert judged(root, wide, reference, "sql(maximum=none)") == ("right", "equal")
    assert judged(root, wide, reference) == said
    assert judged(root, wide, reference, by) == said
    assert judged(root, wide, {**reference, "max_sql": wide}, by) == ("right", "equal")
    own = {**reference, "max_sql": reference["sql"]}
    assert judged(root, "SELECT flight, cents FROM fare", own, by) == said


def test_items_whose_answer_is_its_own_maximum_are_counted(root):
    united = "SELECT 3 UNION SELECT 3"
    outcomes = demur.judge(
        [{"item": each, "response": "SELECT 3, 4"} for each in "1234"],
        [
            {"item": "1", "db": "one.sqlite", "sql": "SELECT count(*) FROM fare"},
            {"item": "2", "db": "one.sqlite", "sql": united},
            {"item": "3", "db": "one.sqlite", "sql": "SELECT nothing FROM fare"},
            {"item": "4", "db": "one.sqlite", "sql": united},
        ],
        by="sql",
        databases=root,
    )
    assert outcomes.outcome.tolist() == [1, 1, 3, 1]
    wide = (
        "answers that show more than the canonical answer, which is the maximum there"
    )
    assert outcomes.notes == (
        "3 of 3 wrong answers are 'SELECT 3, 4', which is right for no item: if that "
        "is no answer, no_answer (--no-answer 'SELECT 3, 4') counts it as unanswered",
        "1 reference could not be used, so that 1 answer is ungraded: reference: sql "
        "error: near \"nothing\": syntax error; it is that of item '3'",
        "floor: 3 to every item is right on 3 of 4 (75.0 %)",
        f"2 items with {wide}: nothing can be derived (2)",
        "1 answer without data of a table where the reference shows some: 0 right",
    )
    assert outcomes.recipe["by"] == "sql(maximum=derived)"
    assert outcomes.recipe["timeout"] == "30"


CITY = """
CREATE TABLE city (name TEXT, country TEXT, size INT, open TEXT);
INSERT INTO city VALUES ('Rome', 'IT', 10, 'YES'), ('Oslo', 'NO', 4, 'NO');
"""


@pytest.mark.parametrize(
    ("response", "sql", "outcome"),
    [
        ("SELECT open FROM city WHERE name = 'Rome'", None, "right"),
        (
            "SELECT CASE WHEN size > 4 THEN 'YES' ELSE 'NO' END FROM city "
            "WHERE name = 'Rome'",
            None,
            "right",
        ),
        ("SELECT 'NO'", "SELECT open FROM city WHERE name = 'Rome'", "wrong"),
        ("SELECT country FROM city ORDER BY random() LIMIT 1", None, "right"),
        (
            "SELECT 'IT', 'Rome'",
            "SELECT country AS name FROM city WHERE name = 'Rome'",
            "right",
        ),
        (
            "SELECT 'IT', 10",
            "SELECT country AS name FROM city WHERE name = 'Rome'",
            "wrong",
        ),
    ],
)
def test_a_canonical_query_is_within_its_derived_maximum(
    folder_of, response, sql, outcome
):
    pytest.importorskip("sqlglot")
    reference = gold(sql or response)
    found = judged(folder_of(CITY), response, reference, "sql(maximum=derived)")
    assert found[0] == outcome


def test_any_table_with_rows_is_yes_by_the_rules_of_1990(root):
    sql = "SELECT CASE WHEN count(*) > 0 THEN 'YES' ELSE 'NO' END FROM fare"
    for canonical in (sql, "SELECT 'YES' FROM fare WHERE cents > 0 LIMIT 1"):
        reference = gold(canonical, rules="1990")
        assert judged(root, "SELECT flight, cents FROM fare", reference)[0] == "right"


@pytest.mark.parametrize(
    ("fields", "response", "outcome"),
    [
        ({"max_sqls": [None, "SELECT 2, 3"]}, "SELECT 1, 7", "right"),
        ({"max_sqls": [None, "SELECT 2, 3"]}, "SELECT 2, 7", "wrong"),
        ({"max": [None, [[2, 3]]]}, "SELECT 1, 7", "right"),
        ({"max": [None, [[2, 3]]]}, "SELECT 2, 7", "wrong"),
        ({"max": [None, "((2 3))"]}, "SELECT 2, 3", "right"),
        ({"max": [None, "((2 3))"]}, "SELECT 2, 7", "wrong"),
        ({"max": "[null, [[2, 3]]]"}, "SELECT 2, 7", "wrong"),
        ({"max": [None, None]}, "SELECT 2, 7", "right"),
    ],
)
@pytest.mark.parametrize("by", ["sql", "sql(maximum=derived)"])
def test_null_says_that_there_is_no_limit(root, by, fields, response, outcome):
    pytest.importorskip("sqlglot")
    reference = {"sqls": ["SELECT 1", "SELECT 2"], **fields}
    assert judged(root, response, reference, by)[0] == outcome


def test_a_root_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "file.csv").write_text("a,b\n", "utf-8")
    with pytest.raises(InputError, match=r"the root must be .* neither a SQLite nor"):
        Databases(root=tmp_path / "file.csv")
    assert Databases(root=tmp_path / "later.sqlite").is_one


def test_a_booleans_own_maximum_may_hold_its_text(folder_of):
    city = folder_of(CITY)
    sql = "SELECT open FROM city WHERE name = 'Rome'"
    most = "SELECT open, size FROM city WHERE name = 'Rome'"
    assert judged(city, "SELECT 'YES'", gold(sql, max_sql=most))[0] == "right"
    assert judged(city, "SELECT 'NO'", gold(sql, max_sql=most))[0] == "wrong"


@pytest.mark.parametrize(
    ("wide", "limits", "cause"),
    [
        ("SELECT nothing", {}, "its wider query ends in error"),
        (ENDLESS, {"timeout": 0.3}, "its wider query ends in timeout"),
        ("SELECT 3 UNION SELECT 4", {"max_rows": 1}, "its wider query is truncated"),
        ("SELECT 4", {}, "its wider query lacks the canonical answer"),
    ],
)
def test_a_derived_maximum_of_no_use_is_said(root, monkeypatch, wide, limits, cause):
    monkeypatch.setattr("demur.sql.executed.derived_maximum", lambda *_: wide)
    only_late(monkeypatch, ENDLESS)
    databases = Databases(root=root, **limits)
    executed = Executed(answers.sql(maximum="derived"), databases)
    reference = Reference(item="1", extra={"db": "one.sqlite", "sql": "SELECT 3"})
    other = Reference(item="2", extra={"db": "one.sqlite", "sql": "SELECT nothing"})
    outcomes = demur.judge(
        [Response(item=each, response="SELECT 3, 4") for each in "12"],
        [reference, other],
        by=executed,
    )
    assert outcomes.outcome.tolist() == [1, 3]
    unusable, note = outcomes.notes
    assert unusable.startswith("1 reference could not be used, so that 1 answer is ")
    assert note == (
        "1 item with answers that show more than the canonical answer, which is the "
        f"maximum there: {cause} (1)"
    )
    said = executed.explain("SELECT 3, 4", reference).splitlines()
    why = f"maximum: the canonical answer itself, since {cause}"
    assert said[2:4] == [f"maximum: {wide}", why]


@pytest.mark.parametrize("mode", ["bird-ex", "test-suite", "test-suite-keep-distinct"])
def test_modes_of_other_evaluators_have_no_maximum_to_explain(root, mode):
    executed = Executed(answers.sql(mode=mode), Databases(root=root))
    extra = {"db": "one.sqlite", "sql": "SELECT flight FROM fare ORDER BY cents"}
    said = executed.explain("SELECT * FROM fare", Reference(item="1", extra=extra))
    assert "maximum" not in said


CHEATS = (
    "SELECT " + ", ".join(map(str, range(2000))),
    "SELECT 'AA 17', 'DL 8', 12900, 9900, 2, 1, 3, 'D', NULL",
    "SELECT *, 2, 1, 3, 9900, 12900 FROM fare",
)


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM fare",
        "SELECT count(DISTINCT flight) FROM fare",
        "SELECT flight FROM fare GROUP BY flight ORDER BY count(*) DESC LIMIT 1",
        "SELECT cents FROM fare UNION SELECT cents FROM fare LIMIT 1",
        "SELECT DISTINCT meal FROM fare LIMIT 1",
        "SELECT max(cents) FROM fare",
    ],
)
def test_an_answer_that_shows_everything_is_wrong(root, sql, cheat):
    assert judged(root, cheat, gold(sql))[0] == "wrong"


NAMED = """
CREATE TABLE club (club_id INT PRIMARY KEY, club_name TEXT, town TEXT, rank INT);
INSERT INTO club VALUES (1, 'A', 'Rome', 3), (2, 'B', 'Oslo', 4), (3, 'C', 'Oslo', 5);
CREATE TABLE player (club INT, Name TEXT, goals INT, PRIMARY KEY (club, Name));
INSERT INTO player VALUES (1, 'x', 5), (1, 'y', 6), (2, 'x', 1), (3, 'z', 9);
"""


@pytest.mark.parametrize(
    ("sql", "response", "right"),
    [
        # The key and the name of what is asked for, but nothing else of it.
        ("SELECT rank FROM club", "SELECT club_id, club_name, rank FROM club", True),
        ("SELECT rank FROM club", "SELECT town, rank FROM club", False),
        ("SELECT goals FROM player", "SELECT club, name, goals FROM player", True),
        # Group keys, what groups are chosen and sorted by, in any way to count.
        (
            "SELECT town FROM club GROUP BY town HAVING count(*) > 1",
            "SELECT town, count(club_id) FROM club GROUP BY town HAVING count(*) > 1",
            True,
        ),
        (
            "SELECT c.club_name FROM club c JOIN player p ON p.club = c.club_id "
            "GROUP BY c.club_id ORDER BY sum(p.goals) DESC LIMIT 1",
            "SELECT club_id, club_name, 11 FROM club WHERE club_id = 1",
            True,
        ),
        (
            "SELECT c.club_name FROM club c JOIN player p ON p.club = c.club_id "
            "GROUP BY c.club_id ORDER BY sum(p.goals) DESC LIMIT 1",
            "SELECT club_id, club_name, town FROM club WHERE club_id = 1",
            False,
        ),
        (
            "SELECT club FROM player GROUP BY club ORDER BY count(*) DESC LIMIT 1",
            "SELECT club, count(DISTINCT name) FROM player GROUP BY club "
            "ORDER BY 2 DESC LIMIT 1",
            True,
        ),
        # What a condition fixes stays the same in every row that is counted.
        (
            "SELECT count(*) FROM club WHERE town = 'Oslo'",
            "SELECT town, count(*) FROM club WHERE town = 'Oslo' GROUP BY town",
            True,
        ),
        (
            "SELECT count(*) FROM club WHERE rank > 3",
            "SELECT 4, count(*) FROM club WHERE rank > 3",
            False,
        ),
        # A column that is shown twice says nothing more.
        ("SELECT rank FROM club", "SELECT rank, club_id, rank FROM club", True),
        # What SQLite takes for a text, since there is no such column, is none.
        (
            'SELECT rank FROM club WHERE town = "Oslo"',
            "SELECT rank, 'Oslo', 'Oslo2' FROM club WHERE town = 'Oslo'",
            False,
        ),
    ],
)
def test_a_maximum_is_fair(folder_of, sql, response, right):
    named = folder_of(NAMED)
    assert (judged(named, response, gold(sql))[0] == "right") is right
    assert judged(named, sql, gold(sql))[0] == "right"


def test_names_and_keys_come_from_the_catalogue():
    schema = {"t": TableColumns(("Id", "First Name", "age"), ("Id",))}
    found = derived_maximum("SELECT age FROM t AS X", "postgres", schema)
    assert found == 'SELECT age, X."Id", X."First Name" FROM t AS X'


def test_an_answer_without_a_table_says_so(root):
    reference = gold("SELECT count(*) FROM fare")
    said = "right", "equal; shows no data"
    assert judged(root, "SELECT 3", reference) == said
    assert judged(root, "SELECT 3 FROM sqlite_master LIMIT 1", reference) == said
    assert judged(root, "SELECT 4", reference)[1].endswith("; shows no data")
    assert judged(root, "SELECT 3", gold("SELECT 3")) == ("right", "equal")
    assert judged(root, "SELECT 3", gold("SELECT 3 FROM fare")) == ("right", "equal")


# -- a maximum that is a result -----------------------------------------------------

TWO = "SELECT flight, cents FROM fare"
BEYOND = ("wrong", "beyond the maximum: column 2")


@pytest.mark.parametrize(
    "most",
    [
        '(("AA 17") ("DL 8"))',
        [["AA 17"], ["DL 8"]],
        '[["AA 17"], ["DL 8"]]',
        ['(("AA 17") ("DL 8"))'],
        [[["AA 17"], ["DL 8"]]],
    ],
)
def test_a_maximum_may_be_a_result(root, most):
    reference = gold("SELECT flight FROM fare", max=most)
    for by in ("sql", "sql(maximum=derived)"):
        assert judged(root, "SELECT flight FROM fare", reference, by)[0] == "right"
        assert judged(root, TWO, reference, by) == BEYOND
    wider = {**reference, "max_sql": TWO}
    assert judged(root, TWO, wider) == ("right", "equal")
    unlimited = {"sqls": [reference["sql"]], "max_sqls": [None], "max": most}
    assert judged(root, TWO, unlimited) == ("right", "equal")
    executed = Executed(answers.sql(), Databases(root=root))
    known = Reference(item="q", extra={"db": "one.sqlite", **reference})
    assert "maximum: as stored, 2 rows" in executed.explain(TWO, known).splitlines()


def test_maxima_that_are_results_are_one_for_each_query(root):
    both = {"sqls": ["SELECT 1", "SELECT 2"], "max": "(1 OR ((2 3)))"}
    assert judged(root, "SELECT 2, 3", both)[0] == "right"
    assert judged(root, "SELECT 1, 3", both)[0] == "wrong"


# -- changed references, explanations, the command line ------------------------------


def test_adjudicated_references_are_run_too(root):
    found = demur.adjudicate(
        [{"item": "q", "response": "SELECT count(*) FROM fare"}],
        [{"item": "q", "db": "one.sqlite", "sql": "SELECT 2"}],
        [{"item": "q", "by": "Ada", "why": "twice", "set": {"sql": "SELECT 3"}}],
        by=Executed(answers.sql(), Databases(root=root)),
    )
    assert [(each.before, each.after) for each in found.changes] == [("wrong", "right")]


def test_what_is_known_is_not_run_again(root, monkeypatch):
    executed = Executed(answers.sql(), Databases(root=root))
    response = Response(item="q", response="SELECT 1")
    reference = Reference(item="q", extra={"db": "one.sqlite", "sql": "SELECT 1"})
    demur.judge([response], [reference], by=executed)
    asked = []
    run = Databases.run

    def counted(self, queries):
        asked.extend(queries)
        return run(self, queries)

    monkeypatch.setattr(Databases, "run", counted)
    assert demur.judge([response], [reference], by=executed).outcome.tolist() == [0]
    assert asked == []


def test_a_database_that_breaks_is_not_the_systems_fault(root, monkeypatch):
    run = Databases.run

    def breaks(self, queries):
        for each in run(self, queries):
            late = each.query.sql == "SELECT 2"
            failure = SqlFailure("unreadable", "it is gone")
            yield QueryAnswer(each.query, failure=failure) if late else each

    monkeypatch.setattr(Databases, "run", breaks)
    said = ("ungraded", "unreadable: it is gone")
    assert judged(root, "SELECT 2", gold("SELECT 1")) == said


def test_an_explanation_shows_queries_and_failures(root):
    executed = Executed(answers.sql(), Databases(root=root))
    extra = {"db": ["one.sqlite", "two.sqlite"], "sql": "SELECT flight FROM fare"}
    reference = Reference(item="q", extra=extra)
    text = executed.explain("SELECT cents FROM fare", reference)
    assert text.count("canonical SQL: SELECT flight FROM fare") == 2
    assert 'missing: 2 tuples, the first is ("AA 17")' in text
    failed = executed.explain("SELECT price FROM fare", reference)
    assert "wrong (cas2/2): sql error: no such column: price" in failed
    assert executed.explain("SELECT 1", Reference(item="q")).startswith("ungraded")


def test_the_command_judges_and_explains(root, tmp_path, monkeypatch):
    given = [{"item": "q", "system": "a", "response": "SELECT cents, flight FROM fare"}]
    judge = judge_files(tmp_path, given, [{"item": "q", "db": "one.sqlite", **ALL}])
    options = ["--db-root", str(root), "--timeout", "500", "--max-rows", "99"]
    options += ["--workers", "1", "--cache", str(tmp_path / "cache")]
    command = [*judge, "--by", "sql(mode=bag)"]
    out = printed(*command, *options)
    assert "a           1      1" in out
    assert "by:sql(mode=bag, maximum=derived)|comparator:sql/3" in out
    assert "timeout:500|max_rows:99" in out
    assert list((tmp_path / "cache").iterdir())
    monkeypatch.setenv("DEMUR_DB_ROOT", str(root))
    out = printed(*command, "--explain", "q")
    assert "canonical SQL: SELECT flight, cents FROM fare" in out
    assert "1 (flight) is 2 (flight), 2 (cents) is 1 (cents) of the response" in out
    err = stderr_of(*judge, "--by", "text", "--timeout", "5", code=2)
    assert "--timeout must be given with --by sql" in err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("timeout", each) for each in ("0", "-1", "nan", "soon")),
        *(("workers", each) for each in ("0", "-1", "1.5")),
        *(("max-rows", each) for each in ("0", "x")),
        *(("cache", each) for each in ("one.sqlite", "one.sqlite/cache")),
    ],
)
def test_options_that_are_not_what_they_must_be(root, option, value):
    if option == "cache":
        value = str(root / value)
    command = ["judge", "r.jsonl", "g.jsonl", "--by", "sql", f"--{option}", value]
    said = stderr_of(*command, code=2).splitlines()[-1]
    # A cache may be a file where a model judges, so that it is looked at later.
    where = "judge: --cache must be" if option == "cache" else f"--{option}: must be"
    assert where in said
    assert repr(value) in said


@pytest.mark.parametrize("url", ["oracle://u:secret@h/x", "http://h", "sqlite:///a.db"])
def test_servers_of_other_kinds_are_refused(tmp_path, url):
    given = [{"item": "q", "response": "SELECT 1"}]
    judge = judge_files(tmp_path, given, [{"item": "q", "sql": "SELECT 1"}])
    [said] = stderr_of(*judge, "--by", "sql", "--db-root", url).splitlines()
    assert "must be a folder, a SQLite or DuckDB file, or postgresql://" in said
    assert "secret" not in said


def test_a_database_whose_name_no_file_can_have(root):
    pytest.importorskip("sqlglot")
    reference = gold("SELECT 1", db=["a\0b.sqlite", "one.sqlite"])
    found = judged(root, "SELECT 1", reference, "sql(maximum=derived)")
    assert found[0] == "ungraded"
    assert "null" in found[1]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_run_that_is_told_to_end_cleans_up(root, tmp_path, name):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    given = [{"item": "q", "response": ENDLESS}]
    judge = judge_files(tmp_path, given, [{"item": "q", **ALL}])
    command = [sys.executable, "-m", "demur", *judge]
    command += ["--by", "sql", "--db-root", str(root / "one.sqlite")]
    command += ["--timeout", "3600"]
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    number = getattr(signal, name)
    with subprocess.Popen(
        command,
        env=environment,
        stderr=subprocess.PIPE,
        # Who runs the tests under nohup or in the background hands on ignored signals.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    ) as process:
        # The folder is there a moment before it is known, and then a process is begun.
        while not children(process.pid) and process.poll() is None:
            time.sleep(0.01)
        assert list(temporary.iterdir())
        process.send_signal(number)
        process.communicate(timeout=AGES)
    assert process.returncode == 128 + number
    assert list(temporary.iterdir()) == []


def test_signals_are_as_before_when_a_command_is_over(root):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit):
        main(["judge"])
    stderr_of("judge", root / "no.jsonl", "no.jsonl")
    assert signal.getsignal(signal.SIGTERM) == before == signal.SIG_DFL
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main(["judge", "no", "no"])))
    thread.start()
    thread.join()
    assert codes == [4]


def test_the_command_derives_maxima(root, tmp_path):
    pytest.importorskip("sqlglot")
    given = [{"item": "q", "response": "SELECT 1, 2"}]
    record = {"item": "q", "db": "one.sqlite", "sql": "SELECT 1"}
    judge = [*judge_files(tmp_path, given, [record]), "--by", "sql", "--db-root", root]
    found = printed_json(*judge, "--maximum", "derived")
    assert found["wrong"] == 1
    assert "by:sql(maximum=derived)" in found["signature"]


def test_lists_in_cells_of_delimited_text(root, tmp_path):
    (tmp_path / "g.csv").write_text(
        "item,sql,sqls,max_sqls,db,weights\n"
        '1,,"[""SELECT 1"", ""SELECT 2""]","[null, ""SELECT 2""]",one.sqlite,'
        '"[1, 0.5]"\n'
        '2,SELECT max(cents) FROM fare,,,"[""one.sqlite"", ""two.sqlite""]",\n'
        "3,SELECT 7,,,one.sqlite,\n"
    )
    (tmp_path / "r.csv").write_text(
        "item,system,response\n"
        '1,a,"SELECT 2"\n1,b,"SELECT 2, 3"\n1,c,"SELECT 1, 9"\n'
        '2,a,SELECT max(cents) FROM fare\n2,b,"SELECT 12900 WHERE 1 = 0"\n'
    )
    outcomes = demur.judge(
        demur.read_responses(tmp_path / "r.csv"),
        demur.read_references(tmp_path / "g.csv"),
        by="sql",
        databases=root,
        missing="leave_out",
    )
    assert outcomes.reason.tolist() == [
        "alternative 2 of 2, credit 0.5",
        "none of 2 alternatives (alternative 1: missing (1); extra (2))",
        "alternative 1 of 2",
        "equal",
        "the response has no rows; shows no data (in one.sqlite)",
    ]


def test_a_cell_that_should_be_a_list_is_named(root, tmp_path):
    (tmp_path / "g.csv").write_text("item,sqls,db\n1,SELECT 1,7\n")
    with pytest.raises(
        InputError, match=r"g\.csv:2: sqls must be a list of queries; got"
    ):
        demur.judge(
            [{"item": "1", "response": "SELECT 1"}],
            demur.read_references(tmp_path / "g.csv"),
            by="sql",
            databases=root,
        )


# -- examples and published numbers --------------------------------------------------


@pytest.mark.parametrize(
    ("system", "right"),
    # The README's counts; in mode bag, of air-15-1, further columns are free here.
    [
        ("template", {"A": 40, "D": 9}),
        ("bold", {"A": 42, "D": 10}),
        ("wide", {"A": 18, "D": 2}),
    ],
)
def test_the_air_travel_systems(system, right):
    outcomes = demur.judge(
        demur.read_responses(AIR / "systems" / f"{system}.jsonl"),
        demur.read_references(AIR / "questions.jsonl"),
        by="sql",
    )
    counts = {
        name: part.counts()["right"] for (name,), part in outcomes.parts(["class"])
    }
    assert counts == {**right, "X": 0}


def spider():
    names, references, responses = {}, [], []
    for each in read_records(SPIDER / "questions.jsonl"):
        names[each["id"]] = f"{each['db_id']}.sqlite"
        extra = {"db": names[each["id"]], "sql": each["query"]}
        references.append(Reference(item=str(each["id"]), extra=extra))
    for path in sorted((SPIDER / "predictions").glob("*.jsonl")):
        responses += [
            Response(item=str(each["id"]), system=path.stem, response=each["sql"])
            for each in read_records(path)
        ]
    return responses, references


@pytest.mark.skipif(not SPIDER.exists(), reason="needs the data")
def test_verdicts_of_other_evaluators_are_reproduced(tmp_path):
    responses, references = spider()
    with (SPIDER / "anchor_verdicts.csv").open() as file:
        anchors = {(each["system"], each["id"]): each for each in csv.DictReader(file)}
    cache = tmp_path / "cache"
    shares = {}
    for mode, column in (
        ("cas2", "proto_cas_set"),
        ("bird-ex", "bird_ex"),
        ("test-suite-keep-distinct", "testsuite"),
    ):
        outcomes = demur.judge(
            responses,
            references,
            by=f"sql(mode={mode}, maximum=none)",
            databases=Databases(root=SPIDER / "database", cache=cache),
        )
        codes = outcomes.outcome.codes
        rows = zip(outcomes.system, outcomes.item, codes, strict=True)
        differ = [
            (system, item)
            for system, item, outcome in rows
            if outcome != (anchors[system, item][column] != "1")
        ]
        assert differ == []
        shares |= {
            (mode, name): round(100 * part.counts()["right"] / 972, 1)
            for (name,), part in outcomes.parts(["system"])
        }
    expected = [85.3, 87.0, 84.4, 79.0, 79.6]
    systems = ["dail_sql_gpt4", "din_sql_gpt4", "c3_chatgpt", "gpt4_few_shot"]
    systems.append("gpt4_zero_shot")
    assert [shares["cas2", each] for each in systems] == expected


def test_a_link_does_not_lead_out_of_the_folder_of_databases(root, tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    database(inside / "real.sqlite", [("AA 17", 1, None)])
    (inside / "near.sqlite").symlink_to("real.sqlite")
    (inside / "one.sqlite").symlink_to(root / "one.sqlite")
    reference = {"sql": "SELECT 1", "db": "near.sqlite"}
    assert judged(inside, "SELECT 1", reference) == ("right", "equal")
    with pytest.raises(InputError, match="A link leads out of it"):
        judged(inside, "SELECT 1", {"sql": "SELECT 1", "db": "one.sqlite"})


# -- what maintainers of a benchmark need ---------------------------------------------

GAMES = """
CREATE TABLE game (id INT PRIMARY KEY, title TEXT, year INT, price REAL);
INSERT INTO game VALUES (1, 'Go', 1990, 5), (2, 'Chess', 1995, 7),
    (3, 'Halma', 1995, 7), (4, 'Risk', 1957, 9), (5, 'Uno', 1990, 5);
"""
NEWEST = "SELECT title FROM game ORDER BY year DESC LIMIT 1"
SORTED = "SELECT title FROM game ORDER BY year"


@pytest.fixture
def games(folder_of):
    return folder_of(GAMES)


@pytest.mark.parametrize(
    ("sql", "response", "outcome"),
    [
        (NEWEST, "SELECT 'Chess' FROM game", "right"),
        (NEWEST, "SELECT 'Halma' FROM game", "right"),
        (NEWEST, "SELECT title, year FROM game WHERE id = 3", "right"),
        (NEWEST, "SELECT title, price FROM game WHERE id = 3", "wrong"),
        (NEWEST, "SELECT 'Go' FROM game", "wrong"),
        (NEWEST, "SELECT title FROM game WHERE year = 1995", "wrong"),
        # One of two is sure, the other one of two.
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 2",
            "SELECT title FROM game WHERE id IN (3, 4)",
            "right",
        ),
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 2",
            "SELECT title FROM game WHERE id IN (2, 3)",
            "wrong",
        ),
        # OFFSET cuts, too.
        (
            "SELECT title FROM game ORDER BY price LIMIT 1 OFFSET 1",
            "SELECT title FROM game WHERE id = 1",
            "right",
        ),
        # Groups that tie.
        (
            "SELECT year FROM game GROUP BY year ORDER BY count(*) DESC LIMIT 1",
            "SELECT 1995, 2 FROM game",
            "right",
        ),
        (
            "SELECT year FROM game GROUP BY year ORDER BY count(*) DESC LIMIT 1",
            "SELECT 1957 FROM game",
            "wrong",
        ),
        ("SELECT max(year) FROM game", "SELECT 1995 FROM game", "right"),
    ],
)
def test_any_of_the_tied_rows_will_do(games, sql, response, outcome):
    found = judged(games, response, gold(sql), "sql(any_tied=true)")
    assert found[0] == outcome
    assert judged(games, response, gold(sql, any_tied=True))[0] == outcome
    if "Halma" in response or "id = 1" in response:  # the other of two
        assert found[1].startswith("equal; another of the tied rows")
    assert judged(games, sql, gold(sql, any_tied=True))[0] == "right"


LEAST = "SELECT title FROM game ORDER BY price LIMIT 1"


@pytest.mark.parametrize(
    ("sql", "response", "outcome"),
    [
        (NEWEST, "SELECT title FROM game WHERE year = 1995", "right"),
        (NEWEST, "SELECT id, title, year FROM game WHERE year = 1995", "right"),
        (NEWEST, "SELECT title, price FROM game WHERE year = 1995", "wrong"),
        (NEWEST, "SELECT title FROM game WHERE year > 1990", "right"),
        (NEWEST, "SELECT title FROM game WHERE year > 1957", "wrong"),
        (NEWEST, NEWEST, "right"),
        # One of them alone is for any_tied.
        (NEWEST, "SELECT 'Halma' FROM game", "wrong"),
        (
            "SELECT year FROM game GROUP BY year ORDER BY count(*) DESC LIMIT 1",
            "SELECT year, count(*) FROM game GROUP BY year HAVING count(*) = 2",
            "right",
        ),
        # What is sure, and all that tie where it is cut.
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 2",
            "SELECT title FROM game WHERE id IN (2, 3, 4)",
            "right",
        ),
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 2",
            "SELECT title FROM game WHERE id IN (2, 3)",
            "wrong",
        ),
        # No tie is cut.
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 1",
            "SELECT title FROM game WHERE price > 6",
            "wrong",
        ),
        ("SELECT max(year) FROM game", "SELECT year FROM game", "wrong"),
    ],
)
def test_all_of_the_tied_rows_will_do(games, sql, response, outcome):
    found = judged(games, response, gold(sql), "sql(all_tied=true)")
    assert found[0] == outcome
    assert judged(games, response, gold(sql, all_tied=True))[0] == outcome


def test_all_or_any_of_the_tied_rows(games):
    by = "sql(any_tied=true, all_tied=true)"
    both = "SELECT title FROM game WHERE year = 1995"
    assert judged(games, both, gold(NEWEST)) == ("wrong", 'extra ("Halma")')
    for by in ("sql(all_tied=true)", "sql(any_tied=true, all_tied=true)"):
        said = ("right", "equal; all of the tied rows")
        assert judged(games, both, gold(NEWEST), by) == said
    assert judged(games, f"{both} AND id = 3", gold(NEWEST), by)[0] == "right"
    sql, by = f"{LEAST} OFFSET 1", "sql(all_tied=true, order_from_sql=true)"
    sorted_ = "SELECT title FROM game WHERE price = 5 ORDER BY price"
    assert judged(games, sorted_, gold(sql), by)[0] == "right"


@pytest.mark.parametrize(
    ("response", "any_tied", "all_tied"),
    [
        ("SELECT price FROM game WHERE year >= 1990", "wrong", "right"),
        ("SELECT 5 FROM game", "right", "right"),
        ("SELECT 7 FROM game", "right", "wrong"),
        ("SELECT price FROM game", "wrong", "wrong"),
    ],
)
def test_rows_that_stand_once_may_tie_in_what_is_not_shown(
    games, response, any_tied, all_tied
):
    sql = "SELECT DISTINCT price FROM game ORDER BY year / 10 DESC LIMIT 1"
    for name, outcome in (("any_tied", any_tied), ("all_tied", all_tied)):
        assert judged(games, response, gold(sql, **{name: True}))[0] == outcome


def test_where_nobody_knows_which_rows_tie_a_note_says_so(tmp_path):
    sqlite_file(
        tmp_path / "one.sqlite",
        "CREATE TABLE t (a TEXT, b INT);"
        "INSERT INTO t VALUES ('p', 1), ('p', 9), ('q', 5), ('r', 5);",
    )
    golds = ["SELECT DISTINCT a FROM t ORDER BY b DESC LIMIT 1"]  # by 1 or by 9?
    golds += ["SELECT a FROM t LIMIT 1", "SELECT a FROM t ORDER BY b LIMIT 1"]
    references = [
        {"item": str(at), "sql": sql, "db": "one.sqlite"}
        for at, sql in enumerate(golds)
    ]
    responses = [{"item": str(at), "response": sql} for at, sql in enumerate(golds)]
    for by, said in (("sql(all_tied=true)", ["2 items"]), ("sql", [])):
        outcomes = demur.judge(responses, references, by=by, databases=tmp_path)
        assert outcomes.counts()["right"] == 3
        notes = [note for note in outcomes.notes if "all_tied say nothing" in note]
        assert [note[:7] for note in notes] == said


MANY = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Of 3,000 rows every third ties in b = 0; in c all 12,000 do."""
    root = tmp_path_factory.mktemp("many")
    made = MANY.format(11_999) + "SELECT i AS a, i % 3 AS b, 0 AS c FROM n"
    sqlite_file(root / "one.sqlite", f"CREATE TABLE t AS {made};")
    return root


@pytest.mark.parametrize(
    ("response", "any_tied", "all_tied"),
    [
        ("SELECT a FROM t WHERE a < 3000 AND b = 0", "wrong", "right"),
        ("SELECT b, a FROM t WHERE a < 3000 AND b = 0", "wrong", "right"),
        ("SELECT a FROM t WHERE a > 1000 AND b = 0 LIMIT 300", "right", "wrong"),
        ("SELECT b, a FROM t WHERE a > 1000 AND b = 0 LIMIT 300", "right", "wrong"),
        ("SELECT a FROM t WHERE a > 1000 AND b = 0 LIMIT 299", "wrong", "wrong"),
        ("SELECT a FROM t WHERE a > 1000 AND b = 0 LIMIT 301", "wrong", "wrong"),
        ("SELECT a FROM t WHERE b = 1 LIMIT 300", "wrong", "wrong"),
        ("SELECT a FROM t LIMIT 300", "wrong", "wrong"),
        ("SELECT 'zzz'", "wrong", "wrong"),
        ("SELECT 1 WHERE 0", "wrong", "wrong"),
    ],
)
def test_an_answer_cannot_choose_to_be_ungraded_where_many_tie(
    many, response, any_tied, all_tied
):
    sql = "SELECT a FROM t WHERE a < 3000 ORDER BY b LIMIT 300"
    found = judged(many, response, gold(sql), "sql(any_tied=true)")
    assert found[0] == any_tied
    assert judged(many, response, gold(sql), "sql(all_tied=true)")[0] == all_tied


def test_too_many_tied_rows_are_for_no_answer_to_use(many):
    said = ("ungraded", "reference: more than 10,000 rows tie where LIMIT cuts")
    for name in ("any_tied", "all_tied"):
        reference = gold("SELECT a FROM t ORDER BY c LIMIT 2", **{name: True})
        for response in (reference["sql"], "SELECT a FROM t", "SELECT 'zzz'"):
            assert judged(many, response, reference) == said


@pytest.mark.parametrize(
    ("sql", "response", "outcome"),
    [
        (SORTED, "SELECT title FROM game ORDER BY year, title", "right"),
        (SORTED, "SELECT title, year FROM game ORDER BY year, title DESC", "right"),
        (SORTED, "SELECT title FROM game ORDER BY year DESC", "wrong"),
        (SORTED, "SELECT title FROM game", "wrong"),
        (
            "SELECT DISTINCT year FROM game ORDER BY price DESC",
            "SELECT year FROM game GROUP BY year ORDER BY max(price) DESC",
            "right",
        ),
        (
            "SELECT DISTINCT year FROM game ORDER BY price DESC",
            "SELECT year FROM game GROUP BY year ORDER BY max(price)",
            "wrong",
        ),
        (
            "SELECT title FROM game",
            "SELECT title FROM game ORDER BY year DESC",
            "right",
        ),
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 3",
            "SELECT title FROM game WHERE id IN (2, 3, 4) ORDER BY price DESC, id DESC",
            "right",
        ),
        (
            "SELECT title FROM game ORDER BY price DESC LIMIT 3",
            "SELECT title FROM game WHERE id IN (2, 3, 4) ORDER BY price",
            "wrong",
        ),
    ],
)
def test_order_and_ties_come_from_the_canonical_query(games, sql, response, outcome):
    found = judged(games, response, gold(sql), "sql(order_from_sql=true)")
    assert found[0] == outcome
    assert judged(games, response, gold(sql, order_from_sql=True))[0] == outcome
    assert judged(games, sql, gold(sql, order_from_sql=True))[0] == "right"


def test_order_and_any_tied_rows_together(games):
    sql = "SELECT title FROM game ORDER BY price DESC, id / 10 LIMIT 2"
    by = "sql(order_from_sql=true, any_tied=true)"
    response = "SELECT title FROM game WHERE id IN (3, 4) ORDER BY price {}"
    assert judged(games, response.format("DESC"), gold(sql), by)[0] == "right"
    assert judged(games, response.format(""), gold(sql), by)[0] == "wrong"


@pytest.mark.parametrize(
    ("fields", "response", "outcome"),
    [
        (
            {"reference": [["Risk", 1957]]},
            "SELECT year, title FROM game WHERE id = 4",
            "right",
        ),
        (
            {"reference": [["Risk", 1957]]},
            "SELECT title FROM game WHERE id = 4",
            "wrong",
        ),
        (
            {"reference": [["Risk"]]},
            "SELECT title, year FROM game WHERE id = 4",
            "wrong",
        ),
        # Any of several tables, with a weight each.
        (
            {"references": [[["Go"]], {"value": [["Uno"]], "weight": 0.5}]},
            "SELECT title FROM game WHERE id = 5",
            "right",
        ),
        ({"references": [[["Go"]], [["Uno"]]]}, "SELECT 'Risk' FROM game", "wrong"),
        # Only some columns must match; the others may be shown.
        (
            {"reference": [["Risk", 1957, 9.0]], "condition_cols": [0]},
            "SELECT title FROM game WHERE id = 4",
            "right",
        ),
        (
            {"reference": [["Risk", 1957, 9.0]], "condition_cols": [0]},
            "SELECT title, year FROM game WHERE id = 4",
            "right",
        ),
        (
            {"reference": [["Risk", 1957, 9.0]], "condition_cols": [0]},
            "SELECT title, id FROM game WHERE id = 4",
            "wrong",
        ),
        (
            {"references": [[["Go", 1]], [["Uno", 5]]], "condition_cols": [[0], [1]]},
            "SELECT id FROM game WHERE id = 5",
            "right",
        ),
        # Stored tables are judged beside SQL predictions that fail.
        ({"reference": [["Risk"]]}, "SELECT nothing FROM game", "wrong"),
        ({"reference": [["Risk"]]}, "DELETE FROM game", "wrong"),
        ({"reference": "Risk"}, "SELECT 'Risk'", "ungraded"),
    ],
)
def test_stored_tables_are_gold(games, fields, response, outcome):
    assert judged_beside(games, response, fields)[0] == outcome


def judged_beside(games, response, fields):
    """Outcome and reason of an answer, beside an item that has SQL."""
    outcomes = demur.judge(
        [
            {"item": "q", "response": response},
            {"item": "other", "response": "SELECT 1"},
        ],
        [
            {"item": "q", "db": "one.sqlite", **fields},
            {"item": "other", "db": "one.sqlite", "sql": "SELECT 1"},
        ],
        by="sql",
        databases=games,
    )
    names = ("right", "wrong", "unanswered", "ungraded")
    return names[outcomes.outcome[0]], outcomes.reason[0]


def test_faulty_fields_of_stored_tables_are_named(games):
    for fields, said in (
        (
            {"reference": [["a"]], "condition_cols": [1]},
            "positions of columns from 0 to 0",
        ),
        ({"reference": [["a"]], "condition_cols": "x"}, "positions of columns"),
        (
            {"references": [[["a"]], [["b"]]], "condition_cols": [[0]]},
            "hold a list for each of 2 tables",
        ),
        ({"reference": [["a"]], "any_tied": "perhaps"}, "be true or false"),
    ):
        refuses(said, judged_beside, games, "SELECT 1", fields)


def test_an_explanation_shows_a_stored_table(games):
    executed = Executed(answers.sql(), Databases(root=games))
    table = (([["Risk", 1957]], 1.0),)
    reference = Reference(item="q", alternatives=table, extra={"db": "one.sqlite"})
    said = executed.explain("SELECT title, year FROM game WHERE id = 4", reference)
    assert "canonical answer: as stored, 1 row\n" in said
    assert "right (cas2/2): equal" in said


FENCED = "Sure:\n```sql\nSELECT 3\n```\nand then\n```python\nprint(4)\n```\n"


def test_sql_is_taken_out_of_a_code_fence(root):
    by = "sql(code_fences=true)"
    assert judged(root, FENCED, gold("SELECT 3"), by) == ("right", "equal")
    assert judged(root, "SELECT 3", gold("SELECT 3"), by) == ("right", "equal")
    draft = f"```\nSELECT 4\n```\n{FENCED}"
    assert judged(root, draft, gold("SELECT 3"), by) == ("right", "equal")
    assert judged(root, FENCED, gold("SELECT 3"))[0] == "wrong"
    assert (
        str(answers.sql(code_fences=True)) == "sql(maximum=derived, code_fences=true)"
    )
    executed = Executed(answers.sql(code_fences=True), Databases(root=root))
    reference = Reference(item="1", extra={"db": "one.sqlite", "sql": "SELECT 3"})
    assert "right (cas2/2): equal" in executed.explain(FENCED, reference)


def test_both_modes_of_the_test_suite(root):
    twice, once = "SELECT meal FROM fare", "SELECT DISTINCT meal FROM fare"
    for response, sql in ((once, twice), (twice, once)):
        assert judged(root, response, gold(sql), "sql(mode=test-suite)")[0] == "right"
        by = "sql(mode=test-suite-keep-distinct)"
        assert judged(root, response, gold(sql), by)[0] == "wrong"
    counts = "SELECT count(DISTINCT flight) FROM fare", "SELECT count(flight) FROM fare"
    assert (
        judged(root, counts[0], gold(counts[1]), "sql(mode=test-suite)")[0] == "right"
    )


def test_a_frequent_answer_that_is_right_somewhere_is_not_called_right_for_no_item(
    root,
):
    responses = [{"item": str(row), "response": "SELECT 0"} for row in range(40)]
    references = [
        {"item": str(row), "db": "one.sqlite", "sql": f"SELECT {min(row, 1)}"}
        for row in range(40)
    ]
    databases = Databases(root=root)
    judged = demur.judge(responses, references, by="sql", databases=databases)
    assert judged.counts()["right"] == 1
    assert not [note for note in judged.notes if "right for no item" in note]
    del responses[0], references[0]
    judged = demur.judge(responses, references, by="sql", databases=databases)
    assert [note for note in judged.notes if "right for no item" in note]
