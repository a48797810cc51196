"""Signals that end the process: Ctrl-C, SIGTERM, SIGHUP."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class Interrupts:
    """Signals that end the process: Ctrl-C, SIGTERM, SIGHUP, once or several times.

    The first one raises KeyboardInterrupt, so that what was begun is cleaned up; the
    second does not disturb that; the third ends the process at once. No code of users
    that catches what ends a program (SystemExit) goes on after it.

    Attributes
    ----------
    deferred : bool
        Whether the first one raises nothing for now: nobody would catch it.
    """

    def __init__(self, *, deferred: bool = False) -> None:
        self.count, self.first, self.deferred = 0, signal.SIGINT, deferred

    def begin(self) -> None:
        """Raise from now on, also for what came before.

        Raises
        ------
        KeyboardInterrupt
            If anything came.
        """
        self.deferred = False
        if self.count:
            raise KeyboardInterrupt

    @property
    def code(self) -> int:
        """The exit code: 130 of Ctrl-C, 143 and 129 of the others."""
        return 128 + self.first

    @property
    def name(self) -> str:
        """What happened, in a word or two."""
        if self.first == signal.SIGINT:
            return "interrupted"
        return f"ended by {self.first.name}"

    def __call__(self, number: int, frame: object) -> None:
        """Handle the signal."""
        del frame
        self.count += 1
        if self.count == 1:
            self.first = signal.Signals(number)
            if not self.deferred:
                raise KeyboardInterrupt
        if self.count > 2:
            os._exit(self.code)

    def lost(self, unraisable: Any) -> None:
        """Raise again what Python could not: it came inside a callback."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            self.count = 0
            signal.raise_signal(self.first)
        else:
            sys.__unraisablehook__(unraisable)


def stop_if_told() -> None:
    """Raise again what code of users may have caught: a signal that ends the process.

    Raises
    ------
    KeyboardInterrupt
        If there was one: what was computed since may be wrong.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if isinstance(handler, Interrupts) and handler.count:
            raise KeyboardInterrupt


@contextmanager
def orderly_ends() -> Iterator[Interrupts]:
    """Let signals that end the process clean up first: processes, copies, new files."""
    interrupts = Interrupts(deferred=True)
    former: dict[signal.Signals, Any] = {}
    hook = sys.unraisablehook
    try:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is None or not _may_be_handled(number):
                continue
            with suppress(ValueError):  # only the main thread may
                former[number] = signal.signal(number, interrupts)
        if former:
            sys.unraisablehook = interrupts.lost
        yield interrupts
    finally:
        sys.unraisablehook = hook
        for number, handler in former.items():
            signal.signal(number, handler)


def _may_be_handled(number: signal.Signals) -> bool:
    """Whether a signal is neither ignored, as under nohup, nor handled by others."""
    now = signal.getsignal(number)
    return now == signal.SIG_DFL or (number == signal.SIGINT and now != signal.SIG_IGN)
