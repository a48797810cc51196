"""Decisions at their edges: a limit just met, a value that is just one more."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import demur
from builders import by_outcome, graded, refuses
from demur.arrays import Sample, plain
from demur.decisions import certificates, several_risks
from demur.decisions.betting import betting_bound
from demur.decisions.certificates import certified, error_bound
from demur.decisions.declining import SMALL
from demur.decisions.drifting import drift
from demur.decisions.group_rates import Design, _correlation, grouped_rate
from demur.decisions.locks import write_locks
from demur.decisions.mixes import mix_of
from demur.decisions.rate_bounds import bounds_of_rate
from demur.statistics.equal_units import equal_units


def all_right(n_items: int) -> Sample:
    confidence = np.linspace(0, 1, n_items)
    return Sample(np.ones(n_items, bool), confidence, np.zeros(n_items))


def test_59_items_without_an_error_certify_5_per_cent_and_58_do_not() -> None:
    enough = certified(all_right(59), Fraction(1, 20), 0.95)
    assert (enough.position, enough.bound) == (0, pytest.approx(1 - 0.05 ** (1 / 59)))
    few = certified(all_right(58), Fraction(1, 20), 0.95)
    assert (few.position, few.bound) == (58, 0.0)  # silence


@pytest.mark.parametrize("of", ["all", "answered"])
def test_where_all_is_wrong_only_silence_is_certified(of: str) -> None:
    outcomes = graded(
        [False] * 400,
        np.linspace(0, 1, 400),
        cluster=[f"c{row // 2}" for row in range(400)],
    )
    choice = demur.choose(outcomes, max_error=0.01, certainty=0.9, of=of)
    assert choice.cutoff is None
    assert choice.found == (of == "all")
    assert choice.bound == (0.0 if of == "all" else None)


def test_a_few_of_many_cutoffs_begin_with_the_lowest_and_end_with_the_highest() -> None:
    many = 3 * certificates.CUTOFFS
    ladder = certificates.erring(all_right(many))
    vertices = ladder.vertices()[:-1]
    few = vertices[certificates.few_places(vertices, many)].tolist()
    assert (few[0], few[-1]) == (many - 1, 0)
    assert len(few) <= certificates.CUTOFFS
    assert few == sorted(few, reverse=True)


def test_the_bound_of_several_groups_is_that_of_the_worst() -> None:
    draw = np.random.default_rng(3)
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(900),
            "confidence": draw.random(900),
            "correct": (np.arange(900) % 3 > 0) | (np.arange(900) % 10 > 0),
        },
        groups={"topic": np.array(list("xyz") * 300, object)},
    )
    choice = demur.choose(outcomes, max_error=0.2, certainty=0.9, each="topic")
    bounds = {risk.what: risk.bound for risk in choice.risks}
    assert len(set(bounds.values())) > 1
    assert choice.bound == max(bounds.values())


def test_items_that_are_not_numbered_through_tell_what_was_seen_before() -> None:
    first = graded([1, 0, 1], [0.9, 0.5, 0.1], item=[5, 1, 7])
    other = graded([1, 0, 1], [0.9, 0.5, 0.1], item=[5, 1, 9])
    judged = demur.choose(first, max_error=0.5).on(other)
    assert any("2 of the 3 items" in note for note in judged.notes)


def test_ungraded_answers_are_counted_in_the_note() -> None:
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(5),
            "confidence": np.array([0.9, 0.8, 0.7, 0.6, 0.1]),
            "outcome": np.array(["ungraded", "right", "wrong", "right", "ungraded"]),
        },
        groups={"g": np.array(list("aabbb"), object)},
    )
    notes = demur.declining_by(outcomes, "g", cutoff=0.5).notes
    assert "1 ungraded answers count as errors" in notes


@pytest.mark.parametrize("small", [SMALL - 1, SMALL])
def test_groups_are_compared_from_a_size_on(small: int) -> None:
    sizes = {"a": small, "b": 3 * SMALL, "c": 3 * SMALL}
    names = [name for name, size in sizes.items() for _ in range(size)]
    draw = np.random.default_rng(1)
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(len(names)),
            "confidence": draw.random(len(names)),
            "correct": draw.random(len(names)) < 0.7,
        },
        groups={"g": np.array(names, object)},
    )
    declining = demur.declining_by(outcomes, "g", cutoff=0.5)
    assert declining.gaps[0].pairs == (1 if small < SMALL else 3)


@pytest.mark.parametrize("certainty", [0, 1, 1.5])
def test_a_certainty_is_neither_0_nor_1(certainty: float) -> None:
    outcomes = graded([1, 0], [0.9, 0.5])
    choice = demur.choose(outcomes, max_error=0.5)
    refuses("certainty must be", demur.lock, outcomes, choice, certainty=certainty)
    with pytest.raises(demur.InputError, match="certainty must be"):
        demur.certified_error(outcomes, cutoff=0.5, certainty=certainty)


def test_a_bound_that_equals_the_target_breaks_nothing() -> None:
    right = graded(
        [True] * 50, np.linspace(0, 1, 50), item=[f"a{row}" for row in range(50)]
    )
    locked = demur.lock(right, demur.choose(right, max_error=0))
    other = graded(
        [True] * 50, np.linspace(0, 0.9, 50), item=[f"b{row}" for row in range(50)]
    )
    found = demur.recheck(locked, other)
    assert locked.target == 0
    assert (found.lower, found.verdict) == (0.0, "inconclusive")


def test_one_lock_is_read_and_two_are_refused(tmp_path: Any) -> None:
    outcomes = graded([1, 0], [0.9, 0.5], system="a")
    first = demur.lock(outcomes, demur.choose(outcomes, max_error=0.5))
    second = type(first)(**{**vars(first), "system": "b"})
    path = tmp_path / "locks.json"
    write_locks([first, second], path)
    assert [each.system for each in demur.read_locks(path)] == ["a", "b"]
    with pytest.raises(demur.ParseError, match="be of one system"):
        demur.read_lock(path)
    kept = json.loads(path.read_text())
    assert kept["locks"][0]["demur-lock"] == 1  # files of this version stay readable


def test_the_test_of_declined_shares_is_named() -> None:
    clustered = {"cluster": [f"c{row // 5}" for row in range(100)]}
    for columns, named in (
        (clustered, "declined: t"),
        ({}, "declined: Fisher's exact"),
    ):
        outcomes = [
            graded(
                [row % 7 > 0 for row in range(100)],
                [(row // 5) / 20 for row in range(100)],
                item=[f"{name}{row}" for row in range(100)],
                **columns,
            )
            for name in "ab"
        ]
        locked = demur.lock(outcomes[0], demur.choose(outcomes[0], max_error=0.1))
        assert demur.recheck(locked, outcomes[1]).drift.method.startswith(named)


def test_certified_cutoffs_of_answered_items_against_all_cutoffs() -> None:
    # Where few are answered nothing can be certified, and lower cutoffs are tried.
    draw = np.random.default_rng(7)
    confidence = draw.random(600)
    correct = draw.random(600) < 0.97
    outcomes = graded(
        correct, confidence, cluster=[f"c{row // 2}" for row in range(600)]
    )
    choice = demur.choose(outcomes, max_error=0.1, certainty=0.9, of="answered")
    assert choice.found
    assert choice.bound is not None
    assert choice.bound <= 0.1
    answered = confidence >= choice.cutoff
    assert answered.mean() > 0.5
    assert 1 - correct[answered].mean() < 0.1


def test_ten_bins_are_locked() -> None:
    outcomes = graded([True] * 200, np.linspace(0, 1, 200))
    locked = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1))
    assert (len(locked.edges), sorted(set(locked.counts))) == (9, [20])


def test_two_clusters_have_a_design_effect_of_their_own() -> None:
    answered = np.array([True, False] * 10)
    cell = np.arange(20) % 4
    alike = np.arange(20) // 2 % 2  # each cluster is like the other
    assert max(mix_of(answered, cell, 4, alike).effects) < 20
    one = mix_of(answered, cell, 4, np.zeros(20, int))
    assert (one.effects, one.worth) == ((20.0, 20.0), 1.0)


@pytest.mark.parametrize("answered", [True, False])
def test_what_does_not_vary_has_no_design_effect(answered: bool) -> None:
    same, pairs = np.zeros(20, int), np.arange(20) // 2
    assert mix_of(np.full(20, answered), same, 1, pairs).effects == (1.0, 1.0)


def test_the_interval_of_a_gap_lies_on_one_side_where_groups_are_far_apart() -> None:
    names = [name for name in "abc" for _ in range(400)]
    wrong = [row % 400 < limit for limit in (20, 200, 380) for row in range(400)]
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(1200),
            "confidence": np.full(1200, 0.5),
            "correct": ~np.array(wrong),
        },
        groups={"g": np.array(names, object)},
    )
    found = demur.declining_by(outcomes, "g", cutoff=0.0)
    (gap,) = [each for each in found.gaps if each.rate == "error"]
    assert (gap.high, gap.low, gap.pairs) == ("c", "a", 3)
    assert gap.difference == pytest.approx(0.9)
    low, high = gap.interval
    assert 0.8 < low < 0.9 < high < 0.95


def test_clusters_without_spread_count_by_their_weight() -> None:
    # Three clusters that are all answered: Wilson's interval of Kish's number of them.
    cluster = ["x"] * 6 + ["y"] * 3 + ["z"] * 1 + ["w"] * 10
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(20),
            "confidence": np.r_[np.full(10, 0.9), np.linspace(0, 1, 10)],
            "correct": np.ones(20, bool),
            "cluster": np.array(cluster, object),
        },
        groups={"g": np.array(["a"] * 10 + ["b"] * 10, object)},
    )
    found = demur.declining_by(outcomes, "g", cutoff=0.5)
    (first, _) = found.groups
    kish = 10**2 / (6**2 + 3**2 + 1**2)
    quantile = stats.t.ppf(0.975, equal_units(np.array([6.0, 3.0, 1.0])) - 1)
    assert first.declined.low == 0
    assert first.declined.high == pytest.approx(quantile**2 / (kish + quantile**2))


def test_partial_credit_in_either_bound_is_bet_on() -> None:
    whole, part = np.r_[np.ones(3), np.zeros(27)], np.r_[np.full(3, 0.5), np.zeros(27)]
    counted = np.ones(30, bool)
    for low, high in ((part, whole), (part, part)):
        found = bounds_of_rate(low, high, counted, certainty=0.9)
        assert found.method.startswith("bets with fixed stakes over 30 items")
    assert "binomial" in bounds_of_rate(whole, whole, counted, certainty=0.9).method


def test_ungraded_answers_need_as_many_further_items_as_wrong_ones() -> None:
    clusters = [f"c{row // 3}" for row in range(240)]
    old = graded(
        [True] * 240,
        np.linspace(0, 1, 240),
        item=[f"a{row}" for row in range(240)],
        cluster=clusters,
    )
    locked = demur.lock(old, demur.choose(old, max_error=0.1))
    found = []
    for odd in ("wrong", "ungraded"):
        new = by_outcome(
            [odd if row % 15 == 0 else "right" for row in range(240)],
            np.linspace(0, 1, 240),
            item=[f"b{row}" for row in range(240)],
            cluster=clusters,
        )
        found.append(demur.recheck(locked, new))
    assert found[0].upper == found[1].upper
    assert found[1].lower == 0.0
    assert found[0].further_items == found[1].further_items
    assert found[0].further_items


def test_a_tie_at_the_cutoff_is_answered() -> None:
    # Clusters of two; the lowest cutoff declines nothing, whatever ties with it.
    sample = Sample(
        np.ones(40, bool),
        np.repeat([0.2, 0.6], 20),
        np.zeros(40),
        cluster=np.arange(40) // 2,
    )
    size = np.full(20, 2.0)
    nothing = betting_bound(np.zeros(20), size, certainty=0.9)
    found = several_risks._bound(sample, 0.2, 0.9, declined=True)
    assert found == pytest.approx(nothing)


def test_a_bound_that_is_just_the_target_needs_no_further_items() -> None:
    wrong = np.r_[np.ones(2), np.zeros(48)]
    bounds = bounds_of_rate(wrong, wrong, np.ones(50, bool), certainty=0.9)
    assert bounds.further_items(bounds.upper) == 0
    further = bounds.further_items(np.nextafter(bounds.upper, 0))
    assert further is not None
    assert further > 0


def test_the_error_of_a_lock_is_that_of_its_base() -> None:
    outcomes = graded(
        [1, 1, 1, 0, 1, 0, 0, 0, 0, 0],
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0],
    )
    for of, error in (("all", 1 / 10), ("answered", 1 / 5)):
        choice = demur.choose(
            outcomes, max_error=0.2 if of == "answered" else 0.1, of=of
        )
        locked = demur.lock(outcomes, choice)
        assert (locked.items, locked.declined, locked.wrong) == (10, 5, 1)
        assert locked.error == error
        assert locked.nonreturn == 0.5


def test_the_ends_of_what_is_certain_belong_to_it() -> None:
    assert plain(np.inf) == "inf"
    assert plain(-np.inf) == "-inf"
    assert (plain(None), plain(0.5)) == (None, 0.5)


@pytest.mark.parametrize(("declined", "p_value"), [(False, 1.0), (True, 0.0)])
def test_one_cluster_of_items_counts_as_one_item(
    declined: bool, p_value: float
) -> None:
    # All are answered then; now all, or none: one item more, which luck may explain.
    old = graded([True] * 50, np.linspace(0.5, 1, 50))
    locked = demur.lock(old, demur.choose(old, max_error=0.1))
    now = [0.1 if declined else 0.9] * 20
    found = drift(locked, now, cluster=["c"] * 20)
    assert found.declined_now == declined
    alone = drift(locked, now)
    assert (alone.declined_p == 1.0) is not declined
    if not declined:
        assert found.declined_p == p_value
    else:
        assert alone.declined_p < found.declined_p <= 1


def test_groups_go_with_each_other_as_their_clusters_do() -> None:
    # Each cluster has one item in each of three groups.
    draw = np.random.default_rng(2)
    amounts = (draw.random((3, 30)) < 0.5).astype(float)
    amounts[1] = np.where(np.arange(30) < 20, amounts[0], amounts[1])
    group, cluster = np.repeat(np.arange(3), 30), np.tile(np.arange(30), 3)
    rate = grouped_rate(amounts.ravel(), np.ones(90), Design(group, 3, None, cluster))
    found = [_correlation(rate, np.arange(3), row) for row in range(3)]
    assert np.array(found) == pytest.approx(np.corrcoef(amounts))
    some = _correlation(rate, np.array([2, 0]), 1)
    assert some == pytest.approx(np.corrcoef(amounts)[0, [2, 0]])


@pytest.mark.parametrize("weight", [None, np.r_[2.0, np.ones(19)]])
def test_the_error_of_silence_has_a_bound(weight: Any) -> None:
    sample = Sample(np.ones(20, bool), np.arange(20.0), np.ones(20), weight=weight)
    silent = error_bound(sample, np.zeros(20, bool), 0.95)
    assert silent == (
        0.0 if weight is not None else pytest.approx(1 - 0.05 ** (1 / 20))
    )
    one = error_bound(sample, np.arange(20) == 19, 0.95)
    assert silent < one < 1
