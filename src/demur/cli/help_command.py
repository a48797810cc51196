"""``demur help``: which command answers a question."""

import argparse
import re
import textwrap
from argparse import Namespace
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from demur.cli import COMMANDS, FINE, WRONG_USAGE, Parser, build_parser, say, show
from demur.cli.options.parsing import terminal_width
from demur.cli.proposals import nearest
from demur.cli.topics import TOPICS, Topic

_PROPOSED: Final = 5
"""So many topics, and options, are proposed at most."""

_NAME: Final = max(map(len, TOPICS)) + 2
_COMMAND: Final = max(len(topic.command) for topic in TOPICS.values()) + 2
"""How wide the columns of topics and of commands are."""

_EVERYDAY: Final = (
    "a an and are as at be by can do does for from has have how i in is it its me my "
    "of on or should so than that the then there this to what when where which who why "
    "will with"
)
"""Words that say nothing of what is looked for."""


def run(arguments: Namespace) -> int:
    """Print the questions, a topic, the help of a command, or what is near."""
    words = [word.lower() for word in arguments.topic]
    if not words:
        show(questions())
    elif len(words) == 1 and words[0] in TOPICS:
        show(topic_text(TOPICS[words[0]]))
    elif (parser := _command(arguments.topic)) is not None:
        parser.print_help()
    else:
        return _propose(" ".join(words))
    return FINE


def _width() -> int:
    return min(terminal_width(), 80) - 2


def questions() -> str:
    """All questions, each with its topic and its command."""
    rows = [_question_row(name, topic) for name, topic in TOPICS.items()]
    more = "demur help TOPIC tells more; demur help COMMAND is demur COMMAND --help."
    head = f"{'TOPIC':{_NAME}}{'COMMAND':{_COMMAND}}QUESTION"
    return "\n".join([head, *rows, "", more])


def _question_row(name: str, topic: Topic) -> str:
    """The topic, its command, and the question."""
    head = f"{name:{_NAME}}{topic.command:{_COMMAND}}"
    lines = textwrap.wrap(topic.question, _width() - len(head))
    return head + f"\n{' ' * len(head)}".join(lines)


def topic_text(topic: Topic) -> str:
    """A topic: the question, what to know, a line that runs, where more is told."""
    lines = textwrap.wrap(topic.lines, _width(), break_on_hyphens=False)
    more = f"All options: demur {topic.command} --help. More: docs/{topic.page}.md"
    return "\n".join([topic.question, "", *lines, "", f"  {topic.example}", "", more])


def _command(words: Sequence[str]) -> Parser | None:
    """The parser of the command that the words name, with those inside it."""
    parser = build_parser(words)
    for word in words:
        tables = (
            action.choices
            for action in parser._actions
            if isinstance(action, argparse._SubParsersAction)
        )
        inside = next(tables, {})
        if word not in inside:
            return None
        parser = inside[word]
    return parser


# -- words that are no topic and no command --------------------------------------------


def _propose(text: str) -> int:
    """Print topics and options that have to do with the words; 2 if none has."""
    topics, options = near_topics(text), near_options(text)
    if not topics and not options:
        say(f"help: nothing has to do with {text!r}; demur help lists all questions.")
        return WRONG_USAGE
    rows = [(f"demur help {name}", TOPICS[name].question) for name in topics]
    rows += options
    wide = max(len(typed) for typed, _ in rows) + 2
    lines = [f"{typed:{wide}}{what}" for typed, what in rows]
    shown = [_cut(line) for line in lines]
    show("\n".join([f"{text!r} is no topic. Near it:", "", *shown]))
    return FINE


def _cut(line: str) -> str:
    """A line that fits the terminal."""
    return line if len(line) <= _width() else f"{line[: _width() - 3].rstrip()}..."


def near_topics(text: str) -> list[str]:
    """The topics that have to do with words, the nearest first.

    Examples
    --------
    >>> near_topics("significance")[0], near_topics("hallucinations")[0]
    ('compare', 'refusals')
    """
    weighed = {
        name: [
            (4, _roots(f"{name} {topic.words}")),
            (2, _roots(f"{topic.question} {topic.command}")),
            (1, _roots(f"{topic.lines} {COMMANDS[topic.command]}")),
        ]
        for name, topic in TOPICS.items()
    }
    asked = _roots(text)
    known = {root for parts in weighed.values() for _, roots in parts for root in roots}
    asked = {*asked, *(near for root in asked - known for near in _alike(root, known))}
    scores = {
        name: sum(weight * len(asked & roots) for weight, roots in parts)
        for name, parts in weighed.items()
    }
    ranked = sorted(filter(scores.get, scores), key=lambda name: -scores[name])
    return ranked[:_PROPOSED]


def near_options(text: str) -> list[tuple[str, str]]:
    """Options whose name, or help, holds the words: how they are typed, what they do.

    Examples
    --------
    >>> near_options("max-memory")[0][0]
    'demur judge --max-memory'
    """
    asked = _roots(text)
    scored = [
        (score, f"demur {name} {option}", what)
        for name, option, what in _all_options()
        if (score := 3 * len(asked & _roots(option)) + len(asked & _roots(what)))
    ]
    best = max((score for score, *_ in scored), default=0)
    first = dict.fromkeys((t, w) for score, t, w in scored if score == best)
    return list(first)[:_PROPOSED]


def _all_options() -> Iterator[tuple[str, str, str]]:
    """Each option of each command, with what it does."""
    for name, parser in _parsers(build_parser()):
        for action in parser._actions:
            if action.option_strings and action.help != argparse.SUPPRESS:
                what = str(action.help).partition(" (default: %(")[0]
                yield name, action.option_strings[-1], what.replace("%%", "%")


def _parsers(parser: Parser) -> Iterator[tuple[str, Parser]]:
    yield parser.prog.partition(" ")[2], parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _parsers(command)


def _roots(text: str) -> set[str]:
    """The words of a text that say something, without their endings.

    Examples
    --------
    >>> sorted(_roots("Which systems are judged? --max-error"))
    ['error', 'judg', 'max', 'system']
    """
    everyday = {*_EVERYDAY.split()}
    words = re.findall(r"[a-z0-9/@]+", text.lower())
    return {_root(word) for word in words if word not in everyday}


def _root(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _alike(root: str, known: Collection[str]) -> list[str]:
    """The nearest of the words that are known, for one that is misspelt."""
    return nearest(root, known)[:1]
