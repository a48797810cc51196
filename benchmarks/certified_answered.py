"""How much is answered with a certified error among the answered, how often wrongly.

    python benchmarks/certified_answered.py [--runs 2000] [--only TEXT] [--mapie 50]

Beside demur: the fixed sequence from one start that it had before, SGR (Geifman and
El-Yaniv 2017), Bonferroni over twenty equal cutoffs, and MAPIE if it is installed. Each
promises with a certainty of 95 % that the error of what is answered is at most the
target. Answered is the mean share over all samples, those without a certificate at 0.
"""

import argparse
import math
import warnings
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from harness import machine, show

from demur.arrays import Floats, Positions, Sample
from demur.decisions.certificates import certified_answered

RISK = 0.05
Rate = Callable[[Floats], Floats]


def falling(rank: Floats) -> Floats:
    """A fifth of the least sure answers is wrong, none of the surest."""
    return 0.2 * (1 - rank)


def steep(rank: Floats) -> Floats:
    """Errors among the least sure alone."""
    return 0.6 * (1 - rank) ** 3


def bad_top(rank: Floats) -> Floats:
    """The surest tenth errs most: true error .033."""
    return np.where(rank > 0.9, 0.15, 0.02)


def slow(rank: Floats) -> Floats:
    """Confidences crowd at the top: right with a chance of .1 + .9 of them."""
    return 0.9 - 0.9 * np.sqrt(rank)


def bad_middle(rank: Floats) -> Floats:
    """Half of a tenth in the middle is wrong."""
    return np.where((rank > 0.5) & (rank < 0.6), 0.5, 0.02)


def bad_tenth(rank: Floats) -> Floats:
    """The least sure tenth is wrong throughout."""
    return np.where(rank < 0.1, 1.0, 0.02)


def half_good(rank: Floats) -> Floats:
    """The less sure half errs thirty times as often."""
    return np.where(rank < 0.5, 0.3, 0.01)


def waves(rank: Floats) -> Floats:
    """Up and down, .05 in the middle."""
    return 0.05 + 0.05 * np.sin(12 * rank)


def always(rate: float) -> Rate:
    """The same for all."""
    return lambda rank: np.full(len(rank), rate)


SCENARIOS: dict[str, tuple[Rate, float, int, int]] = {
    # name: errors, target, items, levels of confidence (0: no ties)
    "bad top, 300": (bad_top, 0.08, 300, 0),
    "bad top, 1,000": (bad_top, 0.08, 1000, 0),
    "bad top, 3,000": (bad_top, 0.08, 3000, 0),
    "falling, 300": (falling, 0.1, 300, 0),
    "falling, 1,000": (falling, 0.08, 1000, 0),
    "falling, 7 levels, 1,000": (falling, 0.08, 1000, 7),
    "steep, 100": (steep, 0.1, 100, 0),
    "steep, 300": (steep, 0.05, 300, 0),
    "slow, 300": (slow, 0.2, 300, 0),
    "slow, 1,000": (slow, 0.1, 1000, 0),
    "bad middle, 600": (bad_middle, 0.05, 600, 0),
    "bad middle, 1,000": (bad_middle, 0.08, 1000, 0),
    "bad tenth, 300": (bad_tenth, 0.05, 300, 0),
    "half good, 600": (half_good, 0.05, 600, 0),
    "waves, 600": (waves, 0.08, 600, 0),
    "one in a hundred, 600": (always(0.01), 0.03, 600, 0),
    "one in a hundred, 60": (always(0.01), 0.05, 60, 0),
    "just above the target, 100": (always(0.0501), 0.05, 100, 0),
    "just above the target, 1,000": (always(0.1001), 0.1, 1000, 0),
}


# -- methods: how many of the surest are answered, 0 if nothing is certified ---------


def by_demur(rank: Floats, wrong: Floats, target: float) -> int:
    """As `demur.choose` does."""
    sample = Sample(np.ones(len(rank), bool), rank, wrong)
    position = certified_answered(sample, Fraction(str(target)), 1 - RISK).position
    return 0 if position is None else len(rank) - position


def by_one_start(rank: Floats, wrong: Floats, target: float) -> int:
    """A fixed sequence from one start, with all of the risk: demur before."""
    least = math.ceil(math.log(RISK) / math.log1p(-target))
    answered, chance = tests(rank, wrong, target)
    tested = answered >= max(least, min(4 * least, len(rank) // 2))
    passed = answered[tested][np.cumprod(chance[tested] <= RISK) > 0]
    return int(passed[-1]) if len(passed) else 0


def by_bonferroni(rank: Floats, wrong: Floats, target: float) -> int:
    """Twenty equal cutoffs, a twentieth of the risk each."""
    answered, chance = tests(rank, wrong, target)
    wanted = -(-len(rank) * np.arange(1, 21) // 20)
    places = np.unique(np.searchsorted(answered, wanted))
    passed = places[chance[places] <= RISK / 20]
    return int(answered[passed[-1]]) if len(passed) else 0


def by_sgr(rank: Floats, wrong: Floats, target: float) -> int:
    """Binary search with Clopper-Pearson bounds that share the risk (Algorithm 2)."""
    answered, _ = tests(rank, wrong, target)
    errors = np.cumsum(wrong[np.argsort(-rank, kind="stable")])[answered - 1]
    return searched(answered, errors, target)


def searched(answered: Positions, errors: Floats, target: float) -> int:
    """The lowest cutoff that the search sees pass."""
    from scipy.special import bdtr

    steps = max(math.ceil(math.log2(len(answered))), 1)
    low, high, best = 0, len(answered) - 1, 0
    for _ in range(steps):
        middle = -(-(low + high) // 2)
        if bdtr(errors[middle], answered[middle], target) <= RISK / steps:
            low, best = middle, max(best, int(answered[middle]))
        else:
            high = middle
    return best


def tests(rank: Floats, wrong: Floats, target: float) -> tuple[Positions, Floats]:
    """Answered items at each cutoff, and how likely so few errors are at the target."""
    from scipy.special import bdtr

    order = np.argsort(-rank, kind="stable")
    levels = np.append(np.diff(rank[order]) < 0, True)
    answered = np.flatnonzero(levels) + 1
    errors = np.cumsum(wrong[order])[answered - 1]
    return answered, bdtr(errors, answered, target)


def by_mapie(rank: Floats, wrong: Floats, target: float) -> int:
    """Precision of at least 1 - target, Bonferroni-Holm over twenty cutoffs."""
    from mapie.risk_control import BinaryClassificationController, BinaryRisk

    risk = BinaryRisk(
        lambda truth, given: (given == 1) & (truth == 0),
        lambda _, given: given == 1,
        higher_is_better=False,
    )
    controller = BinaryClassificationController(
        lambda rows: np.column_stack([1 - rows, rows]),
        risk,
        target,
        1 - RISK,
        best_predict_param_choice="recall",
        list_predict_params=np.linspace(0, 0.95, 20),
        fwer_method="bonferroni_holm",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controller.calibrate(rank[:, None], (1 - wrong).astype(int))
    valid = np.ravel(controller.valid_predict_params)
    return int((rank >= valid.min()).sum()) if len(valid) else 0


METHODS = {
    "demur": by_demur,
    "one start": by_one_start,
    "Bonferroni": by_bonferroni,
    "SGR": by_sgr,
}


def measured(scenario: str, runs: int, mapie: int, seed: int) -> list[str]:
    """One row: found, answered and broken of each method."""
    rate, target, items, levels = SCENARIOS[scenario]
    rng = np.random.default_rng(seed)
    grid = (np.arange(100_000) + 0.5) / 100_000
    truth = np.cumsum(rate(grid)[::-1]) / np.arange(1, len(grid) + 1)
    methods = METHODS | ({"MAPIE": by_mapie} if mapie else {})
    seen: dict[str, list[tuple[float, bool]]] = {name: [] for name in methods}
    for run in range(runs):
        rank = rng.random(items)
        wrong = 1.0 * (rng.random(items) < rate(rank))
        if levels:
            rank = np.floor(rank * levels) / levels
        for name, method in methods.items():
            if name == "MAPIE" and run >= mapie:
                continue
            answered = method(rank, wrong, target)
            cutoff = np.sort(rank)[items - answered] if answered else 1.0
            share = round((1 - cutoff) * len(grid))
            broken = bool(share) and truth[share - 1] > target + 1e-9
            seen[name].append((answered / items, broken))
    cells = [
        scenario,
        f"{target:g}",
        f"{np.mean([a > 0 for a, _ in seen['demur']]):.2f}",
    ]
    for rows in seen.values():
        share, broken = np.mean(rows, axis=0)
        cells.append(f"{share:.3f} ({100 * broken:.1f})")
    return cells


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--mapie", type=int, default=0, help="runs of MAPIE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    names = [*METHODS, *(["MAPIE"] if arguments.mapie else [])]
    head = ["scenario", "target", "demur finds", *names]
    rows = [
        measured(scenario, arguments.runs, arguments.mapie, arguments.seed)
        for scenario in SCENARIOS
        if arguments.only in scenario
    ]
    show("Answered, and broken in % of samples", [head, *rows])


if __name__ == "__main__":
    main()
