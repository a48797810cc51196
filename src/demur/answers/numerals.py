"""Numbers: a response is right if it is the reference's number, or close enough."""

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Any, ClassVar, Final

import numpy as np

from demur.answers.comparators import EQUAL, Match
from demur.answers.normalisations import without_invisible
from demur.calls import call_text, unusual
from demur.errors import InputError, shown
from demur.outcomes.reasons import BAD_REFERENCE

_NUMERAL = re.compile(
    r"[+-]?(?:(?:[^\D0]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?"
)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:[. \u00a0\u202f']\d{3})+|\d+),\d+")
_DIGITS: Final = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_ZERO: Final = Decimal(0)
_NO_NUMBER: Final = Match(0.0, "not a number", "not_an_answer")
_NO_REFERENCE: Final = Match(None, "reference is not a number", BAD_REFERENCE)


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


@dataclass(frozen=True, slots=True, repr=False)
class Number:
    """The comparator that `number` makes.

    Parameters
    ----------
    absolute, relative : Decimal
        Largest allowed difference; and the same as a fraction of the reference.
    """

    version: ClassVar[str] = "number/1"
    absolute: Decimal = _ZERO
    relative: Decimal = _ZERO

    def __str__(self) -> str:
        return call_text("number", unusual(self))

    __repr__ = __str__

    def read(self, value: Any) -> Decimal | None:
        """The value as a decimal; None if it is no number."""
        return decimal(value)

    def compare(self, response: Decimal | None, reference: Decimal | None) -> Match:
        """Equal numbers match, and those within either tolerance."""
        if reference is None:
            return _NO_REFERENCE
        if response is None:
            return _NO_NUMBER
        if response == reference:
            return EQUAL
        # In decimal, so that 0.8 is within 0.1 of 0.7, which floats deny.
        gap = _gap(response, reference)
        allowed = _DIGITS.multiply(self.relative, reference.copy_abs())
        reason = f"off by {float(gap):.6g}"
        if gap <= self.absolute or gap <= allowed:
            return Match(1.0, reason, "within_tolerance")
        return Match(0.0, reason, "differs")

    def distance(
        self, response: Decimal | None, reference: Decimal | None
    ) -> Decimal | None:
        """The difference."""
        if response is None or reference is None:
            return None
        return _gap(response, reference)


def _gap(response: Decimal, reference: Decimal) -> Decimal:
    return _DIGITS.subtract(response, reference).copy_abs()


def number(*, absolute: Any = 0, relative: Any = 0) -> Number:
    """Equality of numbers, exactly or within a tolerance.

    Rule (``number/1``): a response is right if it differs from the reference by at
    most ``absolute``, or by at most ``relative`` times the size of the reference;
    without either, if it is equal. All is computed in decimal (with 50 digits), so
    that 1.01 is within 0.01 of 1.00. Numbers may be given as text: with a sign (the
    Unicode minus too), commas between groups of three digits, a decimal point, an
    exponent of up to six digits, and space around them. Anything else (true and false,
    nan, inf, "12 %", "3 km", "0x1F", "1_000", "1,5") is no number: a response is then
    wrong, and a reference leaves the item ungraded. A comma before decimals is not
    read, and wrong answers that may have one are noted.

    Parameters
    ----------
    absolute : number
        Largest allowed difference, at least 0.
    relative : number
        Largest allowed difference as a fraction of the reference, from 0 to below 1.

    Returns
    -------
    Number

    Raises
    ------
    InputError
        If a tolerance is out of range.

    Examples
    --------
    >>> from demur.answers import number, read_all, verdict
    >>> def judged(response, reference, **options):
    ...     same = number(**options)
    ...     found = verdict(same, response, read_all(same, [(reference, 1)]))
    ...     return found.credit, found.reason
    >>> judged("1,234.50", 1234.5), judged("-0", 0)
    ((1.0, 'equal'), (1.0, 'equal'))
    >>> judged("1.01", 1, absolute=0.01), judged(1.02, 1, absolute=0.01)
    ((1.0, 'off by 0.01'), (0.0, 'off by 0.02'))
    >>> judged(99, 100, relative=0.01), judged(98, 100, relative=0.01)
    ((1.0, 'off by 1'), (0.0, 'off by 2'))
    >>> judged("12 %", 12)
    (0.0, 'not a number')
    >>> judged(12, "a dozen")
    (0.0, 'reference is not a number')
    >>> number(relative="1e-2", absolute=0.50)
    number(absolute=0.5, relative=0.01)
    """
    return Number(
        absolute=_tolerance("absolute", absolute, None, "be a number of at least 0"),
        relative=_tolerance("relative", relative, 1, "be a number from 0 to below 1"),
    )


def _tolerance(name: str, value: Any, end: int | None, need: str) -> Decimal:
    tolerance = decimal(value)
    if tolerance is None or tolerance < 0 or (end is not None and tolerance >= end):
        hint = "It is a fraction: write 0.01 for 1 %." if name == "relative" else ""
        raise InputError("number", name, need, shown(value), hint)
    return _DIGITS.normalize(tolerance.copy_abs())
