"""One panel for each group of items, with the curves of all systems in it."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from demur.curves.curves import Curve
from demur.errors import InputError
from demur.plots.curves import plot_curves
from demur.plots.pens import (
    GREY,
    Entry,
    add_legend,
    dot_pen,
    line_pen,
    make_room,
    new_axes,
    settle,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACROSS = 3


def plot_groups(
    groups: Mapping[str, Mapping[str, Curve]], **options: Any
) -> list["Axes"]:
    """Error-return curves group by group, all panels on one scale.

    Parameters
    ----------
    groups : mapping of group to mapping of system to Curve
        At least one. A system looks the same in all panels.
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
    from matplotlib.lines import Line2D

    if not groups:
        raise InputError("plot_groups", "groups", "hold at least one group", "none")
    across = min(len(groups), ACROSS)
    down = math.ceil(len(groups) / across)
    panels = new_axes(len(groups), size=(3.2 * across, 2.9 * down), across=across)
    systems = list(dict.fromkeys(name for each in groups.values() for name in each))
    highest = 0.0
    for panel, (group, curves) in zip(panels, groups.items(), strict=True):
        looks = [systems.index(name) for name in curves]
        plot_curves(
            list(curves.values()),
            ax=panel,
            looks=looks,
            title=short_names([group])[0],
            legend=False,
            missed=False,
            **options,
        )
        highest = max(highest, panel.get_ylim()[1])
    _label(panels, across, highest)
    names = short_names(systems)
    entries: list[Entry] = [
        (name, Line2D([], [], **line_pen(index))) for index, name in enumerate(names)
    ]
    every = [curve for curves in groups.values() for curve in curves.values()]
    if any(curve.operating_point.nonreturn > curve.start + 1e-9 for curve in every):
        entries += [("own decisions", Line2D([], [], **dot_pen(GREY, 8)))]
    if any(name for name, _ in entries):
        make_room(panels[0], add_legend(panels[across - 1], entries))
    settle(panels[0])
    return panels


def _label(panels: Sequence["Axes"], across: int, highest: float) -> None:
    """Words at the outer edges only, and one scale for all."""
    for number, panel in enumerate(panels):
        panel.set_ylim(0, highest)
        panel.set_ylabel("error" if number % across == 0 else "")
        panel.set_xlabel("nonreturn" if number >= len(panels) - across else "")
        panel.tick_params(labelbottom=number >= len(panels) - across)
