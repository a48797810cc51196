"""Pictures of pipelines: sources in the place of modules, blame, sweeps, echoes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur import checks
from demur.decisions.declining import Rate
from demur.pipelines.attributing import Attribution
from demur.pipelines.cutoff_sweeps import CutoffSweep
from demur.pipelines.engine import STATE_WORDS
from demur.pipelines.evaluations import PipelineEvaluation, SubstitutionRow
from demur.pipelines.planting import PlantedErrors
from demur.plots.pens import (
    GREY,
    add_legend,
    colour_of,
    literal,
    new_axes,
    settle,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SERIES: Final = (
    ("outputs of {module} = target", "identical", "s", GREY, "none"),
    ("P_strict", "strict", "o", colour_of(1), colour_of(1)),
    ("P_multiple", "multiple", "^", colour_of(2), colour_of(2)),
)
_ROW: Final = 0.42
"""Inches for each row."""

Drawn = PipelineEvaluation | Attribution | CutoffSweep | PlantedErrors


def plot_pipeline(found: Drawn | Sequence[Drawn]) -> list["Axes"]:
    """Draw what the verbs for pipelines find, a panel or two for each.

    Parameters
    ----------
    found : PipelineEvaluation, Attribution, CutoffSweep, PlantedErrors, or several
        An evaluation has a panel for each state: shares of outputs that are the target,
        and of matched responses, with their intervals. An attribution shows each share
        between what the module adds alone and last. A sweep has its points and their
        hull, and errors and nonreturns by cutoff; nothing is drawn between points.
        Planted errors show how many responses change, by turns later.

    Returns
    -------
    list of matplotlib Axes
        Write them with `demur.save_picture`.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> turns = [demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["a"]})]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.as_module(str.lower, name="nlu"),
    ...     demur.as_module(str.lower, name="dm")])
    >>> found = demur.attribute_loss(pipeline, [demur.TargetDialogue("d", turns)])
    >>> [axes.get_xlabel() for axes in demur.plot_pipeline(found)]
    ['points of recall']
    """
    found = checks.all_of_kind(
        "plot_pipeline",
        "results",
        found,
        PipelineEvaluation,
        Attribution,
        CutoffSweep,
        PlantedErrors,
        alone=True,
    )
    listed: list[Any] = list(found) if isinstance(found, (list, tuple)) else [found]
    panels = [panel for each in listed for panel in _panels(each)]
    rows = max(n_rows for n_rows, _ in panels)
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    tall = max(2.6, 1.3 + _ROW * rows)
    size = (6.2 * across, tall * down)
    axes = new_axes(len(panels), size=size, across=across, shared=False)
    for ax, (_, draw) in zip(axes, panels, strict=True):
        draw(ax)
        ax.spines[["top", "right"]].set_visible(False)
    settle(axes[0])
    return axes


def _panels(found: Any) -> list[tuple[int, Any]]:
    """How many rows each panel has, and what draws it."""
    if isinstance(found, PipelineEvaluation):
        states = list(dict.fromkeys(row.state for row in found.rows))
        return [
            (
                sum(row.state == state for row in found.rows),
                lambda ax, state=state: _draw_sources(ax, found, state),
            )
            for state in states
        ]
    if isinstance(found, Attribution):
        return [(len(found.shares), lambda ax: _draw_blame(ax, found))]
    if isinstance(found, CutoffSweep):
        draws = (_draw_points, _draw_by_cutoff)
        return [(5, lambda ax, draw=draw: draw(ax, found)) for draw in draws]
    return [(5, lambda ax: _draw_later(ax, found))]


def _names(ax: "Axes", names: Sequence[str]) -> None:
    """Names of rows, from the top."""
    ax.set_yticks(range(len(names)), short_names(names))
    for label in ax.get_yticklabels():
        label.set_parse_math(False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def _draw_sources(ax: "Axes", found: PipelineEvaluation, state: str) -> None:
    rows = [row for row in found.rows if row.state == state]
    entries = []
    for at, (words, name, shape, edge, face) in enumerate(_SERIES):
        place = np.arange(len(rows)) + (at - 1) * 0.22
        signs = None
        for y, row in zip(place, rows, strict=True):
            signs = _dot(ax, float(y), _rate(row, name), (shape, edge, face)) or signs
        if signs is not None:
            entries.append((words.format(module=found.module), signs))
    for y in range(len(rows) - 1):
        ax.axhline(y + 0.5, color="#E3E3E3", linewidth=0.6)
    _names(ax, [row.source for row in rows])
    ax.set_xlim(0, 100)
    ax.set_xlabel(f"% (responses: {found.measure}), {100 * found.level:g} % intervals")
    title = ax.set_title("-", fontsize=10)
    literal(title, f"{found.module} by each source, {STATE_WORDS[state]}")
    if state == found.rows[-1].state:  # one legend for both states
        add_legend(ax, entries)


def _rate(row: SubstitutionRow, name: str) -> Rate:
    rate: Rate = getattr(row, name)
    return rate


def _dot(ax: "Axes", y: float, rate: Rate, pen: tuple[str, str, str]) -> Any:
    if rate.share is None:
        return None
    shape, edge, face = pen
    if rate.low is not None and rate.high is not None:
        ends = [100 * rate.low, 100 * rate.high]
        ax.plot(ends, [y, y], color=edge, linewidth=1.4)
    [sign] = ax.plot(
        [100 * rate.share],
        [y],
        marker=shape,
        markersize=5.5,
        markeredgecolor=edge,
        markerfacecolor=face,
        linestyle="none",
        clip_on=False,
    )
    return sign


def _draw_blame(ax: "Axes", found: Attribution) -> None:
    alone = last = bar = None
    for y, each in enumerate(found.shares):
        [bar] = ax.barh(
            y, 100 * each.shapley, height=0.5, color=colour_of(1), alpha=0.75
        )
        if each.low is not None and each.high is not None:
            ends = [100 * each.low, 100 * each.high]
            ax.plot(ends, [y, y], color="black", linewidth=1.4)
        [alone] = ax.plot([100 * each.alone], [y], "D", color=colour_of(2), ms=5)
        [last] = ax.plot(
            [100 * each.last], [y], "s", mec="black", mfc="white", ms=5, ls="none"
        )
    ax.axvline(0, color="black", linewidth=0.8)
    _names(ax, [each.name for each in found.shares])
    ax.set_ylim(max(len(found.shares), 4) - 0.5, -0.5)
    ax.set_xlabel(f"points of {found.measure}")
    title = f"{100 * found.now:.1f} % now, {100 * found.better:.1f} % with all better"
    ax.set_title(title, fontsize=10)
    entries = [("Shapley, interval", bar), ("alone", alone), ("last", last)]
    add_legend(ax, [(words, sign) for words, sign in entries if sign is not None])


def _draw_points(ax: "Axes", found: CutoffSweep) -> None:
    x = [point.nonreturn for point in found.points]
    y = [point.error for point in found.points]
    [dots] = ax.plot(x, y, ".", color=GREY, markersize=3)
    [best] = ax.plot(
        [x[at] for at in found.hull],
        [y[at] for at in found.hull],
        "o",
        markerfacecolor="none",
        markeredgecolor=colour_of(2),
        markersize=9,
        linestyle="none",
    )
    [first] = ax.plot(x[:1], y[:1], ">", color="black", markersize=6)
    [none] = ax.plot(x[-1:], y[-1:], "s", color="black", markersize=5)
    ax.set_xlabel("nonreturn (share of target acts)")
    ax.set_ylabel("error (share of target acts)")
    title = ax.set_title("-", fontsize=10)
    literal(title, f"cutoffs of {found.module}, {STATE_WORDS[found.state]}")
    ax.margins(0.06)
    add_legend(
        ax,
        [
            ("a cutoff", dots),
            ("best at some price", best),
            ("all handed on", first),
            ("none handed on", none),
        ],
    )


def _draw_by_cutoff(ax: "Axes", found: CutoffSweep) -> None:
    points = [each for each in found.points if each.cutoff is not None]
    x = np.array([each.cutoff for each in points], dtype=float)
    finite = np.isfinite(x)
    entries = []
    pens = (("error", 2, "-"), ("nonreturn", 1, "--"), ("module_error", 0, ":"))
    for name, colour, dashes in pens:
        y = np.array([getattr(each, name) for each in points], dtype=float)
        [line] = ax.step(
            x[finite],
            y[finite],
            dashes,
            where="pre",
            color=colour_of(colour),
            linewidth=1.5,
        )
        words = f"error of {found.module} alone" if name == "module_error" else name
        entries.append((words, line))
    ax.set_ylim(bottom=0)
    title = ax.set_title("-", fontsize=10)
    literal(title, f"by cutoff of {found.module}")
    ax.set_xlabel("cutoff (confidence)")
    ax.set_ylabel("share")
    add_legend(ax, entries)


def _draw_later(ax: "Axes", found: PlantedErrors) -> None:
    x = [each.later for each in found.effects]
    y = [100 * (each.changed.share or 0) for each in found.effects]
    ax.bar(x, y, width=0.6, color=colour_of(1), alpha=0.75)
    for each in found.effects:
        if each.changed.low is not None and each.changed.high is not None:
            ends = [100 * each.changed.low, 100 * each.changed.high]
            ax.plot([each.later] * 2, ends, color="black", linewidth=1.4)
    ax.set_ylim(0, 100)
    ax.set_xticks(x)
    ax.set_xlabel("turns after the error")
    ax.set_ylabel("% of responses that change")
    title = ax.set_title("-", fontsize=10)
    literal(title, f"one error of {found.module} ({found.source}), free-running")
