"""Long loops on an executor of one process and of two, beside no executor.

    python benchmarks/executors.py [--items 50000] [--rounds 3]

The folder with spider-dev19 is named by DEMUR_DATA; without it SQL is left out.
"""

import argparse
import os
import statistics
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from harness import machine, seconds, show
from sql_judging import load

import demur

Job = Callable[[Executor | None], Any]


def resampling(n_items: int) -> dict[str, Job]:
    """Two systems compared, and a band, where nothing can be drawn in kinds."""
    rng = np.random.default_rng(0)
    sure, weight = rng.random((2, n_items)), rng.random(n_items) + 0.5
    a, b = (
        demur.Outcomes.from_arrays(
            correct=rng.random(n_items) < 0.4 + row / 2, confidence=row, weight=weight
        )
        for row in sure
    )
    return {
        "compare, bootstrap": lambda executor: demur.compare(
            a, b, method="bootstrap", executor=executor
        ),
        "compare, permutation": lambda executor: demur.compare(
            a, b, method="permutation", executor=executor
        ),
        "band, weights": lambda executor: demur.band(a, executor=executor),
    }


def judging(folder: Path) -> dict[str, Job]:
    """All predictions of spider-dev19, executed and judged."""
    if not folder.exists():
        return {}
    responses, references = load(folder)

    def judged(executor: Executor | None) -> demur.Outcomes:
        workers = 1 if executor is None else None
        databases = demur.Databases(
            root=folder / "database", workers=workers, executor=executor
        )
        return demur.judge(responses, references, by="sql", databases=databases)

    return {"judge, SQL": judged}


def main() -> None:
    """Time each job by itself, and with one and two processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    jobs = resampling(arguments.items)
    jobs |= judging(Path(os.environ.get("DEMUR_DATA", "")) / "spider-dev19")
    rows = [("job", "alone, s", "1 process", "2 processes", "1 / 2")]
    context = get_context("spawn")
    with (
        ProcessPoolExecutor(1, context) as one,
        ProcessPoolExecutor(2, context) as two,
    ):
        for pool in (one, two):  # started, and demur imported
            list(
                pool.map(demur.error_return, [demur.Outcomes.from_arrays(correct=[1])])
            )
        for name, job in jobs.items():
            taken = seconds(
                {
                    "alone": lambda job=job: job(None),
                    "one": lambda job=job: job(one),
                    "two": lambda job=job: job(two),
                },
                rounds=arguments.rounds,
            )
            ratio = statistics.median(
                first / second
                for first, second in zip(taken["one"], taken["two"], strict=True)
            )
            medians = [f"{statistics.median(times):.1f}" for times in taken.values()]
            rows.append((name, *medians, f"{ratio:.2f}"))
    print(machine())
    show(f"{arguments.items:,} items", rows)


if __name__ == "__main__":
    main()
