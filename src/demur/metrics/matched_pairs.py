"""Matched pairs of segments: a test of two recognisers on the same words."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.metrics.alternatives import ChosenWords
from demur.metrics.word_alignments import steps_of
from demur.results import Result

GOOD: Final = 2
"""So many words that both have right part two segments."""

FEWEST_SEGMENTS: Final = 10
"""Of fewer there is no p value: their spread says next to nothing."""


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
    p_value : float or None
        Two-sided, by Student's t; 1 if the mean is 0. Else None of fewer than ten.
    """

    segments: int
    mean: float
    z: float
    p_value: float | None


def matched_pairs(
    references: Sequence[Sequence[str]],
    first: Sequence[Sequence[str]],
    second: Sequence[Sequence[str]],
    choices: Mapping[int, tuple[ChosenWords, ChosenWords]] | None = None,
) -> MatchedPairs:
    """The matched-pairs sentence-segment word error test (MAPSSWE).

    Parameters
    ----------
    references, first, second : sequence of sequence of str
        Words of each utterance: the reference, and what both have heard.
    choices : mapping of int to (ChosenWords, ChosenWords), optional
        Rows whose reference has alternatives: what it is for both. Words in braces are
        one word here, so that both have the same places.

    Returns
    -------
    MatchedPairs

    References
    ----------
    Gillick and Cox (1989), section 4. A segment is bounded by at least two words that
    both have right, or by an end of the utterance, as in NIST's sclite. They take the
    normal distribution, which rejects too often where segments are few.
    """
    apart: list[int] = []
    choices = choices or {}
    rows = zip(references, first, second, strict=True)
    for row, (reference, a, b) in enumerate(rows):
        if row in choices:
            one, other = choices[row]
            apart += _segments(_errors_of(one, a), _errors_of(other, b))
            continue
        if reference == a and reference == b:
            continue
        apart += _segments(_errors_at(reference, a), _errors_at(reference, b))
    n = len(apart)
    values = np.array(apart or [0], float)
    mean = float(values.mean())
    deviation = float(values.std(ddof=1)) if n > 1 else 0.0
    z = mean / (deviation / math.sqrt(n)) if deviation else 0.0
    return MatchedPairs(n, mean, z, _p_value(n, mean, z))


def _p_value(n_segments: int, mean: float, z: float) -> float | None:
    from scipy.special import stdtr

    if mean == 0:
        return 1.0
    if n_segments < FEWEST_SEGMENTS:
        return None
    # Without spread: the chance that as many fair coins agree.
    return 2 * float(stdtr(n_segments - 1, -abs(z))) if z else 2.0 ** (1 - n_segments)


def _errors_at(reference: Sequence[str], heard: Sequence[str]) -> list[int]:
    """Errors at each word of the reference, and between words what is inserted there.

    Words have odd places, so that what is inserted before a word leaves it right.
    """
    errors = [0] * (2 * len(reference) + 1)
    place = 0
    for tag, word, _ in steps_of(reference, heard):
        errors[place + (word is not None)] += tag != "equal"
        place += 2 * (word is not None)
    return errors


def _errors_of(choice: ChosenWords, heard: Sequence[str]) -> list[int]:
    """The same of a reference with alternatives, of which each is one place."""
    places = [2 * element + 1 for element in choice.elements]
    errors, done, last = [0] * (2 * choice.n_elements + 1), 0, -1
    for tag, word, _ in steps_of(choice.words, heard):
        following = places[done] if done < len(places) else len(errors) - 1
        if word is not None:
            done, last = done + 1, following
            errors[following] += tag != "equal"
        else:
            errors[last if last == following else last + 1] += 1
    return errors


def _segments(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Errors of b less those of a in each segment with any."""
    differences: list[int] = []
    good = GOOD
    for place, (first, second) in enumerate(zip(a, b, strict=True)):
        if first or second:
            if good >= GOOD:
                differences.append(0)
            differences[-1] += second - first
            good = 0
        else:
            good += place % 2
    return differences
