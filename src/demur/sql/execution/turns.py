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
    def turn(self, *, alone: bool) -> Iterator[None]:
        """A turn beside others, or one with nothing else running."""
        with self._changed:
            self._waiting += alone
            while self._alone or (self._running if alone else self._waiting):
                self._changed.wait()
            self._waiting -= alone
            self._running += 1
            self._alone = alone
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._alone = False
                self._changed.notify_all()
