"""Priority sampling: so many units with unequal chances, each chance known exactly.

Every unit has a priority, a uniform number over its chance; those with the lowest are
drawn while the budget lasts. Given the first priority beyond it, drawn units are
independent draws, and the chance of each is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers

UNIFORM: Final = 0.5
"""Of all chances, the part that every unit has the same share of.

Less would make estimates a little better, but not what is known of them: intervals and
bounds must allow for a heavy label that might have been another one.
"""


def uniforms(keys: Sequence[str], seed: int, use: str = "") -> Floats:
    """A number from 0 to 1 for each key, which depends on key, seed and use alone.

    Examples
    --------
    >>> [bool(x == y) for x, y in zip(uniforms(["a", "b"], 1), uniforms(["a", "c"], 1))]
    [True, False]
    """
    start = blake2b(f"{seed} {use} ".encode(), digest_size=8)

    def number(key: str) -> float:
        mixed = start.copy()
        mixed.update(key.encode("utf-8", "surrogatepass"))
        # Half a step up, so that none is 0.
        return (int.from_bytes(mixed.digest(), "big") // 2**11 + 0.5) / 2**53

    return np.fromiter(map(number, keys), np.float64, len(keys))


def mixed_chances(emphasis: Floats, needed: Flags) -> Floats:
    """Chances in proportion to an emphasis, half of them the same for every unit.

    Parameters
    ----------
    emphasis : array of float64, shape (n_units,)
        At least 0; looked at where a label is needed.
    needed : array of bool, shape (n_units,)
        Whether a unit needs a label; others have no chance.

    Returns
    -------
    array of float64, shape (n_units,)
        They add up to 1.

    Examples
    --------
    >>> import numpy as np
    >>> mixed_chances(np.array([3.0, 1.0, 5.0]), np.array([True, True, False]))
    array([0.625, 0.375, 0.   ])
    """
    chance = np.zeros(len(needed))
    n_needed = int(needed.sum())
    if not n_needed:
        return chance
    part = emphasis[needed]
    total = np.sort(part).sum()
    share = part / total if total > 0 else np.full(n_needed, 1 / n_needed)
    chance[needed] = (1 - UNIFORM) * share + UNIFORM / n_needed
    return chance


@dataclass(frozen=True, eq=False)
class PriorityDraw:
    """Which units are drawn, and the chance that each had.

    Parameters
    ----------
    drawn : array of bool, shape (n_units,)
    chance : array of float64, shape (n_units,)
        That a unit is drawn, given the threshold; 0 where no label is needed.
    """

    drawn: Flags
    chance: Floats


def priority_draw(
    chance: Floats, cost: Numbers, uniform: Floats, budget: int
) -> PriorityDraw:
    """Draw units by priority while their labels are within the budget.

    The first unit that does not fit ends the draw, and its priority is the threshold.
    No drawn unit could have moved it by a lower priority of its own; so given the
    threshold each unit is drawn by itself, with chance ``min(1, threshold * chance)``.
    More budget draws the same units and further ones.

    Parameters
    ----------
    chance : array of float64, shape (n_units,)
        Up to a factor; 0 where no label is needed.
    cost : array of int, shape (n_units,)
        How many labels a unit takes.
    uniform : array of float64, shape (n_units,)
        From 0 to 1.
    budget : int
        Labels at most.

    Returns
    -------
    PriorityDraw

    References
    ----------
    Duffield, Lund and Thorup (2007), "Priority sampling for estimation of arbitrary
    subset sums", Journal of the ACM 54; Ting (2017), "Adaptive threshold sampling",
    for thresholds that no drawn unit moves.

    Examples
    --------
    >>> import numpy as np
    >>> found = priority_draw(
    ...     np.array([0.5, 0.25, 0.25]), np.ones(3, int), np.array([0.5, 0.2, 0.4]), 2)
    >>> found.drawn, found.chance
    (array([ True,  True, False]), array([0.8, 0.4, 0.4]))
    """
    able = np.flatnonzero(chance > 0)
    with np.errstate(over="ignore"):
        priority = uniform[able] / chance[able]
    order = np.argsort(priority, kind="stable")
    fitting = int(np.searchsorted(np.cumsum(cost[able][order]), budget, "right"))
    drawn = np.zeros(len(chance), bool)
    drawn[able[order[:fitting]]] = True
    if fitting == len(able):
        return PriorityDraw(drawn, (chance > 0).astype(float))
    threshold = priority[order[fitting]]
    return PriorityDraw(drawn, np.minimum(1.0, threshold * chance))
