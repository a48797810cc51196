"""Which agent and step made a run fail: worked cases, and the published program."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, refuses, stderr_of, write_records

FOUR = ("ref_agent", "ref_step", "hyp_agent", "hyp_step")
ROWS = [
    ("Web", 12, "Web", 11),
    ("Web", 1, "Coder", 12),
    ("Coder", 3, "coder", 3),
    ("Coder", 3, None, None),
    ("Coder", 4, "Coder", None),
    ("Coder", 4, "Coder", 4),
]


def records(rows=ROWS, **more):
    return [{**dict(zip(FOUR, row, strict=True)), **more} for row in rows]


def test_a_case_by_hand():
    found = demur.decisive_steps(records())
    assert (found.items, found.declined) == (6, 1)
    rates = [found.agent, found.step, found.within, found.both]
    assert [rate.right for rate in rates] == [3, 2, 3, 1]
    assert [rate.value for rate in rates] == [3 / 6, 2 / 6, 3 / 6, 1 / 6]
    assert [rate.answered for rate in rates] == [3 / 5, 2 / 4, 3 / 4, 1 / 4]
    assert (found.agent_contained, found.step_contained) == (2 / 6, 3 / 6)
    assert [row[1] for row in found.tables()[1].rows] == [2, 3, 3, 3, 3, 3]
    assert found.notes[0].startswith("1 answer without step")


def test_items_are_outcomes_by_their_steps():
    columns = demur.decisive_steps(records()).outcomes().to_columns()
    words = ["wrong", "wrong", "right", "unanswered", "unanswered", "right"]
    assert list(columns["outcome"]) == words


NAMES = st.sampled_from(["A", "AB", "B C", "C"])
STEPS = st.integers(0, 23)
FAILURES = st.lists(
    st.tuples(NAMES, STEPS, st.none() | NAMES, st.none() | STEPS),
    min_size=1,
    max_size=12,
)


@given(FAILURES, st.integers(0, 6))
def test_accuracies_are_as_by_a_plain_count(rows, tolerance):
    found = demur.decisive_steps(records(rows), tolerance=tolerance)
    agent = sum(row[0] == row[2] for row in rows)
    step = sum(row[1] == row[3] for row in rows)
    near = sum(row[3] is not None and abs(row[1] - row[3]) <= tolerance for row in rows)
    both = sum(row[:2] == row[2:] for row in rows)
    rates = [found.agent, found.step, found.within, found.both]
    assert [rate.right for rate in rates] == [agent, step, near, both]
    assert [rate.value for rate in rates] == [
        x / len(rows) for x in (agent, step, near, both)
    ]
    assert found.declined == sum(row[2:] == (None, None) for row in rows)
    # The published program: texts in texts, of answers that have both parts, of all.
    full = [row for row in rows if None not in row]
    assert found.agent_contained == sum(row[0] in row[2] for row in full) / len(rows)
    digits = sum(str(row[1]) in str(row[3]) for row in full)
    assert found.step_contained == digits / len(rows)
    assert found.step_contained * len(rows) >= sum(row[1] == row[3] for row in full)


@given(FAILURES)
def test_objects_and_columns_are_read_alike(rows):
    sides = {
        "ref": [{"agent": row[0], "step": row[1]} for row in rows],
        "hyp": [{"agent": row[2], "step": row[3]} for row in rows],
    }
    written = {side: [json.dumps(each) for each in sides[side]] for side in sides}
    plain = demur.decisive_steps(records(rows)).to_dict()
    assert demur.decisive_steps(sides).to_dict() == plain
    assert demur.decisive_steps(written).to_dict() == plain
    given_ = {"hypotheses": sides["hyp"], "references": sides["ref"]}
    assert demur.decisive_steps(**given_).to_dict() == plain


def test_steps_are_whole_numbers_however_they_are_written():
    rows = [("A", "3", "A", 3.0), ("A", 4, "A", "4"), ("A", 5.0, "A", math.nan)]
    found = demur.decisive_steps(records(rows))
    assert (found.step.right, found.step.answered) == (2, 1)


def test_what_the_system_declined_itself_is_not_named():
    found = demur.decisive_steps(records([("A", 1, "A", 1)] * 2, declined=True))
    assert (found.declined, found.step.value, found.step.answered) == (2, 0, None)


@pytest.mark.parametrize(("shift", "words"), [(1, "after"), (-1, "before")])
def test_steps_that_seem_to_be_counted_otherwise_are_noted(shift, words):
    rows = [("A", k, "A", k + shift) for k in range(1, 7)]
    (note,) = demur.decisive_steps(records(rows)).notes
    assert note.startswith(f"6 of 6 steps are one {words} the true one")
    assert not demur.decisive_steps(records(rows[:4])).notes


def test_names_in_another_dress_are_noted():
    rows = [("Coder", 1, "coder", 1), ("Web", 2, "web", 2)]
    (note,) = demur.decisive_steps(records(rows)).notes
    assert "case" in note


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((None, 1, "A", 1), "ref_agent must be a name"),
        (("A", None, "A", 1), "ref_step must be a step"),
        (("A", 1, "A", "Step 3"), "hyp_step must be a whole number"),
        (("A", 1, "A", 2.5), "hyp_step must be a whole number"),
        (("A", -1, "A", 2), "ref_step must be a whole number"),
        (("A", 1, "A", True), "hyp_step must be a whole number"),
        (("A", 1, "A", math.inf), "hyp_step must be a whole number"),
        (("A", 1, ["A", "B"], 1), "hyp_agent must be a name"),
    ],
)
def test_what_is_no_agent_or_step_is_refused(row, message):
    refuses(f"record 2: {message}", demur.decisive_steps, records([ROWS[0], row]))


def test_tables_without_sides_are_refused():
    refuses(
        "no ref_step, no hyp_step",
        demur.decisive_steps,
        [{"ref_agent": "A", "hyp_agent": "A"}],
    )
    refuses("be an object with agent", demur.decisive_steps, {"ref": [3], "hyp": [3]})
    refuses("tolerance", demur.decisive_steps, records(), tolerance=-1)


def test_the_command_prints_systems_gates_and_places(tmp_path):
    rows = [*records(system="x"), *records([row[:2] * 2 for row in ROWS], system="y")]
    path = write_records(tmp_path / "steps.jsonl", rows)
    command = ("metrics", "decisive-step", path, "--tolerance", 2)
    assert "step within 2" in printed(*command)
    systems = printed_json(*command)["systems"]
    assert [each["step"]["value"] for each in systems] == [2 / 6, 1.0]
    gate = ("--fail-if", "x: step < 0.5")
    assert "gate broken" in stderr_of(*command, *gate, code=1)
    bad = write_records(tmp_path / "bad.jsonl", [*rows, {**rows[0], "hyp_step": "x"}])
    assert f"{bad}:13: hyp_step" in stderr_of("metrics", "decisive-step", bad)


def test_rows_keep_their_names_where_the_table_is_folded(tmp_path):
    table = write_records(tmp_path / "t.jsonl", records())
    text = printed("metrics", "decisive-step", table)
    assert text.count("agent and step  ") == 2
