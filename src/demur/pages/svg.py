"""Pictures as inline SVG: axes, lines, bands and bars, without a plotting library.

Colours are classes (``c0``, ``c1``, ...; ``note``; ``share-error``), so that the page's
style sheet can give them a light and a dark form.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.figures.looks import COLOURS_IN_ALL, across, shape_of, stroke, thinned
from demur.results import printable
from demur.results.pictures import (
    Axis,
    Bars,
    Dots,
    Entry,
    Level,
    Line,
    Look,
    Mark,
    Matrix,
    Panel,
    Picture,
    Shade,
    Shares,
    Spans,
)

_COLUMNS = 350  # a line moves by less than the width of one
_MOST_MARKS = 6
_AT_THE_END: Final = 0.9
_INCH: Final = 114
"""Units of the view box in an inch of a picture."""

_NARROWEST: Final = 360
"""Units of the view box across the smallest panel: words have room in it."""

_LETTER: Final = 7
"""About how wide a letter of a mark is."""

_LETTER_ON_PHONES: Final = 11
"""The same on a narrow screen, where letters are larger beside the picture."""

_SHORT: Final = 6
"""So many letters of a tick have room beside the axes on a narrow screen, too."""

_TURNED: Final = 60
"""So many letters over the axes are turned."""


def text_of(words: object) -> str:
    """Words as text of HTML or SVG, whatever marks they hold."""
    return escape(printable(str(words)))


def _class_of(look: Look) -> str:
    return f"c{look % COLOURS_IN_ALL}" if isinstance(look, int) else look


def _line_look(line: Line) -> str:
    """Class, width and dashes of a line, as attributes."""
    width, dashes = stroke(line.look, line.style)
    look = f'class="line {_class_of(line.look)}" stroke-width="{width:g}"'
    if not dashes:
        return look
    listed = " ".join(f"{part * width:.3g}" for part in dashes)
    return f'{look} stroke-dasharray="{listed}"'


_OUTLINES: dict[str, Sequence[tuple[float, float]]] = {
    "s": [(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)],
    "D": [(0, -6), (6, 0), (0, 6), (-6, 0)],
    "^": [(0, -6), (5.5, 4.5), (-5.5, 4.5)],
    "v": [(0, 6), (5.5, -4.5), (-5.5, -4.5)],
    "<": [(-6, 0), (4.5, 5.5), (4.5, -5.5)],
    ">": [(6, 0), (-4.5, 5.5), (-4.5, -5.5)],
    "p": [(0, -6), (5.7, -1.8), (3.5, 4.9), (-3.5, 4.9), (-5.7, -1.8)],
}
_PLUS = [(-2, -6), (2, -6), (2, -2), (6, -2), (6, 2), (2, 2), (2, 6), (-2, 6)]
_PLUS += [(-2, 2), (-6, 2), (-6, -2), (-2, -2)]
_OUTLINES["P"] = _PLUS
_OUTLINES["X"] = [(0.7 * (x - y), 0.7 * (x + y)) for x, y in _PLUS]


def _marker(x: float, y: float, dots: Dots, extra: str = "") -> str:
    """A marker at a place in a picture."""
    kind = "dot hollow" if dots.hollow else "dot faint" if dots.faint else "dot"
    look = f'class="{kind} {_class_of(dots.look)}"{extra}'
    outline = _OUTLINES.get(dots.shape or shape_of(dots.look))
    size = dots.size / 8
    if outline is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 * size:.3g}" {look}/>'
    corners = "L".join(f"{x + size * a:.1f} {y + size * b:.1f}" for a, b in outline)
    return f'<path d="M{corners}Z" {look}/>'


def marks(low: float, high: float) -> list[float]:
    """Round numbers from ``low`` to ``high``, a handful of them.

    Examples
    --------
    >>> marks(0, 0.34)
    [0.0, 0.1, 0.2, 0.3]
    >>> marks(-0.05, 0.1)
    [-0.05, 0.0, 0.05, 0.1]
    """
    span = high - low
    whole = math.floor(math.log10(span))
    powers = whole - 1, whole
    steps = (part * 10.0**power for power in powers for part in (1, 2, 5))
    step = next(step for step in steps if span / step < _MOST_MARKS)
    least, most = round(np.ceil(low / step - 1e-9)), round(np.floor(high / step + 1e-9))
    return [float(f"{number * step:.10g}") for number in range(least, most + 1)]


@dataclass
class Canvas:
    """Axes to draw on; ``str`` is the SVG.

    Parameters
    ----------
    name : str
        Unique on the page; made of letters, digits and hyphens.
    title, description : str
        What a screen reader says of it.
    panel : Panel
        What is drawn.
    size : tuple (width, height)
        Of the view box.
    tagged : bool
        Whether marks of systems say whose they are, for the script of the page.
    """

    name: str
    title: str
    description: str
    panel: Panel
    size: tuple[int, int] = (640, 380)
    tagged: bool = False
    parts: list[str] = field(default_factory=list)
    taken: list[tuple[float, ...]] = field(default_factory=list)

    bottom = 48

    def __post_init__(self) -> None:
        for mark in self.panel.marks:
            _DRAW[type(mark)](self, mark)

    @property
    def left(self) -> int:
        """Where the axes begin: names of rows need room."""
        longest = max((len(words) for _, words in self.panel.y.ticks), default=0)
        short = min(longest, _SHORT)
        usual = max(64, 30 + _LETTER_ON_PHONES * short)
        return max(usual, min(40 + _LETTER * longest, 260))

    @property
    def right(self) -> int:
        """Room right of the axes: half of the words at their end stand there."""
        ends = (
            len(words)
            for at, words in self.panel.x.ticks
            if across(at, self.panel.x) > _AT_THE_END
        )
        return max(14, _LETTER_ON_PHONES * max(ends, default=0) // 2)

    @property
    def top(self) -> int:
        """Where the axes begin, below the words over them."""
        above = [m for m in self.panel.marks if isinstance(m, Level) and m.axis == "x"]
        letters = sum(len(level.words) for level in above)
        room = 70 if letters > _TURNED else 16 if letters else 0
        return 12 + room + 20 * bool(self.panel.title or self.panel.note)

    @property
    def y_range(self) -> tuple[float, float]:
        """The ends of the vertical axis."""
        return self.panel.y.low, self.panel.y.high

    def x(self, value: Any) -> Any:
        """Places across, of one number or an array."""
        width = self.size[0] - self.left - self.right
        return self.left + across(value, self.panel.x) * width

    def y(self, value: Any) -> Any:
        """Places down, of one number or an array."""
        height = self.size[1] - self.top - self.bottom
        return self.top + (1 - across(value, self.panel.y)) * height

    @property
    def clip(self) -> str:
        """An attribute that keeps a mark inside the axes."""
        return f' clip-path="url(#{self.name}-clip)"'

    def line(self, x: Floats, y: Floats, index: int, extra: str = "") -> None:
        """A line in the look of the n-th system."""
        _line(self, Line(x, y, index), extra)

    def tag(self, look: Look) -> str:
        """An attribute that says whose a mark is."""
        tagged = self.tagged and isinstance(look, int)
        return f' data-system="{look}"' if tagged else ""

    def path(self, x: Floats, y: Floats) -> str:
        """A path through places, thinned by less than a pixel."""
        right = np.clip(self.x(x), -1e4, 1e4)
        down = np.clip(self.y(y), -1e4, 1e4)
        places = (f"{a:.1f} {b:.1f}" for a, b in zip(right, down, strict=True))
        return "M" + "L".join(places) if len(x) else "M0 0"

    def area(self, x: Floats, low: Floats, high: Floats, look: str) -> None:
        """What is between two lines."""
        around = self.path(np.append(x, x[::-1]), np.append(low, high[::-1]))
        self.parts.append(f'<path d="{around}Z" {look}/>')

    def words(self, at: tuple[float, float], words: str, look: str) -> None:
        """Small words at a place of the view box."""
        place = f'x="{at[0]:.1f}" y="{at[1]:.1f}"'
        self.parts.append(f'<text {place} class="{look}">{text_of(words)}</text>')

    def box(self, corners: tuple[float, float, float, float], look: str) -> None:
        """A rectangle from one corner to the other."""
        left, right = sorted(corners[::2])
        top, bottom = sorted(corners[1::2])
        place = f'x="{left:.1f}" y="{top:.1f}"'
        size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
        self.parts.append(f"<rect {place} {size} {look}/>")

    # -- as text ------------------------------------------------------------------

    def __str__(self) -> str:
        width, height = self.size
        head = (
            f'<svg id="{self.name}" role="img" viewBox="0 0 {width} {height}" '
            f'aria-labelledby="{self.name}-title {self.name}-desc">'
            f'<title id="{self.name}-title">{text_of(self.title)}</title>'
            f'<desc id="{self.name}-desc">{text_of(self.description)}</desc>'
        )
        return "".join([head, *self._frame(), *self.parts, "</svg>"])

    def _grid(self, ends: str) -> str:
        """A line of the grid; it would be seen through the cells of a matrix."""
        cells = any(isinstance(mark, Matrix) for mark in self.panel.marks)
        return "" if cells else f'<line {ends} class="grid"/>'

    def _frame(self) -> Iterable[str]:
        width, height = self.size
        bottom, end = height - self.bottom, width - self.right
        ticks = [
            (float(f"{self.x(at):.1f}"), words) for at, words in _ticks(self.panel.x)
        ]
        always, usual = (
            _with_room(ticks, size) for size in (_LETTER_ON_PHONES, _LETTER)
        )
        for tick in ticks:
            right, words = tick
            ends = f'x1="{right}" x2="{right}" y1="{self.top}" y2="{bottom}"'
            yield self._grid(ends)
            if tick not in usual:
                continue
            kind = "mark mid" if tick in always else "mark mid roomy"
            place = f'x="{right}" y="{bottom + 18}"'
            yield f'<text {place} class="{kind}">{text_of(words)}</text>'
        for value, words in _ticks(self.panel.y):
            at = f"{self.y(value):.1f}"
            ends = f'x1="{self.left}" x2="{end}" y1="{at}" y2="{at}"'
            yield self._grid(ends)
            place = f'x="{self.left - 8}" y="{float(at) + 4:.1f}"'
            yield f'<text {place} class="mark end">{text_of(words)}</text>'
        size = f'width="{end - self.left}" height="{bottom - self.top + 1}"'
        box = f'<rect x="{self.left}" y="{self.top - 1}" {size}/>'
        yield f'<clipPath id="{self.name}-clip">{box}</clipPath>'
        corner = f"M{self.left} {self.top}V{bottom}H{end}"
        yield f'<path d="{corner}" class="axis"/>'
        middle = (self.left + end) / 2, (self.top + bottom) / 2
        place = f'x="{middle[0]:.0f}" y="{height - 10}"'
        yield f'<text {place} class="label mid">{text_of(self.panel.x.label)}</text>'
        turn = f'transform="translate(16 {middle[1]:.0f}) rotate(-90)"'
        yield f'<text {turn} class="label mid">{text_of(self.panel.y.label)}</text>'
        if self.panel.title:
            words = text_of(self.panel.title)
            yield f'<text x="{self.left}" y="18" class="label">{words}</text>'
        if self.panel.note:
            words, room = text_of(self.panel.note), end - self.left
            letters = len(self.panel.title) + len(self.panel.note)
            fits = not self.panel.title or letters * _LETTER_ON_PHONES < room
            line = 18 if fits else self.top + 18  # curves leave that corner free
            yield f'<text x="{end}" y="{line}" class="mark end">{words}</text>'


def _with_room(
    ticks: Sequence[tuple[float, str]], letter: float
) -> list[tuple[float, str]]:
    """The words that run into none before them, nor into the last."""
    kept: list[tuple[float, str]] = []
    taken = -math.inf
    for at, words in ticks:
        half = letter * len(words) / 2
        last_at, last = ticks[-1]
        before_last = last_at - letter * (len(last) / 2 + 1)
        if at - half >= taken and (at == last_at or at + half <= before_last):
            kept.append((at, words))
            taken = at + half + letter
    return kept


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    if axis.ticks:
        return list(axis.ticks)
    if axis.log:
        ends = math.ceil(math.log10(axis.low)), math.floor(math.log10(axis.high))
        powers = (10.0**power for power in range(ends[0], ends[1] + 1))
        return [(power, f"{power:g}") for power in powers]
    ends_of = sorted((axis.low, axis.high))
    return [(value, f"{value:g}") for value in marks(*ends_of)]


# -- marks --------------------------------------------------------------------------


def _kept(on: Canvas, x: Floats) -> Any:
    return thinned(across(x, on.panel.x), columns=_COLUMNS)


def _stairs(x: Floats, y: Floats, steps: str) -> tuple[Floats, Floats]:
    """The corners of a line that is level between places."""
    if not steps:
        return x, y
    twice = np.repeat(x, 2), np.repeat(y, 2)
    if steps == "post":
        return twice[0][1:], twice[1][:-1]
    return twice[0][:-1], twice[1][1:]


def _line(on: Canvas, line: Line, extra: str = "") -> None:
    kept = _kept(on, line.x)
    kept = kept[~np.isnan(line.y[kept])]
    x, y = _stairs(line.x[kept], line.y[kept], line.steps)
    look = _line_look(line) + (extra or on.tag(line.look))
    on.parts.append(f'<path d="{on.path(x, y)}" {look}{on.clip}/>')


def _dots(on: Canvas, dots: Dots) -> None:
    tag = on.tag(dots.look)
    places = zip(on.x(dots.x).round(1), on.y(dots.y).round(1), strict=True)
    words = dots.words or [""] * len(dots.x)
    # Markers that lie on each other are drawn once.
    for (x, y), word in dict(zip(places, words, strict=True)).items():
        on.parts.append(_marker(x, y, dots, tag))
        box = x, y, _LETTER * len(word), 13.0
        if word and not any(_overlap(box, other) for other in on.taken):
            on.taken.append(box)
            on.words((x + 6, y - 5), word, f"mark {_class_of(dots.look)}")


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes (left, bottom, width, height) share a place."""
    x, y = other[0] - one[0], one[1] - other[1]
    return -other[2] < x < one[2] and -other[3] < y < one[3]


def _shade(on: Canvas, shade: Shade) -> None:
    kept = _kept(on, shade.x)
    x, low = _stairs(shade.x[kept], shade.low[kept], shade.steps)
    _, high = _stairs(shade.x[kept], shade.high[kept], shade.steps)
    on.area(x, low, high, f"{_area_look(shade)}{on.clip}")


def _bars(on: Canvas, bars: Bars) -> None:
    look = _area_look(bars)
    words = bars.words or [""] * len(bars.places)
    for at, length, word in zip(bars.places, bars.lengths, words, strict=True):
        if bars.lying:
            ends = on.x(0.0), on.y(at - 0.3), on.x(length), on.y(at + 0.3)
            on.words((ends[2] + 5, on.y(at) + 4), word, "mark")
        else:
            ends = on.x(at - 0.3), on.y(0.0), on.x(at + 0.3), on.y(length)
        on.box(ends, look)


def _shares(on: Canvas, shares: Shares) -> None:
    x = shares.x if len(shares.x) > 1 else shares.x + np.array([-0.025, 0.025])
    kept = _kept(on, x)
    for name, *edges in shares.stacked():
        low, high = (np.broadcast_to(edge, x.shape)[kept] for edge in edges)
        on.area(x[kept], low, high, f'class="share-{name}"')


def _level(on: Canvas, level: Level) -> None:
    ends = (on.left, on.size[0] - on.right), (on.top, on.size[1] - on.bottom)
    at = on.y(level.at) if level.axis == "y" else on.x(level.at)
    x, y = ((at, at), ends[1]) if level.axis == "x" else (ends[0], (at, at))
    place = f'x1="{x[0]:.1f}" x2="{x[1]:.1f}" y1="{y[0]:.1f}" y2="{y[1]:.1f}"'
    on.parts.append(f'<line {place} class="level {_class_of(level.look)}"/>')
    if level.axis == "y":
        on.words((x[1], at - 5), level.words, f"mark end {_class_of(level.look)}")
    elif on.top < 12 + _TURNED:
        on.words((at, on.top - 5), level.words, "mark mid")
    else:
        turn = f'transform="translate({at:.1f} {on.top - 5}) rotate(-35)"'
        words = text_of(level.words)
        on.parts.append(f'<text {turn} class="mark">{words}</text>')


def _spans(on: Canvas, spans: Spans) -> None:
    foot = on.size[1] - on.bottom
    top = foot - spans.height * (foot - on.top)
    for low, high in spans.ends:
        on.box((on.x(low), top, on.x(high), foot), _area_look(spans))


def _matrix(on: Canvas, matrix: Matrix) -> None:
    for (row, column), share in np.ndenumerate(matrix.shares):
        corners = on.x(column - 0.5), on.y(row - 0.5), on.x(column + 0.5)
        look = f'class="cell ink" fill-opacity="{0.85 * share:.3f}"'
        on.box((*corners, on.y(row + 0.5)), look)
        if share >= 0.005:
            kind = "mark mid paper" if share > 0.5 else "mark mid ink"
            on.words((on.x(column), on.y(row) + 4), f"{share:.2f}", kind)


_DRAW: Final[dict[type[Mark], Callable[[Canvas, Any], None]]] = {
    Line: _line,
    Dots: _dots,
    Shade: _shade,
    Bars: _bars,
    Shares: _shares,
    Level: _level,
    Spans: _spans,
    Matrix: _matrix,
}


# -- whole pictures -----------------------------------------------------------------


def drawn(picture: Picture) -> tuple[str, ...]:
    """A picture as SVG, one for each panel, with its systems and what its signs mean.

    Parameters
    ----------
    picture : Picture
        Its name must be unique on the page.
    """
    return tuple(f"{canvas}{_explained(canvas.panel)}" for canvas in canvases(picture))


def canvases(picture: Picture) -> list[Canvas]:
    """A canvas for each panel."""
    rows = -(-len(picture.panels) // picture.across)
    heights = picture.heights or (1,) * rows
    made = []
    for number, panel in enumerate(picture.panels):
        share = heights[number // picture.across] / sum(heights)
        inches = picture.size[0] / picture.across, picture.size[1] * share
        unit = max(_INCH, _NARROWEST / inches[0])
        size = round(unit * inches[0]), round(unit * inches[1])
        several = len(picture.panels) > 1
        name = f"{picture.name}-{number}" if several else picture.name
        title = f"{picture.title}: {panel.title}" if panel.title else picture.title
        made.append(Canvas(name, title, picture.description, panel, size))
    return made


def _explained(panel: Panel) -> str:
    listed = "".join(
        f"<li>{_key(entry)} <bdi>{text_of(entry.words)}</bdi></li>"
        for entry in (*panel.names, *panel.signs)
    )
    title = "<br/>".join(map(text_of, panel.signs_title.split("\n")))
    title = f'<p class="hint">{title}</p>' if title else ""
    return f'{title}<ul class="legend">{listed}</ul>' if listed else title


def _key(entry: Entry) -> str:
    """What stands beside words in a legend."""
    parts = []
    for mark in entry.marks:
        if isinstance(mark, Line):
            parts.append(f'<path d="M1 7L33 7" {_line_look(mark)}/>')
        elif isinstance(mark, Dots):
            parts.append(_marker(17, 7, mark))
        else:
            parts.append(
                f'<rect x="4" y="1" width="26" height="12" {_area_look(mark)}/>'
            )
    joined = "".join(parts)
    return f'<svg class="key" viewBox="0 0 34 14" aria-hidden="true">{joined}</svg>'


def _area_look(mark: Mark) -> str:
    if isinstance(mark, Shares):
        return f'class="share-{next(iter(mark.amounts))}"'
    kind = "band" if isinstance(mark, Shade) and mark.style != "solid" else "bar"
    return f'class="{kind} {_class_of(getattr(mark, "look", "ink"))}"'


def key(index: int) -> str:
    """How the n-th system looks, for a list of names: its line and its sign."""
    return _key(Entry("", (Line(look=index), Dots(look=index))))


def stripe(shares: Sequence[tuple[str, float]]) -> str:
    """Shares that add up to 1 as one bar; the words stand beside it."""
    parts, at = [], 0.0
    for name, share in shares:
        parts.append(
            f'<rect x="{1000 * at:.2f}" y="0" width="{1000 * share:.2f}" height="40" '
            f'class="share-{name}"/>'
        )
        at += share
    return (
        '<svg class="stripe" viewBox="0 0 1000 40" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )
