"""Tests of runs on the same items at levels as small as one likes, without draws.

If nothing changed, each item (each cluster as a whole) might as well have had its
results in another order: of two runs what it adds to the difference is as likely to be
plus as minus, and of several runs each of its results is as likely to be the newest.
The chance of so large a sum is counted where it can be, and bounded where it cannot, so
that p is never too small, however far out.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Floats, Numbers, Positions, Sample
from demur.statistics.sign_tests import EXACT_UNITS, sign_flip
from demur.statistics.units import ROUNDING, check_units

SIGN_FACTOR: Final = 3.1787
"""A sum of signed amounts exceeds x standard deviations at most so many times as often
as a normal variable does: 1 / (4 (1 - Phi(sqrt(2)))), rounded up."""

BINOMIAL_FACTOR: Final = math.e**2 / 2
"""The same for a sum of bounded amounts, and a binomial variable."""


@dataclass(frozen=True, eq=False)
class LineUnits:
    """What the items of all runs of one line weigh, and the units they stand in.

    Parameters
    ----------
    share : array of float64, shape (n_items,)
        What each item weighs of all.
    order, first : array of int64 or None
        Items by cluster, and where in them each cluster begins; None if every item
        stands alone.
    """

    share: Floats
    order: Positions | None = None
    first: Positions | None = None

    @classmethod
    def of(cls, sample: Sample) -> "LineUnits":
        """Those of a sample.

        Raises
        ------
        UndefinedRate
            If there are too few units for a test.
        """
        check_units("history", sample)
        weight = np.ones(len(sample)) if sample.weight is None else sample.weight
        share = weight / weight.sum()
        if sample.cluster is None:
            return cls(share)
        order = np.argsort(sample.cluster, kind="stable")
        first = np.flatnonzero(np.diff(sample.cluster[order], prepend=-1))
        return cls(share, order, first)

    def sums(self, parts: Floats) -> Floats:
        """What each unit adds to the error of each run, shape (n_runs, n_units)."""
        amounts = parts * self.share
        if self.order is None or self.first is None:
            return amounts
        sums: Floats = np.add.reduceat(amounts[:, self.order], self.first, axis=1)
        return sums


def swap_p(sums: Floats) -> Floats:
    """Two-sided p values of sums of amounts whose signs are fair coins.

    Amounts of one size are counted: that is McNemar's exact test. Of up to 12 that are
    not 0 all patterns of signs are gone through. Else p is an upper bound: the tail of
    a normal variable, 3.18 times.

    Parameters
    ----------
    sums : array of float64, shape (n_runs, n_units)
        What each unit adds to the difference of two runs.

    Returns
    -------
    array of float64, shape (n_runs,)

    References
    ----------
    Bentkus and Dzindzalieta (2015), "A tight Gaussian bound for weighted sums of
    Rademacher random variables", Bernoulli 21, 1231-1237. McNemar (1947),
    Psychometrika 12.

    Examples
    --------
    >>> swap_p(np.array([[1.0, 1, 1, 1, 1, 1, 0], [1, 1, 1, 2, 0, 0, 0]])).tolist()
    [0.03125, 0.125]
    """
    size, square = np.abs(sums), np.square(sums).sum(1)
    largest = size.max(axis=1)
    differ = size > 1e-9 * largest[:, None]
    number = np.count_nonzero(differ, axis=1)
    # No square is above the largest, so that only equal ones add up to that.
    most = np.square(largest) * number
    one_size = most - square <= 1e-9 * np.square(largest)
    p_value = _signed_tail(sums.sum(1), square)
    for row in np.flatnonzero(~one_size & (number <= EXACT_UNITS)).tolist():
        p_value[row] = sign_flip(sums[row][differ[row]])
    rows = np.flatnonzero(one_size)
    if len(rows):
        plus = np.count_nonzero(differ[rows] & (sums[rows] > 0), axis=1)
        p_value[rows] = _counted(plus, number[rows])
    return p_value


def _counted(plus: Numbers, number: Numbers) -> Floats:
    """Of so many signs so many are plus: the exact binomial test."""
    from scipy.special import bdtr

    fewer = np.minimum(plus, number - plus)
    p_value: Floats = np.minimum(1.0, 2 * bdtr(fewer, number, 0.5))
    return np.where(2 * plus == number, 1.0, p_value)


def _signed_tail(total: Floats, square: Floats) -> Floats:
    from scipy.special import ndtr

    deviation = np.sqrt(np.where(square > 0, square, 1.0))
    p_value: Floats = np.minimum(
        1.0, 2 * SIGN_FACTOR * ndtr(-np.abs(total) / deviation)
    )
    return np.where(square > 0, p_value, 1.0)


def newest_p(
    apart: Floats, variance: Floats, above: Floats, below: Floats, n_units: int
) -> Floats:
    """Two-sided p values of the newest of several runs, against their mean.

    Parameters
    ----------
    apart : array of float64, shape (n_runs,)
        The error of the newest less the mean of all of these runs.
    variance : array of float64, shape (n_runs,)
        Of that, if the newest were drawn from them, for each unit by itself.
    above, below : array of float64, shape (n_runs,)
        The most by which what a unit adds lies above, and below, its mean.
    n_units : int
        How many there are.

    Returns
    -------
    array of float64, shape (n_runs,)
        Upper bounds.

    References
    ----------
    Bennett (1962), Journal of the American Statistical Association 57, 33-45; Bentkus
    (2004), "On Hoeffding's inequalities", Annals of Probability 32, 1650-1673.

    Examples
    --------
    Of 1,000 items 100 are wrong in a usual run, and 160 in the newest:

    >>> one = np.ones(1)
    >>> p = newest_p(0.06 * one, 9e-5 * one, 1e-3 * one, 1e-3 * one, 1000)
    >>> float(p[0]) < 1e-7
    True
    """
    size = np.abs(apart)
    tails = (_bounded_tail(size, variance, most, n_units) for most in (above, below))
    p_value: Floats = np.minimum(1.0, sum(tails, np.zeros(len(size))))
    return np.where(size <= ROUNDING, 1.0, p_value)


def _bounded_tail(size: Floats, variance: Floats, most: Floats, n_units: int) -> Floats:
    """The most that the chance of so large a sum of amounts can be."""
    from scipy.special import bdtrc

    some = (variance > 0) & (most > 0) & (size > 0)
    variance, most = np.where(some, variance, 1.0), np.where(some, most, 1.0)
    far = most * size / variance
    bennett = np.exp(-variance / most**2 * ((1 + far) * np.log1p(far) - far))
    # Of all such amounts those that are either `most` or something below their mean
    # have the largest tails: so many of them are `most`, at least.
    unit = variance / n_units
    chance = unit / (unit + most**2)
    number = (size + n_units * unit / most) / (most + unit / most)
    number = np.minimum(number, n_units)
    whole = np.floor(number)
    tails = [
        np.where(at >= 1, bdtrc(np.maximum(at - 1, 0), n_units, chance), 1.0)
        for at in (whole, np.minimum(whole + 1, n_units))
    ]
    logs = [np.log(np.maximum(tail, 1e-300)) for tail in tails]
    between = logs[0] + (number - whole) * (logs[1] - logs[0])
    tail = np.minimum(bennett, BINOMIAL_FACTOR * np.exp(between))
    return np.where(some, np.minimum(tail, 1.0), 0.0)


def level_of(number: int, risk: float) -> float:
    """At which level the n-th test of a line is made: all add up to the risk.

    Examples
    --------
    >>> level_of(1, 0.05), round(sum(level_of(k, 0.05) for k in range(1, 10_000)), 4)
    (0.025, 0.05)
    """
    return risk / (number * (number + 1.0))
