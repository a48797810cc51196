"""Ways to cut a text into tokens: words, phones, letters, and words with either.

The paper's alternative tokenizers mix words with phones, which are looked up in a
pronouncing dictionary from the recognised words; the sound itself is not used. Phones
and letters run across the gaps between words, so that "are you married" and "are you
mary" share most of their phones.
"""

import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Pronunciations = Mapping[str, Sequence[str]]
Tokenizer = Callable[[str], list[str]]

UNKNOWN = "< unk >"  # the recogniser's sign for a word it does not know
_WORD = re.compile(r"[a-z0-9']+")


def read_pronunciations(path: Path) -> dict[str, list[str]]:
    """The first pronunciation of each word in a gzipped CMUdict file, without stress.

    Returns
    -------
    dict of word to list of phones
    """
    found: dict[str, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *phones = line.partition("#")[0].split()
            if "(" not in word:
                found[word] = [phone.rstrip("012") for phone in phones]
    return found


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.lower().replace(UNKNOWN, " "))


def letters(text: str) -> list[str]:
    """Groups of three neighbouring letters; a blank stands between words."""
    return [f"letters {group}" for group in _groups(list(" ".join(words(text))), 3)]


def phones(text: str, pronunciations: Pronunciations) -> list[str]:
    """Groups of two and of three neighbouring phones.

    A word that the dictionary does not have gives its (small) letters instead.
    """
    found = [phone for word in words(text) for phone in pronunciations.get(word, word)]
    return [f"phones {group}" for size in (2, 3) for group in _groups(found, size, " ")]


def tokenizers(pronunciations: Pronunciations) -> dict[str, Tokenizer]:
    """The five tokenizers that are compared, the baseline first."""

    def by_phones(text: str) -> list[str]:
        return phones(text, pronunciations)

    return {
        "words": words,
        "phones": by_phones,
        "letters": letters,
        "words and phones": lambda text: words(text) + by_phones(text),
        "words and letters": lambda text: words(text) + letters(text),
    }


def _groups(parts: Sequence[str], size: int, glue: str = "") -> list[str]:
    starts = range(len(parts) - size + 1)
    return [glue.join(parts[start : start + size]) for start in starts]
