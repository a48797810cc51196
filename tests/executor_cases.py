"""Executors that work is handed to, as users have them, and one that loses work."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import (
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import pytest


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Fresh ones: what a test has changed in this process is not in them."""
    with ProcessPoolExecutor(count, get_context("spawn")) as pool:
        yield pool


@contextmanager
def cluster() -> Iterator[Executor]:
    """Dask's, with one worker in this process."""
    reason = "Dask's distributed is not installed"
    distributed = pytest.importorskip("distributed", reason=reason)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client.get_executor()


EXECUTORS = {
    "a thread": lambda: ThreadPoolExecutor(1),
    "three threads": lambda: ThreadPoolExecutor(3),
    "a process": lambda: processes(1),
    "two processes": lambda: processes(2),
}


class Backwards(Executor):
    """Works on everything at the end, the last first: no order may be relied upon."""

    def __init__(self) -> None:
        self._given: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, function: Any, /, *args: Any, **_: Any) -> Future[Any]:
        owner, future = self, Awaited(self)
        owner._given.append((future, function, args))
        return future

    def work(self) -> None:
        """Make everything that was given."""
        while self._given:
            future, function, args = self._given.pop()
            future.set_result(function(*args))


class Awaited(Future):
    """Sets its owner to work when somebody waits for it."""

    def __init__(self, owner: Backwards) -> None:
        super().__init__()
        self._owner = owner

    def result(self, timeout: float | None = None) -> Any:
        self._owner.work()
        return super().result(timeout)


class Cancelling(Executor):
    """Drops whatever it is given."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.cancel()
        return future


def die(_: object) -> None:
    """End the process, as a system short of memory does."""
    os.kill(os.getpid(), signal.SIGKILL)


def squared(number: int) -> int:
    return number * number


def capital(country: str) -> tuple[str | None, float]:
    """A system that answers, declines, and fails."""
    if country.startswith("?"):
        raise ValueError(f"no such country: {country}")
    return (country.upper() or None), len(country) / 10
