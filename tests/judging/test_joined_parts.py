"""Judging parts of answers, joined by item and part."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import printed, refuses, write_records
from demur import judge

REFERENCES = [
    {"item": "r1", "part": "pay", "reference": 5, "tool": "p", "cluster": "day1"},
    {"item": "r1", "part": "book", "reference": 6, "tool": "b", "cluster": "day1"},
    {"item": "r2", "part": "pay", "reference": 1, "tool": "p", "cluster": "day2"},
    {"item": "r3", "answerable": False, "cluster": "day2"},
]


def of(item, part, response, **further):
    return {"item": item, "part": part, "response": response, **further}


def rows(outcomes):
    """Item, part and outcome of each row."""
    table = outcomes.to_columns()
    return [*zip(table["item"], table["part"], table["outcome"], strict=True)]


def test_parts_are_joined_by_item_and_part():
    responses = [
        of("r2", "pay", 1, confidence=0.7),
        of("r1", "book", 7, confidence=0.9),
        of("r1", "pay", 5, confidence=0.4),
        of("r3", None, None),
    ]
    outcomes = judge(responses, REFERENCES, by="number")
    assert rows(outcomes) == [
        ("r2", "pay", "right"),
        ("r1", "book", "wrong"),
        ("r1", "pay", "right"),
        ("r3", None, "unanswered"),
    ]
    assert outcomes.cluster.tolist() == ["day2", "day1", "day1", "day2"]
    assert outcomes.groups["tool"].tolist() == ["p", "b", "p", None]
    point = demur.whole_curve(outcomes).at(cutoff=0.4)
    assert point.whole_error == pytest.approx(1 / 3)


def test_a_row_without_part_and_response_gives_no_part_at_all():
    responses = [of("r1", None, None, kind="refusal"), of("r2", "pay", 1)]
    outcomes = judge(responses, REFERENCES[:3], by="number")
    assert rows(outcomes)[:2] == [
        ("r1", "pay", "unanswered"),
        ("r1", "book", "unanswered"),
    ]
    assert outcomes.kind.tolist() == ["refusal", "refusal", None]


def test_parts_that_are_not_given_are_as_the_policy_says():
    responses = [of("r1", "pay", 5), of("r2", "pay", 1)]
    refuses("none for 1: 'r1, part book'", judge, responses, REFERENCES[:3])
    outcomes = judge(responses, REFERENCES[:3], by="number", missing="unanswered")
    assert rows(outcomes)[-1] == ("r1", "book", "unanswered")
    outcomes = judge(responses, REFERENCES[:3], by="number", missing="leave_out")
    assert len(outcomes) == 2


def test_parts_that_nobody_asked_for_are_as_the_policy_says():
    responses = [
        of("r1", "pay", 5, tool="no"),
        of("r1", "book", 6),
        of("r1", "more", 6, tool="m"),
        of("r1", "silent", None),
        of("r2", "pay", 1),
        of("r3", "x", 1, tool="t"),
    ]
    refuses("unmatched=wrong counts parts", judge, responses, REFERENCES)
    outcomes = judge(responses, REFERENCES, by="number", unmatched="wrong")
    assert rows(outcomes)[2:] == [
        ("r1", "more", "wrong"),
        ("r2", "pay", "right"),
        ("r3", "x", "wrong"),
    ]
    assert outcomes.groups["tool"].tolist() == ["p", "b", "m", "p", "t"]
    assert outcomes.cluster[2] == "day1"
    assert "2 parts nobody asked for: counted as wrong (unmatched=wrong)" in (
        outcomes.notes
    )
    left = judge(
        responses, REFERENCES, by="number", unmatched="leave_out", missing="unanswered"
    )
    assert rows(left)[-1] == ("r3", None, "unanswered")
    stranger = [*responses, of("r9", "pay", 1)]
    refuses("1 without: 'r9", judge, stranger, REFERENCES, unmatched="wrong")


def test_several_systems_add_parts_that_nobody_asked_for():
    responses = [
        {**of("r1", part, 5), "system": system}
        for system in "abc"
        for part in ("pay", "book", "more", "most")
        if not (system == "b" and part == "more")
    ]
    outcomes = judge(responses, REFERENCES[:2], by="number", unmatched="wrong")
    assert rows(outcomes.select(system="b")) == [
        ("r1", "pay", "right"),
        ("r1", "book", "wrong"),
        ("r1", "most", "wrong"),
    ]
    again = [*responses, responses[2]]
    refuses("got 1 more: 'r1, part more'", judge, again, REFERENCES, unmatched="wrong")


def test_parts_on_one_side_alone_are_refused():
    whole = [{"item": "r1", "reference": 5}]
    refuses("references must name parts", judge, [of("r1", "pay", 5)], whole)
    refuses("part must be named, as refer", judge, [of("r1", None, 5)], REFERENCES)
    mixed = [*REFERENCES, {"item": "r1", "reference": 5}]
    refuses("part must be named in every", judge, [of("r1", "pay", 5)], mixed)
    twice = [*REFERENCES, REFERENCES[0]]
    refuses("another for 'r1, part pay'", judge, [of("r1", "pay", 5)], twice)
    alike = [of("a", "b, part c", 5), of("a, part b", "c", 5)]
    asked = [{**one, "reference": 5} for one in alike]
    refuses("must be told apart by item and part", judge, alike, asked)


values = st.sampled_from(["x", "y", None])
pairs = st.tuples(st.sampled_from("abc"), st.sampled_from("pqr"))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(pairs, st.sampled_from("xy"), min_size=1),
    st.dictionaries(st.tuples(pairs, st.sampled_from("st")), values, min_size=1),
    st.randoms(use_true_random=False),
)
def test_a_part_is_judged_as_an_item_in_any_order(asked, said, draw: random.Random):
    said = {key: value for key, value in said.items() if key[0] in asked}
    if not said:
        return
    parts = [
        {**of(*pair, value), "system": system} for (pair, system), value in said.items()
    ]
    references = [
        {"item": item, "part": part, "reference": value}
        for (item, part), value in asked.items()
    ]

    def flat(record):
        rest = {name: value for name, value in record.items() if name != "part"}
        return {**rest, "item": f"{record['item']}|{record['part']}"}

    items = judge(map(flat, parts), map(flat, references), missing="unanswered")
    draw.shuffle(parts)
    draw.shuffle(references)
    joined = judge(parts, references, missing="unanswered")
    verdicts = zip(joined.system, joined.outcome, joined.reason_code, strict=True)
    named = [f"{item}|{part}" for item, part, _ in rows(joined)]
    assert sorted(zip(named, verdicts, strict=True)) == sorted(
        (item, one)
        for item, *one_ in zip(
            items.item, items.system, items.outcome, items.reason_code, strict=True
        )
        for one in [tuple(one_)]
    )


def test_a_model_judges_parts_one_by_one():
    judge_model = demur.JudgeModel(
        lambda prompt: f"Answer: {'right' if 'fuenf' in prompt else 'wrong'}",
        name="five",
    )
    responses = [of("r1", "pay", "fuenf"), of("r1", "book", "7"), of("r2", "pay", "1")]
    references = [{**one, "input": one["part"]} for one in REFERENCES[:3]]
    outcomes = judge(responses, references, by=judge_model)
    assert [outcome for *_, outcome in rows(outcomes)] == ["right", "wrong", "wrong"]


def test_the_command_judges_parts_and_explains_each(tmp_path):
    responses = write_records(
        tmp_path / "r.jsonl", [of("r1", "pay", 5), of("r1", "book", 9)]
    )
    references = write_records(tmp_path / "g.jsonl", REFERENCES[:2])
    shown = printed(
        *("judge", responses, references, "--by", "number", "--explain", "r1")
    )
    assert "part: pay" in shown
    assert "part: book" in shown
