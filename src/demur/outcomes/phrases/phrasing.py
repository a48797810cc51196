"""What is to be known of how a language declines."""

from typing import NamedTuple


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
    """

    before: str
    closed: str
    open: str
    bare: str
    guess: str
    but: str
    words: bool = True
