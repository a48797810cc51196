"""Ranks as ranges: which systems a paired test of the measure that ranks tells apart.

The tests are those of `demur.compare` (own decisions: McNemar's exact test or flipped
signs; errors at a rate: Student's t of influence values), worked out for all pairs at
once, and corrected for their number by Holm's method. A system's best rank is 1 more
than the number of systems that are shown to be better, its worst one the number of
systems less those that are shown to be worse.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Positions, unit_sums
from demur.comparisons.pairs import draws_needed, holm
from demur.statistics.paired_tests import REPLICATES
from demur.statistics.resampling import swaps
from demur.statistics.sign_tests import EXACT_UNITS
from demur.statistics.units import ROUNDING

LEVEL: Final = 0.95

_LEAST: Final = 1e-15
"""A difference of no more is of how sums were rounded, as in `own_decisions`."""


@dataclass(frozen=True, eq=False)
class PairedUnits:
    """The items that all systems have answered, and what they count.

    Parameters
    ----------
    n_items : int
    weight : array of float64, shape (n_items,), or None
        None is 1 each.
    cluster : array of int64, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    worth : float
        How many equal units they are worth: `equal_units`.
    """

    n_items: int
    weight: Floats | None
    cluster: Positions | None
    worth: float

    @property
    def share(self) -> Floats:
        """Of all weight, shape (n_items,)."""
        weight = np.ones(self.n_items) if self.weight is None else self.weight
        share: Floats = weight / weight.sum()
        return share

    @property
    def alike(self) -> bool:
        """Whether every item stands alone and counts the same."""
        return self.weight is None and self.cluster is None

    def sums(self, amounts: Floats) -> Floats:
        """Sums over the independent units, for each system."""
        return np.array([unit_sums(row, self.cluster) for row in amounts])

    @property
    def kept(self) -> Floats:
        """The root of what is left of each unit's variance: see `units.left_out`."""
        share = unit_sums(self.share, self.cluster)
        n_units = len(share)
        kept: Floats = np.sqrt((1 - share) * (n_units - 1) / n_units)
        return kept


@dataclass(frozen=True, eq=False)
class PairTests:
    """Tests of all pairs of systems.

    Parameters
    ----------
    apart : array of float64, shape (n_systems, n_systems)
        The number of the second less that of the first; only above the diagonal.
    p_value : array of float64, shape (n_systems, n_systems)
        Two-sided; only above the diagonal.
    """

    apart: Floats
    p_value: Floats


def own_tests(
    units: PairedUnits, first: Floats, second: Floats, *, seed: int = 0
) -> PairTests:
    """Tests of what systems lose by their own decisions, all pairs.

    Parameters
    ----------
    units : PairedUnits
    first, second : arrays of float64, shape (n_systems, n_items)
        What each item costs each system, from 0 to 1, where it is the first of a pair,
        and where it is the second: the same unless something is unknown of them.
    seed : int
        Of flipped signs; where there are more pairs than so few flips could tell
        apart, Student's t alone takes their place.
    """
    share = units.share
    sums = units.sums(first * share), units.sums(second * share)
    n_systems, per_unit = len(first), unit_sums(share, units.cluster)
    flips = None
    if not (units.alike and _whole(first, second)) and can_flip(
        n_systems, sums[0].shape[1]
    ):
        flips = _Flips(sums, seed)
    apart, p_value = np.zeros((n_systems, n_systems)), np.ones((n_systems, n_systems))
    for a in range(n_systems - 1):
        others = slice(a + 1, n_systems)
        between = second[others] - first[a]
        value = between @ share
        value[np.abs(value) <= _LEAST] = 0.0
        moved = sums[1][others] - sums[0][a] - value[:, None] * per_unit
        by_spread = _student(value, moved / units.kept, units.worth)
        by_sign = _signs(between, units, flips, a)
        apart[a, others] = value
        p_value[a, others] = np.maximum(by_sign, by_spread)
    return PairTests(apart, p_value)


def can_flip(n_systems: int, n_units: int) -> bool:
    """Whether flipped signs could show a difference among so many pairs.

    Examples
    --------
    >>> can_flip(7, 100), can_flip(8, 100), can_flip(8, 12)
    (True, False, True)
    """
    n_pairs = n_systems * (n_systems - 1) // 2
    return n_units <= EXACT_UNITS or draws_needed(n_pairs) <= REPLICATES


def influence_tests(
    units: PairedUnits,
    value: tuple[Floats, Floats],
    influence: tuple[Floats, Floats],
    *,
    least: float,
) -> PairTests:
    """Tests of numbers read off curves, all pairs.

    Parameters
    ----------
    units : PairedUnits
    value : two arrays of float64, shape (n_systems,)
        Of each system where it is the first of a pair, and where it is the second.
    influence : two arrays of float64, shape (n_systems, n_items)
        Of the items on these.
    least : float
        The smallest standard error: `least_deviation`.
    """
    moved = [units.sums(one) / units.kept for one in influence]
    n_systems = len(value[0])
    apart, p_value = np.zeros((n_systems, n_systems)), np.ones((n_systems, n_systems))
    for a in range(n_systems - 1):
        others = slice(a + 1, n_systems)
        apart[a, others] = value[1][others] - value[0][a]
        between = moved[1][others] - moved[0][a]
        p_value[a, others] = _student(apart[a, others], between, units.worth, least)
    return PairTests(apart, p_value)


def rank_ranges(
    tests: Sequence[PairTests], *, level: float = LEVEL
) -> tuple[Positions, Positions]:
    """The best and the worst rank of each system.

    Parameters
    ----------
    tests : sequence of PairTests
        As shown, and if something is unknown with that at its least and its most: a
        pair differs only if all of them say so.

    Returns
    -------
    (best, worst) : arrays of int64, shape (n_systems,)
    """
    n_systems = len(tests[0].apart)
    rows, columns = np.triu_indices(n_systems, 1)
    apart = np.array([test.apart[rows, columns] for test in tests])
    p_value = np.array([test.p_value[rows, columns] for test in tests])
    differs: Flags = np.logical_or((apart > 0).all(axis=0), (apart < 0).all(axis=0))
    worst_p = np.where(differs, p_value.max(axis=0), 1.0)
    differs &= holm(worst_p) <= 1 - level
    return ranges_of(rows, columns, np.where(differs, apart[0], 0.0), n_systems)


def ranges_of(
    first: Positions, second: Positions, apart: Floats, n_systems: int
) -> tuple[Positions, Positions]:
    """The same from pairs: by how much the second is worse, 0 if that is not shown.

    Examples
    --------
    Only the third is shown to be worse, than the first:

    >>> pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> ranges_of(*pairs, np.array([0.0, 0.3, 0.0]), 3)
    (array([1, 1, 2]), array([2, 3, 3]))
    """
    better = np.zeros((n_systems, n_systems), bool)
    better[first, second] = apart > 0
    better[second, first] = apart < 0
    best: Positions = 1 + better.sum(axis=0)
    worst: Positions = n_systems - better.sum(axis=1)
    return best, worst


# -- one system against all after it ---------------------------------------------------


def _student(value: Floats, moved: Floats, worth: float, least: float = 0.0) -> Floats:
    """P of `paired_tests.by_deviation` for each row of moved."""
    from scipy.special import stdtr

    n_units = moved.shape[1]
    deviation = np.sqrt((n_units - 1) / n_units * np.square(moved).sum(axis=1))
    spread_out = deviation > ROUNDING
    safe = np.where(spread_out, np.maximum(deviation, least), 1.0)
    p_value: Floats = 2 * stdtr(worth - 1, -np.abs(value) / safe)
    same = np.where(np.abs(value) <= ROUNDING, 1.0, 2.0 ** (1 - n_units))
    return np.where(spread_out, p_value, same)


def _signs(
    between: Floats, units: PairedUnits, flips: "_Flips | None", a: int
) -> Floats:
    """P by signs: exact where every item counts the same and is lost or not.

    0 where signs are not flipped, so that the greater of it and another stays that.
    """
    p_value = np.zeros(len(between))
    whole: Flags = np.full(len(between), units.alike)
    if units.alike:
        whole &= np.isin(between, (-1.0, 0.0, 1.0)).all(axis=1)
        only = [(between[whole] * sign > 0).sum(axis=1) for sign in (-1, 1)]
        p_value[whole] = _mcnemar(*only)
    if flips is not None:
        p_value[~whole] = flips.p_values(a, a + 1 + np.flatnonzero(~whole))
    return p_value


def _mcnemar(only_first: Positions, only_second: Positions) -> Floats:
    """As `sign_tests.mcnemar_exact`, of many pairs."""
    from scipy.special import bdtr

    fewer = np.minimum(only_first, only_second)
    tail = bdtr(fewer.astype(float), only_first + only_second, 0.5)
    p_value: Floats = np.minimum(2 * tail, 1.0)
    return np.where(only_first == only_second, 1.0, p_value)


def _whole(*amounts: Floats) -> bool:
    return all(bool(((one == 0) | (one == 1)).all()) for one in amounts)


class _Flips:
    """Sums over units with their signs flipped, the same flips for all systems.

    Parameters
    ----------
    sums : two arrays of float64, shape (n_systems, n_units)
        Of systems where they are the first of a pair, and the second.
    seed : int
    """

    def __init__(self, sums: tuple[Floats, Floats], seed: int) -> None:
        self._sums = sums
        n_units = sums[0].shape[1]
        self.exact = n_units <= EXACT_UNITS
        if self.exact:
            blocks = [np.arange(2**n_units)[:, None] >> np.arange(n_units) & 1]
        else:
            blocks = list(swaps(n_units, REPLICATES, seed))
        signed = [(1 - 2 * block).astype(np.float64) for block in blocks]
        self._flipped = [
            np.concatenate([block @ one.T for block in signed]) for one in sums
        ]

    def p_values(self, a: int, others: Positions) -> Floats:
        """P of one system as the first of pairs with some others."""
        first, second = self._sums
        apart = second[others] - first[a]
        wanted = np.abs(apart.sum(axis=1)) - ROUNDING * np.abs(apart).sum(axis=1)
        flipped = self._flipped[1][:, others] - self._flipped[0][:, a, None]
        beyond = (np.abs(flipped) >= wanted).sum(axis=0)
        if self.exact:
            return np.asarray(beyond / len(flipped))
        return np.asarray((beyond + 1) / (len(flipped) + 1))
