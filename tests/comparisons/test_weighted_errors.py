"""Intervals of weighted errors, against resampling item by item."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.comparisons.weighted_errors import Decided, weighted_errors


def decided(lost, withheld, unclear=None, **further):
    unclear = np.zeros(len(lost), bool) if unclear is None else np.array(unclear, bool)
    withheld = np.array(withheld, bool)
    return Decided(np.array(lost, float), unclear, withheld, **further).units


def found(given, weight=2.0, level=0.95, replicates=2000, seed=0):
    (only,) = weighted_errors(given, [weight], level=level, recipe=(replicates, seed))
    return only


def mixed(n_items=240):
    rng = np.random.default_rng(7)
    kind = rng.choice(3, n_items, p=[0.5, 0.2, 0.3])
    return kind == 1, kind == 2


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_are_those_of_resampled_items(clustered, weighted):
    lost, withheld = mixed()
    n_items = len(lost)
    cluster = np.arange(n_items) // 3 if clustered else None
    weight = 1.0 + np.arange(n_items) % 4 if weighted else None
    given = decided(lost, withheld, weight=weight, cluster=cluster)
    low, high = found(given, 3.0, replicates=20_000).interval

    rng = np.random.default_rng(1)
    own = np.ones(n_items) if weight is None else weight
    units = np.arange(n_items) if cluster is None else cluster
    members = [np.flatnonzero(units == unit) for unit in range(units.max() + 1)]
    values = []
    for _ in range(4000):
        drawn = rng.integers(0, len(members), len(members))
        chosen = np.concatenate([members[unit] for unit in drawn])
        cost = 3.0 * lost[chosen] + withheld[chosen]
        values.append((cost * own[chosen]).sum() / own[chosen].sum())
    expected = np.quantile(values, [0.025, 0.975])
    assert [low, high] == pytest.approx(expected.tolist(), abs=0.02)


def test_bounds_by_hand():
    unclear, withheld = [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]
    weight = np.arange(1.0, 6)
    given = decided([1, 0.5, 0, 0, 0], withheld, unclear, weight=weight)
    three, half = weighted_errors(given, [3, 0.5], level=0.9, recipe=(200, 0))
    low = (3 * (1 * 1 + 2 * 0.5) + 4) / 15
    assert (three.weight, three.low, three.high) == pytest.approx(
        (3, low, low + 3 * 3 / 15)
    )
    assert half.low == pytest.approx((0.5 * 2 + 4) / 15)
    assert three.interval[0] <= low <= three.interval[1]
    assert three.to_dict()["weighted_error"] is None
    sure = found(decided([1, 0, 0, 0], withheld[:4], weight=weight[:4])).to_dict()
    assert sure["weighted_error"] == pytest.approx(0.6)
    assert sure["score"] == pytest.approx(0.4)


@pytest.mark.parametrize("n", [4, 5])
def test_so_few_items_have_no_interval(n):
    assert (found(decided([1] + [0] * (n - 1), [0] * n)).interval is None) == (n < 5)


def test_the_interval_takes_in_both_bounds():
    lost, withheld = mixed()
    unclear = ~lost & ~withheld & (np.arange(len(lost)) % 2 == 0)
    open_ = found(decided(lost, withheld, unclear))
    right = found(decided(lost, withheld))
    wrong = found(decided(lost | unclear, withheld))
    assert (open_.low, open_.high) == (right.low, pytest.approx(wrong.high))
    assert open_.interval[0] == pytest.approx(right.interval[0], abs=0.03)
    assert open_.interval[1] == pytest.approx(wrong.interval[1], abs=0.05)
    assert open_.to_dict()["weighted_error"] is None


def test_no_errors_seen_does_not_mean_that_there_are_none():
    low, high = found(decided(np.zeros(50), np.zeros(50))).interval
    assert low == 0
    assert high == pytest.approx(2 * (1 - 0.025 ** (1 / 50)))


def test_all_wrong_is_at_most_the_weight():
    only = found(decided(np.ones(20), np.zeros(20)), 3.0)
    assert only.low == 3
    assert only.interval[1] == 3
    assert only.interval[0] < 3


def test_one_item_has_no_interval():
    assert found(decided([1.0], [False])).interval is None
    assert found(decided([1.0, 0.0], [0, 1], cluster=np.zeros(2, int))).interval is None


def test_intervals_repeat_with_the_seed():
    given = decided(*mixed())
    assert found(given, seed=1) == found(given, seed=1)
    assert found(given, seed=1).interval != found(given, seed=2).interval


@given(
    st.lists(st.sampled_from(["right", "wrong", "none"]), min_size=5, max_size=30),
    st.sampled_from([0.25, 1.0, 2.0, 5.0]),
)
def test_intervals_hold_the_value_and_stay_in_range(listed, weight):
    only = found(
        decided([each == "wrong" for each in listed], [e == "none" for e in listed]),
        weight,
        replicates=200,
    )
    low, high = only.interval
    assert 0 <= low <= high <= max(weight, 1)
    spread = len(set(listed)) > 1
    if not spread or len(listed) >= 10:
        assert low - 0.1 * weight <= only.low <= high + 0.1 * weight


def test_sums_that_rounding_alone_sets_apart_are_drawn_together():
    """0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are one kind of cluster."""
    weight = np.tile([0.1, 0.2, 0.3, 0.3, 0.2, 0.1], 30)
    lost, cluster = np.tile([1.0, 0, 0, 0, 0, 1], 30), np.arange(180) // 3
    ones = [decided(lost, np.zeros(180), weight=weight, cluster=cluster)]
    turned = decided(lost[::-1], np.zeros(180), weight=weight[::-1], cluster=cluster)
    intervals = [found(one).interval for one in (*ones, turned)]
    assert intervals[0] == pytest.approx(intervals[1], abs=1e-12)
