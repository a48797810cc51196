"""Bands: against plain resampling, what is promised, and how often it is kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_resampling as plain
from builders import refuses, undefined
from demur.arrays import Sample
from demur.statistics import bands, resampling
from demur.statistics.bands import METHODS, sample_band
from demur.statistics.intervals import sample_interval
from demur.statistics.quantities import Quantity
from demur.statistics.resampling import draws
from random_rows import beta_sample
from reference_resampling import KINDS

GRID = np.arange(0, 100) / 100


def true_error(nonreturn: np.ndarray) -> np.ndarray:
    return 0.9 * (1 - nonreturn - 2 / 3 * (1 - nonreturn**1.5))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["plain", "ties", "no guess"])
def test_a_band_is_around_the_curve(kind: str, method: str) -> None:
    sample, _ = plain.samples(1, 70, **KINDS[kind])
    found = sample_band(sample, method=method, replicates=99)
    curve = plain.curve_of(sample)
    wanted = [plain.error_at(curve, rate) for rate in found.nonreturn]
    assert found.error == pytest.approx(wanted)
    assert found.nonreturn[0] == pytest.approx(curve.start)
    assert found.nonreturn[-1] == 1
    assert (found.low >= 0).all()
    assert (found.low <= found.error).all()
    assert (found.error <= found.high).all()
    assert (found.high <= 1 - found.nonreturn + 1e-12).all()
    assert (np.diff(found.high) <= 1e-12).all()
    assert found.simultaneous == (method in ("sup-t", "dkw"))
    assert not found.low.flags.writeable


@pytest.mark.parametrize("kind", KINDS)
def test_bootstrap_bands_are_percentiles_of_resampled_rows(kind: str) -> None:
    options = (
        {**KINDS[kind], "clusters": 60} if "clusters" in KINDS[kind] else (KINDS[kind])
    )
    sample, _ = plain.samples(2, 100, **options)
    grid = np.array([0.3, 0.6])
    found = sample_band(
        sample, method="bootstrap", grid=grid, level=0.8, replicates=4000
    )
    counts = next(iter(draws(sample.n_clusters, 300, seed=9)))
    drawn = counts if sample.cluster is None else counts[:, sample.cluster]
    curves = [plain.curve_of(sample, count) for count in drawn]
    for place, rate in enumerate(grid):
        errors = [plain.error_at(curve, rate) for curve in curves]
        low, high = np.quantile(errors, [0.1, 0.9])
        assert found.low[place] == pytest.approx(low, abs=0.012)
        assert found.high[place] == pytest.approx(high, abs=0.012)


def test_pointwise_bands_are_intervals_of_the_error() -> None:
    sample = beta_sample(300, seed=1)
    found = sample_band(sample, method="influence", grid=np.array([0.1, 0.2, 0.5]))
    for place, rate in enumerate(found.nonreturn):
        one = sample_interval(sample, quantity=Quantity("error", float(rate)))
        assert found.low[place] == pytest.approx(one.low)
        assert found.high[place] == pytest.approx(one.high)


def share_held(method: str, n_items: int, runs: int, **options) -> float:
    held = []
    for seed in range(runs):
        found = sample_band(
            beta_sample(n_items, seed), method=method, grid=GRID, seed=seed, **options
        )
        true = true_error(found.nonreturn)
        held.append(((found.low <= true) & (true <= found.high)).all())
    return float(np.mean(held))


def test_the_proved_band_holds_the_whole_curve() -> None:
    assert share_held("dkw", 100, 400) >= 0.95


def test_the_sharper_band_holds_the_whole_curve_nearly_as_often_as_it_says() -> None:
    assert 0.92 <= share_held("sup-t", 200, 200, replicates=400) <= 0.99


def test_the_sharper_band_is_narrower_above_all_where_errors_are_rare() -> None:
    sample = beta_sample(2000, seed=1)
    sharp, safe = (
        sample_band(sample, method=each, grid=GRID) for each in ("sup-t", "dkw")
    )
    assert (sharp.high - sharp.low).mean() < 0.7 * (safe.high - safe.low).mean()
    assert (sharp.high - sharp.error)[90] < 0.4 * (safe.high - safe.error)[90]


def test_dkw_reach_is_the_known_constant() -> None:
    sample = beta_sample(1000, seed=1)
    found = sample_band(sample, method="dkw", level=0.9, grid=np.array([0.1]))
    # One-sided at 95 %, two-sided at 90 %: 0.0387 for 1000 items.
    assert found.high[0] - found.error[0] == pytest.approx(0.0387, abs=5e-5)
    assert found.error[0] - found.low[0] == pytest.approx(0.0387, abs=5e-5)


def test_the_proof_holds_item_by_item() -> None:
    """Wrong and right answers above any cutoff bound the error at any nonreturn."""
    big, small = beta_sample(5000, seed=3), beta_sample(150, seed=4)

    def shares(sample: Sample, cutoff: float) -> tuple[float, float]:
        above = sample.confidence >= cutoff
        return sample.loss[above].sum(), above.sum() - sample.loss[above].sum()

    cutoffs = np.linspace(0, 1, 2001)
    known = np.array([shares(big, t) for t in cutoffs]) / 5000
    seen = np.array([shares(small, t) for t in cutoffs]) / 150
    reach = np.abs(known - seen).max() + 1 / 150
    rates = np.linspace(0, 1, 101)
    curves = plain.curve_of(big), plain.curve_of(small)
    apart = [
        plain.error_at(curves[0], rate) - plain.error_at(curves[1], rate)
        for rate in rates
    ]
    assert np.abs(apart).max() <= reach


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"weighted": True}, "weights"),
        ({"credit": True}, "partial credit"),
        ({"clusters": 5}, "clusters"),
    ],
)
def test_dkw_refuses_what_it_cannot_promise(options: dict, reason: str) -> None:
    sample, _ = plain.samples(1, 40, **options)
    refuses(f"got {reason}", sample_band, sample, method="dkw")


def test_clusters_widen_bands() -> None:
    sample = beta_sample(150, seed=5)
    columns = [np.tile(each, 3) for each in
               (sample.guess, sample.confidence, sample.loss)]  # fmt: skip
    copied = Sample(*columns)
    clustered = Sample(*columns, None, np.tile(np.arange(150), 3))
    grid = np.array([0.1, 0.3])
    for method in ("sup-t", "bootstrap", "influence"):
        alone, loose, whole = (
            sample_band(each, method=method, grid=grid)
            for each in (sample, copied, clustered)
        )
        width = alone.high - alone.low
        assert whole.high - whole.low == pytest.approx(width, rel=0.12)
        assert (loose.high - loose.low < 0.75 * width).all()


def test_few_cells_hardly_move_a_band(monkeypatch: pytest.MonkeyPatch) -> None:
    sample, grid = beta_sample(2000, seed=8), np.array([0.1, 0.35, 0.6])
    fine = sample_band(sample, method="bootstrap", grid=grid)
    monkeypatch.setattr(resampling, "CELLS", 4)
    coarse = sample_band(sample, method="bootstrap", grid=grid)
    shift = (coarse.low + coarse.high - fine.low - fine.high) / 2
    assert (np.abs(shift) < 0.15 * (fine.high - fine.low)).all()


def test_few_clusters_widen_by_student_t(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = beta_sample(400, seed=2)
    sample = Sample(
        columns.guess, columns.confidence, columns.loss, None, np.arange(400) % 8
    )
    recipe = {"grid": np.array([0.1]), "replicates": 2000}
    wide = sample_band(sample, **recipe)
    monkeypatch.setattr(bands, "FEW_DRAWN", 2)
    narrow = sample_band(sample, **recipe)
    widths = [float(each.high[0] - each.low[0]) for each in (wide, narrow)]
    # t(7) is 2.365, and resamples of 8 vary too little by sqrt(7 / 8).
    factor = 2.365 / 1.96 * np.sqrt(8 / 7)
    assert widths[0] == pytest.approx(factor * widths[1], rel=0.02)


@given(st.integers(0, 10**6), st.integers(2, 30), st.sampled_from(sorted(KINDS)))
def test_bands_are_numbers_whatever_the_sample(seed: int, n: int, kind: str) -> None:
    sample, _ = plain.samples(seed, n, **KINDS[kind])
    for method in ("sup-t", "bootstrap", "influence"):
        if sample.n_clusters < 5:
            undefined("too few", sample_band, sample, method=method, replicates=39)
            continue
        found = sample_band(sample, method=method, replicates=39)
        assert np.isfinite([found.low, found.high]).all()
        assert (found.low <= found.high).all()


def test_all_right_and_all_wrong() -> None:
    for loss in (np.zeros(40), np.ones(40)):
        sample = Sample(np.ones(40, bool), np.linspace(0, 1, 40), loss)
        for method in METHODS:
            found = sample_band(
                sample, method=method, replicates=99, grid=np.array([0.5])
            )
            assert found.low[0] <= loss[0] / 2 <= found.high[0]
            assert found.high[0] > 0.02


def test_the_seed_is_all_there_is_to_chance() -> None:
    sample = beta_sample(80, seed=1)
    first, again, other = (
        sample_band(sample, seed=seed, replicates=99) for seed in (1, 1, 2)
    )
    assert np.array_equal(first.high, again.high)
    assert not np.array_equal(first.high, other.high)
    assert (first.replicates, first.seed) == (99, 1)
    assert sample_band(sample, method="dkw").seed is None


def test_grids() -> None:
    sample, _ = plain.samples(1, 50, silent=0.4)
    found = sample_band(sample, method="dkw", grid=np.array([0.0, 0.7, 1.0]))
    assert found.nonreturn.tolist() == [0.7, 1.0]
    for wrong in ([0.5, 0.2], [0.5, 1.2], [[0.5]], [float("nan")]):
        refuses("grid must hold rising", sample_band, sample, grid=np.array(wrong))


def test_a_legend_and_json() -> None:
    found = sample_band(beta_sample(30, 1), method="dkw", grid=np.array([0.5]))
    assert found.text.startswith("95 % vertical band, simultaneous")
    listed = found.to_dict()
    assert listed["kind"] == "vertical"
    assert listed["nonreturn"] == [0.5]
    assert listed["simultaneous"] is True


def test_clusters_without_an_error_count_as_one_item_each() -> None:
    cluster = np.repeat(np.arange(10), 50)
    for loss in (0.0, 1.0):
        sample = Sample(
            np.ones(500, bool), np.arange(500.0), np.full(500, loss), None, cluster
        )
        found = sample_band(sample, grid=np.array([0.0, 0.2]))
        reach = 1 - 0.025 ** (1 / 10)
        if loss:
            assert found.low[0] <= 1 - reach + 1e-9
        else:
            assert found.high == pytest.approx([reach, reach])


def test_rare_bad_clusters_are_not_missed_by_the_sharper_band() -> None:
    # A cluster is bad throughout with chance 0.06: often none of ten is.
    rng, held = np.random.default_rng(0), 0
    cluster = np.repeat(np.arange(10), 20)
    for _ in range(60):
        loss = np.repeat(rng.random(10) < 0.06, 20) * 1.0
        sample = Sample(np.ones(200, bool), rng.random(200), loss, None, cluster)
        found = sample_band(sample, grid=np.array([0.0]), replicates=199)
        held += found.low[0] <= 0.06 <= found.high[0]
    assert held >= 54


def test_levels_need_replicates_only_where_there_are_some() -> None:
    sample = beta_sample(50, 0)
    for method in ("dkw", "influence"):
        assert sample_band(sample, method=method, level=0.9999).level == 0.9999
    refuses("replicates must be at least", sample_band, sample, level=0.9999)
