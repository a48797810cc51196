"""Multiple choice: the letters that a response chooses."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import answers
from demur.outcomes.fields import OUTCOMES
from reference_answers import lettered_texts

CHOICES = ["Oslo", "Rome", "Bern", "New York"]


def judged(response, reference, choices=None):
    record = {"item": "q", "reference": reference}
    if choices is not None:
        record["choices"] = choices
    found = demur.judge([{"item": "q", "response": response}], [record], by="letters")
    return OUTCOMES[found.outcome[0]], found.reason[0]


@given(
    st.sampled_from("ABCDEFGHJ"),
    st.sampled_from("ABCDEFGHJ"),
    st.sampled_from(["Rome", "the sea"]),
)
def test_every_way_to_write_a_letter_is_that_letter_and_no_other(letter, other, words):
    same = answers.letters()
    for text in lettered_texts(letter, words):
        for reference in (other, f"({other})", f"{other}) {words}"):
            read = answers.read_all(same, [(reference, 1)])
            credit = answers.verdict(same, text, read).credit
            assert credit == float(letter == other), (text, reference)


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        ("Rome", "right"),
        (" rome ", "right"),
        ("B) Rome", "right"),
        ("B", "right"),
        ("B) it is far", "right"),
        ("B) Oslo", "wrong"),
        ("Oslo", "wrong"),
        ("A", "wrong"),
        ("I think it is Rome", "wrong"),
        ("AB", "wrong"),
        ("", "wrong"),
        (2, "wrong"),
    ],
)
@pytest.mark.parametrize("choices", [CHOICES, dict(zip("ABCD", CHOICES, strict=True))])
def test_choices_stand_for_their_letters(response, outcome, choices):
    assert judged(response, "B", choices)[0] == outcome
    assert judged(response, "Rome", choices)[0] == outcome


@pytest.mark.parametrize(
    "response",
    ["A) B)", "A: it is B", "(A) or (B)", "A/B", "A) no, the answer is (B)", "A. (B)"],
)
def test_who_names_two_letters_chooses_none(response):
    assert judged(response, "A")[0] == judged(response, "B")[0] == "wrong"


def test_texts_that_two_letters_have_stand_for_neither():
    assert judged("same", "A", ["same", "same"])[0] == "wrong"
    assert judged("A", "A", ["same", "same"])[0] == "right"


@pytest.mark.parametrize(
    "response", ["AC", "A, C", "A and C", "(A), (C)", "C & A", "A,C."]
)
@pytest.mark.parametrize("reference", ["AC", "A, C", ["C", "A"]])
def test_several_letters_are_a_set(response, reference):
    assert judged(response, reference)[0] == "right"
    assert judged("A", reference)[0] == "wrong"
    assert judged("ABC", reference)[0] == "wrong"


@pytest.mark.parametrize("reference", ["Rome", "", 2, ["A", "Rome"], {"a": 1}])
def test_a_reference_without_a_letter_leaves_the_item_ungraded(reference):
    assert judged("B", reference) == ("ungraded", "the reference names no letter")


def test_a_letter_beyond_the_choices_is_no_reference():
    reason = "the reference names a letter that is none of the choices"
    assert judged("E", "E", CHOICES) == ("ungraded", reason)


@pytest.mark.parametrize("choices", [CHOICES, dict(zip("ABCD", CHOICES, strict=True))])
def test_an_index_of_the_choices_is_the_letter_there(choices):
    assert judged("A", 0, choices)[0] == judged("Oslo", 0, choices)[0] == "right"
    assert judged("D", 3, choices)[0] == "right"
    assert judged("B", 0, choices)[0] == "wrong"
    assert judged("A, C", [0, 2], choices)[0] == "right"
    for index in (4, -1):
        reason = f"the reference is the index {index} of 4 choices, from 0 on"
        assert judged("D", index, choices) == ("ungraded", reason)


@pytest.mark.parametrize(
    "choices", [[1, 2, 3, 4], ["1", "2.0", "3"], ["x", "y", "z", "2"]]
)
def test_an_index_that_may_be_the_text_of_a_choice_is_none(choices):
    for response in "BCD":
        assert judged(response, 2, choices) == (
            "ungraded",
            "the reference 2 may be an index or the text of a choice: write its letter",
        )


def test_an_index_of_numbers_that_are_others_or_its_own():
    assert judged("B", 1, [10, 20])[0] == judged("20", 1, [10, 20])[0] == "right"
    assert judged("B", 1, [0, 1, 2])[0] == "right"


@pytest.mark.parametrize("as_cell", [False, True])
def test_choices_in_lists_of_labels_and_texts(as_cell):
    def arc(labels):
        choices = {"text": CHOICES, "label": labels}
        return json.dumps(choices) if as_cell else choices

    for response in ("B", "Rome", "(B) Rome"):
        assert judged(response, "B", arc([*"ABCD"]))[0] == "right"
    assert judged("B) Oslo", "B", arc([*"ABCD"]))[0] == "wrong"
    assert judged("B", 1, arc([*"ABCD"]))[0] == "right"
    for reference in ("2", 2):
        for response in ("2", "2.", "(2) Rome", "Rome"):
            assert judged(response, reference, arc([*"1234"]))[0] == "right"
        for response in ("1", "2) Oslo", "Oslo"):
            assert judged(response, reference, arc([*"1234"]))[0] == "wrong"


def test_choices_in_a_cell_of_a_table():
    assert judged("Rome", "B", '["Oslo", "Rome"]')[0] == "right"
    assert judged("Rome", "B", '{"B": "Rome"}')[0] == "right"
    assert judged("B", "B", "no list")[0] == "right"


def test_of_several_references_any_will_do():
    found = demur.judge(
        [{"item": "q", "response": "C"}],
        [{"item": "q", "references": ["A", {"value": "C", "weight": 0.5}]}],
        by="letters",
    )
    assert found.credit.tolist() == [0.5]


@pytest.mark.parametrize("steps", ["letter", "final+letter", "final+boxed+letter"])
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("B) Oslo", "wrong"),
        ("The answer is (B) Oslo.", "wrong"),
        ("The answer is B. Oslo", "wrong"),
        ("**B.** Oslo", "wrong"),
        ("It is far.\nAnswer: B) oslo\nThat is all.", "wrong"),
        ("B) Rome", "right"),
        ("The answer is (B) Rome.", "right"),
        ("The answer is B, since Oslo is cold.", "right"),
        ("Answer: B", "right"),
        ("B) Oslo is too far", "right"),
    ],
)
def test_the_step_letter_keeps_the_text_beside_a_letter(reply, outcome, steps):
    found = demur.judge(
        [{"item": "q", "response": reply}],
        [{"item": "q", "reference": "B", "choices": CHOICES}],
        by="letters",
        extract=steps,
    )
    assert OUTCOMES[found.outcome[0]] == outcome
    letter = answers.extraction(steps)(reply)
    assert letter == "B"
    assert repr(letter) == "'B'"


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        ("B", 0),
        ("(B)", 0),
        ("B) A", 0),
        ("b.", 0),
        ("C", 1),
        ("A", 1),
        ("AB", 1),
        ("B) AB", 1),
        ("D) AB", 1),
    ],
)
def test_a_letter_is_itself_also_where_it_is_the_text_of_another(response, outcome):
    blood = {"item": "q", "reference": "B", "choices": ["O", "A", "B", "AB"]}
    judged = demur.judge([{"item": "q", "response": response}], [blood], by="letters")
    assert judged.outcome.tolist() == [outcome], judged.reason


MENTIONS = [
    *("Let me think about option A", "I would eliminate option A.", "Compare option A"),
    *("It is not option A.", "We can rule out choice A", "Rome fails, unlike option A"),
    *("Between option B and option A", "maybe option A or option B", "All except A"),
    *("The question asks about answer A", "The answer cannot be A", "Anything but (A)"),
    *("The answer is definitely not (A)", "I cannot pick (A)", "Neither option A"),
    *(
        "The wrong one is (A).",
        "Incorrect: (A)",
        "Option A seems wrong.",
        "Not correct: A",
    ),
    *(
        "Option A is false.",
        "The correct answer isn't A",
        "The least likely option is A",
    ),
    *("Let me consider (A) first.", "Option (A) looks unlikely.", "Is the answer A?"),
    *("One option is A", "Its wrong answer is A", "Another possible answer is A."),
    *(
        "The incorrect answer is A",
        "If the answer is A, Rome is far.",
        "Should I pick A?",
    ),
    *("I'm not sure it's A", "Suppose the answer is A.", "I think A is far off"),
    *("Why would I choose option A?", "The second option is A.", "It could be (A)."),
    *(
        "I would not choose A",
        "I don't think A",
        "I'd choose A if it were far",
        "So A fails",
    ),
]


@pytest.mark.parametrize("reply", MENTIONS)
@pytest.mark.parametrize("steps", ["letter", "final+boxed+bold+letter"])
def test_a_letter_that_is_only_mentioned_is_not_chosen(reply, steps):
    for letter in "AB":
        text = re.sub(r"\bA\b", letter, reply)
        assert outcome(text, letter, steps) == "wrong", text


def outcome(reply, reference, steps):
    found = demur.judge(
        [{"item": "q", "response": reply}],
        [{"item": "q", "reference": reference, "choices": CHOICES}],
        by="letters",
        extract=steps,
    )
    return OUTCOMES[found.outcome[0]]


@pytest.mark.parametrize("steps", ["letter", "final+boxed+bold+letter"])
@pytest.mark.parametrize(
    "reply",
    [
        *(
            "I think B",
            "I think it is B.",
            "I choose B",
            "I choose option B",
            "Thus, B.",
        ),
        *("Hence B.", "Correct: B", "The answer is B, Rome.", "I'd go with B, Rome."),
        *(
            "It is far, so B.",
            "I pick B because it is warm.",
            "I'd say (B).",
            "So, (B)",
        ),
        *(
            "The correct option is B.",
            "It must be B.",
            "Answer: B, the capital",
            "B, Rome",
        ),
        *(
            "B\n\nRome is nice",
            "B\nExplanation: x",
            "**B**\nIt lies south.",
            "Rome (B)",
        ),
        *(
            "Option B: Rome",
            "option (b) Rome",
            "Not (A), so (B).",
            "(A) fails. (B) is right",
        ),
        *(
            "The most likely option is B.",
            "I do not like Oslo. Therefore, B",
            "Answer B",
        ),
    ],
)
def test_a_letter_is_chosen_in_further_words(reply, steps):
    assert outcome(reply, "B", steps) == "right"


@pytest.mark.parametrize(
    "reply",
    [
        *("B\nA", "B, or rather A", "A\nB\nC", "I choose A and B", "B, A", "(A) fails"),
        *(
            "I think B, A",
            "So B or A.",
            "B, not A",
            "A\n\nB. Rome",
            "B\nOslo",
            "B, Oslo",
        ),
        *("The answer is B, Oslo.", "I choose B, Oslo"),
    ],
)
@pytest.mark.parametrize("steps", ["letter", "final+boxed+bold+letter"])
def test_further_words_that_choose_none_or_the_text_of_another(reply, steps):
    assert outcome(reply, "B", steps) == "wrong"
    if "Oslo" in reply:
        assert outcome(reply, "A", steps) == "wrong"


def test_an_object_is_told_which_step_reads_it():
    for said in ('{"answer": "B"}', {"answer": "B"}):
        assert judged(said, "B") == (
            "wrong",
            "names no letter: extract=json(field=NAME) takes it out of JSON",
        )
    assert outcome('{"answer": "B"}', "B", "json(field=answer)+letter") == "right"
