"""The public names: present, documented, and cheap to import."""

import argparse
import ast
import doctest
import inspect
import json
from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from types import ModuleType

import pytest

import demur
from builders import python

NAMES = [name for name in demur.__all__ if name != "__version__"]
HEAVY = {
    *("matplotlib", "pandas", "polars", "pyarrow", "sklearn", "scipy", "duckdb"),
    *("narwhals", "msgspec"),
}


def modules_after(code: str) -> list[str]:
    """Modules that a fresh interpreter has loaded after some code."""
    script = f"{code}\nimport json, sys; print(json.dumps(list(sys.modules)))"
    done = python("-c", script)
    assert done.returncode == 0, done.stderr
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return modules


def loaded_by(code: str) -> set[str]:
    """The top-level ones of these."""
    return {name.partition(".")[0] for name in modules_after(code)}


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
    called = {  # results and errors are made by us, not by others
        name: thing
        for name, thing in things.items()
        if callable(thing) and not isinstance(thing, type)
    }
    called |= {name: things[name] for name in ("Outcomes", "Response", "Reference")}
    assert "error_return" in called
    assert not [name for name, thing in called.items() if not shows_an_example(thing)]


def members(thing: object) -> dict[str, object]:
    """What a public class or module of ours holds that is ours too."""
    if isinstance(thing, ModuleType):
        home = thing.__name__
        named = vars(thing).items()
        return {k: v for k, v in named if getattr(v, "__module__", None) == home}
    bases = thing.__mro__ if inspect.isclass(thing) else ()
    ours = [base for base in bases if base.__module__.startswith("demur")]
    return {
        key: member for base in reversed(ours) for key, member in vars(base).items()
    }


def docstrings(name: str, thing: object) -> Iterator[tuple[str, str]]:
    """The docstrings of a public name and of its public members, each with its name."""
    yield name, getattr(thing, "__doc__", None) or ""
    values = getattr(thing, "__dataclass_fields__", {})  # and their defaults
    for key, member in members(thing).items():
        if not key.startswith("_") and key not in values:
            yield from docstrings(f"{name}.{key}", member)


def test_the_examples_of_methods_and_properties_are_looked_at():
    names = dict(docstrings("Curve", demur.Curve))
    assert all(">>> " in names[name] for name in ("Curve.at", "Curve.split"))
    assert ">>> " in dict(docstrings("baselines", demur.baselines))["baselines.Silent"]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_when_it_is_pasted(name, pytestconfig, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    options = pytestconfig.getini("doctest_optionflags")
    flags = reduce(or_, (doctest.OPTIONFLAGS_BY_NAME[option] for option in options))
    for title, text in docstrings(name, getattr(demur, name)):
        runner, lines = doctest.DocTestRunner(optionflags=flags), []
        # With nothing defined, as in a new notebook.
        example = doctest.DocTestParser().get_doctest(text, {}, title, None, None)
        assert runner.run(example, out=lines.append).failed == 0, "".join(lines)


def test_importing_demur_loads_nothing_heavy():
    assert not loaded_by("import demur") & (HEAVY | {"numpy"})


def test_the_curve_loads_numpy_only():
    # Rows 1 to 3 but the rooms of files, and what works on arrays above them.
    rooms = ("outcomes", "answers", "curves", "statistics", "decisions", "comparisons")
    package = Path(demur.__file__).parent
    files = [file for room in rooms for file in (package / room).rglob("*.py")]
    names = [
        ".".join(file.relative_to(package.parent).with_suffix("").parts)
        for file in (*files, package / "judging" / "judging.py")
    ]
    modules = loaded_by("; ".join(f"import {name}" for name in names))
    assert "numpy" in modules
    assert not modules & HEAVY


def test_scores_load_no_comparator():
    code = "import demur; demur.score(demur.Outcomes.from_arrays(correct=[1, 0]))"
    modules = modules_after(code)
    assert "demur.comparisons.scoring" in modules
    assert not [name for name in modules if name.startswith("demur.answers")]


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
    done = python("-m", "demur", "--help")
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


def test_every_documented_name_resolves_in_a_fresh_process():
    found = python("-c", "import demur\nfor n in demur.__all__: getattr(demur, n)")
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize("name", ["answers", "compare", "Lock", "plot_curves"])
def test_a_name_resolves_without_anything_else_touched(name):
    assert "demur" in loaded_by(f"import demur; demur.{name}")


def test_no_two_names_come_from_one_place_and_none_hides_a_room():
    homes = [(home, name) for name, (_, home) in demur._homes().items()]
    assert len(set(homes)) == len(homes)
    rooms = {each.name for each in Path(demur.__file__).parent.iterdir()}
    # A room that bears the name of a verb gives way to it.
    assert rooms & set(demur.__all__) == {"answers", "agreement", "difficulty"}
    code = "import demur.agreement.agreeing, demur; demur.agreement({'a': [1]})"
    assert "demur" in loaded_by(code)


def test_no_two_classes_share_a_name_and_no_module_that_of_a_public_function():
    classes, modules = [], set()
    for file in Path(demur.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        classes += [each.name for each in tree.body if isinstance(each, ast.ClassDef)]
        modules.add(file.stem)
    assert sorted(set(classes)) == sorted(classes)
    functions = {name for name in NAMES if inspect.isfunction(getattr(demur, name))}
    assert not modules & functions


NOTEBOOK = """
import copy
import pickle
import demur
try:
    import cloudpickle
except ImportError:  # joblib before 1.6 brings its own
    from joblib.externals import cloudpickle

assert copy.deepcopy(demur) is demur and copy.copy(demur) is demur
assert pickle.loads(pickle.dumps(demur)) is demur

def error_at(estimator, texts, labels):
    correct = estimator.predict(texts) == labels
    outcomes = demur.Outcomes.from_arrays(correct=correct, confidence=correct * 0.5)
    return -demur.error_return(outcomes).vertices.error[0]

assert pickle.loads(cloudpickle.dumps(error_at)).__globals__["demur"] is demur

from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV

model = DummyClassifier(strategy="constant", constant=1)
search = GridSearchCV(model, {"constant": [0, 1]}, scoring=error_at, n_jobs=2, cv=2)
search.fit([[number] for number in range(8)], [1, 1, 1, 0, 1, 1, 1, 0])
assert search.best_params_ == {"constant": 1} and search.best_score_ == -0.25
"""


def test_a_function_of_a_notebook_that_names_demur_goes_to_other_processes():
    pytest.importorskip("sklearn")
    done = python("-W", "error", "-c", NOTEBOOK)
    assert (done.returncode, done.stderr) == (0, "")
