"""Texts as phones, looked up in a pronouncing dictionary; the sound is not used."""

import gzip
import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import combining, normalize

from demur import checks
from demur.errors import InputError, shown
from demur.reference_systems.tokenizers import groups, words

Pronunciations = Mapping[str, Sequence[str]]


class PhoneTokenizer:
    """Cuts a text into groups of neighbouring phones, with or without its words.

    Phones run across the gaps between words, so that "are you married" and "are you
    mary" share most of them. Words that the dictionary lacks are spelled as in English:
    other letters than a to z stand for themselves, with a warning.

    Parameters
    ----------
    pronunciations : path or mapping
        A dictionary in the format of CMUdict, plain or gzipped, of which the first
        pronunciation of each word is used; or a mapping of words to phones. demur does
        not bring one along; `spell_out` says how other words are pronounced.
    sizes : sequence of int
        Of the groups.
    with_words : bool
        Whether the words themselves are tokens too (the mixture).

    Raises
    ------
    InputError
        If the dictionary cannot be read, or a size is below 1.

    References
    ----------
    Wang, Artstein, Leuski and Traum (2011), "Improving spoken dialogue understanding
    using phonetic mixture models", FLAIRS-24, for phones, their groups and the mixture
    with words. That stress is left out, which sizes, and what is done for unknown words
    are ours.

    Examples
    --------
    >>> import demur
    >>> known = {"are": ["AA", "R"], "you": ["Y", "UW"]}
    >>> demur.PhoneTokenizer(known, sizes=(3,), with_words=True)("Are you?")
    ['are', 'you', 'phones AA R Y', 'phones R Y UW']
    """

    def __init__(
        self,
        pronunciations: str | os.PathLike[str] | Pronunciations,
        *,
        sizes: Sequence[int] = (2, 3),
        with_words: bool = False,
    ) -> None:
        for size in sizes:
            checks.whole("PhoneTokenizer", "a size", size, 1)
        if isinstance(pronunciations, (str, os.PathLike)):
            pronunciations = read_pronunciations(pronunciations)
        self.pronunciations = pronunciations
        self.sizes, self.with_words = tuple(sizes), with_words

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        spoken = words(text)
        tokens = list(spoken) if self.with_words else []
        phones = [phone for word in spoken for phone in self.phones(word)]
        for size in self.sizes:
            tokens += [f"phones {group}" for group in groups(phones, size, " ")]
        return tokens

    def phones(self, word: str) -> Sequence[str]:
        """The phones of one word: looked up, put together from parts, or spelled out.

        Examples
        --------
        >>> import demur
        >>> known = {"snow": ["S", "N", "OW"], "man": ["M", "AE", "N"]}
        >>> tokenizer = demur.PhoneTokenizer(known)
        >>> [" ".join(tokenizer.phones(word)) for word in ("snowman", "snow's", "zib")]
        ['S N OW M AE N', 'S N OW Z', 'Z IH B']
        """
        known = self.pronunciations.get(word)
        if known is not None:
            return known
        stem, apostrophe, _ = word.rpartition("'s")
        if apostrophe and stem in self.pronunciations:
            return [*self.pronunciations[stem], "Z"]
        # From the right, so that the first part is as long as can be.
        for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            first, second = word[:cut], word[cut:]
            if first in self.pronunciations and second in self.pronunciations:
                return [*self.pronunciations[first], *self.pronunciations[second]]
        plain = _unaccented(word)
        return spell_out(word) if plain == word else self.phones(plain)


_SHORTEST_PART: Final = 3  # letters; shorter words hide in almost any other


def read_pronunciations(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """The first pronunciation of each word of a dictionary, without stress.

    Parameters
    ----------
    path : path
        Lines of a word and its phones, such as ``cat K AE1 T``; what follows ``#`` is a
        comment, ``;;;`` begins a comment line, and ``cat(2)`` is a second
        pronunciation, which is left out. It may be gzipped.

    Returns
    -------
    dict of word to list of phones
        Words in lower case.

    Raises
    ------
    InputError
        If a line has a word and no phones, or the file is no text or has no words.
    """
    place = os.fspath(path)
    pronunciations: dict[str, list[str]] = {}
    try:
        text = _unzipped(Path(path).read_bytes()).decode("utf-8-sig")
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as problem:
        need, hint = "be text in UTF-8", "Is it a dictionary in the format of CMUdict?"
        raise InputError(place, "the file", need, str(problem), hint) from None
    for number, line in enumerate(text.split("\n"), 1):
        word, *phones = line.partition("#")[0].split() or [""]
        if not word or word.startswith(";;;"):
            continue
        plain = [_without_stress(phone) for phone in phones]
        if not plain or not all(plain):
            need = "be a word and its phones, such as: cat K AE1 T"
            hint = "Phones are capital letters, with or without a digit for stress."
            raise InputError(f"{place}:{number}", "the line", need, shown(line), hint)
        if "(" not in word:
            pronunciations.setdefault(word.lower(), plain)
    if not pronunciations:
        need, hint = "have words", "Is it a dictionary in the format of CMUdict?"
        raise InputError(place, "the file", need, "none", hint)
    return pronunciations


def _unzipped(content: bytes) -> bytes:
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


@cache  # a dictionary has some seventy phones, a million times
def _without_stress(phone: str) -> str:
    """A phone without its digit; nothing if it is no phone."""
    known = phone.isascii() and phone.isalnum() and phone.isupper()
    return phone.rstrip("012") if known else ""


# -- letters to phones ---------------------------------------------------------------

_SPELLINGS: Final = """
tion SH AH N|sion ZH AH N|ture CH ER|ough AO|augh AO|eigh EY|igh AY|tch CH|dge JH
cious SH AH S|tious SH AH S|que K|sch SH|air EH R|ear IH R|eer IH R|our AW R|oor AO R
ch CH|sh SH|th TH|ph F|wh W|ck K|ng NG|qu K W|gh G|gn N|kn N|wr R|mb M|sc S K
ee IY|ea IY|oo UW|ou AW|ow OW|ai EY|ay EY|ei IY|ey IY|oi OY|oy OY|au AO|aw AO
ew UW|ie IY|oa OW|ue UW|ui UW|ar AA R|er ER|ir ER|or AO R|ur ER|ll L|ss S|tt T|nn N
pp P|rr R|mm M|dd D|bb B|gg G|ff F|zz Z|cc K
a AE|b B|c K|d D|e EH|f F|g G|h HH|i IH|j JH|k K|l L|m M|n N|o AA|p P|q K|r R|s S|t T
u AH|v V|w W|x K S|y IY|z Z
0 Z IH R OW|1 W AH N|2 T UW|3 TH R IY|4 F AO R|5 F AY V|6 S IH K S|7 S EH V AH N
8 EY T|9 N AY N
"""

_NOT_ENGLISH: Final = (
    "words are spelled out as in English: other letters than a to z stand for "
    "themselves; give the phones of such words in the dictionary"
)
_SOFT: Final = {"c": ["S"], "g": ["JH"]}
_LONG: Final = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW", "y": "AY"}
_VOWELS: Final = frozenset("aeiouy")


@cache
def _spellings() -> dict[str, list[str]]:
    entries = _SPELLINGS.replace("\n", "|").strip("|").split("|")
    pairs = (entry.split(maxsplit=1) for entry in entries if entry)
    return {spelling: phones.split() for spelling, phones in pairs}


def spell_out(word: str) -> list[str]:
    """A guess at the phones of a word that no dictionary has, from its letters.

    The longest known spelling is taken from the left. A vowel before one consonant and
    a last e is long, that e is silent, and c and g are soft before e, i and y. Accents
    are left out; a letter beyond a to z stands for itself, with a warning.

    Examples
    --------
    >>> spell_out("zune"), spell_out("wemo"), spell_out("b2")
    (['Z', 'UW', 'N'], ['W', 'EH', 'M', 'AA'], ['B', 'T', 'UW'])
    """
    known, phones, at = _spellings(), [], 0
    text = _unaccented(word.lower().replace("'", "").replace("\u2044", ""))
    if not text.isascii():
        warnings.warn(_NOT_ENGLISH, stacklevel=2)
    while at < len(text):
        if _is_long(text, at):
            phones.append(_LONG[text[at]])
            at += 1
            continue
        if text[at] == "e" and at == len(text) - 1 and len(phones) > 1:
            break  # the silent e
        sounds, size = _next(known, text, at)
        phones += sounds
        at += size
    return phones


def _unaccented(word: str) -> str:
    """A word without marks on its letters."""
    if word.isascii():
        return word
    return "".join(sign for sign in normalize("NFD", word) if not combining(sign))


def _is_long(text: str, at: int) -> bool:
    """Whether a vowel stands before one consonant and the last e."""
    ending = text[at + 1 :]
    return (
        text[at] in _LONG
        and len(ending) == 2
        and ending[0] not in _VOWELS
        and ending[0].isalpha()
        and ending[1] == "e"
    )


def _next(known: Mapping[str, list[str]], text: str, at: int) -> tuple[list[str], int]:
    """The phones of the longest spelling that comes next, and its length."""
    for size in range(5, 0, -1):
        spelling = text[at : at + size]
        if spelling in _SOFT and text[at + 1 : at + 2] in ("e", "i", "y"):
            return _SOFT[spelling], 1
        if spelling in known:
            return known[spelling], size
    return [text[at].upper()], 1
