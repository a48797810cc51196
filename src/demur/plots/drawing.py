"""The verbs that draw: each checks what it is given, and draws its picture.

What a picture shows is said in `demur.figures`, and how it looks in `rendering`; a
result that has a picture needs no verb, for it has ``plot``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack

from demur import checks
from demur.curves.curves import Curve
from demur.figures.curves import Rates, curves_picture, groups_picture, split_picture
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from demur.calibration.calibrating import Calibration
    from demur.curves.contrasts import Contrast
    from demur.statistics.bands import Band, DifferenceBand
    from demur.statistics.correcting_curves import CorrectedCurve


def public_class(name: str) -> Any:
    """A class of demur by its name: it is loaded already if there is such a result."""
    import demur

    return getattr(demur, name)


def listed_results(where: str, what: str, results: Any, *kinds: str) -> list[Any]:
    """One result or several of public classes, in a list; all else is refused."""
    classes = map(public_class, kinds)
    return checks.all_of_kind(where, what, results, *classes, alone=True)


# -- curves ----------------------------------------------------------------------------


class Wording(TypedDict, total=False):
    """Options of `plot_curves` about words."""

    label: str | None
    labels: Sequence[str] | None
    color: Any
    looks: Sequence[int] | None
    legend: bool
    title: str | None


_DRAWING: Final = ("color", "legend", "title")


def plot_curves(
    curves: Curve | Iterable[Curve],
    *,
    ax: "Axes | None" = None,
    missed: bool | Literal["auto"] = "auto",
    region: tuple[float, float] | None = None,
    at: float | Rates = (),
    how: str = "linear",
    bands: "Sequence[Band | None]" = (),
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
        checks.choice("plot_curves", "each option", name, Wording.__annotations__)
    words: dict[str, Any] = dict(wording)
    wishes = {name: words.pop(name) for name in _DRAWING if name in words}
    listed = listed_results("plot_curves", "curves", curves, "Curve")
    bands = checks.listed("plot_curves", "bands", bands)
    picture = curves_picture(
        listed, missed=missed, region=region, at=at, how=how, bands=bands, **words
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
    listed = listed_results("plot_split", "curves", curves, "Curve")
    return draw(split_picture(listed, at=at), axes=axes)


def plot_groups(
    groups: Mapping[str, Mapping[str, Curve]], *, axes: Any = None, **options: Any
) -> list["Axes"]:
    """Error-return curves group by group, all panels on one scale.

    Parameters
    ----------
    groups : mapping of group to mapping of system to Curve
        At least one. A system looks the same in all panels.
    axes : iterable of matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.
    **options
        ``how``, ``region`` and ``at`` of `demur.plot_curves`.

    Returns
    -------
    list of matplotlib Axes
        One for each group; write them with `demur.save_picture`.

    Raises
    ------
    InputError
        If there is no group.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0, 1, 0], confidence=[4, 3, 2, 1])
    >>> curve = demur.error_return(outcomes)
    >>> panels = plot_groups({"spring": {"a": curve}, "autumn": {"a": curve}})
    >>> [panel.get_title() for panel in panels]
    ['spring', 'autumn']
    """
    return draw(groups_picture(groups, **options), axes=axes)


def plot_contrasts(
    contrasts: "Contrast | Sequence[Contrast]",
    *,
    legend: bool = True,
    axes: Any = None,
) -> list["Axes"]:
    """Error-return, ROC, DET, precision-recall, risk-coverage and F, side by side.

    Parameters
    ----------
    contrasts : Contrast or sequence of Contrast
        At least one, of `demur.contrast`. One without a curve is a dot where its own
        decisions put it.
    legend : bool
        Whether to name the systems.
    axes : iterable of matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        Six; of more than six systems six for each five, with the others pale behind
        them. Write them with `demur.save_picture`. All but the axes of the DET plot,
        which are in normal deviates, run from 0 to 1.

    Raises
    ------
    InputError
        If there is none.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     correct=[1, 0, 1, 0], confidence=[4, 3, 2, 1]))
    >>> panels = demur.plot_contrasts(demur.contrast(curve))
    >>> [panel.get_title() for panel in panels][:3]
    ['error-return', 'ROC', 'DET']
    """
    from demur.figures.contrasts import contrasts_picture

    listed = listed_results("plot_contrasts", "contrasts", contrasts, "Contrast")
    return draw(contrasts_picture(listed), axes=axes, legend=legend)


def plot_corrected_curves(
    curves: "Sequence[CorrectedCurve]", *, ax: "Axes | None" = None
) -> "Axes":
    """Draw corrected errors with their intervals, and dashed those of the judge.

    Parameters
    ----------
    curves : sequence of CorrectedCurve
        At least one, of `demur.corrected_curve`.
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
    from demur.figures.corrected_curves import corrected_picture

    listed = listed_results("plot_corrected_curves", "curves", curves, "CorrectedCurve")
    return draw(corrected_picture(listed), axes=ax)[0]


def plot_calibration(
    calibrations: "Calibration | Iterable[Calibration]",
    *,
    axes: "Iterable[Axes] | None" = None,
    at: float | Sequence[float] = (),
    how: str = "linear",
    region: tuple[float, float] | None = None,
    labels: Sequence[str] | None = None,
    title: str | None = None,
) -> list["Axes"]:
    """Error-return curves, and beside them how often guesses are right.

    Left: `demur.plot_curves`. Right: the isotonic estimate of the share of right
    guesses at each confidence, the diagonal of calibrated confidences, and under it a
    strip per system, in the order of the legend, of how many guesses have which
    confidence. A single system has the band in which calibrated confidences would lie.
    More than six systems have a diagram each, with the others pale behind it, unless
    there are ``axes`` for two only. Targets of up to three systems are marked.

    Parameters
    ----------
    calibrations : Calibration or iterable of Calibration
        At least one, from `demur.calibration_of`. If some have confidences from 0 to 1
        and others do not, the diagram shows the former.
    axes : iterable of two matplotlib Axes, optional
        Where to draw, left and right; a new figure if left out. A figure or subfigure
        without axes may be given, too.
    at, how, region
        As for `demur.plot_curves`.
    labels : sequence of str, optional
        Names, instead of the systems'. Shown literally.
    title : str, optional
        Shown literally.

    Returns
    -------
    list of matplotlib Axes
        Left and right, or the curves and a diagram for each system. Write them with
        `demur.save_picture`.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If matplotlib is not installed.

    References
    ----------
    T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (8), e2016191118.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
    >>> left, right = demur.plot_calibration(demur.calibration_of(outcomes))
    >>> right.lines[1].get_xdata(), right.lines[1].get_ydata().round(2)
    (array([0.6, 0.8, 0.9]), array([0.67, 0.67, 1.  ]))
    """
    from demur.figures.calibrations import calibration_picture

    mine = axes is not None and not hasattr(axes, "subplots")
    apart = False if mine else None
    what = "calibrations"
    listed = listed_results("plot_calibration", what, calibrations, "Calibration")
    picture = calibration_picture(
        listed, at=at, how=how, region=region, labels=labels, apart=apart
    )
    return draw(picture, axes=axes, title=title)


# -- several systems -------------------------------------------------------------------


def plot_comparison(
    a: Curve,
    b: Curve,
    *,
    band: "DifferenceBand | None" = None,
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
    from demur.figures.comparisons import pair_picture

    for name, curve in (("a", a), ("b", b)):
        checks.of_kind("plot_comparison", name, curve, Curve)
    if band is not None:
        checks.of_kind("plot_comparison", "band", band, public_class("DifferenceBand"))
    return draw(pair_picture(a, b, band=band, at=at, region=region), axes=axes)


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
    from demur.figures.comparisons import prices_picture

    listed = checks.all_of_kind("plot_prices", "curves", curves, Curve)
    return draw(prices_picture(listed), axes=axes)
