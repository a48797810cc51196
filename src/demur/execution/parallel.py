"""Threads that each keep one worker busy; what they find is put back into order."""

import queue
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Final

from demur.execution.caching import Cache
from demur.execution.crew import Crew, Seat, Stopped
from demur.execution.queries import Limits, Query, SqlFailure
from demur.execution.results import SqlResult, read_payload

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
            found = waiting[query] if uses[query] else waiting.pop(query)
            yield _recalled(found, last=not uses[query])

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
        """What waits for its turn: on disk if it is large."""
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
