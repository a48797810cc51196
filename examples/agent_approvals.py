"""Runs of an agent whose actions go out or are put to a person, drawn from a known law.

A run has 1 to 8 actions, each number equally often. An action is a search, a booking
or a payment (60, 25 and 15 in a hundred). ``d`` says how hard a run is and is drawn
once for all of its actions, ``z`` how hard an action is by itself; both are normal, of
mean 0 and variance 1. With ``s(x) = 1 / (1 + exp(-x))``,

- an action is wrong with the chance ``s(errs + 2.2 (d + z))``,
- its confidence is ``s(sure - 0.9 (d + z))``, to three digits,

where ``errs`` and ``sure`` belong to its kind. So actions of one run go wrong together,
and a confidence means something else for each kind: payments are surer than they are
right. In March payments go wrong more often, with the same confidences. The second
agent knows less well what is hard: its confidence is ``s(sure - 0.9 (d + z + noise))``.

Since the law is known, so is the share of all runs, also of those never seen, that hold
a wrong action at given cutoffs::

    python examples/agent_approvals.py runs            # writes the files
    python examples/agent_approvals.py --law 0.8       # one cutoff for all kinds
    python examples/agent_approvals.py --law search=0.7,book=0.6,pay=0.97
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

LONGEST = 8
DIGITS = 3


class Kind(NamedTuple):
    """How often a kind of action comes, and what its errors and confidences hang on."""

    share: float
    errs: float
    sure: float
    errs_in_march: float


KINDS = {
    "search": Kind(share=0.60, errs=-8.0, sure=3.0, errs_in_march=-8.0),
    "book": Kind(share=0.25, errs=-7.0, sure=1.8, errs_in_march=-7.0),
    "pay": Kind(share=0.15, errs=-7.0, sure=4.5, errs_in_march=-4.0),
}
FILES = {
    # runs, seed, in March, noise in the confidences
    "january": (1500, 1, False, 0.0),
    "february": (1500, 2, False, 0.0),
    "march": (1500, 3, True, 0.0),
    "second": (1500, 1, False, 1.5),
}


def main() -> None:
    """Write the files, or say what the law gives at cutoffs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where the files go")
    parser.add_argument("--law", metavar="CUTOFFS", help="say what is true of all runs")
    options = parser.parse_args()
    if options.folder:
        options.folder.mkdir(exist_ok=True, parents=True)
        for name, (n_runs, seed, in_march, noise) in FILES.items():
            rows = actions(n_runs, seed, in_march=in_march, noise=noise)
            lines = map(json.dumps, rows)
            (options.folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    if options.law:
        cutoffs = read_cutoffs(options.law)
        for month in ("january", "march"):
            error, withheld = law(cutoffs, in_march=month == "march")
            print(
                f"{month}: {error:.4f} of all runs hold a wrong action, "
                f"{withheld:.4f} of all actions are withheld"
            )


def actions(
    n_runs: int, seed: int, *, in_march: bool = False, noise: float = 0.0
) -> Iterator[dict[str, Any]]:
    """The rows of a file; a seed gives the same runs with and without noise."""
    random = np.random.default_rng(seed)
    unsure = np.random.default_rng([seed, 1])
    kinds = list(KINDS)
    shares = [kind.share for kind in KINDS.values()]
    for run in range(n_runs):
        size = int(random.integers(1, LONGEST + 1))
        hard = random.normal() + random.normal(size=size)
        chosen = random.choice(len(kinds), size=size, p=shares)
        chance, seen = random.random(size), hard + noise * unsure.normal(size=size)
        for place in range(size):
            tool = kinds[chosen[place]]
            kind = KINDS[tool]
            errs = kind.errs_in_march if in_march else kind.errs
            yield {
                "item": f"{seed}-{run + 1:04d}",
                "part": str(place + 1),
                "system": "second" if noise else "first",
                "tool": tool,
                "correct": bool(chance[place] >= sigmoid(errs + 2.2 * hard[place])),
                "confidence": round(
                    float(sigmoid(kind.sure - 0.9 * seen[place])), DIGITS
                ),
            }


def sigmoid(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """``1 / (1 + exp(-x))``."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(x))))


def law(cutoffs: dict[str, float], *, in_march: bool = False) -> tuple[float, float]:
    """The share of runs with a wrong action that went out, and of actions withheld.

    Both hang on sums over ``d`` and ``z``, which are taken over a fine grid. Given
    ``d``, actions of a run are independent: if one is wrong and goes out with the
    chance ``q``, a run of ``n`` holds one with the chance ``1 - (1 - q) ** n``.
    """
    grid = np.linspace(-7, 7, 1401)
    dense = np.exp(-(grid**2) / 2)
    dense /= dense.sum()
    hard = grid[:, None] + grid[None, :]
    wrong, withheld = np.zeros(len(grid)), 0.0
    for name, kind in KINDS.items():
        confidence = np.round(sigmoid(kind.sure - 0.9 * hard), DIGITS)
        goes_out = confidence >= cutoffs[name]
        errs = kind.errs_in_march if in_march else kind.errs
        wrong += kind.share * ((sigmoid(errs + 2.2 * hard) * goes_out) @ dense)
        withheld += kind.share * float(dense @ ~goes_out @ dense)
    sizes = np.arange(1, LONGEST + 1)
    holds_one = 1 - (1 - wrong[:, None]) ** sizes
    return float(dense @ holds_one.mean(axis=1)), withheld


def read_cutoffs(text: str) -> dict[str, float]:
    """One cutoff for all kinds, or ``kind=cutoff`` for each, separated by commas."""
    if "=" not in text:
        return dict.fromkeys(KINDS, float(text))
    given = dict(pair.split("=") for pair in text.split(","))
    return {kind: float(given[kind]) for kind in KINDS}


if __name__ == "__main__":
    main()
