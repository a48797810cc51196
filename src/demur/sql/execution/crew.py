"""The workers of one run: started, asked, replaced, and all killed at its end."""

import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from demur.sql.execution.caching import Cache, key_of, unfinished
from demur.sql.execution.databases import Database, find_database
from demur.sql.execution.queries import Limits, Query, QueryFailed, SqlFailure
from demur.sql.execution.results import failure_in, failure_payload
from demur.sql.execution.statements import check_length
from demur.sql.execution.turns import Turns
from demur.sql.execution.waiting import Found, Waiting
from demur.sql.execution.workers import Worker
from demur.sql.unstable import is_stable

_LASTING = frozenset({"error", "forbidden", "unsupported"})
"""Failures that come again whenever the query runs; any other ends its worker."""

_OPENINGS: Final = 3
"""How many processes in a row may die before a database counts as unreadable."""

_PAUSES: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""Seconds between attempts to reach a server that has fallen: two minutes in all.

A server on a slow disk may take that long to recover."""

_LOSSES: Final = 3
"""How often a query may lose its server, the last times with nothing else running."""


class Stopped(Exception):
    """The run is over; nothing is started any more."""


@dataclass(slots=True)
class KnownDatabase:
    """A database and what was learned of it during this run."""

    database: Database
    version: str
    digest: str | None
    deaths: int = 0  # of processes in a row that should have opened it
    opened: bool = False  # at least once
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
    resume : bool
        Whether those of servers are kept, too.
    """

    def __init__(
        self, limits: Limits, cache: Cache | None, folder: str, *, resume: bool = False
    ) -> None:
        self.limits = limits
        self.resume = resume
        self.cache = cache
        self._folder = folder
        self._sources: dict[str, KnownDatabase | bytes] = {}
        self._lock = threading.Lock()
        self._live: set[Worker] = set()
        self.turns = Turns()
        self._ended = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether the run is over."""
        return self._ended.is_set()

    def pause(self, seconds: float) -> None:
        """Wait.

        Raises
        ------
        Stopped
            If the run ends meanwhile.
        """
        if self._ended.wait(seconds):
            raise Stopped

    def know(self, name: str, source: KnownDatabase | bytes) -> None:
        """Take what another crew has found behind a name."""
        self._sources[name] = source

    def source(self, name: str) -> KnownDatabase | bytes:
        """The database of that name, or the failure of every query on it."""
        if name not in self._sources:
            # Of threads that come at once, all take what the first has set.
            self._sources.setdefault(name, self._look_up(name))
        return self._sources[name]

    def _look_up(self, name: str) -> KnownDatabase | bytes:
        try:
            database = find_database(name)
            kept = self.cache is not None and (database.is_file or self.resume)
            digest = database.digest() if kept else None
            version = "" if digest is None else database.version()
            return KnownDatabase(database, version, digest)
        except QueryFailed as failed:
            return failure_payload(failed.failure)
        except OSError as problem:
            broken = QueryFailed("unreadable", str(problem))
            return failure_payload(broken.failure)

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
            self._ended.set()
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
        try:
            check_length(query.sql)
        except QueryFailed as failed:
            return failure_payload(failed.failure)
        cache, key = self._crew.cache, self._key(source, query)
        kept = cache.get(key) if cache is not None and key else None
        if kept is not None:
            return kept
        payload = self._run(source, query.sql)
        failure = failure_in(payload)
        if failure is None or failure.kind in _LASTING:
            if cache is not None and key:
                cache.put(key, payload)
        else:
            self.leave()
        return payload

    def _key(self, source: KnownDatabase, query: Query) -> str:
        """Under which name a result is kept; nothing if it is not."""
        if self._crew.cache is None or source.digest is None or query.fresh:
            return ""
        if not is_stable(query.sql):
            return ""
        key = key_of(source.digest, query.sql, source.version, self._crew.limits)
        return key if source.database.is_file else unfinished(key)

    def leave(self) -> None:
        """Let the worker go."""
        if self._worker is not None:
            self._crew.end(self._worker)
            self._worker = None

    def _run(self, source: KnownDatabase, sql: str) -> bytes:
        """Ask; again if the process or the server went away while it worked.

        A query that loses its server again with nothing else running is to blame.
        """
        if source.database.is_file:
            return self._asked(source, sql)
        for attempt in range(_LOSSES):
            with self._crew.turns.turn(alone=attempt > 0):
                payload = self._asked(source, sql)
            failure = failure_in(payload)
            if source.refused or failure is None or failure.kind != "lost":
                return payload
            self.leave()
        message = f"the server went down {_LOSSES} times while it ran, then alone"
        return failure_payload(SqlFailure("crashed", message))

    def _asked(self, source: KnownDatabase, sql: str) -> bytes:
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

    def _open(self, source: KnownDatabase) -> bytes:
        """See that a worker has the database open; how it failed, if none can.

        One that only died, as if killed for its memory, is replaced: that says nothing
        of the database until it has happened often. A server that was there before is
        given time to come back.
        """
        if self._worker is not None and self._worker.database != source.database:
            self.leave()
        pauses = iter(() if source.database.is_file else _PAUSES)
        while self._worker is None and not source.refused:
            self._worker = self._crew.start(source.database)
            failure = self._worker.open()
            if self._crew.stopped:
                raise Stopped
            if not failure:
                source.deaths, source.opened = 0, True
                break
            source.deaths += self._worker.died
            again = self._worker.died and source.deaths < _OPENINGS
            self.leave()
            if again:
                continue
            # Asked only now: another worker may have opened it since this one began.
            pause = next(pauses, None) if source.opened else None
            if pause is not None:
                self._crew.pause(pause)
            else:
                source.refused = _lost(failure) if source.opened else failure
        return b"" if self._worker is not None else source.refused


def _lost(payload: bytes) -> bytes:
    """The same failure, said of a server that has been there before."""
    failure = failure_in(payload)
    cause = "" if failure is None else failure.message
    message = f"the server went down and did not come back: {cause}"
    return failure_payload(SqlFailure("lost", message))


def find_all(
    queries: Sequence[Query],
    limits: Limits,
    *,
    cache: Cache | None,
    workers: int,
    progress: Callable[[int, int], None] | None,
    resume: bool = False,
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
    resume : bool
        Whether results of servers are kept in the cache, too.

    Yields
    ------
    SqlResult or SqlFailure
        One for each query.
    """
    made = tempfile.TemporaryDirectory(prefix="demur-", ignore_cleanup_errors=True)
    with made as folder:
        crew = Crew(limits, cache, folder, resume=resume)
        waiting = Waiting(queries, Path(folder), progress)
        work = partial(_work, crew, waiting)
        threads = [
            threading.Thread(target=work, name="demur-sql", daemon=True)
            for _ in range(min(workers, waiting.n_most_threads))
        ]
        try:
            for thread in threads:
                thread.start()
            yield from waiting.in_order()
        finally:
            waiting.stop()
            crew.stop()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()


def _work(crew: Crew, waiting: Waiting) -> None:
    """One thread: queries until there are none."""
    seat = Seat(crew)
    query = waiting.take("")
    try:
        while query is not None:
            waiting.put(query, seat.ask(query))
            query = waiting.take(query.database)
    except Stopped:
        return
    except BaseException as problem:  # noqa: BLE001  (raised again by in_order)
        waiting.fail(problem)
    finally:
        seat.leave()
