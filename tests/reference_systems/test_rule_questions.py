"""Questions made by rules: what each rule gives, and that nothing is invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.reference_systems.rule_questions import sentences


def asked(text, **options):
    return [pair.question for pair in demur.RuleQuestions(**options)(text)]


@pytest.mark.parametrize(
    ("sentence", "questions"),
    [
        (
            "The lighthouse is a museum.",
            ["Is the lighthouse a museum?", "What is the lighthouse?"],
        ),
        (
            "Anna Holt was a glass painter.",
            ["Was Anna Holt a glass painter?", "Who was Anna Holt?"],
        ),
        (
            "The bridge was built by Anna Holt in 1841.",
            [
                "Was the bridge built by Anna Holt in 1841?",
                "When was the bridge built?",
                "Who built the bridge?",
                "What was built?",
            ],
        ),
        (
            "The mill is in North Fell.",
            ["Is the mill in North Fell?", "Where is the mill?"],
        ),
        (
            "Bees can see ultraviolet light.",
            ["What can bees see?", "Can bees see ultraviolet light?"],
        ),
        ("Oslo is the capital.", ["Is Oslo the capital?", "What is Oslo?"]),
        ("Bees are insects.", ["Are bees insects?"]),
        ("Black cats are pets.", ["Are black cats pets?"]),
        ("Old Tom is one.", ["Is Old Tom one?", "What is Old Tom?"]),
        ("All is quiet.", ["Is all quiet?"]),
        ("A B C D E F G H I is red.", ["Is a B C D E F G H I red?"]),
        ("A B C D E F G H I J is red.", []),
        ("A B C D E F G H I J can see red.", []),
        ("They can see red.", []),
        (
            "The mill was built by 1790.",
            [
                "Was the mill built by 1790?",
                "When was the mill built?",
                "What was built?",
            ],
        ),
        (
            "The mill was cold by Oslo.",
            ["Was the mill cold by Oslo?"],
        ),
        (
            "The mill was in Oslo in 1790.",
            [
                "Was the mill in Oslo in 1790?",
                "When was the mill?",
                "Where was the mill?",
            ],
        ),
        ("It was built in 1790.", []),
        ("Visitors must not touch the glass.", []),
        ("Nobody knows.", []),
    ],
)
def test_what_is_asked_about_a_sentence(sentence, questions):
    assert asked(sentence) == questions
    assert all(pair.answer == sentence for pair in demur.RuleQuestions()(sentence))


def test_equal_questions_are_asked_once():
    assert asked("Bees can see light. Bees can see light.") == [
        "What can bees see?",
        "Can bees see light?",
    ]


def test_long_sentences_are_left_out():
    assert asked("Bees can see light.", longest=3) == []
    assert asked("Bees can see light.", longest=4)
    refuses("longest", demur.RuleQuestions, longest=0)


@pytest.mark.parametrize("text", ["", " \n ", "...", "is", "was is are", "The is a."])
def test_texts_that_say_nothing(text):
    assert isinstance(demur.RuleQuestions()(text), list)


TEXT = "The a Mill mill was is can built painted by in 1790 Oslo , . it bees see"
WORDS = TEXT.split()


@given(st.lists(st.sampled_from(WORDS), max_size=15))
def test_questions_end_with_a_mark_and_hold_words_of_their_sentence(said):
    for question, answer in demur.RuleQuestions()(" ".join(said)):
        assert question.endswith("?")
        own = {word.strip(".?").lower() for word in answer.split()}
        new = {word.strip(".?").lower() for word in question.split()} - own
        assert new <= {"what", "who", "when", "where", ""}


def test_sentences_end_where_they_end():
    text = 'He saw Dr. Low at 3 p.m. on Friday. "Good!" he said. Was it? Yes.'
    assert sentences(text) == [
        "He saw Dr. Low at 3 p.m. on Friday.",
        '"Good!" he said.',
        "Was it?",
        "Yes.",
    ]
