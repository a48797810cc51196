"""Pictures for comparing: two curves with their difference, and what is cheapest.

Nothing is computed here but where lines go: numbers come from curves, from a
`demur.DifferenceBand`, and from `demur.price_list`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from demur import checks
from demur.comparisons.geometry import difference_curve
from demur.comparisons.pricing import Price, price_list
from demur.curves.curves import Curve
from demur.errors import InputError
from demur.plots import pens
from demur.plots.curves import REGION, plot_curves
from demur.plots.pens import Entry
from demur.statistics.bands import DifferenceBand

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_comparison", "plot_prices"]

_ZERO: dict[str, Any] = {"color": "black", "linewidth": 0.8, "zorder": 1}
_NOBODY = "0.7"
_LARGEST_PRICE = 1.0


def plot_comparison(
    a: Curve,
    b: Curve,
    *,
    band: DifferenceBand | None = None,
    at: Sequence[float] = (),
    region: tuple[float, float] | None = None,
) -> list["Axes"]:
    """Two curves, and below them the error of b less that of a with its band.

    Parameters
    ----------
    a, b : Curve
        Of two systems on the same items.
    band : DifferenceBand, optional
        Around the difference; its kind and level stand in the legend. Where it does
        not hold 0 a bar at the lower edge names the better system.
    at : sequence of float
        Nonreturn rates to mark.
    region : tuple (low, high), optional
        Nonreturn rates at which the systems will be run; shaded.

    Returns
    -------
    list of matplotlib Axes
        The curves and the difference; write them with `demur.save_picture`.

    Raises
    ------
    UndefinedRate
        If a system has no curve.
    MissingExtra
        If matplotlib is not installed.

    References
    ----------
    Artstein (2011), section 5, on curves that dominate or intersect.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         system=name, correct=correct, confidence=[4, 3, 2, 1]))
    ...     for name, correct in (("a", [1, 1, 1, 0]), ("b", [1, 0, 1, 0])))
    >>> upper, lower = demur.plot_comparison(a, b)
    >>> lower.lines[-1].get_ydata()
    array([0.25, 0.25, 0.25, 0.  , 0.  ])
    """
    for name, curve in (("a", a), ("b", b)):
        checks.of_kind("plot_comparison", name, curve, Curve)
    if band is not None:
        checks.of_kind("plot_comparison", "band", band, DifferenceBand)
    difference = difference_curve(a, b)
    upper, lower = _two_panels((5.6, 6.4), (3, 2))
    plot_curves([a, b], ax=upper, at=at, region=region, legend=True)
    upper.set_xlabel("")
    upper.tick_params(labelbottom=False)
    names = pens.short_names([a.system or "a", b.system or "b"])
    lower.axhline(0, **_ZERO)
    for rate in at:
        lower.axvline(rate, color=pens.GREY, linewidth=0.7, zorder=1)
    if region is not None:
        lower.axvspan(*region, **REGION)
    entries = [] if band is None else _draw_band(lower, band, names)
    kept = pens.thinned(difference.nonreturn)
    pen = {**pens.line_pen(0), "linewidth": 1.4}
    (line,) = lower.plot(difference.nonreturn[kept], difference.difference[kept], **pen)
    entries.insert(0, (f"error of {names[1]} less that of {names[0]}", line))
    lower.set(xlim=(0, 1), xlabel="nonreturn (share of inputs not answered)")
    lower.set_ylabel("difference of errors")
    lower.spines[["top", "right"]].set_visible(False)
    sides = f"above 0: {names[0]} is better\nbelow 0: {names[1]} is better"
    pens.make_room(lower, pens.add_legend(lower, entries, sides))
    pens.settle(lower)
    return [upper, lower]


def _two_panels(size: tuple[float, float], heights: tuple[int, int]) -> list["Axes"]:
    first = pens.new_axes(1, size=size)[0]
    figure: Any = first.figure
    first.remove()
    panels = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    return list(panels)


def _draw_band(ax: "Axes", band: DifferenceBand, names: Sequence[str]) -> list[Entry]:
    from matplotlib.patches import Patch

    pens.draw_band(ax, band, 0)
    patch = Patch(**pens.confidence_pen(pens.colour_of(0)))
    entries: list[Entry] = [(band.text, patch)]
    for index, side in enumerate("ab"):
        spans = [(low, high) for low, high, who in band.surely() if who == side]
        if spans:
            ends = [(low, high - low) for low, high in spans]
            pen: Any = {"transform": ax.get_xaxis_transform(), "linewidth": 0}
            pen |= {"facecolor": pens.colour_of(index), "zorder": 3}
            bar = ax.broken_barh(ends, (0, 0.03), **pen)
            entries.append((f"{names[index]} is better: the band leaves out 0", bar))
    return entries


# -- what is cheapest ---------------------------------------------------------------


def plot_prices(curves: Sequence[Curve]) -> list["Axes"]:
    """What each system costs at its best cutoff, for every price of a non-return.

    Parameters
    ----------
    curves : sequence of Curve
        At least one; a system without confidences enters with its operating point.

    Returns
    -------
    list of matplotlib Axes
        Above the least cost, ``error + r nonreturn``, of each system over r, with a
        dot wherever the cheapest choice changes; below the nonreturn of that choice,
        grey if it is to answer nothing.
        Write them with `demur.save_picture`.

    Raises
    ------
    InputError
        If there is no curve.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     correct=[True, True, False, False], confidence=[0.9, 0.4, 0.5, 0.1]))
    >>> upper, lower = demur.plot_prices([curve])
    >>> upper.lines[0].get_xydata().tolist()
    [[0.0, 0.0], [0.5, 0.375], [1.0, 0.5]]
    """
    curves = checks.all_of_kind("plot_prices", "curves", curves, Curve)
    if not curves:
        raise InputError("plot_prices", "curves", "be at least one", "none")
    overall = price_list(
        [replace(curve, system=str(index)) for index, curve in enumerate(curves)]
    )
    upper, lower = _two_panels((5.6, 5.6), (3, 2))
    names = pens.short_names([curve.system or "error" for curve in curves])
    entries: list[Entry] = []
    for index, (curve, name) in enumerate(zip(curves, names, strict=True)):
        price, cost = _least_costs(price_list([curve]))
        (line,) = upper.plot(price, cost, **pens.line_pen(index))
        entries.append((name, line))
    price, cost = _least_costs(overall)
    pen = pens.dot_pen("black", 4)
    (dots,) = upper.plot(price[1:-1], cost[1:-1], **pen)
    entries += _draw_cheapest(lower, overall)
    if len(price) > 2:
        entries.append(("the cheapest cutoff or system changes", dots))
    upper.set(xlim=(0, _LARGEST_PRICE), ylim=(0, None))
    upper.set_ylabel("least cost (error + r \N{MULTIPLICATION SIGN} nonreturn)")
    lower.set(ylim=(-0.03, 1.03), ylabel="nonreturn of the cheapest")
    lower.set_xlabel("r: cost of a non-return over that of an error")
    for ax in (upper, lower):
        ax.spines[["top", "right"]].set_visible(False)
    pens.make_room(upper, pens.add_legend(upper, entries))
    pens.settle(upper)
    return [upper, lower]


def _draw_cheapest(ax: "Axes", prices: Sequence[Price]) -> list[Entry]:
    """The nonreturn of what is cheapest; an entry for silence, which is nobody's.

    The systems are called by their numbers.
    """
    entries: list[Entry] = []
    for price in prices:
        if price.low < _LARGEST_PRICE:
            ends = [price.low, min(price.high, _LARGEST_PRICE)]
            pen = {**_thick(0), "color": _NOBODY}
            if price.system is not None:
                pen = _thick(int(price.system))
            (line,) = ax.plot(ends, [price.nonreturn] * 2, **pen)
            if price.system is None:
                entries.append((price.choice, line))
    return entries


def _least_costs(prices: Sequence[Price]) -> tuple[Any, Any]:
    """Where the line of least costs bends, from r = 0 to the largest price."""
    rising = [price for price in reversed(prices) if price.low < _LARGEST_PRICE]
    ends = np.array([each.low for each in rising] + [_LARGEST_PRICE])
    best = [*rising, rising[-1]]
    costs = [
        each.error + r * each.nonreturn for each, r in zip(best, ends, strict=True)
    ]
    return ends, np.array(costs)


def _thick(index: int) -> dict[str, Any]:
    pen = {**pens.line_pen(index), "linestyle": "solid", "linewidth": 3.5}
    return {**pen, "solid_capstyle": "butt"}
