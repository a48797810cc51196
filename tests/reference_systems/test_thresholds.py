"""Thresholds: by mean F1 against a slow twin, and by the rules of choose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import graded, refuses
from demur.reference_systems.thresholds import acceptable_columns, best_mean_f1


def mean_f1(scores, accepted, threshold):
    """Question by question: the F1 of all answers above the threshold."""
    total = 0.0
    for row, right in zip(scores, accepted, strict=True):
        returned = {place for place, score in enumerate(row) if score > threshold}
        if not right:
            total += not returned
        elif returned & right:
            precision = len(returned & right) / len(returned)
            recall = len(returned & right) / len(right)
            total += 2 * precision * recall / (precision + recall)
    return total / len(scores)


@st.composite
def questions(draw):
    n_questions = draw(st.integers(1, 6))
    n_answers = draw(st.integers(1, 4))
    score = st.sampled_from([-3.0, -2.5, -2.0, -1.0, -0.5])
    scores = [[draw(score) for _ in range(n_answers)] for _ in range(n_questions)]
    columns = st.sets(st.integers(0, n_answers - 1))
    return np.array(scores), [draw(columns) for _ in range(n_questions)]


@given(questions())
def test_no_threshold_has_a_higher_mean_f1(case):
    scores, accepted = case
    threshold, value = best_mean_f1(scores, accepted)
    assert value == pytest.approx(mean_f1(scores, accepted, threshold))
    others = [*np.unique(scores), -np.inf, np.inf]
    assert all(value >= mean_f1(scores, accepted, each) - 1e-12 for each in others)


def test_a_threshold_lies_midway_between_the_scores():
    scores = np.array([[-1.0, -4.0], [-2.0, -9.0]])
    assert best_mean_f1(scores, [{0}, {0}]) == (-3.0, 1.0)
    assert best_mean_f1(scores, [set(), set()]) == (np.inf, 1.0)
    assert best_mean_f1(scores, [{0, 1}, {0, 1}]) == (-np.inf, 1.0)


def test_neighbouring_scores_are_told_apart():
    low = -1.0
    high = np.nextafter(low, 0)
    threshold, value = best_mean_f1(np.array([[high, low]]), [{0}])
    assert value == 1.0
    assert low < threshold <= high


def test_no_questions():
    with pytest.raises(demur.InputError, match="have questions and answers"):
        best_mean_f1(np.empty((0, 3)), [])


def test_an_answer_that_is_no_class_can_never_be_right():
    assert acceptable_columns(["a"], [{"b"}, "a", None]) == [set(), {0}, set()]


# -- of the relevance model ----------------------------------------------------------

TEXTS = ["what is your name", "who are you", "where are you from", "where is home"]
LABELS = ["name", "name", "home", "home"]
ASKED = ["your name", "where from", "how is the weather", "who is it"]
RIGHT = ["name", "home", None, "name"]


@pytest.fixture
def model():
    return demur.RelevanceModel().fit(TEXTS, LABELS)


def declined(model, **options):
    system = demur.as_system(model, **options)
    return [a.declined for a in system.respond([demur.Input(t, t) for t in ASKED])]


def test_a_model_that_was_tuned_declines_and_keeps_its_guess(model):
    assert declined(model) == [None] * 4
    model.tune(ASKED, RIGHT)
    scores = model.decision_function(ASKED)
    accepted = acceptable_columns(model.classes_.tolist(), RIGHT)
    assert model.threshold == best_mean_f1(scores, accepted)[0]
    sure = scores.max(axis=1)
    assert declined(model) == (sure < model.threshold).tolist()
    assert declined(model, threshold=-np.inf) == [False] * 4
    assert declined(model, threshold=0.0) == [True] * 4
    system = demur.as_system(model)
    assert all(a.response for a in system.respond([demur.Input(1, "x")]))
    assert str(model.threshold) in str(system)


def test_a_fixed_rate_a_price_and_a_balance_are_those_of_choose(model):
    sure = model.decision_function(ASKED).max(axis=1)
    model.tune(ASKED, RIGHT, nonreturn=0.25)
    assert (sure < model.threshold).sum() == 1
    model.tune(ASKED, RIGHT, wrong_costs=1000)
    dear = model.threshold
    model.tune(ASKED, RIGHT, wrong_costs=0.001)
    assert model.threshold < dear
    outcomes = graded(
        model.predict(ASKED) == np.array(["name", "home", "", "name"]),
        sure,
        answerable=[True, True, False, True],
    )
    model.tune(ASKED, RIGHT, balance=True)
    assert model.threshold == demur.choose(outcomes, balance=True).cutoff


def test_always_silent_is_a_threshold_too(model):
    model.tune(["zzz"], [None], wrong_costs=5)
    assert model.threshold == np.inf
    assert all(declined(model))


def test_what_cannot_be_tuned(model):
    refuses("one for each question", model.tune, ASKED, RIGHT[:2])
    refuses("one for each question", model.tune, [], [])
    refuses("exactly one", model.tune, ASKED, RIGHT, nonreturn=0.2, balance=True)


def test_labels_of_several_types_stay_what_they_are():
    model = demur.RelevanceModel().fit(["a b", "c d"], [1, "x"])
    assert model.predict(["a", "d"]).tolist() == [1, "x"]
