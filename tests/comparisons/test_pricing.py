"""Price lists against every place where a system can stand, and what they say."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded, refuses
from demur.comparisons.pricing import NEVER, Price

ROW = st.tuples(
    st.sampled_from(["right", "wrong", "ungraded", "unanswered"]),
    st.sampled_from([0.1, 0.5, 0.9]),
    st.booleans(),
)


def curve(name: str, rows: list[Any], *, sure: bool = True) -> demur.Curve:
    outcome, confidence, declined = map(list, zip(*rows, strict=True))
    stated = [
        None if kind == "unanswered" else value
        for kind, value in zip(outcome, confidence, strict=True)
    ]
    columns = {"system": [name] * len(rows), "declined": declined}
    return demur.error_return(by_outcome(outcome, stated if sure else None, **columns))


def places(rows: list[Any], *, sure: bool, harmed: bool = True) -> set[Any]:
    """(nonreturn, error) at every cutoff, and as the system decides itself."""
    answers = [[not declined for *_, declined in rows]]
    if sure:
        answers += [[value >= t for _, value, _ in rows] for t in (0, 0.1, 0.5, 0.9, 2)]
    bad, found = ("wrong", "ungraded") if harmed else ("wrong",), set()
    for given_ in answers:
        kept = [
            kind
            for (kind, *_), answered in zip(rows, given_, strict=True)
            if answered and kind != "unanswered"
        ]
        errors = sum(kind in bad for kind in kept)
        found.add(((len(rows) - len(kept)) / len(rows), errors / len(rows)))
    return found


def cost(place: Any, r: float) -> float:
    return place[1] + r * place[0]


@given(
    st.lists(
        st.tuples(st.lists(ROW, min_size=4, max_size=4), st.booleans()),
        min_size=1,
        max_size=3,
    )
)
def test_what_is_listed_is_cheapest_of_all(systems: list[Any]) -> None:
    curves = [
        curve(name, rows, sure=sure)
        for name, (rows, sure) in zip("abc", systems, strict=False)
    ]
    prices = demur.price_list(curves)
    held = {
        name: places(rows, sure=one.ladder is not None)
        for name, (rows, _), one in zip("abc", systems, curves, strict=False)
    }
    everywhere = {(1.0, 0.0)}.union(*held.values())
    assert (prices[0].high, prices[-1].low) == (np.inf, 0.0)
    for one, other in zip(prices, prices[1:], strict=False):
        assert one.low == other.high > other.low
    for price in prices:
        inside = [price.low, min(price.high, price.low + 9) - 1e-9]
        for r in (*inside, sum(inside) / 2):
            least = min(cost(place, r) for place in everywhere)
            assert cost((price.nonreturn, price.error), r) == pytest.approx(least)
        others = {
            name
            for name, found in held.items()
            if any(
                abs(x - price.nonreturn) + abs(y - price.error) < 1e-9 for x, y in found
            )
        }
        if price.system is not None:
            assert {price.system, *price.also} == others
            assert len(price.also) == len(others) - 1
    never, *standings = ((one.name, one.low, one.high) for one in prices.standings)
    assert never == (NEVER, 0.5, 0.5)
    for one, (rows, _), standing in zip(curves, systems, standings, strict=True):
        sure = one.ladder is not None
        least = [
            min(cost(p, 0.5) for p in places(rows, sure=sure, harmed=harmed))
            for harmed in (False, True)
        ]
        assert standing == (one.system, *map(pytest.approx, least))
    usual = next(price for price in prices if price.low <= 0.5 < price.high)
    shown = [figure.value for figure in prices.figures()][:3]
    place = usual.nonreturn, usual.error
    error = None if place[0] == 1 else place[1]
    assert shown == [error, place[0], pytest.approx(cost(place, 0.5))]


def price(**changed: Any) -> Price:
    plain = {"low": 0.5, "high": 1.0, "system": "a", "choice": "cutoff", "cutoff": 0.9}
    return Price(**{**plain, "nonreturn": 0.25, "error": 0.125, **changed})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "From r = 0.5 to below 1, a at a cutoff of 0.9 is cheapest: 0.125 of"),
        ({"high": np.inf}, "From r = 0.5, a at a cutoff of 0.9 is cheapest:"),
        ({"system": ""}, "the system at a cutoff of 0.9 is cheapest:"),
        ({"cutoff": None}, "a as it decides itself is cheapest:"),
        ({"system": None, "choice": NEVER}, "1, never answer is cheapest:"),
        ({"also": ("b",)}, "is cheapest (so is b):"),
        ({"also": ("b", "c")}, "is cheapest (so are b and c):"),
        ({"also": ("b", "c", "d")}, "is cheapest (so are 3 other systems):"),
    ],
)
def test_a_price_says_who_is_cheapest(changed: dict[str, Any], words: str) -> None:
    assert words in price(**changed).sentence()
    assert price(**changed).also_names == ", ".join(changed.get("also", ()))


@pytest.mark.parametrize("many", [5, 6])
def test_a_message_lists_five_systems_and_counts_the_rest(many: int) -> None:
    item = [f"q{k}" for k in range(many)]
    table = graded([1] * many, item=item, system=[f"s{k}" for k in range(many)])
    said = demur.different_items(table) or ""
    assert said.startswith("systems are judged on different items: 0 in common (s0 has")
    assert ("s4 has 1, 1 more)" in said) == (many == 6)
    assert ("s4 has 1)" in said) == (many == 5)


def test_a_list_of_no_curve_is_refused() -> None:
    refuses("hold at least one curve", demur.price_list, [])
