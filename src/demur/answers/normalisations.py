"""Named normalisations of texts, for whatever comparator compares texts."""

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from unicodedata import category, normalize

from demur.checks import choice
from demur.spellings import plain_quotes, undotted

_ACCENTS = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_NO_PUNCTUATION: Final = dict.fromkeys(map(ord, string.punctuation))


def without_invisible(value: str) -> str:
    r"""A text without marks that nobody sees: direction marks, zero-width spaces.

    Joiners stay, because they change how words and emoji look.

    Examples
    --------
    >>> without_invisible("\u200fab\ufeff\u00adc")
    'abc'
    """
    return value if value.isascii() else _INVISIBLE.sub("", value)


def _nfkc(value: str) -> str:
    return value if value.isascii() else normalize("NFKC", value)


def _casefold(value: str) -> str:
    if value.isascii():
        return value.lower()
    # Canonical caseless matching of the Unicode Standard (definition D145).
    return undotted(normalize("NFC", normalize("NFD", value).casefold()))


def _accents(value: str) -> str:
    if value.isascii():
        return value
    return normalize("NFC", _ACCENTS.sub("", normalize("NFD", value)))


def _punctuation(value: str) -> str:
    value = value.translate(_NO_PUNCTUATION)
    if value.isascii():
        return value
    return "".join(letter for letter in value if category(letter)[0] != "P")


def _articles(value: str) -> str:
    return _ARTICLES.sub(" ", value)


def _whitespace(value: str) -> str:
    return " ".join(without_invisible(value).split())


STEPS: Final[dict[str, Callable[[str], str]]] = {
    "quotes": plain_quotes,  # first: nfkc would part an acute accent in two
    "nfkc": _nfkc,
    "casefold": _casefold,
    "accents": _accents,
    "punctuation": _punctuation,
    "articles": _articles,
    "whitespace": _whitespace,
}
"""The normalisations, in the order in which they are applied.

What each does is said in `demur.answers.text`.
"""

BUNDLES: Final[dict[str, tuple[str, ...]]] = {
    "default": ("quotes", "nfkc", "casefold", "whitespace"),
    "squad": ("quotes", "casefold", "punctuation", "articles", "whitespace"),
    "exact": (),
}
"""Names for sets of normalisations."""


@dataclass(frozen=True, slots=True, repr=False)
class Normalisation:
    """Some of the normalisations, as a function of a text.

    ``str`` gives its name, which `normalisation` reads.

    Parameters
    ----------
    steps : tuple of str
        Names in `STEPS`, in its order.

    Examples
    --------
    >>> squad = Normalisation(BUNDLES["squad"])
    >>> squad("The cat's here!"), str(squad), str(Normalisation())
    ('cats here', 'squad', 'default')
    """

    steps: tuple[str, ...] = BUNDLES["default"]

    def __call__(self, value: str) -> str:
        """The text after all steps."""
        for name in self.steps:
            value = STEPS[name](value)
        return value

    def __str__(self) -> str:
        names = [name for name, steps in BUNDLES.items() if steps == self.steps]
        return names[0] if names else "+".join(self.steps)

    __repr__ = __str__


def normalisation(where: str, names: str) -> Normalisation:
    """The normalisation that an option ``normalise`` of a comparator names.

    Parameters
    ----------
    where : str
        The comparator, for messages.
    names : str
        Names of normalisations or bundles, joined by ``+``, in any order.

    Raises
    ------
    InputError
        If a name is unknown.

    Examples
    --------
    >>> normalisation("set-f1", "whitespace + casefold")
    casefold+whitespace
    """
    parts = [part.strip() for part in str(names).split("+")]
    known = [*STEPS, *BUNDLES]
    if len(parts) > 1:
        known.remove("exact")
    wanted: set[str] = set()
    for part in parts:
        choice(where, "normalise", part, known)
        wanted.update(BUNDLES.get(part, (part,)))
    return Normalisation(tuple(name for name in STEPS if name in wanted))
