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
