"""Answers that nobody has looked at, apart from those that nobody could judge."""

import numpy as np
import pytest

import demur
from demur.outcomes.labelling import unlabelled

OUTCOMES = ["right", "unlabelled", "ungraded", "ungraded", "unanswered"]
WAITING = [False, True, False, True, False]


def labelled_in_part():
    return demur.Outcomes.from_arrays(
        outcome=OUTCOMES,
        confidence=[0.5, 0.4, 0.3, 0.2, None],
        label_weight=[2, 2, 4, None, None],
    )


def test_an_outcome_may_be_called_unlabelled():
    outcomes = demur.Outcomes.from_arrays(outcome=["wrong", "unlabelled"])
    assert outcomes.outcome.tolist() == ["wrong", "ungraded"]
    assert outcomes.reason_code.tolist() == [None, "unlabelled"]


def test_a_label_weight_of_nothing_says_the_same():
    assert unlabelled(labelled_in_part()).tolist() == WAITING


def test_without_both_ungraded_is_that_somebody_could_not_judge():
    outcomes = demur.Outcomes.from_arrays(
        outcome=["ungraded", "right"], reason_code=["undecided", "unlabelled"]
    )
    assert not unlabelled(outcomes).any()


def test_no_guess_needs_no_label():
    outcomes = demur.Outcomes.from_arrays(
        outcome=["unlabelled", "right"], answered=[False, True]
    )
    assert outcomes.outcome.tolist() == ["unanswered", "right"]
    assert not unlabelled(outcomes).any()
    assert outcomes.reason_code is None or outcomes.reason_code.tolist() == [None] * 2


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_they_travel_through_files(ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    demur.write_outcomes(labelled_in_part(), path)
    again = demur.read_outcomes(path)
    assert unlabelled(again).tolist() == WAITING
    np.testing.assert_array_equal(again.label_weight, [2, 2, 4, np.nan, np.nan])


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_they_travel_through_frames(backend):
    again = demur.Outcomes.from_frame(labelled_in_part().to_frame(backend))
    assert unlabelled(again).tolist() == WAITING


@pytest.mark.parametrize(
    "text",
    [
        'item,outcome,label_weight\na,right,2\nb,unlabelled,\nc," unlabelled ",2\n',
        '{"item":"a","outcome":"right"}\n{"item":"b","outcome":"unlabelled"}\n'
        '{"item":"c","outcome":"unlabelled"}\n',
    ],
)
def test_files_may_call_them_so(text, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert unlabelled(demur.read_outcomes(path)).tolist() == [False, True, True]


def test_they_are_counted_apart():
    outcomes = labelled_in_part()
    assert outcomes.sentence().endswith("1 unanswered, 1 ungraded, 2 unlabelled.")
    assert outcomes.tables()[0].to_columns()["unlabelled"] == [2]
    assert outcomes.counts()["ungraded"] == 3


def test_other_words_are_told_what_there_is():
    with pytest.raises(demur.InputError, match="ungraded, unlabelled; got 'unlabeled'"):
        demur.Outcomes.from_arrays(outcome=["right", "unlabeled"])
