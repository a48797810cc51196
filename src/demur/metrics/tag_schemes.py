"""Tags of words as spans, by schemes that have names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demur.checks import names_shown
from demur.errors import InputError, shown

Span = tuple[str, int, int]
"""Type, first word, and the word after the last."""


@dataclass(frozen=True)
class Scheme:
    """Which tags go on with a span, and which runs of tags are spans.

    Parameters
    ----------
    marks : str
        What a tag may begin with; O is no span.
    goes_on : tuple of str
        Pairs of marks of which the second goes on with the first, if both have one
        type. Any other tag begins a run of its own.
    whole : tuple of str, optional
        First and last mark of a run that is a span; all runs are without it.
    """

    marks: str
    goes_on: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def is_sound(self, tag: object) -> bool:
        """Whether a tag is O, or a mark of the scheme with a type behind it."""
        if not isinstance(tag, str):
            return False
        marked = len(tag) > 2 and tag[1] == "-" and tag[0] in self.marks
        return tag == "O" or (marked and tag[0] != "O")

    def is_whole(self, first: str, last: str) -> bool:
        """Whether a run from one mark to another is a span."""
        return not self.whole or first + last in self.whole


_BI: Final = ("BI", "II")
_BIE: Final = ("BI", "II", "BE", "IE")
_BIL: Final = ("BI", "II", "BL", "IL")

SCHEMES: Final[dict[str, Scheme]] = {
    "iob": Scheme("BIO", _BI),
    "iob2-strict": Scheme("BIO", _BI, ("BB", "BI")),
    "ioe": Scheme("IEO", ("II", "IE")),
    "ioe2-strict": Scheme("IEO", ("II", "IE"), ("EE", "IE")),
    "bioes": Scheme("BIOES", _BIE, ("BE", "SS")),
    "bioes-lenient": Scheme("BIOES", _BIE),
    "bilou": Scheme("BILOU", _BIL, ("BL", "UU")),
    "bilou-lenient": Scheme("BILOU", _BIL),
}
"""How tags become spans. ``iob``, ``ioe`` and the lenient ones take a run that begins
or ends amiss (an orphan I- after O or another type, a B- without its E-) for a span, as
conlleval does; the others take it for none."""

LENIENT: Final = {
    "iob2-strict": "iob",
    "ioe2-strict": "ioe",
    "bioes": "bioes-lenient",
    "bilou": "bilou-lenient",
}
"""Of a scheme that takes some runs of tags for none, the one that takes all."""


def spans_of(place: str, tags: Sequence[str], scheme: str) -> list[Span]:
    """The spans of one sentence.

    Raises
    ------
    InputError
        If a tag does not belong to the scheme.

    Examples
    --------
    >>> spans_of("s1", ["B-per", "I-per", "O", "I-loc"], "iob")
    [('per', 0, 2), ('loc', 3, 4)]
    >>> spans_of("s1", ["B-per", "I-per", "O", "I-loc"], "iob2-strict")
    [('per', 0, 2)]
    """
    rules = SCHEMES[scheme]
    for tag in tags:
        if not rules.is_sound(tag):
            marks = ", ".join(f"{mark}-" for mark in rules.marks if mark != "O")
            need = f"be O or {marks} and a type"
            hint = f"The scheme is {scheme}, of {names_shown(SCHEMES)}."
            raise InputError(place, "a tag", need, shown(tag), hint)
    spans: list[Span] = []
    first, before, start = "", "O", 0
    for here, tag in enumerate([*tags, "O"]):
        same = before[1:] == tag[1:] and before[0] + tag[0] in rules.goes_on
        if before != "O" and not same and rules.is_whole(first, before[0]):
            spans.append((before[2:], start, here))
        if not same:
            first, start = tag[0], here
        before = tag
    return spans
