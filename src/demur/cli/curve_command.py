"""``demur curve``: the error-return table and plot of one or many systems."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demur import formats, plots
from demur.bands import Band
from demur.cli import tables
from demur.cli.interval_tables import Named, bands_of, intervals_of, intervals_table
from demur.cli.shared import as_json, check_gates, conditions, say, show
from demur.curves import Curve
from demur.errors import UndefinedRate, printable
from demur.outcomes import Outcomes
from demur.rates import Point
from demur.verbs import named_curve, named_parts
from demur.version import __version__

if TYPE_CHECKING:
    from demur.calibrating import Calibration
    from demur.pooling import Pooled


def run(arguments: Namespace) -> int:
    """Print the table or JSON of all curves, and draw them."""
    further = [*arguments.by, *([arguments.fold] if arguments.fold else [])]
    outcomes = formats.read_outcomes(
        *arguments.outcomes, where=conditions(arguments), groups=further
    )
    parts = named_parts(outcomes, groups=arguments.by)
    curves = [named_curve(*each) for each in parts]
    bands = bands_of(parts, arguments)
    at = [wanted for group in arguments.at or [[0.2]] for wanted in group]
    points = [
        [_look_up(curve, wanted, arguments.how) for wanted in at] for curve in curves
    ]
    pooled = _pooled(parts, arguments)
    calibrations = _calibrations(outcomes, arguments)
    listed = calibrations if arguments.calibration or arguments.target else []
    if arguments.json:
        shown = _curves(curves, points, at, arguments)
        _add_estimates(shown["systems"], parts, bands, arguments, at)
        for system, each in zip(shown["systems"], listed, strict=False):
            system["calibration"] = each.to_dict()
        for system, (_, found) in zip(shown["systems"], pooled, strict=False):
            system["pooled"] = found and found.to_dict()
        show(as_json(shown))
    else:
        show(tables.curves_table(curves, points, at) + "\n")
        show(tables.remarks(curves, arguments.how))
        if arguments.intervals:
            show("\n" + intervals_table(parts, at, arguments.level))
        if listed:
            from demur.cli import calibration_tables

            show("\n" + calibration_tables.report(listed))
        if pooled:
            show("\n" + _pooled_table(pooled))
    _draw(curves, at, bands, arguments)
    _draw_calibration(calibrations, at, arguments)
    return check_gates(arguments.fail_if, curves, [part for _, part in parts])


def _calibrations(outcomes: Outcomes, arguments: Namespace) -> "list[Calibration]":
    """The calibration of each curve, if any option asks for it."""
    targets = [target for group in arguments.target for target in group]
    if not (arguments.calibration or targets or arguments.plot_calibration):
        return []
    recipe: Any = {"level": arguments.level, "seed": arguments.seed}
    from demur.calibrating import calibration_by

    return calibration_by(outcomes, groups=arguments.by, targets=targets, **recipe)


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
    from demur.pooling import check_pooled

    found: list[tuple[str, Pooled | None]] = []
    for name, part in parts:
        try:
            found.append((name, check_pooled(part, fold=arguments.fold)))
        except UndefinedRate:
            found.append((name, None))
    return found


def _pooled_table(pooled: "Sequence[tuple[str, Pooled | None]]") -> str:
    header = ["system", "folds", "area pooled", "average", "ranked", "excess", "p"]
    rows = []
    for name, found in pooled:
        values = [tables.NONE] * 6
        if found is not None:
            areas = found.area, found.area_average, found.area_ranked, found.excess
            values = [str(found.folds), *(f"{area:.4f}" for area in areas)]
            values.append(f"{found.p_value:.3g}")
        rows.append([name or tables.NONE, *values])
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
    return tables.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))


def _draw(
    curves: Sequence[Curve],
    at: Sequence[float],
    bands: Sequence[Band | None],
    arguments: Namespace,
) -> None:
    if not (arguments.plot or arguments.plot_split):
        return
    if arguments.plot:
        how = "linear" if arguments.how == "linear" else "step"
        marks = at if arguments.at else ()
        axes = plots.plot_curves(
            curves, how=how, region=arguments.region, at=marks, bands=bands
        )
        plots.save(axes, arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.plot_split:
        plots.save(plots.plot_split(curves), arguments.plot_split)
        say(f"wrote {arguments.plot_split}")


def _draw_calibration(
    calibrations: "Sequence[Calibration]", at: Sequence[float], arguments: Namespace
) -> None:
    if not arguments.plot_calibration:
        return
    from demur import calibration_plots

    axes = calibration_plots.plot_calibration(
        calibrations,
        how="linear" if arguments.how == "linear" else "step",
        region=arguments.region,
        at=at if arguments.at else (),
    )
    plots.save(axes, arguments.plot_calibration)
    say(f"wrote {arguments.plot_calibration}")
