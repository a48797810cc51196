"""Tags of words as spans, by schemes that have names."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from demur.checks import names_shown
from demur.errors import InputError, shown

Span = tuple[str, int, int]
"""Type, first word, and the word after the last."""


def _iob(tags: Sequence[str], *, strict: bool) -> list[Span]:
    """B- begins a span, I- goes on; an orphan I- begins one, or none if strict."""
    spans: list[Span] = []
    kind, start = "", 0
    for place, tag in enumerate([*tags, "O"]):
        mark, _, name = tag.partition("-")
        goes_on = mark == "I" and kind and name == kind
        if kind and not goes_on:
            spans.append((kind, start, place))
            kind = ""
        if mark == "B" or (mark == "I" and not goes_on and not strict):
            kind, start = name, place
    return spans


def _bioes(tags: Sequence[str]) -> list[Span]:
    """Spans that begin and end as the scheme says; others are none."""
    spans: list[Span] = []
    kind, start = "", 0
    for place, tag in enumerate(tags):
        mark, _, name = tag.partition("-")
        if mark in ("S", "U"):
            spans.append((name, place, place + 1))
            kind = ""
        elif mark == "B":
            kind, start = name, place
        elif mark in ("E", "L"):
            if kind and name == kind:
                spans.append((name, start, place + 1))
            kind = ""
        elif mark != "I" or name != kind:
            kind = ""
    return spans


SCHEMES: Final[dict[str, tuple[str, Callable[[Sequence[str]], list[Span]]]]] = {
    "iob": ("BIO", partial(_iob, strict=False)),
    "iob2-strict": ("BIO", partial(_iob, strict=True)),
    "bioes": ("BIOES", _bioes),
    "bilou": ("BILOU", _bioes),
}
"""Marks, and how tags become spans. ``iob`` takes an orphan I- (after O or another
type) for the beginning of a span, as IOB1 and conlleval do; ``iob2-strict`` not."""


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
    marks, read = SCHEMES[scheme]
    for tag in set(tags):
        sound = isinstance(tag, str) and (
            tag == "O" or (tag[:1] in marks and tag[1:2] == "-" and len(tag) > 2)
        )
        if not sound or tag[:2] == "O-":
            need = f"be O or {', '.join(f'{m}-' for m in marks if m != 'O')} and a type"
            hint = f"The scheme is {scheme}, of {names_shown(SCHEMES)}."
            raise InputError(place, "a tag", need, shown(tag), hint)
    return read(tags)
