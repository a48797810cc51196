"""The reliability diagram beside the error-return curve, drawn with matplotlib.

Nothing is computed here: every number comes from a `Calibration`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.calibration.calibrating import Calibration
from demur.calibration.reliability import ConsistencyBand, Reliability
from demur.curves.rates import Point
from demur.errors import InputError
from demur.plots.curves import plot_curves
from demur.plots.pens import (
    GREY,
    Entry,
    add_legend,
    blank,
    colour_of,
    dot_pen,
    flat,
    line_pen,
    literal,
    make_room,
    marker_pen,
    new_axes,
    outline,
    settle,
    short_names,
    small,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PERFECT = "perfectly calibrated"
_STRIPS = "strips: guesses by confidence (root scale)"
_TRUSTED = "cutoff = target, trusting confidences"
_BEST = "cutoff of least cost at the target"

_DIAGONAL: dict[str, Any] = {
    **{"color": GREY, "linewidth": 0.9, "linestyle": (0, (1, 1.6))},
    "zorder": 1.5,
}
_BAND: dict[str, Any] = {"facecolor": "#E0E0E0", "linewidth": 0, "zorder": 0.5}
_FEW = 3
_MOST_STRIPS = 16
_BINS = 80
_STRIP, _ALL_STRIPS = 0.07, 0.3
_WIDEST = 1e290
"""Confidences beyond this are drawn at this place."""


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
    Targets of up to three systems are marked.

    Parameters
    ----------
    calibrations : Calibration or iterable of Calibration
        At least one, from `demur.calibration_of`. If some have confidences from 0 to 1
        and others do not, the diagram shows the former.
    axes : iterable of two matplotlib Axes, optional
        Where to draw, left and right; a new figure if left out.
    at, how, region
        As for `demur.plot_curves`.
    labels : sequence of str, optional
        Names, instead of the systems'. Shown literally.
    title : str, optional
        Shown literally.

    Returns
    -------
    list of matplotlib Axes
        Left and right; write them with `demur.save_picture`.

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
    calibrations = checks.all_of_kind(
        "plot_calibration", "calibrations", calibrations, Calibration, alone=True
    )
    single = isinstance(calibrations, Calibration)
    listed: list[Any] = [calibrations] if single else list(calibrations)
    if not listed:
        must = "hold at least one"
        raise InputError("plot_calibration", "calibrations", must, "none")
    names = labels or [each.system or "the system" for each in listed]
    panels = _panels(title) if axes is None else flat(axes)
    if len(panels) != 2:
        must = "be two, left and right"
        raise InputError("plot_calibration", "axes", must, str(len(panels)))
    left, right = panels
    marks: Any = {"at": at, "how": how, "region": region}
    over = title if axes is not None else None
    plot_curves(
        [each.curve for each in listed], ax=left, labels=names, title=over, **marks
    )
    scene = _ReliabilityScene(listed, short_names(names))
    _draw_diagram(right, scene)
    _mark_targets(left, right, scene)
    legend = add_legend(right, _entries(left, scene))
    if axes is None:
        make_room(right, legend)
        settle(right)
    return panels


@dataclass(frozen=True)
class _ReliabilityScene:
    """The systems and their names, in the order of pens."""

    calibrations: Sequence[Calibration]
    names: Sequence[str]

    @property
    def few(self) -> bool:
        """Whether there is room for words beside the marks of all."""
        return len(self.calibrations) <= _FEW

    @property
    def stated(self) -> bool:
        """Whether the diagram is about probabilities: some confidences are."""
        diagrams = [
            calibration.reliability
            for calibration in self.calibrations
            if calibration.reliability
        ]
        return any(each.stated for each in diagrams) or not diagrams

    @property
    def shown(self) -> list[tuple[int, Reliability]]:
        """What the diagram shows: places in the order of pens, and curves."""
        return [
            (index, each.reliability)
            for index, each in enumerate(self.calibrations)
            if each.reliability is not None and each.reliability.stated == self.stated
        ]

    @property
    def left_out(self) -> list[str]:
        """Names of the systems that the diagram does not show."""
        places = {index for index, _ in self.shown}
        return [name for i, name in enumerate(self.names) if i not in places]

    @property
    def band(self) -> ConsistencyBand | None:
        """The band of a single system."""
        return self.calibrations[0].band if len(self.calibrations) == 1 else None

    @property
    def ends(self) -> tuple[float, float]:
        """The confidences at the ends of the horizontal axis."""
        every = np.concatenate([[], *(each.confidence for _, each in self.shown)])
        finite = every[np.isfinite(every)]
        if self.stated or not len(finite):
            return 0.0, 1.0
        low, high = float(np.min(_drawn(finite))), float(np.max(_drawn(finite)))
        # A column is no narrower than floats there can tell apart.
        least = max(1.0 if low == high else 0.0, 4 * _BINS * _step(low, high))
        more = max(0.0, least - (high - low)) / 2
        return low - more, high + more


def _drawn(confidence: Floats) -> Floats:
    """Confidences that matplotlib can put on an axis."""
    return np.clip(confidence, -_WIDEST, _WIDEST)


def _step(low: float, high: float) -> float:
    """How far apart floats are there."""
    return float(np.spacing(max(abs(low), abs(high))))


# -- the diagram --------------------------------------------------------------------


def _panels(title: str | None) -> list["Axes"]:
    panels = new_axes(2, size=(9.4, 4.2), across=2, shared=False)
    if title is not None:
        figure: Any = panels[0].figure
        literal(figure.suptitle(""), title)
    return panels


def _draw_diagram(ax: "Axes", scene: _ReliabilityScene) -> None:
    low, high = scene.ends
    margin = 0.012 * (high - low)
    ax.set_xlim(low - margin, high + margin)
    ax.set_ylabel("share of guesses that are right")
    words = "stated confidence" if scene.stated else "confidence (not a probability)"
    # At the left, because large numbers have a common part at the right.
    ax.set_xlabel(words, loc="center" if scene.stated else "left")
    ax.spines[["top", "right"]].set_visible(False)
    place: Any = {"xy": (1, 1), "xycoords": "axes fraction", "ha": "right"}
    small(ax, "isotonic estimate, no bins", (0, 3), **place)
    if scene.band is not None:
        _draw_band(ax, scene.band)
    if scene.stated:
        ax.plot([0, 1], [0, 1], **_DIAGONAL)
    for index, diagram in scene.shown:
        _draw_line(ax, index, diagram)
    bottom = _draw_strips(ax, scene)
    ax.set_ylim(bottom, 1.02)
    ax.set_yticks(np.arange(6) / 5)


def _draw_band(ax: "Axes", band: ConsistencyBand) -> None:
    x, low, high = _drawn(band.confidence), band.low, band.high
    if len(x) == 1:  # an area without width would not be seen
        x, low, high = (
            x + np.array([-0.004, 0.004]),
            np.repeat(low, 2),
            np.repeat(high, 2),
        )
    ax.fill_between(x, low, high, **_BAND)


def _draw_line(ax: "Axes", index: int, diagram: Reliability) -> None:
    """Level within blocks, straight between them; a single place is a dot."""
    ends = [
        (float(_drawn(np.array(confidence))), block.estimate)
        for block in diagram.blocks
        for confidence in dict.fromkeys((block.low, block.high))
        if np.isfinite(confidence)
    ]
    if len(ends) == 1:
        dot = dot_pen(colour_of(index), 5)
        ax.plot(*np.array(ends).T, **dot)
    elif ends:
        ax.plot(*np.array(ends).T, **line_pen(index))


def _draw_strips(ax: "Axes", scene: _ReliabilityScene) -> float:
    """Confidences in small columns under the diagram; gives its lower end."""
    n = len(scene.shown)
    if not 0 < n <= _MOST_STRIPS:
        return -0.02
    height = min(_STRIP, _ALL_STRIPS / n)
    ax.axhline(0, color=GREY, linewidth=0.6, zorder=1)
    for rank, (index, diagram) in enumerate(scene.shown, 1):
        edges, share = _columns(diagram, scene.ends)
        floor = np.full(len(edges), -rank * height)
        top = floor + 0.85 * height * np.append(share, 0)
        pen: Any = {"facecolor": colour_of(index), "linewidth": 0}
        ax.fill_between(edges, floor, top, step="post", **pen)
    return -height * (n + 0.15)


def _columns(diagram: Reliability, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """Edges of narrow columns, and how high each is beside the highest.

    Heights are square roots, so that few guesses are seen beside many.
    """
    finite = np.isfinite(diagram.confidence)
    values, weight = _drawn(diagram.confidence[finite]), diagram.weight[finite]
    amounts, edges = np.histogram(values, _BINS, ends, weights=weight)
    return edges, np.sqrt(amounts / max(amounts.max(), 1e-300))


def _mark_targets(left: "Axes", right: "Axes", scene: _ReliabilityScene) -> None:
    """Targets as vertical lines; the cutoffs they lead to as markers on the curves."""
    targets = sorted(
        {t.target for calibration in scene.calibrations for t in calibration.trust}
    )
    for target in targets:
        right.axvline(target, color=GREY, linewidth=0.7, zorder=1)
        above: Any = {"xy": (target, 1), "xycoords": right.get_xaxis_transform()}
        words = f"{target:g}"
        small(right, words, (2, -10), **above)
    for index, each in enumerate(scene.calibrations):
        colour = colour_of(index)
        for trust in each.trust:
            best, trusted = _place(trust.best), _place(trust.trusted)
            left.plot(*best, **_best_pen(colour))
            left.plot(*trusted, **dot_pen(colour, 6, "X"))
            if len(targets) > 1 and scene.few:
                words, xy = f"{trust.target:g}", (*trusted[0], *trusted[1])
                outline(small(left, words, (5, 2), xy=xy, color=colour))


def _place(point: Point) -> tuple[list[float], list[float]]:
    return [point.nonreturn], [point.error or 0.0]


def _best_pen(colour: str) -> dict[str, Any]:
    """A hollow star, around the filled mark of trust if they are at one place."""
    return {**dot_pen(colour, 12, "*"), "markerfacecolor": "white"}


# -- what is said -------------------------------------------------------------------


def _entries(left: "Axes", scene: _ReliabilityScene) -> list[Entry]:
    """One legend for both panels; that of the left one goes."""
    legend: Any = left.get_legend()
    words = [text.get_text() for text in legend.get_texts()]
    signs = list(zip(words, legend.legend_handles, strict=True))
    legend.remove()
    n = len(scene.names)
    keys = [sign for sign in signs[n:] if sign[0]] + _keys(scene)
    return [*_systems(scene), blank(), *keys]


def _systems(scene: _ReliabilityScene) -> list[Entry]:
    from matplotlib.lines import Line2D

    pens = [
        marker_pen(index) if each.curve.ladder is None else line_pen(index)
        for index, each in enumerate(scene.calibrations)
    ]
    signs = [Line2D([], [], **pen) for pen in pens]
    return list(zip(scene.names, signs, strict=True))


def _keys(scene: _ReliabilityScene) -> list[Entry]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    grey = GREY
    keys: list[Entry] = []
    if any(calibration.trust for calibration in scene.calibrations):
        keys = [
            (_TRUSTED, Line2D([], [], **dot_pen(grey, 6, "X"))),
            (_BEST, Line2D([], [], **_best_pen(grey))),
        ]
    if scene.stated:
        keys.append((_PERFECT, Line2D([], [], **_DIAGONAL)))
    if scene.band is not None:
        words = f"{scene.band.level:.0%} consistency band, pointwise"
        keys.append((words, Patch(**_BAND)))
    if 0 < len(scene.shown) <= _MOST_STRIPS:
        keys.append((_STRIPS, Patch(facecolor=grey, linewidth=0)))
    if scene.left_out:
        names = scene.left_out
        who = ", ".join(names) if len(names) < 3 else f"{len(names)} systems"
        keys.append((f"not on the right: {who}", blank()[1]))
    return keys
