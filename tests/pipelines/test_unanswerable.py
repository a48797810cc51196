"""Questions without an answer: to decline is right there, and any answer is wrong."""

import pytest

import demur
from pipeline_cases import pipeline_of


def dialogues(*targets, **more):
    """A question each: what should come out of the reader and the last module."""
    return [
        demur.TargetDialogue(
            f"q{at}",
            [
                demur.TargetTurn(
                    input=str(at), target={"reader": target, "verifier": target}, **more
                )
            ],
        )
        for at, target in enumerate(targets)
    ]


def chain(*, declines=(), verifier="slots", **said):
    """A reader of fixed outputs, by question, and a verifier that passes them on."""
    modules = [
        demur.as_module(lambda text: said.get(f"q{text}"), name="reader"),
        demur.as_module(
            lambda answer: said.get("instead", answer),
            name="verifier",
            compare=verifier,
        ),
    ]
    return demur.Pipeline.of(modules, declines=declines)


@pytest.mark.parametrize("compare", ["slots", "whole", "contains"])
@pytest.mark.parametrize("word", [None, "No answer"])
def test_to_decline_is_right_and_to_answer_is_wrong(compare, word):
    asked = dialogues("a", None, None, "b")
    pipeline = chain(
        verifier=compare, declines=["no answer"], q0="a", q1=word, q2="x", q3=word
    )
    run = demur.run_pipeline(pipeline, asked)
    assert (run.items, run.without_acts, run.strict) == (4, 0, 0.5)
    columns = run.outcomes().to_columns()
    assert columns["outcome"] == ["right", "unanswered", "wrong", "unanswered"]
    assert columns["answerable"] == [True, False, False, True]
    assert columns["weight"] == [1.0] * 4
    # Without a word nothing is put out for "b", so three things are put out in all.
    for measure, now in (("exact", 0.5), ("precision", 0.5 if word else 2 / 3)):
        found = demur.attribute_loss(pipeline, asked, measure=measure)
        assert found.now == pytest.approx(now)
    assert {one.name: one.first_wrong for one in found.observed}["reader"] >= 1


def test_a_better_verifier_looks_better():
    asked = dialogues(None, None, "a", "b")
    said = {"q0": "x", "q1": "y", "q2": "a", "q3": "b"}
    worse = demur.run_pipeline(chain(**said), asked)
    better = demur.run_pipeline(chain(**{**said, "q0": None}), asked)
    assert (worse.strict, better.strict) == (0.5, 0.75)


def test_to_break_is_not_to_decline():
    def broken(answer):
        if answer == "x":
            raise ValueError
        return answer

    pipeline = pipeline_of(reader={"0": "a", "1": "x"}.get, verifier=broken)
    run = demur.run_pipeline(pipeline, dialogues("a", None))
    assert run.strict == 0.5
    assert run.outcomes().to_columns()["outcome"] == ["right", "wrong"]


def test_what_is_acceptable_beside_declining():
    asked = dialogues(None, None, acceptable={"verifier": ["x"]})
    run = demur.run_pipeline(chain(q0="x"), asked)
    assert (run.strict, run.multiple) == (0.5, 1.0)
    columns = run.outcomes("multiple").to_columns()
    assert columns["outcome"] == ["right", "right"]
    may = dialogues("a", acceptable={"verifier": [None]})
    declines = chain(q0="no answer", declines=["no answer"])
    assert demur.run_pipeline(declines, may).multiple == 1.0


def test_sweeps_and_explained_turns_know_it():
    asked = dialogues("a", None)
    reader = {"0": ("a", 0.9), "1": ("x", 0.2)}
    pipeline = pipeline_of(reader=reader.get, verifier=lambda answer: answer)
    found = demur.sweep_cutoff(pipeline, asked, module="reader")
    points = [(one.cutoff, one.nonreturn, one.error) for one in found.points]
    assert points == [(0.2, 0.0, 0.5), (0.9, 0.0, 0.0), (None, 0.5, 0.0)]
    for turn, match in (("q0:1", "target"), ("q1:1", "wrong")):
        [now, _] = demur.explain_turn(pipeline, asked, turn).rows
        assert now.match == match


def test_an_empty_list_is_left_out_and_said_first():
    run = demur.evaluate_pipeline(chain(q0="a"), dialogues("a", []), replace="reader")
    assert run.without_acts == 1
    assert "2 turns, 1 of them left out" in run.sentence()


def test_what_is_to_decline_and_is_never_put_out_is_noted():
    asked = dialogues("a", None)
    for declines, noted in (("no anwser", True), ("No  Answer", False)):
        pipeline = chain(q0="a", q1="no answer", declines=[declines])
        note = (
            "declines: verifier never puts out 'no anwser', so it declines nothing; "
            "near it is 'no answer'."
        )
        run = demur.run_pipeline(pipeline, asked)
        found = demur.evaluate_pipeline(pipeline, asked, replace="reader")
        assert (note in run.notes) == noted
        assert (note in found.notes) == noted
