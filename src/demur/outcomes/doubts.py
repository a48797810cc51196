"""What makes outcomes doubtful as a whole is said first, and not only noted."""

import re
from collections.abc import Iterable
from typing import Final

ORDERS: Final = "the files may be in different orders"
"""Words by which a note is known that items were joined to references of others."""

_DRESSED: Final = re.compile(
    r"([\d,]+) of ([\d,]+) (wrong answers? (?:are their references|is its reference))\b"
)
_SHARE: Final = 0.1
"""The share of wrong answers from which it is said first how they are written."""


def doubts_first(notes: Iterable[str], text: str) -> str:
    """A text, with what some notes are about said before it.

    Examples
    --------
    >>> note = f"1 of 60 right is what chance gives: {ORDERS}; join them by a column"
    >>> doubts_first(["items are rows", note], "60 outcomes.")
    '1 of 60 right is what chance gives: the files may be in different orders (see
    notes). 60 outcomes.'
    >>> note = "13 of 65 wrong answers are their references with '.' behind: ..."
    >>> doubts_first([note], "260 outcomes.")
    '13 of 65 wrong answers are their references, written otherwise (see notes). 260
    outcomes.'
    """
    listed = [*notes]
    heads = [note.partition("; ")[0] for note in listed if ORDERS in note]
    dressed = [match for match in map(_DRESSED.match, listed) if match is not None]
    if dressed:
        wrong = _number(dressed[0][2])
        many = min(sum(_number(match[1]) for match in dressed), wrong)
        if many >= _SHARE * wrong and many > 1:
            are = "wrong answers are their references, written otherwise"
            heads.append(f"{many:,} of {wrong:,} {are}")
    return " ".join([*(f"{head} (see notes)." for head in heads), text])


def _number(text: str) -> int:
    return int(text.replace(",", ""))
