"""The items by outcome and decision, against a plain filter."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.decisions.listing_items import DECISIONS
from demur.outcomes.fields import OUTCOMES

ROW = st.tuples(
    st.sampled_from([True, False, None]),
    st.sampled_from([0.2, 0.5, 0.9]),
    st.booleans(),
)


def _answers_something(rows):
    return any(right is not None for right, _, _ in rows)


def table(rows, system="a"):
    return demur.Outcomes.from_columns(
        {
            "item": [f"q{number}" for number in range(len(rows))],
            "system": [system] * len(rows),
            "correct": [right for right, _, _ in rows],
            "confidence": [None if r is None else sure for r, sure, _ in rows],
            "declined": [declined and r is not None for r, _, declined in rows],
            "reason_code": ["failed" if r is None and d else None for r, _, d in rows],
        }
    )


def end_of(row, cutoff):
    right, sure, flag = row
    if right is None:
        return "unanswered", "failed" if flag else "declined"
    verdict = "right" if right else "wrong"
    if cutoff is None:
        return verdict, "declined" if flag else "answered"
    return verdict, "answered" if sure >= cutoff else "withheld"


@given(
    st.lists(ROW, min_size=1, max_size=10).filter(
        lambda r: any(x[0] is not None for x in r)
    ),
    st.sampled_from([None, 0.5]),
)
def test_each_item_is_listed_once_under_its_end(rows, cutoff):
    outcomes = table(rows)
    seen = []
    for outcome, decision in itertools.product(OUTCOMES, DECISIONS):
        found = demur.list_items(
            outcomes, outcome=outcome, decision=decision, cutoff=cutoff
        )
        expected = [
            f"q{number}"
            for number, row in enumerate(rows)
            if end_of(row, cutoff) == (outcome, decision)
        ]
        assert sorted(found.outcomes.item) == sorted(expected)
        assert set(found.decision) <= {decision}
        sure = [rows[int(item[1:])][1] for item in found.outcomes.item]
        assert outcome == "unanswered" or sure == sorted(sure, reverse=True)
        seen += expected
    assert len(seen) == len(rows) == len(demur.list_items(outcomes, cutoff=cutoff))


@given(st.lists(st.tuples(ROW, ROW), min_size=1, max_size=8))
def test_against_another_system_only_what_ended_otherwise_is_listed(pairs):
    mine, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    columns = {}
    for part in (table(mine), table(theirs, "b")):
        for name, values in part.to_columns().items():
            columns.setdefault(name, []).extend(values)
    if len({len(values) for values in columns.values()}) > 1:
        return  # one of them has no confidences at all
    outcomes = demur.Outcomes.from_columns(columns)
    found = demur.list_items(outcomes, against="b")
    differing = {
        f"q{n}" for n, (a, b) in enumerate(pairs) if end_of(a, None) != end_of(b, None)
    }
    assert set(found.outcomes.item) == differing
    assert set(found.outcomes.system) <= {"a"}
    for item, (outcome, decision, _) in zip(
        found.outcomes.item, found.other or (), strict=True
    ):
        assert (outcome, decision) == end_of(theirs[int(item[1:])], None)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"outcome": "bad"}, "the outcome|outcome must be one of"),
        ({"decision": ["given"]}, "decision must be one of"),
        ({"cutoff": 0.5}, "come with confidences"),
        ({"against": "c"}, "against must be one of"),
    ],
)
def test_what_cannot_be_listed_is_refused(how, message):
    outcomes = demur.Outcomes.from_arrays(correct=[True, False])
    with pytest.raises(demur.InputError, match=message):
        demur.list_items(outcomes, **how)


def test_without_confidences_the_columns_that_may_hold_them_are_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,Konfidenz,correct\n1,0.8,1\n2,0.7,0\n", "utf-8")
    with pytest.raises(demur.InputError, match="confidence: is it 'Konfidenz'"):
        demur.list_items(demur.read_outcomes(path), cutoff=0.5)


def test_the_table_says_why_an_answer_is_ungraded():
    judged = demur.Outcomes.from_columns(
        {
            "item": ["q1", "q2"],
            "outcome": ["ungraded", "right"],
            "reason": ["It names no place.", "equal"],
        }
    )
    assert "It names no place." in demur.list_items(judged).to_text()
    assert "equal" not in demur.list_items(judged, outcome="right").to_text()
