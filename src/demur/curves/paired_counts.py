"""Items that two systems have in common, counted by what became of them with each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Sample
from demur.curves.blocks import Cut
from demur.errors import InputError


@dataclass(frozen=True, eq=False)
class PairSide:
    """What became of items with one system, a row for each kind of item.

    Parameters
    ----------
    cell : array of float64, shape (n_kinds,)
        The least confidence of the cell in which the guess is; NaN without one.
    guess : array of bool, shape (n_kinds,)
        Whether there is a guess.
    loss : array of float64, shape (n_kinds,)
        What answering costs; 0 for an ungraded guess, and where there is none.
    ungraded, declined, failed : arrays of bool, shape (n_kinds,)
        Whether nobody could judge the guess, the system did not give it, or failed.
    """

    cell: Floats
    guess: Flags
    loss: Floats
    ungraded: Flags
    declined: Flags
    failed: Flags


@dataclass(frozen=True, eq=False)
class PairedKinds:
    """Kinds of items, with how many there are of each.

    Parameters
    ----------
    sides : tuple of two PairSide
        With the one system and the other.
    number : array of int64, shape (n_kinds,)
        How many items are of each kind.
    weight : array of float64, shape (n_kinds,), or None
        None if all weigh the same.
    declines : bool
        Whether it is said which guesses a system did not give.
    """

    sides: tuple[PairSide, PairSide]
    number: npt.NDArray[np.int64]
    weight: Floats | None = None
    declines: bool = False

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """What tests read of one of the systems."""
        side = self.sides[place]
        loss = np.where(side.ungraded, float(ungraded == "wrong"), side.loss)
        return Sample(side.guess, side.cell, loss, self.weight, number=self.number)


class PairingEngine(Protocol):
    """An engine that joins the items of two systems."""

    def pairs(self, other: Any, cuts: Sequence[Sequence[Cut]]) -> PairedKinds:
        """Kinds of the items that both have, joined by item and repeat.

        Parameters
        ----------
        other : PairingEngine
            Of the other system; what counts must be the same.
        cuts : sequence of two lists of Cut
            How confidences are told apart, for each; from end to end.
        """

    def in_common(self, other: Any) -> "Sequence[PairingEngine]":
        """Both, of the items alone that both have."""

    def item(self, other: Any, *, alone: bool = False) -> str | None:
        """One of the items, which another engine has not if it is to be alone."""


def paired_kinds(
    facts: Sequence[Sequence[Any]], number: Any, weight: Floats
) -> PairedKinds:
    """Kinds of items, in an order that depends on nothing but what they are.

    Parameters
    ----------
    facts : sequence of two sequences of arrays
        Cell, guess, loss, ungraded, declined and failed, of each system.
    number, weight : arrays, shape (n_kinds,)
        How many items there are of each kind, and what each weighs.
    """
    columns = [column + 0.0 for listed in facts for column in listed]  # -0.0 is 0.0
    order = np.lexsort([weight, *columns[::-1]])
    columns = [column[order] for column in columns]
    width = len(columns) // 2
    sides = [
        PairSide(cell, _flags(guess), loss, _flags(open_), _flags(held), _flags(failed))
        for cell, guess, loss, open_, held, failed in (columns[:width], columns[width:])
    ]
    alike = bool((weight == weight[:1]).all())
    return PairedKinds(
        (sides[0], sides[1]),
        np.asarray(number, np.int64)[order],
        None if alike else weight[order],
    )


def _flags(column: Any) -> Flags:
    return np.asarray(column, bool)


def refuse_clusters(clusters: int | None) -> None:
    """Raise `InputError` if items hang together, which kinds of items do not tell."""
    if clusters is not None:
        need = "be independent items, to be compared by counts"
        hint = "Read them into memory: demur.read_outcomes."
        got = f"{clusters} clusters"
        raise InputError("compare", "the systems", need, got, hint)
