"""One value as the spans of a sentence: tags, or spans as they are written."""

from typing import Any, Final

from demur.errors import InputError, shown
from demur.metrics.tag_schemes import Span, spans_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns, unpacked


def spans_of_row(
    table: NamedColumns, row: int, column: str, scheme: str
) -> tuple[list[Span], int | None]:
    """The spans of a sentence, and its number of tags; None if spans are given."""
    value = unpacked(table.place(row), column, table.columns[column][row])
    if is_gap(value):
        need, hint = "have its tags or spans", "Of a text without spans [] or O tags."
        raise InputError(table.place(row), column, need, shown(value), hint)
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, (list, tuple)):
        need = "be tags, or spans of a type, first word and word after the last"
        raise InputError(table.place(row), column, need, shown(value), _HINT)
    if value and not isinstance(value[0], str):
        return [_span(table.place(row), span) for span in value], None
    return spans_of(table.place(row), value, scheme), len(value)


def _span(place: str, value: Any) -> Span:
    sound = isinstance(value, (list, tuple)) and len(value) == 3
    if not sound or not isinstance(value[1], int) or not isinstance(value[2], int):
        need = "be a type, the first word and the word after the last"
        raise InputError(place, "a span", need, shown(value), _HINT)
    if not 0 <= value[1] < value[2]:
        need, hint = "end after it begins", "Words are numbered from 0."
        raise InputError(place, "a span", need, shown(value), hint)
    return str(value[0]), value[1], value[2]


_HINT: Final = 'Such as "B-city I-city O", or [["city", 0, 2]].'
