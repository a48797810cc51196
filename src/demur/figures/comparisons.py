"""Two curves with their difference, and which system is cheapest at which price."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import numpy as np

from demur.arrays import Floats
from demur.comparisons.comparison_results import Comparison
from demur.comparisons.geometry import difference_curve
from demur.comparisons.pricing import Price, price_list
from demur.curves.curves import Curve
from demur.decisions.choice_tables import NEVER
from demur.errors import InputError, UndefinedRate
from demur.figures.curves import NONRETURN, curves_panel
from demur.results.pictures import (
    Axis,
    Dots,
    Entry,
    Level,
    Line,
    Look,
    Mark,
    Panel,
    Picture,
    Shade,
    Spans,
)
from demur.results.text import short_names
from demur.statistics.bands import Band, DifferenceBand

_LARGEST_PRICE: Final = 1.0
_PRICE: Final = "r: cost of a non-return over that of an error"


def comparison_picture(
    comparison: Comparison,
    *,
    band: DifferenceBand | None = None,
    at: Sequence[float] | None = None,
    region: tuple[float, float] | None = None,
) -> Picture:
    """The curves of a comparison, and their difference, at the rate it is about."""
    if len(comparison.curves) != 2:
        raise UndefinedRate("a system of this comparison has no curve.", where="plot")
    at = [comparison.at] if at is None else at
    return pair_picture(*comparison.curves, band=band, at=at, region=region)


def pair_picture(
    a: Curve,
    b: Curve,
    *,
    band: DifferenceBand | None = None,
    at: Sequence[float] = (),
    region: tuple[float, float] | None = None,
    bands: Sequence[Band | None] = (),
) -> Picture:
    """Two curves, and below them the error of b less that of a with its band."""
    upper = curves_panel([a, b], at=at, region=region, bands=bands)
    difference = difference_curve(a, b)
    names = short_names([a.system or "a", b.system or "b"])
    marks: list[Mark] = [] if region is None else [Spans((region,))]
    marks += [Level(0.0), *(Level(rate, "x", "note") for rate in at)]
    line = Line(difference.nonreturn, difference.difference)
    lower = _difference_panel(line, band, names, marks)
    return Picture(
        "comparison",
        f"{names[0]} and {names[1]}",
        f"Error-return curves, and the error of {names[1]} less that of {names[0]}: "
        f"above 0 {names[0]} errs less often, below 0 {names[1]}. "
        + ("" if band is None else f"Around the difference: {band.text}."),
        (replace(upper, x=Axis(NONRETURN)), lower),
        (5.6, 6.4),
        heights=(3, 2),
        shared="x",
        systems=(a.system, b.system),
    )


def difference_band_picture(band: DifferenceBand) -> Picture:
    """The error of b less that of a, with its band."""
    names = short_names([band.a or "a", band.b or "b"])
    line = Line(band.nonreturn, band.difference)
    return Picture(
        "difference-band",
        f"{names[1]} less {names[0]}",
        f"The error of {names[1]} less that of {names[0]}: above 0 {names[0]} errs "
        f"less often, below 0 {names[1]}. Around it: {band.text}.",
        (_difference_panel(line, band, names, [Level(0.0)]),),
        (5.6, 3.4),
        systems=(band.a, band.b),
    )


def _difference_panel(
    line: Line,
    band: DifferenceBand | None,
    names: Sequence[str],
    marks: Sequence[Mark],
) -> Panel:
    bands = [] if band is None else list(_band_marks(band, names))
    return Panel(
        (*marks, *(mark for mark, _ in bands), line),
        Axis(NONRETURN),
        _around_zero("difference of errors", np.asarray(line.y), band),
        signs=(
            Entry(f"error of {names[1]} less that of {names[0]}", (line,)),
            *(Entry(words, (mark,)) for mark, words in bands),
        ),
        signs_title=f"above 0: {names[0]} is better\nbelow 0: {names[1]} is better",
    )


def _around_zero(label: str, values: Floats, band: DifferenceBand | None) -> Axis:
    edges = [values] if band is None else [values, band.low, band.high]
    low = min(0.0, *(float(np.nanmin(edge)) for edge in edges))
    high = max(0.0, *(float(np.nanmax(edge)) for edge in edges))
    more = 0.06 * (high - low) or 0.02
    return Axis(label, low - more, high + more)


def _band_marks(
    band: DifferenceBand, names: Sequence[str]
) -> Iterable[tuple[Mark, str]]:
    """The band, and bars where it leaves out 0, with their words."""
    yield Shade(band.nonreturn, band.low, band.high, "ink"), band.text
    for look, (name, side) in enumerate(zip(names, "ab", strict=True)):
        ends = tuple((low, high) for low, high, who in band.surely() if who == side)
        if ends:
            words = f"{name} is better: the band leaves out 0"
            yield Spans(ends, look, 0.03), words


# -- what is cheapest ---------------------------------------------------------------


def prices_picture(curves: Sequence[Curve]) -> Picture:
    """What each system costs at its best cutoff, for every price of a non-return."""
    if not curves:
        raise InputError("plot_prices", "curves", "be at least one", "none")
    # Systems of one name are told apart by their numbers.
    overall = price_list(
        [replace(curve, system=str(index)) for index, curve in enumerate(curves)]
    )
    names = short_names([curve.system or "error" for curve in curves])
    lines = [
        Line(*_least_costs(price_list([curve])), look, name=name)
        for look, (curve, name) in enumerate(zip(curves, names, strict=True))
    ]
    price, cost = _least_costs(overall)
    changes = Dots(price[1:-1], cost[1:-1], "ink", "o", 4)
    steps = list(_cheapest(overall))
    nobody = [
        Entry(price.choice, (step,))
        for price, step in zip(_within(overall), steps, strict=True)
        if price.system is None
    ]
    changing = Entry("the cheapest cutoff or system changes", (changes,))
    upper = Panel(
        (*lines, changes),
        Axis(_PRICE),
        _cost_axis(line.y for line in lines),
        names=tuple(
            Entry(name, (line,)) for name, line in zip(names, lines, strict=True)
        ),
        signs=(*nobody, *([changing] if len(price) > 2 else [])),
    )
    nonreturn = Axis("nonreturn of the cheapest", -0.03, 1.03)
    return Picture(
        "prices",
        "Least cost at each price of a non-return",
        "Error plus r times the share not answered, for each system at the cutoff that "
        "is cheapest at each r; below, the nonreturn of the cheapest of all.",
        (upper, Panel(tuple(steps), Axis(_PRICE), nonreturn)),
        (5.6, 5.6),
        heights=(3, 2),
        shared="x",
    )


def least_cost_picture(prices: Sequence[Price]) -> Picture:
    """The least cost at each price, in the look of the system that has it."""
    listed = [price.system for price in prices if price.system is not None]
    systems = list(dict.fromkeys(listed))
    drawn: dict[str | None, Line] = {}
    lines = []
    for system, run in groupby(_within(prices), key=lambda price: price.system):
        ends = [
            (r, price.error + r * price.nonreturn)
            for price in reversed(list(run))
            for r in (price.low, min(price.high, _LARGEST_PRICE))
        ]
        x, y = np.array(ends).T
        line = Line(x, y, "note", "thin")
        if system is not None:
            line = Line(x, y, systems.index(system))
        drawn.setdefault(system, line)
        lines.append(line)
    if not lines:
        raise UndefinedRate("no price from 0 to 1 is among them.", where="plot")
    names = short_names([NEVER if name is None else name or "error" for name in drawn])
    return Picture(
        "prices",
        "Least cost at each price of a non-return",
        "Error plus r times the share not answered, for the system and cutoff that is "
        "cheapest at each r. The table has the numbers.",
        (
            Panel(
                tuple(lines),
                Axis(_PRICE),
                _cost_axis(line.y for line in lines),
                names=tuple(
                    Entry(name, (line,))
                    for name, line in zip(names, drawn.values(), strict=True)
                ),
            ),
        ),
        (5.6, 2.8),
        systems=tuple(systems),
    )


def _cost_axis(costs: Iterable[Floats]) -> Axis:
    words = "least cost (error + r \N{MULTIPLICATION SIGN} nonreturn)"
    return Axis(words, 0.0, 1.05 * max(float(cost.max()) for cost in costs) or 0.05)


def _within(prices: Sequence[Price]) -> list[Price]:
    return [price for price in prices if price.low < _LARGEST_PRICE]


def _cheapest(prices: Sequence[Price]) -> Iterable[Line]:
    """The nonreturn of what is cheapest; pale for silence, which is nobody's.

    The systems are called by their numbers.
    """
    for price in _within(prices):
        ends = np.array([price.low, min(price.high, _LARGEST_PRICE)])
        look: Look = "pale" if price.system is None else int(price.system)
        yield Line(ends, np.repeat(price.nonreturn, 2), look, "thick")


def _least_costs(prices: Sequence[Price]) -> tuple[Floats, Floats]:
    """Where the line of least costs bends, from r = 0 to the largest price."""
    rising = _within(prices)[::-1]
    ends = np.array([price.low for price in rising] + [_LARGEST_PRICE])
    best = [*rising, rising[-1]]
    costs = [p.error + r * p.nonreturn for p, r in zip(best, ends, strict=True)]
    return ends, np.array(costs)
