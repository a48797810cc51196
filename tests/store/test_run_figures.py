"""Errors of many runs at once are those of each by itself, and those of the twin."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from demur.arrays import Sample, rank
from demur.statistics.error_intervals import error_interval
from demur.statistics.quantities import error_estimate
from demur.store import run_figures
from reference import Row

RATES = (0.0, 0.15, 0.2, 0.5, 0.97, 1.0)


def sample(seed: int, n_items: int, **how) -> Sample:
    random = np.random.default_rng(seed)
    confidence = random.random(n_items)
    if how.get("digits") is not None:
        confidence = confidence.round(how["digits"])
    loss = 1.0 * (random.random(n_items) < 0.4 * (1 - confidence))
    if how.get("partial"):
        loss *= random.choice([0.5, 1.0], n_items)
    guess = random.random(n_items) >= how.get("silent", 0.0)
    weight = random.integers(1, 4, n_items) * 1.0 if how.get("weighted") else None
    cluster = np.arange(n_items) // 3 if how.get("clustered") else None
    return Sample(guess, confidence, np.where(guess, loss, 0), weight, cluster)


@pytest.mark.parametrize("n_items", [2, 3, 7, 40, 300])
@pytest.mark.parametrize("digits", [None, 1, 0])
@pytest.mark.parametrize("silent", [0.0, 0.1])
@pytest.mark.parametrize("partial", [False, True])
def test_together_as_each_by_itself(n_items, digits, silent, partial):
    how = {"digits": digits, "silent": silent, "partial": partial}
    samples = [sample(seed, n_items, **how) for seed in range(4)]
    for rate in RATES:
        shown = run_figures.run_figures(samples, rate, 0.95)
        for row, one in enumerate(samples):
            if shown.why[row]:
                assert np.isnan(shown.value[row])
                continue
            ranking = rank(one)
            estimate = error_estimate(ranking, rate)
            ends = error_interval(one, ranking, rate, 0.95)
            assert shown.value[row] == pytest.approx(estimate.value, abs=1e-11)
            assert (shown.low[row], shown.high[row]) == pytest.approx(ends, abs=1e-10)
            parts = estimate.influence * n_items + estimate.value
            assert shown.parts[row] == pytest.approx(parts, abs=1e-9)


@pytest.mark.parametrize("how", [{"weighted": True}, {"clustered": True}])
def test_with_weights_or_clusters_each_by_itself(how):
    samples = [sample(seed, 60, **how) for seed in range(3)]
    shown = run_figures.run_figures(samples, 0.2, 0.9)
    for row, one in enumerate(samples):
        ends = error_interval(one, rank(one), 0.2, 0.9)
        assert (shown.low[row], shown.high[row]) == pytest.approx(ends)
        weight = np.ones(60) if one.weight is None else one.weight
        assert shown.parts[row] @ weight / weight.sum() == pytest.approx(
            shown.value[row]
        )


rows = st.lists(
    st.builds(
        Row,
        outcome=st.sampled_from(["right", "wrong", "unanswered", "ungraded"]),
        confidence=st.sampled_from([0.1, 0.25, 0.5, 0.9]),
    ),
    min_size=2,
    max_size=9,
)


@settings(max_examples=60, deadline=None)
@given(rows, st.sampled_from([Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)]))
def test_values_are_those_of_the_slow_twin(listed, rate):
    guess = np.array([row.guessed for row in listed])
    lost = np.array([row.outcome in ("wrong", "ungraded") for row in listed])
    confidence = np.array([row.confidence for row in listed])
    one = Sample(guess, confidence, 1.0 * lost)
    shown = run_figures.run_figures([one, one], float(rate), 0.95)
    wanted = reference.run_error(listed, rate)
    if wanted is None:
        assert shown.why[0].startswith("begins at nonreturn")
    else:
        assert shown.value == pytest.approx([float(wanted)] * 2)


def test_ends_that_settle_are_those_that_are_searched_for():
    random = np.random.default_rng(1)
    items = np.exp(random.uniform(0, 8, 300))
    loss = np.where(random.random(300) < 0.3, 0, random.random(300) ** 3)
    beside = np.exp(random.uniform(-18, 0, 300))
    for chance in (0.025, 0.25, 0.0005):
        settled = run_figures._settled(loss, items, beside, chance)
        searched = run_figures._searched(loss, items, beside, chance)
        assert settled == pytest.approx(searched, abs=1e-12)


def test_guesses_of_no_confidence_at_all_and_infinite_ones():
    guess = np.ones(6, bool)
    bare = Sample(guess, np.full(6, np.nan), np.zeros(6))
    least = Sample(guess, np.array([-np.inf, 0, 1, 2, 3, 4]), np.eye(6)[0])
    shown = run_figures.run_figures([bare, least], 0.0, 0.95)
    assert shown.why == ("no confidences", "")
    assert shown.value[1] == pytest.approx(1 / 6)
