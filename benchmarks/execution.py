"""All predictions of spider-dev19 executed: cold, and from the cache.

    python benchmarks/execution.py [--workers N] [--rounds 3]

The folder with the data is named by DEMUR_DATA. A plain loop over one read-only
connection per database, in this process and without any guard, runs beside.
"""

import argparse
import contextlib
import json
import os
import resource
import sqlite3
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from harness import machine, seconds, show

from demur.sql.execution import Query, run_all


def load(folder: Path) -> list[Query]:
    """Canonical SQL of all questions, then the predictions system by system."""
    lines = (folder / "questions.jsonl").read_text().splitlines()
    names, queries = {}, []
    for each in map(json.loads, lines):
        database = str(folder / "database" / f"{each['db_id']}.sqlite")
        names[each["id"]] = database
        queries.append(Query(database, each["query"]))
    for path in sorted((folder / "predictions").glob("*.jsonl")):
        for each in map(json.loads, path.read_text().splitlines()):
            queries.append(Query(names[each["id"]], each["sql"]))
    return queries


def unguarded(queries: list[Query]) -> int:
    """How many distinct queries run in a plain loop."""
    open_: dict[str, sqlite3.Connection] = {}
    ran = 0
    for query in dict.fromkeys(queries):
        if query.database not in open_:
            uri = f"{Path(query.database).as_uri()}?mode=ro"
            open_[query.database] = sqlite3.connect(uri, uri=True)
            open_[query.database].text_factory = lambda data: data.decode(
                errors="surrogateescape"
            )
        with contextlib.suppress(sqlite3.Error, sqlite3.Warning):
            open_[query.database].execute(query.sql).fetchall()
            ran += 1
    for connection in open_.values():
        connection.close()
    return ran


def main() -> None:
    """Time both runs and print what they gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    queries = load(Path(os.environ["DEMUR_DATA"]) / "spider-dev19")
    given: Counter[str] = Counter()

    def run(**options: Any) -> None:
        given.clear()
        for answer in run_all(queries, workers=arguments.workers, **options):
            given[answer.failure.kind if answer.failure else "result"] += 1

    with tempfile.TemporaryDirectory() as cache:
        run(cache=cache)
        taken = seconds(
            {
                "plain loop, no guard, distinct queries": lambda: unguarded(queries),
                "cold, no cache": run,
                "from the cache": lambda: run(cache=cache),
            },
            rounds=arguments.rounds,
        )
        size = sum(path.stat().st_size for path in Path(cache).rglob("*"))
    print(machine())
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in given.items())
    rows = [("run", "median s")]
    rows += [(name, f"{statistics.median(each):.2f}") for name, each in taken.items()]
    show(f"{len(queries):,} queries, {len(set(queries)):,} distinct: {kinds}", rows)
    parts = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    here, workers = (resource.getrusage(part).ru_maxrss / 1024 for part in parts)
    print(f"\ncache {size / 1e6:.1f} MB; at most {here:.0f} MiB here, ", end="")
    print(f"{workers:.0f} MiB in a worker")


if __name__ == "__main__":
    main()
