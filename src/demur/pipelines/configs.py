"""A pipeline, its dialogues and how it is run, from a file in TOML."""

import importlib.util
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from demur import checks
from demur.checks import choice
from demur.errors import InputError, ParseError, problem_text, shown
from demur.files import small_file
from demur.formats.record_reading import iter_records
from demur.formats.streams import MAX_SIZE
from demur.logs import dialogue_log
from demur.logs.dialogue_files import with_annotations
from demur.outcomes.target_dialogues import TargetDialogue
from demur.pipelines.module_names import check_names, unused_names
from demur.pipelines.modules import Module, Pipeline, as_module, recorded_module
from demur.pipelines.remote_modules import http_module
from demur.reference_systems.dialogue_managers import (
    CHARACTERS,
    character,
    read_dialogue_manager,
)

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
        The file that keeps steps, beside the config.
    concurrency, repeats : int
        For `Running`.
    notes : tuple of str
        What must be known of how the dialogues were read.
    """

    pipeline: Pipeline
    dialogues: list[TargetDialogue]
    cache: Path | None
    concurrency: int
    repeats: int
    notes: tuple[str, ...] = ()


def read_pipeline(
    path: str | os.PathLike[str],
    *,
    dialogues: Sequence[str | os.PathLike[str]] = (),
    max_size: int = MAX_SIZE,
) -> PipelineSetup:
    r"""Read a pipeline and its dialogues from a file in TOML.

    ::

        dialogues = "dialogues.jsonl"         # or a list of files
        form = "dialogues"                    # or another log: acts(user=caller)
        annotations = ["more.jsonl"]          # rows of further sources
        declines = ["request.repeat"]         # acts that give no answer
        cache = "steps.sqlite"                # keeps what modules said
        concurrency = 4
        repeats = 1

        [[module]]
        name = "nlu"
        call = "nlu.py:classify"              # or one of those below
        compare = "slots(none=value)"         # or whole, or contains
        version = "3"

        [[module]]
        name = "dm"
        character = "porter"
        inputs = ["nlu"]

    A module is one of ``call`` (FILE.py:NAME, a function, an object with ``step`` and
    ``observe``, or a class of such), ``url`` (`http_module`, with ``state``),
    ``system`` (as for `as_system`), ``character``, ``script`` (a file of
    `read_dialogue_manager`), or ``source`` (`recorded_module`). Files are looked for
    beside the TOML file. Reading it runs the code of ``call``, and running the pipeline
    the programs of ``system`` (``cmd:PROGRAM``): read only configs that you trust.

    Parameters
    ----------
    path : path
        The config.
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
    where, config = os.fspath(path), _toml(path)
    for name in config:
        choice(where, "a name", name, _NAMES)
    folder = Path(where).resolve().parent
    listed = config.get("module")
    if not isinstance(listed, list) or not listed:
        hint = "Begin each module with [[module]]."
        raise ParseError(where, "module", "be a list of tables", shown(listed), hint)
    code: dict[Path, Any] = {}
    modules = [
        _module(f"{where}: module {number}", table, folder, code)
        for number, table in enumerate(listed, 1)
    ]
    fields = _Fields(where, config)
    pipeline = Pipeline.of(modules, declines=fields.texts("declines"))
    cache = fields.text("cache")
    read, notes = _dialogues(fields, folder, dialogues, max_size)
    check_names(pipeline, read)
    return PipelineSetup(
        pipeline=pipeline,
        dialogues=read,
        cache=folder / cache if cache else None,
        concurrency=fields.count("concurrency"),
        repeats=fields.count("repeats"),
        notes=(*notes, *unused_names(pipeline, read)),
    )


def _toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    where = os.fspath(path)
    try:
        return tomllib.loads(small_file(where).decode("utf-8"))
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise InputError(where, "the config", need, got, "Name a TOML file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        need, got = "be TOML", " ".join(str(problem).split()) or "too deep"
        hint = "See demur pipeline --help for an example."
        raise ParseError(where, "the config", need, got, hint) from None


@dataclass(frozen=True)
class _Fields:
    """The fields of a table of the config; one that is wrong is refused by its name."""

    where: str
    table: Mapping[str, Any]

    def refuse(self, name: str, need: str, hint: str) -> NoReturn:
        """Say what is wrong with a field."""
        raise ParseError(self.where, name, need, shown(self.table[name]), hint)

    def text(self, name: str) -> str:
        """A text, empty if it is left out."""
        value = self.table.get(name, "")
        if not isinstance(value, str):
            self.refuse(name, "be a text", f'{name} = "..."')
        return value

    def texts(self, name: str) -> list[str]:
        """A text or several, none if they are left out."""
        value = self.table.get(name, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(
            isinstance(text, str) and text for text in listed
        ):
            self.refuse(name, "be a text or texts", f'Write {name} = ["..."].')
        return listed

    def count(self, name: str) -> int:
        """A whole number, 1 if it is left out."""
        value = self.table.get(name, 1)
        if type(value) is not int or value < 1:  # True is an int, too
            self.refuse(name, "be a whole number from 1", f"Write {name} = 4.")
        return value

    def flag(self, name: str) -> bool:
        """True or false, as which it is left out."""
        value = self.table.get(name, False)
        if not isinstance(value, bool):
            self.refuse(name, "be true or false", "Write true or false.")
        return value

    def seconds(self, name: str) -> float | None:
        """A number, none if it is left out."""
        value = self.table.get(name)
        if value is not None and type(value) not in (int, float):
            self.refuse(name, "be seconds", f"Write {name} = 10.")
        return value

    def leave_out(self, kind: str, *names: str) -> None:
        """Refuse what makes no sense for a kind of module."""
        for name in names:
            if name in self.table:
                need = f"not stand with {kind}"
                raise ParseError(self.where, name, need, "that", "Leave it out.")


def _dialogues(
    fields: _Fields,
    folder: Path,
    others: Sequence[str | os.PathLike[str]],
    max_size: int,
) -> tuple[list[TargetDialogue], tuple[str, ...]]:
    """The dialogues of all files, and what must be known of how they were read."""
    form = fields.table.get("form", "dialogues")
    reader = dialogue_log(form, where=fields.where, what="form")
    files = fields.texts("dialogues")
    paths: list[Any] = list(others) or [folder / file for file in files]
    if not paths:
        hint = 'Write dialogues = "FILE".'
        raise ParseError(fields.where, "dialogues", "name a file", "none", hint)
    logs = [reader.read(path, max_size=max_size) for path in paths]
    dialogues = [dialogue for log in logs for dialogue in log.dialogues]
    known: dict[str, str] = {}
    for dialogue in dialogues:
        name = dialogue.dialogue
        if name in known:
            hint = f"It stands at {known[name]} already."
            raise ParseError(
                dialogue.place, "a dialogue", "stand once", shown(name), hint
            )
        known[name] = dialogue.place
    notes = tuple(
        f"{path}: {note}"
        for path, log in zip(paths, logs, strict=True)
        for note in log.notes
    )
    rows = [folder / file for file in fields.texts("annotations")]
    if rows:
        records = iter_records(*rows, max_size=max_size)
        dialogues = with_annotations(dialogues, records)
    return dialogues, notes


def _module(where: str, table: Any, folder: Path, code: dict[Path, Any]) -> Module:
    if not isinstance(table, dict):
        hint = "Begin each module with [[module]]."
        raise ParseError(where, "it", "be a table", shown(table), hint)
    for name in table:
        choice(where, "a name", name, _OF_MODULES)
    kinds = [kind for kind in _KINDS if kind in table]
    if len(kinds) != 1:
        need, got = f"have one of {', '.join(_KINDS)}", ", ".join(kinds) or "none"
        raise ParseError(where, "it", need, got, "It says what the module is.")
    if isinstance(table.get("name"), str):
        where += f" ({table['name']})"
    fields = _Fields(where, table)
    try:
        return _built(kinds[0], fields, folder, code)
    except InputError as problem:
        refused = _placed(fields, kinds[0], problem)
        if refused is None:
            raise
        raise refused from None


def _built(kind: str, fields: _Fields, folder: Path, code: dict[Path, Any]) -> Module:
    """The module that a table describes, of one kind."""
    value = fields.text(kind)
    common: dict[str, Any] = {
        "name": fields.table.get("name"),
        "inputs": fields.texts("inputs"),
        "compare": fields.text("compare") or "slots",
    }
    if kind != "url":
        fields.leave_out(kind, "state")
    if kind == "source":
        fields.leave_out(kind, "version", "stochastic", "timeout")
        return recorded_module(value, **common)
    stochastic = fields.flag("stochastic")
    if kind == "call":
        obj, version = _called(fields.where, value, folder, code), ""
    else:
        obj, version = _object(kind, fields, folder)
    return as_module(
        obj,
        version=fields.text("version") or version,
        stochastic=stochastic,
        timeout=fields.seconds("timeout"),
        **common,
    )


def _placed(fields: _Fields, kind: str, problem: InputError) -> ParseError | None:
    """An error said of the config and its module; None if it has a place of its own."""
    if problem.where == "as_system":
        return _refused(fields, kind, problem)
    what = problem.what
    if problem.where == "slots":
        what = f"compare: {what}"
    elif problem.where != f"module {shown(fields.table.get('name'))}":
        return None
    return ParseError(fields.where, what, problem.must, problem.got, problem.hint)


def _refused(fields: _Fields, kind: str, problem: InputError) -> ParseError:
    """What is no system, said of the field of the config that names it."""
    if kind != "call":
        return ParseError(fields.where, kind, problem.must, problem.got, problem.hint)
    need = "name a function, or what has step(state, input) and observe"
    got = f"{fields.text(kind)!r} without them"
    hint = (
        "What has turn(input), and keeps its state to itself, is made one by "
        "demur.replayed(CLASS)."
    )
    return ParseError(fields.where, kind, need, got, hint)


def _object(kind: str, fields: _Fields, folder: Path) -> tuple[Any, str]:
    """What a module is made of, and its version if it is known."""
    value = fields.text(kind)
    if kind == "url":
        return http_module(value, state=fields.text("state") or "body"), ""
    if kind == "system":
        return value, ""
    if kind == "character":
        manager: Any = character(choice(fields.where, "character", value, CHARACTERS))
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
        public = [known for known in vars(module) if not known.startswith("_")]
        choice(where, f"a name in {file}", name, public)
    named = getattr(module, name)
    if not isinstance(named, type):
        return named
    try:
        return named()
    except TypeError as problem:
        need = "name a class that is made without arguments"
        why, hint = problem_text(problem), "Name an object of it instead."
        raise ParseError(where, "call", need, why, hint) from None


def _loaded(where: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"demur_config_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ParseError(where, "call", "name a file of Python", str(path), "")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # pickle and dataclasses look it up there
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
