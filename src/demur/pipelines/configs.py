"""A pipeline, its dialogues and how it is run, from a file in TOML."""

import importlib.util
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.checks import choice
from demur.errors import InputError, ParseError, problem_text, shown
from demur.formats.reading import iter_records
from demur.formats.streams import MAX_SIZE
from demur.pipelines.agent_traces import read_agent_traces
from demur.pipelines.dialogue_files import read_dialogues, with_annotations
from demur.pipelines.dialogue_logs import read_act_text, read_wizard_log
from demur.pipelines.modules import Module, Pipeline, as_module, recorded_module
from demur.pipelines.remote_modules import http_module
from demur.pipelines.target_dialogues import TargetDialogue
from demur.reference_systems.dialogue_managers import (
    CHARACTERS,
    character,
    read_dialogue_manager,
)

FORMS: Final[Mapping[str, Callable[..., list[TargetDialogue]]]] = {
    "dialogues": read_dialogues,
    "acts": read_act_text,
    "wizard": read_wizard_log,
    "traces": read_agent_traces,
}
"""What files of dialogues may be, and what reads them."""

_NAMES: Final = (
    "dialogues",
    "form",
    "annotations",
    "declines",
    "cache",
    "concurrency",
    "repeats",
    "module",
)
_KINDS: Final = ("call", "system", "url", "character", "script", "source")
_OF_MODULES: Final = (
    "name",
    *_KINDS,
    "state",
    "inputs",
    "compare",
    "version",
    "stochastic",
    "timeout",
)


@dataclass(frozen=True)
class PipelineSetup:
    """A pipeline with its dialogues, as `read_pipeline` reads them.

    Parameters
    ----------
    pipeline : Pipeline
    dialogues : list of TargetDialogue
    cache : path or None
    concurrency, repeats : int
        For `Running`.
    """

    pipeline: Pipeline
    dialogues: list[TargetDialogue]
    cache: Path | None
    concurrency: int
    repeats: int


def read_pipeline(
    path: str | os.PathLike[str],
    *,
    dialogues: Sequence[str | os.PathLike[str]] = (),
    max_size: int = MAX_SIZE,
) -> PipelineSetup:
    r"""Read a pipeline and its dialogues from a file in TOML.

    ::

        dialogues = "dialogues.jsonl"         # or a list of files
        form = "dialogues"                    # or acts, wizard, traces
        annotations = ["more.jsonl"]          # rows of further sources
        declines = ["request.repeat"]         # acts that give no answer
        cache = "steps.sqlite"                # keeps what modules said
        concurrency = 4
        repeats = 1

        [[module]]
        name = "nlu"
        call = "nlu.py:classify"              # or one of those below
        compare = "slots(none=value)"         # or whole
        version = "3"

        [[module]]
        name = "dm"
        character = "porter"
        inputs = ["nlu"]

    A module is one of ``call`` (FILE.py:NAME, a function, an object with ``step`` and
    ``observe``, or a class of such), ``url`` (`http_module`, with ``state``),
    ``system`` (as for `as_system`), ``character``, ``script`` (a file of
    `read_dialogue_manager`), or ``source`` (`recorded_module`). Files are looked for
    beside the TOML file; ``call`` runs their code.

    Parameters
    ----------
    path : path
    dialogues : sequence of path
        Files that take the place of those that the config names.
    max_size : int
        Of each file, as for `read_outcomes`.

    Returns
    -------
    PipelineSetup

    Raises
    ------
    InputError
        If the file, a name in it, or what it names is not as above.

    Examples
    --------
    >>> import demur, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "d.txt").write_text("user: hello\n~ greet.hello\n")
    >>> _ = (folder / "p.toml").write_text(
    ...     'dialogues = "d.txt"\nform = "acts"\n'
    ...     '[[module]]\nname = "nlu"\ncall = "m.py:nlu"\n'
    ...     '[[module]]\nname = "dm"\ncharacter = "porter"\n')
    >>> _ = (folder / "m.py").write_text("def nlu(text): return 'greet.hello'\n")
    >>> demur.read_pipeline(folder / "p.toml").pipeline.names
    ('nlu', 'dm')
    """
    checks.path("read_pipeline", path)
    where, told = os.fspath(path), _told(path)
    for name in told:
        choice(where, "a name", name, _NAMES)
    folder = Path(where).resolve().parent
    listed = told.get("module")
    if not isinstance(listed, list) or not listed:
        hint = "Begin each module with [[module]]."
        raise ParseError(where, "module", "be a list of tables", shown(listed), hint)
    code: dict[Path, Any] = {}
    modules = [
        _module(f"{where}: module {number}", each, folder, code)
        for number, each in enumerate(listed, 1)
    ]
    pipeline = Pipeline.of(modules, declines=_texts(where, told, "declines"))
    cache = _text(where, told, "cache")
    return PipelineSetup(
        pipeline=pipeline,
        dialogues=_dialogues(where, told, (folder, dialogues), max_size),
        cache=folder / cache if cache else None,
        concurrency=_count(where, told, "concurrency"),
        repeats=_count(where, told, "repeats"),
    )


def _told(path: str | os.PathLike[str]) -> dict[str, Any]:
    where = os.fspath(path)
    try:
        with Path(where).open("rb") as file:
            return tomllib.load(file)
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise InputError(where, "the config", need, got, "Name a TOML file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        need, got = "be TOML", " ".join(str(problem).split()) or "too deep"
        hint = "See demur pipeline --help for an example."
        raise ParseError(where, "the config", need, got, hint) from None


def _dialogues(
    where: str,
    told: Mapping[str, Any],
    places: tuple[Path, Sequence[str | os.PathLike[str]]],
    max_size: int,
) -> list[TargetDialogue]:
    folder, others = places
    form = choice(where, "form", told.get("form", "dialogues"), FORMS)
    paths: list[Any] = [folder / each for each in _texts(where, told, "dialogues")]
    paths = list(others) or paths
    if not paths:
        hint = 'Write dialogues = "FILE".'
        raise ParseError(where, "dialogues", "name a file", "none", hint)
    found = [each for path in paths for each in FORMS[form](path, max_size=max_size)]
    known: dict[str, str] = {}
    for each in found:
        if each.dialogue in known:
            hint = f"It stands at {known[each.dialogue]} already."
            got = shown(each.dialogue)
            raise ParseError(each.place, "a dialogue", "stand once", got, hint)
        known[each.dialogue] = each.place
    rows = [folder / each for each in _texts(where, told, "annotations")]
    if not rows:
        return found
    return with_annotations(found, iter_records(*rows, max_size=max_size))


def _texts(where: str, told: Mapping[str, Any], name: str) -> list[str]:
    value = told.get(name, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(
        isinstance(each, str) and each for each in listed
    ):
        hint = f'Write {name} = ["..."].'
        raise ParseError(where, name, "be a text or texts", shown(value), hint)
    return listed


def _text(where: str, told: Mapping[str, Any], name: str) -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise ParseError(where, name, "be a text", shown(value), f'{name} = "..."')
    return value


def _count(where: str, told: Mapping[str, Any], name: str) -> int:
    value = told.get(name, 1)
    if type(value) is not int or value < 1:
        hint = f"Write {name} = 4."
        raise ParseError(where, name, "be a whole number from 1", shown(value), hint)
    return value


def _module(where: str, told: Any, folder: Path, code: dict[Path, Any]) -> Module:
    if not isinstance(told, dict):
        hint = "Begin each module with [[module]]."
        raise ParseError(where, "it", "be a table", shown(told), hint)
    for name in told:
        choice(where, "a name", name, _OF_MODULES)
    kinds = [kind for kind in _KINDS if kind in told]
    if len(kinds) != 1:
        need, got = f"have one of {', '.join(_KINDS)}", ", ".join(kinds) or "none"
        raise ParseError(where, "it", need, got, "It says what the module is.")
    [kind] = kinds
    value = _text(where, told, kind)
    common: dict[str, Any] = {
        "name": told.get("name"),
        "inputs": _texts(where, told, "inputs"),
        "compare": _text(where, told, "compare") or "slots",
    }
    if kind != "url":
        _refuse(where, told, kind, "state")
    if kind == "source":
        _refuse(where, told, kind, "version", "stochastic", "timeout")
        return recorded_module(value, **common)
    stochastic = told.get("stochastic", False)
    if not isinstance(stochastic, bool):
        hint = "Write true or false."
        raise ParseError(
            where, "stochastic", "be true or false", shown(stochastic), hint
        )
    if kind == "call":
        obj, version = _called(where, value, folder, code), ""
    else:
        obj, version = _object(where, kind, told, folder)
    return as_module(
        obj,
        version=_text(where, told, "version") or version,
        stochastic=stochastic,
        timeout=_seconds(where, told),
        **common,
    )


def _seconds(where: str, told: Mapping[str, Any]) -> float | None:
    value = told.get("timeout")
    if value is not None and type(value) not in (int, float):
        hint = "Write timeout = 10."
        raise ParseError(where, "timeout", "be seconds", shown(value), hint)
    return value


def _refuse(where: str, told: Mapping[str, Any], kind: str, *names: str) -> None:
    for name in names:
        if name in told:
            need = f"not stand with {kind}"
            raise ParseError(where, name, need, "that", "Leave it out.")


def _object(
    where: str, kind: str, told: Mapping[str, Any], folder: Path
) -> tuple[Any, str]:
    """What a module is made of, and its version if it is known."""
    value = told[kind]
    if kind == "url":
        return http_module(value, state=_text(where, told, "state") or "body"), ""
    if kind == "system":
        return value, ""
    if kind == "character":
        manager: Any = character(choice(where, "character", value, CHARACTERS))
    else:
        manager = read_dialogue_manager(folder / value)
    return manager, manager.script.digest


def _called(where: str, text: str, folder: Path, code: dict[Path, Any]) -> Any:
    """What a file of Python calls by a name; each file is run once."""
    file, _, name = text.rpartition(":")
    path = folder / file
    if not file.endswith(".py") or not name.isidentifier():
        hint = 'Write call = "FILE.py:NAME".'
        raise ParseError(where, "call", "be FILE.py:NAME", shown(text), hint)
    if not path.is_file():
        hint = "Files are looked for beside the config."
        raise ParseError(where, "call", "name a file that is there", shown(file), hint)
    if path not in code:
        code[path] = _loaded(where, path)
    module = code[path]
    if not hasattr(module, name):
        known = [each for each in vars(module) if not each.startswith("_")]
        choice(where, f"a name in {file}", name, known)
    found = getattr(module, name)
    return found() if isinstance(found, type) else found


def _loaded(where: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"demur_config_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ParseError(where, "call", "name a file of Python", str(path), "")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with _beside(path.parent):
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as problem:
            why = problem_text(problem)
            hint = "It is run when the config is read."
            need = "run without an error"
            raise InputError(where, path.name, need, why, hint) from problem
    return module


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Files of a folder can import one another."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):
            sys.path.remove(str(folder))
