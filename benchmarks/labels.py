"""How often errors corrected by people's labels hold the truth, and how wide they are.

    python benchmarks/labels.py [--runs 600] [--items 2000] [--labels 20,30,50,100]
    python benchmarks/labels.py --pairs [--runs 200]

A judge has judged all items, people a part drawn at random. At least 93 % of 95 % is
wanted in every cell, at a mean width of at most 1.05 of what people alone say.
With ``--pairs`` two systems err alike in truth, and the judge is harsher on one: how
often `demur.compare` with ``gold`` takes them for different, and 6 % are the most.
"""

import argparse
from itertools import product

import numpy as np
from harness import machine, show

import demur
from demur.statistics.noisy_verdicts import (
    Verdicts,
    labelled_only,
    prediction_powered,
    rogan_gladen,
)

ERRORS = (0.02, 0.1, 0.3)
JUDGES = (0.0, 0.01, 0.03, 0.1)
METHODS = {
    "corrected": lambda verdicts: prediction_powered(verdicts, 0.95)[0],
    "people alone": lambda verdicts: labelled_only(verdicts, 0.95),
    "Rogan-Gladen": lambda verdicts: rogan_gladen(verdicts, 0.95),
}


def drawn(
    rng: np.random.Generator, n_items: int, labels: int, error: float, judge: float
) -> Verdicts:
    """Answers that are wrong at a rate, and a judge who errs on either kind alike."""
    people = rng.random(n_items) < error
    mistaken = rng.random(n_items) < judge
    return Verdicts(
        judge=1.0 * (people ^ mistaken),
        people=1.0 * people,
        labelled=np.arange(n_items) < labels,
        answered=np.ones(n_items),
        cluster=np.arange(n_items),
    )


HARSHER = (0.0, 0.01, 0.02)
PAIRS = ((0.1, 0.05), (0.3, 0.2), (0.02, 0.02), (0.1, 0.0))
"""Errors of both systems, and the share of items on which they err independently."""


def rejected(
    rng: np.random.Generator, labels: int, harsher: float, pair: tuple[float, float]
) -> float:
    """The p value of two systems that err alike."""
    error, apart = pair
    first = rng.random(2000) < error
    second = np.where(rng.random(2000) < apart, rng.random(2000) < error, first)
    judged = second | (rng.random(2000) < harsher)
    systems = []
    for name, people, judge in (("a", first, first), ("b", second, judged)):
        gold = np.where(people, "wrong", "right").astype(object)
        gold[labels:] = None
        columns = {"item": np.arange(2000), "groups": {"gold": gold}}
        systems.append(
            demur.Outcomes.from_arrays(system=name, correct=~judge, **columns)
        )
    own = demur.compare(*systems, gold="gold").own
    (difference,) = (one for one in own if one.quantity == "own error")
    return difference.p_value


def pairs(arguments: argparse.Namespace) -> None:
    """Print how often systems that err alike are told apart."""
    rng = np.random.default_rng(arguments.seed)
    rows = [("labels", "harsher by", "error", "apart", "told apart")]
    labels = map(int, arguments.labels.split(","))
    for n_labels, harsher, pair in product([*labels], HARSHER, PAIRS):
        p_values = [
            rejected(rng, n_labels, harsher, pair) for _ in range(arguments.runs)
        ]
        share = np.mean(np.array(p_values) <= 0.05)
        rows.append((f"{n_labels}", f"{harsher}", *map(str, pair), f"{share:.3f}"))
    show(f"{arguments.runs} runs", rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=600)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--labels", default="20,30,50,100")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", action="store_true")
    arguments = parser.parse_args()
    print(machine())
    (pairs if arguments.pairs else alone)(arguments)


def alone(arguments: argparse.Namespace) -> None:
    """Print coverage of each method, and widths beside people alone."""
    rng = np.random.default_rng(arguments.seed)
    rows = [("error", "judge errs", "labels", *METHODS, "width / people")]
    labels = map(int, arguments.labels.split(","))
    for error, judge, n_labels in product(ERRORS, JUDGES, [*labels]):
        held: dict[str, list[bool]] = {name: [] for name in METHODS}
        widths = dict.fromkeys(METHODS, 0.0)
        for _ in range(arguments.runs):
            verdicts = drawn(rng, arguments.items, n_labels, error, judge)
            for name, method in METHODS.items():
                rate = method(verdicts)
                if rate is not None:  # where people found no error, or only errors
                    held[name].append(rate.low <= error <= rate.high)
                    widths[name] += rate.high - rate.low
        shares = [f"{np.mean(those):.3f}" if those else "" for those in held.values()]
        ratio = widths["corrected"] / widths["people alone"]
        rows.append((f"{error}", f"{judge}", f"{n_labels}", *shares, f"{ratio:.2f}"))
    show(f"{arguments.runs} runs", rows)


if __name__ == "__main__":
    main()
