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


def in_reach_from(cutoff):
    """Half of the answers from a cutoff on are labelled; others cannot be drawn."""
    rng = np.random.default_rng(5)
    confidence = rng.random(400).round(2)
    weight = np.where(
        confidence >= cutoff, np.where(rng.random(400) < 0.5, 2, np.nan), 0
    )
    wrong = rng.random(400) < 0.1
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[~(weight > 0)] = "unlabelled"
    return demur.Outcomes.from_arrays(
        outcome=outcome, confidence=confidence, label_weight=weight
    )


def test_nothing_is_said_of_answers_that_could_not_be_drawn():
    outcomes = in_reach_from(0.4)
    curve = demur.corrected_curve(outcomes)
    assert np.isnan(curve.error[curve.cutoff < 0.4]).all()
    assert not np.isnan(curve.error[curve.cutoff >= 0.4]).any()
    assert "not known" in curve.sentence()
    for where in ({"cutoff": 0.39}, {"nonreturn": 0.2}, {}):
        refuses_to_say(demur.corrected_error, outcomes, **where)
    refuses_to_say(demur.certified_error, outcomes, cutoff=0.39)
    assert demur.corrected_error(outcomes, cutoff=0.4).corrected.value > 0
    assert demur.certified_error(outcomes, cutoff=0.4) < 0.2
    low = demur.choose(outcomes, max_error=0.5)
    assert low.cutoff == 0.4


def refuses_to_say(function, *arguments, **options):
    with pytest.raises(demur.UndefinedRate, match="no chance of being labelled"):
        function(*arguments, **options)


def test_a_certificate_counts_what_could_not_be_drawn_as_wrong():
    chosen = demur.choose(in_reach_from(0.4), max_error=0.2, certainty=0.95)
    assert chosen.cutoff >= 0.3
    assert any("could not be drawn count as wrong" in note for note in chosen.notes)


def test_rechecks_refuse_a_cutoff_below_what_was_drawn():
    rng = np.random.default_rng(1)
    old = demur.Outcomes.from_arrays(
        correct=rng.random(400) > 0.1, confidence=rng.random(400).round(2)
    )
    kept = demur.lock(old, demur.choose(old, nonreturn=0.2))
    refuses_to_say(demur.recheck, kept, in_reach_from(0.4))
    assert demur.recheck(kept, in_reach_from(0.1)).labelled > 100
