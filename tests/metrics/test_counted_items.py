"""Errors of items: rates, outcomes, and the columns that stand beside both sides."""

import numpy as np
import pytest

import demur
from builders import carries, refuses, undefined
from demur.metrics.counted_items import CountedItems
from demur.statistics.ratios import ratio_interval


def items(**more):
    given = {
        "errors": np.array([0, 1, 3, 2, 5, 0, 4]),
        "units": np.array([0, 2, 3, 2, 4, 1, 4]),
        "answered": np.array([True] * 6 + [False]),
        "cluster": None,
        "item": np.array([*"abcdefg"]),
        "confidence": None,
    }
    return CountedItems(**{**given, **more})


def test_rates_are_errors_over_units_of_all_or_of_what_is_answered():
    cluster = np.array([0, 0, 1, 1, 2, 3, 4])  # the last one is wholly declined
    counted = items(cluster=cluster)
    for rate, rows, errors, units in (
        (counted.rate(0.9), slice(None), 15, 16),
        (counted.rate(0.9, answered_only=True), slice(6), 11, 12),
    ):
        assert (rate.errors, rate.units, rate.value) == (errors, units, errors / units)
        sums = counted.errors[rows], counted.units[rows]
        ends = ratio_interval(*sums, cluster[rows], 0.9, share=False)
        assert rate.interval == pytest.approx(ends)
    none = items(units=np.zeros(7, int)).rate(0.9)
    assert (none.value, none.errors, none.units) == (None, 15, 0)
    assert (counted.empty, counted.clipped) == (1, 1)
    more = items(errors=np.array([3, 2, 4, 2, 5, 0, 4]))
    assert (more.empty, more.clipped) == (1, 2)


def test_credit_is_what_is_left_of_the_units():
    sure = np.arange(7) / 10
    table = items(cluster=np.arange(7), confidence=sure).outcomes({"by": "words"})
    assert table.item.tolist() == [*"bcdefg"]
    columns = table.to_columns()
    wrong = ["wrong"] * 3
    assert columns["outcome"] == ["right", *wrong, "right", "unanswered"]
    assert columns["credit"] == [0.5, 0.0, 0.0, 0.0, 1.0, 0.0]
    assert columns["confidence"] == [0.1, 0.2, 0.3, 0.4, 0.5, None]
    assert columns["weight"] == [2.0, 3.0, 2.0, 4.0, 1.0, 4.0]
    assert columns["cluster"] == [*"123456"]
    assert table.recipe == {"by": "words"}
    assert table.notes == (
        "1 item with an empty reference left out",
        "1 item has more errors than units; as an outcome the credit is 0",
    )
    whole = items(errors=np.zeros(7, int), units=np.ones(7, int)).outcomes({})
    assert whole.notes == ()
    assert whole.confidence is whole.cluster is None
    undefined("every reference is empty", items(units=np.zeros(7, int)).outcomes, {})


SIDES = {"ref": ["a", "b", "a"], "hyp": ["a", "a", None]}


@pytest.mark.parametrize(
    ("more", "answered"),
    [
        ({}, [1, 1, 0]),
        ({"declined": ["no", None, "no"]}, [1, 1, 0]),
        ({"declined": ["Yes ", "0.0", "1"]}, [0, 1, 0]),
    ],
)
def test_what_is_declined_has_no_answer(more, answered):
    found = demur.label_scores({**SIDES, **more})
    assert found.counted.answered.tolist() == answered


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"declined": ["no", "maybe", "no"]}, "row 2: declined must be true or false"),
        ({"confidence": [0.5, None, None]}, "row 2: confidence must be a number"),
        ({"confidence": [0.5, "high", None]}, "row 2: confidence must be a number"),
        ({"confidence": [0.5, 10**400, None]}, "row 2: confidence must be a number"),
        ({"system": ["x", "x", "y"]}, "row 3: the table must be of one system"),
        ({"item": ["q", "r", "q"]}, "row 3: item q must be there once"),
    ],
)
def test_columns_beside_both_sides_that_are_wrong(more, words):
    refuses(words, demur.label_scores, {**SIDES, **more})


def test_columns_beside_both_sides_reach_the_outcomes():
    more = {
        "item": [1, 2.0, "c"],
        "confidence": ["0.5", 1, "none"],
        "cluster": [*"xyx"],
    }
    columns = demur.label_scores({**SIDES, **more}, system="s").outcomes().to_columns()
    assert columns["item"] == ["1", "2", "c"]
    assert columns["confidence"] == [0.5, 1.0, None]
    assert columns["system"] == ["s"] * 3
    assert columns["cluster"] == [*"xyx"]


def test_clusters_keep_their_names_in_outcomes():
    dialogue = ["d7", "d2", 3.0]
    states = {"ref": [{"a": "u"}] * 3, "hyp": [{"a": "v"}] * 3, "dialogue": dialogue}
    steps = {name: [{"agent": "x", "step": 1}] * 3 for name in ("ref", "hyp")} | {
        "cluster": dialogue
    }
    sides = {**SIDES, "cluster": dialogue}
    empty_first = {**sides, "ref": ["", "b", "a"], "hyp": ["a", "b", "a"]}
    for found, names in (
        (demur.label_scores(sides), ["d7", "d2", "3"]),
        (demur.word_errors(sides), ["d7", "d2", "3"]),
        (demur.word_errors(empty_first), ["d2", "3"]),
        (demur.slot_scores(states), ["d7", "d2", "3"]),
        (demur.decisive_steps(steps), ["d7", "d2", "3"]),
    ):
        assert found.outcomes().to_columns()["cluster"] == names


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"table": SIDES, "references": ["a"]}, "be given alone"),
        ({"table": SIDES, "hypotheses": ["a"]}, "be given alone"),
        ({"references": ["a", "b"], "hypotheses": ["a"]}, "as many as references, 2"),
        ({"references": [], "hypotheses": []}, "at least one"),
    ],
)
def test_sides_are_a_table_or_two_lists(given, words):
    refuses(words, demur.label_scores, **given)


def test_what_results_carry_is_not_part_of_them():
    states = {"ref": [{"a": "u"}], "hyp": [{"a": "v"}], "dialogue": ["d"]}
    table = {"x": [1, 2, 4, 3], "y": [2, 4, 8, 6]}
    words = demur.word_errors(hypotheses=["a b"], references=["a c"])
    carries(words, "texts", "counted")
    carries(demur.label_scores(SIDES), "counted")
    carries(demur.dialogue_costs([{"dialogue": "d"}]), "by_dialogue")
    carries(demur.slot_scores(states), "by_dialogue", "counted")
    carries(demur.paradise(table, "y", ["x"]), "performance")


def test_a_table_may_stand_in_the_place_of_references():
    assert demur.label_scores(references=SIDES).accuracy == 1 / 3


def test_legends_say_what_intervals_and_values_are_of():
    words = demur.word_errors(hypotheses=["a b", "c"], references=["a", "c"])
    assert "over clusters or items" in " ".join(str(words).split())
    slots = demur.slot_scores(hypotheses=[{"a": "1"}], references=[{"a": "1"}])
    assert "value: what is counted / what it is a share of" in str(slots)
    one = [[(0, 1)]]
    found = demur.coreference_scores(hypotheses=[one], references=[one])
    assert "of blanc the mean of two F" in " ".join(str(found).split())
