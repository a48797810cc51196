"""Shapley values: what each player adds, averaged over the orders of joining."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.errors import InputError, shown

EXACT_PLAYERS = 5
"""Up to so many players all coalitions are gone through, unless asked otherwise."""

Coalition = frozenset[int]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Plan:
    """Which coalitions are asked for, and how much each counts for each player.

    Parameters
    ----------
    coalitions : list of frozenset of int
        Each once.
    coefficients : array of float64, shape (n_players, n_coalitions)
        Shapley values are their products with the values of the coalitions.
    orders : array of int, shape (n_orders, n_players + 1), or None
        Of each sampled order, which coalition stood after each player joined.
    joined : array of int, shape (n_orders, n_players), or None
        The sampled orders.
    seed : int or None
        Of sampled orders.
    """

    coalitions: list[Coalition]
    coefficients: Floats
    orders: np.ndarray | None = None
    joined: np.ndarray | None = None
    seed: int | None = None

    @property
    def recipe(self) -> dict[str, object]:
        """How orders were sampled, for a signature; nothing if all were tried."""
        if self.orders is None:
            return {}
        return {"orders": len(self.orders), "seed": self.seed}

    def sampling_errors(self, values: Floats) -> Floats | None:
        """Standard errors that come of sampled orders; None if all were tried."""
        if self.orders is None or self.joined is None:
            return None
        added = np.diff(np.asarray(values)[self.orders], axis=1)
        by_player = np.empty_like(added)
        np.put_along_axis(by_player, self.joined, added, axis=1)
        return errors_of_pairs(by_player)


def errors_of_pairs(added: Floats) -> Floats:
    """Standard errors of means over orders, each of which is followed by its reverse.

    An order and its reverse are not independent, their means are. Two pairs are added
    that lie as far from the mean as those of a player lie apart: what is rare may not
    have been seen. A player that always added the same may otherwise do as the others.

    Parameters
    ----------
    added : array, shape (n_orders, n_players)
        What each player added; of an odd number the last order stands alone.

    Examples
    --------
    >>> errors_of_pairs(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]))
    array([0.70710678, 0.70710678])
    """
    n_orders = len(added)
    starts = np.arange(0, n_orders, 2)
    size = np.minimum(n_orders - starts, 2)[:, None]
    means = np.add.reduceat(added, starts) / size
    off = size / n_orders * (means - added.mean(axis=0))
    n_pairs = len(means)
    seen = np.square(off).sum(axis=0) * n_pairs / max(n_pairs - 1, 1)
    reach = np.ptp(means, axis=0)
    for apart in (reach, np.ptp(added, axis=0)):
        reach = np.where(reach > _ROUNDING, reach, apart.max())
    errors: Floats = np.sqrt(seen + 2 * np.square(2 / n_orders * reach))
    return errors


def exact_plan(n_players: int) -> Plan:
    """All coalitions, each with its share of the orders.

    Examples
    --------
    >>> plan = exact_plan(2)
    >>> [sorted(each) for each in plan.coalitions]
    [[], [0], [1], [0, 1]]
    >>> plan.coefficients
    array([[-0.5,  0.5, -0.5,  0.5],
           [-0.5, -0.5,  0.5,  0.5]])
    """
    coalitions = [
        frozenset(p for p in range(n_players) if mask >> p & 1)
        for mask in range(2**n_players)
    ]
    coefficients = np.zeros((n_players, len(coalitions)))
    for at, coalition in enumerate(coalitions):
        size = len(coalition)
        for player in range(n_players):
            # The share of all orders in which just these (and not the player) have
            # joined before, s! (n - s - 1)! / n!, is 1 / (n (n - 1 over s)).
            if player in coalition:
                share = math.comb(n_players - 1, size - 1) * n_players
                coefficients[player, at] = 1 / share
            else:
                share = math.comb(n_players - 1, size) * n_players
                coefficients[player, at] = -1 / share
    return Plan(coalitions, coefficients)


def sampled_plan(n_players: int, permutations: int, seed: int) -> Plan:
    """Random orders, each with its reverse, and the coalitions that they pass.

    The bounds (each player alone, and last) are among the coalitions.
    """
    rng = np.random.default_rng(seed)
    known: dict[Coalition, int] = {frozenset(): 0}
    for coalition in _bounds(n_players):
        known.setdefault(coalition, len(known))
    joined = np.empty((permutations, n_players), dtype=np.int64)
    for at in range(0, permutations, 2):
        joined[at] = rng.permutation(n_players)
        # Who comes early comes late in the reverse, so that errors partly cancel; of
        # an odd number of orders the last has none.
        joined[at + 1 : at + 2] = joined[at][::-1]
    orders = np.zeros((permutations, n_players + 1), dtype=np.int64)
    for row, order in enumerate(joined.tolist()):
        for size in range(1, n_players + 1):
            coalition = frozenset(order[:size])
            orders[row, size] = known.setdefault(coalition, len(known))
    coefficients = np.zeros((n_players, len(known)))
    for row, order in enumerate(joined.tolist()):
        for place, player in enumerate(order):  # what it adds to those before it
            coefficients[player, orders[row, place + 1]] += 1 / permutations
            coefficients[player, orders[row, place]] -= 1 / permutations
    return Plan(list(known), coefficients, orders, joined, seed)


def _bounds(n_players: int) -> list[Coalition]:
    whole = frozenset(range(n_players))
    alone = [frozenset([player]) for player in range(n_players)]
    return [*alone, *(whole - {player} for player in range(n_players)), whole]


def plan_of(n_players: int, permutations: int | None, seed: int) -> Plan:
    """All coalitions of a few players, sampled orders of more.

    Raises
    ------
    InputError
        If there is no player, or the number of orders makes no sense.
    """
    where = "shapley_values"
    if not n_players:
        raise InputError(where, "players", "hold at least one", "none")
    if permutations is None:
        if n_players <= EXACT_PLAYERS:
            return exact_plan(n_players)
        permutations = 200
    if type(permutations) is not int or permutations < 2:
        need = "be a whole number from 2"
        raise InputError(where, "permutations", need, shown(permutations))
    return sampled_plan(n_players, permutations, seed)


@dataclass(frozen=True)
class ShapleyValue:
    """What one player adds.

    Parameters
    ----------
    value : float
        Averaged over the orders in which players may join.
    alone : float
        What it adds to nobody.
    last : float
        What it adds to all others.
    sampling_error : float or None
        Standard error that comes of sampled orders, over pairs of an order and its
        reverse; None if all were gone through.
    """

    value: float
    alone: float
    last: float
    sampling_error: float | None


def shapley_values(
    players: Sequence[Hashable],
    value: Callable[[frozenset[Hashable]], float] | Mapping[frozenset[Hashable], float],
    *,
    permutations: int | None = None,
    seed: int = 0,
) -> dict[Hashable, ShapleyValue]:
    """Share a value among players: modules, steps of an agent, training sets.

    Parameters
    ----------
    players : sequence
        Whatever can be the key of a mapping.
    value : callable or mapping
        From a frozenset of players to the value of having just these; asked once for
        each set. Such as the success of a trace in which these steps were put right.
    permutations : int, optional
        So many random orders (each with its reverse) are gone through, in place of all
        sets; 200 if left out for more than five players.
    seed : int
        Of random orders.

    Returns
    -------
    dict of player to ShapleyValue
        Their values add up to that of all players less that of none.

    Raises
    ------
    InputError
        If a player stands twice, or a set has no value that is a finite number.

    References
    ----------
    Shapley (1953). Sampling of orders: Castro, Gomez and Tejada (2009), Computers and
    Operations Research 36; pairs of an order and its reverse: Mitchell et al. (2022).

    Examples
    --------
    >>> import demur
    >>> table = {frozenset(): 0.0, frozenset("a"): 0.4, frozenset("b"): 0.1,
    ...          frozenset("ab"): 0.6}
    >>> found = demur.shapley_values(["a", "b"], table)
    >>> [(name, round(each.value, 3)) for name, each in found.items()]
    [('a', 0.45), ('b', 0.15)]
    >>> found["a"].alone, found["a"].last
    (0.4, 0.5)
    """
    if not isinstance(players, str):  # each letter of which is one
        players = checks.listed("shapley_values", "players", players)
    for player in players:
        checks.of_kind("shapley_values", "each of players", player, Hashable)
    if not callable(value):
        checks.mapping("shapley_values", "value", value)
    checks.whole("shapley_values", "seed", seed)
    listed = list(players)
    if len(set(listed)) < len(listed):
        hint = "Give each a name of its own."
        got = shown(listed)
        raise InputError("shapley_values", "players", "stand once each", got, hint)
    plan = plan_of(len(listed), permutations, seed)
    worth = np.array([_value(value, listed, joined) for joined in plan.coalitions])
    return dict(zip(listed, valued(plan, worth), strict=True))


def _value(
    value: Callable[[frozenset[Hashable]], float] | Mapping[frozenset[Hashable], float],
    players: Sequence[Hashable],
    coalition: Coalition,
) -> float:
    named = frozenset(players[player] for player in coalition)
    if isinstance(value, Mapping):
        if named not in value:
            got = shown(sorted(map(str, named)))
            raise InputError("shapley_values", "each set of players", "be there", got)
        worth = value[named]
    else:
        worth = value(named)
    try:
        number = float(worth)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        need, got = "have a finite number", shown(worth)
        who = f"the value of {sorted(map(str, named))}"
        raise InputError("shapley_values", who, need, got)
    return number


def valued(plan: Plan, worth: Floats) -> list[ShapleyValue]:
    """Shapley values with their bounds, from the values of the plan's coalitions."""
    place = {coalition: at for at, coalition in enumerate(plan.coalitions)}
    n_players = len(plan.coefficients)
    whole = frozenset(range(n_players))
    errors = plan.sampling_errors(worth)
    values = plan.coefficients @ worth
    nobody, everybody = float(worth[place[frozenset()]]), float(worth[place[whole]])
    return [
        ShapleyValue(
            value=float(values[player]),
            alone=float(worth[place[frozenset([player])]]) - nobody,
            last=everybody - float(worth[place[whole - {player}]]),
            sampling_error=None if errors is None else float(errors[player]),
        )
        for player in range(n_players)
    ]
