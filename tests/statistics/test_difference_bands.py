"""The band of a difference: around it, wide enough, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_resampling as plain
from builders import refuses, storm, undefined
from demur import UndefinedRate
from demur.arrays import Floats, Sample
from demur.statistics.bands import paired_band
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity
from demur.statistics.units import t_quantile
from reference_resampling import KINDS

GRID = np.arange(0, 100) / 100


def pair(rng: np.random.Generator, n_items: int, harder: float) -> list[Sample]:
    """Two systems with related confidences; the second errs more often."""
    shared = rng.random(n_items)
    samples = []
    for factor in (1.0, 1.0 + harder):
        confidence = (shared + rng.random(n_items)) / 2
        chance = np.minimum(factor * (0.7 - 0.6 * confidence), 1)
        loss = 1.0 * (rng.random(n_items) < chance)
        samples.append(Sample(np.ones(n_items, bool), confidence, loss))
    return samples


@pytest.mark.parametrize("kind", ["plain", "ties", "no guess"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_a_band_is_around_the_difference(kind: str, *, simultaneous: bool) -> None:
    a, b = plain.samples(1, 70, **KINDS[kind])
    found = paired_band(a, b, simultaneous=simultaneous)
    curves = plain.curve_of(a), plain.curve_of(b)
    wanted = [
        plain.error_at(curves[1], rate) - plain.error_at(curves[0], rate)
        for rate in found.nonreturn
    ]
    assert found.difference == pytest.approx(wanted)
    assert (found.low <= found.difference).all()
    assert (found.difference <= found.high).all()
    assert found.nonreturn[0] == pytest.approx(max(each.start for each in curves))
    assert np.isfinite([found.low, found.high]).all()


def test_pointwise_it_is_the_interval_of_the_difference() -> None:
    a, b = pair(np.random.default_rng(0), 500, 0.3)
    found = paired_band(a, b, simultaneous=False, grid=np.array([0.1, 0.4]))
    for row, rate in enumerate((0.1, 0.4)):
        one = paired_difference(
            a, b, quantity=Quantity("error", rate), method="influence"
        )
        # Student's t and the score are nearly the same for so many errors.
        ends = found.low[row], found.high[row]
        assert ends == pytest.approx((one.low, one.high), abs=0.002)


def test_exchanging_the_systems_turns_the_band_round() -> None:
    a, b = pair(np.random.default_rng(1), 300, 0.5)
    there, back = paired_band(a, b), paired_band(b, a)
    assert there.low == pytest.approx(-back.high, abs=1e-6)
    named = [(start, end) for start, end, who in there.surely() if who == "a"]
    assert named
    assert named == [(start, end) for start, end, who in back.surely() if who == "b"]


def test_the_eigenvectors_of_a_processor_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their signs are free: a page that one machine writes, another writes again."""
    a, b = pair(np.random.default_rng(1), 60, 0.4)
    band = paired_band(a, b)
    eigh = np.linalg.eigh

    def turned(matrix: Floats) -> tuple[Floats, Floats]:
        values, vectors = eigh(matrix)
        return values, vectors * np.where(np.arange(len(values)) % 2, -1.0, 1.0)

    monkeypatch.setattr(np.linalg, "eigh", turned)
    again = paired_band(a, b)
    np.testing.assert_allclose(again.low, band.low, rtol=0, atol=1e-9)
    assert again.p_value == band.p_value


def test_at_one_rate_simultaneous_is_pointwise() -> None:
    a, b = pair(np.random.default_rng(2), 400, 0.3)
    grid = np.array([0.2])
    ends = [
        paired_band(a, b, simultaneous=both, grid=grid).high for both in (True, False)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=0.003)


def test_all_rates_together_are_wider_but_not_by_bonferroni() -> None:
    a, b = pair(np.random.default_rng(3), 2000, 0.3)
    both = paired_band(a, b, grid=GRID)
    one = paired_band(a, b, grid=GRID, simultaneous=False)
    middle = slice(0, 60)
    ratio = (both.high - both.low)[middle] / (one.high - one.low)[middle]
    bonferroni = t_quantile(1 - 0.05 / len(GRID), 2000) / t_quantile(0.95, 2000)
    assert (ratio > 1.2).all()
    assert (ratio < bonferroni).all()


# 120 draws: 114 expected at 95 %, standard deviation 2.4; it may be cautious.
@pytest.mark.parametrize(("draws", "least"), storm([(40, 35), (120, 107)], sample=1))
def test_it_holds_the_true_difference_everywhere_about_as_often_as_it_says(
    draws: int, least: int
) -> None:
    rng = np.random.default_rng(4)
    held = 0
    big = [
        plain_error(sample, GRID)
        for sample in pair(np.random.default_rng(5), 10**6, 0.4)
    ]
    true = big[1] - big[0]
    for _ in range(draws):
        a, b = pair(rng, 400, 0.4)
        found = paired_band(a, b, grid=GRID)
        held += bool(((found.low <= true) & (true <= found.high)).all())
    assert held >= least


def plain_error(sample: Sample, rates: np.ndarray) -> np.ndarray:
    """Errors with the surest items answered, for distinct confidences."""
    order = np.argsort(-sample.confidence)
    lost = np.concatenate([[0], np.cumsum(sample.loss[order])]) / len(sample)
    return np.interp(1 - rates, np.arange(len(sample) + 1) / len(sample), lost)


def test_clusters_widen_it() -> None:
    a, b = pair(np.random.default_rng(6), 50, 0.4)
    repeated = np.repeat(np.arange(50), 8)
    alike = [
        Sample(*(column[repeated] for column in (s.guess, s.confidence, s.loss)))
        for s in (a, b)
    ]
    clustered = [Sample(s.guess, s.confidence, s.loss, None, repeated) for s in alike]
    recipe = {"grid": GRID[:60], "simultaneous": False}
    narrow, wide = (
        paired_band(*alike, **recipe),
        paired_band(*clustered, **recipe),
    )
    own = paired_band(a, b, **recipe)
    # Eight copies of every item tell no more than the item.
    ratio = (wide.high - wide.low) / (own.high - own.low)
    assert np.median(ratio) == pytest.approx(1, abs=0.1)
    assert ((narrow.high - narrow.low) < 0.6 * (wide.high - wide.low)).all()


def test_no_difference_seen_is_not_none_for_sure() -> None:
    a = Sample(np.ones(100, bool), np.arange(100.0), np.zeros(100))
    found = paired_band(a, a)
    assert (found.difference == 0).all()
    assert found.high[0] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert found.surely() == []
    assert found.high[-1] == 0  # at silence there is no error


@given(st.integers(0, 10**6), st.integers(2, 30), st.sampled_from(sorted(KINDS)))
def test_bands_are_numbers_whatever_the_sample(seed: int, n: int, kind: str) -> None:
    a, b = plain.samples(seed, n, **KINDS[kind])
    try:
        found = paired_band(a, b, grid=[*GRID[::10], 1.0])
    except UndefinedRate:
        return
    arrays = found.nonreturn, found.difference, found.low, found.high
    assert np.isfinite(arrays).all()
    assert (found.low <= found.difference + 1e-9).all()
    assert (found.difference <= found.high + 1e-9).all()


def test_what_cannot_be_paired_is_refused() -> None:
    a, b = pair(np.random.default_rng(7), 20, 0)
    short = Sample(b.guess[:9], b.confidence[:9], b.loss[:9])
    refuses("of the same items", paired_band, a, short)
    refuses("level", paired_band, a, b, level=95)
    alone = Sample(a.guess, a.confidence, a.loss, None, np.zeros(20, int))
    undefined(r"too few clusters \(1\)", paired_band, alone, alone)


def test_a_legend_and_json() -> None:
    a, b = pair(np.random.default_rng(1), 300, 0.5)
    found = paired_band(a, b, level=0.9)
    assert found.text == "90 % vertical band, simultaneous (sup-t, by influence)"
    shown = found.to_dict()
    assert shown["surely"][0]["better"] == "a"
    assert len(shown["low"]) == len(shown["nonreturn"]) == 101
    assert shown["seed"] == 0


def test_rounding_is_no_spread() -> None:
    """All wrong, in clusters: rates at which nothing differs but for rounding."""
    for seed in (273, 383, 1, 2, 3):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(30, 60)), int(rng.integers(9, 12))
        cluster = np.unique(rng.integers(0, k, n), return_inverse=True)[1]
        guess, loss = np.ones(n, bool), np.ones(n)
        a, b = (Sample(guess, rng.random(n), loss, None, cluster) for _ in range(2))
        with np.errstate(all="raise"):
            found = paired_band(a, b)
        assert np.isfinite([found.low, found.high]).all()


def test_rates_without_a_difference_do_not_widen_the_others() -> None:
    rng = np.random.default_rng(9)
    n = 40
    weight, confidence = rng.random(n) + 0.1, np.arange(n) / n
    losses = np.ones(n), 1.0 * (np.arange(n) >= 8)
    a, b = (Sample(np.ones(n, bool), confidence, loss, weight) for loss in losses)
    found = paired_band(a, b)
    assert found.high[0] < 0  # +0.03 where rounding counts as spread
    assert found.surely()[0][2] == "b"
