"""How many labels would show the difference of two systems that a judge sees."""

import numpy as np
import pytest

import demur


def two_systems(errors, same=0.0, n=400, seed=0, systems=("a", "b")):
    """Answers that a judge has judged, some of them the same."""
    rng = np.random.default_rng(seed)
    first = rng.random(n) < errors[0]
    alike = rng.random(n) < same
    second = np.where(alike, first, rng.random(n) < errors[1])
    return demur.Outcomes.from_arrays(
        item=[f"q{row}" for row in range(n)] * 2,
        system=np.repeat(systems, n),
        correct=np.concatenate([~first, ~second]),
        response=[f"x{row}" for row in range(n)]
        + [f"x{row}" if one else f"y{row}" for row, one in enumerate(alike)],
    )


def drawn(outcomes, budget=60):
    return demur.sample(outcomes, budget=budget, purpose="judge")


def test_smaller_differences_take_more_labels():
    needed = [drawn(two_systems((0.5, 0.5 - d))).pair.items for d in (0.4, 0.3, 0.15)]
    assert needed == sorted(needed)
    assert needed[0] >= 15  # fewer would leave room for a judge that agrees on all


def test_it_says_so_and_the_order_of_systems_does_not_matter():
    one = drawn(two_systems((0.5, 0.2)))
    other = drawn(two_systems((0.5, 0.2), systems=("z", "b")))
    assert one.pair.systems == ("b", "a")
    assert one.pair.items == other.pair.items
    assert f"about {one.pair.labels:,} labels of {one.pair.items:,} items" in (
        one.sentence()
    )
    assert one.to_dict()["pair"]["items"] == one.pair.items


def test_responses_that_both_return_take_one_label():
    apart, alike = (drawn(two_systems((0.6, 0.1), same)).pair for same in (0, 0.5))
    assert apart.labels == 2 * apart.items
    assert alike.items < alike.labels < 2 * alike.items


def test_the_number_does_for_a_judge_that_agrees():
    """As `compare` has it once so many items, drawn uniformly, are labelled."""
    outcomes = two_systems((0.5, 0.2), n=2000)
    needed = drawn(outcomes).pair.items
    usable = []
    for labels in (needed // 2, 2 * needed):
        pair = []
        for name in ("a", "b"):
            table = outcomes.select(system=name)
            people = np.array(table.column("outcome"), object)
            people[labels:] = None
            pair.append(
                demur.Outcomes.from_arrays(
                    system=name,
                    item=table.item,
                    outcome=table.column("outcome"),
                    groups={"people": people},
                )
            )
        usable.append(demur.compare(*pair, gold="people").by_judge.use.usable)
    assert usable == [False, True]


def test_one_system_several_systems_and_equal_ones():
    table = two_systems((0.4, 0.2))
    assert drawn(table.select(system="a")).pair is None
    assert "judge sees" not in drawn(table.select(system="a")).sentence()
    same = two_systems((0.3, 0.3), same=1.0)
    assert drawn(same).pair.difference == 0
    assert "sees no difference" in drawn(same).sentence()
    close = np.r_[np.ones(400, bool), np.arange(400) > 0]
    close = {"item": same.item, "system": same.system, "correct": close}
    found = drawn(demur.Outcomes.from_arrays(**close))
    assert found.pair.difference == 1 / 400
    assert "more items than there are" in found.sentence()


@pytest.mark.parametrize("word", ["unanswered", "ungraded"])
def test_answers_that_are_missing_or_unjudged(word):
    table = two_systems((0.5, 0.1))
    outcome = np.array(table.column("outcome"), object)
    outcome[:40] = word
    columns = {"item": table.item, "system": table.system, "outcome": outcome}
    pair = drawn(demur.Outcomes.from_arrays(**columns)).pair
    assert pair.items > 0
