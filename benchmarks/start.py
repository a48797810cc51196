"""How long the command line takes, whole processes.

python benchmarks/start.py
"""

import statistics
import tempfile
from pathlib import Path

import numpy as np
from harness import PYTHON, machine, process_seconds, show

COMPLETION = ("completion", "bash", "--columns-of", "curve")


def write_parquet(path: Path, n_rows: int) -> None:
    """A table of outcomes as a user would have it: ids, names and confidences."""
    import pyarrow
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    confidence = rng.random(n_rows)
    right = rng.random(n_rows) < confidence
    table = {
        "item": [f"question-{row:07d}" for row in range(n_rows)],
        "system": ["a"] * n_rows,
        "outcome": np.where(right, "right", "wrong"),
        "confidence": confidence,
    }
    parquet.write_table(pyarrow.table(table), path)


def main() -> None:
    """Time help, import and a table of a million rows."""
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outcomes.parquet"
        write_parquet(path, 10**6)
        path.with_suffix(".csv").write_text("item,outcome\n" + "1,right\n" * 10**6)
        demur = str(Path(PYTHON).parent / "demur")
        commands = {
            "python -c pass": [PYTHON, "-c", "pass"],
            "import numpy": [PYTHON, "-c", "import numpy"],
            "import demur": [PYTHON, "-c", "import demur"],
            "import demur.curves.curves": [PYTHON, "-c", "import demur.curves.curves"],
            "demur --help": [demur, "--help"],
            "demur help": [demur, "help"],
            "demur curve --help": [demur, "curve", "--help"],
            "demur judge --help": [demur, "judge", "--help"],
            "demur metrics words --help": [demur, "metrics", "words", "--help"],
            "columns for completion": [
                demur,
                *COMPLETION,
                str(path.with_suffix(".csv")),
            ],
            "demur curve, 1e6 rows of Parquet": [demur, "curve", str(path)],
        }
        rows = [("process", "median s", "least s")]
        for name, command in commands.items():
            taken = process_seconds(command, rounds=7)
            rows.append((name, f"{statistics.median(taken):.3f}", f"{min(taken):.3f}"))
    show("whole processes, wall time", rows)


if __name__ == "__main__":
    main()
