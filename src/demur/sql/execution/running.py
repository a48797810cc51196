"""Many queries on many databases: in parallel, each on its own, in a fixed order."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demur import checks
from demur.errors import InputError, shown
from demur.executors import check_alone
from demur.sql.execution.caching import Cache
from demur.sql.execution.crew import find_all
from demur.sql.execution.databases import find_database
from demur.sql.execution.queries import Limits, Query, QueryFailed, SqlFailure
from demur.sql.execution.results import SqlResult

if TYPE_CHECKING:
    from concurrent.futures import Executor

_LEAST_MEMORY: Final = 1 << 26
_LONGEST: Final = 1_000_000  # seconds


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What came of a query: a result or a failure, never both.

    Parameters
    ----------
    query : Query
        As it was asked.
    result : SqlResult, optional
        Its columns.
    failure : SqlFailure, optional
        Why there are none.
    """

    query: Query
    result: SqlResult | None = None
    failure: SqlFailure | None = None


def run_all(  # noqa: PLR0913  (options are independent of each other)
    queries: Iterable[Query],
    *,
    timeout: float = 30.0,
    max_rows: int = 1_000_000,
    max_memory: int = 1 << 30,
    cache: str | Path | None = None,
    workers: int | None = None,
    executor: "Executor | None" = None,
    progress: Callable[[int, int], None] | None = None,
    resume: bool = False,
) -> Iterator[QueryAnswer]:
    """Run queries, read-only, and give their answers in the order of the queries.

    Each database is read by a process of its own, which is killed and replaced when a
    query exceeds a limit or takes it down. No query can change a database, or the
    answer to another query. Equal queries run once.

    Parameters
    ----------
    queries : iterable of Query
        Read at once. Answers that come out of turn wait, large ones on disk.
    timeout : float
        Seconds for each query; it is stopped then, and killed shortly after.
    max_rows : int
        Rows that are kept of a result; a longer one is marked as truncated.
    max_memory : int
        Bytes for each query, at least 64 MiB; a result may take a quarter of it
        as it is sent, and half of it where it is read.
    cache : str or Path, optional
        A folder that keeps results under the content of the database, the SQL, the
        version of the engine and the limits. An interrupted run resumes from it.
        Time-outs, crashes, and queries that read the clock or draw at random are not
        kept; whatever comes from a server is only with `resume`.
    workers : int, optional
        Processes at a time; as many as there are cores if left out.
    executor : Executor, optional
        Of `concurrent.futures`: its workers start these processes, one each.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.
    resume : bool
        Whether results of servers are kept, too, for a run that takes up this one if
        it does not end; `Cache.forget_unfinished` ends that.

    Yields
    ------
    Answer
        One for each query.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If a database needs a driver that is not installed.
    RunError
        If the processes cannot be started.

    Examples
    --------
    >>> import sqlite3, tempfile
    >>> file = tempfile.NamedTemporaryFile(suffix=".sqlite")
    >>> made = sqlite3.connect(file.name)
    >>> _ = made.execute("CREATE TABLE fare (flight TEXT, cents INTEGER)")
    >>> _ = made.execute("INSERT INTO fare VALUES ('AA 17', 12900)")
    >>> made.commit(); made.close()
    >>> texts = ["SELECT * FROM fare", "DELETE FROM fare", "SELECT count(*) FROM fare"]
    >>> for answer in run_all(Query(file.name, text) for text in texts):
    ...     print(answer.failure or answer.result.rows())
    [('AA 17', 12900)]
    forbidden: DELETE is not allowed; only SELECT, WITH and VALUES are run
    [(1,)]
    """
    limits = _checked_limits(timeout, max_rows, max_memory)
    if workers is not None:
        checks.whole("run_all", "workers", workers, 1)
    check_alone("run_all", executor, "workers", workers)
    asked = list(queries)
    for query in asked:
        _check_query(query)
    kept = None if cache is None else Cache(cache)
    if executor is not None:
        from demur.sql.execution.shares import find_all_on

        folder = None if cache is None else str(Path(cache).absolute())
        more: Any = {"cache": folder, "progress": progress, "resume": resume}
        return _answers(asked, find_all_on(executor, asked, limits, **more))
    results = find_all(
        asked,
        limits,
        cache=kept,
        workers=workers or _cores(),
        progress=progress,
        resume=resume,
    )
    return _answers(asked, results)


def _answers(
    queries: list[Query], results: Generator[SqlResult | SqlFailure]
) -> Iterator[QueryAnswer]:
    with closing(results):
        for query, result in zip(queries, results, strict=True):
            if isinstance(result, SqlFailure):
                yield QueryAnswer(query, failure=result)
            else:
                yield QueryAnswer(query, result=result)


def _checked_limits(timeout: float, max_rows: int, max_memory: int) -> Limits:
    number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not (number and 0 < timeout < _LONGEST):
        need = f"be a number of seconds above 0 and below {_LONGEST:,}"
        raise InputError("run_all", "timeout", need, shown(timeout))
    checks.whole("run_all", "max_rows", max_rows, 1)
    checks.whole("run_all", "max_memory", max_memory, _LEAST_MEMORY)
    return Limits(timeout=timeout, max_rows=max_rows, max_memory=max_memory)


def _check_query(query: Query) -> None:
    for what in ("database", "sql"):
        value = getattr(query, what)
        if not isinstance(value, str):
            raise InputError("run_all", f"a query's {what}", "be text", shown(value))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_ASK: Final = "SELECT current_setting('server_version')"


def engines_of(
    names: Iterable[str], run: Callable[[Iterable[Query]], Iterator[QueryAnswer]]
) -> dict[str, str | SqlFailure]:
    """Engine and version behind each of some databases.

    Parameters
    ----------
    names : iterable of str
        Paths or URLs.
    run : callable
        Runs queries, such as `run_all`; servers are asked for their versions.

    Returns
    -------
    dict of name to str or SqlFailure
        Such as ``sqlite 3.40.1``; the failure if there is no such database, or its
        server does not answer.

    Examples
    --------
    >>> from demur.sql.execution import run_all
    >>> print(engines_of(["no/such.sqlite"], run_all)["no/such.sqlite"])
    unreadable: no/such.sqlite: No such file or directory
    """
    engines: dict[str, str | SqlFailure] = {}
    servers = []
    for name in names:
        try:
            database = find_database(name)
        except QueryFailed as failed:
            engines[name] = failed.failure
            continue
        if database.engine == "postgresql":
            servers.append(Query(name, _ASK))
        else:
            engines[name] = database.version()
    for answer in run(servers) if servers else ():
        engines[answer.query.database] = _version(answer)
    return engines


def _version(answer: QueryAnswer) -> str | SqlFailure:
    if answer.result is None:
        return answer.failure or SqlFailure("unreadable", "it does not answer")
    [(version,)] = answer.result.rows()
    return f"postgresql {version.split()[0]}"
