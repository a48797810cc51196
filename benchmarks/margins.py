"""How often "not worse by a margin" lets a system through that is worse by the margin.

    python benchmarks/margins.py [--runs 1000] [--only TEXT]

At most 2.5 % is promised. Of right and wrong answers, all given, the share is counted
over all that may be seen and taken at the rates of errors where it is largest; else it
is simulated. Beside it, what Student's t of the spread as seen lets through, and the
power for equal systems of which each errs alone on 1 % and 5 %.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from harness import machine, show
from scipy.special import stdtrit
from scipy.stats import binom

from demur.arrays import Floats, Sample, rank
from demur.statistics.margin_tests import MOST_ITEMS, _outcomes
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity
from demur.statistics.units import left_out, t_interval

LEAST = 0.025
CASES = {
    20: (0.1, 0.2),
    50: (0.05, 0.1, 0.2),
    100: (0.02, 0.05, 0.1),
    200: (0.02, 0.05, 0.1),
    300: (0.02, 0.05),
    1000: (0.01, 0.02),
}
Draw = Callable[[np.random.Generator], tuple[Sample, Sample]]


# -- counted -----------------------------------------------------------------------


def counted(n_items: int, margin: float) -> list[float]:
    """The largest share of false passes, and the power, of both and of Tango's test."""
    worse, better = np.indices((n_items + 1, n_items + 1)).reshape(2, -1)
    possible = (worse + better <= n_items) & (worse - better < n_items * margin)
    worse, better = worse[possible], better[possible]
    passing = [
        by_t(worse, better, n_items, margin),
        tango(worse, better, n_items, margin) <= -1.959964,
        ours(worse, better, n_items, margin),
    ]
    rates = (1 - margin) / 2 * np.linspace(0, 1, 200) ** 2
    false = [
        max(
            chance(worse[ok], better[ok], n_items, rate + margin, rate)
            for rate in rates
        )
        for ok in passing
    ]
    power = [
        chance(worse[ok], better[ok], n_items, rate, rate)
        for rate in (0.01, 0.05)
        for ok in passing[1:]
    ]
    return false + power


def ours(worse: Floats, better: Floats, n_items: int, margin: float) -> Floats:
    """What passes: by the exact test, or by the score interval with Student's t."""
    if n_items > MOST_ITEMS:
        return tango(worse, better, n_items, margin) <= -stdtrit(n_items - 1, 0.975)
    outcomes = _outcomes(n_items, margin)
    order = np.argsort(outcomes.estimate)
    sizes = outcomes.chance[:, order].cumsum(axis=1).max(axis=0)
    limit = outcomes.estimate[order][sizes <= LEAST]
    return outcomes.estimate <= (limit.max() if len(limit) else -1.0)


def by_t(worse: Floats, better: Floats, n_items: int, margin: float) -> Floats:
    """What passes by the spread as seen; without any, by the share that was missed."""
    mean = (worse - better) / n_items
    variance = ((worse + better) / n_items - mean**2) / (n_items - 1)
    reach = stdtrit(n_items - 1, 0.975) * np.sqrt(np.maximum(variance, 0.0))
    unseen = 1 - LEAST ** (1 / n_items)
    return mean + np.where(worse + better > 0, reach, unseen) < margin


def tango(worse: Floats, better: Floats, n_items: int, margin: float) -> Floats:
    """The score of Tango (1998)."""
    middle = (2 * n_items - worse + better) * margin - worse - better
    root = np.sqrt(middle**2 + 8 * n_items * better * margin * (1 - margin))
    variance = n_items * ((root - middle) / (2 * n_items) + margin * (1 - margin))
    return (worse - better - n_items * margin) / np.sqrt(variance)


def chance(
    worse: Floats, better: Floats, n_items: int, more: float, less: float
) -> float:
    """Of one of these outcomes, B alone erring at the rate ``more``, A at ``less``."""
    first = binom.pmf(worse, n_items, more)
    second = binom.pmf(better, n_items - worse, min(less / (1 - more), 1.0))
    return float((first * second).sum())


# -- simulated ---------------------------------------------------------------------


def scenarios() -> Iterator[tuple[str, float, float, Draw]]:
    """Name, nonreturn, margin, and how to draw two systems that differ by it."""
    for old in (0.0, 0.02):
        yield f"at .2, 300 items, old errs {old:g}", 0.2, 0.05, at_rate(300, old, 0.05)
    for within in (0.0, 0.3, 1.0):
        words = f"100 clusters of 10, alike by {within:g}"
        yield words, 0.0, 0.05, clustered([10], 100, within)
        words = f"60 clusters of 1 to 20, alike by {within:g}"
        yield words, 0.0, 0.1, clustered([1, 2, 3, 5, 20], 60, within)
    for spread in (0.5, 1.0):
        yield f"300 lognormal({spread:g}) weights", 0.0, 0.05, weighted(300, spread)
    yield "200 credits of .5", 0.0, 0.05, credited(200)


def at_rate(n_items: int, old: float, margin: float) -> Draw:
    """Errors at any confidence but the lowest, which both decline."""

    def draw(rng: np.random.Generator) -> tuple[Sample, Sample]:
        rank = rng.random(n_items)
        answered = rank > 0.2
        first = (rng.random(n_items) < old / 0.8) & answered
        second = (rng.random(n_items) < (old + margin) / 0.8) & answered
        return sample(first, rank), sample(second, rank)

    return draw


def clustered(sizes: list[int], n_clusters: int, within: float) -> Draw:
    """The old system is perfect; items of a cluster share their rate of errors."""
    margin = 0.05 if len(sizes) == 1 else 0.1

    def draw(rng: np.random.Generator) -> tuple[Sample, Sample]:
        cluster = np.repeat(np.arange(n_clusters), rng.choice(sizes, n_clusters))
        rates = np.full(n_clusters, margin)
        if within == 1:
            rates = 1.0 * (rng.random(n_clusters) < margin)
        elif within:
            odds = (1 - within) / within
            rates = rng.beta(margin * odds, (1 - margin) * odds, n_clusters)
        wrong = rng.random(len(cluster)) < rates[cluster]
        rank = rng.random(len(cluster))
        none = np.zeros(len(cluster))
        return sample(none, rank, None, cluster), sample(wrong, rank, None, cluster)

    return draw


def weighted(n_items: int, spread: float) -> Draw:
    """Weights that have nothing to do with errors."""

    def draw(rng: np.random.Generator) -> tuple[Sample, Sample]:
        weight, rank = rng.lognormal(0, spread, n_items), rng.random(n_items)
        first, second = (rng.random(n_items) < rate for rate in (0.02, 0.07))
        return sample(first, rank, weight), sample(second, rank, weight)

    return draw


def credited(n_items: int) -> Draw:
    """Answers of the new system that are half right."""

    def draw(rng: np.random.Generator) -> tuple[Sample, Sample]:
        rank = rng.random(n_items)
        half = 0.5 * (rng.random(n_items) < 0.1)
        return sample(np.zeros(n_items), rank), sample(half, rank)

    return draw


def sample(
    wrong: Floats,
    rank: Floats,
    weight: Floats | None = None,
    cluster: Floats | None = None,
) -> Sample:
    """A system that gives all answers."""
    return Sample(np.ones(len(rank), bool), rank, 1.0 * wrong, weight, cluster)


def simulated(
    at: float, margin: float, draw: Draw, runs: int, seed: int
) -> tuple[float, float]:
    """Shares of runs that Student's t and demur let through."""
    rng, passed = np.random.default_rng(seed), np.zeros(2)
    quantity = Quantity("error", at)
    for _ in range(runs):
        a, b = draw(rng)
        rankings = [rank(a), rank(b)]
        first, second = quantity.estimates(rankings, a.cluster)
        apart = second - first
        moved = left_out(apart.influence, rankings[0].weights(), a.cluster)
        plain = t_interval(apart.value, moved, level=0.95)[1] < margin
        found = paired_difference(a, b, quantity=quantity)
        passed += plain, found.shown_within(margin)[1]
    return tuple(passed / runs)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    head = ("items", "margin", "t", "Tango", "demur", *["power Tango", "demur"] * 2)
    rows = [
        (
            f"{n_items}",
            f"{margin:g}",
            *(f"{share:.4f}" for share in counted(n_items, margin)),
        )
        for n_items, margins in CASES.items()
        for margin in margins
    ]
    show("False passes, counted; power at errors of 1 % and 5 % alone", [head, *rows])
    runs, rows = arguments.runs, []
    for name, at, margin, draw in scenarios():
        if arguments.only in name:
            shares = simulated(at, margin, draw, runs, arguments.seed)
            rows.append((name, *(f"{share:.3f}" for share in shares)))
    show(f"False passes in {runs} runs", [("scenario", "t", "demur"), *rows])


if __name__ == "__main__":
    main()
