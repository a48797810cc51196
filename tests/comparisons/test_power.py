"""Plans: by hand, and whether what they promise comes true."""

import numpy as np
import pytest
from scipy import stats

from demur import InputError, UndefinedRate
from demur.arrays import Sample
from demur.comparisons.power import _growth, items_needed
from demur.statistics.intervals import sample_interval
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity
from demur.statistics.units import ItemValues

ERROR = Quantity("error", 0.2)


def pair(seed: int, n_items: int, *, of: int = 1) -> tuple[Sample, Sample]:
    """Two systems, B better by 0.04 at nonreturn 0.2; clusters ``of`` so many items.

    A errs with chance 0.5 (1 - r) at rank r of its confidence, so that its error at
    x is (1 - x)**2 / 4, 0.16 at 0.2; B with three quarters of that.
    """
    rng = np.random.default_rng(seed)
    cluster = np.arange(n_items) // of if of > 1 else None

    def normals() -> np.ndarray:
        each = rng.normal(size=(2, n_items))
        if cluster is None:
            return each
        return 0.6 * each + 0.8 * rng.normal(size=(2, n_items))[:, cluster]

    shared, made = normals(), []
    for part in (0.5, 0.375):
        own = normals()
        rank, luck = stats.norm.cdf(np.sqrt(0.5) * (shared + own))
        loss = 1.0 * (luck < part * (1 - rank))
        made.append(Sample(np.ones(n_items, bool), rank, loss, None, cluster))
    return made[0], made[1]


@pytest.mark.parametrize("of", [1, 4])
def test_the_promised_power_is_reached(of: int) -> None:
    a, b = pair(10**6, 20_000, of=of)
    plan = items_needed(a, b, quantity=ERROR, difference=-0.04, power=0.8)
    assert (plan.clusters is None) == (of == 1)
    n_items = plan.items if plan.clusters is None else plan.clusters * of
    assert n_items == pytest.approx(plan.items, abs=of)
    seen = []
    for seed in range(500):
        a, b = pair(seed, n_items, of=of)
        found = paired_difference(a, b, quantity=ERROR, method="influence")
        seen.append(found.p_value <= 0.05)
    assert np.mean(seen) == pytest.approx(0.8, abs=0.05)


def test_clusters_cost_items() -> None:
    loose, whole = (
        items_needed(*pair(1, 8000, of=of), quantity=ERROR, difference=0.05)
        for of in (1, 4)
    )
    assert whole.items > 1.3 * loose.items


def test_the_plan_by_hand() -> None:
    a, b = pair(2, 1000)
    plan = items_needed(
        a, b, quantity=Quantity("error", 0.0), difference=0.1, level=0.9, power=0.5
    )
    apart = b.loss - a.loss
    z = stats.norm.ppf(0.95)
    # The further difference comes with as many more items that differ.
    beyond = 0.1 - abs(apart.mean())
    assert beyond > 0
    growth = ((apart**2).mean() + beyond - 0.1**2) / apart.var()
    wanted = growth * apart.var(ddof=1) * (z / 0.1) ** 2 + z * z / 2
    assert plan.items == np.ceil(wanted)
    assert plan.spread == pytest.approx(np.sqrt(growth) * apart.std(ddof=1))
    assert plan.to_dict()["power"] == 0.5
    small = abs(apart.mean()) / 2
    seen = items_needed(a, b, quantity=Quantity("error", 0.0), difference=small)
    assert seen.spread == pytest.approx(apart.std(ddof=1))


@pytest.mark.parametrize(
    ("value", "difference", "largest", "growth"),
    [
        ([0, 0, 0, 1], 0.25, 1.0, 1.0),  # as much as is seen
        ([0, 0, 0, 1], 0.5, 1.0, (0.25 + 0.25 - 0.5**2) / (0.25 - 0.25**2)),
        ([0, 0, 0, -1], 0.5, 1.0, (0.25 + 0.25 - 0.5**2) / (0.25 - 0.25**2)),
        ([0, 0, 0, 1], -0.5, 1.0, (0.25 + 0.25 - 0.5**2) / (0.25 - 0.25**2)),
        ([0, 0, 0, 1], 0.9, 1.0, 1.0),  # which would vary less
        ([0, 0, 0, 1], 0.5, 0.99, 1.0),  # credits need no further items
        ([0, 0, 0, 0], 0.5, 1.0, 1.0),
        ([0.5, 0.5], 0.75, 1.0, 1.0),  # no spread
    ],
)
def test_what_is_not_seen_brings_items_that_differ(
    value: list[float], difference: float, largest: float, growth: float
) -> None:
    weight = np.full(len(value), 3.0)
    items = ItemValues(np.array(value, float), weight, largest=largest)
    assert _growth(items, difference) == pytest.approx(growth)


def test_where_errors_are_rare_the_promised_power_is_reached() -> None:
    """Two systems that err on 2 %: the spread alone named half as many items."""
    rng = np.random.default_rng(0)

    def errors(n_items: int, rate: float) -> Sample:
        wrong = 1.0 * (rng.random(n_items) < rate)
        return Sample(np.ones(n_items, bool), rng.random(n_items), wrong)

    forced, seen = Quantity("error", 0.0), []
    for _ in range(200):
        pilot = errors(1000, 0.02), errors(1000, 0.02)
        n_items = items_needed(*pilot, quantity=forced, difference=0.05).items
        pair = errors(n_items, 0.02), errors(n_items, 0.07)
        found = paired_difference(*pair, quantity=forced)
        seen.append(found.p_value <= 0.05)
    assert np.mean(seen) == pytest.approx(0.8, abs=0.08)


def test_smaller_differences_and_more_power_need_more_items() -> None:
    a, b = pair(3, 500)
    sizes = [
        items_needed(a, b, quantity=ERROR, difference=d, level=level, power=power).items
        for d, level, power in [
            (0.1, 0.95, 0.8),
            (0.05, 0.95, 0.8),
            (0.05, 0.95, 0.9),
            (0.05, 0.99, 0.9),
        ]
    ]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 4
    flipped = items_needed(a, b, quantity=ERROR, difference=-0.1).items
    assert flipped == sizes[0]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"difference": 0.0}, "difference must be a number from 1e-09 to 0.8"),
        ({"difference": 1.5}, "difference must be a number from 1e-09 to 0.8"),
        ({"difference": 0.9}, "difference must be a number from 1e-09 to 0.8"),
        ({"power": 1.0}, "power must be between 0 and 1"),
        ({"level": 0.05}, "level must be from 0.5 to below 1"),
    ],
)
def test_arguments_that_make_no_sense(changed: dict, message: str) -> None:
    a, b = pair(1, 50)
    with pytest.raises(InputError, match=message):
        items_needed(a, b, quantity=ERROR, **{"difference": 0.1, **changed})


def test_equal_systems_say_nothing_about_spread() -> None:
    a, _ = pair(1, 50)
    with pytest.raises(UndefinedRate, match="larger pilot is needed"):
        items_needed(a, a, quantity=ERROR, difference=0.1)
    assert sample_interval(a, quantity=ERROR).standard_error > 0
