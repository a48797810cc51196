"""Replies in the forms models use: the verdicts of the original programs."""

import json
from pathlib import Path

import pytest

import demur

REPLIES = Path(__file__).parent.parent / "golden" / "replies"
KINDS = sorted(path.stem for path in REPLIES.glob("*.jsonl"))

NAMED = {
    "squad1": {"“The Flying Pencil”": "curled quotation marks are punctuation"},
    "squad2": {},
    "triviaqa": {
        "fleetwood-mac": "TriviaQA puts a space for a hyphen",
        "Fujisan": "TriviaQA puts a space for a hyphen",
        "mercury_(element)": "TriviaQA puts a space for an underscore",
    },
    "drop": {
        "52.0": "DROP reads a number, here 52",
        "126": "DROP leaves the point in the reference, a number",
        "12.6%": "so it is not 126, which DROP makes of this reply",
        "12,6 %": "so it is not 126, which DROP makes of this reply",
        "Adam Vinatieri, Matt Prater": "DROP wants the spans of a list one by one",
        "- Adam Vinatieri\n- Matt Prater": "DROP wants the spans one by one",
        '["Adam Vinatieri", "Matt Prater"]': "DROP wants the spans one by one",
    },
}
"""Replies on which ``text(normalise=squad)`` and the original differ, and why."""


def rows_of(kind):
    lines = (REPLIES / f"{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_hundred_replies_each_with_its_verdicts(kind):
    rows = rows_of(kind)
    assert len({row["item"] for row in rows}) == len(rows) == 100
    assert len({(row["question"], row["reply"]) for row in rows}) == 100
    assert {row["human"] for row in rows} <= {"right", "wrong", "unanswered"}
    assert all(row["verdict"] and row["by"] for row in rows)


@pytest.mark.parametrize("kind", NAMED)
def test_text_by_squad_says_what_the_original_says_or_the_difference_is_named(kind):
    rows = [row for row in rows_of(kind) if row["references"]]
    outcomes = demur.judge(
        [{"item": row["item"], "response": row["reply"]} for row in rows],
        [{"item": row["item"], "references": accepted(row)} for row in rows],
        by="text(normalise=squad)",
    )
    right = dict(zip(outcomes.item, outcomes.outcome == "right", strict=True))
    differ = {
        row["reply"]
        for row in rows
        if right[row["item"]] != (row["verdict"] == "right")
    }
    assert differ == set(NAMED[kind])


def accepted(row):
    """The references; the spans of a list as one text."""
    references = row["references"]
    return [", ".join(one) if isinstance(one, list) else one for one in references]
