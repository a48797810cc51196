"""What the cheapest of equal systems seems to cost, and what it costs.

    python benchmarks/price_lists.py [--runs 200]

Systems that err alike on 40 % of the least sure and on none of the surest answers. The
cost of the cheapest at one price on the data that it was chosen on, in truth, and on
the other half where one half chooses; the least cost that can be had; how often
somebody else is called dearer beyond luck, though all are equal.
"""

import argparse

import numpy as np
from harness import machine, show

import demur
from demur.outcomes.parts import stacked

CASES = ((10, 100, 0.3), (10, 400, 0.3), (5, 100, 0.1), (2, 200, 0.2))


def equal_systems(rng: np.random.Generator, many: int, items: int) -> demur.Outcomes:
    """Confidences are ranks; the chance of an error is .4 (1 - rank)."""
    systems = []
    for name in range(many):
        rank = rng.random(items)
        right = rng.random(items) >= 0.4 * (1 - rank)
        names = [f"q{row}" for row in range(items)]
        systems.append(
            demur.Outcomes.from_arrays(
                system=f"s{name}", item=names, correct=right, confidence=rank
            )
        )
    return stacked(systems)


def true_cost(price: demur.Price, at: float) -> float:
    """What a cutoff, or silence, costs in truth."""
    cutoff = 1.0 if price.system is None else price.cutoff or 0.0
    return 0.2 * (1 - cutoff) ** 2 + at * cutoff


def measured(many: int, items: int, at: float, runs: int, seed: int) -> tuple[str, ...]:
    """One row: costs as seen, in truth, held out; shares called dearer."""
    rng, costs, dearer, tested = np.random.default_rng(seed), [], 0, 0
    for _ in range(runs):
        outcomes = equal_systems(rng, many, items)
        first, second = demur.halves(outcomes)
        both = []
        for curves, held_out in ((outcomes, None), (first, second)):
            prices = demur.price_list(demur.curve_by(curves), held_out=held_out)
            both += [price for price in prices if price.low <= at < price.high]
        chosen, halved = both
        honest = halved.held_out
        if honest is None or honest.rivals is None:
            continue
        others = {*honest.rivals} - {"never answer"}
        tested += many - 1
        dearer += many - 1 - len(others)
        costs.append(
            (
                chosen.error + at * chosen.nonreturn,
                true_cost(chosen, at),
                halved.error + at * halved.nonreturn,
                honest.error + at * honest.nonreturn,
                true_cost(halved, at),
            )
        )
    best = min(0.2 * (1 - r) ** 2 + at * r for r in np.linspace(0, 1, 1001))
    cells = [f"{cost:.3f}" for cost in np.mean(costs, axis=0)]
    share = f"{100 * dearer / tested:.1f} %"
    return f"{many} systems, {items} items, r = {at:g}", *cells, f"{best:.3f}", share


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    head = (
        *("scenario", "seen", "true", "half: seen", "held out", "true"),
        *("least", "called dearer"),
    )
    rows = [measured(*case, arguments.runs, arguments.seed) for case in CASES]
    show("Costs of the cheapest of equal systems", [head, *rows])


if __name__ == "__main__":
    main()
