"""Choices by log-likelihood: the length rule changes guesses and their order."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses

numbers = st.floats(-50, 0)


@given(st.dictionaries(st.sampled_from("abcd"), numbers, min_size=1))
def test_shares_are_the_soft_max(told):
    found = demur.scored_choices(told)
    total = sum(math.exp(each) for each in told.values())
    shares = dict(found["ranking"])
    assert shares == pytest.approx({k: math.exp(v) / total for k, v in told.items()})
    assert sum(shares.values()) == pytest.approx(1)
    assert found["confidence"] == max(shares.values()) == shares[found["response"]]


def test_lengths_change_the_guess_and_the_order_of_items():
    first = {"yes": -2.0, "not at all": -3.0}
    second = {"a": -1.0, "bb": -2.5}
    plain = [demur.scored_choices(each) for each in (first, second)]
    by_length = [
        demur.scored_choices(first, lengths={"yes": 1, "not at all": 3}),
        demur.scored_choices(second, lengths={"a": 1, "bb": 2}),
    ]
    assert [each["response"] for each in plain] == ["yes", "a"]
    assert [each["response"] for each in by_length] == ["not at all", "a"]
    assert plain[0]["confidence"] < plain[1]["confidence"]
    assert by_length[0]["confidence"] > by_length[1]["confidence"]


def test_very_unlikely_choices_are_no_overflow():
    found = demur.scored_choices({"a": -5000.0, "b": -5001.0})
    assert found["confidence"] == pytest.approx(1 / (1 + math.exp(-1)))
    apart = demur.scored_choices({"a": -5000.0, "b": 0.0})
    assert apart["ranking"] == [("b", 1.0), ("a", 0.0)]


def test_of_equal_shares_the_first_choice_is_the_response():
    equal = demur.scored_choices({"b": -1.0, "a": -1.0})
    assert equal["ranking"] == [("b", 0.5), ("a", 0.5)]
    halves = demur.scored_choices({"b": -1.0, "a": -0.5}, lengths={"b": 1, "a": 0.5})
    assert halves == equal


def test_a_function_that_returns_them_is_a_system():
    system = demur.as_system(lambda told: demur.scored_choices(told))
    [answer] = system.respond([demur.Input("q", {"A": -1.0, "B": -2.0})])
    assert answer.response == "A"
    assert [choice for choice, _ in answer.ranking] == ["A", "B"]


@pytest.mark.parametrize(
    ("told", "lengths", "words"),
    [
        ({}, None, "have a choice"),
        ({"a": float("nan")}, None, "be finite"),
        ({"a": float("-inf")}, None, "be finite"),
        ({"a": -1.0}, {}, "a length above 0"),
        ({"a": -1.0}, {"a": 0}, "a length above 0"),
        ({"a": -1.0, "b": -1.0}, {"a": 1, "b": math.inf}, "'b' must have a length"),
    ],
)
def test_what_is_refused(told, lengths, words):
    refuses(words, demur.scored_choices, told, lengths=lengths)
