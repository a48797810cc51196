"""The command line: its commands, its parser, what it prints, and what errors become.

A command has its own file, with its arguments and its body; it is loaded when named.

Exit codes are part of the interface: 0 fine, 1 a gate is broken, 2 wrong usage,
3 internal error, 4 bad input data, 130 interrupted, 143 and 129 ended by SIGTERM and
SIGHUP.
"""

import argparse
import os
import shlex
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn, TextIO

from demur.errors import masked
from demur.version import __version__

COMMANDS: Final[dict[str, str]] = {
    "run": "ask a system all inputs, and keep its responses",
    "judge": "right, wrong, unanswered or ungraded, per item, with reasons",
    "score": "right, wrong and not answered per group, and the weighted error",
    "curve": "the error-return table and plot of one or many systems",
    "sketch": "counts of outcomes that may not travel, for demur curve elsewhere",
    "items": "the items themselves, by what was right and what was decided",
    "choose": "the cutoff for a cost, an error, a rate or a guarantee",
    "compare": "dominance, crossings, and whether a difference is luck",
    "difficulty": "how hard the task is, and whether a method scales with it",
    "metrics": "the classic measures: words, labels, concepts, spans, slots, dialogues",
    "pipeline": "which module is to blame, and what a perfect one would buy",
    "check-judge": "what a judge's verdicts hang on beside the answer",
    "agree": "how far annotators and judges agree, and on what they do not",
    "judges": "how far judges can be trusted, alone and together, and at which price",
    "report": "curves, cutoffs, items and comparisons on one offline page",
    "keep": "a run goes into the store, or is judged anew from it",
    "show": "the runs of the store, or all that one of them holds",
    "history": "errors over the runs that were kept, and where they changed",
    "diff": "what changed between two kept runs",
    "recheck": "whether a locked cutoff still keeps its target on new outcomes",
    "gate": "runs held against the gates of a file, and against a kept run",
    "sample": "which answers to label, drawn with known chances; and the labels back",
    "reserve": "keep whole subjects or dialogues back for the test",
    "merge": "put the references of several contributors into one file",
    "lint": "look for what is wrong with references",
    "campaign": "a campaign in a folder: questions, teams, answers, boards",
    "neighbours": "further instances of databases, on which wrong queries fall",
    "doctor": "what is installed, what for, and what to install",
    "demo": "the whole flow on bundled data, in under a minute",
    "completion": "print a shell's completion script",
}
"""The commands, each with the line that says what it does."""

_EXIT_CODES: Final = (
    "Exit codes: 0 fine, 1 a gate (--fail-if) is broken, 2 wrong usage, 3 internal "
    "error, 4 bad input data, 130 interrupted."
)


FINE, BROKEN_GATE, WRONG_USAGE, INTERNAL, BAD_INPUT = 0, 1, 2, 3, 4
_MAY_BE_EMPTY: Final = ("no_answer",)


class Options(argparse._ActionsContainer):
    """What takes options, each declared as it is typed: a parser, or a group of it."""

    def option(self, row: str, *, several: bool = False, **how: Any) -> None:
        """Take an option, or what is given without one.

        Parameters
        ----------
        row : str
            How it is typed and its line in the help, as in ``-o --output FILE: where
            the page goes``. Without a value it is a flag, if nothing more is said of
            it; a value without dashes is positional.
        several : bool
            Whether it may be repeated; it is a list then.
        **how
            ``usual``, a default that the help tells, and all that argparse knows.
        """
        usage, _, words = row.partition(": ")
        names = [word for word in usage.split() if word.startswith("-")]
        values = tuple(usage.split()[len(names) :])
        if values:
            how["metavar"] = values[0] if len(values) == 1 else values
            how |= {"nargs": len(values)} if len(values) > 1 else {}
        elif not how:
            how["action"] = "store_true"
        if not names:
            how.setdefault("dest", values[0].partition(".")[0].lower())
        if several:
            how = {"action": "append", "default": [], **how}
        if "usual" in how:
            how["default"] = how.pop("usual")
            words += " (default: %(default)s)"
        self.add_argument(*names, help=words, **how)

    def add_argument_group(self, *titles: Any, **how: Any) -> "_Group":
        """Part the options for the help."""
        group = _Group(self, *titles, **how)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **how: Any) -> "_Exclusive":
        """Options of which one may be given."""
        group = _Exclusive(self, **how)
        self._mutually_exclusive_groups.append(group)
        return group


class _Group(Options, argparse._ArgumentGroup):
    """Options under a title."""


class _Exclusive(Options, argparse._MutuallyExclusiveGroup):
    """Options that exclude each other."""


class Help(argparse.HelpFormatter):
    """Help whose usage fits the terminal, also with many options that exclude."""

    def _format_usage(self, *how: Any) -> str:
        lines = super()._format_usage(*how).split("\n")
        return "\n".join(row for line in lines for row in self._broken(line))

    def _broken(self, line: str) -> Iterator[str]:
        """A line, or several where it is too long, parted between alternatives."""
        first, *others = line.split(" | ")
        indent = " " * (len(line) - len(line.lstrip()) + 1)
        for other in others:
            if len(f"{first} | {other}") > self._width - len(" |"):
                yield f"{first} |"
                first = indent + other
            else:
                first += f" | {other}"
        yield first


class HelpWithExample(Help, argparse.RawDescriptionHelpFormatter):
    """The same, with an example whose lines stay as they are."""


class Parser(Options, argparse.ArgumentParser):
    """A parser whose errors are one line; options are written out, and given once."""

    def __init__(self, **how: Any) -> None:
        super().__init__(allow_abbrev=False, **{"formatter_class": Help, **how})
        self.words: Sequence[str] | None = None  # what will be parsed, if it is known
        self._words: Sequence[str] = ()
        self._given: dict[str, str] = {}

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse what is known; there is no more.

        argparse would leave the rest to the parser above, which knows no command.
        """
        self._words = sys.argv[1:] if args is None else args
        self._given = {}
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            from demur.cli.proposals import too_many

            self.error(too_many(self, rest, self._words))
        return known, rest

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """What an action stores; a second value does not replace the first unseen."""
        value = super()._get_values(action, arg_strings)
        if action.option_strings and isinstance(action, argparse._StoreAction):
            name, text = "/".join(action.option_strings), " ".join(arg_strings)
            if name in self._given:
                listed = isinstance(value, list) and action.nargs is None
                way_out = "several go with commas" if listed else "give it once"
                both = f"{self._given[name]!r} and {text!r}"
                self.error(f"{name} is given twice, {both}; {way_out}")
            self._given[name] = text
        return value

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is not among the choices, and propose what may be meant."""
        if action.choices is None or value in action.choices:
            return
        from demur.cli.proposals import unknown_choice, unknown_command

        if isinstance(action, argparse._SubParsersAction):
            self.error(unknown_command(action, value))
        raise argparse.ArgumentError(action, unknown_choice(value, action.choices))

    def error(self, message: str) -> NoReturn:
        """End with the code of wrong usage."""
        from demur.cli.proposals import unknown_option

        # An option with a bad value is named; what is missing may be misspelt.
        if not message.startswith("argument -"):
            message = unknown_option(self, self._words) or message
        name = self.prog.partition(" ")[2]
        text = f"{name}: {message}" if name else message
        end = "" if text.endswith(("?", ".")) else "."
        say(f"{text}{end} See {self.prog} --help.")
        raise SystemExit(WRONG_USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, which argparse would lose on a full disk."""
        show(message.rstrip("\n"), file)


class _Version(argparse.Action):
    """Prints versions, which are looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        show(everything())
        parser.exit()


def everything() -> str:
    """The versions of demur, Python, the system and the packages, on one line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    parts = [
        f"demur {__version__}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
    ]
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            parts.append(f"{name} {version(name)}")
    return ", ".join(parts)


_PACKAGES: Final = (
    *("numpy", "scipy", "narwhals", "msgspec", "sqlglot", "matplotlib", "duckdb"),
    *("pyarrow", "scikit-learn", "pyspark"),
)
"""Packages whose versions are told; those that are there."""


def build_parser(argv: Sequence[str] | None = None) -> Parser:
    """The parser of the command ``demur``.

    Parameters
    ----------
    argv : sequence of str, optional
        What will be parsed: only the command that it names gets its arguments. All
        commands do if it is left out.
    """
    parser = Parser(
        prog="demur",
        description="Judge language systems that may decline to answer: right, wrong, "
        "or not given; errors against non-returns over every cutoff.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show versions, for a bug report"
    )
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, epilog=_EXIT_CODES)
        command.words = argv
        if argv is None or name in argv:
            _module_of(name).add_arguments(command)
        command.add_argument(
            "--debug", action="store_true", help="show tracebacks of errors"
        )
    return parser


def _module_of(name: str) -> ModuleType:
    return import_module(f"demur.cli.{name.replace('-', '_')}_command")


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
    from demur.cli.shared import WrongUsage, option_name

    for name, value in vars(arguments).items():
        values = value if isinstance(value, list) else [value]
        if "" in values and name not in _MAY_BE_EMPTY:
            need, hint = "not be empty", "Is a variable unset?"
            raise WrongUsage(command, option_name(name), need, "an empty text", hint)


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
