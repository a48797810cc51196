"""What labels show that are drawn by demur.sample, and as many drawn uniformly.

python benchmarks/label_draws.py [--runs 2000] [--seed 0] [--only judge]

Traffic is drawn anew in every run, and its labels from that. "covers" is the share of
intervals, nominal 95 %, that hold the true rate; of a recheck, that of upper bounds.
"bias" is the mean of estimate - truth, in standard errors of that mean. Widths are
means of half-widths, of a recheck of how far the bound lies above the estimate: by the
draw, by half as many labels, and by as many labels drawn uniformly. Where the second is
not above the third, half of uniform's labels do.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

import demur
from demur.outcomes.parts import stacked
from demur.sampling import drawing

Rng = np.random.Generator
Estimate = tuple[float, float, float, float]
"""The truth, an estimate of it, and the ends of its interval."""

N_ITEMS, CUTOFF, APART = 3000, 0.2, 0.05
LABELS = {"recheck": 240, "cutoff": 240, "compare": 1200, "judge": 240}


@contextmanager
def uniform_chances() -> Iterator[None]:
    """Draws in which all that needs a label has one chance."""
    usual = drawing.mixed_chances
    drawing.mixed_chances = lambda _, needed: usual(needed * 1.0, needed)
    try:
        yield
    finally:
        drawing.mixed_chances = usual


def rows_of(outcomes: demur.Outcomes) -> list[tuple[str, str]]:
    names = outcomes.system.tolist(), outcomes.item.tolist()
    return list(zip(*names, strict=True))


def filled(
    drawn: demur.Drawn, outcomes: demur.Outcomes, verdicts: list[str]
) -> demur.Outcomes:
    """The drawn outcomes with the true verdict of each label."""
    truth = dict(zip(rows_of(outcomes), verdicts, strict=True))
    keys = drawn.outcomes.column("label_key").tolist()
    rows = zip(keys, rows_of(drawn.outcomes), strict=True)
    by_key = {key: truth[row] for key, row in rows}
    rows = [{"key": row["key"], "verdict": by_key[row["key"]]} for row in drawn.sheet]
    return demur.take_labels(drawn.outcomes, rows)


def answers(rng: Rng, n_items: int = N_ITEMS) -> demur.Outcomes:
    """Nearly no error among the surest, half of the least sure are wrong."""
    sure = rng.random(n_items)
    right = rng.random(n_items) >= 0.5 * (1 - sure) ** 4
    items = [f"q{k}" for k in range(n_items)]
    return demur.Outcomes.from_arrays(correct=right, confidence=sure, item=items)


def error_over_all(cutoff: float) -> float:
    return 0.1 * (1 - cutoff) ** 5


PILOT = answers(np.random.default_rng(99), 1000)
LOCK = demur.lock(PILOT, demur.choose(PILOT, nonreturn=CUTOFF))
LOCK = demur.Lock.from_dict({**LOCK.to_dict(), "target": 0.04})


def rechecked(rng: Rng, labels: int) -> Estimate:
    """The error of what a locked cutoff answers, over all items."""
    outcomes = answers(rng)
    seed = int(rng.integers(10**9))
    drawn = demur.sample(
        outcomes, budget=labels, purpose="recheck", lock=LOCK, pilot=PILOT, seed=seed
    )
    verdicts = outcomes.column("outcome").tolist()
    found = demur.recheck(LOCK, filled(drawn, outcomes, verdicts))
    return error_over_all(LOCK.cutoff or 0), found.error or 0.0, 0.0, found.upper


def near_cutoff(rng: Rng, labels: int) -> Estimate:
    """The error at the cutoff for which labels were drawn."""
    outcomes = answers(rng)
    seed, near = int(rng.integers(10**9)), 0.4
    drawn = demur.sample(
        outcomes, budget=labels, purpose="cutoff", pilot=PILOT, near=near, seed=seed
    )
    taken = filled(drawn, outcomes, outcomes.column("outcome").tolist())
    corrected = demur.corrected_error(taken, cutoff=near).corrected
    return error_over_all(near), corrected.value, corrected.low, corrected.high


def compared(rng: Rng, labels: int) -> Estimate:
    """Two systems that return something else on one item in twenty."""
    first = answers(rng)
    apart = rng.random(N_ITEMS) < APART
    wrong = np.where(apart, rng.random(N_ITEMS) < 0.3, first.outcome == "wrong")
    sure = first.confidence
    second = demur.Outcomes.from_arrays(
        correct=~wrong, confidence=sure, item=first.item
    )
    said = [f"x{k}" for k in range(N_ITEMS)]
    other = [f"y{k}" if differs else f"x{k}" for k, differs in enumerate(apart)]
    both = stacked(
        [
            replace(
                table,
                response=np.array(texts, object),
                system=np.full(N_ITEMS, name, object),
            )
            for table, texts, name in ((first, said, "a"), (second, other, "b"))
        ]
    )
    seed = int(rng.integers(10**9))
    drawn = demur.sample(both, budget=labels, purpose="compare", seed=seed)
    taken = filled(drawn, both, both.column("outcome").tolist())
    found = demur.compare(*(taken.select(system=name) for name in "ab"), at=0.0)
    truth = APART * (0.3 - 0.1)
    return truth, found.difference.value, found.difference.low, found.difference.high


def judged(rng: Rng, labels: int) -> Estimate:
    """A judge of sensitivity .9 and specificity .8; a tenth is truly wrong."""
    wrong = rng.random(N_ITEMS) < 0.1
    right = np.where(wrong, rng.random(N_ITEMS) < 0.2, rng.random(N_ITEMS) < 0.9)
    items = [f"q{k}" for k in range(N_ITEMS)]
    outcomes = demur.Outcomes.from_arrays(correct=right, item=items)
    seed = int(rng.integers(10**9))
    drawn = demur.sample(outcomes, budget=labels, purpose="judge", seed=seed)
    taken = filled(drawn, outcomes, ["wrong" if bad else "right" for bad in wrong])
    corrected = demur.corrected_error(taken, "people").corrected
    return 0.1, corrected.value, corrected.low, corrected.high


SCENARIOS: dict[str, Callable[[Rng, int], Estimate]] = {
    "recheck": rechecked,
    "cutoff": near_cutoff,
    "compare": compared,
    "judge": judged,
}


def summary(scenario: Any, runs: int, labels: int, seed: int, how: Any) -> Any:
    """Coverage, bias and mean half-width over runs."""
    rng = np.random.default_rng(seed)
    with how:
        rows = np.array([scenario(rng, labels) for _ in range(runs)])
    truth, value, low, high = rows.T
    covers = float(((low <= truth) & (truth <= high)).mean())
    off = value - truth
    bias = float(off.mean() / (off.std() / runs**0.5))
    one_sided = not low.any()
    width = (high - value) if one_sided else (high - low) / 2
    return covers, bias, float(width.mean()), float(off.std())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=list(SCENARIOS))
    options = parser.parse_args()
    print(f"{N_ITEMS} items, {options.runs} runs")
    print(f"{'':24}labels  covers   bias  half-width  deviation")
    for name, scenario in SCENARIOS.items():
        if options.only not in (None, name):
            continue
        most = LABELS[name]
        for title, labels, how in (
            ("as drawn", most, nullcontext()),
            ("half as many", most // 2, nullcontext()),
            ("uniformly", most, uniform_chances()),
        ):
            found = summary(scenario, options.runs, labels, options.seed, how)
            covers, bias, width, deviation = found
            print(
                f"{name + ', ' + title:24}{labels:6}{covers:8.3f}{bias:7.1f}"
                f"{width:12.4f}{deviation:11.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
