"""What pictures have in common: widths and dashes, thinning, axes, words of shares."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.results.pictures import Axis, Entry, Line, Look, Mark, Panel, Picture
from demur.results.text import short_names

COLUMNS: Final = 2000
"""Columns of pixels that a picture is drawn for: 13 inches at 150 dots per inch."""

COLOURS_IN_ALL: Final = 8
"""So many systems have colours of their own; later ones have other dashes."""

MARKERS: Final = "osD^vPX<>p"
"""The shapes of markers, as matplotlib names them."""

_WIDTHS = (1.8, 1.1, 1.5)
_DASHES: Final = ((), (7, 2), (5, 1.5, 1, 1.5), (2.5, 1.2), (8, 1.5, 1, 1.5, 1, 1.5))
_STYLES: Final[dict[str, tuple[float, tuple[float, ...]]]] = {
    "missed": (0.9, (3, 2.5)),
    "thin": (1.0, ()),
    "dotted": (0.9, (1, 1.6)),
    "thick": (3.5, ()),
}

MISSED: Final = "missed chance: right, but withheld"

SHARES: Final = {
    "right": ("right", "#00456B", ""),
    "error": ("error", "#D55E00", "////"),
    "missed": (MISSED, "#E69F00", "...."),
    "avoided": ("avoided error: wrong, but withheld", "#9AD0F0", "\\\\\\\\"),
    "correct_decline": ("correct decline: unanswerable", "#BFE8D4", "oo"),
    "no_guess": ("no guess", "#E3E3E3", ""),
    "ungraded": ("ungraded", "#FFFFFF", "xxxx"),
}
"""What becomes of an input: words, colour and hatch, from dark to light."""


def stroke(look: Look, style: str) -> tuple[float, tuple[float, ...]]:
    """Width of a line in points, and its dashes in widths.

    Examples
    --------
    >>> stroke(0, "system"), stroke(1, "system")
    ((2.6, ()), (1.8, (7, 2)))
    """
    if style in _STYLES:
        return _STYLES[style]
    if not isinstance(look, int):
        return 1.2, ()
    # 8 colours and 5 dashes meet again after 40 systems only. Systems of one colour
    # have different dashes; of 16, those with one dash differ in lightness or width.
    turn, colour = divmod(look, COLOURS_IN_ALL)
    dash = _DASHES[(colour + turn) % len(_DASHES)]
    width = _WIDTHS[turn % len(_WIDTHS)] if look else 2.6
    return (0.7 if style == "edge" else width), dash


def shape_of(look: Look) -> str:
    """The shape of a system's marker."""
    return MARKERS[look % len(MARKERS)] if isinstance(look, int) else "o"


def relooked(panel: Panel, look_of: Callable[[int], int]) -> Panel:
    """A panel whose systems look otherwise, by the looks they have.

    Parameters
    ----------
    panel : Panel
        It stays as it is; a new one is made.
    look_of : function of int
        From the look that a system has to the one it shall have.
    """
    made: dict[int, Mark] = {}  # a mark that stands beside words is one of the panel's

    def again(mark: Mark) -> Mark:
        look, changed = getattr(mark, "look", None), mark
        if isinstance(look, int):
            changed = replace(mark, look=look_of(look))  # type: ignore[arg-type]
        return made.setdefault(id(mark), changed)

    def entries(listed: Iterable[Entry]) -> tuple[Entry, ...]:
        return tuple(
            replace(entry, marks=tuple(map(again, entry.marks))) for entry in listed
        )

    return replace(
        panel,
        marks=tuple(map(again, panel.marks)),
        names=entries(panel.names),
        signs=entries(panel.signs),
        beside=tuple((words, again(mark)) for words, mark in panel.beside),
    )


def with_looks(picture: Picture, looks: Mapping[str, int]) -> Picture:
    """A picture in which systems look as they do elsewhere, such as on one page.

    A system that is not in ``looks`` keeps the look it has. Of no more systems than
    there are colours no two share one: a later one takes the next look.
    """
    new = {old: looks.get(name, old) for old, name in enumerate(picture.systems)}
    if len(new) <= COLOURS_IN_ALL:
        taken: set[int] = set()
        for old, look in new.items():
            while look % COLOURS_IN_ALL in taken:
                look += 1
            taken.add(look % COLOURS_IN_ALL)
            new[old] = look
    panels = (
        relooked(panel, lambda old: new.get(old, old)) for panel in picture.panels
    )
    return replace(picture, panels=tuple(panels))


def system_entries(names: Iterable[str]) -> tuple[Entry, ...]:
    """The systems in a legend, in the order of looks."""
    return tuple(Entry(name, (Line(look=look),)) for look, name in enumerate(names))


def thinned(nonreturn: Floats, *, columns: int = COLUMNS) -> Positions:
    """Positions that are enough to draw a monotone line over ``nonreturn``.

    Parameters
    ----------
    nonreturn : array, shape (n,)
        Rising or falling, in [0, 1].
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


def across(values: Any, axis: Axis) -> Any:
    """Where values stand between the ends of an axis: 0 is its first end, 1 its last.

    Examples
    --------
    >>> float(across(10.0, Axis(low=1, high=100, log=True)))
    0.5
    """
    low, high = axis.low, axis.high
    if axis.log:
        low, high, values = np.log10(low), np.log10(high), np.log10(values)
    # In halves, because the ends may be as far apart as floats are.
    return (values / 2 - low / 2) / (high / 2 - low / 2)


def axis_around(label: str, values: Iterable[float], room: float = 0.05) -> Axis:
    """An axis that holds values, with some room at both ends."""
    known = [float(value) for value in values]
    low, high = min(known, default=0.0), max(known, default=1.0)
    more = room * (high - low or 1.0)
    return Axis(label, low - more, high + more)


def row_axis(names: Sequence[str], *, least: int = 0) -> Axis:
    """A vertical axis with names from the top, at 0, 1, ..."""
    ticks = tuple(enumerate(short_names(names)))
    return Axis("", max(len(names), least) - 0.5, -0.5, ticks)
