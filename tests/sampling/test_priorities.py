"""Priority sampling: chances that are exact, draws that contain each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.sampling.aims import errors_by_pilot, falling_errors, mid_ranks
from demur.sampling.priorities import mixed_chances, priority_draw, uniforms

UNITS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 1.0, 7.0]), st.integers(1, 2)),
    min_size=2,
    max_size=12,
)


def plain_draw(chance, cost, uniform, budget):
    """The same draw by the definition, unit by unit."""
    able = [unit for unit in range(len(chance)) if chance[unit] > 0]
    able.sort(key=lambda unit: uniform[unit] / chance[unit])
    drawn, spent, threshold = set(), 0, None
    for unit in able:
        if spent + cost[unit] > budget:
            threshold = uniform[unit] / chance[unit]
            break
        drawn.add(unit)
        spent += cost[unit]
    chances = [
        0.0 if not c else 1.0 if threshold is None else min(1.0, threshold * c)
        for c in chance
    ]
    return drawn, chances


@given(UNITS, st.integers(1, 20), st.integers(0, 10**6))
def test_a_draw_is_that_of_the_plain_twin(units, budget, seed):
    emphasis, cost = (np.array(column) for column in zip(*units, strict=True))
    needed = np.arange(len(units)) % 5 > 0
    chance = mixed_chances(emphasis, needed)
    uniform = uniforms([str(unit) for unit in range(len(units))], seed)
    found = priority_draw(chance, cost, uniform, budget)
    drawn, chances = plain_draw(chance, cost, uniform, budget)
    assert set(np.flatnonzero(found.drawn).tolist()) == drawn
    assert found.chance == pytest.approx(chances)
    assert not found.chance[~needed].any()


@given(UNITS, st.integers(0, 10**6))
def test_a_larger_budget_draws_the_same_units_and_more(units, seed):
    emphasis, cost = (np.array(column) for column in zip(*units, strict=True))
    chance = mixed_chances(emphasis, np.ones(len(units), bool))
    uniform = uniforms([str(unit) for unit in range(len(units))], seed)
    before = np.zeros(len(units), bool)
    for budget in range(1, int(cost.sum()) + 1):
        found = priority_draw(chance, cost, uniform, budget)
        assert not (before & ~found.drawn).any()
        assert cost[found.drawn].sum() <= budget
        before = found.drawn
    assert before.all()
    assert (found.chance == 1).all()


def test_weights_add_up_to_the_units_and_totals_are_unbiased():
    rng = np.random.default_rng(0)
    emphasis, cost = rng.random(30) ** 3, rng.integers(1, 3, 30)
    chance = mixed_chances(emphasis, np.ones(30, bool))
    value = rng.random(30)
    sums = []
    for _ in range(4000):
        found = priority_draw(chance, cost, rng.random(30), 12)
        weight = found.drawn / found.chance
        sums.append((weight.sum(), weight @ value))
    sums = np.array(sums)
    error = sums.std(axis=0) / len(sums) ** 0.5
    assert (abs(sums.mean(axis=0) - [30, value.sum()]) < 3.5 * error).all()


def test_every_unit_that_needs_a_label_has_half_of_the_uniform_chance():
    needed = np.array([True] * 4 + [False])
    chance = mixed_chances(np.array([0.0, 0.0, 0.0, 9.0, 9.0]), needed)
    assert chance.tolist() == pytest.approx([0.125, 0.125, 0.125, 0.625, 0.0])
    assert mixed_chances(np.zeros(5), needed).tolist() == pytest.approx(
        [0.25, 0.25, 0.25, 0.25, 0.0]
    )


def test_uniforms_hang_on_key_seed_and_use_alone():
    keys = [f"q{number}" for number in range(2000)]
    values = uniforms(keys, 3)
    assert uniforms(keys[::-1], 3).tolist() == values[::-1].tolist()
    assert not (uniforms(keys, 4) == values).any()
    assert not (uniforms(keys, 3, "order") == values).any()
    counts = np.histogram(values, 10, (0, 1))[0]
    assert abs(counts - 200).max() < 60
    assert 0 < values.min() < values.max() < 1


@given(st.lists(st.integers(0, 3), min_size=1), st.floats(0, 1))
def test_expected_errors_fall_and_keep_their_mean(values, error):
    ranks = mid_ranks(np.array(values, float))
    expected = falling_errors(ranks, error)
    assert expected.mean() == pytest.approx(error)
    assert ((expected >= 0) & (expected <= 1)).all()


def test_errors_of_a_pilot_fall_with_confidence_and_are_never_certain():
    known = np.array([0.1, 0.1, 0.5, 0.5, 0.9, np.inf])
    wrong = np.array([1.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    wanted = np.array([-np.inf, 0.1, 0.3, 0.5, 0.95, np.inf])
    expected = errors_by_pilot(known, wrong, wanted)
    assert expected == pytest.approx(
        [6.5 / 7, 6.5 / 7, 6.5 / 7, 3.5 / 7, 0.5 / 7, 0.5 / 7]
    )
