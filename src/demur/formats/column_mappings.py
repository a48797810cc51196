"""What columns are called in a file that is not ours: ``item=id, correct=score>=0.5``.

What stands behind the sign is a path into the record, alone or in one of these forms;
there is no code in it::

    exp(logprob)  percent(sure)  number(sure)  complement(risk)  not(refused)
    first(answers)  last(answers)  text(gpt-4)  row()
    score >= 0.5  status == passed  cases(status, pass=right, fail=wrong)
"""

import math
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Final

from msgspec import UNSET

from demur.checks import choice, did_you_mean, mapping, names_shown
from demur.errors import InputError, ParseError, shown
from demur.formats import headings
from demur.formats.delimited import DelimitedTable
from demur.formats.json_lines import JsonTable, RawBlock
from demur.formats.paths import path_fields, path_reader
from demur.formats.record_blocks import block_of, gathered
from demur.formats.streams import RecordFile, RowBlock, Wanted
from demur.formats.written_cells import WrittenCells
from demur.outcomes.fields import FIELDS, NUMERIC, column_type, columns
from demur.outcomes.values import as_text, cell_rule

Value = Callable[[Mapping[str, Any], int], Any]
"""From a record and its number to a value; UNSET where the record has none."""

Change = Callable[[Any], Any]
"""What is made of a value that is there."""

_WHERE: Final = "columns"
_NEEDED: Final = ("item", "outcome", "correct")
_CALL: Final = re.compile(r"([a-z]+)\((.*)\)", re.DOTALL)
_COMPARED: Final = re.compile(r"(.+?)\s*(>=|<=|==|!=|>|<)\s*(.+)", re.DOTALL)
_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    **{">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt},
    **{"==": operator.eq, "!=": operator.ne},
}
_NUMBER: Final = re.compile(r"\s*([-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?)\s*(%?)\s*")
_AS_IT_IS: Final = ("==", "!=")


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


def mapping_of(
    columns: str | Mapping[str, Any], source: Any
) -> str | Mapping[str, str] | None:
    """What the columns of one file are called; None if nothing is said of it.

    Parameters
    ----------
    columns : str or mapping
        A mapping of columns, for all files, or such mappings by pattern of file.
    source : path or file
        Patterns are as of `fnmatch`, from the current folder; the first that fits.

    Examples
    --------
    >>> by_file = {"runs/*.csv": {"item": "id"}}
    >>> mapping_of(by_file, "./runs/a.csv"), mapping_of(by_file, "a.csv")
    ({'item': 'id'}, None)
    """
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
    for part in _split(text):
        name, sign, path = (piece.strip() for piece in part.partition("="))
        if not (name and sign and path) or name in seen:
            need = "be NAME=PATH, each name once"
            raise ParseError(_WHERE, "a column", need, shown(part.strip()), _SUCH_AS)
        seen.add(name)
        yield name, path


def _split(text: str) -> Iterator[str]:
    depth, begins = 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            yield text[begins:at]
            begins = at + 1
    if text[begins:].strip():
        yield text[begins:]


# -- forms -------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """What stands behind the sign: where a value is, and what is made of it.

    Parameters
    ----------
    taken : callable
        From a record and its number to the value there; UNSET where there is none.
    fields : tuple of str
        The fields of a record that it may be taken from.
    changes : tuple of callable
        What is made of it, in this order.
    """

    taken: Value
    fields: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    def __call__(self, record: Mapping[str, Any], number: int) -> Any:
        """The value in a record, changed; nothing stays nothing."""
        held = self.taken(record, number)
        for change in self.changes:
            if held is None or held is UNSET or held == "":
                break
            held = change(held)
        return held

    def column(
        self, raw: Mapping[str, Sequence[Any]], numbers: Sequence[int]
    ) -> "Held":
        """The same of many records, given as the columns that it is taken from.

        Gives the values, and of the first that cannot be read, where it is and why.
        """
        held = _taken(self, raw, numbers)
        for change in self.changes:
            held, fault = _all_changed(held, change)
            if fault is not None:
                return held, fault
        return held, None


Held = tuple[Sequence[Any], tuple[int, InputError] | None]


def _taken(
    form: Form, raw: Mapping[str, Sequence[Any]], numbers: Sequence[int]
) -> Sequence[Any]:
    fields = [name for name in form.fields if name in raw]
    if len(form.fields) == 1:
        return raw[fields[0]] if fields else [UNSET] * len(numbers)
    records: Iterable[dict[str, Any]] = [{}] * len(numbers)
    if fields:
        rows = zip(*(raw[name] for name in fields), strict=True)
        records = (
            {n: v for n, v in zip(fields, row, strict=True) if v is not UNSET}
            for row in rows
        )
    return [form.taken(*each) for each in zip(records, numbers, strict=True)]


def _all_changed(values: Sequence[Any], change: Change) -> Held:
    """All values changed, each text once."""
    changed: list[Any] = []
    known: dict[str, Any] = {"": ""}
    try:
        for value in values:
            if type(value) is str:
                if value not in known:
                    known[value] = change(value)
                changed.append(known[value])
            else:
                empty = value is None or value is UNSET or value == ""
                changed.append(value if empty else change(value))
    except InputError as fault:
        return changed, (len(changed), fault)
    return changed, None


def value_of(form: str) -> Form:
    """What takes the value of a form out of a record.

    Raises
    ------
    InputError
        If it is none of the forms.

    Examples
    --------
    >>> value_of("percent(sure)")({"sure": "53 %"}, 1)
    0.53
    >>> value_of("cases(status, pass=right, fail=wrong)")({"status": "fail"}, 1)
    'wrong'
    """
    call = _CALL.fullmatch(form)
    if call is not None:
        name, inner = call.groups()
        choice(_WHERE, "the form", name, _FORMS)
        return _FORMS[name](inner)
    compared = _COMPARED.fullmatch(form)
    if compared is not None:
        return _comparison(*compared.groups())
    read = path_reader(_WHERE, form)
    return Form(lambda record, _: read(record), path_fields(form))


def _of_numbers(change: Callable[[float], float]) -> Callable[[str], Form]:
    def form(inner: str) -> Form:
        return _changed(inner, lambda value: change(_number(value, inner)))

    return form


def _changed(inner: str, change: Change) -> Form:
    """The value of what stands in brackets, changed."""
    form = value_of(inner.strip())
    return replace(form, changes=(*form.changes, change))


def _exponential(inner: str) -> Form:
    def change(value: Any) -> float:
        number = _number(value, inner)
        if number > _MOST_EXPONENT:
            need = f"be the logarithm of a number, at most {_MOST_EXPONENT}"
            raise InputError(_WHERE, inner.strip(), need, shown(value))
        return math.exp(number)

    return _changed(inner, change)


_MOST_EXPONENT: Final = 709


def _number(value: Any, what: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            need, got = "be a number", "one of more digits than a number has"
            raise InputError(_WHERE, what.strip(), need, got) from None
    read = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if read is None:
        need, hint = "be a number", "Such as 0.5, 0,5 or 50 %."
        raise InputError(_WHERE, what.strip(), need, shown(value), hint)
    digits, percent = read.groups()
    return float(digits.replace(",", ".")) / (100 if percent else 1)


def _percent(inner: str) -> Form:
    def change(value: Any) -> float:
        signed = isinstance(value, str) and "%" in value
        return _number(value, inner) / (1 if signed else 100)

    return _changed(inner, change)


def _not(inner: str) -> Form:
    words = {"true": False, "false": True}

    def change(value: Any) -> bool:
        text = (as_text(value) or "").lower()
        return not words.keys() - {text} or words.get(text, not value)

    return _changed(inner, change)


def _element(at: int) -> Callable[[str], Form]:
    def change(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return value[at] if value else None

    return lambda inner: _changed(inner, change)


def _constant(inner: str) -> Form:
    return Form(lambda record, number: inner.strip())  # noqa: ARG005


def _row(inner: str) -> Form:
    if inner.strip():
        raise InputError(_WHERE, "row()", "be given nothing", shown(inner))
    return Form(lambda record, number: number)  # noqa: ARG005


def _cases(inner: str) -> Form:
    path, *parts = _split(inner)
    known: dict[str, str] = {}
    for part in parts:
        value, sign, meaning = (piece.strip() for piece in part.rpartition("="))
        if not sign:
            need = "be VALUE=MEANING"
            raise ParseError(_WHERE, "a case", need, shown(part.strip()))
        known[value] = meaning

    def change(value: Any) -> str:
        text = as_text(value) or ""
        if text not in known:
            need = f"be one of the cases of {path.strip()}: {names_shown(known)}"
            hint = f"Add {text}=..., or select other rows."
            raise InputError(_WHERE, path.strip(), need, shown(value), hint)
        return known[text]

    return _changed(path, change)


_FORMS: Final[Mapping[str, Callable[[str], Form]]] = {
    "exp": _exponential,
    "percent": _percent,
    "number": _of_numbers(lambda value: value),
    "complement": _of_numbers(lambda value: 1 - value),
    "not": _not,
    "first": _element(0),
    "last": _element(-1),
    "text": _constant,
    "row": _row,
    "cases": _cases,
}


def _comparison(path: str, sign: str, limit: str) -> Form:
    compare, limit = _COMPARISONS[sign], limit.strip().strip("'\"")
    number = _number(limit, path) if _NUMBER.fullmatch(limit) else None

    def change(value: Any) -> bool:
        if sign in _AS_IT_IS and (number is None or isinstance(value, (str, bool))):
            return compare(as_text(value), limit)
        if number is None:
            need = "be compared to a number"
            raise InputError(_WHERE, f"{path} {sign}", need, shown(limit))
        return compare(_number(value, path), number)

    return _changed(path, change)


# -- a table whose columns have other names --------------------------------------------


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
        self._file, self._named = file, named
        self._values = {name: value_of(form) for name, form in named.items()}
        self.renamed = frozenset(
            form.fields[0]
            for form in self._values.values()
            if len(form.fields) == 1 and not form.changes
        ) - {*named, *FIELDS, *columns()}
        self._met: set[str] = set()
        self._written = WrittenCells()

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
        return {**self._file.recipe, "columns": mapping_text(self._named)}

    def names(self) -> list[str]:
        """Names of the columns that it has now."""
        return list(dict.fromkeys([*self._named, *self._file.names()]))

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns; what is neither wanted nor mapped is not read."""
        fields = [field for form in self._values.values() for field in form.fields]
        groups = None if wanted.groups is None else (*wanted.groups, *fields)
        everything = replace(wanted, groups=groups, display=True, responses=True)
        before = 0
        for numbers, raw in self._columns(everything, fields):
            rows = range(before + 1, before + len(numbers) + 1)
            before += len(numbers)
            mapped = {
                name: values if name in FIELDS else _plain(values)
                for name, values in raw.items()
                if wanted.keeps(name) or name in wanted.selecting()
            }
            mapped.update(self._mapped(raw, rows, numbers))
            if self._file.of_texts:
                for name in mapped:
                    mapped[name] = self._of_texts(name, mapped[name], numbers)
            yield block_of(mapped, numbers, wanted, self.prefix)
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
                faults.append((fault[0], self._placed(fault[1], numbers[fault[0]])))
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
                read[value] = self._of_cells({name: value}, number)[name]
        plain = (str, type(None))
        return [read[value] if isinstance(value, plain) else value for value in values]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, with the columns that are named."""
        of_texts = self._file.of_texts
        for row, (number, record) in enumerate(self._file.cells(), 1):
            mapped = {
                name: value
                for name, value in record.items()
                if not isinstance(value, (dict, list)) or name in FIELDS
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
            yield number, self._of_cells(mapped, number) if of_texts else mapped
        self._check_met()

    def _check_met(self) -> None:
        for name in self._named:
            if name not in self._met:
                raise self._unknown(name)

    def _of_cells(self, record: dict[str, Any], number: int) -> dict[str, Any]:
        """A record whose texts are read as cells of its columns are."""
        place = f"{self.prefix}{number}"
        for name, value in record.items():
            rule = cell_rule(name)
            if rule is not None and (value is None or isinstance(value, str)):
                cell = self._written.plain(name, value or "", place)
                record[name] = rule(name, cell, place)
        return record

    def _placed(self, error: InputError, number: int) -> InputError:
        where = f"{self.prefix}{number}"
        return InputError(where, error.what, error.must, error.got, error.hint)

    def _absent(self, name: str, number: int, present: Iterable[str]) -> InputError:
        if name in self._met:
            need = f"be there in every record, as {self._named[name]}"
            return InputError(f"{self.prefix}{number}", name, need, "nothing")
        where = f"{self.prefix}{number}"
        return headings.unknown(where, name, self._named[name], present)

    def _unknown(self, name: str) -> InputError:
        form = self._named[name]
        return headings.unknown(self.name, name, form, self._file.names())


def _plain(values: Sequence[Any]) -> Sequence[Any]:
    """A column without the objects and lists in it."""
    if not {dict, list} & set(map(type, values)):
        return values
    return [UNSET if isinstance(value, (dict, list)) else value for value in values]
