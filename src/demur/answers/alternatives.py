"""The verdict on a response, given all alternatives of its reference."""

from collections.abc import Iterable
from numbers import Real
from typing import Any, Final

from demur.answers.comparators import DIFFERENT, EQUAL, Comparator, Match, Ranker
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.reasons import NO_ANSWER
from demur.outcomes.records import Verdict

Alternatives = tuple[tuple[Any, float], ...]
"""Acceptable values as a comparator has read them, each with its weight."""

_EQUAL: Final = Verdict(RIGHT, 1.0, EQUAL.reason, EQUAL.code)
_DIFFERENT: Final = Verdict(WRONG, 0.0, DIFFERENT.reason, DIFFERENT.code)


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
    ungraded if one of them could not be compared, or unanswered if the comparator takes
    it as none (code ``no_answer``).

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

    Raises
    ------
    InputError
        If what the comparator returns is no sound `Match`.

    Examples
    --------
    >>> from demur.answers import label
    >>> rome = read_all(label(), [("Rome", 1), ("Roma", 0.5), ("Latium", 0.25)])
    >>> verdict(label(), "Roma", rome)
    Verdict(outcome=0, credit=0.5, reason='alternative 2 of 3, credit 0.5',
            code='equal')
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
        return _judged([_checked(match, comparator)], [weight])
    matches = [
        _checked(comparator.compare(guess, reference), comparator)
        for reference, _ in alternatives
    ]
    weights = [weight for _, weight in alternatives]
    if any(match.credit or match.credit is None for match in matches):
        return _judged(matches, weights)
    return _wrong(matches, _nearest(comparator, guess, alternatives))


def _checked(match: Any, comparator: Comparator) -> Match:
    """A match as it must be; a comparator may be anybody's."""
    if isinstance(match, Match) and isinstance(match.reason, str):
        credit: Any = match.credit  # which is only promised
        if credit is None or (isinstance(credit, Real) and 0 <= float(credit) <= 1):
            return match
    need = "return a Match with a credit from 0 to 1, or None, and a reason in words"
    raise InputError("by", str(comparator), need, shown(match))


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
            outcome = UNANSWERED if match.code == NO_ANSWER else UNGRADED
            return Verdict(outcome, 0.0, ": ".join(words), match.code)
    return _wrong(matches, None)


def _right(matches: list[Match], credit: float, position: int) -> Verdict:
    match, words = matches[position], _position(position, len(matches))
    if not words or match != EQUAL:
        words.append(match.reason)
    if credit < 1:
        words.append(f"credit {credit:g}")
    return Verdict(RIGHT, credit, ", ".join(words), match.code)


def _wrong(matches: list[Match], nearest: int | None) -> Verdict:
    """One reason for all alternatives, or that of the nearest, or what says most."""
    first = matches[0]
    if len(set(matches)) == 1 and (len(matches) == 1 or first != DIFFERENT):
        return Verdict(WRONG, 0.0, first.reason, first.code)
    telling = [at for at, match in enumerate(matches) if match != DIFFERENT]
    at = nearest if nearest is not None else next(iter(telling), None)
    none = f"none of {len(matches)} alternatives"
    if at is None:
        return Verdict(WRONG, 0.0, none, DIFFERENT.code)
    words = [*(["nearest"] if at == nearest else []), f"alternative {at + 1}"]
    words += [matches[at].reason] if at in telling else []
    return Verdict(WRONG, 0.0, f"{none} ({': '.join(words)})", matches[at].code)


def _nearest(
    comparator: Comparator, guess: Any, alternatives: Alternatives
) -> int | None:
    """Which value a wrong guess is nearest to, if the comparator can say."""
    if not isinstance(comparator, Ranker):
        return None
    distances = [comparator.distance(guess, value) for value, _ in alternatives]
    known = [distance for distance in distances if distance is not None]
    return distances.index(min(known)) if known else None


def _position(position: int, n_alternatives: int) -> list[str]:
    """Which alternative it was; nothing if there is only one."""
    if n_alternatives == 1:
        return []
    return [f"alternative {position + 1} of {n_alternatives}"]
