"""Ranks: the tests of all pairs at once are those of demur.compare, one by one."""

from itertools import combinations

import numpy as np
import pytest

import demur
from demur.campaigns.board_figures import BoardMeasure, RankedSystems
from demur.campaigns.rank_ranges import rank_ranges
from demur.comparisons.own_decisions import own_difference, own_readings
from demur.comparisons.pairs import worst_p

CASES = ["plain", "credit", "weight", "cluster", "few clusters", "ungraded"]


def systems(case: str, n: int = 60, seed: int = 0) -> dict[str, demur.Outcomes]:
    rng = np.random.default_rng(seed)
    hard = rng.random(n)
    more = {}
    if case == "weight":
        more["weight"] = rng.integers(1, 5, n).astype(float)
    if "cluster" in case:
        more["cluster"] = [f"d{i // (9 if 'few' in case else 3)}" for i in range(n)]
    tables = {}
    for name, skill in (("a", 0.5), ("b", 0.5), ("c", 0.7), ("d", 0.9), ("e", 0.9)):
        right = (hard + 0.3 * rng.random(n)) < skill + 0.1
        outcome = np.where(right, "right", "wrong").astype(object)
        outcome[rng.random(n) < 0.1] = "unanswered"
        if case == "ungraded":
            outcome[rng.random(n) < 0.05] = "ungraded"
        credit = None
        if case == "credit":
            credit = np.where(outcome == "right", rng.choice([0.5, 1.0], n), 0.0)
        tables[name] = demur.Outcomes.from_arrays(
            item=[f"q{i:03}" for i in range(n)],
            system=name,
            outcome=list(outcome),
            credit=credit,
            confidence=[
                None if o == "unanswered" else float(c)
                for o, c in zip(outcome, rng.random(n), strict=True)
            ],
            declined=list(rng.random(n) < 0.2),
            **more,
        )
    return tables


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["error", "weighted_error"])
def test_own_tests_are_those_of_pairs(case: str, name: str) -> None:
    tables = systems(case)
    ranked = RankedSystems(BoardMeasure(name), tables)
    tests = ranked.tests()
    quantity = {"error": "own error", "weighted_error": "weighted error"}[name]
    weight = None if name == "error" else 2.0
    for (i, a), (j, b) in combinations(enumerate(tables), 2):
        both = RankedSystems(BoardMeasure(name), {a: tables[a], b: tables[b]})._paired
        readings = own_readings(ranked._paired)
        alone = [
            own_difference(*both, quantity=quantity, unknown=taken, weight=weight)
            for taken in readings
        ]
        assert len(alone) == len(tests)
        for test, one in zip(tests, alone, strict=True):
            assert test.p_value[i, j] == pytest.approx(one.p_value, rel=1e-9)
            assert test.apart[i, j] * BoardMeasure(name).most == pytest.approx(
                one.value
            )
        assert worst_p(*alone) <= 1


@pytest.mark.parametrize("case", CASES)
def test_influence_tests_are_those_of_compare(case: str) -> None:
    tables = systems(case)
    ranked = RankedSystems(BoardMeasure("error@0.4"), tables)
    test = ranked.tests()[0]
    found = demur.compare_all(list(tables.values()), at=0.4)
    place = {name: number for number, name in enumerate(tables)}
    for pair in found:
        i, j = place[pair.a], place[pair.b]
        assert test.p_value[i, j] == pytest.approx(pair.difference.p_value, rel=1e-9)
        assert test.apart[i, j] == pytest.approx(pair.difference.value)
    if case != "ungraded":
        alone = demur.compare(tables["a"], tables["d"], at=0.4).difference
        assert test.p_value[0, 3] == pytest.approx(alone.p_value, rel=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_ranges_follow_the_corrected_pairs(case: str) -> None:
    tables = systems(case, n=300)
    best, worst = rank_ranges(RankedSystems(BoardMeasure("error"), tables).tests())
    found = demur.compare_all(list(tables.values()), quantity="own error", at=None)
    better = dict.fromkeys(tables, 0)
    worse = dict.fromkeys(tables, 0)
    for pair in found:
        p = pair.adjusted_p if pair.bounded_p is None else pair.bounded_p
        if p <= 0.05:
            good, bad = (
                (pair.a, pair.b) if pair.difference.value > 0 else (pair.b, pair.a)
            )
            better[bad] += 1
            worse[good] += 1
    assert best.tolist() == [1 + better[name] for name in tables]
    assert worst.tolist() == [len(tables) - worse[name] for name in tables]
