"""How often paired tests at 5 % reject when there is no difference.

    python benchmarks/type_one_error.py [--runs 200] [--replicates 2000]
        [--quantity error] [--methods bootstrap,influence,permutation] [--only TEXT]
        [--less 0.25] [--unequal 0.2]

Between 3 and 7 % is wanted; below, a test is cautious (errors are few and whole),
above it sees differences where there are none. "auto" is what `difference` does if it
is not told. With ``--less 0.25`` B's number is a quarter less than A's, and the share
is the power of the test. ``--unequal`` takes clusters of unlike sizes, as alike within
as it says; there the method "band" may be named too, the test of the whole curve.
"""

import argparse
import time

import numpy as np
from harness import machine, show
from scenarios import Scenario, nulls, unequal

from demur.arrays import Sample
from demur.errors import UndefinedRate
from demur.statistics.bands import paired_band
from demur.statistics.paired_tests import default_method, paired_difference
from demur.statistics.quantities import Quantity


def rates(
    scenario: Scenario, quantity: Quantity, arguments: argparse.Namespace
) -> dict[str, list[bool]]:
    """Whether each method rejects, in each simulated comparison."""
    rng = np.random.default_rng(arguments.seed)
    rejected: dict[str, list[bool]] = {}
    for run in range(arguments.runs):
        a, b = scenario.draw(rng)
        found = {}
        for method in arguments.methods.split(","):
            try:
                found[method] = tested(
                    (a, b), quantity, method, (arguments.replicates, run)
                )
            except UndefinedRate:  # too few guesses to reach the nonreturn
                break
        else:
            if default_method(a, quantity) in found:
                found["auto"] = found[default_method(a, quantity)]
            for method, p_value in found.items():
                rejected.setdefault(method, []).append(p_value <= 0.05)
    return rejected


def tested(
    pair: tuple[Sample, Sample], quantity: Quantity, method: str, draws: tuple[int, int]
) -> float:
    """The p value of a method."""
    replicates, seed = draws
    if method == "band":
        return paired_band(*pair, grid=np.arange(20) / 20, seed=seed).p_value or 0.0
    return paired_difference(
        *pair, quantity=quantity, method=method, replicates=replicates, seed=seed
    ).p_value


def main() -> None:
    """Run all scenarios and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--replicates", type=int, default=499)
    parser.add_argument("--quantity", default="error")
    parser.add_argument("--at", type=float, default=0.1, help="error, for a nonreturn")
    parser.add_argument("--methods", default="bootstrap,influence,permutation")
    parser.add_argument("--less", type=float, default=0.0, help="for the power")
    parser.add_argument("--unequal", type=float, help="how alike clusters are within")
    parser.add_argument("--only", default="", help="part of the scenario's name")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    begin = time.perf_counter()
    names = [*arguments.methods.split(","), "auto"]
    rows = [("scenario", "runs", *names)]
    scenarios = (
        nulls(arguments.quantity, arguments.at, arguments.less)
        if arguments.unequal is None
        else unequal(arguments.unequal, arguments.less)
    )
    for scenario in scenarios:
        if arguments.only not in scenario.name:
            continue
        at = {
            "error": scenario.at,
            "nonreturn": float(scenario.a.error_at(scenario.at)),
        }
        quantity = Quantity(arguments.quantity, at.get(arguments.quantity))
        rejected = rates(scenario, quantity, arguments)
        cells = [f"{np.mean(rejected.get(name, [np.nan])):.3f}" for name in names]
        rows.append((scenario.name, str(max(map(len, rejected.values()))), *cells))
    error = (0.05 * 0.95 / arguments.runs) ** 0.5
    show(
        f"share of runs with p <= 0.05, {arguments.quantity}, "
        f"{arguments.replicates} replicates; simulation error ±{error:.3f}; "
        f"{time.perf_counter() - begin:.0f} s",
        rows,
    )


if __name__ == "__main__":
    main()
