"""The workers of one run: started, asked, replaced, and all killed at its end."""

import threading
from dataclasses import dataclass

from demur.execution.caching import Cache, key_of
from demur.execution.databases import Database, find_database
from demur.execution.queries import Limits, Query, QueryFailed
from demur.execution.results import failure_in, failure_payload
from demur.execution.workers import Worker

_LASTING = frozenset({"error", "forbidden", "unsupported"})
"""Failures that come again whenever the query runs; any other ends its worker."""


class Stopped(Exception):
    """The run is over; nothing is started any more."""


@dataclass(slots=True)
class _Source:
    """A database and what was learned of it during this run."""

    database: Database
    version: str
    digest: str | None
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
        cache, key = (None if query.fresh else self._crew.cache), ""
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
        if source.refused:
            return source.refused
        if self._worker is None or self._worker.database != source.database:
            self.leave()
            self._worker = self._crew.start(source.database)
            source.refused = self._worker.open()
        payload = source.refused or self._worker.ask(sql)
        if self._crew.stopped:  # then it was killed, and that is no answer
            raise Stopped
        return payload
