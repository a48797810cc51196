"""All predictions of spider-dev19 executed and judged: cold, and from the cache.

    python benchmarks/sql_judging.py [--workers N] [--rounds 3]

The folder with the data is named by DEMUR_DATA.
"""

import argparse
import json
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from harness import machine, seconds, show

import demur

Records = list[dict[str, Any]]


def lines(path: Path) -> Records:
    """The records of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def load(folder: Path) -> tuple[Records, Records]:
    """Responses of all systems, and references."""
    responses = [
        {"item": each["id"], "system": path.stem, "response": each["sql"]}
        for path in sorted((folder / "predictions").glob("*.jsonl"))
        for each in lines(path)
    ]
    references = [
        {"item": each["id"], "db": f"{each['db_id']}.sqlite", "sql": each["query"]}
        for each in lines(folder / "questions.jsonl")
    ]
    return responses, references


def main() -> None:
    """Time the runs and print what they gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = Path(os.environ["DEMUR_DATA"]) / "spider-dev19"
    responses, references = load(folder)

    def run(by: str, cache: str | None = None) -> demur.Outcomes:
        databases = demur.Databases(
            root=folder / "database", workers=arguments.workers, cache=cache
        )
        return demur.judge(responses, references, by=by, databases=databases)

    with tempfile.TemporaryDirectory() as cache:
        outcomes = run("sql", cache)
        taken = seconds(
            {
                "cold": lambda: run("sql"),
                "cold, maximum=none": lambda: run("sql(maximum=none)"),
                "from the cache": lambda: run("sql", cache),
                "from the cache, bird-ex": lambda: run("sql(mode=bird-ex)", cache),
                "from the cache, test-suite": lambda: run(
                    "sql(mode=test-suite)", cache
                ),
            },
            rounds=arguments.rounds,
        )
    print(machine())
    rows = [("run", "median s", "all")]
    for name, each in taken.items():
        every = " ".join(f"{one:.1f}" for one in each)
        rows.append((name, f"{statistics.median(each):.1f}", every))
    show(str(outcomes), rows)


if __name__ == "__main__":
    main()
