"""Responses and references that were read, as a notebook shows them: a table."""

from collections.abc import Sequence
from dataclasses import fields
from html import escape
from typing import Any, Final

from demur.outcomes.records import Reference, Response
from demur.outcomes.values import shown_value
from demur.results.html import table_html
from demur.results.text import Column, Table, cut, printable

_MOST: Final = 20
_LONGEST: Final = 100
_NUMBERS: Final = ("confidence", "weight")
_NOT_SHOWN: Final = ("extra", "place")


def records_html(
    records: Sequence[Response] | Sequence[Reference], notes: Sequence[str] = ()
) -> str:
    """Records as a table, one in each row: the first ones, and how many there are.

    Parameters
    ----------
    records : sequence of Response or of Reference
        Their further columns stand beside the others.
    notes : sequence of str
        What a reader must know of them.

    Examples
    --------
    >>> from demur import Response
    >>> answer = Response(item="q1", response="Paris", extra={"topic": "x"})
    >>> page = records_html([answer])
    >>> [head in page for head in (">item<", ">response<", ">topic<", ">kind<")]
    [True, True, True, False]
    """
    rows = [_cells(record) for record in records[:_MOST]]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = tuple(
        Column(name, name, "value" if name in _NUMBERS else "text") for name in names
    )
    cells = tuple(tuple(row.get(name) for name in names) for row in rows)
    kind = type(records[0]).__name__.lower() if records else "record"
    counted = f"{len(records)} {kind}{'' if len(records) == 1 else 's'}"
    first = f", the first {_MOST} of them below" if len(records) > _MOST else ""
    table = table_html(Table("", columns, cells)) if rows else ""
    items = "".join(f"<li>{escape(printable(note))}</li>" for note in notes)
    below = f"<ul>{items}</ul>" if items else ""
    return f"<div><p>{counted}{first}.</p>{table}{below}</div>"


def _cells(record: Response | Reference) -> dict[str, Any]:
    """What a record has, by column; of a reference all answers that are right."""
    named = {
        field.name: getattr(record, field.name)
        for field in fields(record)
        if field.name not in _NOT_SHOWN
    }
    if "alternatives" in named:
        answers = named.pop("alternatives") or ()
        named["reference"] = " | ".join(_words(value) for value, _ in answers)
    held = named | dict(record.extra)
    return {
        name: value if name in _NUMBERS else _words(value)
        for name, value in held.items()
        if value is not None and value != ""
    }


def _words(value: Any) -> str:
    return cut(value if isinstance(value, str) else shown_value(value), _LONGEST)
