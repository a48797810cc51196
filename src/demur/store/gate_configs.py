"""Gates in a file: what ``demur.toml`` says must hold of runs, read and checked."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from demur import checks
from demur.checks import choice
from demur.decisions.judged_curves import JudgedCurves
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.formats.column_mappings import column_mapping
from demur.results.gates import Gate, WorseGate, check_gate, claim_kind, parse_gate
from demur.wholes.whole_points import WHOLE_KINDS

RUN: Final = "the run"
"""What a claim is about that names no system: "worse than main"."""

AT: Final = 0.2
"""The nonreturn of claims that name none, as of `demur.compare`."""

EQUAL, COMMON = "equal", "common"

BROKEN, INCONCLUSIVE, HOLDS = "broken", "inconclusive", "holds"

_TOP: Final = ("store", "gate", "columns")
_KEYS: Final = (
    *("name", "run", "against", "system", "require", "fail_if"),
    *("items", "incomparable", "level"),
)
_HEADED: Final = re.compile(r"[ \t]*\[\[[ \t]*(?:gate|\"gate\"|'gate')[ \t]*\]\]")
_SUBJECTLESS: Final = re.compile(r"\s*(?:not\s+)?worse\s+than\s")
_SUCH_AS: Final = 'Such as fail_if = ["error@0.2 > 0.05", "worse than main @0.2"].'
_BEGIN: Final = 'Begin each gate with [[gate]], and below it run = "outcomes.jsonl".'


@dataclass(frozen=True)
class GateCondition:
    """One condition of a gate, as it was written and read.

    Parameters
    ----------
    text : str
        As it was written.
    required : bool
        Whether it must be shown; else it breaks the gate if it is so.
    gate : Gate or WorseGate
        What breaks it: of a figure that is required, the opposite.
    where : str
        File and line of its gate, for messages.
    """

    text: str
    required: bool
    gate: Gate | WorseGate
    where: str

    @property
    def key(self) -> str:
        """Under which key it stands."""
        return "require" if self.required else "fail_if"


@dataclass(frozen=True)
class GateConfig:
    """What must hold of one run.

    Parameters
    ----------
    where : str
        File and line, for messages.
    name : str
        As it is called in reports; made of the other keys if left out.
    run : str
        A file of outcomes, or a kept run.
    against : str
        A kept run, or a file; "" for none.
    system : str
        Of the run; "" for all.
    conditions : tuple of GateCondition
        Those required first.
    incomparable : {"broken", "inconclusive"}
        How a claim ends where the two runs have other data, or were judged otherwise.
    items : {"equal", "common"}
        Whether a claim compares two runs of other data on the items that both have
        with the same reference.
    level : float
        Of the tests.
    """

    where: str
    name: str
    run: str
    against: str
    system: str
    conditions: tuple[GateCondition, ...]
    incomparable: str = BROKEN
    items: str = EQUAL
    level: float = 0.95


@dataclass(frozen=True)
class GateFile:
    """All gates of a file, and where their runs are.

    Parameters
    ----------
    path : str
        The file.
    store : str or None
        The address of the store; None leaves it to the caller.
    gates : tuple of GateConfig
        In order.
    columns : mapping of str to mapping
        What columns are called, by pattern of file.
    """

    path: str
    store: str | None
    gates: tuple[GateConfig, ...]
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_gates(path: str | os.PathLike[str]) -> GateFile:
    r"""Read the gates of a file in TOML.

    ::

        store = "demur.sqlite"          # or postgresql://...; optional

        [[gate]]
        run = "outcomes.jsonl"          # a file, or kept:RUN
        against = "main"                # a kept run, by tag or number, or a file
        system = "assistant"            # of the run; all systems if left out
        require = ["not worse than main by 0.02 @0.2", "error@0.2 <= 0.08"]
        fail_if = ["worse than main @0.2", "ungraded > 10"]
        name = "air"                    # as reports call it
        items = "common"                # compare on what both runs have; else equal
        incomparable = "inconclusive"   # if the baseline has other data; else broken
        level = 0.99                    # of the tests; 0.95 if left out

    What is required must be shown: a claim that luck can explain is none. What fails a
    run must be so: luck breaks no gate. Files are looked for beside the TOML file.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    GateFile

    Raises
    ------
    InputError
        If it is not as above, naming the file, the line of the gate and the key.

    Examples
    --------
    >>> import demur, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "demur.toml")
    ...     _ = path.write_text('[[gate]]\nrun = "a.jsonl"\nfail_if = ["wrong > 9"]')
    ...     [gate] = demur.read_gates(path).gates
    >>> gate.name, gate.conditions[0].gate.limit
    ('a.jsonl', 9.0)
    """
    checks.path("read_gates", path)
    where = os.fspath(path)
    text = _text(where)
    try:
        config = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # of endless digits, too
        got = " ".join(str(problem).split()) or "too deep"
        raise ParseError(where, "the file", "be TOML", got, _BEGIN) from None
    for name in config:
        choice(where, "a key", name, _TOP)
    tables = config.get("gate", [])
    if not isinstance(tables, list) or not tables:
        got = shown(tables) if "gate" in config else "none"
        raise ParseError(where, "gate", "be a list of tables", got, _BEGIN)
    places = _places(where, text, len(tables))
    gates = [_GateTable(place, table).config() for place, table in zip(places, tables)]  # noqa: B905
    _check_names(gates)
    store = config.get("store")
    if store is not None and (not isinstance(store, str) or not store.strip()):
        need, hint = "be the address of a store", 'store = "demur.sqlite"'
        raise ParseError(where, "store", need, shown(store), hint)
    return GateFile(where, store, tuple(gates), _columns(where, config))


def _text(where: str) -> str:
    hint = "Name a file with gates, such as demur.toml."
    need = "be a file that can be read"
    if Path(where).exists() and not Path(where).is_file():
        got = "a folder, a device or a pipe"  # a pipe would wait for a writer
        raise InputError(where, "the file", need, got, hint)
    try:
        return small_file(where).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ParseError(where, "the file", "be UTF-8", str(problem)) from None
    except (OSError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        got = getattr(problem, "strerror", None) or str(problem)
        raise InputError(where, "the file", need, got, hint) from None


def _places(where: str, text: str, count: int) -> list[str]:
    """Where each gate stands: its line, if headings tell, else its number."""
    lines = text.splitlines()
    headed = [at for at, line in enumerate(lines, 1) if _HEADED.match(line)]
    if len(headed) == count:
        return [f"{where}:{at}" for at in headed]
    return [f"{where}: gate {number}" for number in range(1, count + 1)]


def _columns(where: str, config: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    columns = config.get("columns", {})
    if not isinstance(columns, dict) or not all(
        isinstance(named, dict) and all(isinstance(one, str) for one in named.values())
        for named in columns.values()
    ):
        need, got = "name files, and the columns of each as texts", shown(columns)
        raise ParseError(where, "columns", need, got)
    return {pattern: column_mapping(named) for pattern, named in columns.items()}


def _check_names(gates: list[GateConfig]) -> None:
    """Refuse two gates of one name, which no report could tell apart."""
    places: dict[str, str] = {}
    for gate in gates:
        if gate.name in places:
            need = f"differ from that of the gate at {places[gate.name]}"
            hint = 'Give one a name = "..." of its own.'
            raise ParseError(gate.where, "the name", need, shown(gate.name), hint)
        places[gate.name] = gate.where


@dataclass(frozen=True)
class _GateTable:
    """One table ``[[gate]]``, as TOML has it."""

    where: str
    table: Any

    def config(self) -> GateConfig:
        """The gate, checked."""
        if not isinstance(self.table, dict):
            need, got = "be a list of tables", shown(self.table)
            raise ParseError(self.where, "gate", need, got, _BEGIN)
        for name in self.table:
            choice(self.where, "a key", name, _KEYS)
        run, against, system = (
            self._text(name) for name in ("run", "against", "system")
        )
        if not run:
            need, hint = "name a file of outcomes, or kept:RUN", _BEGIN
            raise ParseError(self.where, "run", need, "none", hint)
        conditions = (*self._conditions("require"), *self._conditions("fail_if"))
        if not conditions:
            need = "have conditions under require or fail_if"
            raise ParseError(self.where, "the gate", need, "none", _SUCH_AS)
        ending = self._text("incomparable") or BROKEN
        choice(self.where, "incomparable", ending, [BROKEN, INCONCLUSIVE])
        items = self._text("items") or EQUAL
        choice(self.where, "items", items, [EQUAL, COMMON])
        return GateConfig(
            where=self.where,
            name=self._text("name") or _name(run, against, system),
            run=run,
            against=against,
            system=system,
            conditions=conditions,
            incomparable=ending,
            items=items,
            level=self._level(),
        )

    def _refuse(self, name: str, need: str, hint: str) -> NoReturn:
        raise ParseError(self.where, name, need, shown(self.table[name]), hint)

    def _text(self, name: str) -> str:
        value = self.table.get(name, "")
        if not isinstance(value, str) or (name in self.table and not value.strip()):
            self._refuse(name, "be a text with something in it", f'{name} = "..."')
        return value

    def _level(self) -> float:
        level = self.table.get("level", 0.95)
        is_number = isinstance(level, (int, float)) and not isinstance(level, bool)
        if not is_number or not 0.5 <= level < 1:
            self._refuse("level", "be from 0.5 to below 1", "level = 0.99")
        return float(level)

    def _conditions(self, name: str) -> Iterator[GateCondition]:
        """Those under a key, read and held against what there is."""
        texts = self.table.get(name, [])
        if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
            self._refuse(name, "be a list of texts", _SUCH_AS)
        if name in self.table and not texts:
            self._refuse(name, "hold a condition, or be left out", _SUCH_AS)
        for text in dict.fromkeys(texts):
            if texts.count(text) > 1:
                self._refuse(name, f"hold {shown(text)} once", "Leave one out.")
            yield self._condition(name, text)

    def _condition(self, name: str, text: str) -> GateCondition:
        where, required = f"{self.where}: {name}", name == "require"
        try:
            gate = _parsed(text)
            if required and isinstance(gate, Gate) and gate.sign:
                gate = gate.opposite()
            check_gate(gate, [*JudgedCurves.KINDS, *WHOLE_KINDS, claim_kind(AT)])
        except InputError as problem:
            hint = problem.hint.replace("a --fail-if of its own", "a text of its own")
            parts = problem.what, problem.must, problem.got, hint
            raise type(problem)(where, *parts) from None
        if isinstance(gate, WorseGate) and required != (gate.margin is not None):
            need, hint = "be a claim, such as not worse than main by 0.02", ""
            if not required:
                need = "say what must not be so"
                hint = "A claim that must be shown stands under require."
            raise ParseError(where, "a condition", need, shown(text), hint)
        return GateCondition(text, required, gate, self.where)


def _parsed(text: str) -> Gate | WorseGate:
    """A condition, in the grammar of gates; a claim may leave the run unnamed."""
    gate = parse_gate(f"{RUN} {text}" if _SUBJECTLESS.match(text) else text)
    gate = replace(gate, text=text)
    if isinstance(gate, WorseGate) and gate.at is None and gate.weight is None:
        return replace(gate, at=AT)
    return gate


def _name(run: str, against: str, system: str) -> str:
    """How a gate is called that has no name of its own."""
    whose = f"{system} of {run}" if system else run
    return f"{whose} against {against}" if against else whose
