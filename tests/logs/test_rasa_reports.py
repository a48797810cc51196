"""Reports of Rasa: written by functions of release 3.6.21, counts that must come."""

import io
import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

import demur
from builders import damaged_value

FOLDER = Path(__file__).parents[1] / "golden/formats/rasa"
COUNTED = ("right", "wrong", "unanswered", "ungraded")


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("intent", "", (7, 3, 2, 0)),
        ("intent", "threshold=0.4", (6, 1, 5, 0)),
        ("intent", "threshold=0.4, below=declined", (7, 3, 2, 0)),
        ("intent", "no_intent=wrong", (7, 5, 0, 0)),
        ("intent", "fallback=greet", (7, 2, 3, 0)),
        ("response_selection", "item=text_and_intent", (2, 1, 1, 0)),
    ],
)
def test_reports_have_the_counts_that_must_come(kind, options, expected):
    files = [FOLDER / f"{kind}_{part}.json" for part in ("errors", "successes")]
    log = f"rasa({options})" if options else None
    held = demur.read_outcomes(*files, log=log).counts()
    assert tuple(held[each] for each in COUNTED) == expected


def test_what_rasa_declines_by_itself_keeps_its_guess():
    log = "rasa(threshold=0.4, below=declined)"
    outcomes = demur.read_outcomes(FOLDER / "intent_errors.json", log=log)
    assert outcomes.declined.sum() == 2
    assert any("holds errors alone" in note for note in outcomes.notes)


def test_the_same_text_twice_is_a_repeat_and_another_intent_another_item():
    guess = {"name": "a", "confidence": 0.5}
    rows = [
        {"text": "hi", "intent": intent, "intent_prediction": guess}
        for intent in ("a", "a", "b")
    ]
    file = io.BytesIO(json.dumps(rows).encode())
    outcomes = demur.read_outcomes(file, log="rasa(item=text_and_intent)")
    assert outcomes.item.tolist() == ["hi [a]", "hi [a]", "hi [b]"]


def test_a_report_by_intents_is_named_as_totals():
    with pytest.raises(demur.InputError, match=r"totals.*--successes"):
        demur.read_outcomes(FOLDER / "intent_report.json")


def test_damage_is_named_or_does_no_harm():
    held = (FOLDER / "intent_errors.json").read_text("utf-8")
    for seed in range(80):
        draw = random.Random(seed)
        text = json.dumps(damaged_value(draw, json.loads(held)))
        cut = draw.randrange(1, len(text)) if seed % 3 == 0 else len(text)
        with suppress(demur.DemurError):
            file = io.BytesIO(text[:cut].encode())
            assert len(demur.read_outcomes(file, log="rasa(threshold=0.4)")) <= 5


def test_entities_are_named_with_what_to_do():
    held = [{"text": "to Oslo", "entities": [], "predicted_entities": []}]
    with pytest.raises(demur.InputError, match=r"entities of Rasa.*--by slots"):
        demur.read_outcomes(io.BytesIO(json.dumps(held).encode()))
