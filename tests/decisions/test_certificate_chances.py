"""Plans from a pilot, against plain counting of what a fresh sample may hold."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import bdtr
from scipy.stats import beta, betabinom

import demur
from builders import graded
from demur.arrays import Floats, Sample
from demur.decisions.certificate_chances import (
    MOST_ERRORS,
    CertificateWalks,
    Pilot,
    least_items,
    likely_rates,
    planned_of_all,
    planned_of_answered,
)
from demur.decisions.certificates import certified_answered
from demur.decisions.exact_certificates import items_for_certificate


def by_classes(*classes: tuple[float, int], levels: bool = False) -> Pilot:
    """A pilot with a share of wrong ones in each class, the surest first."""
    wrong = [np.arange(many) < round(share * many) for share, many in classes]
    rng = np.random.default_rng(0)
    sure = [
        2.0 * (len(classes) - place) + (0 if levels else rng.random(len(part)))
        for place, part in enumerate(wrong)
    ]
    loss = np.concatenate(wrong).astype(float)
    rank = np.concatenate(
        [np.broadcast_to(s, len(w)) for s, w in zip(sure, wrong, strict=True)]
    )
    return Pilot.of(Sample(np.ones(len(loss), bool), rank, loss))


# -- what a pilot says ---------------------------------------------------------------


def test_classes_are_tenths_or_levels() -> None:
    pilot = by_classes((0.0, 500), (0.2, 500))
    assert pilot.items.tolist() == [100] * 10
    assert pilot.wrong.sum() == 100 == pilot.wrong[5:].sum()
    assert not pilot.tied.any()
    levels = by_classes((0.0, 7), (0.5, 2), (1.0, 1), levels=True)
    assert levels.items.tolist() == [7, 2, 1]
    assert levels.tied.tolist() == [True, True, False]
    # Declining no more than half declines three: the cutoff between is not to be had.
    assert [levels.answered[levels.cutoff_at(tenths)] for tenths in (0, 1, 3, 5)] == [
        *(10, 9, 7, 7)
    ]
    guess = np.arange(10) < 7
    silent = Pilot.of(Sample(guess, np.arange(10.0), np.zeros(10)))
    assert [silent.cutoff_at(tenths) for tenths in (2, 3)] == [None, 7]
    many = by_classes(*[(0.5, 2)] * 40, levels=True)
    assert many.items.tolist() == [8] * 10
    assert not many.tied.any()


@pytest.mark.parametrize("counts", [(0.5, 10.5), (3.0, 40.0), (2000.0, 1.0)])
def test_likely_rates_are_those_of_their_distribution(
    counts: tuple[float, float],
) -> None:
    rates = likely_rates(*counts, many=200)
    assert rates.mean() == pytest.approx(beta.mean(*counts))
    assert rates.var() == pytest.approx(beta.var(*counts), rel=0.03)
    assert likely_rates(0, 3, many=8).tolist() == [0]
    assert likely_rates(3, 0, many=8).tolist() == [1]


@pytest.mark.parametrize(
    ("target", "certainty"), [(0.05, 0.95), (0.9, 0.5), (1e-4, 0.9)]
)
def test_least_items_are_those_of_a_certificate(
    target: float, certainty: float
) -> None:
    wanted = [
        items_for_certificate(target, certainty, wrong=wrong) for wrong in range(20)
    ]
    assert least_items(target, certainty, 19).tolist() == wanted


# -- errors over all items -----------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "items", "target", "certainty", "power"),
    [
        (0, 100, 0.05, 0.95, 0.8),
        (1, 100, 0.05, 0.95, 0.8),
        (1, 300, 0.05, 0.95, 0.9),
        (3, 60, 0.2, 0.9, 0.6),
        (10, 40, 0.5, 0.95, 0.8),
        (20, 40, 0.5, 0.95, 0.8),
        (0, 1, 0.9, 0.5, 0.5),
    ],
)
def test_a_plan_keeps_its_chance_for_every_larger_number(
    wrong: int, items: int, target: float, certainty: float, power: float
) -> None:
    asked = {"target": target, "certainty": certainty, "power": power}
    planned = planned_of_all(wrong, items, **asked)
    known = (wrong + 0.5, items - wrong + 0.5)
    sizes = np.arange(1, 600)
    certifying = [
        int((bdtr(np.arange(n), n, target) <= 1 - certainty).sum()) for n in sizes
    ]
    chance = betabinom.cdf(np.array(certifying) - 1, sizes, *known)
    short = sizes[chance < power]
    if planned.items is None:
        assert short[-1] == sizes[-1]
        assert beta.cdf(target, *known) < power
        assert planned.chance == pytest.approx(beta.cdf(target, *known), abs=1e-3)
    else:
        assert planned.items == (short[-1] + 1 if len(short) else 1)
        assert planned.chance == pytest.approx(chance[planned.items - 1], abs=2e-3)


def test_a_chance_that_comes_late_or_never(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"target": 0.05, "certainty": 0.95}
    late = planned_of_all(430, 10_000, **asked, power=0.8)
    needed = least_items(**asked, most=400)
    allowed = needed.tolist().index(late.items)
    steps = np.array([allowed - 1, allowed])  # the last numbers before and after
    chance = betabinom.cdf(steps, needed[steps + 1] - 1, 430.5, 9570.5)
    assert chance[0] < 0.8 + 1e-3
    assert allowed > 64
    assert chance[1] > 0.8 - 1e-3
    monkeypatch.setitem(MOST_ERRORS, "all", 64)
    close = planned_of_all(430, 10_000, **asked, power=0.8)
    assert close.items is None  # it would take more than all that are tried
    assert close.chance < 0.8


# -- errors among the answered -------------------------------------------------------


def drawn(
    rates: Floats, reached: list[int], target: float, levels: int = 0, runs: int = 800
) -> Floats:
    """How often samples are certified down to some cutoffs, by drawing them."""
    rng = np.random.default_rng(1)
    items = len(rates)
    sure = -np.floor(np.arange(items) * (levels or items) / items)
    hits = np.zeros(len(reached))
    for _ in range(runs):
        loss = 1.0 * (rng.random(items) < rates)
        sample = Sample(np.ones(items, bool), sure, loss)
        position = certified_answered(sample, Fraction(str(target)), 0.9).position
        hits += position is not None and items - position >= np.array(reached)
    return hits / runs


@pytest.mark.parametrize(
    ("shares", "items", "target"),
    [
        ([0.02 * place for place in range(10)], 100, 0.2),
        ([0.5, *[0.02] * 9], 80, 0.2),
        ([0.0, 0.02, 0.6, 0.02, 0.02], 90, 0.25),
    ],
)
def test_chances_are_those_of_drawn_samples(
    shares: list[float], items: int, target: float
) -> None:
    tests = CertificateWalks(
        by_classes(*[(share, 10_000) for share in shares]), target, 0.9
    )
    tests._jumps[:] = False
    width = items // len(tests.pilot.items)
    ends = list(range(width, items + 1, width))
    rates = np.repeat(shares, items // len(shares))
    seen = drawn(rates, ends, target)
    chances = tests.chances(items)
    assert 0.03 < chances[-1] < 0.98
    assert chances == pytest.approx(seen, abs=0.045)
    assert (np.diff(chances) <= 1e-9).all()


def test_levels_are_tested_as_a_whole() -> None:
    levels = CertificateWalks(
        by_classes((0, 5000), (0.14, 5000), levels=True), 0.1, 0.9
    )
    seen = drawn(np.repeat([0, 0.14], 50), [50, 100], 0.1, levels=2)
    whole = levels.chances(100)
    assert whole == pytest.approx(seen, abs=0.045)
    untied = CertificateWalks(by_classes((0, 5000), (0.14, 5000)), 0.1, 0.9)
    assert untied.chances(100)[-1] < whole[1] - 0.01


def test_where_errors_jump_it_counts_how_many_items_are_there() -> None:
    # Of 200 items any number about 20 are of the least sure tenth, nearly all wrong.
    tests = CertificateWalks(by_classes(*[(0.06, 9000)] * 9, (0.9, 9000)), 0.2, 0.9)
    ends = tests._ends(8, 200)
    assert ends.mean() == 180
    assert ends.var() == pytest.approx(0.9 * 18, rel=0.05)
    assert tests._ends(7, 200).tolist() == [160]
    by_end = [np.repeat([0.06, 0.9], [end, 200 - end]) for end in ends]
    pairs = [
        drawn(rates, [end, 200], 0.2, runs=250)
        for rates, end in zip(by_end, ends, strict=True)
    ]
    assert tests.chances(200)[-2:] == pytest.approx(np.mean(pairs, axis=0), abs=0.045)


def test_half_an_error_is_added_among_the_surest() -> None:
    rates = by_classes((0, 50), (0, 50), (0.5, 50), levels=True).likely_rates()
    assert rates[0].mean() == pytest.approx(0.5 / 51)
    assert rates[1].tolist() == [0]
    assert rates[2].mean() == pytest.approx(0.5)


def test_plans_of_answered_items_are_likely_from_there_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MOST_ERRORS, "answered", 60)
    pilot = by_classes(*[(0.02 * place, 1000) for place in range(10)])
    asked = {"target": 0.12, "certainty": 0.95, "power": 0.7}
    cutoffs = [pilot.cutoff_at(tenths) or 0 for tenths in (2, 5, 8)]
    planned = planned_of_answered(pilot, cutoffs, **asked)
    tests = CertificateWalks(pilot, 0.12, 0.95)
    for row, plan in zip((7, 4, 1), planned, strict=True):
        assert plan.items is not None
        assert plan.chance == tests.chances(plan.items)[row] >= 0.7
        assert tests.chances(math.floor(plan.items / 1.04))[row] < 0.7
        assert tests.chances(3 * plan.items)[row] >= 0.7
    assert all(a.items >= b.items for a, b in pairwise(planned))  # type: ignore[operator]


def test_where_the_surest_err_most_later_starts_are_planned_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MOST_ERRORS, "answered", 60)
    # 3.3 % wrong of all, 15 % of the surest tenth.
    rng = np.random.default_rng(3)
    rank = rng.random(20_000)
    wrong = rng.random(20_000) < np.where(rank > 0.9, 0.15, 0.02)
    pilot = graded(~wrong, rank, system="a")
    plan = demur.certificate_plan(max_error=0.08, of="answered", pilot=pilot)
    assert 250 < plan.by_nonreturn[0][2] < 400  # type: ignore[operator]


def test_where_all_err_too_much_there_is_no_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MOST_ERRORS, "answered", 30)
    bad = graded([0, 1] * 500, np.arange(1000), system="a")
    plan = demur.certificate_plan(max_error=0.08, of="answered", pilot=bad)
    assert {items for _, _, items in plan.by_nonreturn} == {None}
    assert max(plan.chances) < 0.1
    assert "too many of its answers are wrong" in plan.sentence()


def test_a_small_pilot_says_that_it_is_too_small() -> None:
    pilot = graded([0] * 4 + [1] * 96, range(100), system="a")
    plan = demur.certificate_plan(max_error=0.05, pilot=pilot)
    assert plan.by_nonreturn[0][1:] == (0.04, None)
    assert plan.by_nonreturn[1][2] is not None
    sure = demur.certificate_plan(max_error=0.05, pilot=pilot, power=0.999)
    assert {items for _, _, items in sure.by_nonreturn} == {None}
    assert (
        "with a chance of 0.999 at any nonreturn listed (at best 0.99"
        in sure.sentence()
    )
    assert "100 items do not show that it errs so little" in sure.sentence()
    bad = graded([0, 1] * 50, range(100), system="a")
    none = demur.certificate_plan(max_error=0.05, pilot=bad)
    assert "too many of its answers are wrong" in none.sentence()
    blank = graded([True] + [None] * 19, [1] * 20, system="a")
    few = demur.certificate_plan(max_error=0.05, pilot=blank)
    assert few.by_nonreturn == []
    assert "a has too few guesses" in few.pilot_words()
