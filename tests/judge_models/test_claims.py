"""Claims of long answers: cut by a model, each judged by a text, each a part."""

import json
import os
from pathlib import Path

import pytest

import demur
from builders import read_records, refuses, run, stderr_of, write_records
from demur import answers
from demur.errors import InputError, ParseError
from demur.judge_models.claim_lists import listed_claims
from demur.outcomes.records import Response
from killed_runs import Gate, killed
from simulated_claims import SimulatedClaims, finding, sentences
from simulated_judge import completion, judge_server

FACTS = "Oslo is a city. Oslo is old. not Oslo is in Denmark."
REFERENCES = [
    {"item": f"q{n}", "input": "What is Oslo?", "text": FACTS} for n in range(1, 4)
]
RESPONSES = [
    {"item": item, "response": response, "confidence": confidence}
    for item, response, confidence in [
        ("q1", "Oslo is a city. Oslo is in Denmark.", 0.9),
        ("q2", "Oslo is big. Oslo is old. Oslo is a city.", 0.5),
        ("q3", None, None),
    ]
]


def judged(model, responses=RESPONSES, references=REFERENCES, how=(), **more):
    judge = demur.ClaimsJudge(model.reply, name="toy", **dict(how))
    return demur.judge(responses, references, by=judge, **more)


def rows(outcomes, *names):
    table = outcomes.to_columns()
    return [*zip(*(list(table[name]) for name in names), strict=True)]


class TestValue:
    """``claims(...)`` is a value that prints as it is typed, and parses back."""

    @pytest.mark.parametrize(
        "typed",
        [
            "claims(m@http://host/v1, rubric=claim-found, cut=cut-claims, "
            "not_found=wrong)",
            'claims("a,b@http://host/v1", rubric=my.toml, cut="my, own.toml", '
            "not_found=ungraded)",
        ],
    )
    def test_it_prints_as_it_is_typed(self, typed):
        value = answers.parse_comparator(typed)
        assert str(value) == typed
        assert answers.parse_comparator(str(value)) == value
        assert value != answers.model("m@http://host/v1")

    @pytest.mark.parametrize(
        ("typed", "error", "message"),
        [
            ("claims", ParseError, "be claims(MODEL@URL)"),
            ("claims(m)", InputError, "must be MODEL@URL; got 'm'"),
            ("claims(m@http://h/v1, cuts=x)", InputError, "judge, rubric, cut, not_f"),
            ("claims(m@http://h/v1, not_found=right)", InputError, "wrong, ungraded"),
            ("model(m@http://h/v1, cut=x)", InputError, "one of judge, rubric; got"),
        ],
    )
    def test_what_is_not_one_is_refused(self, typed, error, message):
        with pytest.raises(error) as caught:
            answers.parse_comparator(typed)
        assert message in str(caught.value)

    def test_judges_of_whole_answers_are_other_ones(self):
        by = "claims(m@http://localhost:1/v1)"
        with pytest.raises(InputError, match="have verdicts"):
            demur.check_judge(by, RESPONSES, REFERENCES)


class TestOutcomes:
    """Each claim is a row, right, wrong or ungraded by what is found of it."""

    def test_known_claims_have_the_findings_that_are_known(self):
        outcomes = judged(SimulatedClaims())
        expected = [
            (f"q{n}", str(part), claim, finding(claim, FACTS))
            for n, response in enumerate(RESPONSES, 1)
            if response["response"]
            for part, claim in enumerate(sentences(response["response"]), 1)
        ]
        table = rows(outcomes, "item", "part", "response", "finding")
        assert table == [*expected, ("q3", None, None, None)]
        assert outcomes.outcome.tolist() == [
            *("right", "wrong", "wrong", "right", "right", "unanswered"),
        ]
        assert rows(outcomes, "confidence")[:5] == [(0.9,)] * 2 + [(0.5,)] * 3
        assert outcomes.groups["verdict_confidence"].tolist() == [0.8] * 5 + [None]
        assert outcomes.recipe["cut"].startswith("cut-claims/1/")
        assert outcomes.recipe["rubric"].startswith("claim-found/1/")
        assert "2 answers cut into 5 claims" in outcomes.notes

    def test_wholes_and_the_share_of_supported_claims(self):
        outcomes = judged(SimulatedClaims())
        # Both answers hold a claim that is not supported, of three items.
        curve = demur.whole_curve(outcomes)
        assert curve.at(nonreturn=0).whole_error == pytest.approx(2 / 3)
        answers_alone = judged(SimulatedClaims(), RESPONSES[:2], REFERENCES[:2])
        supported = 1 - demur.error_return(answers_alone).at(nonreturn=0).error
        assert supported == pytest.approx(3 / 5)

    def test_what_is_not_found_can_be_ungraded(self):
        outcomes = judged(SimulatedClaims(), how={"not_found": "ungraded"})
        assert outcomes.outcome.tolist()[:5] == [
            *("right", "wrong", "ungraded", "right", "right"),
        ]
        assert outcomes.groups["finding"].tolist()[2] == "not found"
        other = judged(SimulatedClaims())
        assert outcomes.recipe["rubric"] != other.recipe["rubric"]

    def test_the_reference_is_the_text_where_there_is_no_other(self):
        references = [{"item": f"q{n}", "reference": FACTS} for n in range(1, 4)]
        outcomes = judged(SimulatedClaims(), references=references)
        expected = judged(SimulatedClaims())
        assert outcomes.outcome.tolist() == expected.outcome.tolist()

    def test_without_any_text_nothing_is_asked(self):
        model = SimulatedClaims()
        bare = [{"item": f"q{n}", "input": "?"} for n in range(1, 4)]
        with pytest.raises(InputError, match="have a field text"):
            judged(model, references=bare)
        assert not model.cut
        some = [{**bare[0]}, *REFERENCES[1:]]
        outcomes = judged(model, references=some)
        assert rows(outcomes, "item", "part", "outcome")[0] == ("q1", "1", "ungraded")
        assert len(model.cut) == 1

    def test_who_declines_is_a_whole_without_parts(self):
        given = ["NO_ANSWER", "  ", "I do not know.", None]
        responses = [
            {"item": "q1", "system": f"s{n}", "response": text, "confidence": 0.5}
            for n, text in enumerate(given)
        ]
        responses.append({"item": "q1", "system": "s4", "failed": "status 500"})
        model = SimulatedClaims()
        outcomes = judged(model, responses, REFERENCES[:1], no_answer="I do not .*")
        assert outcomes.outcome.tolist() == ["unanswered"] * 5
        assert outcomes.part is None or not any(outcomes.part)
        assert not model.cut

    def test_where_nothing_is_right_any_answer_is_one_wrong_part(self):
        model = SimulatedClaims()
        references = [{"item": "q1", "answerable": False}]
        responses = [{"item": "q1", "response": "Oslo is big."}]
        outcomes = judged(model, responses, references)
        assert rows(outcomes, "part", "outcome") == [("1", "wrong")]
        assert not model.cut

    def test_a_column_of_the_same_name_is_ignored_and_named(self):
        named = [{**one, "finding": "mine"} for one in RESPONSES]
        outcomes = judged(SimulatedClaims(), named)
        assert outcomes.groups["finding"].tolist()[0] == "supported"
        told = "columns ignored, because judging makes them: finding"
        assert told in outcomes.notes

    def test_hidden_references_stay_hidden(self):
        outcomes = judged(SimulatedClaims(), hide_references=True)
        assert "not Oslo is in Denmark" not in str(outcomes.to_columns())


class TestGivenClaims:
    """Responses with parts are claims already, each with its own confidence."""

    RESPONSES = (
        {"item": "q1", "part": "a", "response": "Oslo is a city.", "confidence": 0.9},
        {"item": "q1", "part": "b", "response": "Oslo is big.", "confidence": 0.2},
        {"item": "q2", "part": 1, "response": "Oslo is old.", "confidence": 0.7},
        {"item": "q3", "response": None},
    )

    def test_they_are_judged_as_they_are(self):
        model = SimulatedClaims()
        outcomes = judged(model, self.RESPONSES)
        assert not model.cut
        assert rows(outcomes, "item", "part", "outcome", "confidence") == [
            ("q1", "a", "right", 0.9),
            ("q1", "b", "wrong", 0.2),
            ("q2", "1", "right", 0.7),
            ("q3", None, "unanswered", None),
        ]
        point = demur.whole_curve(outcomes).at(cutoff=0.5)
        assert (point.whole_error, point.nonreturn) == (0, pytest.approx(1 / 3))

    def test_equal_claims_about_one_item_are_asked_about_once(self):
        model = SimulatedClaims()
        twice = [{**one, "system": system} for system in "ab" for one in self.RESPONSES]
        judged(model, twice)
        assert sorted(model.judged) == sorted(
            one["response"] for one in self.RESPONSES if one["response"]
        )

    def test_what_would_be_refused_is_refused_before_it_is_paid(self):
        model = SimulatedClaims()
        first = {**self.RESPONSES[0], "response": "Oslo is far."}
        refuses("1 more: 'q1'", judged, model, [*self.RESPONSES, first])
        whole = {"item": "q1", "response": "Oslo is far.", "confidence": 0.3}
        refuses("one whole or several parts", judged, model, [*self.RESPONSES, whole])
        refuses("none for 1", judged, model, self.RESPONSES[:3])
        parts = [{**one, "part": "x"} for one in REFERENCES]
        refuses("no column part", judged, model, self.RESPONSES, parts)
        refuses("repeated", judged, model, self.RESPONSES, repeated="first")
        refuses("extract", judged, model, self.RESPONSES, extract="final")
        assert not model.cut
        assert not model.judged

    def test_items_without_a_response_can_be_left_out_or_unanswered(self):
        for missing, more in (("leave_out", 0), ("unanswered", 1)):
            outcomes = judged(SimulatedClaims(), self.RESPONSES[:3], missing=missing)
            assert len(outcomes) == 3 + more


LONG = " ".join(f"Oslo holds {number} trees." for number in range(1000))


class TestHostileReplies:
    """Whatever a model replies, each answer keeps a row, and nothing is made up."""

    @pytest.mark.parametrize(
        ("reply", "claims"),
        [
            ('["A is B."]', ("A is B.",)),
            ('Here:\n```json\n["A is B.", "C."]\n```\nDone.', ("A is B.", "C.")),
            ('{"claims": ["A is B."], "n": 1}', ("A is B.",)),
            ("[]", ()),
            ('{"claims": []}', ()),
            ('<think>["no"]</think>["A is [B]."]', ("A is [B].",)),
            ('["old"] no, rather ["A is B."]', ("A is B.",)),
            ('["A is B.", "a  is\\nb.", " ", "C."]', ("A is B.", "C.")),
            ('["\\ud800 is B."]', ("? is B.",)),
        ],
    )
    def test_lists_are_found(self, reply, claims):
        found = listed_claims(Response(item=1, response=reply), "A is B and C is D.")
        assert found == claims

    @pytest.mark.parametrize(
        "reply",
        [
            *("It claims a lot.", "", "1. A is B.\n2. C is D.", '["A is B."', "null"),
            *("[1, 2]", '[["A is B."]]', '{"claims": "A"}', '[{"claim": "A"}]'),
            *("[" * 50_000, '["' * 50_000, '{"a":' * 5000, "[" * 900 + "]" * 900),
            json.dumps([f"Claim {n}" for n in range(100)]),
        ],
    )
    def test_without_a_list_an_answer_is_one_ungraded_part(self, reply):
        answer = "Oslo is a city."
        model = SimulatedClaims({answer: reply})
        responses = [{"item": "q1", "response": answer, "confidence": 0.5}]
        outcomes = judged(model, responses, REFERENCES[:1])
        assert rows(outcomes, "part", "outcome", "reason_code", "response") == [
            ("1", "ungraded", "cannot_tell", answer)
        ]
        assert not model.judged
        assert any("cannot tell is ungraded" in note for note in outcomes.notes)

    def test_a_list_that_was_cut_off_is_none(self):
        reply = completion('["Oslo is a city."]', finish_reason="length")
        with judge_server(lambda _: (200, {}, reply)) as (target, _):
            outcomes = demur.judge(
                RESPONSES[:1], REFERENCES[:1], by=f"claims({target})"
            )
        assert outcomes.outcome.tolist() == ["ungraded"]
        assert outcomes.reason[0].startswith("the judge's list of claims was cut off")

    def test_an_empty_list_is_a_whole_without_parts(self):
        model = SimulatedClaims({"Hello there!": "[]"})
        outcomes = judged(
            model, [{"item": "q1", "response": "Hello there!"}], REFERENCES[:1]
        )
        assert outcomes.outcome.tolist() == ["unanswered"]
        assert outcomes.reason.tolist() == ["the answer holds no claim"]

    def test_a_claim_that_the_answer_does_not_hold_is_judged_as_any(self):
        answer = "It is a city."
        model = SimulatedClaims({answer: '["Oslo is a city.", "Rome is old."]'})
        responses = [{"item": "q1", "response": answer}]
        outcomes = judged(model, responses, REFERENCES[:1])
        assert rows(outcomes, "response", "finding") == [
            ("Oslo is a city.", "supported"),
            ("Rome is old.", "not found"),
        ]

    def test_a_claim_without_a_verdict_is_ungraded_by_itself(self):
        model = SimulatedClaims({"Oslo is in Denmark.": "supported or contradicted"})
        outcomes = judged(model)
        assert rows(outcomes, "outcome", "finding")[:2] == [
            ("right", "supported"),
            ("ungraded", None),
        ]

    def test_an_answer_and_an_equal_claim_are_told_apart(self):
        text = "Oslo is a city."
        responses = [
            {"item": "q1", "system": "whole", "response": text},
            {"item": "q1", "system": "cut", "part": "1", "response": text},
        ]

        class CutsBadly(SimulatedClaims):
            def reply(self, prompt):
                said = super().reply(prompt)
                return "no" if said.startswith("[") else said

        outcomes = judged(CutsBadly(), responses, REFERENCES[:1])
        assert outcomes.outcome.tolist() == ["ungraded", "right"]

    def test_a_thousand_claims(self):
        model = SimulatedClaims()
        outcomes = judged(model, [{"item": "q1", "response": LONG}], REFERENCES[:1])
        assert len(outcomes) == 1000
        assert [*outcomes.part[[0, -1]]] == ["1", "1000"]
        assert outcomes.counts()["wrong"] == 1000


class TestCutting:
    """How answers are cut is a file, too."""

    GOOD = 'cutting = "mine"\nversion = 2\nshows = ["response"]\ninstructions = "{}"\n'

    def test_a_file_of_ones_own(self, tmp_path):
        file = tmp_path / "mine.toml"
        file.write_text(self.GOOD.format("You cut an answer of a help desk."))
        outcomes = judged(SimulatedClaims(), how={"cut": file})
        assert outcomes.recipe["cut"].startswith("mine/2/")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("cutting =", "must be TOML"),
            (GOOD.format("Cut it.") + "choices = []", "have no keys but cutting"),
            (GOOD.format("Cut it by {criterion}."), "{criterion}"),
            (GOOD.format(" "), "instructions must be a text"),
            (GOOD.format("Cut it.").replace("2", "0"), "whole number from 1"),
            (GOOD.format("Cut it.").replace("response", "answer"), "a field of shows"),
        ],
    )
    def test_a_wrong_file_is_one_line(self, tmp_path, text, message):
        file = tmp_path / "mine.toml"
        file.write_text(text)
        with pytest.raises(InputError) as caught:
            judged(SimulatedClaims(), how={"cut": file})
        assert message in str(caught.value)
        assert "mine.toml" in str(caught.value)

    def test_no_file_and_no_choice_to_leave_ungraded(self):
        refuses("be cut-claims, or a file", demur.ClaimsJudge, str, cut="cut-claim")
        refuses("be cut-claims, or a file", demur.ClaimsJudge, str, cut=7)
        with pytest.raises(InputError, match="have a choice 'not found'"):
            demur.ClaimsJudge(str, "same-answer", not_found="ungraded")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(Path("responses.jsonl"), RESPONSES)
    facts = [{"reference": one["text"], **one} for one in REFERENCES]
    for one in facts:
        del one["text"]
    write_records(Path("references.jsonl"), facts)


def command(target, *more):
    files = ["responses.jsonl", "references.jsonl"]
    return ["judge", *files, "--by", f"claims({target})", *more]


@pytest.mark.usefixtures("files")
class TestCommand:
    """``demur judge --by 'claims(...)'``."""

    def test_it_cuts_judges_and_the_curve_is_of_wholes(self):
        with judge_server(SimulatedClaims().reply) as (target, posted):
            code, _, err = run(*command(target, "-o", "o.jsonl"))
        assert code == 0
        assert len(posted) == 2 + 4  # a claim is the same in both answers
        said = [line.removeprefix("demur: ") for line in err.splitlines()]
        assert said[0].startswith("2 answers to cut into claims: at most 2 requests")
        assert said[1].startswith("5 different answers to judge: at most 4 requests")
        records = read_records(Path("o.jsonl"))
        assert [record.get("part") for record in records] == [*"12123", None]
        _, out, _ = run("curve", "o.jsonl")
        assert "Wholes" in out
        assert not [*Path().glob("o.jsonl.*")]

    def test_one_item_is_explained(self):
        with judge_server(SimulatedClaims().reply) as (target, _):
            code, out, _ = run(*command(target, "--explain", "q1"))
        assert code == 0
        assert "finding: contradicted" in out

    def test_a_cache_serves_later_runs(self):
        with judge_server(SimulatedClaims().reply) as (target, posted):
            for kept in ("", ", 6 of them kept from before"):
                _, _, err = run(*command(target, "--cache", "c"))
                assert f"replied to: 6{kept}" in err
        assert len(posted) == 6

    @pytest.mark.parametrize("paid", [1, 4])
    def test_a_run_that_ended_early_goes_on_and_pays_for_nothing_twice(self, paid):
        """Once while answers are cut, once while claims are judged."""
        model = SimulatedClaims()
        with judge_server(model.reply) as (target, posted):
            words = command(target, "-o", "o.jsonl", "--prices", "1000000", "0")
            err = stderr_of(*words, "--budget", str(100 * paid + 50), code=4)
            assert "the budget of" in err
            assert 0 < len(posted) < 6
            assert Path("o.jsonl.unfinished").exists()
            assert run(*words)[0] == 0
        assert len(posted) == 6
        assert len(set(model.cut)) == len(model.cut)

    def test_failures_are_asked_again_alone(self):
        down = {RESPONSES[0]["response"], "Oslo is old."}
        model = SimulatedClaims()

        def reply(prompt):
            if any(f"\n{text}\n<<<END ANSWER" in prompt for text in down):
                return 400, {}, {"error": {"message": "not today"}}
            return model.reply(prompt)

        with judge_server(reply) as (target, posted):
            code, _, err = run(*command(target, "-o", "o.jsonl"))
            assert "answers ungraded since the judge could not be had: 2" in err
            records = read_records(Path("o.jsonl"))
            assert (records[0]["part"], records[0]["outcome"]) == ("1", "ungraded")
            first = len(posted)
            down.clear()
            code, _, err = run(*command(target, "-o", "o.jsonl"))
        assert code == 0
        # One answer is cut, with one new claim; one claim had failed.
        assert (first, len(posted)) == (5, 8)
        assert len(read_records(Path("o.jsonl"))) == 6

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    def test_a_run_killed_in_both_steps_pays_for_nothing_twice(self):
        """By the log of the server, killed once while cutting, twice while judging."""
        n = 4
        write_records(
            Path("references.jsonl"),
            [{"item": k, "reference": FACTS} for k in range(n)],
        )
        write_records(
            Path("responses.jsonl"),
            [{"item": k, "response": f"Oslo is {k}. It has {k}."} for k in range(n)],
        )
        gate = Gate(SimulatedClaims().reply)
        with judge_server(gate) as (target, posted):
            words = command(target, "-o", "o.jsonl", "--concurrency", "2")
            for answered in (2, 4, 2):
                gate.begin(answered)
                assert killed(words, lambda: gate.wait_for_held(2))
                assert not Path("o.jsonl").exists()
            gate.begin(100)
            assert run(*words)[0] == 0
        assert len(gate.answered) == len({*gate.answered}) == 3 * n
        assert len(posted) == 3 * n + 3 * 2  # what was open is asked again, no more
        assert len(read_records(Path("o.jsonl"))) == 2 * n
