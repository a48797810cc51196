"""``demur curve``: the error-return table and plot of one or many systems."""

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from demur.cli import shared
from demur.cli.shared import WrongUsage
from demur.curves.curve_kinds import CURVE_KINDS, OUTCOMES_KINDS
from demur.curves.of_outcomes import (
    BOUNDS_NOTE,
    Curves,
    counted_curves,
    items_in_common,
    named_curve,
)
from demur.errors import UndefinedRate
from demur.formats.reading import read_outcomes
from demur.outcomes.labelling import (
    LEFT_OPEN,
    OutOfReach,
    check_verdicts,
    lowest_in_reach,
)
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.table import Outcomes, grouped_parts, part_name
from demur.results import Bundle, Figure, FigureKind, Results, Table, plain_values
from demur.results.gates import Gate

if TYPE_CHECKING:
    from demur.calibration.calibrating import Calibrations
    from demur.curves.counted_outcomes import CountedOutcomes
    from demur.statistics.bands import Band
    from demur.statistics.correcting import CorrectedError
    from demur.statistics.intervals import Interval

PICTURES: Final = ("plot", "plot_split", "plot_contrast", "plot_calibration")

Named = Sequence[tuple[str, Outcomes]]
"""The outcomes of each curve, with its name."""


def run(arguments: Namespace) -> int:
    """Show the curves and what was asked beside them, and draw them."""
    _check_together(arguments)
    shared.check_asked(arguments, _kinds(arguments), arguments.outcomes, PICTURES)
    need_rows = [*NEED_ROWS, *shared.gates_of_rows(arguments)]
    counted = shared.counted(arguments, arguments.outcomes, need_rows)
    if counted is not None:
        return _run_counted(counted, arguments)
    outcomes = _outcomes_of(arguments)
    _check_corrected(arguments, outcomes)
    if _in_part(outcomes):
        _check_verdicts(arguments, outcomes)
    parts = grouped_parts(outcomes, groups=arguments.by)
    named = [(part_name(system, group), part) for system, group, part in parts]
    curves = Curves(
        (
            named_curve(part_name(system, group), part, group)
            for system, group, part in parts
        ),
        at=_rates(arguments),
        how=arguments.how,
        common=None if arguments.by else items_in_common(part for _, part in named),
        by_judge=arguments.gold is not None,
    )
    if arguments.fail_if:  # gates may need the outcomes
        from demur.decisions.judged_curves import JudgedCurves

        tables = [part for _, part in named]
        curves = JudgedCurves(curves, parts=tables, gold=arguments.gold, **vars(curves))
    shown = _Shown(curves, arguments.points)
    of_wholes = [getattr(arguments, name) for name in shared.OF_WHOLES]
    if (
        outcomes.part is not None
        or arguments.fail_if
        or any(value is not None for value in of_wholes)
    ):
        from demur.cli.wholes_shown import add_wholes

        add_wholes(shown, outcomes, arguments, _rates(arguments))
    _add_asked(shown, outcomes, named, arguments)
    if any(getattr(arguments, name) for name in PICTURES):
        from demur.cli.curve_pictures import draw_asked

        make = partial(_calibrations, outcomes, arguments)
        draw_asked(shown, named, make, arguments)
    return shared.finish(shown, arguments)


NEED_ROWS: Final = (
    *("log", "baseline", "fold", "gold", "contrast", *shared.OF_WHOLES),
    *("calibration", "target", "plot_contrast", "plot_calibration"),
)
"""What takes rows in memory."""


def _run_counted(outcomes: "CountedOutcomes", arguments: Namespace) -> int:
    """The same of outcomes that an engine counts."""
    at, how = _rates(arguments), arguments.how
    cutoffs = [cutoff for listed in arguments.cutoff or [] for cutoff in listed]
    gates = [gate.look_up for gate in arguments.fail_if if gate.look_up]
    look_ups = [
        *({"nonreturn": rate, "how": how} for rate in at),
        *({"cutoff": cutoff} for cutoff in cutoffs),
        *({name: value} for name, value in gates if name in ("nonreturn", "error")),
    ]
    listed = counted_curves(outcomes, arguments.by, look_ups)
    common = None if arguments.by else outcomes.common
    curves = Curves(listed, at=at, how=how, common=common)
    if arguments.fail_if:
        from demur.decisions.counted_certificates import CountedTests
        from demur.decisions.judged_curves import JudgedCurves

        counts = outcomes.counts(arguments.by)
        tests = [CountedTests(counts, part) for part in range(len(listed))]
        curves = JudgedCurves(curves, parts=tests, **vars(curves))
    shown = _Shown(curves, arguments.points)
    if arguments.cutoff or arguments.intervals or arguments.band:
        _add_counted(shown, outcomes.counts(arguments.by), arguments)
    if any(getattr(arguments, name) for name in PICTURES):
        from demur.cli.curve_pictures import draw_asked

        draw_asked(shown, [], None, arguments)
    return shared.finish(shown, arguments)


def _add_counted(shown: "_Shown", counts: Any, arguments: Namespace) -> None:
    """Intervals and bands of each part that an engine counts."""
    from demur.statistics.counted_samples import CountedEstimates
    from demur.statistics.intervals import Intervals

    estimates = CountedEstimates(counts, shown.curves, arguments.level)
    named: Any = [(curve.system, part) for part, curve in enumerate(shown.curves)]
    at = shown.curves.at
    if arguments.cutoff:
        from demur.decisions.cutoff_rows import CutoffRows, counted_rows

        verb = partial(counted_rows, counts)
        shown.add("cutoffs", _at_cutoffs(shown, named, arguments, verb), CutoffRows)
    if arguments.intervals:
        estimates.settle(at)
        made = estimates.interval
        values = [_intervals(shown, name, part, at, made) for name, part in named]
        shown.add("intervals", values, Intervals)
    if arguments.band:
        how = {"method": arguments.band, "seed": arguments.seed}
        shown.bands = _defined(shown, named, "band", partial(estimates.band, **how))
        shown.add("band", shown.bands)


def _rates(arguments: Namespace) -> list[float]:
    return [rate for rates in arguments.at or [[0.2]] for rate in rates]


class _Shown(Bundle):
    """The curves, and what was asked beside them, in JSON under each system."""

    def __init__(self, curves: Curves, points: str) -> None:
        super().__init__(curves)
        self.curves, self.points = curves, points
        self.bands: list[Band | None] = []
        self._by_system: dict[str, list[Any]] = {}
        self.missing: list[str] = []
        self.by_labels = False

    def add(
        self, key: str, values: Sequence[Any], kind: type[Results[Any]] | None = None
    ) -> None:
        """Add what there is for each system: a result, a list of some, or None.

        Parameters
        ----------
        key : str
            Of JSON.
        values : sequence
            As many as curves.
        kind : class, optional
            Of all of them together, if they are shown to people too.
        """
        self._by_system[key] = [plain_values(value) for value in values]
        lists = (value if isinstance(value, list) else [value] for value in values)
        listed = [value for values in lists for value in values if value is not None]
        if listed and kind is not None:
            self.further[key] = kind(listed)

    def sentence(self) -> str:
        """That of the curves, or of what the labels of a part say in their place."""
        if not self.by_labels:
            return super().sentence()
        return "\n".join(result.sentence() for result in self.further.values())

    def tables(self) -> Sequence[Table]:
        """Those of all; of the curves' bounds none where a part is labelled."""
        if not self.by_labels:
            return super().tables()
        further = self.further.values()
        return [table for result in further for table in result.tables()]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, and what there is not."""
        notes = super().notes
        if self.by_labels:
            of_bounds = (LEFT_OPEN, BOUNDS_NOTE)
            notes = tuple(
                note for note in notes if not any(text in note for text in of_bounds)
            )
        return (*notes, *self.missing)

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """Of the curves where they have such a figure."""
        if any(kind.covers(gate.name) for kind in self.curves.KINDS):
            return self.curves.figures_for(gate)
        return super().figures_for(gate)

    def to_dict(self) -> dict[str, Any]:
        """The systems, with what was asked of each."""
        plain = self.curves.to_dict(points=self.points)
        for key, values in self._by_system.items():
            for system, value in zip(plain["systems"], values, strict=True):
                system[key] = value
        return plain


# -- what was asked --------------------------------------------------------------------


def _kinds(arguments: Namespace) -> list[FigureKind]:
    """The figures that there will be."""
    kinds = [*CURVE_KINDS, *OUTCOMES_KINDS]
    if not arguments.fail_if:
        return kinds
    from demur.wholes.whole_points import WHOLE_KINDS

    kinds += WHOLE_KINDS
    if arguments.contrast:
        from demur.curves.contrasts import Contrast

        kinds += Contrast.KINDS
    if arguments.fold:
        from demur.curves.pooling import Pooled

        kinds += Pooled.KINDS
    if arguments.calibration or arguments.target:
        from demur.calibration.calibrating import Calibration

        kinds += Calibration.KINDS
    return kinds


def _check_together(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that show nothing without others."""
    if (arguments.baseline is None) != (arguments.markable is None):
        need, hint = "come together", "The one names what the other counts."
        got = "--markable" if arguments.baseline is None else "--baseline"
        what = "--baseline and --markable"
        raise WrongUsage("curve", what, need, f"only {got}", hint)
    if arguments.wrong_costs and not arguments.cutoff:
        need, got = "come with --cutoff", str(arguments.wrong_costs[0])
        hint = "demur choose --wrong-costs chooses the cutoff for a cost."
        raise WrongUsage("curve", "--wrong-costs", need, got, hint)
    if arguments.gold and arguments.band:
        need, hint = "come without --band", "Corrected errors have intervals anyway."
        raise WrongUsage("curve", "--gold", need, arguments.band, hint)
    if arguments.band and not (arguments.plot or arguments.json):
        need, hint = "come with --plot or --json", "A band is a picture, or numbers."
        raise WrongUsage("curve", "--band", need, arguments.band, hint)


def _in_part(outcomes: Outcomes) -> bool:
    """Whether answers are unlabelled; of most tables that is seen at once."""
    return "ungraded" in outcomes.outcome and labelled_in_part(outcomes)


def _check_corrected(arguments: Namespace, outcomes: Outcomes) -> None:
    """Raise `WrongUsage` for a gate on errors that nothing corrects."""
    for gate in arguments.fail_if:
        if getattr(gate, "name", "") == "corrected_error" and not (
            arguments.gold or _in_part(outcomes)
        ):
            need = "come with --gold COLUMN, people's verdicts on a part of the items"
            raise WrongUsage("curve", "a gate on a corrected error", need, gate.text)


_OF_VERDICTS: Final = (
    *("contrast", "calibration", "target", "intervals", "band", "fold", "cutoff"),
    *("page", "plot_contrast", "plot_calibration"),
)
"""What takes a verdict on every answer."""


def _check_verdicts(arguments: Namespace, outcomes: Outcomes) -> None:
    """Refuse what would take unlabelled answers for wrong ones."""
    for name in _OF_VERDICTS:
        if getattr(arguments, name):
            hint = "Without it, errors are those of the labelled answers."
            check_verdicts(f"curve {shared.option_name(name)}", hint, outcomes)
    for gate in arguments.fail_if:
        name = getattr(gate, "name", "")
        by_error = name == "nonreturn" and (gate.look_up or ("",))[0] == "error"
        if by_error or name in ("error", "missed", "area", "forced_choice_error"):
            hint = "Gates on corrected_error, as corrected_error@0.2, go by the labels."
            check_verdicts(f"curve --fail-if {gate.text!r}", hint, outcomes)


def _outcomes_of(arguments: Namespace) -> Outcomes:
    """The outcomes, and those of the majority value if that is asked for."""
    wanted = (arguments.fold, arguments.gold, arguments.markable)
    kept = [*arguments.by, *filter(None, wanted)]
    outcomes = read_outcomes(
        *arguments.outcomes,
        groups=list(dict.fromkeys(kept)),
        display=arguments.baseline is not None,
        **shared.how_counted(arguments),
    )
    if arguments.baseline is None:
        return outcomes
    from demur.difficulty.selective_baselines import BASELINES, selective_baseline
    from demur.outcomes.parts import stacked

    learned = arguments.baseline == BASELINES[1]
    majority = selective_baseline(outcomes, arguments.markable, learned=learned)
    return stacked([outcomes, majority])


def _add_asked(
    shown: _Shown, outcomes: Outcomes, named: Named, arguments: Namespace
) -> None:
    """Add what was asked beside the curves."""
    level, at = arguments.level, shown.curves.at
    if arguments.cutoff:
        from demur.decisions.cutoff_rows import CutoffRows

        rows = _at_cutoffs(shown, named, arguments, _rows_at)
        shown.add("cutoffs", rows, CutoffRows)
    if arguments.intervals:
        from demur.statistics.estimating import interval
        from demur.statistics.intervals import Intervals

        made = partial(interval, level=level)
        values = [_intervals(shown, name, part, at, made) for name, part in named]
        shown.add("intervals", values, Intervals)
    if arguments.band:
        from demur.statistics.estimating import band

        seed = arguments.seed
        banded = partial(band, method=arguments.band, level=level, seed=seed)
        shown.bands = _defined(shown, named, "band", banded)
        shown.add("band", shown.bands)
    if arguments.contrast:
        from demur.curves.contrasts import Contrasts, contrast

        shown.add("contrast", [contrast(curve) for curve in shown.curves], Contrasts)
    if arguments.gold or _in_part(outcomes):
        from demur.statistics.correcting import CorrectedErrors

        corrected = _corrected(shown, named, arguments.gold, level)
        shown.add("corrected", corrected, CorrectedErrors)
        shown.by_labels = arguments.gold is None and all(corrected)
    if arguments.calibration or arguments.target:
        calibrations = _calibrations(outcomes, arguments)
        shown.add("calibration", calibrations, type(calibrations))
    if arguments.fold:
        from demur.curves.pooling import PooledAreas, check_pooled

        make = partial(check_pooled, fold=arguments.fold)
        pooled = _defined(shown, named, "pooling", make)
        shown.add("pooled", pooled, PooledAreas)


def _defined(
    shown: _Shown, named: Named, what: str, verb: Callable[[Any], Any]
) -> list[Any]:
    """What a verb makes of each system's outcomes; None where that is not defined."""
    values: list[Any] = []
    for name, part in named:
        try:
            values.append(replace(verb(part), system=name))
        except UndefinedRate as problem:  # no confidences, or too few items or clusters
            whose = f" of {name}" if name else ""
            shown.missing.append(f"no {what}{whose}: {problem}")
            values.append(None)
    return values


def _rows_at(
    part: Outcomes, cutoffs: Sequence[float], costs: Sequence[float], level: float
) -> Any:
    from demur.decisions.cutoff_rows import at_cutoffs

    return at_cutoffs(part, cutoffs, wrong_costs=costs, level=level)


def _at_cutoffs(
    shown: _Shown, named: Named, arguments: Namespace, verb: Callable[..., Any]
) -> list[list[Any] | None]:
    """What each system does at the cutoffs; None for one without confidences."""
    asked = [cutoff for listed in arguments.cutoff for cutoff in listed]
    costs = arguments.wrong_costs or ()
    rows: list[list[Any] | None] = []
    for name, part in named:
        try:
            done = verb(part, asked, costs, arguments.level)
        except UndefinedRate as problem:
            of = f" of {name}" if name else ""
            shown.missing.append(f"nothing at cutoffs{of}: {problem}")
            rows.append(None)
        else:
            rows.append([replace(row, system=name) for row in done])
    return rows


def _intervals(
    shown: _Shown, name: str, part: Any, at: Sequence[float], verb: Callable[..., Any]
) -> "list[Interval | None]":
    """The errors at nonreturn rates and the area; None where there is no interval."""
    wanted: list[tuple[str, float | None]] = [("error", rate) for rate in at]
    intervals: list[Interval | None] = []
    for quantity, rate in [*wanted, ("area", None)]:
        what = quantity if rate is None else f"{quantity}@{rate:g}"
        make = partial(verb, quantity=quantity, at=rate)
        intervals += _defined(shown, [(name, part)], f"interval of {what}", make)
    group = next(curve.group for curve in shown.curves if curve.system == name)
    return [one and replace(one, group=group) for one in intervals]


def _corrected(
    shown: _Shown, named: Named, gold: str | None, level: float
) -> "list[list[CorrectedError]]":
    """Of each system the corrected error in forced choice, and at each rate.

    What could not be drawn to be labelled is named; the lowest cutoff that answers
    nothing of it stands in place of rates that do.
    """
    from demur.statistics.correcting import corrected_error

    corrected: list[list[CorrectedError]] = []
    for (name, part), curve in zip(named, shown.curves, strict=True):
        if gold is None and not _in_part(part):
            corrected.append([])  # its curve is that of all answers
            continue
        start = lowest_in_reach(part)
        finite = isfinite(start)  # else all could be drawn, or nothing
        asked: list[dict[str, float]] = [{"cutoff": start} if finite else {}]
        if curve.ladder is not None:
            rates = [rate for rate in shown.curves.at if curve.start < rate < 1]
            asked += [{"nonreturn": rate} for rate in rates]
        errors = []
        for where in asked:
            try:
                errors.append(corrected_error(part, gold, level=level, **where))
            except OutOfReach as problem:
                at = f"at nonreturn {where['nonreturn']:g}" if where else "forced"
                of = f"{name} " if name and len(named) > 1 else ""
                shown.missing.append(f"{of}{at}: {problem.why}")
        begins = [f"{error.nonreturn:.3f}" for error in errors[:2]]
        if finite and len(begins) > len(set(begins)):
            del errors[0]  # the first rate is where labels begin
        corrected.append([replace(error, system=name) for error in errors])
    return corrected


def _calibrations(outcomes: Outcomes, arguments: Namespace) -> "Calibrations":
    from demur.calibration.calibrating import calibration_by

    return calibration_by(
        outcomes,
        by=arguments.by,
        targets=[target for targets in arguments.target for target in targets],
        level=arguments.level,
        seed=arguments.seed,
    )
