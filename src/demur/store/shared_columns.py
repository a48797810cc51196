"""Columns of many runs: those that a run shares with earlier ones are unpacked once."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from demur.store.blobs import content_of
from demur.store.kept_runs import KeptRun
from demur.store.packing import Column, unpacked
from demur.store.stores import Store

Named = dict[str, tuple[str, Column]]
"""Columns by name, each with the hash of its bytes."""

_SEVERAL: Final = 64
"""Of so many columns at most the values are held for runs to come."""


def shared_columns(
    store: Store, runs: Sequence[KeptRun], names: Collection[str]
) -> Iterator[Named]:
    """Some columns of each run, in the order of runs, whatever that is.

    Raises
    ------
    InputError
        If a column is damaged.
    """
    if not runs:
        return
    connection, wanted = store.connection, {run.number for run in runs}
    asked = (
        "SELECT run, name, hash FROM run_columns WHERE part = 'column' AND run BETWEEN "
        "? AND ? ORDER BY run, place"
    )
    rows = (
        row
        for row in connection.rows(asked, min(wanted), max(wanted))
        if row[0] in wanted and row[1] in names
    )
    of_run = {run: [*listed] for run, listed in groupby(rows, key=itemgetter(0))}
    known: dict[str, Column] = {}
    for number in (run.number for run in runs):
        named: Named = {}
        for _, name, digest in of_run[number]:
            column = known.pop(digest, None)
            if column is None:
                what = f"run {number}, column {name}"
                column = unpacked(content_of(connection, digest, what))
                column.setflags(write=False)
            named[name] = digest, column
            known[digest] = column  # the last that was asked for goes last
        while len(known) > max(_SEVERAL, len(named)):
            del known[next(iter(known))]
        yield named
