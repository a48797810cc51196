"""The help: at once, in groups, with the commonest options and an example that runs."""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builders import parsers, printed, stderr_of
from demur.cli import COMMANDS, build_parser
from demur.cli.help_command import near_topics
from demur.cli.options.parsing import QUESTIONS, Parser
from demur.cli.topics import TOPICS
from example_files import SEASON, write_examples

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS_BELOW = dict(parsers(build_parser()))
ALL = {"": build_parser(), **COMMANDS_BELOW}
every_command = pytest.mark.parametrize("name", ALL)

# -- at once -----------------------------------------------------------------------

EVERY_HELP = """
import contextlib, io, json, sys

import demur.cli

for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        demur.cli.main(words)
print(json.dumps(sorted(sys.modules)))
"""
LOADED = "import json, sys; print(json.dumps([*sys.modules]))"
LIGHT = ("demur.cli", "demur.errors", "demur.version")
"""What of demur the help may load, and what stands below it."""


def test_no_help_loads_numpy_nor_anything_else_that_takes_time():
    calls = [[*name.split(), "--help"] for name in COMMANDS_BELOW]
    calls += [["--help"], ["campaign", "--help"], ["metrics", "--help"]]
    calls += [["help"], ["help", "threshold"], ["help", "curve"], ["help", "budget"]]
    before, after = (
        {*json.loads(subprocess.run(words, capture_output=True, check=True).stdout)}
        for words in (
            [sys.executable, "-c", LOADED],
            [sys.executable, "-c", EVERY_HELP, json.dumps(calls)],
        )
    )
    others = {name.partition(".")[0] for name in after - before}
    assert others - sys.stdlib_module_names == {"demur"}
    ours = {name for name in after if name.startswith("demur.")}
    assert not {name for name in ours if not name.startswith(LIGHT)}
    bodies = {name for name in ours if name.endswith("_command")}
    assert bodies == {"demur.cli.help_command"}


# -- in groups ---------------------------------------------------------------------


@every_command
def test_the_help_fits_a_terminal(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = printed(*name.split(), "--help").splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"usage: demur {name}".rstrip())
    assert lines[-2].startswith("Exit codes: 0 fine, 1 a gate")


@every_command
def test_every_argument_is_shown_once(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    parser = ALL[name]
    shown = [action for _, actions in parser.parts() for action in actions]
    told = [
        action
        for action in parser._actions
        if action.help != argparse.SUPPRESS
        and not isinstance(action, argparse._SubParsersAction)
    ]
    pseudo = [action for action in shown if action not in parser._actions]
    assert {id(action) for action in told} <= {id(action) for action in shown}
    assert len(shown) == len(told) + len(pseudo)
    text = printed(*name.split(), "--help")
    for action in told:
        for option in action.option_strings:
            assert re.search(rf"{option}[ ,\n]", text)


@every_command
def test_the_commonest_options_come_first_and_are_five_at_most(name):
    parser = ALL[name]
    assert len(parser.common) <= 5
    titles = [title for title, _ in parser.parts()]
    if parser.common:
        assert titles[
            titles.index("arguments") + 1 if "arguments" in titles else 0
        ] == ("common options")
    assert titles[-1] == "other options"
    assert len({*titles}) == len(titles)


def test_a_long_list_of_options_is_parted():
    for name, parser in COMMANDS_BELOW.items():
        for title, actions in parser.parts():
            assert len(actions) <= 12, f"{name}: {title}"


def test_commands_stand_below_the_question_that_they_answer():
    parts = dict(build_parser().parts())
    for question, commands in QUESTIONS.items():
        assert [action.dest for action in parts[question]] == [*commands]
    assert len(COMMANDS) == sum(map(len, QUESTIONS.values()))


def usage(*rows: str, width: int = 80) -> str:
    parser = Parser(prog="p")
    rule = parser.add_mutually_exclusive_group(required=True)
    for row in rows:
        required = row.endswith("!") and {"required": True}
        (rule if "|" in row else parser).option(row.rstrip("!|"), **required or {})
    return parser.usage_text(width)


def test_the_usage_says_what_is_needed_and_is_parted_between_alternatives():
    rows = ("FILE: f", "-a --abc X: a!", "--bb B: b|", "--cc C: c|", "--dd D: d")
    assert usage(*rows) == "usage: p FILE --abc X (--bb B | --cc C) [options]"
    assert usage(*rows, width=34).splitlines() == [
        "usage: p FILE --abc X (--bb B |",
        "        --cc C) [options]",
    ]


# -- examples ----------------------------------------------------------------------


def lines_of(parser: Parser) -> list[str]:
    """The examples of a parser, each on one line."""
    return "\n".join(parser.examples).replace("\\\n", "").splitlines()


BEFORE = {
    "recheck": "demur choose outcomes.jsonl --max-error 0.25 --certainty 0.9 "
    "--lock lock.json",
    "show": "demur keep outcomes.jsonl --tag main",
    "history": "demur keep outcomes.jsonl",
    "diff": "demur keep outcomes.jsonl\ndemur keep outcomes.jsonl",
}
"""What must have been run before an example of a command."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    write_examples(folder)
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch) -> Path:
    """The files, in a folder of one's own."""
    here = tmp_path / "here"
    shutil.copytree(made, here)
    monkeypatch.chdir(here)
    return here


def examples() -> list[str]:
    """Every example of the help and of the topics but those of campaigns, once."""
    of_parsers = [line for parser in ALL.values() for line in lines_of(parser)]
    of_topics = [topic.example for topic in TOPICS.values()]
    listed = dict.fromkeys([*of_parsers, *of_topics])
    others = ("demur campaign ", "demur demo")  # the next test, and test_cli
    return [line for line in listed if not line.startswith(others)]


def ran(line: str) -> str:
    program, *words = shlex.split(line)
    assert program == "demur"
    return printed(*words)


@pytest.mark.parametrize("line", examples())
@pytest.mark.usefixtures("folder")
def test_an_example_runs(line):
    for before in BEFORE.get(line.split()[1], "").splitlines():
        ran(before)
    assert ran(line)


def test_every_command_has_an_example_of_itself():
    for name, parser in ALL.items():
        lines = lines_of(parser)
        assert lines
        assert any(line.startswith(f"demur {name}".rstrip()) for line in lines)


def test_the_examples_of_a_campaign_run_one_after_the_other(folder, monkeypatch):
    monkeypatch.setenv("DEMUR_TOKEN", "a token of tests")
    example = {
        name.split()[1]: lines_of(parser)[0]
        for name, parser in COMMANDS_BELOW.items()
        if name.startswith("campaign ")
    }
    ran(example.pop("new"))
    (folder / "season/campaign.toml").write_text(SEASON)
    for verb in ("collect", "adjudicate", "freeze", "pack"):
        ran(example.pop(verb))
    ran(f"{example.pop('team')} --token 'a token of tests'")
    ran(example.pop("grant"))
    packed = (folder / "season/pack/questions.jsonl").read_text().splitlines()
    answers = [{"item": json.loads(line)["item"], "response": "yes"} for line in packed]
    text = "".join(json.dumps(answer) + "\n" for answer in answers)
    (folder / "answers.jsonl").write_text(text)
    submit = example["submit"]
    for verb in ("check", "submit"):
        ran(example.pop(verb))
    ran(submit.replace("receipt.json", "second.json"))
    for verb in ("withdraw", "score", "board", "status", "verify", "export"):
        ran(example.pop(verb))
    ran(example.pop("close") + " --now 2121-01-01T00:00:00Z" * 2)  # it is over
    assert not example


# -- topics ------------------------------------------------------------------------


def test_the_list_of_questions_names_every_topic_with_its_command(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = printed("help").splitlines()
    assert max(map(len, lines)) <= 80
    begun = [line.split()[:2] for line in lines[1:-2] if line[0] != " "]
    assert begun == [[name, topic.command] for name, topic in TOPICS.items()]


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_told_in_a_few_lines(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    topic, text = TOPICS[name], printed("help", name)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 10
    assert f"\n  {topic.example}\n" in text
    assert lines[-1] == (
        f"All options: demur {topic.command} --help. More: docs/{topic.page}.md"
    )
    assert (DOCS / f"{topic.page}.md").exists()
    assert topic.command in COMMANDS


def test_help_of_a_command_is_its_help():
    for name in ("curve", "campaign new", "metrics words", "metrics"):
        assert printed("help", *name.split()) == printed(*name.split(), "--help")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("threshhold", "threshold"),
        ("hallucinations", "refusals"),
        ("is the difference significant", "compare"),
        ("which answers should I annotate", "labels"),
        ("github actions", "ci"),
        ("krippendorff", "agreement"),
        ("conformal", "guarantee"),
        ("which module is to blame", "pipeline"),
        ("LLM judge bias", "judges"),
        ("AURC", "auroc"),
        ("spreadsheet", "files"),
    ],
)
def test_other_words_lead_to_the_topic(text, topic):
    assert near_topics(text)[0] == topic
    assert f"demur help {topic} " in printed("help", *text.split())


def test_words_lead_to_options():
    assert "demur sample --budget" in printed("help", "budget")
    assert "demur judge --max-memory" in printed("help", "max-memory")


def test_words_that_lead_nowhere_say_so():
    err = stderr_of("help", "qqqq", code=2)
    assert err == (
        "demur: help: nothing has to do with 'qqqq'; demur help lists all questions.\n"
    )


def test_topics_cover_most_commands():
    answering = {topic.command for topic in TOPICS.values()}
    told = " ".join(topic.lines for topic in TOPICS.values())
    untold = {name for name in COMMANDS if f"demur {name}" not in told} - answering
    assert untold <= {"help", "doctor", "completion", "items", "score"}
