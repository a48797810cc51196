"""The Rasch model: how able systems are, and how hard items, on one scale.

P(right) = 1 / (1 + exp(difficulty - ability)). Abilities are parameters; difficulties
are drawn from a normal distribution, so that items which all systems get right, or
none, have a finite difficulty too. Where systems have different items, how abilities
compare must not rest on that, since the items of some may be harder: then it is read
off pairs of systems on the items that both have.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Positions

NODES: Final = 61
"""Places at which the distribution of difficulties is summed."""
REACH: Final = 6.0
"""These lie so many standard deviations to both sides."""
ROUNDS: Final = 500
BEYOND: Final = 50.0
"""No bound of an ability is looked for beyond."""
_CLOSE: Final = 1e-8
_BLOCK: Final = 256
"""So many items are left out at once."""


@dataclass(frozen=True, eq=False)
class RaschModel:
    """A fitted model.

    Parameters
    ----------
    ability, ability_error : array of float, shape (n_systems,)
        Log-odds of an item of difficulty 0; the standard errors of their differences
        from the mean ability, of as many systems again.
    difficulty, difficulty_error : array of float, shape (n_items,)
        Means and standard deviations given what the systems did; on average 0.
    spread : float
        Standard deviation of the distribution of difficulties.
    likelihood : float
        Its logarithm.
    places, mass : array of float, shape (n_nodes,) and (n_items, n_nodes)
        Difficulties, and how likely each is for each item.
    """

    ability: Floats
    ability_error: Floats
    difficulty: Floats
    difficulty_error: Floats
    spread: float
    likelihood: float
    places: Floats
    mass: Floats


def fit_rasch(right: Floats, seen: Floats) -> RaschModel:
    """Fit by marginal maximum likelihood (EM).

    Parameters
    ----------
    right : array, shape (n_items, n_systems)
        1 if right, 0 if not.
    seen : array, shape (n_items, n_systems)
        1 if the system was asked and judged. The design is connected, and every
        system is right on some items and wrong on others: see `joined` and `mixed`.
        Unless all have all items, differences of abilities are those of pairs.

    References
    ----------
    Rasch (1960); Bock and Aitkin (1981), "Marginal maximum likelihood estimation of
    item parameters", Psychometrika 46, with systems in the place of items. Zwinderman
    (1995), "Pairwise parameter estimation in Rasch models", Applied Psychological
    Measurement 19.
    """
    nodes = np.linspace(-REACH, REACH, NODES)
    hits = right * seen
    share = np.clip(hits.sum(0) / np.maximum(seen.sum(0), 1), 0.01, 0.99)
    ability, spread, before = np.log(share / (1 - share)), 1.0, -np.inf
    same_items = bool(seen.all())
    if not same_items:
        ability, errors = _of_pairs(hits, seen, ability)
    for _ in range(ROUNDS):
        places = spread * nodes
        mass, likelihood = _posterior(hits, seen, ability, places, nodes)
        wanted = mass.T @ hits  # (n_nodes, n_systems)
        asked = mass.T @ seen
        ability = _newton(ability, places, wanted, asked, alone=same_items)
        spread = float(np.sqrt(max((mass @ places**2).mean(), 1e-6)))
        if likelihood - before < _CLOSE * (1 + abs(likelihood)):
            break
        before = likelihood
    places = spread * nodes
    mass, likelihood = _posterior(hits, seen, ability, places, nodes)
    p = 1 / (1 + np.exp(places[:, None] - ability))
    information = seen * (mass @ (p * (1 - p)))
    mean = mass @ places
    return RaschModel(
        ability=ability,
        ability_error=_errors(information) if same_items else errors,
        difficulty=mean,
        difficulty_error=np.sqrt(np.maximum(mass @ places**2 - mean**2, 0.0)),
        spread=spread,
        likelihood=likelihood,
        places=places,
        mass=mass,
    )


def _errors(information: Floats) -> Floats:
    """Standard errors of abilities whose items may have any difficulty.

    What an item says of its difficulty is taken off what it says of its systems.
    """
    n_systems = information.shape[1]
    of_item = np.maximum(information.sum(axis=1, keepdims=True), 1e-12)
    kept = np.diag(information.sum(axis=0)) - information.T @ (information / of_item)
    spread = np.diag(_inverse(kept)) * n_systems
    errors: Floats = np.sqrt(np.maximum(spread / max(n_systems - 1, 1), 0.0))
    return errors


def mixed(right: Floats, seen: Floats) -> Flags:
    """Whether each system is right on some items and wrong on others."""
    solved, asked = (right * seen).sum(axis=0), seen.sum(axis=0)
    some: Flags = (solved > 0) & (solved < asked)
    return some


def joined(right: Floats, seen: Floats) -> Positions:
    """Which part of the design each system belongs to, from 0.

    Systems are in one part if each is right on some item where the other is wrong, and
    two such items are there, or if chains of systems lead from each to the other so; or
    if all have all items. One item would leave open how much luck there is in it.

    References
    ----------
    Ford (1957), "Solution of a ranking problem from binary comparisons", American
    Mathematical Monthly 64.
    """
    if seen.all():
        return np.zeros(seen.shape[1], np.int64)
    better = _better(right * seen, seen)
    reach = _reached(better > 0) & _reached(better + better.T > 1)
    first = np.argmax(reach & reach.T, axis=1)
    return np.unique(first, return_inverse=True)[1]


def _reached(links: Flags) -> Flags:
    """Which systems a chain of links leads to from which."""
    n_systems = len(links)
    reach: Flags = links | np.eye(n_systems, dtype=bool)
    for _ in range(n_systems.bit_length()):
        reach = (reach.astype(float) @ reach) > 0
    return reach


def _better(hits: Floats, seen: Floats) -> Floats:
    """On how many items each system is right and each other one wrong."""
    better: Floats = hits.T @ (seen - hits)
    return better


def _of_pairs(hits: Floats, seen: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Abilities from pairs of systems on common items, and their errors.

    Of the items on which one of two is right, the chance that it is the more able one
    depends on no difficulty. The errors are those of leaving each item out, to first
    order: where few items join two parts, each of them pulls the fit towards itself.
    """
    better = _better(hits, seen)
    pairs = better + better.T
    ability = start - start.mean()
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(ability - ability[:, None]))
        slope = (better - pairs * p).sum(axis=1)
        bend = _laplacian(pairs * p * (1 - p))
        step = np.clip(_inverse(bend) @ slope, -1.0, 1.0)
        ability = ability + step
        if np.abs(step).max() < 1e-10:
            break
    p = 1 / (1 + np.exp(ability - ability[:, None]))  # that the row's is the better
    inverse = _inverse(_laplacian(pairs * p * (1 - p)))
    moved = _left_out(hits, seen - hits, p, inverse) @ inverse
    n_items, n_systems = hits.shape
    spread = np.square(moved).sum(axis=0) * (n_items - 1) / n_items
    return ability, np.sqrt(spread * n_systems / max(n_systems - 1, 1))


def _left_out(hits: Floats, misses: Floats, p: Floats, inverse: Floats) -> Floats:
    """The slopes of each item, its own pull undone.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28, on the jackknife of clusters.
    """
    slopes = hits * (misses @ p) - misses * (hits @ p.T)
    alone = np.eye(len(p))
    for start in range(0, len(slopes), _BLOCK):
        rows = slice(start, start + _BLOCK)
        weight = hits[rows, :, None] * misses[rows, None, :] * p * (1 - p)
        weight += weight.transpose(0, 2, 1)
        bend = weight.sum(axis=2)[:, :, None] * alone - weight
        slopes[rows] = np.linalg.solve(alone - bend @ inverse, slopes[rows, :, None])[
            :, :, 0
        ]
    return slopes


def _laplacian(weight: Floats) -> Floats:
    matrix: Floats = np.diag(weight.sum(axis=1)) - weight
    return matrix


def _inverse(matrix: Floats) -> Floats:
    """Of a matrix that leaves the level of abilities open."""
    inverse: Floats = np.linalg.pinv(matrix, rcond=1e-9, hermitian=True)
    return inverse


def bound(model: RaschModel, asked: Flags, *, right: bool, chance: float) -> float:
    """The ability at which a system is right (or wrong) on all its items by a chance.

    Parameters
    ----------
    model : RaschModel
        Of other systems.
    asked : array of bool, shape (n_items,)
        The items that the system had.
    right : bool
        Whether it was right on all of them, or on none.
    chance : float
        Of that, at the bound.

    Returns
    -------
    float
        The system is at least so able, or at most.
    """
    sign = 1 if right else -1
    mass, places = model.mass[asked], sign * model.places
    least, most = -BEYOND, BEYOND
    for _ in range(60):
        middle = (least + most) / 2
        of_item = mass @ (1 / (1 + np.exp(places - middle)))
        low = float(np.log(of_item).sum()) < np.log(chance)
        least, most = (middle, most) if low else (least, middle)
    return sign * most


def _posterior(
    hits: Floats, seen: Floats, ability: Floats, places: Floats, nodes: Floats
) -> tuple[Floats, float]:
    """How likely each place is for each item, and the log-likelihood of all."""
    apart = ability - places[:, None]  # (n_nodes, n_systems)
    logs = hits @ -np.logaddexp(0, -apart).T + (seen - hits) @ -np.logaddexp(0, apart).T
    logs += -(nodes**2) / 2
    best = logs.max(axis=1, keepdims=True)
    mass = np.exp(logs - best)
    total = mass.sum(axis=1, keepdims=True)
    whole = np.log(np.exp(-(nodes**2) / 2).sum())
    return mass / total, float((best[:, 0] + np.log(total[:, 0]) - whole).sum())


def _newton(
    ability: Floats, places: Floats, wanted: Floats, asked: Floats, *, alone: bool
) -> Floats:
    """The most likely abilities, each by itself or with their differences as given."""
    for _ in range(20):
        p = 1 / (1 + np.exp(places[:, None] - ability))
        slope = (wanted - asked * p).sum(0)
        bend = (asked * p * (1 - p)).sum(0)
        if not alone:
            slope, bend = slope.sum(keepdims=True), bend.sum(keepdims=True)
        bend = np.maximum(bend, 1e-9)
        step = np.clip(slope / bend, -1.0, 1.0)
        ability = ability + step
        if np.abs(step).max() < 1e-10:
            break
    return np.clip(ability, -12.0, 12.0)
