"""Pictures for comparing: two curves with their difference, and what is cheapest."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demur import checks
from demur.curves.curves import Curve
from demur.figures.comparisons import pair_picture, prices_picture
from demur.plots.rendering import draw
from demur.statistics.bands import DifferenceBand

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_comparison(
    a: Curve,
    b: Curve,
    *,
    band: DifferenceBand | None = None,
    at: Sequence[float] = (),
    region: tuple[float, float] | None = None,
    axes: Any = None,
) -> list["Axes"]:
    """Two curves, and below them the error of b less that of a with its band.

    Parameters
    ----------
    a, b : Curve
        Of two systems on the same items.
    band : DifferenceBand, optional
        Around the difference; its kind and level stand in the legend. Where it does
        not hold 0 a bar at the lower edge names the better system.
    at : sequence of float
        Nonreturn rates to mark.
    region : tuple (low, high), optional
        Nonreturn rates at which the systems will be run; shaded.
    axes : iterable of two matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        The curves and the difference; write them with `demur.save_picture`.

    Raises
    ------
    UndefinedRate
        If a system has no curve.
    MissingExtra
        If matplotlib is not installed.

    References
    ----------
    Artstein (2011), section 5, on curves that dominate or intersect.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         system=name, correct=correct, confidence=[4, 3, 2, 1]))
    ...     for name, correct in (("a", [1, 1, 1, 0]), ("b", [1, 0, 1, 0])))
    >>> upper, lower = demur.plot_comparison(a, b)
    >>> lower.lines[-1].get_ydata()
    array([0.25, 0.25, 0.25, 0.  , 0.  ])
    """
    for name, curve in (("a", a), ("b", b)):
        checks.of_kind("plot_comparison", name, curve, Curve)
    if band is not None:
        checks.of_kind("plot_comparison", "band", band, DifferenceBand)
    picture = pair_picture(a, b, band=band, at=at, region=region)
    return draw(picture, axes=axes)


def plot_prices(curves: Sequence[Curve], *, axes: Any = None) -> list["Axes"]:
    """What each system costs at its best cutoff, for every price of a non-return.

    Parameters
    ----------
    curves : sequence of Curve
        At least one; a system without confidences enters with its operating point.
    axes : iterable of two matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        Above the least cost, ``error + r nonreturn``, of each system over r, with a
        dot wherever the cheapest choice changes; below the nonreturn of that choice,
        grey if it is to answer nothing.
        Write them with `demur.save_picture`.

    Raises
    ------
    InputError
        If there is no curve.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     correct=[True, True, False, False], confidence=[0.9, 0.4, 0.5, 0.1]))
    >>> upper, lower = demur.plot_prices([curve])
    >>> upper.lines[0].get_xydata().tolist()
    [[0.0, 0.0], [0.5, 0.375], [1.0, 0.5]]
    """
    curves = checks.all_of_kind("plot_prices", "curves", curves, Curve)
    return draw(prices_picture(curves), axes=axes)
