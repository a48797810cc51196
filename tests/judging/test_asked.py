"""Questions judged under a rule of context: what is left out, and that it is said."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, read_records, stderr_of, write_records
from demur.outcomes.context_rules import mixed_rules, rules_in, with_rule
from demur.outcomes.contexts import CONTEXT_RULES, dialogue_turns, in_context

FIVE = [
    {"item": "q1", "dialogue": "d", "class": "A", "reference": "a"},
    {"item": "q2", "dialogue": "d", "class": "D", "reference": "b", "context": "q1"},
    {"item": "q3", "dialogue": "d", "class": "X"},
    {"item": "q4", "dialogue": "d", "class": "D", "reference": "d", "context": "q2"},
    {"item": "q5", "dialogue": "d", "class": "A", "reference": "e"},
]
ANSWERS = [{"item": f"q{k}", "response": r} for k, r in enumerate("abcde", 1)]
PLAIN = [{**one, "reference": "c"} if one["item"] == "q3" else one for one in FIVE]


@pytest.mark.parametrize(
    ("rule", "items", "left_out"),
    [
        ("dialogue", "q1 q2 q4 q5", "1 of 5 questions left out (excluded: 1)"),
        (
            "excluded",
            "q1 q2 q5",
            "2 of 5 questions left out (excluded: 1; context before a reset: 1)",
        ),
        (
            "alone",
            "q1 q5",
            "3 of 5 questions left out (excluded: 1; context not given: 2)",
        ),
    ],
)
def test_only_what_can_be_asked_is_judged(rule, items, left_out):
    outcomes = demur.judge(ANSWERS, FIVE, context=rule)
    assert outcomes.item.tolist() == items.split()
    assert {*outcomes.outcome} == {"right"}
    assert f"context={rule}: {left_out}" in outcomes.notes
    many = 5 - len(items.split())
    answers = f"{many} response{'s' * (many > 1)} to questions that are not asked: left"
    assert any(note.startswith(answers) for note in outcomes.notes)
    assert outcomes.recipe["context"] == rule
    assert f"|context:{rule}|" in outcomes.signature
    assert {*outcomes.groups["context_rule"]} == {rule}
    # Turns of a dialogue are resampled together.
    assert {*outcomes.cluster} == {"d"}


def test_a_cluster_that_is_named_stays():
    references = [{**one, "cluster": "ada"} for one in FIVE]
    outcomes = demur.judge(ANSWERS, references, context="dialogue")
    assert {*outcomes.cluster} == {"ada"}


def test_without_a_rule_all_is_as_it_was():
    outcomes = demur.judge(ANSWERS, PLAIN)
    assert len(outcomes) == 5
    assert "context" not in outcomes.recipe
    assert "context_rule" not in outcomes.groups
    assert outcomes.cluster is None
    with pytest.raises(demur.InputError, match="at least one acceptable value"):
        demur.judge(ANSWERS, FIVE)


def test_responses_of_several_systems_are_counted_by_system():
    answers = [{**one, "system": "b"} for one in ANSWERS]
    answers += [{**one, "system": "a"} for one in ANSWERS if one["item"] != "q4"]
    outcomes = demur.judge(answers, FIVE, context="excluded")
    note = "3 responses to questions that are not asked: left out (a: 1, b: 2)"
    assert note in outcomes.notes
    alone = [one for one in ANSWERS if one["item"] not in ("q3", "q4")]
    assert "not asked: left" not in " ".join(
        demur.judge(alone, FIVE, context="excluded").notes
    )


def test_what_is_asked_must_be_answered_and_strangers_are_strangers():
    with pytest.raises(demur.InputError, match="every item must have a response"):
        demur.judge(ANSWERS[:1], FIVE, context="excluded")
    stranger = [*ANSWERS, {"item": "q9", "response": "?"}]
    with pytest.raises(demur.InputError, match="6: every response must have a ref"):
        demur.judge(stranger, FIVE, context="excluded")
    outcomes = demur.judge(
        stranger[2:],
        FIVE,
        context="excluded",
        missing="unanswered",
        unmatched="leave_out",
    )
    assert outcomes.counts()["unanswered"] == 2


@pytest.mark.parametrize(
    ("references", "rule", "said"),
    [
        (FIVE, "all", "judge: context must be one of dialogue, excluded, alone"),
        (FIVE[2:3], "dialogue", "judge: references must hold a question that can be"),
        (FIVE[1:2], "alone", "judge: references must hold a question that can be"),
        ([], "alone", "judge: references must hold at least one reference"),
        ([FIVE[0], FIVE[0]], "alone", "references: record 2: item must be listed once"),
        (
            [{**FIVE[0], "reset": "x"}],
            "alone",
            "references: record 1: reset must be",
        ),
        ([FIVE[1], {"item": "q7"}], "dialogue", "references: record 2: a reference mu"),
    ],
)
def test_what_cannot_be_judged_is_refused(references, rule, said):
    with pytest.raises(demur.InputError) as refused:
        demur.judge(ANSWERS, references, context=rule)
    assert str(refused.value).startswith(said)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"class": st.sampled_from("AADX"), "dialogue": st.sampled_from("de")}
        ),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([*CONTEXT_RULES]),
)
def test_what_is_judged_is_what_run_asks(kinds, rule):
    turns = [
        {"item": f"q{k}", "input": f"{k}?", "reference": "a", **kind}
        for k, kind in enumerate(kinds)
    ]

    def answer(question, context):
        return "a" if len(context) % 2 else question

    asked = demur.run(demur.as_system(answer), turns, context=rule)
    under = in_context(dialogue_turns(turns), rule)
    assert [one.item for one in asked] == [u.turn.item for u in under if u.is_asked]
    if asked:
        outcomes = demur.judge(asked, turns, context=rule)
        assert outcomes.item.tolist() == [one.item for one in asked]


def test_answers_that_were_asked_otherwise_are_counted():
    def answer(question, context):
        return question if context else "a"

    turns = [{**one, "input": one["item"]} for one in FIVE]
    asked = demur.run(demur.as_system(answer), turns, context="dialogue")
    assert {one.extra["context_rule"] for one in asked} == {"dialogue"}
    notes = demur.judge(asked, turns, context="excluded").notes
    assert "3 responses asked under context=dialogue, judged under excluded" in notes
    notes = demur.judge(asked, turns, context="dialogue").notes
    assert "asked under" not in " ".join(notes)


def test_an_adjudicated_exclusion_leaves_out_what_leans_on_it():
    change = {"item": "q1", "by": "Ada", "why": "a joke", "set": {"class": "X"}}
    answers = [one for one in ANSWERS if one["item"] in ("q1", "q2", "q5")]
    found = demur.adjudicate(answers, FIVE, [change], context="excluded")
    assert found.before.item.tolist() == ["q1", "q2", "q5"]
    assert found.outcomes.item.tolist() == ["q5"]
    changes = [(one.item, one.after, one.by) for one in found.changes]
    assert changes == [("q1", "removed", "Ada"), ("q2", "removed", "")]
    assert "what it leans on was adjudicated" in str(found)
    back = {**change, "item": "q3", "set": {"class": "A", "reference": "c"}}
    found = demur.adjudicate(ANSWERS, FIVE, [back], context="excluded")
    changes = [(one.item, one.before, one.after) for one in found.changes]
    assert changes == [("q3", "removed", "right"), ("q4", "removed", "right")]


def test_the_rule_is_no_secret_and_all_else_is():
    outcomes = demur.judge(ANSWERS, FIVE, context="excluded", hide_references=True)
    assert [*outcomes.groups] == ["class", "context_rule"]


# -- files and commands ----------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(Path("references.jsonl"), FIVE)
    write_records(Path("answers.jsonl"), ANSWERS)
    for rule in CONTEXT_RULES:
        printed(
            *("judge", "answers.jsonl", "references.jsonl", "--context", rule),
            *("-o", f"{rule}.jsonl"),
        )
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_files_say_their_rule_to_whoever_reads_them():
    assert {one["context_rule"] for one in read_records("alone.jsonl")} == {"alone"}
    for words in (["score"], ["curve"], ["score", "--by", "class"]):
        told = printed_json(words[0], "alone.jsonl", *words[1:])
        assert "|context:alone|" in told["signature"]
    told = printed_json("score", "excluded.jsonl", "--by", "class")
    rows = [(one["group"], one["items"]) for one in told["scores"]]
    assert rows == [({"class": "A"}, 2), ({"class": "D"}, 1), ({}, 3)]


@pytest.mark.usefixtures("folder")
def test_excluded_turns_of_a_file_need_an_answer_only_without_a_rule():
    said = stderr_of("judge", "answers.jsonl", "references.jsonl")
    assert said.startswith("demur: references.jsonl:3: the columns must include refer")
    Path("references.csv").write_text(
        "item,dialogue,excluded,context,reference\n"
        'q1,d,,,a\nq2,d,,q1,b\nq3,d,true,,\nq4,d,false,"[""q1"", ""q2""]",d\nq5,d,,,e\n'
    )
    told = printed_json(
        "judge", "answers.jsonl", "references.csv", "--context", "dialogue"
    )
    assert told["items"] == 4


@pytest.mark.usefixtures("folder")
def test_rules_are_not_mixed_unsaid():
    both = ("excluded.jsonl", "alone.jsonl")
    for words in (["compare", *both, "--items", "common"], ["score", *both]):
        told = printed_json(*words)
        assert "|context:" in told["signature"]
        note = "verdicts under several rules of context (alone, excluded): questions"
        assert any(one.startswith(note) for one in told["notes"])
    mixed = [
        {**one, "item": f"{name}{one['item']}", "system": "s"}
        for name in both
        for one in read_records(name)
    ]
    write_records(Path("mixed.jsonl"), mixed)
    said = stderr_of("score", "mixed.jsonl")
    assert said.startswith(
        "demur: score: the verdicts of 's' must be under one rule of context; got "
        "alone, excluded. by=context_rule"
    )
    told = printed_json("score", "mixed.jsonl", "--by", "context_rule")
    assert [one["items"] for one in told["scores"]] == [3, 2, 5]


@pytest.mark.usefixtures("folder")
def test_what_is_left_out_is_not_explained():
    words = ["judge", "answers.jsonl", "references.jsonl", "--context", "alone"]
    said = stderr_of(*words, "--explain", "q2")
    assert "What --context leaves out is not judged." in said


def test_a_column_says_its_rules():
    assert rules_in([None, "alone", ""]) == ["alone", "none"]
    assert with_rule({"by": "text"}, {}) == {"by": "text"}
    assert with_rule(None, {"context_rule": [None]}) == {}
    recipes = [with_rule({}, {"context_rule": rule}) for rule in ("alone", "excluded")]
    assert len([*mixed_rules(recipes)]) == 1
    assert [*mixed_rules(recipes[:1] * 2)] == []
    assert [*mixed_rules([{}, {}])] == []


def test_several_systems_are_compared_with_the_same_note():
    references = [
        {**one, "item": f"{one['item']}.{k}", "dialogue": k, "context": None}
        for k in range(6)
        for one in (FIVE[0], FIVE[2], FIVE[4])
    ]
    answers = [
        {"item": one["item"], "response": "a", "confidence": k}
        for k, one in enumerate(references)
    ]
    tables = [
        demur.judge(
            [{**one, "system": name} for one in answers], references, context=it
        )
        for name, it in zip("abc", CONTEXT_RULES, strict=True)
    ]
    found = demur.compare_all(tables)
    assert sum("several rules of context" in note for note in found.notes) == 1
