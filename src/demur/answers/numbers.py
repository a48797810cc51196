"""Numbers: a response is right if it is the reference's number, or close enough."""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, ClassVar, Final

from demur.answers.comparators import EQUAL, Match
from demur.answers.numerals import decimal
from demur.answers.units import factors
from demur.answers.written_numbers import written_number
from demur.calls import call_text, unusual
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.reasons import BAD_REFERENCE

WRITTEN: Final = ("no", "point", "comma")
"""Whether more than plain numbers is read, and then the usual decimal mark."""

_DIGITS: Final = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_ZERO: Final = Decimal(0)
_WITHIN: Final = Match(1.0, "within the interval", "within_tolerance")
_NO_NUMBER: Final = Match(0.0, "not a number", "not_an_answer")
_NO_REFERENCE: Final = Match(None, "reference is not a number", BAD_REFERENCE)


@dataclass(frozen=True, slots=True, repr=False)
class Number:
    """The comparator that `number` makes.

    Parameters
    ----------
    absolute, relative : Decimal
        Largest allowed difference; and the same as a fraction of the reference.
    written : str
        One of `WRITTEN`.
    """

    version: ClassVar[str] = "number/1"
    absolute: Decimal = _ZERO
    relative: Decimal = _ZERO
    written: str = "no"

    def __str__(self) -> str:
        return call_text("number", unusual(self))

    __repr__ = __str__

    def read(self, value: Any) -> Any:
        """The value as a decimal, or as what is written; None if it is no number."""
        if self.written == "no":
            return decimal(value)
        return written_number(value, comma=self.written == "comma")

    def compare(self, response: Any, reference: Any) -> Match:
        """Equal numbers match, and those within either tolerance."""
        if reference is None:
            return _NO_REFERENCE
        if response is None:
            return _NO_NUMBER
        if self.written != "no":
            return self._compare_written(response, reference)
        if response == reference:
            return EQUAL
        # In decimal, so that 0.8 is within 0.1 of 0.7, which floats deny.
        gap = _gap(response, reference)
        allowed = _DIGITS.multiply(self.relative, reference.copy_abs())
        reason = f"off by {float(gap):.6g}"
        if gap <= self.absolute or gap <= allowed:
            return Match(1.0, reason, "within_tolerance")
        return Match(0.0, reason, "differs")

    def _compare_written(self, response: Any, reference: Any) -> Match:
        """Equal numbers in equal units match, and what lies in an interval."""
        gaps = _gaps(response, reference)
        if not gaps:
            reason = f"in {shown(response.unit)}, not in {shown(reference.unit)}"
            return Match(0.0, reason, "differs")
        if any(not (below or above) for below, above in gaps):
            whole = reference.low == reference.high or response[:2] == reference[:2]
            return EQUAL if whole else _WITHIN
        reason = f"off by {_DIGITS.divide(*_ratio(min(map(max, gaps)))):.6g}"
        ends = [Fraction(self.relative) * abs(end) for end in reference[:2]]
        low, high = (max(Fraction(self.absolute), end) for end in ends)
        if any(below <= low and above <= high for below, above in gaps):
            return Match(1.0, reason, "within_tolerance")
        return Match(0.0, reason, "differs")

    def distance(self, response: Any, reference: Any) -> Any:
        """The difference."""
        if response is None or reference is None:
            return None
        if self.written != "no":
            gaps = _gaps(response, reference)
            return min(map(max, gaps)) if gaps else None
        return _gap(response, reference)


def _gaps(response: Any, reference: Any) -> list[tuple[Fraction, Fraction]]:
    """How far a response reaches below and above a reference, by each reading."""
    zero = Fraction(0)
    return [
        (
            max(zero, reference.low - response.low * factor),
            max(zero, response.high * factor - reference.high),
        )
        for factor in factors(response.unit, reference.unit)
    ]


def _ratio(number: Fraction) -> tuple[Decimal, Decimal]:
    return Decimal(number.numerator), Decimal(number.denominator)


def _gap(response: Decimal, reference: Decimal) -> Decimal:
    return _DIGITS.subtract(response, reference).copy_abs()


def number(*, absolute: Any = 0, relative: Any = 0, written: str = "no") -> Number:
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

    With ``written=point`` or ``comma`` both sides may be written as people do: with
    units, per cent signs and currencies, "1/2", "2½" and LaTeX fractions, powers,
    thousands parted by commas, points, blanks or apostrophes, "1.5 million", words in
    English, "about", and intervals ("3 to 5", "5 ± 0.1"). Behind a number may stand a
    unit, a size, or a noun in the plural; with anything else it is no number. A unit
    counts where both sides have one, after turning it into that of the reference: 3 km
    is 3000 m, and $5 is not 5 EUR. 12 % equals 12 %, 12 and 0.12. What may be a unit
    or a size is what the other side says: 70K is 70,000, or 70 kelvin. A number within
    an interval of the reference is right, and an interval only within it. ``point`` and
    ``comma`` say what is before the decimals of a text that can mean both, such as
    1,234.

    Parameters
    ----------
    absolute : number
        Largest allowed difference, at least 0.
    relative : number
        Largest allowed difference as a fraction of the reference, from 0 to below 1.
    written : {"no", "point", "comma"}
        Whether numbers are read as they are written in texts.

    Returns
    -------
    Number

    Raises
    ------
    InputError
        If a tolerance is out of range, or ``written`` is none of these.

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
    >>> judged("$1,234.50", 1234.5, written="point"), judged("1/2", 0.5)
    ((1.0, 'equal'), (0.0, 'not a number'))
    >>> judged("about 3.1 km", "3000 m", written="point", relative=0.05)
    (1.0, 'off by 100')
    >>> judged("4", "3 to 5", written="point"), judged("3 kg", "3 km", written="point")
    ((1.0, 'within the interval'), (0.0, "in 'kg', not in 'km'"))
    >>> number(relative="1e-2", absolute=0.50)
    number(absolute=0.5, relative=0.01)
    """
    choice("number", "written", written, WRITTEN)
    return Number(
        absolute=_tolerance("absolute", absolute, None, "be a number of at least 0"),
        relative=_tolerance("relative", relative, 1, "be a number from 0 to below 1"),
        written=written,
    )


def _tolerance(name: str, value: Any, end: int | None, need: str) -> Decimal:
    tolerance = decimal(value)
    if tolerance is None or tolerance < 0 or (end is not None and tolerance >= end):
        hint = "It is a fraction: write 0.01 for 1 %." if name == "relative" else ""
        raise InputError("number", name, need, shown(value), hint)
    return _DIGITS.normalize(tolerance.copy_abs())
