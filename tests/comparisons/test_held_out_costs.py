"""Costs of what was chosen, on items that had no part in it, counted one by one."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import demur
from builders import graded
from demur.comparisons.held_out_costs import HeldOutItems
from demur.outcomes.parts import stacked
from demur.statistics.units import ItemValues, score_interval


class Choice(NamedTuple):
    system: str | None
    choice: str
    cutoff: float | None


NOBODY = Choice(None, "never answer", None)
AS_IT_IS = Choice("own", "own decisions", None)
PLACES = {
    "low": Choice("sure", "cutoff", 0.1),
    "high": Choice("sure", "cutoff", 0.7),
    "own": AS_IT_IS,
    "never": NOBODY,
}


def systems(**more: Any) -> demur.Outcomes:
    """One with confidences, one that declines by itself; some items have no guess."""
    rng = np.random.default_rng(2)
    more = {"item": [f"q{row:02}" for row in range(60)]} | more
    right: list[Any] = (rng.random(60) < 0.8).tolist()
    right[::15] = [None] * 4
    sure = [None if guess is None else rng.random() for guess in right]
    sure[7] = 0.7  # just the cutoff
    own: list[Any] = (rng.random(60) < 0.7).tolist()
    own[5::20] = [0.5] * 3
    declined = (rng.random(60) < 0.3).tolist()
    return stacked(
        [
            graded(right, sure, system="sure", **more),
            graded(own, system="own", declined=declined, **more),
        ]
    )


def item_costs(part: demur.Outcomes, place: Choice, price: float) -> Any:
    """Loss of each item, and what not answering it costs."""
    costs = []
    for row in range(60):
        credit = 1.0 if part.credit is None else part.credit[row]
        loss = 1 - credit if part.outcome[row] == 0 else 1.0
        answered = part.outcome[row] != 2
        if place.cutoff is not None:
            answered = answered and part.confidence[row] >= place.cutoff
        elif part.declined is not None:
            answered = answered and not part.declined[row]
        answered = answered and place.system is not None
        costs.append(loss if answered else price)
    return np.array(costs)


@pytest.mark.parametrize("price", [0.2, 0.5, 3.0])
@pytest.mark.parametrize("more", [{}, {"cluster": [f"c{r // 3}" for r in range(60)]}])
def test_costs_are_those_of_the_items(price: float, more: dict[str, Any]) -> None:
    outcomes = systems(**more)
    items = HeldOutItems(outcomes, ["sure", "own"])
    assert items.n_items == 60
    parts = {name: outcomes.select(system=name) for name in ("sure", "own")}
    costs = {
        name: item_costs(parts[place.system or "own"], place, price)
        for name, place in PLACES.items()
    }
    others = list(PLACES.items())
    most = max(price, 1.0)
    cluster = None if not more else np.arange(60) // 3
    dearer = 0
    for name, place in others:
        judged = items.judged(place, price, others)
        assert judged.cost == pytest.approx(costs[name].mean())
        assert (judged.nonreturn == 1) is (place.system is None)
        lost, silent = items._lost(place)
        assert lost + price * silent == pytest.approx(costs[name])
        assert judged.to_dict()["rivals"] == list(judged.rivals or ())
        for other, _ in others:
            apart = costs[other] - costs[name]
            values = ItemValues(apart, np.ones(60), cluster, -most, most)
            shown = apart.any() and score_interval(values, level=0.95)[0] > 0
            assert (other in (judged.rivals or ())) is not shown
            dearer += bool(shown)
    assert 1 <= dearer <= 6


def test_weights_count() -> None:
    weight = np.random.default_rng(0).integers(1, 9, 60).astype(float)
    outcomes = systems(weight=weight)
    judged = HeldOutItems(outcomes, ["own"]).judged(AS_IT_IS, 0.5, [("never", NOBODY)])
    costs = item_costs(outcomes.select(system="own"), AS_IT_IS, 0.5)
    assert judged.cost == pytest.approx(weight @ costs / weight.sum())
    values = ItemValues(0.5 - costs, weight)
    assert judged.rivals == () or score_interval(values, level=0.95)[0] <= 0
