"""The parts of one system's answers as arrays, numbered by the whole they belong to.

A part is *bad* if its guess is wrong or nobody could judge it. A whole holds an error
at a cutoff if one of its returned parts is wrong; so all that matters of its bad parts
is the surest.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions


@dataclass(frozen=True, eq=False)
class WholeParts:
    """Parts of answers, one row each, and the wholes that they make up.

    Parameters
    ----------
    whole : array of int64, shape (n_parts,)
        Which whole each part belongs to, numbers from 0.
    confidence : array of float32 or float64, shape (n_parts,)
        Higher is surer; not looked at where there is no guess.
    guess, wrong, ungraded : array of bool, shape (n_parts,)
        Whether there is a guess, and whether it is wrong or could not be judged.
    declined : array of bool, shape (n_parts,), or None
        Whether the system itself decided to withhold it; None is never.
    weight : array of int64 or float64, shape (n_wholes,), or None
        Of the wholes; each part weighs what its whole does. None is 1 each.
    n_wholes : int
        With those that have no parts.
    without : array of int64, shape (n_without,)
        Wholes that have no parts.
    silent_right : array of int64
        Those of them for which nothing was to be returned.
    """

    whole: Positions
    confidence: Floats
    guess: Flags
    wrong: Flags
    ungraded: Flags
    declined: Flags | None
    weight: Numbers | None
    n_wholes: int
    without: Positions
    silent_right: Positions

    def __len__(self) -> int:
        return len(self.whole)

    @property
    def weights(self) -> Numbers:
        """Weights of the wholes, shape (n_wholes,)."""
        ones: Numbers = np.ones(self.n_wholes, np.int64)
        return ones if self.weight is None else self.weight

    @cached_property
    def whole_weight(self) -> Any:
        """What all wholes weigh."""
        return self.n_wholes if self.weight is None else self.weight.sum().item()

    @cached_property
    def part_weight(self) -> Any:
        """What all parts weigh."""
        if self.weight is None:
            return len(self.whole)
        return self.weight[self.whole].sum().item()

    def surest(self, rows: Flags) -> Positions:
        """Of each whole the surest of some of its guesses; -1 where it has none.

        Parameters
        ----------
        rows : array of bool, shape (n_parts,)
            Guesses that count.

        Returns
        -------
        array of int64, shape (n_wholes,)
            Rows; of equally sure ones any.

        Examples
        --------
        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(
        ...     item=["a", "a", "b"], part=["x", "y", "x"], correct=[0, 0, 1],
        ...     confidence=[0.4, 0.9, 0.7])
        >>> from demur.wholes.numbering import numbered_parts
        >>> parts = numbered_parts("here", outcomes)
        >>> parts.surest(parts.wrong).tolist()
        [1, -1]
        """
        return self._extreme(rows, np.maximum, -np.inf)

    def least_sure(self, rows: Flags) -> Positions:
        """Of each whole the least sure of some of its guesses; -1 where it has none."""
        return self._extreme(rows, np.minimum, np.inf)

    def highest(self, rows: Flags) -> tuple[Floats, Flags]:
        """Of each whole the highest confidence of some guesses, where it has any.

        Returns
        -------
        confidence : array, shape (n_wholes,)
        some : array of bool, shape (n_wholes,)
            Whether the whole has one.
        """
        return self._ends(*self._chosen(rows), np.maximum, -np.inf)

    @cached_property
    def lowest_guess(self) -> tuple[Floats, Flags]:
        """Of each whole the lowest confidence of a guess, and whether it has one."""
        return self._ends(*self._chosen(self.guess), np.minimum, np.inf)

    def _chosen(self, rows: Flags) -> tuple[Positions, Floats]:
        if rows.all():
            return self.whole, self.confidence
        return self.whole[rows], self.confidence[rows]

    def _ends(
        self, whole: Positions, confidence: Floats, better: np.ufunc, worst: float
    ) -> tuple[Floats, Flags]:
        best = np.full(self.n_wholes, worst, self.confidence.dtype)
        better.at(best, whole, confidence)
        some = np.zeros(self.n_wholes, bool)
        some[whole] = True
        return best, some

    def _extreme(self, counting: Flags, better: np.ufunc, worst: float) -> Positions:
        rows: Positions = np.full(self.n_wholes, -1, np.int64)
        chosen = np.flatnonzero(counting)
        whole, confidence = self.whole[chosen], self.confidence[chosen]
        if np.isnan(confidence).all():  # of a system without any all are equal
            confidence = np.zeros_like(confidence)
        best, _ = self._ends(whole, confidence, better, worst)
        reached = confidence == best[whole]
        rows[whole[reached]] = chosen[reached]  # the last of equal ones stays
        return rows
