"""Wholes with infinite confidences, or with weights that are far apart."""

import numpy as np
import pytest

import demur
from demur.wholes.wholes_at_cutoffs import least_sure_wholes


def infinitely_sure():
    """The surest part of its kind is wrong, so no cutoff of that kind is good."""
    return demur.Outcomes.from_arrays(
        item=["a", "a", "b", "b"],
        part=["x", "y", "x", "y"],
        correct=[0, 1, 1, 1],
        confidence=[np.inf, 0.5, 0.4, 0.9],
        groups={"tool": ["pay", "search", "pay", "search"]},
    )


def test_a_kind_without_a_cutoff_returns_no_part_however_sure():
    chosen = demur.choose_by_kind(infinitely_sure(), kinds="tool", max_error=0)
    assert chosen.cutoffs == {"pay": None, "search": 0.5}
    assert (chosen.whole_error, chosen.parts_withheld) == (0.0, 0.5)
    again = chosen.on(infinitely_sure())
    assert (again.whole_error, again.parts_withheld) == (0.0, 0.5)
    assert [row.nonreturn for row in again.judged.by_kind] == [1.0, 0.0]


def test_without_a_cutoff_no_whole_is_answered_however_sure():
    assert len(least_sure_wholes("here", infinitely_sure(), None)) == 0


@pytest.mark.parametrize("order", range(20))
def test_silence_is_found_whatever_weights_add_up_to(order):
    rng = np.random.default_rng(order)
    weight = rng.choice([1.0, 1e-9, 0.3], 8)
    whole = np.repeat(np.arange(8), 3)
    outcomes = demur.Outcomes.from_arrays(
        item=whole,
        part=np.tile(np.arange(3), 8),
        correct=[False] * 24,
        confidence=rng.choice([0.3, 0.7, 0.9], 24),
        weight=weight[whole],
    )
    point = demur.whole_curve(outcomes).at(nonreturn=1)
    assert (point.nonreturn, point.whole_error) == (pytest.approx(1), 0)
    chosen = demur.choose(outcomes, max_error=0, of="wholes")
    assert (chosen.cutoff, chosen.error) == (None, 0)
