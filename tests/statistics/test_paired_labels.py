"""Differences of two systems whose labels were drawn with unequal chances."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import demur
from builders import refuses
from demur.statistics.correcting_differences import corrected_differences

N = 600


def pair(seed: Any, chance: Any, rates: tuple[float, float] = (0.15, 0.15)) -> Any:
    """Two systems with a judge who sees .7 of errors; people judge some items of both.

    Parameters
    ----------
    seed : int or Generator
    chance : callable
        From the judge's verdicts of both systems, that an item is labelled.
    rates : (float, float)
        Of errors.
    """
    rng = np.random.default_rng(seed)
    common = rng.random(N) < 0.5
    luck = np.where(common, rng.random(N), rng.random((2, N)))
    sure = rng.random((2, N))
    wrong = luck < 2 * np.array(rates)[:, None] * (1 - sure)
    judged = rng.random((2, N)) < np.where(wrong, 0.7, 0.05)
    chances = chance(judged)
    labelled = rng.random(N) < chances
    made = {}
    for place, name in enumerate("ab"):
        gold = np.where(wrong[place], "wrong", "right").astype(object)
        gold[~labelled] = None
        made[name] = demur.Outcomes.from_arrays(
            system=name,
            item=range(N),
            correct=~judged[place],
            confidence=sure[place],
            label_weight=np.where(labelled, 1 / chances, np.nan),
            groups={"gold": gold},
        )
    return made


def alike(judged: Any) -> Any:
    return np.full(judged.shape[1], 0.15)


def where_verdicts_differ(judged: Any) -> Any:
    return np.where(judged[0] != judged[1], 0.5, 0.075)


def difference_of(systems: Any, at: float | None = 0.2) -> Any:
    _, (difference,) = corrected_differences(
        systems, [("a", "b")], "gold", at=at, level=0.95
    )
    return difference


def test_labels_where_verdicts_differ_keep_level_and_coverage() -> None:
    """And are worth about as many as were drawn, not as few as their weights say."""
    rng = np.random.default_rng(11)
    told_apart, held, widths = 0, 0, {alike: 0.0, where_verdicts_differ: 0.0}
    for _ in range(50):
        told_apart += difference_of(pair(rng, where_verdicts_differ)).p_value <= 0.05
        for draw in widths:
            difference = difference_of(pair(rng, draw, (0.2, 0.1)))
            widths[draw] += difference.high - difference.low
        held += difference.low <= 0.64 * -0.1 <= difference.high
    assert told_apart <= 6
    assert held >= 46
    assert widths[where_verdicts_differ] < 1.2 * widths[alike]


@pytest.mark.parametrize("at", [0.2, None])
def test_only_ratios_of_weights_count(at: float | None) -> None:
    systems = pair(3, where_verdicts_differ)
    scaled = {
        name: replace(table, label_weight=table.label_weight * 250)
        for name, table in systems.items()
    }
    one, other = difference_of(systems, at), difference_of(scaled, at)
    for name in ("value", "low", "high", "p_value"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


@pytest.mark.parametrize("at", [0.2, None])
def test_equal_weights_are_none(at: float | None) -> None:
    systems = pair(4, alike)
    bare = {name: replace(t, label_weight=None) for name, t in systems.items()}
    one, other = difference_of(systems, at).to_dict(), difference_of(bare, at).to_dict()
    assert one == pytest.approx(other)


def test_each_system_may_have_a_draw_of_its_own() -> None:
    """Its labels and weights are its own, and each error is as if it were alone."""
    one, other = (pair(5, draw) for draw in (where_verdicts_differ, alike))
    b = other["b"]
    label_weight = np.where(np.isfinite(b.label_weight), b.label_weight * 2, np.nan)
    systems = {"a": one["a"], "b": replace(b, label_weight=label_weight)}
    errors, (difference,) = corrected_differences(
        systems, [("a", "b")], "gold", at=0.2, level=0.95
    )
    alone = {
        name: demur.corrected_error(table, "gold", nonreturn=0.2).corrected.value
        for name, table in systems.items()
    }
    assert errors == pytest.approx(alone)
    assert difference.value == pytest.approx(alone["b"] - alone["a"])
    assert difference.low < difference.value < difference.high


def test_a_label_without_a_weight_is_refused_in_one_line() -> None:
    systems = pair(6, where_verdicts_differ)
    weight = np.where(np.arange(N) % 2 == 0, np.nan, systems["b"].label_weight)
    systems["b"] = replace(systems["b"], label_weight=weight)
    need = "label_weight must be above 0 for every labelled item"
    refuses(need, demur.compare, systems["a"], systems["b"], gold="gold")
