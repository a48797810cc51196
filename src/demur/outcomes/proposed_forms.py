"""What a column of a file may mean whose values are written otherwise, ready to type.

Asked only where a value was refused. ``{}`` stands for the column.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from demur.errors import InputError, Proposed
from demur.outcomes.fields import NUMERIC, type_of
from demur.outcomes.values import NO_ZERO_HINT, NULL_HINT, UNKNOWN, as_text, plain_float

_OPPOSITES: Final = (
    *("true false", "yes no", "y n", "t f", "1 0", "on off", "ok error", "ok ko"),
    *("right wrong", "correct incorrect", "pass fail", "passed failed", "good bad"),
    *("success failure", "c i", "\u2713 \u2717", "\u2713 \u2718", "\u2714 \u2718"),
    *("\u2714 \u2716", "\u2705 \u274c", "accept reject", "match mismatch"),
    *("ja nein", "wahr falsch", "richtig falsch", "korrekt inkorrekt", "j n"),
    *(
        "oui non",
        "vrai faux",
        "juste faux",
        "o n",
        "s\u00ed no",
        "si no",
        "sim n\u00e3o",
    ),
    *("verdadero falso", "vero falso", "s\u00ec no", "correcto incorrecto"),
    *("da nie", "tak nie", "\u0434\u0430 \u043d\u0435\u0442", "\u662f \u5426"),
    *(
        "\u5bf9 \u9519",
        "\u306f\u3044 \u3044\u3044\u3048",
        "\u6b63 \u8aa4",
        "\u25cb \u00d7",
    ),
    *(
        "accepted rejected",
        "valid invalid",
        "supported contradicted",
        "\U0001f44d \U0001f44e",
    ),
)
_PAIRS: Final = tuple(pair.split() for pair in _OPPOSITES)
_RIGHT: Final = {word for word, _ in _PAIRS}
_WRONG: Final = {word for _, word in _PAIRS} - _RIGHT
_NONE: Final = frozenset(
    [
        *("n", "unanswered", "skip", "skipped", "none", "null", "n/a", "na", "-"),
        *("idk", "declined", "refused", "refusal", "abstain", "abstained"),
        *("not_attempted", "timeout", "unknown", "empty", "n.a.", "no answer"),
        *("not answered", "keine antwort", "nicht beantwortet", "unbeantwortet"),
    ]
)
"""Grades that mean no answer; an ``n`` is one beside ``c`` and ``i``."""
_LEVELS: Final = (
    *("very low", "low", "medium", "high", "very high"),
    *("niedrig", "mittel", "hoch", "gering", "unlikely", "likely", "certain"),
)
_RANKS: Final = {
    **dict(zip(_LEVELS, (1, 2, 3, 4, 5, 2, 3, 4, 2, 2, 4, 5), strict=True)),
    **{"moderate": 3, "mid": 3, "sehr niedrig": 1, "sehr hoch": 5, "certainly": 5},
    **{"unsure": 2, "unsicher": 2, "sure": 4, "sicher": 4, "very sure": 5},
}
_MOST: Final = 12
"""Of more different words none is proposed."""
_LEAST_PER_CENT: Final = 10
_TYPED: Final = re.compile(r"[^,()=<>!'\"\\]+")
"""What can stand in a case as it is."""
_PER_CENT: Final = re.compile(r"\s*[-+]?\d+(?:[.,]\d+)?\s*%\s*")
_COMMA: Final = re.compile(r"\s*[-+]?\d*(?:,\d+)?\s*")
_NUMBER: Final = re.compile(r"\s*[-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?\s*%?\s*")
_GROUPED: Final = re.compile(
    r"\s*([-+]?\d{1,3}([,.' \u00a0\u202f\u2019])\d{3}(?:\2\d{3})*)([.,]\d+)?\s*"
)

_Ways = tuple[tuple[str, str], ...]
"""Forms, each with how it would be read."""


def with_forms(error: InputError, values: Iterable[Any]) -> InputError:
    """The error for a value, with the forms in which its column can be read.

    Parameters
    ----------
    error : InputError
        Whose ``what`` is the field.
    values : iterable
        What the column holds, as far as that is known.
    """
    if error.hint != NO_ZERO_HINT:  # a weight of 0 is read, and refused
        error.proposed = proposed_forms(error.what, values)
    return error


def proposed_forms(name: str, values: Iterable[Any]) -> Proposed:
    """The forms in which a column can be read, each with what it would be then.

    Examples
    --------
    >>> proposed_forms("correct", ["PASS", "FAIL", "PASS"])
    (('correct', 'cases({}, PASS=right, FAIL=wrong)', ''),)
    >>> [way[1:] for way in proposed_forms("confidence", ["1,234"])]
    [('number({})', '1.234'), ('thousands({})', '1234')]
    >>> proposed_forms("declined", ["ja"]), proposed_forms("confidence", ["53%", 0.5])
    ((('declined', 'cases({}, ja=true, nein=false)', ''),),
     (('confidence', 'number({})', ''),))
    """
    held = list(values)
    if name == "outcome":
        return _of_outcomes(held)
    return tuple((name, *way) for way in _ways(name, _distinct(held)))


def _of_outcomes(values: Sequence[Any]) -> Proposed:
    """Words of verdicts in a column outcome; what no verdict means its user knows."""
    ways = _ways("correct", _distinct(values))
    if len(ways) != 1 or not ways[0][0].startswith("cases"):
        return ()
    form = ways[0][0]
    if any(value is None or value == "" for value in values):
        form = f"{form[:-1]}, ={UNKNOWN})"
    return (("outcome", form, ""),)


def in_python(error: InputError) -> InputError:
    """The error for a value that is no cell of a file: its words are to be mapped.

    Examples
    --------
    >>> error = InputError("row 1", "correct", "be true or false", "'ja'", NULL_HINT)
    >>> print(in_python(with_forms(error, ["ja", "nein"])))
    row 1: correct must be true or false; got 'ja'.
    Map its words first, such as {'ja': True, 'nein': False}.
    """
    words = [form.split(", ")[1:] for _, form, _ in error.proposed if ", " in form]
    if error.hint != NULL_HINT or not words:
        return error
    mapped = {}
    for case in words[0]:
        word, _, meaning = case.removesuffix(")").rpartition("=")
        mapped[word] = _VALUES.get(meaning, plain_float(meaning))
    return error.with_hint(f"Map its words first, such as {mapped}.")


_VALUES: Final = {
    **{"right": True, "wrong": False, "true": True, "false": False},
    "unanswered": None,
}


def _ways(name: str, distinct: Sequence[str]) -> _Ways:
    kind = type_of(name)
    if kind not in (*NUMERIC, "flag"):
        return ()
    if kind in NUMERIC and distinct and all(map(_is_number, distinct)):
        return _graded(distinct) if kind == "correct" else _numbers(distinct)
    nothing = [text for text in distinct if text.casefold() in _NO_NUMBER]
    numbers = [text for text in distinct if text not in nothing]
    if (
        kind in NUMERIC
        and kind != "correct"
        and numbers
        and all(map(_is_number, numbers))
    ):
        return tuple(
            (way.format(_without(nothing)), reading)
            for way, reading in _numbers(numbers)
        )
    if len(distinct) > _MOST or not all(map(_TYPED.fullmatch, distinct)):
        return ()
    meanings = sorted(_meanings(name, kind, distinct).items(), key=_place_of_case)
    cases = ", ".join(f"{word}={meaning}" for word, meaning in meanings)
    return ((f"cases({{}}, {cases})", ""),) if cases else ()


_NO_NUMBER: Final = frozenset(
    ["-", "--", "\u2013", "n/a", "na", "n.a.", "nan", "none", "null", "k.a.", "?"]
)
"""What stands in a column of numbers where there is none."""


def _without(words: Sequence[str]) -> str:
    """The column, empty where one of the words stands."""
    form = "{}"
    for word in words:
        form = f"empty({form}, {word})"
    return form


def _place_of_case(case: tuple[str, str]) -> tuple[int, float, str]:
    """Where a case is listed: by its meaning, as engines give words in any order."""
    word, meaning = case
    known = meaning if meaning in _LISTED else "a number"
    return _LISTED.index(known), -(plain_float(meaning) or 0.0), word


_LISTED: Final = ("right", "true", "a number", "wrong", "false", "unanswered", UNKNOWN)


def _distinct(values: Iterable[Any]) -> list[str]:
    texts = (as_text(v) for v in values if v == v and not isinstance(v, (list, dict)))
    return list(dict.fromkeys(text.strip() for text in texts if text and text.strip()))


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or _GROUPED.fullmatch(text))


def _numbers(texts: Sequence[str]) -> _Ways:
    if all(map(_PER_CENT.fullmatch, texts)):
        return (("percent({})", ""),)
    first = next((text for text in texts if _GROUPED.fullmatch(text)), None)
    if first is None:
        return (("number({})", ""),)
    if not all(map(_NUMBER.fullmatch, texts)):
        return (("thousands({})", ""),)
    pointed = next((text for text in texts if "," in text), first).replace(",", ".")
    grouped = re.sub(r"[,.]", "", pointed)
    return ("number({})", pointed), ("thousands({})", grouped)


def _graded(texts: Sequence[str]) -> _Ways:
    """Of numbers that say what is right: they may be grades, or out of 100."""
    numbers = [plain_float(text) for text in texts]
    largest = max((number for number in numbers if number is not None), default=0.0)
    if None in numbers or largest <= 1:
        return _numbers(texts)
    grades = (("{} >= LIMIT", "grades that are right from LIMIT on"),)
    if not _LEAST_PER_CENT < largest <= 100:
        return grades
    return ("percent({})", "credits out of 100"), *grades


def _meanings(name: str, kind: str, words: Sequence[str]) -> dict[str, str]:
    """What each word means; nothing if no word is known."""
    if kind == "correct":
        meanings = _grades(words)
    elif kind == "flag":
        meanings = _flags(words)
    elif name == "confidence" and not any(map(_is_number, words)):
        ranks = ((word, _RANKS.get(word.casefold())) for word in words)
        meanings = {word: str(rank or UNKNOWN) for word, rank in ranks}
    else:
        return {}
    known = any(meaning != UNKNOWN for meaning in meanings.values())
    return meanings if known or kind == "correct" else {}


def _grades(words: Sequence[str]) -> dict[str, str]:
    meanings = {}
    graded = "c" in {word.casefold() for word in words}
    for word in (*words, *_opposite(words)):
        plain = word.casefold()
        if plain in _NONE and (plain != "n" or graded):
            meanings[word] = "unanswered"
        elif plain == "p" and graded:
            meanings[word] = "0.5"
        elif word in ("0.0", "1.0"):
            meanings[word] = "right" if word == "1.0" else "wrong"
        else:
            meanings[word] = _side(plain, "right", "wrong", words)
    return meanings


def _flags(words: Sequence[str]) -> dict[str, str]:
    both = (*words, *_opposite(words))
    return {word: _side(word.casefold(), "true", "false", words) for word in both}


def _side(plain: str, yes: str, no: str, words: Sequence[str]) -> str:
    """Which of two a word means; of some that is told by those beside it."""
    beside = {word.casefold() for word in words}
    for first, second in _PAIRS:
        if {first, second} <= beside and plain in (first, second):
            return yes if plain == first else no
    if plain in _RIGHT:
        return yes
    return no if plain in _WRONG else UNKNOWN


def _opposite(words: Sequence[str]) -> Iterator[str]:
    """The opposite of a word that stands alone, written as it is."""
    if len(words) != 1:
        return
    word = words[0]
    for pair in _PAIRS:
        if word.casefold() in pair:
            other = pair[1 - pair.index(word.casefold())]
            if word.isupper():
                yield other.upper()
            else:
                yield other.capitalize() if word[:1].isupper() else other
            return
