"""Slow plain twins: rows drawn one by one, and the exact curve of what was drawn."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from demur import Curve
from demur.arrays import Sample
from demur.curves.curves import build_curve
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG

Array = np.ndarray[Any, Any]


def curve_of(sample: Sample, counts: Array | None = None) -> Curve:
    """The exact curve, each row repeated as often as it was drawn."""
    counts = np.ones(len(sample), int) if counts is None else counts
    rows = np.repeat(np.arange(len(sample)), counts)
    wrong = sample.loss[rows] == 1
    outcome = np.where(sample.guess[rows], np.where(wrong, WRONG, RIGHT), UNANSWERED)
    return build_curve(
        outcome.astype(np.uint8),
        confidence=sample.confidence[rows],
        credit=np.where(sample.guess[rows] & ~wrong, 1 - sample.loss[rows], 0.0),
        weight=None if sample.weight is None else sample.weight[rows],
    )


def starts(curve: Curve) -> float:
    return 1.0 if curve.ladder is None else curve.start


def error_at(curve: Curve, nonreturn: float) -> float:
    """Error at a nonreturn rate; left of the start, that at the start."""
    if curve.ladder is None:
        return 0.0
    found = curve.at(nonreturn=max(nonreturn, curve.start)).error
    assert found is not None
    return found


def nonreturn_at(curve: Curve, error: float) -> float:
    return 1.0 if curve.ladder is None else curve.at(error=error).nonreturn


def area_from(curve: Curve, left: float) -> float:
    """Trapezoids between the corners right of a rate."""
    if curve.ladder is None:
        return 0.0
    x, y = curve.corners.nonreturn, curve.corners.error
    inside = x > left
    xs = [left, *x[inside]]
    ys = [error_at(curve, left), *y[inside]]
    return sum(
        (b - a) * (up + down) / 2
        for a, b, up, down in zip(xs, xs[1:], ys, ys[1:], strict=False)
    )


def values(
    samples: Sequence[Sample], counts: Array | None, name: str, at: float | None
) -> list[float]:
    """One number for each system, of the same drawn rows."""
    curves = [curve_of(sample, counts) for sample in samples]
    if name == "error":
        return [error_at(curve, at) for curve in curves]
    if name == "nonreturn":
        return [nonreturn_at(curve, at) for curve in curves]
    left = max(starts(curve) for curve in curves)
    return [area_from(curve, left) for curve in curves]


def derivative(sample: Sample, value: Callable[[Curve], float]) -> Array:
    """How a number changes as all weight moves a little towards each item."""
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    share, step = weight / weight.sum(), 1e-6
    slopes = []
    for item in range(len(sample)):
        ends = []
        for toward in (step, -step):
            moved = (1 - toward) * share
            moved[item] += toward
            heavier = Sample(sample.guess, sample.confidence, sample.loss, moved)
            ends.append(value(curve_of(heavier)))
        slopes.append((ends[0] - ends[1]) / (2 * step))
    return np.array(slopes) * share


def permutation_p(
    a: Sample, b: Sample, nonreturn: float, swaps: Sequence[Sequence[int]]
) -> float:
    """Swap whole results, confidences given as places in the own system's order."""

    weight = np.ones(len(a)) if a.weight is None else a.weight

    def placed(sample: Sample) -> Sample:
        places = []
        for value in sample.confidence:
            below = sample.guess & (sample.confidence < value)
            tied = sample.guess & (sample.confidence == value)
            first = weight[~sample.guess].sum() + weight[below].sum()
            places.append((first + weight[tied].sum() / 2) / weight.sum())
        return Sample(sample.guess, np.array(places), sample.loss, a.weight)

    def apart(first: Sample, second: Sample) -> float:
        ends = (
            error_at(curve_of(first), nonreturn),
            error_at(curve_of(second), nonreturn),
        )
        return ends[1] - ends[0]

    def mixed(one: Sample, other: Sample, swapped: Array) -> Sample:
        columns = (
            np.where(swapped, getattr(other, name), getattr(one, name))
            for name in ("guess", "confidence", "loss")
        )
        return Sample(*columns, a.weight)

    one, other = placed(a), placed(b)
    wanted = abs(apart(one, other)) - 1e-12
    extreme = 0
    for swap in swaps:
        swapped = np.array(swap, bool)
        found = apart(mixed(one, other, swapped), mixed(other, one, swapped))
        extreme += abs(found) >= wanted
    return (extreme + 1) / (len(swaps) + 1)


def samples(seed: int, n_items: int, **options: Any) -> tuple[Sample, Sample]:
    """Two small random systems on the same items, with ties.

    Options: ``silent`` (share without a guess), ``weighted``, ``credit``, ``clusters``,
    ``levels`` (0 for distinct confidences).
    """
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 5, n_items) * 0.5 if options.get("weighted") else None
    cluster = None
    if options.get("clusters"):
        drawn = rng.integers(0, options["clusters"], n_items)
        cluster = np.unique(drawn, return_inverse=True)[1]
    made = []
    for _ in range(2):
        guess = rng.random(n_items) >= options.get("silent", 0.0)
        confidence = rng.random(n_items)
        loss = 1.0 * (rng.random(n_items) > 0.3 + 0.6 * confidence)
        if options.get("credit"):
            loss = np.where(rng.random(n_items) < 0.3, 0.5, loss)
        levels = options.get("levels", 8)
        if levels:
            confidence = np.floor(confidence * levels) / levels
        made.append(Sample(guess, confidence, loss * guess, weight, cluster))
    return made[0], made[1]


KINDS: dict[str, dict[str, Any]] = {
    "plain": {"levels": 0},
    "ties": {},
    "no guess": {"silent": 0.2},
    "weights": {"weighted": True, "credit": True},
    "clusters": {"clusters": 9, "silent": 0.1},
    "everything": {"silent": 0.2, "weighted": True, "credit": True, "clusters": 7},
}
"""Kinds of samples that all numbers are checked on."""
