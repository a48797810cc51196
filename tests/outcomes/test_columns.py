"""Outcomes have names, which equal their codes, and so has what is made of them."""

import copy
import json
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest

import demur
from builders import refuses
from demur.outcomes.columns import OutcomeColumn

CORRECT = [True, False, None, False]


@pytest.fixture
def outcome() -> OutcomeColumn:
    return demur.Outcomes.from_arrays(correct=CORRECT).outcome


def test_codes_equal_their_names(outcome: OutcomeColumn) -> None:
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
    refuses("outcome must be one of right, .* got True", outcome.__eq__, True)
    refuses("got 'Right'. Did you mean", outcome.__ne__, ["Right"] * 4)


def test_parts_and_copies_of_codes_are_codes(outcome: OutcomeColumn) -> None:
    table = demur.Outcomes.from_arrays(correct=CORRECT).take(np.array([1, 2]))
    copies = (outcome[1:3], table.outcome, pickle.loads(pickle.dumps(outcome))[1:3])
    for codes in (*copies, copy.copy(outcome)[1:3]):
        assert (codes == "wrong").tolist() == [True, False]
    assert type(outcome == 1) is type(outcome.codes) is np.ndarray
    assert not outcome.codes.flags.writeable
    assert outcome.codes.max() == 2


def test_what_is_made_of_outcomes_has_names(outcome: OutcomeColumn) -> None:
    names = ["right", "wrong", "unanswered", "wrong"]
    frame = pd.DataFrame({"outcome": outcome})
    for made in (
        *(list(outcome), outcome.tolist(), list(np.array(outcome))),
        *(list(frame["outcome"]), list(pd.Series(outcome)), pl.Series(outcome)),
        [outcome[row] for row in range(4)],
    ):
        assert [str(name) for name in made] == names
    assert Counter(outcome) == {"wrong": 2, "right": 1, "unanswered": 1}
    assert (outcome == pd.Series(names)).all()
    assert json.dumps(list(outcome)) == json.dumps(names)
    assert repr(outcome[:2]) == "OutcomeColumn(['right', 'wrong'])"


def test_a_name_is_equal_to_its_code(outcome: OutcomeColumn) -> None:
    assert outcome[1] == "wrong" == outcome[1] == 1 == np.uint8(1)
    assert outcome[1] != "right"
    assert outcome[1] != 2
    assert outcome[1] is not True
    assert outcome[0] != False  # noqa: E712 (flags are no codes)
    assert ("a", "b")[outcome[1]] == "b"
    assert {"wrong": "w"}[outcome[1]] == "w"
