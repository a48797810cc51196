"""Which labels annotators confuse, and how far each annotator is from the others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur import checks
from demur.agreement.agreeing import Agreement
from demur.arrays import Floats
from demur.errors import UndefinedRate
from demur.plots.pens import colour_of, literal, new_axes, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_DARK: Final = 0.55  # from this share on, numbers are white


def plot_agreement(found: Agreement) -> list["Axes"]:
    """Coincidences of labels, and the mean distance of each annotator to the others.

    Parameters
    ----------
    found : Agreement
        Of `demur.agreement`.

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
    checks.of_kind("plot_agreement", "the agreement", found, Agreement)
    if not found.by_label:
        raise UndefinedRate("plot_agreement: no unit has two labels to compare.")
    panels = new_axes(2, size=(9.6, 4.4), across=2, shared=False)
    _draw_coincidences(panels[0], found)
    _draw_annotators(panels[1], found)
    return panels


def _draw_coincidences(ax: "Axes", found: Agreement) -> None:
    names = short_names([_name(label) for label, _ in found.coincidences])
    shares: Floats = np.array([row for _, row in found.coincidences])
    ax.imshow(shares, cmap="Greys", vmin=0, vmax=1)
    for (row, column), share in np.ndenumerate(shares):
        if share >= 0.005:
            ink = "white" if share > _DARK else "black"
            text = f"{share:.2f}".lstrip("0") if share < 1 else "1"
            ax.text(column, row, text, ha="center", va="center", color=ink, fontsize=8)
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), names)
    _as_they_are(ax.get_xticklabels(), names)
    _as_they_are(ax.get_yticklabels(), names)
    ax.set_title("what another one said")
    ax.set_ylabel("if one annotator said")


def _draw_annotators(ax: "Axes", found: Agreement) -> None:
    known = [each for each in found.by_annotator if each.distance is not None]
    names = short_names([each.annotator for each in known])
    distances = [each.distance or 0.0 for each in known]
    places = list(range(len(known)))
    most = max(distances) or 1.0
    ax.barh(places, distances, color=colour_of(1))
    for place, distance in zip(places, distances, strict=True):
        beside = distance + 0.01 * most
        ax.text(beside, place, f"{distance:.3f}", va="center", fontsize=8)
    ax.set_yticks(places, names)
    _as_they_are(ax.get_yticklabels(), names)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.2 * most)
    ax.set_title(f"distance to the others ({found.metric})")
    ax.set_xlabel("mean distance of labels of the same units")


def _as_they_are(ticks: Sequence["Text"], names: Sequence[str]) -> None:
    for tick, name in zip(ticks, names, strict=True):
        literal(tick, name)


def _name(label: Any) -> str:
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(str, label))) + "}"
    return str(label)
