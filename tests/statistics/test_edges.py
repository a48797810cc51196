"""Statistics at their edges: equal rates, a heavy last block, few units."""

import numpy as np
import pytest

import demur
from builders import graded, refuses, undefined
from demur.arrays import Sample, coarsened, rank
from demur.statistics.bands import paired_band
from demur.statistics.paired_tests import least_deviation
from demur.statistics.quantities import Quantity, local_loss, observed


def sample(wrong: np.ndarray, weight: np.ndarray | None = None) -> Sample:
    n_items = len(wrong)
    guess, confidence = np.ones(n_items, bool), np.linspace(0, 1, n_items)
    return Sample(guess, confidence, wrong.astype(float), weight)


def test_rates_may_stand_twice_and_must_not_fall() -> None:
    first, second = (sample(np.arange(100) % every == 0) for every in (5, 9))
    band = paired_band(first, second, grid=np.array([0.1, 0.1, 0.3]))
    assert band.difference[0] == band.difference[1]
    refuses("rates", paired_band, first, second, grid=np.array([0.3, 0.1]))


def test_a_heavy_last_block_has_a_cell_of_its_own() -> None:
    weight = np.r_[np.ones(9), 100.0]
    ranking = rank(sample(np.arange(10) % 3 == 0, weight))
    assert coarsened(ranking, 3).first.tolist() == [0, 9]
    assert coarsened(ranking, 10).first.tolist() == list(range(10))
    even = rank(sample(np.arange(10) % 3 == 0))
    assert coarsened(even, 5).first.tolist() == [0, 2, 4, 6, 8]


def test_the_band_of_what_never_differs_is_as_wide_as_the_units_are_few() -> None:
    same = sample(np.arange(60) % 4 == 0)
    widths = []
    for many in (20, 60):
        part = Sample(
            *(each[:many] for each in (same.guess, same.confidence)), same.loss[:many]
        )
        band = paired_band(part, part, grid=np.array([0.2]))
        assert (band.difference[0], band.p_value) == (0.0, 1.0)
        widths.append(band.high[0])
        assert band.low[0] == -band.high[0]
    assert widths[0] > widths[1] > 0


def test_a_pointwise_band_has_no_p_value_and_is_narrower() -> None:
    first, second = (sample(np.arange(200) % every == 0) for every in (4, 9))
    whole = paired_band(first, second)
    single = paired_band(first, second, simultaneous=False)
    assert single.p_value is None
    assert whole.p_value is not None
    inner = slice(5, 100)
    assert np.all(single.low[inner] >= whole.low[inner] - 1e-12)
    assert np.all(single.high[inner] <= whole.high[inner] + 1e-12)
    assert whole.p_value <= 0.05
    assert whole.surely()


def test_equal_counts_are_no_evidence_at_all() -> None:
    assert demur.mcnemar_exact(3, 3) == demur.mcnemar_exact(0, 0) == 1.0
    assert demur.mcnemar_exact(0, 6) == pytest.approx(2 / 2**6)


def test_an_error_differs_by_an_answer_at_least_and_an_area_does_not() -> None:
    few = sample(np.zeros(25))
    assert least_deviation(few, Quantity("error", 0.2)) == 1 / 25
    assert least_deviation(few, Quantity("area")) == 0.0


@pytest.mark.parametrize(("heavy", "enough"), [(2.0, True), (60.0, False)])
def test_one_heavy_item_is_no_sample(heavy: float, enough: bool) -> None:
    outcomes = graded([1, 0] * 5, np.linspace(0, 1, 10), weight=[heavy, *[1.0] * 9])
    # Kish: (69)^2 / (60^2 + 9) = 1.3 items; with a weight of 2, 9.3.
    if enough:
        assert demur.interval(outcomes, "error", 0.2).low >= 0
    else:
        undefined("of all weight", demur.interval, outcomes, "error", 0.2)
    two = graded([1, 0] * 5, np.linspace(0, 1, 10), weight=[20.0, *[1.0] * 9])
    # 29^2 / (400 + 9) = 2.06 items: little, but something.
    assert demur.interval(two, "error", 0.2).high <= 1


def test_without_a_guess_a_curve_has_no_slope() -> None:
    silent = Sample(np.zeros(4, bool), np.full(4, np.nan), np.zeros(4))
    curves = observed(rank(silent))
    assert local_loss(curves, 0.5, width=0.1) == 0.0
    guesses = observed(rank(sample(np.arange(50) % 2 == 0)))
    assert local_loss(guesses, 0.5, width=0.0) == 0.0
    assert local_loss(guesses, 0.5, width=0.1) == pytest.approx(0.5, abs=0.05)
