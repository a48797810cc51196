"""Locks, drift and rechecks, against plain twins, tables and simulations."""

import csv
import gzip
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference
import reference_guards as twin
from builders import DATA, by_outcome, graded, needs_data, refuses, undefined
from demur import Lock, choose, lock, recheck
from demur.decisions import rate_bounds
from demur.decisions.betting import betting_bound
from demur.decisions.drifting import BINS, DRIFT_ALONE, drift, inner_edges
from random_rows import has_guess, outcomes_of, rows, simple
from reference import Row


def unweighted(listed: list[Row]) -> bool:
    return has_guess(listed) and all(row.weight == 1 for row in listed)


def locked(n_items: int = 200, wrong: int = 3, **rules: Any) -> Lock:
    """A lock on items ranked 1, 2, ..., the first of them wrong."""
    outcomes = simple(n_items, list(range(wrong)))
    return lock(outcomes, choose(outcomes, **(rules or {"max_error": 0.05})))


def new(wrong: int, right: int, declined: int = 0, **columns: Any) -> demur.Outcomes:
    """Outcomes with so many answered at confidence 2, and declined at -1."""
    return graded(
        [0] * wrong + [1] * (right + declined),
        [2.0] * (wrong + right) + [-1.0] * declined,
        **columns,
    )


# -- the lock ----------------------------------------------------------------------


@given(rows().filter(unweighted))
def test_a_lock_holds_the_counts_of_the_twin(listed: list[Row]) -> None:
    outcomes = outcomes_of(listed)
    choice = choose(outcomes, cost_ratio=0.3)
    kept = lock(outcomes, choice)
    assert [kept.no_guess, *kept.counts] == twin.mix(listed, kept.edges)
    given_ = [row for row in listed if reference.answers(row, choice.cutoff)]
    assert kept.declined == len(listed) - len(given_)
    assert kept.wrong == sum(row.outcome != "right" or row.earned < 1 for row in given_)
    assert kept.nonreturn == pytest.approx(choice.nonreturn)
    assert (kept.target, kept.of, kept.certainty) == (None, "all", 0.95)


@given(rows().filter(unweighted))
def test_a_lock_survives_a_file(listed: list[Row]) -> None:
    outcomes = outcomes_of(listed)
    kept = lock(outcomes, choose(outcomes, max_error=0.2))
    text = json.dumps(kept.to_dict(), allow_nan=False)
    assert Lock.from_dict(json.loads(text)) == kept


def test_infinite_confidences_survive_a_file() -> None:
    outcomes = graded([0, 1, 1], [-math.inf, 0.0, math.inf])
    kept = lock(outcomes, choose(outcomes, max_error=0.0))
    assert kept.edges == (0.0, math.inf)
    kept = lock(outcomes, choose(outcomes, max_error=1.0))
    assert kept.cutoff == -math.inf
    text = json.dumps(kept.to_dict(), allow_nan=False)
    assert Lock.from_dict(json.loads(text)) == kept


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ({"cost_ratio": 0.3}, (None, "all", 0.95)),
        ({"confidence_target": 0.7}, (None, "all", 0.95)),
        ({"balance": True}, (None, "all", 0.95)),
        ({"nonreturn": 0.3}, (None, "all", 0.95)),
        ({"max_error": 0.05}, (0.05, "all", 0.95)),
        ({"max_error": 0.05, "of": "answered"}, (0.05, "answered", 0.95)),
        ({"max_error": 0.05, "certainty": 0.9}, (0.05, "all", 0.9)),
        (
            {"max_error": 0.1, "of": "answered", "certainty": 0.99},
            (0.1, "answered", 0.99),
        ),
    ],
)
def test_what_was_asked_is_kept(
    rules: dict[str, Any], asked: tuple[float | None, str, float]
) -> None:
    kept = locked(1000, 20, **rules)
    assert (kept.target, kept.of, kept.certainty) == asked
    assert kept.error == (
        kept.wrong / 1000 if kept.of == "all" else kept.wrong / (1000 - kept.declined)
    )


def test_certainty_can_be_named_for_the_rechecks() -> None:
    outcomes = simple(200, [0])
    kept = lock(outcomes, choose(outcomes, max_error=0.1), certainty=0.8)
    assert kept.certainty == 0.8
    refuses("below 1", lock, outcomes, choose(outcomes, max_error=0.1), certainty=1)


def test_what_cannot_be_locked() -> None:
    outcomes = simple(20, [0])
    none = choose(outcomes, max_error=0.01, of="answered", certainty=0.95)
    refuses("have found a cutoff", lock, outcomes, none)
    chosen = choose(outcomes, max_error=0.0)
    refuses("the cutoff was chosen on", lock, simple(30, [0]), chosen)
    weighted = graded([0, 1, 1], [1, 2, 3], weight=[1, 2, 1])
    refuses("no weights", lock, weighted, choose(weighted, max_error=0.0))
    two = graded([1, 0], [1, 2], item=["q", "q"], system=["a", "b"])
    refuses("of one system; got a, b", lock, two, chosen)


def changed(**changes: Any) -> dict[str, Any]:
    table = locked().to_dict()
    for name, value in changes.items():
        if value is ...:
            del table[name]
        else:
            table[name] = value
    return table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([], "be a lock of demur"),
        ({"cutoff": 0.5}, "be a lock of demur"),
        (changed(**{"demur-lock": 2}), "be 1; got 2"),
        (changed(**{"demur-lock": True}), "be 1; got True"),
        (changed(items=...), "'items' must be there"),
        (changed(thing=3), "'thing' must not be there"),
        (changed(items="200"), "items must be a whole number"),
        (changed(items=200.0), "items must be a whole number"),
        (changed(wrong=True), "wrong must be a whole number"),
        (changed(wrong=-1), "wrong must be a whole number"),
        (changed(system=None), "system must be a text"),
        (changed(cutoff=math.nan), "cutoff must be a number"),
        (changed(cutoff="0.5"), "cutoff must be a number"),
        (changed(target=1.5), "target must be null or a number from 0 to 1"),
        (changed(of="each"), "of must be all, answered, wholes or answered wholes"),
        (changed(of=["all"]), "of must be all, answered, wholes or answered wholes"),
        (changed(certainty=1), "certainty must be above 0"),
        (changed(edges=0.3), "edges must be a list"),
        (changed(edges=[0.3, None]), "edges must be a number"),
        (changed(edges=[0.3, 0.3], counts=[50, 50, 100]), "edges must rise"),
        (changed(counts=[200]), "counts must be one more than edges"),
        (changed(items=199), "counts must add up"),
        (changed(declined=201), "declined must be at most items"),
        (changed(no_guess=1), "no_guess must be at most declined"),
        (changed(declined=200), "wrong must be at most what is answered"),
        (changed(cutoff=None), "declined must be all items"),
        (changed(design_effects=[1]), "design_effects must be two numbers"),
        (changed(design_effects=[1, 0.5]), "design_effects must be two numbers"),
    ],
)
def test_a_file_that_is_no_lock(table: Any, message: str) -> None:
    with pytest.raises(demur.ParseError, match=message) as caught:
        Lock.from_dict(table, where="cutoff.json")
    assert str(caught.value).startswith("cutoff.json: ")
    assert "\n" not in str(caught.value)


# -- bins --------------------------------------------------------------------------

VALUES = st.lists(
    st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5, width=32)), min_size=1
)


@given(VALUES.map(lambda values: values * 3), st.sampled_from([np.float32, np.float64]))
def test_bins_keep_ties_together_and_are_about_equal(
    values: list[float], dtype: Any
) -> None:
    confidence = np.array(values, dtype)
    edges = inner_edges(confidence)
    assert all(low < high for low, high in itertools.pairwise(edges))
    counts = np.bincount(np.searchsorted(np.array(edges, dtype), confidence, "right"))
    assert counts.sum() == len(values)
    assert (counts > 0).all()
    distinct, sizes = np.unique(confidence, return_counts=True)
    if len(distinct) <= BINS:
        assert len(counts) == len(distinct)
    else:
        assert len(counts) >= BINS / 2
    # No bin holds two values and much more than its share.
    largest = len(values) / BINS + sizes[sizes < len(values) / BINS].max(initial=1)
    bins = np.searchsorted(np.array(edges, dtype), distinct, "right")
    for code in np.flatnonzero(np.bincount(bins) > 1):
        assert counts[code] <= 2 * largest


def test_a_confidence_that_all_but_fills_the_data_has_its_own_bin() -> None:
    confidence = np.concatenate((np.full(500, 0.9), np.arange(500) / 1000))
    edges = inner_edges(confidence)
    assert max(edges) == 0.9
    confidence = np.concatenate((np.full(100, 0.2205), np.arange(900) / 1000))
    edges = inner_edges(confidence)
    counts = np.bincount(np.searchsorted(edges, confidence, "right"))
    assert 0.2205 in edges
    assert counts[1 + edges.index(0.2205)] == 100


# -- the test of the target --------------------------------------------------------


@given(
    st.integers(0, 12), st.integers(0, 30), st.integers(0, 9), st.sampled_from([0, 1])
)
def test_bounds_are_those_of_the_twin(
    wrong: int, right: int, declined: int, which: int
) -> None:
    if wrong + right == 0:
        right = 1
    of = ("all", "answered")[which]
    kept = locked(max_error=0.2, of=of)
    found = recheck(kept, new(wrong, right, declined))
    base = wrong + right + (declined if of == "all" else 0)
    lower, upper = twin.clopper_pearson(wrong, base, 0.95)
    assert found.error == wrong / base
    assert found.lower == pytest.approx(lower, abs=1e-9)
    assert found.upper == pytest.approx(upper, abs=1e-9)
    verdict = "holds" if upper <= 0.2 else "broken" if lower > 0.2 else "inconclusive"
    assert found.verdict == verdict
    assert (found.items, found.answered) == (wrong + right + declined, wrong + right)
    assert found.method == "exact binomial"


@pytest.mark.parametrize(
    ("wrong", "right", "verdict"),
    [(0, 100, "holds"), (3, 97, "inconclusive"), (20, 80, "broken")],
)
def test_three_verdicts(wrong: int, right: int, verdict: str) -> None:
    found = recheck(locked(), new(wrong, right))
    assert found.verdict == verdict
    assert found.lower <= wrong / 100 <= found.upper
    further = {"holds": 0, "inconclusive": 243, "broken": None}[verdict]
    assert (found.further_items, found.further_labels) == (further, further)
    assert found.to_dict()["verdict"] == verdict
    assert ("before testing again" in str(found.notes)) == (verdict == "inconclusive")
    assert found.to_dict()["target"] == 0.05
    json.dumps(found.to_dict(), allow_nan=False)


@given(st.integers(0, 8), st.integers(20, 200), st.sampled_from([0.05, 0.1, 0.3]))
def test_further_items_are_the_fewest_that_would_do(
    wrong: int, items: int, target: float
) -> None:
    every = np.ones(items, bool)
    flags = np.arange(items) < wrong
    found = rate_bounds.bounds_of_rate(flags, flags, every, certainty=0.9)
    further = found.further_items(target)
    if found.upper <= target:
        assert further == 0
    elif wrong / items >= target:
        assert further is None
    else:
        assert further is not None
        assert found.passes is not None
        assert found.passes(items + further, target)
        assert not found.passes(items + further - 1, target)
        # The same rate on a multiple of the items, whole numbers again.
        times = -(-(items + further) // items)
        if times <= 50:  # for a rate next to the target the twin adds up for hours
            upper = twin.clopper_pearson(wrong * times, items * times, 0.9)[1]
            assert upper <= target + 1e-9


def test_a_rate_next_to_the_target_needs_no_endless_search() -> None:
    every = np.ones(10**6, bool)
    flags = np.arange(10**6) < 49_999
    found = rate_bounds.bounds_of_rate(flags, flags, every, certainty=0.95)
    assert found.further_items(0.05) is None


def test_only_answered_items_need_a_label() -> None:
    found = recheck(locked(), new(3, 47, 50))
    alone = recheck(locked(), new(3, 97))
    assert found.further_items == alone.further_items == 243
    assert found.further_labels == 122
    answered = recheck(locked(max_error=0.2, of="answered"), new(3, 21, 24))
    assert answered.further_labels is not None
    assert answered.further_items == 2 * answered.further_labels


def test_without_a_target_there_is_no_verdict() -> None:
    found = recheck(locked(cost_ratio=0.3), new(3, 97))
    assert (found.verdict, found.further_items, found.error) == (None, None, 0.03)
    assert found.drift.items_now == 100


def test_silence_holds_and_answers_nothing() -> None:
    outcomes = simple(20, [0])
    silent = lock(outcomes, choose(outcomes, max_error=0.01, certainty=0.95))
    assert (silent.cutoff, silent.nonreturn) == (None, 1)
    found = recheck(silent, new(5, 5))
    assert (found.verdict, found.error, found.lower, found.upper) == ("holds", 0, 0, 0)
    assert (found.answered, found.further_items) == (0, 0)


def test_nothing_answered_tells_nothing_of_the_answered() -> None:
    found = recheck(locked(max_error=0.05, of="answered"), new(0, 0, 30))
    assert (found.verdict, found.error) == ("inconclusive", None)
    assert (found.lower, found.upper, found.further_items) == (0, 1, None)
    nobody = graded([None] * 5)
    found = recheck(locked(), nobody)
    assert (found.error, found.drift.no_guess_now) == (0, 1)


def test_ungraded_answers_are_errors_to_the_upper_bound_only() -> None:
    outcomes = by_outcome(
        ["ungraded"] * 12 + ["wrong"] * 2 + ["right"] * 86, [1.0] * 100
    )
    found = recheck(locked(), outcomes)
    assert (found.wrong, found.ungraded, found.error) == (2, 12, 0.14)
    assert found.lower == pytest.approx(twin.clopper_pearson(2, 100, 0.95)[0])
    assert found.upper == pytest.approx(twin.clopper_pearson(14, 100, 0.95)[1])
    assert found.verdict == "inconclusive"
    assert any("12 ungraded" in note for note in found.notes)


def test_partial_credit_is_lost_in_part() -> None:
    partial = graded([0.5] * 30 + [1] * 70, [2.0] * 100)
    found, whole = recheck(locked(), partial), recheck(locked(), new(30, 70))
    assert found.error == 0.15
    assert 0.15 < found.upper < whole.upper - 0.05
    assert found.method == "bets with fixed stakes over 100 items"


def test_looking_again_and_again() -> None:
    kept = locked(max_error=0.05)
    once, always = (recheck(kept, new(1, 199), anytime=each) for each in (False, True))
    assert once.method == "exact binomial"
    assert always.method == "bets with fixed stakes over 200 items, at any time"
    assert once.upper < always.upper < 2 * once.upper
    assert not any("get all further labels" in note for note in always.notes)
    # More labels only sharpen a bound that was reached before: earlier ones stay.
    rng = np.random.default_rng(0)
    wrong = rng.random(900) < 0.02
    bounds = [
        recheck(kept, new_of(wrong[:n]), anytime=True).upper for n in (100, 300, 900)
    ]
    assert bounds == sorted(bounds, reverse=True)


def test_clusters_are_looked_at_again_and_again_up_to_a_stated_size() -> None:
    cluster = np.repeat(np.arange(60), 5)
    old = graded(np.arange(300) % 20 > 0, np.full(300, 2.0), cluster=cluster)
    chosen = choose(old, max_error=0.1)
    kept, unstated = (lock(old, chosen, max_cluster=most) for most in (9, None))
    assert kept.signature == f"{unstated.signature}|max_cluster:9"
    for each in (kept, unstated):
        assert Lock.from_dict(each.to_dict()) == each
    older = {k: v for k, v in unstated.to_dict().items() if k != "max_cluster"}
    assert Lock.from_dict(older) == unstated
    refuses("max_cluster must be given", recheck, unstated, old, anytime=True)
    refuses("cluster '0' must have at most 4 rows", lock, old, chosen, max_cluster=4)
    refuses(
        "at most 4 rows, as is stated; got 5", recheck, unstated, old, max_cluster=4
    )
    refuses("max_cluster must be", recheck, unstated, old, max_cluster=0)
    refuses("must be 9, as the lock says; got 5", recheck, kept, old, max_cluster=5)
    # A cluster of nine may come: the bound is wider than for clusters of five.
    uppers = [recheck(unstated, old, max_cluster=most).upper for most in (5, 9, 20)]
    assert uppers == sorted(uppers)
    assert recheck(kept, old).upper == uppers[1]
    assert recheck(unstated, old).upper == uppers[0]
    found = recheck(kept, old, anytime=True)
    assert found.method.endswith("at any time")
    assert "max_cluster:9" in found.signature
    noted = [
        any("no larger than" in n for n in recheck(k, old).notes)
        for k in (kept, unstated)
    ]
    assert noted == [False, True]


def test_repeats_of_an_item_are_a_cluster_of_a_stated_size_too() -> None:
    old = graded(np.arange(100) % 20 > 0, np.full(100, 2.0))
    kept = lock(old, choose(old, max_error=0.1), max_cluster=2)
    item = [f"new{row // 3}" for row in range(30)]
    again = graded(np.ones(30), np.full(30, 2.0), item=item, repeat=[0, 1, 2] * 10)
    for anytime in (False, True):
        refuses(
            "the item 'new0' must have at most 2 rows", recheck, kept, again,
            anytime=anytime,
        )  # fmt: skip


def test_open_clusters_are_not_looked_at() -> None:
    """Later turns of a dialogue would change what was bet on it before."""
    old = graded(np.arange(100) % 20 > 0, np.full(100, 2.0))
    kept = lock(old, choose(old, max_error=0.1), max_cluster=10)
    by_turn, whole = np.tile(np.arange(8), 10), np.repeat(np.arange(8), 10)
    item = [f"new{row}" for row in range(80)]
    wrong = np.ones(80), np.full(80, 2.0)
    turns, dialogues = (graded(*wrong, item=item, cluster=c) for c in (by_turn, whole))
    refuses(
        "the rows of the cluster '0' must stand together where one may look at any "
        "time; got further rows after those of another one .row 9.",
        recheck, kept, turns, anytime=True,
    )  # fmt: skip
    assert recheck(kept, dialogues, anytime=True).upper < 1
    # One look has no earlier ones that could change.
    assert recheck(kept, turns).upper == recheck(kept, dialogues).upper


def test_a_mix_without_declined_items_does_not_make_them_independent() -> None:
    """Of eight dialogues, declined whole, none then and three now: luck."""
    from demur.decisions.mixes import declined_test, mix_of

    cluster, cell = np.repeat(np.arange(8), 10), np.zeros(80, int)
    mixes = tuple(mix_of(cluster >= n, cell, 2, cluster) for n in (0, 3))
    assert declined_test((0, 80), (30, 80), mixes) > 0.05
    assert declined_test((30, 80), (0, 80), mixes[::-1]) > 0.05


def new_of(wrong: Any) -> demur.Outcomes:
    """Outcomes far above the locked cutoff, named by when they came."""
    return graded(
        (~wrong).astype(int),
        np.full(len(wrong), 2.0),
        item=[f"new{row}" for row in range(len(wrong))],
    )


def test_items_of_the_lock_are_known_again() -> None:
    names = [f"q{row}" for row in range(200)]
    confidence = [row / 200 for row in range(200)]
    old = graded([row > 5 for row in range(200)], confidence, item=names)
    kept = lock(old, choose(old, max_error=0.05))
    shuffled = old.take(np.random.default_rng(0).permutation(200))
    assert recheck(kept, shuffled).verdict == "not tested"
    half = graded(
        [True] * 200,
        confidence,
        item=[*names[:100], *(f"new{row}" for row in range(100))],
    )
    found = recheck(kept, half)
    assert found.verdict == "holds"
    (note,) = [each for each in found.notes if "too good" in each]
    share = float(note.split()[1])
    assert 30 < share < 70
    other = graded([True] * 200, confidence, item=[f"new{row}" for row in range(200)])
    assert recheck(kept, other).verdict == "holds"
    assert recheck(kept, other).notes == ()
    assert Lock.from_dict(kept.to_dict()) == kept
    older = {**kept.to_dict()}
    del older["sketch"]
    assert Lock.from_dict(older).sketch == ()


def test_weights_are_refused_but_equal_ones_are_none() -> None:
    refuses("no weights", recheck, locked(), new(1, 2, weight=[1, 2, 3]))
    assert recheck(locked(), new(1, 2, weight=[2, 2, 2])).items == 3


def test_confidences_are_needed() -> None:
    undefined("no confidences", recheck, locked(), graded([1, 0]))
    empty = new(1, 1).take(np.zeros(2, bool))
    refuses("at least one row", recheck, locked(), empty)


def test_the_system_of_the_lock_is_taken() -> None:
    old = graded([0, 1, 1], [1, 2, 3], system="a")
    kept = lock(old, choose(old, max_error=0.3))
    both = graded([1, 0, 1, 0], [3, 3, 3, 3], item=[1, 1, 2, 2], system=["a", "b"] * 2)
    assert recheck(kept, both).error == 0
    other = recheck(kept, both.select(system="b"))
    assert other.error == 1
    assert any("locked for 'a', checked on 'b'" in note for note in other.notes)
    neither = graded([1, 0], [3, 3], item=[1, 1], system=["c", "b"])
    refuses("be one of c, b; got 'a'", recheck, kept, neither)


def test_a_cutoff_is_compared_in_the_precision_of_the_data() -> None:
    confidence = np.array([0.7, 0.7, 0.9], np.float32)
    old = graded([1, 1, 1], confidence)
    kept = lock(old, choose(old, max_error=0.0))
    assert (kept.cutoff, kept.declined, kept.edges) == (0.69999998, 0, (0.89999997,))
    fine = graded([1, 1], [0.7, 0.9])
    wide = graded([1, 1, 1], confidence.astype(np.float64))
    for outcomes in (old, fine, wide):
        found = recheck(kept, outcomes)
        assert found.answered == found.items
        assert found.drift.by_chance < 0.5
    assert drift(kept, confidence).total_variation == 0


# -- clusters ----------------------------------------------------------------------


def clustered(seed: int, sizes: list[int]) -> demur.Outcomes:
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    confidence = rng.random(len(cluster))
    wrong = rng.random(len(sizes))[cluster] < 0.3 * (1 - confidence)
    return graded(
        (~wrong).astype(int), confidence, cluster=[f"c{code}" for code in cluster]
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_over_clusters_is_the_certificate_s(seed: int) -> None:
    outcomes = clustered(seed, [5, 3, 4, 8, 5, 5, 2, 1] * 25)
    choice = choose(outcomes, max_error=0.12, certainty=0.9)
    assert 0 < choice.nonreturn < 1
    found = recheck(lock(outcomes, choice), outcomes)
    assert found.upper == pytest.approx(choice.bound, abs=1e-8)
    assert found.verdict == "not tested"  # on its own items
    assert "cannot test it" in found.notes[0]
    assert found.method == "bets with fixed stakes over 200 clusters"


@pytest.mark.parametrize("of", ["all", "answered"])
def test_bounds_over_clusters_contain_the_exact_ones(of: str) -> None:
    outcomes = clustered(1, [4] * 100)
    alone = graded((outcomes.outcome == 0).astype(int), outcomes.confidence)
    kept = locked(max_error=0.05, of=of)
    many, free = recheck(kept, outcomes), recheck(kept, alone)
    assert many.error == free.error
    assert many.lower <= free.lower <= free.error <= free.upper <= many.upper  # type: ignore[operator]
    assert many.lower > 0
    assert many.upper < 1


def test_clusters_of_unequal_sizes_are_scaled_by_the_largest() -> None:
    size = np.array([1, 4] * 50)
    cluster = np.repeat(np.arange(100), size)
    wrong = cluster < 30
    every = np.ones(250, bool)
    found = rate_bounds.bounds_of_rate(
        wrong, wrong, every, cluster=cluster, certainty=0.95
    )
    assert found.error == 75 / 250
    lost = np.bincount(cluster, wrong).astype(float)
    sizes = size.astype(float)
    upper = betting_bound(lost, sizes, certainty=0.95)
    assert found.upper == pytest.approx(upper)
    lower = 1 - betting_bound(sizes - lost, sizes, certainty=0.95)
    assert found.lower == pytest.approx(lower)
    assert 0.15 < found.lower < 0.3 < found.upper < 0.45


def test_clusters_without_an_answer_do_not_count_among_the_answered() -> None:
    cluster = np.repeat(np.arange(60), 3)
    wrong = cluster % 5 == 0
    answered = cluster < 40
    few, many = (
        rate_bounds.bounds_of_rate(
            wrong[rows] & answered[rows],
            wrong[rows] & answered[rows],
            answered[rows],
            cluster=cluster[rows],
            certainty=0.9,
        )
        for rows in (cluster < 41, cluster < 60)
    )
    assert few.error == many.error
    assert few.upper == many.upper
    assert few.method == many.method == "bets with fixed stakes over 40 clusters"


def test_further_items_with_clusters_suffice_when_the_data_are_repeated() -> None:
    outcomes = clustered(1, [4] * 60)
    kept = locked(max_error=0.5, of="all", certainty=0.95)
    kept = Lock.from_dict({**kept.to_dict(), "cutoff": 0.3, "target": 0.2})
    for of in ("all", "answered"):
        kept = Lock.from_dict({**kept.to_dict(), "of": of})
        found = recheck(kept, outcomes)
        assert found.verdict == "inconclusive"
        assert found.further_items
        times = -(-found.further_items // len(outcomes)) + 1
        columns = outcomes.to_columns()
        more = by_outcome(
            columns["outcome"] * times,
            columns["confidence"] * times,
            cluster=[
                f"{part}-{name}" for part in range(times) for name in columns["cluster"]
            ],
        )
        assert recheck(kept, more).verdict == "holds"


def test_one_cluster_tells_nothing() -> None:
    found = recheck(locked(), new(0, 100, cluster="same"))
    assert found.verdict == "inconclusive"
    assert found.upper > 0.9


# -- drift -------------------------------------------------------------------------


@given(st.integers(0, 20), st.integers(1, 20), st.integers(0, 20), st.integers(1, 20))
def test_declined_shares_are_compared_by_fisher_s_test(
    k1: int, more1: int, k2: int, more2: int
) -> None:
    old = new(0, more1, k1)
    chosen = choose(old, max_error=0.0)
    kept = lock(old, chosen)
    assert kept.declined == 0  # nothing is wrong, so nothing is declined
    kept = Lock.from_dict({**kept.to_dict(), "declined": k1, "cutoff": 1.0})
    found = drift(kept, [2.0] * more2 + [-1.0] * k2)
    expected = twin.fisher(k1, k1 + more1, k2, k2 + more2)
    assert found.declined_p == pytest.approx(expected, rel=1e-6)
    assert found.declined_then == k1 / (k1 + more1)
    assert found.declined_now == k2 / (k2 + more2)


def test_the_mix_is_compared_by_chi_square() -> None:
    from scipy.stats import chi2_contingency

    rng = np.random.default_rng(3)
    old = graded([None] * 40 + [1] * 400, [None] * 40 + rng.beta(2, 1, 400).tolist())
    kept = lock(old, choose(old, max_error=0.1))
    later = np.concatenate((np.full(20, np.nan), rng.beta(1.7, 1, 300)))
    found = drift(kept, later)
    listed = [
        Row("unanswered") if math.isnan(value) else Row("right", confidence=value)
        for value in later
    ]
    table = np.array([[kept.no_guess, *kept.counts], twin.mix(listed, kept.edges)])
    assert found.bins == table.shape[1] == BINS + 1
    assert found.mix_p == pytest.approx(
        chi2_contingency(table, correction=False).pvalue
    )
    shares = table / table.sum(1, keepdims=True)
    distance = np.abs(shares[0] - shares[1]).sum() / 2
    assert found.total_variation == pytest.approx(distance)
    assert 0 < found.by_chance < 0.2
    assert (found.no_guess_then, found.no_guess_now) == (40 / 440, 20 / 320)


def test_thin_bins_are_merged_with_their_neighbours() -> None:
    from scipy.stats import chi2_contingency

    kept = locked(200)  # 10 bins of 20
    found = drift(kept, np.arange(1, 41) / 200)  # a fifth as many, all in the lowest
    # Expected now: 40/240 of each column; columns of 60 and more pass.
    merged = np.array([[40, 60, 100], [40, 0, 0]])
    assert merged.sum() == 240
    assert found.bins == 3
    assert found.mix_p == pytest.approx(
        chi2_contingency(merged, correction=False).pvalue, rel=1e-9
    )
    few = drift(kept, [0.5])
    assert (few.bins, few.mix_p) == (0, None)


@given(rows().filter(unweighted))
def test_no_drift_is_no_drift(listed: list[Row]) -> None:
    outcomes = outcomes_of(listed)
    kept = lock(outcomes, choose(outcomes, max_error=0.2))
    found = recheck(kept, outcomes).drift
    assert found.declined_p == pytest.approx(1)
    assert found.mix_p in (None, pytest.approx(1))
    assert found.total_variation == 0
    assert found.declined_now == found.declined_then
    assert found.notes == (DRIFT_ALONE,)


def test_drift_needs_no_labels() -> None:
    confidence = [0.1, 0.3, None, 0.99]
    outcomes = graded([1, 0, None, 1], confidence)
    kept = locked(max_error=0.001)
    with_labels = recheck(kept, outcomes).drift
    assert drift(kept, confidence) == with_labels
    answered = [True, True, False, True]
    assert drift(kept, [0.1, 0.3, 0.7, 0.99], answered) == with_labels
    assert "neither proves nor excludes" in with_labels.notes[0]
    assert with_labels.method == "declined: Fisher's exact test; mix: chi-square"


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        (([],), "at least one item"),
        ((["high"],), "hold numbers"),
        (([0.5, np.nan], [True, True]), "NaN in row 1"),
        (([0.5, 0.6], [True]), "as long as confidence"),
    ],
)
def test_bad_confidences(given_: tuple[Any, ...], message: str) -> None:
    refuses(message, drift, locked(), *given_)
    refuses("cluster must be as long", drift, locked(), [0.5, 0.6], cluster=["a"])


def test_items_that_repeat_count_once() -> None:
    rng = np.random.default_rng(0)
    old = graded([1] * 300, rng.random(300))
    kept = lock(old, choose(old, nonreturn=0.5))
    later = rng.random(200) * 0.9
    once = drift(kept, later)
    thrice = drift(kept, np.repeat(later, 3), cluster=np.repeat(np.arange(200), 3))
    careless = drift(kept, np.repeat(later, 3))
    assert thrice.declined_p == pytest.approx(once.declined_p, rel=0.25)
    assert thrice.mix_p == pytest.approx(once.mix_p, rel=0.1)
    assert careless.mix_p is not None
    assert once.mix_p is not None
    assert careless.mix_p < once.mix_p / 10
    assert "design effect" in thrice.method
    alone = drift(kept, later, cluster=np.arange(200))
    assert alone == once


# -- simulations -------------------------------------------------------------------


def share(runs: int, event: Callable[[np.random.Generator], bool]) -> float:
    rng = np.random.default_rng(8)
    return sum(event(rng) for _ in range(runs)) / runs


def above(rate: float, runs: int) -> float:
    """Three standard deviations above a rate."""
    return rate + 3 * math.sqrt(rate * (1 - rate) / runs)


@pytest.mark.parametrize(("target", "verdict"), [(0.1999, "holds"), (0.2, "broken")])
def test_verdicts_are_wrong_no_more_often_than_they_say(
    target: float, verdict: str
) -> None:
    kept = Lock.from_dict({**locked().to_dict(), "target": target})

    def wrong_verdict(rng: np.random.Generator) -> bool:
        wrong = int(rng.binomial(150, 0.2))
        return recheck(kept, new(wrong, 150 - wrong)).verdict == verdict

    assert 0.01 < share(800, wrong_verdict) <= above(0.05, 800)


@pytest.mark.parametrize("of", ["all", "answered"])
def test_verdicts_over_clusters_are_wrong_no_more_often(of: str) -> None:
    table = {**locked().to_dict(), "target": 0.25, "of": of, "cutoff": 0.5}
    kept = Lock.from_dict({**table, "certainty": 0.8})

    def wrong_verdict(rng: np.random.Generator) -> bool:
        # Clusters of 4 err together; of the answered 1 in 4, of all 1 in 4.
        cluster = np.repeat(np.arange(60), 4)
        confidence = rng.random(240) if of == "answered" else np.ones(240)
        wrong = np.repeat(rng.random(60) < 0.25 + 1e-9, 4)
        outcomes = graded((~wrong).astype(int), confidence, cluster=cluster)
        return recheck(kept, outcomes).verdict == "holds"

    assert share(100, wrong_verdict) <= above(0.2, 100)


@pytest.mark.parametrize("size", [1, 4])
def test_drift_is_seen_where_there_is_none_no_more_often_than_it_says(
    size: int,
) -> None:
    # The cutoff and the bins come from the locked data themselves.
    def draw(rng: np.random.Generator, n_items: int) -> tuple[Any, Any]:
        cluster = np.repeat(np.arange(n_items // size), size)
        middle = rng.normal(size=n_items // size)[cluster]
        return middle + rng.normal(size=n_items) * 0.7, cluster

    counts: Counter[str] = Counter()
    rng, runs = np.random.default_rng(4), 400
    for _ in range(runs):
        confidence, cluster = draw(rng, 600)
        old = graded((rng.random(600) < 0.9).astype(int), confidence, cluster=cluster)
        kept = lock(old, choose(old, nonreturn=0.3))
        later, cluster = draw(rng, 400)
        found = drift(kept, later, cluster=cluster)
        assert found.mix_p is not None
        counts["declined"] += found.declined_p <= 0.05
        counts["mix"] += found.mix_p <= 0.05
        counts["distance"] += found.total_variation > found.by_chance
    assert 0.01 <= counts["declined"] / runs <= above(0.05, runs)
    assert 0.01 <= counts["mix"] / runs <= above(0.05, runs)
    assert 0.3 <= counts["distance"] / runs <= 0.7  # by_chance is about the mean


# -- real data ---------------------------------------------------------------------


def asked(name: str, prompt: str) -> dict[str, demur.Outcomes]:
    """Outcomes of 13 language models on one test with one phrasing."""
    listed: dict[str, list[dict[str, str]]] = {}
    path = DATA / "llm_mcq_confidence" / f"{name}.csv.gz"
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["prompt"] == prompt:
                listed.setdefault(row["system"], []).append(row)
    return {
        system: by_outcome(
            [row["outcome"] for row in table],
            [float(row["confidence"]) if row["confidence"] else None for row in table],
            item=[row["item"] for row in table],
            system=system,
        )
        for system, table in listed.items()
    }


@needs_data
def test_ten_percent_certified_on_mmlu_does_not_travel() -> None:
    first = asked("mmlu", "first")
    locks = {}
    for system, outcomes in first.items():
        choice = choose(outcomes, max_error=0.1, certainty=0.95)
        locks[system] = lock(outcomes, choice)
        assert recheck(locks[system], outcomes).verdict == "not tested"
    assert len(locks) == 13
    found = {}
    for name, prompt in [("mmlu", "second"), ("truthfulqa", "first")]:
        later = asked(name, prompt)
        checked = [recheck(locks[system], later[system]) for system in first]
        over = sum(each.error is not None and each.error > 0.1 for each in checked)
        found[name] = over, Counter(each.verdict for each in checked)
    assert found["mmlu"] == (6, {"holds": 4, "inconclusive": 5, "broken": 4})
    assert found["truthfulqa"] == (11, {"holds": 1, "inconclusive": 5, "broken": 7})
