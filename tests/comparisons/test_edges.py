"""Comparisons at their edges: ungraded answers of one system only, late starts."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import demur
from builders import by_outcome, carries, graded
from demur import Region
from demur.arrays import Sample
from demur.comparisons.comparison_results import SHORT, _most_telling, _shorter
from demur.comparisons.own_decisions import OWN_RATES, own_difference
from demur.comparisons.pair_results import PairDifference
from demur.comparisons.scoring import MOST_IN_PAIRS
from demur.statistics.paired_tests import MANY_ITEMS, REPLICATES, default_method
from demur.statistics.quantities import Quantity
from demur.statistics.sign_tests import EXACT_UNITS, sign_flip

N = 60


def system(name: str, every: int, **columns: Any) -> demur.Outcomes:
    outcome = ["wrong" if row % every == 0 else "right" for row in range(N)]
    columns = {"confidence": [(row * 7 % N) / N for row in range(N)], **columns}
    given = {"item": range(N), "outcome": outcome, **columns}
    return demur.Outcomes.from_arrays(system=name, **given)


def some_ungraded(name: str, every: int) -> demur.Outcomes:
    names = ["ungraded", *(["wrong", "right"] * N)][:N]
    return system(name, every, outcome=names)


def test_bounds_are_those_of_each_curve() -> None:
    a, b = some_ungraded("a", 3), system("b", 4)
    found = demur.compare(a, b, at=0.1)
    for bounds, table in ((found.bounds_a, a), (found.bounds_b, b)):
        assert bounds == demur.error_return(table).at(nonreturn=0.1).bounds
    assert found.bounds_a != found.bounds_b


def test_one_system_with_ungraded_answers_is_noted_among_many() -> None:
    tables = [some_ungraded("a", 3), system("b", 4), system("c", 5)]
    notes = demur.compare_all(tables, quantity="error", at=0.2).notes
    assert any("ungraded answers are taken for right" in note for note in notes)
    notes = demur.compare_all(tables[1:], quantity="error", at=0.2).notes
    assert not any("ungraded" in note for note in notes)


def test_errors_need_curves_at_their_nonreturn_and_other_numbers_do_not() -> None:
    late = [None if row < N // 2 else row / N for row in range(N)]
    silent = ["unanswered" if row < N // 2 else "right" for row in range(N)]
    tables = [system("a", 3), system("b", 4, confidence=late, outcome=silent)]
    with pytest.raises(demur.InputError, match=r"nonreturn 0\.2; got none for 'b'"):
        demur.compare_all(tables, quantity="error", at=0.2)
    for quantity, at in (("nonreturn", 0.1), ("area", None)):
        (pair,) = demur.compare_all(tables, quantity=quantity, at=at)
        assert pair.difference.p_value <= 1


@pytest.mark.parametrize("n", [12, EXACT_UNITS + 1])
def test_own_decisions_with_weights_by_hand(n: int) -> None:
    weight = np.arange(1.0, n + 1)
    tables = []
    for every in (3, 5):
        outcome = np.where(np.arange(n) % every == 0, "wrong", "right").tolist()
        outcome[1] = "unanswered"
        credit = [
            0.5 if row == 2 else float(kind == "right")
            for row, kind in enumerate(outcome)
        ]
        declined = (np.arange(n) % (every + 1) == 0).tolist()
        columns = {"outcome": outcome, "credit": credit, "declined": declined}
        tables.append(graded_by(weight, columns))
    share = weight / weight.sum()
    for quantity in OWN_RATES:
        rates = []
        for table in tables:
            silent = np.array(table.declined) | (table.outcome == 2)
            lost = 1 - np.array(table.credit)
            rates.append(silent if quantity == "own nonreturn" else lost * ~silent)
        apart = rates[1].astype(float) - rates[0].astype(float)
        found = own_difference(*tables, quantity=quantity, level=0.9, seed=3)
        assert found.value == pytest.approx(float(share @ apart))
        flips = sign_flip(share * apart, cluster=None, seed=3)
        assert found.p_value >= flips
        drawn = n > EXACT_UNITS
        assert found.replicates == (REPLICATES if drawn else None)
        p_error = math.sqrt(found.p_value * (1 - found.p_value) / REPLICATES)
        assert found.p_error == (pytest.approx(p_error) if drawn else None)
        assert found.low is not None
        assert found.high is not None
        assert -1 <= found.low <= found.value <= found.high <= 1
        assert (found.low <= 0 <= found.high) == (found.p_value > 0.1)
        turned = own_difference(*tables[::-1], quantity=quantity, level=0.9, seed=3)
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize(
    ("value", "adjusted", "bounded", "better", "turned"),
    [
        (0.1, 0.25, None, "a", False),
        (-0.1, 0.25, None, "b", False),
        (0.1, 0.26, None, None, False),
        (0.0, 0.1, None, None, False),
        (0.1, 0.25, 0.25, "a", False),
        (0.1, 0.25, 0.26, None, True),
        (0.1, 0.26, 0.26, None, False),
    ],
)
def test_a_pair_is_decided_at_its_level(
    value: float, adjusted: float, bounded: float | None, better: Any, turned: bool
) -> None:
    tested = demur.compare(system("a", 3), system("b", 4)).difference
    assert tested is not None
    difference = replace(tested, value=value, level=0.75)
    pair = PairDifference("a", "b", difference, adjusted, 0.2, 0.3, bounded_p=bounded)
    assert (pair.better, pair.turned) == (better, turned)
    bounds = replace(difference, value=0.0), replace(difference, value=2e-12)
    assert [replace(pair, bounds=bounds[:n]).equal for n in (0, 1, 2)] == [
        *(value == 0, value == 0, False)
    ]


def test_what_comparisons_carry_is_not_part_of_them() -> None:
    found = demur.compare(system("a", 3), system("b", 4))
    carries(found, "curves", "again")
    carries(demur.score(system("a", 3)), "outcomes")


def graded_by(weight: Any, columns: dict[str, Any]) -> demur.Outcomes:
    return demur.Outcomes.from_arrays(item=range(len(weight)), weight=weight, **columns)


@pytest.mark.parametrize("n", [5, 40])
def test_own_decisions_that_always_differ(n: int) -> None:
    good, bad = (demur.Outcomes.from_arrays(correct=[right] * n) for right in (1, 0))
    found = own_difference(good, bad)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.p_value == max(2 * 0.5**n, found.p_value)
    turned = own_difference(bad, good)
    assert (turned.value, turned.low) == (-1.0, -1.0)
    same = own_difference(good, good)
    assert (same.value, same.p_value) == (0.0, 1.0)
    assert same.low == pytest.approx(-same.high)  # type: ignore[operator]


def test_own_decisions_leave_out_what_was_declined() -> None:
    declined = [row % 2 == 0 for row in range(N)]
    a, b = system("a", 3), system("b", 3, declined=declined)
    found = own_difference(a, b, quantity="own error", level=0.95, seed=0)
    wrong = [row % 3 == 0 for row in range(N)]
    gone = sum(w and d for w, d in zip(wrong, declined, strict=True))
    assert found.value == pytest.approx(-gone / N)
    found = own_difference(a, b, quantity="own nonreturn", level=0.95, seed=0)
    assert found.value == pytest.approx(sum(declined) / N)


@pytest.mark.parametrize("units", [EXACT_UNITS, EXACT_UNITS + 1])
def test_signs_are_drawn_beyond_a_number_of_units(units: int) -> None:
    cluster = [f"c{row % units:02}" for row in range(N)]
    a, b = system("a", 3, cluster=cluster), system("b", 4, cluster=cluster)
    found = own_difference(a, b, quantity="own error", level=0.95, seed=0)
    drawn = units > EXACT_UNITS
    assert found.method == ("sign flips" if drawn else "sign flips, exact")
    if not drawn:
        assert found.p_error is None
        return
    assert found.replicates is not None
    expected = math.sqrt(found.p_value * (1 - found.p_value) / found.replicates)
    assert found.p_error == pytest.approx(expected)


@pytest.mark.parametrize(("items", "method"), [(0, "bootstrap"), (1, "influence")])
def test_many_items_are_more_than_a_number(items: int, method: str) -> None:
    many = MANY_ITEMS + items
    sample = Sample(np.ones(many, bool), np.linspace(0, 1, many), np.zeros(many))
    assert default_method(sample, Quantity("nonreturn", 0.9)) == method


def test_the_last_price_has_no_end_in_json() -> None:
    curves = [demur.error_return(system("a", 3)), demur.error_return(system("b", 5))]
    shown = [price.to_dict() for price in demur.price_list(curves)]
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    ends = sorted((each["to"] is None, each["to"] or 0) for each in shown)
    assert [end[0] for end in ends].count(True) <= 1
    starts = sorted(each["from"] for each in shown)
    assert [end[1] for end in ends if not end[0]][: len(starts) - 1] == starts[1:]


@pytest.mark.parametrize("tied", [0.5, 1, 1.5, 2])
def test_at_a_price_where_two_cutoffs_cost_the_same_it_is_answered(tied: float) -> None:
    # One is sure and right; of the less sure ones one is wrong, and so many right.
    outcomes = graded([1, 1, 0], [2, 1, 1], weight=[1, tied, 1])
    prices = demur.price_list([demur.error_return(outcomes)])
    border = 1 / (1 + tied)
    assert sorted(price.low for price in prices) == pytest.approx([0, border])
    total, unsure = 2 + tied, 1 + tied
    answers = border <= 0.5
    expected = [1 / total, 0.0] if answers else [0.0, unsure / total]
    expected.append(expected[0] + expected[1] / 2)
    found = [figure.value for figure in prices.figures()]
    assert found == pytest.approx([*expected, 0, 0])


def test_scores_are_printed_in_per_cent() -> None:
    outcomes = by_outcome(
        ["right", "right", "wrong", "ungraded", "unanswered"],
        [0.9, 0.8, 0.7, 0.6, None],
    )
    scores = demur.score(outcomes)
    (row,) = [line for line in str(scores).splitlines() if line.count(" to ") == 3]
    # 2 x 1/5 + 1/5 at least, and 2 x 2/5 + 1/5 at most.
    assert "60.0 % to 100.0 %" in row
    assert row.endswith("0.0 % to 40.0 %")
    frame = scores.to_frame("polars", table="Weighted errors")
    assert frame["weighted_error_low"][0] == pytest.approx(0.6)
    assert frame["weighted_error_high"][0] == pytest.approx(1.0)


def test_where_a_curve_begins_later_own_decisions_are_compared() -> None:
    late = [None if row < N // 2 else row / N for row in range(N)]
    silent = ["unanswered" if row < N // 2 else "right" for row in range(N)]
    tables = [system("a", 3), system("b", 4, confidence=late, outcome=silent)]
    found = demur.compare(*tables, at=0.2)
    assert found.difference is None
    assert [one.quantity for one in found.own] == ["own error", "own nonreturn"]
    assert found.sentence() == (
        "b errs less than a as the systems decide themselves, 0.000 of all items "
        "against 0.333, beyond luck (p < 0.001)."
    )
    # As all pairs say of the same two.
    for one, quantity in zip(found.own, ("own error", "own nonreturn"), strict=True):
        [pair] = demur.compare_all(tables, quantity=quantity, at=None)
        assert (pair.difference.value, pair.difference.p_value) == (
            *(one.value, one.p_value),
        )


def test_verdicts_without_a_test_say_so() -> None:
    a = graded([1, 1, 0, 1], [4, 3, 2, 1], system="a")
    b = graded([1, 1, None, None], [2, 1, None, None], system="b")
    found = demur.compare(a, b, at=0.2)
    assert (found.difference, found.own) == (None, ())
    assert found.sentence() == (
        "Errors at nonreturn 0.2 are not known of both, so there is no test: by their "
        "own decisions a declines 0.000 of the items and errs on 0.250 of all, b "
        "declines 0.500 of the items and errs on 0.000 of all."
    )


def test_short_stretches_are_gathered_and_one_is_always_shown() -> None:
    tiny = [Region(0.1, 0.1 + SHORT / 4, "a"), Region(0.2, 0.2 + SHORT / 2, "b")]
    long = [Region(0.3, 0.3 + 2 * SHORT, "a"), Region(0.5, 0.9, "b")]
    assert _most_telling(tiny) == tiny[1:]
    assert _most_telling([*tiny, *long]) == long
    assert _most_telling(long[::-1]) == long


def test_not_worse_is_shown_below_the_margin() -> None:
    found = demur.compare(system("a", 3), system("b", 4), at=0.1, margin=0.3)
    low, high = found.range_of()
    assert 0 < high < -low < 1
    assert found.not_worse(high - 1e-9) == (False, False)
    assert found.not_worse(high + 1e-9) == (False, True)
    assert found.not_worse(-low - 1e-9) == (False, True)
    assert found.not_worse(-low + 1e-9) == (True, True)


def test_the_largest_and_the_smallest_difference_can_be_planned_for() -> None:
    a, b = system("a", 3), system("b", 4)
    for difference in (0.9, 1e-9):
        plan = demur.comparison_plan(a, b, difference=difference, at=0.1)
        assert plan.items >= 1


def test_right_answers_that_are_empty_stand_beside_the_right_ones() -> None:
    outcomes = demur.Outcomes.from_columns(
        {
            "item": np.arange(3),
            "outcome": np.array(["right", "right", "wrong"], object),
            "reason_code": np.array(["both_empty", "equal", "differs"], object),
        }
    )
    scores = demur.score(outcomes)
    assert scores.scores[0].both_empty == 1
    (counts,) = [table for table in scores.tables() if table.title == "Counts"]
    heads = [column.head for column in counts.columns]
    names = ["right", "both empty", "wrong"]
    assert [head for head in heads if head in names] == names


@pytest.mark.parametrize("many", [MOST_IN_PAIRS, MOST_IN_PAIRS + 1])
def test_all_pairs_change_places_up_to_a_number_of_systems(many: int) -> None:
    tables = {
        "item": np.tile(np.arange(3), many),
        "system": np.repeat([f"s{number:02}" for number in range(many)], 3),
        "outcome": np.tile(["right", "wrong", "unanswered"], many),
    }
    scores = demur.score(demur.Outcomes.from_columns(tables))
    assert any("more than" in note for note in scores.notes) == (many > MOST_IN_PAIRS)
    assert len(scores.exchanges) == MOST_IN_PAIRS * (MOST_IN_PAIRS - 1) // 2


def test_stretches_that_are_not_listed_are_counted_with_the_longest() -> None:
    regions = [
        Region(0.1, 0.1004, "a"),
        Region(0.2, 0.2007, "b"),
        Region(0.3, 0.9, "a"),
    ]
    assert _most_telling(regions) == regions[2:]
    assert _shorter(regions) == "2 stretches of less than 0.001"
    many = [Region(at / 10, at / 10 + 0.01 * (at + 1), "a") for at in range(8)]
    assert _shorter(many) == "2 stretches of up to 0.02"


@pytest.mark.parametrize("ungraded", [0, 3])
def test_figures_hold_whatever_ungraded_answers_are(ungraded: int) -> None:
    some = [row % 12 == 1 if row < 12 * ungraded else False for row in range(N)]
    outcomes = [
        [
            "ungraded" if open_ else "wrong" if row % every == 0 else "right"
            for row, open_ in enumerate(some)
        ]
        for every in (3, 5)
    ]
    tables = [
        system(name, 3, outcome=given)
        for name, given in zip("ab", outcomes, strict=True)
    ]
    found = demur.compare(*tables, at=0.0, margin=0.2)
    shown = {figure.kind.name: figure for figure in found.figures()}
    tests = [found.difference, *found.bounds.get("error", ())]
    assert len(tests) == (3 if ungraded else 1)
    lows = [test.low for test in tests if test is not None and test.low is not None]
    highs = [test.high for test in tests if test is not None and test.high is not None]
    values = [test.value for test in tests if test is not None]
    p_values = [test.p_value for test in tests if test is not None]
    assert found.range_of() == (min(lows), max(highs))
    wide = shown["difference"]
    if not ungraded:
        assert (wide.low, wide.high) == (lows[0], highs[0])
        assert (shown["p_value"].low, shown["error_a"].low) == (None, None)
        return
    assert (wide.low, wide.high) == (min(values), max(values))
    assert wide.low < wide.value < wide.high  # type: ignore[operator]
    assert (shown["p_value"].low, shown["p_value"].high) == (
        *(min(p_values), max(p_values)),
    )
    for side, given in zip("ab", outcomes, strict=True):
        figure = shown[f"error_{side}"]
        wrong, unclear = given.count("wrong") / N, given.count("ungraded") / N
        ends = figure.value, figure.low, figure.high
        assert ends == pytest.approx((wrong, wrong, wrong + unclear))


def test_a_margin_is_told_without_two_negations() -> None:
    found = demur.compare(system("a", 3), system("b", 4), at=0.1, margin=0.3)
    told = "By the margin of 0.3, a is as good as b; b is as good as a."
    assert found.sentence().endswith(told)
    close = demur.compare(system("a", 3), system("b", 4), at=0.1, margin=0.001)
    assert "a may be worse than b" in close.sentence()
