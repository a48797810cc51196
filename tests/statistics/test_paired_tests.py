"""Paired tests: each replicate against rows drawn one by one, and their size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import reference_resampling as plain
from builders import refuses, undefined
from demur import Difference, InputError, UndefinedRate
from demur.arrays import Sample, rank
from demur.statistics.paired_tests import (
    by_bootstrap,
    by_influence,
    default_method,
    paired_difference,
    replicate_values,
)
from demur.statistics.permutations import pool
from demur.statistics.quantities import Quantity
from demur.statistics.resampling import draws, swaps
from demur.statistics.units import t_quantile
from reference_resampling import KINDS

ERROR, NONRETURN, AREA = (
    Quantity("error", 0.4),
    Quantity("nonreturn", 0.2),
    Quantity("area"),
)
QUANTITIES = [ERROR, NONRETURN, AREA]
METHODS = ["bootstrap", "influence", "permutation"]


def pair(
    seed: int, n_items: int, *, better: float = 0.0, clusters: int = 0
) -> tuple[Sample, Sample]:
    """Two systems that err on the same hard items; B errs less by ``better``."""
    rng = np.random.default_rng(seed)
    cluster = np.sort(rng.integers(0, clusters, n_items)) if clusters else None
    hard = rng.random(n_items)
    if cluster is not None:
        cluster = np.unique(cluster, return_inverse=True)[1]
        hard = 0.5 * hard + 0.5 * rng.random(clusters)[cluster]
    made = []
    for gain in (0.0, better):
        confidence = rng.normal(-hard, 0.4)
        loss = 1.0 * (hard + rng.normal(0, 0.3, n_items) > 0.75 + gain)
        made.append(Sample(np.ones(n_items, bool), confidence, loss, None, cluster))
    return made[0], made[1]


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
@pytest.mark.parametrize("kind", KINDS)
def test_each_replicate_is_that_of_the_drawn_rows(
    kind: str, quantity: Quantity
) -> None:
    a, b = plain.samples(1, 24, **KINDS[kind])
    found = replicate_values([rank(a), rank(b)], a.cluster, quantity, 30, 7)
    [counts] = draws(a.n_clusters, 30, seed=7, width=24)
    drawn = counts if a.cluster is None else counts[:, a.cluster]
    wanted = [plain.values([a, b], each, quantity.name, quantity.at) for each in drawn]
    assert found == pytest.approx(np.array(wanted).T, abs=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
@pytest.mark.parametrize("kind", KINDS)
def test_p_value_and_interval_are_those_of_the_plain_bootstrap(
    kind: str, quantity: Quantity
) -> None:
    a, b = plain.samples(3, 90, **{**KINDS[kind], "clusters": 55}
                         if "clusters" in KINDS[kind] else KINDS[kind])  # fmt: skip
    found = paired_difference(
        a, b, quantity=quantity, method="bootstrap", replicates=119, seed=2
    )
    counts = next(iter(draws(a.n_clusters, 119, seed=2)))
    drawn = counts if a.cluster is None else counts[:, a.cluster]
    values = [plain.values([a, b], each, quantity.name, quantity.at) for each in drawn]
    apart = np.round([second - first for first, second in values], 9)
    if a.n_clusters >= 50:
        least = min(np.sum(apart <= 0), np.sum(apart >= 0))
        assert found.p_value == pytest.approx(min(1, 2 * (least + 1) / 120))
        # The third and the third last of 119: 0.025 * 120 from either end.
        assert found.low == pytest.approx(np.sort(apart)[2], abs=1e-8)
        assert found.high == pytest.approx(np.sort(apart)[-3], abs=1e-8)
    first, second = plain.values([a, b], None, quantity.name, quantity.at)
    assert found.value == pytest.approx(second - first, abs=1e-9)
    assert (found.replicates, found.seed, found.n_items) == (119, 2, 90)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_permutation_is_that_of_swapped_rows(seed: int, *, weighted: bool) -> None:
    a, b = plain.samples(seed, 22, silent=0.1, weighted=weighted)
    found = paired_difference(
        a, b, quantity=Quantity("error", 0.4), method="permutation", replicates=99,
        seed=4,
    )  # fmt: skip
    [units] = swaps(22, 99, seed=4)
    assert found.p_value == pytest.approx(plain.permutation_p(a, b, 0.4, units))
    assert found.low is None


def test_permutation_swaps_whole_clusters() -> None:
    a, b = plain.samples(5, 30, clusters=5)
    found = paired_difference(
        a, b, quantity=Quantity("error", 0.4), method="permutation", replicates=99
    )
    [units] = swaps(a.n_clusters, 99, seed=0)
    swapped = units[:, a.cluster]
    assert found.p_value == pytest.approx(plain.permutation_p(a, b, 0.4, swapped))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_only_the_order_of_confidences_matters(quantity: Quantity, method: str) -> None:
    a, b = pair(1, 80)
    scaled = Sample(b.guess, np.exp(3 * b.confidence) - 7, b.loss)
    recipe = {"quantity": quantity, "method": method, "replicates": 99}
    assert paired_difference(a, b, **recipe) == paired_difference(a, scaled, **recipe)


@pytest.mark.parametrize("method", ["bootstrap", "influence"])
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_exchanging_the_systems_changes_the_sign(
    quantity: Quantity, method: str
) -> None:
    a, b = pair(2, 80, better=0.1)
    recipe = {"quantity": quantity, "method": method, "replicates": 199}
    there, back = paired_difference(a, b, **recipe), paired_difference(b, a, **recipe)
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == (
        pytest.approx(-back.high),
        pytest.approx(-back.low),
    )
    assert there.p_value == pytest.approx(back.p_value)


@given(st.integers(0, 10**6), st.integers(4, 40), st.sampled_from(sorted(KINDS)))
def test_results_are_numbers_whatever_the_samples(seed: int, n: int, kind: str) -> None:
    a, b = plain.samples(seed, n, **KINDS[kind])
    if a.n_clusters < 5:
        undefined("too few", paired_difference, a, b, quantity=AREA)
        return
    for quantity in (Quantity("error", 1.0), NONRETURN, AREA):
        for method in METHODS:
            found = paired_difference(
                a, b, quantity=quantity, method=method, replicates=39, seed=seed
            )
            assert 0 < found.p_value <= 1
            assert -1 <= found.value <= 1
            if found.low is not None and found.high is not None:
                assert -quantity.largest <= found.low <= found.high <= quantity.largest
                # One rule: the interval holds 0 just where the test does not reject.
                holds = found.low <= 0 <= found.high
                assert holds or found.p_value <= 0.05
                assert not (holds and found.p_value < 0.05 - 1e-12) or 0 in (
                    found.low, found.high,
                )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_a_system_does_not_differ_from_itself(quantity: Quantity, method: str) -> None:
    a, _ = pair(3, 60)
    found = paired_difference(a, a, quantity=quantity, method=method, replicates=99)
    assert (found.value, found.p_value) == (0, 1)
    if method != "permutation":
        # Nothing seen in 60 items may still be something in 6 % of all.
        squared = t_quantile(0.95, 60) ** 2
        by_score = squared / (squared + 60)
        shown = (
            by_score
            if quantity.name != "nonreturn" and method == "influence"
            else 1 - 0.025 ** (1 / 60)
        )
        assert found.high == pytest.approx(shown)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda each: each.name)
def test_a_large_difference_is_seen(quantity: Quantity, method: str) -> None:
    a, b = pair(4, 400, better=0.3)
    found = paired_difference(a, b, quantity=quantity, method=method, replicates=199)
    assert found.p_value <= 0.01
    assert found.value < 0
    if found.high is not None:
        assert found.high < 0


def rejections(quantity: Quantity, method: str, runs: int, **options) -> float:
    """How often p <= 0.05 for two systems that are equally good."""
    found = []
    for seed in range(runs):
        a, b = pair(seed, **options)
        one = paired_difference(
            a, b, quantity=quantity, method=method, replicates=399, seed=seed
        )
        found.append(one.p_value <= 0.05)
    return float(np.mean(found))


@pytest.mark.parametrize("method", METHODS)
def test_equal_systems_are_told_apart_about_as_often_as_the_level_says(
    method: str,
) -> None:
    # 300 runs: 0.05 ± 3 x 0.0126. The benchmark has the rates of many situations.
    assert 0.01 <= rejections(Quantity("error", 0.2), method, 300, n_items=400) <= 0.09


@pytest.mark.parametrize("method", ["auto", "bootstrap", "influence"])
def test_few_clusters_do_not_reject_too_often(method: str) -> None:
    rate = rejections(Quantity("error", 0.2), method, 300, n_items=150, clusters=8)
    assert rate <= 0.09


def test_plain_percentiles_would_reject_too_often_with_few_clusters() -> None:
    found = []
    for seed in range(200):
        a, b = pair(seed, 150, clusters=6)
        values = replicate_values(
            [rank(a), rank(b)], a.cluster, Quantity("error", 0.2), 199, seed
        )
        apart = values[1] - values[0]
        plainly, expanded = (
            by_bootstrap(apart, level=0.95, n_units=units).p_value
            for units in (10**6, a.n_clusters)
        )
        assert expanded >= plainly
        found.append((plainly <= 0.05, expanded <= 0.05))
    rates = np.mean(found, axis=0)
    assert rates[0] > 0.1
    assert rates[1] < 0.09


def test_few_replicates_of_few_units_keep_the_normal_as_student_t() -> None:
    normal = stats.norm.ppf((np.arange(9999) + 0.5) / 9999) + 2.5
    found = by_bootstrap(normal, level=0.95, n_units=10)
    wanted = 2 * stats.t.sf(2.5 * np.sqrt(9 / 10), 9)
    assert found.p_value == pytest.approx(wanted, rel=0.02)


def test_a_p_value_of_just_what_is_allowed_is_beyond_luck() -> None:
    found = by_bootstrap(np.arange(1.0, 8.0), level=0.75, n_units=100)
    assert found.p_value == 0.25
    assert found.low > 0


def test_t_tests_are_those_of_the_textbook_for_a_mean() -> None:
    a, b = pair(6, 40, better=0.1)
    found = paired_difference(a, b, quantity=Quantity("error", 0.0), method="influence")
    wanted = stats.ttest_rel(b.loss, a.loss)
    assert found.p_value == pytest.approx(wanted.pvalue)
    # The interval is that of the score, which is nearly that of t for so many errors.
    ends = wanted.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=0.02)


def test_agreement_of_all_units_is_judged_like_coins() -> None:
    right, wrong = np.zeros(5), np.ones(5)
    a, b = (Sample(np.ones(5, bool), np.arange(5.0), each) for each in (right, wrong))
    found = paired_difference(a, b, quantity=Quantity("error", 0.0), method="influence")
    assert found.value == 1
    assert found.p_value == pytest.approx(2 / 2**5)
    # Five coins agree in 6 % of cases: the interval holds 0, as p says.
    assert found.low <= 0
    a, b = (
        Sample(np.ones(9, bool), np.arange(9.0), loss)
        for loss in (np.zeros(9), np.ones(9))
    )
    found = paired_difference(a, b, quantity=Quantity("error", 0.0), method="influence")
    assert found.p_value == pytest.approx(2 / 2**9)
    assert 0 < found.low < 0.025 ** (1 / 9)


def test_the_area_is_over_the_range_that_both_have() -> None:
    a, b = plain.samples(7, 80, levels=0)
    silent = Sample(b.guess & (b.confidence > 0.3), b.confidence, b.loss)
    found = paired_difference(a, silent, quantity=AREA)
    first, second = plain.values([a, silent], None, "area", None)
    assert found.value == pytest.approx(second - first)
    start = 1 - silent.guess.mean()
    assert first == pytest.approx(plain.area_from(plain.curve_of(a), start))


def test_influence_follows_a_start_that_is_estimated_too() -> None:
    rng = np.random.default_rng(1)
    n = 400
    columns = [(rng.random(n) > 0.2 * which, rng.random(n)) for which in (0, 1)]
    a, b = (
        Sample(guess, place, guess * (rng.random(n) > 0.4 + 0.5 * place))
        for guess, place in columns
    )
    by_draws, by_values = (
        paired_difference(a, b, quantity=AREA, method=method)
        for method in ("bootstrap", "influence")
    )
    widths = [each.high - each.low for each in (by_draws, by_values)]
    assert widths[0] == pytest.approx(widths[1], rel=0.08)


@pytest.mark.parametrize(
    ("n_items", "clusters", "quantity", "method"),
    [
        (400, 0, Quantity("error", 0.2), "influence"),
        (20, 0, Quantity("error", 0.2), "influence"),
        (400, 10, Quantity("error", 0.2), "influence"),
        (20_001, 0, Quantity("error", 0.2), "influence"),
        (400, 0, AREA, "influence"),
        (400, 10, Quantity("nonreturn", 0.1), "bootstrap"),
        (20_001, 0, Quantity("nonreturn", 0.1), "influence"),
        (20_001, 0, Quantity("nonreturn", 0.001), "bootstrap"),
    ],
)
def test_the_default_method(
    n_items: int, clusters: int, quantity: Quantity, method: str
) -> None:
    a, _ = pair(1, n_items, clusters=clusters)
    assert default_method(a, quantity) == method


def test_pooled_places_are_nonreturns() -> None:
    a = Sample(np.array([True, True, False]), np.array([9.0, 5.0, 0]), np.zeros(3))
    b = Sample(np.ones(3, bool), np.array([0.1, 0.1, 0.2]), np.ones(3))
    pooled = pool(rank(a), rank(b))
    # B's tie at 1/3, A's at 1/2 (after the silent third) and 5/6, B's last at 5/6.
    assert pooled.rows.tolist() == [3, 4, 1, 0, 5]
    assert pooled.first.tolist() == [0, 2, 3]
    assert pooled.silent.tolist() == [2]
    assert pooled.loss.tolist() == [1, 1, 0, 0, 1]


def test_samples_that_cannot_be_paired() -> None:
    a, b = pair(1, 30, clusters=5)
    recipe = {"quantity": ERROR}
    with pytest.raises(InputError, match="samples must be of the same items"):
        paired_difference(a, b.take(np.arange(20)), **recipe)
    loose = Sample(b.guess, b.confidence, b.loss)
    refuses("must have the same cluster", paired_difference, a, loose, **recipe)
    heavy = Sample(b.guess, b.confidence, b.loss, np.arange(1.0, 31.0), b.cluster)
    refuses("must have the same weight", paired_difference, a, heavy, **recipe)
    one = Sample(a.guess, a.confidence, a.loss, None, np.zeros(30, np.int64))
    with pytest.raises(UndefinedRate, match=r"too few clusters \(1\): how much"):
        paired_difference(one, one, **recipe)
    single = a.take(np.arange(4))
    single = Sample(single.guess, single.confidence, single.loss)
    undefined(r"too few items \(4\)", paired_difference, single, single, **recipe)


def test_rates_that_a_curve_does_not_reach() -> None:
    a, _ = pair(1, 40)
    guess = np.arange(40) >= 20
    silent = Sample(guess, a.confidence, a.loss * guess)
    for method in METHODS:
        with pytest.raises(UndefinedRate, match="the curve starts at nonreturn 0"):
            paired_difference(a, silent, quantity=Quantity("error", 0.2), method=method)
    assert paired_difference(a, silent, quantity=Quantity("error", 0.6)).p_value > 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"method": "boot"}, "Did you mean 'bootstrap'"),
        ({"level": 95}, "level must be from 0.5"),
        ({"replicates": 10, "method": "bootstrap"}, "replicates must be at least 39"),
    ],
)
def test_arguments_that_make_no_sense(changed: dict, message: str) -> None:
    a, b = pair(1, 30)
    refuses(message, paired_difference, a, b, quantity=ERROR, **changed)


def test_by_influence_uses_as_many_degrees_of_freedom_as_units() -> None:
    moved = np.array([0.1, -0.1, 0.05, -0.05])
    found = by_influence(0.2, moved, level=0.95)
    deviation = np.sqrt(3 / 4 * np.square(moved).sum())
    assert found.p_value == pytest.approx(2 * stats.t.sf(0.2 / deviation, 3))


def test_results_are_plain_values_and_depend_on_the_seed_alone() -> None:
    a, b = pair(9, 50)
    first, again, other = (
        paired_difference(
            a, b, quantity=ERROR, method="bootstrap", replicates=99, seed=seed
        )
        for seed in (1, 1, 2)
    )
    assert isinstance(first, Difference)
    assert first == again
    assert first != other
    kinds = {type(value) for value in first.to_dict().values()}
    assert kinds <= {str, float, int, type(None)}
