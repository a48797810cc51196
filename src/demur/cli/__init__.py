"""The command line: its commands, its parser, what it prints, and what errors become.

The options of a command stand in ``demur.cli.options.X_options``, from which the parser
and the help are made without loading anything else; its body stands in
``demur.cli.X_command``, which is loaded when it is run.

Exit codes are part of the interface: 0 fine, 1 a gate is broken, 2 wrong usage,
3 internal error, 4 bad input data, 130 interrupted, 143 and 129 ended by SIGTERM and
SIGHUP.
"""

import os
import shlex
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TextIO

from demur.cli.options.parsing import COMMANDS as COMMANDS
from demur.cli.options.parsing import Parser as Parser
from demur.cli.options.parsing import build_parser as build_parser
from demur.errors import InputError, masked

FINE, BROKEN_GATE, WRONG_USAGE, INTERNAL, BAD_INPUT = 0, 1, 2, 3, 4

_MAY_BE_EMPTY: Final = ("no_answer",)


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
    with orderly_ends() as interrupts:
        return _guarded(sys.argv[1:] if argv is None else argv, interrupts)


def _guarded(argv: Sequence[str], interrupts: "Interrupts") -> int:
    """Run the command; a signal that comes once it has ended comes too late."""
    try:
        try:
            interrupts.begin()
            return _ended(argv, interrupts)
        finally:
            interrupts.deferred = True
    except KeyboardInterrupt:
        return _stop(interrupts.name, interrupts.code)


def _ended(argv: Sequence[str], interrupts: "Interrupts") -> int:
    """Run the command; what it raises becomes a line and an exit code."""
    try:
        arguments = build_parser(argv).parse_args(argv)
        arguments.typed = shlex.join(["demur", *argv])
        code = _run(arguments)
        # Where code of users has caught the signal itself, its figures are not right.
        return _stop(interrupts.name, interrupts.code) if interrupts.count else code
    except Exception as error:  # noqa: BLE001  (one line instead of a traceback)
        if interrupts.count:  # a library has made another error of it
            return _stop(interrupts.name, interrupts.code)
        if "--debug" in argv:
            import traceback

            print(masked(traceback.format_exc()), end="", file=sys.stderr)
        return _stop(*_explain(error, argv))


def _run(arguments: Namespace) -> int:
    check_no_empty(arguments.command, arguments)
    if "columns" in arguments and not _reads_no_file(arguments):
        _take_settings(arguments)
    try:
        code: int = _module_of(arguments.command).run(arguments)
    except InputError as error:
        unsaid = vars(arguments).get("repeated") == "error"
        if not (error.repeated and unsaid) or "--repeated" in error.hint:
            raise
        raise error.with_hint(f"{error.hint} {_REPEATED}".lstrip()) from error
    return code


_REPEATED: Final = (
    "--repeated last counts the last row of each, --repeated first the first."
)


def _reads_no_file(arguments: Namespace) -> bool:
    """Whether only a run is changed that is kept already."""
    changes = ("on", "untag", "forget")
    return arguments.command == "keep" and any(vars(arguments)[n] for n in changes)


def _take_settings(arguments: Namespace) -> None:
    """What ``demur.toml`` says, where options do not."""
    for name in _FROM_SETTINGS:
        typed = vars(arguments).get(name)
        if isinstance(typed, dict):
            from demur.cli.settings import check_patterns

            check_patterns(
                typed, vars(arguments).values(), f"--{name}".replace("_", "-")
            )
    unsaid = [name for name in _FROM_SETTINGS if vars(arguments).get(name, "") is None]
    if unsaid and os.path.lexists("demur.toml"):
        from demur.cli.settings import columns_by_file

        columns = columns_by_file(vars(arguments).values())
        vars(arguments).update(dict.fromkeys(unsaid, columns))


_FROM_SETTINGS: Final = ("columns", "reference_columns")


def _explain(error: Exception, argv: Sequence[str]) -> tuple[str, int]:
    from demur.cli.shared import WrongUsage
    from demur.errors import DemurError, InputError, MissingExtra, RunError

    if isinstance(error, (MissingExtra, WrongUsage)):
        return str(error), WRONG_USAGE
    hint = "Run again with --debug for the traceback."
    if isinstance(error, RunError) and error.__cause__ is not None:
        return f"{error}. {hint}", BAD_INPUT
    if isinstance(error, InputError):
        from demur.cli.whole_lines import told

        return told(error, argv), BAD_INPUT
    if isinstance(error, DemurError):
        return str(error), BAD_INPUT
    if isinstance(error, OSError):
        what = error.filename or "the system"
        return f"{what}: {error.strerror or error}", BAD_INPUT
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        way_out = "Use fewer rows (--where), or a machine with more."
        what = f"there is not enough memory: {text or 'none left'}. {way_out}"
        return what, BAD_INPUT
    return f"internal error: {type(error).__name__}: {text}. {hint}", INTERNAL


def _stop(text: str, code: int) -> int:
    say(text)
    return code


def check_no_empty(command: str, arguments: Namespace) -> None:
    """Refuse an option that was given an empty text, as by an unset variable.

    Raises
    ------
    WrongUsage
        With the name of the option.
    """
    for name, value in vars(arguments).items():
        values = value if isinstance(value, list) else [value]
        if "" in values and name not in _MAY_BE_EMPTY:
            from demur.cli.shared import WrongUsage, option_name

            need, hint = "not be empty", "Is a variable unset?"
            raise WrongUsage(command, option_name(name), need, "an empty text", hint)


def _module_of(name: str) -> ModuleType:
    return import_module(f"demur.cli.{name.replace('-', '_')}_command")


# -- what is printed -------------------------------------------------------------------


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


# -- signals that end the process: Ctrl-C, SIGTERM, SIGHUP -----------------------------


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
