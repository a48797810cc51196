"""``demur curve``: the error-return table and plot of one or many systems."""

import argparse
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from demur import formats, results
from demur.calibration.calibrating import calibrations_table
from demur.cli import shared
from demur.cli.shared import check_gates, how_read
from demur.cli.streams import as_json, say, show
from demur.cli.usage import WrongUsage, check_outputs
from demur.curves import rates
from demur.curves.contrasts import contrast, contrasts_table
from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.curves.rates import Point
from demur.errors import UndefinedRate
from demur.formats.reading import READABLE
from demur.outcomes.fields import columns
from demur.outcomes.parts import named_parts, stacked
from demur.outcomes.table import Outcomes
from demur.plots.curves import plot_curves, plot_split
from demur.plots.group_panels import plot_groups
from demur.plots.pens import save_picture
from demur.results import printable
from demur.statistics.bands import Band
from demur.statistics.correcting import (
    CorrectedError,
    corrected_error,
    corrected_table,
)
from demur.statistics.estimating import band, interval
from demur.statistics.intervals import Interval
from demur.version import __version__

if TYPE_CHECKING:
    from demur.calibration.calibrating import Calibration
    from demur.curves.pooling import Pooled

Named = Sequence[tuple[str, Outcomes]]


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur curve``."""
    command.description = "Errors against non-returns over every cutoff, per system."
    command.add_argument(
        "outcomes",
        nargs="+",
        metavar="OUTCOMES",
        help=f"files of outcomes ({READABLE}, compressed too; - is standard input); "
        f"columns: {', '.join(columns())}",
    )
    command.add_argument(
        "--at",
        action="append",
        type=shared.rates,
        metavar="NONRETURN",
        help="show the error at this nonreturn rate, from 0 to 1; several with commas; "
        "may be repeated (default: 0.2)",
    )
    command.add_argument(
        "--how",
        default="linear",
        choices=["linear", "at_most", "at_least"],
        help="reading between cutoffs: answer a tied block at random in part, or use "
        "the nearest single cutoff (default: %(default)s)",
    )
    command.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="GROUP",
        help="a curve for each value of this column; may be repeated",
    )
    command.add_argument(
        "--baseline",
        choices=["majority", "majority-learned"],
        help="with --markable: also the curve of each markable's most frequent "
        "reference, of these items or learned on others, which a system has to beat",
    )
    command.add_argument(
        "--markable",
        metavar="COLUMN",
        help="with --baseline: the column with what is decided, such as the word",
    )
    shared.add_selection(command, "outcomes")
    _estimates_options(command)
    _pictures_options(command)
    _contrast_options(command)
    _calibration_options(command)
    command.add_argument(
        "--points",
        default="all",
        choices=["all", "corners", "none"],
        help="which vertices --json lists (default: %(default)s)",
    )
    shared.add_gates(command)


def _estimates_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--fold",
        metavar="COLUMN",
        help="the column that says which of several separately fitted models has "
        "answered: what pooling their confidences costs, and the areas without",
    )
    command.add_argument(
        "--intervals",
        action="store_true",
        help="standard errors and intervals of the errors at --at and of the area",
    )
    command.add_argument(
        "--gold",
        metavar="COLUMN",
        help="the column with people's verdicts on a part of the items, drawn at "
        "random: errors corrected for a noisy judge, in forced choice and at --at; "
        "--plot draws them at every cutoff",
    )
    command.add_argument(
        "--band",
        choices=["sup-t", "dkw", "influence", "bootstrap"],
        help="a band in --plot and --json; the first two hold at all nonreturn rates "
        "together, the others at any one",
    )
    shared.add_level(command, "of intervals and bands")
    shared.add_seed(command, "of bands")


def _pictures_options(command: argparse.ArgumentParser) -> None:
    shared.add_picture(command, "draw the curves")
    what = "draw what becomes of the inputs at each cutoff"
    shared.add_picture(command, what, "--plot-split")
    shared.add_region(command)


def _contrast_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--contrast",
        action="store_true",
        help="what others print of the same counts: areas under ROC and risk-coverage "
        "curves, the F of SimpleQA and QALD-1",
    )
    what = "draw ROC, DET, precision-recall, risk-coverage and F beside the curves"
    shared.add_picture(command, what, "--plot-contrast")


def _calibration_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--calibration",
        action="store_true",
        help="the Brier score of stated confidences in three parts, with intervals",
    )
    command.add_argument(
        "--target",
        action="append",
        default=[],
        type=shared.rates,
        metavar="T",
        help="the same, and what it costs to trust confidences where a guess is worth "
        "giving from this chance of being right on; several with commas; may be "
        "repeated",
    )
    what = "draw the reliability diagram beside the curves"
    shared.add_picture(command, what, "--plot-calibration")


def run(arguments: Namespace) -> int:
    """Print the table or JSON of all curves, and draw them."""
    pictures = ("plot", "plot_split", "plot_contrast", "plot_calibration")
    places = {
        f"--{name.replace('_', '-')}": getattr(arguments, name) for name in pictures
    }
    check_outputs("curve", places, arguments.outcomes)
    _check_together(arguments)
    outcomes = _read(arguments)
    parts = named_parts(outcomes, groups=arguments.by)
    curves = [named_curve(*each) for each in parts]
    bands = bands_of(parts, arguments)
    at = [wanted for group in arguments.at or [[0.2]] for wanted in group]
    points = [
        [_look_up(curve, wanted, arguments.how) for wanted in at] for curve in curves
    ]
    pooled = _pooled(parts, arguments)
    calibrations = _calibrations(outcomes, arguments)
    contrasts = [contrast(curve) for curve in curves] if arguments.contrast else []
    corrected = _corrected(parts, curves, at, arguments)
    listed = calibrations if arguments.calibration or arguments.target else []
    if arguments.json:
        shown = _curves(curves, points, at, arguments)
        _add_estimates(shown["systems"], parts, bands, arguments, at)
        further: dict[str, list[Any]] = {
            "calibration": [each.to_dict() for each in listed],
            "contrast": [each.to_dict() for each in contrasts],
            "corrected": [[each.to_dict() for each in own] for own in corrected],
            "pooled": [pool and pool.to_dict() for _, pool in pooled],
        }
        for name, values in further.items():
            for system, value in zip(shown["systems"], values, strict=False):
                system[name] = value
        show(as_json(shown))
    else:
        show(rates.curves_table(curves, points, at) + "\n")
        show(rates.curve_remarks(curves, arguments.how))
        tables = [
            arguments.intervals and intervals_table(parts, at, arguments.level),
            contrasts and contrasts_table(contrasts),
            corrected and corrected_table([each for own in corrected for each in own]),
            listed and calibrations_table(listed),
            pooled and _pooled_table(pooled),
        ]
        for text in filter(None, tables):
            show(f"\n{text}")
    if arguments.gold and arguments.plot:
        _draw_corrected(parts, arguments)
    else:
        _draw(curves, at, bands, arguments)
    _draw_contrasts(curves, arguments)
    _draw_calibration(calibrations, at, arguments)
    judged = [part for _, part in parts]
    return check_gates(arguments.fail_if, curves, judged, arguments.gold)


def _read(arguments: Namespace) -> Outcomes:
    """The outcomes, and those of the majority value if that is asked for."""
    wanted = (arguments.fold, arguments.gold, arguments.markable)
    kept = [*arguments.by, *filter(None, wanted)]
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        groups=list(dict.fromkeys(kept)),
        display=arguments.baseline is not None,
        **how_read(arguments),
    )
    if arguments.baseline is None:
        return outcomes
    from demur.difficulty.selective_baselines import BASELINES, selective_baseline

    learned = arguments.baseline == BASELINES[1]
    majority = selective_baseline(outcomes, arguments.markable, learned=learned)
    return stacked([outcomes, majority])


def _corrected(
    parts: Named, curves: Sequence[Curve], at: Sequence[float], arguments: Namespace
) -> list[list[CorrectedError]]:
    """Of each system the corrected error in forced choice, and at each rate."""
    if not arguments.gold:
        return []
    gold, level = arguments.gold, arguments.level
    found = []
    for (_, part), curve in zip(parts, curves, strict=True):
        own = [corrected_error(part, gold, level=level)]
        if curve.ladder is not None:
            rates = [rate for rate in at if rate > curve.start]
            own += [
                corrected_error(part, gold, nonreturn=rate, level=level)
                for rate in rates
                if rate < 1
            ]
        found.append(own)
    return found


def _check_together(arguments: Namespace) -> None:
    """Raise `WrongUsage` for options that show nothing without others."""
    if (arguments.baseline is None) != (arguments.markable is None):
        must, hint = "come together", "The one names what the other counts."
        got = "--markable" if arguments.baseline is None else "--baseline"
        what = "--baseline and --markable"
        raise WrongUsage("curve", what, must, f"only {got}", hint)
    if arguments.gold and arguments.band:
        must, hint = "come without --band", "Corrected errors have intervals anyway."
        raise WrongUsage("curve", "--gold", must, arguments.band, hint)
    if arguments.band and not (arguments.plot or arguments.json):
        must, hint = "come with --plot or --json", "A band is a picture, or numbers."
        raise WrongUsage("curve", "--band", must, arguments.band, hint)


def intervals_of(
    part: Outcomes, at: Sequence[float], level: float
) -> list[tuple[str, Interval | None]]:
    """The errors at nonreturn rates and the area; None where there is no interval."""
    wanted = [("error", rate) for rate in at] + [("area", None)]
    intervals: list[tuple[str, Interval | None]] = []
    for quantity, rate in wanted:
        name = quantity if rate is None else f"{quantity}@{rate:g}"
        try:
            intervals.append((name, interval(part, quantity, rate, level=level)))
        except UndefinedRate:
            intervals.append((name, None))
    return intervals


def intervals_table(parts: Named, at: Sequence[float], level: float) -> str:
    """One row for each system and number."""
    rows = []
    for system, part in parts:
        for name, found in intervals_of(part, at, level):
            values = [results.NONE] * 4
            if found is not None:
                ends = found.value, found.low, found.high, found.standard_error
                values = [f"{value:.4f}" for value in ends]
            rows.append([system or results.NONE, name, *values])
    header = ["system", "number", "value", "from", "to", "standard error"]
    lines = [
        f"intervals at {level:g}, each by itself: Wilson's for errors, t for areas, "
        "from influence values; ungraded answers count as errors; "
        f"{results.NONE}: no curve there, fewer than five items or clusters, or one "
        "with nearly all of the weight.",
        units(parts),
    ]
    return results.table(header, rows) + "\n\n" + "\n".join(filter(None, lines))


def units(parts: Named) -> str:
    """What was taken as independent, if not the items."""
    if any(part.cluster is not None for _, part in parts):
        return "independent units: clusters."
    if any(part.repeat is not None for _, part in parts):
        return "independent units: items (their repeats belong together)."
    return ""


def bands_of(parts: Named, arguments: Namespace) -> list[Band | None]:
    """A band for each curve, if asked for; None for a system without a curve."""
    if arguments.band is None:
        return []
    bands: list[Band | None] = []
    for _, part in parts:
        try:
            bands.append(
                band(
                    part,
                    method=arguments.band,
                    level=arguments.level,
                    seed=arguments.seed,
                )
            )
        except UndefinedRate:  # no confidences, or too few items or clusters
            bands.append(None)
    return bands


def _calibrations(outcomes: Outcomes, arguments: Namespace) -> "list[Calibration]":
    targets = [target for group in arguments.target for target in group]
    if not (arguments.calibration or targets or arguments.plot_calibration):
        return []
    from demur.calibration.calibrating import calibration_by

    return calibration_by(
        outcomes,
        groups=arguments.by,
        targets=targets,
        level=arguments.level,
        seed=arguments.seed,
    )


def _look_up(curve: Curve, wanted: float, how: str) -> Point | None:
    """The point at a nonreturn rate; None for a system without a curve."""
    return None if curve.ladder is None else curve.at(nonreturn=wanted, how=how)


def _curves(
    curves: Sequence[Curve],
    points: Sequence[Sequence[Point | None]],
    at: Sequence[float],
    arguments: Namespace,
) -> dict[str, Any]:
    listed = []
    for curve, found in zip(curves, points, strict=True):
        shown = curve.to_dict(points=arguments.points)
        unknown = dict.fromkeys(("error", "cutoff", "between", "bounds"))
        shown["at"] = [
            {"wanted": wanted}
            | (
                {"nonreturn": wanted, "how": arguments.how, **unknown}
                if point is None
                else point.to_dict()
            )
            for wanted, point in zip(at, found, strict=True)
        ]
        listed.append(shown)
    return {"demur": __version__, "systems": listed}


def _add_estimates(
    systems: Sequence[dict[str, Any]],
    parts: Named,
    bands: Sequence[Band | None],
    arguments: Namespace,
    at: Sequence[float],
) -> None:
    """Add intervals and bands to the systems' numbers, if asked for."""
    for shown, (_, part) in zip(systems, parts, strict=True):
        if arguments.intervals:
            shown["intervals"] = [
                None if found is None else found.to_dict()
                for _, found in intervals_of(part, at, arguments.level)
            ]
    for shown, each in zip(systems, bands, strict=False):
        shown["band"] = None if each is None else each.to_dict()


def _pooled(parts: Named, arguments: Namespace) -> "list[tuple[str, Pooled | None]]":
    """What pooling the folds costs each system; None without a curve."""
    if arguments.fold is None:
        return []
    from demur.curves.pooling import check_pooled

    pooled: list[tuple[str, Pooled | None]] = []
    for name, part in parts:
        try:
            pooled.append((name, check_pooled(part, fold=arguments.fold)))
        except UndefinedRate:
            pooled.append((name, None))
    return pooled


def _pooled_table(pooled: "Sequence[tuple[str, Pooled | None]]") -> str:
    header = ["system", "folds", "area pooled", "average", "ranked", "excess", "p"]
    rows = []
    for name, found in pooled:
        values = [results.NONE] * 6
        if found is not None:
            areas = found.area, found.area_average, found.area_ranked, found.excess
            values = [str(found.folds), *(f"{area:.4f}" for area in areas)]
            values.append(f"{found.p_value:.3g}")
        rows.append([name or results.NONE, *values])
    lines = [
        "pooled: one curve of all folds' confidences; average: of the folds' own "
        "curves; ranked: confidences replaced by their ranks within the fold; excess: "
        "of the pooled area, beyond that of random folds, with its p value.",
        *dict.fromkeys(
            f"warning: {name}: {found.warning}"
            for name, found in pooled
            if found is not None and found.warning
        ),
    ]
    return results.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))


def _draw_corrected(parts: Named, arguments: Namespace) -> None:
    """The picture of ``--plot`` with ``--gold``: systems with confidences."""
    from demur.plots.corrected_curves import plot_corrected_curves
    from demur.statistics.correcting_curves import corrected_curve

    found = [
        replace(corrected_curve(part, arguments.gold, level=arguments.level), system=n)
        for n, part in parts
        if part.confidence is not None
    ]
    if not found:
        raise UndefinedRate("--plot with --gold: no system gives confidences.")
    save_picture(plot_corrected_curves(found), arguments.plot)
    say(f"wrote {arguments.plot}")


def _draw(
    curves: Sequence[Curve],
    at: Sequence[float],
    bands: Sequence[Band | None],
    arguments: Namespace,
) -> None:
    if arguments.plot:
        how = "linear" if arguments.how == "linear" else "step"
        marks = at if arguments.at else ()
        marked: Any = {"how": how, "region": arguments.region, "at": marks}
        groups = _groups(curves) if arguments.by and not any(bands) else {}
        if len(groups) > FEW_GROUPS:
            save_picture(plot_groups(groups, **marked), arguments.plot)
        else:
            save_picture(plot_curves(curves, bands=bands, **marked), arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.plot_split:
        save_picture(plot_split(curves), arguments.plot_split)
        say(f"wrote {arguments.plot_split}")


def _draw_contrasts(curves: Sequence[Curve], arguments: Namespace) -> None:
    if not arguments.plot_contrast:
        return
    from demur.plots.contrasts import plot_contrasts

    panels = plot_contrasts([contrast(curve) for curve in curves])
    save_picture(panels, arguments.plot_contrast)
    say(f"wrote {arguments.plot_contrast}")


FEW_GROUPS = 3
"""Of so many groups the curves are in one picture; of more each has a panel."""


def _groups(curves: Sequence[Curve]) -> dict[str, dict[str, Curve]]:
    """Curves by the group that stands behind the system in their names."""
    groups: dict[str, dict[str, Curve]] = {}
    for curve in curves:
        system, _, group = curve.system.rpartition(", ")
        groups.setdefault(group, {})[system] = curve
    return groups


def _draw_calibration(
    calibrations: "Sequence[Calibration]", at: Sequence[float], arguments: Namespace
) -> None:
    if not arguments.plot_calibration:
        return
    from demur.plots.calibration import plot_calibration

    axes = plot_calibration(
        calibrations,
        how="linear" if arguments.how == "linear" else "step",
        region=arguments.region,
        at=at if arguments.at else (),
    )
    save_picture(axes, arguments.plot_calibration)
    say(f"wrote {arguments.plot_calibration}")
