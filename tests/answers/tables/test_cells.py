"""Cells that say the same in another form: days, moments, and rounded numbers."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur import TableSettings, answers, compare_relations
from demur.answers.tables.cells import in_one_form
from demur.answers.tables.relation_values import column_of


def right(response, reference, **settings):
    """Whether a table is right."""
    verdict = compare_relations(
        response=response, reference=reference, settings=TableSettings(**settings)
    )
    return verdict.right


@pytest.mark.parametrize(
    ("response", "reference", "outcome"),
    [
        ("2024-05-01T07:30:00", "2024-05-01 07:30:00", True),
        ("2024-05-01 07:30:00", "2024-05-01T07:30:00", True),
        ("2024-05-01T07:30:00.5", " 2024-05-01 07:30:00.5", True),
        ("2024-05-01", "2024-05-01 00:00:00", True),
        ("2024-05-01T00:00", "2024-05-01", True),
        ("2024-05-01 00:00:00.000", "2024-05-01T00:00:00", True),
        ("2024-05-01T10:30", "2024-05-01 10:30:00", True),
        ("2024-05-01 10:30:00.000", "2024-05-01T10:30", True),
        ("2024-05-01 10:30:00.500", "2024-05-01 10:30:00.5", True),
        ("2024-05-01T10:30:00Z", "2024-05-01 10:30:00+00:00", True),
        ("2024-05-01T10:30Z", "2024-05-01 10:30:00", True),
        ("2024-05-01T00:00:00Z", "2024-05-01", True),
        ("10:30:00", "10:30", True),
        ("10:30:00.000", "10:30:00Z", True),
        ("00:00", "00:00:00", True),
        ("10:30", "10:30:01", False),
        ("10:30", "10:03", False),
        ("25:30:00", "25:30", False),
        ("10:30:00+02:00", "10:30:00", False),
        ("2024-05-01 10:30", "10:30", False),
        ("00:00", "2024-05-01", False),
        ("1:10:30:00", "1:10:30", False),
        # A day is not any moment of it, nor is a text with a date in it a date.
        ("2024-05-01", "2024-05-01 07:30:00", False),
        ("2024-05-01 07:30:00", "2024-05-01", False),
        ("2024-05-01 00:00:01", "2024-05-01", False),
        ("2024-05-02", "2024-05-01 00:00:00", False),
        ("on 2024-05-01T07:30", "on 2024-05-01 07:30", False),
        ("2024-05-01 10:30:00.5", "2024-05-01 10:30:00.05", False),
        ("2024-05-01T10:30:00+02:00", "2024-05-01 10:30:00", False),
        ("2024-13-45T00:00:00", "2024-13-45", False),
        ("2024-05-01T24:00", "2024-05-01", False),
        ("2024-05-01X07:30:00", "2024-05-01 07:30:00", False),
        ("12024-05-01T07:30:00", "12024-05-01 07:30:00", False),
    ],
)
def test_a_day_and_a_moment_are_known_in_either_form(response, reference, outcome):
    assert right([[response]], [[reference]]) is outcome
    assert right([[response, 1], [None, 2]], [[1, reference], [2, None]]) is outcome
    for mode in ("bird-ex", "test-suite"):
        same = response == reference
        assert right([[response]], [[reference]], mode=mode) is same


@pytest.mark.parametrize(
    ("response", "reference", "outcome"),
    [
        ("2024-05-01", "2024-05-01 07:30:00", True),
        ("2024-05-01T09:00", "2024-05-01", True),
        ("2024-05-02", "2024-05-01 07:30:00", False),
        ("2024-05", "2024-05-01 07:30:00", False),
        ("2024-05-01", "2024-05-01 99:00:00", False),
        ("2024-13-45", "2024-13-45 07:30:00", False),
    ],
)
def test_a_day_may_stand_for_its_moments(response, reference, outcome):
    assert right([[response, 1]], [[1, reference]], days=True) is outcome
    assert right([[response, 1]], [[1, reference]]) is False


def test_forms_hold_in_the_maximum_and_in_every_comparator():
    verdict = compare_relations(
        response=[[1, "2024-05-01T07:30:00"]],
        reference=[[1]],
        maximum=[["2024-05-01 07:30:00", 1]],
    )
    assert verdict.right
    for comparator, pair in (
        (answers.relation(), ([["2024-05-01"]], [["2024-05-01T00:00:00"]])),
        (answers.cas(), ('(("2024-05-01"))', '(("2024-05-01 00:00:00"))')),
    ):
        response, reference = pair
        read = answers.read_all(comparator, [(reference, 1)])
        assert answers.verdict(comparator, response, read).credit == 1


@pytest.mark.parametrize(
    ("response", "reference", "decimals", "outcome"),
    [
        (50.3, 50.31111111111111, 1, True),
        (50.31, 50.31111111111111, 1, True),
        (50.3, 50.31111111111111, 2, False),
        (50.3, 50.31111111111111, None, False),
        (5.07, 5.066666666666666, 2, True),
        (50.31111111111111, 50.3, 1, True),
        (2.68, 2.675, 2, True),
        (-2.5, -2.45, 1, True),
        (Decimal("50.3"), 50.31111111111111, 1, True),
        (50, 50.31111111111111, 0, True),
        (51, 50.31111111111111, 0, False),
        # What would be nothing if it were rounded is not.
        (0.0, 0.004, 2, False),
        (0.01, 0.004, 2, False),
        (0.0, 0.0, 2, True),
        # Near numbers stay so where they are rounded apart.
        (5.064999, 5.065001, 2, True),
        (math.inf, 1e300, 2, False),
        (1e300, 1e300, 2, True),
        (math.nan, math.nan, 2, True),
        ("50.3", "50.31111", 1, False),
    ],
)
def test_numbers_may_be_rounded_to_the_places_asked_for(
    response, reference, decimals, outcome
):
    table, ours = [[response, "a"], [7.25, "b"]], [["a", reference], ["b", 7.25]]
    assert right(table, ours, decimals=decimals) is outcome
    assert right(table, ours, decimals=decimals, mode="bird-ex") is False


def test_decimals_and_days_are_options_and_fields():
    assert str(answers.cas(days="true")) == "cas(days=true, maximum=derived)"
    refuses("days must be true or false", answers.sql, days="daily")
    comparator = answers.relation(decimals="1")
    assert str(comparator) == "relation(decimals=1, maximum=derived)"
    assert str(answers.sql(decimals=2)) == "sql(decimals=2, maximum=derived)"
    assert str(answers.cas(decimals=0)) == "cas(decimals=0, maximum=derived)"
    outcomes = demur.judge(
        [{"item": at, "response": [[50.3]]} for at in "12"],
        [
            {"item": "1", "reference": [[50.3111]], "decimals": 1},
            {"item": "2", "reference": [[50.3111]]},
        ],
        by="relation",
    )
    assert outcomes.outcome.tolist() == [0, 1]
    for value in (-1, 1.5, "two", True, 16):
        need = "decimals must be a whole number from 0 to 15"
        refuses(need, answers.relation, decimals=value)


@given(st.lists(st.floats() | st.none() | st.integers() | st.text(max_size=3)))
def test_forms_of_forms_are_themselves(cells):
    once = in_one_form(column_of(cells), 2, days=True)
    assert in_one_form(once, 2, days=True) is once
