"""How often intervals and tests of the classic measures hold, before and now.

Word error rates of speakers, costs of dialogues, macro F of rare labels, MAPSSWE of
equal recognisers, and predictors of noise in studies with users.

Run::

    python benchmarks/measure_intervals.py [runs] [words of a scenario]
"""

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine

from demur.metrics import linear_fits
from demur.metrics.matched_pairs import matched_pairs
from demur.metrics.mean_f import mean_f_interval
from demur.statistics.equal_units import equal_units
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import left_out, spread, t_quantile, unit_sums

Array = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator, int], tuple[Array, ...]]
RUNS, MANY, LEVEL = 500, 20_000, 0.95


# -- error rates and costs -------------------------------------------------------------


def speakers(n: int, rate: float, alike: float, utterances: int) -> Draw:
    """Speakers whose error rates follow a beta distribution, wider for small alike."""

    def draw(rng: np.random.Generator, times: int = 1) -> tuple[Array, ...]:
        rates = rng.beta(rate * alike, (1 - rate) * alike, n * times)
        cluster = np.repeat(np.arange(n * times), utterances)
        words = rng.integers(1, 12, len(cluster))
        return rng.binomial(words, rates[cluster]), words, cluster

    return draw


def dialogues(n: int, amounts: Callable[[np.random.Generator, int], Array]) -> Draw:
    """Dialogues that each cost some amount."""

    def draw(rng: np.random.Generator, times: int = 1) -> tuple[Array, ...]:
        costs = amounts(rng, n * times)
        return costs, np.ones(len(costs)), np.arange(len(costs))

    return draw


RATIOS = {
    "WER .05, 8 speakers": speakers(8, 0.05, 6, 30),
    "WER .05, 20 speakers": speakers(20, 0.05, 6, 30),
    "WER .05, 200 speakers": speakers(200, 0.05, 20, 10),
    "WER .05, 8 speakers, less unlike": speakers(8, 0.05, 20, 10),
    "WER .05, 8 speakers, few of whom err": speakers(8, 0.05, 3, 30),
    "WER .05, 20 speakers, few of whom err": speakers(20, 0.05, 3, 30),
    "WER .2, 8 speakers": speakers(8, 0.2, 10, 10),
    "WER .01, 30 speakers": speakers(30, 0.01, 50, 10),
    "WER .05, 30 utterances": speakers(30, 0.05, 20, 1),
    "time-outs, .1 of 20 dialogues": dialogues(20, lambda g, n: g.poisson(0.1, n)),
    "time-outs, 100 dialogues, most without": dialogues(
        100, lambda g, n: g.poisson(g.gamma(0.3, 1 / 6, n))
    ),
    "12 turns, 10 dialogues": dialogues(10, lambda g, n: g.poisson(g.gamma(5, 2.4, n))),
    "seconds, 15 dialogues, a few long": dialogues(
        15, lambda g, n: np.exp(g.standard_normal(n))
    ),
}


def by_t(above: Array, below: Array, cluster: Array) -> tuple[float, float]:
    """Value ± t standard errors, as before."""
    ratio = above.sum() / below.sum()
    moved = left_out((above - ratio * below) / below.sum(), below, cluster)
    reach = t_quantile(LEVEL, equal_units(unit_sums(below, cluster))) * spread(moved)
    return max(ratio - reach, 0), ratio + reach


def ratios(name: str, runs: int) -> str:
    """A row of the table of error rates and costs."""
    above, below, _ = RATIOS[name](np.random.default_rng(9), MANY)
    truth, rng = above.sum() / below.sum(), np.random.default_rng(1)
    before, now = [], []
    for _ in range(runs):
        drawn = RATIOS[name](rng, 1)
        now.append(ratio_interval(*drawn, LEVEL, share=False))
        before.append(by_t(*drawn) if drawn[0].any() else now[-1])
    return row(f"{name} ({truth:.3f})", truth, before, now)


def row(name: str, truth: float, before: list[Any], now: list[Any]) -> str:
    """What held before and now, on which side it misses, and median widths."""
    (low, high), (was_low, was_high) = np.array(now).T, np.array(before).T
    was = np.mean((was_low <= truth) & (truth <= was_high))
    held = np.mean((low <= truth) & (truth <= high))
    sides = f"{np.mean(low > truth):.3f} | {np.mean(high < truth):.3f}"
    widths = f"{np.median(was_high - was_low):.3f}, {np.median(high - low):.3f}"
    return f"| {name} | {was:.3f} | {held:.3f} | {sides} | {widths} |"


# -- macro F ---------------------------------------------------------------------------

LABELS: dict[str, tuple[int, tuple[float, ...], float, int]] = {
    "30 items, labels .6/.3/.1": (30, (0.6, 0.3, 0.1), 0.7, 1),
    "the same, right in .9": (30, (0.6, 0.3, 0.1), 0.9, 1),
    "the same, right in .5": (30, (0.6, 0.3, 0.1), 0.5, 1),
    "40 items, .9/.1": (40, (0.9, 0.1), 0.8, 1),
    "50 items, 5 labels": (50, (0.2,) * 5, 0.8, 1),
    "100 items, 10 labels by Zipf": (
        100,
        tuple(1 / k / 2.92897 for k in range(1, 11)),
        0.8,
        1,
    ),
    "600 items, .5/.3/.2": (600, (0.5, 0.3, 0.2), 0.7, 1),
    "10 clusters of 6, .6/.3/.1": (60, (0.6, 0.3, 0.1), 0.8, 6),
    "300 items, 100 labels": (300, (0.01,) * 100, 0.8, 1),
}


def labels(name: str, rng: np.random.Generator, times: int) -> tuple[Array, ...]:
    """Items that are right with a chance of their cluster, or labelled at random."""
    n, shares, chance, size = LABELS[name]
    true = rng.choice(len(shares), n * times, p=np.array(shares) / sum(shares))
    cluster = np.arange(n * times) // size
    logit = math.log(chance / (1 - chance)) + 0.8 * (size > 1) * rng.standard_normal(
        int(cluster.max()) + 1
    )
    right = rng.random(n * times) < (1 / (1 + np.exp(-logit)))[cluster]
    other = rng.choice(len(shares), n * times, p=np.array(shares) / sum(shares))
    return true, np.where(right, true, other), cluster


def mean_f(true: Array, given: Array) -> tuple[float, Array]:
    """The mean F, and what each item moves it by."""
    n = int(max(true.max(), given.max())) + 1
    right = np.bincount(true[true == given], minlength=n)
    size = (np.bincount(true, minlength=n) + np.bincount(given, minlength=n)) / 2
    f = right / np.maximum(size, 0.5)
    counted = np.bincount(true, minlength=n) > 0
    scale = counted / np.maximum(size, 0.5) / counted.sum()
    moved = ((true == given) - f[true] / 2) * scale[true]
    return float(f[counted].mean()), moved - f[given] / 2 * scale[given]


def macro(name: str, runs: int) -> str:
    """A row of the table of macro F."""
    many = labels(name, np.random.default_rng(9), 300_000 // LABELS[name][0])
    truth, rng = mean_f(*many[:2])[0], np.random.default_rng(1)
    before, now = [], []
    for _ in range(runs):
        true, given, cluster = labels(name, rng, 1)
        value, moved = mean_f(true, given)
        units = int(cluster.max()) + 1
        reach = spread(left_out(moved, np.ones(len(true)), cluster))
        reach *= t_quantile(LEVEL, units)
        before.append((max(value - reach, 0), min(value + reach, 1)))
        ends = mean_f_interval(true, given, cluster, alpha=0.5, level=LEVEL)
        now.append(ends or (0, 1))
    return row(f"{name} ({truth:.3f})", truth, before, now)


# -- tests -----------------------------------------------------------------------------


def segments(utterances: int, runs: int) -> str:
    """Two recognisers with the same chance of an error at each word."""
    rng, p_values = np.random.default_rng(1), []
    for _ in range(runs):
        rows: list[list[list[str]]] = [[], [], []]
        for _ in range(utterances):
            words = [f"w{k}" for k in range(10)]
            rows[0].append(words)
            for heard in rows[1:]:
                wrong = rng.random(10) < 0.15
                spoken = zip(words, wrong.tolist(), strict=True)
                heard.append(["x" if bad else word for word, bad in spoken])
        found = matched_pairs(*rows)
        normal = math.erfc(abs(found.z) / math.sqrt(2)) if found.z else 1.0
        p_values.append((normal, found.p_value))
    was = np.mean([normal < 0.05 for normal, _ in p_values])
    known = [p for _, p in p_values if p is not None]
    now = f"{np.mean(np.array(known) < 0.05):.3f}" if known else "-"
    none = 1 - len(known) / runs
    return f"| MAPSSWE, {utterances} utterances | {was:.3f} | {now} | {none:.0%} |"


def study(users: int, each: int, predictors: int, kind: str, runs: int) -> str:
    """Noise that users share, in the predictors and in the target."""
    rng, rejected = np.random.default_rng(1), np.zeros(2)
    for _ in range(runs):
        user = np.repeat(np.arange(users), each)
        x = rng.standard_normal((users, predictors))[user]
        if kind == "of users and dialogues":
            x = x + rng.standard_normal(x.shape)
        y = rng.standard_normal(users)[user] + rng.standard_normal(len(user))
        for place, group in enumerate((None, user)):
            p_values = linear_fits.fit(x, y, group).p_values
            rejected[place] += np.mean(np.nan_to_num(p_values, nan=1.0) < 0.05)
    was, now = rejected / runs
    name = f"{users} users x {each} dialogues, {predictors} predictors {kind}"
    return f"| {name} | {was:.3f} | {now:.3f} | |"


STUDIES = (
    (8, 6, 3, "of users and dialogues"),
    (8, 6, 3, "of users"),
    (8, 6, 5, "of users"),
    (5, 10, 3, "of users"),
    (20, 6, 5, "of users and dialogues"),
    (40, 3, 5, "of users"),
)


def main(runs: int, words: str) -> None:
    """Print the tables."""
    print(machine())
    print("| scenario | before | now | too high | too low | width, before and now |")
    print("|---|---|---|---|---|---|")
    for names, measured in ((RATIOS, ratios), (LABELS, macro)):
        for name in names:
            if words in name:
                print(measured(name, runs), flush=True)
    print("| true null | before | now | no p value |")
    print("|---|---|---|---|")
    if words in "MAPSSWE":
        for utterances in (3, 10, 40):
            print(segments(utterances, runs), flush=True)
    if words in "users":
        for of in STUDIES:
            print(study(*of, runs), flush=True)


if __name__ == "__main__":
    main(int((sys.argv[1:] or [RUNS])[0]), " ".join(sys.argv[2:]))
