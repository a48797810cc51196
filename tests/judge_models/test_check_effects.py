"""Effects on verdicts: twins in plain Python, laws, and what luck alone leads to."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demur.comparisons.pairs import holm
from demur.judge_models.cases import JudgeVerdict
from demur.judge_models.check_effects import (
    ArmVerdicts,
    Luck,
    Matched,
    _exchanged,
    corrected,
    matched_effect,
    paired_effect,
    paired_p,
    share_effect,
)

# -- twins -------------------------------------------------------------------------


def plain_p(differences, cluster):
    """All patterns of signs of the clusters, gone through one by one."""
    sums = {}
    for difference, name in zip(differences, cluster, strict=True):
        sums[name] = sums.get(name, 0) + Fraction(difference)
    wanted = abs(sum(sums.values()))
    patterns = [*product((1, -1), repeat=len(sums))]
    extreme = sum(
        abs(sum(s * v for s, v in zip(signs, sums.values(), strict=True))) >= wanted
        for signs in patterns
    )
    return extreme / len(patterns)


def plain_slope(trait, right, cell):
    """The slope within cells, by loops."""
    above = below = 0.0
    for name in set(cell):
        rows = [row for row, other in enumerate(cell) if other == name]
        mean_trait = sum(trait[row] for row in rows) / len(rows)
        mean_right = sum(right[row] for row in rows) / len(rows)
        for row in rows:
            above += (trait[row] - mean_trait) * (right[row] - mean_right)
            below += (trait[row] - mean_trait) ** 2
    return above / below


def mantel_haenszel(trait, right, cell):
    """Differences of shares, each weighed by n1 n0 / (n1 + n0)."""
    above = below = 0.0
    for name in set(cell):
        sides = [
            [right[row] for row, c in enumerate(cell) if c == name and trait[row] == of]
            for of in (0, 1)
        ]
        weight = len(sides[0]) * len(sides[1]) / len([*sides[0], *sides[1]])
        if weight:
            means = [sum(side) / len(side) for side in sides]
            above += weight * (means[1] - means[0])
            below += weight
    return above / below


pairs = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=14,
)


@given(pairs)
def test_the_test_goes_through_all_signs_of_units(rows):
    before, after, cluster = (np.array(column) for column in zip(*rows, strict=True))
    expected = plain_p(after - before, cluster.tolist())
    cluster = np.unique(cluster, return_inverse=True)[1]
    assert paired_p(after - before, cluster) == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_a_paired_effect_is_the_difference_of_the_shares(rows):
    before, after, cluster = (np.array(column) for column in zip(*rows, strict=True))
    effect = paired_effect("order", "right", (before, after), cluster, Luck())
    assert effect.before == pytest.approx(sum(row[0] for row in rows) / len(rows))
    assert effect.after == pytest.approx(sum(row[1] for row in rows) / len(rows))
    assert effect.effect == pytest.approx(effect.after - effect.before, abs=1e-12)
    assert (effect.answers, effect.items) == (len(rows), len({row[2] for row in rows}))
    assert (effect.low is None) == (effect.items < 5)


cells = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, 1.0]), st.integers(0, 3)),
    min_size=4,
    max_size=16,
)


@given(cells)
def test_matched_effects_are_mantel_and_haenszels(rows):
    trait, right, cell = (np.array(column) for column in zip(*rows, strict=True))
    given_ = Matched(trait.astype(float), right, cell, cell)
    matched = given_.telling()
    if not len(matched.right):
        by_cell = {}
        for side, _, name in rows:
            by_cell.setdefault(name, set()).add(side)
        assert all(len(sides) == 1 for sides in by_cell.values())
        return
    effect = matched_effect("own", matched, Luck(), binary=True)
    columns = trait.tolist(), right.tolist(), cell.tolist()
    assert effect.effect == pytest.approx(mantel_haenszel(*columns), abs=1e-9)
    assert effect.effect == pytest.approx(effect.after - effect.before, abs=1e-9)
    kept = matched.trait.tolist(), matched.right.tolist(), matched.cell.tolist()
    assert effect.effect == pytest.approx(plain_slope(*kept), abs=1e-9)


@given(st.integers(0, 2**31), st.integers(2, 10))
def test_own_answers_against_one_other_flip_as_pairs_do(seed, items):
    rng = np.random.default_rng(seed)
    ours, theirs = rng.integers(0, 2, (2, items)).astype(float)
    number = np.arange(items)
    matched = Matched(
        np.repeat([1.0, 0.0], items),
        np.r_[ours, theirs],
        np.tile(number, 2),
        np.tile(number, 2),
    )
    effect = matched_effect("own", matched.telling(), Luck(), binary=True)
    assert effect.p_value == pytest.approx(paired_p(ours - theirs, number), abs=1e-12)
    assert effect.effect == pytest.approx(float((ours - theirs).mean()), abs=1e-12)


def test_cells_of_few_units_are_left_out():
    trait = np.arange(9.0)
    cell = np.repeat([0, 1], [6, 3])
    matched = Matched(trait, trait % 2, cell, np.arange(9)).telling(fewest=5)
    assert matched.trait.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    alike = Matched(np.ones(6), trait[:6] % 2, cell[:6], np.arange(6)).telling()
    assert not len(alike.right)


def test_unequal_units_undo_their_pull_on_shared_means():
    # Six answers of one cell, one each in a unit: all patterns, by hand.
    trait, right = np.array([0, 1, 2, 3, 4, 9.0]), np.array([0, 0, 1, 0, 1, 1.0])
    x, y = trait - trait.mean(), right - right.mean()
    added, share = x * y, x**2 / (x**2).sum()
    whole = added / np.sqrt(1 - share)
    patterns = np.array([*product((1, -1), repeat=6)])
    expected = np.mean(np.abs(patterns @ whole) >= abs(added.sum()) - 1e-9)
    matched = Matched(trait, right, np.zeros(6, int), np.arange(6))
    effect = matched_effect("length", matched, Luck(), binary=False)
    assert effect.p_value == expected
    assert effect.effect == pytest.approx(np.polyfit(trait, right, 1)[0])


def one_of_its_own(rng, *, items=20, others=19, accuracy=0.8):
    """Answers of one own and many other systems, by a judge that favours nobody."""
    item = np.repeat(np.arange(items), others + 1)
    people = rng.random(len(item)) < accuracy
    right = rng.random(len(item)) < np.where(people, 0.95, 0.05)
    own = np.tile(np.arange(others + 1) == 0, items)
    matched = Matched(own.astype(float), right.astype(float), 2 * item + people, item)
    return matched.telling()


def test_one_own_answer_among_many_is_no_favour_where_verdicts_are_rare():
    # What each unit adds is mostly of one side, so that flips alone claim in a fourth.
    rng = np.random.default_rng(5)
    drawn = [one_of_its_own(rng) for _ in range(100)]
    added = [matched.sums[:, 0] for matched in drawn[:40]]
    by_flips = [paired_p(units, np.arange(len(units))) for units in added]
    assert np.mean(np.array(by_flips) <= 0.05) > 0.15
    claimed = [
        matched_effect("own", matched, Luck(), binary=True).p_value <= 0.05
        for matched in drawn
    ]
    assert np.mean(claimed) <= 0.05


def test_answers_that_are_copies_of_each_other_are_no_favour():
    # All others share one verdict, so that exchanges alone would claim too often.
    rng = np.random.default_rng(6)
    item = np.repeat(np.arange(20), 10)
    own = np.tile(np.arange(10) == 0, 20).astype(float)
    claimed = 0
    for _ in range(100):
        ours, theirs = (rng.random((2, 20)) < 0.3).astype(float)
        right = np.where(own > 0, ours[item], theirs[item])
        matched = Matched(own, right, item, item).telling()
        effect = matched_effect("own", matched, Luck(), binary=True)
        claimed += effect.p_value <= 0.05
    assert claimed <= 11


def test_exchanges_are_those_of_all_orders_within_cells():
    trait = np.array([1.0, 0, 0, 0, 1, 0, 0])
    right = np.array([1.0, 0, 0, 0, 0, 1, 1])
    cell = np.repeat([0, 1], [4, 3])
    matched = Matched(trait, right, cell, cell)
    x, y = trait - [*[0.25] * 4, *[1 / 3] * 3], right
    wanted = abs(x @ y) - 1e-9
    orders = [
        abs(x @ y[[*first, *second]]) >= wanted
        for first in permutations(range(4))
        for second in permutations(range(4, 7))
    ]
    found = _exchanged(matched, seed=1)
    assert found == pytest.approx(np.mean(orders), abs=0.035)


# -- verdicts ----------------------------------------------------------------------


def test_no_verdict_is_never_counted_as_right():
    arm = ArmVerdicts.of(
        [
            JudgeVerdict(1.0, "right"),
            JudgeVerdict(None, "failed", "503"),
            JudgeVerdict(None, "cannot_tell"),
            JudgeVerdict(None, "declined"),
            None,
        ]
    )
    assert arm.credit.tolist() == [1, 0, 0, 0, 0]
    assert arm.usable.tolist() == [True, False, True, True, False]
    assert arm.unsure.tolist() == [False, False, True, False, False]
    assert arm.label.tolist() == ["right", "", "cannot_tell", "declined", ""]


# -- claims and intervals ----------------------------------------------------------

counts = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(5, 20))


@given(st.lists(counts, min_size=1, max_size=5))
@settings(max_examples=40)
def test_a_claim_and_its_interval_say_the_same(listed):
    effects = []
    for up, down, same in listed:
        apart = np.repeat([1.0, -1.0, 0.0], [up, down, same])
        sides = np.zeros(len(apart)), apart
        effects.append(
            paired_effect("order", "right", sides, np.arange(len(apart)), Luck())
        )
    share = share_effect("repeat", "changed", np.ones(8, bool), np.arange(8), Luck())
    decided = corrected([*effects, share])
    assert decided[-1] == share
    adjusted = holm(np.array([effect.p_value for effect in effects]))
    for effect, p in zip(decided, adjusted, strict=False):
        assert effect.adjusted_p == p
        assert effect.claimed == (p <= 1 - 0.95)
        holds = effect.low <= 0 <= effect.high
        at_end = 0 in (effect.low, effect.high)
        assert holds or effect.claimed
        assert at_end or holds != effect.claimed


def test_an_effect_that_no_correction_would_stop_is_stopped_by_it():
    apart = np.repeat([1.0, 0.0], [6, 34])  # p = 2 / 64 alone
    sides = np.zeros(40), apart
    alone = paired_effect("order", "right", sides, np.arange(40), Luck())
    still = paired_effect("order", "changed", (apart, apart), np.arange(40), Luck())
    assert corrected([alone])[0].claimed
    both = corrected([alone, still])
    assert [effect.claimed for effect in both] == [False, False]
    assert both[0].low <= 0


# -- luck alone --------------------------------------------------------------------


def claims(rng, draws, *, items, systems, sampling):
    """In how many draws anything is claimed, of a judge without any effect.

    Verdicts as they are, turned, repeated and padded; answers to an item are alike.
    """
    shape = (draws, 4, items, systems)
    chance = np.clip(rng.normal(0.6, 0.3, (draws, 1, items, 1)), 0.02, 0.98)
    dice = rng.random(shape if sampling else (draws, 1, items, systems))
    right = np.broadcast_to(dice < chance, shape).reshape(draws, 4, -1).astype(float)
    cluster = np.repeat(np.arange(items), systems)
    number = 0
    for as_is, turned, repeat, padded in right:
        changed = [np.abs(arm - as_is) for arm in (repeat, turned, padded)]
        differences = (
            *(turned - as_is, padded - as_is),
            *(changed[1] - changed[0], changed[2] - changed[0]),
        )
        p_values = [paired_p(apart, cluster) for apart in differences]
        number += holm(np.array(p_values)).min() <= 0.05
    return number


@pytest.mark.parametrize("sampling", [True, False])
def test_without_an_effect_little_is_claimed(sampling):
    # 5 % of 2,000 draws, and three standard errors of that share (1.46 %).
    number = claims(
        np.random.default_rng(3), 2000, items=10, systems=3, sampling=sampling
    )
    assert number <= 2000 * 0.0646
    assert sampling or number == 0


@pytest.mark.stress
@pytest.mark.parametrize(("items", "systems"), [(6, 1), (12, 2), (40, 3), (150, 1)])
def test_without_an_effect_little_is_claimed_whatever_the_size(items, systems):
    rng = np.random.default_rng(items)
    number = claims(rng, 2000, items=items, systems=systems, sampling=True)
    assert number <= 2000 * 0.0646


@pytest.mark.stress
@pytest.mark.parametrize(
    ("items", "in_cluster", "systems"), [(8, 1, 4), (40, 5, 3), (60, 10, 3), (30, 1, 1)]
)
def test_the_length_of_answers_is_rarely_claimed_by_luck(items, in_cluster, systems):
    number = 0
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        cluster = np.repeat(np.arange(items) // in_cluster, systems)
        system = np.tile(np.arange(systems), items)
        people = rng.random(items * systems) < 0.6
        of_cluster = rng.normal(0, 0.15, cluster.max() + 1)[cluster]
        chance = np.where(people, 0.9, 0.2) + of_cluster
        right = (rng.random(len(people)) < chance).astype(float)
        words = rng.geometric(0.1, len(people)) + rng.geometric(0.1, items)[cluster]
        matched = Matched(
            np.log2(words.astype(float)), right, 2 * system + people, cluster
        ).telling(5)
        if len(matched.right):
            effect = matched_effect("length", matched, Luck(seed=seed), binary=False)
            number += effect.p_value <= 0.05
    assert number <= 2000 * 0.0646
