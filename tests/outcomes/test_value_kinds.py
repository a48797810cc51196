"""What a value is, and which values are the same, whatever library they come from."""

import datetime
import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from demur.outcomes.gaps import is_absent
from demur.outcomes.value_kinds import (
    TypedText,
    a_kind,
    json_kind,
    kind_of,
    may_be_rounded,
    read_as,
    value_text,
)
from demur.outcomes.values import LongDecimal

NANOSECOND = "2020-01-02T03:00:00.000000001"
AHEAD = datetime.timezone(datetime.timedelta(hours=1))
COLOUR = enum.Enum("COLOUR", ["RED"])


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        *((None, True), (float("nan"), True), (pd.NA, True), (pd.NaT, True)),
        *((np.float32("nan"), True), (Decimal("nan"), True), (np.ma.masked, True)),
        *(
            (np.datetime64("NaT"), True),
            (Decimal("sNaN"), False),
            (np.float64(0), False),
        ),
        *(("", False), ([], False), ((), False), ({}, False), (0, False), (b"", False)),
        *((np.array([1.0]), False), (np.array([np.nan]), False), ({1}, False)),
        (pd.Timestamp("2020-01-02"), False),
    ],
)
def test_missing_has_many_signs(value: object, missing: bool) -> None:
    assert is_absent(value) is missing


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("1.0", "text", "1.0"),
        (np.str_("a"), "text", "a"),
        (COLOUR.RED, "number", "1"),
        (Fraction(1, 2), "text", "1/2"),
        (1.0, "number", "1"),
        (np.int8(1), "number", "1"),
        (np.float32(0.1), "number", "0.1"),
        (-0.0, "number", "0"),
        (1e22, "number", "1" + 22 * "0"),
        (float("inf"), "number", "Infinity"),
        (Decimal("1.50"), "number", "1.5"),
        (Decimal("100"), "number", "100"),
        (2**53 + 1, "number", "9007199254740993"),
        (LongDecimal.read("0.12345678901234567890"), "number", "0.1234567890123456789"),
        (True, "flag", "true"),
        (np.False_, "flag", "false"),
        (datetime.date(2020, 1, 2), "date", "2020-01-02"),
        (pd.Timestamp("2020-01-02"), "date", "2020-01-02"),
        (np.datetime64("2020-01-02T03"), "date", "2020-01-02T03:00:00"),
        (
            pd.Timestamp("2020-01-02T03", tz="+01:00"),
            "date",
            "2020-01-02T02:00:00+00:00",
        ),
        (np.datetime64("2020-01-02T03:00:00.000000001"), "date", NANOSECOND),
        (np.datetime64("20200-01-02"), "date", "20200-01-02"),
        (
            datetime.datetime.min.replace(tzinfo=AHEAD),
            "date",
            "0001-01-01T00:00:00+01:00",
        ),
        (("a", 1.0), "list", "(a, 1)"),
    ],
)
def test_values_are_compared_by_what_they_are(
    value: object, kind: str, text: str
) -> None:
    assert (kind_of(value), value_text(value)) == (kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        *(("number", "1.0", "1"), ("number", "-0", "0"), ("number", "1e2", "100")),
        *(("number", "\u22121.0", "-1"), ("number", "\u2212", None)),
        *(("date", "2020-01-02t01:00:00z", "2020-01-02T01:00:00+00:00"),),
        *(("number", word, None) for word in ("007", "+1", ".5", "1.", "", "٣", "1_0")),
        *(("number", "1e9999", None), ("number", "nan", None), ("number", " 1", None)),
        *(("flag", "TRUE", "true"), ("flag", "False ", "false"), ("flag", "yes", None)),
        *(("date", "2020-01-02 00:00:00", "2020-01-02"), ("date", "soon", None)),
        ("text", "a", None),
    ],
)
def test_texts_are_read_as_json_would(kind: str, text: str, read: str | None) -> None:
    assert read_as(kind, text) == read


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        *((1, "1.0", True), (1, "01", False), (1, True, False), (True, "True", True)),
        *((0.1, Decimal("0.10"), True), (True, "1", False), (1, "true", False)),
        (pd.Timestamp("2020-01-02"), "2020-01-02 00:00", True),
        (pd.Timestamp("2020-01-02"), datetime.date(2020, 1, 2), True),
    ],
)
def test_a_typed_value_is_the_same_as_another(
    value: object, other: object, same: bool
) -> None:
    there = other if isinstance(other, str) else TypedText.of(other)
    assert TypedText.of(value).is_same(there) is same


def test_kinds_that_are_no_values_are_shown_by_name() -> None:
    assert [a_kind(value) for value in (np.array([1]), {"a": 1})] == [
        "an array, array([1])",
        "an object, {'a': 1}",
    ]
    assert kind_of(object()) == kind_of(pytest.mark) == "instance"
    assert [json_kind(value) for value in ('["a"', '{"a": 1}', "1.5", 2)] == [
        *("text", "object", "number", "number")
    ]
    assert not may_be_rounded(2.0**53 - 1)
