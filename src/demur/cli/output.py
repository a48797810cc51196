"""Tables and lines for people; every number in them also stands in the JSON."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from demur.curves.curves import Curve
from demur.decisions.gates import Gate
from demur.errors import InputError, printable
from demur.outcomes.table import Outcomes


def check_not_read(
    command: str, option: str, target: str, sources: Iterable[str]
) -> None:
    """Refuse to write over a file that is read.

    Raises
    ------
    InputError
    """
    for source in sources:
        if same_file(target, source):
            must, hint = "not be a file that is read", "Name another file."
            raise InputError(command, option, must, printable(target), hint)


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file, there or yet to be written; "-" is none.

    Examples
    --------
    >>> same_file("a.jsonl", "./b/../a.jsonl"), same_file("-", "-")
    (True, False)
    """
    if "-" in (first, second):
        return False
    with suppress(OSError):
        return Path(first).samefile(second)
    return Path(first).resolve() == Path(second).resolve()


def check_gates(
    gates: Iterable[Gate], curves: Sequence[Curve], parts: Sequence[Outcomes]
) -> int:
    """Say which gates are broken; 1 if any is."""
    broken = [(gate, line) for gate in gates for line in gate.broken_by(curves, parts)]
    for gate, line in broken:
        say(f"gate broken: {line}  [--fail-if {gate.text!r}]")
    return 1 if broken else 0


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a result; a reader that has gone (``demur ... | head``) is no error.

    What is left to do, such as gates and pictures, is still done.
    """
    stream = stream or sys.stdout
    with reader_may_go(stream):
        print(text, file=stream)


@contextmanager
def reader_may_go(stream: TextIO) -> Iterator[None]:
    """Send a stream to nowhere once its reader has gone."""
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(f"demur: {printable(text)}", file=sys.stderr)


def as_json(value: Any) -> str:
    """One line of JSON, without what JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
