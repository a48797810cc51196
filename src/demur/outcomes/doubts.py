"""What makes outcomes doubtful as a whole is said first, and not only noted."""

from collections.abc import Iterable
from typing import Final

ORDERS: Final = "the files may be in different orders"
DRESSED: Final = "would be right but for what stands about them"
"""Words by which such notes are known; what is said first ends at their semicolon."""


def doubts_first(notes: Iterable[str], text: str) -> str:
    """A text, with what some notes begin with said before it.

    Examples
    --------
    >>> note = f"1 of 60 right is what chance gives: {ORDERS}; join them by a column"
    >>> doubts_first(["items are rows", note], "60 outcomes.")
    '1 of 60 right is what chance gives: the files may be in different orders
    (see notes). 60 outcomes.'
    """
    heads = [note.partition("; ")[0] for note in notes]
    heads = [head for head in heads if ORDERS in head or DRESSED in head]
    return " ".join([*(f"{head} (see notes)." for head in heads), text])
