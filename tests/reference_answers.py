"""Slow plain twins of comparators: by their words, one possibility after the other."""

import json
import re
import string
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any


def same_json(one: Any, other: Any, texts: Callable[[str], str] = str) -> bool:
    """Whether two values of JSON are the same, types included."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return Fraction(str(one)) == Fraction(str(other))
    if type(one) is not type(other):
        return False
    if isinstance(one, str):
        return texts(one) == texts(other)
    if isinstance(one, list):
        return len(one) == len(other) and all(
            same_json(*pair, texts) for pair in zip(one, other, strict=True)
        )
    if isinstance(one, dict):
        return sorted(one) == sorted(other) and all(
            same_json(one[name], other[name], texts) for name in one
        )
    return one is other


def common(one: list[Any], other: list[Any], same: Callable[[Any, Any], bool]) -> int:
    """How many elements two lists have in common, each used once."""
    left, count = list(other), 0
    for element in one:
        for place, candidate in enumerate(left):
            if same(element, candidate):
                del left[place]
                count += 1
                break
    return count


def token_f1(response: str, reference: str) -> Fraction:
    """F1 of SQuAD's tokens, of texts in ASCII of which something is left."""
    sides = []
    for text in (response, reference):
        kept = "".join(c for c in text.lower() if c not in string.punctuation)
        sides.append([w for w in kept.split() if w not in ("a", "an", "the")])
    said, asked = sides
    both = common(said, asked, lambda a, b: a == b)
    return Fraction(2 * both, len(said) + len(asked))


def bfcl_same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int):
        return False  # a real where an integer is accepted

    def plain(text: str) -> str:
        return re.sub(r"[ ,./\-_*^]", "", text).lower().replace("'", '"')

    return same_json(one, other, plain)


def call_fits(said: dict[str, Any], asked: dict[str, dict[str, list[Any]]]) -> bool:
    """Whether a call with name and arguments is one of a possible answer of BFCL."""
    ((name, accepted),) = asked.items()
    if said["name"] != name or any(arg not in accepted for arg in said["arguments"]):
        return False
    for arg, values in accepted.items():
        if arg not in said["arguments"]:
            if "" not in values:
                return False
        elif not any(bfcl_same(said["arguments"][arg], value) for value in values):
            return False
    return True


def calls_fit(said: list[Any], asked: list[Any]) -> bool:
    """Whether calls can be paired off with what is asked for, in some order."""
    return len(said) == len(asked) and any(
        all(call_fits(*pair) for pair in zip(order, asked, strict=True))
        for order in permutations(said)
    )


def lettered_texts(letter: str, words: str) -> Iterator[str]:
    """The ways to write a choice that are read without a step."""
    low = letter.lower()
    for sign in (letter, low):
        yield from (
            sign,
            f"({sign})",
            f"[{sign}]",
            f"{sign})",
            f"{sign}.",
            f"**{sign}**",
        )
        yield from (f"({sign}) {words}", f"{sign}) {words}")
    yield from (f"{letter}. {words}", f"{letter}: {words}", f"{letter} - {words}")


UNITS = (
    *[
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
    ],
    *[
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ],
)
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    """A whole number below a million in English."""
    if number < 20:
        return UNITS[number]
    if number < 100:
        tens, units = divmod(number, 10)
        return TENS[tens - 2] + (f"-{UNITS[units]}" if units else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    front, back = divmod(number, size)
    joint = " and " if back < 100 else " "
    return f"{in_words(front)} {name}" + (f"{joint}{in_words(back)}" if back else "")


def written(number: Fraction, comma: bool) -> Iterator[str]:
    """Ways to write a number of at most three decimals."""
    sign = "-" if number < 0 else ""
    thousandths = abs(number) * 1000
    whole, part = divmod(int(thousandths), 1000)
    decimals = f"{part:03}".rstrip("0")
    mark, other = (",", ".") if comma else (".", ",")
    tail = f"{mark}{decimals}" if decimals else ""
    grouped = f"{whole:,}"
    yield f"{sign}{whole}{tail}"
    yield f"{sign}{grouped.replace(',', other)}{tail}"
    for blank in (" ", "\u00a0", "\u202f", "'"):
        yield f"{sign}{grouped.replace(',', blank)}{tail}"
    yield f"about {sign}{whole}{tail} apples"
    yield f"{sign}${whole}{tail}"
    yield f"\u2212{whole}{tail}" if sign else f"+{whole}{tail}"
    yield f"${sign}{whole}{tail.replace(',', '{,}')}$"
    yield f"{sign}{abs(number).numerator}/{abs(number).denominator}"
    yield rf"{sign}\frac{{{abs(number).numerator}}}{{{abs(number).denominator}}}"
    if not part and whole < 10**6:
        yield ("minus " if sign else "") + in_words(whole)


def last_box(text: str) -> str | None:
    """What the last box holds: of all ends the first at which braces are even."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    start += len("\\boxed{")
    for end in range(start, len(text)):
        inner = text[start:end]
        if text[end] == "}" and inner.count("{") == inner.count("}"):
            return inner.strip()
    return None


def parsed_table(text: str) -> list[list[Any]]:
    """The body of a table whose cells hold no bars."""
    rows = [line.strip("|").split("|") for line in text.split("\n")[2:]]
    return [[cell_value(cell.strip()) for cell in row] for row in rows]


def cell_value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


QUANTITIES = {
    **{"": ("", "1"), "apples": ("apples", "1"), "pears": ("pears", "1")},
    **{"m": ("length", "1"), "km": ("length", "1000"), "mm": ("length", "0.001")},
    **{"nm": ("length", "1e-9"), "\u00b5m": ("length", "1e-6")},
    **{"Mm": ("length", "1e6"), "feet": ("length", "0.3048")},
    **{"miles": ("length", "1609.344"), "W": ("power", "1"), "mW": ("power", "0.001")},
    **{"MW": ("power", "1e6"), "MB": ("data", "8e6"), "Mb": ("data", "1e6")},
    **{"minutes": ("time", "60"), "hours": ("time", "3600"), "ms": ("time", "0.001")},
    **{
        "km/h": ("speed", "5/18"),
        "m/s": ("speed", "1"),
        "m per hour": ("speed", "1/3600"),
    },
    **{
        "litres": ("volume", "0.001"),
        "m\u00b3": ("volume", "1"),
        "cm^3": ("volume", "1e-6"),
    },
    **{"dollars": ("usd", "1"), "cents": ("usd", "0.01"), "euros": ("eur", "1")},
}
"""Units by what they measure, and how much of it."""

SIZED = {"thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillions": 12}


def same_quantity(one: tuple[Fraction, str], other: tuple[Fraction, str]) -> bool:
    """Whether two numbers with units are as much; without one they are as many."""
    (number, unit), (asked, wanted) = one, other
    measure, size = QUANTITIES[unit]
    kind, asked_size = QUANTITIES[wanted]
    if not (measure and kind):
        return number == asked
    if measure != kind:
        return False
    return number * Fraction(size) == asked * Fraction(asked_size)
