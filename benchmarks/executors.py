"""Long loops on an executor of one process and of two, beside no executor.

    python benchmarks/executors.py [--items 50000] [--responses 8748] [--rounds 3]

"Here" is the share of the processor's work on the job that is left in this process.
The folder with spider-dev19 is named by DEMUR_DATA; without it SQL is left out.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from harness import machine, seconds
from sql_judging import load

import demur

Job = Callable[[Executor | None], Any]


def system(n_items: int, seed: int) -> demur.Outcomes:
    """Items whose weights differ, so that none can be drawn together."""
    rng = np.random.default_rng(seed)
    sure = rng.random(n_items)
    return demur.Outcomes.from_arrays(
        item=range(n_items),
        correct=rng.random(n_items) < 0.4 + sure / 2,
        confidence=sure,
        weight=np.random.default_rng(0).random(n_items) + 0.5,
    )


def resampling(n_items: int) -> dict[str, Job]:
    """Two systems compared, and a band of ten times as many items with weights."""
    a, b = (system(n_items, seed) for seed in (1, 2))
    heavy = system(10 * n_items, 3)
    return {
        "compare, bootstrap": lambda executor: demur.compare(
            a, b, method="bootstrap", executor=executor
        ),
        "compare, permutation": lambda executor: demur.compare(
            a, b, method="permutation", executor=executor
        ),
        "band, weights": lambda executor: demur.band(heavy, executor=executor),
    }


def judging(folder: Path, n_responses: int) -> dict[str, Job]:
    """Predictions of spider-dev19, executed and judged."""
    if not folder.exists():
        return {}
    responses, references = load(folder)
    responses = responses[:n_responses]

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
    parser.add_argument("--responses", type=int, default=8748)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    jobs = resampling(arguments.items)
    folder = Path(os.environ.get("DEMUR_DATA", "")) / "spider-dev19"
    jobs |= judging(folder, arguments.responses)
    print(machine())
    names = "alone, s", "1 process", "2 processes"
    print(f"{'job':24}{''.join(f'{name:>12}' for name in names)}   1 / 2    here")
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
            here: dict[str, float] = {}
            taken = seconds(
                {
                    "alone": timed(job, None, here, "alone"),
                    "one": timed(job, one, here, "one"),
                    "two": timed(job, two, here, "two"),
                },
                rounds=arguments.rounds,
            )
            ratio = statistics.median(
                first / second
                for first, second in zip(taken["one"], taken["two"], strict=True)
            )
            medians = (f"{statistics.median(times):12.1f}" for times in taken.values())
            left = here["two"] / here["alone"]
            print(f"{name:24}{''.join(medians)}{ratio:8.2f}{left:8.2f}", flush=True)


def timed(
    job: Job, executor: Executor | None, here: dict[str, float], name: str
) -> Callable[[], None]:
    """A job that says how long the processor was busy with it in this process."""

    def run() -> None:
        begin = time.process_time()
        job(executor)
        here[name] = time.process_time() - begin

    return run


if __name__ == "__main__":
    main()
