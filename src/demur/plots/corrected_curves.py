"""Errors against non-returns as a noisy judge has them, and as people correct them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demur import checks
from demur.figures.corrected_curves import corrected_picture
from demur.plots.rendering import draw
from demur.statistics.correcting_curves import CorrectedCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    return draw(corrected_picture(curves), axes=ax)[0]
