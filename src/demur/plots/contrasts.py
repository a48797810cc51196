"""What other fields draw of the same counts, beside the error-return curve."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.curves.contrasts import Contrast
from demur.errors import InputError
from demur.plots.curves import plot_curves
from demur.plots.pens import (
    Entry,
    add_legend,
    colour_of,
    dot_pen,
    line_pen,
    make_room,
    new_axes,
    settle,
    short_names,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PERCENTS: Final = (0.1, 1, 5, 20, 50, 80, 95, 99, 99.9)
"""Where the axes of a DET plot have marks: equal steps of a normal deviate."""

_PANELS: Final = (
    ("ROC", "false_alarm", "hit", "wrong guesses answered", "right guesses answered"),
    ("DET", "false_alarm", "miss", "wrong guesses answered", "right guesses withheld"),
    (
        "precision and recall",
        "recall",
        "precision",
        "recall (of items that can be answered)",
        "precision",
    ),
    ("risk and coverage", "coverage", "risk", "coverage", "wrong among answered"),
    ("F of SimpleQA and QALD-1", "nonreturn", "f_measure", "nonreturn", "F"),
)


def plot_contrasts(
    contrasts: Contrast | Sequence[Contrast], *, legend: bool = True
) -> list["Axes"]:
    """Error-return, ROC, DET, precision-recall, risk-coverage and F, side by side.

    Parameters
    ----------
    contrasts : Contrast or sequence of Contrast
        At least one, of `demur.contrast`. Those without a curve are left out of all
        panels but the first.
    legend : bool
        Whether to name the systems.

    Returns
    -------
    list of matplotlib Axes
        Six; write them with `demur.save_picture`. All but the axes of the DET plot,
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
    from matplotlib.lines import Line2D

    listed = [contrasts] if isinstance(contrasts, Contrast) else list(contrasts)
    if not listed:
        must = "hold at least one contrast"
        raise InputError("plot_contrasts", "contrasts", must, "none")
    panels = new_axes(6, size=(10.5, 6.6), across=3, shared=False)
    curves = [each.curve for each in listed]
    plot_curves(curves, ax=panels[0], missed=False, legend=False, title="error-return")
    panels[0].set_xlabel("nonreturn")
    panels[0].set_ylabel("error of all inputs")
    for panel, (title, *axes) in zip(panels[1:], _PANELS, strict=True):
        _draw(panel, listed, title, axes)
    entries: list[Entry] = [
        (name, Line2D([], [], **line_pen(index)))
        for index, name in enumerate(short_names([each.system for each in listed]))
    ]
    if legend and any(name for name, _ in entries):
        make_room(panels[0], add_legend(panels[2], entries))
    settle(panels[0])
    return panels


def _draw(
    panel: "Axes", contrasts: Sequence[Contrast], title: str, axes: Sequence[str]
) -> None:
    x_name, y_name, x_words, y_words = axes
    for index, each in enumerate(contrasts):
        if each.curve.ladder is None:
            continue
        kept = thinned(each.curve.nonreturn)
        source = each.curve if x_name == "nonreturn" else each
        x, y = getattr(source, x_name)[kept], getattr(each, y_name)[kept]
        if title == "DET":
            x, y = _deviates(x), _deviates(y)
        known = ~(np.isnan(x) | np.isnan(y))
        if known.sum() == 1:
            panel.plot(x[known], y[known], **dot_pen(colour_of(index), 6))
        panel.plot(x[known], y[known], **line_pen(index))
    panel.set_title(title)
    panel.set_xlabel(x_words)
    panel.set_ylabel(y_words)
    if title == "DET":
        _label_deviates(panel)
        return
    panel.set_xlim(0, 1)
    panel.set_ylim(0, 1.02)


def _deviates(rates: Floats) -> Any:
    """Normal deviates of rates; those of 0 and 1 lie beyond the axes."""
    from scipy.special import ndtri

    least = _PERCENTS[0] / 100
    return ndtri(np.clip(rates, least / 2, 1 - least / 2))


def _label_deviates(panel: "Axes") -> None:
    """Rates where the deviates stand."""
    rates = np.array(_PERCENTS) / 100
    ends = _deviates(np.array([rates[0], rates[-1]]))
    labels = [f"{percent:g} %" for percent in _PERCENTS]
    panel.set_xticks(_deviates(rates), labels, fontsize="x-small", rotation=45)
    panel.set_yticks(_deviates(rates), labels, fontsize="x-small")
    panel.set_xlim(*ends)
    panel.set_ylim(*ends)
