"""How far off a judge may be who agrees with all labels, in a difference of systems.

A judge that errs on a share u of items agrees with n labels, drawn at random, with
chance (1 - u) ** n. So twenty labels on which nobody disagrees leave open that it errs
on a sixth of all items, and there it may favour one system on every one.
"""

import math
from collections.abc import Sequence

import numpy as np

from demur.arrays import Flags, Floats

POWER_REACH = 0.8416
"""So many deviations beyond its threshold a test finds a difference in four of five."""


def unseen_share(labels: float, risk: float) -> float:
    """The share of items on which a judge may err who agrees with so many labels.

    Parameters
    ----------
    labels : float
        Drawn independently, with equal chances.
    risk : float
        The chance that more is missed.

    Returns
    -------
    float
        The exact upper bound of a rate of which nothing was seen.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, of none among n; as "the rule of three"
    Hanley and Lippman-Hand (1983), Journal of the American Medical Association 249.

    Examples
    --------
    >>> round(unseen_share(20, 0.025), 3)
    0.168
    """
    return -math.expm1(math.log(risk) / labels) if labels > 0 else 1.0


def labels_for_share(share: float, risk: float) -> int | None:
    """The fewest labels of which agreement leaves no larger share open; None if none.

    Examples
    --------
    >>> labels_for_share(0.168437, 0.025), labels_for_share(1, 0.025)
    (20, 1)
    """
    if share <= 0:
        return None
    return 1 if share >= 1 else math.ceil(math.log(risk) / math.log1p(-share))


def worst_errors(judged: Sequence[Floats], answered: Sequence[Floats]) -> Floats:
    """How much each item may overstate that the second system errs more.

    Parameters
    ----------
    judged, answered : pairs of arrays of float64, shape (n_items,)
        Losses of the first and of the second system by the judge, and how much of each
        answer is given.

    Returns
    -------
    array of float64, shape (2, n_items)
        By its verdict on the first, and on the second; added up 1 where both verdicts
        are the same, 2 where it calls the second alone wrong, which may be the other
        way round.

    Examples
    --------
    >>> ones = np.ones(4)
    >>> worst_errors(
    ...     [np.array([0.0, 1.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])],
    ...     [ones, ones]).sum(axis=0)
    array([2., 1., 1., 0.])
    """
    first, second = judged
    worst: Floats = np.stack([answered[0] * (1 - first), answered[1] * second])
    return worst


def draw_shares(worst: Floats, weight: Floats, labelled: Flags, among: Flags) -> Floats:
    """The least chance that each item had of being what one label is about.

    Parameters
    ----------
    worst : array of float64, shape (n_items,)
        As `most_missed` has it: items that may do as much harm are of one kind.
    weight : array of float64, shape (n_items,)
        How many items each labelled one stands for, up to a factor.
    labelled, among : arrays of bool, shape (n_items,)
        Which are labelled, and which could be.

    Returns
    -------
    array of float64, shape (n_items,)
        Those of one kind have that of its heaviest label, where there is one.

    Examples
    --------
    A judge's scarce verdict was drawn thrice as often:

    >>> draw_shares(
    ...     np.array([2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
    ...     np.array([1.0, 1.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0]),
    ...     np.arange(8) < 4, np.ones(8, bool)).round(3)
    array([0.25 , 0.25 , 0.083, 0.083, 0.083, 0.083, 0.083, 0.083])
    """
    n_labels = int(labelled.sum())
    stands = weight * (among.sum() / weight[labelled].sum())
    heaviest = np.full(len(worst), stands[labelled].max())
    kind = np.rint(worst)
    for one in np.unique(kind[labelled]).tolist():
        heaviest[kind == one] = stands[labelled & (kind == one)].max()
    shares: Floats = 1 / (heaviest * n_labels)
    return shares


def most_missed(
    worst: Floats, chance: Floats, unlabelled: Flags, unseen: float
) -> float:
    """The most that a judge adds to a difference by errors that no label has met.

    It errs where it does the most harm for the chance of being found.

    Parameters
    ----------
    worst : array of float64, shape (n_items,)
        Of `worst_errors`, of both systems or of one.
    chance : array of float64, shape (n_items,)
        That one label is about an item: see `draw_shares`.
    unlabelled : array of bool, shape (n_items,)
        Where it may err: people agree with it on all labels.
    unseen : float
        The chance that one label is about one of its errors, at most: see
        `unseen_share`.

    Returns
    -------
    float
        Over all items.

    Examples
    --------
    >>> chance = np.full(4, 0.25)
    >>> most_missed(np.array([2.0, 1.0, 1.0, 1.0]), chance, np.arange(4) < 2, 0.375)
    0.625
    """
    harm, cost = worst[unlabelled], chance[unlabelled]
    order = np.argsort(-harm / cost, kind="stable")
    harm, cost = harm[order], cost[order]
    spent = np.cumsum(cost)
    part = np.clip((unseen - (spent - cost)) / cost, 0.0, 1.0)
    return float(part @ harm / len(worst)) if len(worst) else 0.0


def share_that_adds(worst: Floats, difference: float) -> float:
    """The share of items on which a judge must err to make up a difference alone.

    The counterpart of `most_missed` where no item is labelled and chances are equal.

    Examples
    --------
    >>> share_that_adds(np.array([2.0, 1.0, 1.0, 1.0]), 0.75)
    0.5
    """
    wanted = difference * len(worst)
    reached = np.cumsum(np.sort(worst)[::-1])
    place = int(np.searchsorted(reached, wanted))
    if place >= len(worst):
        return 1.0  # not even if it erred everywhere
    before = reached[place - 1] if place else 0.0
    part = (wanted - before) / (reached[place] - before)
    return float((place + part) / len(worst))


def labels_to_show(
    worst: Floats,
    size: float,
    *,
    level: float,
    variance: float,
    beside: float = 0.0,
    reach: float = 1.96,
) -> int | None:
    """About how many items with labels, drawn uniformly, show a difference of a size.

    So many that a judge cannot make it up who agrees on all of them, and that a true
    one is found beyond luck in four draws of five.

    Parameters
    ----------
    worst : array of float64, shape (n_items,)
        As `worst_errors` has it, of both systems, where one answers.
    size : float
        Over these items, at least 0; of no difference there is no number.
    level : float
        Of the test.
    variance : float
        Of what people say of an item, less as much as the judge tells.
    beside : float
        The variance of what more labels do not change.
    reach : float
        Deviations at which the test rejects.

    Returns
    -------
    int or None
        None if no number does.

    Examples
    --------
    Two systems with the same verdicts on most of a thousand items; of those that people
    judge, one in ten turns out to favour one of them:

    >>> worst = np.repeat([2.0, 1.0], [100, 900])
    >>> [labels_to_show(worst, size, level=0.95, variance=0.1) for size in (0.05, 0.3)]
    [314, 17]
    """
    share = share_that_adds(worst, size)
    agreed = labels_for_share(share, (1 - level) / 2)
    left = (size / (reach + POWER_REACH)) ** 2 - beside
    if agreed is None or left <= 0:
        return None
    return max(agreed, math.ceil(variance / left))
