"""Texts that decline to answer, in eighteen languages."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final
from unicodedata import normalize

from demur.errors import shown
from demur.outcomes.phrases import Phrases, phrases_of

REFUSALS: Final = "refusals"
"""The name by which `judge` is asked to look for them."""

_LONGEST: Final = 400
_QUOTES: Final = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4`\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d"), '"'),
    **dict.fromkeys(map(ord, "\u0142\u0141"), "l"),
    **dict.fromkeys(map(ord, "\u0131\u0130"), "i"),
    0xDF: "ss",
    # Letters of Arabic and marks of Devanagari that writers leave out.
    **dict.fromkeys(map(ord, "\u0623\u0625\u0622"), "\u0627"),
    **dict.fromkeys((0x0640, 0x093C, *range(0x064B, 0x0653)), None),
}
_MARKS: Final = re.compile("[\u0300-\u036f]")
_END: Final = (
    r"(?=\s*(?:[.!?;:,\u2026\u3002\uff01\uff1f\u061f\u060c\u0964\u3001]"
    r"|\s[-\u2013\u2014]|$))"
)
_BETWEEN: Final = r"[\s.,:;!?\u2026\u2013\u2014\u3002\u3001\u060c\u0964-]*"


_STUTTER: Final = re.compile(r"(\w.{1,39}?)\1{4,}")
"""One piece five times in a row: phrases may take very long over it, and nobody who
declines says so."""


NOTED: Final = frozenset({"hi", "ja", "uk"})
"""Languages whose patterns are not sure enough to change a verdict."""


def folded(text: str) -> str:
    r"""A text without capitals, accents and differences between quotation marks.

    Examples
    --------
    >>> folded("Je suis d\u00e9sol\u00e9, je n\u2019ai rien")
    "je suis desole, je n'ai rien"
    """
    if not text.isascii():
        text = normalize("NFKC", text).translate(_QUOTES)
        text = normalize("NFC", _MARKS.sub("", normalize("NFD", text)))
        text = text.translate(_QUOTES)
    return text.lower()


class _Matcher:
    """The phrases of a language, compiled."""

    def __init__(self, phrases: Phrases) -> None:
        def one_of(text: str) -> str:
            # Blanks at the end of a line part alternatives, and stand for nothing.
            lines = (folded(line.strip()) for line in text.strip().split("\n"))
            joined = "|".join(line for line in lines if line)
            return f"(?:{joined})".replace("<end>", _END)

        edge = r"(?!\w)" if phrases.words else ""
        before = rf"(?:{one_of(phrases.before)}{edge}{_BETWEEN}){{0,4}}"
        closed, open_ = one_of(phrases.closed), one_of(phrases.open)
        bare = one_of(phrases.bare)
        self.refuses = re.compile(
            rf"{before}(?:(?P<open>{open_}){edge}|(?P<closed>{closed}){_END})"
        )
        self.bare = re.compile(rf"{before}{bare}{_BETWEEN}")
        self.guess = re.compile(one_of(phrases.guess))
        self.but = re.compile(one_of(f"{phrases.guess}\n{phrases.but}"))

    def declines(self, text: str, *, bare: bool) -> bool:
        match = self.refuses.match(text)
        if match is not None:
            goes_on = self.guess if match["open"] else self.but
            return goes_on.search(text, match.end()) is None
        return bare and self.bare.fullmatch(text) is not None


@cache
def _matcher(language: str) -> _Matcher:
    return _Matcher(phrases_of(language))


_SCRIPTS: Final = (
    (re.compile("[\u0400-\u04ff]"), ("ru", "uk")),
    (re.compile("[\u0600-\u06ff]"), ("ar",)),
    (re.compile("[\u0900-\u097f]"), ("hi",)),
    (re.compile("[\u3040-\u30ff]"), ("ja",)),
    (re.compile("[\uac00-\ud7af]"), ("ko",)),
    (re.compile("[\u4e00-\u9fff]"), ("zh", "ja")),
)
_LATIN: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "tr")


def _languages(text: str) -> Iterator[str]:
    """Languages of the scripts that a text has, Latin ones last."""
    if not text.isascii():
        for script, languages in _SCRIPTS:
            if script.search(text):
                yield from languages
    yield from _LATIN


@lru_cache(maxsize=4096)
def refusal_language(text: str, *, bare: bool = True) -> str | None:
    """The language in which a text declines to answer; None if it does not.

    Parameters
    ----------
    text : str
        What was said.
    bare : bool
        Whether words count that may be labels, too, such as "unknown".

    Examples
    --------
    >>> [refusal_language(text) for text in ("Das weiss ich leider nicht.", "Oslo")]
    ['de', None]
    >>> refusal_language("N/A"), refusal_language("N/A", bare=False)
    ('en', None)
    """
    if len(text) > _LONGEST:
        return None
    plain = " ".join(folded(text).split())
    if _STUTTER.search(plain):
        return None
    if plain[:1] == '"' and plain.rstrip(".!")[-1:] != '"':
        return None  # somebody is quoted
    plain = plain.strip("\"'*_()[]#> ").strip()
    for language in _languages(plain):
        if _matcher(language).declines(plain, bare=bare):
            return language
    return None


def looks_like_refusal(response: Any, *, bare: bool = True) -> bool:
    """Whether a response is empty, or declines to answer in a language we are sure of.

    Examples
    --------
    >>> [looks_like_refusal(text) for text in ["I don't know.", " ", "Oslo", "N/A"]]
    [True, True, False, True]
    """
    if not isinstance(response, str):
        return False
    if not response.strip("\"'`*(). \t\r\n"):
        return bare or not response.strip()
    language = refusal_language(response, bare=bare)
    return language is not None and language not in NOTED


MOST_LOOKED_AT: Final = 20_000
"""Of more different texts only so many are looked at for a note."""


def refusals_named(texts: Counter[str]) -> Counter[str]:
    """Those of some texts that look like refusals in any language, with their counts.

    Examples
    --------
    >>> refusals_named(Counter({"Ich weiss es nicht.": 2, "Oslo": 3, "": 1}))
    Counter({'Ich weiss es nicht.': 2, '': 1})
    """
    looked_at = islice(texts.items(), MOST_LOOKED_AT)
    refusals = {
        text: count
        for text, count in looked_at
        if not text.strip() or refusal_language(text) is not None
    }
    return Counter(dict(sorted(refusals.items(), key=lambda pair: -pair[1])))


def such_as(texts: Counter[str]) -> str:
    """Some texts as a note names them, the most frequent first."""
    listed = ", ".join(map(shown, list(texts)[:9]))
    return listed if len(listed) < 80 else shown(texts.most_common(1)[0][0])


def several(count: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> several(1, "kind"), several(2, "guess")
    ('1 kind', '2 guesses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}" + ("" if count == 1 else plural)
