"""The workers of one run: started, asked, replaced, and all killed at its end."""

import threading
from dataclasses import dataclass
from typing import Final

from demur.execution.caching import Cache, is_stable, key_of
from demur.execution.databases import Database, find_database
from demur.execution.queries import Limits, Query, QueryFailed
from demur.execution.results import failure_in, failure_payload
from demur.execution.workers import Worker

_LASTING = frozenset({"error", "forbidden", "unsupported"})
"""Failures that come again whenever the query runs; any other ends its worker."""

_OPENINGS: Final = 3
"""How many processes in a row may die before a database counts as unreadable."""


class Stopped(Exception):
    """The run is over; nothing is started any more."""


@dataclass(slots=True)
class _Source:
    """A database and what was learned of it during this run."""

    database: Database
    version: str
    digest: str | None
    deaths: int = 0  # of processes in a row that should have opened it
    refused: bytes = b""  # how it failed to open; it is not tried again


class Crew:
    """What the threads of one run share.

    Parameters
    ----------
    limits : Limits
        Of each query.
    cache : Cache, optional
        Where payloads are looked for and kept.
    folder : str
        For copies of databases.
    """

    def __init__(self, limits: Limits, cache: Cache | None, folder: str) -> None:
        self.limits = limits
        self.cache = cache
        self._folder = folder
        self._sources: dict[str, _Source | bytes] = {}
        self._lock = threading.Lock()
        self._live: set[Worker] = set()
        self.stopped = False

    def source(self, name: str) -> _Source | bytes:
        """The database of that name, or the failure of every query on it."""
        if name not in self._sources:
            try:
                database = find_database(name)
                digest = database.digest() if self.cache is not None else None
                version = "" if digest is None else database.version()
                self._sources[name] = _Source(database, version, digest)
            except QueryFailed as failed:
                self._sources[name] = failure_payload(failed.failure)
            except OSError as problem:
                broken = QueryFailed("unreadable", str(problem))
                self._sources[name] = failure_payload(broken.failure)
        return self._sources[name]

    def start(self, database: Database) -> Worker:
        """A new worker.

        Raises
        ------
        Stopped
            If the run is over.
        """
        with self._lock:
            if self.stopped:
                raise Stopped
            worker = Worker(database, self.limits, self._folder)
            self._live.add(worker)
        return worker

    def end(self, worker: Worker) -> None:
        """Kill a worker and forget it."""
        with self._lock:
            self._live.discard(worker)
        worker.close()

    def stop(self) -> None:
        """Kill all workers; who waits for one gets a failure at once."""
        with self._lock:
            self.stopped = True
            for worker in self._live:
                worker.kill()


class Seat:
    """The place of one thread: at most one worker at a time.

    Parameters
    ----------
    crew : Crew
        Shared by the threads.
    """

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._worker: Worker | None = None

    def ask(self, query: Query) -> bytes:
        """The payload that answers a query.

        Raises
        ------
        Stopped
            If the run is over.
        """
        source = self._crew.source(query.database)
        if isinstance(source, bytes):
            return source
        cache, key = self._crew.cache, ""
        if query.fresh or not is_stable(query.sql):
            cache = None
        if cache is not None and source.digest is not None:
            limits = self._crew.limits
            key = key_of(source.digest, query.sql, source.version, limits)
            if (payload := cache.get(key)) is not None:
                return payload
        payload = self._run(source, query.sql)
        failure = failure_in(payload)
        if failure is None or failure.kind in _LASTING:
            if cache is not None and key:
                cache.put(key, payload)
        else:
            self.leave()
        return payload

    def leave(self) -> None:
        """Let the worker go."""
        if self._worker is not None:
            self._crew.end(self._worker)
            self._worker = None

    def _run(self, source: _Source, sql: str) -> bytes:
        """Ask; once more if the process was killed from outside while it worked."""
        for _ in range(2):
            refused = self._open(source)
            if refused or self._worker is None:
                return refused
            payload = self._worker.ask(sql)
            if self._crew.stopped:  # then it was killed, and that is no answer
                raise Stopped
            if not self._worker.was_killed:
                break
            self.leave()
        return payload

    def _open(self, source: _Source) -> bytes:
        """See that a worker has the database open; how it failed, if none can.

        One that only died, as if killed for its memory, is replaced: that says nothing
        of the database until it has happened often.
        """
        if self._worker is not None and self._worker.database != source.database:
            self.leave()
        while self._worker is None and not source.refused:
            self._worker = self._crew.start(source.database)
            failure = self._worker.open()
            if self._crew.stopped:
                raise Stopped
            if not failure:
                source.deaths = 0
                break
            source.deaths += 1
            if not self._worker.died or source.deaths >= _OPENINGS:
                source.refused = failure
            self.leave()
        return b"" if self._worker is not None else source.refused
