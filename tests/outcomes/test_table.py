"""The outcomes table: what it takes, what it refuses and where, and its parts."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.outcomes.building import NOT_JUDGED_YET, repeated


def table(**columns: Any) -> demur.Outcomes:
    return demur.Outcomes.from_arrays(**columns)


# -- forms of input ----------------------------------------------------------------


@pytest.mark.parametrize(
    "correct",
    [
        [True, False, None],
        [1, 0, None],
        [1.0, 0.0, None],
        np.ma.array([1.0, 0.0, 0.5], mask=[False, False, True]),
        np.array([True, False, None], object),
    ],
)
def test_correct_in_all_its_forms(correct: Any) -> None:
    outcomes = table(correct=correct)
    assert outcomes.outcome.tolist() == [0, 1, 2]
    assert outcomes.credit is None
    assert outcomes.item.tolist() == [0, 1, 2]


def test_answered_overrules_correct() -> None:
    outcomes = table(correct=np.array([True, False]), answered=np.array([False, True]))
    assert outcomes.outcome.tolist() == [2, 1]


def test_partial_credit() -> None:
    outcomes = table(correct=[0.5, 1, 0, None])
    assert outcomes.outcome.tolist() == [0, 0, 1, 2]
    assert outcomes.credit is not None
    assert outcomes.credit.tolist() == [0.5, 1, 0, 0]
    named = table(outcome=["right", "wrong"], credit=[0.25, None])
    assert named.credit is not None
    assert named.credit.tolist() == [0.25, 0]


def test_whole_number_ids_become_text_beside_text() -> None:
    assert table(correct=[1, 1], item=["a", 7]).item.tolist() == ["a", "7"]


def test_display_columns_hold_anything() -> None:
    outcomes = table(correct=[1, 0], response=[[1, 2], [3, 4]], input=["a", None])
    assert outcomes.response is not None
    assert outcomes.response.tolist() == [[1, 2], [3, 4]]


def test_float32_stays_float32() -> None:
    outcomes = table(correct=[1, 0], confidence=np.array([0.1, 0.2], np.float32))
    assert outcomes.confidence is not None
    assert outcomes.confidence.dtype == np.float32


# -- what is refused, and where ----------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "table must have a column; got none"),
        (
            {"confidence": [1]},
            "either a column outcome or a column correct; got neither",
        ),
        ({"correct": [1], "outcome": ["right"]}, "got both"),
        ({"correct": [1, 0], "confidence": [1]}, "must be as long as correct (2 rows)"),
        ({"outcome": ["right", "rigth"]}, "row 1: outcome must be one of"),
        ({"outcome": ["right", None]}, "row 1: outcome must be one of"),
        ({"correct": [1, 2]}, "row 1: correct must be true, false, a credit"),
        ({"correct": [1, "yes"]}, "row 1: correct must be true, false, a credit"),
        ({"correct": [1, float("nan")]}, "row 1: correct must be true, false"),
        ({"outcome": ["wrong"], "credit": [0.5]}, "row 0: credit must be 0"),
        ({"outcome": ["right"], "credit": [0]}, "row 0: credit must be above 0"),
        ({"outcome": ["right"], "credit": [1.5]}, "row 0: credit must be above 0"),
        ({"correct": [1], "credit": [1]}, "credit must not stand beside correct"),
        ({"correct": [1], "confidence": ["0.9"]}, "row 0: confidence must be a number"),
        ({"correct": [1], "confidence": [True]}, "row 0: confidence must be a number"),
        ({"correct": [1], "confidence": [float("nan")]}, "got NaN. Mark the item"),
        ({"correct": [1, 1], "confidence": [0.1, None]}, "for every guess of a system"),
        ({"correct": [1, 1], "weight": [1, 0]}, "row 1: weight must be positive"),
        ({"correct": [1], "weight": [float("inf")]}, "weight must be positive"),
        ({"correct": [1], "weight": [-1]}, "weight must be positive"),
        ({"correct": [1], "answerable": [False]}, "row 0: outcome must be wrong or un"),
        ({"outcome": ["ungraded"], "answerable": [False]}, "wrong or unanswered where"),
        ({"correct": [1], "answerable": ["no"]}, "answerable must be true or false"),
        ({"correct": [1], "item": [None]}, "row 0: item must be a text"),
        ({"correct": [1], "item": [""]}, "row 0: item must be a text"),
        ({"correct": [1], "item": [1.5]}, "row 0: item must be a text"),
        ({"correct": [1], "item": [True]}, "row 0: item must be a text"),
        ({"correct": [None], "kind": ["idk?"]}, "Did you mean 'idk'?"),
        ({"correct": [1], "confidense": [1]}, "Did you mean 'confidence'?"),
        ({"correct": [1], "groups": {"outcome": [1]}}, "name of a column of the table"),
        ({"correct": (x for x in [1])}, "correct must be a sequence; got 'generator'"),
        ({"correct": 1}, "correct must be a sequence; got 'int'"),
        ({"correct": [1], "confidence": [2**63 + 1]}, "64-bit float exactly"),
        ({"correct": [1], "confidence": np.array([2**53 + 1])}, "64-bit float exactly"),
        ({"correct": np.array([[1]])}, "must have one dimension; got 2 dimensions"),
        ({"outcome": np.array([0, 9], np.uint8)}, "code from 0 to 3; got 9"),
    ],
)
def test_refusals_name_the_row_and_what_must_hold(
    columns: dict[str, Any], message: str
) -> None:
    with pytest.raises(demur.InputError) as caught:
        table(**columns)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_system_may_lack_confidences_that_another_has() -> None:
    outcomes = table(
        item=["q", "q"], system=["a", "b"], correct=[1, 1], confidence=[0.5, None]
    )
    first, second = demur.curve_by(outcomes)
    assert first.ladder is not None
    assert second.ladder is None


def test_confidences_of_unanswered_items_are_ignored_and_counted() -> None:
    outcomes = table(correct=[1, None, None], confidence=[0.5, 0.9, float("nan")])
    assert outcomes.notes == ("1 confidence of an unanswered item is ignored",)
    assert outcomes.confidence is not None
    assert np.isnan(outcomes.confidence[1])
    assert demur.error_return(outcomes).notes == outcomes.notes


@pytest.mark.parametrize(
    "columns",
    [
        {"item": ["a", "b", "a"]},
        {"item": [1, 2, 1]},
        {"item": np.array([5, 6, 5])},
        {"item": ["a", "b", "a"], "system": ["s", "t", "s"]},
        {"item": ["a", "a", "a"], "repeat": ["1", "2", "1"]},
        {"item": ["a", "b", "a"], "system": "s", "setting": [None, "x", None]},
    ],
)
def test_repeated_keys_are_refused_with_both_places(columns: dict[str, Any]) -> None:
    refuses(r"row 2: the key .*first at .*row 0", table, correct=[1, 1, 1], **columns)


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "a", "b", "7"]), st.integers(-2, 2)), min_size=1
    )
)
def test_repeated_finds_what_a_dictionary_finds(pairs: list[tuple[str, int]]) -> None:
    texts = np.array([text for text, _ in pairs], object)
    numbers = np.array([number for _, number in pairs], np.int64)
    rows: dict[tuple[str, int], list[int]] = {}
    for row, pair in enumerate(pairs):
        rows.setdefault(pair, []).append(row)
    groups = sorted((row for row in rows.values() if len(row) > 1), key=lambda g: g[1])
    assert repeated([texts, numbers]) == groups


# -- parts and wholes --------------------------------------------------------------


def test_parts_keep_every_row_once() -> None:
    outcomes = table(
        item=["q", "r", "q", "r"],
        system=["b", "a", "a", "b"],
        correct=[1, 0, 1, 1],
        groups={"topic": ["x", "y", "x", "y"]},
    )
    parts = dict(outcomes.parts(["system"]))
    assert list(parts) == [("b",), ("a",)]
    assert parts[("a",)].item.tolist() == ["r", "q"]
    assert parts[("b",)].groups["topic"].tolist() == ["x", "y"]
    assert sum(map(len, parts.values())) == 4
    assert outcomes.systems == ("b", "a")


def test_select_and_column_name_what_there_is() -> None:
    outcomes = table(correct=[1, 1], item=["a", "b"], system=["one", "two"])
    assert outcomes.select(system="two").item.tolist() == ["b"]
    refuses("Did you mean 'two'", outcomes.select, system="twoo")
    refuses("must be one of item, system, outcome", outcomes.column, "weight")


def test_parts_by_anything() -> None:
    outcomes = table(
        correct=[1, None, 0, 1],
        confidence=[0.5, None, 0.25, 0.5],
        groups={"mixed": [1, True, [2], None]},
    )
    by_confidence = [values for values, _ in outcomes.parts(["confidence"])]
    assert by_confidence == [("0.5",), (None,), ("0.25",)]
    by_group = [values for values, _ in outcomes.parts(["mixed"])]
    assert by_group == [("1",), ("True",), ("[2]",), (None,)]
    names = [curve.system for curve in demur.curve_by(outcomes, by="mixed")]
    assert names[-1] == "mixed = (none)"
    by_outcome = [values for values, _ in outcomes.parts(["outcome"])]
    assert by_outcome == [("right",), ("unanswered",), ("wrong",)]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("width", [4, 8])
def test_byte_order_changes_nothing(order: str, width: int) -> None:
    confidence = np.array([0.9, 0.8, 0.3, 0.2], f"{order}f{width}")
    curve = demur.error_return(table(correct=[1, 0, 1, 0], confidence=confidence))
    assert curve.error.tolist() == [0.5, 0.25, 0.25, 0, 0]
    assert curve.area().value == 0.1875


def test_long_ids_stay_themselves() -> None:
    item = np.array([2**64 - 1, 5], np.uint64)
    assert table(correct=[1, 0], item=item).item.tolist() == [str(2**64 - 1), "5"]


def test_odd_weights_of_any_size() -> None:
    for scale in (1e200, 1e-200, 1e300, 1.0):
        curve = demur.error_return(
            table(correct=[1, 0], confidence=[2, 1], weight=[scale, 2 * scale])
        )
        assert curve.error.tolist() == [2 / 3, 0, 0]
        assert curve.area().value == pytest.approx(2 / 9)


def test_crossing_on_a_level_stretch_with_odd_weights() -> None:
    curve = demur.error_return(
        table(
            outcome=["wrong", "right", "right", "ungraded"],
            confidence=[0.1, 0.7, 0.7, 0.2],
            weight=[2, 1 / 7000, 2, 2],
        )
    )
    assert curve.crossing == pytest.approx(1 / 3, abs=1e-4)


def test_systems_are_told_apart_in_notes() -> None:
    outcomes = table(
        item=["q", "r", "q"],
        system=["a", "a", "b"],
        correct=[None, None, None],
        confidence=[1, 2, 3],
    )
    assert outcomes.notes == (
        "3 confidences of unanswered items are ignored (a: 2, b: 1)",
        NOT_JUDGED_YET,
    )


def test_arrays_cannot_be_written() -> None:
    outcomes = table(correct=[1, 0], weight=[1, 2])
    arrays = (outcomes.item, outcomes.system, outcomes.outcome.codes, outcomes.weight)
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError, match="item assignment"):
        outcomes.outcome[0] = 0


# -- dataframes --------------------------------------------------------------------

FULL: dict[str, Any] = {
    "item": ["a", "b", "c", "d"],
    "system": ["s", "s", "t", "t"],
    "outcome": ["right", "wrong", "unanswered", "right"],
    "credit": [0.5, 0.0, 0.0, 1.0],
    "confidence": [0.25, float("-inf"), None, 0.75],
    "declined": [False, True, False, False],
    "answerable": [True, False, False, True],
    "weight": [1.0, 2.0, 0.5, 1.0],
    "cluster": ["x", None, "y", "y"],
    "kind": [None, None, "refusal", None],
}


def frame_of(backend: str, columns: dict[str, list[Any]]) -> Any:
    if backend == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        made = pytest.importorskip("pyarrow").table(columns)
        return duckdb.connect().from_arrow(made)
    if backend == "polars-lazy":
        return pytest.importorskip("polars").LazyFrame(columns)
    library = pytest.importorskip(backend)
    return getattr(library, "table" if backend == "pyarrow" else "DataFrame")(columns)


@pytest.mark.parametrize(
    "backend", ["pandas", "polars", "pyarrow", "duckdb", "polars-lazy"]
)
def test_frames_of_all_libraries_give_the_same_table(backend: str) -> None:
    frame = frame_of(backend, FULL | {"topic": ["p", "q", "p", "q"]})
    found = demur.Outcomes.from_frame(frame)
    expected = table(**FULL, groups={"topic": ["p", "q", "p", "q"]})
    assert found.to_columns() == expected.to_columns()
    assert demur.Outcomes.from_frame(frame, groups=[]).groups == {}


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frame_round_trip(backend: str) -> None:
    outcomes = table(**FULL, groups={"topic": ["p", "q", "p", None]})
    again = demur.Outcomes.from_frame(outcomes.to_frame(backend))
    assert again.to_columns() == outcomes.to_columns()


def test_frames_with_other_names_and_bad_names() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": ["a"], "ok": [True], "p": [0.5]})
    names = {"item": "id", "correct": "ok", "confidence": "p"}
    assert demur.Outcomes.from_frame(frame, names=names).counts()["right"] == 1
    with pytest.raises(demur.InputError, match="Did you mean 'ok'"):
        demur.Outcomes.from_frame(frame, names={"correct": "okk"})
    refuses("must be a dataframe", demur.Outcomes.from_frame, [1, 2])


def test_frames_name_the_columns_that_may_be_meant() -> None:
    frame = pd.DataFrame({"item": ["a"], "ok": [True], "Confidence": [0.5]})
    refuses(r"got item, ok, Confidence.*names=", demur.Outcomes.from_frame, frame)
    found = demur.Outcomes.from_frame(frame, names={"correct": "ok"})
    said = "there is no column confidence: is it 'Confidence'?"
    assert found.notes == (said,)
    names = {"correct": "ok", "confidence": "Confidence"}
    assert demur.Outcomes.from_frame(frame, names=names).notes == ()


def test_a_column_that_was_not_read_is_had_by_groups() -> None:
    with pytest.raises(demur.InputError, match=r"read_outcomes\(.*groups=\['intent'\]"):
        demur.curve_by(table(**FULL), by="intent")


def test_decimals_and_huge_integers_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    query = "select 'q' as item, 0.9 as confidence, sum(1) as correct"
    outcomes = demur.Outcomes.from_frame(duckdb.sql(query))
    assert outcomes.counts()["right"] == 1
    assert outcomes.confidence is not None
    assert outcomes.confidence.tolist() == [0.9]


def test_a_column_that_another_stands_in_for_is_left_out() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"item": [1], "correct": [True], "confidence": [0.1], "calibrated": [0.8]}
    )
    outcomes = demur.Outcomes.from_frame(frame, names={"confidence": "calibrated"})
    assert outcomes.groups == {}
    assert outcomes.to_frame("polars")["confidence"].to_list() == [0.8]


def test_nan_of_polars_is_refused_and_null_is_missing() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"correct": [True, None], "confidence": [0.5, None]})
    assert demur.Outcomes.from_frame(frame).counts()["unanswered"] == 1
    frame = polars.DataFrame({"correct": [True], "confidence": [float("nan")]})
    refuses("row 0: confidence must be a number", demur.Outcomes.from_frame, frame)


def test_gaps_of_pandas_are_gaps_in_columns_as_in_frames() -> None:
    correct = pd.Series([True, None, False], dtype="boolean")
    confidence = pd.Series([0.9, None, 0.1], dtype="Float64")
    names = pd.Series(["a", None, "b"], dtype="string")
    columns = demur.Outcomes.from_arrays(
        correct=correct,
        confidence=confidence,
        cluster=names,
        groups={"speaker": names, "day": [pd.NA, "mon", None]},
    )
    frame = pd.DataFrame(
        {"correct": correct, "confidence": confidence, "cluster": names}
    ).assign(speaker=names, day=[pd.NA, "mon", None])
    assert columns.to_columns() == demur.Outcomes.from_frame(frame).to_columns() | {
        "item": columns.item.tolist()
    }
    assert columns.counts()["unanswered"] == 1
    assert columns.groups["day"].tolist() == [None, "mon", None]
    assert [part for (part,), _ in columns.parts(["speaker"])] == ["a", None, "b"]


@pytest.mark.parametrize(
    "correct",
    [
        pd.Series([1.0, math.nan]),
        pd.Series([True, None], dtype="bool[pyarrow]"),
        pd.array([1, None], dtype="Int64"),
        [1, pd.NA],
        np.array([1, pd.NA], object),
    ],
)
def test_a_gap_of_pandas_is_no_answer(correct: Any) -> None:
    counts = demur.Outcomes.from_arrays(correct=correct).counts()
    assert (counts["right"], counts["unanswered"]) == (1, 1)


@pytest.mark.parametrize("correct", [[1.0, math.nan], np.array([1.0, math.nan])])
def test_nan_that_is_no_gap_of_pandas_is_refused(correct: Any) -> None:
    with pytest.raises(demur.InputError, match=r"row 1: correct must be .*; got nan"):
        demur.Outcomes.from_arrays(correct=correct)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["correct", "x", "x"], "columns must have different names; got 'x' twice"),
        (["correct", "confidence", 0], "columns must have texts for names; got 0"),
        (
            pd.MultiIndex.from_product([["a"], ["correct", "x", "y"]]),
            r"columns must have texts for names; got \('a', 'correct'\)",
        ),
    ],
)
def test_frames_with_odd_names_are_refused(columns: Any, message: str) -> None:
    frame = pd.DataFrame([[1, 0.5, 0.6], [0, 0.2, 0.1]], columns=columns)
    refuses(message, demur.Outcomes.from_frame, frame)


def test_an_index_of_several_levels_is_no_column_but_does_no_harm() -> None:
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])
    frame = pd.DataFrame({"correct": [1, 0]}, index=levels)
    read = demur.Outcomes.from_frame(frame)
    assert read.counts()["right"] == 1
    assert ["level 0 of the index has no name" in note for note in read.notes] == [True]
    with pytest.raises(demur.InputError, match="item must be a text or a whole number"):
        demur.Outcomes.from_arrays(correct=[1, 0], item=levels)


def test_records_with_numbers_for_names_are_read() -> None:
    records = pd.DataFrame({"item": ["q1"], "response": ["a"], 0: ["b"]})
    outcomes = demur.judge(records, [{"item": "q1", "reference": "a"}])
    assert outcomes.groups["0"].tolist() == ["b"]


def test_a_group_may_hold_lists_of_different_lengths() -> None:
    topics = [["a", "b"], ["a", "b"], ["c"]]
    outcomes = demur.Outcomes.from_arrays(correct=[1, 0, 1], groups={"topics": topics})
    names = [curve.system for curve in demur.curve_by(outcomes, by="topics")]
    assert names == ["topics = ['a', 'b']", "topics = ['c']"]


@pytest.mark.parametrize(
    ("confidences", "noted"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5, 83], True),
        ([0.1, 0.2, 83, 90], True),
        ([0.1, 83], False),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 12.5], False),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 1.0], False),
    ],
)
def test_one_percent_among_fractions_is_noted(confidences, noted):
    outcomes = demur.Outcomes.from_arrays(
        correct=[True] * len(confidences), confidence=confidences
    )
    assert ("fractions and percents mixed" in " ".join(outcomes.notes)) == noted
