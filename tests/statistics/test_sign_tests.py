"""Sign tests: by counting all cases, and against scipy."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from builders import refuses
from demur import mcnemar_exact, sign_flip, wilcoxon_signed_rank


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test(b: int, c: int) -> None:
    wanted = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar_exact(b, c) == pytest.approx(wanted)
    assert mcnemar_exact(b, c) == mcnemar_exact(c, b)


def test_mcnemar_refuses_negative_counts() -> None:
    refuses("b must be a whole number from 0; got -1", mcnemar_exact, -1, 3)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_sign_flip_counts_all_patterns(values: list[int]) -> None:
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True)))
        for signs in product((1, -1), repeat=len(values))
    ]
    wanted = np.mean([each >= abs(sum(values)) for each in sums])
    assert sign_flip(np.array(values, float)) == pytest.approx(wanted)


def test_many_units_are_flipped_at_random() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0.3, 1, 60)
    found = sign_flip(values, replicates=5000)
    wanted = stats.ttest_1samp(values, 0).pvalue
    assert found == pytest.approx(wanted, abs=0.02)
    assert found != sign_flip(values, replicates=5000, seed=1)
    assert sign_flip(values + 5, replicates=99) == pytest.approx(0.01)


def test_clusters_flip_together() -> None:
    values = np.array([1.0, 2.0, -0.5, 3.0, 1.0])
    cluster = np.array([0, 1, 1, 2, 0])
    sums = np.array([2.0, 1.5, 3.0])
    assert sign_flip(values, cluster=cluster) == sign_flip(sums) == 0.25


def test_sign_flip_needs_items() -> None:
    refuses("must hold at least one item", sign_flip, np.zeros(0))
    assert sign_flip(np.zeros(3)) == 1


def test_wilcoxon_is_that_of_scipy_without_zeros() -> None:
    values = np.array([0.5, -1.5, 0.0, 2.5, 3.5, 0.0, 4.5])
    wanted = stats.wilcoxon(values[values != 0]).pvalue
    assert wilcoxon_signed_rank(values) == pytest.approx(wanted)
    assert wilcoxon_signed_rank(np.zeros(4)) == 1


@given(st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]), max_size=9))
def test_wilcoxon_goes_through_all_signs(listed: list[float]) -> None:
    values = np.array(listed)
    values = values[values != 0]
    if not len(values):
        assert wilcoxon_signed_rank(np.array(listed)) == 1
        return
    ranks = stats.rankdata(np.abs(values))
    seen = abs((ranks * np.sign(values)).sum())
    signs = product([-1, 1], repeat=len(values))
    sums = [abs(float(np.dot(ranks, each))) for each in signs]
    wanted = np.mean([each >= seen - 1e-9 for each in sums])
    assert wilcoxon_signed_rank(np.array(listed)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("b", "c", "n", "wanted"),
    [
        (10, 3, 100, 0.0923),
        (3, 0, 50, 0.25),
        (6, 0, 50, 0.0313),
        (8, 1, 30, 0.0391),
        (40, 20, 317, 0.0135),
    ],
)
def test_wilcoxon_of_equal_sizes_is_mcnemar(
    b: int, c: int, n: int, wanted: float
) -> None:
    values = np.array([0.1] * b + [-0.1] * c + [0.0] * (n - b - c))
    found = wilcoxon_signed_rank(values)
    assert found == pytest.approx(mcnemar_exact(b, c))
    assert found == pytest.approx(wanted, abs=6e-5)
    # 0.3 - 0.2 is not 0.1 in floating point, and shares its rank all the same.
    other = np.where(values > 0, 0.3 - 0.2, values)
    assert wilcoxon_signed_rank(other) == pytest.approx(found)


def test_wilcoxon_of_many_is_about_normal() -> None:
    values = np.random.default_rng(0).normal(0.1, 1, 600).round(1)
    about = stats.wilcoxon(values[values != 0], method="asymptotic").pvalue
    assert wilcoxon_signed_rank(values) == pytest.approx(about, rel=0.02)
    assert wilcoxon_signed_rank(values[:500]) == pytest.approx(
        stats.wilcoxon(values[:500][values[:500] != 0], method="asymptotic").pvalue,
        rel=0.03,
    )
