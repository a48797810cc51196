"""Which cutoff: least cost, a rate, a balance, or a guarantee.

Ungraded answers count as errors here, the high bound: a decision that hopes for the
best is no decision. Costs and rates read a `Ladder`; certificates count erring items
one by one and read a `Sample`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from demur.arrays import Floats, Numbers, Positions, frozen
from demur.curves import counting
from demur.curves.counting import Ladder, Totals
from demur.curves.rates import exact

# -- costs -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Hull:
    """The vertices that are cheapest for some price of a non-return.

    Parameters
    ----------
    position : array of int64, shape (n,)
        Positions on the ladder, rising.
    nonreturn, error : arrays of float64, shape (n,)
        Rates over all items; the error counts ungraded answers.
    low, high : arrays of float64, shape (n,)
        Vertex i costs least for ``low[i] <= r < high[i]``, where r is the cost of a
        non-return over the cost of an error; at a tie the least nonreturn is taken.
    """

    position: Positions
    nonreturn: Floats
    error: Floats
    low: Floats
    high: Floats


def lower_hull(ladder: Ladder, total: Totals) -> Hull:
    """The lower convex hull of an error-return curve, from the left end.

    It ends with silence, or with the first cutoff that makes no error.

    ``error + r * nonreturn`` is least at one of its vertices, whatever r.

    Parameters
    ----------
    ladder : Ladder
        Ranked guesses and losses.
    total : Totals
        Sums over all items.

    Returns
    -------
    Hull

    Examples
    --------
    The case "G1": ten answers, four wrong, with ties.

    >>> import numpy as np, demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0]))
    >>> hull = lower_hull(curve.ladder, curve.totals)
    >>> hull.nonreturn, hull.low.round(3)
    (array([0. , 0.1, 0.3, 0.9]), array([1.   , 0.5  , 0.333, 0.   ]))
    """
    position = ladder.corners()
    withheld = ladder.withheld(position)
    index = ladder.blocks_before(position)
    lost = ladder.loss[index] + ladder.ungraded[index]
    if total.weight > counting.LARGEST_SQUARE:
        withheld, lost = withheld.astype(float), lost.astype(float)
    kept = convex(withheld, lost)
    if len(kept) > 1 and lost[kept[-2]] == 0:
        kept = kept[:-1]  # silence costs more than the first cutoff without errors
    position, withheld, lost = position[kept], withheld[kept], lost[kept]
    slope = (lost[:-1] - lost[1:]) / (withheld[1:] - withheld[:-1])
    return Hull(
        position=frozen(position),
        nonreturn=frozen((total.no_guess + withheld) / total.weight),
        error=frozen(lost / total.weight),
        low=frozen(np.append(slope, 0.0)),
        high=frozen(np.append(np.inf, slope)),
    )


def convex(x: Numbers, y: Numbers) -> Positions:
    """Indices of the vertices of the lower convex hull; x rises, y falls.

    Each pass drops every point on or above the line between its neighbours, all at
    once where no two neighbours go.
    """
    kept = np.arange(len(x))
    while len(kept) > 2:
        px, py = x[kept], y[kept]
        turn = (px[1:-1] - px[:-2]) * (py[2:] - py[:-2]) - (py[1:-1] - py[:-2]) * (
            px[2:] - px[:-2]
        )
        drop = np.flatnonzero(turn <= 0) + 1
        if not len(drop):
            break
        # Of neighbouring candidates every other one, so that each stays between two
        # points that are kept in this pass.
        run = np.cumsum(np.append(True, np.diff(drop) > 1))
        place = np.arange(len(drop)) - np.searchsorted(run, run, "left")
        kept = np.delete(kept, drop[place % 2 == 0])
    return kept


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
