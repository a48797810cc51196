"""Upper bounds over clusters, weights and credit: how sharp, and how often too low.

python benchmarks/order_free_bounds.py [--runs 2000] [--sharp 200] [--seed 0]

Certainty 95 %. "now" are demur's bets with fixed stakes, "before" bets with moving
stakes in one random order (Waudby-Smith and Ramdas 2024), "simulated" Gaffke's bound,
"confseq" that package's betting bound, where it is installed and units are of one size.
Mean bounds of --sharp draws; misses, the share of --runs draws in which the bound is
below the truth. Then labels needed and false alarms of looks at any time.
"""

import argparse
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from demur.arrays import Floats
from demur.decisions.betting import betting_bound, least_where, log_money
from demur.decisions.simulated_bounds import chance_above, simulated_bound

Rng = np.random.Generator
Drawn = tuple[Floats, Floats]
ALPHA, STAKE = 0.05, 0.99
GOAL = -math.log(ALPHA)


def clusters(rng: Rng, size: Any, rate: float, strength: float = 9.0) -> Drawn:
    """Clusters that err at rates of their own; a strength of inf: all at one."""
    size = np.asarray(size, np.int64)
    own = np.full(len(size), rate)
    if strength < math.inf:
        own = rng.beta(rate * strength, (1 - rate) * strength, len(size))
    return rng.binomial(size, own).astype(float), size.astype(float)


def whole(rng: Rng, size: Floats, rate: float) -> Drawn:
    """Units that are lost as a whole or not at all."""
    return size * (rng.random(len(size)) < rate), size


def growing(rng: Rng) -> Drawn:
    """Long clusters err more: those of k items in k of fifty."""
    size = rng.integers(1, 9, 60)
    return rng.binomial(size, size / 50).astype(float), size.astype(float)


def pareto(rng: Rng) -> Drawn:
    """A few clusters hold most of the items."""
    return clusters(rng, np.minimum(np.floor(rng.pareto(1.5, 100) + 1), 60), 0.1)


def long_ones(rng: Rng) -> Drawn:
    """A tenth of the clusters is ten times as long, and errs five times as often."""
    long = rng.random(80) < 0.1
    size = np.where(long, 40, 4)
    return rng.binomial(size, np.where(long, 0.5, 0.1)).astype(float), size * 1.0


SCENARIOS: dict[str, tuple[Callable[[Rng], Drawn], float]] = {
    "30 clusters of 10, 5 %": (lambda r: clusters(r, [10] * 30, 0.05), 0.05),
    "60 geometric clusters, all or none, 10 %": (
        lambda r: whole(r, r.geometric(0.2, 60).astype(float), 0.1),
        0.1,
    ),
    "300 lognormal(1) weights, 10 %": (
        lambda r: whole(r, r.lognormal(0, 1, 300), 0.1),
        0.1,
    ),
    "60 items, half credit, 10 %": (
        lambda r: (0.5 * (r.random(60) < 0.2), np.ones(60)),
        0.1,
    ),
    "300 items, half credit, 10 %": (
        lambda r: (0.5 * (r.random(300) < 0.2), np.ones(300)),
        0.1,
    ),
    "20 clusters of 10, 10 %": (lambda r: clusters(r, [10] * 20, 0.1), 0.1),
    "100 clusters of 10, 10 %": (lambda r: clusters(r, [10] * 100, 0.1), 0.1),
    "300 clusters of 10, 10 %": (lambda r: clusters(r, [10] * 300, 0.1), 0.1),
    "1000 clusters of 10, all alike, 5 %": (
        lambda r: clusters(r, [10] * 1000, 0.05, math.inf),
        0.05,
    ),
    "100 Pareto clusters, 10 %": (pareto, 0.1),
    "200 clusters of 1-8, 1 %": (
        lambda r: clusters(r, r.integers(1, 9, 200), 0.01),
        0.01,
    ),
    "100 clusters of 1-8, 50 %": (
        lambda r: clusters(r, r.integers(1, 9, 100), 0.5, 4.0),
        0.5,
    ),
    "400 items, weights 1-3, 10 %": (
        lambda r: whole(r, r.integers(1, 4, 400) * 1.0, 0.1),
        0.1,
    ),
    "60 clusters of 1-8, long ones err more": (growing, 204 / 8 / 50 / 4.5),
    "80 clusters, a tenth ten times as long": (long_ones, (0.36 + 2) / 7.6),
    "15 clusters of 4, 20 %": (lambda r: clusters(r, [4] * 15, 0.2), 0.2),
}


def money_before(loss: Floats, size: Floats, rate: float) -> float:
    """The most money ever had by stakes that follow earlier units, in one order."""
    order = np.random.default_rng(0).permutation(len(loss))
    x, s = loss[order] / size.max(), size[order] / size.max()
    seen = np.arange(len(x))
    mean = (np.cumsum(x) - x + 0.5) / (np.cumsum(s) - s + 1)
    squares = np.square(x - mean * s)
    variance = (np.cumsum(squares) - squares + 0.25) / (seen + 1)
    stake = np.minimum(np.sqrt(2 * GOAL / (variance * len(x))), STAKE)
    return float(np.cumsum(np.log1p(stake * (rate * s - x))).max())


def bound_before(loss: Floats, size: Floats) -> float:
    """Where that money reaches its goal."""
    low, high = loss.sum() / size.sum(), 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        enough = money_before(loss, size, middle) >= GOAL
        low, high = (low, middle) if enough else (middle, high)
    return float(high)


def bound_of_confseq(loss: Floats, size: Floats) -> float:
    """The upper end of confseq's betting interval, one-sided; nan without it."""
    try:
        from confseq.betting import betting_ci  # type: ignore[import-not-found]
    except ImportError:
        return math.nan
    if size.min() < size.max():
        return math.nan
    order = np.random.default_rng(0).permutation(len(loss))
    return float(betting_ci((loss / size)[order], alpha=2 * ALPHA)[1])


def row(name: str, runs: int, sharp: int, seed: int) -> str:
    """Mean bounds, and the shares of bounds below the truth."""
    draw, truth = SCENARIOS[name]
    rng = np.random.default_rng(seed)
    bounds, misses = [], np.zeros(3)
    for run in range(runs):
        loss, size = draw(rng)
        if run < sharp:
            peer = bound_of_confseq(loss, size) if run < 40 else math.nan
            bounds.append(
                (
                    betting_bound(loss, size, certainty=1 - ALPHA),
                    bound_before(loss, size),
                    simulated_bound(loss, size, certainty=1 - ALPHA),
                    peer,
                )
            )
        misses += (
            log_money(loss, size, truth, certainty=1 - ALPHA) >= GOAL,
            money_before(loss, size, truth) >= GOAL,
            chance_above(loss, size, truth) <= ALPHA,
        )
    table = np.array(bounds)
    means = [*table[:, :3].mean(axis=0), table[:40, 3].mean()]
    cells = [f"{mean:.3f}" for mean in means] + [f"{m / runs:.4f}" for m in misses]
    return " | ".join([name.ljust(42), *cells])


def labels_needed(target: float, true: float, runs: int, seed: int) -> float:
    """Mean number of labels until the target is found broken, or to hold."""
    rng = np.random.default_rng(seed)
    needed = []
    for _ in range(runs):
        lost, rate = (rng.random(6000) < true) * 1.0, target
        if true > target:
            lost, rate = 1 - lost, 1 - target
        needed.append(first_look(lost, rate))
    return float(np.mean(needed))


def first_look(lost: Floats, rate: float) -> int:
    """After how many items the rate is excluded, the most money ever had counting."""

    def excluded(n: int) -> bool:
        ones = np.ones(n)
        money = log_money(lost[:n], ones, rate, certainty=1 - ALPHA, anytime=True)
        return money >= GOAL

    return least_where(excluded, 0, len(lost))


def false_alarms(rate: float, runs: int, seed: int) -> tuple[float, float]:
    """How often the true rate is found too high, or too low, at one of 1,000 looks."""
    rng = np.random.default_rng(seed)
    found = np.zeros(2)
    for _ in range(runs):
        lost = (rng.random(1000) < rate) * 1.0
        for side, (x, r) in enumerate(((lost, rate), (1 - lost, 1 - rate))):
            money = log_money(x, np.ones(1000), r, certainty=1 - ALPHA, anytime=True)
            found[side] += money >= GOAL
    return float(found[0] / runs), float(found[1] / runs)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--sharp", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print("scenario | now | before | simulated | confseq | misses of the first three")
    for name in SCENARIOS:
        print(row(name, asked.runs, asked.sharp, asked.seed), flush=True)
    print("target, true error: labels until it is settled at any time")
    for target, true in ((0.02, 0.05), (0.05, 0.1), (0.05, 0.025), (0.1, 0.05)):
        labels = labels_needed(target, true, asked.sharp, asked.seed)
        print(f"{target:g}, {true:g}: {labels:.0f}", flush=True)
    print("true error: wrongly holds, wrongly broken, at one of 1,000 looks")
    for rate in (0.01, 0.02, 0.05, 0.1, 0.3):
        holds, broken = false_alarms(rate, asked.runs, asked.seed)
        print(f"{rate:g}: {holds:.4f}, {broken:.4f}", flush=True)


if __name__ == "__main__":
    main()
