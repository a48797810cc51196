"""Errors against non-returns as a noisy judge has them, and as people correct them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from demur import checks
from demur.plots.pens import (
    Entry,
    add_legend,
    colour_of,
    confidence_pen,
    line_pen,
    make_room,
    missed_pen,
    new_axes,
    settle,
    short_names,
)
from demur.statistics.correcting_curves import CorrectedCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 200
"""So many places of a line are enough."""


def plot_corrected_curves(
    curves: Sequence[CorrectedCurve], *, ax: "Axes | None" = None
) -> "Axes":
    """Draw corrected errors with their intervals, and dashed those of the judge.

    Parameters
    ----------
    curves : sequence of CorrectedCurve
    ax : matplotlib Axes, optional
        By default those of a new figure, with room for the legend.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 18 + [False] * 2, confidence=[*range(20, 0, -1)],
    ...     groups={"gold": ["right"] * 15 + ["wrong"] * 5})
    >>> axes = demur.plot_corrected_curves([demur.corrected_curve(outcomes, "gold")])
    >>> axes.get_ylabel()
    'error (share of all inputs answered wrongly)'
    """
    curves = checks.all_of_kind(
        "plot_corrected_curves", "curves", curves, CorrectedCurve
    )
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    axes = new_axes(1, size=(6.4, 4.8))[0] if ax is None else ax
    entries: list[Entry] = []
    names = short_names([curve.system or "system" for curve in curves])
    for index, (name, curve) in enumerate(zip(names, curves, strict=True)):
        colour = colour_of(index)
        kept = np.unique(
            np.linspace(0, len(curve.cutoff) - 1, _POINTS).round().astype(int)
        )
        kept = kept[~np.isnan(curve.error[kept])]
        x = curve.nonreturn[kept]
        pen: Any = confidence_pen(colour)
        axes.fill_between(x, curve.low[kept], curve.high[kept], **pen)
        (line,) = axes.plot(x, curve.error[kept], **line_pen(index))
        axes.plot(x, curve.raw[kept], **missed_pen(colour))
        entries.append((name, line))
    entries += [
        ("by the judge", Line2D([], [], **missed_pen("grey"))),
        (
            f"{100 * curves[0].level:g} % at each cutoff",
            Patch(**confidence_pen("grey")),
        ),
    ]
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("nonreturn (share of all inputs not answered)")
    axes.set_ylabel("error (share of all inputs answered wrongly)")
    axes.spines[["top", "right"]].set_visible(False)
    legend = add_legend(axes, entries, "corrected by people\u2019s verdicts")
    if ax is None:
        make_room(axes, legend)
        settle(axes)
    return axes
