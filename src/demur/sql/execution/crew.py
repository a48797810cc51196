"""The workers of one run: started, asked, replaced, and all killed at its end."""

import queue
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from demur.sql.execution.caching import Cache, key_of
from demur.sql.execution.databases import Database, find_database
from demur.sql.execution.queries import Limits, Query, QueryFailed, SqlFailure
from demur.sql.execution.results import (
    SqlResult,
    failure_in,
    failure_payload,
    read_payload,
)
from demur.sql.execution.workers import Worker
from demur.sql.unstable import is_stable

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


Found = SqlResult | SqlFailure

Progress = Callable[[int, int], None]

_BATCH: Final = 64  # queries of one database that a thread takes at a time

_LARGE: Final = 1 << 16  # bytes; larger results wait on disk until they are wanted


def find_all(
    queries: Sequence[Query],
    limits: Limits,
    *,
    cache: Cache | None,
    workers: int,
    progress: Progress | None,
) -> Generator[Found]:
    """What each query gives, in their order; ends every process in any case.

    Parameters
    ----------
    queries : sequence of Query
        Equal ones are run once.
    limits : Limits
        Of each query.
    cache : Cache, optional
        Where results are looked for and kept.
    workers : int
        Threads, each with one worker at a time.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.

    Yields
    ------
    SqlResult or SqlFailure
        One for each query.
    """
    with tempfile.TemporaryDirectory(
        prefix="demur-", ignore_cleanup_errors=True
    ) as folder:
        crew = Crew(limits, cache, folder)
        run = _Run(queries, crew, Path(folder))
        threads = [
            threading.Thread(target=run.work, name="demur-sql", daemon=True)
            for _ in range(min(workers, run.n_batches))
        ]
        try:
            for thread in threads:
                thread.start()
            yield from run.in_order(progress)
        finally:
            crew.stop()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()


class _Run:
    """What is to do, and what has been found."""

    def __init__(self, queries: Sequence[Query], crew: Crew, folder: Path) -> None:
        self._queries = queries
        self._crew = crew
        self._folder = folder
        self._todo: queue.SimpleQueue[list[Query]] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Query, Found | Path] | BaseException] = (
            queue.SimpleQueue()
        )
        batches = list(_batches(queries))
        for batch in batches:
            self._todo.put(batch)
        self.n_batches = len(batches)

    def in_order(self, progress: Progress | None) -> Iterator[Found]:
        """Give out what the threads find, as soon as its turn comes."""
        uses = Counter(self._queries)
        waiting: dict[Query, Found | Path] = {}
        done = 0
        for query in self._queries:
            while query not in waiting:
                item = self._done.get()
                if isinstance(item, BaseException):
                    raise item
                waiting[item[0]] = item[1]
                done += uses[item[0]]
                if progress is not None:
                    progress(done, len(self._queries))
            uses[query] -= 1
            result = waiting[query] if uses[query] else waiting.pop(query)
            yield _recalled(result, last=not uses[query])

    def work(self) -> None:
        """One thread: batches until there are none."""
        seat = Seat(self._crew)
        try:
            while True:
                for query in self._todo.get_nowait():
                    self._done.put((query, self._kept(seat.ask(query))))
        except (queue.Empty, Stopped):
            return
        except BaseException as problem:  # noqa: BLE001  (raised again by in_order)
            self._done.put(problem)
        finally:
            seat.leave()

    def _kept(self, payload: bytes) -> Found | Path:
        if len(payload) <= _LARGE:
            return read_payload(payload)
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(payload)
        return Path(file.name)


def _batches(queries: Sequence[Query]) -> Iterator[list[Query]]:
    """Distinct queries by database, some at a time; those wanted first come first."""
    by_database: dict[str, list[Query]] = {}
    for query in dict.fromkeys(queries):
        by_database.setdefault(query.database, []).append(query)
    for group in by_database.values():
        for start in range(0, len(group), _BATCH):
            yield group[start : start + _BATCH]


def _recalled(found: Found | Path, *, last: bool) -> Found:
    if not isinstance(found, Path):
        return found
    payload = found.read_bytes()
    if last:
        found.unlink()
    return read_payload(payload)
