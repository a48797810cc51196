"""Off-topic lines: they grow, are set back by an answer, and are not repeated soon."""

import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses

LINES = {"clarify": ["a1", "a2"], "stall": ["b1", "b2", "b3"], "change": ["c1"]}
MANAGER = demur.QuestionAnswerManager(LINES)
GRADE = {text: grade for grade, texts in LINES.items() for text in texts}
inputs = st.lists(st.sampled_from([None, None, "answer"]), max_size=25)


def talk(*given_):
    said, state = [], None
    for each in given_:
        [line], state = MANAGER.step(state, each)
        said.append(line)
    return said


def test_lines_grow_stay_and_are_set_back():
    said = talk(None, None, None, None, "answer", None, None)
    assert [GRADE.get(each, each) for each in said] == [
        *("clarify", "stall", "change", "change", "answer", "clarify", "stall")
    ]


@given(inputs)
def test_the_grade_is_the_number_of_misses_in_a_row(given_):
    misses, grades = 0, list(LINES)
    for said, each in zip(talk(*given_), given_, strict=True):
        if each is not None:
            assert said == each
            misses = 0
        else:
            assert GRADE[said] == grades[min(misses, 2)]
            misses += 1


@given(inputs)
def test_within_a_grade_all_lines_are_used_equally_often(given_):
    used = Counter(line for line in talk(*given_) if line in GRADE)
    for texts in LINES.values():
        counts = [used[text] for text in texts]
        assert max(counts) - min(counts) <= 1


@given(inputs)
def test_observing_its_own_line_is_the_state_it_came_to(given_):
    state = None
    for each in given_:
        before = json.dumps(state)
        said, after = MANAGER.step(state, each)
        assert MANAGER.observe(state, each, said) == after
        assert json.dumps(state) == before
        state = after


def test_another_line_may_be_observed():
    state = MANAGER.observe(None, None, ["b2"])
    assert state["misses"] == 1
    assert MANAGER.step(state, None)[0] == ["b1"]
    assert MANAGER.observe(state, None, ["some answer"])["misses"] == 0


@pytest.mark.parametrize(
    "lines", [{}, {"a": []}, {"a": ["x", "x"]}, {"a": ["x"], "b": ["x"]}]
)
def test_what_are_no_lines(lines):
    refuses("QuestionAnswerManager", demur.QuestionAnswerManager, lines)


@pytest.mark.parametrize(
    ("state", "input_", "words"),
    [({}, None, "the state"), (None, 3, "the input"), (["a"], None, "the state")],
)
def test_what_is_refused(state, input_, words):
    refuses(words, MANAGER.step, state, input_)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"text\nhello\n", "have a field grade"),
        (b"grade,text\na,\n", "have a field text"),
        (b"grade,text\na,x\nb,x\n", "have one grade"),
        (b"grade,text\n", "read_off_topic_lines|no records|no rows"),
    ],
)
def test_files_that_are_wrong(content, words):
    with pytest.raises(demur.InputError, match=words):
        demur.read_off_topic_lines(io.BytesIO(content))


def test_the_lines_of_the_twins(demur_data):
    path = demur_data / "twins_npceditor" / "offtopic.jsonl"
    manager = demur.read_off_topic_lines(path, speaker="Ada")
    assert list(manager.lines) == ["ot1", "ot2", "ot3"]
    refuses("of speaker 'Nobody'", demur.read_off_topic_lines, path, speaker="Nobody")
