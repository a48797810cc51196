"""Numbers as people and models write them: with units, as fractions, in words."""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, NamedTuple

from demur.answers.normalisations import without_invisible
from demur.answers.number_words import OF_NUMBERS, SCALES, beginning, part
from demur.answers.numerals import decimal
from demur.answers.units import PERCENT, factors, noun_of, unit_of

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


class _Single(NamedTuple):
    """A number, by what a word behind it multiplies it, and its unit."""

    quantity: Fraction
    scale: int
    unit: str
    ends: bool
    """Whether nothing stood behind it."""

    @property
    def number(self) -> Fraction:
        return self.quantity * self.scale


# -- signs and words -----------------------------------------------------------------

_SPACES: Final = " \u00a0\u2009\u202f'\u2019_"
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3}")
_RAISED_SIGNS: Final = (
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b"
)
_POWERS: Final = str.maketrans(_RAISED_SIGNS, "0123456789-")
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
    (re.compile(r"\^\s*(?:\\circ\b|\{\s*\\circ\s*\})\s*"), "\u00b0"),
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
_MINUS: Final = re.compile(r"(?:minus|negative)\s+(?=[\d.$\u20ac\u00a3\u00a5])", re.I)
_DOLLARS: Final = re.compile(r"^\$([^$]*[\d})])\$(?=\s|$)")
_CRIED: Final = re.compile(r"(?<=[^\W\d_])!+$")
_DIGITS: Final = rf"(?:\d(?:[\d.,{_SPACES}]*\d)?\.?|\.\d+)"
_VULGARS: Final = "".join(_VULGAR)
_RAISED: Final = rf"(?:\s*(?:\^|\*\*)\s*[+-]?\d{{1,3}}|[{_RAISED_SIGNS}]{{1,4}})"
_NUMBER: Final = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[+-]?)"
    rf"(?:(?P<whole>\d+[ \u00a0]+)?(?P<over>\d+)\s*[/\u2044]\s*(?P<under>\d+)"
    rf"|(?P<mixed>\d*)\s?(?P<vulgar>[{_VULGARS}])"
    rf"|(?P<digits>{_DIGITS})(?:(?P<power>[eE][+-]?\d{{1,3}}"
    rf"|\s*[x\u00d7*\u00b7]\s*10{_RAISED})|(?P<raised>{_RAISED}))?)"
    r"(?!\d|/\s*\d)",
    re.IGNORECASE,
)
_POWER: Final = re.compile(rf"(?:[+-]?\d+|[{_RAISED_SIGNS}]+)$")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:[\s-]+[^\W\d_]+)*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_OF_ONE: Final = re.compile(r"(?:of\s+)?(?:an?|the|one)\s+", re.IGNORECASE)
_AND: Final = re.compile(r"and\s+(?:(\d)/(\d{1,2})\b)?", re.IGNORECASE)
_SIZE: Final = re.compile(
    r"(mm|[kmbt])(?=$|[\s$\u20ac\u00a3\u00a5\u20b9])", re.IGNORECASE
)
_SIZES: Final = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}
_DECADE: Final = re.compile(r"(?:1\d|20)\d0['\u2019]?s")
_IN_BRACKETS: Final = re.compile(r"([^()]*)\(([^()]*)\)([^()]*)")
_TAIL: Final = re.compile(
    r"(?:^|\s+)(?:each|apiece|(?:in\s+)?total|in\s+all|altogether|overall|old|tall"
    r"|long|wide|high|deep|away|apart|ago|left|remaining)$",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(r"(%|per\s?cent)\s+of((?:\s+[^\W\d_]+){1,4})", re.IGNORECASE)


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
    single = _single(text, comma=comma)
    if single is not None:
        return WrittenNumber(single.number, single.number, single.unit)
    return _together(text, comma=comma) or _interval(text, comma=comma)


_PARTS: Final = re.compile(
    r"(?:(?<=[^\W\d_])[.,]{0,2}(?:\s+and)?|(?<=\d)\s+and)\s+(?=\d)", re.IGNORECASE
)
_MOST_PARTS: Final = 4


def _together(text: str, *, comma: bool) -> WrittenNumber | None:
    """The sum of parts in smaller and smaller units, such as 2 hours 30 minutes."""
    parts = _PARTS.split(text, maxsplit=_MOST_PARTS)
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    read = [_single(part, comma=comma) for part in parts]
    known = [one for one in read if one is not None and one.unit and one.number >= 0]
    if len(known) < len(parts):
        return None
    unit = known[-1].unit
    ratios = [_ratio(one.unit, unit) or Fraction(0) for one in known]
    if any(larger <= smaller for larger, smaller in pairwise(ratios)):
        return None
    total = sum(one.number * ratio for one, ratio in zip(known, ratios, strict=True))
    return WrittenNumber(Fraction(total), Fraction(total), unit)


def _plain(value: str) -> str:
    """A text without LaTeX, marks, and words that say how exact it is."""
    text = without_invisible(value).strip().strip('*`"\u201c\u201d')
    text = text[1:-1] if text[:1] == text[-1:] == "'" else text
    if len(text) > 2 and text[0] == text[-1] == "$":
        text = text.strip("$")
    text = _DOLLARS.sub(r"\1", text)
    if "\\frac" in text or "frac{" in text:
        text = re.sub(r"(?<!\\)\$", "", text)
    for form, plain in _LATEX:
        text = form.sub(plain, text)
    text = re.sub("[\u2212\u2012\u2013\u2014]", "-", text).strip()
    hedge = _HEDGE.match(text)
    text = _CRIED.sub("", text[hedge.end() :] if hedge else text)
    return text.rstrip(" .") or text


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
    """All from one number to another, or about one."""
    forms = ((_ABOUT, _around), *((form, _between) for form in _RANGES))
    for form, read in forms:
        match = form.fullmatch(text)
        if match is None:
            continue
        first, second = (_single(end, comma=comma) for end in match.groups())
        interval = read(first, second) if first and second else None
        if interval is not None and interval.low <= interval.high:
            return interval
    return None


def _between(first: _Single, second: _Single) -> WrittenNumber | None:
    """From one to another; 5 to 10 million are millions both."""
    if first.ends and first.scale == 1 and first.quantity <= second.quantity:
        first = first._replace(scale=second.scale)
    unit = second.unit or first.unit
    ratio = _ratio(first.unit or unit, unit)
    if ratio is None:
        return None
    return WrittenNumber(first.number * ratio, second.number, unit)


def _around(centre: _Single, spread: _Single) -> WrittenNumber | None:
    """So much less and more than a number; per cent are those of the number."""
    if spread.unit == PERCENT != centre.unit:
        width = abs(centre.number) * spread.number / 100
        return WrittenNumber(centre.number - width, centre.number + width, centre.unit)
    if centre.ends and centre.scale == 1:
        centre = centre._replace(scale=spread.scale)
    unit = centre.unit or spread.unit
    ratio = _ratio(spread.unit or unit, unit)
    if ratio is None:
        return None
    width = abs(spread.number) * ratio
    return WrittenNumber(centre.number - width, centre.number + width, unit)


def _ratio(one: str, other: str) -> Fraction | None:
    """What one unit is of another; None if that is not plain."""
    ratios = factors(one, other)
    return ratios[0] if len(ratios) == 1 else None


def _single(text: str, *, comma: bool) -> _Single | None:
    text = _MINUS.sub("-", text.strip())
    match = None if _DECADE.fullmatch(text) else _NUMBER.match(text)
    if match is None:
        return _in_words(text)
    number = _of_match(match, comma=comma)
    if number is None:
        return None
    return _with_rest(number, text[match.end() :].strip(), match["before"] or "")


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
        read = None if read is None else _raised(read, match)
        if read is None:
            return None
        number = read
    return -number if "-" in (match["sign"], match["inner"]) else number


def _raised(number: Fraction, match: re.Match[str]) -> Fraction | None:
    """The number times a power of ten, or its own power; None if it is too long."""
    if match["power"]:
        return number * Fraction(10) ** _exponent(match["power"])
    if not match["raised"]:
        return number
    exponent = _exponent(match["raised"])
    digits = len(str(max(number.numerator, number.denominator)))
    if digits * abs(exponent) > _LARGEST or (exponent < 0 and not number):
        return None
    return Fraction(number**exponent)


def _exponent(text: str) -> int:
    digits = _POWER.search(text)
    return int(digits[0].translate(_POWERS)) if digits else 0


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


def _in_words(text: str) -> _Single | None:
    """A number that begins with English words, such as twenty-one and a half miles."""
    front = _WORDS.match(text)
    places = list(_WORD.finditer(front[0])) if front else []
    words = [place[0].casefold() for place in places]
    negative = words[:1] in (["minus"], ["negative"])
    read = beginning(words[negative:])
    if read is None:
        return None
    number, length = read
    rest = text[places[negative + length - 1].end() :].strip()
    if rest.partition(" ")[0].casefold() in SCALES:
        return None
    if number < 1:  # a quarter of an hour
        rest = _OF_ONE.sub("", rest, count=1) if _OF_ONE.match(rest) else rest
    pronoun = words[:length] == ["one"] and " " not in text[: places[0].end()]
    return _with_rest(-number if negative else number, rest, "", pronoun=pronoun)


# -- what follows a number -----------------------------------------------------------


def _with_rest(
    number: Fraction, rest: str, before: str, *, pronoun: bool = False
) -> _Single | None:
    """A number with what follows it; None if that is neither a size nor a unit.

    Parameters
    ----------
    number : Fraction
    rest, before : str
        What stands behind it, and a currency in front of it.
    pronoun : bool
        Whether it is "one", which may stand for anybody.
    """
    ends = not rest
    if number.denominator == 1:
        number, rest = _with_part(number, rest)
    scale, rest = _scale(rest, is_money=bool(before))
    single = _Single(number, scale, "", ends)
    aside = _IN_BRACKETS.fullmatch(rest)
    if aside is not None:
        front, inner, back = aside.groups()
        again = _single(inner, comma=False)  # 5 (five)
        if again is not None and again.number != single.number:
            return None
        rest = f"{front} {back}" if again else f"{front} {inner} {back}"
    unit = _unit(" ".join(rest.split()), before, single.number, pronoun=pronoun)
    return None if unit is None else single._replace(unit=unit)


def _scale(rest: str, *, is_money: bool) -> tuple[int, str]:
    """By what words multiply a number, and what is left behind them."""
    scale = 1
    while rest:
        word = rest.split(maxsplit=1)[0]
        size, taken = SCALES.get(word.casefold()), len(word)
        if word in ("mN", "MN"):  # newtons
            break
        letter = _SIZE.match(rest)
        if size is None and letter:
            taken = letter.end()
            if is_money or (letter[0] in "kKMBT" and rest[taken:]):
                size = _SIZES[letter[0].casefold()]
        if size is None:
            break
        scale, rest = scale * size, rest[taken:].strip()
    return scale, rest


def _with_part(number: Fraction, rest: str) -> tuple[Fraction, str]:
    """Five with "and a half" behind it."""
    joint = _AND.match(rest)
    if joint is None:
        return number, rest
    if joint[1]:
        over, under = int(joint[1]), int(joint[2])
        fraction, taken = Fraction(over, under or 1), joint.end()
    else:
        places = list(_WORD.finditer(rest, joint.end()))
        read = part([place[0].casefold() for place in places[:4]])
        if read is None:
            return number, rest
        fraction, taken = read[0], places[read[1] - 1].end()
    if not 0 < fraction < 1:
        return number, rest
    sign = -1 if number < 0 else 1
    return number + sign * fraction, rest[taken:].strip()


def _unit(rest: str, before: str, number: Fraction, *, pronoun: bool) -> str | None:
    """The unit around a number; None if anything else stands there."""
    tail = _TAIL.search(rest)
    rest = rest[: tail.start()].strip() if tail else rest
    money = unit_of(before) or ""
    if not rest:
        return money
    share = _SHARE.fullmatch(rest)
    if share is not None:
        plain = OF_NUMBERS.isdisjoint(share[2].casefold().split())
        return PERCENT if plain and not before else None
    if money and re.match(r"/|per\b|an?\b", rest):
        return unit_of(f"{money} {rest}")
    hyphen = rest.startswith("-") and rest[1:2].isalpha()
    unit = unit_of(rest[hyphen:])
    if unit is None and not hyphen and not money:
        unit = noun_of(rest, single=abs(number) <= 1)
        if pronoun and unit != rest.casefold():
            return None
    return unit if not money or unit == money else None
