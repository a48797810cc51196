"""The Rasch model: how able systems are, and how hard items, on one scale.

P(right) = 1 / (1 + exp(difficulty - ability)). Abilities are parameters; difficulties
are drawn from a normal distribution, so that items which all systems get right, or
none, have a finite difficulty too.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Floats

NODES: Final = 61
"""Places at which the distribution of difficulties is summed."""
REACH: Final = 6.0
"""These lie so many standard deviations to both sides."""
ROUNDS: Final = 500
_CLOSE: Final = 1e-8


@dataclass(frozen=True, eq=False)
class RaschModel:
    """A fitted model.

    Parameters
    ----------
    ability, ability_error : array of float, shape (n_systems,)
        Log-odds of an item of difficulty 0, with their standard errors.
    difficulty, difficulty_error : array of float, shape (n_items,)
        Means and standard deviations given what the systems did; on average 0.
    spread : float
        Standard deviation of the distribution of difficulties.
    likelihood : float
        Its logarithm.
    """

    ability: Floats
    ability_error: Floats
    difficulty: Floats
    difficulty_error: Floats
    spread: float
    likelihood: float


def fit_rasch(right: Floats, seen: Floats) -> RaschModel:
    """Fit by marginal maximum likelihood (EM).

    Parameters
    ----------
    right : array, shape (n_items, n_systems)
        1 if right, 0 if not.
    seen : array, shape (n_items, n_systems)
        1 if the system was asked and judged.

    References
    ----------
    Rasch (1960); Bock and Aitkin (1981), "Marginal maximum likelihood estimation of
    item parameters", Psychometrika 46, with systems in the place of items.
    """
    nodes = np.linspace(-REACH, REACH, NODES)
    hits = right * seen
    share = np.clip(hits.sum(0) / np.maximum(seen.sum(0), 1), 0.01, 0.99)
    ability, spread, before = np.log(share / (1 - share)), 1.0, -np.inf
    for _ in range(ROUNDS):
        places = spread * nodes
        mass, likelihood = _posterior(hits, seen, ability, places, nodes)
        wanted = mass.T @ hits  # (n_nodes, n_systems)
        asked = mass.T @ seen
        ability = _newton(ability, places, wanted, asked)
        spread = float(np.sqrt(max((mass @ places**2).mean(), 1e-6)))
        if likelihood - before < _CLOSE * (1 + abs(likelihood)):
            break
        before = likelihood
    places = spread * nodes
    mass, likelihood = _posterior(hits, seen, ability, places, nodes)
    p = 1 / (1 + np.exp(places[:, None] - ability))
    information = ((mass.T @ seen) * p * (1 - p)).sum(0)
    mean = mass @ places
    return RaschModel(
        ability=ability,
        ability_error=1 / np.sqrt(np.maximum(information, 1e-12)),
        difficulty=mean,
        difficulty_error=np.sqrt(np.maximum(mass @ places**2 - mean**2, 0.0)),
        spread=spread,
        likelihood=likelihood,
    )


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


def _newton(ability: Floats, places: Floats, wanted: Floats, asked: Floats) -> Floats:
    for _ in range(20):
        p = 1 / (1 + np.exp(places[:, None] - ability))
        slope = (wanted - asked * p).sum(0)
        bend = np.maximum((asked * p * (1 - p)).sum(0), 1e-9)
        step = np.clip(slope / bend, -1.0, 1.0)
        ability = ability + step
        if np.abs(step).max() < 1e-10:
            break
    return np.clip(ability, -12.0, 12.0)
