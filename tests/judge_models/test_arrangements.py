"""Arrangements as values: they print, parse, decide by verdicts alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.judge_models.arrangements import (
    MOST_ARRANGEMENTS,
    JudgePanel,
    alternatives,
    usual_arrangements,
)

NAMES = st.text(min_size=1, max_size=6).filter(
    lambda name: name != "people" and name.strip()
)
CUTOFFS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def arrangements(draw):
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    if draw(st.booleans()):
        return demur.Vote(tuple(names), unanimous=draw(st.booleans()))
    steps = [
        demur.JudgeStage(name, draw(CUTOFFS))
        if draw(st.booleans())
        else demur.JudgeStage(name, tried=True)
        for name in names
    ]
    return demur.Cascade(tuple(steps))


@given(arrangements())
def test_what_is_printed_is_read_again(arrangement):
    assert demur.parse_arrangement(str(arrangement)) == arrangement


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a word and names in brackets"),
        ("vote", "a word and names in brackets"),
        ("vote()", "a word and names in brackets"),
        ("vote(a, b", "a word and names in brackets"),
        ("elect(a, b)", "'elect' is no arrangement"),
        ("vote(a,, b)", "'' is no judge"),
        ("vote(a b)", "'a b' is no judge"),
        ("vote(a@0.9, b)", "only judges of a cascade have cutoffs"),
        ("cascade(a)", "People must stand last"),
        ("cascade(a, people@0.5)", "People must stand last"),
        ("cascade(a@high, people)", "cutoff high is no number"),
        ("cascade(a@@, people)", "is no judge"),
        ("cascade(a@0.5@0.6, people)", "is no judge"),
        ('vote("a, b)', "cannot be read"),
        ('vote("\\x", b)', "is no name"),
    ],
)
def test_what_cannot_be_read_says_why(text, words):
    with pytest.raises(demur.ParseError, match="must read like vote") as caught:
        demur.parse_arrangement(text)
    assert words.lower() in str(caught.value).lower()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vote(a, a, b)", "name each judge once; got a more than once"),
        ("cascade(a@0.9, a, people)", "name each judge once; got a more than once"),
        ("vote(a)", "name at least 2 judges; got 1"),
        ("cascade(people)", "name at least 1 judge; got 0"),
        ("cascade(people, a, people)", "be a judge; got people"),
        ("vote(a, people)", "be a judge; got people"),
        ("cascade(a@nan, people)", "be a finite number; got nan"),
        ("cascade(a@inf, people)", "be a finite number; got inf"),
    ],
)
def test_an_arrangement_that_cannot_be_is_refused(text, words):
    refuses(words, demur.parse_arrangement, text)


def panel(*rows, sure=None):
    verdict = np.array(rows, np.int8)
    given = np.full(verdict.shape, -np.inf) if sure is None else np.array(sure, float)
    states = np.isfinite(given).any(axis=1)
    return JudgePanel(tuple("abcd"[: len(rows)]), verdict, given, states)


def decide(text, of):
    made = demur.parse_arrangement(text).decide(of)
    return made.verdict.tolist(), made.stage.tolist(), made.asked.astype(int).tolist()


def test_votes_need_more_than_half_of_all_who_are_named():
    three = panel([1, 1, 1, 0, 1, -1], [1, 0, -1, 0, -1, -1], [0, 0, -1, 0, 1, -1])
    everybody = [[1] * 6] * 3
    verdict = [1, 0, -1, 0, 1, -1]
    stage = [0, 0, -1, 0, 0, -1]
    assert decide("vote(a, b, c)", three) == (verdict, stage, everybody)
    assert decide("unanimous(a, b, c)", three)[0] == [-1, -1, -1, 0, -1, -1]
    two = panel([1, 1, 0, -1], [1, 0, 0, 0])
    assert decide("vote(a, b)", two) == decide("unanimous(b, a)", two)
    assert decide("vote(a, b)", two)[0] == [1, -1, 0, -1]
    four = panel([1, 1], [1, 1], [0, 1], [0, 0])
    assert decide("vote(a, b, c, d)", four)[0] == [-1, 1]


def test_a_cascade_asks_only_what_is_left():
    sure = [[0.9, 0.5, 0.9, -np.inf], [0.8, 0.8, 0.7, 0.7]]
    two = panel([1, 1, -1, 0], [0, 0, 1, -1], sure=sure)
    assert decide("cascade(a@0.9, b, people)", two) == (
        [1, 0, 1, -1],
        [0, 1, 1, -1],
        [[1, 1, 1, 1], [0, 1, 1, 1]],
    )
    assert decide("cascade(a, people)", two)[0] == [1, 1, -1, 0]
    assert decide("cascade(b@0.8, people)", two)[0] == [0, 0, -1, -1]
    # A verdict without a confidence is never sure enough.
    assert decide("cascade(a@-1e300, people)", two)[0] == [1, 1, -1, -1]


def test_who_is_unknown_or_states_no_confidence_is_refused():
    one = panel([1, 0])
    refuses("must be one of a", decide, "cascade(x, people)", one)
    words = "belong to a judge with confidences; got a, who gives none"
    refuses(words, decide, "cascade(a@0.5, people)", one)
    star = demur.parse_arrangement("cascade(a@*, people)")
    refuses(words, alternatives, star, one)
    sure = panel([1], sure=[[0.5]])
    refuses(r"be a number; got \*", star.decide, sure)


def test_cutoffs_that_are_tried_come_from_confidences_alone():
    star = demur.parse_arrangement("cascade(a@*, people)")
    many = panel([1] * 100, sure=[np.arange(100)])
    listed = alternatives(star, many)
    assert [one.steps[0].cutoff for one in listed] == [*range(10, 100, 10)]
    one_level = panel([1] * 100, sure=[[0.5] * 100])
    assert [str(one) for one in alternatives(star, one_level)] == [
        "cascade(a@0.5, people)"
    ]
    silent = panel([-1] * 3, sure=[[0.1, 0.2, 0.3]])
    assert [str(one) for one in alternatives(star, silent)] == ["cascade(a, people)"]


def test_too_many_cutoffs_together_are_refused():
    wide = panel(*[[1] * 100] * 4, sure=[np.arange(100)] * 4)
    star = demur.parse_arrangement("cascade(a@*, b@*, c@*, d@*, people)")
    refuses(f"at most {MOST_ARRANGEMENTS:,}", alternatives, star, wide)


def test_what_is_usual_names_each_judge_all_votes_and_cheap_before_dear():
    three = panel([1], [1], [1], sure=[[0.5], [-np.inf], [0.5]])
    listed = usual_arrangements(three, {"a": 3, "b": 1, "c": 2})
    assert [str(one) for one in listed] == [
        "cascade(a, people)",
        "cascade(a@*, people)",
        "cascade(b, people)",
        "cascade(c, people)",
        "cascade(c@*, people)",
        "unanimous(a, b, c)",
        "vote(a, b, c)",
        "cascade(b, c, people)",
        "cascade(c@*, a, people)",
    ]
