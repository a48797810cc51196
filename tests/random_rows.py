"""Rows for the slow twin of `reference`, drawn at random; what demur makes of them."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded
from demur.arrays import Sample
from demur.curves.curves import build_curve
from demur.outcomes.fields import OUTCOMES
from reference import Row


def curve_of(rows: list[Row], dtype: Any = np.float64) -> demur.Curve:
    """The library's curve of the twin's rows."""
    credit = [
        (1.0 if row.credit is None else row.credit) if row.outcome == "right" else 0.0
        for row in rows
    ]
    confidence = [np.nan if row.confidence is None else row.confidence for row in rows]
    return build_curve(
        np.array([OUTCOMES.index(row.outcome) for row in rows], np.uint8),
        confidence=np.array(confidence, dtype),
        credit=np.array(credit),
        weight=np.array([row.weight for row in rows], float),
        answerable=np.array([row.answerable for row in rows]),
        declined=np.array([row.declined for row in rows]),
    )


G1 = (
    [0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    [1, 1, 0, 1, 1, 0, 1, 0, 1, 0],
)


CONFIDENCES = st.sampled_from(
    [0.0, -0.0, 0.25, 0.5, 0.7, 1.0, -0.25, -1.5, 3.0, float("inf"), float("-inf")]
)


@st.composite
def rows(draw: st.DrawFn, *, plain: bool = False) -> list[Row]:
    sign = draw(st.sampled_from([-1, 0, 1]))
    confidences = CONFIDENCES.map(lambda c: c if sign == 0 else sign * abs(c))
    names = ["right", "wrong"] if plain else list(OUTCOMES)
    weights = st.just(1.0) if plain else st.sampled_from([1.0, 1.0, 0.5, 2.0, 0.1, 7.0])
    weighted, partial = draw(st.booleans()), draw(st.booleans())
    listed = []
    for _ in range(draw(st.integers(1, 14))):
        outcome = draw(st.sampled_from(names))
        hopeless = (
            not plain and outcome in ("wrong", "unanswered") and draw(st.booleans())
        )
        listed.append(
            Row(
                outcome=outcome,
                confidence=draw(confidences) if outcome != "unanswered" else None,
                credit=draw(st.sampled_from([1.0, 0.5, 0.3]))
                if partial and not plain and outcome == "right"
                else None,
                weight=draw(weights) if weighted else 1.0,
                answerable=not hopeless,
                declined=False if plain else draw(st.booleans()),
            )
        )
    return listed


def has_guess(listed: list[Row]) -> bool:
    return any(row.guessed for row in listed)


def outcomes_of(listed: list[Row]) -> demur.Outcomes:
    return by_outcome(
        [row.outcome for row in listed],
        [row.confidence for row in listed],
        credit=[row.credit for row in listed],
        weight=[row.weight for row in listed],
        answerable=[row.answerable for row in listed],
    )


def simple(n_items: int, wrong: list[int]) -> demur.Outcomes:
    """Items ranked by confidence 1, 2, ..., of which some are wrong."""
    correct = np.ones(n_items)
    correct[wrong] = 0
    return graded(correct, np.arange(1, n_items + 1) / n_items)


def beta_sample(n_items: int, seed: int) -> Sample:
    """Confidence c ~ Beta(2, 1), right with chance 0.1 + 0.9 c; area 0.09."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(2, 1, n_items)
    loss = 1.0 * (rng.random(n_items) > 0.1 + 0.9 * confidence)
    return Sample(np.ones(n_items, bool), confidence, loss)
