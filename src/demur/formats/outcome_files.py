"""Outcomes from files: blocks of columns put together as one table."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from demur.errors import InputError
from demur.formats import headings
from demur.formats.opening import open_table
from demur.formats.selection import Selection
from demur.formats.streams import Source
from demur.formats.tables import RecordFile, RowBlock, Wanted
from demur.outcomes import fields
from demur.outcomes.columns import Column, missing, objects
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG
from demur.outcomes.table import Outcomes

_ANSWERS: Final = ("outcome", "correct")
_MOST_SHARED: Final = 1 << 20
_APART: Final = ("system", "setting", "repeat")


def read_outcomes(
    *sources: Source,
    where: Mapping[str, Any] | None = None,
    groups: Sequence[str] | None = (),
    display: bool = False,
) -> Outcomes:
    r"""Judged responses from files: JSON Lines, JSON, CSV, TSV or Parquet.

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
    >>> import io
    >>> file = io.BytesIO(b"item,correct,confidence\nq1,true,0.9\nq2,,\n")
    >>> read_outcomes(file)
    Outcomes(2 rows, 1 system: 1 right, 0 wrong, 1 unanswered, 0 ungraded)
    """
    if isinstance(groups, str):
        groups = (groups,)
    selection = Selection(where)
    wanted = Wanted(selection, None if groups is None else tuple(groups), display)
    gathered = _Gathered()
    names = []
    for source in sources:
        with open_table(source) as opened:
            names.append(opened.name)
            gathered.add_all(opened, wanted)
    if not names:
        raise InputError("read_outcomes", "the sources", "be at least one", "none")
    selection.check(", ".join(names))
    return gathered.outcomes(selection)


class SharedTexts(dict[str | None, str | None]):
    """Equal texts as one object, as long as there are not too many.

    Examples
    --------
    >>> shared = SharedTexts()
    >>> first, second = shared.column(np.array(["".join("ab"), "".join("ab")], object))
    >>> first is second
    True
    """

    def __missing__(self, text: str | None) -> str | None:
        self[text] = text
        return text

    def column(self, texts: Column) -> Column:
        """The same texts, equal ones shared."""
        if len(self) > _MOST_SHARED:
            return texts
        return objects(map(self.__getitem__, texts.tolist()), len(texts))


class _Gathered:
    """Blocks of columns, on their way to one table."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._parts: dict[str, list[tuple[int, Column]]] = {}
        self._shared: dict[str, SharedTexts] = {}
        self._starts: list[int] = []
        self._origins: list[tuple[str, Sequence[int]]] = []
        self._notes: list[str] = []

    def add_all(self, opened: RecordFile, wanted: Wanted) -> None:
        """Add the selected rows of a file."""
        present: set[str] = set()
        for block in opened.blocks(wanted):
            if not present:
                _check_own(opened, block)
            _check_alike(opened, block, present)
            present |= block.present
            self._add(opened.prefix, block)
        if "confidence" not in present:
            self._notes.append(headings.maybe("confidence", list(opened.found())))
        for name, argument in wanted.named().items():
            if name not in present:
                raise headings.unknown(opened.name, argument, name, opened.found())

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

    def outcomes(self, selection: Selection) -> Outcomes:
        """The table."""
        self._shared.clear()
        if all(name in self._parts for name in _ANSWERS):
            self._unite_answers()
        known = fields.columns()
        own = [name for name in known if name in self._parts]
        further = [name for name in self._parts if name not in known]
        selected = bool(selection.wanted)
        return Outcomes.from_columns(
            {name: _masked(self._joined(name)) for name in own},
            groups={name: self._joined(name) for name in further},
            locate=self.place,
            recipe={"where": selection.text()} if selected else {},
            notes=[
                *([selection.note()] if selected else []),
                *dict.fromkeys(filter(None, self._notes)),
            ],
        )

    def place(self, row: int) -> str:
        """Where a row comes from, as messages name it."""
        at = bisect_right(self._starts, row) - 1
        prefix, numbers = self._origins[at]
        return f"{prefix}{numbers[row - self._starts[at]]}"

    def _joined(self, name: str) -> Column:
        """A whole column; parts without it say nothing."""
        parts = self._parts.pop(name)
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


def _masked(column: Column) -> Column:
    """Numbers with their gaps masked; other columns as they are."""
    if column.dtype.kind == "f" and np.isnan(column).any():
        masked: Column = np.ma.masked_array(column, np.isnan(column))
        return masked
    return column


def _check_own(opened: RecordFile, block: RowBlock) -> None:
    """A file has items, and says in one way what became of them."""
    needed = [each for each in (("item",), _ANSWERS) if block.present.isdisjoint(each)]
    if needed:
        raise headings.lacking_columns(opened.name, needed, opened.found())
    if block.present >= set(_ANSWERS):
        hint = "Leave one out."
        must = "have one of outcome and correct"
        raise InputError(opened.name, "the columns", must, "both", hint)
    if block.present >= {"correct", "credit"}:
        must = "not stand beside correct, which holds credits already"
        raise InputError(opened.name, "credit", must, "both columns")


def _check_alike(opened: RecordFile, block: RowBlock, present: set[str]) -> None:
    """What the first records have, all have."""
    if not present or not block.numbers:
        return
    place = f"{opened.prefix}{block.numbers[0]}"
    needed = ("item", *_ANSWERS)
    for name in needed:
        if name in present and name not in block.present:
            raise headings.absent(place, name)
    for name in needed:
        if name in block.present and name not in present:
            must, got = "be present in every record or in none", "the first here"
            raise InputError(place, name, must, got)
