"""Guesses counted in blocks: exact where something is looked up, bounded elsewhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.curves import blocks, counted
from demur.curves.blocks import Cut, from_sums, planned_cuts, spread, up_to_ends
from demur.curves.counted import Counts, settle
from demur.curves.counted_curves import CountedCurve, curve_of, look_ups_settled
from demur.engines.memory import MemoryEngine

LOOK_UPS = [
    {"nonreturn": 0.2},
    {"nonreturn": 0.35, "how": "at_most"},
    {"nonreturn": 0.5, "how": "at_least"},
    {"nonreturn": 0.01},
    {"nonreturn": 1},
    {"error": 0.1},
    {"error": 0.07, "how": "at_most"},
    {"error": 0.12, "how": "at_least"},
    {"cutoff": 0.33},
    {"cutoff": -5},
]


@pytest.fixture(autouse=True)
def few_blocks(monkeypatch):
    """Small tables are cut into blocks of several confidences, as large ones are."""
    monkeypatch.setattr(counted, "MOST_APART", 40)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 16)
    monkeypatch.setattr(counted, "LEAST_BLOCKS", 16)


def drawn_outcomes(number: int) -> demur.Outcomes:
    """A random table: ties, atoms, infinities, weights, credits, no guess, ungraded."""
    rng = np.random.default_rng(number)
    n_rows = int(rng.integers(60, 500))
    sure = rng.random(n_rows)
    if number % 3 == 0:
        sure = np.round(rng.normal(size=n_rows), rng.integers(0, 4))
    if number % 5 == 0:
        sure[rng.random(n_rows) < 0.3] = 1.0
    if number % 5 == 1:
        sure[:3] = [np.inf, -np.inf, -0.0]
    outcome = rng.choice(
        ["right", "wrong", "unanswered", "ungraded"], n_rows, p=[0.6, 0.25, 0.1, 0.05]
    )
    more = {}
    if number % 4 == 0:
        more["weight"] = rng.choice([1, 0.5, 2.25], n_rows)
    if number % 7 == 0:
        more["credit"] = np.where(outcome == "right", rng.choice([1, 0.5], n_rows), 0)
    if number % 4 == 1:
        more["declined"] = rng.random(n_rows) < 0.2
    if number % 6 == 1:
        silent = (outcome == "wrong") | (outcome == "unanswered")
        more["answerable"] = ~(silent & (rng.random(n_rows) < 0.3))
    return demur.Outcomes.from_arrays(
        outcome=outcome,
        confidence=np.where(outcome == "unanswered", np.nan, sure),
        **more,
    )


def counts_of(outcomes: demur.Outcomes) -> Counts:
    return Counts(MemoryEngine(outcomes))


def point(curve, look_up):
    try:
        return curve.at(**look_up).to_dict()
    except demur.UndefinedRate as problem:
        return str(problem)


@pytest.mark.parametrize("number", range(120))
def test_look_ups_are_those_of_rows_to_the_last_digit(number):
    outcomes = drawn_outcomes(number)
    rows, counts = demur.error_return(outcomes), counts_of(outcomes)
    curve = curve_of(counts, 0)
    for look_up in LOOK_UPS:
        assert point(curve, look_up) == point(rows, look_up), look_up
    assert curve.forced_choice_error == rows.forced_choice_error
    assert curve.operating_point.to_dict() == rows.operating_point.to_dict()
    assert curve.crossing == pytest.approx(rows.crossing, abs=1e-15)
    area, exact = curve.area(), rows.area()
    assert area.low - 1e-12 <= exact.low <= exact.high <= area.high + 1e-12


@pytest.mark.parametrize("number", range(0, 60, 3))
def test_a_curve_whose_confidences_are_all_counted_apart_is_that_of_rows(
    number, monkeypatch
):
    monkeypatch.setattr(counted, "MOST_APART", 10**6)
    outcomes = drawn_outcomes(number)
    rows, curve = demur.error_return(outcomes), curve_of(counts_of(outcomes), 0)
    assert not isinstance(curve, CountedCurve)
    for name in ("cutoff", "nonreturn", "error", "missed", "right", "ungraded"):
        np.testing.assert_array_equal(getattr(curve, name), getattr(rows, name))
    assert curve.area().to_dict() == rows.area().to_dict()


def test_many_look_ups_take_one_more_pass():
    outcomes = drawn_outcomes(2)
    engine = MemoryEngine(outcomes)
    passes = []
    count = engine.count
    engine.count = lambda by, cuts: passes.append(len(cuts)) or count(by, cuts)
    counts = Counts(engine)
    look_ups_settled(counts, {0: LOOK_UPS[:3]})
    assert 2 <= len(passes) <= 3
    before = len(passes)
    assert not look_ups_settled(counts, {0: LOOK_UPS[:3]})
    assert len(passes) == before


def test_the_area_is_known_better_the_finer_the_blocks(monkeypatch):
    outcomes = drawn_outcomes(2)
    slacks = []
    for n_blocks in (8, 64, 256):
        monkeypatch.setattr(counted, "MOST_BLOCKS", n_blocks)
        monkeypatch.setattr(counted, "LEAST_BLOCKS", n_blocks)
        slacks.append(curve_of(counts_of(outcomes), 0).slack[1])
    assert slacks[0] > 4 * slacks[1] > 4 * slacks[2] > 0


@pytest.mark.parametrize("order", ["wun", "wnu", "uwn", "unw", "nwu", "nuw"])
def test_bounds_of_the_area_hold_however_a_block_is_ordered(order, monkeypatch):
    monkeypatch.setattr(counted, "MOST_APART", 1)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 1)
    monkeypatch.setattr(counted, "LEAST_BLOCKS", 1)
    names = {"w": "wrong", "u": "ungraded", "n": "right"}
    outcome = [names[one] for one in order for _ in range(30)]
    outcomes = demur.Outcomes.from_arrays(
        outcome=outcome, confidence=np.linspace(0.1, 0.9, 90)
    )
    area, exact = curve_of(counts_of(outcomes), 0).area(), demur.error_return(outcomes)
    assert area.low - 1e-12 <= exact.area().low
    assert exact.area().high <= area.high + 1e-12


@pytest.mark.parametrize("steepness", [1, 12, 30])
def test_confidences_that_pile_up_below_one_are_all_counted(steepness):
    rng = np.random.default_rng(0)
    sure = 1 / (1 + np.exp(-rng.normal(20, steepness, 3000)))
    outcomes = demur.Outcomes.from_arrays(
        correct=rng.random(3000) < 0.7, confidence=sure
    )
    rows, curve = demur.error_return(outcomes), curve_of(counts_of(outcomes), 0)
    assert curve.at(nonreturn=0.1).to_dict() == rows.at(nonreturn=0.1).to_dict()


@given(
    values=st.lists(st.floats(-1e9, 1e9) | st.floats(0, 1), min_size=1, max_size=50),
    n_blocks=st.integers(1, 300),
)
def test_cuts_cover_every_confidence_once(values, n_blocks):
    cuts = planned_cuts(np.array(values), n_blocks)
    assert (cuts[0].low, cuts[-1].high) == (-np.inf, np.inf)
    for before, after in zip(cuts, cuts[1:], strict=False):
        assert before.low < before.high == after.low
    for cut in cuts:
        if np.isfinite(cut.width):
            assert np.log2(cut.width) % 1 == 0
    ends = min(values), max(values)
    closer = up_to_ends(cuts, ends, n_blocks)
    assert closer[0].low <= ends[0]
    assert ends[1] < closer[-1].high or closer[-1].high == np.inf


def test_skewed_confidences_are_cut_finely_where_they_are():
    rng = np.random.default_rng(0)
    sure = 1 - 10 ** (-6 * rng.random(20_000))
    cuts = planned_cuts(sure, 4096)
    low = np.concatenate(
        [np.arange(cut.low, cut.high, cut.width) for cut in cuts[1:-1]]
    )
    held = np.bincount(np.searchsorted(low, sure, "right"))
    assert held.max() < 100  # of blocks of equal width the last holds two thirds


def test_best_and_worst_cases_have_the_sums_of_the_block():
    amounts = np.array([[5, 2, 1, 1, 8, 3, 1, 1], [2, 0, 0, 0, 2, 0, 0, 0]])
    whole = blocks.Blocks(np.array([0.0, 0.5]), np.array([0.5, 0.75]), amounts)
    for errors_first in (True, False):
        cut = spread(whole, errors_first=errors_first)
        assert cut.source.tolist() == [0, 0, 1]
        assert cut.blocks.amounts[:2].sum(axis=0).tolist() == amounts[0].tolist()
        assert cut.inside.tolist() == [False, True, False, False]
        errs = 0 if errors_first else 1
        assert cut.blocks.erring.tolist() == [4, 0, 0] if not errs else [0, 4, 0]


@pytest.mark.parametrize("number", range(40))
def test_a_rule_takes_what_it_takes_of_rows(number):
    outcomes = drawn_outcomes(number)
    rows, counts = demur.error_return(outcomes), counts_of(outcomes)

    def cheapest(ladder, total):
        position = ladder.vertices()
        lost = ladder.lost(position)
        gone = total.no_guess + ladder.withheld(position)
        return int(position[np.argmin(10 * lost + 3 * gone)])

    expected = rows.ladder.cutoff(cheapest(rows.ladder, rows.totals))
    total = counts.parts[0].totals
    position = settle(counts, 0, lambda held: cheapest(held.ladder(), total))
    assert counts.blocks(0).ladder().cutoff(position) == expected


def test_rows_that_change_between_passes_are_noticed():
    outcomes = drawn_outcomes(2)
    counts = counts_of(outcomes)
    counts.blocks(0)
    counts.engine._outcomes = outcomes.take(np.arange(len(outcomes) - 5))
    with pytest.raises(demur.InputError, match="stay as they are"):
        counts.refine({0: range(len(counts.blocks(0)))})


def test_minus_zero_and_zero_are_one_block():
    held = from_sums(
        [Cut(-np.inf, np.inf)], np.array([-0.0, 0.0, 1.0]), np.ones((3, 8), int)
    )
    assert held.low.tolist() == [0.0, 1.0]
    assert held.guesses.tolist() == [6, 3]
