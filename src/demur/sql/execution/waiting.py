"""What is still to be run, and what waits for its turn: shared by the threads of a run.

A thread stays with the database that it has open; when nothing is left there, it takes
a database that nobody reads, then a share of the work of the one with most of it left.
"""

import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from demur.sql.execution.caching import disk_problem
from demur.sql.execution.queries import Query, SqlFailure
from demur.sql.execution.results import SqlResult, read_payload

Found = SqlResult | SqlFailure

MOST_WAITING: Final = 1 << 28
"""Bytes of results that wait for their turn, before nothing new is begun."""

_PATIENCE: Final = 0.5
"""Seconds until a thread opens a database that another has open; small runs are over
by then.
"""

_LARGE: Final = 1 << 16  # bytes; larger results wait on disk until they are wanted


class Waiting:
    """Queries to run, and results that wait, of one run.

    Parameters
    ----------
    queries : sequence of Query
        In the order in which they are wanted; equal ones are run once.
    folder : Path
        For large results.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.
    """

    def __init__(
        self,
        queries: Sequence[Query],
        folder: Path,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._queries, self._progress = queries, progress
        self._uses = Counter(queries)
        self._todo: dict[str, deque[Query]] = {}
        for query in self._uses:
            self._todo.setdefault(query.database, deque()).append(query)
        self._done = 0
        self._steps: deque[int] = deque()  # counts that are yet to be reported
        self._folder = folder
        self._found: dict[Query, tuple[Found | Path, int]] = {}
        self._readers: dict[str, int] = {}
        self._changed = threading.Condition()
        self._wanted: Query | None = None
        self._waiting = 0
        self._over = False
        self._problem: BaseException | None = None

    # -- for the threads -----------------------------------------------------------

    def take(self, database: str) -> Query | None:
        """The next query for a thread that has a database open; None at the end.

        It waits while too much waits, unless it can begin what is wanted next.
        """
        patience = time.monotonic() + _PATIENCE
        with self._changed:
            while not self._over and any(self._todo.values()):
                query = self._choose(database, share=time.monotonic() >= patience)
                if query is not None:
                    if query.database != database:
                        self._leave(database)
                        self._readers.setdefault(query.database, 0)
                        self._readers[query.database] += 1
                    return query
                self._changed.wait(_PATIENCE)
            self._leave(database)
            return None

    def _leave(self, database: str) -> None:
        if database in self._readers:
            self._readers[database] -= 1

    def _choose(self, database: str, *, share: bool) -> Query | None:
        if self._waiting > MOST_WAITING:
            wanted = self._wanted
            if wanted is None or wanted not in self._todo.get(wanted.database, ()):
                return None
            self._todo[wanted.database].remove(wanted)
            return wanted
        queue = self._todo.get(database)
        if queue:
            return queue.popleft()
        left = {name: rest for name, rest in self._todo.items() if rest}
        free = [name for name in left if not self._readers.get(name)]
        if not free and not share:
            return None
        chosen = free[0] if free else max(left, key=lambda name: len(left[name]))
        return left[chosen].popleft()

    def queries(self) -> list[Query]:
        """What is to be run, each once."""
        return list(self._uses)

    def wait_for_room(self) -> bool:
        """Wait while too much waits that nobody asks for; False at the end."""
        with self._changed:
            while not self._over and self._waiting > MOST_WAITING and not self._wanted:
                self._changed.wait(_PATIENCE)
            return not self._over

    @property
    def n_most_threads(self) -> int:
        """How many threads can have work at a time."""
        return len(self._uses)

    def put(self, query: Query, payload: bytes) -> None:
        """Keep what a query gives until its turn; large results on disk.

        Raises
        ------
        InputError
            If the disk is full.
        """
        result: Found | Path
        if len(payload) > _LARGE:
            result = self._written(payload)
        else:
            result = read_payload(payload)
        with self._changed:
            self._found[query] = result, len(payload)
            self._waiting += len(payload)
            self._done += self._uses[query]
            self._steps.append(self._done)
            self._changed.notify_all()

    def _written(self, payload: bytes) -> Path:
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(payload)
        except OSError as problem:
            raise disk_problem(problem, "results that wait", self._folder) from None
        return Path(file.name)

    def fail(self, problem: BaseException) -> None:
        """End the run with an exception."""
        with self._changed:
            self._problem = self._problem or problem
            self._changed.notify_all()

    # -- for the one who reads -----------------------------------------------------

    def in_order(self) -> Iterator[Found]:
        """What the queries give, one after the other, as soon as it is there."""
        for query in self._queries:
            result = self._wait_for(query)
            self._report()  # before it is given: who has the last asks for no more
            yield result

    def _report(self) -> None:
        while self._steps and self._progress is not None:
            self._progress(self._steps.popleft(), len(self._queries))

    def _wait_for(self, query: Query) -> Found:
        with self._changed:
            self._wanted = query
            self._changed.notify_all()
            while query not in self._found:
                if self._problem is not None:
                    raise self._problem
                self._changed.wait()
                self._report()
            self._wanted = None
            result, size = self._found[query]
            self._uses[query] -= 1
            # A query may stand in the list several times; it is run once.
            last = not self._uses[query]
            if last:
                del self._found[query]
                self._waiting -= size
                self._changed.notify_all()
        if not isinstance(result, Path):
            return result
        payload = result.read_bytes()
        if last:
            result.unlink()
        return read_payload(payload)

    def stop(self) -> None:
        """Begin nothing more."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
