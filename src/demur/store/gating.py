"""Gates of a file, held against runs: figures, and paired tests against a baseline."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from demur.checks import choice
from demur.comparisons.comparing import compare
from demur.comparisons.comparison_results import Comparison
from demur.curves.of_outcomes import named_curve
from demur.decisions.judged_curves import JudgedCurves
from demur.errors import InputError, UndefinedRate
from demur.outcomes.table import Outcomes
from demur.results.gates import NAMELESS, Gate, WorseGate
from demur.store.common_items import on_common_items
from demur.store.comparable import not_of_data
from demur.store.gate_configs import (
    BROKEN,
    COMMON,
    HOLDS,
    INCONCLUSIVE,
    RUN,
    GateCondition,
    GateConfig,
    GateFile,
    read_gates,
)
from demur.store.gate_reports import GateCheck, GateReport
from demur.store.gate_runs import GatedRun, GatedRuns
from demur.store.line_samples import has_curve
from demur.wholes.counting_wholes import whole_curve
from demur.wholes.numbering import check_parts
from demur.wholes.whole_curves import WholeCurves
from demur.wholes.whole_points import WHOLE_KINDS

_VERDICTS: Final = {"gate broken": BROKEN, "gate holds": HOLDS}


def hold_gates(
    gates: str | os.PathLike[str] | GateFile | GatedRuns, *, store: str | None = None
) -> GateReport:
    r"""Hold runs against the gates of a file.

    A gate on a figure takes its worse end where ungraded answers leave it open, and is
    broken where the figure is undefined. A claim against a baseline goes by the paired
    test of `compare`: ``worse than main`` breaks a gate if the test says so, in at most
    (1 - level) / 2 of runs that are as good; ``not worse than main by 0.02`` breaks it
    unless that is shown, and is shown of at most as many that are worse by 0.02. Where
    the data or the comparators of both differ, nothing is compared.

    Parameters
    ----------
    gates : path, GateFile or GatedRuns
        As `demur.read_gates` reads it, with the runs too.
    store : str, optional
        The address of the store; else that of the file, else the variable DEMUR_STORE,
        else ``demur.sqlite`` beside the file.

    Returns
    -------
    GateReport

    Raises
    ------
    InputError
        If a run or a system is not there.

    Examples
    --------
    >>> import demur, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "demur.toml")
    ...     _ = path.with_name("a.csv").write_text("item,correct\n1,1\n2,0\n")
    ...     _ = path.write_text('[[gate]]\nrun = "a.csv"\nfail_if = ["wrong > 0"]')
    ...     print(demur.hold_gates(path).checks[0].sentence())
    broken: fail_if wrong > 0: wrong is 1, must not be > 0.
    """
    if not isinstance(gates, GatedRuns):
        read = gates if isinstance(gates, GateFile) else read_gates(gates)
        gates = GatedRuns(read, store)
    configs = gates.gates.gates
    checks = [check for config in configs for check in _held(config, gates)]
    levels = dict.fromkeys(f"{config.level:g}" for config in configs)
    return GateReport(
        checks=tuple(checks),
        path=gates.gates.path,
        runs=gates.origins,
        notes=(*gates.notes, *_luck(checks, {one.name: one for one in configs})),
        recipe={"gates": f"{len(checks)}", "level": " + ".join(levels)},
    )


def _luck(checks: list[GateCheck], configs: Mapping[str, GateConfig]) -> Iterator[str]:
    """How often one of several tests breaks by luck alone."""
    risks = [
        (1 - configs[check.gate].level) / 2 for check in checks if check.may_be_luck
    ]
    if len(risks) > 1:
        yield (
            f"{len(risks)} tests look for what is worse: where nothing is, luck breaks "
            f"one at least in up to {100 * sum(risks):.3g} % of runs"
        )


class _GateEnding(NamedTuple):
    """How a condition ends, what was seen, and whether anything was compared."""

    verdict: str
    words: str
    compared: bool = True


def _held(config: GateConfig, runs: GatedRuns) -> Iterator[GateCheck]:
    """The conditions of a gate, for each system that it is about."""
    run = runs.run(config)
    claims = _Claims(config, run, runs.baseline(config) if config.against else None)
    systems = list(claims.parts)
    if config.system:
        choice(config.where, "system", config.system, systems)
        systems = [config.system]
    parts = [claims.parts[name] for name in systems]
    curves = JudgedCurves(
        (named_curve(*pair) for pair in zip(systems, parts, strict=True)), parts=parts
    )
    of_wholes = {kind.name for kind in WHOLE_KINDS}
    wholes: WholeCurves | None = None
    for condition in config.conditions:
        for system in _whose(condition, systems):
            gate = condition.gate
            if isinstance(gate, WorseGate):
                ending = claims.ending(condition, gate, system)
            elif gate.name in of_wholes:
                check_parts(f"{condition.where}: {condition.key}", claims.run.outcomes)
                wholes = wholes or WholeCurves(map(whole_curve, parts))
                ending = _of_figures(gate, wholes, system)
            else:
                ending = _of_figures(gate, curves, system)
            yield GateCheck(
                *(config.name, system, condition.text, condition.key, *ending)
            )


def _whose(condition: GateCondition, systems: list[str]) -> list[str]:
    """The systems that a condition is about."""
    gate = condition.gate
    named = gate.worse if isinstance(gate, WorseGate) else gate.system
    if named in (None, RUN):
        return systems
    called = {system or NAMELESS: system for system in systems}
    where = f"{condition.where}: {condition.key}"
    return [called[choice(where, "the system", named, called)]]


def _of_figures(
    gate: Gate, curves: JudgedCurves | WholeCurves, system: str
) -> _GateEnding:
    """How a condition on a figure ends; undefined, it is broken."""
    named = replace(gate, system=system or NAMELESS)
    try:
        figures = [
            replace(figure, of="") for figure in named.about(curves.figures_for(named))
        ]
        lines = replace(gate, system=None).broken_by(figures)
    except UndefinedRate as problem:
        return _GateEnding(BROKEN, str(problem).rstrip("."))
    if lines:
        return _GateEnding(BROKEN, "; ".join(lines))
    values = (
        " to ".join(f"{end:.6g}" for end in dict.fromkeys(figure.ends))
        for figure in figures
    )
    return _GateEnding(HOLDS, "; ".join(map(gate.stated, values)))


# -- claims: a run against another, by the paired test -------------------------------


@dataclass
class _Claims:
    """What the paired tests of one gate say; each pair is compared once."""

    config: GateConfig
    run: GatedRun
    baseline: GatedRun | None
    parts: dict[str, Outcomes] = field(init=False)
    _compared: dict[tuple[str, str], tuple[Comparison, str]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self.parts = self.run.parts()

    def ending(
        self, condition: GateCondition, gate: WorseGate, system: str
    ) -> _GateEnding:
        """How a claim ends for one system."""
        against = self._against(condition, gate, system)
        if isinstance(against, str):
            verdict = self.config.incomparable
            return _GateEnding(verdict, f"not compared: {against}", compared=False)
        worse = system if system not in ("", gate.better) else RUN
        both = _named(gate.better, against), _named(worse, self.parts[system])
        try:
            comparison, on_items = self._comparison(both, gate.at or 0.0)
            if comparison is None:
                words = f"not compared: {on_items}"
                return _GateEnding(self.config.incomparable, words, compared=False)
            verdict, words = comparison.claim(replace(gate, worse=worse))
        except (InputError, UndefinedRate) as problem:
            why = str(problem).rstrip(".") + _by_own_decisions(gate, both)
            return _GateEnding(BROKEN, f"cannot be tested: {why}")
        if verdict == "inconclusive":
            words += _why_open(comparison)
        words += f", {on_items}" if on_items else ""
        return _GateEnding(_VERDICTS.get(verdict, INCONCLUSIVE), words)

    def _comparison(
        self, both: tuple[Outcomes, Outcomes], at: float
    ) -> tuple[Comparison | None, str]:
        """Two systems compared, and on which items if not on all; None if on none."""
        first, second = names = both[0].systems[0], both[1].systems[0]
        if (first, second) not in self._compared:
            tables, on_items = [*both], ""
            if self.config.items == COMMON:
                tables, on_items = on_common_items(both, names)
            if not tables:
                return None, on_items
            compared = compare(*tables, at=at, level=self.config.level)
            self._compared[first, second] = compared, on_items
        return self._compared[first, second]

    def _against(
        self, condition: GateCondition, gate: WorseGate, system: str
    ) -> Outcomes | str:
        """What a system is held against; or why it cannot be."""
        name = gate.better
        if self.baseline is not None and name == self.config.against:
            reasons = self.run.differs_from(self.baseline)
            left = not_of_data(reasons)
            if self.config.items == COMMON and not self.run.is_same(self.baseline):
                reasons = left
            elif reasons and not left:
                reasons.append('items = "common" compares on the items that both have')
            return "; ".join(reasons) or _same_system(self.baseline, self.parts, system)
        known = [*filter(None, [self.config.against]), *self.parts]
        where = f"{condition.where}: {condition.key}"
        choice(where, "what it is held against", name, known)
        if name == system:
            need = "be another system, or what against names"
            raise InputError(where, "what it is held against", need, name)
        return self.parts[name]


def _same_system(
    baseline: GatedRun, parts: Mapping[str, Outcomes], system: str
) -> Outcomes | str:
    """The system of a baseline that bears the name; or the only one, of one."""
    theirs = baseline.parts()
    if system in theirs:
        return theirs[system]
    if len(theirs) == len(parts) == 1:
        return next(iter(theirs.values()))
    listed = ", ".join(name or NAMELESS for name in theirs)
    return f"{baseline.name} has no system {system or NAMELESS} (it has {listed})"


def _named(name: str, part: Outcomes) -> Outcomes:
    """One system under another name."""
    return replace(part, system=np.full(len(part), name, object), setting=None)


def _by_own_decisions(gate: WorseGate, both: tuple[Outcomes, Outcomes]) -> str:
    """Which test there is where a system has no curve; "" where both have one."""
    if gate.weight is not None or all(map(has_curve, both)):
        return ""
    claim = gate.text.partition("@")[0].strip()
    return (
        f"; a system without confidences has no error at a rate, but its own "
        f'decisions can be tested: "{claim} @weight 2", where a wrong answer costs '
        f"twice as much as none"
    )


def _why_open(comparison: Comparison) -> str:
    if comparison.difference is not None and comparison.difference.value == 0:
        return ": no difference"
    unknown = ", or what is not graded," if comparison.bounds.get("error") else ""
    return f": luck{unknown} can explain it"
