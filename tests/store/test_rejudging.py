"""Kept responses judged anew: what changed, by system and item."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, refuses
from demur.store.rejudging import changed_outcomes
from demur.store.stores import Store

RESPONSES = [
    {"item": f"q{number}", "system": system, "response": answer}
    for system, answers in {
        "a": ["The Rhine", "oslo", None],
        "b": ["x", "Oslo", "7"],
    }.items()
    for number, answer in enumerate(answers)
]
REFERENCES = [
    {"item": "q0", "reference": "rhine"},
    {"item": "q1", "reference": "Oslo"},
    {"item": "q2", "reference": "7"},
]


@pytest.fixture
def kept(tmp_path, now):
    with Store(tmp_path / "runs.sqlite", make=True) as store:
        outcomes = demur.judge(RESPONSES, REFERENCES, by="label")
        store.keep(outcomes, when=now, responses=RESPONSES, references=REFERENCES)
        yield store


def test_the_same_again_changes_nothing(kept, now):
    again = demur.judge_again(kept, 1, when=now)
    assert again.changed == 0
    assert again.after.judged_from == 1
    assert again.after.recipe == again.before.recipe
    assert kept.outcomes(2) == kept.outcomes(1)
    assert again.sentence().endswith("all 6 verdicts are as they were.")


def test_another_comparator_shows_what_changes(kept, now):
    again = demur.judge_again(
        kept, 1, when=now, by="text(normalise=squad)", tags=["new"]
    )
    assert [(it.item, it.system, it.before, it.after) for it in again.changes] == [
        ("q0", "a", "wrong", "right"),
        ("q1", "a", "wrong", "right"),
    ]
    table, items = again.tables()
    assert table.rows == (("a", "wrong", "right", 2),)
    assert items.rows[0] == ("q0", "a", "wrong", "right", "equal")
    assert again.sentence().endswith("2 of 6 verdicts have changed.")
    assert again.before.signature in again.notes[0]
    assert again.signature == kept.run("new").signature
    third = demur.judge_again(kept, "new", when=now)
    assert (third.changed, third.after.judged_from) == (0, 2)


def test_an_adjudicated_reference_is_seen_in_verdicts_and_data(kept, now):
    references = [*REFERENCES[:2], {"item": "q2", "reference": "8"}]
    again = demur.judge_again(kept, 1, when=now, references=references)
    assert [(it.item, it.system, it.after) for it in again.changes] == [
        ("q2", "b", "wrong")
    ]
    assert again.notes[-1].startswith("the references are others")
    assert kept.records(2)[1][2].alternatives == (("8", 1.0),)
    assert demur.judge_again(kept, 2, when=now).changed == 0


def test_policies_are_those_of_the_run_unless_given(tmp_path, now):
    responses = [*RESPONSES[:2], {"item": "q9", "system": "a", "response": "x"}]
    how = {"by": "text", "missing": "unanswered", "unmatched": "leave_out"}
    how |= {"extract": "final", "no_answer": "the rhine"}
    outcomes = demur.judge(responses, REFERENCES, **how)
    with Store(tmp_path / "a", make=True) as store:
        store.keep(outcomes, when=now, responses=responses, references=REFERENCES)
        again = demur.judge_again(store, 1, when=now)
        assert again.changed == 0
        assert store.outcomes(2) == outcomes
        left = demur.judge_again(store, 1, when=now, missing="leave_out")
        assert [(it.item, it.before, it.after) for it in left.changes] == [
            ("q2", "unanswered", "none")
        ]
        counted = demur.judge_again(store, 1, when=now, no_answer="no such")
        assert [it.item for it in counted.changes] == ["q0"]


def test_what_a_recipe_cannot_say_is_asked_for(tmp_path, now):
    several = demur.judge(RESPONSES, REFERENCES, by="text", no_answer=["oslo", "x"])
    plain = demur.Outcomes.from_arrays(correct=[1])
    records = {"responses": RESPONSES, "references": REFERENCES}
    with Store(tmp_path / "a", make=True) as store:
        for outcomes in (several, plain):
            store.keep(outcomes, when=now, **records)
        again = demur.judge_again
        refuses("no_answer must be one pattern", again, store, 1, when=now)
        given = again(store, 1, when=now, no_answer=["oslo", "x"])
        assert given.changed == 0
        refuses("Say by what to judge", again, store, 2, when=now)
        assert again(store, 2, when=now, by="text").changed > 0
        store.keep(plain, when=now)
        refuses("kept with its responses", again, store, 5, when=now)
        assert len(store.runs()) == 5


OUTCOMES = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["right", "wrong", "unanswered"]),
    ),
    unique_by=lambda row: row[:2],
    min_size=1,
)


@given(OUTCOMES, OUTCOMES)
def test_changes_are_those_of_a_slow_twin(before, after):
    tables = [
        by_outcome(
            [row[2] for row in rows],
            item=[row[0] for row in rows],
            system=[row[1] for row in rows],
        )
        for rows in (before, after)
    ]
    old, new = ({row[:2]: row[2] for row in rows} for rows in (before, after))
    expected = Counter(
        (*key, old.get(key, "none"), new.get(key, "none"))
        for key in old.keys() | new.keys()
        if old.get(key) != new.get(key)
    )
    changes = changed_outcomes(*tables)
    found = Counter((it.item, it.system, it.before, it.after) for it in changes)
    assert found == expected
