"""Graded guesses: merging levels and drawing anew change what they should only."""

import math
from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from demur.arrays import Sample
from demur.calibration import brier
from demur.calibration.brier_intervals import brier_intervals
from demur.calibration.isotonic import (
    Graded,
    graded_guesses,
    isotonic,
    isotonic_draws,
)


def graded(confidence: Any, credit: Any, **more: Any) -> Graded:
    confidence, credit = np.array(confidence, float), np.array(credit, float)
    sample = Sample(np.ones(len(credit), bool), confidence, 1 - credit, **more)
    return graded_guesses("test", sample, None)


def overconfident(n: int, *, digits: int = 12, seed: int = 0, **more: Any) -> Graded:
    rng = np.random.default_rng(seed)
    confidence = rng.beta(4, 1.5, n).round(digits)
    return graded(confidence, rng.random(n) < confidence**2, **more)


levels = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
rows = st.lists(
    st.tuples(levels, st.sampled_from([0.0, 1.0]), st.sampled_from([1.0, 2.0])),
    min_size=1,
    max_size=20,
)


@given(rows=rows, weighted=st.booleans(), clustered=st.booleans())
def test_few_levels_lose_nothing(
    rows: list[tuple[float, float, float]], weighted: bool, clustered: bool
) -> None:
    confidence, credit, weight = zip(*rows, strict=True)
    more: dict[str, Any] = {"weight": np.array(weight)} if weighted else {}
    if clustered:
        more["cluster"] = np.arange(len(rows)) // 2
    fine = graded(confidence, credit, **more)
    coarse = fine.coarse(1000)
    assert coarse.level.tolist() == fine.level.tolist()
    assert coarse.sums() == pytest.approx(fine.sums())
    assert coarse.sums(coarse.credit) == pytest.approx(fine.sums(fine.credit))
    assert (coarse.items, coarse.units) == (fine.items, fine.units)
    for name in ("credit", "confidence"):
        total = [(each.weight * getattr(each, name)).sum() for each in (fine, coarse)]
        assert total[0] == pytest.approx(total[1])
    merged = not clustered and len(set(weight if weighted else (1,))) == 1
    pairs = len(set(zip(confidence, credit, strict=True)))
    assert len(coarse.credit) == (pairs if merged else len(rows))


@pytest.mark.parametrize("clustered", [False, True])
def test_many_levels_become_about_equal_cells(clustered: bool) -> None:
    more = {"cluster": np.arange(5000) // 4} if clustered else {}
    fine = overconfident(5000, digits=4, **more)
    coarse = fine.coarse(50)
    assert len(fine.level) > 2000
    assert len(coarse.level) == 50
    sizes = np.add.reduceat(coarse.count, coarse.first)
    assert sizes.sum() == 5000
    assert sizes.min() >= 90
    assert sizes.max() <= 110
    assert (np.diff(coarse.level) > 0).all()
    assert np.dot(coarse.sums(), coarse.level) == pytest.approx(fine.confidence.sum())
    assert len(coarse.credit) == (5000 if clustered else 100)


@pytest.mark.parametrize(("credits_", "merged"), [(4, True), (5, False)])
def test_alike_guesses_are_one_where_credits_are_few(
    credits_: int, merged: bool
) -> None:
    credit = np.arange(40) % credits_ / (credits_ - 1)
    coarse = graded(np.repeat([0.2, 0.7], 20), credit).coarse(10)
    assert len(coarse.credit) == (2 * credits_ if merged else 40)


def test_tied_guesses_stay_in_one_cell() -> None:
    coarse = graded(np.repeat([0.1, 0.2, 0.3, 0.4], [1, 97, 1, 1]), [1] * 100).coarse(2)
    assert np.add.reduceat(coarse.count, coarse.first).tolist() == [98, 2]


def test_clusters_stay_together() -> None:
    clustered = overconfident(60, cluster=np.arange(60) // 3)
    assert clustered.unit is not None
    rng = np.random.default_rng(0)
    signs = clustered.flipped(rng)
    for unit in range(20):
        assert len(set(signs[clustered.unit == unit].tolist())) == 1
    assert set(clustered.flipped(rng).tolist()) == {-1.0, 1.0}
    kept = clustered.kept(rng)
    for unit in range(20):  # the surest of a cluster come first
        together = clustered.unit == unit
        order = np.argsort(clustered.confidence[together])
        assert (np.diff(kept[together][order]) >= 0).all()


@pytest.mark.parametrize("clustered", [False, True])
def test_kept_promises_are_kept_on_average(clustered: bool) -> None:
    more = {"cluster": np.arange(400) // 2} if clustered else {}
    each = overconfident(400, digits=1, **more).coarse(1000)
    rng = np.random.default_rng(2)
    credit = np.mean([each.sums(each.kept(rng)) for _ in range(500)], axis=0)
    assert credit / each.sums() == pytest.approx(each.level, abs=0.03)
    signs = np.mean([each.flipped(rng) for _ in range(500)], axis=0)
    assert signs == pytest.approx(0, abs=0.25)


def test_guesses_of_a_cluster_are_alike_as_far_as_is_asked() -> None:
    class Listed:
        """Normal variables as listed: one for each cluster, then one a guess."""

        drawn: ClassVar = [[2.0, -2.0], [1.0, -1.0, 0.08, 3.0]]

        def standard_normal(self, n: int) -> Any:
            return np.array(self.drawn[n > 2])

    stated = [0.981, 0.9, 0.05, 0.4]
    clustered = graded(stated, [1, 0, 1, 0], cluster=np.array([0, 0, 1, 1]))
    chances: Any = norm.cdf(  # in the order of confidences: .05 and .4, .9 and .981
        0.6 * np.array([-2.0, -2, 2, 2]) + 0.8 * np.array([1.0, -1, 0.08, 3])
    )
    kept = clustered.kept(Listed(), alike=0.36)  # type: ignore[arg-type]
    assert kept.tolist() == (chances < np.sort(stated)).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "stated", [[0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 1.0, 0.0], [1.0] * 8]
)
@pytest.mark.parametrize("credit", [[0, 0, 1, 1, 1, 1, 1, 0], [0, 1, 0, 1, 0, 1, 1, 0]])
def test_how_far_clusters_err_together_by_hand(stated: Any, credit: Any) -> None:
    cluster = np.array([0, 0, 1, 1, 1, 2, 2, 3])
    given_ = graded(stated, credit, cluster=cluster)
    off = [
        (one, (right - sure) / math.sqrt(sure * (1 - sure)))
        for one, right, sure in zip(cluster, credit, stated, strict=True)
        if 0 < sure < 1
    ]
    sizes = Counter(one for one, _ in off)
    pairs = sum(
        first * second
        for i, (one, first) in enumerate(off)
        for j, (other, second) in enumerate(off)
        if i != j and one == other
    )
    alone = sum((sizes[one] - 1) * value**2 for one, value in off)
    wanted = min(max(pairs / alone, 0.0), 1.0) if alone else 0.0
    assert given_.alike() == pytest.approx(wanted)
    assert graded(stated, credit).alike() == 0.0


@pytest.mark.parametrize(("p_value", "above"), [(0.05, True), (0.0501, False)])
def test_what_luck_may_explain_has_an_interval_from_zero(
    p_value: float, above: bool
) -> None:
    given_ = overconfident(400)
    split = brier._split(given_, given_.weight)
    ends = brier._ends(given_, split, (p_value, p_value), 0.05, (99, 0))
    for name, value in zip(brier.PARTS, split.tolist(), strict=True):
        low, high = ends[name]
        assert low <= value <= high
        tested = name in ("miscalibration", "discrimination")
        assert (low > 0) == (above or not tested)


def test_merged_levels_give_the_tests_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    confidence = rng.beta(4, 1.5, 1500)
    loss = 1.0 * (rng.random(1500) > confidence)
    sample = Sample(np.ones(1500, bool), confidence, loss)
    monkeypatch.setattr(brier, "_CELLS", 400)
    merged = brier.brier_split(sample, replicates=300)
    monkeypatch.setattr(brier, "_CELLS", 10**6)
    every = brier.brier_split(sample, replicates=300)
    assert merged.p_calibrated == pytest.approx(every.p_calibrated, abs=0.12)
    assert merged.p_uninformative == every.p_uninformative == 1 / 301


def test_intervals_of_the_parts_hold_the_truth() -> None:
    """Overconfident answers; the truth as in benchmarks/calibration_coverage.py."""
    truth = {"miscalibration": 0.1115, "discrimination": 0.0532, "uncertainty": 0.2405}
    rng = np.random.default_rng(11)
    held = dict.fromkeys(truth, 0)
    for _ in range(200):
        stated = rng.beta(4, 1.5, 150)
        right = rng.random(150) < 0.9 * stated**3
        sample = Sample(np.ones(150, bool), stated, 1.0 * ~right)
        ends = brier_intervals(graded_guesses("test", sample, None), level=0.95)
        for name, true in truth.items():
            held[name] += ends[name][0] <= true <= ends[name][1]
    assert all(180 <= count <= 200 for count in held.values())


def test_intervals_follow_weights_and_clusters() -> None:
    stated = np.linspace(0.3, 0.99, 60)
    credit = 1.0 * (np.arange(60) % 3 > 0)
    each, twice = (
        graded(
            np.repeat(stated, n), np.repeat(credit, n), cluster=np.repeat(range(60), n)
        )
        for n in (1, 2)
    )
    heavy = graded(stated, credit, weight=np.full(60, 7.0))
    for other in (twice, heavy):
        ends = brier_intervals(other, level=0.9)
        for name, wanted in brier_intervals(each, level=0.9).items():
            assert ends[name] == pytest.approx(wanted, abs=0.01)
    for ends in brier_intervals(graded([1.0] * 20, [1.0] * 20), level=0.95).values():
        assert ends[0] == 0
        assert 0 < ends[1] <= 0.25


def test_estimates_never_fall() -> None:
    rng = np.random.default_rng(0)
    credit, weight = rng.random(50), rng.random(50) + 0.5
    estimate = isotonic(credit * weight, weight)
    assert (np.diff(estimate) >= 0).all()
    assert np.dot(estimate, weight) == pytest.approx(np.dot(credit, weight))


@given(
    st.integers(1, 40).flatmap(
        lambda levels: st.tuples(
            st.lists(
                st.lists(st.integers(0, 4), min_size=levels, max_size=levels),
                min_size=1,
                max_size=5,
            ),
            st.lists(st.sampled_from([1, 2, 3.5]), min_size=levels, max_size=levels),
        )
    )
)
def test_draws_together_are_fitted_as_one_by_one(
    drawn: tuple[list[list[int]], list[float]],
) -> None:
    credit, weight = np.array(drawn[0], float), np.array(drawn[1], float)
    alone = [isotonic(row, weight) for row in credit]
    assert isotonic_draws(credit, weight) == pytest.approx(np.array(alone), abs=1e-12)
