"""The runs that gates name: files or kept runs, each read once, and what they are."""

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from demur.errors import InputError, masked, shown
from demur.formats.column_mappings import column_mapping
from demur.formats.reading import KEPT, read_outcomes
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.store.comparable import differences, is_judging_known
from demur.store.data_hashes import data_hash
from demur.store.gate_configs import GateConfig, GateFile
from demur.store.kept_runs import KeptRun
from demur.store.kept_tables import run_named
from demur.store.stores import Store

_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
_OF_A_FILE: Final = 0
_OF_A_FILE_AGAINST: Final = -1
"""Numbers of runs that no store has numbered, as `differences` takes them."""


@dataclass(frozen=True)
class GatedRun:
    """A run that a gate names.

    Parameters
    ----------
    name : str
        As the gate names it.
    origin : str
        The file, or the store and the number of the run.
    outcomes : Outcomes
        All of it.
    described : KeptRun
        As the store knows it; of a file, what it would know.
    """

    name: str
    origin: str
    outcomes: Outcomes
    described: KeptRun

    @property
    def kept(self) -> bool:
        """Whether a store holds it."""
        return self.described.number > 0

    @property
    def is_judging_known(self) -> bool:
        """Whether the recipe says how the verdicts came about."""
        return is_judging_known(self.described.recipe)

    def parts(self) -> dict[str, Outcomes]:
        """The outcomes of each system and setting, by name."""
        return {name.strip(): part for name, part in named_parts(self.outcomes)}

    def is_same(self, other: "GatedRun") -> bool:
        """Whether both are one kept run."""
        return self.kept and self.origin == other.origin

    def differs_from(self, baseline: "GatedRun") -> list[str]:
        """Why this run and a baseline cannot be compared; empty if they can."""
        if self.is_same(baseline):
            return [f"{baseline.name} is the run itself"]
        first, second = baseline.described, self.described
        if not baseline.kept:
            first = replace(first, number=_OF_A_FILE_AGAINST)
        unknown = [run for run in (self, baseline) if not run.is_judging_known]
        if len(unknown) == 1:
            name = self.name if unknown[0] is self else baseline.name
            hint = "demur keep --judged SIGNATURE tells, held as kept:RUN"
            first, second = replace(first, recipe={}), replace(second, recipe={})
            reasons = [
                f"how {name} was judged is not known, of the other it is ({hint})"
            ]
        else:
            reasons = []
        names = {_OF_A_FILE: "the run", _OF_A_FILE_AGAINST: baseline.name}

        def named(number: re.Match[str]) -> str:
            return names.get(int(number[1]), number[0])

        return reasons + [
            re.sub(r"\brun (-1|0)\b", named, reason)
            for reason in differences(first, second)
        ]


def _hint_of(problem: InputError, name: str) -> str:
    """What to do, without options that only commands on files have."""
    if "--max-size" in problem.hint:
        return "If it is meant: demur keep --max-size 20GB FILE, and run = kept:RUN."
    return re.sub(
        r"Type --columns '([^']*)'",
        lambda typed: f"Write at the top of demur.toml: {_as_toml(name, typed[1])}",
        problem.hint,
    )


def _as_toml(file: str, mapping: str) -> str:
    """A mapping of the columns of a file, as it is typed, in one line of TOML.

    Examples
    --------
    >>> _as_toml("a.csv", "item=id, correct=cases(grade, C=right)")
    'columns."a.csv" = {item = "id", correct = "cases(grade, C=right)"}'
    """
    named = column_mapping(mapping)
    pairs = ", ".join(f'{name} = "{form}"' for name, form in named.items())
    return f'columns."{file}" = {{{pairs}}}'


@dataclass
class GatedRuns:
    """Where the runs are that the gates of a file name.

    Parameters
    ----------
    gates : GateFile
        What names them.
    store : str or None
        The address of the store; else that of the file, else the variable DEMUR_STORE,
        else ``demur.sqlite`` beside the file.
    """

    gates: GateFile
    store: str | None = None
    _read: dict[tuple[str, str], GatedRun] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where the store is."""
        if self.store is not None:
            return self.store
        if self.gates.store is not None:
            return self._beside(self.gates.store)
        return os.environ.get("DEMUR_STORE") or self._beside("demur.sqlite")

    def _beside(self, name: str) -> str:
        """A path that starts from the folder of the file with the gates."""
        folder = Path(self.gates.path).parent
        return name if "://" in name else os.fspath(folder / name)

    @property
    def origins(self) -> dict[str, str]:
        """Where each run came from that was read, by how a gate names it."""
        return {run.name: run.origin for run in self._read.values()}

    @property
    def notes(self) -> list[str]:
        """Which kept runs the names stand for, and what is known of none."""
        runs = {run.name: run for run in self._read.values()}
        notes = [
            f"{name} is run {run.described.number} of "
            f"{run.described.when:%Y-%m-%d %H:%M} UTC"
            for name, run in runs.items()
            if run.kept
        ]
        unknown = [name for name, run in runs.items() if not run.is_judging_known]
        if len(unknown) > 1:
            notes.append(
                f"how {' and '.join(unknown)} were judged is not known, so that nobody "
                "sees whether by the same comparator"
            )
        return notes

    @property
    def of_files(self) -> list[GatedRun]:
        """The runs that were held and are kept nowhere yet."""
        return [
            run for (key, _), run in self._read.items() if key == "run" and not run.kept
        ]

    def places(self) -> list[str]:
        """The files that gates name, and the store."""
        listed = [(gate.run, gate.against) for gate in self.gates.gates]
        names = [name for pair in listed for name in pair if name]
        return [*(self._beside(name) for name in names), self.address]

    def is_file(self, config: GateConfig) -> bool:
        """Whether the run of a gate is a file, not one that is kept."""
        return KEPT.fullmatch(config.run) is None

    def run(self, config: GateConfig) -> GatedRun:
        """The run that a gate is about: a file, or ``kept:RUN``."""
        kept = not self.is_file(config)
        return self._taken(config, "run", config.run, kept=kept)

    def baseline(self, config: GateConfig) -> GatedRun:
        """The run that it is held against: a kept run, or a file."""
        name = config.against
        there = os.path.lexists(self._beside(name))
        kept = bool(KEPT.fullmatch(name)) or not there
        if there and not kept and self._is_tag(name):
            need = "be either a file or a kept run"
            hint = f"Write kept:{name}, or ./{name}."
            raise InputError(config.where, "against", need, f"{name}, both", hint)
        return self._taken(config, "against", name, kept=kept)

    def check_unmoved(self, store: Store, tags: Iterable[str]) -> None:
        """Refuse to put tags on where somebody else has kept a newer run with one.

        Raises
        ------
        InputError
            If a tag now means another run than the one that was held against.
        """
        held = {run.name: run.described.number for run in self._read.values()}
        for tag in tags:
            number = held.get(tag) or held.get(f"kept:{tag}")
            if number and store.run(tag).number != number:
                need = f"still be run {number}, which was held against"
                got, hint = f"run {store.run(tag).number}", "Hold the gates again."
                raise InputError(store.name, f"the run {tag}", need, got, hint)

    def _is_tag(self, name: str) -> bool:
        """Whether a run bears a name that is a file's too."""
        if Path(name).suffix or os.sep in name:
            return False
        try:
            with Store(self.address) as store:
                store.run(name)
        except InputError:
            return False
        return True

    def _taken(
        self, config: GateConfig, key: str, name: str, *, kept: bool
    ) -> GatedRun:
        if (key, name) not in self._read:
            try:
                run = self._of_store(name) if kept else self._of_file(name)
            except InputError as problem:
                parts = problem.what, problem.must, problem.got, _hint_of(problem, name)
                where = f"{config.where}: {key} = {shown(name)}: {problem.where}"
                raise InputError(where, *parts) from None
            self._read[key, name] = run
        return self._read[key, name]

    def _of_file(self, name: str) -> GatedRun:
        path = self._beside(name)
        folder = glob.escape(os.fspath(Path(self.gates.path).parent))
        columns = {
            os.path.relpath(Path(folder, pattern)): named
            for pattern, named in self.gates.columns.items()
        } or None
        outcomes = read_outcomes(path, groups=None, display=True, columns=columns)
        described = KeptRun(
            number=_OF_A_FILE,
            when=_NEVER,
            recipe=outcomes.recipe,
            data_hash=data_hash(outcomes),
        )
        return GatedRun(name, path, outcomes, described)

    def _of_store(self, name: str) -> GatedRun:
        address, named = self.address, KEPT.fullmatch(name)
        if named and named["store"]:
            address = self._beside(named["store"])
        with Store(address) as store:
            run = run_named(store, named["run"] if named else name)
            origin = f"{masked(store.name)}, run {run.number}"
            return GatedRun(name, origin, store.outcomes(run), run)
