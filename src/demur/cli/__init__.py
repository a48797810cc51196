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
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

from demur.cli.exits import BAD_INPUT as BAD_INPUT
from demur.cli.exits import BROKEN_GATE as BROKEN_GATE
from demur.cli.exits import FINE as FINE
from demur.cli.exits import INTERNAL as INTERNAL
from demur.cli.exits import WRONG_USAGE as WRONG_USAGE
from demur.cli.interrupts import Interrupts as Interrupts
from demur.cli.interrupts import orderly_ends as orderly_ends
from demur.cli.interrupts import stop_if_told as stop_if_told
from demur.cli.parsing import COMMANDS as COMMANDS
from demur.cli.parsing import Parser as Parser
from demur.cli.parsing import build_parser as build_parser
from demur.cli.printing import as_json as as_json
from demur.cli.printing import reader_may_go as reader_may_go
from demur.cli.printing import say as say
from demur.cli.printing import show as show
from demur.cli.printing import to_nowhere as to_nowhere
from demur.errors import masked

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
        return _stop(*_explain(error))


def _run(arguments: Namespace) -> int:
    check_no_empty(arguments.command, arguments)
    if "columns" in arguments and not _reads_no_file(arguments):
        _take_settings(arguments)
    code: int = _module_of(arguments.command).run(arguments)
    return code


def _reads_no_file(arguments: Namespace) -> bool:
    """Whether only a run is changed that is kept already."""
    changes = ("on", "untag", "forget")
    return arguments.command == "keep" and any(vars(arguments)[n] for n in changes)


def _take_settings(arguments: Namespace) -> None:
    """What ``demur.toml`` says, where options do not."""
    unsaid = [name for name in _FROM_SETTINGS if vars(arguments).get(name, "") is None]
    if unsaid and os.path.lexists("demur.toml"):
        from demur.cli.settings import columns_by_file

        columns = columns_by_file(vars(arguments).values())
        vars(arguments).update(dict.fromkeys(unsaid, columns))


_FROM_SETTINGS: Final = ("columns", "reference_columns")


def _explain(error: Exception) -> tuple[str, int]:
    from demur.cli.shared import WrongUsage
    from demur.errors import DemurError, MissingExtra, RunError

    if isinstance(error, (MissingExtra, WrongUsage)):
        return str(error), WRONG_USAGE
    hint = "Run again with --debug for the traceback."
    if isinstance(error, RunError) and error.__cause__ is not None:
        return f"{error}. {hint}", BAD_INPUT
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
