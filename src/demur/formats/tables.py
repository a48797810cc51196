"""What every readable file offers, whatever its format."""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Protocol

from demur.errors import ParseError
from demur.formats.selection import Selection
from demur.outcomes.columns import Column, Place
from demur.outcomes.fields import DISPLAY, columns

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

    name: str
    prefix: str
    """What stands before the number of a row: ``FILE:`` or ``FILE:row``."""

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
    return EmptyFile(name, "the file", "hold at least one record", got)
