"""Intervals of errors: exact where they can be, honest where few answers are left."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from demur.arrays import Sample, rank
from demur.statistics.bands import sample_band
from demur.statistics.error_intervals import (
    AnswersLeft,
    answers_left,
    counted,
    error_interval,
)
from demur.statistics.intervals import sample_interval
from demur.statistics.quantities import Quantity
from random_rows import beta_sample

Draw = Callable[[np.random.Generator], Sample]


def sample(confidence: Any, loss: Any, **rest: Any) -> Sample:
    confidence = np.asarray(confidence, float)
    loss = np.asarray(loss, float)
    return Sample(np.ones(len(loss), bool), confidence, loss, **rest)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("wrong", [0, 1, 7, 20])
def test_at_forced_choice_it_is_that_of_clopper_and_pearson(wrong, level) -> None:
    loss = np.r_[np.ones(wrong), np.zeros(20 - wrong)]
    exact = stats.binomtest(wrong, 20).proportion_ci(level, "exact")
    found = sample_interval(
        sample(np.arange(20), loss), quantity=Quantity("error", 0.0), level=level
    )
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_a_tied_block_answered_in_part_tells_as_much_as_all_of_it() -> None:
    loss = np.r_[np.ones(8), np.zeros(32)]
    exact = stats.binomtest(8, 40).proportion_ci(0.95, "exact")
    tied = sample(np.zeros(40), loss)
    ends = error_interval(tied, rank(tied), 0.95, 0.95)
    assert ends == pytest.approx((0.05 * exact.low, 0.05 * exact.high))


@pytest.mark.parametrize(
    ("loss", "items", "beside", "clusters"),
    [(0.3, 50.0, 0.001, None), (0.0, 100.0, 0.01, None), (0.6, 30.0, 0.002, 7.0)],
)
def test_at_its_ends_what_is_seen_has_a_chance_of_a_fortieth(
    loss, items, beside, clusters
) -> None:
    left = AnswersLeft(99, loss, items, beside, None, clusters)
    part = counted(clusters, 0.95)
    low, high = left.ends(0.95)
    for rate, seen in ((high, loss), (1 - low, 1 - loss)):
        if rate == 1:
            assert seen == 1
            continue
        variance = rate * (1 - rate)
        alike = part / (1 / items + beside / variance)
        # So many or fewer of a binomial, for numbers that are not whole.
        chance = stats.beta.sf(rate, seen * alike + 1, (1 - seen) * alike)
        assert chance == pytest.approx(0.025, rel=1e-4)


def test_clusters_that_agree_count_as_one_item_each() -> None:
    clustered = sample(
        np.linspace(0, 1, 100), np.zeros(100), cluster=np.arange(100) % 10
    )
    high = error_interval(clustered, rank(clustered), 0.0, 0.95)[1]
    ratio = stats.norm.ppf(0.975) / stats.t.ppf(0.975, 9)
    assert high == pytest.approx(1 - 0.025 ** (1 / (10 * ratio**2)))


def test_what_is_left_of_clusters_is_counted() -> None:
    """Cluster 3 is answered, of cluster 2 a half; 0 and 1 are withheld."""
    cluster = np.repeat(np.arange(4), 4)
    confidence = np.r_[np.zeros(8), 1, 1, 2, 2, np.full(4, 3)]
    whole = sample(confidence, np.zeros(16), cluster=cluster)
    left = answers_left(whole, rank(whole), 10 / 16)
    assert (left.answers, left.n_clusters) == (6, 2)
    assert left.clusters == pytest.approx(2)
    assert left.items == pytest.approx(6**2 / (2**2 + 4**2))  # none differs
    alone = answers_left(whole, rank(whole), 12 / 16)
    assert (alone.n_clusters, alone.clusters, alone.items) == (1, 1, 1)


def test_one_cluster_that_is_left_leaves_all_open() -> None:
    cluster = np.repeat(np.arange(5), 20)
    loss = 1.0 * (np.arange(100) % 5 == 0)
    found = sample_interval(
        sample(cluster, loss, cluster=cluster), quantity=Quantity("error", 0.8)
    )
    assert (found.low, found.high) == pytest.approx((0.0, 0.2))
    assert found.notes == (
        "At nonreturn 0.8 only 20 answers of 1 cluster are left: how much others "
        "differ from it is not known, so that the interval is all that is possible.",
    )


@pytest.mark.parametrize(
    ("left", "notes"),
    [
        (AnswersLeft(0, 0.0, 0.0), ()),
        (AnswersLeft(5, 0.0, 5.0), ()),
        (AnswersLeft(1, 0.0, 1.0), ("At nonreturn 0.9 only 1 answer is left.",)),
        (AnswersLeft(90, 0.0, 9.0, 0.0, 6, 5.0), ()),
        (
            AnswersLeft(90, 0.0, 9.0, 0.0, 6, 4.9),
            (
                "At nonreturn 0.9 only 90 answers of 6 clusters are left: how much "
                "others differ from them is hardly known.",
            ),
        ),
    ],
)
def test_few_answers_left_are_said(left: AnswersLeft, notes: tuple[str, ...]) -> None:
    assert left.notes(0.9) == notes


def test_credits_that_are_halves_tell_more_than_whole_ones() -> None:
    """Of 100 losses of 0, .5 and 1 the variance is .0875; of rights and wrongs .16."""
    loss = np.repeat([0.0, 0.5, 1.0], [70, 20, 10])
    halves = sample(np.zeros(100), loss)
    items = answers_left(halves, rank(halves), 0.0).items
    assert items == pytest.approx(100 * (100 * 0.16 + 1) / (100 * 0.11 + 1))


def test_a_cutoff_among_wrong_answers_widens_the_interval_of_a_faultless_top() -> None:
    confidence = np.arange(400)
    faultless = sample(confidence, np.zeros(400))
    jump = sample(confidence, 1.0 * (confidence < 360))
    high, above = (
        error_interval(one, rank(one), 0.9, 0.95)[1] for one in (faultless, jump)
    )
    assert high == pytest.approx(0.1 * (1 - 0.025 ** (1 / 40)))
    # The cutoff moves by sqrt(.9 * .1 / 400) = .015; all below it are wrong.
    assert 0.015 < above < 0.05


@pytest.mark.parametrize("kind", ["two of 40", "credit", "jump", "whole clusters"])
def test_errors_of_few_answers_are_covered(kind: str) -> None:
    """In at least .93; .76 to .93 before."""
    rng = np.random.default_rng(5)
    n = 40 if kind == "two of 40" else 100
    chance = {
        "two of 40": lambda place: 0.6 * np.exp(-2 * place),
        "credit": lambda place: 0.15 * np.exp(-2 * place),
        "jump": lambda place: np.where(place < 0.95, 0.8, 0.05),
        "whole clusters": lambda place: 0.6 * np.exp(-2 * place),
    }[kind]
    grid = np.linspace(0.95, 1, 1001)
    true = np.trapezoid(chance(grid), grid)
    held = []
    for _ in range(100):
        place, cluster = rng.random(n), None
        if kind == "whole clusters":
            cluster = np.repeat(np.arange(20), 5)
            place = place[:20][cluster]
        loss = 1.0 * (rng.random(n) < chance(place))
        if kind == "credit":
            loss *= rng.choice([0.5, 1.0], n) * 4 / 3
        low, high = error_interval(
            one := sample(place, loss, cluster=cluster), rank(one), 0.95, 0.95
        )
        held.append(low <= true <= high)
    assert np.mean(held) >= 0.93


def test_the_worst_rates_of_a_pointwise_band_are_covered() -> None:
    """Where a sixth of an error is left: Wilson's interval holds in .84 of samples."""
    rates = np.array([0.92, 0.95, 0.97])
    true = 0.9 * (1 - rates - 2 / 3 * (1 - rates**1.5))
    bands = [
        sample_band(beta_sample(150, seed), method="influence", grid=rates)
        for seed in range(100)
    ]
    held = [(band.low <= true) & (true <= band.high) for band in bands]
    assert np.mean(held, axis=0).min() >= 0.94
