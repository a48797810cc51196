"""Curves at their edges: nothing to rank, look-ups at a vertex, own decisions."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded, undefined
from demur import Curves, average_curve
from demur.curves.counting import count, lower_hull
from demur.curves.of_outcomes import _apart


@pytest.mark.parametrize("fewest", [0, 1])
def test_how_many_items_lie_between_the_best_and_the_next(fewest: int) -> None:
    wrong = {"best": fewest, "next": fewest + 3}
    curves = [
        demur.error_return(graded([0] * n + [1] * (50 - n), range(50), system=name))
        for name, n in wrong.items()
    ]
    assert ", 3 items more of 50" in Curves(curves, at=[0]).sentence()


@pytest.mark.parametrize(
    ("more", "items"),
    [
        *((0.4, "less than one item"), (0.5, "less than one item"), (0.6, "1 item")),
        *((1, "1 item"), (1.4, "1 item"), (1.6, "2 items"), (12, "12 items")),
    ],
)
def test_a_difference_is_said_in_items(more: float, items: str) -> None:
    for weight in (None, [1 / 3] * 50):  # which all weigh the same
        curve = demur.error_return(graded([0, 1] * 25, range(50), weight=weight))
        assert _apart(curve, more / 50) == f", {items} more of 50"
    for odd in ({"weight": [1, 2] * 25}, {"correct": [0, 0.5] * 25}):
        table = {"correct": [0, 1] * 25, "confidence": range(50), **odd}
        assert _apart(demur.error_return(graded(**table)), more / 50) == ""


def some_curves(*wrong: int | None, **columns: Any) -> list[demur.Curve]:
    return [
        demur.error_return(
            graded(
                [0] * (many or 0) + [1] * (30 - (many or 0)),
                None if many is None else range(30),
                system=name,
                **columns,
            )
        )
        for many, name in zip(wrong, "abc", strict=False)
    ]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ((None, None), "No system gives confidences, so there is no error at nonretu"),
        ((None, 3), "b errs on 0.100 of all items.* a gives no confidences, so it has"),
        ((None, 3, None), "2 systems give no confidences, so they have no curve"),
        ((3, 3), r"At nonreturn 0 a and b err least, each on 0\.100 of all items\.$"),
        ((3, 6), r"a errs least, on 0\.100 of all items; b follows.*, 3 items more"),
        ((6, 3, 3), r"b and c err least, each on 0\.100 of all items\.$"),
    ],
)
def test_what_curves_say(wrong: tuple[int | None, ...], words: str) -> None:
    text = Curves(some_curves(*wrong), at=[0]).sentence()
    assert re.search(words, text), text


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            (3, 6, 9),
            "least for topic = a (0.100 of all items) and greatest for topic = c",
        ),
        (
            (3, 3, 9),
            "least for topic = a and topic = b (0.100 of all items) and greatest",
        ),
        (
            (3, 3, 3),
            "the error is the same for all, 0.100 of all items; groups have dif",
        ),
    ],
)
def test_what_curves_of_groups_say(wrong: tuple[int, ...], words: str) -> None:
    parts = [
        graded([0] * n + [1] * (30 - n), range(30), groups={"topic": [name] * 30})
        for n, name in zip(wrong, "abc", strict=True)
    ]
    curves = [
        replace(
            demur.error_return(part), system=f"topic = {name}", group={"topic": name}
        )
        for part, name in zip(parts, "abc", strict=True)
    ]
    assert words in Curves(curves, at=[0]).sentence()


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((29, 60), "With only 29 items luck may be all of it"),
        ((60, 29), "With only 29 items luck may be all of it"),
        ((30, 60), "Whether that is luck is for demur compare to say"),
    ],
)
def test_few_items_are_those_of_the_smallest_system(
    sizes: tuple[int, int], words: str
) -> None:
    curves = [
        demur.error_return(graded([0] * k + [1] * (n - k), range(n), system=name))
        for k, n, name in zip((2, 9), sizes, "ab", strict=True)
    ]
    assert words in Curves(curves, at=[0]).sentence()


def test_nothing_ranked_has_one_vertex_silence() -> None:
    ladder = count(np.empty(0), np.empty(0, bool))
    assert ladder.vertices().tolist() == [0]
    assert ladder.corners().tolist() == [0]
    assert ladder.loss.tolist() == [0]


def test_ends_of_blocks_that_touch_stand_once() -> None:
    confidence = np.array([0.1, 0.1, 0.2, 0.3, 0.3])
    ladder = count(confidence, np.array([True, False, True, False, False]))
    assert ladder.corners().tolist() == [0, 2, 3, 5]
    ladder = count(confidence, np.array([True, True, True, True, True]))
    assert (ladder.start.tolist(), ladder.end.tolist()) == ([0, 2, 3], [2, 3, 5])
    assert (ladder.loss.tolist(), ladder.corners().tolist()) == (
        *([5, 3, 2, 0], [0, 2, 3, 5]),
    )


def test_long_runs_are_counted_like_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(2)
    confidence = np.round(draw.random(5000), 3)
    wrong = draw.random(5000) < 0.4
    outcomes = graded(~wrong, confidence)
    whole = demur.error_return(outcomes)
    monkeypatch.setattr("demur.curves.counting.CHUNK", 7)
    pieces = demur.error_return(outcomes)
    for name in ("start", "end", "loss"):
        first, second = (getattr(each.ladder, name) for each in (whole, pieces))
        assert np.array_equal(first, second)
    for name in ("cutoff", "nonreturn", "error", "missed", "right", "ungraded"):
        first, second = (getattr(each.corners, name) for each in (whole, pieces))
        assert np.array_equal(first, second, equal_nan=True)


@given(st.lists(st.sampled_from([1.0, 3.0, 0.1, 1 / 3, 7.7]), min_size=1, max_size=12))
def test_the_error_of_a_vertex_finds_it_again(weights: list[float]) -> None:
    draw = np.random.default_rng(len(weights))
    curve = demur.error_return(
        graded(
            draw.random(len(weights)) < 0.5,
            draw.integers(0, 5, len(weights)) / 5,
            weight=weights,
        )
    )
    vertices = curve.vertices
    for error in vertices.error.tolist():
        least = min(vertices.nonreturn[vertices.error == error].tolist())
        for how in ("linear", "at_most"):
            found = curve.at(error=error, how=how)
            assert (found.nonreturn, found.error) == (least, error)


def test_at_least_an_error_takes_the_last_cutoff_with_no_less() -> None:
    curve = demur.error_return(graded([0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]))
    found = [curve.at(error=e, how="at_least") for e in (0.6, 0.5, 0.4, 0.3, 0.2, 0.1)]
    assert [point.error for point in found] == [0.6, 0.6, 0.4, 0.4, 0.2, 0.2]
    assert [point.cutoff for point in found] == [0.5, 0.5, 0.7, 0.7, 0.9, 0.9]
    undefined(r"the greatest is 0\.6", curve.at, error=0.61, how="at_least")


OWN: list[tuple[str, float, bool]] = [
    ("right", 0.9, False),
    ("right", 0.2, True),
    ("wrong", 0.8, False),
    ("wrong", 0.3, True),
    ("ungraded", 0.7, False),
    ("ungraded", 0.6, False),
    ("ungraded", 0.1, True),
    ("unanswered", np.nan, False),
]


def own(weight: Any = None) -> demur.Curve:
    names, confidence, declined = zip(*OWN, strict=True)
    columns = {} if weight is None else {"weight": weight}
    return demur.error_return(
        by_outcome(
            names,
            [None if value != value else value for value in confidence],
            declined=declined,
            **columns,
        )
    )


@pytest.mark.parametrize("weight", [None, [1, 2, 3, 4, 5, 6, 7, 8]])
def test_own_decisions_by_hand(weight: Any) -> None:
    point = own(weight).operating_point
    shares = np.array(weight or [1] * 8) / np.sum(weight or [1] * 8)
    of = {"right": 0.0, "missed": 0.0, "wrong": 0.0, "ungraded": 0.0, "silent": 0.0}
    for (name, _, declined), share in zip(OWN, shares, strict=True):
        silent = declined or name == "unanswered"
        of["silent"] += share * silent
        of["missed"] += share * (silent and name == "right")
        if not silent:
            of[name] += share
    assert point.nonreturn == pytest.approx(of["silent"])
    assert point.right == pytest.approx(of["right"])
    assert point.error == pytest.approx(of["wrong"])
    assert point.ungraded == pytest.approx(of["ungraded"])
    assert point.missed == pytest.approx(of["missed"])
    low, high = point.bounds
    assert (low, high) == pytest.approx((of["wrong"], of["wrong"] + of["ungraded"]))


def test_own_decisions_in_json_have_names() -> None:
    shown = own().to_dict(points="none")["operating_point"]
    assert list(shown) == ["nonreturn", "error", "missed", "right", "ungraded"]


def test_bounds_of_an_area_by_hand() -> None:
    # One right, one ungraded and one unanswered: what each may turn out to be.
    curve = demur.error_return(
        by_outcome(["right", "ungraded", "unanswered"], [0.9, 0.5, None])
    )
    area = curve.area()
    assert (area.value, area.low) == (None, 0.0)
    # The ungraded guess wrong: from 1/3 at nonreturn 1/3 down to 0 at 2/3; and the
    # missing one wrong, too: 2/3 at 0 down to 1/3 at 1/3.
    assert area.high == pytest.approx(1 / 18 + (2 / 3 + 1 / 3) / 2 / 3)


def test_partial_credit_that_is_no_short_decimal() -> None:
    curve = demur.error_return(
        graded([1 / 3, 0, 2 / 7], [0.9, 0.8, 0.7], weight=[1, 2, 3])
    )
    lost = 1 * (1 - 1 / 3) + 2 + 3 * (1 - 2 / 7)
    assert curve.error[0] == pytest.approx(lost / 6)
    assert curve.operating_point.right == pytest.approx(1 - lost / 6)


def test_an_average_begins_where_all_curves_exist() -> None:
    first = graded([1, 0, 1, None], [0.9, 0.5, 0.4, None])
    second = graded([1, 0, 1, 1], [0.8, 0.3, 0.2, 0.1])
    average = average_curve([demur.error_return(each) for each in (first, second)])
    assert average.nonreturn[0] == 0.25


def test_notes_are_printed_once_and_only_common_ones_without_a_name() -> None:
    curves = [_with("a", ("both", "mine")), _with("b", ("both",))]
    lines = str(Curves(curves)).splitlines()
    notes = [line for line in lines if line.startswith("note: ")]
    assert notes == ["note: both", "note: a: mine"]
    alone = str(Curves(curves[1:])).splitlines()
    assert [line for line in alone if line.startswith("note: ")] == ["note: both"]


def _with(name: str, notes: tuple[str, ...]) -> demur.Curve:
    outcomes = graded([1, 0], system=name)
    return replace(demur.error_return(outcomes), notes=notes)


def test_a_look_up_inside_a_tie_names_the_cutoffs_on_both_sides() -> None:
    curve = demur.error_return(graded([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]))
    inside = curve.at(nonreturn=0.4)
    assert inside.between == (0.5, 0.9, pytest.approx(1 / 3))
    assert inside.cutoff is None
    assert inside.error == pytest.approx(2 / 5 * 2 / 3)
    last = demur.error_return(graded([0, 0], [-np.inf, np.inf])).at(nonreturn=0.75)
    assert last.between is not None
    assert last.between[0] == np.inf
    assert last.to_dict()["between"][0] == "inf"


def test_a_note_of_all_systems_stands_once_whatever_they_are_called() -> None:
    curves = [_with("gpt: a", ("of all", "of one")), _with("b", ("of all",))]
    assert Curves(curves).notes == ("of all", "gpt: a: of one")


@pytest.mark.parametrize("nonreturn", [1 / 3, 1e-300, 0.12345678901234568])
def test_a_long_rate_with_whole_weights_is_reckoned_exactly(nonreturn: float) -> None:
    # The weights are 64-bit integers, which products with such rates do not fit.
    outcomes = graded([1, 0, 1], [0.5, 0.5, 0.5], weight=[10**9, 2 * 10**9, 10**9])
    point = demur.error_return(outcomes).at(nonreturn=nonreturn)
    assert point.nonreturn == nonreturn
    assert point.error == float((1 - Fraction(str(nonreturn))) / 2)


@pytest.mark.parametrize(
    ("outcome", "value", "low", "high"),
    [
        (["right", "wrong", "wrong", "right"], 0.5, 0.5, 0.5),
        (["right", "wrong", "unanswered", "unanswered"], None, 0.25, 0.75),
        (["right", "wrong", "ungraded", "right"], None, 0.25, 0.5),
        (["ungraded"] * 4, None, 0.0, 1.0),
    ],
)
def test_forced_choice_has_a_value_where_nothing_is_open(
    outcome: list[str], value: float | None, low: float, high: float
) -> None:
    confidence = [None if name == "unanswered" else 0.5 for name in outcome]
    figures = demur.error_return(by_outcome(outcome, confidence)).figures()
    (forced,) = [one for one in figures if one.kind.name == "forced_choice_error"]
    assert (forced.value, forced.low, forced.high) == (value, low, high)


@pytest.mark.parametrize(
    ("correct", "nonreturn"),
    [
        ([1], [0]),
        ([1, 1], [0]),
        ([0], [0, 1]),
        ([0, 1], [0, 0.5]),
        ([1, 0], [0, 1]),
        ([0, 0, 1, 1], [0, 0.5]),
        ([0, 1, 0, 1], [0, 0.25, 0.75]),
    ],
)
def test_the_hull_ends_where_no_error_is_left(
    correct: list[int], nonreturn: list[float]
) -> None:
    curve = demur.error_return(graded(correct, range(len(correct))))
    assert curve.ladder is not None
    hull = lower_hull(curve.ladder, curve.totals)
    assert hull.nonreturn.tolist() == nonreturn
    assert hull.error[-1] == 0
    assert (hull.high[0], hull.low[-1]) == (np.inf, 0)
    assert hull.low[:-1].tolist() == hull.high[1:].tolist()
