"""Replies in the forms models use: the verdicts of the original programs."""

import json
import re
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


READ = {
    "mmlu": ("letters", "final+boxed+letter"),
    "gsm8k": ("number(written=point)", "final+boxed+number"),
    "toolcalls": ("tool_call", "fence"),
}
"""How replies are read and compared where a reader is to be agreed with."""

UNLIKE_THE_READER = {
    "mmlu": {
        '{"answer": "B"}': "the step json(field=answer) reads it",
        "3x^2": "written otherwise than the choice",
        "The noble gas here is argon.": "words",
        "Among A, B, C and D, only D is a noble gas.": "words",
        "After eliminating A, B and C, we are left with D.": "words",
    },
    "gsm8k": {
        "The answer is $1,500 per month.": "the question asks for a year",
        "After selling 54 of the 72 rolls, eighteen are left.": "words",
        "1.500 $": "by a decimal point; written=comma reads it",
        "Tom now has 18 apples. He started with 20.": "not the last",
        "5 degrees below zero": "words",
        "7 dollars and 25 cents": "two units",
        "725 cents": "the reference names no unit",
        "75 cm": "the reference names no unit",
        "There are 172,800 seconds in 2 days": "not the last",
        "There are **43** guests at the 6 tables.": "the step bold reads it",
    },
    "toolcalls": {
        "U.S.D.": "as BFCL has it",
        "I'll look that up.": "talk",
        "**Tool call:** `convert(": "talk",
        "state=dict(on=True, brightness=40)": "a call within",
    },
}
"""Replies on which demur and the reader differ, and why."""


@pytest.mark.parametrize("kind", READ)
def test_what_is_read_of_replies_is_right_as_a_reader_says_or_it_is_named(kind):
    by, steps = READ[kind]
    rows = rows_of(kind)
    outcomes = demur.judge(
        [{"item": row["item"], "response": row["reply"]} for row in rows],
        [{"item": row["item"], **asked(kind, row)} for row in rows],
        **{"by": by, "extract": steps},
    )
    right = dict(zip(outcomes.item, outcomes.outcome == "right", strict=True))
    differ = [
        row["reply"] for row in rows if right[row["item"]] != (row["human"] == "right")
    ]
    named = UNLIKE_THE_READER[kind]
    assert len(differ) == len(named)
    assert all(any(name in reply for reply in differ) for name in named)


def asked(kind, row):
    """The reference: all calls of a list, or any of several values."""
    if kind == "toolcalls":
        return {"reference": row["references"]}
    choices = re.findall(r"^[A-Z]\) (.*)$", row["question"], re.MULTILINE)
    return {"references": row["references"], "choices": choices or None}
