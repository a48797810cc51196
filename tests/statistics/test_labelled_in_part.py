"""Errors of answers that are labelled in part, without a judge."""

import numpy as np
import pytest

import demur
from demur import corrected_curve, corrected_error


def sampled(seed=0, n_items=1000, *, weighted=True, declined=0.0):
    rng = np.random.default_rng(seed)
    confidence = rng.random(n_items)
    wrong = rng.random(n_items) < 0.3 * (1 - confidence)
    silent = rng.random(n_items) < declined
    chance = np.where(confidence < 0.5, 0.4, 0.1) if weighted else np.full(n_items, 0.2)
    drawn = rng.random(n_items) < chance
    outcome = np.where(wrong, "wrong", "right").astype(object)
    outcome[~drawn] = "unlabelled"
    outcome[silent] = "unanswered"
    weight = {"label_weight": np.where(drawn, 1 / chance, np.nan)} if weighted else {}
    given = [None if row < 0 else row for row in np.where(silent, -1, confidence)]
    return demur.Outcomes.from_arrays(outcome=outcome, confidence=given, **weight)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_is_that_of_the_labelled_answers(weighted):
    outcomes = sampled(weighted=weighted, declined=0.1)
    labelled = ~np.isin(outcomes.outcome, ["ungraded", "unanswered"])
    weight = outcomes.label_weight if weighted else np.ones(len(outcomes))
    sums = [0.0, 0.0]
    for row in np.flatnonzero(labelled):
        sums[0] += weight[row] * (outcomes.outcome[row] == "wrong")
        sums[1] += weight[row]
    share = (outcomes.outcome != "unanswered").mean()
    found = corrected_error(outcomes)
    assert found.corrected.value == pytest.approx(share * sums[0] / sums[1])
    assert (found.raw, found.trust, found.rogan_gladen) == (None, 0, None)
    assert found.corrected.value == found.labelled_only.value
    assert "judge" not in found.sentence()
    assert found.corrected.low < found.corrected.value < found.corrected.high


def test_the_curve_is_the_error_at_each_cutoff():
    outcomes = sampled(1, 300)
    curve = corrected_curve(outcomes)
    for place in (0, 100, 200):
        error = corrected_error(outcomes, cutoff=float(curve.cutoff[place]))
        assert curve.error[place] == pytest.approx(error.corrected.value)
        assert curve.low[place] == pytest.approx(error.corrected.low, abs=1e-6)
    assert "judge" not in curve.sentence()
    assert set(curve.to_dict()["raw"]) == {None}
    curve.to_text()


def test_without_unlabelled_answers_a_column_is_asked_for():
    outcomes = demur.Outcomes.from_arrays(correct=[1] * 20, confidence=range(20))
    with pytest.raises(demur.InputError, match="every answer has one"):
        corrected_error(outcomes)


def test_intervals_hold_the_truth_as_often_as_they_say():
    held = {None: 0, 0.5: 0}
    for seed in range(60):
        outcomes = sampled(seed, 800)
        for rate in held:
            # at a nonreturn x the error is the integral of .3 (1 - c) from x to 1
            truth = 0.15 * (1 - (rate or 0)) ** 2
            found = corrected_error(outcomes, nonreturn=rate).corrected
            held[rate] += found.low <= truth <= found.high
    assert min(held.values()) >= 53
