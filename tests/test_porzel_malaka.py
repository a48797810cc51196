"""The table of the 2004 paper names commands, options and verbs that there are."""

import re
from pathlib import Path

import pytest

import demur
from builders import parsers
from demur.cli import build_parser

PAGE = Path(__file__).resolve().parents[1] / "docs/porzel_malaka_2004.md"
CODE = list(dict.fromkeys(re.findall(r"`([^`]+)`", PAGE.read_text("utf-8"))))
COMMANDS = dict(parsers(build_parser()))


def calls(text: str) -> tuple[str, list[str]]:
    """The words of a command, and its options."""
    words = text.removeprefix("demur ").split()
    name = " ".join(words[: 2 if words[0] == "metrics" else 1])
    return name, [word for word in words if word.startswith("-")]


@pytest.mark.parametrize("text", [text for text in CODE if text.startswith("demur ")])
def test_a_command_of_the_page_is_there(text):
    name, options = calls(text)
    assert name in COMMANDS
    assert set(options) <= set(COMMANDS[name]._option_string_actions)


def test_options_alone_are_of_a_command_of_the_page():
    known = {
        option
        for text in CODE
        if text.startswith("demur ") and calls(text)[0] in COMMANDS
        for option in COMMANDS[calls(text)[0]]._option_string_actions
    }
    alone = [text.split()[0] for text in CODE if text.startswith("--")]
    assert len(alone) > 5
    assert set(alone) <= known


@pytest.mark.parametrize("text", [text for text in CODE if text.startswith("demur.")])
def test_a_verb_of_the_page_is_there(text):
    place = demur
    for name in text.split(".")[1:]:
        place = getattr(place, name)


def test_sections_stand_in_their_order():
    rows = re.findall(r"^\| (\d\S*)", PAGE.read_text("utf-8"), re.MULTILINE)
    sections = [row.rstrip(",") for row in rows]
    assert len(sections) > 8
    assert sections == sorted(sections)
