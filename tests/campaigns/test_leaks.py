"""An attacker within the budget learns next to nothing; beyond it, everything."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from campaign_attacks import Attacker
from demur.campaigns.leaks import (
    LeakBudget,
    explained_share,
    gain_of,
    told_by_digits,
)

SEEDS = 30


def attacked(
    items: int, numbers: int, digits: int, seed: int, share: float = 0.5
) -> Attacker:
    rng = np.random.default_rng([seed, items])
    attacker = Attacker(rng.random(items) < share, [0.2], digits, seed)
    for _ in range(numbers):
        attacker.submit()
    return attacker


@pytest.mark.parametrize("share", [0.5, 0.3])
@pytest.mark.parametrize("digits", [2, 3])
@pytest.mark.parametrize("items", [100, 200, 1000])
def test_within_the_budget_five_points_at_most(
    items: int, digits: int, share: float
) -> None:
    allowed = LeakBudget(items, 1, 1, digits, 1, 0.05).allowed
    if (items, digits) == (100, 3):  # one number may be two counts
        assert allowed == 0
        return
    assert allowed >= 1
    squares, whole = [], []
    for seed in range(SEEDS):
        attacker = attacked(items, allowed, digits, seed, share)
        squares.append(attacker.gain(attacker.by_least_squares()))
        whole.append(attacker.gain(attacker.by_whole_numbers()))
    for gains in (squares, whole):
        assert np.mean(gains) <= 0.05
        assert np.mean(np.array(gains) <= 0.05) > 0.75


@pytest.mark.parametrize(
    ("items", "submissions", "digits"), [(100, 7, 2), (200, 30, 2), (1000, 60, 3)]
)
def test_beyond_the_budget_all_verdicts_fall(
    items: int, submissions: int, digits: int
) -> None:
    rates = [number / 20 for number in range(20)]
    budget = LeakBudget(items, len(rates), submissions, digits, 1, 0.05)
    assert not budget.holds
    assert budget.gain == 0.5
    wrong = np.random.default_rng(items).random(items) < 0.5
    attacker = Attacker(wrong, rates, digits, seed=1)
    for _ in range(submissions):
        attacker.submit()
    assert attacker.recovered(attacker.by_whole_numbers()) == 1.0


def test_twenty_rounded_points_need_few_submissions() -> None:
    """What many boards show is no protection: half of the items after two."""
    wrong = np.random.default_rng(3).random(100) < 0.5
    attacker = Attacker(wrong, [number / 20 for number in range(20)], 2, seed=1)
    for _ in range(3):
        attacker.submit()
    assert attacker.gain(attacker.by_whole_numbers()) > 0.2


@pytest.mark.parametrize("items", [200, 1000])
def test_the_bound_holds_above_the_budget_too(items: int) -> None:
    for times in (4, 16):
        numbers = items // 64 * times
        gains = [
            attacker.gain(attacker.by_least_squares())
            for seed in range(8)
            for attacker in [attacked(items, numbers, 3, seed)]
        ]
        assert 0.3 * gain_of(items, numbers, 3) < np.mean(gains)
        assert np.mean(gains) < gain_of(items, numbers, 3) + 0.01


def test_rounding_is_no_protection_from_who_moves_the_count() -> None:
    """With one digit the plain attack learns nothing; where rounding turns it does."""
    items, numbers = 1000, 250
    plain, moved = [], []
    for seed in range(4):
        attacker = attacked(items, numbers, 1, seed)
        plain.append(attacker.gain(attacker.by_least_squares()))
        wrong = np.random.default_rng([seed, items]).random(items) < 0.5
        attacker = Attacker(wrong, [0.2], 1, seed)
        for _ in range(numbers):
            # 450 are wrong on average, where 0.4 turns to 0.5.
            attacker.submit(nonsense=100)
        moved.append(attacker.gain(attacker.by_least_squares()))
    assert np.mean(plain) < 0.02
    assert np.mean(moved) > np.mean(plain) + 0.03
    assert np.mean(moved) <= gain_of(items, numbers, 1)
    assert told_by_digits(items, 1) == pytest.approx(2 / np.pi, rel=0.01)


def best_of_one(items: int, digits: int, rate: float) -> float:
    """What one number tells who has a part of the answers equally sure, at the rate."""
    step, best = items * 10.0**-digits, 0.0
    for tied in range(1, items // 2 + 1):
        part = max(tied - rate * items, 0.5 if tied == 1 else 0.0) / tied
        sure = np.arange(items - tied + 1)
        chance = np.outer(
            binom.pmf(sure, items - tied, 0.5), binom.pmf(range(tied + 1), tied, 0.5)
        )
        both = sure[:, None], np.arange(tied + 1)[None, :]
        told = np.floor((both[0] + part * both[1]) / step + 0.5 + 1e-9).astype(int)
        told -= told.min()
        means = (items - tied) / 2, tied / 2
        learnt = [
            np.bincount(told.ravel(), (chance * (count - mean)).ravel())
            for count, mean in zip(both, means, strict=True)
        ]
        best = max(best, sum(float(np.abs(one).sum()) for one in learnt) / items)
    return best


@pytest.mark.parametrize(
    ("items", "digits"), [(39, 2), (50, 2), (64, 2), (80, 2), (100, 2), (100, 4)]
)
def test_digits_finer_than_an_item_tell_two_counts(items: int, digits: int) -> None:
    found = max(best_of_one(items, digits, rate) for rate in (0.05, 0.2))
    assert found <= gain_of(items, 1, digits)
    if digits > 2:
        assert found > 1.3 * gain_of(items, 1, 2)


def test_a_weighted_error_is_told_more_finely() -> None:
    assert told_by_digits(1000, 1, most=10) > 1.4 * told_by_digits(1000, 1)
    assert told_by_digits(1000, 2, most=10) == told_by_digits(1000, 3) == 1
    weighted = LeakBudget(10_000, 1, 5, 2, 1, 0.05, most=10)
    assert weighted.allowed < LeakBudget(10_000, 1, 5, 2, 1, 0.05).allowed


@given(st.floats(0.001, 0.499))
def test_gain_and_share_are_each_others_inverse(gain: float) -> None:
    share = explained_share(gain)
    numbers = round(share * 10**6)
    assert gain_of(10**6, numbers, 6) == pytest.approx(gain, abs=1e-3)


@given(st.integers(1, 10**6), st.integers(1, 6))
def test_digits_tell_between_one_bit_and_all(items: int, digits: int) -> None:
    told = told_by_digits(items, digits)
    finer = items * 10.0**-digits < 1
    assert 2 / np.pi - 1e-9 <= told <= (2 if finer else 1) + 1e-9
    assert told <= told_by_digits(items, digits + 1) + 1e-9


def test_the_budget_says_what_it_counts() -> None:
    unbounded = LeakBudget(1000, 2, None, 2, 3, 0.05)
    assert not unbounded.holds
    assert "no limit" in unbounded.lines()[0]
    nothing = LeakBudget(50, 0, None, 2, 3, 0.05)
    assert nothing.holds
    assert nothing.gain == 0
