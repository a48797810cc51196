"""Marks where lines of runs change: seldom without a change, soon after one."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from demur import mcnemar_exact
from demur.arrays import Sample
from demur.store.run_figures import run_figures
from demur.store.stretches import Stretches, most_last
from demur.store.swap_tests import LineUnits, level_of, newest_p, swap_p

N_RUNS = 20


# -- histories that are made up --------------------------------------------------------


def equal_runs(random, kind: str, n_items: int, n_runs: int = N_RUNS):
    """Confidences and losses of runs between which nothing changes."""
    base = random.random(n_items)
    noise = random.normal(0, 0.15, (n_runs, n_items))
    draws = random.random((n_runs, n_items))
    if kind == "few errors":
        return base + noise, draws < 0.02
    if kind == "same answers":  # but for one in twenty
        first = np.broadcast_to(random.random(n_items) < 0.1, draws.shape)
        other = random.random(draws.shape) < 0.05
        return base + 0.1 * noise, np.where(other, draws < 0.1, first)
    if kind == "ties":
        return np.clip(base + noise, 0, 1).round(1), draws < 0.4 * (1 - base)
    if kind == "scales":  # each run has confidences of its own kind
        factor = random.lognormal(0, 1, (n_runs, 1))
        return (base + noise) * factor - factor, draws < 0.4 * (1 - base)
    return base + noise, draws < 0.3 * (1 - base)


KINDS = ("redrawn", "few errors", "same answers", "ties", "scales")


def line_tests(confidence, wrong, rate: float | None, level: float = 0.95):
    """Tests of a line, of an error at a rate or of own decisions."""
    n_items = confidence.shape[1]
    guess, nothing = np.ones(n_items, bool), np.zeros(n_items)
    samples = [
        Sample(guess, nothing if rate is None else values, 1.0 * lost)
        for values, lost in zip(confidence, wrong, strict=True)
    ]
    figures = run_figures(samples, rate or 0.0, level)
    line = Stretches(1 - level, LineUnits.of(samples[0]))
    return line.take([figures.parts], ~np.isnan(figures.value))


def marks(tests) -> list[int]:
    return [row for row, test in enumerate(tests) if test is not None and test.marked]


def false_marks(kind: str, n_items: int, rate: float | None, histories: int) -> float:
    """The share of histories without any change that have a mark."""
    random = np.random.default_rng([histories, n_items])
    marked = 0
    for _ in range(histories):
        marked += bool(marks(line_tests(*equal_runs(random, kind, n_items), rate)))
    return marked / histories


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [None, 0.2])
def test_equal_runs_have_few_marks(kind, rate):
    assert false_marks(kind, 100, rate, 60) <= 0.07  # the whole in the next one


@pytest.mark.stress
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_items", [50, 200, 1000])
@pytest.mark.parametrize("rate", [None, 0.0, 0.2, 0.5, 0.9])
def test_at_most_one_history_in_twenty_has_a_mark(kind, n_items, rate):
    assert false_marks(kind, n_items, rate, 500) <= 0.05


def changed(random, factor: "np.ndarray", n_items: int):
    """Runs whose errors are so many times as frequent as at first."""
    n_runs = len(factor)
    base = random.random(n_items)
    confidence = base + random.normal(0, 0.15, (n_runs, n_items))
    draws = random.random((n_runs, n_items))
    return confidence, draws < 0.2 * factor[:, None] * (1 - base)


def found_after(factor, n_items: int, rate, histories: int, begin: int) -> list[int]:
    """After how many runs each change is marked; those never marked are left out."""
    random = np.random.default_rng(7)
    first = [
        list(marks(line_tests(*changed(random, factor, n_items), rate)))[:1]
        for _ in range(histories)
    ]
    return [row - begin + 1 for rows in first for row in rows if row >= begin]


@pytest.mark.parametrize("rate", [None, 0.2])
def test_errors_that_double_are_found_within_ten_runs(rate):
    factor = np.repeat([1.0, 2.0], [20, 20])
    after = found_after(factor, 500, rate, 20, 20)
    assert sum(runs <= 10 for runs in after) >= 16


@pytest.mark.parametrize("rate", [None, 0.2])
def test_slow_drift_is_found(rate):
    after = found_after(np.linspace(1, 2.5, 60), 500, rate, 20, 1)
    assert len(after) >= 16


def test_a_jump_late_in_a_long_line_is_found_at_once():
    factor = np.repeat([1.0, 2.0], [400, 12])
    assert len(found_after(factor, 500, None, 4, 400)) == 4


def test_a_return_is_a_change_too():
    factor = np.repeat([1.0, 4.0, 1.0], [10, 6, 10])
    rows = marks(line_tests(*changed(np.random.default_rng(3), factor, 800), None))
    assert len(rows) == 2
    assert rows[0] in range(10, 16)
    assert rows[1] >= 16


# -- laws ------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 70), st.integers(0, 70))
def test_marks_stay_when_runs_are_added(seed, n_runs, cut):
    random = np.random.default_rng(seed)
    factor = np.exp(random.normal(0, 0.4, n_runs)) * np.linspace(1, 2, n_runs)
    confidence, wrong = changed(random, factor, 120)
    cut = min(cut, n_runs)
    whole = line_tests(confidence, wrong, 0.2)
    if cut:
        assert line_tests(confidence[:cut], wrong[:cut], 0.2) == whole[:cut]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(1, 9), max_size=8))
def test_runs_may_come_in_by_any_number(seed, sizes):
    random = np.random.default_rng(seed)
    confidence, wrong = changed(random, np.linspace(1, 3, 40), 150)
    samples = [
        Sample(np.ones(150, bool), values, 1.0 * lost)
        for values, lost in zip(confidence, wrong, strict=True)
    ]
    parts = run_figures(samples, 0.2, 0.95).parts
    line = Stretches(1 - 0.95, LineUnits.of(samples[0]))
    ends = np.unique(np.clip([0, *np.cumsum(sizes), 40], 0, 40))
    several = [
        test
        for begin, end in pairwise(ends.tolist())
        for test in line.take([parts[begin:end]], np.ones(end - begin, bool))
    ]
    whole = line_tests(confidence, wrong, 0.2)
    assert len(several) == len(whole)
    for one, other in zip(several, whole, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert (one.since, one.last, one.level) == (
                other.since,
                other.last,
                other.level,
            )
            assert one.p_value == pytest.approx(other.p_value)


def test_levels_add_up_to_the_risk():
    listed = reference.levels(Fraction(1, 20), 500)
    assert [float(level) for level in listed] == pytest.approx(
        [level_of(k, 0.05) for k in range(1, 501)]
    )
    assert sum(listed) < Fraction(1, 20)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=11))
def test_signs_of_few_are_counted(amounts):
    p = swap_p(np.array([amounts], float))[0]
    wanted = reference.chance_of_signs([Fraction(amount) for amount in amounts])
    assert p == pytest.approx(float(wanted) if any(amounts) else 1.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=13, max_size=40))
def test_the_chance_of_signs_is_never_understated(amounts):
    p = swap_p(np.array([amounts], float))[0]
    wanted = reference.chance_of_signs([Fraction(amount) for amount in amounts])
    assert p >= float(wanted) - 1e-12


def test_amounts_of_one_size_are_tested_by_mcnemar():
    apart = np.r_[np.ones(9), -np.ones(2), np.zeros(30)]
    assert swap_p(apart[None]) == pytest.approx([mcnemar_exact(9, 2)])


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(2, 6), st.integers(2, 9))
def test_the_chance_of_the_newest_is_never_understated(data, n_runs, n_units):
    value = st.sampled_from([0, 1, 1, 2])
    listed = [
        data.draw(st.lists(value, min_size=n_runs, max_size=n_runs))
        for _ in range(n_units)
    ]
    wanted = reference.chance_of_newest([[*map(Fraction, row)] for row in listed])
    values = np.array(listed, float)
    mean = values.mean(1)
    p = newest_p(
        np.array([(values[:, -1] - mean).sum()]),
        np.array([values.var(1).sum()]),
        np.array([(values.max(1) - mean).max()]),
        np.array([(mean - values.min(1)).max()]),
        n_units,
    )[0]
    assert p >= float(wanted) - 1e-9


def test_of_many_items_fewer_runs_are_held():
    assert [most_last(n) for n in (10, 1000, 1_000_000, 10**9)] == [32, 32, 8, 1]


def test_a_mark_stands_whatever_is_taken_for_ungraded():
    """40 answers that nobody could judge are no change by themselves."""
    n_items = 200
    units = LineUnits(np.full(n_items, 1 / n_items))
    before = np.tile(1.0 * (np.arange(n_items) < 20), (5, 1))
    wrong = np.vstack([before, 1.0 * (np.arange(n_items) < 60)])
    right = np.vstack([before, 1.0 * (np.arange(n_items) < 20)])
    known = np.ones(6, bool)
    assert marks(Stretches(0.05, units).take([wrong], known)) == [5]
    assert not marks(Stretches(0.05, units).take([wrong, right], known))
