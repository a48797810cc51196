"""Independent units (clusters, or items without them): how much an estimate varies.

Standard errors from the influence of each unit, and what few units add to them.
"""

import math
from numbers import Real
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions, Sample
from demur.checks import whole
from demur.errors import InputError, UndefinedRate, shown

ROUNDING = 1e-12

FEWEST_UNITS = 5
"""With fewer there is no interval and no test: their spread says next to nothing."""

LEAST_EFFECTIVE = 1.5
"""Nor if the weights make them worth so few of equal weight (one has 80 % of all)."""


def check_units(where: str, sample: Sample) -> None:
    """Raise `UndefinedRate` if there are too few independent units.

    Examples
    --------
    >>> check_units("interval", Sample(np.ones(3, bool), np.ones(3), np.ones(3)))
    Traceback (most recent call last):
    ...
    demur.errors.UndefinedRate: interval: too few items (3): how much they vary is not
    known. At least 5 independent ones are needed.
    """
    n_units, clustered = sample.n_clusters, sample.cluster is not None
    if n_units < FEWEST_UNITS:
        raise UndefinedRate(f"{where}: {too_few(n_units, clustered=clustered)}")
    if sample.weight is None:
        return
    weight = unit_sums(sample.weight, sample.cluster)
    if effective_items(weight, n_units) < LEAST_EFFECTIVE:
        unit = "cluster" if clustered else "item"
        share = weight.max() / weight.sum()
        raise UndefinedRate(
            f"{where}: one {unit} has {100 * share:.3g} % of all weight, so how much "
            "the others vary says nothing. Lighter weights are needed."
        )


def too_few(n_units: int, *, clustered: bool) -> str:
    """What to say of so few units."""
    return (
        f"too few {'clusters' if clustered else 'items'} ({n_units}): how much they "
        f"vary is not known. At least {FEWEST_UNITS} independent ones are needed."
    )


def effective_items(weight: Floats | None, n_items: int) -> float:
    """Kish's effective number of items or clusters, given their weights.

    Examples
    --------
    >>> effective_items(np.array([1.0, 1.0, 2.0]), 3)
    2.6666666666666665
    """
    if weight is None:
        return float(n_items)
    return float(weight.sum() ** 2 / np.square(weight).sum())


def unit_sums(influence: Floats, cluster: Positions | None) -> Floats:
    """Influence of the independent units: sums over clusters, or the items' own.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
    cluster : array of int64, shape (n_items,), or None

    Returns
    -------
    array of float64, shape (n_units,)

    Examples
    --------
    >>> unit_sums(np.array([0.1, 0.2, -0.3]), np.array([0, 0, 1]))
    array([ 0.3, -0.3])
    """
    if cluster is None:
        return influence
    return np.bincount(cluster, influence).astype(np.float64, copy=False)


def left_out(influence: Floats, weight: Floats, cluster: Positions | None) -> Floats:
    """By how much the estimate would change, to first order, without each unit.

    A unit with a large share of all weight pulls the estimate towards itself, so its
    own influence is less than its absence would show; this undoes that.

    Parameters
    ----------
    influence : array of float64, shape (n_items,)
    weight : array of float64, shape (n_items,)
    cluster : array of int64, shape (n_items,), or None

    Returns
    -------
    array of float64, shape (n_units,)
    """
    share = unit_sums(weight / weight.sum(), cluster)
    if len(share) < 2:
        raise UndefinedRate(
            "standard_error: one item or cluster alone shows no spread. At least two "
            "independent ones are needed."
        )
    moved: Floats = unit_sums(influence, cluster) / (1 - share)
    return moved


def spread(moved: Floats) -> float:
    """Standard error from the units' `left_out` values, those of the jackknife.

    With units of equal weight it is sqrt(C/(C-1) sum of squared influences).
    """
    n_units = len(moved)
    return float(np.sqrt((n_units - 1) / n_units * np.square(moved).sum()))


# -- few units -----------------------------------------------------------------------


def t_quantile(level: float, n_units: int) -> float:
    """Two-sided quantile of Student's t with n_units - 1 degrees of freedom.

    Examples
    --------
    >>> round(t_quantile(0.95, 10), 3)
    2.262
    """
    from scipy.special import stdtrit

    return float(stdtrit(n_units - 1, (1 + level) / 2))


def agreeing(
    ends: tuple[float, float], value: float, *, rejects: bool
) -> tuple[float, float]:
    """An interval of a difference that holds 0 just where its test does not reject.

    Examples
    --------
    >>> agreeing((-0.3, 0.1), -0.1, rejects=True)
    (-0.3, 0.0)
    >>> agreeing((0.1, 0.3), 0.2, rejects=False)
    (0.0, 0.3)
    """
    low, high = ends
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if value > 0 else (low, min(high, 0.0))


def t_interval(value: float, moved: Floats, *, level: float) -> tuple[float, float]:
    """A number ± t standard errors, from the units' `left_out` values.

    Examples
    --------
    >>> [round(end, 4) for end in t_interval(0.0, np.array([0.1, -0.1]), level=0.95)]
    [-1.2706, 1.2706]
    """
    deviation = spread(moved)
    if deviation <= ROUNDING:
        return no_spread(value, level=level, n_units=len(moved))
    reach = t_quantile(level, len(moved)) * deviation
    return value - reach, value + reach


def no_spread(value: float, *, level: float, n_units: float) -> tuple[float, float]:
    """Interval of a number between -1 and 1 when all units agree.

    A share of units that behave otherwise, and was missed, is at most
    1 - ((1 - level) / 2) ** (1 / n_units).

    Examples
    --------
    >>> [round(end, 4) for end in no_spread(0.0, level=0.95, n_units=100)]
    [-0.0362, 0.0362]
    """
    reach = -math.expm1(math.log((1 - level) / 2) / n_units)
    return max(value - reach, -1.0), min(value + reach, 1.0)


def check_level(where: str, level: Any) -> None:
    """Raise `InputError` if a level makes no sense."""
    real = isinstance(level, Real) and not isinstance(level, bool)
    if not real or not 0.5 <= level < 1:
        hint = "It is the share of intervals that hold the truth: 0.95."
        raise InputError(where, "level", "be from 0.5 to below 1", shown(level), hint)


def check_recipe(where: str, level: Any, replicates: int | None) -> None:
    """Raise `InputError` if a level, or a number of replicates, makes no sense."""
    check_level(where, level)
    if replicates is None:
        return
    whole(where, "replicates", replicates, 1)
    least = math.ceil(2 / (1 - level)) - 1
    if replicates < least:
        must = f"be at least {least} for a level of {level:g}"
        raise InputError(where, "replicates", must, shown(replicates))
