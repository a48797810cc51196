"""How far a wrong response is from an acceptable one, by what both are."""

from decimal import Decimal
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, Final

_ALIKE: Final = 0.5
"""Texts that have a smaller share of characters in common are not near each other."""

_LOOKED_AT: Final = 200
_NUMBERS: Final = (int, float, Fraction, Decimal)


def text_distance(response: Any, reference: Any) -> float | None:
    """The share of characters that two texts do not have in common; None if most.

    Only the beginnings of long texts are looked at.

    Examples
    --------
    >>> text_distance("Romme", "Rome"), text_distance("Rome", "Milan")
    (0.11111111111111116, None)
    """
    if not (isinstance(response, str) and isinstance(reference, str)):
        return None
    pair = SequenceMatcher(None, response[:_LOOKED_AT], reference[:_LOOKED_AT])
    # An upper bound of the ratio, and much faster; it only ranks alternatives.
    likeness = pair.quick_ratio()
    return 1 - likeness if likeness >= _ALIKE else None


def value_distance(response: Any, reference: Any) -> float | Fraction | None:
    """That of two texts; the difference of two numbers; None for anything else.

    Examples
    --------
    >>> value_distance(7, 9.5), value_distance("7", 7)
    (Fraction(5, 2), None)
    """
    if isinstance(response, _NUMBERS) and isinstance(reference, _NUMBERS):
        try:
            return abs(Fraction(response) - Fraction(reference))
        except (OverflowError, ValueError):  # infinite, or no number
            return None
    return text_distance(response, reference)
