"""Locks of wholes rechecked by labels of drawn wholes: bounds that are broken.

    python benchmarks/whole_labels.py [--runs 1000] [--budget 300] [--seed 0]

Runs of an agent are drawn from the law of ``examples/agent_approvals.py``, which also
says what is true of all runs at the locked cutoff. A lock is made on one sample; of
another one whole runs are drawn and labelled by the truth. A line says how often the
true error lies beyond the upper and the lower bound, each of which may be broken in at
most 5 % of samples, and what the estimate is on average.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from harness import machine

import demur

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import agent_approvals

LAWS = {"as locked": False, "worse, as in March": True}


def table(n_runs: int, seed: int, *, in_march: bool = False) -> demur.Outcomes:
    """Runs of the agent as outcomes."""
    rows = list(agent_approvals.actions(n_runs, seed, in_march=in_march))
    names = ("item", "part", "correct", "confidence")
    return demur.Outcomes.from_arrays(**{n: [row[n] for row in rows] for n in names})


def recheck(lock: Any, new: demur.Outcomes, budget: int, seed: int) -> Any:
    """The lock rechecked by labels of a drawn part of the runs."""
    columns = {**new.to_columns(), "outcome": ["unlabelled"] * len(new)}
    hidden = demur.Outcomes.from_columns(columns)
    drawn = demur.sample(hidden, budget=budget, purpose="recheck", lock=lock, seed=seed)
    keys = zip(new.item, new.part, new.outcome, strict=True)
    truth = {(item, part): outcome for item, part, outcome in keys}
    sheet = [{**row, "verdict": truth[row["item"], row["part"]]} for row in drawn.sheet]
    return demur.recheck(lock, demur.take_labels(drawn.outcomes, sheet))


def main() -> None:
    """A line for each law."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(machine())
    old = table(1500, 1)
    target = {"max_error": 0.05, "certainty": 0.95, "of": "wholes"}
    lock = demur.lock(old, demur.choose(old, **target))
    cutoffs = dict.fromkeys(agent_approvals.KINDS, float(lock.cutoff or 0))
    for name, in_march in LAWS.items():
        true, _ = agent_approvals.law(cutoffs, in_march=in_march)
        above = below = 0
        errors, labelled = [], []
        for run in range(options.runs):
            new = table(400, options.seed + 10 + run, in_march=in_march)
            found = recheck(lock, new, options.budget, run)
            above += true > found.upper
            below += true < found.lower
            errors.append(found.error)
            labelled.append(found.labelled)
        print(
            f"{name}: true error {true:.4f}, mean estimate {np.mean(errors):.4f} "
            f"by {np.mean(labelled):.0f} runs; above the upper bound "
            f"{above / options.runs:.3f}, below the lower {below / options.runs:.3f}"
        )


if __name__ == "__main__":
    main()
