"""Answers with many columns: decided, at once, for a reason one can read."""

import random
import sqlite3
from contextlib import closing

import pytest

import demur
from builders import judge_one
from demur import answers
from demur.answers.tables.modes import TableSettings
from demur.sql import verdicts

pytestmark = pytest.mark.usefixtures("kept_workers")

SEVEN_TYPED = ", ".join(f"{name} INTEGER" for name in "abcdefg")
SEVEN = "SELECT a, b, c, d, e, f, g FROM wide"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    rng = random.Random(3)
    folder = tmp_path_factory.mktemp("wide")
    with closing(sqlite3.connect(folder / "one.sqlite")) as connection:
        connection.execute(f"CREATE TABLE wide ({SEVEN_TYPED})")
        rows = [[rng.randrange(3) for _ in "abcdefg"] for _ in range(40)]
        connection.executemany("INSERT INTO wide VALUES (?,?,?,?,?,?,?)", rows)
        connection.execute("CREATE TABLE many (name, year)")
        names = [(f"name {number}", 1999) for number in range(50)]
        connection.executemany("INSERT INTO many VALUES (?, ?)", names)
        connection.commit()
    return folder


def judged(root, response, sql, by="sql", **more):
    reference = {"db": "one.sqlite", "sql": sql, **more}
    databases = demur.Databases(root=root)
    outcomes = judge_one(response, reference, by=by, databases=databases)
    [[outcome], [reason]] = outcomes.outcome, outcomes.reason
    return ("right", "wrong", "unanswered", "ungraded")[outcome], reason


def literals(count):
    return "SELECT " + ", ".join(map(str, range(count)))


@pytest.fixture
def narrow(monkeypatch):
    """Nothing wide may be compared."""
    compare = answers.compare_relations

    def compare_narrow(*, response, **others):
        assert response.n_columns <= 50
        return compare(response=response, **others)

    monkeypatch.setattr(verdicts.answers, "compare_relations", compare_narrow)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("count", [51, 2000])
def test_many_literals_are_wrong_before_they_are_compared(root, count):
    said = judged(root, literals(count), "SELECT count(*) FROM wide")
    assert said == (
        "wrong",
        f"beyond the maximum: {count:,} columns, of 1 column; shows no data",
    )
    outcome, reason = judged(root, literals(count), "SELECT a FROM wide WHERE b > 1")
    assert outcome == "wrong"
    assert reason.startswith(f"beyond the maximum: {count:,} columns, of 2 columns")


@pytest.mark.usefixtures("narrow")
def test_a_thousand_shuffled_columns_are_decided(root):
    rng = random.Random(5)
    with closing(sqlite3.connect(root / "one.sqlite")) as connection:
        columns = list(zip(*connection.execute(SEVEN), strict=True))
    shuffled = [rng.sample(rng.choice(columns), 40) for _ in range(1000)]
    rows = (f"({','.join(map(str, row))})" for row in zip(*shuffled, strict=True))
    outcome, reason = judged(root, f"VALUES {','.join(rows)}", SEVEN)
    assert outcome == "wrong"
    assert reason.startswith("beyond the maximum: 1,000 columns, of 7 columns")


def test_what_is_not_decided_is_wrong_for_its_width():
    rng = random.Random(7)
    columns = [[rng.randrange(2) for _ in range(40)] for _ in range(7)]
    shuffled = [rng.sample(rng.choice(columns), 40) for _ in range(45)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    verdicts_by_maximum = [
        demur.compare_relations(
            response=[list(row) for row in zip(*shuffled, strict=True)],
            reference=rows,
            maximum=maximum,
            settings=TableSettings(steps=1),
        )
        for maximum in (None, rows)
    ]
    assert [verdict.right for verdict in verdicts_by_maximum] == [None, False]


def test_columns_that_repeat_others_do_not_count(root):
    again = "SELECT " + ", ".join(["a, 1.0 * a, b"] * 30) + " FROM wide"
    assert judged(root, again, "SELECT a, b FROM wide") == ("right", "equal")
    assert judged(root, again, "SELECT a FROM wide")[0] == "wrong"
    none = literals(60) + " FROM wide WHERE 0"
    said = judged(root, none, "SELECT a FROM wide WHERE a > 99")
    assert said == ("right", "both empty; shows no data")


def test_a_maximum_at_fault_is_still_of_the_reference(root):
    wide = f"{literals(60)}, b FROM wide"
    faulty = {"max_sql": "SELECT 5"}
    outcome, reason = judged(root, wide, "SELECT b FROM wide", **faulty)
    assert outcome == "ungraded"
    assert reason.startswith("reference: its minimum is ")


def test_a_reason_names_six_columns_at_most():
    response = [[1, *range(100, 112)]]
    found = demur.compare_relations(
        response=response, reference=[[1]], maximum=[[1, *range(20)]]
    )
    assert found.reason == "beyond the maximum: columns 2, 3, 4, 5, 6, 7 and 6 more"
    assert found.beyond == tuple(range(1, 13))
    wide = demur.compare_relations(
        response=[list(range(2000))], reference=[[1]], maximum=[[1, 2, 3]]
    )
    assert wide.reason == "beyond the maximum: 2,000 columns, of 3 columns"


TIED = "SELECT name FROM many ORDER BY year LIMIT 3"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("SELECT 'none'", "wrong"),
        (literals(300), "wrong"),
        (literals(30), "wrong"),
        ("SELECT name FROM many", "wrong"),  # all that tie
        ("SELECT name FROM many WHERE 0", "wrong"),
        ("SELECT name FROM many LIMIT 2 OFFSET 20", "wrong"),
        ("SELECT name FROM many LIMIT 3 OFFSET 40", "right"),
        ("SELECT year, name FROM many LIMIT 3", "right"),
    ],
)
def test_junk_is_wrong_however_many_rows_tie(root, response, expected):
    assert judged(root, response, TIED, by="sql(any_tied=true)")[0] == expected


def test_an_answer_of_very_many_values_is_wrong_before_it_is_compared(
    root, monkeypatch
):
    many = "SELECT a, b, a, b FROM wide"
    assert judged(root, many, "SELECT a, b FROM wide") == ("right", "equal")
    monkeypatch.setattr("demur.sql.verdicts.MOST_CELLS", 3)
    # No more than four times what the reference has are many.
    assert judged(root, many, "SELECT a, b FROM wide") == ("right", "equal")
    outcome, reason = judged(root, many, "SELECT a FROM wide LIMIT 1")
    assert outcome == "wrong"
    assert reason.endswith(" values; the reference has 1")
