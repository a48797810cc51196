"""Responses and references from files, record by record."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from demur.errors import InputError
from demur.formats import headings
from demur.formats.opening import open_table
from demur.formats.selection import Selection
from demur.formats.streams import Source
from demur.outcomes import fields
from demur.outcomes.records import Reference, Response, as_reference, as_response

_JUDGED_OTHERWISE: Final = ("sql", "sqls", "min", "max")
_ANSWER_FIELDS: Final = frozenset(("reference", "references", *_JUDGED_OTHERWISE))

_Record = dict[str, Any]


def read_responses(
    *sources: Source, where: Mapping[str, Any] | None = None
) -> list[Response]:
    """Responses from files: JSON Lines, JSON, CSV, TSV or Parquet.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only records whose fields hold these values (one of a list), compared as text.

    Returns
    -------
    list of Response
        Fields without a meaning of their own are in ``extra``.

    Raises
    ------
    InputError
        If a file cannot be read, a named field is absent, no record is selected, or
        a value is not what its field must hold; the message names file and line.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b'{"item": "q1", "response": "Oslo", "confidence": 0.9}')
    >>> read_responses(file)[0].response
    'Oslo'
    """
    return list(iter_responses(*sources, where=where))


def iter_responses(
    *sources: Source, where: Mapping[str, Any] | None = None
) -> Iterator[Response]:
    r"""Responses from files one by one, however long the files.

    Parameters and errors are those of `read_responses`; a fault is raised when its
    record is reached.

    Yields
    ------
    Response

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"item,response\nq1,Oslo\nq2,\n")
    >>> [response.response for response in iter_responses(file)]
    ['Oslo', None]
    """
    for place, record in _records(sources, where, "read_responses"):
        yield _response(record, place)


def read_references(
    *sources: Source, where: Mapping[str, Any] | None = None
) -> list[Reference]:
    """References from files: JSON Lines, JSON, CSV, TSV or Parquet.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only records whose fields hold these values (one of a list), compared as text.

    Returns
    -------
    list of Reference
        Fields without a meaning of their own are in ``extra``.

    Raises
    ------
    InputError
        As for `read_responses`; also if an item is listed twice, or is answerable
        and has no acceptable answer.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(
    ...     b'{"item": "q1", "references": ["Oslo", '
    ...     b'{"value": "Christiania", "weight": 0.5}]}')
    >>> read_references(file)[0].alternatives
    (('Oslo', 1.0), ('Christiania', 0.5))
    """
    references: dict[str | int, Reference] = {}
    for reference in iter_references(*sources, where=where):
        first = references.setdefault(reference.item, reference)
        if first is not reference:
            got = f"{fields.shown_value(reference.item)} again, first at {first.place}"
            hint = "Put all acceptable answers into references, or select with where."
            raise InputError(reference.place, "item", "be listed once", got, hint)
    return list(references.values())


def iter_references(
    *sources: Source, where: Mapping[str, Any] | None = None
) -> Iterator[Reference]:
    """References from files one by one; whoever takes them checks for repeated items.

    Parameters and other errors are those of `read_references`.

    Yields
    ------
    Reference
    """
    for place, record in _records(sources, where, "read_references"):
        yield _reference(record, place)


def iter_records(
    *sources: Source, where: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    r"""Records of files as they stand, each with the place where it was read.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only records whose fields hold these values (one of a list), compared as text.

    Yields
    ------
    (place, record)

    Raises
    ------
    InputError
        If a file cannot be read, or no record is selected.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b'{"id": "M1", "meaning": "AM is before noon."}')
    >>> [record["id"] for _, record in iter_records(file)]
    ['M1']
    """
    yield from _records(sources, where, "iter_records")


def reference_of(record: Mapping[str, Any], place: str) -> Reference:
    """A record of a file as a reference, checked.

    Parameters
    ----------
    record : mapping
        As `iter_records` gives it.
    place : str
        Where it was read.

    Raises
    ------
    InputError
        If a field is not what it must be.

    Examples
    --------
    >>> reference_of({"item": "q1", "reference": "Oslo"}, "a.jsonl:1").alternatives
    (('Oslo', 1.0),)
    """
    return _reference(dict(record), place)


# -- records -----------------------------------------------------------------------


def _records(
    sources: tuple[Source, ...], where: Mapping[str, Any] | None, caller: str
) -> Iterator[tuple[str, _Record]]:
    """Selected records of files, with their places."""
    selection = Selection(where)
    names = []
    for source in sources:
        with open_table(source) as opened:
            names.append(opened.name)
            absent = set(selection.wanted)
            for number, record in opened.records():
                absent -= record.keys()
                if not selection.wanted or selection.has(record):
                    yield f"{opened.prefix}{number}", record
            for name in absent:
                raise headings.unknown(opened.name, "where", name, opened.found())
    if not names:
        raise InputError(caller, "the sources", "be at least one", "none")
    selection.check(", ".join(names))


def _response(record: _Record, place: str) -> Response:
    own = _checked("response", record, place)
    if "response" not in record and not (own.get("failed") or own.get("error")):
        raise headings.lacking_columns(place, [["response"]], record)
    return as_response({"response": None} | own, place)


def _reference(record: _Record, place: str) -> Reference:
    own = _checked("reference", record, place)
    if own.get("answerable") is not False and not record.keys() & _ANSWER_FIELDS:
        raise headings.lacking_columns(
            place, [["reference", "references", "sql", "min"]], record
        )
    # An item may have a query or a range instead of acceptable answers.
    otherwise = any(record.get(name) is not None for name in _JUDGED_OTHERWISE)
    return as_reference(own, place, otherwise=otherwise)


def _checked(kind: str, record: _Record, place: str) -> _Record:
    """The fields that hold something, those of the record checked by their type."""
    if "item" not in record:
        raise headings.lacking_columns(place, [["item"]], record)
    typed = {
        name: fields.checked(name, record[name], place)
        for name in fields.names_of(kind)
        if name in record
    }
    return {
        name: value for name, value in (record | typed).items() if value is not None
    }
