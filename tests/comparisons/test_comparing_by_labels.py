"""Two systems whose answers are labelled in part, without a judge."""

import numpy as np
import pytest

import demur
from demur import compare, compare_all
from demur.statistics.correcting_differences import corrected_differences


def systems(seed=0, n_items=600, *, errors=(0.3, 0.15), chances=(0.5, 0.2)):
    """The same items drawn for all systems, unsure ones likelier."""
    rng = np.random.default_rng(seed)
    confidence = rng.random(n_items)
    chance = np.where(confidence < 0.5, *chances)
    drawn = rng.random(n_items) < chance
    tables = []
    for name, error in zip("abc", errors, strict=False):
        wrong = rng.random(n_items) < 2 * error * (1 - confidence)
        outcome = np.where(wrong, "wrong", "right").astype(object)
        outcome[~drawn] = "unlabelled"
        columns = {"label_weight": np.where(drawn, 1 / chance, np.nan)}
        tables.append(
            demur.Outcomes.from_arrays(
                system=name, outcome=outcome, confidence=confidence, **columns
            )
        )
    return tables


def test_the_difference_is_that_of_the_labelled_answers():
    a, b = systems()
    found = compare(a, b, at=0.3)
    for table, error in ((a, found.error_a), (b, found.error_b)):
        assert error == demur.corrected_error(table, nonreturn=0.3).corrected.value
    assert found.difference.value == pytest.approx(found.error_b - found.error_a)
    assert found.difference.method == "labels"
    assert (found.area, found.linear, found.by_judge, found.bounds) == (None,) * 3 + (
        {},
    )
    assert "those of the labelled answers" in found.notes[0]
    assert "unlabelled" not in found.to_text()


def test_all_pairs_of_several_systems():
    found = compare_all(systems(errors=(0.3, 0.1, 0.1)), at=0.0)
    alone = compare(*systems(errors=(0.3, 0.1)), at=0.0).difference
    first = next(pair for pair in found if {pair.a, pair.b} == {"a", "b"})
    assert first.difference.value == pytest.approx(alone.value)
    assert {pair.difference.quantity for pair in found} == {"error"}


def test_equal_systems_differ_no_more_often_than_they_should():
    rejected, held = 0, 0
    how = {"at": 0.0, "level": 0.95}
    for seed in range(60):
        for errors in ((0.2, 0.2), (0.2, 0.1)):
            tables = dict(zip("ab", systems(seed, 400, errors=errors), strict=True))
            _, (found,) = corrected_differences(tables, [("a", "b")], None, **how)
            if errors[0] == errors[1]:
                rejected += found.p_value <= 0.05
            else:
                held += found.low <= -0.1 <= found.high
    assert rejected <= 8
    assert held >= 52
