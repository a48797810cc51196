"""What resampling, tests and certificates read: one system's answers, item by item."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.errors import InputError, shown


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """The answers of one system to a list of items.

    Two samples can be paired if they are of the same items in the same order.

    Parameters
    ----------
    guess : array of bool, shape (n_items,)
        Whether there is a guess.
    confidence : array of float64, shape (n_items,)
        Higher is surer; not looked at where there is no guess.
    loss : array of float64, shape (n_items,)
        What answering the item costs: 1 - credit, and 1 for an ungraded guess (the
        high bound); 0 where there is no guess.
    weight : array of float64, shape (n_items,), or None
        Positive; None is 1 each.
    cluster : array of int64, shape (n_items,), or None
        Items with the same number are drawn together, numbers from 0 to
        n_clusters - 1; None if every item stands alone.
    """

    guess: Flags
    confidence: Floats
    loss: Floats
    weight: Floats | None = None
    cluster: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.guess)

    @property
    def n_clusters(self) -> int:
        """How many independent units there are: clusters, or items without them."""
        return len(self) if self.cluster is None else int(self.cluster.max()) + 1

    def take(self, rows: npt.NDArray[np.int64]) -> "Sample":
        """The same answers at these items, clusters numbered anew."""
        cluster = None
        if self.cluster is not None:
            cluster = np.unique(self.cluster[rows], return_inverse=True)[1]
        return Sample(
            self.guess[rows],
            self.confidence[rows],
            self.loss[rows],
            None if self.weight is None else self.weight[rows],
            cluster,
        )


def answered_at(confidence: Floats, guess: Flags, cutoff: float | None) -> Flags:
    """Guesses at or above a cutoff, compared in the confidences' own precision.

    Parameters
    ----------
    confidence : array of float32 or float64, shape (n_items,)
        Not looked at where there is no guess.
    guess : array of bool, shape (n_items,)
        Whether there is a guess.
    cutoff : float or None
        None answers nothing.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([0.7, 0.8, 0.9], np.float32)
    >>> answered_at(values, np.array([True, True, False]), 0.7)
    array([ True,  True, False])
    """
    if cutoff is None:
        return np.zeros(len(guess), bool)
    if cutoff != cutoff or isinstance(cutoff, bool):
        raise InputError("answered_at", "cutoff", "be a number", shown(cutoff))
    answered: Flags = guess & (confidence >= confidence.dtype.type(cutoff))
    return answered
