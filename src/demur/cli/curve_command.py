"""``demur curve``: the error-return table and plot of one or many systems."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur import calibration_plots, formats, plots
from demur.calibrating import Calibration, calibration_by
from demur.cli import calibration_tables, tables
from demur.cli.shared import as_json, check_gates, conditions, say, show
from demur.curves import Curve
from demur.outcomes import Outcomes
from demur.rates import Point
from demur.verbs import curve_by
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Print the table or JSON of all curves, and draw them."""
    outcomes = formats.read_outcomes(
        *arguments.outcomes, where=conditions(arguments), groups=arguments.by
    )
    curves = curve_by(outcomes, groups=arguments.by)
    at = [wanted for group in arguments.at or [[0.2]] for wanted in group]
    points = [
        [_look_up(curve, wanted, arguments.how) for wanted in at] for curve in curves
    ]
    calibrations = _calibrations(outcomes, arguments)
    listed = calibrations if arguments.calibration or arguments.target else []
    if arguments.json:
        table = _curves(curves, points, at, arguments)
        for system, each in zip(table["systems"], listed, strict=False):
            system["calibration"] = each.to_dict()
        show(as_json(table))
    else:
        show(tables.curves_table(curves, points, at) + "\n")
        show(tables.remarks(curves, arguments.how))
        if listed:
            show("\n" + calibration_tables.report(listed))
    _draw(curves, at, arguments)
    _draw_calibration(calibrations, at, arguments)
    return check_gates(arguments.fail_if, curves)


def _calibrations(outcomes: Outcomes, arguments: Namespace) -> list[Calibration]:
    """The calibration of each curve, if any option asks for it."""
    targets = [target for group in arguments.target for target in group]
    if not (arguments.calibration or targets or arguments.plot_calibration):
        return []
    return calibration_by(outcomes, groups=arguments.by, targets=targets)


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


def _draw(curves: Sequence[Curve], at: Sequence[float], arguments: Namespace) -> None:
    if not (arguments.plot or arguments.plot_split):
        return
    if arguments.plot:
        how = "linear" if arguments.how == "linear" else "step"
        marks = at if arguments.at else ()
        axes = plots.plot_curves(curves, how=how, region=arguments.region, at=marks)
        plots.save(axes, arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.plot_split:
        plots.save(plots.plot_split(curves), arguments.plot_split)
        say(f"wrote {arguments.plot_split}")


def _draw_calibration(
    calibrations: Sequence[Calibration], at: Sequence[float], arguments: Namespace
) -> None:
    if not arguments.plot_calibration:
        return
    axes = calibration_plots.plot_calibration(
        calibrations,
        how="linear" if arguments.how == "linear" else "step",
        region=arguments.region,
        at=at if arguments.at else (),
    )
    plots.save(axes, arguments.plot_calibration)
    say(f"wrote {arguments.plot_calibration}")
