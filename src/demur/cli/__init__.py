"""The command line: the table of commands, the parser, and what becomes of errors.

A command has its own file, with its arguments and its body; it is loaded when named.

Exit codes are part of the interface: 0 fine, 1 a gate is broken, 2 wrong usage,
3 internal error, 4 bad input data, 130 interrupted, 143 and 129 ended by SIGTERM and
SIGHUP.
"""

import argparse
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

from demur.version import __version__

COMMANDS: Final[dict[str, str]] = {
    "judge": "right, wrong, unanswered or ungraded, per item, with reasons",
    "score": "right, wrong and not answered per group, and the weighted error",
    "curve": "the error-return table and plot of one or many systems",
    "choose": "the cutoff for a cost, an error, a rate or a guarantee",
    "compare": "dominance, crossings, and whether a difference is luck",
    "recheck": "whether a locked cutoff still keeps its target on new outcomes",
    "reserve": "keep whole subjects or dialogues back for the test",
    "merge": "put the references of several contributors into one file",
    "lint": "look for what is wrong with references",
    "demo": "the whole flow on bundled data, in under a minute",
    "completion": "print a shell's completion script",
}
"""The commands, each with the line that says what it does."""

_EXIT_CODES: Final = (
    "Exit codes: 0 fine, 1 a gate (--fail-if) is broken, 2 wrong usage, 3 internal "
    "error, 4 bad input data, 130 interrupted."
)


FINE, BROKEN_GATE, WRONG_USAGE, INTERNAL, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def build_parser(argv: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of the command ``demur``.

    Parameters
    ----------
    argv : sequence of str, optional
        What will be parsed: only the command that it names gets its arguments. All
        commands do if it is left out.
    """
    parser = argparse.ArgumentParser(
        prog="demur",
        description="Judge language systems that may decline to answer: right, wrong, "
        "or not given; errors against non-returns over every cutoff.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"demur {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, epilog=_EXIT_CODES)
        if argv is None or name in argv:
            _module_of(name).add_arguments(command)
        command.add_argument(
            "--debug", action="store_true", help="show tracebacks of errors"
        )
    return parser


def _module_of(name: str) -> ModuleType:
    return import_module(f"demur.cli.{name}_command")


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
    argv = sys.argv[1:] if argv is None else argv
    arguments = build_parser(argv).parse_args(argv)
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
    code: int = _module_of(arguments.command).run(arguments)
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
    from demur.results import printable

    print(f"demur: {printable(text)}", file=sys.stderr)
    return code
