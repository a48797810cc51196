"""Draws for each purpose: what is drawn, what it will show, what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, drawn, refuses
from demur.outcomes.labelling import unlabelled
from demur.outcomes.parts import stacked
from demur.sampling.aims import mistakes_of_judge


def live(n=400, seed=2, system="a"):
    """Answers whose errors fall as confidences rise."""
    return drawn(seed, n, lambda sure: 1 - 0.4 * (1 - sure) ** 2, 3, system=system)


OLD = live(seed=1)
LOCK = demur.lock(OLD, demur.choose(OLD, max_error=0.05))
RESPONSES = ["x", "y", "z"]


def pair(n=60, seed=5):
    """Two systems that return one of three responses, or nothing."""
    rng = np.random.default_rng(seed)
    tables = []
    for system in ("a", "b"):
        said, sure = rng.integers(0, 4, n).tolist(), rng.random(n).round(2).tolist()
        tables.append(
            by_outcome(
                ["unanswered" if k == 3 else "right" for k in said],
                [None if k == 3 else c for k, c in zip(said, sure, strict=True)],
                item=[f"q{k}" for k in range(n)],
                system=system,
                response=[None if k == 3 else RESPONSES[k] for k in said],
                input=[f"What, {k}?" for k in range(n)],
            )
        )
    return stacked(tables)


PURPOSES = {
    "recheck": lambda outcomes, **how: demur.sample(
        outcomes, purpose="recheck", lock=LOCK, **how
    ),
    "pilot": lambda outcomes, **how: demur.sample(
        outcomes, purpose="recheck", lock=LOCK, pilot=OLD, **how
    ),
    "cutoff": lambda outcomes, **how: demur.sample(outcomes, purpose="cutoff", **how),
    "judge": lambda outcomes, **how: demur.sample(outcomes, purpose="judge", **how),
}


def weights(found):
    held = found.outcomes.label_weight
    return dict(zip(found.outcomes.item.tolist(), held.tolist(), strict=True))


def uniform(found):
    return found.half_width == found.uniform_half_width


def drawn_items(found):
    return {item for item, weight in weights(found).items() if weight > 0}


@pytest.mark.parametrize("purpose", PURPOSES)
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_row_order_never_matters_and_budgets_contain_each_other(purpose, seed, budget):
    outcomes = live(60)
    order = np.random.default_rng(seed).permutation(60)
    make = PURPOSES[purpose]
    found = make(outcomes, budget=budget, seed=seed)
    again = make(outcomes.take(order), budget=budget, seed=seed)
    assert weights(found) == pytest.approx(weights(again), nan_ok=True)
    assert [*map(dict, found.sheet)] == [*map(dict, again.sheet)]
    assert found.to_dict() == again.to_dict()
    more = make(outcomes, budget=budget + 5, seed=seed)
    if uniform(found) == uniform(more):
        assert drawn_items(found) <= drawn_items(more)
    assert len(drawn_items(found)) == found.items == min(budget, found.needed)


def test_all_are_drawn_with_weight_one_where_the_budget_suffices():
    found = demur.sample(live(), budget=400, purpose="cutoff")
    assert set(weights(found).values()) == {1.0}
    assert found.half_width == found.uniform_half_width
    assert found.sentence().startswith("All 400 answers that need a label are drawn")


def test_another_seed_draws_others():
    first, second = (
        demur.sample(live(), budget=40, purpose="cutoff", seed=seed) for seed in (0, 1)
    )
    assert drawn_items(first) != drawn_items(second)
    assert first.signature != second.signature


def test_recheck_draws_only_what_the_cutoff_answers():
    outcomes = live(2000)
    found = demur.sample(outcomes, budget=200, purpose="recheck", lock=LOCK)
    answered = set(outcomes.item[outcomes.confidence >= LOCK.cutoff].tolist())
    assert drawn_items(found) <= answered
    assert found.needed == len(answered)
    assert found.level == LOCK.certainty
    weight = found.outcomes.label_weight
    assert len(set(weight[weight > 0])) == 1
    assert 0.01 < found.uniform_half_width == found.half_width < 0.05
    words = f"200 of the {found.needed:,} answers at the cutoff are drawn, for 200"
    assert found.sentence().startswith(words)
    assert "the upper bound of the error of" in found.sentence()
    assert "would do as well" not in found.sentence()
    assert any("exact bound of equal labels" in note for note in found.notes)


def test_of_clusters_the_expected_width_is_said_to_be_too_small():
    table = live(2000).to_columns() | {"cluster": [f"c{k // 4}" for k in range(2000)]}
    outcomes = demur.Outcomes.from_columns(table)
    found = demur.sample(outcomes, budget=200, purpose="recheck", lock=LOCK)
    assert any("answers of one cluster are alike" in note for note in found.notes)
    assert not any("exact bound" in note for note in found.notes)


def test_labels_are_drawn_uniformly_where_that_shows_as_much():
    same = by_outcome(["ungraded"] * 90, [0.5] * 90)
    found = demur.sample(same, budget=9, purpose="cutoff")
    assert len(set(found.outcomes.label_weight[:9])) == 1
    assert any("labels are drawn uniformly" in note for note in found.notes)
    assert found.sentence().endswith("(95 %).")


def test_verdicts_are_taken_out_and_drawn_answers_wait_for_a_label():
    found = demur.sample(live(), budget=30, purpose="cutoff")
    assert unlabelled(found.outcomes).all()
    assert found.outcomes.counts()["ungraded"] == 400
    assert found.outcomes.column("label_key")[found.outcomes.label_weight > 0].all()


def test_what_is_known_without_a_label_takes_none():
    outcomes = by_outcome(
        ["wrong", "ungraded", "wrong", "unanswered"],
        [0.9, 0.8, 0.7, None],
        item=["u", "q", "e", "n"],
        answerable=[False, True, True, True],
        reason_code=[None, None, "error", None],
    )
    found = demur.sample(outcomes, budget=9, purpose="cutoff")
    assert (found.needed, found.items) == (1, 1)
    names = found.outcomes.column("outcome").tolist()
    assert names == ["ungraded", "wrong", "wrong", "unanswered"]
    assert weights(found) == pytest.approx(
        {"u": 1.0, "q": 1.0, "e": 1.0, "n": np.nan}, nan_ok=True
    )


def test_compare_draws_more_where_systems_differ_and_shows_each_response_once():
    outcomes = pair(600)
    found = demur.sample(outcomes, budget=150, purpose="compare", seed=3)
    parts = {part.part: part for part in found.parts}
    assert parts["differ"].label_weight < parts["same"].label_weight
    assert parts["same"].labels == parts["same"].drawn
    assert found.labels == len(found.sheet) in (149, 150)
    shown = [(row["input"], row["response"]) for row in found.sheet]
    assert len(set(shown)) == len(shown)
    neither = 600 - found.needed
    silent = outcomes.outcome == "unanswered"
    assert neither == (silent[:600] & silent[600:]).sum() > 0
    keys = found.outcomes.column("label_key")
    for k in range(600):
        if keys[k] and keys[k] == keys[600 + k]:
            assert outcomes.response[k] == outcomes.response[600 + k]


def test_compare_at_a_rate_asks_for_no_label_of_what_is_withheld():
    outcomes = pair(600)
    found = demur.sample(outcomes, budget=10**6, purpose="compare", at=0.7)
    for name in "ab":
        part = found.outcomes.select(system=name)
        waits = np.array([key is not None for key in part.column("label_key")])
        sure = part.confidence
        assert waits.mean() == pytest.approx(0.3, abs=0.01)
        assert np.nanmin(sure[waits]) >= np.nanmax(sure[~waits])
    assert "at:0.7" in found.signature


def test_a_judge_gets_half_of_the_labels_on_its_scarcer_verdict():
    found = demur.sample(live(3000), budget=600, purpose="judge")
    parts = {part.part: part.labels for part in found.parts}
    assert sum(parts.values()) == 600
    assert 230 < parts["wrong"] < 370
    assert found.outcomes.counts()["wrong"] > 0  # the judge's verdicts stay
    assert not any(found.outcomes.column("people"))


def test_a_judge_that_is_unsure_is_looked_at_more():
    outcomes = live(3000)
    column = [str(k % 100) for k in range(3000)]
    outcomes = demur.Outcomes.from_arrays(
        item=outcomes.item,
        outcome=outcomes.column("outcome"),
        groups={"sure": column},
    )
    found = demur.sample(outcomes, budget=300, purpose="judge", unsure="sure")
    sure = [int(row["sure"]) for row in rows_of(found.outcomes) if row["label_key"]]
    assert np.mean(sure) < 46


def rows_of(outcomes):
    columns = outcomes.to_columns()
    return [
        dict(zip(columns, row, strict=True))
        for row in zip(*columns.values(), strict=True)
    ]


def test_a_pilot_says_how_often_people_disagree_with_a_judge():
    pilot = demur.Outcomes.from_arrays(
        correct=[1] * 20 + [0] * 10,
        groups={"people": ["right"] * 20 + ["right"] * 5 + ["no"] * 5},
    )
    found = demur.sample(live(), budget=50, purpose="judge", pilot=pilot)
    assert "30 labels of the pilot" in found.assumed
    harsh = demur.sample(live(), budget=50, purpose="judge")
    assert found.half_width != harsh.half_width


def test_the_assumed_judge_disagrees_as_its_rates_say():
    rates = mistakes_of_judge(17, 83)
    truly = 0.1
    assert rates["wrong"] == pytest.approx(0.9 * 0.1 / 0.17)
    assert rates["right"] == pytest.approx(truly * 0.2 / 0.83)


def test_a_cutoff_is_looked_for_where_the_pilot_has_it():
    outcomes = live(2000)
    by_pilot = demur.sample(
        outcomes, budget=200, purpose="cutoff", pilot=OLD, max_error=0.01
    )
    near = demur.choose(OLD, max_error=0.01).nonreturn
    assert f"nonreturn {near:.1f}" in by_pilot.assumed[:45]
    stated = demur.sample(outcomes, budget=200, purpose="cutoff", near=0.1)
    lowest = [found.parts[0].drawn for found in (by_pilot, stated)]
    assert lowest[0] < lowest[1]


REFUSED = [
    ({"purpose": "sale"}, "purpose must be one of recheck"),
    ({"purpose": "recheck"}, "lock must be given"),
    ({"purpose": "judge", "lock": LOCK}, "lock must be left out for judge"),
    ({"purpose": "cutoff", "at": 0.2}, "It is for compare."),
    ({"purpose": "cutoff", "max_error": 0.1}, "max_error must come with a pilot"),
    (
        {"purpose": "cutoff", "near": 0.1, "max_error": 0.1, "pilot": OLD},
        "be one of max_error, near",
    ),
    ({"purpose": "cutoff", "near": 1.5}, "near must be a number from 0 to 1"),
    ({"purpose": "cutoff", "budget": 0}, "budget must"),
    ({"purpose": "cutoff", "pilot": 3}, "pilot must be"),
    ({"purpose": "compare"}, "be of two systems; got a"),
    ({"purpose": "judge", "unsure": "b"}, "a column"),
    ({"purpose": "judge", "gold": ""}, "gold must"),
]


@pytest.mark.parametrize(("how", "words"), REFUSED)
def test_what_a_purpose_lacks_or_does_not_use_is_refused(how, words):
    refuses(words, demur.sample, live(20), **{"budget": 5, **how})


def test_nothing_to_label_is_said():
    silent = by_outcome(["unanswered"] * 3, [None] * 3)
    refuses("hold what to label", demur.sample, silent, budget=3, purpose="cutoff")
    bare = by_outcome(["ungraded"] * 3)
    refuses("hold a judge's verdicts", demur.sample, bare, budget=3, purpose="judge")


def test_responses_are_drawn_from_as_they_are():
    responses = [
        demur.Response(item="q1", response="x", confidence=0.4, extra={"input": "A?"}),
        demur.Response(item="q2", confidence=0.1),
        demur.Response(item="q3", response="y", confidence=0.2, declined=True),
        demur.Response(item="q4", failed="timeout"),
        demur.Response(item="q5", error="syntax"),
    ]
    found = demur.sample(responses, budget=9, purpose="cutoff")
    assert found.needed == 2
    assert found.outcomes.counts() == {
        "right": 0,
        "wrong": 1,
        "unanswered": 2,
        "ungraded": 2,
    }
    assert sorted(row["input"] or "" for row in found.sheet) == ["", "A?"]


def test_what_no_estimate_by_labels_takes_is_refused_before_labels_are_bought():
    weighed = replace(live(), weight=np.arange(1.0, len(live()) + 1))
    refuses(
        "must have equal weights", demur.sample, weighed, budget=9, purpose="cutoff"
    )
    judged = replace(live(), outcome=np.zeros(len(live()), np.uint8))
    for gold in ("label_key", "outcome", "confidence"):
        refuses(
            "gold must be a column of its own",
            demur.sample,
            judged,
            budget=9,
            purpose="judge",
            gold=gold,
        )
