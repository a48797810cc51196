"""Markables by items and entropy, and scores against the difficulty of a task."""

from typing import TYPE_CHECKING

import numpy as np

from demur import checks
from demur.difficulty.measuring import Difficulty
from demur.difficulty.scaling import Scalability
from demur.plots.pens import (
    Entry,
    add_legend,
    colour_of,
    line_pen,
    literal,
    make_room,
    marker_pen,
    new_axes,
    settle,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMED = 8
"""So many markables with most bits in all have their names."""

AXES = {
    "entropy": "difficulty (bits per item)",
    "baseline": "proportional baseline (share of items)",
    "perplexity": "perplexity (equally likely values)",
    "total_bits": "total bits",
}
"""What the axis of each difficulty says."""


def plot_difficulty(found: Difficulty, *, ax: "Axes | None" = None) -> "Axes":
    """Draw each markable by its items and its entropy.

    Parameters
    ----------
    found : Difficulty
    ax : matplotlib Axes, optional

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
    >>> axes = demur.plot_difficulty(demur.difficulty_of_counts({"run": {"go": 3}}))
    >>> axes.get_xlabel()
    'items'
    """
    checks.of_kind("plot_difficulty", "the difficulty", found, Difficulty)
    axes = new_axes(1, size=(6.4, 4.6))[0] if ax is None else ax
    listed = found.per_markable
    items = np.array([each.items for each in listed])
    bits = np.array([each.entropy for each in listed])
    axes.scatter(items, bits, s=16, color=colour_of(0), alpha=0.45, linewidths=0)
    axes.axhline(found.entropy, color=colour_of(1), linewidth=1.2)
    literal(
        axes.text(
            0.99,
            found.entropy,
            f"task: {found.entropy:.2f} bits",
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="bottom",
            color=colour_of(1),
            fontsize=9,
        ),
        f"task: {found.entropy:.2f} bits",
    )
    hardest = sorted(range(len(listed)), key=lambda k: -items[k] * bits[k])[:_NAMED]
    for k in hardest:
        name = short_names([listed[k].markable])[0]
        note = axes.annotate(
            "-", (items[k], bits[k]), (4, 3), textcoords="offset points", fontsize=8
        )
        literal(note, name)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("items")
    axes.set_ylabel("entropy of the markable (bits)")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def plot_scalability(found: Scalability, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the score of each system against the difficulty of each version.

    Parameters
    ----------
    found : Scalability
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        With intervals as bars; names of versions stand above.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> tokens = {"word": ["run"] * 20, "sense": ["go"] * 15 + ["storm"] * 5}
    >>> task = demur.difficulty(tokens, markable="word", value="sense")
    >>> outcomes = demur.try_methods(task)[-1].outcomes
    >>> axes = demur.plot_scalability(demur.scalability({"all": (task, outcomes)}))
    >>> axes.get_ylabel()
    'accuracy'
    """
    checks.of_kind("plot_scalability", "the scalability", found, Scalability)
    axes = new_axes(1, size=(6.4, 4.8))[0] if ax is None else ax
    systems = list(dict.fromkeys(point.system for point in found.points))
    entries: list[Entry] = []
    for index, (system, name) in enumerate(
        zip(systems, short_names([each or "system" for each in systems]), strict=True)
    ):
        own = [p for p in found.points if p.system == system and p.score is not None]
        own.sort(key=lambda point: getattr(point, found.x))
        x = [getattr(point, found.x) for point in own]
        y = [point.score or 0.0 for point in own]
        (line,) = axes.plot(x, y, **line_pen(index))
        axes.plot(x, y, **{**marker_pen(index), "clip_on": True})
        for place, point in zip(x, own, strict=True):
            if point.interval is not None:
                axes.plot(
                    [place, place], point.interval, color=colour_of(index), linewidth=1
                )
            if index == 0:
                name_of_version = axes.text(
                    place,
                    1.01,
                    "-",
                    transform=axes.get_xaxis_transform(),
                    rotation=35,
                    fontsize=8,
                )
                literal(name_of_version, short_names([point.version])[0])
                axes.axvline(place, color="0.9", linewidth=0.8, zorder=0)
        entries.append((name, line))
    axes.set_xlabel(AXES[found.x])
    axes.set_ylabel(found.y)
    axes.margins(x=0.08, y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    legend = add_legend(axes, entries, f"bars: {100 * found.level:g} % intervals")
    if ax is None:
        make_room(axes, legend)
        settle(axes)
    return axes
