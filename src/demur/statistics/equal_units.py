"""How many units of equal weight tell as much: what large clusters leave of many.

A standard error that rests on C equal clusters is known by C - 1 degrees of freedom.
Where one cluster has half of the items it rests on hardly more than that one, however
many others there are.
"""

from typing import Final

import numpy as np

from demur.arrays import Floats, Positions, Sample

FAR_BELOW: Final = 0.5
"""Clusters worth less than this share of their number are worth a word."""


def equal_units(weight: Floats, cluster: Positions | None = None) -> float:
    """As many equal units as leave a standard error with as many degrees of freedom.

    Those of Bell and McCaffrey, plus 1, for units whose variance goes as their share m
    of all weight. Then each has m (1 - m) of it after the mean is taken off, and two
    have -m m' in common; with variances over 1 - m, as in `units.left_out`, the
    degrees of freedom are 1 over the sum of squares of these numbers. That is near the
    worst case: units alike in themselves have more than their share of the variance,
    but then the estimate goes with its standard error, and they seldom reject.

    Parameters
    ----------
    weight : array of float64, shape (n_items,)
        Above 0.
    cluster : array of int64, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.

    Returns
    -------
    float
        At most their number, and just that where all weigh the same.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28, for the variance and its degrees
    of freedom; Imbens and Kolesár (2016), Review of Economics and Statistics 98.

    Examples
    --------
    >>> equal_units(np.ones(40))
    40.0
    >>> round(equal_units(np.r_[39.0, np.ones(39)]), 2)
    4.8
    """
    units = weight if cluster is None else np.bincount(cluster, weight)
    if len(units) < 2 or np.ptp(units) == 0:
        return float(len(units))
    share = units / units.sum()
    squares, shared = np.square(share), np.square(share) / (1 - share)
    variance = squares.sum() + shared.sum() ** 2 - np.square(shared).sum()
    return float(min(1 + 1 / variance, len(units)))


def equal_units_of(sample: Sample) -> float:
    """The same of the clusters of a sample, or of its items without any.

    Examples
    --------
    >>> equal_units_of(Sample(np.ones(3, bool), np.ones(3), np.ones(3)))
    3.0
    """
    if sample.weight is None and sample.cluster is None:
        return float(len(sample))
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    return equal_units(weight, sample.cluster)


def worth_of(sample: Sample) -> float | None:
    """How many equal clusters they are worth, if far fewer than there are.

    Examples
    --------
    >>> guess, cluster = np.ones(78, bool), np.maximum(np.arange(78) - 38, 0)
    >>> round(worth_of(Sample(guess, np.ones(78), np.ones(78), None, cluster)), 2)
    4.8
    """
    if sample.cluster is None:
        return None
    worth = equal_units_of(sample)
    return worth if worth < FAR_BELOW * sample.n_clusters else None


def worth_text(worth: float) -> str:
    """The same in words.

    Examples
    --------
    >>> worth_text(4.8)
    'worth about 5 equal ones'
    """
    return f"worth about {max(round(worth), 2)} equal ones"
