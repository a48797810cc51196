"""What items are that are counted elsewhere, and what became of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags


@dataclass(frozen=True, slots=True)
class Shape:
    """Whether the items of a part are independent and count the same.

    Parameters
    ----------
    weighted : bool
        Whether items have unequal weights.
    clusters : int or None
        How many clusters they fall into; None if every item stands alone.
    """

    weighted: bool = False
    clusters: int | None = None


@dataclass(frozen=True, eq=False)
class ItemKinds:
    """The different things that became of items, and how often each did.

    Parameters
    ----------
    outcome : array of uint8, shape (n_kinds,)
        Codes of the forced choice.
    given : array of bool, shape (n_kinds,)
        Whether there is a guess that the system decided to give.
    hopeless : array of bool, shape (n_kinds,)
        Whether the item is unanswerable.
    both_empty : array of bool, shape (n_kinds,)
        Whether an answer is empty like its reference.
    times : array of int64, shape (n_kinds,)
        How many items there are of each.
    """

    outcome: npt.NDArray[np.uint8]
    given: Flags
    hopeless: Flags
    both_empty: Flags
    times: npt.NDArray[np.int64]
