"""What logs propose to type is the whole option: nothing that was typed gets lost."""

from pathlib import Path

import pytest

import demur

FOLDER = Path(__file__).parents[1] / "golden/formats"


def test_an_error_proposes_one_option_beside_those_that_were_typed() -> None:
    log = "inspect(confidence=none, no_answer=don't know)"
    with pytest.raises(demur.InputError) as refused:
        demur.read_outcomes(FOLDER / "inspect/facts.eval", log=log)
    first = str(refused.value).partition("several; got ")[2].partition(",")[0]
    typed = "inspect(confidence=none, no_answer=don'\"'\"'t know, scorer="
    assert f"--log '{typed}{first})'" in str(refused.value)


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
