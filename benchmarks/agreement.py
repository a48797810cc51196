"""Speed and memory of alpha from integer codes, and of MASI on many sets.

Run::

    python benchmarks/agreement.py
"""

import time
import tracemalloc

import numpy as np
from harness import machine

from demur.agreement.alphas import cells_of, disagreement
from demur.agreement.annotations import as_annotations

N_ANNOTATORS, N_LABELS, MISSING = 5, 100, 0.1
N_TURNS, N_SLOTS, N_SETS = 7_372, 30, 7_070


def nominal(n_units: int) -> None:
    """Five annotators, a hundred labels, a tenth missing."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, N_LABELS, (N_ANNOTATORS, n_units)).astype(np.int32)
    codes[rng.random(codes.shape) < MISSING] = -1

    def job() -> float | None:
        told = as_annotations(codes)
        return disagreement(cells_of(told), told.labels, "nominal").alpha

    times = []
    for _ in range(5):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    tracemalloc.start()
    job()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"nominal, {n_units:,} units: {min(times):.3f} s, {peak:.0f} MB")


def sets() -> None:
    """Three annotators' states of as many turns as MultiWOZ has."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 9, N_SETS)
    drawn = rng.integers(0, 40 * N_SLOTS, sizes.sum())
    parts = np.split(drawn, np.cumsum(sizes)[:-1])
    pool = [frozenset(part.tolist()) for part in parts]
    rows = [[pool[k] for k in rng.integers(0, N_SETS, N_TURNS)] for _ in range(3)]
    rows[0][:N_SETS] = pool
    told = as_annotations(rows)
    start = time.perf_counter()
    disagreement(cells_of(told), told.labels, "masi")
    took = time.perf_counter() - start
    print(f"MASI, {N_TURNS:,} x 3, {len(told.labels):,} sets: {took:.2f} s")


def main() -> None:
    """Measure, and print lines."""
    print(machine())
    nominal(100_000)
    nominal(1_000_000)
    sets()


if __name__ == "__main__":
    main()
