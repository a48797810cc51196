"""Calibration at its edges: intervals by hand, confidences that state nothing."""

import math

import numpy as np
import pytest

import demur
from builders import refuses
from demur.arrays import Sample
from demur.calibration import brier_intervals as module
from demur.calibration.calibrating import FEW
from demur.calibration.isotonic import graded_guesses, isotonic
from demur.statistics.equal_units import equal_units
from demur.statistics.units import ItemValues, score_interval

CREDIT = np.array([1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1.0])
STATED = np.array([(row * 7 % 20) / 25 + 0.15 for row in range(20)])


def sample(credit: np.ndarray, cluster: np.ndarray | None = None) -> Sample:
    return Sample(np.ones(20, bool), STATED, 1 - credit, cluster=cluster)


def by_others(stated: np.ndarray, credit: np.ndarray) -> np.ndarray:
    """The forecast of each guess from guesses of other folds, one by one."""
    forecast = np.empty(len(stated))
    for row in range(len(stated)):
        rest = [i for i in range(len(stated)) if i % module.FOLDS != row % module.FOLDS]
        levels = sorted(set(stated[rest]))
        sums = [sum(credit[i] for i in rest if stated[i] == each) for each in levels]
        sizes = [sum(stated[i] == each for i in rest) for each in levels]
        rising = isotonic(np.array(sums, float), np.array(sizes, float))
        forecast[row] = np.interp(stated[row], levels, rising)
    return forecast


def expected(middle: np.ndarray, varying: np.ndarray) -> tuple[float, float]:
    """The interval of a mean on the scale of its root, from the definition."""
    from scipy import stats

    n = len(middle)
    mean = float(np.mean(middle))
    error = math.sqrt(np.sum((varying - np.mean(varying)) ** 2) / n / (n - 1))
    reach = float(stats.t.ppf(0.975, n - 1)) * error
    if mean <= 0:
        return 0.0, max(mean + reach, 0.0)
    root = math.sqrt(mean)
    ends = [max(root + side * reach / (2 * root), 0.0) for side in (-1, 1)]
    return ends[0] ** 2, min(ends[1] ** 2, 1.0)


@pytest.mark.parametrize("partial", [False, True])
def test_intervals_of_the_three_parts_by_hand(partial: bool) -> None:
    credit = CREDIT * 0.8 if partial else CREDIT
    graded = graded_guesses("test", sample(credit), None)
    order = np.argsort(STATED, kind="stable")
    stated, right = STATED[order], credit[order]
    # Rows are in the order of confidence; folds go by the rows there.
    assert np.array_equal(graded.confidence, stated)
    found = module.brier_intervals(graded, level=0.95)
    levels = sorted(set(stated))
    sums = [right[stated == each].sum() for each in levels]
    sizes = [float((stated == each).sum()) for each in levels]
    fitted = dict(zip(levels, isotonic(np.array(sums), np.array(sizes)), strict=True))
    squares = {
        "stated": (stated - right) ** 2,
        "constant": (right.mean() - right) ** 2,
        "own": (np.array([fitted[each] for each in stated]) - right) ** 2,
        "others": (by_others(stated, right) - right) ** 2,
    }
    typical = (squares["own"] + squares["others"]) / 2
    for name, first in (("miscalibration", "stated"), ("discrimination", "constant")):
        wanted = expected(squares[first] - typical, squares[first] - squares["others"])
        assert found[name] == pytest.approx(wanted), name
    by_t = expected(squares["stated"], squares["stated"])
    # Of whole credits the score interval, which is nearly that of t with many errors.
    assert found["brier"] == pytest.approx(by_t, abs=1e-9 if partial else 0.05)
    low, high = found["uncertainty"]
    if partial:
        wanted = expected(squares["constant"], squares["constant"])
        assert (low, high) == pytest.approx((wanted[0], min(wanted[1], 0.25)))
    else:
        assert low < right.mean() * (1 - right.mean()) <= high <= 0.25


@pytest.mark.parametrize("clustered", [False, True])
def test_weights_and_clusters_count_in_the_intervals_by_hand(clustered: bool) -> None:
    from scipy import stats

    draw = np.random.default_rng(5)
    weight = draw.integers(1, 5, 20).astype(float)
    cluster = np.arange(20) // 2 if clustered else None
    given = Sample(np.ones(20, bool), STATED, 1 - CREDIT, weight, cluster)
    graded = graded_guesses("test", given, None)
    stated, credit, weight = graded.confidence, graded.credit, graded.weight
    unit = np.arange(20) if graded.unit is None else graded.unit
    forecast = np.empty(20)
    for row in range(20):
        rest = unit % module.FOLDS != unit[row] % module.FOLDS
        levels = sorted(set(stated[rest]))
        sizes = np.array([weight[rest & (stated == level)].sum() for level in levels])
        sums = [(weight * credit)[rest & (stated == level)].sum() for level in levels]
        rising = isotonic(np.array(sums), sizes)
        forecast[row] = np.interp(stated[row], levels, rising)
    assert module._by_others(graded) == pytest.approx(forecast)
    share = weight / weight.sum()
    values = (stated - credit) ** 2
    sums = np.bincount(unit, share * (values - share @ values))
    parts = np.bincount(unit, share)
    deviation = math.sqrt(np.sum(sums**2 / (1 - parts)))  # Bell and McCaffrey
    assert module._deviation(graded, values) == pytest.approx(deviation)
    mean = float(share @ values)
    reach = float(stats.t.ppf(0.95, equal_units(parts) - 1)) * deviation
    root = math.sqrt(mean)
    ends = [(root + side * reach / (2 * root)) ** 2 for side in (-1, 1)]
    found = module._squares(graded, values, values, 0.9)
    assert found == pytest.approx((ends[0], min(ends[1], 1)))
    # How far the mean is from what is stated is the least that is miscalibrated.
    low, high = score_interval(
        ItemValues(credit, weight, graded.unit, 0.0, 1.0), level=0.9
    )
    stated_mean = float(share @ stated)
    large = max((low - stated_mean) ** 2, (high - stated_mean) ** 2)
    assert module._at_large(graded, 0.9) == pytest.approx(large)
    largest = max(max(value, 1 - value) for value in stated) ** 2
    items = ItemValues(values, weight, graded.unit, 0.0, largest)
    low, high = score_interval(items, level=0.9)
    assert module._brier(graded, values, 0.9) == (max(low, 0.0), min(high, 1.0))


def test_a_part_that_is_not_above_zero_has_an_interval_from_zero() -> None:
    values = np.array([-0.3, 0.1, -0.2, 0.1, 0.2, -0.1, 0.0] * 2 + [0.05] * 6)
    graded = graded_guesses("test", sample(CREDIT), None)
    assert module._squares(graded, values, values, 0.95) == pytest.approx(
        expected(values, values)
    )
    assert module._squares(graded, values - 9, values, 0.95) == (0.0, 0.0)


def test_all_right_has_an_uncertainty_from_zero() -> None:
    graded = graded_guesses("test", sample(np.ones(20)), None)
    low, high = module.brier_intervals(graded, level=0.95)["uncertainty"]
    assert low == 0
    assert 0 < high < 0.25


@pytest.mark.parametrize(
    ("others", "stated"),
    [((0.0, 1.0), True), ((0.2, 1.01), False), ((-0.01, 0.9), False)],
)
def test_minus_infinity_beside_probabilities_states_nothing(
    others: tuple[float, float], stated: bool
) -> None:
    outcomes = demur.Outcomes.from_arrays(
        confidence=[-np.inf, *others, 0.5], correct=[0, 1, 0, 1]
    )
    assert demur.calibration_of(outcomes).guesses == (3 if stated else 4)


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_is_neither_0_nor_1(level: float) -> None:
    outcomes = demur.Outcomes.from_arrays(confidence=STATED, correct=CREDIT)
    refuses("level must", demur.calibration_of, outcomes, level=level)


@pytest.mark.parametrize("n_items", [FEW - 1, FEW])
def test_few_guesses_are_noted(n_items: int) -> None:
    assert FEW == 30
    draw = np.random.default_rng(1)
    outcomes = demur.Outcomes.from_arrays(
        confidence=draw.random(n_items), correct=draw.random(n_items) < 0.6
    )
    notes = " ".join(demur.calibration_of(outcomes).notes)
    assert (f"{n_items} " in notes) == (n_items < FEW), notes


@pytest.mark.parametrize("clustered", [False, True])
def test_the_table_says_what_was_drawn(clustered: bool) -> None:
    more = {"cluster": [f"c{row // 2}" for row in range(20)]} if clustered else {}
    tables = [
        demur.Outcomes.from_arrays(
            system=name, item=range(20), confidence=STATED, correct=CREDIT, **columns
        )
        for name, columns in (("a", more), ("b", {}))
    ]
    shown = demur.Calibrations(demur.calibration_of(each) for each in tables)
    drawn = "clusters" if clustered else "items"
    assert f"draws of {drawn}" in " ".join(str(shown).split())


def test_tables_have_a_row_for_each_system_or_group() -> None:
    sure = demur.Outcomes.from_arrays(
        confidence=STATED, correct=CREDIT, groups={"topic": [*"xy"] * 10}
    )
    odd = demur.Outcomes.from_arrays(confidence=STATED * 9, correct=CREDIT, system="o")
    one = demur.calibration_of(sure, replicates=20, targets=[0.5, 0.8])
    split = demur.calibration_by(sure, by="topic", replicates=20)
    mixed = demur.Calibrations([one, demur.calibration_of(odd, replicates=20)])
    for shown, keys, rows in ((one, 1, 1), (split, 2, 2), (mixed, 1, 2)):
        scores, *_ = shown.tables()
        assert (scores.key, len(scores.rows)) == (keys, rows)
        assert {len(row) for row in scores.rows} == {len(scores.columns)}
    _, trust, steps = one.tables()
    assert [row[trust.key - 1] for row in trust.rows] == [0.5, 0.8]
    assert steps.wide
    digits = {column.key: column.digits for column in trust.columns}
    assert digits["cost"] == digits["best_cost"] == digits["difference"] == 4


@pytest.mark.parametrize("wrong", [2, 10, 18])
def test_an_uncertainty_is_that_of_the_ends_of_its_mean(wrong: int) -> None:
    graded = graded_guesses(
        "test", sample(np.r_[np.zeros(wrong), np.ones(20 - wrong)]), None
    )
    low, high = module.brier_intervals(graded, level=0.95)["uncertainty"]
    mean = 1 - wrong / 20
    assert low < mean * (1 - mean)
    if wrong == 10:  # one half is among the means that are possible
        assert high == 0.25
    else:
        assert mean * (1 - mean) < high < 0.25


@pytest.mark.parametrize("wrong", [2, 5])
def test_an_uncertainty_comes_from_wilsons_interval_of_the_mean(wrong: int) -> None:
    from scipy import stats

    credit = np.r_[np.zeros(wrong), np.ones(20 - wrong)]
    graded = graded_guesses("test", sample(credit), None)
    low, high = module.brier_intervals(graded, level=0.95)["uncertainty"]
    mean, n_items = 1 - wrong / 20, 20 - 1  # the spread of a mean has n - 1 below
    t = float(stats.t.ppf(0.975, 19))
    middle = (mean + t**2 / (2 * n_items)) / (1 + t**2 / n_items)
    reach = t * math.sqrt(mean * (1 - mean) / n_items + t**2 / (4 * n_items**2))
    reach /= 1 + t**2 / n_items
    ends = [p * (1 - p) for p in (middle - reach, middle + reach)]
    assert low == pytest.approx(min(ends))
    inside = middle - reach <= 0.5
    assert high == pytest.approx(0.25 if inside else max(ends))


def test_no_end_of_a_part_is_more_than_it_can_be() -> None:
    """Of weights that leave hardly any items."""
    weight = np.where(np.isin(np.arange(11), (2, 5, 9)), 10.0, 100.0)
    loss = np.array([0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1.0])
    few = Sample(np.ones(11, bool), np.linspace(0, 1, 11), loss, weight)
    ends = module.brier_intervals(graded_guesses("test", few, None), level=0.95)
    assert ends["discrimination"][1] == 0.25  # .29 by its standard error
    most = {"discrimination": 0.25, "uncertainty": 0.25}
    for part, (low, high) in ends.items():
        assert 0 <= low <= high <= most.get(part, 1.0), part
