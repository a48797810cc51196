"""Cutoffs by cost, balance, rate and certificate, against plain twins and tables."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference
from builders import by_outcome, graded, refuses, undefined
from demur import choose
from demur.arrays import Sample
from demur.curves.counting import lower_hull
from demur.decisions import certificates
from demur.decisions.exact_certificates import (
    binomial_bound,
    first_tested,
    items_for_certificate,
)
from demur.outcomes.parts import sample_of
from random_rows import G1, curve_of, has_guess, outcomes_of, rows, simple
from reference import Row


@pytest.fixture
def g1() -> demur.Outcomes:
    return graded(G1[1], G1[0])


# -- cost --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratio", "withheld", "cost"),
    [
        (1, 0, 4),
        (0.6, 1, 3.6),
        (0.5, 1, 3.5),
        (0.4, 3, 3.2),
        (Fraction(1, 3), 3, 3),
        (0.25, 9, 2.25),
        (2, 0, 4),
        (0, 9, 0),
    ],
)
def test_g2_least_cost(
    g1: demur.Outcomes, ratio: Any, withheld: int, cost: float
) -> None:
    chosen = choose(g1, cost_ratio=ratio)
    assert round(10 * chosen.nonreturn) == withheld
    found = 10 * (chosen.error + float(ratio) * chosen.nonreturn)
    assert found == pytest.approx(cost)


def test_g2_confidence_target_and_its_score(g1: demur.Outcomes) -> None:
    # +1 right, 0 declined, -t/(1-t) wrong is 1 - nonreturn - error/(1-t).
    chosen = choose(g1, confidence_target=0.6)
    assert chosen.cutoff == choose(g1, cost_ratio=0.4).cutoff
    assert 1 - chosen.nonreturn - chosen.error / 0.4 == pytest.approx(0.2)


def high(vertex: dict[str, Any]) -> Fraction:
    total: Fraction = vertex["error"] + vertex["ungraded"]
    return total


RATIOS = st.sampled_from(["0", "0.05", "0.2", "0.25", "0.3", "0.5", "0.75", "1", "3"])


@given(rows().filter(has_guess), RATIOS)
def test_least_cost_is_least_over_all_vertices(listed: list[Row], ratio: str) -> None:
    price = Fraction(ratio)
    chosen = choose(outcomes_of(listed), cost_ratio=float(ratio))
    costs = [
        (high(v) + price * v["nonreturn"], v["nonreturn"])
        for v in reference.vertices(listed)
    ]
    cost, nonreturn = min(costs)
    assert chosen.nonreturn == pytest.approx(float(nonreturn), abs=1e-12)
    assert chosen.error + float(price) * chosen.nonreturn == pytest.approx(float(cost))
    if price >= 1:
        assert chosen.nonreturn == pytest.approx(float(costs[0][1]), abs=1e-12)


@given(rows().filter(has_guess))
def test_the_hull_gives_each_vertex_its_prices(listed: list[Row]) -> None:
    curve = curve_of(listed)
    assert curve.ladder is not None
    hull = lower_hull(curve.ladder, curve.totals)
    assert hull.high[0] == math.inf
    assert hull.low[-1] == 0
    assert (hull.low[:-1] == hull.high[1:]).all()
    assert (hull.low < hull.high).all()
    assert (hull.low <= 1).all()  # the paper: equal weights never decline
    vertices = reference.vertices(listed)
    for i in range(len(hull.low)):
        price = float(hull.low[i])
        if math.isfinite(hull.high[i]):
            price = (price + float(hull.high[i])) / 2
        cost = hull.error[i] + price * hull.nonreturn[i]
        least = min(float(high(v)) + price * float(v["nonreturn"]) for v in vertices)
        assert cost == pytest.approx(least, abs=1e-12)


# -- rates -------------------------------------------------------------------------

TARGETS = st.sampled_from([0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 1])


@given(rows().filter(has_guess), TARGETS)
def test_max_error_of_all(listed: list[Row], target: float) -> None:
    chosen = choose(outcomes_of(listed), max_error=target)
    wanted = Fraction(str(target))
    expected = next(v for v in reference.vertices(listed) if high(v) <= wanted)
    assert chosen.nonreturn == pytest.approx(float(expected["nonreturn"]), abs=1e-12)
    assert chosen.error <= target + 1e-12


@given(rows().filter(has_guess), TARGETS)
def test_max_error_of_answered(listed: list[Row], target: float) -> None:
    chosen = choose(outcomes_of(listed), max_error=target, of="answered")
    wanted = Fraction(str(target))
    good = [
        v
        for v in reference.vertices(listed)
        if v["nonreturn"] < 1 and high(v) <= wanted * (1 - v["nonreturn"])
    ]
    assert chosen.found == bool(good)
    if good:
        expected = float(good[0]["nonreturn"])
        assert chosen.nonreturn == pytest.approx(expected, abs=1e-12)
        assert chosen.error_answered is not None
        assert chosen.error_answered <= target + 1e-12
    else:
        assert (chosen.cutoff, chosen.error_answered) == (None, None)


@given(rows().filter(has_guess))
def test_balance_is_the_vertex_of_least_difference(listed: list[Row]) -> None:
    chosen = choose(outcomes_of(listed), balance=True)
    gaps = [abs(high(v) - v["missed"]) for v in reference.vertices(listed)]
    assert abs(chosen.error - chosen.missed) == pytest.approx(float(min(gaps)))


def test_nonreturn_takes_the_vertex_below(g1: demur.Outcomes) -> None:
    assert choose(g1, nonreturn=0.5).nonreturn == 0.3
    silent = graded([None, 1], [None, 1])
    undefined(r"starts at 0\.5", choose, silent, nonreturn=0.2)


# -- certificates ------------------------------------------------------------------


def test_g22_bounds() -> None:
    assert binomial_bound(0, 59, 0.95) == pytest.approx(0.04951, abs=5e-6)
    assert binomial_bound(0, 100, 0.95) == pytest.approx(0.02951, abs=5e-6)
    assert binomial_bound(0, 40, 0.95) == pytest.approx(0.07216, abs=5e-6)
    assert binomial_bound(1, 49, 0.999) == pytest.approx(0.17339, abs=5e-6)
    assert binomial_bound(5, 5, 0.9) == 1
    assert items_for_certificate(0.05, 0.95) == 59
    assert items_for_certificate(0.05, 0.95, wrong=1) == 93


@given(st.integers(0, 30), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_binomial_bound_against_the_definition(
    wrong: int, more: int, certainty: float
) -> None:
    items = wrong + more
    bound = binomial_bound(wrong, items, certainty)
    tail = sum(
        math.comb(items, k) * bound**k * (1 - bound) ** (items - k)
        for k in range(wrong + 1)
    )
    assert tail == pytest.approx(1 - certainty, rel=1e-6)


def test_certified_picks_the_smallest_passing_cutoff() -> None:
    outcomes = simple(200, [0, 1, 2, 50, 120])
    chosen = choose(outcomes, max_error=0.03, certainty=0.95)
    passing = [
        v
        for v in range(201)
        if binomial_bound(sum(w >= v for w in [0, 1, 2, 50, 120]), 200, 0.95) <= 0.03
    ]
    assert round(chosen.nonreturn * 200) == passing[0]
    assert chosen.bound is not None
    assert chosen.bound <= 0.03
    assert "exact binomial" in chosen.rule


def test_silence_always_qualifies_over_all_items() -> None:
    chosen = choose(simple(20, [3]), max_error=0.01, certainty=0.95)
    assert (chosen.found, chosen.cutoff, chosen.bound) == (True, None, 0.0)
    assert chosen.nonreturn == 1


def test_why_none_is_found_is_said() -> None:
    asked = {"of": "answered", "certainty": 0.95}
    few = choose(simple(50, []), max_error=0.05, **asked)
    assert (few.found, few.cutoff, few.bound) == (False, None, None)
    assert "it takes at least 59 answered items, all of them right" in few.sentence()
    assert "there are 50 with a guess" in few.sentence()
    bad = choose(simple(200, [195]), max_error=0.02, **asked)
    assert not bad.found
    assert "the one cutoff that tests start from answers 149 items, 1" in bad.why
    worse = choose(simple(300, range(0, 300, 5)), max_error=0.1, **asked)
    assert "of 18 cutoffs that tests start from, the one that came nearest" in (
        worse.why
    )
    for n_items in (100, 200):
        clean = choose(
            simple(n_items, []), max_error=0.05, of="answered", certainty=0.95
        )
        assert clean.found
        assert clean.nonreturn == 0
        assert clean.bound == pytest.approx(1 - 0.05 ** (1 / n_items))


def test_what_starts_leave_goes_where_a_few_errors_may_be() -> None:
    first = [first_tested(0.05, 0.05, n) for n in (10, 59, 118, 190, 10**6)]
    assert first == [59, 59, 59, 93, 153]


def test_ungraded_counts_as_one_error() -> None:
    confidence = np.arange(1, 101) / 100
    ungraded = by_outcome(["ungraded"] + ["right"] * 99, confidence)
    wrong = graded([0] + [1] * 99, confidence)
    chosen, other = (
        choose(each, max_error=0.04, certainty=0.95) for each in (ungraded, wrong)
    )
    assert (chosen.cutoff, chosen.bound) == (other.cutoff, other.bound)


def test_weights_and_clusters_are_bet_on() -> None:
    confidence = np.arange(1, 401) / 400
    correct = np.ones(400)
    correct[:8] = 0
    columns = {
        "weights": {"weight": np.arange(1, 401)},
        "clusters": {"cluster": [f"c{row // 4}" for row in range(400)]},
    }
    alone = graded(correct, confidence)
    free = choose(alone, max_error=0.04, certainty=0.9)
    for kind, more in columns.items():
        outcomes = graded(correct, confidence, **more)
        for of in ("all", "answered"):
            bound = choose(outcomes, max_error=0.05, of=of, certainty=0.9)
            assert bound.found
            assert bound.bound is not None
            assert bound.bound <= 0.05
            assert " of bets over " in bound.rule
            assert any(
                "no larger than the largest seen" in note for note in bound.notes
            )
        if kind == "clusters":
            same = choose(outcomes, max_error=0.04, certainty=0.9)
            assert same.nonreturn >= free.nonreturn


@pytest.mark.parametrize("clustered", [False, True])
def test_certificates_are_broken_no_more_often_than_they_say(clustered: bool) -> None:
    # c ~ Beta(2, 1), P(right | c) = .1 + .9 c (notes on selective prediction, 5);
    # clusters of 5 share their errors.
    rng = np.random.default_rng(5)
    broken, runs, n_items = 0, 400, 250
    for _ in range(runs):
        if clustered:
            confidence = np.repeat(rng.beta(2, 1, n_items // 5), 5)
            luck = np.repeat(rng.random(n_items // 5), 5)
            confidence = confidence + rng.random(n_items) * 1e-6
            cluster = np.repeat(np.arange(n_items // 5), 5)
        else:
            confidence, luck = rng.beta(2, 1, n_items), rng.random(n_items)
            cluster = None
        wrong = luck >= 0.1 + 0.9 * confidence
        guess = np.ones(n_items, bool)
        sample = Sample(guess, confidence, wrong.astype(float), None, cluster)
        found = certificates.certified(sample, Fraction("0.15"), 0.9)
        ladder = certificates.erring(sample)
        assert found.position is not None
        if found.position < len(ladder.ranked):
            cutoff = float(ladder.ranked[found.position])
            # E(cutoff) = integral over c >= cutoff of 2 c (.9 - .9 c)
            true = 0.9 * (1 - cutoff**2) - 0.6 * (1 - cutoff**3)
            broken += true > 0.15
    # Three standard deviations above 10 %.
    assert broken / runs <= 0.1 + 3 * math.sqrt(0.09 / runs)


# -- the verb ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({}, "exactly one of"),
        ({"cost_ratio": 0.1, "balance": True}, "cost_ratio and balance"),
        ({"max_error": 5}, "from 0 to 1"),
        ({"cost_ratio": -1}, "from 0 upwards"),
        ({"cost_ratio": "x"}, "from 0 upwards"),
        ({"max_error": 0.1, "of": "al"}, "Did you mean 'all'"),
        ({"balance": True, "certainty": 0.9}, "come with max_error"),
        ({"max_error": 0.1, "certainty": 1}, "below 1"),
        ({"max_error": 0.1, "certainty": 0}, "above 0"),
    ],
)
def test_bad_rules(g1: demur.Outcomes, rules: dict[str, Any], message: str) -> None:
    refuses(message, choose, g1, **rules)


def test_no_confidences_no_cutoff() -> None:
    undefined("no cutoff to choose", choose, graded([1, 0]), cost_ratio=0.5)


def test_the_same_data_is_said_and_other_data_is_honest(g1: demur.Outcomes) -> None:
    chosen = choose(g1, cost_ratio=0.4)
    assert any("same data" in note for note in chosen.notes)
    other = graded([0, 0, 1, None], [0.8, 0.6, 0.7, None])
    judged = chosen.on(other)
    assert (judged.cutoff, judged.nonreturn, judged.error) == (0.7, 0.5, 0.25)
    assert judged.error_answered == 0.5
    assert judged.notes == (
        "judged on 4 items, of which 4 have numbers that items of the choice have too: "
        "if they are the same, the error is too good by an unknown amount; names of "
        "items would tell",
    )


def test_clusters_of_a_sample() -> None:
    repeated = graded([1, 0, 1], item=["a", "a", "b"], repeat=["1", "2", "1"])
    assert sample_of(repeated).cluster.tolist() == [0, 0, 1]  # type: ignore[union-attr]
    named = graded([1, 0, 1, 1], cluster=["x", None, "x", None])
    assert sample_of(named).cluster.tolist() == [0, 1, 0, 2]  # type: ignore[union-attr]
    alone = graded([1, 0], cluster=["x", "y"])
    assert sample_of(alone).cluster is None


def test_from_a_ratio_of_1_nothing_is_declined_whatever_the_weights():
    """Where the first answers withheld are all wrong, both costs are the same."""
    generator = np.random.default_rng(2)
    weight = np.exp(generator.normal(size=40))
    correct, confidence = generator.random(40) < 0.4, generator.random(40)
    rows = demur.Outcomes.from_arrays(
        correct=correct, confidence=confidence, weight=weight
    )
    for ratio in (1, 1.5):
        assert choose(rows, cost_ratio=ratio).nonreturn == 0


def test_where_none_is_found_the_sentence_says_why_and_what_to_do() -> None:
    asked = {"of": "answered", "certainty": 0.95}
    one, two = simple(300, range(0, 300, 5)), simple(50, [])
    choice = choose(one, max_error=0.1, **asked)
    said = " ".join(choice.sentence().split())
    assert "Nothing is promised: of 18 cutoffs that tests start from" in said
    assert said.endswith("certificate_plan says (demur choose --plan).")
    assert choice.notes[0].endswith("the rates are those of answering nothing")
    larger = float(choice.why.split("max_error of ")[1].split()[0])
    assert choose(one, max_error=larger, **asked).found
    observed = choose(simple(20, [19]), max_error=0, of="answered")
    assert not observed.found
    assert "has so small an error on this data." in observed.sentence()
    both = demur.Choices([choice, choose(two, max_error=0.1, **asked)])
    assert any("no cutoff: of 18 cutoffs" in note for note in both.notes)
