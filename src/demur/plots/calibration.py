"""The reliability diagram beside the error-return curve, drawn with matplotlib."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from demur import checks
from demur.calibration.calibrating import Calibration
from demur.errors import InputError
from demur.figures.calibrations import calibration_picture
from demur.plots import pens
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_calibration(
    calibrations: Calibration | Iterable[Calibration],
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
    apart = None
    if axes is not None and not hasattr(axes, "subplots"):
        axes, apart = pens.flat(axes), False
        if len(axes) != 2:
            must = "be two, left and right"
            raise InputError("plot_calibration", "axes", must, str(len(axes)))
    calibrations = checks.all_of_kind(
        "plot_calibration", "calibrations", calibrations, Calibration, alone=True
    )
    picture = calibration_picture(
        calibrations, at=at, how=how, region=region, labels=labels, apart=apart
    )
    return draw(picture, axes=axes, title=title)
