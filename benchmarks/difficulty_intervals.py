"""How often intervals of difficulty hold the truth, and how wide they are.

Tasks are drawn from known ones; beside the intervals of the true entropy and baseline
stand those of the shares as seen, which `demur` had before. Then the Rasch model where
systems have different items, the lift, and other packages asked the same.

Run::

    pip install infomeasure girth
    python benchmarks/difficulty_intervals.py [runs] [words of a scenario]
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import machine

import demur
from demur.difficulty.rasch_models import fit_rasch, joined, mixed
from demur.statistics.ratios import mean_interval

Array = np.ndarray[Any, Any]
RUNS = 200


def dirichlet(rng: Any) -> Array:
    """Two to seven values of any shares."""
    shares: Array = rng.dirichlet(np.ones(rng.integers(2, 8)))
    return shares


def words(rng: Any) -> Array:
    """As the words of a language: many with one sense, others with one that leads."""
    if rng.random() < 0.4:
        return np.ones(1)
    shares: Array = rng.dirichlet(np.full(rng.integers(2, 8), 0.5))
    return shares


def equal(values: int) -> Callable[[Any], Array]:
    """Equally frequent values."""
    return lambda _: np.full(values, 1 / values)


def fixed(shares: Array) -> Callable[[Any], Array]:
    """The same shares for each markable."""
    return lambda _: shares / shares.sum()


def half(rng: Any) -> Array:
    """One value, or four equally frequent ones."""
    return np.ones(1) if rng.random() < 0.5 else np.full(4, 0.25)


SKEWED = np.array([0.95, 0.03, 0.02])


@dataclass(frozen=True)
class Scenario:
    """A task to draw from.

    Parameters
    ----------
    name : str
    markables, items : int
    shares : callable
        Of the values of a markable.
    power : float
        Markables are as frequent as 1 / rank ** power.
    cluster : int
        Items of one; 1 if they are independent.
    same : float
        The chance that an item takes the value that its cluster had first.
    """

    name: str
    markables: int
    items: int
    shares: Callable[[Any], Array] = dirichlet
    power: float = 0.0
    cluster: int = 1
    same: float = 0.0


SCENARIOS = (
    Scenario("10 markables, 100 items", 10, 100),
    Scenario("50 markables, 500 items", 50, 500),
    Scenario("50 markables, 5,000 items", 50, 5000),
    Scenario("300 markables by Zipf, 1,000 items", 300, 1000, power=1),
    Scenario("the same, as words", 300, 1000, words, power=1),
    Scenario("10 equal values, 10 items each", 50, 500, equal(10)),
    Scenario("shares .95, .03, .02; 10 items each", 50, 500, fixed(SKEWED)),
    Scenario("the same, 200 items each", 10, 2000, fixed(SKEWED)),
    Scenario("30 values by Zipf, 10 items each", 50, 500, fixed(1 / np.arange(1, 31))),
    Scenario("half with one value, half with four", 200, 500, half),
    Scenario("2 equal values, 4 items each", 200, 800, equal(2)),
    Scenario("8 equal values, 400 items each", 5, 2000, equal(8)),
    Scenario("one value each", 20, 200, equal(1)),
    Scenario("100 clusters of 10, .8 alike", 20, 1000, dirichlet, 0.5, 10, 0.8),
    Scenario("20 clusters of 20, .9 alike", 20, 400, dirichlet, 0.5, 20, 0.9),
    Scenario("50 documents of words, .7 alike", 300, 3000, words, 1, 60, 0.7),
    Scenario("5 clusters of 20, half alike", 10, 100, dirichlet, 0, 20, 0.5),
)


def drawn(rng: Any, scenario: Scenario, chance: Array, shares: list[Array]) -> Any:
    """A sample of a task."""
    word = rng.choice(len(chance), scenario.items, p=chance)
    value = np.array([rng.choice(len(shares[k]), p=shares[k]) for k in word])
    cluster = np.arange(scenario.items) // scenario.cluster
    first: dict[tuple[int, int], int] = {}
    if scenario.cluster > 1:
        for row, key in enumerate(zip(cluster.tolist(), word.tolist(), strict=True)):
            if rng.random() < scenario.same:
                value[row] = first.setdefault(key, value[row])
    table = {"word": word, "value": value, "cluster": cluster}
    return demur.difficulty(table, markable="word", value="value", cluster="cluster")


def held(ends: Any, truth: float) -> bool:
    """Whether an interval holds the truth."""
    return ends is not None and bool(ends[0] - 1e-9 <= truth <= ends[1] + 1e-9)


def covered(scenario: Scenario, runs: int) -> None:
    """A row of the table."""
    rng = np.random.default_rng(0)
    shares = [scenario.shares(rng) for _ in range(scenario.markables)]
    chance = 1 / np.arange(1, scenario.markables + 1) ** scenario.power
    chance /= chance.sum()
    bits = [-(s[s > 0] * np.log2(s[s > 0])).sum() for s in shares]
    truth = float(chance @ bits), float(chance @ [s.max() for s in shares])
    rows: list[list[float]] = []
    for _ in range(runs):
        found = drawn(rng, scenario, chance, shares)
        task = found.task
        seen = (
            mean_interval(task.surprisal[task.pair], task.unit, 0.95),
            mean_interval(task.majority[task.pair] * 1.0, task.unit, 0.95, share=True),
        )
        true = found.true_entropy_interval, found.true_baseline_interval
        ends = [seen[0], true[0], seen[1], true[1]]
        facts = [float(held(of, truth[k // 2])) for k, of in enumerate(ends)]
        rows.append([*facts, *(of[1] - of[0] if of else np.nan for of in ends)])
    mean, wide = np.mean(rows, axis=0), np.median(rows, axis=0)
    print(
        f"| {scenario.name} | {truth[0]:.3f}, {truth[1]:.3f} | {mean[0]:.3f} | "
        f"{mean[1]:.3f} | {wide[4]:.3f}, {wide[5]:.3f} | {mean[2]:.3f} | "
        f"{mean[3]:.3f} | {wide[6]:.3f}, {wide[7]:.3f} |",
        flush=True,
    )


# -- the Rasch model -------------------------------------------------------------------


def asked(rng: Any, name: str) -> tuple[Array, Array, Array]:
    """True abilities, who is right, and who was asked."""
    able = np.linspace(-2, 2, 12)
    hard, seen = rng.normal(0, 1.2, 60), np.ones((60, 12))
    if name.startswith("half"):
        hard, seen = rng.normal(0, 1.2, 80), (rng.random((80, 12)) < 0.5) * 1.0
    if "common" in name:
        common = int(name.split()[0])
        able = np.zeros(12)
        hard = rng.normal(np.repeat([1.5, -1.5, 0], [60, 60, common]), 1)
        seen = np.ones((120 + common, 12))
        seen[:60, 6:] = seen[60:120, :6] = 0
    right = (rng.random(seen.shape) < 1 / (1 + np.exp(hard[:, None] - able))) * 1.0
    return able, right, seen


def abilities(name: str, runs: int) -> None:
    """How often ability ± 1.96 errors holds, of differences from the mean."""
    off, refused, apart = [], 0, []
    for seed in range(runs):
        able, right, seen = asked(np.random.default_rng(seed), name)
        kept = mixed(right, seen)
        if joined(right[:, kept], seen[:, kept]).max():
            refused += 1
            continue
        model = fit_rasch(right[:, kept], seen[:, kept])
        error = model.ability - model.ability.mean() - able[kept] + able[kept].mean()
        off += (error / model.ability_error).tolist()
        apart.append(error[:6].mean() - error[6:].mean())
    rate = f"{np.mean(np.abs(off) < 1.96):.3f}" if off else "-"
    gap = f"{np.mean(apart):+.2f}" if apart else "-"
    print(f"| {name} | {rate} | {refused / runs:.2f} | {gap} |", flush=True)


def lifts(items: int, markables: int, runs: int) -> None:
    """How often the interval of the lift holds the lift of all runs together."""
    facts = []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        word = rng.integers(0, markables, items)
        value = np.where(rng.random(items) < 0.65, 0, rng.integers(1, 4, items))
        table = {"word": word, "value": value}
        task = demur.difficulty(table, markable="word", value="value")
        system = demur.Outcomes.from_arrays(correct=rng.random(items) < 0.75)
        (point,) = demur.scalability({"task": (task, system)}, y="lift").points
        facts.append((point.learned, point.accuracy, point.interval))
    learned = np.mean([fact[0] for fact in facts])
    truth = 1 - (1 - np.mean([fact[1] for fact in facts])) / (1 - learned)
    rate = np.mean([held(fact[2], float(truth)) for fact in facts])
    print(f"| lift, {markables} markables, {items} items | {truth:.3f} | {rate:.3f} |")


# -- other packages --------------------------------------------------------------------


def entropies() -> None:
    """Corrected entropies of one distribution, in bits."""
    counts = [4, 3, 2, 1]
    for name in ("plug-in", "Miller-Madow", "Chao-Shen", "Grassberger"):
        print(f"demur, {name}: {demur.entropy_of_counts(counts, name):.4f}")
    found = demur.difficulty_of_counts({"m": dict(zip("abcd", counts, strict=True))})
    print(f"demur, jackknife: {found.true_entropy:.4f} {found.true_entropy_interval}")
    try:
        import infomeasure
    except ImportError:
        return
    items = np.repeat(np.arange(4), counts)
    for name in ("discrete", "miller_madow", "chao_shen", "grassberger", "zhang"):
        bits = infomeasure.entropy(items, approach=name, base=2)
        print(f"infomeasure, {name}: {bits:.4f}")


def systems() -> None:
    """Abilities of twelve systems on 400 items."""
    try:
        import girth
    except ImportError:
        return
    rng = np.random.default_rng(0)
    able, hard = np.linspace(-2, 2, 12), rng.normal(0, 1, 400)
    right = rng.random((400, 12)) < 1 / (1 + np.exp(hard[:, None] - able))
    model = fit_rasch(right * 1.0, np.ones(right.shape))
    # girth's items are our systems: being wrong there is being right here.
    theirs = girth.onepl_mml((~right).T.astype(int))
    other = theirs["Difficulty"] * theirs["Discrimination"]
    print(f"abilities differ by at most {np.abs(model.ability - other).max():.4f}")


def main() -> None:
    """Measure, and print the tables."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    wanted = " ".join(sys.argv[2:])
    print(machine())
    for scenario in SCENARIOS:
        if wanted in scenario.name:
            covered(scenario, runs)
    for name in (
        *("all items", "half of the items missing"),
        *("0 in common", "1 in common", "5 in common", "20 in common"),
    ):
        if wanted in name:
            abilities(name, runs)
    for items, markables in ((60, 3), (300, 30), (1000, 400)):
        if wanted in "lift":
            lifts(items, markables, runs)
    if not wanted:
        entropies()
        systems()


if __name__ == "__main__":
    main()
