"""Numbers in texts: plain numerals as decimals, and what may be another number."""

import re
from decimal import Decimal
from typing import Any

import numpy as np

from demur.answers.normalisations import without_invisible

_NUMERAL = re.compile(
    r"[+-]?(?:(?:[^\D0]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?"
)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:[. \u00a0\u202f']\d{3})+|\d+),\d+")


def decimal(value: Any) -> Decimal | None:
    r"""A number, or a numeral as text, as a decimal; None if it is neither.

    Examples
    --------
    >>> [decimal(value) for value in (0.1, "1,234.5", " \u2212.5e1 ")]
    [Decimal('0.1'), Decimal('1234.5'), Decimal('-5')]
    >>> [decimal(value) for value in (True, "12 km", "1,23", "0,123", "nan", [3])]
    [None, None, None, None, None, None]
    """
    if isinstance(value, np.generic):
        # The shortest text of a float32 is what its writer meant.
        value = float(str(value)) if isinstance(value, np.floating) else value.tolist()
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None


def _from_text(value: str) -> Decimal | None:
    numeral = without_invisible(value).strip().replace("\u2212", "-")
    if not _NUMERAL.fullmatch(numeral):
        return None
    return Decimal(numeral.replace(",", ""))


def has_decimal_comma(value: Any) -> bool:
    """Whether a value may be a number whose decimals follow a comma.

    Examples
    --------
    >>> [has_decimal_comma(value) for value in ("1,5", "1.234,50", "1,234,567", 1.5)]
    [True, True, False, False]
    """
    return isinstance(value, str) and bool(_DECIMAL_COMMA.fullmatch(value.strip()))


def holds_number(value: Any) -> bool:
    """Whether a text that is no number has one in it.

    Examples
    --------
    >>> [holds_number(value) for value in ("12 km", "50%", "\u00bd", "12", "dozen")]
    [True, True, True, False, False]
    """
    if not isinstance(value, str) or decimal(value) is not None:
        return False
    return any(sign.isnumeric() for sign in value)
