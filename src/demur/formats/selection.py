"""The rows of a file that are wanted, by the values of columns."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.checks import did_you_mean
from demur.errors import InputError, shown
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

    Attributes
    ----------
    absent : set of str
        Columns that no record had, of those that `has` was asked about.

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
            name: tuple(as_text(cell) or "" for cell in _values(value))
            for name, value in (where or {}).items()
        }
        self.total = self.kept = 0
        self.absent = set(self.wanted)
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
        self.absent -= record.keys()
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
            need = "match at least one row"
            need += ", each of several values" if several else ""
            raise InputError(where, "where", need, self.text(), self._hint())

    def text(self) -> str:
        """The condition, one line."""
        pairs = (f"{name}={' or '.join(texts)}" for name, texts in self.wanted.items())
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
        unmet = (text for text in self.wanted[name] if text not in self._met[name])
        hints = filter(None, (did_you_mean(text, values) for text in unmet))
        listed = f"Values of {printable(name)} are {some}{more}."
        return " ".join([listed, *islice(hints, 1)])


def _values(wanted: Any) -> Iterable[Any]:
    return wanted if isinstance(wanted, (list, tuple, set, frozenset)) else (wanted,)
