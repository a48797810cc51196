"""What pictures are drawn with: pens, names, new axes, legends, labels beside lines."""

import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats, Positions
from demur.checks import of_kind
from demur.errors import InputError, MissingExtra, shown
from demur.files import new_file
from demur.plots.fonts import families_for

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation, Text

GREY = "#595959"
COLUMNS = 2000
"""Columns of pixels that a picture is drawn for: 13 inches at 150 dots per inch."""

# After Okabe and Ito (2008), without yellow and with a grey; shifted so that lightness
# rises evenly: they stay apart in print and for colour-blind readers.
COLOURS = (
    *("#000000", "#005BA5", "#C04E00", "#008F68"),
    *("#BE6FAE", "#9A9A9A", "#E69F00", "#74C3F0"),
)
_WIDTHS = (1.8, 1.1, 1.5)
_DASHES = ((), (7, 2), (5, 1.5, 1, 1.5), (2.5, 1.2), (8, 1.5, 1, 1.5, 1, 1.5))
_LIKE, _EXCHANGED = (3, 4), {1: 2, 2: 1}
MARKERS = "osD^vPX<>p"
"""The shapes of markers, as matplotlib names them."""
_NAME_LENGTHS = (32, 48, 72)
_LONGEST_COLUMN = 28

MISSED = "missed chance: right, but withheld"

SHARES = {
    "right": ("right", "#00456B", ""),
    "error": ("error", "#D55E00", "////"),
    "missed": (MISSED, "#E69F00", "...."),
    "avoided": ("avoided error: wrong, but withheld", "#9AD0F0", "\\\\\\\\"),
    "correct_decline": ("correct decline: unanswerable", "#BFE8D4", "oo"),
    "no_guess": ("no guess", "#E3E3E3", ""),
    "ungraded": ("ungraded", "#FFFFFF", "xxxx"),
}
"""What becomes of an input: words, colour and hatch, from dark to light."""

Entry = tuple[str, "Artist"]
"""Words of a legend and the sign beside them."""

Boxes = npt.NDArray[np.float64]
"""Left, bottom, right and top of each box in pixels, shape (n, 4)."""


# -- pens ---------------------------------------------------------------------------


def colour_of(index: int) -> str:
    """Colour of the n-th system."""
    return COLOURS[index % len(COLOURS)]


def line_pen(index: int) -> dict[str, Any]:
    """Line properties of the n-th system; the first is thick and solid."""
    # 8 colours and 5 dashes meet again after 40 systems only; systems of one colour
    # that come soon after each other have dashes that are easily told apart.
    turn, colour = divmod(index, len(COLOURS))
    late = _EXCHANGED.get(turn, turn) if colour in _LIKE else turn
    dash = _DASHES[(colour + late * len(COLOURS)) % len(_DASHES)]
    return {
        "color": colour_of(index),
        "linestyle": (0, dash) if dash else "solid",
        "linewidth": _WIDTHS[turn % len(_WIDTHS)] if index else 2.6,
    }


def marker_pen(index: int) -> dict[str, Any]:
    """Properties of the marker of the n-th system."""
    shape = MARKERS[index % len(MARKERS)]
    return {**dot_pen(colour_of(index), 8, shape), "markeredgecolor": "white"}


def missed_pen(colour: str) -> dict[str, Any]:
    """Line properties of missed chances."""
    return {"color": colour, "linewidth": 0.9, "linestyle": (0, (3, 2.5))}


def start_pen(colour: str) -> dict[str, Any]:
    """Properties of the hollow marker where a curve starts late."""
    return {**dot_pen(colour, 5.5), "markerfacecolor": "white"}


def band_pen(colour: str) -> dict[str, Any]:
    """Area properties of what ungraded answers leave open."""
    return {"facecolor": colour, "alpha": 0.2, "linewidth": 0}


def confidence_pen(colour: str) -> dict[str, Any]:
    """Area properties of a confidence band: pale, with thin edges."""
    return {"facecolor": (colour, 0.12), "edgecolor": (colour, 0.6), "linewidth": 0.5}


def share_pen(name: str) -> dict[str, Any]:
    """Area properties of a share; hatches are white on dark colours."""
    _, colour, hatch = SHARES[name]
    edge = "white" if name in ("error", "missed", "avoided") else "#8C8C8C"
    return {"facecolor": colour, "edgecolor": edge, "hatch": hatch, "linewidth": 0.4}


def dot_pen(colour: str, size: float, shape: str = "o") -> dict[str, Any]:
    """Properties of a marker, drawn over lines and the edges of the axes."""
    pen = {"color": colour, "marker": shape, "markersize": size, "linestyle": "none"}
    return {**pen, "clip_on": False, "zorder": 4}


# -- numbers and words --------------------------------------------------------------


def thinned(nonreturn: Floats, *, columns: int = COLUMNS) -> Positions:
    """Positions that are enough to draw a monotone line over ``nonreturn``.

    Parameters
    ----------
    nonreturn : array, shape (n,)
        Rising, in [0, 1].
    columns : int
        Width of the picture in columns; the line moves by less than one.

    Returns
    -------
    array of int64, shape (n_kept,)
        All positions if there are at most two per column; else the first and the last
        of each column, which of a monotone line are its extremes there.

    Examples
    --------
    >>> import numpy as np
    >>> thinned(np.linspace(0, 1, 9), columns=2)
    array([0, 3, 4, 7, 8])
    """
    n = len(nonreturn)
    if n <= 2 * columns:
        return np.arange(n)
    column = (nonreturn * columns).astype(np.int64)
    new = np.ones(n + 1, bool)
    np.not_equal(column[1:], column[:-1], out=new[1:-1])
    return np.flatnonzero(new[:-1] | new[1:])


def short_names(names: Sequence[str]) -> list[str]:
    r"""Names on one line each, cut in the middle; different ones stay different.

    Examples
    --------
    >>> short_names(["two\nlines", "a-very-long-name-of-a-system-and-its-prompt"])
    ['two\\nlines', 'a-very-long-nam…m-and-its-prompt']
    """
    lines = [_one_line(name) for name in names]
    short = lines
    for length in _NAME_LENGTHS:
        short = [_cut(line, length) for line in lines]
        if len(set(short)) == len(set(lines)):
            return short
    return [f"{number} {name}" for number, name in enumerate(short, 1)]


def _one_line(name: str) -> str:
    return "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in name
    )


def _cut(line: str, length: int) -> str:
    half = length // 2
    return line if len(line) <= length else f"{line[: half - 1]}…{line[-half:]}"


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
    look = {"fontsize": "small", "color": GREY, "va": "bottom", **place}
    text = ax.annotate("", xytext=offset, textcoords="offset points", **look)
    literal(text, words)
    return text


def outline(text: "Text") -> None:
    """Keep words readable on lines by a white edge."""
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


# -- axes and legends ---------------------------------------------------------------


def new_axes(
    n: int, *, size: tuple[float, float], across: int = 1, shared: bool = True
) -> list["Axes"]:
    """Axes on a new figure; through pyplot only if the user has loaded it.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        from matplotlib import figure as figures
    except ImportError:
        raise MissingExtra("plot", "Drawing a picture") from None
    # Notebooks show the figures that pyplot knows.
    pyplot = sys.modules.get("matplotlib.pyplot")
    make = pyplot.figure if pyplot else figures.Figure
    figure = make(figsize=size, layout="constrained")
    down = math.ceil(n / across)
    grid = figure.subplots(down, across, sharex=shared, sharey=shared, squeeze=False)
    for spare in grid.flat[n:]:
        spare.remove()
    return list(grid.flat[:n])


def flat(axes: "Axes | Iterable[Axes]") -> list["Axes"]:
    """One Axes, or any collection or array of them, as a list."""
    return list(np.ravel(np.asarray(axes, dtype=object)))


def add_legend(
    ax: "Axes", entries: Sequence[Entry], title: str = "", *, inside: bool = False
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


def blank() -> Entry:
    """An empty row of a legend."""
    from matplotlib.lines import Line2D

    return "", Line2D([], [], linestyle="none")


def make_room(ax: "Axes", legend: "Legend") -> None:
    """Widen the figure by the legend, and make it as tall."""
    figure: Any = ax.figure
    box = legend.get_window_extent()
    width, height = figure.get_size_inches()
    tall = max(height, box.height / figure.dpi + 1)
    figure.set_size_inches(width + box.width / figure.dpi, tall)


def settle(ax: "Axes") -> None:
    """Lay the figure out for good, so that each time it is saved the same way."""
    figure: Any = ax.figure
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


# -- shares -------------------------------------------------------------------------


def draw_band(ax: "Axes", band: Any, index: int, *, filled: bool = True) -> None:
    """The band of the n-th system, below the lines; many bands are edges only."""
    if filled:
        pen = {**confidence_pen(colour_of(index)), "zorder": 1.5}
        ax.fill_between(band.nonreturn, band.low, band.high, **pen)
        return
    thin = {**line_pen(index), "linewidth": 0.7, "zorder": 1.5}
    for edge in (band.low, band.high):
        ax.plot(band.nonreturn, edge, **thin)


def stack_shares(ax: "Axes", rates: Any) -> set[str]:
    """Draw a split as areas on each other, or the shares of one point as a bar.

    Returns the names of the shares that occur.
    """
    one = np.ndim(rates.nonreturn) == 0
    x = np.atleast_1d(rates.nonreturn)
    kept = thinned(x)
    bottom, present = np.zeros(len(kept)), set()
    for name in SHARES:
        share = np.atleast_1d(getattr(rates, name, 0.0))
        if share.any():
            present.add(name)
            top = bottom + share[kept]
            if one:
                ax.bar(x, share, 0.05, bottom, **share_pen(name))
            else:
                ax.fill_between(x[kept], bottom, top, **share_pen(name))
            bottom = top
    return present


def share_entries(present: set[str]) -> list[Entry]:
    """Legend entries for shares, in the order of the stack."""
    from matplotlib.patches import Patch

    listed = [name for name in reversed(SHARES) if name in present]
    return [(SHARES[name][0], Patch(**share_pen(name))) for name in listed]


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
    figure: Any = ax.figure
    figure.draw_without_rendering()
    ink = np.concatenate([_ink(line) for line in ax.lines])
    taken = [text.get_window_extent().extents for text in ax.texts]
    written: list[Annotation] = []
    for words, line in wishes:
        colour = GREY if line.get_linestyle() == "None" else line.get_color()
        text = small(ax, words, (0, 0), xy=(0, 0), color=colour)
        written.append(text)
        size = np.array(text.get_window_extent().size)
        boxes = _boxes_around(_ink(line)[::6], size)
        free = _free(boxes, ax.bbox.extents, ink, np.array(taken).reshape(-1, 4))
        if not free.any():
            for each in written:
                each.remove()
            return False
        box = boxes[int(np.argmax(free))]
        taken.append(box)
        text.xy = tuple(ax.transData.inverted().transform(box[:2]))
    return True


def write_values(ax: "Axes", x: float, dots: list[tuple[float, str, str]]) -> None:
    """Values, as (y, words, colour), beside their dots; none on top of another.

    Curves fall: there is room at the lower left of the lowest dot and at the upper
    right of the highest.
    """
    width, height = np.array(ax.get_window_extent().size) / ax.figure.dpi * 72
    gap = 11 * ax.get_ylim()[1] / height
    floor = -math.inf
    for rank, (y, words, colour) in enumerate(sorted(dots)):
        room = (5 * len(words) + 5) / width
        below = rank == 0 and len(dots) > 1 and x > room and y > gap
        left = below or x + room > 1
        if not below:
            floor = y = max(y, floor + gap)
        side = {"ha": "right" if left else "left", "va": "top" if below else "bottom"}
        offset = (-4 if left else 4, -2 if below else 2)
        outline(small(ax, words, offset, xy=(x, y), color=colour, **side))


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
        must = "end in .png, .svg or .pdf"
        name = shown(Path(path).name)
        raise InputError("save", "path", must, name, "Choose one of these.")
    return ending
