"""README and docs: examples run, links lead somewhere, words are defined."""

import doctest
import importlib
import os
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from loaded import loaded_demur
from scripts import importing_from

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

WORDS = [
    *("item", "system", "response", "reference", "outcome", "credit", "confidence"),
    *("cutoff", "error", "nonreturn", "missed", "declined", "answerable", "weight"),
    *("cluster", "operating point", "area", "vertex", "corner", "setting", "repeat"),
    "kind",
]

ENDS = {"|", ">", "&&", "2>/dev/null"}
"""Words of a shell that end a call."""

page = pytest.mark.parametrize(
    "path", PAGES, ids=lambda path: str(path.relative_to(ROOT))
)


def blocks(path: Path) -> Iterator[tuple[str, str, str]]:
    """Fenced blocks: language, caption, and the text, moved to its own line."""
    language = caption = ""
    inside: list[str] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        fence = line.lstrip().startswith("```")
        if fence and inside is None:
            language = line.strip(" `").removeprefix("{code-block}").strip()
            caption, inside = "", [""] * (number + 1)
        elif fence:
            yield language, caption, "\n".join(inside or []) + "\n"
            inside = None
        elif inside is not None and line.startswith(":caption:"):
            caption = line.removeprefix(":caption:").strip()
        elif inside is not None:
            inside.append(line)


@cache
def console_pages_script() -> dict[str, Any]:
    """The names of the script that runs pages."""
    return runpy.run_path(str(ROOT / "docs" / "console_pages.py"))


def commands(path: Path) -> list[list[str]]:
    """The calls of demur in a page's shell blocks, without what follows a pipe."""
    calls = []
    for language, _, text in blocks(path):
        if language in {"sh", "bash", "console"}:
            prompt = "$ " if language == "console" else ""
            for command in console_pages_script()["typed"](text, prompt):
                words = shlex.split(command.replace("\\\n", " "), comments=True)
                ends = [i for i, word in enumerate(words) if word in ENDS]
                if words[:1] == ["demur"]:
                    calls.append(words[1 : min(ends, default=len(words))])
    return calls


@pytest.fixture
def data_files(tmp_path, monkeypatch):
    """The quickstart's data files, and the examples, in the current folder."""
    for _, caption, text in blocks(ROOT / "docs" / "quickstart.md"):
        if caption:
            (tmp_path / caption).write_text(text.strip() + "\n", "utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@page
@pytest.mark.usefixtures("data_files")
def test_examples_in_python_run(path):
    shared: dict[str, object] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    report: list[str] = []
    for _, _, text in blocks(path):
        if ">>>" in text:
            example = parser.get_doctest(text, shared, path.name, str(path), 0)
            runner.run(example, out=report.append, clear_globs=False)
            shared = example.globs
    assert not runner.failures, "".join(report)


def test_there_are_examples_to_run():
    counted = {path.name: path.read_text("utf-8").count(">>>") for path in PAGES}
    assert counted["definitions.md"] > 40
    assert counted["quickstart.md"] >= 5


@page
@pytest.mark.usefixtures("data_files")  # the folders that commands name are made
def test_commands_are_understood(path):
    from demur.cli import build_parser

    for call in commands(path):
        assert build_parser().parse_args(call).command == call[0]


def test_commands_of_the_quickstart_run(data_files):
    from demur.cli import main

    listed = commands(ROOT / "docs" / "quickstart.md")
    calls = [call for call in listed if "marked.csv" not in call]  # those are shown
    assert len(calls) == 5
    for call in calls:
        assert not main(call), call
    assert (data_files / "outcomes.jsonl").stat().st_size
    assert (data_files / "curve.png").stat().st_size


@pytest.fixture
def console_pages():
    """The script that makes the output on a page again."""
    with importing_from(ROOT / "docs"):
        yield importlib.import_module("console_pages")


@pytest.fixture(scope="module")
def programs():
    """A folder with demur, without its start; where nothing forks, with the demur."""
    if not hasattr(os, "fork"):
        yield Path(sys.executable).parent
        return
    with loaded_demur() as folder:
        yield folder


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        *("campaign_questions.md", "gates.md", "judges.md", "pipelines.md"),
        *("quickstart.md", "store.md"),
        *sorted(page.name for page in (ROOT / "docs").glob("tutorial*.md")),
    ],
)
def test_commands_of_the_tutorials_print_what_the_pages_show(
    console_pages, programs, name, tmp_path
):
    for package in ("matplotlib", "sqlglot", "jinja2", "sklearn"):
        pytest.importorskip(package)
    text, data = (ROOT / "docs" / name).read_text("utf-8"), os.environ.get("DEMUR_DATA")
    absent = [
        each
        for each in console_pages.data_sets(text)
        if not (data and (Path(data) / each).is_dir())
    ]
    if absent:
        pytest.skip(f"the folder DEMUR_DATA does not hold {', '.join(absent)}")
    assert "\n$ demur " in text
    assert console_pages.run(text, tmp_path, data, programs) == text, (
        f"python docs/console_pages.py docs/{name} writes the page again"
    )


def test_the_output_of_a_page_is_made_again(console_pages, tmp_path):
    text = (
        "```{code-block} json\n:caption: a.txt\n\none\n```\n\n"
        "```console\n$ cat \\\n    a.txt\nold\n$ echo two >&2; echo signature: x\n```\n"
    )
    made = console_pages.run(text, tmp_path)
    assert made == text.replace("old", "one").replace(
        "x\n```\n", "x\ntwo\nsignature: ...\n```\n"
    )


@pytest.mark.long  # beside those for which demur is loaded
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_pages_show_the_same_if_demur_is_loaded_already(
    console_pages, programs, tmp_path
):
    lines = "".join(f'{{"item": {k}, "correct": {k % 3 > 0}}}\n' for k in range(9))
    text = (
        f"```json\n:caption: o.jsonl\n\n{lines.lower()}```\n```console\n"
        "$ COLUMNS=50 demur score o.jsonl; echo $?\n"
        "$ mkdir sub && cd sub && demur score ../nothing.jsonl; echo $?\n"
        "$ cat o.jsonl | demur curve - --fail-if 'forced_choice_error > 0';"
        " echo ${PIPESTATUS[*]}\n```\n"
    )
    made = []
    for folder in (programs, None):
        (tmp_path / str(folder is None)).mkdir()
        where = tmp_path / str(folder is None)
        given = () if folder is None else (None, folder)
        made.append(console_pages.run(text, where, *given))
    assert made[0] == made[1]
    assert "\n0\n" in made[0]
    assert "\n4\n" in made[0]
    assert "\n0 1\n" in made[0]


def test_gates_on_the_command_page_are_understood():
    from demur.results.gates import parse_gate

    (shown,) = [
        text
        for _, caption, text in blocks(ROOT / "docs" / "cli.md")
        if caption == "gates"
    ]
    gates = [line.split("  ")[0] for line in shown.split("\n") if line.strip()]
    assert len(gates) == 15
    assert [parse_gate(gate).text for gate in gates] == gates


@page
def test_code_is_as_wide_as_a_narrow_window(path):
    wide = [
        line
        for _, _, text in blocks(path)
        for line in text.splitlines()
        if len(line) > 90 and " " in line.strip()
        if not line.startswith('{"')  # a record is one line
    ]
    assert not wide


READ_THROUGH = [
    path
    for path in sorted((ROOT / "docs").glob("*.md"))
    if path.name not in {"api.md", "cli.md", "glossary.md", "performance.md"}
]
"""Pages for readers, not lists to look something up in."""


@pytest.mark.parametrize("path", READ_THROUGH, ids=lambda path: path.name)
def test_a_page_shows_something_within_its_first_screen(path):
    text = path.read_text("utf-8")
    title, _, rest = text.partition("\n")
    assert title.startswith("# ")
    shown = re.search(r"^(?:!\[|\||```|:::)|<img ", rest, re.M)
    before = re.sub(r"<!--.*?-->", "", rest[: shown.start()], flags=re.DOTALL)
    words = before.split()
    assert words, "first what one gets, then what it looks like"
    assert len(words) <= 110, f"{len(words)} words before a picture, table or example"


@page
def test_pictures_say_in_words_what_they_show(path):
    text = path.read_text("utf-8")
    shown = re.findall(r"!\[([^\]]*)\]\(", text) + re.findall(r"alt=\"([^\"]*)", text)
    assert text.count("<img ") + len(re.findall(r"!\[", text)) == len(shown)
    assert all(len(words.split()) >= 4 for words in shown), shown


@page
def test_relative_links_lead_to_files(path):
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)", text) + re.findall(
        r"(?:src|href)=\"([^\"]+)", text
    )
    local = [each.partition("#")[0] for each in targets if "://" not in each]
    broken = [each for each in local if each and not (path.parent / each).exists()]
    assert not broken


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_vocabulary_is_in_the_glossary(word):
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    assert word in lines
    explanation = lines[lines.index(word) + 1]
    assert re.fullmatch(r"  \S.*\.", explanation)


def test_the_glossary_is_in_order():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^(\w.*)\n  \S", text, flags=re.MULTILINE)
    assert len(words) > len(WORDS)
    assert words == sorted(words, key=str.casefold)


def test_every_public_name_is_on_the_api_page():
    import demur

    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    shown = re.findall(r"^\.\. public-names:: (.+)$", text, flags=re.MULTILINE)
    sections = {section for section, _ in demur._homes().values()} - {""}
    assert sorted(shown) == sorted(sections)
    of_errors = [name for name, (its, _) in demur._homes().items() if its == "Errors"]
    assert all(issubclass(getattr(demur, name), Exception) for name in of_errors)
    assert demur._homes()["compare"][0] == "Comparing systems"
