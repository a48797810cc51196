"""How often the interval of an error holds the truth where few answers are left.

    python benchmarks/few_answers.py [--runs 300] [--only TEXT]

Beside the share of samples whose 95 % interval holds it: those in which the truth lies
below it, and above it, the mean width, and the most that the error can be.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import machine, show
from scipy.special import ndtr

from demur.arrays import Sample, rank
from demur.statistics.error_intervals import error_interval

Array = np.ndarray[Any, Any]
GRID = np.linspace(0, 1, 200_001)


def falling(rank: Array) -> Array:
    """Chance of an error at each rank of confidence, from the least sure on."""
    return 0.6 * np.exp(-2 * rank)


def rarely(rank: Array) -> Array:
    return 0.06 * np.exp(-2 * rank)


def jump(rank: Array) -> Array:
    return np.where(rank < 0.95, 0.8, 0.05)


def worse_on_top(rank: Array) -> Array:
    return np.where(rank > 0.8, 0.5, 0.05)


@dataclass(frozen=True)
class Answers:
    """A system of which samples are drawn.

    Parameters
    ----------
    items : int
    chance : callable
        Of an error, at each rank of confidence.
    silent : float
        Share of items without a guess.
    levels : tuple of float
        Ranks at which a level of equal confidences ends; empty for distinct ones.
    weights : str
        "", "1 to 4" or "lognormal".
    credit : bool
        Whether half of the errors are of .5, and those twice as frequent.
    clusters : int
        Withheld whole: their items are equally sure. 0 for independent items.
    alike : float
        Correlation of the errors of a cluster.
    unequal : bool
        Whether their sizes are geometric.
    """

    items: int
    chance: Callable[[Array], Array] = falling
    silent: float = 0.0
    levels: tuple[float, ...] = ()
    weights: str = ""
    credit: bool = False
    clusters: int = 0
    alike: float = 0.0
    unequal: bool = False

    def error_at(self, nonreturn: float) -> float:
        """The true error."""
        middle = (GRID[1:] + GRID[:-1]) / 2
        chance = self.chance(middle)
        if self.levels:
            level = np.searchsorted(self.levels, middle, "right")
            chance = (np.bincount(level, chance) / np.bincount(level))[level]
        above = np.append(np.cumsum((chance * np.diff(GRID))[::-1])[::-1], 0.0)
        guesses = 1 - self.silent
        return float(np.interp(nonreturn, 1 - guesses * (1 - GRID), guesses * above))

    def draw(self, rng: np.random.Generator) -> Sample:
        """One sample."""
        cluster, shared = None, np.zeros(1)
        if self.clusters:
            mean = self.items // self.clusters
            size = np.full(self.clusters, mean)
            if self.unequal:
                size = rng.geometric(1 / mean, self.clusters)
            cluster = np.repeat(np.arange(self.clusters), size)
            shared = rng.standard_normal(self.clusters)[cluster]
        n_items = self.items if cluster is None else len(cluster)
        place = rng.random(n_items if cluster is None else self.clusters)
        place = place if cluster is None else place[cluster]
        alone = rng.standard_normal(n_items)
        luck = ndtr(np.sqrt(self.alike) * shared + np.sqrt(1 - self.alike) * alone)
        chance = self.chance(place)
        loss = 1.0 * (luck < chance)
        if self.credit:
            loss = np.where(luck < chance / 2, 1.0, 0.5 * (luck < 1.5 * chance))
        guess = rng.random(n_items) >= self.silent
        level = np.searchsorted(self.levels, place, "right")
        weight = {
            "": lambda: None,
            "1 to 4": lambda: rng.integers(1, 5, n_items) * 1.0,
            "lognormal": lambda: rng.lognormal(0, 1, n_items),
        }[self.weights]()
        confidence = 1.0 * level if self.levels else place
        return Sample(guess, confidence, loss * guess, weight, cluster)


def scenarios() -> dict[str, tuple[Answers, tuple[float, ...]]]:
    """Systems, and the nonreturn rates that are looked at."""
    flat = {f"40 items, {share:g} wrong": share for share in (0.05, 0.1, 0.3, 0.5)}
    cases = {
        name: (Answers(40, lambda rank, share=share: share + 0 * rank), (0.95,))
        for name, share in flat.items()
    }
    cases["40 items, fewer errors of surer ones"] = Answers(40), (0.95,)
    for clusters in (5, 13, 38):
        for alike in (0.0, 0.3, 1.0):
            whole = Answers(400, clusters=clusters, alike=alike)
            cases[f"{clusters} clusters, alike by {alike:g}"] = whole, (0.8, 0.95)
    for clusters in (8, 20, 60):
        for alike in (0.0, 0.3, 1.0):
            for name, chance in (("rare", rarely), ("worse on top", worse_on_top)):
                whole = Answers(
                    400, chance, clusters=clusters, alike=alike, unequal=True
                )
                name = f"{clusters} unequal clusters, alike by {alike:g}, {name}"
                cases[name] = whole, (0.5, 0.8, 0.95)
    return cases | {
        "20 % no guess, 100 items": (Answers(100, silent=0.2), (0.95, 0.98)),
        "a tied tenth on top, 100": (
            Answers(100, levels=(0.12, 0.3, 0.45, 0.7, 0.9)),
            (0.8, 0.95),
        ),
        "weights 1 to 4, 100": (Answers(100, weights="1 to 4"), (0.9, 0.95)),
        "lognormal weights, 100": (Answers(100, weights="lognormal"), (0.9, 0.95)),
        "partial credit, 100": (Answers(100, credit=True), (0.9, 0.95)),
        "partial credit, rare, 100": (Answers(100, rarely, credit=True), (0.9, 0.95)),
        "jump at the cutoff, 100": (Answers(100, jump), (0.95,)),
        "jump at the cutoff, 1000": (Answers(1000, jump), (0.95,)),
        "a sixth of an error, 300": (
            Answers(300, lambda rank: 0.024 * (1 - rank)),
            (0.2, 0.8, 0.95),
        ),
        "2000 items": (Answers(2000), (0.2,)),
        "2000 items, partial credit": (Answers(2000, credit=True), (0.2,)),
        "2000 items, weights 1 to 4": (Answers(2000, weights="1 to 4"), (0.2,)),
    }


def simulated(answers: Answers, nonreturn: float, runs: int, seed: int) -> Array:
    """Shares of samples with the truth inside, below, above; and the mean width."""
    rng, true = np.random.default_rng(seed), answers.error_at(nonreturn)
    ends = []
    for _ in range(runs):
        sample = answers.draw(rng)
        ranking = rank(sample)
        if len(ranking.silent) / len(sample) <= nonreturn:
            ends.append(error_interval(sample, ranking, nonreturn, 0.95))
    low, high = np.array(ends).T
    below, above = np.mean(true < low - 1e-9), np.mean(true > high + 1e-9)
    return np.array([1 - below - above, below, above, np.mean(high - low)])


def main() -> None:
    """Print one row for each scenario and rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    head = ("scenario", "at", "error", "held", "below", "above", "width", "most")
    rows = [head]
    for name, (answers, rates) in scenarios().items():
        for rate in rates if arguments.only in name else ():
            found = simulated(answers, rate, arguments.runs, arguments.seed)
            shares = (f"{share:.3f}" for share in found[:3])
            error, width = f"{answers.error_at(rate):.4f}", f"{found[3]:.4f}"
            rows.append((name, f"{rate:g}", error, *shares, width, f"{1 - rate:.2f}"))
    luck = (0.05 * 0.95 / arguments.runs) ** 0.5
    show(f"95 % intervals of errors, {arguments.runs} runs, ±{luck:.3f}", rows)


if __name__ == "__main__":
    main()
