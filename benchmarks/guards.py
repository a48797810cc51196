"""How often rechecks, drift, gaps between groups and pooled folds say what is not so.

python benchmarks/guards.py [--runs 400] [--seed 0]

Every line is a share of simulated data sets: nominal 5 % (certainty or level 95 %)
unless it says "found", which is the share of cases with an effect that are seen, or
"sizes matter", where the assumption of the bound is broken and nothing is promised.
"""

import argparse
from collections.abc import Callable

import numpy as np

import demur
from demur.curves.pooling import check_pooled
from demur.decisions.choosing import choose
from demur.decisions.drifting import drift
from demur.decisions.group_rates import Design, grouped_rate, widest_gap
from demur.decisions.locking import lock
from demur.decisions.locks import Lock
from demur.decisions.rate_bounds import bounds_of_rate
from demur.decisions.rechecking import recheck

Rng = np.random.Generator


def answers(rng: Rng, n_items: int, size: int, shift: float = 0.0) -> demur.Outcomes:
    """Confidences c + shift, right with chance .5 + .5 c; clusters share both."""
    cluster = np.arange(n_items) // size
    apart = rng.random(n_items) < 0.3
    sure = np.where(apart, rng.random(n_items), rng.random(n_items)[cluster * size])
    luck = np.where(apart, rng.random(n_items), rng.random(n_items)[cluster * size])
    return demur.Outcomes.from_arrays(
        correct=(luck < 0.5 + 0.5 * sure).astype(int),
        confidence=sure + shift,
        cluster=cluster,
    )


def true_error(cutoff: float, of: str) -> float:
    """The error at a cutoff: the integral of .5 - .5 c above it."""
    error = 0.25 * (1 - cutoff) ** 2
    return error / (1 - cutoff) if of == "answered" else error


def verdict(rng: Rng, size: int, of: str, wrong: str) -> bool:
    """Whether a recheck at a target next to the true error takes the wrong side."""
    error = true_error(0.4, of)
    target = error - 1e-9 if wrong == "holds" else error
    table = locked(np.random.default_rng(0)).to_dict()
    table |= {"cutoff": 0.4, "target": target, "of": of}
    found = recheck(Lock.from_dict(table), answers(rng, 400, size))
    return found.verdict == wrong


def locked(rng: Rng, size: int = 1) -> Lock:
    old = answers(rng, 600, size)
    return lock(old, choose(old, nonreturn=0.3))


def drifted(rng: Rng, size: int, shift: float, what: str) -> bool:
    kept = locked(rng, size)
    later = answers(rng, 400, size, shift)
    found = drift(kept, later.confidence, cluster=later.cluster)
    p_value = getattr(found, what)
    return p_value is not None and p_value <= 0.05


def certificate_broken(rng: Rng, share: float, size: int, wrong: float) -> bool:
    """Whether the bound over 80 clusters is below the true error.

    A share of the clusters are long and often wrong; others hold 2 items, 2 % wrong.
    """
    long = rng.random(80) < share
    cluster = np.repeat(np.arange(80), np.where(long, size, 2))
    chance = np.where(long, wrong, 0.02)[cluster]
    outcomes = demur.Outcomes.from_arrays(
        correct=rng.random(len(cluster)) >= chance,
        confidence=np.ones(len(cluster)),
        cluster=cluster,
    )
    items = share * size + (1 - share) * 2
    true = (share * size * wrong + (1 - share) * 2 * 0.02) / items
    return demur.certified_error(outcomes, cutoff=0) < true


def always_broken(rng: Rng) -> bool:
    """Whether a check at any time ever takes the true error for broken."""
    wrong = rng.random(400) < 0.1
    every = np.ones(400, bool)
    return any(
        bounds_of_rate(
            wrong[:n], wrong[:n], every[:n], certainty=0.95, anytime=True
        ).lower
        > 0.1
        for n in range(20, 401, 20)
    )


def gap_missed(rng: Rng, shares: tuple[float, ...], size: int, n_groups: int) -> bool:
    """Whether the interval of the largest gap misses it; 40 clusters a group."""
    group = np.repeat(np.arange(n_groups), 40 * size)
    cluster = np.arange(len(group)) // size
    chance = np.resize(shares, n_groups)[group]
    luck = np.where(
        rng.random(len(group)) < 0.5,
        rng.random(len(group))[cluster],
        rng.random(len(group)),
    )
    design = Design(group, n_groups, None, cluster if size > 1 else None)
    rate = grouped_rate((luck < chance).astype(float), np.ones(len(group)), design)
    gap = widest_gap(rate, np.arange(n_groups), level=0.95)
    low, high = (0.0, 1.0) if gap is None else gap.interval
    return not low <= max(shares) - min(shares) <= high


def warned(rng: Rng, n_folds: int, stretch: float) -> bool:
    """Whether folds with confidences c ** exp(stretch z) are warned of."""
    outcomes = answers(rng, 300, 1)
    fold = np.arange(300) % n_folds
    power = np.exp(stretch * rng.normal(size=n_folds))[fold]
    stretched = demur.Outcomes.from_arrays(
        correct=(outcomes.outcome == 0).astype(int),
        confidence=np.asarray(outcomes.confidence) ** power,
        groups={"fold": fold},
    )
    seed = int(rng.integers(2**31))
    return check_pooled(stretched, permutations=99, seed=seed).warning is not None


CASES: dict[str, Callable[[Rng], bool]] = {
    "recheck: wrongly holds, of all": lambda r: verdict(r, 1, "all", "holds"),
    "recheck: wrongly broken, of all": lambda r: verdict(r, 1, "all", "broken"),
    "recheck: wrongly holds, of answered": lambda r: verdict(r, 1, "answered", "holds"),
    "recheck: wrongly holds, clusters of 4": lambda r: verdict(r, 4, "all", "holds"),
    "drift of declined, none": lambda r: drifted(r, 1, 0, "declined_p"),
    "drift of the mix, none": lambda r: drifted(r, 1, 0, "mix_p"),
    "drift of declined, none, clusters of 4": lambda r: drifted(r, 4, 0, "declined_p"),
    "drift of the mix, none, clusters of 4": lambda r: drifted(r, 4, 0, "mix_p"),
    "drift of declined by .1, found": lambda r: drifted(r, 1, 0.1, "declined_p"),
    "drift of the mix by .1, found": lambda r: drifted(r, 1, 0.1, "mix_p"),
    "certificate broken, clusters of 2 and 20": lambda r: certificate_broken(
        r, 0.1, 20, 0.02
    ),
    "certificate broken, sizes matter, 5 % of 20": lambda r: certificate_broken(
        r, 0.05, 20, 0.5
    ),
    "certificate broken, sizes matter, 2 % of 30": lambda r: certificate_broken(
        r, 0.02, 30, 0.9
    ),
    "recheck at any time: wrongly broken at one of 20 looks": always_broken,
    "gap missed, 2 groups of 40, .3 .3": lambda r: gap_missed(r, (0.3,), 1, 2),
    "gap missed, 2 groups of 40, .05 .3": lambda r: gap_missed(r, (0.05, 0.3), 1, 2),
    "gap missed, 6 groups of 40, .3": lambda r: gap_missed(r, (0.3,), 1, 6),
    "gap missed, 3 groups of 40 clusters of 4": lambda r: gap_missed(r, (0.3,), 4, 3),
    "folds warned of, one scale": lambda r: warned(r, 10, 0),
    "folds warned of, stretched, found": lambda r: warned(r, 10, 1.0),
}


def main() -> None:
    """Print the share of each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    error = 1.96 * np.sqrt(0.05 * 0.95 / asked.runs)
    print(f"{asked.runs} runs, seed {asked.seed}; 5 % is known to +- {error:.3f}")
    for name, case in CASES.items():
        rng = np.random.default_rng(asked.seed)
        share = sum(case(rng) for _ in range(asked.runs)) / asked.runs
        print(f"{share:7.3f}  {name}", flush=True)


if __name__ == "__main__":
    main()
