"""Matched pairs of segments: a test of two recognisers on the same words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demur.metrics.word_alignments import steps_of
from demur.results import Result

GOOD = 2
"""So many words that both have right part two segments."""


@dataclass(frozen=True, eq=False, repr=False)
class MatchedPairs(Result):
    """Errors of two recognisers in segments between words that both have right.

    Parameters
    ----------
    segments : int
        With an error of either.
    mean : float
        Errors of b less those of a, per segment.
    z : float
        The mean over its standard error.
    p_value : float
        Two-sided, by the normal distribution; 1 if no segments differ.
    """

    segments: int
    mean: float
    z: float
    p_value: float


def matched_pairs(
    references: Sequence[Sequence[str]],
    first: Sequence[Sequence[str]],
    second: Sequence[Sequence[str]],
) -> MatchedPairs:
    """The matched-pairs sentence-segment word error test (MAPSSWE).

    Parameters
    ----------
    references, first, second : sequence of sequence of str
        Words of each utterance: the reference, and what both have heard.

    Returns
    -------
    MatchedPairs

    References
    ----------
    Gillick and Cox (1989), section 4.
    """
    apart: list[int] = []
    for reference, a, b in zip(references, first, second, strict=True):
        if reference == a and reference == b:
            continue
        apart += _segments(_errors_at(reference, a), _errors_at(reference, b))
    n = len(apart)
    if not n:
        return MatchedPairs(0, 0.0, 0.0, 1.0)
    values = np.array(apart, float)
    mean = float(values.mean())
    deviation = float(values.std(ddof=1)) if n > 1 else 0.0
    if deviation == 0:
        return MatchedPairs(n, mean, 0.0, 1.0 if mean == 0 else 2.0 ** (1 - n))
    z = mean / (deviation / math.sqrt(n))
    return MatchedPairs(n, mean, z, math.erfc(abs(z) / math.sqrt(2)))


def _errors_at(reference: Sequence[str], heard: Sequence[str]) -> list[int]:
    """Errors at each word of the reference; insertions at the word that follows.

    The last place is for insertions after the last word.
    """
    errors = [0] * (len(reference) + 1)
    place = 0
    for tag, word, _ in steps_of(reference, heard):
        errors[place] += tag != "equal"
        place += word is not None
    return errors


def _segments(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Errors of b less those of a in each segment with any."""
    differences: list[int] = []
    difference, some, good = 0, False, GOOD
    for first, second in zip(a, b, strict=True):
        if first or second:
            if good >= GOOD and some:
                differences.append(difference)
                difference = 0
            difference += second - first
            some, good = True, 0
        else:
            good += 1
    return [*differences, difference] if some else differences
