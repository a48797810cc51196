"""What the command line prints: results, lines for people, JSON."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from demur.errors import masked


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
        from demur.errors import InputError

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
    from demur.results import printable

    print(f"demur: {printable(masked(text))}", file=sys.stderr)


def as_json(value: Any) -> str:
    """One line of JSON, without what JSON does not have; escaped for old terminals."""
    import json

    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not is_utf8, allow_nan=False)
