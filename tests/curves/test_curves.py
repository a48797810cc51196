"""Curves against worked tables, a slow plain twin, and the cases other tools miss."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference
from builders import graded, refuses, undefined
from demur.curves.counting import _count_amounts, count
from demur.outcomes.fields import OUTCOMES
from random_rows import G1, curve_of, has_guess, rows
from reference import Row

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "curve_cases.json").read_text("utf-8")
)


def scored(confidence: list[float], correct: list[int], **more: Any) -> demur.Curve:
    """A curve from confidences and 1 / 0."""
    return demur.error_return(graded(correct, confidence, **more))


def counts(curve: demur.Curve) -> list[tuple[int, int]]:
    """Vertices as (withheld, wrong) counts."""
    n = curve.items
    pairs = zip(curve.nonreturn, curve.error, strict=True)
    return [(round(x * n), round(y * n)) for x, y in pairs]


# -- worked tables -----------------------------------------------------------------


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
class TestGolden:
    @pytest.fixture
    def curve(self, case: dict[str, Any]) -> demur.Curve:
        columns = {name for row in case["items"] for name in row} - {"item"}
        table = {
            name: [
                row.get(name, True if name == "answerable" else None)
                for row in case["items"]
            ]
            for name in columns
        }
        return demur.error_return(demur.Outcomes.from_arrays(**table))

    def test_points(self, case: dict[str, Any], curve: demur.Curve) -> None:
        points = curve.to_dict()["points"]
        assert len(points) == len(case["points"])
        for found, expected in zip(points, case["points"], strict=True):
            assert found == pytest.approx(expected, abs=1e-15)

    def test_area_and_forced_choice(
        self, case: dict[str, Any], curve: demur.Curve
    ) -> None:
        found = curve.area().to_dict()
        assert {k: found[k] for k in case["area"]} == pytest.approx(case["area"])
        assert curve.forced_choice_error == pytest.approx(case["forced_choice_error"])

    def test_operating_point(self, case: dict[str, Any], curve: demur.Curve) -> None:
        own = curve.operating_point
        expected = case["operating_point"]
        assert own.nonreturn == pytest.approx(expected["nonreturn"], abs=1e-15)
        assert own.error == pytest.approx(expected["error"], abs=1e-15)

    def test_linear_look_ups(self, case: dict[str, Any], curve: demur.Curve) -> None:
        for nonreturn, error in case["linear_at"].items():
            assert curve.at(nonreturn=float(nonreturn)).error == pytest.approx(error)

    def test_split(self, case: dict[str, Any], curve: demur.Curve) -> None:
        for index, expected in enumerate(case["split"]):
            for name, share in expected.items():
                if name != "cutoff":
                    found = getattr(curve.split, name)[index]
                    assert found == pytest.approx(share, abs=1e-15)


def test_g1_missed_area_and_looks() -> None:
    curve = scored(*G1)
    assert [round(10 * m) for m in curve.missed] == [0, 0, 1, 1, 3, 4, 5, 6]
    assert curve.area().value == 31 / 200
    assert curve.crossing == 0.4
    assert curve.at(nonreturn=0.5, how="at_most").error == 0.2
    assert curve.at(nonreturn=0.5).error == pytest.approx(2 / 15)
    assert curve.at(nonreturn=0.5, how="at_least").error == 0.1


@pytest.mark.parametrize("order", [[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
def test_g3_ties_ignore_row_order(order: list[int]) -> None:
    curve = scored([0.5] * 4, order)
    assert counts(curve) == [(0, 2), (4, 0)]
    assert curve.area().value == 0.25


def test_g4_all_right_and_all_wrong_differ() -> None:
    assert scored([0.1, 0.2, 0.3, 0.4], [1, 1, 1, 1]).area().value == 0
    assert scored([0.1, 0.2, 0.3, 0.4], [0, 0, 0, 0]).area().value == 0.5


def test_g5_area_is_augrc() -> None:
    assert scored([0.9, 0.8, 0.7, 0.6], [0, 1, 1, 1]).area().value == 7 / 32


def test_g6_nan_is_refused_or_a_hard_abstention() -> None:
    confidence = [float("nan"), 0.2, 0.6, 0.9]
    refuses(r"row 0: confidence must be a number", scored, confidence, [1, 0, 1, 1])
    curve = demur.error_return(graded([None, 0, 1, 1], [None, 0.2, 0.6, 0.9]))
    assert counts(curve) == [(1, 1), (2, 0), (3, 0), (4, 0)]


def test_g7_bounds_with_hard_abstentions() -> None:
    curve = demur.error_return(
        graded([None, None, 1, 0, 1], [None, None, 0.9, 0.8, 0.6])
    )
    assert counts(curve) == [(2, 1), (3, 1), (4, 0), (5, 0)]
    assert curve.forced_choice_error == (0.2, 0.6)
    area = curve.area()
    assert (area.value, area.observed) == (None, pytest.approx(0.06))
    assert (area.low, area.high) == pytest.approx((0.14, 0.22))
    left = curve.at(nonreturn=0.1)
    assert left.error is None
    assert left.bounds == pytest.approx((0.2, 0.5))


def test_infinite_confidences_are_ranked() -> None:
    curve = scored([float("-inf"), 0.0, float("inf"), 5.0], [0, 1, 1, 0])
    assert counts(curve) == [(0, 2), (1, 1), (2, 1), (3, 0), (4, 0)]
    points = curve.to_dict()["points"]
    assert [point["cutoff"] for point in points] == ["-inf", 0.0, 5.0, "inf", None]
    assert json.loads(json.dumps(points, allow_nan=False)) == points


def test_g8_near_ties_stay_apart() -> None:
    curve = scored([1e-10, 0, 0], [1, 0, 0])
    assert counts(curve) == [(0, 2), (2, 0), (3, 0)]
    assert curve.area().value == pytest.approx(2 / 9)


def test_g9_cutoffs_compare_in_the_datas_own_type() -> None:
    curve = scored(np.array([0.7, 0.2, 0.9], np.float32), [1, 0, 1])
    assert curve.cutoff.dtype == np.float32
    assert curve.at(cutoff=0.7).nonreturn == pytest.approx(1 / 3)
    # 0.7 itself is above the value of 32 bits, if that is read with 64.
    shown = curve.to_dict()["points"][1]["cutoff"]
    assert shown == 0.69999998
    assert curve.at(cutoff=shown).nonreturn == pytest.approx(1 / 3)
    wide = scored(np.array([0.7, 0.2, 0.9], np.float32).astype(float), [1, 0, 1])
    assert wide.at(cutoff=shown).nonreturn == pytest.approx(1 / 3)


@pytest.mark.parametrize(("rate", "answered_wrongly"), [(0.07, 1), (0.08, 0)])
def test_g10_rates_are_read_as_decimals(rate: float, answered_wrongly: int) -> None:
    confidence = [rank / 100 for rank in range(1, 101)]
    correct = [1] * 100
    correct[7] = 0  # the eighth least confident
    curve = scored(confidence, correct)
    assert curve.at(nonreturn=rate).error == answered_wrongly / 100
    assert curve.at(nonreturn=0.29).cutoff == 0.3


def test_g12_half_of_two_tied_items_is_one_in_the_mean() -> None:
    curve = scored([0.5, 0.5], [1, 0])
    point = curve.at(nonreturn=0.5)
    assert (point.error, point.between) == (0.25, (0.5, None, 0.5))
    assert curve.at(nonreturn=0.5, how="at_most").error == 0.5


def test_g15_no_error_at_all_may_mean_silence() -> None:
    curve = scored([0.9, 0.8, 0.7, 0.6], [0, 1, 1, 1])
    point = curve.at(error=0.0)
    assert (point.nonreturn, point.cutoff) == (1.0, None)


def test_g20_two_systems_linear_and_step() -> None:
    a = scored(
        [0.1, 0.1, 0.1, 0.1, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9],
        [0, 0, 1, 0, 1, 1, 1, 1, 1, 1],
    )
    b = scored(
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9],
        [1, 1, 1, 0, 1, 1, 1, 1, 1, 1],
    )
    assert (a.area().value, b.area().value) == pytest.approx((0.06, 0.035))
    corners = a.corners
    assert list(corners.nonreturn) == [0, 0.4, 1]
    assert a.at(nonreturn=0.3).error == pytest.approx(0.075)
    assert b.at(nonreturn=0.3).error == pytest.approx(0.1)
    assert a.at(nonreturn=0.3, how="at_most").error == pytest.approx(0.3)
    assert b.at(nonreturn=0.3, how="at_most").error == pytest.approx(0.1)


@pytest.mark.parametrize("tenths", [1, 4, 9])
def test_curves_see_the_error_rate_that_roc_does_not(tenths: int) -> None:
    # Errors spread evenly over 1,000 ranks: one AUROC, three curves (the paper, 2).
    correct = [
        int((rank + 1) * tenths // 10 == rank * tenths // 10) for rank in range(1000)
    ]
    curve = scored(list(range(1000)), correct)
    assert curve.at(nonreturn=0.2).error == pytest.approx(tenths * 0.08)
    metrics = pytest.importorskip("sklearn.metrics")
    assert metrics.roc_auc_score(correct, range(1000)) == pytest.approx(0.5, abs=0.01)


def test_points_of_scikit_learn_agree() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(7)
    confidence = rng.integers(0, 40, 500) / 40
    correct = rng.random(500) < 0.3 + 0.6 * confidence
    curve = scored(confidence, correct)
    tns, fps, fns, _, cutoff = metrics.confusion_matrix_at_thresholds(
        correct, confidence
    )
    order = np.argsort(cutoff)
    np.testing.assert_allclose(curve.error[:-1], fps[order] / 500)
    np.testing.assert_allclose(curve.nonreturn[:-1], (tns + fns)[order] / 500)
    np.testing.assert_allclose(curve.missed[:-1], fns[order] / 500)
    accuracy, auroc = correct.mean(), metrics.roc_auc_score(correct, confidence)
    augrc = (1 - auroc) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2
    assert curve.area().value == pytest.approx(augrc, abs=1e-14)


# -- a slow plain twin -------------------------------------------------------------


@given(rows().filter(has_guess), st.sampled_from([np.float64, np.float32]))
def test_vertices_split_and_corners_equal_the_twins(
    listed: list[Row], dtype: Any
) -> None:
    curve = curve_of(listed, dtype)
    expected = reference.vertices(listed)
    assert len(curve.nonreturn) == len(expected)
    for index, vertex in enumerate(expected):
        for name in ("nonreturn", "error", "missed", "right", "ungraded"):
            # Integers until the last division: equal to the last bit.
            assert getattr(curve, name)[index] == float(vertex[name])
        shares = reference.split(listed, vertex["cutoff"])
        for name, share in shares.items():
            assert getattr(curve.split, name)[index] == float(share)
    n_lossy = sum(row.outcome in ("wrong", "ungraded") for row in listed)
    assert (
        len(curve.corners)
        <= 2 * (n_lossy + sum(r.credit is not None for r in listed)) + 2
    )
    for x, y in zip(curve.nonreturn, curve.error, strict=True):
        between = np.interp(x, curve.corners.nonreturn, curve.corners.error)
        assert between == pytest.approx(y, abs=1e-12)


@given(rows().filter(has_guess))
def test_area_forced_choice_operating_point_crossing(listed: list[Row]) -> None:
    curve = curve_of(listed)
    area, twin = curve.area(), reference.area(listed)
    for name in ("observed", "low", "high"):
        assert getattr(area, name) == pytest.approx(float(twin[name]), abs=1e-12)
    assert (area.value is not None) == (twin["low"] == twin["high"])
    forced = tuple(map(float, reference.forced_choice_error(listed)))
    assert curve.forced_choice_error == forced
    own = curve.operating_point
    assert (own.nonreturn, own.error) == tuple(
        map(float, reference.operating_point(listed))
    )
    wanted = float(reference.crossing(listed))
    # Rounded once; only where weights are no short decimals are sums rounded before.
    whole = isinstance(curve.totals.weight, int)
    assert curve.crossing == pytest.approx(wanted, abs=0 if whole else 1e-15, rel=0)


RATES = st.sampled_from([0, 0.07, 0.1, 0.2, 0.25, 0.29, 1 / 3, 0.5, 0.7, 0.75, 1])


@given(rows().filter(has_guess), RATES, st.sampled_from(demur.curves.rates.READINGS))
def test_look_ups_equal_the_twins(listed: list[Row], rate: float, how: str) -> None:
    curve = curve_of(listed)
    near = [v for v in curve.nonreturn if v == rate]
    wanted = Fraction(str(rate))
    if near:  # a vertex's own rate finds the vertex
        vertex = list(curve.nonreturn).index(rate)
        wanted = reference.vertices(listed)[vertex]["nonreturn"]
    expected = reference.at_nonreturn(listed, wanted, how)
    found = curve.at(nonreturn=rate, how=how).error
    if rate == 1 / 3 and expected is not None:  # read as the count it stands for
        assert found == pytest.approx(float(expected), abs=1e-12)
    else:
        assert found == (None if expected is None else float(expected))


@given(rows().filter(has_guess), RATES, st.sampled_from(demur.curves.rates.READINGS))
def test_error_look_ups_equal_the_twins(
    listed: list[Row], rate: float, how: str
) -> None:
    curve = curve_of(listed)
    wanted = Fraction(str(rate))
    if rate in list(curve.error):
        vertex = list(curve.error).index(rate)
        wanted = reference.vertices(listed)[vertex]["error"]
    expected = reference.at_error(listed, wanted, how)
    if expected is None:
        with pytest.raises(demur.UndefinedRate):
            curve.at(error=rate, how=how)
    else:
        assert curve.at(error=rate, how=how).nonreturn == float(expected)


@given(rows().filter(has_guess))
def test_every_vertex_is_found_by_its_rate_and_by_its_cutoff(listed: list[Row]) -> None:
    curve = curve_of(listed)
    for index in range(len(curve.cutoff) - 1):
        rate, cutoff = float(curve.nonreturn[index]), float(curve.cutoff[index])
        found = curve.at(nonreturn=rate)
        assert (found.cutoff, found.error) == (cutoff, curve.error[index])
        assert curve.at(cutoff=cutoff).nonreturn == rate
    assert curve.at(nonreturn=1).cutoff is None


@given(rows(plain=True))
def test_the_fast_and_the_general_count_agree(listed: list[Row]) -> None:
    confidence = np.array([row.confidence for row in listed])
    wrong = np.array([row.outcome == "wrong" for row in listed])
    fast, general = (
        count(confidence, wrong),
        _count_amounts(confidence, wrong, None, None),
    )
    assert not np.signbit(fast.ranked[fast.ranked == 0]).any()
    for name in ("ranked", "start", "end", "loss", "ungraded"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(general, name))


# -- laws --------------------------------------------------------------------------


def numbers(curve: demur.Curve) -> list[Any]:
    shape = curve.vertices
    names = ("nonreturn", "error", "missed", "right", "ungraded")
    area = curve.area()
    return [getattr(shape, name).tolist() for name in names] + [
        area.observed,
        area.low,
        area.high,
        curve.crossing,
        curve.operating_point,
    ]


@given(rows().filter(has_guess), st.randoms(use_true_random=False))
def test_row_order_never_matters(listed: list[Row], random: Any) -> None:
    shuffled = list(listed)
    random.shuffle(shuffled)
    assert numbers(curve_of(listed)) == numbers(curve_of(shuffled))


@given(
    st.lists(
        st.tuples(st.floats(0.001, 1000), st.sampled_from(OUTCOMES)), min_size=1
    ).filter(lambda pairs: any(name != "unanswered" for _, name in pairs)),
    st.randoms(use_true_random=False),
)
def test_row_order_never_matters_for_any_weights(pairs: Any, random: Any) -> None:
    listed = [
        Row(name, None if name == "unanswered" else weight % 1 // 0.2, weight=weight)
        for weight, name in pairs
    ]
    shuffled = list(listed)
    random.shuffle(shuffled)
    assert numbers(curve_of(listed)) == numbers(curve_of(shuffled))


@given(rows().filter(has_guess))
def test_duplicating_all_items_changes_no_rate(listed: list[Row]) -> None:
    one, two = curve_of(listed), curve_of(listed * 2)
    assert numbers(one) == numbers(two)


@given(rows().filter(has_guess))
def test_monotone_rescaling_changes_no_rate(listed: list[Row]) -> None:
    rescaled = [
        row
        if row.confidence is None
        else Row(
            row.outcome,
            float(np.arctan(row.confidence)) * 3 + 7,
            row.credit,
            row.weight,
            row.answerable,
            row.declined,
        )
        for row in listed
    ]
    assert numbers(curve_of(listed)) == numbers(curve_of(rescaled))


@given(rows().filter(has_guess))
def test_ranges_identities_and_monotony(listed: list[Row]) -> None:
    curve = curve_of(listed)
    for name in ("nonreturn", "error", "missed", "right", "ungraded"):
        rates = getattr(curve, name)
        assert ((rates >= 0) & (rates <= 1)).all()
    parts = curve.nonreturn + curve.error + curve.right + curve.ungraded
    np.testing.assert_allclose(parts, 1)
    assert (np.diff(curve.nonreturn) > 0).all()
    assert (np.diff(curve.error) <= 0).all()
    assert (np.diff(curve.missed) >= 0).all()
    split = curve.split
    shares = ("right", "error", "missed", "avoided", "correct_decline", "no_guess")
    np.testing.assert_allclose(
        sum(getattr(split, name) for name in (*shares, "ungraded")), 1
    )
    if not curve.totals.ungraded:
        start_error = curve.error[0]
        np.testing.assert_allclose(
            curve.missed,
            curve.nonreturn - curve.start - start_error + curve.error,
            atol=1e-12,
        )
        assert curve.crossing == pytest.approx(curve.start + start_error, abs=1e-12)


@given(rows(plain=True))
def test_area_lies_between_the_best_and_the_worst_order(listed: list[Row]) -> None:
    curve = curve_of([Row(r.outcome, r.confidence) for r in listed])
    error, area = curve.error[0], curve.area().value
    assert area is not None
    assert error**2 / 2 - 1e-12 <= area <= error - error**2 / 2 + 1e-12


# -- edges -------------------------------------------------------------------------


def test_a_system_without_confidences_is_one_point() -> None:
    curve = demur.error_return(graded([True, False, None, True]))
    shown = curve.to_dict()
    assert (shown["points"], shown["area"]) == ([], None)
    assert (curve.operating_point.nonreturn, curve.operating_point.error) == (
        0.25,
        0.25,
    )
    undefined("no confidences", curve.at, nonreturn=0.5)
    with pytest.raises(demur.UndefinedRate):
        curve.area()
    assert curve.crossing is None
    assert len(curve.split.right) == 0


def test_silent_system_is_one_point() -> None:
    curve = demur.error_return(graded([None, None], [None, None]))
    assert (curve.operating_point.nonreturn, curve.operating_point.error) == (1, 0)
    assert curve.to_dict()["points"] == []


def test_left_of_start_in_all_readings() -> None:
    curve = demur.error_return(graded([None, 1, 0, 1], [None, 3, 2, 1]))
    assert curve.at(nonreturn=0.1).error is None
    assert curve.at(nonreturn=0.1, how="at_least").nonreturn == 0.25
    assert curve.at(nonreturn=0.1, how="at_most").bounds == (0.25, 0.4)


@pytest.mark.parametrize("rate", [-0.1, 1.5, "x", float("nan"), True, None, 20])
def test_rates_outside_0_to_1_are_refused(rate: Any) -> None:
    curve = scored(*G1)
    with pytest.raises(demur.InputError):
        curve.at(nonreturn=rate)


def test_at_wants_exactly_one_rate_and_a_known_reading() -> None:
    curve = scored(*G1)
    refuses("exactly one", curve.at, nonreturn=0.1, error=0.2)
    refuses("Did you mean 'linear'", curve.at, nonreturn=0.1, how="liner")
    refuses("cutoff must be a number", curve.at, cutoff=float("nan"))


def test_no_items_is_an_error_not_a_rate() -> None:
    empty = graded([])
    refuses("at least one row", demur.error_return, empty)


def test_large_weights_do_not_overflow() -> None:
    weight = np.array([1e9, 2e9, 3e9, 5e8])
    heavy = scored([1, 2, 3, 4], [1, 0, 0, 1], weight=weight)
    light = scored([1, 2, 3, 4], [1, 0, 0, 1], weight=weight / 5e8)
    assert heavy.area().value == pytest.approx(light.area().value)


def test_arrays_are_read_only_and_arguments_unchanged() -> None:
    confidence, correct = np.array([0.3, 0.1, 0.2]), np.array([True, False, True])
    before = confidence.copy()
    curve = demur.error_return(graded(correct, confidence))
    assert curve.area().value is not None
    np.testing.assert_array_equal(confidence, before)
    with pytest.raises(ValueError, match="read-only"):
        curve.error[0] = 1


def test_curve_by_cuts_by_system_setting_and_group() -> None:
    outcomes = graded(
        [1, 0, 1, 1, 0],
        [1, 2, 3, 4, 5],
        item=["q", "q", "q", "q", "r"],
        system=["a", "a", "b", "b", "a"],
        setting=["s", "t", "s", "t", "s"],
        groups={"topic": ["x", "x", "x", "x", "y"]},
    )
    names = [curve.system for curve in demur.curve_by(outcomes)]
    assert names == [
        "a, setting = s",
        "a, setting = t",
        "b, setting = s",
        "b, setting = t",
    ]
    by_topic = demur.curve_by(outcomes, by=["topic"])
    assert [curve.items for curve in by_topic] == [1, 1, 1, 1, 1]
    refuses("one system and setting", demur.error_return, outcomes)
    refuses("Did you mean 'topic'", demur.curve_by, outcomes, by=["topics"])


def test_notebook_table_escapes_names() -> None:
    curve = scored(*G1, system="<b>x</b> & y")
    page = curve._repr_html_()
    assert "&lt;b&gt;x&lt;/b&gt; &amp; y" in page
    assert "<b>" not in page
    shown = ["0.300", "0.400", "0.1550", "0.000", "0.400", "10", "6", "4", "0", "0"]
    assert re.findall(">([0-9.]+)</bdi></td>", page) == shown
    point = demur.error_return(graded([1, 0, None]))
    assert "0.333 to 0.667" in point._repr_html_()


def test_repr_is_readable() -> None:
    assert repr(scored(*G1, system="a")) == (
        "Curve('a': 10 items, 6 right, 4 wrong, 0 unanswered, 0 ungraded; "
        "forced-choice error 0.4, area 0.155)"
    )
