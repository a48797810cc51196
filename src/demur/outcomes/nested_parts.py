"""Records that hold a list of their parts, made one record for each part."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from demur.errors import InputError, shown
from demur.outcomes.records import Reference, Response, as_reference, as_response

PARTS: Final = "parts"
_SAID: Final = frozenset(
    ("response", "outcome", "correct", "reference", "references", "sql", "sqls")
)
"""What a record has that says something as a whole: it is not taken for a list then."""

_RECORDS: Final = (Response, Reference)


def is_nested(record: Any) -> bool:
    """Whether a record holds a list of parts, and says nothing as a whole.

    Examples
    --------
    >>> is_nested({"item": "r1", "parts": [{"part": "pay", "response": 5}]})
    True
    >>> is_nested({"item": "r1", "parts": [], "response": 5})
    False
    """
    parts = record.get(PARTS) if isinstance(record, Mapping) else None
    if not isinstance(parts, (list, tuple)) or record.keys() & _SAID:
        return False
    return all(isinstance(part, Mapping) for part in parts)


def unnested(place: str, record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """A record, or one for each of its parts, each with its place.

    What stands beside the list is of every part. Of an empty list becomes one record
    whose part is None.

    Raises
    ------
    InputError
        If one of the list does not name its part, or says another item.

    Examples
    --------
    >>> nested = {"item": "r1", "parts": [{"part": "pay", "correct": True}]}
    >>> list(unnested("a.jsonl:3", nested))
    [('a.jsonl:3, part 1', {'item': 'r1', 'part': 'pay', 'correct': True})]
    >>> list(unnested("a.jsonl:4", {"item": "r2", "parts": []}))
    [('a.jsonl:4', {'item': 'r2', 'part': None})]
    """
    if not is_nested(record):
        yield place, record
        return
    rest = {name: value for name, value in record.items() if name != PARTS}
    if not record[PARTS]:
        yield place, {**rest, "part": None}
    for number, part in enumerate(record[PARTS], 1):
        where = f"{place}, part {number}"
        if part.get("part") in (None, ""):
            got = ", ".join(map(str, part)) or "no fields"
            raise InputError(where, "a part", "have a field part, its name", got)
        for name in ("item", "system", "setting", "repeat"):
            if name in part and part[name] != rest.get(name, part[name]):
                got = shown(part[name])
                raise InputError(where, name, "be that of the whole", got)
        yield where, {**rest, **part}


def is_without_parts(record: Mapping[str, Any]) -> bool:
    """Whether a record is what became of an empty list.

    Examples
    --------
    >>> is_without_parts({"item": "r2", "part": None})
    True
    """
    return "part" in record and record["part"] is None and not record.keys() & _SAID


def of_parts(records: Iterable[Any], kind: str) -> Iterator[Any]:
    """Plain responses or references, one for each part.

    Those that are nested say where they stood; all else stays as it is.

    Examples
    --------
    >>> nested = {"item": "r1", "parts": [{"part": "pay", "response": 5}]}
    >>> [response.place for response in of_parts([nested], "response")]
    ['responses: record 1, part 1']
    """
    for number, record in enumerate(records, 1):
        # Records of ours, the most frequent ones, are told without a longer look.
        if isinstance(record, _RECORDS) or not is_nested(record):
            yield record
            continue
        for place, part in unnested(f"{kind}s: record {number}", record):
            filled = with_nothing(part, kind)
            if kind == "response":
                yield as_response(filled, place)
            else:
                yield as_reference(filled, place, otherwise=True)


def with_nothing(record: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    """What a response or a reference says that has no parts: nothing; nothing is due.

    Examples
    --------
    >>> with_nothing({"item": "r2", "part": None}, "reference")
    {'item': 'r2', 'part': None, 'answerable': False}
    """
    if not is_without_parts(record):
        return record
    if kind == "response":
        return {**record, "response": None}
    return {**record, "answerable": record.get("answerable", False)}
