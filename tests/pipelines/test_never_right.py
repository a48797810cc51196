"""Modules that are never right are named with what to do; lists that hold a target."""

import pytest

import demur
from builders import refuses
from pipeline_cases import pipeline_of

PASSAGES = ["p0", "p1", "p2"]


def retrieve(question):
    """Three passages, the right one among them but where the question ends in 9."""
    return PASSAGES if question.endswith("9") else [f"p{question}", *PASSAGES[1:]]


def read(passages):
    """Reads the first passage, but not of an 8."""
    return None if passages[0] == "p8" else [passages[0].replace("p", "a")]


def questions(target, n=12):
    return [
        demur.TargetDialogue(
            f"q{at}",
            [
                demur.TargetTurn(
                    input=str(at),
                    target={"retriever": target(f"p{at}"), "reader": [f"a{at}"]},
                )
            ],
        )
        for at in range(3, n + 3)
    ]


def chain(compare="slots"):
    return demur.Pipeline.of(
        [
            demur.as_module(retrieve, name="retriever", compare=compare),
            demur.as_module(read, name="reader"),
        ]
    )


@pytest.mark.parametrize("target", [lambda passage: [passage], str])
def test_lists_that_hold_their_targets_are_told_of_contains(target):
    found = demur.attribute_loss(chain(), questions(target))
    [module] = found.never_right
    assert (module.name, module.turns, module.holds) == ("retriever", 12, 11)
    [_, line] = found.sentence().split("\n")
    assert line.startswith("retriever is right in none of 12 turns")
    assert 'set compare = "contains" for retriever' in line
    assert "First at q3:1: ['p3', 'p1', 'p2'] for the target" in line
    assert {each.name: each.first_wrong for each in found.observed}["retriever"] == 2


@pytest.mark.parametrize("target", [lambda passage: [passage], str])
def test_with_contains_the_first_wrong_module_is_the_right_one(target):
    found = demur.attribute_loss(chain("contains"), questions(target))
    assert found.never_right == ()
    first = {each.name: each.first_wrong for each in found.observed}
    assert first == {"retriever": 1, "reader": 1}
    [retriever, _] = found.observed
    assert retriever.given_right.share == pytest.approx(1 / 12)


def test_all_of_several_passages_are_needed_or_any_as_acceptable():
    for other, wrong in (("p1", 1 / 12), ("p9", 1.0)):
        both = questions(lambda passage, other=other: [passage, other])
        found = demur.attribute_loss(chain("contains"), both)
        assert found.observed[0].given_right.share == pytest.approx(wrong)
    turns = [
        demur.TargetTurn(
            input="4",
            target={"retriever": ["p9"], "reader": ["a4"]},
            acceptable={"retriever": [["p4"]]},
        )
    ]
    one = [demur.TargetDialogue("d", turns)]
    for match, wrong in (("strict", 1.0), ("multiple", 0.0)):
        found = demur.attribute_loss(chain("contains"), one, match=match)
        assert found.observed[0].given_right.share == wrong


@pytest.mark.parametrize("nothing", [None, []])
def test_where_nothing_is_to_be_found_more_is_never_wrong(nothing):
    asked = questions(lambda _: nothing)
    found = demur.attribute_loss(chain("contains"), asked)
    assert found.observed[0].given_right.share == 0
    assert found.observed[1].given_right.base == 12  # the reader has its own errors
    found = demur.attribute_loss(chain("slots"), asked)
    assert found.observed[0].given_right.share == 1


def test_of_a_reader_that_never_declines_any_answer_may_be_right_with_contains():
    turn = demur.TargetTurn(
        input="1", target={"retriever": None, "reader": None, "guard": None}
    )
    modules = [
        demur.as_module(retrieve, name="retriever", compare="contains"),
        demur.as_module(read, name="reader", compare="contains"),
        demur.as_module(lambda answer: answer, name="guard"),
    ]
    answerable = demur.TargetTurn(
        input="2", target={"retriever": ["p2"], "reader": "a2", "guard": "a2"}
    )
    asked = [demur.TargetDialogue("d", [turn, answerable])]
    found = demur.attribute_loss(demur.Pipeline.of(modules), asked)
    assert [one.first_wrong for one in found.observed] == [0, 0, 1]


def test_a_module_of_another_form_is_shown_with_its_target():
    upper = pipeline_of(retriever=lambda text: f"<{text}>", reader=lambda _: ["no"])
    found = demur.attribute_loss(upper, questions(str))
    [module] = found.never_right  # the reader may be wrong because of it
    assert module.sentence() == (
        "retriever is right in none of 12 turns: see whether its targets have the "
        "form of its outputs. First at q3:1: '<3>' for the target 'p3'."
    )


def test_a_module_that_is_right_in_part_has_the_form_of_its_targets():
    part = pipeline_of(
        retriever=lambda text: [f"p{text}", "more"] if text in "34" else ["p1", "p2"],
        reader=lambda _: ["no"],
    )
    target = questions(lambda passage: [passage, "p1"])
    assert (
        "retriever" not in demur.attribute_loss(part, target).sentence().split("\n")[-1]
    )
    assert demur.attribute_loss(part, target).never_right[0].name == "reader"


def test_few_turns_say_nothing():
    found = demur.attribute_loss(chain(), questions(str, n=4))
    assert found.never_right == ()


def test_explained_turns_and_words():
    last = demur.Pipeline.of(
        [demur.as_module(retrieve, name="retriever", compare="contains")]
    )
    run = demur.explain_turn(last, questions(str), "q4:1")
    assert run.rows[0].match == "target"
    assert str(last) == "retriever (contains)"
    said = "must be slots .with or without options., whole or contains"
    refuses(said, demur.as_module, retrieve, name="a", compare="text")
