"""The parser of the command line: its commands, and how options are declared."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

from demur.cli.exits import WRONG_USAGE
from demur.cli.printing import say, show

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
        from demur.cli.versions import everything

        show(everything())
        parser.exit()


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
            options_of(name).add_arguments(command)
        command.add_argument(
            "--debug", action="store_true", help="show tracebacks of errors"
        )
    return parser


def options_of(name: str) -> ModuleType:
    """The file that declares the options of a command."""
    return import_module(f"demur.cli.options.{name.replace('-', '_')}_options")
