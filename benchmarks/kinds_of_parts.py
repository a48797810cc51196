"""How often the promise of cutoffs by kind is broken, and what they save.

    python benchmarks/kinds_of_parts.py [--runs 2000] [--only TEXT] [--seed 0]

with a quarter of the samples where these have 3,000 runs of an agent.

Runs of an agent are drawn from many thousands whose errors are known, so that the truth
of each choice is known. Actions of a run err together: run by run some are harder, and
in half of the runs one number decides of all actions whether they are wrong. Beside the
cutoffs by kind stands one cutoff for all kinds, certified on all of the runs.
"""

import argparse
from typing import Any, NamedTuple

import numpy as np
from harness import machine

import demur

Rng = np.random.Generator
Array = np.ndarray[Any, Any]

KINDS = ("look up", "search", "book", "pay")
SHARES = (0.4, 0.3, 0.2, 0.1)
SKILLS = (2.5, 1.5, 4.0, 0.8)
SLOPES = (2.0, 1.0, 1.5, 0.7)
SCALES = ((1.0, 0.0), (3.0, 3.0), (0.2, -2.0), (10.0, 1.0))


class Law(NamedTuple):
    """Many runs, and of each kind the surest wrong action of each run."""

    run: Array
    kind: Array
    confidence: Array
    wrong: Array
    begin: Array
    surest: Array


def law(rng: Rng, n_runs: int, n_kinds: int, scale: str) -> Law:
    """Runs of one to eight actions; confidences are on scales of their own, or one."""
    size = rng.integers(1, 9, n_runs)
    run = np.repeat(np.arange(n_runs), size)
    shares = np.array(SHARES[:n_kinds])
    kind = rng.choice(n_kinds, len(run), p=shares / shares.sum())
    hard = (rng.random(n_runs) < 0.3)[run]
    sure = rng.normal(size=len(run))
    logit = np.array(SKILLS)[kind] + np.array(SLOPES)[kind] * sure
    shared = (rng.random(n_runs) < 0.5)[run]
    drawn = np.where(shared, rng.random(n_runs)[run], rng.random(len(run)))
    wrong = drawn < 1 / (1 + np.exp(logit - 1.5 * hard))
    confidence = 1 / (1 + np.exp(-logit))
    if scale == "own":
        times, plus = np.array(SCALES).T
        confidence = times[kind] * sure + plus[kind]
    surest = np.full((n_runs, n_kinds), -np.inf)
    np.maximum.at(surest, (run[wrong], kind[wrong]), confidence[wrong])
    return Law(run, kind, confidence, wrong, np.cumsum(size) - size, surest)


def drawn_runs(rng: Rng, of: Law, n_runs: int) -> demur.Outcomes:
    """A sample of the runs."""
    chosen = rng.integers(0, len(of.begin), n_runs)
    size = np.diff(of.begin, append=len(of.run))[chosen]
    rows = np.repeat(of.begin[chosen], size)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(size) - size, size)
    rows += place
    return demur.Outcomes.from_arrays(
        item=np.repeat(np.arange(n_runs), size),
        part=[f"action {number}" for number in place],
        correct=~of.wrong[rows],
        confidence=of.confidence[rows],
        groups={"tool": np.array(KINDS)[of.kind[rows]]},
    )


def truth(of: Law, cutoffs: Array) -> tuple[float, float]:
    """The share of runs with a wrong action, and of actions withheld."""
    error = (of.surest >= cutoffs).any(axis=1).mean()
    return float(error), float((of.confidence < cutoffs[of.kind]).mean())


def both(outcomes: demur.Outcomes, n_kinds: int, target: float) -> tuple[Array, Array]:
    """The cutoff of each kind, and the single one, infinite where there is none."""
    promise = {"max_error": target, "certainty": 0.95}
    chosen = demur.choose_by_kind(outcomes, kinds="tool", **promise).cutoffs
    alone = demur.choose(outcomes, of="wholes", **promise).cutoff
    listed = [chosen.get(name) for name in KINDS[:n_kinds]]
    by_kind = np.array([np.inf if cutoff is None else cutoff for cutoff in listed])
    return by_kind, np.full(n_kinds, np.inf if alone is None else alone)


CASES = {
    "2 kinds, own scales, 600 runs, .05": (2, "own", 600, 0.05),
    "4 kinds, own scales, 600 runs, .05": (4, "own", 600, 0.05),
    "4 kinds, own scales, 600 runs, .02": (4, "own", 600, 0.02),
    "4 kinds, own scales, 3,000 runs, .05": (4, "own", 3000, 0.05),
    "4 kinds, one scale, 600 runs, .05": (4, "one", 600, 0.05),
    "4 kinds, one scale, 3,000 runs, .05": (4, "one", 3000, 0.05),
}


def main() -> None:
    """Draw, choose, and compare with the truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(machine())
    for name, (n_kinds, scale, n_runs, target) in CASES.items():
        if arguments.only not in name:
            continue
        of = law(np.random.default_rng(7), 50_000, n_kinds, scale)
        rng = np.random.default_rng(arguments.seed)
        samples = arguments.runs // (1 if n_runs < 1000 else 4)
        seen = np.array(
            [
                [
                    truth(of, cutoffs)
                    for cutoffs in both(drawn_runs(rng, of, n_runs), n_kinds, target)
                ]
                for _ in range(samples)
            ]
        )
        broken = 100 * (seen[..., 0] > target).mean(axis=0)
        withheld = seen[..., 1].mean(axis=0)
        print(
            f"{name}, {samples} samples: broken {broken[0]:.1f} % by kind, "
            f"{broken[1]:.1f} % with one cutoff; withheld {withheld[0]:.3f} and "
            f"{withheld[1]:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
