"""Counting on Spark beside Spark's own curve: `BinaryClassificationMetrics`.

    python benchmarks/scale_spark.py [ROWS]

Both read one Parquet file in one session on the threads of this machine. Ours gives a
curve with three exact look-ups and the area with bounds; Spark's the area under the ROC
curve of the same rows, of confidences that it first puts into 1,000 bins.
"""

import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from harness import machine
from pyarrow import parquet

import demur
from demur.engines import spark_sessions

ROUNDS = 2


def main(n_rows: int) -> None:
    warnings.simplefilter("ignore")  # PySpark's own, about itself
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "answers.parquet"))
        write(path, n_rows)
        begun = time.perf_counter()
        session = spark_sessions.started()
        print(machine())
        print(f"Spark {session.version}, {session.sparkContext.master}")
        print(f"start {time.perf_counter() - begun:.1f} s; {n_rows:,} rows")
        jobs: dict[str, Callable[[], Any]] = {
            "demur": lambda: ours(session, path),
            "BinaryClassificationMetrics": lambda: theirs(session, path),
        }
        for each in range(ROUNDS):
            for name, job in jobs.items():
                begun = time.perf_counter()
                result = job()
                seconds = time.perf_counter() - begun
                print(f"round {each + 1}: {name} {seconds:.2f} s ({result})")
        session.stop()


def write(path: str, n_rows: int) -> None:
    rng = np.random.default_rng(0)
    confidence = rng.random(n_rows)
    right = rng.random(n_rows) < confidence
    columns = {
        "item": np.arange(n_rows),
        "confidence": confidence,
        "outcome": np.where(right, "right", "wrong"),
    }
    parquet.write_table(pyarrow.table(columns), path)


def ours(session: Any, path: str) -> str:
    curve = demur.error_return(demur.count_outcomes(path, engine=session))
    errors = [curve.at(nonreturn=rate).error for rate in (0.1, 0.2, 0.5)]
    area = curve.area()
    return f"errors {errors}, area {area.low:.6f} to {area.high:.6f}"


def theirs(session: Any, path: str) -> str:
    from pyspark.mllib.evaluation import BinaryClassificationMetrics

    rows = session.read.parquet(path).selectExpr(
        "confidence", "CAST(outcome = 'right' AS DOUBLE) AS label"
    )
    metrics = BinaryClassificationMetrics(rows.rdd.map(tuple))
    return f"area under the ROC curve {metrics.areaUnderROC:.6f}"


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if sys.argv[1:] else 10**6)
