"""Curves of reweighted items against the exact curve of repeated rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference_resampling as plain
from demur import InputError
from demur.arrays import Sample, coarsened, rank
from demur.statistics.equal_units import equal_units
from demur.statistics.quantities import observed, reweighted
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import left_out, spread, t_quantile
from reference_resampling import KINDS


def drawn(seed: int, sample: Sample, replicates: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.multinomial(
        len(sample), np.full(len(sample), 1 / len(sample)), size=replicates
    )


@pytest.mark.parametrize("kind", KINDS)
def test_resampled_curves_are_those_of_the_repeated_rows(kind: str) -> None:
    sample, _ = plain.samples(1, 25, **KINDS[kind])
    counts = drawn(2, sample, 40)
    curves = reweighted(rank(sample), counts)
    rates = np.array([0.0, 0.2, 0.37, 0.8, 1.0])
    errors = curves.error_at(rates)
    for row, count in enumerate(counts):
        curve = plain.curve_of(sample, count)
        wanted = [plain.error_at(curve, rate) for rate in rates]
        assert errors[row] == pytest.approx(wanted, abs=1e-12)
        assert curves.start[row] == pytest.approx(curve.start)
    assert curves.error_at(0.37) == pytest.approx(errors[:, 2])


@pytest.mark.parametrize("kind", KINDS)
def test_nonreturn_and_area_are_those_of_the_repeated_rows(kind: str) -> None:
    sample, _ = plain.samples(3, 20, **KINDS[kind])
    counts = drawn(4, sample, 40)
    curves = reweighted(rank(sample), counts)
    own, later = curves.area_from(curves.start), curves.area_from(0.6)
    for row, count in enumerate(counts):
        curve = plain.curve_of(sample, count)
        for error in (0.0, 0.1, 0.25, 0.9):
            found = curves.nonreturn_at(error)[row]
            assert found == pytest.approx(plain.nonreturn_at(curve, error), abs=1e-9)
        assert own[row] == pytest.approx(curve.area().observed)
        assert later[row] == pytest.approx(plain.area_from(curve, 0.6))


@given(st.integers(0, 10**6), st.integers(2, 12), st.sampled_from(sorted(KINDS)))
def test_the_order_of_rows_does_not_matter(seed: int, n: int, kind: str) -> None:
    sample, _ = plain.samples(seed, n, **KINDS[kind])
    shuffled = sample.take(np.random.default_rng(seed).permutation(n))
    rates = np.linspace(0, 1, 7)
    first, second = observed(rank(sample)), observed(rank(shuffled))
    assert first.error_at(rates) == pytest.approx(second.error_at(rates))
    assert first.area_from(first.start) == pytest.approx(second.area_from(second.start))


@given(st.integers(0, 10**6), st.sampled_from(sorted(KINDS)))
def test_counting_all_items_twice_changes_nothing(seed: int, kind: str) -> None:
    sample, _ = plain.samples(seed, 9, **KINDS[kind])
    ranking = rank(sample)
    twice = reweighted(ranking, np.full((1, 9), 2))
    rates = np.linspace(0, 1, 7)
    assert twice.error_at(rates) == pytest.approx(observed(ranking).error_at(rates))


def test_no_guess_at_all_is_silence() -> None:
    silent = Sample(np.zeros(3, bool), np.zeros(3), np.zeros(3))
    curves = observed(rank(silent))
    assert curves.start[0] == 1
    assert curves.error_at(0.5)[0] == 0
    assert curves.nonreturn_at(0.1)[0] == 1
    assert curves.area_from(curves.start)[0] == 0


def test_an_error_rate_is_read_as_the_decimal_it_prints_as() -> None:
    # 30 wrong of 100, the least sure one followed by right ones: error 0.29 is
    # reached at nonreturn 0.01, though 0.29 * 100 is 28.999999999999996.
    loss = np.zeros(100)
    loss[[0, *range(50, 79)]] = 1
    curves = observed(rank(Sample(np.ones(100, bool), np.arange(100.0), loss)))
    assert curves.nonreturn_at(0.29)[0] == pytest.approx(0.01)


def test_infinite_confidences_and_signed_zeros_are_ordinary() -> None:
    confidence = np.array([-np.inf, -0.0, 0.0, np.inf])
    ranking = rank(Sample(np.ones(4, bool), confidence, np.array([1.0, 0, 1, 0])))
    assert ranking.first.tolist() == [0, 1, 3]


def test_nan_and_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="must not hold NaN"):
        rank(Sample(np.ones(1, bool), np.array([np.nan]), np.zeros(1)))
    with pytest.raises(InputError, match="must hold at least one item"):
        rank(Sample(np.ones(0, bool), np.zeros(0), np.zeros(0)))
    hidden = Sample(np.zeros(1, bool), np.array([np.nan]), np.zeros(1))
    assert rank(hidden).silent.tolist() == [0]


@given(st.integers(0, 10**6), st.integers(1, 40))
def test_cells_are_made_of_whole_blocks_of_about_equal_weight(
    seed: int, cells: int
) -> None:
    sample, _ = plain.samples(seed, 60, levels=30)
    ranking = rank(sample)
    coarse = coarsened(ranking, cells)
    assert len(coarse.first) <= max(cells, 1)
    assert coarse.first[0] == 0
    assert set(coarse.first) <= set(ranking.first)
    largest = np.diff(ranking.first, append=60).max()
    sizes = np.diff(coarse.first, append=60)
    assert sizes.max() <= 60 / cells + largest
    if cells >= len(ranking.first):
        assert coarse is ranking


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0, 3.0, 40.0])
def test_intervals_without_spread_hold_the_value(rate: float) -> None:
    """A word error rate may be above 1; so may bits, turns and seconds."""
    errors = np.full(10, rate)
    low, high = ratio_interval(errors, np.ones(10), None, 0.95, share=False) or (0, 0)
    reach = (1 - 0.025**0.1) * max(rate, 1)
    assert low == pytest.approx(max(rate - reach, 0))
    assert high == pytest.approx(rate + reach)


def test_intervals_of_positive_ratios_are_of_their_logarithms() -> None:
    errors, words = np.array([0.0, 1, 0, 6, 2, 1, 0]), np.array([4.0, 5, 3, 9, 6, 5, 8])
    ratio = errors.sum() / words.sum()
    deviation = spread(left_out((errors - ratio * words) / words.sum(), words, None))
    relative = deviation / ratio
    reach = t_quantile(0.9, equal_units(words)) * relative
    ends = ratio * np.exp(-reach), ratio * np.exp(reach + relative**2 / 2)
    found = ratio_interval(errors, words, None, 0.9, share=False)
    assert found == pytest.approx(ends)
    # Units in which all is below 0 are taken as they are.
    low, high = ratio_interval(-errors, words, None, 0.9, share=False) or (0, 0)
    assert low + high == pytest.approx(-2 * ratio)
    # An end is at most twice what a unit has, or 1.
    for scale, most in ((1.0, 1.0), (30.0, 2 * 5.0)):
        one = np.r_[np.zeros(5), scale]
        ends = ratio_interval(one, np.full(6, 6.0), None, 0.999, share=False)
        assert ends is not None
        assert ends[1] == pytest.approx(most)


def test_a_difference_of_word_error_rates_above_one_is_in_its_interval() -> None:
    a = demur.word_errors(references=["a"] * 9, hypotheses=["a"] * 9)
    b = demur.word_errors(references=["a"] * 9, hypotheses=["x y z"] * 9)
    found = demur.compare_words(a, b)
    for ends in (found.interval, found.bootstrap):
        assert ends is not None
        assert ends[0] <= found.difference == 3 <= ends[1]
