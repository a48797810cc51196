"""Queries that an executor runs: in shares, each on one database."""

import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demur.executors import OPEN, Jobs
from demur.sql.execution.caching import Cache
from demur.sql.execution.crew import Crew, KnownDatabase, Seat
from demur.sql.execution.queries import Limits, Query
from demur.sql.execution.waiting import Found, Waiting

if TYPE_CHECKING:
    from concurrent.futures import Executor

SHARE: Final = 400
"""Queries of a share: a database is opened once for them."""

MOST_SENT, MOST_SECONDS = 1 << 26, 5.0
"""After so many bytes of results, or so long, a share ends; the rest runs later."""


@dataclass(frozen=True, slots=True)
class Share:
    """Some queries on one database.

    Parameters
    ----------
    source : KnownDatabase or bytes
        The database as it was found here, or why there is none.
    queries : tuple of Query
        No two are equal.
    limits : Limits
        Of each query.
    cache : str or None
        The folder where results are looked for and kept.
    resume : bool
        Whether results of servers are kept, too.
    """

    source: KnownDatabase | bytes
    queries: tuple[Query, ...]
    limits: Limits
    cache: str | None
    resume: bool

    def answered(self) -> list[bytes]:
        """The payloads of the first queries: of all, unless they are large or slow."""
        made = tempfile.TemporaryDirectory(prefix="demur-", ignore_cleanup_errors=True)
        with made as folder:
            cache = None if self.cache is None else Cache(self.cache)
            crew = Crew(self.limits, cache, folder, resume=self.resume)
            crew.know(self.queries[0].database, self.source)
            seat, payloads, size = Seat(crew), list[bytes](), 0
            end = time.monotonic() + MOST_SECONDS
            try:
                for query in self.queries:
                    payloads.append(seat.ask(query))
                    size += len(payloads[-1])
                    if size > MOST_SENT or time.monotonic() >= end:
                        break
            finally:
                seat.leave()
                crew.stop()
        return payloads


def _answered(share: Share) -> tuple[Share, list[bytes]]:
    return share, share.answered()


def find_all_on(
    executor: "Executor",
    queries: Sequence[Query],
    limits: Limits,
    *,
    cache: str | None,
    progress: Callable[[int, int], None] | None,
    resume: bool = False,
) -> Generator[Found]:
    """What each query gives, in their order, as `crew.find_all` does.

    Parameters
    ----------
    executor : Executor
        Its workers must find the files under the same paths.
    queries : sequence of Query
        Equal ones are run once.
    limits : Limits
        Of each query.
    cache : str, optional
        The folder where results are looked for and kept.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.
    resume : bool
        Whether results of servers are kept in the cache, too.

    Yields
    ------
    SqlResult or SqlFailure
        One for each query.

    Raises
    ------
    RunError
        If the executor loses a share.
    """
    made = tempfile.TemporaryDirectory(prefix="demur-", ignore_cleanup_errors=True)
    with made as folder, Jobs("queries", _answered, executor, first_done=True) as jobs:
        waiting = Waiting(queries, Path(folder), progress)
        # Only to look databases up; nothing is started by it.
        kept = None if cache is None else Cache(cache)
        crew = Crew(limits, kept, folder, resume=resume)
        sharing = deque(
            Share(crew.source(some[0].database), some, limits, cache, resume)
            for some in shared(waiting.queries())
        )
        how = {"target": _feed, "args": (waiting, jobs, sharing), "daemon": True}
        threading.Thread(name="demur-sql", **how).start()  # type: ignore[arg-type]
        try:
            yield from waiting.in_order()
        finally:
            waiting.stop()


def shared(queries: Sequence[Query]) -> list[tuple[Query, ...]]:
    """Queries in shares, by the first query of each; their size is always the same.

    Examples
    --------
    >>> asked = [Query(name, "SELECT 1") for name in ("b", "a", "b")]
    >>> [[query.database for query in share] for share in shared(asked)]
    [['b', 'b'], ['a']]
    """
    open_: dict[str, list[Query]] = {}
    shares: list[list[Query]] = []
    for query in queries:
        share = open_.get(query.database)
        if share is None or len(share) == SHARE:
            share = open_[query.database] = []
            shares.append(share)
        share.append(query)
    return list(map(tuple, shares))


def _feed(
    waiting: Waiting, jobs: Jobs[Share, tuple[Share, list[bytes]]], left: deque[Share]
) -> None:
    """Keep the executor busy, and put what comes back where it is waited for."""
    try:
        while (left or jobs.n_open) and waiting.wait_for_room():
            while left and jobs.n_open < OPEN:
                jobs.give(left.popleft())
            share, payloads = jobs.take()
            for query, payload in zip(share.queries, payloads, strict=False):
                waiting.put(query, payload)
            rest = share.queries[len(payloads) :]
            if rest:
                left.appendleft(replace(share, queries=rest))
    except BaseException as problem:  # noqa: BLE001  (raised again by in_order)
        waiting.fail(problem)
    finally:
        jobs.cancel()  # nobody asks any more
