"""Certificates at a given cutoff, and plans for them, against direct computation."""

import itertools
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import (
    by_outcome,
    graded,
    printed,
    printed_json,
    refuses,
    stderr_of,
    undefined,
)
from demur.decisions.betting import betting_bound
from demur.decisions.certificate_chances import MOST_ERRORS
from demur.decisions.certifying import RATES
from demur.decisions.judged_curves import JudgedCurves
from demur.results.gates import broken_gates, check_gate, parse_gate


def tail(wrong: int, items: int, rate: float) -> float:
    """The chance of so few errors."""
    return sum(
        comb(items, k) * rate**k * (1 - rate) ** (items - k) for k in range(wrong + 1)
    )


def system(n_wrong: int, n_items: int, **more: object) -> demur.Outcomes:
    """The wrong answers are the least sure ones."""
    return graded(
        [False] * n_wrong + [True] * (n_items - n_wrong),
        range(n_items),
        system="a",
        **more,
    )


@given(st.integers(0, 20), st.integers(0, 30), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_bound_is_the_rate_at_which_so_few_errors_are_that_rare(
    wrong: int, cutoff: int, certainty: float
) -> None:
    found = demur.certified_error(system(wrong, 40), cutoff=cutoff, certainty=certainty)
    seen = max(0, wrong - cutoff)
    assert tail(seen, 40, found) == pytest.approx(1 - certainty)


def test_ungraded_counts_as_an_error_and_credit_as_itself() -> None:
    whole = by_outcome(["wrong", "wrong", "right", "right"], [4, 3, 2, 1])
    mixed = by_outcome(["ungraded", "wrong", "right", "right"], [4, 3, 2, 1])
    bounds = [demur.certified_error(each, cutoff=1) for each in (whole, mixed)]
    assert bounds[0] == bounds[1]
    half = graded([0.5] * 10 + [1] * 90, range(100))
    lost = graded([0] * 10 + [1] * 90, range(100))
    bounds = [demur.certified_error(each, cutoff=0) for each in (half, lost)]
    assert 0.05 < bounds[0] < bounds[1] - 0.03


def test_clusters_have_their_own_bound() -> None:
    cluster = [f"c{row // 4}" for row in range(80)]
    found = demur.certified_error(system(8, 80, cluster=cluster), cutoff=0)
    # Two of 20 clusters are wrong throughout.
    wrong = 4.0 * (np.arange(20) < 2)
    wanted = betting_bound(wrong, np.full(20, 4.0), certainty=0.95)
    assert found == pytest.approx(wanted, abs=1e-9)
    assert found > demur.certified_error(system(8, 80), cutoff=0)


def test_what_no_bound_holds_for_is_refused() -> None:
    refuses("certainty", demur.certified_error, system(1, 4), cutoff=0, certainty=1)
    undefined("no confidences", demur.certified_error, graded([True, False]), cutoff=0)


# -- plans ---------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.sampled_from([0.01, 0.05, 0.1, 0.3]),
    st.sampled_from([0.8, 0.95, 0.99]),
    st.integers(0, 8),
)
def test_a_plan_is_the_least_number_that_certifies(
    target: float, certainty: float, wrong: int
) -> None:
    plan = demur.certificate_plan(max_error=target, certainty=certainty, errors=[wrong])
    items = plan.by_errors[wrong]
    assert tail(wrong, items, target) <= 1 - certainty + 1e-12
    assert items == 1 or tail(wrong, items - 1, target) > 1 - certainty - 1e-12


def test_fifty_nine_clean_ones() -> None:
    assert demur.certificate_plan(max_error=0.05).by_errors[0] == 59


def test_a_pilot_needs_what_would_likely_be_certified() -> None:
    plan = demur.certificate_plan(max_error=0.25, pilot=system(30, 100))
    assert [rate for rate, _, _ in plan.by_nonreturn] == list(RATES)
    needed = [items for _, _, items in plan.by_nonreturn]
    assert needed[0] is None  # 30 % wrong is never below 25 %
    for rate, error, _ in plan.by_nonreturn:
        assert error == pytest.approx(max(0.3 - rate, 0))
    assert all(a >= b for a, b in itertools.pairwise(needed[1:]))
    assert all(
        items is None or chance >= 0.8
        for items, chance in zip(needed, plan.chances, strict=True)
    )


def test_errors_of_answered_items_need_answered_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MOST_ERRORS, "answered", 40)
    pilot = system(10, 100)
    plan = demur.certificate_plan(max_error=0.2, of="answered", pilot=pilot)
    least = min(plan.by_errors.values())
    assert least == 14  # ceil(ln 0.05 / ln 0.8)
    shares = [error for _, error, _ in plan.by_nonreturn]
    assert shares == pytest.approx([0.1] + [0] * 9)
    for (_, _, items), chance in zip(plan.by_nonreturn, plan.chances, strict=True):
        assert items is not None
        assert items >= least
        assert chance >= 0.8
    assert plan.items_needed_by_pilot == min(row[2] for row in plan.by_nonreturn)  # type: ignore[type-var]


@pytest.mark.parametrize("target", [0, 1, 1.5, "x"])
def test_targets_out_of_range_are_refused(target: object) -> None:
    refuses("max_error", demur.certificate_plan, max_error=target)


# -- gates and the command line ----------------------------------------------------


def test_a_gate_on_a_certified_error() -> None:
    gate = parse_gate("certified_error(cutoff=0, certainty=0.9) > 0.05")
    assert gate.certainty == 0.9
    outcomes = system(2, 100)
    curve = demur.error_return(outcomes)
    value = demur.certified_error(outcomes, cutoff=0, certainty=0.9)
    (line,) = broken_gates([gate], JudgedCurves([curve], parts=[outcomes]))
    assert f"is {value:.6g}, must not be > 0.05" in line


@pytest.mark.parametrize(
    "text",
    [
        "certified_error > 0.1",
        "certified_error@0.2 > 0.1",
        "certified_error(nonreturn=0.2) > 0.1",
        "error(cutoff=1, certainty=0.9) > 0.1",
    ],
)
def test_other_gates_on_it_are_refused(text: str) -> None:
    refuses("gate", check_gate, parse_gate(text), JudgedCurves.KINDS)


@pytest.fixture
def path(tmp_path: Path) -> str:
    target = tmp_path / "outcomes.jsonl"
    demur.write_outcomes(system(10, 100), target)
    return str(target)


def test_the_gate_ends_with_1(path: str) -> None:
    gates = ["--fail-if", "certified_error(cutoff=10) > 0.05"]
    printed("curve", path, *gates)  # 0 of 100 wrong: at most 2.95 %
    gates = ["--fail-if", "certified_error(cutoff=9) > 0.03"]
    err = stderr_of("curve", path, *gates, code=1)
    assert "certified_error(cutoff=9) is 0.0465" in err
    for command in ("curve", "score"):  # 1 of 100 wrong: at most 6.5 %, 99 % certain
        gate = "certified_error(cutoff=9, certainty=0.99) > 0.05"
        err = stderr_of(command, path, "--fail-if", gate, code=1)
        assert "certified_error(cutoff=9) is 0.0645" in err
        gate = "nonreturn(cutoff=9, certainty=0.99) > 0.05"
        err = stderr_of(command, path, "--fail-if", gate, code=2)
        assert "come without a certainty" in err


def test_plans_on_the_command_line(path: str) -> None:
    words = ["choose", "--plan", "--max-error", "0.05", "--certainty", "0.95"]
    out = printed(*words)
    assert "takes items: 59 with 0 wrong, 93 with 1" in " ".join(out.split())
    err = stderr_of(*words, "--fail-if", "items_needed > 58", code=1)
    assert "gate broken: items_needed is 59, must not be > 58" in err
    stderr_of(*words, "--fail-if", "items_needed_by_pilot > 58", code=2)
    out = printed(*words, path)
    assert "without a number the greatest of any" in " ".join(out.split())
    shown = printed_json(*words, path)
    assert shown["by_errors"][0] == {"wrong": 0, "items": 59}
    assert shown["systems"][0]["by_nonreturn"][0]["items"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--balance"], "files of outcomes must be named"),
        (["--plan", "--balance"], "--plan must come with --max-error"),
        (["--plan", "--max-error", "0.1"], "--plan must come with --certainty"),
        (["--balance", "--plot", "x.png", "PATH"], "--plot must come with --prices"),
    ],
)
def test_options_that_say_nothing_alone(
    words: list[str], message: str, path: str
) -> None:
    assert message in stderr_of(
        "choose", *(path if word == "PATH" else word for word in words), code=2
    )
