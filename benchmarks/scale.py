"""Counting beyond memory: time and peak memory over the number of rows, beside peers.

    python benchmarks/scale.py ROWS FOLDER [ROUNDS]

writes Parquet files of that many rows into the folder (once) and measures, each job in
a process of its own, in turn: everything that `demur curve` and `demur choose` tell of
them, a band, bin queries written by hand for DuckDB and polars, and DuckDB's cumulative
sum by a window function, whose points are held against ours. Up to ten million rows
the same is done in memory. 1e9 rows take 13 GB.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from harness import machine

ROWS_IN_A_FILE = 100_000_000
THREADS = 2


def generate(n_rows: int, folder: Path) -> str:
    """Files with rows of a stated law: P(right) = (1 + confidence) / 2, 5 % silent."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(config={"threads": THREADS, "memory_limit": "3GB"})
    connection.execute("SET preserve_insertion_order = false")
    for first in range(0, n_rows, ROWS_IN_A_FILE):
        path = folder / f"part{first // ROWS_IN_A_FILE:03}.parquet"
        last = min(first + ROWS_IN_A_FILE, n_rows)
        if path.exists():
            continue
        sure = "((hash(i) % 1000000007) / 1000000007.0 + (hash(i + 7) % 1000) / 1e12)"
        silent = "hash(i + 1) % 1000 < 50"
        connection.execute(f"""
            COPY (
                SELECT i AS item,
                    CASE WHEN {silent} THEN NULL ELSE {sure} END AS confidence,
                    CASE WHEN {silent} THEN 'unanswered'
                        WHEN (hash(i + 2) % 1000) / 1000.0 < {sure} * 0.5 + 0.5
                        THEN 'right' ELSE 'wrong' END AS outcome,
                    'topic ' || (hash(i + 3) % 10) AS topic
                FROM range({first}, {last}) AS rows(i)
            ) TO '{path}' (FORMAT parquet)""")
    return str(folder / "*.parquet")


# -- jobs, each in a process of its own ------------------------------------------------


def everything(files: str, engine: str = "duckdb") -> dict[str, Any]:
    """Curve, three look-ups, area with bounds, a certificate, counts of ten groups."""
    import demur

    counted = demur.count_outcomes(*_listed(files, engine), engine=engine)
    curve = demur.error_return(counted)
    points = [curve.at(nonreturn=rate, how="at_most") for rate in RATES]
    point = curve.at(error=0.05)
    area = curve.area()
    chosen = demur.choose(counted, max_error=0.15, of="answered", certainty=0.95)
    groups = demur.curve_by(counted, by="topic")
    items = curve.totals.items
    return {
        "points": [_vertex(items, one.nonreturn, one.error) for one in points],
        "at error 0.05": point.nonreturn,
        "area": (area.low, area.high),
        "cutoff": chosen.cutoff,
        "right": sorted(one.totals.right for one in groups),
    }


RATES = (0.1, 0.3)


def _vertex(items: int, nonreturn: float, error: float) -> tuple[int, int]:
    """How many items are answered, and how many of these wrongly."""
    return round(items * (1 - nonreturn)), round(items * error)


def _listed(files: str, engine: str) -> list[str]:
    """In memory, files are read one by one."""
    return [files] if engine != "memory" else [str(one) for one in paths_of(files)]


def paths_of(files: str) -> list[Path]:
    return sorted(Path(files).parent.glob(Path(files).name))


def in_memory(files: str) -> dict[str, Any]:
    return everything(files, "memory")


def band(files: str) -> dict[str, Any]:
    """A band around the whole curve, beyond what counting takes."""
    import demur

    counted = demur.count_outcomes(files, engine="duckdb")
    edges = demur.band(counted)
    return {"widest": float((edges.high - edges.low).max())}


def bins_in_duckdb(files: str) -> dict[str, Any]:
    connection = _connection()
    answer = connection.execute(
        "SELECT FLOOR(confidence * 65536)::INT AS bin, COUNT(*), "
        "COUNT(*) FILTER (WHERE outcome = 'wrong') "
        f"FROM '{files}' GROUP BY bin"
    ).fetchnumpy()
    return {"bins": len(answer["bin"])}


def bins_in_polars(files: str) -> dict[str, Any]:
    import polars

    wrong = polars.col("outcome") == "wrong"
    bins = (polars.col("confidence") * 65536).floor().cast(polars.Int32).alias("bin")
    counted = (
        polars.scan_parquet(files)
        .select(bins, wrong.alias("wrong"))
        .group_by("bin")
        .agg(polars.len(), polars.col("wrong").sum().alias("errors"))
        .collect(engine="streaming")
    )
    return {"bins": counted.height}


def window_in_duckdb(files: str) -> dict[str, Any]:
    """The exact cumulative sums, of which every look-up can be read off."""
    connection = _connection("1GB")
    items = f"(SELECT COUNT(*) FROM '{files}')"
    read = ", ".join(
        f"MIN({{}}) FILTER (WHERE answered >= {1 - rate} * {items})" for rate in RATES
    )
    (row,) = connection.execute(
        f"SELECT {read.format(*['answered'] * 2)}, {read.format(*['errors'] * 2)} "
        "FROM (SELECT "
        "SUM(guesses) OVER (ORDER BY confidence DESC) AS answered, "
        "SUM(wrong) OVER (ORDER BY confidence DESC) AS errors FROM ("
        "SELECT confidence, COUNT(*) AS guesses, "
        "COUNT(*) FILTER (WHERE outcome = 'wrong') AS wrong "
        f"FROM '{files}' WHERE confidence IS NOT NULL GROUP BY confidence))"
    ).fetchall()
    answered, errors = row[: len(RATES)], row[len(RATES) :]
    return {"points": [[int(a), int(e)] for a, e in zip(answered, errors, strict=True)]}


def _connection(memory: str = "400MB") -> Any:
    import duckdb

    return duckdb.connect(
        config={
            "threads": THREADS,
            "memory_limit": memory,
            "preserve_insertion_order": False,
        }
    )


JOBS = {
    job.__name__: job
    for job in (
        everything,
        band,
        in_memory,
        bins_in_duckdb,
        bins_in_polars,
        window_in_duckdb,
    )
}

MOST: dict[str, int] = {"in_memory": 10**7, "window_in_duckdb": ROWS_IN_A_FILE}
"""How many rows a job is given at most: others do not fit."""


def measured(name: str, files: str) -> dict[str, Any]:
    """Seconds, peak memory in MB and figures of a job in a new process."""
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, "--job", name, files],
        capture_output=True,
        text=True,
        check=False,
    )
    spent = time.perf_counter() - begin
    if done.returncode:
        return {"seconds": float("nan"), "failed": done.stderr.strip()[-300:]}
    return {"seconds": spent, **json.loads(done.stdout)}


def main(n_rows: int, folder: Path, rounds: int) -> None:
    files = generate(n_rows, folder)
    print(machine())
    print(f"{n_rows} rows, {THREADS} threads, {rounds} rounds")
    size = sum(path.stat().st_size for path in paths_of(files))
    print(f"{size / 1e6:,.0f} MB of Parquet")
    names = [name for name in JOBS if n_rows <= MOST.get(name, n_rows)]
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            taken[name].append(measured(name, files))
    for name, runs in taken.items():
        seconds = statistics.median(run["seconds"] for run in runs)
        memory = max(run.get("memory", 0) for run in runs)
        print(f"{name:18} {seconds:8.2f} s {memory:6.0f} MB  {runs[-1]}")


if __name__ == "__main__":
    if sys.argv[1] == "--job":
        figures = JOBS[sys.argv[2]](sys.argv[3])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"memory": peak, **figures}))
    else:
        main(
            int(float(sys.argv[1])),
            Path(sys.argv[2]),
            int(sys.argv[3]) if len(sys.argv) > 3 else 3,
        )
