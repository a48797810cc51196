"""Results of promptfoo: made by release 0.123.1, with the counts that must come."""

import io
import json
import math
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from builders import damaged_value, run, stderr_of

FOLDER = Path(__file__).parents[1] / "golden/formats/promptfoo"
COUNTED = ("right", "wrong", "unanswered", "ungraded")


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("facts.json", "", (8, 9, 3, 0)),
        ("facts.jsonl", "", (8, 9, 3, 0)),
        ("facts.csv", "", (8, 11, 1, 0)),  # which has no flags of refusals
        ("facts.json", "no_answer=refusals, error=ungraded", (8, 4, 7, 1)),
        ("facts.csv", "no_answer=refusals, error=ungraded", (8, 4, 7, 1)),
        ("facts.json", "refusal=wrong, error=leave_out", (8, 11, 0, 0)),
        ("facts.json", "verdict=namedScores.correct", (8, 9, 3, 0)),
        ("facts.json", "verdict=score, threshold=0.3", (15, 2, 3, 0)),
        ("repeat2.json", "", (6, 6, 0, 0)),
        ("echo.json", "", (3, 3, 0, 0)),
        ("echo.csv", "", (3, 3, 0, 0)),
        ("results.json", "", (1, 2, 1, 0)),
        ("results.json", "no_answer=refusals", (1, 1, 2, 0)),
    ],
)
def test_results_have_the_counts_that_must_come(name, options, expected):
    log = f"promptfoo({options})" if options else None
    held = demur.read_outcomes(FOLDER / name, log=log).counts()
    assert tuple(held[each] for each in COUNTED) == expected


def test_providers_are_systems_prompts_settings_and_repeats_repeats():
    facts = demur.read_outcomes(FOLDER / "facts.json", display=True)
    assert set(facts.system) == {"model-a", "model-b"}
    assert (facts.item[0], facts.reference[0]) == ("q01", "Paris")
    assert facts.input[0] == "What is the capital of France?"
    assert "1 of 20 requests failed: not answers" in facts.notes[0]
    echo = demur.read_outcomes(FOLDER / "echo.json")
    assert set(echo.setting) == {"{{word}}", "You said {{word}}"}
    repeated = demur.read_outcomes(FOLDER / "repeat2.json")
    assert len(set(repeated.item)) == 3


def test_confidences_are_proposed_and_read_where_they_are_named():
    facts = demur.read_outcomes(FOLDER / "facts.json")
    assert any("promptfoo(confidence=namedScores.confidence)" in n for n in facts.notes)
    log = "promptfoo(confidence=namedScores.confidence)"
    assert demur.read_outcomes(FOLDER / "facts.json", log=log).confidence[0] == 0.97


def test_verdicts_that_contradict_their_grading_are_counted():
    held = json.loads((FOLDER / "echo.json").read_text("utf-8"))
    assert not any("contradicts" in note for note in _read(held).notes)
    graded = [r for r in held["results"]["results"] if r["gradingResult"]["pass"]]
    for result in graded[:2]:
        result["gradingResult"]["pass"] = False
    believed = _read(held)
    assert believed.counts()["right"] == 3
    [note] = [note for note in believed.notes if "contradicts" in note]
    assert ": 2, read as success says" in note
    other = _read(held, "promptfoo(verdict=gradingResult.pass)")
    assert other.counts()["right"] == 1
    assert not any("contradicts" in note for note in other.notes)


def _read(held, log=None):
    return demur.read_outcomes(io.BytesIO(json.dumps(held).encode()), log=log)


def test_an_export_is_read_in_whatever_order_its_keys_stand():
    held = json.loads((FOLDER / "facts.json").read_text("utf-8"))
    expected = demur.read_outcomes(FOLDER / "facts.json").counts()
    held["metadata"] = {"note": "x" * 10}
    backwards = {name: held[name] for name in sorted(held, reverse=True)}
    behind = {"config": {"text": "x" * 200_000}, **held}
    for text in (
        json.dumps(held, sort_keys=True),
        json.dumps(held, sort_keys=True, indent=2),
        json.dumps(backwards),
        json.dumps(behind),
    ):
        file = io.BytesIO(text.encode())
        assert demur.read_outcomes(file, log="promptfoo").counts() == expected


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            "verdict=namedScores.ok",
            "1: namedScores.ok must be there; got nothing. In namedScores stand",
        ),
        ("item=vars.nr", "1: vars.nr must be there; got nothing. In vars stand"),
        ("item=number", "1: number must be there; got nothing. There are"),
    ],
)
def test_a_path_that_leads_nowhere_is_named_with_what_is_there(log, message):
    with pytest.raises(demur.InputError, match=message):
        demur.read_outcomes(FOLDER / "facts.json", log=f"promptfoo({log})")


def test_tests_that_assert_nothing_are_not_judged():
    held = json.loads((FOLDER / "facts.json").read_text("utf-8"))
    for result in held["results"]["results"]:
        result["gradingResult"] = None
        result["testCase"].pop("assert")
    file = io.BytesIO(json.dumps(held).encode())
    with pytest.raises(demur.InputError, match="Judge them"):
        demur.read_outcomes(file)


def test_damage_is_named_or_does_no_harm():
    held = (FOLDER / "facts.json").read_text("utf-8")
    table = (FOLDER / "facts.csv").read_text("utf-8")
    for seed in range(80):
        draw = random.Random(seed)
        value = json.loads(held)
        del value["results"]["results"][4:]
        text = json.dumps(damaged_value(draw, value))
        text = table if seed % 4 == 0 else text
        cut = draw.randrange(1, len(text)) if seed % 2 == 0 else len(text)
        with suppress(demur.DemurError):
            file = io.BytesIO(text[:cut].encode())
            assert len(demur.read_outcomes(file, log="promptfoo")) <= 20


def test_results_of_version_2_are_read_with_one_setting():
    def result(question, **more):
        prompt = {"raw": question, "display": "{{question}}"}
        variables = {"question": question}
        return {"provider": {"id": "p"}, "prompt": prompt, "vars": variables, **more}

    graded = {"componentResults": [{"pass": True, "assertion": {"type": "equals"}}]}
    results = [
        result("1 + 1", success=True, response={"output": "2"}, gradingResult=graded),
        result("2 + 2", success=False, response={"output": "5"}, gradingResult=graded),
        result("3 + 3", success=False, error="API error: 500"),
    ]
    table = {"head": {}, "body": []}
    summary = {"version": 2, "timestamp": "t", "results": results, "table": table}
    file = io.BytesIO(json.dumps({"evalId": "e", "results": summary}).encode())
    outcomes = demur.read_outcomes(file)
    assert list(outcomes.counts().values()) == [1, 1, 1, 0]
    assert outcomes.setting is None
    assert outcomes.item.tolist() == ["1 + 1", "2 + 2", "3 + 3"]
    assert outcomes.notes[0].startswith("1 of 3 requests failed: not answers")
    assert not any("there is no column" in note for note in outcomes.notes)


# -- tokens ------------------------------------------------------------------------


def result(number: int, logs: Any, **response: Any) -> dict[str, Any]:
    held = {"output": "Oslo", **response}
    if logs is not None:
        held["logProbs"] = logs
    return {
        **{"promptIdx": 0, "testIdx": number, "promptId": "p", "provider": "m"},
        **{"vars": {"q": str(number)}, "response": held, "success": True},
        "gradingResult": {"pass": True, "componentResults": [{"pass": True}]},
    }


def read_results(results: list[dict[str, Any]], log: str) -> demur.Outcomes:
    text = "\n".join(map(json.dumps, results)).encode()
    return demur.read_outcomes(io.BytesIO(text), log=log)


def test_log_probabilities_of_a_reply_are_a_confidence() -> None:
    rows = [result(0, [-0.5, -0.25]), result(1, [-1.0, 0])]
    outcomes = read_results(rows, "promptfoo(confidence=logprobs)")
    assert outcomes.confidence is not None
    assert np.log(outcomes.confidence).round(6).tolist() == [-0.75, -1.0]
    assert "confidence=logprobs" in outcomes.recipe["log"]
    outcomes = read_results(rows, "promptfoo")
    assert outcomes.confidence is None
    assert any("promptfoo(confidence=logprobs)" in note for note in outcomes.notes)
    late = [result(2 + n, None) for n in range(25)] + rows
    outcomes = read_results(late, "promptfoo")
    assert any("promptfoo(confidence=logprobs)" in note for note in outcomes.notes)
    with pytest.raises(
        demur.InputError, match=r"such as 0\.9.*logprobs.', the product"
    ):
        read_results(rows, "promptfoo(confidence=response.logProbs)")


def test_assertions_are_met_wherever_they_stand_in_an_export():
    rows = [result(n, None) for n in range(250)]
    for row in rows[:240]:
        row["gradingResult"] = None
    held = {"results": {"version": 3, "results": rows}, "evalId": "e"}
    outcomes = demur.read_outcomes(io.BytesIO(json.dumps(held).encode()))
    assert list(outcomes.counts().values()) == [10, 0, 0, 240]


def test_who_chooses_a_cutoff_without_confidences_is_told_where_they_may_be(tmp_path):
    path = tmp_path / "results.jsonl"
    rows = [result(n, [-0.5 * n]) for n in range(4)]
    path.write_text("\n".join(map(json.dumps, rows)))
    told = stderr_of("choose", path, "--max-error", "0.1")
    assert "No confidence is read; numbers that may be one: logprobs, the" in told
    assert "0.1 --log 'promptfoo(confidence=logprobs)'). --prices" in told
    log = "promptfoo(confidence=logprobs)"
    assert run("choose", path, "--max-error", "0.1", "--log", log).code == 0
    for row in rows:
        del row["response"]["logProbs"]
    path.write_text("\n".join(map(json.dumps, rows)))
    told = stderr_of("choose", path, "--max-error", "0.1", "--log", log)
    assert "Nothing in the file has logprobs, so no confidence is read of it." in told


@pytest.mark.parametrize(
    "logs", [[], "x", [None], ["-1"], [True], [math.nan], [10**400], {"a": 1}]
)
def test_log_probabilities_that_are_none_give_no_confidence(logs: Any) -> None:
    outcomes = read_results([result(0, logs)], "promptfoo(confidence=logprobs)")
    assert outcomes.confidence is None
    told = "nothing in the file has logprobs, so no confidence is read of it"
    assert told in outcomes.notes
