"""Differences of ratios: against plain enumeration, and by simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demur import mcnemar_exact, sign_flip, wilcoxon_signed_rank
from demur.statistics.ratio_tests import ratio_difference

counts = st.integers(0, 4)
rows = st.lists(st.tuples(counts, counts, counts, counts), min_size=2, max_size=8)


def arrays(listed):
    """Numerators not above denominators, and both ratios defined."""
    table = np.array(listed, float)
    below_a, below_b = table[:, 0] + 1, table[:, 2] + 1
    return (np.minimum(table[:, 1], below_a), below_a), (
        np.minimum(table[:, 3], below_b),
        below_b,
    )


@settings(max_examples=100, deadline=None)
@given(rows)
def test_exchanges_are_all_gone_through(listed):
    a, b = arrays(listed)
    found = ratio_difference(a, b, None)
    observed = b[0].sum() / b[1].sum() - a[0].sum() / a[1].sum()
    extreme = 0
    for flips in product((False, True), repeat=len(listed)):
        swapped = np.array(flips)
        first = [np.where(swapped, y, x).sum() for x, y in zip(a, b, strict=True)]
        second = [np.where(swapped, x, y).sum() for x, y in zip(a, b, strict=True)]
        apart = second[0] / second[1] - first[0] / first[1]
        extreme += abs(apart) >= abs(observed) - 1e-9
    assert found.difference == pytest.approx(observed)
    assert found.p_value == pytest.approx(extreme / 2 ** len(listed))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(counts, counts), min_size=2, max_size=40), st.booleans())
def test_with_equal_denominators_it_is_a_flip_of_signs(listed, clustered):
    table = np.array(listed, float)
    below = np.full(len(table), 4.0)
    cluster = np.arange(len(table)) // 3 if clustered else None
    a, b = (table[:, 0], below), (table[:, 1], below)
    found = ratio_difference(a, b, cluster)
    assert found.p_value == pytest.approx(
        sign_flip(table[:, 1] - table[:, 0], cluster=cluster)
    )


def test_other_tests_are_those_of_their_names():
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 2, 40).astype(float) for _ in range(2))
    one = np.ones(40)
    worse, better = int(((b - a) > 0).sum()), int(((b - a) < 0).sum())
    mcnemar = ratio_difference((a, one), (b, one), None, test="mcnemar")
    assert mcnemar.p_value == mcnemar_exact(worse, better)
    wilcoxon = ratio_difference((a, one), (b, one), None, test="wilcoxon")
    assert wilcoxon.p_value == wilcoxon_signed_rank(b - a)
    assert wilcoxon.p_value == pytest.approx(mcnemar.p_value)


def test_exchanging_the_two_turns_the_sign_only():
    rng = np.random.default_rng(2)
    a = rng.binomial(3, 0.5, 60).astype(float), np.full(60, 3.0)
    b = rng.binomial(2, 0.6, 60).astype(float), np.full(60, 2.0)
    one, other = ratio_difference(a, b, None), ratio_difference(b, a, None)
    assert one.difference == pytest.approx(-other.difference)
    assert one.interval == pytest.approx(tuple(-e for e in other.interval[::-1]))
    assert abs(one.p_value - other.p_value) < 0.03  # the same exchanges, mirrored


def test_few_units_and_a_single_weighty_one_have_no_interval():
    one = np.ones(4)
    assert ratio_difference((one, one), (one, one), None).interval is None
    below = np.array([4.0, 0, 0, 0, 0, 0])
    above = np.array([2.0, 0, 0, 0, 0, 0])
    ones = np.ones(6)
    assert ratio_difference((above, below), (ones, ones), None).interval is None


def _dialogues(rng, n, effect):
    """Two systems' matched acts of dialogues whose turns hang together."""
    size = rng.integers(3, 9, n)
    cluster = np.repeat(np.arange(n), size)
    mood = np.repeat(rng.normal(0, 2, n), size)
    own = np.repeat(rng.normal(0, 1.5, (2, n)), size, axis=1)
    out = []
    for at in (0, 1):
        said = rng.integers(1, 4, len(cluster)).astype(float)
        chance = 1 / (1 + np.exp(-(mood + own[at] + at * effect)))
        out.append((rng.binomial(said.astype(int), chance).astype(float), said))
    return (*out, cluster)


def test_by_dialogue_a_true_null_is_rejected_as_often_as_promised_and_by_turn_not():
    rng = np.random.default_rng(5)
    by_dialogue = by_turn = covered = 0
    for _ in range(200):
        a, b, cluster = _dialogues(rng, 40, 0.0)
        found = ratio_difference(a, b, cluster, replicates=400)
        by_dialogue += found.p_value <= 0.05
        by_turn += ratio_difference(a, b, None, replicates=400).p_value <= 0.05
        covered += found.interval[0] <= 0 <= found.interval[1]
    # 10 expected; beyond 20 has a chance of .001.
    assert by_dialogue <= 20
    assert by_turn >= 30
    assert covered >= 180


def test_a_real_difference_is_found():
    rng = np.random.default_rng(6)
    a, b, cluster = _dialogues(rng, 150, 1.5)
    found = ratio_difference(a, b, cluster)
    assert found.p_value < 0.01
    assert found.interval[0] > 0
