"""Replies of judges: plain ones, dressed ones, and those that say nothing."""

import pytest

from demur.judge_models.replies import choice_of, read_judge_reply
from demur.judge_models.rubrics import read_rubric
from demur.outcomes.records import Response

SAME = read_rubric("same-answer")
THREE = read_rubric("three-grades")


def read(text, rubric=SAME, **more):
    return read_judge_reply(Response(item=1, response=text, **more), rubric)


READABLE = {
    "the form": ("It is so.\nAnswer: right\nConfidence: 90 %", "right", 0.9),
    "capitals": ("ANSWER: WRONG\nCONFIDENCE: 75 %", "wrong", 0.75),
    "bold": (
        "They differ.\n\n**Answer:** **wrong**\n**Confidence:** 75%",
        "wrong",
        0.75,
    ),
    "bold around": ("**Answer: right**", "right", None),
    "a heading": ("## Verdict\nAnswer: right", "right", None),
    "a word alone": ("right", "right", None),
    "a word with a stop": ("Correct.", "right", None),
    "a word and why": ("Incorrect, since Bergen is another city", "wrong", None),
    "the last line": ("The answer names Bergen.\nSo it is:\nwrong", "wrong", None),
    "verdict": ("They mean the same.\nVerdict: correct", "right", None),
    "a grade": ("Both name Oslo.\n**My final grade: CORRECT**", "right", None),
    "tags": ("<answer>cannot tell</answer>", "cannot tell", None),
    "thoughts": ("<think>Answer: wrong</think>\nAnswer: right", "right", None),
    "thoughts without begin": ("Answer: wrong?</think>Answer: right", "right", None),
    "two labels": ("Answer: wrong\nNo, wait.\n\nAnswer: right", "right", None),
    "JSON": (
        '{"verdict": "right", "reason": "Both.", "confidence": 0.7}',
        "right",
        0.7,
    ),
    "JSON in a fence": ('```json\n{"verdict": "WRONG"}\n```', "wrong", None),
    "JSON behind words": (
        'I say:\n{"grade": "Correct", "confidence": 80}',
        "right",
        0.8,
    ),
    "JSON with a flag": ('{"result": true}', "right", None),
    "JSON, answer": ('{"answer": "right", "confidence": "90 %"}', "right", 0.9),
    "an answer quoted before": (
        "Answer: Oslo is said.\n\nAnswer: right",
        "right",
        None,
    ),
    "tags quoted before": (
        "It holds <answer>right</answer>, a trick.\nAnswer: wrong\nConfidence: 90 %",
        "wrong",
        0.9,
    ),
    "JSON quoted before": (
        'It holds\n```\n{"confidence": 1}\n```\nAnswer: wrong\nConfidence: 90 %',
        "wrong",
        0.9,
    ),
    "a word and why behind a colon": ("Wrong: it names Bergen", "wrong", None),
    "a word, no doubt": ("Answer: right, no doubt", "right", None),
    "German": ("Beide meinen Oslo.\nAnswer: richtig", "right", None),
    "Chinese": ("Answer\uff1a正确", "right", None),
    "an apostrophe": ("Answer: can\u2019t tell", "cannot tell", None),
    "a flag": (True, "right", None),
    "an object": ({"verdict": "wrong"}, "wrong", None),
}


@pytest.mark.parametrize("name", READABLE)
def test_a_verdict_is_read(name):
    text, word, sure = READABLE[name]
    found = read(text)
    assert (found.choice and found.choice.name) == word
    assert found.confidence == sure


UNREADABLE = {
    "nothing": "",
    "blanks": " \n",
    "another word": "Answer: maybe",
    "the form": "Answer: <one of: right, wrong, cannot tell>\nConfidence: <a number>",
    "the choices": "Answer: right, wrong or cannot tell",
    "the choices with bars": "right | wrong | cannot tell",
    "a sentence about it": "I do not see whether the answer is right.",
    "a sentence of the form": "You say how sure you are that the answer is right",
    "what somebody says": "It says no more.\nThe text says: right",
    "a label that denies": "Correct: no",
    "a label that denies in two words": "Correct: not really",
    "a label that counts": "Correct: 0 of 2 facts",
    "a question that denies": "Same? No.",
    "a question and its form": "Same (yes/no): no",
    "an object with another key": '{"correct": 0}',
    "an object with another key, and a flag": '{"correct": false}',
    "both, shortly": "Answer: yes, no",
    "a refusal": "I'm sorry, but I can't help with that.",
    "cut off within thoughts": "<think>It says Oslo, so right",
    "prose": "The reference is Oslo.\nThe answer is about fjords and right whales.",
    "a table": "| right | wrong |\n|---|---|\n| 1 | 0 |",
    "rubbish": "\x00\x01 {{{{ [[ \ufffd",
    "very long": "right " * 3_000,
    "a number": 3,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_no_verdict_is_none_and_is_quoted_shortly(name):
    found = read(UNREADABLE[name])
    assert found.choice is None
    assert found.reason.startswith("no verdict in the judge's reply")
    assert len(found.reason) < 200
    assert found.reason.isprintable()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"declined": True, "kind": "idk"}, 'the judge declines: "I don\'t know"'),
        ({"kind": "filter"}, "the judge's reply was held back: \"I don't know\""),
        ({"kind": "truncated"}, "the judge's reply was cut off: \"I don't know\""),
    ],
)
def test_a_reply_of_a_chat_without_an_answer_says_why(more, reason):
    found = read(None, extra={"reply": "I don't know"}, **more)
    assert (found.choice, found.reason) == (None, reason)


def test_how_sure_the_system_says_it_is_counts_before_what_is_stated():
    found = read("Answer: right\nConfidence: 90 %", confidence=-0.25)
    assert found.confidence == -0.25


def test_of_several_samples_the_reason_is_one_that_agrees():
    replies = ["No.\nAnswer: wrong", "Yes, it is.\nAnswer: right", "Answer: right"]
    found = read("right", confidence=2 / 3, extra={"replies": replies})
    assert (found.choice.name, found.reason) == ("right", "Yes, it is.")
    assert found.confidence == 2 / 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("It is so.\n\nReally.\nAnswer: right\nConfidence: 9 %", "It is so. Really."),
        ("Answer: right\nConfidence: 9 %\n\nBecause it is.", "Because it is."),
        ('{"verdict": "right", "explanation": "It is so."}', "It is so."),
        ("<think>Hm.</think>It is so.\nAnswer: right", "It is so."),
        ("right", ""),
        ("<answer>right</answer>", ""),
    ],
)
def test_the_reason_is_in_the_words_of_the_judge(text, reason):
    assert read(text).reason == reason


def test_the_letters_of_the_form_are_no_grade():
    assert choice_of("A, B, or C", THREE) is None
    assert choice_of("A: CORRECT", THREE).name == "correct"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("wrong. The right answer is Oslo.", "wrong"),
        ("Wrong: it names Bergen, the right one is Oslo", "wrong"),
        ("right. It is not the wrong city.", "right"),
        ("wrong. It is right.", None),
        ("wrong, or the right", None),
    ],
)
def test_a_verdict_may_be_explained_by_what_would_be_right(text, name):
    choice = choice_of(text, SAME)
    assert (choice and choice.name) == name


def test_a_long_reason_is_cut_behind_a_word():
    reason = read("word " * 500 + "\nAnswer: right").reason
    assert len(reason) <= 303
    assert reason.endswith("word...")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A", "correct"),
        ("B: INCORRECT", "incorrect"),
        ("(C)", "not attempted"),
        ("NOT_ATTEMPTED", "not attempted"),
        ("Not attempted: it asks back", "not attempted"),
    ],
)
def test_grades_are_read_by_letter_and_in_capitals(text, name):
    assert choice_of(text, THREE).name == name
    assert read(f"Answer: {text}", THREE).choice.name == name


def test_a_reason_holds_nothing_that_a_file_could_not_hold():
    assert read("It says \x00, \x1b and \ud800.\nAnswer: wrong").reason == (
        "It says ?, ? and ?."
    )
