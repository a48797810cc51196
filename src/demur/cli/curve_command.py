"""``demur curve``: the error-return table and plot of one or many systems."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demur import formats
from demur.calibration.brier import PARTS, BrierSplit
from demur.calibration.reliability import Trust
from demur.cli import tables
from demur.cli.shared import as_json, check_gates, conditions, say, show
from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.curves.rates import Point
from demur.errors import InputError, UndefinedRate, printable
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes
from demur.plots.curves import plot_curves, plot_split
from demur.plots.pens import save_picture
from demur.statistics.bands import Band
from demur.statistics.estimating import band, interval
from demur.statistics.intervals import Interval
from demur.version import __version__

if TYPE_CHECKING:
    from demur.calibration.calibrating import Calibration
    from demur.curves.pooling import Pooled

Named = Sequence[tuple[str, Outcomes]]


def intervals_of(
    part: Outcomes, at: Sequence[float], level: float
) -> list[tuple[str, Interval | None]]:
    """The errors at nonreturn rates and the area; None where there is no interval."""
    wanted = [("error", rate) for rate in at] + [("area", None)]
    found: list[tuple[str, Interval | None]] = []
    for quantity, rate in wanted:
        name = quantity if rate is None else f"{quantity}@{rate:g}"
        try:
            found.append((name, interval(part, quantity, rate, level=level)))
        except UndefinedRate:
            found.append((name, None))
    return found


def intervals_table(parts: Named, at: Sequence[float], level: float) -> str:
    """One row for each system and number."""
    rows = []
    for system, part in parts:
        for name, found in intervals_of(part, at, level):
            values = [tables.NONE] * 4
            if found is not None:
                ends = found.value, found.low, found.high, found.standard_error
                values = [f"{value:.4f}" for value in ends]
            rows.append([system or tables.NONE, name, *values])
    header = ["system", "number", "value", "from", "to", "standard error"]
    lines = [
        f"intervals at {level:g}, each by itself: Wilson's for errors, t for areas, "
        "from influence values; ungraded answers count as errors; "
        f"{tables.NONE}: no curve there, or one item or cluster only.",
        units(parts),
    ]
    return tables.table(header, rows) + "\n\n" + "\n".join(filter(None, lines))


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
    if not (arguments.plot or arguments.json):
        must, hint = (
            "come with --plot or --json",
            "A band is a picture or many numbers.",
        )
        raise InputError("curve", "--band", must, arguments.band, hint)
    found: list[Band | None] = []
    for _, part in parts:
        try:
            found.append(
                band(
                    part,
                    method=arguments.band,
                    level=arguments.level,
                    seed=arguments.seed,
                )
            )
        except UndefinedRate:  # no confidences, or one item or cluster alone
            found.append(None)
    return found


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
            from demur.cli import curve_command

            show("\n" + curve_command.report(listed))
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
    from demur.calibration.calibrating import calibration_by

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
    from demur.curves.pooling import check_pooled

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
        axes = plot_curves(
            curves, how=how, region=arguments.region, at=marks, bands=bands
        )
        save_picture(axes, arguments.plot)
        say(f"wrote {arguments.plot}")
    if arguments.plot_split:
        save_picture(plot_split(curves), arguments.plot_split)
        say(f"wrote {arguments.plot_split}")


def _draw_calibration(
    calibrations: "Sequence[Calibration]", at: Sequence[float], arguments: Namespace
) -> None:
    if not arguments.plot_calibration:
        return
    from demur.plots import calibration

    axes = calibration.plot_calibration(
        calibrations,
        how="linear" if arguments.how == "linear" else "step",
        region=arguments.region,
        at=at if arguments.at else (),
    )
    save_picture(axes, arguments.plot_calibration)
    say(f"wrote {arguments.plot_calibration}")


def report(calibrations: "Sequence[Calibration]") -> str:
    """Tables of the Brier scores and of trust, and how to read them.

    Parameters
    ----------
    calibrations : sequence of Calibration
        At least one.
    """
    blocks = [_scores(calibrations)]
    if any(each.trust for each in calibrations):
        blocks.append(_trust(calibrations))
    blocks.append("\n".join(printable(line) for line in _remarks(calibrations)))
    return "\n\n".join(blocks)


def _scores(calibrations: "Sequence[Calibration]") -> str:
    header = ["system", "guesses", "Brier score", *PARTS[1:]]
    return tables.table(
        header,
        [
            [
                each.system or tables.NONE,
                str(each.guesses),
                *(_part(each.brier, name) for name in PARTS),
            ]
            for each in calibrations
        ],
    )


def _part(split: BrierSplit | None, name: str) -> str:
    """One part of the score, with its interval."""
    if split is None:
        return tables.NONE
    value = f"{getattr(split, name):.4f}"
    if split.intervals is None:
        return value
    low, high = split.intervals[name]
    return f"{value} [{low:.4f}, {high:.4f}]"


def _trust(calibrations: "Sequence[Calibration]") -> str:
    header = ["system", "target", "error", "nonreturn", "cost"]
    header += ["best cutoff", "error", "nonreturn", "cost", "trust costs"]
    rows = [
        [each.system or tables.NONE, *_prices(trust)]
        for each in calibrations
        for trust in each.trust
    ]
    return tables.table(header, rows)


def _prices(trust: Trust) -> list[str]:
    points = trust.trusted, trust.best
    trusted, best = (
        [tables.span(*point.bounds), tables.rate(point.nonreturn)] for point in points
    )
    cutoff = trust.best.cutoff
    return [
        f"{trust.target:g}",
        *(*trusted, f"{trust.cost:.4f}"),
        "never answer" if cutoff is None else str(cutoff),
        *(*best, f"{trust.best_cost:.4f}"),
        f"{trust.difference:.4f}",
    ]


def _remarks(calibrations: "Sequence[Calibration]") -> list[str]:
    """What the columns are, what was left out, and the recipe."""
    lines = [
        "Brier score: mean of (confidence - credit) squared over graded guesses = "
        "miscalibration - discrimination + uncertainty.",
        "miscalibration: what recalibrating would take off (isotonic, no bins); "
        "discrimination: what it then saves against one confidence for all.",
    ]
    splits = [each.brier for each in calibrations if each.brier is not None]
    if any(split.intervals for split in splits):
        drawn = "clusters" if any(each.units < each.items for each in splits) else ""
        lines.append(
            f"[low, high]: {splits[0].level:.0%} intervals, each by itself "
            f"({splits[0].replicates} draws of {drawn or 'items'})."
        )
    if any(each.trust for each in calibrations):
        lines.append(
            "trust at target t: give guesses from confidence t on; cost = error + "
            "(1 - t) x nonreturn, at that cutoff and at the one where it is least."
        )
    own = [[n for n in c.notes if n not in c.curve.notes] for c in calibrations]
    common = [note for note in own[0] if all(note in notes for notes in own)]
    lines += [f"note: {note}" for note in common]
    lines += [
        f"note: {each.system}: {note}"
        for each, notes in zip(calibrations, own, strict=True)
        for note in notes
        if note not in common
    ]
    recipes = (each.signature.rpartition("|")[0] for each in calibrations)
    recipes = (recipe.partition("|calibration:")[2] for recipe in recipes)
    lines += [f"signature: calibration:{each}" for each in dict.fromkeys(recipes)]
    return lines
