"""Gates on curves: what they look at, what breaks them, and that they fail closed."""

from typing import Any

import pytest

import demur
from builders import by_outcome, graded, refuses, undefined
from demur.decisions.judged_curves import JudgedCurves
from demur.results.gates import broken_gates, check_gate
from demur.results.gates import parse_gate as parsed


def parse_gate(text: str) -> Any:
    """A gate on curves, read and checked."""
    gate = parsed(text)
    check_gate(gate, JudgedCurves.KINDS)
    return gate


def value_of(text: str, curve: demur.Curve) -> float:
    """What a gate looks at."""
    gate = parse_gate(text)
    figures = JudgedCurves([curve]).figures_for(gate)
    (held,) = [figure.ends[1] for figure in figures if gate._is_about(figure)]
    return held


def broken(text: str, *curves: demur.Curve) -> list[str]:
    """What is said of curves that break a gate."""
    return broken_gates([parse_gate(text)], JudgedCurves(curves))


@pytest.fixture
def curve() -> demur.Curve:
    return demur.error_return(
        by_outcome(
            ["right", "wrong", "ungraded", "wrong", "unanswered"],
            [0.9, 0.7, 0.5, 0.3, None],
            system="a",
            declined=[False, False, False, True, False],
        )
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("error@0.2 > 0", 0.6),  # .4 wrong and .2 ungraded: the high bound
        ("error@0.6>0", 0.2),
        ("error(cutoff=0.7) > 0", 0.2),
        ("error(nonreturn=0.4) > 0", 0.4),
        ("nonreturn(error=0.2) > 0", 0.4),
        ("nonreturn ( error = .2 ) > 0", 0.4),
        ("missed@1 > 0", 0.2),
        ("error > 0", 0.4),
        ("nonreturn > 0", 0.4),
        ("forced_choice_error > 0", 0.8),
        ("items > 0", 5),
        ("ungraded > 1e-1", 1),
        ("unanswered > 0", 1),
        ("a: wrong >= 2", 2),
    ],
)
def test_values(curve: demur.Curve, text: str, value: float) -> None:
    assert value_of(text, curve) == pytest.approx(value)


def test_area_is_the_high_bound(curve: demur.Curve) -> None:
    assert value_of("area > 0", curve) == curve.area().high


@pytest.mark.parametrize(
    ("sign", "limit", "broken"),
    [
        (">", 2, False),
        (">=", 2, True),
        ("<", 2, False),
        ("<=", 2, True),
        ("==", 2, True),
        ("!=", 2, False),
        (">", 1, True),
    ],
)
def test_comparisons(curve: demur.Curve, sign: str, limit: int, broken: bool) -> None:
    text = f"wrong {sign} {limit}"
    lines = broken_gates([parse_gate(text)], JudgedCurves([curve]))
    assert bool(lines) == broken
    words = f"a: wrong is 2, must not be {sign} {limit}  [--fail-if {text!r}]"
    assert lines == [words] * len(lines)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "error@20% > 1",
        "error@0.2",
        "error @ > 1",
        "> 1",
        "error@0.2 > x",
        "a > > 1",
    ],
)
def test_what_is_no_gate(text: str) -> None:
    with pytest.raises(demur.ParseError, match="the text must read like"):
        parse_gate(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("eror@0.2 > 0.1", "'error'"),
        ("area@0.2 > 0.1", "must stand without @"),
        ("error(cutof=0.2) > 0.1", "'cutoff'"),
        ("error@20 > 0.1", "from 0 to 1"),
    ],
)
def test_unknown_names_show_the_choices(text: str, near: str) -> None:
    refuses(near, parse_gate, text)


def test_a_gate_on_nothing_is_an_error_not_a_pass(curve: demur.Curve) -> None:
    refuses("the system must be one of a", broken, "b: error > 0.1", curve)
    point = demur.error_return(graded([True]))
    with pytest.raises(demur.UndefinedRate):
        broken("error@0.2 > 0.1", point)
    undefined("is undefined", value_of, "missed@0.1 > 0", curve)


def test_left_of_the_start_the_high_bound_counts(curve: demur.Curve) -> None:
    # At 0.1, half of the one missing guess would be answered, at worst wrongly.
    assert value_of("error@0.1 > 0", curve) == pytest.approx(0.7)


# -- gates fail closed -------------------------------------------------------------


def test_a_nameless_system_is_gated_by_the_name_that_messages_give_it() -> None:
    nameless = demur.error_return(graded([True, False]))
    (line,) = broken("(nameless): error > 0", nameless)
    assert line.startswith("error is 0.5, must not be > 0  [")
    refuses(r"must be one of \(nameless\)", broken, "a: error > 0", nameless)


def test_a_gate_without_systems_is_refused() -> None:
    refuses("be a figure of this result", broken, "error > 0")


def test_a_value_that_is_not_defined_is_refused(curve: demur.Curve) -> None:
    import dataclasses

    point = dataclasses.replace(curve.operating_point, missed=float("nan"))
    unclear = dataclasses.replace(curve, operating_point=point)
    undefined("missed is undefined", value_of, "missed < 0.5", unclear)


@pytest.mark.parametrize(
    "text",
    [
        *("error > 1", "error >= 1.01", "error < 0", "error == 2", "error <= -1"),
        *("error > 5", "error > 1e999", "error > 1e999999999999", "nonreturn > 1"),
        *("error@0.2 > 0.8", "error@0.2 >= 0.81", "missed@0.2 > 0.2", "area > 1"),
        *("wrong < 0", "wrong == 1.5", "wrong != 0.5", "items > 1e999", "wrong <= -1"),
    ],
)
def test_limits_that_no_value_reaches_are_refused(text: str) -> None:
    refuses("the limit must be one that can be rea", parse_gate, text)


@pytest.mark.parametrize(
    "text",
    [
        *("error >= 1", "error <= 0", "error > 0.99", "error == 0", "error < 1"),
        *("error@0.2 >= 0.8", "error@0.2 > 0.79", "missed@0.2 >= 0.2", "wrong > 1e3"),
        *("nonreturn(error=0.2) > 0.99", "error(cutoff=0.7) > 0.99", "wrong > 0.5"),
        *("wrong == 2.0", "wrong == 3", "wrong > 1e-999999999"),
    ],
)
def test_limits_that_a_value_can_reach_are_taken(text: str) -> None:
    assert parse_gate(text).text == text


@pytest.mark.parametrize("text", ["findings > 1e999", "findings < 0", "class == 0.5"])
def test_counts_have_limits_too(text: str) -> None:
    refuses("whole numbers from 0", check_gate, parsed(text), demur.Lints.KINDS)


@pytest.mark.parametrize("certainty", ["0", "1", "2", "-0.5"])
def test_a_certainty_lies_between_0_and_1(certainty: str) -> None:
    with pytest.raises(demur.InputError, match="certainty must be"):
        parse_gate(f"certified_error(cutoff=0.5, certainty={certainty}) > 0.1")


@pytest.mark.parametrize(
    "text", ["b not worse than a by 1", "b not worse than a by 0", "b worse than a @1"]
)
def test_comparisons_that_could_never_break_are_refused(text: str) -> None:
    with pytest.raises(demur.ParseError):
        parsed(text)
