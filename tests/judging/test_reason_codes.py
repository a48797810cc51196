"""Every verdict has a code beside its words, and every code is given for something."""

import sqlite3
from contextlib import closing

import pytest

import demur
from builders import judge_one, refuses
from demur.outcomes.reasons import REASONS
from demur.sql.execution.queries import FAILURES
from demur.sql.verdicts import _CODES

pytestmark = pytest.mark.usefixtures("kept_workers")


def code_of(response, reference, by="text", **options):
    given = {"response": response} if not isinstance(response, dict) else response
    outcomes = demur.judge(
        [{"item": "q", **given}],
        [{"item": "q", **reference}],
        by=by,
        **options,
    )
    return None if outcomes.reason_code is None else outcomes.reason_code[0]


def values(*given):
    return {"references": list(given)}


TABLE = {"reference": [[1, "a"], [2, "b"]]}
JUDGED = [
    ("Oslo", values("oslo"), "text", "equal"),
    ("Rome", values("Oslo"), "text", "differs"),
    ("Rome", values("Oslo", "Bern"), "text", "differs"),
    ("Rom", values("Oslo", "Rome"), "text", "differs"),
    ("rome", values("Oslo", {"value": "Rome", "weight": 0.5}), "text", "equal"),
    ("oslo", values("Oslo"), "label", "differs_in_form"),
    ("oslo", values("Rome", "Oslo"), "label", "differs_in_form"),
    ("1.01", values(1), "number(absolute=0.1)", "within_tolerance"),
    ("1.01", values(1), "number", "differs"),
    ("one", values(1), "number", "not_an_answer"),
    (1, values("one"), "number", "bad_reference"),
    (1, values(2, "one"), "number", "bad_reference"),
    ({"response": {}}, values([]), "slots", "both_empty"),
    (["a"], values(["a", "b"]), "slots", "partly_equal"),
    (["a"], values(["a", "b"]), "slots(credit=f1)", "partly_equal"),
    (["a"], values(["b"]), "slots", "differs"),
    (3, values(["b"]), "slots", "not_an_answer"),
    ("a", values(3), "slots", "bad_reference"),
    ("((1))", values("((1))"), "cas", "equal"),
    ("((1", values("((1))"), "cas", "not_an_answer"),
    ("(1 OR 2)", values("1"), "cas", "not_an_answer"),
    ("1", values("((1"), "cas", "bad_reference"),
    ("NO_ANSWER", values("1"), "cas", "no_guess"),
    ([[1, "a"], [2, "b"]], TABLE, "relation", "equal"),
    ([[1, "a"], [2, "c"]], TABLE, "relation", "other_rows"),
    ([], TABLE, "relation", "other_rows"),
    ([[1, "a"], [2, "b"], [2, "b"]], TABLE, "relation(mode=bag)", "other_rows"),
    ([[1, 2]], values([[1]]), "relation(mode=bird-ex)", "other_columns"),
    ([[1.0, 1.5]], values([[1, 1.5]]), "relation(mode=test-suite)", "differs"),
    ([[1]], TABLE, "relation", "other_columns"),
    ([[1, 2]], values(1), "relation", "other_columns"),
    ([[2, "b"], [1, "a"]], TABLE | {"ordered": True}, "relation", "other_order"),
    ([[1, 2]], {"min": [[1]], "max": [[1, 3]]}, "relation", "beyond_maximum"),
    ([[1, 3]], {"min": [[1]], "max": [[2, 3]]}, "relation", "bad_reference"),
    ([[1]], values([[1], [2]]) | {"order_by": [3]}, "relation", "bad_reference"),
    ([[1]], values([[1], [2]]), "relation(mode=bag)", "other_rows"),
    ([[1, 2]], values([[2, 1]]), "relation(steps=0)", "undecided"),
    ([], values([]), "relation", "both_empty"),
    ([[1]], values(False), "relation(rules=1990)", "differs"),
    ([[1]], values(True), "relation(rules=1990)", "equal"),
    ("x", values("y"), lambda _a, _b: None, "cannot_judge"),
    ("x", values("y"), lambda _a, _b: 0.5, "partly_equal"),
    ("x", values("y"), str.__eq__, "differs"),
    (None, values("y"), "text", "no_guess"),
    ({"response": "x", "failed": "timeout"}, values("y"), "text", "failed"),
    ({"response": "x", "error": "syntax"}, values("y"), "text", "error"),
    ("x", {"answerable": False}, "text", "unanswerable"),
    *(
        ({"response": None, "kind": kind}, values("y"), "text", kind)
        for kind in ("idk", "refusal", "filter", "truncated", "format")
    ),
]


@pytest.mark.parametrize(("response", "reference", "by", "code"), JUDGED)
def test_a_verdict_has_a_code(response, reference, by, code):
    assert code_of(response, reference, by) == code


def test_a_refusal_and_a_missing_response_have_their_own_codes():
    outcomes = demur.judge(
        [{"item": "a", "response": "I don't know"}],
        [{"item": "a", "reference": "x"}, {"item": "b", "reference": "y"}],
        no_answer="refusals",
        missing="unanswered",
    )
    assert outcomes.reason_code.tolist() == ["idk", "no_response"]


def test_a_repeated_response_that_counts_brings_its_code():
    said = [{"item": "a", "response": guess} for guess in ("y", "x")]
    outcomes = demur.judge(said, [{"item": "a", "reference": "x"}], repeated="last")
    assert outcomes.reason_code.tolist() == ["equal"]


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "fares.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE fare (cents INTEGER)")
        connection.executemany("INSERT INTO fare VALUES (?)", [(1,), (2,)])
        connection.commit()
    return path


QUERIES = [
    ("SELECT cents FROM fare", "SELECT cents FROM fare", "equal"),
    ("SELECT cents FROM fares", "SELECT cents FROM fare", "sql_error"),
    ("DROP TABLE fare", "SELECT cents FROM fare", "forbidden"),
    ("SELECT cents FROM fare LIMIT 0", "SELECT 1 FROM fare LIMIT 0", "both_empty"),
    ("SELECT cents FROM fare", "SELECT cents FROM fares", "bad_reference"),
    (3, "SELECT cents FROM fare", "not_an_answer"),
]


@pytest.mark.parametrize(("response", "sql", "code"), QUERIES)
def test_a_query_has_the_code_of_its_verdict(response, sql, code, database):
    given = {"sql": sql, "db": database.name}
    assert code_of(response, given, "sql", databases=database.parent) == code


def test_what_is_truncated_and_what_cannot_be_read_have_codes(database):
    few = demur.Databases(root=database.parent, max_rows=1)
    sql = {"sql": "SELECT cents FROM fare", "db": database.name}
    assert code_of(sql["sql"], sql, "sql", databases=few) == "truncated"
    one = sql | {"sql": "SELECT 1"}
    assert code_of(sql["sql"], one, "sql", databases=few) == "other_rows"
    (database.parent / "bad.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    found = code_of("SELECT 1", one | {"db": "bad.sqlite"}, "sql", databases=few)
    assert found == "database_unreadable"


def test_every_failure_of_a_query_has_a_code_of_the_table():
    assert set(_CODES) == set(FAILURES)
    assert set(_CODES.values()) <= set(REASONS)


def test_every_code_of_the_table_is_given_for_something():
    given = {code for *_, code in (*JUDGED, *QUERIES)} | set(_CODES.values())
    elsewhere = {
        "no_answer",
        "no_response",
        "truncated",
        "unlabelled",
        "cannot_tell",  # what models say, in tests/judge_models
        "judge_failed",
    }  # not judged here
    assert given | elsewhere == set(REASONS)


class Mine:
    """A comparator of one's own that knows more than the table, or nothing."""

    version = "mine/1"

    def __init__(self, code):
        self.code = code

    def __str__(self):
        return "mine"

    def read(self, value):
        return value

    def compare(self, _response, _reference):
        return demur.answers.Match(0.0, "too green", self.code)


def test_a_comparator_may_give_a_code_of_its_own_or_none():
    assert code_of("x", values("y"), Mine("too_green")) == "too_green"
    assert code_of("x", values("y"), Mine(None)) is None
    refuses("one word of small letters", code_of, "x", values("y"), Mine("too green"))


class SetF1:
    """The F1 of two sets of values, right from a minimum."""

    version = "set-f1/1"

    def __init__(self, minimum):
        self.minimum = minimum

    def __str__(self):
        return f"set-f1(minimum={self.minimum:g})"

    def read(self, value):
        return frozenset(value)

    def f1(self, response, reference):
        return 2 * len(response & reference) / (len(response) + len(reference))

    def compare(self, response, reference):
        f1 = self.f1(response, reference)
        right = f1 >= self.minimum
        return demur.answers.Match(f1 if right else 0.0, f"F1 {f1:.3g}", "partly_equal")


class RankedSetF1(SetF1):
    def distance(self, response, reference):
        return 1 - self.f1(response, reference)


CITIES = values(["Milan", "Turin"], ["Rome", "Genoa", "Pisa", "Bari", "Como"])


def test_a_comparator_says_which_alternative_is_nearest():
    outcomes = judge_one(["Rome", "Oslo"], CITIES, by=RankedSetF1(0.9))
    assert outcomes.reason.tolist() == [
        "none of 2 alternatives (nearest: alternative 2: F1 0.286)"
    ]
    assert isinstance(RankedSetF1(0.9), demur.answers.Ranker)


def test_a_comparator_that_cannot_say_so_names_the_first_alternative():
    outcomes = judge_one(["Rome", "Oslo"], CITIES, by=SetF1(0.9))
    assert outcomes.reason.tolist() == ["none of 2 alternatives (alternative 1: F1 0)"]
