"""Outcomes from files: blocks of columns put together as one table."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from demur import checks
from demur.errors import InputError, ParseError
from demur.formats import headings
from demur.formats.delimited import FOREIGN, DelimitedTable
from demur.formats.json_lines import JsonTable, lists_parts
from demur.formats.parquet import ParquetTable
from demur.formats.streams import (
    BEGINNING,
    MAX_SIZE,
    PARQUET,
    RecordFile,
    RowBlock,
    Source,
    Stream,
    Wanted,
    nothing,
    opened,
)
from demur.formats.workbook import Workbook
from demur.outcomes import fields
from demur.outcomes.building import KEY_NAMED
from demur.outcomes.columns import Column, SharedTexts, masked, missing
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG
from demur.outcomes.table import Outcomes

if TYPE_CHECKING:
    from demur.formats.selection import Selection
    from demur.logs import ItemReader

FORMATS: Final[tuple[type[RecordFile], ...]] = (
    *(JsonTable, ParquetTable, Workbook, DelimitedTable),
)
"""What reads files; the first that recognises one reads it."""

READABLE: Final = " or ".join(", ".join(f.words for f in FORMATS).rsplit(", ", 1))

Columns = str | Mapping[str, str] | Mapping[str, Mapping[str, str]] | None
"""What columns are called: ``item=id, response=answer``, a mapping, or one by file."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def names_formats(function: _Function) -> _Function:
    """Decorator: ``FORMATS`` in the docstring becomes the names of what can be read."""
    function.__doc__ = (function.__doc__ or "").replace("FORMATS", READABLE)
    return function


KEPT: Final = re.compile(r"(?:kept|(?P<store>.+\.sqlite)):(?P<run>.*)", re.DOTALL)
"""Runs of a store, as addresses: ``kept:main``, ``runs.sqlite:12``."""

_NAMED: Final = rb'(?=(?:[^\n]*[,;\t])?"?(?:%s)"?\s*(?:[,;\t\r\n]|\Z))'
_OURS: Final = re.compile(
    rb'\[?\s*\{\s*"item"\s*:(?!(?s:.*)"(?:choices|output)"\s*:)|(?![\[{])'
    + _NAMED % b"item"
    + _NAMED % b"outcome|correct|response|references?"
)
"""How files of ours begin, for which no log need be looked for."""


@contextmanager
def open_table(
    source: Source,
    max_size: int = MAX_SIZE,
    *,
    log: str | None = None,
    columns: "Columns" = None,
    option: str = "--columns",
) -> Iterator[RecordFile]:
    """A source as a table.

    Parameters
    ----------
    source : path, "-" for the standard input, or binary file
    max_size : int
        As for `read_outcomes`.
    log : str, optional
        Whose log it is; else that is told by content.
    columns : str or mapping, optional
        Which of its columns have a meaning here.
    option : str
        Where that is typed, for messages.

    Raises
    ------
    InputError
        If it cannot be opened.
    ParseError
        If it is empty, of a foreign kind, or not what its first bytes promise.
    """
    named = None
    if columns is not None:
        from demur.formats.column_mappings import (
            column_mapping,
            mapped_table,
            mapping_of,
        )

        named = mapping_of(columns, source)
    mapped = {} if named is None else column_mapping(named)
    if kept := kept_run(source):
        from demur.store.kept_tables import opened_run

        with opened_run(kept, log) as run:
            yield mapped_table(run, mapped) if mapped else run
        return
    with _begun(source, max_size) as stream:
        read = _opened_log(stream, log, named=named is not None)
        table = _opened_table(stream, mapped) if read is None else read
        try:
            yield mapped_table(table, mapped) if mapped else table
        except InputError as error:
            if error.what == headings.COLUMNS and log is None and named is None:
                error = _with_reader(error, stream)
            raise headings.with_proposals(error, mapped, option) from None


def kept_run(source: Any) -> "re.Match[str] | None":
    """The run of a store that a text names; None if it names a file, such as ./kept:a.

    Examples
    --------
    >>> kept_run("runs.sqlite:main")["run"], kept_run("./kept:main")
    ('main', None)
    """
    kept = KEPT.fullmatch(source) if isinstance(source, str) else None
    is_file = kept and kept["store"] and Path(source).exists()
    return None if is_file else kept


def typed_mapping(columns: Columns) -> dict[str, str]:
    """What is called otherwise in all files; nothing if that is said file by file."""
    if columns is None:
        return {}
    from demur.formats.column_mappings import column_mapping, mapping_of

    named = mapping_of(columns, "")
    return {} if named is None else column_mapping(named)


@contextmanager
def open_own_table(source: Source, max_size: int = MAX_SIZE) -> Iterator[RecordFile]:
    """A source as a table of its own columns, whoever wrote it; as `open_table`."""
    with _begun(source, max_size) as stream:
        yield _opened_table(stream, {})


@contextmanager
def _begun(source: Source, max_size: int) -> Iterator[Stream]:
    with opened(source, max_size) as stream:
        if not stream.head:
            raise nothing(stream.name, "an empty file")
        at = stream.head.find(b"DUCK", 0, 12)  # its checksum may begin with blanks
        if at >= 0 and b"\0" in stream.head[at + 4 : at + 12]:
            got, hint = "a database of DuckDB", f"Name a table: {stream.name}:TABLE."
            raise ParseError(stream.name, "the file", f"be {READABLE}", got, hint)
        yield stream


def _opened_table(stream: Stream, mapped: Mapping[str, str]) -> RecordFile:
    for magic, (kind, hint) in FOREIGN.items():
        if stream.head.startswith(magic):
            need = f"be {READABLE}, plain or in gzip or zstd"
            raise ParseError(stream.name, "the file", need, kind, hint)
    reader = next(form for form in FORMATS if form.recognises(stream.head))
    if reader is JsonTable and lists_parts(stream.head):
        from demur.formats.nested_tables import NestedTable

        return NestedTable(stream)
    if mapped and reader is Workbook:
        from demur.formats.column_mappings import fields_of

        return Workbook(stream, columns=fields_of(mapped))
    return reader(stream)


def _opened_log(stream: Stream, log: str | None, *, named: bool) -> RecordFile | None:
    """The file as another tool's log, if it is named or looks like one."""
    if log is None and (named or _is_ours(stream)):
        return None
    from demur import logs

    if log is not None:
        return logs.item_log(log).table(stream)
    reader = _recognised(stream)
    if reader is None and not stream.head.startswith(PARQUET):
        from demur.logs.totals import refuse_totals

        refuse_totals(stream.name, _keys(stream), stream.head)
    return None if reader is None else reader.table(stream)


def _is_ours(stream: Stream) -> bool:
    """Whether a file names items as ours do, and is not what another tool writes."""
    begins = stream.head[:BEGINNING]
    ours = _OURS.match(begins)
    if ours and _CONTEXTS not in begins:
        return True
    from demur.formats.beginnings import are_ours

    return are_ours(_keys(stream), begun=bool(ours))


_CONTEXTS: Final = b"retrieved_contexts"


def _keys(stream: Stream) -> frozenset[str]:
    if stream.head.startswith(PARQUET):
        return frozenset(ParquetTable(stream).names())
    from demur.formats.beginnings import keys_of

    return keys_of(stream.head, stream.file)


def _recognised(stream: Stream) -> "ItemReader | None":
    from demur import logs

    if stream.head.startswith(PARQUET):
        return logs.recognised_table(ParquetTable(stream).names())
    return logs.recognised(_keys(stream), stream.head)


def _with_reader(error: InputError, stream: Stream) -> InputError:
    """The error for a file of ours that lacks columns, and has those of a log."""
    reader = _recognised(stream)
    if reader is None:
        return error
    hint = f"If it is {reader.title}, type --log {reader.name}. {error.hint}"
    return error.with_hint(hint)


_ANSWERS: Final = ("outcome", "correct")
_NEEDED: Final = (("item",), _ANSWERS)
_LEAVE_OUT: Final = "Leave one out."
_IN_ALL: Final = "Add it to the records above, or leave it out here."
_APART: Final = ("system", "setting", "repeat")


@names_formats
def read_outcomes(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    groups: Sequence[str] | None = (),
    display: bool = False,
    max_size: int = MAX_SIZE,
    log: str | None = None,
    columns: Columns = None,
    repeated: Literal["error", "first", "last"] = "error",
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
    log : str, optional
        Whose log the files are, with options: ``"inspect(scorer=match)"``. Without it
        the logs of other tools (see the page on logs) are recognised by content.
    columns : str, mapping of column to path, or such mappings by file, optional
        What columns with a meaning here are called in the files:
        ``"item=id, correct=score >= 0.5"``.
    repeated : {"error", "first", "last"}
        Which row counts of those with one key, in the order of the files; "error"
        refuses them, but for rows of one file that are equal: these count once.

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
    checks.choice("read_outcomes", "repeated", repeated, ("error", "first", "last"))
    kept = None if groups is None else tuple(groups)
    wanted = Wanted(_selection(where), kept, display, responses=_are_small(sources))
    how = {"max_size": max_size, "log": log, "columns": columns}
    try:
        outcomes = _read(sources, wanted, how)
    except InputError as error:
        if error.what != KEY_NAMED:
            raise
        if "-" in sources or not all(isinstance(path, _PATHS) for path in sources):
            raise error.with_hint(headings.READ_ONCE) from None
        # All columns are read, to say in which rows of one key differ.
        from demur.outcomes.repeated_keys import given_again

        again = given_again(error.repeated, _cells(sources, how), repeated)
        _read(sources, Wanted(_selection(where), None, display=True), how, again)
        wanted = replace(wanted, selection=_selection(where))
        outcomes = _read(sources, wanted, how, again)
    if repeated != "error":
        outcomes = replace(outcomes, recipe={**outcomes.recipe, "repeated": repeated})
    if not (display or "response" in (kept or ())):
        outcomes = replace(outcomes, response=None)
    return outcomes


_PATHS: Final = (str, PurePath)


def _cells(
    sources: Sequence[Source], how: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows as they stand in files, each with its place; logs hold more than these."""
    for source in sources:
        with open_table(source, **how) as opened:
            if not (opened.judged or opened.apart or "log" in opened.recipe):
                for number, record in opened.cells():
                    yield f"{opened.prefix}{number}", record


def _read(
    sources: Sequence[Source],
    wanted: Wanted,
    how: Mapping[str, Any],
    again: tuple[frozenset[int], str] = (frozenset(), ""),
) -> Outcomes:
    gathered = _Gathered(again)
    names = []
    for source in sources:
        with open_table(source, **how) as opened:
            names.append(opened.name)
            gathered.add_all(opened, wanted)
    if not names:
        raise InputError("read_outcomes", "the sources", "be at least one", "none")
    if wanted.selection is not None:
        wanted.selection.check(", ".join(names))
    if len(names) > 1:
        gathered.name_by_file(file_names(names))
    return gathered.outcomes(wanted.selection)


_SMALL: Final = 16 << 20
"""Bytes of files in which refusals among the wrong answers are looked for."""


def _are_small(sources: Sequence[Source]) -> bool:
    """Whether files are so small that reading what was said takes no time to notice."""
    paths = [source for source in sources if isinstance(source, _PATHS)]
    sizes = [Path(path).stat().st_size for path in paths if Path(path).is_file()]
    return len(sizes) == len(sources) and sum(sizes) <= _SMALL


def _selection(where: Mapping[str, Any] | None) -> "Selection | None":
    if not where:
        return None
    from demur.formats.selection import Selection

    return Selection(where)


def file_names(paths: Sequence[str]) -> list[str]:
    """What systems without a name are called: their file's name without endings.

    Where two would be the same, all keep their paths.

    Examples
    --------
    >>> file_names(["runs/a.jsonl", "b.csv.gz"]), file_names(["x/a.csv", "y/a.csv"])
    (['a', 'b'], ['x/a.csv', 'y/a.csv'])
    """
    short = [
        path if kept_run(path) else PurePath(path).name.split(".")[0] or path
        for path in paths
    ]
    return short if len(set(short)) == len(short) else list(paths)


def add_recipe(recipe: dict[str, str], further: Mapping[str, str]) -> None:
    """Take in how a further file was read; what was read in several ways says all.

    Examples
    --------
    >>> recipe = {"log": "inspect(scorer=a)"}
    >>> add_recipe(recipe, {"log": "inspect(scorer=b)"})
    >>> recipe
    {'log': 'inspect(scorer=a); inspect(scorer=b)'}
    """
    for name, text in further.items():
        ways = recipe.get(name, "").split("; ")
        recipe[name] = "; ".join(dict.fromkeys(filter(None, [*ways, text])))


class _Gathered:
    """Blocks of columns, on their way to one table."""

    def __init__(self, again: tuple[frozenset[int], str]) -> None:
        self.n_rows = 0
        self._again = again
        self._parts: dict[str, list[tuple[int, Column]]] = {}
        self._shared: dict[str, SharedTexts] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._origins: list[tuple[str, Sequence[int]]] = []
        self._notes: list[str] = []
        self._recipe: dict[str, str] = {}  # how files that are not ours were read
        self._of_log = False
        self._named: Mapping[str, str] = {}
        self._apart = ""  # what to type of a log whose rows have one key

    def add_all(self, opened: RecordFile, wanted: Wanted) -> None:
        """Add the selected rows of a file."""
        present: set[str] = set()
        for block in opened.blocks(wanted):
            if not present:
                _check_own(opened, block)
            _check_alike(opened, block, present)
            present |= block.present
            self._add(opened.prefix, block)
        self._notes += opened.notes
        add_recipe(self._recipe, opened.recipe)
        confidence = "confidence" in present
        names = [name for name in opened.names() if name not in opened.renamed]
        self._notes += fields.unread(names, confidence=confidence)
        self._apart = opened.apart
        self._named = opened.named
        self._of_log |= opened.judged
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
        from demur.formats.files_of_systems import systems_by_file

        items = self._joined("item", keep=True)
        parts, notes = systems_by_file(items, self._ends, names)
        self._parts |= {"system": parts} if parts else {}
        self._notes += notes

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

    def outcomes(self, selection: "Selection | None") -> Outcomes:
        """The table; of what is at fault is said what to type."""
        try:
            return self._outcomes(selection)
        except InputError as error:
            if error.what == KEY_NAMED:
                again = "log" in self._recipe and len(self._ends) > 1
                hint = f"{headings.RUN_AGAIN} {error.hint}" if again else error.hint
                if self._apart:
                    hint += f" Type --log '{self._apart}'."
                if again or self._apart:
                    raise error.with_hint(hint) from None
            raise headings.with_proposals(error, self._named) from None

    def _outcomes(self, selection: "Selection | None") -> Outcomes:
        self._shared.clear()
        if all(name in self._parts for name in _ANSWERS):
            self._unite_answers()
        if self._of_log and "confidence" in self._parts:
            self._take_for_least_sure()
        if selection is not None:
            add_recipe(self._recipe, {"where": selection.text()})
        known = fields.columns()
        present = [name for name in known if name in self._parts]
        further = [name for name in self._parts if name not in known]
        again, note = self._again
        kept: Any = np.delete(range(self.n_rows), [*again]) if again else slice(None)
        return Outcomes.from_columns(
            {name: masked(self._joined(name)[kept]) for name in present},
            groups={name: self._joined(name)[kept] for name in further},
            locate=lambda row: self.place(int(kept[row]) if again else row),
            recipe=self._recipe,
            notes=[
                *([] if selection is None else [selection.note()]),
                *dict.fromkeys([*self._notes, *filter(None, [note])]),
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

    def _take_for_least_sure(self) -> None:
        """Guesses of a log without a confidence, where the system has others."""
        from demur.outcomes.declined_logs import least_sure

        confidence = self._joined("confidence")
        outcome = self._joined("outcome", keep=True)
        system = np.full(self.n_rows, "", object)
        if "system" in self._parts:
            system = self._joined("system", keep=True)
        self._notes += least_sure(confidence, outcome, system)
        self._parts["confidence"] = [(0, confidence)]

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
        raise headings.lacking_columns(
            opened.name,
            needed,
            opened.names(),
            records=opened.beginning(),
            of_texts=opened.of_texts,
            named=opened.named,
        )
    if block.present >= set(_ANSWERS):
        need = "have one of outcome and correct"
        raise InputError(opened.name, "the columns", need, "both", _LEAVE_OUT)
    if block.present >= {"correct", "credit"}:
        need = "not stand beside correct, which holds credits already"
        raise InputError(opened.name, "credit", need, "both columns", _LEAVE_OUT)


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
            need, hint = "be present in every record or in none", _IN_ALL
            raise InputError(place, name, need, "the first here", hint)
