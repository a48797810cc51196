"""The pictures of ``demur curve``."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from demur.cli import shared
from demur.errors import UndefinedRate
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.table import Outcomes, part_name

Named = Sequence[tuple[str, Outcomes]]
"""The outcomes of each curve, with its name."""

FEW_GROUPS = 3
"""Of so many groups the curves are in one picture; of more each has a panel."""


def draw_asked(shown: Any, named: Named, calibrate: Any, arguments: Namespace) -> None:
    """Draw what was asked for, each into its file.

    Parameters
    ----------
    shown : Bundle
        The ``curves``, their ``bands``, and what stands beside them.
    named : sequence of (name, Outcomes)
        The outcomes of each curve; none where an engine has counted them.
    calibrate : callable
        Makes the calibrations if they are to be drawn and not shown.
    arguments : Namespace
        Of ``demur curve``.
    """
    from demur.curves.contrasts import contrast
    from demur.plots.drawing import plot_calibration, plot_contrasts, plot_split

    curves = shown.curves
    how = "linear" if arguments.how == "linear" else "step"
    marks = curves.at if arguments.at else ()
    marked: Any = {"how": how, "region": arguments.region, "at": marks}

    def calibrations() -> Any:
        known = shown.further.get("calibration")
        return known or calibrate()

    makers: dict[str, Callable[[], Any]] = {
        "plot": lambda: _plot(shown, named, marked, arguments),
        "plot_split": lambda: plot_split(curves),
        "plot_contrast": lambda: plot_contrasts([contrast(curve) for curve in curves]),
        "plot_calibration": lambda: plot_calibration(calibrations(), **marked),
    }
    for name, make in makers.items():
        shared.draw(make, getattr(arguments, name))


def _plot(shown: Any, named: Named, marked: Any, arguments: Namespace) -> Any:
    """The curves with their bands; many groups by panel; errors as people correct."""
    from demur.plots.drawing import plot_curves, plot_groups

    if arguments.gold or any(labelled_in_part(part) for _, part in named):
        return _plot_corrected(named, arguments.gold, arguments.level)
    wholes = shown.further.get("wholes")
    banded = any(shown.bands)
    by_group = arguments.by and not banded
    groups = _groups(wholes or shown.curves) if by_group else {}
    if wholes:
        return _plot_wholes(shown, wholes, groups, marked)
    if len(groups) > FEW_GROUPS:
        return plot_groups(groups, **marked)
    return plot_curves(shown.curves, bands=shown.bands, **marked)


def _plot_wholes(shown: Any, wholes: Any, groups: Any, marked: Any) -> Any:
    """Parts and wholes beside each other; of many groups a panel of wholes each."""
    from demur.figures.whole_curves import (
        parts_and_wholes_picture,
        whole_groups_picture,
    )
    from demur.plots.rendering import draw

    if len(groups) > FEW_GROUPS:
        return draw(whole_groups_picture(groups, **marked))
    both = shown.curves, wholes
    return draw(parts_and_wholes_picture(*both, bands=shown.bands, **marked))


def _groups(curves: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Curves by the value of the last column, then by the rest of their names."""
    groups: dict[str, dict[str, Any]] = {}
    for curve in curves:
        *others, last = curve.group.items()
        name = part_name(curve.system_alone, dict(others))
        groups.setdefault(" = ".join(last), {})[name] = curve
    return groups


def _plot_corrected(named: Named, gold: str | None, level: float) -> Any:
    """Errors that people correct, of the systems with confidences."""
    from demur.plots.drawing import plot_corrected_curves
    from demur.statistics.correcting_curves import corrected_curve

    corrected = [
        replace(corrected_curve(part, gold, level=level), system=name)
        for name, part in named
        if part.confidence is not None and (gold or labelled_in_part(part))
    ]
    if not corrected:
        raise UndefinedRate("--plot of corrected errors: no system gives confidences.")
    return plot_corrected_curves(corrected)
