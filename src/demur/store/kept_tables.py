"""A kept run as a table that commands read like a file."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.checks import did_you_mean
from demur.errors import InputError, masked, shown
from demur.formats.streams import RecordFile, RowBlock, Wanted
from demur.outcomes.columns import objects
from demur.outcomes.fields import OUTCOMES
from demur.results import printable
from demur.store.kept_runs import KeptRun
from demur.store.stores import Store

Column = npt.NDArray[Any]

USUAL: Final = "demur.sqlite"
"""The store of ``kept:RUN`` where DEMUR_STORE names no other."""

_LOOKED_AT: Final = 100


def store_of(named: re.Match[str]) -> str:
    """The address of the store that an address of a run is in."""
    return named["store"] or os.environ.get("DEMUR_STORE") or USUAL


def run_named(store: Store, name: str) -> KeptRun:
    """A run of a store by number or tag; of an unknown one is said what may be meant.

    Raises
    ------
    InputError
        If there is none.
    """
    try:
        return store.run(name)
    except InputError as problem:
        tags = dict.fromkeys(tag for run in store.runs() for tag in run.tags)
        meant = did_you_mean(name, tags)
        raise problem.with_hint(f"{problem.hint} {meant}".rstrip()) from None


def lock_text(named: re.Match[str]) -> str:
    """The text of the lock that a run was kept with.

    Raises
    ------
    InputError
        If there is no such run, or it was kept without one.
    """
    with Store(store_of(named)) as store:
        lock = run_named(store, named["run"]).lock
    if lock is None:
        need, hint = "be kept with a lock", "demur keep --lock FILE keeps one."
        raise InputError(printable(masked(named[0])), "the run", need, "none", hint)
    return lock


@contextmanager
def opened_run(named: re.Match[str], log: str | None = None) -> Iterator[RecordFile]:
    """The run that an address names, as a table.

    Parameters
    ----------
    named : match of `demur.formats.reading.KEPT`
        With the store, if it is named, and the run.
    log : str, optional
        Refused: a kept run is no log.

    Raises
    ------
    InputError
        If there is no such store, or no such run.
    """
    name = printable(masked(named[0]))
    if log is not None:
        need, hint = "come with files, not with kept runs", "Leave it out."
        raise InputError(name, "log", need, shown(log), hint)
    with Store(store_of(named)) as store:
        table = KeptTable.of(name, store, named["run"])
    yield table


class KeptTable(RecordFile):
    """A kept run, whose rows are numbered from 1 on.

    Parameters
    ----------
    name : str
        Its address, for messages.
    columns : mapping of str to array
        Those that are present; outcomes as their codes.
    recipe : mapping of str to str
        How the outcomes came about.
    notes : sequence of str
        What a reader must know.
    """

    words = "a kept run"

    def __init__(
        self,
        name: str,
        columns: Mapping[str, Column],
        recipe: Mapping[str, str],
        notes: Sequence[str],
    ) -> None:
        self.name, self.prefix = name, f"{name}:row "
        self.recipe, self.notes = recipe, notes
        self._columns = columns

    @classmethod
    def of(cls, name: str, store: Store, run: str) -> "KeptTable":
        """A run of a store."""
        outcomes = store.outcomes(run_named(store, run))
        columns = outcomes.named_columns() | {"outcome": outcomes.outcome.codes}
        if outcomes.confidence is not None:  # as it was kept, in its own precision
            columns["confidence"] = outcomes.confidence
        if columns["item"].dtype != object:  # names are texts, as those of files
            texts = map(str, columns["item"].tolist())
            columns["item"] = objects(texts, len(outcomes))
        return cls(name, columns, outcomes.recipe, outcomes.notes)

    @staticmethod
    def recognises(head: bytes) -> bool:  # noqa: ARG004  (it is named, not recognised)
        """False: no file is one."""
        return False

    def names(self) -> list[str]:
        """Names of the columns."""
        return [*self._columns]

    def beginning(self) -> list[dict[str, Any]]:
        """The first rows."""
        return [record for _, record in self._rows(_LOOKED_AT)]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, each with its number."""
        yield from self._rows(None)

    def _rows(self, most: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
        columns = {name: self._values(name, most) for name in self._columns}
        for number, row in enumerate(zip(*columns.values(), strict=True), 1):
            yield number, dict(zip(columns, row, strict=True))

    def _values(self, name: str, most: int | None = None) -> list[Any]:
        """A column as plain values: outcomes by their names, None for nothing."""
        values: list[Any] = self._columns[name][:most].tolist()
        if name == "outcome":
            return [OUTCOMES[code] for code in values]
        return [None if value != value else value for value in values]

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """All rows as one block of columns."""
        n_rows = len(self._columns["outcome"])
        selecting = [name for name in wanted.selecting() if name in self._columns]
        kept = [name for name in self._columns if wanted.keeps(name)]
        numbers = np.arange(1, n_rows + 1)
        selection, chosen = wanted.selection, None
        if selection is not None:
            raw = {name: self._values(name) for name in selecting}
            chosen = selection.rows(raw, n_rows)
        columns = {name: self._columns[name] for name in kept}
        if chosen is not None:
            columns = {name: column[chosen] for name, column in columns.items()}
            numbers = numbers[chosen]
        rows = range(1, n_rows + 1) if chosen is None else numbers.tolist()
        yield RowBlock(columns if len(rows) else {}, rows, frozenset(kept + selecting))
