"""Tests of paired differences by signs and ranks: McNemar, sign flips, Wilcoxon."""

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats
from demur.errors import InputError
from demur.statistics.resampling import swaps
from demur.statistics.units import ROUNDING, unit_sums

EXACT_UNITS = 12
"""Up to so many units all sign patterns are gone through."""


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided p value of McNemar's test, exact.

    Null hypothesis: of the items on which exactly one system errs, either errs with
    probability 1/2. With cutoffs chosen on the same data it is conservative; use
    `demur.compare` for a difference at a nonreturn rate.

    Parameters
    ----------
    b, c : int
        Items on which only the one, and only the other, system errs.

    Returns
    -------
    float

    Examples
    --------
    >>> mcnemar_exact(1, 7)
    0.0703125
    """
    from scipy.special import bdtr

    if min(b, c) < 0:
        raise InputError("mcnemar_exact", "counts", "not be negative", f"{b} and {c}")
    if b == c:
        return 1.0
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))


def sign_flip(
    differences: Floats,
    *,
    cluster: npt.NDArray[np.int64] | None = None,
    replicates: int = 2000,
    seed: int = 0,
) -> float:
    """Two-sided p value of the mean of paired differences, by flipping signs.

    Null hypothesis: each difference (the sum of each cluster) is as likely to be
    positive as negative, whatever its size. Exact for up to 12 units.

    Parameters
    ----------
    differences : array of float64, shape (n_items,)
    cluster : array of int64, shape (n_items,), optional
        Items with the same number flip together.
    replicates, seed : int
        Random flips, if there are more than 12 units.

    Returns
    -------
    float

    Examples
    --------
    >>> sign_flip(np.array([1.0, 2.0, 3.0, 4.0]))
    0.125
    """
    sums = unit_sums(np.asarray(differences, np.float64), cluster)
    if not len(sums):
        raise InputError("sign_flip", "differences", "hold at least one item", "none")
    wanted = abs(sums.sum()) - ROUNDING * np.abs(sums).sum()
    if len(sums) <= EXACT_UNITS:
        patterns = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ sums) >= wanted))
    extreme = sum(
        int(np.count_nonzero(np.abs((1 - 2 * flips) @ sums) >= wanted))
        for flips in swaps(len(sums), replicates, seed)
    )
    return (extreme + 1) / (replicates + 1)


def wilcoxon_signed_rank(differences: Floats) -> float:
    """Two-sided p value of Wilcoxon's signed-rank test; zeros are left out.

    Null hypothesis: the differences are spread evenly around 0. Exact for few
    differences without ties, else by the normal distribution.

    Parameters
    ----------
    differences : array of float64, shape (n_items,)

    Returns
    -------
    float
        1 if all differences are 0.

    Examples
    --------
    >>> wilcoxon_signed_rank(np.array([1.0, 2.0, 3.0, 4.0]))
    0.125
    """
    from scipy.stats import wilcoxon

    values = np.asarray(differences, np.float64)
    values = values[values != 0]
    if not len(values):
        return 1.0
    return float(wilcoxon(values, method="auto").pvalue)
