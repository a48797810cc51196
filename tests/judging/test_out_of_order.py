"""Files joined by position that are in different orders are noticed."""

import random

import pytest

import demur

TOWNS = [f"town {n}" for n in range(40)]


def judged(answers, known, *, first=1, ids="{}", **how):
    numbers = [ids.format(n) for n in range(first, first + len(known))]
    return demur.judge(
        [{"item": n, "response": a} for n, a in zip(numbers, answers, strict=True)],
        [{"item": n, "reference": k} for n, k in zip(numbers, known, strict=True)],
        **how,
    )


def shuffled(values, seed=1):
    return random.Random(seed).sample(values, len(values))


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("by", ["text", "label"])
def test_what_is_right_no_more_than_by_chance_is_said_first(first, by):
    drawn = [random.Random(n).choice(TOWNS[:20]) for n in range(260)]
    outcomes = judged(shuffled(drawn), drawn, first=first, by=by)
    assert outcomes.counts()["right"] < 30
    assert "may be in different orders (see notes). 260 outcomes" in outcomes.sentence()
    [note] = [n for n in outcomes.notes if "different orders" in n]
    assert "join by a column that both files have" in note
    assert "answers are right for other items" in note


def test_each_system_is_looked_at_for_itself():
    rows = [
        {"item": str(n), "system": system, "response": town}
        for system, towns in (("a", TOWNS), ("b", shuffled(TOWNS)))
        for n, town in enumerate(towns, 1)
    ]
    known = [{"item": str(n), "reference": town} for n, town in enumerate(TOWNS, 1)]
    assert sum("different orders" in n for n in demur.judge(rows, known).notes) == 1


LABELS = [random.Random(n).choice(["yes", "no"]) for n in range(200)]


@pytest.mark.parametrize(
    ("answers", "known"),
    [
        (TOWNS, TOWNS),
        ([*TOWNS[:5], *shuffled(TOWNS[5:])], TOWNS),  # poor, but better than chance
        ([None] * 40, TOWNS),
        ([f"the town {n}" for n in range(40)], TOWNS),  # right for no other item either
        (["yes"] * 200, LABELS),  # one answer to everything
        (["no" if n % 3 == 0 else label for n, label in enumerate(LABELS)], LABELS),
        (shuffled(TOWNS[:8]), TOWNS[:8]),  # too few to tell
    ],
)
def test_what_is_better_than_chance_or_could_not_be_is_not_doubted(answers, known):
    assert "orders" not in str(judged(answers, known).notes)


def test_items_with_names_are_not_doubted():
    outcomes = judged(shuffled(TOWNS), TOWNS, ids="q{}")
    assert "orders" not in str(outcomes.notes)


def test_the_mean_and_the_spread_are_those_of_random_orders():
    """About one random order in forty is above the mean and two deviations."""
    known = [random.Random(n).choice(TOWNS[:6]) for n in range(120)]
    noted = sum(
        "different orders" in str(judged(shuffled(known, seed), known).notes)
        for seed in range(100)
    )
    assert noted >= 90
