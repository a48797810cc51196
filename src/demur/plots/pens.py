"""What pictures are drawn with: pens, names, new axes, legends, labels beside lines."""

import itertools
import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats
from demur.checks import of_kind
from demur.errors import InputError, MissingExtra, shown
from demur.figures.looks import SHARES, shape_of, stroke
from demur.files import new_file
from demur.plots.fonts import families_for
from demur.results.pictures import Bars, Dots, Look, Mark, Shares, Spans

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation, Text

GREY = "#595959"

# After Okabe and Ito (2008), with a violet instead of yellow; shifted so that lightness
# rises evenly: they stay apart in print and for colour-blind readers. None is grey, for
# the systems behind another one are.
COLOURS = (
    *("#000000", "#005BA5", "#C04E00", "#008F68"),
    *("#BE6FAE", "#9A8CF0", "#E69F00", "#74C3F0"),
)
ON_DARK = (
    *("#F2F2F2", "#5AA9F0", "#FF9A57", "#3CCFA4"),
    *("#E3A3D6", "#8A6CFF", "#F2C14E", "#A5DBFA"),
)
_ROLES = {
    "note": (GREY, "#B4B4B4"),
    "pale": ("#C8C8C8", "#5E5E5E"),
    "region": ("#ECECEC", "#2E2E2E"),
    "expected": ("#E0E0E0", "#3D3D3D"),
}
_SHARES_ON_DARK = {
    "right": "#2F7DB0",
    "error": "#FF8A3D",
    "missed": "#F2C14E",
    "no_guess": "#6F767C",
    "ungraded": "#14181C",
}
_MIDDLE = 0.18
"""Faces of less luminance are dark: white is better seen on them than black."""

_LONGEST_COLUMN = 28

LegendRow = tuple[str, "Artist"]
"""Words of a legend and what stands beside them."""

Boxes = npt.NDArray[np.float64]
"""Left, bottom, right and top of each box in pixels, shape (n, 4)."""


# -- pens ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Inks:
    """Colours that are seen on the face of some axes.

    Parameters
    ----------
    face, text : colour
        What is behind the lines, and the colour of words.
    dark : bool
        Whether the face is.
    every : colour, optional
        Of all systems.
    """

    face: Any = "white"
    text: Any = "black"
    dark: bool = False
    every: Any = None

    def of(self, look: Look) -> Any:
        """The colour of a system or a role."""
        if isinstance(look, int):
            colours = ON_DARK if self.dark else COLOURS
            return self.every or colours[look % len(colours)]
        return self.text if look == "ink" else _ROLES[look][self.dark]


def inks_of(ax: "Axes", every: Any = None) -> Inks:
    """What is seen on some axes: words in the colour of the style, where that is."""
    from matplotlib import rcParams

    faces = (ax.get_facecolor(), ax.figure.get_facecolor(), "white")
    face = next(face for face in faces if _alpha(face) > 0)
    text = rcParams["text.color"]
    dark = luminance(face) < _MIDDLE
    if contrast(text, face) < 3:
        text = "white" if dark else "black"
    return Inks(face, text, dark, every)


def _alpha(colour: Any) -> float:
    from matplotlib.colors import to_rgba

    return to_rgba(colour)[3]


def luminance(colour: Any) -> float:
    """Relative luminance of a colour, from 0 to 1, as WCAG 2 has it."""
    from matplotlib.colors import to_rgb

    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: Any, other: Any) -> float:
    """Contrast of two colours, from 1 to 21, as WCAG 2 has it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


LIGHT = Inks()


def line_pen(
    look: Look, style: str = "system", inks: Inks = LIGHT, name: str = ""
) -> dict[str, Any]:
    """Line properties of a system or role; the first system is thick and solid."""
    width, dashes = stroke(look, style)
    pen = {"linewidth": width, "linestyle": (0, dashes) if dashes else "solid"}
    if style == "thick":
        pen["solid_capstyle"] = "butt"
    if not isinstance(look, int) or style == "edge":
        pen["zorder"] = 1.5  # below the systems
    return {"color": inks.of(look), **pen, "label": name or "_"}


def dot_pen(dots: Dots, inks: Inks = LIGHT) -> dict[str, Any]:
    """Properties of markers, drawn over lines and the edges of the axes."""
    colour = inks.of(dots.look)
    pen = {
        "color": colour,
        "marker": dots.shape or shape_of(dots.look),
        "markersize": dots.size,
        "linestyle": "none",
    }
    if dots.hollow:
        pen["markerfacecolor"] = inks.face
    elif dots.size >= 8:
        pen["markeredgecolor"] = inks.face
    if dots.faint:
        pen |= {"alpha": 0.45, "markeredgewidth": 0}
    return {**pen, "clip_on": False, "zorder": 4}


def area_pen(mark: Mark, inks: Inks = LIGHT) -> dict[str, Any]:
    """Properties of an area; hatches are white on dark colours."""
    if isinstance(mark, Shares):
        return _share_pen(next(iter(mark.amounts)), inks)
    colour = inks.of(getattr(mark, "look", "ink"))
    if isinstance(mark, Spans):
        return {"facecolor": colour, "linewidth": 0, "zorder": 3 * (mark.height < 1)}
    if isinstance(mark, Bars):
        return {"facecolor": colour, "alpha": 0.75, "linewidth": 0}
    style = getattr(mark, "style", "solid")
    if style == "open":
        return {"facecolor": colour, "alpha": 0.2, "linewidth": 0}
    if style == "band":
        edge = {"edgecolor": (colour, 0.6), "linewidth": 0.5, "zorder": 1.5}
        return {"facecolor": (colour, 0.12), **edge}
    return {"facecolor": colour, "linewidth": 0, "zorder": 0.5}


def _share_pen(name: str, inks: Inks) -> dict[str, Any]:
    _, colour, hatch = SHARES[name]
    if inks.dark:
        colour = _SHARES_ON_DARK.get(name, colour)
    edge = "white" if name in ("error", "missed", "avoided") else "#8C8C8C"
    return {"facecolor": colour, "edgecolor": edge, "hatch": hatch, "linewidth": 0.4}


# -- words --------------------------------------------------------------------------


def literal(text: "Text", words: str) -> None:
    """Words as they are: dollars and underscores are no formulae."""
    text.set_fontfamily(families_for(words, text.get_fontfamily()))
    text.set_usetex(False)
    text.set_parse_math(False)
    text.set_text(words)


def small(
    ax: "Axes", words: str, offset: tuple[float, float], **place: Any
) -> "Annotation":
    """Small words at an offset, in points, from a place ``xy``."""
    look = {"fontsize": "small", "va": "bottom", **place}
    look.setdefault("color", inks_of(ax).of("note"))
    text = ax.annotate("", xytext=offset, textcoords="offset points", **look)
    literal(text, words)
    return text


def outline(text: "Text", face: Any) -> None:
    """Keep words readable on lines by an edge in the colour of the face."""
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=2.5, foreground=face)])


# -- axes and legends ---------------------------------------------------------------


def new_axes(
    n: int,
    *,
    size: tuple[float, float],
    across: int = 1,
    shared: str = "",
    heights: Sequence[float] = (),
) -> list["Axes"]:
    """Axes on a new figure; through pyplot in a notebook, or if the user has loaded it.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        from matplotlib import figure as figures
    except ImportError:
        raise MissingExtra("plot", "Drawing a picture") from None
    # Notebooks show the figures that pyplot knows, and no others.
    if "ipykernel" in sys.modules:
        import_module("matplotlib.pyplot")
    pyplot = sys.modules.get("matplotlib.pyplot")
    make = pyplot.figure if pyplot else figures.Figure
    figure = make(figsize=size, layout="constrained")
    return axes_in(figure, n, across=across, shared=shared, heights=heights)


def axes_in(
    figure: Any, n: int, *, across: int, shared: str, heights: Sequence[float] = ()
) -> list["Axes"]:
    """Axes in a figure or a part of one, row by row."""
    grid = figure.subplots(
        math.ceil(n / across),
        across,
        sharex="x" in shared,
        sharey="y" in shared,
        squeeze=False,
        height_ratios=heights or None,
    )
    for spare in grid.flat[n:]:
        spare.remove()
    return list(grid.flat[:n])


def flat(axes: "Axes | Iterable[Axes]") -> list["Axes"]:
    """One Axes, or any collection or array of them, as a list."""
    return list(np.ravel(np.asarray(axes, dtype=object)))


def add_legend(
    ax: "Axes", entries: Sequence[LegendRow], title: str = "", *, inside: bool = False
) -> "Legend":
    """A legend to the right of the axes, or inside; its words are shown literally."""
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1)}
    if inside:
        place = {"loc": "upper right", "framealpha": 0.85, "edgecolor": "none"}
    legend = ax.legend(
        [sign for _, sign in entries],
        # A word that begins with an underscore could hide its entry.
        ["-"] * len(entries),
        title="-" if title else None,
        **place,
        borderaxespad=0,
        alignment="left",
        ncols=math.ceil(len(entries) / _LONGEST_COLUMN),
        frameon=inside,
        fontsize="small",
        title_fontsize="small",
        handlelength=3.4,
    )
    for text, (words, _) in zip(legend.get_texts(), entries, strict=True):
        literal(text, words)
    if title:
        literal(legend.get_title(), title)
    return legend


def make_room(ax: "Axes", *legends: "Legend") -> None:
    """Widen the figure by its widest legend, and make it as tall as each."""
    figure: Any = ax.figure
    boxes = [legend.get_window_extent() for legend in legends]
    width, height = figure.get_size_inches()
    wide = max(box.width for box in boxes) / figure.dpi
    tall = max(box.height for box in boxes) / figure.dpi + 1
    figure.set_size_inches(width + wide, max(height, tall))


def lay_out(figure: Any) -> None:
    """Put everything into its place; where nothing lays out, as drawing would."""
    engine = figure.get_layout_engine()
    if engine is None:
        figure.draw_without_rendering()
    else:
        engine.execute(figure)


def settle(ax: "Axes") -> None:
    """Lay the figure out for good, so that each time it is saved the same way."""
    lay_out(ax.figure)
    figure: Any = ax.figure
    figure.set_layout_engine("none")


# -- labels beside lines ------------------------------------------------------------


def label_beside(ax: "Axes", wishes: Sequence[tuple[str, "Line2D"]]) -> bool:
    """Write all words beside their lines where nothing else is drawn, or none.

    Parameters
    ----------
    ax : matplotlib Axes
        With everything else drawn already.
    wishes : sequence of (words, line)
        The words take the first free place beside the line, and its colour.

    Returns
    -------
    bool
        Whether there was room for all of them.
    """
    lay_out(ax.figure)
    ink = np.concatenate([_ink(line) for line in ax.lines])
    taken = [text.get_window_extent().extents for text in ax.texts]
    written: list[Annotation] = []
    note = inks_of(ax).of("note")
    for words, line in wishes:
        colour = note if line.get_linestyle() == "None" else line.get_color()
        text = small(ax, words, (0, 0), xy=(0, 0), color=colour)
        written.append(text)
        size = np.array(text.get_window_extent().size)
        boxes = _boxes_around(_ink(line)[::6], size)
        free = _free(boxes, ax.bbox.extents, ink, np.array(taken).reshape(-1, 4))
        if not free.any():
            for label in written:
                label.remove()
            return False
        box = boxes[int(np.argmax(free))]
        taken.append(box)
        text.xy = tuple(ax.transData.inverted().transform(box[:2]))
    return True


def write_values(ax: "Axes", x: float, dots: Sequence[tuple[float, str, Any]]) -> None:
    """Values, as (y, words, colour), beside their dots; none on top of another.

    Curves fall: there is room at the lower left of the lowest dot and at the upper
    right of the highest.
    """
    face = inks_of(ax).face
    width, height = np.array(ax.get_window_extent().size) / ax.figure.dpi * 72
    places = ax.transData.transform([(x, y) for y, *_ in dots])
    shares = ax.transAxes.inverted().transform(places)
    gap, floor = 11 / height, -math.inf
    order = sorted(range(len(dots)), key=lambda place: shares[place][1])
    for rank, place in enumerate(order):
        (right, up), (_, words, colour) = shares[place], dots[place]
        room = (5 * len(words) + 5) / width
        below = rank == 0 and len(dots) > 1 and right > room and up > gap
        left = below or right + room > 1
        if not below:
            floor = up = max(up, floor + gap)
        side = {"ha": "right" if left else "left", "va": "top" if below else "bottom"}
        offset = (-4 if left else 4, -2 if below else 2)
        where: Any = {"xy": (right, up), "xycoords": "axes fraction", **side}
        outline(small(ax, words, offset, color=colour, **where), face)


def write_names(
    ax: "Axes", x: Iterable[float], y: Iterable[float], names: Iterable[str]
) -> None:
    """Names at dots, where they cover no other; the first have the first choice."""
    for place, name in zip(zip(x, y, strict=True), names, strict=True):
        taken = [text.get_window_extent() for text in ax.texts]
        for right, up in itertools.product((1, -1), (1, -1)):
            side = {"ha": "left" if right > 0 else "right"}
            side["va"] = "bottom" if up > 0 else "top"
            text = small(ax, name, (4 * right, 2 * up), xy=place, **side)
            box = text.get_window_extent()
            if ax.bbox.containsx(box.x1) and not any(map(box.overlaps, taken)):
                break
            text.remove()


def _ink(line: Any) -> Floats:
    """Pixels of a line inside its axes, about two apart, shape (n, 2)."""
    from matplotlib.path import Path

    x, y = line.get_data()
    if line.get_drawstyle() == "steps-post":
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    pixels = line.get_transform().transform(np.column_stack([x, y]))
    if len(pixels) == 1:
        return np.asarray(pixels)
    edges = line.axes.bbox.padded(9).extents
    path: Any = Path(pixels).cleaned(clip=tuple(edges))
    known = path.codes != Path.STOP
    corners, jumps = path.vertices[known], path.codes[known][1:] == Path.MOVETO
    gone = np.hypot(*np.diff(corners, axis=0).T)
    gone = np.append(0, np.where(jumps, 0, gone).cumsum())[: len(corners)]
    stops = np.arange(0, gone.max(initial=0), 2)
    return np.column_stack([np.interp(stops, gone, part) for part in corners.T])


def _boxes_around(places: Floats, size: Floats) -> Boxes:
    around = np.array([(1, 1), (-1, -1), (1, -1), (-1, 1)])
    middle = places[:, None, :] + around * (size / 2 + 5)
    return np.concatenate([middle - size / 2, middle + size / 2], axis=2).reshape(-1, 4)


def _free(boxes: Boxes, inside: Any, ink: Floats, taken: Boxes) -> npt.NDArray[Any]:
    """Which boxes lie inside, off all ink, and off all boxes that are taken."""
    low, high = boxes[:, None, :2] - 3, boxes[:, None, 2:] + 3
    within = (low[:, 0] >= inside[:2]).all(1) & (high[:, 0] <= inside[2:]).all(1)
    blotted = np.any(((ink > low) & (ink < high)).all(2), axis=1)
    covered = np.any(((taken[:, :2] < high) & (taken[:, 2:] > low)).all(2), axis=1)
    free: npt.NDArray[Any] = within & ~blotted & ~covered
    return free


# -- files -------------------------------------------------------------------------


ENDINGS = (".png", ".svg", ".pdf")
"""What a picture can be written as, told by the ending of its path."""


def save_picture(picture: "Figure | Axes | Iterable[Axes]", path: str | Path) -> None:
    """Write a picture to a file; equal pictures give equal bytes.

    Parameters
    ----------
    picture : matplotlib Figure, Axes, or iterable of Axes
        From `plot_curves`, `plot_split` or your own.
    path : str or Path
        Ends in one of `ENDINGS`.

    Raises
    ------
    InputError
        If the ending is another.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> demur.save_picture(None, "curves.jpg")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: save: path must end in .png, .svg or .pdf;
    got 'curves.jpg'. Choose one of these.
    """
    ending = check_picture_ending(path)
    try:
        import matplotlib
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plot", "Writing a picture") from None
    if not isinstance(picture, Figure):
        for ax in flat(picture):
            of_kind("save_picture", "picture", ax, Axes)
    figure: Any = picture if isinstance(picture, Figure) else flat(picture)[0].figure
    date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    # Type 42 fonts, because publishers refuse the usual Type 3.
    settings: Any = {"svg.hashsalt": "demur", "pdf.fonttype": 42}
    with ExitStack() as during:
        during.enter_context(matplotlib.rc_context(settings))
        during.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", "Glyph .* missing")  # drawn as a box
        file = during.enter_context(new_file(path))
        figure.savefig(
            file,
            format=ending[1:],
            dpi=150,
            bbox_inches="tight",
            metadata=date.get(ending),
        )


def check_picture_ending(path: str | Path) -> str:
    """The ending of a picture's path, if it is one that can be written.

    Raises
    ------
    InputError
        If it is another.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        need = "end in .png, .svg or .pdf"
        name = shown(Path(path).name)
        raise InputError("save", "path", need, name, "Choose one of these.")
    return ending
