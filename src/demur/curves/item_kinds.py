"""What decisions ask of items that are counted elsewhere, beside their confidences."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats


@dataclass(frozen=True, slots=True)
class Shape:
    """Whether the items of a part are independent, count the same, and are judged.

    Parameters
    ----------
    weighted : bool
        Whether items have unequal weights.
    clusters : int or None
        How many clusters they fall into, repeats of an item being one where no clusters
        are named; None if every item stands alone.
    unlabelled : int
        Answers that nobody has looked at.
    """

    weighted: bool = False
    clusters: int | None = None
    unlabelled: int = 0


@dataclass(frozen=True, eq=False)
class Kinds:
    """The different things that became of items, and how often each did.

    Parameters
    ----------
    outcome : array of uint8, shape (n_kinds,)
        Codes of the forced choice.
    given : array of bool, shape (n_kinds,)
        Whether there is a guess that the system decided to give.
    hopeless : array of bool, shape (n_kinds,)
        Whether the item is unanswerable.
    credit : array of float64, shape (n_kinds,)
        Of right ones; 1 for all others.
    weight : array of float64, shape (n_kinds,)
        As given, 1 where none is.
    both_empty : array of bool, shape (n_kinds,)
        Whether a right answer is empty like its reference.
    times : array of int64, shape (n_kinds,)
        How many items there are of each.
    """

    outcome: npt.NDArray[np.uint8]
    given: Flags
    hopeless: Flags
    credit: Floats
    weight: Floats
    both_empty: Flags
    times: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class UnitSums:
    """What the independent units of a part lose at one cutoff: clusters, or items.

    Parameters
    ----------
    loss : array of float64, shape (n_kinds,)
        Of the answers of a unit, weighed; an ungraded one loses all.
    answered, whole : arrays of float64, shape (n_kinds,)
        The weight of its answers, and of all of its items.
    times : array of int64, shape (n_kinds,)
        How many units are alike in all of these.
    """

    loss: Floats
    answered: Floats
    whole: Floats
    times: npt.NDArray[np.int64]
