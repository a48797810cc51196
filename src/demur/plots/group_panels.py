"""One panel for each group of items, with the curves of all systems in it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from demur.curves.curves import Curve
from demur.figures.curves import groups_picture
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
