"""The parser of the command line: its commands, and how options are declared."""

import argparse
import os
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

QUESTIONS: Final[dict[str, dict[str, str]]] = {
    "Where do I begin?": {
        "demo": "the whole flow on bundled data, in under a minute",
        "help": "which command answers a question, with one line that runs",
        "doctor": "what is installed, what for, and what to install",
        "completion": "print a shell's completion script",
    },
    "What did it answer, and was that right?": {
        "run": "ask a system all inputs, and keep its responses",
        "judge": "right, wrong, unanswered or ungraded, per item, with reasons",
        "items": "the items themselves, by what was right and what was decided",
        "metrics": "classic measures of words, labels, spans, slots, dialogues",
    },
    "How often is it wrong, and how often silent?": {
        "curve": "the error-return table and plot of one or many systems",
        "score": "right, wrong and not answered per group, and the weighted error",
        "sketch": "counts that may travel where outcomes may not, for demur curve",
        "report": "curves, cutoffs, items and comparisons on one offline page",
    },
    "From which confidence on should it answer?": {
        "choose": "the cutoff for a cost, an error, a rate or a guarantee",
        "recheck": "whether a locked cutoff still keeps its target on new outcomes",
        "sample": "which answers to label, with known chances; and the labels back",
    },
    "Which is better, and why?": {
        "compare": "dominance, crossings, and whether a difference is luck",
        "pipeline": "which module is to blame, and what a perfect one would buy",
        "difficulty": "how hard the task is, and whether a method scales with it",
    },
    "Can the judges be trusted?": {
        "check-judge": "what a judge's verdicts hang on beside the answer",
        "agree": "how far annotators and judges agree, and on what they do not",
        "judges": "what judges are worth, alone and together, and what they cost",
    },
    "What has changed since?": {
        "keep": "a run goes into the store, or is judged anew from it",
        "show": "the runs of the store, or all that one of them holds",
        "history": "errors over the runs that were kept, and where they changed",
        "diff": "what changed between two kept runs",
        "gate": "runs held against the gates of a file, and against a kept run",
    },
    "Are the questions and references sound?": {
        "lint": "look for what is wrong with references",
        "merge": "put the references of several contributors into one file",
        "reserve": "keep whole subjects or dialogues back for the test",
        "neighbours": "further instances of databases, on which wrong queries fall",
        "campaign": "a campaign in a folder: questions, teams, answers, boards",
    },
}
"""The commands by the question that they answer, each with the line that says how."""

COMMANDS: Final[dict[str, str]] = {
    name: line for commands in QUESTIONS.values() for name, line in commands.items()
}
"""The commands, each with the line that says what it does."""

EXIT_CODES: Final = """\
Exit codes: 0 fine, 1 a gate (--fail-if) is broken, 2 wrong usage, 3 internal
error, 4 bad input data, 130 interrupted."""

_FIXED: Final = "\N{NO-BREAK SPACE}"
"""A space of the usage at which no line ends."""

_LONG: Final = 50
"""Choices that take more characters than this are told in the help alone."""

_COMMON: Final = "common options"

_LAST: Final = (
    *("intervals and draws", "what is read", "engines", "pictures", "what is shown"),
    *("gates", "other options"),
)
"""Titles of what many commands take; they come last, in this order."""


def _place(title: str) -> int:
    return _LAST.index(title) if title in _LAST else -1


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
        choices = [str(choice) for choice in how.get("choices") or ()]
        if len(", ".join(choices)) > _LONG and not values:
            how["metavar"] = names[-1].strip("-").upper()  # {a,b,c} is one long word
            named = all(choice in words for choice in choices)
            words += "" if named else f": {', '.join(choices)}"
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


class Parser(Options, argparse.ArgumentParser):
    """A parser whose errors are one line; options are written out, and given once.

    Attributes
    ----------
    common : tuple of str
        The options that are shown first, as they are typed: the commonest five.
    examples : tuple of str
        Lines that run, in a folder with the files that they name.
    by_question : mapping of question to names
        How commands are shown, if the parser has commands.
    """

    def __init__(self, **how: Any) -> None:
        super().__init__(allow_abbrev=False, **how)
        self.common: tuple[str, ...] = ()
        self.examples: tuple[str, ...] = ()
        self.by_question: Mapping[str, Collection[str]] = {}
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
        from demur.cli import WRONG_USAGE, say
        from demur.cli.proposals import unknown_option

        # An option with a bad value is named; what is missing may be misspelt.
        if not message.startswith("argument -"):
            message = unknown_option(self, self._words) or message
        name = self.prog.partition(" ")[2]
        text = f"{name}: {message}" if name else message
        end = "" if text.endswith(("?", ".")) else "."
        say(f"{text}{end} See {self.prog} --help.")
        raise SystemExit(WRONG_USAGE)

    def part(self, title: str) -> "_Group":
        """The options under a title in the help, begun or gone on with."""
        for group in self._action_groups:
            if group.title == title and isinstance(group, _Group):
                return group
        return self.add_argument_group(title)

    def parts(self) -> list[tuple[str, list[argparse.Action]]]:
        """What is taken, under the titles of the help; the commonest options first."""
        common = [self._option_string_actions[name] for name in self.common]
        shown: dict[str, list[argparse.Action]] = {"arguments": [], _COMMON: common}
        for group in self._action_groups:
            for action in group._group_actions:
                if isinstance(action, argparse._SubParsersAction):
                    shown |= self._commands_of(action)
                elif action.help != argparse.SUPPRESS and action not in common:
                    title = self._title_of(action, group.title or "")
                    shown.setdefault(title, []).append(action)
        titles = sorted(filter(shown.get, shown), key=_place)  # otherwise as declared
        return [(title, shown[title]) for title in titles]

    def _title_of(self, action: argparse.Action, title: str) -> str:
        """Under which title an argument stands that is none of the commonest."""
        if not action.option_strings:
            return "arguments"
        if action not in self._optionals._group_actions:
            return title
        if action.dest in ("help", "version", "debug"):
            return "other options"
        return "further options" if self.common else "options"

    def _commands_of(
        self, action: "argparse._SubParsersAction[Any]"
    ) -> dict[str, list[argparse.Action]]:
        """Commands with their lines, under the questions that they answer."""
        lines = {line.dest: line for line in action._get_subactions()}
        by_question = self.by_question or {f"{action.metavar}".lower() + "s": lines}
        return {
            question: [lines[name] for name in names]
            for question, names in by_question.items()
        }

    def usage_text(self, width: int) -> str:
        """How the command is called: what it needs, and that there are options."""
        needed = [_needed(action) for action in self._actions if _is_needed(action)]
        needed += [
            f"({f'{_FIXED}| '.join(map(_needed, group._group_actions))})"
            for group in self._mutually_exclusive_groups
            if group.required
        ]
        words = " ".join([f"usage: {self.prog}", *needed, "[options]"])
        lines = textwrap.wrap(
            words, width, subsequent_indent=" " * 8, break_on_hyphens=False
        )
        return "\n".join(lines).replace(_FIXED, " ")

    def format_usage(self) -> str:
        """The usage, as wide as the terminal."""
        return f"{self.usage_text(self._get_formatter()._width)}\n"

    def format_help(self) -> str:
        """The usage, the purpose, options in groups, an example, exit codes."""
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        for title, actions in self.parts():
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        options = formatter.format_help().replace("?:\n", "?\n")  # a title may ask
        blocks = [self.format_usage(), options, *self._closing()]
        return "\n".join(block.rstrip("\n") + "\n" for block in blocks)

    def _closing(self) -> Iterator[str]:
        if self.examples:
            lines = "\n".join(self.examples).splitlines()
            yield "\n".join(["example:", *(f"  {line}" for line in lines)])
        if self.epilog:
            yield self.epilog
        yield EXIT_CODES

    def _get_formatter(self) -> argparse.HelpFormatter:
        """The formatter, as wide as the terminal."""
        return argparse.HelpFormatter(self.prog, width=terminal_width() - 2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, which argparse would lose on a full disk."""
        from demur.cli import show

        show(message.rstrip("\n"), file)


def terminal_width() -> int:
    """How wide the terminal is: as in shutil, which takes a while to load."""
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        with suppress(OSError):
            return os.get_terminal_size().columns or 80
    return 80


def _is_needed(action: argparse.Action) -> bool:
    return action.required or not action.option_strings


def _needed(action: argparse.Action) -> str:
    """How an argument is written in the usage; it stays on one line.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> _needed(parser.add_argument("files", nargs="+", metavar="FILE"))
    'FILE...'
    """
    values = action.metavar or "|".join(map(str, action.choices or [action.dest]))
    value = " ".join([values] if isinstance(values, str) else values)
    forms: dict[int | str, str] = {"+": f"{value}...", "*": f"[{value}...]"}
    forms["?"] = f"[{value}]"
    if isinstance(action.nargs, int) and isinstance(values, str):
        forms[action.nargs] = " ".join([value] * action.nargs)
    written = forms.get(action.nargs or "", value)
    option = action.option_strings[-1:] if action.option_strings else []
    return _FIXED.join([*option, *written.split()])


class _Version(argparse.Action):
    """Prints versions, which are looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from demur.cli import show
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
    )
    parser.examples = ("demur demo", "demur curve --help", "demur help threshold")
    parser.by_question = QUESTIONS
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show versions, for a bug report"
    )
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for name, summary in COMMANDS.items():
        if argv is None or name in argv:
            command = commands.add_parser(name, help=summary)
            command.words = argv
            options_of(name).add_arguments(command)
            command.add_argument(
                "--debug", action="store_true", help="show tracebacks of errors"
            )
        else:  # its name and its line do, and thirty parsers take a while
            commands._name_parser_map[name] = None  # type: ignore[assignment]
            line = commands._ChoicesPseudoAction(name, [], summary)
            commands._choices_actions.append(line)
    return parser


def options_of(name: str) -> ModuleType:
    """The file that declares the options of a command."""
    return import_module(f"demur.cli.options.{name.replace('-', '_')}_options")
