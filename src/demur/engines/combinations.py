"""The different rows of a relation, read as a file of these rows would be.

Where our own reader refuses one, the engine finds the first row that is like it, so
that the error names a file and a line.
"""

import csv
import io
import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from demur.engines.selecting import AnswerTable
from demur.engines.small_files import as_file
from demur.engines.sql_counts import is_value, name
from demur.errors import InputError, shown
from demur.formats.reading import read_outcomes
from demur.outcomes.table import Outcomes

Locate = Callable[
    [str, str, Sequence[str], int, str], list[tuple[str, tuple[Any, ...]]]
]
"""From relation, condition, columns, a number and a name to the first such rows, each
with the place where it stands."""

MOST_ALIKE: Final = 20
"""So many combinations are found that have the same fault."""


@dataclass(frozen=True)
class Combinations:
    """The different rows of a relation, each once, whatever number there is of it.

    Parameters
    ----------
    table : AnswerTable
        The relation.
    by : sequence of str
        Columns of groups.
    texts : mapping of column to SQL
        What the values of a column stand for.
    rows : sequence of tuple
        The values of each combination.
    count : array of int
        How many rows there are of each.
    ends : tuple (column, low, high), optional
        The column of confidences, and the least and greatest of each combination.
    """

    table: AnswerTable
    by: Sequence[str]
    texts: Mapping[str, str]
    rows: Sequence[tuple[Any, ...]]
    count: Any
    ends: tuple[str, Sequence[Any], Sequence[Any]] | None = None

    def outcomes(self, where: str, locate: Locate | None) -> Outcomes:
        """The combinations as outcomes, a row each.

        Parameters
        ----------
        where : str
            Which rows of the relation are wanted; empty for all.
        locate : callable, optional
            Finds rows.

        Raises
        ------
        InputError
            As `demur.read_outcomes` does of the first row at fault.
        """
        file, origin = self._file(np.arange(len(self.rows)))
        try:
            outcomes = self._read(file)
        except InputError as error:
            raise self._placed(error, where, locate) from None
        return outcomes.take(np.unique(origin, return_index=True)[1])

    def _read(self, file: io.BytesIO) -> Outcomes:
        forms = self.table.needed_forms(self.by) or None
        return read_outcomes(file, groups=[*self.by], columns=forms)

    def _file(self, places: Any) -> tuple[io.BytesIO, Any]:
        """Some combinations as a file, and which one each of its rows is of.

        A second row stands for all further ones of a combination.
        """
        often = np.minimum(self.count[places], 2).astype(int)
        origin = np.repeat(places, often)
        columns: dict[str, Sequence[Any]] = {
            column: [self.rows[place][at] for place in origin]
            for at, column in enumerate(self.texts)
        }
        if self.ends is not None:
            column = self.ends[0]
            columns[column] = [self._end(origin, row) for row in range(len(origin))]
        return as_file(self.table, columns, origin), origin

    def _end(self, origin: Any, row: int) -> Any:
        """The confidence of a row of a small file: the least, or the greatest."""
        _, low, high = self.ends or ("", (), ())
        is_second = row > 0 and origin[row] == origin[row - 1]
        return (high if is_second else low)[origin[row]]

    # -- the row at fault --------------------------------------------------------

    def _placed(
        self, error: InputError, where: str, locate: Locate | None
    ) -> InputError:
        """The error with the first row at fault, if that can be found."""
        place, faults = self.table.place, self._alike(error)
        if locate is None or not faults:
            return _renamed(error, place, place, "for some guesses", "")
        whens = [f"WHEN {one} THEN {at}" for at, one in enumerate(faults)]
        wanted = f"({' OR '.join(faults)})" + (f" AND {where}" if where else "")
        item = self.table.column("item")
        which = f"CASE {' '.join(whens)} END"
        columns = [which, "NULL" if item is None else name(item)]
        rows = locate(self.table.relation, wanted, columns, 1, place)
        if not rows:
            return _renamed(error, place, place, "for some guesses", "")
        ((row, (number, value)),) = rows
        if self.table.form == "json" and value is not None:
            value = str(json.loads(value))
        fault = [*faults.values()][number]
        named = "some guesses" if value is None else f"item {shown(value)}"
        of_item = "" if value is None else f"It is of {named}."
        return _renamed(fault, place, row, f"for {named}", of_item)

    def _alike(self, error: InputError) -> dict[str, InputError]:
        """The combinations that have the fault of an error, as conditions."""
        faults: dict[str, InputError] = {}
        places = np.arange(len(self.rows))
        known = error
        while len(faults) < MOST_ALIKE:
            file, origin = self._file(places)
            row = _row_of(known, self.table, file)
            if row is None:
                break
            faults[self._condition(known, origin, row)] = known
            places = places[places != origin[row]]
            try:
                self._read(self._file(places)[0])
                break
            except InputError as further:
                known = further
            if known.what != error.what:
                break
        return faults

    def _condition(self, error: InputError, origin: Any, row: int) -> str:
        """The condition that a row is like one of a small file, as SQL."""
        values = zip(self.texts.items(), self.rows[origin[row]], strict=True)
        listed = [_holds(column, text, value) for (column, text), value in values]
        end = None if self.ends is None else self._end(origin, row)
        if self.ends is not None and end is not None and error.what == "confidence":
            listed.append(_holds(self.ends[0], name(self.ends[0]), end))
        return f"({' AND '.join(listed) or 'TRUE'})"


def _holds(column: str, text: str, value: Any) -> str:
    """The condition that what stands for a column is a value, as SQL."""
    if value != value:  # ISNAN goes by statistics of files, which know nothing of it
        text, value = f"CAST({name(column)} AS VARCHAR)", "nan"
    return is_value(f"({text})", value)


def _row_of(error: InputError, table: AnswerTable, file: io.BytesIO) -> int | None:
    """The row of a small file that an error is about, from 0 on; None if no one is."""
    numbered = re.fullmatch(re.escape(table.place) + r":(?:row )?(\d+)", error.where)
    if numbered is None:
        return None
    line = int(numbered[1])
    if table.form != "cells":
        return line - 1
    text = file.getvalue().decode("utf-8", "surrogatepass").replace("\r", " ")
    rows = csv.reader(io.StringIO(text, newline=""))
    ends = [rows.line_num for _ in rows]
    return next(row for row, end in enumerate(ends) if end >= line) - 1


def _renamed(
    error: InputError, place: str, row: str, of_item: str, is_of_item: str
) -> InputError:
    """An error about combinations as one about rows, whose items are no numbers."""
    numbered = re.escape(place) + r":(row )?\d+"
    got, hint = (
        re.sub(numbered, lambda _: place, text) for text in (error.got, error.hint)
    )
    got = re.sub(r"for item '?\d+'?", lambda _: of_item, got)
    hint = re.sub(r" ?It is of item '?\d+'?\.", lambda _: f" {is_of_item}", hint)
    return type(error)(row, error.what, error.must, got, hint.strip())


def refused_rows(
    table: AnswerTable, where: str, locate: Locate, *, most: int
) -> InputError | None:
    """What our own reader says of the first rows of a condition; None if nothing.

    Parameters
    ----------
    table : AnswerTable
        The relation.
    where : str
        The condition: that they have no item, say, or one key.
    locate : callable
        Finds them.
    most : int
        How many of them.
    """
    columns = [*table.types]
    rows = locate(table.relation, where, [*map(name, columns)], most, table.place)
    places = [place for place, _ in rows]
    cells = {
        column: [values[at] for _, values in rows] for at, column in enumerate(columns)
    }
    with tempfile.TemporaryDirectory(prefix="demur-") as folder:
        path = Path(folder, "rows")  # of a file that has a name all columns are read
        try:
            path.write_bytes(as_file(table, cells, range(len(rows))).getvalue())
            read_outcomes(path, columns=table.columns)
        except InputError as error:
            numbered = re.escape(str(path)) + r":(row )?\d+"
            got = re.sub(numbered, lambda _: places[0], error.got)
            parts = error.what, error.must, got, error.hint
            return type(error)(places[-1] if places else table.place, *parts)
        except (ValueError, OverflowError):  # of a type that no file of ours holds
            return None
    return None
