"""Which rows of a file are wanted, by the values of named columns."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown
from demur.formats.fields import as_text
from demur.formats.headings import printable

_MOST_SEEN: Final = 1000
_LISTED: Final = 8


class Selection:
    """The rows whose columns have given values, compared as text.

    Keeps count, so that it can say what was left out.

    Parameters
    ----------
    where : mapping of column name to value, optional
        What each column must hold; the empty text is a missing value.

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
            name: as_text(value) or "" for name, value in (where or {}).items()
        }
        self.total = self.kept = 0
        self._seen: dict[str, dict[str, None]] = {name: {} for name in self.wanted}
        self._met: set[str] = set()

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
        """Raise unless some row was wanted.

        Raises
        ------
        InputError
            Naming values that do occur.
        """
        if self.wanted and not self.kept:
            must = "match at least one row"
            raise InputError(where, "where", must, self.text(), self._hint())

    def text(self) -> str:
        """The condition, one line."""
        pairs = (f"{name}={value}" for name, value in self.wanted.items())
        return printable(", ".join(pairs))

    def note(self) -> str:
        """How many rows were selected."""
        return f"{self.kept} of {self.total} rows selected by {self.text()}"

    def _matches(self, name: str, values: Iterable[Any]) -> list[bool]:
        wanted, seen = self.wanted[name], self._seen[name]
        texts = [as_text(value) or "" for value in values]
        if len(seen) < _MOST_SEEN:
            seen.update(dict.fromkeys(texts))
        matches = [text == wanted for text in texts]
        if name not in self._met and True in matches:
            self._met.add(name)
        return matches

    def _hint(self) -> str:
        unmet = [name for name in self.wanted if name not in self._met]
        if not unmet:
            return "Each value occurs, but no row has all of them."
        return " ".join(self._occurring(name) for name in unmet)

    def _occurring(self, name: str) -> str:
        values = list(self._seen[name])
        some = ", ".join(shown(value) for value in values[:_LISTED])
        more = ", ..." if len(values) > _LISTED else ""
        near = difflib.get_close_matches(self.wanted[name], values, n=1)
        hint = f" Did you mean {shown(near[0])}?" if near else ""
        return f"Values of {printable(name)} are {some}{more}.{hint}"
