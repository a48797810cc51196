"""What a command prints: results to standard output, messages to standard error."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO

from demur.errors import InputError
from demur.results import printable

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


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a result; a reader that has gone (``demur ... | head``) is no error.

    What is left to do, such as gates and pictures, is still done.
    """
    stream = stream or sys.stdout
    with reader_may_go(stream):
        print(text, file=stream)


@contextmanager
def reader_may_go(stream: TextIO) -> Iterator[None]:
    """Send a stream to nowhere once its reader has gone.

    Raises
    ------
    InputError
        If it cannot be written to for another reason, such as a full disk.
    """
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        to_nowhere(stream)
    except OSError as error:
        to_nowhere(stream)
        got = error.strerror or str(error)
        where = "standard error" if stream is sys.stderr else "standard output"
        raise InputError(where, "the stream", "be writable", got) from None


def to_nowhere(stream: TextIO) -> None:
    """Lose what a stream still holds, so that the process can end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(f"demur: {printable(text)}", file=sys.stderr)


def as_json(value: Any) -> str:
    """One line of JSON, without what JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


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
