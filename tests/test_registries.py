"""What is registered stands in one table, and help, docs and names follow it."""

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import demur
from builders import printed
from demur import cli, logs, read_stipulations
from demur.answers import COMPARATORS
from demur.cli.metrics_command import MEASURES
from demur.cli.options.parsing import options_of
from demur.comparisons.selective_scores import SELECTIVE
from demur.decisions import choosing
from demur.decisions.linear_scores import PRESETS
from demur.formats import reading, writing
from demur.formats.compression import PACKERS
from demur.references.linting import CHECKS
from demur.systems.adapters.chats import ChatSystem
from demur.systems.adapters.confidences import CONFIDENCES, ChatConfidence
from demur.systems.adapters.estimators import EstimatorSystem

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCE = Path(demur.__file__).parent


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def help_of(command: str) -> str:
    return " ".join(printed(command, "--help").split())


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_has_a_maker_a_version_help_and_a_line_in_the_docs(name):
    maker = COMPARATORS[name]
    assert getattr(demur.answers, maker.__name__) is maker
    judge = "judge@http://localhost/v1"
    needed = {"model": f"model({judge})", "claims": f"claims({judge})"}
    made = demur.answers.parse_comparator(needed.get(name, name))
    assert str(made).partition("(")[0] == name
    assert re.fullmatch(rf"{name}/\d+", made.version)
    assert f"\n| `{name}`" in page("comparators.md"), f"no row `{name}`"
    assert name in help_of("judge").partition("--by COMPARATOR")[2]


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_is_tested_and_in_the_changelog(name):
    tests = [path.read_text("utf-8") for path in (ROOT / "tests/answers").glob("*.py")]
    tested = any(re.search(rf"\b{name}\b", text) for text in tests)
    assert tested, f"no test in tests/answers names {name}"
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"`[^`]*\b{name}\b", changes), f"no `{name}` in CHANGELOG.md"


def test_every_file_with_a_comparator_is_in_the_table():
    versions = {
        version
        for path in (SOURCE / "answers").glob("*.py")
        for version in re.findall(
            r'^    version: ClassVar\[str\] = "([\w-]+)/\d+"$',
            path.read_text("utf-8"),
            re.M,
        )
    }
    assert versions == set(COMPARATORS)


def test_comparators_that_do_not_exist_are_in_no_table():
    first_table = page("comparators.md").split("\n## ")[0]
    listed = re.findall(r"^\| `([\w-]+)`.* \|", first_table, re.M)
    assert set(listed) == set(COMPARATORS)


def test_the_glossary_names_only_comparators_that_exist():
    entry = page("glossary.md").partition("\ncomparator\n")[2].split("\n\n")[0]
    named = set(re.findall(r"`([\w-]+)`", entry)) - {"judge"}
    assert named
    assert named <= set(COMPARATORS)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_of_the_command_stands_in_every_place(name):
    measure = MEASURES[name]
    kind = measure.result.__name__
    words = re.compile(rf"\b{name}\b")
    metrics = (ROOT / "tests/metrics").glob("*.py")
    command = [
        line
        for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
        if "`demur metrics" in line
    ]
    places = {
        f"{kind} in src/demur/__init__.pyi": kind in demur.__all__,
        "docs/metrics.md": f"demur metrics {name}" in page("metrics.md"),
        "CHANGELOG.md, beside `demur metrics`": any(map(words.search, command)),
        "a test in tests/metrics": any(words.search(p.read_text()) for p in metrics),
        "a line in tests/cli/test_fuzz.py": f"metrics {name} DAMAGED"
        in (ROOT / "tests/cli/test_fuzz.py").read_text("utf-8"),
        "the argument level of its verb": "level"
        in inspect.signature(measure.verb).parameters
        or any(
            each.kind is each.VAR_KEYWORD
            for each in inspect.signature(measure.verb).parameters.values()
        ),
        f"{name} in the help of demur metrics": bool(words.search(help_of("metrics"))),
    }
    missing = [place for place, there in places.items() if not there]
    assert not missing, f"the measure {name} is not yet in: {'; '.join(missing)}"


@pytest.mark.parametrize("name", logs.READERS)
def test_a_reader_of_logs_stands_in_every_place(name):
    reader = logs.log_reader(name)
    assert (type(reader).name, str(reader), repr(reader)) == (name, name, name)
    options = {option.name: option for option in dataclasses.fields(type(reader))}
    assert reader.__dataclass_params__.frozen
    for option, meanings in reader.statuses.items():
        assert options[option].default in meanings
        assert f"{option}={options[option].default}" in reader.recipe
    where = "logs.md" if name in logs.MARKS else "pipelines.md"
    lines = re.findall(rf"^\| `{name}` .*", page(where), re.M)
    tests = [path.read_text("utf-8") for path in (ROOT / "tests/logs").glob("*.py")]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    places = {
        f"a line `{name}` in docs/{where}": bool(lines),
        **{
            f"`{option}` in its line there": f"`{option}" in "".join(lines)
            for option in options
        },
        "a test in tests/logs": any(f'"{name}' in text for text in tests),
        "CHANGELOG.md": bool(re.search(rf"\b{name}\b", changes, re.I)),
    }
    missing = [place for place, there in places.items() if not there]
    assert not missing, f"the reader {name} is not yet in: {'; '.join(missing)}"


def test_every_file_with_a_reader_of_logs_is_in_the_table():
    named = re.compile(r'^    name: ClassVar\[str\] = "([\w-]+)"$', re.M)
    readers = {
        name: path.stem
        for path in (SOURCE / "logs").glob("*.py")
        for name in named.findall(path.read_text("utf-8"))
    }
    listed = {name: place.partition(":")[0] for name, place in logs.READERS.items()}
    assert readers == listed


@pytest.mark.parametrize("name", CONFIDENCES)
def test_a_confidence_method_stands_in_every_place(name):
    method = CONFIDENCES[name]
    of_chats = isinstance(method, ChatConfidence)
    adapter = ChatSystem if of_chats else EstimatorSystem
    typed = name.replace("_", "-")
    either = re.compile(rf"\b({name}|{typed})\b")
    tests = (ROOT / "tests/systems").rglob("*.py")
    help_text = help_of("run").replace("- ", "-")  # lines may end within a name
    places = {
        "docs/systems.md (python docs/field_tables.py docs/systems.md writes it)": (
            f"\n| `{typed}` | {method.help}" in page("systems.md")
        ),
        "a test in tests/systems": any(
            map(either.search, (p.read_text() for p in tests))
        ),
        "CHANGELOG.md": bool(
            re.search(rf"`{typed}`", (ROOT / "CHANGELOG.md").read_text("utf-8"))
        ),
        f"the docstring of {adapter.__name__}": (
            f"``{name}``, {method.help}" in (adapter.__doc__ or "")
        ),
        "the help of demur run": not of_chats or f"{typed}, {method.help}" in help_text,
    }
    missing = [place for place, there in places.items() if not there]
    assert not missing, f"the confidence {name} is not yet in: {'; '.join(missing)}"


def test_a_rule_of_choose_is_an_argument_an_option_and_a_line_in_the_docs():
    arguments = list(inspect.signature(choosing.choose).parameters)
    assert arguments[1 : arguments.index("of")] == list(choosing.RULES)
    text = help_of("choose")
    for rule in choosing.RULES:
        assert f" --{rule.replace('_', '-')} " in text
        assert f"\n| `{rule}=" in page("choosing.md")


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_command_has_a_file_with_its_arguments_and_its_body(name):
    assert callable(options_of(name).add_arguments)
    assert callable(cli._module_of(name).run)
    assert f"usage: demur {name}" in help_of(name)


def test_all_files_of_commands_are_in_the_table():
    files = {path.stem for path in Path(cli.__file__).parent.glob("*_command.py")}
    assert files == {f"{name.replace('-', '_')}_command" for name in cli.COMMANDS}
    options = {path.stem for path in Path(options_of("run").__file__).parent.glob("*")}
    assert {f"{name.replace('-', '_')}_options" for name in cli.COMMANDS} <= options
    assert re.findall(r"^  (\w[\w-]*)  ", printed("--help"), re.MULTILINE) == [
        *cli.COMMANDS
    ]


@pytest.mark.parametrize("reader", reading.FORMATS)
def test_a_format_has_a_reader_help_and_a_place_in_the_docs(reader):
    assert {"names", "records", "blocks", "recognises"} <= set(dir(reader))
    assert f"{reading.READABLE} with the same columns" in page("fields.md")
    for command in ("judge", "curve"):
        assert reading.READABLE in help_of(command)


FORMAT_NAMES = {name for reader in reading.FORMATS for name in reader.words.split(", ")}


def documented() -> Iterator[tuple[str, str]]:
    """Where each docstring of the package stands, and its text as it is written."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                name = getattr(node, "name", "the module")
                yield f"{path.name}: {name}", ast.get_docstring(node) or ""


def test_no_docstring_lists_the_formats_by_hand():
    unmistakable = FORMAT_NAMES - {"JSON"}  # as which many a value is written
    by_hand = {
        place
        for place, text in documented()
        if len([name for name in unmistakable if re.search(rf"\b{name}\b", text)]) > 1
    }
    assert by_hand == {"writing.py: write_outcomes"}  # says how those two differ


@pytest.mark.parametrize(
    "function",
    [
        *(demur.read_outcomes, demur.read_responses, demur.read_references),
        *(read_stipulations, demur.read_wizard_log),
    ],
)
def test_what_reads_files_names_all_formats(function):
    lines = " ".join((function.__doc__ or "").split())
    assert reading.READABLE in lines
    assert "FORMATS" not in lines
    assert all(name in reading.READABLE for name in FORMAT_NAMES)


def test_every_ending_of_a_written_file_is_in_the_docstring():
    listed = re.findall(
        r"\.[a-z]+\b", demur.write_outcomes.__doc__.split("open file")[1]
    )
    assert {*writing._WRITERS, *PACKERS} <= set(listed)


def test_the_last_format_is_the_only_one_that_takes_every_text():
    *first, last = reading.FORMATS
    assert last.recognises(b"item,outcome")
    assert not any(reader.recognises(b"item,outcome") for reader in first)


def test_every_check_of_references_is_explained():
    explained = re.findall(r"^\| ([^|]*) \|", page("linting.md"), re.M)
    names = {name for cell in explained for name in re.findall(r"`([\w-]+)`", cell)}
    assert names | {"class"} == set(CHECKS)
    assert "`class`" in page("linting.md")


def test_every_quantity_of_a_gate_is_on_the_page_of_commands():
    from demur.decisions.judged_curves import JudgedCurves

    shown = page("cli.md")
    for kind in JudgedCurves.KINDS:
        assert re.search(rf"\b{kind.name}\b", shown), kind.name


def test_the_tables_of_fields_reasons_and_confidences_are_those_of_the_package():
    import runpy

    script = runpy.run_path(str(DOCS / "field_tables.py"))
    text = page("fields.md")
    assert text.count("<!-- fields: ") == 3
    assert text.count("<!-- reasons -->") == 1
    assert script["written"](text) == text
    text = page("which_command.md")
    assert text.count("<!-- questions -->") == 1
    assert script["written"](text) == text
    text = page("systems.md")
    assert text.count("<!-- confidences: ") == 2
    assert script["written"](text) == text


@pytest.mark.parametrize("name", PRESETS)
def test_a_named_score_has_a_line_in_the_docs(name):
    parameter = PRESETS[name].parameter
    typed = rf"`{name}\({parameter}=\w\)`" if parameter else f"`{name}`"
    assert re.search(rf"^\| {typed} \|", page("contrasts.md"), re.M)


@pytest.mark.parametrize("name", SELECTIVE)
def test_a_score_that_is_no_weighing_has_a_line_in_the_docs(name):
    parameter = SELECTIVE[name].parameter
    typed = rf"`{name}\({parameter}=\w\)`" if parameter else f"`{name}`"
    assert re.search(rf"^\| {typed} \|", page("scoring.md"), re.M)
