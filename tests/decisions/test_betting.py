"""Bounds by betting: against a plain twin, and the promises they make, simulated."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import drawn, storm
from demur.arrays import Sample
from demur.decisions import certificates
from demur.decisions.betting import betting_bound, log_money, unit_order
from demur.decisions.rate_bounds import bounds_of_rate

Units = list[tuple[float, float]]


def plain_money(units: Units, rate: float, certainty: float, anytime: bool) -> float:
    """The most money ever had, bet by bet."""
    largest = max(size for _, size in units)
    money, most = 1.0, 1.0
    lost, sizes, squares = 0.5, 1.0, 0.25
    for number, (loss, size) in enumerate(units, start=1):
        x, s = loss / largest, size / largest
        variance = squares / number
        units_wanted = number * math.log(number + 1) if anytime else len(units)
        stake = math.sqrt(2 * math.log(1 / (1 - certainty)) / (variance * units_wanted))
        money *= 1 + min(stake, 0.99) * (rate * s - x)
        most = max(most, money)
        squares += (x - lost / sizes * s) ** 2
        lost, sizes = lost + x, sizes + s
    return most


units = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0.1, 1)).map(lambda u: (u[0] * u[1], u[1])),
    min_size=1,
    max_size=30,
)


@given(units, st.floats(0.01, 1), st.sampled_from([0.8, 0.95]), st.booleans())
def test_money_is_that_of_the_plain_twin(
    listed: Units, rate: float, certainty: float, anytime: bool
) -> None:
    loss, size = np.array(listed).T
    found = log_money(loss, size, rate, certainty=certainty, anytime=anytime)
    wanted = plain_money(listed, rate, certainty, anytime)
    assert math.exp(found) == pytest.approx(wanted, rel=1e-9)


@given(units, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_higher_rates_are_excluded_first(listed: Units, one: float, two: float) -> None:
    loss, size = np.array(listed).T
    low, high = sorted((one, two))
    money = [log_money(loss, size, rate, certainty=0.9) for rate in (low, high)]
    assert money[0] <= money[1] + 1e-12


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
    for n, most in ((20, 0.30), (100, 0.145), (300, 0.122)):
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
                for n in range(20, 601, 20)
            )
    assert broken[True] <= 0.1 * runs
    assert broken[False] > 0.2 * runs  # what looking thirty times does to one test


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
    broken, found, runs = 0, 0, 60
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
    assert found > runs / 6
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


def test_bets_are_placed_in_one_order() -> None:
    assert sorted(unit_order(50).tolist()) == list(range(50))
    assert unit_order(50).tolist() == unit_order(50).tolist() != list(range(50))
