"""The directive ``command-reference``: every command of `demur`, from its parser.

The text of the page cannot differ from ``demur COMMAND --help``, because both are read
from the object that `demur.cli.build_parser` returns.
"""

import argparse
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from demur.cli.options.parsing import EXIT_CODES, Parser, build_parser

WIDTH = 80


def commands(parser: Parser, help_: str = "") -> Iterator[tuple[Parser, str]]:
    """The parser, then those of its subcommands at any depth, each with its line."""
    yield parser, parser.description or help_
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines = {each.dest: each.help or "" for each in action._choices_actions}
            for name, command in action.choices.items():
                yield from commands(command, lines.get(name, ""))


def groups(
    parser: Parser,
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The titled groups of arguments, each a list of (how it is written, help)."""
    formatter = formatter_of(parser)
    for title, actions in parser.parts():
        listed = [
            (invocation(formatter, action), formatter._expand_help(action).strip())
            for action in actions
            if not isinstance(action, argparse._HelpAction)
        ]
        if listed:
            yield title, listed


def invocation(formatter: argparse.HelpFormatter, action: argparse.Action) -> str:
    """How an argument is written: ``-o FILE, --output FILE``."""
    if action.option_strings:
        return formatter._format_action_invocation(action)
    return formatter._format_args(action, action.metavar or action.dest)


def formatter_of(parser: Parser) -> argparse.HelpFormatter:
    """The parser's formatter with a fixed width and, where known, without colours."""
    formatter = parser.formatter_class(prog=parser.prog, width=WIDTH)
    if hasattr(formatter, "_set_color"):
        formatter._set_color(False)
    return formatter


class CommandReference(SphinxDirective):
    """Sections, one per command: purpose, usage, arguments."""

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx where the directive stands."""
        parser = build_parser()
        sections = [self._section(*each) for each in commands(parser)]
        return [*sections, *paragraphs(EXIT_CODES)]

    def _section(self, parser: Parser, description: str) -> nodes.section:
        title = nodes.title("", "", nodes.literal("", parser.prog))
        section = nodes.section("", title, ids=[nodes.make_id(parser.prog)])
        section["names"].append(parser.prog)
        section += paragraphs(description)
        section += nodes.literal_block("", parser.usage_text(WIDTH), language="text")
        for heading, listed in groups(parser):
            section += nodes.rubric("", heading[0].upper() + heading[1:])
            section += definitions(listed)
        section += nodes.rubric("", "Example")
        section += nodes.literal_block("", "\n".join(parser.examples), language="text")
        section += paragraphs(parser.epilog or "")
        return section


def paragraphs(text: str) -> list[nodes.Element]:
    """Blocks of text; an indented block keeps its lines."""
    blocks = [block.rstrip() for block in text.split("\n\n") if block.strip()]
    return [
        nodes.literal_block("", block, language="text")
        if block.lstrip("\n").startswith(" ")
        else nodes.paragraph("", " ".join(block.split()))
        for block in blocks
    ]


def definitions(listed: list[tuple[str, str]]) -> nodes.definition_list:
    """Arguments with their help."""
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal("", written)),
            nodes.definition("", nodes.paragraph("", " ".join(help_.split()))),
        )
        for written, help_ in listed
    ]
    return nodes.definition_list("", *items)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx when the extension is loaded."""
    app.add_directive("command-reference", CommandReference)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
