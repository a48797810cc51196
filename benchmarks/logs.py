"""Logs of other tools: seconds and memory of reading them into outcomes.

Writes Inspect logs of so many samples, two of 200 MB, and a file of JSON Lines with
other column names, and reads each in a process of its own. With ``--inspect PYTHON``,
an interpreter that has Inspect, its ``samples_df`` reads the same log in turn.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

OURS = """
import resource, sys, time
begun = time.perf_counter()
import demur
outcomes = demur.read_outcomes(sys.argv[1], columns=sys.argv[2] or None)
seconds = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{len(outcomes):,} rows: {seconds:.2f} s, {peak} MB")
"""

TEXTS = """
import resource, sys, time
begun = time.perf_counter()
from demur.formats import iter_responses
rows = sum(1 for response in iter_responses(sys.argv[1]) if response.response)
seconds = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{rows:,} texts: {seconds:.2f} s, {peak} MB")
"""

THEIRS = """
import resource, sys, time
from inspect_ai.analysis import samples_df
begun = time.perf_counter()
frame = samples_df(sys.argv[1], quiet=True)
seconds = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{len(frame):,} rows: {seconds:.2f} s, {peak} MB, without its import")
"""


LARGE = 200_000_000
"""Bytes of a large log."""


def inspect_head(samples: int) -> dict[str, Any]:
    """The header of a log of Inspect."""
    return {
        "version": 2,
        "status": "success",
        "eval": {
            **{"run_id": "r", "created": "2026-01-02T03:04:05+00:00", "task": "t"},
            **{"task_id": "t", "task_version": 0, "model": "m", "packages": {}},
            **{"dataset": {"name": "d"}, "config": {"epochs": 1}},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {"total_samples": samples, "completed_samples": samples},
        "stats": {"started_at": "", "completed_at": ""},
    }


def large_logs(folder: Path, samples: int = 400) -> list[Path]:
    """Two logs of 200 MB, a zip archive and JSON, with texts that do not deflate."""
    dice = random.Random(0)
    archived, plain = folder / "large.eval", folder / "large.json"
    head = json.dumps(inspect_head(samples))
    with zipfile.ZipFile(archived, "w") as archive, plain.open("w") as file:
        file.write(f'{head[:-1]}, "samples": [')
        for number in range(samples):
            sample = {
                **{"id": f"q{number}", "epoch": 1, "input": "2 + 2?", "target": "4"},
                **{"scores": {"match": {"value": "CI"[number % 2], "answer": "4"}}},
                "output": {"model": "m", "choices": [], "completion": "4"},
                "events": [dice.randbytes(LARGE // samples // 2).hex()],
            }
            text = json.dumps(sample)
            archive.writestr(f"samples/q{number}_epoch_1.json", text)
            file.write(f"{', ' if number else ''}{text}")
        archive.writestr("header.json", head)
        file.write("]}")
    return [archived, plain]


def inspect_log(path: Path, samples: int, text: int) -> None:
    """Write a log of Inspect, each sample with so many characters of transcript."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        summaries = []
        for number in range(samples):
            score = {
                "value": "C" if number % 3 else "I",
                "answer": str(number),
                "metadata": {"confidence": number % 100 / 100},
            }
            sample = {
                **{"id": f"q{number}", "epoch": 1, "input": "2 + 2?", "target": "4"},
                **{"scores": {"match": score}, "messages": [], "metadata": {}},
            }
            summaries.append(sample)
            events = [{"event": "info", "data": "x" * text}]
            output = {"model": "m", "choices": [], "completion": str(number)}
            whole = {**sample, "output": output, "events": events, "store": {}}
            name = f"samples/q{number}_epoch_1.json"
            archive.writestr(name, json.dumps(whole))
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("header.json", json.dumps(inspect_head(samples)))


def lines(path: Path, rows: int) -> None:
    """Write JSON Lines in which nothing is called as it is here."""
    with path.open("w") as file:
        for number in range(rows):
            row = {"id": number, "score": number % 2, "sure": f"{number % 100} %"}
            file.write(json.dumps(row) + "\n")


def read(python: str, code: str, *arguments: str) -> str:
    """What a process says of its reading."""
    done = subprocess.run(
        [python, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.strip().rpartition("\n")[2]


def main() -> None:
    """Write the files, read them, print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inspect", help="an interpreter that has Inspect")
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log, table = Path(folder) / "a.eval", Path(folder) / "a.jsonl"
        for samples, text in ((given.samples, 2_000), (given.samples // 50, 500_000)):
            inspect_log(log, samples, text)
            print(f".eval, {text:,} characters a sample: ", end="")
            print(read(sys.executable, OURS, str(log), ""))
            if given.inspect:
                print(f"  samples_df: {read(given.inspect, THEIRS, str(log))}")
        for large in large_logs(Path(folder)):
            print(f"{large.name}, {large.stat().st_size:,} bytes:")
            print(f"  verdicts: {read(sys.executable, OURS, str(large), '')}")
            print(f"  texts: {read(sys.executable, TEXTS, str(large))}")
        lines(table, given.rows)
        named = "item=id, correct=score >= 1, confidence=percent(sure)"
        print(f"--columns: {read(sys.executable, OURS, str(table), named)}")
        named = "item=id, correct=score"
        print(
            f"--columns, renamed only: {read(sys.executable, OURS, str(table), named)}"
        )


if __name__ == "__main__":
    main()
