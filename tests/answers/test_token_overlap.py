"""F1 of tokens, as SQuAD counts them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders import refuses
from demur import answers
from demur.outcomes.fields import OUTCOMES
from reference_answers import token_f1


def judged(response, reference, **options):
    same = answers.f1(**options)
    return answers.verdict(same, response, answers.read_all(same, [(reference, 1)]))


WORDS = st.lists(
    st.sampled_from(
        ["The", "cat", "cat's", "sat", "Sat.", "on", "a", "mat", "-5", "5"]
    ),
    max_size=6,
).map(" ".join)


@given(WORDS, WORDS, st.sampled_from([0, 0.5, "0.8", 1]))
def test_f1_is_as_its_twin_says(response, reference, threshold):
    words = ("cat", "sat", "on", "mat", "5")
    assume(all(any(w in t.lower() for w in words) for t in (response, reference)))
    share = token_f1(response, reference)
    assert judged(response, reference).credit == float(share)
    if threshold:
        reached = float(share >= answers.f1(threshold=threshold).threshold)
        assert judged(response, reference, threshold=threshold).credit == reached


@pytest.mark.parametrize(
    ("response", "reference", "credit"),
    [
        ("Beyoncé Knowles", "beyoncé", 2 / 3),
        ("cat cat", "cat", 2 / 3),
        ("cat", "dog", 0.0),
        ("", "", 1.0),
        ("", "cat", 0.0),
        ("the", "a", 0.0),
        ("The", "the", 1.0),
        ("?", "", 0.0),
        (3, "3", 1.0),
    ],
)
def test_cases_of_f1(response, reference, credit):
    assert judged(response, reference).credit == credit


def test_a_threshold_of_two_thirds_is_reached_by_two_thirds():
    assert judged("cat cat", "cat", threshold="0.66").credit == 1
    assert judged("cat cat", "cat", threshold="0.67").credit == 0
    assert judged("cat cat", "cat", threshold="0.67").reason == "F1 0.667"


def test_the_nearest_reference_is_the_one_with_most_in_common():
    same = answers.f1(threshold=1)
    read = answers.read_all(same, [("a dog", 1), ("black cat", 1)])
    found = answers.verdict(same, "cat", read)
    assert "nearest: alternative 2" in found.reason
    assert OUTCOMES[found.outcome] == "wrong"


@pytest.mark.parametrize("threshold", [-1, 1.5, "x", True])
def test_thresholds_that_are_none(threshold):
    refuses("threshold must be a number from 0 to 1", answers.f1, threshold=threshold)
