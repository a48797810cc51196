"""A model that judges: what is asked, once, and what becomes of what is said."""

import re
import sqlite3
import threading

import pytest

import demur
from builders import refuses
from demur.errors import RunError
from demur.judge_models.cases import Asking, CaseJudge, JudgeCase
from demur.judge_models.prompts import prompts_of
from simulated_judge import SimulatedJudge, completion, fields_of, judge_server


def truth(question, answer):
    return question == "Where?" and "oslo" in answer.casefold()


def perfect(**how):
    return SimulatedJudge(truth, sensitivity=1.0, specificity=1.0, **how)


def case(answer, references=(("Oslo", 1.0),), **more):
    return JudgeCase(answer, "Where?", references, **more)


CASES = [case(answer) for answer in ("Oslo", "Bergen", "in OSLO", "Oslo")]


class Logged:
    """A function that replies, and what it was asked."""

    def __init__(self, reply):
        self.reply, self.prompts = reply, []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        return self.reply(prompt)


def judge_rubric():
    return demur.read_rubric("same-answer")


def codes(verdicts):
    return [verdict.code for verdict in verdicts]


def test_a_judge_is_one_by_the_protocol():
    assert isinstance(demur.JudgeModel(perfect()), CaseJudge)
    assert isinstance(perfect(), CaseJudge)


def test_verdicts_are_those_of_the_system_in_order():
    simulated = SimulatedJudge(truth, cannot_tell=0.2)
    cases = [case(f"Oslo {n}" if n % 3 else f"Bergen {n}") for n in range(60)]
    by_prompt = demur.JudgeModel(simulated).verdicts(cases)
    assert by_prompt == simulated.verdicts(cases)
    assert {*codes(by_prompt)} == {"right", "wrong", "cannot_tell"}


def test_the_chat_and_the_system_say_the_same():
    judge = perfect()
    with judge_server(judge.reply) as (target, posted):
        model = demur.JudgeModel(target, concurrency=3)
        assert model.verdicts(CASES) == judge.verdicts(CASES)
        assert str(model) == f"model({target}, rubric=same-answer)"
    assert len(posted) == 3
    sent = {one["messages"][0]["content"] for one in posted}
    prompts = [prompt for one in CASES for prompt in prompts_of(one, judge_rubric())]
    assert sent == {prompt.text for prompt in prompts}  # and nothing else
    assert all(len(one["messages"]) == 1 for one in posted)


def test_equal_prompts_are_one_request_also_later():
    logged = Logged(perfect().reply)
    judge = demur.JudgeModel(logged, concurrency=2)
    judge.verdicts(CASES)
    assert len(logged.prompts) == judge.asked == 3
    judge.verdicts(CASES[::-1])
    assert len(logged.prompts) == 3
    judge.verdicts(CASES, Asking(turned=True))
    assert len(logged.prompts) == 6
    judge.verdicts(CASES, Asking(repeat=1))
    assert len(logged.prompts) == 9
    assert {*logged.prompts[:3]} == {*logged.prompts[6:]}
    judge.verdicts(CASES, Asking(with_references=False))
    assert all("REFERENCES" not in fields_of(text) for text in logged.prompts[9:])


def test_a_repeat_is_another_sample_of_a_chat_whatever_is_kept(tmp_path):
    with judge_server(perfect().reply) as (target, posted):
        for _ in range(2):
            judge = demur.JudgeModel(target, cache=tmp_path / "c")
            judge.verdicts(CASES)
            judge.verdicts(CASES, Asking(repeat=1))
    assert len(posted) == 6
    assert judge.kept == 6
    assert judge.spent == {}


def test_what_says_nothing_is_asked_of_nobody():
    logged = Logged(lambda _: "Answer: right")
    blank = [case(""), case(" \n"), case(None)]
    assert codes(demur.JudgeModel(logged).verdicts(blank)) == [
        *("wrong", "wrong", "declined")
    ]
    three = demur.JudgeModel(logged, "three-grades").verdicts(blank)
    assert codes(three) == ["declined"] * 3
    assert codes(demur.JudgeModel(logged, "supported").verdicts([case("Oslo")])) == [
        "cannot_tell"
    ]
    assert not logged.prompts


def test_a_failure_is_no_verdict_and_is_asked_again():
    asked = []

    def reply(prompt):
        asked.append(prompt)
        if len(asked) == 1:
            raise TimeoutError("too slow")
        return "Answer: right"

    judge = demur.JudgeModel(reply)
    first, second = judge.verdicts([case("Oslo"), case("in Oslo")])
    assert (first.credit, first.code) == (None, "failed")
    assert first.reason == "TimeoutError: too slow"
    assert second.code == "right"
    assert codes(judge.verdicts([case("Oslo"), case("in Oslo")])) == ["right", "right"]
    assert len(asked) == 3


SERVERS = {
    "500": ((500, {}, {"error": {"message": "I am ill"}}), "status 500.*I am ill"),
    "429": ((429, {}, {"error": "slow down"}), "status 429.*slow down"),
    "400": ((400, {}, {"error": {"message": "too long"}}), "status 400.*too long"),
    "rubbish": ((200, {}, b"<html>"), "not JSON"),
    "another shape": ((200, {}, {"choices": []}), "."),
    "hangs up": ((None, {}, {}), "no answer after"),
}


@pytest.mark.parametrize("name", SERVERS)
def test_the_reason_of_a_failure_is_the_servers(name):
    answer, pattern = SERVERS[name]
    with judge_server(lambda _: answer) as (target, _):
        judge = demur.JudgeModel(target, retries=0, give_up=None)
        [verdict] = judge.verdicts([case("Oslo")])
    assert verdict.code == "failed"
    assert re.search(pattern, verdict.reason)


def test_a_server_that_hangs_is_given_up_by_the_time_out():
    free = threading.Event()

    def reply(_):
        free.wait(30)
        return "Answer: right"

    with judge_server(reply) as (target, _):
        judge = demur.JudgeModel(target, retries=0, timeout=0.2)
        [verdict] = judge.verdicts([case("Oslo")])
        free.set()
    assert verdict.code == "failed"
    assert "no answer" in verdict.reason


def test_too_many_failures_in_a_row_end_it_and_what_was_answered_is_kept():
    def reply(prompt):
        if fields_of(prompt)["ANSWER"] == "Oslo 1":
            return "Answer: right"
        raise TimeoutError

    logged = Logged(reply)
    judge = demur.JudgeModel(logged, give_up=3)
    cases = [case(f"Oslo {n}") for n in range(1, 9)]
    with pytest.raises(RunError, match="3 inputs failed one after another"):
        judge.verdicts(cases)
    asked = len(logged.prompts)
    assert codes(judge.verdicts(cases[:1])) == ["right"]
    assert len(logged.prompts) == asked


def test_a_budget_ends_it_and_a_larger_one_goes_on(tmp_path):
    with judge_server(lambda _: "Answer: right") as (target, posted):
        how = {"prices": (1_000_000, 0), "cache": tmp_path / "c"}
        cases = [case(f"Oslo {n}") for n in range(10)]
        with pytest.raises(RunError, match="the budget of 450"):
            demur.JudgeModel(target, budget=450, **how).verdicts(cases)
        assert len(posted) == 4
        judge = demur.JudgeModel(target, budget=650, **how)
        assert codes(judge.verdicts(cases)) == ["right"] * 10
    assert len(posted) == 10
    assert judge.spent["cost"] == 600
    assert judge.kept == 4


def test_any_system_keeps_its_replies_in_a_file(tmp_path):
    logged = Logged(perfect().reply)
    for _ in range(2):
        judge = demur.JudgeModel(
            demur.as_system(logged, name="m"), cache=tmp_path / "c"
        )
        assert judge.verdicts(CASES) == perfect().verdicts(CASES)
    assert len(logged.prompts) == judge.kept == 3
    with sqlite3.connect(tmp_path / "c") as file:  # damaged ones are asked again
        file.execute("update answers set answer = '{\"answer\": 3}'")
    file.close()
    judge = demur.JudgeModel(demur.as_system(logged, name="m"), cache=tmp_path / "c")
    judge.verdicts(CASES)
    assert len(logged.prompts) == 6


def test_weaker_references_are_asked_about_only_where_it_is_wrong_by_the_others():
    logged = Logged(perfect().reply)
    references = (("Oslo", 1.0), ("Norway", 0.5), ("Europe", 0.25))

    def reply(prompt):
        fields = fields_of(prompt)
        return (
            f"Answer: {'right' if fields['ANSWER'] in fields['REFERENCES'] else 'no'}"
        )

    logged.reply = reply
    cases = [case(text, references) for text in ("Oslo", "Norway", "Asia")]
    verdicts = demur.JudgeModel(logged).verdicts(cases)
    assert [verdict.credit for verdict in verdicts] == [1.0, 0.5, 0.0]
    assert codes(verdicts) == ["right", "partly_right", "wrong"]
    assert len(logged.prompts) == 1 + 2 + 3


def test_criteria_earn_credit_by_their_weight():
    said = {"agrees with": "met", "holds all": "partly met", "holds nothing": "not met"}

    def reply(prompt):
        word = next(word for mark, word in said.items() if mark in prompt)
        return f"Since so.\nAnswer: {word}\nConfidence: 80 %"

    judge = demur.JudgeModel(reply, "criteria")
    [verdict] = judge.verdicts([case("Oslo")])
    assert verdict.credit == pytest.approx((3 * 1 + 2 * 0.5) / 6)
    assert (verdict.code, verdict.confidence) == ("partly_right", 0.8)
    assert verdict.reason.startswith("truth: met (Since so.); completeness: partly met")
    said["holds nothing"] = "met"
    said["holds all"] = "met"
    [verdict] = demur.JudgeModel(reply, "criteria").verdicts([case("Oslo")])
    assert (verdict.credit, verdict.code) == (1.0, "right")
    said["holds all"] = "cannot tell"
    [verdict] = demur.JudgeModel(reply, "criteria").verdicts([case("Oslo")])
    assert (verdict.credit, verdict.code) == (None, "cannot_tell")


def test_supported_shows_the_text():
    logged = Logged(lambda _: "Answer: partly supported")
    judge = demur.JudgeModel(logged, "supported")
    [verdict] = judge.verdicts([case("Oslo", text="It lies in Oslo.")])
    assert verdict.credit == 0.5
    shown = {"QUESTION": "Where?", "TEXT": "It lies in Oslo.", "ANSWER": "Oslo"}
    assert fields_of(logged.prompts[0]) == shown


def test_confidences_of_chats_are_those_of_their_methods():
    tokens = [("It is.\n", -0.1), ("Answer:", -0.1), (" right", -0.5)]
    logs = {
        "logprobs": {
            "content": [
                {"token": t, "logprob": p, "top_logprobs": []} for t, p in tokens
            ]
        }
    }
    text = "".join(token for token, _ in tokens)
    with judge_server(lambda _: (200, {}, completion(text, **logs))) as (target, _):
        judge = demur.JudgeModel(target, confidence="mean_logprob")
        [verdict] = judge.verdicts([case("Oslo")])
        assert (verdict.code, verdict.confidence) == ("right", -0.5)
        judge = demur.JudgeModel(target, confidence="agreement", samples=3)
        [verdict] = judge.verdicts([case("Oslo")])
        assert (verdict.code, verdict.confidence) == ("right", 1.0)
        assert verdict.reason == "It is."


def test_wrong_arguments_are_refused():
    refuses("rubric must be one of", demur.JudgeModel, perfect(), "nothing")
    refuses("concurrency", demur.JudgeModel, perfect(), concurrency=0)
    refuses("give_up", demur.JudgeModel, perfect(), give_up=0)
    refuses("the options of SimulatedJudge", demur.JudgeModel, perfect(), prices=(1, 2))
    refuses("asking", demur.JudgeModel(perfect()).verdicts, CASES, "turned")
    refuses("cases", demur.JudgeModel(perfect()).verdicts, ["Oslo"])
    refuses("url must be an address", demur.JudgeModel, "m@http://")


def test_no_cases_are_no_verdicts():
    assert demur.JudgeModel(perfect()).verdicts([]) == []


class Nameless:
    """A system that says nothing of itself: Python shows its place in memory."""

    def __init__(self):
        self.asked = 0

    def respond(self, inputs):
        self.asked += len(inputs)
        return [asked.answered("m", response="Answer: right") for asked in inputs]


def test_a_system_that_does_not_print_is_known_by_its_class(tmp_path):
    for kept in (0, 1):
        system = Nameless()
        judge = demur.JudgeModel(system, cache=tmp_path / "c")
        judge.verdicts([demur.JudgeCase("Oslo")])
        assert (system.asked, judge.kept) == (1 - kept, kept)
        assert "0x" not in f"{judge}{judge.recipe}"


def test_functions_of_one_name_share_no_replies_once_they_are_named(tmp_path):
    for word in ("right", "wrong"):
        judge = demur.JudgeModel(
            lambda _, word=word: f"Answer: {word}", name=word, cache=tmp_path / "c"
        )
        [verdict] = judge.verdicts([demur.JudgeCase("Oslo")])
        assert verdict.code == word
