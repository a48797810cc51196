"""Units behind numbers: how they are spelled, and how much they are of each other."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from demur.answers.number_words import OF_NUMBERS

PERCENT: Final = "%"
"""The sign and spelling of per cent, among units."""


class Reading(NamedTuple):
    """What a unit may mean.

    Parameters
    ----------
    size : Fraction
        How much it is.
    measures : tuple of (str, int)
        Of what, with powers; empty for a mere size such as a thousand.
    """

    size: Fraction
    measures: tuple[tuple[str, int], ...]


# -- what units there are ------------------------------------------------------------

_PREFIXES: Final = {
    **{"p": ("pico", -12), "n": ("nano", -9), "\u00b5": ("micro", -6)},
    **{"m": ("milli", -3), "c": ("centi", -2), "d": ("deci", -1)},
    **{"h": ("hecto", 2), "k": ("kilo", 3), "M": ("mega", 6)},
    **{"G": ("giga", 9), "T": ("tera", 12), "P": ("peta", 15)},
}
_METRIC: Final = (  # symbol, its prefixes, its words, of what it is, and how much
    ("m", "n\u00b5mcdkM", "metre meter", "m", "1"),
    ("g", "n\u00b5mk", "gram gramme", "g", "1"),
    ("s", "pn\u00b5m", "second sec", "s", "1"),
    ("l", "\u00b5mcdh", "litre liter", "m^3", "1/1000"),
    ("L", "\u00b5mcdh", "", "m^3", "1/1000"),
    ("t", "kMG", "tonne", "g", "1000000"),
    ("Hz", "mkMGT", "hertz", "Hz", "1"),
    ("N", "mkM", "newton", "N", "1"),
    ("Pa", "hkMG", "pascal", "Pa", "1"),
    ("bar", "m", "bar", "Pa", "100000"),
    ("J", "\u00b5mkMG", "joule", "J", "1"),
    ("Wh", "mkMGT", "watt-hour", "J", "3600"),
    ("eV", "mkMGT", "electronvolt", "eV", "1"),
    ("cal", "k", "calorie", "cal", "1"),
    ("W", "n\u00b5mkMGT", "watt", "W", "1"),
    ("V", "\u00b5mkM", "volt", "V", "1"),
    ("A", "n\u00b5mk", "ampere amp", "A", "1"),
    ("Ah", "m", "amp-hour", "Ah", "1"),
    ("\u03a9", "mkMG", "ohm", "ohm", "1"),
    ("mol", "n\u00b5mk", "mole", "mol", "1"),
    ("M", "n\u00b5m", "molar", "mol/m^3", "1000"),
    ("B", "kMGTP", "byte", "bit", "8"),
    ("bit", "kMGT", "bit", "bit", "1"),
    ("b", "kMGT", "", "bit", "1"),
    ("bps", "kMGT", "", "bit/s", "1"),
    ("K", "n\u00b5m", "kelvin", "K", "1"),
    ("T", "n\u00b5m", "tesla", "T", "1"),
    ("F", "pn\u00b5m", "farad", "F", "1"),
    ("Sv", "\u00b5m", "sievert", "Sv", "1"),
    ("Bq", "kMGT", "becquerel", "Bq", "1"),
)
_BOUND: Final = ("F", "b")
"""Symbols that stand behind a prefix only: alone they are often something else."""

_OTHERS: Final = (  # its spellings, of what it is, and how much
    ("in inch inches", "m", "254/10000"),
    ("ft foot feet", "m", "3048/10000"),
    ("yd yard yds", "m", "9144/10000"),
    ("mi mile", "m", "1609344/1000"),
    ("nmi nautical_mile", "m", "1852"),
    ("ly light-year light_year", "ly", "1"),
    ("oz ounce", "g", "28349523125/1000000000"),
    ("lb lbs", "g", "45359237/100000"),
    ("stone", "g", "635029318/100000"),
    ("ton", "ton", "1"),
    ("ha hectare", "m^2", "10000"),
    ("acre", "m^2", "40468564224/10000000"),
    ("gal gallon", "gal", "1"),
    ("qt quart", "gal", "1/4"),
    ("pt pint pts", "gal", "1/8"),
    ("fl_oz fluid_ounce", "fl_oz", "1"),
    ("tsp teaspoon", "tsp", "1"),
    ("tbsp tablespoon", "tsp", "3"),
    ("cup", "tsp", "48"),
    ("min minute", "s", "60"),
    ("h hour hr hrs", "s", "3600"),
    ("d day", "s", "86400"),
    ("wk week wks", "s", "604800"),
    ("month mo mos", "month", "1"),
    ("year yr yrs", "month", "12"),
    ("decade", "month", "120"),
    ("century centuries", "month", "1200"),
    ("mph", "m/s", "44704/100000"),
    ("kph kmh", "m/s", "10/36"),
    ("knot", "m/s", "1852/3600"),
    ("atm atmosphere", "Pa", "101325"),
    ("KiB", "bit", "8192"),
    ("MiB", "bit", "8388608"),
    ("GiB", "bit", "8589934592"),
    ("\u00b0C C \u2103 celsius degree_celsius degree_C degree_centigrade", "C", "1"),
    ("\u00b0F F \u2109 fahrenheit degree_fahrenheit degree_F", "\u00b0F", "1"),
    ("% percent per_cent pct", PERCENT, "1"),
    ("usd $ us$ dollar us_dollar buck", "usd", "1"),
    ("eur \u20ac euro", "eur", "1"),
    ("gbp \u00a3 pound_sterling", "gbp", "1"),
    ("pence", "gbp", "1/100"),
    ("jpy \u00a5 yen", "jpy", "1"),
    ("inr \u20b9 rupee", "inr", "1"),
    ("cny yuan rmb renminbi", "cny", "1"),
    ("krw \u20a9", "krw", "1"),
    ("rub rouble ruble", "rub", "1"),
    ("chf swiss_franc franc", "chf", "1"),
    ("percentage_point", "percentage_point", "1"),
    ("degree \u00b0 deg", "degree", "1"),
    *((name, name.partition(" ")[0], "1") for name in ("dB decibel", "px pixel")),
    *((name, name, "1") for name in ("psi", "mmHg", "hp", "\u2030", "ppm", "ppb")),
    *((name, name, "1") for name in ("rpm", "bpm", "dpi", "fps", "mpg", "peso")),
    *((name, name, "1") for name in ("cad", "aud", "brl", "sek", "nok", "dkk", "pln")),
)
_ALSO: Final = {
    **{"KB": "kB", "kms": "km", "cms": "cm", "mms": "mm", "kgs": "kg", "mls": "ml"},
    **{"\u00a2": "cent", "pennies": "penny", "\u2126": "\u03a9", "sqm": "m^2"},
    **{"sqft": "ft^2", "cc": "cm^3", "as": "", "pm": ""},
}
SIZES: Final = {
    "k": 10**3,
    "K": 10**3,
    "M": 10**6,
    "B": 10**9,
    "T": 10**12,
}
"""Letters that may be a size: 70K; behind a currency they are one."""

_EITHER: Final = {
    "pound": (("lb", 1), ("gbp", 1)),
    "cent": tuple((name, 100) for name in ("usd", "eur", "cad", "aud")),
    "penny": (("gbp", 100), ("usd", 100)),
    "degree": (("degree", 1), ("\u00b0C", 1), ("\u00b0F", 1)),
}
"""What may be a part of one unit or of another, and which part."""

_POWER: Final = re.compile(r"(?P<base>[^\d\^]*[^\d\^\s])(?:\s?\^?(?P<power>[23]))")
_WORDED: Final = re.compile(r"(?:(square|sq\.?)|cubic|cu\.?) (.+)", re.IGNORECASE)
_PER: Final = re.compile(r"\s*/\s*|\s+per\s+|\s+an?\s+", re.IGNORECASE)
_POWERS: Final = str.maketrans("\u00b2\u00b3\u03bc", "23\u00b5")


class _Table(NamedTuple):
    """Units by symbols, by words, and by symbols without capitals; and what each is."""

    symbols: dict[str, str]
    words: dict[str, str]
    folded: dict[str, str]
    readings: dict[str, tuple[Reading, ...]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    symbols: dict[str, str] = {}
    words: dict[str, str] = {}
    sizes: dict[str, tuple[Fraction, str]] = {}
    for symbol, prefixes, names, measure, size in _METRIC:
        for sign in ("", *prefixes):
            prefix, power = _PREFIXES.get(sign, ("", 0))
            unit = sign + ("l" if symbol == "L" else "b" if symbol == "bit" else symbol)
            if sign or symbol not in _BOUND:
                symbols[sign + symbol] = unit
                sizes[unit] = Fraction(10) ** power * Fraction(size), measure
            words |= {prefix + name: unit for name in names.split()}
    for spelt, measure, size in _OTHERS:
        unit, *others = (name.replace("_", " ") for name in spelt.split())
        sizes[unit] = Fraction(size), measure
        symbols |= dict.fromkeys((unit, *others), unit)
        words |= {name.casefold(): unit for name in (unit, *others) if len(name) > 1}
    symbols |= _ALSO
    words |= {name: name for name in _EITHER}
    readings: dict[str, tuple[Reading, ...]] = {
        unit: (Reading(size, _measures(measure)),)
        for unit, (size, measure) in sizes.items()
    }
    readings |= {
        name: tuple(
            Reading(readings[unit][0].size / parts, readings[unit][0].measures)
            for unit, parts in either
        )
        for name, either in _EITHER.items()
    }
    for name, factor in SIZES.items():
        symbols[name] = name
        readings[name] = *readings.get(name, ()), Reading(Fraction(factor), ())
    folded: dict[str, str] = {}
    for symbol, unit in symbols.items():
        if len(symbol) > 1:
            other = folded.setdefault(symbol.casefold(), unit)
            folded[symbol.casefold()] = unit if other == unit else ""
    return _Table(symbols, words, folded, readings)


def _measures(text: str) -> tuple[tuple[str, int], ...]:
    """The powers of what is measured: ``m/s`` is metres once, and seconds less once."""
    powers = []
    for at, piece in enumerate(text.split("/")):
        base, _, power = piece.partition("^")
        powers.append((base, int(power or 1) * (-1 if at else 1)))
    return _joined(powers)


def _joined(powers: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    total: dict[str, int] = {}
    for base, power in powers:
        total[base] = total.get(base, 0) + power
    return tuple(sorted((base, power) for base, power in total.items() if power))


# -- spellings -----------------------------------------------------------------------


@lru_cache(maxsize=1024)
def unit_of(text: str) -> str | None:
    """A known unit, or one by another, in one spelling; None for any other text.

    Capitals count where they tell units apart.

    Examples
    --------
    >>> [unit_of(text) for text in ("US$", "Dollars", "km", "Kilometres", "KM", "mW")]
    ['usd', 'usd', 'km', 'km', 'km', 'mW']
    >>> [unit_of(text) for text in ("km per hour", "sq ft", "m\u00b2", "apples", "MHZ")]
    ['km/h', 'ft^2', 'm^2', None, None]
    """
    text = " ".join(text.translate(_POWERS).split())
    text = text.replace("\u00b0 ", "\u00b0").replace("degrees ", "degree ")
    known = _powered(text)
    if known is not None:
        return known
    top, *others = _PER.split(text)
    if not others:
        return None
    pieces = [_powered(top) or noun_of(top, single=False)]
    pieces += [_powered(other) or noun_of(other, single=True) for other in others]
    return None if None in pieces else "/".join(map(str, pieces))


def _powered(text: str) -> str | None:
    """A known unit, or a square or a cube of one."""
    known = _known(text)
    if known is not None:
        return known
    worded, signed = _WORDED.fullmatch(text), _POWER.fullmatch(text)
    if worded:
        base, power = _known(worded[2]), "2" if worded[1] else "3"
    elif signed:
        base, power = _known(signed["base"]), signed["power"]
    else:
        return None
    readings = _table().readings.get(base or "", ())
    measures = readings[0].measures if readings else ()
    return f"{base}^{power}" if measures in ((("m", 1),), (("s", 1),)) else None


def _known(text: str) -> str | None:
    table = _table()
    text = text.rstrip(".")
    if text in table.symbols:
        return table.symbols[text] or None
    plain = text.casefold()
    if plain in table.words:
        return table.words[plain]
    if len(plain) > 3 and plain.endswith("s") and plain[:-1] in table.words:
        return table.words[plain[:-1]]
    return table.folded.get(plain) or None


def noun_of(text: str, *, single: bool) -> str | None:
    """What is counted, in the singular; None if it is no noun of one or two words.

    Parameters
    ----------
    text : str
        What stands behind a number.
    single : bool
        Whether there is one of it at most, so that it need not be in the plural.

    Examples
    --------
    >>> [noun_of(text, single=False) for text in ("field goals", "people", "squared")]
    ['field goal', 'person', None]
    >>> noun_of("apple", single=True), noun_of("or two", single=True)
    ('apple', None)
    """
    words = text.casefold().split()
    letters = all(map(str.isalpha, words))
    if not 0 < len(words) < 3 or not letters or not _NO_NOUNS.isdisjoint(words):
        return None
    *front, last = words
    one = _singular(last)
    if len(last) < 3 or (one is None and not single):
        return None
    return " ".join([*front, one or last])


def _singular(word: str) -> str | None:
    """The singular of a plural; None if a word is none."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return None
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[: -2 if word.endswith(("ches", "shes", "xes", "sses")) else -1]


_IRREGULAR: Final = {
    **{"people": "person", "children": "child", "men": "man", "women": "woman"},
    **{"mice": "mouse", "geese": "goose", "teeth": "tooth", "lives": "life"},
    **{"wolves": "wolf", "loaves": "loaf", "shelves": "shelf", "knives": "knife"},
    **{name: name for name in ("sheep", "fish", "deer", "aircraft", "series")},
    **{name: name for name in ("species", "staff", "cattle", "police", "dice")},
}
_CHANGES: Final = (
    "or and nor not no is are was were be been being to but if than then that this "
    "minus plus times more less fewer between over under above below by of in on "
    "at from with without per x pi squared cubed factorial sqrt root roots square "
    "squares cube cubes log ln mod power powers halved doubled tripled can cannot "
    "could may might must shall should will would do does did has have had says "
    "said vs versus sometimes always perhaps maybe never ever equals ones tens "
    "hundredfold fold multiples its his hers theirs ours yours as us yes else "
    "besides towards whereas unless afterwards knows one"
)
"""Words behind a number that change it, or begin something else."""

_NO_NOUNS: Final = OF_NUMBERS | frozenset(_CHANGES.split())


# -- one unit and another ------------------------------------------------------------


def factors(response: str, reference: str) -> tuple[Fraction, ...]:
    """By what a response is multiplied to be in the unit of the reference.

    None at all if the units differ in kind. A unit that only one side names is not
    asked for; but per cent may be a hundredth, too. What may be a size or a unit, such
    as K, is a unit if the other side is in it.

    Examples
    --------
    >>> [[str(it) for it in factors(*pair)] for pair in (("km", "m"), ("", "kg"))]
    [['1000'], ['1']]
    >>> [[str(it) for it in factors(*pair)] for pair in (("%", ""), ("usd", "eur"))]
    [['1', '1/100'], []]
    >>> [[str(it) for it in factors("K", other)] for other in ("", "mK")]
    [['1000'], ['1000']]
    """
    if response == reference:
        return (Fraction(1),)
    if (response, reference) == (PERCENT, ""):
        return Fraction(1), Fraction(1, 100)
    if (response, reference) == ("", PERCENT):
        return Fraction(1), Fraction(100)
    pairs = list(product(_readings(response), _readings(reference)))
    same = [pair for pair in pairs if pair[0].measures == pair[1].measures]
    named = [pair for pair in same if pair[0].measures]
    half = [pair for pair in pairs if not (pair[0].measures and pair[1].measures)]
    return tuple(dict.fromkeys(_factor(*pair) for pair in named or same or half))


def _factor(one: Reading, other: Reading) -> Fraction:
    """What is named by one side alone is as many as the other says."""
    if one.measures == other.measures:
        return one.size / other.size
    return (Fraction(1) if one.measures else one.size) / (
        Fraction(1) if other.measures else other.size
    )


@lru_cache(maxsize=1024)
def _readings(unit: str) -> tuple[Reading, ...]:
    """What a unit in its one spelling may mean; a noun is of its own."""
    known = _table().readings
    if not unit:
        return (Reading(Fraction(1), ()),)
    if unit in known:
        return known[unit]
    pieces = [
        _piece(piece, -1 if at else 1) for at, piece in enumerate(unit.split("/"))
    ]
    size = Fraction(1)
    measures: list[tuple[str, int]] = []
    for piece in pieces:
        size *= piece.size
        measures += piece.measures
    return (Reading(size, _joined(measures)),)


def _piece(text: str, sign: int) -> Reading:
    base, _, power = text.partition("^")
    exponent = sign * int(power or 1)
    noun = Reading(Fraction(1), ((base, 1),))
    size, measures = _table().readings.get(base, (noun,))[0]
    return Reading(size**exponent, tuple((base, n * exponent) for base, n in measures))
