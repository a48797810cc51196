"""The join's columns: they give back what was put in, and overwrite in place."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur import Response
from demur.judging.join import Coded, Places, Rows, Run
from demur.judging.unjoined import Odd
from demur.outcomes.fields import RIGHT, WRONG
from demur.outcomes.records import Verdict

PLACES = ["a.jsonl:1", "a.jsonl:12", "frame", "a:007", "a:0", "7", "", "a:" + "9" * 30]


@given(st.lists(st.one_of(st.sampled_from(PLACES), st.text(max_size=5))))
def test_places_are_given_back(names):
    places = Places()
    for name in names:
        places.append(name)
    assert [places[row] for row in range(len(names))] == names


@given(st.lists(st.sampled_from([None, True, 1, 1.0, False, 0, "1", [1], {}])))
def test_coded_values_are_given_back_with_their_types(values):
    column = Coded()
    for value in values:
        column.append(value)
    assert list(map(repr, column.column())) == list(map(repr, values))


@given(st.dictionaries(st.integers(0, 99), st.integers(0, 9)), st.sampled_from([100]))
def test_a_run_finds_rows_few_or_many(rows, n_references):
    run = Run(("a", None, None), 0, n_references)
    for reference, row in rows.items():
        run[reference] = row
    assert len(run) == len(rows)
    found = {number: run.get(number) for number in range(n_references)}
    assert found == {number: rows.get(number) for number in range(n_references)}


def filled(*responses, credits_=(1.0, 0.5, 0.0)):
    rows, run = Rows(), Run(("a", None, None), 0, 9)
    for number, response in enumerate(responses):
        credit = credits_[number]
        verdict = Verdict(RIGHT if credit else WRONG, credit, f"reason {number}")
        rows.append(run, number, verdict, response, response.response, f"f:{number}")
    return rows


def test_the_last_row_replaces_an_earlier_one_in_every_column():
    rows = filled(
        Response(item="a", response="A", confidence=0.1, extra={"x": 1}),
        Response(item="b", response="B", confidence=0.2),
        Response(item="c", response="C", kind="idk", error="e", extra={"y": 2}),
    )
    rows.move_last_to(0)
    assert len(rows) == 2
    assert rows.response == ["C", "B"]
    assert rows.outcome.tolist() == [WRONG, RIGHT]
    assert rows.credit.tolist() == [0.0, 0.5]
    assert math.isnan(rows.confidence[0])
    assert rows.confidence[1] == 0.2
    assert rows.coded["reason"].column().tolist() == ["reason 2", "reason 1"]
    assert rows.coded["kind"].column().tolist() == ["idk", None]
    assert rows.error.tolist() == [1, 0]
    assert [rows.places[0], rows.places[1]] == ["f:2", "f:1"]
    assert rows.further["y"][0] == 2
    assert rows.further["x"][0] != 1


def test_credits_are_kept_only_where_outcomes_do_not_tell_them():
    plain = filled(*[Response(item="a")] * 2, credits_=(1.0, 0.0))
    assert plain.credit is None


@pytest.mark.parametrize("value", ["x", True, float("nan"), 2**63 + 1, [1]])
def test_what_is_no_number_is_kept_for_the_message(value):
    responses = [Response(item="a", confidence=each) for each in (1, None, value)]
    assert repr(filled(*responses).confidence) == repr([1.0, None, value])


def test_odd_ones_are_counted_by_system_and_setting():
    odd = Odd()
    for setting, repeat in (("s", "1"), ("s", "2"), (None, "1"), ("s", "3")):
        odd.add("q", Run(("a", setting, repeat), 0, 1), f"f:{repeat}")
    assert odd.by == {"a setting s": 3, "a": 1}
    assert (odd.count, odd.place) == (4, "f:1")
    assert str(odd).endswith("'q' of system 'a', repeat '1'; and 1 more")
