"""How often intervals and bands hold the truth, at 95 %.

    python benchmarks/coverage.py [--runs 100] [--replicates 500] [--only TEXT]

Intervals: the error at the nonreturn 0.2 (0.3 with missing guesses) and at 0.9, the
nonreturn at the error 0.1, the area. Bands, on a grid of hundredths: pointwise ones by
the mean and the least coverage over the rates, simultaneous ones as a whole, with
their mean width.
"""

import argparse
import time
from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
from harness import machine, show
from scenarios import (
    FLAT,
    JUMP,
    JUMP_TIED,
    SILENT,
    STEEP,
    TIES,
    RootSystem,
    Scenario,
    rare,
)

from demur.arrays import Sample
from demur.errors import InputError, UndefinedRate
from demur.statistics.bands import paired_band, sample_band
from demur.statistics.intervals import sample_interval
from demur.statistics.quantities import Quantity

SIMULTANEOUS = ("sup-t", "dkw")
WHOLE = (*SIMULTANEOUS, "difference", "difference at one")
POINTWISE = ("influence", "bootstrap")
Held = defaultdict[str, list[Any]]


def scenarios() -> list[Scenario]:
    """Systems A of which are looked at."""
    root, few = RootSystem(1, 1), rare(5, 400)[0]
    return [
        Scenario("notes, 300 items", 300, root, FLAT),
        Scenario("plain, 100 items", 100, STEEP, FLAT),
        Scenario("plain, 2000 items", 2000, STEEP, FLAT),
        Scenario("ties (6 levels)", 400, TIES[0], FLAT),
        Scenario(
            "weights, partial credit", 400, replace(STEEP, credit=True), FLAT,
            weights=True,
        ),
        Scenario("5 errors at 0.2", 400, few, FLAT),
        Scenario("20 % no guess", 400, SILENT[0], FLAT, at=0.3),
        Scenario("100 clusters", 1000, STEEP, FLAT, clusters=100),
        Scenario("40 clusters", 400, STEEP, FLAT, clusters=40),
        Scenario("15 clusters", 400, STEEP, FLAT, clusters=15),
        Scenario("6 clusters", 400, STEEP, FLAT, clusters=6),
        Scenario("jump with ties, 300", 300, JUMP_TIED, FLAT),
        Scenario("jump with ties, 60 clusters", 300, JUMP_TIED, FLAT, clusters=60),
        Scenario("jump without ties, 190", 190, JUMP, FLAT),
    ]  # fmt: skip


def note_intervals(
    sample: Sample, scenario: Scenario, recipe: dict[str, int], held: Held
) -> None:
    """Whether each interval of this sample holds the truth."""
    truth = scenario.a
    wanted = {
        "error": (Quantity("error", scenario.at), truth.error_at(scenario.at)),
        "error at 0.9": (Quantity("error", 0.9), truth.error_at(0.9)),
        "nonreturn": (Quantity("nonreturn", 0.1), truth.nonreturn_at(0.1)),
        "area": (Quantity("area"), truth.area_from(truth.silent)),
    }
    for name, (quantity, true) in wanted.items():
        for method in POINTWISE:
            try:
                found = sample_interval(
                    sample,
                    quantity=quantity,
                    method=method,
                    **recipe,
                )
            except UndefinedRate:  # the curve starts right of the rate
                continue
            held[f"{name}, {method}"].append(found.low <= true <= found.high)


def note_bands(
    sample: Sample, scenario: Scenario, recipe: dict[str, int], held: Held
) -> None:
    """Whether each band of this sample holds the true curve."""
    grid = np.arange(100) / 100
    for method in POINTWISE + SIMULTANEOUS:
        try:
            found = sample_band(
                sample,
                method=method,
                grid=grid[grid >= scenario.a.silent],
                **recipe,
            )
        except InputError:  # dkw with weights, clusters or partial credit
            continue
        true = scenario.a.error_at(found.nonreturn)
        inside = (found.low <= true + 1e-9) & (true <= found.high + 1e-9)
        held[method].append(inside.all())
        held[method + " width"].append((found.high - found.low).mean())
        missing = np.full(len(grid) - len(inside), np.nan)
        held[method + " rates"].append(np.concatenate([missing, inside]))


def note_difference_bands(
    samples: tuple[Sample, Sample], scenario: Scenario, seed: int, held: Held
) -> None:
    """Whether the bands of this pair hold the true difference of the curves."""
    grid = np.arange(100) / 100
    for name, simultaneous in (("difference", True), ("difference at one", False)):
        found = paired_band(*samples, grid=grid, simultaneous=simultaneous, seed=seed)
        x = found.nonreturn
        true = scenario.b.error_at(x) - scenario.a.error_at(x)
        inside = (found.low <= true + 1e-9) & (true <= found.high + 1e-9)
        held[name].append(inside.all() if simultaneous else inside.mean())
        held[name + " width"].append((found.high - found.low).mean())


def main() -> None:
    """Run all scenarios and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--only", default="", help="part of the scenario's name")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    begin = time.perf_counter()
    names = ("error", "error at 0.9", "nonreturn", "area")
    columns = [f"{name}, {method}" for name in names for method in POINTWISE]
    first = [("interval of", *columns)]
    second = [("band", "pointwise influence", "pointwise bootstrap", "sup-t", "dkw",
               "difference, sup-t", "difference, pointwise")]  # fmt: skip
    for scenario in scenarios():
        if arguments.only not in scenario.name:
            continue
        rng = np.random.default_rng(arguments.seed)
        held: Held = defaultdict(list)
        for run in range(arguments.runs):
            sample, other = scenario.draw(rng)
            recipe = {"replicates": arguments.replicates, "seed": run}
            note_intervals(sample, scenario, recipe, held)
            note_bands(sample, scenario, recipe, held)
            note_difference_bands((sample, other), scenario, run, held)
        rates = [f"{np.mean(held.get(name, [np.nan])):.3f}" for name in columns]
        first.append((scenario.name, *rates))
        second.append((scenario.name, *(_band_cell(held, name) for name in
                                        POINTWISE + WHOLE)))  # fmt: skip
    error = (0.05 * 0.95 / arguments.runs) ** 0.5
    show(f"coverage of intervals, simulation error ±{error:.3f}", first)
    show(
        "coverage of bands: mean (least) over rates, or of the whole; mean width; "
        f"{time.perf_counter() - begin:.0f} s",
        second,
    )


def _band_cell(held: Held, method: str) -> str:
    if method not in held:
        return "-"
    width = f"width {np.mean(held[method + ' width']):.4f}"
    if method in WHOLE:
        return f"{np.mean(held[method]):.3f} {width}"
    rates = np.array(held[method + " rates"])
    seen = rates[:, ~np.isnan(rates).all(axis=0)]
    by_rate = np.nanmean(seen, axis=0)
    return f"{by_rate.mean():.3f} ({by_rate.min():.3f}) {width}"


if __name__ == "__main__":
    main()
