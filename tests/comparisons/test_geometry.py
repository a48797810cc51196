"""Two curves against a slow plain twin, worked cases and laws."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
import reference
import reference_comparisons as twin
from builders import by_outcome, graded, refuses, undefined
from demur import Crossing, Geometry, PointComparison, Region, difference_curve
from demur.comparisons.geometry import (
    _pair,
    compare_curves,
    compare_points,
    cost_regions,
)
from demur.curves.curves import build_curve
from demur.outcomes.fields import OUTCOMES
from reference import Row

READINGS = ("linear", "step")
OTHER = {"a": "b", "b": "a", None: None}


def curve_of(rows: list[Row], *, rescale: Any = None) -> demur.Curve:
    """The library's curve of the twin's rows; None as confidence is none at all."""
    given_ = [row.confidence for row in rows if row.guessed]
    confidence = np.array([row.confidence or 0.0 for row in rows])
    return build_curve(
        np.array([OUTCOMES.index(row.outcome) for row in rows], np.uint8),
        confidence=None
        if None in given_
        else rescale(confidence)
        if rescale
        else confidence,
        credit=np.array([float(row.earned) for row in rows]),
        weight=np.array([row.weight for row in rows], float),
        declined=np.array([row.declined for row in rows]),
    )


def scored(confidence: list[float], correct: list[float | None]) -> demur.Curve:
    return demur.error_return(graded(correct, confidence))


def ranked(*correct: float | None) -> demur.Curve:
    """Answers from the least to the most confident."""
    return scored([index / 100 for index in range(len(correct))], list(correct))


def found(geometry: Geometry) -> dict[str, Any]:
    """The geometry in the twin's terms."""
    return {
        "start": geometry.start,
        "regions": [(each.start, each.end, each.better) for each in geometry.regions],
        "crossings": [(each.nonreturn, each.error) for each in geometry.crossings],
        "dominates": geometry.dominates,
        "identical": geometry.identical,
    }


def as_floats(expected: dict[str, Any]) -> dict[str, Any]:
    """The twin's fractions, each rounded once."""
    return {
        **expected,
        "start": float(expected["start"]),
        "regions": [(float(x), float(y), who) for x, y, who in expected["regions"]],
        "crossings": [(float(x), float(y)) for x, y in expected["crossings"]],
    }


# -- drawn tables ------------------------------------------------------------------

WEIGHTS = {
    "none": [1.0],
    "short": [1.0, 0.5, 2.0, 0.1, 7.0],
    "long": [1234.567891, 9876.543201, 7777.000001, 3.141593],
}
LEVELS = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


@st.composite
def pairs(draw: st.DrawFn, *, ungraded: bool = True) -> tuple[list[Row], list[Row]]:
    """Two systems' rows for the same items, often with equal parts."""
    outcomes = ["right", "right", "wrong", "unanswered"]
    outcomes += ["ungraded"] if ungraded and draw(st.booleans()) else []
    n_items = draw(st.integers(1, 10))
    of = st.sampled_from(WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))])
    weights = [draw(of) for _ in range(n_items)]
    partial = [draw(st.booleans()) for _ in "ab"]

    def row(weight: float, credits_: list[float]) -> Row:
        outcome = draw(st.sampled_from(outcomes))
        return Row(
            outcome=outcome,
            confidence=None if outcome == "unanswered" else draw(LEVELS),
            credit=draw(st.sampled_from(credits_)) if outcome == "right" else None,
            weight=weight,
            declined=draw(st.booleans()),
        )

    credits_ = [[1.0, 0.5, 0.25] if each else [1.0] for each in partial]
    first = [row(weight, credits_[0]) for weight in weights]
    second = [
        each if draw(st.booleans()) else row(each.weight, credits_[1]) for each in first
    ]
    for rows in (first, second):
        if not any(each.guessed for each in rows):
            rows[0] = Row("wrong", 0.3, weight=weights[0])
    return first, second


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs())
@settings(max_examples=300)
def test_geometry_is_that_of_the_twin(rows: tuple[list[Row], ...], how: str) -> None:
    geometry = compare_curves(*map(curve_of, rows), how=how)
    low, high = (
        [twin.points(each, high=bound) for each in rows] for bound in (False, True)
    )
    expected = as_floats(twin.compare(*low, how))
    if not any(row.outcome == "ungraded" for each in rows for row in each):
        assert found(geometry) == expected
        assert geometry.high is None
        return
    above = as_floats(twin.compare(*high, how))
    worst_a = twin.compare(high[0], low[1], how)["dominates"]
    worst_b = twin.compare(low[0], high[1], how)["dominates"]
    expected["dominates"] = "a" if worst_a == "a" else "b" if worst_b == "b" else None
    expected["identical"] = expected["identical"] and above["identical"]
    assert found(geometry) == expected
    assert geometry.high is not None
    assert found(geometry.high) == above


def differences(
    a: list[twin.Corner], b: list[twin.Corner], how: str
) -> dict[float, float]:
    """Height of b less that of a at every vertex."""
    return {
        float(x): float(twin.height(b, x, how) - twin.height(a, x, how))
        for x in twin.breakpoints(a, b, "step")
    }


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs())
def test_difference_is_that_of_the_twin(rows: tuple[list[Row], ...], how: str) -> None:
    difference = difference_curve(*map(curve_of, rows), how=how)
    low, high = (
        [twin.points(each, high=bound) for each in rows] for bound in (False, True)
    )
    for name, a, b in (
        ("difference", low[0], low[1]),
        ("low", high[0], low[1]),
        ("high", low[0], high[1]),
    ):
        expected = differences(a, b, how)
        values = getattr(difference, name)
        for x, value in zip(difference.nonreturn, values, strict=True):
            assert value == pytest.approx(expected[x], abs=1e-14)
            assert np.sign(value) == np.sign(expected[x])


@given(rows=pairs())
def test_prices_are_those_of_the_twin(rows: tuple[list[Row], ...]) -> None:
    costs = cost_regions(*map(curve_of, rows))
    expected = twin.cost_stretches(*(twin.points(each, high=True) for each in rows))
    assert [(each.start, each.end, each.better) for each in costs.regions] == [
        (float(start), float(end), better) for start, end, better in expected
    ]
    assert list(costs.changes) == [float(each) for each in twin.changes(expected)]


@given(rows=pairs())
def test_prices_of_operating_points(rows: tuple[list[Row], ...]) -> None:
    costs = cost_regions(*map(curve_of, rows), of="points")
    expected = twin.cost_stretches(*([operating_point(each)[1]] for each in rows))
    assert [(each.start, each.end, each.better) for each in costs.regions] == [
        (float(start), float(end), better) for start, end, better in expected
    ]


def operating_point(
    rows: list[Row],
) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Low and high operating point."""
    silent, low = reference.operating_point(rows)
    unclear = [row for row in rows if row.outcome == "ungraded" and not row.declined]
    high = low + reference.total(unclear) / reference.total(rows)
    return (silent, low), (silent, high)


@given(rows=pairs())
def test_operating_points_are_those_of_the_twin(rows: tuple[list[Row], ...]) -> None:
    points = compare_points(*map(curve_of, rows))
    (low_a, high_a), (low_b, high_b) = map(operating_point, rows)

    def beats(worst: Any, best: Any) -> bool:
        return worst != best and all(x <= y for x, y in zip(worst, best, strict=True))

    sure = "a" if beats(high_a, low_b) else "b" if beats(high_b, low_a) else None
    assert points.dominates == sure
    assert points.identical == (low_a == low_b and high_a == high_b)
    if points.change is not None:
        price = Fraction(points.change)
        costs = [y + price * x for x, y in (high_a, high_b)]
        assert float(costs[0] - costs[1]) == pytest.approx(0, abs=1e-12)
        inside = cost_regions(*map(curve_of, rows), of="points").changes
        assert list(inside) == ([points.change] if 0 < points.change < 1 else [])
    elif high_a != high_b:
        assert beats(high_a, high_b) or beats(high_b, high_a)


# -- laws --------------------------------------------------------------------------


def mirrored(geometry: Geometry) -> Geometry:
    regions = (replace(each, better=OTHER[each.better]) for each in geometry.regions)
    return replace(
        geometry,
        dominates=OTHER[geometry.dominates],
        regions=tuple(regions),
        high=geometry.high and mirrored(geometry.high),
    )


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs())
def test_swapping_mirrors(rows: tuple[list[Row], ...], how: str) -> None:
    a, b = map(curve_of, rows)
    assert compare_curves(b, a, how=how) == mirrored(compare_curves(a, b, how=how))
    there, back = difference_curve(a, b, how=how), difference_curve(b, a, how=how)
    assert there.difference == pytest.approx(-back.difference, abs=1e-15)
    assert there.low == pytest.approx(-back.high, abs=1e-15)
    assert np.array_equal(np.sign(there.difference), -np.sign(back.difference))
    costs, mirror = cost_regions(a, b), cost_regions(b, a)
    assert costs.changes == mirror.changes
    assert [each.better for each in costs.regions] == [
        OTHER[each.better] for each in mirror.regions
    ]
    assert compare_points(a, b).dominates == OTHER[compare_points(b, a).dominates]


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs(), seed=st.integers(0, 99))
def test_a_curve_is_identical_to_itself(
    rows: tuple[list[Row], ...], how: str, seed: int
) -> None:
    shuffled = np.random.default_rng(seed).permutation(len(rows[0]))
    a, b = curve_of(rows[0]), curve_of([rows[0][index] for index in shuffled])
    geometry = compare_curves(a, b, how=how)
    assert geometry.identical
    assert geometry.regions == (Region(a.start, 1.0, None),)
    assert (geometry.dominates, geometry.crossings) == (None, ())
    assert not difference_curve(a, b, how=how).difference.any()
    assert cost_regions(a, b).regions == (Region(0.0, 1.0, None),)
    assert compare_points(a, b).identical


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs(), power=st.sampled_from([0.5, 3.0]))
def test_rescaling_confidences_changes_nothing(
    rows: tuple[list[Row], ...], how: str, power: float
) -> None:
    a, b = map(curve_of, rows)
    rescaled = curve_of(rows[0], rescale=lambda values: 100 * values**power - 7)
    assert compare_curves(rescaled, b, how=how) == compare_curves(a, b, how=how)
    assert cost_regions(rescaled, b) == cost_regions(a, b)


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs())
def test_regions_cover_the_range(rows: tuple[list[Row], ...], how: str) -> None:
    a, b = map(curve_of, rows)
    geometry = compare_curves(a, b, how=how)
    for regions, start in (
        (geometry.regions, max(a.start, b.start)),
        (cost_regions(a, b).regions, 0.0),
    ):
        assert regions[0].start == start
        assert regions[-1].end == 1
        for first, second in zip(regions, regions[1:], strict=False):
            assert first.start < first.end == second.start
            assert first.better != second.better
    names = {each.better for each in geometry.regions} - {None}
    if geometry.high is None:
        assert geometry.dominates == (names.pop() if len(names) == 1 else None)
    assert bool(geometry.crossings) <= (len(names) != 1)


@given(rows=pairs(ungraded=False))
def test_duplicating_all_items_changes_nothing(rows: tuple[list[Row], ...]) -> None:
    a, b = map(curve_of, rows)
    twice = [curve_of(each * 2) for each in rows]
    assert compare_curves(*twice) == compare_curves(a, b)
    assert compare_curves(twice[0], b) == compare_curves(a, b)
    assert cost_regions(twice[0], b) == cost_regions(a, b)


# -- worked cases ------------------------------------------------------------------


REST = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9]
G20 = (
    scored([0.1] * 4 + REST, [0, 0, 1, 0] + [1] * 6),
    scored([0.1, 0.2, 0.3, 0.4, *REST], [1, 1, 1, 0] + [1] * 6),
)


def test_g20_linear() -> None:
    assert compare_curves(*G20) == Geometry(
        reading="linear",
        start=0.0,
        dominates=None,
        identical=False,
        crossings=(Crossing(4 / 15, 0.1),),
        regions=(
            Region(0.0, 4 / 15, "b"),
            Region(4 / 15, 0.4, "a"),
            Region(0.4, 1.0, None),
        ),
    )


def test_g20_step() -> None:
    geometry = compare_curves(*G20, how="step")
    assert geometry.dominates == "b"
    assert geometry.regions == (Region(0.0, 0.4, "b"), Region(0.4, 1.0, None))
    assert geometry.crossings == ()


def test_touching_is_no_crossing() -> None:
    geometry = compare_curves(ranked(1, 0, 1, 0), ranked(0, 1, 0, 1))
    assert geometry.regions == (Region(0.0, 1.0, "b"),)
    assert (geometry.dominates, geometry.crossings) == ("b", ())


def test_running_together_and_parting_again_is_no_crossing() -> None:
    geometry = compare_curves(ranked(0, 1, 1, 1, 0, 1), ranked(1, 0, 1, 1, 1, 0))
    assert [each.better for each in geometry.regions] == ["a", None, "a"]
    assert (geometry.dominates, geometry.crossings) == ("a", ())


@pytest.mark.parametrize("how", READINGS)
def test_a_coincident_stretch_crosses_at_its_left_end(how: str) -> None:
    a, b = ranked(0, 1, 1, 1, 1, 0), ranked(1, 0, 1, 0, 1, 1)
    geometry = compare_curves(a, b, how=how)
    assert [each.better for each in geometry.regions][-3:] == ["a", None, "b"]
    assert geometry.crossings == (Crossing(2 / 6, 1 / 6),)


def test_a_step_crossing_where_both_jump_has_the_greater_error() -> None:
    # At 3/5 a falls from 2 errors to 1, b, tied over three answers, from 3 to 0.
    a = scored([0.1, 0.2, 0.3, 0.4, 0.5], [0, 1, 0, 0, 1])
    b = scored([0.1, 0.1, 0.1, 0.4, 0.5], [0, 0, 0, 1, 1])
    geometry = compare_curves(a, b, how="step")
    assert geometry.crossings == (Crossing(3 / 5, 1 / 5),)
    assert [each.better for each in geometry.regions] == [None, "a", "b", None]


def test_the_range_begins_where_both_curves_do() -> None:
    a, b = ranked(0, 1, 1, 1), scored([0.1, 0.2, 0.3, 0.4], [None, 0, 1, 1])
    geometry = compare_curves(a, b)
    assert geometry.start == 0.25
    assert geometry.regions == (Region(0.25, 0.5, "a"), Region(0.5, 1.0, None))
    assert geometry.dominates == "a"
    assert difference_curve(a, b).nonreturn[0] == 0.25


def test_curves_of_different_sizes() -> None:
    a, b = ranked(0, 1), ranked(0, 1, 1)
    assert compare_curves(a, b).dominates == "b"
    geometry = compare_curves(ranked(0, 1, 1, 1), ranked(0, 0, 1, 1, 1))
    assert geometry.dominates == "a"


@pytest.mark.parametrize("scale", [123456.789011, 99998.300003, 100003.131313])
@pytest.mark.parametrize("how", READINGS)
def test_units_beyond_64_bits(scale: float, how: str) -> None:
    # Sums of weights, in millionths, have no common factor to speak of.
    def rows(weights: tuple[float, float], *correct: int) -> list[Row]:
        return [
            Row("right" if right else "wrong", at / 10, weight=weights[at % 2])
            for at, right in enumerate(correct)
        ]

    a = rows((scale, round(scale + 1, 6)), 0, 1, 0, 0, 1, 1)
    b = rows((90001.000001, 70003.000007), 1, 0, 0, 1, 0, 1, 1)
    expected = twin.compare(twin.points(a), twin.points(b), how)
    curves = curve_of(a), curve_of(b)
    assert _pair(*curves).a.x.dtype == object
    assert found(compare_curves(*curves, how=how)) == as_floats(expected)
    difference = difference_curve(*curves, how=how)
    expected = differences(twin.points(a), twin.points(b), how)
    for x, value in zip(difference.nonreturn, difference.difference, strict=True):
        assert value == pytest.approx(expected[x], abs=1e-14)


ODD = [1 / 3, 2 / 3, float(np.pi), float(np.sqrt(2)), 0.1]


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs(ungraded=False), seed=st.integers(0, 99))
def test_weights_that_are_no_short_decimals(
    rows: tuple[list[Row], list[Row]], how: str, seed: int
) -> None:
    weights = np.random.default_rng(seed).choice(ODD, len(rows[0])).tolist()
    weights[0] = ODD[0]
    a, b = (
        [replace(row, weight=weight) for row, weight in zip(each, weights, strict=True)]
        for each in rows
    )
    expected = as_floats(twin.compare(twin.points(a), twin.points(b), how))
    result = found(compare_curves(curve_of(a), curve_of(b), how=how))
    for name in ("start", "dominates", "identical"):
        assert result[name] == pytest.approx(expected[name], abs=1e-12)
    for name in ("regions", "crossings"):
        assert len(result[name]) == len(expected[name])
        for one, other in zip(result[name], expected[name], strict=True):
            assert one == pytest.approx(other, abs=1e-12)
    costs = cost_regions(curve_of(a), curve_of(b))
    prices = twin.cost_stretches(twin.points(a), twin.points(b))
    assert [each.better for each in costs.regions] == [who for _, _, who in prices]


@pytest.mark.parametrize("how", READINGS)
@given(rows=pairs(), seed=st.integers(0, 99))
def test_rounded_sums_of_shuffled_items_are_the_same_curve(
    rows: tuple[list[Row], list[Row]], how: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    odd = [replace(row, weight=float(rng.random() + 0.1)) for row in rows[0]]
    a, b = curve_of(odd), curve_of([odd[at] for at in rng.permutation(len(odd))])
    geometry = compare_curves(a, b, how=how)
    assert geometry.identical
    assert [each.better for each in geometry.regions] == [None]
    assert compare_points(a, b).identical
    assert compare_points(a, b).change is None
    assert [each.better for each in cost_regions(a, b).regions] == [None]


@pytest.mark.parametrize("seed", range(10))
def test_rounded_sums_leave_operating_points_identical(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.choice(["right", "wrong", "ungraded"], 20)
    rows = [Row(name, rng.random(), weight=rng.random() + 0.1) for name in names]
    other = [replace(row, confidence=rng.random()) for row in rows]
    points = compare_points(curve_of(rows), curve_of(other))
    assert points == PointComparison(dominates=None, identical=True, change=None)


@pytest.mark.parametrize("seed", range(10))
def test_rounded_sums_on_one_line_are_on_it(seed: int) -> None:
    # One tied block, or two of the same mixture of wrong and right: the same line.
    wrong, right = np.random.default_rng(seed).random(2) + 0.1
    mixture = [("wrong", wrong), ("right", right)] * 7
    one = [Row(name, 0.5, weight=weight) for name, weight in mixture]
    two = [replace(row, confidence=0.4) for row in one[:4]] + one[4:]
    geometry = compare_curves(curve_of(one), curve_of(two))
    assert geometry.identical
    assert geometry.regions == (Region(0.0, 1.0, None),)


@pytest.mark.parametrize("how", READINGS)
def test_weights_too_small_to_see_do_no_harm(how: str) -> None:
    rows = [Row("wrong", 0.1, weight=1e-20), *(Row("right", 0.2, weight=np.pi),) * 2]
    other = [replace(rows[0], outcome="right"), rows[1], rows[2]]
    geometry = compare_curves(curve_of(rows), curve_of(other), how=how)
    assert geometry.regions == (Region(0.0, 1.0, None),)


def test_ungraded_answers_leave_dominance_open() -> None:
    # Whether a is better than b hangs on the one answer of a that nobody could judge.
    def with_one(outcome: str) -> demur.Curve:
        return curve_of([Row(outcome, 0.1), Row("right", 0.2), Row("right", 0.3)])

    b = with_one("wrong")
    geometry = compare_curves(with_one("ungraded"), b)
    assert geometry.dominates is None or geometry.dominates == "a"
    assert geometry.regions[0].better == "a"
    assert geometry.high is not None
    assert geometry.high.identical
    assert not geometry.identical
    two_wrong = curve_of([Row("wrong", 0.1), Row("wrong", 0.2), Row("right", 0.3)])
    assert compare_curves(with_one("ungraded"), two_wrong).dominates == "a"
    unclear = with_one("ungraded")
    assert compare_curves(unclear, with_one("right")).dominates is None
    assert compare_curves(unclear, unclear).identical


# -- points and prices -------------------------------------------------------------


def test_a_system_without_a_curve_is_told_where_to_go() -> None:
    point = demur.error_return(graded([1, 0, None], system="plain"))
    silent = scored([0.1, 0.2], [None, None])
    undefined(
        r"plain gives no confidences.*points", compare_curves, ranked(1, 0, 1), point
    )
    undefined(r"nonreturn 0\.3333", difference_curve, point, ranked(1, 0, 1))
    undefined("answers nothing", compare_curves, silent, ranked(1, 0, 1))


def test_an_unknown_reading_is_refused() -> None:
    refuses("Did you mean 'linear'", compare_curves, *G20, how="linaer")
    refuses("how must be one of", difference_curve, *G20, how="at_most")
    refuses("of must be one of", cost_regions, *G20, of="point")


def test_a_point_costs_what_it_costs_beside_a_curve() -> None:
    # The point declines half and errs in one of four; the curve is right from 1/4 on.
    point = demur.error_return(graded([1, 0, None, None]))
    assert cost_regions(ranked(0, 1, 1, 1), point).regions == (Region(0.0, 1.0, "a"),)
    # This one errs in three of four: silence costs r, the point 1/4 + r/2.
    costs = cost_regions(ranked(0, 0, 0, 0), point)
    assert costs.regions == (Region(0.0, 0.5, "a"), Region(0.5, 1.0, "b"))
    assert costs.changes == (0.5,)


def test_prices_of_a_case_by_hand() -> None:
    # a: (0, 2), (1, 1), (2, 0); b: (0, 1), (3, 1), (4, 0), all over 4. Least cost of a
    # is 2r for r <= 1, of b 4r for r <= 1/4, else 1: equal at r = 1/2.
    costs = cost_regions(ranked(0, 0, 1, 1), ranked(1, 1, 1, 0))
    assert costs.regions == (Region(0.0, 0.5, "a"), Region(0.5, 1.0, "b"))
    assert costs.to_dict() == {
        "of": "curves",
        "regions": [
            {"from": 0.0, "to": 0.5, "better": "a"},
            {"from": 0.5, "to": 1.0, "better": "b"},
        ],
        "changes": [0.5],
    }


def operating(nonreturn: int, wrong: int, *, ungraded: int = 0) -> demur.Curve:
    outcomes = ["unanswered"] * nonreturn + ["wrong"] * wrong + ["ungraded"] * ungraded
    outcomes += ["right"] * (10 - len(outcomes))
    return demur.error_return(by_outcome(outcomes))


@pytest.mark.parametrize(
    ("a", "b", "dominates", "change"),
    [
        (operating(2, 1), operating(2, 1), None, None),
        (operating(2, 1), operating(3, 1), "a", None),
        (operating(2, 2), operating(2, 1), "b", None),
        (operating(5, 1), operating(1, 3), None, 0.5),
        (operating(1, 4), operating(2, 1), None, 3.0),
        (operating(2, 1, ungraded=1), operating(2, 2), None, None),
        (operating(2, 1, ungraded=1), operating(3, 2), "a", None),
        (operating(2, 1, ungraded=2), operating(3, 2), None, 1.0),
    ],
)
def test_operating_points(
    a: demur.Curve, b: demur.Curve, dominates: str | None, change: float | None
) -> None:
    assert compare_points(a, b).dominates == dominates
    assert compare_points(a, b).change == change
    assert compare_points(b, a).dominates == OTHER[dominates]
    assert compare_points(a, a).identical


def test_plain_values_for_json() -> None:
    assert compare_curves(*G20, how="step").to_dict() == {
        "reading": "step",
        "start": 0.0,
        "dominates": "b",
        "identical": False,
        "crossings": [],
        "regions": [
            {"from": 0.0, "to": 0.4, "better": "b"},
            {"from": 0.4, "to": 1.0, "better": None},
        ],
        "high": None,
    }
    linear = compare_curves(*G20).to_dict()
    assert linear["crossings"] == [{"nonreturn": 4 / 15, "error": 0.1}]
    points = {"dominates": "b", "identical": False, "change": None}
    assert compare_points(*G20).to_dict() == points
