"""Signals that end the process: Ctrl-C, SIGTERM, SIGHUP."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

INTERRUPTED = 130


class Interrupts:
    """Ctrl-C, once or several times.

    The first one raises KeyboardInterrupt, so that what was begun is cleaned up; the
    second does not disturb that; the third ends the process at once.
    """

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, number: int, frame: object) -> None:
        """Handle the signal."""
        del number, frame
        self.count += 1
        if self.count == 1:
            raise KeyboardInterrupt
        if self.count > 2:
            os._exit(INTERRUPTED)

    def lost(self, unraisable: Any) -> None:
        """Raise again what Python could not: it came inside a callback."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            self.count = 0
            signal.raise_signal(signal.SIGINT)
        else:
            sys.__unraisablehook__(unraisable)


@contextmanager
def orderly_ends() -> Iterator[Interrupts]:
    """Let signals that end the process clean up first: processes, copies, new files."""
    interrupts = Interrupts()
    handlers: dict[str, Any] = {"SIGINT": interrupts, "SIGTERM": _end, "SIGHUP": _end}
    former: dict[signal.Signals, Any] = {}
    hook = sys.unraisablehook
    try:
        for name, handler in handlers.items():
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is None or not _may_be_handled(number):
                continue
            with suppress(ValueError):  # only the main thread may
                former[number] = signal.signal(number, handler)
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


def _end(number: int, frame: object) -> NoReturn:
    del frame
    signal.signal(number, signal.SIG_IGN)  # the cleaning up is not interrupted
    raise SystemExit(128 + number)
