"""Cutoffs on parts by errors of wholes, against plain twins over all cutoffs."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference_wholes as twin
from builders import refuses, write_records
from demur.decisions.betting import log_money
from demur.decisions.certificates import few_places
from demur.decisions.exact_certificates import shared_risk
from demur.wholes.wholes_at_cutoffs import wholes_at
from reference_guards import at_most, clopper_pearson
from reference_wholes import Part, Whole
from wholes.test_whole_curves import some_wholes, table_of

RATES = [Fraction(text) for text in ("0", "0.1", "0.25", "0.4", "0.5", "1")]
rates, certified_rates = st.sampled_from(RATES), st.sampled_from(RATES[:-1])


def highest_first(wholes):
    """All cutoffs that answer something, the highest first."""
    return twin.cutoffs(wholes)[-2::-1]


def counted(wholes, cutoff):
    """Wholes that a cutoff answers, and those that it errs on; ungraded are errors."""
    sums = twin.at_cutoff(wholes, cutoff)
    total = sum(whole.weight for whole in wholes)
    return int(sums["answered"] * total), int(sums["high"] * total)


# -- as observed -------------------------------------------------------------------


@given(some_wholes(), rates)
def test_the_lowest_cutoff_with_an_error_as_observed(wholes, target):
    outcomes = table_of(wholes)
    choice = demur.choose(outcomes, max_error=float(target), of="wholes")
    wanted = next(
        cutoff
        for cutoff in twin.cutoffs(wholes)
        if twin.at_cutoff(wholes, cutoff)["high"] <= target
    )
    there = twin.at_cutoff(wholes, wanted)
    assert choice.cutoff == wanted
    assert choice.error == pytest.approx(float(there["high"]))
    assert choice.nonreturn == pytest.approx(float(there["withheld"]))
    assert choice.wholes.complete == pytest.approx(float(there["complete"]))
    assert choice.wholes.touched == pytest.approx(float(there["touched"]))


@given(some_wholes(), rates)
def test_the_lowest_cutoff_with_an_error_of_answered_wholes(wholes, target):
    choice = demur.choose(
        table_of(wholes), max_error=float(target), of="answered wholes"
    )
    fits = [
        cutoff
        for cutoff in twin.cutoffs(wholes)[:-1]
        if (at := twin.at_cutoff(wholes, cutoff))["high"] <= target * at["answered"]
    ]
    assert choice.found == bool(fits)
    assert choice.cutoff == (fits[0] if fits else None)
    if fits:
        there = twin.at_cutoff(wholes, fits[0])
        share = there["high"] / there["answered"]
        assert choice.error_answered == pytest.approx(float(share))


@given(some_wholes(), st.sampled_from(["0", "0.2", "0.5", "1", "1.5", "4"]))
def test_least_cost_is_that_of_all_cutoffs(wholes, text):
    """One part may be what makes its whole err, so that withholding pays above 1."""
    ratio = Fraction(text)
    choice = demur.choose(table_of(wholes), cost_ratio=float(ratio), of="wholes")
    costs = []
    for cutoff in twin.cutoffs(wholes):
        there = twin.at_cutoff(wholes, cutoff)
        costs.append((there["high"] + ratio * there["withheld"], there["withheld"]))
    assert choice.cost == pytest.approx(float(min(costs)[0]))
    assert choice.nonreturn == pytest.approx(float(min(costs)[1]))


@given(some_wholes(), rates)
def test_the_most_that_may_be_withheld(wholes, most):
    outcomes = table_of(wholes)
    points = [twin.at_cutoff(wholes, cutoff) for cutoff in twin.cutoffs(wholes)]
    fits = [point["withheld"] for point in points if point["withheld"] <= most]
    if not fits:
        with pytest.raises(demur.UndefinedRate, match="no cutoff withholds at most"):
            demur.choose(outcomes, nonreturn=float(most), of="wholes")
        return
    choice = demur.choose(outcomes, nonreturn=float(most), of="wholes")
    assert choice.nonreturn == pytest.approx(float(max(fits)))


# -- certified ---------------------------------------------------------------------


@given(some_wholes(weights=False), certified_rates, st.sampled_from([0.3, 0.6, 0.9]))
def test_the_lowest_cutoff_that_an_exact_test_certifies(wholes, target, certainty):
    choice = demur.choose(
        table_of(wholes), max_error=float(target), certainty=certainty, of="wholes"
    )
    passing = [None]
    for cutoff in twin.cutoffs(wholes)[:-1]:
        _, wrong = counted(wholes, cutoff)
        _, upper = clopper_pearson(wrong, len(wholes), certainty)
        if upper <= target + 1e-12:
            passing.append(cutoff)
    lowest = min((c for c in passing if c is not None), default=None)
    assert choice.cutoff == lowest
    if lowest is not None:
        _, upper = clopper_pearson(counted(wholes, lowest)[1], len(wholes), certainty)
        assert choice.bound == pytest.approx(upper)


def many(seed, n_wholes, *, clusters=0, weights=False):
    """Wholes of which all parts tend to be right, or to be wrong."""
    rng = np.random.default_rng(seed)
    wholes = []
    for _ in range(n_wholes):
        hard = rng.random() < 0.2
        parts = [
            Part(
                str(rng.choice(["right", "wrong"], p=[0.2, 0.8] if hard else [1, 0])),
                float(rng.integers(1, 12) + 2 * (not hard)),
            )
            for _ in range(rng.integers(0, 5))
        ]
        wholes.append(Whole(tuple(parts), int(rng.integers(1, 4)) if weights else 1))
    columns = dict(twin.columns(wholes))
    if clusters:
        columns["cluster"] = [
            f"c{int(item[1:]) % clusters}" for item in columns["item"]
        ]
    if not weights:
        del columns["weight"]
    return wholes, demur.Outcomes.from_arrays(**columns)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("target", [0.1, 0.3])
def test_sequences_of_answered_wholes_go_down_as_a_plain_walk(seed, target):
    wholes, outcomes = many(seed, 20 + 15 * seed)
    choice = demur.choose(
        outcomes, max_error=target, certainty=0.9, of="answered wholes"
    )
    cutoffs = highest_first(wholes)
    pairs = [counted(wholes, cutoff) for cutoff in cutoffs]
    brought = shared_risk(
        np.array([answered for answered, _ in pairs]), target, 1 - 0.9
    )
    lowest, carried = None, 0.0
    for cutoff, (n_given, wrong), more in zip(cutoffs, pairs, brought, strict=True):
        carried += more
        if carried and at_most(wrong, n_given, target) <= carried * (1 + 1e-9):
            lowest = cutoff
        else:
            carried = 0.0
    assert choice.cutoff == lowest
    assert choice.found == (lowest is not None)


def amounts(wholes, cutoff, of, clusters):
    """Loss and size of each cluster, by looking at each whole."""
    loss, size = np.zeros(clusters), np.zeros(clusters)
    for number, whole in enumerate(wholes):
        given = [p for p in whole.parts if twin.returned(p, cutoff)]
        loss[number % clusters] += whole.weight * any(
            p.outcome == "wrong" for p in given
        )
        size[number % clusters] += whole.weight * (of == "wholes" or bool(given))
    return loss[size > 0], size[size > 0]


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_bets_on_clusters_of_wholes_stop_where_a_plain_walk_does(seed, weights):
    clusters = 40 + 10 * seed
    wholes, outcomes = many(seed, 3 * clusters, clusters=clusters, weights=weights)
    choice = demur.choose(outcomes, max_error=0.2, certainty=0.9, of="wholes")
    lowest = None
    for cutoff in highest_first(wholes):
        loss, size = amounts(wholes, cutoff, "wholes", clusters)
        money = log_money(loss, size, 0.2, certainty=0.9)
        if loss.sum() > 0.2 * size.sum() or money < -math.log(0.1):
            break
        lowest = cutoff
    assert choice.cutoff == lowest
    assert f"bets over {clusters} clusters" in choice.rule


@pytest.mark.parametrize("seed", range(6))
def test_bets_on_answered_wholes_are_those_of_items_with_the_same_amounts(seed):
    """At every cutoff that is tried, clusters lose and hold what counting says."""
    from demur.decisions.whole_choices import whole_tests

    wholes, outcomes = many(seed, 90, clusters=30)
    tests = whole_tests(outcomes)
    tried = tests.tried("answered wholes")
    cutoffs = highest_first(wholes)
    assert len(tried) == len(cutoffs)
    for place, cutoff in enumerate(cutoffs):
        loss, size, times = tried.amounts(place)
        plain = amounts(wholes, cutoff, "answered wholes", 30)
        assert times is None
        assert sorted(zip(loss, size, strict=True)) == sorted(zip(*plain, strict=True))
        assert tried.answered[place] == counted(wholes, cutoff)[0]


@pytest.mark.parametrize("of", ["wholes", "answered wholes"])
def test_the_simulated_bound_is_sharper_and_not_certified(of):
    _, outcomes = many(7, 400, clusters=130)
    how = {"max_error": 0.15, "certainty": 0.9, "of": of}
    certified = demur.choose(outcomes, **how)
    simulated = demur.choose(outcomes, bound="simulated", **how)
    assert simulated.nonreturn <= certified.nonreturn
    assert (simulated.bound, certified.simulated_bound) == (None, None)
    assert simulated.error < simulated.simulated_bound <= 0.15
    assert "not certified" in simulated.sentence()


@pytest.mark.parametrize("of", ["wholes", "answered wholes"])
@pytest.mark.parametrize("clusters", [0, 50])
@pytest.mark.parametrize("seed", range(4))
def test_wholes_of_one_part_are_items(seed, clusters, of):
    wholes, _ = many(seed, 150, clusters=clusters)
    alone = [Whole(whole.parts[:1] or (Part("right", 5.0),)) for whole in wholes]
    columns = {k: v for k, v in twin.columns(alone).items() if k != "weight"}
    if clusters:
        columns["cluster"] = [
            f"c{int(item[1:]) % clusters}" for item in columns["item"]
        ]
    parts = demur.Outcomes.from_arrays(**columns)
    del columns["part"]
    items = demur.Outcomes.from_arrays(**columns)
    of_items = {"wholes": "all", "answered wholes": "answered"}[of]
    for certainty in (None, 0.9):
        how = {"max_error": 0.2, "certainty": certainty}
        by_wholes = demur.choose(parts, of=of, **how)
        by_items = demur.choose(items, of=of_items, **how)
        assert by_wholes.cutoff == by_items.cutoff
        names = ("nonreturn", "error", "error_answered", "bound")
        pairs = [[getattr(c, name) for name in names] for c in (by_wholes, by_items)]
        assert pairs[0] == pytest.approx(pairs[1])
    if not by_items.found:
        return
    locks = demur.lock(parts, by_wholes), demur.lock(items, by_items)
    checks = demur.recheck(locks[0], parts), demur.recheck(locks[1], items)
    for name in ("verdict", "items", "answered", "wrong", "error", "lower", "upper"):
        assert getattr(checks[0], name) == getattr(checks[1], name)
    assert checks[0].drift.to_dict() == checks[1].drift.to_dict()


def test_many_cutoffs_are_tried_at_a_few_places():
    rng = np.random.default_rng(3)
    n_wholes = 600
    item = np.repeat(np.arange(n_wholes), 2)
    outcomes = demur.Outcomes.from_arrays(
        item=item,
        part=np.tile(["x", "y"], n_wholes),
        correct=rng.random(2 * n_wholes) < 0.97,
        confidence=rng.random(2 * n_wholes),
        cluster=(item // 2).astype(str),
    )
    for of in ("wholes", "answered wholes"):
        choice = demur.choose(outcomes, max_error=0.1, certainty=0.95, of=of)
        assert choice.found
        assert 0.05 < choice.bound <= 0.1
    assert len(few_places(np.arange(1200), 1200)) < 300


# -- several promises --------------------------------------------------------------


def test_also_what_is_withheld_is_promised():
    wholes, outcomes = many(1, 400)
    how = {"max_error": 0.15, "certainty": 0.95, "of": "wholes"}
    both = demur.choose(outcomes, max_nonreturn=0.9, **how)
    alone = demur.choose(outcomes, **{**how, "certainty": 0.975})
    assert both.cutoff == alone.cutoff
    error, withheld = both.risks
    assert (error.what, error.bound) == ("error of wholes", alone.bound)
    # Parts withheld are bet on by wholes, which are of unequal sizes.
    n_held = [
        sum(not twin.returned(p, both.cutoff) for p in whole.parts) for whole in wholes
    ]
    loss = np.array([n for n, w in zip(n_held, wholes, strict=True) if w.parts], float)
    size = np.array([len(whole.parts) for whole in wholes if whole.parts], float)
    least = log_money(loss, size, withheld.bound, certainty=0.975)
    assert least == pytest.approx(-math.log(0.025), abs=1e-6)
    assert not demur.choose(outcomes, max_nonreturn=0.1, **how).found


def test_each_group_of_wholes_has_its_promise():
    _, outcomes = many(2, 500)
    topic = [f"t{int(item[1:]) % 2}" for item in outcomes.item.tolist()]
    columns = {"item": outcomes.item, "part": outcomes.part}
    columns |= {"outcome": outcomes.outcome.tolist()}
    columns |= {"confidence": outcomes.confidence}
    table = demur.Outcomes.from_arrays(groups={"topic": topic}, **columns)
    how = {"max_error": 0.2, "of": "wholes"}
    joint = demur.choose(table, certainty=0.9, each="topic", **how)
    cutoffs = [
        demur.choose(part, certainty=0.95, **how).cutoff
        for _, part in table.parts(["topic"])
    ]
    assert joint.cutoff == max(cutoffs)
    torn = demur.Outcomes.from_arrays(
        groups={"topic": [f"t{row % 2}" for row in range(len(topic))]}, **columns
    )
    message = "topic must be the same for all parts of an item"
    refuses(message, demur.choose, torn, certainty=0.9, each="topic", **how)


# -- locks and rechecks ------------------------------------------------------------


@pytest.mark.parametrize("of", ["wholes", "answered wholes"])
@pytest.mark.parametrize("clusters", [0, 60])
def test_a_lock_of_wholes_is_tested_on_new_wholes(of, clusters, tmp_path):
    wholes, outcomes = many(5, 300, clusters=clusters)
    choice = demur.choose(outcomes, max_error=0.25, certainty=0.9, of=of)
    lock = demur.lock(outcomes, choice)
    answered, wrong = counted(wholes, choice.cutoff)
    assert (lock.wholes, lock.answered_wholes, lock.wrong) == (300, answered, wrong)
    assert lock.items == sum(len(whole.parts) for whole in wholes)
    assert lock.nonreturn == choice.nonreturn
    lock.write(tmp_path / "lock.json")
    assert demur.read_lock(tmp_path / "lock.json") == lock
    again = demur.recheck(lock, outcomes)
    assert again.verdict == "not tested"

    new, later = many(6, 200, clusters=clusters)
    check = demur.recheck(lock, rename(later))
    answered, wrong = counted(new, choice.cutoff)
    base = 200 if of == "wholes" else answered
    assert (check.items, check.answered, check.wrong) == (200, answered, wrong)
    assert check.error == pytest.approx(wrong / base)
    withheld = twin.at_cutoff(new, choice.cutoff)["withheld"]
    assert check.drift.declined_now == pytest.approx(float(withheld))
    if not clusters:
        low, high = clopper_pearson(wrong, base, 0.9)
        assert (check.lower, check.upper) == pytest.approx((low, high))


def rename(outcomes):
    """The same under other names."""
    table = outcomes.to_columns()
    table["item"] = [f"n{item}" for item in outcomes.item.tolist()]
    return demur.Outcomes.from_columns(table)


def test_locks_of_items_say_nothing_of_wholes():
    outcomes = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    lock = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1))
    plain = lock.to_dict()
    assert "wholes" not in plain
    assert demur.Lock.from_dict(plain) == lock
    for changes, message in (
        ({"of": "wholes"}, "wholes must be there with of = wholes"),
        ({"wholes": 3}, "wholes must be there with of = wholes"),
        (
            {"of": "wholes", "wholes": 1, "answered_wholes": 2},
            "answered_wholes must be at most wholes",
        ),
    ):
        with pytest.raises(demur.ParseError, match=message):
            demur.Lock.from_dict(plain | changes)


def test_parts_come_whole_by_whole_where_one_may_look_at_any_time():
    _, outcomes = many(5, 300)
    lock = demur.lock(outcomes, demur.choose(outcomes, max_error=0.25, of="wholes"))
    _, later = many(6, 200)
    later = rename(later)
    check = demur.recheck(lock, later, anytime=True)
    assert check.lower <= check.error <= check.upper
    torn = later.take(np.argsort(list(map(str, later.part)), kind="stable"))
    assert demur.recheck(lock, torn).error == check.error
    refuses("must stand together", demur.recheck, lock, torn, anytime=True)


@given(some_wholes())
def test_wholes_at_a_cutoff_are_what_the_curve_says(wholes):
    outcomes = table_of(wholes)
    for cutoff in twin.cutoffs(wholes):
        there, table = twin.at_cutoff(wholes, cutoff), wholes_at("x", outcomes, cutoff)
        curve = demur.error_return(table)
        point = curve.at(nonreturn=1) if cutoff is None else curve.at(cutoff=cutoff)
        assert point.bounds == pytest.approx(
            (float(there["low"]), float(there["high"]))
        )
        assert 1 - point.nonreturn == pytest.approx(float(there["answered"]))


def test_a_whole_is_labelled_as_a_whole():
    outcomes = demur.Outcomes.from_arrays(
        item=["a", "a", "b", "b", "c"],
        part=["x", "y", "x", "y", "x"],
        outcome=["right", "wrong", "unlabelled", "right", "unanswered"],
        confidence=[0.9, 0.8, 0.7, 0.6, None],
        label_weight=[2, 2, 0, 0, None],
        kind=[None, None, None, None, "failed"],
    )
    table = wholes_at("here", outcomes, 0.5)
    assert table.outcome.tolist() == ["wrong", "ungraded", "unanswered"]
    assert table.reason_code.tolist() == [None, "unlabelled", "failed"]
    assert table.label_weight.tolist()[:2] == [2, 0]
    assert table.failed.tolist() == [False, False, True]
    torn = demur.Outcomes.from_arrays(
        item=["a", "a"],
        part=["x", "y"],
        outcome=["right", "unlabelled"],
        confidence=[0.9, 0.8],
        label_weight=[2, 0],
    )
    refuses("label_weight must be the same", wholes_at, "here", torn, 0.5)
    message = "outcomes must have a verdict on every answer; got 1 unlabelled"
    refuses(message, demur.choose, outcomes, max_error=0.1, of="wholes")


@pytest.mark.parametrize("of", ["wholes", "answered wholes"])
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_of_wholes_of_one_part_are_those_of_items(of, weighted):
    rng = np.random.default_rng(4)
    confidence = rng.random(400).round(2)
    drawn = rng.random(400) < np.where(confidence < 0.5, 0.6, 0.3)
    outcome = np.where(rng.random(400) < 0.3 * (1 - confidence), "wrong", "right")
    columns = {
        "item": [f"n{row}" for row in range(400)],
        "outcome": np.where(drawn, outcome, "unlabelled"),
        "confidence": confidence,
        "part": ["x"] * 400,
    }
    if weighted:
        columns["label_weight"] = np.where(confidence < 0.5, 1 / 0.6, 1 / 0.3)
    parts = demur.Outcomes.from_arrays(**columns)
    del columns["part"]
    items = demur.Outcomes.from_arrays(**columns)
    _, old = many(5, 300)
    lock = demur.lock(old, demur.choose(old, max_error=0.4, of=of))
    lock = dataclasses.replace(lock, cutoff=0.3, target=0.2)
    of_items = {"wholes": "all", "answered wholes": "answered"}[of]
    plain = dataclasses.replace(lock, of=of_items)
    checks = demur.recheck(lock, parts), demur.recheck(plain, items)
    for name in ("verdict", "labelled", "error", "lower", "upper", "further_labels"):
        assert getattr(checks[0], name) == getattr(checks[1], name)
    assert checks[0].labelled < checks[0].answered


def test_parts_of_a_whole_stay_together_without_a_cluster():
    _, outcomes = many(5, 100)
    half = [None if row % 2 else "k" for row in range(100)]
    cluster = [half[int(item[1:])] for item in outcomes.item.tolist()]
    table = dataclasses.replace(outcomes, cluster=np.array(cluster, object))
    choice = demur.choose(table, max_error=0.9, of="wholes")
    lock = demur.lock(table, choice)
    wholes = {
        item
        for item, part in zip(outcomes.item.tolist(), outcomes.part, strict=True)
        if part is not None and half[int(item[1:])] is None
    }
    assert lock.clusters == len(wholes) + 1


# -- held out, and what is refused ---------------------------------------------------


def test_held_out_rates_are_of_wholes():
    _, outcomes = many(5, 300)
    new, later = many(6, 200)
    choice = demur.choose(outcomes, max_error=0.25, of="wholes")
    judged = choice.with_held_out(rename(later))
    there = twin.at_cutoff(new, choice.cutoff)
    assert judged.held_out.error == pytest.approx(float(there["high"]))
    assert judged.held_out.nonreturn == pytest.approx(float(there["withheld"]))
    assert "judged on 200 held-out wholes" in judged.notes
    names = {figure.called: figure.value for figure in judged.figures()}
    assert names["error"] == judged.held_out.error
    assert "missed" not in names
    assert judged.to_dict()["held_out"]["wholes"]["complete"] > 0


def test_words_are_of_wholes():
    _, outcomes = many(5, 300)
    text = demur.choose(outcomes, max_error=0.25, certainty=0.9, of="wholes").sentence()
    assert "at most 25 % of wholes hold a wrong part that is returned" in text
    assert "Parts of one whole may depend on each other in any way" in text
    assert "item" not in text
    none = demur.choose(outcomes, max_error=0.001, certainty=0.9, of="answered wholes")
    assert not none.found
    assert "answered wholes" in none.why


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"balance": True}, "the rule must be one of max_error, cost_ratio"),
        ({"score": "atis-1991"}, "the rule must be one of max_error, cost_ratio"),
        ({"confidence_target": 0.8}, "the rule must be one of max_error, cost_ratio"),
        ({"max_error": 0.1, "gold": "people"}, "gold must be left out"),
        ({"nonreturn": 0.1, "of": "answered wholes"}, "must come with max_error"),
        ({"max_error": 0.1, "max_nonreturn": 0.5}, "must come with max_error of all"),
        ({"max_error": 2}, "max_error must be a number from 0 to 1"),
    ],
)
def test_what_makes_no_sense_of_wholes_is_refused(how, message):
    _, outcomes = many(5, 30)
    refuses(message, demur.choose, outcomes, **{"of": "wholes", **how})


def test_without_parts_there_are_no_wholes():
    plain = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    message = "outcomes must have parts; got no column part"
    refuses(message, demur.choose, plain, max_error=0.1, of="wholes")
    two = demur.Outcomes.from_arrays(
        item=["a", "a"],
        part=["x", "x"],
        system=["s", "t"],
        correct=[1, 0],
        confidence=[2, 1],
    )
    refuses("be of one system", demur.choose, two, max_error=0.1, of="wholes")
    silent = demur.Outcomes.from_arrays(
        item=["a", "a"], part=["x", "y"], correct=[1, 0]
    )
    with pytest.raises(demur.UndefinedRate, match="gives no confidences"):
        demur.choose(silent, max_error=0.1, of="wholes")


def test_what_locks_of_wholes_refuse():
    _, outcomes = many(5, 100)
    lock = demur.lock(outcomes, demur.choose(outcomes, max_error=0.3, of="wholes"))
    plain = demur.Outcomes.from_arrays(correct=[1, 0], confidence=[2, 1])
    refuses("outcomes must have parts", demur.recheck, lock, plain)
    _, heavy = many(5, 100, weights=True)
    choice = demur.choose(heavy, max_error=0.3, of="wholes")
    refuses("outcomes must have no weights", demur.lock, heavy, choice)
    _, clustered = many(5, 100, clusters=10)
    choice = demur.choose(clustered, max_error=0.3, of="wholes")
    message = "must have at most 9 rows"
    refuses(message, demur.lock, clustered, choice, max_cluster=9)
    assert demur.lock(clustered, choice, max_cluster=10).max_cluster == 10


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinite_confidences_and_short_ones_are_cutoffs_too(dtype):
    sure = np.array([-np.inf, np.inf, 0.1, 0.7] * 50, dtype)
    outcomes = demur.Outcomes.from_arrays(
        item=np.arange(200) // 2,
        part=["x", "y"] * 100,
        correct=sure != -np.inf,
        confidence=sure,
    )
    how = {"of": "wholes", "certainty": 0.9}
    choice = demur.choose(outcomes, max_error=0.05, **how)
    assert choice.cutoff == 0.1
    assert choice.nonreturn == 0.25
    everything = demur.choose(outcomes, max_error=0.9, **how)
    assert (everything.cutoff, everything.nonreturn) == (-np.inf, 0)
    for chosen in (choice, everything):
        lock = demur.lock(outcomes, chosen)
        assert demur.Lock.from_dict(lock.to_dict()) == lock
        assert demur.recheck(lock, rename(outcomes)).error == chosen.error


def test_counts_know_no_wholes(tmp_path):
    rows = [{"item": "a", "outcome": "right", "confidence": 1}]
    write_records(tmp_path / "items.jsonl", rows)
    counts = demur.count_outcomes(tmp_path / "items.jsonl")
    message = "of must be all or answered where outcomes are counted"
    refuses(message, demur.choose, counts, max_error=0.1, of="wholes")
    _, parts = many(5, 100)
    lock = demur.lock(parts, demur.choose(parts, max_error=0.3, of="wholes"))
    message = "the lock must be of items where outcomes are counted"
    refuses(message, demur.recheck, lock, counts)
