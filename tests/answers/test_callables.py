"""Functions that judge: with the question, asynchronous, and what they raise."""

import asyncio
import os
import signal

import pytest

import demur
from builders import refuses
from demur.answers.callables import MOST_AT_A_TIME, AskedCustom, Custom, custom
from demur.errors import RunError

REFERENCES = [
    {"item": f"q{n}", "input": f"{n} + {n}?", "reference": str(2 * n)}
    for n in range(1, 7)
]
RESPONSES = [
    {"item": f"q{n}", "response": str(2 * n if n % 2 else n)} for n in range(1, 7)
]


def judged(by, responses=RESPONSES, references=REFERENCES, **how):
    return demur.judge(responses, references, by=by, **how)


def plain(response, reference):
    return response == reference


def with_question(response, reference, question):
    return response == reference and question.endswith("?")


def by_name(response, reference, *, question=None):
    return with_question(response, reference, question)


def with_default(response, reference, tolerance=0):
    assert tolerance == 0
    return response == reference


class Judging:
    def __call__(self, response, reference, question):
        return with_question(response, reference, question)


class JudgingLater:
    async def __call__(self, response, reference):
        return plain(response, reference)


async def later(response, reference):
    await asyncio.sleep(0)
    return plain(response, reference)


async def later_with_question(response, reference, question):
    await asyncio.sleep(0)
    return with_question(response, reference, question)


def handing_on(response, reference):
    return later(response, reference)


KINDS = {
    "with_question": with_question,
    "by_name": by_name,
    "with_default": with_default,
    "an object": Judging(),
    "an object, later": JudgingLater(),
    "later": later,
    "later, with question": later_with_question,
    "handing on": handing_on,
    "a lambda of three": lambda response, reference, question: with_question(
        response, reference, question
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_function_judges_as_the_plain_one(name):
    expected, found = judged(plain), judged(KINDS[name])
    assert found.outcome.tolist() == expected.outcome.tolist() == ["right", "wrong"] * 3
    assert found.reason.tolist() == expected.reason.tolist()


def test_the_question_is_given_by_signature():
    for function in (with_question, by_name, Judging()):
        assert isinstance(custom(function), AskedCustom)
    for function in (plain, with_default, str.startswith):
        assert type(custom(function)) is Custom


def test_a_question_that_is_not_known_is_none():
    seen = []

    def same(response, reference, question):
        seen.append(question)
        return response == reference

    judged(same, [{"item": 1, "response": "a"}], [{"item": 1, "reference": "a"}])
    assert seen == [None]


def test_one_exception_costs_one_item():
    def same(response, reference):
        if reference == "6":
            raise ValueError("no sixes")
        return response == reference

    outcomes = judged(same)
    counts = {"right": 2, "wrong": 3, "unanswered": 0, "ungraded": 1}
    assert outcomes.counts() == counts
    assert outcomes.reason_code.tolist()[2] == "judge_failed"
    assert outcomes.reason.tolist()[2].endswith("raised ValueError: no sixes")
    [note] = [note for note in outcomes.notes if "exception" in note]
    assert note.startswith("1 answer ungraded since the function that judges raised")


def test_one_exception_of_an_asynchronous_function_costs_one_item():
    async def same(response, reference):
        await asyncio.sleep(0)
        if reference == "6":
            raise ValueError("no sixes")
        return response == reference

    outcomes = judged(same)
    assert outcomes.reason_code.tolist().count("judge_failed") == 1
    assert outcomes.counts()["ungraded"] == 1


def raising(response, reference):
    raise KeyError(f"{response} {reference}")


async def raising_later(response, reference):
    raising(response, reference)


@pytest.mark.parametrize("function", [raising, raising_later])
def test_a_function_that_raises_on_all_is_no_judge(function):
    with pytest.raises(RunError, match=r"q1': callable\(.* raised KeyError") as caught:
        judged(function)
    assert isinstance(caught.value.__cause__, KeyError)


def test_what_nobody_is_asked_about_is_no_answer_that_the_function_judged():
    responses = [{"item": 1, "response": "a"}, {"item": 2, "response": "b"}]
    references = [{"item": 1, "reference": "a"}, {"item": 2, "answerable": False}]
    with pytest.raises(RunError):
        judged(raising, responses, references)
    outcomes = judged(raising, responses[1:], references[1:])
    assert outcomes.reason.tolist() == ["unanswerable"]


def test_a_function_need_not_take_what_is_no_answer():
    responses = [{"item": 1, "response": "I don't know."}]
    references = [{"item": 1, "reference": "a"}]
    outcomes = judged(raising, responses, references, no_answer="refusals")
    assert outcomes.outcome.tolist() == ["unanswered"]
    assert not any("exception" in note for note in outcomes.notes)


def test_an_asynchronous_function_is_called_for_several_at_a_time_but_not_for_all():
    open_now, most = [], []

    async def same(response, reference):
        open_now.append(response)
        most.append(len(open_now))
        for _ in range(3):
            await asyncio.sleep(0)
        open_now.remove(response)
        return response == reference

    n = 3 * MOST_AT_A_TIME
    responses = [{"item": item, "response": str(item)} for item in range(n)]
    references = [{"item": item, "reference": str(item)} for item in range(n)]
    judged(same, responses, references)
    assert max(most) == MOST_AT_A_TIME
    assert len(most) == n


def test_equal_answers_are_asked_about_once():
    seen = []

    async def same(response, reference, question):
        seen.append((response, reference, question))
        return response == reference

    responses = [{"item": 1, "response": "a", "system": s} for s in "xyz"]
    judged(same, responses, [{"item": 1, "input": "?", "reference": "a"}])
    assert seen == [("a", "a", "?")]


def test_it_works_where_a_loop_runs_already():
    async def notebook():
        return judged(later)

    assert asyncio.run(notebook()).counts()["right"] == 3


def test_alternatives_with_weights_and_wrong_returns_are_as_before():
    async def same(response, reference):
        return response == reference

    references = [{"item": 1, "references": ["a", {"value": "b", "weight": 0.5}]}]
    outcomes = judged(same, [{"item": 1, "response": "b"}], references)
    assert outcomes.credit.tolist() == [0.5]

    async def seven(*_):
        return 7

    refuses(
        "a credit from 0 to 1, or None; got 7",
        *(demur.judge, [{"item": 1, "response": "b"}], references),
        by=seven,
    )


def test_a_call_that_is_cancelled_or_cannot_say_why_costs_one_item():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    async def same(response, reference):
        if response == "Rome":
            raise asyncio.CancelledError
        if response == "Paris":
            raise Mute
        return response == reference

    outcomes = demur.judge(
        [
            {"item": i, "response": text}
            for i, text in enumerate(("Oslo", "Rome", "Paris"))
        ],
        [{"item": i, "reference": "Oslo"} for i in range(3)],
        by=same,
    )
    assert outcomes.outcome.tolist() == ["right", "ungraded", "ungraded"]
    assert outcomes.reason[1].endswith("raised CancelledError")
    assert outcomes.reason[2].endswith("raised Mute")


def test_who_interrupts_does_not_pay_for_what_is_open():
    begun = []
    open_ended = asyncio.Event()

    async def same(response, reference):  # noqa: ARG001
        begun.append(response)
        if len(begun) == MOST_AT_A_TIME:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.wait_for(open_ended.wait(), 60)

    with pytest.raises(KeyboardInterrupt):
        demur.judge(
            [{"item": i, "response": f"Oslo {i}"} for i in range(50)],
            [{"item": i, "reference": "Oslo"} for i in range(50)],
            by=same,
        )
    assert len(begun) == MOST_AT_A_TIME
