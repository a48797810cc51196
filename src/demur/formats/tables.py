"""What every readable file offers, whatever its format."""

import difflib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, ParseError, shown
from demur.formats.streams import Stream
from demur.outcomes.columns import Column, Place
from demur.outcomes.fields import DISPLAY, columns
from demur.outcomes.values import as_text
from demur.results import printable

_MOST_SEEN: Final = 1000

_LISTED: Final = 8


class Selection:
    """The rows whose columns have given values, compared as text.

    Keeps count, so that it can say what was left out.

    Parameters
    ----------
    where : mapping of column name to value or list of values, optional
        What each column must hold, one of a list; the empty text is a missing value.

    Examples
    --------
    >>> selection = Selection({"prompt": "first"})
    >>> selection.rows({"prompt": ["first", "second", None]}, 3)
    array([ True, False, False])
    >>> selection.note()
    '1 of 3 rows selected by prompt=first'
    """

    def __init__(self, where: Mapping[str, Any] | None = None) -> None:
        self.wanted = {
            name: tuple(as_text(each) or "" for each in _values(value))
            for name, value in (where or {}).items()
        }
        self.total = self.kept = 0
        self._seen: dict[str, dict[str, None]] = {name: {} for name in self.wanted}
        self._met: dict[str, set[str]] = {name: set() for name in self.wanted}

    def rows(
        self, columns: Mapping[str, Iterable[Any]], n_rows: int
    ) -> npt.NDArray[np.bool_] | None:
        """Which of some rows are wanted; None if all are.

        Parameters
        ----------
        columns : mapping of name to values
            A column that is left out holds nothing.
        n_rows : int
            How many rows there are.
        """
        self.total += n_rows
        if not self.wanted:
            self.kept += n_rows
            return None
        chosen = np.ones(n_rows, bool)
        for name in self.wanted:
            values = columns.get(name, [None] * n_rows)
            chosen &= np.fromiter(self._matches(name, values), bool, n_rows)
        self.kept += int(np.count_nonzero(chosen))
        return chosen

    def has(self, record: Mapping[str, Any]) -> bool:
        """Whether one record is wanted."""
        self.total += 1
        matches = [self._matches(name, [record.get(name)]) for name in self.wanted]
        chosen = all(match for (match,) in matches)
        self.kept += chosen
        return chosen

    def check(self, where: str) -> None:
        """Raise unless some row was wanted, and each of several values was met.

        Raises
        ------
        InputError
            Naming values that do occur.
        """
        several = any(
            len(wanted) > 1 and self._unmet(name)
            for name, wanted in self.wanted.items()
        )
        if self.wanted and (several or not self.kept):
            must = "match at least one row"
            must += ", each of several values" if several else ""
            raise InputError(where, "where", must, self.text(), self._hint())

    def text(self) -> str:
        """The condition, one line."""
        pairs = (f"{name}={' or '.join(each)}" for name, each in self.wanted.items())
        return printable(", ".join(pairs))

    def note(self) -> str:
        """How many rows were selected."""
        return f"{self.kept} of {self.total} rows selected by {self.text()}"

    def _matches(self, name: str, values: Iterable[Any]) -> list[bool]:
        wanted, seen = self.wanted[name], self._seen[name]
        texts = [as_text(value) or "" for value in values]
        if len(seen) < _MOST_SEEN:
            seen.update(dict.fromkeys(texts))
        if unmet := self._unmet(name):
            self._met[name].update(unmet.intersection(texts))
        return [text in wanted for text in texts]

    def _unmet(self, name: str) -> set[str]:
        return set(self.wanted[name]) - self._met[name]

    def _hint(self) -> str:
        unmet = [name for name in self.wanted if self._unmet(name)]
        if not unmet:
            return "Each value occurs, but no row has all of them."
        return " ".join(self._occurring(name) for name in unmet)

    def _occurring(self, name: str) -> str:
        values = list(self._seen[name])
        some = ", ".join(shown(value) for value in values[:_LISTED])
        more = ", ..." if len(values) > _LISTED else ""
        near = [
            match
            for each in self.wanted[name]
            if each not in self._met[name]
            for match in difflib.get_close_matches(each, values, n=1)
        ]
        hint = f" Did you mean {shown(near[0])}?" if near else ""
        return f"Values of {printable(name)} are {some}{more}.{hint}"


def _values(wanted: Any) -> Iterable[Any]:
    return wanted if isinstance(wanted, (list, tuple, set, frozenset)) else (wanted,)


ALWAYS = ("fold",)
"""Further columns that are kept wherever they are: pooled folds are warned of."""


@dataclass(frozen=True)
class Wanted:
    """Which columns and rows of an outcomes file are wanted.

    Parameters
    ----------
    selection : Selection
        Which rows.
    groups : tuple of str, or None
        Further columns to keep; None keeps all.
    display : bool
        Whether to keep the columns that are only shown.
    """

    selection: Selection
    groups: tuple[str, ...] | None = ()
    display: bool = False

    def own(self) -> tuple[str, ...]:
        """Columns with a meaning of their own, wanted where they are present."""
        known = (*columns(), *ALWAYS)
        return tuple(name for name in known if self.keeps(name))

    def keeps(self, name: str) -> bool:
        """Whether a column is kept if it is present."""
        if name in columns():
            named = name in (self.groups or ())
            return name not in DISPLAY or self.display or named
        return self.groups is None or name in (*self.groups, *ALWAYS)

    def named(self) -> dict[str, str]:
        """Columns that must be present, with the argument that names them."""
        return {
            **dict.fromkeys(self.groups or (), "groups"),
            **dict.fromkeys(self.selection.wanted, "where"),
        }


@dataclass(frozen=True)
class RowBlock:
    """Some rows of an outcomes file, their columns made arrays.

    Parameters
    ----------
    columns : mapping of name to array
        As `demur.outcomes.columns` makes them; absent columns are left out.
    numbers : sequence of int
        Line or row number of each row.
    present : collection of str
        Wanted columns that these rows have, even if none of the rows is selected.
    """

    columns: Mapping[str, Column]
    numbers: Sequence[int]
    present: frozenset[str]


class RecordFile(Protocol):
    """A file of records, open for reading once."""

    words: ClassVar[str]
    """What users call files of this format."""
    name: str
    prefix: str
    """What stands before the number of a row: ``FILE:`` or ``FILE:row``."""

    def __init__(self, stream: Stream) -> None: ...

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file of this format may begin so, after any blank space."""

    def found(self) -> list[str]:
        """Names of its columns, as far as they are known."""

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """Its rows as arrays."""

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Its rows one by one, each with its line or row number."""


def places(prefix: str, numbers: Sequence[int]) -> Place:
    """From a position in a block to the place that messages name."""
    return lambda row: f"{prefix}{numbers[row]}"


def block(
    raw: Mapping[str, Sequence[Any]],
    numbers: Sequence[int],
    wanted: Wanted,
    prefix: str,
    convert: Callable[[str, Sequence[Any], Place], Column],
) -> RowBlock:
    """The selected rows of some columns, made arrays.

    Parameters
    ----------
    raw : mapping of name to sequence
        The wanted columns that are present, and those that select.
    numbers : sequence of int
        Line or row number of each row.
    wanted : Wanted
        What to keep.
    prefix : str
        What stands before a number in messages.
    convert : callable
        From a name, values and their places to an array.
    """
    present = frozenset(raw)
    chosen = wanted.selection.rows(raw, len(numbers))
    if chosen is not None and not chosen.all():
        raw = {name: list(compress(values, chosen)) for name, values in raw.items()}
        numbers = list(compress(numbers, chosen))
    columns = {
        name: convert(name, values, places(prefix, numbers))
        for name, values in raw.items()
        if len(numbers) and wanted.keeps(name)
    }
    return RowBlock(columns, compact(numbers), present)


def compact(numbers: Sequence[int]) -> Sequence[int]:
    """Rising numbers in little memory."""
    if len(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers):
        return range(numbers[0], numbers[-1] + 1)
    return array("q", numbers)


class EmptyFile(ParseError):
    """A file without records, which is no fault for every reader."""


def nothing(name: str, got: str) -> EmptyFile:
    """The error for a file without records."""
    hint = "Was it written to the end, or everything filtered out?"
    return EmptyFile(name, "the file", "hold at least one record", got, hint)
