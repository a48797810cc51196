"""``demur curve``: the error-return table and plot of one or many systems."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from demur import formats, plots
from demur.cli import tables
from demur.cli.shared import as_json, check_gates, conditions, say, show
from demur.curves import Curve
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
    if arguments.json:
        show(as_json(_curves(curves, points, at, arguments)))
    else:
        show(tables.curves_table(curves, points, at) + "\n")
        show(tables.remarks(curves, arguments.how))
    _draw(curves, at, arguments)
    return check_gates(arguments.fail_if, curves)


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
