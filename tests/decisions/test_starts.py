"""Certificates of answered items: twenty starts that share the risk."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtr

import demur
from builders import graded
from demur.arrays import Floats, Sample
from demur.decisions.certificates import certified_answered, walk_by_bets
from demur.decisions.exact_certificates import shared_risk, walk_down
from reference_guards import at_most, bonferroni, carried_down


def answered(
    wrong: Floats, confidence: Floats, target: float = 0.1, certainty: float = 0.95
) -> int:
    """How many items are answered with a certified error."""
    sample = Sample(np.ones(len(wrong), bool), confidence, 1.0 * wrong)
    position = certified_answered(sample, Fraction(str(target)), certainty).position
    return 0 if position is None else len(wrong) - position


# -- more data never hurt ------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_items", "found", "share"), [(300, 0.6, 0.6), (1000, 1, 0.99)]
)
def test_a_bad_top_hides_nothing(n_items: int, found: float, share: float) -> None:
    # 3.3 % wrong of all, 15 % of the surest tenth: one start finds 33 % and none.
    rng = np.random.default_rng(2)
    shares = []
    for _ in range(40):
        sure = rng.random(n_items)
        wrong = rng.random(n_items) < np.where(sure > 0.9, 0.15, 0.02)
        shares.append(answered(wrong, sure, 0.08) / n_items)
    assert np.mean(np.array(shares) > 0) >= found
    assert np.mean(shares) >= share


def test_a_bad_top_hides_nothing_from_bets() -> None:
    sure = np.arange(1000, 0, -1)
    wrong = (np.arange(1000) < 100) & (np.arange(1000) % 6 == 0)
    cluster = np.arange(1000) * 7 % 250
    outcomes = graded(~wrong, sure, cluster=[f"c{number}" for number in cluster])
    choice = demur.choose(outcomes, max_error=0.08, certainty=0.95, of="answered")
    assert choice.nonreturn == 0
    assert "from 20 starts" in choice.rule


def test_bets_that_win_nothing_say_so() -> None:
    cluster = [f"c{number}" for number in range(100)] * 4
    wrong = np.arange(400) % 3 == 0
    outcomes = graded(~wrong, np.arange(400), cluster=cluster)
    choice = demur.choose(outcomes, max_error=0.1, certainty=0.95, of="answered")
    assert not choice.found
    assert "the one that came nearest answers" in choice.why
    assert walk_by_bets(np.array([0.0, 0.05]), [9.0, 0.0].__getitem__).risk == 0.05


def test_with_few_items_there_is_one_start() -> None:
    for n_items in (59, 60, 90, 116):
        assert answered(np.zeros(n_items), np.arange(n_items), 0.05) == n_items
        brought = shared_risk(np.arange(1, n_items + 1), 0.05, 0.05)
        assert np.flatnonzero(brought).tolist() == [58]
    assert answered(np.zeros(58), np.arange(58), 0.05) == 0


# -- the walk, by its definition ---------------------------------------------------


levels = st.sampled_from([3, 8, 1000])
few_wrong = st.lists(st.sampled_from([False] * 12 + [True]), min_size=1, max_size=120)


@settings(max_examples=40, deadline=None)
@given(few_wrong, levels, st.sampled_from([0.1, 0.3]), st.sampled_from([0.05, 0.2]))
def test_it_answers_as_its_definition_and_never_less_than_bonferroni(
    wrong: list[bool], n_levels: int, target: float, risk: float
) -> None:
    n_items = len(wrong)
    sure = -np.floor(np.arange(n_items) * n_levels / n_items)
    cutoffs = (np.flatnonzero(np.append(np.diff(sure) < 0, [True])) + 1).tolist()
    ours = answered(np.array(wrong), sure, target, 1 - risk)
    assert ours == carried_down(wrong, cutoffs, target, risk)
    assert ours >= bonferroni(wrong, cutoffs, target, risk)
    order = np.random.default_rng(n_items).permutation(n_items)
    assert ours == answered(np.array(wrong)[order], sure[order], target, 1 - risk)


@pytest.mark.parametrize(("n_items", "target"), [(40, 0.3), (300, 0.1), (5000, 0.02)])
def test_starts_bring_no_more_than_the_risk(n_items: int, target: float) -> None:
    brought = shared_risk(np.arange(1, n_items + 1), target, 0.05)
    assert brought.sum() == pytest.approx(0.05, abs=1e-12)
    for place in np.flatnonzero(brought).tolist():
        chances = bdtr(np.arange(place + 2), place + 1, target)
        own = chances[chances <= 0.05 / 20].max(initial=0)
        assert brought[place] >= own  # and so passes what Bonferroni passes there
    assert at_most(0, int(np.flatnonzero(brought)[0]) + 1, target) <= 0.05


def test_risk_is_carried_until_a_cutoff_fails() -> None:
    brought = np.array([0.01, 0.0, 0.02, 0.0, 0.02])
    end = walk_down(brought, [0.01, 0.01, 0.03, 0.03, 0.05].__getitem__)
    assert (end.place, end.passed) == (4, True)
    assert end.risk == pytest.approx(0.05)
    end = walk_down(brought, [0.01, 0.02, 0.02, 0.03, 0.03].__getitem__)
    assert (end.place, end.risk, end.passed) == (2, 0.02, True)
    end = walk_down(brought, [0.5, 0.0, 0.03, 0.0, 0.5].__getitem__)
    assert (end.place, end.risk, end.passed) == (2, 0.02, False)  # 1.5 times too much


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any),
    st.lists(
        st.sampled_from([0.0, 5.0, 18.0, 25.0, 60.0, 1e3]), min_size=6, max_size=6
    ),
)
def test_bets_pass_where_they_win_whatever_cutoffs_are_bad(
    shares: list[int], won: list[float]
) -> None:
    brought = 0.05 * np.array(shares) / sum(shares)

    def least(last: int) -> float:
        """By definition: the least that is won, over all sets of bad cutoffs."""
        sums = []
        for others in range(2**last):
            bad = [k for k in range(last) if others >> k & 1] + [last]
            sums.append(
                sum(
                    more * won[min(place for place in bad if place >= start)]
                    for start, more in enumerate(brought[: last + 1].tolist())
                )
            )
        return min(sums)

    worst = [least(place) for place in range(len(brought))]
    if any(abs(value - 1) < 1e-9 for value in worst):
        return
    passed = [place for place, value in enumerate(worst) if value > 1]
    end = walk_by_bets(brought, won.__getitem__)
    assert end.passed == bool(passed)
    assert end.place == (passed[-1] if passed else end.place)
    by_parts = walk_down(brought, lambda place: 1 / won[place] if won[place] else 2.0)
    assert not by_parts.passed or end.place >= by_parts.place


# -- what is promised ---------------------------------------------------------------


@pytest.mark.parametrize("shape", ["flat", "waves", "late"])
def test_any_cutoff_that_is_bad_is_seldom_certified(shape: str) -> None:
    # All cutoffs, or those of some stretches, err just more than .1.
    rng = np.random.default_rng(4)
    place = (np.arange(200) + 0.5) / 200
    mean = {
        "flat": np.full(200, 0.1),
        "waves": 0.1 + 0.03 * np.sin(25 * place),
        "late": np.where(place < 0.5, 0.02, 0.1),
    }[shape]
    rate = np.clip(np.diff(np.append(0, mean * np.arange(1, 201))), 0, 1)
    truth = np.cumsum(rate) / np.arange(1, 201)
    broken, runs = 0, 250
    for _ in range(runs):
        n_answered = answered(rng.random(200) < rate, -np.arange(200.0))
        broken += n_answered > 0 and truth[n_answered - 1] >= 0.1 - 1e-12
    assert broken <= 0.05 * runs + 2 * np.sqrt(0.05 * 0.95 * runs)
