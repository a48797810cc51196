"""Tests of paired differences by signs and ranks: McNemar, sign flips, Wilcoxon."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.arrays import Floats, Numbers, Positions
from demur.errors import InputError, shown
from demur.statistics.resampling import swaps, swaps_of_kinds
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
    >>> import demur
    >>> demur.mcnemar_exact(1, 7)
    0.0703125
    """
    checks.whole("mcnemar_exact", "b", b)
    checks.whole("mcnemar_exact", "c", c)
    from scipy.special import bdtr

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
        Of each item; only their sizes relative to each other count.
    cluster : array of int64, shape (n_items,), optional
        Items with the same number flip together.
    replicates, seed : int
        Random flips, if there are more than 12 units.

    Returns
    -------
    float

    Examples
    --------
    >>> import demur
    >>> import numpy as np
    >>> demur.sign_flip(np.array([1.0, 2.0, 3.0, 4.0]))
    0.125
    """
    checks.whole("sign_flip", "seed", seed)
    checks.whole("sign_flip", "replicates", replicates, 1)
    differences = checks.numbers("sign_flip", "differences", differences)
    if cluster is not None:
        cluster = np.asarray(checks.numbers("sign_flip", "cluster", cluster))
        whole = cluster.dtype.kind in "iu" and (cluster >= 0).all()
        if not whole or len(cluster) != len(differences):
            need = "be a whole number from 0 for each difference"
            raise InputError("sign_flip", "cluster", need, shown(cluster))
    sums = unit_sums(np.asarray(differences, np.float64), cluster)
    if not len(sums):
        raise InputError("sign_flip", "differences", "hold at least one item", "none")
    wanted = abs(sums.sum()) - ROUNDING * np.abs(sums).sum()

    def extreme(flips: Numbers) -> int:
        return int(np.count_nonzero(np.abs((1 - 2 * flips) @ sums) >= wanted))

    return share_of_flips(extreme, len(sums), replicates, seed)


def counted_flips(
    differences: Floats, number: Positions, *, replicates: int = 2000, seed: int = 0
) -> float:
    """`sign_flip` of so many units with each difference.

    How many of them flip is drawn in one go: the same law, by other draws.

    Examples
    --------
    >>> counted_flips(np.array([1.0, 2.0]), np.array([2, 1]))
    0.25
    """
    if number.sum() <= EXACT_UNITS:
        return sign_flip(np.repeat(differences, number))
    together = number * differences
    wanted = abs(together.sum()) - ROUNDING * np.abs(together).sum()
    beyond = sum(
        int(np.count_nonzero(np.abs((number - 2 * flips) @ differences) >= wanted))
        for flips in swaps_of_kinds(number, replicates, seed)
    )
    return (beyond + 1) / (replicates + 1)


def share_of_flips(
    extreme: Callable[[Numbers], int], n_units: int, replicates: int, seed: int
) -> float:
    """The p value of a test that flips units: all patterns of few, else random ones.

    Parameters
    ----------
    extreme : callable
        How many rows of flips (0 or 1, for each unit) go as far as what was observed.
    n_units : int
        Up to 12 all patterns are gone through.
    replicates, seed : int
        Of random flips, to which the observed pattern is added: no p value is 0.
    """
    if n_units <= EXACT_UNITS:
        patterns = np.arange(2**n_units)[:, None] >> np.arange(n_units) & 1
        return extreme(patterns) / float(2**n_units)
    beyond = sum(extreme(flips) for flips in swaps(n_units, replicates, seed))
    return (beyond + 1) / (replicates + 1)


def wilcoxon_signed_rank(differences: Floats) -> float:
    """Two-sided p value of Wilcoxon's signed-rank test; zeros are left out.

    Null hypothesis: the differences are spread evenly around 0. Equal sizes share the
    mean of their ranks, and the distribution of the sum of ranks is gone through for
    these ranks up to 500 differences; beyond it is taken as normal. With differences
    of one size it is McNemar's exact test.

    Parameters
    ----------
    differences : array of float64, shape (n_items,)
        Sizes that differ by less than 1e-12 of the largest are equal.

    Returns
    -------
    float
        1 if all differences are 0.

    References
    ----------
    Wilcoxon (1945), Biometrics Bulletin 1. Tables and approximations without ties, as
    other packages use them, are off where many differences are equal: 12 against 4 of
    one size have p = .0768, not .0833 or .0455.

    Examples
    --------
    >>> import demur
    >>> import numpy as np
    >>> demur.wilcoxon_signed_rank(np.array([1.0, 2.0, 3.0, 4.0]))
    0.125
    >>> round(demur.wilcoxon_signed_rank(np.array([1.0] * 12 + [-1.0] * 4)), 4)
    0.0768
    """
    differences = checks.numbers("wilcoxon_signed_rank", "differences", differences)
    from scipy.special import ndtr
    from scipy.stats import rankdata

    values = np.asarray(differences, np.float64)
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return 1.0
    scaled = np.round(values / largest, 12)
    scaled = scaled[scaled != 0]
    # Shared ranks end in halves; doubled they are whole, and sums can be counted.
    doubled = np.rint(2 * rankdata(np.abs(scaled))).astype(np.int64)
    total, above = int(doubled.sum()), int(doubled[scaled > 0].sum())
    apart = abs(2 * above - total)
    if len(doubled) > EXACT_RANKS:
        return min(1.0, 2 * float(ndtr(-apart / np.sqrt(np.square(doubled).sum()))))
    # The chance of each sum of ranks, one rank after the other being added or not.
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for rank in doubled.tolist():
        moved = np.zeros(total + 1)
        moved[rank:] = chance[: total + 1 - rank]
        chance = (chance + moved) / 2
    sums = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(chance[sums >= apart].sum()))


EXACT_RANKS = 500
"""Up to so many differences that are not 0, Wilcoxon's test is exact."""
