"""How often figures corrected by twenty to fifty labels hold the truth.

python benchmarks/judge_labels.py [--runs 2000] [--labels 20 30 50] [--clusters]

Two systems answer the same items, which are drawn anew in every run. A judge judges
all answers; people judge some, drawn as `demur.sample` draws them for a judge (``by
judge``: chances by its verdict and by how sure it is) or uniformly. Each cell is the
share of intervals, nominal 95 %, that hold the true error of the first system, its
error at a cutoff, and the true difference of both. "agrees" is the share of runs in
which the judge agrees with all labels; "given" that of runs with labels enough.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demur.sampling.aims import judge_aim, mid_ranks, mistakes_of_judge
from demur.sampling.priorities import mixed_chances, priority_draw
from demur.statistics.correcting import FEWEST
from demur.statistics.correcting_differences import difference_of
from demur.statistics.noisy_verdicts import Verdicts, corrected

Rng = np.random.Generator
Array = np.ndarray[Any, Any]

N_ITEMS, CUTOFF, SAME, APART, LEVEL = 600, 0.4, 0.3, 0.05, 0.95
ERRORS = (0.05, 0.2, 0.5, 0.8, 0.95)
JUDGES = {"sensitivity .9, specificity .8": (0.9, 0.8), "errs on 1 %": (0.99, 0.99)}
"""How many of the truly right it calls right, and of the truly wrong wrong."""


@dataclass(frozen=True)
class Cell:
    """What is drawn.

    Parameters
    ----------
    error : float
        Of the first system; that of the second lies .05 nearer to a half.
    judge : (float, float)
        Sensitivity and specificity.
    labels : int
        At most.
    clever : bool
        Whether chances go by the judge's verdict and by how sure it is.
    clusters : int
        Items in each.
    """

    error: float
    judge: tuple[float, float]
    labels: int
    clever: bool
    clusters: int = 1

    @property
    def errors(self) -> tuple[float, float]:
        """Of both systems."""
        return self.error, self.error + (APART if self.error < 0.5 else -APART)


def luck(rng: Rng, n: int, clusters: int) -> Array:
    """Uniform numbers; half of a cluster's items share theirs."""
    alone = rng.random(n)
    if clusters == 1:
        return alone
    common = np.repeat(rng.random(-(-n // clusters)), clusters)[:n]
    return np.where(rng.random(n) < 0.5, common, alone)


def two_systems(rng: Rng, cell: Cell, labels: int) -> tuple[list[Verdicts], Array]:
    """Verdicts on both, with labels, and the first one's confidences."""
    n = N_ITEMS
    draws = luck(rng, n, cell.clusters), luck(rng, n, cell.clusters)
    same = rng.random(n) < SAME
    first = draws[0] < cell.error
    # Where the second returns something else it errs as often as makes its error.
    rest = (cell.errors[1] - SAME * cell.error) / (1 - SAME)
    wrong = [first, np.where(same, first, draws[1] < rest)]
    seen, sure = [], []
    for truth in wrong:
        rate = np.where(truth, cell.judge[1], cell.judge[0])
        off = luck(rng, n, cell.clusters) >= rate
        seen.append(truth ^ off)
        sure.append(rng.random(n) - 0.4 * off)
    seen[1] = np.where(same, seen[0], seen[1])
    cost = np.where(same, 1, 2)
    chance = chances(seen, sure, clever=cell.clever)
    draw = priority_draw(chance, cost, rng.random(n), labels)
    weight = 1 / np.where(draw.chance > 0, draw.chance, 1)
    verdicts = [
        Verdicts(
            judge=judged.astype(float),
            people=truth.astype(float),
            labelled=draw.drawn,
            answered=np.ones(n),
            cluster=np.arange(n) // cell.clusters,
            weight=weight if cell.clever else None,
        )
        for judged, truth in zip(seen, wrong, strict=True)
    ]
    return verdicts, rng.random(n) - 0.3 * first


def chances(seen: Sequence[Array], sure: Sequence[Array], *, clever: bool) -> Array:
    """The chance of each item, up to a factor, as `demur.sample` has it."""
    needed = np.ones(len(seen[0]), bool)
    if not clever:
        return needed / len(needed)
    wrong, total = int(np.sum(seen)), int(np.size(seen))
    scarce = np.logical_or.reduce if wrong <= total - wrong else np.logical_and.reduce
    part = np.where(scarce(seen), "wrong", "right")
    low = np.minimum.reduce([mid_ranks(numbers) for numbers in sure])
    aim = judge_aim(part, low, mistakes_of_judge(wrong, total - wrong), "")
    return mixed_chances(aim.emphasis, needed)


def one_system(rng: Rng, cell: Cell) -> tuple[Verdicts, Array]:
    """The first system alone: all labels are of its answers."""
    n = N_ITEMS
    wrong = luck(rng, n, cell.clusters) < cell.error
    rate = np.where(wrong, cell.judge[1], cell.judge[0])
    off = luck(rng, n, cell.clusters) >= rate
    seen, sure = wrong ^ off, rng.random(n) - 0.4 * off
    chance = chances([seen], [sure], clever=cell.clever)
    draw = priority_draw(chance, np.ones(n, int), rng.random(n), cell.labels)
    weight = 1 / np.where(draw.chance > 0, draw.chance, 1)
    verdicts = Verdicts(
        judge=seen.astype(float),
        people=wrong.astype(float),
        labelled=draw.drawn,
        answered=np.ones(n),
        cluster=np.arange(n) // cell.clusters,
        weight=weight if cell.clever else None,
    )
    return verdicts, rng.random(n) - 0.3 * wrong


def true_at_cutoff(cell: Cell) -> float:
    """The share of items that are answered at the cutoff and wrong."""
    return cell.error * (1 - CUTOFF - 0.3)


def measured(cell: Cell, runs: int, seed: int) -> dict[str, float]:
    """Shares of intervals that hold the truth, and mean widths."""
    rng = np.random.default_rng([seed, round(1000 * cell.error), cell.labels])
    error, cutoff, apart, agrees, given, widths = [], [], [], [], [], []
    for _ in range(runs):
        verdicts, confidence = one_system(rng, cell)
        rate = corrected(verdicts).rate(LEVEL)
        error.append(rate.low <= cell.error <= rate.high)
        widths.append(rate.high - rate.low)
        answered = (confidence >= CUTOFF).astype(float)
        there = replace(verdicts, answered=answered)
        if there.n_units:
            rate = corrected(there).rate(LEVEL)
            cutoff.append(rate.low <= true_at_cutoff(cell) <= rate.high)
        labelled = verdicts.labelled
        agrees.append((verdicts.judge == verdicts.people)[labelled].all())
        both, _ = two_systems(rng, cell, cell.labels)
        enough = min(one.n_units for one in both) >= FEWEST
        given.append(enough)
        if enough:
            _, tested = difference_of(*map(corrected, both), LEVEL)
            truth = cell.errors[1] - cell.errors[0]
            apart.append(tested.low <= truth <= tested.high)
    return {
        "error": float(np.mean(error)),
        "width": float(np.mean(widths)),
        "cutoff": float(np.mean(cutoff)) if cutoff else np.nan,
        "difference": float(np.mean(apart)) if apart else np.nan,
        "agrees": float(np.mean(agrees)),
        "given": float(np.mean(given)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--labels", type=int, nargs="*", default=[20, 30, 50])
    parser.add_argument("--clusters", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{N_ITEMS} items, {options.runs} runs")
    for name, judge in JUDGES.items():
        for labels in options.labels:
            for clever in (True, False):
                for error in ERRORS:
                    clusters = 3 if options.clusters else 1
                    cell = Cell(error, judge, labels, clever, clusters)
                    found = measured(cell, options.runs, options.seed)
                    words = "  ".join(f"{k} {v:.3f}" for k, v in found.items())
                    drawn = "by judge " if clever else "uniformly"
                    print(
                        f"{name}; {labels} {drawn} error {error}: {words}", flush=True
                    )


if __name__ == "__main__":
    main()
