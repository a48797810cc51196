"""Two falling polylines: which is lower where, without rounding.

Coordinates are whole numbers over one denominator, compared by cross-multiplication.
Where they are sums of fractions, rounded before they get here, differences too small
to tell from rounding count as none.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions

READINGS = ("linear", "step")
"""How to read a polyline between corners: straight, or level up to the next one."""

_SHORT = 2**31  # two products of such numbers still add up within 64 bits
_LONG = 2**62
_DOUBT = 2.0**-49  # relative error of a sum of two products, generously


@dataclass(frozen=True, eq=False, slots=True)
class Polyline:
    """Corners (x, y) from left to right.

    Parameters
    ----------
    x : array, shape (n,)
        Rising strictly; at least two.
    y : array, shape (n,)
        Falling.
    """

    x: Numbers
    y: Numbers

    def last(self, x: Numbers) -> Positions:
        """Index of the last corner at or left of each x."""
        at: Positions = np.searchsorted(self.x, x, "right") - 1
        return at

    def segment(self, x: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """The segments that go on from each x: left ends (x, y), widths and drops."""
        left = np.minimum(self.last(x), len(self.x) - 2)
        x, y = self.x[left], self.y[left]
        return x, y, self.x[left + 1] - x, y - self.y[left + 1]


@dataclass(frozen=True, eq=False, slots=True)
class PolylinePair:
    """Two polylines in one unit; coordinates over the unit run up to 1.

    Parameters
    ----------
    a, b : Polyline
        Of whole numbers (Python's own if 64 bits are too few), or of floats.
    unit : int or float
        What a coordinate of 1 is; 1 for floats.
    slack : float
        Floats that differ by no more are equal; 0 for whole numbers.
    """

    a: Polyline
    b: Polyline
    unit: Any
    slack: float

    @property
    def short(self) -> bool:
        """Whether products of coordinates are exact in 64 bits."""
        return not self.slack and self.unit < _SHORT

    def corners(self) -> Numbers:
        """Where either line has a corner, from the point where both exist."""
        every = np.concatenate((self.a.x, self.b.x))
        every.sort(kind="stable")  # merges two sorted runs; np.unique would hash
        wanted = every >= max(self.a.x[0], self.b.x[0])
        wanted[1:] &= every[1:] != every[:-1]
        corners: Numbers = every[wanted]
        return corners


def pair_of(
    a: Polyline, b: Polyline, *, over: tuple[Any, Any], slack: float
) -> PolylinePair:
    """Two polylines, each over its own denominator, in one unit.

    Parameters
    ----------
    a, b : Polyline
        Coordinates as counted.
    over : tuple of two numbers
        What a coordinate of 1 is in each; whole numbers if slack is 0.
    slack : float
        As in `Pair`.

    Returns
    -------
    Pair

    Examples
    --------
    >>> import numpy as np
    >>> a = Polyline(np.array([0, 2]), np.array([1, 0]))
    >>> b = Polyline(np.array([0, 3]), np.array([1, 0]))
    >>> pair = pair_of(a, b, over=(2, 3), slack=0)
    >>> pair.unit, pair.a.y, pair.b.y
    (6, array([3, 0]), array([2, 0]))
    """
    if slack:
        xa, xb = _snapped(a.x / over[0], b.x / over[1], slack)
        ya, yb = _snapped(a.y / over[0], b.y / over[1], slack)
        return PolylinePair(_distinct(xa, ya), _distinct(xb, yb), 1.0, slack)
    unit = math.lcm(*over)
    kind = np.int64 if unit < _LONG else object
    a, b = (
        Polyline(line.x.astype(kind) * times, line.y.astype(kind) * times)
        for line, times in ((a, unit // over[0]), (b, unit // over[1]))
    )
    return PolylinePair(a, b, unit, 0.0)


def _snapped(first: Floats, second: Floats, slack: float) -> tuple[Floats, Floats]:
    both = np.concatenate((first, second))
    order = np.argsort(both)
    # Neighbours within the slack become the first of their run, in both lines.
    new = np.append(True, np.diff(both[order]) > slack)
    both[order] = both[order][new][np.cumsum(new) - 1]
    return both[: len(first)], both[len(first) :]


def _distinct(x: Floats, y: Floats) -> Polyline:
    """A line without the corners that snapping has put on top of others."""
    last = np.append(np.diff(x) > 0, True)
    return Polyline(x[last], y[last])


def excess(pair: PolylinePair, how: str) -> tuple[Numbers, Numbers, Numbers]:
    """Height of a less that of b, at every corner of either.

    Parameters
    ----------
    pair : Pair
        Two polylines.
    how : str
        One of `READINGS`.

    Returns
    -------
    x, top, bottom : arrays, shape (n_corners,)
        Corners, and the excess in units as top / bottom. Bottoms are positive and the
        sign of a top is exact; its size may be rounded.
    """
    x, a, b = pair.corners(), pair.a, pair.b
    if how == "step":
        return x, a.y[a.last(x)] - b.y[b.last(x)], np.ones(len(x))
    top = np.empty(len(x), np.int64 if pair.short else np.float64)
    bottom = np.empty(len(x))
    for line, other, sign in ((a, b, 1), (b, a, -1)):
        shared = line.x >= x[0]
        at, y = line.x[shared], line.y[shared]
        left, start, width, drop = other.segment(at)
        where = np.searchsorted(x, at)
        bottom[where] = width
        top[where] = sign * _sum(pair, (y - start, width), (drop, at - left))
    return x, top, bottom


def _sum(
    pair: PolylinePair, first: tuple[Numbers, Numbers], second: tuple[Numbers, Numbers]
) -> Numbers:
    """Sum of two products with its exact sign; the second is not negative."""
    total: Numbers
    if pair.short:
        total = first[0] * first[1] + second[0] * second[1]
        return total
    one, two = (m.astype(float) * n.astype(float) for m, n in (first, second))
    total = one + two
    if pair.slack:
        total[np.abs(total) <= pair.slack * first[1]] = 0
        return total
    doubt = np.flatnonzero((one < 0) & (np.abs(total) <= _DOUBT * two))
    a, b, c, d = (factor[doubt].astype(object) for factor in (*first, *second))
    total[doubt] = a * b + c * d
    return total


def pieces(pair: PolylinePair, how: str) -> tuple[list[float], list[float], list[int]]:
    """The common range cut into the longest pieces with one verdict each.

    Parameters
    ----------
    pair : Pair
        Two polylines.
    how : str
        One of `READINGS`.

    Returns
    -------
    x, y : lists of float
        Where each piece begins, and the height there; the greater height if, in the
        step reading, there are two. Each is rounded once.
    sign : list of int
        -1 where a is lower, 0 where both are level, 1 where b is lower.

    Examples
    --------
    Two lines from the same height; a falls first:

    >>> import numpy as np
    >>> a = Polyline(np.array([0, 1, 2]), np.array([1, 0, 0]))
    >>> b = Polyline(np.array([0, 1, 2]), np.array([1, 1, 0]))
    >>> pair = pair_of(a, b, over=(2, 2), slack=0)
    >>> pieces(pair, "linear"), pieces(pair, "step")
    (([0.0], [0.5], [-1]), ([0.0, 0.5], [0.5, 0.5], [0, -1]))
    """
    x, top, _ = excess(pair, how)
    interval, inside, sign = _cut(np.sign(top).astype(np.int8), how)
    new = np.append(True, sign[1:] != sign[:-1])
    ends = _step_ends if how == "step" else _linear_ends
    return *ends(pair, x, interval[new], inside[new]), sign[new].tolist()


def _cut(sign: Numbers, how: str) -> tuple[Positions, Flags, Numbers]:
    """The range cut at all corners, and between them where the lines change sides.

    Returns the interval between corners that each piece lies in, whether the piece
    begins inside of it, and its sign.
    """
    left, right = sign[:-1], sign[1:]
    if how == "step":
        return np.arange(len(left)), np.zeros(len(left), bool), left
    meet = left * right < 0
    interval = np.repeat(np.arange(len(left)), 1 + meet)
    inside = np.append(False, interval[1:] == interval[:-1])
    # Where one end is 0 the other end has the verdict of the whole piece.
    first = np.where(meet, left, np.sign(left + right))
    return interval, inside, np.where(inside, right[interval], first[interval])


def _step_ends(
    pair: PolylinePair, x: Numbers, interval: Positions, _: Flags
) -> tuple[list[float], list[float]]:
    x = x[interval]
    y = np.maximum(pair.a.y[pair.a.last(x)], pair.b.y[pair.b.last(x)])
    return _ratios(x, pair.unit), _ratios(y, pair.unit)


def _linear_ends(
    pair: PolylinePair, x: Numbers, interval: Positions, inside: Flags
) -> tuple[list[float], list[float]]:
    left, right = x[interval].astype(object), x[interval + 1].astype(object)
    segments = [line.segment(x[interval]) for line in (pair.a, pair.b)]
    (ax, ay, width_a, drop_a), (bx, by, width_b, drop_b) = (
        [part.astype(object) for part in segment] for segment in segments
    )

    def excess_at(at: Numbers) -> Numbers:  # of a over b, times both widths
        above: Numbers = (ay * width_a - drop_a * (at - ax)) * width_b
        above -= (by * width_b - drop_b * (at - bx)) * width_a
        return above

    # A piece that begins inside does so where the excess, a straight line, is zero.
    before, after = excess_at(left), excess_at(right)
    share, whole = np.where(inside, before, 0), np.where(inside, before - after, 1)
    at = left * whole + (right - left) * share
    y = ay * width_a * whole - drop_a * (at - ax * whole)
    return _ratios(at, whole * pair.unit), _ratios(y, width_a * whole * pair.unit)


def _ratios(top: Numbers, bottom: Any) -> list[float]:
    """Ratios, rounded once: Python divides whole numbers of any size exactly."""
    return [float(ratio) for ratio in top.astype(object) / bottom]
