"""Pairs of simulated systems whose true curves are known, for the simulations.

A system is given by the chance of an error at each rank of confidence; ranks and
errors of the two systems, and of items in one cluster, are correlated through normal
variables. One system's errors are scaled so that the wanted quantity is equal in both.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from demur.arrays import Sample

Array = np.ndarray[Any, Any]
GRID = 4001


@dataclass(frozen=True)
class System:
    """Chance of an error at rank r: ``scale * exp(-decay * r)``, level by level.

    Parameters
    ----------
    scale, decay : float
    levels : tuple of float
        Ranks (0 to 1) at which one level of confidence ends and the next begins;
        empty for distinct confidences.
    silent : float
        Share of items without a guess.
    credit : bool
        Whether half of the losses are of 0.5, and those twice as frequent.
    """

    scale: float
    decay: float
    levels: tuple[float, ...] = ()
    silent: float = 0.0
    credit: bool = False

    def chance(self, rank: Array) -> Array:
        """Expected loss at each rank of the guesses."""
        edges = np.array([0.0, *self.levels, 1.0])
        mass = -np.exp(-self.decay * edges) / self.decay
        if not self.levels:
            return self.scale * np.exp(-self.decay * rank)
        level = np.searchsorted(self.levels, rank, "right")
        return self.scale * (np.diff(mass) / np.diff(edges))[level]

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """Nonreturn and error of the true curve, closely spaced."""
        rank = np.union1d(np.linspace(0, 1, GRID), self.levels)
        middle = (rank[1:] + rank[:-1]) / 2
        part = self.chance(middle) * np.diff(rank)
        above = np.append(np.cumsum(part[::-1])[::-1], 0.0)
        return self.silent + (1 - self.silent) * rank, (1 - self.silent) * above

    def error_at(self, nonreturn: Any) -> Any:
        """True error at a nonreturn rate."""
        return np.interp(nonreturn, *self.curve)

    def nonreturn_at(self, error: float) -> float:
        """True nonreturn at an error rate."""
        x, y = self.curve
        return float(np.interp(-error, -y, x))

    def area_from(self, nonreturn: float) -> float:
        """True area, from a nonreturn rate to 1."""
        x, y = self.curve
        kept = x > nonreturn
        x, edge = np.append(nonreturn, x[kept]), self.error_at(nonreturn)
        return float(np.trapezoid(np.append(edge, y[kept]), x))


class RootSystem(System):
    """Confidence c ~ Beta(2, 1), right with chance 0.1 + 0.9 c; true area 0.09."""

    def chance(self, rank: Array) -> Array:
        """Expected loss at each rank of the guesses."""
        return 0.9 * (1 - np.sqrt(rank))


@dataclass(frozen=True)
class Steps(System):
    """Chance of an error that jumps from one rank to the next.

    Parameters
    ----------
    edges : tuple of float
        Ranks at which it jumps.
    chances : tuple of float
        One more than edges.
    """

    edges: tuple[float, ...] = ()
    chances: tuple[float, ...] = (0.0,)

    def chance(self, rank: Array) -> Array:
        """Expected loss at each rank of the guesses."""
        step = np.searchsorted(self.edges, rank, "right")
        return self.scale * np.array(self.chances)[step]


def scaled(system: System, value: Callable[[System], float], goal: float) -> System:
    """The system with its errors scaled so that a value is the wanted one."""
    low, high = 0.0, 1 / float(system.chance(np.zeros(1))[0]) * system.scale
    for _ in range(60):
        middle = (low + high) / 2
        if value(replace(system, scale=middle)) < goal:
            low = middle
        else:
            high = middle
    return replace(system, scale=low)


@dataclass(frozen=True)
class Scenario:
    """Two systems on common items.

    Parameters
    ----------
    name : str
    items : int
    a, b : System
    clusters : int or None
        Number of clusters, of unequal sizes; None for independent items.
    sizes : str
        Of the clusters: "gamma" of that many items; or "equal", "geometric" (of 10 on
        average), "pareto" (from 4 on), or the share of all items that one of otherwise
        equal clusters has, with as many items as these sizes give.
    within : float
        Correlation within clusters, of ranks and of errors.
    at : float
        Nonreturn at which the errors are compared.
    weights : bool
        Whether items weigh 1 to 4.
    common : float
        Correlation between the systems.
    """

    name: str
    items: int
    a: System
    b: System
    clusters: int | None = None
    sizes: str = "gamma"
    within: float = 0.2
    at: float = 0.2
    weights: bool = False
    common: float = 0.5

    def draw(self, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """One pair of samples."""
        cluster = None if self.clusters is None else self._clusters(rng, self.clusters)
        n_items = self.items if cluster is None else len(cluster)
        weight = rng.integers(1, 5, n_items) * 1.0 if self.weights else None
        rank, luck, silence = (self._normals(rng, n_items, cluster) for _ in range(3))
        samples = []
        for which, system in enumerate((self.a, self.b)):
            place = ndtr(rank[which])
            loss = self._losses(system, place, ndtr(luck[which]))
            guess = silence[which] >= ndtri(system.silent)
            level = np.searchsorted(system.levels, place, "right") * 0.1
            confidence = level if system.levels else place ** (1 + 3 * which)
            samples.append(Sample(guess, confidence, loss * guess, weight, cluster))
        return samples[0], samples[1]

    def _clusters(self, rng: np.random.Generator, n: int) -> Array:
        """The cluster of each item."""
        if self.sizes == "gamma":
            share = rng.gamma(2.0, size=n) + 0.1
            cluster = rng.choice(n, self.items, p=share / share.sum())
            return np.unique(cluster, return_inverse=True)[1]
        if self.sizes == "geometric":
            sizes = rng.geometric(0.1, n)
        elif self.sizes == "pareto":
            sizes = np.minimum(3 + np.ceil(3 * rng.pareto(1.2, n)), 1000).astype(int)
        else:
            share = 1 / n if self.sizes == "equal" else float(self.sizes)
            others = round((1 - share) * self.items / (n - 1))
            sizes = np.full(n, others)
            sizes[0] = round(share / (1 - share) * others * (n - 1))
        return np.repeat(np.arange(n), sizes)

    def _losses(self, system: System, place: Array, luck: Array) -> Array:
        chance = system.chance(place)
        if not system.credit:
            return (luck < chance).astype(float)
        return np.where(luck < chance / 2, 1.0, np.where(luck < chance * 1.5, 0.5, 0))

    def _normals(
        self, rng: np.random.Generator, n_items: int, cluster: Array | None
    ) -> Array:
        """Standard normal variables of the two systems, shape (2, items)."""

        def both(n: int) -> Array:
            own, shared = rng.standard_normal((2, n)), rng.standard_normal(n)
            return np.sqrt(self.common) * shared + np.sqrt(1 - self.common) * own

        each = both(n_items)
        if cluster is None or self.clusters is None:
            return each
        group = both(self.clusters)[:, cluster]
        return np.sqrt(self.within) * group + np.sqrt(1 - self.within) * each


def null(
    name: str,
    items: int,
    a: System,
    b: System,
    *,
    equal: str = "error",
    at: float = 0.2,
    less: float = 0.0,
    **rest: Any,
) -> Scenario:
    """A scenario in which A and B have equal error (at ``at``), nonreturn or area.

    Or, for the power of a test, B's is by a share ``less`` than A's.
    """
    if equal == "area":
        left = max(a.silent, b.silent)
        goal = a.area_from(left) * (1 - less)
        b = scaled(b, lambda each: each.area_from(left), goal)
    else:
        goal = float(a.error_at(at)) * (1 - less)
        b = scaled(b, lambda each: float(each.error_at(at)), goal)
    return Scenario(name, items, a, b, at=at, **rest)


TIES_A = (0.12, 0.3, 0.45, 0.7, 0.88)
TIES_B = (0.25, 0.5, 0.6)


STEEP, FLAT = System(0.6, 2.0), System(0.5, 0.7)
TIES = replace(STEEP, levels=TIES_A), replace(FLAT, levels=TIES_B)
SILENT = replace(STEEP, silent=0.2), replace(FLAT, silent=0.2)


JUMP_TIED = Steps(
    1.0, 1.0, levels=(0.15, 0.25, 0.4375, 0.625, 0.8125), edges=(0.15, 0.25),
    chances=(0.5, 1.0, 0.1),
)  # fmt: skip
"""All guesses at the nonreturn 0.2 are equally sure, and wrong."""

JUMP = Steps(1.0, 1.0, edges=(0.1, 0.3), chances=(0.1, 0.8, 0.1))
"""Of the guesses around the nonreturn 0.2 four in five are wrong; no ties."""

BEND = Steps(1.0, 1.0, edges=(0.2,), chances=(0.8, 0.1))
"""The chance of an error falls from 0.8 to 0.1 at the nonreturn 0.2."""


def rare(expected: float, items: int, at: float = 0.2) -> tuple[System, System]:
    """Two systems with so many expected errors among the answered items."""
    steep, flat = System(0.06, 3.0), System(0.05, 2.0)
    level = expected / items
    return scaled(steep, lambda each: float(each.error_at(at)), level), flat


def nulls(
    equal: str = "error", error: float = 0.1, less: float = 0.0
) -> list[Scenario]:
    """The situations in which a test at 5 % should reject in 3 to 7 %.

    Parameters
    ----------
    equal : str
        What is equal in both systems: "error", "nonreturn" or "area".
    error : float
        Where the nonreturns are equal (a twentieth of it if errors are rare).
    less : float
        By which share B's number is less: what a test should see.
    """

    def made(name: str, items: int, pair: tuple[System, System], **rest: Any) -> Any:
        if equal == "nonreturn":
            wanted = error / 20 if "errors" in name else error
            rest["at"] = pair[0].nonreturn_at(wanted)
        return null(name, items, *pair, equal=equal, less=less, **rest)

    mixed = STEEP, FLAT
    return [
        made("plain, 400 items", 400, (STEEP, STEEP)),
        made("plain, 100 items", 100, (STEEP, STEEP)),
        made("different shapes, 400", 400, mixed),
        made("different shapes, 2000", 2000, mixed),
        made("ties (6 and 4 levels)", 400, TIES),
        made("ties against none", 400, (TIES[0], FLAT)),
        made("weights, partial credit", 400, (replace(STEEP, credit=True), FLAT),
             weights=True),
        made("10 errors in all", 400, rare(5, 400)),
        made("5 errors in all", 400, rare(2.5, 400)),
        made("2 errors in all", 400, rare(1, 400)),
        made("20 % no guess, at 0.3", 400, SILENT, at=0.3),
        made("20 % no guess, 100 items", 100, SILENT, at=0.3),
        made("no guess 20 % and 10 %", 400, (SILENT[0], replace(FLAT, silent=0.1)),
             at=0.3),
        made("100 clusters", 1000, mixed, clusters=100),
        made("40 clusters", 400, mixed, clusters=40),
        made("25 clusters", 400, mixed, clusters=25),
        made("15 clusters", 400, mixed, clusters=15),
        made("10 clusters", 400, mixed, clusters=10),
        made("6 clusters", 400, mixed, clusters=6),
        made("15 clusters, ties", 300, TIES, clusters=15),
        made("15 clusters, no guess", 400, SILENT, clusters=15, at=0.3),
        made("15 clusters, 10 errors", 600, rare(5, 600), clusters=15),
        made("jump with ties, 100", 100, (JUMP_TIED, JUMP_TIED)),
        made("jump with ties, 190", 190, (JUMP_TIED, JUMP_TIED)),
        made("jump with ties, 300", 300, (JUMP_TIED, JUMP_TIED)),
        made("jump, unlike systems, 300", 300, (JUMP_TIED, JUMP_TIED), common=0.0),
        made("jump with ties, 60 clusters", 300, (JUMP_TIED, JUMP_TIED), clusters=60),
        made("jump with ties, 190 clusters", 1000, (JUMP_TIED, JUMP_TIED),
             clusters=190),
        made("jump against a smooth curve", 300, (JUMP_TIED, FLAT)),
        made("jump without ties, 190", 190, (JUMP, JUMP)),
        made("jump without ties, 1000", 1000, (JUMP, JUMP)),
        made("bend, 150", 150, (BEND, BEND)),
        made("5 clusters", 400, mixed, clusters=5),
    ]  # fmt: skip


def unequal(within: float = 0.2, less: float = 0.0) -> list[Scenario]:
    """Two systems with one true curve, or B's lower, on clusters of unlike sizes."""
    better = replace(STEEP, scale=STEEP.scale * (1 - less))
    return [
        Scenario(name, items, STEEP, better, clusters, sizes, within)
        for name, items, clusters, sizes in (
            ("15 equal clusters", 300, 15, "equal"),
            ("40 equal clusters", 400, 40, "equal"),
            ("40, one has 30 %", 400, 40, "0.3"),
            ("40, one has 50 %", 400, 40, "0.5"),
            ("40, one has 70 %", 400, 40, "0.7"),
            ("100, one has 20 %", 1000, 100, "0.2"),
            ("20 Pareto", 0, 20, "pareto"),
            ("30 geometric", 0, 30, "geometric"),
        )
    ]
