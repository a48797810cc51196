"""Signs that rows of words are tokens of sentences, one in each, not utterances."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from demur.errors import shown
from demur.spellings import unspaced

_FEW: Final = 3
"""Rows of one word that need a sign beside them to be noted."""
_MANY: Final = 10
"""Rows of one word that are noted without a sign; they may be commands."""

_TAG: Final = re.compile(r"O|[BIESLU]-\S+")
_UNSEEN: Final = re.compile(
    "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
"""Not the joiners, which tell words apart in some scripts."""
_JOIN: Final = (
    "join the words of each sentence with spaces in one row (pandas: "
    "frame.groupby('sentence').agg(' '.join)), as sentence errors, intervals and tests "
    "count rows"
)


def token_rows_note(references: Sequence[str]) -> Iterator[str]:
    """A note where references are tokens, or tokens with their tags; else none.

    Examples
    --------
    >>> print(*token_rows_note(["Anna B-PER", "sleeps O"]))
    references end with tags, such as 'Anna B-PER', and are no sentences: tags count as
    words; give the words alone, or the tags to demur metrics spans
    >>> list(token_rows_note(["the cat", "sat"]))
    []
    """
    if _have_tags(references):
        first = shown(next(filter(str.strip, references)))
        yield (
            f"references end with tags, such as {first}, and are no sentences: tags "
            "count as words; give the words alone, or the tags to demur metrics spans"
        )
        return
    if len(references) < _FEW or not all(map(_is_one, references)):
        return
    written = [text.strip() for text in references if text.strip()]
    sign = next((text for text in written if not any(map(str.isalnum, text))), None)
    signs = []
    if sign is not None:
        signs.append(f"signs such as {shown(sign)} have rows of their own")
    if _are_parted(references):
        signs.append("rows without a word part them")
    if signs and len(written) >= _FEW:
        yield (
            f"references are one word in each row, and {' and '.join(signs)}: these "
            f"are tokens of sentences, not utterances; {_JOIN}"
        )
    elif len(written) >= _MANY:
        yield (
            f"references are one word in each row: if these are tokens of sentences, "
            f"{_JOIN}"
        )


def _is_one(text: str) -> bool:
    return len(text.split(None, 2)) < 2 and not unspaced(text)


def _are_parted(references: Sequence[str]) -> bool:
    """Whether an empty row stands between two with a word."""
    filled = [row for row, text in enumerate(references) if text.strip()]
    return bool(filled) and filled[-1] - filled[0] >= len(filled)


def _have_tags(references: Sequence[str]) -> bool:
    spans = rows = 0
    for text in references:
        words = text.split()
        if not words or words[0] == "-DOCSTART-":
            continue
        if len(words) < 2 or not _TAG.fullmatch(words[-1]):
            return False
        rows += 1
        spans += words[-1] != "O"
    return rows > 1 and spans > 0


def unseen_signs_note(texts: Iterable[str]) -> Iterator[str]:
    r"""A note where texts hold signs that nobody sees and that tell words apart.

    Examples
    --------
    >>> print(*unseen_signs_note(["the\u200b cat", "the cat"]))
    texts hold signs that are not seen (U+200B), and words with them are others than
    those without: take them off, or write blanks where they part words
    """
    for text in texts:
        if not text.isascii() and (found := _UNSEEN.search(text)):
            yield (
                f"texts hold signs that are not seen (U+{ord(found[0]):04X}), and "
                "words with them are others than those without: take them off, or "
                "write blanks where they part words"
            )
            return
