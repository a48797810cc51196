"""Wizard-of-Oz sessions as target dialogues, with what was changed."""

import io
import json

import pytest

import demur
from builders import refuses
from demur.logs import log_reader


def wizard(*rows):
    text = "\n".join(json.dumps({"dialogue": "d", **row}) for row in rows)
    return demur.read_wizard_log(io.BytesIO(text.encode()))


def test_a_wizard_log_says_what_was_changed_and_why():
    [found] = wizard(
        {"speaker": "user", "text": "hi", "acts": "greet"},
        {"speaker": "wizard", "acts": ["greet.back"]},
        {"speaker": "user", "text": "sing!", "change": "removed", "why": "no singing"},
        {"speaker": "wizard", "acts": ["sing"]},
        {"speaker": "user", "text": "mumble", "acts": []},
        {
            "speaker": "wizard",
            "acts": ["request.repeat"],
            "change": "clarification",
            "why": "not supported",
            "was": {"acts": ["guess"]},
        },
        {"speaker": "wizard", "acts": ["joke"], "change": "removed", "why": "no jokes"},
        {"speaker": "wizard", "acts": ["wait"], "change": "inserted", "why": "silence"},
        {
            "speaker": "wizard",
            "acts": ["sing"],
            "change": "removed",
            "why": "no singing",
            "was": "a song",
        },
    )
    first, second = found.turns
    assert (first.target, first.changes) == ({"nlu": "greet", "dm": ["greet.back"]}, ())
    assert [each.input for each in found.removed] == ["sing!"]
    assert found.removed[0].changes[0].why == "no singing"
    assert second.target == {"dm": ["request.repeat", "wait"]}
    assert [(c.what, c.was) for c in second.changes] == [
        ("clarification", {"acts": ["guess"]}),
        ("removed", {"text": None, "acts": ["joke"]}),
        ("inserted", None),
        ("removed", "a song"),
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"speaker": "wizard", "acts": ["a"]}], ":1: the system must speak after"),
        ([{"speaker": "user"}], ":1: text must be there"),
        ([{"speaker": "", "text": "a"}], "speaker must be a name"),
        (
            [{"speaker": "user", "text": "a", "acts": 3}],
            "acts must be an act or a list",
        ),
        (
            [{"speaker": "user", "text": "a", "change": "gone", "why": "x"}],
            "change must be one of removed",
        ),
        ([{"speaker": "user", "text": "a", "change": "removed"}], "why must be a text"),
        ([{"speaker": "user", "text": "a", "why": "x"}], "change must stand with why"),
        (
            [{"speaker": "user", "text": "a", "change": "removed", "why": "x"}],
            "dialogue d must keep a turn",
        ),
    ],
)
def test_rows_of_a_wizard_log_that_are_wrong_are_named(rows, said):
    refuses(said, wizard, *rows)


def test_the_notes_count_what_has_no_response_and_what_was_removed():
    rows = [
        {"speaker": "user", "text": "hi", "acts": "greet"},
        {"speaker": "user", "text": "sing!", "change": "removed", "why": "no singing"},
    ]
    lines = [json.dumps({"dialogue": "d", **row}) for row in rows]
    for unanswered, target in (("left_out", {}), ("silence", {"dm": []})):
        reader = log_reader(f"wizard(no_response={unanswered})")
        log = reader.read(io.BytesIO("\n".join(lines).encode()))
        [dialogue] = log.dialogues
        assert dialogue.turns[0].target == {"nlu": "greet", **target}
        assert dialogue.log == f"wizard(no_response={unanswered})"
        assert log.notes == (
            "turns marked as removed: 1",
            f"utterances without a response (no_response={unanswered}): 1",
        )
