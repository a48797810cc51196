"""Standard errors and intervals: against the bootstrap of rows, formulas, coverage."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import reference_resampling as plain
from builders import refuses
from demur import InputError, UndefinedRate
from demur.arrays import Sample, effective_items, rank
from demur.statistics import resampling
from demur.statistics.intervals import (
    percentiles,
    sample_interval,
    wilson,
)
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity
from demur.statistics.resampling import draws
from demur.statistics.units import no_spread, t_interval
from random_rows import beta_sample
from reference_resampling import KINDS

QUANTITIES = [Quantity("error", 0.4), Quantity("nonreturn", 0.2), Quantity("area")]
METHODS = ["influence", "bootstrap"]


@pytest.mark.parametrize("kind", KINDS)
def test_standard_errors_are_those_of_the_bootstrap_of_rows(kind: str) -> None:
    options = (
        {**KINDS[kind], "clusters": 40} if "clusters" in KINDS[kind] else (KINDS[kind])
    )
    sample, _ = plain.samples(11, 120, **options)
    counts = next(iter(draws(sample.n_clusters, 300, seed=5)))
    drawn = counts if sample.cluster is None else counts[:, sample.cluster]
    for quantity in (QUANTITIES[0], QUANTITIES[2]):
        replicates = [
            plain.values([sample], count, quantity.name, quantity.at)[0]
            for count in drawn
        ]
        found = sample_interval(sample, quantity=quantity).standard_error
        assert found == pytest.approx(np.std(replicates), rel=0.15)


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_the_curve(kind: str, quantity: Quantity) -> None:
    sample, _ = plain.samples(12, 60, **KINDS[kind])
    wanted = plain.values([sample], None, quantity.name, quantity.at)[0]
    for method in METHODS:
        found = sample_interval(
            sample, quantity=quantity, method=method, replicates=200
        )
        assert found.value == pytest.approx(wanted)
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_area_is_covered_as_in_an_earlier_study() -> None:
    # There 95 % intervals held it in 0.957 of 2000 samples of 300 items.
    held = []
    for seed in range(400):
        found = sample_interval(beta_sample(300, seed), quantity=Quantity("area"))
        held.append(found.low <= 0.09 <= found.high)
    assert np.mean(held) == pytest.approx(0.957, abs=0.03)


@pytest.mark.parametrize("size", [60, 300])
def test_one_error_at_the_top_excludes_no_more_than_one_can_know(size: int) -> None:
    """It is seen in 2.5 % of samples if .0253 are expected, each 1 / n of area."""
    loss = np.r_[np.zeros(size - 1), 1.0]
    sure = Sample(np.ones(size, bool), np.arange(size) * 1.0, loss)
    low = sample_interval(sure, quantity=Quantity("area")).low
    assert low == pytest.approx(0.0253 / size, rel=0.1)
    mirrored = replace(sure, loss=1 - loss)
    high = sample_interval(mirrored, quantity=Quantity("area")).high
    assert 0.5 - 0.0253 / size < high <= 0.5


def test_no_error_at_all_still_has_an_upper_end() -> None:
    sample = Sample(np.ones(59, bool), np.linspace(0, 1, 59), np.zeros(59))
    found = sample_interval(sample, quantity=Quantity("error", 0.0))
    assert found.low == 0
    assert 0.05 < found.high < 0.07
    assert sample_interval(sample, quantity=Quantity("area")).high > 0.05


def test_no_interval_leaves_what_is_possible() -> None:
    sample = Sample(np.ones(20, bool), np.linspace(0, 1, 20), np.zeros(20))
    # The surest answer is right: that it were wrong with .975 cannot be ruled out.
    for rate, most in ((0.99, 0.00975), (1.0, 0.0)):
        found = sample_interval(sample, quantity=Quantity("error", rate))
        assert found.high == pytest.approx(most)


def test_few_cells_hardly_move_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = beta_sample(2000, seed=8)
    for quantity in QUANTITIES:
        fine = sample_interval(sample, quantity=quantity, method="bootstrap")
        monkeypatch.setattr(resampling, "CELLS", 4)
        coarse = sample_interval(sample, quantity=quantity, method="bootstrap")
        monkeypatch.undo()
        middle = (fine.low + fine.high) / 2
        width = fine.high - fine.low
        assert (coarse.low + coarse.high) / 2 == pytest.approx(middle, abs=0.15 * width)


def test_the_nonreturn_interval_is_where_the_error_interval_holds_the_error() -> None:
    sample = beta_sample(400, seed=4)
    found = sample_interval(sample, quantity=Quantity("nonreturn", 0.1))
    assert found.low < found.value < found.high
    left = sample_interval(sample, quantity=Quantity("error", round(found.low, 6)))
    right = sample_interval(sample, quantity=Quantity("error", round(found.high, 6)))
    assert left.low == pytest.approx(0.1, abs=1e-3)
    assert right.high == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_the_two_methods_agree_for_many_items(quantity: Quantity) -> None:
    sample = beta_sample(3000, seed=5)
    first, second = (
        sample_interval(sample, quantity=quantity, method=method) for method in METHODS
    )
    width = first.high - first.low
    assert first.low == pytest.approx(second.low, abs=0.1 * width)
    assert first.high == pytest.approx(second.high, abs=0.1 * width)
    assert first.standard_error == pytest.approx(second.standard_error, rel=0.1)
    assert (first.replicates, second.replicates) == (None, 2000)


def test_clusters_widen_intervals() -> None:
    sample = beta_sample(200, seed=6)
    pairs = [np.concatenate([each, each]) for each in
             (sample.guess, sample.confidence, sample.loss)]  # fmt: skip
    doubled = Sample(*pairs)
    same = np.tile(np.arange(200), 2)
    clustered = Sample(*pairs, None, same)
    quantity = Quantity("error", 0.2)
    one, two, whole = (
        sample_interval(data, quantity=quantity).standard_error
        for data in (sample, doubled, clustered)
    )
    assert whole == pytest.approx(one, rel=0.02)  # copies add nothing
    assert two == pytest.approx(one / np.sqrt(2), rel=0.02)
    found = sample_interval(clustered, quantity=quantity)
    assert (found.n_items, found.n_clusters) == (400, 200)


def test_a_weight_is_a_number_of_copies_kept_together() -> None:
    sample = beta_sample(80, seed=7)
    weight = np.random.default_rng(0).integers(1, 4, 80)
    rows = np.repeat(np.arange(80), weight)
    copied = Sample(
        sample.guess[rows], sample.confidence[rows], sample.loss[rows], None, rows
    )
    weighted = Sample(sample.guess, sample.confidence, sample.loss, weight * 1.0)
    for quantity in (Quantity("error", 0.0), Quantity("area")):
        first = sample_interval(weighted, quantity=quantity)
        second = sample_interval(copied, quantity=quantity)
        assert first.value == pytest.approx(second.value)
        assert first.standard_error == pytest.approx(second.standard_error)


@given(
    st.floats(0, 1),
    st.floats(2, 1e6),
    st.floats(1.5, 4),
)
def test_wilson_ends_solve_its_equation(rate: float, n: float, z: float) -> None:
    low, high = wilson(rate, n, z)
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            square = z * z * end * (1 - end) / n
            assert (rate - end) ** 2 == pytest.approx(square, rel=1e-5)


def test_t_intervals_are_those_of_the_textbook() -> None:
    values = np.array([0.2, 0.5, 0.1, 0.4])
    moved = (values - values.mean()) / 3  # left out, one by one
    wanted = stats.t.interval(0.9, 3, loc=values.mean(), scale=stats.sem(values))
    assert t_interval(values.mean(), moved, level=0.9) == pytest.approx(wanted)


def test_few_units_take_percentiles_further_out() -> None:
    values = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    many = percentiles(values, level=0.95, n_units=1000)
    few = percentiles(values, level=0.95, n_units=10)
    assert many == pytest.approx((-1.96, 1.96), abs=0.01)
    # Of normal replicates this makes the t interval: sqrt(10 / 9) t(9).
    assert few[1] == pytest.approx(np.sqrt(10 / 9) * 2.262, abs=0.02)


def test_agreement_of_all_units_is_not_certainty() -> None:
    assert no_spread(1.0, level=0.95, n_units=10) == (
        pytest.approx(1 - (1 - 0.025 ** (1 / 10))),
        1.0,
    )
    assert percentiles(np.zeros(99), level=0.9, n_units=59)[1] == pytest.approx(
        0.0495, abs=1e-4
    )


def test_effective_items() -> None:
    assert effective_items(None, 7) == 7
    assert effective_items(np.full(7, 2.5), 7) == pytest.approx(7)
    assert effective_items(np.array([1e9, 1.0]), 2) == pytest.approx(1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": 5}, "level must be from 0.5 to below 1; got 5"),
        ({"level": 0.05}, "level must be from 0.5 to below 1"),
        ({"replicates": 3, "method": "bootstrap"}, "replicates must be at least 39"),
        ({"method": "jackknife"}, "method must be one of influence, bootstrap"),
    ],
)
def test_arguments_that_make_no_sense(changed: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample_interval(beta_sample(10, 0), quantity=Quantity("area"), **changed)


def test_quantities_that_make_no_sense() -> None:
    refuses("name must be one of", Quantity, "errors", 0.2)
    refuses("at must be a number from 0 to 1", Quantity, "error", 20)
    refuses("at must be a number from 0 to 1", Quantity, "nonreturn")
    refuses("at must be None", Quantity, "area", 0.2)
    assert Quantity("nonreturn", 0.05).text == "nonreturn at error 0.05"


def test_a_single_item_and_a_rate_out_of_reach() -> None:
    one = Sample(np.ones(1, bool), np.ones(1), np.zeros(1))
    with pytest.raises(UndefinedRate, match=r"too few items \(1\)"):
        sample_interval(one, quantity=Quantity("error", 0.0))
    silent = Sample(np.arange(6) < 3, np.ones(6), np.zeros(6))
    with pytest.raises(UndefinedRate, match="curve starts at nonreturn"):
        sample_interval(silent, quantity=Quantity("error", 0.2))


def test_results_are_plain_values() -> None:
    found = sample_interval(beta_sample(50, 0), quantity=Quantity("error", 0.2))
    assert {type(value) for value in found.to_dict().values()} <= {
        str, float, int, type(None)
    }  # fmt: skip
    assert found.to_dict()["at"] == 0.2


def test_a_nonreturn_at_the_start_is_as_unsure_as_the_start() -> None:
    rng = np.random.default_rng(3)
    held, n, runs = 0, 200, 200
    for _ in range(runs):
        guess = rng.random(n) < 0.8
        loss = guess * (rng.random(n) < 0.05) * 1.0
        sample = Sample(guess, rng.random(n), loss)
        found = sample_interval(sample, quantity=Quantity("nonreturn", 0.2))
        assert found.low < found.value < found.high
        held += found.low <= 0.2 <= found.high
    assert held >= 0.91 * runs  # 95 % less two and a half standard deviations
    always = Sample(np.ones(n, bool), rng.random(n), np.zeros(n))
    found = sample_interval(always, quantity=Quantity("nonreturn", 0.5))
    assert (found.low, found.high) == (0, 0)


@pytest.mark.parametrize("kind", ["few", "bottom", "clusters"])
def test_intervals_of_areas_miss_seldom_on_either_side(kind: str) -> None:
    """Errors are few, or stand at the bottom only, or in few clusters."""

    def draw(rng: np.random.Generator, n: int) -> Sample:
        confidence, cluster = rng.random(n), None
        chance = {"few": 0.2 * (1 - confidence), "bottom": 0.1 * (confidence < 0.1)}
        if kind == "clusters":
            cluster = np.arange(n) // 5
            often = (rng.random(n // 5) < 0.3)[cluster]
            chance[kind] = np.where(often, 0.9, 0.1) * (1 - confidence)
        wrong = 1.0 * (rng.random(n) < chance[kind])
        return Sample(np.ones(n, bool), confidence, wrong, cluster=cluster)

    area = Quantity("area")
    ranking = rank(draw(np.random.default_rng(99), 500_000))
    truth = area.estimates([ranking])[0].value
    n = {"few": 50, "bottom": 500, "clusters": 150}[kind]
    ends = np.array(
        [
            (found.low, found.high)
            for found in (
                sample_interval(draw(np.random.default_rng(seed), n), quantity=area)
                for seed in range(200)
            )
        ]
    )
    assert np.mean(ends[:, 0] > truth) <= 0.04
    assert np.mean(ends[:, 1] < truth) <= 0.04


def test_an_area_of_a_part_without_errors_knows_how_wide_the_part_is() -> None:
    sample = Sample(np.ones(60, bool), np.linspace(0, 1, 60), np.zeros(60))
    whole, part = (
        sample_interval(sample, quantity=Quantity("area", between=between)).high
        for between in (None, (0.0, 0.1))
    )
    assert part == pytest.approx(whole / 10)
    found = paired_difference(
        sample, sample, quantity=Quantity("area", between=(0.0, 0.1))
    )
    assert found.high == pytest.approx(part)


def test_an_error_at_the_least_sure_item_does_not_shrink_the_bound() -> None:
    none = Sample(np.ones(60, bool), np.linspace(0, 1, 60), np.zeros(60))
    one = replace(none, loss=np.r_[1.0, np.zeros(59)])
    highs = [sample_interval(s, quantity=Quantity("area")).high for s in (none, one)]
    assert highs[1] > 0.9 * highs[0]
