"""Draws, and curves of resampled cells against those of resampled items."""

import numpy as np
import pytest

import reference_resampling as plain
from demur.arrays import Sample, rank
from demur.statistics import resampling
from demur.statistics.quantities import observed
from demur.statistics.resampling import cell_curves, drawn_curves, draws, swaps
from reference_resampling import KINDS


def everything(blocks) -> np.ndarray:
    return np.concatenate(list(blocks))


def test_draws_are_as_many_as_there_are_units() -> None:
    counts = everything(draws(7, 500, seed=1))
    assert counts.shape == (500, 7)
    assert (counts.sum(axis=1) == 7).all()
    # A count is binomial (7, 1/7): mean 1, variance 6/7.
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.2)
    assert counts.var() == pytest.approx(6 / 7, rel=0.1)


def test_swaps_are_fair_coins() -> None:
    coins = everything(swaps(50, 400, seed=1))
    assert set(np.unique(coins)) == {0, 1}
    assert coins.mean() == pytest.approx(0.5, abs=0.02)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = everything(draws(11, 30, seed=5)), everything(swaps(11, 30, seed=5))
    monkeypatch.setattr(resampling, "BLOCK", 25)
    parts = everything(draws(11, 30, seed=5)), everything(swaps(11, 30, seed=5))
    assert len(list(draws(11, 30, seed=5))) > 10
    assert np.array_equal(whole[0], parts[0])
    assert np.array_equal(whole[1], parts[1])


@pytest.mark.parametrize("seed", [0, 1])
def test_seeds_are_all_there_is_to_chance(seed: int) -> None:
    first, again = (everything(draws(9, 20, seed)) for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, everything(draws(9, 20, seed + 1)))


def test_systems_share_draws_and_clusters_stay_whole() -> None:
    a, b = plain.samples(1, 30, clusters=6)
    counts = everything(draws(a.n_clusters, 25, seed=3))
    [block] = draws(a.n_clusters, 25, seed=3, width=30)
    curves = drawn_curves([rank(a), rank(b)], a.cluster, block)
    for sample, each in zip((a, b), curves, strict=True):
        wanted = [
            plain.error_at(plain.curve_of(sample, count[a.cluster]), 0.3)
            for count in counts
        ]
        assert each.error_at(0.3) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", ["clusters", "everything"])
def test_cells_of_clusters_are_exact(kind: str) -> None:
    sample, _ = plain.samples(2, 40, **KINDS[kind])
    drawn, own = cell_curves(rank(sample), sample.cluster, replicates=50, seed=3)
    [block] = draws(sample.n_clusters, 50, seed=3, width=40)
    [wanted] = drawn_curves([rank(sample)], sample.cluster, block)
    assert drawn.withheld == pytest.approx(wanted.withheld)
    assert drawn.avoided == pytest.approx(wanted.avoided)
    assert own.avoided == pytest.approx(observed(rank(sample)).avoided)


def test_items_all_different_are_drawn_one_by_one() -> None:
    rng = np.random.default_rng(0)
    confidence = np.sort(rng.random(30))  # kinds are numbered by rank
    loss = 1.0 * (rng.random(30) < 0.4)
    sample = Sample(np.ones(30, bool), confidence, loss, rng.random(30))
    drawn, _ = cell_curves(rank(sample), None, replicates=50, seed=3)
    [block] = draws(30, 50, seed=3)
    [wanted] = drawn_curves([rank(sample)], None, block)
    assert drawn.avoided == pytest.approx(wanted.avoided)


@pytest.mark.parametrize("kind", ["ties", "no guess", "weights"])
def test_cells_spread_as_resampled_items_do(kind: str) -> None:
    sample, _ = plain.samples(4, 60, **KINDS[kind])
    ranking = rank(sample)
    drawn, own = cell_curves(ranking, None, replicates=4000, seed=1)
    blocks = [drawn_curves([ranking], None, block) for block in draws(60, 4000, 2)]
    rates = np.array([0.3, 0.6, 0.9])
    items = np.concatenate([curves.error_at(rates) for (curves,) in blocks])
    cells = drawn.error_at(rates)
    assert own.error_at(rates) == pytest.approx(observed(ranking).error_at(rates))
    assert cells.mean(axis=0) == pytest.approx(items.mean(axis=0), abs=0.005)
    assert cells.std(axis=0) == pytest.approx(items.std(axis=0), rel=0.06, abs=1e-3)


def test_the_rows_of_cells_hold_all_weight() -> None:
    sample, _ = plain.samples(4, 50, silent=0.3)
    drawn, own = cell_curves(rank(sample), None, replicates=20, seed=1)
    assert (drawn.total == 50).all()
    assert own.withheld[0, 0] == np.count_nonzero(~sample.guess)


def test_few_cells_stay_within_the_stated_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resampling, "CELLS", 10)
    sample, _ = plain.samples(5, 400, levels=0)
    ranking = rank(sample)
    _, own = cell_curves(ranking, None, replicates=20, seed=1)
    rates = np.linspace(0, 1, 201)
    gap = own.error_at(rates) - observed(ranking).error_at(rates)
    assert np.abs(gap).max() <= 0.1 / 4 + 1e-12
    assert np.abs(gap).max() > 0  # the bound is about something
