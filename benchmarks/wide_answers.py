"""Answers of many columns, and blind ones, to all questions of spider-dev19.

    python benchmarks/wide_answers.py [--items N]

The folder with the data is named by DEMUR_DATA. Processor seconds are those of this
process alone, for each answer; the processes that run SQL have their own.
"""

import argparse
import os
import time
from pathlib import Path

from harness import machine, show
from sql_judging import load

import demur

ANSWERS = {
    "SELECT 3": "SELECT 3",
    "2,000 literals": "SELECT " + ", ".join(map(str, range(2000))),
    "300 literals": "SELECT " + ", ".join(map(str, range(300))),
    "SELECT ... WHERE 0": "SELECT name FROM sqlite_master WHERE 0",
}


def main() -> None:
    """Judge each answer to all items, and print what it gets and costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int)
    arguments = parser.parse_args()
    folder = Path(os.environ["DEMUR_DATA"]) / "spider-dev19"
    references = load(folder)[1][: arguments.items]
    rows = [("answer", "right", "ungraded", "ms each", "longest reason")]
    for name, sql in ANSWERS.items():
        responses = [{"item": one["item"], "response": sql} for one in references]
        begin = time.process_time()
        outcomes = demur.judge(
            responses,
            references,
            by="sql",
            databases=demur.Databases(root=folder / "database"),
        )
        taken = (time.process_time() - begin) * 1000 / len(references)
        counts = outcomes.counts()
        longest = max(map(len, outcomes.reason))
        right, ungraded = str(counts["right"]), str(counts["ungraded"])
        rows.append((name, right, ungraded, f"{taken:.1f}", str(longest)))
    print(machine())
    show(f"{len(references)} items", rows)


if __name__ == "__main__":
    main()
