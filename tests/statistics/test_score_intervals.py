"""Intervals of differences where few errors are seen, against closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom

from demur.statistics.intervals import wilson
from demur.statistics.margin_tests import MOST_ITEMS, margin_p
from demur.statistics.units import ItemValues, score_interval, t_quantile, tilted


def losses_of(worse, better, n_items):
    loss = np.zeros(n_items)
    loss[:worse], loss[worse : worse + better] = 1, -1
    return ItemValues(loss, np.ones(n_items))


def tango_score(worse, better, n_items, end):
    """The score of a difference, by the closed form of Tango (1998)."""
    middle = (2 * n_items - worse + better) * end - worse - better
    root = (middle**2 + 8 * n_items * better * end * (1 - end)) ** 0.5
    rate = (root - middle) / (4 * n_items)
    variance = n_items * (2 * rate + end * (1 - end))
    return (worse - better - n_items * end) / variance**0.5


@pytest.mark.parametrize(
    ("value", "tilt", "part"),
    [
        ([0, 0.5, 1], 0, [1 / 3, 1 / 3, 1 / 3, 0]),
        ([0, 0.5, 1], 0.5, [2 / 9, 8 / 27, 4 / 9, 0]),  # as 1 / (1 + room), by hand
        ([0, 0.5, 1], 1.5, [0, 0, 1, 0]),  # it was seen, and has all weight
        ([0, 0.5], 1, [1 / 3, 2 / 3, 0]),
        ([0, 0.5], 1.5, [1 / 6, 1 / 3, 0.5]),  # half of it is of what was not seen
        ([0, 0.5], 2, [0, 0, 1]),
    ],
)
def test_tilted_weights_by_hand(value, tilt, part):
    weight = np.full((len(value), 1), 1 / len(value))
    found = tilted(
        np.array(value)[:, None], weight, np.ones(1), np.array([float(tilt)])
    )
    values = np.array([*value, 1.0])
    shares = np.array(part) / sum(part)
    mean = shares @ values
    assert [float(number[0]) for number in found] == pytest.approx(
        [mean, shares @ values**2 - mean**2]
    )


counts = st.tuples(*[st.integers(0, 40)] * 2, st.integers(1, 200))


@given(counts)
def test_of_right_and_wrong_answers_it_is_that_of_tango(counts):
    worse, better, _ = counts
    n_items = sum(counts)
    if n_items < 5:
        return
    low, high = score_interval(losses_of(worse, better, n_items), level=0.95)
    reach, mean = t_quantile(0.95, n_items), (worse - better) / n_items

    def ends_at(worse, better, sign):
        def beyond(end):
            return tango_score(worse, better, n_items, end) + reach

        return brentq(beyond, sign * mean + 1e-9, 1 - 1e-12, xtol=1e-13)

    assert high == pytest.approx(ends_at(worse, better, 1), abs=1e-9)
    assert low == pytest.approx(-ends_at(better, worse, -1), abs=1e-9)


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.8, 0.95]))
def test_of_one_error_it_is_that_of_wilson(wrong, right, level):
    n_items = wrong + right
    if n_items < 5:
        return
    value = np.r_[np.ones(wrong), np.zeros(right)]
    items = ItemValues(value, np.ones(n_items), smallest=0.0)
    wanted = wilson(wrong / n_items, n_items, t_quantile(level, n_items))
    assert score_interval(items, level=level) == pytest.approx(wanted, abs=1e-9)


def test_what_else_varies_widens_it():
    value = np.r_[np.ones(30), np.zeros(70)]
    widths = []
    for beside in (0.0, 0.001, 0.01):
        items = ItemValues(value, np.ones(100), smallest=0.0, beside=beside)
        low, high = score_interval(items, level=0.95)
        widths.append((high - low) / 2 / t_quantile(0.95, 100))
    alone = 0.3 * 0.7 / 100
    wanted = [alone**0.5, (alone + 0.001) ** 0.5, (alone + 0.01) ** 0.5]
    assert widths == pytest.approx(wanted, rel=0.05)


@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.0, 0.25, 1.0]), min_size=5),
    st.randoms(use_true_random=False),
)
def test_it_holds_its_value_within_the_bounds_and_turns_with_the_systems(loss, random):
    weight = np.array([random.choice([0.5, 1.0, 3.0]) for _ in loss])
    cluster = np.arange(len(loss)) // 2 if random.random() < 0.5 else None
    losses = ItemValues(np.array(loss), weight, cluster)
    turned = ItemValues(-losses.value, weight, cluster)
    low, high = score_interval(losses, level=0.9)
    assert -1 <= low <= losses.mean + 1e-9
    assert losses.mean - 1e-9 <= high <= 1
    assert score_interval(turned, level=0.9) == pytest.approx((-high, -low), abs=1e-9)
    wider = score_interval(losses, level=0.99)
    assert wider[0] <= low + 1e-12
    assert wider[1] >= high - 1e-12


def test_without_any_difference_it_is_as_wide_as_what_may_have_been_missed():
    # The score at an end is end / sqrt(end (1 - end) / n), nothing else being seen.
    n_items = 60
    squared = t_quantile(0.95, n_items) ** 2
    wanted = squared / (n_items + squared)
    ends = score_interval(losses_of(0, 0, n_items), level=0.95)
    assert ends == pytest.approx((-wanted, wanted))


def test_with_many_items_it_is_that_of_the_spread():
    generator = np.random.default_rng(0)
    loss = generator.choice([-1.0, 0.0, 1.0], 40_000, p=[0.1, 0.75, 0.15])
    low, high = score_interval(ItemValues(loss, np.ones(len(loss))), level=0.95)
    reach = 1.96 * loss.std() / 200
    assert (low, high) == pytest.approx(loss.mean() + reach * np.array([-1, 1]), 0.01)


def test_small_credits_are_as_certain_as_what_may_have_been_missed():
    """A few items that were missed move the mean by as much as an item may differ."""
    loss, weight = np.full(100, 0.05), np.ones(100)
    loss += np.linspace(-0.01, 0.01, 100)
    widths = []
    for largest in (0.06, 1.0):
        losses = ItemValues(loss, weight, smallest=-largest, largest=largest)
        low, high = score_interval(losses, level=0.95)
        assert low < 0.05 < high
        widths.append(high - low)
    assert widths[0] < 0.02 < 0.07 < widths[1]


def test_copies_of_items_in_clusters_tell_nothing_new():
    """Where whole clusters differ, they count as one item each, or nearly."""
    single = losses_of(3, 0, 100)
    cluster = np.repeat(np.arange(100), 10)
    copied = ItemValues(np.repeat(single.value, 10), np.ones(1000), cluster)
    assert copied.independent_items() == pytest.approx(100, rel=0.02)


def test_the_more_differences_lie_scattered_the_more_items_count_alone():
    cluster = np.repeat(np.arange(100), 10)
    counts = [
        ItemValues(
            np.where(np.arange(1000) % every == 0, 1.0, 0.0), np.ones(1000), cluster
        ).independent_items()
        for every in (330, 33, 11, 5)  # at most two of a cluster
    ]
    assert counts == sorted(counts)
    assert 100 < counts[0] < 200
    assert 900 < counts[-1] <= 1000


def test_clusters_without_any_difference_count_as_one_item_each():
    losses = ItemValues(np.zeros(300), np.ones(300), np.repeat(np.arange(30), 10))
    assert losses.independent_items() == pytest.approx(30)


def test_heavy_items_are_few_items():
    weight = np.r_[np.full(10, 50.0), np.ones(90)]
    losses = ItemValues(np.zeros(100), weight)
    assert losses.independent_items() == pytest.approx(weight.sum() ** 2 / 25090, 0.01)


# -- the exact test of a margin ------------------------------------------------------


@pytest.mark.parametrize("worse", [0, 1, 2])
def test_of_a_perfect_system_it_is_hardly_more_than_the_binomial_tail(worse):
    """If A may not be perfect there are outcomes as extreme in which A errs as well."""
    tail = binom.cdf(worse, 40, 0.2)
    assert 0.999 * tail < margin_p(worse, 0, 40, 0.2) < 1.3 * tail


def test_two_errors_in_a_hundred_do_not_show_at_most_five_in_a_hundred():
    """The spread as seen had let this pass: its upper end is .0479."""
    assert margin_p(2, 0, 100, 0.05) > binom.cdf(2, 100, 0.05) > 0.11


@pytest.mark.parametrize("n_items", [12, 30])
@pytest.mark.parametrize("margin", [0.02, 0.1, 0.3])
def test_false_passes_enumerated_over_all_rates_are_at_most_the_level(n_items, margin):
    """By a multinomial of its own, on rates that the test has not tried."""
    outcomes = [
        (worse, better, margin_p(worse, better, n_items, margin))
        for worse in range(n_items + 1)
        for better in range(n_items + 1 - worse)
    ]
    for level in (0.01, 0.025, 0.2):
        passing = [(w, b) for w, b, p_value in outcomes if p_value <= level]
        for alone in np.linspace(0, (1 - margin) / 2, 37):
            for truly in (margin, margin + 0.05, margin + 0.3):
                if 2 * alone + truly <= 1:
                    chance = multinomial(passing, n_items, alone + truly, alone)
                    assert chance <= level + 1e-6


def multinomial(outcomes, n_items, worse_rate, better_rate):
    """The chance of one of the outcomes, each a binomial within a binomial."""
    if not outcomes:
        return 0.0
    worse, better = np.array(outcomes).T
    rest = better_rate / (1 - worse_rate) if worse_rate < 1 else 0.0
    first = binom.pmf(worse, n_items, worse_rate)
    return float((first * binom.pmf(better, n_items - worse, min(rest, 1.0))).sum())


def test_more_errors_of_b_are_never_better_news():
    for better in (0, 3):
        rising = [margin_p(worse, better, 80, 0.1) for worse in range(20)]
        assert rising == sorted(rising)


def test_beyond_the_margin_nothing_is_shown():
    assert margin_p(10, 0, MOST_ITEMS, 0.05) == 1.0
