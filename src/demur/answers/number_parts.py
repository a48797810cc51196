"""Numbers that are parts of one: hours and minutes, dates, ranges, either of two."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from demur.answers.numerals import decimal
from demur.answers.units import factors, unit_of

_GLUE: Final = re.compile(r"[-\u2010-\u2015/.]|\s+or\s+")
_BETWEEN: Final = re.compile(r"\s*([^\W\d_]+)\.?\s*,?(?:\s+and)?\s*")
_FEET: Final = re.compile(r"\s*['\u2019\u2032]\s*")
_BEHIND: Final = re.compile(r"\s*([^\W\d_]+)")
_INCHES: Final = re.compile(r"\s*(?:[\"\u201d\u2033]|'')")
_AND: Final = re.compile(r"\s+and\s+")
_CENTS: Final = re.compile(r"\s*(?:cents?|c|pence|p)\b")


def whole_numbers(
    text: str, numbers: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Numbers, and for those that are parts of one the whole with its last unit.

    Parameters
    ----------
    text : str
        In which they stand.
    numbers : sequence of (start, end)
        From left to right.

    Returns
    -------
    list of (start, end)

    Examples
    --------
    >>> text = "It takes 2 hours and 30 minutes, on 2024-05-18, and 7 of us."
    >>> spans = [each.span() for each in re.finditer("[0-9]+", text)]
    >>> [text[start:end] for start, end in whole_numbers(text, spans)]
    ['2 hours and 30 minutes', '2024-05-18', '7']
    """
    wholes: list[tuple[int, int]] = []
    before: tuple[int, int] | None = None  # the part that stands last
    for start, end in numbers:
        last = None if before is None else _end_of_whole(text, before, (start, end))
        if last is None:
            wholes.append((start, end))
        else:
            wholes[-1] = wholes[-1][0], last
        before = start, end
    return wholes


def _end_of_whole(
    text: str, before: tuple[int, int], number: tuple[int, int]
) -> int | None:
    """Where a whole ends of which two numbers are parts; None if they are none."""
    start, end = number
    between = text[before[1] : start]
    if _GLUE.fullmatch(between):
        return end
    if _FEET.fullmatch(between) and (inches := _INCHES.match(text, end)):
        return inches.end()
    if text[before[0]] in "$\u20ac\u00a3" and _AND.fullmatch(between):
        cents = _CENTS.match(text, end)
        return None if cents is None else cents.end()
    larger, smaller = _BETWEEN.fullmatch(between), _BEHIND.match(text, end)
    if larger is None or smaller is None:
        return None
    unit, of_larger = unit_of(smaller[1]), unit_of(larger[1])
    size = decimal(text[start:end])
    if unit is None or of_larger is None or size is None:
        return None
    shares = factors(unit, of_larger)
    is_part = any(share < 1 and Fraction(size) * share < 1 for share in shares)
    return smaller.end() if is_part else None
