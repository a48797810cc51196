"""What columns are called in a file that is not ours: ``item=id, response=answer``."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import compress
from typing import Any, ClassVar, Final

from msgspec import UNSET

from demur.checks import choice, did_you_mean, mapping
from demur.errors import InputError, ParseError, masked, one_line, shown
from demur.formats import headings
from demur.formats.column_forms import (
    OF_TYPED,
    cases_of,
    compared_word,
    parts_of,
    value_of,
)
from demur.formats.delimited import DelimitedTable
from demur.formats.json_lines import JsonTable, RawBlock
from demur.formats.paths import path_fields
from demur.formats.record_blocks import block_of, gathered
from demur.formats.selection import Selection
from demur.formats.side_by_side import sides_of
from demur.formats.side_by_side_tables import SideBySideTable
from demur.formats.streams import RecordFile, RowBlock, Wanted
from demur.formats.written_cells import WrittenCells
from demur.outcomes.fields import FIELDS, NUMERIC, column_type, columns
from demur.outcomes.values import as_text, cell_rule

_WHERE: Final = "columns"
_NEEDED: Final = ("item", "outcome", "correct")
_VERDICTS: Final = frozenset(("outcome", "correct"))
"""Who names one of them means it in place of the other."""


def column_mapping(given: str | Mapping[str, str]) -> dict[str, str]:
    """What stands for each column, by its name.

    Parameters
    ----------
    given : str or mapping
        ``NAME=PATH, NAME=FORM(PATH)``, or the same as a mapping.

    Raises
    ------
    InputError
        If it is not of that form, or names what is no column.

    Examples
    --------
    >>> column_mapping("item=custom_id, correct=score >= 0.5")
    {'item': 'custom_id', 'correct': 'score >= 0.5'}
    """
    if isinstance(given, str):
        named = dict(_named_parts(given))
    else:
        mapping(_WHERE, "the mapping", given)
        named = {str(name): str(path) for name, path in given.items()}
    if not named:
        raise InputError(_WHERE, "the mapping", "name a column", "none", _SUCH_AS)
    known = (*dict.fromkeys((*FIELDS, *columns())),)
    for name in named:
        if not (name in known or re.fullmatch(r"\w[\w -]*", name)):
            need = "be a name"
            raise InputError(_WHERE, "a column", need, shown(name), _SUCH_AS)
        near = did_you_mean(name, known)
        if name not in known and near:
            choice(_WHERE, "a column", name, known)
    return named


_SUCH_AS: Final = "Such as: item=id, response=answer, correct=score >= 0.5."

ALL_FILES: Final = "*"
"""The pattern that every file fits."""


def columns_typed(text: str) -> str | dict[str, Any]:
    """A mapping as it is typed; of several files, the mapping of each.

    What stands before no file is said of all of them. A file may be a pattern.

    Parameters
    ----------
    text : str
        ``NAME=PATH, NAME=PATH``, or several of these: ``...; FILE: NAME=PATH; ...``.

    Raises
    ------
    InputError
        If it is not of that form, or names what is no column.

    Examples
    --------
    >>> columns_typed("item=id")
    'item=id'
    >>> columns_typed("item=id; b.csv: confidence=sure")
    {'b.csv': {'item': 'id', 'confidence': 'sure'}, '*': {'item': 'id'}}
    """
    begun = [(_OF_FILE.fullmatch(part), part) for part in parts_of(text, ";")]
    if not any(of_file for of_file, _ in begun):
        column_mapping(text)
        return text
    by_file: dict[str, dict[str, str]] = {}
    for of_file, part in begun:
        pattern, named = of_file.groups() if of_file else (ALL_FILES, part)
        if pattern.strip() in by_file:
            need, got = "be said of each file once", shown(pattern.strip())
            raise ParseError(_WHERE, "the mapping", need, got, _SUCH_AS_FILES)
        by_file[pattern.strip()] = column_mapping(named)
    of_all = by_file.pop(ALL_FILES, {})
    merged = {file: _beside(named, of_all) for file, named in by_file.items()}
    return merged | ({ALL_FILES: of_all} if of_all else {})


_OF_FILE: Final = re.compile(r"([^=]+):(\s*\w[\w -]*=.*)", re.DOTALL)
"""A file, and what its columns are called; no name of ours holds a colon."""
_SUCH_AS_FILES: Final = "Such as: item=id; b.csv: confidence=sure."


def _beside(named: dict[str, str], of_all: dict[str, str]) -> dict[str, str]:
    """What is said of a file, and what is said of all where it says nothing."""
    replaced = _VERDICTS if _VERDICTS & named.keys() else frozenset()
    return {n: form for n, form in of_all.items() if n not in replaced} | named


def mapping_of(
    columns: str | Mapping[str, Any], source: Any
) -> str | Mapping[str, str] | None:
    """What the columns of one file are called; None if nothing is said of it.

    Parameters
    ----------
    columns : str or mapping
        A mapping of columns, for all files, or such mappings by pattern of file, as a
        mapping or as they are typed.
    source : path or file
        Patterns are as of `fnmatch`, from the current folder; the first that fits.

    Examples
    --------
    >>> by_file = {"runs/*.csv": {"item": "id"}}
    >>> mapping_of(by_file, "./runs/a.csv"), mapping_of(by_file, "a.csv")
    ({'item': 'id'}, None)
    """
    if isinstance(columns, str):
        columns = columns_typed(columns)
    if isinstance(columns, str) or not any(
        isinstance(named, Mapping) for named in columns.values()
    ):
        return columns
    name = source if isinstance(source, (str, os.PathLike)) else ""
    path = os.path.relpath(name) if name else ""
    for pattern, named in columns.items():
        mapping(_WHERE, f"the mapping of {pattern}", named)
        if name and fnmatchcase(path, os.path.normpath(pattern)):
            return named  # type: ignore[no-any-return]
    return None


def mapping_of_all(
    columns: str | Mapping[str, Any] | None, sources: Sequence[Any]
) -> str | Mapping[str, str] | None:
    """What the columns of several files are called, which are read as one.

    Parameters
    ----------
    columns : str or mapping, optional
        As for `mapping_of`.
    sources : sequence of path or file
        The files.

    Raises
    ------
    InputError
        If something else is said of one file than of another.

    Examples
    --------
    >>> mapping_of_all({"runs/*.csv": {"item": "id"}}, ["runs/a.csv", "runs/b.csv"])
    {'item': 'id'}
    """
    if isinstance(columns, str):
        columns = columns_typed(columns)
    if columns is None or isinstance(columns, str) or not sources:
        return columns and mapping_of(columns, "")
    first, *others = (mapping_of(columns, source) for source in sources)
    for source, named in zip(sources[1:], others, strict=True):
        if named != first:
            texts = [mapping_text(one) if one else "none" for one in (first, named)]  # type: ignore[arg-type]
            place, as_ = (one_line(masked(str(one))) for one in (source, sources[0]))
            need, got = f"be those of {as_} ({texts[0]})", texts[1]
            hint = "An engine reads all files alike: --columns, or count each apart."
            raise InputError(place, "the names of its columns", need, got, hint)
    return first


def mapping_text(named: Mapping[str, Any]) -> str:
    """A mapping as it is typed.

    Examples
    --------
    >>> mapping_text({"item": "custom_id", "correct": "score>=0.5"})
    'item=custom_id, correct=score>=0.5'
    >>> mapping_text({"a*.csv": {"item": "id"}})
    'a*.csv: item=id'
    """
    if any(isinstance(path, Mapping) for path in named.values()):
        return "; ".join(f"{file}: {mapping_text(m)}" for file, m in named.items())
    return ", ".join(f"{name}={path}" for name, path in named.items())


def _named_parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts between commas, but for those in brackets."""
    seen: set[str] = set()
    for part in parts_of(text):
        name, sign, path = (piece.strip() for piece in part.partition("="))
        if not (name and sign and path) or name in seen:
            need = "be NAME=PATH, each name once"
            raise ParseError(_WHERE, "a column", need, shown(part.strip()), _SUCH_AS)
        seen.add(name)
        yield name, path


def fields_of(named: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Of each column that is taken from a file, the fields that it may be taken from.

    Examples
    --------
    >>> fields_of({"item": "row()", "correct": "{A|B} ok", "response": "said.text"})
    [('A ok',), ('B ok',), ('said.text', 'said')]
    """
    sides = sides_of(named)
    paths = [fields for form in named.values() if (fields := value_of(form).fields)]
    return [
        fields
        for among in paths
        for fields in (
            map(path_fields, sides[among[0]].values()) if among[0] in sides else [among]
        )
    ]


# -- a table whose columns have other names --------------------------------------------


def mapped_table(file: RecordFile, named: Mapping[str, str]) -> "MappedTable":
    """A file with columns that are named; of several systems, if they stand in braces.

    Parameters
    ----------
    file : RecordFile
        What is read.
    named : mapping of str to str
        As `column_mapping` gives it.
    """
    sides = sides_of(named)
    if not sides:
        return MappedTable(file, named)
    return MappedTable(
        SideBySideTable(file, sides, named.get("system", "system")), named
    )


class MappedTable(RecordFile):
    """A file with columns that are named and taken from what it has.

    Parameters
    ----------
    file : RecordFile
        What is read.
    named : mapping of str to str
        As `column_mapping` gives it.
    """

    words: ClassVar[str] = "any"

    def __init__(self, file: RecordFile, named: Mapping[str, str]) -> None:
        self.name, self.prefix, self.judged = file.name, file.prefix, file.judged
        self._file, self.named = file, named
        self.of_texts = file.of_texts  # type: ignore[misc]
        self._values = {name: value_of(form) for name, form in named.items()}
        words = {name: compared_word(form) for name, form in named.items()}
        self._words = {name: word for name, word in words.items() if word}
        if isinstance(file, JsonTable) and "response" in named:
            file.answers += self._values["response"].fields
        self._typed = {n for n, form in named.items() if form.startswith(OF_TYPED)}
        meant = _VERDICTS & named.keys()
        self._replaced = _VERDICTS - meant if meant else frozenset()
        self.renamed = frozenset(
            form.fields[0]
            for form in self._values.values()
            if len(form.fields) == 1 and not form.changes
        ) - {*named, *FIELDS, *columns()}
        self._met: set[str] = set()
        self._n_mapped = 0
        self._written = WrittenCells()

    def _check_words(self) -> None:
        """A word that is compared to is no column, whose values would be meant."""
        columns = self._file.names() if self._words else ()
        for name, word in self._words.items():
            if word in columns:
                need = "be compared to a value, not to another column"
                hint = (
                    "demur judge compares answers with right answers. The word "
                    f'itself is written "{word}", in quotes.'
                )
                raise InputError(self.name, name, need, self.named[name], hint)
        self._words = {}

    @staticmethod
    def recognises(head: bytes) -> bool:  # noqa: ARG004  (it reads no file itself)
        """False: it is never looked for."""
        return False

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the file, and how cells were read that are written otherwise."""
        return (*self._file.notes, *self._written.notes)

    @property
    def recipe(self) -> dict[str, str]:  # type: ignore[override]
        """What was taken for each column, beside how the file was read."""
        return {**self._file.recipe, "columns": mapping_text(self.named)}

    def names(self) -> list[str]:
        """Names of the columns that it has now."""
        return list(dict.fromkeys([*self.named, *self._file.names()]))

    def beginning(self) -> list[dict[str, Any]]:
        """The first records, with what is named where that can be read."""
        return [
            {**record, **self._readable(record, row)}
            for row, record in enumerate(self._file.beginning(), 1)
        ]

    def _readable(self, record: Mapping[str, Any], row: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in self._values.items():
            with suppress(InputError):
                values[name] = value(record, row)
        return {name: value for name, value in values.items() if value is not UNSET}

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns; what is neither wanted nor mapped is not read."""
        fields = [field for form in self._values.values() for field in form.fields]
        groups = None if wanted.groups is None else (*wanted.groups, *fields)
        everything = replace(wanted, groups=groups, display=True, responses=True)
        before = 0
        chosen = wanted.selection
        if chosen is not None and self.selects_before(chosen):
            wanted = replace(wanted, selection=None)
        else:
            chosen = None
        kept = {*everything.selecting()}
        for numbers, raw in self._columns(everything, fields):
            self._check_words()
            rows: Sequence[int] = range(before + 1, before + len(numbers) + 1)
            if self._file.per_row > 1:
                rows = [(at - 1) // self._file.per_row + 1 for at in rows]
            before += len(numbers)
            if chosen is not None:
                numbers, rows, raw = _chosen(chosen, numbers, rows, raw)
            self._n_mapped += len(rows)
            mapped = {
                name: values if name in FIELDS else _plain(values)
                for name, values in raw.items()
                if name not in self._replaced
                if wanted.keeps(name) or name in kept
            }
            mapped.update(self._mapped(raw, rows, numbers))
            for name in mapped if self.of_texts else self._typed & mapped.keys():
                mapped[name] = self._of_texts(name, mapped[name], numbers)
            made = block_of(mapped, numbers, wanted, self.prefix)
            # Of no row that is wanted a column holds nothing, but it is there.
            yield replace(made, present=made.present | kept.intersection(raw))
        self._check_met()

    def _columns(self, wanted: Wanted, fields: Sequence[str]) -> Iterator[RawBlock]:
        if isinstance(self._file, JsonTable):
            names = frozenset(self._names_in())
            return self._file.columns(wanted, names, frozenset(fields))
        if isinstance(self._file, DelimitedTable):
            return self._file.columns(wanted)
        return gathered(self._file.cells(), wanted)

    def _names_in(self) -> Iterator[str]:
        """The fields that become names, which must not lose digits."""
        for name, form in self._values.items():
            if column_type(name) not in NUMERIC:
                yield from form.fields

    def _mapped(
        self,
        raw: Mapping[str, Sequence[Any]],
        rows: Sequence[int],
        numbers: Sequence[int],
    ) -> dict[str, Sequence[Any]]:
        """The columns that are named; the first of all faults is raised."""
        mapped, faults = {}, []
        for name, form in self._values.items():
            held, fault = form.column(raw, rows)
            if fault is not None:
                error = self._placed(fault[1], numbers[fault[0]])
                faults.append((fault[0], _with_words(error, name, self.named, raw)))
            elif name in _NEEDED and UNSET in held:
                at = held.index(UNSET)
                self._met |= {name} if at else set()
                faults.append((at, self._absent(name, numbers[at], self._file.names())))
            else:
                self._met |= set() if all(v is UNSET for v in held) else {name}
                mapped[name] = held
        if faults:
            raise min(faults, key=lambda fault: fault[0])[1]
        return mapped

    def _of_texts(
        self, name: str, values: Sequence[Any], numbers: Sequence[int]
    ) -> Sequence[Any]:
        """A column whose texts are read as cells of its name are, each text once."""
        if cell_rule(name) is None:
            return values
        read: dict[str | None, Any] = {}
        for value, number in zip(values, numbers, strict=True):
            if (value is None or isinstance(value, str)) and value not in read:
                try:
                    read[value] = self._of_cell(name, value, number)
                except InputError as error:
                    from demur.outcomes.proposed_forms import with_forms

                    raise with_forms(error, values) from None
        plain = (str, type(None))
        return [read[value] if isinstance(value, plain) else value for value in values]

    def selects_before(self, selection: Selection) -> bool:
        """Whether rows are selected by columns of the file alone, as they stand."""
        return selection.wanted.keys().isdisjoint(self.named)

    def records(
        self, selection: Selection | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, with the columns that are named.

        Parameters
        ----------
        selection : Selection, optional
            Rows that are wanted; of others nothing is made.
        """
        only = None if self.of_texts else self._typed
        rows = self._mapped_rows(selection)
        yield from self._written.records(rows, self.prefix, self.beginning, only)
        self._check_met()

    def cells(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """What stands in the file, whatever is named."""
        return self._file.cells()

    def _mapped_rows(
        self, selection: Selection | None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        for at, (number, record) in enumerate(self._file.cells()):
            row = at // self._file.per_row + 1
            self._check_words()
            if selection is not None and not selection.has(record):
                continue
            self._n_mapped += 1
            mapped = {
                name: value
                for name, value in record.items()
                if not isinstance(value, (dict, list)) or name in FIELDS
                if name not in self._replaced
            }
            for name, value in self._values.items():
                try:
                    held = value(record, row)
                except InputError as error:
                    raise self._placed(error, number) from None
                if held is not UNSET:
                    self._met.add(name)
                    mapped[name] = held
                elif name in _NEEDED:
                    raise self._absent(name, number, record)
                else:
                    mapped.pop(name, None)
            yield number, mapped

    def _check_met(self) -> None:
        for name in self.named if self._n_mapped else ():
            if name not in self._met:
                raise self._unknown(name)

    def _of_cell(self, name: str, value: str | None, number: int) -> Any:
        """What a cell of a column holds."""
        rows = iter([(number, {name: value})])
        read = self._written.records(rows, self.prefix, lambda: (), (name,))
        return next(read)[1][name]

    def _placed(self, error: InputError, number: int) -> InputError:
        where = f"{self.prefix}{number}"
        return InputError(where, error.what, error.must, error.got, error.hint)

    def _absent(self, name: str, number: int, present: Iterable[str]) -> InputError:
        if name in self._met:
            need = f"be there in every record, as {self.named[name]}"
            return InputError(f"{self.prefix}{number}", name, need, "nothing")
        where = f"{self.prefix}{number}"
        return headings.unknown(where, name, self.named[name], present)

    def _unknown(self, name: str) -> InputError:
        form = self.named[name]
        return headings.unknown(self.name, name, form, self._file.names())


def _with_words(
    error: InputError,
    name: str,
    named: Mapping[str, str],
    raw: Mapping[str, Sequence[Any]],
) -> InputError:
    """The error for a word without a meaning, with all such words of the column."""
    cases = cases_of(named[name])
    column = raw.get(value_of(cases[0]).fields[0], ()) if cases else ()
    if cases is None or error.what != cases[0].strip():
        return error
    from demur.outcomes.proposed_forms import proposed_forms

    texts = dict.fromkeys((as_text(value) or "").strip() for value in column)
    error.proposed = proposed_forms(name, [t for t in texts if t not in cases[1]])
    return error


def _plain(values: Sequence[Any]) -> Sequence[Any]:
    """A column without the objects and lists in it."""
    if not {dict, list} & set(map(type, values)):
        return values
    return [UNSET if isinstance(value, (dict, list)) else value for value in values]


def _chosen(
    selection: Selection,
    numbers: Sequence[int],
    rows: Sequence[int],
    raw: Mapping[str, Sequence[Any]],
) -> tuple[Sequence[int], Sequence[int], dict[str, Sequence[Any]]]:
    """The wanted rows of some: their numbers and columns."""
    told = {
        name: [None if value is UNSET else value for value in raw[name]]
        for name in selection.wanted
        if name in raw
    }
    chosen = selection.rows(told, len(numbers))
    if chosen is None or chosen.all():
        return numbers, rows, dict(raw)
    kept: dict[str, Sequence[Any]] = {
        name: list(compress(values, chosen)) for name, values in raw.items()
    }
    return list(compress(numbers, chosen)), list(compress(rows, chosen)), kept
