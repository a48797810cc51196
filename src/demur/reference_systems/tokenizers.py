"""Ways to cut a text into tokens: words, groups of letters, groups of phones."""

from collections.abc import Callable, Sequence
from typing import Final

from demur.errors import InputError
from demur.spellings import words as spelled_words

Tokenizer = Callable[[str], Sequence[str]]

UNKNOWN: Final = "< unk >"
"""How some recognisers write a word that they do not know; it is no token."""


def words(text: str) -> list[str]:
    """The words of a text in any language, in small letters (`demur.spellings.words`).

    Examples
    --------
    >>> words("What's THAT < unk >?")
    ["what's", 'that']
    """
    if "<" in text:
        text = text.lower().replace(UNKNOWN, " ")
    return spelled_words(text)


def no_words(where: str) -> InputError:
    """The error for texts of which none has a token, such as emoji alone."""
    hint = "Emoji and signs alone are no words."
    return InputError(where, "the texts", "have words to learn from", "none", hint)


def letters(text: str, size: int = 3) -> list[str]:
    """Groups of neighbouring letters; they run across the blanks between words.

    Examples
    --------
    >>> letters("go on")
    ['letters go ', 'letters o o', 'letters  on']
    """
    return [f"letters {group}" for group in groups(list(" ".join(words(text))), size)]


def mixed(*tokenizers: Tokenizer) -> Tokenizer:
    """A tokenizer that gives the tokens of several in one bag.

    Examples
    --------
    >>> mixed(words, letters)("go")
    ['go']
    >>> mixed(words, letters)("stop")
    ['stop', 'letters sto', 'letters top']
    """

    def tokens(text: str) -> list[str]:
        return [token for tokenizer in tokenizers for token in tokenizer(text)]

    return tokens


def groups(parts: Sequence[str], size: int, glue: str = "") -> list[str]:
    """All runs of neighbouring parts of one size, each as one text.

    Examples
    --------
    >>> groups(["K", "AE", "T"], 2, " ")
    ['K AE', 'AE T']
    """
    starts = range(len(parts) - size + 1)
    return [glue.join(parts[start : start + size]) for start in starts]
