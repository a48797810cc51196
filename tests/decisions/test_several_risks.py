"""Several promises at once, costs in both words, and what is said of a choice."""

from fractions import Fraction

import numpy as np
import pytest

import demur
from builders import drawn, graded, refuses
from demur import choose
from demur.arrays import Sample
from demur.decisions.exact_certificates import binomial_bound
from demur.decisions.several_risks import certified_together


def table(seed: int, n: int = 600, **columns: object) -> demur.Outcomes:
    return drawn(seed, n, lambda sure: 0.6 + 0.4 * sure, 3, **columns)


def test_one_risk_is_the_certificate_itself() -> None:
    outcomes = table(1)
    together = choose(outcomes, max_error=0.1, certainty=0.95, max_nonreturn=0.9)
    alone = choose(outcomes, max_error=0.1, certainty=0.975)
    assert together.cutoff == alone.cutoff
    assert together.bound == pytest.approx(alone.bound)
    declined = 600 * together.nonreturn
    assert together.risks[1].bound == pytest.approx(
        binomial_bound(round(declined), 600, 0.975)
    )
    assert "certainty 0.95 of 2 risks, Bonferroni" in together.rule
    words = (
        "all of these hold together: error of all at most 0.1; nonreturn at most 0.9."
    )
    assert words in together.sentence()


def test_a_nonreturn_that_cannot_be_kept_is_said() -> None:
    found = choose(table(1), max_error=0.05, certainty=0.95, max_nonreturn=0.2)
    assert not found.found
    assert found.cutoff is None
    assert "may be declined, more than 0.2" in found.why
    assert found.risks[1].target == 0.2


def test_each_group_is_promised_its_error() -> None:
    topic = np.array(["easy", "hard"])[np.arange(600) % 2]
    outcomes = table(2, groups={"topic": topic})
    found = choose(outcomes, max_error=0.15, certainty=0.9, each="topic")
    whole = choose(outcomes, max_error=0.15, certainty=0.9)
    assert found.nonreturn >= whole.nonreturn
    assert {risk.what for risk in found.risks} == {
        "error of all, topic = easy",
        "error of all, topic = hard",
    }
    for risk, name in zip(found.risks, ("easy", "hard"), strict=True):
        part = outcomes.take(topic == name)
        bound = demur.certified_error(part, cutoff=found.cutoff, certainty=0.95)
        assert risk.bound == pytest.approx(bound)
        assert bound <= 0.15


def test_promises_are_kept_together() -> None:
    rng = np.random.default_rng(5)
    broken = found = 0
    for _ in range(150):
        confidence = rng.random(400)
        group = rng.random(400) < 0.5
        chance = np.where(group, 0.35, 0.25) * (1 - confidence)
        loss = 1.0 * (rng.random(400) < chance)
        whole = Sample(np.ones(400, bool), confidence, loss)
        parts = {name: whole.take(np.flatnonzero(group == side)) for name, side in
                 (("a", True), ("b", False))}  # fmt: skip
        joint = certified_together(
            parts, whole, target=Fraction("0.1"), certainty=0.8,
            max_nonreturn=Fraction("0.6"),
        )  # fmt: skip
        if joint.why or joint.cutoff is None:
            continue
        found += 1
        true = [share * (1 - joint.cutoff) ** 2 / 2 for share in (0.35, 0.25)]
        broken += max(true) > 0.1 or joint.cutoff > 0.6
    assert found > 60
    assert broken <= 0.2 * 150


def test_several_promises_need_a_certified_error_of_all() -> None:
    outcomes = table(1)
    for wrong in (
        {"max_error": 0.1},
        {"max_error": 0.1, "certainty": 0.9, "of": "answered"},
        {"nonreturn": 0.1},
    ):
        with pytest.raises(demur.InputError, match="max_nonreturn and each must come"):
            choose(outcomes, max_nonreturn=0.5, **wrong)


def test_clusters_and_weights_keep_several_promises_too() -> None:
    for columns in (
        {"cluster": [f"c{row // 3}" for row in range(600)]},
        {"weight": 1 + np.arange(600) % 3},
    ):
        found = choose(
            table(3, **columns), max_error=0.15, certainty=0.9, max_nonreturn=0.9
        )
        assert found.found
        assert all(risk.bound <= risk.target for risk in found.risks)


# -- costs, and what is said -----------------------------------------------------------


def test_wrong_costs_is_one_over_the_ratio() -> None:
    outcomes = table(4)
    said, ratio = choose(outcomes, wrong_costs=4), choose(outcomes, cost_ratio=0.25)
    assert (said.cutoff, said.error) == (ratio.cutoff, ratio.error)
    assert said.rule == "wrong_costs=4"
    for never in (choose(outcomes, wrong_costs=0.5), choose(outcomes, cost_ratio=3)):
        assert never.nonreturn == 0
        assert "declining never pays" in never.notes[-1]
        assert "--wrong-costs 3" in never.notes[-1]
    for bad in (0, -1, "x", True):
        refuses("wrong_costs must be a number above", choose, outcomes, wrong_costs=bad)


def test_a_certified_choice_says_what_is_promised() -> None:
    outcomes = table(4)
    certified = choose(outcomes, max_error=0.1, certainty=0.95)
    text = " ".join(str(certified).split())
    assert text.startswith(f"Answer at a confidence of {certified.cutoff} or more: ")
    assert "the true error over all items is at most 0.1." in text
    assert "Nothing is promised of the error among the answers given." in text
    assert "too good" not in text
    assert "nonreturn error of answered missed bound" in text
    observed = " ".join(str(choose(outcomes, max_error=0.1)).split())
    assert "on this data; nothing is promised of other data." in observed
    assert "too good" in observed
    assert "Nothing is promised: it takes at least 2995 answered" in str(
        choose(outcomes, max_error=0.001, of="answered", certainty=0.95)
    )


def test_own_decisions_are_on_offer_beside_cutoffs() -> None:
    # Confidence says nothing, but what the system declines is mostly wrong.
    correct = [True] * 60 + [False] * 40
    outcomes = graded(
        correct, [row % 10 for row in range(100)], declined=[False] * 62 + [True] * 38
    )
    prices = demur.price_list([demur.error_return(outcomes)])
    own = [price for price in prices if price.choice == "own decisions"]
    assert [(price.nonreturn, price.error) for price in own] == [(0.38, 0.02)]
    assert own[0].cutoff is None


def test_cutoffs_of_float32_mean_the_same_in_float64() -> None:
    rng = np.random.default_rng(0)
    narrow = rng.random(300).astype(np.float32).round(2)
    correct = rng.random(300) < narrow
    tables = [
        graded(correct, narrow.astype(dtype)) for dtype in (np.float32, np.float64)
    ]
    curves = [demur.error_return(each) for each in tables]
    for target in (0.02, 0.05, 0.1, 0.2):
        cutoff = choose(tables[0], max_error=target).cutoff
        points = [curve.at(cutoff=cutoff) for curve in curves]
        assert points[0].nonreturn == points[1].nonreturn
        # The same as text that both types read.
        again = float(str(cutoff))
        assert curves[1].at(cutoff=again).nonreturn == points[0].nonreturn
