"""Results in bytes: what is written is what is read, and nothing else is read."""

import datetime
import uuid
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demur.sql.execution.queries import QueryFailed, SqlFailure
from demur.sql.execution.results import (
    ResultWriter,
    failure_in,
    failure_payload,
    plain,
    read_payload,
)

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(st.characters()),  # lone surrogates too
    st.binary(),
)
COLUMNS = st.sampled_from(
    [
        VALUES,
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False),
        st.booleans(),
        st.none() | st.integers(0, 3),
        st.none() | st.floats(0, 1),
        st.none() | st.booleans(),
        st.none(),
    ]
)


@st.composite
def tables(draw):
    columns = draw(st.lists(COLUMNS, min_size=1, max_size=4))
    return draw(st.lists(st.tuples(*columns), max_size=12)), len(columns)


def written(rows, width, cuts=(), **options):
    writer = ResultWriter([f"c{i}" for i in range(width)], 10**6)
    edges = [0, *sorted(cuts), len(rows)]
    for start, stop in zip(edges, edges[1:], strict=False):
        writer.add(rows[start:stop])
    return writer.payload(**{"truncated": False, **options})


def exact(rows):
    return [[(type(value), value) for value in row] for row in rows]


@given(tables(), st.lists(st.integers(0, 12), max_size=3))
def test_rows_come_back_with_their_types_however_they_were_cut(table, cuts):
    rows, width = table
    cuts = [min(cut, len(rows)) for cut in cuts]
    result = read_payload(written(rows, width, cuts))
    assert exact(result.rows()) == exact(rows)
    assert result.n_rows == len(rows)
    assert result.names == tuple(f"c{i}" for i in range(width))


@given(tables(), st.lists(st.integers(0, 12), max_size=3))
def test_the_bytes_do_not_depend_on_how_rows_were_cut(table, cuts):
    rows, width = table
    one = read_payload(written(rows, width))
    other = read_payload(written(rows, width, [min(cut, len(rows)) for cut in cuts]))
    for a, b in zip(one.columns, other.columns, strict=True):
        assert a.dtype == b.dtype or not rows


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, -(2**63), 2**63 - 1], "int64"),
        ([1, 2**63], "object"),
        ([1, None], "int64"),
        ([1.0, float("inf")], "float64"),
        ([1, 1.0], "object"),
        ([True, 1], "object"),
        ([True, None, False], "bool"),
        (["a", None], "object"),
        ([None, None], "object"),
    ],
)
def test_columns_of_one_type_are_arrays_of_it(values, dtype):
    result = read_payload(written([(value,) for value in values], 1))
    (column,), (null,) = result.columns, result.nulls
    assert column.dtype == np.dtype(dtype)
    assert null.dtype == np.bool_
    assert null.tolist() == [value is None for value in values]
    assert not column.flags.writeable
    assert not null.flags.writeable


def test_truncation_is_said():
    assert read_payload(written([(1,)], 1, truncated=True)).truncated
    assert not read_payload(written([(1,)], 1)).truncated


def test_a_failure_is_read_as_one():
    failure = SqlFailure("memory", "too much \udcff")
    assert read_payload(failure_payload(failure)) == failure
    assert failure_in(failure_payload(failure)) == failure
    assert failure_in(written([("failure",)], 1)) is None


@pytest.mark.parametrize("size", [0, 3, 20, -1])
def test_a_cut_payload_is_refused(size):
    whole = written([(1, "a"), (2, "b")], 2)
    with pytest.raises(ValueError, match=r"."):
        read_payload(whole[:size])


@pytest.mark.parametrize("value", ["x" * 100, b"x" * 100])
def test_a_result_beyond_its_size_stops(value):
    writer = ResultWriter(["a"], 1000)
    writer.add([(value,)] * 5)
    with pytest.raises(QueryFailed, match="more than 1,000 bytes") as caught:
        writer.add([(value,)] * 10)
    assert caught.value.failure.kind == "memory"


@pytest.mark.parametrize(
    ("first", "last"), [("x", "x"), (1, "x"), (1, 1.5), (None, "x"), (10**20, 1)]
)
def test_what_a_result_takes_where_it_is_read_counts(first, last):
    writer = ResultWriter(["a"], 1000)
    writer.add([(first,)] * 20)
    rows = [(last,)] * 11
    with pytest.raises(QueryFailed, match="more than 2,000 bytes"):
        writer.add(rows)


def test_numbers_take_no_more_where_they_are_read():
    writer = ResultWriter(["a", "b"], 1000)
    writer.add([(1, 1.5)] * 30)
    writer.add([(None, None)] * 30)
    assert len(read_payload(writer.payload(truncated=False)).rows()) == 60


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("7"), 7),
        (Decimal("1E+3"), 1000),
        (Decimal("7.00"), 7.0),
        (Decimal("-0.25"), -0.25),
        (datetime.date(2026, 1, 31), "2026-01-31"),
        (datetime.time(7, 30), "07:30:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (memoryview(b"ab"), b"ab"),
        ([1, "ü", None], '[1, "ü", null]'),
        ({"a": datetime.date(2026, 1, 31)}, '{"a": "2026-01-31"}'),
    ],
)
def test_values_of_engines_become_plain(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_decimals_that_are_no_number_stay_none():
    assert np.isnan(plain(Decimal("NaN")))
