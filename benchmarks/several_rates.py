"""How often equal systems are told apart at any of several rates.

    python benchmarks/several_rates.py [--runs 2000] [--seed 0]

By p as such, by Holm's for all rates, and by Holm's for those alone that could be
tested; and in how many samples the first rate could not be.
"""

import argparse
from typing import Any

import numpy as np
from harness import machine, show

from demur.arrays import Sample
from demur.comparisons.pairs import holm
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity

Rng = np.random.Generator

CASES = {
    "300 items, .05, .1, .2, .4, .6": (300, 0.0, (0.05, 0.1, 0.2, 0.4, 0.6)),
    "100 items, .1, .2, .4": (100, 0.0, (0.1, 0.2, 0.4)),
    "100 items, 18 % silent, .2, .3, .5": (100, 0.18, (0.2, 0.3, 0.5)),
    "300 items, 18 % silent, .2, .3, .5": (300, 0.18, (0.2, 0.3, 0.5)),
}


def drawn(rng: Rng, n_items: int, silent: float) -> list[Sample]:
    """Two systems that err alike, less often the surer they are."""
    pair = []
    for _ in range(2):
        sure, guess = rng.random(n_items), rng.random(n_items) >= silent
        wrong = rng.random(n_items) < 0.6 - 0.4 * sure
        pair.append(Sample(guess, sure, 1.0 * (wrong & guess)))
    return pair


def p_values(pair: list[Sample], rates: tuple[float, ...]) -> Any:
    """P at each rate; NaN where a curve begins further right."""
    start = max(1 - float(sample.guess.mean()) for sample in pair)
    return np.array(
        [
            paired_difference(*pair, quantity=Quantity("error", rate)).p_value
            if rate >= start - 1e-12
            else np.nan
            for rate in rates
        ]
    )


def main() -> None:
    """Print each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    rows = [("case", "as such", "all rates", "those tested", "first not tested")]
    for name, (n_items, silent, rates) in CASES.items():
        rng = np.random.default_rng(arguments.seed)
        counts = np.zeros(4)
        for _ in range(arguments.runs):
            p = p_values(drawn(rng, n_items, silent), rates)
            tested = p[~np.isnan(p)]
            least = tested.min(initial=1.0)
            every = holm(np.nan_to_num(p, nan=1.0)).min()
            some = holm(tested).min(initial=1.0)
            counts += [least <= 0.05, every <= 0.05, some <= 0.05, np.isnan(p[0])]
        rows.append((name, *(f"{share:.3f}" for share in counts / arguments.runs)))
    show(f"{arguments.runs} runs, seed {arguments.seed}", rows)


if __name__ == "__main__":
    main()
