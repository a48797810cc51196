"""Responses, references and plain records from files, one by one."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, Self, TypeVar

from demur.errors import InputError
from demur.formats import headings
from demur.formats.json_lines import JsonTable
from demur.formats.reading import (
    Columns,
    add_recipe,
    names_formats,
    open_own_table,
    open_table,
    typed_mapping,
)
from demur.formats.selection import Selection
from demur.formats.streams import MAX_SIZE, RecordFile, Source
from demur.outcomes import fields
from demur.outcomes.contexts import dialogue_turn
from demur.outcomes.nested_parts import with_nothing
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.outcomes.values import checked, shown_value

_JUDGED_OTHERWISE: Final = ("sql", "sqls", "min", "max", "schema")

_Record = TypeVar("_Record")
_Placed = tuple[str, dict[str, Any]]
"""A record, and where it was read."""


class ReadRecords(Iterator[_Record]):
    """Records one by one, and how they were read.

    Parameters
    ----------
    records : iterable
        Gone through once.
    notes : list of str
        What a user must know of how they were read, once they are.
    recipe : dict
        How they were read, for signatures, once they are; nothing for our own files.
    """

    def __init__(
        self, records: Iterable[_Record], notes: list[str], recipe: dict[str, str]
    ) -> None:
        self._records = iter(records)
        self.notes, self.recipe = notes, recipe

    def __next__(self) -> _Record:
        return next(self._records)

    def close(self) -> None:
        """Read no more, and close the file that is open."""
        if isinstance(self._records, (Generator, ReadRecords)):
            self._records.close()

    def through(
        self, function: Callable[[Iterable[_Record]], Iterable[_Record]]
    ) -> Self:
        """The same, seen by a function as they are gone through."""
        return type(self)(function(self), self.notes, self.recipe)


class RecordList(list[_Record]):
    """A list of records, and how they were read.

    Attributes
    ----------
    notes : list of str
        What a user must know of how they were read.
    recipe : dict
        How they were read, for signatures; nothing for our own files.
    """

    def __init__(self, records: ReadRecords[_Record]) -> None:
        super().__init__(records)
        self.notes, self.recipe = records.notes, records.recipe

    def _repr_html_(self) -> str:
        from demur.formats.record_views import records_html

        return records_html(self, self.notes)  # type: ignore[arg-type]


_ANSWER_FIELDS: Final = frozenset(("reference", "references", *_JUDGED_OTHERWISE))


@names_formats
def read_responses(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
) -> list[Response]:
    """Responses from files: FORMATS.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only records whose fields hold these values (one of a list), compared as text.
    max_size, log, columns
        As for `read_outcomes`.

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
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b'{"item": "q1", "response": "Oslo", "confidence": 0.9}')
    >>> demur.read_responses(file)[0].response
    'Oslo'
    """
    how: dict[str, Any] = {"where": where, "max_size": max_size}
    return RecordList(iter_responses(*sources, **how, log=log, columns=columns))


def iter_responses(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
) -> ReadRecords[Response]:
    r"""Responses from files one by one, however long the files.

    Parameters and errors are those of `read_responses`; a fault is raised when its
    record is reached.

    Returns
    -------
    ReadRecords
        Of Response.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"item,response\nq1,Oslo\nq2,\n")
    >>> [response.response for response in iter_responses(file)]
    ['Oslo', None]
    """
    how = {"max_size": max_size, "log": log, "columns": columns}
    records = _records(sources, where, "read_responses", how, verdicts=False)
    return records.through(  # type: ignore[return-value]
        partial(_responses, named=columns)  # type: ignore[arg-type]
    )


def _responses(records: Iterable[_Placed], *, named: Columns) -> Iterator[Response]:
    for place, given in records:
        record = with_nothing(given, "response") if "part" in given else given
        try:
            held = _checked("response", record, place, named)
        except InputError as error:
            raise headings.with_proposals(error, typed_mapping(named)) from None
        if "response" not in record and not (held.get("failed") or held.get("error")):
            raise _lacking("response", ["response"], record, place, named)
        yield as_response({"response": None} | held, place)


@names_formats
def read_references(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
) -> list[Reference]:
    """References from files: FORMATS.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where, max_size, log, columns
        As for `read_responses`.

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
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(
    ...     b'{"item": "q1", "references": ["Oslo", '
    ...     b'{"value": "Christiania", "weight": 0.5}]}')
    >>> demur.read_references(file)[0].alternatives
    (('Oslo', 1.0), ('Christiania', 0.5))
    """
    references: dict[tuple[Any, ...], Reference] = {}
    how: dict[str, Any] = {"where": where, "max_size": max_size}
    read = iter_references(*sources, **how, log=log, columns=columns)
    for reference in read:
        first = references.setdefault((reference.item, reference.part), reference)
        if first is not reference:
            got = f"{shown_value(reference.item)} again, first at {first.place}"
            hint = "Put all acceptable answers into references, or select with where."
            raise InputError(reference.place, "item", "be listed once", got, hint)
    return RecordList(ReadRecords(references.values(), read.notes, read.recipe))


def iter_references(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
    with_excluded: bool = False,
) -> ReadRecords[Reference]:
    """References from files one by one; whoever takes them checks for repeated items.

    Parameters and other errors are those of `read_references`; ``with_excluded`` takes
    excluded turns without an acceptable answer, too.

    Returns
    -------
    ReadRecords
        Of Reference.
    """
    how = {"max_size": max_size, "log": log, "columns": columns, "option": _OPTION}
    records = _records(sources, where, "read_references", how, verdicts=False)
    return records.through(  # type: ignore[return-value]
        partial(_references, named=columns, excluded=with_excluded)  # type: ignore[arg-type]
    )


_OPTION: Final = "--reference-columns"


def _references(
    records: Iterable[_Placed], *, named: Columns, excluded: bool
) -> Iterator[Reference]:
    for place, given in records:
        record = with_nothing(given, "reference") if "part" in given else given
        try:
            free = excluded and dialogue_turn(record, place).excluded
            yield reference_of(record, place, columns=named, needs_answer=not free)
        except InputError as error:
            mapping = typed_mapping(named)
            raise headings.with_proposals(error, mapping, _OPTION) from None


def iter_records(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
) -> ReadRecords[_Placed]:
    r"""Records of files as they stand, each with the place where it was read.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where, max_size, log, columns
        As for `read_responses`.

    Returns
    -------
    ReadRecords
        Of pairs of place and record.

    Raises
    ------
    InputError
        If a file cannot be read, or no record is selected.

    Examples
    --------
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b'{"id": "M1", "meaning": "AM is before noon."}')
    >>> [record["id"] for _, record in demur.iter_records(file)]
    ['M1']
    """
    how = {"max_size": max_size, "log": log, "columns": columns}
    return _records(sources, where, "iter_records", how)


def iter_json(
    source: Source, *, max_size: int = MAX_SIZE
) -> Iterator[tuple[str, dict[str, Any]]]:
    r"""Objects of a JSON list, or of a file with one on each line, with places.

    Parameters
    ----------
    source : path, "-" for the standard input, or binary file
        Plain, or compressed with gzip or zstd.
    max_size : int
        As for `read_outcomes`.

    Yields
    ------
    (place, object)

    Raises
    ------
    InputError
        If it cannot be read, or is a table, where what is missing and what is null are
        one.

    Examples
    --------
    >>> import io
    >>> [record for _, record in iter_json(io.BytesIO(b'{"a": {"b": null}}'))]
    [{'a': {'b': None}}]
    """
    with open_own_table(source, max_size) as opened:
        if not isinstance(opened, JsonTable):
            hint = "In a table nothing tells what is missing from what is null."
            raise InputError(opened.name, "the file", "be JSON", opened.words, hint)
        for number, record in opened.records():
            yield f"{opened.prefix}{number}", record


def reference_of(
    record: Mapping[str, Any],
    place: str,
    *,
    columns: Columns = None,
    needs_answer: bool = True,
) -> Reference:
    """A record of a file as a reference, checked.

    Parameters
    ----------
    record : mapping
        As `iter_records` gives it.
    place : str
        Where it was read.
    columns : str or mapping, optional
        What columns were called, for messages.
    needs_answer : bool
        Whether an answerable item must have an acceptable answer.

    Raises
    ------
    InputError
        If a field is not what it must be.

    Examples
    --------
    >>> reference_of({"item": "q1", "reference": "Oslo"}, "a.jsonl:1").alternatives
    (('Oslo', 1.0),)
    """
    held = _checked("reference", record, place, columns)
    if not needs_answer:
        return as_reference(held, place, otherwise=True)
    if held.get("answerable") is not False and not record.keys() & _ANSWER_FIELDS:
        needed = ["reference", "references", "sql", "min"]
        raise _lacking("reference", needed, record, place, columns)
    # An item may have a query or a range instead of acceptable answers.
    otherwise = any(record.get(name) is not None for name in _JUDGED_OTHERWISE)
    return as_reference(held, place, otherwise=otherwise)


# -- records -----------------------------------------------------------------------


def _records(
    sources: tuple[Source, ...],
    where: Mapping[str, Any] | None,
    caller: str,
    how: Mapping[str, Any],
    *,
    verdicts: bool = True,
) -> ReadRecords[_Placed]:
    notes: list[str] = []
    recipe: dict[str, str] = {}

    def records() -> Iterator[_Placed]:
        selection = Selection(where)
        names = []
        failures = _NamelessFailures()
        for source in sources:
            with open_table(source, **how) as opened:
                names.append(opened.name)
                if opened.judged:  # said at once; how, at its end
                    recipe.setdefault("log", "")
                selection.absent = set(selection.wanted)
                left = {*opened.renamed}
                left |= {*_VERDICT} if opened.judged and not verdicts else set()
                for number, record in _selected(opened, selection):
                    kept = _without(left, record) if left else record
                    placed = f"{opened.prefix}{number}", kept
                    yield from (failures.others(placed) if opened.judged else [placed])
                for name in selection.absent:
                    raise headings.unknown(opened.name, "where", name, opened.names())
                notes.extend(opened.notes)
                add_recipe(recipe, opened.recipe)
        if not names:
            raise InputError(caller, "the sources", "be at least one", "none")
        selection.check(", ".join(names))
        yield from failures.named()

    return ReadRecords(records(), notes, recipe)


def _selected(
    opened: RecordFile, selection: Selection
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The wanted records of a table, each with its number."""
    if not selection.wanted:
        return opened.records()
    if opened.named:  # only tables whose columns somebody has named
        from demur.formats.column_mappings import MappedTable

        if isinstance(opened, MappedTable) and opened.selects_before(selection):
            return opened.records(selection)
    return ((number, r) for number, r in opened.records() if selection.has(r))


class _NamelessFailures:
    """Requests of logs that failed and name no system, as in a file of errors alone.

    They are of the one system that the other records name, and follow them.
    """

    def __init__(self) -> None:
        self._held: list[_Placed] = []
        self._systems: set[Any] = set()

    def others(self, placed: _Placed) -> Iterator[_Placed]:
        """The record, unless it is one."""
        place, record = placed
        system = record.get("system")
        if system is None and record.get("failed"):
            self._held.append(placed)
            return
        if isinstance(system, str):  # all else is refused where it is read
            self._systems.add(system)
        yield place, record

    def named(self) -> Iterator[_Placed]:
        """All of them."""
        system = {"system": self._systems.pop()} if len(self._systems) == 1 else {}
        for place, record in self._held:
            yield place, record | system


_VERDICT: Final = ("outcome", "correct", "credit", "reason", "reason_code")
"""What another tool's log says of an answer that is judged anew."""


def _without(names: Collection[str], record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in names}


def _lacking(
    kind: str, needed: list[str], record: Mapping[str, Any], place: str, named: Columns
) -> InputError:
    before = typed_mapping(named)
    how: dict[str, Any] = {"records": [record], "named": before, "kind": kind}
    return headings.lacking_columns(place, [needed], record, **how)


def _of_each_part(name: str, value: Any) -> bool:
    """Whether a confidence is one for each part of an answer that is taken apart."""
    return name == "confidence" and isinstance(value, (list, dict))


def _checked(
    kind: str, record: Mapping[str, Any], place: str, named: Columns
) -> dict[str, Any]:
    """The fields that hold something, those of the record checked by their type."""
    if "item" not in record:
        raise _lacking(kind, ["item"], record, place, named)
    names = [name for name in fields.names_of(kind) if name in record]
    try:
        typed = {
            name: checked(name, record[name], place)
            for name in names
            if not (kind == "response" and _of_each_part(name, record[name]))
        }
    except InputError as error:
        from demur.outcomes.proposed_forms import with_forms

        raise with_forms(error, [record.get(error.what)]) from None
    held = {**record, **typed}
    return {name: value for name, value in held.items() if value is not None}
