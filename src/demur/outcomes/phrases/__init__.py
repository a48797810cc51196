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
    answers : str
        How a text that begins like a refusal answers after all (`answering`).
    """

    before: str
    closed: str
    open: str
    bare: str
    guess: str
    but: str
    words: bool = True
    answers: str = ""


def answering(announced: str, no: str, exact: str, but: str, *others: str) -> str:
    r"""How a text that begins like a refusal answers after all.

    Parameters
    ----------
    announced, no : str
        What announces an answer ("however, the answer is Oslo"), and what denies it.
    exact, but : str
        What alone is lacking, and how it goes on ("the text does not say it directly,
        but").
    others : str
        Nothing is needed ("no information is needed"); there is no answer beside one
        ("no answer other than", "no earlier case"); it only says how much ("I cannot
        say it often enough"); what is denied is denied ("I cannot help but").

    Examples
    --------
    >>> print(answering("answer is", "not", "exactly", "but"))
    (?:answer is) (?![^.!?;]*\b(?:not)\b)
    \b(?:exactly)\b[^.!?]*?(?:;|\b(?:but)\b)
    """
    kinds = (
        rf"(?:{announced}) (?![^.!?;]*\b(?:{no})\b)",
        rf"\b(?:{exact})\b[^.!?]*?(?:;|\b(?:{but})\b)",
        *others,
    )
    return "\n".join(kinds)


def answering_unspaced(
    announced: str, no: str, exact: str, but: str, *others: str
) -> str:
    """The same in a language that joins its words, or that we do not part."""
    kinds = (
        rf"(?:{announced})(?![^.!?;。।]{{0,60}}(?:{no}))(?=.)",
        rf"(?:{exact})[^.!?。।]*?(?:;|{but})",
        *others,
    )
    return "\n".join(kinds)


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


NEEDED: Final = dict.fromkeys(
    ("da", "no"),
    """
ikke ikkje ingen ingenting intet nej nei ukendt ukjent uoplyst uoppgitt usikker
mangler umulig umuligt utilstrækkelig utilstrækkelige utilstrækkeligt utilstrekkelig
utilstrekkelige utilstrekkelig lidt lite pas pass passe nægter nekter nægte nekte
afviser avviser afvise avvise afslår avslår afslå avslå afstår avstår afstå avstå
takke uden udenfor utenfor utover vide vite svært vanskelig være omformulere gentage
gjenta uddybe utdype præcisere presisere forklare
""",
)
"""Words of which one stands in whatever declines in a language; without any of them
its phrases need not be looked at, or loaded."""


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
