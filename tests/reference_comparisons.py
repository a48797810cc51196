"""Slow plain twins of comparisons: curves evaluated point by point, in fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import reference
from reference import Row

Corner = tuple[Fraction, Fraction]
Stretch = tuple[Fraction, Fraction, str | None]


def points(rows: Sequence[Row], *, high: bool = False) -> list[Corner]:
    """All vertices; ungraded answers are errors in the high bound."""
    return [
        (at["nonreturn"], at["error"] + (at["ungraded"] if high else 0))
        for at in reference.vertices(rows)
    ]


def height(corners: Sequence[Corner], x: Fraction, how: str) -> Fraction:
    """Error at a nonreturn rate, by the definition of the reading."""
    if how == "step":
        return [y for at, y in corners if at <= x][-1]
    for (left, top), (right, bottom) in pairwise(corners):
        if left <= x <= right:
            return top + (bottom - top) * (x - left) / (right - left)
    raise ValueError(x)


def breakpoints(a: Sequence[Corner], b: Sequence[Corner], how: str) -> list[Fraction]:
    """Where the order of two curves can change: vertices, and where lines meet."""
    start = max(a[0][0], b[0][0])
    found = sorted({x for x, _ in (*a, *b) if x >= start} | {start})
    if how == "step":
        return found
    meetings = set()
    for left, right in pairwise(found):
        before = height(a, left, how) - height(b, left, how)
        after = height(a, right, how) - height(b, right, how)
        if before != after:
            meeting = left + (right - left) * before / (before - after)
            if left < meeting < right:
                meetings.add(meeting)
    return sorted({*found, *meetings})


def stretches(
    edges: Sequence[Fraction], gap: Callable[[Fraction], Fraction]
) -> list[Stretch]:
    """Neighbouring edges joined where the sign at the midpoint is the same."""
    listed: list[Stretch] = []
    for left, right in pairwise(edges):
        here = gap((left + right) / 2)
        better = "a" if here < 0 else "b" if here > 0 else None
        if listed and listed[-1][2] == better:
            left = listed.pop()[0]
        listed.append((left, right, better))
    return listed


def changes(listed: Sequence[Stretch]) -> list[Fraction]:
    """Left ends of points or stretches of equality with opposite sides."""
    found = []
    for first, second in pairwise(listed):
        if first[2] and second[2]:
            found.append(second[0])
    for first, level, second in zip(listed, listed[1:], listed[2:], strict=False):
        if level[2] is None and first[2] != second[2]:
            found.append(level[0])
    return sorted(found)


def compare(a: Sequence[Corner], b: Sequence[Corner], how: str) -> dict[str, Any]:
    """Regions, crossings, dominance and identity of two lists of corners."""

    def gap(x: Fraction) -> Fraction:
        return height(a, x, how) - height(b, x, how)

    edges = breakpoints(a, b, how)
    regions = stretches(edges, gap)
    middles = [(left + right) / 2 for left, right in pairwise(edges)]
    gaps = [gap(x) for x in (*edges, *middles)]
    crossings = [
        (x, max(height(a, x, how), height(b, x, how))) for x in changes(regions)
    ]
    dominates = None
    if any(gaps):
        dominates = "a" if max(gaps) <= 0 else "b" if min(gaps) >= 0 else None
    return {
        "start": edges[0],
        "regions": regions,
        "crossings": crossings,
        "dominates": dominates,
        "identical": not any(gaps),
    }


def cost_stretches(a: Sequence[Corner], b: Sequence[Corner]) -> list[Stretch]:
    """Which is cheaper for each price, from the cost of every vertex at every price."""

    def least(corners: Sequence[Corner], price: Fraction) -> Fraction:
        return min(y + price * x for x, y in corners)

    def gap(price: Fraction) -> Fraction:
        return least(a, price) - least(b, price)

    every = [*a, *b]
    prices = {Fraction(0), Fraction(1)}
    for x, y in every:
        for other_x, other_y in every:
            if x != other_x:
                price = (y - other_y) / (other_x - x)
                if 0 < price < 1:
                    prices.add(price)
    return stretches(sorted(prices), gap)
