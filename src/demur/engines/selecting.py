"""Relations whose rows are answers: what their columns are called, which are wanted."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from demur.checks import choice
from demur.engines.sql_counts import is_value, name
from demur.errors import InputError
from demur.formats.column_forms import value_of
from demur.formats.reading import Columns, typed_mapping
from demur.formats.selection import Selection
from demur.formats.side_by_side import sides_of
from demur.outcomes.fields import FIELDS
from demur.outcomes.values import as_text

Ask = Callable[[str], list[tuple[Any, ...]]]
"""Puts a query to the engine and gives the rows of its answer."""

MOST_VALUES: Final = 100_000
"""More different values of a column are not looked through."""

IN_MEMORY: Final = (
    "Read the rows into memory: --engine memory, or demur.read_outcomes(...)."
)
"""What to do about what an engine cannot do."""

_TEXT: Final = re.compile("VARCHAR|TEXT|STRING|CHAR|ENUM", re.IGNORECASE)
_NAMES: Final = re.compile(
    "BOOL(EAN)?|(U?(TINY|SMALL)|BIG|U)?INT(EGER)?|LONG|SHORT|BYTE|DATE|TIMESTAMP(?!_NS).*"
)
"""Types of columns whose values are names as they are."""

_WRITTEN: Final = re.compile("DOUBLE|FLOAT|REAL|DECIMAL|UBIGINT|U?HUGEINT|TIME|UUID")
"""Types of columns whose values are names as they are written."""

_WHOLE: Final = re.compile("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|LONG", re.IGNORECASE)


@dataclass(frozen=True)
class AnswerTable:
    """A relation whose rows are answers.

    Parameters
    ----------
    relation : str
        What stands behind FROM.
    types : mapping of column to type
        As the engine calls them.
    form : {"typed", "cells", "json"}
        Whether values have types, or are all text, or JSON.
    place : str
        What messages call it.
    columns : str or mapping, optional
        What columns are called, as for `demur.read_outcomes`.
    where : mapping
        Which rows are wanted, likewise.
    sources : int
        How many were named.
    only : mapping of field to text
        Of which system, setting and groups the rows are.
    """

    relation: str
    types: Mapping[str, str]
    form: str = "typed"
    place: str = "the outcomes"
    columns: Columns = None
    where: Mapping[str, Any] = field(default_factory=dict)
    sources: int = 1
    only: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def forms(self) -> dict[str, str]:
        """What stands for fields that are called otherwise.

        Raises
        ------
        InputError
            If columns of several systems are named, side by side.
        """
        named = typed_mapping(self.columns)
        beside = next(iter(sides_of(named)), "")
        if beside:
            need = "be of one system, or name it in a column"
            raise InputError(self.place, "the columns", need, beside, IN_MEMORY)
        return named

    def needed_forms(self, by: Collection[str]) -> dict[str, str]:
        """What stands for fields and groups, without what lies inside of others.

        Names of one's own that nothing asks for are passed over, as in memory.
        """
        inner = {
            one
            for one, form in self.forms.items()
            if not (one in FIELDS or one in by or form in self.types)
            if not self.types.keys().isdisjoint(value_of(form).fields)
        }
        return {one: form for one, form in self.forms.items() if one not in inner}

    def column(self, field: str) -> str | None:
        """The column that holds a field as it is; None if none does.

        Examples
        --------
        >>> table = AnswerTable("t", {"id": "BIGINT"}, columns="item=id")
        >>> table.column("item"), table.column("outcome")
        ('id', None)
        """
        named = self.forms.get(field, field)
        return named if named in self.types else None

    def deciding(self, field: str) -> list[str]:
        """The columns that a field is made of."""
        column = self.column(field)
        if column is not None:
            return [column]
        if field not in self.forms:
            return []
        named = [one for one in value_of(self.forms[field]).fields if one in self.types]
        if not named:
            choice(self.place, f"columns: {field}", self.forms[field], self.types)
        return named

    def as_it_is(self, field: str) -> str | None:
        """The column of a field whose values the engine looks at itself; or None.

        Raises
        ------
        InputError
            If it is said to be made of something else than a column.
        """
        column = self.column(field)
        if column is None and field in self.forms:
            need, got = "be a column as it is", self.forms[field]
            what = f"columns: {field}"
            raise InputError(self.place, what, need, got, IN_MEMORY)
        return column

    def is_text(self, column: str) -> bool:
        """Whether a column has texts as they are."""
        return self.form == "cells" or bool(
            _TEXT.fullmatch(self.types[column].split("(")[0])
        )

    def key(self, column: str) -> str:
        """What rows are grouped by, as SQL, so that equal texts are one group.

        Raises
        ------
        InputError
            If values of that type are no names.
        """
        its, quoted = self.types[column].upper(), name(column)
        if self.form != "typed" or _NAMES.fullmatch(its) or self.is_text(column):
            return quoted
        if _WRITTEN.match(its):
            return f"CAST({quoted} AS VARCHAR)"
        need, hint = "hold texts, numbers, times or true and false", IN_MEMORY
        raise InputError(self.place, f"by: {column}", need, its.lower(), hint)

    def is_word(self, column: str) -> bool:
        """Whether a column has words or whole numbers, of which there are few."""
        its = self.types[column].upper()
        return self.form == "typed" and (
            self.is_text(column) or self.is_whole(column) or its == "BOOLEAN"
        )

    def is_whole(self, column: str) -> bool:
        """Whether a column has whole numbers."""
        return bool(_WHOLE.fullmatch(self.types[column]))


def condition(table: AnswerTable, ask: Ask) -> str:
    """Which rows are wanted, as SQL; empty if all are.

    Values are compared as text, as `demur.read_outcomes` does; where columns hold
    something else, their different values are looked through.
    """
    of_part = {table.column(one) or one: text for one, text in table.only.items()}
    listed = [*Selection(table.where).wanted.items()]
    listed += Selection(of_part).wanted.items()
    parts = []
    for column, wanted in listed:
        column = table.as_it_is(column) or column
        choice(table.place, "where", column, table.types)
        if text := _as_text(table, column):
            parts.append(_any(is_value(text, value) for value in wanted))
            continue
        met = [text for text, value in _values(table, column, ask) if value in wanted]
        text = f"CAST({name(column)} AS VARCHAR)"
        parts.append(_any(is_value(text, one) for one in met))
    return " AND ".join(parts)


def _as_text(table: AnswerTable, column: str) -> str:
    """The values of a column as text, as SQL; empty if they must be looked through."""
    if table.is_text(column):
        return f"COALESCE({name(column)}, '')"
    whole = table.is_whole(column)
    return f"COALESCE(CAST({name(column)} AS VARCHAR), '')" if whole else ""


def check_values(table: AnswerTable, ask: Ask) -> None:
    """Raise `InputError` unless each of several values that are wanted occurs."""
    for field_, wanted in Selection(table.where).wanted.items():
        if len(set(wanted)) < 2:
            continue
        column = table.as_it_is(field_) or field_
        if text := _as_text(table, column):
            where = _any(is_value(text, value) for value in wanted)
            rows = ask(f"SELECT DISTINCT {text} FROM {table.relation} WHERE {where}")
            met = {str(value) for (value,) in rows}
        else:
            met = {value for _, value in _values(table, column, ask)}
        if not met.issuperset(wanted):
            raise unmet(table, ask)


def unmet(table: AnswerTable, ask: Ask) -> InputError:
    """That no row has what is wanted, with values that its columns hold."""
    whole = Selection(table.where)
    hints = []
    for field_, wanted in whole.wanted.items():
        column = table.as_it_is(field_) or field_
        one = Selection({field_: wanted})
        try:
            values = sorted(value for _, value in _values(table, column, ask))
            one.rows({field_: values}, len(values))
            one.check(table.place)
        except InputError as error:
            hints.append(error.hint)
    hint = " ".join(hints) or "Each value occurs, but no row has all of them."
    need = "match at least one row"
    if any(len(set(wanted)) > 1 for wanted in whole.wanted.values()):
        need += ", each of several values"
    return InputError(table.place, "where", need, whole.text(), hint)


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions) or 'FALSE'})"


def _values(
    table: AnswerTable, column: str, ask: Ask
) -> Iterator[tuple[str | None, str]]:
    """The different values of a column: as the engine writes them, and as we do."""
    quoted = name(column)
    rows = ask(
        f"SELECT DISTINCT CAST({quoted} AS VARCHAR) AS text_, {quoted} AS value_ "
        f"FROM {table.relation} LIMIT {MOST_VALUES + 1}"
    )
    if len(rows) > MOST_VALUES:
        need = f"have at most {MOST_VALUES} different values for --where"
        raise InputError(table.place, column, need, "more", IN_MEMORY)
    for text, value in rows:
        if table.form == "json" and text is not None:
            value = json.loads(text)
        yield text, as_text(value) or ""
