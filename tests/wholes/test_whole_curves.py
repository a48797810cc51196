"""Curves of wholes against a plain twin that looks at each whole by itself."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
import reference_wholes as twin
from builders import refuses
from reference_wholes import Part, Whole

CONFIDENCES = (0.1, 0.25, 0.4, 0.5, 0.7, 0.9)
RATE = Fraction(1, 8)


@st.composite
def some_wholes(draw, *, ungraded=True, weights=True):
    names = ["right", "right", "wrong", "unanswered", *["ungraded"] * ungraded]
    outcome = st.sampled_from(names)

    def part():
        name = draw(outcome)
        sure = None if name == "unanswered" else draw(st.sampled_from(CONFIDENCES))
        return Part(name, sure, draw(st.booleans()) and name != "unanswered")

    wholes = [
        Whole(
            tuple(part() for _ in range(draw(st.integers(0, 4)))),
            draw(st.integers(1, 3)) if weights else 1,
            draw(st.booleans()),
        )
        for _ in range(draw(st.integers(1, 6)))
    ]
    guessed = any(p.confidence is not None for w in wholes for p in w.parts)
    return [*wholes, *([] if guessed else [Whole((Part("right", 0.5),))])]


def curve_of(wholes, **how):
    return demur.whole_curve(table_of(wholes), **how)


def table_of(wholes):
    rng = np.random.default_rng(len(wholes))
    columns = twin.columns(wholes)
    order = rng.permutation(len(columns["item"]))
    return demur.Outcomes.from_arrays(
        **{name: [column[row] for row in order] for name, column in columns.items()}
    )


def same(point, wanted):
    found = {
        "withheld": point.nonreturn,
        "low": point.bounds[0],
        "high": point.bounds[1],
        "wrong_parts": point.wrong_parts,
        "complete": point.complete,
        "touched": point.touched,
        "answered": point.answered,
        "with_people": point.error_with_people,
    }
    return found == pytest.approx({name: float(wanted[name]) for name in found})


@settings(max_examples=500)
@given(some_wholes())
def test_every_vertex_is_what_counting_wholes_gives(wholes):
    curve = curve_of(wholes, people_error=0.125, minutes=3)
    cutoffs = twin.cutoffs(wholes)
    assert [None if c != c else c for c in curve.cutoff.tolist()] == cutoffs
    for place, cutoff in enumerate(cutoffs):
        wanted = twin.at_cutoff(wholes, cutoff, RATE)
        assert curve.nonreturn[place] == float(wanted["withheld"])
        assert curve.whole_error[place] == float(wanted["low"])
        assert curve.wrong_parts[place] == float(wanted["wrong_parts"])
        assert curve.complete[place] == float(wanted["complete"])
        assert curve.touched[place] == pytest.approx(float(wanted["touched"]))
        assert curve.answered[place] == float(wanted["answered"])
        people = curve.error_with_people[place]
        assert people == pytest.approx(float(wanted["with_people"]))
        if cutoff is not None:
            assert same(curve.at(cutoff=cutoff), wanted)


@given(
    some_wholes(),
    st.integers(0, 20),
    st.sampled_from(["linear", "at_most", "at_least"]),
)
def test_look_ups_are_exact(wholes, twentieth, how):
    wanted = twin.at_nonreturn(wholes, Fraction(twentieth, 20), how, RATE)
    point = curve_of(wholes, people_error=0.125).at(nonreturn=twentieth / 20, how=how)
    if wanted is None:
        assert point.whole_error is None
        start = twin.at_cutoff(wholes, twin.cutoffs(wholes)[0])
        assert point.bounds[0] == float(start["low"])
        assert float(start["high"]) <= point.bounds[1] <= 1
    else:
        assert same(point, wanted)
        assert point.whole_error == float(wanted["low"])


@given(some_wholes())
def test_by_its_own_decisions(wholes):
    curve = curve_of(wholes, people_error=0.125)
    assert same(curve.own, twin.by_own_decisions(wholes, RATE))


@pytest.mark.parametrize("rule", ["answerable", "right", "unanswered"])
@given(wholes=some_wholes())
def test_a_whole_without_parts_is_right_by_the_named_rule(rule, wholes):
    outcomes = table_of(wholes)
    curve = demur.whole_curve(outcomes, without_parts=rule)
    for place, cutoff in enumerate(twin.cutoffs(wholes)):
        wanted = twin.at_cutoff(wholes, cutoff, without=rule)
        assert curve.complete[place] == float(wanted["complete"])
        assert curve.whole_error[place] == float(wanted["low"])
    wanted = twin.by_own_decisions(wholes, without=rule)
    assert curve.own.complete == pytest.approx(float(wanted["complete"]))
    empty = [whole for whole in wholes if not whole.parts]
    assert curve.recipe.get("without_parts") == (rule if empty else None)
    rows = demur.whole_outcomes(outcomes, without_parts=rule)
    due = rows.answerable
    silent = 0 if due is None else int(np.count_nonzero(~due))
    assert silent == sum(twin.silence_is_right(whole, rule) for whole in empty)


@given(some_wholes())
def test_areas(wholes):
    area = curve_of(wholes).area()
    assert area.observed == pytest.approx(float(twin.area(wholes)))
    assert area.low <= area.high + 1e-12
    assert area.observed <= area.low + 1e-12


@given(some_wholes())
def test_one_row_of_each_whole_has_the_same_errors(wholes):
    outcomes = table_of(wholes)
    wholes_ = demur.whole_outcomes(outcomes)
    assert len(wholes_) == len(wholes)
    if wholes_.confidence is None:
        return
    curve = demur.error_return(wholes_)
    for cutoff in twin.cutoffs(wholes)[:-1]:
        wanted, found = twin.at_cutoff(wholes, cutoff), curve.at(cutoff=cutoff)
        assert found.bounds[1] == float(wanted["high"])
        assert found.bounds[0] <= float(wanted["low"])
        due = sum(
            whole.weight for whole in wholes if not whole.parts and whole.nothing_due
        )
        assert found.right == pytest.approx(
            float(wanted["complete"]) - due / sum(whole.weight for whole in wholes)
        )


@given(some_wholes(ungraded=False, weights=False))
def test_the_error_of_wholes_falls_and_lies_between_its_neighbours(wholes):
    curve = curve_of(wholes)
    assert (np.diff(curve.whole_error) <= 0).all()
    # Some part is wrong in as many wholes at most as there are wrong parts.
    assert (curve.whole_error <= curve.wrong_parts + 1e-12).all()
    assert (curve.whole_error + curve.complete <= 1 + 1e-12).all()
    assert (curve.whole_error <= curve.answered + 1e-12).all()


@given(some_wholes(ungraded=False, weights=False))
def test_wholes_of_one_part_each_are_items(wholes):
    alone = [Whole(whole.parts[:1]) for whole in wholes if whole.parts]
    if not any(whole.parts[0].confidence for whole in alone):
        return
    outcomes = table_of(alone)
    curve, items = demur.whole_curve(outcomes), demur.error_return(outcomes)
    assert curve.whole_error.tolist() == items.error.tolist()
    assert curve.nonreturn.tolist() == items.nonreturn.tolist()
    assert curve.complete.tolist() == items.right.tolist()


def test_weights_that_are_no_short_decimals():
    outcomes = demur.Outcomes.from_arrays(
        item=["a", "a", "b", "b"],
        part=["x", "y", "x", "y"],
        correct=[0, 1, 1, 0],
        confidence=[0.9, 0.8, 0.7, 0.6],
        weight=[np.pi, np.pi, 1, 1],
    )
    point = demur.whole_curve(outcomes).at(cutoff=0.7)
    assert point.whole_error == pytest.approx(np.pi / (np.pi + 1))
    assert point.nonreturn == pytest.approx(1 / (2 * np.pi + 2))


def test_without_confidences_there_is_what_the_system_decides():
    outcomes = demur.Outcomes.from_arrays(
        item=["a", "a", "b"],
        part=["x", "y", "x"],
        correct=[1, 0, 0],
        declined=[False, True, False],
    )
    curve = demur.whole_curve(outcomes)
    assert (curve.own.nonreturn, curve.own.whole_error) == (1 / 3, 0.5)
    assert "gives no confidences" in curve.sentence()
    assert len(curve.complete) == len(curve.touched) == len(curve.cutoff) == 0
    with pytest.raises(demur.UndefinedRate):
        curve.at(nonreturn=0.2)


def test_repeats_are_wholes_of_their_own():
    outcomes = demur.Outcomes.from_arrays(
        item=["a", "a", "a", "a"],
        repeat=[1, 1, 2, 2],
        part=["x", "y", "x", "y"],
        correct=[1, 0, 1, 1],
        confidence=[0.9, 0.4, 0.8, 0.6],
    )
    curve = demur.whole_curve(outcomes)
    assert curve.wholes == 2
    assert curve.whole_error[0] == 0.5


def test_what_is_refused():
    plain = demur.Outcomes.from_arrays(correct=[True])
    refuses("outcomes must have parts; got no column part", demur.whole_curve, plain)
    parts = demur.Outcomes.from_arrays(correct=[True], part=["x"])
    message = "without_parts must be one of answerable, right, unanswered; got 'left'"
    refuses(message, demur.whole_curve, parts, without_parts="left")
    table = {"item": ["a", "a"], "correct": [1, 0], "confidence": [1, 2]}
    make = demur.Outcomes.from_arrays
    message = "part must be named in every row of an item that has several"
    refuses(message, demur.whole_curve, make(part=["x", None], **table))
    message = "weight must be the same for all parts of an item"
    refuses(message, demur.whole_curve, make(part=["x", "y"], weight=[1, 2], **table))
    message = "cluster must be the same for all parts of an item"
    torn = make(part=["x", "y"], cluster=["c", "d"], **table)
    refuses(message, demur.whole_outcomes, torn)
    message = r"the key \(item, part, system, setting, repeat\) must be given once"
    refuses(message, make, part=["x", "x"], **table)
