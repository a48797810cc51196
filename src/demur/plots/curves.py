"""Pictures of error-return curves, drawn with matplotlib."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from demur import checks
from demur.checks import choice
from demur.curves.curves import Curve
from demur.errors import InputError
from demur.figures.curves import READINGS as READINGS
from demur.figures.curves import Rates, curves_picture, split_picture
from demur.plots import pens
from demur.plots.rendering import draw
from demur.statistics.bands import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Wording(TypedDict, total=False):
    """Options of `plot_curves` about words."""

    label: str | None
    labels: Sequence[str] | None
    color: Any
    looks: Sequence[int] | None
    legend: bool
    title: str | None


class PlotOptions(Wording, total=False):
    """Options of `plot_curves`."""

    missed: bool | Literal["auto"]
    region: tuple[float, float] | None
    at: float | Rates
    how: str
    bands: Sequence[Band | None]


_DRAWING = ("color", "legend", "title")


def plot_curves(
    curves: Curve | Iterable[Curve],
    *,
    ax: "Axes | None" = None,
    missed: bool | Literal["auto"] = "auto",
    region: tuple[float, float] | None = None,
    at: float | Rates = (),
    how: str = "linear",
    bands: Sequence[Band | None] = (),
    **wording: Unpack[Wording],
) -> "Axes":
    """Error-return curves of one or several systems in one picture.

    The first curve is the baseline: thick and black. A system without confidences is
    one point; so is the operating point of a system that declines by itself.

    Parameters
    ----------
    curves : Curve or iterable of Curve
        At least one.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out. Curves drawn before stay: the new ones
        look otherwise, and one legend inside the axes names all.
    missed : {"auto"} or bool
        Also draw missed chances, thin and dashed; "auto" does so for up to three
        curves. The vertical axis is scaled to the errors: missed chances may leave it.
    region : tuple (low, high), optional
        Nonreturn rates at which the systems will be run; shaded.
    at : float or sequence of float
        Nonreturn rates to mark, with the error there: beside the lines of up to three
        curves, else in the legend.
    how : {"linear", "step"}
        Between vertices: ``linear`` answers the tied block at random in part, ``step``
        shows what one cutoff for all inputs can do (the reading ``at_most``).
    bands : sequence of Band or None, optional
        As many as curves, of one kind and level, which stand in the legend; None for a
        curve without one. Only with ``how="linear"``, which is what they are about.
    labels : sequence of str, optional
        Names for the curves, instead of their systems. Shown literally.
    label : str, optional
        The name, if there is one curve.
    color : any colour of matplotlib, optional
        Of all these curves; by default each has its own.
    looks : sequence of int, optional
        For each curve its place in the order of looks (0, 1, ...), for a system that
        is to look the same in several pictures.
    legend : bool
        Say what is what, by default: beside the lines of a new figure if they are few
        and there is room; else to the right of the axes, in the order of the errors at
        the first rate of ``at``, or at nonreturn 0.2.
    title : str, optional
        Shown literally.

    Returns
    -------
    matplotlib Axes
        Write it with `save`.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If matplotlib is not installed.

    References
    ----------
    Artstein (2011), "Error Return Plots", sections 3-5.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
    >>> ax = demur.plot_curves([demur.error_return(outcomes)], at=0.5)
    >>> ax.lines[0].get_ydata()
    array([0.25, 0.25, 0.  , 0.  ])
    """
    for name in wording:
        choice("plot_curves", "each option", name, Wording.__annotations__)
    words: dict[str, Any] = dict(wording)
    wishes = {name: words.pop(name) for name in _DRAWING if name in words}
    curves = checks.all_of_kind("plot_curves", "curves", curves, Curve, alone=True)
    bands = checks.listed("plot_curves", "bands", bands)
    picture = curves_picture(
        curves, missed=missed, region=region, at=at, how=how, bands=bands, **words
    )
    return draw(picture, axes=ax, **wishes)[0]


def plot_split(
    curves: Curve | Iterable[Curve],
    *,
    axes: "Axes | Iterable[Axes] | None" = None,
    at: float | None = None,
) -> list["Axes"]:
    """What becomes of the inputs as the nonreturn rate rises, one panel per system.

    Parameters
    ----------
    curves : Curve or iterable of Curve
        At least one. A system without confidences is one bar, whose unanswered inputs
        are left blank but for its missed chances.
    axes : matplotlib Axes or iterable of them, optional
        One per curve; a new figure if left out.
    at : float, optional
        A nonreturn rate to mark, with the error and the missed chances there.

    Returns
    -------
    list of matplotlib Axes
        One per curve; write them with `save`.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
    >>> axes = demur.plot_split([demur.error_return(outcomes)], at=0.5)
    >>> axes[0].get_title(loc="left")
    'at 0.5: error 0.250, missed 0.500'
    """
    curves = checks.all_of_kind("plot_split", "curves", curves, Curve, alone=True)
    picture = split_picture(curves, at=at)
    if axes is not None:
        axes, n = pens.flat(axes), len(picture.panels)
        if len(axes) != n:
            must = f"be one for each of {n} curves"
            raise InputError("plot_split", "axes", must, str(len(axes)))
    return draw(picture, axes=axes)
