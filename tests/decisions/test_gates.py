"""Gates: what parses, what they look at, and what breaks them."""

import pytest

import demur
from demur.decisions.gates import parse_gate


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
