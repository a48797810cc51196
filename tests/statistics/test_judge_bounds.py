"""What labels can show if nobody disagrees on any, against plain twins."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demur.statistics.judge_bounds import (
    draw_shares,
    labels_for_share,
    labels_to_show,
    most_missed,
    share_that_adds,
    unseen_share,
    worst_errors,
)

RISK = 0.025


def plainly_missed(worst, chance, unlabelled, unseen):
    """One item after the other, the most harm for its chance of being found first."""
    rows = [row for row in range(len(worst)) if unlabelled[row]]
    rows.sort(key=lambda row: -worst[row] / chance[row])
    harm = 0.0
    for row in rows:
        part = min(max(unseen / chance[row], 0.0), 1.0)
        harm += part * worst[row]
        unseen -= part * chance[row]
    return harm / len(worst)


@given(st.integers(0, 10**6), st.integers(1, 30), st.floats(0, 1))
def test_the_most_that_is_missed_is_that_of_a_plain_twin(seed, n, unseen):
    rng = np.random.default_rng(seed)
    worst = rng.integers(0, 3, n).astype(float)
    chance, unlabelled = rng.random(n) + 0.01, rng.random(n) < 0.7
    found = most_missed(worst, chance / chance.sum(), unlabelled, unseen)
    twin = plainly_missed(worst, chance / chance.sum(), unlabelled, unseen)
    assert found == pytest.approx(twin, abs=1e-12)


def test_no_other_choice_of_items_does_more_harm():
    rng = np.random.default_rng(4)
    worst = rng.integers(0, 3, 12).astype(float)
    chance = rng.random(12)
    chance /= chance.sum()
    most = most_missed(worst, chance, np.ones(12, bool), 0.3)
    for _ in range(2000):
        wrong = rng.random(12) < 0.4
        if chance[wrong].sum() <= 0.3:
            assert worst[wrong].sum() / 12 <= most + 1e-12


@pytest.mark.parametrize("labels", [10, 20, 50])
def test_a_judge_that_errs_on_more_agrees_with_all_labels_no_oftener_than_said(labels):
    """Exact, of labels drawn without replacement among 600 items."""
    n_items = 600
    wrong = int(np.ceil(n_items * unseen_share(labels, RISK)))
    agrees = comb(n_items - wrong, labels) / comb(n_items, labels)
    assert agrees <= RISK
    fewer = int(0.9 * wrong)  # the bound is not idle
    assert comb(n_items - fewer, labels) / comb(n_items, labels) > RISK


@pytest.mark.parametrize("clever", [True, False])
def test_the_worst_judge_there_can_be_is_found_out(clever):
    """It errs just beyond what labels can show, where they are scarcest."""
    rng = np.random.default_rng(1)
    n_items, labels, draws = 1000, 25, 4000
    judged = [(rng.random(n_items) < rate).astype(float) for rate in (0.2, 0.3)]
    worst = worst_errors(judged, [np.ones(n_items)] * 2).sum(axis=0)
    scarce = (judged[0] + judged[1]) > 0
    chance = np.where(scarce, 2.0, 1.0) if clever else np.ones(n_items)
    chance *= labels / chance.sum()
    drawn = np.zeros(n_items, bool)
    drawn[rng.choice(n_items, labels, p=chance / chance.sum(), replace=False)] = True
    share = draw_shares(worst, 1 / chance, drawn, np.ones(n_items, bool))
    order = np.argsort(-worst / share, kind="stable")
    bound = most_missed(
        worst, share, np.ones(n_items, bool), unseen_share(labels, RISK)
    )
    wrong = np.zeros(n_items, bool)
    harm = np.cumsum(worst[order]) / n_items
    wrong[order[: int(np.searchsorted(harm, bound)) + 1]] = True
    # Labels of so many draws: how often none is about an item on which it errs.
    hits = rng.random((draws, int(wrong.sum()))) < chance[wrong]
    assert (~hits.any(axis=1)).mean() <= RISK + 3 * (RISK / draws) ** 0.5


@given(st.integers(1, 400))
def test_so_many_labels_are_the_fewest(labels):
    share = unseen_share(labels, RISK)
    assert labels_for_share(share * (1 + 1e-9), RISK) == labels
    assert labels_for_share(share * (1 - 1e-9), RISK) == labels + 1


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.floats(0.01, 0.9))
def test_a_share_that_makes_up_a_difference_does(seed, size):
    worst = np.random.default_rng(seed).integers(0, 3, 40).astype(float)
    share = share_that_adds(worst, size)
    if share < 1:
        equal = np.full(40, 1 / 40)
        made_up = most_missed(worst, equal, np.ones(40, bool), share)
        assert made_up == pytest.approx(size)
    else:
        assert worst.mean() <= size


def test_smaller_differences_take_more_labels_and_none_takes_no_number():
    worst = np.repeat([2.0, 1.0], [100, 900])
    asked = {"level": 0.95, "variance": 0.2}
    needed = [labels_to_show(worst, size, **asked) for size in (0.3, 0.1, 0.02)]
    assert needed == sorted(needed)
    assert labels_to_show(worst, 0.0, **asked) is None
    assert labels_to_show(worst, 0.1, **asked, beside=1.0) is None


def test_no_label_leaves_all_open():
    assert unseen_share(0, RISK) == 1.0
    assert labels_for_share(0.0, RISK) is None
