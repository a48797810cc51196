"""A million rows into the store and out of it, and a thousand runs on one test set.

    python benchmarks/store.py [--rows N] [--runs N] [--store ADDRESS]

Without an address the store is a file of SQLite in a temporary folder; an address must
lead to an empty store. Seconds are of the wall clock, the least of three rounds, and
behind the stroke those of the processor, for machines that have more to do.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from harness import machine, show

import demur
from demur.outcomes.columns import objects

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)


def main() -> None:
    """Print seconds into and out of the store, and what runs take that share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--store")
    arguments = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        address = arguments.store or str(Path(folder) / "runs.sqlite")
        show(f"{arguments.rows} rows of one system", large(address, arguments.rows))
        if arguments.store is None:
            address = str(Path(folder) / "many.sqlite")
        show(f"{arguments.runs} runs of 500 items", many(address, arguments.runs))


def large(address: str, n_rows: int) -> list[tuple[str, ...]]:
    """Seconds for a large run; each round keeps other verdicts on the same items."""
    into, out = [], []
    with demur.Store(address, make=True) as store:
        for number in range(3):
            outcomes = drawn(number, n_rows, words=6)
            run, taken = timed(lambda: store.keep(outcomes, when=NOW))  # noqa: B023
            into.append(taken)
            back, taken = timed(lambda: store.outcomes(run))  # noqa: B023
            out.append(taken)
            if back != outcomes:
                raise SystemExit("what came out is not what went in")
        (held,) = store.connection.rows("SELECT SUM(LENGTH(content)) FROM blobs")[0]
    cells = [
        " | ".join(f"{min(clock):.2f}" for clock in zip(*it, strict=True))
        for it in (into, out)
    ]
    return [("s in", "s out", "MB a run"), (*cells, f"{int(held) / 3e6:.0f}")]


def many(address: str, n_runs: int) -> list[tuple[str, ...]]:
    """Bytes and seconds of many runs that share their items."""
    tables = [drawn(number, 500, words=30) for number in range(n_runs)]
    with demur.Store(address, make=True) as store:

        def keep_all() -> None:
            for outcomes in tables:
                store.keep(outcomes, when=NOW, tags=["nightly"])

        def read_all() -> None:
            for run in runs:
                store.outcomes(run, only=["confidence"])

        _, kept = timed(keep_all)
        runs, listed = timed(store.runs)
        _, read = timed(read_all)
        (held,) = store.connection.rows("SELECT SUM(LENGTH(content)) FROM blobs")[0]
    head = ("ms to keep one", "ms to list all", "ms to read one", "kB a run")
    times = [
        " | ".join(f"{1000 * clock / number:.1f}" for clock in taken)
        for taken, number in ((kept, n_runs), (listed, 1), (read, n_runs))
    ]
    return [head, (*times, f"{int(held) / 1000 / n_runs:.1f}")]


def timed(job: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What a job gives, and its seconds of the wall and of the processor."""
    begin = time.perf_counter(), time.process_time()
    result = job()
    return result, (time.perf_counter() - begin[0], time.process_time() - begin[1])


def drawn(seed: int, n_rows: int, words: int) -> demur.Outcomes:
    """One system on always the same items, with a text for each answer."""
    rng = np.random.default_rng(seed)
    vocabulary = [f"w{number}" for number in range(2000)]
    texts = [
        " ".join(vocabulary[place] for place in row)
        for row in rng.integers(0, 2000, (n_rows, words)).tolist()
    ]
    right = rng.random(n_rows) < 0.7
    reasons = [
        "equal" if ok else f"differs: {text[:12]}"
        for ok, text in zip(right, texts, strict=True)
    ]
    columns = {
        "item": [f"question {row:07d}" for row in range(n_rows)],
        "cluster": [f"dialogue {row // 20}" for row in range(n_rows)],
        "outcome": np.where(right, "right", "wrong").tolist(),
        "reason": reasons,
        "response": texts,
    }
    table = {name: objects(values, n_rows) for name, values in columns.items()}
    confidence = rng.random(n_rows)
    return demur.Outcomes.from_columns(
        {**table, "system": "a", "confidence": confidence}
    )


if __name__ == "__main__":
    main()
