"""Slow plain twins of calibration: isotonic estimates and Brier scores in fractions."""

from collections.abc import Sequence
from fractions import Fraction

Guess = tuple[Fraction, Fraction, Fraction]
"""Confidence, credit and weight of one graded guess."""


def levels(guesses: Sequence[Guess]) -> list[Fraction]:
    return sorted({confidence for confidence, _, _ in guesses})


def mean_credit(guesses: Sequence[Guess]) -> Fraction:
    weight = sum((w for _, _, w in guesses), Fraction(0))
    return sum((c * w for _, c, w in guesses), Fraction(0)) / weight


def isotonic(guesses: Sequence[Guess]) -> dict[Fraction, Fraction]:
    """The min-max formula: greatest, over starts at or below a level, of the least,
    over ends at or above it, mean credit between them."""

    def between(low: Fraction, high: Fraction) -> Fraction:
        return mean_credit([each for each in guesses if low <= each[0] <= high])

    every = levels(guesses)
    return {
        level: max(
            min(between(low, high) for high in every if high >= level)
            for low in every
            if low <= level
        )
        for level in every
    }


def score(guesses: Sequence[Guess], forecast: dict[Fraction, Fraction]) -> Fraction:
    weight = sum((w for _, _, w in guesses), Fraction(0))
    total = sum(
        (w * (forecast[level] - credit) ** 2 for level, credit, w in guesses),
        Fraction(0),
    )
    return total / weight


def brier_split(guesses: Sequence[Guess]) -> tuple[Fraction, ...]:
    """Score, miscalibration, discrimination and uncertainty."""
    every = levels(guesses)
    stated = score(guesses, {level: level for level in every})
    fitted = score(guesses, isotonic(guesses))
    flat = score(guesses, dict.fromkeys(every, mean_credit(guesses)))
    return stated, stated - fitted, flat - fitted, flat


def prices(
    rows: Sequence[tuple[Fraction | None, Fraction, Fraction]], target: Fraction
) -> tuple[Fraction, Fraction]:
    """What trusting confidences costs at a target, and the least cost of any cutoff.

    Rows are confidence (None: no guess), credit (0 if ungraded) and weight.
    """
    total = sum((weight for _, _, weight in rows), Fraction(0))

    def cost(cutoff: Fraction | None) -> Fraction:
        amount = Fraction(0)
        for confidence, credit, weight in rows:
            answered = None not in (confidence, cutoff) and confidence >= cutoff  # type: ignore[operator]
            amount += weight * ((1 - credit) if answered else (1 - target))
        return amount / total

    cutoffs = {confidence for confidence, _, _ in rows if confidence is not None}
    return cost(target), min(cost(cutoff) for cutoff in [None, *cutoffs])
