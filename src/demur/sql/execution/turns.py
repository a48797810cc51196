"""Turns on servers: a query that may have brought one down runs again alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Who may ask the servers: many beside each other, or one alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._alone = False
        self._waiting = 0  # for a turn alone; nobody else begins meanwhile

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """A turn beside others."""
        with self._changed:
            while self._alone or self._waiting:
                self._changed.wait()
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A turn with nothing else running."""
        with self._changed:
            self._waiting += 1
            while self._alone or self._running:
                self._changed.wait()
            self._waiting -= 1
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()
