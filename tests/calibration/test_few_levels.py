"""Discrimination of few levels: at its ends what is seen has the chance asked."""

import numpy as np
import pytest

from demur.arrays import Sample
from demur.calibration.brier_intervals import MOST_LEVELS, brier_intervals
from demur.calibration.few_levels import (
    LevelRates,
    discrimination_interval,
    discriminations,
    rising,
)
from demur.calibration.isotonic import graded_guesses, isotonic

STATED = np.array([0.8, 0.9, 0.95, 0.99, 1.0])


def test_rising_estimates_are_those_of_each_sample_alone() -> None:
    rng = np.random.default_rng(0)
    number = rng.integers(0, 4, (60, 6))
    number[:, 2] += 1
    right = rng.binomial(number, 0.6)
    found = rising(right * 1.0, number * 1.0)
    for row in range(60):
        some = number[row] > 0
        alone = isotonic(right[row, some] * 1.0, number[row, some] * 1.0)
        assert found[row, some] == pytest.approx(alone)


def test_discriminations_are_those_of_the_estimates() -> None:
    right, number = np.array([[1.0, 3.0], [2.0, 0.0]]), np.array([[4.0, 4.0]] * 2)
    assert discriminations(right, number) == pytest.approx([0.0625, 0.0])


@pytest.mark.parametrize("direction", [-1, 1])
def test_the_next_rates_are_the_likeliest_of_their_discrimination(direction) -> None:
    rates = LevelRates(np.array([0.2, 0.3, 0.5]), np.array([0.7, 0.8, 0.95]))
    further = rates.moved(direction, 200)
    change = further.discrimination / rates.discrimination - 1
    assert change == pytest.approx(0.1 * direction, rel=0.1)

    def divergence(share: np.ndarray, rate: np.ndarray) -> float:
        cells, others = (
            np.r_[s * r, s * (1 - r)]
            for s, r in ((rates.share, rates.rate), (share, rate))
        )
        return float(np.sum(cells * np.log(cells / others)))

    least = divergence(further.share, further.rate)
    rng = np.random.default_rng(1)
    for _ in range(20):
        shift, push = 0.01 * rng.standard_normal((2, 3))
        share = further.share * np.exp(push)
        other = LevelRates(share / share.sum(), further.rate + shift)
        # Brought back to the same discrimination by a stretch about the mean.
        stretch = np.sqrt(further.discrimination / other.discrimination)
        rate = other.rate + (stretch - 1) * other.apart
        assert divergence(other.share, rate) > least


def test_without_errors_the_end_is_where_none_has_the_chance_of_a_twentieth() -> None:
    """Half of the draws that equal what is seen count: (1 - e / 2) ** 50 is .05."""
    low, high = discrimination_interval(
        np.array([0.9, 1.0]), np.full(2, 25.0), np.full(2, 25.0), level=0.95
    )
    error = 2 * (1 - 0.05 ** (1 / 50))
    assert low == 0
    assert high == pytest.approx(error**2 / 4, rel=0.12)


@pytest.mark.parametrize(
    ("stated", "number", "right"),
    [((0.5, 1.0), (90, 10), (82, 10)), ((0.8, 0.9, 1.0), (15, 15, 20), (14, 15, 20))],
)
def test_a_surer_level_without_an_error_may_be_no_better(stated, number, right):
    """With the rate of all answers, ten of ten right are no surprise."""
    counts = np.array(number, float), np.array(right, float)
    low, high = discrimination_interval(np.array(stated), *counts, level=0.95)
    assert low == 0 < high


def test_of_many_answers_it_is_that_of_the_standard_error() -> None:
    number = np.array([40_000.0, 60_000.0])
    rate = np.array([0.7, 0.9])
    low, high = discrimination_interval(
        np.array([0.7, 0.9]), number, number * rate, level=0.95
    )
    share, apart = number / number.sum(), rate - 0.82
    value = share @ apart**2
    squares = share @ (4 * apart**2 * rate * (1 - rate) + (apart**2 - value) ** 2)
    reach = 1.96 * np.sqrt(squares / number.sum())
    assert [low, high] == pytest.approx([value - reach, value + reach], abs=0.1 * reach)


@pytest.mark.parametrize("errors", [(2, 1, 0, 1, 0), (5, 3, 1, 0, 0)])
def test_at_its_ends_what_is_seen_has_a_chance_of_a_fortieth(errors) -> None:
    """Of the likeliest rates: none of the same discrimination make it much likelier."""
    number = np.full(5, 20.0)
    right = number - errors
    seen = discriminations(right[None], number[None])[0]
    low, high = discrimination_interval(STATED, number, right, level=0.95)
    assert low < seen < high
    rates = LevelRates(number / 100, isotonic(right + STATED, number + 1))
    rng = np.random.default_rng(2)
    for direction, end in ((-1, low), (1, high)):
        further = rates
        if end == 0:  # not excluded: at one rate for all it is no rarer than a fortieth
            further = LevelRates(number / 100, np.full(5, right.sum() / 100))
        while direction * (end - further.discrimination) > 1e-9:
            further = further.moved(direction, 100)
        cells = np.r_[further.share * further.rate, further.share * (1 - further.rate)]
        cells = np.maximum(cells, 0.0)
        drawn = rng.multinomial(100, cells / cells.sum(), 4000) * 1.0
        values = discriminations(drawn[:, :5], drawn[:, :5] + drawn[:, 5:])
        beyond = np.mean(direction * (seen - values) > 0)
        assert (0.01 if end else 0.025) < beyond < (0.04 if end else 0.975)


def test_doubled_items_in_pairs_tell_as_much_as_once() -> None:
    rng = np.random.default_rng(3)
    confidence = rng.choice(STATED, 200)
    loss = 1.0 * (rng.random(200) > confidence)
    once = Sample(np.ones(200, bool), confidence, loss)
    twice = Sample(
        np.ones(400, bool), np.tile(confidence, 2), np.tile(loss, 2), None,
        np.tile(np.arange(200), 2),
    )  # fmt: skip
    loose = Sample(np.ones(400, bool), np.tile(confidence, 2), np.tile(loss, 2))
    one, two, apart = (
        np.ptp(
            brier_intervals(graded_guesses("test", s, None), level=0.95)[
                "discrimination"
            ]
        )
        for s in (once, twice, loose)
    )
    assert two == pytest.approx(one, rel=0.15)
    assert apart < 0.8 * one


def test_more_levels_than_few_have_the_interval_of_many() -> None:
    """Which is wider where levels have few answers each."""
    widths = []
    for levels in (MOST_LEVELS, MOST_LEVELS + 1):
        confidence = np.repeat(np.arange(1, levels + 1) / (levels + 1), 6)
        loss = 1.0 * (np.arange(len(confidence)) % 6 >= 6 * confidence)
        sample = Sample(np.ones(len(loss), bool), confidence, loss)
        graded = graded_guesses("test", sample, None)
        widths.append(np.ptp(brier_intervals(graded, level=0.95)["discrimination"]))
    assert widths[1] > 1.1 * widths[0]
