"""The golden cases of canonical answers, judged through the public verb.

They state the rules of the papers, by which further columns are free and a real may
be near an integer; both are asked for by name, since they are no longer the default.
"""

from pathlib import Path

import pytest

import demur
from builders import read_records

CASES = read_records(Path(__file__).parents[2] / "golden" / "cas_cases.jsonl")
OUTCOME = {
    "no_answer": "unanswered",
    "not_scored": "unanswered",
    "undefined_ref": "ungraded",
    "undefined_hyp": "wrong",
}
"""What the verdicts of the cases are called here (DESIGN, section 2)."""


def reference_of(case):
    """A case's reference as a record."""
    given = dict(case["ref"])
    record = {"item": case["id"]}
    if given.pop("unanswerable", False):
        given.pop("policy")
        record["answerable"] = False
    if "alts" in given:
        record["references"] = [
            {"value": each["cas"], "weight": each["weight"]}
            for each in given.pop("alts")
        ]
    for form in ("cas", "rows"):
        if form in given:
            record["reference"] = given.pop(form)
    if "semantics" in given:
        record["mode"] = given.pop("semantics")
    return record | given


def response_of(case):
    """A case's response as a record."""
    ((form, value),) = case["hyp"].items()
    name = "error" if form == "error" else "response"
    return {"item": case["id"], name: value}


PAPERS = "(maximum=none, integers=near)"
"""The options by which relations and canonical answers are judged as in the papers."""


def comparator_of(case):
    return "relation" if "rows" in case["ref"] or "rows" in case["hyp"] else "cas"


def expected(case):
    """The outcome; declining what cannot be answered is no answer here."""
    if case["ref"].get("unanswerable") and case["verdict"] == "right":
        return "unanswered"
    return OUTCOME.get(case["verdict"], case["verdict"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden_case(case):
    judged = demur.judge(
        [response_of(case)], [reference_of(case)], by=comparator_of(case) + PAPERS
    )
    counts = judged.counts()
    assert counts.pop(expected(case)) == 1, judged.reason
    assert not any(counts.values())
    credits_ = [1.0] if judged.credit is None else judged.credit.tolist()
    assert "weight" not in case or credits_ == [case["weight"]]


def test_the_cases_are_all_there():
    assert len(CASES) == 95
    assert {expected(case) for case in CASES} == {
        "right",
        "wrong",
        "unanswered",
        "ungraded",
    }


TABLES = [case for case in CASES if "rows" in case["ref"]]


@pytest.mark.parametrize("case", TABLES, ids=[case["id"] for case in TABLES])
def test_the_comparator_of_cas_texts_takes_tables_too(case):
    by = f"cas{PAPERS}"
    judged = demur.judge([response_of(case)], [reference_of(case)], by=by)
    assert judged.counts()[expected(case)] == 1


STRICTER = {"nu-05", "re-02", "re-06", "re-08", "re-13", "re-16", "re-18"} | {
    "od-07",
    "sp-06",
    "sp-09",
}
"""Cases right by the papers that show more than they are asked, or a near number."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_defaults_are_stricter_than_the_papers_in_these_cases_alone(case):
    judged = demur.judge(
        [response_of(case)], [reference_of(case)], by=comparator_of(case)
    )
    verdict = "wrong" if case["id"] in STRICTER else expected(case)
    assert judged.counts()[verdict] == 1
