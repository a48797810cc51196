"""Outcomes from files: blocks of columns put together as one table."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath
from typing import Any, Final, TypeVar

import numpy as np

from demur import checks
from demur.errors import InputError, ParseError
from demur.formats import headings
from demur.formats.delimited import DelimitedTable
from demur.formats.json_lines import JsonTable
from demur.formats.parquet import ParquetTable
from demur.formats.selection import Selection
from demur.formats.streams import (
    MAX_SIZE,
    RecordFile,
    RowBlock,
    Source,
    Wanted,
    are_small,
    nothing,
    opened,
)
from demur.outcomes import fields
from demur.outcomes.building import KEY_NAMED, apart_hint
from demur.outcomes.columns import Column, SharedTexts, masked, missing
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.outcomes.table import Outcomes
from demur.outcomes.values import checked, shown_value

FORMATS: Final[tuple[type[RecordFile], ...]] = (JsonTable, ParquetTable, DelimitedTable)
"""What reads files; the first that recognises one reads it."""

READABLE: Final = " or ".join(", ".join(f.words for f in FORMATS).rsplit(", ", 1))

_Function = TypeVar("_Function", bound=Callable[..., Any])


def names_formats(function: _Function) -> _Function:
    """Decorator: ``FORMATS`` in the docstring becomes the names of what can be read."""
    function.__doc__ = (function.__doc__ or "").replace("FORMATS", READABLE)
    return function


_FOREIGN: Final = {
    b"PK\x03\x04": "a zip archive (or an .xlsx workbook)",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"SQLite format 3": "an SQLite database",
    b"ARROW1": "an Arrow file",
    b"%PDF": "a PDF file",
}


@contextmanager
def open_table(source: Source, max_size: int = MAX_SIZE) -> Iterator[RecordFile]:
    """A source as a table.

    Raises
    ------
    InputError
        If it cannot be opened.
    ParseError
        If it is empty, of a foreign kind, or not what its first bytes promise.
    """
    with opened(source, max_size) as stream:
        if not stream.head:
            raise nothing(stream.name, "an empty file")
        for magic, kind in _FOREIGN.items():
            if stream.head.startswith(magic):
                need = f"be {READABLE}, plain or in gzip or zstd"
                hint = "Unpack it, or export it as one of these."
                raise ParseError(stream.name, "the file", need, kind, hint)
        reader = next(form for form in FORMATS if form.recognises(stream.head))
        yield reader(stream)


_ANSWERS: Final = ("outcome", "correct")
_NEEDED: Final = (("item",), _ANSWERS)
_APART: Final = ("system", "setting", "repeat")


@names_formats
def read_outcomes(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    groups: Sequence[str] | None = (),
    display: bool = False,
    max_size: int = MAX_SIZE,
) -> Outcomes:
    r"""Judged responses from files: FORMATS.

    Formats, compression (gzip, zstd) and encoding are recognised by content.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only rows whose columns hold these values (one of a list), compared as text;
        the empty text is a missing value. Rows are selected before anything in them is
        checked.
    groups : sequence of str, or None
        Further columns to keep, as text; None keeps all of them.
    display : bool
        Whether to keep the columns input, response and reference.
    max_size : int
        How many bytes a compressed file may hold: 4 GiB. Against files that are made
        to fill the memory; a line, or a JSON array, may be a sixteenth of it.

    Returns
    -------
    Outcomes

    Raises
    ------
    InputError
        If a file cannot be read, a named column is absent, no row is selected, or a
        value is not what its column must hold; the message names file and line.

    Examples
    --------
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b"item,correct,confidence\nq1,true,0.9\nq2,,\n")
    >>> demur.read_outcomes(file)
    Outcomes(2 rows, 1 system: 1 right, 0 wrong, 1 unanswered, 0 ungraded)
    """
    if groups is not None:
        groups = checks.names("read_outcomes", "groups", groups)
    checks.number("read_outcomes", "max_size", max_size, 0)
    selection = Selection(where) if where else None
    kept = None if groups is None else tuple(groups)
    wanted = Wanted(selection, kept, display, responses=are_small(sources))
    gathered = _Gathered()
    names = []
    for source in sources:
        with open_table(source, max_size) as opened:
            names.append(opened.name)
            gathered.add_all(opened, wanted)
    if not names:
        raise InputError("read_outcomes", "the sources", "be at least one", "none")
    if selection is not None:
        selection.check(", ".join(names))
    if len(names) > 1:
        gathered.name_by_file(file_names(names))
    outcomes = gathered.outcomes(selection)
    if not (display or "response" in (kept or ())):
        outcomes = replace(outcomes, response=None)
    return outcomes


def file_names(paths: Sequence[str]) -> list[str]:
    """What systems without a name are called: their file's name without endings.

    Where two would be the same, all keep their paths.

    Examples
    --------
    >>> file_names(["runs/a.jsonl", "b.csv.gz"]), file_names(["x/a.csv", "y/a.csv"])
    (['a', 'b'], ['x/a.csv', 'y/a.csv'])
    """
    short = [PurePath(path).name.split(".")[0] or path for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


class _Gathered:
    """Blocks of columns, on their way to one table."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._parts: dict[str, list[tuple[int, Column]]] = {}
        self._shared: dict[str, SharedTexts] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._origins: list[tuple[str, Sequence[int]]] = []
        self._notes: list[str] = []
        self._further: dict[str, None] = {}  # columns without a meaning here

    def add_all(self, opened: RecordFile, wanted: Wanted) -> None:
        """Add the selected rows of a file."""
        present: set[str] = set()
        for block in opened.blocks(wanted):
            if not present:
                _check_own(opened, block)
            _check_alike(opened, block, present)
            present |= block.present
            self._add(opened.prefix, block)
        confidence = "confidence" in present
        self._notes += fields.unread(opened.names(), confidence=confidence)
        known = fields.columns()
        self._further |= dict.fromkeys(n for n in opened.names() if n not in known)
        for name, argument in wanted.named().items():
            if name not in present:
                raise headings.unknown(opened.name, argument, name, opened.names())
        self._ends.append(self.n_rows)

    def name_by_file(self, names: Sequence[str]) -> None:
        """Name systems that have no name by their files, if these share items.

        Else the files are parts of one system.
        """
        if "system" in self._parts or "item" not in self._parts:
            return
        items = self._joined("item", keep=True)
        files = list(pairwise([0, *self._ends]))
        sets = [set(map(str, items[start:end].tolist())) for start, end in files]
        # Files without a common item may be parts of one system.
        if sum(map(len, sets)) == len(set().union(*sets)):
            return
        for (start, end), name in zip(files, names, strict=True):
            column = np.full(end - start, name, object)
            self._parts.setdefault("system", []).append((start, column))
        listed = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        self._notes.append(f"systems are named by their files: {listed}")

    def _add(self, prefix: str, block: RowBlock) -> None:
        if not len(block.numbers):
            return
        for name, values in block.columns.items():
            if values.dtype == object and self._recurs(name):
                values = self._shared.setdefault(name, SharedTexts()).column(values)
            self._parts.setdefault(name, []).append((self.n_rows, values))
        self._starts.append(self.n_rows)
        self._origins.append((prefix, block.numbers))
        self.n_rows += len(block.numbers)

    def _recurs(self, name: str) -> bool:
        """Whether texts of a column are worth sharing.

        Items recur only where there is more than one system, setting or repeat.
        """
        if name == "item":
            return any(len(self._shared.get(other, ())) > 1 for other in _APART)
        return fields.column_type(name) != "any"

    def outcomes(self, selection: Selection | None) -> Outcomes:
        """The table; of rows with one key is said what may tell them apart."""
        try:
            return self._outcomes(selection)
        except InputError as error:
            if error.what != KEY_NAMED or not self._further:
                raise
            hint = apart_hint(list(self._further))
            apart = error.where, error.what, error.must, error.got, hint
            raise InputError(*apart) from None

    def _outcomes(self, selection: Selection | None) -> Outcomes:
        self._shared.clear()
        if all(name in self._parts for name in _ANSWERS):
            self._unite_answers()
        known = fields.columns()
        present = [name for name in known if name in self._parts]
        further = [name for name in self._parts if name not in known]
        return Outcomes.from_columns(
            {name: masked(self._joined(name)) for name in present},
            groups={name: self._joined(name) for name in further},
            locate=self.place,
            recipe={} if selection is None else {"where": selection.text()},
            notes=[
                *([] if selection is None else [selection.note()]),
                *dict.fromkeys(self._notes),
            ],
        )

    def place(self, row: int) -> str:
        """Where a row comes from, as messages name it."""
        at = bisect_right(self._starts, row) - 1
        prefix, numbers = self._origins[at]
        return f"{prefix}{numbers[row - self._starts[at]]}"

    def _joined(self, name: str, *, keep: bool = False) -> Column:
        parts = self._parts[name] if keep else self._parts.pop(name)
        whole = missing(name, self.n_rows).astype(parts[0][1].dtype)
        for start, values in parts:
            whole[start : start + len(values)] = values
        return whole

    def _unite_answers(self) -> None:
        """Some files have outcomes, others say what is correct: make all outcomes."""
        for start, correct in self._parts.pop("correct"):
            outcome = np.where(correct > 0, RIGHT, WRONG).astype(np.uint8)
            outcome[np.isnan(correct)] = UNANSWERED
            self._parts["outcome"].append((start, outcome))
            credit = np.where(np.isnan(correct), 0.0, correct)
            self._parts.setdefault("credit", []).append((start, credit))


def _check_own(opened: RecordFile, block: RowBlock) -> None:
    """A file has items, and says in one way what became of them."""
    needed = [any_of for any_of in _NEEDED if block.present.isdisjoint(any_of)]
    if needed:
        raise headings.lacking_columns(opened.name, needed, opened.names())
    if block.present >= set(_ANSWERS):
        hint = "Leave one out."
        need = "have one of outcome and correct"
        raise InputError(opened.name, "the columns", need, "both", hint)
    if block.present >= {"correct", "credit"}:
        need = "not stand beside correct, which holds credits already"
        hint = "Leave one out."
        raise InputError(opened.name, "credit", need, "both columns", hint)


def _check_alike(opened: RecordFile, block: RowBlock, present: set[str]) -> None:
    if not present or not block.numbers:
        return
    place = f"{opened.prefix}{block.numbers[0]}"
    needed = ("item", *_ANSWERS)
    for name in needed:
        if name in present and name not in block.present:
            raise headings.absent(place, name)
    for name in needed:
        if name in block.present and name not in present:
            need, got = "be present in every record or in none", "the first here"
            hint = "Add it to the records above, or leave it out here."
            raise InputError(place, name, need, got, hint)


_JUDGED_OTHERWISE: Final = ("sql", "sqls", "min", "max")

_ANSWER_FIELDS: Final = frozenset(("reference", "references", *_JUDGED_OTHERWISE))


@names_formats
def read_responses(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
) -> list[Response]:
    """Responses from files: FORMATS.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where : mapping of column to value or list of values, optional
        Only records whose fields hold these values (one of a list), compared as text.
    max_size : int
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
    return list(iter_responses(*sources, where=where, max_size=max_size))


def iter_responses(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
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
    for place, record in _records(sources, where, "read_responses", max_size):
        held = _checked("response", record, place)
        if "response" not in record and not (held.get("failed") or held.get("error")):
            raise headings.lacking_columns(place, [["response"]], record)
        yield as_response({"response": None} | held, place)


@names_formats
def read_references(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
) -> list[Reference]:
    """References from files: FORMATS.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where, max_size : mapping and int, optional
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
    references: dict[str | int, Reference] = {}
    for reference in iter_references(*sources, where=where, max_size=max_size):
        first = references.setdefault(reference.item, reference)
        if first is not reference:
            got = f"{shown_value(reference.item)} again, first at {first.place}"
            hint = "Put all acceptable answers into references, or select with where."
            raise InputError(reference.place, "item", "be listed once", got, hint)
    return list(references.values())


def iter_references(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
) -> Iterator[Reference]:
    """References from files one by one; whoever takes them checks for repeated items.

    Parameters and other errors are those of `read_references`.

    Yields
    ------
    Reference
    """
    for place, record in _records(sources, where, "read_references", max_size):
        yield reference_of(record, place)


def iter_records(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    max_size: int = MAX_SIZE,
) -> Iterator[tuple[str, dict[str, Any]]]:
    r"""Records of files as they stand, each with the place where it was read.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        Several are put together, in this order.
    where, max_size : mapping and int, optional
        As for `read_responses`.

    Yields
    ------
    (place, record)

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
    yield from _records(sources, where, "iter_records", max_size)


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
    with open_table(source, max_size) as opened:
        if not isinstance(opened, JsonTable):
            hint = "In a table nothing tells what is missing from what is null."
            raise InputError(opened.name, "the file", "be JSON", opened.words, hint)
        for number, record in opened.records():
            yield f"{opened.prefix}{number}", record


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
    held = _checked("reference", record, place)
    if held.get("answerable") is not False and not record.keys() & _ANSWER_FIELDS:
        needed = ["reference", "references", "sql", "min"]
        raise headings.lacking_columns(place, [needed], record)
    # An item may have a query or a range instead of acceptable answers.
    otherwise = any(record.get(name) is not None for name in _JUDGED_OTHERWISE)
    return as_reference(held, place, otherwise=otherwise)


# -- records -----------------------------------------------------------------------


def _records(
    sources: tuple[Source, ...],
    where: Mapping[str, Any] | None,
    caller: str,
    max_size: int,
) -> Iterator[tuple[str, dict[str, Any]]]:
    selection = Selection(where)
    names = []
    for source in sources:
        with open_table(source, max_size) as opened:
            names.append(opened.name)
            absent = set(selection.wanted)
            for number, record in opened.records():
                absent -= record.keys()
                if not selection.wanted or selection.has(record):
                    yield f"{opened.prefix}{number}", record
            for name in absent:
                raise headings.unknown(opened.name, "where", name, opened.names())
    if not names:
        raise InputError(caller, "the sources", "be at least one", "none")
    selection.check(", ".join(names))


def _checked(kind: str, record: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The fields that hold something, those of the record checked by their type."""
    if "item" not in record:
        raise headings.lacking_columns(place, [["item"]], record)
    typed = {
        name: checked(name, record[name], place)
        for name in fields.names_of(kind)
        if name in record
    }
    held = {**record, **typed}
    return {name: value for name, value in held.items() if value is not None}
