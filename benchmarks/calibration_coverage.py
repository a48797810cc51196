"""How often the intervals of the Brier split hold the truth, and its tests err.

    python benchmarks/calibration_coverage.py [--samples 60] [--replicates 200]

Confidences are drawn from Beta(4, 1.5); an answer is right with a probability that is
the confidence itself, or what an overconfident or uninformative system would earn.
"Band" is the share of places at which the curve lies in the pointwise band, which is
to be 0.95 for calibrated confidences only.
"Levels" rounds confidences to multiples of 1/20; "clusters" draws items in fives of
one confidence, half of which are right or wrong together.

A second table is of discrimination alone, where few levels are stated (``--few`` runs
it alone).
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import machine, show

from demur.arrays import Sample
from demur.calibration.brier import PARTS, brier_split
from demur.calibration.reliability import consistency_band, reliability

Array = np.ndarray[Any, Any]
EARNED: dict[str, Callable[[Array], Array]] = {
    "calibrated": lambda stated: stated,
    "overconfident": lambda stated: 0.9 * stated**3,
    "uninformative": lambda stated: np.full(len(stated), 0.7),
}
KINDS = ("distinct", "levels", "clusters")
SIZE = 5

FIVE = (0.8, 0.9, 0.95, 0.99, 1.0)
Levels = tuple[float, ...]
FEW: dict[str, tuple[Levels, Levels, Levels | None]] = {
    "five levels": (FIVE, FIVE, None),
    "five, most near 1": (FIVE, FIVE, (0.05, 0.1, 0.15, 0.3, 0.4)),
    "five, overconfident": (FIVE, (0.6, 0.75, 0.85, 0.93, 0.97), None),
    ".8 and .99": ((0.8, 0.99), (0.8, 0.99), None),
    ".8 and .99, a fifth and four": ((0.8, 0.99), (0.8, 0.99), (0.2, 0.8)),
    ".9 and 1": ((0.9, 1.0), (0.9, 1.0), None),
    ".8 and 1": ((0.8, 1.0), (0.8, 1.0), None),
    ".85 and .95": ((0.85, 0.95), (0.85, 0.95), None),
    ".5, .9 and 1": ((0.5, 0.9, 1.0), (0.5, 0.9, 1.0), None),
    ".4 and .7": ((0.4, 0.7), (0.4, 0.7), None),
    "ten levels": (
        tuple(np.arange(1, 11) / 10), tuple(np.arange(1, 11) / 10), None
    ),
}  # fmt: skip
"""Confidences, the rates at which they are right, and how often each is stated."""


def draw(rng: np.random.Generator, n_items: int, earned: str, kind: str) -> Sample:
    size = SIZE if kind == "clusters" else 1
    stated = np.repeat(rng.beta(4, 1.5, n_items // size), size)
    if kind == "levels":
        stated = np.round(stated * 20) / 20
    luck = rng.random(n_items)
    if kind == "clusters":
        shared = np.repeat(rng.random(n_items // size), size)
        luck = np.where(rng.random(n_items) < 0.5, shared, luck)
    right = luck < EARNED[earned](stated)
    cluster = np.arange(n_items) // size if size > 1 else None
    return Sample(np.ones(n_items, bool), stated, 1.0 - right, None, cluster)


def truth(earned: str, kind: str) -> Array:
    """The parts in the whole population."""
    stated = np.random.default_rng(1).beta(4, 1.5, 4_000_000)
    if kind == "levels":
        stated = np.round(stated * 20) / 20
    chance = EARNED[earned](stated)
    off, spread = np.mean((stated - chance) ** 2), np.var(chance)
    unsure = chance.mean() * (1 - chance.mean())
    return np.array([off - spread + unsure, off, spread, unsure])


def share_inside(sample: Sample, replicates: int) -> float:
    """The share of the band's places at which the reliability curve lies in it."""
    band, curve = consistency_band(sample, replicates=replicates), reliability(sample)
    line = np.interp(band.confidence, curve.confidence, curve.estimate)
    return float(np.mean((line >= band.low - 1e-9) & (line <= band.high + 1e-9)))


def simulate(n_items: int, earned: str, kind: str, options: Any) -> list[str]:
    rng = np.random.default_rng(options.seed)
    expected = truth(earned, kind)
    held, rejected, inside = np.zeros(4), np.zeros(2), 0.0
    for _ in range(options.samples):
        sample = draw(rng, n_items, earned, kind)
        split = brier_split(sample, replicates=options.replicates)
        ends = np.array([(split.intervals or {})[name] for name in PARTS])
        slack = 1e-12
        held += (ends[:, 0] <= expected + slack) & (expected <= ends[:, 1] + slack)
        tests = np.array([split.p_calibrated, split.p_uninformative])
        rejected += tests <= 0.05
        inside += share_inside(sample, options.replicates)
    shares = np.array([*held, *rejected, inside]) / options.samples
    return [earned, kind, str(n_items), *(f"{share:.3f}" for share in shares)]


def few_levels(name: str, n_items: int, options: Any) -> list[str]:
    """How often the interval of discrimination holds it, misses it, how wide it is."""
    stated, rates, shares = FEW[name]
    right, chance = np.array(rates), np.full(len(stated), 1 / len(stated))
    chance = chance if shares is None else np.array(shares)
    true = float(chance @ (right - chance @ right) ** 2)
    rng, ends = np.random.default_rng(options.seed), []
    for run in range(options.samples):
        level = rng.choice(len(stated), n_items, p=chance)
        loss = 1.0 * (rng.random(n_items) >= right[level])
        sample = Sample(np.ones(n_items, bool), np.array(stated)[level], loss)
        split = brier_split(sample, replicates=options.replicates, seed=run)
        ends.append((split.intervals or {})["discrimination"])
    low, high = np.array(ends).T
    below, above = float(np.mean(true < low)), float(np.mean(true > high))
    held = (f"{share:.3f}" for share in (1 - below - above, below, above))
    width = f"{np.mean(high - low):.4f}"
    return [name, f"{true:.4f}", str(n_items), *held, width]


def show_few(options: Any) -> None:
    """Print the table of few levels."""
    head = ["levels", "discrimination", "items", "held", "below", "above", "width"]
    rows = [
        few_levels(name, n_items, options) for name in FEW for n_items in (50, 100, 300)
    ]
    show(f"95 % intervals of discrimination, {options.samples} samples", [head, *rows])


def main() -> None:
    """Print one row for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--items", default="300,2000")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--few", action="store_true", help="few levels only")
    options = parser.parse_args()
    print(machine())
    show_few(options)
    if options.few:
        return
    rows = [
        [
            "system",
            "confidences",
            "items",
            *PARTS,
            "not calibrated",
            "informative",
            "band",
        ]
    ]
    for n_items in map(int, options.items.split(",")):
        for kind in KINDS:
            for earned in EARNED:
                rows.append(simulate(n_items, earned, kind, options))
    show(
        f"Share of {options.samples} samples whose 95 % interval holds the truth, and "
        "in which a 5 % test rejects",
        rows,
    )


if __name__ == "__main__":
    main()
