"""Gates: what parses, what they look at, and what breaks them."""

import pytest

import demur
from demur.decisions.gates import parse_count, parse_gate, parse_worse


@pytest.fixture
def curve() -> demur.Curve:
    return demur.error_return(
        demur.Outcomes.from_arrays(
            system="a",
            confidence=[0.9, 0.7, 0.5, 0.3, None],
            outcome=["right", "wrong", "ungraded", "wrong", "unanswered"],
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
    assert parse_gate(text).value(curve) == pytest.approx(value)


def test_area_is_the_high_bound(curve: demur.Curve) -> None:
    assert parse_gate("area > 0").value(curve) == curve.area().high


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
    lines = parse_gate(f"wrong {sign} {limit}").broken_by([curve])
    assert bool(lines) == broken
    assert all(line == f"a: wrong is 2 {sign} {limit}" for line in lines)


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
        ("area@0.2 > 0.1", "must be one of error"),
        ("error(cutof=0.2) > 0.1", "'cutoff'"),
        ("error@20 > 0.1", "from 0 to 1"),
    ],
)
def test_unknown_names_show_the_choices(text: str, near: str) -> None:
    with pytest.raises(demur.InputError, match=near):
        parse_gate(text)


def test_a_gate_on_nothing_is_an_error_not_a_pass(curve: demur.Curve) -> None:
    with pytest.raises(demur.InputError, match="the system must be one of a"):
        parse_gate("b: error > 0.1").broken_by([curve])
    point = demur.error_return(demur.Outcomes.from_arrays(correct=[True]))
    with pytest.raises(demur.UndefinedRate):
        parse_gate("error@0.2 > 0.1").broken_by([point])
    with pytest.raises(demur.UndefinedRate, match="left of its curve's start"):
        parse_gate("missed@0.1 > 0").value(curve)


def test_left_of_the_start_the_high_bound_counts(curve: demur.Curve) -> None:
    # At 0.1, half of the one missing guess would be answered, at worst wrongly.
    assert parse_gate("error@0.1 > 0").value(curve) == pytest.approx(0.7)


# -- gates fail closed -------------------------------------------------------------


def test_a_nameless_system_is_gated_by_the_name_that_messages_give_it() -> None:
    nameless = demur.error_return(demur.Outcomes.from_arrays(correct=[True, False]))
    (line,) = parse_gate("(nameless): error > 0").broken_by([nameless])
    assert line == "error is 0.5 > 0"
    with pytest.raises(demur.InputError, match=r"must be one of \(nameless\)"):
        parse_gate("a: error > 0").broken_by([nameless])


def test_a_gate_without_systems_is_refused() -> None:
    with pytest.raises(demur.InputError, match="the system must be one of"):
        parse_gate("error > 0").broken_by([])


def test_a_value_that_is_not_defined_is_refused(curve: demur.Curve) -> None:
    import dataclasses

    point = dataclasses.replace(curve.operating_point, missed=float("nan"))
    broken = dataclasses.replace(curve, operating_point=point)
    with pytest.raises(demur.UndefinedRate, match="a has no missed"):
        parse_gate("missed < 0.5").value(broken)


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
    with pytest.raises(demur.ParseError, match="the limit must be one that can be rea"):
        parse_gate(text)


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
    with pytest.raises(demur.ParseError, match="whole numbers from 0"):
        parse_count(text)


@pytest.mark.parametrize("certainty", ["0", "1", "2", "-0.5"])
def test_a_certainty_lies_between_0_and_1(certainty: str) -> None:
    with pytest.raises(demur.InputError, match="be above 0 and below 1"):
        parse_gate(f"certified_error(cutoff=0.5, certainty={certainty}) > 0.1")


@pytest.mark.parametrize(
    "text", ["b not worse than a by 1", "b not worse than a by 0", "b worse than a @1"]
)
def test_comparisons_that_could_never_break_are_refused(text: str) -> None:
    with pytest.raises(demur.ParseError):
        parse_worse(text)
