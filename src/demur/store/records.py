"""Responses and references kept with a run, so that it can be judged anew."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from demur.outcomes.columns import objects
from demur.outcomes.frames import records_of
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.store.packing import packed, unpacked

RESPONSES: Final = "responses"
REFERENCES: Final = "references"


def packed_records(kind: str, records: Iterable[Any]) -> bytes:
    """The bytes of responses or references: a list of JSON objects.

    Raises
    ------
    InputError
        If one is none, or holds a value that is none of JSON.
    """
    held = [
        as_response(record, f"{kind}: record {number}")
        if kind == RESPONSES
        else as_reference(record, f"{kind}: record {number}", otherwise=True)
        for number, record in enumerate(records_of(records), 1)
    ]
    usual = asdict(Response(item="") if kind == RESPONSES else Reference(item=""))
    rows = [
        {
            name: value
            for name in usual
            if name not in ("place", "extra")
            and (value := getattr(record, name)) != usual[name]
        }
        | ({"extra": dict(record.extra)} if record.extra else {})
        for record in held
    ]
    return packed(kind, objects(rows, len(rows)))


def unpacked_records(kind: str, content: bytes) -> list[Any]:
    """The same records, each with a place that says where it was kept.

    Examples
    --------
    >>> one = Reference(item="q", alternatives=(("a", 1.0),))
    >>> kept = packed_records("references", [one])
    >>> unpacked_records("references", kept)[0].alternatives
    (('a', 1.0),)
    """
    return [
        _record(kind, row, f"kept {kind}: record {number}")
        for number, row in enumerate(unpacked(content).tolist(), 1)
    ]


def _record(kind: str, row: dict[str, Any], place: str) -> Response | Reference:
    if kind == RESPONSES:
        return Response(**row, place=place)
    alternatives = tuple(map(tuple, row.pop("alternatives", ())))
    return Reference(**row, alternatives=alternatives, place=place)
