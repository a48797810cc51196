"""Numbers in English words, such as two hundred and five and a half."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

_TO_NINETEEN: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
)
_BY_TEN: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_FROM_THIRD: Final = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_UNITS: Final = {word: at for at, word in enumerate(_TO_NINETEEN.split())}
_TENS: Final = {word: 10 * at for at, word in enumerate(_BY_TEN.split(), 2)}
_NAMES: Final = {
    **{"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9},
    **{"trillion": 10**12, "dozen": 12, "score": 20, "lakh": 10**5, "crore": 10**7},
}
SCALES: Final = {
    **_NAMES,
    **{f"{name}s": size for name, size in _NAMES.items() if name != "score"},
    **{"mn": 10**6, "mio": 10**6, "bn": 10**9, "tn": 10**12},
}
"""Words behind a number that multiply it."""

_PARTS: Final = {
    **{word: number for number, word in enumerate(_FROM_THIRD.split(), 3)},
    **{f"{word[:-1]}ieth": number for word, number in _TENS.items()},
    **{f"{word}th": size for word, size in _NAMES.items() if size % 100 == 0},
    **{"half": 2, "quarter": 4},
}
_MANY_PARTS: Final = {"halves": 2} | {
    f"{word}s": number for word, number in _PARTS.items() if word != "half"
}
_LONGEST: Final = 14
"""Words of a number that is read."""

OF_NUMBERS: Final = frozenset(
    [*_UNITS, *_TENS, *SCALES, *_PARTS, *_MANY_PARTS, "scores", "point"]
    + [f"{word}s" for word in _UNITS]  # three fives
    + ["sixes", "twenties", "gross", "grand", "mil", "mill", "mills"]
)
"""All words of which numbers are made."""

_WITHIN: Final = OF_NUMBERS | {"a", "an", "and", "of"}


def beginning(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """The number that words begin with, and how many words it takes.

    Parameters
    ----------
    words : sequence of str
        In small letters, parted where there are hyphens.

    Examples
    --------
    >>> number, length = beginning("two and a half million miles".split())
    >>> str(number), length
    ('2500000', 5)
    >>> beginning(["many"]), beginning("one tenth".split())
    (None, (Fraction(1, 10), 2))
    """
    others = (at for at, word in enumerate(words) if word not in _WITHIN)
    end = next(others, len(words))
    for length in range(min(end, _LONGEST), 0, -1):
        number = _of_words(list(words[:length]))
        if number is not None:
            return number, length
    return None


def part(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """The fraction below one that words begin with, and how many words it takes.

    Examples
    --------
    >>> str(part("a half miles".split())[0]), part(["five"])
    ('1/2', None)
    """
    for length in range(min(len(words), 4), 0, -1):
        fraction = _part(list(words[:length]))
        if fraction is not None and fraction < 1:
            return fraction, length
    return None


def _of_words(words: list[str]) -> Fraction | None:
    """The number of words, all of which must belong to it."""
    readings = (_counted, _part, _mixed, _pointed, _scaled)
    numbers = (read(words) for read in readings)
    return next((number for number in numbers if number is not None), None)


def _scaled(words: list[str]) -> Fraction | None:
    """Two and a half million, half a million, a quarter of a million."""
    *front, scale = words
    if scale not in SCALES:
        return None
    number = _mixed(front) or _pointed(front)
    if number is None:
        front = front[:-1] if front[-1:] == ["a"] else front
        number = _part(front[:-1] if front[-1:] == ["of"] else front)
    return None if number is None else number * SCALES[scale]


def _mixed(words: list[str]) -> Fraction | None:
    if "and" not in words:
        return None
    at = len(words) - 1 - words[::-1].index("and")
    whole, fraction = _counted(words[:at]), _part(words[at + 1 :])
    if whole is None or fraction is None or fraction >= 1:
        return None
    return whole + fraction


def _part(words: list[str]) -> Fraction | None:
    """A half, one third, seven eighths."""
    if not words:
        return None
    *front, last = words
    if last in _PARTS:
        bare = not front and last in ("half", "quarter")
        return (
            Fraction(1, _PARTS[last])
            if bare or front in (["a"], ["an"], ["one"])
            else None
        )
    count = _counted(front) if last in _MANY_PARTS else None
    return None if count in (None, 1) else Fraction(count or 0) / _MANY_PARTS[last]


def _pointed(words: list[str]) -> Fraction | None:
    """One point two five."""
    if "point" not in words:
        return None
    at = words.index("point")
    whole = _counted(words[:at]) if at else Fraction(0)
    digits = [_UNITS.get(word, 10) for word in words[at + 1 :]]
    if whole is None or not digits or max(digits) > 9:
        return None
    return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))


def _counted(words: list[str]) -> Fraction | None:
    """A whole number."""
    if words[:1] == ["a"] and words[1:2] and words[1] in _NAMES:
        words = ["one", *words[1:]]
    elif words[:1] and words[0] in _NAMES:
        words = ["one", *words]
    words = [
        word
        for at, word in enumerate(words)
        if word != "and" or words[at - 1] not in SCALES or at == len(words) - 1
    ]
    if not words:
        return None
    total, last = 0, 10**15
    while words:
        size = next((at for at, w in enumerate(words) if _is_large(w)), len(words))
        group = _below_thousand(words[:size])
        scale = SCALES[words[size]] if size < len(words) else 1
        if group is None or scale >= last:
            return None
        total, last, words = total + group * scale, scale, words[size + 1 :]
    return Fraction(total)


def _is_large(word: str) -> bool:
    return word in SCALES and SCALES[word] != 100


def _below_thousand(words: list[str]) -> int | None:
    at = next((at for at, word in enumerate(words) if SCALES.get(word) == 100), None)
    if at is None:
        return _below_hundred(words)
    front = _below_hundred(words[:at])
    back = _below_hundred(words[at + 1 :]) if words[at + 1 :] else 0
    return None if not front or front > 19 or back is None else 100 * front + back


def _below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _UNITS.get(words[0], _TENS.get(words[0]))
    if len(words) == 2 and words[0] in _TENS and 0 < _UNITS.get(words[1], 0) < 10:
        return _TENS[words[0]] + _UNITS[words[1]]
    return None
