"""The public names: present, documented, and cheap to import."""

import argparse
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

import demur

NAMES = [name for name in demur.__all__ if name != "__version__"]
HEAVY = {
    *("matplotlib", "pandas", "polars", "pyarrow", "sklearn", "scipy", "duckdb"),
    *("narwhals", "msgspec"),
}


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after some code."""
    script = f"{code}\nimport json, sys; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    modules = json.loads(done.stdout.splitlines()[-1])
    return {name.partition(".")[0] for name in modules}


def parsers(
    parser: argparse.ArgumentParser, help_: str | None = None
) -> Iterator[tuple[str, str | None, argparse.ArgumentParser]]:
    """Every command at any depth: its name, its line in the list, its parser."""
    yield parser.prog, help_ or parser.description, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines = {each.dest: each.help for each in action._choices_actions}
            for name, command in action.choices.items():
                yield from parsers(command, lines.get(name))


@pytest.mark.parametrize("name", demur.__all__)
def test_a_public_name_resolves(name):
    assert getattr(demur, name) is not None
    assert name in dir(demur)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        demur.no_such_name  # noqa: B018


def test_names_are_listed_once_and_by_text():
    assert all(isinstance(name, str) for name in demur.__all__)
    assert len(set(demur.__all__)) == len(demur.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_docstring_of_its_own(name):
    # A dataclass without a docstring gets its signature as one.
    text = inspect.cleandoc(getattr(demur, name).__doc__ or "")
    assert text.partition("\n")[0].endswith((".", ":"))
    assert not text.startswith(f"{name}(")


def shows_an_example(thing: object) -> bool:
    """Whether its docstring, or for a class that of a way to make it, has one."""
    texts = [thing.__doc__ or ""]
    if inspect.isclass(thing):
        own = [each for key, each in vars(thing).items() if not key.startswith("_")]
        texts += [getattr(each, "__doc__", None) or "" for each in own]
    return any("Examples\n" in text and ">>> " in text for text in texts)


def test_what_is_called_has_an_example():
    things = {name: getattr(demur, name) for name in NAMES}
    called = {  # errors are raised by us, not called by others
        name: thing
        for name, thing in things.items()
        if not (inspect.isclass(thing) and issubclass(thing, Exception))
    }
    assert "error_return" in called
    assert not [name for name, thing in called.items() if not shows_an_example(thing)]


def test_importing_demur_loads_nothing_heavy():
    assert not loaded_by("import demur") & (HEAVY | {"numpy"})


def test_the_curve_loads_numpy_only():
    core = ["curves", "judging", "choosing", "gates", "plain_records", "outcomes"]
    modules = loaded_by("; ".join(f"import demur.{name}" for name in core))
    assert "numpy" in modules
    assert not modules & HEAVY


def test_help_loads_not_even_numpy():
    code = (
        "import contextlib, io, demur.cli\n"
        "with contextlib.suppress(SystemExit), "
        "contextlib.redirect_stdout(io.StringIO()) as text:\n"
        "    demur.cli.main(['--help'])\n"
        "if 'curve' not in text.getvalue(): raise SystemExit('no help')"
    )
    assert not loaded_by(code) & (HEAVY | {"numpy"})


def test_python_m_demur_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "demur", "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("usage: demur")
    assert not done.stderr


def test_every_command_and_option_has_help():
    from demur.cli import build_parser

    found = list(parsers(build_parser()))
    assert {name for name, _, _ in found} >= {
        "demur",
        "demur judge",
        "demur curve",
        "demur demo",
    }
    assert not [name for name, help_, _ in found if not help_]
    assert not [
        (name, action.dest)
        for name, _, parser in found
        for action in parser._actions
        if not action.help and not isinstance(action, argparse._SubParsersAction)
    ]


def test_every_public_name_has_a_home():
    assert set(demur._HOMES) == set(demur.__all__) - {"__version__"}
