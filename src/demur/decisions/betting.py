"""Bounds by betting: for clusters, weights and partial credit, looked at at any time.

Somebody bets, unit after unit, that the error rate is below a value r: before each
unit a stake that depends on earlier units alone, and a loss or gain that is fair if
the rate is r. If the rate is r or more, the money is multiplied by 20 at any time with
a chance of at most 1/20. So a rate at which it was multiplied by 1 / (1 - certainty)
is excluded.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions

STAKE = 0.99
"""The largest part of the money that one unit can lose."""


def unit_order(n_units: int) -> Positions:
    """The order in which units are bet on: at random, but always the same."""
    return np.random.default_rng(0).permutation(n_units)


def log_money(
    loss: Floats,
    size: Floats,
    rate: float,
    *,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
) -> float:
    """Logarithm of the most money ever had by betting that the rate is below a value.

    The rate is the expected loss of a unit over its expected size, both taken from
    independent units of one kind, none of which is larger than the largest.

    Parameters
    ----------
    loss, size : arrays of float64, shape (n_units,)
        Of each unit in the order of the bets; ``0 <= loss <= size``.
    rate : float
        The value.
    certainty : float
        What the stakes aim at.
    anytime : bool
        Whether more units may follow. Else the stakes are best for these.
    largest : float, optional
        The largest size that a unit may have; by default the largest seen, which is no
        honest bound where more units may follow and their sizes differ.

    Returns
    -------
    float
        At least ``-log(1 - certainty)`` excludes the rate and all above it.

    References
    ----------
    Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by
    betting", Journal of the Royal Statistical Society B 86, for the stakes.

    Examples
    --------
    >>> none, each = np.zeros(59), np.ones(59)
    >>> bool(np.exp(log_money(none, each, 0.06, certainty=0.95)) > 20)
    True
    """
    largest = float(size.max()) if largest is None else largest
    x, s = loss / largest, size / largest
    seen = np.arange(len(x))
    # Means and variances of earlier units alone, drawn to 1/2 and 1/4 while these are
    # few: a stake that knew its own unit would be no fair bet.
    before = (np.cumsum(x) - x + 0.5) / (np.cumsum(s) - s + 1)
    squares = np.square(x - before * s)
    variance = (np.cumsum(squares) - squares + 0.25) / (seen + 1)
    units = (seen + 1) * np.log(seen + 2) if anytime else float(len(x))
    stake = np.sqrt(-2 * math.log(1 - certainty) / (variance * units))
    # Less than all is at stake, so that no single loss ends the game.
    gains = np.log1p(np.minimum(stake, STAKE) * (rate * s - x))
    return float(max(np.cumsum(gains).max(), 0.0))


def betting_bound(
    loss: Floats,
    size: Floats,
    *,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
) -> float:
    """Upper confidence bound of an error rate over independent units.

    Never below the rate that was seen, even if earlier units alone excluded that.

    Parameters are those of `log_money`.

    Returns
    -------
    float
        The true rate is above it in at most ``1 - certainty`` of samples; with
        ``anytime`` in so many sequences, however often they are looked at.

    Examples
    --------
    Ten of a hundred clusters of ten items each have five errors:

    >>> loss = np.tile(np.r_[np.zeros(9), 5.0], 10)
    >>> round(betting_bound(loss, np.full(100, 10.0), certainty=0.95), 3)
    0.092
    """
    goal = -math.log(1 - certainty)

    how: Any = {"certainty": certainty, "anytime": anytime, "largest": largest}

    def excluded(rate: float) -> bool:
        return log_money(loss, size, rate, **how) >= goal

    low, high = float(loss.sum() / size.sum()), 1.0
    if not excluded(high):
        return 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if excluded(middle) else (middle, high)
    return high


def least_where(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least number for which something holds that holds for all above it too.

    Parameters
    ----------
    holds : callable
        Of a whole number, True or False; it changes once.
    low, high : int
        It does not hold for the first, and does for the second; neither is tried.

    Examples
    --------
    >>> least_where(lambda number: number**2 > 50, 0, 100)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
