"""An attacker within the budget learns next to nothing; beyond it, everything."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        assert 0.4 * gain_of(items, numbers, 3) < np.mean(gains)
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


@given(st.floats(0.001, 0.499))
def test_gain_and_share_are_each_others_inverse(gain: float) -> None:
    share = explained_share(gain)
    numbers = round(share * 10**6)
    assert gain_of(10**6, numbers, 6) == pytest.approx(gain, abs=1e-3)


@given(st.integers(1, 10**6), st.integers(1, 6))
def test_digits_tell_between_one_bit_and_all(items: int, digits: int) -> None:
    told = told_by_digits(items, digits)
    assert 2 / np.pi - 1e-9 <= told <= 1 + 1e-9
    assert told <= told_by_digits(items, digits + 1) + 1e-9


def test_the_budget_says_what_it_counts() -> None:
    unbounded = LeakBudget(1000, 2, None, 2, 3, 0.05)
    assert not unbounded.holds
    assert "no limit" in unbounded.lines()[0]
    nothing = LeakBudget(50, 0, None, 2, 3, 0.05)
    assert nothing.holds
    assert nothing.gain == 0
