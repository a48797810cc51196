"""The process that runs SQL: one database, one query at a time, until its input ends.

It starts as ``python -c "from demur.sql.execution.serving import serve; serve()"``,
gets the task as its first message, and loads neither numpy nor more of demur than it
needs.
"""

import json
import mmap
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from demur.sql.execution.messages import read_message, write_message
from demur.sql.execution.queries import Limits, QueryFailed
from demur.sql.execution.results import ResultWriter, failure_payload
from demur.sql.execution.statements import checked_statement

try:
    import resource
except ImportError:  # not on Windows; the limits of the engines remain
    resource = None  # type: ignore[assignment]

READY: Final = b""

_OVERHEAD: Final = {"sqlite": 1 << 26, "duckdb": 3 << 28}


class Engine(Protocol):
    """An open database."""

    reading: Sequence[str]

    def select(self, sql: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of the columns, and the rows in chunks."""

    def explain(self, error: Exception) -> tuple[str, str]:
        """Kind and message of the failure behind an exception."""

    def finish(self) -> None:
        """Called after each query."""


def serve() -> None:
    """Answer what comes in on standard input, on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    requests, replies = _own_streams()
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, waiting), daemon=True).start()
    task = json.loads(waiting.get())
    limits = Limits(**task["limits"])
    engine = _opened(task, limits)
    if isinstance(engine, QueryFailed):
        write_message(replies, failure_payload(engine.failure))
        os._exit(0)
    _limit("RLIMIT_FSIZE", 0)  # not one byte into any file
    _limit("RLIMIT_CORE", 0)
    write_message(replies, READY)
    while True:
        sql = waiting.get().decode("utf-8", "surrogatepass")
        write_message(replies, _answer(engine, sql, limits))


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Both pipes under other numbers: an engine that prints does no harm."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return pipes


def _receive(requests: BinaryIO, waiting: "queue.SimpleQueue[bytes]") -> None:
    """Beside the engine, so that this process ends with its parent, even mid-query."""
    try:
        while True:
            waiting.put(read_message(requests))
    except EOFError:
        os._exit(0)


def _opened(task: dict[str, Any], limits: Limits) -> Engine | QueryFailed:
    _limit_memory(limits.max_memory + _OVERHEAD.get(task["engine"], 1 << 28))
    try:
        return _engine(task["engine"], task["place"], limits, task["folder"])
    except QueryFailed as failed:
        return failed
    except MemoryError:
        return QueryFailed("memory", "opening the database takes too much")
    except Exception as error:  # noqa: BLE001  (whatever a driver raises)
        return QueryFailed("unreadable", str(error).partition("\n")[0])


def _engine(name: str, place: str, limits: Limits, folder: str) -> Engine:
    if name == "sqlite":
        from demur.sql.execution.sqlite_engine import SqliteEngine

        return SqliteEngine(place, limits, folder)
    if name == "duckdb":
        from demur.sql.execution.duckdb_engine import DuckdbEngine

        return DuckdbEngine(place, limits, folder)
    if name != "postgresql":
        from demur.sql.execution.other_servers import OtherServer

        return OtherServer(place, limits, folder)
    from demur.sql.execution.postgres_engine import PostgresEngine

    return PostgresEngine(place, limits, folder)


def _limit_memory(extra: int) -> None:
    try:
        numbers = Path("/proc/self/statm").read_text(encoding="ascii")
        taken = int(numbers.split()[0]) * mmap.PAGESIZE
    except OSError:
        taken = 1 << 28
    _limit("RLIMIT_AS", taken + extra)


def _limit(name: str, most: int) -> None:
    if resource is not None:
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))


def _answer(engine: Engine, sql: str, limits: Limits) -> bytes:
    try:
        return _selected(engine, sql, limits)
    except QueryFailed as failed:
        return failure_payload(failed.failure)
    except MemoryError:
        kind, message = "memory", f"it does not fit into {limits.max_memory:,} bytes"
    except RecursionError:
        kind, message = "unsupported", "a value cannot be read: it is nested too deeply"
    except Exception as error:  # noqa: BLE001  (whatever a driver raises)
        kind, message = engine.explain(error)
    finally:
        engine.finish()
    if kind == "timeout":
        message = f"it ran for more than {limits.timeout:g} s"
    return failure_payload(QueryFailed(kind, message).failure)


def _selected(engine: Engine, sql: str, limits: Limits) -> bytes:
    deadline = time.monotonic() + limits.timeout
    names, chunks = engine.select(checked_statement(sql, engine.reading))
    try:
        return _collected(names, chunks, limits, deadline)
    except (ArithmeticError, RecursionError, TypeError, ValueError) as problem:
        raise QueryFailed("unsupported", f"a value cannot be read: {problem}") from None


def _collected(
    names: list[str],
    chunks: Iterator[Sequence[Any]],
    limits: Limits,
    deadline: float,
) -> bytes:
    writer = ResultWriter(names, limits.max_memory // 4)
    room = limits.max_rows
    for rows in chunks:
        writer.add(rows[:room])
        room -= len(rows)
        if room < 0:
            return writer.payload(truncated=True)
        if time.monotonic() > deadline:
            raise QueryFailed("timeout", f"it ran for more than {limits.timeout:g} s")
    return writer.payload(truncated=False)
