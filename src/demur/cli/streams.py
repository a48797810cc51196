"""The streams of the process: opened, closed, and written to while a run is long."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from demur.cli import say, to_nowhere

_CLEAR: Final = "\r\x1b[K"


def progress(what: str) -> Callable[[int, int], None] | None:
    """What shows how far a long run is; None where nobody watches a terminal.

    Parameters
    ----------
    what : str
        What is counted, such as "queries".

    Returns
    -------
    callable or None
        Called with the numbers that are done and of all: a line that is written over,
        and gone at the end.
    """
    if not sys.stderr.isatty():
        return None

    def show_progress(done: int, count: int) -> None:
        if done == count:
            sys.stderr.write(_CLEAR)
        elif done % 50 < 2:
            sys.stderr.write(f"{_CLEAR}{done:,} of {count:,} {what}")
        sys.stderr.flush()

    return show_progress


class Messages(io.TextIOWrapper):
    """Standard error: what it cannot take is lost, and changes no exit code."""

    def write(self, text: str) -> int:
        """Write as far as possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is held, as far as possible."""
        with suppress(OSError):
            super().flush()


def open_streams() -> None:
    """Give the process the three streams that it was started without.

    Otherwise the next file that is opened would get the number of the absent stream,
    and with it all that is written there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None or isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = Messages(
            open(2, "wb", closefd=False),  # noqa: SIM115
            encoding=getattr(sys.stderr, "encoding", "utf-8"),
            errors="backslashreplace",
            line_buffering=True,
        )


def end_streams(code: int) -> int:
    """Write what standard output still holds; the exit code then."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        to_nowhere(sys.stdout)
    except OSError as error:
        to_nowhere(sys.stdout)
        say(f"standard output: {error.strerror or error}")
        return code or 4
    return code
