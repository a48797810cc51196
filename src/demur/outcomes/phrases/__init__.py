"""How systems decline, by language; the phrases of a language load when asked for."""

from importlib import import_module
from typing import Final, NamedTuple


class Phrases(NamedTuple):
    """How one language declines.

    Parameters
    ----------
    before : str
        What may stand before the refusal itself: apologies, "as a language model".
    closed : str
        Refusals that end with their clause: what follows may name another object, as in
        "I don't know my PIN".
    open : str
        Refusals however they go on.
    bare : str
        Words that decline if they are all that is said, but may be labels or titles.
    guess : str
        Words by which a guess goes on after all: such a text answers.
    but : str
        The same after a closed refusal, where "but" is enough.
    words : bool
        Whether the language has spaces between words.
    needs : str
        Words of which one stands in whatever declines. They are looked for first, to
        save time; if there are none, nothing is skipped.
    """

    before: str
    closed: str
    open: str
    bare: str
    guess: str
    but: str
    words: bool = True
    needs: str = ""


MODULES: Final = {
    **dict.fromkeys(("zh", "ja", "ko"), "east_asian"),
    "en": "english",
    **dict.fromkeys(("de", "nl", "sv"), "germanic"),
    **dict.fromkeys(("da", "no"), "danish_norwegian"),
    **dict.fromkeys(("fr", "es", "it", "pt"), "romance"),
    **dict.fromkeys(("pl", "cs", "ru", "uk"), "slavic"),
    **dict.fromkeys(("tr", "ar", "hi"), "turkish_arabic_hindi"),
    "th": "thai",
}
"""The module of each language, by its code of ISO 639-1."""


def phrases_of(language: str) -> Phrases:
    """How a language declines.

    Examples
    --------
    >>> phrases_of("en").words, phrases_of("zh").words
    (True, False)
    """
    module = import_module(f"demur.outcomes.phrases.{MODULES[language]}")
    phrases: Phrases = module.PHRASES[language]
    return phrases
