"""Bounds by betting: against a plain twin, and the promises they make, simulated."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import drawn, storm
from demur.arrays import Sample
from demur.decisions import certificates
from demur.decisions.betting import (
    betting_bound,
    least_where,
    log_money,
    log_money_of_more,
)
from demur.decisions.rate_bounds import bounds_of_rate

Units = list[tuple[float, float]]


def plain_money(units: Units, rate: float, certainty: float, anytime: bool) -> float:
    """The money of each stake, bet by bet; at any time the most ever had."""
    largest = max(size for _, size in units)
    if anytime:
        shares = {0.18 * 2.0**j: (1 + 4 * j * j / 3) ** -1.5 for j in range(-6, 5)}
    else:
        bold = 1.45 * math.sqrt(2 * math.log(1 / (1 - certainty)) / len(units))
        shares = {bold: 0.5}
        while bold * 3 < 2:
            bold *= 3
            shares[bold] = 0.0
        shares = {each: had + 0.5 / len(shares) for each, had in shares.items()}
    money = {bold: share / sum(shares.values()) for bold, share in shares.items()}
    most = 1.0
    for loss, size in units:
        for bold in money:
            stake = min(bold / math.sqrt(rate * (1 - rate)), 1 / (1 - rate))
            money[bold] *= 1 + stake * (rate * size - loss) / largest
        most = max(most, sum(money.values()))
    return most if anytime else sum(money.values())


units = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0.1, 1)).map(lambda u: (u[0] * u[1], u[1])),
    min_size=1,
    max_size=30,
)


@given(units, st.floats(0.01, 0.99), st.sampled_from([0.8, 0.95]), st.booleans())
def test_money_is_that_of_the_plain_twin(
    listed: Units, rate: float, certainty: float, anytime: bool
) -> None:
    loss, size = np.array(listed).T
    found = log_money(loss, size, rate, certainty=certainty, anytime=anytime)
    wanted = plain_money(listed, rate, certainty, anytime)
    assert math.exp(found) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(units, st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_higher_rates_are_excluded_first(
    listed: Units, one: float, two: float, anytime: bool
) -> None:
    loss, size = np.array(listed).T
    money = [
        log_money(loss, size, rate, certainty=0.9, anytime=anytime)
        for rate in sorted((one, two))
    ]
    assert money[0] <= money[1] + 1e-9 * max(1, abs(money[0]))


@given(units, st.floats(0.01, 0.99), st.booleans())
def test_further_losses_exclude_no_more(
    listed: Units, rate: float, anytime: bool
) -> None:
    """So the money falls with the cutoff, and one test of the lowest does."""
    loss, size = np.array(listed).T
    how = {"certainty": 0.9, "anytime": anytime}
    lost_more = np.minimum(1.5 * loss + 0.01 * size, size)
    less, more = (log_money(each, size, rate, **how) for each in (lost_more, loss))
    assert less <= more + 1e-9


@given(units, st.randoms(use_true_random=False))
def test_names_decide_nothing(listed: Units, random: Any) -> None:
    """Names give the order of the units; none of them gives another bound."""
    bounds = set()
    for _ in range(5):
        random.shuffle(listed)
        bounds.add(betting_bound(*np.array(listed).T, certainty=0.95))
    assert len(bounds) == 1


KINDS = [(0.0, 1.0), (0.5, 0.5), (1.0, 1.0), (0.1, 0.3)]


@pytest.mark.parametrize("n_units", [1, 2, 5])
@pytest.mark.parametrize("chances", [(0.8, 0.05, 0.05, 0.1), (0.2, 0.3, 0.4, 0.1)])
def test_the_money_is_fair_where_the_rate_is_the_true_one(
    n_units: int, chances: tuple[float, ...]
) -> None:
    """By enumeration; and it loses on average where the true rate is higher."""
    kinds, chance = np.array(KINDS), np.array(chances)
    rate = float(chance @ kinds[:, 0] / (chance @ kinds[:, 1]))
    for tested, most in ((rate, 1.0), (rate * 0.9, 0.999), (rate * 0.5, 0.99)):
        total = 0.0
        for drawn_kinds in itertools.product(range(len(kinds)), repeat=n_units):
            loss, size = kinds[list(drawn_kinds)].T
            money = log_money(loss, size, tested, certainty=0.9, largest=1.0)
            total += math.exp(money) * math.prod(chance[list(drawn_kinds)])
        assert total == pytest.approx(1) if tested == rate else total < most


def test_the_money_is_seldom_ever_great() -> None:
    """By enumeration of all sequences of ten items."""
    for rate in (0.1, 0.5):
        for goal in (2.0, 5.0):
            ever = 0.0
            for wrong in itertools.product([0.0, 1.0], repeat=10):
                loss = np.array(wrong)
                money = log_money(loss, np.ones(10), rate, certainty=0.9, anytime=True)
                chance = rate ** sum(wrong) * (1 - rate) ** (10 - sum(wrong))
                ever += chance * (money >= math.log(goal))
            assert ever <= 1 / goal


def test_the_bound_is_where_the_money_reaches_its_goal() -> None:
    rng = np.random.default_rng(4)
    for n in (1, 2, 7, 200):
        size = rng.integers(1, 6, n).astype(float)
        loss = np.floor(size * rng.random(n) * (rng.random(n) < 0.4))
        for anytime in (False, True):
            how = {"certainty": 0.95, "anytime": anytime}
            bound = betting_bound(loss, size, **how)
            if bound < 1:
                assert log_money(loss, size, bound, **how) >= math.log(20)
                assert log_money(loss, size, bound - 2e-9, **how) < math.log(20)
    assert betting_bound(np.ones(9), np.ones(9), certainty=0.95) == 1.0


@given(units, st.floats(0.5, 100.0))
def test_the_scale_of_sizes_changes_nothing(listed: Units, scale: float) -> None:
    loss, size = np.array(listed).T
    bounds = [
        betting_bound(loss * each, size * each, certainty=0.9) for each in (1.0, scale)
    ]
    assert bounds[0] == pytest.approx(bounds[1], abs=1e-6)
    assert loss.sum() / size.sum() <= bounds[0] + 1e-9 <= 1 + 1e-9


def clusters_of_ten(rng: np.random.Generator, n: int) -> np.ndarray:
    """Errors of clusters of ten items that err in a tenth of them, more or less."""
    return rng.binomial(10, rng.beta(0.9, 8.1, n)).astype(float)


def test_bounds_are_sharp_and_keep_their_promise() -> None:
    rng = np.random.default_rng(2)
    for n, most in ((20, 0.26), (100, 0.142), (300, 0.124)):
        size = np.full(n, 10.0)
        found = [
            betting_bound(clusters_of_ten(rng, n), size, certainty=0.95)
            for _ in range(150)
        ]
        assert np.mean(found) < most
        assert np.mean(np.array(found) < 0.1) <= 0.05


@pytest.mark.parametrize("runs", storm([50, 150], sample=1))
def test_bounds_at_any_time_hold_at_all_looks_together(runs: int) -> None:
    rng = np.random.default_rng(3)
    broken = {True: 0, False: 0}
    for _ in range(runs):
        wrong = rng.random(600) < 0.1
        for anytime in broken:
            broken[anytime] += any(
                bounds_of_rate(
                    wrong[:n],
                    wrong[:n],
                    np.ones(n, bool),
                    certainty=0.9,
                    anytime=anytime,
                ).upper
                < 0.1
                for n in range(50, 601, 50)
            )
    assert broken[True] <= 0.1 * runs
    assert broken[False] > 0.2 * runs  # what looking twelve times does to one test


def test_looks_at_clusters_hold_where_the_largest_size_is_known() -> None:
    """A few dialogues are ten times as long, and come late."""
    runs, n, long = 30, 200, 40
    broken = {long: 0, None: 0}
    truth = (0.95 * 4 * 0.05 + 0.05 * long * 0.5) / (0.95 * 4 + 0.05 * long)
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        size = np.where(rng.random(n) < 0.05, long, 4)
        cluster = np.repeat(np.arange(n), size)
        wrong = rng.random(len(cluster)) < np.where(size == long, 0.5, 0.05)[cluster]
        for largest in broken:
            broken[largest] += any(
                bounds_of_rate(
                    wrong[: sum(size[:looked])],
                    wrong[: sum(size[:looked])],
                    np.ones(sum(size[:looked]), bool),
                    cluster=cluster[: sum(size[:looked])],
                    certainty=0.95,
                    anytime=True,
                    largest=largest,
                ).upper
                < truth
                for looked in range(20, n + 1, 20)
            )
    assert broken[long] <= 0.05 * runs
    assert broken[None] > 0.1 * runs  # what the largest seen so far would do


def outcomes_of(rng: np.random.Generator, n: int, **columns: object) -> demur.Outcomes:
    return drawn(rng, n, lambda sure: 0.8 + 0.2 * sure, **columns)


@pytest.mark.parametrize("of", ["all", "answered"])
@pytest.mark.parametrize("kind", ["clusters", "weights", "credit"])
def test_choices_by_betting_hold_their_target(kind: str, of: str) -> None:
    broken, found, runs = 0, 0, 40
    rng = np.random.default_rng(7)
    for _ in range(runs):
        confidence = rng.random(400)
        cluster = np.arange(400) // 4 if kind == "clusters" else None
        weight = rng.integers(1, 4, 400) * 1.0 if kind == "weights" else None
        wrong = (rng.random(400) < 0.25 * (1 - confidence)).astype(float)
        loss = wrong * 0.5 if kind == "credit" else wrong
        share = 0.5 if kind == "credit" else 1.0
        sample = Sample(np.ones(400, bool), confidence, loss, weight, cluster)
        certify = (
            certificates.certified if of == "all" else certificates.certified_answered
        )
        target = Fraction("0.08") if of == "all" else Fraction("0.12")
        chosen = certify(sample, target, 0.9)
        if chosen.position is None or chosen.position == 400:
            continue
        found += 1
        cutoff = np.sort(confidence)[chosen.position]
        true = share * 0.25 * (1 - cutoff) ** 2 / 2
        broken += true / (1 - cutoff if of == "answered" else 1) > target
        assert chosen.bound is not None
        assert chosen.bound <= float(target)
    assert found > runs / 8
    assert broken <= 0.1 * runs


def test_the_order_of_rows_decides_no_certificate() -> None:
    rng = np.random.default_rng(1)
    weight = rng.integers(1, 3, 300)
    outcomes = outcomes_of(rng, 300, weight=weight)
    clustered = outcomes_of(rng, 300, cluster=[f"c{row // 3}" for row in range(300)])
    for each in (outcomes, clustered):
        shuffled = each.take(rng.permutation(300))
        for of in ("all", "answered"):
            one, other = (
                demur.choose(table, max_error=0.15, of=of, certainty=0.9)
                for table in (each, shuffled)
            )
            assert (one.cutoff, one.bound) == (other.cutoff, pytest.approx(other.bound))
        bounds = [demur.certified_error(t, cutoff=0.5) for t in (each, shuffled)]
        assert bounds[0] == pytest.approx(bounds[1], abs=1e-9)


LABELS = [
    (0.02, 0.05, "broken", 216),
    (0.05, 0.10, "broken", 166),
    (0.05, 0.025, "holds", 435),
    (0.10, 0.05, "holds", 221),
]


@pytest.mark.parametrize(("target", "true", "verdict", "labels"), LABELS)
def test_few_labels_settle_what_is_looked_at_always(
    target: float, true: float, verdict: str, labels: int
) -> None:
    """About the labels of a beta-binomial mixture; by bets with moving stakes 1.5 to
    2.2 times as many."""
    rng = np.random.default_rng(5)
    needed = []
    for _ in range(40):
        wrong = (rng.random(3000) < true) * 1.0
        lost, rate = (1 - wrong, 1 - target) if verdict == "broken" else (wrong, target)
        needed.append(first_look(lost, rate))
    assert np.mean(needed) < 1.3 * labels


def first_look(lost: np.ndarray, rate: float) -> int:
    """After how many items the rate is excluded, by halving."""

    def excluded(n: int) -> bool:
        money = log_money(lost[:n], np.ones(n), rate, certainty=0.95, anytime=True)
        return money >= math.log(20)

    return least_where(excluded, 0, len(lost))


def test_more_units_that_are_like_these() -> None:
    rng = np.random.default_rng(6)
    size = rng.integers(1, 6, 50).astype(float)
    loss = np.floor(size * rng.random(50) * (rng.random(50) < 0.2))
    for times in (1, 2, 20):
        again = np.tile(loss, times), np.tile(size, times)
        for anytime in (False, True):
            how = {"certainty": 0.95, "anytime": anytime}
            found = log_money_of_more(loss, size, 0.3, 50 * times, **how)
            wanted = log_money(*again, 0.3, **how)
            # At any time it is the most that the money ever was.
            assert found == pytest.approx(wanted, abs=0.5 if anytime else 1e-9)
            assert found <= wanted + 1e-9
