"""Labels of two columns, compared by one rule."""

import datetime
import enum
from decimal import Decimal

import numpy as np
import pytest

from builders import refuses
from demur.outcomes.labels import label_columns
from demur.outcomes.named_columns import NamedColumns

NAN = float("nan")
Act = enum.Enum("Act", {"ASK": "ask"})
ONE = "are one label: labels are compared as numbers"


@pytest.mark.parametrize(
    ("given", "true", "texts", "note"),
    [
        ([1.0, NAN], [1, 2], (["1", None], ["1", "2"]), ""),
        (["1.0", ""], ["1", "2"], (["1", None], ["1", "2"]), f"'1.0' and '1' {ONE}"),
        (["1.0"], [1, "a"], (["1"], ["1", "a"]), f"'1.0' and 1 {ONE}"),
        (["1.0", "a"], ["1", "a"], (["1", "a"], ["1", "a"]), "write a letter before"),
        (["1.0", "a"], ["1.0", "b"], (["1.0", "a"], ["1.0", "b"]), ""),
        (["True", "a"], ["true", "b"], (["true", "a"], ["true", "b"]), "as flags"),
        ([float("inf")], [1], (["Infinity"], ["1"]), ""),
        ([Act.ASK], ["ask"], (["ask"], ["ask"]), ""),
        ([Act.ASK], ["ASK"], (["ask"], ["ASK"]), "compared by their values"),
        ([Act.ASK], ["Act.ASK"], (["ask"], ["Act.ASK"]), "compared by their values"),
        (["7"], ["007"], (["7"], ["007"]), "are numbers, and all true ones texts"),
        (["TRUE"], ["true"], (["true"], ["true"]), "compared as flags"),
        (["True"], [True], (["true"], ["true"]), "compared as flags"),
        ([1], [True], (["1"], ["true"]), "all labels that are given are numbers, and"),
        ([1, False], [True, 2], (["1", "false"], ["true", "2"]), ""),
        ([True, "x"], ["x", 1], (["true", "x"], ["x", "1"]), "are different labels"),
        ([Decimal("1.50")], [1.5], (["1.5"], ["1.5"]), ""),
        ([datetime.date(2020, 1, 2)], ["2020-01-02"], (["2020-01-02"],) * 2, ""),
        ([2.0**53], [2**53], (["9007199254740992"],) * 2, "more digits than these"),
        ([None], ["a"], ([None], ["a"]), ""),
        (np.array([0.1], np.float32), [0.1], (["0.1"],) * 2, ""),
    ],
)
def test_labels_are_texts_that_are_equal_where_labels_are(
    given: object, true: object, texts: object, note: str
) -> None:
    labels = label_columns(NamedColumns({"hyp": given, "ref": true}), "hyp", "ref")
    assert labels.columns == texts
    assert note in "".join(labels.notes)
    assert bool(labels.notes) is bool(note)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        (["a"], "row 2: hyp must be one label.*; got a list, .*Several labels"),
        (frozenset("a"), "got a set, .*Several labels"),
        ({"a": 1}, "got an object, "),
        (b"a", "got bytes, b'a'. Decode it"),
        (np.array([1]), "got an array, "),
        (object(), "got an object of class object, <object object at"),
    ],
)
def test_what_is_no_label_is_refused(label: object, message: str) -> None:
    table = NamedColumns({"hyp": ["a", label], "ref": ["a", "b"]})
    refuses(message, label_columns, table, "hyp", "ref")
