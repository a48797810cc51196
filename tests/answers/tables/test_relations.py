"""Tables compared: against a plain twin, by laws, at the limits, on real results."""

import csv
import datetime
import json
import os
import sqlite3
from collections import Counter
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_relations as twin
from builders import read_records, refuses
from demur import Relation, TableSettings, compare_relations
from demur.answers import relation_of
from demur.answers.tables import table_pairs

NEAR = [1.0, 1.00005, 1.0001, 1.00015, 1.0002, 0.9999, -1.0]
VALUES = st.sampled_from(
    [None, True, False, 0, 1, 2, 0.0, 2.0, "a", "a ", "b", "1", "", *NEAR]
)
CODES = st.sampled_from([10000, 10001, 10000.0, 10000.5, 10001.0])
HUGE = st.sampled_from([2**53, 2**53 + 1, 2.0**53, 2**53 + 2, 2**63, 2.0**63])
NARROW = st.sampled_from([0, 1, None]) | st.sampled_from(NEAR[:5])


@st.composite
def tables(draw, values=VALUES, widest=3, longest=4):
    """A table with at least one column."""
    width = draw(st.integers(1, widest))
    row = st.tuples(*[values] * width)
    return draw(st.lists(row, max_size=longest))


@st.composite
def pairs(draw):
    """Two tables, often the same with columns in another order and a little changed."""
    values = draw(
        st.sampled_from([VALUES, NARROW, CODES, HUGE, st.sampled_from([0, 1])])
    )
    reference = draw(tables(values))
    if not reference or draw(st.booleans()):
        return reference, draw(tables(values))
    response = [list(row) for row in reference]
    extra = draw(st.lists(values, min_size=len(response), max_size=len(response)))
    if draw(st.booleans()):
        response = [[*row, more] for row, more in zip(response, extra, strict=True)]
    if draw(st.booleans()):
        response.append(list(draw(st.sampled_from(response))))
    if draw(st.booleans()):
        row = draw(st.integers(0, len(response) - 1))
        column = draw(st.integers(0, len(response[0]) - 1))
        response[row][column] = draw(values)
    order = draw(st.permutations(range(len(response[0]))))
    mixed = draw(st.permutations(response))
    return reference, [tuple(row[column] for column in order) for row in mixed]


def verdict(reference, response, maximum=None, **fields):
    return compare_relations(
        response=response,
        reference=reference,
        settings=TableSettings(**fields),
        maximum=maximum,
    ).right


# -- the twin ----------------------------------------------------------------------


@given(pairs(), st.sampled_from(["set", "bag", "order"]))
@settings(max_examples=800)
def test_modes_of_cas_are_those_of_the_twin(pair, rows):
    mode = {"set": "cas2", "bag": "bag", "order": "ordered"}[rows]
    assert verdict(*pair, mode=mode) == twin.right(*pair, rows=rows)


@given(pairs(), st.sampled_from(["0", "0.00005", "0.3", "0.9"]))
@settings(max_examples=250)
def test_tolerances_are_those_of_the_twin(pair, relative):
    for mode, rows in (("cas2", "set"), ("bag", "bag")):
        assert verdict(*pair, mode=mode, relative=Decimal(relative)) == twin.right(
            *pair, rows=rows, relative=relative
        )


@given(pairs(), st.lists(st.integers(0, 2), min_size=1, max_size=2).map(tuple))
@settings(max_examples=250)
def test_ties_are_those_of_the_twin(pair, order_by):
    width = len(pair[0][0]) if pair[0] else 3
    key = tuple(column % width for column in order_by)
    assert verdict(*pair, mode="ordered", order_by=key) == twin.right(
        *pair, rows="order", order_by=key
    )


@given(pairs(), st.data())
@settings(max_examples=250)
def test_maxima_are_those_of_the_twin(pair, data):
    reference, response = pair
    maximum = data.draw(tables(NARROW) | st.just(response) | st.just(reference))
    found = verdict(reference, response, maximum)
    assert found == twin.right(reference, response, maximum=maximum)


@given(pairs())
@settings(max_examples=250)
def test_modes_of_others_are_those_of_their_twins(pair):
    assert verdict(*pair, mode="bird-ex") == twin.bird_ex(*pair)
    for ordered in (False, True):
        found = verdict(*pair, mode="test-suite", ordered=ordered)
        assert found == twin.test_suite(*pair, ordered=ordered)


@given(pairs())
@settings(max_examples=250)
def test_an_explanation_tells_the_truth(pair):
    reference, response = pair
    found = compare_relations(response=response, reference=reference)
    if found.right or not (reference and response) or found.mapping is None:
        return
    projected = [tuple(row[column] for column in found.mapping) for row in response]
    lacking = [
        row
        for row in reference
        if not any(twin.rows_near(row, other, "0.0001") for other in projected)
    ]
    extra = [
        other
        for other in projected
        if not any(twin.rows_near(row, other, "0.0001") for row in reference)
    ]
    assert found.n_missing == twin.different(lacking)
    assert found.n_extra == twin.different(extra)
    assert found.missing == (lacking[0] if lacking else None)
    assert found.extra == (extra[0] if extra else None)
    assert lacking or extra


# -- laws --------------------------------------------------------------------------


@given(pairs(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_orders_of_rows_and_columns_never_count(pair, random):
    changed = []
    for table in pair:
        columns = list(range(len(table[0]) if table else 0))
        random.shuffle(columns)
        rows = [tuple(row[column] for column in columns) for row in table]
        random.shuffle(rows)
        changed.append(rows)
    assert verdict(*changed) == verdict(*pair)


@given(pairs())
@settings(max_examples=100)
def test_sets_of_equal_width_are_symmetric(pair):
    reference, response = pair
    if reference and response and len(reference[0]) == len(response[0]):
        exact = {"relative": Decimal(0)}
        assert verdict(*pair, **exact) == verdict(*pair[::-1], **exact)


@given(pairs(), st.integers(0, 3))
@settings(max_examples=100)
def test_repeated_rows_never_count_in_sets(pair, which):
    reference, response = pair
    more = [response[which % len(response)]] if response else []
    assert verdict(reference, response + more) == verdict(*pair)
    more = [reference[which % len(reference)]] if reference else []
    assert verdict(reference + more, response) == verdict(*pair)


@given(tables())
@settings(max_examples=100)
def test_a_table_is_right_for_itself_in_every_mode(table):
    for mode in ("cas2", "bag", "ordered", "bird-ex", "test-suite"):
        assert verdict(table, table, mode=mode)


@given(pairs())
@settings(max_examples=100)
def test_stricter_modes_accept_less(pair):
    assert not verdict(*pair, mode="ordered") or verdict(*pair, mode="bag")
    assert not verdict(*pair, mode="bag") or verdict(*pair, mode="cas2")
    assert not verdict(*pair, pair[1][:1]) or verdict(*pair)


@given(pairs())
@settings(max_examples=100)
def test_columns_of_any_type_are_compared_alike(pair):
    """Typed arrays, objects, and masks give the verdict of rows."""
    made = []
    for table in pair:
        columns = [list(column) for column in zip(*table, strict=True)]
        nulls = [[cell is None for cell in column] for column in columns]
        filled = [
            np.array([0 if cell is None else cell for cell in column], object)
            for column in columns
        ]
        made.append(Relation.from_columns([], filled, nulls))
    assert verdict(*made) == verdict(*pair)
    assert [relation.rows() for relation in made] == list(pair)


# -- values ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "response", "right"),
    [
        (2**53 + 1, 2**53, False),
        (2**53 + 1, float(2**53), False),
        (2**70, 2.0**70, True),
        (2**70, 2**70 + 1, False),
        (10**400, 10**400, True),
        (10**400, 1e308, False),
        (Decimal("1.50"), 1.5, True),
        (Decimal("0.1"), 0.1, True),
        (Decimal("1E+2"), 100, True),
        (Decimal(102122), 102123, False),
        (Decimal("102122.0"), 102123, False),
        (Decimal("NaN"), float("nan"), True),
        (float("inf"), float("inf"), True),
        (float("inf"), 1e308, False),
        (float("nan"), 1.0, False),
        (0.0, -0.0, True),
        (0.0, 1e-300, False),
        (7.0, 7.0007, True),
        (7.0, 7.00071, False),
        (-7.0, -7.0007, True),
        (1e-12, 1.0001e-12, True),
        (5e-324, 1e-323, False),
        (True, 1, False),
        (False, None, False),
        (0, None, False),
        ("", None, False),
        (" Alton\n", "Alton", True),
        ("Al ton", "Alton", False),
        (b"a", "a", False),
        (b"a", bytearray(b"a"), True),
        (datetime.date(2020, 1, 1), datetime.date(2020, 1, 1), True),
        (datetime.date(2020, 1, 1), "2020-01-01", False),
        ([1, [2.0, None]], [1.0, [2, None]], True),
        ([1, 2], [2, 1], False),
        ({"a": [1], "b": True}, {"b": True, "a": [1]}, True),
        ({"a": 1}, {"a": True}, False),
        (Decimal("sNaN"), float("nan"), True),
        (Decimal("sNaN"), 1.0, False),
    ],
)
def test_values(reference, response, right):
    assert verdict([[reference]], [[response]]) is right
    assert verdict([[reference, "x"]], [["x", response]], mode="bag") is right
    # Beside a value of another type, columns hold objects.
    mixed = [[reference], [b"?"]], [[response], [b"?"]]
    assert verdict(*mixed) is right
    assert verdict([[reference]], mixed[1]) is False


@pytest.mark.parametrize(
    ("reference", "response", "right"),
    [
        (-(2**63), -(2.0**63), True),
        (-(2**63) + 1, -(2.0**63), False),
        (2**63, 2.0**63, True),
        (-(2**64), -(2.0**64), True),
        (Decimal("1.0001"), 1.0001, True),
        (Decimal("1.00010"), 1.0001, True),
        (Decimal("1.00010000000000001"), 1.0001, False),
        (Decimal("2.0"), 2, True),
        (Decimal("1E+400"), 10**400, True),
    ],
)
def test_equality_without_tolerance(reference, response, right):
    for pair in ((reference, response), (response, reference)):
        for mixed in ([], [[b"?"]]):
            tables = [[[pair[0]], *mixed], [[pair[1]], *mixed]]
            for mode in ("cas2", "bag", "ordered"):
                assert verdict(*tables, mode=mode, relative=Decimal(0)) is right


def test_types_of_arrays_do_not_matter():
    whole = Relation.from_columns([], [np.array([1, 2], np.int16)])
    for array in (
        np.array([2, 1], np.uint64),
        np.array([2.0, 1.0], np.float32),
        np.array([2, Decimal(1)], object),
        [2, 1],
    ):
        assert verdict(whole, Relation.from_columns([], [array]))
    days = np.array(["2020-01-01", "NaT"], "datetime64[D]")
    same = [[None], [datetime.date(2020, 1, 1)]]
    assert verdict(Relation.from_columns(["day"], [days]), same)
    moments = np.array(["2020-01-01T10:00:00.000000001"], "datetime64[ns]")
    moment = [[datetime.datetime(2020, 1, 1, 10, 0)]]
    assert verdict(Relation.from_columns([], [moments]), moment)


def test_a_maximum_with_an_integer_and_a_real_of_one_value():
    # 10001 is near 10000.0 and not near 10000, so only one mapping is right.
    assert verdict([[10001]], [[10001, 10000]], [[10000, 10000.0]], integers="near")
    assert verdict([[10001]], [[10001, 10000]], [[10000.0, 10000]], integers="near")
    assert not verdict([[10001]], [[10001, 10000]], [[10002, 10001]], integers="near")
    assert verdict([[10001, 10000]], [[10000, 10000.0]], integers="near")


def test_the_canonical_number_is_the_reference():
    assert verdict([[10000.0]], [[10001.0]])
    assert not verdict([[9999.0]], [[10000.0]])
    assert verdict([[10000.0]], [[9999.0]])
    # For a maximum it is the maximum's.
    assert verdict([[9999.5]], [[10000.0]], [[10001.0]])
    assert verdict([[10000.0]], [[10001.0]], [[10000.0]])
    assert not verdict([[10000.5]], [[10000.0]], [[9999.0]])


def test_a_bag_needs_a_partner_for_each_row():
    # Greedily 1.0001 would take 1.0, and 0.9999 could then have no other.
    reference = [[1.0], [1.0001]]
    assert verdict(reference, [[1.0001], [0.9999]], mode="bag")
    assert verdict(reference, [[1.0002], [1.0]], mode="bag")
    assert not verdict(reference, [[0.9999], [0.9999]], mode="bag")


FINE = st.lists(
    st.integers(0, 9).map(lambda step: (round(1 + step * 3e-5, 6),)),
    min_size=1,
    max_size=5,
)


@given(FINE, FINE)
@settings(max_examples=300)
def test_chains_of_near_reals_are_those_of_the_twin(reference, response):
    for mode, rows in (("cas2", "set"), ("bag", "bag")):
        found = verdict(reference, response, mode=mode)
        assert found == twin.right(reference, response, rows=rows)


def test_being_near_is_not_passed_on():
    # Each row is near one of the other side, but 1.0 stands there twice.
    reference = [[1.0], [1.0], [1.00015]]
    response = [[1.00005], [1.0002], [1.0002]]
    assert verdict(reference, response)
    assert not verdict(reference, response, mode="bag")
    # All of the reference is near something, but not all of the response.
    assert not verdict([[1.0]], [[1.0], [1.0001], [1.0002]])
    assert not verdict([[1.0], [1.0001], [1.0002]], [[1.0]])
    # Three rows have to change partners for the last one.
    steps = [1 + 6e-5 * step for step in range(8)]
    ladder = [[step] for step in steps]
    assert verdict(ladder, [*ladder[1:], [steps[-1] + 6e-5]], mode="bag")


def test_long_bags_of_one_real_pair_up_as_when_sorted():
    # With one column of reals a perfect matching exists if the sorted one is perfect.
    rng, found = np.random.default_rng(5), Counter()
    for _ in range(200):
        sides = 1 + np.sort(rng.integers(0, 60, (2, 25)), axis=1) * 1e-5
        sides[1] = np.round(sides[1] + 2e-5, 6)
        ours, theirs = ([(float(x),) for x in np.round(side, 6)] for side in sides)
        expected = all(map(twin.rows_near, ours, theirs, ["0.0001"] * 25))
        order = [theirs[at] for at in rng.permutation(25)]
        assert verdict(ours, order, mode="bag") is expected
        found[expected] += 1
    assert min(found[True], found[False]) > 20


def test_the_quirks_of_others_in_order():
    one, other = [(1, 1.5), (1.0, 1.5)], [(1.0, 1.5), (1, 1.5)]
    assert twin.test_suite(one, other, ordered=False)
    assert not twin.test_suite(one, other, ordered=True)
    assert verdict(one, other, mode="test-suite")
    assert not verdict(one, other, mode="test-suite", ordered=True)
    found = compare_relations(
        response=[[2], [3]],
        reference=[[1], [2]],
        settings=TableSettings(mode="bird-ex", ordered=True),
    )
    assert (found.missing, found.n_missing) == ((1,), 1)


@pytest.mark.parametrize("columns", [[0, 0, 1], [0, 1, 1], [1, 0, 0]])
def test_a_column_stands_for_one_other_only(columns):
    pair = [[1, 3], [2, 4]]
    reference = [[row[column] for column in columns] for row in pair]
    other = [0, 1, 1] if columns.count(0) == 2 else [0, 0, 1]
    response = [[*(row[column] for column in other), 9] for row in pair]
    assert not verdict(reference, response)
    assert verdict(reference, [[*row, 9] for row in reference])


def test_values_with_one_hash_are_told_apart():
    # Python gives -1 and -2 one hash, and so a text and its bytes.
    assert hash("a") == hash(b"a")
    assert hash(("x", -1)) == hash(("x", -2))
    for one, two in (("a", b"a"), ([-1], [-2]), ({"k": -1}, {"k": -2})):
        for mode in ("cas2", "bag", "ordered"):
            assert verdict([[one], [two]], [[one], [two]], mode=mode)
            assert verdict([[one, 1], [two, 2]], [[2, two], [1, one]]) is True
            assert not verdict([[one], [one]], [[two], [two]], mode=mode)
        assert verdict([[one]], [[one]], [[two], [one]])
        assert not verdict([[one]], [[one]], [[two], [two]])


def test_numeric_text():
    fields = {"coerce_numeric_text": True}
    assert verdict([["3", " 4.50 ", "x"]], [["x", 3, 4.5]], **fields)
    assert verdict([["0152"]], [[152]], **fields)
    assert not verdict([["3rd"]], [[3]], **fields)
    assert not verdict([["1e3"]], [[1000]], **fields)
    assert verdict([[5]], [["5", "7"]], [["7", "5.0"]], **fields)


# -- single values and yes or no ---------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "reference", "response", "right"),
    [
        ("1992", 48, [[48]], True),
        ("1992", 48, [[48], [48]], True),
        ("1992", 48, [[48, "UA"]], False),
        ("1992", [[48]], [[48, "UA"]], True),
        ("1992", True, [["B", 1]], False),
        ("1989", 48, [[48, "UA"], [48, "DL"]], True),
        ("1989", 48, [[48, "UA"], [47, "DL"]], False),
        ("1990", True, [["B", 1]], True),
        ("1990", False, [["B", 1]], False),
        ("1990", False, [], True),
        ("1990", True, [[None]], True),
        ("1990", True, [[False]], False),
        ("1990", True, False, False),
        ("1990", False, [[False]], True),
        ("1990", 48, [[48, "UA"]], False),
        ("1990", [[True]], [["B", 1]], True),
        ("1990", [[True], [True]], [[1]], True),
        ("1990", [[True], [False]], [[1]], False),
        ("1990", True, [[False], [False]], False),
        ("1990", False, [[False], [False]], True),
        ("1990", True, [[False], [None]], True),
        ("1990", True, [[False], [0]], True),
        ("1990", True, 5, False),
    ],
)
def test_rules_of_the_years(rules, reference, response, right):
    assert verdict(reference, response, rules=rules) is right


TRUTHS = st.sampled_from(
    [True, False, [(True,)], [(False,)], [(False,), (False,)], [(True,), (True,)]]
)
READ = TRUTHS | st.sampled_from(
    [
        [],
        [(1,)],
        [(True,), (False,)],
        [(True, 1)],
        [(False, 1)],
        [(False, 1), (True, 1)],
        5,
    ]
)


@given(TRUTHS, READ, st.none() | READ)
@settings(max_examples=400)
def test_yes_and_no_of_1990_are_those_of_the_twin(reference, response, maximum):
    found = verdict(reference, response, maximum, rules="1990")
    assert found == twin.by_1990(reference, response, maximum)


@pytest.mark.parametrize(
    ("reference", "response", "maximum", "right"),
    [
        (True, [["B", 1]], True, True),
        (True, True, [["B", 1]], True),
        (True, [["B", 1]], [["B", 1]], True),
        (True, [["B", 2]], [["B", 1]], False),
        (True, [["B", 1]], False, None),
        (True, True, [], None),
        (False, [], False, True),
        (False, [[False]], [[False, "B"]], True),
    ],
)
def test_maxima_by_the_rules_of_1990(reference, response, maximum, right):
    assert verdict(reference, response, maximum, rules="1990") is right


# -- what cannot be judged ---------------------------------------------------------


def test_steps_that_are_used_up_leave_it_ungraded():
    found = compare_relations(
        response=[[2, 1]], reference=[[1, 2]], settings=TableSettings(steps=0)
    )
    assert found.right is None
    assert found.reason == "undecided after 0 steps"
    assert str(found) == "ungraded (cas2/2): undecided after 0 steps"


def hard_table(n_rows, n_columns):
    rng = np.random.default_rng(7)
    return rng.integers(0, 2, (n_rows, n_columns))


def test_a_search_without_end_ends_ungraded():
    wide = hard_table(500, 20)
    narrow = wide[:, [3, 7, 5, 11, 13, 2, 17, 19]]
    narrow[0] = 1 - narrow[0]
    found = compare_relations(
        response=wide, reference=narrow, settings=TableSettings(steps=10_000)
    )
    assert found.right is None
    assert found.reason.startswith("undecided after ")


def test_steps_are_counted_alike_on_every_run():
    one, other = hard_table(200, 12), hard_table(200, 12)[::-1, ::-1]
    least = [
        steps
        for steps in (10, 100, 1_000, 10_000, 100_000)
        if compare_relations(
            response=other, reference=one, settings=TableSettings(steps=steps)
        ).right
        is not None
    ]
    assert least == [
        steps
        for steps in (10, 100, 1_000, 10_000, 100_000)
        if compare_relations(
            response=other, reference=one, settings=TableSettings(steps=steps)
        ).right
        is not None
    ]
    assert least


def test_a_decided_answer_stays_wrong_when_no_steps_are_left_for_reasons():
    draw = np.random.default_rng(0)
    table = 1 + draw.integers(0, 2, (40, 8)) * 8e-5  # each real is near all others
    found = compare_relations(
        response=(table + 4e-5)[:-1],
        reference=table,
        settings=TableSettings(mode="bag", steps=1),
    )
    assert (found.right, found.code) == (False, "other_rows")
    assert found.reason == "39 rows instead of 40"
    assert found.missing is None  # with more steps it would be said


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_truncated_is_not_judged(which):
    rows = [[[1], [2]], [[1], [2]]]
    pair = [
        Relation.from_rows(each, truncated=at == which) for at, each in enumerate(rows)
    ]
    found = compare_relations(reference=pair[0], response=pair[1])
    assert found.right is None
    said = ("reference", "response")[which]
    assert found.reason == f"the {said} is truncated after 2 rows"


def test_a_truncated_maximum_is_not_judged():
    found = compare_relations(
        response=[[1]],
        reference=[[1]],
        maximum=Relation.from_rows([[1]], truncated=True),
    )
    assert found.right is None


def test_a_minimum_outside_its_maximum_is_the_fault_of_the_reference():
    reference, maximum = [[1, "a"], [2, "b"]], [[1, "a", 5], [2, "c", 6]]
    found = compare_relations(response=reference, reference=reference, maximum=maximum)
    reason = "reference: its minimum is beyond the maximum: column 2"
    assert (found.right, found.reason) == (None, reason)
    # An answer that lacks something is wrong whatever the maximum is.
    assert verdict(reference, [[1, "a"]], maximum) is False
    # One that is within both can be right although the minimum is not in the maximum.
    assert verdict([[10000.0]], [[10001.0]], [[10001.5]])
    assert verdict([[10000.0]], [[10000.0]], [[10001.5]]) is None
    # The maximum must not be looked at again for nothing.
    assert verdict(reference, reference, maximum, mode="bird-ex")
    assert verdict([[1]], [[1, 2]], [[1, 3]]) is False


def test_sort_keys_beyond_the_reference_are_its_fault():
    found = compare_relations(
        response=[[1], [2]],
        reference=[[1], [2]],
        settings=TableSettings(mode="ordered", order_by=(1,)),
    )
    assert (found.right, found.reason) == (
        None,
        "order_by names a column beyond the reference's",
    )


# -- shapes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_columns", "n_rows"), [(1, 1), (2000, 2), (1200, 3), (26, 1000), (12, 12)]
)
def test_wide_tables(n_columns, n_rows):
    rng = np.random.default_rng(3)
    table = rng.integers(0, 100, (n_rows, n_columns))
    mixed = table[rng.permutation(n_rows)][:, rng.permutation(n_columns)]
    assert verdict(table, mixed)
    assert verdict(table[:, :7], mixed)
    mixed[0, 0] += 1000
    assert not verdict(table, mixed)


def test_columns_that_are_all_alike():
    table = np.ones((50, 30), int)
    assert verdict(table[:, :12], table)
    assert verdict(table, table, mode="bag")
    other = table.copy()
    other[0] = 2
    assert not verdict(table[:, :12], other)


def test_latin_squares():
    square = [[(row + column) % 11 for column in range(11)] for row in range(11)]
    assert verdict(square, [row[::-1] for row in square])
    changed = [list(row) for row in square]
    changed[0][0], changed[0][1] = changed[0][1], changed[0][0]
    assert not verdict(square, changed)


def test_no_columns_at_all():
    empty = Relation((), (), 3)
    assert empty.rows() == [(), (), ()]
    assert verdict(empty, Relation((), (), 1))
    assert not verdict(empty, Relation((), (), 1), mode="bag")
    assert not verdict([[1]], empty)
    named = Relation.from_rows([], names=("a", "b"))
    assert verdict(named, [])
    assert verdict([], named, maximum=[])


# -- relations as values -----------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: relation_of("a").from_rows("ab"), "must be a list of rows"),
        (lambda: relation_of({"a": 1}), "must be a list of rows, or a single value"),
        (lambda: relation_of(None), r"NULL as an answer is \[\[null\]\]"),
        (lambda: relation_of([1, 2]), r"row 1 must be a list of values; got 1"),
        (lambda: relation_of([[1], [1, 2]]), "row 2 must have 1 values"),
        (lambda: relation_of([[]]), r"row 1 must hold at least one value; got \[\]"),
        (lambda: relation_of([[1], []]), "row 2 must hold at least one value"),
        (lambda: Relation.from_rows([[1]], names=["a", "b"]), "one for each of the 1"),
        (lambda: Relation.from_columns([], [[1], [1, 2]]), "of one length; got 1, 2"),
        (lambda: Relation.from_columns([], [[1]], []), "be one for each column"),
        (lambda: Relation.from_columns([], [[1]], [[True, False]]), "of the 1 rows"),
    ],
)
def test_what_is_no_relation_is_refused(make, message):
    refuses(message, make)


def test_relations_cannot_be_changed_and_change_nothing():
    given_ = np.array([1, 2])
    relation = Relation.from_columns(["a"], [given_])
    with pytest.raises(ValueError, match="read-only"):
        relation.columns[0].values[0] = 5
    given_[0] = 7
    assert relation.rows() == [(1,), (2,)]
    masked = Relation.from_columns([], [np.array([1, 99])], [[False, True]])
    assert masked.columns[0].values.tolist() == [1, 0]


# -- explanations ------------------------------------------------------------------


def test_an_explanation_in_words():
    reference = Relation.from_rows([["L", 5.0], ["R", None]], names=["code", "fare"])
    response = Relation.from_rows([[5.0, 1, "L"], [0.0, 1, "R"]])
    found = compare_relations(response=response, reference=reference)
    assert str(found).split("\n") == [
        'wrong (cas2/2): missing ("R" NIL); extra ("R" 0.0)',
        "  columns of the reference: 1 (code) is 3, 2 (fare) is 1 of the response",
        '  missing: 1 tuple, the first is ("R" NIL)',
        '  extra: 1 tuple, the first is ("R" 0.0)',
    ]
    assert json.loads(json.dumps(found.to_dict()))["missing"] == ["R", None]


@pytest.mark.parametrize(
    ("reference", "response", "fields", "reason"),
    [
        ([], [[1]], {}, "the reference has no rows"),
        ([[1]], [], {}, "the response has no rows"),
        ([[1, 2]], [[1]], {}, "1 column instead of 2"),
        (5, [[5, 6]], {}, "2 columns instead of a single value"),
        ([[1]], [[1], [1]], {"mode": "bag"}, "2 rows instead of 1"),
        (
            [[1], [1], [2]],
            [[1], [2], [2]],
            {"mode": "bag"},
            "rows come in other numbers",
        ),
        ([[1], [2]], [[2], [1]], {"mode": "ordered"}, "the same rows in another order"),
        (
            [[1], [1], [2]],
            [[1], [2], [2]],
            {"mode": "ordered"},
            "row 2: expected (1), found (2)",
        ),
        ([[1]], [[2]], {"mode": "ordered"}, "missing (1); extra (2)"),
        ([], [], {}, "both empty"),
        ([], [], {"mode": "bird-ex"}, "both empty"),
        ([], [], {"mode": "test-suite"}, "both empty"),
        ([[1, 2]], [[2, 1]], {"mode": "bird-ex"}, "missing (1 2); extra (2 1)"),
        ([[1, 1.5]], [[1.0, 1.5]], {"mode": "test-suite"}, "differs"),
        ([[1, 2]], [[1, 2, 3]], {"mode": "test-suite"}, "3 columns instead of 2"),
    ],
)
def test_reasons(reference, response, fields, reason):
    found = compare_relations(
        response=response, reference=reference, settings=TableSettings(**fields)
    )
    assert found.reason == reason


def test_a_sequence_says_where_it_parts():
    found = compare_relations(
        response=[["b"], ["a"], ["c"]],
        reference=[["a"], ["b"], ["c"]],
        settings=TableSettings(mode="ordered"),
    )
    assert str(found).split("\n") == [
        "wrong (ordered/2): the same rows in another order",
        "  columns of the reference: 1 is 1 of the response",
        '  row 1: expected ("a"), found ("b")',
    ]
    assert (found.n_missing, found.n_extra) == (0, 0)
    said = json.loads(json.dumps(found.to_dict()))
    assert (said["row"], said["expected"], said["found"]) == (0, ["a"], ["b"])
    # The columns of the response may be others.
    found = compare_relations(
        response=[[1, "a"], [3, "c"], [2, "b"]],
        reference=[["a", 1], ["b", 2], ["c", 3]],
        settings=TableSettings(mode="test-suite", ordered=True),
    )
    assert (found.row, found.expected, found.found) == (1, ("b", 2), ("c", 3))


def test_a_sequence_with_ties_says_where_it_parts():
    reference = [["a", 1], ["b", 1], ["c", 2], ["d", 2]]
    for response, row, expected, other in (
        ([["b", 1], ["x", 1], ["c", 2], ["d", 2]], 0, ("a", 1), ("x", 1)),
        ([["b", 1], ["a", 1], ["c", 2], ["c", 2]], 3, ("d", 2), ("c", 2)),
        ([["b", 1], ["a", 1], ["y", 2], ["x", 2]], 2, ("c", 2), ("y", 2)),
        ([["a", 1], ["a", 1], ["x", 2], ["d", 2]], 1, ("b", 1), ("a", 1)),
    ):
        found = compare_relations(
            response=response,
            reference=reference,
            settings=TableSettings(order_by=(1,)),
        )
        assert (found.row, found.expected, found.found) == (row, expected, other)
        assert found.right is False
    found = compare_relations(
        response=[["a", 1], ["b", 1], ["b", 1]],
        reference=[["a", 1], ["a", 1], ["b", 1]],
        settings=TableSettings(order_by=(1,)),
    )
    assert (found.reason, found.row) == ("rows come in other numbers", None)


@given(pairs())
@settings(max_examples=250)
def test_the_first_row_that_differs_is_the_twin_s(pair):
    reference, response = pair
    found = compare_relations(
        response=response, reference=reference, settings=TableSettings(mode="ordered")
    )
    if found.right or len(reference) != len(response) or found.mapping is None:
        assert found.row is None
        return
    projected = [tuple(row[column] for column in found.mapping) for row in response]
    assert found.row == twin.first_misplaced(reference, projected)
    if found.row is not None:
        assert found.expected == reference[found.row]
        assert found.found == projected[found.row]


@pytest.mark.parametrize(
    ("reference", "response", "fields", "missing", "extra"),
    [
        ([[1], [1], [1], [2]], [[2], [3], [3]], {}, 1, 1),
        ([[1], [1.0], [1], [2]], [[2], [3], [3]], {}, 1, 1),
        ([[1], [1], [2]], [], {}, 2, 0),
        ([], [[1], [1]], {}, 0, 1),
        ([[1], [1]], [], {"mode": "bag"}, 2, 0),
        ([[1], [1]], [[2], [2]], {"mode": "bag"}, 2, 2),
        ([[1], [True]], [[2]], {"mode": "bird-ex"}, 1, 1),
        ([["a"], [b"a"], ["a "]], [["b"]], {}, 2, 1),
    ],
)
def test_equal_tuples_of_a_set_are_counted_once(
    reference, response, fields, missing, extra
):
    found = compare_relations(
        response=response, reference=reference, settings=TableSettings(**fields)
    )
    assert (found.n_missing, found.n_extra) == (missing, extra)


def test_control_characters_of_values_and_names_are_shown():
    fake, escape = "a\n  right (cas2/2): equal", "b\x1b[31m"
    reference = Relation.from_rows([[fake], ["x" * 36 + '"' * 9]], names=[escape])
    said = str(compare_relations(response=[[escape]], reference=reference))
    assert said.split("\n") == [
        r'wrong (cas2/2): missing ("a\n  right (cas2/2): equal"); '
        r'extra ("b\x1b[31m")',
        r"  columns of the reference: 1 (b\x1b[31m) is 1 of the response",
        r'  missing: 2 tuples, the first is ("a\n  right (cas2/2): equal")',
        r'  extra: 1 tuple, the first is ("b\x1b[31m")',
    ]
    found = compare_relations(response=[[fake]], reference=reference)
    assert found.reason == f'missing ("{"x" * 36}\\"...")'


@pytest.mark.parametrize("n_columns", [400, 1600])
def test_the_explanation_of_many_columns_does_not_try_all_pairs(n_columns, monkeypatch):
    tried = []
    shared = table_pairs._shared
    monkeypatch.setattr(
        table_pairs, "_shared", lambda *both: tried.append(1) or shared(*both)
    )
    found = compare_relations(
        response=[[0] * (n_columns - 1) + [1]], reference=[[0] * n_columns]
    )
    assert found.mapping == tuple(range(n_columns))
    assert (found.n_missing, found.n_extra) == (1, 1)
    assert len(tried) == 1
    rows = np.arange(10 * n_columns).reshape(10, n_columns)
    found = compare_relations(response=rows + rows.size, reference=rows)
    assert sorted(found.mapping) == list(range(n_columns))
    assert len(tried) == 1


def test_columns_that_hold_most_in_common_are_put_together():
    reference = [[1, 7, "a", 0], [2, 8, "b", 0], [3, 9, "c", 0], [4, 9, "d", 0]]
    response = [[0, "a", 8, 1], [0, "b", 8, 2], [0, "c", 9, 3], [0, "e", 9, 4]]
    assert compare_relations(response=response, reference=reference).mapping == (
        3,
        2,
        1,
        0,
    )


def test_reasons_beyond_the_maximum():
    maximum = [[1, "a", "b"], [2, "c", "d"]]
    found = compare_relations(
        response=[[1, "x", "a"], [2, "x", "c"]], reference=[[1], [2]], maximum=maximum
    )
    assert (found.reason, found.beyond) == ("beyond the maximum: column 2", (1,))
    assert "beyond the maximum: column 2" in str(found)
    square = [[1, 2], [2, 1]]
    found = compare_relations(
        response=[[1, 1], [2, 2]], reference=[[1], [2]], maximum=square
    )
    assert found.reason == "not in the maximum: (1 1)"
    found = compare_relations(
        response=[[1, "c"], [2, "a"]], reference=[[1], [2]], maximum=maximum
    )
    assert found.outside == (1, "c")
    assert found.reason == 'not in the maximum: (1 "c")'
    found = compare_relations(response=[[1, 1]], reference=[[1]], maximum=[[1]])
    assert found.reason == "beyond the maximum: 2 columns, of 1 column"


# -- real results ------------------------------------------------------------------

DATA = Path(os.environ.get("DEMUR_DATA", "")) / "spider-dev19"
needs_data = pytest.mark.skipif(
    not (DATA / "questions.jsonl").exists(), reason="DEMUR_DATA has no spider-dev19"
)
SYSTEMS = (
    *("c3_chatgpt", "codex_few_shot", "dail_sql_gpt4", "dail_sql_gpt4_sc"),
    *("din_sql_codex", "din_sql_gpt4", "gpt4_few_shot", "gpt4_zero_shot"),
    "graphix_t5",
)


@cache
def results():
    """Both tables of every prediction that executes, and what others said of it."""
    connections = {}
    for path in (DATA / "database").glob("*.sqlite"):
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.text_factory = lambda text: text.decode(errors="ignore")
        connections[path.stem] = connection
    questions = {each["id"]: each for each in read_records(DATA / "questions.jsonl")}
    gold = {
        key: connections[each["db_id"]].execute(each["query"]).fetchall()
        for key, each in questions.items()
    }
    with (DATA / "anchor_verdicts.csv").open(encoding="utf-8") as file:
        said = {(row["system"], int(row["id"])): row for row in csv.DictReader(file)}
    predicted = {
        (system, each["id"]): each["sql"]
        for system in SYSTEMS
        for each in read_records(DATA / "predictions" / f"{system}.jsonl")
    }
    found = []
    for (system, key), row in said.items():
        if row["executed"] == "1":
            connection = connections[questions[key]["db_id"]]
            table = connection.execute(predicted[system, key]).fetchall()
            found.append((system, questions[key], gold[key], table, row))
    for connection in connections.values():
        connection.close()
    return found


@needs_data
def test_verdicts_of_other_evaluators_are_reproduced():
    odd = Counter()
    for _, question, gold, table, row in results():
        ordered = "order by" in question["query"].lower()
        mode = {"mode": "test-suite", "ordered": ordered}
        odd["test-suite"] += verdict(gold, table, **mode) != (row["testsuite"] == "1")
        odd["bird-ex"] += verdict(gold, table, mode="bird-ex") != (
            row["bird_ex"] == "1"
        )
    assert len(results()) == 8476
    assert odd == {"test-suite": 0, "bird-ex": 0}


@needs_data
def test_canonical_verdicts_on_real_results():
    right, odd, empty = Counter(), [], 0
    for system, question, gold, table, row in results():
        found = compare_relations(response=table, reference=gold)
        assert found.right is not None
        right[system] += found.right
        empty += found.both_empty
        if found.right != (row["proto_cas_set"] == "1"):
            odd.append((system, question["id"]))
    shares = {system: round(100 * right[system] / 972, 1) for system in SYSTEMS}
    assert shares["dail_sql_gpt4"] == 85.3
    assert shares["din_sql_gpt4"] == 87.0
    assert shares["c3_chatgpt"] == 84.4
    assert shares["gpt4_few_shot"] == 79.0
    assert shares["gpt4_zero_shot"] == 79.6
    assert odd == []
    assert empty == 379


NAN = float("nan")


@pytest.mark.parametrize("mode", ["cas2", "bag", "ordered"])
@pytest.mark.parametrize("more", [[], [[1]], [[1.5]], [["x"]]])
def test_null_beside_nan_is_not_zero(mode, more):
    null, zero = [[NAN], [None], *more], [[NAN], [0.0], *more]
    assert verdict(null, null, mode=mode)
    assert verdict(zero, zero, mode=mode)
    assert not verdict(null, zero, mode=mode)
    assert not verdict(zero, null, mode=mode)
    whole = [[NAN], [0], *more]
    assert verdict(zero, whole, mode=mode)
    assert not verdict(null, whole, mode=mode)
