"""Processes that read SQL, kept from one run to the next: a start costs most of a case.

What tests of judging and linting hold is what comes of results, not how processes begin
and end; tests/sql/execution holds that, with fresh processes.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from demur.sql.execution import workers
from demur.sql.execution.databases import Database
from demur.sql.execution.queries import Limits
from demur.sql.execution.results import failure_in

N_KEPT = 6
LASTING = {"error", "forbidden", "unsupported"}
"""Failures after which a run goes on with the same process."""

IDLE: dict[tuple[Any, ...], list[workers.Worker]] = {}
"""Processes that wait, by what they have open; the oldest come first."""

CHANGING = threading.Lock()
"""Of `IDLE`: the threads of a run come and go at once."""


class KeptWorker:
    """A worker whose process serves a later run, too, if nothing went wrong in it."""

    def __init__(self, database: Database, limits: Limits, folder: str) -> None:
        self.database = database
        # A run may replace the program of its workers, or a test the file.
        self._key = database, limits, state_of(database), workers._CODE
        with CHANGING:
            waiting = IDLE.get(self._key)
            kept = waiting.pop() if waiting else None
        self._worker = kept or workers.Worker(database, limits, folder)
        self._is_open = self._keeps = kept is not None
        self._busy = False

    def open(self) -> bytes:
        if self._is_open:
            return b""
        failure = self._worker.open()
        self._keeps = not failure
        return failure

    def ask(self, sql: str) -> bytes:
        self._busy = True
        payload = self._worker.ask(sql)
        self._busy = False
        failure = failure_in(payload)
        self._keeps = failure is None or failure.kind in LASTING
        return payload

    @property
    def died(self) -> bool:
        return self._worker.died

    @property
    def was_killed(self) -> bool:
        return self._worker.was_killed

    def kill(self) -> None:
        if self._busy:
            self._keeps = False
            self._worker.kill()

    def close(self) -> None:
        beside = self._key[2][3:] or (0,)
        if not self._keeps or beside[0]:  # else it reads a copy that the run removes
            self._worker.close()
            return
        with CHANGING:
            IDLE.setdefault(self._key, []).append(self._worker)
            while sum(map(len, IDLE.values())) > N_KEPT:
                close_oldest()


def state_of(database: Database) -> tuple[int, ...]:
    """What tells a file, and what lies beside it, from another of the same name."""
    if not database.is_file:
        return ()
    path = Path(database.place)
    status = path.stat()
    beside = sum(1 for _ in path.parent.glob(f"{path.name}-*"))
    return status.st_ino, status.st_mtime_ns, status.st_size, beside


def close_oldest() -> None:
    """End the process that was kept first."""
    key = next(iter(IDLE))
    if IDLE[key]:
        IDLE[key].pop(0).close()
    if not IDLE[key]:
        del IDLE[key]


@contextmanager
def keeping_workers() -> Iterator[None]:
    """Runs within take processes over from each other; all end with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("demur.sql.execution.crew.Worker", KeptWorker)
        try:
            yield
        finally:
            while IDLE:
                close_oldest()
