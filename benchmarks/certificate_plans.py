"""How often samples of the planned size are certified as `certificate_plan` promises.

    python benchmarks/certificate_plans.py [--runs 1000] [--only TEXT]

Of pilots drawn from a known truth: the median of the items planned, how often a fresh
sample of that size is then certified at the cutoff of that nonreturn or at a lower one,
and the chance that is stated, of which at least .8 is promised. Before, it was planned
for the errors of the pilot as they stand, and no chance was stated.
"""

import argparse
from collections.abc import Callable
from fractions import Fraction
from math import floor

import numpy as np
from harness import machine, show

import demur
from demur.arrays import Floats, Sample
from demur.decisions.certificate_chances import least_items
from demur.decisions.certificates import certified, certified_answered

CERTAINTY = 0.95
Rate = Callable[[Floats], Floats]


def falling(rank: Floats) -> Floats:
    """A fifth of the least sure answers is wrong, none of the surest."""
    return 0.2 * (1 - rank)


def jump(rank: Floats) -> Floats:
    """The least sure tenth is wrong throughout, and one in fifty of the others."""
    return np.where(rank < 0.1, 1.0, 0.02)


def bad_top(rank: Floats) -> Floats:
    """The surest tenth errs most."""
    return np.where(rank > 0.9, 0.15, 0.02)


def rare(rank: Floats) -> Floats:
    """One answer in a hundred, whatever its confidence."""
    return np.full(len(rank), 0.01)


SCENARIOS: dict[str, tuple[Rate, str, float, float, int, int]] = {
    # name: errors, of, target, nonreturn, items of the pilot, levels (0: no ties)
    "all, at .3": (falling, "all", 0.08, 0.3, 20_000, 0),
    "all, at .5": (falling, "all", 0.08, 0.5, 20_000, 0),
    "all, at .7": (falling, "all", 0.08, 0.7, 20_000, 0),
    "answered, at .5": (falling, "answered", 0.08, 0.5, 20_000, 0),
    "answered, at .7": (falling, "answered", 0.08, 0.7, 20_000, 0),
    "answered, 7 levels, at .5": (falling, "answered", 0.08, 0.5, 20_000, 7),
    "all, jump, at .1": (jump, "all", 0.05, 0.1, 20_000, 0),
    "all, jump, at 0": (jump, "all", 0.15, 0.0, 20_000, 0),
    "answered, jump, at .1": (jump, "answered", 0.05, 0.1, 20_000, 0),
    "answered, jump, at 0": (jump, "answered", 0.15, 0.0, 20_000, 0),
    "answered, bad top, at .5": (bad_top, "answered", 0.08, 0.5, 20_000, 0),
    "all, rare errors, at 0": (rare, "all", 0.03, 0.0, 20_000, 0),
    "all, at .3, pilot of 100": (falling, "all", 0.08, 0.3, 100, 0),
    "all, at .3, pilot of 300": (falling, "all", 0.08, 0.3, 300, 0),
    "all, at .5, pilot of 100": (falling, "all", 0.08, 0.5, 100, 0),
    "all, at .5, pilot of 300": (falling, "all", 0.08, 0.5, 300, 0),
    "answered, at .7, pilot of 1,000": (falling, "answered", 0.08, 0.7, 1000, 0),
    "answered, at .7, pilot of 300": (falling, "answered", 0.08, 0.7, 300, 0),
}


def drawn(rng: np.random.Generator, items: int, rate: Rate, levels: int) -> Sample:
    """So many answers, all given."""
    rank = rng.random(items)
    wrong = rng.random(items) < rate(rank)
    if levels:
        rank = np.floor(rank * levels)
    return Sample(np.ones(items, bool), rank, 1.0 * wrong)


def share_before(pilot: Sample, nonreturn: float, of: str) -> tuple[Fraction, Fraction]:
    """The share of errors that was planned for, and of which share of the items."""
    order = np.argsort(-pilot.confidence, kind="stable")
    answered = len(pilot) - floor(nonreturn * len(pilot))
    wrong = int(pilot.loss[order[:answered]].sum())
    if of == "all":
        return Fraction(wrong, len(pilot)), Fraction(1)
    return Fraction(wrong, answered), Fraction(answered, len(pilot))


def before(pilot: Sample, nonreturn: float, of: str, target: float) -> int | None:
    """The items planned if the pilot's share of errors stays exactly as it is."""
    error, base = share_before(pilot, nonreturn, of)
    needed = least_items(target, CERTAINTY, 4096)
    short = [
        wrong
        for wrong in range(1, len(needed))
        if error and (wrong - 1) // error + 1 < needed[wrong]
    ]
    last = short[-1] if short else 0
    if last == len(needed) - 1:
        return None
    return -(-int(needed[last]) // base)


def planned(
    pilot: Sample, nonreturn: float, of: str, target: float
) -> tuple[int | None, float]:
    """The items planned, and the chance that is stated."""
    outcomes = demur.Outcomes.from_arrays(
        correct=pilot.loss == 0, confidence=pilot.confidence
    )
    plan = demur.certificate_plan(
        max_error=target, certainty=CERTAINTY, of=of, pilot=outcomes
    )
    row = [rate for rate, _, _ in plan.by_nonreturn].index(nonreturn)
    return plan.by_nonreturn[row][2], plan.chances[row]


def reached(
    rng: np.random.Generator, items: int, scenario: str, runs: int, target: Fraction
) -> float:
    """How often fresh samples are certified at the cutoff or a lower one."""
    rate, of, _, nonreturn, _, levels = SCENARIOS[scenario]
    certify = certified if of == "all" else certified_answered
    cutoff = floor(nonreturn * levels) if levels else nonreturn
    hits = 0
    for _ in range(runs):
        sample = drawn(rng, items, rate, levels)
        position = certify(sample, target, CERTAINTY).position
        below = np.count_nonzero(sample.confidence < cutoff)
        hits += position is not None and position <= below
    return hits / runs


def measured(scenario: str, runs: int, seed: int) -> tuple[str, ...]:
    """One row: items and power before and now."""
    rate, of, target, nonreturn, size, levels = SCENARIOS[scenario]
    rng = np.random.default_rng(seed)
    pilots = 10 if size > 5000 else 100
    again = max(runs // pilots, 1)
    powers: list[list[float]] = [[], []]
    sizes: list[list[int]] = [[], []]
    stated = []
    for _ in range(pilots):
        pilot = drawn(rng, size, rate, levels)
        items, chance = planned(pilot, nonreturn, of, target)
        for row, number in enumerate((before(pilot, nonreturn, of, target), items)):
            if number is not None and number <= 50_000:
                sizes[row].append(number)
                exact = Fraction(str(target))
                powers[row].append(reached(rng, number, scenario, again, exact))
        stated.append(chance)
    cells = []
    for row in (0, 1):
        if not sizes[row]:
            cells += ["-", "-", "100 %"]
            continue
        none = 1 - len(sizes[row]) / pilots
        cells += [
            f"{np.median(sizes[row]):.0f}",
            f"{np.mean(powers[row]):.2f}",
            f"{100 * none:.0f} %",
        ]
    return scenario, *cells, f"{np.mean(stated):.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    arguments = parser.parse_args()
    print(machine())
    half = ("items", "certified", "no plan")
    head = ("scenario", *(f"before: {word}" for word in half), *half, "stated")
    rows = [
        measured(scenario, arguments.runs, arguments.seed)
        for scenario in SCENARIOS
        if arguments.only in scenario
    ]
    show("Certified at the planned size", [head, *rows])


if __name__ == "__main__":
    main()
