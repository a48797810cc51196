"""Which cutoff: least cost, a rate, a balance, or a guarantee.

Ungraded answers count as errors here, the high bound: a decision that hopes for the
best is no decision. Costs and rates read a `Ladder`; certificates count erring items
one by one and read a `Sample`.
"""

import math
from fractions import Fraction

import numpy as np

from demur.arrays import Floats, Numbers
from demur.curves.counting import Ladder, Totals, lower_hull
from demur.curves.rates import exact

_LARGEST = 2.0**62  # so large integers fit 64 bits


def least_cost(ladder: Ladder, total: Totals, ratio: Fraction) -> int:
    """Position of least ``error + ratio * nonreturn``; at a tie the least nonreturn.

    Parameters
    ----------
    ladder, total
        The curve.
    ratio : Fraction
        Cost of a non-return over the cost of an error, at least 0; from 1 upwards
        nothing is ever declined.

    Returns
    -------
    int
        A position on the ladder.
    """
    if ratio >= 1:  # sums of weights that are floats would break the tie
        return int(lower_hull(ladder, total).position[0])
    return cheapest(ladder, total, ratio)


def cheapest(ladder: Ladder, total: Totals, ratio: Fraction) -> int:
    """The same of a curve on which withholding may pay at any ratio.

    So it does where what is withheld are parts and what errs are wholes, since one
    part of many may be what makes its whole err.
    """
    hull = lower_hull(ladder, total)
    withheld = ladder.withheld(hull.position)
    lost = ladder.lost(hull.position)
    near = int(np.searchsorted(-hull.low, -float(ratio), "left"))
    nearest = range(max(near - 2, 0), min(near + 3, len(withheld)))
    costs = [
        (exact(lost[i]) + ratio * exact(withheld[i]), int(hull.position[i]))
        for i in nearest
    ]
    return min(costs)[1]


def greatest_score(
    ladder: Ladder, total: Totals, penalty: Fraction, declined: Numbers
) -> int:
    """Position of greatest ``right - penalty * error + correct declines``.

    At a tie the least nonreturn is taken.

    Parameters
    ----------
    ladder, total
        The curve.
    penalty : Fraction
        What a wrong answer costs, if a right one earns 1; above -1.
    declined : array, shape (n_vertices,)
        Weight of the unanswerable items that are not answered at each vertex.
    """
    position = ladder.vertices()
    lost = ladder.lost(position)
    right = total.weight - total.no_guess - ladder.withheld(position) - lost
    gain, cost = float(penalty.denominator), float(penalty.numerator)
    if (gain + abs(cost)) * total.weight < _LARGEST and lost.dtype.kind == "i":
        gain, cost = penalty.denominator, penalty.numerator
    earned = gain * (right + declined) - cost * lost
    return int(position[np.argmax(earned)])


def balance(ladder: Ladder, total: Totals) -> int:
    """Position of the vertex where error and missed chance differ least.

    At a tie the least nonreturn is taken.
    """
    position = ladder.vertices()
    lost = ladder.lost(position)
    right = total.weight - total.no_guess - ladder.withheld(position) - lost
    return int(position[np.argmin(np.abs(lost - (total.credit - right)))])


def low_error(ladder: Ladder, total: Totals, target: Fraction) -> int:
    """Position of the smallest cutoff at which error, over all items, is that low."""
    lost = ladder.loss + ladder.ungraded
    wanted = target * exact(total.weight)
    key = math.floor(wanted) if lost.dtype.kind == "i" else float(wanted)
    block = len(lost) - int(np.searchsorted(lost[::-1], key, "right"))
    return 0 if block == 0 else int(ladder.end[block - 1])


def low_error_answered(ladder: Ladder, total: Totals, target: Fraction) -> int | None:
    """Position of the smallest cutoff at which the error among answered is that low.

    That error is not monotone in the cutoff. None if no cutoff that answers anything
    has it.
    """
    position = ladder.vertices()[:-1]
    lost = ladder.lost(position)
    answered = total.weight - total.no_guess - ladder.withheld(position)
    near = float(target) * answered * (1 + 1e-9)  # the exact test is below
    for row in np.flatnonzero(lost <= near):
        if exact(lost[row]) <= target * exact(answered[row]):
            return int(position[row])
    return None


def least_corrected(nonreturn: Floats, error: Floats, ratio: float) -> int:
    """Position of least ``error + ratio * nonreturn``, of errors that are estimated.

    Parameters
    ----------
    nonreturn, error : array of float, shape (n_cutoffs,)
        From forced choice on; an error that is not known is NaN.
    ratio : float
        Cost of a non-return over the cost of an error; from 1 upwards nothing is
        declined.

    Examples
    --------
    >>> import numpy as np
    >>> rates = np.array([0, 0.1, 1]), np.array([0.4, 0.2, 0])
    >>> [least_corrected(*rates, ratio) for ratio in (0.1, 0.5, 1)]
    [2, 1, 0]
    """
    if ratio >= 1:
        return 0
    cost = error + ratio * nonreturn
    return int(np.argmin(np.where(np.isnan(cost), np.inf, cost)))


def low_corrected(
    nonreturn: Floats, error: Floats, target: float, *, of: str = "all"
) -> int:
    """Position of the smallest cutoff at which an estimated error is that low.

    An estimated error over all items may fall where the cutoff does; so it has to be
    that low at all higher cutoffs too, where it is known.

    Parameters
    ----------
    nonreturn, error : array of float, shape (n_cutoffs,)
        From forced choice to silence, whose error is 0; NaN is not known.
    target : float
        The greatest error that will do.
    of : {"all", "answered"}
        What the error is a share of.

    Examples
    --------
    >>> import numpy as np
    >>> low_corrected(np.array([0, 0.1, 0.2, 1]), np.array([0.1, 0.2, 0.1, 0]), 0.1)
    2
    """
    known = ~np.isnan(error)
    limit = target + 1e-12
    if of == "answered":
        fits = known & (error <= limit * (1 - nonreturn))
    else:
        over = known & (error > limit)
        fits = known & (np.cumsum(over[::-1])[::-1] == 0)
    return int(np.argmax(fits))
