"""The table at its edges: one row, weights, words for flags, items of one table."""

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import demur
from builders import by_outcome, refuses, undefined
from demur.outcomes import frames, gaps, named_columns, values
from demur.outcomes.columns import from_array, from_cells, from_values
from demur.outcomes.parts import (
    confidences_of,
    in_item_order,
    paired,
    sample_of,
    stacked,
)


def test_a_table_of_one_row_has_one_part() -> None:
    one = demur.Outcomes.from_arrays(item=["q"], system="a", correct=[True])
    ((names, part),) = one.parts(["system", "outcome"])
    assert (names, len(part)) == (("a", "right"), 1)


def test_tables_below_one_another() -> None:
    first = by_outcome(["right"], item=["q"], system=["a"])
    first = replace(first, recipe={"by": "label"})
    second = by_outcome(
        ["wrong"], [0.5], item=["q"], system=["b"], groups={"word": ["w"]}
    )
    both = stacked([first, second])
    assert both.recipe == {"by": "label"}
    assert both.system is not None
    assert both.confidence is not None
    assert both.system.tolist() == ["a", "b"]
    assert np.isnan(both.confidence).tolist() == [True, False]
    assert both.groups["word"].tolist() == [None, "w"]
    assert stacked([second]) is second


@pytest.mark.parametrize("code", [3, 4, 255])
def test_outcomes_may_be_codes(code: int) -> None:
    columns = {"item": np.arange(2), "outcome": np.array([0, code], np.uint8)}
    if code < 4:
        assert demur.Outcomes.from_columns(columns).outcome.tolist() == [0, code]
    else:
        got = f"row 1: outcome must be a code from 0 to 3; got {code}"
        refuses(got, demur.Outcomes.from_columns, columns)


@pytest.mark.parametrize(("system", "name"), [("a", "a"), (None, "the system")])
def test_who_gives_no_confidences_is_named(system: str | None, name: str) -> None:
    columns = {} if system is None else {"system": system}
    table = demur.Outcomes.from_arrays(correct=[1, None], **columns)
    guess = np.array([True, False])
    undefined(f"{name} gives no confidences", confidences_of, "here", table, guess)
    sure = demur.Outcomes.from_arrays(correct=[1, None], confidence=[0.5, None])
    assert np.isnan(confidences_of("here", sure, guess)).tolist() == [False, True]


def test_mean_credit_weighs_items() -> None:
    outcomes = demur.Outcomes.from_arrays(
        correct=[1, 0, 0.5, None], weight=[1, 2, 4, 1]
    )
    assert outcomes.mean_credit() == pytest.approx((1 + 4 * 0.5) / 8)
    plain = demur.Outcomes.from_arrays(correct=[1, 0, 0.5, None])
    assert plain.mean_credit() == pytest.approx(1.5 / 4)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_common_items_are_those_that_all_have(order: tuple[int, int]) -> None:
    tables = [
        demur.Outcomes.from_arrays(system=name, item=items, correct=[1] * len(items))
        for name, items in (("a", ["q1", "q2"]), ("b", ["q2", "q3", "q4"]))
    ]
    given = [tables[number] for number in order]
    (first, second), notes = paired(given, items="common")
    assert first.item.tolist() == second.item.tolist() == ["q2"]
    assert notes == (
        "1 common items; left out: "
        + ", ".join(f"{len(each) - 1} of {each.systems[0]}" for each in given),
    )


def test_systems_that_share_items_two_by_two_only() -> None:
    tables = [
        demur.Outcomes.from_arrays(system=name, item=items, correct=[1] * len(items))
        for name, items in (("a", ["q1", "q2"]), ("b", ["q1"]), ("c", ["q2"]))
    ]
    for items in ("equal", "common"):
        got = "none: a has items such as 'q1', c such as 'q2'"
        refuses(got, paired, tables, items=items)


@pytest.mark.parametrize(
    ("confidence", "kept", "ignored"),
    [
        ([0.9, 0.5, 0.1], [0.9, 0.5, None], 1),  # the last one is unanswered
        ([0.9, 0.5, None], [0.9, 0.5, None], 0),
        ([None, None, 0.1], None, 1),
        ([None, None, None], None, 0),
    ],
)
def test_confidences_are_those_of_guesses(
    confidence: list[float | None], kept: list[float | None] | None, ignored: int
) -> None:
    table = by_outcome(["right", "ungraded", "unanswered"], confidence)
    assert table.to_columns().get("confidence") == kept
    assert ["ignored" in note for note in table.notes] == [True] * ignored


def test_every_guess_of_a_system_has_a_confidence_or_none_has() -> None:
    rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "x")]
    columns = {
        "item": [*"qqqr"],
        "system": [system for system, _ in rows],
        "setting": [setting for _, setting in rows],
    }
    kept = by_outcome(["right"] * 4, [0.5, None, None, None], **columns)
    assert kept.to_columns()["confidence"] == [0.5, None, None, None]
    for given in ([0.5, None, 0.3, None], [None, 0.3, None, 0.5]):
        need = f"row {given.index(None, 2)}: confidence must be given for every guess"
        refuses(need, by_outcome, ["right"] * 4, given, **columns)


def test_what_was_not_answered_has_no_credit() -> None:
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(3),
            "correct": np.array([0.5, 0.5, 1.0]),
            "answered": np.array([True, False, True]),
        }
    )
    assert outcomes.counts()["unanswered"] == 1
    assert outcomes.credit is not None
    assert outcomes.credit.tolist() == [0.5, 0.0, 1.0]


def test_true_is_no_confidence_and_a_credit() -> None:
    with pytest.raises(demur.InputError, match="confidence must be a number; got true"):
        from_values("confidence", [0.5, True], "row {}".format)
    assert from_values("correct", [True, 0.5, None], "row {}".format)[:2].tolist() == [
        *(1.0, 0.5)
    ]


def test_words_of_flags_and_credits() -> None:
    assert values.flag("declined", None, "row 1") is None
    assert values.flag("declined", np.bool_(True), "row 1") is True
    assert values.number_cell("correct", "True", "row 1") == 1.0
    assert values.number_cell("correct", "no", "row 1") == 0.0
    for name, cell in (("confidence", "true"), ("weight", "yes")):
        refuses(f"{name} must be a number", values.number_cell, name, cell, "row 1")


def test_infinities_in_cells() -> None:
    assert values.number_cell("confidence", "-inf", "row 1") == -math.inf
    assert values.number_cell("confidence", "Infinity", "row 1") == math.inf
    for cell in ("1e999", "9" * 309 + ".", "9" * 309 + ".0"):
        for name in ("confidence", "weight"):
            refuses("be a finite number", values.number_cell, name, cell, "row 1")
    refuses("be a finite number", values.number_cell, "weight", "inf", "row 1")


@pytest.mark.parametrize(
    ("name", "cell", "hint"),
    [
        ("weight", "0,5", r"Write a decimal point: 0\.5\."),
        ("weight", "1,000,5", "An empty cell stands for no value"),
        ("weight", "NA", r"Leave the cell empty\.$"),
        ("confidence", "n/a", "Leave the cell empty where there is no guess"),
        ("weight", "high", "An empty cell stands for no value"),
    ],
)
def test_cells_that_are_no_numbers_have_a_hint(name: str, cell: str, hint: str) -> None:
    refuses(hint, values.number_cell, name, cell, "row 1")


def test_cells_that_are_no_lists_have_a_hint() -> None:
    for name, hint in (
        ("references", r'\["one", "another"\], or name the column reference\.$'),
        ("ranking", r'\["one", "another"\]\.$'),
    ):
        with pytest.raises(demur.ParseError, match=hint):
            values.cell_value(name, "one", "row 1")


@pytest.mark.parametrize(
    "digits",
    ["900719925474099", "9007199254740993", "9.007199254740992", "0.5", "1e22"],
)
def test_numbers_name_all_their_digits(digits: str) -> None:
    number = values.LongDecimal.read(digits)
    text = str(Decimal(digits))
    assert Decimal(values.as_text(Decimal(text)) or "") == Decimal(digits)
    assert number == float(digits)
    exact = Decimal(repr(float(digits))) == Decimal(digits)
    assert type(number) is (float if exact else values.LongDecimal)


def test_integers_that_share_a_float_are_refused() -> None:
    largest = 2**53 - 1
    assert from_values("confidence", [largest], "row {}".format)[0] == largest
    refuses("64-bit float", from_values, "confidence", [2**53 + 1], "row {}".format)
    cells = from_cells("confidence", [str(largest), ""], "row {}".format)
    assert cells[0] == largest
    assert from_cells("system", ["a", ""], "row {}".format).tolist() == ["a", None]


def test_masked_flags_are_the_usual_answer() -> None:
    masked = np.ma.masked_array([True, False], [True, False])
    assert from_array("answerable", masked, "row {}".format).tolist() == [True, False]
    assert from_array("declined", masked, "row {}".format).tolist() == [False, False]


def test_a_system_without_a_name_is_an_empty_text() -> None:
    names = np.array(["a", None], object)
    columns = {"item": np.arange(2), "correct": np.ones(2), "system": names}
    assert demur.Outcomes.from_columns(columns).system.tolist() == ["a", ""]


def test_a_sample_is_what_answering_costs() -> None:
    outcomes = by_outcome(
        ["right", "wrong", "unanswered", "ungraded"],
        [0.9, 0.8, None, 0.7],
        credit=[0.25, 0, 0, 0],
        weight=[2, 2, 2, 2],
        cluster=["y", None, "x", "x"],
    )
    sample = sample_of(outcomes)
    assert sample.guess.tolist() == [True, True, False, True]
    assert sample.loss.tolist() == [0.75, 1.0, 0.0, 1.0]
    assert sample_of(outcomes, ungraded="right").loss.tolist() == [0.75, 1.0, 0.0, 0.0]
    assert sample.weight is None  # all the same
    assert sample.cluster is not None
    assert sample.cluster.tolist() == [1, 2, 0, 0]
    heavy = demur.Outcomes.from_arrays(correct=[1, 0], weight=[1e200, 3e200])
    weight = sample_of(heavy).weight
    assert weight is not None
    assert weight[1] / weight[0] == 3
    assert weight.max() <= 1


def test_weights_may_be_as_far_apart_as_is_said() -> None:
    made = demur.Outcomes.from_arrays(correct=[1, 0], weight=[1.0, 1e12])
    assert made.weight.tolist() == [1.0, 1e12]
    heavier = {"correct": [1, 0], "weight": [1.0, 1.01e12]}
    refuses("be at most 1e.12 times the light", demur.Outcomes.from_arrays, **heavier)


@pytest.mark.parametrize("weight", [0, -1, True, "2", float("nan")])
def test_a_reference_has_a_positive_weight(weight: object) -> None:
    reference = {"item": "q", "reference": "a", "weight": weight}
    with pytest.raises(demur.InputError, match="weight must be"):
        demur.judge([{"item": "q", "response": "a"}], [reference])


@pytest.mark.parametrize(
    "odd",
    [
        {"response": None, "error": "a", "failed": "b"},
        {"response": None, "error": 7},
        {"response": None, "failed": 7},
    ],
)
def test_records_made_in_python_are_checked(odd: dict[str, object]) -> None:
    given = demur.Response(item="q", **odd)  # type: ignore[arg-type]
    with pytest.raises(demur.InputError):
        demur.judge([given], [{"item": "q", "reference": "a"}])


def test_halves_are_apart_and_together_all() -> None:
    outcomes = demur.Outcomes.from_arrays(item=range(40), correct=[True] * 40)
    first, second = demur.halves(outcomes, share=0.25, seed=3)
    names = [set(part.item.tolist()) for part in (first, second)]
    assert not names[0] & names[1]
    assert names[0] | names[1] == set(outcomes.item.tolist())
    assert (len(first), len(second)) == (10, 30)


def test_unsigned_integers_are_items_too() -> None:
    for items in ([1, 2], [1, 2**64 - 1], [2**63 - 1, 2**63]):
        columns = {"item": np.array(items, np.uint64), "correct": np.ones(2)}
        table = demur.Outcomes.from_columns(columns)
        assert [str(item) for item in table.item.tolist()] == [str(i) for i in items]


def test_words_for_flags_in_values_are_told_from_flags() -> None:
    with pytest.raises(demur.InputError, match="declined must be true or false"):
        from_values("declined", [True, "yes"], "row {}".format)
    assert from_values("declined", [True, None], "row {}".format).tolist() == [
        *(True, False)
    ]
    assert from_values("declined", [True, False], "row {}".format).tolist() == [
        *(True, False)
    ]


def named(name: str, items: list[str], **columns: object) -> demur.Outcomes:
    given = {"item": items, "correct": [1] * len(items), **columns}
    return demur.Outcomes.from_arrays(system=name, **given)


def test_equal_items_are_equal_on_both_sides() -> None:
    small, large = named("a", ["q1", "q2"]), named("b", ["q1", "q2", "q3"])
    for pair in ([small, large], [large, small]):
        refuses(r"1 items only of b, such as 'q3'", paired, pair)
        _, notes = paired(pair, items="common")
        left = {"a": 0, "b": 1}
        parts = ", ".join(
            f"{left[each.systems[0]]} of {each.systems[0]}" for each in pair
        )
        assert notes == (f"2 common items; left out: {parts}",)
    assert paired([small, small])[1] == ()
    message = r"none: a has items such as 'q1', c such as 'x'"
    refuses(message, paired, [small, named("c", ["x", "y"])])


def test_items_are_in_the_order_of_their_names_and_repeats() -> None:
    rows = [("q2", "1"), ("q10", "2"), ("q10", "1"), ("q1", "3")]
    items, repeats = ([row[side] for row in rows] for side in (0, 1))
    table = named("a", items, repeat=repeats)
    ordered = in_item_order(table)
    assert ordered.repeat is not None
    found = [*zip(ordered.item.tolist(), ordered.repeat.tolist(), strict=True)]
    assert found == sorted(rows)
    assert in_item_order(named("a", items[:2])).item.tolist() == ["q10", "q2"]
    (first, second), _ = paired([table, table.take([3, 2, 1, 0])])  # type: ignore[arg-type]
    for part in (first, second):
        assert part.to_columns() == ordered.to_columns()


def test_a_column_that_is_absent_says_the_usual() -> None:
    plain = named("a", ["q1", "q2"])
    said = named("b", ["q1", "q2"], answerable=[True, True], weight=[1.0, 1.0])
    assert paired([plain, said])[1] == ()
    with pytest.raises(demur.InputError, match="weight must be the same"):
        paired([plain, named("b", ["q1", "q2"], weight=[1.0, 2.0])])


def test_one_weighted_item_is_a_sample() -> None:
    one = demur.Outcomes.from_arrays(correct=[1], weight=[3.0])
    assert sample_of(one).weight is None
    heavy = demur.Outcomes.from_arrays(correct=[1, 0], weight=[1e308, 1e308])
    assert heavy.mean_credit() == 0.5


def test_hints_on_quotes_are_given_where_quotes_are_the_fault() -> None:
    for name, value, quoted in (
        ("correct", "true", True),
        ("correct", "0.5", True),
        ("correct", "maybe", False),
        ("confidence", "0.5", True),
        ("confidence", "true", False),
    ):
        with pytest.raises(demur.InputError) as caught:
            values.number(name, value, "row 1")
        assert ("without quotes" in caught.value.hint) == quoted


def test_gaps_of_dataframes_are_no_answers() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"item": ["q1", "q2"], "response": ["a", pd.NA]})
    wanted = [{"item": "q1", "reference": "a"}, {"item": "q2", "reference": "a"}]
    assert demur.judge(frame, wanted).counts()["unanswered"] == 1


def test_records_with_columns_that_are_no_dataframe_are_records() -> None:
    class Records:
        columns = ("item", "response")

        def __iter__(self):  # type: ignore[no-untyped-def]
            yield {"item": "q", "response": "a"}

    outcomes = demur.judge(Records(), [{"item": "q", "reference": "a"}])  # type: ignore[arg-type]
    assert outcomes.counts()["right"] == 1


# -- gaps, names and places ----------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "gap"),
    [
        *((None, True), ("", True), (" \n", True), (float("nan"), True)),
        *((np.float32("nan"), True), (0, False), (0.0, False), ("0", False)),
        *((False, False), ([], False), ({}, False)),
    ],
)
def test_nothing_is_told_from_something(value: object, gap: bool) -> None:
    assert gaps.is_gap(value) is gap


def test_names_are_the_same_whatever_their_column_holds() -> None:
    names = [1.0, np.float32(2), 3, "4.0", 0.5, -1.0]
    assert [named_columns.name_text(name) for name in names] == [
        *("1", "2", "3", "4.0", "0.5", "-1")
    ]
    codes, known = named_columns.codes_of(np.array([3, 1, 3]))
    assert (codes.tolist(), known) == ([1, 0, 1], [1, 3])
    codes, known = named_columns.codes_of(np.array(["b", "a", "b"], object))
    assert (codes.tolist(), known) == ([0, 1, 0], ["b", "a"])


def test_records_are_places_with_fields_or_fields_alone() -> None:
    read = named_columns.named_columns
    found = read("here", [{"a": 1}, ("line 7", {"a": 2, "b": 3})], ["a"], ["b", "c"])
    assert {name: list(held) for name, held in found.columns.items()} == {
        "a": [1, 2],
        "b": [None, 3],
    }
    assert [found.place(row) for row in (0, 1)] == ["record 1", "line 7"]
    refuses(
        "record 2: a record must have a; got b", read, "here", [{"a": 1}, {"b": 1}], "a"
    )
    refuses("record 1: a row must be a record", read, "here", [("x", 1, {})], ["a"])
    refuses("be equally long", read, "here", {"a": [1], "b": [1, 2]}, ["a"], ["b"])
    assert set(read("here", {"a": [1], "b": [2]}, ["a"]).columns) == {"a"}


def test_lists_and_objects_in_texts_are_json() -> None:
    unpacked = named_columns.unpacked
    given = ["[1]", ' {"a": 2}', "a[1]", "", 3]
    assert [unpacked("row 1", "ref", each) for each in given] == [
        *([1], {"a": 2}, "a[1]", "", 3)
    ]
    for text in ("[1", "{]"):
        refuses("row 1: ref must be JSON", unpacked, "row 1", "ref", text)
    deep = "[" * 10**5
    refuses("ref must be JSON", unpacked, "row 1", "ref", deep)


def test_gaps_among_whole_numbers_leave_the_others_exact() -> None:
    frame = pd.DataFrame({"n": pd.array([2**53 + 1, None], "Int64"), "x": [0.5, None]})
    columns = frames.read_columns("here", frame, ["n", "x"], ["y"])
    assert columns["n"].tolist() == [2**53 + 1, None]
    assert columns["x"][0] == 0.5
    assert np.isnan(columns["x"][1])
    assert list(columns) == ["n", "x"]
