"""Words about answers made of parts, as somebody reads them for the first time."""

import numpy as np
import pytest

import demur


def table(n_wholes=300, seed=0, wrong=0.05):
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(n_wholes), 3)
    return demur.Outcomes.from_arrays(
        item=[f"r{number}" for number in item],
        part=["find", "book", "pay"] * n_wholes,
        correct=rng.random(len(item)) >= wrong,
        confidence=rng.random(len(item)).round(3),
        groups={"tool": ["a", "b", "c"] * n_wholes},
    )


def test_where_nothing_can_be_promised_no_part_is_returned():
    choice = demur.choose(table(), max_error=1e-4, certainty=0.95, of="wholes")
    assert choice.cutoff is None
    assert choice.sentence().startswith("Return no part.")
    assert choice.choice == "return no part"


def test_a_cost_of_wholes_is_made_of_columns_that_are_shown():
    said = str(demur.choose(table(), cost_ratio=0.2, of="wholes"))
    assert "r x nonreturn" not in said
    assert "cost: whole error + r x withheld" in " ".join(said.split())


def test_held_out_wholes_are_no_items():
    choice = demur.choose(table(), max_error=0.1, of="wholes")
    judged = choice.with_held_out(table(seed=1))
    said = " ".join(str(judged).split())
    assert "On held-out wholes" in said
    assert "held-out items" not in said


def test_a_target_of_wholes_begins_a_sentence():
    outcomes = table()
    kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.1, of="wholes"))
    said = str(demur.recheck(kept, table(seed=1)))
    assert said.startswith("The target 0.1 ")
    assert "declined on the new items" not in " ".join(said.split())


def test_who_wants_a_promise_for_each_kind_of_part_is_sent_to_kinds():
    with pytest.raises(demur.InputError, match="--kinds tool"):
        demur.choose(table(), max_error=0.1, certainty=0.9, of="wholes", each="tool")


def test_a_curve_of_parts_does_not_speak_of_inputs():
    said = " ".join(str(demur.error_return(table())).split())
    assert "% of the parts, the system errs on" in said
    assert "of all parts" in said
    assert "inputs" not in said


def test_a_choice_among_parts_says_how_wholes_are_promised():
    notes = " ".join(demur.choose(table(), max_error=0.05, certainty=0.9).notes)
    assert "--of wholes" in notes
