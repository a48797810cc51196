"""Entropy from counts: as observed, and corrected for what few counts cannot show.

All in bits, for many distributions at once; nothing is capped here.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from demur.arrays import Floats, Numbers, Positions
from demur.checks import choice
from demur.errors import InputError, shown

LN2: Final = float(np.log(2.0))


def plug_in(counts: Numbers, of: Positions, n_groups: int) -> Floats:
    """Entropy of the observed shares, which is too low on few counts.

    Parameters
    ----------
    counts : array of int, shape (n_pairs,)
        From 1 upwards.
    of : array of int, shape (n_pairs,)
        Which distribution each count belongs to.
    n_groups : int
        How many markables there are.

    Returns
    -------
    array of float64, shape (n_groups,)
        Bits.

    Examples
    --------
    >>> plug_in(np.array([1, 2, 1]), np.zeros(3, int), 1)
    array([1.5])
    """
    share = _shares(counts, of, n_groups)
    return _total(-share * np.log2(share), of, n_groups)


def miller_madow(counts: Numbers, of: Positions, n_groups: int) -> Floats:
    """The plug-in entropy + (values - 1) / (2 items), in nats.

    References
    ----------
    Miller (1955), "Note on the bias of information estimates".
    """
    items = np.bincount(of, counts, n_groups)
    values = np.bincount(of, minlength=n_groups)
    more = (values - 1) / (2 * items * LN2)
    corrected: Floats = plug_in(counts, of, n_groups) + more
    return corrected


def chao_shen(counts: Numbers, of: Positions, n_groups: int) -> Floats:
    """Shares shrunk by the coverage, 1 - singletons / items, and weighed as unseen.

    If every count is 1, all but one are taken for singletons.

    References
    ----------
    Chao and Shen (2003), "Nonparametric estimation of Shannon's index of diversity when
    there are unseen species in sample", Environmental and Ecological Statistics 10.
    """
    items = np.bincount(of, counts, n_groups)
    single = np.bincount(of, counts == 1, n_groups)
    single = np.where(single == items, items - 1, single)
    share = _shares(counts, of, n_groups) * (1 - single / items)[of]
    seen = -np.expm1(items[of] * np.log1p(-np.minimum(share, 1 - 1e-16)))
    return _total(-share * np.log2(share) / seen, of, n_groups)


def grassberger(counts: Numbers, of: Positions, n_groups: int) -> Floats:
    """The logarithm of the number of items, less the mean of G(count).

    G(n) = psi(n) + (-1)^n (psi((n + 1) / 2) - psi(n / 2)) / 2, with the digamma psi.

    References
    ----------
    Grassberger (2003), "Entropy estimates from insufficient samplings".
    """
    from scipy.special import digamma

    size = counts.astype(float)
    sign = np.where(counts % 2 == 0, 0.5, -0.5)
    gain = digamma(size) + sign * (digamma((size + 1) / 2) - digamma(size / 2))
    items = np.bincount(of, counts, n_groups)
    mean = _total(size * gain, of, n_groups) / items
    entropy: Floats = (np.log(items) - mean) / LN2
    return entropy


ESTIMATORS: Final[dict[str, Callable[[Numbers, Positions, int], Floats]]] = {
    "plug-in": plug_in,
    "Miller-Madow": miller_madow,
    "Chao-Shen": chao_shen,
    "Grassberger": grassberger,
}


def entropy_of_counts(
    counts: Sequence[int] | Numbers, estimator: str = "plug-in"
) -> float:
    """The entropy of one distribution from its counts, in bits.

    Parameters
    ----------
    counts : array of int, shape (n_values,)
        How often each value was seen; zeros are not looked at.
    estimator : {"plug-in", "Miller-Madow", "Chao-Shen", "Grassberger"}
        The first is the entropy of the observed shares, too low on few counts; the
        others correct that, and are not capped.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If the estimator is not known, or nothing was counted.

    Examples
    --------
    >>> import demur
    >>> for estimator in ("plug-in", "Miller-Madow", "Chao-Shen", "Grassberger"):
    ...     print(round(demur.entropy_of_counts([1, 2, 1], estimator), 3))
    1.5
    1.861
    2.544
    2.39
    """
    choice("entropy_of_counts", "the estimator", estimator, ESTIMATORS)
    seen = np.asarray(counts)
    whole = seen.ndim == 1 and seen.dtype.kind in "iu" and bool((seen >= 0).all())
    if not whole or not seen.sum():
        need = "be whole numbers from 0, and not all 0"
        raise InputError("entropy_of_counts", "counts", need, shown(counts))
    seen = seen[seen > 0]
    return float(ESTIMATORS[estimator](seen, np.zeros(len(seen), np.int64), 1)[0])


def _shares(counts: Numbers, of: Positions, n_groups: int) -> Floats:
    shares: Floats = counts / np.bincount(of, counts, n_groups)[of]
    return shares


def _total(values: Floats, of: Positions, n_groups: int) -> Floats:
    return np.bincount(of, values, n_groups).astype(float)
