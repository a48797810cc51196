"""Records of responses and references: what they may hold, and where a fault is."""

from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.outcomes.target_dialogues import TargetDialogue, TargetTurn
from demur.outcomes.values import reason

NAN = float("nan")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (Response(item="q", response=0.5, error=7), "row 1: error must be a text"),  # type: ignore[arg-type]
        (Response(item="q", failed=7), "row 1: failed must be a text"),  # type: ignore[arg-type]
        (
            Response(item="q", error="a", failed="b"),
            "row 1: a response must have either",
        ),
        (
            {"item": 1, "response": 1, "failed": 1, "error": "x"},
            "must have either error",
        ),
        ({"item": 1}, "row 1: a record must have a field response"),
        ({"item": 1, "failed": "no"}, "must have a field response"),
        ({}, "must have a field item; got no fields"),
        (["q", 1], "row 1: a response must be a Response or a mapping"),
    ],
)
def test_responses_that_are_none(record: Any, said: str) -> None:
    refuses(said, as_response, record, "row 1")


@pytest.mark.parametrize(
    ("record", "held"),
    [
        ({"item": 1, "response": 0.5}, (0.5, None, None)),
        ({"item": 1, "response": None}, (None, None, None)),
        ({"item": 1, "response": NAN}, (None, None, None)),
        (Response(item="q", response=np.float32(NAN)), (None, None, None)),
        ({"item": 1, "failed": "Yes"}, (None, None, "failed")),
        ({"item": 1, "error": "time-out"}, (None, "time-out", None)),
        ({"item": 1, "response": 0, "error": "no"}, (0, None, None)),
        (Response(item="q", response=0.5, error="x"), (0.5, "x", None)),
    ],
)
def test_responses(record: Any, held: tuple[Any, ...]) -> None:
    found = as_response(record, "row 1")
    assert (found.response, found.error, found.failed) == held


@pytest.mark.parametrize(
    ("value", "why"),
    [
        *((None, None), (True, "failed"), (np.bool_(True), "failed"), (False, None)),
        *((1, "failed"), (0, None), ("YES", "failed"), (" No ", None), ("none", None)),
        *(("", None), ("null", None), ("time-out", "time-out"), ("0", None)),
    ],
)
def test_why_something_went_wrong(value: Any, why: str | None) -> None:
    assert reason("failed", value, "row 1") == why


@pytest.mark.parametrize("value", [7, -1, 1.0, 0.0, [1], {}])
def test_what_is_no_reason(value: Any) -> None:
    refuses("row 1: failed must be a text that", reason, "failed", value, "row 1")


@pytest.mark.parametrize(
    ("record", "alternatives"),
    [
        ({"reference": "a"}, (("a", 1.0),)),
        ({"reference": 0}, ((0, 1.0),)),
        (
            {"references": ["a", {"value": "b", "weight": 0.5}]},
            (("a", 1.0), ("b", 0.5)),
        ),
        ({"references": [{"value": "b"}]}, (("b", 1.0),)),
        ({"references": ("a",), "answerable": None}, (("a", 1.0),)),
        (
            {"references": [{"value": 1, "unit": "m"}]},
            (({"value": 1, "unit": "m"}, 1.0),),
        ),
        ({"references": [{"unit": "m"}]}, (({"unit": "m"}, 1.0),)),
        ({"reference": None, "answerable": False}, ()),
        ({"reference": "a", "weight": np.float32(2)}, (("a", 1.0),)),
        ({"reference": "a", "answerable": np.bool_(True)}, (("a", 1.0),)),
    ],
)
def test_references(record: dict[str, Any], alternatives: Any) -> None:
    assert as_reference({"item": 1, **record}, "row 1").alternatives == alternatives


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({}, "a reference must give at least one acceptable value"),
        ({"sql": "SELECT 1"}, "Queries are judged with --by sql"),
        ({"references": []}, "must give at least one"),
        ({"references": "a"}, "references must be a list of acceptable values"),
        ({"reference": "a", "references": ["b"]}, "either reference or references"),
        ({"reference": NAN}, "an acceptable answer must be a value"),
        ({"references": ["a", None]}, "an acceptable answer must be a value"),
        ({"references": [{"value": 1, "wieght": 0.5}]}, "no fields but value and weig"),
        (
            {"references": [{"value": 1, "weight": 1, "unit": "m"}]},
            "no fields but value",
        ),
        ({"reference": "a", "answerable": "no"}, "answerable must be true or false"),
        ({"reference": "a", "weight": 0}, "weight must be positive and finite"),
        ({"reference": "a", "weight": True}, "weight must be positive and finite"),
        *(
            ({"references": [{"value": 1, "weight": weight}]}, "above 0 and at most 1")
            for weight in (0, -0.5, 1.5, NAN, True, "1", None)
        ),
    ],
)
def test_references_that_are_none(record: dict[str, Any], said: str) -> None:
    with pytest.raises(demur.InputError, match=f"^row 1: .*{said}"):
        as_reference({"item": 1, **record}, "row 1")


def test_a_reference_that_is_judged_otherwise_needs_no_value() -> None:
    bare = Reference(item="q", place="a:3")
    assert as_reference(bare, "row 1", otherwise=True) is bare
    refuses("^a:3: a reference must give", as_reference, bare, "row 1")
    for pair in (("a",), ["a", 1.0], ("a", 1.0, 2)):
        odd = Reference(item="q", alternatives=(pair,))  # type: ignore[arg-type]
        for otherwise in (False, True):
            said = r"^row 1: an acceptable answer must be a pair \(value, weight\)"
            refuses(said, as_reference, odd, "row 1", otherwise=otherwise)
    for weight, fits in ((1.0, True), (1, True), (0.001, True), (1.001, False)):
        given = Reference(item="q", alternatives=(("a", weight),))
        if fits:
            assert as_reference(given, "row 1") is given
        else:
            refuses("at most 1", as_reference, given, "row 1")


def test_dialogues_are_the_same_wherever_they_were_read() -> None:
    turn = TargetTurn(input="hi", target={"nlu": "greet"})
    one, two = (
        TargetDialogue("d", [turn], place=place, log=log)
        for place, log in (("a:1", "wizard"), ("b:9", "acts"))
    )
    assert one == two
    assert "wizard" not in repr(one)
    assert (one.where(0), TargetDialogue("d", [turn]).where(0)) == (
        "a:1",
        "dialogue d:1",
    )
