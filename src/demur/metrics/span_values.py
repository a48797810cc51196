"""One value as the spans of a sentence: tags, or spans as programs write them."""

from collections.abc import Mapping
from operator import index
from typing import Any, Final

import numpy as np

from demur.errors import InputError, shown
from demur.metrics.tag_schemes import Span, spans_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns, unpacked

ENDS: Final = ("after", "last")
"""What the end of a span is: the word after the last, or the last word itself."""

_TYPES: Final = ("label", "type", "entity_group", "entity", "labels")
"""What mappings call the type of a span."""


def spans_of_row(
    table: NamedColumns, row: int, column: str, scheme: str, ends: str = "after"
) -> tuple[list[Span], int | None]:
    """The spans of a sentence, and its number of tags; None if spans are given."""
    place = table.place(row)
    value = unpacked(place, column, table.columns[column][row])
    if is_gap(value):
        need, hint = "have its tags or spans", "Of a text without spans [] or O tags."
        raise InputError(place, column, need, shown(value), hint)
    if isinstance(value, str):
        value = value.split()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        need = "be tags, or spans of a type, first word and word after the last"
        raise InputError(place, column, need, shown(value), _HINT)
    if len(value) and not isinstance(value[0], str):
        return [
            span for entry in value for span in read_spans(place, entry, ends)
        ], None
    return spans_of(place, value, scheme), len(value)


def read_spans(place: str, value: Any, ends: str = "after") -> list[Span]:
    """A span as programs write it; several if it has several types.

    Parameters
    ----------
    place : str
        Where it was read.
    value : list, tuple or mapping
        (type, first, end) or (first, end, type); a mapping with ``start`` and ``end``,
        or else ``token_start`` and ``token_end``, which is the last word, or ``span``,
        its words one by one; and with ``label``, ``type`` or ``entity``.
    ends : {"after", "last"}
        What an end is.

    Raises
    ------
    InputError
        If it is none of these, or does not end after it begins.

    Examples
    --------
    >>> read_spans("s1", [0, 2, "city"])
    [('city', 0, 2)]
    >>> read_spans("s1", {"label": "city", "start": 0, "end": 1}, ends="last")
    [('city', 0, 2)]
    >>> read_spans("s1", {"type": "city", "span": [3, 4]})
    [('city', 3, 5)]
    """
    if isinstance(value, Mapping):
        kinds, first, end = _of_mapping(place, value, ends)
    else:
        kinds, first, end = _of_list(place, value, ends)
    if not 0 <= first < end:
        need, hint = "end after it begins", "Words are numbered from 0."
        if first == end and ends == "after":
            hint = (
                "If its end is the last word itself, as nervaluate has it: --ends last."
            )
        raise InputError(place, "a span", need, shown(value), hint)
    for kind in kinds:
        if is_gap(kind) or isinstance(kind, (Mapping, list, tuple)):
            raise InputError(place, "a span", "have a type", shown(value), _HINT)
    return [(str(kind), first, end) for kind in kinds]


def check_sizes(
    place: str, sides: tuple[list[Span], list[Span]], sizes: tuple[Any, Any]
) -> None:
    """Refuse a side with another number of tags, or with spans beyond these."""
    size, other = sizes
    if size is None and other is None:
        return
    if None not in sizes:
        if size != other:
            need, hint = f"have {size} tags, as the reference has", "One a word."
            raise InputError(place, "hyp", need, str(other), hint)
        return
    spans, words = (sides[0], other) if size is None else (sides[1], size)
    for span in spans:
        if 0 < words < span[2]:  # no tags are a text without spans
            need = f"lie within the {words} words that the other side has tags of"
            hint = "If spans are characters, both sides must be."
            raise InputError(place, "a span", need, shown(list(span)), hint)


def _of_mapping(
    place: str, value: Mapping[Any, Any], ends: str
) -> tuple[list[Any], int, int]:
    kinds = next((value[name] for name in _TYPES if not is_gap(value.get(name))), None)
    listed = kinds if isinstance(kinds, (list, tuple)) else [kinds]
    words = value.get("span")
    if isinstance(words, np.ndarray):
        words = words.tolist()
    if "start" in value or "end" in value:
        first, end = _whole(value.get("start")), _whole(value.get("end"))
        end = end + 1 if end is not None and ends == "last" else end
    elif isinstance(words, (list, tuple)) and words:
        numbers = [_whole(word) for word in words]
        first = numbers[0]
        end = None if first is None else first + len(numbers)
        if end is not None and numbers != [*range(first or 0, end)]:
            need = "name its words one by one, without a gap"
            raise InputError(place, "a span", need, shown(value), _HINT)
    else:
        first, end = _whole(value.get("token_start")), _whole(value.get("token_end"))
        end = None if end is None else end + 1
    if first is None or end is None:
        need = "have a start and an end, as whole numbers"
        raise InputError(place, "a span", need, shown(value), _HINT)
    return list(listed), first, end


def _of_list(place: str, value: Any, ends: str) -> tuple[list[Any], int, int]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)) and len(value) == 3:
        if None not in map(_whole, value):
            need = "have a type that is no whole number, or be an object"
            raise InputError(place, "a span", need, shown(value), _HINT)
        for kind, start, stop in (value, (value[2], *value[:2])):
            first, end = _whole(start), _whole(stop)
            if first is not None and end is not None:
                return [kind], first, end + (ends == "last")
    need = "be a type, the first word and the word after the last"
    raise InputError(place, "a span", need, shown(value), _HINT)


def _whole(value: Any) -> int | None:
    """A whole number of any library; None for what is none, and for flags."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return index(value)
    except TypeError:
        return None


_HINT: Final = (
    'Such as "B-city I-city O", [["city", 0, 2]], or '
    '[{"label": "city", "start": 0, "end": 2}].'
)
