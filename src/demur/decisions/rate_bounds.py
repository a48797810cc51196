"""Bounds of an error rate, for items or clusters, and how much data would settle it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.decisions.certificates import binomial_bound, hoeffding_bentkus

MOST_ITEMS = 10**9
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
    """

    error: float | None
    lower: float
    upper: float
    method: str
    units: int = 0
    per_unit: float = 1.0
    passes: Passes | None = None

    def further_items(self, target: float) -> int | None:
        """With how many more items the upper bound would be at most the target.

        0 if it is; None if the error is not below the target, or so near that a
        thousand million items would not do.
        """
        if self.upper <= target:
            return 0
        if self.passes is None or self.error is None or self.error >= target:
            return None
        most = int(MOST_ITEMS / self.per_unit)
        units = _least(self.passes, target, self.units, most)
        if units is None:
            return None
        return math.ceil((units - self.units) * self.per_unit - 1e-9)


def _least(passes: Passes, target: float, low: int, most: int) -> int | None:
    """The least number above ``low`` that passes, when all above it do too."""
    high = 2 * low
    while not passes(high, target):
        low, high = high, 2 * high
        if low > most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle, target) else (middle, high)
    return high


def bounds_of_rate(
    low: Flags,
    high: Flags,
    counted: Flags,
    *,
    cluster: npt.NDArray[np.int64] | None = None,
    certainty: float,
) -> RateBounds:
    """Upper and lower bound of the share of errors among counted items.

    Parameters
    ----------
    low, high : arrays of bool, shape (n_items,)
        Errors for the lower and for the upper bound; the second hold the first, and
        both lie among the counted.
    counted : array of bool, shape (n_items,)
        What the errors are a share of: all items, or answered ones.
    cluster : array of int64, shape (n_items,), optional
        Numbers from 0 upwards; None if items are independent.
    certainty : float
        One-sided, of each bound.

    Returns
    -------
    RateBounds

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Bates et al. (2021),
    "Distribution-free, risk-controlling prediction sets", section 3.

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
    if cluster is None:
        return _exact(low, high, counted, certainty)
    n_clusters = int(cluster.max()) + 1
    sums = [
        np.bincount(cluster, flags, n_clusters).astype(float)
        for flags in (low, high, counted)
    ]
    sums = [each[sums[2] > 0] for each in sums]
    bounds = _by_cluster if counted.all() else _by_cluster_of_some
    return bounds(*sums, certainty=certainty, items=len(counted))


def _exact(low: Flags, high: Flags, counted: Flags, certainty: float) -> RateBounds:
    """Clopper-Pearson, for independent items."""
    n, few, many = (int(flags.sum()) for flags in (counted, low, high))
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
        per_unit=len(counted) / n,
        passes=passes,
    )


def _by_cluster(
    low: Floats, high: Floats, size: Floats, *, certainty: float, items: int
) -> RateBounds:
    """Hoeffding-Bentkus over clusters of given sizes, as in `certificates`.

    Errors of a cluster over the largest size are independent values in [0, 1].
    """
    n, largest = len(size), float(size.max())
    scale = items / (n * largest)
    few, many = (float(wrong.sum()) / (n * largest) for wrong in (low, high))

    def upper(clusters: int) -> float:
        return min(1.0, hoeffding_bentkus(many, clusters, certainty) / scale)

    return RateBounds(
        error=float(high.sum()) / items,
        lower=max(0.0, (1 - hoeffding_bentkus(1 - few, n, certainty)) / scale),
        upper=upper(n),
        method=f"Hoeffding-Bentkus over {n} clusters",
        units=n,
        per_unit=items / n,
        passes=lambda clusters, target: upper(clusters) <= target,
    )


def _by_cluster_of_some(
    low: Floats, high: Floats, answered: Floats, *, certainty: float, items: int
) -> RateBounds:
    """Hoeffding-Bentkus over clusters, for a rate whose denominator is random too.

    The rate is at most r if (errors - r * answered) / largest + r, which lies in
    [0, 1] for every cluster, is at most r on average; the bounds are the r at which
    that test turns.
    """
    n, largest = len(answered), float(answered.max())
    total = float(answered.sum())

    def moved(wrong: float, rate: float) -> float:
        return min(1.0, max(0.0, rate + (wrong - rate * total) / (largest * n)))

    def at_most(rate: float, clusters: int) -> bool:
        mean = moved(float(high.sum()), rate)
        return hoeffding_bentkus(mean, clusters, certainty) <= rate

    def at_least(rate: float) -> bool:
        mean = moved(float(low.sum()), rate)
        return 1 - hoeffding_bentkus(1 - mean, n, certainty) >= rate

    error = float(high.sum()) / total
    return RateBounds(
        error=error,
        lower=_turn(lambda rate: not at_least(rate), 0.0, float(low.sum()) / total),
        upper=_turn(lambda rate: at_most(rate, n), error, 1.0),
        method=f"Hoeffding-Bentkus over {n} clusters",
        units=n,
        per_unit=items / n,
        passes=lambda clusters, target: at_most(target, clusters),
    )


def _turn(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition, false at ``low``, becomes true on the way to ``high``."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
