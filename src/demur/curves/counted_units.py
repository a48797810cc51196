"""Tables of items and clusters that are alike, of which intervals and bets are made.

Blocks of confidences do not tell what weighs what, nor which items hang together. An
engine that has the rows also lists how many items, or how many clusters, have the same
sums: far fewer than there are, and all that a standard error or a bet looks at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, Protocol

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions
from demur.curves.blocks import Cut
from demur.errors import InputError

MOST_KINDS: Final = 1 << 21
"""So many different items or clusters are held in memory."""


@dataclass(frozen=True, eq=False)
class AlikeItems:
    """Items of the same weight and loss in the same block, counted together.

    Parameters
    ----------
    part : array of int64, shape (n_kinds,)
        Which of the parts.
    low : array of float64, shape (n_kinds,)
        The least confidence of their block; NaN where there is no guess.
    weight, loss : arrays of int64, shape (n_kinds,)
        Of one item, in units of the part; an ungraded guess loses nothing.
    ungraded : array of bool, shape (n_kinds,)
        Guesses that nobody could judge.
    number : array of int64, shape (n_kinds,)
        How many there are.
    """

    part: Positions
    low: Floats
    weight: Numbers
    loss: Numbers
    ungraded: Flags
    number: Positions

    def of(self, part: int) -> "AlikeItems":
        """Those of one part."""
        rows = self.part == part
        return AlikeItems(
            *(self.part[rows], self.low[rows], self.weight[rows], self.loss[rows]),
            *(self.ungraded[rows], self.number[rows]),
        )

    @property
    def lost(self) -> Numbers:
        """Losses, ungraded guesses counting as errors."""
        lost: Numbers = np.where(self.ungraded, self.weight, self.loss)
        return lost


@dataclass(frozen=True, eq=False)
class AlikeUnits:
    """Clusters, or items that stand alone, with the same sums, counted together.

    Parameters
    ----------
    part : array of int64, shape (n_kinds,)
        Which of the parts.
    sums : array of int64, shape (n_kinds, n_sums)
        Of one of them.
    number : array of int64, shape (n_kinds,)
        How many there are.
    """

    part: Positions
    sums: Numbers
    number: Positions

    def of(self, part: int) -> "AlikeUnits":
        """Those of one part."""
        rows = self.part == part
        return AlikeUnits(self.part[rows], self.sums[rows], self.number[rows])


class ItemWorth(NamedTuple):
    """What items of one kind weigh and lose, and whether somebody could judge them."""

    weight: int
    loss: int
    ungraded: bool


class UnitEngine(Protocol):
    """What lists items and clusters that are alike."""

    def alike(self, by: Sequence[str], cuts: Sequence[Cut]) -> AlikeItems:
        """Items by block of confidences, weight and loss."""

    def decided(self, by: Sequence[str]) -> AlikeUnits:
        """Units by weight, loss, ungraded weight and weight not given.

        As the systems themselves decided to answer.
        """

    def above(
        self,
        by: Sequence[str],
        part: int,
        cutoffs: Sequence[float],
        *,
        whole: bool,
        cost: str,
    ) -> AlikeUnits:
        """What units are above each of some cutoffs, as steps from one to the next.

        Parameters
        ----------
        by : sequence of str
            Columns of groups.
        part : int
            Which part.
        cutoffs : sequence of float
            Rising.
        whole : bool
            Whether the size of a unit is its whole weight, or what is answered of it.
        cost : {"loss", "weight"}
            What an answer costs: its loss, ungraded ones being wrong, or its weight.

        Returns
        -------
        AlikeUnits
            Sums of a row: at how many of the cutoffs its items are answered, size and
            cost with them, size and cost without, and 1 for the first of a unit.
        """

    def cells(
        self,
        by: Sequence[str],
        part: int,
        cutoff: float | None,
        kinds: Sequence[ItemWorth],
    ) -> AlikeUnits:
        """How many items of each kind a unit has below, at and above a cutoff.

        Sums of a row: for each kind those three in turn, and then, for each kind, those
        without a guess. A cutoff of None has all guesses above it.
        """


def value_of(amount: Numbers, unit: Fraction) -> Floats:
    """Whole amounts as floats, each the nearest to what it stands for."""
    value: Floats = np.asarray(amount * unit.numerator, np.float64) / unit.denominator
    return value


def check_few(where: str, n_kinds: int, what: str, most: int) -> None:
    """Refuse a table of more kinds than memory is meant for.

    Raises
    ------
    InputError
        With what to do.
    """
    if n_kinds > most:
        need = f"be of at most {most} kinds, where outcomes are counted"
        hint = "Read them, or a sample of them, into memory: demur.read_outcomes."
        raise InputError(where, what, need, "more", hint)
