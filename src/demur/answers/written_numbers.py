"""Numbers as people and models write them: with units, as fractions, in words."""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, NamedTuple

from demur.answers.normalisations import without_invisible
from demur.answers.numerals import decimal

_LONGEST: Final = 200
"""Characters of a number that is read."""

_LARGEST: Final = 400
"""Places before and behind the point of a number that is read."""


class WrittenNumber(NamedTuple):
    """A number, or all from one to another, and its unit.

    Parameters
    ----------
    low, high : Fraction
        The ends; equal for a single number.
    unit : str
        In one spelling; empty if there is none.
    """

    low: Fraction
    high: Fraction
    unit: str


# -- signs and words -----------------------------------------------------------------

_SPACES: Final = " \u00a0\u2009\u202f'\u2019_"
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3}")
_POWERS: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-"
)
_VULGAR: Final = {
    **{"\u00bd": (1, 2), "\u2153": (1, 3), "\u2154": (2, 3), "\u00bc": (1, 4)},
    **{"\u00be": (3, 4), "\u2155": (1, 5), "\u2156": (2, 5), "\u2157": (3, 5)},
    **{"\u2158": (4, 5), "\u2159": (1, 6), "\u215a": (5, 6), "\u215b": (1, 8)},
    **{"\u215c": (3, 8), "\u215d": (5, 8), "\u215e": (7, 8)},
}
_LATEX: Final = (
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r" \1/\2"),
    (re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)"), r" \1/\2"),
    (re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}"), r" \1"),
    (re.compile(r"\\(?:times|cdot)\b"), "\u00d7"),
    (re.compile(r"\\(?:approx|sim)\b"), ""),
    (re.compile(r"\\pm\b"), "\u00b1"),
    (re.compile(r"\^\s*\{\s*([+-]?\d+)\s*\}"), r"^\1"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\[,;!: ]"), ""),
    (re.compile(r"\\([$%])"), r"\1"),
    (re.compile(r"\\\(|\\\)|\\left|\\right"), ""),
)
_HEDGE: Final = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|nearly|circa|ca\.?|exactly"
    r"|[~\u2248=])\s*",
    re.IGNORECASE,
)
_CURRENCY: Final = r"(?:US)?\$|[\u20ac\u00a3\u00a5\u20b9]|(?:USD|EUR|GBP|JPY|CHF|INR)\b"
_DIGITS: Final = rf"(?:\d(?:[\d.,{_SPACES}]*\d)?\.?|\.\d+)"
_VULGARS: Final = "".join(_VULGAR)
_NUMBER: Final = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[+-]?)"
    rf"(?:(?P<whole>\d+[ \u00a0]+)?(?P<over>\d+)\s*[/\u2044]\s*(?P<under>\d+)"
    rf"|(?P<mixed>\d*)\s?(?P<vulgar>[{_VULGARS}])"
    rf"|(?P<digits>{_DIGITS})(?P<power>[eE][+-]?\d{{1,3}}"
    r"|\s*[x\u00d7*\u00b7]\s*10\s*(?:\^\s*[+-]?\d{1,3}"
    r"|[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b]{1,4}))?)"
    r"(?![\d/])",
    re.IGNORECASE,
)
_WORDS: Final = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final = {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        2,
    )
}
_SCALES: Final = {
    "thousand": 10**3,
    **{"million": 10**6, "millions": 10**6, "mn": 10**6, "mio": 10**6},
    **{"billion": 10**9, "billions": 10**9, "bn": 10**9, "trillion": 10**12},
    **{"hundred": 100, "dozen": 12},
}
_PARTS: Final = {
    **{"half": 2, "halves": 2, "third": 3, "thirds": 3},
    **{"quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5},
}
_SHORT: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
"""What may be a size or a unit; behind a currency it is a size."""

_NO_UNITS: Final = frozenset(
    [
        "or",
        "and",
        "not",
        "is",
        "are",
        "was",
        "to",
        "but",
        "if",
        "than",
        "minus",
        "plus",
        "times",
        "more",
        "less",
        "between",
    ]
)
_UNIT: Final = re.compile(
    r"[^\W\d_][\w \u00b0/\u00b5^.$\u20ac\u00a3-]*"
    r"|[%$\u20ac\u00a3\u00a5\u20b9]|\u00b0[CF]?"
)
PERCENT: Final = "%"
"""The sign and spelling of per cent, among units."""

_SPELLED: Final = {
    **dict.fromkeys(("percent", "per cent", "pct", "%"), PERCENT),
    **dict.fromkeys(("$", "us$", "usd", "dollar", "us dollar"), "usd"),
    **dict.fromkeys(("\u20ac", "eur", "euro"), "eur"),
    **dict.fromkeys(("\u00a3", "gbp"), "gbp"),
    **dict.fromkeys(("\u00a5", "jpy", "yen"), "jpy"),
    **dict.fromkeys(("\u20b9", "inr", "rupee"), "inr"),
    **dict.fromkeys(("millimeter", "millimetre"), "mm"),
    **dict.fromkeys(("centimeter", "centimetre"), "cm"),
    **dict.fromkeys(("meter", "metre"), "m"),
    **dict.fromkeys(("kilometer", "kilometre"), "km"),
    **dict.fromkeys(("inch", "inches"), "in"),
    **dict.fromkeys(("foot", "feet"), "ft"),
    **{"yard": "yd", "mile": "mi"},
    **{"milligram": "mg", "gram": "g", "kilogram": "kg", "tonne": "t"},
    **{"ounce": "oz", "lbs": "lb", "pound": "lb"},
    **{"millisecond": "ms", "second": "s", "sec": "s", "minute": "min"},
    **{"hour": "h", "hr": "h", "day": "d", "week": "wk"},
    **{"yr": "year", "yrs": "year", "mo": "month", "mos": "month"},
    **dict.fromkeys(("milliliter", "millilitre"), "ml"),
    **dict.fromkeys(("liter", "litre"), "l"),
}
"""Other spellings of a unit, in small letters, without the s of a plural."""

_SIZES: Final = {
    **{"mm": ("m", "0.001"), "cm": ("m", "0.01"), "m": ("m", "1"), "km": ("m", "1000")},
    **{"in": ("m", "0.0254"), "ft": ("m", "0.3048"), "yd": ("m", "0.9144")},
    **{"mi": ("m", "1609.344")},
    **{"mg": ("g", "0.001"), "g": ("g", "1"), "kg": ("g", "1000")},
    **{"t": ("g", "1000000"), "oz": ("g", "28.349523125"), "lb": ("g", "453.59237")},
    **{"ms": ("s", "0.001"), "s": ("s", "1"), "min": ("s", "60"), "h": ("s", "3600")},
    **{"d": ("s", "86400"), "wk": ("s", "604800")},
    **{"ml": ("l", "0.001"), "l": ("l", "1")},
    **{"month": ("month", "1"), "year": ("month", "12"), "decade": ("month", "120")},
}
"""Units that are turned into each other: what they measure, and how much of it."""


# -- reading -------------------------------------------------------------------------


def written_number(value: Any, *, comma: bool = False) -> WrittenNumber | None:
    r"""A number, or a text that writes one; None if it is neither.

    Parameters
    ----------
    value : any
        A number or a text.
    comma : bool
        Whether 1,234 and 1.234 are read as one and a part, and as a thousand; a text
        that can mean one thing only is read as that.

    Examples
    --------
    >>> [str(written_number(text).low) for text in ("$1,234.5", "1.234,5", "1,5")]
    ['2469/2', '2469/2', '3/2']
    >>> texts = ("2 1/2", r"\frac{1}{3}", "forty-two")
    >>> [str(written_number(text).low) for text in texts]
    ['5/2', '1/3', '42']
    >>> written_number("12 %"), written_number("3 to 5 km").high, written_number("many")
    (WrittenNumber(low=Fraction(12, 1), high=Fraction(12, 1), unit='%'),
     Fraction(5, 1), None)
    """
    if not isinstance(value, str):
        number = decimal(value)
        exact = None if number is None else _exact(number)
        return None if exact is None else WrittenNumber(exact, exact, "")
    if len(value) > _LONGEST:
        return None
    text = _plain(value)
    return _single(text, comma=comma) or _interval(text, comma=comma)


def _plain(value: str) -> str:
    """A text without LaTeX, marks, and words that say how exact it is."""
    text = without_invisible(value).strip().strip('*`"')
    if len(text) > 2 and text[0] == text[-1] == "$":
        text = text.strip("$")
    if "\\frac" in text or "frac{" in text:
        text = re.sub(r"(?<!\\)\$", "", text)
    for form, plain in _LATEX:
        text = form.sub(plain, text)
    text = re.sub("[\u2212\u2012\u2013\u2014]", "-", text).strip()
    hedge = _HEDGE.match(text)
    return (text[hedge.end() :] if hedge else text).rstrip(" .") or text


_RANGES: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?:between|from)\s+(.+?)\s+(?:and|to)\s+(.+)",
        r"\[\s*(.+?)\s*[,;]\s+(.+?)\s*\]",
        r"(.+?)\s+to\s+(.+)",
        r"(.*?\d[^-]*?)\s*-\s*([^-]*\d.*)",
    )
)
_ABOUT: Final = re.compile(r"(.+?)\s*(?:\u00b1|\+/-|\+-)\s*(.+)")


def _interval(text: str, *, comma: bool) -> WrittenNumber | None:
    """All from one number to another, or about one, in the unit of the second."""
    about = _ABOUT.fullmatch(text)
    forms = ((form.fullmatch(text), False) for form in _RANGES)
    for form, is_about in ((about, True), *forms):
        if form is None:
            continue
        first, second = (_single(part, comma=comma) for part in form.groups())
        if first is None or second is None:
            continue
        unit = second.unit or first.unit
        if first.unit not in ("", unit):
            continue
        if is_about:
            centre, spread = first.low, abs(second.low)
            return WrittenNumber(centre - spread, centre + spread, unit)
        if first.low <= second.low:
            return WrittenNumber(first.low, second.low, unit)
    return None


def _single(text: str, *, comma: bool) -> WrittenNumber | None:
    text = text.strip()
    match = _NUMBER.match(text)
    if match is None:
        return _in_words(text)
    number = _of_match(match, comma=comma)
    if number is None:
        return None
    rest, before = text[match.end() :], match["before"] or ""
    return _with_unit(number, rest.strip(), before)


def _of_match(match: re.Match[str], *, comma: bool) -> Fraction | None:
    if match["sign"] and match["inner"]:
        return None
    if match["over"]:
        if not int(match["under"]):
            return None
        number = Fraction(int(match["over"]), int(match["under"]))
        number += int(match["whole"] or 0)
    elif match["vulgar"]:
        number = int(match["mixed"] or 0) + Fraction(*_VULGAR[match["vulgar"]])
    else:
        read = _numeral(match["digits"], comma=comma)
        if read is None:
            return None
        power = re.search(r"(?:e|\^\s*|10)([+-]?\d+)$", _power(match["power"]))
        number = read * Fraction(10) ** int(power[1]) if power else read
    return -number if "-" in (match["sign"], match["inner"]) else number


def _power(text: str | None) -> str:
    return (text or "").lower().translate(_POWERS)


def _numeral(text: str, *, comma: bool) -> Fraction | None:
    """Digits with what parts thousands, and what stands before decimals."""
    text = text.rstrip(".,")
    spaced = re.split(f"[{_SPACES}]", text)
    if len(spaced) > 1:
        whole = re.split("[.,]", spaced[-1])[0]
        if not all(re.fullmatch(r"\d{3}", part) for part in (*spaced[1:-1], whole)):
            return None
        if not re.fullmatch(r"[1-9]\d{0,2}", spaced[0]):
            return None
        return _decimal("".join(spaced).replace(",", "."))
    points, commas = text.count("."), text.count(",")
    if points and commas:
        mark = max(".,", key=text.rfind)
    elif not (points or commas):
        return _decimal(text)
    else:
        sign = "." if points else ","
        grouped = _GROUPED.fullmatch(text.replace(".", ",")) is not None
        usual = "," if comma else "."
        mark = "" if grouped and (sign != usual or points + commas > 1) else sign
    whole, _, part = text.rpartition(mark) if mark else (text, "", "")
    other = {",": ".", ".": ",", "": "." if points else ","}[mark]
    if other in whole and not _GROUPED.fullmatch(whole.replace(other, ",")):
        return None
    if mark and (mark in whole or other in part):
        return None
    return _decimal(f"{whole.replace(other, '')}.{part}")


def _decimal(text: str) -> Fraction | None:
    try:
        return _exact(Decimal(text))
    except InvalidOperation:
        return None


def _exact(number: Decimal) -> Fraction | None:
    """A decimal as a fraction; None if it is too long to be one."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _LARGEST:
        return None
    return Fraction(number) if abs(number.adjusted()) <= _LARGEST else None


def _in_words(text: str) -> WrittenNumber | None:
    """A number that begins with English words, such as twenty-one and a half miles."""
    words = re.split(r"[\s-]+", text.casefold())
    negative = words[0] in ("minus", "negative")
    words = words[negative:]
    for length in range(min(len(words), 12), 0, -1):
        number = _of_words([word for word in words[:length] if word != "and"])
        if number is not None and words[length - 1] != "and":
            rest = " ".join(words[length:])
            return _with_unit(-number if negative else number, rest, "")
    return None


def _of_words(words: list[str]) -> Fraction | None:
    """The number of words, all of which must belong to it."""
    if not words:
        return None
    if words[-1] in _PARTS:
        over = _of_words(words[:-1]) if words[:-1] not in ([], ["a"]) else Fraction(1)
        return None if over is None else over / _PARTS[words[-1]]
    if words[0] == "a":
        words = ["one", *words[1:]] if len(words) > 1 else words
    total, last = 0, 10**15
    while words:
        size = next((at for at, w in enumerate(words) if _is_large(w)), len(words))
        group = _below_thousand(words[:size])
        scale = _SCALES[words[size]] if size < len(words) else 1
        if group is None or scale >= last:
            return None
        total, last, words = total + group * scale, scale, words[size + 1 :]
    return Fraction(total)


def _is_large(word: str) -> bool:
    return word in _SCALES and word != "hundred"


def _below_thousand(words: list[str]) -> int | None:
    if "hundred" in words:
        at = words.index("hundred")
        front = _below_hundred(words[:at])
        back = _below_hundred(words[at + 1 :]) if words[at + 1 :] else 0
        return None if not front or front > 19 or back is None else 100 * front + back
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _WORDS.get(words[0], _TENS.get(words[0]))
    if len(words) == 2 and words[0] in _TENS and 0 < _WORDS.get(words[1], 0) < 10:
        return _TENS[words[0]] + _WORDS[words[1]]
    return None


# -- units ---------------------------------------------------------------------------


def _with_unit(number: Fraction, rest: str, before: str) -> WrittenNumber | None:
    """A number with what follows it: words for thousands and more, and a unit."""
    if before and rest in _SHORT:
        number, rest = number * _SHORT[rest], ""
    while rest:
        word, _, further = rest.partition(" ")
        if word.casefold() not in _SCALES:
            break
        number, rest = number * _SCALES[word.casefold()], further.strip()
    rest = rest.strip("()").strip()
    words = rest.casefold().replace("-", " ").split()
    if len(words) > 3 or any(map(_is_no_unit, words)):
        return None
    if rest and (not _UNIT.fullmatch(rest) or sum(map(str.isdigit, rest)) > 1):
        return None
    unit = unit_of(before)
    if rest:
        named = unit_of(rest)
        if unit and named != unit:
            return None
        unit = named
    return WrittenNumber(number, number, unit)


def _is_no_unit(word: str) -> bool:
    return any(word in words for words in (_NO_UNITS, _WORDS, _TENS, _SCALES, _PARTS))


def unit_of(text: str) -> str:
    """A unit in one spelling.

    Examples
    --------
    >>> [unit_of(text) for text in ("US$", "Dollars", "km", "Kilometres", "apples")]
    ['usd', 'usd', 'km', 'km', 'apple']
    """
    if text in _SHORT:
        return text.upper()
    plain = " ".join(text.casefold().rstrip(".").split())
    single = plain[:-1] if len(plain) > 2 and plain.endswith("s") else plain
    if len(single) < 3 and single not in _SIZES:
        single = plain
    return _SPELLED.get(plain, _SPELLED.get(single, single))


def factors(response: str, reference: str) -> tuple[Fraction, ...]:
    """By what a response is multiplied to be in the unit of the reference.

    None at all if the units differ in kind. A unit that only one side names is not
    asked for; but per cent may be a hundredth, too.

    Examples
    --------
    >>> [[str(it) for it in factors(*pair)] for pair in (("km", "m"), ("", "kg"))]
    [['1000'], ['1']]
    >>> [[str(it) for it in factors(*pair)] for pair in (("%", ""), ("usd", "eur"))]
    [['1', '1/100'], []]
    """
    if response == reference:
        return (Fraction(1),)
    if not response or not reference:
        if (response or reference) in _SHORT:
            return ()  # 5k may be 5,000
        if response == PERCENT:
            return Fraction(1), Fraction(1, 100)
        return (Fraction(1), Fraction(100)) if reference == PERCENT else (Fraction(1),)
    one, other = _SIZES.get(response), _SIZES.get(reference)
    if one is None or other is None or one[0] != other[0]:
        return ()
    return (Fraction(one[1]) / Fraction(other[1]),)
