"""Bets on clusters, weights and partial credit that are counted, as those on rows."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from demur.arrays import Floats, Positions
from demur.curves.counted import Counts
from demur.curves.counted_units import AlikeUnits, value_of
from demur.decisions.betting import betting_bound
from demur.decisions.certificates import (
    CUTOFFS,
    TriedCutoffs,
    few_places,
    units_text,
    wanted_below,
)
from demur.decisions.exact_certificates import STARTS

HELD: Final = 8
"""Of so many cutoffs the units are held at once."""


def by_bets(counts: Counts, part: int) -> bool:
    """Whether items hang together or count differently, so that bets are made."""
    its = counts.parts[part]
    return its.weighted or bool(its.partial) or counts.clusters[part] is not None


def sized(counts: Counts, part: int) -> bool:
    """Whether a certificate is for clusters or weights of given sizes."""
    its = counts.parts[part]
    if its.weighted or counts.clusters[part] is not None:
        return True
    return bool(its.partial) and len(np.unique(counts.alike(part).weight)) > 1


def counted_cutoffs(counts: Counts, part: int, of: str) -> TriedCutoffs:
    """The cutoffs that bets try, with their units as the engine lists them.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer until each of these cutoffs is that on rows.
    part : int
        Which part of it.
    of : {"all", "answered"}
        What the size of a unit counts.
    """
    while counts.refine({part: _open(counts, part)}):
        pass
    below = _below(counts, part)
    n_guesses = int(below[-1])
    places = few_places(below[:-1], n_guesses)
    low = counts.blocks(part).low[places]
    cutoffs, whole = low[::-1].tolist(), of == "all"
    units = _units_above(counts, part, cutoffs, whole=whole, cost="loss")
    return TriedCutoffs(
        of=of,
        positions=places,
        answered=n_guesses - below[places],
        silence=len(below) - 1,
        units=units_text(counts.clusters[part]),
        amounts=lru_cache(HELD)(units.at),
    )


def _below(counts: Counts, part: int) -> Positions:
    """How many guesses are below each block, and how many there are."""
    below: Positions = np.append(0, counts.blocks(part).guesses.cumsum())
    return below


def _open(counts: Counts, part: int) -> set[int]:
    """The blocks inside of which a cutoff that is tried may lie."""
    blocks, below = counts.blocks(part), _below(counts, part)
    vertices, n_guesses, last = below[:-1], int(below[-1]), len(blocks) - 1
    if len(blocks) <= CUTOFFS:  # how many cutoffs there are is not known
        return set(range(len(blocks)))
    between = np.searchsorted(vertices, wanted_below(vertices), "left") - 1
    # A start is the highest cutoff that answers so many, a twentieth of all or more.
    most = n_guesses - -(-n_guesses * np.arange(1, STARTS + 1) // STARTS)
    starts = np.searchsorted(vertices, most, "right") - 1
    exact = vertices[starts] == most
    return {last, *between.tolist(), *starts[~exact].tolist()} - {-1}


class CountedUnits:
    """Loss and size of units above each of some cutoffs, counted together.

    Parameters
    ----------
    steps : AlikeUnits
        From each cutoff to the next, as `UnitEngine.above` gives them.
    n_cutoffs : int
        How many cutoffs there are.
    unit : Fraction
        Of the amounts.
    whole : bool
        Whether the size of a unit is its whole weight.
    """

    def __init__(
        self, steps: AlikeUnits, n_cutoffs: int, unit: Fraction, *, whole: bool
    ) -> None:
        order = np.argsort(-steps.sums[:, 0], kind="stable")
        sums, self._comes = steps.sums[order], steps.number[order]
        first = sums[:, 5] > 0
        pairs, place = np.unique(
            np.concatenate([sums[:, 1:3], sums[:, 3:5]]), axis=0, return_inverse=True
        )
        self._after, self._before = place.ravel().reshape(2, -1)
        self._start = np.zeros(len(pairs), np.int64)
        # Above its first item a unit is there as a whole, or not at all.
        self._goes = self._comes if whole else np.where(first, 0, self._comes)
        if whole:
            np.add.at(self._start, self._before[first], self._comes[first])
        self._below, self._n_cutoffs = -sums[:, 0], n_cutoffs
        self._size, self._loss = value_of(pairs, unit).T

    def at(self, place: int) -> tuple[Floats, Floats, Floats]:
        """Loss, size and number of the units at a cutoff, 0 being the highest."""
        end = int(np.searchsorted(self._below, place - self._n_cutoffs, "right"))
        number = self._start.copy()
        np.add.at(number, self._after[:end], self._comes[:end])
        np.subtract.at(number, self._before[:end], self._goes[:end])
        there = number > 0
        return self._loss[there], self._size[there], number[there].astype(np.float64)


def _units_above(
    counts: Counts, part: int, cutoffs: Sequence[float], *, whole: bool, cost: str
) -> CountedUnits:
    steps = counts.units.above(counts.by, part, cutoffs, whole=whole, cost=cost)
    return CountedUnits(steps, len(cutoffs), counts.parts[part].unit, whole=whole)


def bound_by_bets(
    counts: Counts, part: int, cutoff: float, certainty: float, *, declined: bool
) -> float:
    """Upper bound of the error, or of the nonreturn, over all items at a cutoff.

    Parameters are those of `demur.decisions.several_risks.Tests`.
    """
    cost = "weight" if declined else "loss"
    units = _units_above(counts, part, [cutoff], whole=True, cost=cost)
    loss, size, times = units.at(0)
    loss = size - loss if declined else loss
    return betting_bound(loss, size, certainty=certainty, times=times)
