"""Comparisons of wholes against plain twins: exact rates, derivatives, both orders."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference_wholes as twin
from demur.comparisons.paired_wholes import paired_wholes, whole_estimate
from demur.statistics.quantities import Quantity
from reference_wholes import Part, Whole

CONFIDENCES = [0.2, 0.4, 0.6, 0.8]


@st.composite
def pairs(draw):
    """What two systems did on the same wholes, each with parts of its own."""
    outcome = st.sampled_from(["right", "right", "wrong", "unanswered", "ungraded"])

    def part():
        name = draw(outcome)
        sure = None if name == "unanswered" else draw(st.sampled_from(CONFIDENCES))
        return Part(name, sure, draw(st.booleans()) and name != "unanswered")

    def whole(weight):
        size = draw(st.integers(0, 3))
        return Whole(tuple(part() for _ in range(size)), weight)

    weights = draw(st.lists(st.integers(1, 3), min_size=6, max_size=9))
    # One guess at least, so that each has a curve.
    guess = Whole((Part("right", 0.6),))
    return [[*map(whole, weights), guess] for _ in "ab"]


def table(wholes, name):
    columns = dict(twin.columns(wholes))
    return demur.Outcomes.from_columns(
        {**columns, "system": [name] * len(columns["item"])}
    )


@given(pairs(), st.integers(0, 10))
def test_errors_differences_and_bounds_equal_the_twin(pair, tenths):
    at = Fraction(tenths, 10)
    tables = [table(wholes, name) for wholes, name in zip(pair, "ab", strict=True)]
    found = demur.compare(*tables, at=tenths / 10, of="wholes")
    a, b = (twin.at_nonreturn(wholes, at, "linear") for wholes in pair)
    for error, bounds, rates in (
        (found.error_a, found.bounds_a, a),
        (found.error_b, found.bounds_b, b),
    ):
        if rates is None:
            assert error is None
        else:
            assert error == pytest.approx(float(rates["low"]))
            ends = [float(rates[name]) for name in ("low", "high")]
            assert list(bounds) == pytest.approx(ends)
    if found.difference is not None:
        assert found.difference.value == pytest.approx(float(b["low"] - a["low"]))
    if found.difference is not None and found.bounds:
        least, most = (one.value for one in found.bounds["error"])
        assert least == pytest.approx(float(b["low"] - a["high"]))
        assert most == pytest.approx(float(b["high"] - a["low"]))


@given(pairs())
def test_own_decisions_equal_the_twin(pair):
    tables = [table(wholes, name) for wholes, name in zip(pair, "ab", strict=True)]
    found = demur.compare(*tables, at=0, of="wholes")
    rates = [twin.by_own_decisions(wholes) for wholes in pair]
    for point, own in zip((found.point_a, found.point_b), rates, strict=True):
        assert point.nonreturn == pytest.approx(float(own["withheld"]))
        assert point.bounds == pytest.approx((float(own["low"]), float(own["high"])))
    for own in found.own:
        assert own.value == pytest.approx(float(rates[1]["low"] - rates[0]["low"]))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_influence_at_a_cutoff_is_the_derivative_by_weight(weighted, level):
    n, rng = 1500, np.random.default_rng(1)
    weight = rng.integers(1, 5, n) if weighted else np.ones(n)
    size = rng.integers(1, 9, n)
    whole = np.repeat(np.arange(n), size)
    # Large wholes are harder, so that their number of parts matters.
    hard = 1.5 * rng.normal(size=n)[whole] + rng.normal(size=len(whole))
    hard += 0.3 * (size[whole] - 4)
    columns = {
        "item": whole,
        "part": np.arange(len(whole)),
        "correct": rng.random(len(whole)) > 1 / (1 + np.exp(2 - hard)),
        "confidence": np.ceil(5 / (1 + np.exp(hard))) / 5,
    }

    def drawn(weights, name="a"):
        return demur.Outcomes.from_arrays(**columns, weight=weights[whole], system=name)

    # Amid two cutoffs the slope is theirs alone, wherever the true cutoff may stand.
    vertices = demur.whole_curve(drawn(weight)).nonreturn
    at = float(vertices[level : level + 2].mean())
    systems = paired_wholes([drawn(weight), drawn(weight, "b")])
    found = whole_estimate(systems.sample(0), systems.parts[0], Quantity("error", at))
    for row in range(0, n, 300):
        number, step = int(systems.tables[0].item[row]), 1e-3
        errors = []
        for sign in (-1, 1):
            moved = np.array(weight, float)
            moved[number] += sign * step
            errors.append(demur.whole_curve(drawn(moved)).at(nonreturn=at).whole_error)
        slope = (errors[1] - errors[0]) / (2 * step) * weight[number]
        assert found.influence[row] == pytest.approx(slope, abs=1e-9)


def lone(name, item, **more):
    rng = np.random.default_rng(0)
    columns = {"correct": rng.random(len(item)) < 0.7, "system": name, **more}
    columns["confidence"] = rng.random(len(item))
    return demur.Outcomes.from_arrays(item=item, part=range(len(item)), **columns)


def test_one_run_with_most_parts_of_either_system_leaves_no_test():
    a = lone("a", [*[0] * 200, *range(1, 12)])
    b = lone("b", range(12))
    for pair in ((a, b), (b, a)):
        found = demur.compare(*pair, of="wholes")
        assert found.difference is None
        assert "so how much the others vary says nothing" in found.notes[0]


def test_few_wholes_have_errors_and_no_test():
    pair = [lone(name, [0, 0, 1, 1, 2, 3]) for name in "ab"]
    found = demur.compare(*pair, of="wholes")
    assert found.difference is None
    assert "of all wholes for a" in found.sentence()


def test_what_is_said_of_own_decisions_is_what_is_tested():
    def decided(name, declined):
        return demur.Outcomes.from_arrays(
            item=np.arange(12) // 2,
            part=range(12),
            correct=[True] * 8 + [False] * 4,
            declined=declined,
            system=name,
        )

    a, b = decided("a", [False] * 8 + [True] * 4), decided("b", [False] * 12)
    found = demur.compare(a, b, of="wholes")
    assert (found.point_a.error, found.point_b.error) == pytest.approx((0, 1 / 3))
    assert found.own[0].value == pytest.approx(1 / 3)
    assert "0.000 of all wholes against 0.333" in found.sentence()


def test_no_price_is_named_where_systems_have_not_the_same_parts():
    found = demur.compare(
        lone("a", range(40)), lone("b", [*range(40)] * 2), of="wholes"
    )
    assert found.costs.regions == ()
    assert found.points.change is None


def test_what_failed_may_have_been_right_or_wrong():
    def partly(name):
        return demur.Outcomes.from_columns(
            {
                "item": [f"r{row}" for row in range(12)],
                "part": ["p"] * 12,
                "outcome": ["unanswered"] * 3 + ["right"] * 7 + ["wrong"] * 2,
                "kind": ["failed"] * 3 + [None] * 9,
                "system": [name] * 12,
            }
        )

    found = demur.compare(partly("a"), partly("b"), of="wholes")
    assert [one.value for one in found.bounds["own error"]] == [-0.25, 0.25]
