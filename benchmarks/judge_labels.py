"""How often figures corrected by twenty to fifty labels hold the truth.

python benchmarks/judge_labels.py [--runs 2000] [--labels 20 30 50] [--clusters 3]
    [--only WORDS] [--use]

Two systems answer the same items, which are drawn anew in every run. A judge judges
all answers; people judge some, drawn as `demur.sample` draws them for a judge (``by
judge``: chances by its verdict and by how sure it is) or uniformly. Each cell is the
share of intervals, nominal 95 %, that hold the true error of the first system, its
error at a cutoff, and the true difference of both. "agrees" is the share of runs in
which the judge agrees with all labels; "given" that of runs with labels enough.

With ``--use``: how often a judge may be used (`demur.compare` with ``gold``), and how
often so with the wrong system ahead, for judges that are fair and for one that passes
half of the second system's errors.
"""

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demur.arrays import Sample
from demur.comparisons.judge_uses import JudgeUse, judge_use, labels_show
from demur.sampling.aims import judge_aim, mid_ranks, mistakes_of_judge
from demur.sampling.priorities import mixed_chances, priority_draw
from demur.statistics.correcting import FEWEST
from demur.statistics.correcting_differences import difference_of
from demur.statistics.noisy_verdicts import Correction, Verdicts, corrected
from demur.statistics.paired_tests import described
from demur.statistics.quantities import Quantity

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


USE_JUDGES = {
    "fair, .9 and .8": ((0.9, 0.8), (0.9, 0.8)),
    "fair, .99 and .99": ((0.99, 0.99), (0.99, 0.99)),
    "favours the second": ((0.9, 0.9), (0.97, 0.5)),
    "favours it on a tenth": ((0.99, 0.99), (0.99, 0.7)),
}
"""Sensitivity and specificity for each system."""
TRUE_ERRORS = ((0.4, 0.4), (0.4, 0.45), (0.4, 0.3), (0.4, 0.2), (0.4, 0.1))


def judged_pair(
    rng: Rng, errors: Sequence[float], rates: Any, labels: int, *, clever: bool
) -> list[Correction]:
    """Two systems that return something else on every item, corrected."""
    n = N_ITEMS
    wrong = [rng.random(n) < error for error in errors]
    seen, sure = [], []
    for truth, (sensitivity, specificity) in zip(wrong, rates, strict=True):
        off = rng.random(n) >= np.where(truth, specificity, sensitivity)
        seen.append(truth ^ off)
        sure.append(rng.random(n) - 0.4 * off)
    chance = chances(seen, sure, clever=clever)
    draw = priority_draw(chance, np.full(n, 2), rng.random(n), labels)
    weight = 1 / np.where(draw.chance > 0, draw.chance, 1)
    return [
        corrected(
            Verdicts(
                judge=judged.astype(float),
                people=truth.astype(float),
                labelled=draw.drawn,
                answered=np.ones(n),
                cluster=np.arange(n),
                weight=weight if clever else None,
            )
        )
        for judged, truth in zip(seen, wrong, strict=True)
    ]


def used(runs: int, labels: int, seed: int, *, clever: bool) -> None:
    """Print how often a judge may be used."""
    for name, rates in USE_JUDGES.items():
        for errors in TRUE_ERRORS:
            rng = np.random.default_rng([seed, labels, round(100 * errors[1])])
            truth, usable, wrong = errors[1] - errors[0], 0, 0
            for _ in range(runs):
                a, b = judged_pair(rng, errors, rates, labels, clever=clever)
                judged = b.verdicts.raw - a.verdicts.raw
                order = (a, b) if judged >= 0 else (b, a)
                if labels_show(*order, LEVEL)[1] >= abs(judged):
                    continue  # whatever else there is, it may not
                use = use_of(a, b)
                usable += use.usable
                wrong += use.usable and judged * truth <= 0
            drawn = "by judge " if clever else "uniformly"
            print(
                f"{labels} {drawn} {name}: true difference {truth:+.2f}: may be used "
                f"{usable / runs:.3f}, wrongly {wrong / runs:.4f}",
                flush=True,
            )


def use_of(a: Correction, b: Correction) -> JudgeUse:
    """Whether the judge may be used, by the test of `demur.compare`."""
    value, tested = difference_of(a, b, LEVEL)
    sample = Sample(np.ones(N_ITEMS, bool), np.ones(N_ITEMS), a.verdicts.people)
    how = LEVEL, "prediction-powered", None
    difference = described(sample, Quantity("error", 0.0), value, tested, how)
    return judge_use(a, b, difference)


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
    parser.add_argument("--clusters", type=int, default=1, help="items in each")
    parser.add_argument("--only", default="", help="words of a judge")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--use", action="store_true", help="whether it may be used")
    options = parser.parse_args()
    print(f"{N_ITEMS} items, {options.runs} runs")
    if options.use:
        for labels in options.labels:
            for clever in (True, False):
                used(options.runs, labels, options.seed, clever=clever)
        return
    judges = {name: rates for name, rates in JUDGES.items() if options.only in name}
    cells = itertools.product(judges, options.labels, (True, False), ERRORS)
    for name, labels, clever, error in cells:
        cell = Cell(error, judges[name], labels, clever, options.clusters)
        found = measured(cell, options.runs, options.seed)
        words = "  ".join(f"{key} {value:.3f}" for key, value in found.items())
        drawn = "by judge " if clever else "uniformly"
        print(f"{name}; {labels} {drawn} error {error}: {words}", flush=True)


if __name__ == "__main__":
    main()
