"""The verdict on a response, given all alternatives of its reference."""

from collections.abc import Iterable
from decimal import Decimal
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, Final

from demur.answers.comparators import DIFFERENT, EQUAL, Comparator, Match
from demur.outcomes.fields import RIGHT, UNGRADED, WRONG
from demur.outcomes.records import Verdict

Alternatives = tuple[tuple[Any, float], ...]
"""Acceptable values as a comparator has read them, each with its weight."""

_EQUAL: Final = Verdict(RIGHT, 1.0, EQUAL.reason)
_DIFFERENT: Final = Verdict(WRONG, 0.0, DIFFERENT.reason)


def read_all(
    comparator: Comparator, alternatives: Iterable[tuple[Any, float]]
) -> Alternatives:
    """Acceptable values in the form that a comparator compares.

    Examples
    --------
    >>> from demur.answers import text
    >>> read_all(text(), [("Rome ", 1), ("Roma", 0.5)])
    (('rome', 1), ('roma', 0.5))
    """
    return tuple((comparator.read(value), weight) for value, weight in alternatives)


def verdict(
    comparator: Comparator, response: Any, alternatives: Alternatives
) -> Verdict:
    """Judge a guess: the best credit that any alternative earns it.

    The credit is the comparator's times the alternative's weight; among equal credits
    the first alternative wins. A guess that no alternative gives credit is wrong, or
    ungraded if one of them could not be compared.

    Parameters
    ----------
    comparator : Comparator
        Decides on one response and one acceptable value.
    response : any JSON value
        The guess.
    alternatives : sequence of (value, weight)
        At least one, as read by `read_all`.

    Returns
    -------
    Verdict
        Its reason says which alternative matched, if there are several.

    Examples
    --------
    >>> from demur.answers import label
    >>> rome = read_all(label(), [("Rome", 1), ("Roma", 0.5), ("Latium", 0.25)])
    >>> verdict(label(), "Roma", rome)
    Verdict(outcome=0, credit=0.5, reason='alternative 2 of 3, credit 0.5')
    >>> verdict(label(), "rome", rome).reason
    'none of 3 alternatives (nearest: alternative 1: differs only in case)'
    """
    guess = comparator.read(response)
    if len(alternatives) == 1:
        reference, weight = alternatives[0]
        match = comparator.compare(guess, reference)
        if match is DIFFERENT:
            return _DIFFERENT
        if match is EQUAL and weight == 1:
            return _EQUAL
        return _judged([match], [weight])
    matches = [comparator.compare(guess, reference) for reference, _ in alternatives]
    weights = [weight for _, weight in alternatives]
    if any(match.credit or match.credit is None for match in matches):
        return _judged(matches, weights)
    reasons = [match.reason for match in matches]
    nearest = _nearest(guess, [reference for reference, _ in alternatives])
    return Verdict(WRONG, 0.0, _why_wrong(reasons, nearest))


def _judged(matches: list[Match], weights: list[float]) -> Verdict:
    credits_ = [
        (match.credit or 0.0) * weight
        for match, weight in zip(matches, weights, strict=True)
    ]
    best = max(credits_)
    if best > 0:
        return _right(matches, best, credits_.index(best))
    for position, match in enumerate(matches):
        if match.credit is None:
            words = [*_position(position, len(matches)), match.reason]
            return Verdict(UNGRADED, 0.0, ": ".join(words))
    return Verdict(WRONG, 0.0, _why_wrong([match.reason for match in matches], None))


def _right(matches: list[Match], credit: float, position: int) -> Verdict:
    words = _position(position, len(matches))
    if not words or matches[position].reason != EQUAL.reason:
        words.append(matches[position].reason)
    if credit < 1:
        words.append(f"credit {credit:g}")
    return Verdict(RIGHT, credit, ", ".join(words))


def _why_wrong(reasons: list[str], nearest: int | None) -> str:
    """One reason for all alternatives, or that of the nearest, or what says most."""
    if len(set(reasons)) == 1 and (len(reasons) == 1 or reasons[0] != DIFFERENT.reason):
        return reasons[0]
    none = f"none of {len(reasons)} alternatives"
    if nearest is not None:
        reason = reasons[nearest]
        said = "" if reason == DIFFERENT.reason else f": {reason}"
        return f"{none} (nearest: alternative {nearest + 1}{said})"
    for position, reason in enumerate(reasons, 1):
        if reason != DIFFERENT.reason:
            return f"{none} (alternative {position}: {reason})"
    return none


_ALIKE: Final = 0.5
"""Texts that have a smaller share of characters in common are not near each other."""

_LOOKED_AT: Final = 200


def _nearest(guess: Any, references: list[Any]) -> int | None:
    """Which value a wrong guess is nearest to; None if that says nothing.

    Texts by the share of characters in common, numbers by their difference, tables by
    the columns and rows that are too many or too few.
    """
    if all(isinstance(each, str) for each in (guess, *references)):
        likeness = [
            SequenceMatcher(None, guess[:_LOOKED_AT], each[:_LOOKED_AT]).quick_ratio()
            for each in references
        ]
        best = max(likeness)
        return likeness.index(best) if best >= _ALIKE else None
    numbers = (int, float, Fraction, Decimal)
    if all(isinstance(each, numbers) for each in (guess, *references)):
        apart = [abs(Fraction(guess) - Fraction(each)) for each in references]
        return apart.index(min(apart))
    if all(hasattr(each, "n_rows") for each in (guess, *references)):
        sizes = [
            (abs(guess.n_columns - each.n_columns), abs(guess.n_rows - each.n_rows))
            for each in references
        ]
        return sizes.index(min(sizes)) if len(set(sizes)) > 1 else None
    return None


def _position(position: int, n_alternatives: int) -> list[str]:
    """Which alternative it was; nothing if there is only one."""
    if n_alternatives == 1:
        return []
    return [f"alternative {position + 1} of {n_alternatives}"]
