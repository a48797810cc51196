"""Bounds of an error rate, for items or clusters, and how much data would settle it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.decisions.betting import betting_bound, least_where, log_money_of_more
from demur.decisions.exact_certificates import binomial_bound

MOST_ITEMS = 10**9
MOST_UNITS = 10**6
Passes = Callable[[int, float], bool]


@dataclass(frozen=True, eq=False)
class RateBounds:
    """An error rate, its bounds, and what more data of the same kind would do.

    Parameters
    ----------
    error : float or None
        Errors / counted items, those of the upper bound; None if none is counted.
    lower, upper : float
        One-sided bounds.
    method : str
        How they were made.
    units : int
        How many independent units there are: counted items, or clusters.
    per_unit : float
        How many items, counted or not, come with one unit.
    passes : callable, or None
        Whether so many units, erring at the same rate, would bring the upper bound
        down to a target.
    most : int
        How many units are tried at most.
    """

    error: float | None
    lower: float
    upper: float
    method: str
    units: int = 0
    per_unit: float = 1.0
    passes: Passes | None = None
    most: int = MOST_ITEMS

    def further_items(self, target: float) -> int | None:
        """With how many more items the upper bound would be at most the target.

        0 if it is; None if the error is not below the target, or so near that a
        thousand million items (a million clusters) would not do.
        """
        if self.upper <= target:
            return 0
        if self.passes is None or self.error is None or self.error >= target:
            return None
        most = min(int(MOST_ITEMS / self.per_unit), self.most)
        units = _least(self.passes, target, self.units, most)
        if units is None:
            return None
        # What rounding adds to a whole number of items is no further item.
        return math.ceil((units - self.units) * self.per_unit - 1e-9)


def _least(passes: Passes, target: float, low: int, most: int) -> int | None:
    """The least number above ``low`` that passes, when all above it do too."""
    high = 2 * low
    while not passes(high, target):
        low, high = high, 2 * high
        if low > most:
            return None
    return least_where(lambda units: passes(units, target), low, high)


def bounds_of_rate(
    low: Floats,
    high: Floats,
    counted: Flags | Floats,
    *,
    cluster: npt.NDArray[np.int64] | None = None,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
) -> RateBounds:
    """Upper and lower bound of the share of errors among counted items.

    Exact for independent items that are right or wrong; by betting for clusters, for
    partial credit or weights, and if they may be looked at at any time.

    Parameters
    ----------
    low, high : arrays of float64 or bool, shape (n_items,)
        Losses for the lower and for the upper bound.
    counted : array of bool or float64, shape (n_items,)
        What the errors are a share of: all items, or answered ones; or how much each
        item counts, 0 if not at all.
    cluster : array of int64, shape (n_items,), optional
        Numbers from 0 upwards; None if items are independent.
    certainty : float
        One-sided, of each bound.
    anytime : bool
        Whether the bounds hold however often they are looked at while items come in,
        in the order of the rows.
    largest : float, optional
        The most that a unit may count: items of a cluster, or a weight; by default what
        the largest seen does.

    Returns
    -------
    RateBounds

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Waudby-Smith and Ramdas (2024), JRSS B
    86, for betting.

    Examples
    --------
    >>> import numpy as np
    >>> wrong, every = np.arange(100) < 3, np.ones(100, bool)
    >>> found = bounds_of_rate(wrong, wrong, every, certainty=0.95)
    >>> round(found.lower, 4), round(found.upper, 4), found.further_items(0.05)
    (0.0082, 0.0757, 243)
    """
    if not counted.any():
        return RateBounds(None, 0.0, 1.0, "nothing is answered")
    counted = np.asarray(counted, np.float64)
    losses = low * counted, high * counted
    whole = all(np.isin(part, (0.0, 1.0)).all() for part in (*losses, counted))
    if cluster is None and whole and not anytime:
        n, few, many = (int(flags.sum()) for flags in (counted, *losses))
        return exact_bounds(n, (few, many), len(counted), certainty)
    how = {"certainty": certainty, "anytime": anytime, "largest": largest}
    return _by_betting(losses, counted, cluster, how)


def exact_bounds(
    n: int, errors: tuple[int, int], items: int, certainty: float
) -> RateBounds:
    """Clopper-Pearson, for independent items.

    Parameters
    ----------
    n : int
        How many are counted.
    errors : tuple (few, many)
        How many of these err, for the lower and for the upper bound.
    items : int
        How many there are, counted or not.
    certainty : float
        One-sided, of each bound.
    """
    if not n:
        return RateBounds(None, 0.0, 1.0, "nothing is answered")
    few, many = errors
    rate = many / n

    def passes(items: int, target: float) -> bool:
        from scipy.special import betaincinv

        wrong = rate * items
        return bool(betaincinv(wrong + 1, items - wrong, certainty) <= target)

    return RateBounds(
        error=rate,
        lower=1 - binomial_bound(n - few, n, certainty),
        upper=binomial_bound(many, n, certainty),
        method="exact binomial",
        units=n,
        per_unit=items / n,
        passes=passes,
    )


def _by_betting(
    losses: tuple[Floats, Floats],
    counted: Floats,
    cluster: npt.NDArray[np.int64] | None,
    how: dict[str, Any],
) -> RateBounds:
    """Bets on items or clusters; at any time in the order in which they come."""
    parts = [*losses, counted.astype(np.float64)]
    if cluster is not None:
        parts = [np.bincount(cluster, part).astype(np.float64) for part in parts]
    order = _arrival(cluster, len(parts[0]))
    low, high, size = (part[order][parts[2][order] > 0] for part in parts)
    goal = -math.log(1 - how["certainty"])

    def passes(units: int, target: float) -> bool:
        return log_money_of_more(high, size, target, units, **how) >= goal

    unit = "items" if cluster is None else "clusters"
    when = ", at any time" if how["anytime"] else ""
    return RateBounds(
        error=float(high.sum() / size.sum()),
        lower=max(0.0, 1 - betting_bound(size - low, size, **how)),
        upper=betting_bound(high, size, **how),
        method=f"bets with fixed stakes over {len(size)} {unit}{when}",
        units=len(size),
        per_unit=len(counted) / len(size),
        passes=passes,
        most=MOST_UNITS,
    )


def _arrival(cluster: npt.NDArray[np.int64] | None, n_units: int) -> Any:
    """Units in the order of the rows: a cluster where its first row stands."""
    if cluster is None:
        return np.arange(n_units)
    return np.argsort(np.unique(cluster, return_index=True)[1], kind="stable")
