"""Pictures on matplotlib axes, new ones or the user's own."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.checks import text
from demur.errors import InputError
from demur.figures import picture_of
from demur.figures.looks import across, relooked, thinned
from demur.plots import pens
from demur.plots.pens import Inks, LegendRow, literal, small
from demur.results.pictures import (
    Axis,
    Bars,
    Dots,
    Entry,
    Level,
    Line,
    Mark,
    Matrix,
    Panel,
    Picture,
    Shade,
    Shares,
    Spans,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEAR = 0.09
"""Words above the axes that are nearer than this share of the width make room."""

_LETTER = 7
"""Points that a letter takes, with what is left free between words."""

_SHORT = 6
"""So many letters are never turned."""

_DARK_CELL = 0.55
_DRAWING: Final = ("color", "legend", "title")


def plot_result(result: Any, ax: Any = None, axes: Any = None, **words: Any) -> Any:
    """Draw the picture of a result.

    Parameters
    ----------
    result : Result
        One that has a picture, or several that stand in one.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out. Of a picture of several panels these
        take the place of axes in a grid, as ``pyplot.subplots`` makes them. A figure or
        subfigure without axes holds any picture.
    axes : iterable of matplotlib Axes, optional
        Where to draw a picture of several panels.
    **words
        ``legend``, ``title`` and ``color`` (of all systems), and what the function of
        `demur.figures` takes for such a result.

    Returns
    -------
    matplotlib Axes, or list of them
        Of a picture of several panels.

    Raises
    ------
    InputError
        If there is no picture of such a result, or the axes are too few or too many.
    UndefinedRate
        If this one has no numbers to draw.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> counts = demur.difficulty_of_counts({"run": {"go": 3}})
    >>> plot_result(counts, title="one word").get_xlabel()
    'items'
    """
    wishes = {name: words.pop(name) for name in _DRAWING if name in words}
    picture = picture_of(result, **words)
    drawn = draw(picture, axes=ax if axes is None else axes, **wishes)
    return drawn[0] if len(drawn) == 1 else drawn


def draw(
    picture: Picture,
    *,
    axes: Any = None,
    color: Any = None,
    legend: bool = True,
    title: str | None = None,
) -> list["Axes"]:
    """Draw a picture on a new figure, in a figure without axes, or on given axes.

    Parameters
    ----------
    picture : Picture
        With as many panels as axes are given.
    axes : Axes, iterable of Axes, Figure or SubFigure, optional
        Where to draw; a new figure if left out.
    color : any colour of matplotlib, optional
        Of all systems.
    legend : bool
        Whether to say what is what.
    title : str, optional
        Shown literally.

    Returns
    -------
    list of matplotlib Axes
        As many as panels.
    """
    if title is not None:
        text("plot", "title", title)
    panels = _axes_for(picture, axes)
    drawings = [
        _Drawing.on(ax, panel, color)
        for ax, panel in zip(panels, picture.panels, strict=True)
    ]
    for drawing in drawings:
        drawing.draw()
    if picture.shared:
        _label_outer(panels, picture)
    if title is not None:
        _write_title(drawings, title, new=axes is None)
    if axes is not None:
        for drawing in drawings:
            drawing.explain_inside(legend=legend)
        return panels
    legends = [drawing.explain_outside() for drawing in drawings] if legend else []
    if any(legends):
        pens.make_room(panels[0], *filter(None, legends))
    pens.settle(panels[0])
    return panels


def _axes_for(picture: Picture, axes: Any) -> list["Axes"]:
    n = len(picture.panels)
    grid: Any = {"across": picture.across, "heights": picture.heights}
    if axes is None:
        return pens.new_axes(n, size=picture.size, shared=picture.shared, **grid)
    if hasattr(axes, "subplots"):
        return pens.axes_in(axes, n, shared=picture.shared, **grid)
    given = pens.flat(axes)
    place = _place_of(given[0]) if len(given) == 1 < n else None
    if place is not None:
        given[0].set_axis_off()
        part = given[0].figure.add_subfigure(place)
        return pens.axes_in(part, n, shared=picture.shared, **grid)
    if len(given) != n:
        need = f"be {n}, one for each panel" if n > 1 else "be one"
        hint = "A figure or subfigure without axes holds any picture." if n > 1 else ""
        raise InputError("plot", "axes", need, str(len(given)), hint)
    for ax in given:
        if not hasattr(ax, "transAxes"):
            need = "be Axes of matplotlib"
            raise InputError("plot", "axes", need, type(ax).__name__)
    return given


def _place_of(ax: Any) -> Any:
    """Where axes stand in a grid, which several can take; None if they stand freely."""
    return ax.get_subplotspec() if hasattr(ax, "get_subplotspec") else None


def _label_outer(panels: Sequence["Axes"], picture: Picture) -> None:
    """Words at the outer edges only."""
    for number, ax in enumerate(panels):
        lowest = number >= len(panels) - picture.across
        ax.tick_params(labelbottom=lowest)
        if not lowest:
            ax.set_xlabel("")
        if "y" in picture.shared and number % picture.across:
            ax.tick_params(labelleft=False)
            ax.set_ylabel("")


def _write_title(drawings: Sequence["_Drawing"], title: str, *, new: bool) -> None:
    first = drawings[0]
    if new and len(drawings) > 1:
        figure: Any = first.ax.figure
        literal(figure.suptitle(""), title)
    else:
        first.write_title(title)


# -- one panel ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Before:
    """What earlier calls have drawn into axes: how many systems, and their names."""

    looks: int = 0
    names: tuple[LegendRow, ...] = ()


@dataclass(frozen=True)
class _Drawing:
    """A panel on its axes."""

    ax: "Axes"
    panel: Panel
    inks: Inks
    before: _Before
    artists: dict[int, Any]

    @classmethod
    def on(cls, ax: "Axes", panel: Panel, color: Any) -> "_Drawing":
        before: _Before = ax.__dict__.get("_demur_before", _Before())
        if before.looks:  # systems of a second call look otherwise than the first
            panel = relooked(panel, lambda look: look + before.looks)
        return cls(ax, panel, pens.inks_of(ax, color), before, {})

    def draw(self) -> None:
        """Axes first, because words are placed by their scales."""
        self._frame()
        for mark in self.panel.marks:
            self.artists[id(mark)] = _DRAW[type(mark)](self, mark)
        self._write_values()
        self._write_levels()
        if self.panel.title:
            self.write_title(self.panel.title)
        if self.panel.heading:
            words = self.ax.set_title("", loc="left", fontsize="small")
            literal(words, self.panel.heading)
        if self.panel.note and not self.before.looks:
            place: Any = {"xy": (1, 1), "xycoords": "axes fraction", "ha": "right"}
            small(self.ax, self.panel.note, (0, self._lift), **place)

    @property
    def _lift(self) -> float:
        """How far above the axes there is room, in points."""
        levels = [mark for mark in self.panel.marks if isinstance(mark, Level)]
        return 15 if any(level.axis == "x" and level.words for level in levels) else 3

    def write_title(self, title: str) -> None:
        """Over the note and the words at levels."""
        note: Any = {"pad": self._lift + 14} if self.panel.note else {}
        literal(self.ax.set_title("", **note), title)

    def _frame(self) -> None:
        ax, x, y = self.ax, self.panel.x, self.panel.y
        if x.log:
            ax.set_xscale("log")
        top = ax.get_ylim()[1] if self.before.looks else y.high
        ax.set_xlim(x.low, x.high)
        ax.set_ylim(y.low, max(y.high, top) if y.low < y.high else y.high)
        literal(ax.xaxis.label, x.label)
        literal(ax.yaxis.label, y.label)
        for side, axis in ((ax.xaxis, x), (ax.yaxis, y)):
            if axis.ticks:
                _set_ticks(side, axis, turned=side is ax.xaxis)
        if not any(isinstance(mark, Matrix) for mark in self.panel.marks):
            ax.spines[["top", "right"]].set_visible(False)

    def _write_values(self) -> None:
        """Words beside dots, those over one place together."""
        over: dict[float, list[tuple[float, str, Any]]] = {}
        for mark in self.panel.marks:
            if isinstance(mark, Dots) and mark.words:
                if mark.faint:
                    pens.write_names(self.ax, mark.x, mark.y, mark.words)
                    continue
                colour = self.inks.of(mark.look)
                for x, y, words in zip(mark.x, mark.y, mark.words, strict=True):
                    if words:
                        over.setdefault(float(x), []).append((float(y), words, colour))
        for x, dots in over.items():
            pens.write_values(self.ax, x, dots)

    def _write_levels(self) -> None:
        levels = [m for m in self.panel.marks if isinstance(m, Level) and m.words]
        upright = [level for level in levels if level.axis == "x"]
        places = [float(across(level.at, self.panel.x)) for level in upright]
        turned = _too_long(self.ax, places, [level.words for level in upright])
        for level in levels:
            colour = self.inks.of(level.look)
            if level.axis == "y":
                right: Any = {"xycoords": self.ax.get_yaxis_transform(), "ha": "right"}
                right |= {"xy": (1, level.at), "color": colour}
                small(self.ax, level.words, (0, 2), **right)
                continue
            top: Any = {"xycoords": self.ax.get_xaxis_transform()}
            top["ha"] = _side(across(level.at, self.panel.x), places)
            if turned:
                top |= {"ha": "left", "rotation": 35, "rotation_mode": "anchor"}
            small(self.ax, level.words, (0, 2), xy=(level.at, 1), **top)

    # -- what is said -----------------------------------------------------------------

    def explain_outside(self) -> Any:
        """Name what is drawn: beside it if there is room, else in a legend."""
        panel = self.panel
        wishes = [(words, self.artists[id(mark)]) for words, mark in panel.beside]
        direct = bool(wishes) and pens.label_beside(self.ax, wishes)
        names = [] if direct else self._rows(panel.names)
        rows = self._rows(s for s in panel.signs if s.always or not direct)
        blank = self._rows([Entry("")]) if names and rows else []
        if not (names or rows):
            return None
        return pens.add_legend(self.ax, [*names, *blank, *rows], panel.signs_title)

    def explain_inside(self, *, legend: bool) -> None:
        """One legend for all that was drawn into the user's own axes."""
        panel = self.panel
        names = (*self.before.names, *self._rows(panel.names))
        drawn = {getattr(mark, "look", "") for mark in panel.marks}
        looks = [look for look in drawn if isinstance(look, int)]
        used = 1 + max(looks, default=self.before.looks - 1)
        self.ax.__dict__["_demur_before"] = _Before(used, names)
        rows = [*names, *self._rows(panel.signs)]
        if legend and rows:
            pens.add_legend(self.ax, rows, panel.signs_title, inside=True)

    def _rows(self, entries: Iterable[Entry]) -> list[LegendRow]:
        return [(entry.words, self._sign(entry)) for entry in entries]

    def _sign(self, entry: Entry) -> Any:
        """What stands for some marks in a legend."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        pen: dict[str, Any] = {"linestyle": "none"}
        for mark in entry.marks:
            if isinstance(mark, Line):
                pen |= pens.line_pen(mark.look, mark.style, self.inks)
            elif isinstance(mark, Dots):
                pen |= pens.dot_pen(mark, self.inks)
            else:
                return Patch(**pens.area_pen(mark, self.inks))
        return Line2D([], [], **pen)


def _set_ticks(side: Any, axis: Axis, *, turned: bool) -> None:
    words = [label for _, label in axis.ticks]
    side.set_ticks([at for at, _ in axis.ticks], words)
    places = [float(across(at, axis)) for at, _ in axis.ticks]
    long = turned and _too_long(side.axes, places, words)
    for tick, label in zip(side.get_ticklabels(), words, strict=False):
        literal(tick, label)
        if long:
            tick.set(rotation=45, ha="right", rotation_mode="anchor")
        if long or len(words) > 8:
            tick.set_fontsize("small")


def _too_long(ax: "Axes", places: Sequence[float], words: Sequence[str]) -> bool:
    """Whether words are wider than what is between their places, and must be turned."""
    longest = max(map(len, words), default=0)
    width = ax.get_window_extent().width / ax.figure.dpi * 72
    gap = min(np.diff(sorted(places)), default=1.0) * width
    return longest >= _SHORT and (longest + 1) * _LETTER > gap


def _side(place: float, places: Sequence[float]) -> str:
    near = [other - place for other in places if 0 < abs(other - place) < _NEAR]
    if not near:
        return "center"
    return "right" if min(near, key=abs) > 0 else "left"


# -- marks --------------------------------------------------------------------------


def _line(on: _Drawing, line: Line) -> Any:
    steps = f"steps-{line.steps}" if line.steps else "default"
    kept = thinned(across(line.x, on.panel.x))
    pen = pens.line_pen(line.look, line.style, on.inks, line.name)
    (drawn,) = on.ax.plot(line.x[kept], line.y[kept], drawstyle=steps, **pen)
    return drawn


def _dots(on: _Drawing, dots: Dots) -> Any:
    (drawn,) = on.ax.plot(dots.x, dots.y, **pens.dot_pen(dots, on.inks))
    return drawn


def _shade(on: _Drawing, shade: Shade) -> Any:
    kept = thinned(across(shade.x, on.panel.x))
    edges = shade.x[kept], shade.low[kept], shade.high[kept]
    pen: Any = pens.area_pen(shade, on.inks)
    return on.ax.fill_between(*edges, step=shade.steps or None, **pen)


def _bars(on: _Drawing, bars: Bars) -> Any:
    draw_bars: Any = on.ax.barh if bars.lying else on.ax.bar
    drawn = draw_bars(bars.places, bars.lengths, 0.6, **pens.area_pen(bars, on.inks))
    look: Any = {"va": "center", "color": on.inks.text}
    for place, length, word in zip(bars.places, bars.lengths, bars.words, strict=False):
        small(on.ax, word, (4, 0), xy=(length, place), **look)
    return drawn


def _shares(on: _Drawing, shares: Shares) -> None:
    kept = thinned(across(shares.x, on.panel.x))
    x = shares.x[kept]
    for name, low, high in shares.stacked():
        pen: Any = pens.area_pen(Shares(x, {name: high}), on.inks)
        if len(shares.x) == 1:
            on.ax.bar(x, high - low, 0.05, low, **pen)
        else:
            on.ax.fill_between(x, low[kept], high[kept], **pen)


def _level(on: _Drawing, level: Level) -> Any:
    draw_line = on.ax.axvline if level.axis == "x" else on.ax.axhline
    pen: Any = {"color": on.inks.of(level.look), "linewidth": 0.7, "zorder": 1}
    return draw_line(level.at, **pen)


def _spans(on: _Drawing, spans: Spans) -> Any:
    pen: Any = pens.area_pen(spans, on.inks)
    if spans.height == 1:
        return [on.ax.axvspan(low, high, **pen) for low, high in spans.ends]
    ends = [(low, high - low) for low, high in spans.ends]
    at_foot = on.ax.get_xaxis_transform()
    return on.ax.broken_barh(ends, (0, spans.height), transform=at_foot, **pen)


def _matrix(on: _Drawing, matrix: Matrix) -> Any:
    drawn = on.ax.imshow(matrix.shares, cmap="Greys", vmin=0, vmax=1)
    for (row, column), share in np.ndenumerate(matrix.shares):
        if share >= 0.005:
            ink = "white" if share > _DARK_CELL else "black"
            words = f"{share:.2f}".lstrip("0") if share < 1 else "1"
            middle: Any = {"ha": "center", "va": "center", "fontsize": 8}
            on.ax.text(column, row, words, color=ink, **middle)
    return drawn


_DRAW: Final[dict[type[Mark], Callable[[_Drawing, Any], Any]]] = {
    Line: _line,
    Dots: _dots,
    Shade: _shade,
    Bars: _bars,
    Shares: _shares,
    Level: _level,
    Spans: _spans,
    Matrix: _matrix,
}
