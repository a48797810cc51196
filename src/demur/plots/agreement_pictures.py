"""Which labels annotators confuse, and how far each annotator is from the others."""

from typing import TYPE_CHECKING, Any

from demur import checks
from demur.agreement.agreeing import Agreement
from demur.figures.agreements import agreement_picture
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_agreement(agreement: Agreement, *, axes: Any = None) -> list["Axes"]:
    """Coincidences of labels, and the mean distance of each annotator to the others.

    Parameters
    ----------
    agreement : Agreement
        Of `demur.agreement`.
    axes : iterable of two matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        Two. In the first, a row is what one annotator gave, the columns what another
        annotator gave the same unit; rows add up to 1, with labels that are not drawn.
        Write them with `demur.save_picture`.

    Raises
    ------
    UndefinedRate
        If no unit has two labels.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> result = demur.agreement({"ann": [1, 2, 2], "bob": [1, 2, 1]})
    >>> panels = demur.plot_agreement(result)
    >>> [panel.get_title() for panel in panels]
    ['what another one said', 'distance to the others (nominal)']
    """
    checks.of_kind("plot_agreement", "the agreement", agreement, Agreement)
    return draw(agreement_picture(agreement), axes=axes)
