"""A cutoff for each kind of part: the vectors that are looked for, as arrays.

A whole holds an error as long as, of some kind, the surest of its bad parts is
returned. So of each kind only these parts are cutoffs that matter, its *levels*: at
level 0 all is returned, at level i all is withheld that is at most as sure as the i-th
of them. A vector has a level for each kind, and a whole needs a level of each kind to
be cleared.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions
from demur.decisions.exact_certificates import binomial_bound

ROUNDS: Final = 20
"""Pairs of kinds are gone through at most so often; mostly three times do."""

FINE: Final = 128
"""So many levels of a kind, the surest, are all looked at; below, they get sparser."""

TURNS: Final = 64
"""In so many turns kinds are raised between the vectors that a path passes."""


@dataclass(frozen=True, eq=False)
class KindLevels:
    """What it takes to clear each whole, and what each level withholds.

    Parameters
    ----------
    confidence : sequence of array, each of shape (n_levels of the kind,)
        The rising confidences of the levels from 1 on.
    cost : sequence of list, each of length n_levels + 1
        What it costs to withhold up to each level.
    needed : array of int64, shape (n_bad, n_kinds)
        The level of each kind at which wholes with a bad part are cleared; 0 if they
        have no bad part of that kind. Wholes that need the same stand in one row.
    weight : array, shape (n_bad,)
        Of these wholes together.
    guesses : sequence of array
        The rising confidences of all guesses of each kind.
    """

    confidence: Sequence[Floats]
    cost: Sequence[list[Any]]
    needed: Positions
    weight: Numbers
    guesses: Sequence[Floats]

    @property
    def n_kinds(self) -> int:
        """How many kinds there are."""
        return len(self.cost)

    @property
    def top(self) -> list[int]:
        """The levels at which no error is left."""
        return [len(cost) - 1 for cost in self.cost]

    def errors(self, levels: Sequence[int]) -> Any:
        """The weight of wholes that hold an error."""
        return self.weight[(self.needed > np.asarray(levels)).any(axis=1)].sum().item()

    def price(self, levels: Sequence[int]) -> Any:
        """What the withheld parts cost."""
        return sum(cost[level] for cost, level in zip(self.cost, levels, strict=True))


def levels_of(
    whole: Positions,
    kind: Positions,
    confidence: Floats,
    bad: Flags,
    *,
    weight: Numbers,
    costs: Sequence[float],
) -> KindLevels:
    """The levels of guesses, each of a whole and of a kind.

    Parameters
    ----------
    whole, kind : array of int64, shape (n_guesses,)
        Numbers from 0.
    confidence : array of float64, shape (n_guesses,)
    bad : array of bool, shape (n_guesses,)
        Wrong, or ungraded.
    weight : array, shape (n_wholes,)
    costs : sequence of float
        Of withholding a part of each kind, in a whole of weight 1.

    Examples
    --------
    Two wholes; the first has a bad part of each kind, the second one of the first:

    >>> levels = levels_of(
    ...     np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]),
    ...     np.array([0.5, 7.0, 0.9, 0.4]), np.array([True, True, True, False]),
    ...     weight=np.array([1, 1]), costs=[1, 1])
    >>> levels.needed.tolist(), levels.cost
    ([[1, 1], [2, 0]], [[0, 2, 3], [0, 1]])
    >>> levels.errors([1, 1]), levels.price([1, 1])
    (1, 3)
    """
    n_kinds = len(costs)
    surest = np.full((len(weight), n_kinds), -np.inf)
    is_bad = np.zeros((len(weight), n_kinds), bool)
    np.maximum.at(surest, (whole[bad], kind[bad]), confidence[bad])
    is_bad[whole[bad], kind[bad]] = True
    wholes = np.flatnonzero(is_bad.any(axis=1))
    needed = np.zeros((len(wholes), n_kinds), np.int64)
    seen, cost, guesses = [], [], []
    for code in range(n_kinds):
        rows = np.flatnonzero(kind == code)
        rows = rows[np.argsort(confidence[rows])]
        ranked = confidence[rows]
        has = is_bad[wholes, code]
        levels = np.unique(surest[wholes[has], code])
        levels = levels[_kept_levels(len(levels))]
        needed[has, code] = 1 + levels.searchsorted(surest[wholes[has], code])
        below = np.concatenate(([0], np.cumsum(weight[whole[rows]])))
        withheld = below[ranked.searchsorted(levels, "right")]
        cost.append([0, *(withheld * costs[code]).tolist()])
        seen.append(levels)
        guesses.append(ranked)
    needed, alike = np.unique(needed, axis=0, return_inverse=True)
    together = np.bincount(alike.reshape(-1), weight[wholes], len(needed))
    return KindLevels(seen, cost, needed, together.astype(weight.dtype), guesses)


def _kept_levels(n_levels: int) -> Positions:
    """Places of the levels that are looked at, rising; the surest are all.

    Examples
    --------
    >>> len(_kept_levels(128)), len(_kept_levels(100_000))
    (128, 930)
    """
    kept, place = [], 0
    while place < n_levels:
        kept.append(n_levels - 1 - place)
        place += 1 + place // FINE
    return np.array(kept[::-1], np.int64)


# -- the vector of least cost ------------------------------------------------------


def least_costly(levels: KindLevels, budget: Any) -> list[int]:
    """The vector that withholds at least cost, with errors of at most so much weight.

    From the smallest cutoff that is common to all kinds, and from the wholes that
    cost least to clear, two kinds at a time are set as well as can be, the others
    staying, until no two can be set better. With one or two kinds there is no better
    vector; with more there may be, seldom and by little. It never costs more than the
    common cutoff.

    Examples
    --------
    >>> levels = levels_of(
    ...     np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1]),
    ...     np.array([0.5, 0.6, 0.9, 0.4]), np.array([True, True, True, False]),
    ...     weight=np.array([1, 1, 1]), costs=[1, 1])
    >>> least_costly(levels, 1)
    [2, 0]
    """
    starts = [_common(levels, budget), _cleared(levels, budget)]
    vectors = [_set_by_pairs(levels, start, budget) for start in starts]
    return min(vectors, key=lambda vector: (levels.price(vector), vector))


def _common(levels: KindLevels, budget: Any) -> list[int]:
    """The levels of the smallest cutoff on all kinds that has so few errors."""
    surest = np.full(len(levels.weight), -np.inf)
    for kind, seen in enumerate(levels.confidence):
        needed = levels.needed[:, kind]
        bad = needed > 0
        surest[bad] = np.maximum(surest[bad], seen[needed[bad] - 1])
    order = np.argsort(-surest)
    lost = np.cumsum(levels.weight[order])
    kept = int(np.searchsorted(lost, budget, "right"))
    if kept == len(surest):
        return [0] * levels.n_kinds
    least = surest[order[kept]]
    return [int(seen.searchsorted(least, "right")) for seen in levels.confidence]


def _cleared(levels: KindLevels, budget: Any) -> list[int]:
    """The levels of wholes that are cleared one by one, the cheapest first."""
    vector = np.zeros(levels.n_kinds, np.int64)
    cost = [np.array(row) for row in levels.cost]
    needed, weight = levels.needed, levels.weight
    while True:
        bad = (needed > vector).any(axis=1)
        needed, weight = needed[bad], weight[bad]
        if weight.sum() <= budget:
            return [int(level) for level in vector]
        raised = np.maximum(needed, vector)
        price = sum(row[raised[:, kind]] for kind, row in enumerate(cost))
        vector = raised[int(np.argmin(price))]


def _set_by_pairs(levels: KindLevels, start: Sequence[int], budget: Any) -> list[int]:
    """A vector from a start, such that no two of its kinds can be set better."""
    vector, needed = list(start), levels.needed
    columns = [np.ascontiguousarray(column) for column in needed.T]
    for _ in range(ROUNDS):
        before = levels.price(vector)
        keeping = (needed > np.array(vector)).sum(axis=1)  # kinds that keep it an error
        for pair in combinations(range(levels.n_kinds), 2):
            a, b = (columns[kind] for kind in pair)
            rest = keeping - (a > vector[pair[0]]) - (b > vector[pair[1]])
            left = budget - levels.weight[rest > 0].sum().item()
            rows = np.flatnonzero((rest == 0) & ((a > 0) | (b > 0)))
            cost = [levels.cost[kind] for kind in pair]
            best = _best_two((a[rows], b[rows]), levels.weight[rows], left, cost)
            if best is None:
                continue
            if best[0] < sum(levels.cost[kind][vector[kind]] for kind in pair):
                vector[pair[0]], vector[pair[1]] = best[1:]
                keeping = rest + (a > best[1]) + (b > best[2])
        if levels.price(vector) >= before:
            break
    return vector


def _best_two(
    needed: tuple[Positions, Positions],
    weight: Numbers,
    budget: Any,
    cost: Sequence[Sequence[Any]],
) -> tuple[Any, int, int] | None:
    """The levels of two kinds of least cost, and that; None if no levels do.

    As the first goes down level by level, the second has to go up, so that both pass
    each of their levels once.
    """
    a, b = (levels.tolist() for levels in needed)
    weights = weight.tolist()
    by_a, by_b = _by_level(a), _by_level(b)
    y, most = 0, len(cost[1]) - 1
    lost = sum(w for i, w in enumerate(weights) if b[i] > 0)
    best: tuple[Any, int, int] | None = None
    for x in reversed(range(len(cost[0]))):
        while lost > budget and y < most:
            y += 1
            lost -= sum(weights[i] for i in by_b.get(y, ()) if a[i] <= x)
        if lost > budget:
            break
        price = cost[0][x] + cost[1][y]
        if best is None or price < best[0]:
            best = price, x, y
        lost += sum(weights[i] for i in by_a.get(x, ()) if b[i] <= y)
    return best


def _by_level(needed: Sequence[int]) -> dict[int, list[int]]:
    """Which wholes need each level."""
    listed: dict[int, list[int]] = {}
    for place, level in enumerate(needed):
        listed.setdefault(level, []).append(place)
    return listed


# -- the path ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NestedPath:
    """Steps from all that is returned to nothing, each of which raises one kind.

    Parameters
    ----------
    kind : array of int64, shape (n_steps,)
        Which kind each step raises.
    withheld : array of float64, shape (n_steps,)
        Guesses of that kind that are at most so sure are withheld after the step;
        infinite in the last step of each kind.
    n_kinds : int
    """

    kind: Positions
    withheld: Floats
    n_kinds: int

    def ranks(self, kind: Positions, confidence: Floats) -> Positions:
        """When each guess leaves: all that leave together have the same rank.

        Guesses leave step by step, and within a step the less sure ones first. So what
        is returned from a rank up is nested, and with one kind ranks are in the order
        of confidences.

        Parameters
        ----------
        kind : array of int64, shape (n_guesses,)
            -1 for a kind that the path does not know, whose rank is 0.
        confidence : array, shape (n_guesses,)

        Returns
        -------
        array of int64
            From 1.

        Examples
        --------
        >>> path = NestedPath(
        ...     np.array([0, 1, 0]), np.array([0.5, np.inf, np.inf]), 2)
        >>> path.ranks(np.array([0, 0, 1, -1]), np.array([0.9, 0.4, 7.0, 1.0])).tolist()
        [3, 1, 2, 0]
        """
        leaves = np.full(len(kind), -1, np.int64)
        for code in range(self.n_kinds):
            steps = np.flatnonzero(self.kind == code)
            rows = kind == code
            place = self.withheld[steps].searchsorted(confidence[rows], "left")
            leaves[rows] = steps[place]
        known = np.flatnonzero(leaves >= 0)
        keys = np.column_stack((leaves[known].astype(np.float64), confidence[known]))
        _, rank = np.unique(keys, axis=0, return_inverse=True)
        ranks = np.zeros(len(kind), np.int64)
        ranks[known] = rank.reshape(-1) + 1
        return ranks


def path_through(levels: KindLevels, budget: Any) -> NestedPath:
    """A nested path through the vector of least cost for a budget of errors.

    From all that is returned to that vector, and from there to nothing, all kinds are
    raised in turn: each time by the same share of what the stretch withholds of them.
    The kinds of which no bad part was seen come last.

    Parameters
    ----------
    levels : KindLevels
        Of the wholes that it is searched on.
    budget : number
        The weight of wrong wholes where it is to be best.
    """
    places = [
        int(guesses.searchsorted(seen[level - 1], "right")) if level else 0
        for guesses, seen, level in zip(
            levels.guesses,
            levels.confidence,
            least_costly(levels, budget),
            strict=True,
        )
    ]
    ends = [len(guesses) for guesses in levels.guesses]
    kinds = range(levels.n_kinds)
    bad = [kind for kind in kinds if len(levels.confidence[kind])]
    good = [kind for kind in kinds if kind not in bad]
    steps = _in_turn(levels, bad, [0] * len(ends), places)
    for left in (bad, good):
        steps += _in_turn(levels, left, places, ends)
        steps += [(kind, np.inf) for kind in left]
    raised, withheld = zip(*steps, strict=True)
    return NestedPath(np.array(raised, np.int64), np.array(withheld), levels.n_kinds)


def _in_turn(
    levels: KindLevels,
    kinds: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
) -> list[tuple[int, float]]:
    """Steps that raise kinds from some places of their guesses to others, in turn."""
    steps = []
    for turn in range(1, TURNS + 1):
        for kind in kinds:
            place = begin[kind] + turn * (end[kind] - begin[kind]) // TURNS
            if place > begin[kind]:
                steps.append((kind, float(levels.guesses[kind][place - 1])))
    return steps


def certifiable(n_units: int, target: Any, certainty: float) -> int:
    """With how many errors among so many units an error is still certified; or 0.

    Examples
    --------
    >>> certifiable(300, 0.02, 0.95), certifiable(10, 0.02, 0.95)
    (1, 0)
    """

    def bound(wrong: int) -> float:
        return binomial_bound(wrong, n_units, certainty)

    return max(bisect_right(range(n_units), float(target), key=bound) - 1, 0)
