"""The command line: parse, call one verb, print.

Exit codes are part of the interface: 0 fine, 1 a gate is broken, 2 wrong usage,
3 internal error, 4 bad input data, 130 interrupted, 143 and 129 ended by SIGTERM and
SIGHUP.
"""

import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from demur.cli.parser import build_parser

__all__ = ["build_parser", "main"]

FINE, BROKEN_GATE, WRONG_USAGE, INTERNAL, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process if left out.

    Returns
    -------
    int
        The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal may not know every letter
            stream.reconfigure(errors="backslashreplace")
    arguments = build_parser().parse_args(argv)
    with _orderly_ends():
        return _guarded(arguments)


def _guarded(arguments: Namespace) -> int:
    """Run the command; what it raises becomes a line and an exit code."""
    if arguments.debug:
        return _run(arguments)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _stop("interrupted", INTERRUPTED)
    except Exception as error:  # noqa: BLE001  (one line instead of a traceback)
        return _stop(*_explain(error))


@contextmanager
def _orderly_ends() -> Iterator[None]:
    """Let a signal to end clean up first: processes, and copies of databases."""
    former: dict[signal.Signals, Any] = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is None or signal.getsignal(number) != signal.SIG_DFL:
                continue
            with suppress(ValueError):  # only the main thread may
                former[number] = signal.signal(number, _end)
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _end(number: int, frame: object) -> NoReturn:
    del frame
    signal.signal(number, signal.SIG_IGN)  # the cleaning up is not interrupted
    raise SystemExit(128 + number)


def _run(arguments: Namespace) -> int:
    """Call the command that the parser chose; each has a module, loaded when used."""
    from importlib import import_module

    code: int = import_module(f"demur.cli.{arguments.command}_command").run(arguments)
    return code


def _explain(error: Exception) -> tuple[str, int]:
    from demur.errors import DemurError, MissingExtra, RunError

    if isinstance(error, MissingExtra):
        return str(error), WRONG_USAGE
    if isinstance(error, DemurError) and not isinstance(error, RunError):
        return str(error), BAD_INPUT
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror or 'it cannot be used'}", BAD_INPUT
    text = " ".join(str(error).split())
    hint = "Run again with --debug for the traceback."
    return f"internal error: {type(error).__name__}: {text}. {hint}", INTERNAL


def _stop(text: str, code: int) -> int:
    from demur.errors import printable

    print(f"demur: {printable(text)}", file=sys.stderr)
    return code
