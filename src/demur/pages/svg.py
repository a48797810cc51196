"""Pictures as inline SVG: axes, lines, bands and bars, without a plotting library.

Colours are classes (``c0``, ``c1``, ...; ``share-error``), so that the page's style
sheet can give them a light and a dark form; dashes and widths are those of
`demur.plots.pens`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from demur.arrays import Floats
from demur.plots.pens import COLOURS, MARKERS, line_pen, thinned
from demur.results import printable

_COLUMNS = 350  # a line moves by less than the width of one
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
_MOST_MARKS = 6


def text_of(words: object) -> str:
    """Words as text of HTML or SVG, whatever marks they hold."""
    return escape(printable(str(words)))


def line_look(index: int) -> str:
    """Class, width and dashes of the n-th system, as attributes."""
    pen = line_pen(index)
    width = pen["linewidth"]
    look = f'class="line c{index % len(COLOURS)}" stroke-width="{width:g}"'
    if pen["linestyle"] == "solid":
        return look
    dashes = " ".join(f"{part * width:.3g}" for part in pen["linestyle"][1])
    return f'{look} stroke-dasharray="{dashes}"'


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


def marker(x: float, y: float, index: int, extra: str = "") -> str:
    """The sign of the n-th system, of a shape of its own, at a place in a picture."""
    look = f'class="dot c{index % len(COLOURS)}"{extra}'
    outline = _OUTLINES.get(MARKERS[index % len(MARKERS)])
    if outline is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {look}/>'
    corners = "L".join(f"{x + across:.1f} {y + down:.1f}" for across, down in outline)
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
    step = next((s for s in _STEPS if span / s < _MOST_MARKS), span / _MOST_MARKS)
    first, last = round(np.ceil(low / step - 1e-9)), round(np.floor(high / step + 1e-9))
    return [round(number * step, 10) + 0.0 for number in range(first, last + 1)]


def roof(values: Iterable[float]) -> float:
    """The least round number that no value lies above; 1 if there is none.

    Examples
    --------
    >>> roof([0.31, 0.2]), roof([0.0])
    (0.35, 0.05)
    """
    highest = max((float(value) for value in values), default=1.0)
    return max(round(float(np.ceil(highest / 0.05 - 1e-9)) * 0.05, 2), 0.05)


@dataclass
class Picture:
    """Axes to draw on; ``str`` is the SVG.

    Parameters
    ----------
    name : str
        Unique on the page; made of letters, digits and hyphens.
    title, description : str
        What a screen reader says of it.
    x_label, y_label : str
    x_range, y_range : tuple (low, high)
    size : tuple (width, height)
        Of the view box.
    diagonal : bool
        Whether to draw the line y = x.
    """

    name: str
    title: str
    description: str
    x_label: str
    y_label: str
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    size: tuple[int, int] = (640, 380)
    diagonal: bool = False
    parts: list[str] = field(default_factory=list)

    left, right, top, bottom = 64, 14, 12, 48

    def x(self, value: Any) -> Any:
        """Places across, of one number or an array."""
        low, high = self.x_range
        width = self.size[0] - self.left - self.right
        return self.left + (value - low) / (high - low) * width

    def y(self, value: Any) -> Any:
        """Places down, of one number or an array."""
        low, high = self.y_range
        height = self.size[1] - self.top - self.bottom
        return self.top + (high - value) / (high - low) * height

    # -- what is drawn ------------------------------------------------------------

    def line(self, x: Floats, y: Floats, index: int, extra: str = "") -> None:
        """A line in the look of the n-th system; thinned by less than a pixel."""
        kept = thinned(x, columns=_COLUMNS)
        known = kept[~np.isnan(y[kept])]
        self.parts.append(
            f'<path d="{self._path(x[known], y[known])}" {line_look(index)}{extra}/>'
        )

    def band(self, x: Floats, low: Floats, high: Floats, index: int) -> None:
        """The area between two lines."""
        kept = thinned(x, columns=_COLUMNS)
        around = np.append(kept, kept[::-1])
        edge = np.append(low[kept], high[kept[::-1]])
        look = f'class="band c{index % len(COLOURS)}"'
        self.parts.append(f'<path d="{self._path(x[around], edge)}Z" {look}/>')

    def dot(self, x: float, y: float, index: int, extra: str = "") -> None:
        """An operating point of the n-th system."""
        self.parts.append(marker(self.x(x), self.y(y), index, extra))

    def plain_line(self, x: Floats, y: Floats) -> None:
        """A thin line that is nobody's."""
        self.parts.append(f'<path d="{self._path(x, y)}" class="axis"/>')

    def level(self, y: float) -> None:
        """A thin line across at a height."""
        ends = f'x1="{self.left}" x2="{self.size[0] - self.right}"'
        place = f'y1="{self.y(y):.1f}" y2="{self.y(y):.1f}"'
        self.parts.append(f'<line {ends} {place} class="axis"/>')

    def _path(self, x: Floats, y: Floats) -> str:
        across = np.clip(self.x(x), -1e4, 1e4)
        down = np.clip(self.y(y), -1e4, 1e4)
        places = (f"{a:.1f} {b:.1f}" for a, b in zip(across, down, strict=True))
        return "M" + "L".join(places) if len(x) else "M0 0"

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

    def _frame(self) -> Iterable[str]:
        width, height = self.size
        bottom, end = height - self.bottom, width - self.right
        for value in marks(*self.x_range):
            at = f"{self.x(value):.1f}"
            ends = f'x1="{at}" x2="{at}" y1="{self.top}" y2="{bottom}"'
            yield f'<line {ends} class="grid"/>'
            yield f'<text x="{at}" y="{bottom + 18}" class="mark mid">{value:g}</text>'
        for value in marks(*self.y_range):
            at = f"{self.y(value):.1f}"
            ends = f'x1="{self.left}" x2="{end}" y1="{at}" y2="{at}"'
            yield f'<line {ends} class="grid"/>'
            place = f'x="{self.left - 8}" y="{float(at) + 4:.1f}"'
            yield f'<text {place} class="mark end">{value:g}</text>'
        if self.diagonal:
            low, high = (f"{self.x(to):.1f} {self.y(to):.1f}" for to in (0, 1))
            yield f'<path d="M{low}L{high}" class="axis"/>'
        corner = f"M{self.left} {self.top}V{bottom}H{end}"
        yield f'<path d="{corner}" class="axis"/>'
        middle = (self.left + end) / 2, (self.top + bottom) / 2
        place = f'x="{middle[0]:.0f}" y="{height - 10}"'
        yield f'<text {place} class="label mid">{text_of(self.x_label)}</text>'
        turn = f'transform="translate(16 {middle[1]:.0f}) rotate(-90)"'
        yield f'<text {turn} class="label mid">{text_of(self.y_label)}</text>'


def key(index: int) -> str:
    """How the n-th system looks, for a list of names: its line and its sign."""
    drawn = f'<path d="M1 7L33 7" {line_look(index)}/>{marker(17, 7, index)}'
    return f'<svg class="key" viewBox="0 0 34 14" aria-hidden="true">{drawn}</svg>'


def legend(lines: Sequence[tuple[str, int]]) -> str:
    """Names with the lines that they look like, as a list."""
    entries = (
        f"<li>{key(index)} <bdi>{text_of(name)}</bdi></li>" for name, index in lines
    )
    return f'<ul class="legend">{"".join(entries)}</ul>'


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
