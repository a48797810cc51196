"""What logs propose to type is the whole option: nothing that was typed gets lost."""

import io
import json
import re
import shlex
from pathlib import Path

import pytest

import demur
from builders import printed, stderr_of

FOLDER = Path(__file__).parents[1] / "golden/formats"


def test_an_error_proposes_one_option_beside_those_that_were_typed() -> None:
    log = "inspect(confidence=none, no_answer=don't know)"
    with pytest.raises(demur.InputError) as refused:
        demur.read_outcomes(FOLDER / "inspect/facts.eval", log=log)
    first = str(refused.value).partition("several; got ")[2].partition(",")[0]
    typed = "inspect(confidence=none, no_answer=don'\"'\"'t know, scorer="
    assert f"--log '{typed}{first})'" in str(refused.value)


def test_a_scorer_is_proposed_with_all_else_that_will_be_asked_for() -> None:
    head = {"eval": {"task": "t", "model": "m"}, "status": "success"}
    listed = [{"token": "?", "logprob": -0.5}]
    samples = [
        {
            **{"id": n, "epoch": 1},
            "output": {
                "choices": [
                    {
                        "message": {"role": "assistant", "content": text},
                        "logprobs": {"content": [{**listed[0], "token": text}]},
                    }
                ]
            },
            "scores": {"includes": {"value": grade}, "match": {"value": "I"}},
        }
        for n, (text, grade) in enumerate((*[("Oslo", "C")] * 25, ("No idea.", "I")))
    ]
    file = json.dumps({**head, "samples": samples}).encode()
    for log, typed in (
        (None, "scorer=includes, confidence=logprobs, no_answer=refusals"),
        ("inspect(confidence=none)", "confidence=none, scorer=includes, no_answer="),
        ("inspect(no_answer=x)", "no_answer=x, scorer=includes, confidence=logprobs)"),
    ):
        with pytest.raises(demur.InputError) as refused:
            demur.read_outcomes(io.BytesIO(file), log=log)
        assert f"--log 'inspect({typed}" in str(refused.value)


def test_a_note_proposes_one_option_beside_those_that_were_typed() -> None:
    log = "promptfoo(error=ungraded, confidence=namedScores.confidence)"
    notes = demur.read_outcomes(FOLDER / "promptfoo/facts.json", log=log).notes
    whole = "promptfoo(confidence=namedScores.confidence, error=ungraded, no_answer="
    assert any(f"--log '{whole}refusals)'" in note for note in notes)


def test_what_is_proposed_replaces_what_was_typed_for_it() -> None:
    log = "promptfoo(confidence=vars, no_answer=refusals)"
    with pytest.raises(demur.InputError) as refused:
        demur.read_outcomes(FOLDER / "promptfoo/facts.json", log=log)
    assert "--log 'promptfoo(confidence=logprobs, no_answer=refusals)'" in str(
        refused.value
    )


def test_choose_prints_the_whole_line_for_a_log_without_a_confidence(tmp_path) -> None:
    results = json.loads((FOLDER / "promptfoo/facts.json").read_text("utf-8"))
    path = tmp_path / "a b.json"
    path.write_text(json.dumps(results), "utf-8")
    err = stderr_of(
        *("choose", path, "--log", "promptfoo(error=ungraded)"),
        *("--max-error", "0.1", "--of", "answered", "--certainty", "0.9"),
    )
    line = re.search(r"demur choose .*?refusals\)'", err)
    assert line is not None
    assert shlex.split(line[0]) == [
        *("demur", "choose", str(path), "--max-error", "0.1", "--of", "answered"),
        *("--certainty", "0.9", "--log"),
        "promptfoo(error=ungraded, confidence=namedScores.confidence, "
        "no_answer=refusals)",
    ]
    assert "of answered" in printed(*shlex.split(line[0])[1:])


def test_a_scorer_that_must_be_named_stands_in_the_whole_line() -> None:
    path = FOLDER / "inspect/facts.eval"
    err = stderr_of("curve", path, "--log=inspect(error=ungraded)", "--json")
    line = re.search(r"Such as: (demur curve .*\)')", err)
    assert line is not None
    words = shlex.split(line[1])
    assert words[:5] == ["demur", "curve", str(path), "--json", "--log"]
    assert "scorer=" in words[5]
    assert printed(*words[1:])


def test_what_looks_like_a_refusal_after_all_is_noted() -> None:
    results = json.loads((FOLDER / "promptfoo/facts.json").read_text("utf-8"))
    wrong = [r for r in results["results"]["results"] if not r["success"]]
    wrong = [r for r in wrong if r["failureReason"] == 1]
    said = "I'm sorry, I can't help with that. Try a library."
    wrong[-1]["response"] = {"output": said}
    file = io.BytesIO(json.dumps(results).encode())
    log = "promptfoo(confidence=none, no_answer=refusals)"
    notes = demur.read_outcomes(file, log=log).notes
    [note] = [note for note in notes if "surely enough" in note]
    assert note.startswith(repr(said)[:20])
    assert "--log 'promptfoo(confidence=none, no_answer=PATTERN)'" in note
