"""Influence values against numerical derivatives, formulas and the bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_resampling as plain
from builders import undefined
from demur import UndefinedRate
from demur.arrays import Ranking, Sample, rank
from demur.statistics import quantities
from demur.statistics.quantities import (
    area_estimate,
    error_estimate,
    local_loss,
    nonreturn_estimate,
    observed,
    start_influence,
)
from demur.statistics.units import left_out, spread
from random_rows import beta_sample
from reference_resampling import KINDS


def block_slope(ranking: Ranking, nonreturn: float) -> float:
    """Loss per weight of the tied block at a rate: the curve's own slope."""
    curve = observed(ranking)
    x = curve.withheld[0] / curve.total[0]
    error = curve.error_at(x)[0]
    block = int(np.searchsorted(x, nonreturn)) - 1
    return float((error[block] - error[block + 1]) / (x[block + 1] - x[block]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_influence_is_the_derivative_towards_each_item(kind: str, seed: int) -> None:
    sample, _ = plain.samples(seed, 12, **KINDS[kind])
    ranking = rank(sample)
    start = float(observed(ranking).start[0])
    rate = start + (1 - start) * (0.1 + 0.17 * seed)

    error = error_estimate(ranking, rate, slope=block_slope(ranking, rate))
    slope = plain.derivative(sample, lambda curve: plain.error_at(curve, rate))
    assert error.influence == pytest.approx(slope, abs=1e-8)

    area = area_estimate(ranking)
    slope = plain.derivative(sample, lambda curve: curve.area().observed)
    assert area.influence == pytest.approx(slope, abs=1e-8)

    part = area_estimate(ranking, rate)
    slope = plain.derivative(sample, lambda curve: plain.area_from(curve, rate))
    assert part.influence == pytest.approx(slope, abs=1e-8)

    slope = plain.derivative(sample, lambda curve: curve.start)
    assert start_influence(ranking) == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("error", [0.03, 0.11, 0.21])
def test_influence_on_a_nonreturn_is_the_derivative(error: float) -> None:
    sample, _ = plain.samples(8, 40, levels=3)
    ranking = rank(sample)
    found = nonreturn_estimate(ranking, error, slope=None)
    exact = nonreturn_estimate(ranking, error, slope=block_slope(ranking, found.value))
    slope = plain.derivative(sample, lambda curve: plain.nonreturn_at(curve, error))
    assert exact.influence == pytest.approx(slope, abs=1e-7)
    assert found.value == pytest.approx(
        plain.nonreturn_at(plain.curve_of(sample), error)
    )


def test_a_nonreturn_reached_by_forced_choice_is_the_start() -> None:
    sample, _ = plain.samples(8, 40, silent=0.2)
    found = nonreturn_estimate(rank(sample), 0.99)
    assert found.value == pytest.approx(plain.curve_of(sample).start)
    assert found.influence == pytest.approx(start_influence(rank(sample)))


@given(st.integers(0, 10**6), st.integers(2, 30), st.sampled_from(sorted(KINDS)))
def test_influences_add_up_to_nothing(seed: int, n: int, kind: str) -> None:
    sample, _ = plain.samples(seed, n, **KINDS[kind])
    ranking = rank(sample)
    start = float(observed(ranking).start[0])
    found = [
        area_estimate(ranking),
        error_estimate(ranking, (1 + start) / 2),
        nonreturn_estimate(ranking, 0.1),
    ]
    for estimate in found:
        assert estimate.influence.sum() == pytest.approx(0, abs=1e-12)


def test_area_by_the_formula_for_the_plain_case() -> None:
    sample, _ = plain.samples(3, 50, levels=6)
    c, wrong = sample.confidence, sample.loss
    per_item = [
        wrong[i] * (np.sum(c < c[i]) + np.sum(c == c[i]) / 2)
        + np.sum(wrong[c > c[i]])
        + np.sum(wrong[c == c[i]]) / 2
        for i in range(50)
    ]
    h = np.array(per_item) / 50
    found = area_estimate(rank(sample))
    assert found.influence * 50 == pytest.approx(h - h.mean())
    moved = left_out(found.influence, rank(sample).weights(), None)
    assert spread(moved) == pytest.approx(h.std(ddof=1) / np.sqrt(50))


def test_standard_error_of_the_area_of_a_hundred_thousand_items() -> None:
    # 6.41e-4 by influence, 6.27e-4 to 6.92e-4 by the bootstrap, in an earlier study.
    sample = beta_sample(100_000, seed=0)
    ranking = rank(sample)
    found = spread(left_out(area_estimate(ranking).influence, ranking.weights(), None))
    assert found == pytest.approx(6.41e-4, rel=0.01)


def test_the_slope_is_that_of_the_rates_where_the_cutoff_may_stand() -> None:
    sample = beta_sample(40_000, seed=1)
    curve = observed(rank(sample))
    # At nonreturn x the chance of an error is 0.9 (1 - sqrt(x)).
    assert local_loss(curve, 0.25, width=0.02) == pytest.approx(0.45, abs=0.03)
    # Cut at the left end: the mean of 0.9 (1 - sqrt(x)) for |x| normal, sd 0.02.
    assert local_loss(curve, 0.0, width=0.02) == pytest.approx(0.795, abs=0.04)
    assert local_loss(curve, 0.25, width=0.0) == 0
    tied = Sample(sample.guess, np.round(sample.confidence), sample.loss)
    assert local_loss(observed(rank(tied)), 0.1, width=0.02) == pytest.approx(
        sample.loss[sample.confidence < 0.5].mean(), abs=1e-6
    )


def test_where_the_loss_jumps_the_error_is_as_unsure_as_samples_show() -> None:
    """All guesses at the cutoff are wrong, few of the others; by simulation."""
    rng = np.random.default_rng(0)
    found, seen = [], []
    for _ in range(400):
        level = np.searchsorted([0.15, 0.25], rng.random(300), "right")
        loss = 1.0 * (rng.random(300) < np.array([0.5, 1.0, 0.1])[level])
        sample = Sample(np.ones(300, bool), level * 1.0, loss)
        estimate = error_estimate(rank(sample), 0.2)
        found.append(spread(left_out(estimate.influence, rank(sample).weights(), None)))
        seen.append(estimate.value)
    # A window of the curve's neighbourhood would say 0.019.
    assert np.mean(found) == pytest.approx(np.std(seen), rel=0.06)
    assert np.std(seen) > 0.022


def test_left_out_undoes_the_pull_of_large_units() -> None:
    rng = np.random.default_rng(0)
    cluster = np.repeat([0, 1, 2, 3], [2, 5, 9, 4])
    loss = 1.0 * (rng.random(20) < 0.4)
    sample = Sample(np.ones(20, bool), rng.random(20), loss, None, cluster)
    ranking = rank(sample)
    moved = left_out(error_estimate(ranking, 0.0).influence, ranking.weights(), cluster)
    shares = np.bincount(cluster) / 20
    sums = np.bincount(cluster, loss - loss.mean()) / 20
    # Bell and McCaffrey: each cluster's residual over the root of 1 - its share.
    assert spread(moved) == pytest.approx(np.sqrt(np.sum(sums**2 / (1 - shares))))


@pytest.mark.parametrize("sizes", [[2, 5, 9, 4], [1, 1, 1, 30], [6, 6, 6]])
def test_the_spread_of_independent_items_is_right_on_average(sizes) -> None:
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(1).standard_normal((4000, len(cluster)))
    values -= values.mean(axis=1, keepdims=True)
    ones = np.ones(len(cluster))
    squares = [spread(left_out(row / len(row), ones, cluster)) ** 2 for row in values]
    assert np.mean(squares) == pytest.approx(1 / len(cluster), rel=0.1)


@pytest.mark.parametrize("seed", range(2))
def test_left_out_of_equal_units_is_that_of_the_jackknife(seed) -> None:
    cluster = np.repeat(np.arange(4), 5)
    loss = 1.0 * (np.random.default_rng(seed).random(20) < 0.4)
    moved = left_out((loss - loss.mean()) / 20, np.ones(20), cluster)
    without = [loss.mean() - loss[cluster != one].mean() for one in range(4)]
    assert moved == pytest.approx(np.array(without))


def test_equal_clusters_give_the_usual_correction() -> None:
    values = np.array([0.3, -0.1, -0.2])
    sample = Sample(np.ones(3, bool), np.arange(3.0), np.zeros(3))
    moved = left_out(values, rank(sample).weights(), None)
    assert spread(moved) == pytest.approx(np.sqrt(3 / 2 * np.square(values).sum()))


def test_one_unit_shows_no_spread() -> None:
    sample = Sample(np.ones(3, bool), np.arange(3.0), np.zeros(3))
    with pytest.raises(UndefinedRate, match="alone shows no spread"):
        left_out(np.zeros(3), rank(sample).weights(), np.zeros(3, np.int64))


def test_left_of_the_start_there_is_no_error() -> None:
    sample, _ = plain.samples(1, 20, silent=0.5)
    undefined("the curve starts at nonreturn", error_estimate, rank(sample), 0.0)


@pytest.mark.parametrize("width", [0.4, 1.2])
def test_standard_errors_hardly_depend_on_the_width(
    width: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = beta_sample(2000, seed=2)
    ranking = rank(sample)

    def deviation() -> float:
        found = error_estimate(ranking, 0.2)
        return spread(left_out(found.influence, ranking.weights(), None))

    before = deviation()
    monkeypatch.setattr(quantities, "WIDTH", width)
    assert deviation() == pytest.approx(before, rel=0.04)
