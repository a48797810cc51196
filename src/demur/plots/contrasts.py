"""What other fields draw of the same counts, beside the error-return curve."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demur import checks
from demur.curves.contrasts import Contrast
from demur.figures.contrasts import contrasts_picture
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_contrasts(
    contrasts: Contrast | Sequence[Contrast], *, legend: bool = True, axes: Any = None
) -> list["Axes"]:
    """Error-return, ROC, DET, precision-recall, risk-coverage and F, side by side.

    Parameters
    ----------
    contrasts : Contrast or sequence of Contrast
        At least one, of `demur.contrast`. Those without a curve are left out of all
        panels but the first.
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
    contrasts = checks.all_of_kind(
        "plot_contrasts", "contrasts", contrasts, Contrast, alone=True
    )
    return draw(contrasts_picture(contrasts), axes=axes, legend=legend)
