"""How many units of equal weight tell as much: what large clusters leave of many.

A standard error that rests on C equal clusters is known by C - 1 degrees of freedom.
Where one cluster has half of the items it rests on hardly more than that one, however
many others there are.
"""

from typing import Final

import numpy as np

from demur.arrays import (
    Clusters,
    Floats,
    Positions,
    Sample,
    summed,
    unit_sums,
    units_counted,
)

FAR_BELOW: Final = 0.5
"""Clusters worth less than this share of their number are worth a word."""


def equal_units(
    weight: Floats,
    cluster: Clusters = None,
    *,
    variance: Floats | None = None,
    number: Positions | None = None,
) -> float:
    """As many equal units as leave a standard error with as many degrees of freedom.

    Those of Bell and McCaffrey, plus 1: the standard error is that of
    `units.left_out`, and the degrees of freedom are twice its square's mean squared
    over its variance.

    By default a unit's variance goes as its share of all weight, as if its items were
    independent. Where they are alike, large units have more than their share of it,
    but then a mean deviates along with its standard error, and is seldom rejected.

    Parameters
    ----------
    weight : array of float64, shape (n_items,)
        Above 0.
    cluster : array of int64, shape (n_items,), or AlikeClusters, or None
        Numbers from 0; None if every item stands alone.
    variance : array of float64, shape (n_units,), optional
        Of the sum of each unit, up to a factor.
    number : array of int64, shape (n_units,), optional
        How many units are like each, where they are counted.

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
    units = unit_sums(weight, cluster)
    n_units = float(len(units) if number is None else number.sum())
    if len(units) < 2 or np.ptp(units) == 0:
        return n_units
    share = units / summed(units, number)
    chance = share if variance is None else variance / summed(variance, number)
    if share.max() == 1:  # as of one that has nearly all
        return 2.0
    # With shares m of the weight and v of the variance two units' deviations from the
    # mean have m m' - m v' - m' v of the variance in common, over the roots of 1 - m.
    scale = 1 / (1 - share)
    a, b, c = (
        summed(scale * product, number)
        for product in (share * share, chance * chance, share * chance)
    )
    alone = scale * (chance + share * (share - 2 * chance))
    in_common = a * a + 2 * a * b - 4 * a * c + 2 * c * c
    in_common -= summed(np.square(scale * share * (share - 2 * chance)), number)
    squares = summed(np.square(alone), number)
    freedom = summed(alone, number) ** 2 / (in_common + squares)
    return min(1 + freedom, n_units)


def equal_units_of(sample: Sample) -> float:
    """The same of the clusters of a sample, or of its items without any.

    Examples
    --------
    >>> equal_units_of(Sample(np.ones(3, bool), np.ones(3), np.ones(3)))
    3.0
    """
    cluster = sample.clusters
    if sample.weight is None and cluster is None:
        return float(sample.n_items)
    weight = np.ones(len(sample)) if sample.weight is None else sample.weight
    return equal_units(weight, cluster, number=units_counted(cluster, sample.number))


def worth_of(sample: Sample) -> float | None:
    """How many equal clusters they are worth, if far fewer than there are.

    Examples
    --------
    >>> guess, cluster = np.ones(78, bool), np.maximum(np.arange(78) - 38, 0)
    >>> round(worth_of(Sample(guess, np.ones(78), np.ones(78), None, cluster)), 2)
    4.8
    """
    if sample.clusters is None:
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


def worth_notes(n_clusters: int | None, worth: float | None) -> tuple[str, ...]:
    """What a reader must know of clusters that are worth far fewer.

    Examples
    --------
    >>> worth_notes(40, 4.8)
    ('the 40 clusters are worth about 5 equal ones, as large ones have most of all',)
    """
    if worth is None:
        return ()
    text = worth_text(worth)
    return (f"the {n_clusters} clusters are {text}, as large ones have most of all",)
