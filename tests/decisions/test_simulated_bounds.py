"""The simulated bound: exact where it is known, by its definition, and told as such."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import drawn, refuses
from demur.arrays import Sample
from demur.decisions.betting import betting_bound
from demur.decisions.certificates import risk_of_bets
from demur.decisions.exact_certificates import binomial_bound, walk_down
from demur.decisions.simulated_bounds import (
    chance_above,
    simulated_bound,
    simulated_certificate,
)

units = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0.1, 1)).map(lambda u: (u[0] * u[1], u[1])),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("items", [1, 2, 5, 59, 1000, 100_000])
@pytest.mark.parametrize("certainty", [0.8, 0.95, 0.999])
def test_it_is_clopper_and_pearson_s_for_right_and_wrong(
    items: int, certainty: float
) -> None:
    for wrong in {0, min(1, items), items // 10, items // 2, items - 1, items}:
        found = simulated_bound(
            (np.arange(items) < wrong) * 1.0, np.ones(items), certainty=certainty
        )
        assert found == pytest.approx(binomial_bound(wrong, items, certainty), abs=2e-9)


def test_the_chance_is_that_of_its_definition() -> None:
    """Against draws of the weights: uniform over all that add up to 1."""
    rng = np.random.default_rng(0)
    for n in (1, 3, 10, 40):
        size = rng.lognormal(0, 1, n)
        loss = size * rng.random(n) * (rng.random(n) < 0.4)
        weights = rng.dirichlet(np.ones(n + 1), 20_000)
        largest = size.max()
        rates = (
            weights @ np.append(loss, largest) / (weights @ np.append(size, largest))
        )
        for rate in (0.2, 0.5, 0.8):
            found, wanted = chance_above(loss, size, rate), np.mean(rates > rate)
            error = math.sqrt(found * (1 - found) / len(rates))
            assert abs(found - wanted) <= 4.5 * error + 1e-9


@given(units, st.floats(0.1, 0.9))
def test_two_units_and_the_largest_in_closed_form(
    listed: list[tuple[float, float]], rate: float
) -> None:
    """Without any loss one excess is positive: a product of odds."""
    size = np.array(listed)[:, 1]
    largest = size.max()
    wanted = np.prod((1 - rate) * largest / ((1 - rate) * largest + rate * size))
    assert chance_above(0 * size, size, rate) == pytest.approx(wanted, rel=1e-9)


@given(units, st.randoms(use_true_random=False), st.floats(0.5, 100))
def test_neither_names_nor_scales_decide(
    listed: list[tuple[float, float]], random: Any, scale: float
) -> None:
    bounds = set()
    for _ in range(3):
        random.shuffle(listed)
        bounds.add(simulated_bound(*np.array(listed).T, certainty=0.95))
    assert len(bounds) == 1
    scaled = simulated_bound(*(scale * np.array(listed).T), certainty=0.95)
    assert scaled == pytest.approx(bounds.pop(), abs=3e-9)


@given(units, st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_it_falls_with_the_rate_and_grows_with_losses(
    listed: list[tuple[float, float]], one: float, two: float
) -> None:
    loss, size = np.array(listed).T
    low, high = sorted((one, two))
    assert chance_above(loss, size, low) >= chance_above(loss, size, high) - 1e-12
    more = np.minimum(1.5 * loss, size)
    assert chance_above(loss, size, low) <= chance_above(more, size, low) + 1e-12


def test_it_is_sharper_than_bets_and_seldom_too_low() -> None:
    rng = np.random.default_rng(1)
    missed, bounds = 0, []
    for _ in range(200):
        size = rng.geometric(0.2, 60).astype(float)
        loss = size * (rng.random(60) < 0.1)
        missed += chance_above(loss, size, 0.1) <= 0.05
        if len(bounds) < 15:
            how = {"certainty": 0.95}
            pair = simulated_bound(loss, size, **how), betting_bound(loss, size, **how)
            bounds.append(pair)
    assert missed <= 0.05 * 200
    simulated, certified = np.mean(bounds, axis=0)
    assert simulated < certified - 0.02


# -- certificates ------------------------------------------------------------------


def clustered_sample(seed: int, n: int = 200, slope: float = 0.3) -> Sample:
    rng = np.random.default_rng(seed)
    confidence = rng.integers(0, 20, n) / 20 + 0.025
    wrong = (rng.random(n) < slope * (1 - confidence)) * 1.0
    return Sample(np.ones(n, bool), confidence, wrong, None, np.arange(n) // 4)


def by_cutoff(sample: Sample, cutoff: float, of: str) -> tuple[Any, Any]:
    answers = sample.confidence >= cutoff
    loss = np.bincount(sample.cluster, answers * sample.loss)
    size = np.bincount(sample.cluster, answers if of == "answered" else None)
    return loss[size > 0].astype(float), size[size > 0].astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_of_all_items_the_lowest_cutoff_that_passes(seed: int) -> None:
    sample = clustered_sample(seed)
    found = simulated_certificate(sample, Fraction("0.1"), 0.9, of="all")
    passing = [
        cutoff
        for cutoff in np.unique(sample.confidence)
        if chance_above(*by_cutoff(sample, cutoff, "all"), 0.1) <= 0.1
    ]
    assert found.position == np.sum(sample.confidence < min(passing))
    assert found.bound is not None
    wanted = simulated_bound(*by_cutoff(sample, min(passing), "all"), certainty=0.9)
    assert found.bound == pytest.approx(min(wanted, 0.1))


def test_of_all_items_silence_always_passes() -> None:
    sample = clustered_sample(0, 40, slope=1.9)
    found = simulated_certificate(sample, Fraction("0.01"), 0.95, of="all")
    assert (found.position, found.bound) == (40, 0.0)


def test_the_risk_is_shared_by_sizes_alone_and_carried_on() -> None:
    answered = np.arange(1, 101)

    def at_best(place: int) -> float:
        size = np.ones(answered[place])
        return 1 / chance_above(0 * size, size, 0.05)

    brought = risk_of_bets(answered, at_best, 0.05)
    assert brought.sum() <= 0.05 + 1e-12
    # None that could not pass without an error brings anything.
    assert answered[np.flatnonzero(brought)[0]] >= 59
    assert brought.max() > 0.75 * 0.05
    chances = [1.0, 0.03, 0.01, 0.02, 0.5, 0.02]
    # The start at place 2 fails later; the one at place 5 goes on with its own share.
    carried = np.array([0.0, 0.02, 0.02, 0.0, 0.0, 0.01])
    end = walk_down(carried, chances.__getitem__)
    assert (end.place, end.passed) == (3, True)
    assert end.risk == pytest.approx(0.02)


def test_among_the_answered_the_target_is_seldom_missed() -> None:
    found, broken, runs = 0, 0, 24
    for seed in range(runs):
        sample = clustered_sample(seed, 480, slope=0.36)
        chosen = simulated_certificate(sample, Fraction("0.15"), 0.9, of="answered")
        if chosen.position is None:
            continue
        found += 1
        cutoff = np.sort(sample.confidence)[chosen.position]
        broken += 0.36 * (1 - cutoff + 0.025) / 2 > 0.15
        assert chosen.bound is not None
        assert chosen.bound <= 0.15
    assert found > runs / 3
    assert broken <= 0.1 * runs


# -- what it says ------------------------------------------------------------------


def outcomes(**columns: object) -> demur.Outcomes:
    rng = np.random.default_rng(3)
    return drawn(rng, 240, lambda sure: 0.8 + 0.2 * sure, **columns)


CLUSTERS = [f"c{row // 4}" for row in range(240)]


@pytest.mark.parametrize("of", ["all", "answered"])
def test_a_choice_by_it_is_nowhere_certified(of: str) -> None:
    how: dict[str, Any] = {"max_error": 0.15, "of": of, "certainty": 0.9}
    table = outcomes(cluster=CLUSTERS)
    chosen = demur.choose(table, **how, bound="simulated")
    assert chosen.found
    assert chosen.bound is None
    assert chosen.simulated_bound is not None
    assert chosen.simulated_bound <= 0.15
    assert "Simulated, not certified:" in chosen.sentence()
    assert "Promised" not in chosen.sentence()
    assert "simulated bound over 60 clusters, not certified" in chosen.rule
    assert "simulated" in chosen.signature
    shown = [column.key for column in chosen.tables()[0].columns]
    assert "simulated_bound" in shown
    assert "bound" not in shown
    gate = demur.results.gates.parse_gate("bound > 0.5")
    with pytest.raises(demur.UndefinedRate, match="a gate takes certified bounds"):
        gate.broken_by(chosen.figures())
    certified = demur.choose(table, **how)
    assert certified.simulated_bound is None
    assert chosen.nonreturn <= certified.nonreturn


def test_with_independent_items_both_are_one() -> None:
    how: dict[str, Any] = {"max_error": 0.15, "certainty": 0.9}
    one, other = (
        demur.choose(outcomes(), **how, bound=kind)
        for kind in ("certified", "simulated")
    )
    assert (one.cutoff, one.bound) == (other.cutoff, other.bound)
    assert other.sentence() == one.sentence()
    assert any("the exact one, and certified" in note for note in other.notes)


def test_several_systems_by_it_are_told_as_simulated() -> None:
    table = outcomes(cluster=CLUSTERS)
    both = demur.Choices(
        demur.choose(each, max_error=0.15, certainty=0.9, bound="simulated")
        for each in (table, demur.halves(table, share=0.5)[0])
    )
    assert "simulated error" in both.sentence()
    assert "Simulated, not certified for each system by itself" in both.sentence()
    assert "a certified error" not in both.sentence()


def test_what_has_no_simulated_bound_is_refused() -> None:
    table = outcomes(cluster=CLUSTERS)
    how: dict[str, Any] = {"max_error": 0.15, "bound": "simulated"}
    refuses("certainty", demur.choose, table, **how)
    refuses("one promise", demur.choose, table, **how, certainty=0.9, max_nonreturn=0.5)
    refuses("bound", demur.choose, table, max_error=0.15, certainty=0.9, bound="Gaffke")
