"""Texts with the act of each utterance below it, as target dialogues."""

import io

import pytest

import demur
from demur.logs import log_reader


def test_the_text_format():
    text = """
# dialogue first
user: who took it?
~ whq.thief
# a remark
porter: Why should I tell? Well: never.
~ elicit-offer.secrecy
~ refuse

User: hello
~ greet
~ ask.name
user: and nobody answers
"""
    first, second = demur.read_act_text(io.BytesIO(text.encode()))
    assert (first.dialogue, second.dialogue) == ("first", "d2")
    assert first.turns[0].input == "who took it?"
    assert first.turns[0].target == {
        "nlu": "whq.thief",
        "dm": ["elicit-offer.secrecy", "refuse"],
    }
    assert second.turns[0].target == {"nlu": ["greet", "ask.name"], "dm": []}
    assert second.turns[1].target == {"dm": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("~ greet\n", "text:1: an act must be below an utterance"),
        ("user: a\n~\n", "text:2: an act must be below"),
        ("porter: hi\n", "text:1: the system must speak after the user"),
        ("user: a\nwhat is this\n", "text:2: a line must begin with a speaker"),
        ("# dialogue d\n\n", "text:1: dialogue d must have a turn"),
        (
            "# dialogue d\nuser: a\n# dialogue d\nuser: b\n",
            "text:3: a dialogue must stand once",
        ),
        ("# nothing\n", "must hold a dialogue"),
    ],
)
def test_lines_of_the_text_that_are_wrong_are_named(text, said):
    with pytest.raises(demur.InputError, match=said):
        demur.read_act_text(io.BytesIO(text.encode()))


TEXT = b"Caller: hi\n~ greet\nporter: hello\n~ greet.back\nCaller: and now\n"


def test_the_options_of_the_text():
    reader = log_reader("acts(user=caller, modules=asr+reply, no_response=left_out)")
    log = reader.read(io.BytesIO(TEXT))
    [dialogue] = log.dialogues
    answered, unanswered = dialogue.turns
    assert answered.target == {"asr": "greet", "reply": ["greet.back"]}
    assert unanswered.target == {}
    assert log.notes == ("utterances without a response (no_response=left_out): 1",)
    assert dialogue.log == str(reader)


def test_silence_is_the_target_where_nobody_answers():
    log = log_reader("acts(user=caller)").read(io.BytesIO(TEXT))
    assert log.dialogues[0].turns[1].target == {"dm": []}
    assert log.dialogues[0].log == "acts(user=caller, no_response=silence)"


@pytest.mark.parametrize("modules", ["nlu", "nlu+dm+tts", "nlu+", ("nlu", 3)])
def test_the_acts_are_of_two_modules(modules):
    with pytest.raises(demur.InputError, match="acts: modules must be two names"):
        demur.read_act_text(io.BytesIO(TEXT), modules=modules)
