"""Which cutoff: least cost, a rate, a balance, or a guarantee.

Ungraded answers count as errors here, the high bound: a decision that hopes for the
best is no decision. Costs and rates read a `Ladder`; certificates count erring items
one by one and read a `Sample`.
"""

import math
from fractions import Fraction

import numpy as np

from demur.arrays import Numbers
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
    hull = lower_hull(ladder, total)
    withheld = ladder.withheld(hull.position)
    index = ladder.blocks_before(hull.position)
    lost = ladder.loss[index] + ladder.ungraded[index]
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
    index = ladder.blocks_before(position)
    lost = ladder.loss[index] + ladder.ungraded[index]
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
    index = ladder.blocks_before(position)
    lost = ladder.loss[index] + ladder.ungraded[index]
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
    index = ladder.blocks_before(position)
    lost = ladder.loss[index] + ladder.ungraded[index]
    answered = total.weight - total.no_guess - ladder.withheld(position)
    near = float(target) * answered * (1 + 1e-9)  # the exact test is below
    for row in np.flatnonzero(lost <= near):
        if exact(lost[row]) <= target * exact(answered[row]):
            return int(position[row])
    return None
