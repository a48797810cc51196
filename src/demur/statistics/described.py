"""Intervals and bands with the curves that they are of, and how they came about."""

from dataclasses import replace

from demur.arrays import Floats
from demur.curves.curves import Curve
from demur.results import exactly
from demur.statistics.bands import Band, DifferenceBand
from demur.statistics.intervals import Interval


def interval_of_curve(curve: Curve, estimate: Interval, wanted: str) -> Interval:
    """An interval with the curve that it is of, and what it is of in words."""
    recipe = {**curve.recipe, "interval": wanted, "level": exactly(estimate.level)}
    recipe |= {"method": estimate.method, **drawn_how(estimate)}
    return replace(estimate, system=curve.system, group=curve.group, recipe=recipe)


def band_of_curve(curve: Curve, estimate: Band, grid: Floats | None = None) -> Band:
    """A band with the curve that it is around."""
    level = exactly(estimate.level)
    recipe = {**curve.recipe, "band": estimate.method, "level": level}
    recipe |= drawn_how(estimate) | rates_given(grid)
    return replace(estimate, system=curve.system, recipe=recipe)


def drawn_how(estimate: Interval | Band | DifferenceBand) -> dict[str, str]:
    """How it was drawn, if it was."""
    drawn = {name: getattr(estimate, name, None) for name in ("replicates", "seed")}
    return {name: str(value) for name, value in drawn.items() if value is not None}


def rates_given(grid: Floats | None) -> dict[str, str]:
    """The rates of a band, if they are not the usual ones."""
    return {} if grid is None else {"rates": ",".join(map(exactly, grid))}
