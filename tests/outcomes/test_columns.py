"""Codes of outcomes equal their names, and behave like any array else."""

import copy
import pickle

import numpy as np
import pytest

import demur
from builders import refuses

CORRECT = [True, False, None, False]


@pytest.fixture
def outcome() -> object:
    return demur.Outcomes.from_arrays(correct=CORRECT).outcome


def test_codes_equal_their_names(outcome: np.ndarray) -> None:
    assert (outcome == "wrong").tolist() == [False, True, False, True]
    assert (outcome != "wrong").tolist() == [True, False, True, False]
    assert "unanswered" in outcome
    assert np.isin(outcome, ["wrong", "right"]).tolist() == [True, True, False, True]
    assert np.concatenate([outcome, outcome]).tolist() == [*outcome.tolist()] * 2
    names = ["right", "right", "unanswered", "wrong"]
    for listed in (names, np.array(names), np.array(names, object)):
        assert (outcome == listed).tolist() == [True, False, True, True]
    assert (outcome == 1).tolist() == (outcome == [1] * 4).tolist()
    refuses(
        "outcome must be one of right, .* got 'incorrect'", outcome.__eq__, "incorrect"
    )
    refuses("got 'Right'. Did you mean", outcome.__ne__, ["Right"] * 4)


def test_parts_and_copies_of_codes_are_codes(outcome: np.ndarray) -> None:
    table = demur.Outcomes.from_arrays(correct=CORRECT).take(np.array([1, 2]))
    copies = (outcome[1:3], table.outcome, pickle.loads(pickle.dumps(outcome))[1:3])
    for codes in (*copies, copy.copy(outcome)[1:3]):
        assert (codes == "wrong").tolist() == [True, False]
    assert type(outcome == 1) is type(outcome + 1) is type(outcome < 2) is np.ndarray
    assert not outcome.flags.writeable
    assert outcome.max() == 2
