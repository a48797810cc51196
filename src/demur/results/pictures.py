"""Pictures as data: lines, dots, areas and words, said once for every renderer.

A picture knows no colour and no unit of a screen. What a mark looks like is the number
of a system (its place in the order of looks) or a role, and renderers know what that is
on paper, on a dark background or on a page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from demur.arrays import Floats

EMPTY = np.zeros(0)
"""No places: of a mark that only shows in a legend what such marks look like."""


def _nowhere() -> Floats:
    return EMPTY


Look = int | str
"""The n-th system, or a role.

Roles are ``ink`` (of words), ``note`` (grey), ``pale``, and the shades ``region`` and
``expected``.
"""


@dataclass(frozen=True, eq=False)
class Line:
    """A line through places.

    Parameters
    ----------
    x, y : array, shape (n,)
        On the scales of the panel.
    look : int or str
        The n-th system, or a role: see `Look`.
    style : str
        ``system``: the width and the dashes of the n-th system; ``edge``: thin, with
        its dashes; ``missed``: thin and dashed; ``thin``, ``thick``: no dashes;
        ``dotted``.
    steps : str
        ``post``: level up to the next place; ``pre``: level from the one before.
    name : str
        What it is of.
    """

    x: Floats = field(default_factory=_nowhere)
    y: Floats = field(default_factory=_nowhere)
    look: Look = "ink"
    style: Literal["system", "edge", "missed", "thin", "dotted", "thick"] = "system"
    steps: Literal["", "post", "pre"] = ""
    name: str = ""


@dataclass(frozen=True, eq=False)
class Dots:
    """Markers at places.

    Parameters
    ----------
    x, y : array, shape (n,)
        On the scales of the panel.
    look : int or str
        The n-th system, or a role: see `Look`.
    shape : str
        As matplotlib names it; the shape of the n-th system if left out.
    size : float
        Across, in points.
    hollow, faint : bool
        Whether only the outline is drawn, or pale.
    words : tuple of str
        Small words beside each, in its colour; as many as places, or none.
    """

    x: Floats = field(default_factory=_nowhere)
    y: Floats = field(default_factory=_nowhere)
    look: Look = "ink"
    shape: str = ""
    size: float = 8.0
    hollow: bool = False
    faint: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Shade:
    """The area between two lines.

    Parameters
    ----------
    x, low, high : array, shape (n,)
        On the scales of the panel; both lines at the same places.
    look : int or str
        The n-th system, or a role: see `Look`.
    style : str
        ``band``: pale, with thin edges; ``open``: pale; ``solid``.
    steps : str
        As of `Line`.
    """

    x: Floats = field(default_factory=_nowhere)
    low: Floats = field(default_factory=_nowhere)
    high: Floats = field(default_factory=_nowhere)
    look: Look = "note"
    style: Literal["band", "open", "solid"] = "band"
    steps: Literal["", "post"] = ""


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars from 0.

    Parameters
    ----------
    places, lengths : array, shape (n,)
        Where each stands, and how far it reaches.
    look : int or str
        The n-th system, or a role: see `Look`.
    lying : bool
        Whether they lie; ``places`` are on the vertical axis then.
    words : tuple of str
        Beside the end of each.
    """

    places: Floats = field(default_factory=_nowhere)
    lengths: Floats = field(default_factory=_nowhere)
    look: Look = 1
    lying: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares stacked on each other, over places or at a single one.

    Parameters
    ----------
    x : array, shape (n,)
        Rising; a single place is drawn as a bar.
    amounts : mapping of str to array, shape (n,)
        From the lowest; names are those of `demur.figures.looks.SHARES`.
    """

    x: Floats
    amounts: Mapping[str, Floats]

    def stacked(self) -> Iterator[tuple[str, Floats, Floats]]:
        """The name of each, and its lower and upper edge."""
        low = np.zeros(len(self.x))
        for name, amount in self.amounts.items():
            yield name, low, low + amount
            low = low + amount


@dataclass(frozen=True)
class Level:
    """A thin line through the whole panel.

    Parameters
    ----------
    at : float
        On the scale of the panel.
    axis : str
        On which axis ``at`` is.
    look : int or str
        The n-th system, or a role: see `Look`.
    words : str
        At its end.
    """

    at: float
    axis: Literal["x", "y"] = "y"
    look: Look = "ink"
    words: str = ""


@dataclass(frozen=True)
class Spans:
    """Stretches of the horizontal axis, shaded over the whole panel or at its foot.

    Parameters
    ----------
    ends : tuple of (low, high)
        On the scale of the panel.
    look : int or str
        The n-th system, or a role: see `Look`.
    height : float
        Share of the panel, from below.
    """

    ends: tuple[tuple[float, float], ...]
    look: Look = "region"
    height: float = 1.0


@dataclass(frozen=True, eq=False)
class Matrix:
    """Shares from 0 to 1 in cells, the darker the larger; row 0 stands at 0.

    Parameters
    ----------
    shares : array, shape (n_rows, n_columns)
        From 0, white, to 1, black.
    """

    shares: Floats


Mark = Line | Dots | Shade | Bars | Shares | Level | Spans | Matrix


@dataclass(frozen=True)
class Entry:
    """An entry of a legend.

    Parameters
    ----------
    words : str
        Shown literally.
    marks : tuple of Mark
        What it looks like; their places do not matter.
    always : bool
        Also where names stand beside the lines.
    """

    words: str
    marks: tuple[Mark, ...] = ()
    always: bool = False


@dataclass(frozen=True)
class Axis:
    """One axis.

    Parameters
    ----------
    label : str
        What it is, and of what it is a share.
    low, high : float
        Its ends, left and right, or lower and upper; the first may be the larger.
    ticks : tuple of (float, str)
        By default round numbers.
    log : bool
        Whether equal steps are equal factors.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[tuple[float, str], ...] = ()
    log: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """Two axes, and marks from the lowest to the uppermost.

    Parameters
    ----------
    marks : tuple of Mark
        In the order in which they are drawn.
    x, y : Axis
        Across and up.
    title : str
        Over the middle.
    heading : str
        Small, at the left.
    note : str
        Small, at the right: what is drawn between two places, and the like.
    names : tuple of Entry
        The systems.
    signs : tuple of Entry
        What else has to be explained.
    signs_title : str
        Above the signs, in one line or several.
    beside : tuple of (str, Mark)
        Words that stand beside marks, instead of the legend, where there is room for
        all; the first have the first choice.
    """

    marks: tuple[Mark, ...]
    x: Axis = Axis()
    y: Axis = Axis()
    title: str = ""
    heading: str = ""
    note: str = ""
    names: tuple[Entry, ...] = ()
    signs: tuple[Entry, ...] = ()
    signs_title: str = ""
    beside: tuple[tuple[str, Mark], ...] = ()


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels that belong together.

    Parameters
    ----------
    name : str
        Letters, digits and hyphens.
    title, description : str
        What a screen reader says of it.
    panels : tuple of Panel
        Row by row.
    size : tuple (width, height)
        Of all panels, in inches, without legends.
    across : int
        How many panels stand side by side.
    heights : tuple of float
        How high the rows are beside each other; equal by default.
    shared : str
        Which axes have one scale in all panels (``x``, ``xy``): its numbers stand at
        the outer edges only.
    systems : tuple of str
        Whose look is 0, 1, ...; none where looks are colours and no more.
    """

    name: str
    title: str
    description: str
    panels: tuple[Panel, ...]
    size: tuple[float, float] = (5.6, 4.2)
    across: int = 1
    heights: tuple[float, ...] = ()
    shared: Literal["", "x", "xy"] = ""
    systems: tuple[str, ...] = ()
