"""Wholes of which a part is labelled: drawn whole, and weighed by their chances."""

import dataclasses
from itertools import combinations

import numpy as np
import pytest

import demur
from builders import refuses

TARGET = {"max_error": 0.2, "certainty": 0.9, "of": "wholes"}


def runs(seed, n=300):
    """Runs of up to five actions, wrong together, with the truth."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 6, n)
    run = np.repeat(np.arange(n), size)
    hard = rng.normal(size=n)[run] + rng.normal(size=len(run))
    return demur.Outcomes.from_arrays(
        item=[f"r{number}" for number in run],
        part=[str(k + 1) for rows in size for k in range(rows)],
        correct=rng.random(len(run)) > 1 / (1 + np.exp(4 - 2 * hard)),
        confidence=np.round(1 / (1 + np.exp(hard)), 2),
    )


def unlabelled(table, rows=None):
    """The same with these rows unlabelled, or all."""
    codes = table.outcome.tolist()
    for row in range(len(codes)) if rows is None else np.flatnonzero(rows):
        codes[row] = "unlabelled"
    return demur.Outcomes.from_columns({**table.to_columns(), "outcome": codes})


def filled_in(drawn, table):
    """The sheet, filled in with the truth."""
    rows = zip(table.item, table.part, table.outcome, strict=True)
    truth = {(item, part): outcome for item, part, outcome in rows}
    return [{**row, "verdict": truth[row["item"], row["part"]]} for row in drawn.sheet]


@pytest.fixture(scope="module")
def lock():
    table = runs(1)
    return demur.lock(table, demur.choose(table, **TARGET))


def test_whole_runs_are_drawn_and_only_what_is_returned_is_labelled(lock):
    table = runs(2)
    drawn = demur.sample(unlabelled(table), budget=120, purpose="recheck", lock=lock)
    returned = table.confidence >= lock.cutoff
    wanted = {
        item: table.part[returned & (table.item == item)].tolist()
        for item in {row["item"] for row in drawn.sheet}
    }
    assert drawn.items == len(wanted)
    assert drawn.labels == sum(map(len, wanted.values())) <= 120
    listed = [(row["item"], row["part"]) for row in drawn.sheet]
    runs_in_order = list(dict.fromkeys(item for item, _ in listed))
    assert listed == [(item, part) for item in runs_in_order for part in wanted[item]]
    assert runs_in_order != sorted(runs_in_order)
    assert "wholes of which the cutoff returns a part are drawn" in drawn.sentence()


def test_parts_with_the_same_response_take_a_label_each(lock):
    table = runs(2)
    alike = dataclasses.replace(
        unlabelled(table), response=np.full(len(table), "search", object)
    )
    drawn = demur.sample(alike, budget=10_000, purpose="recheck", lock=lock)
    assert drawn.labels == (table.confidence >= lock.cutoff).sum()


def test_all_labels_say_what_no_draw_says(lock):
    table = runs(3)
    drawn = demur.sample(unlabelled(table), budget=10_000, purpose="recheck", lock=lock)
    by_labels = demur.recheck(
        lock, demur.take_labels(drawn.outcomes, filled_in(drawn, table))
    )
    whole = demur.recheck(lock, table)
    assert (by_labels.error, by_labels.wrong) == (whole.error, whole.wrong)
    assert by_labels.upper == pytest.approx(whole.upper)
    wrong = demur.whole_curve(table).at(cutoff=lock.cutoff).whole_error
    assert whole.error == pytest.approx(wrong)


def test_over_all_draws_the_estimate_is_the_truth():
    table, cutoff = runs(5, 13), 0.1
    wholes = demur.whole_outcomes(table, cutoff=cutoff)
    truth = demur.whole_curve(table).at(cutoff=cutoff).whole_error
    answered = wholes.item[wholes.confidence >= cutoff].tolist()
    assert 0 < truth < 1
    estimates = []
    for chosen in combinations(answered, len(answered) - 2):
        part = unlabelled(table, ~np.isin(table.item.astype(str), chosen))
        at_cutoff = demur.whole_outcomes(part, cutoff=cutoff)
        assert (at_cutoff.reason_code == "unlabelled").sum() == 2
        error = demur.corrected_error(at_cutoff, cutoff=cutoff).corrected.value
        estimates.append(error)
    assert len(estimates) > 50
    assert np.mean(estimates) == pytest.approx(truth)


def test_one_wrong_part_says_all_of_a_whole_and_a_right_one_does_not():
    columns = {"item": ["a"] * 3, "part": ["x", "y", "z"]}
    sure = {"confidence": [0.9, 0.8, 0.2]}

    def whole(*outcome, cutoff):
        table = demur.Outcomes.from_arrays(**columns, **sure, outcome=[*outcome])
        return demur.whole_outcomes(table, cutoff=cutoff)

    known = whole("unlabelled", "wrong", "unlabelled", cutoff=0.5)
    assert known.outcome.tolist() == ["wrong"]
    open_ = whole("right", "unlabelled", "wrong", cutoff=0.5)
    assert open_.reason_code.tolist() == ["unlabelled"]
    withheld = whole("right", "right", "unlabelled", cutoff=0.5)
    assert withheld.outcome.tolist() == ["right"]
    table = demur.Outcomes.from_arrays(**columns, **sure, outcome=["unlabelled"] * 3)
    refuses("have a verdict on every answer", demur.whole_outcomes, table)
    assert "3 parts are unlabelled" in " ".join(demur.whole_curve(table).notes)


def test_returned_parts_of_a_whole_share_their_label_weight():
    table = demur.Outcomes.from_arrays(
        item=["a", "a", "b"], part=["x", "y", "x"], outcome=["right", "wrong", "right"],
        confidence=[0.9, 0.8, 0.7], label_weight=[2, 3, 2])  # fmt: skip
    message = "label_weight must be the same for all parts of an item that are returned"
    refuses(message, demur.whole_outcomes, table, cutoff=0.5)
    weight = demur.whole_outcomes(table, cutoff=0.85).label_weight
    assert weight.tolist() == [2, 0]  # of b nothing is returned


def test_batches_of_labels_add_up(lock):
    table = runs(6)
    drawn = demur.sample(unlabelled(table), budget=100, purpose="recheck", lock=lock)
    rows = filled_in(drawn, table)
    once = demur.take_labels(drawn.outcomes, rows)
    half = demur.take_labels(drawn.outcomes, rows[:50])
    twice = demur.take_labels(half, rows[50:])
    first, second = (demur.recheck(lock, one) for one in (once, twice))
    assert (first.error, first.labelled) == (second.error, second.labelled)
    assert first.labelled == drawn.items


def test_a_whole_may_be_left_at_its_first_wrong_part(lock):
    table = runs(8, 400)
    drawn = demur.sample(unlabelled(table), budget=300, purpose="recheck", lock=lock)
    rows, wrong = [], set()
    for row in filled_in(drawn, table):
        rows.append({**row, "verdict": "" if row["item"] in wrong else row["verdict"]})
        wrong |= {row["item"]} if row["verdict"] == "wrong" else set()
    assert any(not row["verdict"] for row in rows)
    stopped = demur.take_labels(drawn.outcomes, rows)
    assert not any("have none" in note for note in stopped.notes)
    whole = demur.take_labels(drawn.outcomes, filled_in(drawn, table))
    first, second = (demur.recheck(lock, one) for one in (stopped, whole))
    assert (first.error, first.labelled) == (second.error, second.labelled)
    rows[0]["verdict"] = ""
    left = [row for row in rows if row["verdict"]]
    assert any(
        "have none" in note for note in demur.take_labels(drawn.outcomes, left).notes
    )


def test_a_pilot_of_runs_says_what_to_expect(lock):
    drawn = demur.sample(
        unlabelled(runs(2)), budget=100, purpose="recheck", lock=lock, pilot=runs(7)
    )
    assert "verdicts of the pilot" in drawn.assumed
