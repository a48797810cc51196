"""Answers that are sets, slots or calls, judged part by part."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import printed, refuses, stderr_of, write_records
from demur import judge


def apart(response, reference, by="slots", **further):
    """Part and outcome of each row of one answer."""
    responses = [{"item": "t", "response": response, **further}]
    references = [{"item": "t", "reference": reference}]
    return table(judge(responses, references, by=by, parts=True))


def table(outcomes):
    columns = outcomes.to_columns()
    names = columns.get("part", [None] * len(outcomes))
    return dict(zip(names, columns["outcome"], strict=True))


def test_slots_are_right_wrong_or_not_given():
    parts = apart(
        {"city": "Rome", "stars": 5, "day": "Mo"}, {"city": "rome", "stars": 4}
    )
    assert parts == {"city": "right", "stars": "wrong", "day": "wrong"}
    parts = apart({"city": None}, {"city": "Rome", "area": "west"})
    assert parts == {"city": "unanswered", "area": "unanswered"}
    assert apart(None, {"city": "Rome"}) == {"city": "unanswered"}
    assert apart(3, {"city": "Rome"}) == {"city": "wrong"}


def test_sets_have_their_elements_as_parts():
    parts = apart(["greet", "BYE"], ["bye", "thank"])
    assert parts == {"greet": "wrong", "bye": "right", "thank": "unanswered"}
    parts = apart([["city", "a"], ["city", "c"]], [["city", "a"], ["city", "b"]])
    assert parts == {"city=a": "right", "city=c": "wrong", "city=b": "unanswered"}


def test_nothing_said_where_nothing_is_asked_is_a_whole_without_parts():
    for response in ({}, None, {"city": None}):
        outcomes = judge(
            [
                {"item": "t", "response": response},
                {"item": "u", "response": ["a"], "confidence": 1},
            ],
            [{"item": "t", "reference": {}}, {"item": "u", "reference": ["a"]}],
            by="slots",
            parts=True,
        )
        assert table(outcomes) == {None: "unanswered", "a": "right"}
        assert outcomes.answerable.tolist() == [False, True]
        assert demur.whole_curve(outcomes).at(nonreturn=0).complete == 1
    assert apart({"a": "b"}, {}) == {"a": "wrong"}
    unanswerable = [{"item": "t", "answerable": False}]
    given_one = [{"item": "t", "response": {"a": "b"}}]
    outcomes = judge(given_one, unanswerable, by="slots", parts=True)
    assert table(outcomes) == {"a": "wrong"}


def test_the_alternative_that_fits_best_is_taken():
    outcomes = judge(
        [{"item": "t", "response": {"city": "Rome", "day": "Mo"}}],
        [
            {
                "item": "t",
                "references": [
                    {"city": "Paris"},
                    {"value": {"city": "Rome", "day": "Mo"}, "weight": 0.8},
                ],
            }
        ],
        by="slots",
        parts=True,
    )
    assert table(outcomes) == {"city": "right", "day": "right"}
    assert outcomes.credit.tolist() == [0.8, 0.8]


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (0.5, [0.5, 0.5]),
        ({"City": 0.9, "day": 0.2}, [0.9, 0.2]),
        ([0.9, 0.2], [0.9, 0.2]),
    ],
)
def test_confidences_are_of_the_whole_or_of_each_part(confidence, expected):
    outcomes = judge(
        [
            {
                "item": "t",
                "response": {"city": "Rome", "day": "Mo"},
                "confidence": confidence,
            }
        ],
        [{"item": "t", "reference": {"city": "Rome", "area": "west"}}],
        by="slots",
        parts=True,
    )
    assert outcomes.confidence[:2].tolist() == expected
    assert table(outcomes)["area"] == "unanswered"


def test_confidences_that_do_not_fit_are_refused():
    said = [{"item": "t", "response": {"city": "Rome"}, "confidence": [0.5, 0.4]}]
    asked = [{"item": "t", "reference": {"city": "Rome"}}]
    message = "confidence must have a number for each of 1 parts"
    refuses(message, judge, said, asked, by="slots", parts=True)
    said = [{"item": "t", "response": {"a": "b", "c": "d"}, "confidence": {"a": 0.4}}]
    refuses("confidence", judge, said, asked, by="slots", parts=True)
    outcomes = judge(said, asked, by="slots", parts=True, unsure="lowest")
    assert outcomes.confidence[:2].tolist() == [0.4, -float("inf")]


def test_calls_are_paired_as_they_are_compared():
    calls = [{"name": "pay", "arguments": {"n": n}} for n in (5, 6)]
    asked = [{"name": "book", "arguments": {}}, calls[1]]
    assert apart(calls, asked, "tool_call") == {
        "1 pay": "wrong",
        "2 pay": "right",
        "book (asked 1)": "unanswered",
    }
    outcomes = judge(
        [{"item": "t", "response": calls, "confidence": [0.2, 0.7]}],
        [{"item": "t", "reference": calls[1:]}],
        by="tool_call",
        parts=True,
    )
    assert outcomes.groups["tool"].tolist() == ["pay", "pay"]
    assert outcomes.confidence.tolist() == [0.2, 0.7]


def test_what_has_no_parts_is_refused():
    said, asked = [{"item": "t", "response": "a"}], [{"item": "t", "reference": "a"}]
    refuses("by must be slots or tool_call", judge, said, asked, by="text", parts=True)
    how = {"by": "slots", "parts": True}
    refuses("without hide_references", judge, said, asked, hide_references=True, **how)
    refuses("be error or first", judge, said, asked, repeated="last", **how)
    named = [{**asked[0], "part": "p"}]
    refuses("name no parts where answers are", judge, said, named, **how)


def test_missing_answers_lack_every_part():
    said = [{"item": "t", "response": {"a": "b"}}]
    asked = [
        {"item": "t", "reference": {"a": "b"}},
        {"item": "u", "reference": ["x", "y"]},
    ]
    outcomes = judge(said, asked, by="slots", parts=True, missing="unanswered")
    assert table(outcomes) == {"a": "right", "x": "unanswered", "y": "unanswered"}


sets = st.lists(st.sampled_from("abcde"), unique=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(sets, sets), min_size=1, max_size=6))
def test_parts_of_sets_give_precision_and_recall(pairs):
    outcomes = judge(
        [{"item": k, "response": said} for k, (said, _) in enumerate(pairs)],
        [{"item": k, "reference": asked} for k, (_, asked) in enumerate(pairs)],
        by="slots",
        parts=True,
    )
    named = outcomes.to_columns().get("part", [None] * len(outcomes))
    outcome = outcomes.to_columns()["outcome"]
    counts = Counter(
        kind for kind, part in zip(outcome, named, strict=True) if part is not None
    )
    both = sum(len({*said} & {*asked}) for said, asked in pairs)
    assert counts["right"] == both
    assert counts["right"] + counts["wrong"] == sum(len(said) for said, _ in pairs)
    assert counts["right"] + counts["unanswered"] == sum(len(g) for _, g in pairs)
    silent = sum(not said and not asked for said, asked in pairs)
    assert named.count(None) == silent


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("xyz")),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("xyz")),
)
def test_slots_by_plain_counting(said, asked):
    plain = {
        slot: "unanswered"
        if slot not in said
        else "right"
        if asked.get(slot) == said[slot]
        else "wrong"
        for slot in {**said, **asked}
    } or {None: "unanswered"}
    assert apart(said, asked) == plain


def test_the_command_takes_answers_apart(tmp_path):
    said = [{"item": "t", "response": {"city": "Rome", "day": "Mo"}}]
    responses = write_records(tmp_path / "r.jsonl", said)
    references = write_records(
        tmp_path / "g.jsonl", [{"item": "t", "reference": {"city": "Rome"}}]
    )
    output = tmp_path / "o.jsonl"
    words = ("judge", responses, references, "--parts")
    printed(*words, "--by", "slots", "-o", str(output))
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(one["part"], one["outcome"]) for one in records] == [
        ("city", "right"),
        ("day", "wrong"),
    ]
    assert "by must be slots or tool_call" in stderr_of(*words, "--by", "text")


def test_wholes_with_a_wrong_part_are_wrong_without_any_confidences():
    said = [{"a": "b", "c": "x"}, {"a": "b"}, {"a": "x"}]
    outcomes = judge(
        [{"item": k, "response": slots} for k, slots in enumerate(said)],
        [{"item": k, "reference": {"a": "b"}} for k in range(3)],
        by="slots",
        parts=True,
    )
    wholes = demur.whole_outcomes(outcomes).to_columns()["outcome"]
    assert wholes == ["wrong", "right", "wrong"]
